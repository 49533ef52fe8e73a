/** What lives across the calls of a function in physical registers, kept by function, and its words. */
import {
  callCrossings,
  hasAllUnits,
  lostValues,
  type CallCrossing,
  type LostValue,
} from '../../analysis/callClobbers.js';
import { OperandKind, type MachineFunction, type OperandId } from '../../model/machineFunction.js';
import type { BitSet } from '../../util/bitset.js';
import { MemoryKey } from '../snapshot/memory.js';
import type { FunctionView } from '../snapshot/snapshot.js';

export interface Calls {
  readonly crossings: readonly CallCrossing[];
  readonly lost: readonly LostValue[];
}

const CALLS = new MemoryKey<Calls>('calls');

/** Nothing for functions without calls; for the cost of others see callClobbers.ts. */
export const callsOf = ({ memory }: FunctionView, fn: MachineFunction): Calls =>
  memory.of(CALLS, () => {
    const crossings = fn.tables.isAMDGCN ? callCrossings(fn) : [];
    return { crossings, lost: lostValues(fn, crossings) };
  });

/** `csr_amdgpu`, `its CustomRegMask` */
export function maskText(fn: MachineFunction, o: OperandId): string {
  const { mask } = fn.payload(o, OperandKind.RegisterMask);
  return mask < 0 ? 'its CustomRegMask' : fn.tables.regMaskName(mask);
}

const FILES = ['vgpr', 'agpr', 'sgpr'] as const;
const OTHERS = ['vcc_lo', 'vcc_hi', 'scc', 'm0'] as const;
/** Runs of registers that are named. */
const MAX_RUNS = 8;

/** `$vgpr40-$vgpr47, $sgpr34, $vcc_lo`: the 32-bit registers of which all units are in the set, after 8 runs their number; empty without any. */
export function registersText({ tables }: MachineFunction, units: BitSet): string {
  const runs: string[] = [];
  let left = 0;
  const put = (names: readonly string[]): void => {
    if (runs.length === MAX_RUNS) left += names.length;
    else if (names.length > 0) runs.push(names.length === 1 ? names[0]! : `${names[0]!}-${names.at(-1)!}`);
  };
  for (const file of FILES) {
    let run: string[] = [];
    for (const reg of tables.numberedRegs(file)) {
      if (hasAllUnits(tables, units, reg)) {
        run.push(`$${tables.regName(reg)}`);
        continue;
      }
      put(run);
      run = [];
    }
    put(run);
  }
  for (const name of OTHERS) {
    const reg = tables.regByName(name);
    if (reg > 0 && hasAllUnits(tables, units, reg)) put([`$${name}`]);
  }
  return left > 0 ? `${runs.join(', ')} and ${left} more` : runs.join(', ');
}
