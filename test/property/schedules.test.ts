/** Small functions through the machine scheduler, every strategy: the same schedule as llc-22. AMDGPU_MIR_SEED and AMDGPU_MIR_RUNS ask others. */
import assert from 'node:assert/strict';
import { answerOfLlc, answerOfOurs } from '../support/answers.js';
import { needsLlc } from '../support/llc.js';
import { randomSchedules } from '../support/randomSchedules.js';
import { runsOr, seedOr } from '../support/switches.js';

describe('small functions, every strategy', () => {
  const first = seedOr(1);
  for (let seed = first; seed < first + runsOr(20); seed++)
    it(`seed ${seed}`, function () {
      this.timeout(0);
      needsLlc(this);
      const question = randomSchedules(seed);
      const wanted = answerOfLlc(question);
      // a crash of llc is no answer
      if (wanted.exit !== 134) assert.deepEqual(answerOfOurs(question), wanted);
    });
});
