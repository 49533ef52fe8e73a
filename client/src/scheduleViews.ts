/** What the machine scheduler makes of a function: a diff against its order, the same as an edit, and the explanation. */
import * as vscode from 'vscode';
import { ResponseError, type BaseLanguageClient } from 'vscode-languageclient';
import {
  EXPLAIN_SCHEDULE_REQUEST,
  SCHEDULED_TEXT_REQUEST,
  type ScheduledText,
} from '../../server/src/lsp/common/customRequests.js';
import { askWithProgress } from './longRequest';
import { placeOf, type Place } from './commandArguments';
import { asMessage, asSegment } from './plainText';
import { NO_ANSWER, paramsOf, type VirtualViews } from './virtualViews';

/** LSPErrorCodes.RequestCancelled and ContentModified: the user ended it, or typed on. */
const GIVEN_UP: readonly number[] = [-32800, -32801];

export class ScheduleViews implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    type Scope = 'function' | 'region';
    const on = (command: string, run: (place: Place) => Promise<void>): vscode.Disposable =>
      vscode.commands.registerCommand(`amdgpu-mir.${command}`, (uri?: unknown, line?: unknown) => {
        const place = placeOf(uri, line);
        return place && unlessGivenUp(run(place));
      });
    const apply = (scope: Scope) => (place: Place) => this.applySchedule(place, scope);
    this.disposables = [
      on('showScheduled', (place) => this.showScheduled(place)),
      on('applySchedule', apply('function')),
      on('applyRegionSchedule', apply('region')),
      on('explainSchedule', (place) => this.explain(place)),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private request(place: Place, scope: 'function' | 'region' = 'function'): Promise<ScheduledText | null> {
    return askWithProgress(this.client, SCHEDULED_TEXT_REQUEST, { ...paramsOf(place), scope });
  }

  private async showScheduled(place: Place): Promise<void> {
    const r = await this.request(place);
    if (!r) return;
    if (r.text === null) {
      void vscode.window.showWarningMessage(asMessage(r.summary));
      return;
    }
    const right = this.views.add(`${asSegment(r.function)} scheduled.mir`, place, async (at) => {
      const now = await this.request(at);
      return now?.text ?? `# ${now?.summary ?? NO_ANSWER.trimEnd()}\n`;
    });
    const title = `${r.function}: source order, scheduled (${r.target})`;
    await vscode.commands.executeCommand('vscode.diff', place.uri, right, title);
  }

  private async applySchedule(place: Place, scope: 'function' | 'region'): Promise<void> {
    const document = await vscode.workspace.openTextDocument(place.uri);
    const { version } = document;
    const r = await this.request(place, scope);
    if (!r) return;
    if (r.text === null || r.edits.length === 0) {
      const what = scope === 'region' ? 'this region' : r.function;
      void vscode.window.showInformationMessage(
        asMessage(r.text === null ? r.summary : `${what} is in the scheduler's order already`),
      );
      return;
    }
    // an answer to an older text is not applied to a newer one
    if (document.version !== version) return;
    const edit = new vscode.WorkspaceEdit();
    for (const e of r.edits) {
      const { start, end } = e.range;
      edit.replace(place.uri, new vscode.Range(start.line, start.character, end.line, end.character), e.newText);
    }
    await vscode.workspace.applyEdit(edit);
  }

  private explain(place: Place): Promise<void> {
    return this.views.showReport('schedule explained', place, async (at) => {
      try {
        return (await askWithProgress(this.client, EXPLAIN_SCHEDULE_REQUEST, paramsOf(at))) ?? NO_ANSWER;
      } catch (error) {
        if (isGivenUp(error)) return 'cancelled; an edit of the source, or the command, asks again\n';
        throw error;
      }
    });
  }
}

export const isGivenUp = (error: unknown): boolean => error instanceof ResponseError && GIVEN_UP.includes(error.code);

export async function unlessGivenUp(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isGivenUp(error)) throw error;
  }
}
