/** Advice on rematerialization: the pressure model counts what the edited text has. */
import assert from 'node:assert/strict';
import { rematEdit } from '../../../../../../server/src/features/remat/rematEdit.js';
import { recomputeEffect } from '../../../../../../server/src/features/remat/rematEffect.js';
import type { RematChoice } from '../../../../../../server/src/passes/scheduler/remat/advice/analysis.js';
import { functionOf, mixedFunctionOf, openFunction, random } from '../../../../../support/rematFunctions.js';

/** Compares some sets of places of the function; returns how many had an edit. */
function compare(
  seed: number,
  text: string,
  rounds: number,
  isTaken: (round: number, rnd: (n: number) => number) => boolean,
): number {
  const { snapshot, view } = openFunction(text);
  const remat = view.remat!;
  const rnd = random(seed);
  let compared = 0;
  for (let round = 0; round < rounds; round++) {
    const choices: RematChoice[] = [];
    for (const candidate of remat.candidates.candidates) {
      const groups = candidate.groups.filter(() => rnd(4) !== 0);
      if (isTaken(round, rnd) && groups.length > 0) choices.push({ candidate, groups });
    }
    if (choices.length === 0) continue;
    const edit = rematEdit(snapshot, view, choices);
    if (edit === null) continue;
    const real = recomputeEffect(snapshot, view, remat.candidates, edit);
    assert.ok(real, `seed ${seed}: the edited text is not well-formed`);
    assert.deepEqual(remat.effectOfAll(choices), real, `seed ${seed}, round ${round}\n${text}`);
    compared++;
  }
  return compared;
}

/** Each test has a few seeds: not every function has something to compare. */
const AT_ONCE = 3;

describe('the pressure model counts what the edited text has', () => {
  for (let first = 1; first <= 33; first += AT_ONCE) {
    it(`constants in a loop and around it, from seed ${first} on`, () => {
      let compared = 0;
      for (let seed = first; seed < first + AT_ONCE; seed++)
        compared += compare(seed, functionOf(seed, 8, seed % 3, seed > 25), 6, (_, rnd) => rnd(3) === 0);
      assert.ok(compared > 0);
    });
  }

  for (let first = 1; first <= 60; first += AT_ONCE) {
    it(`registers and users of all kinds, from seed ${first} on`, () => {
      let compared = 0;
      for (let seed = first; seed < first + AT_ONCE; seed++)
        compared += compare(seed, mixedFunctionOf(seed), 4, (round, rnd) => round === 0 || rnd(4) === 0);
      assert.ok(compared > 0);
    });
  }
});
