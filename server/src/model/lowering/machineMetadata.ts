/**
 * `machineMetadataNodes:`: tuples that only the machine function refers to (`!11 = distinct !{!11, !"domain"}`).
 * Follows MIParser::parseMachineMetadata, LLVM 22.
 */
import type { IRModule } from '../ir/module.js';
import type { MiError } from './miStrings.js';
import type { YamlString } from './yaml.js';

export interface MachineMetadata {
  /** numbers that are defined */
  readonly numbers: ReadonlySet<number>;
  readonly errors: readonly { readonly at: YamlString; readonly error: MiError }[];
}

/** Checks the definitions in order. Nodes may refer to later ones and to nodes of the module. */
export function defineMachineMetadata(nodes: readonly YamlString[], module: IRModule | null): MachineMetadata {
  const numbers = new Set<number>();
  const references: { number: number; at: YamlString; offset: number }[] = [];
  const errors: { at: YamlString; error: MiError }[] = [];
  for (const node of nodes) {
    const error = parseDefinition(node, numbers, references);
    if (error !== null) errors.push({ at: node, error });
  }
  for (const r of references) {
    if (numbers.has(r.number) || (module?.metadataByNumber(r.number) ?? null) !== null) continue;
    errors.push({ at: r.at, error: { message: `use of undefined metadata '!${r.number}'`, at: r.offset } });
  }
  return { numbers, errors };
}

function parseDefinition(
  node: YamlString,
  numbers: Set<number>,
  references: { number: number; at: YamlString; offset: number }[],
): MiError | null {
  const { text } = node;
  let p = 0;
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
    const m = /^[0-9]+/.exec(text.slice(p, p + 16));
    if (m === null) return -1;
    p += m[0].length;
    return Number(m[0]);
  };
  const fail = (message: string): MiError => {
    skip();
    return { message, at: p };
  };

  if (!eat('!')) return fail('expected a metadata node');
  const id = number();
  if (id < 0) return fail("expected metadata id after '!'");
  if (!eat('=')) return fail("expected '='");
  skip();
  if (/^distinct\b/.test(text.slice(p))) p += 'distinct'.length;
  if (!eat('!')) return fail('expected a metadata node');
  if (!eat('{')) return fail("expected '{' here");
  skip();
  if (text[p] !== '}') {
    do {
      skip();
      const offset = p;
      if (/^null\b/.test(text.slice(p))) {
        p += 4;
        continue;
      }
      if (!eat('!')) return fail("expected '!' here");
      skip();
      if (text[p] === '"') {
        const end = text.indexOf('"', p + 1);
        if (end < 0) return fail("end of machine instruction reached before the closing '\"'");
        p = end + 1;
        continue;
      }
      const n = number();
      if (n < 0) return fail("expected metadata id after '!'");
      references.push({ number: n, at: node, offset });
    } while (eat(','));
  }
  if (!eat('}')) return fail('expected end of metadata node');
  if (numbers.has(id)) {
    p = text.length;
    return fail('Metadata id is already used');
  }
  numbers.add(id);
  return null;
}
