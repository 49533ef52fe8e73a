/** The machine scheduler's options by llc's names and rules. */
import { CommandLineErrorKind, readCommandLine, UsageError } from '../../commandLine/commandLine.js';
import { ANY_LLC_TABLE } from '../../commandLine/optionTable.js';
import { whyNumbersDiffer } from '../../commandLine/notModelled.js';
import type { OptionValue } from '../../commandLine/optionSpec.js';
import { OWN_SCHEDULE_OPTIONS, REWRITE_MFMA } from './optionSpecs.js';
import { HUGE_REGION } from './dag/memory.js';
import { DEFAULT_SCHEDULE_OPTIONS, isKnownMisched, type ScheduleOptions } from './scheduleFunction.js';
import { DEFAULT_MODEL, isSchedulerModel, type SchedulerModel } from './schedulerModel.js';
import { Direction } from './strategy/gcnSchedStrategy.js';

/** Values of the options that were given, by name. */
export type GivenOptions = ReadonlyMap<string, OptionValue>;

const flag = (given: GivenOptions, name: string, byDefault: boolean): boolean => {
  const v = given.get(name);
  return typeof v === 'boolean' ? v : byDefault;
};
const int = (given: GivenOptions, name: string, byDefault: number): number => {
  const v = given.get(name);
  return typeof v === 'number' ? v : byDefault;
};
const intOrNull = (given: GivenOptions, name: string): number | null => {
  const v = given.get(name);
  return typeof v === 'number' ? v : null;
};
const text = (given: GivenOptions, name: string): string => {
  const v = given.get(name);
  return typeof v === 'string' ? v : '';
};

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ['topdown', Direction.TopDown],
  ['bottomup', Direction.BottomUp],
]);

/** `-misched-resource-cutoff` */
const DEFAULT_RESOURCE_CUTOFF = 10;

const modelOf = (name: string): SchedulerModel => (isSchedulerModel(name) ? name : DEFAULT_MODEL);

/** The pass's options from llc's. Throws UsageError for a scheduler that llc does not know. */
export function scheduleOptions(given: GivenOptions): ScheduleOptions {
  const d = DEFAULT_SCHEDULE_OPTIONS;
  const misched = text(given, 'misched');
  if (!isKnownMisched(misched)) {
    throw new UsageError(`llc: for the --misched option: Cannot find option named '${misched}'!`);
  }
  const model = modelOf(text(given, 'model'));
  if (model === DEFAULT_MODEL && given.has(REWRITE_MFMA)) {
    throw new UsageError(
      `llc: Unknown command line argument '-${REWRITE_MFMA}'.  LLVM 22 has no such option, LLVM main has.`,
    );
  }
  const hugeRegionLimits = {
    hugeRegion: intOrNull(given, 'dag-maps-huge-region'),
    reductionSize: intOrNull(given, 'dag-maps-reduction-size'),
  };
  const hugeRegion = hugeRegionLimits.hugeRegion ?? HUGE_REGION;
  const reductionSize = hugeRegionLimits.reductionSize ?? Math.floor(hugeRegion / 2);
  if (reductionSize < 1 || reductionSize > hugeRegion) {
    throw new UsageError(
      `amdgpu-mir does not model a reduction of the dependence maps by ${reductionSize} of ${hugeRegion} nodes: ` +
        'llc-22 reads outside of its list of nodes.',
    );
  }
  return {
    model,
    misched,
    schedStrategy: text(given, 'amdgpu-sched-strategy'),
    direction: DIRECTIONS.get(text(given, 'misched-prera-direction')) ?? Direction.Bidirectional,
    cluster: flag(given, 'misched-cluster', d.cluster),
    fusion: flag(given, 'misched-fusion', d.fusion),
    // the option of the generic scheduler wins over the target's when it is given
    useAA: flag(given, 'enable-aa-sched-mi', flag(given, 'amdgpu-use-aa-in-codegen', d.useAA)),
    usesBasicAA: !flag(given, 'disable-basic-aa', !d.usesBasicAA),
    useAmdgpuTrackers: flag(given, 'amdgpu-use-amdgpu-trackers', d.useAmdgpuTrackers),
    disableUnclusteredHighRP: flag(given, 'amdgpu-disable-unclustered-high-rp-reschedule', d.disableUnclusteredHighRP),
    disableClusteredLowOccupancy: flag(
      given,
      'amdgpu-disable-clustered-low-occupancy-reschedule',
      d.disableClusteredLowOccupancy,
    ),
    rewriteMfmaForm: !flag(given, REWRITE_MFMA, true),
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
    tracksPressure: flag(given, 'misched-regpressure', d.tracksPressure),
    cyclicPath: flag(given, 'misched-cyclicpath', d.cyclicPath),
    zone: {
      readyListLimit: int(given, 'misched-limit', d.zone.readyListLimit),
      resourceCutoff: flag(given, 'sched-model-force-enable-intervals', false)
        ? int(given, 'misched-resource-cutoff', DEFAULT_RESOURCE_CUTOFF)
        : null,
    },
    verifies: flag(given, 'verify-misched', d.verifies),
    usesScopes: flag(given, 'enable-scoped-noalias', d.usesScopes),
    schedModel: flag(given, 'schedmodel', d.schedModel),
    hugeRegionLimits,
    clusterLimits: {
      forceFast: flag(given, 'force-fast-cluster', d.clusterLimits.forceFast),
      fastThreshold: int(given, 'fast-cluster-threshold', d.clusterLimits.fastThreshold),
    },
    stressRegAlloc: int(given, 'stress-regalloc', d.stressRegAlloc),
  };
}

/** `-enable-misched=0` leaves every function as it is. */
export const isSchedulerOn = (given: GivenOptions): boolean => flag(given, 'enable-misched', true);

/**
 * How `llc ARGS` would schedule, where `ownOptions` win over the words of ARGS: the options, or why it would not: a value that llc
 * refuses, in its words, an option that is not modelled, or a scheduler that is switched off. Words that are no options of llc are passed over.
 */
export function schedulerSetting(
  args: readonly string[],
  ownOptions: GivenOptions = new Map(),
): ScheduleOptions | string {
  try {
    const { values, errors, occurrences } = readCommandLine(args, OWN_SCHEDULE_OPTIONS, 'llc', ANY_LLC_TABLE);
    const error = errors.find((e) => e.kind === CommandLineErrorKind.Value);
    if (error !== undefined) return error.text.trimEnd();
    for (const given of occurrences) {
      const why = whyNumbersDiffer(given);
      if (why !== null) return why;
    }
    const given = new Map([...values, ...ownOptions]);
    if (!isSchedulerOn(given)) return 'the machine scheduler is switched off (-enable-misched=0)';
    return scheduleOptions(given);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
