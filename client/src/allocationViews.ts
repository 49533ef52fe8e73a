/** What llc's register allocator makes of a function: a diff against the source, and how it came to it. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  ALLOCATED_TEXT_REQUEST,
  COMPARE_COSTS_REQUEST,
  EXPLAIN_ALLOCATION_REQUEST,
  type AllocatedText,
} from '../../server/src/lsp/common/customRequests.js';
import type { Place } from './commandArguments';
import { askWithProgress } from './longRequest';
import { onPlace, showLongReport, showPassDiff } from './passViews';
import { paramsOf, type VirtualViews } from './virtualViews';

export class AllocationViews implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly client: BaseLanguageClient,
    private readonly views: VirtualViews,
  ) {
    this.disposables = [
      onPlace('showAllocated', (place) => this.showAllocated(place)),
      onPlace('explainAllocation', (place) => this.explain(place)),
      onPlace('compareCosts', (place) => this.compareCosts(place)),
    ];
  }

  dispose(): void {
    for (const d of this.disposables) d.dispose();
  }

  private showAllocated(place: Place): Promise<void> {
    const request = (at: Place): Promise<AllocatedText | null> =>
      askWithProgress(this.client, ALLOCATED_TEXT_REQUEST, paramsOf(at));
    return showPassDiff(this.views, place, ['source', 'allocated'], request);
  }

  private explain(place: Place): Promise<void> {
    const request = (at: Place): Promise<string | null> =>
      askWithProgress(this.client, EXPLAIN_ALLOCATION_REQUEST, paramsOf(at));
    return showLongReport(this.views, place, 'allocation explained', request);
  }

  private compareCosts(place: Place): Promise<void> {
    const request = (at: Place): Promise<string | null> => {
      const costs = vscode.workspace.getConfiguration('amdgpu-mir').get('registerCosts', '').trim();
      return askWithProgress(this.client, COMPARE_COSTS_REQUEST, {
        ...paramsOf(at),
        ...(costs === '' ? {} : { costs }),
      });
    };
    return showLongReport(this.views, place, 'register costs compared', request, true);
  }
}
