/** Registers as operands name them. */
import type { Id } from '../util/id.js';

/** Register operand value: 0 = none, > 0 = physical (target number), < 0 = virtual (`~index`). */
export type Reg = Id<'reg'>;

/** Index of a virtual register in LLVM's numbering. */
export type VRegId = Id<'vreg'>;

export const NO_REG: Reg = 0;

export const isVirtualReg = (r: Reg): boolean => r < 0;

export const isPhysicalReg = (r: Reg): boolean => r > 0;

export const virtRegIndex = (r: Reg): VRegId => ~r;

export const virtReg = (index: VRegId): Reg => ~index;
