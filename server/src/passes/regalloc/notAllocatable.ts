/** Functions that are not yet, or no longer, as llc's allocator takes them. */
import { OpFlag, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg } from '../../model/register.js';

/** Does the instruction have a tied operand in another virtual register than the definition that it goes with? */
export function differingTiedOperands(fn: MachineFunction, i: InstrId): boolean {
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (!isVirtualReg(fn.opVal[o]) || (fn.opFlags[o] & OpFlag.Def) !== 0 || fn.opTied[o] < 0) continue;
    const tied = fn.opBegin[i] + fn.opTied[o];
    if (fn.opVal[tied] !== fn.opVal[o] && isVirtualReg(fn.opVal[tied])) return true;
  }
  return false;
}

/** Why llc could not begin to allocate: the function is still as it is before PHI elimination and two-address lowering. Null when it could. */
export function whyNotAllocatable(fn: MachineFunction): string | null {
  const { tables, vregs } = fn;
  const phi = tables.opcodeByName('PHI');
  for (let b = 0; b < fn.blocks.length; b++) {
    for (let p = fn.blockBegin[b]; p < fn.blockEnd[b]; p++) {
      const i = fn.order[p];
      if (fn.opcode[i] === phi) return 'it has PHIs, which go before registers are allocated';
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isVirtualReg(fn.opVal[o])) continue;
        if (vregs.regClass[~fn.opVal[o]] < 0) return 'it has generic registers, which have no class yet';
      }
      if (differingTiedOperands(fn, i))
        return 'its tied operands are different registers, as before two-address lowering';
    }
  }
  return null;
}
