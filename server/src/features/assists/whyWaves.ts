/** The way to the report on what binds a function's waves, from its name. */
import { CodeActionKind, type CodeAction, type Range } from 'vscode-languageserver-types';
import { FileEnds } from '../allocation/fileEnds.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { whyText } from '../words/outcomeText.js';
import { WHY_OCCUPANCY_COMMAND } from '../words/viewCommands.js';

/** None where nothing is bound, or what llc ends with is not known yet; and for clients that do not know the command. */
export function whyWaves(snapshot: Snapshot, range: Range): CodeAction[] {
  if (!snapshot.settings.commandLinks) return [];
  const view = snapshot.functionAt(snapshot.text.offsetAt(range.start));
  if (!view?.nameRange || snapshot.text.lineAt(view.nameRange.start) !== range.start.line) return [];
  const end = new FileEnds(snapshot).of(view);
  const why = end === null ? '' : whyText(end);
  if (why === '') return [];
  const title = `${why[0]!.toUpperCase()}${why.slice(1)}, and what would help?`;
  const args = [snapshot.uri, range.start.line, 0];
  return [
    { title, kind: CodeActionKind.Refactor, command: { title, command: WHY_OCCUPANCY_COMMAND, arguments: args } },
  ];
}
