/** Registers live into a function that llc reads from a text: for the passes that follow it computes live intervals, which takes kill flags off all their uses. */
import type { MachineFunction } from '../../model/machineFunction.js';
import type { PhysReg } from '../../target/api.js';
import { BitSet } from '../../util/bitset.js';

/** @llvm LiveIntervals.cpp LiveIntervals::computeLiveInRegUnits */
export function entryUnits({ blocks, tables }: MachineFunction): BitSet {
  const { unitBegin, unitEnd, unitList, nRegUnits } = tables;
  const units = new BitSet(nRegUnits);
  for (const { reg } of blocks[0]?.liveIns ?? [])
    for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) units.add(unitList[u]);
  return units;
}

/** `units`: null = none. */
export function hasUnitOf({ tables }: MachineFunction, units: BitSet | null, reg: PhysReg): boolean {
  if (units === null) return false;
  const { unitBegin, unitEnd, unitList } = tables;
  for (let u = unitBegin[reg]; u < unitEnd[reg]; u++) if (units.has(unitList[u])) return true;
  return false;
}
