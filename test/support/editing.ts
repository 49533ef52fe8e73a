/** What renames and code actions at a bar `$0` in a text make of it. */
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { CodeActionTriggerKind } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../server/src/features/assists/codeAction.js';
import { provideRename, type Refusal } from '../../server/src/features/rename/rename.js';
import type { Snapshot } from '../../server/src/features/snapshot/snapshot.js';
import type { Settings } from '../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../server/src/util/cancellation.js';
import { atCursor, URI } from './cursor.js';

/** The text after edits, which must not overlap. */
export function applied({ text }: Snapshot, edits: readonly TextEdit[]): string {
  const places = edits
    .map(({ range, newText }) => ({ start: text.offsetAt(range.start), end: text.offsetAt(range.end), newText }))
    .sort((a, b) => b.start - a.start);
  let result = text.text;
  let last = text.length;
  for (const { start, end, newText } of places) {
    if (start > end || end > last) throw new Error(`edits overlap at ${start}`);
    last = start;
    result = result.slice(0, start) + newText + result.slice(end);
  }
  return result;
}

/** The text with the name under the bar renamed, or the reason why not; empty where no name is. */
export function renamedAt(marked: string, newName: string): string {
  const { snapshot, position } = atCursor(marked);
  const answer = provideRename(snapshot, { position, newName });
  if (answer === null) return '';
  return 'refused' in answer
    ? (answer as Refusal).refused
    : applied(snapshot, (answer as WorkspaceEdit).changes?.[URI] ?? []);
}

/** Code actions at the bar: the text after each, by its title; the reason of those that are only shown. */
export function actionsAt(
  marked: string,
  only: readonly string[] = ['refactor'],
  settings: Partial<Settings> = {},
): Map<string, string> {
  const { snapshot, position } = atCursor(marked, settings);
  const found = provideCodeActions(
    snapshot,
    {
      range: { start: position, end: position },
      context: { diagnostics: [], only: [...only], triggerKind: CodeActionTriggerKind.Invoked },
    },
    NEVER_CANCELLED,
  );
  return new Map(
    found.map((a) => [a.title, a.disabled?.reason ?? applied(snapshot, a.edit?.changes?.[URI] ?? [])] as const),
  );
}

/** Lines that one text has and the other has not, in the order of their texts: `- line`, `+ line`. */
export function changedLines(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let from = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from++;
  let behind = 0;
  while (behind < Math.min(a.length, b.length) - from && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  const own = (lines: readonly string[]): string[] => lines.slice(from, lines.length - behind);
  return [...own(a).map((l) => `- ${l.trim()}`), ...own(b).map((l) => `+ ${l.trim()}`)];
}
