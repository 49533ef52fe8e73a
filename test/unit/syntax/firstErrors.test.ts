/**
 * First errors of small texts that the syntax alone finds are llc-22's (support/smallTexts), and what llc reads has none: without the layers
 * above, so that thousands of texts take a moment. Whole answers are compared in smallTexts.test.ts.
 */
import assert from 'node:assert/strict';
import { Interner } from '../../../server/src/util/interner.js';
import { firstErrorOfLlc, firstSyntaxError, readSmallTexts, TEXTS } from '../../support/smallTexts/golden.js';

describe('the first error of a small text is that of llc-22', () => {
  for (const name of Object.keys(TEXTS))
    it(name, () => {
      const interner = new Interner();
      for (const { text, exit, err, isSyntax } of readSmallTexts(name))
        // What the machine verifier stops has been read.
        if (isSyntax || exit !== 1)
          assert.equal(firstSyntaxError(text, interner), exit === 1 ? firstErrorOfLlc(err) : '', text);
    });
});
