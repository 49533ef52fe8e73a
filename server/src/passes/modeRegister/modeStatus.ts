/** Which bits of the mode register are known, and what they are. */

/** Bits of the rounding mode of 64 and 16-bit floats. */
const DP_SHIFT = 2;
const DP_MASK = 3 << DP_SHIFT;
const ROUND_TO_ZERO = 3;

/** @llvm SIModeRegister.cpp Status */
export class ModeStatus {
  readonly mode: number;

  constructor(
    readonly mask: number,
    mode: number,
  ) {
    this.mode = mode & mask;
  }

  equals(other: ModeStatus): boolean {
    return this.mask === other.mask && this.mode === other.mode;
  }

  /** With what another one sets. */
  merge({ mask, mode }: ModeStatus): ModeStatus {
    return new ModeStatus(this.mask | mask, (this.mode & ~mask) | mode);
  }

  without(mask: number): ModeStatus {
    return new ModeStatus(this.mask & ~mask, this.mode);
  }

  /** Bits that both know, and agree on. */
  intersect({ mask, mode }: ModeStatus): ModeStatus {
    return new ModeStatus(this.mask & mask & ~(this.mode ^ mode), this.mode);
  }

  /** What has to be set to come to another one. */
  delta({ mask, mode }: ModeStatus): ModeStatus {
    return new ModeStatus((mask & (this.mode ^ mode)) | (~this.mask & mask), mode);
  }

  hasAll({ mask, mode }: ModeStatus): boolean {
    return (this.mask & mask) === mask && (this.mode & mask) === mode;
  }

  isCombinable(other: ModeStatus): boolean {
    return (this.mask & other.mask) === 0 || this.hasAll(other);
  }
}

export const EMPTY = new ModeStatus(0, 0);
/** what a program begins with */
export const NEAREST = new ModeStatus(DP_MASK, 0);
export const TO_ZERO = new ModeStatus(DP_MASK, ROUND_TO_ZERO << DP_SHIFT);
