/** A request that may take long: when it does, a message with its progress and a button that cancels it. */
import * as vscode from 'vscode';
import { WorkDoneProgress, type BaseLanguageClient } from 'vscode-languageclient';
import type { ResultOf } from '../../server/src/lsp/common/featureTable.js';
import type { DocumentMethod, ParamsOf } from '../../server/src/lsp/common/requests.js';
import { ask } from './ask';

let nRequests = 0;

/** The server begins its progress only after half a second; what is quicker shows nothing. */
export async function askWithProgress<M extends DocumentMethod>(
  client: BaseLanguageClient,
  method: M,
  params: ParamsOf<M>,
): Promise<ResultOf<M> | null> {
  const workDoneToken = `amdgpu-mir-${++nRequests}`;
  const source = new vscode.CancellationTokenSource();
  let report: (message: string) => void = () => undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const listener = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
    if (value.kind === 'report') report(value.message ?? '');
    if (value.kind !== 'begin') return;
    const options = { location: vscode.ProgressLocation.Notification, title: value.title, cancellable: true };
    void vscode.window.withProgress(options, (progress, cancel) => {
      cancel.onCancellationRequested(() => source.cancel());
      report = (message) => progress.report({ message });
      report(value.message ?? '');
      return ended;
    });
  });
  try {
    return await ask(client, method, { ...params, workDoneToken }, source.token);
  } finally {
    end();
    listener.dispose();
    source.dispose();
  }
}
