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

export class RPTarget {
  readonly maxSGPRs: number;
  readonly maxVGPRs: number;
  /** 0 without a unified register file */
  readonly maxUnified: number;
  readonly pressure: Pressure;

  constructor(st: Subtarget, dynamicVGPRBlockSize: number, nSGPRs: number, nVGPRs: number, pressure: Pressure) {
    this.maxSGPRs = Math.min(st.addressableNumSGPRs, nSGPRs);
    this.maxVGPRs = Math.min(st.addressableNumArchVGPRs, nVGPRs);
    this.maxUnified = st.hasGFX90AInsts ? Math.min(st.addressableNumVGPRs(dynamicVGPRBlockSize), nVGPRs) : 0;
    this.pressure = pressure.slice();
  }

  /** The budget of `wavesPerEU` waves. */
  static forOccupancy(st: Subtarget, dyn: number, wavesPerEU: number, pressure: Pressure): RPTarget {
    return new RPTarget(st, dyn, st.maxNumSGPRs(wavesPerEU, false), st.maxNumVGPRs(wavesPerEU, dyn), pressure);
  }

  get isSatisfied(): boolean {
    const p = this.pressure;
    if (numSGPRs(p) > this.maxSGPRs || numVGPRs(p, false) > this.maxVGPRs) return false;
    return this.maxUnified === 0 || numVGPRs(p, true) <= this.maxUnified;
  }

  /** Whether fewer registers of this kind would help. */
  isSaveBeneficial(kind: RegKind): boolean {
    const p = this.pressure;
    if (kind === RegKind.SGPR) return numSGPRs(p) > this.maxSGPRs;
    const own = kind === RegKind.AGPR ? numAGPRs(p) : numArchVGPRs(p);
    return own > this.maxVGPRs || (this.maxUnified !== 0 && numVGPRs(p, true) > this.maxUnified);
  }

  saveReg(facts: VRegPressureFacts, vreg: number, lo: number, hi: number): void {
    incPressure(this.pressure, facts, vreg, lo, hi, 0, 0);
  }
}
