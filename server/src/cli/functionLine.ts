/** Where a function of a MIR file begins, for findings about it as a whole. */

/** The line of its `name:`, from 1; null where it has none. O(text) */
export function functionLine(source: string, name: string): number | null {
  if (name === '') return null;
  const lines = source.split('\n');
  const at = lines.findIndex((line) => /^name:\s/.test(line) && unquoted(line.slice('name:'.length).trim()) === name);
  return at < 0 ? null : at + 1;
}

const unquoted = (text: string): string => (/^'.*'$/.test(text) || /^".*"$/.test(text) ? text.slice(1, -1) : text);
