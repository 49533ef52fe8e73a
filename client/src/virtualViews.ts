/**
 * Read-only texts that the server makes of a place in a source: the scheduled file, reports, tables. They follow the source as it is edited,
 * and the lines that a report names are links. Every such view of the extension is one of these.
 */
import * as vscode from 'vscode';
import { State, type BaseLanguageClient } from 'vscode-languageclient';
import type { ParamsOf } from '../../server/src/lsp/common/requests.js';
import { documentOf, type Place } from './commandArguments';
import { lineReferences } from './lineReferences';

export const VIEW_SCHEME = 'amdgpu-mir-view';
/** Files of that name have the language of reports, which wrap their lines. */
const REPORT_EXTENSION = '.mir-report';
/** Lines of a table do not wrap. */
const TABLE_EXTENSION = '.mir-table';
/** Where the commands of open views are kept, and how many. */
const OPEN_VIEWS = 'amdgpu-mir.openViews';
const MAX_REMEMBERED = 8;
/** Commands that open views and do nothing else. */
const REOPENING: ReadonlySet<string> = new Set([
  'whyPressure',
  'whyDivergent',
  'showDetails',
  'compareTargets',
  'rematReport',
  'showScheduled',
  'explainSchedule',
  'showAllocated',
  'explainAllocation',
  'compareCosts',
  'compareWith',
  'whyOccupancy',
]);
/** Pause after an edit before an open view is asked for anew. */
const REFRESH_DELAY_MS = 300;

/** A part of a report that runs a command of ours when it is clicked. */
export interface CommandLink {
  /** offsets in the text */
  readonly start: number;
  readonly end: number;
  /** without `amdgpu-mir.` */
  readonly command: string;
  readonly args: readonly unknown[];
  readonly tooltip: string;
}

export interface LinkedText {
  readonly text: string;
  readonly links: readonly CommandLink[];
}

type MakeText = (place: Place) => Promise<string | LinkedText>;

interface View {
  readonly place: Place;
  readonly text: MakeText;
  /** what it shows */
  shown: LinkedText;
}

/** The file that a tab shows, in a diff the left one. */
function sourceOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.original : undefined;
}

/** The address of the text that a tab shows, in a diff on the right; empty for other tabs. */
function shownBy(input: unknown): string {
  if (input instanceof vscode.TabInputText) return input.uri.toString();
  return input instanceof vscode.TabInputTextDiff ? input.modified.toString() : '';
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
  /** those that somebody has closed; VS Code keeps their texts for a while */
  private readonly closed = new Set<string>();
  private isRestoring = false;

  /** `memory`: of the workspace, for the views that are open when the window is loaded again */
  constructor(
    client: BaseLanguageClient,
    private readonly memory: vscode.Memento,
  ) {
    this.disposables = [
      client.onDidChangeState(({ newState }) => {
        if (newState === State.Running) for (const uri of this.views.keys()) this.changed.fire(vscode.Uri.parse(uri));
      }),
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(VIEW_SCHEME, this),
      vscode.languages.registerDocumentLinkProvider(
        { scheme: VIEW_SCHEME, pattern: `**/*{${REPORT_EXTENSION},${TABLE_EXTENSION}}` },
        this,
      ),
      vscode.workspace.onDidChangeTextDocument((e) => this.edited(e.document.uri)),
      vscode.workspace.onDidCloseTextDocument((d) => {
        this.closed.delete(d.uri.toString());
        if (this.views.delete(d.uri.toString())) this.remember();
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.tabsClosed(closed)),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const d of this.disposables) d.dispose();
  }

  /** The address of a view; `text` is asked whenever it is shown or its source has changed. */
  add(name: string, place: Place, text: MakeText): vscode.Uri {
    const uri = vscode.Uri.from({
      scheme: VIEW_SCHEME,
      path: `/${name}`,
      query: `${place.uri.toString()}#${place.position.line}`,
    });
    const known = this.views.has(uri.toString());
    this.closed.delete(uri.toString());
    this.views.set(uri.toString(), { place, text, shown: { text: '', links: [] } });
    this.remember();
    // the same line, but perhaps another column of it, or another target
    if (known) this.changed.fire(uri);
    return uri;
  }

  /** Opens a report beside its source. */
  showReport(title: string, place: Place, text: MakeText, preserveFocus = false): Promise<void> {
    return this.show(`${title}${REPORT_EXTENSION}`, place, text, preserveFocus);
  }

  /** Opens a report that is a table beside its source. */
  showTable(title: string, place: Place, text: MakeText): Promise<void> {
    return this.show(`${title}${TABLE_EXTENSION}`, place, text, false);
  }

  /** Opens a view beside its source; the ending of its name says what language it has. */
  private async show(name: string, place: Place, text: MakeText, preserveFocus: boolean): Promise<void> {
    const uri = this.add(name, place, text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      // One that is opened again must not take the place of the one before.
      preview: !this.isRestoring,
      preserveFocus,
    });
  }

  private tabsClosed(tabs: readonly vscode.Tab[]): void {
    const shown = new Set(
      vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => shownBy(input))),
    );
    const gone = tabs.map(({ input }) => shownBy(input)).filter((uri) => this.views.has(uri) && !shown.has(uri));
    for (const uri of gone) this.closed.add(uri);
    if (gone.length > 0) this.remember();
  }

  private remember(): void {
    if (this.isRestoring) return;
    const commands = [...this.views].flatMap(([uri, { place }]) =>
      place.reopen && !this.closed.has(uri) ? [place.reopen] : [],
    );
    void this.memory.update(OPEN_VIEWS, commands.slice(-MAX_REMEMBERED));
  }

  /** Opens the views again that were open when the window was closed or loaded again; call once the server runs. */
  async restore(): Promise<void> {
    const commands = this.memory.get<unknown>(OPEN_VIEWS);
    // What VS Code kept of them are tabs without a text.
    const isOurs = ({ input }: vscode.Tab): boolean =>
      (input instanceof vscode.TabInputText && input.uri.scheme === VIEW_SCHEME) ||
      (input instanceof vscode.TabInputTextDiff && input.modified.scheme === VIEW_SCHEME);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const open = new Set(tabs.flatMap(({ input }) => sourceOf(input)?.toString() ?? []));
    const left = tabs.filter(isOurs);
    if (left.length > 0) await vscode.window.tabGroups.close(left, true);
    if (!Array.isArray(commands) || commands.length === 0) return;
    const before = vscode.window.activeTextEditor;
    const backToSource = async (): Promise<void> => {
      if (before)
        await vscode.window.showTextDocument(before.document, {
          viewColumn: before.viewColumn ?? vscode.ViewColumn.One,
          preview: false,
        });
    };
    this.isRestoring = true;
    try {
      for (const entry of commands.slice(-MAX_REMEMBERED)) {
        const [command, ...args] = Array.isArray(entry) ? (entry as unknown[]) : [];
        const source = documentOf(args[0]);
        // A closed file has no views; that of a tab in the background is not read yet.
        if (!source || !open.has(source.toString())) continue;
        await vscode.workspace.openTextDocument(source);
        if (typeof command === 'string' && REOPENING.has(command))
          await vscode.commands.executeCommand(`amdgpu-mir.${command}`, ...args);
        // What opens beside opens beside the same group.
        await backToSource();
      }
    } finally {
      this.isRestoring = false;
      this.remember();
    }
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
    if (!view) return '';
    const made = await view.text(view.place);
    view.shown = typeof made === 'string' ? { text: made, links: [] } : made;
    return view.shown.text;
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const view = this.views.get(document.uri.toString());
    if (view === undefined) return [];
    const source = view.place.uri.toString();
    const text = document.getText();
    const lines = lineReferences(text).map(({ start, end, line }): CommandLink => {
      return { start, end, command: 'goTo', args: [source, line, 0], tooltip: `Go to line ${line + 1}` };
    });
    // Those of another version stand elsewhere.
    const own = view.shown.text === text ? view.shown.links : [];
    return [...lines, ...own].map(({ start, end, command, args, tooltip }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const query = encodeURIComponent(JSON.stringify(args));
      const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:amdgpu-mir.${command}?${query}`));
      link.tooltip = tooltip;
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
