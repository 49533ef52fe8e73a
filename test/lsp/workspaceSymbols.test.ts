/** `workspace/symbol` over files that nobody opened: from the editor and from the disk, with progress, kept up to date. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkspaceSymbol } from 'vscode-languageserver-protocol';
import { TestClient, type ClientOptions } from '../support/lspClient.js';
import { skip } from '../support/skip.js';

const root = join(__dirname, '..', '..');
const mir = (name: string): string => `---\nname: ${name}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n`;

describe('symbols of the workspace', () => {
  let client: TestClient;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-symbols-'));
    mkdirSync(join(folder, 'sub', 'node_modules'), { recursive: true });
    writeFileSync(join(folder, 'a.mir'), mir('alpha'));
    writeFileSync(join(folder, 'sub', 'b.mir'), mir('beta'));
    writeFileSync(join(folder, 'sub', 'notes.txt'), mir('gamma'));
    writeFileSync(join(folder, 'sub', 'node_modules', 'c.mir'), mir('delta'));
  });
  afterEach(async () => {
    await client.shutdown();
    rmSync(folder, { recursive: true });
  });

  const names = async (query = ''): Promise<string[]> =>
    (await client.ask<WorkspaceSymbol[]>('workspace/symbol', { query })).map((s) => s.name);
  const untilNames = async (...wanted: string[]): Promise<void> => {
    for (;;) {
      const found = await names();
      if (found.join() === wanted.join()) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const watched = (name: string, type: 1 | 2 | 3): Promise<void> =>
    client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: pathToFileURL(join(folder, name)).href, type }],
    });

  it('come from the disk of a server of its own process, and follow changes', async function () {
    const bundle = join(root, 'dist', 'server', 'lsp.js');
    if (!existsSync(bundle)) skip(this, 'dist/server/lsp.js is not built (npm run build)');
    client = await TestClient.spawn([process.execPath, bundle, '--stdio'], {
      workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
    });
    await untilNames('alpha', 'beta');
    assert.deepEqual(await names('bt'), ['beta']);
    writeFileSync(join(folder, 'd.mir'), mir('epsilon'));
    await watched('d.mir', 1);
    await untilNames('alpha', 'beta', 'epsilon');
    writeFileSync(join(folder, 'a.mir'), mir('omega'));
    await watched('a.mir', 2);
    await untilNames('beta', 'epsilon', 'omega');
    rmSync(join(folder, 'd.mir'));
    await watched('d.mir', 3);
    await untilNames('beta', 'omega');
    // What is open is as it is in the editor.
    const uri = pathToFileURL(join(folder, 'a.mir')).href;
    client.open(uri, mir('typed'));
    assert.deepEqual(await names(), ['beta', 'typed']);
    client.close(uri);
    assert.deepEqual(await names(), ['beta', 'omega']);
  });

  const files: Record<string, string> = { 'memfs:/x/one.mir': mir('one'), 'memfs:/x/two.mir': mir('two') };
  const inEditor = (options: ClientOptions = {}): Promise<TestClient> =>
    TestClient.inMemory({
      capabilities: {
        experimental: { amdgpuMirFiles: true },
        window: { workDoneProgress: true },
        workspace: { configuration: options.settings !== undefined },
      },
      files,
      ...options,
    });

  it('come from an editor that gives files, with progress', async () => {
    client = await inEditor();
    const kinds: string[] = [];
    client.connection.onRequest('window/workDoneProgress/create', () => null);
    client.onProgress((p) => kinds.push((p as { value: { kind: string } }).value.kind));
    await untilNames('one', 'two');
    await client.until('end of the progress', () => (kinds.at(-1) === 'end' ? true : undefined));
    assert.deepEqual([kinds[0], kinds.at(-1)], ['begin', 'end']);
    assert.ok(kinds.includes('report'));
  });

  it('are none when the setting says so, and come when it changes', async () => {
    const settings = { workspaceSymbols: { enabled: false } };
    client = await inEditor({ settings });
    client.open('memfs:/x/one.mir', mir('opened'));
    assert.deepEqual(await names(), ['opened']);
    settings.workspaceSymbols.enabled = true;
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await untilNames('opened', 'two');
  });
});
