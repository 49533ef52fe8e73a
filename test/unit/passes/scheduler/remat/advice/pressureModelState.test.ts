/** The state of a search for rematerializations: pressure, its worst place and what an option frees there, against sums over all places. */
import assert from 'node:assert/strict';
import {
  RematSearchState,
  type RematDelta,
} from '../../../../../../server/src/passes/scheduler/remat/advice/pressureModel.js';
import { randomSource } from '../../../../../support/random.js';

const KINDS = 4;
const PLACES = 6;

type Rnd = (n: number) => number;
type Run = RematDelta['before'][number];

const columnsOf = (rnd: Rnd, most: number): Int32Array[] =>
  Array.from({ length: KINDS }, () => Int32Array.from({ length: PLACES }, () => rnd(most)));

function runsOf(rnd: Rnd): Run[] {
  return Array.from({ length: rnd(3) }, () => {
    const from = rnd(PLACES);
    return { from, to: from + rnd(PLACES - from), registers: rnd(5) - 2 };
  });
}

function deltaOf(rnd: Rnd, def: number): RematDelta {
  const copies = Array.from({ length: rnd(3) }, () => ({
    place: rnd(PLACES),
    live: rnd(3),
    dead: rnd(6) === 0 ? 9 : rnd(2),
  }));
  return { def, kind: rnd(KINDS), registers: 1 + rnd(3), before: runsOf(rnd), after: runsOf(rnd), copies };
}

const sumAt = (runs: readonly Run[], p: number): number =>
  runs.reduce((n, r) => n + (r.from <= p && p <= r.to ? r.registers : 0), 0);

interface State {
  readonly before: readonly Int32Array[];
  readonly after: readonly Int32Array[];
  readonly early: readonly Int32Array[];
}

/** Before and after each place with what is taken gone. */
function left({ before, after }: State, taken: readonly RematDelta[]): { before: number[][]; after: number[][] } {
  const of = (columns: readonly Int32Array[], runs: (d: RematDelta) => readonly Run[]): number[][] =>
    columns.map((c, k) =>
      [...c].map((n, p) => n - taken.reduce((s, d) => s + (d.kind === k ? sumAt(runs(d), p) : 0), 0)),
    );
  return { before: of(before, (d) => d.before), after: of(after, (d) => d.after) };
}

/** By kind: every pressure with its place and whether it is one before the instruction; those at copies come last. */
function all(
  state: State,
  taken: readonly RematDelta[],
): { n: number; p: number; front: boolean; isCopy: boolean }[][] {
  const now = left(state, taken);
  return Array.from({ length: KINDS }, (_, k) => {
    const rows = Array.from({ length: PLACES }, (_, p) => {
      const [b, a] = [now.before[k]![p]!, now.after[k]![p]!];
      return { n: Math.max(b, a), p, front: b >= a, isCopy: false };
    });
    for (const d of taken) {
      for (const c of d.copies) {
        if (c.dead === 0) continue;
        const behind = taken
          .filter((x) => x.def > d.def && x.kind === k)
          .flatMap((x) => x.copies)
          .filter((x) => x.place === c.place)
          .reduce((n, x) => n + x.live, 0);
        const n = now.before[k]![c.place]! - state.early[k]![c.place]! - behind + (d.kind === k ? c.dead : 0);
        rows.push({ n, p: c.place, front: true, isCopy: true });
      }
    }
    return rows;
  });
}

function check(state: State, taken: readonly RematDelta[], real: ReturnType<RematSearchState['measure']>): void {
  all(state, taken).forEach((rows, k) => {
    const max = Math.max(0, ...rows.map((r) => r.n));
    assert.equal(real.max[k], max);
    const best = rows.filter((r) => r.n === max && max > 0);
    const [first] = best;
    if (first === undefined) assert.deepEqual([real.place[k], real.isInFront[k]], [-1, false]);
    else if (!first.isCopy) assert.deepEqual([real.place[k], real.isInFront[k]], [first.p, first.front]);
    else assert.ok(best.some((r) => r.p === real.place[k]) && real.isInFront[k]);
  });
}

/** One copy of each register at a place, as the rules for places have it. */
const withOneCopyAPlace = (d: RematDelta): RematDelta => ({
  ...d,
  copies: d.copies.filter((c, k) => d.copies.findIndex((x) => x.place === c.place) === k),
});

describe('state of a search for rematerializations', () => {
  for (let first = 1; first <= 40; first += 10)
    it(`measures what the sums say, from seed ${first} on`, () => {
      for (let seed = first; seed < first + 10; seed++) {
        const rnd = randomSource(seed);
        const state = { before: columnsOf(rnd, 8), after: columnsOf(rnd, 8), early: columnsOf(rnd, 2) };
        const deltas = Array.from({ length: 5 }, (_, k) => withOneCopyAPlace(deltaOf(rnd, (k * 3) % 5)));
        const saved = state.before.map((c) => [...c]);
        const search = new RematSearchState(state.before, state.after, state.early, PLACES, deltas);
        const taken: number[] = [];
        const now = (): RematDelta[] => taken.map((k) => deltas[k]!);
        for (let step = 0; step < 30; step++) {
          const option = rnd(deltas.length);
          const at = taken.indexOf(option);
          search.apply(option, at < 0 ? 1 : -1);
          if (at < 0) taken.push(option);
          else taken.splice(at, 1);
          const real = search.measure();
          check(state, now(), real);
          for (let k = 0; k < KINDS; k++)
            deltas.forEach((d, n) => {
              const place = real.place[k]!;
              const runs = real.isInFront[k] ? d.before : d.after;
              const expected = d.kind !== k || place < 0 ? 0 : sumAt(runs, place);
              assert.equal(search.frees(n, k, real), expected);
            });
          const others = deltas.map((_, n) => n).filter((n) => !taken.includes(n));
          const only = (runs: readonly Run[]): Run[] => runs.filter((r) => r.registers > 0);
          const free = others.map((n) => {
            const d = deltas[n]!;
            return { ...d, before: only(d.before), after: only(d.after), copies: [] };
          });
          const rest = left(state, now());
          const toColumns = (rows: number[][]): Int32Array[] => rows.map((r) => Int32Array.from(r));
          check(
            { before: toColumns(rest.before), after: toColumns(rest.after), early: state.early },
            free,
            search.lowestWith(others),
          );
        }
        for (const k of [...taken]) search.apply(k, -1);
        check(state, [], search.measure());
        assert.deepEqual(
          state.before.map((c) => [...c]),
          saved,
        );
      }
    });
});
