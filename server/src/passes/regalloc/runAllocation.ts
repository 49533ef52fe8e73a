/** Register allocation by itself, for who wants the function and not the text of a run. */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import type { IRModule } from '../../ir/module.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { DebugNames } from '../../model/printer/index.js';
import { passesOfAllocation } from '../codegenPipeline.js';
import { lazy } from '../../util/lazy.js';
import { FunctionState } from '../functionState.js';
import { longPasses } from '../longPasses.js';
import type { MachinePass, PassCall } from '../machinePass.js';
import { LIVE_INTERVALS, type Analysis, type PassContext } from '../passContext.js';
import { runPasses } from '../passManager.js';
import { shareSchedulerState, type SchedulerState } from '../scheduler/schedulerRun.js';
import { scopesText } from '../syncScopes.js';
import { ALLOC_SETTING, SCHEDULED, type AllocSetting } from './allocationPass.js';
import type { Scheduled } from './scheduledIntervals.js';
import { markLastScratchLoadPass } from './markLastScratchLoad.js';
import { stackSlotColoringPass } from './stackSlotColoring.js';

/** A run that begins before the scheduler. */
export interface EarlierStart {
  /** from there to the last rewriter, the scheduler among them */
  readonly passes: readonly PassCall[];
  /** llc's, that were given */
  readonly options: ReadonlyMap<string, OptionValue>;
  readonly scheduler: SchedulerState;
  /** handed the function in the scheduler's order, which is edited afterwards */
  readonly scheduled: (fn: MachineFunction) => void;
}

export interface FunctionFacts {
  /** the module, whose debug information the function has; null without */
  readonly ir: IRModule | null;
  /** The function comes from the scheduler and may be changed: what that has computed. */
  readonly scheduled?: Scheduled | null | undefined;
  /** The function stands before the scheduler, which runs as one pass of many. */
  readonly earlier?: EarlierStart;
}

export interface AllocResult {
  readonly fn: MachineFunction;
  /** after the passes of `follow`, the same object where they have nothing to do */
  readonly followed: MachineFunction;
  /** what passes after these need to know of it (`FunctionState.ofFunction`) */
  readonly kept: readonly (readonly [Analysis<unknown>, unknown])[];
  /** messages of llc, which goes on and fails in the end */
  readonly errors: readonly string[];
}

/** Nothing is printed. */
const NO_NAMES: DebugNames = {
  variable: () => null,
  label: () => null,
  location: () => null,
  mergedLocation: () => null,
};

/** All that comes after the scheduler, to the last rewriter. */
export const passesAfterScheduler = lazy((): readonly PassCall[] =>
  passesOfAllocation()
    .slice(1)
    .map(({ name, parameters }) => ({ pass: longPasses().find((pass) => pass.name === name)!, parameters })),
);

/** From the first run to the last rewriter. */
export const allocationPasses = lazy((): readonly PassCall[] =>
  passesAfterScheduler().slice(passesAfterScheduler().findIndex(({ pass }) => pass.name === 'greedy')),
);

/** What llc does with the slots of spilled registers before it lays out the frame. */
export const passesOnSlots = lazy((): readonly PassCall[] => [
  { pass: markLastScratchLoadPass, parameters: '' },
  { pass: stackSlotColoringPass, parameters: '' },
]);

/** Runs passes over a copy of a function, `follow` after them where there are stack objects. Throws NotModelled. */
export function runAllocation(
  fn: MachineFunction,
  passes: readonly PassCall[],
  setting: AllocSetting,
  { ir, scheduled = null, earlier }: FunctionFacts,
  follow: readonly PassCall[] = [],
  checkpoint?: () => void,
): AllocResult {
  const errors: string[] = [];
  const context: PassContext = {
    options: earlier?.options ?? new Map(),
    debugNames: NO_NAMES,
    source: scopesText(earlier?.scheduler.module.syncScopes ?? []),
    ir,
    stderr: () => undefined,
    error: (message) => errors.push(message),
    ...(checkpoint ? { checkpoint } : {}),
  };
  if (earlier !== undefined) shareSchedulerState(context, earlier.scheduler);
  const state = new FunctionState(fn, context, scheduled !== null);
  state.provide(ALLOC_SETTING, setting);
  if (scheduled !== null) {
    state.replace(fn, scheduled.intervals.editor);
    state.provide(SCHEDULED, scheduled);
    state.noteComputed(LIVE_INTERVALS);
  }
  const how = { isPipeline: false, isCut: false, verify: null, printed: null };
  const after = (pass: MachinePass): void => {
    if (pass.name === 'machine-scheduler') earlier?.scheduled(state.fn);
  };
  runPasses(state, passes, { ...how, after });
  const before = state.fn;
  // Who watched the allocator is not kept alive.
  const kept = state.ofFunction().filter(([analysis]) => analysis !== ALLOC_SETTING);
  if (follow.length === 0 || before.header.stack.length === 0) return { fn: before, followed: before, kept, errors };
  const result = before.clone();
  result.header = { ...before.header, stack: [...before.header.stack] };
  runPasses(state, follow, how);
  return { fn: result, followed: state.fn, kept, errors };
}

/** Runs passes over a copy of a function that has been allocated, `kept` being what that has left. Throws NotModelled, PassError and what `checkpoint` throws. */
export function runAfterAllocation(
  fn: MachineFunction,
  passes: readonly PassCall[],
  kept: AllocResult['kept'],
  context: Pick<PassContext, 'options' | 'ir' | 'error' | 'checkpoint'>,
  scheduler: SchedulerState,
): MachineFunction {
  const source = scopesText(scheduler.module.syncScopes);
  const whole: PassContext = { ...context, debugNames: NO_NAMES, source, stderr: () => undefined };
  shareSchedulerState(whole, scheduler);
  const state = new FunctionState(fn, whole);
  for (const [analysis, value] of kept) state.provide(analysis, value);
  state.noteComputed(LIVE_INTERVALS);
  runPasses(state, passes, { isPipeline: false, isCut: false, verify: null, printed: null });
  return state.fn;
}
