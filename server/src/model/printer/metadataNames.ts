/**
 * Numbers and names of the module's metadata for printing. LLVM numbers the nodes that the module reaches anew
 * (SlotTracker); a node that only machine code mentions has no number and prints as an address, here `<0x0>`.
 */
import { MDNode, MDString } from '../ir/module.js';
import type { IRModule, Metadata } from '../ir/module.js';
import { MetadataSlots } from '../ir/metadataSlots.js';
import type { DebugNames } from './instrPrinter.js';

/** Deepest chain of scopes and inlined-at locations that is followed; LLVM's own are far shorter. */
const MAX_CHAIN = 256;

/** Names for a module; for a file without IR metadata prints as spelled. */
export class MetadataNames implements DebugNames {
  private slots: MetadataSlots | null = null;
  private readonly known = new Map<string, string>();

  constructor(private readonly module: IRModule | null) {}

  renumber(text: string): string {
    if (this.module === null || !text.includes('!')) return text;
    let result = this.known.get(text);
    if (result === undefined) {
      result = text.replace(/!(\d+)/g, (spelled, digits: string) => {
        const node = this.node(Number(digits));
        if (node === null) return spelled;
        this.slots ??= new MetadataSlots(this.module as IRModule);
        const slot = this.slots.slotOf(node);
        return slot < 0 ? '<0x0>' : `!${slot}`;
      });
      this.known.set(text, result);
    }
    return result;
  }

  variable(text: string): { readonly name: string; readonly line: number } | null {
    const node = this.nodeOfText(text);
    if (node === null || (node.className !== 'DILocalVariable' && node.className !== 'DILabel')) return null;
    return { name: textOf(node.fields?.get('name')), line: numberOf(node.fields?.get('line')) };
  }

  location(text: string): string | null {
    const node = this.nodeOfText(text);
    if (node !== null) return node.className === 'DILocation' ? this.describe(node, 0) : null;
    const written = /^!DILocation\(/.test(text);
    if (!written) return null;
    const field = (name: string): string => new RegExp(`\\b${name}: (!?\\d+)`).exec(text)?.[1] ?? '';
    const inlinedAt = field('inlinedAt');
    return this.place(
      this.nodeOfText(field('scope')),
      Number(field('line') || 0),
      Number(field('column') || 0),
      this.nodeOfText(inlinedAt),
      0,
    );
  }

  private node(number: number): MDNode | null {
    return this.module?.metadataByNumber(number) ?? null;
  }

  private nodeOfText(text: string): MDNode | null {
    const match = /^!(\d+)$/.exec(text);
    return match === null ? null : this.node(Number(match[1]));
  }

  private describe(location: MDNode, depth: number): string {
    const f = location.fields;
    const scope = nodeOf(f?.get('scope'));
    return this.place(scope, numberOf(f?.get('line')), numberOf(f?.get('column')), nodeOf(f?.get('inlinedAt')), depth);
  }

  /** `file:line[:column][ @[ inlined-at ]]` (DebugLoc::print) */
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
