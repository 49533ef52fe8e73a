/** Lines of sources and the MIR that was made of them: hints in the source, *Go to MIR*, *Go to Source*. The lines are those that debug locations name. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { SOURCE_LINES_REQUEST, type LineOfSource } from '../../server/src/lsp/common/customRequests.js';
import { ask } from './ask';
import { asMessage } from './plainText';

/** Pause after an edit before the lines are asked for anew. */
const DELAY_MS = 500;
/** A document with debug locations says so within as many characters. */
const HAS_LOCATIONS = /debug-location|!DILocation\(/;
const CONTEXT = 'amdgpu-mir.hasSourceLines';

/** `path` with `/` alone, and without `.` and `..` inside */
function plainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/');
}

const pathOf = ({ file, folder }: LineOfSource): string =>
  plainPath(/^(?:[\\/]|[A-Za-z]:)/.test(file) || folder === '' ? file : `${folder}/${file}`);

/** Whether a file of the editor is the one that debug info names, be it compiled elsewhere. */
function isFile(uri: vscode.Uri, line: LineOfSource): boolean {
  const own = plainPath(uri.fsPath);
  const name = plainPath(line.file);
  return own === pathOf(line) || own.endsWith(`/${name.replace(/^(?:[A-Za-z]:)?\/+/, '')}`);
}

export class SourceLineLinks implements vscode.InlayHintsProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeInlayHints = this.changed.event;
  /** by the URI of the MIR document, those that were looked at last at the end */
  private readonly known = new Map<string, readonly LineOfSource[]>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly disposables: vscode.Disposable[];

  constructor(private readonly client: BaseLanguageClient) {
    const { commands, languages, workspace, window } = vscode;
    this.disposables = [
      this.changed,
      languages.registerInlayHintsProvider({ scheme: 'file' }, this),
      commands.registerCommand('amdgpu-mir.goToMir', () => this.goToMir()),
      commands.registerCommand('amdgpu-mir.goToSource', () => this.goToSource()),
      workspace.onDidOpenTextDocument((document) => this.later(document)),
      workspace.onDidChangeTextDocument((e) => this.later(e.document)),
      workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri.toString())),
      window.onDidChangeActiveTextEditor((editor) => {
        const key = editor?.document.uri.toString() ?? '';
        const lines = this.known.get(key);
        if (lines === undefined) return;
        this.known.delete(key);
        this.known.set(key, lines);
        // What is allocated meanwhile has its spills.
        this.later(editor!.document);
      }),
    ];
    workspace.textDocuments.forEach((document) => this.later(document));
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const d of this.disposables) d.dispose();
  }

  provideInlayHints(document: vscode.TextDocument, range: vscode.Range): vscode.InlayHint[] {
    if (document.languageId === 'mir') return [];
    if (!vscode.workspace.getConfiguration('amdgpu-mir', document).get('inlayHints.source', true)) return [];
    const byLine = new Map<number, LineOfSource[]>();
    for (const line of this.linesOf(document.uri).lines) {
      if (line.line === 0 || line.line <= range.start.line || line.line > range.end.line + 1) continue;
      const own = byLine.get(line.line);
      if (own === undefined) byLine.set(line.line, [line]);
      else own.push(line);
    }
    return [...byLine].flatMap(([line, own]) => {
      if (line > document.lineCount) return [];
      const hint = new vscode.InlayHint(document.lineAt(line - 1).range.end, hintText(own));
      hint.paddingLeft = true;
      hint.tooltip = own.map(rowText).join('\n');
      return [hint];
    });
  }

  /** Of the MIR that was looked at last and comes from the file. */
  private linesOf(source: vscode.Uri): { readonly mir: string; readonly lines: readonly LineOfSource[] } {
    for (const [mir, all] of [...this.known].reverse()) {
      const lines = all.filter((line) => isFile(source, line));
      if (lines.length > 0) return { mir, lines };
    }
    return { mir: '', lines: [] };
  }

  private later(document: vscode.TextDocument): void {
    if (document.languageId !== 'mir') return;
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => void this.refresh(document), DELAY_MS),
    );
  }

  private async refresh(document: vscode.TextDocument): Promise<void> {
    const key = document.uri.toString();
    if (document.isClosed || !HAS_LOCATIONS.test(document.getText())) return this.forget(key);
    const { version } = document;
    const uri = this.client.code2ProtocolConverter.asUri(document.uri);
    let lines: readonly LineOfSource[];
    try {
      const answer = await ask(this.client, SOURCE_LINES_REQUEST, { textDocument: { uri } });
      lines = answer?.lines ?? [];
    } catch {
      // The text has changed meanwhile: the change asks again.
      return;
    }
    if (document.isClosed || document.version !== version) return;
    if (lines.length === 0) return this.forget(key);
    this.known.set(key, lines);
    this.told();
  }

  private forget(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    if (this.known.delete(key)) this.told();
  }

  private told(): void {
    void vscode.commands.executeCommand('setContext', CONTEXT, this.known.size > 0);
    this.changed.fire();
  }

  /** One place is gone to, of several the first, with a list of all. */
  private async goToMir(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const position = editor.selection.active;
    const { mir, lines } = this.linesOf(editor.document.uri);
    if (mir === '') {
      const message = vscode.l10n.t(
        'No open MIR file has debug locations in this file. Show MIR of This File makes one, with -g.',
      );
      void vscode.window.showInformationMessage(message);
      return;
    }
    const own = lines.filter(({ line }) => line === position.line + 1).flatMap(({ mirLines }) => mirLines);
    const uri = vscode.Uri.parse(mir);
    const locations = runsOf(own).map(([from, to]) => new vscode.Location(uri, new vscode.Range(from, 0, to + 1, 0)));
    const [first] = locations;
    if (first === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No instruction in the MIR comes from this line.'));
      return;
    }
    const place = await showLine(uri, first.range.start.line);
    if (locations.length > 1)
      await vscode.commands.executeCommand('editor.action.peekLocations', uri, place, locations);
  }

  private async goToSource(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const lines = this.known.get(editor?.document.uri.toString() ?? '') ?? [];
    const at = editor?.selection.active.line ?? 0;
    const line = lines.find(({ mirLines, line: n }) => n > 0 && mirLines.includes(at));
    if (!editor || line === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This line has no instruction with a debug location.'));
      return;
    }
    const uri = await fileOf(line);
    if (uri === undefined) {
      void vscode.window.showWarningMessage(
        asMessage(vscode.l10n.t('{0}, line {1}, was not found.', pathOf(line), line.line)),
      );
      return;
    }
    await showLine(uri, line.line - 1);
  }
}

/** In the editor that shows the file already, else beside the active one. */
async function showLine(uri: vscode.Uri, line: number): Promise<vscode.Position> {
  const shown = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Beside;
  const editor = await vscode.window.showTextDocument(uri, { viewColumn });
  const place = new vscode.Position(Math.min(line, editor.document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(place, place);
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return place;
}

/** A document that is open, the file that is named, or one of the workspace that ends alike. */
async function fileOf(line: LineOfSource): Promise<vscode.Uri | undefined> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && isFile(uri, line));
  if (open) return open.uri;
  const named = vscode.Uri.file(pathOf(line));
  try {
    await vscode.workspace.fs.stat(named);
    return named;
  } catch {
    const name = plainPath(line.file).split('/').at(-1)!;
    const found = await vscode.workspace.findFiles(`**/${name.replace(/[[\]{}*?]/g, '?')}`, undefined, 20);
    return found.find((uri) => isFile(uri, line)) ?? found[0];
  }
}

/** `VGPR 112, SGPR 24, 12 instructions, 3 spills`; `peak` where the function has no line with more */
function hintText(own: readonly LineOfSource[]): string {
  const sum = (of: (line: LineOfSource) => number): number => own.reduce((n, line) => n + of(line), 0);
  const [vgpr, sgpr] = [Math.max(...own.map((l) => l.maxVgpr)), Math.max(...own.map((l) => l.maxSgpr))];
  const spills = sum(({ saves, restores }) => (saves ?? 0) + (restores ?? 0));
  const peak = own.some(({ isPeak, maxVgpr }) => isPeak && maxVgpr === vgpr) ? ', the peak' : '';
  const n = sum(({ instructions }) => instructions);
  const parts = [`VGPR ${vgpr}${peak}`, `SGPR ${sgpr}`, n === 1 ? '1 instruction' : `${n} instructions`];
  if (spills > 0) parts.push(spills === 1 ? '1 spill instruction' : `${spills} spill instructions`);
  return parts.join(', ');
}

/** For each function and each chain of calls a row of its own. */
function rowText(line: LineOfSource): string {
  const inlined = line.inlinedAt === null ? '' : `, inlined at ${line.inlinedAt.join(', ')}`;
  return `${line.function}: ${hintText([line])}${inlined}`;
}

/** `[from, to]` of lines that follow each other. */
function runsOf(lines: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && line <= last[1] + 1) last[1] = line;
    else runs.push([line, line]);
  }
  return runs;
}
