/** What RUN lines have found, as diagnostics: CHECK lines that fail in FileCheck's words, RUN lines that fail without one. */
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver-types';
import { oneLine } from '../../text/visible.js';
import type { Snapshot } from '../snapshot.js';

const SOURCE = 'FileCheck';
/** More bury the editor. */
const MAX_FINDINGS = 200;

/** Of a stale verdict as information: the next one follows. */
export function verdictDiagnostics(snapshot: Snapshot): Diagnostic[] {
  const { verdict, text } = snapshot;
  if (!verdict || verdict.test.isExpectedToFail) return [];
  const severity = verdict.isStale ? DiagnosticSeverity.Information : DiagnosticSeverity.Error;
  const several = verdict.test.runs.length > 1;
  const found: Diagnostic[] = [];
  const add = (line: number, code: string, message: string): void => {
    const at = verdict.nowAt(line);
    if (at < 0 || text.lineCount <= at || found.length >= MAX_FINDINGS) return;
    const start = text.lineStart(at);
    const indent = /^\s*/.exec(text.slice(start, text.lineEnd(at)))![0].length;
    const range = snapshot.rangeOf(start + indent, text.lineEnd(at));
    found.push({ range, severity, source: SOURCE, code, message });
  };
  for (const run of verdict.test.runs) {
    if (run.verdict !== 'failed') continue;
    const of = several ? `\n(RUN line ${verdict.nowAt(run.line) + 1})` : '';
    for (const { line, message } of run.findings)
      add(line, 'check-failed', `${message.split('\n').map(oneLine).join('\n')}${of}`);
    if (run.findings.length === 0 || run.findings[0]!.message !== run.detail)
      add(run.line, 'run-failed', run.detail.split('\n').slice(0, 4).map(oneLine).join('\n'));
  }
  return found;
}
