/** The requests that help to write, over the protocol. */
import assert from 'node:assert/strict';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CodeAction,
  CompletionItem,
  CompletionList,
  MarkupContent,
  Range,
  SignatureHelp,
  TextEdit,
} from 'vscode-languageserver-types';
import { TestClient } from '../support/lspClient.js';
import { SMALL_TEST } from '../support/mir.js';

const URI = 'file:///folder/a.mir';

const CALLS = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
--- |
  @data = addrspace(1) global i32 0
  declare void @far()
...
---
name:            callee
body:             |
  bb.0:
    S_NOP 0 :: (load (s32) from @data, addrspace 1)
    S_ENDPGM 0
...
---
name:            caller
body:             |
  bb.0:
    %0:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @callee, 0, implicit-def dead $scc
    %1:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @far, target-flags(amdgpu-rel32-hi) @far, implicit-def dead $scc
    S_ENDPGM 0
...
`;

const textDocument = { uri: URI };
const SNIPPETS = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };

describe('writing over the protocol', () => {
  const clients: TestClient[] = [];
  const start = async (capabilities: object = {}): Promise<TestClient> => {
    const client = await TestClient.inMemory({ capabilities });
    clients.push(client);
    client.open(URI, SMALL_TEST);
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

  it('signature help', async () => {
    const client = await start();
    assert.ok(client.initializeResult.capabilities.signatureHelpProvider);
    const position = { line: 9, character: 36 };
    const help = await client.ask<SignatureHelp>('textDocument/signatureHelp', { textDocument, position });
    assert.equal(help.signatures[0]!.label, 'vdst:vgpr_32 = V_ADD_U32_e32 src0:vs_32, src1:vgpr_32, implicit $exec');
    assert.equal(help.activeParameter, 2);
  });

  it('formatting of the document, of a range, and while typing', async () => {
    const client = await start();
    client.replace(URI, 'name:            small', 'name: small');
    client.replace(URI, '    %1:vgpr_32 = V_ADD', '  %1:vgpr_32  =  V_ADD');
    const options = { tabSize: 2, insertSpaces: true };
    const all = await client.ask<TextEdit[]>('textDocument/formatting', { textDocument, options });
    assert.deepEqual(
      all.map((e) => [e.range.start.line, e.newText]),
      [
        [2, ':            '],
        [9, '    '],
        [9, ' '],
        [9, ' '],
      ],
    );
    const range = { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } };
    const part = await client.ask<TextEdit[]>('textDocument/rangeFormatting', { textDocument, range, options });
    assert.equal(part.length, 1);
    client.replace(URI, '    S_ENDPGM 0', '    bb.1:\n    S_ENDPGM 0');
    const typed = { textDocument, position: { line: 10, character: 9 }, ch: ':', options };
    const [label] = await client.ask<TextEdit[]>('textDocument/onTypeFormatting', typed);
    assert.equal(label!.newText, '  ');
  });

  it('what Enter goes on with keeps to its own place, also where the next word is typed at once', async () => {
    const client = await start();
    client.replace(URI, '---\n', '# RUN: llc -mtriple=amdgcn -run-pass=none -o - %s | FileCheck %s\n---\n');
    client.replace(URI, '    S_ENDPGM 0', '    ; CHECK-NEXT: S_NOP\n    \n    S_ENDPGM 0');
    const at = client.text(URI).split('\n').indexOf('    ; CHECK-NEXT: S_NOP') + 1;
    const typed = {
      textDocument,
      position: { line: at, character: 4 },
      ch: '\n',
      options: { tabSize: 2, insertSpaces: true },
    };
    const early = client.ask<TextEdit[]>('textDocument/onTypeFormatting', typed);
    client.replace(URI, 'S_NOP\n    \n', 'S_NOP\n    S_END\n');
    await assert.rejects(early, /the document has changed/);
    // Asked again for the same place, as the client does.
    const edits = await client.ask<TextEdit[]>('textDocument/onTypeFormatting', typed);
    const range = { start: { line: at, character: 0 }, end: { line: at, character: 4 } };
    assert.deepEqual(edits, [{ range, newText: '    ; CHECK-NEXT: ' }]);
  });

  it('linked editing of a register', async () => {
    const client = await start();
    const position = { line: 8, character: 5 };
    const linked = await client.ask<{ ranges: Range[] }>('textDocument/linkedEditingRange', { textDocument, position });
    assert.deepEqual(
      linked.ranges.map((r) => [r.start.line, r.start.character, r.end.character]),
      [
        [8, 5, 6],
        [9, 32, 33],
        [9, 36, 37],
      ],
    );
  });

  it('findings of all targets, fixes that say for which they hold, and the command that makes a test smaller', async () => {
    const client = await start();
    const run = (cpu: string): string => `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none -o - %s\n`;
    const two = (wrong: string): string =>
      `${run('gfx906')}${run('gfx1100')}---\nname:            f\nalignment:       1\nbody:             |\n  bb.0:\n    liveins: $sgpr0, $sgpr1\n${wrong}    S_ENDPGM 0\n...\n`;
    const document = { uri: 'file:///folder/targets.mir' };
    client.open(
      document.uri,
      two('    %2:vgpr_32 = V_ADD_F32_e64 0, $sgpr0, 0, $sgpr1, 0, 0, implicit $mode, implicit $exec\n'),
    );
    const diagnostics = await client.diagnostics(document.uri);
    assert.deepEqual(
      diagnostics.map((d) => String(d.message).split('\n')[0]),
      ['only on gfx906: VOP* instruction violates constant bus restriction'],
    );
    const actionsAt = (uri: string, line: number, only: string[]): Promise<CodeAction[]> =>
      client.ask('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: { line, character: 20 }, end: { line, character: 20 } },
        context: { diagnostics: [], only, triggerKind: 1 },
      });
    const missing = 'file:///folder/missing.mir';
    client.open(missing, two('    %2:vgpr_32 = V_MOV_B32_e32 0\n'));
    const [fix] = await actionsAt(missing, 8, ['quickfix']);
    assert.equal(fix!.title, 'Add implicit $exec (all 2 targets)');
    const small = 'file:///folder/small.mir';
    client.open(small, two(''));
    const [simplified] = await actionsAt(small, 3, ['source.simplify.amdgpu-mir']);
    assert.equal(simplified!.title, 'Simplify the test: no default keys');
    assert.deepEqual(simplified!.edit!.changes![small], [
      { range: { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } }, newText: '' },
    ]);
  });

  it('call hierarchy', async () => {
    const client = await start();
    assert.equal(client.initializeResult.capabilities.callHierarchyProvider, true);
    client.open('file:///folder/calls.mir', CALLS);
    const document = { uri: 'file:///folder/calls.mir' };
    const at = {
      textDocument: document,
      position: { line: CALLS.split('\n').indexOf('name:            caller'), character: 18 },
    };
    const [caller] = await client.ask<CallHierarchyItem[]>('textDocument/prepareCallHierarchy', at);
    assert.equal(caller!.name, 'caller');
    const outgoing = await client.ask<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item: caller });
    assert.deepEqual(
      outgoing.map((c) => [c.to.name, c.to.detail, c.fromRanges.length]),
      [
        ['callee', undefined, 1],
        ['far', 'declared in the IR', 2],
      ],
    );
    const item = outgoing[0]!.to;
    const incoming = await client.ask<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item });
    assert.deepEqual(
      incoming.map((c) => c.from.name),
      ['caller'],
    );
    assert.deepEqual(await client.ask('callHierarchy/outgoingCalls', { item }), []);
  });
});
