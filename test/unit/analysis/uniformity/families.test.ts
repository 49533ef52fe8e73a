/** Casts between address spaces, PHIs after branches, in loops and in cycles with two entries: uniformity as llc-22 prints it. */
import assert from 'node:assert/strict';
import { describeAnswers } from '../../../support/answers.js';

describeAnswers('uniformity of casts and PHIs', '../uniformityAnswers/families.br', 1, ({ err }) =>
  assert.match(err, /DIVERGENT/),
);
