/**
 * Edits while typing that come when their line has changed already. VS Code gives up what it asked for with the next key, and a CHECK line that is typed at
 * once behind Enter would go on without its `; CHECK-NEXT:`. Here it is asked for again, and applied as long as all that was typed meanwhile stands behind it.
 */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

type Change = vscode.TextDocumentContentChangeEvent;

/** Each fails only where one more key has come while the question or the edit was on its way. */
const MAX_TRIES = 20;

/** What comes behind the last Enter. */
let listener: vscode.Disposable | undefined;

export const provideOnTypeFormattingEdits: NonNullable<Middleware['provideOnTypeFormattingEdits']> = async (
  document,
  position,
  ch,
  options,
  token,
  next,
) => {
  if (ch !== '\n') return next(document, position, ch, options, token);
  const never = new vscode.CancellationTokenSource().token;
  const changes: Change[] = [];
  let isSent = false;
  const late = async (): Promise<void> => {
    isSent = false;
    for (let k = 0; k < MAX_TRIES && changes.every((c) => isTyped(c, position.line)); k++) {
      changes.length = 0;
      const edits = await next(document, position, ch, options, never);
      if (changes.length > 0) continue;
      if (!edits || edits.length === 0) break;
      const edit = new vscode.WorkspaceEdit();
      edit.set(document.uri, edits);
      // It names the version that it was made for, and is refused where that is no more.
      if (await vscode.workspace.applyEdit(edit)) break;
    }
    own.dispose();
  };
  listener?.dispose();
  const own = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document.uri.toString() !== document.uri.toString() || event.contentChanges.length === 0) return;
    changes.push(...event.contentChanges);
    // The answer is on its way to VS Code: either this is it, or it was dropped.
    if (isSent) void late();
  });
  listener = own;
  const edits = await next(document, position, ch, options, never);
  if (changes.length === 0 && edits && edits.length > 0) {
    isSent = true;
    return edits;
  }
  if (changes.length > 0) await late();
  own.dispose();
  return [];
};

/** Something that is typed in a line, which stays that line. */
const isTyped = ({ range, text }: Change, line: number): boolean =>
  range.start.line === line && range.end.line === line && !/[\r\n]/.test(text);
