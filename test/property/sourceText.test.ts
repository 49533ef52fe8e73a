/** Any sequence of edits leaves the line index of a fresh text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SourceText } from '../../server/src/text/sourceText.js';

const piece = fc.constantFrom('a', 'b ', '\n', '\r', '\r\n', '', 'é', '😀');
const text = fc.array(piece, { maxLength: 20 }).map((p) => p.join(''));
const edit = fc.record({ start: fc.nat(40), length: fc.nat(10), text });

describe('SourceText under random edits', () => {
  it('keeps its line index', () => {
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 8 }), (initial, edits) => {
        let t = new SourceText(initial);
        assert.ok(t.lineCount >= 1);
        for (const e of edits) {
          t = t.apply({ start: e.start, end: e.start + e.length, text: e.text });
          const fresh = new SourceText(t.text);
          assert.equal(t.lineCount, fresh.lineCount);
          for (let i = 0; i < fresh.lineCount; i++) assert.equal(t.lineStart(i), fresh.lineStart(i));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
