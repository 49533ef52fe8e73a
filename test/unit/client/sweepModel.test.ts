/** The table of the sweep view: cells, what is best, in which order, as text. */
import assert from 'node:assert/strict';
import {
  bestValues,
  cellsOf,
  COLUMNS,
  nextOrder,
  orderOf,
  sweepText,
  type SweepTableRow,
} from '../../../client/webview/sweepModel.js';

function row(label: string, waves: number | null, spills = 0, inLoops = 0): SweepTableRow {
  const setting = { options: [label], attributes: {} };
  const outcome = {
    ...{ vgpr: 70, agpr: null, totalVgpr: null, sgpr: 38, scratchBytes: 0, ldsBytes: 0 },
    ...{ waves, vgprSpills: 0, sgprSpills: 0 },
  };
  const counts = {
    spills: { vgprSaves: spills, vgprRestores: 0, sgprSaves: 0, sgprRestores: 0, inLoops },
    bankCopies: { total: 0, inLoops: 0 },
    ...{ instructions: 9, modelLength: 100 },
  };
  return { label, setting, row: { ...setting, function: 'f', outcome, failed: '', ...counts } };
}

const failed: SweepTableRow = {
  ...row('c', 1),
  row: { options: ['c'], attributes: {}, function: 'f', outcome: null, failed: 'ran out of registers' },
};
const ROWS = [row('(as in the file)', 7, 2), row('b', 8, 3, 1), failed, row('a', 7), { ...row('d', 1), row: null }];
const named = (name: string): number => COLUMNS.findIndex((own) => own.name === name);

describe('the table of the sweep view', () => {
  it('has a dash for what llc does not say, and what is in loops in brackets', () => {
    const cells = cellsOf(row('x', null, 3, 1)).map(({ text }) => text);
    assert.deepEqual(cells, ['-', '70', '-', '38', '3 (1)', '0', '9', '100', '0']);
    assert.deepEqual(cellsOf(failed), []);
  });

  it('knows the best of each column, and none where most are alike', () => {
    const best = bestValues(ROWS);
    assert.deepEqual(
      best.map((value, k) => (value === null ? '' : `${COLUMNS[k]!.name} ${value}`)).filter((text) => text !== ''),
      ['waves 8', 'spills+reloads (loop) 0'],
    );
    // Of four rows two have it, of three two.
    const waves = (rows: readonly SweepTableRow[]): number | null => bestValues(rows)[named('waves')]!;
    assert.equal(waves([row('a', 8), row('b', 8), row('c', 7), row('d', 7)]), 8);
    assert.equal(waves([row('a', 8), row('b', 8), row('c', 7)]), null);
    assert.ok(bestValues([failed]).every((value) => value === null));
  });

  it('sorts by a column, best first, then the other way, then as it was; rows without numbers come last', () => {
    const labels = (order: ReturnType<typeof nextOrder>): string =>
      orderOf(ROWS, order)
        .map((k) => ROWS[k]!.label[0])
        .join('');
    const waves = nextOrder(null, named('waves'));
    assert.equal(labels(waves), 'b(acd');
    const turned = nextOrder(waves, named('waves'));
    assert.equal(labels(turned), '(abcd');
    assert.equal(nextOrder(turned, named('waves')), null);
    assert.equal(labels(nextOrder(turned, named('spills+reloads (loop)'))), 'a(bcd');
    assert.equal(labels(nextOrder(null, -1)), '(abcd');
  });

  it('is a text for a bug report', () => {
    const about = { function: 'f', target: 'gfx942 wave64', llvm: 'LLVM 22.1.8', firstLine: 0, lastLine: 9, vary: '' };
    const text = sweepText({ ...about, rows: ROWS, done: 4, isRunning: false, isStale: false, problem: '' });
    const lines = text.split('\n');
    assert.match(lines[0]!, /^f {2}gfx942 wave64, LLVM 22\.1\.8 {2}waves {2}VGPR {2}AGPR/);
    assert.match(lines[2]!, /^ {2}b +8 +70 +- +38 +3 \(1\) +0 +9 +100 +0$/);
    assert.deepEqual(lines.slice(3, 4).concat(lines[5]!), ['  c: ran out of registers', '  d: not computed']);
  });
});
