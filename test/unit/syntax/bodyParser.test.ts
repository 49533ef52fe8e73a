/** Trees of small texts about lines, operands, memory operands and blocks are those that were kept (support/smallTexts/trees.ts). */
import { checkTrees } from '../../support/smallTexts/trees.js';

describe('trees of lines, operands, memory operands and blocks', () => {
  for (const name of ['lines', 'operands', 'memory', 'blocks']) it(name, () => checkTrees(name));
});
