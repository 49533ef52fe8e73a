/** Hierarchies of calls and of blocks, whole: every range is what a search in the text finds. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Range } from 'vscode-languageserver-types';
import {
  provideIncomingCalls,
  provideOutgoingCalls,
  providePrepareCallHierarchy,
} from '../../../server/src/features/navigation/callHierarchy.js';
import {
  providePredecessors,
  providePrepareTypeHierarchy,
  provideSuccessors,
} from '../../../server/src/features/navigation/blockHierarchy.js';
import { openText, URI } from '../../support/cursor.js';

const TEXT = readFileSync(join(__dirname, '..', '..', 'fixtures', 'answers', 'lanes.mir'), 'utf8');

const { snapshot } = openText(TEXT);
const at = (range: Range): string =>
  `${range.start.line + 1} ${TEXT.slice(snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end))}`;
const inText = (offset: number) => ({ textDocument: { uri: URI }, position: snapshot.text.positionAt(offset) });
const lineOf = (word: string): number => TEXT.slice(0, TEXT.indexOf(word)).split('\n').length;
const documentOf = (name: string): string => {
  const from = TEXT.indexOf(`---\nname:            ${name}`);
  return TEXT.slice(from, TEXT.indexOf('\n...\n', from) + '\n...\n'.length);
};
const anyItem = { kind: 12, uri: URI, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } } };
const item = (name: string, detail?: string) => ({
  item: { ...anyItem, selectionRange: anyItem.range, name, ...(detail === undefined ? {} : { detail }) } as never,
});

describe('hierarchies', () => {
  it('of calls: who mentions whom in its body, and where', () => {
    const mentions = ['SI_PC_ADD_REL', 'SI_PC_ADD_REL', 'SI_CALL'].map((word) => `${lineOf(word)} @callee`);
    const [caller, ...none] = provideIncomingCalls(snapshot, item('callee'));
    assert.deepEqual(none, []);
    assert.deepEqual([caller!.from.name, caller!.fromRanges.map(at)], ['caller', mentions]);
    assert.equal(at(caller!.from.selectionRange), `${lineOf('name:            caller')} caller`);
    assert.equal(at(caller!.from.range), `${lineOf('name:            caller') - 1} ${documentOf('caller')}`);
    assert.equal(caller!.from.detail, undefined);
    const [callee, ...others] = provideOutgoingCalls(snapshot, item('caller'));
    assert.deepEqual(others, []);
    assert.deepEqual([callee!.to.name, callee!.fromRanges.map(at)], ['callee', mentions]);
    assert.equal(at(callee!.to.range), `${lineOf('name:            callee') - 1} ${documentOf('callee')}`);
    assert.deepEqual(provideOutgoingCalls(snapshot, item('callee')), []);
    assert.deepEqual(provideIncomingCalls(snapshot, item('caller')), []);
    assert.deepEqual(provideOutgoingCalls(snapshot, item('nobody')), []);
    const here = providePrepareCallHierarchy(snapshot, inText(TEXT.indexOf('@callee, csr_amdgpu') + 2));
    assert.deepEqual(
      here?.map((i) => i.name),
      ['callee'],
    );
  });

  it('of blocks: what comes before and after each, with its label and its lines', () => {
    const block = (label: string, next: string): string =>
      TEXT.slice(TEXT.indexOf(`  ${label}:\n`) + 2, TEXT.indexOf(next, TEXT.indexOf(`  ${label}:\n`)));
    const show = (items: readonly { name: string; detail?: string; range: Range; selectionRange: Range }[]): string[] =>
      items.map((i) => {
        assert.equal(i.detail, 'callee');
        assert.match(at(i.range), new RegExp(`^\\d+ ${i.name}:\n`));
        return `${i.name} ${at(i.selectionRange)}`;
      });
    const [one, two, zero] = ['bb.1', 'bb.2', 'bb.0'].map((b) => `${b} ${lineOf(`  ${b}:\n`)} ${b}:`);
    assert.deepEqual(show(provideSuccessors(snapshot, item('bb.0', 'callee'))), [one, two]);
    assert.deepEqual(show(provideSuccessors(snapshot, item('bb.1', 'callee'))), [two]);
    assert.deepEqual(show(provideSuccessors(snapshot, item('bb.2', 'callee'))), []);
    assert.deepEqual(show(providePredecessors(snapshot, item('bb.2', 'callee'))), [zero, one]);
    assert.deepEqual(show(providePredecessors(snapshot, item('bb.0', 'callee'))), []);
    for (const [name, fn] of [
      ['bb.7', 'callee'],
      ['bb.x', 'callee'],
      ['bb.0', 'nobody'],
      ['bb.0', undefined],
    ] as const)
      assert.deepEqual(provideSuccessors(snapshot, item(name, fn)), [], `${name} of ${fn}`);
    // On a name of a block it is that one, elsewhere in a body the block around.
    const prepared = (word: string): string[] | undefined =>
      providePrepareTypeHierarchy(snapshot, inText(TEXT.indexOf(word) + 1))?.map((i) => i.name);
    assert.deepEqual(prepared('%bb.2, implicit-def'), ['bb.2']);
    assert.deepEqual(prepared('V_ADD_U32_e32'), ['bb.1']);
    const [around] = providePrepareTypeHierarchy(snapshot, inText(TEXT.indexOf('V_ADD_U32_e32')))!;
    assert.equal(at(around!.range).split(' ').slice(1).join(' ').trimEnd(), block('bb.1', '  bb.2:\n').trimEnd());
  });
});
