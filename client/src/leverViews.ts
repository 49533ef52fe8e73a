/** Why llc ends with so few waves, as a report; its levers, and the settings of a sweep, as edits and as diffs of what llc ends with. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  APPLY_LEVER_REQUEST,
  ENDED_TEXT_REQUEST,
  WHY_OCCUPANCY_REQUEST,
  type EndedText,
  type LeverChange,
} from '../../server/src/lsp/common/customRequests.js';
import { placeOf, type Place } from './commandArguments';
import { firstBodyDifference } from './firstDifference';
import { askWithProgress } from './longRequest';
import { onPlace, showLongReport, unlessGivenUp } from './passViews';
import { asMessage, asSegment } from './plainText';
import { NO_ANSWER, paramsOf, type LinkedText, type VirtualViews } from './virtualViews';

const TOOLTIPS = { apply: 'Make this edit; one undo takes it back', compare: 'Compare what llc ends with' } as const;

export class LeverViews implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    const onLever = (name: string, run: (place: Place, change: LeverChange) => Promise<void>): vscode.Disposable =>
      vscode.commands.registerCommand(`amdgpu-mir.${name}`, async (uri?: unknown, line?: unknown, change?: unknown) => {
        const place = placeOf(uri, line);
        // What a change is the server says.
        if (place && typeof change === 'object' && change !== null)
          await unlessGivenUp(run(place, change as LeverChange));
      });
    this.disposables = [
      onPlace('whyOccupancy', (place) => showLongReport(this.views, place, 'why this occupancy', (at) => this.why(at))),
      onLever('applyLever', (place, change) => this.apply(place, change)),
      onLever('compareLever', (place, change) => this.compare(place, change)),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private async why(at: Place): Promise<LinkedText | null> {
    const answer = await askWithProgress(this.client, WHY_OCCUPANCY_REQUEST, paramsOf(at));
    if (!answer) return null;
    const links = answer.links.map(({ start, end, does, change }) => ({
      ...{ start, end, command: `${does}Lever`, tooltip: TOOLTIPS[does] },
      args: [at.uri.toString(), at.position.line, change],
    }));
    return { text: answer.text, links };
  }

  private async apply(place: Place, change: LeverChange): Promise<void> {
    const document = await vscode.workspace.openTextDocument(place.uri);
    const { version } = document;
    const answer = await askWithProgress(this.client, APPLY_LEVER_REQUEST, { ...paramsOf(place), change });
    if (!answer) return;
    const { title, edits, problem } = answer;
    if (edits === null || document.version !== version) {
      const why = edits === null ? problem : vscode.l10n.t('the text changed in the meantime');
      void vscode.window.showWarningMessage(asMessage(vscode.l10n.t('{0}: not applied: {1}', title, why)));
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    for (const { range, newText } of edits) {
      const { start, end } = range;
      edit.replace(place.uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
    }
    if (await vscode.workspace.applyEdit(edit)) vscode.window.setStatusBarMessage(`Applied: ${title}`, 4000);
  }

  private ended(place: Place, change?: LeverChange): Promise<EndedText | null> {
    const params = change === undefined ? paramsOf(place) : { ...paramsOf(place), change };
    return askWithProgress(this.client, ENDED_TEXT_REQUEST, params);
  }

  /** What llc ends with now on the left, with the lever on the right; both follow the source. */
  private async compare(place: Place, change: LeverChange): Promise<void> {
    const now = await this.ended(place);
    const then = now && (await this.ended(place, change));
    if (!now || !then) return;
    const problem = now.text === null ? now.problem : then.text === null ? then.problem : '';
    if (problem !== '') {
      void vscode.window.showWarningMessage(asMessage(`${now.function}: ${problem}`));
      return;
    }
    const side = (name: string, of?: LeverChange): vscode.Uri =>
      this.views.add(`${asSegment(`${now.function} ${name}`)}.mir`, place, async (at) => {
        const own = await this.ended(at, of);
        return own?.text ?? `# ${own?.problem ?? NO_ANSWER.trimEnd()}\n`;
      });
    const label = changeLabel(change);
    const title = `${now.function}: as llc ends, ${label}`;
    const line = firstBodyDifference(now.text!, then.text!, 0);
    const options = line < 0 ? {} : { selection: new vscode.Range(line, 0, line, 0) };
    await vscode.commands.executeCommand('vscode.diff', side('as llc ends'), side(label, change), title, options);
  }
}

/** Short, for the title of a tab. */
function changeLabel(change: LeverChange): string {
  switch (change.kind) {
    case 'setting': {
      const { options, attributes } = change.setting;
      const words = [...options, ...Object.entries(attributes).map(([name, value]) => `${name}=${value}`)];
      return words.length === 0 ? '(as in the file)' : words.join(' ');
    }
    case 'reorder':
      return `region ${change.region} as ${change.strategy}`;
    default:
      return `${change.kind} ${change.registers.join(', ')}`;
  }
}
