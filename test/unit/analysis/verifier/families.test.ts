/**
 * Each message of the verifier beside what it just lets pass: PHIs, ends of blocks, landing pads, classes and their parts, constant buses, SDWA, memory of inline
 * assembly, generic types. Answers of llc-22, kept by `test/mutate/collect.mjs ../verifierAnswers/families`.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { answerOfLlc, answerOfOurs, readAnswers } from '../../../support/answers.js';
import { needsLlc } from '../../../support/llc.js';

describe("the verifier's messages and what it lets pass", () => {
  const answers = readAnswers(join('..', 'verifierAnswers', 'families.br'));
  answers.forEach(({ args, input, ...wanted }, i) => {
    it(`${i}: ${args.join(' ')}`, () => assert.deepEqual(answerOfOurs({ args, input }), wanted));
  });

  it('are still what llc-22 says', function () {
    needsLlc(this);
    answers.forEach(({ args, input, ...wanted }, i) => {
      if (i % 20 === 0) assert.deepEqual(answerOfLlc({ args, input }), wanted);
    });
  });
});
