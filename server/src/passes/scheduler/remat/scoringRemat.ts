/**
 * The rematerialization stages of LLVM main in 2026: score every definition that may be computed again in the regions of its users,
 * take the best ones until all target regions meet their target, and put everything back when the occupancy is missed after all.
 *
 * Follows PreRARematStage (LLVM main, early 2026) as docs/llvm/remat.md, B, describes it, and the same stage of July 2026 by part C.
 * A rollback also takes back the registers made for the copies, which LLVM leaves without a use, and the flags that scheduling
 * dropped. A definition that C deletes at once and makes anew is disabled here, as in B: it comes back to the same place.
 */
import { coveredRegs, type Pressure } from '../../../analysis/gcnPressure.js';
import type { RegisterRanges } from '../../../analysis/liveIntervals.js';
import { McFlag, RegKind, type RematPolicy } from '../../../target/api.js';
import { OpFlag, OperandKind, type InstrId } from '../../../model/machineFunction.js';
import { NO_REG, virtReg, type VRegId } from '../../../model/register.js';
import type { SchedContext } from '../context.js';
import type { SchedulerModel } from '../schedulerModel.js';
import { GCNSchedStage, type RevertQuery } from '../stages/gcnSchedStage.js';
import type { GCNScheduleDAGMILive, GCNSchedRegion } from '../stages/gcnScheduleDAGMILive.js';
import { StageKind, type RevertReason, type SkipReason } from '../stages/stageEvents.js';
import { operandNotAvailable, rematObstacle } from './rematerializable.js';
import { RematRecorder, candidateOf } from './rematRecorder.js';
import {
  definedVReg,
  firstReadOf,
  isBundled,
  liveRegionsOf,
  readsOf,
  regionsByLiveIn,
  type LiveIntoRegions,
  type LiveRegion,
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

/** Where two versions of the stage differ. */
export interface ScoringRules {
  /** users in several regions, the one of the definition included, and several in each; else a single user in another region */
  readonly severalUsers: boolean;
  /** definitions in the Rematerializer's order: by register, each after those that it reads; a candidate without a gain is never one again */
  readonly usesRematerializer: boolean;
  /**
   * A definition whose only user is in its own region is a candidate, too: it keeps those that it reads, or is read by, from being candidates, and
   * gains something where it ends with its region, since the next one of the block then has it among its live-ins.
   */
  readonly takesLocalRegisters: boolean;
  /** of an operand that could be computed again itself all lanes must be there, else those that are read */
  readonly needsAllLanes: boolean;
  /** a candidate counts for all lanes of its definition; else for those that live out of its region */
  readonly countsDefinedLanes: boolean;
  /** after a round the pressure of every region is asked for that the register does not live through; else of those where it lives */
  readonly recomputesAllRegions: boolean;
  /** after a rollback registers that were made for copies stay, and flags that scheduling dropped are gone */
  readonly leavesTraces: boolean;
  /** what a region adds to the impact: registers that help it, or one, times all registers of the candidate in the end */
  readonly countsHelpingRegisters: boolean;
  /**
   * When the objective is occupancy, as in LLVM's published test of the scores (machine-scheduler-rematerialization-scoring.mir): the
   * later one of two candidates with the same score is taken, the frequency of the regions that gain counts as it does for
   * spilling, a region whose new order misses the target goes back to its old one alone, and the target is not called reached while
   * some region misses it.
   */
  readonly asPublished: boolean;
}

const SINGLE_USERS: ScoringRules = {
  severalUsers: false,
  usesRematerializer: false,
  takesLocalRegisters: false,
  needsAllLanes: false,
  countsDefinedLanes: false,
  recomputesAllRegions: false,
  leavesTraces: false,
  countsHelpingRegisters: false,
  asPublished: true,
};

const SEVERAL_USERS: ScoringRules = {
  severalUsers: true,
  usesRematerializer: true,
  takesLocalRegisters: false,
  needsAllLanes: false,
  countsDefinedLanes: false,
  recomputesAllRegions: false,
  leavesTraces: false,
  countsHelpingRegisters: true,
  asPublished: false,
};

const IN_ORDER: ScoringRules = {
  ...SEVERAL_USERS,
  severalUsers: false,
  takesLocalRegisters: true,
  needsAllLanes: true,
  countsDefinedLanes: true,
  recomputesAllRegions: true,
  leavesTraces: true,
};

/** `sinks` is the stage of `remat22.ts`. */
export const SCORING_RULES: Readonly<Record<Exclude<RematPolicy, 'sinks'>, ScoringRules>> = {
  scores: SINGLE_USERS,
  scoresSeveralUsers: SEVERAL_USERS,
  scoresInOrder: IN_ORDER,
};

/** Users of a candidate in one region, in program order. */
interface RegionUsers {
  readonly region: number;
  readonly users: readonly InstrId[];
}

interface Candidate {
  readonly def: InstrId;
  readonly vreg: VRegId;
  readonly defRegion: number;
  /** other regions than that of the definition, ascending; that one, where the only user is in it */
  readonly uses: readonly RegionUsers[];
  /** users in the region of the definition: it stays for them */
  readonly ownUsers: readonly InstrId[];
  readonly live: readonly LiveRegion[];
  /** lanes live out of the region of the definition */
  readonly lo: number;
  readonly hi: number;
  /** 32-bit registers */
  readonly weight: number;
  readonly score: Score;
  /** in the report */
  number: number;
}

interface Copy {
  readonly clone: InstrId;
  readonly newVReg: number;
  readonly at: RegionUsers;
}

/** Opcode and operands of an instruction. */
interface Contents {
  readonly opcode: number;
  readonly operands: readonly number[];
}

/** What a rollback needs. */
interface Done {
  readonly candidate: Candidate;
  readonly copies: readonly Copy[];
  /** the definition while it is disabled; null when it was deleted or stays */
  readonly disabled: Contents | null;
  /** those of the candidate's register before */
  readonly ranges: RegisterRanges;
}

/** A region as it was before the stage scheduled it. */
interface Unscheduled {
  readonly region: GCNSchedRegion;
  readonly order: readonly InstrId[];
  readonly pressure: Pressure;
}

type Users = Pick<Candidate, 'uses' | 'ownUsers'>;
type Finding = Users | { readonly why: RematRejection; readonly operand?: number };

/** @llvm GCNSchedStrategy.cpp PreRARematStage */
export class ScoringRematStage extends GCNSchedStage {
  readonly kind = StageKind.PreRARemat;
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
  /** registers that the Rematerializer knows */
  private readonly known = new Set<VRegId>();
  /** regions whose real pressure was asked for */
  private readonly isReal = new Set<number>();
  private readonly done: Done[] = [];
  private readonly unscheduled: Unscheduled[] = [];
  private achieved = 0;
  private readonly nVRegsBefore: number;
  /** flags of operands, and the register units with ranges: moves drop some kill and dead flags */
  private readonly flagsBefore: Uint16Array;
  private readonly unitRangesBefore: ReadonlySet<number>;
  private readonly debugOpcode: number;
  private readonly recorder: RematRecorder | null;

  constructor(
    dag: GCNScheduleDAGMILive,
    private readonly rules: ScoringRules,
    model: SchedulerModel,
  ) {
    super(dag);
    this.ctx = dag.ctx;
    const { fn } = dag.ctx;
    this.regionOf = new Int32Array(fn.nInstrs).fill(-1);
    this.nVRegsBefore = fn.vregs.n;
    this.flagsBefore = fn.opFlags.slice(0, fn.nOperands);
    this.unitRangesBefore = new Set(dag.ctx.unitRanges);
    this.debugOpcode = fn.tables.opcodeByName('DBG_VALUE');
    this.recorder = dag.observer?.rematReport === undefined ? null : new RematRecorder(dag, model);
  }

  protected override initGCNSchedStage(): SkipReason | null {
    const { dag } = this;
    if (dag.regions.length <= 1) return 'single region';
    dag.regions.forEach((r, k) => {
      for (let p = r.begin; p !== r.end && p >= 0; p = this.ctx.list.after(p)) this.regionOf[p] = k;
      if (r.end >= 0) this.regionOf[r.end] = k;
    });
    const frequencies = regionFrequencies(this.ctx.fn, dag.regions);
    if (!this.setObjective(frequencies)) return this.stop('targets already met');
    const candidates = this.collect(frequencies);
    this.runRounds(candidates, frequencies);
    if (this.mustSchedule.size === 0) return this.stop('no useful candidate');
    this.achieved = this.commitPressure();
    this.recorder?.done(this.achieved);
    this.setTargetOccupancy(this.targetOccupancy ?? dag.minWaves);
    return null;
  }

  private stop(result: RematResult): SkipReason {
    this.report(result);
    return 'nothing to rematerialize';
  }

  protected override finalizeGCNSchedStage(): void {
    this.report(this.finish(this.achieved, this.unscheduled));
  }

  private report(result: RematResult): void {
    if (this.recorder !== null) this.dag.observer?.rematReport?.(this.recorder.finish(result));
  }

  // -- objective ----------------------------------------------------------------------------------------------------------------

  private setTargets(budget: RPBudget): void {
    const st = this.ctx.fn.subtarget;
    this.targets = this.dag.regions.map((r) => new MainRPTarget(st, budget, r.pressure));
    this.targets.forEach((t, r) => {
      if (!t.isSatisfied) this.open.add(r);
    });
  }

  /**
   * Chooses between spilling and occupancy; false if no region misses its target.
   * @llvm GCNSchedStrategy.cpp PreRARematStage::setObjective
   */
  private setObjective(frequencies: RegionFrequencies): boolean {
    const { dag, ctx } = this;
    const st = ctx.fn.subtarget;
    const dyn = ctx.limits.dynamicVGPRBlockSize;
    let budget = makeBudget(st, dyn, ctx.limits.maxNumSGPRsOfF, ctx.limits.maxNumVGPRs);
    this.setTargets(budget);
    let objective: RematObjective = { kind: 'spilling', occupancy: null };
    if (!this.targets.some((t) => t.hasVectorRegisterExcess) && dag.minOccupancy < dag.maxWaves) {
      const occupancy = dag.minOccupancy + 1;
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
    const { ctx, recorder } = this;
    const liveInto = regionsByLiveIn(this.dag.regions, ctx.fn.vregs.n);
    const marked = new Set<number>();
    const candidates: Candidate[] = [];
    for (const { def, vreg, region } of this.definitions()) {
      const found = this.examine(def, vreg, region, liveInto, marked);
      if ('why' in found)
        recorder?.reject(candidateOf(this.regionOf, def, vreg, region, ctx.usersOf(vreg)), found.why, found.operand);
      else {
        const users = found.uses.flatMap((u) => u.users);
        const c = this.makeCandidate(def, found, vreg, region, liveInto, frequencies);
        c.number = recorder?.candidate(candidateOf(this.regionOf, def, vreg, region, users), c.live) ?? -1;
        candidates.push(c);
        marked.add(vreg);
      }
    }
    return candidates;
  }

  /** Definitions of virtual registers in the order in which the stage looks at them. */
  private definitions(): { readonly def: InstrId; readonly vreg: VRegId; readonly region: number }[] {
    const { ctx } = this;
    const out: { def: InstrId; vreg: VRegId; region: number }[] = [];
    this.dag.regions.forEach(({ begin, end }, region) => {
      for (let def = begin; def !== end && def >= 0; def = ctx.list.after(def)) {
        const vreg = definedVReg(ctx, def);
        if (vreg >= 0) out.push({ def, vreg, region });
      }
    });
    if (!this.rules.usesRematerializer) return out;
    // by register number, each after those that it reads
    const byVReg = new Map(out.map((d) => [d.vreg, d]));
    const sorted = new Set<(typeof out)[number]>();
    const visit = (d: (typeof out)[number]): void => {
      // a register that reads itself around a loop ends the walk
      if (onPath.has(d) || sorted.has(d)) return;
      onPath.add(d);
      if (this.isRematerializable(d.def, d.vreg)) {
        this.known.add(d.vreg);
        readsOf(ctx, d.def).forEach((v) => {
          const read = byVReg.get(v);
          if (read !== undefined) visit(read);
        });
      }
      onPath.delete(d);
      sorted.add(d);
    };
    const onPath = new Set<(typeof out)[number]>();
    for (const d of [...out].sort((x, y) => x.vreg - y.vreg)) visit(d);
    return [...sorted];
  }

  /** Whether the Rematerializer knows the register: what others read does not come before them. */
  private isRematerializable(def: InstrId, vreg: VRegId): boolean {
    const { ctx } = this;
    if (rematObstacle(ctx, def) !== null || !ctx.editor.hasOneDef(virtReg(vreg))) return false;
    const users = ctx.usersOf(vreg);
    return users.length > 0 && users.every((u) => this.regionOf[u] >= 0);
  }

  private examine(def: InstrId, vreg: VRegId, r: number, liveInto: LiveIntoRegions, marked: Set<number>): Finding {
    const { ctx } = this;
    const obstacle = rematObstacle(ctx, def);
    if (obstacle !== null) return { why: obstacle };
    if (!ctx.editor.hasOneDef(virtReg(vreg))) return { why: 'several definitions' };
    const users = ctx.usersOf(vreg);
    if (!this.rules.severalUsers && users.length !== 1) return { why: 'several users' };
    if (users.some((u) => isBundled(ctx, u) || this.regionOf[u] < 0)) return { why: 'user outside of all regions' };
    const byRegion = new Map<number, InstrId[]>();
    for (const u of users) byRegion.set(this.regionOf[u], [...(byRegion.get(this.regionOf[u]) ?? []), u]);
    const ownUsers = byRegion.get(r) ?? [];
    const isLocal = users.length === ownUsers.length;
    if (isLocal && (!this.rules.takesLocalRegisters || users.length === 0)) return { why: 'used where it is defined' };
    if (users.some((u) => marked.has(firstVReg(ctx, u)))) return { why: 'user is rematerialized itself' };
    const chained = firstReadOf(ctx, def, (v) => marked.has(v));
    if (chained >= 0) return { why: 'operand is rematerialized itself', operand: chained };
    if (isLocal) {
      if (this.missingOperand(def, r, users[0], r) >= 0) return { why: 'used where it is defined' };
      marked.add(vreg);
      const livesSomewhere = liveInto.begin[vreg] < liveInto.begin[vreg + 1];
      return livesSomewhere
        ? { uses: [{ region: r, users: this.inOrder(r, users) }], ownUsers: [] }
        : { why: 'used where it is defined' };
    }
    const others = [...byRegion].filter(([region]) => region !== r).sort(([x], [y]) => x - y);
    const found = others.map(([region, list]): RegionUsers => ({ region, users: this.inOrder(region, list) }));
    // LLVM asks here, too, whether it lives into its own region, which one definition before all users leaves no way for
    if (this.rules.severalUsers && (this.isConvergent(def) || found.some((u) => this.readsOtherLanes(vreg, r, u))))
      return { why: 'convergent in another block' };
    for (const { region, users: list } of found) {
      const missing = this.missingOperand(def, r, list[0], region);
      if (missing >= 0) return { why: 'operand not available at the use', operand: missing };
    }
    return { uses: found, ownUsers };
  }

  private missingOperand(def: InstrId, defRegion: number, use: InstrId, useRegion: number): number {
    const { ctx, dag, known, rules } = this;
    const needsAll = (v: VRegId): boolean => rules.needsAllLanes && known.has(v);
    return operandNotAvailable(ctx, def, dag.regions[defRegion], use, dag.regions[useRegion], needsAll);
  }

  /** Instructions of a region, or its boundary, in program order. */
  private inOrder(region: number, instrs: readonly InstrId[]): readonly InstrId[] {
    if (instrs.length === 1) return instrs;
    const { begin, end } = this.dag.regions[region];
    const wanted = new Set(instrs);
    const out: InstrId[] = [];
    for (let p = begin; p !== end && p >= 0; p = this.ctx.list.after(p)) if (wanted.has(p)) out.push(p);
    if (wanted.has(end)) out.push(end);
    return out;
  }

  private isConvergent(i: InstrId): boolean {
    return this.ctx.hasOpcodeFlag(this.ctx.fn.opcode[i], McFlag.Convergent);
  }

  /** A convergent user in another block may see lanes of a vector register that are off there. */
  private readsOtherLanes(vreg: VRegId, defRegion: number, { region, users }: RegionUsers): boolean {
    const { regions } = this.dag;
    if (this.ctx.facts.kind[vreg] === RegKind.SGPR || regions[region].block === regions[defRegion].block) return false;
    return users.some((u) => this.isConvergent(u));
  }

  private makeCandidate(
    def: InstrId,
    { uses, ownUsers }: Users,
    vreg: VRegId,
    defRegion: number,
    liveInto: LiveIntoRegions,
    frequencies: RegionFrequencies,
  ): Candidate {
    const { dag, ctx } = this;
    const { fn } = ctx;
    const isUsed = (r: number): boolean => uses.some((u) => u.region === r) || (r === defRegion && ownUsers.length > 0);
    const live = liveRegionsOf(ctx, dag.regions, liveInto, vreg, defRegion, isUsed);
    const useRegions = uses.map((u) => u.region);
    const freqDiff = frequencyDifference(frequencies, ownUsers.length > 0 ? -1 : defRegion, useRegions);
    const score: Score = { maxFreq: 0n, freqDiff, regionImpact: 0 };
    const sub = fn.opSub[fn.opBegin[def]];
    let lo = sub === 0 ? ctx.facts.fullLo[vreg] : fn.tables.subRegLaneLo[sub];
    let hi = sub === 0 ? ctx.facts.fullHi[vreg] : fn.tables.subRegLaneHi[sub];
    const weight = coveredRegs(lo, hi);
    if (!this.rules.countsDefinedLanes) {
      lo = ctx.lis.liveLanes(vreg, dag.regions[defRegion].endSlot);
      hi = ctx.lis.lanesHi;
    }
    return { def, vreg, defRegion, uses, ownUsers, live, lo, hi, weight, score, number: -1 };
  }

  // -- scores and rounds --------------------------------------------------------------------------------------------------------

  private helps(c: Candidate, region: number): boolean {
    return this.open.has(region) && this.targets[region].isSaveBeneficial(this.ctx.facts.kind[c.vreg]);
  }

  private updateScore(c: Candidate, frequencies: RegionFrequencies): void {
    const { rules } = this;
    const countsFrequency = this.targetOccupancy === null || rules.asPublished;
    let maxFreq = 0n;
    let impact = 0;
    for (const { region, isThrough } of c.live) {
      if (!this.helps(c, region)) continue;
      const n = rules.countsHelpingRegisters
        ? this.targets[region].numRegsBenefit(this.ctx.facts.kind[c.vreg], coveredRegs(c.lo, c.hi))
        : c.weight;
      impact += isThrough ? 2 * n : n;
      if (!countsFrequency) continue;
      // where it is used or defined, the gain is not certain
      const f = isThrough ? frequencies.of[region] : frequencies.of[region] / 2n;
      if (f > maxFreq) maxFreq = f;
    }
    c.score.maxFreq = maxFreq;
    c.score.regionImpact = impact;
  }

  /** Takes the best candidates, scores the others anew, until the targets are met or nothing helps. */
  private runRounds(candidates: readonly Candidate[], frequencies: RegionFrequencies): void {
    const laterWins = this.targetOccupancy !== null && this.rules.asPublished;
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
        const order = (rank.get(a) as number) - (rank.get(b) as number);
        return compareScores(a.score, b.score) || (laterWins ? -order : order);
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
      if (this.rules.usesRematerializer) left = left.filter((c) => !taken.has(c) && isNull(c) === 0);
      else left = isExhausted ? [] : left.filter((c) => !taken.has(c));
      const reopened = this.recompute();
      this.recorder?.round({ verdicts, reopened, open: [...this.open].sort((a, b) => a - b) });
      if (this.open.size === 0) break;
    }
  }

  /** Where no candidate lived so far, the pressure stays the same once it was asked for. */
  private recomputeAllBut(through: ReadonlySet<number>): void {
    for (let r = 0; r < this.targets.length; r++)
      if (!through.has(r) && (this.mustSchedule.has(r) || !this.isReal.has(r))) this.mustRecompute.add(r);
  }

  /** Replaces estimates by the real pressure; returns the regions that had been taken for done, or never missed the target. */
  private recompute(): number[] {
    const reopened: number[] = [];
    for (let r = 0; r < this.targets.length; r++) {
      if (!this.mustRecompute.has(r)) continue;
      this.isReal.add(r);
      this.targets[r].setPressure(this.dag.realPressure(this.dag.regions[r]));
      if (this.open.has(r) || this.targets[r].isSatisfied) continue;
      this.open.add(r);
      reopened.push(r);
    }
    return reopened;
  }

  // -- doing it -----------------------------------------------------------------------------------------------------------------

  private rematerialize(c: Candidate): void {
    const { ctx, dag, recorder } = this;
    const copies = c.uses.map((at) => this.copyTo(c, at));
    const defRegion = dag.regions[c.defRegion];
    const staysLive = c.ownUsers.includes(defRegion.end);
    const ranges = ctx.lis.rangesOf(c.vreg);
    ctx.lis.setRanges(c.vreg, ctx.rangesInside(staysLive ? defRegion : null, c.vreg, defRegion));
    let disabled: Contents | null = null;
    if (c.ownUsers.length > 0) ctx.rematFollower?.readersChange(c.vreg, false);
    else {
      if (this.targetOccupancy !== null) disabled = this.disable(c.def);
      else {
        if (defRegion.begin === c.def) defRegion.begin = ctx.list.after(c.def);
        ctx.editor.erase(c.def);
      }
    }
    this.done.push({ candidate: c, copies, disabled, ranges });
    for (const { region, isThrough } of c.live) {
      const target = this.targets[region];
      target.saveReg(ctx.facts, c.vreg, c.lo, c.hi);
      dag.regions[region].liveIns.remove(c.vreg, ctx.facts);
      if (!isThrough) this.mustRecompute.add(region);
      this.mustSchedule.add(region);
    }
    if (this.rules.recomputesAllRegions)
      this.recomputeAllBut(new Set(c.live.filter((x) => x.isThrough).map((x) => x.region)));
    for (const { region } of c.live) if (this.targets[region].isSatisfied) this.open.delete(region);
    for (const { clone, at } of copies) dag.observer?.rematerialized?.(c.def, at.users[0], clone);
    recorder?.choose({
      candidate: c.number,
      copies: copies.map(({ clone, newVReg, at }) => ({
        clone,
        use: at.users[0],
        region: at.region,
        vreg: newVReg,
        name: recorder.name(newVReg),
      })),
    });
  }

  /** A copy with a register of its own before the first user of a region, for all users there. */
  private copyTo(c: Candidate, at: RegionUsers): Copy {
    const { ctx, dag } = this;
    const { editor } = ctx;
    const [first] = at.users;
    const newVReg = ctx.cloneVReg(c.vreg);
    ctx.copiedRegs.add(newVReg);
    const clone = editor.insertCopy(first, ctx.fn.instrBlock[first], c.def);
    for (const i of [clone, ...at.users]) editor.renameIn(i, virtReg(c.vreg), virtReg(newVReg));
    const region = dag.regions[at.region];
    if (region.begin === first) region.begin = clone;
    const endsRegion = at.users.includes(region.end);
    const ranges = ctx.rangesInside(endsRegion ? region : null, c.vreg, dag.regions[c.defRegion]);
    ctx.lis.setRanges(newVReg, ranges);
    ctx.rematFollower?.readersChange(newVReg, true);
    this.noteReads(clone);
    return { clone, newVReg, at };
  }

  /** What a copy reads lives up to it; what could be computed again itself is followed by lanes then (Rematerializer::extendToNewUsers). */
  private noteReads(clone: InstrId): void {
    const { ctx } = this;
    if (ctx.rematFollower === null) return;
    for (const v of readsOf(ctx, clone)) ctx.rematFollower.readersChange(v, this.known.has(v));
  }

  /** Makes a definition a debug instruction that reads nothing, so that the scheduler ignores it and a rollback finds it. */
  private disable(i: InstrId): Contents {
    const { fn, editor } = this.ctx;
    const operands: number[] = [];
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      operands.push(fn.opVal[o]);
      if (fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) === 0) editor.setReg(o, NO_REG);
    }
    const opcode = fn.opcode[i];
    fn.opcode[i] = this.debugOpcode;
    this.ctx.rematFollower?.disabled(i);
    return { opcode, operands };
  }

  private enable(i: InstrId, { opcode, operands }: Contents): void {
    const { fn, editor } = this.ctx;
    fn.opcode[i] = opcode;
    operands.forEach((value, k) => {
      editor.setReg(fn.opBegin[i] + k, value);
    });
    this.ctx.rematFollower?.enabled(i);
  }

  /** Pressures of the regions touched; the least occupancy of all regions. */
  private commitPressure(): number {
    const { dag } = this;
    for (const r of this.mustSchedule) dag.regions[r].pressure = this.targets[r].pressure.slice();
    return dag.regions.reduce((least, r) => Math.min(least, dag.occupancyOf(r.pressure)), dag.maxWaves);
  }

  private setTargetOccupancy(occupancy: number): void {
    const { dag } = this;
    if (dag.ctx.mfi.occupancy < occupancy) dag.raiseMinOccupancy(occupancy);
    else dag.lowerMinOccupancy(occupancy);
  }

  // -- scheduling again, reverts, rollback --------------------------------------------------------------------------------------

  protected override initGCNRegion(region: GCNSchedRegion, r: number): SkipReason | null {
    const { dag, ctx, targetOccupancy } = this;
    if (!this.mustSchedule.has(r)) return 'not touched by rematerialization';
    if (targetOccupancy !== null && dag.minOccupancy < targetOccupancy) return 'target occupancy missed';
    const order = ctx.instrsOf(region);
    if (order.every((i) => ctx.roles.isDebug(i))) return 'no instruction left';
    if (dag.canSchedule(region)) this.unscheduled.push({ region, order, pressure: region.pressure });
    return null;
  }

  protected override shouldRevertScheduling(e: RevertQuery): RevertReason | null {
    const { targetOccupancy } = this;
    if (targetOccupancy === null) return this.mayCauseSpilling(e);
    return this.rules.asPublished && e.wavesAfter < targetOccupancy ? 'target occupancy missed' : null;
  }

  private finish(achieved: number, unscheduled: readonly Unscheduled[]): RematResult {
    const { dag } = this;
    const target = this.targetOccupancy;
    if (target === null) return 'kept';
    // scheduling can also rescue regions, and leaves out those with a single instruction
    const isMet = !this.rules.asPublished || dag.regions.every((r) => dag.occupancyOf(r.pressure) >= target);
    if (isMet && dag.minOccupancy >= target) {
      this.deleteDisabled();
      return 'kept';
    }
    const isRollback = achieved < target;
    if (isRollback) {
      for (const { candidate, disabled, ranges } of this.done) {
        if (disabled !== null) this.enable(candidate.def, disabled);
        this.ctx.lis.setRanges(candidate.vreg, ranges);
      }
    }
    for (const { region, order, pressure } of unscheduled) {
      dag.restoreOrder(region, order);
      region.pressure = pressure;
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
    const { ctx, dag } = this;
    for (const { candidate, disabled } of this.done) {
      if (disabled === null) continue;
      const region = dag.regions[candidate.defRegion];
      if (region.begin === candidate.def) region.begin = ctx.list.after(candidate.def);
      ctx.editor.erase(candidate.def);
    }
  }

  private rollback(): void {
    const { ctx, dag } = this;
    dag.observer?.rematUndone?.();
    const touched = new Set<number>();
    for (const { candidate: c, copies } of this.done) {
      for (const { clone, newVReg, at } of copies) {
        // the copy too: a trace may still name it
        for (const i of [clone, ...at.users]) ctx.editor.renameIn(i, virtReg(newVReg), virtReg(c.vreg));
        const region = dag.regions[at.region];
        if (region.begin === clone) region.begin = ctx.list.after(clone);
        ctx.editor.erase(clone);
      }
      if (this.rules.leavesTraces) this.restoreUndef(c.def);
      ctx.rematFollower?.readersChange(c.vreg, true);
      this.noteReads(c.def);
      for (const { region: r, inLo, inHi } of c.live) {
        if ((inLo | inHi) !== 0) dag.regions[r].liveIns.add(c.vreg, inLo, inHi, ctx.facts);
        touched.add(r);
      }
    }
    if (!this.rules.leavesTraces) ctx.dropVRegs(this.nVRegsBefore);
    if (!this.rules.leavesTraces) {
      ctx.fn.opFlags.set(this.flagsBefore);
      for (const u of ctx.unitRanges) if (!this.unitRangesBefore.has(u)) ctx.unitRanges.delete(u);
    }
    for (const r of touched) dag.regions[r].pressure = dag.realPressure(this.dag.regions[r]);
  }

  /** LLVM makes the definition anew, with the flags that it had: an order put back without following lanes has taken `undef` from all others. */
  private restoreUndef(def: InstrId): void {
    const { fn } = this.ctx;
    for (let o = fn.opBegin[def]; o < fn.opBegin[def + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register) fn.opFlags[o] |= this.flagsBefore[o] & OpFlag.Undef;
  }
}

/** The virtual register in the first operand of an instruction, read or written; -1 = none. */
function firstVReg({ fn }: SchedContext, i: InstrId): number {
  const first = fn.opBegin[i];
  if (fn.numOperands(i) === 0 || fn.opKind[first] !== OperandKind.Register || fn.opVal[first] >= 0) return -1;
  return ~fn.opVal[first];
}
