/** Facts of register classes are those that were compared with LLVM (support/targetFacts.ts). */
import { checkTargetFacts } from '../../support/targetFacts.js';

describe('facts of register classes', () => {
  for (const subject of ['classes', 'subClasses', 'matches']) it(subject, () => checkTargetFacts('AMDGCN', subject));
});
