/** A server that is shut down leaves nothing after: no timer keeps its process alive, whatever it was about to do. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestClient, type ClientOptions } from '../support/lspClient.js';

const SAXPY = readFileSync(join(__dirname, '..', '..', 'examples', 'saxpy.mir'), 'utf8');
const URI = 'file:///folder/a.mir';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Timers that keep this process alive: mocha's and those of the servers in it. */
const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

const WITH_WORKSPACE: ClientOptions = {
  capabilities: { workspace: { configuration: true }, experimental: { amdgpuMirFiles: true } },
  settings: {},
  workspaceFolders: [{ uri: 'file:///work', name: 'work' }],
  files: { [URI]: SAXPY, 'file:///folder/b.mir': SAXPY },
};

const MOMENTS: [string, ClientOptions, (client: TestClient) => unknown][] = [
  ['at once', {}, () => null],
  ['when a workspace waits to be listed', WITH_WORKSPACE, (client) => client.ask('amdgpuMir/status', {})],
  ['while settings are on their way', WITH_WORKSPACE, () => null],
  ['when diagnostics are due', {}, (client) => client.open(URI, SAXPY)],
  [
    'after an edit',
    {},
    async (client) => {
      client.open(URI, SAXPY);
      await client.diagnostics(URI);
      client.edit(URI, 0, 0, '\n');
    },
  ],
  [
    'while a question is open',
    {},
    (client) => {
      client.open(URI, SAXPY);
      client.hover(URI, 'V_PK_FMA_F32').catch(() => null);
    },
  ],
];

describe('a server that is shut down', () => {
  for (const [name, options, before] of MOMENTS)
    it(`leaves no timer: ${name}`, async () => {
      // Mocha sets its own timer after the call of this function.
      await turn();
      const start = timers();
      const client = await TestClient.inMemory(options);
      await before(client);
      await client.shutdown();
      // What was under way between the threads comes in, and finds nobody.
      for (let k = 0; k < 20; k++) await turn();
      assert.equal(timers(), start);
    });
});
