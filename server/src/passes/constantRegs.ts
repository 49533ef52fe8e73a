/** Physical registers whose value an instruction may take for the same everywhere. */
import type { ReservedRegs } from '../analysis/reservedRegs.js';
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import { OpFlag, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../model/register.js';
import { McFlag, type PhysReg } from '../target/api.js';
import { hasOpcodeFlag, isVALU } from '../target/opcodes.js';
import { OpcodePattern } from '../target/opcodeSets.js';

/** A function on lists, with what is reserved in it. */
export interface EditedFunction {
  readonly editor: FunctionEditor;
  readonly reserved: ReservedRegs;
}

/** @llvm MachineRegisterInfo.h MachineRegisterInfo::isAllocatable */
export const isAllocatable = ({ editor, reserved }: EditedFunction, reg: PhysReg): boolean =>
  editor.fn.tables.isInAllocatableClass(reg) && !reserved.isReserved(reg);

/**
 * A physical register that never changes in this function.
 * @llvm MachineRegisterInfo.cpp MachineRegisterInfo::isConstantPhysReg
 */
export function isConstantReg(use: EditedFunction, reg: PhysReg): boolean {
  const { editor } = use;
  const { tables } = editor.fn;
  if (tables.isConstantPhysReg(reg)) return true;
  const { unitBegin, unitEnd, unitList } = tables;
  const mayChange = (alias: PhysReg): boolean => {
    if (isAllocatable(use, alias)) return true;
    // Definitions come first.
    const first = editor.firstOperand(alias);
    return first >= 0 && editor.isDef(first);
  };
  for (let k = unitBegin[reg]; k < unitEnd[reg]; k++)
    for (const root of tables.regUnitRoots(unitList[k]))
      if (mayChange(root) || tables.superRegs(root).some(mayChange)) return false;
  return true;
}

/** Instructions that read a comparison for active lanes alone. */
const MASKED_BY_THEMSELVES = new OpcodePattern(/^S_AND_SAVEEXEC_B(?:32|64)$/);
const MASKED_BY_EXEC = new OpcodePattern(/^S_AND_B(?:32|64)$/);

function hasScalarResult(fn: MachineFunction, i: InstrId): boolean {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if ((fn.opFlags[o] & OpFlag.Def) === 0 || (fn.opFlags[o] & OpFlag.Implicit) !== 0) continue;
    const reg = fn.opVal[o];
    const rc = isVirtualReg(reg) ? fn.vregs.regClass[virtRegIndex(reg)] : fn.tables.getMinimalPhysRegClass(reg);
    if (rc >= 0 && fn.tables.isSGPRClass(rc)) return true;
  }
  return false;
}

/**
 * Whether the scalar result of vector arithmetic has other bits where other lanes are on, and somebody looks at them.
 * @llvm SIInstrInfo.cpp SIInstrInfo::resultDependsOnExec
 */
export function resultDependsOnExec(editor: FunctionEditor, i: InstrId): boolean {
  const { fn } = editor;
  const { tables } = fn;
  const opcode = fn.opcode[i];
  if (fn.subtarget.release.rules.scalarResultsDependOnExec)
    return hasOpcodeFlag(tables, opcode, McFlag.Convergent) || hasScalarResult(fn, i);
  if (!hasOpcodeFlag(tables, opcode, McFlag.Compare)) return tables.opcodeName(opcode) === 'V_READFIRSTLANE_B32';
  const k = tables.getNamedOperandIdx(opcode, 'sdst');
  if (k < 0 || !isVirtualReg(fn.opVal[fn.opBegin[i] + k])) return true;
  const exec = tables.regByName('exec');
  const readsExec = (user: InstrId): boolean => {
    for (let o = fn.firstReg(user); o >= 0; o = fn.nextReg(user, o))
      if (fn.opVal[o] === exec && !editor.isDef(o)) return true;
    return false;
  };
  return editor.usesOf(fn.opVal[fn.opBegin[i] + k]).some((o) => {
    const user = editor.instrOf(o);
    if (MASKED_BY_THEMSELVES.has(tables, fn.opcode[user])) return false;
    return !MASKED_BY_EXEC.has(tables, fn.opcode[user]) || !readsExec(user);
  });
}

/**
 * Implicit EXEC of vector arithmetic whose result does not depend on it.
 * @llvm SIInstrInfo.cpp SIInstrInfo::isIgnorableUse
 */
export function isIgnorableUse({ editor }: Pick<EditedFunction, 'editor'>, i: InstrId, o: OperandId): boolean {
  const { fn } = editor;
  const { tables } = fn;
  if ((fn.opFlags[o] & OpFlag.Implicit) === 0) return false;
  const name = tables.regName(fn.opVal[o]);
  if (name !== 'exec' && name !== 'exec_lo') return false;
  return isVALU(tables, fn.opcode[i]) && !resultDependsOnExec(editor, i);
}
