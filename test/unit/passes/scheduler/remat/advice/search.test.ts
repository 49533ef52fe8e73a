/** Advice on rematerialization: the search finds the smallest set that brings an occupancy, or says rightly that there is none. */
import assert from 'node:assert/strict';
import { rematEdit } from '../../../../../../server/src/features/remat/rematEdit.js';
import { recomputeEffect } from '../../../../../../server/src/features/remat/rematEffect.js';
import type { RematChoice } from '../../../../../../server/src/passes/scheduler/remat/advice/analysis.js';
import { NEVER_CANCELLED } from '../../../../../../server/src/util/cancellation.js';
import { FULL_OF, functionOf, openFunction } from '../../../../../support/rematFunctions.js';

type Outcome = 'found' | 'none' | 'impossible' | 'gave up';

/** The answer for one wave more against all sets of candidates, each at all of its places. 24 registers allow ten waves. */
function checkAllPlaces(seed: number): void {
  const { view } = openFunction(functionOf(seed, 9, 12 + (seed % 12)));
  const remat = view.remat!;
  const { occupancy } = view.summary!.occupancy;
  const all = remat.candidates.candidates.map((candidate) => ({ candidate, groups: candidate.groups }));
  let best = Infinity;
  for (let mask = 1; mask < 1 << all.length; mask++) {
    const set = all.filter((_, k) => ((mask >> k) & 1) !== 0);
    if (set.length < best && remat.effectOfAll(set).occupancyAfter > occupancy) best = set.length;
  }
  const result = remat.reach(occupancy + 1, NEVER_CANCELLED);
  const size = result.kind === 'found' ? result.choices.length : Infinity;
  assert.ok(size <= best, `seed ${seed}`);
  if (result.kind !== 'found') return;
  assert.ok(result.isSmallest);
  assert.ok(remat.effectOfAll(result.choices).occupancyAfter > occupancy);
}

/** The answer against the edited text, and none where all sets say none. */
function checkFullOf(name: keyof typeof FULL_OF, seed: number, fill: number): void {
  const text = functionOf(seed, 6, fill, false, FULL_OF[name]);
  const { snapshot, view } = openFunction(text);
  const remat = view.remat!;
  const { candidates } = remat.candidates;
  const { occupancy } = view.summary!.occupancy;
  if (occupancy === view.summary!.limits.occupancyCeiling) return;
  const result = remat.reach(occupancy + 1, NEVER_CANCELLED);
  const effects = Array.from({ length: (1 << candidates.length) - 1 }, (_, k) => {
    const set = candidates.filter((_, c) => (((k + 1) >> c) & 1) !== 0);
    return {
      size: set.length,
      effect: remat.effectOfAll(set.map((candidate) => ({ candidate, groups: candidate.groups }))),
    };
  }).filter(({ effect }) => effect.occupancyAfter > occupancy);
  const what = `seed ${seed}: ${result.kind}\n${text}`;
  if (result.kind === 'found') {
    assert.ok(result.isSmallest, what);
    assert.ok(
      effects.every(({ size }) => size >= result.choices.length),
      what,
    );
    const edit = rematEdit(snapshot, view, result.choices)!;
    const real = recomputeEffect(snapshot, view, remat.candidates, edit)!;
    assert.ok(real.occupancyAfter > occupancy, what);
  } else assert.deepEqual([effects.length, result.kind === 'gave up'], [0, false], what);
  if (result.kind !== 'impossible') return;
  const { lis, up } = view.summary!;
  const i = lis.indexes.instrAt[result.place]!;
  const own = Math.max(up.before[result.registerKind]![i]!, up.after[result.registerKind]![i]!);
  assert.ok(own > 0, what);
  if (FULL_OF[name].kind !== null) assert.equal(result.registerKind, FULL_OF[name].kind, what);
}

/** The answer against every candidate at every subset of its places. */
function checkSomePlaces(seed: number): void {
  const { view } = openFunction(functionOf(seed, 4, 17 + (seed % 8)));
  const remat = view.remat!;
  const { occupancy } = view.summary!.occupancy;
  const options = remat.candidates.candidates.map((candidate) =>
    Array.from({ length: 1 << candidate.groups.length }, (_, mask) => ({
      candidate,
      groups: candidate.groups.filter((_, k) => ((mask >> k) & 1) !== 0),
    })),
  );
  let best = Infinity;
  const choose = (k: number, chosen: readonly RematChoice[]): void => {
    if (chosen.length >= best) return;
    if (k === options.length) {
      if (chosen.length > 0 && remat.effectOfAll(chosen).occupancyAfter > occupancy) best = chosen.length;
      return;
    }
    for (const option of options[k]!) choose(k + 1, option.groups.length === 0 ? chosen : [...chosen, option]);
  };
  choose(0, []);
  const result = remat.reach(occupancy + 1, NEVER_CANCELLED);
  assert.equal(result.kind === 'found' ? result.choices.length : Infinity, best, `seed ${seed}`);
}

const FULL = [
  ['VGPR', 17, 24],
  ['SGPR', 68, 22],
  ['AGPR', 19, 14],
  ['both', 50, 20],
] as const;

/** How often the search ends how, when it is asked for one wave more. */
function outcomes(texts: readonly string[]): Record<Outcome, number> {
  const count = { found: 0, none: 0, impossible: 0, 'gave up': 0 };
  for (const text of texts) {
    const { view } = openFunction(text);
    const { limits, occupancy } = view.summary!;
    if (occupancy.occupancy === limits.occupancyCeiling) continue;
    count[view.remat!.reach(occupancy.occupancy + 1, NEVER_CANCELLED).kind]++;
  }
  return count;
}

const AT_ONCE = 4;
const seeds = (first: number): number[] => Array.from({ length: AT_ONCE }, (_, k) => first + k);

describe('the search for rematerializations', () => {
  for (let first = 1; first <= 60; first += AT_ONCE)
    it(`finds a set that does it wherever one exists, and none larger than those of all places, from seed ${first} on`, () =>
      seeds(first).forEach(checkAllPlaces));

  for (const [name, least, step] of FULL) {
    for (let first = 1; first <= 40; first += AT_ONCE)
      it(`says what holds for the edited text where a function is full of ${name}, from seed ${first} on`, () =>
        seeds(first).forEach((seed) => checkFullOf(name, seed, least + (seed % step))));

    it(`has every outcome where functions are full of ${name}`, () => {
      const texts = Array.from({ length: 40 }, (_, k) =>
        functionOf(k + 1, 6, least + ((k + 1) % step), false, FULL_OF[name]),
      );
      const { found, none, impossible, 'gave up': gaveUp } = outcomes(texts);
      assert.ok(found > 5 && none > 0 && impossible > 0 && gaveUp === 0);
    });
  }

  for (let first = 1; first <= 40; first += AT_ONCE)
    it(`finds the smallest set, whatever places are chosen, from seed ${first} on`, () =>
      seeds(first).forEach(checkSomePlaces));
});
