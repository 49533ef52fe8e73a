/** Lenses inside of a function: what lives into each block and the peaks in it; the peaks of regions that are not scheduled here. */
import type { CodeLens } from 'vscode-languageserver-types';
import { Bank, PressureSummary } from '../../analysis/summary.js';
import { BundleFlag, type InstrId } from '../../model/machineFunction.js';
import { InstrRoles } from '../../passes/scheduler/regions.js';
import { RegKind } from '../../target/index.js';
import type { TextRange } from '../../text/diagnostic.js';
import { BANKS, placeIn } from '../words/pressureText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { laneTitle } from '../uniformity/laneText.js';
import { GO_TO } from '../words/viewCommands.js';

/** Above each block `at entry: 41 VGPR, 12 SGPR`, where its lanes part, and `live peak in block VGPR 67`, which leads to it. Unchanged blocks keep theirs while the function is broken. */
export function blockLenses(snapshot: Snapshot, view: FunctionView): CodeLens[] {
  const { stale } = view;
  const summary = view.summary ?? stale?.summary;
  const source = summary?.fn.source;
  if (!summary || !source) return [];
  const { fn } = summary;
  const lenses: CodeLens[] = [];
  for (let b = 0; b < fn.blocks.length; b++) {
    const range = placed(snapshot, view, source.blockLabelRange(b));
    if (!range) continue;
    const p = summary.borderPressure(b, 'in');
    const counts = BANKS.flatMap(([bank, name]) => {
      const n =
        bank === Bank.VGPR
          ? p[RegKind.VGPR]! + p[RegKind.AVGPR]!
          : p[bank === Bank.SGPR ? RegKind.SGPR : RegKind.AGPR]!;
      return n > 0 ? [`${n} ${name}`] : [];
    });
    // Physical registers that live in are not counted before they are copied.
    const entry = fn.blocks[b]!.liveIns.length > 0 ? 'at entry, before live-ins' : 'at entry';
    lenses.push({ range, command: { title: `${entry}: ${counts.join(', ') || 'nothing'}`, command: '' } });
    const lanes = view.summary ? laneTitle(view, b) : '';
    if (lanes !== '') lenses.push({ range, command: { title: lanes, command: '' } });
    const peak = peakLens(snapshot, view, summary, range, 'block', fn.blockBegin[b]!, fn.blockEnd[b]!);
    if (peak) lenses.push(peak);
  }
  return lenses;
}

/** Above each scheduling region its peaks, where the schedule itself would take too long to be shown by itself. */
export function regionPeakLenses(snapshot: Snapshot, view: FunctionView): CodeLens[] {
  const { summary } = view;
  const source = summary?.fn.source;
  if (!summary || !source) return [];
  const { fn } = summary;
  const roles = new InstrRoles(fn);
  const lenses: CodeLens[] = [];
  const add = (from: number, to: number): void => {
    if (to <= from) return;
    const range = placed(snapshot, view, source.instrRange(fn.order[from]!));
    const lens = range && peakLens(snapshot, view, summary, range, 'region', from, to);
    if (lens) lenses.push(lens);
  };
  for (let b = 0; b < fn.blocks.length; b++) {
    let from = fn.blockBegin[b]!;
    for (let p = from; p < fn.blockEnd[b]!; p++) {
      const i = fn.order[p]!;
      if ((fn.bundle[i]! & BundleFlag.BundledPred) !== 0 || !roles.isBoundary(i)) continue;
      add(from, p);
      from = p + 1;
    }
    add(from, fn.blockEnd[b]!);
  }
  return lenses;
}

/** The peaks between two places of the layout, at a lens that leads to the first of them. */
function peakLens(
  snapshot: Snapshot,
  view: FunctionView,
  summary: PressureSummary,
  range: CodeLens['range'],
  part: 'block' | 'region',
  from: number,
  to: number,
): CodeLens | null {
  const { fn, up } = summary;
  const parts: string[] = [];
  let first: InstrId = -1;
  for (const [bank, name] of BANKS) {
    let most = 0;
    let at: InstrId = -1;
    for (let p = from; p < to; p++) {
      const n = PressureSummary.count(up.at, bank, fn.order[p]!);
      if (most < n) [most, at] = [n, fn.order[p]!];
    }
    if (at < 0) continue;
    parts.push(`${name} ${most}`);
    if (first < 0) first = at;
  }
  if (first < 0) return null;
  const place = placed(snapshot, view, fn.source!.instrRange(first));
  const [most, ...others] = parts;
  const where = place ? `line ${place.start.line + 1}` : placeIn(summary, first);
  const title = `live peak in ${part} ${[`${most} at ${where}`, ...others].join(', ')}`;
  if (!place) return { range, command: { title, command: '' } };
  const { line, character } = place.start;
  return { range, command: { title, command: GO_TO, arguments: [snapshot.uri, line, character] } };
}

/** A range of the summary's document in the present text; null when its text has changed. */
function placed(snapshot: Snapshot, view: FunctionView, { start, end }: TextRange): CodeLens['range'] | null {
  const at = view.summary || !view.stale ? start : view.stale.toNew(start, end);
  return at < 0 ? null : snapshot.rangeOf(view.start + at, view.start + at);
}
