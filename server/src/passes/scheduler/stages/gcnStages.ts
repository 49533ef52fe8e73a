/**
 * GCN's scheduling stages over all regions of a function, with their limits, checks and reverts.
 *
 * Follows GCNScheduleDAGMILive, GCNSchedStage and its sub-classes (LLVM 22.1.8) as docs/llvm/gcn-strategy.md describes them; the
 * rematerialization stage is remat/remat22.ts.
 */
import { BlockLiveness } from '../../../analysis/liveSets.js';
import { GcnDownwardTracker } from '../../../analysis/gcnTrackers.js';
import {
  lessPressure,
  numAGPRs,
  numArchVGPRs,
  numSGPRs,
  numVGPRs,
  pressureOccupancy,
  type Pressure,
  type PressureLimits as LessLimits,
} from '../../../analysis/gcnPressure.js';
import { OpFlag, OperandKind, type InstrId } from '../../../model/machineFunction.js';
import type { SchedContext } from '../context.js';
import type { SchedRegion } from '../regions.js';
import { DepKind, NONE, type ScheduleGraph } from '../dag/graph.js';
import { IGroupLP, IglpPhase } from '../dag/mutations/igroupLP.js';
import type { IglpOptions } from '../dag/mutations/groupRun.js';
import type { IglpProcessState } from '../dag/mutations/iglpStrategies.js';
import type { Mutation } from '../dag/mutations/mutation.js';
import { formRegions } from '../regions.js';
import type { RematReport } from '../remat/report.js';
import type { MfmaRewriteReport } from './mfmaRewriteReport.js';
import { recomputeReadUndef, type RegionScheduler, type ScheduledRegion } from '../regionScheduler.js';
import { RegionLiveIns } from '../pressure/regionLiveIns.js';
import { regionMaxPressure } from '../pressure/regionMaxPressure.js';
import {
  type Direction,
  StrategyKind,
  subtractMargins,
  type PickObserver,
  type PressureLimits,
  type StrategyOptions,
} from '../strategy/gcnStrategy.js';
import type { ZoneOptions } from '../strategy/zone.js';

export interface GcnOptions {
  readonly strategy: StrategyKind;
  readonly direction: Direction;
  readonly pendingQueueLimit: number;
  readonly tracksPressure: boolean;
  readonly zone: ZoneOptions;
  readonly useAmdgpuTrackers: boolean;
  readonly disableUnclusteredHighRP: boolean;
  readonly disableClusteredLowOccupancy: boolean;
  readonly relaxedOccupancy: boolean;
  /** `-amdgpu-schedule-metric-bias`, percent */
  readonly metricBias: number;
  readonly iglp: IglpOptions;
}

export const enum StageKind {
  OccInitial = 0,
  UnclusteredHighRP,
  ClusteredLowOcc,
  PreRARemat,
  ILPInitial,
  MemoryClauseInitial,
  RewriteMFMAForm,
}

/** LLVM's names of the stages, as the oracle prints them. */
export const STAGE_NAMES = [
  'OccInitialSchedule',
  'UnclusteredHighRPReschedule',
  'ClusteredLowOccupancyReschedule',
  'PreRARematerialize',
  'ILPInitialSchedule',
  'MemoryClauseInitialSchedule',
  'RewriteMFMAForm',
] as const;

/** Why a region went back to its old order. */
export type RevertReason =
  'occupancy dropped' | 'dynamic VGPR blocks' | 'may cause spilling' | 'not profitable' | 'target occupancy missed';

/** Why a stage did not run, or why it left a region alone. */
export type SkipReason =
  | 'disabled by option'
  | 'no region with high or excess pressure'
  | 'occupancy did not drop'
  | 'nothing to rematerialize'
  | 'single region'
  | 'single instruction'
  | 'no excess pressure and no occupancy to gain'
  | 'no high pressure'
  | 'not touched by rematerialization'
  | 'target occupancy missed'
  | 'no instruction left'
  | 'no unified register file'
  | 'more than one wave is asked for'
  | 'no region above the addressable VGPRs'
  | 'no matrix instruction with an AGPR form'
  | 'copies cost more than spills';

/** What a trace is told; every member is optional, and without a trace nothing is computed for it. */
export interface StageObserver {
  /** regions and their pressure are known, nothing is scheduled; borrowed for the whole run */
  begin?(s: GcnScheduler): void;
  stageBegin?(kind: StageKind): void;
  /** a stage is over; `why` is given when it did not run */
  stage?(kind: StageKind, ran: boolean, why: SkipReason | null): void;
  region?(event: RegionEvent): void;
  skipped?(kind: StageKind, region: number, why: SkipReason): void;
  picks?(kind: StageKind, region: number): PickObserver | null;
  /** an instruction was rematerialized in front of its use, or (`undone`) all of them went back */
  rematerialized?(def: InstrId, use: InstrId, clone: InstrId): void;
  rematUndone?(): void;
  /** how the rematerialization stage chose; without this member nothing is noted for it */
  rematReport?(report: RematReport): void;
  mfmaRewrite?(report: MfmaRewriteReport): void;
  /** the function was rewritten: another scheduler, over the same regions, goes on */
  replaced?(s: GcnScheduler): void;
}

/** Numbers of the profit test (gcn-strategy.md 6.3). */
export interface ScheduleProfit {
  /** stall cycles in percent before and after */
  readonly oldMetric: number;
  readonly newMetric: number;
  readonly bias: number;
  readonly wavesBefore: number;
  readonly wavesAfter: number;
  /** in percent; the schedule is kept from 100 on */
  readonly profit: number;
}

export interface RegionEvent {
  readonly stage: StageKind;
  readonly region: number;
  readonly before: Pressure;
  readonly after: Pressure;
  readonly limits: PressureLimits;
  readonly targetOccupancy: number;
  readonly minOccupancyAfter: number;
  readonly reverted: RevertReason | null;
  /** the question whether to revert was asked: the pressure is not plainly inside the critical limits */
  readonly checked: boolean;
  /** a candidate above a limit was examined */
  readonly hasHighPressure: boolean;
  /** marks of the region after the stage */
  readonly highRP: boolean;
  readonly excessRP: boolean;
  readonly profit: ScheduleProfit | null;
  /** borrowed */
  readonly graph: ScheduleGraph;
  /** nodes as they were scheduled, before a revert; borrowed */
  readonly scheduled: Int32Array;
  /** instruction of each node: the order before */
  readonly nodes: Int32Array;
  /** instructions when the stage is done with the region */
  readonly order: readonly InstrId[];
}

/** Makes another scheduler for a function that was rewritten after the first stage, or says why nothing was. */
export type Rewriter = (s: GcnScheduler) => GcnScheduler | SkipReason;

const BIAS_IN_HIGH_RP = 7;
const REVERT_PROFIT_PERCENT = 100;

export class GcnScheduler {
  readonly regions: SchedRegion[];
  readonly liveIns: RegionLiveIns[] = [];
  readonly pressure: Pressure[] = [];
  readonly highRP: boolean[] = [];
  readonly excessRP: boolean[] = [];
  readonly hasIGLP: boolean[] = [];
  readonly startingOccupancy: number;
  minOccupancy: number;
  private readonly lessLimits: LessLimits;
  private readonly dyn: number;
  private readonly unified: boolean;
  private readonly allocatableSGPRs: number;
  private readonly allocatableVGPRs: number;

  constructor(
    readonly ctx: SchedContext,
    readonly scheduler: RegionScheduler,
    private readonly baseMutations: readonly Mutation[],
    private readonly iglpState: IglpProcessState,
    readonly options: GcnOptions,
    readonly observer: StageObserver | null,
    /** the scheduler of the same function before it was rewritten, whose regions and state go on; null = the first */
    private readonly predecessor: GcnScheduler | null = null,
  ) {
    const { fn, limits } = ctx;
    const formed = predecessor?.regions ?? formRegions(fn, ctx.list, ctx.roles);
    this.regions = formed.map((r) => ctx.makeRegion(r));
    this.startingOccupancy = predecessor?.startingOccupancy ?? ctx.mfi.occupancy;
    const atStart = options.relaxedOccupancy
      ? Math.min(this.minAllowedOccupancy, this.startingOccupancy)
      : this.startingOccupancy;
    this.minOccupancy = predecessor?.minOccupancy ?? atStart;
    this.lessLimits = {
      subtarget: fn.subtarget,
      dynamicVGPRBlockSize: limits.dynamicVGPRBlockSize,
      maxNumSGPRs: limits.maxNumSGPRs,
      maxNumVGPRs: limits.maxNumVGPRs,
    };
    this.dyn = limits.dynamicVGPRBlockSize;
    this.unified = fn.subtarget.hasGFX90AInsts;
    this.allocatableSGPRs = ctx.numAllocatableRegs(fn.tables.regClassByName('sgpr_32'));
    this.allocatableVGPRs = ctx.numAllocatableRegs(fn.tables.regClassByName('vgpr_32'));
    for (let r = 0; r < this.regions.length; r++) {
      this.highRP.push(predecessor?.highRP[r] ?? false);
      this.excessRP.push(predecessor?.excessRP[r] ?? false);
      this.hasIGLP.push(predecessor?.hasIGLP[r] ?? false);
    }
  }

  get minAllowedOccupancy(): number {
    const { mfi } = this.ctx;
    return mfi.memoryBound || mfi.waveLimiter ? Math.min(mfi.occupancy, 4) : mfi.occupancy;
  }

  get maxWaves(): number {
    return this.ctx.limits.wavesPerEU[1];
  }

  get minWaves(): number {
    return this.ctx.limits.wavesPerEU[0];
  }

  occupancyOf(p: Pressure): number {
    return pressureOccupancy(p, this.ctx.fn.subtarget, this.dyn);
  }

  vgprsOf(p: Pressure): number {
    return numVGPRs(p, this.unified);
  }

  limitOccupancy(n: number): void {
    const { mfi } = this.ctx;
    mfi.occupancy = Math.min(mfi.occupancy, n);
  }

  increaseOccupancy(n: number): void {
    const { mfi } = this.ctx;
    if (mfi.occupancy < n) mfi.occupancy = n;
    this.limitOccupancy(this.maxWaves);
    this.ctx.asks('occupancyRange');
    this.limitOccupancy(this.ctx.limits.occupancyRange[1]);
  }

  /** `a` is the better pressure. */
  less(a: Pressure, b: Pressure): boolean {
    if (this.occupancyOf(a) === this.occupancyOf(b)) {
      this.ctx.asks('maxNumVGPRs');
      this.ctx.asks('maxNumSGPRs');
    }
    return lessPressure(a, b, this.lessLimits, UNLIMITED_OCCUPANCY);
  }

  private targetOccupancy(): number {
    return this.options.relaxedOccupancy ? this.minAllowedOccupancy : this.ctx.mfi.occupancy;
  }

  private limitsFor(knownExcess: boolean, bias: number): PressureLimits {
    const st = this.ctx.fn.subtarget;
    const target = this.targetOccupancy();
    const sgprExcess = this.allocatableSGPRs;
    const vgprExcess = this.allocatableVGPRs;
    const granule = st.vgprAllocGranule(this.dyn);
    let vgprCritical: number;
    if (knownExcess) {
      const perWave = Math.floor(st.addressableNumVGPRs(this.dyn) / target);
      vgprCritical = Math.min(Math.max(Math.floor(perWave / granule) * granule, granule), vgprExcess);
    } else vgprCritical = Math.min(st.maxNumVGPRs(target, this.dyn), vgprExcess);
    const sgprCritical = Math.min(st.maxNumSGPRs(target, true), sgprExcess);
    return subtractMargins({ sgprExcess, vgprExcess, sgprCritical, vgprCritical }, bias, bias);
  }

  /** Runs all stages of the strategy. */
  run(runRemat: (s: GcnScheduler) => boolean, rewrite: Rewriter | null = null): void {
    if (this.regions.length === 0) {
      if (this.options.strategy === StrategyKind.MaxOccupancy) this.askForRemat();
      return;
    }
    this.computeInitialPressure();
    this.observer?.begin?.(this);
    switch (this.options.strategy) {
      case StrategyKind.MaxOccupancy:
        this.runInitial(StageKind.OccInitial);
        (rewrite === null ? this : this.runRewriting(rewrite)).runLaterStages(runRemat);
        break;
      case StrategyKind.MaxILP:
        this.runInitial(StageKind.ILPInitial);
        break;
      case StrategyKind.MaxMemoryClause:
        this.runInitial(StageKind.MemoryClauseInitial);
        break;
    }
  }

  /** Rematerialization asks for its budget, also in a function without regions. */
  askForRemat(): void {
    this.ctx.asks('maxNumSGPRsOfF');
    this.ctx.asks('maxNumVGPRs');
  }

  private runLaterStages(runRemat: (s: GcnScheduler) => boolean): void {
    this.runStage(StageKind.UnclusteredHighRP, () => this.runUnclusteredHighRP());
    this.runStage(StageKind.ClusteredLowOcc, () => this.runClusteredLowOccupancy());
    this.runStage(StageKind.PreRARemat, () => runRemat(this));
  }

  /** Returns the scheduler to go on with. */
  private runRewriting(rewrite: Rewriter): GcnScheduler {
    const kind = StageKind.RewriteMFMAForm;
    this.observer?.stageBegin?.(kind);
    const next = rewrite(this);
    if (typeof next === 'string') {
      this.observer?.stage?.(kind, false, next);
      return this;
    }
    this.observer?.replaced?.(next);
    next.takeOver();
    for (let r = 0; r < next.regions.length; r++) {
      next.scheduleRegion(kind, r, {
        mutations: next.baseMutations,
        bias: 0,
        revert: (e) => next.shouldRevertBase(e),
      });
    }
    this.observer?.stage?.(kind, true, null);
    return next;
  }

  /** Live-ins are new; the pressures stay those before the rewriting, but for the first region. */
  private takeOver(): void {
    this.computeInitialPressure();
    for (let r = 1; r < this.regions.length; r++) {
      const before = this.predecessor?.pressure[r];
      if (before !== undefined) this.pressure[r] = before.slice();
    }
  }

  private runStage(kind: StageKind, run: () => boolean): void {
    this.observer?.stageBegin?.(kind);
    this.skipReason = null;
    const ran = run();
    this.observer?.stage?.(kind, ran, ran ? null : this.skipReason);
  }

  /** Notes why a stage does not run. */
  skipStage(why: SkipReason): false {
    this.skipReason = why;
    return false;
  }

  private skipReason: SkipReason | null = null;

  /** Live-ins and maxima of all regions in the original order (computeBlockPressure). */
  private computeInitialPressure(): void {
    const { ctx } = this;
    const { lis } = ctx;
    const borders = new BlockLiveness(lis);
    const tracker = new GcnDownwardTracker(lis, ctx.facts);
    for (let r = this.regions.length - 1; r >= 0; r--) {
      this.liveIns.push(RegionLiveIns.empty());
      this.pressure.push(new Int32Array(8));
    }
    let at = 0;
    while (at < this.regions.length) {
      const b = this.regions[at].block;
      let last = at;
      while (last + 1 < this.regions.length && this.regions[last + 1].block === b) last++;
      // the top-most region of the block has the highest number
      let current = last;
      const instrs: InstrId[] = [];
      for (let p = ctx.list.first(b); p >= 0; p = ctx.list.after(p)) if (!ctx.roles.isDebug(p)) instrs.push(p);
      tracker.resetToSet(borders.liveIn, b);
      const isFirstOf = (i: InstrId): boolean => lis.indexes.instrIndex[i] === this.regions[current].beginSlot;
      let inside = false;
      for (let k = 0; k < instrs.length; k++) {
        const i = instrs[k];
        if (inside && i === this.regions[current].end) {
          this.pressure[current] = tracker.max.slice();
          inside = false;
          current--;
          if (current < at) break;
        }
        if (!inside && isFirstOf(i)) {
          this.liveIns[current] = RegionLiveIns.of(tracker.live, tracker.cur);
          tracker.clearMax();
          inside = true;
        }
        tracker.advanceToNext(i);
        const next = k + 1 < instrs.length ? lis.indexes.instrIndex[instrs[k + 1]] : lis.indexes.lastSlotOf(b);
        tracker.advanceBeforeNext(i, next);
      }
      if (inside) this.pressure[current] = tracker.max.slice();
      at = last + 1;
    }
  }

  private strategyOptions(): StrategyOptions {
    return {
      kind: this.options.strategy,
      direction: this.options.direction,
      pendingQueueLimit: this.options.pendingQueueLimit,
      tracksPressure: this.options.tracksPressure,
      zone: this.options.zone,
    };
  }

  /** Greatest pressure of a region as it stands. */
  realPressure(r: number): Pressure {
    const live = this.scheduler.liveness(this.regions[r]);
    return regionMaxPressure(live, null, this.liveIns[r], this.ctx.facts);
  }

  // -- stages ---------------------------------------------------------------------------------------------------------------

  private runInitial(kind: StageKind): void {
    this.observer?.stageBegin?.(kind);
    for (let r = 0; r < this.regions.length; r++) {
      this.scheduleRegion(kind, r, {
        mutations: this.baseMutations,
        bias: 0,
        revert: (e) =>
          kind === StageKind.OccInitial
            ? this.revertOccInitial(e)
            : this.mayCauseSpilling(e)
              ? 'may cause spilling'
              : null,
      });
    }
    this.observer?.stage?.(kind, true, null);
  }

  private runUnclusteredHighRP(): boolean {
    if (this.options.disableUnclusteredHighRP) return this.skipStage('disabled by option');
    if (!this.highRP.includes(true) && !this.excessRP.includes(true))
      return this.skipStage('no region with high or excess pressure');
    const group = new IGroupLP(IglpPhase.PreRAReentry, this.iglpState, this.options.iglp);
    const mutations: Mutation[] = [(m) => group.apply(m)];
    const initialOcc = this.minOccupancy;
    const tempOcc = this.maxWaves > this.minOccupancy ? this.minOccupancy + 1 : this.minOccupancy;
    let anyScheduled = false;
    for (let r = 0; r < this.regions.length; r++) {
      const target = anyScheduled ? this.minOccupancy : tempOcc;
      if (!this.excessRP[r] && !(target > initialOcc && this.occupancyOf(this.pressure[r]) === initialOcc)) {
        this.skipRegion(StageKind.UnclusteredHighRP, r, 'no excess pressure and no occupancy to gain');
        continue;
      }
      if (!this.canSchedule(r)) {
        this.skipRegion(StageKind.UnclusteredHighRP, r, 'single instruction');
        continue;
      }
      if (!anyScheduled && this.maxWaves > this.minOccupancy) {
        this.minOccupancy = tempOcc;
        this.increaseOccupancy(tempOcc);
      }
      anyScheduled = true;
      this.scheduleRegion(StageKind.UnclusteredHighRP, r, {
        mutations,
        keepMutations: true,
        bias: BIAS_IN_HIGH_RP,
        revert: (e) => this.revertUnclustered(e),
      });
    }
    return true;
  }

  private runClusteredLowOccupancy(): boolean {
    if (this.options.disableClusteredLowOccupancy) return this.skipStage('disabled by option');
    if (this.startingOccupancy <= this.minOccupancy) return this.skipStage('occupancy did not drop');
    for (let r = 0; r < this.regions.length; r++) {
      if (!this.highRP[r]) {
        this.skipRegion(StageKind.ClusteredLowOcc, r, 'no high pressure');
        continue;
      }
      this.scheduleRegion(StageKind.ClusteredLowOcc, r, {
        mutations: this.baseMutations,
        bias: 0,
        revert: (e) => this.revertOccInitial(e),
      });
    }
    return true;
  }

  // -- one region -------------------------------------------------------------------------------------------------------------

  skipRegion(kind: StageKind, r: number, why: SkipReason): void {
    this.observer?.skipped?.(kind, r, why);
  }

  /** A region with one instruction, debug instructions counted, is recorded but never scheduled. */
  canSchedule(r: number): boolean {
    const { begin, end } = this.regions[r];
    return begin !== end && this.ctx.list.before(end) !== begin;
  }

  /** Schedules region r in a stage and keeps or reverts the result. */
  scheduleRegion(kind: StageKind, r: number, how: StageRun): void {
    if (!this.canSchedule(r)) {
      this.skipRegion(kind, r, 'single instruction');
      return;
    }
    const { ctx } = this;
    ctx.askForSetLimits();
    const region = this.regions[r];
    const oldOrder = ctx.instrsOf(region);
    if ((kind === StageKind.OccInitial || kind === StageKind.ILPInitial) && ctx.hasInstrGroups(region))
      this.hasIGLP[r] = true;
    const before = this.pressure[r];
    const limits = this.limitsFor(this.excessRP[r], how.bias);
    const target = this.targetOccupancy();
    let mutations = how.mutations;
    if (this.hasIGLP[r] && how.keepMutations !== true) {
      const isInitial = kind === StageKind.OccInitial || kind === StageKind.ILPInitial;
      const group = new IGroupLP(
        isInitial ? IglpPhase.Initial : IglpPhase.PreRAReentry,
        this.iglpState,
        this.options.iglp,
      );
      mutations = [(m) => group.apply(m)];
    }
    const result = this.scheduler.schedule(
      region,
      mutations,
      this.strategyOptions(),
      limits,
      (nodes) =>
        this.options.useAmdgpuTrackers
          ? this.scheduler.gcnPressure(region, this.liveIns[r])
          : this.scheduler.genericPressure(region, nodes),
      this.observer?.picks?.(kind, r) ?? null,
    );
    if (result.hasHighPressure) this.highRP[r] = true;
    const after = regionMaxPressure(result.live, result.order, this.liveIns[r], ctx.facts);
    this.profit = null;
    const isInside = this.isInsideCritical(after, limits);
    const reverted = isInside ? null : this.checkScheduling(r, before, after, target, result, how);
    if (reverted !== null) this.revert(region, oldOrder, result);
    else this.pressure[r] = after;
    this.observer?.region?.({
      stage: kind,
      region: r,
      before,
      after,
      limits,
      targetOccupancy: target,
      minOccupancyAfter: this.minOccupancy,
      reverted,
      checked: !isInside,
      hasHighPressure: result.hasHighPressure,
      highRP: this.highRP[r],
      excessRP: this.excessRP[r],
      profit: this.profit,
      graph: result.graph,
      scheduled: result.order,
      nodes: result.graph.instr.slice(0, result.graph.nSUnits),
      order: ctx.instrsOf(region),
    });
  }

  private profit: ScheduleProfit | null = null;

  /** Below both critical limits nothing is checked. */
  private isInsideCritical(after: Pressure, limits: PressureLimits): boolean {
    return numSGPRs(after) <= limits.sgprCritical && this.vgprsOf(after) <= limits.vgprCritical;
  }

  private checkScheduling(
    r: number,
    before: Pressure,
    after: Pressure,
    target: number,
    result: ScheduledRegion,
    how: StageRun,
  ): RevertReason | null {
    this.ctx.asks('occupancyRange');
    this.ctx.asks('maxNumVGPRs');
    this.ctx.asks('maxNumSGPRs');
    const cap = Math.min(target, this.ctx.limits.occupancyRange[1]);
    const wavesAfter = Math.min(cap, this.occupancyOf(after));
    const wavesBefore = Math.min(cap, this.occupancyOf(before));
    let newOccupancy = Math.max(wavesAfter, wavesBefore);
    if (wavesAfter < wavesBefore && wavesAfter < this.minOccupancy && wavesAfter >= this.minAllowedOccupancy)
      newOccupancy = wavesAfter;
    if (newOccupancy < this.minOccupancy) {
      this.minOccupancy = newOccupancy;
      this.limitOccupancy(newOccupancy);
    }
    const maxV = this.ctx.limits.maxNumVGPRs;
    const archLimit = Math.min(maxV, this.ctx.fn.subtarget.addressableNumArchVGPRs);
    if (
      this.vgprsOf(after) > maxV ||
      numArchVGPRs(after) > archLimit ||
      numAGPRs(after) > archLimit ||
      numSGPRs(after) > this.ctx.limits.maxNumSGPRs
    ) {
      this.highRP[r] = true;
      this.excessRP[r] = true;
    }
    return how.revert({ region: r, wavesAfter, before, after, result, target });
  }

  private revert(region: SchedRegion, order: readonly InstrId[], result: ScheduledRegion): void {
    this.noteMovedPastDebug(region, order);
    this.moveInto(region, order);
    if (!this.options.tracksPressure) {
      clearUndefOfDefs(this.ctx, order);
      return;
    }
    const identity = new Int32Array(result.graph.nSUnits);
    for (let n = 0; n < identity.length; n++) identity[n] = n;
    recomputeReadUndef(this.ctx, result.live, result.graph, identity);
  }

  /**
   * To go back, LLVM collects the instructions in front of the debug instructions and puts those back last: from the first one
   * of them on each instruction moves, though it may come to stand where it stood.
   */
  private noteMovedPastDebug(region: SchedRegion, order: readonly InstrId[]): void {
    const { list, roles } = this.ctx;
    const isPlaced = new Set<InstrId>();
    let next = region.begin;
    for (const i of order) {
      if (roles.isDebug(i)) continue;
      while (isPlaced.has(next)) next = list.after(next);
      if (roles.isDebug(next)) this.ctx.noteMoved(i);
      isPlaced.add(i);
    }
  }

  private moveInto(region: SchedRegion, order: readonly InstrId[]): void {
    const { list } = this.ctx;
    let top = region.begin;
    for (const i of order) {
      if (i === top) top = list.after(top);
      else {
        if (!this.ctx.roles.isDebug(i)) this.ctx.noteMovedUp(i, top);
        list.moveBefore(top, i);
      }
    }
    region.begin = order[0];
  }

  /** Puts a region back into an order that it had; the instructions must be the same. */
  restoreOrder(r: number, order: readonly InstrId[]): void {
    const region = this.regions[r];
    this.moveInto(region, order);
    if (!this.options.tracksPressure) {
      clearUndefOfDefs(this.ctx, order);
      return;
    }
    const instr = Int32Array.from(order.filter((i) => !this.ctx.roles.isDebug(i)));
    const identity = instr.map((_, n) => n);
    recomputeReadUndef(this.ctx, this.scheduler.liveness(region), { instr }, identity);
  }

  // -- revert rules -------------------------------------------------------------------------------------------------------------

  private shouldRevertBase(e: RevertQuery): RevertReason | null {
    if (e.wavesAfter < this.minOccupancy) return 'occupancy dropped';
    if (this.dyn !== 0 && this.swappedVGPRBlocks(e.after) > this.swappedVGPRBlocks(e.before))
      return 'dynamic VGPR blocks';
    return null;
  }

  /**
   * LLVM hands getAllocatedNumVGPRBlocks its two numbers in the wrong order: it is asked for blocks of as many registers as are live
   * (no block at all: the granule outside of dynamic mode) that hold one block of dynamic mode.
   */
  private swappedVGPRBlocks(p: Pressure): number {
    return Math.ceil(this.dyn / this.ctx.fn.subtarget.vgprAllocGranule(numVGPRs(p, false)));
  }

  mayCauseSpilling(e: RevertQuery): boolean {
    return e.wavesAfter <= this.minWaves && this.excessRP[e.region] && !this.less(e.after, e.before);
  }

  /** The general rule: occupancy, dynamic VGPR blocks, spilling. */
  baseOrSpill(e: RevertQuery): RevertReason | null {
    return this.shouldRevertBase(e) ?? (this.mayCauseSpilling(e) ? 'may cause spilling' : null);
  }

  private revertOccInitial(e: RevertQuery): RevertReason | null {
    return samePressure(e.after, e.before) ? null : this.baseOrSpill(e);
  }

  private revertUnclustered(e: RevertQuery): RevertReason | null {
    if (e.wavesAfter <= this.occupancyOf(e.before) && this.mayCauseSpilling(e)) return 'may cause spilling';
    const base = this.shouldRevertBase(e);
    if (base !== null) return base;
    if (this.excessRP[e.region]) return null;
    const { graph, order } = e.result;
    const identity = new Int32Array(graph.nSUnits);
    for (let n = 0; n < identity.length; n++) identity[n] = n;
    // the metric goes by the model also where the graph does not (`-schedmodel=0`)
    const { latency } = this.ctx;
    const latencies = latency.isEnabled
      ? graph.latencyCycles
      : Int32Array.from(identity, (n) => latency.modelLatency(graph.instr[n]));
    const oldMetric = scheduleMetric(graph, identity, latencies);
    const newMetric = scheduleMetric(graph, order, latencies);
    const wavesBefore = Math.min(e.target, this.occupancyOf(e.before));
    const gain = Math.floor((e.wavesAfter * 100) / wavesBefore);
    const bias = this.options.metricBias;
    // unsigned 32-bit arithmetic, from left to right
    const weighted = Math.imul(gain, Math.imul(oldMetric + bias, 100)) >>> 0;
    const profit = Math.floor(Math.floor(weighted / newMetric) / 100);
    this.profit = { oldMetric, newMetric, bias, wavesBefore, wavesAfter: e.wavesAfter, profit };
    return profit < REVERT_PROFIT_PERCENT ? 'not profitable' : null;
  }

  /** For the rematerialization stage. */
  get mutations(): readonly Mutation[] {
    return this.baseMutations;
  }
}

const UNLIMITED_OCCUPANCY = 0x7fffffff;

export interface RevertQuery {
  readonly region: number;
  readonly wavesAfter: number;
  readonly before: Pressure;
  readonly after: Pressure;
  readonly result: ScheduledRegion;
  readonly target: number;
}

export interface StageRun {
  readonly mutations: readonly Mutation[];
  /** the mutations stay also in regions with instruction groups */
  readonly keepMutations?: boolean;
  /** taken from both limits besides the margin */
  readonly bias: number;
  readonly revert: (e: RevertQuery) => RevertReason | null;
}

/** LLVM drops `undef` of all defs when it puts a region back, and without lanes to track nothing sets it again. */
function clearUndefOfDefs(ctx: SchedContext, order: readonly InstrId[]): void {
  const { opBegin, opKind, opFlags } = ctx.fn;
  for (const i of order)
    for (let o = opBegin[i]; o < opBegin[i + 1]; o++)
      if (opKind[o] === OperandKind.Register && (opFlags[o] & OpFlag.Def) !== 0) opFlags[o] &= ~OpFlag.Undef;
}

function samePressure(a: Pressure, b: Pressure): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

/**
 * Share of stall cycles of an order in percent, at least 1 (GCNSchedStage::getScheduleMetrics): register edges only, full
 * instruction latencies.
 */
function scheduleMetric(
  graph: ScheduleGraph,
  order: ArrayLike<number>,
  latencies: ArrayLike<number> = graph.latencyCycles,
): number {
  const { cycles, bubbles } = scheduleLength(graph, order, latencies);
  return Math.max(1, cycles === 0 ? 0 : Math.floor((bubbles * 100) / cycles));
}

/** Estimated length of an order, in cycles of one instruction each, and how many of them are stalls. */
export function scheduleLength(
  graph: ScheduleGraph,
  order: ArrayLike<number>,
  latencies: ArrayLike<number> = graph.latencyCycles,
): { cycles: number; bubbles: number } {
  const ready = new Int32Array(graph.nSUnits + 1);
  let cycle = 0;
  let bubbles = 0;
  for (let k = 0; k < order.length; k++) {
    const n = order[k];
    let at = cycle;
    for (let e = graph.firstPred[n]; e !== NONE; e = graph.nextPred[e]) {
      if (graph.edgeKind[e] > DepKind.Output || graph.edgeReg[e] === 0) continue;
      const pred = graph.edgePred[e];
      const t = ready[pred] + latencies[pred];
      if (t > at) at = t;
    }
    bubbles += at - cycle;
    ready[n] = at;
    cycle = at + 1;
  }
  return { cycles: cycle, bubbles };
}
