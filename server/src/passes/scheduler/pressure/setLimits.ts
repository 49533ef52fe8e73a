/** Limits of the pressure sets of a function (RegisterClassInfo::computePSetLimit and SIRegisterInfo::getRegPressureLimit, LLVM 22). */
import type { SchedContext } from '../context.js';
import { SREG_32_SET } from '../strategy/candidate.js';

const N_SETS = 3;

/** By set, in 32-bit registers; unsigned, so that a limit below zero is a huge one. O(register classes). */
export function pressureSetLimits(ctx: SchedContext): Uint32Array {
  const { limits, fn } = ctx;
  const { tables, subtarget: st } = fn;
  const fewestWaves = limits.occupancyRange[0];
  const sgprs = Math.min(st.maxNumSGPRs(fewestWaves, true), limits.maxNumSGPRs);
  const vgprs = Math.min(st.maxNumVGPRs(fewestWaves, limits.dynamicVGPRBlockSize), limits.maxNumVGPRs);
  const out = new Uint32Array(N_SETS);
  for (let set = 0; set < N_SETS; set++) {
    const raw = set === SREG_32_SET ? sgprs : vgprs;
    // what is reserved is counted in the class that fills most of the set
    let largest = -1;
    for (let rc = 0; rc < tables.nRegClasses; rc++) {
      if (!tables.regClassPressureSets(rc).includes(set)) continue;
      if (largest < 0 || tables.regClassWeightLimit(rc) > tables.regClassWeightLimit(largest)) largest = rc;
    }
    const nAllocatable = ctx.numAllocatableRegs(largest);
    const nReserved = tables.classRegs(largest).length - nAllocatable;
    out[set] = nAllocatable === 0 ? raw : raw - tables.regClassWeight[largest] * nReserved;
  }
  return out;
}
