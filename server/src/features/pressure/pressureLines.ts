/** `amdgpuMir/pressureLines`: the pressure at each instruction of a range of lines, for a colour beside the text. */
import type { Range } from 'vscode-languageserver-types';
import { Bank, PressureSummary } from '../../analysis/summary.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { instrFrom } from '../snapshot/locate.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export interface PressureLinesParams {
  readonly textDocument: { readonly uri: string };
  readonly range: Range;
}

/** Columns with an entry per line that has an instruction; where there are several, the first counts. */
export interface PressureLines {
  readonly line: number[];
  readonly vgpr: number[];
  readonly sgpr: number[];
  readonly agpr: number[];
  /** the highest of the function */
  readonly vgprPeak: number[];
  readonly sgprPeak: number[];
  readonly agprPeak: number[];
}

/** More lines than a screen has. */
const MAX_LINES = 20_000;

/** A function that is broken just now keeps the numbers of its unchanged lines. */
export function providePressureLines(
  snapshot: Snapshot,
  { range }: PressureLinesParams,
  token: CancellationToken,
): PressureLines {
  const out: PressureLines = { line: [], vgpr: [], sgpr: [], agpr: [], vgprPeak: [], sgprPeak: [], agprPeak: [] };
  const start = snapshot.text.offsetAt({ line: range.start.line, character: 0 });
  const end = snapshot.text.offsetAt({ line: range.end.line, character: 0x7fffffff });
  for (const view of snapshot.functions) {
    if (view.end <= start || end < view.start) continue;
    if (token.isCancelled()) break;
    addLines(snapshot, view, start, end, out);
  }
  return out;
}

function addLines(snapshot: Snapshot, view: FunctionView, start: number, end: number, out: PressureLines): void {
  const { stale } = view;
  const summary = view.summary ?? stale?.summary;
  const source = summary?.fn.source;
  if (!summary || !source) return;
  const { fn, peaks, up } = summary;
  const from = stale ? 0 : Math.max(0, instrFrom(fn, start - view.start));
  for (let i = from; i < fn.nInstrs && out.line.length < MAX_LINES; i++) {
    const text = source.instrRange(i);
    const at = stale ? stale.toNew(text.start, text.end) : text.start;
    if (at < 0 || view.start + at < start) continue;
    if (end < view.start + at) break;
    const line = snapshot.text.lineAt(view.start + at);
    if (out.line[out.line.length - 1] === line) continue;
    out.line.push(line);
    out.vgpr.push(PressureSummary.count(up.at, Bank.VGPR, i));
    out.sgpr.push(PressureSummary.count(up.at, Bank.SGPR, i));
    out.agpr.push(PressureSummary.count(up.at, Bank.AGPR, i));
    out.vgprPeak.push(peaks[Bank.VGPR]!.value);
    out.sgprPeak.push(peaks[Bank.SGPR]!.value);
    out.agprPeak.push(peaks[Bank.AGPR]!.value);
  }
}
