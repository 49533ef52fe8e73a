/** Trees of small texts about scalars, flows and damaged YAML are those that were kept (support/smallTexts/trees.ts). */
import { checkTrees } from '../../support/smallTexts/trees.js';

describe('trees of scalars, flows and damaged YAML', () => {
  for (const name of ['scalars', 'blockScalars', 'flows', 'documents', 'damagedYaml']) it(name, () => checkTrees(name));
});
