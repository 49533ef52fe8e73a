/** Reports of `amdgpu-mir test` for other programs: JUnit as lit writes it, SARIF 2.1.0. */
import { basename, dirname, relative } from 'node:path';
import { VERSION } from '../util/version.js';
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

interface Finding {
  readonly line: number;
  readonly column: number | null;
  readonly message: string;
}

/** Errors of llc and FileCheck about the test itself; the RUN line that failed where there are none. */
function findingsOf({ test, output, kind }: TestResult): Finding[] {
  const found: Finding[] = [];
  for (const [, path, line, column, message] of output.matchAll(/^# \| (.*?):(\d+):(\d+): error: (.*)$/gm))
    if (path!.endsWith(basename(test.path)))
      found.push({ line: Number(line), column: Number(column), message: message! });
  if (found.length > 0) return found;
  const run = [...output.matchAll(/^# RUN: at line (\d+)$/gm)].at(-1)?.[1];
  const why = /^# \| (?:.*: )?error: (.*)$/m.exec(output)?.[1] ?? output.split('\n', 1)[0]!;
  return [{ line: Number(run ?? 1), column: null, message: run === undefined ? why : `${kind.label}: ${why}` }];
}

/** A log of what failed, with places relative to the present folder; one result for each failing directive. */
export function sarifReport(results: readonly TestResult[]): string {
  const failures = results.filter((r) => r.kind.isFailure || r.kind === ResultKind.xpass);
  const kinds = [...new Set(failures.map((r) => r.kind))];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'amdgpu-mir',
            version: VERSION,
            rules: kinds.map((kind) => ({ id: kind.name, shortDescription: { text: kind.label } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: failures.flatMap((result) =>
          findingsOf(result).map(({ line, column, message }) => ({
            ruleId: result.kind.name,
            ruleIndex: kinds.indexOf(result.kind),
            level: 'error',
            message: { text: message },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: uriOf(result.test.path) },
                  region: { startLine: line, ...(column === null ? {} : { startColumn: column }) },
                },
              },
            ],
          })),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const uriOf = (path: string): string =>
  relative(process.cwd(), path)
    .split(/[\\/]/)
    .map((part) => encodeURIComponent(part))
    .join('/');
