/** Facts of opcodes are those that were compared with LLVM (support/targetFacts.ts). */
import { checkTargetFacts } from '../../support/targetFacts.js';

describe('facts of opcodes', () => {
  for (const subject of ['opcodes', 'opcodeNames', 'predicates'])
    it(subject, () => checkTargetFacts('AMDGCN', subject));
});
