/** What an editor shows after undo is what it showed before the edit, from the first diagnostics on, though some of it takes long to find out. */
import assert from 'node:assert/strict';
import type { Diagnostic } from 'vscode-languageserver-protocol';
import { copyFunction } from '../support/copyTexts.js';
import { createInThreadWorker } from '../support/inThreadWorker.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///undone.mir';

const COPIES = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s\n${copyFunction('f')}${copyFunction('g')}`;
const CHECKS = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none -o - %s | FileCheck %s
---
name:            add
body:             |
  bb.0:
    ; CHECK-LABEL: name: add
    ; CHECK: S_NOP 1
    S_NOP 0
    S_ENDPGM 0
...
`;

describe('diagnostics after undo', () => {
  let client: TestClient;
  afterEach(() => client.shutdown());

  /** The last diagnostics, as soon as `holds`. */
  const until = (what: string, holds: (found: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]> =>
    client.until(what, () => {
      const last = client.published.filter((p) => p.uri === URI).at(-1);
      return last && holds(last.diagnostics) ? last.diagnostics : undefined;
    });
  const hasCopies =
    (...lines: number[]) =>
    (found: readonly Diagnostic[]): boolean =>
      found
        .filter((d) => d.code === 'divergent-scalar')
        .map((d) => d.range.start.line)
        .join() === lines.join();
  const failsAt =
    (line: number) =>
    (found: readonly Diagnostic[]): boolean =>
      found.some((d) => d.code === 'check-failed' && d.severity === 1 && d.range.start.line === line);

  it('have the findings about copies that take long to judge', async () => {
    // The quick worker has no time at all.
    client = await TestClient.inMemory({ settings: {}, createWorker: () => createInThreadWorker({}, -1) });
    client.open(URI, COPIES);
    const before = await until('findings of both functions', hasCopies(10, 23));
    client.replace(URI, 'S_ADD_I32 %3, 1,', 'S_ADD_I32 %3, 12,');
    await client.diagnostics(URI);
    client.replace(URI, 'S_ADD_I32 %3, 12,', 'S_ADD_I32 %3, 123,');
    client.replace(URI, 'name: f', '# a comment\nname: f');
    await until('those of the edited text', hasCopies(11, 24));
    client.replace(URI, '# a comment\nname: f', 'name: f');
    client.replace(URI, 'S_ADD_I32 %3, 123,', 'S_ADD_I32 %3, 1,');
    assert.deepEqual(await client.diagnostics(URI), before);
  });

  it('have what the RUN lines came to, at once or after verdicts on other texts', async () => {
    client = await TestClient.inMemory({ settings: {} });
    client.open(URI, CHECKS);
    const before = await until('a CHECK line that fails', failsAt(6));
    client.replace(URI, '---\n', '---\n\n');
    client.replace(URI, '---\n\n', '---\n');
    assert.deepEqual(await client.diagnostics(URI), before);
    assert.ok((await client.lenses(URI)).includes('0: ✗ 1 of 2 CHECK lines fails'));
    client.replace(URI, 'S_NOP 0', 'S_NOP 1');
    await until('that it passes', (found) => found.length === 0);
    client.replace(URI, '    S_NOP 1\n', '    S_NOP 0\n');
    assert.deepEqual(await client.diagnostics(URI), before);
    client.replace(URI, '    S_NOP 0\n', '    S_NOP 2\n');
    const [stale] = await client.diagnostics(URI);
    assert.equal(stale?.severity, 3);
  });
});
