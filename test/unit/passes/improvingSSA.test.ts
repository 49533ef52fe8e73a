/** machine-cse at its edges, as llc-22; what it does is in docs/llvm/improving-ssa.md. */
import assert from 'node:assert/strict';
import { needsLlc } from '../../support/llc.js';
import { runLlcJob } from '../../support/llcJobs.js';

interface Case {
  readonly text: string;
  readonly passes: readonly string[];
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

const CASES: Readonly<Record<string, Case>> = {
  EXEC: { text: EXEC, passes: ['machine-cse'] },
  TWO_WAYS: { text: TWO_WAYS, passes: ['machine-cse', 'machine-cse,dead-mi-elimination'], has: /name: +opt/ },
  DIFFERENCES: { text: DIFFERENCES, passes: ['machine-cse'] },
};

describe('passes that improve SSA form, as llc-22', () => {
  for (const [name, { text, passes, has }] of Object.entries(CASES))
    for (const pass of passes)
      for (const cpu of ['gfx900', 'gfx1030'])
        it(`${pass} on ${name}, ${cpu}`, function () {
          needsLlc(this);
          const args = ['-mtriple=amdgcn', `-mcpu=${cpu}`, '-mattr=+wavefrontsize64', `-run-pass=${pass}`];
          const { ours, llc, differs } = runLlcJob({ name, text, args });
          assert.deepEqual([differs, ours.status], [null, 0], llc.stderr);
          if (has !== undefined) assert.match(llc.stdout, has);
        });
});
