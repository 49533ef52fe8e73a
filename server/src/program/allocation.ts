/** How llc would allocate the registers of a function as it stands, with the options of the active RUN line. */
import { readCommandLine, UsageError } from '../commandLine/commandLine.js';
import { ANY_LLC_TABLE } from '../commandLine/optionTable.js';
import type { OptionValue } from '../commandLine/optionSpec.js';
import type { IRModule } from '../ir/module.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { REGALLOC_REFUSED } from '../passes/cuts.js';
import { NotModelled, PassError } from '../passes/machinePass.js';
import { passesOfAllocation, type PlacedPass } from '../passes/codegenPipeline.js';
import { callsToAllocation } from '../passes/pipelineCalls.js';
import type { EarlierStart } from '../passes/regalloc/runAllocation.js';
import type { SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { refuseOtherAllocators, regAllocOptions } from '../passes/regalloc/regAllocOptions.js';
import { whyNotAllocatable } from '../passes/regalloc/notAllocatable.js';
import { ScheduledIntervals } from '../passes/regalloc/scheduledIntervals.js';
import type { RegAllocOptions } from '../passes/regalloc/state.js';
import { allocateFunction, type AllocatedFunction, type CollectOptions } from '../passes/regalloc/trace/collector.js';
import {
  scheduleFunction,
  SchedulerProcessState,
  type ModuleFacts,
  type ScheduleOptions,
  type ScheduleResult,
} from '../passes/scheduler/scheduleFunction.js';
import { traceSchedule, type TracedSchedule, type TraceOptions } from '../passes/scheduler/trace/collector.js';
import { lazy } from '../util/lazy.js';
import type { FileTarget } from './targetOfFile.js';

export interface AllocationSetting {
  /** or why nothing is allocated */
  readonly options: RegAllocOptions | string;
  /** the RUN line begins at the scheduler or before it: what it allocates is the function in the scheduler's order */
  readonly isBeforeScheduler: boolean;
  /** it begins after the scheduler: what machineFunctionInfo says of occupancy is that of whoever made the file */
  readonly isAfterScheduler: boolean;
  /** equal for equal settings */
  readonly key: string;
  /** all options of the RUN line, for passes before the scheduler */
  readonly given: ReadonlyMap<string, OptionValue>;
}

/** From the scheduler on; a file that a run begins at one of them has been scheduled, unless it begins before the first. */
const passesToAllocation = lazy((): ReadonlySet<string> => new Set(passesOfAllocation().map(({ name }) => name)));

/** `ownOptions` win over the words of the RUN line. */
export function allocationSettingOf(
  { commands, commandIdx }: FileTarget,
  ownOptions: ReadonlyMap<string, OptionValue> = new Map(),
): AllocationSetting {
  const { values } = readCommandLine(commands[commandIdx]?.args ?? [], [], 'llc', ANY_LLC_TABLE);
  const given = new Map([...values, ...ownOptions]);
  const options = optionsOf(given);
  const first = [given.get('run-pass'), given.get('start-before'), given.get('stop-before')].flat().map(String);
  const isBeforeScheduler = first.some((name) => /^machine-scheduler(,0)?$/.test(name));
  const begins = [given.get('run-pass'), given.get('start-before'), given.get('start-after')].flat().map(String);
  const isAfterScheduler =
    !isBeforeScheduler && begins.some((name) => passesToAllocation().has(name.replace(/,\d+$/, '')));
  return { options, isBeforeScheduler, isAfterScheduler, key: JSON.stringify([options, isBeforeScheduler]), given };
}

function optionsOf(given: ReadonlyMap<string, OptionValue>): RegAllocOptions | string {
  if (given.has('regalloc')) return REGALLOC_REFUSED;
  try {
    refuseOtherAllocators(given);
    return regAllocOptions(given);
  } catch (error) {
    if (!(error instanceof PassError)) throw error;
    return error.message.replace(/^llc: error: /, '').replace(/\.$/, '');
  }
}

/** The passes between the scheduler and the allocator run, the scheduler itself is switched off. */
export const SCHEDULER_OFF = 'scheduler off';

/** How the scheduler runs before the allocator. */
export interface SchedulerBefore {
  readonly options: ScheduleOptions;
  readonly facts: ModuleFacts;
  /** what the scheduler keeps from function to function; not given: the function is alone in its process */
  readonly process?: SchedulerProcessState;
  /** handed the function in the scheduler's order, before registers are allocated; not given where the schedule is traced */
  readonly keep?: (scheduled: ScheduleResult) => void;
  /** for who wants to know the schedule as well: the same run makes it, and hands it over before registers are allocated */
  readonly trace?: { readonly options: TraceOptions; readonly keep: (schedule: TracedSchedule) => void };
}

/**
 * Or why it cannot be told. `schedule`: the scheduler goes before, in the same process, so that the allocator finds what its moves leave in slot indexes and
 * live intervals; the function must be one that can be scheduled. Throws what `checkpoint` throws.
 */
export function allocateAsItStands(
  fn: MachineFunction,
  ir: IRModule | null,
  setting: AllocationSetting,
  collect: CollectOptions,
  schedule: SchedulerBefore | typeof SCHEDULER_OFF | null = null,
): AllocatedFunction | string {
  const { options } = setting;
  if (typeof options === 'string') return options;
  const why = whyNotAllocatable(fn);
  if (why !== null) return why;
  return orWhyNot(() => {
    if (schedule === null) return allocateFunction(fn, options, { ir }, collect);
    if (schedule === SCHEDULER_OFF) return allocateFunction(fn, options, { ir, scheduled: null }, collect);
    const follower = new ScheduledIntervals(collect.checkpoint);
    const ordered = scheduledFunction(fn, schedule, follower, collect.checkpoint);
    return allocateFunction(ordered, options, { ir, scheduled: follower.finish() }, collect);
  });
}

/** Where a run before the scheduler begins, and what the scheduler asks for in it. */
export interface EarlierPlace {
  readonly first: PlacedPass;
  readonly model: SchedulerModel;
  readonly facts: ModuleFacts;
  /** what the scheduler keeps from function to function; not given: the function is alone in its process */
  readonly process?: SchedulerProcessState;
  /** handed the function in the scheduler's order, which is edited afterwards */
  readonly keep?: (scheduled: MachineFunction) => void;
}

/**
 * The function allocated after all passes before, in one run, as llc's: `AllocatedFunction` then counts from what the allocator begins with. Or why it cannot be
 * told, with the pass that refuses. Throws what `checkpoint` throws.
 */
export function allocateFromEarlier(
  fn: MachineFunction,
  ir: IRModule | null,
  { options, given }: AllocationSetting,
  collect: CollectOptions,
  { first, model, facts, process = new SchedulerProcessState(), keep }: EarlierPlace,
): AllocatedFunction | string {
  if (typeof options === 'string') return options;
  return orWhyNot(() => {
    const earlier: EarlierStart = {
      passes: callsToAllocation(first, given),
      options: new Map([...given, ['model', model]]),
      scheduler: { process, module: facts },
      scheduled: (ordered) => keep?.(ordered),
    };
    return allocateFunction(fn, options, { ir, earlier }, collect);
  });
}

/** Of what runs passes; or what is not modelled in which of them, or what llc says against it. */
export function orWhyNot<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotModelled) {
      const { message, pass } = error;
      return `amdgpu-mir does not model ${message}${message.includes(pass) ? '' : ` in ${pass}`}`;
    }
    if (error instanceof PassError || error instanceof UsageError)
      return error.message.replace(/^(?:llc: error|LLVM ERROR): /, '').replace(/\.$/, '');
    throw error;
  }
}

/** The function in the scheduler's order, which nobody else holds. */
function scheduledFunction(
  fn: MachineFunction,
  { options, facts, trace, keep, process = new SchedulerProcessState() }: SchedulerBefore,
  follower: ScheduledIntervals,
  checkpoint: () => void,
): MachineFunction {
  const own = { ...options, follower, checkpoint };
  if (trace === undefined) {
    const scheduled = scheduleFunction(fn, own, process, facts);
    keep?.(scheduled);
    return scheduled.fn;
  }
  const made = traceSchedule(fn, own, process, facts, trace.options);
  trace.keep({ fn: made.fn.clone(), trace: made.trace });
  return made.fn;
}
