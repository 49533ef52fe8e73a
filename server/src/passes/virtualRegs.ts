/** Virtual registers in passes that run after allocation. */
import type { MachineFunction } from '../model/machineFunction.js';
import { isVirtualReg } from '../model/register.js';
import { NotModelled } from './machinePass.js';

/** Throws NotModelled where an instruction of a finished function names one; those that were erased stay behind in the columns. O(operands) */
export function refuseVirtualRegs(fn: MachineFunction): void {
  for (const i of fn.layout())
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (isVirtualReg(fn.opVal[o])) throw new NotModelled('virtual registers');
}
