/** Names that are taken, and those that are refused with the reason. */
import assert from 'node:assert/strict';
import { provideDeclaration, provideDefinition } from '../../../../server/src/features/navigation/definition.js';
import { provideReferences } from '../../../../server/src/features/navigation/references.js';
import { provideRename } from '../../../../server/src/features/rename/rename.js';
import { atCursor, URI } from '../../../support/cursor.js';
import { renamedAt } from '../../../support/editing.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
--- |
  define void @user() {
    call void @ext()
    ret void
  }
  declare void @ext()
  define void @loc(ptr %loc, ptr %other) {
  entry:
    br label %next
  next:
    ret void
  }
  @"a b" = global i32 0
...
---
name: loc
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
fixedStack:
  - { id: 0, size: 4, offset: 0 }
stack:
  - { id: 1, name: loc, size: 4 }
constants:
  - id: 2
    value: 'i32 5'
jumpTable:
  kind: inline
  entries:
    - id: 3
      blocks: [ '%bb.1' ]
body: |
  bb.0.entry:
    successors: %bb.1
    liveins: $vgpr4

    %0 = V_MOV_B32_e32 0, implicit $exec
    $vgpr1 = V_MOV_B32_e32 1, implicit $exec
    S_CBRANCH_EXECZ %bb.1, implicit $exec
    S_NOP 0, implicit $vgpr1, implicit $vgpr4
    $sgpr4_sgpr5 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @"a b", 0, implicit-def $scc

  bb.1.next:
    S_NOP 0, implicit $vgpr1, implicit %0, implicit $vgpr4
    $vgpr1 = V_MOV_B32_e32 2, implicit $exec
    $vgpr1 = V_ADD_U32_e32 $vgpr1, $vgpr1, implicit $exec
    S_NOP 0, implicit $vgpr1, implicit $vgpr0_vgpr1
    $sgpr6 = S_MOV_B32 %fixed-stack.0
    $sgpr6 = S_MOV_B32 %const.2
    $sgpr6 = S_MOV_B32 %jump-table.3
    $sgpr6 = S_MOV_B32 %stack.1.loc
    S_ENDPGM 0
...
`;

/** The text with the bar in a word: after the first letter of word where it stands the nth time. */
function marked(word: string, nth = 0, behind = 1): string {
  let at = -1;
  for (let k = 0; k <= nth; k++) at = TEXT.indexOf(word, at + 1);
  assert.ok(at >= 0, word);
  return `${TEXT.slice(0, at + behind)}$0${TEXT.slice(at + behind)}`;
}

describe('names that are refused', () => {
  const REFUSED: readonly (readonly [at: string, newName: string, reason: RegExp])[] = [
    [marked('%bb.1'), 'x', /^a block is called by its number, such as bb\.3$/],
    [marked('%stack.1'), 'x', /^a stack object is called by its number, such as %stack\.3$/],
    [marked('%fixed-stack.0'), 'x', /^a fixed stack object is called by its number, such as %fixed-stack\.3$/],
    [marked('%const.2'), 'x', /^a constant is called by its number, such as %const\.3$/],
    [marked('%jump-table.3'), 'x', /^a jump table is called by its number, such as %jump-table\.3$/],
    [marked('%bb.1'), '0', /^bb\.0 exists in this function already$/],
    [marked('%bb.1'), '007', /^'007' is no number that llc takes here$/],
    [marked('%bb.1'), '4294967295', /^'4294967295' is no number that llc takes here$/],
    [marked('%0', 0), 'a b', /^'a b' is no name of a virtual register: letters, digits, '_' and '-'$/],
    [marked('%0', 0), 'name', /^%0 has an entry in registers:, where llc takes only numbers$/],
    [marked('@loc'), 'a b', /^'a b' is no plain name: letters, digits, '_', '\.', '\$' and '-'$/],
    [marked('@loc'), '1a', /^'1a' is no plain name/],
    [marked('@loc'), '', /^'' is no plain name/],
    [marked('@loc'), 'llvm.x', /^names that begin with llvm\. are those of intrinsics$/],
    [marked('@loc'), 'ext', /^@ext exists in this file already$/],
    [marked('%other'), 'loc', /^%loc exists in the IR of loc already$/],
    [marked('%other'), 'a b', /^'a b' is no plain name/],
    [marked('%other'), 'a%ir.b', /^'a%ir\.b' is no plain name/],
  ];
  for (const [at, newName, reason] of REFUSED)
    it(`${reason.source.slice(0, 50)} for ${newName}`, () => assert.match(renamedAt(at, newName), reason));
});

describe('names that are taken', () => {
  it('of the IR: the function of the same name stays', () => {
    const wanted = TEXT.replace('ptr %loc', 'ptr %a.b$c-d_1')
      .replace('name: loc, size', 'name: a.b$c-d_1, size')
      .replace('%stack.1.loc', '%stack.1.a.b$c-d_1');
    for (const newName of ['a.b$c-d_1', '%a.b$c-d_1', '%ir.a.b$c-d_1', '%ir-block.a.b$c-d_1'])
      assert.equal(renamedAt(marked('%loc'), newName), wanted, newName);
    const next = TEXT.replaceAll(/(%|^ {2}|bb\.1\.)next\b/gm, '$1there');
    for (const at of [marked('%next'), marked('next:'), marked('bb.1.next', 0, 6)])
      assert.equal(renamedAt(at, 'there'), next);
  });

  it('of a function: its values stay', () => {
    const wanted = TEXT.replace('@loc(', '@a.b$c-d_1(').replace('\nname: loc\n', '\nname: a.b$c-d_1\n');
    for (const newName of ['a.b$c-d_1', '@a.b$c-d_1']) {
      assert.equal(renamedAt(marked('@loc'), newName), wanted);
      assert.equal(renamedAt(marked('name: loc', 0, 7), newName), wanted);
    }
  });

  it('numbers, with or without what stands before them', () => {
    for (const newName of ['7', 'bb.7', '%bb.7'])
      assert.equal(renamedAt(marked('%bb.1'), newName), TEXT.replaceAll(/\bbb\.1\b/g, 'bb.7'), newName);
    assert.equal(
      renamedAt(marked('%stack.1'), '%stack.4294967294'),
      TEXT.replace('id: 1,', 'id: 4294967294,').replace('%stack.1', '%stack.4294967294'),
    );
    assert.equal(
      renamedAt(marked('%const.2'), '9'),
      TEXT.replace('id: 2\n', 'id: 9\n').replace('%const.2', '%const.9'),
    );
    assert.equal(renamedAt(marked('%0'), '%9'), TEXT.replace('id: 0, class', 'id: 9, class').replaceAll(/%0\b/g, '%9'));
  });

  it('the same again is no edit', () => {
    for (const [at, name] of [
      [marked('%bb.1'), '1'],
      [marked('@loc'), 'loc'],
      [marked('%other'), 'other'],
      [marked('%0'), '0'],
    ] as const) {
      const { snapshot, position } = atCursor(at);
      assert.deepEqual(provideRename(snapshot, { position, newName: name }), { changes: {} }, name);
    }
  });
});

describe('where a name leads', () => {
  const lines = (at: string, provide: typeof provideDefinition): string[] => {
    const { snapshot, position } = atCursor(at);
    return provide(snapshot, { position }).map(({ uri, range }) => {
      assert.equal(uri, URI);
      const [start, end] = [snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end)];
      const line = snapshot.text.lineAt(start);
      return `${TEXT.slice(start, end)} in ${snapshot.text.slice(snapshot.text.lineStart(line), snapshot.text.lineEnd(line)).trim().slice(0, 30)}`;
    });
  };
  const A = '$vgpr1 in $vgpr1 = V_MOV_B32_e32 1, impl';
  const B = '$vgpr1 in $vgpr1 = V_MOV_B32_e32 2, impl';
  const C = '$vgpr1 in $vgpr1 = V_ADD_U32_e32 $vgpr1,';
  const CASES: readonly (readonly [what: string, at: string, found: readonly string[]])[] = [
    ['a physical register: the write above in its block', marked('implicit $vgpr1', 0, 10), [A]],
    ['without one in its block, all', marked('implicit $vgpr1', 1, 10), [A, B, C]],
    ['reads come before the write of their line', marked('$vgpr1, $vgpr1', 0, 1), [B]],
    ['a write is its own', marked('$vgpr1 = V_ADD', 0, 1), [C]],
    ['the last of several', marked('implicit $vgpr1', 2, 10), [C]],
    ['a part of a tuple', marked('implicit $vgpr0_vgpr1', 0, 10), [C]],
    ['a live-in', marked('implicit $vgpr4', 0, 10), ['$vgpr4 in liveins: $vgpr4']],
    ['a live-in of another block', marked('implicit $vgpr4', 1, 10), ['$vgpr4 in liveins: $vgpr4']],
    ['a virtual register', marked('implicit %0', 0, 10), ['%0 in %0 = V_MOV_B32_e32 0, implicit']],
    ['a block', marked('%bb.1, implicit', 0, 1), ['bb.1.next in bb.1.next:']],
    ['a stack object', marked('%stack.1'), ['1 in - { id: 1, name: loc, size: 4 ']],
    ['no name', marked('S_ENDPGM'), []],
    ['a key', marked('tracksRegLiveness'), []],
  ];
  for (const [what, at, found] of CASES) it(what, () => assert.deepEqual(lines(at, provideDefinition), found));

  it('a declaration where there is one, wherever it stands', () => {
    assert.deepEqual(lines(marked('implicit %0', 0, 10), provideDeclaration), ['0 in - { id: 0, class: vgpr_32 }']);
    assert.deepEqual(lines(marked('@ext()', 0, 1), provideDeclaration), ['@ext in declare void @ext()']);
    assert.deepEqual(lines(marked('%bb.1, implicit', 0, 1), provideDeclaration), ['bb.1.next in bb.1.next:']);
    assert.deepEqual(lines(marked('S_ENDPGM'), provideDeclaration), []);
  });

  it('names in quotes are whole', () => {
    const { snapshot, position } = atCursor(marked('@"a b", 0', 0, 2));
    assert.deepEqual(
      provideReferences(snapshot, { position }).map(({ range }) =>
        TEXT.slice(snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end)),
      ),
      ['@"a b"', '@"a b"'],
    );
  });
});
