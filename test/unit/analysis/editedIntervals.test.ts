/** The property of `test/property/intervalEditor.test.ts` on a few functions, always the same. */
import assert from 'node:assert/strict';
import { checkChanged, checkComputed, namedFunctions } from '../../support/editedIntervals.js';
import { needsLlc } from '../../support/llc.js';

describe('intervals that can be edited', () => {
  it("are LLVM's, values and all", function () {
    needsLlc(this);
    assert.ok(checkComputed(namedFunctions(7, 60)) > 20);
  });

  it('stay right while the function changes', () => {
    for (const f of namedFunctions(8, 50)) checkChanged(f, 40);
  });
});
