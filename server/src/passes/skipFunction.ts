/** Functions that optional passes leave as they are (Pass::skipFunction and OptNoneInstrumentation, LLVM 22): `optnone`. */
import type { MachineFunction } from '../model/machineFunction.js';

export const isSkipped = (fn: MachineFunction): boolean => fn.header.irFunction.enumAttributes.has('optnone');
