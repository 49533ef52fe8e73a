/** "Compare targets": a table of occupancy and live peaks beside the file, as plain text that follows edits. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import { COMPARE_TARGETS_REQUEST } from '../../server/src/lsp/common/customRequests.js';
import type { ParamsOf } from '../../server/src/lsp/common/requests.js';
import { documentOf, type Place } from './commandArguments';
import { asSegment } from './plainText';
import type { TargetStatus } from './targetStatus';
import { NO_ANSWER, type VirtualViews } from './virtualViews';

type Targets = ParamsOf<typeof COMPARE_TARGETS_REQUEST>['targets'];

/** What a view that is opened again was about; undefined for anything else. */
function targetsOf(argument: unknown): Targets | undefined {
  if (!Array.isArray(argument)) return undefined;
  const isTarget = (t: unknown): boolean =>
    typeof t === 'object' &&
    t !== null &&
    ['triple', 'cpu', 'features'].every((key) => typeof (t as Record<string, unknown>)[key] === 'string');
  return argument.every(isTarget) ? (argument as unknown as Targets) : undefined;
}

export class CompareTargets implements vscode.Disposable {
  private readonly command: vscode.Disposable;

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly status: TargetStatus,
    private readonly views: VirtualViews,
  ) {
    this.command = vscode.commands.registerCommand('amdgpu-mir.compareTargets', (uri?: unknown, targets?: unknown) =>
      this.show(uri, targets),
    );
  }

  dispose(): void {
    this.command.dispose();
  }

  /** All functions of a document, of the active one if none is named. */
  private async show(argument?: unknown, among?: unknown): Promise<void> {
    const uri = typeof argument === 'string' ? documentOf(argument) : vscode.window.activeTextEditor?.document.uri;
    if (!uri) return;
    const targets = targetsOf(among) ?? (await this.others());
    if (!targets) return;
    const name = asSegment(uri.path.slice(uri.path.lastIndexOf('/') + 1));
    const place: Place = {
      uri,
      position: new vscode.Position(0, 0),
      reopen: ['compareTargets', uri.toString(), targets],
    };
    await this.views.showTable(`targets of ${name}`, place, async () => {
      const params = { textDocument: { uri: uri.toString() }, targets };
      return (await ask(this.client, COMPARE_TARGETS_REQUEST, params))?.text ?? NO_ANSWER;
    });
  }

  /** A file of one target has nothing to compare with: which processors then? Undefined when the user changed their mind. */
  private async others(): Promise<Targets | undefined> {
    const status = this.status.active;
    const setting = vscode.workspace.getConfiguration('amdgpu-mir').get<string[]>('target.compare', []);
    if (!status || new Set(status.targets.map((t) => t.label)).size > 1 || setting.length > 0) return [];
    const chosen = await vscode.window.showInputBox({
      prompt: vscode.l10n.t('Processors to compare with. The setting amdgpu-mir.target.compare keeps them.'),
      value: 'gfx90a, gfx942, gfx1100, gfx1201',
    });
    const names = chosen?.split(/[\s,]+/).filter((word) => word !== '');
    return names?.map((cpu) => ({ triple: status.triple, cpu, features: '' }));
  }
}
