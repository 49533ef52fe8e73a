/** Instructions after allocation as the hazard recognizer looks at them: kinds, registers, and the way back from one to those that ran before it. */
import { LatencyModel } from '../scheduler/dag/latency.js';
import { resolveSchedClass } from '../scheduler/schedClass.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, type BlockId, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { InstrQueries } from '../instrQueries.js';
import type { PhysReg } from '../../target/api.js';
import { NoopReason, type HazardRule } from './hazardRule.js';
import {
  isDOT,
  isDPP,
  isDS,
  isEXP,
  isFLAT,
  isFPAtomic,
  isImage,
  isLDSDIR,
  isLDSDMA,
  isMAI,
  isMFMA,
  isSALU,
  isSDWA,
  isSMRD,
  isSOPP,
  isSWMMAC,
  isTRANS,
  isVALU,
  isVINTRP,
  isVOP3,
  isVOPC,
  isWMMA,
} from '../../target/opcodes.js';
import { McFlag } from '../../target/api.js';
import { OpcodePattern } from '../../target/opcodeSets.js';

/** No hazard on any way back. */
export const NEVER = Number.MAX_SAFE_INTEGER;

const DGEMM = new OpcodePattern(/^V_MFMA_F64_/);
/** Products of 32-bit floats, which do not go through the matrix cores of gfx940 and later */
const PLAIN_SINGLE = new OpcodePattern(/^V_MFMA_F32_\d+X\d+X\d+F32_/);
const PLAIN_WMMA = new OpcodePattern(/^V_WMMA_F(?:32_16X16X4_F32|64_)/);
const PERMLANE = new OpcodePattern(
  /^V_PERMLANE(?:X?16(?:_VAR)?_B32_e64|64_B32|(?:16|32)_SWAP_B32_e(?:32|64)|_(?:BCAST|UP|DOWN|XOR|IDX_GEN)_B32_e64)$/,
);

export interface Walk<State> {
  /** found, or nothing on this way counts any more */
  readonly look: (state: State, i: InstrId) => 'found' | 'expired' | null;
  readonly pass: (state: State, i: InstrId) => State;
  /** states that are alike have one key */
  readonly keyOf: (state: State) => string;
}

export class HazardInstrs extends InstrQueries {
  private readonly inlineAsm: number;
  private readonly inlineAsmBr: number;
  private readonly kindsThere = new Map<(i: InstrId) => boolean, boolean>();
  private readonly nop: number;
  private readonly latencies: LatencyModel;
  /** what the last way back found, -1 = nothing, and wait states to it */
  lastFound: InstrId = -1;
  foundStates = 0;
  readonly reason = new NoopReason();

  constructor(readonly editor: FunctionEditor) {
    const { fn } = editor;
    super(fn);
    this.nop = fn.tables.opcodeByName('S_NOP');
    this.inlineAsm = fn.tables.opcodeByName('INLINEASM');
    this.inlineAsmBr = fn.tables.opcodeByName('INLINEASM_BR');
    this.latencies = new LatencyModel(fn, resolveSchedClass);
  }

  // -- kinds ---------------------------------------------------------------------------------------------------------

  isInlineAsm = (i: InstrId): boolean => {
    const opcode = this.fn.opcode[i];
    return opcode === this.inlineAsm || opcode === this.inlineAsmBr;
  };
  isVALU = (i: InstrId): boolean => this.is(isVALU, i);
  isSALU = (i: InstrId): boolean => this.is(isSALU, i);
  isSMRD = (i: InstrId): boolean => this.is(isSMRD, i);
  isSOPP = (i: InstrId): boolean => this.is(isSOPP, i);
  isDS = (i: InstrId): boolean => this.is(isDS, i);
  isEXP = (i: InstrId): boolean => this.is(isEXP, i);
  isFLAT = (i: InstrId): boolean => this.is(isFLAT, i);
  isImage = (i: InstrId): boolean => this.is(isImage, i);
  isDPP = (i: InstrId): boolean => this.is(isDPP, i);
  isSDWA = (i: InstrId): boolean => this.is(isSDWA, i);
  isTRANS = (i: InstrId): boolean => this.is(isTRANS, i);
  isVINTRP = (i: InstrId): boolean => this.is(isVINTRP, i);
  isLDSDIR = (i: InstrId): boolean => this.is(isLDSDIR, i);
  isLDSDMA = (i: InstrId): boolean => this.is(isLDSDMA, i);
  isFPAtomic = (i: InstrId): boolean => this.is(isFPAtomic, i);
  isDOT = (i: InstrId): boolean => this.is(isDOT, i);
  isMAI = (i: InstrId): boolean => this.is(isMAI, i);
  isMFMA = (i: InstrId): boolean => this.is(isMFMA, i);
  isWMMA = (i: InstrId): boolean => this.is(isWMMA, i) || this.isSWMMAC(i);
  isSWMMAC = (i: InstrId): boolean => this.is(isSWMMAC, i);
  isDGEMM = (i: InstrId): boolean => this.matches(DGEMM, i);
  isPermlane = (i: InstrId): boolean => this.matches(PERMLANE, i);
  isBranch = (i: InstrId): boolean => this.has(i, McFlag.Branch);
  isMemory = (i: InstrId): boolean => this.isVMEM(i) || this.isDS(i);
  /** what ends once all results of the VALU are there */
  waitsForVALU = (i: InstrId): boolean => this.isMemory(i) || this.isEXP(i);

  /**
   * Whether the function has an instruction of a kind: most have no matrix instructions, and then nobody needs to look back for them. `kind` is a property of
   * this object that tells by the opcode alone; no pass that asks about hazards puts such instructions in. O(instructions) once for each kind.
   */
  hasAny(kind: (i: InstrId) => boolean): boolean {
    let isThere = this.kindsThere.get(kind);
    if (isThere === undefined) {
      isThere = false;
      for (let i = 0; i < this.fn.nInstrs && !isThere; i++) isThere = kind(i);
      this.kindsThere.set(kind, isThere);
    }
    return isThere;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::isXDL */
  isXDL(i: InstrId): boolean {
    if (!this.isMFMA(i) || this.isDGEMM(i)) return false;
    return !this.fn.subtarget.hasFeature('gfx940-insts') || !this.matches(PLAIN_SINGLE, i);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::isXDLWMMA */
  isXDLWMMA(i: InstrId): boolean {
    return this.isWMMA(i) && !this.matches(PLAIN_WMMA, i);
  }

  /** A compare that writes EXEC. */
  isCompareToExec(i: InstrId): boolean {
    const { fn } = this;
    const isCompare = this.is(isVOPC, i) || (this.has(i, McFlag.Compare) && (this.is(isVOP3, i) || this.isSDWA(i)));
    return isCompare && this.modifies(i, fn.tables.regByName('exec'));
  }

  /** What the message unit, the trace or GDS reads M0 for. */
  isMessageOrGDS(i: InstrId): boolean {
    const name = this.name(i);
    return name === 'S_SENDMSG' || name === 'S_SENDMSGHALT' || name === 'S_TTRACEDATA' || this.isGDS(i);
  }

  /**
   * Cycles that an instruction keeps others from being issued for hazards; 0 = it makes no code.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getNumWaitStates
   */
  waitStates = (i: InstrId): number => {
    if (this.fn.opcode[i] === this.nop) return this.fn.imm(this.fn.opBegin[i]) + 1;
    return this.isMeta(i) ? 0 : 1;
  };

  /** cycles, of the scheduling model */
  latency = (i: InstrId): number => this.latencies.modelLatency(i);

  /** The cycles of its first resource. */
  pipelineCycles(i: InstrId): number {
    return this.latencies.classDesc(i)?.writeProcRes[0]?.releaseAtCycle ?? 0;
  }

  // -- operands --------------------------------------------------------------------------------------------------------

  /** Registers that its explicit operands read, as operands. */
  explicitUses(i: InstrId): OperandId[] {
    return this.regOperands(i).filter((o) => !this.isImplicit(o) && !this.isDef(o));
  }

  /** Results by the opcode's descriptor. */
  explicitDefs(i: InstrId): OperandId[] {
    return this.regOperands(i).filter((o) => !this.isImplicit(o) && this.isDef(o));
  }

  /** All register operands but the results by the descriptor, as LLVM walks over them: implicit definitions are among them. */
  uses(i: InstrId): OperandId[] {
    const first = this.fn.opBegin[i] + this.fn.tables.opcodeNumDefs(this.fn.opcode[i]);
    return this.regOperands(i).filter((o) => o >= first);
  }

  /** Whether an explicit operand reads part of the register. */
  readsExplicitly(i: InstrId, reg: PhysReg): boolean {
    return this.explicitUses(i).some((o) => this.overlaps(this.fn.opVal[o], reg));
  }

  private kindOf(reg: PhysReg, has: (rc: number) => boolean): boolean {
    const rc = reg > 0 ? this.fn.tables.getMinimalPhysRegClass(reg) : -1;
    return rc >= 0 && has(rc);
  }

  isVGPR(reg: PhysReg): boolean {
    const { tables } = this.fn;
    return this.kindOf(reg, (rc) => tables.hasVGPRs(rc) && !tables.hasAGPRs(rc));
  }

  isAGPR(reg: PhysReg): boolean {
    const { tables } = this.fn;
    return this.kindOf(reg, (rc) => tables.hasAGPRs(rc) && !tables.hasVGPRs(rc));
  }

  isVector(reg: PhysReg): boolean {
    return this.isVGPR(reg) || this.isAGPR(reg);
  }

  isSGPR(reg: PhysReg): boolean {
    return this.kindOf(reg, (rc) => this.fn.tables.isSGPRClass(rc));
  }

  // -- what ran before -------------------------------------------------------------------------------------------------

  /** The instruction before this one in its block, members of bundles one by one, without headers; -1 at the begin. */
  before(i: InstrId): InstrId {
    const { fn, editor } = this;
    if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0 && !this.isBundle(i - 1)) return i - 1;
    let head = i;
    while ((fn.bundle[head] & BundleFlag.BundledPred) !== 0) head--;
    return this.lastOf(editor.list.before(head));
  }

  private lastOf(i: InstrId): InstrId {
    let last = i;
    while (last >= 0 && (this.fn.bundle[last] & BundleFlag.BundledSucc) !== 0) last++;
    return last;
  }

  private lastIn(b: BlockId): InstrId {
    return this.lastOf(this.editor.list.before(~b));
  }

  /**
   * The fewest wait states between `from` and an instruction that `isHazard` finds, over all ways back to one; NEVER when each of them
   * expires or ends. A block is entered once, from the first way to it. O(instructions walked)
   * @llvm GCNHazardRecognizer.cpp getWaitStatesSince
   */
  since(
    from: InstrId,
    isHazard: (i: InstrId) => boolean,
    isExpired: (i: InstrId, states: number) => boolean,
    statesOf: (i: InstrId) => number = this.waitStates,
  ): number {
    const { fn } = this;
    const visited = new Set<BlockId>();
    this.lastFound = -1;
    this.foundStates = NEVER;
    const walk = (block: BlockId, start: InstrId, before: number): number => {
      let states = before;
      for (let i = start; i >= 0; i = this.before(i)) {
        if (isHazard(i)) {
          if (states < this.foundStates) [this.lastFound, this.foundStates] = [i, states];
          return states;
        }
        if (this.isInlineAsm(i)) continue;
        states += statesOf(i);
        if (isExpired(i, states)) return NEVER;
      }
      let fewest = NEVER;
      for (const p of fn.blocks[block].predecessors) {
        if (visited.has(p)) continue;
        visited.add(p);
        fewest = Math.min(fewest, walk(p, this.lastIn(p), states));
      }
      return fewest;
    };
    return walk(fn.instrBlock[from], this.before(from), 0);
  }

  /** Wait states that a rule asks for, given what the last way back has found; returns `states`. */
  because(rule: HazardRule, states: number): number {
    this.reason.take(rule, states, this.lastFound, this.foundStates);
    return states;
  }

  /** The same no further back than `limit` wait states. */
  within(from: InstrId, limit: number, isHazard: (i: InstrId) => boolean, statesOf = this.waitStates): number {
    return this.since(from, isHazard, (_, states) => states >= limit, statesOf);
  }

  /** The same to a definition of part of `reg`. */
  sinceDef(from: InstrId, reg: PhysReg, limit: number, isHazard: (i: InstrId) => boolean): number {
    return this.within(from, limit, (i) => isHazard(i) && this.modifies(i, reg));
  }

  /**
   * Whether some way back from `from` finds a hazard; `walk` carries a state along, and a block is entered once with each of them.
   * @llvm GCNHazardRecognizer.cpp hasHazard
   */
  finds<State>(from: InstrId, initial: State, walk: Walk<State>): boolean {
    const { fn } = this;
    const work: { block: BlockId; state: State }[] = [];
    this.lastFound = -1;
    const seen = new Set<string>();
    let block: BlockId = fn.instrBlock[from];
    let state = initial;
    let i = this.before(from);
    for (let next = 0; ; next++) {
      let isExpired = false;
      for (; i >= 0 && !isExpired; i = this.before(i)) {
        const result = walk.look(state, i);
        if (result === 'found') {
          this.lastFound = i;
          return true;
        }
        if (result === 'expired') isExpired = true;
        else if (!this.isInlineAsm(i) && !this.isMeta(i)) state = walk.pass(state, i);
      }
      if (!isExpired)
        for (const p of fn.blocks[block].predecessors) {
          const key = `${p} ${walk.keyOf(state)}`;
          if (seen.has(key)) continue;
          seen.add(key);
          work.push({ block: p, state });
        }
      if (next === work.length) return false;
      ({ block, state } = work[next]);
      i = this.lastIn(block);
    }
  }
}
