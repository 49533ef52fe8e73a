/** RUN lines run while their author types: diagnostics, lenses and hovers of a real server over the protocol. */
import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import type { VerdictStatus } from '../../server/src/lsp/common/customRequests.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///test.mir';
const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none -o - %s | FileCheck %s
---
name:            add
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0
    ; CHECK-LABEL: name: add
    ; CHECK: [[A:%[0-9]+]]:vgpr_32 = COPY $vgpr0
    ; CHECK-NEXT: V_SUB_U32_e32 [[A]], [[A]], implicit $exec
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_ENDPGM 0, implicit %1
...
`;

const fileChecks = (diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  diagnostics.filter((d) => d.source === 'FileCheck');

/** Diagnostics as soon as they are what is waited for. */
const until = (client: TestClient, what: string, holds: (found: Diagnostic[]) => boolean): Promise<Diagnostic[]> =>
  client.until(what, () => {
    const last = client.published.filter((p) => p.uri === URI).at(-1);
    const found = fileChecks(last?.diagnostics ?? []);
    return last && holds(found) ? found : undefined;
  });

const verdicts = (client: TestClient): VerdictStatus[] =>
  client.notifications.filter((n) => n.method === 'amdgpuMir/verdict').map((n) => n.params as VerdictStatus);

describe('verdicts while typing', () => {
  it('show what fails, are stale after an edit, and go when it passes', async () => {
    const client = await TestClient.inMemory({ settings: {} });
    client.open(URI, TEXT);
    const [failed] = await until(client, 'a failing CHECK line', (f) => f.length === 1);
    assert.equal(failed?.range.start.line, 9);
    assert.equal(failed.severity, 1);
    assert.match(
      failed.message as string,
      /^CHECK-NEXT: expected string not found in input\nscanning from here \(line \d+\): /,
    );
    assert.ok((await client.lenses(URI)).includes('0: ✗ 1 of 3 CHECK lines fails'));
    assert.match(await client.hover(URI, '; CHECK: [[A'), /matches line \d+ of the output, `A = %0`/);
    assert.match(await client.hover(URI, '; CHECK-NEXT'), /✗ fails/);
    assert.deepEqual(verdicts(client).at(-1)?.checks, [
      { line: 7, state: 'matched' },
      { line: 8, state: 'matched' },
      { line: 9, state: 'failed' },
    ]);

    client.replace(URI, '---\n', '---\n\n');
    assert.ok((await client.lenses(URI)).includes('0: ~ 1 of 3 CHECK lines fails'));
    const stale = fileChecks(await client.diagnostics(URI));
    assert.deepEqual(
      stale.map((d) => [d.range.start.line, d.severity]),
      [[10, 3]],
    );
    await until(client, 'the next verdict', (f) => f[0]?.severity === 1 && f[0].range.start.line === 10);

    client.replace(URI, 'V_SUB_U32', 'V_ADD_U32');
    await until(client, 'a verdict without failure', (f) => f.length === 0);
    assert.ok((await client.lenses(URI)).includes('0: ✓ 3 CHECK lines match'));
    const output = await client.ask<string>('amdgpuMir/runOutput', {
      textDocument: { uri: URI },
      position: { line: 0, character: 0 },
    });
    assert.match(output, /V_ADD_U32_e32 %0, %0, implicit \$exec/);
    await client.shutdown();
  });

  it('come when they are asked for, where they are off', async () => {
    const client = await TestClient.inMemory({ settings: { checks: { whileTyping: false } } });
    client.open(URI, TEXT);
    const answer = await client.ask<{ runs: { verdict: string }[] }>('amdgpuMir/runLines', {
      textDocument: { uri: URI },
    });
    assert.deepEqual(
      answer.runs.map((r) => r.verdict),
      ['failed'],
    );
    assert.equal(verdicts(client).length, 1);
    const other = { uri: 'file:///other.mir', text: TEXT.replace('V_SUB', 'V_ADD') };
    const passed = await client.ask<{ runs: { verdict: string }[] }>('amdgpuMir/runTest', other);
    assert.deepEqual(
      passed.runs.map((r) => r.verdict),
      ['passed'],
    );
    await client.shutdown();
  });

  it('survive a worker that ends', async () => {
    let nWorkers = 0;
    const { createInThreadWorker } = await import('../support/inThreadWorker.js');
    const client = await TestClient.inMemory({
      settings: {},
      createWorker: () => {
        nWorkers++;
        return createInThreadWorker({
          toWorker: (message, end) => {
            const isFirst =
              message.kind === 'request' && message.method === 'textDocument/foldingRange' && nWorkers < 3;
            if (isFirst) end('killed');
            return !isFirst;
          },
        });
      },
    });
    client.open(URI, TEXT);
    await until(client, 'a failing CHECK line', (f) => f.length === 1);
    await client.ask('textDocument/foldingRange', { textDocument: { uri: URI } }).catch(() => undefined);
    assert.ok((await client.lenses(URI)).includes('0: ✗ 1 of 3 CHECK lines fails'));
    await client.shutdown();
  });
});
