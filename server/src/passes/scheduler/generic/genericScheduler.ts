/**
 * The schedulers that LLVM has for every target (`-misched=converge`, `ilpmax`, `ilpmin`): each region once, as it is formed, without GCN's
 * stages, and nothing that looks at the occupancy.
 *
 * Follows MachineSchedulerBase::scheduleRegions and ScheduleDAGMILive::schedule (LLVM 22).
 */
import { GCNUpwardRPTracker } from '../../../analysis/gcnTrackers.js';
import type { Pressure } from '../../../analysis/gcnPressure.js';
import type { InstrId, BlockId } from '../../../model/machineFunction.js';
import type { SchedContext } from '../context.js';
import type { SchedRegion } from '../regions.js';
import { constrainCopies } from '../dag/mutations/copyConstrain.js';
import type { IterativeObserver } from '../iterative/iterativeScheduler.js';
import { formRegions } from '../regions.js';
import type { IlpWatch, RegionScheduler, ScheduledRegion } from '../regionScheduler.js';
import { scheduleLength } from '../stages/scheduleMetrics.js';
import { StrategyKind, type Direction, type PressureLimits } from '../strategy/gcnSchedStrategy.js';
import type { SchedBoundaryOptions } from '../strategy/schedBoundary.js';

export const enum GenericKind {
  Converge = 0,
  ILPMax = 1,
  ILPMin = 2,
}

export interface GenericOptions {
  readonly kind: GenericKind;
  readonly direction: Direction;
  readonly tracksPressure: boolean;
  readonly zone: SchedBoundaryOptions;
  /** `-verify-misched`: candidates at the bottom are judged exactly */
  readonly verifies: boolean;
  /** told the block of every region, before it is scheduled (`-misched-dcpl`) */
  readonly onRegion?: ((block: BlockId) => void) | undefined;
}

/** What a trace is told; an order is as long as its region. */
export interface GenericObserver extends IterativeObserver {
  ilpPicks(region: number): IlpWatch | null;
}

const PASS_NAMES = ['converging', 'maximal ILP', 'minimal ILP'] as const;
/** GCN's, which the generic rules do not ask for */
const NO_LIMITS: PressureLimits = { sgprExcess: 0, vgprExcess: 0, sgprCritical: 0, vgprCritical: 0 };

/** @llvm MachineScheduler.cpp GenericScheduler */
export function runGenericScheduler(
  ctx: SchedContext,
  scheduler: RegionScheduler,
  options: GenericOptions,
  observer: GenericObserver | null,
): void {
  const regions = formRegions(ctx.fn, ctx.list, ctx.roles)
    .filter((r) => ctx.list.before(r.end) !== r.begin)
    .map((r) => ctx.makeRegion(r));
  const watched = observer === null ? null : { observer, tracker: new GCNUpwardRPTracker(ctx.lis, ctx.facts) };
  const nodesOf = (r: SchedRegion): InstrId[] => ctx.instrsOf(r).filter((i) => !ctx.roles.isDebug(i));
  if (watched !== null) {
    watched.observer.iterativeBegin(ctx.fn, ctx.limits.dynamicVGPRBlockSize, ctx.mfi.occupancy);
    for (const r of regions) {
      const nodes = nodesOf(r);
      watched.observer.iterativeRegion(r.block, r.end >= 0 ? r.end : -1, nodes, pressureOf(watched.tracker, r, nodes));
    }
    watched.observer.iterativePass(PASS_NAMES[options.kind], ctx.mfi.occupancy);
  }
  regions.forEach((region, index) => {
    options.onRegion?.(region.block);
    const before = watched && pressureOf(watched.tracker, region, nodesOf(region));
    const result = scheduleRegion(ctx, scheduler, options, observer, region, index);
    if (watched === null) return;
    const oldOrder = Array.from(result.graph.instr.subarray(0, result.graph.nSUnits));
    const newOrder = Array.from(result.order, (n) => oldOrder[n]);
    watched.observer.iterativeRun({
      region: index,
      skipped: null,
      before,
      after: pressureOf(watched.tracker, region, newOrder),
      targetOccupancy: ctx.mfi.occupancy,
      reverted: null,
      length: {
        before: scheduleLength(
          result.graph,
          oldOrder.map((_, n) => n),
        ),
        after: scheduleLength(result.graph, result.order),
      },
      oldOrder,
      newOrder,
    });
  });
}

/** @llvm MachineScheduler.cpp ScheduleDAGMILive::schedule */
function scheduleRegion(
  ctx: SchedContext,
  scheduler: RegionScheduler,
  options: GenericOptions,
  observer: GenericObserver | null,
  region: SchedRegion,
  index: number,
): ScheduledRegion {
  // The ILP strategy has no policy that could say otherwise.
  if (options.tracksPressure || options.kind !== GenericKind.Converge) ctx.askForSetLimits();
  if (options.kind !== GenericKind.Converge)
    return scheduler.scheduleByIlp(region, options.kind === GenericKind.ILPMax, observer?.ilpPicks(index) ?? null);
  return scheduler.schedule(
    region,
    [constrainCopies(ctx.lis)],
    {
      kind: StrategyKind.Generic,
      direction: options.direction,
      // nodes that wait are no candidates here
      pendingQueueLimit: 0,
      tracksPressure: options.tracksPressure,
      zone: options.zone,
    },
    NO_LIMITS,
    (nodes) => scheduler.maxPressure(region, nodes, options.verifies),
    observer?.picks(0, index) ?? null,
  );
}

/** Greatest pressure of an order, the boundary instruction and what lives after it included. */
function pressureOf(tracker: GCNUpwardRPTracker, region: SchedRegion, order: readonly InstrId[]): Pressure {
  tracker.resetToSlot(region.afterBoundarySlot);
  if (region.end >= 0) tracker.recede(region.end);
  for (let k = order.length - 1; k >= 0; k--) tracker.recede(order[k]);
  return tracker.max.slice();
}
