/**
 * Every option that steers the scheduler on a file of random functions. The orders of the instructions lie in test/golden/schedulerOptions.txt
 * as llc-22 printed them; rewritten by
 *
 *     npm run test:update
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { schedulerSetting } from '../../../../server/src/passes/scheduler/llcOptions.js';
import {
  DEFAULT_SCHEDULE_OPTIONS,
  type ScheduleOptions,
} from '../../../../server/src/passes/scheduler/scheduleFunction.js';
import { Direction } from '../../../../server/src/passes/scheduler/strategy/gcnSchedStrategy.js';
import { golden } from '../../../support/golden.js';
import { mirFunction } from '../../../support/mir.js';
import { scheduleWithLlc, scheduleWithOurs, traceText } from '../../../support/schedule.js';
import { randomFile, SCHEDULER_OPTIONS, type RandomFile } from '../../../support/schedulerOptions.js';

const GOLDEN = join(__dirname, '..', '..', '..', 'golden', 'schedulerOptions.txt');

const OPTIONS: readonly string[] = [
  '',
  ...SCHEDULER_OPTIONS.flat(),
  '-misched=converge -misched-prera-direction=topdown',
  '-misched=converge -misched-prera-direction=bottomup',
  '-misched=converge -misched-regpressure=0',
  '-misched=converge -stress-regalloc=24',
  '-misched=converge -misched-limit=2',
  '-sched-model-force-enable-intervals -misched-resource-cutoff=1',
  '-dag-maps-huge-region=5 -dag-maps-reduction-size=5',
  // the generic option wins over the target's
  '-enable-aa-sched-mi -amdgpu-use-aa-in-codegen=0',
  '-misched-postra -misched-postra-direction=bottomup -enable-post-misched=0 -scheditins=0 -sched-high-latency-cycles=500',
  '-use-tbaa-in-sched-mi=0 -amdgpu-mfma-padding-ratio=100 -amdgpu-mfma-vgpr-form -misched-dump-schedule-trace',
];

/** Instructions without the flags that scheduling changes, by function. */
function bodies(printed: string): string[][] {
  return printed.split(/^body: +\|$/m).map((body) =>
    body
      .split('\n')
      .filter((l) => /^ {4}\S/.test(l) && !/^ {4}(?:liveins|successors):/.test(l))
      .map((l) => l.trim().replace(/\b(?:killed|dead|undef) /g, '')),
  );
}

/** A line per function: the numbers of its instructions in the order printed; equal instructions count on. */
function ordersOf(input: string, printed: string): string[] {
  const before = bodies(input).slice(1);
  return bodies(printed)
    .slice(1)
    .map((body, f) => {
      const places = new Map<string, number[]>();
      before[f].forEach((line, n) => places.set(line, [...(places.get(line) ?? []), n]));
      return `f${f}: ${body.map((line) => places.get(line)?.shift() ?? '?').join(' ')}`;
    });
}

const FILES = [randomFile(1, 4), randomFile(2, 1)];

/** The orders that a program gives for a file; of functions that are ordered as without options, only the name. */
class Orders {
  private readonly plain: string;
  private readonly usual: ReadonlySet<string>;

  constructor(
    private readonly schedule: typeof scheduleWithLlc,
    private readonly file: RandomFile,
  ) {
    this.plain = schedule(file.text, [...file.args, '-enable-misched=0']).stdout;
    this.usual = new Set(this.run('').orders);
  }

  private run(options: string): { readonly orders: readonly string[]; readonly stderr: string } {
    const { text, args } = this.file;
    const run = this.schedule(text, [...args, ...options.split(' ').filter((o) => o !== '')]);
    assert.equal(run.status, 0, `${options}: ${run.stderr}`);
    return { orders: ordersOf(this.plain, run.stdout), stderr: run.stderr };
  }

  /** A section of the golden file. */
  of(options: string): string {
    const { orders, stderr } = this.run(options);
    const isUnusual = (line: string): boolean => options === '' || !this.usual.has(line);
    const lines = orders.map((line) => (isUnusual(line) ? line : line.replace(/:.*/, ' as usual')));
    return `${this.file.args.join(' ')} ${options}\n${lines.join('\n')}\n${stderr}`;
  }
}

describe('options of the scheduler', () => {
  const byLlc = (): string =>
    FILES.flatMap((file) => {
      const orders = new Orders(scheduleWithLlc, file);
      return OPTIONS.map((options) => orders.of(options));
    }).join('');
  let expected: readonly string[] = [];
  before(() => {
    expected = golden(GOLDEN, byLlc).split(/^(?=-mtriple)/m);
    assert.equal(expected.length, FILES.length * OPTIONS.length);
  });

  FILES.forEach((file, f) => {
    let ours: Orders;
    before(() => (ours = new Orders(scheduleWithOurs, file)));
    OPTIONS.forEach((options, k) => {
      it(`give the orders that llc-22 gave: file ${f} ${options}`, () => {
        assert.equal(ours.of(options), expected[f * OPTIONS.length + k]);
      });
    });
  });

  it('do something, and lose no instruction', () => {
    assert.ok(!expected.join('').includes('?'), 'an instruction that was not in the input');
    const effective = expected.filter((text) => /^f\d+:/m.test(text));
    assert.ok(effective.length > 45, `only ${effective.length} of ${expected.length} runs are unusual`);
  });

  it('are read one by one, and leave the others as they are', () => {
    const all = (words: string): ScheduleOptions => {
      const setting = schedulerSetting(words === '' ? [] : words.split(' '));
      assert.notEqual(typeof setting, 'string', words);
      return setting as ScheduleOptions;
    };
    const plain = all('');
    assert.deepEqual(plain, DEFAULT_SCHEDULE_OPTIONS);
    const { iglp, zone, clusterLimits } = plain;
    const EXPECTED: readonly (readonly [words: string, changed: Partial<ScheduleOptions>])[] = [
      ['-misched=gcn-max-ilp', { misched: 'gcn-max-ilp' }],
      ['-amdgpu-sched-strategy=max-ilp', { schedStrategy: 'max-ilp' }],
      ['-misched-prera-direction=topdown', { direction: Direction.TopDown }],
      ['-misched-prera-direction=bottomup', { direction: Direction.BottomUp }],
      ['-misched-prera-direction=bidirectional', {}],
      ['-misched-cluster=0', { cluster: false }],
      ['-misched-fusion=false', { fusion: false }],
      ['-enable-aa-sched-mi=0', { useAA: false }],
      ['-amdgpu-use-aa-in-codegen=0', { useAA: false }],
      ['-amdgpu-use-aa-in-codegen=0 -enable-aa-sched-mi', { useAA: true }],
      ['-enable-aa-sched-mi -disable-basic-aa', { useAA: true, usesBasicAA: false }],
      ['-amdgpu-use-amdgpu-trackers', { useAmdgpuTrackers: true }],
      ['-amdgpu-disable-unclustered-high-rp-reschedule', { disableUnclusteredHighRP: true }],
      ['-amdgpu-disable-clustered-low-occupancy-reschedule', { disableClusteredLowOccupancy: true }],
      ['-amdgpu-schedule-relaxed-occupancy', { relaxedOccupancy: true }],
      ['-amdgpu-schedule-metric-bias=23', { metricBias: 23 }],
      ['-amdgpu-scheduler-pending-queue-limit=24', { pendingQueueLimit: 24 }],
      ['-amdgpu-barrier-signal-wait-latency=25', { barrierSignalWaitLatencyCycles: 25 }],
      ['-amdgpu-igrouplp-exact-solver', { iglp: { ...iglp, exactSolver: true } }],
      ['-amdgpu-igrouplp-exact-solver-cutoff=26', { iglp: { ...iglp, exactCutoff: 26 } }],
      ['-amdgpu-igrouplp-exact-solver-max-branches=27', { iglp: { ...iglp, maxBranches: 27 } }],
      ['-amdgpu-igrouplp-exact-solver-cost-heur=0', { iglp: { ...iglp, costHeuristic: false } }],
      ['-misched-regpressure=0', { tracksPressure: false }],
      ['-misched-cyclicpath=0', { cyclicPath: false }],
      ['-misched-limit=28', { zone: { ...zone, readyListLimit: 28 } }],
      ['-sched-model-force-enable-intervals', { zone: { ...zone, resourceCutoff: 10 } }],
      ['-sched-model-force-enable-intervals -misched-resource-cutoff=3', { zone: { ...zone, resourceCutoff: 3 } }],
      ['-misched-resource-cutoff=3', {}],
      ['-verify-misched', { verifies: true }],
      ['-schedmodel=0', { schedModel: false }],
      ['-dag-maps-huge-region=31', { hugeRegionLimits: { hugeRegion: 31, reductionSize: null } }],
      ['-dag-maps-reduction-size=7', { hugeRegionLimits: { hugeRegion: null, reductionSize: 7 } }],
      ['-dag-maps-reduction-size=1', { hugeRegionLimits: { hugeRegion: null, reductionSize: 1 } }],
      ['-dag-maps-reduction-size=1000', { hugeRegionLimits: { hugeRegion: null, reductionSize: 1000 } }],
      ['-force-fast-cluster', { clusterLimits: { ...clusterLimits, forceFast: true } }],
      ['-fast-cluster-threshold=29', { clusterLimits: { ...clusterLimits, fastThreshold: 29 } }],
      ['-stress-regalloc=30', { stressRegAlloc: 30 }],
      ['--model=llvm-main-2026-01', { model: 'llvm-main-2026-01' }],
      ['--model=llvm-main-2026-07 -amdgpu-disable-rewrite-mfma-form-sched-stage', { model: 'llvm-main-2026-07' }],
      [
        '--model=llvm-main-2026-01 -amdgpu-disable-rewrite-mfma-form-sched-stage=0',
        { model: 'llvm-main-2026-01', rewriteMfmaForm: true },
      ],
    ];
    for (const [words, changed] of EXPECTED) assert.deepEqual(all(words), { ...plain, ...changed }, words);
    assert.match(String(schedulerSetting(['-amdgpu-disable-rewrite-mfma-form-sched-stage=0'])), /no such option/);
    assert.match(String(schedulerSetting(['-enable-misched=0'])), /switched off/);
    assert.match(String(schedulerSetting(['-dag-maps-reduction-size=0'])), /read outside of a list/);
    assert.match(String(schedulerSetting(['-dag-maps-reduction-size=1001'])), /by 1001 of 1000 nodes/);
  });

  it('that are not modelled say why', () => {
    const why = (...args: string[]): string => {
      const setting = schedulerSetting(args);
      return typeof setting === 'string' ? setting : '';
    };
    assert.match(why('-misched=si'), /does not model .*'--misched': it schedules with the SI scheduler/);
    assert.match(why('-misched=hexagon'), /another target/);
    assert.match(why('-misched=nonsense'), /Cannot find option named 'nonsense'/);
    assert.match(why('-misched-limit=0'), /keeps llc-22 from ending/);
    assert.match(why('-dag-maps-huge-region=1'), /read outside of a list/);
    assert.match(why('-dag-maps-huge-region=8', '-dag-maps-reduction-size=9'), /by 9 of 8 nodes/);
    assert.equal(why('-misched=converge', '-misched-limit=1', '-dag-maps-huge-region=2'), '');
  });

  it('beside the feature of the SI scheduler: refused where llc-22 would follow sub-registers as whole registers', () => {
    const body = (low: string): string => `
  bb.0:
    liveins: $vgpr0_vgpr1
    %0:vreg_64 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %2:vgpr_32 = V_MUL_F32_e32 ${low}, %1, implicit $mode, implicit $exec
    S_ENDPGM 0, implicit %0, implicit %2
`;
    const [parts, whole] = [mirFunction('f', body('%0.sub0')), mirFunction('f', body('%1'))];
    const run = (text: string, misched: string) =>
      scheduleWithOurs(text, ['-mtriple=amdgcn', '-mcpu=gfx1010', '-mattr=+si-scheduler', misched]);
    for (const misched of ['gcn-max-occupancy', 'gcn-max-ilp', 'converge']) {
      assert.match(run(parts, `-misched=${misched}`).stderr, /does not model sub-registers .* whole registers/);
      assert.equal(run(whole, `-misched=${misched}`).status, 0);
    }
    assert.equal(run(parts, '-misched=gcn-iterative-minreg').status, 0);
    assert.match(run(whole, '-misched=default').stderr, /does not model the SI scheduler/);
  });

  it('are told in the trace: the scheduler, its reasons, its picks', () => {
    for (const misched of ['converge', 'ilpmax', 'ilpmin'] as const) {
      const reasons = new Set<string>();
      const rules = new Set<string>();
      for (const { text, args } of FILES) {
        for (const { trace } of traceText(`# RUN: llc ${args.join(' ')} %s\n${text}`, { misched })) {
          assert.equal(trace.scheduler, misched);
          assert.equal(trace.chosenBy, 'option -misched');
          assert.equal(trace.stages.length, 1);
          assert.equal(trace.occupancyBefore, trace.occupancyAfter);
          for (const { details } of trace.stages[0].runs) {
            assert.ok(details !== null);
            assert.equal(details.picks.length, details.newOrder.length);
            const bottomUp = details.picks.map((p) => p.instr).reverse();
            if (misched !== 'converge') assert.deepEqual(bottomUp, details.newOrder);
            for (const p of details.picks) {
              reasons.add(p.reason);
              rules.add((p.side === 'top' ? p.top : p.bottom)?.runnerUp?.rule ?? '');
            }
          }
        }
      }
      const expected =
        misched === 'converge' ? ['Only1', 'FirstValid', 'NodeOrder'] : ['Only1', 'ILP', 'ScheduledTree'];
      for (const reason of expected) assert.ok(reasons.has(reason), `${misched}: no pick by ${reason}`);
      const ownRules = misched === 'converge' ? ['NodeOrder', 'Stall'] : ['ILP', 'ScheduledTree'];
      for (const rule of ownRules) assert.ok(rules.has(rule), `${misched}: nothing beaten by ${rule}`);
    }
  });
});
