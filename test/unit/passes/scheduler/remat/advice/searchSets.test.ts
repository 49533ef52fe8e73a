/** The search for the smallest set of rematerializations, against every set of few options; its bounds; and the order among equals. */
import assert from 'node:assert/strict';
import { newPressure } from '../../../../../../server/src/analysis/gcnPressure.js';
import { reportOccupancy } from '../../../../../../server/src/analysis/summary.js';
import { computeFunctionLimits, type FunctionLimits } from '../../../../../../server/src/analysis/functionLimits.js';
import {
  RematSearchState,
  type RematDelta,
  type RematPressureModel,
} from '../../../../../../server/src/passes/scheduler/remat/advice/pressureModel.js';
import {
  reachOccupancy,
  type ReachResult,
  type SearchOption,
} from '../../../../../../server/src/passes/scheduler/remat/advice/search.js';
import { RegKind } from '../../../../../../server/src/target/api.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../../../../../server/src/util/cancellation.js';
import { lowerMir, mirFunction } from '../../../../../support/mir.js';
import { randomSource } from '../../../../../support/random.js';

const limitsOf = (cpu: string): FunctionLimits =>
  computeFunctionLimits(lowerMir(mirFunction('f', '  bb.0:\n    S_ENDPGM 0\n'), { cpu })[0]!);

interface Option {
  readonly vreg: number;
  readonly kind: RegKind;
  readonly registers: number;
  /** places [from, to] that it frees */
  readonly frees: readonly (readonly [from: number, to: number])[];
  /** places where a copy of it comes to live */
  readonly adds?: readonly (readonly [from: number, to: number])[];
  readonly isFirst?: boolean;
  readonly reads?: readonly number[];
  readonly cost?: number;
}

/** `pressure` by kind and place, the same before and after each. */
class Case {
  private readonly columns: readonly Int32Array[];
  private readonly options: readonly SearchOption[];

  constructor(
    private readonly limits: FunctionLimits,
    pressure: readonly (readonly number[])[],
    own: readonly Option[],
  ) {
    this.columns = pressure.map((c) => Int32Array.from(c));
    this.options = own.map((o): SearchOption => {
      const runs = [
        ...o.frees.map(([from, to]) => ({ from, to, registers: o.registers })),
        ...(o.adds ?? []).map(([from, to]) => ({ from, to, registers: -o.registers })),
      ];
      const { kind, registers } = o;
      const delta: RematDelta = { def: o.vreg, kind, registers, before: runs, after: runs, copies: [] };
      const candidate = { vreg: o.vreg, def: o.vreg, defRegion: 0, groups: [], kept: [] };
      const reads = new Set(o.reads ?? []);
      return { choice: { candidate, groups: [] }, isFirst: o.isFirst !== false, delta, reads, cost: o.cost ?? 0 };
    });
  }

  reach(target: number, token: CancellationToken = NEVER_CANCELLED): ReachResult {
    const none = this.columns.map((c) => c.map(() => 0));
    const { length } = this.columns[0]!;
    const startSearch = (deltas: readonly RematDelta[]): RematSearchState =>
      new RematSearchState(this.columns, this.columns, none, length, deltas);
    return reachOccupancy({ startSearch } as RematPressureModel, this.limits, target, this.options, token);
  }

  /** The options of a result, by number. */
  chosen(r: ReachResult): number[] {
    return r.kind === 'found' ? r.choices.map((c) => this.options.findIndex((o) => o.choice === c)) : [];
  }

  max(taken: readonly number[], onlyFreeing = false): Int32Array {
    const max = newPressure();
    this.columns.forEach((c, k) => {
      c.forEach((n, p) => {
        let left = n;
        for (const t of taken) {
          const { delta } = this.options[t]!;
          if (delta.kind !== k) continue;
          for (const r of delta.before)
            if (r.from <= p && p <= r.to && (!onlyFreeing || r.registers > 0)) left -= r.registers;
        }
        max[k] = Math.max(max[k]!, left);
      });
    });
    return max;
  }

  occupancy(taken: readonly number[], onlyFreeing = false): number {
    return reportOccupancy(this.max(taken, onlyFreeing), this.limits).occupancy;
  }

  isAllowed(taken: readonly number[]): boolean {
    return taken.every((a, k) =>
      taken.slice(k + 1).every((b) => {
        const [x, y] = [this.options[a]!, this.options[b]!];
        const [v, w] = [x.choice.candidate.vreg, y.choice.candidate.vreg];
        return v !== w && !x.reads.has(w) && !y.reads.has(v);
      }),
    );
  }

  /** Size of the smallest set of options that reaches the occupancy. */
  smallest(target: number): number {
    let best = Infinity;
    for (let mask = 0; mask < 1 << this.options.length; mask++) {
      const set = this.options.map((_, k) => k).filter((k) => ((mask >> k) & 1) !== 0);
      if (set.length < best && this.isAllowed(set) && this.occupancy(set) >= target) best = set.length;
    }
    return best;
  }

  get firsts(): number[] {
    return this.options.flatMap((o, k) => (o.isFirst ? [k] : []));
  }
}

const PLACES = 5;
const CPUS = { gfx908: limitsOf('gfx908'), gfx90a: limitsOf('gfx90a') };

/** Options of one to three registers here and there; pressure above what the most waves allow by some of what they free. */
function randomCase(seed: number): { made: Case; target: number } {
  const rnd = randomSource(seed);
  const cpu = rnd(3) === 0 ? 'gfx90a' : 'gfx908';
  const kinds = [[1], [1], [0], [2], [1, 2], [1, 3], [0, 1]][rnd(7)]!;
  const run = (): [number, number] => {
    const from = rnd(PLACES);
    return [from, from + rnd(PLACES - from)];
  };
  const own: Option[] = [];
  for (let vreg = 0; vreg < 4 + (seed % 3); vreg++) {
    const kind = kinds[rnd(kinds.length)]! as RegKind;
    const registers = 1 + rnd(rnd(3) + 1);
    const reads = rnd(4) === 0 ? [rnd(6)] : [];
    const main = run();
    const adds = rnd(3) === 0 ? [run()] : [];
    // one that frees the most is there for each register; another that adds nothing, where that adds
    own.push({ vreg, kind, registers, frees: [main], adds, reads, cost: rnd(3) });
    if (adds.length > 0 && rnd(2) === 0) {
      const to = main[0] + rnd(main[1] - main[0] + 1);
      own.push({ vreg, kind, registers, frees: [[main[0], to]], reads, cost: rnd(3), isFirst: false });
    }
  }
  // ten waves of gfx908 have 24 VGPRs and 24 AGPRs each, eight of gfx90a 64 of both; 80 SGPRs and 100
  const most = (k: number): number =>
    k === 0
      ? cpu === 'gfx908'
        ? 80
        : 100
      : cpu === 'gfx90a'
        ? kinds.length > 1
          ? 32
          : 64
        : k === 3
          ? 8
          : kinds.includes(3)
            ? 16
            : 24;
  const freedAt = (k: number, p: number): number =>
    own.reduce(
      (n, o) =>
        n + (o.kind === k && o.isFirst !== false && o.frees.some(([a, z]) => a <= p && p <= z) ? o.registers : 0),
      0,
    );
  const pressure = Array.from({ length: 4 }, (_, k) =>
    Array.from({ length: PLACES }, (__, p) =>
      kinds.includes(k) ? most(k) - rnd(3) + rnd(freedAt(k, p) + 1 + (rnd(12) === 0 ? 4 : 0)) : 0,
    ),
  );
  const made = new Case(CPUS[cpu], pressure, own);
  return { made, target: cpu === 'gfx908' ? 10 : 8 };
}

describe('the smallest set of options for an occupancy', () => {
  for (let first = 1; first <= 400; first += 50)
    it(`is none larger than the smallest of all sets, from seed ${first} on`, () => {
      const kinds = new Map<string, number>();
      for (let seed = first; seed < first + 50; seed++) {
        const { made, target } = randomCase(seed);
        const best = made.smallest(target);
        const result = made.reach(target);
        kinds.set(result.kind, (kinds.get(result.kind) ?? 0) + 1);
        const what = `seed ${seed}`;
        const lowest = made.occupancy(made.firsts, true);
        if (result.kind === 'found') {
          const set = made.chosen(result);
          assert.deepEqual([result.isSmallest, set.length, new Set(set).size], [true, best, best], what);
          assert.ok(made.isAllowed(set) && made.occupancy(set) >= target, what);
        } else assert.deepEqual([best, result.kind], [Infinity, lowest < target ? 'impossible' : 'none'], what);
        if (result.kind !== 'impossible') continue;
        assert.ok(lowest < target, what);
        const max = made.max(made.firsts, true)[result.registerKind]!;
        assert.ok(max > 0 && result.place >= 0 && result.place < PLACES, what);
      }
      assert.ok(kinds.size === 3, JSON.stringify([...kinds]));
    });

  const V = RegKind.VGPR;
  const option = (vreg: number, rest: Partial<Option> = {}): Option => ({
    vreg,
    kind: V,
    registers: 1,
    frees: [[0, 0]],
    ...rest,
  });
  /** One place with so many VGPRs; 24 are the most for ten waves. */
  const atOnePlace = (vgprs: number, own: readonly Option[]): Case =>
    new Case(CPUS.gfx908, [[0], [vgprs], [0], [0]], own);
  const many = (n: number, rest: Partial<Option> = {}): Option[] =>
    Array.from({ length: n }, (_, k) => option(k, rest));

  it('has the widest register first, then what costs least, then the first', () => {
    const pick = (own: readonly Option[]): number[] => {
      const made = atOnePlace(25, own);
      return made.chosen(made.reach(10));
    };
    assert.deepEqual(pick([option(0), option(1), option(2)]), [0]);
    assert.deepEqual(pick([option(0, { cost: 2 }), option(1, { cost: 1 }), option(2, { cost: 1 })]), [1]);
    assert.deepEqual(pick([option(0), option(1, { registers: 2, cost: 9 }), option(2)]), [1]);
    assert.deepEqual(pick([option(0, { frees: [] }), option(1, { kind: RegKind.AGPR }), option(2)]), [2]);
    // two narrow ones where none alone is wide enough
    const two = atOnePlace(27, [option(0), option(1, { registers: 2 }), option(2, { cost: 1 })]);
    assert.deepEqual(two.chosen(two.reach(10)), [1, 0]);
  });

  it('is found among many where too few are told from their width alone', () => {
    // every twelve of sixty would do, no eleven
    const made = atOnePlace(36, many(60));
    const result = made.reach(10);
    assert.deepEqual([result.kind === 'found' && result.isSmallest, made.chosen(result).length], [true, 12]);
    const scalar = new Case(CPUS.gfx908, [[92], [0], [0], [0]], many(60, { kind: RegKind.SGPR }));
    const s = scalar.reach(10);
    assert.deepEqual([s.kind === 'found' && s.isSmallest, scalar.chosen(s).length], [true, 12]);
    const wide = atOnePlace(36, many(60, { registers: 3 }));
    const w = wide.reach(10);
    assert.deepEqual([w.kind === 'found' && w.isSmallest, wide.chosen(w).length], [true, 4]);
  });

  it('is looked for up to 24 registers; larger sets are those that take the most each time', () => {
    for (const [n, isSmallest] of [
      [24, true],
      [25, true],
      [26, false],
      [30, false],
    ] as const) {
      const made = atOnePlace(24 + n, many(n));
      const result = made.reach(10);
      assert.equal(result.kind, 'found');
      assert.deepEqual([result.kind === 'found' && result.isSmallest, made.chosen(result).length], [isSmallest, n]);
    }
  });

  it('is none, or not known, where options exclude each other', () => {
    // each reads the one before it: no two neighbours go together, and three are needed of four
    const chain = (n: number): Option[] =>
      Array.from({ length: n }, (_, k) => option(k, { reads: k === 0 ? [] : [k - 1] }));
    assert.deepEqual(atOnePlace(27, chain(4)).reach(10), { kind: 'none' });
    const five = atOnePlace(27, chain(5));
    assert.deepEqual(five.chosen(five.reach(10)), [0, 2, 4]);
    const reversed = atOnePlace(
      27,
      chain(5).map((o, k) => ({ ...o, reads: k === 4 ? [] : [k + 1] })),
    );
    assert.deepEqual(reversed.chosen(reversed.reach(10)), [0, 2, 4]);
    // of one register one choice of places only; with more than 24 options larger sets are not tried
    const same = (n: number): Option[] =>
      Array.from({ length: n }, (_, k) => option(k === 0 ? 1 : 0, { isFirst: k < 2 }));
    assert.deepEqual(atOnePlace(26, same(2)).reach(10).kind, 'found');
    const alike = (n: number): Option[] =>
      Array.from({ length: n }, (_, k) => option(k, { reads: many(n).map((o) => o.vreg) }));
    assert.deepEqual(atOnePlace(26, alike(24)).reach(10), { kind: 'none' });
    assert.deepEqual(atOnePlace(26, alike(25)).reach(10), { kind: 'gave up' });
  });

  it('says where it is impossible, and by which registers', () => {
    const at = (pressure: readonly (readonly number[])[], own: readonly Option[], limits = CPUS.gfx908): ReachResult =>
      new Case(limits, pressure, own).reach(10);
    assert.deepEqual(at([[0, 0], [20, 26], [0, 0], [0, 0]], [option(0)]), { kind: 'impossible', place: 1, registerKind: V }); // prettier-ignore
    assert.deepEqual(at([[0, 0], [25, 24], [0, 0], [0, 0]], []), { kind: 'impossible', place: 0, registerKind: V }); // prettier-ignore
    assert.deepEqual(at([[70, 82], [25, 24], [0, 0], [0, 0]], []), { kind: 'impossible', place: 1, registerKind: RegKind.SGPR }); // prettier-ignore
    assert.deepEqual(at([[0, 0], [20, 20], [1, 26], [0, 0]], []), { kind: 'impossible', place: 1, registerKind: RegKind.AGPR }); // prettier-ignore
    assert.deepEqual(at([[0, 0], [0, 0], [0, 0], [20, 26]], []), { kind: 'impossible', place: 1, registerKind: RegKind.AVGPR }); // prettier-ignore
  });

  it('ends when it is cancelled, with what it has', () => {
    const after = (n: number): CancellationToken => {
      let asked = 0;
      return { isCancelled: () => asked++ >= n };
    };
    // two are needed, none alone does it, and the widest is of no use
    const own = [option(0), option(1), option(2)];
    const made = atOnePlace(26, own);
    assert.deepEqual(made.reach(10, after(0)), { kind: 'gave up' });
    const whole = made.reach(10, after(1000));
    assert.deepEqual([whole.kind === 'found' && whole.isSmallest, made.chosen(whole)], [true, [0, 1]]);
    const early = made.reach(10, after(2));
    assert.deepEqual([early.kind === 'found' && early.isSmallest, made.chosen(early)], [false, [0, 1]]);
  });
});
