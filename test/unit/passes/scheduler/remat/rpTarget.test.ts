/** Register budgets and scores of the rematerialization stages, by the formulas of docs/llvm/remat.md, 0.1, B.4 and B.5. */
import assert from 'node:assert/strict';
import { computeBlockFrequencies } from '../../../../../server/src/analysis/blockFrequency.js';
import { DominatorTree } from '../../../../../server/src/analysis/dominators.js';
import { LoopInfo } from '../../../../../server/src/analysis/loops.js';
import { newPressure, VRegPressureFacts } from '../../../../../server/src/analysis/gcnPressure.js';
import {
  compareScores,
  frequencyDifference,
  regionFrequencies,
  reportedScore,
} from '../../../../../server/src/passes/scheduler/remat/rematScore.js';
import {
  budgetForOccupancy,
  GCNRPTarget,
  MainRPTarget,
  makeBudget,
} from '../../../../../server/src/passes/scheduler/remat/rpTarget.js';
import { RegKind } from '../../../../../server/src/target/api.js';
import { lowerWithRunLine } from '../../../../support/schedule.js';

/** SGPRs, VGPRs, AGPRs, registers that may be either. */
type Counts = readonly [number, number, number, number];

function pressureOf([sgpr, vgpr, agpr, av]: Counts) {
  const p = newPressure();
  p[RegKind.SGPR] = sgpr;
  p[RegKind.VGPR] = vgpr;
  p[RegKind.AGPR] = agpr;
  p[RegKind.AVGPR] = av;
  return p;
}

const fnOn = (cpu: string, blocks = '  bb.0:\n    S_ENDPGM 0\n') =>
  lowerWithRunLine(
    `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=machine-scheduler\n---\nname: f\nbody: |\n${blocks}...\n`,
  ).fns[0]!;

/** What the targets of a processor say: [satisfied, vector excess, saving helps SGPR, VGPR, AGPR, AV of 22.1.8, the same of main, of 8 registers]. */
function answers(cpu: string, budget: readonly [number, number], counts: Counts): unknown[] {
  const st = fnOn(cpu).subtarget;
  const limits = makeBudget(st, 0, ...budget);
  const old = new GCNRPTarget(limits, pressureOf(counts));
  const main = new MainRPTarget(st, limits, pressureOf(counts));
  const kinds = [RegKind.SGPR, RegKind.VGPR, RegKind.AGPR, RegKind.AVGPR];
  assert.equal(old.isSatisfied, main.isSatisfied);
  return [
    old.isSatisfied,
    main.hasVectorRegisterExcess,
    kinds.map((k) => (old.isSaveBeneficial(k) ? 1 : 0)).join(''),
    kinds.map((k) => (main.isSaveBeneficial(k) ? 1 : 0)).join(''),
    kinds.map((k) => main.numRegsBenefit(k, 8)),
  ];
}

describe('budgets of the rematerialization stages', () => {
  it('are what the processor can address and a number of waves leaves', () => {
    const [old, unified] = ['gfx908', 'gfx90a'].map((cpu) => fnOn(cpu).subtarget);
    assert.deepEqual(makeBudget(old!, 0, 200, 300), { maxSGPRs: 102, maxVGPRs: 256, maxUnified: 0 });
    assert.deepEqual(makeBudget(unified!, 0, 90, 300), { maxSGPRs: 90, maxVGPRs: 256, maxUnified: 300 });
    assert.deepEqual(makeBudget(unified!, 0, 90, 600), { maxSGPRs: 90, maxVGPRs: 256, maxUnified: 512 });
    // 16 SGPRs of each wave are the trap handler's
    assert.deepEqual(budgetForOccupancy(old!, 0, 10), { maxSGPRs: 64, maxVGPRs: 24, maxUnified: 0 });
    assert.deepEqual(budgetForOccupancy(unified!, 0, 8), { maxSGPRs: 80, maxVGPRs: 64, maxUnified: 64 });
  });

  it('two files: each has its own limit', () => {
    const none = [0, 0, 0, 0];
    for (const [counts, expected] of [
      [
        [80, 24, 24, 0],
        [true, false, '0000', '0000', none],
      ],
      [
        [80, 20, 24, 4],
        [true, false, '0000', '0000', none],
      ],
      [
        [80, 21, 24, 4],
        [false, true, '0101', '0101', [0, 1, 0, 1]],
      ],
      [
        [80, 35, 24, 0],
        [false, true, '0101', '0101', [0, 8, 0, 8]],
      ],
      [
        [80, 24, 27, 0],
        [false, true, '0010', '0010', [0, 0, 3, 0]],
      ],
      [
        [80, 26, 27, 0],
        [false, true, '0111', '0111', [0, 2, 3, 2]],
      ],
    ] as const)
      assert.deepEqual(answers('gfx908', [80, 24], counts), expected, counts.join());
  });

  it('SGPRs above the budget cost main a VGPR for each wave of them', () => {
    for (const [cpu, counts, expected] of [
      ['gfx908', [81, 23, 0, 0], [false, false, '1000', '1000', [1, 0, 0, 0]]],
      ['gfx908', [81, 24, 0, 0], [false, true, '1000', '1101', [1, 1, 0, 1]]],
      ['gfx908', [144, 24, 0, 0], [false, true, '1000', '1101', [8, 1, 0, 1]]],
      ['gfx908', [145, 24, 0, 0], [false, true, '1000', '1101', [8, 2, 0, 2]]],
      ['gfx1030', [112, 24, 0, 0], [false, true, '1000', '1101', [8, 1, 0, 1]]],
      ['gfx1030', [113, 24, 0, 0], [false, true, '1000', '1101', [8, 2, 0, 2]]],
      // an AGPR cannot hold an SGPR
      ['gfx908', [81, 0, 24, 0], [false, true, '1000', '1000', [1, 0, 0, 0]]],
    ] as const)
      assert.deepEqual(answers(cpu, [80, 24], counts), expected, counts.join());
  });

  it('one file: VGPRs in steps of four and AGPRs together', () => {
    const none = [0, 0, 0, 0];
    for (const [counts, expected] of [
      [
        [96, 64, 0, 0],
        [true, false, '0000', '0000', none],
      ],
      [
        [96, 65, 0, 0],
        [false, true, '0111', '0111', [0, 1, 1, 1]],
      ],
      [
        [96, 32, 32, 0],
        [true, false, '0000', '0000', none],
      ],
      [
        [96, 30, 32, 2],
        [true, false, '0000', '0000', none],
      ],
      [
        [96, 33, 32, 0],
        [false, true, '0111', '0111', [0, 4, 4, 4]],
      ],
      [
        [96, 31, 32, 2],
        [false, true, '0111', '0111', [0, 4, 4, 4]],
      ],
      [
        [96, 0, 66, 0],
        [false, true, '0111', '0111', [0, 2, 2, 2]],
      ],
      [
        [97, 60, 3, 0],
        [false, false, '1000', '1000', [1, 0, 0, 0]],
      ],
      [
        [97, 60, 4, 0],
        [false, true, '1000', '1111', [1, 1, 1, 1]],
      ],
    ] as const)
      assert.deepEqual(answers('gfx90a', [96, 64], counts), expected, counts.join());
    // above what VGPR instructions can name a register counts twice
    for (const [counts, expected] of [
      [
        [0, 256, 256, 0],
        [true, false, '0000', '0000', none],
      ],
      [
        [0, 258, 0, 0],
        [false, true, '0101', '0101', [0, 2, 0, 2]],
      ],
      [
        [0, 0, 259, 0],
        [false, true, '0010', '0010', [0, 0, 3, 0]],
      ],
      [
        [0, 258, 256, 0],
        [false, true, '0111', '0111', [0, 6, 4, 6]],
      ],
      [
        [0, 263, 256, 0],
        [false, true, '0111', '0111', [0, 8, 8, 8]],
      ],
    ] as const)
      assert.deepEqual(answers('gfx90a', [96, 512], counts), expected, counts.join());
  });

  it('a register that is saved goes from the pressure', () => {
    const fn = fnOn(
      'gfx908',
      '  bb.0:\n    %0:vreg_64 = IMPLICIT_DEF\n    %1:sreg_32 = IMPLICIT_DEF\n    S_ENDPGM 0, implicit %0, implicit %1\n',
    );
    assert.equal(fn.vregs.n, 2);
    const facts = new VRegPressureFacts(fn);
    const before = pressureOf([81, 26, 0, 0]);
    const target = new GCNRPTarget(makeBudget(fn.subtarget, 0, 80, 24), before);
    const now = (): number[] => [target.pressure[RegKind.SGPR]!, target.pressure[RegKind.VGPR]!];
    // a half of one of the two registers, then both
    target.saveReg(facts, 0, 1, 0);
    assert.deepEqual(now(), [81, 25]);
    target.saveReg(facts, 1, 3, 0);
    assert.deepEqual([...now(), target.isSatisfied], [80, 25, false]);
    target.setPressure(before);
    assert.deepEqual(now(), [81, 26]);
    target.saveReg(facts, 0, 0xf, 0);
    target.saveReg(facts, 1, 3, 0);
    assert.deepEqual([...now(), target.isSatisfied], [80, 24, true]);
    assert.equal(before[RegKind.VGPR], 26);
  });
});

describe('scores of the rematerialization stages', () => {
  it('frequencies: blocks of regions, the least and the greatest of them, scaled down when all are large', () => {
    const loop = (name: string, weights: string): string =>
      `  bb.0:\n    successors: %bb.1\n\n    S_NOP 0\n\n  bb.1:\n    successors: ${weights}\n\n    S_NOP 0\n    S_CBRANCH_SCC0 %bb.1, implicit undef $scc\n    S_BRANCH %bb.2\n\n  bb.2:\n    S_NOP 0${name}\n    S_ENDPGM 0\n`;
    const fn = fnOn('gfx908', loop('', '%bb.1(0x7c000000), %bb.2(0x04000000)'));
    const f = regionFrequencies(fn, [{ block: 1 }, { block: 0 }, { block: 2 }]);
    assert.deepEqual([f.of[1], f.of[2], f.min], [f.entry, f.entry, f.entry]);
    assert.equal(f.max, f.of[0]);
    // 31 of 32 iterations go on
    assert.equal(Math.round(Number(f.of[0]) / Number(f.entry)), 32);
    const few = regionFrequencies(fn, [{ block: 2 }]);
    // what is not less than the least so far counts for the greatest
    assert.deepEqual([few.min, few.max], [few.entry, few.entry]);
    assert.deepEqual(regionFrequencies(fn, []), { of: [], min: f.entry, max: 0n, entry: f.entry });
  });

  it('frequencies: what never runs is not the least, and where even the least is large all are divided', () => {
    const ends = (n: number): string => Array.from({ length: n }, (_, k) => `  bb.${k}:\n    S_ENDPGM 0\n`).join('\n');
    const rare = '  bb.0:\n    successors: %bb.1(0x00000001), %bb.2(0x7fffffff)\n\n    S_CBRANCH_SCC0 %bb.2, implicit undef $scc\n\n  bb.1:\n    S_NOP 0\n\n  bb.2:\n    S_ENDPGM 0\n';
    const seen = new Set<boolean>();
    for (const [body, n] of [[ends(1), 1], [ends(3), 3], [rare, 3]] as const) {
      const fn = fnOn('gfx908', body);
      const raw = computeBlockFrequencies(fn.blocks, new LoopInfo(fn.blocks, new DominatorTree(fn.blocks)));
      const of = Array.from({ length: n }, (_, block) => raw[block]!);
      const least = of.filter((f) => f !== 0n).reduce((a, b) => (a < b ? a : b));
      const by = least < 1n << 20n ? 1n : 1024n;
      const f = regionFrequencies(fn, of.map((_, block) => ({ block })));
      assert.deepEqual([f.of, f.min, f.entry], [of.map((x) => x / by), least / by, raw[0]! / by]);
      seen.add(of.includes(0n));
    }
    assert.ok(seen.has(true) && seen.has(false));
  }); // prettier-ignore

  it('difference: the definition counts as the rarest block at least, an unknown user as the most frequent one', () => {
    const f = { of: [8n, 2n, 0n, 64n], min: 4n, max: 64n, entry: 8n };
    assert.equal(frequencyDifference(f, 0, [1]), 6n);
    assert.equal(frequencyDifference(f, 1, [0]), -4n);
    assert.equal(frequencyDifference(f, 3, [0, 1]), 54n);
    assert.equal(frequencyDifference(f, 0, [2]), -56n);
    assert.equal(frequencyDifference(f, 2, []), 4n);
    assert.equal(frequencyDifference(f, -1, [0, 3]), -72n);
  });

  it('the frequency where it helps counts first, then how much rarer it runs, then how many regions gain', () => {
    const score = (maxFreq: bigint, freqDiff: bigint, regionImpact: number) => ({ maxFreq, freqDiff, regionImpact });
    const ascending = [
      score(1n, -5n, 9),
      score(1n, -4n, 1),
      score(1n, 3n, 1),
      score(1n, 3n, 2),
      score(2n, -9n, 1),
      score(2n, -9n, 3),
    ];
    ascending.forEach((a, i) =>
      ascending.forEach((b, j) => assert.equal(Math.sign(compareScores(a, b)), Math.sign(j - i), `${i}, ${j}`)),
    );
    assert.deepEqual(reportedScore(score(8n, -2n, 3), 4n), { maxFreq: 2, freqDiff: -0.5, regionImpact: 3 });
    assert.deepEqual(reportedScore(score(8n, -2n, 3), 0n), { maxFreq: 0, freqDiff: 0, regionImpact: 3 });
  });
});
