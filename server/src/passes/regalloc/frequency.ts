/** Arithmetic of block frequencies: 64 bits, saturating (BlockFrequency, BranchProbability). */

const MAX_U64 = (1n << 64n) - 1n;
/** of the lower half of a frequency */
export const LIMB = 2 ** 32;

export function addSaturating(a: bigint, b: bigint): bigint {
  const sum = a + b;
  return sum > MAX_U64 ? MAX_U64 : sum;
}

/** freq * n / d with n / d as a probability of 31 bits (BlockFrequency::operator*). */
export function scaleByProbability(freq: bigint, n: bigint, d: bigint): bigint {
  const p = (n * (1n << 31n) + d / 2n) / d;
  return (freq * p) >> 31n;
}

/** Frequencies in two columns of 32 bits each: where many are added up, a BigInt would cost an allocation at every step. */
export class FrequencyTable {
  readonly hi: Float64Array;
  readonly lo: Float64Array;

  constructor(freq: readonly bigint[]) {
    this.hi = Float64Array.from(freq, (f) => Number(f >> 32n));
    this.lo = Float64Array.from(freq, (f) => Number(f & 0xffffffffn));
  }
}

/** A sum of frequencies. What only grows may saturate in the end: it is carried and cut off when it is compared. */
export class FrequencySum {
  private hi = 0;
  private lo = 0;

  /** Sets it to a number of at most 64 bits. */
  set(value: bigint): this {
    this.hi = Number(value >> 32n);
    this.lo = Number(value & 0xffffffffn);
    return this;
  }

  copy(other: FrequencySum): void {
    this.hi = other.hi;
    this.lo = other.lo;
  }

  clear(): void {
    this.hi = this.lo = 0;
  }

  /** Adds entry `k` of a table, `times` over. */
  add(table: FrequencyTable, k: number, times = 1): void {
    this.hi += table.hi[k] * times;
    this.lo += table.lo[k] * times;
  }

  isBelow(other: FrequencySum): boolean {
    this.carry();
    other.carry();
    return this.hi < other.hi || (this.hi === other.hi && this.lo < other.lo);
  }

  toBigInt(): bigint {
    this.carry();
    return (BigInt(this.hi) << 32n) | BigInt(this.lo);
  }

  private carry(): void {
    const over = Math.floor(this.lo / LIMB);
    this.hi += over;
    this.lo -= over * LIMB;
    if (this.hi >= LIMB) this.hi = this.lo = LIMB - 1;
  }
}
