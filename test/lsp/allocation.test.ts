/** Registers are allocated in the background after a pause, and the editor is told that lenses have more to say. */
import assert from 'node:assert/strict';
import type { PressureProfile } from '../../server/src/features/pressure/profileData.js';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///allocated.mir';

const TEXT = `---
name: sum
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:vgpr_32 = V_ADD_U32_e32 %0, %1, implicit $exec
    S_ENDPGM 0, implicit %2
...
`;

const refreshes = (client: TestClient): number =>
  client.refreshes.filter((r) => r === 'workspace/codeLens/refresh').length;

const allocated = async (client: TestClient): Promise<string> =>
  (await client.lenses(URI)).find((title) => title.includes('allocated'))?.replace(/^\d+: /, '') ?? '';

describe('registers allocated in the background', () => {
  let client: TestClient;

  afterEach(() => client.shutdown());

  it('tells the editor when the lens has its numbers, also after an edit', async () => {
    client = await TestClient.inMemory({ settings: { target: { cpu: 'gfx900' } } });
    client.open(URI, TEXT);
    await client.until('refresh', () => (refreshes(client) > 0 ? true : undefined));
    assert.equal(await allocated(client), 'allocated: VGPR 2 (2 of 24), no spills: occupancy 10');
    const before = refreshes(client);
    client.replace(URI, 'implicit %2', 'implicit %2, implicit %1, implicit %0');
    await client.until('refresh', () => (refreshes(client) > before ? true : undefined));
    assert.equal(await allocated(client), 'allocated: VGPR 3 (3 of 24), no spills: occupancy 10');
  });

  it('is beside the live values in the pressure view', async () => {
    client = await TestClient.inMemory({ settings: { target: { cpu: 'gfx900' } } });
    client.open(URI, TEXT);
    const params = { textDocument: { uri: URI }, position: { line: 8, character: 6 } };
    const profile = await client.connection.sendRequest<PressureProfile>('amdgpuMir/pressureProfile', params);
    assert.deepEqual(
      profile.allocated.map(({ name, reach, used }) => [name, reach, used]),
      [['VGPR', [2, 2, 2, 1], [2, 2, 2, 1]]],
    );
  });

  it('leaves it where the user does not want it', async () => {
    client = await TestClient.inMemory({ settings: { codeLens: { allocation: false } } });
    client.open(URI, TEXT);
    await client.diagnostics(URI);
    assert.equal(await allocated(client), '');
  });
});
