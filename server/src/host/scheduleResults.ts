/** Schedules and scheduling graphs of functions, kept as long as the function and the options of the scheduler are the same. */
import type { PressureSummary } from '../analysis/summary.js';
import type { InstrId } from '../model/machineFunction.js';
import type { LoweredFunction } from '../model/lowering/lowerFile.js';
import type { DependencesState, ScheduleState } from '../features/snapshot/snapshot.js';
import type { SchedulerBefore } from '../program/allocation.js';
import { MANY_INSTRS, QUICK_MS, type ScheduleSetting } from '../program/scheduleSetting.js';
import { FunctionDependences } from '../passes/scheduler/dependences.js';
import type { Pin } from '../passes/scheduler/dag/mutations/pins.js';
import {
  SchedulerProcessState,
  whyNotModelledFor,
  type ModuleFacts,
  type ScheduleOptions,
} from '../passes/scheduler/scheduleFunction.js';
import { traceSchedule, type TracedSchedule, type TraceOptions } from '../passes/scheduler/trace/collector.js';
import { Cancelled, Deadline, type CancellationToken, type ProgressToken } from '../util/cancellation.js';

/** A function, and the file that it stands in. */
export interface FunctionToSchedule {
  readonly lowered: LoweredFunction;
  /** of its file */
  readonly facts: ModuleFacts;
  readonly summary: PressureSummary | null;
  readonly setting: ScheduleSetting;
}

interface Kept<T> {
  readonly key: string;
  readonly value: T;
}

export class ScheduleResults {
  private readonly schedules = new WeakMap<LoweredFunction, Kept<TracedSchedule>>();
  private readonly graphs = new WeakMap<LoweredFunction, Kept<FunctionDependences>>();
  /** those that were given up after `quickMs`, with the key of their setting */
  private readonly slow = new WeakMap<LoweredFunction, string>();
  /** schedules made since the start, for tests of what is kept */
  computed = 0;

  /**
   * @param isPatient schedules functions too that are large or take long
   * @param quickMs what "long" is; tests, which must not depend on the machine, wait for ever
   */
  constructor(
    readonly isPatient: boolean,
    private readonly quickMs = QUICK_MS,
  ) {}

  /** The machine scheduler's result and its trace, with the picks of all regions that are not large. */
  schedule(wanted: FunctionToSchedule, token: ProgressToken, pins: readonly Pin[] = []): ScheduleState {
    const { lowered, setting } = wanted;
    const ownOptions = optionsOf(wanted);
    if ('kind' in ownOptions) return ownOptions;
    const known = pins.length > 0 ? undefined : this.schedules.get(lowered);
    if (known?.key === setting.key) return { kind: 'ready', schedule: known.value };
    if (this.isLarge(wanted)) return { kind: 'large' };
    const limited = this.limited(token);
    const options = pins.length > 0 ? { ...ownOptions, pins } : ownOptions;
    const schedule = this.make(wanted, options, limited);
    if (schedule === null) return this.gaveUp(wanted, limited);
    if (pins.length === 0) this.schedules.set(lowered, { key: setting.key, value: schedule });
    return { kind: 'ready', schedule };
  }

  /** How the scheduler goes before the allocator; where nobody has asked for the schedule yet, that run makes it known. */
  before(wanted: FunctionToSchedule, token: ProgressToken): SchedulerBefore | { kind: 'none'; why: string } {
    const { lowered, facts, setting } = wanted;
    const options = optionsOf(wanted);
    if ('kind' in options) return options;
    if (this.schedules.get(lowered)?.key === setting.key) return { options, facts };
    const keep = (value: TracedSchedule): void => {
      this.computed++;
      this.schedules.set(lowered, { key: setting.key, value });
    };
    const onProgress = (place: string): void => token.report?.(place);
    return { options, facts, trace: { options: { picksOf: picksOf(lowered), onProgress }, keep } };
  }

  isLarge({ lowered, setting }: FunctionToSchedule): boolean {
    if (this.isPatient) return false;
    return (lowered.fn?.nInstrs ?? 0) > MANY_INSTRS || this.slow.get(lowered) === setting.key;
  }

  /** See `Snapshot.limited`. */
  limited(token: ProgressToken, share = 1): ProgressToken & { readonly isLate?: boolean } {
    return this.isPatient ? token : new Deadline(token, this.quickMs * share);
  }

  private gaveUp({ lowered, setting }: FunctionToSchedule, token: ProgressToken): { kind: 'large' | 'cancelled' } {
    if (!(token instanceof Deadline && token.isLate)) return { kind: 'cancelled' };
    this.slow.set(lowered, setting.key);
    return { kind: 'large' };
  }

  private make(
    { lowered, facts }: FunctionToSchedule,
    options: ScheduleOptions,
    token: ProgressToken,
  ): TracedSchedule | null {
    const { fn } = lowered;
    if (fn === null) return null;
    this.computed++;
    let place = 'live intervals';
    const checkpoint = (): void => {
      if (token.isCancelled()) throw new Cancelled();
      token.report?.(place);
    };
    try {
      return traceSchedule(fn, { ...options, checkpoint }, new SchedulerProcessState(), facts, {
        picksOf: picksOf(lowered),
        onProgress: (at) => (place = at),
      });
    } catch (error) {
      if (error instanceof Cancelled) return null;
      throw error;
    }
  }

  dependencesOf(wanted: FunctionToSchedule, i: InstrId, token: CancellationToken): DependencesState {
    if (this.isLarge(wanted)) return { kind: 'large' };
    const graphs = this.graphsOf(wanted);
    if (graphs === null) return { kind: 'none' };
    const limited = this.limited(token);
    const found = graphs.of(i, limited);
    return found === 'cancelled' ? this.gaveUp(wanted, limited) : { kind: 'ready', found };
  }

  /** The graphs of the function's regions, null when it has no schedule. */
  private graphsOf({ lowered, facts, summary, setting }: FunctionToSchedule): FunctionDependences | null {
    const { fn } = lowered;
    if (fn === null || summary === null || typeof setting.options === 'string') return null;
    if (whyNotModelledFor(fn, setting.options) !== null) return null;
    const known = this.graphs.get(lowered);
    if (known?.key === setting.key) return known.value;
    const value = new FunctionDependences(fn, setting.options, facts);
    this.graphs.set(lowered, { key: setting.key, value });
    return value;
  }
}

/** The scheduler's options for a function, or why it is not scheduled. */
function optionsOf({
  lowered: { fn },
  setting: { options },
  summary,
}: FunctionToSchedule): ScheduleOptions | { kind: 'none'; why: string } {
  if (fn === null || summary === null) return { kind: 'none', why: '' };
  const why = typeof options === 'string' ? options : whyNotModelledFor(fn, options);
  return typeof options === 'string' || why !== null ? { kind: 'none', why: why ?? '' } : options;
}

/** Regions whose picks are kept. */
const picksOf = ({ fn }: LoweredFunction): TraceOptions['picksOf'] =>
  (fn?.nInstrs ?? 0) > MANY_INSTRS ? (_, n) => n <= MANY_INSTRS : () => true;
