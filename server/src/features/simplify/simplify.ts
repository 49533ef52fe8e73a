/** Code actions that make a test smaller: one for each rule, and one that applies every rule which leaves the output of the RUN lines as it is. */
import { type CodeAction } from 'vscode-languageserver-types';
import { printFunctionDocument } from '../../model/printer/index.js';
import type { TextEdit } from '../../text/sourceText.js';
import { EditedText } from '../../text/editedText.js';
import { Cancelled, type CancellationToken, type ProgressToken } from '../../util/cancellation.js';
import { errorsOf } from '../fixes/finding.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { onlyRegion } from './onlyRegion.js';
import { RULES, type Rule } from './rules.js';
import { readsTheSame, RunOutputs, writesTheSame } from './sameOutput.js';

export const SIMPLIFY_KIND = 'refactor.rewrite.simplify';
export const SIMPLIFY_ALL_KIND = 'source.simplify.amdgpu-mir';

/** On the name of a function: what each rule would do to it. */
export function simplifications(snapshot: Snapshot, view: FunctionView, token: CancellationToken): CodeAction[] {
  return RULES.flatMap((rule) => {
    if (token.isCancelled()) return [];
    const edits = rule.edits(snapshot, view).find((e) => isGood(rule, snapshot, view, e));
    return edits ? [actionOf(snapshot, `Simplify: ${rule.title}`, SIMPLIFY_KIND, edits)] : [];
  });
}

/** A rule that changes nothing for llc is held to that; none makes anything wrong. */
export function isGood(rule: Rule, snapshot: Snapshot, view: FunctionView, edits: readonly TextEdit[]): boolean {
  const after = snapshot.after(edits);
  if (after.fileDiagnostics.length > snapshot.fileDiagnostics.length) return false;
  if (rule.isAlone) {
    const [own, ...others] = after.functions;
    return (
      others.length === 0 &&
      own !== undefined &&
      own.fn !== null &&
      view.fn !== null &&
      text(own) === text(view) &&
      isNoWorse(view, own)
    );
  }
  return (
    after.functions.length === snapshot.functions.length &&
    snapshot.functions.every((f, k) => isNoWorse(f, after.functions[k]!)) &&
    (!rule.isReadAlike || snapshot.functions.every((f, k) => f.fn === null || text(f) === text(after.functions[k]!)))
  );
}

const text = ({ fn }: FunctionView): string => printFunctionDocument(fn!);

const isNoWorse = (before: FunctionView, after: FunctionView): boolean =>
  (after.fn === null) === (before.fn === null) && errorsOf(after).length <= errorsOf(before).length;

/** On an instruction: the function without all but its region. */
export function regionCut(snapshot: Snapshot, view: FunctionView, offset: number): CodeAction[] {
  const cut = onlyRegion(snapshot, view, offset);
  if (cut === null) return [];
  const after = snapshot.after(cut.edits).functions[snapshot.functions.indexOf(view)];
  if (!after || !cut.holdsIn(after)) return [];
  return [actionOf(snapshot, `Simplify: only this region (${cut.n} instructions)`, SIMPLIFY_KIND, cut.edits)];
}

/** Every rule for every function that leaves the output of the RUN lines as it is, in one edit. None where nothing does. */
export function simplifyAll(snapshot: Snapshot, token: CancellationToken): CodeAction[] {
  const simplified = simplify(snapshot, token);
  if (simplified === null || simplified.done.length === 0) return [];
  const { done, edits } = simplified;
  return [actionOf(snapshot, `Simplify the test: ${done.join(', ')}`, SIMPLIFY_ALL_KIND, edits)];
}

/** The same as a text, with the titles of the rules that did something. */
export function simplifyText(
  snapshot: Snapshot,
  token: CancellationToken,
): { readonly text: string; readonly done: readonly string[] } {
  const { text, done } = simplify(snapshot, token) ?? { text: snapshot.text.text, done: [] };
  return { text, done };
}

/** null: cancelled. */
function simplify(
  snapshot: Snapshot,
  token: CancellationToken,
): { readonly text: string; readonly edits: readonly TextEdit[]; readonly done: readonly string[] } | null {
  const progress = snapshot.limited({ isCancelled: () => token.isCancelled(), report: () => undefined });
  const edited = new EditedText(snapshot.text.length);
  let now = snapshot;
  let outputs = new RunOutputs(snapshot.text.text);
  const done = new Set<string>();
  for (const rule of RULES.filter((r) => r.isTried))
    for (let k = 0; k < now.functions.length; k++)
      for (const edits of rule.edits(now, now.functions[k]!)) {
        if (token.isCancelled()) return null;
        if (!isGood(rule, now, now.functions[k]!, edits)) continue;
        const after = now.after(edits);
        const next = new RunOutputs(after.text.text);
        if (!leavesOutput(now, after, outputs, next, progress)) continue;
        edited.apply(edits);
        now = after;
        outputs = next;
        done.add(rule.title);
        break;
      }
  return { text: now.text.text, edits: edited.edits, done: [...done] };
}

/** By running the RUN lines where they run here in time; else because llc reads the same. */
function leavesOutput(
  before: Snapshot,
  after: Snapshot,
  was: RunOutputs,
  now: RunOutputs,
  token: ProgressToken,
): boolean {
  try {
    const isRun = !before.functions.some((f) => f.isLarge) && was.areKnown(token);
    return isRun ? writesTheSame(was, now, token) : readsTheSame(before, after);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    return readsTheSame(before, after);
  }
}

function actionOf(snapshot: Snapshot, title: string, kind: string, edits: readonly TextEdit[]): CodeAction {
  return { title, kind, edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, edits) } } };
}
