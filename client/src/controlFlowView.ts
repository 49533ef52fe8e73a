/** The control flow view: a panel beside the editor with the blocks of the function under the cursor. The page is client/webview/flowView. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { CONTROL_FLOW_REQUEST, type ControlFlow } from '../../server/src/lsp/common/customRequests.js';
import type { FromFlowView, ToFlowView } from '../webview/flowMessages.js';
import style from '../webview/flowView.css';
import html from '../webview/flowView.html';
import { ask } from './ask';
import type { TargetStatus } from './targetStatus';
import { pageOf, showLine } from './viewPage';

const VIEW_TYPE = 'amdgpu-mir.controlFlow';
/** Pause after an edit or a move of the cursor to another function. */
const REFRESH_DELAY_MS = 150;

export class ControlFlowView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.TextDocument | undefined;
  private line = 0;
  private shown: ControlFlow | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];
  private readonly updated = new vscode.EventEmitter<ControlFlow>();
  /** fires with each answer that the page was given; for tests */
  readonly onDidShow = this.updated.event;

  constructor(
    private readonly client: BaseLanguageClient,
    status: TargetStatus,
    private readonly extensionUri: vscode.Uri,
  ) {
    const { window, workspace } = vscode;
    this.disposables = [
      this.updated,
      vscode.commands.registerCommand('amdgpu-mir.showControlFlow', () => this.open()),
      window.onDidChangeActiveTextEditor(() => this.follow()),
      window.onDidChangeTextEditorSelection((e) => this.moved(e.textEditor)),
      workspace.onDidChangeTextDocument((e) => {
        if (e.document === this.document) this.later();
      }),
      status.onDidChange(() => this.later()),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    for (const d of this.disposables) d.dispose();
  }

  private open(): void {
    if (this.panel) this.panel.reveal(undefined, true);
    else {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      const pages = vscode.Uri.joinPath(this.extensionUri, 'dist', 'client');
      this.panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Control Flow', column, {
        enableScripts: true,
        localResourceRoots: [pages],
      });
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.webview.onDidReceiveMessage((message: FromFlowView) => this.receive(message));
      this.panel.webview.html = pageOf(this.panel.webview, html, style, vscode.Uri.joinPath(pages, 'flowView.js'));
    }
    this.follow();
  }

  /** Takes over the active editor if it shows MIR. */
  private follow(): void {
    const editor = vscode.window.activeTextEditor;
    if (!this.panel || editor?.document.languageId !== 'mir') return;
    this.document = editor.document;
    this.line = editor.selection.active.line;
    void this.refresh();
  }

  private moved({ document, selection }: vscode.TextEditor): void {
    if (!this.panel || document !== this.document) return;
    this.line = selection.active.line;
    this.post({ kind: 'cursor', line: this.line });
    const blocks = this.shown?.blocks ?? [];
    if (!blocks.some((b) => b.line <= this.line && this.line <= b.lastLine)) this.later();
  }

  private later(): void {
    if (!this.panel) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), REFRESH_DELAY_MS);
  }

  private async refresh(): Promise<void> {
    const { document } = this;
    if (!this.panel || !document) return;
    const params = {
      textDocument: { uri: this.client.code2ProtocolConverter.asUri(document.uri) },
      position: { line: this.line, character: 0 },
    };
    try {
      const flow = await ask(this.client, CONTROL_FLOW_REQUEST, params);
      if (document !== this.document) return;
      this.shown = flow;
      if (!flow) this.post({ kind: 'nothing', message: 'There is no function in this file.' });
      else {
        this.post({ kind: 'flow', flow });
        this.post({ kind: 'cursor', line: this.line });
        this.updated.fire(flow);
      }
    } catch {
      // The text has changed meanwhile: the change asks again.
    }
  }

  private post(message: ToFlowView): void {
    void this.panel?.webview.postMessage(message);
  }

  private async receive(message: FromFlowView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        await this.refresh();
        return;
      case 'goTo':
        if (this.document) await showLine(this.document, message.line);
        return;
      case 'copy':
        if (!this.shown) return;
        await vscode.env.clipboard.writeText(this.shown.text);
        vscode.window.setStatusBarMessage('Control flow copied', 2000);
        return;
    }
  }
}
