/** Progress in the editor for a request that turns out to take long, with a button that cancels it. */
import {
  CancellationTokenSource,
  WorkDoneProgress,
  type CancellationToken,
  type Connection,
  type ProgressToken,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from 'vscode-languageserver';

/** What is done within that time needs no progress. */
const DELAY_MS = 500;

/** Where progress goes. */
interface Channel {
  send(value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void;
}

export interface LongWork {
  readonly title: string;
  /** the client's own token for the progress of its request; undefined = the server makes one, where the client has such */
  readonly workDoneToken: ProgressToken | undefined;
  /** of the request */
  readonly token: CancellationToken;
}

/**
 * Runs `work`; after half a second the editor is told of it, and from then on what the work reports. The work's token is cancelled by
 * the request's, and by the button of a progress that the server made (`window/workDoneProgress`).
 */
export async function withDelayedProgress<T>(
  connection: Connection,
  { title, workDoneToken, token }: LongWork,
  work: (token: CancellationToken, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const source = new CancellationTokenSource();
  const listeners = [token.onCancellationRequested(() => source.cancel())];
  if (token.isCancellationRequested) source.cancel();
  let channel: Channel | null = null;
  let isDone = false;
  let last = '';
  const open = async (): Promise<Channel> => {
    if (workDoneToken !== undefined)
      return { send: (value) => void connection.sendProgress(WorkDoneProgress.type, workDoneToken, value) };
    const made = await connection.window.createWorkDoneProgress();
    listeners.push(made.token.onCancellationRequested(() => source.cancel()));
    return {
      send: (value) => {
        if (value.kind === 'begin') made.begin(value.title, undefined, value.message, value.cancellable);
        else if (value.kind === 'report') made.report(value.message ?? '');
        else made.done();
      },
    };
  };
  const begin = async (): Promise<void> => {
    const opened = await open();
    if (isDone) return;
    channel = opened;
    opened.send({ kind: 'begin', title, message: last, cancellable: true });
  };
  const timer = setTimeout(() => {
    // A client that refuses a progress gets none.
    begin().catch(() => undefined);
  }, DELAY_MS);
  try {
    return await work(source.token, (message) => {
      last = message;
      channel?.send({ kind: 'report', message });
    });
  } finally {
    isDone = true;
    clearTimeout(timer);
    (channel as Channel | null)?.send({ kind: 'end' });
    for (const listener of listeners) listener.dispose();
    source.dispose();
  }
}
