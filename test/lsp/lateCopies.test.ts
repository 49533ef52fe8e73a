/** Copies to scalar registers that take longer to judge than the quick worker may: the patient one judges them, and the findings follow. */
import assert from 'node:assert/strict';
import type { FromWorker, ToWorker } from '../../server/src/lsp/common/messages.js';
import { copyFunction } from '../support/copyTexts.js';
import { createInThreadWorker } from '../support/inThreadWorker.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///copies.mir';

const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s\n${copyFunction('f', 1)}${copyFunction('g', 2)}`;

/** Lines (0-based) of the findings about copies, in what was published last. */
const linesOf = (client: TestClient): number[] =>
  (client.published.filter((p) => p.uri === URI).at(-1)?.diagnostics ?? [])
    .filter((d) => d.code === 'divergent-scalar')
    .map((d) => d.range.start.line);

describe('copies that take long to judge', () => {
  let client: TestClient;
  afterEach(() => client.shutdown());

  /** A server whose quick worker has no time at all. */
  const start = async (seen: (message: ToWorker | FromWorker) => void = () => undefined): Promise<void> => {
    const createWorker = (): ReturnType<typeof createInThreadWorker> =>
      createInThreadWorker(
        {
          toWorker: (message) => {
            seen(message);
            return true;
          },
          fromWorker: seen,
        },
        -1,
      );
    client = await TestClient.inMemory({ settings: {}, createWorker });
  };

  it('have their findings from the patient worker, after an edit of another function, too', async () => {
    const sent: string[] = [];
    await start((m) => sent.push(m.kind === 'late' ? m.found.kind : m.kind));
    client.open(URI, TEXT);
    await client.until('findings of both functions', () => (linesOf(client).length === 2 ? true : undefined));
    assert.deepEqual(linesOf(client), [10, 23]);
    assert.ok(sent.includes('lateCopies') && sent.includes('copies'));
    const before = sent.filter((kind) => kind === 'copies').length;
    client.replace(URI, 'S_ADD_I32 %3, 2', 'S_ADD_I32 %3, 3');
    await client.until('the new verdicts', () =>
      sent.filter((kind) => kind === 'copies').length > before && linesOf(client).length === 2 ? true : undefined,
    );
    client.replace(URI, 'name: f', '# a comment\nname: f');
    await client.until('findings a line further down', () => (linesOf(client)[1] === 24 ? true : undefined));
  });

  it('are not lost when an edit comes while they are judged', async () => {
    let asked = 0;
    await start((m) => {
      if (m.kind === 'request' && m.method === 'amdgpuMir/judgeCopies' && ++asked === 1)
        client.replace(URI, 'S_ADD_I32 %3, 1', 'S_ADD_I32 %3, 7');
    });
    client.open(URI, TEXT);
    await client.until('findings of both functions', () => (linesOf(client).length === 2 ? true : undefined));
    assert.ok(asked >= 2);
  });

  it('can be mended by the light bulb once they are known', async () => {
    await start();
    client.open(URI, TEXT);
    await client.until('findings', () => (linesOf(client).length === 2 ? true : undefined));
    const at = { line: 10, character: 8 };
    const actions = await client.ask<readonly { title: string }[]>('textDocument/codeAction', {
      textDocument: { uri: URI },
      range: { start: at, end: at },
      context: { diagnostics: [] },
    });
    assert.ok(
      actions.some((a) => a.title.startsWith('Move what reads this copy to vector registers')),
      JSON.stringify(actions),
    );
  });
});
