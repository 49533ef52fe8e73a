/** The pressure view: a panel beside the editor with the pressure along the function under the cursor. The page is client/webview. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import { PRESSURE_PROFILE_REQUEST, type PressureProfile } from '../../server/src/lsp/common/customRequests.js';
import type { FromView, ToView } from '../webview/messages.js';
import style from '../webview/pressureView.css';
import html from '../webview/pressureView.html';
import type { TargetStatus } from './targetStatus';
import { pageOf, showLine } from './viewPage';

const VIEW_TYPE = 'amdgpu-mir.pressure';
/** Pause after an edit or a move of the cursor to another function. */
const REFRESH_DELAY_MS = 120;

export class PressureView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  /** the document that is shown; the active editor's, unless that is no MIR */
  private document: vscode.TextDocument | undefined;
  private line = 0;
  private shown: PressureProfile | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: vscode.Disposable[];
  private readonly updated = new vscode.EventEmitter<PressureProfile>();
  /** fires with each profile that the page was given; for tests */
  readonly onDidShow = this.updated.event;

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly status: TargetStatus,
    private readonly extensionUri: vscode.Uri,
  ) {
    const { window, workspace } = vscode;
    this.disposables = [
      this.updated,
      vscode.commands.registerCommand('amdgpu-mir.showPressureView', () => this.open()),
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
      this.panel = vscode.window.createWebviewPanel(VIEW_TYPE, 'Register Pressure', column, {
        enableScripts: true,
        localResourceRoots: [pages],
      });
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.webview.onDidReceiveMessage((message: FromView) => this.receive(message));
      this.panel.webview.html = pageOf(this.panel.webview, html, style, vscode.Uri.joinPath(pages, 'pressureView.js'));
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
    const lines = this.shown?.lines ?? [];
    const isInside = lines.length > 0 && lines[0]! <= this.line && this.line <= lines[lines.length - 1]!;
    if (!isInside) this.later();
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
      const profile = await ask(this.client, PRESSURE_PROFILE_REQUEST, params);
      if (document !== this.document) return;
      this.shown = profile;
      if (!profile) this.post({ kind: 'nothing', message: 'There is no function in this file.' });
      else {
        this.post({ kind: 'profile', profile });
        this.post({ kind: 'cursor', line: this.line });
        this.updated.fire(profile);
      }
    } catch {
      // The text has changed meanwhile: the change asks again.
    }
  }

  private post(message: ToView): void {
    void this.panel?.webview.postMessage(message);
  }

  private async receive(message: FromView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        await this.refresh();
        return;
      case 'goTo':
        if (this.document) await showLine(this.document, message.line);
        return;
      case 'target':
        if (this.document)
          await this.status.select({
            uri: this.client.code2ProtocolConverter.asUri(this.document.uri),
            index: message.index,
          });
        return;
      case 'copy':
        if (!this.shown) return;
        await vscode.env.clipboard.writeText(this.shown.text);
        vscode.window.setStatusBarMessage('Pressure report copied', 2000);
        return;
    }
  }
}
