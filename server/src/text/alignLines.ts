/** Which lines of two lists are the same. */
import { diffArrays } from 'diff';

/** Edits beyond which the exact way would take too long. */
const MAX_EDITS = 1000;

/**
 * For each line of `b` the line of `a` that it is, -1 where it is new; ascending. The fewest edits up to MAX_EDITS (Myers, "An O(ND) difference algorithm and its
 * variations", 1986, as the library `diff` has it); above, lines that both have once hold the pieces between them (patience), and a piece without such a line is
 * taken as replaced.
 */
export function matchLines(a: readonly string[], b: readonly string[]): Int32Array {
  const partner = new Int32Array(b.length).fill(-1);
  const work: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    let [fromA, toA, fromB, toB] = next;
    while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) partner[fromB++] = fromA++;
    while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) partner[--toB] = --toA;
    if (fromA === toA || fromB === toB) continue;
    const [x, y] = [a.slice(fromA, toA), b.slice(fromB, toB)];
    const edits = diffArrays(x, y, { maxEditLength: MAX_EDITS });
    if (edits !== undefined) {
      let [k, l] = [fromA, fromB];
      for (const { count, added, removed } of edits)
        for (let n = 0; n < count; n++)
          if (removed) k++;
          else if (added) l++;
          else partner[l++] = k++;
      continue;
    }
    const anchors = uniqueLines(x, y);
    if (anchors.length === 0) continue;
    const [beginA, beginB] = [fromA, fromB];
    for (const [k, l] of anchors) {
      const [atA, atB] = [beginA + k, beginB + l];
      work.push([fromA, atA, fromB, atB]);
      partner[atB] = atA;
      [fromA, fromB] = [atA + 1, atB + 1];
    }
    work.push([fromA, toA, fromB, toB]);
  }
  return partner;
}

/** Places of lines that both have once, the longest run of them in the order of both. O(n log n) */
function uniqueLines(x: readonly string[], y: readonly string[]): [number, number][] {
  const placesOf = (list: readonly string[]): Map<string, number> => {
    const found = new Map<string, number>();
    for (const [k, line] of list.entries()) found.set(line, found.has(line) ? -1 : k);
    return found;
  };
  const there = placesOf(y);
  const pairs = [...placesOf(x)].flatMap(([line, k]): [number, number][] => {
    const l = there.get(line) ?? -1;
    return k < 0 || l < 0 ? [] : [[k, l]];
  });
  return longestIncreasing(pairs.map(([, l]) => l)).map((k) => pairs[k]!);
}

/** Indexes of a longest increasing subsequence. O(n log n) */
export function longestIncreasing(list: readonly number[]): number[] {
  /** by length less one: the index at which a sequence of that length ends lowest */
  const ends: number[] = [];
  const before = new Int32Array(list.length).fill(-1);
  for (let k = 0; k < list.length; k++) {
    let [lo, hi] = [0, ends.length];
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (list[ends[mid]!]! < list[k]!) lo = mid + 1;
      else hi = mid;
    }
    before[k] = lo === 0 ? -1 : ends[lo - 1]!;
    ends[lo] = k;
  }
  const found: number[] = [];
  for (let k = ends.at(-1) ?? -1; k >= 0; k = before[k]!) found.push(k);
  return found.reverse();
}
