/** Which scheduler a function gets, and what is done to its graphs first (AMDGPUTargetMachine::createMachineScheduler, LLVM 22.1.8). */
import assert from 'node:assert/strict';
import { DepKind, NONE } from '../../../../server/src/passes/scheduler/dag/graph.js';
import { GenericKind } from '../../../../server/src/passes/scheduler/generic/genericScheduler.js';
import { IterativeKind } from '../../../../server/src/passes/scheduler/iterative/iterativeScheduler.js';
import { formRegions } from '../../../../server/src/passes/scheduler/regions.js';
import {
  chooseScheduler,
  DEFAULT_SCHEDULE_OPTIONS,
  isKnownMisched,
  prepareSchedule,
  scheduleFunction,
  SchedulerProcessState,
  whyNotModelledFor,
  whyNotScheduled,
  type ScheduleOptions,
  type SchedulerChoice,
} from '../../../../server/src/passes/scheduler/scheduleFunction.js';
import { StrategyKind } from '../../../../server/src/passes/scheduler/strategy/gcnSchedStrategy.js';
import { lowerWithRunLine } from '../../../support/schedule.js';

const EXEC = 'implicit $exec';

/** Neighbouring loads and stores, a carry that is added at once, exports, a barrier. */
const BODY = `    liveins: $vgpr0_vgpr1, $vgpr2, $sgpr4_sgpr5
    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, ${EXEC} :: (load (s32), addrspace 1)
    %3:vgpr_32 = GLOBAL_LOAD_DWORD %0, 4, 0, ${EXEC} :: (load (s32), addrspace 1)
    %4:vgpr_32, %5:sreg_32_xm0_xexec = V_ADD_CO_U32_e64 %1, %2, 0, ${EXEC}
    %6:vgpr_32, dead %7:sreg_32_xm0_xexec = V_ADDC_U32_e64 %1, %3, killed %5, 0, ${EXEC}
    GLOBAL_STORE_DWORD %0, %4, 16, 0, ${EXEC} :: (store (s32), addrspace 1)
    GLOBAL_STORE_DWORD %0, %6, 20, 0, ${EXEC} :: (store (s32), addrspace 1)
    EXP 32, %1, undef %1, undef %1, undef %1, 0, 0, 15, ${EXEC}
    EXP 12, %1, undef %1, undef %1, undef %1, 0, 0, 15, ${EXEC}
    S_ENDPGM 0
`;

const textOf = (
  cpu: string,
  attributes: string,
  body: string,
): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu}
--- |
  define amdgpu_ps void @f() ${attributes} { ret void }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
${body}...
`;

function functionOf(attributes = '', cpu = 'gfx1030', body = BODY): ReturnType<typeof lowerWithRunLine>['fns'][number] {
  return lowerWithRunLine(textOf(cpu, attributes, body)).fns[0];
}

const withOptions = (options: Partial<ScheduleOptions>): ScheduleOptions => ({
  ...DEFAULT_SCHEDULE_OPTIONS,
  ...options,
});

const chosen = (options: Partial<ScheduleOptions>, attributes = ''): SchedulerChoice =>
  chooseScheduler(functionOf(attributes), withOptions(options));

const BY_MISCHED: readonly (readonly [string, SchedulerChoice])[] = [
  ['gcn-max-occupancy', { list: StrategyKind.MaxOccupancy }],
  ['gcn-max-ilp', { list: StrategyKind.MaxILP }],
  ['gcn-max-memory-clause', { list: StrategyKind.MaxMemoryClause }],
  ['gcn-iterative-max-occupancy-experimental', { iterative: IterativeKind.MaxOccupancy }],
  ['gcn-iterative-minreg', { iterative: IterativeKind.MinReg }],
  ['gcn-iterative-ilp', { iterative: IterativeKind.ILP }],
  ['converge', { generic: GenericKind.Converge }],
  ['ilpmax', { generic: GenericKind.ILPMax }],
  ['ilpmin', { generic: GenericKind.ILPMin }],
];

const BY_STRATEGY: readonly (readonly [string, SchedulerChoice])[] = [
  ['max-ilp', { list: StrategyKind.MaxILP }],
  ['max-memory-clause', { list: StrategyKind.MaxMemoryClause }],
  ['iterative-ilp', { iterative: IterativeKind.ILP }],
  ['iterative-minreg', { iterative: IterativeKind.MinReg }],
  ['iterative-maxocc', { iterative: IterativeKind.MaxOccupancy }],
  ['', { list: StrategyKind.MaxOccupancy }],
  ['no-such-strategy', { list: StrategyKind.MaxOccupancy }],
];

describe('choice of the scheduler', () => {
  it('is what -misched names', () => {
    for (const [name, choice] of BY_MISCHED) {
      assert.deepEqual(chosen({ misched: name }), choice, name);
      assert.ok(isKnownMisched(name), name);
      assert.deepEqual(
        chosen({ misched: name, schedStrategy: 'max-ilp' }, '"amdgpu-sched-strategy"="max-ilp"'),
        choice,
      );
    }
  });

  it('is the target\'s for "default" and without a name', () => {
    for (const name of ['', 'default']) {
      assert.ok(isKnownMisched(name));
      assert.deepEqual(chosen({ misched: name }), { list: StrategyKind.MaxOccupancy });
    }
    for (const name of ['max-ilp', 'gcn', 'shuffle', 'si', 'r600']) assert.ok(!isKnownMisched(name), name);
  });

  it('is what the option names, before all the attribute', () => {
    for (const [name, choice] of BY_STRATEGY) {
      assert.deepEqual(chosen({ schedStrategy: name }), choice, name);
      assert.deepEqual(chosen({}, `"amdgpu-sched-strategy"="${name}"`), choice, name);
      assert.deepEqual(
        chosen({ schedStrategy: 'max-memory-clause' }, `"amdgpu-sched-strategy"="${name}"`),
        choice,
        name,
      );
    }
  });
});

describe('what is not modelled', () => {
  const SI = '"target-features"="+si-scheduler"';
  const SUB = `    %0:vreg_64 = IMPLICIT_DEF
    S_NOP 0, implicit %0.sub0
    S_ENDPGM 0
`;
  const WHOLE = `    %0:vreg_64 = IMPLICIT_DEF
    S_NOP 0, implicit %0, implicit $vgpr3
    S_ENDPGM 0
`;
  const why = (misched: string, attributes: string, body: string): string | null =>
    whyNotModelledFor(functionOf(attributes, 'gfx900', body), withOptions({ misched }));

  it('is the SI scheduler, unless another one is named', () => {
    for (const misched of ['', 'default', 'converge', 'gcn-iterative-ilp']) assert.equal(why(misched, '', SUB), null);
    for (const misched of ['', 'default']) assert.match(why(misched, SI, WHOLE)!, /the SI scheduler, .*-misched=/);
    for (const [misched] of BY_MISCHED) assert.equal(why(misched, SI, WHOLE), null, misched);
  });

  it('are sub-registers as whole ones, but for the iterative schedulers', () => {
    for (const [misched, choice] of BY_MISCHED)
      if ('iterative' in choice) assert.equal(why(misched, SI, SUB), null, misched);
      else assert.match(why(misched, SI, SUB)!, /sub-registers that are scheduled as whole registers/);
  });
});

/** What is joined in clusters, by names of opcodes; the kinds of weak edges. */
function clustersOf(options: Partial<ScheduleOptions>, cpu: string): string[] {
  const found = new Set<string>();
  const fn = functionOf('', cpu, cpu === 'gfx900' ? BODY.replaceAll('sreg_32_xm0_xexec', 'sreg_64_xexec') : BODY);
  const { context, scheduler, mutations } = prepareSchedule(fn, withOptions(options), new SchedulerProcessState());
  const { graph } = scheduler;
  for (const region of formRegions(context.fn, context.list, context.roles)) {
    scheduler.regionGraph.build(context.makeRegion(region), mutations);
    for (let n = 0; n < graph.nSUnits; n++)
      for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e])
        if (graph.edgeKind[e] === DepKind.Cluster) found.add(fn.tables.opcodeName(fn.opcode[graph.instr[n]]));
  }
  return [...found].sort();
}

const [LOADS, STORES, EXPORTS, CARRY] = ['GLOBAL_LOAD_DWORD', 'GLOBAL_STORE_DWORD', 'EXP', 'V_ADDC_U32_e64'];

describe('clusters that a scheduler makes', () => {
  const EXPECTED: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['gcn-max-occupancy', [LOADS, STORES], [CARRY, EXPORTS]],
    ['gcn-max-ilp', [], []],
    ['gcn-max-memory-clause', [LOADS, STORES], [EXPORTS]],
    ['gcn-iterative-max-occupancy-experimental', [LOADS, STORES], []],
    ['gcn-iterative-minreg', [], []],
    ['gcn-iterative-ilp', [LOADS, STORES], [CARRY]],
    ['converge', [], []],
  ];
  for (const [misched, memory, others] of EXPECTED)
    it(`are those of LLVM: ${misched}`, () => {
      for (const cpu of ['gfx900', 'gfx1030', 'gfx1100']) {
        // stores from GFX11 on
        const wanted = [...memory.filter((m) => m !== STORES || cpu === 'gfx1100'), ...others];
        assert.deepEqual(clustersOf({ misched }, cpu), [...wanted].sort(), cpu);
        assert.deepEqual(clustersOf({ misched, cluster: false }, cpu), [...others].sort(), `${cpu}, no clusters`);
        const unfused = wanted.filter((w) => w !== CARRY).sort();
        assert.deepEqual(clustersOf({ misched, fusion: false }, cpu), unfused, `${cpu}, no fusion`);
      }
    });
});

describe('a function marked optnone', () => {
  it('stays as it is', () => {
    assert.match(whyNotScheduled(functionOf('optnone noinline'))!, /optnone/);
    assert.equal(whyNotScheduled(functionOf('noinline')), null);
    const fn = functionOf('optnone noinline');
    const result = scheduleFunction(fn, DEFAULT_SCHEDULE_OPTIONS, new SchedulerProcessState());
    assert.deepEqual([...result.fn.order.subarray(0, 10)], [...fn.order.subarray(0, 10)]);
    assert.notEqual(result.fn, fn);
  });
});
