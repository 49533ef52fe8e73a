/** Lines of a report in a terminal that is too narrow for them: broken between words, what follows indented below. */

/** How much further than its line a rest stands. */
const HANGING = 4;

/** Lines of at most `columns` columns where words allow that; colours take none. O(text) */
export function fitLines(text: string, columns: number): string {
  if (columns === Infinity) return text;
  return text
    .split('\n')
    .map((line) => fitLine(line, columns))
    .join('\n');
}

function fitLine(line: string, columns: number): string {
  // Colours may begin before the indentation.
  const [leading] = LEADING.exec(line)!;
  const start = leading.length;
  const indent = leading.replace(ESCAPES, '').length;
  const lead = ' '.repeat(indent + HANGING);
  let out = '';
  // A piece begins at `at`, after `used` blanks, and must be longer than its indentation.
  let at = 0;
  let used = 0;
  let from = start;
  for (;;) {
    const end = breakOf(line, at, from, columns - used);
    if (end < 0) return out + line.slice(at);
    out += `${line.slice(at, end).trimEnd()}\n${lead}`;
    at = end;
    used = lead.length;
    from = end;
  }
}

/** Where a piece ends: after the last `;` of its second half, else the last `,` of its last third, else the last word that fits; -1 = it fits, or has no place. */
function breakOf(line: string, at: number, from: number, columns: number): number {
  let column = 0;
  let word = -1;
  let clause = -1;
  let comma = -1;
  for (let k = at; k < line.length; k++) {
    const escape = line[k] === '\x1b' ? ESCAPE.exec(line.slice(k, k + 16)) : null;
    if (escape !== null) {
      k += escape[0].length - 1;
      continue;
    }
    // A blank at the edge is not seen.
    if (column >= columns && line[k] !== ' ') return clause >= 0 ? clause : comma >= 0 ? comma : word;
    if (line[k] === ' ' && k > from) {
      word = k + 1;
      if (line[k - 1] === ';' && column > columns / 2) clause = k + 1;
      if (line[k - 1] === ',' && column > (columns * 2) / 3) comma = k + 1;
    }
    column++;
  }
  return -1;
}

const ESCAPE = /^\x1b\[[\d;]*m/;
const ESCAPES = /\x1b\[[\d;]*m/g;
const LEADING = /^(?:\x1b\[[\d;]*m| )*/;
