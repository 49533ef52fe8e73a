/** Tables of reports for other programs and for pull requests. */
import { visible } from '../text/visible.js';

export type Cell = string | number | boolean | null;

/** As RFC 4180 has it, with line feeds; null is an empty cell. */
export const csvTable = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, ...rows].map((cells) => `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\n`).join('');

const csvCell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Of GitHub's Markdown; columns whose cells are numbers are aligned to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isNumber = head.map((_, c) => rows.length > 0 && rows.every((cells) => typeof cells[c] !== 'string'));
  const lines = [
    head.map(markdownCell),
    isNumber.map((is) => (is ? '--:' : '---')),
    ...rows.map((cells) => cells.map((cell) => markdownCell(String(cell ?? '-')))),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Text of a file in a table or a line of Markdown: nothing in it is markup. */
export const markdownCell = (text: string): string =>
  visible(text)
    .replaceAll('\n', ' ')
    .replace(/[\\`*_{}[\]<>#|~&]/g, (c) => (c === '<' ? '&lt;' : c === '>' ? '&gt;' : c === '&' ? '&amp;' : `\\${c}`));
