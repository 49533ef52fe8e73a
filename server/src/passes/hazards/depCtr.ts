/** The counters of S_WAITCNT_DEPCTR as fields of its immediate (AMDGPU::DepCtr, LLVM 22). */
import { Generation, type Subtarget } from '../../target/api.js';

/** shift and bits */
const FIELDS = {
  saSdst: [0, 1],
  vaVcc: [1, 1],
  vmVsrc: [2, 3],
  holdCnt: [7, 1],
  vaSsrc: [8, 1],
  vaSdst: [9, 3],
  vaVdst: [12, 4],
} as const;

type DepCtrField = keyof typeof FIELDS;

const maskOf = ([shift, bits]: readonly [number, number]): number => ((1 << bits) - 1) << shift;

export class DepCtr {
  /** nothing is waited for */
  private readonly none: number;

  constructor(st: Subtarget) {
    const hasHoldCnt = st.generation >= Generation.GFX11;
    this.none = Object.entries(FIELDS).reduce(
      (sum, [name, field]) => (name === 'holdCnt' && !hasHoldCnt ? sum : sum | maskOf(field)),
      0,
    );
  }

  /** The immediate that waits until one counter is zero. */
  zero(field: DepCtrField): number {
    return this.none & ~maskOf(FIELDS[field]);
  }

  zeroBoth(a: DepCtrField, b: DepCtrField): number {
    return this.zero(a) & this.zero(b);
  }

  /** Nothing but writes of SGPRs and VCC is waited for. */
  waitsForMasksOnly(immediate: number): boolean {
    const others = this.none & ~(maskOf(FIELDS.saSdst) | maskOf(FIELDS.vaVcc) | maskOf(FIELDS.vaSdst));
    return (immediate & others) === others;
  }

  isZero(field: DepCtrField, immediate: number): boolean {
    return (immediate & maskOf(FIELDS[field])) === 0;
  }
}
