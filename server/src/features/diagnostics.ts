/** Findings of parser, lowering and verifier as the editor shows them. */
import { DiagnosticSeverity, type Diagnostic as LspDiagnostic } from 'vscode-languageserver-types';
import { DiagnosticOrigin, type Diagnostic } from '../text/diagnostic.js';
import { MODELLED_LLVM } from '../util/modelledLLVM.js';
import { pressureFindings } from './pressureFindings.js';
import { rematHints } from './remat/rematHints.js';
import { relatedPlaces } from './relatedPlaces.js';
import type { Snapshot } from './snapshot.js';
import { TargetOrigin } from './targetOfFile.js';
import { oneLine } from '../text/visible.js';

/** Of one function; more would bury the editor. The rest is told in one line. */
const MAX_PER_FUNCTION = 200;
export const SOURCE = 'amdgpu-mir';

/** All diagnostics of the snapshot in the order of the text. One mistake gets one squiggle: repeated places are dropped. */
export function toLspDiagnostics(snapshot: Snapshot): LspDiagnostic[] {
  const result: LspDiagnostic[] = [
    ...targetDiagnostics(snapshot),
    ...snapshot.fileDiagnostics.map((d) => convert(snapshot, d)),
  ];
  for (const fn of snapshot.functions) {
    const seen = new Set<string>();
    let shown = 0;
    const pressure = snapshot.settings.pressureDiagnostics ? pressureFindings(fn) : [];
    const remat = snapshot.settings.rematDiagnostics ? rematHints(fn) : [];
    for (const diagnostic of [...fn.diagnostics, ...pressure, ...remat]) {
      const key = `${diagnostic.start}:${diagnostic.end}:${diagnostic.message}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (++shown > MAX_PER_FUNCTION) continue;
      result.push(convert(snapshot, { ...diagnostic, related: relatedPlaces(snapshot, fn, diagnostic) }));
    }
    if (MAX_PER_FUNCTION < shown)
      result.push({
        range: snapshot.rangeOf(fn.start, fn.start),
        severity: DiagnosticSeverity.Information,
        source: SOURCE,
        ...codeOf(snapshot, 'more-diagnostics'),
        message: `${shown - MAX_PER_FUNCTION} more findings in function '${oneLine(fn.name)}' are not shown`,
      });
  }
  return result;
}

/** What LLVM says of the target that a RUN line names, e.g. a processor that 22.1.8 does not know (any more). */
function targetDiagnostics(snapshot: Snapshot): LspDiagnostic[] {
  const { target, subtarget, text } = snapshot;
  const command = target.origin === TargetOrigin.RunLine ? target.commands[target.commandIdx] : undefined;
  if (!command) return [];
  return subtarget.problems.map((message) => {
    const word = /^'([^']+)'/.exec(message)?.[1] ?? '';
    let line = command.firstLine;
    let at = -1;
    for (let l = command.firstLine; l <= command.lastLine && at < 0 && word !== ''; l++) {
      line = l;
      at = text.slice(text.lineStart(l), text.lineEnd(l)).indexOf(word);
    }
    const width = text.lineEnd(line) - text.lineStart(line);
    const [start, end] = at < 0 ? [0, width] : [at, at + word.length];
    return {
      range: { start: { line, character: start }, end: { line, character: end } },
      severity: DiagnosticSeverity.Warning,
      source: SOURCE,
      ...codeOf(snapshot, 'unknown-target'),
      message: `${message}; LLVM ${MODELLED_LLVM}`,
    };
  });
}

/** The code with its place in docs/diagnostics.md. */
function codeOf({ settings }: Snapshot, code: string): Pick<LspDiagnostic, 'code' | 'codeDescription'> {
  return settings.documentation === ''
    ? { code }
    : { code, codeDescription: { href: `${settings.documentation}#${code}` } };
}

function convert(snapshot: Snapshot, diagnostic: Diagnostic): LspDiagnostic {
  const { start, code, message, severity, related } = diagnostic;
  // An empty range shows as nothing in some editors; one character does.
  const end = Math.max(diagnostic.end, start);
  const lsp: LspDiagnostic = {
    range: snapshot.rangeOf(start, end),
    severity: severity as DiagnosticSeverity,
    source: SOURCE,
    ...codeOf(snapshot, code),
    message: diagnostic.origin === DiagnosticOrigin.Verifier ? `${message}\n(machine verifier)` : message,
  };
  if (related && related.length > 0)
    lsp.relatedInformation = related.map((r) => ({
      location: { uri: snapshot.uri, range: snapshot.rangeOf(r.start, r.end) },
      message: r.message,
    }));
  return lsp;
}
