/** Marks beside the text that the server is asked for: in all visible editors, a pause after whatever may change them. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ParamsOf } from '../../server/src/lsp/common/requests.js';
import type { TargetStatus } from './targetStatus';

/** Lines above and below the screen that are marked already when one scrolls. */
const MARGIN_LINES = 60;

export abstract class EditorMarks implements vscode.Disposable {
  private timer: NodeJS.Timeout | undefined;
  private running: vscode.CancellationTokenSource | undefined;
  protected readonly disposables: vscode.Disposable[];

  /** `delayMs`: pause after an edit or a scroll. */
  constructor(
    protected readonly client: BaseLanguageClient,
    status: TargetStatus,
    private readonly delayMs: number,
  ) {
    const later = (): void => this.later();
    this.disposables = [
      vscode.window.onDidChangeActiveTextEditor(later),
      vscode.window.onDidChangeVisibleTextEditors(later),
      vscode.window.onDidChangeTextEditorVisibleRanges(later),
      vscode.workspace.onDidChangeTextDocument(later),
      vscode.workspace.onDidChangeConfiguration((e) => {
        if (e.affectsConfiguration('amdgpu-mir')) this.later();
      }),
      // What is known of a document is known now, or known anew, e.g. for another target.
      status.onDidChange(later),
    ];
    later();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.running?.cancel();
    for (const d of this.disposables) d.dispose();
  }

  /** Asks for what the editor should show, and shows it unless the token or an edit says that it is outdated. */
  protected abstract mark(editor: vscode.TextEditor, token: vscode.CancellationToken): Promise<void>;

  protected later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.update(), this.delayMs);
  }

  private async update(): Promise<void> {
    this.running?.cancel();
    if (!this.client.isRunning()) return;
    const source = (this.running = new vscode.CancellationTokenSource());
    try {
      for (const editor of vscode.window.visibleTextEditors)
        if (editor.document.languageId === 'mir') await this.mark(editor, source.token);
    } catch {
      // Cancelled, or outdated: the next question is on its way.
    } finally {
      source.dispose();
    }
  }
}

/** The lines on screen and some around them, as the protocol has ranges. */
export function around({ visibleRanges, document }: vscode.TextEditor): ParamsOf<'textDocument/inlayHint'>['range'] {
  const first = Math.max(0, Math.min(...visibleRanges.map((r) => r.start.line)) - MARGIN_LINES);
  const last = Math.min(document.lineCount - 1, Math.max(...visibleRanges.map((r) => r.end.line)) + MARGIN_LINES);
  return { start: { line: first, character: 0 }, end: { line: last, character: 0 } };
}
