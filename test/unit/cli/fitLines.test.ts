/** Reports in narrow terminals: lines break between words, nothing is lost, colours count for nothing. */
import assert from 'node:assert/strict';
import { fitLines } from '../../../server/src/cli/fitLines.js';

const LINE = '    VGPR 33  ████░░  live peak at line 48 (bb.1:6); 1 above the limit of 8 waves (32)';
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

describe('lines of a report in a narrow terminal', () => {
  it('break after a clause, else after a word, and go on indented', () => {
    assert.equal(
      fitLines(`${LINE}\nshort\n`, 60),
      '    VGPR 33  ████░░  live peak at line 48 (bb.1:6);\n        1 above the limit of 8 waves (32)\nshort\n',
    );
    assert.equal(fitLines('  one two three four', 12), '  one two\n      three\n      four');
    assert.equal(fitLines('one two', 3), 'one\n    two');
    assert.equal(fitLines('  VGPR 12, SGPR 3', 14), '  VGPR 12,\n      SGPR 3');
  });

  it('stay as they are where they fit, where nothing is known of the width, and where a word is too long', () => {
    for (const columns of [Infinity, 200, LINE.length]) assert.equal(fitLines(LINE, columns), LINE);
    assert.equal(fitLines('x'.repeat(50), 10), 'x'.repeat(50));
  });

  it('lose no word, whatever the width, and are no wider than that', () => {
    for (let columns = 0; columns < LINE.length; columns++) {
      const fitted = fitLines(LINE, columns);
      assert.deepEqual(words(fitted), words(LINE));
      if (columns >= 24)
        for (const line of fitted.split('\n')) assert.ok(line.length <= columns, `${columns}: ${line}`);
    }
  });

  it('count colours for nothing', () => {
    const coloured = LINE.replace('limit', '\x1b[33mlimit\x1b[39m').replace('VGPR', '\x1b[2mVGPR\x1b[22m');
    for (const columns of [30, 60, 80])
      assert.equal(fitLines(coloured, columns).replace(/\x1b\[\d+m/g, ''), fitLines(LINE, columns));
    assert.equal(fitLines('\x1b[2m  one two\x1b[22m', 6), '\x1b[2m  one\n      two\x1b[22m');
  });

  it('of any length take a time that grows with it', () => {
    const long = 'word, '.repeat(200_000);
    assert.deepEqual(words(fitLines(long, 80)).length, 200_000);
  });
});
