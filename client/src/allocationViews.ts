/** What llc's register allocator makes of a function: a diff against the source, and how it came to it. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  ALLOCATED_TEXT_REQUEST,
  EXPLAIN_ALLOCATION_REQUEST,
  type AllocatedText,
} from '../../server/src/lsp/common/customRequests.js';
import { placeOf, type Place } from './commandArguments';
import { askWithProgress } from './longRequest';
import { asMessage, asSegment } from './plainText';
import { isGivenUp, unlessGivenUp } from './scheduleViews';
import { NO_ANSWER, paramsOf, type VirtualViews } from './virtualViews';

export class AllocationViews implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    const on = (command: string, run: (place: Place) => Promise<void>): vscode.Disposable =>
      vscode.commands.registerCommand(`amdgpu-mir.${command}`, (uri?: unknown, line?: unknown) => {
        const place = placeOf(uri, line);
        return place && unlessGivenUp(run(place));
      });
    this.disposables = [
      on('showAllocated', (place) => this.showAllocated(place)),
      on('explainAllocation', (place) => this.explain(place)),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private request(place: Place): Promise<AllocatedText | null> {
    return askWithProgress(this.client, ALLOCATED_TEXT_REQUEST, paramsOf(place));
  }

  private async showAllocated(place: Place): Promise<void> {
    const r = await this.request(place);
    if (!r) return;
    if (r.text === null) {
      void vscode.window.showWarningMessage(asMessage(r.summary));
      return;
    }
    const right = this.views.add(`${asSegment(r.function)} allocated.mir`, place, async (at) => {
      const now = await this.request(at);
      return now?.text ?? `# ${now?.summary ?? NO_ANSWER.trimEnd()}\n`;
    });
    const title = `${r.function}: source, allocated (${r.target})`;
    await vscode.commands.executeCommand('vscode.diff', place.uri, right, title);
  }

  private explain(place: Place): Promise<void> {
    return this.views.showReport('allocation explained', place, async (at) => {
      try {
        return (await askWithProgress(this.client, EXPLAIN_ALLOCATION_REQUEST, paramsOf(at))) ?? NO_ANSWER;
      } catch (error) {
        if (isGivenUp(error)) return 'cancelled; an edit of the source, or the command, asks again\n';
        throw error;
      }
    });
  }
}
