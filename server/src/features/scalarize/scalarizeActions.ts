/**
 * Light bulb of scalarization: the definition under the cursor, with what has to move with it, and on the function's name the smallest set that lowers its peak or
 * gains a wave. The edit is made first; the title says what the edited text has, and nothing is offered without a gain; where llc ends
 * with none after allocation, the title says so, and the bulb does not show up by itself.
 */
import {
  CodeActionKind,
  CodeActionTriggerKind,
  type CodeAction,
  type CodeActionContext,
  type Range,
} from 'vscode-languageserver-types';
import {
  analyzeScalarization,
  effectBetween,
  isGain,
  scalarize,
  searchScalarization,
  type ScalarizeAnalysis,
} from '../../passes/scalarize/scalarize.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../util/cancellation.js';
import { AllocatedEffects } from '../allocation/allocatedEffect.js';
import { errorsOf } from '../fixes/finding.js';
import { canonicalBody, functionEdits } from '../fixes/functionEdits.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import { MemoryKey } from '../snapshot/memory.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { movedNames, scalarizeEffectText } from './scalarizeText.js';

/** Larger functions are not analysed because the cursor moved, only when the light bulb is opened. */
const MAX_UNASKED = 2000;

const SCALARIZATION = new MemoryKey<ScalarizeAnalysis>('scalarization');

/** Which registers could move; null where lanes or pressure are not known. */
function analysisOf({ fn, lanes, memory, summary }: FunctionView): ScalarizeAnalysis | null {
  if (!fn || !lanes || !summary || summary.usedRegisters.kind !== 'virtual') return null;
  return memory.of(SCALARIZATION, () => analyzeScalarization(fn, lanes));
}

export function scalarizeActions(
  snapshot: Snapshot,
  view: FunctionView,
  range: Range,
  { triggerKind }: CodeActionContext,
  token: CancellationToken = NEVER_CANCELLED,
): CodeAction[] {
  const { fn, summary, nameRange } = view;
  const source = fn?.source;
  if (!fn || !source || !summary || errorsOf(view).length > 0) return [];
  const isUnasked = triggerKind === CodeActionTriggerKind.Automatic;
  if (isUnasked && fn.nInstrs > MAX_UNASKED) return [];
  const analysis = analysisOf(view);
  if (!analysis) return [];
  const effects = new AllocatedEffects(snapshot, view, token);
  const offset = snapshot.text.offsetAt(range.start);
  if (nameRange !== null && nameRange.start <= offset && offset <= nameRange.end) {
    const set = searchScalarization(summary, analysis);
    const action = set === null ? null : actionFor(snapshot, view, set, effects, isUnasked);
    return action === null ? [] : [action];
  }
  const here = analysis.candidates.find(({ def }) => {
    const { start } = source.instrRange(def);
    return snapshot.text.lineAt(view.start + start) === range.start.line;
  });
  const action = here === undefined ? null : actionFor(snapshot, view, here.closure, effects, isUnasked);
  return action === null ? [] : [action];
}

function actionFor(
  snapshot: Snapshot,
  view: FunctionView,
  vregs: readonly number[],
  effects: AllocatedEffects,
  isUnasked: boolean,
): CodeAction | null {
  const fn = view.fn!;
  const made = scalarize(fn, vregs);
  const edits = functionEdits(snapshot, view, made);
  if (edits === null || edits.length === 0) return null;
  const after = snapshot.after(edits).functions[snapshot.functions.indexOf(view)];
  if (!after?.fn || !after.summary || errorsOf(after).length > 0) return null;
  if (canonicalBody(after.fn) !== canonicalBody(made)) return null;
  const effect = effectBetween(view.summary!, after.summary);
  if (!isGain(effect)) return null;
  const allocated = effects.of(edits, after);
  if (allocated.isInVain && isUnasked) return null;
  return {
    title: `Move ${movedNames(fn, vregs)} to the SALU: ${scalarizeEffectText(fn, effect)}${allocated.text}`,
    kind: CodeActionKind.QuickFix,
    edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, edits) } },
  };
}
