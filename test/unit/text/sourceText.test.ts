/** Text snapshots: line index, positions, edits. */
import assert from 'node:assert/strict';
import { SourceText, utf8Length } from '../../../server/src/text/sourceText.js';

function lineStarts(t: SourceText): number[] {
  return Array.from({ length: t.lineCount }, (_, i) => t.lineStart(i));
}

describe('SourceText', () => {
  it('knows the three line ends', () => {
    assert.deepEqual(lineStarts(new SourceText('a\nb\r\nc\rd')), [0, 2, 5, 7]);
    assert.deepEqual(lineStarts(new SourceText('')), [0]);
    assert.deepEqual(lineStarts(new SourceText('\n')), [0, 1]);
    assert.deepEqual(lineStarts(new SourceText('\r\r\n\n')), [0, 1, 3, 4]);
  });

  it('converts offsets and positions', () => {
    const t = new SourceText('ab\r\ncd\n');
    assert.deepEqual(t.positionAt(0), { line: 0, character: 0 });
    assert.deepEqual(t.positionAt(5), { line: 1, character: 1 });
    assert.deepEqual(t.positionAt(99), { line: 2, character: 0 });
    assert.equal(t.offsetAt({ line: 1, character: 1 }), 5);
    assert.equal(t.offsetAt({ line: 0, character: 99 }), 2, 'before the line break');
    assert.equal(t.offsetAt({ line: 9, character: 0 }), 7);
    assert.equal(t.lineEnd(0), 2);
    assert.equal(t.lineEnd(1), 6);
    assert.equal(t.lineEnd(2), 7);
  });

  it('counts columns in UTF-8 bytes as LLVM does', () => {
    const t = new SourceText('x\n; é€😀 y');
    assert.equal(t.byteColumn(t.text.indexOf('y')), 2 + 2 + 3 + 4 + 1 + 1);
    assert.equal(utf8Length('é€😀', 0, 4), 9);
  });

  it('patches the line index under edits', () => {
    const cases: [string, number, number, string][] = [
      ['a\nb\nc', 2, 3, 'x\ny\n'],
      ['a\nb\nc', 0, 5, ''],
      ['a\nb', 1, 2, ''],
      ['a\r\nb', 1, 2, ''],
      ['a\r\nb', 2, 3, ''],
      ['a\rb', 2, 2, '\n'],
      ['a\rb', 1, 1, '\r'],
      ['a\nb', 1, 1, '\r'],
      ['a\r', 2, 2, '\n'],
      ['\n\n\n', 1, 2, '\r'],
      ['abc', 3, 3, '\n'],
      ['', 0, 0, 'a\r\n'],
      ['a\n\r\nb', 2, 3, ''],
    ];
    for (const [before, start, end, text] of cases) {
      const old = new SourceText(before);
      assert.ok(old.lineCount > 0);
      const after = old.apply({ start, end, text });
      const fresh = new SourceText(before.slice(0, start) + text + before.slice(end));
      assert.equal(after.text, fresh.text);
      assert.deepEqual(lineStarts(after), lineStarts(fresh), JSON.stringify([before, start, end, text]));
      assert.equal(old.text, before, 'the old snapshot stays');
    }
  });

  it('takes an endless line and many lines', () => {
    const long = new SourceText('x'.repeat(5_000_000));
    assert.equal(long.lineCount, 1);
    assert.equal(long.lineAt(4_999_999), 0);
    const many = new SourceText('\n'.repeat(1_000_000));
    assert.equal(many.lineCount, 1_000_001);
    assert.equal(many.apply({ start: 500_000, end: 500_001, text: '' }).lineCount, 1_000_000);
  });
});
