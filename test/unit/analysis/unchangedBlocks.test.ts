/** Which blocks an edit left as they were: each thing that an analysis reads is changed once, in one block of ten. */
import assert from 'node:assert/strict';
import { unchangedBlocks } from '../../../server/src/analysis/unchangedBlocks.js';
import { FunctionResults } from '../../../server/src/host/functionResults.js';
import type { LoweredFunction } from '../../../server/src/model/lowering/lowerFile.js';
import type { MachineFunction } from '../../../server/src/model/machineFunction.js';
import { parseMirFile, updateMirFile } from '../../../server/src/syntax/index.js';
import { SourceText } from '../../../server/src/text/sourceText.js';
import { Interner } from '../../../server/src/util/interner.js';

const TARGET = { triple: 'amdgcn-amd-amdhsa', cpu: 'gfx90a', features: '' };

const TEXT = `--- |
  define amdgpu_kernel void @f() {
  one:
    ret void
  two:
    ret void
  }
  declare void @g()
  declare void @h()
...
---
name: f
tracksRegLiveness: true
stack:
  - { id: 0, size: 4, alignment: 4 }
  - { id: 1, size: 4, alignment: 4 }
registers:
  - { id: 9, class: vgpr_32 }
  - { id: 8, class: sreg_64 }
  - { id: 7, class: vreg_64 }
body: |
  bb.0:
    successors: %bb.1(0x60000000), %bb.4(0x20000000)
    liveins: $vgpr0, $sgpr0_sgpr1
    %0:vgpr_32 = COPY $vgpr0
    S_CBRANCH_SCC1 %bb.4, implicit undef $scc

  bb.1:
    liveins: $sgpr0_sgpr1, $vgpr1:0x0000000000000001
    %1:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %2:vgpr_32 = V_ADD_F32_e64 0, %0, 0, %1, 0, 0, implicit $mode, implicit $exec
    S_NOP 0, implicit %2, implicit undef $vgpr5
    early-clobber %8:sreg_64 = S_LOAD_DWORDX2_IMM $sgpr0_sgpr1, 0, 0
    undef %7.sub0:vreg_64 = COPY %0
    BUNDLE implicit-def $vgpr6, implicit $exec {
      $vgpr6 = V_MOV_B32_e32 2, implicit $exec
    }

  bb.2 (machine-block-address-taken):
    %5:vgpr_32 = nnan V_ADD_F32_e64 0, %0, 0, %0, 0, 0, implicit $mode, implicit $exec
    %6:vgpr_32 = V_FMAC_F32_e32 %0, %0, %5(tied-def 0), implicit $mode, implicit $exec

  bb.3 (landing-pad):
    S_NOP 0

  bb.4:
    S_NOP 0, implicit %6
    S_BRANCH %bb.5

  bb.5:
    %10:vgpr_32 = V_MOV_B32_e32 %stack.0, implicit $exec
    %11:sreg_32 = S_MOV_B32 target-flags(amdgpu-rel32-lo) @g
    S_NOP 2, implicit undef %10

  bb.6:
    %12:sreg_64 = S_LOAD_DWORDX2_IMM undef $sgpr0_sgpr1, 0, 0 :: (load (s64), addrspace 4)

  bb.7:
    %13:vgpr_32 = V_MOV_B32_e32 7, implicit $exec, pre-instr-symbol <mcsymbol .a>

  bb.8:
    INLINEASM &"v_nop", 1

  bb.9:
    S_NOP 1, debug-instr-number 3
    S_ENDPGM 0
...
`;

class Versions {
  private readonly results = new FunctionResults(false);
  private file = parseMirFile(new SourceText(TEXT), new Interner());

  replace(from: string, to: string): void {
    const { text } = this.file.text;
    const start = text.indexOf(from);
    assert.ok(start >= 0 && text.indexOf(from, start + 1) < 0, `${from} stands there once`);
    const edit = { start, end: start + from.length, text: to };
    this.file = updateMirFile(this.file, this.file.text.apply(edit), [edit]);
  }

  get lowered(): LoweredFunction {
    return this.results.model(this.file, TARGET).functions[0]!;
  }

  get fn(): MachineFunction {
    const { lowered } = this;
    assert.deepEqual(lowered.diagnostics, [], this.file.text.text);
    return lowered.fn!;
  }
}

/** Blocks up to this one hold nothing but registers and numbers. */
const LAST_PLAIN = 4;

/** Changed text, text instead, blocks that count as changed; null: all of them. */
const CHANGES: readonly (readonly [string, string, readonly number[] | null])[] = [
  ['V_MOV_B32_e32 1', 'V_MOV_B32_e32 3', [1]],
  ['V_MOV_B32_e32 1', 'V_MOV_B32_e32 4294967297', [1]],
  ['V_MOV_B32_e32 1', 'V_MOV_B32_e32 -4294967295', [1]],
  ['%1:vgpr_32 = V_MOV_B32_e32 1', '%1:vgpr_32 = V_NOT_B32_e32 1', [1]],
  ['V_ADD_F32_e64 0, %0, 0, %1', 'V_ADD_F32_e64 0, %1, 0, %1', [1]],
  ['V_ADD_F32_e64 0, %0, 0, %1', 'V_ADD_F32_e64 0, killed %0, 0, %1', [1]],
  ['V_ADD_F32_e64 0, %0, 0, %1', 'V_ADD_F32_e64 1, %0, 0, %1', [1]],
  ['%2:vgpr_32 = V_ADD_F32_e64 0, %0', '%2:vgpr_32 = nofpexcept V_ADD_F32_e64 0, %0', [1]],
  ['implicit undef $vgpr5', 'implicit undef $vgpr6', [1]],
  ['implicit %2, implicit undef $vgpr5', 'implicit %2', [1]],
  ['implicit %2, implicit undef $vgpr5', 'implicit undef $vgpr5, implicit %2', [1]],
  ['early-clobber %8', '%8', [1]],
  ['%7.sub0:', '%7.sub1:', [1]],
  ['undef %7.sub0', '%7.sub0', [1]],
  ['(load (s64), addrspace 4)', '(volatile load (s64), addrspace 4)', [6]],
  ['(load (s64), addrspace 4)', '(load (s64), align 4, addrspace 4)', [6]],
  ['%stack.0', '%stack.1', [5]],
  ['<mcsymbol .a>', '<mcsymbol .b>', [7]],
  [', pre-instr-symbol <mcsymbol .a>', '', [7]],
  ['amdgpu-rel32-lo', 'amdgpu-rel32-hi', [5]],
  ['-lo) @g', '-lo) @h', [5]],
  ['-lo) @g', '-lo) @g + 4', [5]],
  ['&"v_nop"', '&"s_nop"', [8]],
  ['debug-instr-number 3', 'debug-instr-number 4', [9]],
  ['S_NOP 1, debug-instr-number 3', 'S_NOP 1', [9]],
  ['      $vgpr6 = V_MOV', '      internal $vgpr6 = V_MOV', [1]],
  [
    'BUNDLE implicit-def $vgpr6, implicit $exec {\n',
    'BUNDLE implicit-def $vgpr6, implicit $exec {\n      S_NOP 0\n',
    [1],
  ],
  [' {\n      $vgpr6 = V_MOV_B32_e32 2, implicit $exec\n    }', '\n    $vgpr6 = V_MOV_B32_e32 2, implicit $exec', [1]],
  ['liveins: $sgpr0_sgpr1, $vgpr1:0x0000000000000001', 'liveins: $sgpr0_sgpr1', [1]],
  ['$vgpr1:0x0000000000000001', '$vgpr1:0x0000000000000002', [1]],
  ['$vgpr1:0x0000000000000001', '$vgpr2:0x0000000000000001', [1]],
  ['$vgpr1:0x0000000000000001', '$vgpr1:0x0000000000000001, $vgpr2', [1]],
  ['nnan V_ADD', 'ninf V_ADD', [2]],
  ['%5(tied-def 0)', '%5', [2]],
  ['bb.2 (machine-block-address-taken):', 'bb.2:', [2]],
  [
    'bb.2 (machine-block-address-taken):',
    'bb.2 (machine-block-address-taken, ir-block-address-taken %ir-block.one):',
    [2],
  ],
  ['bb.2 (machine-block-address-taken):', 'bb.2 (machine-block-address-taken, call-frame-size 8):', [2]],
  ['bb.2 (machine-block-address-taken):', 'bb.2 (machine-block-address-taken, ehfunclet-entry):', [2]],
  ['bb.2 (machine-block-address-taken):', 'bb.2 (machine-block-address-taken, ehscope-entry):', [2]],
  ['bb.3 (landing-pad):', 'bb.3:', [3]],
  ['bb.3 (landing-pad):', 'bb.3 (landing-pad, inlineasm-br-indirect-target):', [3]],
  ['%bb.1(0x60000000), %bb.4(0x20000000)', '%bb.1(0x40000000), %bb.4(0x40000000)', [0]],
  // Edges count at both ends.
  ['%bb.1(0x60000000), %bb.4(0x20000000)', '%bb.4(0x60000000)', [0, 1]],
  ['    S_NOP 0, implicit %6\n', '', [4]],
  ['    S_NOP 0, implicit %6\n', '    S_NOP 0, implicit %6\n    S_NOP 2\n', [4]],
  ['S_ENDPGM 0', 'S_ENDPGM 0 ; a word', []],
  ['S_NOP 2, implicit undef %10', 'S_NOP 2,  implicit undef %10', []],
  ['%2:vgpr_32 =', '%2:vgpr_32   =', []],
  ['id: 9, class: vgpr_32', 'id: 9, class: vgpr_16', null],
  ['id: 9, class: vgpr_32', 'id: 9, class: _', null],
  ['  - { id: 9, class: vgpr_32 }\n', '  - { id: 9, class: vgpr_32 }\n  - { id: 14, class: vgpr_32 }\n', null],
  ['tracksRegLiveness: true', 'tracksRegLiveness: true\nisSSA: false', null],
  ['tracksRegLiveness: true', 'tracksRegLiveness: true\nnoPhis: true', null],
  ['tracksRegLiveness: true', 'tracksRegLiveness: true\nnoVRegs: false', null],
  ['tracksRegLiveness: true', 'tracksRegLiveness: true\nhasFakeUses: true', null],
  ['\n  bb.4:', '\n  bb.10:\n\n  bb.4:', null],
  // What is found out of the body, where the header does not say it.
  ['    S_NOP 0, implicit %6\n', '    %9:vgpr_32 = PHI %0, %bb.0, %1, %bb.3\n', null],
  ['S_NOP 2, implicit undef %10', 'FAKE_USE %10', null],
];

describe('blocks that an edit left as they were', () => {
  CHANGES.forEach(([from, to, changed]) => {
    it(`${from.trim().slice(0, 50)} -> ${to.trim().slice(0, 50)}`, () => {
      const versions = new Versions();
      const before = versions.fn;
      versions.replace(from, to);
      const now = versions.fn;
      const got = unchangedBlocks(before, now);
      if (changed === null) {
        assert.equal(got, null);
        return;
      }
      assert.ok(got);
      // Memory operands, symbols and the like are new objects where their text was parsed again: what has them counts as changed.
      const isShared = (k: number): boolean => k <= LAST_PLAIN;
      got.forEach((same, k) => {
        if (isShared(k) || changed.includes(k)) assert.equal(same, changed.includes(k) ? 0 : 1, `bb.${k}`);
      });
    });
  });

  it('are none where instructions stand before the first block, whose ids shift all others', () => {
    const versions = new Versions();
    versions.replace('  bb.0:\n', '  b?b.0:\n');
    const before = versions.lowered.fn!;
    assert.ok(before.blocks.length > 0 && before.blockBegin[0]! > 0);
    versions.replace('    S_CBRANCH_SCC1 %bb.4, implicit undef $scc\n', '');
    assert.equal(unchangedBlocks(before, versions.lowered.fn!), null);
  });

  it('are none where a second definition ends SSA form, and all others where it had ended before', () => {
    const versions = new Versions();
    const twoDefs = '%1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec\n    S_NOP 0, implicit %6';
    let before = versions.fn;
    versions.replace('S_NOP 0, implicit %6', twoDefs);
    assert.deepEqual([...unchangedBlocks(before, versions.fn)!.subarray(0, 5)], [1, 1, 1, 1, 0]);
    versions.replace(twoDefs, 'S_NOP 0, implicit %6');
    versions.replace('    undef %7.sub0:vreg_64 = COPY %0\n', '');
    before = versions.fn;
    assert.equal(before.header.isSSA, true);
    versions.replace('S_NOP 0, implicit %6', twoDefs);
    assert.equal(versions.fn.header.isSSA, false);
    assert.equal(unchangedBlocks(before, versions.fn), null);
  });
});
