/** What `check` found, as tables and findings for other programs; the report for people is checkReport.ts, JSON is report.ts. */
import { visible } from '../text/visible.js';
import { targetLabel } from '../program/targetOfFile.js';
import { allDiagnostics, type CheckDiagnostic, type CheckFile, type CheckFunction } from './checkTypes.js';
import { githubCommands, markdownFindings, sarifLog, type ReportedFinding } from './findingReports.js';
import { csvTable, markdownTable, type Cell } from './tables.js';

export type CheckTableFormat = 'sarif' | 'github' | 'csv' | 'markdown';

/** The whole report; `totals`: the last line of the text report. */
export function formatCheck(files: readonly CheckFile[], format: CheckTableFormat, totals: string): string {
  const findings = files.flatMap(findingsOf);
  if (format === 'sarif') return sarifLog(findings);
  if (format === 'github') return `${githubCommands(findings)}${totals}`;
  const rows = files.flatMap(rowsOf);
  if (format === 'csv') return csvTable(COLUMNS, rows);
  const skipped = files.filter((file) => file.skipped !== '').map((file) => `${file.file}: ${file.skipped}`);
  const parts = [
    rows.length === 0
      ? ''
      : markdownTable(
          SHOWN.map((c) => COLUMNS[c]!),
          rows.map((row) => SHOWN.map((c) => row[c]!)),
        ),
    markdownFindings(findings),
    skipped.map((line) => `- skipped: ${visible(line)}\n`).join(''),
    totals,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const LEVELS: Readonly<Record<CheckDiagnostic['severity'], ReportedFinding['level']>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

/** Those of the editor, where they were asked for, and others, in the order of the text. */
function findingsOf(file: CheckFile): ReportedFinding[] {
  const told = new Set(file.findings?.map(placeKey));
  const own = (file.findings ?? []).map((finding) => ({ diagnostic: finding, targets: null }));
  const others = allDiagnostics(file).filter(({ diagnostic }) => !told.has(placeKey(diagnostic)));
  return [...own, ...others]
    .sort((a, b) => byPlace(a.diagnostic, b.diagnostic))
    .map(({ diagnostic: d, targets }) => {
      const only = targets === null ? '' : ` (for ${targets.map(({ target }) => targetLabel(target)).join('; ')})`;
      const hasPlace = d.line !== 0;
      return {
        ...{ file: file.file, level: LEVELS[d.severity], rule: d.code, ruleText: d.code.replaceAll('-', ' ') },
        ...{ line: hasPlace ? d.line : null, column: hasPlace ? d.column : null },
        ...{ endLine: hasPlace ? d.endLine : null, endColumn: hasPlace ? d.endColumn : null },
        message: `${d.message}${only}`,
      };
    });
}

/** The editor says the same of a place in more words. */
export const placeKey = ({ line, column, code }: CheckDiagnostic): string => `${line}:${column}:${code}`;

/** What has no place comes first. */
export const byPlace = (a: CheckDiagnostic, b: CheckDiagnostic): number => a.line - b.line || a.column - b.column;

const COLUMNS = [
  ...['file', 'function', 'line', 'target', 'llvm', 'stage', 'waves written', 'waves scheduled', 'waves as llc ends'],
  ...['most waves', 'limited by', 'VGPR', 'AGPR', 'VGPR and AGPR', 'SGPR', 'spilled VGPRs', 'spilled SGPRs'],
  ...['scratch bytes', 'LDS bytes', 'live VGPRs', 'line of most VGPRs', 'live SGPRs', 'line of most SGPRs'],
  ...['live AGPRs', 'line of most AGPRs', 'why not known'],
] as const;

/** In Markdown, which people read. */
const SHOWN = [
  'file',
  'function',
  'target',
  'waves written',
  'waves scheduled',
  'waves as llc ends',
  'most waves',
  'limited by',
  'VGPR',
  'AGPR',
  'SGPR',
  'spilled VGPRs',
  'spilled SGPRs',
  'scratch bytes',
].map((column) => (COLUMNS as readonly string[]).indexOf(column));

/** A row for each function and target. */
const rowsOf = (file: CheckFile): Cell[][] =>
  [file, ...file.otherTargets].flatMap(({ target, llvm, functions }) =>
    functions.map((fn) => [file.file, fn.name, fn.line, targetLabel(target), llvm, ...numbersOf(fn)]),
  );

function numbersOf(fn: CheckFunction): Cell[] {
  const { pressure: p, outcome: o, bounds, stage } = fn;
  const peak = (own: { readonly value: number; readonly line: number } | undefined): Cell[] =>
    own === undefined ? [null, null] : [own.value, own.line === 0 ? null : own.line];
  const whyNot = [fn.registers, fn.noOutcome].filter((text) => text !== '').join('; ');
  const hasErrors = p === null && o === null && whyNot === '';
  return [
    ...[stage?.name ?? null, p?.occupancy ?? null, stage?.scheduledOccupancy ?? null, o?.waves ?? null],
    ...[bounds?.most ?? p?.maxOccupancy ?? null, (bounds?.by.join(' and ') ?? p?.limitedBy) || null],
    ...[o?.vgpr ?? null, o?.agpr ?? null, o?.totalVgpr ?? null, o?.sgpr ?? null],
    ...[o?.vgprSpills ?? null, o?.sgprSpills ?? null, o?.scratchBytes ?? null, o?.ldsBytes ?? p?.ldsBytes ?? null],
    ...[...peak(p?.vgpr), ...peak(p?.sgpr), ...peak(p?.agpr)],
    hasErrors ? 'not analysed: it has errors' : whyNot === '' ? null : whyNot,
  ];
}
