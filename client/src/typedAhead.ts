/**
 * Answers that come when the line has been typed on.
 *
 * - Edits while typing: VS Code gives up what it asked for with the next key, and a CHECK line that is typed at once after Enter would go on without its
 *   `; CHECK-NEXT:`. Here it is asked for again, and applied as long as all that was typed meanwhile stands after it.
 * - Completions: of a list that was asked for before a word (after `=`, say) VS Code keeps the items for that word, and shows no list where none of them
 *   fits. An empty one it does not keep, and asks for the word.
 */
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

type Change = vscode.TextDocumentContentChangeEvent;

/** Each fails only where one more key has come while the question or the edit was on its way. */
const MAX_TRIES = 20;

/** What comes after the last Enter. */
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

/** Ends the watch over what is typed after the last list. */
let watch: vscode.Disposable | undefined;

/** Longer than what is typed needs on its way here. */
const QUIET_MS = 300;

export const provideCompletionItem: NonNullable<Middleware['provideCompletionItem']> = async (
  document,
  position,
  context,
  token,
  next,
) => {
  watch?.dispose();
  const { version } = document;
  const list = await next(document, position, context, token);
  if (token.isCancellationRequested) return list;
  if (document.version !== version && isOtherWord(document, position)) return [];
  watchBehind(document, position);
  return list;
};

/** A word may have been typed already that is not known of here: where VS Code is seen to ask nothing for it, it is told to. */
function watchBehind(document: vscode.TextDocument, position: vscode.Position): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changes = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document !== document || event.contentChanges.length === 0) return;
    clearTimeout(timer);
    const isKey = event.contentChanges.every((c) => isTyped(c, position.line) && c.text.length === 1);
    if (!isKey) return own.dispose();
    timer = setTimeout(() => {
      if (!isOtherWord(document, position)) return;
      own.dispose();
      void vscode.commands.executeCommand('editor.action.triggerSuggest');
    }, QUIET_MS);
  });
  const own = new vscode.Disposable(() => {
    clearTimeout(timer);
    changes.dispose();
  });
  watch?.dispose();
  watch = own;
}

/** A word that was begun after the position ends at the cursor. */
function isOtherWord(document: vscode.TextDocument, { line, character }: vscode.Position): boolean {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document !== document) return false;
  const cursor = editor.selection.active;
  if (cursor.line !== line || cursor.character <= character) return false;
  const word = document.getWordRangeAtPosition(cursor);
  return word !== undefined && word.start.character > character && word.end.isEqual(cursor);
}
