/** Texts that tests of several features ask about. */

/** A function of four blocks with registers of each bank, in parts, unused and killed nowhere. */
export const EACH_BANK = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1(0x70000000), %bb.2(0x10000000)
    liveins: $vgpr0, $vgpr1, $vgpr2, $vgpr3, $vgpr4, $vgpr5, $vgpr6, $vgpr7, $vgpr8, $vgpr9, $vgpr10, $vgpr11, $vgpr12, $vgpr13, $vgpr14, $vgpr15, $sgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr0
    undef %2.sub1:vreg_96 = COPY %0
    %2.sub2:vreg_96 = COPY %0
    S_NOP 0, implicit %2.sub1
    S_NOP 0, implicit %0
    S_NOP 0, implicit %0
    S_NOP 0, implicit %0
    S_NOP 0, implicit %0
    %3:sreg_32 = S_MOV_B32 7
    %agpr:agpr_32 = IMPLICIT_DEF
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.1:
    S_NOP 0, implicit %0, implicit %agpr, implicit %1

  bb.2:
    dead %5:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_NOP 0, implicit %2.sub2, implicit %3
    S_ENDPGM 0

  bb.3:
    S_ENDPGM 0
...
`;

/** A function of nine blocks with more live registers than a list names. */
export const MANY_BLOCKS = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s
---
name: g
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    %ag:areg_64_align2 = IMPLICIT_DEF
    %1:sreg_32 = S_MOV_B32 1
    %2:sreg_32 = S_MOV_B32 2
    %3:sreg_32 = S_MOV_B32 3
    %4:sreg_32 = S_MOV_B32 4
    %5:sreg_32 = S_MOV_B32 5
    %6:sreg_32 = S_MOV_B32 6
    %7:sreg_32 = S_MOV_B32 7
    %8:sreg_32 = S_MOV_B32 8
    %9:sreg_32 = S_MOV_B32 9
    %10:sreg_32 = S_MOV_B32 10
    %11:sreg_32 = S_MOV_B32 11
    %12:sreg_32 = S_MOV_B32 12
    %13:sreg_32 = S_MOV_B32 13
    %14:sreg_32 = S_MOV_B32 14
    %15:sreg_32 = S_MOV_B32 15
    %16:sreg_32 = S_MOV_B32 16
    %17:sreg_32 = S_MOV_B32 17

  bb.1:
    successors: %bb.2

    S_NOP 0

  bb.2:
    successors: %bb.2(0x7e000000), %bb.3(0x02000000)

    S_NOP 0
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.3:
    successors: %bb.1(0x40000000), %bb.4(0x40000000)

    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.4:
    successors: %bb.5(0x00010000), %bb.6(0x7fff0000)

    S_CBRANCH_SCC1 %bb.6, implicit undef $scc

  bb.5:
    successors: %bb.6

    S_NOP 0

  bb.6:
    successors: %bb.7

    S_NOP 0

  bb.7:
    successors: %bb.8

    S_NOP 0

  bb.8:
    S_NOP 0, implicit %0, implicit %ag, implicit %1, implicit %2, implicit %3, implicit %4, implicit %5, implicit %6, implicit %7, implicit %8, implicit %9, implicit %10, implicit %11, implicit %12, implicit %13, implicit %14, implicit %15, implicit %16, implicit %17
    S_ENDPGM 0
...
`;

/** Calls with masks of their own, beside registers that live across them. */
export const CALLS = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
---
name: f
machineFunctionInfo:
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  stackPtrOffsetReg: '$sgpr32'
body: |
  bb.0:
    liveins: $sgpr4_sgpr5, $vgpr0, $vgpr1, $vgpr2, $vgpr3, $vgpr4, $vgpr40, $vgpr41, $sgpr34

    $sgpr30_sgpr31 = SI_CALL $sgpr4_sgpr5, 0, csr_amdgpu
    S_NOP 0, implicit $vgpr0, implicit $vgpr1, implicit $vgpr2, implicit $vgpr3, implicit $vgpr4, implicit $vgpr40, implicit $vgpr41, implicit $sgpr34
    $sgpr4_sgpr5 = S_MOV_B64 0
    $vgpr5 = V_MOV_B32_e32 0, implicit $exec
    $vgpr6 = V_MOV_B32_e32 0, implicit $exec
    $vgpr7 = V_MOV_B32_e32 0, implicit $exec
    $vgpr9 = V_MOV_B32_e32 0, implicit $exec
    $sgpr30_sgpr31 = SI_CALL $sgpr4_sgpr5, 0, CustomRegMask($vgpr3)
    S_NOP 0, implicit $vgpr9, implicit $vgpr7, implicit $vgpr6, implicit $vgpr5
    $sgpr4_sgpr5 = S_MOV_B64 1
    $sgpr30_sgpr31 = SI_CALL $sgpr4_sgpr5, 0, csr_amdgpu
    S_NOP 0
    S_ENDPGM 0
...
`;
