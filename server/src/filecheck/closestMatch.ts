/** Where in an input a pattern that was not found might have been meant to match: FileCheck's measure of likeness (LLVM 22). */

const MAX_SEARCH = 4096;
/** characters of the input times those of the pattern beyond which FileCheck does not look */
const MAX_WORK = 4096 * 2048;
/** a worse place is not worth telling */
const MAX_DISTANCE = 50;
const LINES_PER_EDIT = 100;

const NEW_LINE = 10;
const BLANK = 32;
const TAB = 9;

/**
 * The place in text[from, ...) where what stands on the line needs the fewest edits to become `example`, later lines counting a little more; -1
 * where nothing is near, or where it is `from` itself.
 */
export function closestMatch(text: string, from: number, example: string): number {
  const n = Math.min(MAX_SEARCH, text.length - from);
  if (MAX_WORK < n * example.length) return -1;
  const distance = new EditDistance(example);
  let best = -1;
  let bestQuality = Infinity;
  let lines = 0;
  let eol = -1;
  /** distances of the places from `tailStart` on, where the line is shorter than the example; all from one table */
  let tail: Int32Array | null = null;
  let tailStart = 0;
  for (let at = from; at < from + n; at++) {
    if (eol < at) {
      eol = text.indexOf('\n', at);
      if (eol < 0) eol = text.length;
      tail = null;
      tailStart = Math.max(at, eol - example.length);
    }
    const code = text.charCodeAt(at);
    if (code === NEW_LINE) lines++;
    if (code === BLANK || code === TAB) continue;
    const weight = lines / LINES_PER_EDIT;
    let edits: number;
    if (at >= tailStart) edits = (tail ??= distance.toSuffixes(text, tailStart, eol))[at - tailStart]!;
    else {
      // One more than needed, so that rounding decides nothing.
      const limit = Math.ceil(Math.min(bestQuality, MAX_DISTANCE) - weight) + 1;
      edits = distance.to(text, at, at + example.length, limit);
    }
    const quality = edits + weight;
    if (quality < bestQuality) {
      best = at;
      bestQuality = quality;
    }
  }
  return best > from && bestQuality < MAX_DISTANCE ? best : -1;
}

const BLOCK = 32;

/** Insertions, deletions and replacements between a fixed text and others. */
class EditDistance {
  private readonly codes: Uint8Array;
  private readonly row: Int32Array;
  private readonly nBlocks: number;
  /** for each character and block of 32 of the example: where it stands in it */
  private readonly places: Int32Array;
  /** where a cell is one more, or one less, than the one above it; a bit for each character of the example */
  private readonly more: Int32Array;
  private readonly less: Int32Array;

  constructor(example: string) {
    this.codes = Uint8Array.from(example, (c) => c.charCodeAt(0));
    const n = example.length;
    this.row = new Int32Array(n + 1);
    this.nBlocks = Math.ceil(n / BLOCK);
    this.places = new Int32Array(256 * this.nBlocks);
    for (let j = 0; j < n; j++) this.places[this.codes[j]! * this.nBlocks + (j >> 5)]! |= 1 << (j & 31);
    this.more = new Int32Array(this.nBlocks);
    this.less = new Int32Array(this.nBlocks);
  }

  /**
   * Distance to text[start, end); any number >= limit where it is not below. Myers' bit-parallel algorithm in Hyyro's form: a column of the
   * table at a time, as differences. O((end - start) * example / 32)
   */
  to(text: string, start: number, end: number, limit: number): number {
    const { nBlocks, places, more, less } = this;
    const n = this.codes.length;
    if (Math.abs(n - (end - start)) >= limit) return limit;
    more.fill(-1);
    less.fill(0);
    const lastBit = 1 << ((n - 1) & 31);
    let distance = n;
    for (let at = start; at < end; at++) {
      const row = text.charCodeAt(at) * nBlocks;
      /** difference to the column before, at the upper edge of the block */
      let carry = 1;
      for (let b = 0; b < nBlocks; b++) {
        const up = more[b]!;
        const down = less[b]!;
        let equal = places[row + b]!;
        const vertical = equal | down;
        if (carry < 0) equal |= 1;
        const horizontal = ((((equal & up) + up) | 0) ^ up) | equal;
        let rises = down | ~(horizontal | up);
        let falls = up & horizontal;
        const bit = b === nBlocks - 1 ? lastBit : 1 << 31;
        const next = (rises & bit) !== 0 ? 1 : (falls & bit) !== 0 ? -1 : 0;
        rises <<= 1;
        falls <<= 1;
        if (carry < 0) falls |= 1;
        else if (carry > 0) rises |= 1;
        more[b] = falls | ~(vertical | rises);
        less[b] = rises & vertical;
        carry = next;
      }
      distance += carry;
      if (distance - (end - at - 1) >= limit) return limit;
    }
    return distance;
  }

  /** Distances to text[k, end) for each k in [start, end]. O((end - start) * example) */
  toSuffixes(text: string, start: number, end: number): Int32Array {
    const { codes, row } = this;
    const n = codes.length;
    const distances = new Int32Array(end - start + 1);
    // Both are read backwards: a row is the distance to each end of the example.
    for (let j = 0; j <= n; j++) row[j] = j;
    distances[end - start] = n;
    for (let at = end - 1; at >= start; at--) {
      const code = text.charCodeAt(at);
      let diagonal = row[0]!;
      let left = (row[0] = end - at);
      for (let j = 1; j <= n; j++) {
        const above = row[j]!;
        let cell = codes[n - j] === code ? diagonal : diagonal + 1;
        if (above + 1 < cell) cell = above + 1;
        if (left + 1 < cell) cell = left + 1;
        diagonal = above;
        row[j] = left = cell;
      }
      distances[at - start] = left;
    }
    return distances;
  }
}
