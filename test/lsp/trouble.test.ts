/** What goes wrong: clients that misbehave, requests that are cancelled, workers that crash or hang. The server serves on. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LSPErrorCodes, ResponseError, type CompletionList } from 'vscode-languageserver-protocol';
import type { ToWorker } from '../../server/src/lsp/common/messages.js';
import { createInThreadWorker } from '../support/inThreadWorker.js';
import { BUILT_COMMANDS } from '../support/builtCommand.js';
import { TestClient } from '../support/lspClient.js';
import { skip } from '../support/skip.js';

const root = join(__dirname, '..', '..');
const SAXPY = readFileSync(join(root, 'examples', 'saxpy.mir'), 'utf8');
const URI = 'file:///folder/a.mir';
const OP = 'V_PK_FMA_F32';

const codeOf = (error: unknown): number => (error instanceof ResponseError ? error.code : 0);

/** Code of the error that a request ends with; 0 when it ends well. */
const errorCode = (request: Promise<unknown>): Promise<number> =>
  request.then(
    () => 0,
    (error: unknown) => codeOf(error) || -1,
  );

const serves = async (client: TestClient): Promise<void> => {
  client.open(URI, SAXPY, 100);
  assert.match(await client.hover(URI, OP), /VGPR/);
};

describe('language server in trouble', () => {
  let client: TestClient;
  afterEach(() => client.shutdown());

  it('serves on after anything a client may send', async () => {
    client = await TestClient.inMemory();
    const { connection } = client;
    const change = (params: object) => connection.sendNotification('textDocument/didChange', params);
    await change({ textDocument: { uri: 'file:///never-opened.mir', version: 3 }, contentChanges: [{ text: 'x' }] });
    client.open(URI, SAXPY);
    const at = (line: number, character: number) => ({ line, character });
    const edit = (start: object, end: object, text: string, version: number) =>
      change({ textDocument: { uri: URI, version }, contentChanges: [{ range: { start, end }, text }] });
    await edit(at(1e9, 0), at(1e9, 5), 'beyond the end', 2);
    await edit(at(5, 3), at(2, 1), 'end before start', 3);
    await edit(at(-1, -7), at(-1, -7), 'negative', 4);
    await edit(at(0, 0.5), at(0, 1e300), 'no integers', 5);
    await change({ textDocument: { uri: URI, version: 6 }, contentChanges: [] });
    await change({ textDocument: { uri: URI, version: 1 }, contentChanges: [{ text: SAXPY }] });
    for (const position of [at(0, 0), at(1e9, 1e9), at(3, 1e9)])
      await client.ask('textDocument/hover', { textDocument: { uri: URI }, position });
    assert.notEqual(await errorCode(client.ask('textDocument/hover', {})), 0);
    assert.notEqual(await errorCode(client.ask('textDocument/hover', { textDocument: 7 })), 0);
    assert.equal(
      await client.ask('textDocument/hover', { textDocument: { uri: 'file:///b.mir' }, position: at(0, 0) }),
      null,
    );
    assert.notEqual(await errorCode(client.ask('textDocument/inlayHint', { textDocument: { uri: URI } })), undefined);
    assert.notEqual(await errorCode(client.ask('no/such/method', {})), 0);
    client.open(URI, SAXPY, 50);
    client.close(URI);
    client.close(URI);
    assert.equal(await client.ask('textDocument/codeLens', { textDocument: { uri: URI } }), null);
    await serves(client);
  });

  const TEXTS: [string, string][] = [
    ['empty', ''],
    ['NUL bytes', '---\nname: \0\nbody: |\n  bb.0:\n    S_NOP \0 0\n...\n'],
    ['byte order mark', '\ufeff' + SAXPY],
    ['Windows line ends', SAXPY.replaceAll('\n', '\r\n')],
    ['old Mac line ends', SAXPY.replaceAll('\n', '\r')],
    ['lone surrogates', SAXPY.replace('COPY', '\ud800COPY\udfff')],
    ['truncated', SAXPY.slice(0, SAXPY.indexOf(OP) + 4)],
    ['one endless line', '---\nname: f\nbody: |\n  bb.0:\n    ' + 'S_NOP 0, '.repeat(100_000)],
    ['only separators', '---\n'.repeat(10_000)],
    ['binary', Array.from({ length: 50_000 }, (_, i) => String.fromCharCode((i * 7919) % 65536)).join('')],
    ['deep nesting', '---\n' + '['.repeat(50_000)],
    [
      'many registers',
      '---\nname: f\nbody: |\n  bb.0:\n    %4294967295:vgpr_32 = COPY $vgpr0\n    %99999999999999999999 = COPY %2147483647\n...\n',
    ],
  ];
  for (const [name, text] of TEXTS)
    it(`text: ${name}`, async () => {
      client = await TestClient.inMemory({ settings: { inlayHints: { mode: 'all' } } });
      client.open('file:///bad.mir', text);
      await client.diagnostics('file:///bad.mir');
      await client.lenses('file:///bad.mir');
      await client.hints('file:///bad.mir');
      await client.symbols('file:///bad.mir');
      const { restarts } = await client.ask<{ restarts: number }>('amdgpuMir/status', {});
      assert.equal(restarts, 0);
      await serves(client);
      assert.equal((await client.ask<{ lastError: string | null }>('amdgpuMir/status', {})).lastError, null);
    });

  it('a cancelled request ends as cancelled, also when it waits after others', async () => {
    let release = (): void => undefined;
    const held: (() => void)[] = [];
    let holding = false;
    client = await TestClient.inMemory({
      createWorker: () => {
        const worker = createInThreadWorker();
        return {
          ...worker,
          post: (message: ToWorker) => {
            if (holding) held.push(() => worker.post(message));
            else worker.post(message);
          },
        };
      },
    });
    client.open(URI, SAXPY);
    await client.hover(URI, OP);
    holding = true;
    release = () => {
      holding = false;
      for (const post of held) post();
    };
    const { CancellationTokenSource } = await import('vscode-languageserver-protocol');
    const source = new CancellationTokenSource();
    const lens = client.connection.sendRequest('textDocument/codeLens', { textDocument: { uri: URI } }, source.token);
    const answered = errorCode(lens);
    await client.read();
    source.cancel();
    // The cancellation has reached the server when a later message has.
    await client.read();
    release();
    assert.equal(await answered, LSPErrorCodes.RequestCancelled);
    assert.match(await client.hover(URI, OP), /VGPR/);
  });

  /** The answer of a worker to `ask` is held back until an edit has come. */
  async function editedMeanwhile<T>(ask: () => Promise<T>): Promise<T> {
    let holding = false;
    const held: (() => void)[] = [];
    client = await TestClient.inMemory({
      createWorker: () => {
        const worker = createInThreadWorker();
        return {
          ...worker,
          onMessage: (handler) => worker.onMessage((m) => (holding ? held.push(() => handler(m)) : handler(m))),
        };
      },
    });
    client.open(URI, SAXPY);
    await client.hover(URI, OP);
    holding = true;
    const answered = ask();
    client.edit(URI, 0, 0, '\n');
    await client.read();
    holding = false;
    for (const give of held) give();
    return answered;
  }

  it('an answer to an outdated version is not given', async () => {
    const code = await editedMeanwhile(() =>
      errorCode(client.ask('textDocument/codeLens', { textDocument: { uri: URI } })),
    );
    assert.equal(code, LSPErrorCodes.ContentModified);
    const versions = client.published.map((p) => p.version);
    await client.diagnostics(URI);
    assert.ok(!versions.includes(1) || versions.indexOf(1) === 0);
  });

  it('a list of completions is, as one that has to be asked for again: typing goes on meanwhile', async () => {
    const line = SAXPY.slice(0, SAXPY.indexOf(OP)).split('\n').length - 1;
    const character = SAXPY.split('\n')[line]!.indexOf(OP) + 2;
    const list = await editedMeanwhile(() =>
      client.ask<CompletionList>('textDocument/completion', {
        textDocument: { uri: URI },
        position: { line, character },
      }),
    );
    assert.equal(list.isIncomplete, true);
    assert.ok(list.items.some((item) => item.label === OP));
  });

  it('replaces a worker that crashes, with the present text', async () => {
    let workers = 0;
    client = await TestClient.inMemory({
      createWorker: () => {
        const mine = ++workers;
        return createInThreadWorker({
          toWorker: (message, end) => {
            if (mine > 1 || message.kind !== 'request' || message.method !== 'textDocument/codeLens') return true;
            end('crash on purpose');
            return false;
          },
        });
      },
    });
    client.open(URI, SAXPY);
    client.edit(URI, 0, 0, '# one more line\n');
    assert.notEqual(await errorCode(client.ask('textDocument/codeLens', { textDocument: { uri: URI } })), 0);
    const lenses = await client.lenses(URI);
    assert.equal(workers, 2);
    const line = client
      .text(URI)
      .split('\n')
      .findIndex((l) => l.startsWith('name:'));
    assert.match(lenses[0]!, new RegExp(`^${line}: `));
    const status = await client.ask<{ restarts: number; lastError: string }>('amdgpuMir/status', {});
    assert.equal(status.restarts, 1);
    assert.match(status.lastError, /crash on purpose/);
  });

  it('replaces a worker that hangs', async () => {
    let workers = 0;
    client = await TestClient.inMemory({
      // Long enough that a busy machine is not taken for a hanging one.
      hangMs: 1500,
      createWorker: () => {
        const mine = ++workers;
        return createInThreadWorker({ toWorker: (message) => mine > 1 || message.kind !== 'request' });
      },
    });
    client.open(URI, SAXPY);
    assert.notEqual(await errorCode(client.ask('textDocument/codeLens', { textDocument: { uri: URI } })), 0);
    assert.match((await client.lenses(URI))[0]!, /occupancy/);
  });

  it('gives up on a worker that always crashes, and tries again when the text changes', async () => {
    let workers = 0;
    let broken = true;
    client = await TestClient.inMemory({
      createWorker: () => {
        workers++;
        return createInThreadWorker({
          toWorker: (message, end) => {
            if (!broken || message.kind !== 'open') return true;
            end('always');
            return false;
          },
        });
      },
    });
    client.open(URI, SAXPY);
    while (workers < 5) await client.read();
    for (let k = 0; k < 20; k++) await client.read();
    assert.equal(workers, 5);
    assert.notEqual(await errorCode(client.ask('textDocument/codeLens', { textDocument: { uri: URI } })), 0);
    broken = false;
    client.edit(URI, 0, 0, '\n');
    assert.match((await client.lenses(URI))[0]!, /occupancy/);
  });
});

describe('language server as a process', () => {
  const bundle = join(root, 'dist', 'server', 'lsp.js');

  before(function () {
    if (existsSync(bundle)) return;
    skip(this, 'dist/server/lsp.js is not built (npm run build)');
  });

  it('serves over stdio from its own thread and ends with 0', async () => {
    const client = await TestClient.spawn([process.execPath, bundle, '--stdio']);
    client.open(URI, SAXPY);
    assert.deepEqual(await client.diagnostics(URI), []);
    assert.match(await client.hover(URI, OP), /gfx90a wave64/);
    assert.equal(await client.shutdown(), 0);
  });

  for (const { name, command, skipUnlessBuilt } of BUILT_COMMANDS)
    it(`serves as \`amdgpu-mir lsp --stdio\`, ${name}`, async function () {
      skipUnlessBuilt.call(this);
      const client = await TestClient.spawn([...command, 'lsp', '--stdio']);
      client.open(URI, SAXPY);
      assert.match(await client.hover(URI, OP), /gfx90a wave64/);
      assert.equal(await client.shutdown(), 0);
    });

  it('ends with 1 when the client leaves without shutdown', async () => {
    const client = await TestClient.spawn([process.execPath, bundle, '--stdio']);
    const { child } = client as unknown as { child: import('node:child_process').ChildProcess };
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await client.connection.sendNotification('exit');
    assert.equal(await ended, 1);
    client.connection.dispose();
  });
});
