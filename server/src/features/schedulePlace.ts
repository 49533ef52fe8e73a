/** Where the machine scheduler puts an instruction, and why there: two lines for its hover, and the model if it is not the default. */
import type { InstrId } from '../model/machineFunction.js';
import { DEFAULT_MODEL, modelText } from '../scheduling/schedulerModel.js';
import type { PickTrace, RegionTrace } from '../scheduling/trace/scheduleTrace.js';
import { rich, type Markdown } from './markdown.js';
import type { FunctionView } from './snapshot.js';

/** Null when the schedule is not known, or the instruction is in no region. */
export function schedulePlace(view: FunctionView, i: InstrId): Markdown[] | null {
  const trace = view.quickSchedule?.trace;
  const region = trace?.regions.find((r) => r.newOrder.includes(i));
  if (!trace || !region) return null;
  const from = region.oldOrder.indexOf(i) + 1;
  const to = region.newOrder.indexOf(i) + 1;
  const n = region.newOrder.length;
  const moved = from === to ? `${to} of ${n}, stays there when scheduled` : `${from} of ${n}, scheduled ${to}`;
  const lines = [rich`region ${region.region}: ${moved}`];
  const pick = settlingPick(view, region, i);
  if (pick) lines.push(rich`${pickText(pick, region.settledBy ?? '')}`);
  if (trace.model !== DEFAULT_MODEL)
    lines.push(rich`scheduled with the rematerialization of ${modelText(trace.model)}`);
  return lines;
}

/** The pick in the stage whose order was kept. */
function settlingPick(view: FunctionView, region: RegionTrace, i: InstrId): PickTrace | null {
  const stage = view.quickSchedule?.trace.stages.find((s) => s.stage === region.settledBy);
  const run = stage?.runs.find((r) => r.region === region.region);
  return run?.details?.picks.find((p) => p.instr === i) ?? null;
}

function pickText(p: PickTrace, stage: string): string {
  const zone = p.side === 'top' ? p.top : p.bottom;
  const runnerUp = zone?.runnerUp;
  const beat =
    runnerUp && runnerUp.winner === p.instr
      ? `, ${runnerUp.rule} ${runnerUp.winnerValue} against ${runnerUp.loserValue} of the next best`
      : '';
  return `picked at the ${p.side} in cycle ${p.cycle} by ${p.reason}${beat} (${stage})`;
}
