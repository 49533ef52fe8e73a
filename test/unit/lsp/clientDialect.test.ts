/** What clients that take less are sent instead. */
import assert from 'node:assert/strict';
import type { ClientCapabilities } from 'vscode-languageserver';
import { inDialectOf } from '../../../server/src/lsp/common/clientDialect.js';

const URI = 'file:///a.mir';
const of = (textDocument: ClientCapabilities['textDocument'], method: string, result: unknown): unknown =>
  inDialectOf(textDocument === undefined ? {} : { textDocument }, `textDocument/${method}`, URI, result);
const md = (value: string): object => ({ kind: 'markdown', value });
const plain = (value: string): object => ({ kind: 'plaintext', value });

describe('answers in the words of the client', () => {
  it('of other methods, and none, stay the same object', () => {
    const result = { a: 1 };
    for (const method of ['references', 'rename', 'inlayHint']) assert.equal(of({}, method, result), result);
    for (const method of ['completion', 'hover', 'signatureHelp', 'documentSymbol'])
      assert.equal(of({}, method, null), null);
  });

  it('completion: what stands after a label moves to the detail', () => {
    const list = {
      isIncomplete: true,
      items: [
        { label: 'a', labelDetails: { detail: ' vgpr_32', description: 'live' }, sortText: '1' },
        { label: 'b', labelDetails: { description: 'live' } },
        { label: 'c', labelDetails: { detail: '  ' } },
        { label: 'd', labelDetails: {} },
        { label: 'e', detail: 'kept' },
      ],
    };
    const expected = {
      isIncomplete: true,
      items: [
        { label: 'a', sortText: '1', detail: 'vgpr_32 · live' },
        { label: 'b', detail: 'live' },
        { label: 'c' },
        { label: 'd' },
        { label: 'e', detail: 'kept' },
      ],
    };
    for (const client of [undefined, {}, { completion: {} }, { completion: { completionItem: {} } }])
      assert.deepEqual(of(client, 'completion', list), expected);
    assert.deepEqual(
      of({ completion: { completionItem: { labelDetailsSupport: false } } }, 'completion', list),
      expected,
    );
    assert.equal(of({ completion: { completionItem: { labelDetailsSupport: true } } }, 'completion', list), list);
  });

  it('Markdown only for those who name it, or name nothing', () => {
    const hover = { contents: md('**8** waves of `10`'), range: null };
    const item = { label: 'x', documentation: md('a *b*') };
    const resolve = (client: ClientCapabilities, result: object): unknown =>
      inDialectOf(client, 'completionItem/resolve', URI, result);
    const formats = (documentationFormat?: ('markdown' | 'plaintext')[]): ClientCapabilities => ({
      textDocument: { completion: { completionItem: { ...(documentationFormat && { documentationFormat }) } } },
    });
    for (const contentFormat of [['markdown'], ['plaintext', 'markdown']] as ('markdown' | 'plaintext')[][]) {
      assert.equal(of({ hover: { contentFormat } }, 'hover', hover), hover);
      assert.equal(resolve(formats(contentFormat), item), item);
    }
    for (const client of [undefined, {}, { hover: {} }]) assert.equal(of(client, 'hover', hover), hover);
    for (const client of [{}, { textDocument: {} }, { textDocument: { completion: {} } }, formats()])
      assert.equal(resolve(client, item), item);
    for (const contentFormat of [['plaintext'], []] as 'plaintext'[][]) {
      assert.deepEqual(of({ hover: { contentFormat } }, 'hover', hover), {
        contents: plain('8 waves of 10'),
        range: null,
      });
      assert.deepEqual(resolve(formats(contentFormat), item), { label: 'x', documentation: plain('a b') });
    }
    const withoutMarkup = { label: 'x', documentation: '**y**' };
    assert.equal(resolve(formats(['plaintext']), withoutMarkup), withoutMarkup);
    const none = { label: 'x' };
    assert.equal(resolve(formats(['plaintext']), none), none);
  });

  it('signatures: places in the label, or its words; none is active after the last', () => {
    const signature = (...parameters: object[]): object => ({ label: 'V_MOV vdst, src', parameters });
    const help = (activeParameter: number | undefined, ...signatures: object[]): object => ({
      signatures,
      activeSignature: 0,
      ...(activeParameter === undefined ? {} : { activeParameter }),
    });
    const client = (
      labelOffsetSupport: boolean,
      noActiveParameterSupport: boolean,
    ): ClientCapabilities['textDocument'] => ({
      signatureHelp: {
        signatureInformation: { parameterInformation: { labelOffsetSupport }, noActiveParameterSupport },
      },
    });
    const byPlace = signature({ label: [6, 10], documentation: 'd' }, { label: [12, 15] });
    const byWord = signature({ label: 'vdst', documentation: 'd' }, { label: 'src' });
    for (const active of [0, 1]) {
      const given = help(active, byPlace);
      assert.equal(of(client(true, true), 'signatureHelp', given), given);
      assert.equal(of(client(true, false), 'signatureHelp', given), given);
      for (const c of [client(false, true), client(false, false), undefined, {}, { signatureHelp: {} }])
        assert.deepEqual(of(c, 'signatureHelp', given), help(active, byWord));
    }
    for (const active of [2, 5]) {
      const given = help(active, byPlace);
      const none = { ...given, activeParameter: null };
      assert.deepEqual(of(client(true, true), 'signatureHelp', given), none);
      assert.equal(of(client(true, false), 'signatureHelp', given), given);
      assert.deepEqual(of(client(false, true), 'signatureHelp', given), {
        ...help(active, byWord),
        activeParameter: null,
      });
    }
    // without parameters, and without signatures, the first is after the last
    const bare = { signatures: [{ label: 'S_NOP' }], activeSignature: 0 };
    assert.deepEqual(of(client(true, true), 'signatureHelp', bare), { ...bare, activeParameter: null });
    assert.deepEqual(of({}, 'signatureHelp', bare), {
      signatures: [{ label: 'S_NOP', parameters: [] }],
      activeSignature: 0,
    });
    const empty = { signatures: [] };
    assert.deepEqual(of(client(true, true), 'signatureHelp', empty), { signatures: [], activeParameter: null });
    // named already
    assert.deepEqual(of({}, 'signatureHelp', help(0, byWord)), help(0, byWord));
  });

  it('symbols: a tree, or a list in which each says what it is in', () => {
    const range = (line: number): object => ({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
    const symbol = (name: string, line: number, children?: object[]): object => ({
      name,
      kind: 12,
      range: range(line),
      selectionRange: range(line),
      ...(children === undefined ? {} : { children }),
    });
    const tree = [symbol('f', 0, [symbol('bb.0', 1, [symbol('%0', 2)]), symbol('bb.1', 3)]), symbol('g', 5, [])];
    const entry = (name: string, line: number, containerName?: string): object => ({
      name,
      kind: 12,
      location: { uri: URI, range: range(line) },
      ...(containerName === undefined ? {} : { containerName }),
    });
    const list = [entry('f', 0), entry('bb.0', 1, 'f'), entry('%0', 2, 'bb.0'), entry('bb.1', 3, 'f'), entry('g', 5)];
    for (const client of [undefined, {}, { documentSymbol: {} }])
      assert.deepEqual(of(client, 'documentSymbol', tree), list);
    assert.equal(of({ documentSymbol: { hierarchicalDocumentSymbolSupport: true } }, 'documentSymbol', tree), tree);
  });
});
