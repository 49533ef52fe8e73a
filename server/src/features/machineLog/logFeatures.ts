/** What an editor shows of a log: outline, folding, lenses, grey for what a pass left as it was, dumps as MIR. */
import {
  DiagnosticSeverity,
  DiagnosticTag,
  FoldingRangeKind,
  SymbolKind,
  type CodeLens,
  type Diagnostic,
  type DocumentSymbol,
  type FoldingRange,
  type Position,
  type Range,
} from 'vscode-languageserver-types';
import { dumpName } from '../../program/machineLog/dumpSelector.js';
import type { LogRow } from '../../program/machineLog/logTable.js';
import { oneLine } from '../../text/visible.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { ELSEWHERE, type Elsewhere } from '../snapshot/snapshot.js';
import { plural } from '../words/numbers.js';
import { COMPARE_DUMP_COMMAND, OPEN_DUMP_COMMAND } from '../words/viewCommands.js';
import type { LogDocument, LogEntry } from './logDocument.js';
import type { LogGraph, LogPoint } from './logGraphData.js';

/** Editors take no more than some thousands. */
const MAX_PARTS = 5000;
const NO_CHANGE = 'the pass changed nothing';

const rangeOf = ({ firstLine, lastLine }: LogEntry): Range => ({
  start: { line: firstLine, character: 0 },
  end: { line: lastLine, character: 0x7fffffff },
});

/** `after machine-scheduler`, `before greedy, 2` */
function passText({ dump: { when, pass, title, instance } }: LogEntry): string {
  const name = oneLine([when, pass || title].filter((word) => word !== '').join(' ')) || 'machine function';
  return instance === 0 ? name : `${name}, ${instance}`;
}

/** `253 instructions, VGPR 12, SGPR 24, 8 waves` */
function numbersText({ instructions, facts, isCut }: LogRow): string {
  const parts = [plural(instructions, 'instruction')];
  if (isCut) parts.push('cut off');
  const { registers = null, errors = [] } = facts ?? {};
  if (registers !== null) {
    parts.push(`VGPR ${registers.vgpr}`);
    if (registers.agpr > 0) parts.push(`AGPR ${registers.agpr}`);
    parts.push(`SGPR ${registers.sgpr}`);
    if (registers.isAllocated) parts.push('allocated');
    else if (registers.waves !== null) parts.push(plural(registers.waves, 'wave'));
  }
  if (errors.length > 0) parts.push(plural(errors.length, 'error'));
  return parts.join(', ');
}

/** `log of 61 machine passes, 3 functions, cut off`, and the dumps in it. */
export function logSymbols(log: LogDocument, token: CancellationToken): DocumentSymbol[] | Elsewhere | null {
  const { entries } = log;
  if (log.isLong) return ELSEWHERE;
  const rows = log.rows(token);
  if (rows === null) return null;
  const children = entries.slice(0, MAX_PARTS).map((entry, k): DocumentSymbol => {
    const isSame = entry.isChanged === false;
    return {
      name: passText(entry),
      detail: `${oneLine(entry.dump.functionName)}: ${isSame ? 'unchanged' : numbersText(rows[k]!)}`,
      kind: isSame ? SymbolKind.Null : SymbolKind.Function,
      range: rangeOf(entry),
      selectionRange: rangeOf({ ...entry, lastLine: entry.firstLine }),
    };
  });
  const whole = { start: { line: 0, character: 0 }, end: { line: log.facts.lines, character: 0 } };
  const selectionRange = { start: whole.start, end: whole.start };
  return [{ name: headline(log), kind: SymbolKind.File, range: whole, selectionRange, children }];
}

function headline({ entries, target }: LogDocument): string {
  const passes = new Set(entries.map((entry) => passText(entry))).size;
  const functions = new Set(entries.map(({ dump }) => dump.functionName)).size;
  const isCut = entries.at(-1)?.dump.isCut === true;
  const cpu = target.cpu === '' ? '' : `, ${oneLine(target.cpu)}${target.isGuess ? ' (guess)' : ''}`;
  const cut = isCut ? `, cut off in ${oneLine(dumpName(entries.at(-1)!.dump))}` : '';
  return `log of ${passes === 1 ? '1 machine pass' : `${passes} machine passes`}, ${plural(functions, 'function')}${cpu}${cut}`;
}

export function logFolding({ entries }: LogDocument): FoldingRange[] {
  return entries
    .slice(0, MAX_PARTS)
    .map(({ firstLine, lastLine }) => ({ startLine: firstLine, endLine: lastLine, kind: FoldingRangeKind.Region }))
    .filter(({ startLine, endLine }) => startLine < endLine);
}

/** Hints that editors show by fading the lines. */
export function logDiagnostics({ entries }: LogDocument): Diagnostic[] {
  return entries
    .filter(({ isChanged }) => isChanged === false)
    .slice(0, MAX_PARTS)
    .map((entry) => ({
      range: rangeOf(entry),
      severity: DiagnosticSeverity.Hint,
      tags: [DiagnosticTag.Unnecessary],
      source: 'amdgpu-mir',
      code: 'unchanged-dump',
      message: NO_CHANGE,
    }));
}

/** Above each dump its numbers, and ways to it as MIR and to what changed. */
export function logLenses(log: LogDocument, token: CancellationToken): CodeLens[] | Elsewhere | null {
  if (!log.settings.codeLens) return [];
  if (log.isLong) return ELSEWHERE;
  const rows = log.rows(token);
  if (rows === null) return null;
  return log.entries.slice(0, MAX_PARTS).flatMap((entry, k): CodeLens[] => {
    const range = rangeOf({ ...entry, lastLine: entry.firstLine });
    const lens = (title: string, command: string): CodeLens => ({
      range,
      command: { title, command, arguments: [log.uri, entry.firstLine] },
    });
    if (entry.isChanged === false) return [lens('unchanged', OPEN_DUMP_COMMAND)];
    const title = `${passText(entry)}: ${numbersText(rows[k]!)}`;
    const others = [
      lens('open as MIR', OPEN_DUMP_COMMAND),
      ...(entry.before === null ? [] : [lens('compare with previous pass', COMPARE_DUMP_COMMAND)]),
    ];
    return [lens(title, OPEN_DUMP_COMMAND), ...others];
  });
}

/** A dump as MIR. `text` null: there is no dump at or above the place, `problem` says so. */
export interface DumpText {
  readonly title: string;
  readonly text: string | null;
  readonly problem: string;
}

export function provideDumpText(log: LogDocument, { position }: { readonly position: Position }): DumpText {
  const entry = log.entryAt(position.line);
  if (entry === null) return { title: '', text: null, problem: 'there is no machine function at or above the line' };
  return { title: titleOf(entry), text: log.mirOf(entry.dump), problem: '' };
}

const NO_LOG = 'the document is no log of machine dumps';

/** Of MIR. */
export const provideDumpTextOfMir = (): DumpText => ({ title: '', text: null, problem: NO_LOG });
export const provideDumpPairOfMir = (): DumpPair => ({
  title: '',
  beforeTitle: '',
  before: null,
  text: null,
  problem: NO_LOG,
});

/** A dump and the one of its function before it, both as MIR. */
export interface DumpPair {
  readonly title: string;
  readonly beforeTitle: string;
  readonly before: string | null;
  readonly text: string | null;
  readonly problem: string;
}

export function provideDumpPair(log: LogDocument, { position }: { readonly position: Position }): DumpPair {
  const entry = log.entryAt(position.line);
  const none = { title: '', beforeTitle: '', before: null, text: null };
  if (entry === null) return { ...none, problem: 'there is no machine function at or above the line' };
  if (entry.before === null)
    return { ...none, problem: `${oneLine(entry.dump.functionName)} has no dump before this one in the log` };
  const before = { ...entry, dump: entry.before };
  return {
    title: titleOf(entry),
    beforeTitle: titleOf(before),
    before: log.mirOf(entry.before),
    text: log.mirOf(entry.dump),
    problem: '',
  };
}

const titleOf = (entry: LogEntry): string => `${oneLine(entry.dump.functionName)} ${passText(entry)}`;

const noGraph = (problem: string): LogGraph => ({
  ...{ function: '', headline: '', firstLine: 0, lastLine: -1, points: [], text: '', problem },
});
export const provideLogGraphOfMir = (): LogGraph => noGraph(NO_LOG);

/** The dumps of the function at or above the place, in the order of the log; null when cancelled. */
export function provideLogGraph(
  log: LogDocument,
  { position }: { readonly position: Position },
  token: CancellationToken,
): LogGraph | Elsewhere | null {
  const { entries } = log;
  const here = log.entryAt(position.line) ?? entries[0];
  if (here === undefined) return noGraph('there is no machine function in the log');
  if (log.isLong) return ELSEWHERE;
  const rows = log.rows(token);
  if (rows === null) return null;
  const { functionName } = here.dump;
  const points = entries.flatMap((entry, k): LogPoint[] => {
    if (entry.dump.functionName !== functionName) return [];
    const { instructions, facts } = rows[k]!;
    const { registers = null, errors = [] } = facts ?? {};
    const [pass, isChanged] = [passText(entry), entry.isChanged !== false];
    const { vgpr = null, sgpr = null, agpr = null, waves = null, isAllocated = false } = registers ?? {};
    return [
      {
        ...{ pass, line: entry.firstLine, lastLine: entry.lastLine, isChanged, instructions },
        ...{ vgpr, sgpr, agpr, waves, isAllocated, errors: errors.length },
      },
    ];
  });
  const cpu = log.target.cpu === '' ? '' : `, ${oneLine(log.target.cpu)}${log.target.isGuess ? ' (guess)' : ''}`;
  const name = oneLine(functionName);
  const headline = `${plural(points.length, 'dump')}${cpu}`;
  const text = graphText(name, headline, points);
  const lastLine = points.at(-1)!.lastLine;
  return { function: name, headline, firstLine: points[0]!.line, lastLine, points, text, problem: '' };
}

/** A row for each pass that changed something. */
function graphText(name: string, headline: string, points: readonly LogPoint[]): string {
  const cell = (value: number | null): string => (value === null ? '-' : String(value));
  const rows = points
    .filter(({ isChanged }) => isChanged)
    .map((p) => [p.pass, cell(p.instructions), cell(p.vgpr), cell(p.sgpr), cell(p.agpr), cell(p.waves)]);
  const table = [['pass', 'instructions', 'VGPR', 'SGPR', 'AGPR', 'waves'], ...rows];
  const widths = table[0]!.map((_, k) => Math.max(...table.map((row) => row[k]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((text, k) => (k === 0 ? text.padEnd(widths[k]!) : text.padStart(widths[k]!))).join('  ');
  return [`${name}: ${headline}`, ...table.map(line), ''].join('\n');
}
