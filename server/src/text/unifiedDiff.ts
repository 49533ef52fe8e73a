/** Differences of two lists of lines as text. */
import { matchLines } from './alignLines.js';

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
