/**
 * The rematerialization stage of LLVM 22.1.8: moves definitions that are used once, in another region, before their use.
 *
 * Follows PreRARematStage (LLVM 22.1.8) as docs/llvm/remat.md, A, describes it.
 */
import { incPressure, type Pressure } from '../../../analysis/gcnPressure.js';
import type { RegisterRanges } from '../../../analysis/liveIntervals.js';
import type { InstrId } from '../../../model/machineFunction.js';
import type { ListPos } from '../../../model/edit/instrList.js';
import { virtReg, type VRegId } from '../../../model/register.js';
import type { SchedContext } from '../context.js';
import { GCNSchedStage, type RevertQuery } from '../stages/gcnSchedStage.js';
import type { GCNScheduleDAGMILive, GCNSchedRegion } from '../stages/gcnScheduleDAGMILive.js';
import { StageKind, type RevertReason, type SkipReason } from '../stages/stageEvents.js';
import { operandNotAvailable, rematObstacle } from './rematerializable.js';
import { definedVReg, firstReadOf, isBundled, liveRegionsOf, regionsByLiveIn, type LiveIntoRegions } from './remats.js';
import { RematRecorder, candidateOf } from './rematRecorder.js';
import type { RematCopy, RematDecision, RematRejection, RematResult, RematVerdict } from './report.js';
import { budgetForOccupancy, makeBudget, GCNRPTarget, type RPBudget } from './rpTarget.js';

interface Remat {
  readonly def: InstrId;
  readonly use: InstrId;
  readonly vreg: VRegId;
  readonly defRegion: number;
  /** the search recorded the regions before this one into which the register lives; it ended before it came to the others */
  searchedTo: number;
  /** number in the report */
  readonly number: number;
  clone: InstrId;
  /** those of the register before */
  readonly ranges: RegisterRanges;
}

/** The definition may move to its use; or why not. */
type Finding = { readonly use: InstrId } | { readonly why: RematRejection; readonly operand?: number };

/** The regions whose targets are not met. */
class OpenRegions {
  /** by region */
  readonly isOpen: Uint8Array;
  size = 0;

  constructor(targets: readonly GCNRPTarget[]) {
    this.isOpen = new Uint8Array(targets.length);
    for (let k = 0; k < targets.length; k++) {
      if (targets[k].isSatisfied) continue;
      this.isOpen[k] = 1;
      this.size++;
    }
  }

  /** Takes out a region that is open. */
  close(k: number): void {
    this.isOpen[k] = 0;
    this.size--;
  }

  numbers(): number[] {
    return [...this.isOpen.keys()].filter((k) => this.isOpen[k] !== 0);
  }
}

/** @llvm GCNSchedStrategy.cpp PreRARematStage */
export class PreRARematStage extends GCNSchedStage {
  readonly kind = StageKind.PreRARemat;
  private readonly ctx: SchedContext;
  /** region of each instruction of the function before the stage, -1 = none */
  private readonly regionOf: Int32Array;
  /** region that ends with a boundary instruction, or with its block */
  private readonly regionEndingAt = new Map<ListPos, number>();
  private readonly remats: Remat[] = [];
  private targetOccupancy = 0;
  private achieved = 0;
  private readonly savedPressure = new Map<number, Pressure>();
  private readonly mustRecompute = new Set<number>();
  private readonly mustSchedule = new Set<number>();
  /** how many live-ins were taken from each region */
  private readonly removed: number[] = [];
  private readonly recorder: RematRecorder | null;
  private readonly verdicts: RematVerdict[] = [];

  constructor(dag: GCNScheduleDAGMILive) {
    super(dag);
    this.ctx = dag.ctx;
    this.recorder = dag.observer?.rematReport === undefined ? null : new RematRecorder(dag, 'llvm-22');
    this.regionOf = new Int32Array(dag.ctx.fn.nInstrs).fill(-1);
  }

  /** @llvm GCNSchedStrategy.cpp PreRARematStage::initGCNSchedStage */
  protected override initGCNSchedStage(): SkipReason | null {
    const { dag } = this;
    if (dag.regions.length <= 1) return 'single region';
    dag.askForRemat();
    dag.regions.forEach((r, k) => {
      for (let p = r.begin; p !== r.end && p >= 0; p = this.ctx.list.after(p)) this.regionOf[p] = k;
      this.regionEndingAt.set(r.end, k);
    });
    const whyNot = this.select();
    if (whyNot !== null) {
      this.report(whyNot);
      return 'nothing to rematerialize';
    }
    for (const r of this.remats) {
      this.rematerialize(r);
      dag.observer?.rematerialized?.(r.def, r.use, r.clone);
      this.recorder?.choose({ candidate: r.number, copies: [this.copyOf(r)] });
    }
    this.shrinkLiveIns();
    this.achieved = this.updatePressure();
    this.recorder?.done(Math.min(...dag.regions.map((r) => dag.occupancyOf(r.pressure))));
    if (this.achieved > dag.minOccupancy) dag.raiseMinOccupancy(this.achieved);
    return null;
  }

  /** @llvm GCNSchedStrategy.cpp PreRARematStage::initGCNRegion */
  protected override initGCNRegion(_region: GCNSchedRegion, r: number): SkipReason | null {
    return this.mustSchedule.has(r) ? null : 'not touched by rematerialization';
  }

  /** @llvm GCNSchedStrategy.cpp PreRARematStage::shouldRevertScheduling */
  protected override shouldRevertScheduling(e: RevertQuery): RevertReason | null {
    const isMissed = this.targetOccupancy !== 0 && e.wavesAfter < this.targetOccupancy;
    return this.losesOccupancy(e) ?? this.mayCauseSpilling(e) ?? (isMissed ? 'target occupancy missed' : null);
  }

  /** @llvm GCNSchedStrategy.cpp PreRARematStage::finalizeGCNSchedStage */
  protected override finalizeGCNSchedStage(): void {
    const { achieved, targetOccupancy } = this;
    const isMissed = targetOccupancy !== 0 && Math.max(achieved, this.dag.minOccupancy) < targetOccupancy;
    if (isMissed) this.rollback();
    this.report(isMissed ? 'rolled back' : 'kept');
  }

  private report(result: RematResult): void {
    if (this.recorder !== null) this.dag.observer?.rematReport?.(this.recorder.finish(result));
  }

  private copyOf(r: Remat): RematCopy {
    const region = this.regionOf[r.use];
    return { clone: r.clone, use: r.use, region, vreg: r.vreg, name: this.recorder?.name(r.vreg) ?? '' };
  }

  // -- selection ----------------------------------------------------------------------------------------------------------------

  private budget(): RPBudget {
    const { ctx } = this;
    const st = ctx.fn.subtarget;
    const dyn = ctx.limits.dynamicVGPRBlockSize;
    return this.targetOccupancy === 0
      ? makeBudget(st, dyn, ctx.limits.maxNumSGPRsOfF, ctx.limits.maxNumVGPRs)
      : budgetForOccupancy(st, dyn, this.targetOccupancy);
  }

  private makeTargets(budget: RPBudget): GCNRPTarget[] {
    return this.dag.regions.map((r) => new GCNRPTarget(budget, r.pressure));
  }

  /**
   * Chooses what to rematerialize; null, or why that is nothing.
   * @llvm GCNSchedStrategy.cpp PreRARematStage::canIncreaseOccupancyOrReduceSpill
   */
  private select(): RematResult | null {
    const { dag } = this;
    let budget = this.budget();
    let targets = this.makeTargets(budget);
    let open = new OpenRegions(targets);
    if (open.size === 0 && dag.minOccupancy < dag.maxWaves) {
      this.targetOccupancy = dag.minOccupancy + 1;
      budget = this.budget();
      targets = this.makeTargets(budget);
      open = new OpenRegions(targets);
    }
    const occupancy = this.targetOccupancy;
    this.recorder?.begin({
      objective: occupancy === 0 ? { kind: 'spilling', occupancy: null } : { kind: 'occupancy', occupancy },
      budget,
      isTarget: (r) => !targets[r].isSatisfied,
      frequency: null,
    });
    if (open.size === 0) return 'targets already met';
    const isMet = this.collect(targets, open);
    this.recorder?.round({ verdicts: this.verdicts, reopened: [], open: open.numbers() });
    if (isMet) return null;
    const anything = this.remats.length > 0;
    if (occupancy === 0 && anything) return null;
    this.remats.length = 0;
    return anything ? 'target out of reach' : 'no useful candidate';
  }

  /** Chooses definitions in program order until every open target is met; returns whether that happened. */
  private collect(targets: GCNRPTarget[], open: OpenRegions): boolean {
    const { dag, ctx, recorder } = this;
    const { fn } = ctx;
    const liveInto = regionsByLiveIn(dag.regions, fn.vregs.n);
    const selected = new Set<number>();
    const selectedDefs = new Set<InstrId>();
    const reduce = (k: number, vreg: VRegId, lo: number, hi: number): boolean => {
      const t = targets[k];
      if (!t.isSaveBeneficial(ctx.facts.kind[vreg])) return false;
      t.saveReg(ctx.facts, vreg, lo, hi);
      if (t.isSatisfied) open.close(k);
      return true;
    };
    for (let r = 0; r < dag.regions.length; r++) {
      const { begin, end } = dag.regions[r];
      for (let def = begin; def !== end && def >= 0; def = ctx.list.after(def)) {
        const vreg = definedVReg(ctx, def);
        if (vreg < 0) continue;
        const found = this.examine(def, vreg, r, selected, selectedDefs);
        if ('why' in found) {
          this.recorder?.reject(candidateOf(this.regionOf, def, vreg, r, ctx.usersOf(vreg)), found.why, found.operand);
          continue;
        }
        const number = recorder === null ? -1 : this.note(recorder, def, vreg, r, found.use, liveInto);
        if (open.size === 0) {
          this.judge(number, 'not needed');
          continue;
        }
        const searchedTo = dag.regions.length;
        const ranges = ctx.lis.rangesOf(vreg);
        const remat: Remat = { def, use: found.use, vreg, defRegion: r, searchedTo, number, clone: -1, ranges };
        if (this.isUseful(remat, open, liveInto, reduce)) {
          this.remats.push(remat);
          selected.add(vreg);
          selectedDefs.add(def);
          this.judge(number, 'chosen');
        } else this.judge(number, 'no gain');
        // a report names those too that are not needed any more
        if (open.size === 0 && recorder === null) return true;
      }
    }
    return open.size === 0;
  }

  /** Its number in the report. */
  private note(
    recorder: RematRecorder,
    def: InstrId,
    vreg: VRegId,
    r: number,
    use: InstrId,
    liveInto: LiveIntoRegions,
  ): number {
    const { dag, ctx } = this;
    const isUsed = (region: number): boolean => region === this.regionOf[use];
    const live = liveRegionsOf(ctx, dag.regions, liveInto, vreg, r, isUsed);
    return recorder.candidate(candidateOf(this.regionOf, def, vreg, r, [use]), live);
  }

  /** Takes the register from the targets of the regions where it lives; returns whether one of them gains. */
  private isUseful(
    remat: Remat,
    open: OpenRegions,
    liveInto: LiveIntoRegions,
    reduce: (k: number, vreg: VRegId, lo: number, hi: number) => boolean,
  ): boolean {
    const { dag, ctx } = this;
    const { vreg, defRegion } = remat;
    // In a region that has reached its target no register is worth saving.
    const lo = ctx.lis.liveLanes(vreg, dag.regions[defRegion].endSlot);
    let useful = reduce(defRegion, vreg, lo, ctx.lis.lanesHi);
    // LLVM stops at once, and does not note where else the register lives
    if (useful && open.size === 0) {
      remat.searchedTo = 0;
      return true;
    }
    for (let e = liveInto.begin[vreg], end = liveInto.begin[vreg + 1]; e < end; e++) {
      const k = liveInto.region[e];
      const place = liveInto.place[e];
      if (!reduce(k, vreg, dag.regions[k].liveIns.lo[place], dag.regions[k].liveIns.hi[place])) continue;
      useful = true;
      if (open.size > 0) continue;
      remat.searchedTo = k + 1;
      return true;
    }
    return useful;
  }

  private examine(
    def: InstrId,
    vreg: VRegId,
    r: number,
    selected: ReadonlySet<number>,
    selectedDefs: ReadonlySet<InstrId>,
  ): Finding {
    const { dag, ctx } = this;
    const obstacle = rematObstacle(ctx, def);
    if (obstacle !== null) return { why: obstacle };
    if (!ctx.editor.hasOneDef(virtReg(vreg))) return { why: 'several definitions' };
    const users = ctx.usersOf(vreg);
    if (users.length !== 1) return { why: 'several users' };
    const use = users[0];
    if (isBundled(ctx, use)) return { why: 'user outside of all regions' };
    const useRegion = this.regionOf[use];
    if (useRegion === r) return { why: 'used where it is defined' };
    if (selectedDefs.has(use)) return { why: 'user is rematerialized itself' };
    const chained = firstReadOf(ctx, def, (v) => selected.has(v));
    if (chained >= 0) return { why: 'operand is rematerialized itself', operand: chained };
    const holder = dag.regions[useRegion >= 0 ? useRegion : (this.regionEndingAt.get(use) ?? -1)] ?? null;
    const missing = operandNotAvailable(ctx, def, dag.regions[r], use, holder);
    return missing < 0 ? { use } : { why: 'operand not available at the use', operand: missing };
  }

  private judge(candidate: number, verdict: RematDecision): void {
    if (this.recorder !== null) this.verdicts.push({ candidate, score: null, verdict });
  }

  // -- doing it -----------------------------------------------------------------------------------------------------------------

  /** @llvm GCNSchedStrategy.cpp PreRARematStage::rematerialize */
  private rematerialize(m: Remat): void {
    const { ctx, dag } = this;
    m.clone = ctx.editor.insertCopy(m.use, ctx.fn.instrBlock[m.use], m.def);
    const useRegion = this.regionOf[m.use];
    const endsAtUse = dag.regions[this.regionEndingAt.get(m.use) ?? -1];
    // the region of the use, or the empty one before it
    for (const r of [dag.regions[useRegion], endsAtUse]) if (r?.begin === m.use) r.begin = m.clone;
    this.removeFromRegion(m.def, m.defRegion);
    ctx.lis.setRanges(m.vreg, ctx.rangesInside(endsAtUse ?? null, m.vreg, dag.regions[m.defRegion]));
    this.remember(m.defRegion);
    this.mustRecompute.add(m.defRegion);
  }

  /**
   * Takes what was moved out of the regions' live-ins, region by region: many registers live into most regions, and a region's columns
   * and pressures are at hand then.
   */
  private shrinkLiveIns(): void {
    const { dag, ctx, remats } = this;
    const rematOf = new Int32Array(ctx.fn.vregs.n).fill(-1);
    remats.forEach((m, n) => (rematOf[m.vreg] = n));
    for (let r = 0; r < dag.regions.length; r++) {
      const liveIns = dag.regions[r].liveIns;
      const { block } = dag.regions[r];
      let first = 0;
      while (first < liveIns.size && rematOf[liveIns.regs[first]] < 0) first++;
      this.removed[r] = 0;
      if (first === liveIns.size) continue;
      this.removed[r] = liveIns.removeAll(ctx.facts, (v, place) => {
        if (rematOf[v] < 0) return false;
        const m = remats[rematOf[v]];
        const lo = liveIns.lo[place];
        const hi = liveIns.hi[place];
        if (r >= m.searchedTo) {
          liveIns.markStale(v, lo, hi);
          return false;
        }
        this.remember(r);
        if (block !== ctx.fn.instrBlock[m.use]) incPressure(dag.regions[r].pressure, ctx.facts, v, lo, hi, 0, 0);
        else this.mustRecompute.add(r);
        return true;
      });
    }
  }

  private remember(region: number): void {
    if (!this.savedPressure.has(region)) this.savedPressure.set(region, this.dag.regions[region].pressure.slice());
  }

  private removeFromRegion(i: InstrId, region: number): void {
    const r = this.dag.regions[region];
    if (r.begin === i) r.begin = this.ctx.list.after(i);
    this.ctx.editor.erase(i);
  }

  /** Pressure of the regions touched; the occupancy that the recomputed ones allow. */
  private updatePressure(): number {
    const { dag } = this;
    let achieved = dag.maxWaves;
    for (const r of this.savedPressure.keys()) {
      const { begin, end } = dag.regions[r];
      if (begin !== end) this.mustSchedule.add(r);
      if (!this.mustRecompute.has(r)) continue;
      dag.regions[r].pressure = dag.realPressure(this.dag.regions[r]);
      achieved = Math.min(achieved, dag.occupancyOf(dag.regions[r].pressure));
    }
    return achieved;
  }

  /** @llvm GCNSchedStrategy.cpp PreRARematStage::finalizeGCNSchedStage */
  private rollback(): void {
    const { ctx, dag } = this;
    const { editor, list } = ctx;
    dag.observer?.rematUndone?.();
    for (const m of this.remats) {
      const region = dag.regions[m.defRegion];
      const back = editor.insertCopy(region.end, region.block, m.clone);
      if (region.begin === region.end) region.begin = back;
      for (const r of dag.regions) if (r.begin === m.clone) r.begin = list.after(m.clone);
      editor.erase(m.clone);
      ctx.lis.setRanges(m.vreg, m.ranges);
    }
    dag.regions.forEach(({ liveIns }, r) => {
      for (const m of this.remats) liveIns.stale?.delete(m.vreg);
      liveIns.putBack(this.removed[r], ctx.facts);
    });
    for (const [r, p] of this.savedPressure) dag.regions[r].pressure = p;
  }
}
