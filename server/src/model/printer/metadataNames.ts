/** Names and places from the module's debug metadata, for the stand-alone form of instructions. */
import { MDNode, MDString } from '../../ir/module.js';
import type { IRModule, Metadata } from '../../ir/module.js';
import { MetadataSlots } from '../../ir/metadataSlots.js';
import { numberOfAddress } from '../lowering/metadataText.js';
import type { DebugNames } from './instrPrinter.js';

/** Deepest chain of scopes and inlined-at locations that is followed; LLVM's own are far shorter. */
const MAX_CHAIN = 256;

const WRITTEN = '!DILocation(';

/** Names of a module; null = a file without IR, which has no debug metadata. */
export class MetadataNames implements DebugNames {
  private slots: MetadataSlots | null = null;

  constructor(private readonly module: IRModule | null) {}

  variable(number: number): { readonly name: string; readonly line: number } | null {
    const node = this.module?.metadataByNumber(number) ?? null;
    if (node?.className !== 'DILocalVariable') return null;
    return { name: textOf(node.fields?.get('name')), line: numberOf(node.fields?.get('line')) };
  }

  label(number: number): string | null {
    const node = this.module?.metadataByNumber(number) ?? null;
    return node?.className === 'DILabel' ? textOf(node.fields?.get('name')) : null;
  }

  location(text: string): string | null {
    const node = this.nodeOfText(text);
    if (node !== null) return node.className === 'DILocation' ? this.describe(node, 0) : null;
    return text.startsWith(WRITTEN) ? this.describeWritten(text, 0) : null;
  }

  /** A location without a number is written out, as is what it is inlined at. */
  private describeWritten(text: string, depth: number): string {
    const nested = text.indexOf(`inlinedAt: ${WRITTEN}`);
    const own = nested < 0 ? text : text.slice(0, nested);
    const field = (name: string): string => new RegExp(`\\b${name}: (!?\\d+|<0x[0-9a-f]+>)`).exec(own)?.[1] ?? '';
    const [line, column] = [Number(field('line') || 0), Number(field('column') || 0)];
    const place = this.place(this.nodeOfText(field('scope')), line, column, this.nodeOfText(field('inlinedAt')), depth);
    if (nested < 0 || depth >= MAX_CHAIN) return place;
    return `${place} @[ ${this.describeWritten(text.slice(nested + 'inlinedAt: '.length), depth + 1)} ]`;
  }

  /** The node that prints as `text` (`!7`). */
  private nodeOfText(text: string): MDNode | null {
    if (this.module === null) return null;
    const unprinted = numberOfAddress(text);
    if (unprinted >= 0) return this.module.metadataByNumber(unprinted);
    const match = /^!(\d+)$/.exec(text);
    if (match === null) return null;
    this.slots ??= new MetadataSlots(this.module);
    return this.slots.nodes[Number(match[1])] ?? null;
  }

  private describe(location: MDNode, depth: number): string {
    const f = location.fields;
    const scope = nodeOf(f?.get('scope'));
    return this.place(scope, numberOf(f?.get('line')), numberOf(f?.get('column')), nodeOf(f?.get('inlinedAt')), depth);
  }

  /**
   * `file:line[:column][ @[ inlined-at ]]`
   * @llvm DebugLoc.cpp DebugLoc::print
   */
  private place(scope: MDNode | null, line: number, column: number, inlinedAt: MDNode | null, depth: number): string {
    let out = `${fileName(scope)}:${line}`;
    if (column !== 0) out += `:${column}`;
    if (inlinedAt !== null && depth < MAX_CHAIN) out += ` @[ ${this.describe(inlinedAt, depth + 1)} ]`;
    return out;
  }
}

/** File name of a scope: of its own file, or it is the file. */
function fileName(scope: MDNode | null): string {
  if (scope === null) return '';
  const file = scope.className === 'DIFile' ? scope : nodeOf(scope.fields?.get('file'));
  return textOf(file?.fields?.get('filename'));
}

type Field = Metadata | null | bigint | boolean | string | undefined;

const nodeOf = (f: Field): MDNode | null => (f instanceof MDNode ? f : null);
const numberOf = (f: Field): number => (typeof f === 'bigint' ? Number(f) : 0);

function textOf(f: Field): string {
  if (typeof f === 'string') return f;
  return f instanceof MDString ? f.value : '';
}
