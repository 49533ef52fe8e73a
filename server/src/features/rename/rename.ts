/**
 * Rename: virtual and physical registers, numbers of blocks, stack objects and constants, functions and globals, IR values and blocks,
 * FileCheck's prefixes and variables. Each with all its places in the file, CHECK lines included where llc prints the name.
 *
 * A rename that would change what llc makes of the function is refused with the reason.
 */
import type { Position, Range, WorkspaceEdit } from 'vscode-languageserver-types';
import { Severity } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import { entityRenaming } from './entityRenaming.js';
import type { Refusal, Renaming } from './renaming.js';
import { testRenaming } from './testRenaming.js';
import type { Snapshot } from '../snapshot/snapshot.js';

export type { Refusal } from './renaming.js';

export interface PreparedRename {
  readonly range: Range;
  readonly placeholder: string;
}

/** Null where nothing can be renamed. */
export function providePrepareRename(snapshot: Snapshot, { position }: { position: Position }): PreparedRename | null {
  const found = renamingAt(snapshot, snapshot.text.offsetAt(position));
  return found && { range: snapshot.rangeOf(found.range.start, found.range.end), placeholder: found.name };
}

const renamingAt = (snapshot: Snapshot, offset: number): Renaming | null =>
  testRenaming(snapshot, offset) ?? entityRenaming(snapshot, offset);

export function provideRename(
  snapshot: Snapshot,
  { position, newName }: { position: Position; newName: string },
): WorkspaceEdit | Refusal | null {
  const found = renamingAt(snapshot, snapshot.text.offsetAt(position));
  if (found === null) return null;
  const edits = found.edits(newName.trim());
  if ('refused' in edits) return edits;
  if (edits.length === 0) return { changes: {} };
  const ordered = [...edits].sort((a, b) => a.start - b.start);
  if (addsErrors(snapshot, found, ordered)) return { refused: `llc would reject the function with '${newName}'` };
  return { changes: { [snapshot.uri]: toLspEdits(snapshot, ordered) } };
}

function addsErrors(snapshot: Snapshot, { views }: Renaming, edits: readonly TextEdit[]): boolean {
  if (views.length === 0) return false;
  const after = snapshot.after(edits);
  if (snapshot.fileDiagnostics.length < after.fileDiagnostics.length) return true;
  const errors = (of: Snapshot, k: number): number =>
    of.functions[k]?.diagnostics.filter((d) => d.severity === Severity.Error).length ?? 0;
  return views.some((view) => {
    const k = snapshot.functions.indexOf(view);
    return errors(snapshot, k) < errors(after, k);
  });
}
