/** The commands of the palette. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import {
  PRESSURE_REPORT_REQUEST,
  STATUS_REQUEST,
  DUMP_GRAPH_REQUEST,
  SWAP_TEXT_REQUEST,
  type PressureReportParams,
  type ServerStatus,
} from '../../server/src/lsp/common/customRequests.js';
import { placeOfArguments, targetOfArguments } from './commandArguments';
import { asMessage } from './plainText';
import { statusText } from './statusText';
import type { TargetStatus } from './targetStatus';

export function registerCommands(
  client: BaseLanguageClient,
  output: vscode.LogOutputChannel,
  status: TargetStatus,
  context: vscode.ExtensionContext,
): vscode.Disposable[] {
  const register = vscode.commands.registerCommand;
  const serverStatus = new StatusView(client, status);
  return [
    serverStatus,
    register('amdgpu-mir.restartServer', async () => {
      await client.stop();
      await client.start();
    }),
    register('amdgpu-mir.showOutput', () => output.show()),
    register('amdgpu-mir.selectTarget', () => status.choose()),
    register('amdgpu-mir.selectStage', () => status.chooseStage()),
    register('amdgpu-mir.useTarget', (uri: unknown, index: unknown) => {
      const target = targetOfArguments(uri, index);
      return target && status.select(target);
    }),
    register('amdgpu-mir.showStatus', () => serverStatus.show()),
    register('amdgpu-mir.copyPressureReport', () => copyPressureReport(client)),
    register('amdgpu-mir.saveForSwap', () => saveForSwap(client)),
    register('amdgpu-mir.compareGraph', () => compareGraph(client)),
    register('amdgpu-mir.simplify', simplify),
    register('amdgpu-mir.openExample', () => openExample(context)),
    register('amdgpu-mir.goTo', goTo),
  ];
}

/** What the server calls the action that applies every rule which leaves the output of the RUN lines as it is. */
const SIMPLIFY_KIND = 'source.simplify.amdgpu-mir';

/**
 * Applies that action to the active editor. The editor's own command for it gives up without a word when diagnostics arrive while it waits;
 * asked for directly, only an edit of the text makes the answer void, and then it is asked for again.
 */
async function simplify(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'mir') return;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  for (let attempt = 0; attempt < 3; attempt++) {
    const { version } = document;
    const [action] = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      whole,
      SIMPLIFY_KIND,
      1,
    );
    if (document.version !== version) continue;
    if (!action?.edit) {
      const message = vscode.l10n.t('There is nothing to remove that does not change the output of the RUN lines.');
      void vscode.window.showInformationMessage(message);
      return;
    }
    if (await vscode.workspace.applyEdit(action.edit)) return;
  }
  void vscode.window.showInformationMessage(vscode.l10n.t('Not simplified: the text changed in the meantime.'));
}

/** How the server is, for people: what it answers as, what it has open, what to add to a bug report. It cannot be edited and need not be saved. */
class StatusView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registered: vscode.Disposable;

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly targets: TargetStatus,
  ) {
    this.registered = vscode.workspace.registerTextDocumentContentProvider(STATUS_URI.scheme, this);
  }

  async provideTextDocumentContent(): Promise<string> {
    const status = await this.client.sendRequest<ServerStatus>(STATUS_REQUEST);
    return statusText(status, (uri) => this.targets.describe(uri));
  }

  async show(): Promise<void> {
    // one that is open already is made anew
    this.changed.fire(STATUS_URI);
    const document = await vscode.workspace.openTextDocument(STATUS_URI);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }
}

const STATUS_URI = vscode.Uri.from({ scheme: 'amdgpu-mir-status', path: '/AMDGPU MIR status.mir-report' });

/** The report of the function at the cursor, as `llc -run-pass=amdgpu-print-rp` prints it, to the clipboard. */
async function copyPressureReport(client: BaseLanguageClient): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'mir') return;
  const params: PressureReportParams = {
    textDocument: { uri: editor.document.uri.toString() },
    position: editor.selection.active,
  };
  const report = await ask(client, PRESSURE_REPORT_REQUEST, params);
  if (!report) return;
  if (report.text === null) {
    void vscode.window.showWarningMessage(
      asMessage(
        report.function === ''
          ? vscode.l10n.t('No pressure report: {0}', report.problem)
          : vscode.l10n.t('No pressure report of {0}: {1}', report.function, report.problem),
      ),
    );
    return;
  }
  await vscode.env.clipboard.writeText(report.text);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Pressure report of {0} copied', report.function), 4000);
}

/** Writes the active document as TRITON_SWAP_MIR takes it, under a name that is asked for: Triton looks for the one that it dumped. */
async function saveForSwap(client: BaseLanguageClient): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'mir') return;
  const swap = await ask(client, SWAP_TEXT_REQUEST, { textDocument: { uri: document.uri.toString() } });
  if (!swap) return;
  if (swap.text === null) {
    void vscode.window.showErrorMessage(
      asMessage(vscode.l10n.t("Not saved, Triton's LLVM would reject it: {0}", swap.problem)),
    );
    return;
  }
  const saveLabel = 'Save for TRITON_SWAP_MIR';
  const to = await vscode.window.showSaveDialog({ saveLabel, defaultUri: document.uri });
  if (to === undefined) return;
  await vscode.workspace.fs.writeFile(to, new TextEncoder().encode(swap.text));
  const repaired = swap.repaired > 0 ? `, $vcc for $vcc_lo in ${swap.repaired} operands` : '';
  vscode.window.setStatusBarMessage(`Saved for TRITON_SWAP_MIR${repaired}`, 4000);
}

/** Says whether the graph in the active dump is the model's, and shows both where one asks for them. */
async function compareGraph(client: BaseLanguageClient): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'mir') return;
  const graph = await ask(client, DUMP_GRAPH_REQUEST, { textDocument: { uri: document.uri.toString() } });
  if (!graph) return;
  if (graph.ours === null || graph.theirs === null) {
    void vscode.window.showWarningMessage(asMessage(vscode.l10n.t('No graphs to compare: {0}', graph.problem)));
    return;
  }
  const show = graph.isEqual ? vscode.l10n.t('Show Graph') : vscode.l10n.t('Show Both Graphs');
  const tell = graph.isEqual ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  if ((await tell(asMessage(graph.summary), show)) !== show) return;
  const open = (content: string): Thenable<vscode.TextDocument> =>
    vscode.workspace.openTextDocument({ language: 'plaintext', content });
  const ours = await open(graph.ours);
  if (graph.isEqual) {
    await vscode.window.showTextDocument(ours);
    return;
  }
  const theirs = await open(graph.theirs);
  await vscode.commands.executeCommand(
    'vscode.diff',
    ours.uri,
    theirs.uri,
    vscode.l10n.t('Scheduling graph: amdgpu-mir, file'),
  );
}

/** A copy of an example to play with; the file of the extension stays as it is. */
async function openExample({ extensionUri }: vscode.ExtensionContext): Promise<void> {
  const example = await vscode.workspace.openTextDocument(
    vscode.Uri.joinPath(extensionUri, 'examples', 'gemm_tile.mir'),
  );
  const content = example.getText();
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'mir', content }));
}

/** Moves the cursor, e.g. from a code lens to the peak that it names, or from a report to a line. Positions come from the server, 0-based. */
async function goTo(...args: unknown[]): Promise<void> {
  const place = placeOfArguments(args[0], args[1], args[2]);
  if (!place) return;
  const { uri, position } = place;
  // From a report beside it, the source stays where it is.
  const shown = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
  const column = shown?.viewColumn ?? vscode.ViewColumn.One;
  const editor = await vscode.window.showTextDocument(uri, { viewColumn: column });
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
