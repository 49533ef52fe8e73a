/**
 * Register pressure at line ends: what lives after the instruction, as amdgpu-print-rp prints it between two instructions, so that a kill
 * counts on its own line. The last number of a bank above a line is the number there. Beside them, what the register allocator inserts.
 */
import type { InlayHint, Range } from 'vscode-languageserver-types';
import { type Bank, PressureSummary } from '../../analysis/summary.js';
import type { InstrId } from '../../model/machineFunction.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { insertedTexts } from '../allocation/registerPlaces.js';
import { instrFrom } from '../snapshot/locate.js';
import { oneLine } from '../../text/visible.js';
import { BANKS } from '../words/pressureText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** More hints than a client can want at once. */
const MAX_HINTS = 20_000;

export function provideInlayHints(
  snapshot: Snapshot,
  { range }: { range: Range },
  token: CancellationToken,
): InlayHint[] {
  const hints: InlayHint[] = [];
  const { inlayHints, allocationHints } = snapshot.settings;
  if (inlayHints === 'off' && !allocationHints) return hints;
  const start = snapshot.text.offsetAt({ line: range.start.line, character: 0 });
  const end = snapshot.text.offsetAt({ line: range.end.line, character: 0x7fffffff });
  for (const view of snapshot.functions) {
    if (view.end <= start || end < view.start) continue;
    if (token.isCancelled() || MAX_HINTS <= hints.length) break;
    if (inlayHints !== 'off') addHints(snapshot, view, start, end, hints);
    if (allocationHints) addAllocationHints(snapshot, view, start, end, hints);
  }
  return hints;
}

/** At the ends of the lines for whose sake llc's allocator inserts something: `save %5`, `reload %7`. */
function addAllocationHints(
  snapshot: Snapshot,
  view: FunctionView,
  start: number,
  end: number,
  hints: InlayHint[],
): void {
  const source = view.fn?.source;
  if (!source) return;
  for (const [i, text] of insertedTexts(view)) {
    const range = source.instrRange(i);
    if (view.start + range.start < start || end < view.start + range.start) continue;
    const position = snapshot.text.positionAt(view.start + range.end);
    const tooltip = "llc's register allocator inserts this here; a hover on the register tells where it is.";
    hints.push({ position, label: text, tooltip, paddingLeft: true });
  }
}

function addHints(snapshot: Snapshot, view: FunctionView, start: number, end: number, hints: InlayHint[]): void {
  const { stale } = view;
  const summary = view.summary ?? stale?.summary;
  const source = summary?.fn.source;
  if (!summary || !source) return;
  const { fn } = summary;
  const tooltip = tooltipOf(snapshot, view, summary, stale !== null);
  // Numbers from before a line broke stay beside the lines that are as they were.
  const from = stale ? 0 : Math.max(0, instrFrom(fn, start - view.start));
  for (let i = from; i < fn.nInstrs && hints.length < MAX_HINTS; i++) {
    const text = source.instrRange(i);
    const at = stale ? stale.toNew(text.start, text.end) : text.start;
    if (at < 0 || view.start + at < start) continue;
    if (end < view.start + at) break;
    const label = labelOf(snapshot, summary, i);
    if (label === '') continue;
    const position = snapshot.text.positionAt(view.start + at + text.end - text.start);
    hints.push({ position, label, tooltip, paddingLeft: true });
  }
}

/** What the numbers are, and what they are measured against; the same for all hints of a function. */
function tooltipOf(
  { settings, text }: Snapshot,
  view: FunctionView,
  summary: PressureSummary,
  isStale: boolean,
): string {
  const { fn, peaks } = summary;
  const which =
    settings.inlayHints === 'peaks'
      ? 'Here the function reaches its live peak.'
      : `Registers live after this line${settings.inlayHints === 'changes' ? ', where their number changes' : ''}, as amdgpu-print-rp counts.`;
  const found = BANKS.filter(([bank]) => peaks[bank]!.value > 0).map(([bank, name]) => {
    const { value, instr } = peaks[bank]!;
    const line =
      instr < 0 || isStale ? '' : ` at line ${text.lineAt(view.start + fn.source!.instrRange(instr).start) + 1}`;
    return `${name} ${value}${line}`;
  });
  return [
    which,
    ...(found.length > 0 ? [`Live peaks of ${oneLine(view.name)}: ${found.join(', ')}.`] : []),
    ...(isStale ? ['The function has an error: these are the numbers from before.'] : []),
  ].join(' ');
}

function labelOf({ settings }: Snapshot, summary: PressureSummary, i: InstrId): string {
  const { peaks, up } = summary;
  if (settings.inlayHints === 'peaks') {
    const reached = BANKS.filter(([bank]) => peaks[bank]!.instr === i);
    return reached.length > 0
      ? `live peak ${reached.map(([bank, name]) => `${name} ${peaks[bank]!.value}`).join(', ')}`
      : '';
  }
  const after = (bank: Bank, at: InstrId): number => (at < 0 ? 0 : PressureSummary.count(up.after, bank, at));
  const parts = BANKS.flatMap(([bank, name]) => {
    const { value, instr } = peaks[bank]!;
    // A bank that the function never uses would only make the line longer.
    if (value === 0) return [];
    const now = after(bank, i);
    // Results that are never read and early clobbers live only while the instruction runs.
    const isHiddenPeak = instr === i && now < value;
    if (settings.inlayHints === 'changes' && now === after(bank, i - 1) && !isHiddenPeak) return [];
    return [`${name} ${now}${isHiddenPeak ? ` (live peak ${value})` : ''}`];
  });
  return parts.join(' ');
}
