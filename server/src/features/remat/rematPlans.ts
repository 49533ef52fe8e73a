/**
 * Ways to rematerialize in a function, each with the effect that its title promises. Effects come from the pressure model, which counts
 * what the edited function would have; `resolvePlan` makes the edit and holds it to the promise.
 */
import type { RematChoice } from '../../scheduling/remat/advice/analysis.js';
import type { RematCandidate, UseGroup } from '../../scheduling/remat/advice/candidates.js';
import { isGain, type RematEffect } from '../../scheduling/remat/advice/effect.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { MODELLED_LLVM } from '../../util/modelledLLVM.js';
import type { FunctionView, Snapshot } from '../snapshot.js';
import { rematEdit } from './rematEdit.js';
import { effectText, recomputeEffect } from './rematEffect.js';

export interface RematPlan {
  readonly title: string;
  readonly choices: readonly RematChoice[];
  readonly effect: RematEffect;
}

/** One register at all of its places; null without a gain. */
export function planOf(view: FunctionView, candidate: RematCandidate): RematPlan | null {
  const effect = view.remat!.effectOf(candidate);
  if (!isGain(effect)) return null;
  const title = `Rematerialize ${nameOf(view, candidate.vreg)} at ${placesText(view, candidate.groups)} (${effectText(effect)})`;
  return { title, choices: [{ candidate, groups: candidate.groups }], effect };
}

/** What the rematerialization stage of llc's scheduler does; null when it does nothing, or nothing that helps this order. */
export function schedulerPlan(view: FunctionView): RematPlan | null {
  const { fn, remat, quickSchedule } = view;
  if (!fn || !remat || !quickSchedule || quickSchedule.trace.rematUndone) return null;
  const choices: RematChoice[] = [];
  for (const { def, use } of quickSchedule.trace.rematerialized) {
    const { candidate } = remat.candidates.of(~fn.opVal[fn.opBegin[def] ?? 0]!);
    const groups = candidate?.groups.filter((g) => g.users.includes(use)) ?? [];
    // a place that is legal only in the scheduled order cannot be shown in this one
    if (!candidate || groups.length === 0) return null;
    choices.push({ candidate, groups });
  }
  if (choices.length === 0) return null;
  const effect = remat.effectOfAll(choices);
  if (!isGain(effect)) return null;
  const title = `Rematerialize all that the scheduler of LLVM ${MODELLED_LLVM} would: ${namesText(view, choices)} (${effectText(effect)})`;
  return { title, choices, effect };
}

/** Steps beyond the next one that are looked for. */
const MAX_STEPS = 4;

/**
 * The smallest set that brings one step of occupancy more, and the smallest one for the most waves that can be reached. Empty when there
 * is none, or none was found within the bounds of the search.
 */
export function wavePlans(view: FunctionView, token: CancellationToken): RematPlan[] {
  const { summary, remat } = view;
  if (!summary || !remat) return [];
  const { vgprStepUp, sgprStepUp } = summary.occupancy;
  if (!vgprStepUp && !sgprStepUp) return [];
  const plans: RematPlan[] = [];
  for (let target = summary.occupancy.occupancy + 1; plans.length < MAX_STEPS && !token.isCancelled();) {
    const plan = wavePlan(view, target, token);
    if (!plan) break;
    plans.push(plan);
    target = plan.effect.occupancyAfter + 1;
  }
  return plans.length <= 2 ? plans : [plans[0]!, plans[plans.length - 1]!];
}

/** Null when no set was found that brings at least `occupancy`. */
function wavePlan(view: FunctionView, occupancy: number, token: CancellationToken): RematPlan | null {
  const remat = view.remat!;
  const result = remat.reach(occupancy, token);
  if (result.kind !== 'found') return null;
  const choices = result.candidates.map((candidate) => ({ candidate, groups: candidate.groups }));
  const effect = remat.effectOfAll(choices);
  if (effect.occupancyAfter < occupancy) return null;
  const what = result.isSmallest ? 'the smallest set' : `${choices.length} registers`;
  const title = `Reach occupancy ${effect.occupancyAfter}: rematerialize ${what}, ${namesText(view, choices)} (${effectText(effect)})`;
  return { title, choices, effect };
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

/** `%12`, `%name` */
export function nameOf({ fn }: FunctionView, vreg: number): string {
  const { name, sourceNumber } = fn!.vregs;
  return `%${name[vreg] ?? String(sourceNumber[vreg]! >>> 0)}`;
}

const MAX_NAMES = 4;

/** `%1, %2`, `%1, %2, %3, %4 and 3 more` */
function namesText(view: FunctionView, choices: readonly RematChoice[]): string {
  const names = choices.map((c) => nameOf(view, c.candidate.vreg));
  if (names.length <= MAX_NAMES) return names.join(', ');
  return `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;
}

const MAX_PLACES = 3;

/** `bb.4`, `bb.2, bb.4`, `5 places in 4 blocks` */
export function placesText({ fn }: FunctionView, groups: readonly UseGroup[]): string {
  const blocks = [...new Set(groups.map((g) => g.block))].map((b) => `bb.${fn!.blocks[b]!.sourceNumber}`);
  if (blocks.length > MAX_PLACES) return `${groups.length} places in ${blocks.length} blocks`;
  const places = blocks.length < groups.length ? `${groups.length} places in ` : '';
  return places + blocks.join(', ');
}
