/** Memory of all address forms, exports, copies, small pipelines: the same schedule as llc-22. AMDGPU_MIR_SEED and AMDGPU_MIR_RUNS ask others. */
import assert from 'node:assert/strict';
import { answerOfLlc, answerOfOurs } from '../support/answers.js';
import { needsLlc } from '../support/llc.js';
import { randomRegions } from '../support/randomRegions.js';
import { runsOr, seedOr } from '../support/switches.js';

describe('Regions of what the scheduler looks for', () => {
  const first = seedOr(1);
  for (let seed = first; seed < first + runsOr(40); seed++)
    it(`seed ${seed}`, function () {
      this.timeout(0);
      needsLlc(this);
      const question = randomRegions(seed);
      const wanted = answerOfLlc(question);
      // A crash of llc is no answer.
      if (wanted.exit !== 134) assert.deepEqual(answerOfOurs(question), wanted);
    });
});
