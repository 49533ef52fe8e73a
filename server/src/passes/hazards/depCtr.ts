/** Immediates of S_WAITCNT_DEPCTR as hazards ask for them (AMDGPU::DepCtr, LLVM 22). */
import { DEPCTR, maskOf, valueOf, type DepCtrField } from '../../model/waitFields.js';
import { Generation, type Subtarget } from '../../target/api.js';

export class DepCtr {
  /** nothing is waited for */
  private readonly none: number;

  constructor(st: Subtarget) {
    const hasHoldCnt = st.generation >= Generation.GFX11;
    this.none = Object.entries(DEPCTR).reduce(
      (sum, [name, field]) => (name === 'holdCnt' && !hasHoldCnt ? sum : sum | maskOf(field)),
      0,
    );
  }

  /** The immediate that waits until one counter is zero. */
  zero(field: DepCtrField): number {
    return this.none & ~maskOf(DEPCTR[field]);
  }

  zeroBoth(a: DepCtrField, b: DepCtrField): number {
    return this.zero(a) & this.zero(b);
  }

  /** Nothing but writes of SGPRs and VCC is waited for. */
  waitsForMasksOnly(immediate: number): boolean {
    const others = this.none & ~(maskOf(DEPCTR.saSdst) | maskOf(DEPCTR.vaVcc) | maskOf(DEPCTR.vaSdst));
    return (immediate & others) === others;
  }

  isZero(field: DepCtrField, immediate: number): boolean {
    return valueOf(DEPCTR[field], immediate) === 0;
  }
}
