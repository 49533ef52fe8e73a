/** Where the machine scheduler puts an instruction, and why there: a line for its hover, with the model if it is not the default. */
import type { InstrId } from '../../model/machineFunction.js';
import { modelText } from '../../passes/scheduler/schedulerModel.js';
import { isReleaseName } from '../../target/releases.js';
import type { PickTrace, RegionTrace } from '../../passes/scheduler/trace/scheduleTrace.js';
import { rich, type Markdown } from '../words/markdown.js';
import type { FunctionView } from '../snapshot/snapshot.js';

/** `region 0, 15th of 43, scheduled 3rd: Only1`; null when the schedule is not known, or the instruction is in no region. */
export function schedulePlace(view: FunctionView, i: InstrId): Markdown | null {
  const trace = view.quickSchedule?.trace;
  const region = trace?.regions.find((r) => r.newOrder.includes(i));
  if (!trace || !region) return null;
  const from = region.oldOrder.indexOf(i) + 1;
  const to = region.newOrder.indexOf(i) + 1;
  const n = region.newOrder.length;
  const moved = from === to ? 'stays there when scheduled' : `scheduled ${ordinal(to)}`;
  const pick = settlingPick(view, region, i);
  const why = pick ? `: ${pickText(pick, region.settledBy ?? '')}` : '';
  const model = isReleaseName(trace.model) ? '' : `; rematerialization of ${modelText(trace.model)}`;
  return rich`region ${region.region}, ${ordinal(from)} of ${n}, ${moved}${why}${model}`;
}

/** `1st`, `2nd`, `13th` */
function ordinal(n: number): string {
  const ending = 10 < n % 100 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

/** The pick in the stage whose order was kept. */
function settlingPick(view: FunctionView, region: RegionTrace, i: InstrId): PickTrace | null {
  const stage = view.quickSchedule?.trace.stages.find((s) => s.stage === region.settledBy);
  const run = stage?.runs.find((r) => r.region === region.region);
  return run?.details?.picks.find((p) => p.instr === i) ?? null;
}

/** The rule that decided, with its numbers, and when: `Stall, 0 against 3 of the next best (top, cycle 4, OccInitialSchedule)`. */
function pickText(p: PickTrace, stage: string): string {
  const zone = p.side === 'top' ? p.top : p.bottom;
  const runnerUp = zone?.runnerUp;
  const beat =
    runnerUp && runnerUp.winner === p.instr
      ? `, ${runnerUp.rule}${runnerUp.quantity === undefined ? '' : `, ${runnerUp.quantity}`} ${runnerUp.winnerValue} against ${runnerUp.loserValue} of the next best`
      : '';
  return `${p.reason}${beat} (${p.side}, cycle ${p.cycle}, ${stage})`;
}
