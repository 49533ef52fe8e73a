/**
 * A register budget and the pressure that is being brought below it.
 *
 * Follows GCNRPTarget (LLVM 22.1.8 and main) as docs/llvm/remat.md, 0.1 and docs/llvm/occupancy.md, 7 describe it.
 */
import {
  incPressure,
  numAGPRs,
  numArchVGPRs,
  numSGPRs,
  numVGPRs,
  type Pressure,
  type VRegPressureFacts,
} from '../../../analysis/gcnPressure.js';
import { RegKind, type Subtarget } from '../../../target/api.js';
import type { VRegId } from '../../../model/register.js';

/** Registers that may be used. */
export interface RPBudget {
  readonly maxSGPRs: number;
  readonly maxVGPRs: number;
  /** 0 without a unified register file */
  readonly maxUnified: number;
}

/** @llvm GCNRegPressure.cpp GCNRPTarget::setTarget */
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

/** @llvm GCNRegPressure.cpp GCNRPTarget */
export class GCNRPTarget {
  /** changes as registers are saved */
  readonly pressure: Pressure;

  constructor(
    protected readonly budget: RPBudget,
    pressure: Pressure,
  ) {
    this.pressure = pressure.slice();
  }

  /** @llvm GCNRegPressure.h GCNRPTarget::setRP */
  setPressure(p: Pressure): void {
    this.pressure.set(p);
  }

  /** @llvm GCNRegPressure.cpp GCNRPTarget::satisfied */
  get isSatisfied(): boolean {
    const p = this.pressure;
    const { budget } = this;
    if (numSGPRs(p) > budget.maxSGPRs || numVGPRs(p, false) > budget.maxVGPRs) return false;
    return budget.maxUnified === 0 || numVGPRs(p, true) <= budget.maxUnified;
  }

  /**
   * Whether fewer registers of this kind would help.
   * @llvm GCNRegPressure.cpp GCNRPTarget::isSaveBeneficial
   */
  isSaveBeneficial(kind: RegKind): boolean {
    const p = this.pressure;
    const { budget } = this;
    if (kind === RegKind.SGPR) return numSGPRs(p) > budget.maxSGPRs;
    const own = kind === RegKind.AGPR ? numAGPRs(p) : numArchVGPRs(p);
    return own > budget.maxVGPRs || (budget.maxUnified !== 0 && numVGPRs(p, true) > budget.maxUnified);
  }

  /** @llvm GCNRegPressure.h GCNRPTarget::saveReg */
  saveReg(facts: VRegPressureFacts, vreg: VRegId, lo: number, hi: number): void {
    incPressure(this.pressure, facts, vreg, lo, hi, 0, 0);
  }
}

/**
 * The same on LLVM main: what counts as helpful follows the excess, in which every wave of SGPRs above the budget costs a VGPR to
 * spill them to.
 */
export class MainRPTarget extends GCNRPTarget {
  constructor(
    private readonly st: Subtarget,
    budget: RPBudget,
    pressure: Pressure,
  ) {
    super(budget, pressure);
  }

  private get excess(): { sgpr: number; vector: number; arch: number; agpr: number } {
    const { st, budget, pressure: p } = this;
    const sgpr = Math.max(0, numSGPRs(p) - budget.maxSGPRs);
    const spill = Math.ceil(sgpr / st.wavefrontSize);
    const isUnified = budget.maxUnified !== 0;
    const limit = isUnified ? st.addressableNumArchVGPRs : budget.maxVGPRs;
    return {
      sgpr,
      vector: Math.max(0, numVGPRs(p, isUnified) + spill - (isUnified ? budget.maxUnified : budget.maxVGPRs)),
      arch: Math.max(0, numArchVGPRs(p) + spill - limit),
      agpr: Math.max(0, numAGPRs(p) - limit),
    };
  }

  get hasVectorRegisterExcess(): boolean {
    const x = this.excess;
    return x.vector > 0 || x.arch > 0 || x.agpr > 0;
  }

  override isSaveBeneficial(kind: RegKind): boolean {
    const x = this.excess;
    if (kind === RegKind.SGPR) return x.sgpr > 0;
    if (this.budget.maxUnified !== 0 && x.vector > 0) return true;
    return kind === RegKind.AGPR ? x.agpr > 0 : x.arch > 0;
  }

  /** How many of `n` registers of a kind would lower an excess; of a unified file a register counts against both its limits. */
  numRegsBenefit(kind: RegKind, n: number): number {
    const x = this.excess;
    if (kind === RegKind.SGPR) return Math.min(x.sgpr, n);
    const aboveOwn = Math.min(kind === RegKind.AGPR ? x.agpr : x.arch, n);
    if (this.budget.maxUnified === 0 || x.vector === 0) return aboveOwn;
    return aboveOwn + Math.min(x.vector, n - aboveOwn);
  }
}
