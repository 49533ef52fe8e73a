/** Facts of registers are those that were compared with LLVM (support/targetFacts.ts). */
import { checkTargetFacts } from '../../support/targetFacts.js';

describe('facts of registers', () => {
  for (const subject of ['registers', 'units', 'parts', 'wholes', 'indices', 'masks'])
    it(subject, () => checkTargetFacts('AMDGCN', subject));
});
