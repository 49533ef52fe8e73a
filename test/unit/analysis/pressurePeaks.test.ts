/** Live peaks of curves that are drawn here: hills that stand out by an eighth of the highest, and by two at least. */
import assert from 'node:assert/strict';
import { pressurePeaks } from '../../../server/src/analysis/pressurePeaks.js';
import { Bank, type PressureSummary } from '../../../server/src/analysis/summary.js';

/** A function of one block per curve whose SGPR pressure is the curve; instructions are numbered backwards. */
function summaryOf(...curves: number[][]): PressureSummary {
  const values = curves.flat();
  const n = values.length;
  const columns = Array.from({ length: 4 }, () => new Int32Array(n));
  values.forEach((v, p) => (columns[0][n - 1 - p] = v));
  const ends = curves.map((_, b) => curves.slice(0, b + 1).flat().length);
  const fn = {
    blocks: curves.map(() => ({})),
    blockBegin: ends.map((e, b) => e - curves[b].length),
    blockEnd: ends,
    order: values.map((_, p) => n - 1 - p),
  };
  const peaks = [
    { value: Math.max(0, ...values), instr: -1 },
    { value: 0, instr: -1 },
    { value: 0, instr: -1 },
  ];
  return { fn, peaks, up: { at: columns } } as unknown as PressureSummary;
}

/** Positions of the peaks with their values. */
function peaksOf(...curves: number[][]): string {
  const n = curves.flat().length;
  return pressurePeaks(summaryOf(...curves), Bank.SGPR)
    .map(({ instr, value }) => `${n - 1 - instr}:${value}`)
    .join(' ');
}

describe('peaks of a curve', () => {
  for (const [what, curves, wanted] of [
    ['nothing', [[]], ''],
    ['an unused bank', [[0, 0]], ''],
    ['a level', [[3, 3, 3]], '0:3'],
    ['a slope upwards', [[1, 2, 3, 9]], '3:9'],
    ['a slope downwards', [[9, 5, 1]], '0:9'],
    ['the first of equal values', [[1, 9, 9, 2]], '1:9'],
    ['a fall of two just counts', [[5, 3, 5]], '0:5 2:5'],
    ['a fall of one does not', [[5, 4, 5, 4]], '0:5'],
    ['a rise of one does not', [[5, 3, 4, 3]], '0:5'],
    ['the rise is measured from the lowest', [[8, 5, 3, 4, 5, 2]], '0:8 4:5'],
    ['a summit that goes on rising', [[8, 3, 5, 7, 6, 9]], '0:8 5:9'],
    ['an eighth of the highest: less', [[64, 57, 64]], '0:64'],
    ['an eighth of the highest: just', [[64, 56, 64]], '0:64 2:64'],
    ['an eighth, rounded up', [[65, 57, 65]], '0:65'],
    ['an eighth, rounded up: just', [[65, 56, 65]], '0:65 2:65'],
    ['blocks are one curve', [[1, 6], [], [2, 1], [9]], '1:6 4:9'],
    ['a last valley is no peak', [[7, 1, 2, 1]], '0:7'],
  ] as const)
    it(what, () => assert.equal(peaksOf(...curves.map((c) => [...c])), wanted));
});
