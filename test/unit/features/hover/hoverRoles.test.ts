/** Hovers on physical registers by what they are to the function. */
import { describeHovers } from '../../../support/hoverTexts.js';

const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s
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

const HOVERS = `
== 12 $vgpr40 107-114
**'$vgpr40'**: 1 VGPR (32 bits), 'v40' in assembly
callee-saved here: llc takes it last, and saves it · place 49 of 64 in the order of vgpr_32
defined at [9] · 1 use: [12]
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 5 $sgpr0_sgpr1 19-43
**'$sgpr0_sgpr1_sgpr2_sgpr3'**: 4 SGPRs (128 bits), 's[0:3]' in assembly
reserved here: scratchRSrcReg
never used

== 9 $sgpr34 85-92
**'$sgpr34'**: 1 SGPR (32 bits), 's34' in assembly
callee-saved here: llc takes it last, and saves it · place 62 of 97 in the order of sgpr_32
defined at [9] · 1 use: [12]

== 9 $vgpr0 27-33
**'$vgpr0'**: 1 VGPR (32 bits), 'v0' in assembly
caller-saved here · place 1 of 64 in the order of vgpr_32
defined at [9] · 1 use: [12]

== 11 $sgpr30 4-18
**'$sgpr30_sgpr31'**: 2 SGPRs (64 bits), 's[30:31]' in assembly
callee-saved here: llc takes it last, and saves it
defined at [11], [18], [21] · never used
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 6 $sgpr32 22-29
**'$sgpr32'**: 1 SGPR (32 bits), 's32' in assembly
reserved here: stackPtrOffsetReg
never used

== 14 $vgpr5 4-10
**'$vgpr5'**: 1 VGPR (32 bits), 'v5' in assembly
caller-saved here · place 6 of 64 in the order of vgpr_32
defined at [14] · 1 use: [19]
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*
`;

describeHovers('hover on a physical register', TEXT, HOVERS);
