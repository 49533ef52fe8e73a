/** Clients that take less than VS Code does: what one has not announced is not sent to it, and nothing that it says is lost. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  CodeAction,
  Command,
  CompletionItem,
  CompletionList,
  DocumentSymbol,
  Hover,
  MarkupContent,
  SignatureHelp,
  SymbolInformation,
  WorkspaceEdit,
} from 'vscode-languageserver-types';
import { TestClient } from '../support/lspClient.js';
import { SMALL_TEST } from '../support/mir.js';

const URI = 'file:///folder/a.mir';
const textDocument = { uri: URI };
const position = { line: 9, character: 32 };

/** What VS Code announces of the things below. */
const MODERN = {
  completion: { completionItem: { labelDetailsSupport: true, documentationFormat: ['markdown', 'plaintext'] } },
  signatureHelp: { signatureInformation: { parameterInformation: { labelOffsetSupport: true } } },
  documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  hover: { contentFormat: ['markdown', 'plaintext'] },
  rename: { prepareSupport: true },
};
const PLAIN = {
  completion: { completionItem: { documentationFormat: ['plaintext'] } },
  hover: { contentFormat: ['plaintext'] },
};

describe('clients that take less', () => {
  const clients: TestClient[] = [];
  const start = async (capabilities: object): Promise<TestClient> => {
    const client = await TestClient.inMemory({ capabilities });
    clients.push(client);
    client.open(URI, SMALL_TEST);
    return client;
  };
  const listFor = async (client: TestClient): Promise<CompletionItem[]> =>
    (await client.ask<CompletionList>('textDocument/completion', { textDocument, position })).items;
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.shutdown();
  });

  it('without details of labels: class and liveness stand in the detail', async () => {
    const modern = await listFor(await start({ textDocument: MODERN }));
    const old = await listFor(await start({}));
    assert.equal(modern[0]!.label, '%0');
    assert.equal(modern[0]!.labelDetails?.description, 'vgpr_32');
    assert.equal(modern[0]!.detail, undefined);
    assert.equal(old[0]!.detail, 'the line above, not read yet · vgpr_32');
    assert.ok(old.every((i) => i.labelDetails === undefined));
    assert.deepEqual(
      old.map((i) => i.detail ?? ''),
      modern.map(({ labelDetails: l }) => [l?.detail?.trim(), l?.description].filter((w) => w).join(' · ')),
    );
  });

  it('in the middle of a word: what follows of it stays, or goes where the user wants that', async () => {
    const inWord = { textDocument, position: { line: 9, character: 23 } };
    const start9 = { line: 9, character: 17 };
    const first = async (capabilities: object): Promise<CompletionItem> => {
      const client = await start(capabilities);
      return (await client.ask<CompletionList>('textDocument/completion', inWord)).items[0]!;
    };
    const old = await first({});
    assert.deepEqual(old.textEdit, { newText: old.label, range: { start: start9, end: inWord.position } });
    const modern = await first({ textDocument: { completion: { completionItem: { insertReplaceSupport: true } } } });
    assert.deepEqual(modern.textEdit, {
      newText: old.label,
      insert: { start: start9, end: inWord.position },
      replace: { start: start9, end: { line: 9, character: 17 + 'V_ADD_U32_e32'.length } },
    });
  });

  it('without Markdown: the same words without markup', async () => {
    const modern = await start({ textDocument: MODERN });
    const plain = await start({ textDocument: PLAIN });
    const ask = async (client: TestClient): Promise<MarkupContent> =>
      (await client.ask<Hover>('textDocument/hover', { textDocument, position: { line: 9, character: 20 } }))
        .contents as MarkupContent;
    assert.match((await ask(modern)).value, /\*\*V\\?_ADD|\*\*`V_ADD/);
    const { kind, value } = await ask(plain);
    assert.equal(kind, 'plaintext');
    assert.match(value, /^V_ADD_U32_e32/);
    assert.doesNotMatch(value, /[*`\\]|\]\(|---/);
    const documentation = async (client: TestClient): Promise<MarkupContent> => {
      const [first] = await listFor(client);
      return (await client.ask<CompletionItem>('completionItem/resolve', first!)).documentation as MarkupContent;
    };
    assert.equal((await documentation(modern)).kind, 'markdown');
    assert.equal((await documentation(plain)).kind, 'plaintext');
  });

  it('without places in labels: a parameter is a part of the text', async () => {
    const ask = async (client: TestClient): Promise<SignatureHelp> =>
      client.ask<SignatureHelp>('textDocument/signatureHelp', { textDocument, position });
    const modern = (await ask(await start({ textDocument: MODERN }))).signatures[0]!;
    const old = (await ask(await start({}))).signatures[0]!;
    assert.deepEqual(
      old.parameters!.map((p) => p.label),
      modern.parameters!.map((p) => modern.label.slice(...(p.label as [number, number]))),
    );
    assert.equal(old.parameters![1]!.label, 'src0:vs_32');
  });

  it('after the last parameter: none is active, for those who know that', async () => {
    const behind = { textDocument, position: { line: 10, character: 26 } };
    const activeFor = async (signatureInformation: object): Promise<unknown> => {
      const client = await start({ textDocument: { signatureHelp: { signatureInformation } } });
      return (await client.ask<SignatureHelp>('textDocument/signatureHelp', behind)).activeParameter;
    };
    assert.equal(await activeFor({ noActiveParameterSupport: true }), null);
    assert.equal(await activeFor({}), 1);
  });

  it('without trees of symbols: a list', async () => {
    const modern = await start({ textDocument: MODERN });
    const tree = await modern.ask<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
    assert.deepEqual(
      tree.map((s) => [s.name, s.children!.map((c) => c.name)]),
      [['small', ['bb.0']]],
    );
    const old = await start({});
    const list = await old.ask<SymbolInformation[]>('textDocument/documentSymbol', { textDocument });
    assert.deepEqual(
      list.map((s) => [s.name, s.containerName, s.location.uri, s.location.range]),
      [
        ['small', undefined, URI, tree[0]!.range],
        ['bb.0', 'small', URI, tree[0]!.children![0]!.range],
      ],
    );
  });

  it('without preparation of renames, and with other ideas of the default', async () => {
    const old = await start({});
    assert.equal(old.initializeResult.capabilities.renameProvider, true);
    const edit = await old.ask<WorkspaceEdit>('textDocument/rename', { textDocument, position, newName: 'sum' });
    assert.deepEqual([Object.keys(edit), edit.changes![URI]!.length], [['changes'], 3]);
    const helix = await start({ textDocument: { rename: { prepareSupport: true, prepareSupportDefaultBehavior: 1 } } });
    assert.deepEqual(helix.initializeResult.capabilities.renameProvider, { prepareProvider: true });
    const prepared = await helix.ask<object>('textDocument/prepareRename', { textDocument, position });
    assert.deepEqual(Object.keys(prepared), ['range', 'placeholder']);
    const nothing = { textDocument, position: { line: 4, character: 1 } };
    assert.equal(await helix.ask('textDocument/prepareRename', nothing), null);
  });

  it('with other position encodings: the one that every client takes', async () => {
    const encodingFor = async (positionEncodings?: string[]): Promise<string | undefined> => {
      const { capabilities } = (await start(positionEncodings ? { general: { positionEncodings } } : {}))
        .initializeResult;
      return capabilities.positionEncoding;
    };
    assert.equal(await encodingFor(), undefined);
    assert.equal(await encodingFor(['utf-16']), 'utf-16');
    assert.equal(await encodingFor(['utf-8', 'utf-32', 'utf-16']), 'utf-16');
  });

  it('our own notifications, of which editors that do not know them warn', async () => {
    for (const [experimental, expected] of [
      [undefined, []],
      [{ amdgpuMirCommands: true }, []],
      [{ amdgpuMirStatus: 'yes' }, []],
      [{ amdgpuMirStatus: true }, ['amdgpuMir/document', 'amdgpuMir/verdict']],
    ] as const) {
      const client = await start(experimental === undefined ? {} : { experimental });
      const tested = 'file:///folder/tested.mir';
      client.open(tested, SMALL_TEST.replace('%s', '-o - %s | FileCheck %s\n# CHECK: name: small'));
      // The verdict is in the lenses when it has been told.
      while (!(await client.lenses(tested)).some((title) => title.includes('1 CHECK line matches'))) await delay(20);
      const ours = client.notifications.map((n) => n.method).filter((method) => method.startsWith('amdgpuMir/'));
      assert.deepEqual([...new Set(ours)].sort(), expected);
    }
  });

  it('with commands only: the server has the edit applied', async () => {
    const client = await start({ workspace: { applyEdit: true } });
    const { executeCommandProvider } = client.initializeResult.capabilities;
    const range = { start: { line: 2, character: 18 }, end: { line: 2, character: 18 } };
    const params = { textDocument, range, context: { diagnostics: [] } };
    const commands = await client.ask<Command[]>('textDocument/codeAction', params);
    const [first] = commands.filter((c) => c.title.startsWith('Simplify: names'));
    assert.deepEqual(executeCommandProvider?.commands, [first!.command]);
    assert.ok(commands.every((c) => Object.keys(c).join() === 'title,command,arguments'));
    const applied: WorkspaceEdit[] = [];
    client.connection.onRequest('workspace/applyEdit', ({ edit }: { edit: WorkspaceEdit }) => {
      applied.push(edit);
      return { applied: true };
    });
    assert.equal(await client.ask('workspace/executeCommand', first!), null);
    assert.match(JSON.stringify(applied), /"newText":"copy"|%copy/);
    await assert.rejects(client.ask('workspace/executeCommand', { command: 'rm' }), /does not know the command rm/);
    const modern = { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } } };
    const other = await start({ workspace: { applyEdit: true }, textDocument: modern });
    assert.equal(other.initializeResult.capabilities.executeCommandProvider, undefined);
    assert.ok((await other.ask<CodeAction[]>('textDocument/codeAction', params)).every((a) => a.edit !== undefined));
  });

  it('without resolution of actions: the edits are in the answer', async () => {
    const client = await start({});
    const range = { start: { line: 2, character: 18 }, end: { line: 2, character: 18 } };
    const params = { textDocument, range, context: { diagnostics: [] } };
    const actions = await client.ask<CodeAction[]>('textDocument/codeAction', params);
    assert.ok(actions.length > 0);
    assert.ok(actions.every((a) => a.edit?.changes !== undefined && a.edit.documentChanges === undefined));
  });
});
