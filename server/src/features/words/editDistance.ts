/**
 * Distance of two words in edits (insert, delete, replace, swap of neighbours), for suggestions. The case of letters counts half as
 * nothing: words that differ in case only are at distance 1.
 */

/** The distance, or `most + 1` as soon as it is certain to exceed `most`. O(length * most) */
export function editDistance(a: string, b: string, most: number): number {
  const n = a.length;
  const m = b.length;
  if (Math.abs(n - m) > most) return most + 1;
  if (a === b) return 0;
  if (n === m && a.toLowerCase() === b.toLowerCase()) return 1;
  let beforeLast = new Uint8Array(m + 1);
  let last = new Uint8Array(m + 1);
  let row = new Uint8Array(m + 1);
  const far = most + 1;
  for (let j = 0; j <= m; j++) last[j] = Math.min(j, far);
  for (let i = 1; i <= n; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(m, i + most);
    row.fill(far);
    if (i <= most) row[0] = i;
    let least = row[0]!;
    for (let j = from; j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let d = Math.min(last[j - 1]! + (same ? 0 : 1), last[j]! + 1, row[j - 1]! + 1);
      if (1 < i && 1 < j && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        d = Math.min(d, beforeLast[j - 2]! + 1);
      row[j] = Math.min(d, far);
      least = Math.min(least, row[j]!);
    }
    if (most < least) return far;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[m]!;
}
