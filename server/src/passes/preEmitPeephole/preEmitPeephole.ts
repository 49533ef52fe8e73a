/**
 * `si-pre-emit-peephole`: the last look at branches on masks, at modes of indexed registers, and at packed instructions behind matrix products
 * (SIPreEmitPeephole, LLVM 22; docs/llvm/late-passes.md, 6).
 */
import { removeSuccessor } from '../../model/edit/blockEdges.js';
import { probabilityAt } from '../../model/probability.js';
import { immOperand, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { PROBABILITY_ONE } from '../../model/probability.js';
import { NO_REG } from '../../model/register.js';
import { sameMember } from '../../model/sameOperand.js';
import { McFlag, type Opcode, type PhysReg } from '../../target/api.js';
import { isVOPC } from '../../target/opcodes.js';
import { OpcodePattern } from '../../target/opcodeSets.js';
import { BlockEnds } from '../blockEnds.js';
import { harmsWithoutLanes, isWaitForCounter } from '../emptyExec.js';
import { InstrForms } from '../instrForms.js';
import { allInstrs, firstTerminator, isDebugInstr } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import type { MachinePass } from '../machinePass.js';
import { RegisterFacts } from '../registerFacts.js';
import { LatencyModel } from '../scheduler/dag/latency.js';
import { resolveSchedClass } from '../scheduler/schedClass.js';
import { unpackBehindProducts } from './packedInstrs.js';

/** @llvm SIPreEmitPeephole.cpp SIPreEmitPeepholeLegacy */
export const preEmitPeepholePass: MachinePass = {
  name: 'si-pre-emit-peephole',
  pipelineName: 'si-pre-emit-peephole',
  className: 'SIPreEmitPeepholePass',
  title: 'SI peephole optimizations',
  isRequired: true,
  requires: [],
  preserves: [],
  run: (state) => new PreEmitPeephole(state.editor()).run(),
};

/** Instructions before a branch on VCC, among which its mask is computed */
const MASK_WINDOW = 5;
/** From one S_SET_GPR_IDX_ON to the next */
const INDEX_MODE_WINDOW = 20;
/** Cycles of a branch that is not taken */
const NOT_TAKEN = 1;
const INDEXED_MOVE = new OpcodePattern(/^V_MOV_B32_indirect_(?:read|write)$/);

/** @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole */
class PreEmitPeephole {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly ends: BlockEnds;
  private readonly builder: InstrBuilder;
  private readonly latencies: LatencyModel;
  private readonly facts: RegisterFacts;
  private readonly vcc: PhysReg;
  private readonly exec: PhysReg;
  private readonly suffix: string;

  constructor(private readonly editor: FunctionEditor) {
    const { fn } = editor;
    this.fn = fn;
    editor.renumberBlocks();
    fn.blockNumbers = null;
    fn.nBlockNumbers = 0;
    this.queries = new InstrQueries(fn);
    this.ends = new BlockEnds(editor, (b) => editor.blockAfter(b));
    this.builder = new InstrBuilder(editor);
    this.latencies = new LatencyModel(fn, resolveSchedClass);
    this.facts = new RegisterFacts(fn);
    const half = fn.subtarget.wavefrontSize === 32 ? '_lo' : '';
    this.vcc = fn.tables.regByName(`vcc${half}`);
    this.exec = fn.tables.regByName(`exec${half}`);
    this.suffix = half === '' ? 'B64' : 'B32';
  }

  /** @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::run */
  run(): void {
    const { fn, editor, queries } = this;
    const hasIndexMode = fn.subtarget.hasFeature('vgpr-index-mode');
    for (let b = 0; b < fn.blocks.length; b++) {
      const branch = firstTerminator(editor, b);
      if (branch >= 0) {
        const name = queries.name(branch);
        if (name === 'S_CBRANCH_VCCZ' || name === 'S_CBRANCH_VCCNZ') this.testMask(branch);
        else if (name === 'S_CBRANCH_EXECZ') this.removeSkip(branch);
      }
      if (hasIndexMode) this.joinIndexModes(b);
    }
    if (fn.subtarget.hasFeature('gfx940-insts')) unpackBehindProducts(editor, this.latencies);
  }

  private opcode(name: string): Opcode {
    return this.fn.tables.opcodeByName(name);
  }

  // -- branches on VCC -------------------------------------------------------------------------------------------------------

  /**
   * Whether an instruction writes the whole of a register.
   * @llvm MachineInstr.h MachineInstr::definesRegister
   */
  private defines(i: InstrId, reg: PhysReg): boolean {
    const { fn, queries } = this;
    return queries
      .regOperands(i)
      .some((o) => queries.isDef(o) && (fn.opVal[o] === reg || fn.tables.isSubRegister(fn.opVal[o], reg)));
  }

  /** The S_AND or S_ANDN2 that computes VCC for a branch, with whether VCC is read between; null where something else does, or it is too far away. */
  private findMask(branch: InstrId): { readonly at: InstrId; readonly isRead: boolean } | null {
    const { queries, exec, vcc, suffix } = this;
    const { list } = this.editor;
    let isRead = false;
    let at = list.before(branch);
    for (let k = 1; at >= 0; at = list.before(at), k++) {
      if (k === MASK_WINDOW || queries.modifies(at, exec)) return null;
      if (queries.modifies(at, vcc)) {
        const isMask = [`S_AND_${suffix}`, `S_ANDN2_${suffix}`].includes(queries.name(at));
        return isMask && this.defines(at, vcc) ? { at, isRead } : null;
      }
      if (queries.reads(at, vcc)) isRead = true;
    }
    return null;
  }

  /** What writes a mask before `i`, and what happens to the mask and to EXEC between; null: only part of it is written, or nothing. */
  private findSource(i: InstrId, reg: PhysReg): MaskSource | null {
    const { queries, exec } = this;
    const { list } = this.editor;
    let [isRead, changesExec] = [false, false];
    for (let at = list.before(i); at >= 0; at = list.before(at)) {
      if (this.defines(at, reg)) return { at, isRead, changesExec };
      if (queries.modifies(at, reg)) return null;
      if (queries.reads(at, reg)) isRead = true;
      if (queries.modifies(at, exec)) changesExec = true;
    }
    return null;
  }

  /**
   * A mask of all lanes or of none, and EXEC: the branch goes by EXEC, or one way always.
   * @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::optimizeVccBranch
   */
  private testMask(branch: InstrId): void {
    const { fn, editor, queries, exec, vcc } = this;
    const found = this.findMask(branch);
    if (found === null) return;
    const and = found.at;
    const [op1, op2] = [fn.opBegin[and] + 1, fn.opBegin[and] + 2];
    const isExec = (o: number): boolean => queries.isReg(o) && fn.opVal[o] === exec;
    if (!isExec(op1) && isExec(op2)) new InstrForms(editor).commute(and);
    if (!isExec(op1)) return;
    const isAnd = queries.name(and).startsWith('S_AND_');
    const source = queries.isReg(op2) ? fn.opVal[op2] : NO_REG;
    let mask = source === NO_REG ? this.maskAt(op2) : null;
    if (source !== NO_REG) {
      const def = this.findSource(and, source);
      if (def === null) return;
      if (isAnd && source === vcc && !def.changesExec && queries.is(isVOPC, def.at)) {
        editor.erase(and);
        return;
      }
      mask = queries.has(def.at, McFlag.MoveImm) ? this.maskAt(fn.opBegin[def.at] + 1) : null;
      if (mask !== null && !def.isRead && (fn.opFlags[op2] & OpFlag.Kill) !== 0) {
        editor.setOperand(op2, immOperand(mask));
        editor.erase(def.at);
      }
    }
    if (mask === null) return;
    if (!isAnd) mask = ~mask;
    if (!found.isRead && this.isConditionDead(and)) {
      if (!this.kills(branch, vcc)) {
        const value = mask === 0 ? immOperand(0) : regOperand(exec);
        this.builder.build(and, and, this.opcode(`S_MOV_${this.suffix}`), [regOperand(vcc, OpFlag.Def), value]);
      }
      editor.erase(and);
    }
    this.decide(branch, mask, source === exec);
  }

  /** 0 or -1, null = something else */
  private maskAt(o: OperandId): number | null {
    const { fn } = this;
    if (fn.opKind[o] !== OperandKind.Immediate) return null;
    const value = fn.imm(o);
    return value === 0 || value === -1 ? value : null;
  }

  private isConditionDead(i: InstrId): boolean {
    const { fn, queries } = this;
    const scc = fn.tables.regByName('scc');
    const isDeadDef = (o: OperandId): boolean => queries.isDef(o) && (fn.opFlags[o] & OpFlag.Dead) !== 0;
    return queries.regOperands(i).some((o) => fn.opVal[o] === scc && isDeadDef(o));
  }

  private kills(i: InstrId, reg: PhysReg): boolean {
    const { fn, queries } = this;
    const isKill = (o: OperandId): boolean => !queries.isDef(o) && (fn.opFlags[o] & OpFlag.Kill) !== 0;
    return queries.regOperands(i).some((o) => isKill(o) && queries.overlaps(fn.opVal[o], reg));
  }

  /** A branch on VCC that is the mask (0 or -1) of the lanes in EXEC, or EXEC itself. */
  private decide(branch: InstrId, mask: number, isExec: boolean): void {
    const { fn, editor, queries } = this;
    const block = fn.instrBlock[branch];
    const isZero = queries.name(branch) === 'S_CBRANCH_VCCZ';
    let name = 'S_BRANCH';
    if (isExec) {
      if (isZero) {
        editor.erase(branch);
        return;
      }
    } else if (mask === 0 && isZero) this.dropOthers(block, branch);
    else if (mask === 0) {
      removeSuccessor(fn, block, fn.opVal[fn.opBegin[branch]]);
      editor.erase(branch);
      return;
    } else name = isZero ? 'S_CBRANCH_EXECZ' : 'S_CBRANCH_EXECNZ';
    const uses = queries
      .regOperands(branch)
      .filter((o) => !queries.isDef(o) && queries.overlaps(fn.opVal[o], this.vcc));
    const begin = fn.opBegin[branch];
    let made = uses.length === 0 ? branch : editor.withoutOperands(branch, new Set([uses[0] - begin]));
    fn.opcode[made] = this.opcode(name);
    for (const reg of fn.tables.implicitUses(fn.opcode[made]))
      made = editor.withOperand(made, regOperand(reg, OpFlag.Implicit));
  }

  /** The branch is always taken: what stands behind it and where the block falls through go. */
  private dropOthers(block: BlockId, branch: InstrId): void {
    const { fn, editor, queries } = this;
    const { list } = editor;
    for (let i = list.after(branch); i >= 0;) {
      const next = list.after(i);
      if (queries.has(i, McFlag.Branch)) {
        removeSuccessor(fn, block, fn.opVal[fn.opBegin[i]]);
        editor.erase(i);
      }
      i = next;
    }
    const next = this.ends.fallThrough(block);
    if (next >= 0) removeSuccessor(fn, block, next);
  }

  // -- branches around what does nothing without lanes ---------------------------------------------------------------------------

  /** @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::removeExeczBranch */
  private removeSkip(branch: InstrId): void {
    const { fn, editor, ends } = this;
    if (!fn.subtarget.schedModel.hasInstrSchedModel) return;
    const block = fn.instrBlock[branch];
    const found = ends.read(block);
    if (found === null) return;
    const { target, otherTarget } = found;
    const then = otherTarget < 0 ? editor.blockAfter(block) : otherTarget;
    if (block >= target || this.mustSkip(branch, then, target)) return;
    editor.erase(branch);
    removeSuccessor(fn, block, target);
  }

  /**
   * Whether the blocks from `then` up to `target` have to be skipped without lanes, or better are.
   * @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::mustRetainExeczBranch
   */
  private mustSkip(branch: InstrId, then: BlockId, target: BlockId): boolean {
    const { fn, queries, latencies } = this;
    const { list } = this.editor;
    const head = fn.blocks[fn.instrBlock[branch]];
    const taken = probabilityAt(head.probabilities, head.successors.indexOf(then));
    const branchCost = (PROBABILITY_ONE - taken) * latencies.instrLatency(branch) + taken * NOT_TAKEN;
    let cycles = 0;
    for (let b = then; b < fn.blocks.length && b !== target; b++)
      for (let i = list.first(b); i >= 0; i = list.after(i)) {
        if (queries.has(i, McFlag.Branch) && !queries.has(i, McFlag.IndirectBranch)) {
          const isPlain = queries.has(i, McFlag.Barrier);
          if (!isPlain || fn.opVal[fn.opBegin[i]] !== b + 1) return true;
        }
        if (queries.isMeta(i)) continue;
        if (harmsWithoutLanes(fn, i) || isWaitForCounter(fn, i)) return true;
        cycles += latencies.instrLatency(i);
        if ((PROBABILITY_ONE - taken) * cycles > branchCost) return true;
      }
    return false;
  }

  // -- modes of indexed registers ------------------------------------------------------------------------------------------------

  /** One S_SET_GPR_IDX_ON does for several alike. */
  private joinIndexModes(b: BlockId): void {
    const { editor, queries } = this;
    const gone = new Set<InstrId>();
    const all = allInstrs(editor, b);
    let first = -1;
    let since = 0;
    for (const [k, i] of all.entries()) {
      if (since === INDEX_MODE_WINDOW) first = -1;
      else since++;
      if (queries.name(i) !== 'S_SET_GPR_IDX_ON') continue;
      since = 0;
      const offs = first < 0 ? null : this.modesBetween(all, first, k, gone);
      if (offs === null) first = k;
      else for (const m of [i, ...offs]) gone.add(m);
    }
    if (gone.size > 0) editor.eraseFromBundles(gone);
  }

  /**
   * What goes with a second S_SET_GPR_IDX_ON; null: it has to stay.
   * @llvm SIPreEmitPeephole.cpp SIPreEmitPeephole::optimizeSetGPR
   */
  private modesBetween(
    all: readonly InstrId[],
    first: number,
    second: number,
    gone: ReadonlySet<InstrId>,
  ): InstrId[] | null {
    const { fn, queries } = this;
    if (!sameMember(fn, all[first], all[second])) return null;
    const index = queries.namedReg(all[second], 'src0');
    const m0 = fn.tables.regByName('m0');
    const offs: InstrId[] = [];
    for (const i of all.slice(first + 1, second)) {
      if (gone.has(i) || queries.isBundle(i) || isDebugInstr(fn, i)) continue;
      const name = queries.name(i);
      if (name === 'S_SET_GPR_IDX_MODE') return null;
      if (name === 'S_SET_GPR_IDX_OFF') {
        offs.push(i);
        continue;
      }
      if (queries.modifies(i, m0) || (index > 0 && queries.modifies(i, index))) return null;
      const isVector = queries
        .regOperands(i)
        .some((o) => this.facts.hasVectorRegisters(this.facts.classOf(fn.opVal[o])));
      if (isVector && (offs.length > 0 || !queries.matches(INDEXED_MOVE, i))) return null;
    }
    return offs;
  }
}

interface MaskSource {
  readonly at: InstrId;
  /** something reads the mask between */
  readonly isRead: boolean;
  readonly changesExec: boolean;
}
