/** What the machine scheduler makes of a function: a diff against its order, the same as an edit, and the explanation. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  EXPLAIN_SCHEDULE_REQUEST,
  SCHEDULED_TEXT_REQUEST,
  type ScheduledText,
} from '../../server/src/lsp/common/customRequests.js';
import type { Place } from './commandArguments';
import { askWithProgress } from './longRequest';
import { onPlace, showLongReport, showPassDiff } from './passViews';
import { asMessage } from './plainText';
import { paramsOf, type VirtualViews } from './virtualViews';

export class ScheduleViews implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    type Scope = 'function' | 'region';
    const apply = (scope: Scope) => (place: Place) => this.applySchedule(place, scope);
    this.disposables = [
      onPlace('showScheduled', (place) => this.showScheduled(place)),
      onPlace('applySchedule', apply('function')),
      onPlace('applyRegionSchedule', apply('region')),
      onPlace('explainSchedule', (place) => this.explain(place)),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private request(place: Place, scope: 'function' | 'region' = 'function'): Promise<ScheduledText | null> {
    return askWithProgress(this.client, SCHEDULED_TEXT_REQUEST, { ...paramsOf(place), scope });
  }

  private showScheduled(place: Place): Promise<void> {
    return showPassDiff(this.views, place, ['source order', 'scheduled'], (at) => this.request(at));
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
    const request = (at: Place): Promise<string | null> =>
      askWithProgress(this.client, EXPLAIN_SCHEDULE_REQUEST, paramsOf(at));
    return showLongReport(this.views, place, 'schedule explained', request);
  }
}
