/**
 * Register pressure at line ends: what lives after the instruction, as amdgpu-print-rp prints it between two instructions, so that a kill
 * counts on its own line. The last number of a bank above a line is the number there. Beside them, what the register allocator inserts.
 */
import type { InlayHint, Range } from 'vscode-languageserver-types';
import { type Bank, PressureSummary } from '../../analysis/summary.js';
import type { InstrId } from '../../model/machineFunction.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { insertedTexts } from '../allocation/registerPlaces.js';
import { instrFrom } from '../locate.js';
import { BANKS } from '../pressure/pressureText.js';
import type { FunctionView, Snapshot } from '../snapshot.js';

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
    hints.push({ position, label, paddingLeft: true });
  }
}

function labelOf({ settings }: Snapshot, summary: PressureSummary, i: InstrId): string {
  const { peaks, up } = summary;
  if (settings.inlayHints === 'peaks') {
    const reached = BANKS.filter(([bank]) => peaks[bank]!.instr === i);
    return reached.length > 0
      ? `peak ${reached.map(([bank, name]) => `${name} ${peaks[bank]!.value}`).join(', ')}`
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
    return [`${name} ${now}${isHiddenPeak ? ` (peak ${value})` : ''}`];
  });
  return parts.join(' ');
}
