/**
 * Ways to rematerialize in a function, each with the effect that its title promises. Effects come from the pressure model, which counts
 * what the edited function would have; `resolvePlan` makes the edit and holds it to the promise.
 */
import type { PressureSummary } from '../../analysis/summary.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { RematAnalysis, RematChoice } from '../../passes/scheduler/remat/advice/analysis.js';
import type { RematCandidate } from '../../passes/scheduler/remat/advice/candidates.js';
import { isGain, type RematEffect } from '../../passes/scheduler/remat/advice/effect.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { CancellationToken } from '../../util/cancellation.js';
import type { TracedSchedule } from '../../passes/scheduler/trace/collector.js';
import { modelText } from '../../passes/scheduler/schedulerModel.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { hoistEdit, rematEdit } from './rematEdit.js';
import { effectText, recomputeEffect } from './rematEffect.js';
import { placesText } from '../words/rematWords.js';
import type { VRegId } from '../../model/register.js';
import { nameOf, namesText } from '../words/registerNames.js';

/** What plans are made for; a FunctionView is one. */
export interface RematSubject {
  readonly fn: MachineFunction | null;
  readonly summary: PressureSummary | null;
  readonly remat: RematAnalysis | null;
  /** null when it is not known */
  readonly quickSchedule: TracedSchedule | null;
}

export interface RematPlan {
  readonly title: string;
  readonly choices: readonly RematChoice[];
  readonly effect: RematEffect;
}

export interface WavePlan extends RematPlan {
  /** no smaller set reaches the occupancy */
  readonly isSmallest: boolean;
}

/** One register at all of its places; null without a gain. */
export function planOf({ fn, remat }: RematSubject, candidate: RematCandidate): RematPlan | null {
  if (!fn || !remat) return null;
  const effect = remat.effectOf(candidate);
  if (!isGain(effect)) return null;
  const choice = remat.choiceOf(candidate);
  const title = `Rematerialize ${nameOf(fn, candidate.vreg)} at ${placesText(fn, choice.groups)} (${effectText(effect)})`;
  return { title, choices: [choice], effect };
}

/** What the scheduler's rematerialization stage does; null when it does nothing, or nothing that helps this order. */
export function schedulerPlan({ fn, remat, quickSchedule }: RematSubject): RematPlan | null {
  const report = quickSchedule?.trace.remat;
  if (!fn || !remat || !report || !(report.result === 'kept' || report.result === 'kept, orders reverted')) return null;
  const choices: RematChoice[] = [];
  for (const { candidate: k, copies } of report.chosen) {
    const { candidate } = remat.candidates.of(~fn.opVal[fn.opBegin[report.candidates[k]!.def] ?? 0]!);
    const groups = candidate?.groups.filter((g) => copies.some((c) => g.users.includes(c.use))) ?? [];
    // a place that is legal only in the scheduled order cannot be shown in this one
    if (!candidate || groups.length === 0) return null;
    choices.push({ candidate, groups });
  }
  if (choices.length === 0) return null;
  const effect = remat.effectOfAll(choices);
  if (!isGain(effect)) return null;
  const names = namesText(
    fn,
    choices.map((c) => c.candidate.vreg),
  );
  const title = `Rematerialize all that the scheduler of ${modelText(report.model)} would: ${names} (${effectText(effect)})`;
  return { title, choices, effect };
}

/** Steps beyond the next one that are looked for. */
const MAX_STEPS = 4;

/**
 * The smallest set that brings one step of occupancy more, and the smallest one for the most waves that can be reached. Empty when there
 * is none, or none was found within the bounds of the search.
 */
export function wavePlans(subject: RematSubject, token: CancellationToken): WavePlan[] {
  const { summary, remat } = subject;
  if (!summary || !remat) return [];
  const { vgprStepUp, sgprStepUp } = summary.occupancy;
  if (!vgprStepUp && !sgprStepUp) return [];
  const plans: WavePlan[] = [];
  for (let target = summary.occupancy.occupancy + 1; plans.length < MAX_STEPS && !token.isCancelled();) {
    const plan = wavePlan(subject, target, token);
    if (!plan) break;
    plans.push(plan);
    target = plan.effect.occupancyAfter + 1;
  }
  return plans.filter((_, k) => k === 0 || k === plans.length - 1);
}

/** Null when no set was found that brings at least `occupancy`. */
function wavePlan({ fn, remat }: RematSubject, occupancy: number, token: CancellationToken): WavePlan | null {
  if (!fn || !remat) return null;
  const result = remat.reach(occupancy, token);
  if (result.kind !== 'found') return null;
  const { choices } = result;
  const effect = remat.effectOfAll(choices);
  if (effect.occupancyAfter < occupancy) return null;
  const what = result.isSmallest ? 'the smallest set' : `${choices.length} registers`;
  const names = namesText(
    fn,
    choices.map((c) => c.candidate.vreg),
  );
  const title = `Reach occupancy ${effect.occupancyAfter}: rematerialize ${what}, ${names} (${effectText(effect)})`;
  return { title, choices, effect, isSmallest: result.isSmallest };
}

export interface HoistPlan {
  readonly title: string;
  readonly vreg: VRegId;
  readonly effect: RematEffect;
}

/** Functions with more instructions are not edited to find out what a way back would cost. */
const MAX_HOIST_INSTRS = 2000;

/** The definition of a register back where it came from, when that costs no wave. Costs one analysis of the function. */
export function hoistPlan(snapshot: Snapshot, view: FunctionView, vreg: VRegId): HoistPlan | null {
  const { fn, remat } = view;
  if (!fn || !remat || fn.nInstrs > MAX_HOIST_INSTRS) return null;
  const hoist = remat.hoistOf(vreg);
  const resolved = hoist && resolveHoist(snapshot, view, vreg);
  if (!resolved || resolved.effect.occupancyAfter < resolved.effect.occupancyBefore) return null;
  const names = namesText(fn, hoist.vregs);
  const to = hoist.before === hoist.defs[0] ? 'into its first place in' : 'back to';
  const title = `Undo rematerialization: hoist ${names} ${to} bb.${fn.blocks[hoist.block]!.sourceNumber} (${effectText(resolved.effect)})`;
  return { title, vreg, effect: resolved.effect };
}

/** The edit of a way back and what it does; null when it cannot be made. */
export function resolveHoist(snapshot: Snapshot, view: FunctionView, vreg: VRegId): ResolvedPlan | null {
  const hoist = view.remat?.hoistOf(vreg);
  const edit = hoist && hoistEdit(snapshot, view, hoist);
  const effect = edit && recomputeEffect(snapshot, view, view.remat!.candidates, edit);
  return edit && effect ? { edits: edit.edits, effect } : null;
}

export interface ResolvedPlan {
  readonly edits: readonly TextEdit[];
  readonly effect: RematEffect;
}

/** The edit of a plan; null when it cannot be made, or does not do what was promised. Costs one analysis of the function. */
export function resolvePlan(
  snapshot: Snapshot,
  view: FunctionView,
  choices: readonly RematChoice[],
  promised: string,
): ResolvedPlan | null {
  const edit = rematEdit(snapshot, view, choices);
  const effect = edit && recomputeEffect(snapshot, view, view.remat!.candidates, edit);
  if (!edit || !effect || effectText(effect) !== promised) return null;
  return { edits: edit.edits, effect };
}
