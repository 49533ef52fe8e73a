/** Hierarchies of calls and blocks where names are declared only, stand in other documents, or are like others. */
import assert from 'node:assert/strict';
import {
  provideIncomingCalls,
  provideOutgoingCalls,
  providePrepareCallHierarchy,
} from '../../../../server/src/features/navigation/callHierarchy.js';
import {
  providePredecessors,
  providePrepareTypeHierarchy,
  provideSuccessors,
} from '../../../../server/src/features/navigation/blockHierarchy.js';
import { openText, URI } from '../../../support/cursor.js';

const TEXT = `--- |
  @data = internal addrspace(3) global i32 poison
  declare void @ext()
  define void @leaf() {
    ret void
  }
  define void @root() {
  first:
    br label %second
  second:
    ret void
  }
...
---
name: leaf
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: root
body: |
  bb.0.first:
    successors: %bb.10, %bb.1

    $sgpr4_sgpr5 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @ext, target-flags(amdgpu-rel32-hi) @ext, implicit-def $scc
    $sgpr6 = S_MOV_B32 @data
    $sgpr30_sgpr31 = SI_CALL $sgpr4_sgpr5, @leaf, csr_amdgpu
    S_CBRANCH_SCC1 %bb.10, implicit $scc

  bb.1.second:
    successors: %bb.10

    $sgpr30_sgpr31 = SI_CALL $sgpr4_sgpr5, @root, csr_amdgpu

  bb.10:
    successors: %bb.10
    S_BRANCH %bb.10
...
`;

const { snapshot, text } = openText(TEXT);
const at = (word: string, from = 0) => {
  const offset = text.indexOf(word, from);
  assert.ok(offset >= 0, word);
  return { textDocument: { uri: URI }, position: snapshot.text.positionAt(offset + 1) };
};
const show = ({ range }: { range: { start: object; end: object } }): string =>
  text.slice(snapshot.text.offsetAt(range.start as never), snapshot.text.offsetAt(range.end as never));
const item = (name: string, detail?: string): never =>
  ({ item: detail === undefined ? { name } : { name, detail } }) as never;

describe('calls', () => {
  it('go to functions of the file, to declared ones and to the function itself, never to data', () => {
    const calls = provideOutgoingCalls(snapshot, item('root'));
    assert.deepEqual(
      calls.map(({ to, fromRanges }) => [to.name, to.detail, fromRanges.map((range) => show({ range }))]),
      [
        ['ext', 'declared in the IR', ['@ext', '@ext']],
        ['leaf', undefined, ['@leaf']],
        ['root', undefined, ['@root']],
      ],
    );
    assert.deepEqual(
      calls.map(({ to }) => show({ range: to.selectionRange })),
      ['@ext', 'leaf', 'root'],
    );
    assert.equal(show({ range: calls[0]!.to.range }), '@ext');
    assert.match(show({ range: calls[1]!.to.range }), /^---\nname: leaf\n[^]*\.\.\.\n$/);
  });

  it('come from the functions that mention the name', () => {
    for (const [name, ranges] of [
      ['ext', ['@ext', '@ext']],
      ['leaf', ['@leaf']],
      ['root', ['@root']],
    ] as const)
      assert.deepEqual(
        provideIncomingCalls(snapshot, item(name)).map((c) => [
          c.from.name,
          c.fromRanges.map((range) => show({ range })),
        ]),
        [['root', ranges]],
      );
    assert.deepEqual(provideIncomingCalls(snapshot, item('data')), []);
    assert.deepEqual(provideOutgoingCalls(snapshot, item('ext')), []);
  });

  it('are asked for on a name, else for the function around', () => {
    const names = (word: string): string[] | undefined =>
      providePrepareCallHierarchy(snapshot, at(word))?.map((i) => i.name);
    assert.deepEqual(names('@ext, target'), ['ext']);
    assert.deepEqual(names('@leaf, csr'), ['leaf']);
    assert.deepEqual(names('S_CBRANCH'), ['root']);
    assert.deepEqual(names('S_ENDPGM'), ['leaf']);
    assert.deepEqual(names('@data\n'), undefined);
  });
});

describe('blocks', () => {
  const names = (items: readonly { name: string }[]): string[] => items.map((i) => i.name);

  it('are those of their number, with their names', () => {
    assert.deepEqual(names(provideSuccessors(snapshot, item('bb.0', 'root'))), ['bb.10', 'bb.1.second']);
    assert.deepEqual(names(provideSuccessors(snapshot, item('bb.0.first', 'root'))), ['bb.10', 'bb.1.second']);
    assert.deepEqual(names(provideSuccessors(snapshot, item('bb.1', 'root'))), ['bb.10']);
    assert.deepEqual(names(provideSuccessors(snapshot, item('bb.10', 'root'))), ['bb.10']);
    assert.deepEqual(names(providePredecessors(snapshot, item('bb.10', 'root'))).sort(), [
      'bb.0.first',
      'bb.1.second',
      'bb.10',
    ]);
    assert.deepEqual(names(provideSuccessors(snapshot, item('bb.0', 'leaf'))), []);
    for (const name of ['xbb.0', ' bb.0', 'bb.', 'bb', '0', 'bb.2'])
      assert.deepEqual(provideSuccessors(snapshot, item(name, 'root')), [], name);
  });

  it('are asked for in a body only', () => {
    const prepared = (word: string, from = 0): string[] | undefined =>
      providePrepareTypeHierarchy(snapshot, at(word, from))?.map((i) => `${i.name} of ${i.detail}`);
    const root = text.indexOf('name: root');
    assert.deepEqual(prepared('bb.0.first', root), ['bb.0.first of root']);
    assert.deepEqual(prepared('%bb.10, implicit', root), ['bb.10 of root']);
    assert.deepEqual(prepared('S_BRANCH', root), ['bb.10 of root']);
    assert.deepEqual(prepared('SI_CALL', root), ['bb.0.first of root']);
    assert.deepEqual(prepared('S_ENDPGM'), ['bb.0 of leaf']);
    assert.equal(prepared('name: leaf'), undefined);
    assert.equal(prepared('@data = '), undefined);
  });
});
