/**
 * The iterative schedulers: minimal register, ILP, and the legacy max-occupancy search.
 *
 * Follows GCNIterativeScheduler (LLVM 22.1.8) as docs/llvm/iterative-schedulers.md describes it. A bundle that
 * moves loses its members, as in LLVM (docs/llvm/iterative-schedulers.md, 5.1).
 */
import { GCNUpwardRPTracker } from '../../../analysis/gcnTrackers.js';
import { lessPressure, pressureOccupancy, type Pressure } from '../../../analysis/gcnPressure.js';
import {
  BundleFlag,
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../../model/machineFunction.js';
import type { SchedContext } from '../context.js';
import type { SchedRegion } from '../regions.js';
import { IGroupLP, IglpPhase } from '../dag/mutations/igroupLP.js';
import type { IglpOptions } from '../dag/mutations/groupRun.js';
import type { IglpProcessState } from '../dag/mutations/iglpStrategies.js';
import type { Mutation } from '../dag/mutations/mutation.js';
import { formRegions } from '../regions.js';
import { clearUndefOfDefs, recomputeReadUndef, type RegionScheduler } from '../regionScheduler.js';
import { scheduleLength } from '../stages/scheduleMetrics.js';
import {
  type Direction,
  StrategyKind,
  subtractMargins,
  type PickObserver,
  type PressureLimits,
} from '../strategy/gcnSchedStrategy.js';
import type { SchedBoundaryOptions } from '../strategy/schedBoundary.js';
import { ilpOrder } from './ilpOrder.js';
import { introsort } from '../../../util/introsort.js';
import { minRegOrder } from './minRegOrder.js';
import { TornBundles } from './tornBundles.js';

export const enum IterativeKind {
  MinReg = 0,
  ILP = 1,
  MaxOccupancy = 2,
}

export interface IterativeOptions {
  readonly kind: IterativeKind;
  readonly pendingQueueLimit: number;
  readonly relaxedOccupancy: boolean;
  readonly direction: Direction;
  readonly tracksPressure: boolean;
  readonly zone: SchedBoundaryOptions;
  readonly iglp: IglpOptions;
}

/** Regions with fewer instructions are not recorded. */
const MIN_REGION_INSTRS = 3;

/** Rules by which an order is not taken, or not yet. */
const BELOW_TARGET = 'occupancy below target';
export const PROPOSED = 'kept for later';
export const USES_PROPOSAL = 'occupancy below target: the minimal-register order instead';
/** name of the pass that proposes */
export const SEARCH_PASS = 'search of minimal-register orders';

/** What happened to a region in a pass. */
export interface IterativeEvent {
  readonly region: number;
  /** the pass left it alone, by this rule; the rest is empty then */
  readonly skipped: string | null;
  readonly before: Pressure | null;
  readonly after: Pressure | null;
  readonly targetOccupancy: number;
  /** why the new order was not taken */
  readonly reverted: string | null;
  readonly length: {
    readonly before: { readonly cycles: number; readonly bubbles: number };
    readonly after: { readonly cycles: number; readonly bubbles: number };
  } | null;
  readonly oldOrder: readonly InstrId[];
  readonly newOrder: readonly InstrId[];
}

/** What a trace is told; without one nothing is computed for it. */
export interface IterativeObserver {
  iterativeBegin(fn: MachineFunction, dynamicVGPRBlockSize: number, occupancy: number): void;
  /** regions in the order in which they are recorded */
  iterativeRegion(block: BlockId, boundary: InstrId, order: readonly InstrId[], pressure: Pressure): void;
  iterativePass(name: string, occupancy: number): void;
  iterativeRun(event: IterativeEvent): void;
  picks(kind: number, region: number): PickObserver | null;
}

interface Record {
  /** number of the region */
  readonly index: number;
  readonly region: SchedRegion;
  readonly pressure: Pressure;
  best: { readonly order: readonly InstrId[]; readonly pressure: Pressure } | null;
}

/** @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler */
export class GCNIterativeScheduler {
  private readonly records: Record[];
  private readonly tracker: GCNUpwardRPTracker;
  private mutations: readonly Mutation[];
  /** definitions that are no longer the beginning of a register once all is done, by region that has no new order yet */
  private readonly losing = new Map<SchedRegion, readonly OperandId[]>();
  private readonly torn: TornBundles | null;

  constructor(
    private readonly ctx: SchedContext,
    private readonly scheduler: RegionScheduler,
    mutations: readonly Mutation[],
    private readonly iglpState: IglpProcessState,
    private readonly options: IterativeOptions,
    private readonly observer: IterativeObserver | null = null,
  ) {
    observer?.iterativeBegin(ctx.fn, ctx.limits.dynamicVGPRBlockSize, ctx.mfi.occupancy);
    this.tracker = new GCNUpwardRPTracker(ctx.lis, ctx.facts);
    this.mutations = mutations;
    this.torn = TornBundles.of(ctx);
    this.records = formRegions(ctx.fn, ctx.list, ctx.roles)
      .filter((r) => r.nInstrs >= MIN_REGION_INSTRS)
      .map((r, index) => {
        const region = ctx.makeRegion(r);
        const nodes = this.nodesOf(region);
        const pressure = this.pressureOf(region, nodes);
        observer?.iterativeRegion(region.block, region.end >= 0 ? region.end : -1, nodes, pressure);
        return { index, region, pressure, best: null };
      });
  }

  /** @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::finalizeSchedule */
  run(): void {
    if (this.records.length === 0) return;
    switch (this.options.kind) {
      case IterativeKind.MinReg:
        this.sort(this.ctx.mfi.occupancy);
        this.runMinReg();
        break;
      case IterativeKind.ILP:
        this.runILP();
        break;
      case IterativeKind.MaxOccupancy:
        this.runMaxOccupancy();
        break;
    }
    // The search of the legacy strategy restores nothing in any release; it is the list scheduler that sets them again, where it tracks lanes.
    const { fn } = this.ctx;
    for (const defs of this.losing.values()) for (const o of defs) fn.opFlags[o] &= ~OpFlag.Undef;
  }

  // -- pressure and order ---------------------------------------------------------------------------------------------------

  private nodesOf(region: SchedRegion): InstrId[] {
    const { bundle } = this.ctx.fn;
    const isNode = (i: InstrId): boolean => !this.ctx.roles.isDebug(i) && (bundle[i] & BundleFlag.BundledPred) === 0;
    return this.ctx.instrsOf(region).filter(isNode);
  }

  /**
   * Greatest pressure of an order, the boundary instruction and what lives after it included.
   * @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::getSchedulePressure
   */
  private pressureOf(region: SchedRegion, order: readonly InstrId[]): Pressure {
    const { tracker } = this;
    tracker.resetToSlot(region.afterBoundarySlot);
    if (region.end >= 0) tracker.recede(region.end);
    for (let k = order.length - 1; k >= 0; k--) tracker.recede(order[k]);
    return tracker.max.slice();
  }

  private occ(p: Pressure): number {
    return pressureOccupancy(p, this.ctx.fn.subtarget, this.ctx.limits.dynamicVGPRBlockSize);
  }

  /** @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::sortRegionsByPressure */
  private sort(target: number): void {
    const { limits, fn } = this.ctx;
    const less = {
      subtarget: fn.subtarget,
      dynamicVGPRBlockSize: limits.dynamicVGPRBlockSize,
      maxNumSGPRs: limits.maxNumSGPRs,
      maxNumVGPRs: limits.maxNumVGPRs,
    };
    introsort(this.records, (x, y) => {
      if (Math.min(target, this.occ(x.pressure)) === Math.min(target, this.occ(y.pressure))) {
        this.ctx.asks('maxNumVGPRs');
        this.ctx.asks('maxNumSGPRs');
      }
      return lessPressure(y.pressure, x.pressure, less, target);
    });
  }

  private get minAllowed(): number {
    const { mfi } = this.ctx;
    return mfi.memoryBound || mfi.waveLimiter ? Math.min(mfi.occupancy, 4) : mfi.occupancy;
  }

  private limitOccupancy(n: number): void {
    const { mfi } = this.ctx;
    mfi.occupancy = Math.min(mfi.occupancy, n);
  }

  /**
   * A region with instruction groups replaces the mutations for good.
   * @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::swapIGLPMutations
   */
  private switchMutations(region: SchedRegion, reentry: boolean): void {
    if (!this.ctx.hasInstrGroups(region)) return;
    const group = new IGroupLP(reentry ? IglpPhase.PreRAReentry : IglpPhase.Initial, this.iglpState, this.options.iglp);
    this.mutations = [(m) => group.apply(m)];
  }

  /** Tells a trace of an order for the region whose graph was built last. Called before the order is committed. */
  private tell(rec: Record, newOrder: readonly InstrId[], targetOccupancy: number, reverted: string | null): void {
    const { observer, scheduler } = this;
    if (observer === null) return;
    const { graph } = scheduler;
    const oldOrder = Array.from(graph.instr.subarray(0, graph.nSUnits));
    const nodeOf = new Map<InstrId, number>();
    oldOrder.forEach((i, n) => nodeOf.set(i, n));
    observer.iterativeRun({
      region: rec.index,
      skipped: null,
      before: this.pressureOf(rec.region, oldOrder),
      after: this.pressureOf(rec.region, newOrder),
      targetOccupancy,
      reverted,
      length: {
        before: scheduleLength(
          graph,
          oldOrder.map((_, n) => n),
        ),
        after: scheduleLength(
          graph,
          newOrder.map((i) => nodeOf.get(i) ?? 0),
        ),
      },
      oldOrder,
      newOrder,
    });
  }

  private tellSkipped(rec: Record, why: string): void {
    const nothing = { before: null, after: null, targetOccupancy: 0, reverted: null, length: null };
    this.observer?.iterativeRun({ region: rec.index, skipped: why, ...nothing, oldOrder: [], newOrder: [] });
  }

  /**
   * LLVM's live intervals remember where a definition begins a register, though building the graph takes its `undef` away. Here they are asked again
   * when the order is there: until then the operands keep it, and those of a region that is left as it is lose it at the end, unless the
   * release restores it.
   */
  private build(region: SchedRegion, reentry: boolean): void {
    this.switchMutations(region, reentry);
    const { fn } = this.ctx;
    const begins = this.beginningDefs(region);
    this.scheduler.regionGraph.build(region, this.mutations);
    this.losing.set(
      region,
      begins.filter((o) => (fn.opFlags[o] & OpFlag.Undef) === 0),
    );
    for (const o of begins) fn.opFlags[o] |= OpFlag.Undef;
  }

  private beginningDefs(region: SchedRegion): OperandId[] {
    const { fn } = this.ctx;
    const found: OperandId[] = [];
    for (const i of this.ctx.instrsOf(region))
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if ((fn.opFlags[o] & OpFlag.Def) !== 0 && (fn.opFlags[o] & OpFlag.Undef) !== 0) found.push(o);
    return found;
  }

  /**
   * Of a region that keeps its order, too, `undef` is set anew.
   * @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::restoreRegionLivenessFlags
   */
  private restoreUndef(region: SchedRegion): void {
    this.losing.delete(region);
    const nodes = Int32Array.from(this.nodesOf(region));
    const inOrder = nodes.map((_, n) => n);
    recomputeReadUndef(this.ctx, this.scheduler.liveness(region), { instr: nodes }, inOrder);
  }

  private toInstrs(nodes: ArrayLike<number>): InstrId[] {
    return Array.from(nodes, (n) => this.scheduler.graph.instr[n]);
  }

  /**
   * Puts the nodes of the region in this order; what is no node ends up after them.
   * @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::scheduleRegion
   */
  private commit(region: SchedRegion, order: readonly InstrId[]): void {
    const { ctx, torn } = this;
    const live = this.scheduler.liveness(region);
    this.losing.delete(region);
    const nodeOf = new Map<InstrId, number>();
    const nodes = this.nodesOf(region);
    nodes.forEach((i, n) => nodeOf.set(i, n));
    let top = region.begin;
    for (const i of order) {
      // LLVM steps from a header to its first member, so whatever comes next goes in between
      if (ctx.fn.bundle[i] !== 0) ctx.list.tearBundle(i);
      if (i === top) top = ctx.list.after(top);
      else if (ctx.passesDebugInstrsAlone(top, i)) ctx.editor.slip(i, top);
      else {
        // With torn bundles the intervals that follow the moves know which definitions are dead no more.
        if (torn === null) ctx.noteMovedUp(i, top);
        else ctx.noteMoved(i);
        ctx.editor.reinsert(i, top);
      }
      torn?.replaceUndef(i);
    }
    region.begin = order[0];
    if (torn === null) {
      clearUndefOfDefs(ctx, order);
      recomputeReadUndef(
        ctx,
        live,
        { instr: Int32Array.from(nodes) },
        Int32Array.from(order, (i) => nodeOf.get(i)!),
      );
    }
    this.scheduler.regionGraph.placeDebugValues(region);
  }

  // -- the three kinds ------------------------------------------------------------------------------------------------------

  /** @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::scheduleMinReg */
  private runMinReg(): void {
    this.observer?.iterativePass('minimal registers', this.ctx.mfi.occupancy);
    for (const rec of this.records) {
      const { region } = rec;
      this.build(region, false);
      const order = this.toInstrs(minRegOrder(this.scheduler.graph));
      this.tell(rec, order, this.ctx.mfi.occupancy, null);
      this.commit(region, order);
    }
  }

  /** @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::scheduleILP */
  private runILP(): void {
    let target = this.minAllowed;
    this.sort(target);
    const occ = this.occ(this.records[0].pressure);
    target = Math.min(target, occ);
    let final = Math.min(occ, this.ctx.mfi.occupancy);
    this.observer?.iterativePass('ILP', this.ctx.mfi.occupancy);
    for (const rec of this.records) {
      const { region } = rec;
      this.build(region, false);
      const order = this.toInstrs(ilpOrder(this.scheduler.graph));
      const o = this.occ(this.pressureOf(region, order));
      this.tell(rec, order, target, o < target ? BELOW_TARGET : null);
      if (o < target) {
        if (this.ctx.fn.subtarget.release.rules.restoresUndef) this.restoreUndef(region);
        continue;
      }
      this.commit(region, order);
      final = Math.min(final, o);
    }
    this.limitOccupancy(final);
  }

  /** @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::scheduleLegacyMaxOccupancy */
  private runMaxOccupancy(): void {
    const { mfi } = this.ctx;
    let target = this.minAllowed;
    this.sort(target);
    let occ = this.occ(this.records[0].pressure);
    let reentry = false;
    if (occ < target) {
      occ = this.searchOccupancy(target);
      reentry = true;
    }
    const passes = occ < target ? 2 : 1;
    target = Math.min(target, occ);
    let final = Math.min(occ, mfi.occupancy);
    for (let pass = 0; pass < passes; pass++) {
      if (pass > 0) reentry = true;
      this.observer?.iterativePass(`max occupancy, pass ${pass + 1}`, mfi.occupancy);
      for (const rec of this.records) {
        const { region } = rec;
        const before = this.nodesOf(region);
        this.switchMutations(region, reentry);
        this.scheduleList(rec);
        const scheduled = this.nodesOf(region);
        const p = this.pressureOf(region, scheduled);
        const usesBest = rec.best !== null && this.occ(rec.best.pressure) >= target;
        this.tell(rec, scheduled, target, this.occ(p) < target ? (usesBest ? USES_PROPOSAL : BELOW_TARGET) : null);
        if (this.occ(p) < target) {
          if (rec.best !== null && this.occ(rec.best.pressure) >= target) {
            const { order } = rec.best;
            rec.best = null;
            this.commit(region, order);
          } else this.commit(region, before);
        }
        final = Math.min(final, this.occ(p));
      }
    }
    this.limitOccupancy(final);
  }

  /**
   * Minimal-register orders for the regions that miss the target, remembered for later; returns the occupancy they promise.
   * @llvm GCNIterativeScheduler.cpp GCNIterativeScheduler::tryMaximizeOccupancy
   */
  private searchOccupancy(target: number): number {
    const first = this.occ(this.records[0].pressure);
    let promised = target;
    this.observer?.iterativePass(SEARCH_PASS, this.ctx.mfi.occupancy);
    for (const rec of this.records) {
      this.build(rec.region, false);
      if (this.occ(rec.pressure) >= promised) {
        this.tellSkipped(rec, 'reaches the target as it is');
        continue;
      }
      const order = this.toInstrs(minRegOrder(this.scheduler.graph));
      const pressure = this.pressureOf(rec.region, order);
      this.tell(rec, order, promised, PROPOSED);
      promised = Math.min(promised, this.occ(pressure));
      if (promised <= first) break;
      rec.best = { order, pressure };
    }
    if (promised > first) {
      const { mfi, limits } = this.ctx;
      mfi.occupancy = Math.max(mfi.occupancy, promised);
      this.limitOccupancy(limits.wavesPerEU[1]);
      this.ctx.asks('occupancyRange');
      this.limitOccupancy(limits.occupancyRange[1]);
    }
    return Math.max(promised, first);
  }

  private scheduleList(rec: Record): void {
    const { options } = this;
    const { region } = rec;
    this.ctx.askForSetLimits();
    if (options.tracksPressure) this.losing.delete(region);
    this.scheduler.schedule(
      region,
      this.mutations,
      {
        kind: StrategyKind.MaxOccupancy,
        direction: options.direction,
        pendingQueueLimit: options.pendingQueueLimit,
        tracksPressure: options.tracksPressure,
        zone: options.zone,
      },
      this.listLimits(),
      (nodes) => this.scheduler.genericPressure(region, nodes),
      this.observer?.picks(0, rec.index) ?? null,
      this.torn === null ? null : (i) => this.torn?.addUndef(i),
    );
  }

  private listLimits(): PressureLimits {
    const { fn, mfi, limits } = this.ctx;
    const st = fn.subtarget;
    const target = this.options.relaxedOccupancy ? this.minAllowed : mfi.occupancy;
    const sgprExcess = this.ctx.numAllocatableRegs(fn.tables.regClassByName('sgpr_32'));
    const vgprExcess = this.ctx.numAllocatableRegs(fn.tables.regClassByName('vgpr_32'));
    return subtractMargins(
      {
        sgprExcess,
        vgprExcess,
        sgprCritical: Math.min(st.maxNumSGPRs(target, true), sgprExcess),
        vgprCritical: Math.min(st.maxNumVGPRs(target, limits.dynamicVGPRBlockSize), vgprExcess),
      },
      0,
      0,
    );
  }
}
