/**
 * A panel beside the editor with a page about the function under the cursor, which follows cursor and edits. The pages are client/webview;
 * messages.ts is what both say to each other.
 */
import * as vscode from 'vscode';
import { State, type BaseLanguageClient } from 'vscode-languageclient';
import type { ParamsOf } from '../../server/src/lsp/common/requests.js';
import type { FromPage, PanelPlace, ToPage } from '../webview/messages.js';
import frameStyle from '../webview/page.css';
import frame from '../webview/page.html';
import { placeOfArguments } from './commandArguments';
import type { TargetStatus } from './targetStatus';

/** Pause after an edit or a move of the cursor to another function. */
const REFRESH_DELAY_MS = 120;

interface Page<Answer> {
  /** the last word of the command `amdgpu-mir.NAME` that opens it */
  readonly command: string;
  readonly viewType: string;
  readonly title: string;
  readonly html: string;
  readonly style: string;
  /** its script in dist/client */
  readonly script: string;
  readonly request: (params: ParamsOf<'textDocument/hover'>) => Promise<Answer | null>;
  /** is a line of the file within what is shown? */
  readonly shows: (answer: Answer, line: number) => boolean;
  /** of the documents that it is about; `mir` where not said */
  readonly language?: string;
  /** said when its text is in the clipboard */
  readonly copied: string;
  /** what the page has of its own was clicked */
  readonly act?: (name: string, value: string, at: PanelPlace) => void;
}

export class FunctionPanel<Answer extends { readonly text: string }> implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  /** the document that is shown; the active editor's, unless that is no MIR */
  private document: vscode.TextDocument | undefined;
  private line = 0;
  private shown: Answer | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];
  private readonly updated = new vscode.EventEmitter<Answer>();
  /** fires with each answer that the page was given; for tests */
  readonly onDidShow = this.updated.event;

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly status: TargetStatus,
    private readonly extensionUri: vscode.Uri,
    private readonly page: Page<Answer>,
  ) {
    const { window, workspace } = vscode;
    this.disposables = [
      this.updated,
      vscode.commands.registerCommand(`amdgpu-mir.${page.command}`, () => this.open()),
      window.onDidChangeActiveTextEditor(() => this.follow()),
      window.onDidChangeTextEditorSelection((e) => this.moved(e.textEditor)),
      workspace.onDidChangeTextDocument((e) => {
        if (e.document === this.document) this.later();
      }),
      status.onDidChange(() => this.later()),
      client.onDidChangeState(({ newState }) => {
        if (newState === State.Running) this.later();
      }),
      // One that was there when the window was loaded again.
      window.registerWebviewPanelSerializer(page.viewType, {
        deserializeWebviewPanel: (panel, state) => this.restore(panel, state),
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    for (const d of this.disposables) d.dispose();
  }

  /** Another answer for what is shown, as far as it has come. */
  show(answer: Answer): void {
    if (!this.panel) return;
    this.shown = answer;
    this.post({ kind: 'show', answer });
    this.updated.fire(answer);
  }

  private open(): void {
    if (this.panel) this.panel.reveal(undefined, true);
    else {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      const { viewType, title } = this.page;
      this.adopt(vscode.window.createWebviewPanel(viewType, title, column));
    }
    this.follow();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    const pages = vscode.Uri.joinPath(this.extensionUri, 'dist', 'client');
    this.panel = panel;
    panel.webview.options = { enableScripts: true, localResourceRoots: [pages] };
    panel.onDidDispose(() => {
      if (this.panel === panel) this.panel = undefined;
    });
    panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    panel.webview.html = pageOf(panel.webview, this.page, vscode.Uri.joinPath(pages, this.page.script));
  }

  /** `state`: what the page kept, which anybody may have written */
  private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    if (this.panel) {
      panel.dispose();
      return;
    }
    this.adopt(panel);
    this.follow();
    const { uri, line } = (state ?? {}) as Partial<PanelPlace>;
    const place = this.document ? undefined : placeOfArguments(uri, line);
    if (!place) return;
    this.document = await vscode.workspace.openTextDocument(place.uri);
    this.line = place.position.line;
    await this.refresh();
  }

  /** Takes over the active editor if it shows MIR. */
  private follow(): void {
    const editor = vscode.window.activeTextEditor;
    if (!this.panel || editor?.document.languageId !== (this.page.language ?? 'mir')) return;
    this.document = editor.document;
    this.line = editor.selection.active.line;
    void this.refresh();
  }

  private moved({ document, selection }: vscode.TextEditor): void {
    if (!this.panel || document !== this.document) return;
    this.line = selection.active.line;
    this.post({ kind: 'cursor', line: this.line });
    if (!this.shown || !this.page.shows(this.shown, this.line)) this.later();
  }

  private later(): void {
    if (!this.panel) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), REFRESH_DELAY_MS);
  }

  private async refresh(): Promise<void> {
    const { document } = this;
    if (!this.panel || !document) return;
    try {
      const answer = await this.page.request({
        textDocument: { uri: this.uriOf(document) },
        position: { line: this.line, character: 0 },
      });
      if (document !== this.document) return;
      this.shown = answer;
      if (!answer) this.post({ kind: 'nothing', message: vscode.l10n.t('There is no function in this file.') });
      else {
        this.post({ kind: 'show', answer });
        this.post({ kind: 'cursor', line: this.line });
        this.post({ kind: 'place', place: { uri: document.uri.toString(), line: this.line } });
        this.updated.fire(answer);
      }
    } catch {
      // The text has changed meanwhile: the change asks again.
    }
  }

  private uriOf(document: vscode.TextDocument): string {
    return this.client.code2ProtocolConverter.asUri(document.uri);
  }

  private post(message: ToPage<Answer>): void {
    void this.panel?.webview.postMessage(message);
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        await this.refresh();
        return;
      case 'goTo':
        if (this.document) await showLine(this.document, message.line);
        return;
      case 'target':
        if (this.document) await this.status.select({ uri: this.uriOf(this.document), index: message.index });
        return;
      case 'copy':
        if (!this.shown) return;
        await vscode.env.clipboard.writeText(this.shown.text);
        vscode.window.setStatusBarMessage(this.page.copied, 2000);
        return;
      case 'act':
        if (this.document)
          this.page.act?.(message.name, message.value, { uri: this.uriOf(this.document), line: this.line });
        return;
    }
  }
}

/** Nothing is loaded but the script of the extension; nothing is sent. */
function pageOf(
  webview: vscode.Webview,
  { title, html, style }: Pick<Page<unknown>, 'title' | 'html' | 'style'>,
  script: vscode.Uri,
): string {
  const nonce = crypto.randomUUID().replaceAll('-', '');
  return frame
    .replace('{csp}', `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`)
    .replaceAll('{nonce}', nonce)
    .replace('{title}', title)
    .replace('{style}', () => frameStyle + style)
    .replace('{content}', () => html)
    .replace('{script}', webview.asWebviewUri(script).toString());
}

/** Moves the cursor to a line of a document, in the editor that shows it. */
async function showLine(document: vscode.TextDocument, line: number): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((e) => e.document === document);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(document, { viewColumn });
  const at = Math.min(line, document.lineCount - 1);
  const position = new vscode.Position(at, document.lineAt(at).firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
