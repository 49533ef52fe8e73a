/** What has changed between two texts of a test whose CHECK lines were made anew, as replacements of lines. */

export interface LineChange {
  /** 0-based lines [start, end) of the old text, which `lines` replace */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Lines of a text; after the last line's end there is none. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

const isComment = (line: string): boolean => /^\s*[;#]/.test(line);

/** Changes in the order of lines; blanks at line ends count for nothing. O(lines), since all but comments is in both texts as a rule. */
export function lineChanges(oldLines: readonly string[], newLines: readonly string[]): LineChange[] {
  const old = oldLines.map((line) => line.trimEnd());
  const now = newLines.map((line) => line.trimEnd());
  const changes: LineChange[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++;
      j++;
      continue;
    }
    const [start, from] = [i, j];
    while (i < old.length && isComment(old[i]!)) i++;
    while (j < now.length && isComment(now[j]!)) j++;
    if (i === start && j === from) {
      // Something else than comments: the rest is one change.
      [i, j] = [old.length, now.length];
    }
    changes.push(trimmed({ start, end: i, lines: now.slice(from, j) }, old));
  }
  return changes.filter((c) => c.start < c.end || c.lines.length > 0);
}

/** Without the lines at both ends that stay. */
function trimmed({ start, end, lines }: LineChange, old: readonly string[]): LineChange {
  let first = 0;
  while (start + first < end && first < lines.length && old[start + first] === lines[first]) first++;
  let last = 0;
  while (
    start + first < end - last &&
    first < lines.length - last &&
    old[end - last - 1] === lines[lines.length - last - 1]
  )
    last++;
  return { start: start + first, end: end - last, lines: lines.slice(first, lines.length - last) };
}
