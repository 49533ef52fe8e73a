/** Frequencies of blocks and edges, and probabilities, as LLVM reckons with them (BlockFrequency, BranchProbability; LLVM 22). */
import { probabilityAt } from '../../model/probability.js';
import type { BlockId, MachineFunction } from '../../model/machineFunction.js';
import { PROBABILITY_ONE } from '../../model/probability.js';

const MAX = (1n << 64n) - 1n;
const ONE = BigInt(PROBABILITY_ONE);

/** A fraction as a numerator over 2^31, rounded. */
export function probability(part: number, whole: number): number {
  if (whole === PROBABILITY_ONE) return part;
  const d = BigInt(whole);
  return Number((BigInt(part) * ONE + d / 2n) / d);
}

/** Differences end at 0, sums and quotients at the largest number. */
export const minus = (a: bigint, b: bigint): bigint => (a > b ? a - b : 0n);
export const plus = (...all: bigint[]): bigint => {
  const sum = all.reduce((x, y) => x + y, 0n);
  return sum > MAX ? MAX : sum;
};
export const times = (f: bigint, p: number): bigint => (f * BigInt(p)) / ONE;
export const by = (f: bigint, p: number): bigint => {
  const q = (f * ONE) / BigInt(p);
  return q > MAX ? MAX : q;
};
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export class EdgeFrequencies {
  constructor(
    private readonly fn: MachineFunction,
    /** by block; blocks that are made while others are placed get theirs */
    readonly ofBlocks: bigint[],
  ) {}

  ofBlock(b: BlockId): bigint {
    return this.ofBlocks[b] ?? 0n;
  }

  /**
   * Numerator over 2^31; 0 where there is no such edge.
   * @llvm MachineBranchProbabilityInfo.cpp MachineBranchProbabilityInfo::getEdgeProbability
   */
  probability(from: BlockId, to: BlockId): number {
    const block = this.fn.blocks[from];
    const at = block.successors.indexOf(to);
    return at < 0 ? 0 : probabilityAt(block.probabilities, at);
  }

  ofEdge(from: BlockId, to: BlockId): bigint {
    return times(this.ofBlock(from), this.probability(from, to));
  }
}
