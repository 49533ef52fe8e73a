/**
 * What the machine verifier says of functions with hundreds of instructions, most with one thing wrong, for many processors: answers of llc-22, kept
 * by `test/mutate/collect.mjs ../verifier/NAME`.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { answerOfLlc, answerOfOurs, ANSWERS, readAnswers } from '../../support/answers.js';
import { needsLlc } from '../../support/llc.js';

const ASK_AGAIN = 20;

for (const file of readdirSync(join(ANSWERS, '..', 'verifier'))) {
  describe(`the verifier's reports: ${file.replace('.br', '')}`, () => {
    const answers = readAnswers(join('..', 'verifier', file));
    answers.forEach(({ args, input, ...wanted }, i) => {
      it(`${i}: ${args.join(' ')}`, () => {
        assert.match(wanted.err, /Bad machine code/);
        assert.deepEqual(answerOfOurs({ args, input }), wanted);
      });
    });

    it('are still what llc-22 says', function () {
      needsLlc(this);
      answers.forEach(({ args, input, ...wanted }, i) => {
        if (i % ASK_AGAIN === 0) assert.deepEqual(answerOfLlc({ args, input }), wanted);
      });
    });
  });
}
