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

const NUMBERS = Array.from({ length: 45 }, (_, n) => n);

/** 45 values live at once in a function that may be called. */
const VALUES = `---
name: values
tracksRegLiveness: true
body: |
  bb.0:
${NUMBERS.map((n) => `    S_NOP 0, implicit-def %${n}:vgpr_32`).join('\n')}
${NUMBERS.map((n) => `    S_NOP 0, implicit %${n}`).join('\n')}
    S_SETPC_B64_return undef $sgpr30_sgpr31
...
`;

const refreshes = (client: TestClient): number =>
  client.refreshes.filter((r) => r === 'workspace/codeLens/refresh').length;

const allocated = async (client: TestClient): Promise<string> =>
  (await client.lenses(URI)).find((title) => title.includes('llc ends'))?.replace(/^\d+: /, '') ?? '';

describe('registers allocated in the background', () => {
  let client: TestClient;

  afterEach(() => client.shutdown());

  it('tells the editor when the lens has its numbers, also after an edit', async () => {
    client = await TestClient.inMemory({ settings: { target: { cpu: 'gfx900' } } });
    client.open(URI, TEXT);
    await client.until('refresh', () => (refreshes(client) > 0 ? true : undefined));
    assert.equal(await allocated(client), 'llc ends with VGPR 2, SGPR 4');
    const before = refreshes(client);
    client.replace(URI, 'implicit %2', 'implicit %2, implicit %1, implicit %0');
    await client.until('refresh', () => (refreshes(client) > before ? true : undefined));
    assert.equal(await allocated(client), 'llc ends with VGPR 3, SGPR 4');
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

  it('is compared with other costs of registers, also with a list of the user', async () => {
    client = await TestClient.inMemory({ settings: { target: { cpu: 'gfx900' } } });
    client.open(URI, VALUES);
    const params = { textDocument: { uri: URI }, position: { line: 6, character: 0 } };
    const ask = (costs?: unknown): Promise<string> =>
      client.connection.sendRequest<string>('amdgpuMir/compareCosts', {
        ...params,
        ...(costs === undefined ? {} : { costs }),
      });
    const rows = (text: string): string[] =>
      [...text.matchAll(/^ {2}([\w-]+ +\d+) /gm)].map((m) => m[1]!.replace(/ +/, ' '));
    const tables = ['llc 53', 'uniform 53', 'index 48', 'stripes 48', 'callee-saved 53'];
    assert.deepEqual(rows(await ask()), tables);
    assert.deepEqual(rows(await ask('v40-47:1,v48-255:2,*:0')), [...tables, 'own 48']);
    assert.deepEqual(rows(await ask('index')), ['llc 53', 'index 48']);
    assert.equal(await ask('v1:x'), "register costs: 'v1:x' is no cost: v40-47:1 is one\n");
    assert.equal(await ask('v1:256'), "register costs: 'v1:256': costs are 0 to 255\n");
    assert.equal(await ask('q7:1'), "register costs: 'q7:1' names no register\n");
    assert.equal(await ask(' '), 'register costs: no costs\n');
    await assert.rejects(ask(5), /costs/);
  });

  it('is compared with another version of its text, and under other options', async () => {
    client = await TestClient.inMemory({ settings: { target: { cpu: 'gfx900' } } });
    client.open(URI, VALUES);
    const ask = (params: object): Promise<string> =>
      client.connection.sendRequest<string>('amdgpuMir/compareVersions', { textDocument: { uri: URI }, ...params });
    const name = URI.slice(URI.lastIndexOf('/') + 1);
    const same = await ask({ other: { name: 'git HEAD', text: VALUES } });
    assert.equal(same, `git HEAD -> ${name}  (gfx900 wave64, LLVM 24.0.0git)\n\nthe function is the same\n`);
    const edited = await ask({ other: { name: 'git HEAD', text: VALUES.replace('bb.0:\n', '$&    S_NOP 1\n') } });
    assert.match(edited, /instructions of the text: 1 removed/);
    const option = await ask({ settings: ['-enable-misched=0'] });
    assert.match(option, new RegExp(`^${name} -> the same with -enable-misched=0 `));
    assert.match(await ask({ settings: ['-nonsense'] }), /^not compared: Unknown command line argument/);
    assert.match(await ask({ settings: ['attr:amdgpu-x=1'] }), /^not compared: llc asks for no attribute 'amdgpu-x'/);
    assert.match(
      await ask({ settings: ['attr:amdgpu-waves-per-eu=1,1'] }),
      /^not compared: there is no embedded module/,
    );
    assert.match(await ask({}), /nothing to compare it with/);
  });

  it('leaves it where the user does not want it', async () => {
    client = await TestClient.inMemory({ settings: { codeLens: { allocation: false } } });
    client.open(URI, TEXT);
    await client.diagnostics(URI);
    assert.equal(await allocated(client), '');
  });
});
