/**
 * Whole output of the machine-scheduler pass against llc-22: every strategy and option, on fixtures and on random functions. What is
 * compared is all that llc prints: order, flags, header keys, occupancy.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandsOf } from '../../../server/src/program/targetOfFile.js';
import { TestFile } from '../../../server/src/program/testFile/testFile.js';
import { normalise } from '../../support/golden.js';
import { needsLlc } from '../../support/llc.js';
import { MEMORY_ARGS, randomMemory } from '../../support/randomMemory.js';
import { randomFunction } from '../../support/randomFunction.js';
import { randomRemat } from '../../support/randomRemat.js';
import { RANDOM_ARGS, randomSchedule } from '../../support/randomSchedule.js';
import { scheduleWithLlc, scheduleWithOurs } from '../../support/schedule.js';

const FIXTURES = [
  join(__dirname, '..', '..', 'golden', 'schedule'),
  join(__dirname, '..', '..', 'fixtures', 'schedule'),
];

const OPTIONS: readonly (readonly string[])[] = [
  [],
  ['-amdgpu-sched-strategy=max-ilp'],
  ['-amdgpu-sched-strategy=max-memory-clause'],
  ['-amdgpu-sched-strategy=iterative-ilp'],
  ['-amdgpu-sched-strategy=iterative-minreg'],
  ['-amdgpu-sched-strategy=iterative-maxocc'],
  ['-misched=gcn-max-ilp'],
  ['-amdgpu-use-amdgpu-trackers'],
  ['-amdgpu-disable-unclustered-high-rp-reschedule'],
  ['-amdgpu-disable-clustered-low-occupancy-reschedule'],
  ['-amdgpu-schedule-relaxed-occupancy'],
  ['-amdgpu-schedule-metric-bias=100'],
  ['-amdgpu-scheduler-pending-queue-limit=0'],
  ['-misched-cluster=0'],
  ['-misched-fusion=0'],
  ['-misched-prera-direction=topdown'],
  ['-misched-prera-direction=bottomup'],
  ['-misched-dcpl'],
];

const title = (args: readonly string[]): string => (args.length === 0 ? 'defaults' : args.join(' '));

function assertSame(text: string, args: readonly string[], what: string): void {
  const llc = scheduleWithLlc(text, args);
  assert.equal(llc.status, 0, `llc-22 rejects ${what}: ${llc.stderr.split('\n').slice(0, 3).join(' ')}`);
  const ours = scheduleWithOurs(text, args);
  assert.equal(normalise(ours.stdout), normalise(llc.stdout), what);
  assert.equal(ours.stderr, llc.stderr, what);
}

describe('machine-scheduler against llc-22', () => {
  before(function () {
    needsLlc(this);
  });

  describe('fixtures', () => {
    const files = FIXTURES.flatMap((folder) =>
      readdirSync(folder)
        .filter((f) => f.endsWith('.mir'))
        .map((f) => join(folder, f)),
    );
    for (const args of OPTIONS) {
      it(title(args), () => {
        for (const file of files) {
          const text = readFileSync(file, 'utf8');
          const { triple, cpu } = runCommandsOf(new TestFile(text))[0];
          assertSame(text, [`-mtriple=${triple}`, `-mcpu=${cpu}`, ...args], file.replace(/^.*[/\\]/, ''));
        }
      });
    }
  });

  it('whatever starts a barrier keeps its distance from the wait', () => {
    const starts = ['S_BARRIER', 'S_BARRIER_SIGNAL_IMM -1', 'S_BARRIER_SIGNAL_M0 implicit $m0', 'S_NOP 0'];
    for (const start of starts) {
      const adds = Array.from({ length: 11 }, (_, k) => `%${k + 1}:vgpr_32 = V_ADD_U32_e32 %0, %${k}, implicit $exec`);
      const lines = ['liveins: $vgpr0, $m0', '', '%0:vgpr_32 = COPY $vgpr0', start, 'S_BARRIER_WAIT -1', ...adds];
      const body = [...lines, '$vgpr0 = COPY %11', 'S_ENDPGM 0, implicit $vgpr0'].map((l) => `    ${l}`.trimEnd());
      const text = ['---', 'name: f', 'tracksRegLiveness: true', 'body: |', '  bb.0:', ...body, '...', ''].join('\n');
      assertSame(text, ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx1200'], start);
    }
  });

  describe('random functions', () => {
    OPTIONS.forEach((args, k) => {
      it(title(args), () => {
        const n = k === 0 ? 12 : 4;
        for (let seed = k * 20; seed < k * 20 + n; seed++) {
          const text = randomSchedule(seed, { size: 8 + (seed % 30), blocks: 1 + (seed % 4) });
          assertSame(text, [...RANDOM_ARGS, ...args], `seed ${seed}`);
        }
      });
    });
  });

  it('random functions whose registers are rematerialized', () => {
    for (let seed = 0; seed < 25; seed++) {
      const text = randomRemat(seed);
      const { triple, cpu } = runCommandsOf(new TestFile(text))[0];
      assertSame(text, [`-mtriple=${triple}`, `-mcpu=${cpu}`], `seed ${seed}`);
    }
  });

  it('random functions whose lanes are undefined on some paths', () => {
    for (const args of [[], ['-amdgpu-sched-strategy=iterative-ilp']]) {
      for (let seed = 4335; seed < 4355; seed++) {
        const text = randomFunction(seed, 'f', { maxBlocks: 12, undefinedPaths: true });
        if (text !== null) assertSame(text, [...RANDOM_ARGS, ...args], `seed ${seed} ${title(args)}`);
      }
    }
  });

  it('random functions of loads and stores through pointers of all sorts', () => {
    for (let seed = 0; seed < 40; seed++) assertSame(randomMemory(seed, 30), MEMORY_ARGS, `seed ${seed}`);
  });
});
