/** Trees of small texts about tokens and flags of bodies are those that were kept (support/smallTexts/trees.ts). */
import { checkTrees } from '../../support/smallTexts/trees.js';

describe('trees of tokens and flags of bodies', () => {
  for (const name of ['tokens', 'flags']) it(name, () => checkTrees(name));
});
