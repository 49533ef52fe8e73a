/**
 * The schedule of a function for the editor: its text with the instructions in the scheduler's order, the edits that bring it there,
 * and the explanation of how the scheduler came to it.
 */
import type { Position, TextEdit } from 'vscode-languageserver-types';
import { InstrPrinter, sourceNames } from '../../model/printer/index.js';
import type { RegionTrace } from '../../passes/scheduler/trace/scheduleTrace.js';
import { modelNote, type SchedulerModel } from '../../passes/scheduler/schedulerModel.js';
import { printScheduleTrace, regionLine } from '../../passes/scheduler/trace/traceText.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { Severity } from '../../text/diagnostic.js';
import { oneLine, visible } from '../../text/visible.js';
import { MANY_INSTRS } from '../../program/scheduleSetting.js';
import { scheduleEdits, tiedRegions } from './scheduleEdits.js';
import { pinsOf, type LinePin } from './pins.js';
import type { OffsetEdit } from './offsetEdit.js';
import {
  llvmText,
  ELSEWHERE,
  targetText,
  type Elsewhere,
  type FunctionView,
  type Snapshot,
} from '../snapshot/snapshot.js';
import { whyUncounted } from '../../program/targetOfFile.js';

export interface ScheduleParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  /** what to edit: the function (default), or the region at the position with those that rematerialization ties to it */
  readonly scope?: 'function' | 'region';
  /** lines of the source that are to stand before others */
  readonly pins?: readonly LinePin[];
  /** whose LLVM schedules, in place of the document's */
  readonly model?: SchedulerModel;
}

export interface ScheduledText {
  readonly function: string;
  /** e.g. `gfx90a wave64, LLVM 22.1.8` */
  readonly target: string;
  /** the whole document with this function, or region, scheduled; null when there is no schedule */
  readonly text: string | null;
  /** what brings the document there */
  readonly edits: readonly TextEdit[];
  /** one line per region, or why there is no schedule */
  readonly summary: string;
  /** why the text must not take the source's place: what llc would say of it; empty where it may */
  readonly rejected: string;
}

function viewAt(snapshot: Snapshot, position: Position): FunctionView | null {
  return snapshot.functionAt(snapshot.text.offsetAt(position)) ?? snapshot.functions[0] ?? null;
}

/** Why a function has no schedule: what its options say, or its first error. */
export function noSchedule({ target }: Snapshot, view: FunctionView | null, why = ''): string {
  if (whyUncounted(target) !== '') return `not scheduled: ${whyUncounted(target)}`;
  if (view === null) return 'no function here';
  if (why !== '') return `not scheduled: ${why}`;
  const first = view.diagnostics[0];
  return first === undefined ? 'this function has no body to schedule' : `not scheduled: ${oneLine(first.message)}`;
}

/** `amdgpuMir/scheduledText` */
export function provideScheduledText(
  document: Snapshot,
  params: ScheduleParams,
  token: ProgressToken,
): ScheduledText | Elsewhere | null {
  const snapshot = params.model === undefined ? document : document.withModel(params.model);
  const view = viewAt(snapshot, params.position);
  const none = (summary: string): ScheduledText => ({
    function: view?.name ?? '',
    target: scheduleTarget(snapshot, view),
    text: null,
    edits: [],
    summary,
    rejected: '',
  });
  if (view === null) return none(noSchedule(snapshot, null));
  const state = view.schedule(token, pinsOf(snapshot, view, params.pins));
  if (state.kind === 'cancelled') return null;
  if (state.kind === 'large') return ELSEWHERE;
  if (state.kind === 'none') return none(noSchedule(snapshot, view, state.why));
  const { schedule } = state;
  let { regions } = schedule.trace;
  let scope: Set<number> | null = null;
  if (params.scope === 'region') {
    const region = regionAt(snapshot, view, regions, params.position);
    if (!region) return none('no scheduling region here');
    const tied = (scope = tiedRegions(schedule.trace, region.region));
    regions = regions.filter((r) => tied.has(r.region));
  }
  const source = snapshot.text.text;
  const edits = scheduleEdits(view, schedule, source, scope);
  return {
    function: view.name,
    target: scheduleTarget(snapshot, view),
    text: applied(source, edits),
    edits: edits.map((e) => ({ range: snapshot.rangeOf(e.start, e.end), newText: e.newText })),
    summary: regions.map((r) => regionLine(r)).join('\n'),
    rejected: rejection(snapshot, view, edits),
  };
}

/** The scheduler is not made for PHIs and puts other instructions before them, which no reader of MIR takes. */
function rejection(snapshot: Snapshot, view: FunctionView, edits: readonly OffsetEdit[]): string {
  if (edits.length === 0 || view.fn?.header.noPhis !== false) return '';
  const after = snapshot.after(edits.map(({ start, end, newText }) => ({ start, end, text: newText })));
  const errors = after.functions[snapshot.functions.indexOf(view)]?.diagnostics ?? [];
  const first = errors.find((d) => d.severity === Severity.Error);
  return first === undefined ? '' : `the function has PHIs, and llc would reject the result: ${oneLine(first.message)}`;
}

function applied(source: string, edits: readonly OffsetEdit[]): string {
  let text = '';
  let at = 0;
  for (const e of edits) {
    text += source.slice(at, e.start) + e.newText;
    at = e.end;
  }
  return text + source.slice(at);
}

/** The region whose first to last instruction holds the line, or null. O(regions) */
export function regionAt(
  snapshot: Snapshot,
  view: FunctionView,
  regions: readonly RegionTrace[],
  { line }: Position,
): RegionTrace | null {
  const source = view.fn?.source;
  if (!source) return null;
  const from = snapshot.text.lineStart(line) - view.start;
  const to = snapshot.text.lineEnd(line) - view.start;
  const holds = (r: RegionTrace): boolean =>
    r.first >= 0 && source.instrRange(r.first).start <= to && from <= source.instrRange(r.last).end;
  return regions.find(holds) ?? null;
}

const PICKS_HINT = `picks of regions with more than ${MANY_INSTRS} instructions are left out; amdgpu-mir explain prints them`;

/** `amdgpuMir/explainSchedule`: the trace as text, with 1-based line numbers. */
export function provideScheduleExplanation(
  snapshot: Snapshot,
  params: ScheduleParams,
  token: ProgressToken,
): string | Elsewhere | null {
  const view = viewAt(snapshot, params.position);
  if (view === null) return `${noSchedule(snapshot, view)}\n`;
  const state = view.schedule(token);
  if (state.kind === 'cancelled') return null;
  if (state.kind === 'large') return ELSEWHERE;
  if (state.kind === 'none') return `${noSchedule(snapshot, view, state.why)}\n`;
  const { schedule } = state;
  const printer = new InstrPrinter(schedule.fn, { vregName: sourceNames(view.fn ?? schedule.fn) });
  const source = view.fn?.source ?? null;
  const nSource = view.fn?.nInstrs ?? 0;
  const text = printScheduleTrace(schedule.trace, {
    region: null,
    labels: {
      text: (i) => visible(printer.printInstr(i)),
      line: (i) =>
        source === null || i >= nSource || i < 0
          ? 0
          : snapshot.text.lineAt(view.start + source.instrRange(i).start) + 1,
    },
  });
  const isCut = schedule.trace.regions.some((r) => r.nInstrs > MANY_INSTRS);
  return `@${oneLine(view.name)}  ${scheduleTarget(snapshot, view)}\n${isCut ? `${PICKS_HINT}\n` : ''}\n${text}`;
}

/** `gfx90a wave64, LLVM 22.1.8`: the target of the function, whose attributes go before llc's options. */
export const scheduleTarget = (snapshot: Snapshot, view: FunctionView | null): string =>
  `${targetText(snapshot, view)}, ${llvmText(snapshot)}${modelNote(snapshot.model.model)}`;
