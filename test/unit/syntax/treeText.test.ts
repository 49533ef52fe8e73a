/** Nodes of the tree and the text that they stand for, over thousands of small texts, right and damaged (support/treeText.ts). */
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';
import { parseMirFile } from '../../../server/src/syntax/index.js';
import { decodeBytes } from '../../../server/src/disk/fileBytes.js';
import { TEXTS } from '../../support/smallTexts/golden.js';
import { checkTreeText } from '../../support/treeText.js';

describe('nodes say what their text says', () => {
  for (const [name, texts] of Object.entries(TEXTS))
    it(name, () => {
      const interner = new Interner();
      for (const text of texts()) {
        try {
          checkTreeText(parseMirFile(new SourceText(decodeBytes(Buffer.from(text, 'latin1'))), interner));
        } catch (error) {
          throw new Error(`${error instanceof Error ? error.message : String(error)}\nin ${JSON.stringify(text)}`);
        }
      }
    });
});
