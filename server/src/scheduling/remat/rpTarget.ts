/**
 * A register budget and the pressure that is being brought below it.
 *
 * Follows GCNRPTarget (LLVM 22.1.8) as spec remat.md 0.1 and occupancy.md 7 describe it.
 */
import {
  incPressure,
  numAGPRs,
  numArchVGPRs,
  numSGPRs,
  numVGPRs,
  type Pressure,
  type VRegPressureFacts,
} from '../../analysis/gcnPressure.js';
import { RegKind, type Subtarget } from '../../target/api.js';

/** Registers that may be used. */
export interface RPBudget {
  readonly maxSGPRs: number;
  readonly maxVGPRs: number;
  /** 0 without a unified register file */
  readonly maxUnified: number;
}

export function makeBudget(st: Subtarget, dynamicVGPRBlockSize: number, nSGPRs: number, nVGPRs: number): RPBudget {
  return {
    maxSGPRs: Math.min(st.addressableNumSGPRs, nSGPRs),
    maxVGPRs: Math.min(st.addressableNumArchVGPRs, nVGPRs),
    maxUnified: st.hasGFX90AInsts ? Math.min(st.addressableNumVGPRs(dynamicVGPRBlockSize), nVGPRs) : 0,
  };
}

/** The budget of `wavesPerEU` waves. */
export function budgetForOccupancy(st: Subtarget, dyn: number, wavesPerEU: number): RPBudget {
  return makeBudget(st, dyn, st.maxNumSGPRs(wavesPerEU, false), st.maxNumVGPRs(wavesPerEU, dyn));
}

export class RPTarget {
  readonly pressure: Pressure;

  constructor(
    private readonly budget: RPBudget,
    pressure: Pressure,
  ) {
    this.pressure = pressure.slice();
  }

  get isSatisfied(): boolean {
    const p = this.pressure;
    const { budget } = this;
    if (numSGPRs(p) > budget.maxSGPRs || numVGPRs(p, false) > budget.maxVGPRs) return false;
    return budget.maxUnified === 0 || numVGPRs(p, true) <= budget.maxUnified;
  }

  /** Whether fewer registers of this kind would help. */
  isSaveBeneficial(kind: RegKind): boolean {
    const p = this.pressure;
    const { budget } = this;
    if (kind === RegKind.SGPR) return numSGPRs(p) > budget.maxSGPRs;
    const own = kind === RegKind.AGPR ? numAGPRs(p) : numArchVGPRs(p);
    return own > budget.maxVGPRs || (budget.maxUnified !== 0 && numVGPRs(p, true) > budget.maxUnified);
  }

  saveReg(facts: VRegPressureFacts, vreg: number, lo: number, hi: number): void {
    incPressure(this.pressure, facts, vreg, lo, hi, 0, 0);
  }
}
