/** Names texts shortly, so that one that comes back is known again though nobody has kept it. */

/** FNV-1a's prime, and another odd factor for the second half. */
const [FACTOR_A, FACTOR_B] = [0x01000193, 0x5bd1e995];

/** Of the characters [start, end): their number and 64 bits of hash. Not against people who want two texts to look alike. O(end - start) */
export function fingerprint(text: string, start = 0, end = text.length): string {
  let a = 0x811c9dc5;
  let b = end - start;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, FACTOR_A);
    // A product carries upwards only: the high bits have to come down again.
    b = Math.imul(b ^ c ^ (b >>> 15), FACTOR_B);
  }
  return `${end - start}:${(a >>> 0).toString(36)}:${(b >>> 0).toString(36)}`;
}
