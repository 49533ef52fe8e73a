/**
 * Pressure beside the text: marks at the peaks of the function at the cursor in the overview ruler, a heat colour in the gutter, and the commands that go from peak to
 * peak. While a function is broken the server gives its last good numbers for the lines that did not change.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import {
  PEAKS_REQUEST,
  PRESSURE_LINES_REQUEST,
  type FunctionPeaks,
  type PeakInfo,
  type PressureLines,
} from '../../server/src/lsp/common/customRequests.js';
import { around, EditorMarks } from './editorMarks';
import type { TargetStatus } from './targetStatus';

const BANKS = ['VGPR', 'SGPR', 'AGPR'] as const;
type Bank = (typeof BANKS)[number];

/** Pause after an edit or a scroll. */
const DELAY_MS = 150;

/** From cold to hot: a palette that the colour-blind can read, too. */
const HEAT = ['#4575b4', '#74add1', '#abd9e9', '#e0f3f8', '#fee090', '#fdae61', '#f46d43', '#d73027'];

export class PressureMarks extends EditorMarks {
  /** what is shown of the active editor; for tests */
  shown: { readonly peaks: readonly number[]; readonly heat: readonly (readonly [number, number])[] } = NOTHING;
  private readonly ruler = new Map(BANKS.map((bank) => [bank, rulerMark(bank)]));
  /** the function whose peaks are marked; none outside of functions */
  private readonly marked = new WeakMap<vscode.TextEditor, FunctionPeaks>();
  private readonly heat = HEAT.map((colour) => gutterMark(colour));

  constructor(client: BaseLanguageClient, status: TargetStatus) {
    super(client, status, DELAY_MS);
    this.disposables.push(
      ...this.ruler.values(),
      ...this.heat,
      vscode.window.onDidChangeTextEditorSelection((e) => this.moved(e.textEditor)),
      ...BANKS.flatMap((bank) =>
        (['goToPeak', 'nextPeak', 'previousPeak'] as const).map((what) =>
          vscode.commands.registerCommand(`amdgpu-mir.${what}.${bank.toLowerCase()}`, () => this.go(bank, what)),
        ),
      ),
    );
  }

  /** The cursor: the marks are those of its function. */
  private moved(editor: vscode.TextEditor): void {
    const { line } = editor.selection.active;
    const own = this.marked.get(editor);
    if (own === undefined || line < own.firstLine || own.lastLine < line) this.later();
  }

  protected async mark(editor: vscode.TextEditor, token: vscode.CancellationToken): Promise<void> {
    const { document } = editor;
    const { version } = document;
    const config = vscode.workspace.getConfiguration('amdgpu-mir', document);
    const bank = BANKS.find((b) => b.toLowerCase() === config.get('gutter.heat'));
    const textDocument = { uri: this.client.code2ProtocolConverter.asUri(document.uri) };
    const peaks = config.get('overviewRuler.peaks', true) ? await this.peaksAt(editor, textDocument, token) : [];
    const params = { textDocument, range: around(editor) };
    const lines = bank ? await ask(this.client, PRESSURE_LINES_REQUEST, params, token) : null;
    if (token.isCancellationRequested || document.version !== version) return;
    const shown = { peaks: this.showPeaks(editor, peaks), heat: this.showHeat(editor, lines, bank ?? 'VGPR') };
    if (editor === vscode.window.activeTextEditor) this.shown = shown;
  }

  /** Of the function at the cursor; empty outside of functions. */
  private async peaksAt(
    { selection }: vscode.TextEditor,
    textDocument: { uri: string },
    token: vscode.CancellationToken,
  ): Promise<FunctionPeaks[]> {
    const { line } = selection.active;
    const params = { textDocument, fromLine: line, toLine: line };
    const found = await ask(this.client, PEAKS_REQUEST, params, token);
    return (found?.functions ?? []).filter((f) => f.firstLine <= line && line <= f.lastLine);
  }

  /** @param functions the one at the cursor, or none @returns the lines marked */
  private showPeaks(editor: vscode.TextEditor, functions: readonly FunctionPeaks[]): number[] {
    const marked: number[] = [];
    const [own] = functions;
    if (own) this.marked.set(editor, own);
    else this.marked.delete(editor);
    for (const [bank, type] of this.ruler) {
      const peaks = own ? peaksOf(own, bank) : [];
      const ranges = peaks.map(({ position }) => new vscode.Range(position.line, 0, position.line, 0));
      editor.setDecorations(type, ranges);
      marked.push(...ranges.map((r) => r.start.line));
    }
    return marked;
  }

  /** @returns line and step of heat of each line coloured */
  private showHeat(editor: vscode.TextEditor, lines: PressureLines | null, bank: Bank): [number, number][] {
    const name = bank.toLowerCase() as 'vgpr' | 'sgpr' | 'agpr';
    const byStep = HEAT.map((): vscode.Range[] => []);
    const shown: [number, number][] = [];
    lines?.line.forEach((line, k) => {
      const peak = lines[`${name}Peak`][k]!;
      if (peak === 0) return;
      const step = Math.min(HEAT.length - 1, Math.floor((lines[name][k]! / peak) * HEAT.length));
      byStep[step]!.push(new vscode.Range(line, 0, line, 0));
      shown.push([line, step]);
    });
    this.heat.forEach((type, step) => editor.setDecorations(type, byStep[step]!));
    return shown;
  }

  private async go(bank: Bank, what: 'goToPeak' | 'nextPeak' | 'previousPeak'): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== 'mir') return;
    const textDocument = { uri: this.client.code2ProtocolConverter.asUri(editor.document.uri) };
    const { line } = editor.selection.active;
    const params = { textDocument, fromLine: line };
    const own = (await ask(this.client, PEAKS_REQUEST, params))?.functions[0];
    const peaks = own ? peaksOf(own, bank) : [];
    const found = choose(peaks, what, line);
    if (!found) {
      vscode.window.setStatusBarMessage(own ? `${own.function} has no ${bank} pressure` : 'no function here', 4000);
      return;
    }
    const at = new vscode.Position(found.position.line, found.position.character);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    const number = `${peaks.indexOf(found) + 1} of ${peaks.length}`;
    const highest = found.isHighest ? ', the highest' : '';
    vscode.window.setStatusBarMessage(`live peak ${bank} ${found.value} at ${found.place} (${number}${highest})`, 4000);
  }
}

const NOTHING = { peaks: [], heat: [] };

const peaksOf = (f: FunctionPeaks, bank: Bank): readonly PeakInfo[] =>
  f.banks.find((b) => b.bank === bank)?.peaks ?? [];

/** Next and previous go around at the ends of the function. */
function choose(peaks: readonly PeakInfo[], what: string, line: number): PeakInfo | undefined {
  if (what === 'goToPeak') return peaks.find((p) => p.isHighest) ?? peaks[0];
  if (what === 'nextPeak') return peaks.find((p) => line < p.position.line) ?? peaks[0];
  return [...peaks].reverse().find((p) => p.position.line < line) ?? peaks[peaks.length - 1];
}

function rulerMark(bank: Bank): vscode.TextEditorDecorationType {
  const { Left, Center, Right } = vscode.OverviewRulerLane;
  return vscode.window.createTextEditorDecorationType({
    overviewRulerColor: new vscode.ThemeColor(`amdgpuMir.${bank.toLowerCase()}Peak`),
    overviewRulerLane: { VGPR: Right, SGPR: Center, AGPR: Left }[bank],
  });
}

/** A bar at the left edge of the gutter. */
function gutterMark(colour: string): vscode.TextEditorDecorationType {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect x="5" width="6" height="16" fill="${colour}"/></svg>`;
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`),
    gutterIconSize: 'contain',
  });
}
