/** The status bar item: for which target the numbers of the active file hold, and which LLVM they are those of. */
import * as vscode from 'vscode';
import { State, type BaseLanguageClient } from 'vscode-languageclient';
import {
  DOCUMENT_NOTIFICATION,
  SELECT_TARGET_NOTIFICATION,
  type DocumentStatus,
  type SelectTargetParams,
} from '../../server/src/lsp/common/customRequests.js';
import { STAGE_WORDS, STAGES } from '../../server/src/program/stageNames.js';
import { asLabel, asMarkdown } from './plainText';

const ORIGINS: Record<DocumentStatus['origin'], string> = {
  override: 'chosen by hand',
  run: 'from the RUN line',
  module: 'triple from the module, processor from the setting `amdgpu-mir.target.cpu`',
  function: 'from the functions’ attributes `target-cpu` and `target-features`',
  setting: 'from the setting `amdgpu-mir.target`',
};

/** Where the target of a document comes from; a triple may name the processor itself. */
const originOf = ({ origin, cpu }: DocumentStatus): string =>
  origin === 'module' && cpu === '' ? 'from the triple of the module' : ORIGINS[origin];

type Choice = Omit<SelectTargetParams, 'uri'>;

const AUTO_STAGE = 'auto';

/** Where the choices are kept, and how many. */
const CHOSEN = 'amdgpu-mir.chosenTargets';
const MAX_CHOSEN = 200;

export class TargetStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('amdgpu-mir.target', vscode.StatusBarAlignment.Right, 100);
  private readonly documents = new Map<string, DocumentStatus>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly changed = new vscode.EventEmitter<void>();
  /** a document has another target */
  readonly onDidChange = this.changed.event;

  private readonly retargeted = new vscode.EventEmitter<string>();
  /** address of a document whose target has become another one */
  readonly onDidChangeTarget = this.retargeted.event;
  /** documents whose chosen target this server has been told */
  private readonly told = new Set<string>();

  /** `memory`: of the workspace; what was chosen lasts until the file is closed, over a reload of the window and a restart of the server */
  constructor(
    private readonly client: BaseLanguageClient,
    private readonly memory: vscode.Memento,
  ) {
    this.item.name = vscode.l10n.t('AMDGPU MIR target');
    this.item.command = 'amdgpu-mir.selectTarget';
    this.subscriptions = [
      this.item,
      this.changed,
      this.retargeted,
      client.onNotification(DOCUMENT_NOTIFICATION, (status: DocumentStatus) => {
        const known = this.documents.get(status.uri);
        this.documents.set(status.uri, status);
        const isSame =
          known?.target === status.target &&
          known.fileSays === status.fileSays &&
          known.active === status.active &&
          known.stage === status.stage &&
          known.foreign === status.foreign;
        if (!isSame) this.changed.fire();
        if (known && known.target !== status.target) this.retargeted.fire(status.uri);
        this.show();
        void this.remind(status.uri);
      }),
      client.onDidChangeState(({ newState }) => {
        if (newState !== State.Running) this.told.clear();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.window.onDidChangeTextEditorSelection(() => this.show()),
      vscode.workspace.onDidCloseTextDocument((document) => {
        const uri = this.uriOf(document);
        this.documents.delete(uri);
        this.told.delete(uri);
        if (document.languageId === 'mir') void this.remember(uri, undefined);
      }),
    ];
    this.show();
  }

  /** What stands in the status bar; empty when it is hidden. */
  get text(): string {
    return this.item.text;
  }

  /** The state of the active document as the server reported it last. */
  get active(): DocumentStatus | undefined {
    const document = vscode.window.activeTextEditor?.document;
    return document && this.documents.get(this.uriOf(document));
  }

  /** `gfx90a wave64 (from the RUN line), LLVM 22.1.8`; empty for a document that the server has not reported. */
  describe(uri: string): string {
    const status = this.documents.get(uri);
    if (!status) return '';
    return status.foreign === ''
      ? `${status.target} (${originOf(status).replaceAll('`', '')}), LLVM ${status.llvm}`
      : status.foreign;
  }

  /** Lets the user choose among the targets of the RUN lines. */
  async choose(): Promise<void> {
    const status = this.active;
    if (!status) return;
    const own: vscode.QuickPickItem = {
      label: vscode.l10n.t('From the file'),
      description: vscode.l10n.t('the first RUN line, or else the settings'),
    };
    const other: vscode.QuickPickItem = {
      label: vscode.l10n.t('Another processor...'),
      description: vscode.l10n.t('for this file, until it is closed'),
    };
    const stage: vscode.QuickPickItem = { label: vscode.l10n.t('Stage...'), description: status.stage };
    const settings: vscode.QuickPickItem = { label: vscode.l10n.t('Open the setting for files without a RUN line...') };
    const targets = status.targets.map((target, index): vscode.QuickPickItem & { index: number } => ({
      label: asLabel(target.label),
      description: `RUN line ${target.line + 1}${index === status.active ? ' (active)' : ''}`,
      index,
    }));
    const picked = await vscode.window.showQuickPick([...targets, own, other, stage, settings], {
      placeHolder: vscode.l10n.t('Target of this file'),
    });
    if (!picked) return;
    if (picked === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'amdgpu-mir.target');
      return;
    }
    if (picked === stage) {
      await this.chooseStage();
      return;
    }
    if (picked === other) {
      await this.chooseProcessor(status);
      return;
    }
    const params: SelectTargetParams =
      'index' in picked ? { uri: status.uri, index: picked.index as number } : { uri: status.uri };
    await this.select(params);
  }

  /** Where functions stand: the setting of the workspace, or of the user where none is open. */
  async chooseStage(): Promise<void> {
    const configuration = vscode.workspace.getConfiguration('amdgpu-mir');
    const present = configuration.get<string>('stage', AUTO_STAGE);
    const items = ([AUTO_STAGE, ...STAGES] as const).map((name) => ({
      label: name === AUTO_STAGE ? vscode.l10n.t('From the file') : STAGE_WORDS[name],
      description: `${name}${name === present ? ' (active)' : ''}`,
      name,
    }));
    const placeHolder = vscode.l10n.t("The point in llc's pipeline that functions have reached");
    const picked = await vscode.window.showQuickPick(items, { placeHolder });
    if (picked) await configuration.update('stage', picked.name === AUTO_STAGE ? undefined : picked.name);
  }

  /** Any processor that `-mcpu` takes, with the triple of the file. */
  private async chooseProcessor({ uri, triple, cpu }: DocumentStatus): Promise<void> {
    const chosen = await vscode.window.showInputBox({
      prompt: vscode.l10n.t('Processor, as for -mcpu, and features, as for -mattr'),
      placeHolder: 'gfx1100 +wavefrontsize64',
      value: cpu,
    });
    const [name, ...features] = (chosen ?? '').split(/[\s,]+/).filter((word) => word !== '');
    if (name === undefined) return;
    await this.select({ uri, target: { triple, cpu: name, features: features.join(',') } });
  }

  /** Makes a target the active one of a document. */
  async select(params: SelectTargetParams): Promise<void> {
    const { uri, ...choice } = params;
    this.told.add(uri);
    await this.remember(uri, 'index' in choice || 'target' in choice ? choice : undefined);
    await this.client.sendNotification(SELECT_TARGET_NOTIFICATION, params);
  }

  private get chosen(): Readonly<Record<string, Choice>> {
    return this.memory.get<Record<string, Choice>>(CHOSEN, {});
  }

  private async remember(uri: string, choice: Choice | undefined): Promise<void> {
    const { [uri]: known, ...others } = this.chosen;
    if (known === undefined && choice === undefined) return;
    // The latest are the last.
    const entries = [...Object.entries(others), ...(choice === undefined ? [] : [[uri, choice] as const])];
    await this.memory.update(CHOSEN, Object.fromEntries(entries.slice(-MAX_CHOSEN)));
  }

  /** A server that does not know yet what was chosen for a document is told. */
  private async remind(uri: string): Promise<void> {
    if (this.told.has(uri)) return;
    this.told.add(uri);
    const choice = this.chosen[uri];
    if (choice !== undefined) await this.client.sendNotification(SELECT_TARGET_NOTIFICATION, { uri, ...choice });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private uriOf(document: vscode.TextDocument): string {
    return this.client.code2ProtocolConverter.asUri(document.uri);
  }

  private show(): void {
    const status = this.active;
    if (!status || vscode.window.activeTextEditor?.document.languageId !== 'mir') {
      this.item.text = '';
      this.item.hide();
      return;
    }
    if (status.foreign !== '') {
      this.item.text = `$(circle-slash) ${status.foreign.split(/ \(|:/, 1)[0] ?? ''}`;
      this.item.tooltip = vscode.l10n.t(
        '{0}: only syntax colours and navigation. Click to choose a target anyway.',
        status.foreign,
      );
      this.item.backgroundColor = undefined;
      this.item.show();
      return;
    }
    const warn = status.problems.length > 0;
    const line = vscode.window.activeTextEditor.selection.active.line;
    const own = status.own.find((f) => f.firstLine <= line && line <= f.lastLine);
    const target = own?.target ?? status.target;
    this.item.text = `${warn ? '$(warning)' : '$(circuit-board)'} ${asLabel(target)}${status.fileSays === '' ? '' : ` (${asLabel(status.fileSays)})`}, LLVM ${status.llvm}${status.model === '' ? '' : ` (${status.model})`}${status.stage === '' ? '' : ` · ${status.stage}`}`;
    const { triple, cpu, features, problems, model, llvm, llvmReason } = status;
    const options = `-mtriple=${triple}${cpu && ` -mcpu=${cpu}`}${features && ` -mattr=${features}`}`;
    // What comes from the file is appended as text.
    const tooltip = new vscode.MarkdownString('', true);
    tooltip
      .appendMarkdown('**')
      .appendText(target)
      .appendMarkdown(`** (${own ? ORIGINS.function : originOf(status)})`)
      .appendText(status.fileSays === '' ? '' : `, ${status.fileSays}`)
      .appendMarkdown('\n');
    tooltip.appendCodeblock(options, 'sh');
    for (const problem of problems) tooltip.appendMarkdown(`$(warning) ${asMarkdown(problem)}\n\n`);
    if (model !== '')
      tooltip.appendMarkdown(`Schedules are those of the model ${model} (setting \`amdgpu-mir.model\`).\n\n`);
    tooltip
      .appendMarkdown(`Numbers and messages are those of LLVM ${llvm}: ${asMarkdown(llvmReason)}. `)
      .appendMarkdown(status.stage === '' ? '' : `Stage: ${status.stage}`)
      .appendText(status.stageBy === '' ? '' : `, by ${status.stageBy}`)
      .appendMarkdown(status.stage === '' ? '' : '. ')
      .appendMarkdown('Click to choose a target or a stage.');
    this.item.tooltip = tooltip;
    this.item.backgroundColor = warn ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.item.show();
  }
}
