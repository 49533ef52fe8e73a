/** Commands about RUN lines: "Check RUN Lines" has the server run them, whose diagnostics then tell; their output as a document that cannot be edited. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  COMPARE_RUN_REQUEST,
  RUN_LINES_REQUEST,
  RUN_OUTPUT_REQUEST,
  type RunComparison,
  type RunLinesResult,
} from '../../server/src/lsp/common/customRequests.js';
import { ask } from './ask';
import { documentOf, placeOf, type Place } from './commandArguments';
import { askWithProgress } from './longRequest';
import { onPlace } from './passViews';
import { asMessage, asSegment } from './plainText';
import { NO_ANSWER, paramsOf, type VirtualViews } from './virtualViews';

export class RunLines implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    this.disposables = [
      vscode.commands.registerCommand('amdgpu-mir.checkRunLines', (uri?: unknown) => this.check(uri)),
      vscode.commands.registerCommand('amdgpu-mir.showRunOutput', (uri?: unknown, line?: unknown, at?: unknown) => {
        const place = placeOf(uri, line);
        return place && this.showOutput(place, Number.isSafeInteger(at) ? (at as number) : 0);
      }),
      onPlace('compareRun', (place) => this.compare(place, false)),
      onPlace('compareLlc', (place) => this.compare(place, true)),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private async check(argument: unknown): Promise<void> {
    const uri = argument === undefined ? vscode.window.activeTextEditor?.document.uri : documentOf(argument);
    const document = uri && (await vscode.workspace.openTextDocument(uri));
    if (document?.languageId !== 'mir') return;
    const { version } = document;
    const textDocument = { uri: this.client.code2ProtocolConverter.asUri(document.uri) };
    const results = await askWithProgress(this.client, RUN_LINES_REQUEST, { textDocument });
    if (!results || document.version !== version) return;
    const text = asMessage(summaryOf(results));
    if (results.runs.every((r) => r.verdict === 'passed') && results.problem === '')
      vscode.window.setStatusBarMessage(`$(pass) ${text}`, 6000);
    else void vscode.window.showWarningMessage(text);
  }

  /** What FileCheck reads, as MIR with all that the editor offers, shown from a line on; it follows the runs. */
  private async showOutput(place: Place, line: number): Promise<void> {
    const title = `${nameOf(place)} output of line ${place.position.line + 1}.mir`;
    const uri = this.views.add(title, place, async (at) => {
      await ask(this.client, RUN_LINES_REQUEST, paramsOf(at)).catch(() => null);
      return (await ask(this.client, RUN_OUTPUT_REQUEST, paramsOf(at))) ?? `# ${NO_ANSWER}`;
    });
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preview: true,
    });
    if (line === 0 || document.lineCount <= line) return;
    const range = document.lineAt(line).range;
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
  }

  /** The output of the engine beside that of the user's own llc: of a RUN line, or of the machine scheduler. */
  private async compare(place: Place, schedules: boolean): Promise<void> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Comparing with llc'),
      cancellable: true,
    };
    const { ours, theirs, why } = await vscode.window.withProgress(options, (_, token) =>
      this.client.sendRequest<RunComparison>(COMPARE_RUN_REQUEST, { ...paramsOf(place), schedules }, token),
    );
    if (ours === null || theirs === null) {
      void vscode.window.showWarningMessage(
        asMessage(vscode.l10n.t('Nothing to compare: {0}', why || vscode.l10n.t('there is no output'))),
      );
      return;
    }
    if (ours === theirs) {
      vscode.window.setStatusBarMessage(`$(pass) ${vscode.l10n.t('The output of llc is the same')}`, 6000);
      return;
    }
    const of = `${nameOf(place)} ${schedules ? 'scheduled' : `line ${place.position.line + 1}`}`;
    const [left, right] = [
      this.views.add(`${of} by amdgpu-mir.mir`, place, () => Promise.resolve(ours)),
      this.views.add(`${of} by llc.mir`, place, () => Promise.resolve(theirs)),
    ];
    await vscode.commands.executeCommand('vscode.diff', left, right, `${of}: amdgpu-mir, llc`);
  }
}

const nameOf = ({ uri }: Place): string =>
  asSegment(uri.path.slice(uri.path.lastIndexOf('/') + 1).replace(/\.mir$/, ''));

function summaryOf({ runs, problem }: RunLinesResult): string {
  if (problem !== '') return `RUN lines: ${problem}`;
  const count = (verdict: string): number => runs.filter((r) => r.verdict === verdict).length;
  const parts = ['passed', 'failed', 'unsupported'].flatMap((v) => (count(v) === 0 ? [] : [`${count(v)} ${v}`]));
  return `RUN lines: ${parts.join(', ')}`;
}
