/** Texts of YAML's block scalars, as LLVM reads them. */

/** Text of a folded block scalar with content [start, end). */
export function foldedText(text: string, start: number, end: number, indent: number, head: string): string {
  const lines = text.slice(start, end).split(/\r\n|\r|\n/);
  const isBlank = (s: string): boolean => /^[ \t]*$/.test(s);
  let res = '';
  let breaks = 0;
  lines.forEach((raw, i) => {
    const line = raw.slice(Math.min(indent, raw.length - raw.trimStart().length, raw.length));
    if (line !== '') {
      if (breaks > 0 && !isBlank(res.replaceAll('\n', ''))) {
        if (breaks === 1) res += isBlank(line) ? '\n' : ' ';
        breaks--;
      }
      res += '\n'.repeat(breaks) + line;
      breaks = 0;
    }
    if (i + 1 < lines.length) breaks++;
  });
  const chomping = /^>\d?([-+])/.exec(head)?.[1] ?? '';
  if (chomping === '-') return res;
  return res + (chomping === '+' ? '\n'.repeat(Math.max(1, breaks)) : res === '' ? '' : '\n');
}

/** Text of the block scalar whose indicator (`|` or `>`) stands at `indicator` and whose content is [start, end). */
export function blockScalarText(text: string, indicator: number, start: number, end: number): string {
  const head = text.slice(indicator, start);
  const content = text.slice(start, end);
  if (content === '') return '';
  const given = /^[|>][-+]?([1-9])/.exec(head)?.[1];
  const indent = given === undefined ? (/^(?: *(?:\r\n|\r|\n))*( *)/.exec(content)?.[1] ?? '').length : Number(given);
  if (head.startsWith('>')) return foldedText(text, start, end, indent, head);
  const lines = content.split(/\r\n|\r|\n/).map((line) => line.slice(Math.min(indent, /^ */.exec(line)![0].length)));
  const all = lines.join('\n');
  const chomping = /^\|\d?([-+])/.exec(head)?.[1] ?? '';
  if (chomping === '+') return all;
  const kept = all.replace(/\n+$/, '');
  return kept === '' || chomping === '-' ? kept : `${kept}\n`;
}
