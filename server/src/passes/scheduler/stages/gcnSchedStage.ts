/**
 * A scheduling stage over all regions of a function: which it takes, with which mutations and limits, and when a new order goes back.
 *
 * Follows GCNSchedStage (LLVM 22.1.8) as docs/llvm/gcn-strategy.md describes it.
 */
import { numAGPRs, numArchVGPRs, numSGPRs, type Pressure } from '../../../analysis/gcnPressure.js';
import { IGroupLP, IglpPhase } from '../dag/mutations/igroupLP.js';
import type { Mutation } from '../dag/mutations/mutation.js';
import { regionMaxPressure } from '../pressure/regionMaxPressure.js';
import type { ScheduledRegion } from '../regionScheduler.js';
import type { PressureLimits } from '../strategy/gcnSchedStrategy.js';
import type { GCNScheduleDAGMILive, GCNSchedRegion } from './gcnScheduleDAGMILive.js';
import type { RevertReason, ScheduleProfit, SkipReason, StageKind } from './stageEvents.js';

/** A region that was scheduled, when the question is whether to revert it. */
export interface RevertQuery {
  readonly region: GCNSchedRegion;
  readonly wavesAfter: number;
  readonly before: Pressure;
  readonly after: Pressure;
  readonly result: ScheduledRegion;
  /** waves that it was scheduled for */
  readonly target: number;
}

/** @llvm GCNSchedStrategy.cpp GCNSchedStage */
export abstract class GCNSchedStage {
  abstract readonly kind: StageKind;
  /** taken from the limits besides the margin */
  protected readonly bias: number = 0;
  /** the first stage of its strategy: notes which regions hold instruction groups */
  protected readonly isInitial: boolean = false;
  /** numbers of the latest test for profit; null = there was none */
  protected profit: ScheduleProfit | null = null;

  constructor(protected dag: GCNScheduleDAGMILive) {}

  /** Runs the stage; what to go on with. */
  run(): GCNScheduleDAGMILive {
    const { observer } = this.dag;
    observer?.stageBegin?.(this.kind);
    const whyNot = this.initGCNSchedStage();
    if (whyNot === null) {
      for (let r = 0; r < this.dag.regions.length; r++) {
        const region = this.dag.regions[r];
        const skipped = this.initGCNRegion(region, r) ?? this.tooSmall(region);
        if (skipped === null) this.scheduleRegion(region, r);
        else observer?.skipped?.(this.kind, r, skipped);
      }
      this.finalizeGCNSchedStage();
    }
    observer?.stage?.(this.kind, whyNot === null, whyNot);
    return this.dag;
  }

  // -- what stages differ in ----------------------------------------------------------------------------------------------------

  /**
   * Prepares the stage; or why it does not run.
   * @llvm GCNSchedStrategy.cpp GCNSchedStage::initGCNSchedStage
   */
  protected initGCNSchedStage(): SkipReason | null {
    return null;
  }

  /**
   * Why the stage leaves region number r alone; null when it takes it.
   * @llvm GCNSchedStrategy.cpp GCNSchedStage::initGCNRegion
   */
  protected initGCNRegion(_region: GCNSchedRegion, _r: number): SkipReason | null {
    return null;
  }

  /**
   * Why a region goes back to its old order; asked when its pressure is not plainly inside the critical limits.
   * @llvm GCNSchedStrategy.cpp GCNSchedStage::shouldRevertScheduling
   */
  protected shouldRevertScheduling(e: RevertQuery): RevertReason | null {
    return this.losesOccupancy(e);
  }

  /** @llvm GCNSchedStrategy.cpp GCNSchedStage::finalizeGCNSchedStage */
  protected finalizeGCNSchedStage(): void {
    // Most stages have nothing left to do.
  }

  protected mutationsFor(region: GCNSchedRegion): readonly Mutation[] {
    return region.hasIGLP ? this.instrGroups() : this.dag.mutations;
  }

  // -- one region -----------------------------------------------------------------------------------------------------------------

  protected tooSmall(region: GCNSchedRegion): SkipReason | null {
    return this.dag.canSchedule(region) ? null : 'single instruction';
  }

  protected instrGroups(): readonly Mutation[] {
    const { iglpState, options } = this.dag;
    const group = new IGroupLP(this.isInitial ? IglpPhase.Initial : IglpPhase.PreRAReentry, iglpState, options.iglp);
    return [(m) => group.apply(m)];
  }

  /**
   * Schedules a region and keeps or reverts the result.
   * @llvm GCNSchedStrategy.cpp GCNScheduleDAGMILive::runSchedStages
   */
  private scheduleRegion(region: GCNSchedRegion, r: number): void {
    const { dag } = this;
    const { ctx, scheduler, observer } = dag;
    ctx.askForSetLimits();
    const oldOrder = ctx.instrsOf(region);
    if (this.isInitial && ctx.hasInstrGroups(region)) region.hasIGLP = true;
    const before = region.pressure;
    const limits = dag.limitsFor(region.excessRP, this.bias);
    const target = dag.targetOccupancy();
    const result = scheduler.schedule(
      region,
      this.mutationsFor(region),
      dag.strategyOptions(),
      limits,
      (nodes) =>
        dag.options.useAmdgpuTrackers
          ? scheduler.gcnPressure(region, region.liveIns)
          : scheduler.genericPressure(region, nodes),
      observer?.picks?.(this.kind, r) ?? null,
    );
    if (result.hasHighPressure) region.highRP = true;
    const after = regionMaxPressure(result.live, result.order, region.liveIns, ctx.facts, ctx.lis);
    this.profit = null;
    const isInside = this.isInsideCritical(after, limits);
    const reverted = isInside ? null : this.checkScheduling({ region, before, after, result, target });
    if (reverted !== null) dag.revert(region, oldOrder, result);
    else region.pressure = after;
    observer?.region?.({
      stage: this.kind,
      region: r,
      before,
      after,
      limits,
      targetOccupancy: target,
      minOccupancyAfter: dag.minOccupancy,
      reverted,
      checked: !isInside,
      hasHighPressure: result.hasHighPressure,
      highRP: region.highRP,
      excessRP: region.excessRP,
      profit: this.profit,
      graph: result.graph,
      scheduled: result.order,
      nodes: result.graph.instr.slice(0, result.graph.nSUnits),
      order: ctx.instrsOf(region),
    });
  }

  /** Below both critical limits nothing is checked. */
  private isInsideCritical(after: Pressure, limits: PressureLimits): boolean {
    return numSGPRs(after) <= limits.sgprCritical && this.dag.vgprsOf(after) <= limits.vgprCritical;
  }

  /** @llvm GCNSchedStrategy.cpp GCNSchedStage::checkScheduling */
  private checkScheduling(e: Omit<RevertQuery, 'wavesAfter'>): RevertReason | null {
    const { dag } = this;
    const { ctx } = dag;
    const { region, before, after } = e;
    ctx.asks('occupancyRange');
    ctx.asks('maxNumVGPRs');
    ctx.asks('maxNumSGPRs');
    const cap = Math.min(e.target, ctx.limits.occupancyRange[1]);
    const wavesAfter = Math.min(cap, dag.occupancyOf(after));
    const wavesBefore = Math.min(cap, dag.occupancyOf(before));
    const newOccupancy = wavesAfter >= dag.minAllowedOccupancy ? wavesAfter : Math.max(wavesAfter, wavesBefore);
    if (newOccupancy < dag.minOccupancy) dag.lowerMinOccupancy(newOccupancy);
    const maxV = ctx.limits.maxNumVGPRs;
    const archLimit = Math.min(maxV, ctx.fn.subtarget.addressableNumArchVGPRs);
    if (
      dag.vgprsOf(after) > maxV ||
      numArchVGPRs(after) > archLimit ||
      numAGPRs(after) > archLimit ||
      numSGPRs(after) > ctx.limits.maxNumSGPRs
    ) {
      region.highRP = true;
      region.excessRP = true;
    }
    const { result, target } = e;
    return this.shouldRevertScheduling({ region, wavesAfter, before, after, result, target });
  }

  // -- revert rules -----------------------------------------------------------------------------------------------------------------

  /** The rule of GCNSchedStage itself. */
  protected losesOccupancy(e: RevertQuery): RevertReason | null {
    const { dag } = this;
    if (e.wavesAfter < dag.minOccupancy) return 'occupancy dropped';
    if (dag.usesMoreDynamicBlocks(e.before, e.after)) return 'dynamic VGPR blocks';
    return null;
  }

  /** @llvm GCNSchedStrategy.cpp GCNSchedStage::mayCauseSpilling */
  protected mayCauseSpilling(e: RevertQuery): RevertReason | null {
    const { dag } = this;
    const may = e.wavesAfter <= dag.minWaves && e.region.excessRP && !dag.less(e.after, e.before);
    return may ? 'may cause spilling' : null;
  }
}
