/** `processimpdefs`: what reads an undefined value says so, and IMPLICIT_DEFs go (ProcessImplicitDefs, LLVM 22; docs/llvm/small-passes.md, 3). */
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import type { MachinePass } from '../machinePass.js';
import { isDebugInstr } from '../instrOrder.js';
import { CFG } from '../passContext.js';

/** Instructions that LLVM 24 looks at, members of bundles among them. */
const MOST_SCANNED = 35;

/** @llvm ProcessImplicitDefs.cpp ProcessImplicitDefsLegacy */
export const processImplicitDefsPass: MachinePass = {
  name: 'processimpdefs',
  pipelineName: null,
  title: 'Process Implicit Definitions',
  requires: [],
  preserves: [CFG],
  run: (state) => new ImplicitDefs(state.editor()).run(),
};

/** @llvm ProcessImplicitDefs.cpp ProcessImplicitDefs */
class ImplicitDefs {
  private readonly fn: MachineFunction;
  private readonly implicitDef: number;
  /** opcodes that define an undefined value when all that they read is undefined */
  private readonly passesOn: ReadonlySet<number>;
  private readonly worklist: InstrId[] = [];
  private readonly waiting = new Set<InstrId>();

  constructor(private readonly editor: FunctionEditor) {
    const { fn } = editor;
    this.fn = fn;
    const opcode = (name: string): number => fn.tables.opcodeByName(name);
    this.implicitDef = opcode('IMPLICIT_DEF');
    this.passesOn = new Set(['COPY', 'SUBREG_TO_REG', 'INSERT_SUBREG', 'REG_SEQUENCE', 'PHI'].map(opcode));
  }

  /** @llvm ProcessImplicitDefs.cpp ProcessImplicitDefs::run */
  run(): void {
    const { fn, editor } = this;
    for (let b = 0; b < fn.blocks.length; b++) {
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i))
        if (fn.opcode[i] === this.implicitDef) this.add(i);
      for (let i = this.worklist.pop(); i !== undefined; i = this.worklist.pop()) {
        this.waiting.delete(i);
        this.process(i);
      }
    }
  }

  private add(i: InstrId): void {
    if (this.waiting.has(i)) return;
    this.waiting.add(i);
    this.worklist.push(i);
  }

  /** @llvm ProcessImplicitDefs.cpp ProcessImplicitDefs::processImplicitDef */
  private process(i: InstrId): void {
    const reg = this.fn.opVal[this.fn.opBegin[i]];
    if (isVirtualReg(reg)) this.markReaders(i, reg);
    else if (this.fn.subtarget.release.rules.undefinesToRedefinition) this.markToRedefinition(i, reg);
    else this.markFollowing(i, reg);
  }

  private markReaders(i: InstrId, reg: Reg): void {
    const { fn, editor } = this;
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o)) continue;
      fn.opFlags[o] |= OpFlag.Undef;
      const reader = editor.instrOf(o);
      if (!this.passesOn.has(fn.opcode[reader]) || this.readsAny(reader)) continue;
      fn.opcode[reader] = this.implicitDef;
      this.add(reader);
    }
    editor.erase(i);
  }

  private readsAny(i: InstrId): boolean {
    const { fn, editor } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.Register && !editor.isDef(o) && editor.reads(o)) return true;
    return false;
  }

  /**
   * A physical register: what next mentions part of it reads an undefined value, and the IMPLICIT_DEF goes. Without one in this block it stays, with
   * its first operand alone.
   */
  private markFollowing(i: InstrId, reg: Reg): void {
    const { fn, editor } = this;
    const { list } = editor;
    for (let at = list.after(i); at >= 0; at = list.after(at)) {
      for (let m = at; ; m++) {
        if (this.markIn(m, reg)) {
          editor.erase(i);
          return;
        }
        if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
      }
    }
    this.keep(i);
  }

  /** With its first operand alone. */
  private keep(i: InstrId): void {
    const { fn, editor } = this;
    const extra = new Set<number>();
    for (let k = 1; k < fn.opBegin[i + 1] - fn.opBegin[i]; k++) extra.add(k);
    if (extra.size > 0) editor.withoutOperands(i, extra);
  }

  /**
   * The same in LLVM 24: all that reads the register, or parts of it, up to where it is written again. The IMPLICIT_DEF stays where a part is written
   * or more than it is read, where the value may leave the block, and where that is too far down to know.
   */
  private markToRedefinition(i: InstrId, reg: Reg): void {
    const { fn, editor } = this;
    const { list } = editor;
    let seen = 0;
    let end: 'written' | 'partly' | null = null;
    for (let at = list.after(i); at >= 0 && end === null; at = list.after(at)) {
      for (let m = at; end === null; m++) {
        if (!isDebugInstr(fn, m)) end = ++seen > MOST_SCANNED ? 'partly' : this.markUses(m, reg);
        if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
      }
    }
    const mayLeave = end === null && fn.blocks[fn.instrBlock[i]].successors.length > 0;
    if (end === 'partly' || mayLeave) this.keep(i);
    else editor.erase(i);
  }

  /** Marks operands that read the register or a part; what becomes of it there, null = nothing. */
  private markUses(i: InstrId, reg: Reg): 'written' | 'partly' | null {
    const { fn, editor } = this;
    const { tables } = fn;
    let isWritten = false;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const other = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register || other <= 0 || !tables.regsOverlap(reg, other)) continue;
      const isDef = editor.isDef(o);
      const covers = (whole: Reg, part: Reg): boolean => whole === part || tables.isSubRegister(whole, part);
      if (isDef ? !covers(other, reg) : !covers(reg, other)) return 'partly';
      if (isDef) isWritten = true;
      else fn.opFlags[o] |= OpFlag.Undef;
    }
    return isWritten ? 'written' : null;
  }

  /** Marks what reads part of the register; whether the instruction mentions it. */
  private markIn(i: InstrId, reg: Reg): boolean {
    const { fn, editor } = this;
    const { tables } = fn;
    let isMentioned = false;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      const other = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register || other <= 0 || !tables.regsOverlap(reg, other)) continue;
      isMentioned = true;
      if (!editor.isDef(o)) fn.opFlags[o] |= OpFlag.Undef;
    }
    return isMentioned;
  }
}
