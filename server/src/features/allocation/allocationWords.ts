/** What registers a function gets, in words: the same in lenses, hovers, reports and on the command line. */
import type { AllocatedUse } from '../../analysis/allocatedUse.js';
import { computeFunctionLimits } from '../../model/functionLimits.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import { plural } from '../pressure/pressureText.js';

/** `2 spilled (6 saves, 9 reloads)`, `no spills` */
function spillText({ parts, counts }: AllocatedFunction): string {
  const spilled = new Set(parts.filter((p) => p.reg === 0).map((p) => p.vreg)).size;
  if (spilled === 0)
    return counts.rematerialized > 0 ? `no spills, ${counts.rematerialized} rematerialized` : 'no spills';
  const moves = [plural(counts.saves, 'save'), plural(counts.reloads, 'reload')];
  if (counts.rematerialized > 0) moves.push(`${counts.rematerialized} rematerialized`);
  return `${spilled} spilled (${moves.join(', ')})`;
}

/** `VGPR 52 (52 of 64), SGPR 30`: the highest register of each file plus one, and most that the waves allow. */
function filesText(fn: MachineFunction, use: AllocatedUse): string {
  const limits = computeFunctionLimits(fn);
  const { subtarget } = limits;
  const most = subtarget.maxNumVGPRs(Math.max(1, use.occupancy), limits.dynamicVGPRBlockSize);
  const files: string[] = [];
  if (use.agpr > 0) files.push(`VGPR ${use.vgpr}, AGPR ${use.agpr} (${use.totalVGPR} of ${most})`);
  else if (use.vgpr > 0) files.push(`VGPR ${use.vgpr} (${use.totalVGPR} of ${most})`);
  if (use.sgpr > 0) files.push(`SGPR ${use.sgpr}`);
  return files.join(', ') || 'no registers';
}

/** What the schedule or the pressure promised. */
export interface ExpectedOccupancy {
  readonly waves: number;
  readonly by: 'scheduler' | 'pressure';
}

/** `occupancy 8, the scheduler expected 9` */
function occupancyText(use: AllocatedUse, expected: ExpectedOccupancy | null): string {
  const own = `occupancy ${use.occupancy}`;
  if (expected === null || expected.waves === use.occupancy) return own;
  return expected.by === 'scheduler'
    ? `${own}, the scheduler expected ${expected.waves}`
    : `${own}, its pressure would allow ${expected.waves}`;
}

/** `allocated: VGPR 52 (52 of 64), SGPR 30, no spills: occupancy 8, the scheduler expected 9` */
export function allocatedText(allocated: AllocatedFunction, expected: ExpectedOccupancy | null): string {
  const { fn, use, errors } = allocated;
  if (errors.length > 0) return `not allocated: ${errors[0]}`;
  return `allocated: ${filesText(fn, use)}, ${spillText(allocated)}: ${occupancyText(use, expected)}`;
}
