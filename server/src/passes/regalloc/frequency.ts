/** Arithmetic of block frequencies: 64 bits, saturating (BlockFrequency, BranchProbability). */

const MAX_U64 = (1n << 64n) - 1n;

export function addSaturating(a: bigint, b: bigint): bigint {
  const sum = a + b;
  return sum > MAX_U64 ? MAX_U64 : sum;
}

/** freq * n / d with n / d as a probability of 31 bits (BlockFrequency::operator*). */
export function scaleByProbability(freq: bigint, n: bigint, d: bigint): bigint {
  const p = (n * (1n << 31n) + d / 2n) / d;
  return (freq * p) >> 31n;
}
