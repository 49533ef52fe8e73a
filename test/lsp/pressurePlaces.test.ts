/** Why, peaks, pressure by lines and dependences over the protocol; settings that take effect at once. */
import assert from 'node:assert/strict';
import type { DependencesResult } from '../../server/src/features/schedule/dependences.js';
import type { PeaksResult } from '../../server/src/features/pressure/peaks.js';
import type { PressureLines } from '../../server/src/features/pressure/pressureLines.js';
import type { WhyResult } from '../../server/src/features/pressure/whyResult.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///folder/a.mir';
const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0, $vgpr1
    %a:vgpr_32 = COPY $vgpr0
    %b:vgpr_32 = COPY $vgpr1
    %c:vgpr_32 = V_ADD_U32_e32 %a, %b, implicit $exec
    %d:vgpr_32 = V_ADD_U32_e32 %c, %a, implicit $exec
    S_ENDPGM 0, implicit %d
...
`;

describe('places of pressure over the protocol', () => {
  let client!: TestClient;
  afterEach(async () => {
    await client.shutdown();
  });
  const start = async (settings: object = {}, experimental: object = {}): Promise<void> => {
    client = await TestClient.inMemory({
      settings,
      capabilities: {
        workspace: { configuration: true, codeLens: { refreshSupport: true } },
        experimental,
      },
    });
    client.open(URI, TEXT);
  };
  const at = (line: number): object => ({ textDocument: { uri: URI }, position: { line, character: 4 } });

  it('why: groups, sums and report', async () => {
    await start();
    const why = await client.ask<WhyResult>('amdgpuMir/why', at(9));
    assert.deepEqual(
      why.banks.map((b) => [b.bank, b.pressure, b.groups.map((g) => [g.kind, g.weight])]),
      [['VGPR', 2, [['soon', 2]]]],
    );
    assert.match(why.report, /^VGPR 2 at line 10 \(bb\.0:2 of @f\)\n/);
  });

  it('why: the hover has a link for clients that say so', async () => {
    await start({}, { amdgpuMirCommands: true });
    assert.match(await client.hover(URI, 'V_ADD'), /\[why\]\(command:amdgpu-mir\.whyPressure\?/);
  });

  it('peaks of the functions of some lines', async () => {
    await start();
    const ask = async (fromLine: number, toLine: number): Promise<string[]> => {
      const params = { textDocument: { uri: URI }, fromLine, toLine };
      return (await client.ask<PeaksResult>('amdgpuMir/peaks', params)).functions.map((f) => f.function);
    };
    const all = await ask(0, 1000);
    const { functions } = await client.ask<PeaksResult>('amdgpuMir/peaks', { textDocument: { uri: URI } });
    assert.deepEqual(
      all,
      functions.map((f) => f.function),
    );
    const [first] = functions;
    assert.deepEqual(await ask(first!.firstLine, first!.firstLine), all.slice(0, 1));
    assert.deepEqual(await ask(0, -1), []);
  });

  it('peaks of all functions', async () => {
    await start();
    const { functions } = await client.ask<PeaksResult>('amdgpuMir/peaks', { textDocument: { uri: URI } });
    const [found] = functions;
    assert.equal(found?.function, 'f');
    const line = found.banks[0]?.peaks[0]?.position.line;
    assert.equal(line, 8);
  });

  it('pressure by lines', async () => {
    await start();
    const range = { start: { line: 7, character: 0 }, end: { line: 9, character: 0 } };
    const found = await client.ask<PressureLines>('amdgpuMir/pressureLines', { textDocument: { uri: URI }, range });
    assert.deepEqual(
      [found.line, found.vgpr],
      [
        [7, 8, 9],
        [1, 2, 2],
      ],
    );
  });

  it('dependences', async () => {
    await start();
    const found = await client.ask<DependencesResult>('amdgpuMir/dependences', at(9));
    assert.deepEqual(
      found.predecessors.map((d) => [d.range?.start.line, d.kind, d.register]),
      [
        [8, 'Data', '%b'],
        [7, 'Data', '%a'],
      ],
    );
    assert.deepEqual(
      found.successors.map((d) => [d.range?.start.line, d.kind, d.register]),
      [[10, 'Data', '%c']],
    );
  });

  it('a document that is not open has none', async () => {
    await start();
    const other = { textDocument: { uri: 'file:///other.mir' }, position: { line: 0, character: 0 } };
    for (const method of ['amdgpuMir/why', 'amdgpuMir/peaks', 'amdgpuMir/dependences'])
      assert.equal(await client.ask(method, other), null);
  });

  it('the lens above blocks comes and goes with its setting', async () => {
    const settings = { codeLens: { blocks: false, allocation: false } };
    await start(settings);
    const ofBlocks = async (): Promise<string[]> => (await client.lenses(URI)).filter((l) => l.includes('live-in'));
    assert.deepEqual(await ofBlocks(), []);
    settings.codeLens.blocks = true;
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await client.until('a refresh', () => (client.refreshes.length > 0 ? true : undefined));
    assert.deepEqual(await ofBlocks(), ['5: at entry, before live-ins: nothing']);
  });
});
