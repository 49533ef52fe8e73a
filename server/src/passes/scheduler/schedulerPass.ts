/** `-run-pass=machine-scheduler`: the GCN machine scheduler with llc's options. */
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG, LIVE_INTERVALS, ALIAS_ANALYSIS } from '../passContext.js';
import { ALLOCATION, SCHEDULED } from '../regalloc/allocationPass.js';
import { ScheduledIntervals } from '../regalloc/scheduledIntervals.js';
import type { KnownIntervals } from '../../analysis/verifier/index.js';
import type { RegUnit } from '../../target/api.js';
import { isReleaseName } from '../../target/releases.js';
import { DEFAULT_MODEL } from './schedulerModel.js';
import { runScheduler } from './schedulerRun.js';

/** @llvm MachineScheduler.cpp MachineSchedulerLegacy */
export const machineSchedulerPass: MachinePass = {
  name: 'machine-scheduler',
  pipelineName: 'machine-scheduler',
  className: 'MachineSchedulerPass',
  title: 'Machine Instruction Scheduler',
  requires: [LIVE_INTERVALS, ALIAS_ANALYSIS],
  preserves: [LIVE_INTERVALS, SCHEDULED, CFG],
  run(state, use) {
    const { context } = state;
    const isAllocated = use.wants(ALLOCATION);
    const model = String(context.options.get('model') ?? DEFAULT_MODEL);
    // What stages that are no release's leave in the intervals has nothing to be compared with.
    const isOfRelease = isReleaseName(model);
    if (isAllocated && !isOfRelease) throw new NotModelled(`what --model=${model} leaves to the allocator`);
    const isFollowed = isAllocated || (use.isWatched && isOfRelease);
    // Following each move costs more than scheduling: only where somebody wants to know.
    const { fn: original } = state;
    const known = state.known(LIVE_INTERVALS);
    const before = known?.intervals.editor.fn === original ? known.intervals : null;
    const follower = isFollowed ? new ScheduledIntervals(context.checkpoint ?? null, use.isWatched, before) : null;
    const hasIntervals = state.has(LIVE_INTERVALS);
    const knownUnits = unitsOf(known, original.tables.nRegUnits);
    const fn = runScheduler(original, context, { hasIntervals, knownUnits, ...(follower ? { follower } : {}) });
    const scheduled = follower?.finish() ?? null;
    state.replace(fn, scheduled?.intervals.editor ?? null);
    if (follower === null || scheduled === null) return;
    const { intervals } = scheduled;
    state.provide(SCHEDULED, scheduled);
    state.provide(LIVE_INTERVALS, { intervals, unitRange: (unit) => follower.unitRange(unit) });
  },
};

/** The units whose ranges a pass before has asked for, which LLVM keeps; null = that is not known. */
function unitsOf(known: KnownIntervals | null, nRegUnits: number): ReadonlySet<RegUnit> | null {
  if (known === null) return null;
  const units = new Set<RegUnit>();
  for (let unit = 0; unit < nRegUnits; unit++) if (known.unitRange(unit) !== null) units.add(unit);
  return units;
}
