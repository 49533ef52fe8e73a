/** Code actions that rewrite without being a repair. Each is tried and offered only when it keeps what it has promised. */
import { CodeActionKind, CodeActionTriggerKind, type CodeAction, type Range } from 'vscode-languageserver-types';
import { printFunctionDocument } from '../../model/printer/index.js';
import { Severity } from '../../text/diagnostic.js';
import type { CancellationToken } from '../../util/cancellation.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import { symbolAt } from '../snapshot/symbolAt.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import { fillLiveIns, splitBlock, writeSuccessors } from '../refactor/blocks.js';
import { removeIdle, removeUnreachable, shorten } from '../refactor/cleanup.js';
import { removeDefaultKeys } from '../refactor/defaultKeys.js';
import { duplicateFunction } from '../refactor/duplicateFunction.js';
import { addRegistersList, dropRegistersList } from '../refactor/registersList.js';
import type { Refactoring, RefactorPlace } from '../refactor/refactoring.js';
import { nameRegister, renumberBlocks, renumberRegisters } from '../refactor/renumber.js';
import { swapWithLineAbove } from '../refactor/swapLines.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** Asked for at every move of the cursor, larger functions are left alone; asked for by a key, they are not. */
const AUTOMATIC_INSTRS = 400;

export function refactorings(
  snapshot: Snapshot,
  range: Range,
  triggerKind: CodeActionTriggerKind | undefined,
  token: CancellationToken,
): CodeAction[] {
  const offset = snapshot.text.offsetAt(range.start);
  const view = snapshot.functionAt(offset);
  const isAutomatic = triggerKind === CodeActionTriggerKind.Automatic;
  if (!view?.fn || (isAutomatic && view.fn.nInstrs > AUTOMATIC_INSTRS)) return [];
  const place: RefactorPlace = { snapshot, view, offset };
  const isOnName = view.nameRange !== null && snapshot.text.lineAt(view.nameRange.start) === range.start.line;
  const kind = symbolAt(snapshot, offset)?.kind ?? null;
  const good = (proposals: readonly (Refactoring | null)[]): Refactoring[] => {
    const first = proposals.find((p) => p !== null && !token.isCancelled() && keeps(snapshot, view, p));
    return first ? [first] : [];
  };
  const found = [
    ...(kind === EntityKind.VReg ? good([nameRegister(place)]) : []),
    ...(kind === EntityKind.VReg || isOnName ? good([renumberRegisters(place)]) : []),
    ...(kind === EntityKind.Block || isOnName ? good([renumberBlocks(place)]) : []),
    ...(isOnName ? good([duplicateFunction(place)]) : []),
    ...(isOnName ? good(removeDefaultKeys(place)) : []),
    ...(isOnName ? good([addRegistersList(place)]) : []),
    ...(isOnName ? good([dropRegistersList(place)]) : []),
    ...good([shorten(place)]),
    ...good([removeIdle(place)]),
    ...good([splitBlock(place)]),
    ...good([fillLiveIns(place)]),
    ...good([writeSuccessors(place)]),
    ...good([removeUnreachable(place)]),
  ];
  const swap = swapWithLineAbove(place, token);
  if (swap !== null && 'edits' in swap) found.push(...good([swap]));
  const actions = found.map((proposal) => toAction(snapshot, proposal));
  // Our client shows what cannot be done, with the reason; others may take it for something that can.
  if (swap === null || 'edits' in swap || isAutomatic || !snapshot.settings.commandLinks) return actions;
  // The list shows titles only.
  const title = `${swap.title}: forbidden, ${swap.reason}`;
  return [...actions, { title, kind: CodeActionKind.RefactorRewrite, disabled: { reason: swap.reason } }];
}

const toAction = (snapshot: Snapshot, { title, edits }: Refactoring): CodeAction => ({
  title,
  kind: CodeActionKind.RefactorRewrite,
  edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, edits) } },
});

/** In a file of another target: what names and syntax are enough for. */
export function rewritesOfNames(snapshot: Snapshot, range: Range, token: CancellationToken): CodeAction[] {
  const offset = snapshot.text.offsetAt(range.start);
  const view = snapshot.functionAt(offset);
  if (!view) return [];
  const place: RefactorPlace = { snapshot, view, offset };
  const isOnName = view.nameRange !== null && snapshot.text.lineAt(view.nameRange.start) === range.start.line;
  const kind = symbolAt(snapshot, offset)?.kind ?? null;
  return [
    ...(kind === EntityKind.VReg || isOnName ? [renumberRegisters(place)] : []),
    ...(kind === EntityKind.Block || isOnName ? [renumberBlocks(place)] : []),
    ...(isOnName ? [duplicateFunction(place)] : []),
  ]
    .filter((p) => p !== null && !token.isCancelled() && keepsNames(snapshot, view, p))
    .map((p) => toAction(snapshot, p!));
}

/** The same places have the same name as each other, and functions, where one was to come, are one more. */
export function keepsNames(snapshot: Snapshot, view: FunctionView, { edits, keeps: promise }: Refactoring): boolean {
  const { functions } = snapshot.after(edits);
  const now = functions[snapshot.functions.indexOf(view)];
  if (!now || functions.length !== snapshot.functions.length + (promise === 'more' ? 1 : 0)) return false;
  return shapeOf(now) === shapeOf(view);
}

/** Kind of each place, and at which of them its name stood first. O(places) */
function shapeOf({ symbols }: FunctionView): string {
  const first = new Map<number, number>();
  const places: number[] = [];
  for (let i = 0; i < symbols.n; i++) {
    const e = symbols.entity[i]!;
    if (!first.has(e)) first.set(e, i);
    places.push(symbols.kinds[e]!, first.get(e)!);
  }
  return places.join();
}

const errorsOf = (view: FunctionView): number => view.diagnostics.filter((d) => d.severity === Severity.Error).length;

export function keeps(snapshot: Snapshot, view: FunctionView, { edits, keeps: promise }: Refactoring): boolean {
  const after = snapshot.after(edits);
  const k = snapshot.functions.indexOf(view);
  const now = after.functions[k];
  if (!now?.fn || after.fileDiagnostics.length > snapshot.fileDiagnostics.length || errorsOf(now) > errorsOf(view))
    return false;
  if (promise === 'errors') return true;
  if (promise === 'output') return printFunctionDocument(now.fn) === printFunctionDocument(view.fn!);
  const copy = after.functions[k + 1];
  return (
    after.functions.length === snapshot.functions.length + 1 && copy !== undefined && errorsOf(copy) <= errorsOf(view)
  );
}
