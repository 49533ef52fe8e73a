/** Names and places from the module's debug metadata, for the stand-alone form of instructions. */
import { MDNode, MDString } from '../../ir/module.js';
import type { IRModule, Metadata } from '../../ir/module.js';
import { MetadataSlots } from '../../ir/metadataSlots.js';
import { numberOfAddress, printLocation } from '../lowering/metadataText.js';
import type { DebugNames } from './instrPrinter.js';

/** Deepest chain of scopes and inlined-at locations that is followed; LLVM's own are far shorter. */
const MAX_CHAIN = 256;

const WRITTEN = '!DILocation(';

interface LocationParts {
  readonly line: number;
  readonly column: number;
  /** number of the printed module */
  readonly scope: number;
  /** the location as it is printed, '' = none */
  readonly inlinedAt: string;
}

/** Names of a module; null = a file without IR, which has no debug metadata. */
export class MetadataNames implements DebugNames {
  private slots: MetadataSlots | null = null;

  constructor(private readonly module: IRModule | null) {}

  variable(number: number): { readonly name: string; readonly line: number } | null {
    const node = this.module?.metadataByNumber(number) ?? null;
    if (node?.className !== 'DILocalVariable') return null;
    return { name: textOf(node.fields?.get('name')), line: numberOf(node.fields?.get('line')) };
  }

  /** By the name of a source file, the folder that it is named from; of two with one name the first. O(metadata) */
  folders(): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const node of this.numbering?.nodes ?? []) {
      const name = node.className === 'DIFile' ? textOf(node.fields?.get('filename')) : '';
      if (name !== '' && !found.has(name)) found.set(name, textOf(node.fields?.get('directory')));
    }
    return found;
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

  /**
   * From the nearest call on that both were inlined by, as far in as they are in the same functions: each time their line where they share it, in the
   * nearest scope around both. Without such a call, no line in the scope of the first.
   * @llvm DebugInfoMetadata.cpp DILocation::getMergedLocation
   */
  mergedLocation(a: string, b: string): string | null {
    if (a === b) return a;
    const [chainA, chainB] = [this.chainOf(a), this.chainOf(b)];
    if (chainA === null || chainB === null) return null;
    const placeOf = ({ scope, inlinedAt }: LocationParts): string => `${this.subprogramOf(scope)} ${inlinedAt}`;
    const placesA = chainA.map(placeOf);
    let j = chainB.findIndex((parts) => placesA.includes(placeOf(parts)));
    let i = j < 0 ? -1 : placesA.indexOf(placeOf(chainB[j]));
    let result = i < 0 ? '' : chainA[i].inlinedAt;
    for (; i >= 0 && j >= 0; i--, j--) {
      const [x, y] = [chainA[i], chainB[j]];
      if (this.subprogramOf(x.scope) !== this.subprogramOf(y.scope)) break;
      const scope = this.scopeOfBoth(x.scope, y.scope);
      if (scope < 0) return null;
      const line = x.line === y.line ? x.line : 0;
      const column = x.line === y.line && x.column === y.column ? x.column : 0;
      result = this.textOfParts({ line, column, scope, inlinedAt: result });
    }
    return result === '' ? this.textOfParts({ line: 0, column: 0, scope: chainA[0].scope, inlinedAt: '' }) : result;
  }

  /** The location with these parts as it is printed: by its number, if the module has it. */
  private textOfParts({ line, column, scope, inlinedAt }: LocationParts): string {
    const equal = this.numbering?.nodes.findIndex((node, k) => {
      const parts = node.className === 'DILocation' && !node.isDistinct ? this.partsOf(`!${k}`) : null;
      return parts?.line === line && parts.column === column && parts.scope === scope && parts.inlinedAt === inlinedAt;
    });
    if (equal !== undefined && equal >= 0) return `!${equal}`;
    const texts: Record<string, string> = { line: String(line), column: String(column), scope: `!${scope}` };
    if (inlinedAt !== '') texts['inlinedAt'] = inlinedAt;
    return printLocation((field) => texts[field]);
  }

  /** A location and those that it is inlined at, from the inside; null where one has more to it. */
  private chainOf(text: string): LocationParts[] | null {
    const chain: LocationParts[] = [];
    for (let at = text; at !== '' && chain.length < MAX_CHAIN;) {
      const parts = this.partsOf(at);
      if (parts === null) return null;
      chain.push(parts);
      at = parts.inlinedAt;
    }
    return chain;
  }

  /** Null for a location with more to it. */
  private partsOf(text: string): LocationParts | null {
    const slotOf = (f: Field): number => (f instanceof MDNode ? (this.numbering?.slotOf(f) ?? -1) : -1);
    const node = this.nodeOfText(text);
    if (node !== null) {
      const f = node.fields;
      if (f?.has('isImplicitCode') === true || f?.has('atomGroup') === true) return null;
      const [scope, inlinedAt] = [slotOf(f?.get('scope')), slotOf(f?.get('inlinedAt'))];
      if (scope < 0 || (inlinedAt < 0 && f?.get('inlinedAt') instanceof MDNode)) return null;
      const outer = inlinedAt < 0 ? '' : `!${inlinedAt}`;
      return { line: numberOf(f?.get('line')), column: numberOf(f?.get('column')), scope, inlinedAt: outer };
    }
    const written =
      /^!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: !(\d+)(?:, inlinedAt: (!\d+|!DILocation\(.*\)))?\)$/.exec(
        text,
      );
    if (written === null) return null;
    const [, line, column, scope, inlinedAt] = written as (string | undefined)[];
    return { line: Number(line), column: Number(column ?? 0), scope: Number(scope), inlinedAt: inlinedAt ?? '' };
  }

  /** Scopes from the inside up to the function, by their numbers. */
  private scopesAround(from: number): number[] {
    const nodes = this.numbering?.nodes ?? [];
    const scopes: number[] = [];
    for (let k = from; k >= 0 && scopes.length < MAX_CHAIN;) {
      scopes.push(k);
      const outer = nodes[k].className === 'DISubprogram' ? null : nodeOf(nodes[k].fields?.get('scope'));
      k = outer === null ? -1 : (this.numbering?.slotOf(outer) ?? -1);
    }
    return scopes;
  }

  private subprogramOf(scope: number): number {
    return this.scopesAround(scope).at(-1) ?? -1;
  }

  /** The nearest scope within one function that two scopes are in, by their numbers; -1: none, or of another file. */
  private scopeOfBoth(a: number, b: number): number {
    if (a === b) return a;
    const nodes = this.numbering?.nodes ?? [];
    const [scopesA, scopesB] = [this.scopesAround(a), this.scopesAround(b)];
    const common = scopesA.find((k) => scopesB.includes(k)) ?? -1;
    const isOfFile = (k: number): boolean => fileName(nodes[k]) === fileName(nodes[common]);
    return common >= 0 && isOfFile(a) && isOfFile(b) ? common : -1;
  }

  private get numbering(): MetadataSlots | null {
    if (this.module !== null) this.slots ??= new MetadataSlots(this.module);
    return this.slots;
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
    return this.numbering?.nodes[Number(match[1])] ?? null;
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
