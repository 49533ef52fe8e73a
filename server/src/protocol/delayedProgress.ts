/** Progress in the editor for a request that turns out to take long, with a button that cancels it. */
import { CancellationTokenSource, type CancellationToken, type Connection } from 'vscode-languageserver';

/** What is done within that time needs no progress. */
const DELAY_MS = 500;

/**
 * Runs `work`; after half a second the editor shows `title`, what the work reports, and a way to cancel (`window/workDoneProgress`,
 * where the client has it). The work's token is cancelled by the request's and by that button.
 */
export async function withDelayedProgress<T>(
  connection: Connection,
  title: string,
  token: CancellationToken,
  work: (token: CancellationToken, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const source = new CancellationTokenSource();
  const listeners = [token.onCancellationRequested(() => source.cancel())];
  if (token.isCancellationRequested) source.cancel();
  let isDone = false;
  let last = '';
  let show = (message: string): void => {
    last = message;
  };
  let done = (): void => undefined;
  const begin = async (): Promise<void> => {
    const progress = await connection.window.createWorkDoneProgress();
    progress.begin(title, undefined, last, true);
    if (isDone) {
      progress.done();
      return;
    }
    done = () => progress.done();
    show = (message) => progress.report(message);
    listeners.push(progress.token.onCancellationRequested(() => source.cancel()));
  };
  const timer = setTimeout(() => {
    // A client that refuses a progress gets none.
    begin().catch(() => undefined);
  }, DELAY_MS);
  try {
    return await work(source.token, (message) => show(message));
  } finally {
    isDone = true;
    clearTimeout(timer);
    done();
    for (const listener of listeners) listener.dispose();
    source.dispose();
  }
}
