/**
 * Small functions of many kinds through the machine scheduler, each strategy and most of its options: answers of llc-22
 * (`test/mutate/collect.mjs ../schedules/NAME --schedules` collects more). With llc-22 here, a few are asked again.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { answerOfLlc, answerOfOurs, ANSWERS, readAnswers } from '../../../support/answers.js';
import { needsLlc } from '../../../support/llc.js';

const ASK_AGAIN = 40;

for (const file of readdirSync(join(ANSWERS, '..', 'schedules'))) {
  describe(`schedules: ${file.replace('.br', '')}`, () => {
    const answers = readAnswers(join('..', 'schedules', file));
    answers.forEach(({ args, input, ...wanted }, i) => {
      it(`${i}: ${args.join(' ')}`, () => {
        assert.equal(wanted.exit, 0);
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
