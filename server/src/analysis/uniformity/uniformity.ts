/**
 * Which values differ between the lanes of a wave, as LLVM 22 finds out (GenericUniformityAnalysisImpl, MachineUniformityInfo;
 * docs/llvm/uniformity.md): divergence starts at its sources and spreads to what reads a divergent value, to the PHIs where the two sides of
 * a divergent branch meet, and after cycles that lanes leave at different times.
 *
 * Nothing here is kept between functions or edits: an edit recomputes its function. What is marked first keeps the reason for it, and a reason
 * only ever names what was marked before, so that chains of reasons end at a source.
 */
import { BundleFlag, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, virtRegIndex, type Reg, type VRegId } from '../../model/register.js';
import { McFlag } from '../../target/index.js';
import { DenseMapOrder } from '../../util/denseMapOrder.js';
import { lazy } from '../../util/lazy.js';
import { DominatorTree } from '../dominators.js';
import { opcodeTraits, OpcodeTrait } from '../opcodeTraits.js';
import { CycleInfo, NO_CYCLE } from '../../util/cycles.js';
import { InstructionJudge, InstrUniformity, readsReg, ValueBank } from './instructionUniformity.js';
import { CyclePostOrder } from './cyclePostOrder.js';
import { JoinFinder, type Joins } from './joins.js';
import { MeetingPoints } from './meetingPoints.js';
import type { Opcode } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';

/** Why a register, or the branch at the end of a block, is divergent. The comments say what goes with it. */
export const enum CauseKind {
  None = 0,
  /** the instruction is a source of divergence (InstructionJudge.sourceOf) */
  Source,
  /** it reads a divergent register: the register's index */
  Operand,
  /** a PHI where the paths from a divergent branch meet: block of the branch */
  Join,
  /** inside a cycle that is taken to be divergent: the cycle */
  AssumedCycle,
  /** a PHI after a cycle that lanes leave at different times: the cycle */
  ExitPhi,
  /** it reads, after such a cycle, a value made inside it: the register's index */
  Temporal,
}

/** A value made in a cycle, read outside after lanes have left the cycle at different times. */
export interface TemporalUse {
  readonly vreg: VRegId;
  readonly user: InstrId;
  readonly cycle: number;
}

/** Blocks that may be visited for joins, times the blocks of the function, before it is asked whether they would change anything. */
const FREE_STEPS = 8;

/** What a JoinFinder finds, by block of a divergent branch in the order in which those became divergent; found when first asked for. */
export class JoinsOfBranches implements Iterable<readonly [BlockId, Joins]> {
  private readonly found = new Map<BlockId, Joins | null>();

  constructor(private readonly finder: JoinFinder) {}

  /** blocks visited so far */
  get nSteps(): number {
    return this.finder.nSteps;
  }

  add(branch: BlockId): void {
    this.found.set(branch, null);
  }

  /** Undefined for a block without divergent branch. */
  get(branch: BlockId): Joins | undefined {
    const known = this.found.get(branch);
    if (known !== null) return known;
    const joins = this.finder.find(branch);
    this.found.set(branch, joins);
    return joins;
  }

  *[Symbol.iterator](): IterableIterator<readonly [BlockId, Joins]> {
    for (const branch of this.found.keys()) yield [branch, this.get(branch)!];
  }
}

/** @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl */
export class Uniformity {
  readonly cycles: CycleInfo;
  readonly dominators: DominatorTree;
  readonly judge: InstructionJudge;
  /** 1 = divergent at its definition, by virtual register */
  readonly isDivergent: Uint8Array;
  /** 1 = lanes leave the block in different directions, by block; also set for a terminator without successors that reads a divergent value */
  readonly hasDivergentTerminator: Uint8Array;
  /** cycles that lanes leave at different times, in LLVM's order */
  readonly divergentExitCycles: number[] = [];
  /** cycles whose values are all taken to be divergent, in LLVM's order */
  readonly assumedDivergent: number[] = [];
  readonly temporalUses: TemporalUse[] = [];
  /** CauseKind, what goes with it, and the instruction it happened at; by virtual register */
  readonly cause: Uint8Array;
  readonly causeData: Int32Array;
  readonly causeInstr: Int32Array;
  /** the same for hasDivergentTerminator, by block */
  readonly branchCause: Uint8Array;
  readonly branchCauseData: Int32Array;
  readonly branchCauseInstr: Int32Array;
  /** block of the branch that made a cycle's exit divergent or a cycle assumed divergent, by cycle; -1 = none */
  readonly exitBranch: Int32Array;
  readonly assumedBranch: Int32Array;
  /** where the paths of each divergent branch meet and which cycles its lanes leave at different times */
  readonly joinsOfBranch: JoinsOfBranches;

  private readonly isExitDivergent: Uint8Array;
  /** 1 = marking the instruction changes nothing any more: it is uniform whatever it reads, or has been marked */
  private readonly isSettled: Uint8Array;
  /** 1 = all readers of the register are settled; by virtual register */
  private readonly isPushed: Uint8Array;
  /** 1 if a register can be divergent at all: its bank is not `sgpr` */
  private readonly canDiverge: Uint8Array;
  /** 1 = nothing that the cycle computes can become divergent any more, by cycle: it or one around it is assumed to be divergent */
  private readonly isAllDivergent: Uint8Array;
  private readonly meetingPoints: MeetingPoints;
  /** 1 = isOpen has become false for good, by block */
  private readonly isClosed: Uint8Array;
  /** instructions that read a register, in LLVM's order: userList[userBegin[v]] .. userList[userBegin[v + 1] - 1] */
  private readonly userBegin: Int32Array;
  private readonly userList: Int32Array;
  /** instruction that LLVM takes for the definition: the last one; -1 = none */
  private readonly lastDef: Int32Array;
  private readonly nDefs: Int32Array;
  private readonly worklist: InstrId[] = [];
  private readonly traits: Uint8Array;
  private readonly phiOpcode: number;
  private readonly undefinedValue: ReadonlySet<Opcode>;
  // The reason for what is being marked: fields, so that marking allocates nothing.
  private why = CauseKind.None;
  private whyData = -1;

  /** O(instructions + operands), and for each divergent branch the blocks until its paths have met */
  constructor(readonly fn: MachineFunction) {
    const nVRegs = fn.vregs.n;
    const nBlocks = fn.blocks.length;
    this.cycles = new CycleInfo(fn.blocks, fn.subtarget.release.rules.cyclesInPreorder);
    this.dominators = new DominatorTree(fn.blocks);
    const order = lazy(() => new CyclePostOrder(fn.blocks, this.cycles));
    const finder = new JoinFinder(fn.blocks, this.cycles, order);
    this.joinsOfBranch = new JoinsOfBranches(finder);
    this.meetingPoints = new MeetingPoints(fn.blocks, this.cycles, order);
    this.judge = new InstructionJudge(fn);
    this.traits = opcodeTraits(fn.tables);
    this.phiOpcode = fn.tables.opcodeByName('PHI');
    this.undefinedValue = opcodeSet(fn.tables, 'undefinedValue');
    this.isClosed = new Uint8Array(nBlocks);
    this.isDivergent = new Uint8Array(nVRegs);
    this.hasDivergentTerminator = new Uint8Array(nBlocks);
    this.cause = new Uint8Array(nVRegs);
    this.causeData = new Int32Array(nVRegs);
    this.causeInstr = new Int32Array(nVRegs);
    this.branchCause = new Uint8Array(nBlocks);
    this.branchCauseData = new Int32Array(nBlocks);
    this.branchCauseInstr = new Int32Array(nBlocks);
    this.exitBranch = new Int32Array(this.cycles.nCycles).fill(-1);
    this.assumedBranch = new Int32Array(this.cycles.nCycles).fill(-1);
    this.isExitDivergent = new Uint8Array(this.cycles.nCycles);
    this.isAllDivergent = new Uint8Array(this.cycles.nCycles);
    this.isSettled = new Uint8Array(fn.nInstrs);
    this.isPushed = new Uint8Array(nVRegs);
    this.canDiverge = new Uint8Array(nVRegs);
    for (let v = 0; v < nVRegs; v++) this.canDiverge[v] = this.judge.bankOf(~v) === ValueBank.Scalar ? 0 : 1;
    this.lastDef = new Int32Array(nVRegs).fill(-1);
    this.nDefs = new Int32Array(nVRegs);
    this.userBegin = new Int32Array(nVRegs + 1);
    this.userList = this.listUsers();
    this.initialize();
    this.propagate();
  }

  // -- answers ---------------------------------------------------------------------------------------------------

  get hasDivergence(): boolean {
    return (
      this.divergentExitCycles.length > 0 || this.hasDivergentTerminator.includes(1) || this.isDivergent.includes(1)
    );
  }

  /** Whether lanes leave the cycle at different times. */
  hasDivergentExit(cycle: number): boolean {
    return this.isExitDivergent[cycle] === 1;
  }

  /** The only instruction that writes a virtual register; -1 if none or several do. */
  uniqueDef(v: VRegId): InstrId {
    return this.nDefs[v] === 1 ? this.lastDef[v] : -1;
  }

  /** What LLVM takes for the definition of a register that several instructions write: the last of the text; -1 = none. */
  lastDefOf(v: VRegId): InstrId {
    return this.lastDef[v];
  }

  /** Number of instructions that write a virtual register. */
  numDefs(v: VRegId): number {
    return this.nDefs[v];
  }

  /**
   * The innermost cycle around the definition, not around the block that reads it, that lanes leave at different times: what makes a value
   * divergent that is uniform at its definition (isTemporalDivergent). -1 if there is none.
   */
  temporalCycle(def: InstrId, observer: BlockId): number {
    const { cycles } = this;
    for (let c = cycles.cycleOf[this.fn.instrBlock[def]]; c >= 0 && !cycles.contains(c, observer); c = cycles.parent[c])
      if (this.isExitDivergent[c] === 1) return c;
    return NO_CYCLE;
  }

  /** Instructions that read a register, in LLVM's order. Borrowed. */
  usersOf(v: VRegId): Int32Array {
    return this.userList.subarray(this.userBegin[v], this.userBegin[v + 1]);
  }

  /**
   * Of a bundle's header, whether one of its members is.
   * @llvm MachineInstr.h MachineInstr::isTerminator
   */
  isTerminator(i: InstrId): boolean {
    const { fn } = this;
    if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0 || (fn.bundle[i] & BundleFlag.BundledSucc) === 0)
      return this.isTerminatorOpcode(i);
    const end = fn.blockEnd[fn.instrBlock[i]];
    let p = this.position(i);
    do if (this.isTerminatorOpcode(fn.order[p])) return true;
    while (++p < end && (fn.bundle[fn.order[p]] & BundleFlag.BundledPred) !== 0);
    return false;
  }

  private isTerminatorOpcode(i: InstrId): boolean {
    return (this.fn.tables.opcodeFlagsLo(this.fn.opcode[i]) & (1 << McFlag.Terminator)) !== 0;
  }

  private position(i: InstrId): number {
    const { fn } = this;
    const b = fn.instrBlock[i];
    return fn.order.indexOf(i, fn.blockBegin[b]);
  }

  // -- set-up ----------------------------------------------------------------------------------------------------

  /**
   * Registers keep their uses in the order in which the operands came into being, which is that of the text; an instruction that reads a
   * register twice is there once. Debug instructions count, as in LLVM.
   */
  private listUsers(): Int32Array {
    const { fn, userBegin, lastDef, nDefs } = this;
    const inLayout = new Uint8Array(fn.nInstrs);
    for (let b = 0; b < fn.blocks.length; b++)
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) inLayout[fn.order[p]] = 1;
    const { opVal, opFlags } = fn;
    const lastUser = new Int32Array(fn.vregs.n).fill(-1);
    for (let i = 0; i < fn.nInstrs; i++) {
      if (inLayout[i] === 0) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isVirtualReg(opVal[o])) continue;
        const v = virtRegIndex(opVal[o]);
        if ((opFlags[o] & OpFlag.Def) !== 0) {
          if (lastDef[v] !== i) nDefs[v]++;
          lastDef[v] = i;
        } else if (lastUser[v] !== i) {
          lastUser[v] = i;
          userBegin[v + 1]++;
        }
      }
    }
    for (let v = 0; v < fn.vregs.n; v++) userBegin[v + 1] += userBegin[v];
    const list = new Int32Array(userBegin[fn.vregs.n]);
    const next = userBegin.slice();
    lastUser.fill(-1);
    for (let i = 0; i < fn.nInstrs; i++) {
      if (inLayout[i] === 0) continue;
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isVirtualReg(opVal[o]) || (opFlags[o] & OpFlag.Def) !== 0) continue;
        const v = virtRegIndex(opVal[o]);
        if (lastUser[v] === i) continue;
        lastUser[v] = i;
        list[next[v]++] = i;
      }
    }
    return list;
  }

  /**
   * Marks the sources. LLVM goes through the layout and takes a bundle as its header.
   * @llvm MachineUniformityAnalysis.cpp GenericUniformityAnalysisImpl::initialize
   */
  private initialize(): void {
    const { fn } = this;
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        const i = fn.order[p];
        if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) continue;
        const kind = this.judge.judge(i);
        if (kind === InstrUniformity.Always) this.isSettled[i] = 1;
        else if (kind === InstrUniformity.Never) this.mark(i, CauseKind.Source, -1);
      }
    }
  }

  // -- propagation -----------------------------------------------------------------------------------------------

  /** @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl::compute */
  private propagate(): void {
    // LLVM begins with the users of the sources, walking its hash set: the order shows in the list of temporal uses.
    const order = new DenseMapOrder();
    for (const i of this.worklist)
      for (let o = this.fn.firstReg(i); o >= 0; o = this.fn.nextReg(i, o))
        if (this.isDivergentDef(o)) order.insert(~this.fn.opVal[o]);
    for (const v of order.keys()) this.pushUsers(v);
    for (let i = this.worklist.pop(); i !== undefined; i = this.worklist.pop()) {
      if (this.isTerminator(i)) {
        this.branch(this.fn.instrBlock[i]);
        continue;
      }
      for (let o = this.fn.firstReg(i); o >= 0; o = this.fn.nextReg(i, o))
        if (this.isDivergentDef(o)) this.pushUsers(~this.fn.opVal[o]);
    }
  }

  private isDivergentDef(o: number): boolean {
    const { fn } = this;
    return (fn.opFlags[o] & OpFlag.Def) !== 0 && isVirtualReg(fn.opVal[o]) && this.isDivergent[~fn.opVal[o]] === 1;
  }

  /** @llvm MachineUniformityAnalysis.cpp GenericUniformityAnalysisImpl::pushUsers */
  private pushUsers(v: VRegId): void {
    const { isPushed, isSettled, userBegin, userList } = this;
    if (isPushed[v] === 1) return;
    isPushed[v] = 1;
    for (let k = userBegin[v], end = userBegin[v + 1]; k < end; k++)
      if (isSettled[userList[k]] === 0) this.mark(userList[k], CauseKind.Operand, v);
  }

  /** @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl::markDivergent */
  private mark(i: InstrId, why: CauseKind, data: number): void {
    if (this.isSettled[i] === 1) return;
    this.isSettled[i] = 1;
    this.why = why;
    this.whyData = data;
    if (this.isTerminator(i) ? this.markBranch(i) : this.markDefs(i)) this.worklist.push(i);
  }

  private markBranch(i: InstrId): boolean {
    const b = this.fn.instrBlock[i];
    if (this.hasDivergentTerminator[b] === 1) return false;
    this.hasDivergentTerminator[b] = 1;
    this.branchCause[b] = this.why;
    this.branchCauseData[b] = this.whyData;
    this.branchCauseInstr[b] = i;
    return true;
  }

  /** @llvm MachineUniformityAnalysis.cpp GenericUniformityAnalysisImpl::markDefsDivergent */
  private markDefs(i: InstrId): boolean {
    const { fn, isDivergent } = this;
    let changed = false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & OpFlag.Def) === 0 || !isVirtualReg(fn.opVal[o])) continue;
      const v = virtRegIndex(fn.opVal[o]);
      if (this.canDiverge[v] === 0 || isDivergent[v] === 1) continue;
      isDivergent[v] = 1;
      this.cause[v] = this.why;
      this.causeData[v] = this.whyData;
      this.causeInstr[v] = i;
      changed = true;
    }
    return changed;
  }

  /**
   * The branch of a block has become divergent.
   * @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl::analyzeControlDivergence
   */
  private branch(b: BlockId): void {
    if (!this.dominators.isReachable(b)) return;
    const { cycles } = this;
    this.joinsOfBranch.add(b);
    if (this.isWithoutEffect(b)) return;
    const { joins, divergentExits } = this.joinsOfBranch.get(b)!;
    const divergent: number[] = [];
    for (const join of joins) {
      if (!this.isOpen(join)) continue;
      const c = this.outermostDivergentCycle(cycles.cycleOf[join], b, join);
      if (c >= 0) divergent.push(c);
      else this.markJoinPhis(join, b);
    }
    divergent.sort((x, y) => cycles.depth[y] - cycles.depth[x]);
    for (const c of divergent) {
      if (this.isAssumedDivergent(c)) continue;
      this.assumedDivergent.push(c);
      this.assumedBranch[c] = b;
      for (let d = 0; d < cycles.nCycles; d++) if (cycles.containsCycle(c, d)) this.isAllDivergent[d] = 1;
      for (const inside of cycles.blocks[c]) this.markAll(inside, c);
    }
    if (divergentExits.length === 0) return;
    /** cycles around the branch by depth */
    const around: number[] = [];
    for (let c = cycles.cycleOf[b]; c >= 0; c = cycles.parent[c]) around[cycles.depth[c]] = c;
    for (const exit of divergentExits)
      this.divergentExit(around[Math.min(cycles.depthOf(exit) + 1, around.length - 1)], b);
  }

  private isAssumedDivergent(c: number): boolean {
    return this.isAllDivergent[c] === 1;
  }

  /**
   * Whether the joins and divergent exits of a branch, whatever they are, change nothing any more. Where many branches part lanes in one tangle of cycles the
   * first few decide all of it; what the others would find is looked for when it is asked for.
   */
  private isWithoutEffect(b: BlockId): boolean {
    if (this.joinsOfBranch.nSteps < FREE_STEPS * this.fn.blocks.length) return false;
    return this.exitsAreDecided(b) && !this.meetingPoints.someOf(b, this.isOpen);
  }

  /** Whether no cycle around a branch can get a divergent exit by it (see divergentExit: the outermost cycle that is left). */
  private exitsAreDecided(b: BlockId): boolean {
    const { cycles, isExitDivergent } = this;
    const inner = cycles.cycleOf[b];
    for (let c = inner; c >= 0; c = cycles.parent[c]) {
      if (isExitDivergent[c] === 0 && cycles.hasExitAtDepth(c, cycles.depth[c] - 1)) return false;
      if (isExitDivergent[inner] === 0 && cycles.exitBlocks(c).length > 0) return false;
    }
    return true;
  }

  /** Whether a block would have any effect as the join of some branch: see outermostDivergentCycle and markJoinPhis. */
  private readonly isOpen = (join: BlockId): boolean => {
    if (this.isClosed[join] === 1) return false;
    const isOpen = this.canTakeEffect(join);
    if (!isOpen) this.isClosed[join] = 1;
    return isOpen;
  };

  private canTakeEffect(join: BlockId): boolean {
    const { cycles, fn } = this;
    let isInnerIrreducible = false;
    for (let c = cycles.cycleOf[join]; c >= 0; c = cycles.parent[c]) {
      const isIrreducible = !cycles.isReducible(c);
      if (this.isAllDivergent[c] === 0 && (isIrreducible || (isInnerIrreducible && cycles.header(c) === join)))
        return true;
      isInnerIrreducible = isIrreducible;
    }
    for (let p = fn.blockBegin[join]; p < fn.blockEnd[join] && this.isPhi(fn.order[p]); p++)
      if (this.canBeMarked(fn.order[p]) && !this.isSameForAllPaths(fn.order[p])) return true;
    return false;
  }

  private canBeMarked(i: InstrId): boolean {
    if (this.isSettled[i] === 1) return false;
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & OpFlag.Def) === 0 || !isVirtualReg(fn.opVal[o])) continue;
      const v = virtRegIndex(fn.opVal[o]);
      if (this.canDiverge[v] === 1 && this.isDivergent[v] === 0) return true;
    }
    return false;
  }

  /** @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl::taintAndPushPhiNodes */
  private markJoinPhis(join: BlockId, branch: BlockId): void {
    const { fn } = this;
    for (let p = fn.blockBegin[join]; p < fn.blockEnd[join] && this.isPhi(fn.order[p]); p++)
      if (!this.isSameForAllPaths(fn.order[p])) this.mark(fn.order[p], CauseKind.Join, branch);
  }

  private isPhi(i: InstrId): boolean {
    return (this.traits[this.fn.opcode[i]] & OpcodeTrait.Phi) !== 0;
  }

  /**
   * Whether a PHI gives one value wherever it comes from (isConstantOrUndefValuePhi): a PHI names the same register each time; a G_PHI names one
   * register apart from itself and undefined ones.
   */
  private isSameForAllPaths(phi: InstrId): boolean {
    const { fn } = this;
    const begin = fn.opBegin[phi];
    const first = fn.opVal[begin + 1];
    if (fn.opcode[phi] === this.phiOpcode) {
      for (let o = begin + 3; o < fn.opBegin[phi + 1]; o += 2) if (fn.opVal[o] !== first) return false;
      return true;
    }
    let only: Reg = NO_REG;
    for (let o = begin + 1; o < fn.opBegin[phi + 1]; o += 2) {
      const reg = fn.opVal[o];
      if (reg === fn.opVal[begin] || this.isUndefValue(reg)) continue;
      if (only !== NO_REG && only !== reg) return false;
      only = reg;
    }
    return true;
  }

  private isUndefValue(reg: Reg): boolean {
    const { fn } = this;
    const def = isVirtualReg(reg) ? this.lastDef[virtRegIndex(reg)] : -1;
    if (def < 0) return false;
    const opcode = fn.opcode[def];
    return this.undefinedValue.has(opcode);
  }

  /**
   * Everything that a block computes, its terminators apart, is divergent: `cycle` around it is assumed to be.
   * @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl::taintAndPushAllDefs
   */
  private markAll(b: BlockId, cycle: number): void {
    const { fn } = this;
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      if (this.isTerminator(fn.order[p])) return;
      this.mark(fn.order[p], CauseKind.AssumedCycle, cycle);
    }
  }

  /**
   * The outermost cycle that has to be taken as divergent because paths from a divergent branch meet in it; -1 if none has.
   * @llvm GenericUniformityImpl.h getOutermostDivergentCycle
   */
  private outermostDivergentCycle(c: number, branch: BlockId, join: BlockId): number {
    if (c < 0) return NO_CYCLE;
    const inner = this.aroundBranchAndJoin(c, branch, join);
    return inner >= 0 ? inner : this.aroundJoinOnly(c, branch);
  }

  /** Paths that part outside an irreducible cycle meet inside it. */
  private aroundJoinOnly(c: number, branch: BlockId): number {
    const { cycles } = this;
    if (cycles.contains(c, branch)) return NO_CYCLE;
    while (cycles.parent[c] >= 0 && !cycles.contains(cycles.parent[c], branch)) c = cycles.parent[c];
    return cycles.isReducible(c) ? NO_CYCLE : c;
  }

  /** Paths that part inside an irreducible cycle meet in it at a block that not all of them have to pass. */
  private aroundBranchAndJoin(c: number, branch: BlockId, join: BlockId): number {
    const { cycles } = this;
    if (this.isAbove(branch, join)) return NO_CYCLE;
    while (c >= 0 && !cycles.contains(c, branch)) c = cycles.parent[c];
    if (c < 0 || cycles.isReducible(c) || this.isAbove(cycles.header(c), join)) return NO_CYCLE;
    for (let p = cycles.parent[c]; p >= 0 && !this.isAbove(cycles.header(p), join); p = cycles.parent[p]) c = p;
    return c;
  }

  /** Whether `b` properly dominates `join`. */
  private isAbove(b: BlockId, join: BlockId): boolean {
    return b !== join && this.dominators.dominates(b, join);
  }

  /**
   * Lanes leave `outer`, a cycle around the branch in block `b`, at different times because of it.
   * @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl::analyzeCycleExitDivergence
   */
  private divergentExit(outer: number, b: BlockId): void {
    if (this.isExitDivergent[outer] === 1) return;
    this.isExitDivergent[outer] = 1;
    this.exitBranch[outer] = b;
    this.divergentExitCycles.push(outer);
    if (!this.isAssumedDivergent(outer)) this.markBehind(outer);
  }

  /**
   * Marks what reads, outside a cycle with divergent exits, a value made inside it.
   * @llvm GenericUniformityImpl.h GenericUniformityAnalysisImpl::propagateCycleExitDivergence
   */
  private markBehind(cycle: number): void {
    const { fn, cycles, dominators } = this;
    const exits = cycles.exitBlocks(cycle);
    for (const exit of exits)
      for (let p = fn.blockBegin[exit]; p < fn.blockEnd[exit] && this.isPhi(fn.order[p]); p++)
        if (this.readsFrom(fn.order[p], cycle)) this.mark(fn.order[p], CauseKind.ExitPhi, cycle);
    for (const b of cycles.blocks[cycle]) {
      if (!exits.some((exit) => dominators.dominates(b, exit))) continue;
      for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
        if ((fn.bundle[fn.order[p]] & BundleFlag.BundledPred) === 0) this.markUsersBehind(fn.order[p], cycle);
      }
    }
  }

  /**
   * Physical registers count as made inside, as in LLVM.
   * @llvm MachineUniformityAnalysis.cpp GenericUniformityAnalysisImpl::usesValueFromCycle
   */
  private readsFrom(i: InstrId, cycle: number): boolean {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] === NO_REG || !readsReg(fn, o)) continue;
      if (!isVirtualReg(fn.opVal[o])) return true;
      const def = this.lastDef[~fn.opVal[o]];
      if (def >= 0 && this.cycles.contains(cycle, fn.instrBlock[def])) return true;
    }
    return false;
  }

  /** @llvm MachineUniformityAnalysis.cpp GenericUniformityAnalysisImpl::propagateTemporalDivergence */
  private markUsersBehind(i: InstrId, cycle: number): void {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & OpFlag.Def) === 0 || !isVirtualReg(fn.opVal[o])) continue;
      const vreg = virtRegIndex(fn.opVal[o]);
      for (let k = this.userBegin[vreg]; k < this.userBegin[vreg + 1]; k++) {
        const user = this.userList[k];
        if (this.cycles.contains(cycle, fn.instrBlock[user])) continue;
        this.mark(user, CauseKind.Temporal, vreg);
        this.temporalUses.push({ vreg, user, cycle });
      }
    }
  }
}

/**
 * Uniformity of a function as it stands; meaningful for functions in SSA form (LLVM does not check either).
 * @llvm MachineUniformityAnalysis.cpp computeMachineUniformityInfo
 */
export function computeUniformity(fn: MachineFunction): Uniformity {
  return new Uniformity(fn);
}
