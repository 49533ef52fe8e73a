/** Registers of a mask as machine dumps list them. */
import type { PhysReg, TargetTables } from '../../target/index.js';

/** One more than print-regmask-num-regs says. */
const MAX_LISTED_MASK_REGS = 33;

/**
 * `<regmask $sgpr4 $sgpr5 and 512 more...>`. O(registers)
 * @llvm MachineOperand.cpp MachineOperand::print
 */
export function regMaskText(
  tables: TargetTables,
  preserved: Uint32Array,
  nameOf: (reg: PhysReg) => string = (reg) => `$${tables.regName(reg)}`,
): string {
  const listed: string[] = [];
  let count = 0;
  for (let r = 1; r < tables.nRegs; r++)
    if (preserved[r >>> 5]! & (1 << (r & 31)) && count++ < MAX_LISTED_MASK_REGS) listed.push(` ${nameOf(r)}`);
  const more = count - listed.length;
  return `<regmask${listed.join('')}${more > 0 ? ` and ${more} more...` : ''}>`;
}
