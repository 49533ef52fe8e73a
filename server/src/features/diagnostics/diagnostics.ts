/** Findings of parser, lowering and verifier as the editor shows them. */
import { DiagnosticSeverity, DiagnosticTag, type Diagnostic as LspDiagnostic } from 'vscode-languageserver-types';
import { DiagnosticOrigin, type Diagnostic } from '../../text/diagnostic.js';
import { findingsAcross, onTargets, told } from '../fixes/finding.js';
import { clobberFindings } from './clobberFindings.js';
import { copyFindings } from './copyFindings.js';
import { lanePressureFindings } from './lanePressureFindings.js';
import { pressureFindings } from './pressureFindings.js';
import { rematHints } from '../remat/rematHints.js';
import { verdictDiagnostics } from '../checks/verdictDiagnostics.js';
import { relatedPlaces } from './relatedPlaces.js';
import { KEEP_FROM_RUNNING, runLineFindings } from './runLineFindings.js';
import { laneLossFindings, spillFindings } from './spillFindings.js';
import { undefinedPartFindings } from './undefinedPartFindings.js';
import { FADED, unnecessaryFindings } from './unnecessary.js';
import { wholeWaveFindings } from './wholeWaveFindings.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { mixedText, type ReleaseSign } from '../../program/modelOfFile.js';
import { oneLine } from '../../text/visible.js';

/** Of one function; more would bury the editor. The rest is told in one line. */
const MAX_PER_FUNCTION = 200;
const SOURCE = 'amdgpu-mir';

/** All diagnostics of the snapshot in the order of the text. One mistake gets one squiggle: repeated places are dropped. */
export function toLspDiagnostics(snapshot: Snapshot): LspDiagnostic[] {
  const ofRunLines = runLineFindings(snapshot);
  const explained = ofRunLines.filter((f) => KEEP_FROM_RUNNING.has(f.code));
  const result: LspDiagnostic[] = [
    ...ofRunLines.map((f) => ({
      range: snapshot.rangeOf(f.start, f.end),
      severity: f.severity as DiagnosticSeverity,
      source: SOURCE,
      ...codeOf(snapshot, f.code),
      message: f.message,
    })),
    ...mixedReleases(snapshot),
    ...verdictDiagnostics(snapshot, explained),
    ...snapshot.fileDiagnostics.map((d) => convert(snapshot, d)),
  ];
  const targets = onTargets(snapshot);
  snapshot.functions.forEach((fn, k) => {
    const seen = new Set<string>();
    let shown = 0;
    const pressure = snapshot.settings.pressureDiagnostics
      ? [...pressureFindings(fn), ...spillFindings(fn, snapshot), ...lanePressureFindings(fn)]
      : [];
    const remat = snapshot.settings.rematDiagnostics ? rematHints(fn) : [];
    const hints = snapshot.settings.unnecessaryHints ? unnecessaryFindings(fn) : [];
    for (const diagnostic of [
      ...findingsAcross(targets, k).map(told),
      ...pressure,
      ...remat,
      ...hints,
      ...(snapshot.settings.copyDiagnostics ? copyFindings(fn, snapshot) : []),
      ...wholeWaveFindings(fn, snapshot),
      ...clobberFindings(fn, snapshot),
      ...laneLossFindings(fn, snapshot),
      ...undefinedPartFindings(fn),
    ]) {
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
  });
  return result;
}

/** Of a file whose lines are for two releases: which belongs to which. */
function mixedReleases(snapshot: Snapshot): LspDiagnostic[] {
  const { sign, against } = snapshot.model;
  if (sign === null || against === null || against.line < 0) return [];
  const { text, uri } = snapshot;
  const rangeOf = ({ start, end, line }: ReleaseSign): LspDiagnostic['range'] =>
    start < 0 ? snapshot.rangeOf(text.lineStart(line), text.lineEnd(line)) : snapshot.rangeOf(start, end);
  const related = sign.line < 0 ? [] : [{ location: { uri, range: rangeOf(sign) }, message: sign.what }];
  return [
    {
      range: rangeOf(against),
      severity: DiagnosticSeverity.Warning,
      source: SOURCE,
      ...codeOf(snapshot, 'mixed-releases'),
      message: mixedText(sign, against),
      relatedInformation: related,
    },
  ];
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
  if (FADED.has(code)) lsp.tags = [DiagnosticTag.Unnecessary];
  if (related && related.length > 0)
    lsp.relatedInformation = related.map((r) => ({
      location: { uri: snapshot.uri, range: snapshot.rangeOf(r.start, r.end) },
      message: r.message,
    }));
  return lsp;
}
