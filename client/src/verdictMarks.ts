/** Beside each CHECK line whether it matched, as the server has last said: a mark in the gutter, which an edit makes a doubtful one. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { VERDICT_NOTIFICATION, type VerdictStatus } from '../../server/src/lsp/common/customRequests.js';

type State = VerdictStatus['checks'][number]['state'];
export type Mark = State | 'stale';

const MARKS: readonly Mark[] = ['matched', 'failed', 'not reached', 'stale'];
const ICONS: Readonly<Record<Mark, readonly [colour: string, path: string]>> = {
  matched: ['#3fa45b', 'M3.5 8.5l3 3 6-7'],
  failed: ['#e5484d', 'M4 4l8 8M12 4l-8 8'],
  'not reached': ['#8b8b8b', 'M4 8h8'],
  stale: ['#b58900', 'M3 9.5c1.5-3 3.5-3 5-1.5s3.5 1.5 5-1.5'],
};

interface Known {
  checks: readonly { readonly line: number; readonly state: State }[];
  isStale: boolean;
}

export class VerdictMarks implements vscode.Disposable {
  /** what is shown of the active editor: lines by mark; for tests */
  shown: Partial<Record<Mark, readonly number[]>> = {};
  private readonly known = new Map<string, Known>();
  private readonly types = new Map(MARKS.map((mark) => [mark, gutterMark(mark)]));
  private readonly heard = new vscode.EventEmitter<VerdictStatus>();
  readonly onVerdict = this.heard.event;
  private readonly disposables: vscode.Disposable[];

  constructor(client: BaseLanguageClient) {
    this.disposables = [
      this.heard,
      ...this.types.values(),
      client.onNotification(VERDICT_NOTIFICATION, (status: VerdictStatus) => {
        const uri = client.protocol2CodeConverter.asUri(status.uri).toString();
        const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri);
        if (document?.version !== status.version) return;
        this.known.set(uri, { checks: status.checks, isStale: false });
        this.show(uri);
        this.heard.fire(status);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.edited(document.uri.toString(), contentChanges);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.known.delete(uri.toString())),
      vscode.window.onDidChangeVisibleTextEditors(() => this.showAll()),
      vscode.window.onDidChangeActiveTextEditor(() => this.showAll()),
      vscode.workspace.onDidChangeConfiguration((e) => {
        if (e.affectsConfiguration('amdgpu-mir.checks')) this.showAll();
      }),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private edited(uri: string, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const known = this.known.get(uri);
    if (!known) return;
    known.isStale = true;
    for (const { range, text } of changes) {
      const { start, end } = range;
      const before = start.character === 0 && end.character === 0 ? 1 : 0;
      const [first, last] = [start.line - before, end.line - before];
      const moved = text.split(/\r\n|\r|\n/).length - (last - first + 1);
      known.checks = known.checks.flatMap(({ line, state }) => {
        if (line <= first) return [{ line, state }];
        return line <= last ? [] : [{ line: line + moved, state }];
      });
    }
    this.show(uri);
  }

  private showAll(): void {
    for (const uri of new Set(vscode.window.visibleTextEditors.map((e) => e.document.uri.toString()))) this.show(uri);
  }

  private show(uri: string): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() !== uri) continue;
      const isOn = vscode.workspace.getConfiguration('amdgpu-mir.checks', editor.document).get('gutter', true);
      const known = isOn ? this.known.get(uri) : undefined;
      const lines: Partial<Record<Mark, number[]>> = {};
      for (const { line, state } of known?.checks ?? [])
        if (line < editor.document.lineCount) (lines[known!.isStale ? 'stale' : state] ??= []).push(line);
      for (const [mark, type] of this.types)
        editor.setDecorations(
          type,
          (lines[mark] ?? []).map((line) => new vscode.Range(line, 0, line, 0)),
        );
      if (editor === vscode.window.activeTextEditor) this.shown = lines;
    }
  }
}

function gutterMark(mark: Mark): vscode.TextEditorDecorationType {
  const [colour, path] = ICONS[mark];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><path d="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-linecap="round"/></svg>`;
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`),
    gutterIconSize: 'contain',
    ...(mark === 'failed' ? { overviewRulerColor: colour, overviewRulerLane: vscode.OverviewRulerLane.Right } : {}),
  });
}
