/** The lines that a report names are links; the report is the real one. */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { BufferedIO } from '../../../server/src/cli/bufferedIO.js';
import { runExplain } from '../../../server/src/cli/explain.js';
import { lineReferences } from '../../../client/src/lineReferences.js';

const found = (text: string): [string, number][] =>
  lineReferences(text).map(({ start, end, line }) => [text.slice(start, end), line]);

describe('lines in reports', () => {
  it('single lines, and both ends of a range', () => {
    assert.deepEqual(found('S_NOP 0 (line 24)'), [['line 24', 23]]);
    assert.deepEqual(found('bb.0, lines 31-100, 70 instructions'), [
      ['lines 31', 30],
      ['100', 99],
    ]);
  });

  it('the numbers in the comparisons of picks', () => {
    assert.deepEqual(found('  beat 23: %c2 by Weak, 0 against 1 [10 available]'), [['23', 22]]);
    assert.deepEqual(found("  bottom before top's 21: %c0: no rule decides"), [['21', 20]]);
  });

  it('no other numbers', () =>
    assert.deepEqual(found('deadline 3, 12 instructions, region 4: max pressure VGPR 2, pipeline 7'), []));

  it('every pick of an explanation', () => {
    const io = new BufferedIO();
    runExplain([join(__dirname, '../../golden/schedule/basic.mir')], io);
    const text = io.out();
    const picks = text.match(/\(line \d+\)$/gm) ?? [];
    assert.ok(picks.length > 5);
    const ends = new Set(lineReferences(text).map((r) => r.end));
    for (const m of text.matchAll(/\(line \d+\)$/gm))
      assert.ok(ends.has(m.index + m[0].length - 1), text.slice(m.index - 60, m.index + 12));
  });
});
