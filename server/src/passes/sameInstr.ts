/** Instructions that are the same but for what they define. */
import { operandOf } from '../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { isVirtualReg } from '../model/register.js';
import { sameOperand } from '../model/sameOperand.js';

export const isVirtualDef = (fn: MachineFunction, o: OperandId): boolean =>
  fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) !== 0 && isVirtualReg(fn.opVal[o]);

/**
 * Whether two instructions compute the same.
 * @llvm MachineInstr.cpp MachineInstr::isIdenticalTo
 */
export function computeSame(fn: MachineFunction, a: InstrId, b: InstrId): boolean {
  const n = fn.numOperands(a);
  if (fn.opcode[a] !== fn.opcode[b] || fn.numOperands(b) !== n) return false;
  for (let k = 0; k < n; k++) {
    const [x, y] = [fn.opBegin[a] + k, fn.opBegin[b] + k];
    if (isVirtualDef(fn, x) && isVirtualDef(fn, y)) continue;
    if (!sameOperand(fn, operandOf(fn, x), operandOf(fn, y))) return false;
  }
  const [p, q] = [fn.extras.get(a), fn.extras.get(b)];
  return p?.preInstrSymbol === q?.preInstrSymbol && p?.postInstrSymbol === q?.postInstrSymbol;
}
