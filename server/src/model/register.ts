/** Registers as operands name them. */

/** Register operand value: 0 = none, > 0 = physical (target number), < 0 = virtual (`~index`). */
export type Reg = number;

export const NO_REG: Reg = 0;

export const isVirtualReg = (r: Reg): boolean => r < 0;

export const isPhysicalReg = (r: Reg): boolean => r > 0;

export const virtRegIndex = (r: Reg): number => ~r;

export const virtReg = (index: number): Reg => ~index;
