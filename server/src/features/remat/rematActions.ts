/**
 * Light bulb of rematerialization: for the definition or the user under the cursor, the edit that computes the register again
 * in front of its uses; for the function, sets of them. Titles say what the edited function has, nothing is offered without a gain, and
 * the edit is made when an action is chosen (`codeAction/resolve`).
 */
import { CodeActionKind, type CodeAction, type Range } from 'vscode-languageserver-types';
import { OperandKind, type InstrId } from '../../model/machineFunction.js';
import type { RematChoice } from '../../scheduling/remat/advice/analysis.js';
import type { RematCandidate } from '../../scheduling/remat/advice/candidates.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { instrAt } from '../locate.js';
import { toLspEdits } from '../lspEdit.js';
import type { FunctionView, Snapshot } from '../snapshot.js';
import { effectText } from './rematEffect.js';
import { planOf, resolvePlan, schedulerPlan, wavePlans, type RematPlan } from './rematPlans.js';
import { nameOf } from './rematWords.js';

const MAX_OFFERED = 6;

/** A choice without objects: name and index of the virtual register, places in the candidate's groups. */
export interface ChoiceData {
  readonly register: string;
  readonly vreg: number;
  readonly groups: readonly number[];
}

/** What a light bulb needs to know again when its action is chosen; plain data that the editor carries. */
export interface RematActionData {
  readonly textDocument: { readonly uri: string };
  readonly rematerialize: {
    readonly function: string;
    readonly choices: readonly ChoiceData[];
    readonly effect: string;
  };
}

export function rematActions(
  snapshot: Snapshot,
  view: FunctionView,
  range: Range,
  token: CancellationToken,
): CodeAction[] {
  const { fn, remat, nameRange } = view;
  if (!fn || !remat) return [];
  const offset = snapshot.text.offsetAt(range.start);
  const i = instrAt(fn, offset - view.start);
  const here = i < 0 ? [] : candidatesAt(view, i);
  const isAtName = nameRange !== null && nameRange.start <= offset && offset <= nameRange.end;
  if (here.length === 0 && !isAtName) return [];
  const plans: (RematPlan | null)[] = [];
  for (const candidate of here) {
    if (token.isCancelled() || MAX_OFFERED <= plans.length) break;
    plans.push(planOf(view, candidate));
  }
  plans.push(schedulerPlan(view), ...wavePlans(view, token));
  const actions: CodeAction[] = [];
  for (const plan of plans) if (plan) actions.push(toAction(snapshot, view, plan));
  return actions;
}

/** Candidates that the instruction defines or reads. */
function candidatesAt(view: FunctionView, i: InstrId): RematCandidate[] {
  const fn = view.fn!;
  const { candidates } = view.remat!;
  const result: RematCandidate[] = [];
  for (let o = fn.opBegin[i]!; o < fn.opBegin[i + 1]!; o++) {
    if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o]! >= 0) continue;
    const { candidate } = candidates.of(~fn.opVal[o]!);
    if (!candidate || result.includes(candidate)) continue;
    if (candidate.def === i || candidate.groups.some((g) => g.users.includes(i))) result.push(candidate);
  }
  return result;
}

function toAction(snapshot: Snapshot, view: FunctionView, { title, choices, effect }: RematPlan): CodeAction {
  const data: RematActionData = {
    textDocument: { uri: snapshot.uri },
    rematerialize: {
      function: view.name,
      choices: choices.map((choice) => choiceData(view, choice)),
      effect: effectText(effect),
    },
  };
  return { title, kind: CodeActionKind.QuickFix, data };
}

/** Gives an action of ours its edit. An action that no longer fits the text is refused. */
export function resolveRematAction(snapshot: Snapshot, action: CodeAction): CodeAction | { readonly refused: string } {
  const { rematerialize } = action.data as RematActionData;
  const view = snapshot.functions.find((v) => v.name === rematerialize.function);
  const choices = view ? choicesOf(view, rematerialize.choices) : null;
  const resolved = view && choices ? resolvePlan(snapshot, view, choices, rematerialize.effect) : null;
  if (!resolved) return { refused: 'the function has changed: ask for the quick fix again' };
  const { title, kind } = action;
  return {
    title,
    ...(kind === undefined ? {} : { kind }),
    edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, resolved.edits) } },
  };
}

export const choiceData = (view: FunctionView, { candidate, groups }: RematChoice): ChoiceData => ({
  register: nameOf(view.fn!, candidate.vreg),
  vreg: candidate.vreg,
  groups: groups.map((g) => candidate.groups.indexOf(g)),
});

/** Null when the function no longer has one of them. */
export function choicesOf(view: FunctionView, choices: readonly ChoiceData[]): RematChoice[] | null {
  if (!view.remat) return null;
  const result: RematChoice[] = [];
  for (const { register, vreg, groups } of choices) {
    const { candidate } = view.remat.candidates.of(vreg);
    if (!candidate || nameOf(view.fn!, vreg) !== register || groups.some((g) => !candidate.groups[g])) return null;
    result.push({ candidate, groups: groups.map((g) => candidate.groups[g]!) });
  }
  return result;
}
