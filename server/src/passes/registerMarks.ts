/** Kill and dead marks of one register in one instruction, with implicit operands that are added or go for them. */
import { regOperand, type FunctionEditor } from '../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type InstrId } from '../model/machineFunction.js';
import { isPhysicalReg, type Reg } from '../model/register.js';
import type { PhysReg } from '../target/api.js';

/** What became of a mark; an instruction that got or lost operands has another id. */
export interface Marked {
  readonly isMarked: boolean;
  readonly instr: InstrId;
}

/**
 * Marks a read of the register as its last one. `adds`: an implicit operand is added where the instruction has none.
 * @llvm MachineInstr.cpp MachineInstr::addRegisterKilled
 */
export function addRegisterKilled(editor: FunctionEditor, i: InstrId, reg: Reg, adds: boolean): Marked {
  const { fn } = editor;
  const { tables } = fn;
  const isPhysical = isPhysicalReg(reg);
  const begin = fn.opBegin[i];
  const needless: number[] = [];
  let found = false;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    const flags = fn.opFlags[o];
    if ((flags & (OpFlag.Def | OpFlag.Undef | OpFlag.Debug)) !== 0) continue;
    const other = fn.opVal[o];
    if (other === reg) {
      if (found) continue;
      if ((flags & OpFlag.Kill) !== 0) return { isMarked: true, instr: i };
      // What a tied definition rewrites is not killed.
      if (isPhysical && fn.opTied[o] >= 0) return { isMarked: true, instr: i };
      fn.opFlags[o] |= OpFlag.Kill;
      found = true;
    } else if (isPhysical && (flags & OpFlag.Kill) !== 0 && other > 0) {
      if (tables.isSubRegister(other, reg)) return { isMarked: true, instr: i };
      if (tables.isSubRegister(reg, other)) needless.push(o - begin);
    }
  }
  const instr = withoutMarks(editor, i, needless, OpFlag.Kill);
  if (found || !adds) return { isMarked: found, instr };
  const more = regOperand(reg, OpFlag.Implicit | OpFlag.Kill);
  return { isMarked: true, instr: editor.withOperand(instr, more) };
}

/**
 * Marks the definitions of the register dead.
 * @llvm MachineInstr.cpp MachineInstr::addRegisterDead
 */
export function addRegisterDead(editor: FunctionEditor, i: InstrId, reg: Reg, adds: boolean): Marked {
  const { fn } = editor;
  const { tables } = fn;
  const begin = fn.opBegin[i];
  const needless: number[] = [];
  let found = false;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    const flags = fn.opFlags[o];
    if ((flags & OpFlag.Def) === 0) continue;
    const other = fn.opVal[o];
    if (other === reg) {
      fn.opFlags[o] |= OpFlag.Dead;
      found = true;
    } else if (isPhysicalReg(reg) && (flags & OpFlag.Dead) !== 0 && other > 0) {
      if (tables.isSubRegister(other, reg)) return { isMarked: true, instr: i };
      if (tables.isSubRegister(reg, other)) needless.push(o - begin);
    }
  }
  const instr = withoutMarks(editor, i, needless, OpFlag.Dead);
  if (found || !adds) return { isMarked: found, instr };
  const more = regOperand(reg, OpFlag.Implicit | OpFlag.Def | OpFlag.Dead);
  return { isMarked: true, instr: editor.withOperand(instr, more) };
}

/**
 * Makes sure that the instruction defines the register: where no definition has all of it, an implicit one is added.
 * @llvm MachineInstr.cpp MachineInstr::addRegisterDefined
 */
export function addRegisterDefined(editor: FunctionEditor, i: InstrId, reg: PhysReg): InstrId {
  const { fn } = editor;
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    const other = fn.opVal[o];
    if (!editor.isDef(o) || !isPhysicalReg(other)) continue;
    if (other === reg || fn.tables.isSubRegister(other, reg)) return i;
  }
  return editor.withOperand(i, regOperand(reg, OpFlag.Implicit | OpFlag.Def));
}

/** Marks of parts go where the whole has the mark: implicit operands with them. */
function withoutMarks(editor: FunctionEditor, i: InstrId, operands: readonly number[], mark: OpFlag): InstrId {
  const { fn } = editor;
  const begin = fn.opBegin[i];
  const gone = new Set<number>();
  for (const k of operands) {
    if ((fn.opFlags[begin + k] & OpFlag.Implicit) !== 0 && fn.opKind[begin + k] === OperandKind.Register) gone.add(k);
    else fn.opFlags[begin + k] &= ~mark;
  }
  return gone.size === 0 ? i : editor.withoutOperands(i, gone);
}
