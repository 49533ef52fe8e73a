/** What an allocated function uses, in words. */
import type { AllocatedUse } from '../../analysis/allocatedUse.js';
import type { FunctionLimits } from '../../analysis/functionLimits.js';

/** `VGPR 52 (52 of 64), SGPR 30`: the highest register of each file plus one, and most that the waves allow. */
export function filesText(limits: FunctionLimits, use: AllocatedUse): string {
  const { subtarget } = limits;
  const most = subtarget.maxNumVGPRs(Math.max(1, use.occupancy), limits.dynamicVGPRBlockSize);
  const files: string[] = [];
  if (use.agpr > 0) files.push(`VGPR ${use.framedVGPR}, AGPR ${use.agpr} (${use.totalVGPR} of ${most})`);
  else if (use.vgpr > 0) files.push(`VGPR ${use.framedVGPR} (${use.totalVGPR} of ${most})`);
  if (use.framedSGPR > 0) files.push(`SGPR ${use.framedSGPR}`);
  return files.join(', ') || 'no registers';
}

/** What the schedule that was made here, the header of the function or the pressure promised. */
export interface ExpectedOccupancy {
  readonly waves: number;
  readonly by: 'scheduler' | 'header' | 'pressure';
}

const PROMISES: Readonly<Record<ExpectedOccupancy['by'], string>> = {
  scheduler: 'the scheduler expected',
  header: 'machineFunctionInfo says',
  pressure: 'its pressure would allow',
};

/** `occupancy 8, the scheduler expected 9` */
export function occupancyText(use: AllocatedUse, expected: ExpectedOccupancy | null): string {
  const own = `occupancy ${use.occupancy}`;
  if (expected === null || expected.waves === use.occupancy) return own;
  return `${own}, ${PROMISES[expected.by]} ${expected.waves}`;
}

/** `VGPR 52 (52 of 64), SGPR 30, scratch 16 bytes: occupancy 4`, for a function that is allocated already. */
export function useText(limits: FunctionLimits, use: AllocatedUse): string {
  const least = use.isScratchOpen ? 'at least ' : '';
  const scratch = use.scratchBytes > 0 ? `, scratch ${least}${use.scratchBytes} bytes` : '';
  return `${filesText(limits, use)}${scratch}: ${occupancyText(use, null)}`;
}
