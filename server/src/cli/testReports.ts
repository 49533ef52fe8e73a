/** Reports of `amdgpu-mir test` for other programs: JUnit as lit writes it, and the formats that commands share. */
import { basename, dirname } from 'node:path';
import { oneLine } from '../text/visible.js';
import { githubCommands, markdownFindings, sarifLog, type ReportedFinding } from './findingReports.js';
import { reportJson, type TestFinding, type TestReport } from './report.js';
import { csvTable, markdownTable } from './tables.js';
import { ResultKind, type TestResult } from './testResult.js';

const SUITE = 'amdgpu-mir';

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
/** What XML has no way to write goes; the mark that ends such a section is cut in two. */
const section = (text: string): string =>
  `<![CDATA[${text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, '').replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** lit's report in the form of JUnit. */
export function xunitReport(results: readonly TestResult[], seconds: number): string {
  const cases = results.map(({ test, kind, output, seconds: time }) => {
    const folder = dirname(test.name);
    const place = folder === '.' ? SUITE : folder.replaceAll('.', '_');
    const head = `<testcase classname="${escapeXml(`${SUITE}.${place}`)}" name="${escapeXml(basename(test.name))}" time="${time.toFixed(2)}"`;
    if (kind.isFailure) return `${head}>\n  <failure>${section(output)}</failure>\n</testcase>\n`;
    if (kind === ResultKind.unsupported) return `${head}>\n  <skipped message="${escapeXml(output)}"/>\n</testcase>\n`;
    return `${head}/>\n`;
  });
  const count = (holds: (kind: ResultKind) => boolean): number => results.filter((r) => holds(r.kind)).length;
  const counts = `tests="${results.length}" failures="${count((k) => k.isFailure)}" skipped="${count((k) => k === ResultKind.unsupported)}"`;
  const total = results.reduce((sum, r) => sum + r.seconds, 0).toFixed(2);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites time="${seconds.toFixed(2)}">\n<testsuite name="${SUITE}" ${counts} time="${total}">\n${cases.join('')}</testsuite>\n</testsuites>\n`;
}

/** Errors of llc and FileCheck about the test itself; the RUN line that failed where there are none. */
function failuresOf({ test, output, kind }: TestResult): TestFinding[] {
  const found: TestFinding[] = [];
  for (const [, path, line, column, message] of output.matchAll(/^# \| (.*?):(\d+):(\d+): error: (.*)$/gm))
    if (path!.endsWith(basename(test.path)))
      found.push({ line: Number(line), column: Number(column), message: message! });
  if (found.length > 0) return found;
  const run = [...output.matchAll(/^# RUN: at line (\d+)$/gm)].at(-1)?.[1];
  const why = /^# \| (?:.*: )?error: (.*)$/m.exec(output)?.[1] ?? output.split('\n', 1)[0]!;
  return [{ line: Number(run ?? 1), column: null, message: run === undefined ? why : `${kind.label}: ${why}` }];
}

const isFinding = ({ kind }: TestResult): boolean => kind.isFailure || kind === ResultKind.xpass;

/** One for each failing directive. */
const findingsOf = (results: readonly TestResult[]): ReportedFinding[] =>
  results.filter(isFinding).flatMap((result) =>
    failuresOf(result).map(({ line, column, message }) => ({
      ...{ file: result.test.path, line, column, endLine: null, endColumn: null, level: 'error' },
      ...{ rule: result.kind.name, ruleText: result.kind.label, message },
    })),
  );

/** A log of what failed, with places relative to the present folder. */
export const sarifReport = (results: readonly TestResult[]): string => sarifLog(findingsOf(results));

/** What a run of tests was. */
export interface TestRun {
  readonly results: readonly TestResult[];
  /** tests that there are, those of other shards, too */
  readonly discovered: number;
  readonly seconds: number;
  /** of the user; empty: ours ran */
  readonly llc: string;
  /** versions that may have answered */
  readonly llvm: readonly string[];
}

export type TestTableFormat = 'json' | 'sarif' | 'github' | 'csv' | 'markdown';

/** The whole report; `totals`: the last lines of the text report. */
export function formatTests(run: TestRun, format: TestTableFormat, totals: string): string {
  const { results } = run;
  if (format === 'json') return jsonReport(run);
  if (format === 'sarif') return sarifReport(results);
  if (format === 'github') return `${githubCommands(findingsOf(results))}${totals}`;
  const rows = results.map(({ test, kind, seconds, output }) => [
    ...[test.path, test.name, kind.name, seconds.toFixed(2)],
    kind.isFailure || kind === ResultKind.unsupported ? oneLine(firstLine(output)) : null,
  ]);
  if (format === 'csv') return csvTable(['file', 'name', 'result', 'seconds', 'why'], rows);
  const counts = [...countsOf(run)].map(([name, n]) => [name, n]);
  return [markdownTable(['result', 'tests'], counts), markdownFindings(findingsOf(results))]
    .filter((part) => part !== '')
    .join('\n');
}

const firstLine = (output: string): string => /^# \| (.*error: .*)$/m.exec(output)?.[1] ?? output.split('\n', 1)[0]!;

function countsOf({ results, discovered }: TestRun): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of results) counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1);
  if (discovered > results.length) counts.set(ResultKind.excluded.name, discovered - results.length);
  return counts;
}

function jsonReport(run: TestRun): string {
  const { results, discovered, seconds, llc, llvm } = run;
  const tests = results.map((result) => ({
    ...{ file: result.test.path, name: result.test.name, result: result.kind.name },
    ...{ seconds: result.seconds, output: result.output, findings: isFinding(result) ? failuresOf(result) : [] },
  }));
  const counts = Object.fromEntries(countsOf(run));
  return reportJson<TestReport>('test', llvm, { llc, seconds, discovered, counts, tests });
}
