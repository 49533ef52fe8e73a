/** Registers that a run allocates. */
import type { MachineFunction } from '../../model/machineFunction.js';
import type { VRegId } from '../../model/register.js';

export type RunFilter = 'sgpr' | 'wwm' | 'vgpr' | 'all';

/** Whether a virtual register holds values of lanes that are switched off, too. */
export const isWWM = ({ vregs }: MachineFunction, v: VRegId): boolean => vregs.flags[v]?.includes('WWM_REG') === true;

/** Whether a run gives a virtual register its place. Generic ones get none. */
export function isInRun(fn: MachineFunction, filter: RunFilter, v: VRegId): boolean {
  const rc = fn.vregs.regClass[v];
  if (rc < 0) return false;
  if (filter === 'all') return true;
  const isSGPR = fn.tables.isSGPRClass(rc);
  if (filter === 'sgpr') return isSGPR;
  return !isSGPR && (filter === 'vgpr' || isWWM(fn, v));
}
