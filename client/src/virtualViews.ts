/**
 * Read-only texts that the server makes of a place in a source: the scheduled file, reports, tables. They follow the source as it is edited,
 * and the lines that a report names are links. Every such view of the extension is one of these.
 */
import * as vscode from 'vscode';
import type { ParamsOf } from '../../server/src/lsp/common/requests.js';
import type { Place } from './commandArguments';
import { lineReferences } from './lineReferences';

export const VIEW_SCHEME = 'amdgpu-mir-view';
/** Files of that name have the language of reports, which wrap their lines. */
const REPORT_EXTENSION = '.mir-report';
/** Pause after an edit before an open view is asked for anew. */
const REFRESH_DELAY_MS = 300;

interface View {
  readonly place: Place;
  readonly text: (place: Place) => Promise<string>;
}

export class VirtualViews
  implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  /** open views by the text of their URI */
  private readonly views = new Map<string, View>();
  private readonly disposables: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(VIEW_SCHEME, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: VIEW_SCHEME, pattern: `**/*${REPORT_EXTENSION}` }, this),
      vscode.workspace.onDidChangeTextDocument((e) => this.edited(e.document.uri)),
      vscode.workspace.onDidCloseTextDocument((d) => this.views.delete(d.uri.toString())),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const d of this.disposables) d.dispose();
  }

  /** The address of a view; `text` is asked whenever it is shown or its source has changed. */
  add(name: string, place: Place, text: (place: Place) => Promise<string>): vscode.Uri {
    const uri = vscode.Uri.from({
      scheme: VIEW_SCHEME,
      path: `/${name}`,
      query: `${place.uri.toString()}#${place.position.line}`,
    });
    const known = this.views.has(uri.toString());
    this.views.set(uri.toString(), { place, text });
    // the same line, but perhaps another column of it, or another target
    if (known) this.changed.fire(uri);
    return uri;
  }

  /** Opens a report beside its source. */
  showReport(
    title: string,
    place: Place,
    text: (place: Place) => Promise<string>,
    preserveFocus = false,
  ): Promise<void> {
    return this.show(`${title}${REPORT_EXTENSION}`, place, text, preserveFocus);
  }

  /** Opens a view beside its source; the ending of its name says what language it has. */
  async show(
    name: string,
    place: Place,
    text: (place: Place) => Promise<string>,
    preserveFocus = false,
  ): Promise<void> {
    const uri = this.add(name, place, text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preview: true,
      preserveFocus,
    });
  }

  /** What a view is of; undefined for a document that is none of ours. */
  placeOfView(uri: vscode.Uri): Place | undefined {
    return this.views.get(uri.toString())?.place;
  }

  /** All views of a source are asked for anew. */
  refresh(source: vscode.Uri): void {
    for (const [uri, view] of this.views)
      if (view.place.uri.toString() === source.toString()) this.changed.fire(vscode.Uri.parse(uri));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const view = this.views.get(uri.toString());
    return view ? view.text(view.place) : '';
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const source = this.views.get(document.uri.toString())?.place.uri.toString();
    if (source === undefined) return [];
    return lineReferences(document.getText()).map(({ start, end, line }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const args = encodeURIComponent(JSON.stringify([source, line, 0]));
      const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:amdgpu-mir.goTo?${args}`));
      link.tooltip = `Go to line ${line + 1}`;
      return link;
    });
  }

  private edited(source: vscode.Uri): void {
    const of = source.toString();
    if (![...this.views.values()].some((v) => v.place.uri.toString() === of)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(source), REFRESH_DELAY_MS);
  }
}

/** Stands in a view whose source the server does not know at the moment. */
export const NO_ANSWER = 'no answer; an edit of the source, or the command, asks again\n';

export function paramsOf({ uri, position }: Place): ParamsOf<'textDocument/hover'> {
  return { textDocument: { uri: uri.toString() }, position: { line: position.line, character: position.character } };
}
