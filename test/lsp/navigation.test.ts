/** The requests of navigation, colouring and repair over the protocol: one test for each capability. */
import assert from 'node:assert/strict';
import type {
  CodeAction,
  DocumentHighlight,
  DocumentLink,
  Location,
  SelectionRange,
  WorkspaceEdit,
} from 'vscode-languageserver-types';
import { TestClient } from '../support/lspClient.js';
import { SMALL_TEST } from '../support/mir.js';

const URI = 'file:///folder/a.mir';

describe('features over the protocol', () => {
  let client: TestClient;
  beforeEach(async () => {
    client = await TestClient.inMemory();
    client.open(URI, SMALL_TEST);
  });
  afterEach(() => client.shutdown());

  const textDocument = { uri: URI };
  const position = { line: 9, character: 32 };
  const can = (provider: string): unknown =>
    (client.initializeResult.capabilities as Record<string, unknown>)[provider];

  for (const method of ['definition', 'declaration'])
    it(method, async () => {
      assert.equal(can(`${method}Provider`), true);
      const found = await client.ask<Location[]>(`textDocument/${method}`, { textDocument, position });
      assert.deepEqual(found, [
        { uri: URI, range: { start: { line: 8, character: 4 }, end: { line: 8, character: 6 } } },
      ]);
    });

  it('references', async () => {
    assert.equal(can('referencesProvider'), true);
    const context = { includeDeclaration: true };
    const found = await client.ask<Location[]>('textDocument/references', { textDocument, position, context });
    assert.deepEqual(
      found.map((l) => l.range.start),
      [
        { line: 8, character: 4 },
        { line: 9, character: 31 },
        { line: 9, character: 35 },
      ],
    );
  });

  it('document highlight', async () => {
    assert.equal(can('documentHighlightProvider'), true);
    const found = await client.ask<DocumentHighlight[]>('textDocument/documentHighlight', { textDocument, position });
    assert.deepEqual(
      found.map((h) => h.kind),
      [3, 2, 2],
    );
  });

  it('semantic tokens: full, range and delta', async () => {
    const provider = can('semanticTokensProvider') as {
      full: unknown;
      range: boolean;
      legend: { tokenTypes: string[] };
    };
    assert.deepEqual(provider.full, { delta: true });
    assert.equal(provider.range, true);
    type Tokens = { resultId: string; data: number[] };
    const full = await client.ask<Tokens>('textDocument/semanticTokens/full', { textDocument });
    // `COPY` in line 9 is the sixth token.
    assert.equal(provider.legend.tokenTypes[full.data[5 * 5 + 3]!], 'opcode');
    const range = { start: { line: 8, character: 0 }, end: { line: 9, character: 0 } };
    const part = await client.ask<Tokens>('textDocument/semanticTokens/range', { textDocument, range });
    assert.equal(part.data.length, 4 * 5);
    client.replace(URI, 'S_ENDPGM 0,', 'S_ENDPGM 1,');
    const same = { textDocument, previousResultId: full.resultId };
    const delta = await client.ask<{ edits: unknown[] }>('textDocument/semanticTokens/full/delta', same);
    assert.deepEqual(delta.edits, []);
  });

  it('folding ranges', async () => {
    assert.equal(can('foldingRangeProvider'), true);
    const found = await client.ask<{ startLine: number; endLine: number }[]>('textDocument/foldingRange', {
      textDocument,
    });
    assert.ok(found.some((r) => r.startLine === 5 && r.endLine === 10));
  });

  it('selection ranges', async () => {
    assert.equal(can('selectionRangeProvider'), true);
    const positions = [position];
    const [found] = await client.ask<SelectionRange[]>('textDocument/selectionRange', { textDocument, positions });
    assert.equal(found!.range.start.line, 9);
    assert.ok(found!.parent?.parent);
  });

  it('document links', async () => {
    assert.deepEqual(can('documentLinkProvider'), { resolveProvider: false });
    client.replace(URI, '%s', '%S/b.mir');
    const [found] = await client.ask<DocumentLink[]>('textDocument/documentLink', { textDocument });
    assert.equal(found!.target, 'file:///folder/b.mir');
  });

  it('code actions', async () => {
    assert.deepEqual(can('codeActionProvider'), {
      codeActionKinds: [
        'quickfix',
        'refactor.rewrite',
        'refactor.extract.function',
        'source.fixAll.amdgpu-mir',
        'source.simplify.amdgpu-mir',
      ],
      resolveProvider: true,
    });
    client.replace(URI, 'V_ADD_U32_e32', 'V_AD_U32_e32');
    const [diagnostic] = await client.diagnostics(URI);
    const params = { textDocument, range: diagnostic!.range, context: { diagnostics: [diagnostic!] } };
    const [action] = await client.ask<CodeAction[]>('textDocument/codeAction', params);
    assert.equal(action!.title, "Change to 'V_ADD_U32_e32'");
    const [edit] = action!.edit!.changes![URI]!;
    client.replace(URI, 'V_AD_U32_e32', edit!.newText);
    assert.deepEqual(await client.diagnostics(URI), []);
  });

  it('rename, and the reason where it is refused', async () => {
    assert.deepEqual(can('renameProvider'), { prepareProvider: true });
    const prepared = await client.ask<{ placeholder: string }>('textDocument/prepareRename', {
      textDocument,
      position,
    });
    assert.equal(prepared.placeholder, '0');
    const params = { textDocument, position, newName: 'sum' };
    const edit = await client.ask<WorkspaceEdit>('textDocument/rename', params);
    assert.equal(edit.changes![URI]!.length, 3);
    await assert.rejects(
      client.ask('textDocument/rename', { ...params, newName: '1' }),
      /%1 exists in this function already/,
    );
  });
});
