/** Rename: every mention in the function and nothing else; refused where it would break something. */
import assert from 'node:assert/strict';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { providePrepareRename, provideRename, type Refusal } from '../../../server/src/features/rename/rename.js';
import { atCursor, cursorIn, URI } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const MIR = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name:            f
tracksRegLiveness: true
registers:
  - { id: 0, class: vgpr_32 }
liveins:
  - { reg: '$vgpr0', virtual-reg: '%0' }
body:             |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0

    %0 = COPY $vgpr0
    %10:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    undef %name.sub1:vreg_64 = COPY %10
    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0, implicit killed %name, implicit %0
...
---
name:            g
body:             |
  bb.0:
    %0:sreg_32 = S_MOV_B32 0
    S_ENDPGM 0
...
`;

function rename(at: string, newName: string): string {
  const { snapshot, position, text } = atCursor(cursorIn(MIR, at));
  const answer = provideRename(snapshot, { position, newName });
  if (answer && 'refused' in answer) return (answer as Refusal).refused;
  const edits: TextEdit[] = (answer as WorkspaceEdit | null)?.changes?.[URI] ?? [];
  let result = text;
  for (const { range, newText } of [...edits].reverse())
    result =
      result.slice(0, snapshot.text.offsetAt(range.start)) + newText + result.slice(snapshot.text.offsetAt(range.end));
  return result;
}

const firstFunction = (change: (text: string) => string): string => {
  const end = MIR.indexOf('...\n');
  return change(MIR.slice(0, end)) + MIR.slice(end);
};

describe('rename', () => {
  const number = rename('V_ADD_U32_e32 $0%0', '%7');
  const named = rename('$0%10', 'sum');
  const unnamed = rename('killed $0%name', '3');
  const block = rename('$0bb.1', 'bb.5');

  it('virtual registers, with the header, in their function only', () => {
    assert.equal(
      number,
      firstFunction((t) => t.replaceAll(/%0\b/g, '%7').replace('id: 0', 'id: 7')),
    );
    assert.equal(named, MIR.replaceAll('%10', '%sum'));
    assert.equal(unnamed, MIR.replaceAll('%name', '%3'));
  });

  it('blocks', () => {
    assert.equal(
      block,
      firstFunction((t) => t.replaceAll('bb.1', 'bb.5')),
    );
  });

  it('llc-22 accepts the results', function () {
    needsLlc(this);
    for (const text of [number, named, unnamed, block]) {
      const { status, stderr } = runLlc(
        ['-x', 'mir', '-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '/dev/null'],
        text,
      );
      assert.equal(status, 0, stderr.slice(0, 400));
    }
  });

  it('is refused where it would break something, with the reason', () => {
    assert.equal(rename('$0%10', '0'), '%0 exists in this function already');
    assert.equal(rename('$0%10', 'name'), '%name exists in this function already');
    assert.equal(rename('V_ADD_U32_e32 $0%0', 'x'), '%0 has an entry in registers:, where llc takes only numbers');
    assert.match(rename('$0%10', 'a b'), /no name of a virtual register/);
    assert.match(rename('$0%10', '99999999999'), /no number that llc takes/);
    assert.match(rename('S_BRANCH %$0bb.1', 'tail'), /called by its number/);
    assert.equal(rename('S_BRANCH %$0bb.1', 'bb.0'), 'bb.0 exists in this function already');
  });

  it('is offered on names', () => {
    const prepared = (at: string): string | undefined => {
      const { snapshot, position, show } = atCursor(cursorIn(MIR, at));
      const found = providePrepareRename(snapshot, { position });
      return found ? `${show(found.range)} (${found.placeholder})` : undefined;
    };
    assert.equal(prepared('killed $0%name'), '20:34 name (name)');
    assert.equal(prepared('S_BRANCH $0%bb.1'), '17:18 1 (1)');
    assert.equal(prepared('COPY $0$vgpr0'), '14:16 vgpr0 (vgpr0)');
    assert.equal(prepared('$0S_BRANCH'), undefined);
    assert.equal(prepared(' $0f'), '3:18 f (f)');
  });
});

/** A test with everything that has a name. */
const TEST = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - %s | FileCheck -check-prefixes=GCN,GFX9 -DN=3 %s
# RUN: llc -mtriple=amdgcn -run-pass=none -o - %s | FileCheck --check-prefix=GCN %s
--- |
  @lds = addrspace(3) global i32 0

  define amdgpu_kernel void @f(ptr addrspace(1) %p) {
  entry:
    %slot = alloca i32, addrspace(5)
    br label %loop
  loop:
    store i32 0, ptr addrspace(1) %p
    ret void
  }
...
---
# GCN-LABEL: name: f
# GCN: [[X:%[0-9]+]]:vgpr_32 = COPY
# GFX9-NEXT: GLOBAL_STORE_DWORD {{.*}}, [[X]], {{.*}} from %ir.p
# GCN: bb.1.loop
name:            f
stack:
  - { id: 0, name: slot, size: 4, alignment: 4 }
constants:
  - id:              0
    value:           'i32 1'
body:             |
  bb.0.entry:
    successors: %bb.1.loop
    liveins: $vgpr0, $vgpr1

    %0:vgpr_32 = COPY $vgpr0
    $vgpr2 = V_MOV_B32_e32 %stack.0.slot, implicit $exec
    $vgpr3 = V_ADD_U32_e32 $vgpr2, $vgpr1, implicit $exec
    $vgpr2 = V_MOV_B32_e32 $vgpr3, implicit $exec
    $sgpr0 = S_MOV_B32 %const.0
    S_BRANCH %bb.1.loop

  bb.1.loop:
    liveins: $vgpr2

    S_NOP 0, implicit $vgpr2 :: (store (s32) into %ir.p, addrspace 1)
    S_NOP 0 :: (load (s32) from @lds, addrspace 3)
    S_ENDPGM 0
...
---
name:            g
body:             |
  bb.0:
    %0:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-rel32-lo) @f, 0, implicit-def dead $scc
    S_ENDPGM 0
...
`;

function renameIn(text: string, at: string, newName: string): string {
  const { snapshot, position } = atCursor(cursorIn(text, at));
  const answer = provideRename(snapshot, { position, newName });
  if (answer && 'refused' in answer) return (answer as Refusal).refused;
  let result = text;
  for (const { range, newText } of [...((answer as WorkspaceEdit | null)?.changes?.[URI] ?? [])].reverse())
    result =
      result.slice(0, snapshot.text.offsetAt(range.start)) + newText + result.slice(snapshot.text.offsetAt(range.end));
  return result;
}

describe('rename of everything else', () => {
  it('functions: IR, machine function, references, CHECK lines', () => {
    const expected = TEST.replace('void @f(', 'void @kernel(')
      .replace('GCN-LABEL: name: f', 'GCN-LABEL: name: kernel')
      .replace('name:            f', 'name:            kernel')
      .replace('lo) @f', 'lo) @kernel');
    for (const at of ['  $0f', 'target-flags(amdgpu-rel32-lo) $0@f', '$0@f'])
      assert.equal(renameIn(TEST, at, 'kernel'), expected);
    assert.equal(renameIn(TEST, '  $0f', 'g'), '@g exists in this file already');
    assert.equal(renameIn(TEST, '  $0f', 'lds'), '@lds exists in this file already');
    assert.match(renameIn(TEST, '  $0f', 'a b'), /no plain name/);
    assert.match(renameIn(TEST, '  $0f', 'llvm.x'), /intrinsics/);
  });

  it('functions of a file that has IR only, with what debug information calls them', () => {
    const text = `--- |
  define void @f() !dbg !4 {
    ret void
  }
  !llvm.dbg.cu = !{!0}
  !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
  !1 = !DIFile(filename: "f", directory: "f")
  !4 = distinct !DISubprogram(name: "f", linkageName: "f", scope: !1, file: !1, unit: !0)
...
`;
    const wanted = text.replace('@f(', '@g(').replace('name: "f", linkageName: "f"', 'name: "g", linkageName: "g"');
    assert.equal(renameIn(text, '$0@f', 'g'), wanted);
  });

  it('globals', () => {
    assert.equal(renameIn(TEST, 'from $0@lds', 'shared'), TEST.replaceAll('@lds', '@shared'));
  });

  it('IR values and blocks, with what is called after them', () => {
    assert.equal(
      renameIn(TEST, 'into $0%ir.p', 'out'),
      TEST.replaceAll('%ir.p', '%ir.out').replaceAll(/%p\b/g, '%out'),
    );
    assert.equal(renameIn(TEST, '$0%slot', 'x'), TEST.replaceAll('slot', 'x'));
    const loop = TEST.replaceAll('loop', 'body');
    assert.equal(renameIn(TEST, '$0loop:', 'body'), loop);
    assert.equal(renameIn(TEST, 'S_BRANCH %bb.1.$0loop', 'body'), loop, 'on the name of a machine block');
    assert.equal(renameIn(TEST, '$0loop:', 'entry'), '%entry exists in the IR of f already');
  });

  it('numbers of stack objects and constants', () => {
    assert.equal(
      renameIn(TEST, '$0%stack.0', '%stack.4'),
      TEST.replaceAll('%stack.0', '%stack.4').replace('id: 0, name', 'id: 4, name'),
    );
    assert.equal(
      renameIn(TEST, '$0%const.0', '2'),
      TEST.replaceAll('%const.0', '%const.2').replace('id:              0', 'id:              2'),
    );
    assert.match(renameIn(TEST, '$0%const.0', 'x'), /called by its number/);
  });

  it('a physical register from its definition to its last use', () => {
    assert.equal(
      renameIn(TEST, 'V_ADD_U32_e32 $0$vgpr2', 'vgpr7'),
      TEST.replace('$vgpr2 = V_MOV_B32_e32 %stack', '$vgpr7 = V_MOV_B32_e32 %stack').replace(
        'e32 $vgpr2, $vgpr1',
        'e32 $vgpr7, $vgpr1',
      ),
    );
    assert.equal(renameIn(TEST, '$0$vgpr3', '$vgpr8'), TEST.replaceAll('$vgpr3', '$vgpr8'));
    assert.match(renameIn(TEST, 'V_ADD_U32_e32 $0$vgpr2', 'vgpr1'), /vgpr1 is in use/);
    assert.match(renameIn(TEST, '$0$vgpr1,', 'vgpr9'), /live into this block/);
    assert.match(renameIn(TEST, 'V_ADD_U32_e32 $0$vgpr2', 'nothing'), /no register/);
    const last = renameIn(TEST, '$exec\n    $0$vgpr2', 'vgpr9');
    assert.match(last, /live out of this block/);
  });

  it('prefixes, in RUN and CHECK lines', () => {
    assert.equal(renameIn(TEST, '$0GCN', 'ALL'), TEST.replaceAll('GCN', 'ALL'));
    assert.equal(renameIn(TEST, '$0GFX9', 'NEW'), TEST.replaceAll('GFX9', 'NEW'));
    assert.match(renameIn(TEST, '$0GFX9', 'GCN'), /already/);
    assert.match(renameIn(TEST, '$0GFX9', 'X-NEXT'), /means something/);
    const plain = '# RUN: llc %s | FileCheck %s\n# CHECK: a\n# CHECK-NEXT: b\n';
    assert.equal(
      renameIn(plain, '$0CHECK', 'NEW'),
      '# RUN: llc %s | FileCheck -check-prefix=NEW %s\n# NEW: a\n# NEW-NEXT: b\n',
    );
  });

  it('prefixes and variables that a definition has', () => {
    const defined = `# DEFINE: %{check} = FileCheck -DN=1 --check-prefixes=GCN,
# RUN: llc %s | %{check}A %s
# RUN: llc %s | %{check}B %s
# GCN: [[N]]
`;
    assert.equal(
      renameIn(defined, '# $0GCN', 'ALL'),
      defined.replaceAll('GCN', 'ALL'),
      'A and B are glued to the list',
    );
    const glued = defined.replaceAll('GCN,', 'G').replaceAll('GCN', 'GA');
    assert.match(renameIn(glued, '$0GA', 'ALL'), /put together/);
    const whole = defined.replaceAll('}A', '}').replaceAll('}B', '}');
    assert.equal(renameIn(whole, '# $0GCN', 'ALL'), whole.replaceAll('GCN', 'ALL'));
    assert.equal(renameIn(whole, '$0N]]', 'M'), whole.replace('DN=', 'DM=').replace('[[N', '[[M'));
  });

  it("FileCheck's variables", () => {
    assert.equal(renameIn(TEST, '$0X:', 'COPY'), TEST.replace('[[X:', '[[COPY:').replace('[[X]]', '[[COPY]]'));
    assert.equal(renameIn(TEST, '$0N=', 'M'), TEST.replace('-DN=', '-DM='));
    assert.match(renameIn(TEST, '$0X:', 'N'), /exists already/);
    assert.match(renameIn(TEST, '$0X:', '$X'), /outlives labels/);
  });

  it('prefixes: where each command names them, or where it would', () => {
    const test = (run: string): string => `${run}\n# AB: a\n# AB-COUNT-2: b\n# AB{LITERAL}: c\n# OTHER: AB: d\n`;
    const renamed = (text: string): string => renameIn(text, '# $0AB', 'NEW');
    for (const option of [
      '-check-prefix=AB',
      '--check-prefix AB',
      '--check-prefixes=OTHER,AB',
      '-check-prefixes AB,OTHER',
    ]) {
      const text = test(`# RUN: llc %s | FileCheck ${option} --check-prefix=OTHER %s --dump-input=AB`);
      const expected = text.replace(/^(.*?)\bAB\b/, '$1NEW').replaceAll('\n# AB', '\n# NEW');
      assert.equal(renamed(text), expected, option);
      assert.equal(renameIn(text, '$0AB', 'NEW'), expected, `${option} from the command`);
    }
    const twice = test('# RUN: llc %s | FileCheck --check-prefix=AB %s\n# RUN: llc %s | FileCheck %s');
    assert.equal(
      renamed(twice),
      twice.replace('=AB', '=NEW').replaceAll('\n# AB', '\n# NEW'),
      'not to a command of CHECK',
    );
  });

  it('the own prefix of FileCheck, with commands that name it and commands that do not', () => {
    const checks = '# CHECK: a\n# GCN: b\n';
    const named = `# RUN: llc %s | FileCheck --check-prefix=CHECK %s\n# RUN: llc %s | FileCheck --check-prefix=GCN %s\n${checks}`;
    assert.equal(renameIn(named, '# $0CHECK', 'NEW'), named.replaceAll('CHECK', 'NEW'), 'nothing to add');
    const both = `# RUN: llc %s | FileCheck --check-prefix=CHECK %s\n# RUN: llc %s | FileCheck %s\n${checks}`;
    assert.equal(
      renameIn(both, '# $0CHECK', 'NEW'),
      '# RUN: llc %s | FileCheck --check-prefix=NEW %s\n# RUN: llc %s | FileCheck -check-prefix=NEW %s\n# NEW: a\n# GCN: b\n',
    );
    const other = `# RUN: llc %s | FileCheck --check-prefix=GCN %s\n# RUN: llc %s | FileCheck %s\n${checks}`;
    assert.equal(renameIn(other, '# $0GCN', 'NEW'), other.replaceAll('GCN', 'NEW'), 'of another prefix only its own');
    assert.match(renameIn('# RUN: FileCheck\n# CHECK: a\n', '$0CHECK', 'NEW'), /without words/);
  });

  it('prefixes are refused that FileCheck would not take or that mean something', () => {
    const text =
      '# RUN: llc %s | FileCheck --check-prefixes=AB,UNUSED %s\n# AB: a\n// AB: b\n  ;AB: c\n# LEFT-DAG: d\n';
    const to = (newName: string): string => renameIn(text, '# $0AB', newName);
    for (const name of ['1A', 'A B', '', '-A', 'A.B']) assert.match(to(name), /is no prefix/, name);
    for (const name of ['RUN', 'COM', 'A-NEXT', 'A-SAME', 'A-NOT', 'A-DAG', 'A-LABEL', 'A-EMPTY', 'A-COUNT-12'])
      assert.match(to(name), /means something/, name);
    for (const name of ['UNUSED', 'LEFT']) assert.match(to(name), /already/, name);
    for (const name of ['RUNS', 'XCOM', 'NEXT', 'A-COUNT', 'NEXT-A', 'a_1-b'])
      assert.equal(to(name), text.replaceAll('AB', name), name);
    assert.equal(to('AB'), text, 'the same name changes nothing');
  });

  it('variables of text and numbers, in formats and expressions', () => {
    const text = [
      '# RUN: llc %s | FileCheck -DOFF=3 "-D#LEN=4" %s',
      '# RUN: llc -DOFF=3 %s',
      '# CHECK: [[OFF]] [[OFF:x]] [[#OFF]] [[#%u,OFF:]] [[#%.8X, OFF:OFF2+1]] [[# OFF + LEN ]] [[#max(OFF,0x1)]] OFF',
      '# CHECK: [[LEN]] [[#add(LEN, @LINE)]] [[max]] [[$G:y]] [[$G]]',
      '# OFF [[OFF]]',
      '',
    ].join('\n');
    const [run = '', plain = '', first = '', second = '', ...rest] = text.split('\n');
    const off = (word: string): string => word.replaceAll(/\bOFF\b(?!$)/g, 'K');
    const expected = [run.replace('OFF', 'K'), plain, off(first), second, ...rest].join('\n');
    for (const before of ['CHECK: [[', 'CHECK: [[OFF]] [[', '[[#', '[[#%u,', '[[#%.8X, ', '[[# ', 'max(', '-D'])
      assert.equal(renameIn(text, `${before}$0OFF`, 'K'), expected, before);
    assert.equal(renameIn(text, '+ $0LEN', 'L'), text.replaceAll('LEN', 'L'));
    assert.equal(renameIn(text, '$0$G', '$H'), text.replaceAll('$G', '$H'));
    assert.match(renameIn(text, '+ $0LEN', 'G-1'), /no name of a variable/);
    assert.match(renameIn(text, '+ $0LEN', 'OFF2'), /exists already/);
    assert.match(renameIn(text, '$0$G', 'G'), /outlives labels/);
    for (const at of ['$0max(', '$0add(', '$00x1', '$0LINE', ' $0OFF\n'])
      assert.equal(renameIn(text, at, 'K'), text, at);
  });

  it('the letter of a format is no variable', () => {
    const text = '# RUN: llc %s | FileCheck %s\n# CHECK: [[u:a]] [[#%u,N:]] [[# %.8X, M:]] [[u]]\n';
    assert.equal(renameIn(text, '$0u', 'v'), text.replaceAll('[u', '[v'));
    assert.equal(renameIn(text, '[[#%u,$0N', 'X'), text.replace('u,N', 'u,X'));
  });

  it('is offered on prefixes and variables, with the place of the name', () => {
    const prepared = (at: string): string | undefined => {
      const { snapshot, position, show } = atCursor(cursorIn(TEST, at));
      const found = providePrepareRename(snapshot, { position });
      return found ? `${show(found.range)} (${found.placeholder})` : undefined;
    };
    assert.equal(prepared('$0X]'), '18:43 X (X)');
    assert.equal(prepared('$0X:'), '17:10 X (X)');
    assert.equal(prepared('# $0GFX9'), '18:3 GFX9 (GFX9)');
    assert.equal(prepared('$0GFX9'), '1:96 GFX9 (GFX9)');
    assert.equal(prepared('$0N=3'), '1:103 N (N)');
    assert.equal(prepared('$0NEXT'), undefined, 'the directive is none');
  });
});
