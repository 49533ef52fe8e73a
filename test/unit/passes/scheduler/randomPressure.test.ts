/**
 * Random functions of high pressure (test/support/randomPressure.ts) through the machine scheduler against llc-22: dynamic VGPRs, the
 * profit of a schedule at its rounding, inline assembly, debug values, instruction groups. `AMDGPU_MIR_RUNS=500` tries that many seeds of each.
 */
import assert from 'node:assert/strict';
import { normalise } from '../../../support/golden.js';
import { needsLlc } from '../../../support/llc.js';
import { randomPressure, type RandomPressureOptions } from '../../../support/randomPressure.js';
import { lowerWithRunLine, scheduleWithLlc, scheduleWithOurs } from '../../../support/schedule.js';
import { runsOr } from '../../../support/switches.js';
import { LatencyModel } from '../../../../server/src/passes/scheduler/dag/latency.js';
import { resolveSchedClass } from '../../../../server/src/passes/scheduler/schedClass.js';

const N_SEEDS = runsOr(0);

interface Kind {
  readonly name: string;
  readonly cpus: readonly string[];
  readonly args: readonly (readonly string[])[];
  readonly options: (seed: number) => RandomPressureOptions;
  /** seeds that tell the rule from its neighbours, and some others */
  readonly seeds: readonly number[];
}

const KINDS: readonly Kind[] = [
  {
    name: 'dynamic VGPRs: what a revert asks about blocks',
    cpus: ['gfx1200', 'gfx1201', 'gfx1250'],
    args: [[], ['-mattr=+wavefrontsize64']],
    options: (s) => ({
      size: 40 + ((s * 7) % 160),
      attributes: `"amdgpu-dynamic-vgpr-block-size"="${s % 2 ? 16 : 32}"`,
    }),
    seeds: [0, 1, 28, 52],
  },
  {
    name: 'the profit of a schedule is rounded as unsigned arithmetic from left to right does',
    cpus: ['gfx900', 'gfx906', 'gfx1030'],
    args: [0, 1, 2, 3, 5, 7, 11, 13, 17, 20, 25, 30, 40, 50].map((bias) => [`-amdgpu-schedule-metric-bias=${bias}`]),
    options: (s) => ({ size: 60 + ((s * 7) % 100), attributes: '"amdgpu-waves-per-eu"="1,10"' }),
    seeds: [2, 45, 88],
  },
  {
    name: 'inline assembly that reads memory, in every scheduler',
    cpus: ['gfx900', 'gfx90a', 'gfx1103', 'gfx1200', 'gfx942'],
    args: [
      [],
      ['-misched=gcn-max-ilp'],
      ['-misched=gcn-max-memory-clause'],
      ['-misched=gcn-iterative-ilp'],
      ['-misched=gcn-iterative-minreg'],
      ['-misched=gcn-iterative-max-occupancy-experimental'],
    ],
    options: (s) => ({ size: 20 + ((s * 7) % 100), inlineAsm: 15 }),
    seeds: [5, 6, 9, 10, 12, 13, 25, 29],
  },
  {
    name: 'kill flags where a region with debug values went back to its order',
    cpus: ['gfx900', 'gfx906', 'gfx90a', 'gfx1100'],
    args: [[], ['-misched=gcn-iterative-ilp']],
    options: (s) => ({ size: 40 + ((s * 7) % 160), debugValues: 10 }),
    seeds: [8, 9, 16, 17],
  },
  {
    name: 'instruction groups with inline assembly',
    cpus: ['gfx900', 'gfx906', 'gfx90a', 'gfx1100', 'gfx942'],
    args: [[], ['-misched=gcn-max-ilp']],
    options: (s) => ({ size: 30 + ((s * 7) % 90), groupBarriers: 10, inlineAsm: 15 }),
    seeds: [0, 1, 9, 11],
  },
];

describe('random functions of high pressure', function () {
  this.timeout(0);
  before(function () {
    needsLlc(this);
  });

  for (const { name, cpus, args, options, seeds } of KINDS) {
    it(name, () => {
      let accepted = 0;
      for (const s of N_SEEDS === 0 ? seeds : Array.from({ length: N_SEEDS }, (_, k) => k)) {
        const text = randomPressure(s, options(s));
        const own = args[Math.floor(s / cpus.length) % args.length];
        const all = ['-mtriple=amdgcn-amd-amdhsa', `-mcpu=${cpus[s % cpus.length]}`, ...own];
        const llc = scheduleWithLlc(text, all);
        // llc-22 itself crashes on some pipelines of instruction groups
        if (llc.status !== 0) continue;
        accepted++;
        assert.equal(
          normalise(scheduleWithOurs(text, all).stdout),
          normalise(llc.stdout),
          `seed ${s}, ${all.join(' ')}`,
        );
      }
      assert.ok(accepted > 0, 'llc-22 accepted none');
    });
  }
});

describe('latency of copies', () => {
  // cycles as the oracle prints them (`oracle dag`) on gfx1100
  const EXPECTED: readonly (readonly [copy: string, cycles: number])[] = [
    ['$vgpr4_lo16 = COPY undef $vgpr4_hi16', 5],
    ['$vgpr130_hi16 = COPY undef $vgpr4_lo16', 5],
    ['$vgpr4 = COPY undef $vgpr5', 5],
    ['$sgpr4 = COPY undef $sgpr5', 2],
    ['$scc = COPY undef $sgpr5', 2],
  ];
  it('goes by the bank, also to halves of registers', () => {
    const copies = EXPECTED.map(([copy]) => `    ${copy}\n`).join('');
    const { fns } = lowerWithRunLine(
      `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx1100 -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n${copies}    S_ENDPGM 0\n...\n`,
    );
    const model = new LatencyModel(fns[0], resolveSchedClass);
    assert.deepEqual(
      EXPECTED.map((_, i) => model.instrLatency(i)),
      EXPECTED.map(([, cycles]) => cycles),
    );
  });
});
