/** The list of `amdgpu-mir log` as a table, as CSV and as JSON. */
import { outcomeRegistersText, outcomeSpillText } from '../features/words/outcomeText.js';
import { dumpName } from '../program/machineLog/dumpSelector.js';
import type { LikelyTarget } from '../program/machineLog/dumpMir.js';
import type { LogFacts } from '../program/machineLog/logReader.js';
import type { LogRow } from '../program/machineLog/logTable.js';
import { visible } from '../text/visible.js';
import { fitLines } from './fitLines.js';
import { reportJson, type LogJsonReport } from './report.js';
import { csvTable } from './tables.js';

export interface LogReport {
  readonly file: string;
  readonly facts: LogFacts;
  readonly rows: readonly LogRow[];
  readonly target: LikelyTarget;
}

/** `log of 61 machine passes, 3 functions, cut off in "si-insert-waitcnts"` */
function logHeadline({ facts, rows }: Pick<LogReport, 'facts' | 'rows'>): string {
  const passes = new Set(rows.map(({ when, pass, title, instance }) => `${when} ${pass || title} ${instance}`)).size;
  const functions = new Set(rows.map(({ functionName }) => functionName)).size;
  const cut =
    rows.at(-1)?.isCut === true ? `, cut off in ${dumpName({ ...rows.at(-1)!, lines: [], properties: '' })}` : '';
  const ir = facts.irDumps === 0 ? '' : `, ${count(facts.irDumps, 'dump')} of LLVM IR left out`;
  return `log of ${count(passes, 'machine pass', 'machine passes')}, ${count(functions, 'function')}${ir}${cut}`;
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const TITLES = ['#', 'pass', 'function', 'instructions', 'VGPR', 'AGPR', 'SGPR', 'waves', 'errors', 'as llc ends'];
/** Columns of numbers stand on the right. */
const RIGHT = new Set(['#', 'instructions', 'VGPR', 'AGPR', 'SGPR', 'waves', 'errors']);

export function logText(report: LogReport, columns: number): string {
  const { rows, target } = report;
  const cells = rows.map(cellsOf);
  const isUsed = TITLES.map((_, c) => c < 4 || cells.some((row) => row[c] !== '' && row[c] !== '=' && row[c] !== '0'));
  const shown = [TITLES, ...cells].map((row) => row.filter((_, c) => isUsed[c]));
  const titles = shown[0]!;
  const widths = titles.map((_, c) => shown.reduce((width, row) => Math.max(width, row[c]!.length), 0));
  const table = shown.map((row) =>
    row
      .map((cell, c) => (RIGHT.has(titles[c]!) ? cell.padStart(widths[c]!) : cell.padEnd(widths[c]!)))
      .join('  ')
      .trimEnd(),
  );
  const isAllocated = rows.some(({ facts }) => facts?.registers?.isAllocated === true);
  const foot = [
    '= : the pass changed nothing.',
    `VGPR, AGPR, SGPR: most that live at once${isAllocated ? '; with *, registers in use after allocation' : ''}.`,
    targetText(target),
  ];
  const errors = rows.flatMap((row) =>
    row.isChanged === false ? [] : (row.facts?.errors ?? []).slice(0, 1).map((e) => `#${row.index}: ${visible(e)}`),
  );
  const told =
    errors.length === 0 ? '' : `\n${errors.slice(0, MAX_ERRORS).join('\n')}\n${more(errors.length - MAX_ERRORS)}`;
  return `${logHeadline(report)}\n\n${table.join('\n')}\n\n${fitLines(foot.join(' '), columns)}\n${told}`;
}

function targetText({ cpu, isGuess }: LikelyTarget): string {
  if (cpu === '') return 'The log names no processor; --mcpu does, and waves depend on it.';
  if (!isGuess) return `For ${visible(cpu)}.`;
  return `For ${cpu}, which is a guess: it takes the code, and the log names no other that does; --mcpu names it.`;
}

const MAX_ERRORS = 10;
const more = (n: number): string => (n > 0 ? `and ${n} more\n` : '');

function cellsOf(row: LogRow): string[] {
  const { index, when, pass, title, functionName, instructions, isChanged, facts, isCut, instance } = row;
  const name = [when, pass || title].filter((word) => word !== '').join(' ') || '(not named)';
  const again = instance === 0 ? '' : `,${instance}`;
  const head = [`${index}`, visible(`${name}${again}`), visible(functionName)];
  if (isCut) return [...head, `${instructions} cut off`, '', '', '', '', '', ''];
  if (isChanged === false) return [...head, '=', '=', '=', '=', '=', '=', (facts?.outcome ?? null) === null ? '' : '='];
  const { registers = null, errors = [], outcome = null, noOutcome = '' } = facts ?? {};
  const star = registers?.isAllocated === true ? '*' : '';
  const number = (n: number | undefined): string => (n === undefined ? '' : `${n}${star}`);
  const end =
    outcome === null
      ? noOutcome
      : [
          outcome.waves === null ? '' : `${outcome.waves} waves`,
          outcomeRegistersText(outcome),
          outcomeSpillText(outcome),
        ]
          .filter((t) => t !== '')
          .join(', ');
  return [
    ...head,
    `${instructions}`,
    number(registers?.vgpr),
    number(registers?.agpr),
    number(registers?.sgpr),
    number(registers?.waves ?? undefined),
    `${errors.length}`,
    visible(end),
  ];
}

const CSV_COLUMNS = [
  ...['index', 'when', 'pass', 'instance', 'title', 'function', 'line', 'instructions', 'changed'],
  ...['vgpr', 'agpr', 'sgpr', 'allocated', 'waves', 'errors', 'cut'],
];

export function logCsv({ rows }: LogReport): string {
  const lines = rows.map(
    ({ index, when, pass, instance, title, functionName, line, instructions, isChanged, facts, isCut }) => {
      const { vgpr = '', agpr = '', sgpr = '', waves = '', isAllocated = '' } = facts?.registers ?? {};
      const cells = [
        index,
        when,
        pass,
        instance,
        title,
        functionName,
        line,
        instructions,
        isChanged ?? '',
        vgpr,
        agpr,
        sgpr,
        isAllocated,
        waves ?? '',
        facts?.errors.length ?? '',
        isCut,
      ];
      return cells;
    },
  );
  return csvTable(CSV_COLUMNS, lines);
}

/** `llvm`: versions that may have answered. */
export function logJson({ file, facts, rows, target }: LogReport, llvm: readonly string[]): string {
  const dumps = rows.map(({ functionName, isChanged, isCut, facts: own, lastLine: _, ...rest }) => ({
    ...rest,
    function: functionName,
    changed: isChanged,
    cut: isCut,
    registers: own?.registers ?? null,
    errors: own?.errors ?? null,
    outcome: own?.outcome ?? null,
    noOutcome: own?.noOutcome ?? '',
  }));
  const { lines, irDumps } = facts;
  return reportJson<LogJsonReport>('log', llvm, { file, lines, irDumps, target, dumps });
}
