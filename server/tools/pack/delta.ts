/** Writes a text as a difference to another one; `server/src/target/delta.ts` reads it and says how. */
import { int, string, uint } from './encode.js';

/** Shorter copies cost as much as what they save. */
const MIN_COPY = 9;
/** Places that are looked at for the longest copy. */
const MAX_CHAIN = 60;

export function makeDelta(base: string, text: string): string {
  const places = new Map<string, number[]>();
  for (let i = 0; i + MIN_COPY <= base.length; i++) {
    const key = base.slice(i, i + MIN_COPY);
    const known = places.get(key);
    if (known === undefined) places.set(key, [i]);
    else known.push(i);
  }
  let out = '';
  let literal = 0;
  let at = 0;
  let i = 0;
  while (i < text.length) {
    const found = places.get(text.slice(i, i + MIN_COPY)) ?? [];
    // Near the end of the copy before: the nearest places first.
    const near = found.length <= MAX_CHAIN ? found : nearest(found, at);
    let best = 0;
    let from = 0;
    for (const c of near) {
      let n = MIN_COPY;
      while (i + n < text.length && c + n < base.length && text[i + n] === base[c + n]) n++;
      if (n > best || (n === best && Math.abs(c - at) < Math.abs(from - at))) [best, from] = [n, c];
    }
    if (best === 0) {
      i++;
      continue;
    }
    out += string(text.slice(literal, i)) + uint(best) + int(from - at);
    at = from + best;
    i += best;
    literal = i;
  }
  return out + string(text.slice(literal)) + uint(0);
}

function nearest(sorted: readonly number[], at: number): readonly number[] {
  let lo = 0;
  let hi = sorted.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (sorted[mid]! < at) lo = mid + 1;
    else hi = mid;
  }
  const first = Math.max(0, lo - MAX_CHAIN / 2);
  return sorted.slice(first, first + MAX_CHAIN);
}
