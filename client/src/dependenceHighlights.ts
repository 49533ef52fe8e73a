/**
 * While switched on: the lines that the instruction under the cursor waits for, and those that wait for it, with latency in front and
 * kind and register after.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import {
  DEPENDENCES_REQUEST,
  type DependenceInfo,
  type DependencesResult,
} from '../../server/src/lsp/common/customRequests.js';
import { paramsOf, VIEW_SCHEME } from './virtualViews';

/** The cursor rests for so long before the server is asked. */
const DELAY_MS = 60;

export class DependenceHighlights implements vscode.Disposable {
  /** lines decorated at the moment, 0-based; for tests */
  shown: { readonly predecessors: readonly number[]; readonly successors: readonly number[] } = NOTHING;
  private isOn = false;
  private timer: NodeJS.Timeout | undefined;
  private running: vscode.CancellationTokenSource | undefined;
  private readonly predecessors = decoration('predecessor');
  private readonly successors = decoration('successor');
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly client: BaseLanguageClient) {
    this.disposables = [
      this.predecessors,
      this.successors,
      vscode.commands.registerCommand('amdgpu-mir.toggleDependences', () => this.toggle()),
      vscode.window.onDidChangeTextEditorSelection(() => this.later()),
      vscode.window.onDidChangeActiveTextEditor(() => this.later()),
      vscode.workspace.onDidChangeTextDocument(() => this.later()),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.running?.cancel();
    for (const d of this.disposables) d.dispose();
  }

  private toggle(): void {
    this.isOn = !this.isOn;
    void vscode.commands.executeCommand('setContext', 'amdgpu-mir.dependences', this.isOn);
    if (this.isOn) this.later();
    else this.clear();
  }

  private later(): void {
    if (!this.isOn) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.update(), DELAY_MS);
  }

  private async update(): Promise<void> {
    this.running?.cancel();
    const editor = vscode.window.activeTextEditor;
    this.erase((e) => e !== editor);
    if (editor?.document.languageId !== 'mir' || editor.document.uri.scheme === VIEW_SCHEME) return;
    const source = (this.running = new vscode.CancellationTokenSource());
    const { version, uri } = editor.document;
    try {
      const params = paramsOf({ uri, position: editor.selection.active });
      const found = await ask(this.client, DEPENDENCES_REQUEST, params, source.token);
      if (source.token.isCancellationRequested || editor.document.version !== version) return;
      if (found) this.show(editor, found);
    } catch {
      // Cancelled, or outdated: the next question is on its way.
    } finally {
      source.dispose();
    }
  }

  private show(
    editor: vscode.TextEditor,
    { predecessors, successors, why, region, isInstruction }: DependencesResult,
  ): void {
    const before = byLine(predecessors);
    const after = byLine(successors);
    editor.setDecorations(
      this.predecessors,
      [...before].map(([, list]) => marked(editor, list, '↑')),
    );
    editor.setDecorations(
      this.successors,
      [...after].map(([, list]) => marked(editor, list, '↓')),
    );
    this.shown = { predecessors: [...before.keys()], successors: [...after.keys()] };
    // Between functions, on a comment or a header there is nothing to say.
    if (why === '') {
      const text = `region ${region}: waits for ${count(before.size)}, waited for by ${count(after.size)}`;
      vscode.window.setStatusBarMessage(text, 4000);
    } else if (isInstruction) vscode.window.setStatusBarMessage(`no dependences: ${why}`, 4000);
  }

  private clear(): void {
    this.running?.cancel();
    clearTimeout(this.timer);
    this.erase(() => true);
    this.shown = NOTHING;
  }

  private erase(isMeant: (editor: vscode.TextEditor) => boolean): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (!isMeant(editor)) continue;
      editor.setDecorations(this.predecessors, []);
      editor.setDecorations(this.successors, []);
    }
  }
}

const NOTHING = { predecessors: [], successors: [] };

const count = (n: number): string => `${n} instruction${n === 1 ? '' : 's'}`;

function decoration(side: 'predecessor' | 'successor'): vscode.TextEditorDecorationType {
  const color = new vscode.ThemeColor(`amdgpuMir.${side}Background`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: color,
    overviewRulerColor: new vscode.ThemeColor(`amdgpuMir.${side}Ruler`),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    // It takes no room: the text stays where it is.
    before: { color: new vscode.ThemeColor('editorLineNumber.activeForeground'), width: '0' },
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 2ch' },
  });
}

/** Edges by the line of their other end; the end of a block has none. */
function byLine(list: readonly DependenceInfo[]): Map<number, DependenceInfo[]> {
  const lines = new Map<number, DependenceInfo[]>();
  for (const d of list) {
    if (!d.range) continue;
    const { line } = d.range.start;
    lines.set(line, [...(lines.get(line) ?? []), d]);
  }
  return lines;
}

/** Labels after the text end at this column at most, so that they stay inside a window of usual width. */
const LAST_COLUMN = 120;

/** In the indentation `↑8`, arrow and longest latency, always in sight; after the line `Data %c3: 8 cycles, Anti $vcc: 0` where that has room. */
function marked(
  { document }: vscode.TextEditor,
  list: readonly DependenceInfo[],
  arrow: string,
): vscode.DecorationOptions {
  const { start, end } = list[0]!.range!;
  const one = (d: DependenceInfo): string =>
    `${d.kind}${d.register && ` ${d.register}`}: ${d.latency} cycle${d.latency === 1 ? '' : 's'}`;
  const text = list.map(one).join(', ');
  const hasRoom = document.lineAt(end.line).text.length + 2 + text.length <= LAST_COLUMN;
  return {
    range: new vscode.Range(start.line, 0, end.line, end.character),
    // where it is cut, and for those who look twice
    hoverMessage: new vscode.MarkdownString().appendText(`${arrow} ${text} (latencies of the model)`),
    renderOptions: {
      before: { contentText: `${arrow}${Math.max(...list.map((d) => d.latency))}` },
      ...(hasRoom ? { after: { contentText: text } } : {}),
    },
  };
}
