/** Packs register classes and banks. */
import { hashRange } from '../../src/target/nameIndex.js';
import { makeSlots } from './slots.js';
import { ints, lazyLists, lists, pieces, Pool, strings } from './encode.js';
import { expand, hi32, lo32, type Facts } from './facts.js';
import { check } from './check.js';

/**
 * The readers decide which classes project into class `b` (getMatchingSuperRegClass) by three conditions: `b` has the
 * index in its list, the sub-register class lies within `b`, and so do all sub-registers. Compared here with LLVM's
 * own bit masks.
 */
function checkProjections(f: Facts): void {
  const cs = f.classes;
  const nIndices = f.sub_reg_indices.rows.length;
  const subRegs = [new Map<number, number>()];
  for (const r of f.regs.rows) {
    const map = new Map<number, number>();
    for (let k = 0; k < r[6].length; k += 2) map.set(r[6][k]!, r[6][k + 1]!);
    subRegs.push(map);
  }
  const members = cs.map((c) => expand(c.regs));
  const memberSets = members.map((m) => new Set(m));
  const subClasses = cs.map((c) => new Set(expand(c.sub_classes)));
  const indices = cs.map((c) => new Set(c.projections.map((p) => p[0])));
  // Classes that hold a set of registers, by the set.
  const holders = new Map<string, number[]>();
  const rule = cs.map(() => new Map<number, number[]>());
  cs.forEach((c, id) => {
    for (const [idx, cls, sub] of c.sub_reg_classes) {
      if (sub !== id || cls < 0) continue;
      // A member without that part (LLVM 24's lds_direct) does not count.
      const set = [...new Set(members[id]!.flatMap((r) => subRegs[r]!.get(idx) ?? []))].sort((x, y) => x - y);
      const key = set.join();
      let held = holders.get(key);
      if (!held) {
        held = cs.flatMap((_, b) => (set.every((r) => memberSets[b]!.has(r)) ? [b] : []));
        holders.set(key, held);
      }
      for (const b of held) {
        if (!indices[b]!.has(idx) || !subClasses[b]!.has(cls)) continue;
        const list = rule[b]!.get(idx);
        if (list) list.push(id);
        else rule[b]!.set(idx, [id]);
      }
    }
  });
  cs.forEach((b, id) => {
    const facts = new Map(b.projections.map(([idx, classes]) => [idx, expand(classes)]));
    for (let idx = 1; idx < nIndices; idx++) {
      const got = rule[id]!.get(idx) ?? [];
      const fact = facts.get(idx) ?? [];
      check(got.length === fact.length && got.every((r, i) => r === fact[i]), `classes of index ${idx} in ${b.name}`);
    }
  });
}

/** Numbers as [first, count, step, ...]. */
function strided(values: readonly number[]): number[] {
  const res: number[] = [];
  for (let i = 0; i < values.length;) {
    let end = i + 1;
    const step = end < values.length ? values[end]! - values[i]! : 0;
    while (end < values.length && values[end]! - values[end - 1]! === step) end++;
    // A pair is no run: its second value may begin a better one.
    if (end - i === 2 && end < values.length) end = i + 1;
    res.push(values[i]!, end - i, end - i === 1 ? 0 : step);
    i = end;
  }
  return res;
}

/** CLASSES, CLASS_RELATIONS, SUB_REG_CLASSES. */
export function packClasses(f: Facts): Record<string, string> {
  checkProjections(f);
  const cs = f.classes;
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
    ints(
      makeSlots(
        cs.map((c) => {
          const name = c.name.toLowerCase();
          return hashRange(name, 0, name.length);
        }),
      ),
    ),
    lazyLists(cs.map((c) => strided(expand(c.regs)))),
    ints(cs.map((c) => c.bits)),
    ints(cs.map((c) => c.spill_size)),
    ints(cs.map((c) => c.spill_align)),
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
    strings(f.pressure_sets),
    strings(f.banks.map((b) => b[0])),
    lists(f.banks.map((b) => b[1])),
  ];
  const subRegClasses = [
    ints(idxOf),
    lists(idxPool.items),
    lazyLists(cs.map((c) => c.sub_reg_classes.map((x) => x[1]))),
    // -1: the class itself, -2: none
    lazyLists(cs.map((c, id) => c.sub_reg_classes.map((x) => (x[2] === id ? -1 : x[2] < 0 ? -2 : x[2])))),
  ];
  return {
    CLASSES: classes.join(''),
    CLASS_RELATIONS: pieces([
      lists(cs.map((c) => c.sub_classes)),
      lists(cs.map((c) => c.super_classes)),
      lazyLists(cs.map((c) => c.projections.map((p) => p[0]))),
    ]),
    SUB_REG_CLASSES: subRegClasses.join(''),
  };
}
