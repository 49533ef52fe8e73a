/**
 * Names of register tuples by their size: `sgpr4_64` for `sgpr4_sgpr5`, as LLVM writes them since summer 2026. Our tables of LLVM 24 are older; they
 * read both, and a file that has the newer ones is printed with them.
 */
import { RegKind, STRIDE, SyntaxKind, type Chunk, type MirFile } from '../syntax/index.js';
import type { TargetTables } from '../target/index.js';
import type { Interner } from '../util/interner.js';

const NAME = /^(?:[sva]gpr|ttmp)\d+_\d+$/;
const TUPLE = /^([sva]gpr|ttmp)(\d+)(?:_\1\d+)+$/;

/** Some tuples that end in VCC have such names in LLVM 24 already (`sgpr76_1024`): those say nothing. */
export function isNameBySize(name: string, tables: TargetTables): boolean {
  if (!NAME.test(name)) return false;
  const reg = tables.regByName(name);
  return reg > 0 && tables.regName(reg) !== name;
}

/** `sgpr4_64` for `sgpr4_sgpr5`; names of others stay. */
export function nameBySize(name: string): string {
  const [, prefix, first] = TUPLE.exec(name) ?? [];
  return prefix === undefined ? name : `${prefix}${first!}_${32 * name.split('_').length}`;
}

/** Whether a body of the file names a register so. `ofChunks`: what is known, for these tables. O(what of the file changed). */
export const usesNamesBySize = (
  { documents, interner }: MirFile,
  tables: TargetTables,
  ofChunks: WeakMap<Chunk, boolean>,
): boolean =>
  documents.some(({ body }) => body?.chunks.some((chunk) => chunkUses(chunk, interner, tables, ofChunks)) === true);

function chunkUses(chunk: Chunk, interner: Interner, tables: TargetTables, ofChunks: WeakMap<Chunk, boolean>): boolean {
  let known = ofChunks.get(chunk);
  if (known === undefined) {
    const { tree } = chunk;
    known = false;
    for (let n = 0; n < tree.size && !known; n += STRIDE) {
      const kind = tree.kind(n);
      if (kind === SyntaxKind.LiveIn || (kind === SyntaxKind.RegisterOperand && tree.regKind(n) === RegKind.Physical))
        known = isNameBySize(interner.text(tree.value(n)), tables);
    }
    ofChunks.set(chunk, known);
  }
  return known;
}
