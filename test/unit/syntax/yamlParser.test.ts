/** Trees of small texts about headers and modules are those that were kept (support/smallTexts/trees.ts). */
import { checkTrees } from '../../support/smallTexts/trees.js';

describe('trees of headers and modules', () => {
  for (const name of ['headerKeys', 'headerLists', 'modules']) it(name, () => checkTrees(name));
});
