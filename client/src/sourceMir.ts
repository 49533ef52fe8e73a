/** *Show MIR of This File*: what the user's clang or llc makes of a source, in a document that is made anew whenever the source is saved. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { MIR_OF_SOURCE_REQUEST, type MirOfSource } from '../../server/src/lsp/common/customRequests.js';
import { asMessage } from './plainText';

const SCHEME = 'amdgpu-mir-source';
const SOURCE = /\.(?:ll|bc|cl|clcpp|hip|cu)$/i;
/** The processor that was named last, kept with the workspace. */
const LAST_PROCESSOR = 'amdgpu-mir.sourceProcessor';

interface Shown {
  readonly source: vscode.Uri;
  /** undefined = that of the settings, or of the build */
  readonly cpu: string | undefined;
  text: string;
}

export class SourceMir implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  /** by the text of their URI: those of this session alone, since an address from elsewhere must not have programs started */
  private readonly shown = new Map<string, Shown>();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly memory: vscode.Memento,
  ) {
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand('amdgpu-mir.showMirOfSource', (uri?: unknown) =>
        this.show(uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri),
      ),
      vscode.workspace.onDidSaveTextDocument((document) => void this.saved(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.shown.get(uri.toString())?.text ?? '# Show MIR of This File makes it again.\n';
  }

  private async show(source: vscode.Uri | undefined): Promise<void> {
    if (!source || !SOURCE.test(source.path)) {
      void vscode.window.showWarningMessage(vscode.l10n.t('MIR can be made from .ll, .bc, .cl, .hip and .cu files.'));
      return;
    }
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showWarningMessage(vscode.l10n.t('clang and llc run in trusted workspaces only.'));
      return;
    }
    // The tool reads the file.
    const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === source.toString());
    if (open?.isDirty === true && !(await open.save())) return;
    let cpu: string | undefined;
    let made = await this.make(source, cpu);
    if (made?.needsProcessor === true) {
      cpu = await vscode.window.showInputBox({
        title: vscode.l10n.t('Show MIR of This File'),
        prompt: vscode.l10n.t('The processor to compile for. The setting amdgpu-mir.target.cpu sets it for all files.'),
        placeHolder: 'gfx942',
        value: this.memory.get<string>(LAST_PROCESSOR) ?? '',
      });
      if (cpu === undefined || cpu === '') return;
      await this.memory.update(LAST_PROCESSOR, cpu);
      made = await this.make(source, cpu);
    }
    if (!made) return;
    if (made.text === null) {
      void vscode.window.showErrorMessage(asMessage(vscode.l10n.t('No MIR: {0}', made.problem)));
      return;
    }
    const name = source.path.slice(source.path.lastIndexOf('/') + 1);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.mir`, query: source.toString() });
    this.shown.set(uri.toString(), { source, cpu, text: made.text });
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
    vscode.window.setStatusBarMessage(asMessage(made.told), 6000);
  }

  /** What the tool refuses leaves the last MIR as it is. */
  private async saved(source: vscode.Uri): Promise<void> {
    for (const [uri, shown] of this.shown) {
      if (shown.source.toString() !== source.toString()) continue;
      const made = await this.make(source, shown.cpu);
      if (!made) continue;
      if (made.text === null)
        vscode.window.setStatusBarMessage(asMessage(vscode.l10n.t('The MIR is unchanged: {0}', made.problem)), 6000);
      else {
        shown.text = made.text;
        this.changed.fire(vscode.Uri.parse(uri));
      }
    }
  }

  /** Null when cancelled. */
  private async make(source: vscode.Uri, cpu: string | undefined): Promise<MirOfSource | null> {
    const params = { uri: this.client.code2ProtocolConverter.asUri(source), ...(cpu === undefined ? {} : { cpu }) };
    const options = { location: vscode.ProgressLocation.Notification, title: 'Compiling', cancellable: true };
    return vscode.window.withProgress(options, async (_, token) => {
      try {
        return await this.client.sendRequest<MirOfSource>(MIR_OF_SOURCE_REQUEST, params, token);
      } catch (error) {
        if (token.isCancellationRequested) return null;
        throw error;
      }
    });
  }
}
