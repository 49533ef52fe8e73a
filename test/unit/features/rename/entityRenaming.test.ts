/** Registers, numbers, functions and IR values renamed: each place of a name and no other, and the reason where llc would not take it. */
import assert from 'node:assert/strict';
import { renamedAt } from '../../../support/editing.js';
import { providePrepareRename } from '../../../../server/src/features/rename/rename.js';
import { atCursor } from '../../../support/cursor.js';
import { needsLlc, runLlc } from '../../../support/llc.js';

/** Every name of the first column stands where its mark is; marks go before the text is read. */
const MARKED = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck %s
--- |
  @«glob» = external addrspace(1) global i32
  @other = external addrspace(1) global i32
  define void @«func»(ptr addrspace(1) %«arg», i32 %arg.1) !dbg !4 {
  «entry»:
    %«slot» = alloca i32, align 4, addrspace(5)
    store i32 %arg.1, ptr addrspace(1) %«arg»
    store i32 1, ptr addrspace(5) %«slot»
    store i32 1, ptr addrspace(1) @«glob»
    br label %«tail»
  «tail»:
    ret void
  }
  define void @func.2(ptr addrspace(1) %arg) {
  entry:
    %slot = alloca i32, align 4, addrspace(5)
    br label %tail
  tail:
    ret void
  }
  !llvm.dbg.cu = !{!0}
  !llvm.module.flags = !{!3}
  !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
  !1 = !DIFile(filename: "func", directory: "/")
  !2 = !DISubroutineType(types: !{})
  !3 = !{i32 2, !"Debug Info Version", i32 3}
  !4 = distinct !DISubprogram(name: "«func»", linkageName: "«func»", scope: !1, file: !1, line: 1, type: !2, unit: !0)
...
---
name:            «func»
tracksRegLiveness: true
registers:
  - { id: «n0», class: vgpr_32 }
  - { id: 10, class: vgpr_32 }
liveins:
  - { reg: '$vgpr0', virtual-reg: '%«n0»' }
fixedStack:
  - { id: «f0», size: 4, alignment: 4, offset: 0 }
  - { id: 1, size: 4, alignment: 4, offset: 4 }
stack:
  - { id: «s0», name: «slot», size: 4, alignment: 4 }
  - { id: 1, size: 4, alignment: 4 }
constants:
  - { id: «c0», value: 'i32 5', alignment: 4 }
  - { id: 1, value: 'i32 6', alignment: 4 }
jumpTable:
  kind: block-address
  entries:
    - { id: «j0», blocks: [ '%bb.«b1»' ] }
    - { id: 1, blocks: [ '%bb.«b1»' ] }
body:             |
  ; CHECK-LABEL: name: «func»
  ; CHECK: name: func.2 func? not @func2, but @«func» it is, name: «func»
  ; CHECK: %«sum»:vgpr_32 = V_ADD %0, %summer, %«sum», sum
  ; CHECK: S_NOP %const.«c0», %const.10
  ; CHECK: %ir.«arg», %ir.arg.1 %«arg» {{[0-9]+}}.«arg» bb.0.«entry»: arg
  ; CHECK: %stack.0.«slot», %stack.1.slots
  bb.0.«entry»:
    successors: %bb.«b1»(0x80000000)
    liveins: $vgpr0

    %«n0» = COPY $vgpr0
    %10 = COPY %«n0»
    %«sum»:vgpr_32 = V_ADD_U32_e32 %«n0», %10, implicit $exec
    %summer:vgpr_32 = COPY killed %«sum»
    %20:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-gotprel32-lo) @«glob», target-flags(amdgpu-gotprel32-hi) @«glob», implicit-def dead $scc
    S_NOP 0, implicit %summer
    INLINEASM &"", 25 :: (store (s32) into %ir.«arg», addrspace 1)
    INLINEASM &"", 25 :: (store (s32) into %ir.«slot», addrspace 5), (load (s32) from %stack.«s0».«slot», addrspace 5)
    INLINEASM &"", 25 :: (load (s32) from %fixed-stack.«f0», addrspace 5), (load (s32) from %fixed-stack.1, addrspace 5)
    %21:sreg_64 = SI_PC_ADD_REL_OFFSET %const.«c0», %const.1, implicit-def dead $scc
    %22:sreg_64 = SI_PC_ADD_REL_OFFSET %jump-table.«j0», %jump-table.1, implicit-def dead $scc
    S_BRANCH %bb.«b1»

  bb.«b1».«tail»:
    S_ENDPGM 0
...
---
name:            func.2
# CHECK-LABEL: name: func.2
# CHECK: %sum arg %const.0 @«func» %ir.arg
stack:
  - { id: 0, name: slot, size: 4, alignment: 4 }
constants:
  - { id: 0, value: 'i32 5', alignment: 4 }
body:             |
  bb.0.entry:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    %sum:vgpr_32 = COPY %0
    %21:sreg_64 = SI_PC_ADD_REL_OFFSET %const.0, %stack.0.slot, implicit-def dead $scc
    S_BRANCH %bb.1

  bb.1.tail:
    S_ENDPGM 0
...
`;

/** What marks stand for: the places of a number of one kind have names of their own. */
const WORDS: Readonly<Record<string, string>> = { n0: '0', f0: '0', s0: '0', c0: '0', j0: '0', b1: '1' };

const textWith = (name = '', word = ''): string =>
  MARKED.replaceAll(/«([\w.]+)»/g, (_, own: string) => (own === name ? word : (WORDS[own] ?? own)));
const TEXT = textWith();

/** The text with the cursor after the first letter of the `k`th place of a name. */
function at(name: string, k: number): string {
  let n = 0;
  return MARKED.replaceAll(/«([\w.]+)»/g, (_, own: string) => {
    const word = WORDS[own] ?? own;
    return own === name && n++ === k ? `${word.slice(0, 1)}$0${word.slice(1)}` : word;
  });
}
const nPlaces = (name: string): number => MARKED.split(`«${name}»`).length - 1;

/** In lines of test directives, and where a name is repeated as text, stands no name of the code. */
const inCheck = (marked: string): boolean => /^ *[;#].*\$0|DISubprogram.*\$0|, name: s\$0/m.test(marked);

/** The first place of a name where it may be renamed. */
function first(name: string): string {
  for (let k = 0; ; k++) if (!inCheck(at(name, k))) return at(name, k);
}

/** Names, what they are renamed to and what is given for it. */
const RENAMES: readonly (readonly [name: string, word: string, given?: string])[] = [
  ['n0', '7', '%7'],
  ['n0', '4294967294'],
  ['sum', 'total', '%total'],
  ['sum', '_a-1'],
  ['b1', '5', 'bb.5'],
  ['b1', '5', '%bb.5'],
  ['b1', '2'],
  ['f0', '5', '%fixed-stack.5'],
  ['s0', '5', '%stack.5'],
  ['c0', '5', '%const.5'],
  ['j0', '5', '%jump-table.5'],
  ['glob', 'g.$x-1', '@g.$x-1'],
  ['func', 'kernel', '@kernel'],
  ['arg', 'pointer', '%ir.pointer'],
  ['arg', 'pointer', '%pointer'],
  ['slot', 'place'],
  ['entry', 'first', '%ir-block.first'],
  ['tail', 'behind'],
];

/** In the order of name, given word and reason. */
const REFUSED: readonly (readonly [name: string, given: string, reason: RegExp])[] = [
  ['n0', '10', /^%10 exists in this function already$/],
  ['n0', 'x', /^%0 has an entry in registers:, where llc takes only numbers$/],
  ['n0', '4294967295', /^'4294967295' is no number that llc takes here$/],
  ['n0', '07', /^'07' is no number that llc takes here$/],
  ['n0', '9x', /^'9x' is no name of a virtual register: letters, digits, '_' and '-'$/],
  ['sum', 'summer', /^%summer exists in this function already$/],
  ['sum', 'a.b', /^'a\.b' is no name of a virtual register/],
  ['sum', '-a', /^'-a' is no name of a virtual register/],
  ['b1', '0', /^bb\.0 exists in this function already$/],
  ['b1', 'tail', /^a block is called by its number, such as bb\.3$/],
  ['b1', '01', /^'01' is no number that llc takes here$/],
  ['b1', '4294967295', /^'4294967295' is no number/],
  ['s0', '1', /^%stack\.1 exists in this function already$/],
  ['s0', 'x', /^a stack object is called by its number, such as %stack\.3$/],
  ['f0', '1', /^%fixed-stack\.1 exists in this function already$/],
  ['f0', 'x', /^a fixed stack object is called by its number, such as %fixed-stack\.3$/],
  ['c0', '1', /^%const\.1 exists in this function already$/],
  ['c0', 'x', /^a constant is called by its number, such as %const\.3$/],
  ['j0', '1', /^%jump-table\.1 exists in this function already$/],
  ['j0', 'x', /^a jump table is called by its number, such as %jump-table\.3$/],
  ['glob', 'other', /^@other exists in this file already$/],
  ['glob', 'func.2', /^@func\.2 exists in this file already$/],
  ['glob', 'llvm.x', /^names that begin with llvm\. are those of intrinsics$/],
  ['glob', '9', /^'9' is no plain name: letters, digits, '_', '\.', '\$' and '-'$/],
  ['func', 'func.2', /^@func\.2 exists in this file already$/],
  ['func', 'a b', /^'a b' is no plain name/],
  ['arg', 'slot', /^%slot exists in the IR of func already$/],
  ['arg', 'tail', /^%tail exists in the IR of func already$/],
  ['arg', '$x', /^'\$x' is no plain name/],
];

describe('names of a function renamed', () => {
  it('llc takes the text', function () {
    needsLlc(this);
    const { status, stderr } = runLlc(
      ['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'],
      TEXT,
    );
    assert.equal(stderr, '');
    assert.equal(status, 0);
  });

  for (const [name, word, given = word] of RENAMES)
    it(`${name} to ${given}`, () => {
      const wanted = textWith(name, word);
      for (let k = 0; k < nPlaces(name); k++) {
        const marked = at(name, k);
        if (!inCheck(marked)) assert.equal(renamedAt(marked, given), wanted, marked.match(/.*\$0.*/)?.[0]);
      }
    });

  for (const [name, given, reason] of REFUSED)
    it(`${name} not to ${given}`, () => assert.match(renamedAt(first(name), given), reason));

  it('a name itself is no change', () => {
    for (const [name] of RENAMES) assert.equal(renamedAt(first(name), WORDS[name] ?? name), TEXT, name);
  });

  it('a range is the name without what stands around it', () => {
    for (const [name] of RENAMES)
      for (let k = 0; k < nPlaces(name); k++) {
        const marked = at(name, k);
        if (inCheck(marked)) continue;
        const { snapshot, position, text } = atCursor(marked);
        const { range, placeholder } = providePrepareRename(snapshot, { position })!;
        const word = WORDS[name] ?? name;
        assert.equal(placeholder, word);
        assert.equal(text.slice(snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end)), word);
        assert.equal(range.start.character, position.character - 1);
      }
  });

  it('quotes stay, and what has no name of its own has none', () => {
    const quoted =
      '--- |\n  define void @"f"(ptr %"p") {\n    ret void\n  }\n...\n---\nname: "f"\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n';
    assert.equal(renamedAt(quoted.replace('@"f', '@"f$0'), 'g'), quoted.replaceAll('"f"', '"g"'));
    assert.equal(renamedAt(quoted.replace('%"p', '%"p$0'), 'q'), quoted.replaceAll('"p"', '"q"'));
    const odd = quoted.replaceAll('"f"', '"a b"').replaceAll('"p"', '"a b"');
    assert.equal(renamedAt(odd.replace('@"a', '@"a$0'), 'g'), '');
    assert.equal(renamedAt(odd.replace('%"a', '%"a$0'), 'g'), '');
    const numbers = '--- |\n  declare void @llvm.trap()\n  define void @0(ptr %0) {\n    ret void\n  }\n...\n';
    assert.equal(renamedAt(numbers.replace('@0', '@0$0'), 'g'), '');
    assert.equal(renamedAt(numbers.replace('%0', '%0$0'), 'g'), '');
    assert.equal(renamedAt(numbers.replace('@llvm', '@l$0lvm'), 'g'), '');
  });
});
