/** Reports of the machine verifier on random generic instructions, compared with llc-22 line by line; AMDGPU_MIR_RUNS=200 asks about more functions. */
import assert from 'node:assert/strict';
import { answerOfLlc, answerOfOurs } from '../support/answers.js';
import { needsLlc } from '../support/llc.js';
import { randomGeneric } from '../support/randomGeneric.js';
import { runsOr, seedOr } from '../support/switches.js';

const FIRST = seedOr(1001);
const COUNT = runsOr(5);

describe('verifier: random generic instructions', () => {
  it(`${COUNT} functions from seed ${FIRST} have llc-22's reports`, function () {
    needsLlc(this);
    this.timeout(0);
    let nReports = 0;
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const question = randomGeneric(seed);
      const wanted = answerOfLlc(question);
      assert.deepEqual(answerOfOurs(question), wanted, `seed ${seed}`);
      nReports += wanted.err.split('*** Bad machine code').length - 1;
    }
    assert.ok(nReports > COUNT * 10, `only ${nReports} reports`);
  });
});
