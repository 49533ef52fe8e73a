/**
 * Intervals that can be edited: computed, they are LLVM's to the number of each value; after random changes they are those of the changed
 * function, computed anew. SEED and INTERVALS (functions) for longer runs.
 */
import assert from 'node:assert/strict';
import { checkChanged, checkComputed, namedFunctions } from '../support/editedIntervals.js';
import { needsLlc } from '../support/llc.js';
import { runsOr, seedOr } from '../support/switches.js';

const SEED = seedOr(1);
const N = runsOr(40);

describe('intervals that can be edited', function () {
  it(`are LLVM's, values and all (seed ${SEED})`, function () {
    needsLlc(this);
    assert.ok(checkComputed(namedFunctions(SEED, N)) > N / 4);
  });

  it(`stay right while the function changes (seed ${SEED})`, () => {
    for (const f of namedFunctions(SEED + 1, N)) checkChanged(f, 25);
  });
});
