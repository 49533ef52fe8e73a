/** Findings of parser, lowering and verifier as the editor shows them. */
import { DiagnosticSeverity, type Diagnostic as LspDiagnostic } from 'vscode-languageserver-types';
import { DiagnosticOrigin, type Diagnostic } from '../text/diagnostic.js';
import type { Snapshot } from './snapshot.js';

/** Of one function; more would bury the editor. The rest is told in one line. */
const MAX_PER_FUNCTION = 200;
export const SOURCE = 'amdgpu-mir';

/** All diagnostics of the snapshot in the order of the text. One mistake gets one squiggle: repeated places are dropped. */
export function toLspDiagnostics(snapshot: Snapshot): LspDiagnostic[] {
  const result: LspDiagnostic[] = snapshot.fileDiagnostics.map((d) => convert(snapshot, d));
  for (const fn of snapshot.functions) {
    const seen = new Set<string>();
    let shown = 0;
    for (const diagnostic of fn.diagnostics) {
      const key = `${diagnostic.start}:${diagnostic.end}:${diagnostic.message}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (++shown > MAX_PER_FUNCTION) continue;
      result.push(convert(snapshot, diagnostic));
    }
    if (MAX_PER_FUNCTION < shown)
      result.push({
        range: snapshot.rangeOf(fn.start, fn.start),
        severity: DiagnosticSeverity.Information,
        source: SOURCE,
        code: 'more-diagnostics',
        message: `${shown - MAX_PER_FUNCTION} more findings in function '${fn.name}' are not shown`,
      });
  }
  return result;
}

function convert(snapshot: Snapshot, diagnostic: Diagnostic): LspDiagnostic {
  const { start, code, message, severity, related } = diagnostic;
  // An empty range shows as nothing in some editors; one character does.
  const end = Math.max(diagnostic.end, start);
  const lsp: LspDiagnostic = {
    range: snapshot.rangeOf(start, end),
    severity: severity as DiagnosticSeverity,
    source: SOURCE,
    code,
    message: diagnostic.origin === DiagnosticOrigin.Verifier ? `${message}\n(machine verifier)` : message,
  };
  if (related && related.length > 0)
    lsp.relatedInformation = related.map((r) => ({
      location: { uri: snapshot.uri, range: snapshot.rangeOf(r.start, r.end) },
      message: r.message,
    }));
  return lsp;
}
