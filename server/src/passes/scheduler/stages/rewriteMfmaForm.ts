/**
 * The stage of LLVM main that gives matrix instructions AGPRs as destination where VGPRs would spill
 * (`-amdgpu-disable-rewrite-mfma-form-sched-stage=0`): decides by the spills saved and the copies needed, and rewrites the function.
 *
 * Follows RewriteMFMAFormStage (LLVM main, early 2026; docs/llvm/gcn-strategy.md, 9). Deviations: candidates with a physical register are left
 * out instead of giving up half-way, a copy after the instruction that ends a region stays outside of it, and new registers are
 * numbered by block and register.
 */
import { computeBlockFrequencies } from '../../../analysis/blockFrequency.js';
import { DominatorTree } from '../../../analysis/dominators.js';
import { numAGPRs, numArchVGPRs, numVGPRs, type Pressure } from '../../../analysis/gcnPressure.js';
import { LoopInfo } from '../../../analysis/loops.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type InstrId,
  type OperandId,
  type BlockId,
} from '../../../model/machineFunction.js';
import type { Opcode, RegClassId } from '../../../target/api.js';
import type { SchedContext } from '../context.js';
import type { GCNScheduleDAGMILive } from './gcnScheduleDAGMILive.js';
import { GCNSchedStage } from './gcnSchedStage.js';
import { StageKind, type SkipReason } from './stageEvents.js';
import type { MfmaRewriteReport } from './mfmaRewriteReport.js';
import { ReachingDefs } from './reachingDefs.js';
import type { VRegId } from '../../../model/register.js';

/** TSFlags bit of matrix arithmetic and AGPR moves, in the high word */
const MAI_HI = 1 << 22;
/** vdst, src0, src1, src2 */
const SRC2 = 3;

interface Candidate {
  readonly instr: InstrId;
  readonly newOpcode: Opcode;
  readonly dst: number;
  /** -1: no register */
  readonly src2: number;
}

/** What has to be copied: registers after definitions, and before the users of a block. */
interface Copies {
  /** definitions, each once */
  readonly behind: ReadonlySet<InstrId>;
  /** registers by block of the users */
  readonly inFrontOf: ReadonlyMap<number, ReadonlySet<number>>;
}

/**
 * Schedules the rewritten function anew, all of it; later stages go on with that.
 * @llvm GCNSchedStrategy.cpp RewriteMFMAFormStage
 */
export class RewriteMFMAFormStage extends GCNSchedStage {
  readonly kind = StageKind.RewriteMFMAForm;

  constructor(
    dag: GCNScheduleDAGMILive,
    /** the scheduler of the function as it is now, with the same regions */
    private readonly makeSuccessor: (dag: GCNScheduleDAGMILive) => GCNScheduleDAGMILive,
  ) {
    super(dag);
  }

  /** @llvm GCNSchedStrategy.cpp RewriteMFMAFormStage::initGCNSchedStage */
  protected override initGCNSchedStage(): SkipReason | null {
    const whyNot = new MfmaRewrite(this.dag).run();
    if (whyNot !== null) return whyNot;
    const next = this.makeSuccessor(this.dag);
    this.dag.observer?.replaced?.(next);
    next.takeOver();
    this.dag = next;
    return null;
  }
}

/** Rewrites the function of a scheduler that has run its first stage; or says why not. Regions keep their numbers; `begin` may change. */
class MfmaRewrite {
  private readonly ctx: SchedContext;
  private readonly defs: ReachingDefs;
  private readonly candidates: Candidate[] = [];
  private report: MfmaRewriteReport | null = null;

  constructor(private readonly dag: GCNScheduleDAGMILive) {
    this.ctx = dag.ctx;
    this.defs = new ReachingDefs(dag.ctx);
  }

  /** Null when the function was rewritten. */
  run(): SkipReason | null {
    const { dag, ctx } = this;
    const st = ctx.fn.subtarget;
    if (!st.hasGFX90AInsts) return 'no unified register file';
    if (dag.minWaves > 1) return 'more than one wave is asked for';
    const excess = dag.regions.flatMap((region, r) =>
      numArchVGPRs(region.pressure) > st.addressableNumArchVGPRs ? [r] : [],
    );
    if (excess.length === 0) return 'no region above the addressable VGPRs';
    this.collect();
    if (this.candidates.length === 0) return 'no matrix instruction with an AGPR form';
    const copies = this.copies();
    const cost = this.cost(excess, copies);
    const rewritten = Math.trunc(cost) <= 0;
    if (this.report !== null) dag.observer?.mfmaRewrite?.({ ...this.report, rewritten });
    if (!rewritten) return 'copies cost more than spills';
    this.rewrite();
    return null;
  }

  private isMAI(i: InstrId): boolean {
    const { fn } = this.ctx;
    return (fn.tables.opcodeTSHi(fn.opcode[i]) & MAI_HI) !== 0;
  }

  /** @llvm GCNSchedStrategy.cpp RewriteMFMAFormStage::initHeuristics */
  private collect(): void {
    const { ctx } = this;
    const { fn } = ctx;
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let i = ctx.list.first(b); i >= 0; i = ctx.list.after(i)) {
        if (!this.isMAI(i) || (fn.bundle[i] & (BundleFlag.BundledPred | BundleFlag.BundledSucc)) !== 0) continue;
        const name = ctx.opcodeName(i);
        if (!name.includes('_vgprcd')) continue;
        // each has an AGPR form
        const newOpcode = fn.tables.opcodeByName(name.replace('_vgprcd', ''));
        const dst = this.registerAt(i, 0);
        const src2 = this.registerAt(i, SRC2);
        if (dst !== null && src2 !== null && dst >= 0) this.candidates.push({ instr: i, newOpcode, dst, src2 });
      }
    }
  }

  /** Virtual register of an operand, -1 = it is no register, null = a physical one. */
  private registerAt(i: InstrId, k: number): number | null {
    const { fn } = this.ctx;
    const o = fn.opBegin[i] + k;
    if (fn.opKind[o] !== OperandKind.Register) return -1;
    return fn.opVal[o] < 0 ? ~fn.opVal[o] : null;
  }

  /** Definitions of src2 by other instructions get a copy after them, other users of the result one per block before them. */
  private copies(): Copies {
    const behind = new Set<InstrId>();
    const inFrontOf = new Map<number, Set<number>>();
    for (const { instr, dst, src2 } of this.candidates) {
      if (src2 >= 0) for (const d of this.defs.reaching(instr, src2)) if (!this.isMAI(d)) behind.add(d);
      for (const user of this.otherUsers(instr, dst)) {
        const block = this.ctx.fn.instrBlock[user];
        inFrontOf.set(block, (inFrontOf.get(block) ?? new Set()).add(dst));
        for (const d of this.defs.reaching(user, dst)) if (!this.isMAI(d)) behind.add(d);
      }
    }
    return { behind, inFrontOf };
  }

  private otherUsers(def: InstrId, reg: number): InstrId[] {
    return this.defs.usersReachedBy(def, reg).filter((u) => !this.isMAI(u));
  }

  // -- cost -----------------------------------------------------------------------------------------------------------------

  /** @llvm GCNSchedStrategy.cpp RewriteMFMAFormStage::getRewriteCost */
  private cost(excess: readonly number[], copies: Copies): number {
    const { dag, ctx } = this;
    const { fn } = ctx;
    const byBlock = computeBlockFrequencies(fn.blocks, new LoopInfo(fn.blocks, new DominatorTree(fn.blocks)));
    const frequency = (block: BlockId): number => Number(byBlock[block]) / Number(byBlock[0]);
    const classes = fn.vregs.regClass.slice();
    const opcodes = this.candidates.map((c) => fn.opcode[c.instr]);
    for (const c of this.candidates) {
      fn.opcode[c.instr] = c.newOpcode;
      for (const v of [c.dst, c.src2]) if (v >= 0) fn.vregs.regClass[v] = this.agprClass(v);
    }
    ctx.facts.grow(0);
    dag.regions.forEach((r) => r.liveIns.recount(ctx.facts));

    let best = 0;
    let worse: number | null = null;
    const regions: { region: number; spillsBefore: number; spillsAfter: number }[] = [];
    for (const r of excess) {
      const spillsBefore = this.spills(dag.regions[r].pressure);
      const spillsAfter = this.spills(dag.realPressure(this.dag.regions[r]));
      regions.push({ region: r, spillsBefore, spillsAfter });
      // one instruction to spill and one to restore
      const spillCost = (spillsAfter - spillsBefore) * 2 * frequency(dag.regions[r].block);
      if (spillCost > 0) {
        worse = spillCost;
        break;
      }
      best = Math.min(best, spillCost);
    }
    let copyCost = 0;
    for (const d of copies.behind) {
      const reg = ~fn.opVal[fn.opBegin[d]];
      copyCost += this.copyCost(reg) * frequency(fn.instrBlock[d]);
    }
    for (const [block, regs] of copies.inFrontOf)
      for (const v of regs) copyCost += this.copyCost(v) * Math.trunc(frequency(block));

    fn.vregs.regClass.set(classes);
    this.candidates.forEach((c, k) => {
      fn.opcode[c.instr] = opcodes[k];
    });
    ctx.facts.grow(0);
    dag.regions.forEach((r) => r.liveIns.recount(ctx.facts));
    let nInFront = 0;
    for (const regs of copies.inFrontOf.values()) nInFront += regs.size;
    this.report = {
      candidates: this.candidates.map((c) => c.instr),
      regions,
      copies: copies.behind.size + nInFront,
      spillCost: worse ?? best,
      copyCost: worse === null ? copyCost : 0,
      rewritten: false,
    };
    return worse ?? best + copyCost;
  }

  /** @llvm GCNRegPressure.h GCNRegPressure::getVGPRSpills */
  private spills(p: Pressure): number {
    const { limits } = this.ctx;
    const [maxVGPRs, maxAGPRs] = limits.maxNumVectorRegs;
    const own = Math.max(0, numArchVGPRs(p) - maxVGPRs) + Math.max(0, numAGPRs(p) - maxAGPRs);
    return Math.max(own, numVGPRs(p, true) - limits.maxNumVGPRs);
  }

  /** TargetRegisterClass::getCopyCost of AGPR tuples: a read and a write for each register, and one VGPR in between. */
  private copyCost(vreg: VRegId): number {
    const { fn } = this.ctx;
    if (vreg < 0 || fn.vregs.regClass[vreg] < 0) return 0;
    const n = fn.tables.regClassBits[fn.vregs.regClass[vreg]] / 32;
    return n <= 1 ? 1 : 2 * n + 1;
  }

  private classNamed(vreg: VRegId, tuple: string, single: string): RegClassId {
    const { fn } = this.ctx;
    const bits = fn.tables.regClassBits[fn.vregs.regClass[vreg]];
    return fn.tables.regClassByName(bits === 32 ? single : `${tuple}_${bits}_align2`);
  }

  private agprClass(vreg: VRegId): RegClassId {
    return this.classNamed(vreg, 'areg', 'agpr_32');
  }

  // -- rewriting ------------------------------------------------------------------------------------------------------------

  /** @llvm GCNSchedStrategy.cpp RewriteMFMAFormStage::rewrite */
  private rewrite(): void {
    const { ctx, dag } = this;
    const { fn } = ctx;
    const firstOf = new Map(dag.regions.flatMap((r, k) => (r.begin === r.end ? [] : [[r.begin, k] as const])));
    /** the register of the copies after definitions, by the original one */
    const redefined = new Map<number, number>();
    const copiedBehind = new Set<string>();
    /** operands that follow the register into its copy */
    const operands = new Map<number, Set<OperandId>>();
    const note = (v: number, o: OperandId): void => void operands.set(v, (operands.get(v) ?? new Set()).add(o));
    const toAGPR = new Set<number>();
    const usersInBlock = new Map<number, Map<number, Set<InstrId>>>();

    const copyBehind = (defs: readonly InstrId[], v: number): void => {
      if (defs.length === 0) return;
      let to = redefined.get(v);
      if (to === undefined) redefined.set(v, (to = this.newVGPR(v)));
      for (const d of defs) {
        if (copiedBehind.has(`${d} ${v}`)) continue;
        copiedBehind.add(`${d} ${v}`);
        this.insertCopy(ctx.list.after(d), fn.instrBlock[d], to, v);
      }
    };
    for (const { instr, newOpcode, dst, src2 } of this.candidates) {
      fn.opcode[instr] = newOpcode;
      if (src2 >= 0) {
        copyBehind(
          this.defs.reaching(instr, src2).filter((d) => !this.isMAI(d)),
          src2,
        );
        toAGPR.add(src2);
        note(src2, fn.opBegin[instr] + SRC2);
      }
      const users = this.otherUsers(instr, dst);
      const others = users.flatMap((u) => this.defs.reaching(u, dst).filter((d) => !this.isMAI(d)));
      copyBehind([...new Set(others)], dst);
      for (const u of users) {
        const block = fn.instrBlock[u];
        const byReg = usersInBlock.get(block) ?? new Map<number, Set<InstrId>>();
        usersInBlock.set(block, byReg);
        if (block !== fn.instrBlock[instr]) byReg.set(dst, (byReg.get(dst) ?? new Set()).add(u));
        else {
          const to = this.newVGPR(dst);
          const copy = this.insertCopy(u, block, to, dst);
          this.redirectUses(u, dst, to);
          note(dst, fn.opBegin[copy] + 1);
        }
      }
      toAGPR.add(dst);
      note(dst, fn.opBegin[instr]);
    }
    for (const [block, byReg] of [...usersInBlock].sort(([a], [b]) => a - b)) {
      for (const [v, users] of [...byReg].sort(([a], [b]) => a - b)) {
        const first = [...users].reduce((a, b) => (this.defs.isBefore(a, b) ? a : b));
        const to = this.newVGPR(v);
        const copy = this.insertCopy(first, block, to, v);
        const region = firstOf.get(first);
        if (region !== undefined) {
          dag.regions[region].begin = copy;
          firstOf.delete(first);
        }
        for (const u of users) this.redirectUses(u, v, to);
        note(v, fn.opBegin[copy] + 1);
      }
    }
    for (const [from, to] of redefined) for (const o of operands.get(from) ?? []) fn.opVal[o] = ~to;
    for (const v of toAGPR) {
      const reg = redefined.get(v) ?? v;
      fn.vregs.regClass[reg] = this.agprClass(reg);
    }
  }

  private newVGPR(like: number): number {
    const v = this.ctx.fn.vregs.addLike(like);
    this.ctx.fn.vregs.regClass[v] = this.classNamed(like, 'vreg', 'vgpr_32');
    return v;
  }

  private redirectUses(i: InstrId, from: VRegId, to: VRegId): void {
    const { fn } = this.ctx;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === ~from && (fn.opFlags[o] & OpFlag.Def) === 0) fn.opVal[o] = ~to;
  }

  private insertCopy(before: number, block: BlockId, to: number, from: number): InstrId {
    const { fn, list } = this.ctx;
    const i = fn.addInstr(fn.tables.opcodeByName('COPY'), block);
    fn.addOperand(OperandKind.Register, OpFlag.Def, ~to);
    fn.addOperand(OperandKind.Register, 0, ~from);
    list.insertBefore(before, i);
    return i;
  }
}
