/**
 * Rematerialization in VS Code: the report of a function, and "What If", a list of registers to tick with the effect of all that are
 * ticked in its title.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ask } from './ask';
import {
  REMAT_REPORT_REQUEST,
  REMAT_WHAT_IF_REQUEST,
  type WhatIf,
  type WhatIfRegister,
} from '../../server/src/lsp/common/customRequests.js';
import { openedBy, placeOf, type Place } from './commandArguments';
import { asMessage } from './plainText';
import { NO_ANSWER, paramsOf, type VirtualViews } from './virtualViews';

export class RematViews implements vscode.Disposable {
  private readonly commands: readonly vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    const register = vscode.commands.registerCommand;
    this.commands = [
      register('amdgpu-mir.rematReport', (uri?: unknown, line?: unknown) => this.report(placeOf(uri, line))),
      register('amdgpu-mir.rematWhatIf', (uri?: unknown, line?: unknown) => this.whatIf(placeOf(uri, line))),
    ];
  }

  dispose(): void {
    for (const d of this.commands) d.dispose();
  }

  private async report(place: Place | undefined): Promise<void> {
    if (!place) return;
    await this.views.showReport('rematerialization report', openedBy('rematReport', place), async (at) => {
      return (await ask(this.client, REMAT_REPORT_REQUEST, paramsOf(at))) ?? NO_ANSWER;
    });
  }

  private ask(place: Place, registers: readonly string[], withEdits = false): Promise<WhatIf | null> {
    return ask(this.client, REMAT_WHAT_IF_REQUEST, { ...paramsOf(place), registers, withEdits });
  }

  private async whatIf(place: Place | undefined): Promise<void> {
    if (!place) return;
    const first = await this.ask(place, []);
    if (!first || first.registers.length === 0) {
      void vscode.window.showInformationMessage(
        first
          ? asMessage(vscode.l10n.t('{0}: no register can be rematerialized', first.function))
          : vscode.l10n.t('There is no function to analyse here.'),
      );
      return;
    }
    const registers = await this.pick(place, first);
    if (registers.length === 0) return;
    const document = await vscode.workspace.openTextDocument(place.uri);
    const { version } = document;
    const { edits } = (await this.ask(place, registers, true)) ?? { edits: null };
    // an answer to an older text is not applied to a newer one
    if (!edits || document.version !== version) {
      void vscode.window.showWarningMessage(vscode.l10n.t('These registers cannot be rematerialized together.'));
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    for (const { range, newText } of edits) {
      const { start, end } = range;
      edit.replace(place.uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
    }
    await vscode.workspace.applyEdit(edit);
  }

  /** The registers that were ticked when the list was accepted; none when it was left. */
  private pick(place: Place, first: WhatIf): Promise<readonly string[]> {
    const list = vscode.window.createQuickPick<vscode.QuickPickItem>();
    list.canSelectMany = true;
    list.matchOnDescription = true;
    list.items = first.registers.map(itemOf);
    list.title = titleOf(first);
    list.placeholder = vscode.l10n.t(
      'Select registers to see the effect of rematerializing them. Press Enter to make the edit.',
    );
    let asked = 0;
    return new Promise((done) => {
      list.onDidChangeSelection((ticked) => {
        const turn = ++asked;
        void this.ask(
          place,
          ticked.map((i) => i.label),
        ).then((now) => {
          if (now && turn === asked) list.title = titleOf(now);
        });
      });
      list.onDidAccept(() => {
        done(list.selectedItems.map((i) => i.label));
        list.hide();
      });
      list.onDidHide(() => {
        done([]);
        list.dispose();
      });
      list.show();
    });
  }
}

const titleOf = ({ function: name, effect, leftOut }: WhatIf): string =>
  `${name}: ${effect}${leftOut.length > 0 ? ` (without ${leftOut.join(', ')}: reads a ticked one, or is read by it)` : ''}`;

const itemOf = ({ register, place, alone, why }: WhatIfRegister): vscode.QuickPickItem => ({
  label: register,
  description: place,
  detail: `alone: ${alone} (${why})`,
});
