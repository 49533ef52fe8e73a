/**
 * Light bulb of rematerialization: for the definition or the user under the cursor, the edit that computes the register again
 * in front of its uses. Titles say what the edited function has, and nothing is offered without a gain.
 */
import { CodeActionKind, type CodeAction, type Range } from 'vscode-languageserver-types';
import { OperandKind, type InstrId } from '../../model/machineFunction.js';
import type { RematCandidate, UseGroup } from '../../scheduling/remat/advice/candidates.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { instrAt } from '../locate.js';
import { toLspEdits } from '../lspEdit.js';
import type { FunctionView, Snapshot } from '../snapshot.js';
import { rematEdit } from './rematEdit.js';
import { effectText, isGain, recomputeEffect } from './rematEffect.js';

/** A light bulb answers at once. */
const MAX_TRIED = 4;

export function rematActions(
  snapshot: Snapshot,
  view: FunctionView,
  range: Range,
  token: CancellationToken,
): CodeAction[] {
  const { fn, remat } = view;
  if (!fn || !remat) return [];
  const i = instrAt(fn, snapshot.text.offsetAt(range.start) - view.start);
  if (i < 0) return [];
  const actions: CodeAction[] = [];
  let tried = 0;
  for (const candidate of candidatesAt(view, i)) {
    if (token.isCancelled() || MAX_TRIED <= tried++) break;
    const action = actionOf(snapshot, view, candidate);
    if (action) actions.push(action);
  }
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

function actionOf(snapshot: Snapshot, view: FunctionView, candidate: RematCandidate): CodeAction | null {
  const edit = rematEdit(snapshot, view, [{ candidate, groups: candidate.groups }]);
  const effect = edit && recomputeEffect(snapshot, view, view.remat!.candidates, edit);
  if (!effect || !isGain(effect)) return null;
  return {
    title: `Rematerialize ${nameOf(view, candidate.vreg)} at ${placesText(view, candidate.groups)} (${effectText(effect)})`,
    kind: CodeActionKind.QuickFix,
    edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, edit.edits) } },
  };
}

/** `%12`, `%name` */
export function nameOf({ fn }: FunctionView, vreg: number): string {
  const { name, sourceNumber } = fn!.vregs;
  return `%${name[vreg] ?? String(sourceNumber[vreg]! >>> 0)}`;
}

const MAX_PLACES = 3;

/** `bb.4`, `bb.2, bb.4`, `5 places in bb.2, bb.4, bb.5 and others` */
export function placesText({ fn }: FunctionView, groups: readonly UseGroup[]): string {
  const blocks = [...new Set(groups.map((g) => g.block))].map((b) => `bb.${fn!.blocks[b]!.sourceNumber}`);
  if (blocks.length > MAX_PLACES) return `${groups.length} places in ${blocks.length} blocks`;
  const places = blocks.length < groups.length ? `${groups.length} places in ` : '';
  return places + blocks.join(', ');
}
