/** Registers that are reserved as MachineRegisterInfo has them: frozen before allocation, and those that frame lowering takes besides. */
import { ReservedRegs } from '../analysis/reservedRegs.js';
import type { AnalysedFunction } from './passContext.js';
import { Analysis } from './passContext.js';

const FROZEN: Analysis<ReservedRegs> = new Analysis('frozen reserved registers', ({ fn }) => new ReservedRegs(fn), {
  isOfFunction: true,
});

/** A text says the same with its information of the function: they are kept where that says more or less. */
export const keepReserved = (of: AnalysedFunction, reserved: ReservedRegs): void => {
  of.provide(FROZEN, reserved);
};

/** @llvm MachineRegisterInfo.h MachineRegisterInfo::getReservedRegs */
export const reservedOf = (of: AnalysedFunction): ReservedRegs => of.known(FROZEN) ?? new ReservedRegs(of.fn);
