/** What tests over the corpus share: a case as its shards hold it, and random numbers that a seed decides. */

export interface CorpusCase {
  readonly name: string;
  readonly args: readonly string[];
  readonly input: string;
}

/** A small generator of numbers in [0, 1), the same everywhere. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 0x100000000;
  };
}
