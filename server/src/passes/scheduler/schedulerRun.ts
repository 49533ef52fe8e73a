/** What the machine scheduler pass does. Apart from its entry in the table of passes: the bundle of a short llc run leaves it out. */
import type { LimitQuery } from '../../model/attributeErrors.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { UsageError } from '../../commandLine/commandLine.js';
import { isSchedulerOn, scheduleOptions } from './llcOptions.js';
import { moduleFactsOf } from './moduleFacts.js';
import {
  prepareSchedule,
  scheduleFunction,
  SchedulerProcessState,
  whyNotModelledFor,
  type ModuleFacts,
  type ScheduleOptions,
} from './scheduleFunction.js';
import type { PassContext } from '../passContext.js';

/** What the schedulers carry from one function of a run to the next. */
export interface SchedulerState {
  readonly process: SchedulerProcessState;
  readonly module: ModuleFacts;
}

const states = new WeakMap<PassContext, SchedulerState>();

/** That of a run, which the schedulers before and after allocation share. */
export function schedulerState(context: PassContext): SchedulerState {
  let state = states.get(context);
  if (state === undefined) {
    state = { process: new SchedulerProcessState(), module: moduleFactsOf(context.source, context.ir) };
    states.set(context, state);
  }
  return state;
}

/** For a run whose caller keeps that: with other functions of the module, in runs of their own. */
export function shareSchedulerState(context: PassContext, state: SchedulerState): void {
  states.set(context, state);
}

/** The scheduled function. Throws UsageError for options that llc refuses. */
export function runScheduler(
  fn: MachineFunction,
  context: PassContext,
  intervals: Pick<ScheduleOptions, 'follower' | 'hasIntervals' | 'knownUnits'>,
): MachineFunction {
  const state = schedulerState(context);
  const { checkpoint, onLimits } = context;
  const options = {
    ...scheduleOptions(context.options),
    ...intervals,
    ...(checkpoint ? { checkpoint } : {}),
    ...(onLimits ? { onLimits: (query: LimitQuery) => onLimits(fn, query) } : {}),
  };
  if (!isSchedulerOn(context.options)) {
    // The pass does nothing, but the live intervals that it asks for are computed all the same.
    const { context: prepared } = prepareSchedule(fn, options, state.process, state.module);
    prepared.clearKillsOfKnownUnits();
    return prepared.fn;
  }
  const why = whyNotModelledFor(fn, options);
  if (why !== null) throw new UsageError(`llc: error: ${why}`);
  const printsPaths = context.options.get('misched-dcpl') === true;
  return scheduleFunction(
    fn,
    printsPaths
      ? {
          ...options,
          onRegion: (b) => context.stderr(`${fn.header.name}:%bb. ${b} ${fn.blocks[b]?.irName ?? ''} \n`),
          onCriticalPath: (n) => context.stderr(`Critical Path(GS-RR ): ${n} \n`),
        }
      : options,
    state.process,
    state.module,
  ).fn;
}
