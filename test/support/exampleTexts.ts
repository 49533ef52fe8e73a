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

/** A region that the scheduler reorders before one that it leaves, and a function that llc-22 refuses. */
export const ONE_REGION = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=machine-scheduler -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
    ; the load
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    %4:vgpr_32 = V_XOR_B32_e32 7, %1, implicit $exec
    %5:vgpr_32 = V_NOT_B32_e32 %4, implicit $exec
    %6:vgpr_32 = V_MUL_LO_U32_e64 %5, killed %4, implicit $exec
    S_BARRIER
    %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %3, implicit %6, implicit %7
...
---
name: broken
body: |
  bb.0:
    S_ENDPGM 0, implicit %0
...
`;

/** A function for each source of divergence, and for what carries it on. */
export const UNIFORMITIES = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: sources
tracksRegLiveness: true
stack:
  - { id: 0, size: 4 }
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1_vgpr2, $sgpr0

    %0:_(s32) = COPY $vgpr0
    %1:_(p0) = COPY $vgpr1_vgpr2
    %2:_(s32) = COPY $sgpr0
    %3:_(s32) = G_ATOMICRMW_ADD %1(p0), %2 :: (load store (s32))
    %4:_(s32) = G_INTRINSIC intrinsic(@llvm.amdgcn.mbcnt.lo), %2(s32), %2(s32)
    %5:_(p0) = G_INTTOPTR %2(s32)
    %6:_(s32) = G_LOAD %5(p0) :: (load (s32))
    %7:_(s32) = G_LOAD %5(p0)
    %8:_(p5) = G_FRAME_INDEX %stack.0
    %9:_(p0) = G_ADDRSPACE_CAST %8(p5)
    %10:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %11:vgpr_32 = V_ADD_U32_e32 %10, %10, implicit $exec
    %12:vgpr_32 = V_MBCNT_LO_U32_B32_e64 %10, %10, implicit $exec
    %13:sreg_32_xm0 = V_READFIRSTLANE_B32 %10, implicit $exec
    %14:sreg_64 = V_CMP_EQ_U32_e64 %10, %10, implicit $exec
    %15:sreg_64 = V_CMP_EQ_U32_e64 %12, %10, implicit $exec
    %16:vgpr_32 = DS_READ_B32 %10, 0, 0, implicit $m0, implicit $exec
    dead %18:_(s32) = G_LOAD %8(p5) :: (load (s32), addrspace 5)
    dead %19:_(s32) = G_LOAD %5(p0) :: (load (s32), addrspace 1)
    %17:_(s32) = G_ADD %3, %4
    S_ENDPGM 0, implicit %17
...
---
name: join
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    liveins: $vgpr0

    %0:_(s32) = COPY $vgpr0
    %1:_(s32) = G_CONSTANT i32 1
    %2:_(s32) = G_CONSTANT i32 2
    %3:_(s1) = G_ICMP intpred(eq), %0(s32), %1
    G_BRCOND %3(s1), %bb.2

  bb.1:
    %4:_(s32) = G_ADD %1, %2

  bb.2:
    %5:_(s32) = G_PHI %1(s32), %bb.0, %4(s32), %bb.1
    %6:_(s32) = G_ADD %5, %5
    S_ENDPGM 0, implicit %6
...
---
name: irreducible
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0

    %0:_(s32) = COPY $vgpr0
    %1:_(s32) = G_CONSTANT i32 1
    %3:_(s1) = G_ICMP intpred(eq), %0(s32), %1
    G_BRCOND %3(s1), %bb.2

  bb.1:
    successors: %bb.2, %bb.3

    %4:_(s32) = G_PHI %1(s32), %bb.0, %5(s32), %bb.2
    %6:_(s32) = G_ADD %4, %1
    %7:_(s1) = G_ICMP intpred(eq), %6(s32), %1
    G_BRCOND %7(s1), %bb.3

  bb.2:
    successors: %bb.1

    %5:_(s32) = G_PHI %1(s32), %bb.0, %6(s32), %bb.1
    G_BR %bb.1

  bb.3:
    S_ENDPGM 0, implicit %6
...
---
name: exits
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0

    %0:_(s32) = COPY $vgpr0
    %1:_(s32) = G_CONSTANT i32 1

  bb.1:
    successors: %bb.1, %bb.2

    %4:_(s32) = G_PHI %1(s32), %bb.0, %5(s32), %bb.1
    %5:_(s32) = G_ADD %4, %1
    %7:_(s1) = G_ICMP intpred(eq), %5(s32), %0
    G_BRCOND %7(s1), %bb.1

  bb.2:
    successors: %bb.3, %bb.4

    %8:_(s32) = G_PHI %5(s32), %bb.1
    %9:_(s1) = G_ICMP intpred(eq), %5(s32), %1
    G_BRCOND %9(s1), %bb.4

  bb.3:
    S_NOP 0

  bb.4:
    S_ENDPGM 0, implicit %8, implicit %4
...
---
name: uniform
tracksRegLiveness: true
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32 1
    S_ENDPGM 0, implicit %0
...
---
name: mask
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr0
    %2:vgpr_32 = V_ADD_U32_e64 %0, %0, 0, implicit $exec
    %3:sreg_64 = V_CMP_EQ_U32_e64 %2, %1, implicit $exec
    %4:sreg_64 = SI_IF %3, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec

  bb.1:
    %5:vgpr_32 = V_MOV_B32_e32 1, implicit $exec

  bb.2:
    %8:vgpr_32 = PHI undef %0, %bb.0, %5, %bb.1
    SI_END_CF %4, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0, implicit %8
...
---
name: regions
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = V_CMP_EQ_U32_e64 %0, 1, implicit $exec
    %2:sreg_64 = SI_IF %1, %bb.2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec

  bb.1:
    %3:sreg_64 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, implicit $exec
    %4:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    $exec = EXIT_STRICT_WWM %3
    S_NOP 0

  bb.2:
    SI_END_CF %2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    %5:sreg_64 = S_AND_SAVEEXEC_B64 %1, implicit-def $exec, implicit-def dead $scc, implicit $exec
    S_NOP 1
    S_ENDPGM 0
...
`;

/** Registers of every bank in a loop; functions that are empty, allocated, generic, broken, without a body. */
export const FUNCTIONS_OF_ALL_KINDS = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $sgpr4

    %far:vgpr_32 = COPY $vgpr0
    %k:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %l:vgpr_32 = V_MOV_B32_e32 8, implicit $exec
    %s:sreg_32 = COPY $sgpr4
    %ag:areg_128_align2 = IMPLICIT_DEF

  bb.1:
    successors: %bb.1, %bb.2

    %pair:vreg_64_align2 = IMPLICIT_DEF
    S_SETPRIO 1
    undef %wide.sub0:vreg_128_align2 = V_MOV_B32_e32 1, implicit $exec
    %wide.sub2:vreg_128_align2 = V_MOV_B32_e32 2, implicit $exec
    %sum:vgpr_32 = V_ADD_U32_e32 %wide.sub0, %wide.sub2, implicit $exec
    %sum:vgpr_32 = V_ADD_U32_e32 %sum, %pair.sub0, implicit $exec
    dead %none:vgpr_32 = V_MOV_B32_e32 %sum, implicit $exec
    S_SETPRIO 2
    %end:vgpr_32 = V_ADD_U32_e32 %sum, %k, implicit $exec
    %other:vgpr_32 = V_ADD_U32_e32 %end, %pair.sub1, implicit $exec
    S_CMP_EQ_U32 %s, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit $scc

  bb.2:
    BUNDLE implicit-def %b:vgpr_32, implicit %far, implicit $exec {
      %b:vgpr_32 = V_ADD_U32_e32 %far, %far, implicit $exec
      S_NOP 0
    }
    S_ENDPGM 0, implicit %far, implicit %k, implicit %other, implicit %l, implicit %ag, implicit %b
...
---
name: empty
tracksRegLiveness: true
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
---
name: allocated
tracksRegLiveness: true
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 0, implicit $exec
    S_ENDPGM 0, implicit $vgpr0
...
---
name: generic
tracksRegLiveness: true
body: |
  bb.0:
    %0:_(s32) = G_CONSTANT i32 0
    %1:sgpr(s64) = G_CONSTANT i64 0
    S_ENDPGM 0, implicit %0, implicit %1
...
---
name: broken
body: |
  bb.0:
    S_ENDPGM 0, implicit %0
...
---
name: bodyless
...
`;

/** Lanes part at a branch and leave a loop at different times; registers that can be of either bank. */
export const LANES_PART = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a %s
---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1, %bb.3
    liveins: $vgpr0

    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_64 = V_CMP_EQ_U32_e64 %0, 1, implicit $exec
    %2:sreg_64 = SI_IF %1, %bb.3, implicit-def dead $exec, implicit-def dead $scc, implicit $exec

  bb.1:
    successors: %bb.1, %bb.2

    %3:agpr_32 = IMPLICIT_DEF
    dead early-clobber %5:av_64_align2 = IMPLICIT_DEF
    SI_LOOP %1, %bb.1, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_BRANCH %bb.2

  bb.2:
    successors: %bb.3

    %6:av_32 = IMPLICIT_DEF
    S_NOP 0, implicit %3

  bb.3:
    SI_END_CF %2, implicit-def dead $exec, implicit-def dead $scc, implicit $exec
    S_ENDPGM 0
...
`;
