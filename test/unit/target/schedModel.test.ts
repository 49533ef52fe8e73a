/** Facts of scheduling models are those that were compared with LLVM (support/targetFacts.ts). */
import { checkTargetFacts } from '../../support/targetFacts.js';

describe('facts of scheduling models', () => {
  for (const subject of ['models']) it(subject, () => checkTargetFacts('AMDGCN', subject));
});
