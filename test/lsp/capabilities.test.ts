/** What the server tells a client that it can do, what it takes from what the client can do, and whom it asks to ask again. */
import assert from 'node:assert/strict';
import type { Settings } from '../../server/src/program/settings.js';
import { createInThreadWorker } from '../support/inThreadWorker.js';
import { TestClient, type ClientOptions } from '../support/lspClient.js';

const URI = 'file:///folder/a.mir';
const TEXT = '---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0, nothing\n...\n';
const DOCUMENTATION = 'https://example.org/diagnostics.md';

describe('capabilities', () => {
  it('of the server are those of its features', async () => {
    const client = await TestClient.inMemory({ capabilities: {} });
    const { semanticTokensProvider, codeActionProvider, ...rest } = client.initializeResult.capabilities as Record<
      string,
      { legend?: unknown; codeActionKinds?: string[] }
    >;
    const { legend, ...tokens } = semanticTokensProvider!;
    assert.ok(legend);
    assert.deepEqual(tokens, { full: { delta: true }, range: true });
    assert.deepEqual(codeActionProvider, {
      codeActionKinds: [
        'quickfix',
        'refactor.rewrite',
        'refactor.extract.function',
        'source.fixAll.amdgpu-mir',
        'source.simplify.amdgpu-mir',
      ],
      resolveProvider: true,
    });
    assert.deepEqual(rest, {
      // Open and close, incremental changes, saved.
      textDocumentSync: { openClose: true, change: 2, save: true },
      hoverProvider: true,
      completionProvider: {
        triggerCharacters: ['%', '$', '@', ':', '.', '=', '-', '!', '('],
        resolveProvider: true,
      },
      inlayHintProvider: { resolveProvider: false },
      codeLensProvider: { resolveProvider: false },
      documentSymbolProvider: { label: 'AMDGPU MIR' },
      signatureHelpProvider: { triggerCharacters: [' ', ','], retriggerCharacters: [','] },
      documentFormattingProvider: true,
      documentRangeFormattingProvider: true,
      documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n', moreTriggerCharacter: [':', '}'] },
      linkedEditingRangeProvider: true,
      definitionProvider: true,
      declarationProvider: true,
      referencesProvider: true,
      documentHighlightProvider: true,
      foldingRangeProvider: true,
      selectionRangeProvider: true,
      documentLinkProvider: { resolveProvider: false },
      workspaceSymbolProvider: { resolveProvider: false },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      renameProvider: true,
      callHierarchyProvider: true,
      typeHierarchyProvider: true,
    });
    await client.shutdown();
  });

  /** The settings that the worker of such a client is started with. */
  async function settingsFor(options: ClientOptions): Promise<Settings> {
    let settings: Settings | null = null;
    const client = await TestClient.inMemory({
      documentation: DOCUMENTATION,
      createWorker: () =>
        createInThreadWorker({
          toWorker: (message) => {
            if (message.kind === 'start') settings = message.settings;
            return true;
          },
        }),
      ...options,
    });
    client.open(URI, TEXT);
    await client.symbols(URI);
    await client.shutdown();
    return settings!;
  }

  const fields = ({ documentation, createsFiles, snippets, replacesWords, commandLinks }: Settings) => ({
    documentation,
    createsFiles,
    snippets,
    replacesWords,
    commandLinks,
  });
  const NOTHING = {
    documentation: '',
    createsFiles: false,
    snippets: false,
    replacesWords: false,
    commandLinks: false,
  };
  const cases: readonly (readonly [string, object, object])[] = [
    ['nothing', {}, {}],
    [
      'links of diagnostics that are pushed',
      { textDocument: { publishDiagnostics: { codeDescriptionSupport: true } } },
      { documentation: DOCUMENTATION },
    ],
    [
      'links of diagnostics that are asked for',
      { textDocument: { diagnostic: { codeDescriptionSupport: true } } },
      { documentation: DOCUMENTATION },
    ],
    ['no links', { textDocument: { publishDiagnostics: { codeDescriptionSupport: false } } }, {}],
    [
      'files that edits make',
      { workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['rename', 'create'] } } },
      { createsFiles: true },
    ],
    [
      'files that edits rename',
      { workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['rename'] } } },
      {},
    ],
    ['files without versions', { workspace: { workspaceEdit: { resourceOperations: ['create'] } } }, {}],
    ['versions without files', { workspace: { workspaceEdit: { documentChanges: true } } }, {}],
    ['snippets', { textDocument: { completion: { completionItem: { snippetSupport: true } } } }, { snippets: true }],
    [
      'words to replace',
      { textDocument: { completion: { completionItem: { insertReplaceSupport: true } } } },
      { replacesWords: true },
    ],
    ['our commands', { experimental: { amdgpuMirCommands: true } }, { commandLinks: true }],
    ['completion without items', { textDocument: { completion: {} } }, {}],
    ['a workspace without anything', { workspace: {} }, {}],
    ['edits of a workspace without anything', { workspace: { workspaceEdit: {} } }, {}],
    ['something like our commands', { experimental: { amdgpuMirCommands: 1 } }, {}],
  ];
  for (const [name, capabilities, expected] of cases)
    it(`of a client reach the analysis: ${name}`, async () => {
      assert.deepEqual(fields(await settingsFor({ capabilities })), { ...NOTHING, ...expected });
    });

  it('of a client without answer to a request for settings do not stop the work', async () => {
    const client = await TestClient.inMemory({ capabilities: { workspace: { configuration: true } } });
    client.connection.onRequest('workspace/configuration', () => new Promise(() => undefined));
    client.open(URI, TEXT);
    assert.equal((await client.diagnostics(URI)).length, 1);
    await client.shutdown();
  });

  it('of a client that refuses a request for settings leave the defaults, with a warning', async () => {
    const client = await TestClient.inMemory({ capabilities: { workspace: { configuration: true } } });
    client.connection.onRequest('workspace/configuration', () => Promise.reject(new Error('no')));
    client.open(URI, TEXT);
    assert.equal((await client.diagnostics(URI)).length, 1);
    await client.shutdown();
  });

  it('decide who is asked to ask again', async () => {
    const asked: string[] = [];
    const sessions = ['inlayHint', 'codeLens', null] as const;
    for (const what of sessions) {
      const client = await TestClient.inMemory({
        capabilities: what === null ? {} : { workspace: { [what]: { refreshSupport: true } } },
      });
      client.open(URI, TEXT);
      await client.connection.sendNotification('amdgpuMir/selectTarget', { uri: URI, index: 0 });
      await client.read();
      await client.symbols(URI);
      if (what !== null) await client.until('a request', () => client.refreshes[0]);
      asked.push([...new Set(client.refreshes)].join());
      await client.shutdown();
    }
    assert.deepEqual(asked, ['workspace/inlayHint/refresh', 'workspace/codeLens/refresh', '']);
  });

  it('of a client that is told: diagnostics go with their document', async () => {
    const client = await TestClient.inMemory({ capabilities: {} });
    client.open(URI, TEXT);
    assert.equal((await client.diagnostics(URI)).length, 1);
    client.close(URI);
    const last = await client.until('no diagnostics', () => client.published.find((p) => p.version === undefined));
    assert.deepEqual(last, { uri: URI, diagnostics: [] });
    await client.shutdown();
  });
});
