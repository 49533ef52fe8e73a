/** Text of a file in places where VS Code reads links and icons. */
import assert from 'node:assert/strict';
import { asLabel, asMarkdown, asMessage, asSegment, saysBroken } from '../../../client/src/plainText.js';

describe('text of a file in VS Code', () => {
  it('makes no link in a message', () => {
    // what VS Code 1.91 takes for a link in a message
    const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
    const hostile = '[c](command:amdgpu-mir.goTo) [x](https://evil.example)\n[y](file:///etc/passwd): no register';
    assert.match(hostile, link);
    assert.doesNotMatch(asMessage(hostile), link);
    assert.doesNotMatch(asMessage(hostile), /\n/);
  });

  it('draws no icon in a label', () => {
    assert.equal(asLabel('use $(warning) gfx90a'), 'use \\$(warning) gfx90a');
    assert.equal(asLabel('live peak VGPR 4 at bb.0:1'), 'live peak VGPR 4 at bb.0:1');
  });

  it('is text in Markdown, and wraps', () => {
    assert.equal(asMarkdown('key `a*b` [x](y) $(warning)'), 'key \\`a\\*b\\` \\[x\\]\\(y\\) \\\\\\$\\(warning\\)');
    assert.doesNotMatch(asMarkdown('nothing in the file'), /&nbsp;/);
  });

  it('is one segment of a path', () => {
    assert.equal(asSegment('a/../b\\c\n"d"'), 'a .. b c "d"');
    assert.equal(asSegment('x'.repeat(500)).length, 100);
  });

  it('says that a line is wrong', () => {
    const titles = ['✗ error: line 13: expected a machine operand', 'no pressure: llc rejects this function (line 13)'];
    assert.deepEqual(
      titles.map((t) => [saysBroken(t, 13), saysBroken(t, 1), saysBroken(t, 3)]),
      titles.map(() => [true, false, false]),
    );
    assert.equal(saysBroken('as it was before line 13 broke', 13), false);
  });
});
