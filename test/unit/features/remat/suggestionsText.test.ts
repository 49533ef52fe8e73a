/** Suggestions of rematerialization as lines of text, from data. */
import assert from 'node:assert/strict';
import type {
  EffectData,
  RematSuggestion,
  RematSuggestions,
} from '../../../../server/src/features/remat/suggestions.js';
import { suggestionLines } from '../../../../server/src/features/remat/suggestionsText.js';

const effect = (text: string, occupancyAfter = 8): EffectData => ({
  occupancyBefore: 7,
  occupancyAfter,
  peakBefore: { sgpr: 0, vgpr: 0, agpr: 0 },
  peakAfter: { sgpr: 0, vgpr: 0, agpr: 0 },
  regions: [],
  text,
});

const place = (line: number, block = line): RematSuggestion['places'][number] => ({ block, region: 0, line });

const suggestion = (own: Partial<RematSuggestion>): RematSuggestion => ({
  register: '%1',
  bank: 'VGPR',
  width: 1,
  line: 3,
  region: 0,
  places: [place(9)],
  kept: [],
  why: 'why',
  loopDepthChange: 0,
  score: null,
  effect: effect('effect'),
  ...own,
});

const lines = (own: Partial<RematSuggestions>, isStyled = false): string[] =>
  suggestionLines(
    {
      ...{ function: 'f', occupancy: 7, maxOccupancy: 10, scheduledOccupancy: null, scheduler: null, sets: [] },
      ...{ noSet: '', suggestions: [], more: 0, nearMisses: [] },
      ...own,
    },
    isStyled ? { dim: (t) => `<${t}>`, good: (t) => `!${t}!` } : undefined,
  );

describe('suggestions as text', () => {
  it('nothing', () => {
    assert.deepEqual(lines({}), ['nothing to rematerialize that helps']);
    assert.deepEqual(lines({ scheduledOccupancy: 0 }), [
      'scheduled as it stands: occupancy 0',
      'nothing to rematerialize that helps',
    ]);
    const miss = { register: '%2', bank: 'SGPR', width: 4, line: 5, reason: 'it is so' } as const;
    assert.deepEqual(lines({ nearMisses: [miss, { ...miss, register: '%3', bank: 'AGPR', width: 1 }] }), [
      'not %2, line 5, 4 SGPR: it is so',
      'not %3, line 5, 1 AGPR: it is so',
      'nothing to rematerialize that helps',
    ]);
    assert.deepEqual(lines({ noSet: 'no set' }), ['no set']);
  });

  it('what the scheduler does, and sets', () => {
    assert.deepEqual(
      lines({
        scheduledOccupancy: 9,
        scheduler: { model: 'LLVM 22.1.8', registers: ['%1', '%2'], effect: effect('two') },
        sets: [
          { registers: ['%1'], isSmallest: true, effect: effect('one', 8) },
          { registers: ['%1', '%2'], isSmallest: false, effect: effect('more', 9) },
        ],
      }),
      [
        'scheduled as it stands: occupancy 9',
        'as the scheduler of LLVM 22.1.8 would: two',
        '    %1, %2',
        'occupancy 8 with 1 register, the smallest set: one',
        '    %1',
        'occupancy 9 with 2 registers: more',
        '    %1, %2',
      ],
    );
  });

  it('registers, with places, reasons, loops, what stays', () => {
    assert.deepEqual(lines({ suggestions: [suggestion({})], more: 3 }), [
      '%1, line 3: effect',
      '    before line 9 (bb.9); why',
      'and 3 more',
    ]);
    const [, below] = lines({
      suggestions: [suggestion({ places: [1, 2, 3, 4].map((l) => place(l)), loopDepthChange: 1, kept: ['k', 'l'] })],
    });
    assert.equal(below, '    before line 1 (bb.1), line 2 (bb.2), line 3 (bb.3), line 4 (bb.4); why;');
    const rest = lines({
      suggestions: [
        suggestion({ places: [1, 2, 3, 4, 5, 6].map((l) => place(l)), loopDepthChange: 1, kept: ['k', 'l'] }),
      ],
    });
    assert.deepEqual(rest.slice(1), [
      '    before line 1 (bb.1), line 2 (bb.2), line 3 (bb.3), line 4 (bb.4) and 2 more;',
      '    why; runs in a loop then; the definition stays: k',
    ]);
    assert.deepEqual(lines({ suggestions: [suggestion({ loopDepthChange: -1 })] })[1], '    before line 9 (bb.9); why');
  });

  it('lines are 72 wide at most, but for what is longer by itself', () => {
    const names = (n: number, length: number): string[] =>
      Array.from({ length: n }, (_, k) => `%${String(k).padStart(length - 1, '0')}`);
    const of = (registers: string[]): string[] =>
      lines({ scheduler: { model: 'm', registers, effect: effect('e') } })
        .slice(1)
        .filter((l) => l.startsWith('    '))
        .map((l) => l.slice(4));
    // `%0000000, ` is ten characters
    assert.deepEqual(
      of(names(7, 8)).map((l) => l.length),
      [68],
    );
    assert.deepEqual(
      of(names(8, 8)).map((l) => l.length),
      [69, 8],
    );
    assert.deepEqual(
      of(names(9, 7)).map((l) => l.length),
      [71, 7].map((n, k) => (k === 0 ? 71 : n)),
    );
    assert.deepEqual(
      of(names(2, 36)).map((l) => l.length),
      [37, 36],
    );
    assert.deepEqual(
      of([...names(1, 36), ...names(1, 34)]).map((l) => l.length),
      [72],
    );
    assert.deepEqual(
      of([...names(1, 36), ...names(1, 35)]).map((l) => l.length),
      [37, 35],
    );
    assert.deepEqual(
      of(names(1, 100)).map((l) => l.length),
      [100],
    );
    assert.deepEqual(
      of(names(2, 100)).map((l) => l.length),
      [101, 100],
    );
  });
});
