/** The block at each place of a function, and the blocks before and after it. */
import assert from 'node:assert/strict';
import {
  providePredecessors,
  providePrepareTypeHierarchy,
  provideSuccessors,
} from '../../../../server/src/features/navigation/blockHierarchy.js';
import { atCursor, openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: first
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: f
jumpTable:
  kind: inline
  entries:
    - { id: 0, blocks: [ '%bb.7', '%bb.3' ] }
body: |
  bb.3:
    successors: %bb.7, %bb.5

    S_CBRANCH_SCC1 %bb.7, implicit undef $scc

  bb.5:
    successors: %bb.7

    S_BRANCH %bb.7

  bb.7:
    S_ENDPGM 0
...
`;

const { snapshot } = openText(TEXT);
const document = TEXT.indexOf('name: f\n');

/** Name, function and label of the block at the first `word` after `after` in the second function. */
function block(word: string, after = 'name: f'): string {
  const at = TEXT.indexOf(word, TEXT.indexOf(after, document));
  const found = providePrepareTypeHierarchy(snapshot, { position: snapshot.text.positionAt(at + 1) });
  return (found ?? [])
    .map(({ name, detail, selectionRange, range }) => {
      assert.ok(snapshot.text.offsetAt(range.start) <= snapshot.text.offsetAt(selectionRange.start));
      return `${name} of ${detail!} in line ${selectionRange.start.line + 1}`;
    })
    .join();
}
const names = (items: readonly { readonly name: string }[]): string => items.map((i) => i.name).join(' ');

describe('the block at a place', () => {
  for (const [word, after, wanted] of [
    ['name', 'name: f', ''],
    ['kind', 'name: f', ''],
    ['body', 'name: f', ''],
    ['bb.7', 'blocks', 'bb.7 of f in line 25'],
    ['bb.3', 'blocks', 'bb.3 of f in line 15'],
    ['bb.3:', 'body', 'bb.3 of f in line 15'],
    ['successors', 'bb.3:', 'bb.3 of f in line 15'],
    ['bb.5', 'successors', 'bb.5 of f in line 20'],
    ['S_CBRANCH', 'bb.3:', 'bb.3 of f in line 15'],
    ['bb.7', 'S_CBRANCH', 'bb.7 of f in line 25'],
    ['implicit', 'S_CBRANCH', 'bb.3 of f in line 15'],
    ['S_BRANCH', 'bb.5:', 'bb.5 of f in line 20'],
    ['S_ENDPGM', 'bb.7:', 'bb.7 of f in line 25'],
  ] as const)
    it(`${word} after ${after}: ${wanted || 'none'}`, () => assert.equal(block(word, after), wanted));

  it('none outside of functions', () => {
    assert.equal(providePrepareTypeHierarchy(snapshot, { position: { line: 0, character: 3 } }), null);
    const other = atCursor('$0# nothing\n').snapshot;
    assert.equal(providePrepareTypeHierarchy(other, { position: { line: 0, character: 0 } }), null);
  });
});

describe('blocks before and after one', () => {
  it('each once, by the name of the function', () => {
    const of = (name: string, detail?: string): string[] => {
      const params = { item: { name, ...(detail === undefined ? {} : { detail }) } };
      return [names(providePredecessors(snapshot, params)), names(provideSuccessors(snapshot, params))];
    };
    assert.deepEqual(of('bb.3', 'f'), ['', 'bb.7 bb.5']);
    assert.deepEqual(of('bb.5', 'f'), ['bb.3', 'bb.7']);
    assert.deepEqual(of('bb.7.name', 'f'), ['bb.3 bb.5', '']);
    assert.deepEqual(of('bb.0', 'first'), ['', '']);
    for (const [name, detail] of [
      ['bb.0', 'f'],
      ['bb.3', 'first'],
      ['bb.3', 'g'],
      ['bb.3', undefined],
      ['bb.', 'f'],
      ['x.bb.3', 'f'],
      ['3', 'f'],
    ] as const)
      assert.deepEqual(of(name, detail), ['', ''], `${name} of ${detail}`);
  });
});
