/** Diagnostics that the editor asks for (`textDocument/diagnostic`): result ids, versions, settings, workers that end. */
import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { createInThreadWorker } from '../support/inThreadWorker.js';
import { TestClient, type ClientOptions } from '../support/lspClient.js';

const URI = 'file:///folder/a.mir';
const GOOD = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            small
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    S_ENDPGM 0, implicit %0
...
`;
const BROKEN = GOOD.replace('COPY', 'COPPY');

type Report = { kind: string; resultId: string; items?: Diagnostic[] };

describe('diagnostics on request', () => {
  let client: TestClient;
  afterEach(() => client.shutdown());

  const start = async (options: ClientOptions = {}): Promise<TestClient> =>
    (client = await TestClient.inMemory({
      capabilities: {
        textDocument: { diagnostic: {}, publishDiagnostics: { codeDescriptionSupport: true } },
        workspace: { diagnostics: { refreshSupport: true }, configuration: options.settings !== undefined },
      },
      documentation: 'file:///docs/diagnostics.md',
      ...options,
    }));

  const pull = (previousResultId?: string): Promise<Report> =>
    client.ask<Report>('textDocument/diagnostic', {
      textDocument: { uri: URI },
      ...(previousResultId === undefined ? {} : { previousResultId }),
    });

  it('are offered to those who ask and pushed to the others', async () => {
    await start();
    assert.deepEqual(client.initializeResult.capabilities.diagnosticProvider, {
      identifier: 'amdgpu-mir',
      interFileDependencies: false,
      workspaceDiagnostics: false,
    });
    client.open(URI, BROKEN);
    assert.equal((await pull()).items?.length, 1);
    assert.deepEqual(client.published, []);
    await client.shutdown();
    client = await TestClient.inMemory();
    assert.equal(client.initializeResult.capabilities.diagnosticProvider, undefined);
    client.open(URI, BROKEN);
    assert.equal((await client.diagnostics(URI)).length, 1);
  });

  it('come once: the same findings are unchanged, whatever the version', async () => {
    await start();
    client.open(URI, BROKEN);
    const first = await pull();
    assert.equal(first.kind, 'full');
    assert.equal(first.items?.[0]?.code, 'unknown-opcode');
    assert.equal(first.items[0].codeDescription?.href, 'file:///docs/diagnostics.md#unknown-opcode');
    assert.deepEqual(await pull(first.resultId), { kind: 'unchanged', resultId: first.resultId });
    client.replace(URI, 'S_ENDPGM 0, implicit %0', 'S_ENDPGM 1, implicit %0');
    assert.deepEqual(await pull(first.resultId), { kind: 'unchanged', resultId: first.resultId });
    client.replace(URI, 'COPPY', 'COPY');
    const mended = await pull(first.resultId);
    assert.deepEqual(mended.items, []);
    assert.notEqual(mended.resultId, first.resultId);
  });

  it('are those of the text as it is when the answer comes', async () => {
    await start();
    client.open(URI, BROKEN);
    const early = pull();
    client.replace(URI, 'COPPY', 'COPY');
    assert.deepEqual((await early).items, []);
  });

  it('are asked for again when the settings change them', async () => {
    const settings = { diagnostics: { pressure: false } };
    await start({ settings });
    const many = Array.from(
      { length: 30 },
      (_, i) => `    %${i + 1}:vgpr_32 = V_MOV_B32_e32 ${i}, implicit $exec\n`,
    ).join('');
    const uses = Array.from({ length: 30 }, (_, i) => `, implicit %${i + 1}`).join('');
    client.open(URI, GOOD.replace('    S_ENDPGM 0', `${many}    S_ENDPGM 0${uses}`));
    assert.deepEqual((await pull()).items, []);
    settings.diagnostics.pressure = true;
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await client.until('refresh', () => (client.refreshes.includes('workspace/diagnostic/refresh') ? true : undefined));
    assert.equal((await pull()).items?.[0]?.code, 'limits-occupancy');
  });

  it('of a file that is not open, or closed meanwhile, are none', async () => {
    await start();
    assert.deepEqual((await pull()).items, []);
    client.open(URI, BROKEN);
    const waiting = pull();
    client.close(URI);
    assert.deepEqual((await waiting).items, []);
  });

  it('survive a worker that ends', async () => {
    let workers = 0;
    await start({
      createWorker: () => {
        const mine = ++workers;
        return createInThreadWorker({
          toWorker: (message, end) => {
            if (mine > 1 || message.kind !== 'open') return true;
            end('crash on purpose');
            return false;
          },
        });
      },
    });
    client.open(URI, BROKEN);
    assert.equal((await pull()).items?.length, 1);
    assert.equal(workers, 2);
  });

  it('end with an error when the analysis is given up', async () => {
    await start({
      createWorker: () =>
        createInThreadWorker({
          toWorker: (message, end) => {
            if (message.kind !== 'open') return true;
            end('always');
            return false;
          },
        }),
    });
    client.open(URI, BROKEN);
    await assert.rejects(pull(), /always/);
  });

  for (const when of ['at once', 'while it waits'])
    it(`can be cancelled ${when}`, async () => {
      await start({ createWorker: () => createInThreadWorker({ toWorker: (m) => m.kind !== 'open' }) });
      client.open(URI, BROKEN);
      const { CancellationTokenSource } = await import('vscode-languageserver-protocol');
      const source = new CancellationTokenSource();
      const params = { textDocument: { uri: URI } };
      const waiting = client.connection.sendRequest('textDocument/diagnostic', params, source.token);
      // The question has reached the server when a later one is answered.
      if (when !== 'at once')
        await client.ask('textDocument/diagnostic', { textDocument: { uri: 'file:///none.mir' } });
      source.cancel();
      await assert.rejects(waiting, /cancelled/);
    });
});
