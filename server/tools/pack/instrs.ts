/** Packs opcode names, descriptors and mappings. */
import { ints, lists, names, pieces, Pool, sortedNames, strings, uint } from './encode.js';
import { hi32, lo32, type Facts } from './facts.js';
import { NameList } from '../../src/target/packed.js';
import type { TableName, TableTexts } from '../../src/target/tableTexts.js';
import { check } from './check.js';

/** LLVM numbers pseudo instructions first, then, sorted, all others; MIR before the end of code generation has few of these. */
function firstReal(list: readonly string[]): number {
  let i = list.length - 1;
  while (i > 0 && list[i - 1]! < list[i]!) i--;
  check(i > 5000 && i < list.length / 2, 'pseudo instructions come before the sorted others');
  return i;
}

/** Pseudo instructions are looked up often, the others hardly ever. */
const PSEUDOS_PER_BLOCK = 4;
const REALS_PER_BLOCK = 16;

/** OPCODE_NAMES and REAL_OPCODE_NAMES, OPCODES (descriptors), OPCODE_MAPS; as a difference to `base`, if there is one. */
export function packInstrs(f: Facts, base: TableTexts | null): Record<string, string> {
  const starts = (table: TableName): ReadonlySet<string> | undefined =>
    base === null ? undefined : new NameList(base.reader(table)).blockStarts();
  const rows = f.instrs.rows;
  const opcodeNames = rows.map((r) => r[0]);
  const descs = new Pool<(number | string)[]>();
  const descOf = rows.map((r) => descs.add(r.slice(1) as (number | string)[]));
  const column = (k: number): number[] => descs.items.map((d) => d[k] as number);
  const tsFlags = descs.items.map((d) => d[4] as string);
  const opLists = f.instrs.operand_lists;
  const opColumn = (k: number): number[] =>
    opLists.flatMap((l) => Array.from({ length: l.length / 5 }, (_, i) => l[i * 5 + k]!));
  const columns = [
    ints(descOf),
    ints(column(0)),
    ints(column(1)),
    ints(column(2)),
    ints(column(3).map((v) => v % 2 ** 32)),
    ints(column(3).map((v) => Math.floor(v / 2 ** 32))),
    ints(tsFlags.map(lo32)),
    ints(tsFlags.map(hi32)),
    ints(column(5)),
    ints(column(6)),
    ints(column(7)),
    ints(column(8)),
    ints(opLists.map((l) => l.length / 5)),
    ...[0, 1, 2, 3, 4].map((k) => ints(opColumn(k))),
    lists(f.instrs.named_lists),
    lists(f.instrs.implicit_lists),
    strings(f.instrs.operand_names),
  ];
  const maps = Object.entries(f.instrs.maps).map(([, list]) => {
    const from = list.filter((_, i) => i % 2 === 0);
    const to = list.filter((_, i) => i % 2 === 1);
    return ints(from) + ints(to);
  });
  const pseudos = opcodeNames.slice(0, firstReal(opcodeNames));
  const reals = opcodeNames.slice(pseudos.length);
  return {
    OPCODE_NAMES: names(pseudos, PSEUDOS_PER_BLOCK, starts('OPCODE_NAMES')) + uint(reals.length),
    REAL_OPCODE_NAMES: sortedNames(reals, REALS_PER_BLOCK, starts('REAL_OPCODE_NAMES')),
    OPCODES: pieces(columns),
    OPCODE_MAPS: strings(Object.keys(f.instrs.maps)) + uint(maps.length) + maps.join(''),
  };
}
