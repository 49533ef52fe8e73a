/** Progress of what takes long: when it comes, what it says, and who may cancel. */
import assert from 'node:assert/strict';
import { CancellationTokenSource, type Connection } from 'vscode-languageserver/node';
import { withDelayedProgress } from '../../../server/src/lsp/common/delayedProgress.js';

/** A client that notes what it is shown; `opened` resolves with the first. */
function fakeClient(refuses = false) {
  const shown: unknown[] = [];
  const button = new CancellationTokenSource();
  let isShown: () => void;
  const opened = new Promise<void>((done) => (isShown = done));
  const note = (...what: unknown[]): void => {
    shown.push(what);
    isShown();
  };
  const connection = {
    sendProgress: (_type: unknown, token: unknown, value: unknown) => Promise.resolve(note(token, value)),
    window: {
      createWorkDoneProgress: () => {
        if (refuses) {
          isShown();
          return Promise.reject(new Error('no'));
        }
        return Promise.resolve({
          token: button.token,
          begin: (...args: unknown[]) => note('begin', ...args),
          report: (...args: unknown[]) => note('report', ...args),
          done: () => note('done'),
        });
      },
    },
  } as unknown as Connection;
  return { connection, shown, opened, button };
}

const soon = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('progress of long work', () => {
  const token = (): CancellationTokenSource['token'] => new CancellationTokenSource().token;

  it('is not shown of what is done at once', async () => {
    const { connection, shown } = fakeClient();
    const result = await withDelayedProgress(
      connection,
      { title: 'T', workDoneToken: 't', token: token() },
      async (_, report) => {
        report('first');
        await soon();
        return 7;
      },
    );
    assert.equal(result, 7);
    // No timer is left that would show it later.
    await new Promise((done) => setTimeout(done, 600));
    assert.deepEqual(shown, []);
  });

  it('goes to the token of the request', async () => {
    const { connection, shown, opened } = fakeClient();
    const result = await withDelayedProgress(
      connection,
      { title: 'T', workDoneToken: 't', token: token() },
      async (_, report) => {
        report('before');
        report('last before');
        await opened;
        report('after');
        return 'r';
      },
    );
    assert.equal(result, 'r');
    assert.deepEqual(shown, [
      ['t', { kind: 'begin', title: 'T', message: 'last before', cancellable: true }],
      ['t', { kind: 'report', message: 'after' }],
      ['t', { kind: 'end' }],
    ]);
  });

  it("is the server's own without one, whose button cancels the work", async () => {
    const { connection, shown, opened, button } = fakeClient();
    const failure = await withDelayedProgress(
      connection,
      { title: 'T', workDoneToken: undefined, token: token() },
      async (work, report) => {
        await opened;
        report('half');
        assert.equal(work.isCancellationRequested, false);
        const cancelled = new Promise((done) => work.onCancellationRequested(done));
        button.cancel();
        await cancelled;
        throw new Error('cancelled');
      },
    ).catch((error: unknown) => (error as Error).message);
    assert.equal(failure, 'cancelled');
    assert.deepEqual(shown, [['begin', 'T', undefined, '', true], ['report', 'half'], ['done']]);
  });

  it('ends with the request, and a client may refuse it', async () => {
    const { connection, shown, opened } = fakeClient(true);
    const request = new CancellationTokenSource();
    const isCancelled = await withDelayedProgress(
      connection,
      { title: 'T', workDoneToken: undefined, token: request.token },
      async (work, report) => {
        await opened;
        await soon();
        report('unseen');
        request.cancel();
        return work.isCancellationRequested;
      },
    );
    assert.equal(isCancelled, true);
    assert.deepEqual(shown, []);
    // What was cancelled before it began.
    const late = await withDelayedProgress(
      connection,
      { title: 'T', workDoneToken: 't', token: request.token },
      (work) => Promise.resolve(work.isCancellationRequested),
    );
    assert.equal(late, true);
  });
});
