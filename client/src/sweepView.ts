/** The sweep view: what llc ends with under other options and attributes, row by row as it is computed. The page is client/webview/sweepView. */
import * as vscode from 'vscode';
import { ResponseError, type BaseLanguageClient } from 'vscode-languageclient';
import { SWEEP_ROW_REQUEST, SWEEP_SETTINGS_REQUEST } from '../../server/src/lsp/common/customRequests.js';
import type { ParamsOf } from '../../server/src/lsp/common/requests.js';
import type { PanelPlace } from '../webview/messages.js';
import { sweepText, type SweepTable, type SweepTableRow } from '../webview/sweepModel.js';
import style from '../webview/sweepView.css';
import html from '../webview/sweepView.html';
import { ask } from './ask';
import { FunctionPanel } from './functionPanel';
import type { TargetStatus } from './targetStatus';

/** A sweep that took no longer follows edits by itself. */
const QUICK_MS = 2000;

type Params = ParamsOf<'textDocument/hover'>;

export type SweepView = FunctionPanel<SweepTable>;

export function makeSweepView(client: BaseLanguageClient, status: TargetStatus, extension: vscode.Uri): SweepView {
  const sweeps = new Sweeps(client, (table) => view.show(table));
  const view: SweepView = new FunctionPanel(client, status, extension, {
    command: 'showSweep',
    viewType: 'amdgpu-mir.sweep',
    title: 'Sweep',
    html,
    style,
    script: 'sweepView.js',
    request: (params) => sweeps.follow(params),
    shows: ({ firstLine, lastLine }, line) => firstLine <= line && line <= lastLine,
    copied: vscode.l10n.t('Sweep copied'),
    act: (name, value, at) => sweeps.act(name, value, at),
  });
  return view;
}

const versionOf = (uri: string): number =>
  vscode.workspace.textDocuments.find((d) => d.uri.toString() === vscode.Uri.parse(uri).toString())?.version ?? -1;

/** One table at a time. */
class Sweeps {
  private table: SweepTable | null = null;
  private uri = '';
  /** of the text that the table is of */
  private version = -1;
  private vary: readonly string[] = [];
  private isProduct = false;
  /** of the sweep that runs */
  private source: vscode.CancellationTokenSource | null = null;
  /** of the last one that ran to its end */
  private tookMs = Infinity;

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly show: (table: SweepTable) => void,
  ) {}

  /** The cursor is in another function, or the text has changed: a table for it, which is filled later. */
  async follow(params: Params): Promise<SweepTable | null> {
    const { table } = this;
    if (table === null || this.uri !== params.textDocument.uri) return this.begin(params);
    const now = await this.settings(params);
    if (now === null || now.function !== table.function) return this.begin(params);
    const isSame = this.version === versionOf(this.uri) && now.target === table.target && now.llvm === table.llvm;
    // Somebody came back to the editor.
    if (isSame) return this.table;
    if (this.tookMs < QUICK_MS) return this.begin(params);
    this.source?.cancel();
    return (this.table = { ...table, isStale: true, isRunning: false });
  }

  act(name: string, value: string, { uri, line }: PanelPlace): void {
    const row = this.table?.rows[Number(value)];
    switch (name) {
      case 'sweep':
      case 'product':
        this.vary = value.split(/\s+/).filter((word) => word !== '');
        this.isProduct = name === 'product' && this.vary.length > 0;
        void this.begin({ textDocument: { uri }, position: { line, character: 0 } }).then((table) => {
          if (table) this.show(table);
        });
        return;
      case 'cancel':
        this.source?.cancel();
        return;
      case 'compare':
      case 'apply':
        if (row)
          void vscode.commands.executeCommand(`amdgpu-mir.${name}Lever`, uri, line, {
            kind: 'setting',
            setting: row.setting,
          });
        return;
    }
  }

  private settings(params: Params): ReturnType<typeof ask<typeof SWEEP_SETTINGS_REQUEST>> {
    return ask(this.client, SWEEP_SETTINGS_REQUEST, { ...params, vary: this.vary, isProduct: this.isProduct });
  }

  /** The table without rows' numbers, which come with `show`. */
  private async begin(params: Params): Promise<SweepTable | null> {
    this.source?.cancel();
    const source = (this.source = new vscode.CancellationTokenSource());
    const answer = await this.settings(params);
    if (!answer || source.token.isCancellationRequested) return this.table;
    const { settings, problem, ...about } = answer;
    // What was known stays, dimmed, until there is something new.
    const before = new Map(
      this.uri === params.textDocument.uri && this.table?.function === about.function
        ? this.table.rows.map(({ label, row }) => [label, row])
        : [],
    );
    const rows = settings.map(({ label, ...setting }): SweepTableRow => ({
      label,
      setting,
      row: before.get(label) ?? null,
    }));
    const isStale = rows.some(({ row }) => row !== null);
    const state = { done: 0, isRunning: problem === '', isStale };
    const table = { ...about, rows, ...state, vary: this.vary.join(' '), problem };
    this.uri = params.textDocument.uri;
    this.version = versionOf(this.uri);
    this.table = { ...table, text: sweepText(table) };
    if (problem === '') void this.fill(params, this.table, source);
    return this.table;
  }

  private async fill(params: Params, table: SweepTable, source: vscode.CancellationTokenSource): Promise<void> {
    const begun = Date.now();
    const rows = [...table.rows];
    const { token } = source;
    const isOurs = (): boolean => this.source === source;
    const publish = (more: Partial<SweepTable>): void => {
      if (!isOurs()) return;
      const next = { ...(this.table ?? table), rows: [...rows], ...more };
      this.table = { ...next, text: sweepText(next) };
      this.show(this.table);
    };
    for (const [k, { label, setting }] of table.rows.entries()) {
      if (token.isCancellationRequested) break;
      try {
        const row = await ask(this.client, SWEEP_ROW_REQUEST, { ...params, setting }, token);
        rows[k] = { label, setting, row };
      } catch (error) {
        if (!(error instanceof ResponseError)) throw error;
        // An edit ends it, or somebody did.
        if (!token.isCancellationRequested) publish({ isRunning: false, isStale: true });
        break;
      }
      const isRunning = k + 1 < rows.length;
      publish({ done: k + 1, isRunning, isStale: isRunning && table.isStale });
    }
    if (!isOurs()) return;
    if (token.isCancellationRequested) publish({ isRunning: false });
    else if (this.table?.done === rows.length) this.tookMs = Date.now() - begun;
  }
}
