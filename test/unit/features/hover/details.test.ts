/** All that is known of instructions, as whole reports. Pressure is that of amdgpu-print-rp. */
import assert from 'node:assert/strict';
import { provideDetails } from '../../../../server/src/features/hover/details.js';
import { atCursor, openText } from '../../../support/cursor.js';
import { describeParts, expect } from '../../../support/expect.js';
import { EACH_BANK } from '../../../support/exampleTexts.js';

/** `== line`, and the report there. */
const REPORTS = expect`
== 15
@f, line 15 (bb.0:3)
gfx900 wave64, LLVM 22.1.8

  %2.sub2:vreg_96 = COPY %0

COPY: cheap as a move
d = a, whatever the classes
  operand 0 (def)
  operand 1
latency 1 cycle (model of gfx900); takes HWVALU; 1 micro-op

VGPR 2 before, 3 at it (amdgpu-print-rp), 3 after; live peak of the function 3
SGPR 1 before, 1 at it (amdgpu-print-rp), 1 after; live peak of the function 2
AGPR 0 before, 0 at it (amdgpu-print-rp), 0 after; live peak of the function 1
occupancy here 10, function 10; room: 21 VGPR, 78 SGPR
defines %2 vreg_96 (+1)
keeps alive %0 vgpr_32

%2: vreg_96, 3 VGPRs (96 bits), divergent
  defined at line 14, line 15
  read at line 16, line 30
  divergent: it comes from COPY, which reads %0 (line 14)
    %0 is a copy of $vgpr0, the work-item (line 12)
    not in SSA form: one of the 2 instructions that write it is enough
  live in 3 of 4 blocks: bb.0 ████  bb.1 ████  bb.2 ███░
  can be rematerialized: no, it has several definitions
%0: vgpr_32, 1 VGPR (32 bits), divergent
  defined at line 12
  read at line 14, line 15, line 17, line 18, line 19, line 20, line 26
  divergent: it is a copy of $vgpr0, the work-item (line 12)
  live in 2 of 4 blocks: bb.0 ████  bb.1 ███░
  can be rematerialized: no, COPY cannot be rematerialized

waits for, latencies of the model
  line 12: Data %0, 1 cycle

== 16
@f, line 16 (bb.0:4)
gfx900 wave64, LLVM 22.1.8

  S_NOP 0, implicit %2.sub1

S_NOP: SALU, side effects
does nothing for a + 1 cycles
  simm16
latency 1 cycle (model of gfx900); takes HWSALU; 1 micro-op
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), S_NOP_gfx11 (gfx11), S_NOP_gfx12 (gfx12, gfx1250)

VGPR 3 before, 3 at it (amdgpu-print-rp), 2 after; live peak of the function 3
SGPR 1 before, 1 at it (amdgpu-print-rp), 1 after; live peak of the function 2
AGPR 0 before, 0 at it (amdgpu-print-rp), 0 after; live peak of the function 1
occupancy here 10, function 10; room: 21 VGPR, 78 SGPR
kills %2 vreg_96 (-1)

%2: vreg_96, 3 VGPRs (96 bits), divergent
  defined at line 14, line 15
  read at line 16, line 30
  divergent: it comes from COPY, which reads %0 (line 14)
    %0 is a copy of $vgpr0, the work-item (line 12)
    not in SSA form: one of the 2 instructions that write it is enough
  live in 3 of 4 blocks: bb.0 ████  bb.1 ████  bb.2 ███░
  can be rematerialized: no, it has several definitions

waits for, latencies of the model
  line 14: Data %2, 1 cycle
waited for by, latencies of the model
  line 17: Barrier, 0 cycles

== 20
@f, line 20 (bb.0:8)
gfx900 wave64, LLVM 22.1.8

  S_NOP 0, implicit %0

S_NOP: SALU, side effects
does nothing for a + 1 cycles
  simm16
latency 1 cycle (model of gfx900); takes HWSALU; 1 micro-op
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), S_NOP_gfx11 (gfx11), S_NOP_gfx12 (gfx12, gfx1250)

VGPR 2 before, 2 at it (amdgpu-print-rp), 2 after; live peak of the function 3
SGPR 1 before, 1 at it (amdgpu-print-rp), 1 after; live peak of the function 2
AGPR 0 before, 0 at it (amdgpu-print-rp), 0 after; live peak of the function 1
occupancy here 10, function 10; room: 21 VGPR, 78 SGPR
keeps alive %0 vgpr_32

%0: vgpr_32, 1 VGPR (32 bits), divergent
  defined at line 12
  read at line 14, line 15, line 17, line 18, line 19, line 20, line 26
  divergent: it is a copy of $vgpr0, the work-item (line 12)
  live in 2 of 4 blocks: bb.0 ████  bb.1 ███░
  can be rematerialized: no, COPY cannot be rematerialized

waits for, latencies of the model
  line 19: Barrier, 0 cycles
  line 12: Data %0, 1 cycle

== 22
@f, line 22 (bb.0:10)
gfx900 wave64, LLVM 22.1.8

  %agpr:agpr_32 = IMPLICIT_DEF

IMPLICIT_DEF: makes no code, rematerializable, cheap as a move
any value
  operand 0 (def)
latency 0 cycles (model of gfx900)

VGPR 2 before, 2 at it (amdgpu-print-rp), 2 after; live peak of the function 3
SGPR 2 before, 2 at it (amdgpu-print-rp), 2 after; live peak of the function 2
AGPR 0 before, 1 at it (amdgpu-print-rp), 1 after; live peak of the function 1
occupancy here 10, function 10; room: 21 VGPR, 78 SGPR
defines %agpr agpr_32 (+1)

%agpr: agpr_32, 1 AGPR (32 bits), uniform
  defined at line 22
  read at line 26
  uniform: IMPLICIT_DEF gives all lanes the same
  live in 2 of 4 blocks: bb.0 ░░░█  bb.1 ███░
  can be rematerialized: at bb.1 (AGPR -1 in 1 region, occupancy stays 10)

== 26
@f, line 26 (bb.1:0)
gfx900 wave64, LLVM 22.1.8

  S_NOP 0, implicit %0, implicit %agpr, implicit %1

S_NOP: SALU, side effects
does nothing for a + 1 cycles
  simm16
latency 1 cycle (model of gfx900); takes HWSALU; 1 micro-op
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), S_NOP_gfx11 (gfx11), S_NOP_gfx12 (gfx12, gfx1250)

VGPR 2 before, 2 at it (amdgpu-print-rp), 1 after; live peak of the function 3
SGPR 2 before, 2 at it (amdgpu-print-rp), 1 after; live peak of the function 2
AGPR 1 before, 1 at it (amdgpu-print-rp), 0 after; live peak of the function 1
occupancy here 10, function 10; room: 21 VGPR, 78 SGPR
kills %0 vgpr_32 (-1), %agpr agpr_32 (-1), %1 sreg_32 (-1)

%0: vgpr_32, 1 VGPR (32 bits), divergent
  defined at line 12
  read at line 14, line 15, line 17, line 18, line 19, line 20, line 26
  divergent: it is a copy of $vgpr0, the work-item (line 12)
  live in 2 of 4 blocks: bb.0 ████  bb.1 ███░
  can be rematerialized: no, COPY cannot be rematerialized
%agpr: agpr_32, 1 AGPR (32 bits), uniform
  defined at line 22
  read at line 26
  uniform: IMPLICIT_DEF gives all lanes the same
  live in 2 of 4 blocks: bb.0 ░░░█  bb.1 ███░
  can be rematerialized: at bb.1 (AGPR -1 in 1 region, occupancy stays 10)
%1: sreg_32, 1 SGPR (32 bits), uniform
  defined at line 13
  read at line 26
  live in 2 of 4 blocks: bb.0 ████  bb.1 ███░
  can be rematerialized: no, COPY cannot be rematerialized

== 29
@f, line 29 (bb.2:0)
gfx900 wave64, LLVM 22.1.8

  dead %5:vgpr_32 = V_MOV_B32_e32 0, implicit $exec

V_MOV_B32_e32: VALU, rematerializable, cheap as a move, moves an immediate
copies a, 32 bits
  vdst vgpr_32 (def)
  src0 vs_32 or constant
  reads $exec
latency 1 cycle (model of gfx900); takes HWVALU; 1 micro-op
encoded as V_MOV_B32_e32_gfx6_gfx7 (gfx6, gfx7), V_MOV_B32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_MOV_B32_e32_gfx10 (gfx10), V_MOV_B32_e32_gfx11 (gfx11), V_MOV_B32_e32_gfx12 (gfx12, gfx1250)
other forms: V_MOV_B32_e64, V_MOV_B32_sdwa, V_MOV_B32_dpp

VGPR 1 before, 2 at it (amdgpu-print-rp), 1 after; live peak of the function 3
SGPR 1 before, 1 at it (amdgpu-print-rp), 1 after; live peak of the function 2
AGPR 0 before, 0 at it (amdgpu-print-rp), 0 after; live peak of the function 1
occupancy here 10, function 10; room: 21 VGPR, 78 SGPR
defines %5 vgpr_32 (never read)

%5: vgpr_32, 1 VGPR (32 bits), uniform
  defined at line 29
  never read
  uniform: V_MOV_B32_e32 gives all lanes the same
  live in 1 of 4 blocks: bb.2 ░█░░

== 31
@f, line 31 (bb.2:2)
gfx900 wave64, LLVM 22.1.8

  S_ENDPGM 0

S_ENDPGM: SALU, side effects, terminator, nothing falls through, return
ends the wave
  simm16
latency 1 cycle (model of gfx900); takes HWSALU; 1 micro-op
encoded as S_ENDPGM_gfx6_gfx7 (gfx6, gfx7), S_ENDPGM_vi (gfx8, gfx9, gfx90a, gfx942), S_ENDPGM_gfx10 (gfx10), S_ENDPGM_gfx11 (gfx11), S_ENDPGM_gfx12 (gfx12, gfx1250)

VGPR 0 before, 0 at it (amdgpu-print-rp), 0 after; live peak of the function 3
SGPR 0 before, 0 at it (amdgpu-print-rp), 0 after; live peak of the function 2
AGPR 0 before, 0 at it (amdgpu-print-rp), 0 after; live peak of the function 1
occupancy here 10, function 10; room: 21 VGPR, 78 SGPR

== 5
no instruction here
`;

describeParts('details of each instruction', REPORTS, (head) => {
  const { snapshot } = openText(EACH_BANK);
  const position = { line: Number(head.slice(3)) - 1, character: 6 };
  const details = provideDetails(snapshot, { textDocument: { uri: '' }, position });
  assert.match(details, /[^\n]\n$/);
  return `${head}\n${details.slice(0, -1)}`;
});

describe('details of an instruction', () => {
  const details = (marked: string): string => {
    const { snapshot, position } = atCursor(marked);
    return provideDetails(snapshot, { textDocument: { uri: '' }, position });
  };

  it('of a function with an error: what is known without pressure', () =>
    assert.equal(
      details(
        '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n    S_N$0OP 0\n    S_ENDPGM 0, implicit %9\n...\n',
      ),
      `@f, line 6
gfx900 wave64, LLVM 22.1.8

  S_NOP 0

S_NOP: SALU, side effects
does nothing for a + 1 cycles
  simm16
latency 1 cycle (model of gfx900); takes HWSALU; 1 micro-op
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), S_NOP_gfx11 (gfx11), S_NOP_gfx12 (gfx12, gfx1250)

no pressure: llc rejects @f: Cannot determine class/bank of virtual register 9 in function 'f'
`,
    ));

  it('of generic registers: their banks in place of pressure', () => {
    const text = details(
      '# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n    %0:_(s3$02) = G_CONSTANT i32 1\n    S_ENDPGM 0, implicit %0\n...\n',
    );
    assert.match(
      text,
      /\ngeneric registers: banks sgpr 1 x 32 bit \(estimate, banks by divergence\)\n {2}sgpr 1 x 32 bit: 1 s32\n/,
    );
    assert.match(
      text,
      /\n%0: generic register, uniform\n {2}defined at line 6\n {2}read at line 7\n {2}uniform: G_CONSTANT gives all lanes the same\n {2}selection would take bank sgpr, class sreg_32 \(estimate\)\n/,
    );
  });

  it('none', () => {
    assert.equal(details('$0'), 'no function here\n');
    assert.equal(details('---\nna$0me: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n'), 'no instruction here\n');
  });
});
