/** What two lists of lines have in common. */

/** Larger pieces without a line that both have once are taken as replaced. */
const MAX_TABLE = 1 << 20;

/** For each line of `b` the line of `a` that it is, -1 where it is new; in order. Near linear where lines differ from each other. */
function matchLines(a: readonly string[], b: readonly string[]): Int32Array {
  const partner = new Int32Array(b.length).fill(-1);
  const work: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    let [fromA, toA, fromB, toB] = next;
    while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) partner[fromB++] = fromA++;
    while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) partner[--toB] = --toA;
    if (fromA === toA || fromB === toB) continue;
    const anchors = anchorsOf(a, b, fromA, toA, fromB, toB);
    if (anchors.length === 0) {
      if ((toA - fromA) * (toB - fromB) <= MAX_TABLE) matchByTable(a, b, [fromA, toA, fromB, toB], partner);
      continue;
    }
    for (const [atA, atB] of anchors) {
      work.push([fromA, atA, fromB, atB]);
      partner[atB] = atA;
      [fromA, fromB] = [atA + 1, atB + 1];
    }
    work.push([fromA, toA, fromB, toB]);
  }
  return partner;
}

/** Lines that stand once in both pieces, the longest rising run of them (patience). */
function anchorsOf(
  a: readonly string[],
  b: readonly string[],
  fromA: number,
  toA: number,
  fromB: number,
  toB: number,
): [number, number][] {
  const places = new Map<string, number>();
  for (let k = fromA; k < toA; k++) places.set(a[k]!, places.has(a[k]!) ? -1 : k);
  const seen = new Map<string, number>();
  for (let k = fromB; k < toB; k++) seen.set(b[k]!, seen.has(b[k]!) ? -1 : k);
  const pairs: [number, number][] = [];
  for (const [line, atB] of seen) {
    const atA = places.get(line) ?? -1;
    if (atA >= 0 && atB >= 0) pairs.push([atA, atB]);
  }
  return longestRise(pairs);
}

/** `pairs` rise in their second number. O(n log n) */
function longestRise(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([value], k) => {
    let [from, to] = [0, tails.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (pairs[tails[middle]!]![0] < value) from = middle + 1;
      else to = middle;
    }
    before[k] = from === 0 ? -1 : tails[from - 1]!;
    tails[from] = k;
  });
  const rise: [number, number][] = [];
  for (let k = tails.at(-1) ?? -1; k >= 0; k = before[k]!) rise.push(pairs[k]!);
  return rise.reverse();
}

/** The longest common subsequence. */
function matchByTable(
  a: readonly string[],
  b: readonly string[],
  [fromA, toA, fromB, toB]: readonly [number, number, number, number],
  partner: Int32Array,
): void {
  const [n, m] = [toA - fromA, toB - fromB];
  const width = m + 1;
  const length = new Uint32Array((n + 1) * width);
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      length[i * width + j] =
        a[fromA + i] === b[fromB + j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
  for (let i = 0, j = 0; i < n && j < m;) {
    if (a[fromA + i] === b[fromB + j]) partner[fromB + j++] = fromA + i++;
    else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) i++;
    else j++;
  }
}

const CONTEXT = 3;

/** Hunks as `diff -u` writes them, without the names above; empty: the lines are equal. `headOf`: what a hunk is called that begins at a line of `b`. */
export function unifiedDiff(a: readonly string[], b: readonly string[], headOf: (line: number) => string): string {
  const partner = matchLines(a, b);
  // Rows of both: ' ' common, '-' and '+'.
  const rows: { readonly sign: string; readonly text: string; readonly atA: number; readonly atB: number }[] = [];
  let atA = 0;
  for (let atB = 0; atB <= b.length; atB++) {
    const stop = atB === b.length ? a.length : partner[atB]!;
    while (stop >= 0 && atA < stop) rows.push({ sign: '-', text: a[atA]!, atA: atA++, atB });
    if (atB === b.length) break;
    if (stop < 0) rows.push({ sign: '+', text: b[atB]!, atA, atB });
    else rows.push({ sign: ' ', text: b[atB]!, atA: atA++, atB });
  }
  let out = '';
  for (let k = 0; k < rows.length;) {
    if (rows[k]!.sign === ' ') {
      k++;
      continue;
    }
    const start = Math.max(0, k - CONTEXT);
    let end = k;
    for (let j = k; j < rows.length && j <= end + 2 * CONTEXT; j++) if (rows[j]!.sign !== ' ') end = j;
    const hunk = rows.slice(start, end + 1 + CONTEXT);
    const count = (sign: string): number => hunk.filter((row) => row.sign === ' ' || row.sign === sign).length;
    const head = headOf(rows[k]!.atB);
    out += `@@ -${hunk[0]!.atA + 1},${count('-')} +${hunk[0]!.atB + 1},${count('+')} @@${head === '' ? '' : ` ${head}`}\n`;
    for (const { sign, text } of hunk) out += `${sign}${text}\n`;
    k = end + 1;
  }
  return out;
}
