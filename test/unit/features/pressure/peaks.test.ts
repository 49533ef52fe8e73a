/** Peaks and colours beside the text: each number with its line. */
import assert from 'node:assert/strict';
import { providePeaks, type PeaksResult } from '../../../../server/src/features/pressure/peaks.js';
import { providePressureLines, type PressureLines } from '../../../../server/src/features/pressure/pressureLines.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';
import { FUNCTIONS_OF_ALL_KINDS } from '../../../support/exampleTexts.js';

const PEAKS: PeaksResult = {
  functions: [
    {
      function: 'f',
      firstLine: 0,
      lastLine: 37,
      banks: [
        { bank: 'VGPR', peaks: [{ position: { line: 21, character: 4 }, value: 7, place: 'bb.1:3', isHighest: true }] },
        { bank: 'SGPR', peaks: [{ position: { line: 12, character: 4 }, value: 1, place: 'bb.0:3', isHighest: true }] },
        { bank: 'AGPR', peaks: [{ position: { line: 13, character: 4 }, value: 4, place: 'bb.0:4', isHighest: true }] },
      ],
    },
    { function: 'empty', firstLine: 38, lastLine: 45, banks: [] },
    { function: 'allocated', firstLine: 46, lastLine: 53, banks: [] },
    { function: 'generic', firstLine: 54, lastLine: 62, banks: [] },
    { function: 'broken', firstLine: 63, lastLine: 68, banks: [] },
    { function: 'bodyless', firstLine: 69, lastLine: 71, banks: [] },
  ],
  nextLine: null,
};

const LINES: PressureLines = {
  line: [9, 10, 11, 12, 13, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 32, 33, 34, 36, 43, 44, 51, 52, 59, 60, 61],
  vgpr: [1, 2, 3, 3, 3, 5, 5, 6, 7, 7, 6, 6, 5, 5, 5, 4, 4, 5, 5, 5, 5, 0, 0, 0, 0, 0, 0, 0],
  sgpr: [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  agpr: [0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0],
  vgprPeak: [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0],
  sgprPeak: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
  agprPeak: [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0],
};

const textDocument = { uri: '' };

describe('peaks of a document', () => {
  const peaks = (fromLine = 0, toLine = Infinity, token = NEVER_CANCELLED): PeaksResult =>
    providePeaks(openText(FUNCTIONS_OF_ALL_KINDS).snapshot, { textDocument, fromLine, toLine }, token);
  const names = (result: PeaksResult): string => result.functions.map((f) => f.function).join(' ');

  it('of each function', () => assert.deepEqual(peaks(), PEAKS));

  it('of functions in a part of the text', () => {
    assert.equal(names(peaks(0, 0)), 'f');
    assert.equal(names(peaks(-5, 37)), 'f');
    assert.equal(names(peaks(0, 38)), 'f empty');
    assert.equal(names(peaks(37, 38)), 'f empty');
    assert.equal(names(peaks(38, 38)), 'empty');
    assert.equal(names(peaks(69)), 'bodyless');
    assert.equal(names(peaks(99)), '');
    assert.equal(peaks(0, 38).nextLine, null);
  });

  it('go on where they were cancelled', () => {
    let left = 2;
    const result = peaks(0, 100, { isCancelled: () => left-- === 0 });
    assert.deepEqual([names(result), result.nextLine], ['f empty', 46]);
  });

  it('the first of equal ones is the highest, others are not', () => {
    const text =
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n' +
      [2, 4, 4, 2]
        .map(
          (n, k) =>
            `    %${k}:${n === 2 ? 'vreg_64' : 'vreg_128'} = IMPLICIT_DEF\n    S_NOP 0, implicit %${k}\n    S_NOP 1\n`,
        )
        .join('') +
      '    S_ENDPGM 0\n...\n';
    const found = providePeaks(openText(text).snapshot, { textDocument }, NEVER_CANCELLED).functions[0]!.banks;
    assert.deepEqual(
      found.map(({ bank, peaks: all }) => [bank, all.map((p) => [p.value, p.place, p.isHighest, p.position.line])]),
      [
        [
          'VGPR',
          [
            [2, 'bb.0:0', false, 5],
            [4, 'bb.0:3', true, 8],
            [4, 'bb.0:6', false, 11],
            [2, 'bb.0:9', false, 14],
          ],
        ],
      ],
    );
  });
});

describe('pressure beside the text', () => {
  const lines = (from: number, to: number, token = NEVER_CANCELLED): PressureLines => {
    const range = { start: { line: from, character: 9 }, end: { line: to, character: 0 } };
    return providePressureLines(openText(FUNCTIONS_OF_ALL_KINDS).snapshot, { textDocument, range }, token);
  };

  it('at each instruction', () => assert.deepEqual(lines(0, 999), LINES));

  it('of the lines that are asked for', () => {
    for (const [from, to] of [
      [0, 8],
      [9, 9],
      [9, 20],
      [21, 35],
      [36, 43],
      [50, 52],
      [62, 80],
      [0, 37],
      [38, 38],
    ] as const) {
      const inside = LINES.line.flatMap((line, k) => (from <= line && line <= to ? [k] : []));
      const wanted = Object.fromEntries(
        Object.entries(LINES).map(([name, column]) => [name, inside.map((k) => (column as number[])[k]!)]),
      );
      assert.deepEqual(lines(from, to), wanted, `${from} to ${to}`);
    }
  });

  it('none of a request that is cancelled', () =>
    assert.deepEqual(lines(0, 999, { isCancelled: () => true }).line, []));
});
