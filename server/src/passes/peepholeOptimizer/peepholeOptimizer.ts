/** `peephole-opt`: copies read what was copied, comparisons and moves that are redundant go (PeepholeOptimizer, LLVM 22; docs/llvm/improving-ssa.md, 2). */
import type { LoopInfo } from '../../analysis/loops.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { maskClobbers } from '../../model/regMask.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { hasOpcodeFlag, McFlag } from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { isAllocatable, isConstantReg } from '../constantRegs.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import { reservedOf } from '../frozenRegisters.js';
import { InstrForms } from '../instrForms.js';
import { isDebugInstr } from '../instrOrder.js';
import type { MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { computeSame } from '../sameInstr.js';
import { ConstantMoves } from './constantMoves.js';
import { CopySources } from './copySources.js';
import { ScalarCompares } from './scalarCompares.js';

/** @llvm PeepholeOptimizer.cpp PeepholeOptimizerLegacy */
export const peepholeOptimizerPass: MachinePass = {
  name: 'peephole-opt',
  pipelineName: 'peephole-opt',
  className: 'PeepholeOptimizerPass',
  title: 'Peephole Optimizations',
  requires: [LOOPS],
  preserves: [CFG, LOOPS, DOMINATORS],
  run(state) {
    if (!state.fn.isOptNone) new Peepholes(state.editor(), state.get(LOOPS), reservedOf(state)).run();
  },
};

/** A chain of instructions from a PHI back to it is no longer than this (`-recurrence-chain-limit`). */
const MAX_RECURRENCE = 3;

/** @llvm PeepholeOptimizer.cpp PeepholeOptimizer */
class Peepholes {
  private readonly fn: MachineFunction;
  private readonly forms: InstrForms;
  private readonly sources: CopySources;
  private readonly compares: ScalarCompares;
  private readonly constants: ConstantMoves;
  private readonly copy: number;

  // -- of the block that is looked at --------------------------------------------------------------------------------

  /** the first copy of each register or part of one */
  private readonly copies = new Map<string, InstrId>();
  /** registers that nobody allocates, and the virtual register that each was copied to */
  private readonly fixed = new Map<Reg, InstrId>();
  /** moves of constants by their registers */
  private readonly moves = new Map<Reg, InstrId>();

  constructor(
    readonly editor: FunctionEditor,
    private readonly loops: LoopInfo,
    readonly reserved: ReservedRegs,
  ) {
    this.fn = editor.fn;
    this.forms = new InstrForms(editor);
    this.sources = new CopySources(editor);
    this.compares = new ScalarCompares(this.forms, (i) => this.erase(i));
    this.constants = new ConstantMoves(this.forms, (i) => this.forgetCopy(i));
    this.copy = this.fn.tables.opcodeByName('COPY');
  }

  run(): void {
    for (let b = 0; b < this.fn.blocks.length; b++) this.runOnBlock(b);
  }

  /** @llvm PeepholeOptimizer.cpp PeepholeOptimizer::run */
  private runOnBlock(b: BlockId): void {
    const { fn, editor, loops } = this;
    const loop = loops.loopOf[b];
    const isHeader = loop >= 0 && loops.loops[loop].header === b;
    this.copies.clear();
    this.fixed.clear();
    this.moves.clear();
    for (let i = editor.list.first(b); i >= 0;) {
      const next = editor.list.after(i);
      if (!isDebugInstr(fn, i) && !opcodeSet(fn.tables, 'position').has(fn.opcode[i]))
        i = this.visit(i, next, isHeader);
      else i = next;
    }
  }

  /** Returns what is visited next. */
  private visit(i: InstrId, next: ListPos, isHeader: boolean): ListPos {
    const { fn, editor, forms } = this;
    const { tables } = fn;
    const opcode = fn.opcode[i];
    if (isHeader && opcodeSet(tables, 'phi').has(opcode) && this.turnRecurrence(i)) return next;
    if (opcode !== this.copy) this.forgetDefined(i);
    const name = tables.opcodeName(opcode);
    if (name === 'IMPLICIT_DEF' || name === 'KILL') return next;
    if (opcodeSet(tables, 'inlineAsm').has(opcode) || hasOpcodeFlag(tables, opcode, McFlag.UnmodeledSideEffects))
      this.fixed.clear();
    if (hasOpcodeFlag(tables, opcode, McFlag.Compare) && this.compares.optimize(i)) return next;
    if (this.readThroughCopies(i)) return next;
    if (opcode === this.copy && (this.isRepeated(i) || this.isRestored(i))) {
      this.erase(i);
      return next;
    }
    if (this.noteMove(i) || this.moves.size === 0) return next;
    const behind = editor.list.before(next);
    return this.foldConstants(i) ? editor.list.after(forms.now(i) === i ? behind : forms.now(i)) : next;
  }

  private erase(i: InstrId): void {
    this.forgetCopy(i);
    this.editor.erase(i);
  }

  // -- copies ----------------------------------------------------------------------------------------------------------

  /** @llvm PeepholeOptimizer.cpp PeepholeOptimizer::optimizeCoalescableCopyImpl */
  private readThroughCopies(i: InstrId): boolean {
    const { fn, editor, forms } = this;
    const { tables } = fn;
    const result = fn.opVal[fn.opBegin[i]];
    let hasChanged = false;
    if (fn.numOperands(i) === 0 || fn.opKind[fn.opBegin[i]] !== OperandKind.Register || !isVirtualReg(result))
      return false;
    for (const { o, source, sub } of this.sources.copiedBy(i)) {
      const found = this.sources.better({ reg: result, sub }, source);
      if (found === null) continue;
      if (found.sub !== 0) {
        const rc = tables.getSubClassWithSubReg(fn.vregs.regClass[virtRegIndex(found.reg)], found.sub);
        if (rc < 0 || !editor.constrainClass(found.reg, rc)) continue;
      }
      hasChanged = true;
      editor.setReg(o, found.reg);
      editor.clearKillFlags(found.reg);
      if (forms.nameOf(i) !== 'EXTRACT_SUBREG') fn.opSub[o] = found.sub;
      else if (found.sub !== 0) fn.opVal[o + 1] = found.sub;
      else {
        fn.opcode[forms.drop(i, 2)] = this.copy;
        return true;
      }
    }
    return hasChanged;
  }

  /** What a copy reads, null: a register that may change. */
  private copied(i: InstrId): string | null {
    const { fn } = this;
    if (fn.opcode[i] !== this.copy) return null;
    const o = fn.opBegin[i] + 1;
    const reg = fn.opVal[o];
    return isVirtualReg(reg) || isConstantReg(this, reg) ? `${reg} ${fn.opSub[o]}` : null;
  }

  /** A copy is about to go or to become something else. */
  private forgetCopy(i: InstrId): void {
    const key = this.copied(i);
    if (key !== null && this.copies.get(key) === i) this.copies.delete(key);
  }

  /**
   * A copy to the class of an earlier one of the same: its readers read that one. The first one is noted.
   * @llvm PeepholeOptimizer.cpp PeepholeOptimizer::foldRedundantCopy
   */
  private isRepeated(i: InstrId): boolean {
    const { fn, editor } = this;
    const key = this.copied(i);
    const result = fn.opVal[fn.opBegin[i]];
    if (key === null || !isVirtualReg(result)) return false;
    const earlier = this.copies.get(key);
    if (earlier === undefined) {
      this.copies.set(key, i);
      return false;
    }
    const before = fn.opVal[fn.opBegin[earlier]];
    const { regClass } = fn.vregs;
    if (regClass[virtRegIndex(result)] !== regClass[virtRegIndex(before)]) return false;
    editor.replaceReg(result, before);
    editor.clearKillFlags(before);
    return true;
  }

  private isFixed(reg: Reg): boolean {
    return isPhysicalReg(reg) && !isAllocatable(this, reg);
  }

  /**
   * A register that nobody allocates gets the value back that it still has.
   * @llvm PeepholeOptimizer.cpp PeepholeOptimizer::foldRedundantNAPhysCopy
   */
  private isRestored(i: InstrId): boolean {
    const { fn } = this;
    const [result, source] = [fn.opVal[fn.opBegin[i]], fn.opVal[fn.opBegin[i] + 1]];
    if (this.isFixed(source) && isVirtualReg(result)) {
      if (!this.fixed.has(source)) this.fixed.set(source, i);
      return false;
    }
    if (!isVirtualReg(source) || !this.isFixed(result)) return false;
    const copy = this.fixed.get(result);
    if (copy === undefined) return false;
    if (fn.opVal[fn.opBegin[copy]] === source) return true;
    this.fixed.delete(result);
    return false;
  }

  private forgetDefined(i: InstrId): void {
    const { fn, editor, fixed } = this;
    if (fixed.size === 0) return;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.RegisterMask) {
        for (const reg of [...fixed.keys()]) if (maskClobbers(fn, o, reg)) fixed.delete(reg);
      } else if (fn.opKind[o] === OperandKind.Register && editor.isDef(o)) fixed.delete(fn.opVal[o]);
  }

  // -- constants -------------------------------------------------------------------------------------------------------

  /** @llvm PeepholeOptimizer.cpp PeepholeOptimizer::isMoveImmediate */
  private noteMove(i: InstrId): boolean {
    const { fn, moves } = this;
    const { tables } = fn;
    const first = fn.opBegin[i];
    if (tables.opcodeNumDefs(fn.opcode[i]) !== 1 || fn.opKind[first] !== OperandKind.Register) return false;
    const reg = fn.opVal[first];
    if (!isVirtualReg(reg)) return false;
    if (!hasOpcodeFlag(tables, fn.opcode[i], McFlag.MoveImm) && this.constants.constantOf(i) === null) return false;
    if (!moves.has(reg)) moves.set(reg, i);
    return true;
  }

  /** @llvm PeepholeOptimizer.cpp PeepholeOptimizer::foldImmediate */
  private foldConstants(i: InstrId): boolean {
    const { fn, editor, moves } = this;
    for (let k = 0; k < fn.tables.opcodeNumOperands(fn.opcode[i]); k++) {
      const o = fn.opBegin[i] + k;
      if (fn.opKind[o] !== OperandKind.Register || editor.isDef(o)) continue;
      const reg = fn.opVal[o];
      const move = moves.get(reg);
      if (move === undefined) continue;
      const made = this.constants.fold(i, move, reg);
      if (made < 0) continue;
      if (editor.defOf(reg) >= 0 && computeSame(fn, made, move)) {
        const result = fn.opVal[fn.opBegin[made]];
        const { regClass } = fn.vregs;
        if (isVirtualReg(result) && regClass[virtRegIndex(result)] === regClass[virtRegIndex(reg)]) {
          editor.replaceReg(result, reg);
          editor.clearKillFlags(reg);
          editor.erase(made);
        }
      }
      return true;
    }
    return false;
  }

  // -- recurrences -----------------------------------------------------------------------------------------------------

  /**
   * Instructions that lead from a PHI back to it get their sources exchanged where the chain then goes through the tied one.
   * @llvm PeepholeOptimizer.cpp PeepholeOptimizer::optimizeRecurrence
   */
  private turnRecurrence(phi: InstrId): boolean {
    const { fn, editor, forms } = this;
    const begin = fn.opBegin[phi];
    const targets = new Set<Reg>();
    for (let o = begin + 1; o < fn.opBegin[phi + 1]; o += 2) targets.add(fn.opVal[o]);
    const turned: InstrId[] = [];
    let reg = fn.opVal[begin];
    for (let length = 0; !targets.has(reg); length++) {
      const use = editor.onlyUse(reg);
      if (use < 0 || length >= MAX_RECURRENCE) return false;
      const i = editor.instrOf(use);
      const first = fn.opBegin[i];
      const isOneDef = fn.tables.opcodeNumDefs(fn.opcode[i]) === 1 && fn.opKind[first] === OperandKind.Register;
      if (!isOneDef || !isVirtualReg(fn.opVal[first])) return false;
      const tied = fn.opTied[first];
      if (tied < 0) return false;
      if (use - first !== tied) {
        if (forms.partnerOf(i, use - first) !== tied) return false;
        turned.push(i);
      }
      reg = fn.opVal[first];
    }
    for (const i of turned) forms.commute(i);
    return turned.length > 0;
  }
}
