/** Virtual registers in passes that run after allocation. */
import { OperandKind, type MachineFunction } from '../model/machineFunction.js';
import { isVirtualReg } from '../model/register.js';
import { NotModelled } from './machinePass.js';

/** Throws NotModelled where an operand is one. O(operands) */
export function refuseVirtualRegs(fn: MachineFunction): void {
  for (let o = 0; o < fn.nOperands; o++)
    if (fn.opKind[o] === OperandKind.Register && isVirtualReg(fn.opVal[o])) throw new NotModelled('virtual registers');
}
