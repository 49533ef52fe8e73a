/** `workspace/symbol` over files that nobody opened: from the editor and from the disk, with progress, kept up to date. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ResponseError, type WorkspaceSymbol } from 'vscode-languageserver-protocol';
import { diskFiles } from '../../server/src/lsp/node/diskFiles.js';
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
    // A test that is skipped has none.
    await (client as TestClient | undefined)?.shutdown();
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

  async function followDisk(): Promise<void> {
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
  }

  const workspaceFolders = (): NonNullable<ClientOptions['workspaceFolders']> => [
    { uri: pathToFileURL(folder).href, name: 'w' },
  ];

  it('come from the disk of a server of its own process, and follow changes', async function () {
    const bundle = join(root, 'dist', 'server', 'lsp.js');
    if (!existsSync(bundle)) skip(this, 'dist/server/lsp.js is not built (npm run build)');
    client = await TestClient.spawn([process.execPath, bundle, '--stdio'], { workspaceFolders: workspaceFolders() });
    await followDisk();
  });

  it('come from the disk of a server in this process, and follow changes', async () => {
    client = await TestClient.inMemory({ disk: diskFiles, workspaceFolders: workspaceFolders() });
    await followDisk();
  });

  it('follow the folders of the workspace', async () => {
    const registered: unknown[] = [];
    client = await TestClient.inMemory({
      disk: diskFiles,
      workspaceFolders: [{ uri: pathToFileURL(join(folder, 'sub')).href, name: 'sub' }],
      capabilities: { workspace: { workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } } },
      onRegister: (params) => registered.push(params),
    });
    await untilNames('beta');
    const change = (added: string[], removed: string[]): Promise<void> => {
      const of = (names: string[]): object[] =>
        names.map((name) => ({ uri: pathToFileURL(join(folder, name)).href, name }));
      return client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
        event: { added: of(added), removed: of(removed) },
      });
    };
    mkdirSync(join(folder, 'new'));
    writeFileSync(join(folder, 'new', 'e.mir'), mir('eta'));
    await change(['new'], []);
    await untilNames('beta', 'eta');
    await change([], ['sub']);
    await untilNames('eta');
    // A file that is no MIR is not read, whoever says that it changed.
    await watched('sub/notes.txt', 2);
    await watched('a.mir', 1);
    await untilNames('alpha', 'eta');
    const watchers = (registered as { registrations: { method: string; registerOptions: unknown }[] }[])
      .flatMap((r) => r.registrations)
      .filter((r) => r.method === 'workspace/didChangeWatchedFiles');
    assert.deepEqual(
      watchers.map((r) => r.registerOptions),
      [{ watchers: [{ globPattern: '**/*.mir' }] }],
    );
  });

  for (const [named, params] of [
    ['rootUri', { rootUri: true }],
    ['folders, and what is none', { workspaceFolders: [null, {}, { uri: 3 }] }],
  ] as const)
    it(`take a workspace by ${named}`, async () => {
      const rootUri = 'rootUri' in params ? pathToFileURL(folder).href : null;
      client = await TestClient.inMemory({
        disk: diskFiles,
        rootUri,
        ...('workspaceFolders' in params ? { workspaceFolders: params.workspaceFolders as never } : {}),
      });
      client.open('file:///open.mir', mir('opened'));
      await untilNames(...(rootUri === null ? ['opened'] : ['alpha', 'beta', 'opened']));
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

  it('come from an editor that refuses to show progress', async () => {
    client = await inEditor();
    client.connection.onRequest('window/workDoneProgress/create', () => new ResponseError(-32603, 'no'));
    await untilNames('one', 'two');
  });

  it('show no progress to an editor without', async () => {
    let asked = 0;
    client = await inEditor({ capabilities: { experimental: { amdgpuMirFiles: true } } });
    client.connection.onRequest('window/workDoneProgress/create', () => void asked++);
    await untilNames('one', 'two');
    assert.equal(asked, 0);
  });

  it('tells where files cannot be listed', async () => {
    client = await TestClient.inMemory({
      disk: { list: () => Promise.reject(new Error('gone')), read: () => Promise.resolve(null) },
    });
    const { message } = await client.until(
      'the warning',
      () =>
        client.notifications.find((n) => n.method === 'window/logMessage')?.params as { message: string } | undefined,
    );
    assert.equal(message, 'the MIR files of the workspace could not be listed: Error: gone');
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
