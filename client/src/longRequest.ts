/** A request that may take long: when it does, a message with its progress and a button that cancels it. */
import * as vscode from 'vscode';
import { WorkDoneProgress, type BaseLanguageClient } from 'vscode-languageclient';

let nRequests = 0;

/** The server begins its progress only after half a second; what is quicker shows nothing. */
export async function sendWithProgress<T>(client: BaseLanguageClient, method: string, params: object): Promise<T> {
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
    return await client.sendRequest<T>(method, { ...params, workDoneToken }, source.token);
  } finally {
    end();
    listener.dispose();
    source.dispose();
  }
}
