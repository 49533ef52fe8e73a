/** Immediates of S_WAITCNT_DEPCTR as hazards ask for them (AMDGPU::DepCtr, LLVM 22). */
import { DEPCTR, maskOf, valueOf, type DepCtrField } from '../../model/waitFields.js';
import { Generation, type Subtarget } from '../../target/api.js';

export class DepCtr {
  /** The immediate that waits for nothing. */
  readonly nothing: number;

  constructor(st: Subtarget) {
    const hasHoldCnt = st.generation >= Generation.GFX11;
    this.nothing = Object.entries(DEPCTR).reduce(
      (sum, [name, field]) => (name === 'holdCnt' && !hasHoldCnt ? sum : sum | maskOf(field)),
      0,
    );
  }

  /** The immediate that waits until one counter is zero. */
  zero(field: DepCtrField): number {
    return this.nothing & ~maskOf(DEPCTR[field]);
  }

  zeroBoth(a: DepCtrField, b: DepCtrField): number {
    return this.zero(a) & this.zero(b);
  }

  /** Nothing but writes of SGPRs and VCC is waited for. */
  waitsForMasksOnly(immediate: number): boolean {
    const others = this.nothing & ~(maskOf(DEPCTR.saSdst) | maskOf(DEPCTR.vaVcc) | maskOf(DEPCTR.vaSdst));
    return (immediate & others) === others;
  }

  /** The immediate that waits for what either of two waits for. */
  both(a: number, b: number): number {
    let merged = 0;
    for (const field of Object.values(DEPCTR)) {
      const mask = maskOf(field) & this.nothing;
      merged |= Math.min(a & mask, b & mask);
    }
    return merged;
  }

  isZero(field: DepCtrField, immediate: number): boolean {
    return valueOf(DEPCTR[field], immediate) === 0;
  }
}
