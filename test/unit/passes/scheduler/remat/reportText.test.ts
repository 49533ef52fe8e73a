/** The rematerialization report as text: every part, from a report made by hand. */
import assert from 'node:assert/strict';
import type { RematRegion, RematReport, RematScore } from '../../../../../server/src/passes/scheduler/remat/report.js';
import { printRematReport, scoreText } from '../../../../../server/src/passes/scheduler/remat/reportText.js';
import type { PressureTrace } from '../../../../../server/src/passes/scheduler/trace/pressureTrace.js';

const LABELS = { text: (i: number): string => `I${i}`, line: (i: number): number => (i >= 100 ? 0 : i + 10) };

const pressure = (vgpr: number, sgpr: number, agpr = 0, avgpr = 0): PressureTrace => ({
  vgpr, sgpr, agpr, avgpr, sgprTupleWeight: 0, vgprTupleWeight: 0, agprTupleWeight: 0, avgprTupleWeight: 0,
}); // prettier-ignore

const NO_EXCESS = { sgpr: 0, vgpr: 0, agpr: 0, unified: 0 };

const region = (more: Partial<RematRegion> = {}): RematRegion => ({
  region: 0, block: 0, first: 0, last: 3, boundary: -1, frequency: null, isTarget: true, before: pressure(25, 4), occupancyBefore: 9,
  excessBefore: { ...NO_EXCESS, vgpr: 1 }, rematerialized: null, after: pressure(25, 4), occupancyAfter: 9,
  excessAfter: { ...NO_EXCESS, vgpr: 1 }, ...more,
}); // prettier-ignore

const report = (more: Partial<RematReport> = {}): RematReport => ({
  model: 'llvm-22', objective: { kind: 'occupancy', occupancy: 10 }, occupancyBefore: 9, occupancyAfter: 9, maxWaves: 10,
  budget: { sgpr: 80, vgpr: 24, unified: null }, regions: [region()], candidates: [], rejected: [], rounds: [], chosen: [],
  achievedOccupancy: null, result: 'no useful candidate', ...more,
}); // prettier-ignore

const linesOf = (more: Partial<RematReport>): string[] =>
  printRematReport(report(more), LABELS).split('\n').slice(0, -1);

const HEAD = 'rematerialization (LLVM 22.1.8): ';
const BUDGET = '  a region may use VGPR 24, SGPR 80';
const REGION = '  region 0 (bb.0, line 10): max pressure VGPR 25, SGPR 4, occupancy 9; target: 1 VGPR too many';

describe('text of a rematerialization report', () => {
  it('says what was wanted and what came of it', () => {
    assert.deepEqual(linesOf({}), [`${HEAD}for occupancy 10 in 1 region: no useful candidate`, BUDGET, REGION]);
    const spilling = { kind: 'spilling', occupancy: null } as const;
    assert.equal(
      linesOf({ objective: spilling, result: 'targets already met' })[0],
      `${HEAD}nothing to do, no region spills`,
    );
    assert.equal(linesOf({ result: 'targets already met' })[0], `${HEAD}for occupancy 10, targets already met`);
    assert.equal(
      linesOf({ objective: spilling, result: 'rolled back' })[0],
      `${HEAD}to spill less in 1 region: 0 registers rematerialized, rolled back`,
    );
    assert.equal(
      linesOf({ result: 'kept', occupancyAfter: 10, regions: [region(), region(), region({ isTarget: false })] })[0],
      `${HEAD}for occupancy 10 in 2 regions: 0 registers rematerialized, kept, occupancy 9 -> 10`,
    );
  });

  it('counts a unified file together where no bank alone is above', () => {
    const budget = { sgpr: 80, vgpr: 256, unified: 512 };
    const unified = { ...NO_EXCESS, unified: 3 };
    const before = pressure(200, 4, 120, 10);
    assert.deepEqual(
      linesOf({ budget, regions: [region({ before, excessBefore: unified, frequency: 1 / 3 })] }).slice(1),
      [
        '  a region may use VGPR 256, SGPR 80, VGPR and AGPR together 512',
        '  region 0 (bb.0, line 10): max pressure VGPR 210, SGPR 4, AGPR 120, occupancy 9, frequency 0.333; target: 3 VGPR and AGPR together too many',
      ],
    );
    const both = { sgpr: 2, vgpr: 0, agpr: 1, unified: 3 };
    assert.match(
      linesOf({ budget, regions: [region({ before, excessBefore: both })] })[2],
      /; target: 2 SGPR, 1 AGPR too many$/,
    );
    assert.match(linesOf({ budget, regions: [region({ before, excessBefore: NO_EXCESS })] })[2], /; target: above it$/);
  });

  it('shows regions that are no target only where their pressure changed', () => {
    const still = { isTarget: false, excessBefore: NO_EXCESS, excessAfter: NO_EXCESS, rematerialized: pressure(25, 4) };
    assert.deepEqual(linesOf({ regions: [region(still)] }).slice(2), []);
    assert.deepEqual(linesOf({ regions: [region({ ...still, rematerialized: pressure(24, 4, 0, 1) })] }).slice(2), []);
    for (const [rematerialized, text] of [
      [pressure(24, 4), 'VGPR 25 -> 24, SGPR 4'],
      [pressure(25, 5), 'VGPR 25, SGPR 4 -> 5'],
      [pressure(25, 4, 1), 'VGPR 25, SGPR 4, AGPR 0 -> 1'],
    ] as const)
      assert.deepEqual(
        linesOf({ regions: [region({ ...still, rematerialized, after: rematerialized, occupancyAfter: 10 })] }).slice(
          2,
        ),
        [`  region 0 (bb.0, line 10): max pressure ${text}, occupancy 9 -> 10`],
      );
    const shown = region({ rematerialized: pressure(20, 4), after: pressure(22, 4) });
    assert.equal(linesOf({ regions: [shown] })[2], REGION.replace('VGPR 25', 'VGPR 25 -> 20 -> 22'));
  });

  it('tells of each candidate its verdict, and what was moved where', () => {
    const candidate = {
      def: 1, defRegion: 0, vreg: 7, name: '%7', bank: 'VGPR', registers: 2, uses: [{ instr: 5, region: 1 }, { instr: 6, region: 1 }, { instr: 9, region: -1 }],
      live: [1, 2], liveThrough: [2],
    } as const; // prettier-ignore
    const copies = [
      { clone: 100, use: 5, region: 1, vreg: 7, name: '%7' },
      { clone: 101, use: 100, region: 1, vreg: 8, name: '%8' },
    ];
    const score = { maxFreq: 16, freqDiff: -0.5, regionImpact: 2 };
    const verdicts = [{ candidate: 0, score, verdict: 'chosen' }] as const;
    const what = {
      candidates: [candidate],
      chosen: [{ candidate: 0, copies }],
      regions: [region({ rematerialized: pressure(24, 4), after: pressure(24, 4) })],
    };
    const moved = [
      '  region 0 (bb.0, line 10): max pressure VGPR 25 -> 24, SGPR 4, occupancy 9; target: 1 VGPR too many, 1 VGPR left',
      '  moved %7 (line 11) before I5 (line 15)',
      '  moved %7 (line 11) before I100, as %8',
    ];
    const text = '    chosen: %7 (line 11), 2 VGPR, region 0 to region 1, after the regions, only passes region 2';
    const scored = `${text}  [helps at frequency 16, frequency 0.5 higher at the use, impact 2]`;
    const one = { verdicts, reopened: [], open: [] };
    assert.deepEqual(linesOf({ ...what, rounds: [one] }).slice(2), [...moved, '  candidates:', scored]);
    const rounds = [
      one,
      { verdicts: [], reopened: [1], open: [1] },
      { verdicts: [{ ...verdicts[0], score: null }], reopened: [2], open: [1, 2] },
    ];
    assert.deepEqual(linesOf({ ...what, rounds }).slice(5), [
      '  round 1:',
      scored,
      '  round 3:',
      text,
      '    too optimistic: region 2 still above the target',
      '    above the target after this round: regions 1, 2',
    ]);
  });

  it('groups what cannot be rematerialized by its reason', () => {
    const rejected = (def: number, name: string, more = {}) =>
      ({
        def,
        defRegion: 0,
        vreg: 0,
        name,
        why: 'several definitions',
        operand: -1,
        operandName: '',
        uses: [],
        ...more,
      }) as const;
    const operand = { why: 'operand not available at the use', operand: 3, operandName: '%3' };
    assert.deepEqual(
      linesOf({
        rejected: [
          rejected(1, '%a'),
          rejected(2, '%b', operand),
          rejected(4, '%a'),
          rejected(5, '%a'),
          rejected(7, '%c'),
          rejected(100, '%d'),
        ],
      }).slice(3),
      [
        '  cannot be rematerialized:',
        '    several definitions: %a (line 11 and 2 others), %c (line 17), %d',
        '    operand not available at the use (%3): %b (line 12)',
      ],
    );
  });

  it('says of a score what counts', () => {
    const text = (maxFreq: number, freqDiff: number, regionImpact: number): string =>
      scoreText({ maxFreq, freqDiff, regionImpact } satisfies RematScore);
    assert.equal(text(9, 9, 0), 'no target region gains');
    assert.equal(text(0, 0, 1), 'runs as often, impact 1');
    assert.equal(text(0.0625, 4, 1), 'helps at frequency 0.063, frequency 4 lower at the use, impact 1');
  });
});
