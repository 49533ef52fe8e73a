/**
 * `si-optimize-exec-masking`: EXEC is kept, computed and written by one instruction where lowering of control flow and allocation left three, and by the
 * compare itself where the processor has V_CMPX without a result (SIOptimizeExecMasking, LLVM 22; docs/llvm/late-passes.md, 1).
 */
import { LiveRegUnits } from '../../analysis/liveRegUnits.js';
import { ReservedRegs } from '../../analysis/reservedRegs.js';
import {
  operandOf,
  regOperand,
  immOperand,
  type FunctionEditor,
  type NewOperand,
} from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { McFlag, type PhysReg } from '../../target/api.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { before, beforeNoDebug, isDebugInstr, isDebugOrProbe } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';

/** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMaskingLegacy */
export const optimizeExecMaskingPass: MachinePass = {
  name: 'si-optimize-exec-masking',
  pipelineName: 'si-optimize-exec-masking',
  className: 'SIOptimizeExecMaskingPass',
  title: 'SI optimize exec mask operations',
  requires: [],
  preserves: [CFG],
  run(state) {
    if (!state.fn.isOptNone) new ExecMasking(state.editor()).run();
  },
};

/** How many instructions are looked at: for the move to EXEC, the copy of EXEC, the last write of EXEC, and the compare. */
const MOVE_WINDOW = 5;
const COPY_WINDOW = 26;
const WRITE_WINDOW = 10;
const COMPARE_WINDOW = 20;

const TERMINATOR = /^(S_(?:MOV|XOR|OR|ANDN2|AND)_B(?:32|64))_term$/;

/** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking */
class ExecMasking {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly builder: InstrBuilder;
  private readonly facts: RegisterFacts;
  private readonly exec: PhysReg;
  private readonly waveBits: number;
  private readonly skipsDebug: boolean;
  private reserved: ReservedRegs | null = null;
  private readonly orXors: (readonly [or: InstrId, xor: InstrId])[] = [];
  private readonly saves: (readonly [save: InstrId, compare: InstrId])[] = [];
  /** operands that no longer end a register where a compare has moved past them */
  private readonly kills: OperandId[] = [];

  constructor(private readonly editor: FunctionEditor) {
    const { fn } = editor;
    this.fn = fn;
    this.queries = new InstrQueries(fn);
    this.builder = new InstrBuilder(editor);
    this.facts = new RegisterFacts(fn);
    this.waveBits = fn.subtarget.wavefrontSize;
    this.skipsDebug = fn.subtarget.release.rules.masksSkipDebugInstrs;
    this.exec = fn.tables.regByName(this.waveBits === 32 ? 'exec_lo' : 'exec');
  }

  /** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::run */
  run(): void {
    const { fn, editor } = this;
    const { list } = editor;
    for (let b = 0; b < fn.blocks.length; b++) if (!this.foldMove(b)) break;
    for (let b = 0; b < fn.blocks.length; b++) {
      let n = 0;
      for (let i = list.before(~b); i >= 0 && n < WRITE_WINDOW; i = list.before(i)) {
        if (isDebugInstr(fn, i)) continue;
        this.noteOrXor(i, b);
        this.noteCompare(i, b);
        if (this.queries.modifies(i, this.exec)) break;
        n++;
      }
    }
    for (const [or, xor] of this.orXors) {
      const name = `S_ANDN2_SAVEEXEC_B${this.waveBits}`;
      this.build(or, or, name, [this.def(this.reg(or, 0)), regOperand(this.reg(or, 1))]);
      editor.erase(or);
      editor.erase(xor);
    }
    for (const [save, compare] of this.saves) this.compareToExec(save, compare);
  }

  // -- the move to EXEC ------------------------------------------------------------------------------------------------------

  /**
   * False when the pass leaves the rest of the function alone.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::optimizeExecSequence
   */
  private foldMove(b: BlockId): boolean {
    const move = this.lastOf(this.fixTerminators(b), MOVE_WINDOW, (i) => this.isMoveToExec(i));
    if (move < 0) return true;
    const copy = this.lastOf(move, COPY_WINDOW, (i) => this.isCopyOfExec(i));
    if (copy < 0) {
      this.foldIntoLogic(move);
      return true;
    }
    return this.isLiveOut(b, this.reg(move, 1)) || this.foldIntoSave(copy, move);
  }

  /** Among so many instructions up to `last`, -1 = none. */
  private lastOf(last: ListPos, window: number, isWanted: (i: InstrId) => boolean): InstrId {
    const { list } = this.editor;
    for (let i = last, n = 0; i >= 0 && n < window; i = list.before(i), n++) if (isWanted(i)) return i;
    return -1;
  }

  /**
   * Terminators that were some for allocation alone become plain instructions. Returns the last of them, or the last instruction that is no terminator.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::fixTerminators
   */
  private fixTerminators(b: BlockId): ListPos {
    const { fn, queries } = this;
    const { list } = this.editor;
    let last: InstrId = -1;
    for (let i = list.before(~b); i >= 0; i = list.before(i)) {
      if (!queries.has(i, McFlag.Terminator)) return last >= 0 ? last : i;
      const [, plain] = TERMINATOR.exec(queries.name(i)) ?? [];
      if (plain === undefined) continue;
      const isCopy = plain.startsWith('S_MOV') && queries.isReg(fn.opBegin[i] + 1);
      fn.opcode[i] = fn.tables.opcodeByName(isCopy ? 'COPY' : plain);
      if (last < 0) last = i;
    }
    // LLVM goes on from the last instruction of a block of terminators.
    return last >= 0 ? last : list.before(~b);
  }

  private isCopy(i: InstrId): boolean {
    return opcodeSet(this.fn.tables, 'copyOfMask').has(this.fn.opcode[i]);
  }

  /** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::isCopyToExec */
  private isMoveToExec(i: InstrId): boolean {
    return this.isCopy(i) && this.reg(i, 0) === this.exec && this.reg(i, 1) > 0;
  }

  /** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::isCopyFromExec */
  private isCopyOfExec(i: InstrId): boolean {
    const isMove = this.isCopy(i) || opcodeSet(this.fn.tables, 'moveToExecTerminator').has(this.fn.opcode[i]);
    return isMove && this.reg(i, 1) === this.exec && this.reg(i, 0) > 0;
  }

  /** An operation on EXEC just before the move of its result. */
  private foldIntoLogic(move: InstrId): void {
    const { fn, editor } = this;
    let made: ListPos = editor.list.before(move);
    while (made >= 0 && this.skipsDebug && isDebugOrProbe(fn, made)) made = editor.list.before(made);
    if (made < 0 || (fn.opFlags[fn.opBegin[move] + 1] & OpFlag.Kill) === 0) return;
    if (!opcodeSet(fn.tables, 'execMask').has(fn.opcode[made])) return;
    const exec = fn.tables.regByName(this.queries.name(made).endsWith('32') ? 'exec_lo' : 'exec');
    if (this.reg(made, 1) !== exec && this.reg(made, 2) !== exec) return;
    if (this.reg(made, 0) !== this.reg(move, 1)) return;
    this.rename(fn.opBegin[made], this.exec);
    editor.erase(move);
  }

  /** An operation on the copy of EXEC whose result is moved to EXEC. */
  private foldIntoSave(copy: InstrId, move: InstrId): boolean {
    const { fn, queries, exec, editor } = this;
    const target = this.reg(move, 1);
    const own = this.reg(copy, 0);
    let save: InstrId = -1;
    const readers: InstrId[] = [];
    for (let i = editor.list.after(copy); i !== move; i = editor.list.after(i)) {
      if (this.skipsDebug && isDebugInstr(fn, i)) continue;
      if (save >= 0 && queries.reads(i, exec)) return true;
      const readsCopy = queries.reads(i, own);
      if (queries.modifies(i, target)) {
        if (save >= 0) return true;
        if (!readsCopy || !opcodeSet(fn.tables, 'execMask').has(fn.opcode[i])) return true;
        save = i;
        continue;
      }
      if (save < 0 && readsCopy) return true;
      if (save >= 0 && queries.reads(i, target)) readers.push(i);
    }
    if (save < 0) return true;
    const first = this.reg(save, 1);
    if (first !== own && this.reg(save, 2) === own && !queries.has(save, McFlag.Commutable)) return false;
    const other = fn.opBegin[save] + (first === own ? 2 : 1);
    if (!queries.isReg(other)) throw new NotModelled('a constant where S_*_SAVEEXEC takes a register');
    if (first !== own && this.reg(save, 2) !== own)
      throw new NotModelled('an operation on part of a copy of EXEC, which llc dies of');
    editor.erase(copy);
    const name = queries.name(save).replace(/_B(?=32|64)/, '_SAVEEXEC_B');
    this.build(save, save, name, [this.def(own), regOperand(fn.opVal[other])]);
    editor.erase(save);
    editor.erase(move);
    for (const i of readers)
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) if (fn.opVal[o] === target) this.rename(o, exec);
    return true;
  }

  // -- S_OR_SAVEEXEC and S_XOR ---------------------------------------------------------------------------------------------

  /** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::tryRecordOrSaveexecXorSequence */
  private noteOrXor(i: InstrId, b: BlockId): void {
    const { fn, queries, exec, editor } = this;
    if (queries.name(i) !== `S_XOR_B${this.waveBits}` || editor.list.first(b) === i) return;
    const [to, first, second] = [0, 1, 2].map((k) => this.reg(i, k));
    if (to !== exec || first <= 0 || second <= 0 || (first !== exec && second !== exec)) return;
    const or = this.skipsDebug ? beforeNoDebug(editor, i) : before(editor, i);
    if (or < 0 || queries.name(or) !== `S_OR_SAVEEXEC_B${this.waveBits}`) return;
    const kept = this.reg(or, 0);
    if (kept <= 0 || this.reg(or, 1) <= 0) return;
    if (!(first === exec && second === kept) && !(first === kept && second === exec)) return;
    if (fn.bundle[or] !== 0 || fn.bundle[i] !== 0) throw new NotModelled('S_OR_SAVEEXEC in a bundle');
    this.orXors.push([or, i]);
  }

  // -- the compare ---------------------------------------------------------------------------------------------------------

  /**
   * The last write of EXEC in a block is an AND with a compare's result that nothing else reads.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::tryRecordVCmpxAndSaveexecSequence
   */
  private noteCompare(save: InstrId, b: BlockId): void {
    const { fn, queries, facts } = this;
    const { tables } = fn;
    if (!fn.subtarget.hasFeature('gfx10-3-insts')) return;
    if (queries.name(save) !== `S_AND_SAVEEXEC_B${this.waveBits}` || !facts.isSGPR(this.reg(save, 0))) return;
    const mask = queries.namedReg(save, 'src0');
    if (mask <= 0) return;
    const isCompare = (i: InstrId): boolean =>
      tables.mapOpcode('VCMPXFromVCMP', fn.opcode[i]) >= 0 && queries.modifies(i, mask);
    const compare = this.findBackwards(save, isCompare, [this.exec, mask], -1);
    if (compare < 0) return;
    const sources = ['src0', 'src1'].map((name) => queries.namedReg(compare, name)).filter((reg) => reg > 0);
    if (sources.some((reg) => facts.isSGPR(reg) && queries.modifies(save, reg))) return;
    const result = queries.namedReg(compare, 'sdst');
    if (this.isLiveOut(b, result)) return;
    if (this.isInUse(compare, save, result, b, false) || this.isInUse(save, ~b, result, b, true)) return;
    if (this.findBackwards(save, (i) => i === compare, sources, compare) < 0) return;
    if (fn.bundle[save] !== 0 || fn.bundle[compare] !== 0) throw new NotModelled('a compare for EXEC in a bundle');
    this.saves.push([save, compare]);
  }

  /**
   * The instruction before `from` that is looked for, if none between changes one of the registers; -1 = none. With `end`, uses after it that kill part of these
   * registers, or more, are noted.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::findInstrBackwards
   */
  private findBackwards(
    from: InstrId,
    isWanted: (i: InstrId) => boolean,
    kept: readonly PhysReg[],
    end: InstrId,
  ): InstrId {
    const { fn, queries } = this;
    const { list } = this.editor;
    let n = 0;
    for (let i = list.before(from); i >= 0 && n < COMPARE_WINDOW; i = list.before(i)) {
      if (isDebugInstr(fn, i)) continue;
      if (isWanted(i)) return i;
      for (const reg of kept) {
        if (queries.modifies(i, reg)) return -1;
        if (end >= 0 && i !== end) this.noteKills(i, reg);
      }
      n++;
    }
    return -1;
  }

  private noteKills(i: InstrId, reg: PhysReg): void {
    const { fn, queries } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const isKill = (fn.opFlags[o] & OpFlag.Kill) !== 0;
      if (isKill && fn.opVal[o] !== reg && queries.overlaps(fn.opVal[o], reg)) this.kills.push(o);
    }
  }

  /**
   * Whether a register is read between two instructions, or reserved; `outOf`: up to the end of the block and by those that follow.
   * @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::isRegisterInUseBetween
   */
  private isInUse(from: InstrId, to: ListPos, reg: PhysReg, b: BlockId, outOf: boolean): boolean {
    const { fn } = this;
    const { list } = this.editor;
    const live = new LiveRegUnits(fn);
    if (outOf) live.addLiveOuts(b);
    for (let i = list.before(to); i >= 0 && i !== from; i = list.before(i))
      if (!this.skipsDebug || !isDebugInstr(fn, i)) live.stepBackward(i);
    return !live.available(reg) || (this.reserved ??= new ReservedRegs(fn)).isReserved(reg);
  }

  /** @llvm SIOptimizeExecMasking.cpp SIOptimizeExecMasking::optimizeVCMPSaveExecSequence */
  private compareToExec(save: InstrId, compare: InstrId): void {
    const { fn, queries, editor } = this;
    const { tables } = fn;
    const kept = this.reg(save, 0);
    const rc = tables.getMinimalPhysRegClass(kept);
    this.build(save, save, `S_MOV_B${tables.regClassBits[rc] === 32 ? 32 : 64}`, [
      this.def(kept),
      regOperand(this.exec),
    ]);
    const opcode = tables.mapOpcode('VCMPXFromVCMP', fn.opcode[compare]);
    const operands: NewOperand[] = [];
    const modifier = (name: string): void => {
      const o = queries.named(compare, name);
      if (o >= 0) operands.push(immOperand(fn.imm(o)));
    };
    const source = (name: string): void => {
      operands.push(operandOf(fn, queries.named(compare, name)));
    };
    modifier('src0_modifiers');
    source('src0');
    modifier('src1_modifiers');
    source('src1');
    modifier('clamp');
    modifier('op_sel');
    this.builder.build(save, compare, opcode, operands);
    for (const name of ['src0', 'src1']) {
      const reg = queries.namedReg(compare, name);
      if (reg > 0) editor.clearKillFlags(reg);
    }
    for (const o of this.kills) fn.opFlags[o] &= ~OpFlag.Kill;
    editor.erase(save);
    editor.erase(compare);
  }

  // -- instructions --------------------------------------------------------------------------------------------------------

  private build(at: InstrId, like: InstrId, name: string, operands: readonly NewOperand[]): void {
    this.builder.build(at, like, this.fn.tables.opcodeByName(name), operands);
  }

  private def(reg: PhysReg): NewOperand {
    return regOperand(reg, OpFlag.Def);
  }

  private rename(o: OperandId, reg: PhysReg): void {
    this.editor.setReg(o, reg);
    this.fn.opFlags[o] &= ~OpFlag.Renamable;
  }

  /** The register that is operand `k`, 0 = none. */
  private reg(i: InstrId, k: number): PhysReg {
    const { fn } = this;
    const o = fn.opBegin[i] + k;
    return o < fn.opBegin[i + 1] && this.queries.isReg(o) ? Math.max(fn.opVal[o], 0) : 0;
  }

  private isLiveOut(b: BlockId, reg: PhysReg): boolean {
    const { blocks } = this.fn;
    return blocks[b].successors.some((s) => blocks[s].liveIns.some((live) => live.reg === reg));
  }
}
