/**
 * The schedule as a conversation (`amdgpuMir/schedulePick`): why the instruction of a line, of the source or of the scheduled text, was picked where it
 * stands; and, with pins (an instruction before another), what becomes of order, pressure and length.
 */
import type { Position } from 'vscode-languageserver-types';
import { InstrPrinter, sourceNames } from '../../model/printer/index.js';
import type { InstrId } from '../../model/machineFunction.js';
import type { Pin } from '../../passes/scheduler/dag/mutations/pins.js';
import type { PickTrace, RegionTrace } from '../../passes/scheduler/trace/scheduleTrace.js';
import { printPick, regionLine } from '../../passes/scheduler/trace/traceText.js';
import type { ProgressToken } from '../../util/cancellation.js';
import { oneLine, visible } from '../../text/visible.js';
import { instrOnLine, layoutOf } from '../snapshot/locate.js';
import {
  ELSEWHERE,
  type Elsewhere,
  type FunctionView,
  type ScheduleState,
  type Snapshot,
} from '../snapshot/snapshot.js';
import { noSchedule, scheduleTarget } from './schedule.js';
import { pinsOf, type LinePin } from './pins.js';
import { scheduleEdits } from './scheduleEdits.js';

export interface PickParams {
  readonly position: Position;
  /** the position is one of the scheduled text (with these pins) */
  readonly isScheduled?: boolean | undefined;
  readonly pins?: readonly LinePin[] | undefined;
}

export interface SchedulePick {
  /** the report; says why where there is no pick */
  readonly text: string;
  /** 0-based line of the instruction in the source, -1 = none */
  readonly line: number;
  /** the other instructions of its region, the ones that it competed with first */
  readonly others: readonly { readonly line: number; readonly text: string; readonly isRival: boolean }[];
}

/** Null when cancelled. */
export function provideSchedulePick(
  snapshot: Snapshot,
  params: PickParams,
  token: ProgressToken,
): SchedulePick | Elsewhere | null {
  const none = (text: string): SchedulePick => ({ text: `${text}\n`, line: -1, others: [] });
  // The scheduled text has as many characters before the function as the source, and moves lines only.
  const view = snapshot.functionAt(snapshot.text.offsetAt(params.position)) ?? snapshot.functions[0] ?? null;
  if (view === null) return none(noSchedule(snapshot, null));
  const pins = pinsOf(snapshot, view, params.pins);
  const state = view.schedule(token, pins);
  if (state.kind === 'cancelled') return null;
  if (state.kind === 'large') return ELSEWHERE;
  if (state.kind === 'none') return none(noSchedule(snapshot, view, state.why));
  const { schedule } = state;
  const i = params.isScheduled
    ? scheduledInstr(snapshot, view, state, params.position)
    : instrOnLine(snapshot, view, params.position);
  if (i < 0) return none('no instruction in this line');
  const source = view.fn!.source!;
  const printer = new InstrPrinter(schedule.fn, { vregName: sourceNames(view.fn!) });
  const lineOf = (k: InstrId): number =>
    k < 0 || k >= view.fn!.nInstrs ? -1 : snapshot.text.lineAt(view.start + source.instrRange(k).start);
  const labels = { text: (k: InstrId) => visible(printer.printInstr(k)), line: (k: InstrId) => lineOf(k) + 1 };
  const region = schedule.trace.regions.find((r) => r.newOrder.includes(i));
  const head = `@${oneLine(view.name)}  ${scheduleTarget(snapshot, view)}\n\n${labels.text(i)}${lineOf(i) < 0 ? '' : ` (line ${lineOf(i) + 1})`}\n`;
  if (!region) return { text: `${head}in no scheduling region: nothing moves it\n`, line: lineOf(i), others: [] };
  const picks = picksOf(state, region, i);
  const parts = [head, placeText(region, i, labels)];
  for (const { stage, pick, note } of picks)
    parts.push(
      `\n${stage}${note}:\n${printPick(pick, region.newOrder.indexOf(i) + 1, 1, labels)}${zonesText(pick, labels)}`,
    );
  if (picks.length === 0) parts.push('\nno stage picked it: the order is the original one\n');
  parts.push(`\n${regionLine(region)}\n`);
  if (pins.length > 0) {
    const free = view.schedule(token);
    const before =
      free.kind === 'ready' ? free.schedule.trace.regions.find((r) => r.region === region.region) : undefined;
    parts.push(pinsText(pins, region, before, labels));
  }
  const rivals = new Set(picks.flatMap(({ pick }) => rivalsOf(pick)));
  const others = region.oldOrder
    .filter((k) => k !== i && lineOf(k) >= 0)
    .sort((a, b) => Number(rivals.has(b)) - Number(rivals.has(a)))
    .map((k) => ({ line: lineOf(k), text: labels.text(k), isRival: rivals.has(k) }));
  return { text: parts.join(''), line: lineOf(i), others };
}

type Ready = Extract<ScheduleState, { kind: 'ready' }>;

/** The instruction of a line of the scheduled text, -1 without one. */
function scheduledInstr(snapshot: Snapshot, view: FunctionView, { schedule }: Ready, position: Position): InstrId {
  const edits = scheduleEdits(view, schedule, snapshot.text.text, null);
  const after = snapshot.after(edits.map(({ start, end, newText }) => ({ start, end, text: newText })));
  const there = after.functions[snapshot.functions.indexOf(view)];
  if (!there?.fn || position.line >= after.text.lineCount) return -1;
  const k = layoutOf(there.fn).indexOf(instrOnLine(after, there, { line: position.line, character: 0 }));
  return k < 0 ? -1 : (layoutOf(schedule.fn)[k] ?? -1);
}

interface StagePick {
  readonly stage: string;
  readonly pick: PickTrace;
  readonly note: string;
}

/** The pick of each stage that scheduled the region; the one whose order stands comes first. */
function picksOf({ schedule }: Ready, region: RegionTrace, i: InstrId): StagePick[] {
  const picks = schedule.trace.stages.flatMap((s) =>
    s.runs
      .filter((r) => r.region === region.region)
      .flatMap((run) => {
        const pick = run.details?.picks.find((p) => p.instr === i);
        if (!pick) return [];
        const isSettled = s.stage === region.settledBy && run.details!.reverted === null;
        return [{ stage: s.stage, pick, note: isSettled ? ' (its order stands)' : '' }];
      }),
  );
  return picks.sort((a, b) => Number(b.note !== '') - Number(a.note !== ''));
}

function placeText(region: RegionTrace, i: InstrId, labels: Labels): string {
  const from = region.oldOrder.indexOf(i) + 1;
  const to = region.newOrder.indexOf(i) + 1;
  const n = region.newOrder.length;
  const first = labels.line(region.first);
  return `region ${region.region} (bb.${region.block}${first > 0 ? `, from line ${first}` : ''}): place ${to} of ${n}${from === to ? ', as in the source' : `, in the source ${from}`}\n`;
}

interface Labels {
  text(i: InstrId): string;
  line(i: InstrId): number;
}

/** What the zones had to choose from. */
function zonesText({ top, bottom }: PickTrace, labels: Labels): string {
  return [['top', top] as const, ['bottom', bottom] as const]
    .flatMap(([side, zone]) => {
      if (zone === null) return [];
      const pending = zone.pending === 0 ? '' : `, ${zone.pending} pending`;
      const best = `${labels.text(zone.best)}${labels.line(zone.best) > 0 ? ` (line ${labels.line(zone.best)})` : ''}`;
      return [`       ${side}: ${zone.available} available${pending}; best by ${zone.reason}: ${best}\n`];
    })
    .join('');
}

const rivalsOf = ({ instr, top, bottom, between }: PickTrace): InstrId[] =>
  [top?.runnerUp, bottom?.runnerUp, between]
    .flatMap((c) => (c ? [c.winner, c.loser] : []))
    .concat(top?.best ?? -1, bottom?.best ?? -1)
    .filter((k) => k >= 0 && k !== instr);

function pinsText(pins: readonly Pin[], region: RegionTrace, free: RegionTrace | undefined, labels: Labels): string {
  const own = pins.filter((p) => region.oldOrder.includes(p.before) || region.oldOrder.includes(p.after));
  if (own.length === 0) return '';
  const name = (k: InstrId): string => `line ${labels.line(k)}`;
  const lines = own.map(({ before, after }) => {
    const [a, b] = [region.newOrder.indexOf(before), region.newOrder.indexOf(after)];
    const verdict =
      a < 0 || b < 0
        ? 'not of one region: no effect'
        : a < b
          ? 'so it is'
          : region.settledBy === null
            ? 'no effect: the original order stands'
            : 'impossible: it depends on the other';
    return `  ${name(before)} before ${name(after)}: ${verdict}\n`;
  });
  const without = free ? `  without: ${regionLine(free)}\n` : '';
  return `\npinned:\n${lines.join('')}  with:    ${regionLine(region)}\n${without}`;
}
