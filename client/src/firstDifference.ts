/** Where a diff of a function is to be opened. Knows no editor. */

/**
 * The 0-based line of `done` at which the body of a function first differs from `source`, where line `line` is in its document; the line of `body:` if
 * it does not, or -1 without one. What differs in the header (`registers:` above all) counts for nothing.
 */
export function firstBodyDifference(source: string, done: string, line: number): number {
  const [before, after] = [source.split(/\r\n|\r|\n/), done.split(/\r\n|\r|\n/)];
  const isStart = (text: string): boolean => /^---(?:\s|$)/.test(text);
  // Which document of the file: the same of both.
  const ordinal = before.slice(0, line + 1).filter(isStart).length;
  const bodyOf = (lines: readonly string[]): number => {
    let n = 0;
    for (const [k, text] of lines.entries()) {
      if (isStart(text)) n++;
      if (n > ordinal) return -1;
      if (n === ordinal && /^body:/.test(text)) return k;
    }
    return -1;
  };
  const [from, to] = [bodyOf(before), bodyOf(after)];
  if (from < 0 || to < 0) return to;
  for (let k = 1; from + k < before.length && to + k < after.length; k++) {
    if (before[from + k]!.trimEnd() !== after[to + k]!.trimEnd()) return to + k;
    if (before[from + k] === '...') break;
  }
  return to;
}
