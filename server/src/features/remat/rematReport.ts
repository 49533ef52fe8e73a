/**
 * The view "Rematerialization report" of a function: what the scheduler's stage did, round by round, and what else is legal and helps
 * in the order of the text. Plain text with 1-based line numbers.
 */
import type { Position } from 'vscode-languageserver-types';
import { InstrPrinter, sourceNames } from '../../model/printer/index.js';
import { printRematReport } from '../../passes/scheduler/remat/reportText.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { Severity } from '../../text/diagnostic.js';
import { oneLine, visible } from '../../text/visible.js';
import { limiterText, nextWaveText } from '../words/pressureText.js';
import { llvmText, targetText, type FunctionView, type Snapshot } from '../snapshot/snapshot.js';
import { whyUncounted } from '../../program/targetOfFile.js';
import { suggestRemat } from './suggestions.js';
import { suggestionLines } from './suggestionsText.js';
import type { InstrId } from '../../model/machineFunction.js';

export interface RematReportParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

/** `amdgpuMir/rematReport` */
export function provideRematReport(
  snapshot: Snapshot,
  { position }: RematReportParams,
  token: ProgressToken,
): string | null {
  const view = snapshot.functionAt(snapshot.text.offsetAt(position)) ?? snapshot.functions[0] ?? null;
  if (!view) return 'no function here\n';
  const { fn, summary } = view;
  if (!fn || !summary) return `${noReport(snapshot, view)}\n`;
  const state = view.schedule(token);
  const lineOf = (i: InstrId): number => lineOfInstr(snapshot, view, i);
  const suggestions = suggestRemat(view, lineOf, token);
  if (!suggestions) return null;
  const limiter = limiterText(summary.occupancy);
  const steps = nextWaveText(summary.occupancy);
  let out = `${oneLine(view.name)}: occupancy ${suggestions.occupancy} of ${suggestions.maxOccupancy}`;
  out += `${limiter && ` (${limiter})`}${steps && `, next wave: ${steps}`}\n`;
  out += `${targetText(snapshot, view)}, ${llvmText(snapshot)}\n\n`;
  for (const line of suggestionLines(suggestions)) out += `  ${line}\n`;
  // to schedule it would take longer than a report may
  if (state.kind === 'large') return `${out}\nthe scheduler's stage: see "Explain Schedule", the function is large\n`;
  if (state.kind !== 'ready')
    return `${out}\nnot scheduled${state.kind === 'none' && state.why ? `: ${state.why}` : ''}\n`;
  const { trace, fn: scheduled } = state.schedule;
  const printer = new InstrPrinter(scheduled, { vregName: sourceNames(view.fn ?? scheduled) });
  const labels = { text: (i: InstrId) => visible(printer.printInstr(i)), line: lineOf };
  out += `\n${trace.remat ? printRematReport(trace.remat, labels) : 'the scheduler has no rematerialization stage here\n'}`;
  return out;
}

/** Why there is no report, with the first error. */
function noReport({ target }: Snapshot, view: FunctionView): string {
  if (whyUncounted(target) !== '') return `not analysed: ${whyUncounted(target)}`;
  const first = view.diagnostics.find((d) => d.severity === Severity.Error);
  return first ? `not analysed: ${oneLine(first.message)}` : 'this function has no body';
}

/** 1-based line of an instruction of the text, 0 for one that the scheduler made. */
export function lineOfInstr(snapshot: Snapshot, view: FunctionView, i: InstrId): number {
  const { fn } = view;
  if (!fn?.source || i < 0 || fn.nInstrs <= i) return 0;
  return snapshot.text.lineAt(view.start + fn.source.instrRange(i).start) + 1;
}
