/**
 * Arguments of commands that links and lenses run. A link may have come from anywhere, so a command acts only on documents that are open
 * as MIR or as a log of ours, or that lie in the workspace, and on positions that are numbers.
 */
import * as vscode from 'vscode';

/** Of logs of machine dumps. */
export const LOG_LANGUAGE = 'amdgpu-mir-log';

export interface Place {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
  /** command, without `amdgpu-mir.`, and arguments that open the view of the place again */
  readonly reopen?: readonly [command: string, ...args: unknown[]];
}

/** The place with the command that opens its view, whose arguments are the place's. */
export const openedBy = (command: string, { uri, position }: Place): Place => ({
  uri,
  position,
  reopen: [command, uri.toString(), position.line, position.character],
});

/** Undefined when it names no document that the commands are for. */
export function documentOf(argument: unknown): vscode.Uri | undefined {
  if (typeof argument !== 'string') return undefined;
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(argument, true);
  } catch {
    return undefined;
  }
  const isOpen = vscode.workspace.textDocuments.some(
    (d) => (d.languageId === 'mir' || d.languageId === LOG_LANGUAGE) && d.uri.toString() === uri.toString(),
  );
  const isListed = uri.path.endsWith('.mir') && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return isOpen || isListed ? uri : undefined;
}

const isIndex = (n: unknown): n is number => Number.isSafeInteger(n) && 0 <= (n as number);

/** The place that arguments name; undefined when they are not what ours are. */
export function placeOfArguments(uri: unknown, line: unknown, character: unknown = 0): Place | undefined {
  const document = documentOf(uri);
  if (!document || !isIndex(line) || !isIndex(character)) return undefined;
  return { uri: document, position: new vscode.Position(line, character) };
}

/** The place that a code lens or a link names; the cursor where none is named, as in the palette and in menus. */
export function placeOf(uri?: unknown, line?: unknown, character?: unknown): Place | undefined {
  if (line !== undefined) return placeOfArguments(uri, line, character);
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: editor.document.uri, position: editor.selection.active };
}

/** A document and the index of one of its targets. */
export function targetOfArguments(uri: unknown, index: unknown): { uri: string; index: number } | undefined {
  return typeof uri === 'string' && documentOf(uri) && isIndex(index) ? { uri, index } : undefined;
}
