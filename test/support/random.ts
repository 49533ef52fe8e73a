/** Numbers for random inputs: the same seed gives the same ones on every machine. */

/** A source of numbers from 0 to n - 1, n up to 2^23. */
export function randomSource(seed: number): (n: number) => number {
  // Neighbouring seeds begin far apart.
  let state = Math.imul(seed, 2654435761) >>> 1;
  return (n) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % n;
  };
}
