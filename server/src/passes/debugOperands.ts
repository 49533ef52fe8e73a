/** Operands of a debug value that say where its variable is. */
import type { FunctionEditor } from '../model/edit/functionEditor.js';
import { OperandKind, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { NO_REG, type Reg } from '../model/register.js';

export const isDebugList = (fn: MachineFunction, value: InstrId): boolean =>
  fn.tables.opcodeName(fn.opcode[value]) === 'DBG_VALUE_LIST';

/** Those that are the register, NO_REG: any. */
export function debugOperands(fn: MachineFunction, value: InstrId, reg: Reg): OperandId[] {
  const begin = fn.opBegin[value];
  const [from, to] = isDebugList(fn, value) ? [begin + 2, fn.opBegin[value + 1]] : [begin, begin + 1];
  const found: OperandId[] = [];
  for (let o = from; o < to; o++)
    if (fn.opKind[o] === OperandKind.Register && (reg === NO_REG || fn.opVal[o] === reg)) found.push(o);
  return found;
}

/** They name what another operand names. */
export function renameOperands(editor: FunctionEditor, operands: readonly OperandId[], source: OperandId): void {
  const { fn } = editor;
  for (const o of operands) {
    editor.setReg(o, fn.opVal[source]);
    fn.opSub[o] = fn.opSub[source];
  }
}

/**
 * Nothing is known of the variable from here on.
 * @llvm MachineInstr.h MachineInstr::setDebugValueUndef
 */
export function loseDebugValue(editor: FunctionEditor, value: InstrId): void {
  for (const o of debugOperands(editor.fn, value, NO_REG)) {
    editor.setReg(o, NO_REG);
    editor.fn.opSub[o] = 0;
  }
}
