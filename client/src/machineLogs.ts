/** Logs of machine dumps: recognized by what is in them, opened as MIR, compared with the pass before. What is in a log knows the server. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { LOG_DUMP_REQUEST, LOG_PAIR_REQUEST } from '../../server/src/lsp/common/customRequests.js';
import { ask } from './ask';
import { LOG_LANGUAGE, placeOf, type Place } from './commandArguments';
import { asMessage, asSegment } from './plainText';
import { paramsOf, type VirtualViews } from './virtualViews';

/** Languages that a log has when it is opened. */
const LOOKED_AT = new Set(['log', 'plaintext']);
/** A log that shows no machine function in so many lines is made one by the command. */
const LINES_LOOKED_AT = 20_000;
const HEADER = /(?:^|[ \t|])# Machine code for function .+:/;

export class MachineLogs implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    const register = (command: string, run: (place: Place) => Promise<void>): vscode.Disposable =>
      vscode.commands.registerCommand(`amdgpu-mir.${command}`, async (uri?: unknown, line?: unknown) => {
        const place = placeOf(uri, line);
        if (place) await run(place);
      });
    this.disposables = [
      vscode.workspace.onDidOpenTextDocument((document) => void recognize(document)),
      register('openDumpAsMir', (place) => this.openDump(place)),
      register('compareDump', (place) => this.compareDump(place)),
      vscode.commands.registerCommand('amdgpu-mir.readAsLog', async () => {
        const document = vscode.window.activeTextEditor?.document;
        if (document) await vscode.languages.setTextDocumentLanguage(document, LOG_LANGUAGE);
      }),
    ];
    vscode.workspace.textDocuments.forEach((document) => void recognize(document));
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  /** As a file that is not saved, to work on. */
  private async openDump(place: Place): Promise<void> {
    const dump = await ask(this.client, LOG_DUMP_REQUEST, paramsOf(place));
    if (!dump) return;
    if (dump.text === null)
      return void vscode.window.showWarningMessage(asMessage(vscode.l10n.t('No MIR: {0}', dump.problem)));
    const document = await vscode.workspace.openTextDocument({ language: 'mir', content: dump.text });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
  }

  private async compareDump(place: Place): Promise<void> {
    const pair = await ask(this.client, LOG_PAIR_REQUEST, paramsOf(place));
    if (!pair) return;
    if (pair.text === null)
      return void vscode.window.showWarningMessage(asMessage(vscode.l10n.t('Nothing to compare: {0}', pair.problem)));
    const view = (title: string, side: 'before' | 'text'): vscode.Uri =>
      this.views.add(`${asSegment(title)}.mir`, place, async (at) => {
        const now = await ask(this.client, LOG_PAIR_REQUEST, paramsOf(at));
        return now?.[side] ?? `# ${now?.problem ?? 'no answer'}\n`;
      });
    const [before, after] = [view(pair.beforeTitle, 'before'), view(pair.title, 'text')];
    await vscode.commands.executeCommand(
      'vscode.diff',
      before,
      after,
      `${asSegment(pair.beforeTitle)}, ${asSegment(pair.title)}`,
    );
  }
}

async function recognize(document: vscode.TextDocument): Promise<void> {
  if (!LOOKED_AT.has(document.languageId) || document.uri.scheme === 'output') return;
  const end = new vscode.Position(LINES_LOOKED_AT, 0);
  const text = document.getText(new vscode.Range(new vscode.Position(0, 0), end));
  if (!text.includes('# Machine code for function ') || !text.split('\n').some((line) => HEADER.test(line))) return;
  await vscode.languages.setTextDocumentLanguage(document, LOG_LANGUAGE);
}
