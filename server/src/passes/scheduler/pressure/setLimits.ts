/** Limits of the pressure sets of a function (RegisterClassInfo::computePSetLimit and SIRegisterInfo::getRegPressureLimit, LLVM 22). */
import { computeFunctionLimits, type FunctionLimits } from '../../../analysis/functionLimits.js';
import type { MachineFunction } from '../../../model/machineFunction.js';
import type { RegClassId } from '../../../target/api.js';
import { SREG_32_SET } from '../strategy/candidate.js';

export const N_PRESSURE_SETS = 3;

/** What the limits follow from. */
export interface LimitSource {
  readonly fn: MachineFunction;
  readonly limits: FunctionLimits;
  /** @llvm RegisterClassInfo.h RegisterClassInfo::getNumAllocatableRegs */
  numAllocatableRegs(regClass: RegClassId): number;
}

/**
 * What the target says of a set, with what is reserved.
 * @llvm SIRegisterInfo.cpp SIRegisterInfo::getRegPressureSetLimit
 */
function targetSetLimit({ subtarget: st }: MachineFunction, limits: FunctionLimits, set: number): number {
  const fewestWaves = limits.occupancyRange[0];
  return set === SREG_32_SET
    ? Math.min(st.maxNumSGPRs(fewestWaves, true), limits.maxNumSGPRs)
    : Math.min(st.maxNumVGPRs(fewestWaves, limits.dynamicVGPRBlockSize), limits.maxNumVGPRs);
}

/**
 * By set, in 32-bit registers; unsigned, so that a limit below zero is a huge one. O(register classes).
 * @llvm RegisterClassInfo.cpp RegisterClassInfo::computePSetLimit
 */
export function pressureSetLimits(source: LimitSource): Uint32Array {
  const { limits, fn } = source;
  const { tables } = fn;
  const out = new Uint32Array(N_PRESSURE_SETS);
  for (let set = 0; set < N_PRESSURE_SETS; set++) {
    const raw = targetSetLimit(fn, limits, set);
    // what is reserved is counted in the class that fills most of the set
    let largest = -1;
    for (let rc = 0; rc < tables.nRegClasses; rc++) {
      if (!tables.regClassPressureSets(rc).includes(set)) continue;
      if (largest < 0 || tables.regClassWeightLimit(rc) > tables.regClassWeightLimit(largest)) largest = rc;
    }
    const nAllocatable = source.numAllocatableRegs(largest);
    const nReserved = tables.classRegs(largest).length - nAllocatable;
    out[set] = nAllocatable === 0 ? raw : raw - tables.regClassWeight[largest] * nReserved;
  }
  return out;
}

/** By set, with what is reserved. */
export function targetSetLimits(fn: MachineFunction): Int32Array {
  const limits = computeFunctionLimits(fn);
  return Int32Array.from({ length: N_PRESSURE_SETS }, (_, set) => targetSetLimit(fn, limits, set));
}
