/** `source.fixAll.amdgpu-mir`: every diagnostic of the file that has one sensible repair is repaired, in one edit. */
import type { CodeAction } from 'vscode-languageserver-types';
import { Severity, type Diagnostic } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { EditedText } from '../../text/editedText.js';
import type { CancellationToken } from '../../util/cancellation.js';
import type { Proposal } from '../fixes/fix.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export const FIX_ALL_KIND = 'source.fixAll.amdgpu-mir';

/** Each repair costs some functions; a file with more mistakes is repaired in several goes. */
const MAX_REPAIRS = 200;

export type RepairOf = (snapshot: Snapshot, view: FunctionView, diagnostic: Diagnostic) => Proposal | null;

/** No action when nothing can be repaired. */
export function fixAll(snapshot: Snapshot, repairOf: RepairOf, token: CancellationToken): CodeAction[] {
  const { edits, nRepairs } = repairAll(snapshot, repairOf, token);
  if (nRepairs === 0) return [];
  const title = nRepairs === 1 ? 'Repair 1 problem' : `Repair ${nRepairs} problems`;
  return [{ title, kind: FIX_ALL_KIND, edit: { changes: { [snapshot.uri]: toLspEdits(snapshot, edits) } } }];
}

/** Edits in text order, and how many problems they repair. Repairs are tried one after the other, each on what the ones before made. */
export function repairAll(
  snapshot: Snapshot,
  repairOf: RepairOf,
  token: CancellationToken,
): { readonly edits: readonly TextEdit[]; readonly nRepairs: number } {
  const edited = new EditedText(snapshot.text.length);
  let now = snapshot;
  let nRepairs = 0;
  for (let f = 0; f < snapshot.functions.length; f++) {
    /** diagnostics that have no repair, so that they are not tried again */
    const hopeless = new Set<string>();
    while (nRepairs < MAX_REPAIRS && !token.isCancelled()) {
      const view = now.functions[f]!;
      const next = view.diagnostics.find((d) => d.severity === Severity.Error && !hopeless.has(keyOf(now, d)));
      if (!next) break;
      const repair = repairOf(now, view, next);
      if (!repair) {
        hopeless.add(keyOf(now, next));
        continue;
      }
      edited.apply(repair.edits);
      now = now.after(repair.edits);
      nRepairs++;
    }
  }
  return { edits: edited.edits, nRepairs };
}

/** The same finding after edits of other lines: its line counted from the end would do as well, its text does. */
const keyOf = ({ text }: Snapshot, { start, end, code, message }: Diagnostic): string =>
  `${code}\n${message}\n${text.slice(text.lineStart(text.lineAt(start)), Math.max(end, start))}`;
