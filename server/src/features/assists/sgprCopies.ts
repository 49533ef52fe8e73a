/** Light bulb on a copy from vector to scalar registers: what si-fix-sgpr-copies makes of it, alone or of all in the function, as edits of the text. */
import { CodeActionKind, type CodeAction, type Range } from 'vscode-languageserver-types';
import type { MachineFunction } from '../../model/machineFunction.js';
import { Bank } from '../../analysis/summary.js';
import { CopyFate, fixOneCopy, fixSgprCopies } from '../../passes/fixSgprCopies/fixSgprCopies.js';
import { Unmodelled } from '../../passes/registerFacts.js';
import { COPY_CODES, copyVerdicts } from '../diagnostics/copyFindings.js';
import { errorsOf } from '../fixes/finding.js';
import { canonicalBody, functionEdits } from '../fixes/functionEdits.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import type { Diagnostic as LspDiagnostic } from 'vscode-languageserver-types';

/** Null: nothing is to be done. */
const TITLES: Readonly<Record<CopyFate, string | null>> = {
  [CopyFate.FirstLane]: 'Read the first lane with V_READFIRSTLANE_B32',
  [CopyFate.Vector]: 'Move what reads this copy to vector registers',
  [CopyFate.Constant]: 'Move the constant again',
  [CopyFate.Stays]: null,
};

/** Actions for the copies on the lines of `range`; edits are tried first, and offered when the edited text is the function that the pass made. */
export function sgprCopyActions(
  snapshot: Snapshot,
  view: FunctionView,
  range: Range,
  diagnostics: readonly LspDiagnostic[],
): CodeAction[] {
  const { fn } = view;
  const source = fn?.source;
  if (!fn || !source || errorsOf(view).length > 0) return [];
  const here = copyVerdicts(view, snapshot)?.find(({ copy }) => {
    const line = snapshot.text.lineAt(view.start + source.instrRange(copy).start);
    return range.start.line <= line && line <= range.end.line;
  });
  if (here === undefined) return [];
  const own = diagnostics.filter((d) => COPY_CODES.includes(d.code));
  const actions: CodeAction[] = [];
  const add = (title: string, made: MachineFunction | null, isPreferred: boolean): void => {
    const action = made === null ? null : actionFor(snapshot, view, title, made);
    if (action !== null) actions.push({ ...action, diagnostics: own, ...(isPreferred ? { isPreferred } : {}) });
  };
  const title = TITLES[here.fate];
  if (title !== null) add(title, fixOneCopy(fn, here), true);
  add('Fix all copies to scalar registers of this function, as si-fix-sgpr-copies does', afterPass(fn), false);
  return actions;
}

function afterPass(fn: MachineFunction): MachineFunction | null {
  try {
    return fixSgprCopies(fn.clone());
  } catch (error) {
    if (!(error instanceof Unmodelled)) throw error;
    return null;
  }
}

function actionFor(snapshot: Snapshot, view: FunctionView, title: string, made: MachineFunction): CodeAction | null {
  const edits = functionEdits(snapshot, view, made);
  if (edits === null || edits.length === 0) return null;
  const after = snapshot.after(edits).functions[snapshot.functions.indexOf(view)];
  if (!after?.fn || errorsOf(after).length > 0 || canonicalBody(after.fn) !== canonicalBody(made)) return null;
  return {
    title: title + promise(view, after),
    kind: CodeActionKind.QuickFix,
    edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, edits) } },
  };
}

/** Functions of so many instructions get titles without effect: that takes the pressure of the edited text. */
const MAX_PROMISED = 2000;

const FILES = [
  ['VGPR', Bank.VGPR],
  ['AGPR', Bank.AGPR],
  ['SGPR', Bank.SGPR],
] as const;

/** `: VGPR +1, SGPR -1, occupancy stays 8`, the most at any instruction of the function; empty where it is not known. */
export function promise({ fn, summary }: FunctionView, after: FunctionView): string {
  if (!fn || fn.nInstrs > MAX_PROMISED || summary?.usedRegisters.kind !== 'virtual' || !after.summary) return '';
  const changes = FILES.map(
    ([file, bank]) => [file, after.summary!.peaks[bank]!.value - summary.peaks[bank]!.value] as const,
  );
  const [old, then] = [summary.occupancy.occupancy, after.summary.occupancy.occupancy];
  const parts = changes.flatMap(([file, n]) => (n === 0 ? [] : [`${file} ${n > 0 ? '+' : ''}${n}`]));
  return `: ${[...parts, old === then ? `occupancy stays ${then}` : `occupancy ${old} to ${then}`].join(', ')}`;
}
