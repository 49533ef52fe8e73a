/** Values and edits as texts, to be expected in the source of a test (`expect.ts`). */
import type { Expectation } from './expect.js';

const WIDTH = 120;
const NAME = /^[\w$]+$/;

/**
 * A value of objects, lists and what JSON has, `undefined` and big integers included: what fits stands on one line, the rest is wrapped. Texts of
 * several lines stand below their name, each line after a bar.
 */
export const shown = (value: unknown): string => linesOf(value, WIDTH).join('\n');

function word(value: unknown): string {
  if (typeof value === 'string') return /['\\\p{Cc}]/u.test(value) ? JSON.stringify(value) : `'${value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new Error(`cannot be shown: ${Object.prototype.toString.call(value)}`);
}

/** The entries of a list or of an object, each with its name; null of anything else. */
function entriesOf(value: unknown): (readonly [name: string, value: unknown])[] | null {
  if (Array.isArray(value)) return Array.from(value, (v: unknown) => ['', v] as const);
  if (Object.prototype.toString.call(value) !== '[object Object]') return null;
  return Object.entries(value as object).map(([k, v]) => [`${NAME.test(k) ? k : word(k)}: `, v] as const);
}

function linesOf(value: unknown, width: number): readonly string[] {
  if (typeof value === 'string' && value.includes('\n'))
    return value.split('\n').map((l) => (l === '' ? '|' : `| ${l}`));
  const entries = entriesOf(value);
  if (entries === null) return [word(value)];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return [open + close];
  const parts = entries.map(([name, v]) => named(name, linesOf(v, width - 2)));
  const one = `${open} ${parts.map((lines) => lines[0]).join(', ')} ${close}`;
  if (parts.every((lines) => lines.length === 1) && one.length <= width) return [one];
  return [open, ...wrapped(parts, width - 2).map((l) => `  ${l}`), close];
}

const named = (name: string, lines: readonly string[]): readonly string[] =>
  lines[0]!.startsWith('|') ? [name.trimEnd(), ...lines] : [name + lines[0]!, ...lines.slice(1)];

/** Entries of one line stand beside each other as far as they fit. */
function wrapped(parts: readonly (readonly string[])[], width: number): string[] {
  const lines: string[] = [];
  let hasRoom = false;
  for (const part of parts) {
    const isLine = part.length === 1;
    const last = lines.at(-1) ?? '';
    if (hasRoom && isLine && last.length + part[0]!.length + 2 <= width)
      lines[lines.length - 1] = `${last} ${part[0]!},`;
    else lines.push(...part.slice(0, -1), part.at(-1)!.startsWith('|') ? part.at(-1)! : `${part.at(-1)!},`);
    hasRoom = isLine;
  }
  return lines;
}

/** Two texts in one: lines of both after two blanks, those of the first alone after `- `, those of the second after `+ `. */
export function diffOf(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  // The length of the longest common sequence from each place on.
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const lines: string[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;)
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(`  ${a[i++]!}`);
      j++;
    } else if (j === b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) lines.push(`- ${a[i++]!}`);
    else lines.push(`+ ${b[j++]!}`);
  return lines.map((l) => (l.length === 2 ? l.trimEnd() : l)).join('\n');
}

/** Of two texts in one, the first. */
export const beforeOf = (diff: string): string =>
  diff
    .split('\n')
    .filter((l) => !l.startsWith('+'))
    .map((l) => l.slice(2))
    .join('\n');

/** Checks what becomes of the first text of a diff, which is the second. */
export function checkEdit(diff: Expectation, edit: (text: string) => string): void {
  const text = beforeOf(diff.text);
  diff.equals(diffOf(text, edit(text)));
}
