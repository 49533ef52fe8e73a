/**
 * Memory of all address forms, exports, copies, small pipelines; physical registers at the edges of regions: the same schedule as llc-22.
 * AMDGPU_MIR_SEED and AMDGPU_MIR_RUNS ask others.
 */
import assert from 'node:assert/strict';
import { answerOfLlc, answerOfOurs, type Question } from '../support/answers.js';
import { needsLlc } from '../support/llc.js';
import { randomRegionEdges } from '../support/randomRegionEdges.js';
import { randomRegions } from '../support/randomRegions.js';
import { runsOr, seedOr } from '../support/switches.js';

function sameAsLlc(question: Question): void {
  const wanted = answerOfLlc(question);
  // A crash of llc is no answer.
  if (wanted.exit !== 134) assert.deepEqual(answerOfOurs(question), wanted);
}

describe('Regions of what the scheduler looks for', () => {
  const first = seedOr(1);
  for (let seed = first; seed < first + runsOr(40); seed++)
    it(`seed ${seed}`, function () {
      this.timeout(0);
      needsLlc(this);
      sameAsLlc(randomRegions(seed));
      for (let k = 0; k < 5; k++) sameAsLlc(randomRegionEdges(5 * seed + k));
    });
});
