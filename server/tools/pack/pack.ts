/**
 * Packs the JSON of the extractor into `server/src/target/generated/*.ts`.
 *
 * usage: tsx server/tools/pack/pack.ts FACTS.json [OUTDIR]
 *
 * Whatever follows from a rule (names of tuples from their parts, sub-registers from position and size) is not
 * stored. The packer applies the rule itself, compares with the facts, and stops when one differs, so a new LLVM
 * that breaks a rule is noticed here and not by a wrong answer.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ints, lists, names, Pool, strings, uint } from './encode.js';
import { expand, hi32, lo32, type Facts } from './facts.js';

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`the packer's rule does not hold: ${what}`);
}

// ---- instructions -------------------------------------------------------------------------------------------

/** Index of the first opcode from which on names are sorted, and of the break between the two sorted ranges. */
function sortedRanges(list: readonly string[]): number[] {
  const breaks: number[] = [];
  for (let i = 1; i < list.length; i++) if (!(list[i - 1]! < list[i]!)) breaks.push(i);
  check(breaks.length >= 2, 'opcode names are sorted in two ranges after the generic ones');
  const res = [breaks[breaks.length - 2]!, breaks[breaks.length - 1]!, list.length];
  check(res[0]! < 1000, 'few opcodes before the sorted ones');
  return res;
}

function packInstrs(f: Facts): { names: string; columns: string } {
  const rows = f.instrs.rows;
  rows.forEach((r, i) => check(r[1] === i, 'rows are numbered by opcode'));
  const opcodeNames = rows.map((r) => r[0]);
  const descs = new Pool<(number | string)[]>();
  const descOf = rows.map((r) => descs.add([r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9]]));
  const d = descs.items;
  const n = (k: number): number[] => d.map((x) => x[k] as number);
  const opLists = f.instrs.operand_lists;
  const column = (k: number): number[] =>
    opLists.flatMap((l) => Array.from({ length: l.length / 6 }, (_, i) => l[i * 6 + k]!));
  const columns = [
    ints(descOf),
    ints(n(0)),
    ints(n(1)),
    ints(n(2)),
    ints(n(3).map((v) => v % 2 ** 32)),
    ints(n(3).map((v) => Math.floor(v / 2 ** 32))),
    ints(d.map((x) => lo32(x[4] as string))),
    ints(d.map((x) => hi32(x[4] as string))),
    ints(n(5)),
    ints(n(6)),
    ints(n(7)),
    ints(opLists.map((l) => l.length / 6)),
    ...[0, 1, 2, 3, 4, 5].map((k) => ints(column(k))),
    lists(f.instrs.implicit_lists),
    strings(f.instrs.operand_names.map((s) => s.replace('?', ''))),
  ];
  return { names: names(opcodeNames, sortedRanges(opcodeNames)), columns: columns.join('') };
}

// ---- registers ----------------------------------------------------------------------------------------------

/** A name with its first number replaced by `#`, and that number (-1: no number). */
function pattern(name: string): [string, number] {
  const m = /^(\D*)(0|[1-9]\d*)(.*)$/.exec(name);
  return m ? [`${m[1]!}#${m[3]!}`, Number(m[2]!)] : [name, -1];
}

/** Runs of names `PREFIX n SUFFIX` with rising n and id: texts and [text, first number, first id, count]. */
function packNameRuns(all: readonly (readonly [string, number])[]): string {
  const texts = new Pool<string>();
  const runs: number[][] = [];
  for (const [name, id] of all) {
    const [text, number] = pattern(name);
    const t = texts.add(text);
    const last = runs[runs.length - 1];
    if (last && number >= 0 && last[0] === t && last[1]! + last[3]! === number && last[2]! + last[3]! === id) last[3]!++;
    else runs.push([t, number, id, 1]);
  }
  return strings(texts.items) + [0, 1, 2, 3].map((k) => ints(runs.map((r) => r[k]!))).join('');
}

/** The parts of REGISTERS: what every user needs, what few need. */
function packRegs(f: Facts): Record<string, string> {
  const rows = f.regs.rows;
  const idx = f.sub_reg_indices.rows;
  const leaves = rows.map((r, i) => (i === 0 ? [] : expand(r[6])));
  const nameOf: string[] = [];
  rows.forEach((r, i) => {
    if (r[0] !== 0) nameOf[i] = r[0];
  });
  rows.forEach((r, i) => {
    if (r[0] === 0) nameOf[i] = leaves[i]!.map((l) => nameOf[l]!).join('_');
  });

  // Tuples of consecutive registers: found again by (first, count).
  const tuples = new Map<string, number>();
  const isTuple = leaves.map((l, i) => {
    if (l.length < 2 || l.some((x, k) => x !== l[0]! + k)) return false;
    const key = `${l[0]!},${l.length}`;
    check(!tuples.has(key), `one tuple for each first register and count (${nameOf[i]})`);
    tuples.set(key, i);
    return true;
  });
  // Parts of registers that are no tuples: explicit.
  const oddParts = leaves.map((l, i) => [i, ...l] as number[]).filter((l) => l.length > 1 && !isTuple[l[0]!]);

  // The 16-bit halves of 32-bit registers.
  const halves = rows.map((r, i) => {
    if (i === 0 || leaves[i]!.length > 0) return [0, 0];
    const subs = r[9];
    const at = (want: number): number => {
      for (let k = 0; k < subs.length; k += 2) if (subs[k] === want) return subs[k + 1]!;
      return 0;
    };
    check(subs.length === 0 || (subs.length === 4 && at(1) > 0 && at(2) > 0), `halves of ${nameOf[i]}`);
    return [at(2), at(1)];
  });
  // Sub-registers by rule: index -> (position, size).
  const patterns = new Pool<number[]>();
  const patternOf = rows.map((r, i) => {
    if (i === 0) return patterns.add([]);
    const subs = r[9];
    const list: number[] = [];
    for (let k = 0; k < subs.length; k += 2) {
      const [, off, size] = idx[subs[k]!]!;
      list.push(subs[k]!);
      const l = leaves[i]!;
      let sub: number | undefined;
      if (size === 16) sub = halves[l.length ? l[off >> 5]! : i]![(off >> 4) & 1];
      else if (size === 32) sub = l[off >> 5];
      else sub = tuples.get(`${l[off >> 5]!},${size >> 5}`);
      check(sub === subs[k + 1], `sub-register ${idx[subs[k]!]![0]} of ${nameOf[i]}`);
    }
    return patterns.add(list);
  });

  // Units.
  const unitRanges = rows.map((r, i) => (i === 0 ? [] : typeof r[3] === 'number' ? [r[3], r[4]] : [...r[3]]));
  const simple = unitRanges.map((u) => u.length <= 2);
  const odd = unitRanges.flatMap((u, i) => (simple[i] ? [] : [[i, ...u]]));

  // Assembler names: of tuples by rule, others as runs.
  const asmRuns: [string, number][] = [];
  const asmOdd: [string, number][] = [];
  const letter = (leaf: number): [string, number] => {
    const m = /^([a-z]+)(\d+)$/.exec(rows[leaf]![7]);
    return m ? [m[1]!, Number(m[2]!)] : ['', 0];
  };
  rows.forEach((r, i) => {
    if (i === 0) return;
    if (!isTuple[i]) {
      asmRuns.push([r[7], i]);
      return;
    }
    const [p, first] = letter(leaves[i]![0]!);
    if (p === '' || r[7] !== `${p}[${first}:${first + leaves[i]!.length - 1}]`) asmOdd.push([r[7], i]);
  });

  const units = f.reg_units.rows;
  units.forEach((u) => check(u[0] === u[2].map((r) => nameOf[r]!).join('~'), `name of unit ${u[0]}`));
  const setPool = new Pool<readonly number[]>();
  const setOf = units.map((u) => setPool.add(u[3]));
  const named = nameOf.map((n, i) => [n, i] as const).filter(([, i]) => i > 0 && rows[i]![0] !== 0);
  const registers = [
    uint(rows.length),
    packNameRuns(named),
    ints(leaves.map((l, i) => (isTuple[i] ? l[0]! : 0))),
    ints(leaves.map((l, i) => (isTuple[i] ? l.length : 0))),
    lists(oddParts),
    ints(halves.map((h) => h[0]!)),
    ints(halves.map((h) => h[1]!)),
    ints(patternOf),
    lists(patterns.items),
    ints(rows.map((r) => r[1] ?? 0)),
    ints(rows.map((r) => r[2] ?? 0)),
    ints(unitRanges.map((u, i) => (simple[i] ? (u[0] ?? 0) : 0))),
    ints(unitRanges.map((u, i) => (simple[i] ? (u[1] ?? 0) : 0))),
    lists(odd),
    ints(rows.map((r) => r[5] ?? 0)),
    lists(f.regs.lane_lists.map((l) => l.map(lo32))),
    lists(f.regs.lane_lists.map((l) => l.map(hi32))),
  ];
  const asm = [packNameRuns(asmRuns), packNameRuns(asmOdd)];
  const regUnits = [
    lists(units.map((u) => u[2])),
    ints(units.map((u) => u[1])),
    ints(setOf),
    lists(setPool.items),
  ];
  const subRegIndices = [
    strings(idx.slice(1).map((r) => r[0])),
    ints(idx.map((r) => r[1])),
    ints(idx.map((r) => r[2])),
    ints(idx.map((r) => lo32(r[3]))),
    ints(idx.map((r) => hi32(r[3]))),
  ];
  return {
    REGISTERS: registers.join(''),
    REG_ASM_NAMES: asm.join(''),
    REG_UNITS: regUnits.join(''),
    SUB_REG_INDICES: subRegIndices.join(''),
    COMPOSE: packCompose(f),
    MINIMAL_CLASSES: ints(minimalClasses(f)),
    REG_MASKS: strings(Object.keys(f.reg_masks)) + lists(Object.values(f.reg_masks)),
  };
}

/** For each register the smallest class that holds it: the last of a chain of sub-classes in order of ids. */
function minimalClasses(f: Facts): number[] {
  const res = f.regs.rows.map(() => -1);
  for (const c of f.classes) {
    for (const r of expand(c.regs)) {
      const best = res[r]!;
      if (best < 0 || expand(f.classes[best]!.sub_classes).includes(c.id)) res[r] = c.id;
    }
  }
  return res;
}

/** The composition table as differences from its second argument, which is also what LLVM's table does. */
function packCompose(f: Facts): string {
  const n = f.sub_reg_indices.rows.length;
  const rows = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (const [a, b, c] of f.sub_reg_indices.compose) rows[a]![b] = c;
  const pool = new Pool<number[]>();
  const rowOf = rows.map((r) => pool.add(r));
  return ints(rowOf) + uint(pool.items.length) + ints(pool.items.flat());
}

// ---- register classes ---------------------------------------------------------------------------------------

function packClasses(f: Facts): Record<string, string> {
  const cs = f.classes;
  cs.forEach((c, i) => check(c.id === i, 'classes are numbered'));
  const flags = cs.map(
    (c) =>
      Number(c.allocatable) |
      (Number(c.base_class) << 1) |
      (Number(c.global_priority) << 2) |
      (Number(c.disjunct_sub_regs) << 3) |
      (Number(c.covered_by_sub_regs) << 4),
  );
  const setPool = new Pool<readonly number[]>();
  const setOf = cs.map((c) => setPool.add(c.pressure_sets));
  const idxPool = new Pool<number[]>();
  const idxOf = cs.map((c) => idxPool.add(c.sub_reg_classes.map((x) => x[0])));
  const classes = [
    strings(cs.map((c) => c.name)),
    lists(cs.map((c) => c.regs)),
    ints(cs.map((c) => c.bits)),
    ints(cs.map((c) => c.spill_size)),
    ints(cs.map((c) => (c.spill_align > 0 && c.spill_align < 65536 ? c.spill_align : 0))),
    ints(cs.map((c) => c.copy_cost)),
    ints(flags),
    ints(cs.map((c) => c.ts_flags)),
    ints(cs.map((c) => c.alloc_priority)),
    ints(cs.map((c) => lo32(c.lanes))),
    ints(cs.map((c) => hi32(c.lanes))),
    ints(cs.map((c) => c.weight)),
    ints(cs.map((c) => c.weight_limit)),
    ints(cs.map((c) => c.gcn_kind)),
    ints(setOf),
    lists(setPool.items),
    lists(cs.map((c) => c.sub_classes)),
    lists(cs.map((c) => c.super_classes)),
    lists(cs.map((c) => c.super_reg_indices)),
    lists(cs.map((c) => c.alloc_order ?? [])),
    strings(f.pressure_sets.names),
  ];
  const subRegClasses = [
    ints(idxOf),
    lists(idxPool.items),
    ints(cs.flatMap((c) => c.sub_reg_classes.map((x) => x[1]))),
    ints(cs.flatMap((c) => c.sub_reg_classes.map((x) => (x[2] === c.id ? -1 : x[2] < 0 ? -2 : x[2])))),
  ];
  return { CLASSES: classes.join(''), SUB_REG_CLASSES: subRegClasses.join('') };
}

// ---- output -------------------------------------------------------------------------------------------------

const here = dirname(fileURLToPath(import.meta.url));
const [factsPath, outDir = join(here, '../../src/target/generated')] = process.argv.slice(2);
if (factsPath === undefined) throw new Error('usage: pack.ts FACTS.json [OUTDIR]');
const facts = JSON.parse(readFileSync(factsPath, 'utf8')) as Facts;
mkdirSync(outDir, { recursive: true });

let total = 0;
let totalGz = 0;
function write(file: string, what: string, parts: Record<string, string>): void {
  let text = `/**\n * ${what}\n *\n * Made by \`npm run gen\` from LLVM ${facts.llvm}; do not edit. Read by ../packed.ts.\n */\n`;
  for (const [name, value] of Object.entries(parts)) {
    check(!/["\\\n]/.test(value), 'packed text needs no escapes');
    text += `export const ${name} =\n  "${value}";\n`;
  }
  const path = join(outDir, file);
  writeFileSync(path, text);
  const gz = gzipSync(text).length;
  total += statSync(path).size;
  totalGz += gz;
  console.log(`${file}: ${text.length} bytes, ${gz} gzipped`);
}

const instrs = packInstrs(facts);
write('opcodes.ts', 'Opcode names and descriptors.', {
  LLVM_VERSION: facts.llvm,
  OPCODE_NAMES: instrs.names,
  OPCODES: instrs.columns,
});
write('registers.ts', 'Registers, register units, sub-register indices, register masks.', packRegs(facts));
write('classes.ts', 'Register classes.', packClasses(facts));
console.log(`total: ${total} bytes, ${totalGz} gzipped`);
