/** The pressure view: a panel beside the editor with the pressure along the function under the cursor. The page is client/webview. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import { PRESSURE_PROFILE_REQUEST, type PressureProfile } from '../../server/src/lsp/common/customRequests.js';
import type { FromView, ToView } from '../webview/messages.js';
import type { TargetStatus } from './targetStatus';

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
      this.panel.webview.html = page(this.panel.webview, vscode.Uri.joinPath(pages, 'pressureView.js'));
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
        await this.goTo(message.line);
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

  private async goTo(line: number): Promise<void> {
    if (!this.document) return;
    const shown = vscode.window.visibleTextEditors.find((e) => e.document === this.document);
    const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(this.document, { viewColumn });
    const position = new vscode.Position(line, editor.document.lineAt(line).firstNonWhitespaceCharacterIndex);
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

const STYLE = `
  body { font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground); padding: 0 14px 14px; }
  h1 { font-size: 1.25em; font-weight: 600; margin: 12px 0 2px; }
  p { margin: 2px 0; }
  #problem:not(:empty) { color: var(--vscode-editorWarning-foreground); margin: 6px 0; }
  .tools { display: flex; gap: 10px; align-items: center; margin: 8px 0; flex-wrap: wrap; }
  select, button { font: inherit; color: var(--vscode-button-secondaryForeground, inherit);
    background: var(--vscode-button-secondaryBackground, transparent);
    border: 1px solid var(--vscode-button-border, var(--vscode-contrastBorder, transparent)); padding: 3px 8px; border-radius: 2px; }
  select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); border-color: var(--vscode-dropdown-border, currentColor); }
  :focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
  #chart { position: relative; cursor: crosshair; }
  .stale #chart { opacity: 0.5; }
  svg { display: block; overflow: visible; }
  svg text { font-size: 11px; fill: var(--vscode-descriptionForeground, currentColor); pointer-events: none; }
  svg text.name { fill: var(--vscode-foreground); font-weight: 600; paint-order: stroke; stroke: var(--vscode-editor-background); stroke-width: 3px; }
  .line { fill: none; stroke: var(--bank); stroke-width: 1.6; }
  .area { fill: var(--bank); opacity: 0.18; stroke: none; }
  .vgpr { --bank: var(--vscode-amdgpuMir-vgprPeak); }
  .sgpr { --bank: var(--vscode-amdgpuMir-sgprPeak); }
  .agpr { --bank: var(--vscode-amdgpuMir-agprPeak); }
  .both { --bank: var(--vscode-amdgpuMir-vectorPeak); }
  .axis { stroke: var(--vscode-foreground); stroke-width: 1; opacity: 0.6; }
  .limit { stroke: var(--vscode-foreground); stroke-width: 1; stroke-dasharray: 5 4; opacity: 0.55; }
  .block { stroke: var(--vscode-foreground); stroke-width: 1; opacity: 0.35; }
  .region { fill: var(--vscode-foreground); opacity: 0.035; }
  .region.odd { opacity: 0.085; }
  .mark { stroke: var(--vscode-editorCursor-foreground, currentColor); stroke-width: 2; }
  .hidden { display: none; }
  #status { font-variant-numeric: tabular-nums; margin: 6px 0 10px; min-height: 1.4em; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin-top: 6px; }
  caption { text-align: left; color: var(--vscode-descriptionForeground); padding: 2px 0 6px; }
  th, td { text-align: right; padding: 2px 12px 2px 0; font-weight: normal; }
  thead th { color: var(--vscode-descriptionForeground); }
  th button { border: none; background: none; color: var(--vscode-textLink-foreground); padding: 0; cursor: pointer; }
  .vscode-high-contrast .line, .vscode-high-contrast-light .line { stroke: currentColor; stroke-width: 2; }
  .vscode-high-contrast .area, .vscode-high-contrast-light .area, .vscode-high-contrast .region, .vscode-high-contrast-light .region { opacity: 0; }
  .vscode-high-contrast .limit, .vscode-high-contrast .block, .vscode-high-contrast-light .limit, .vscode-high-contrast-light .block { opacity: 1; }
  @media (forced-colors: active) { .line, .mark { stroke: CanvasText; } .area { opacity: 0; } }
`;

/** Nothing is loaded but the script of the extension; nothing is sent. */
function page(webview: vscode.Webview, script: vscode.Uri): string {
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const csp = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Register pressure</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<p id="problem" role="status"></p>
<div id="content" hidden>
<h1 id="title"></h1>
<p id="headline"></p>
<div class="tools">
<label for="target">Target</label><select id="target"></select>
<button id="copy">Copy as text</button>
</div>
<div id="chart" role="slider" tabindex="0" aria-label="Registers live along the function. Arrow keys move by instructions, page keys by blocks, p goes to the peak, Enter shows the line."
 aria-orientation="horizontal" aria-valuemin="0" aria-valuemax="0" aria-valuenow="0" aria-describedby="headline"></div>
<p id="status"></p>
<details><summary>As a table</summary><table id="table"></table></details>
</div>
<script nonce="${nonce}" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>`;
}
