/** The table of a function on several targets, cell by cell. */
import assert from 'node:assert/strict';
import { targetRows, targetTable, type TargetNumbers } from '../../../../server/src/features/pressure/targetTable.js';

const numbers = (own: Partial<TargetNumbers>): TargetNumbers => ({
  label: 'gfx900',
  target: 'gfx900 wave64',
  occupancy: 10,
  most: 10,
  limiter: '',
  nextWave: '',
  peaks: [],
  problem: '',
  ...own,
});

describe('table of targets', () => {
  it('has columns as wide as their widest cell', () => {
    assert.deepEqual(
      targetTable([
        numbers({ peaks: [{ bank: 'VGPR', value: 3, place: 'bb.0:3', line: 12 }], limiter: 'workgroup size' }),
        numbers({
          label: 'gfx90a +xnack -sramecc',
          target: 'gfx90a wave64',
          occupancy: 7,
          most: 8,
          limiter: 'VGPR',
          nextWave: '-3 VGPR, -2 SGPR',
          peaks: [
            { bank: 'AGPR', value: 4, place: 'bb.10:123', line: 1234 },
            { bank: 'VGPR', value: 70, place: 'bb.2:1', line: 7 },
          ],
        }),
      ]),
      [
        'target                         occupancy  live peak VGPR  live peak AGPR  limited by      next wave',
        'gfx900 wave64                  10 of 10   3 at line 12    -               workgroup size  -',
        'gfx90a wave64 +xnack -sramecc  7 of 8     70 at line 7    4 at line 1234  VGPR            -3 VGPR, -2 SGPR',
      ],
    );
  });

  it('has banks that some target uses, in their order', () => {
    const [head] = targetTable([
      numbers({ peaks: [{ bank: 'SGPR', value: 1, place: 'bb.0:0', line: 0 }] }),
      numbers({ peaks: [{ bank: 'VGPR', value: 1, place: 'bb.0:0', line: 0 }] }),
    ]);
    assert.equal(head, 'target         occupancy  live peak VGPR  live peak SGPR  limited by  next wave');
    assert.deepEqual(targetTable([numbers({})]), [
      'target         occupancy  limited by  next wave',
      'gfx900 wave64  10 of 10   -           -',
    ]);
  });

  it('says why where there are no numbers, which makes only the first column wider', () => {
    assert.deepEqual(
      targetTable([
        numbers({}),
        numbers({
          label: 'gfx12 a',
          target: 'gfx1200 wave32 of a long name',
          occupancy: -1,
          problem: 'llc rejects line 12: a long story',
        }),
      ]),
      [
        'target                           occupancy  limited by  next wave',
        'gfx900 wave64                    10 of 10   -           -',
        'gfx1200 wave32 of a long name a  llc rejects line 12: a long story',
      ],
    );
    assert.deepEqual(targetTable([numbers({ occupancy: 0, most: 0 })])[1], 'gfx900 wave64  0 of 0     -           -');
    assert.deepEqual(targetTable([]), ['target  occupancy  limited by  next wave']);
  });
});

describe('rows of a table in a narrow terminal', () => {
  const ROWS: TargetNumbers[] = ['gfx90a wave64', 'gfx1100 wave32'].map((target, k) => ({
    label: target.split(' ')[0]!,
    target,
    occupancy: 3 + k,
    most: 8 + 8 * k,
    limiter: 'VGPR',
    nextWave: '-4 VGPR',
    peaks: [{ bank: 'VGPR', value: 67, place: 'bb.1:15', line: 121 }, { bank: 'SGPR', value: 8, place: 'bb.0:2', line: 33 }],
    problem: '',
  })); // prettier-ignore

  it('are the table where that fits', () => assert.deepEqual(targetRows(ROWS, 200), targetTable(ROWS)));

  it('else lines that fit, with all that the table has', () => {
    const lines = targetRows(ROWS, 60);
    assert.ok(lines.every((line) => line.length <= 60), lines.join('\n')); // prettier-ignore
    assert.deepEqual(lines.slice(0, 3), [
      'gfx90a wave64   occupancy 3 of 8, limited by VGPR',
      '  next wave -4 VGPR',
      '  live peaks VGPR 67 at line 121, SGPR 8 at line 33',
    ]);
    assert.deepEqual(targetRows([{ ...ROWS[0]!, occupancy: -1, problem: 'no registers' }, ...ROWS], 60)[0], 'gfx90a wave64   no registers'); // prettier-ignore
  });
});
