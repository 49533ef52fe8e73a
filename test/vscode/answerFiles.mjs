// The files of walkAnswers.mjs: what a test author, a tuner and a newcomer have in front of them.

/** As clang and `llc -stop-before=machine-scheduler` leave a kernel: no RUN line, the processor in an attribute, a loop of one block. */
export const DUMP = `--- |
  target triple = "amdgcn-amd-amdhsa"

  define amdgpu_kernel void @scale(ptr addrspace(1) %a, ptr addrspace(1) %b) #0 {
  entry:
    br label %loop

  loop:
    br i1 undef, label %loop, label %exit

  exit:
    ret void
  }

  attributes #0 = { "amdgpu-flat-work-group-size"="1,256" "target-cpu"="gfx942" }
...
---
name:            scale
tracksRegLiveness: true
noPhis:          true
isSSA:           false
liveins:
  - { reg: '$vgpr0', virtual-reg: '%0' }
  - { reg: '$sgpr4_sgpr5', virtual-reg: '%1' }
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0.entry:
    successors: %bb.1(0x80000000)
    liveins: $vgpr0, $sgpr4_sgpr5

    %1:sgpr_64 = COPY $sgpr4_sgpr5
    %0:vgpr_32 = COPY $vgpr0
    %2:sgpr_128 = S_LOAD_DWORDX4_IMM %1, 0, 0 :: (dereferenceable invariant load (s128), addrspace 4)
    %3:sreg_32 = S_MOV_B32 20
    undef %4.sub0:vreg_128_align2 = V_MOV_B32_e32 0, implicit $exec
    %4.sub1:vreg_128_align2 = V_MOV_B32_e32 0, implicit $exec
    %4.sub2:vreg_128_align2 = V_MOV_B32_e32 0, implicit $exec
    %4.sub3:vreg_128_align2 = V_MOV_B32_e32 0, implicit $exec
    %5:vgpr_32 = V_LSHLREV_B32_e32 4, %0, implicit $exec

  bb.1.loop:
    successors: %bb.1(0x7c000000), %bb.2(0x04000000)

    %6:vreg_128_align2 = GLOBAL_LOAD_DWORDX4_SADDR %2.sub0_sub1, %5, 0, 0, implicit $exec :: (load (s128) from %ir.a, addrspace 1)
    %4.sub0:vreg_128_align2 = V_ADD_F32_e32 %6.sub0, %4.sub0, implicit $mode, implicit $exec
    %4.sub1:vreg_128_align2 = V_ADD_F32_e32 %6.sub1, %4.sub1, implicit $mode, implicit $exec
    %4.sub2:vreg_128_align2 = V_ADD_F32_e32 %6.sub2, %4.sub2, implicit $mode, implicit $exec
    %4.sub3:vreg_128_align2 = V_ADD_F32_e32 %6.sub3, %4.sub3, implicit $mode, implicit $exec
    %5:vgpr_32 = V_ADD_U32_e32 1024, %5, implicit $exec
    %3:sreg_32 = S_ADD_I32 %3, -1, implicit-def dead $scc
    S_CMP_LG_U32 %3, 0, implicit-def $scc
    S_CBRANCH_SCC1 %bb.1, implicit killed $scc
    S_BRANCH %bb.2

  bb.2.exit:
    %7:vgpr_32 = V_LSHLREV_B32_e32 4, %0, implicit $exec
    GLOBAL_STORE_DWORDX4_SADDR %7, %4, %2.sub2_sub3, 0, 0, implicit $exec :: (store (s128) into %ir.b, addrspace 1)
    S_ENDPGM 0
...
`;

/** A device function with a call: what the callee may overwrite is a hole. */
export const CALLER = `--- |
  target triple = "amdgcn-amd-amdhsa"

  declare void @callee() #0

  define void @caller() #0 {
    call void @callee()
    ret void
  }

  attributes #0 = { "target-cpu"="gfx942" }
...
---
name:            caller
tracksRegLiveness: true
frameInfo:
  adjustsStack:    true
  hasCalls:        true
machineFunctionInfo:
  scratchRSrcReg:  '$sgpr0_sgpr1_sgpr2_sgpr3'
  frameOffsetReg:  '$sgpr33'
  stackPtrOffsetReg: '$sgpr32'
body:             |
  bb.0:
    liveins: $vgpr0, $sgpr30_sgpr31

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = V_LSHLREV_B32_e32 2, %0, implicit $exec
    ADJCALLSTACKUP 0, 0, implicit-def dead $scc, implicit-def $sgpr32, implicit $sgpr32
    %2:sreg_64 = SI_PC_ADD_REL_OFFSET target-flags(amdgpu-gotprel32-lo) @callee, target-flags(amdgpu-gotprel32-hi) @callee, implicit-def dead $scc
    %3:sreg_64_xexec = S_LOAD_DWORDX2_IMM %2, 0, 0 :: (dereferenceable invariant load (s64) from got, addrspace 4)
    $sgpr30_sgpr31 = SI_CALL %3, @callee, csr_amdgpu_gfx90ainsts, implicit $vgpr0
    ADJCALLSTACKDOWN 0, 0, implicit-def dead $scc, implicit-def $sgpr32, implicit $sgpr32
    $vgpr0 = COPY %1
    SI_RETURN implicit $vgpr0
...
`;

/** A test whose last CHECK line differs by a constant. */
export const CHECKED = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none -o - %s | FileCheck %s
---
# CHECK-LABEL: name: checked
# CHECK: V_MOV_B32_e32 7
# CHECK-NEXT: V_ADD_U32_e32 2,
name:            checked
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0

    %0:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    %1:vgpr_32 = V_ADD_U32_e32 1, %0, implicit $exec
    S_ENDPGM 0, implicit %1
...
`;

/** One mistake in each line. */
export const MISTAKES = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none -o - %s | FileCheck %s
---
name:            wrong
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0, $vgpr2_vgpr3

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_64 = V_MOV_B32_e32 7, implicit $exec
    %2:vgpr_64 = COPY $vgpr2_vgpr3
    S_CBRANCH_SCC1 %bb.4, implicit undef $scc
    S_ENDPGM 0, implicit %1, implicit %2
...
`;

/** Everything that has a colour of its own. */
export const COLOURS = `--- |
  define amdgpu_kernel void @colours() #0 {
    ret void
  }

  attributes #0 = { "target-cpu"="gfx90a" }
...
---
name:            colours
tracksRegLiveness: true
body:             |
  bb.0:
    successors: %bb.1
    liveins: $sgpr4_sgpr5, $vgpr0

    %ptr:sgpr_64 = COPY $sgpr4_sgpr5
    %lane:vgpr_32 = COPY $vgpr0
    %same:vgpr_32 = V_MOV_B32_e32 42, implicit $exec
    %acc:agpr_32 = V_ACCVGPR_WRITE_B32_e64 %lane, implicit $exec
    %load:sreg_32_xm0_xexec = S_LOAD_DWORD_IMM %ptr, 16, 0 :: (load (s32), addrspace 4)

  bb.1:
    %sum:vgpr_32 = V_ADD_U32_e32 %lane, %same, implicit $exec
    S_ENDPGM 0, implicit %sum, implicit %acc, implicit %load
...
`;

/** Lines that are being written: the cursor goes to the ends of those with a comment. */
export const WRITING = `# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 -run-pass=none -o - %s
---
name:            writing
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $sgpr4_sgpr5, $vgpr0

    %0:sgpr_64 = COPY $sgpr4_sgpr5
    %1:vgpr_32 = COPY $vgpr0
    %2:vgpr_32 = V_LSHLREV_B32_e32 2, %1, implicit $exec
    %3:vgpr_32 = V_ADD_U32_e32 %1, %2, implicit $exec
    S_ENDPGM 0, implicit %3
...
`;

/** What LLVM 22 wrote and LLVM 24 refuses: a key, and an opcode. */
export const OLDER = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=none -o - %s | FileCheck %s
---
# CHECK-LABEL: name: older
# CHECK: V_ADD_F32_e32
name:            older
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
  noSignedZerosFPMath: false
body:             |
  bb.0:
    liveins: $vgpr0, $vgpr1

    %0:vgpr_32 = COPY $vgpr0
    %1:vgpr_32 = COPY $vgpr1
    %2:vgpr_32 = V_ADD_F32_e32 %0, %1, implicit $mode, implicit $exec
    S_ENDPGM 0, implicit %2
...
---
# CHECK-LABEL: name: zeros
# CHECK: G_CTLZ_ZERO_UNDEF
name:            zeros
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0

    %0:_(s32) = COPY $vgpr0
    %1:_(s32) = G_CTLZ_ZERO_UNDEF %0
    $vgpr0 = COPY %1
    SI_RETURN implicit $vgpr0
...
`;
