/** Pipelines of matrix instructions, exponentials and loads: the same schedule as llc-22. AMDGPU_MIR_SEED and AMDGPU_MIR_RUNS ask others. */
import assert from 'node:assert/strict';
import { answerOfLlc, answerOfOurs } from '../support/answers.js';
import { needsLlc } from '../support/llc.js';
import { randomIglp } from '../support/randomIglp.js';
import { runsOr, seedOr } from '../support/switches.js';

describe('IGLP_OPT on random kernels', () => {
  const first = seedOr(104);
  for (let seed = first; seed < first + runsOr(5); seed++)
    it(`seed ${seed}`, function () {
      this.timeout(0);
      needsLlc(this);
      const question = randomIglp(seed);
      assert.deepEqual(answerOfOurs(question), answerOfLlc(question));
    });
});
