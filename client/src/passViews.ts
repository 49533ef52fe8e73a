/** What the views of a pass have in common: a diff of the source against the text after the pass, and how the pass came to it. */
import * as vscode from 'vscode';
import { ResponseError } from 'vscode-languageclient';
import { openedBy, placeOf, type Place } from './commandArguments';
import { firstBodyDifference } from './firstDifference';
import { asMessage, asSegment } from './plainText';
import { NO_ANSWER, type LinkedText, type VirtualViews } from './virtualViews';

/** The function after a pass; `text` null = it cannot be had, and `summary` says why. */
interface PassText {
  readonly function: string;
  readonly target: string;
  readonly text: string | null;
  readonly summary: string;
}

/** LSPErrorCodes.RequestCancelled and ContentModified: the user ended it, or typed on. */
const GIVEN_UP: readonly number[] = [-32800, -32801];

const isGivenUp = (error: unknown): boolean => error instanceof ResponseError && GIVEN_UP.includes(error.code);

/** A command at a place, which may be given up. */
export function onPlace(command: string, run: (place: Place) => Promise<void>): vscode.Disposable {
  return vscode.commands.registerCommand(`amdgpu-mir.${command}`, async (uri?: unknown, line?: unknown) => {
    const place = placeOf(uri, line);
    if (place) await unlessGivenUp(run(openedBy(command, place)));
  });
}

export async function unlessGivenUp(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isGivenUp(error)) throw error;
  }
}

/** The source beside what `request` makes of the function at `place`, which follows the source. `done`: the word for its state. */
export async function showPassDiff(
  views: VirtualViews,
  place: Place,
  [source, done]: readonly [source: string, done: string],
  request: (place: Place) => Promise<PassText | null>,
): Promise<void> {
  const r = await request(place);
  if (!r) return;
  if (r.text === null) {
    void vscode.window.showWarningMessage(asMessage(r.summary));
    return;
  }
  const right = views.add(`${asSegment(r.function)} ${done}.mir`, place, async (at) => {
    const now = await request(at);
    return now?.text ?? `# ${now?.summary ?? NO_ANSWER.trimEnd()}\n`;
  });
  const title = `${r.function}: ${source}, ${done} (${r.target})`;
  const document = await vscode.workspace.openTextDocument(place.uri);
  const line = firstBodyDifference(document.getText(), r.text, place.position.line);
  const options = line < 0 ? {} : { selection: new vscode.Range(line, 0, line, 0) };
  await vscode.commands.executeCommand('vscode.diff', place.uri, right, title, options);
}

/** A report that may take long, or a table. */
export function showLongReport(
  views: VirtualViews,
  place: Place,
  title: string,
  request: (place: Place) => Promise<string | LinkedText | null>,
  isTable = false,
): Promise<void> {
  const text = async (at: Place): Promise<string | LinkedText> => {
    try {
      return (await request(at)) ?? NO_ANSWER;
    } catch (error) {
      if (isGivenUp(error)) return 'cancelled; an edit of the source, or the command, asks again\n';
      throw error;
    }
  };
  return isTable ? views.showTable(title, place, text) : views.showReport(title, place, text);
}
