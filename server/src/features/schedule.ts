/**
 * The schedule of a function for the editor: its text with the instructions in the scheduler's order, the edits that bring it there,
 * and the explanation of how the scheduler came to it.
 */
import type { Position, TextEdit } from 'vscode-languageserver-types';
import { InstrPrinter } from '../model/printer/index.js';
import { printScheduleTrace, regionLine } from '../scheduling/trace/traceText.js';
import { scheduleEdits } from './scheduleEdits.js';
import { subtargetText, type FunctionView, type Snapshot } from './snapshot.js';
import { MODELLED_LLVM } from '../util/modelledLLVM.js';

export interface ScheduleParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
}

export interface ScheduledText {
  readonly function: string;
  /** e.g. `gfx90a wave64, LLVM 22.1.8` */
  readonly target: string;
  /** the whole document with this function scheduled; null when the function has no schedule */
  readonly text: string | null;
  /** what brings the document there */
  readonly edits: readonly TextEdit[];
  /** one line per region, or why there is no schedule */
  readonly summary: string;
}

function viewAt(snapshot: Snapshot, position: Position): FunctionView | null {
  return snapshot.functionAt(snapshot.text.offsetAt(position)) ?? snapshot.functions[0] ?? null;
}

/** Why a function has no schedule, with its first error. */
function noSchedule(view: FunctionView | null): string {
  if (view === null) return 'no function here';
  const first = view.diagnostics[0];
  return first === undefined ? 'this function has no body to schedule' : `not scheduled: ${first.message}`;
}

/** `amdgpuMir/scheduledText` */
export function provideScheduledText(snapshot: Snapshot, params: ScheduleParams): ScheduledText {
  const view = viewAt(snapshot, params.position);
  const schedule = view?.schedule ?? null;
  if (view === null || schedule === null) {
    return {
      function: view?.name ?? '',
      target: targetLine(snapshot),
      text: null,
      edits: [],
      summary: noSchedule(view),
    };
  }
  const source = snapshot.text.text;
  const edits = scheduleEdits(view, source);
  let text = '';
  let at = 0;
  for (const e of edits) {
    text += source.slice(at, e.start) + e.newText;
    at = e.end;
  }
  text += source.slice(at);
  return {
    function: view.name,
    target: targetLine(snapshot),
    text,
    edits: edits.map((e) => ({ range: snapshot.rangeOf(e.start, e.end), newText: e.newText })),
    summary: schedule.trace.regions.map((r) => regionLine(r)).join('\n'),
  };
}

/** `amdgpuMir/explainSchedule`: the trace as text, with 1-based line numbers. */
export function provideScheduleExplanation(snapshot: Snapshot, params: ScheduleParams): string {
  const view = viewAt(snapshot, params.position);
  const traced = view?.scheduleWithPicks(null) ?? null;
  if (view === null || traced === null) return `${noSchedule(view)}\n`;
  const printer = new InstrPrinter(traced.fn);
  const source = view.fn?.source ?? null;
  const nSource = view.fn?.nInstrs ?? 0;
  const text = printScheduleTrace(traced.trace, {
    region: null,
    labels: {
      text: (i) => printer.printInstr(i),
      line: (i) =>
        source === null || i >= nSource ? 0 : snapshot.text.lineAt(view.start + source.instrRange(i).start) + 1,
    },
  });
  return `${targetLine(snapshot)}\n\n${text}`;
}

const targetLine = (snapshot: Snapshot): string => `${subtargetText(snapshot.subtarget)}, LLVM ${MODELLED_LLVM}`;
