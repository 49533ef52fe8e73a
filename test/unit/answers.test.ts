/** Whole runs whose answers llc-22 gave when they were collected; with llc-22 here, a few are asked again. */
import assert from 'node:assert/strict';
import { answerFiles, answerOfLlc, answerOfOurs, readAnswers } from '../support/answers.js';
import { needsLlc } from '../support/llc.js';

/** Every so many questions one is put to llc-22 again. */
const ASK_AGAIN = 40;

for (const file of answerFiles()) {
  describe(`answers of llc-22: ${file.replace('.br', '')}`, () => {
    const answers = readAnswers(file);
    answers.forEach(({ args, input, ...wanted }, i) => {
      it(`${i}: ${args.join(' ')}`, () => assert.deepEqual(answerOfOurs({ args, input }), wanted));
    });

    it('are still what llc-22 says', function () {
      needsLlc(this);
      answers.forEach(({ args, input, ...wanted }, i) => {
        if (i % ASK_AGAIN === 0) assert.deepEqual(answerOfLlc({ args, input }), wanted);
      });
    });
  });
}
