/** machine-cse, peephole-opt, early-machinelicm, machine-sink and AGPRs in si-fold-operands at their edges, as llc-22; what they do is in docs/llvm/improving-ssa.md. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { needsLlc24, runLlc24 } from '../../support/llc24.js';
import { runLlcJob } from '../../support/llcJobs.js';
import { runLlcOnText } from '../../support/schedule.js';

interface Case {
  readonly text: string;
  readonly passes: readonly string[];
  readonly cpus?: readonly string[];
  /** what llc's output has or has not, so that the text keeps being a case of this */
  readonly has?: RegExp;
}

/** Vector instructions on both sides of a change of EXEC. */
const EXEC = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0_sgpr1, $sgpr2_sgpr3
    %0:vgpr_32 = COPY $vgpr0
    %9:sreg_64 = COPY $sgpr0_sgpr1
    %1:sreg_64_xexec = V_CMP_EQ_U32_e64 %0, %0, implicit $exec
    %2:sreg_64 = S_AND_B64 %1, $exec, implicit-def dead $scc
    %11:sreg_64_xexec = V_CMP_LT_U32_e64 %0, %0, implicit $exec
    %12:sreg_64 = S_OR_B64 %11, %9, implicit-def dead $scc
    %3:sreg_32_xm0 = V_READFIRSTLANE_B32 %0, implicit $exec
    %14:vgpr_32 = V_MOV_B32_dpp undef %94:vgpr_32, %0, 1, 15, 15, 1, implicit $exec
    %15:vgpr_32 = V_MBCNT_LO_U32_B32_e64 %0, 0, implicit $exec
    %16:vgpr_32, %26:sreg_64 = V_ADD_CO_U32_e64 %0, %0, 0, implicit $exec
    %36:vgpr_32 = V_PERMLANE16_B32_e64 0, %0, 0, 1, 0, 1, %0, 0, implicit $exec
    $exec = S_MOV_B64 %9
    %4:sreg_64_xexec = V_CMP_EQ_U32_e64 %0, %0, implicit $exec
    %5:sreg_64 = S_AND_B64 %4, $exec, implicit-def dead $scc
    %31:sreg_64_xexec = V_CMP_LT_U32_e64 %0, %0, implicit $exec
    %32:sreg_64 = S_OR_B64 %31, %9, implicit-def dead $scc
    %6:sreg_32_xm0 = V_READFIRSTLANE_B32 %0, implicit $exec
    %17:vgpr_32 = V_MOV_B32_dpp undef %94:vgpr_32, %0, 1, 15, 15, 1, implicit $exec
    %18:vgpr_32 = V_MBCNT_LO_U32_B32_e64 %0, 0, implicit $exec
    %19:vgpr_32, %29:sreg_64 = V_ADD_CO_U32_e64 %0, %0, 0, implicit $exec
    %39:vgpr_32 = V_PERMLANE16_B32_e64 0, %0, 0, 1, 0, 1, %0, 0, implicit $exec
    S_NOP 0, implicit %2, implicit %12, implicit %3, implicit %14, implicit %15, implicit %16, implicit %26, implicit %36
    S_NOP 0, implicit %5, implicit %32, implicit %6, implicit %17, implicit %18, implicit %19, implicit %29, implicit %39
    S_ENDPGM 0
...
`;

/** Blocks of IR, so that something may be hoisted: the sum is computed in both arms and behind them. */
const TWO_WAYS = `--- |
  define void @f(i32 %c) { 
  entry:
    %t = icmp eq i32 %c, 0
    br i1 %t, label %a, label %b
  a:
    br label %c1
  b:
    br label %c1
  c1:
    ret void
  }
  define void @opt() noinline optnone { ret void }
...
---
name: opt
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32 1
    %1:sreg_32 = S_MOV_B32 1
    S_ENDPGM 0, implicit %0, implicit %1
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0.entry:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr4, $sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:sreg_32 = COPY $sgpr4
    %2:sreg_32 = COPY $sgpr5
    %20:sreg_32 = COPY %1
    %3:sreg_32 = S_MOV_B32 5
    S_CMP_EQ_U32 %1, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
  bb.1.a:
    successors: %bb.3
    %4:sreg_32 = S_MUL_I32 %1, %2
    %5:sreg_32 = S_MUL_HI_U32 %1, %2
    S_CMP_EQ_U32 %1, 0, implicit-def $scc
    %6:sreg_32 = S_CSELECT_B32 %1, %2, implicit $scc
    %7:sreg_32 = S_MOV_B32 5
    S_NOP 0, implicit %4, implicit %6, implicit %5, implicit %7
    DBG_VALUE %20, $noreg
    S_BRANCH %bb.3
  bb.2.b:
    successors: %bb.3
    %8:sreg_32 = S_MUL_I32 %2, %1
    %9:vgpr_32 = V_ADD_U32_e64 %0, %1, 0, implicit $exec
    %10:vgpr_32 = V_ADD_U32_e64 %20, %0, 0, implicit $exec
    S_NOP 0, implicit %8, implicit %9, implicit %10
  bb.3.c1:
    %11:sreg_32 = S_MUL_I32 %1, %2
    %12:vgpr_32 = V_ADD_U32_e64 %1, %0, 0, implicit $exec
    %13:sreg_32 = S_MUL_HI_U32 %1, %2
    %14:sreg_32 = S_ADD_I32 %1, %2, implicit-def $scc
    %15:sreg_32 = S_ADDC_U32 %1, %2, implicit-def $scc, implicit $scc
    %16:sreg_32 = S_ADD_I32 %2, %1, implicit-def dead $scc
    %17:sreg_32 = S_MOV_B32 5
    S_NOP 0, implicit killed %11, implicit %12, implicit %13, implicit %3, implicit %14, implicit %15, implicit killed %16
    S_ENDPGM 0, implicit %17
...
`;

/** What is equal but for what may not differ. */
const DIFFERENCES = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_64 = COPY $sgpr4_sgpr5
    %3:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 0, 0 :: (dereferenceable invariant load (s32), addrspace 4)
    %4:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 0, 0 :: (dereferenceable invariant load (s32), addrspace 4)
    %5:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 4, 0 :: (load (s32), addrspace 4)
    %6:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 4, 0 :: (load (s32), addrspace 4)
    %7:vgpr_32 = nofpexcept V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec
    %8:vgpr_32 = nnan nofpexcept V_ADD_F32_e32 %1, %0, implicit $mode, implicit $exec
    %9:vgpr_32 = V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec
    %10:vgpr_32 = nofpexcept V_SUB_F32_e32 %0, %1, implicit $mode, implicit $exec
    %11:vgpr_32 = nofpexcept V_SUBREV_F32_e32 %1, %0, implicit $mode, implicit $exec
    S_SETREG_IMM32_B32 3, 1, implicit-def $mode, implicit $mode
    %12:vgpr_32 = nofpexcept V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec
    %13:vgpr_32 = nofpexcept V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec
    %14:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %15:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %16:vgpr_32 = COPY %15
    %17:vgpr_32 = COPY %16
    %18:vgpr_32 = V_ADD_U32_e32 %17, %0, implicit $exec
    %19:vgpr_32 = V_ADD_U32_e32 %14, %0, implicit $exec
    %20:sreg_32 = S_GETREG_B32 6154, implicit $mode
    %21:sreg_32 = S_GETREG_B32 6154, implicit $mode
    $m0 = S_MOV_B32 1
    %22:sreg_32 = S_MOV_B32 3
    $m0 = COPY %22
    %23:sreg_32 = S_MOV_B32 3
    $m0 = COPY %23
    S_NOP 0, implicit %3, implicit %4, implicit %5, implicit %6, implicit %7, implicit %8, implicit %9, implicit %10, implicit %11
    S_NOP 0, implicit %12, implicit %13, implicit %18, implicit %19, implicit %20, implicit %21
    S_ENDPGM 0
...
`;

/** Comparisons, and instructions that leave SCC as they would. */
const COMPARISONS = `---
name: t_S_OR_B32_LG_U32
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1, $sgpr4_sgpr5, $sgpr6_sgpr7
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %10:sreg_64 = COPY $sgpr4_sgpr5
    %11:sreg_64 = COPY $sgpr6_sgpr7
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_LG_U32 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: t_S_OR_B32_EQ_I32
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1, $sgpr4_sgpr5, $sgpr6_sgpr7
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %10:sreg_64 = COPY $sgpr4_sgpr5
    %11:sreg_64 = COPY $sgpr6_sgpr7
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_I32 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: t_S_ADD_I32_LG_U32
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1, $sgpr4_sgpr5, $sgpr6_sgpr7
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %10:sreg_64 = COPY $sgpr4_sgpr5
    %11:sreg_64 = COPY $sgpr6_sgpr7
    %2:sreg_32 = S_ADD_I32 %0, %1, implicit-def $scc
    S_CMP_LG_U32 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: t_S_MIN_U32_EQ_U32
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1, $sgpr4_sgpr5, $sgpr6_sgpr7
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %10:sreg_64 = COPY $sgpr4_sgpr5
    %11:sreg_64 = COPY $sgpr6_sgpr7
    %2:sreg_32 = S_MIN_U32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: t_S_BCNT1_I32_B64_LG_U32
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1, $sgpr4_sgpr5, $sgpr6_sgpr7
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %10:sreg_64 = COPY $sgpr4_sgpr5
    %11:sreg_64 = COPY $sgpr6_sgpr7
    %2:sreg_32 = S_BCNT1_I32_B64 %10, implicit-def $scc
    S_CMP_LG_U32 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: t_S_XOR_B64_LG_U64
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1, $sgpr4_sgpr5, $sgpr6_sgpr7
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %10:sreg_64 = COPY $sgpr4_sgpr5
    %11:sreg_64 = COPY $sgpr6_sgpr7
    %2:sreg_64 = S_XOR_B64 %10, %11, implicit-def $scc
    S_CMP_LG_U64 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: t_S_XOR_B64_EQ_U64
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1, $sgpr4_sgpr5, $sgpr6_sgpr7
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %10:sreg_64 = COPY $sgpr4_sgpr5
    %11:sreg_64 = COPY $sgpr6_sgpr7
    %2:sreg_64 = S_XOR_B64 %10, %11, implicit-def $scc
    S_CMP_EQ_U64 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: mask
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_AND_B32 %0, 8, implicit-def dead $scc
    S_CMP_EQ_U32 killed %2, 8, implicit-def $scc
    %3:sreg_32 = S_CSELECT_B32 %0, %1, implicit $scc
    %4:sreg_32 = S_AND_B32 16, %0, implicit-def dead $scc
    S_CMP_EQ_U32 killed %4, 0, implicit-def $scc
    %5:sreg_32 = S_CSELECT_B32 %0, %1, implicit $scc
    %6:sreg_32 = S_AND_B32 16, %0, implicit-def dead $scc
    S_CMP_LG_U32 %6, 16, implicit-def $scc
    %7:sreg_32 = S_CSELECT_B32 %6, %1, implicit $scc
    %8:sreg_32 = S_AND_B32 %0, -2147483648, implicit-def dead $scc
    S_CMP_GT_I32 killed %8, 0, implicit-def $scc
    %9:sreg_32 = S_CSELECT_B32 %7, %1, implicit $scc
    %10:sreg_64 = S_CSELECT_B64 -1, 0, implicit $scc
    %11:sreg_32 = COPY %10.sub0
    %12:sreg_32 = COPY %10.sub1
    %13:sreg_32 = S_OR_B32 %11, %12, implicit-def dead $scc
    S_CMP_LG_U32 killed %13, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0, implicit %3, implicit %5
  bb.2:
    S_ENDPGM 0, implicit %9
...
---
name: fixed
tracksRegLiveness: true
body: |
  bb.0:
    %0:sreg_32 = COPY $m0
    %1:sreg_32 = S_MOV_B32 7
    $m0 = COPY %0
    $m0 = COPY %1
    $m0 = COPY %0
    %2:sreg_64 = COPY $exec
    %3:sreg_64 = COPY $exec
    INLINEASM &"", 1
    $exec = COPY %2
    S_ENDPGM 0, implicit %3
...
`;

/** Parts of registers that come from somewhere else. */
const COPIES = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5, $sgpr6
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_64 = COPY $sgpr4_sgpr5
    %3:sreg_32 = COPY $sgpr6
    %4:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1
    %5:vgpr_32 = COPY %4.sub0
    %6:vgpr_32 = COPY %2.sub0
    %7:vgpr_32 = COPY %6
    %8:vgpr_32 = COPY %3
    %9:sreg_32 = COPY %8
    %10:vreg_64 = COPY %2
    %11:vgpr_32 = COPY %10.sub1
    %12:vreg_128 = REG_SEQUENCE %4, %subreg.sub0_sub1, %10, %subreg.sub2_sub3
    %13:vgpr_32 = COPY %12.sub3
    %14:vreg_64 = COPY %12.sub0_sub1
    %15:vreg_64 = COPY %12.sub1_sub2
    %16:vreg_64 = REG_SEQUENCE %12.sub1, %subreg.sub0, %13, %subreg.sub1
    %17:vreg_64 = INSERT_SUBREG %16, %9, %subreg.sub1
    %18:vgpr_32 = COPY %17.sub0
    %19:vgpr_32 = COPY %17.sub1
    %20:vgpr_32 = EXTRACT_SUBREG %12, %subreg.sub2
    %21:sgpr_64 = COPY %2
    %22:sreg_32_xm0 = COPY %21.sub0
    %23:av_32 = COPY %0
    %24:vgpr_32 = COPY %23
    %25:areg_64 = REG_SEQUENCE %23, %subreg.sub0, %24, %subreg.sub1
    %26:av_64 = COPY %25
    S_NOP 0, implicit %5, implicit %7, implicit %9, implicit %11, implicit %14, implicit %15, implicit %16, implicit %18, implicit %19, implicit %20, implicit %22, implicit %26
    S_ENDPGM 0
...
`;

/** Constants for copies and products, and a PHI with one source. */
const CONSTANTS = `---
name: constants
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0
    %0:vgpr_32 = V_MOV_B32_e32 5, implicit $exec
    $vgpr3 = COPY %0
    %1:vgpr_32 = V_MOV_B32_e32 500, implicit $exec
    $vgpr4 = COPY %1
    %2:sreg_32 = S_MOV_B32 500
    $vgpr5 = COPY %2
    %3:sreg_32 = S_MOV_B32 5
    $sgpr5 = COPY %3
    %4:sreg_32 = S_MOV_B32 500
    $sgpr6 = COPY %4
    %5:sreg_64 = S_MOV_B64 5
    $sgpr8_sgpr9 = COPY %5
    %6:vreg_64 = V_MOV_B64_PSEUDO 5, implicit $exec
    $vgpr8_vgpr9 = COPY %6
    %7:sreg_32 = S_MOV_B32 500
    $m0 = COPY %7
    %8:vgpr_32 = V_MOV_B32_e32 500, implicit $exec
    %9:vgpr_32 = COPY %8
    %10:sreg_32 = S_MOV_B32 500
    %11:vgpr_32 = COPY %10
    %12:sreg_32 = S_MOV_B32 500
    %13:sreg_32_xm0 = COPY %12
    %14:vgpr_32 = V_MOV_B32_e32 500, implicit $exec
    %15:agpr_32 = COPY %14
    %16:sreg_64 = S_MOV_B64_IMM_PSEUDO 55555555555
    %17:sreg_64_xexec = COPY %16
    %18:sreg_64 = S_MOV_B64_IMM_PSEUDO 55555555555
    %19:vreg_64 = COPY %18
    %20:sreg_64 = S_MOV_B64_IMM_PSEUDO 55555555555
    %21:vgpr_32 = COPY %20.sub1
    %22:vgpr_32 = V_MOV_B32_e32 5, implicit $exec
    %23:agpr_32 = COPY %22
    %24:vgpr_32 = V_MOV_B32_e32 5, implicit $exec
    %25:av_32 = COPY %24
    %26:sreg_32 = S_BREV_B32 1
    %27:vgpr_32 = COPY %26
    S_ENDPGM 0, implicit %9, implicit %11, implicit %13, implicit %15, implicit %17, implicit %19, implicit %21, implicit %23, implicit %25, implicit %27
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $vgpr2_vgpr3
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %4:vreg_64 = COPY $vgpr2_vgpr3
    %3:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %1, %subreg.sub1
  bb.1:
    %5:vreg_64 = PHI %3, %bb.0
    %6:vgpr_32 = COPY %5.sub0
    %7:vreg_64 = COPY %5
    %8:vgpr_32 = COPY %7.sub1
    S_ENDPGM 0, implicit %6, implicit %8
...
---
name: g
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0, $vgpr1, $vgpr2, $sgpr8
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:vgpr_32 = COPY $vgpr2
    %9:sgpr_32 = COPY $sgpr8
    %3:vgpr_32 = V_MOV_B32_e32 1123456, implicit $exec
    %4:vgpr_32 = V_FMA_F16_gfx9_e64 0, %0, 0, %1, 0, %3, 0, 0, 0, implicit $mode, implicit $exec
    %13:vgpr_32 = V_MOV_B32_e32 1123456, implicit $exec
    %14:vgpr_32 = V_FMA_F32_e64 0, %0, 0, %1, 0, %13, 0, 0, implicit $mode, implicit $exec
    %23:sreg_32 = S_MOV_B32 1123456
    %24:vgpr_32 = V_FMA_F32_e64 0, %0, 0, %23, 0, %2, 0, 0, implicit $mode, implicit $exec
    %33:sreg_32 = S_MOV_B32 1123457
    %34:vgpr_32 = V_FMA_F32_e64 0, %0, 0, %9, 0, %33, 0, 0, implicit $mode, implicit $exec
    %43:sreg_32 = S_MOV_B32 1123457
    %44:vgpr_32 = V_FMAC_F32_e64 0, %0, 0, %43, 0, %1, 0, 0, implicit $mode, implicit $exec
    %53:sreg_32 = S_MOV_B32 1123457
    %54:vgpr_32 = V_MAD_F32_e64 0, %0, 0, %53, 0, %1, 0, 0, implicit $mode, implicit $exec
    S_ENDPGM 0, implicit %4, implicit %14, implicit %24, implicit %34, implicit %44, implicit %54
...
`;

/** Comparisons for equality with 0, and readers near and far. */
const OPPOSITES = `---
name: br0
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    S_CBRANCH_SCC0 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: sel64
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    %13:sreg_64 = IMPLICIT_DEF
    %3:sreg_64 = S_CSELECT_B64 %13, 1, implicit $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: selimm
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    %3:sreg_32 = S_CSELECT_B32 1, %1, implicit $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: addc
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    %3:sreg_32 = S_ADDC_U32 %0, %1, implicit-def $scc, implicit $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: dist10
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: dist11
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: dk11
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_CMP_EQ_U32 %0, %1, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: dk12
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_NOP 0
    S_CMP_EQ_U32 %0, %1, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
---
name: livein
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $sgpr0, $sgpr1
    %0:sreg_32 = COPY $sgpr0
    %1:sreg_32 = COPY $sgpr1
    %2:sreg_32 = S_OR_B32 %0, %1, implicit-def $scc
    S_CMP_EQ_U32 %2, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.2, implicit $scc
    S_BRANCH %bb.1
  bb.1:
    liveins: $scc
    S_ENDPGM 0
  bb.2:
    S_ENDPGM 0, implicit %2
...
`;

/** What may go in front of two loops, one in the other, and what may not. */
const LOOP = `--- |
  define void @loop(ptr addrspace(1) %p) { ret void }
...
---
name: loop
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5, $sgpr6
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_64 = COPY $sgpr4_sgpr5
    %3:sreg_32 = COPY $sgpr6
    %4:vgpr_32 = V_MUL_LO_U32_e64 %0, %1, implicit $exec
    %5:sreg_32 = S_MOV_B32 0
  bb.1:
    successors: %bb.2, %bb.3
    %6:sreg_32 = PHI %5, %bb.0, %7, %bb.4
    %20:vgpr_32 = V_MUL_LO_U32_e64 %0, %1, implicit $exec
    %21:vgpr_32 = V_MUL_HI_U32_e64 %0, %1, implicit $exec
    %22:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 0, 0 :: (dereferenceable invariant load (s32), addrspace 4)
    %23:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 4, 0 :: (load (s32), addrspace 4)
    %24:vgpr_32 = COPY %3
    %25:vreg_64 = REG_SEQUENCE %24, %subreg.sub0, %21, %subreg.sub1
    %26:sreg_32_xm0 = V_READFIRSTLANE_B32 %0, implicit $exec
    S_CMP_EQ_U32 %6, 3, implicit-def $scc
    S_CBRANCH_SCC1 %bb.3, implicit $scc
  bb.2:
    successors: %bb.2, %bb.3
    %8:sreg_32 = PHI %6, %bb.1, %9, %bb.2
    %30:vgpr_32 = V_XOR_B32_e64 %0, %1, implicit $exec
    %31:vgpr_32 = V_XOR_B32_e64 %0, %20, implicit $exec
    %32:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 8, 0 :: (load (s32), addrspace 4)
    %33:vgpr_32 = V_MUL_HI_U32_e64 %0, %1, implicit $exec
    %34:vgpr_32 = V_ADD_U32_e64 %30, %8, 0, implicit $exec
    %9:sreg_32 = S_ADD_I32 %8, 1, implicit-def dead $scc
    S_CMP_LT_U32 %9, 9, implicit-def $scc
    S_NOP 0, implicit %31, implicit %32, implicit %33, implicit %34
    S_CBRANCH_SCC1 %bb.2, implicit $scc
  bb.3:
    successors: %bb.4
    %40:sreg_32 = S_MUL_I32 %3, %3
    %41:vgpr_32 = V_MOV_B32_e32 77, implicit $exec
    %42:vgpr_32 = IMPLICIT_DEF
    GLOBAL_STORE_DWORD %25, %41, 0, 0, implicit $exec :: (store (s32), addrspace 1)
  bb.4:
    successors: %bb.1, %bb.5
    %7:sreg_32 = S_MOV_B32 5
    S_NOP 0, implicit %22, implicit %23, implicit %40, implicit %42, implicit killed %20, implicit %26
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc
  bb.5:
    S_ENDPGM 0
...
`;

/** What may go down, past stores or not, along edges that have to be split, and out of a loop. */
const SINK = `---
name: sink
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.3
    liveins: $vgpr0, $vgpr1, $sgpr4_sgpr5, $sgpr6
    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:sreg_64 = COPY $sgpr4_sgpr5
    %3:sreg_32 = COPY $sgpr6
    %4:vreg_64 = COPY %2
    %10:vgpr_32 = V_MUL_LO_U32_e64 %0, %1, implicit $exec
    %11:vgpr_32 = V_MUL_HI_U32_e64 %0, %1, implicit $exec
    %12:vgpr_32 = COPY %11
    %13:sreg_32 = S_MUL_I32 %3, %3
    %14:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 4, 0 :: (load (s32), addrspace 4)
    %15:vgpr_32 = V_XOR_B32_e64 %0, %1, implicit $exec
    %16:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %17:vgpr_32 = V_ADD_U32_e64 %0, %1, 0, implicit $exec
    GLOBAL_STORE_DWORD %4, %17, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    %18:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %2, 8, 0 :: (load (s32), addrspace 4)
    %19:sreg_32_xm0 = V_READFIRSTLANE_B32 %0, implicit $exec
    %20:sreg_32 = S_ADD_I32 %3, %3, implicit-def dead $scc
    %21:vgpr_32 = GLOBAL_LOAD_DWORD %4, 16, 0, implicit $exec :: (load (s32), addrspace 1)
    S_CMP_EQ_U32 %3, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.3, implicit $scc
  bb.1:
    successors: %bb.2, %bb.3
    %30:vgpr_32 = V_MUL_LO_U32_e64 %10, %0, implicit $exec
    %31:vgpr_32 = V_MUL_HI_U32_e64 %10, %12, implicit $exec
    S_CMP_EQ_U32 %3, 1, implicit-def $scc
    S_CBRANCH_SCC1 %bb.3, implicit $scc
  bb.2:
    successors: %bb.3
    S_NOP 0, implicit %13, implicit %14, implicit %18, implicit %19, implicit %20
    GLOBAL_STORE_DWORD %4, %31, 4, 0, implicit $exec :: (store (s32), addrspace 1)
  bb.3:
    successors: %bb.4
    %40:vgpr_32 = PHI %15, %bb.0, %30, %bb.1, %16, %bb.2
  bb.4:
    successors: %bb.4, %bb.5
    %41:sreg_32 = PHI %3, %bb.3, %42, %bb.4
    %42:sreg_32 = S_ADD_I32 %41, 1, implicit-def dead $scc
    %43:sreg_32 = S_MUL_I32 %41, %3
    %44:vgpr_32 = V_MUL_LO_U32_e64 %40, %41, implicit $exec
    S_CMP_LT_U32 %42, 9, implicit-def $scc
    S_CBRANCH_SCC1 %bb.4, implicit $scc
  bb.5:
    S_NOP 0, implicit %43, implicit %44, implicit %21
    S_ENDPGM 0
...
`;

/** After allocation: where the sources of a sum have changed places and back, the register around its result is gone. */
const PHYSICAL = `---
name: physical
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr0_sgpr1_sgpr2_sgpr3, $sgpr7
    $sgpr0 = S_ADD_U32 $sgpr0, $sgpr7, implicit-def $scc, implicit-def $sgpr0_sgpr1_sgpr2_sgpr3
    $sgpr1 = S_ADDC_U32 $sgpr1, 0, implicit-def dead $scc, implicit killed $scc, implicit-def $sgpr0_sgpr1_sgpr2_sgpr3
    $sgpr2 = S_AND_B32 $sgpr7, $sgpr2, implicit-def dead $scc, implicit $sgpr0_sgpr1_sgpr2_sgpr3
    S_ENDPGM 0, implicit $sgpr0_sgpr1_sgpr2_sgpr3
...
`;

const PARTS = Array.from({ length: 32 }, (_, k) => k);

/** Parts of AGPRs that several PHIs read: LLVM walks them in the order of its hash table. */
const SHARED_PARTS = `---
name: shared_parts
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1, %bb.2
    liveins: $vgpr0, $sgpr4
    %0:vgpr_32 = COPY $vgpr0
    %1:areg_1024 = IMPLICIT_DEF
    %2:areg_1024 = V_MFMA_F32_32X32X1F32_e64 %0, %0, %1, 0, 0, 0, implicit $mode, implicit $exec
    %3:agpr_32 = V_ACCVGPR_WRITE_B32_e64 0, implicit $exec
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc
  bb.1:
    successors: %bb.2
    S_NOP 0
  bb.2:
${PARTS.map((k) => `    %${100 + k}:agpr_32 = PHI %3, %bb.0, %2.sub${(k * 5) % 32}, %bb.1\n`).join('')}${PARTS.map(
  (k) => `    %${200 + k}:agpr_32 = PHI %2.sub${k}, %bb.0, %3, %bb.1\n`,
).join('')}    S_NOP 0, ${PARTS.map((k) => `implicit %${100 + k}, implicit %${200 + k}`).join(', ')}
    S_ENDPGM 0
...
`;

/** Inline assembly without side effects, in a loop whose values it does not need: nobody moves it. */
const ASSEMBLY = `---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr0
    %0:sreg_32 = COPY $sgpr0
    %1:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
  bb.1:
    INLINEASM &"; nothing $0", 0, 1769482, def %2:vgpr_32
    INLINEASM &"; nothing $0 $1", 0, 1769482, def %3:vgpr_32, 1769481, %1
    S_CMP_EQ_U32 %0, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit $scc
  bb.2:
    S_NOP 0, implicit %2, implicit %3
    S_ENDPGM 0
...
`;

const CASES: Readonly<Record<string, Case>> = {
  EXEC: { text: EXEC, passes: ['machine-cse'] },
  TWO_WAYS: { text: TWO_WAYS, passes: ['machine-cse', 'machine-cse,dead-mi-elimination'], has: /name: +opt/ },
  DIFFERENCES: { text: DIFFERENCES, passes: ['machine-cse'] },
  COMPARISONS: { text: COMPARISONS, passes: ['peephole-opt'] },
  COPIES: { text: COPIES, passes: ['peephole-opt'], cpus: ['gfx908'] },
  LOOP: {
    text: LOOP,
    passes: ['machine-sink', 'early-machinelicm', 'machine-cse,early-machinelicm'],
  },
  ASSEMBLY: { text: ASSEMBLY, passes: ['early-machinelicm', 'machine-sink'] },
  SINK: { text: SINK, passes: ['machine-sink', 'machine-sink,early-machinelicm,machine-sink'] },
  PHYSICAL: { text: PHYSICAL, passes: ['machine-cse'], has: /S_ADD_U32 .*implicit-def \$sgpr0$/m },
  SHARED_PARTS: {
    text: SHARED_PARTS,
    passes: ['si-fold-operands'],
    cpus: ['gfx908'],
    has: /V_ACCVGPR_READ_B32_e64 %2\.sub31/,
  },
  CONSTANTS: { text: CONSTANTS, passes: ['peephole-opt'], cpus: ['gfx1030'] },
};

describe('passes that improve SSA form, as llc-22', () => {
  for (const [name, { text, passes, cpus = ['gfx900', 'gfx1030'], has }] of Object.entries(CASES))
    for (const pass of passes)
      for (const cpu of cpus)
        it(`${pass} on ${name}, ${cpu}`, function () {
          needsLlc(this);
          const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-mattr=+wavefrontsize64', `-run-pass=${pass}`];
          const { ours, llc, differs } = runLlcJob({ name, text, args });
          assert.deepEqual([differs, ours.status], [null, 0], llc.stderr);
          if (has !== undefined) assert.match(llc.stdout, has);
        });

  it('peephole-opt does without comparisons for equality with 0 in LLVM 24', function () {
    needsLlc24(this);
    const args = ['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=peephole-opt', '-simplify-mir'];
    const [answer] = runLlc24([{ text: OPPOSITES, args }]);
    const ours = runLlcOnText(['--model=llvm-24', ...args, '-o', '-'], OPPOSITES);
    const functions = (text: string): string => text.slice(text.indexOf('---\nname:'));
    assert.deepEqual([ours.status, functions(ours.stdout)], [answer.status, functions(answer.stdout)], answer.stderr);
    assert.match(answer.stdout, /S_CSELECT_B32 %1, 1,/);
  });
});
