/** Findings of any command for code review: SARIF 2.1.0, annotations of GitHub Actions, a list in Markdown. */
import { isAbsolute, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VERSION } from '../util/version.js';
import { markdownCell } from './tables.js';

/** A place in a file, from 1; columns in UTF-16 units, the end behind the last one. null: the whole file. */
export interface ReportedFinding {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
  readonly level: 'error' | 'warning' | 'note';
  /** stable identifier */
  readonly rule: string;
  /** what the rule is about */
  readonly ruleText: string;
  readonly message: string;
}

/** Of a finding without a place of its own. */
export const NOWHERE = { line: null, column: null, endLine: null, endColumn: null } as const;

/** Below the present folder as from there, with slashes; elsewhere as it was named. */
function shownPath(file: string): string {
  const near = isAbsolute(file) ? relative(process.cwd(), file) : file;
  return (isAbsolute(near) || near.startsWith('..') ? file : near).replaceAll('\\', '/');
}

function uriOf(file: string): string {
  const shown = shownPath(file);
  return isAbsolute(shown) ? pathToFileURL(shown).href : shown.split('/').map(encodeURIComponent).join('/');
}

/** A log with one result for each finding, with places relative to the present folder. */
export function sarifLog(findings: readonly ReportedFinding[]): string {
  const rules = new Map<string, string>();
  for (const { rule, ruleText } of findings) if (!rules.has(rule)) rules.set(rule, ruleText);
  const ids = [...rules.keys()];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'amdgpu-mir',
            version: VERSION,
            rules: ids.map((id) => ({ id, shortDescription: { text: rules.get(id)! } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: ids.indexOf(finding.rule),
          level: finding.level,
          message: { text: finding.message },
          locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(finding.file) }, ...regionOf(finding) } }],
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function regionOf({ line, column, endLine, endColumn }: ReportedFinding): object {
  if (line === null) return {};
  const isRange = column !== null && endLine !== null && endColumn !== null;
  const end = isRange ? { endLine, endColumn } : {};
  return { region: { startLine: line, ...(column === null ? {} : { startColumn: column }), ...end } };
}

const GITHUB_LEVELS = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** A workflow command for each finding, which GitHub Actions shows in the changed files. */
export const githubCommands = (findings: readonly ReportedFinding[]): string =>
  findings
    .map(({ file, line, column, endLine, endColumn, level, rule, message }) => {
      const properties = [
        ['file', shownPath(file)],
        ['line', line],
        ['endLine', endLine],
        // GitHub takes columns of one line only.
        ...(line === endLine
          ? ([
              ['col', column],
              ['endColumn', endColumn],
            ] as const)
          : []),
        ['title', `amdgpu-mir ${rule}`],
      ] as const;
      const words = properties.flatMap(([name, value]) =>
        value === null ? [] : [`${name}=${property(String(value))}`],
      );
      return `::${GITHUB_LEVELS[level]} ${words.join(',')}::${data(message)}\n`;
    })
    .join('');

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A line for each finding; empty without any. */
export const markdownFindings = (findings: readonly ReportedFinding[]): string =>
  findings
    .map(({ file, line, column, level, rule, message }) => {
      const place = [shownPath(file), ...(line === null ? [] : [line, ...(column === null ? [] : [column])])].join(':');
      return `- **${level}** ${markdownCell(place)}: ${markdownCell(message)} (${markdownCell(rule)})\n`;
    })
    .join('');
