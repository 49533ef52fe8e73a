/** `amdgpu-mir check --findings`: what the editor finds in a file, and what it would do about it. */
import { DiagnosticSeverity, type CodeAction, type Diagnostic as LspDiagnostic } from 'vscode-languageserver-types';
import { quickFixes, runLineFixes } from '../features/assists/quickFixes.js';
import { toLspDiagnostics } from '../features/diagnostics/diagnostics.js';
import type { Snapshot } from '../features/snapshot/snapshot.js';
import type { SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import type { FileTarget } from '../program/targetOfFile.js';
import { NEVER_CANCELLED } from '../util/cancellation.js';
import type { CheckDiagnostic, CheckFinding } from './checkTypes.js';
import { snapshotOfFile } from './fileSnapshot.js';

/** Findings for which repairs are tried. */
const MAX_REPAIRED = 100;
/** Of a registers' pressure the light bulb has what helps among its rewrites. */
const REWRITES = /^Rematerialize /;
const REWRITTEN: ReadonlySet<unknown> = new Set(['rematerialize', 'spilled']);

const SEVERITIES: Readonly<Record<DiagnosticSeverity, CheckDiagnostic['severity']>> = {
  [DiagnosticSeverity.Error]: 'error',
  [DiagnosticSeverity.Warning]: 'warning',
  [DiagnosticSeverity.Information]: 'information',
  [DiagnosticSeverity.Hint]: 'hint',
};

/** In the order of the text; those about pressure, rematerialization and copies, too, which the editor has on request. */
export function checkFindings(
  source: string,
  { target, model }: { readonly target: FileTarget; readonly model: SchedulerModel },
  functionName: string | null,
): CheckFinding[] {
  const snapshot = snapshotOfFile(source, target, model, {
    ...{ pressureDiagnostics: true, rematDiagnostics: true, copyDiagnostics: true, unnecessaryHints: true },
  });
  // Spills are known when registers have been allocated.
  for (const view of snapshot.functions) view.allocate(NEVER_CANCELLED);
  const all = toLspDiagnostics(snapshot);
  const found =
    functionName === null ? all : all.filter(({ range }) => functionAtLine(snapshot, range) === functionName);
  const byPlace = (a: LspDiagnostic, b: LspDiagnostic): number =>
    a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character;
  return [...found].sort(byPlace).map((d, k) => ({
    severity: SEVERITIES[d.severity ?? DiagnosticSeverity.Error],
    code: String(d.code ?? ''),
    message: typeof d.message === 'string' ? d.message : d.message.value,
    line: d.range.start.line + 1,
    column: d.range.start.character + 1,
    endLine: d.range.end.line + 1,
    endColumn: d.range.end.character + 1,
    related: (d.relatedInformation ?? []).map(({ location, message }) => ({
      line: location.range.start.line + 1,
      message,
    })),
    fixes: k < MAX_REPAIRED ? fixesOf(snapshot, d) : [],
  }));
}

const functionAtLine = (snapshot: Snapshot, { start }: LspDiagnostic['range']): string | undefined =>
  snapshot.functionAt(snapshot.text.offsetAt(start))?.name;

function fixesOf(snapshot: Snapshot, diagnostic: LspDiagnostic): string[] {
  const { range, code } = diagnostic;
  const only = REWRITTEN.has(code) ? ['quickfix', 'refactor.rewrite'] : ['quickfix'];
  const params = { range, context: { diagnostics: [diagnostic], only } };
  const actions = [...quickFixes(snapshot, params, NEVER_CANCELLED), ...runLineFixes(snapshot, params)];
  const isOf = ({ kind, diagnostics, title }: CodeAction): boolean =>
    kind?.startsWith('quickfix') === true
      ? diagnostics === undefined || diagnostics.some((d) => d.message === diagnostic.message)
      : REWRITES.test(title);
  return [...new Set(actions.filter(isOf).map(({ title }) => title))];
}
