/**
 * Kernels that nobody tuned to: random OpenCL programs (test/support/randomOpenCl.ts) compiled by clang-22 and cut by llc-22 before a pass, then
 * that pass and others with random options, by llc-22 and here: standard output, standard error and exit code are equal.
 * `AMDGPU_MIR_RUNS=5000` is the long version, `AMDGPU_MIR_SEED` takes other programs, `AMDGPU_MIR_ONLY=N` one program of them, `AMDGPU_MIR_SHOW` prints
 * how many runs there were of each kind.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../support/damageInputs.js';
import { needsLlc } from '../support/llc.js';
import { knownDifference, runLlcJob } from '../support/llcJobs.js';
import { compileOpenCl, hasClang, mirOf, randomOpenCl, withAttributes } from '../support/randomOpenCl.js';
import { skip } from '../support/skip.js';
import { KEEP, ONLY, runsOr, seedOr, SHOW } from '../support/switches.js';

const SEED = seedOr(1);
const RUNS = runsOr(25);

const ALLOCATION = ['-stop-after=virtregrewriter,2'];

interface Stage {
  readonly name: string;
  /** where llc-22 stops, from IR */
  readonly stop: string;
  readonly passes: readonly (readonly string[])[];
}

/** Where the passes between are cut for what only reads, and where the pipeline of the allocator ends or begins. */
const BETWEEN = [
  'amdgpu-isel', 'si-i1-copies', 'si-fold-operands', 'early-machinelicm', 'machine-sink', 'si-wqm', 'si-lower-control-flow', 'phi-node-elimination',
  'twoaddressinstruction', 'register-coalescer', 'rename-independent-subregs', 'si-optimize-exec-masking-pre-ra', 'si-form-memory-clauses', 'prologepilog',
  'postrapseudos', 'si-post-ra-bundler', 'si-insert-waitcnts', 'branch-relaxation', 'amdgpu-pre-ra-optimizations', 'si-lower-sgpr-spills', 'gcn-create-vopd',
]; // prettier-ignore
const ALLOCATION_PASSES = [
  'amdgpu-pre-ra-optimizations', 'si-wqm', 'si-optimize-exec-masking-pre-ra', 'si-form-memory-clauses', 'amdgpu-pre-ra-long-branch-reg', 'greedy,0',
  'virtregrewriter,0', 'stack-slot-coloring', 'si-lower-sgpr-spills', 'si-pre-allocate-wwm-regs', 'greedy,1', 'si-lower-wwm-copies', 'virtregrewriter,1',
  'amdgpu-reserve-wwm-regs', 'greedy,2', 'amdgpu-nsa-reassign', 'virtregrewriter,2',
]; // prettier-ignore

const STAGES: readonly Stage[] = [
  ...BETWEEN.map((pass) => ({
    name: 'between',
    stop: `-stop-after=${pass}`,
    passes: [
      ['-run-pass=none'],
      ['-run-pass=none', '-verify-machineinstrs'],
      ['-run-pass=none', '-simplify-mir'],
      ['-passes=print<machine-uniformity>', '-filetype=null'],
      ['-run-pass=amdgpu-print-rp'],
    ],
  })),
  ...ALLOCATION_PASSES.flatMap((pass, k) => [
    {
      name: 'part',
      stop: '-stop-before=machine-scheduler',
      passes: [['-start-before=machine-scheduler', `-stop-after=${pass}`]],
    },
    ...(k > 4
      ? [{ name: 'part', stop: '-stop-before=greedy,0', passes: [['-start-before=greedy,0', `-stop-after=${pass}`]] }]
      : []),
    ...(k > 4 && k < 16
      ? [{ name: 'rest', stop: `-stop-after=${pass}`, passes: [[`-start-after=${pass}`, ...ALLOCATION]] }]
      : []),
  ]),
];
const USUAL: readonly Stage[] = [
  {
    name: 'selected',
    stop: '-stop-after=finalize-isel',
    passes: [
      ['-run-pass=none', '-verify-machineinstrs'],
      ['-passes=print<machine-uniformity>', '-filetype=null'],
    ],
  },
  { name: 'copies', stop: '-stop-before=si-fix-sgpr-copies', passes: [['-run-pass=si-fix-sgpr-copies']] },
  {
    name: 'unscheduled',
    stop: '-stop-before=machine-scheduler',
    passes: [
      ['-run-pass=machine-scheduler'],
      ['-run-pass=machine-scheduler'],
      ['-run-pass=amdgpu-print-rp'],
      ['-run-pass=amdgpu-print-rp', '-amdgpu-print-rp-downward'],
      ['-start-before=machine-scheduler', ...ALLOCATION],
      ['-start-before=machine-scheduler', '-stop-after=greedy,2'],
    ],
  },
  {
    name: 'scheduled',
    stop: '-stop-before=greedy',
    passes: [
      ['-start-before=greedy,0', ...ALLOCATION],
      ['-start-before=greedy,0', ...ALLOCATION],
    ],
  },
  ...['dead-mi-elimination', 'processimpdefs', 'unreachable-mbb-elimination'].map((pass) => ({
    name: 'small',
    stop: `-stop-before=${pass}`,
    passes: [[`-run-pass=${pass}`], [`-run-pass=${pass}`, '-verify-machineinstrs']],
  })),
  { name: 'allocated', stop: '-stop-after=virtregrewriter,2', passes: [['-run-pass=none', '-verify-machineinstrs']] },
];

/** Options of the first run, which makes the MIR. */
const SELECTIONS: readonly (readonly string[])[] = [
  ['-O1'],
  ['-O3'],
  ['-global-isel', '-global-isel-abort=2'],
  ['-amdgpu-mfma-vgpr-form=0'],
  ['-amdgpu-mfma-vgpr-form=1'],
  ['-amdgpu-enable-vopd=false'],
];

const SCHEDULER_OPTIONS: readonly string[] = [
  '-amdgpu-sched-strategy=max-ilp',
  '-amdgpu-sched-strategy=max-memory-clause',
  '-misched=gcn-iterative-ilp',
  '-misched=gcn-iterative-minreg',
  '-misched=gcn-iterative-max-occupancy-experimental',
  '-misched=gcn-max-ilp',
  '-amdgpu-use-amdgpu-trackers',
  '-misched-prera-direction=topdown',
  '-misched-prera-direction=bottomup',
  '-misched-cluster=false',
  '-amdgpu-schedule-metric-bias=0',
  '-amdgpu-schedule-metric-bias=100',
  '-amdgpu-disable-unclustered-high-rp-reschedule',
  '-amdgpu-schedule-relaxed-occupancy',
  '-enable-aa-sched-mi=false',
  '-amdgpu-igrouplp-exact-solver',
  '-misched=converge',
  '-misched=ilpmax',
  '-misched=ilpmin',
  '-misched-fusion=false',
  '-misched-prera-direction=bidirectional',
  '-amdgpu-schedule-metric-bias=40',
  '-amdgpu-disable-clustered-low-occupancy-reschedule',
  '-amdgpu-scheduler-pending-queue-limit=4',
  '-stress-regalloc=8',
  '-verify-misched',
];
const ALLOCATOR_OPTIONS: readonly string[] = [
  '-stress-regalloc=4',
  '-stress-regalloc=6',
  '-stress-regalloc=10',
  '-stress-regalloc=16',
  '-stress-regalloc=3',
  '-stress-regalloc=8',
  '-stress-regalloc=12',
  '-stress-regalloc=24',
  '-split-spill-mode=size',
  '-split-spill-mode=speed',
  '-lcr-max-interf=4',
  '-grow-region-complexity-budget=100',
  '-consider-local-interval-cost',
  '-enable-deferred-spilling',
  '-verify-regalloc',
  '-greedy-reverse-local-assignment',
  '-disable-spill-fusing',
  '-amdgpu-dce-in-ra=0',
  '-verify-machineinstrs',
  '-simplify-mir',
  '-exhaustive-register-search',
  '-amdgpu-spill-sgpr-to-vgpr=false',
  '-no-stack-slot-sharing',
  '-split-threshold-for-reg-with-hint=10',
  '-lcr-max-depth=2',
];

/** The input of a run, and how llc-22 was asked. */
function keepInput(folder: string, name: string, text: string, args: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.mir`), text);
  writeFileSync(join(folder, `${name}.args`), args.join('\n'));
}

function optionsOf(pass: readonly string[], random: Random): string[] {
  const options: string[] = [];
  const schedules = pass.some((p) => p.includes('machine-scheduler'));
  const allocates = pass.some((p) => p.startsWith('-stop-after'));
  if (schedules && random.chance(50)) options.push(random.pick(SCHEDULER_OPTIONS));
  if (schedules && random.chance(10)) options.push(random.pick(SCHEDULER_OPTIONS));
  if (allocates && random.chance(50)) options.push(random.pick(ALLOCATOR_OPTIONS));
  if (allocates && random.chance(15)) options.push(random.pick(ALLOCATOR_OPTIONS));
  // At -O1 llc has no such passes to stop at, and generates code.
  const needsO2 = pass.some((p) => /stop-after=(?:amdgpu-pre-ra-optimizations|si-form-memory-clauses)$/.test(p));
  if (pass.some((p) => p.startsWith('-start')) && random.chance(10))
    options.push(needsO2 ? '-O3' : random.pick(['-O1', '-O3']));
  return options;
}

describe('kernels compiled by clang-22', function () {
  this.timeout(0);

  it(`${RUNS} runs, seed ${SEED}`, function () {
    needsLlc(this);
    if (!hasClang()) skip(this, 'clang-22 is not installed');
    const different: string[] = [];
    const refused: string[] = [];
    const counts = new Map<string, number>();
    let runs = 0;
    let compiled = 0;
    for (let n = ONLY === undefined ? 0 : Number(ONLY); ONLY === undefined ? runs < RUNS : n === Number(ONLY); n++) {
      assert.ok(n < RUNS + 20, 'clang-22 or llc-22 refuses nearly all programs');
      const random = new Random(SEED * 1_000_003 + n);
      const source = randomOpenCl(random);
      const { ir: made } = compileOpenCl(source);
      if (made === null) continue;
      const ir = random.chance(40) ? withAttributes(made, random) : made;
      const selection = random.chance(70) ? [] : random.pick(SELECTIONS);
      compiled++;
      for (let k = 0; k < 6; k++) {
        const stage = random.pick(random.chance(70) ? USUAL : STAGES);
        const pass = random.pick(stage.passes);
        const options = optionsOf(pass, random);
        const text = mirOf(ir, source, [...selection, stage.stop]);
        if (text === null) continue;
        const args = [`-mtriple=${source.triple}`, `-mcpu=${source.cpu}`, ...pass, ...options];
        const name = `program ${n} of seed ${SEED}: ${stage.name} ${args.join(' ')}`;
        const job = { name, text, args };
        const result = runLlcJob(job);
        const { differs, ours } = result;
        runs++;
        const kind = `${stage.name} ${pass[0]}`;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        const isRefused = differs !== 'crash' && ours.stderr.includes('amdgpu-mir does not model');
        const isDifferent = differs !== null && differs !== 'crash' && knownDifference(job, result) === null;
        if (isRefused) refused.push(`${name}: ${ours.stderr.trim()}`);
        else if (isDifferent) different.push(`${differs} of ${name}`);
        if (KEEP !== undefined && (isRefused || isDifferent)) keepInput(KEEP, `s${SEED}-${n}-${k}`, text, args);
        if (SHOW > 0 && (isRefused || isDifferent)) console.log(`      ${(isRefused ? refused : different).at(-1)}`);
      }
    }
    if (SHOW > 0) {
      console.log(`      ${compiled} programs, ${runs} runs, ${different.length} differ, ${refused.length} refused`);
      for (const [kind, count] of counts) console.log(`      ${count} ${kind}`);
    }
    assert.deepEqual(different, []);
    assert.ok(refused.length <= Math.ceil(runs / 500), refused.join('\n'));
    assert.ok(ONLY !== undefined || compiled > 0, 'clang-22 compiled no program');
  });
});
