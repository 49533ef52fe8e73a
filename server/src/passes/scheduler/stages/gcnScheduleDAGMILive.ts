/**
 * What GCN's scheduling stages share: the regions of a function with what is known of them, and the occupancy that they hold on to.
 *
 * Follows GCNScheduleDAGMILive (LLVM 22.1.8) as docs/llvm/gcn-strategy.md describes it. The stages are classes of their own
 * (gcnSchedStage.ts).
 */
import { BlockLiveness, type LiveRegSet } from '../../../analysis/liveSets.js';
import { GCNDownwardRPTracker } from '../../../analysis/gcnTrackers.js';
import {
  lessPressure,
  newPressure,
  numVGPRs,
  pressureOccupancy,
  type Pressure,
  type PressureLimits as LessLimits,
} from '../../../analysis/gcnPressure.js';
import type { BlockId, InstrId, MachineFunction } from '../../../model/machineFunction.js';
import type { VRegId } from '../../../model/register.js';
import type { SchedContext } from '../context.js';
import type { IglpOptions } from '../dag/mutations/groupRun.js';
import type { IglpProcessState } from '../dag/mutations/iglpStrategies.js';
import type { Mutation } from '../dag/mutations/mutation.js';
import { formRegions, type SchedRegion } from '../regions.js';
import {
  clearUndefOfDefs,
  recomputeReadUndef,
  type RegionScheduler,
  type ScheduledRegion,
} from '../regionScheduler.js';
import { RegionLiveIns } from '../pressure/regionLiveIns.js';
import type { RematReport } from '../remat/report.js';
import { regionMaxPressure } from '../pressure/regionMaxPressure.js';
import {
  type Direction,
  type PickObserver,
  StrategyKind,
  subtractMargins,
  type PressureLimits,
  type StrategyOptions,
} from '../strategy/gcnSchedStrategy.js';
import type { SchedBoundaryOptions } from '../strategy/schedBoundary.js';
import type { MfmaRewriteReport } from './mfmaRewriteReport.js';
import type { RegionEvent, SkipReason, StageKind } from './stageEvents.js';

export interface GCNSchedOptions {
  readonly strategy: StrategyKind;
  readonly direction: Direction;
  readonly pendingQueueLimit: number;
  readonly tracksPressure: boolean;
  readonly zone: SchedBoundaryOptions;
  readonly useAmdgpuTrackers: boolean;
  readonly disableUnclusteredHighRP: boolean;
  readonly disableClusteredLowOccupancy: boolean;
  readonly relaxedOccupancy: boolean;
  /** `-amdgpu-schedule-metric-bias`, percent */
  readonly metricBias: number;
  readonly iglp: IglpOptions;
}

/** What a trace is told; every member is optional, and without a trace nothing is computed for it. */
export interface StageObserver {
  /** regions and their pressure are known, nothing is scheduled; borrowed for the whole run */
  begin?(dag: GCNScheduleDAGMILive): void;
  stageBegin?(kind: StageKind): void;
  /** a stage is over; `why` is given when it did not run */
  stage?(kind: StageKind, ran: boolean, why: SkipReason | null): void;
  region?(event: RegionEvent): void;
  skipped?(kind: StageKind, region: number, why: SkipReason): void;
  picks?(kind: StageKind, region: number): PickObserver | null;
  /** an instruction was rematerialized before its use, or (`undone`) all of them went back */
  rematerialized?(def: InstrId, use: InstrId, clone: InstrId): void;
  rematUndone?(): void;
  /** how the rematerialization stage chose; without this member nothing is noted for it */
  rematReport?(report: RematReport): void;
  mfmaRewrite?(report: MfmaRewriteReport): void;
  /** the function was rewritten: another scheduler, over the same regions, goes on */
  replaced?(dag: GCNScheduleDAGMILive): void;
}

/** A region with what the stages know of it. */
export interface GCNSchedRegion extends SchedRegion {
  liveIns: RegionLiveIns;
  /** greatest pressure, of the order that the region has */
  pressure: Pressure;
  /** a candidate above a limit was seen, or the pressure is above what the function may use */
  highRP: boolean;
  /** the pressure is above what the function may use */
  excessRP: boolean;
  /** it holds instructions for IGroupLP */
  hasIGLP: boolean;
}

/** Runs one stage and returns what to go on with: the same, but for a stage that rewrites the function. */
export type SchedStage = (dag: GCNScheduleDAGMILive) => { run(): GCNScheduleDAGMILive };

/** What is live where a block ends, handed to the one that follows; `suspects` may live no more. */
interface HandedOnSet {
  readonly regs: Int32Array;
  readonly lo: Uint32Array;
  readonly hi: Uint32Array;
  readonly suspects: ReadonlySet<VRegId>;
}
type LiveSetsOfBlocks = Map<number, HandedOnSet>;

const UNLIMITED_OCCUPANCY = 0x7fffffff;

/** @llvm GCNSchedStrategy.cpp GCNScheduleDAGMILive */
export class GCNScheduleDAGMILive {
  readonly regions: readonly GCNSchedRegion[];
  readonly startingOccupancy: number;
  private minimum: number;
  private readonly lessLimits: LessLimits;
  private readonly dyn: number;
  private readonly unified: boolean;
  private readonly allocatableSGPRs: number;
  private readonly allocatableVGPRs: number;

  constructor(
    readonly ctx: SchedContext,
    readonly scheduler: RegionScheduler,
    readonly mutations: readonly Mutation[],
    readonly iglpState: IglpProcessState,
    readonly options: GCNSchedOptions,
    readonly observer: StageObserver | null,
    /** that of the same function before it was rewritten, whose regions and state go on; null = the first */
    private readonly predecessor: GCNScheduleDAGMILive | null = null,
  ) {
    const { fn, limits } = ctx;
    const before = predecessor?.regions;
    this.regions = (before ?? formRegions(fn, ctx.list, ctx.roles)).map((formed, r) => ({
      ...ctx.makeRegion(formed),
      liveIns: RegionLiveIns.empty(),
      pressure: newPressure(),
      highRP: before?.[r]?.highRP ?? false,
      excessRP: before?.[r]?.excessRP ?? false,
      hasIGLP: before?.[r]?.hasIGLP ?? false,
    }));
    this.startingOccupancy = predecessor?.startingOccupancy ?? ctx.mfi.occupancy;
    const atStart = options.relaxedOccupancy
      ? Math.min(this.minAllowedOccupancy, this.startingOccupancy)
      : this.startingOccupancy;
    this.minimum = predecessor?.minOccupancy ?? atStart;
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
  }

  /** @llvm GCNSchedStrategy.cpp GCNScheduleDAGMILive::runSchedStages */
  runSchedStages(stages: readonly SchedStage[]): void {
    if (this.regions.length === 0) {
      if (this.options.strategy === StrategyKind.MaxOccupancy) this.askForRemat();
      return;
    }
    this.computeInitialPressure(this.ctx.fn.subtarget.release.rules.keepsEndedLiveIns);
    this.observer?.begin?.(this);
    stages.reduce<GCNScheduleDAGMILive>((dag, make) => make(dag).run(), this);
  }

  /** Rematerialization asks for its budget, also in a function without regions. */
  askForRemat(): void {
    this.ctx.asks('maxNumSGPRsOfF');
    this.ctx.asks('maxNumVGPRs');
  }

  // -- occupancy ----------------------------------------------------------------------------------------------------------------

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

  /** @llvm SIMachineFunctionInfo.cpp SIMachineFunctionInfo::limitOccupancy */
  private limitOccupancy(n: number): void {
    const { mfi } = this.ctx;
    mfi.occupancy = Math.min(mfi.occupancy, n);
  }

  /** @llvm SIMachineFunctionInfo.h SIMachineFunctionInfo::increaseOccupancy */
  private increaseOccupancy(n: number): void {
    const { mfi } = this.ctx;
    if (mfi.occupancy < n) mfi.occupancy = n;
    this.limitOccupancy(this.maxWaves);
    this.ctx.asks('occupancyRange');
    this.limitOccupancy(this.ctx.limits.occupancyRange[1]);
  }

  /** The least occupancy of all regions that the stages hold on to. */
  get minOccupancy(): number {
    return this.minimum;
  }

  /** A stage aims at more waves; what the function may have grows with it. */
  raiseMinOccupancy(n: number): void {
    this.minimum = n;
    this.increaseOccupancy(n);
  }

  /** A region cannot have more waves. */
  lowerMinOccupancy(n: number): void {
    this.minimum = n;
    this.limitOccupancy(n);
  }

  /** `a` is the better pressure. */
  less(a: Pressure, b: Pressure): boolean {
    if (this.occupancyOf(a) === this.occupancyOf(b)) {
      this.ctx.asks('maxNumVGPRs');
      this.ctx.asks('maxNumSGPRs');
    }
    return lessPressure(a, b, this.lessLimits, UNLIMITED_OCCUPANCY);
  }

  /** Waves that regions are scheduled for. */
  targetOccupancy(): number {
    return this.options.relaxedOccupancy ? this.minAllowedOccupancy : this.ctx.mfi.occupancy;
  }

  /**
   * Where pressure counts as excess, and where it costs a wave; `bias` is taken from both besides the margin.
   * @llvm GCNSchedStrategy.cpp GCNSchedStrategy::initialize
   */
  limitsFor(knownExcess: boolean, bias: number): PressureLimits {
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

  /** Whether the second pressure takes more blocks of dynamic VGPRs, as LLVM counts them. */
  usesMoreDynamicBlocks(before: Pressure, after: Pressure): boolean {
    return this.dyn !== 0 && this.swappedVGPRBlocks(after) > this.swappedVGPRBlocks(before);
  }

  /**
   * LLVM hands getAllocatedNumVGPRBlocks its two numbers in the wrong order: it is asked for blocks of as many registers as are live
   * (no block at all: the granule outside of dynamic mode) that hold one block of dynamic mode.
   */
  private swappedVGPRBlocks(p: Pressure): number {
    return Math.ceil(this.dyn / this.ctx.fn.subtarget.vgprAllocGranule(numVGPRs(p, false)));
  }

  // -- regions ------------------------------------------------------------------------------------------------------------------

  /** After a rewriting: live-ins are new; the pressures stay those before it, but for the first region. */
  takeOver(): void {
    this.computeInitialPressure(false);
    // the same regions, made again
    const before = this.predecessor?.regions ?? [];
    for (let r = 1; r < before.length; r++) this.regions[r].pressure = before[r].pressure.slice();
  }

  /**
   * Live-ins and maxima of all regions in the original order. `keepsEnded`: what ends at an instruction leaves only after the
   * next one was taken for a region's first, and with the block not at all, when its successor goes on with the same set.
   * @llvm GCNSchedStrategy.cpp GCNScheduleDAGMILive::computeBlockPressure
   */
  private computeInitialPressure(keepsEnded: boolean): void {
    const { ctx } = this;
    const { lis } = ctx;
    const borders = new BlockLiveness(lis);
    const tracker = new GCNDownwardRPTracker(lis, ctx.facts, true);
    const { regions } = this;
    const handedOn: LiveSetsOfBlocks = new Map();
    let at = 0;
    while (at < regions.length) {
      const b = regions[at].block;
      let last = at;
      while (last + 1 < regions.length && regions[last + 1].block === b) last++;
      // the top-most region of the block has the highest number
      let current = last;
      const instrs: InstrId[] = [];
      for (let p = ctx.list.first(b); p >= 0; p = ctx.list.after(p)) if (!ctx.roles.isDebug(p)) instrs.push(p);
      tracker.resetToSet(borders.liveIn, b);
      if (keepsEnded) {
        this.trackBlock(tracker, instrs, at, last, handedOn);
        at = last + 1;
        continue;
      }
      const isFirstOf = (i: InstrId): boolean => lis.indexes.instrIndex[i] === regions[current].beginSlot;
      let inside = false;
      for (let k = 0; k < instrs.length; k++) {
        const i = instrs[k];
        if (inside && i === regions[current].end) {
          regions[current].pressure = tracker.max.slice();
          inside = false;
          current--;
          if (current < at) break;
        }
        if (!inside && isFirstOf(i)) {
          regions[current].liveIns = RegionLiveIns.of(tracker.live, tracker.cur);
          if (tracker.nStrays > 0) regions[current].liveIns.recount(ctx.facts);
          tracker.clearMax();
          inside = true;
        }
        tracker.advanceToNext(i);
        const next = k + 1 < instrs.length ? lis.indexes.instrIndex[instrs[k + 1]] : lis.indexes.lastSlotOf(b);
        tracker.advanceBeforeNext(i, next);
      }
      if (inside) regions[current].pressure = tracker.max.slice();
      at = last + 1;
    }
  }

  /**
   * The same for the regions from `at` to `last` of a block, the tracker at its begin.
   * @llvm GCNSchedStrategy.cpp GCNScheduleDAGMILive::computeBlockPressure
   */
  private trackBlock(
    tracker: GCNDownwardRPTracker,
    instrs: readonly InstrId[],
    at: number,
    last: number,
    handedOn: LiveSetsOfBlocks,
  ): void {
    const { ctx, regions } = this;
    const { lis, fn, facts } = ctx;
    const b = regions[at].block;
    const inherited = handedOn.get(b);
    handedOn.delete(b);
    if (inherited !== undefined) tracker.resetToLive(inherited);
    /** registers that may be in the set though they live no more */
    const suspects = new Set(inherited?.suspects);
    let current = last;
    let inside = false;
    let prev = -1;
    const leaveBehind = (next: number): void => {
      if (prev >= 0) tracker.advanceBeforeNext(prev, next);
      prev = -1;
    };
    for (const i of instrs) {
      const slot = lis.indexes.instrIndex[i];
      if (inside && i === regions[current].end) {
        regions[current].pressure = tracker.max.slice();
        inside = false;
        current--;
      }
      const begins = !inside && current >= at && slot === regions[current].beginSlot;
      // the set of the first region is what lives there, if none is handed on
      if (begins && current === last && inherited === undefined) leaveBehind(slot);
      if (begins) {
        const liveIns = RegionLiveIns.of(tracker.live, tracker.cur);
        if (tracker.nStrays > 0) liveIns.recount(facts);
        for (const v of [...suspects, ...(prev < 0 ? [] : virtualRegistersOf(fn, prev))]) {
          const [lo, hi] = [tracker.live.lo[v], tracker.live.hi[v]];
          const isLive = (lis.liveLanes(v, slot) ^ lo) === 0 && (lis.lanesHi ^ hi) === 0;
          if (!isLive) liveIns.markStale(v, lo, hi);
        }
        regions[current].liveIns = liveIns;
        tracker.max.fill(0);
        inside = true;
      }
      leaveBehind(slot);
      tracker.advanceToNext(i);
      prev = i;
    }
    if (inside) regions[current].pressure = tracker.max.slice();
    const next = this.onlySuccessor(b);
    if (next < 0) return;
    if (prev >= 0) for (const v of virtualRegistersOf(fn, prev)) suspects.add(v);
    handedOn.set(next, { ...liveSetOf(tracker.live), suspects });
  }

  /** The only successor of a block that has no other predecessor, comes later and is not empty; -1 = none. */
  private onlySuccessor(b: BlockId): number {
    const { blocks } = this.ctx.fn;
    const { successors } = blocks[b];
    if (successors.length !== 1) return -1;
    const [next] = successors;
    return next > b && blocks[next].predecessors.length === 1 && this.ctx.list.first(next) >= 0 ? next : -1;
  }

  /** A region with one instruction, debug instructions counted, is recorded but never scheduled. */
  canSchedule({ begin, end }: GCNSchedRegion): boolean {
    return begin !== end && this.ctx.list.before(end) !== begin;
  }

  /**
   * Greatest pressure of a region as it stands.
   * @llvm GCNSchedStrategy.cpp GCNScheduleDAGMILive::getRealRegPressure
   */
  realPressure(region: GCNSchedRegion): Pressure {
    return regionMaxPressure(this.scheduler.liveness(region), null, region.liveIns, this.ctx.facts, this.ctx.lis);
  }

  strategyOptions(): StrategyOptions {
    return {
      kind: this.options.strategy,
      direction: this.options.direction,
      pendingQueueLimit: this.options.pendingQueueLimit,
      tracksPressure: this.options.tracksPressure,
      zone: this.options.zone,
    };
  }

  /**
   * Puts a region, the one whose graph was built last, back into the order that it had before it was scheduled. Of debug instructions only values come
   * back to their places: labels stay at its end.
   * @llvm GCNSchedStrategy.cpp GCNSchedStage::revertScheduling
   */
  revert(region: SchedRegion, order: readonly InstrId[], result: ScheduledRegion): void {
    if (this.ctx.fn.subtarget.release.rules.revertsAroundDebugInstrs) this.moveBack(region, order);
    else {
      const code = order.filter((i) => !this.ctx.roles.isDebug(i));
      this.moveInto(region, code, this.movedPastDebug(region, code));
      if (code.length < order.length) this.scheduler.regionGraph.placeDebugValues(region);
    }
    clearUndefOfDefs(this.ctx, order);
    if (!this.options.tracksPressure) return;
    const identity = new Int32Array(result.graph.nSUnits);
    for (let n = 0; n < identity.length; n++) identity[n] = n;
    recomputeReadUndef(this.ctx, result.live, result.graph, identity);
  }

  /**
   * To go back, LLVM collects the instructions before the debug instructions and puts those back last: from the first one
   * of them on each instruction moves, though it may come to stand where it stood.
   */
  private movedPastDebug(region: SchedRegion, order: readonly InstrId[]): ReadonlySet<InstrId> {
    const { list, roles } = this.ctx;
    const moved = new Set<InstrId>();
    const isPlaced = new Set<InstrId>();
    let next = region.begin;
    for (const i of order) {
      while (isPlaced.has(next)) next = list.after(next);
      if (roles.isDebug(next)) moved.add(i);
      isPlaced.add(i);
    }
    for (const i of moved) this.ctx.noteMoved(i);
    return moved;
  }

  /** Debug instructions go back with the others; to pass them alone is no move (GCNSchedStage::modifyRegionSchedule of LLVM 24). */
  private moveBack(region: SchedRegion, order: readonly InstrId[]): void {
    const { list, roles } = this.ctx;
    let top = region.begin;
    for (const i of order) {
      if (i === top) {
        top = list.after(top);
        continue;
      }
      if (roles.isDebug(i) || this.ctx.passesDebugInstrsAlone(top, i)) list.slipBefore(top, i);
      else {
        this.ctx.noteMovedUp(i, top);
        list.moveBefore(top, i);
      }
    }
    region.begin = order[0];
  }

  private moveInto(
    region: SchedRegion,
    order: readonly InstrId[],
    movedInPlace: ReadonlySet<InstrId> = new Set(),
  ): void {
    const { list } = this.ctx;
    let top = region.begin;
    for (const i of order) {
      if (i === top) {
        if (movedInPlace.has(i)) list.moveInPlace(i);
        top = list.after(top);
      } else {
        if (!this.ctx.roles.isDebug(i)) this.ctx.noteMovedUp(i, top);
        list.moveBefore(top, i);
      }
    }
    region.begin = order[0];
  }

  /** Puts a region back into an order that it had; the instructions must be the same. */
  restoreOrder(region: GCNSchedRegion, order: readonly InstrId[]): void {
    this.moveInto(region, order);
    const live = this.options.tracksPressure ? this.scheduler.liveness(region) : null;
    clearUndefOfDefs(this.ctx, order);
    if (live === null) return;
    const instr = Int32Array.from(order.filter((i) => !this.ctx.roles.isDebug(i)));
    const identity = instr.map((_, n) => n);
    recomputeReadUndef(this.ctx, live, { instr }, identity);
  }
}

function virtualRegistersOf(fn: MachineFunction, i: InstrId): VRegId[] {
  const out = new Set<VRegId>();
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] < 0) out.add(~fn.opVal[o]);
  return [...out];
}

function liveSetOf({ regs, size, lo, hi }: LiveRegSet): Omit<HandedOnSet, 'suspects'> {
  const own = regs.slice(0, size);
  return { regs: own, lo: Uint32Array.from(own, (v) => lo[v]), hi: Uint32Array.from(own, (v) => hi[v]) };
}
