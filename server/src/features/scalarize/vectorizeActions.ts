/** Light bulb where SGPRs spill: the definition under the cursor, or on the function's name a small set, moved to the VALU. The title says what the edited text has. */
import {
  CodeActionKind,
  CodeActionTriggerKind,
  type CodeAction,
  type CodeActionContext,
  type Range,
} from 'vscode-languageserver-types';
import { Bank } from '../../analysis/summary.js';
import { OperandKind, OpFlag } from '../../model/machineFunction.js';
import { isVirtualReg, virtRegIndex } from '../../model/register.js';
import { searchVectorization, sgprExcess } from '../../passes/scalarize/vectorize.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../util/cancellation.js';
import { AllocatedEffects } from '../allocation/allocatedEffect.js';
import { errorsOf } from '../fixes/finding.js';
import { canonicalBody, functionEdits } from '../fixes/functionEdits.js';
import { instrOnLine } from '../snapshot/locate.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { movedNames } from './scalarizeText.js';

/** Larger functions are not searched because the cursor moved, only when the light bulb is opened. */
const MAX_UNASKED = 1000;

export function vectorizeActions(
  snapshot: Snapshot,
  view: FunctionView,
  range: Range,
  { triggerKind }: CodeActionContext,
  token: CancellationToken = NEVER_CANCELLED,
): CodeAction[] {
  const { fn, summary, nameRange } = view;
  if (!fn?.source || !summary || summary.usedRegisters.kind !== 'virtual' || errorsOf(view).length > 0) return [];
  if (triggerKind === CodeActionTriggerKind.Automatic && fn.nInstrs > MAX_UNASKED) return [];
  const before = sgprExcess(summary);
  if (before === 0) return [];
  const offset = snapshot.text.offsetAt(range.start);
  const isName = nameRange !== null && nameRange.start <= offset && offset <= nameRange.end;
  const only = isName ? -1 : definedAt(snapshot, view, range);
  if (!isName && only < 0) return [];
  const found = searchVectorization(summary, only);
  if (found === null) return [];
  const edits = functionEdits(snapshot, view, found.made);
  if (edits === null || edits.length === 0) return [];
  const after = snapshot.after(edits).functions[snapshot.functions.indexOf(view)];
  if (!after?.fn || !after.summary || errorsOf(after).length > 0) return [];
  if (canonicalBody(after.fn) !== canonicalBody(found.made)) return [];
  const now = sgprExcess(after.summary);
  if (now >= before) return [];
  const vgprs = after.summary.peaks[Bank.VGPR]!.value - summary.peaks[Bank.VGPR]!.value;
  const [old, then] = [summary.occupancy.occupancy, after.summary.occupancy.occupancy];
  const effect = [
    `SGPRs too many ${before} to ${now}`,
    ...(vgprs === 0 ? [] : [`VGPR ${vgprs > 0 ? '+' : ''}${vgprs}`]),
    old === then ? `occupancy stays ${then}` : `occupancy ${old} to ${then}`,
  ];
  const allocated = new AllocatedEffects(snapshot, view, token).of(edits, after);
  if (allocated.isInVain && triggerKind === CodeActionTriggerKind.Automatic) return [];
  return [
    {
      title: `Move ${movedNames(fn, found.vregs)} to the VALU: ${effect.join(', ')}${allocated.text}`,
      kind: CodeActionKind.QuickFix,
      edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, edits) } },
    },
  ];
}

/** The virtual register that the instruction of the line writes, -1 without one. */
function definedAt(snapshot: Snapshot, view: FunctionView, range: Range): number {
  const fn = view.fn!;
  const i = instrOnLine(snapshot, view, range.start);
  const first = i < 0 ? -1 : fn.opBegin[i]!;
  const isDef =
    first >= 0 &&
    first < fn.opBegin[i + 1]! &&
    fn.opKind[first] === OperandKind.Register &&
    isVirtualReg(fn.opVal[first]!);
  return isDef && (fn.opFlags[first]! & OpFlag.Def) !== 0 ? virtRegIndex(fn.opVal[first]!) : -1;
}
