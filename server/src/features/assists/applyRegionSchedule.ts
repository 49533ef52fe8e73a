/** "Apply schedule of region N": the instructions of the region at the cursor in the machine scheduler's order. */
import { CodeActionKind, CodeActionTriggerKind, type CodeAction, type Range } from 'vscode-languageserver-types';
import { pressureChange } from '../../passes/scheduler/trace/traceText.js';
import type { RegionTrace } from '../../passes/scheduler/trace/scheduleTrace.js';
import { regionAt } from '../schedule/schedule.js';
import { scheduleEdits, tiedRegions } from '../schedule/scheduleEdits.js';
import type { Snapshot } from '../snapshot.js';

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
): CodeAction[] {
  const view = snapshot.functionAt(snapshot.text.offsetAt(range.start));
  const isAutomatic = triggerKind === CodeActionTriggerKind.Automatic;
  if (!view?.fn?.header.noPhis || (isAutomatic && view.fn.nInstrs > AUTOMATIC_INSTRS)) return [];
  const schedule = view.quickSchedule;
  const region = schedule && regionAt(snapshot, view, schedule.trace.regions, range.start);
  if (!region) return [];
  const tied = tiedRegions(schedule.trace, region.region);
  const edits = scheduleEdits(view, schedule, snapshot.text.text, tied);
  if (edits.length === 0) return [];
  const others = [...tied].filter((r) => r !== region.region).sort((x, y) => x - y);
  const title =
    others.length === 0
      ? `Apply schedule of region ${region.region}: ${gain(region)}`
      : `Apply schedule of region ${region.region} and of ${others.join(', ')}, which rematerialization ties to it: ${gain(region)}`;
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
  if (r.lengthBefore !== 0) parts.push(`length ${change(r.lengthBefore, r.lengthAfter)} cycles`);
  return parts.join(', ');
}
