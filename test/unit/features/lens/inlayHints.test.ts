/** Numbers at line ends, each of them: what lives after each instruction, as amdgpu-print-rp counts. */
import assert from 'node:assert/strict';
import type { Range } from 'vscode-languageserver-types';
import { provideInlayHints } from '../../../../server/src/features/lens/inlayHints.js';
import type { Settings } from '../../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';
import { expect } from '../../../support/expect.js';
import { EACH_BANK, LANES_PART } from '../../../support/exampleTexts.js';

const rangeOf = (from: number, to: number): Range => ({
  start: { line: from - 1, character: 3 },
  end: { line: to - 1, character: 0 },
});

function hints(
  text: string,
  inlayHints: Settings['inlayHints'],
  range = rangeOf(1, 1000),
  token = NEVER_CANCELLED,
): string[] {
  const found = provideInlayHints(openText(text, { inlayHints }).snapshot, { range }, token);
  return found.map(({ position, label, paddingLeft }) => {
    assert.equal(paddingLeft, true);
    return `${position.line + 1}:${position.character} ${label as string}`;
  });
}

const FUNCTIONS = [
  {
    text: LANES_PART,
    hints: expect`
      changes: 12:28 VGPR 1 | 13:55 VGPR 0 SGPR 2 | 14:97 SGPR 4 | 19:29 AGPR 1 | 20:53 VGPR 0 (live peak 2) | 27:27 SGPR 2 | 28:24 AGPR 0 | 31:81 SGPR 0
      all: 12:28 VGPR 1 SGPR 0 AGPR 0 | 13:55 VGPR 0 SGPR 2 AGPR 0 | 14:97 VGPR 0 SGPR 4 AGPR 0 | 19:29 VGPR 0 SGPR 4 AGPR 1 | 20:53 VGPR 0 (live peak 2) SGPR 4 AGPR 1 | 21:86 VGPR 0 SGPR 4 AGPR 1 | 22:18 VGPR 0 SGPR 4 AGPR 1 | 27:27 VGPR 0 SGPR 2 AGPR 1 | 28:24 VGPR 0 SGPR 2 AGPR 0 | 31:81 VGPR 0 SGPR 0 AGPR 0 | 32:14 VGPR 0 SGPR 0 AGPR 0
      peaks: 14:97 live peak SGPR 4 | 19:29 live peak AGPR 1 | 20:53 live peak VGPR 2
    `,
  },
  {
    text: EACH_BANK,
    hints: expect`
      changes: 12:28 VGPR 1 | 13:28 SGPR 1 | 14:35 VGPR 2 | 15:29 VGPR 3 | 16:29 VGPR 2 | 21:28 SGPR 2 | 22:32 AGPR 1 | 26:53 VGPR 1 SGPR 1 AGPR 0 | 30:42 VGPR 0 SGPR 0
      all: 12:28 VGPR 1 SGPR 0 AGPR 0 | 13:28 VGPR 1 SGPR 1 AGPR 0 | 14:35 VGPR 2 SGPR 1 AGPR 0 | 15:29 VGPR 3 SGPR 1 AGPR 0 | 16:29 VGPR 2 SGPR 1 AGPR 0 | 17:24 VGPR 2 SGPR 1 AGPR 0 | 18:24 VGPR 2 SGPR 1 AGPR 0 | 19:24 VGPR 2 SGPR 1 AGPR 0 | 20:24 VGPR 2 SGPR 1 AGPR 0 | 21:28 VGPR 2 SGPR 2 AGPR 0 | 22:32 VGPR 2 SGPR 2 AGPR 1 | 23:45 VGPR 2 SGPR 2 AGPR 1 | 26:53 VGPR 1 SGPR 1 AGPR 0 | 29:53 VGPR 1 SGPR 1 AGPR 0 | 30:42 VGPR 0 SGPR 0 AGPR 0 | 31:14 VGPR 0 SGPR 0 AGPR 0 | 34:14 VGPR 0 SGPR 0 AGPR 0
      peaks: 15:29 live peak VGPR 3 | 21:28 live peak SGPR 2 | 22:32 live peak AGPR 1
    `,
  },
];

describe('numbers at line ends', () => {
  FUNCTIONS.forEach(({ text, hints: wanted }, k) => {
    it(`function ${k}`, () => {
      const modes = ['changes', 'all', 'peaks'] as const;
      wanted.equals(modes.map((how) => `${how}: ${hints(text, how).join(' | ')}`).join('\n'));
    });
  });

  const { text } = FUNCTIONS[0]!;
  const all = hints(text, 'all');

  it('none where they are off', () => assert.deepEqual(hints(text, 'off'), []));

  it('of the lines that are asked for', () => {
    const lineOf = (hint: string): number => parseInt(hint, 10);
    for (const [from, to] of [
      [1, 11],
      [12, 12],
      [13, 16],
      [17, 25],
      [26, 26],
      [31, 34],
      [34, 40],
      [35, 99],
    ] as const)
      assert.deepEqual(
        hints(text, 'all', rangeOf(from, to)),
        all.filter((hint) => from <= lineOf(hint) && lineOf(hint) <= to),
        `${from} to ${to}`,
      );
  });

  it('of a document with several functions', () => {
    const twice = text + text.slice(text.indexOf('---'));
    const lines = text.split('\n').length - 2;
    const later = all.map((hint) => hint.replace(/^\d+/, (line) => String(Number(line) + lines)));
    assert.deepEqual(hints(twice, 'all'), [...all, ...later]);
    assert.deepEqual(hints(twice, 'all', rangeOf(lines + 2, 1000)), later);
    assert.deepEqual(
      hints(twice, 'all', rangeOf(1, 30)),
      all.filter((hint) => parseInt(hint, 10) <= 30),
    );
    assert.deepEqual(hints(twice, 'all', rangeOf(1, 1000), { isCancelled: () => true }), []);
  });
});
