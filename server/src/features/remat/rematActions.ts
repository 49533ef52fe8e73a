/**
 * Light bulb of rematerialization: for the definition or the user under the cursor, the edit that computes the register again
 * before its uses; for the function, sets of them. Titles say what the edited function has, nothing is offered without a gain
 * (where llc ends with none after allocation, the title says so, and the bulb does not show up by itself), and the edit is made when an action is chosen (`codeAction/resolve`).
 */
import {
  CodeActionKind,
  CodeActionTriggerKind,
  type CodeAction,
  type CodeActionContext,
  type Range,
} from 'vscode-languageserver-types';
import { OpFlag, OperandKind, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import type { RematChoice } from '../../passes/scheduler/remat/advice/analysis.js';
import type { RematCandidate } from '../../passes/scheduler/remat/advice/candidates.js';
import { McFlag } from '../../target/index.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { instrFrom } from '../snapshot/locate.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import { AllocatedEffects } from '../allocation/allocatedEffect.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { effectText } from './rematEffect.js';
import { isRematHint } from './rematHints.js';
import {
  hoistPlan,
  planOf,
  resolveHoist,
  resolvePlan,
  schedulerPlan,
  wavePlans,
  type RematPlan,
  type ResolvedPlan,
} from './rematPlans.js';
import type { VRegId } from '../../model/register.js';
import { nameOf } from '../words/registerNames.js';

const MAX_OFFERED = 6;
/** Larger functions are not scheduled because the cursor moved, only when the light bulb is opened. */
const MAX_SCHEDULED_UNASKED = 300;
/** In larger ones the bulb shows up by itself only on definitions that can be rematerialized. */
const MAX_ANALYSED_UNASKED = 2000;

const mayBeRematerialized = ({ tables, opcode }: MachineFunction, i: InstrId): boolean =>
  ((tables.opcodeFlagsLo(opcode[i]!) >>> McFlag.Rematerializable) & 1) !== 0;

/** A choice without objects: name and index of the virtual register, places in the candidate's groups. */
export interface ChoiceData {
  readonly register: string;
  readonly vreg: VRegId;
  readonly groups: readonly number[];
}

/** What a light bulb needs to know again when its action is chosen; plain data that the editor carries. */
export interface RematActionData {
  readonly textDocument: { readonly uri: string };
  readonly rematerialize: {
    readonly function: string;
    readonly choices: readonly ChoiceData[];
    /** instead of the choices: the register whose definition goes back */
    readonly hoist?: { readonly register: string; readonly vreg: VRegId };
    readonly effect: string;
  };
}

export function rematActions(
  snapshot: Snapshot,
  view: FunctionView,
  range: Range,
  { diagnostics, triggerKind }: CodeActionContext,
  token: CancellationToken,
): CodeAction[] {
  const { fn, nameRange } = view;
  if (!fn) return [];
  const offset = snapshot.text.offsetAt(range.start);
  const i = instrOnLine(snapshot, view, offset);
  const isUnasked = triggerKind === CodeActionTriggerKind.Automatic;
  if (isUnasked && fn.nInstrs > MAX_ANALYSED_UNASKED && (i < 0 || !mayBeRematerialized(fn, i))) return [];
  if (!view.remat) return [];
  const here = i < 0 ? [] : candidatesAt(view, i);
  const isAtName = nameRange !== null && nameRange.start <= offset && offset <= nameRange.end;
  const plans: (RematPlan | null)[] = [];
  for (const candidate of here) {
    if (token.isCancelled() || MAX_OFFERED <= plans.length) break;
    plans.push(planOf(view, candidate));
  }
  if (here.length > 0 || isAtName) {
    const isQuick = !isUnasked || fn.nInstrs <= MAX_SCHEDULED_UNASKED;
    plans.push(...(isQuick ? [schedulerPlan(view)] : []), ...wavePlans(view, token));
  }
  const effects = new AllocatedEffects(snapshot, view, token);
  const actions: CodeAction[] = [];
  const seen = new Set<string>();
  for (const [k, plan] of plans.entries()) {
    if (!plan) continue;
    // What the scheduler would do, or a wave more, may be what one register does: one edit, one entry.
    const key = editKey(view, plan);
    if (seen.has(key)) continue;
    seen.add(key);
    const action = toAction(snapshot, view, plan, effects, isUnasked);
    if (action === null) continue;
    // the hint on a definition is about that register alone
    const own = here[k]?.def === i ? diagnostics.filter(isRematHint) : [];
    actions.push(own.length > 0 ? { ...action, diagnostics: own } : action);
  }
  const back = hoistActionOf(snapshot, view, i);
  if (back) actions.push(back);
  return actions;
}

/** The way back for the register that the instruction defines. */
function hoistActionOf(snapshot: Snapshot, view: FunctionView, i: InstrId): CodeAction | null {
  const fn = view.fn!;
  if (i < 0 || fn.numOperands(i) === 0) return null;
  const o = fn.opBegin[i]!;
  if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o]! >= 0 || (fn.opFlags[o]! & OpFlag.Def) === 0) return null;
  const plan = hoistPlan(snapshot, view, ~fn.opVal[o]!);
  if (!plan) return null;
  const data: RematActionData = {
    textDocument: { uri: snapshot.uri },
    rematerialize: {
      function: view.name,
      choices: [],
      hoist: { register: nameOf(fn, plan.vreg), vreg: plan.vreg },
      effect: effectText(plan.effect),
    },
  };
  return { title: plan.title, kind: CodeActionKind.QuickFix, data };
}

/** The instruction on the line of an absolute offset, whichever part of the line it stands in; -1 = none. */
function instrOnLine({ text }: Snapshot, { fn, start }: FunctionView, offset: number): InstrId {
  const line = text.lineAt(offset);
  const i = instrFrom(fn!, text.lineEnd(line) - start);
  if (i < 0) return -1;
  const range = fn!.source!.instrRange(i);
  return text.lineAt(start + range.start) <= line && line <= text.lineAt(start + range.end) ? i : -1;
}

/** Candidates that the instruction defines or reads. */
function candidatesAt(view: FunctionView, i: InstrId): RematCandidate[] {
  const fn = view.fn!;
  const { candidates } = view.remat!;
  const result: RematCandidate[] = [];
  for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
    if (fn.opVal[o]! >= 0) continue;
    const { candidate } = candidates.of(~fn.opVal[o]!);
    if (!candidate || result.includes(candidate)) continue;
    if (candidate.def === i || candidate.groups.some((g) => g.users.includes(i))) result.push(candidate);
  }
  return result;
}

function toAction(
  snapshot: Snapshot,
  view: FunctionView,
  { title, choices, effect }: RematPlan,
  effects: AllocatedEffects,
  isUnasked: boolean,
): CodeAction | null {
  const data: RematActionData = {
    textDocument: { uri: snapshot.uri },
    rematerialize: {
      function: view.name,
      choices: choices.map((choice) => choiceData(view, choice)),
      effect: effectText(effect),
    },
  };
  // The edit is made for the title only where registers of the function are known to be allocated.
  const edits = effects.isOpen ? resolve(snapshot, view, data.rematerialize)?.edits : undefined;
  const allocated = edits === undefined ? null : effects.of(edits);
  if (allocated?.isInVain === true && isUnasked) return null;
  return { title: `${title}${allocated?.text ?? ''}`, kind: CodeActionKind.QuickFix, data };
}

/** Equal for plans that make the same edit. */
const editKey = (view: FunctionView, { choices }: RematPlan): string =>
  choices
    .map((choice) => choiceData(view, choice))
    .map(({ vreg, groups }) => `${vreg}:${[...groups].sort((a, b) => a - b).join()}`)
    .sort()
    .join(' ');

/** Gives an action of ours its edit. An action that no longer fits the text is refused. */
export function resolveRematAction(snapshot: Snapshot, action: CodeAction): CodeAction | { readonly refused: string } {
  const { rematerialize } = action.data as RematActionData;
  const view = snapshot.functions.find((v) => v.name === rematerialize.function);
  const resolved = view ? resolve(snapshot, view, rematerialize) : null;
  if (!resolved) return { refused: 'the function has changed: ask for the quick fix again' };
  const { title, kind, diagnostics } = action;
  return {
    title,
    ...(kind === undefined ? {} : { kind }),
    ...(diagnostics === undefined ? {} : { diagnostics }),
    edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, resolved.edits) } },
  };
}

function resolve(
  snapshot: Snapshot,
  view: FunctionView,
  { choices, hoist, effect }: RematActionData['rematerialize'],
): ResolvedPlan | null {
  if (hoist) {
    const isSame = view.fn && hoist.vreg < view.fn.vregs.n && nameOf(view.fn, hoist.vreg) === hoist.register;
    const resolved = isSame ? resolveHoist(snapshot, view, hoist.vreg) : null;
    return resolved && effectText(resolved.effect) === effect ? resolved : null;
  }
  const chosen = choicesOf(view, choices);
  return chosen && resolvePlan(snapshot, view, chosen, effect);
}

const choiceData = (view: FunctionView, { candidate, groups }: RematChoice): ChoiceData => ({
  register: nameOf(view.fn!, candidate.vreg),
  vreg: candidate.vreg,
  groups: groups.map((g) => candidate.groups.indexOf(g)),
});

/** Null when the function no longer has one of them. */
function choicesOf(view: FunctionView, choices: readonly ChoiceData[]): RematChoice[] | null {
  if (!view.remat) return null;
  const result: RematChoice[] = [];
  for (const { register, vreg, groups } of choices) {
    const { candidate } = view.remat.candidates.of(vreg);
    if (!candidate || nameOf(view.fn!, vreg) !== register || groups.some((g) => !candidate.groups[g])) return null;
    result.push({ candidate, groups: groups.map((g) => candidate.groups[g]!) });
  }
  return result;
}
