/**
 * What the machine verifier says of functions with hundreds of instructions, most with one thing wrong, for many processors: answers of llc-22, kept
 * by `test/mutate/collect.mjs ../verifier/NAME`.
 */
import assert from 'node:assert/strict';
import { answerFiles, describeAnswers } from '../../support/answers.js';

for (const file of answerFiles('../verifier'))
  describeAnswers(`the verifier's reports: ${file}`, file, 20, ({ err }) => assert.match(err, /Bad machine code/));
