/** "Compare targets": a table of occupancy and peaks beside the file, as plain text that follows edits. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import { COMPARE_TARGETS_REQUEST } from '../../server/src/lsp/common/customRequests.js';
import { documentOf } from './commandArguments';
import { asSegment } from './plainText';
import type { TargetStatus } from './targetStatus';

const SCHEME = 'amdgpu-mir-compare';
/** Pause after an edit before the table is made anew. */
const REFRESH_DELAY_MS = 300;

interface Comparison {
  readonly source: vscode.Uri;
  readonly targets: readonly { triple: string; cpu: string; features: string }[];
}

export class CompareTargets implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  /** open tables by the text of their URI */
  private readonly tables = new Map<string, Comparison>();
  private readonly disposables: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly status: TargetStatus,
  ) {
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand('amdgpu-mir.compareTargets', (uri?: unknown) => this.show(uri)),
      vscode.workspace.onDidChangeTextDocument((e) => this.edited(e.document.uri)),
      vscode.workspace.onDidCloseTextDocument((d) => this.tables.delete(d.uri.toString())),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const d of this.disposables) d.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const table = this.tables.get(uri.toString());
    if (!table) return '';
    const params = { textDocument: { uri: table.source.toString() }, targets: table.targets };
    return (await ask(this.client, COMPARE_TARGETS_REQUEST, params))?.text ?? '';
  }

  /** All functions of a document, of the active one if none is named. */
  private async show(argument?: unknown): Promise<void> {
    const source = typeof argument === 'string' ? documentOf(argument) : vscode.window.activeTextEditor?.document.uri;
    if (!source) return;
    const targets = await this.others();
    if (!targets) return;
    const name = source.path.slice(source.path.lastIndexOf('/') + 1);
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/targets of ${asSegment(name)}.txt`,
      query: source.toString(),
    });
    this.tables.set(uri.toString(), { source, targets });
    const document = await vscode.workspace.openTextDocument(uri);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }

  /** A file of one target has nothing to compare with: which processors then? Undefined when the user changed their mind. */
  private async others(): Promise<Comparison['targets'] | undefined> {
    const status = this.status.active;
    const setting = vscode.workspace.getConfiguration('amdgpu-mir').get<string[]>('target.compare', []);
    if (!status || new Set(status.targets.map((t) => t.label)).size > 1 || setting.length > 0) return [];
    const chosen = await vscode.window.showInputBox({
      prompt: 'Processors to compare with (amdgpu-mir.target.compare is the setting for it)',
      value: 'gfx90a, gfx942, gfx1100, gfx1201',
    });
    const names = chosen?.split(/[\s,]+/).filter((word) => word !== '');
    return names?.map((cpu) => ({ triple: status.triple, cpu, features: '' }));
  }

  private edited(source: vscode.Uri): void {
    const isShown = (t: Comparison): boolean => t.source.toString() === source.toString();
    if (![...this.tables.values()].some(isShown)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      for (const [uri, table] of this.tables) if (isShown(table)) this.changed.fire(vscode.Uri.parse(uri));
    }, REFRESH_DELAY_MS);
  }
}
