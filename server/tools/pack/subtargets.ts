/** Packs features, processors and what depends on them. */
import { ints, lists, pieces, string, strings, uint } from './encode.js';
import type { Facts, StateFacts } from './facts.js';
import { check } from './check.js';

/** The readers choose the class-by-mode table by these features; compared with all states. */
function packModeTables(f: Facts): string {
  const name = (i: number): string => f.features[i]![0];
  const key = (s: StateFacts): string => {
    const on = new Set(s.on.map(name));
    const kind = on.has('gfx90a-insts') ? 2 : on.has('gfx1250-insts') && !on.has('gfx13-insts') ? 1 : 0;
    return `${kind} ${on.has('wavefrontsize32') ? 1 : 0}`;
  };
  const tableOf = new Map<string, number>();
  for (const s of f.states) {
    const k = key(s);
    check((tableOf.get(k) ?? s.mode_table) === s.mode_table, `class-by-mode table of ${s.cpu}${s.fs}`);
    tableOf.set(k, s.mode_table);
  }
  const order = ['0 0', '0 1', '1 0', '1 1', '2 0', '2 1'].map((k) => {
    check(tableOf.has(k), `a state of kind ${k}`);
    return tableOf.get(k)!;
  });
  return ints(order) + lists(f.mode_tables);
}

/** Tables of the encoded opcode, each as its own numbers or as differences from the earlier one that fits best. */
function packEncodings(f: Facts): string {
  const opcodes = f.encoding_tables[0]!.filter((_, i) => i % 2 === 0);
  const tables = f.encoding_tables.map((t) => t.filter((_, i) => i % 2 === 1));
  const parts = tables.map((to, n) => {
    check(
      f.encoding_tables[n]!.filter((_, i) => i % 2 === 0).every((v, i) => v === opcodes[i]),
      'the same opcodes have an encoding of another number on all processors',
    );
    let best = uint(0) + ints(to);
    for (let base = 0; base < n; base++) {
      const text = uint(base + 1) + ints(to.map((v, i) => v - tables[base]![i]!));
      if (text.length < best.length) best = text;
    }
    return best;
  });
  return pieces([ints(opcodes), ...parts]);
}

/** By processor ("" first): the number that its states have, with 64 and with 32 lanes. */
function byWave(f: Facts, cpus: readonly string[], what: (s: StateFacts) => number): string {
  const wave32 = f.features.findIndex((x) => x[0] === 'wavefrontsize32');
  const of = (cpu: string, lanes: 32 | 64): number => {
    const all = f.states.filter((s) => s.cpu === cpu);
    const fit = all.filter((s) => s.on.includes(wave32) === (lanes === 32));
    check(
      fit.every((s) => what(s) === what(fit[0]!)),
      `other features do not matter for the encodings of ${cpu}`,
    );
    return what((fit.length > 0 ? fit : all)[0]!);
  };
  return ints(cpus.map((c) => of(c, 64))) + ints(cpus.map((c) => of(c, 32)));
}

/** FEATURES, FEATURE_TEXTS, CPUS, MODE_TABLES, ENCODINGS, CONVENTIONS. */
export function packSubtargets(f: Facts): Record<string, string> {
  const cpus = ['', ...f.cpus.map((c) => c[0])];
  check(
    f.cpus.every((c) => c[2].length === 0),
    'no processor has tuning features',
  );
  check(
    f.order_tables.length === 1 && f.order_tables[0]!.length === 0,
    'allocation orders are the members on all processors',
  );
  const gfx90a = f.features.findIndex((x) => x[0] === 'gfx90a-insts');
  const conventionOf = [0, 1].map((on) => {
    const fit = f.states.filter((s) => s.on.includes(gfx90a) === (on === 1));
    check(
      fit.length > 0 && fit.every((s) => s.conventions === fit[0]!.conventions),
      'calling conventions depend on gfx90a-insts alone',
    );
    return fit[0]!.conventions;
  });
  const texts = f.features.map((x) => x[1]);
  check(!texts.some((t) => t.includes('~')), 'no feature text holds a ~');
  return {
    FEATURES: strings(f.features.map((x) => x[0])) + lists(f.features.map((x) => x[2])),
    FEATURE_TEXTS: string(texts.join('~')),
    CPUS:
      strings(f.cpus.map((c) => c[0])) +
      lists(f.cpus.map((c) => c[1])) +
      ints([f.default_sched_model, ...f.cpus.map((c) => c[3])]) +
      byWave(f, cpus, (s) => s.encodings),
    MODE_TABLES: packModeTables(f),
    ENCODINGS: packEncodings(f),
    CONVENTIONS:
      lists(f.reg_lists) + ints(conventionOf) + lists(f.convention_tables.map((t) => t.flatMap((row) => [...row]))),
  };
}
