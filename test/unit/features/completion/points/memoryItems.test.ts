/** What is proposed behind `::`, word by word, with what each counts. */
import assert from 'node:assert/strict';
import type { Candidate } from '../../../../../server/src/features/completion/candidate.js';
import { readInstrLine } from '../../../../../server/src/features/completion/instrLine.js';
import { memoryCandidates, memoryTrailers } from '../../../../../server/src/features/completion/memoryItems.js';
import { pointScope, points } from '../../../../support/completionPoints.js';

const IR = `--- |
  @g = addrspace(1) global i32 0
  define void @f(ptr addrspace(1) %p, i32 %n) {
  entry:
    %"a b" = getelementptr i32, ptr addrspace(1) %p, i32 %n
    %x = load i32, ptr addrspace(1) %p
    ret void
  }
  define void @other(ptr %q) { ret void }
...
`;

function itemsAt(lines: readonly string[], isTrailer = false): Candidate[] {
  const { scope, cursor } = pointScope(
    `${IR}---\nname: f\nfixedStack:\n  - { id: 1, size: 4 }\nstack:\n  - { id: 0, size: 4 }\nconstants:\n  - { id: 0, value: 'i32 1', alignment: 4 }\nbody: |\n  bb.0:\n${lines.map((l) => `    ${l}\n`).join('')}    S_ENDPGM 0\n...\n`,
  );
  const { snapshot, lineStart, lineEnd } = scope;
  const line = readInstrLine(snapshot.text.text, lineStart, lineEnd, cursor);
  const st = scope.fn?.subtarget ?? snapshot.subtarget;
  const items = isTrailer ? memoryTrailers(line, scope, st) : memoryCandidates(snapshot, line, scope, st);
  return items.sort((a, b) => b.score - a.score);
}
const listAt = (...lines: readonly string[]): string =>
  itemsAt(lines)
    .map((c) => `${c.label} ${points(c.score)}`)
    .join(', ');

const L = '%1:vgpr_32 = GLOBAL_LOAD_DWORD %2, 0, 0, implicit $exec';
const S = 'GLOBAL_STORE_DWORD %2, %1, 0, 0, implicit $exec';
const USUAL = [
  's8',
  's16',
  's32',
  's64',
  's96',
  's128',
  '<2 x s32>',
  '<4 x s32>',
  '<8 x s32>',
  '<16 x s32>',
  'p0',
  'p1',
  'p3',
];
/** Sizes with what the instruction has first. */
const sizes = (own: string, [open, close] = ['', '']): string =>
  [own, ...USUAL.filter((t) => t !== own)].map((t, k) => `${open}${t}${close} ${k === 0 ? 0 : -k}`).join(', ');
const ALIGN = '4 1, 1 -0.001, 2 -0.002, 8 -0.008, 16 -0.016, 32 -0.032, 64 -0.064, 128 -0.128, 256 -0.256';
const META = '!tbaa -2, !alias.scope -2, !noalias -2, !range -2';
const POINTERS =
  '%ir.p 19.99, %ir."a b" 19.96, %stack.0 10, %fixed-stack.1 9.9, @g 8, @other 8, @f 8, unknown-address 2, stack 1, custom 1, constant-pool 0, got 0, jump-table 0, call-entry 0';

describe('words of memory operands', () => {
  const CASES: readonly (readonly [lines: readonly string[], list: string])[] = [
    // Whole ones: what the function has for the opcode, else what the instruction touches.
    [[`${L} :: ¦`], '(load (s32), addrspace 1) 10'],
    [[`${S} :: ¦`], '(store (s32), addrspace 1) 10'],
    [['%1:vgpr_32 = DS_ADD_RTN_U32 %2, %3, 0, 0, implicit $exec :: ¦'], '(load store (s32), addrspace 3) 10'],
    [['%1:sgpr_64 = S_LOAD_DWORDX2_IMM %2, 0, 0 :: ¦'], '(dereferenceable invariant load (s64), addrspace 4) 10'],
    [['%1:vgpr_32 = FLAT_LOAD_DWORD %2, 0, 0, implicit $exec :: ¦'], '(load (s32)) 10'],
    [['NOTHING %2 :: ¦'], '(load (s32)) 10, (store (s32)) 10'],
    [['S_NOP 0 :: ¦'], ''],
    [[`${L} :: (volatile load (s8))`, `${L} :: ¦`], '(volatile load (s8)) 21, (load (s32), addrspace 1) 10'],
    [
      [`${L} :: (load (s8))`, `${L} :: (load (s8))`, `${L} :: (load (s16)), (load (s64))`, `${L}`, `${L} :: ¦`],
      '(load (s8)) 22, (load (s16)) 21, (load (s32), addrspace 1) 10',
    ],
    [[`${S} :: (store (s8))`, `${L} :: ¦`], '(load (s32), addrspace 1) 10'],
    [[`${L} :: (load (s32)), ¦`], '(load (s32), addrspace 1) 10'],
    // In brackets: what is done.
    [[`${L} :: (¦`], 'load 10, store 4, dereferenceable 2, invariant 2, volatile 1, non-temporal 0'],
    [[`${S} :: (¦`], 'store 10, load 5, dereferenceable 2, invariant 2, volatile 1, non-temporal 0'],
    [['NOTHING :: (¦'], 'load 10, store 4, dereferenceable 2, invariant 2, volatile 1, non-temporal 0'],
    [[`${L} :: (volatile ¦`], 'load 10, store 4, dereferenceable 2, invariant 2, non-temporal 0'],
    [[`${L} :: (volatile invariant l¦`], 'load 10, store 4, dereferenceable 2, non-temporal 0'],
    [[`${L} :: (load (s32)), (¦`], 'load 10, store 4, dereferenceable 2, invariant 2, volatile 1, non-temporal 0'],
    // How much.
    [
      [`${L} :: (load ¦`],
      `${sizes('s32', ['(', ')'])}, unknown-size -5, syncscope -6, unordered -7, monotonic -7, acquire -7, release -7, acq_rel -7, seq_cst -7`,
    ],
    [[`${L} :: (load (¦`], sizes('s32')],
    [[`${S} :: (store (s¦`], sizes('s32')],
    [['%1:vreg_96 = GLOBAL_LOAD_DWORDX3 %2, 0, 0, implicit $exec :: (load (¦'], sizes('<3 x s32>')],
    // Where.
    [[`${L} :: (load (s32) ¦`], `from 20, align 15, addrspace 14, basealign 3, store 0, ${META}`],
    [[`${S} :: (store (s32) ¦`], `into 20, align 15, addrspace 14, basealign 3, ${META}`],
    [[`${S} :: (load store (s32) ¦`], `on 20, align 15, addrspace 14, basealign 3, ${META}`],
    [[`${L} :: (load (s32) from %ir.p, ¦`], `align 15, addrspace 14, basealign 3, store 0, ${META}`],
    [[`${S} :: (store (s32) into %ir.p, ¦`], `align 15, addrspace 14, basealign 3, ${META}`],
    [[`${S} :: (load store (s32) on %ir.p, ¦`], `align 15, addrspace 14, basealign 3, ${META}`],
    [[`${L} :: (load (s32) from %ir.p, align 4, ¦`], `addrspace 14, basealign 3, store 0, ${META}`],
    [[`${L} :: (load (s32), align ¦`], ALIGN],
    [[`${L} :: (load (s32), basealign ¦`], ALIGN],
    [[`${L} :: (load (s32), addrspace ¦`], '0 0, 1 -1, 2 -2, 3 -3, 4 -4, 5 -5, 6 -6, 7 -7, 8 -8, 9 -9'],
    [[`${L} :: (load (s32) from ¦`], POINTERS],
    [[`${S} :: (store (s32) into ¦`], POINTERS],
    [[`${S} :: (load store (s32) on ¦`], POINTERS],
    [[`${L} :: (load (s32) from %ir.¦`], POINTERS],
  ];
  for (const [lines, list] of CASES)
    it(lines.join('; '), () => {
      const sort = (text: string): string[] => text.split(/, (?=\S+(?: x s\d+>\)?| b")? -?\d)/).sort();
      assert.deepEqual(sort(listAt(...lines)), sort(list));
    });

  it('with colons behind the operands', () => {
    assert.deepEqual(
      itemsAt([`${L} :: (volatile load (s8))`, `${L} ¦`], true).map((c) => [c.label, c.snippet, c.description]),
      [
        [':: (volatile load (s8))', undefined, 'used 1 x here'],
        [':: (load (s32), addrspace 1)', ':: (load (${1:s32}), addrspace ${2:1})$0', undefined],
      ],
    );
    assert.deepEqual(
      itemsAt(['%1:vgpr_32 = FLAT_LOAD_DWORD %2, 0, 0, implicit $exec ¦'], true).map((c) => [c.label, c.snippet]),
      [[':: (load (s32))', ':: (load (${1:s32}))$0']],
    );
  });

  const WRITTEN: readonly (readonly [line: string, label: string, snippet: string | undefined, detail: string])[] = [
    [`${L} :: (load (s32) ¦`, 'align', 'align ${1:4}$0', 'of the address, in bytes'],
    [`${L} :: (load (s32) ¦`, 'basealign', 'basealign ${1:4}$0', 'of the address before the offset, in bytes'],
    [`${L} :: (load (s32) ¦`, 'addrspace', 'addrspace ${1:1}$0', 'address space'],
    [`${L} :: (load (s32) ¦`, 'from', undefined, 'the address'],
    [`${L} :: (load (s32) ¦`, '!tbaa', '!tbaa !${1:0}$0', 'metadata'],
    [`${L} :: (load ¦`, 'syncscope', 'syncscope("${1:agent}")$0', 'of an atomic access'],
    [`${L} :: (load ¦`, 'seq_cst', undefined, 'atomic ordering'],
    [`${L} :: (load (s32), addrspace ¦`, '3', undefined, 'local (LDS)'],
    [`${L} :: (load (s32), addrspace ¦`, '5', undefined, 'private (scratch)'],
    [`${L} :: (load (s32), align ¦`, '8', undefined, 'bytes'],
    [`${L} :: (load (s32) from ¦`, 'custom', 'custom "${1:BufferResource}"$0', "the target's own kind of memory"],
    [`${L} :: (load (s32) from ¦`, 'call-entry', 'call-entry @${1}$0', 'the address of a function'],
    [`${L} :: (load (s32) from ¦`, '%ir.p', undefined, 'IR value'],
  ];
  for (const [line, label, snippet, detail] of WRITTEN)
    it(`${line.slice(L.length)}: ${label}`, () => {
      const found = itemsAt([line]).find((c) => c.label === label);
      assert.ok(found !== undefined);
      assert.deepEqual([found.snippet, found.detail], [snippet, ` ${detail}`]);
    });
});
