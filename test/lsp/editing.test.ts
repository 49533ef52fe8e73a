/** The requests that help to write, over the protocol. */
import assert from 'node:assert/strict';
import type { CompletionItem, CompletionList, MarkupContent, TextEdit } from 'vscode-languageserver-types';
import { TestClient } from '../support/lspClient.js';

const URI = 'file:///folder/a.mir';
const SMALL = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            small
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    S_ENDPGM 0, implicit %1
...
`;

const textDocument = { uri: URI };
const SNIPPETS = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };

describe('writing over the protocol', () => {
  const clients: TestClient[] = [];
  const start = async (capabilities: object = {}): Promise<TestClient> => {
    const client = await TestClient.inMemory({ capabilities });
    clients.push(client);
    client.open(URI, SMALL);
    return client;
  };
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.shutdown();
  });

  it('completion of a word that was just typed, and its documentation', async () => {
    const client = await start(SNIPPETS);
    const { completionProvider } = client.initializeResult.capabilities;
    assert.equal(completionProvider?.resolveProvider, true);
    client.replace(URI, 'V_ADD_U32_e32 %0, %0, implicit $exec', 'V_ADD_U32');
    const position = { line: 9, character: 26 };
    const list = await client.ask<CompletionList>('textDocument/completion', { textDocument, position });
    const [first] = list.items;
    assert.equal(first!.label, 'V_ADD_U32_e32');
    const { newText, range } = first!.textEdit as TextEdit;
    assert.equal(newText, 'V_ADD_U32_e32 ${1:src0}, ${2:src1}, implicit \\$exec$0');
    assert.deepEqual(range.start, { line: 9, character: 17 });
    const resolved = await client.ask<CompletionItem>('completionItem/resolve', first!);
    assert.match((resolved.documentation as MarkupContent).value, /src0 vs\\?_32 or constant/);
  });

  it('without stops for a client that does not know them', async () => {
    const client = await start();
    client.replace(URI, 'V_ADD_U32_e32 %0, %0, implicit $exec', 'V_ADD_U32');
    const position = { line: 9, character: 26 };
    const { items } = await client.ask<CompletionList>('textDocument/completion', { textDocument, position });
    assert.equal((items[0]!.textEdit as TextEdit).newText, 'V_ADD_U32_e32');
    assert.ok(items.every((i) => i.insertTextFormat === undefined && i.command === undefined));
  });

  it("another server's item stays as it is", async () => {
    const client = await start();
    const item = { label: 'theirs', data: { textDocument, other: 1 } };
    const resolved = await client.ask<CompletionItem>('completionItem/resolve', item);
    assert.equal(resolved.label, 'theirs');
  });
});
