/**
 * The iterative schedulers: minimal register, ILP, and the legacy max-occupancy search.
 *
 * Follows GCNIterativeScheduler (LLVM 22.1.8) as spec iterative-schedulers.md describes it. Members of a bundle stay with their
 * header; LLVM tears bundles apart here (spec 5.1), which no function can want.
 */
import { GcnUpwardTracker } from '../../analysis/gcnTrackers.js';
import { lessPressure, pressureOccupancy, type Pressure } from '../../analysis/gcnPressure.js';
import type { InstrId } from '../../model/machineFunction.js';
import type { SchedContext, SchedRegion } from '../context.js';
import { IGroupLP, IglpPhase, type IglpOptions } from '../dag/mutations/igroupLP.js';
import type { IglpProcessState } from '../dag/mutations/iglpStrategies.js';
import type { Mutation } from '../dag/mutations/mutation.js';
import { formRegions } from '../regions.js';
import { recomputeReadUndef, type RegionScheduler } from '../regionScheduler.js';
import { Direction, StrategyKind, subtractMargins, type PressureLimits } from '../strategy/gcnStrategy.js';
import { ilpOrder } from './ilpOrder.js';
import { introsort } from './introsort.js';
import { minRegOrder } from './minRegOrder.js';

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
  readonly iglp: IglpOptions;
}

/** Regions with fewer instructions are not recorded. */
const MIN_REGION_INSTRS = 3;

interface Record {
  readonly region: SchedRegion;
  readonly pressure: Pressure;
  best: { readonly order: readonly InstrId[]; readonly pressure: Pressure } | null;
}

export class IterativeScheduler {
  private readonly records: Record[];
  private readonly tracker: GcnUpwardTracker;
  private mutations: readonly Mutation[];

  constructor(
    private readonly ctx: SchedContext,
    private readonly scheduler: RegionScheduler,
    mutations: readonly Mutation[],
    private readonly iglpState: IglpProcessState,
    private readonly options: IterativeOptions,
  ) {
    this.tracker = new GcnUpwardTracker(ctx.lis, ctx.facts);
    this.mutations = mutations;
    this.records = formRegions(ctx.fn, ctx.list, ctx.roles)
      .filter((r) => r.nInstrs >= MIN_REGION_INSTRS)
      .map((r) => {
        const region = ctx.makeRegion(r);
        return { region, pressure: this.pressureOf(region, this.nodesOf(region)), best: null };
      });
  }

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
  }

  // -- pressure and order ---------------------------------------------------------------------------------------------------

  private nodesOf(region: SchedRegion): InstrId[] {
    return this.ctx.instrsOf(region).filter((i) => !this.ctx.roles.isDebug(i));
  }

  /** Greatest pressure of an order, the boundary instruction and what lives behind it included. */
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

  private sort(target: number): void {
    const { limits, fn } = this.ctx;
    const less = {
      subtarget: fn.subtarget,
      dynamicVGPRBlockSize: limits.dynamicVGPRBlockSize,
      maxNumSGPRs: limits.maxNumSGPRsOfF,
      maxNumVGPRs: limits.maxNumVGPRs,
    };
    introsort(this.records, (x, y) => lessPressure(y.pressure, x.pressure, less, target));
  }

  private get minAllowed(): number {
    const { mfi } = this.ctx;
    return mfi.memoryBound || mfi.waveLimiter ? Math.min(mfi.occupancy, 4) : mfi.occupancy;
  }

  private limitOccupancy(n: number): void {
    const { mfi } = this.ctx;
    mfi.occupancy = Math.min(mfi.occupancy, n);
  }

  /** A region with instruction groups replaces the mutations for good. */
  private switchMutations(region: SchedRegion, reentry: boolean): void {
    const hasGroups = this.ctx.instrsOf(region).some((i) => {
      const name = this.ctx.opcodeName(i);
      return name === 'SCHED_GROUP_BARRIER' || name === 'IGLP_OPT';
    });
    if (!hasGroups) return;
    const group = new IGroupLP(reentry ? IglpPhase.PreRAReentry : IglpPhase.Initial, this.iglpState, this.options.iglp);
    this.mutations = [(m) => group.apply(m)];
  }

  private build(region: SchedRegion, reentry: boolean): void {
    this.switchMutations(region, reentry);
    this.scheduler.buildGraph(region, this.mutations);
  }

  private toInstrs(nodes: ArrayLike<number>): InstrId[] {
    return Array.from(nodes, (n) => this.scheduler.graph.instr[n]);
  }

  /** Puts the nodes of the region in this order; what is no node ends up behind them. */
  private commit(region: SchedRegion, order: readonly InstrId[]): void {
    const { ctx } = this;
    const live = this.scheduler.liveness(region);
    live.release();
    const nodeOf = new Map<InstrId, number>();
    const nodes = this.nodesOf(region);
    nodes.forEach((i, n) => nodeOf.set(i, n));
    let top = region.begin;
    for (const i of order) {
      if (i === top) top = ctx.list.after(top);
      else {
        ctx.noteMoved(i);
        ctx.list.moveBefore(top, i);
      }
    }
    region.begin = order[0];
    recomputeReadUndef(
      ctx,
      live,
      { instr: Int32Array.from(nodes) },
      Int32Array.from(order, (i) => nodeOf.get(i)!),
    );
    this.scheduler.placeDebugValues(region);
  }

  // -- the three kinds ------------------------------------------------------------------------------------------------------

  private runMinReg(): void {
    for (const { region } of this.records) {
      this.build(region, false);
      this.commit(region, this.toInstrs(minRegOrder(this.scheduler.graph)));
    }
  }

  private runILP(): void {
    let target = this.minAllowed;
    this.sort(target);
    const occ = this.occ(this.records[0].pressure);
    target = Math.min(target, occ);
    let final = Math.min(occ, this.ctx.mfi.occupancy);
    for (const { region } of this.records) {
      this.build(region, false);
      const order = this.toInstrs(ilpOrder(this.scheduler.graph));
      const o = this.occ(this.pressureOf(region, order));
      if (o < target) continue;
      this.commit(region, order);
      final = Math.min(final, o);
    }
    this.limitOccupancy(final);
  }

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
      for (const rec of this.records) {
        const { region } = rec;
        const before = this.nodesOf(region);
        this.switchMutations(region, reentry);
        this.scheduleList(region);
        const p = this.pressureOf(region, this.nodesOf(region));
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

  /** Minimal-register orders for the regions that miss the target, remembered for later; returns the occupancy they promise. */
  private searchOccupancy(target: number): number {
    const first = this.occ(this.records[0].pressure);
    let promised = target;
    for (const rec of this.records) {
      this.build(rec.region, false);
      if (this.occ(rec.pressure) >= promised) continue;
      const order = this.toInstrs(minRegOrder(this.scheduler.graph));
      const pressure = this.pressureOf(rec.region, order);
      promised = Math.min(promised, this.occ(pressure));
      if (promised <= first) break;
      rec.best = { order, pressure };
    }
    if (promised > first) {
      const { mfi, limits } = this.ctx;
      if (mfi.occupancy < promised) mfi.occupancy = promised;
      this.limitOccupancy(limits.wavesPerEU[1]);
      this.limitOccupancy(limits.occupancyRange[1]);
    }
    return Math.max(promised, first);
  }

  private scheduleList(region: SchedRegion): void {
    const { options } = this;
    this.scheduler.schedule(
      region,
      this.mutations,
      { kind: StrategyKind.MaxOccupancy, direction: options.direction, pendingQueueLimit: options.pendingQueueLimit },
      this.listLimits(),
      (live, nodes) => this.scheduler.genericPressure(region, live, nodes),
    );
  }

  private listLimits(): PressureLimits {
    const { fn, reserved, mfi, limits } = this.ctx;
    const st = fn.subtarget;
    const target = this.options.relaxedOccupancy ? this.minAllowed : mfi.occupancy;
    const count = (name: string): number => reserved.numAllocatableRegs(fn.tables.regClassByName(name));
    const sgprExcess = count('sgpr_32');
    const vgprExcess = count('vgpr_32');
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
