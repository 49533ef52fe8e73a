/** What registers a function gets, in words: the same in lenses, hovers, reports and on the command line. */
import { computeFunctionLimits } from '../../model/functionLimits.js';
import type { AllocatedFunction } from '../../passes/regalloc/trace/collector.js';
import { filesText, occupancyText, type ExpectedOccupancy } from '../words/allocatedUseText.js';
import { plural } from '../words/numbers.js';

/** Registers of the source that are in memory for a part of their life. */
export const spilledRegisters = ({ parts }: AllocatedFunction): number =>
  new Set(parts.filter((p) => p.reg === 0).map((p) => p.vreg)).size;

/** `2 spilled (6 saves, 9 reloads)`, `no spills` */
function spillText(allocated: AllocatedFunction): string {
  const { counts } = allocated;
  const spilled = spilledRegisters(allocated);
  if (spilled === 0)
    return counts.rematerialized > 0 ? `no spills, ${counts.rematerialized} rematerialized` : 'no spills';
  const moves = [plural(counts.saves, 'save'), plural(counts.reloads, 'reload')];
  if (counts.rematerialized > 0) moves.push(`${counts.rematerialized} rematerialized`);
  return `${spilled} spilled (${moves.join(', ')})`;
}

/** `allocated: VGPR 52 (52 of 64), SGPR 30, no spills: occupancy 8, the scheduler expected 9` */
export function allocatedText(allocated: AllocatedFunction, expected: ExpectedOccupancy | null): string {
  const { fn, use, errors } = allocated;
  if (errors.length > 0) return `not allocated: ${errors[0]}`;
  return `allocated: ${filesText(computeFunctionLimits(fn), use)}, ${spillText(allocated)}: ${occupancyText(use, expected)}`;
}
