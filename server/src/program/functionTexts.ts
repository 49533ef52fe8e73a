/** The functions of a printed module, and where two prints of one part. */

/** Texts of function documents by name, in order; of several with one name the last. */
export function functionTexts(text: string): Map<string, string> {
  const functions = new Map<string, string>();
  for (const document of text.split(/^---(?=[ \t]*$|[ \t]*\n)/m)) {
    const name = /^name:[ \t]*(.*?)[ \t]*$/m.exec(document)?.[1];
    if (name !== undefined) functions.set(name.replace(/^(['"])(.*)\1$/, '$2'), document);
  }
  return functions;
}

export interface Difference {
  /** of the first of them in the first text, from 1 */
  readonly line: number;
  readonly ours: string;
  readonly theirs: string;
  /** lines that are not at the same place in both */
  readonly count: number;
}

/** Null where the lines are equal, but for blanks at their ends. */
export function firstDifference(ours: string, theirs: string): Difference | null {
  const [a, b] = [ours, theirs].map((text) =>
    text
      .trim()
      .split('\n')
      .map((l) => l.trimEnd()),
  ) as [string[], string[]];
  const n = Math.max(a.length, b.length);
  let first = -1;
  let count = 0;
  for (let k = 0; k < n; k++) {
    if (a[k] === b[k]) continue;
    if (first < 0) first = k;
    count++;
  }
  return first < 0 ? null : { line: first + 1, ours: a[first] ?? '', theirs: b[first] ?? '', count };
}
