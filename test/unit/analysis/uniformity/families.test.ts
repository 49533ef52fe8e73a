/** Casts between address spaces, PHIs after branches, in loops and in cycles with two entries: uniformity as llc-22 prints it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { answerOfLlc, answerOfOurs, readAnswers } from '../../../support/answers.js';
import { needsLlc } from '../../../support/llc.js';

describe('uniformity of casts and PHIs', () => {
  const answers = readAnswers(join('..', 'uniformityAnswers', 'families.br'));
  answers.forEach(({ args, input, ...wanted }, i) => {
    it(`${i}: ${args.join(' ')}`, () => {
      assert.match(wanted.err, /DIVERGENT/);
      assert.deepEqual(answerOfOurs({ args, input }), wanted);
    });
  });

  it('is still what llc-22 says', function () {
    needsLlc(this);
    for (const { args, input, ...wanted } of answers) assert.deepEqual(answerOfLlc({ args, input }), wanted);
  });
});
