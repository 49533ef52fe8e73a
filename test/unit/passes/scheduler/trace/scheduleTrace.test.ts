/** What the trace of a schedule says agrees with itself, with the rules it names and with the code that came out, under every scheduler. */
import assert from 'node:assert/strict';
import { PROPOSED, USES_PROPOSAL } from '../../../../../server/src/passes/scheduler/iterative/iterativeScheduler.js';
import type { ScheduleOptions } from '../../../../../server/src/passes/scheduler/scheduleFunction.js';
import type { TracedSchedule } from '../../../../../server/src/passes/scheduler/trace/collector.js';
import type {
  Contest,
  PickTrace,
  RegionRunDetails,
} from '../../../../../server/src/passes/scheduler/trace/scheduleTrace.js';
import { randomPressure } from '../../../../support/randomPressure.js';
import { randomRegions } from '../../../../support/randomRegions.js';
import { highPressure, randomSchedule } from '../../../../support/randomSchedule.js';
import { randomTiny } from '../../../../support/randomTiny.js';
import type { Question } from '../../../../support/answers.js';
import { traceText } from '../../../../support/schedule.js';

/** +1: the larger number wins, -1: the smaller one. Pressure rules compare sets first. */
const WINS: Readonly<Record<string, 1 | -1>> = {
  PhysReg: 1,
  Stall: -1,
  Cluster: 1,
  Weak: -1,
  ResourceReduce: -1,
  ResourceDemand: 1,
  BotHeightReduce: -1,
  BotPathReduce: 1,
  TopDepthReduce: -1,
  TopPathReduce: 1,
};

const SETTINGS: readonly (readonly [options: Partial<ScheduleOptions>, scheduler: string, origin: string])[] = [
  [{}, 'gcn-max-occupancy', 'default'],
  [{ misched: 'default' }, 'gcn-max-occupancy', 'default'],
  [{ misched: 'gcn-max-ilp' }, 'gcn-max-ilp', 'option -misched'],
  [{ misched: 'gcn-max-memory-clause' }, 'gcn-max-memory-clause', 'option -misched'],
  [{ misched: 'converge' }, 'converge', 'option -misched'],
  [{ misched: 'ilpmax' }, 'ilpmax', 'option -misched'],
  [{ misched: 'ilpmin' }, 'ilpmin', 'option -misched'],
  [{ schedStrategy: 'max-ilp' }, 'gcn-max-ilp', 'option -amdgpu-sched-strategy'],
  [{ misched: 'default', schedStrategy: 'max-ilp' }, 'gcn-max-ilp', 'option -amdgpu-sched-strategy'],
  [{ schedStrategy: 'iterative-ilp' }, 'gcn-iterative-ilp', 'option -amdgpu-sched-strategy'],
  [{ schedStrategy: 'iterative-minreg' }, 'gcn-iterative-minreg', 'option -amdgpu-sched-strategy'],
  [{ schedStrategy: 'iterative-maxocc' }, 'gcn-iterative-max-occupancy-experimental', 'option -amdgpu-sched-strategy'],
];

function withRunLine({ args, input }: Question): string {
  return `# RUN: llc ${args.slice(0, 2).join(' ')} -run-pass=machine-scheduler %s\n${input}`;
}

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['regions', withRunLine(randomRegions(2))],
  ['copies', withRunLine(randomRegions(10))],
  ['more regions', withRunLine(randomRegions(13))],
  ['blocks', randomSchedule(5, { size: 12, blocks: 3 })],
  ['pressure', highPressure(5)],
  ['tiny regions', withRunLine(randomTiny(3))],
  ['more tiny regions', withRunLine(randomTiny(7))],
  [
    'an order kept for later',
    `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s\n${randomPressure(29, { size: 73 })}`,
  ],
];

const LITTLE = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=machine-scheduler %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = DS_READ_B32_gfx9 %0, 0, 0, implicit $exec :: (load (s32), addrspace 3)
    %2:vgpr_32 = V_XOR_B32_e32 %0, %0, implicit $exec
    %3:vgpr_32 = V_XOR_B32_e32 %1, %2, implicit $exec
    S_ENDPGM 0, implicit %3
...
`;

const SETS: readonly (string | null)[] = [null, 'SReg_32', 'VGPR_32', 'AGPR_32'];

function checkContest(c: Contest, side: string, scheduler: string): void {
  const what = JSON.stringify(c);
  assert.notEqual(c.winner, c.loser, what);
  const direction = WINS[c.rule];
  if (c.quantity === 'latency') {
    // gcn-max-memory-clause gives Stall as its reason for loads of long latency, too: early at the top, late at the bottom
    assert.deepEqual([c.rule, scheduler], ['Stall', 'gcn-max-memory-clause'], what);
    const [long, short] = side === 'top' ? [c.winnerValue, c.loserValue] : [c.loserValue, c.winnerValue];
    assert.ok(long > 10 * short, what);
  } else if (direction !== undefined) assert.ok((c.winnerValue - c.loserValue) * direction > 0, what);
  if (c.rule === 'NodeOrder') assert.equal(c.winnerValue > c.loserValue, side === 'bottom', what);
  const isPressure = ['RegExcess', 'RegCritical', 'RegMax'].includes(c.rule);
  if (!isPressure) assert.deepEqual([c.winnerSet, c.loserSet], [null, null], what);
  else {
    assert.ok(c.winnerSet !== null || c.loserSet !== null, what);
    assert.ok(SETS.includes(c.winnerSet) && SETS.includes(c.loserSet), what);
    for (const [set, value] of [
      [c.winnerSet, c.winnerValue],
      [c.loserSet, c.loserValue],
    ] as const)
      if (set === null) assert.equal(value, 0, what);
    if (c.winnerSet === c.loserSet) assert.ok(c.winnerValue < c.loserValue, what);
  }
}

function checkPick(p: PickTrace, oldOrder: readonly number[], scheduler: string): void {
  const what = JSON.stringify(p);
  assert.equal(p.instr, oldOrder[p.node], what);
  if (p.reason === 'Only1') return assert.deepEqual([p.top, p.bottom, p.between], [null, null, null], what);
  const own = p.side === 'top' ? p.top : p.bottom;
  const other = p.side === 'top' ? p.bottom : p.top;
  if (own !== null) assert.equal(own.best, p.instr, what);
  for (const [zone, side] of [
    [p.top, 'top'],
    [p.bottom, 'bottom'],
  ] as const) {
    if (zone === null) continue;
    assert.ok(zone.available + zone.pending > 0, what);
    if (zone.runnerUp === null) continue;
    checkContest(zone.runnerUp, side, scheduler);
    assert.ok([zone.runnerUp.winner, zone.runnerUp.loser].includes(zone.best), what);
  }
  if (p.between !== null) {
    assert.ok(other !== null, what);
    assert.equal(p.between.winner, p.instr, what);
    assert.equal(p.between.loser, other.best, what);
  }
}

function checkRun(d: RegionRunDetails, scheduler: string): void {
  const n = d.oldOrder.length;
  const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);
  assert.deepEqual(sorted(d.newOrder), sorted(d.oldOrder));
  assert.ok(d.lengthBefore >= n && d.lengthAfter >= n && d.criticalPath >= 0);
  if (scheduler.startsWith('gcn-iterative')) {
    // these look at no limit of a region
    const seen = [d.limits, d.highPressureSeen, d.highRP, d.excessRP, d.profit, d.checked];
    assert.deepEqual(seen, [null, false, false, false, null, true]);
  }
  if (d.picks.length === 0) return;
  assert.equal(d.picks.length, n);
  for (const p of d.picks) checkPick(p, d.oldOrder, scheduler);
  for (const side of ['top', 'bottom']) {
    const own = d.picks.filter((p) => p.side === side);
    for (let k = 1; k < own.length; k++) assert.ok(own[k]!.cycle >= own[k - 1]!.cycle, `cycles of the ${side}`);
  }
}

/** What the line of a region says follows from what its stages say. */
function checkRegions({ fn, trace }: TracedSchedule): void {
  const end = fn.blockEnd[fn.blocks.length - 1];
  const place = new Map([...fn.order.subarray(0, end)].map((i, k) => [i, k]));
  for (const r of trace.regions) {
    const runs = trace.stages.flatMap((s) =>
      s.runs.flatMap(({ region, details }) =>
        region === r.region && details !== null ? [{ stage: s.stage, details }] : [],
      ),
    );
    const made = runs.filter(({ details }) => details.reverted === null);
    const places = r.newOrder.map((i) => place.get(i)!);
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      'the order of the code',
    );
    assert.equal(r.nInstrs, r.oldOrder.length);
    assert.deepEqual([r.first, r.last], [r.oldOrder[0], r.oldOrder[r.nInstrs - 1]]);
    if (runs.length === 0) {
      assert.deepEqual([r.settledBy, r.lengthBefore, r.lengthAfter, r.criticalPath], [null, 0, 0, 0]);
      continue;
    }
    assert.equal(r.lengthBefore, runs[0]!.details.lengthBefore);
    const last = made.at(-1);
    const usesProposal = runs.some(({ details }) => details.reverted === USES_PROPOSAL);
    if (usesProposal) {
      // what was kept for later came into its own
      assert.ok(r.settledBy !== null && r.reverts.some(({ rule }) => rule === USES_PROPOSAL));
      const kept = runs.find(({ details: d }) => d.reverted === PROPOSED)!;
      if (made.length > 0) continue;
      // a minimal-register order has no critical path of its own
      assert.equal(r.criticalPath, runs.find(({ details: d }) => d.criticalPath > 0)?.details.criticalPath);
      assert.equal(r.settledBy, kept.stage);
      assert.deepEqual(
        [r.lengthAfter, r.occupancyAfter, r.pressureAfter, r.newOrder],
        [kept.details.lengthAfter, kept.details.occupancyAfter, kept.details.after, kept.details.newOrder],
      );
      continue;
    }
    assert.equal(r.settledBy, last?.stage ?? null);
    assert.equal(r.lengthAfter, last?.details.lengthAfter ?? r.lengthBefore);
    assert.equal(r.criticalPath, (last ?? runs[0]!).details.criticalPath);
    assert.deepEqual(
      r.reverts,
      runs.flatMap(({ stage, details: d }) =>
        d.reverted === null || d.reverted === PROPOSED ? [] : [{ stage, rule: d.reverted }],
      ),
    );
    if (trace.rematerialized.length === 0) {
      assert.deepEqual(r.newOrder, last?.details.newOrder ?? r.oldOrder);
      assert.deepEqual(r.pressureAfter, last?.details.after ?? r.pressureBefore);
      assert.equal(r.occupancyAfter, last?.details.occupancyAfter ?? r.occupancyBefore);
    }
  }
}

describe('the trace of a schedule', () => {
  for (const [options, scheduler, origin] of SETTINGS) {
    for (const [name, text] of TEXTS) {
      it(`by ${scheduler}, ${JSON.stringify(options)}: ${name}`, () => {
        for (const traced of traceText(text, options)) {
          const { trace } = traced;
          assert.deepEqual([trace.scheduler, trace.chosenBy], [scheduler, origin]);
          for (const s of trace.stages)
            for (const { details } of s.runs) if (details !== null) checkRun(details, scheduler);
          checkRegions(traced);
        }
      });
    }
  }

  it('names the scheduler and what chose it, where there is nothing to do, too', () => {
    for (const [options, scheduler, origin] of SETTINGS) {
      const [traced] = traceText(LITTLE, options);
      assert.deepEqual([traced!.trace.scheduler, traced!.trace.chosenBy], [scheduler, origin], JSON.stringify(options));
      checkRegions(traced!);
    }
  });

  it('tells of a region whose every order was taken back what it has', () => {
    const [{ trace }] = traceText(highPressure(17), { schedStrategy: 'iterative-ilp' });
    const runsOf = (r: number): readonly RegionRunDetails[] =>
      trace.stages.flatMap((s) => s.runs.flatMap(({ region, details }) => (region === r && details) || []));
    const region = trace.regions.find(({ region: r }) => {
      const runs = runsOf(r);
      return runs.length > 0 && runs.every((d) => d.reverted !== null);
    });
    assert.ok(region !== undefined);
    const runs = runsOf(region.region);
    assert.equal(region.criticalPath, runs[0]!.criticalPath);
    assert.deepEqual([region.settledBy, region.newOrder], [null, region.oldOrder]);
    assert.deepEqual(
      region.reverts.map((r) => r.rule),
      runs.map((d) => d.reverted),
    );
  });

  it('names the attribute that chose the scheduler', () => {
    const ir = [
      '--- |',
      '  define void @f() #0 { ret void }',
      '  attributes #0 = { "amdgpu-sched-strategy"="max-ilp" }',
      '...',
    ];
    const [{ trace }] = traceText(highPressure(5).replace('---\n', `${ir.join('\n')}\n---\n`));
    assert.deepEqual([trace.scheduler, trace.chosenBy], ['gcn-max-ilp', 'attribute "amdgpu-sched-strategy"']);
  });
});
