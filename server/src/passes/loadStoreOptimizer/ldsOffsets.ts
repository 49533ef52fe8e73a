/** Two offsets in one instruction of LDS, which has eight bits for each (SILoadStoreOptimizer, LLVM 22). */

export interface OffsetPair {
  /** in elements, or in 64 of them, from `base` on */
  readonly first: number;
  readonly second: number;
  readonly isStride64: boolean;
  /** bytes to be added to the address; 0 = none */
  readonly base: number;
}

const MOST = 0xff;
const STRIDE = 64;

/** The number from `lo` to `hi` that most zero bits end. */
function mostAligned(lo: number, hi: number): number {
  const differing = ((lo - 1) ^ hi) >>> 0;
  const kept = Math.clz32(differing) + 1;
  const mask = kept >= 32 ? -1 : ~(0xffffffff >>> kept);
  return (hi & mask) >>> 0;
}

/**
 * `first`, `second`: elements of `element` bytes, below 2^16. Null where they are too far apart.
 * @llvm SILoadStoreOptimizer.cpp SILoadStoreOptimizer::offsetsCanBeCombined
 */
export function pairOffsets(first: number, second: number, element: number): OffsetPair | null {
  const least = Math.min(first, second);
  const most = Math.max(first, second);
  if (first % STRIDE === 0 && second % STRIDE === 0 && most / STRIDE <= MOST)
    return { first: first / STRIDE, second: second / STRIDE, isStride64: true, base: 0 };
  if (most <= MOST) return { first, second, isStride64: false, base: 0 };
  const from = (base: number, stride: number): OffsetPair => ({
    first: (first - base) / stride,
    second: (second - base) / stride,
    isStride64: stride === STRIDE,
    base: base * element,
  });
  const distance = most - least;
  // The low bits stay, so that what is left are whole strides.
  if (distance % STRIDE === 0 && distance / STRIDE <= MOST)
    return from(mostAligned(most - MOST * STRIDE, least) | (least % STRIDE), STRIDE);
  return distance <= MOST ? from(mostAligned(most - MOST, least), 1) : null;
}
