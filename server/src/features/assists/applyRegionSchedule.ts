/** "Apply schedule of region N": the instructions of the region at the cursor in the machine scheduler's order, as far as no pins say otherwise. */
import { CodeActionKind, CodeActionTriggerKind, type CodeAction, type Range } from 'vscode-languageserver-types';
import { pressureChange } from '../../passes/scheduler/trace/traceText.js';
import type { RegionTrace } from '../../passes/scheduler/trace/scheduleTrace.js';
import { NEVER_CANCELLED } from '../../util/cancellation.js';
import { pinsOf, type LinePin } from '../schedule/pins.js';
import { regionAt } from '../schedule/schedule.js';
import { scheduleEdits, tiedRegions } from '../schedule/scheduleEdits.js';
import type { Snapshot } from '../snapshot/snapshot.js';

/** Asked for at every move of the cursor, larger functions are left alone; asked for by a key, they are not. */
const AUTOMATIC_INSTRS = 400;

/**
 * None outside of regions, where the order is the scheduler's already, for functions that take long, and for those with PHIs: the scheduler
 * is not made for them and puts other instructions in front, which no reader of MIR takes.
 */
export function applyRegionSchedule(
  snapshot: Snapshot,
  range: Range,
  triggerKind: CodeActionTriggerKind | undefined,
  linePins: readonly LinePin[] = [],
): CodeAction[] {
  const view = snapshot.functionAt(snapshot.text.offsetAt(range.start));
  const isAutomatic = triggerKind === CodeActionTriggerKind.Automatic;
  if (!view?.fn?.header.noPhis || (isAutomatic && view.fn.nInstrs > AUTOMATIC_INSTRS)) return [];
  const pins = pinsOf(snapshot, view, linePins);
  const state = view.schedule(NEVER_CANCELLED, pins);
  const schedule = state.kind === 'ready' ? state.schedule : null;
  const region = schedule && regionAt(snapshot, view, schedule.trace.regions, range.start);
  if (!region) return [];
  const tied = tiedRegions(schedule.trace, region.region);
  const edits = scheduleEdits(view, schedule, snapshot.text.text, tied);
  if (edits.length === 0) return [];
  const others = [...tied].filter((r) => r !== region.region).sort((x, y) => x - y);
  const own = schedule.trace.regions.filter((r) => tied.has(r.region));
  const isPinned = pins.some((p) => own.some((r) => r.oldOrder.includes(p.before) && r.oldOrder.includes(p.after)));
  const more = others.length === 0 ? '' : ` and of ${others.join(', ')}, which rematerialization ties to it`;
  const title = `Apply schedule of region ${region.region}${more}${isPinned ? ', as pinned' : ''}: ${gain(region)}`;
  return [
    {
      title,
      kind: CodeActionKind.RefactorRewrite,
      edit: {
        changes: {
          [snapshot.uri]: edits.map((e) => ({ range: snapshot.rangeOf(e.start, e.end), newText: e.newText })),
        },
      },
    },
  ];
}

function gain(r: RegionTrace): string {
  const parts: string[] = [];
  if (r.pressureBefore && r.pressureAfter) parts.push(pressureChange(r.pressureBefore, r.pressureAfter));
  const change = (before: number, after: number): string => (before === after ? `${after}` : `${before} -> ${after}`);
  parts.push(`occupancy ${change(r.occupancyBefore, r.occupancyAfter)}`);
  if (r.lengthBefore !== 0) parts.push(`length ${change(r.lengthBefore, r.lengthAfter)} cycles (model)`);
  return parts.join(', ');
}
