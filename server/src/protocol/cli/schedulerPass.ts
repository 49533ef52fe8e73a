/** `-run-pass=machine-scheduler`: the GCN machine scheduler with llc's options. */
import {
  DEFAULT_SCHEDULE_OPTIONS,
  isKnownMisched,
  scheduleFunction,
  SchedulerProcessState,
  type ScheduleOptions,
} from '../../scheduling/scheduleFunction.js';
import { Direction } from '../../scheduling/strategy/gcnStrategy.js';
import { UsageError, type OptionSpec, type OptionValue } from './options.js';
import type { MachinePass, PassContext } from './passes.js';

const OPTIONS: readonly OptionSpec[] = [
  { name: 'misched', kind: 'string' },
  { name: 'enable-misched', kind: 'flag' },
  { name: 'misched-dcpl', kind: 'flag' },
  { name: 'misched-cluster', kind: 'flag' },
  { name: 'misched-fusion', kind: 'flag' },
  { name: 'misched-prera-direction', kind: 'string', values: ['topdown', 'bottomup', 'bidirectional'] },
  { name: 'enable-aa-sched-mi', kind: 'flag' },
  { name: 'verify-misched', kind: 'flag' },
  { name: 'amdgpu-sched-strategy', kind: 'string' },
  { name: 'amdgpu-use-amdgpu-trackers', kind: 'flag' },
  { name: 'amdgpu-disable-unclustered-high-rp-reschedule', kind: 'flag' },
  { name: 'amdgpu-disable-clustered-low-occupancy-reschedule', kind: 'flag' },
  { name: 'amdgpu-schedule-relaxed-occupancy', kind: 'flag' },
  { name: 'amdgpu-schedule-metric-bias', kind: 'int' },
  { name: 'amdgpu-scheduler-pending-queue-limit', kind: 'int' },
  { name: 'amdgpu-barrier-signal-wait-latency', kind: 'int' },
  { name: 'amdgpu-igrouplp-exact-solver', kind: 'flag' },
  { name: 'amdgpu-igrouplp-exact-solver-cutoff', kind: 'int' },
  { name: 'amdgpu-igrouplp-exact-solver-max-branches', kind: 'int' },
  { name: 'amdgpu-igrouplp-exact-solver-cost-heur', kind: 'flag' },
];

type Given = ReadonlyMap<string, OptionValue>;

const flag = (given: Given, name: string, byDefault: boolean): boolean => {
  const v = given.get(name);
  return typeof v === 'boolean' ? v : byDefault;
};
const int = (given: Given, name: string, byDefault: number): number => {
  const v = given.get(name);
  return typeof v === 'number' ? v : byDefault;
};
const text = (given: Given, name: string): string => {
  const v = given.get(name);
  return typeof v === 'string' ? v : '';
};

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['topdown', Direction.TopDown],
  ['bottomup', Direction.BottomUp],
]);

/** The pass's options from llc's. Throws UsageError for a scheduler that llc does not know. */
export function scheduleOptions(given: Given): ScheduleOptions {
  const d = DEFAULT_SCHEDULE_OPTIONS;
  const misched = text(given, 'misched');
  if (!isKnownMisched(misched)) {
    throw new UsageError(`llc: for the --misched option: Cannot find option named '${misched}'!`);
  }
  return {
    model: d.model,
    misched,
    schedStrategy: text(given, 'amdgpu-sched-strategy'),
    direction: DIRECTIONS.get(text(given, 'misched-prera-direction')) ?? Direction.Bidirectional,
    cluster: flag(given, 'misched-cluster', d.cluster),
    fusion: flag(given, 'misched-fusion', d.fusion),
    useAA: flag(given, 'enable-aa-sched-mi', d.useAA),
    useAmdgpuTrackers: flag(given, 'amdgpu-use-amdgpu-trackers', d.useAmdgpuTrackers),
    disableUnclusteredHighRP: flag(given, 'amdgpu-disable-unclustered-high-rp-reschedule', d.disableUnclusteredHighRP),
    disableClusteredLowOccupancy: flag(
      given,
      'amdgpu-disable-clustered-low-occupancy-reschedule',
      d.disableClusteredLowOccupancy,
    ),
    relaxedOccupancy: flag(given, 'amdgpu-schedule-relaxed-occupancy', d.relaxedOccupancy),
    metricBias: int(given, 'amdgpu-schedule-metric-bias', d.metricBias),
    pendingQueueLimit: int(given, 'amdgpu-scheduler-pending-queue-limit', d.pendingQueueLimit),
    barrierSignalWaitLatencyCycles: int(given, 'amdgpu-barrier-signal-wait-latency', d.barrierSignalWaitLatencyCycles),
    iglp: {
      exactSolver: flag(given, 'amdgpu-igrouplp-exact-solver', d.iglp.exactSolver),
      exactCutoff: int(given, 'amdgpu-igrouplp-exact-solver-cutoff', d.iglp.exactCutoff),
      maxBranches: int(given, 'amdgpu-igrouplp-exact-solver-max-branches', d.iglp.maxBranches),
      costHeuristic: flag(given, 'amdgpu-igrouplp-exact-solver-cost-heur', d.iglp.costHeuristic),
    },
  };
}

/** What the scheduler carries from one function of a run to the next. */
const states = new WeakMap<PassContext, SchedulerProcessState>();

export const machineSchedulerPass: MachinePass = {
  name: 'machine-scheduler',
  pipelineName: 'machine-scheduler',
  options: OPTIONS,
  run(fn, context) {
    if (!flag(context.options, 'enable-misched', true)) return fn;
    let state = states.get(context);
    if (state === undefined) {
      state = new SchedulerProcessState();
      states.set(context, state);
    }
    const options = scheduleOptions(context.options);
    const printsPaths = flag(context.options, 'misched-dcpl', false);
    return scheduleFunction(
      fn,
      printsPaths
        ? {
            ...options,
            onRegion: (b) => context.stderr(`${fn.header.name}:%bb. ${b} ${fn.blocks[b]?.irName ?? ''} \n`),
            onCriticalPath: (n) => context.stderr(`Critical Path(GS-RR ): ${n} \n`),
          }
        : options,
      state,
      context.module,
    ).fn;
  },
};
