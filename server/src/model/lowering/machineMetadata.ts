/**
 * `machineMetadataNodes:`: tuples that only the machine function refers to (`!11 = distinct !{!11, !"domain"}`).
 * Follows MIParser::parseMachineMetadata, LLVM 22.
 */
import { MDNode, MDString, type IRModule, type Metadata } from '../../ir/module.js';
import type { MiError } from './miStrings.js';
import type { YamlString } from './yaml.js';

export interface MachineMetadata {
  /** the nodes by number */
  readonly nodes: ReadonlyMap<number, MDNode>;
  readonly errors: readonly { readonly at: YamlString; readonly error: MiError }[];
}

/** Checks the definitions in order. Nodes may refer to later ones and to nodes of the module. */
export function defineMachineMetadata(nodes: readonly YamlString[], module: IRModule | null): MachineMetadata {
  const defined = new Map<number, MDNode>();
  const references: Reference[] = [];
  const errors: { at: YamlString; error: MiError }[] = [];
  for (const node of nodes) {
    const error = parseDefinition(node, defined, references);
    if (error !== null) errors.push({ at: node, error });
  }
  for (const r of references) {
    const target = module?.metadataByNumber(r.number) ?? defined.get(r.number) ?? null;
    if (target !== null) {
      r.operands[r.index] = target;
      continue;
    }
    errors.push({ at: r.at, error: { message: `use of undefined metadata '!${r.number}'`, at: r.offset } });
  }
  return { nodes: defined, errors };
}

/** An operand to be filled in once all nodes are known. */
interface Reference {
  readonly number: number;
  readonly at: YamlString;
  readonly offset: number;
  readonly operands: (Metadata | null)[];
  readonly index: number;
}

const MAX_NUMBER = 0xffffffff;

function parseDefinition(node: YamlString, defined: Map<number, MDNode>, references: Reference[]): MiError | null {
  const { text } = node;
  let p = 0;
  let numberAt = 0;
  const skip = (): void => {
    while (text[p] === ' ' || text[p] === '\t') p++;
  };
  const eat = (c: string): boolean => {
    skip();
    if (text[p] !== c) return false;
    p++;
    return true;
  };
  const number = (): number => {
    skip();
    const m = /^[0-9]+/.exec(text.slice(p));
    if (m === null) return -1;
    numberAt = p;
    p += m[0].length;
    return Number(m[0]);
  };
  const fail = (message: string): MiError => {
    skip();
    return { message, at: p };
  };

  const tooLarge = (): MiError => ({ message: 'expected 32-bit integer (too large)', at: numberAt });
  /** A `!` that begins no word. */
  const eatExclaim = (): boolean => {
    skip();
    return !/^![A-Za-z_$.-]/.test(text.slice(p, p + 2)) && eat('!');
  };

  if (!eatExclaim()) return fail('expected a metadata node');
  const id = number();
  if (id < 0) return fail("expected metadata id after '!'");
  if (id > MAX_NUMBER) return tooLarge();
  if (!eat('=')) return fail("expected '='");
  skip();
  const isDistinct = /^distinct\b/.test(text.slice(p));
  if (isDistinct) p += 'distinct'.length;
  const operands: (Metadata | null)[] = [];
  const found: Reference[] = [];
  if (!eatExclaim()) return fail('expected a metadata node');
  if (!eat('{')) return fail("expected '{' here");
  skip();
  if (text[p] !== '}') {
    do {
      skip();
      const offset = p;
      if (!eatExclaim()) return fail("expected '!' here");
      skip();
      if (text[p] === '"') {
        const end = text.indexOf('"', p + 1);
        if (end < 0) return fail("expected metadata id after '!'");
        operands.push(new MDString(text.slice(p + 1, end)));
        p = end + 1;
        continue;
      }
      const n = number();
      if (n < 0) return fail("expected metadata id after '!'");
      if (n > MAX_NUMBER) return tooLarge();
      found.push({ number: n, at: node, offset, operands, index: operands.length });
      operands.push(null);
    } while (eat(','));
  }
  if (!eat('}')) return fail('expected end of metadata node');
  if (defined.has(id)) {
    p = text.length;
    return fail('Metadata id is already used');
  }
  for (const r of found) references.push(r);
  defined.set(id, new MDNode(id, isDistinct, '', operands, null));
  return null;
}
