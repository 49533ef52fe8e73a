/** The table of `amdgpu-mir check --source-lines`. */
import type { SourceLine } from '../program/sourceLines.js';
import { visible } from '../text/visible.js';
import type { Palette } from './palette.js';

/** Titles and a row for each line, the one with the most VGPRs marked; a text alone where there is no debug info. */
export function sourceLineRows(lines: readonly SourceLine[], palette: Palette): string[] {
  if (lines.length === 0) return [palette.dim('no instruction has a debug location')];
  const hasSpills = lines.some(({ saves, restores }) => (saves ?? 0) + (restores ?? 0) > 0);
  const titles = ['line', 'VGPR', 'SGPR', 'instructions', ...(hasSpills ? ['saves', 'restores'] : [])];
  const rows = lines.map((line) => [
    placeText(line),
    ...[line.maxVgpr, line.maxSgpr, line.instructions, ...(hasSpills ? [line.saves, line.restores] : [])].map((n) =>
      n === null ? '' : `${n}`,
    ),
  ]);
  const widths = titles.map((title, c) => rows.reduce((width, row) => Math.max(width, row[c]!.length), title.length));
  const text = (row: readonly string[]): string =>
    row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!))).join('  ');
  const most = Math.max(...lines.map(({ maxVgpr }) => maxVgpr));
  return [
    palette.dim(text(titles)),
    ...rows.map((row, k) => (lines[k]!.maxVgpr === most ? palette.yellow(`${text(row)}  peak`) : text(row))),
  ];
}

/** `gemm.cl:41, inlined at gemm.cl:12:3, gemm.cl:5:1` */
function placeText({ file, line, inlinedAt }: SourceLine): string {
  const own = `${visible(file)}:${line === 0 ? '0 (made by the compiler)' : line}`;
  return inlinedAt === null ? own : `${own}, inlined at ${inlinedAt.map(visible).join(', ')}`;
}
