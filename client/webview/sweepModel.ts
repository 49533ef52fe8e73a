/** What the sweep view shows, as data: rows with their cells, which is best in each column, in which order. Knows neither DOM nor editor. */
import type { Outcome, SweepRow, SweepSetting } from '../../server/src/features/levers/sweepData.js';

export interface SweepTableRow {
  /** `amdgpu-waves-per-eu=8,8` */
  readonly label: string;
  readonly setting: SweepSetting;
  /** null: not computed yet */
  readonly row: SweepRow | null;
}

export interface SweepTable {
  readonly function: string;
  readonly target: string;
  readonly llvm: string;
  /** 0-based, of the function */
  readonly firstLine: number;
  readonly lastLine: number;
  /** the file as it is first */
  readonly rows: readonly SweepTableRow[];
  /** settings that are computed of the present text */
  readonly done: number;
  readonly isRunning: boolean;
  /** some rows are of a text before the last edit */
  readonly isStale: boolean;
  /** words that were swept, empty: the usual settings */
  readonly vary: string;
  /** what is wrong, else empty */
  readonly problem: string;
  /** for a bug report */
  readonly text: string;
}

export interface Cell {
  /** null: llc says nothing of it */
  readonly value: number | null;
  readonly text: string;
}

interface Column {
  readonly name: string;
  /** for who points at it */
  readonly title: string;
  readonly isMoreBetter: boolean;
  readonly cell: (row: Finished) => Cell;
}

type Finished = SweepRow & { readonly outcome: Outcome };

const plain = (value: number | null): Cell => ({ value, text: value === null ? '-' : String(value) });
const inLoops = (total: number, loop: number): Cell => ({
  // One in a loop is worse than any number outside of it.
  value: total + loop * 1e6,
  text: loop === 0 ? String(total) : `${total} (${loop})`,
});

const column = (name: string, title: string, cell: Column['cell'], isMoreBetter = false): Column => ({
  name,
  title,
  isMoreBetter,
  cell,
});

export const COLUMNS: readonly Column[] = [
  column('waves', 'waves per EU that llc ends with', ({ outcome }) => plain(outcome.waves), true),
  column('VGPR', 'NumVgprs', ({ outcome }) => plain(outcome.vgpr)),
  column('AGPR', 'NumAgprs', ({ outcome }) => plain(outcome.agpr)),
  column('SGPR', 'TotalNumSgprs', ({ outcome }) => plain(outcome.sgpr)),
  column('spills+reloads (loop)', 'instructions that spill or reload; in brackets, those in loops', ({ spills: s }) =>
    inLoops(s.vgprSaves + s.vgprRestores + s.sgprSaves + s.sgprRestores, s.inLoops),
  ),
  column('A-V copies (loop)', 'copies between VGPRs and AGPRs, of them in loops', ({ bankCopies: c }) =>
    inLoops(c.total, c.inLoops),
  ),
  column('instructions', 'of the function as llc ends with it', ({ instructions }) => plain(instructions)),
  column(
    'length (model)',
    'cycles by the scheduling model, weighted by LLVM’s static frequencies; not a time',
    ({ modelLength }) => plain(modelLength),
  ),
  column('scratch', 'bytes of a lane', ({ outcome }) => plain(outcome.scratchBytes)),
];

export const isFinished = (row: SweepRow | null): row is Finished => row !== null && row.outcome !== null;

/** Empty for rows without an outcome. */
export const cellsOf = ({ row }: SweepTableRow): readonly Cell[] =>
  isFinished(row) ? COLUMNS.map(({ cell }) => cell(row)) : [];

/** The best value of each column; null where most have it, or there are none. */
export function bestValues(rows: readonly SweepTableRow[]): (number | null)[] {
  const cells = rows.map(cellsOf).filter((list) => list.length > 0);
  return COLUMNS.map(({ isMoreBetter }, k) => {
    const values = cells.flatMap((list) => list[k]!.value ?? []);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    if (values.length === 0) return null;
    const best = isMoreBetter ? most : least;
    return values.filter((value) => value === best).length * 2 > values.length || least === most ? null : best;
  });
}

export interface Order {
  /** index in COLUMNS, -1 = by the setting */
  readonly column: number;
  readonly isDescending: boolean;
}

/** Indices of the rows; null: as they were asked for. Rows without a value come last. */
export function orderOf(rows: readonly SweepTableRow[], order: Order | null): number[] {
  const indices = rows.map((_, k) => k);
  if (order === null) return indices;
  const sign = order.isDescending ? -1 : 1;
  const keys = rows.map((own) => (order.column < 0 ? own.label : (cellsOf(own)[order.column]?.value ?? null)));
  return indices.sort((a, b) => {
    const [x, y] = [keys[a]!, keys[b]!];
    if (x === y) return a - b;
    if (x === null || y === null) return x === null ? 1 : -1;
    return (x < y ? -1 : 1) * sign;
  });
}

/** Where a click on a column leads: best first, then the other way round, then as they were asked for. */
export function nextOrder(order: Order | null, clicked: number): Order | null {
  const first = clicked >= 0 && COLUMNS[clicked]!.isMoreBetter;
  if (order?.column !== clicked) return { column: clicked, isDescending: first };
  return order.isDescending === first ? { column: clicked, isDescending: !first } : null;
}

/** A table in plain text. */
export function sweepText({ function: name, target, llvm, rows }: Omit<SweepTable, 'text'>): string {
  const head = [`${name}  ${target}, ${llvm}`, ...COLUMNS.map((own) => own.name)];
  const lines = rows.map((own) => [`  ${own.label}`, ...cellsOf(own).map(({ text }) => text)]);
  const widths = head.map((_, k) => Math.max(...[head, ...lines].map((line) => line[k]?.length ?? 0)));
  const written = (line: readonly string[]): string =>
    line.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))).join('  ');
  return [
    written(head),
    ...lines.map((line, k) => {
      const { row } = rows[k]!;
      if (isFinished(row)) return written(line);
      return `${line[0]!}: ${row === null ? 'not computed' : row.failed}`;
    }),
    '',
  ].join('\n');
}
