/** Probabilities of successors: numerators over 2^31. */
export const PROBABILITY_ONE = 0x80000000;
export const UNKNOWN_PROBABILITY = 0xffffffff;

/**
 * One of several; those that are not known share what the others leave.
 * @llvm MachineBasicBlock.cpp MachineBasicBlock::getSuccProbability
 */
export function probabilityAt(probabilities: readonly number[], at: number): number {
  const own = probabilities[at] >>> 0;
  if (own !== UNKNOWN_PROBABILITY) return own;
  const known = probabilities.filter((p) => p >>> 0 !== UNKNOWN_PROBABILITY);
  const left = Math.max(0, PROBABILITY_ONE - known.reduce((sum, p) => sum + (p >>> 0), 0));
  return Math.floor(left / (probabilities.length - known.length));
}

/** BranchProbability::normalizeProbabilities on numerators over 2^31, in place. */
export function normalizeProbabilities(p: number[]): void {
  const n = p.length;
  if (n === 0) return;
  let sum = 0;
  let nUnknown = 0;
  for (const x of p) {
    if (x === UNKNOWN_PROBABILITY) nUnknown++;
    else sum += x;
  }
  if (nUnknown > 0) {
    const share = sum < PROBABILITY_ONE ? Math.floor((PROBABILITY_ONE - sum) / nUnknown) : 0;
    for (let i = 0; i < n; i++) if (p[i] === UNKNOWN_PROBABILITY) p[i] = share;
    if (sum <= PROBABILITY_ONE) return;
  }
  if (sum === 0) {
    p.fill(Math.floor((PROBABILITY_ONE + Math.floor(n / 2)) / n));
    return;
  }
  // Products of two 31-bit numbers exceed a double's 53 bits.
  const total = BigInt(sum);
  for (let i = 0; i < n; i++) p[i] = Number((BigInt(p[i]) * BigInt(PROBABILITY_ONE) + total / 2n) / total);
}
