/**
 * How good it is to rematerialize a register: where it would save spilling, whether the definition comes to run more rarely, how
 * many target regions gain.
 *
 * Follows PreRARematStage::ScoredRemat of LLVM main (early 2026) as docs/llvm/remat.md, B.4 and B.5 describe it.
 */
import { computeBlockFrequencies } from '../../../analysis/blockFrequency.js';
import { DominatorTree } from '../../../analysis/dominators.js';
import { LoopInfo } from '../../../analysis/loops.js';
import type { MachineFunction, BlockId } from '../../../model/machineFunction.js';
import type { RematScore } from './report.js';

/** Block frequencies of regions, scaled down alike when they are large. */
export interface RegionFrequencies {
  /** by region; 0n = unknown */
  readonly of: readonly bigint[];
  readonly min: bigint;
  readonly max: bigint;
  readonly entry: bigint;
}

const SCALE_DOWN_FROM = 1024n * 1024n;
const SCALE = 1024n;

export function regionFrequencies(
  fn: MachineFunction,
  regions: readonly { readonly block: BlockId }[],
): RegionFrequencies {
  const byBlock = computeBlockFrequencies(fn.blocks, new LoopInfo(fn.blocks, new DominatorTree(fn.blocks)));
  const entry = byBlock[0];
  let of = regions.map((r) => byBlock[r.block]);
  let min = entry;
  let max = 0n;
  for (const f of of) {
    if (f !== 0n && f < min) min = f;
    else if (f > max) max = f;
  }
  if (min < SCALE_DOWN_FROM) return { of, min, max, entry };
  of = of.map((f) => f / SCALE);
  return { of, min: min / SCALE, max: max / SCALE, entry: entry / SCALE };
}

/**
 * What computing a definition in other regions does to how often it runs; above 0: it runs more rarely. `defRegion` -1: it stays where
 * it is, too.
 */
export function frequencyDifference(f: RegionFrequencies, defRegion: number, useRegions: readonly number[]): bigint {
  let difference = 0n;
  if (defRegion >= 0) difference = f.of[defRegion] > f.min ? f.of[defRegion] : f.min;
  for (const r of useRegions) difference -= f.of[r] === 0n ? f.max : f.of[r];
  return difference;
}

export interface Score {
  maxFreq: bigint;
  freqDiff: bigint;
  /** 0 = no gain: nothing else counts then */
  regionImpact: number;
}

/** Negative when `a` is the better one; 0 = a tie. */
export function compareScores(a: Score, b: Score): number {
  if (a.maxFreq !== b.maxFreq) return a.maxFreq > b.maxFreq ? -1 : 1;
  if (a.freqDiff !== b.freqDiff) return a.freqDiff > b.freqDiff ? -1 : 1;
  return b.regionImpact - a.regionImpact;
}

/** For a report: frequencies relative to the entry's. */
export function reportedScore(score: Score, entry: bigint): RematScore {
  const relative = (x: bigint): number => (entry === 0n ? 0 : Number(x) / Number(entry));
  return {
    maxFreq: relative(score.maxFreq),
    freqDiff: relative(score.freqDiff),
    regionImpact: score.regionImpact,
  };
}
