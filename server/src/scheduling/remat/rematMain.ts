/**
 * The rematerialization stage of LLVM main in early 2026: scores every definition that is used once, in another region, takes the
 * best ones until all target regions meet their target, and puts everything back when the occupancy is missed after all.
 *
 * Follows PreRARematStage (LLVM main, early 2026) as spec remat.md, part B, describes it, except where the published test of the stage
 * (machine-scheduler-rematerialization-scoring.mir) shows something else:
 * - Of two candidates with the same score, the one met later is taken.
 * - The frequency of the regions that gain counts for both objectives, not only for spilling.
 * - A region whose new order misses the target occupancy goes back to its old one alone; the others keep theirs.
 * And it does not call the target reached while a region misses it that scheduling did not touch, and a rollback also takes back the
 * registers made for the copies, which LLVM leaves behind without a use.
 */
import { coveredRegs, type Pressure } from '../../analysis/gcnPressure.js';
import { NO_REG, OpFlag, OperandKind, type InstrId } from '../../model/machineFunction.js';
import type { SchedContext } from '../context.js';
import { StageKind, type GcnScheduler } from '../stages/gcnStages.js';
import { makeUseLists, operandNotAvailable, rematObstacle, type UseLists } from './rematerializable.js';
import { RematRecorder, type FoundCandidate } from './rematRecorder.js';
import {
  cloneInstr,
  definedVReg,
  firstReadOf,
  isBundled,
  regionsByLiveIn,
  renameReg,
  type LiveIntoRegions,
} from './remats.js';
import {
  compareScores,
  frequencyDifference,
  regionFrequencies,
  reportedScore,
  type RegionFrequencies,
  type Score,
} from './rematScore.js';
import type { RematDecision, RematObjective, RematRejection, RematResult } from './report.js';
import { budgetForOccupancy, makeBudget, MainRPTarget, type RPBudget } from './rpTarget.js';

/** A region at whose begin or end a candidate lives. */
interface LiveRegion {
  readonly region: number;
  /** lanes that live in; 0 = none */
  readonly inLo: number;
  readonly inHi: number;
  /** live in and live out, and not the region of the use */
  readonly isThrough: boolean;
}

interface Candidate {
  readonly def: InstrId;
  readonly use: InstrId;
  readonly vreg: number;
  readonly defRegion: number;
  readonly useRegion: number;
  readonly live: readonly LiveRegion[];
  /** lanes live out of the region of the definition */
  readonly lo: number;
  readonly hi: number;
  /** 32-bit registers */
  readonly weight: number;
  readonly score: Score;
  /** number in the report */
  readonly number: number;
}

/** What a rollback needs. */
interface Done {
  readonly candidate: Candidate;
  readonly clone: InstrId;
  readonly newVReg: number;
  /** opcode and operands of the definition while it is disabled; null in spill mode */
  readonly disabled: { readonly opcode: number; readonly operands: readonly number[] } | null;
}

/** A region as it was before the stage scheduled it. */
interface Unscheduled {
  readonly region: number;
  readonly order: readonly InstrId[];
  readonly pressure: Pressure;
}

type Finding = { readonly use: InstrId } | { readonly why: RematRejection; readonly operand?: number };

export class PreRARematMain {
  private readonly ctx: SchedContext;
  /** region of each instruction before the stage, the boundary instruction that ends it included; -1 = none */
  private readonly regionOf: Int32Array;
  /** null: the objective is less spilling */
  private targetOccupancy: number | null = null;
  private targets: MainRPTarget[] = [];
  /** regions that miss their target, as far as is known */
  private readonly open = new Set<number>();
  private readonly mustRecompute = new Set<number>();
  private readonly mustSchedule = new Set<number>();
  private readonly done: Done[] = [];
  private readonly nVRegsBefore: number;
  private readonly debugOpcode: number;
  private readonly recorder: RematRecorder | null;

  constructor(private readonly s: GcnScheduler) {
    this.ctx = s.ctx;
    const { fn } = s.ctx;
    this.regionOf = new Int32Array(fn.nInstrs).fill(-1);
    this.nVRegsBefore = fn.vregs.n;
    this.debugOpcode = fn.tables.opcodeByName('DBG_VALUE');
    this.recorder = s.observer?.rematReport === undefined ? null : new RematRecorder(s, 'llvm-main');
  }

  /** Runs the stage; returns whether it did anything. */
  run(): boolean {
    const { s } = this;
    if (s.regions.length <= 1) return s.skipStage('single region');
    s.regions.forEach((r, k) => {
      for (let p = r.begin; p !== r.end && p >= 0; p = this.ctx.list.after(p)) this.regionOf[p] = k;
      if (r.end >= 0) this.regionOf[r.end] = k;
    });
    const frequencies = regionFrequencies(this.ctx.fn, s.regions);
    if (!this.setObjective(frequencies)) return this.stop('targets already met');
    const candidates = this.collect(frequencies);
    this.runRounds(candidates, frequencies);
    if (this.mustSchedule.size === 0) return this.stop('no useful candidate');
    const achieved = this.commitPressure();
    this.recorder?.done(achieved);
    this.setTargetOccupancy(this.targetOccupancy ?? s.minWaves);
    const unscheduled = this.reschedule();
    this.report(this.finish(achieved, unscheduled));
    return true;
  }

  private stop(result: RematResult): false {
    this.report(result);
    return this.s.skipStage('nothing to rematerialize');
  }

  private report(result: RematResult): void {
    if (this.recorder !== null) this.s.observer?.rematReport?.(this.recorder.finish(result));
  }

  // -- objective ----------------------------------------------------------------------------------------------------------------

  private setTargets(budget: RPBudget): void {
    const st = this.ctx.fn.subtarget;
    this.targets = this.s.pressure.map((p) => new MainRPTarget(st, budget, p));
    this.targets.forEach((t, r) => {
      if (!t.isSatisfied) this.open.add(r);
    });
  }

  /** Chooses between spilling and occupancy; false if no region misses its target. */
  private setObjective(frequencies: RegionFrequencies): boolean {
    const { s, ctx } = this;
    const st = ctx.fn.subtarget;
    const dyn = ctx.limits.dynamicVGPRBlockSize;
    let budget = makeBudget(st, dyn, ctx.limits.maxNumSGPRsOfF, ctx.limits.maxNumVGPRs);
    this.setTargets(budget);
    let objective: RematObjective = { kind: 'spilling', occupancy: null };
    if (!this.targets.some((t) => t.hasVectorRegisterExcess) && s.minOccupancy < s.maxWaves) {
      const occupancy = s.minOccupancy + 1;
      this.targetOccupancy = occupancy;
      objective = { kind: 'occupancy', occupancy };
      budget = budgetForOccupancy(st, dyn, occupancy);
      this.setTargets(budget);
    }
    this.recorder?.begin({
      objective,
      budget,
      isTarget: (r) => this.open.has(r),
      frequency: (r) => Number(frequencies.of[r]) / Number(frequencies.entry),
    });
    return this.open.size > 0;
  }

  // -- candidates ---------------------------------------------------------------------------------------------------------------

  private collect(frequencies: RegionFrequencies): Candidate[] {
    const { s, ctx, recorder } = this;
    const uses = makeUseLists(ctx);
    const liveInto = regionsByLiveIn(s.liveIns, ctx.fn.vregs.n);
    const marked = new Set<number>();
    const candidates: Candidate[] = [];
    for (let r = 0; r < s.regions.length; r++) {
      const { begin, end } = s.regions[r];
      for (let def = begin; def !== end && def >= 0; def = ctx.list.after(def)) {
        const vreg = definedVReg(ctx, def);
        if (vreg < 0) continue;
        const found = this.examine(def, vreg, r, uses, marked);
        if ('why' in found) this.noteRejected(def, vreg, r, uses, found);
        else {
          const number = recorder?.candidate(this.describe(def, vreg, r, [found.use])) ?? -1;
          candidates.push(this.makeCandidate(def, found.use, vreg, r, liveInto, frequencies, number));
          marked.add(vreg);
        }
      }
    }
    return candidates;
  }

  private examine(def: InstrId, vreg: number, r: number, uses: UseLists, marked: ReadonlySet<number>): Finding {
    const { s, ctx } = this;
    const obstacle = rematObstacle(ctx, def, uses);
    if (obstacle !== null) return { why: obstacle };
    if (ctx.numDefs(vreg) !== 1) return { why: 'several definitions' };
    const users = uses.usersOf(vreg);
    if (users.length !== 1) return { why: 'several users' };
    const use = users[0];
    if (isBundled(ctx, use) || this.regionOf[use] < 0) return { why: 'user outside of all regions' };
    if (this.regionOf[use] === r) return { why: 'used where it is defined' };
    if (marked.has(firstVReg(ctx, use))) return { why: 'user is rematerialized itself' };
    const chained = firstReadOf(ctx, def, (v) => marked.has(v));
    if (chained >= 0) return { why: 'operand is rematerialized itself', operand: chained };
    const missing = operandNotAvailable(ctx, def, s.regions[r], use, s.regions[this.regionOf[use]]);
    return missing < 0 ? { use } : { why: 'operand not available at the use', operand: missing };
  }

  private makeCandidate(
    def: InstrId,
    use: InstrId,
    vreg: number,
    defRegion: number,
    liveInto: LiveIntoRegions,
    frequencies: RegionFrequencies,
    number: number,
  ): Candidate {
    const { s, ctx } = this;
    const { fn } = ctx;
    const useRegion = this.regionOf[use];
    const isLiveOut = (r: number): boolean => (ctx.liveLanesAt(vreg, s.regions[r].endSlot) | ctx.lanesHi) !== 0;
    const live: LiveRegion[] = [];
    for (let e = liveInto.begin[vreg]; e < liveInto.begin[vreg + 1]; e++) {
      const region = liveInto.region[e];
      const at = liveInto.place[e];
      live.push({
        region,
        inLo: s.liveIns[region].lo[at],
        inHi: s.liveIns[region].hi[at],
        isThrough: region !== useRegion && isLiveOut(region),
      });
    }
    // a register with one definition lives out of no other region without living in
    if (isLiveOut(defRegion) && !live.some((x) => x.region === defRegion))
      live.push({ region: defRegion, inLo: 0, inHi: 0, isThrough: false });
    const lo = ctx.liveLanesAt(vreg, s.regions[defRegion].endSlot);
    const hi = ctx.lanesHi;
    const freqDiff = frequencyDifference(frequencies, defRegion, useRegion);
    const score: Score = { maxFreq: 0n, freqDiff, regionImpact: 0 };
    const sub = fn.opSub[fn.opBegin[def]];
    const { subRegLaneLo, subRegLaneHi } = fn.tables;
    const weight =
      sub === 0
        ? coveredRegs(ctx.facts.fullLo[vreg], ctx.facts.fullHi[vreg])
        : coveredRegs(subRegLaneLo[sub], subRegLaneHi[sub]);
    return { def, use, vreg, defRegion, useRegion, live, lo, hi, weight, score, number };
  }

  private describe(def: InstrId, vreg: number, defRegion: number, users: readonly InstrId[]): FoundCandidate {
    return { def, vreg, defRegion, uses: users.map((instr) => ({ instr, region: this.regionOf[instr] })) };
  }

  /** Registers that nobody uses in another region are no near misses. */
  private noteRejected(
    def: InstrId,
    vreg: number,
    r: number,
    uses: UseLists,
    found: { readonly why: RematRejection; readonly operand?: number },
  ): void {
    if (this.recorder === null) return;
    const users = uses.usersOf(vreg).filter((u) => this.regionOf[u] !== r);
    if (users.length > 0) this.recorder.reject(this.describe(def, vreg, r, users), found.why, found.operand);
  }

  // -- scores and rounds --------------------------------------------------------------------------------------------------------

  private helps(c: Candidate, region: number): boolean {
    return this.open.has(region) && this.targets[region].isSaveBeneficial(this.ctx.facts.kind[c.vreg]);
  }

  private updateScore(c: Candidate, frequencies: RegionFrequencies): void {
    let maxFreq = 0n;
    let impact = 0;
    for (const { region, isThrough } of c.live) {
      if (!this.helps(c, region)) continue;
      impact += isThrough ? 2 : 1;
      // where it is used or defined, the gain is not certain
      const f = isThrough ? frequencies.of[region] : frequencies.of[region] / 2n;
      if (f > maxFreq) maxFreq = f;
    }
    c.score.maxFreq = maxFreq;
    c.score.regionImpact = impact * c.weight;
  }

  /** Takes the best candidates, scores the others anew, until the targets are met or nothing helps. */
  private runRounds(candidates: readonly Candidate[], frequencies: RegionFrequencies): void {
    let left = candidates.slice();
    while (left.length > 0) {
      const rank = new Map<Candidate, number>();
      left.forEach((c, k) => {
        this.updateScore(c, frequencies);
        rank.set(c, k);
      });
      const isNull = (c: Candidate): number => (c.score.regionImpact === 0 ? 1 : 0);
      const sorted = left.slice().sort((a, b) => {
        if (isNull(a) !== isNull(b)) return isNull(a) - isNull(b);
        return compareScores(a.score, b.score) || (rank.get(b) as number) - (rank.get(a) as number);
      });
      this.mustRecompute.clear();
      const taken = new Set<Candidate>();
      let isExhausted = false;
      let isStale = false;
      for (const c of sorted) {
        if (this.open.size === 0) break;
        if (isNull(c) === 1) {
          isExhausted = true;
          break;
        }
        if (!c.live.some((x) => this.helps(c, x.region))) {
          isStale = true;
          break;
        }
        this.rematerialize(c);
        taken.add(c);
      }
      const verdict = (c: Candidate, k: number): RematDecision => {
        if (taken.has(c)) return 'chosen';
        if (isNull(c) === 1) return 'no gain';
        if (isStale) return k === taken.size ? 'gain is gone' : 'next round';
        return 'not needed';
      };
      const verdicts =
        this.recorder === null
          ? []
          : sorted.map((c, k) => ({
              candidate: c.number,
              score: reportedScore(c.score, frequencies.entry),
              verdict: verdict(c, k),
            }));
      left = isExhausted ? [] : left.filter((c) => !taken.has(c));
      const reopened = this.recompute();
      this.recorder?.round({ verdicts, reopened, open: [...this.open].sort((a, b) => a - b) });
      if (this.open.size === 0) break;
    }
  }

  /** Replaces estimates by the real pressure; returns the regions that had been taken for done, or never missed the target. */
  private recompute(): number[] {
    const reopened: number[] = [];
    for (let r = 0; r < this.targets.length; r++) {
      if (!this.mustRecompute.has(r)) continue;
      this.targets[r].setPressure(this.s.realPressure(r));
      if (this.open.has(r) || this.targets[r].isSatisfied) continue;
      this.open.add(r);
      reopened.push(r);
    }
    return reopened;
  }

  // -- doing it -----------------------------------------------------------------------------------------------------------------

  private rematerialize(c: Candidate): void {
    const { ctx, s, recorder } = this;
    const { fn, list } = ctx;
    const newVReg = ctx.cloneVReg(c.vreg);
    const clone = cloneInstr(ctx, c.def);
    renameReg(fn, clone, ~c.vreg, ~newVReg);
    renameReg(fn, c.use, ~c.vreg, ~newVReg);
    ctx.addNumDefs(newVReg, 1);
    fn.instrBlock[clone] = fn.instrBlock[c.use];
    list.insertBefore(c.use, clone);
    const useRegion = s.regions[c.useRegion];
    if (useRegion.begin === c.use) useRegion.begin = clone;
    const endsRegion = useRegion.end === c.use;
    ctx.overrides.set(newVReg, { slots: new Set(endsRegion ? [useRegion.endSlot] : []), lo: c.lo, hi: c.hi });
    ctx.overrides.set(c.vreg, { slots: new Set(), lo: 0, hi: 0 });
    let disabled: Done['disabled'] = null;
    if (this.targetOccupancy !== null) disabled = this.disable(c.def);
    else {
      const defRegion = s.regions[c.defRegion];
      if (defRegion.begin === c.def) defRegion.begin = list.after(c.def);
      list.remove(c.def);
      ctx.addNumDefs(c.vreg, -1);
    }
    this.done.push({ candidate: c, clone, newVReg, disabled });
    for (const { region, isThrough } of c.live) {
      const target = this.targets[region];
      target.saveReg(ctx.facts, c.vreg, c.lo, c.hi);
      s.liveIns[region].remove(c.vreg, ctx.facts);
      if (!isThrough) this.mustRecompute.add(region);
      this.mustSchedule.add(region);
    }
    for (const { region } of c.live) if (this.targets[region].isSatisfied) this.open.delete(region);
    s.observer?.rematerialized?.(c.def, c.use, clone);
    const name = recorder?.name(newVReg) ?? '';
    const copy = { clone, use: c.use, region: c.useRegion, vreg: newVReg, name };
    recorder?.choose({ candidate: c.number, copies: [copy] });
  }

  /** Makes a definition a debug instruction that reads nothing, so that the scheduler ignores it and a rollback finds it. */
  private disable(i: InstrId): Done['disabled'] {
    const { fn } = this.ctx;
    const operands: number[] = [];
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      operands.push(fn.opVal[o]);
      if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) === 0) fn.opVal[o] = NO_REG;
    }
    const opcode = fn.opcode[i];
    fn.opcode[i] = this.debugOpcode;
    return { opcode, operands };
  }

  private enable(i: InstrId, { opcode, operands }: NonNullable<Done['disabled']>): void {
    const { fn } = this.ctx;
    fn.opcode[i] = opcode;
    operands.forEach((value, k) => {
      fn.opVal[fn.opBegin[i] + k] = value;
    });
  }

  /** Pressures of the regions touched; the least occupancy of all regions. */
  private commitPressure(): number {
    const { s } = this;
    for (const r of this.mustSchedule) s.pressure[r] = this.targets[r].pressure.slice();
    return s.pressure.reduce((least, p) => Math.min(least, s.occupancyOf(p)), s.maxWaves);
  }

  private setTargetOccupancy(occupancy: number): void {
    const { s } = this;
    s.minOccupancy = occupancy;
    if (s.ctx.mfi.occupancy < occupancy) s.increaseOccupancy(occupancy);
    else s.limitOccupancy(occupancy);
  }

  // -- scheduling again, reverts, rollback --------------------------------------------------------------------------------------

  private reschedule(): Unscheduled[] {
    const { s, ctx } = this;
    const { targetOccupancy } = this;
    const unscheduled: Unscheduled[] = [];
    for (let r = 0; r < s.regions.length; r++) {
      if (!this.mustSchedule.has(r)) {
        s.skipRegion(StageKind.PreRARemat, r, 'not touched by rematerialization');
        continue;
      }
      if (targetOccupancy !== null && s.minOccupancy < targetOccupancy) {
        s.skipRegion(StageKind.PreRARemat, r, 'target occupancy missed');
        continue;
      }
      const order = ctx.instrsOf(s.regions[r]);
      if (order.every((i) => ctx.roles.isDebug(i))) {
        s.skipRegion(StageKind.PreRARemat, r, 'no instruction left');
        continue;
      }
      if (s.canSchedule(r)) unscheduled.push({ region: r, order, pressure: s.pressure[r] });
      s.scheduleRegion(StageKind.PreRARemat, r, {
        mutations: s.mutations,
        bias: 0,
        revert: (e) => {
          if (targetOccupancy !== null) return e.wavesAfter < targetOccupancy ? 'target occupancy missed' : null;
          return s.mayCauseSpilling(e) ? 'may cause spilling' : null;
        },
      });
    }
    return unscheduled;
  }

  private finish(achieved: number, unscheduled: readonly Unscheduled[]): RematResult {
    const { s } = this;
    const target = this.targetOccupancy;
    if (target === null) return 'kept';
    // scheduling can also rescue regions, and leaves out those with a single instruction
    const isMet = s.pressure.every((p) => s.occupancyOf(p) >= target);
    if (isMet && s.minOccupancy >= target) {
      this.deleteDisabled();
      return 'kept';
    }
    const isRollback = achieved < target;
    if (isRollback) {
      for (const { candidate, disabled } of this.done) {
        if (disabled !== null) this.enable(candidate.def, disabled);
        this.ctx.overrides.delete(candidate.vreg);
      }
    }
    for (const { region, order, pressure } of unscheduled) {
      s.restoreOrder(region, order);
      s.pressure[region] = pressure;
    }
    if (!isRollback) {
      this.deleteDisabled();
      this.setTargetOccupancy(achieved);
      return 'kept, orders reverted';
    }
    this.setTargetOccupancy(target - 1);
    this.rollback();
    return 'rolled back';
  }

  private deleteDisabled(): void {
    const { ctx, s } = this;
    for (const { candidate } of this.done) {
      const region = s.regions[candidate.defRegion];
      if (region.begin === candidate.def) region.begin = ctx.list.after(candidate.def);
      ctx.list.remove(candidate.def);
      ctx.addNumDefs(candidate.vreg, -1);
    }
  }

  private rollback(): void {
    const { ctx, s } = this;
    s.observer?.rematUndone?.();
    const touched = new Set<number>();
    for (const { candidate: c, clone, newVReg } of this.done) {
      // the copy too: a trace may still name it
      for (const i of [c.use, clone]) renameReg(ctx.fn, i, ~newVReg, ~c.vreg);
      const region = s.regions[c.useRegion];
      if (region.begin === clone) region.begin = ctx.list.after(clone);
      ctx.list.remove(clone);
      ctx.overrides.delete(newVReg);
      for (const { region: r, inLo, inHi } of c.live) {
        if ((inLo | inHi) !== 0) s.liveIns[r].add(c.vreg, inLo, inHi, ctx.facts);
        touched.add(r);
      }
    }
    ctx.dropVRegs(this.nVRegsBefore);
    for (const r of touched) s.pressure[r] = s.realPressure(r);
  }
}

/** The virtual register in the first operand of an instruction, read or written; -1 = none. */
function firstVReg({ fn }: SchedContext, i: InstrId): number {
  const first = fn.opBegin[i];
  if (fn.numOperands(i) === 0 || fn.opKind[first] !== OperandKind.Register || fn.opVal[first] >= 0) return -1;
  return ~fn.opVal[first];
}
