/** Packs registers, units, sub-register indices and register masks. */
import { hashRange, patternHash } from '../../src/target/nameIndex.js';
import { makeSlots } from './slots.js';
import { ints, lists, Pool, strings, uint } from './encode.js';
import { hi32, lo32, type Facts } from './facts.js';
import { check } from './check.js';

/** A name with its first number replaced by `#`, and that number (-1: no number). */
function pattern(name: string): [string, number] {
  const m = /^(\D*)(0|[1-9]\d*)(.*)$/.exec(name);
  return m ? [`${m[1]!}#${m[3]!}`, Number(m[2]!)] : [name, -1];
}

/** Hash slots over the texts of `packNameRuns`, in lower case as MIR spells registers. */
function patternSlots(texts: readonly string[]): string {
  return ints(
    makeSlots(
      texts.map((text) => {
        const t = text.toLowerCase();
        const hole = t.indexOf('#');
        return hole < 0
          ? patternHash(t, 0, t.length, t.length, t.length, -1)
          : patternHash(t, 0, hole, hole + 1, t.length, 0);
      }),
    ),
  );
}

/** Runs of names `PREFIX n SUFFIX` with rising n and id: texts and [text, first number, first id, count]. */
function packNameRuns(all: readonly (readonly [string, number])[], withSlots = false): string {
  const texts = new Pool<string>();
  const runs: number[][] = [];
  for (const [name, id] of all) {
    const [text, number] = pattern(name);
    const t = texts.add(text);
    const last = runs[runs.length - 1];
    if (last && number >= 0 && last[0] === t && last[1]! + last[3]! === number && last[2]! + last[3]! === id)
      last[3]!++;
    else runs.push([t, number, id, 1]);
  }
  const columns = strings(texts.items) + [0, 1, 2, 3].map((k) => ints(runs.map((r) => r[k]!))).join('');
  return columns + (withSlots ? patternSlots(texts.items) : '');
}

/** The 32-bit parts of each register, lowest first. */
function findLeaves(f: Facts): number[][] {
  const idx = f.sub_reg_indices.rows;
  return f.regs.rows.map((r) => {
    const parts: [number, number][] = [];
    for (let k = 0; k < r[6].length; k += 2)
      if (idx[r[6][k]!]![2] === 32) parts.push([idx[r[6][k]!]![1], r[6][k + 1]!]);
    return parts.sort((a, b) => a[0] - b[0]).map((p) => p[1]);
  });
}

/** The register tables, split by how soon they are needed. Index 0 of all columns is `$noreg`. */
export function packRegs(f: Facts): Record<string, string> {
  const rows = [undefined, ...f.regs.rows];
  const idx = f.sub_reg_indices.rows;
  const leaves = [[], ...findLeaves(f)];
  const nameOf = rows.map((r) => r?.[0] ?? '');

  // Tuples of consecutive registers: found again by (first, count).
  const tuples = new Map<string, number>();
  const isTuple = leaves.map((l, i) => {
    if (l.length < 2 || l.some((x, k) => x !== l[0]! + k)) return false;
    const key = `${l[0]!},${l.length}`;
    check(!tuples.has(key), `one tuple for each first register and count (${nameOf[i]})`);
    tuples.set(key, i);
    return true;
  });
  const isNamed = leaves.map((l, i) => i > 0 && !(isTuple[i] && nameOf[i] === l.map((x) => nameOf[x]!).join('_')));
  // Parts of registers that are no tuples: explicit.
  const oddParts = leaves.map((l, i) => [i, ...l]).filter((l) => l.length > 1 && !isTuple[l[0]!]);
  const oddByParts = new Map(oddParts.map(([reg, ...parts]) => [parts.join(), reg!]));

  // The 16-bit halves of 32-bit registers.
  const halves = rows.map((r, i) => {
    if (!r || leaves[i]!.length > 0) return [0, 0];
    const at = (want: number): number => {
      for (let k = 0; k < r[6].length; k += 2) if (r[6][k] === want) return r[6][k + 1]!;
      return 0;
    };
    check(r[6].length === 0 || (r[6].length === 4 && at(1) > 0 && at(2) > 0), `halves of ${nameOf[i]}`);
    return [at(2), at(1)];
  });
  /** The register that consists of these: a tuple, or one that is none. */
  const partsAt = (parts: readonly number[]): number | undefined =>
    parts.every((x, k) => x === parts[0]! + k)
      ? tuples.get(`${parts[0]!},${parts.length}`)
      : oddByParts.get(parts.join());
  // Sub-registers by rule: index -> (position, size).
  const patterns = new Pool<number[]>();
  const patternOf = rows.map((r, i) => {
    const list: number[] = [];
    const subs = r?.[6] ?? [];
    for (let k = 0; k < subs.length; k += 2) {
      const [, off, size] = idx[subs[k]!]!;
      list.push(subs[k]!);
      const l = leaves[i]!;
      let sub: number | undefined;
      if (size === 16) sub = halves[l.length ? l[off >> 5]! : i]![(off >> 4) & 1];
      else if (size === 32) sub = l[off >> 5];
      else sub = partsAt(l.slice(off >> 5, (off + size) >> 5));
      check(sub === subs[k + 1], `sub-register ${idx[subs[k]!]![0]} of ${nameOf[i]}`);
    }
    return patterns.add(list);
  });
  // Super-registers: the 32-bit register of a half first, the others in ascending order. Wide registers with names of their own (LLVM 24's
  // SGPR76_1024, which ends in VCC) have low numbers and stand elsewhere in LLVM's lists; nobody goes by the order there.
  const isWide = (reg: number): boolean => leaves[reg]!.length > 2 && !isTuple[reg];
  for (const [reg, first, ...others] of f.regs.super_regs_unordered) {
    if (others.some(isWide)) continue;
    check(halves[first!]!.includes(reg!), `first super-register of ${nameOf[reg!]}`);
    check(
      others.every((r, i) => i === 0 || others[i - 1]! < r),
      `super-registers of ${nameOf[reg!]}`,
    );
  }

  const units = rows.map((r) => r?.[3] ?? []);
  const simple = units.map((u) => u.length <= 2);
  const odd = units.flatMap((u, i) => (simple[i] ? [] : [[i, ...u]]));

  // Assembler names: of tuples and of wide registers by rule, others as runs.
  const asmRuns: [string, number][] = [];
  const asmOdd: [string, number][] = [];
  rows.forEach((r, i) => {
    if (!r) return;
    if (isWide(i) && r[5] === `[${leaves[i]!.map((x) => rows[x]![5]).join()}]`) return;
    if (!isTuple[i]) {
      asmRuns.push([r[5], i]);
      return;
    }
    const m = /^([a-z]+)(\d+)$/.exec(rows[leaves[i]![0]!]![5]);
    const first = Number(m?.[2]);
    if (!m || r[5] !== `${m[1]!}[${first}:${first + leaves[i]!.length - 1}]`) asmOdd.push([r[5], i]);
  });

  f.reg_units.forEach((u) => check(u[0] === u[2].map((r) => nameOf[r]!).join('~'), `name of unit ${u[0]}`));
  const setPool = new Pool<readonly number[]>();
  const setOf = f.reg_units.map((u) => setPool.add(u[3]));
  // Runs of registers whose facts are equal or rise by a constant.
  const equal = rows.map((r, i) => [
    isTuple[i] ? leaves[i]!.length : 0,
    patternOf[i]!,
    r?.[2] ?? 0,
    simple[i] ? (units[i]![1] ?? 0) : 0,
    r?.[4] ?? 0,
  ]);
  const rising = rows.map((r, i) => [
    isTuple[i] ? leaves[i]![0]! : 0,
    simple[i] ? (units[i]![0] ?? 0) : 0,
    r?.[1] ?? 0,
    halves[i]![0]!,
    halves[i]![1]!,
  ]);
  const runs: { start: number; step: number[] }[] = [];
  for (let i = 0; i < rows.length;) {
    let end = i + 1;
    const same = (k: number): boolean => k < rows.length && equal[k]!.join() === equal[i]!.join();
    const step = same(end) ? rising[end]!.map((v, c) => v - rising[i]![c]!) : rising[i]!.map(() => 0);
    while (same(end) && rising[end]!.every((v, c) => v - rising[end - 1]![c]! === step[c]!)) end++;
    runs.push({ start: i, step });
    i = end;
  }
  check(runs.length < 1000, 'registers lie in few runs');
  const registers = [
    uint(rows.length),
    packNameRuns(
      nameOf.map((n, i) => [n, i] as const).filter(([, i]) => isNamed[i]),
      true,
    ),
    ints(runs.map((r) => r.start)),
    ...equal[0]!.map((_, c) => ints(runs.map((r) => equal[r.start]![c]!))),
    ...rising[0]!.flatMap((_, c) => [ints(runs.map((r) => rising[r.start]![c]!)), ints(runs.map((r) => r.step[c]!))]),
    lists(oddParts),
    lists(patterns.items),
    lists(odd),
    lists(f.regs.lane_lists.map((l) => l.map(lo32))),
    lists(f.regs.lane_lists.map((l) => l.map(hi32))),
  ];
  const regUnits = [
    lists(f.reg_units.map((u) => u[2])),
    ints(f.reg_units.map((u) => u[1])),
    ints(setOf),
    lists(setPool.items),
  ];
  const subRegIndices = [
    strings(idx.slice(1).map((r) => r[0])),
    ints(makeSlots(idx.map((r) => hashRange(r[0], 0, r[0].length)))),
    ints(idx.map((r) => r[1])),
    ints(idx.map((r) => r[2])),
    ints(idx.map((r) => lo32(r[3]))),
    ints(idx.map((r) => hi32(r[3]))),
  ];
  return {
    REGISTERS: registers.join(''),
    REG_ASM_NAMES: packNameRuns(asmRuns) + packNameRuns(asmOdd),
    REG_UNITS: regUnits.join(''),
    SUB_REG_INDICES: subRegIndices.join(''),
    COMPOSE: packCompose(f),
    MINIMAL_CLASSES: ints(rows.map((r) => r?.[7] ?? -1)),
    REG_MASKS: strings(Object.keys(f.reg_masks)) + lists(Object.values(f.reg_masks)),
  };
}

/** The composition table: rows are shared. */
function packCompose(f: Facts): string {
  const n = f.sub_reg_indices.rows.length;
  const pool = new Pool<number[]>();
  const rowOf = [pool.add(new Array<number>(n).fill(0)), ...f.sub_reg_indices.compose.map((r) => pool.add([0, ...r]))];
  return ints(rowOf) + ints(pool.items.flat());
}
