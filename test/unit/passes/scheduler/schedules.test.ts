/**
 * Small functions of many kinds through the machine scheduler, each strategy and most of its options: answers of llc-22
 * (`test/mutate/collect.mjs ../schedules/NAME --schedules` collects more).
 */
import assert from 'node:assert/strict';
import { answerFiles, describeAnswers } from '../../../support/answers.js';

for (const file of answerFiles('../schedules'))
  describeAnswers(`schedules: ${file}`, file, 40, ({ exit }) => assert.equal(exit, 0));
