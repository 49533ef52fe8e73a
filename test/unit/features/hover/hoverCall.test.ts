/** Hovers on calls: what lives across, what is lost, what is overwritten. */
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
== 11 SI_CALL 21-28
**SI_CALL** SALU, side effects, convergent, call · latency 8 cycles on gfx900
dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee
lives across: $vgpr40-$vgpr41, $sgpr34, preserved by csr_amdgpu
**lost**: $vgpr0 (read at 12), $vgpr1 (read at 12), $vgpr2 (read at 12), $vgpr3 (read at 12) and 1 more
overwrites, of the registers of this function: $vgpr0-$vgpr7, $vgpr9, $sgpr4-$sgpr5
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 18 SI_CALL 21-28
**SI_CALL** SALU, side effects, convergent, call · latency 8 cycles on gfx900
dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee
nothing lives across in physical registers
**lost**: $vgpr5 (read at 19), $vgpr6 (read at 19), $vgpr7 (read at 19), $vgpr9 (read at 19)
overwrites, of the registers of this function: $vgpr0-$vgpr2, $vgpr4-$vgpr7, $vgpr9, $vgpr40-$vgpr41, $sgpr4-$sgpr5, $sgpr30-$sgpr31, $sgpr34
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 18 CustomRegMask 4-67
**SI_CALL** SALU, side effects, convergent, call · latency 8 cycles on gfx900
dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee
nothing lives across in physical registers
**lost**: $vgpr5 (read at 19), $vgpr6 (read at 19), $vgpr7 (read at 19), $vgpr9 (read at 19)
overwrites, of the registers of this function: $vgpr0-$vgpr2, $vgpr4-$vgpr7, $vgpr9, $vgpr40-$vgpr41, $sgpr4-$sgpr5, $sgpr30-$sgpr31, $sgpr34
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 21 SI_CALL 21-28
**SI_CALL** SALU, side effects, convergent, call · latency 8 cycles on gfx900
dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee
nothing lives across in physical registers
overwrites, of the registers of this function: $vgpr0-$vgpr7, $vgpr9, $sgpr4-$sgpr5
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 12 S_NOP 4-9
**S_NOP** SALU, side effects · latency 1 cycle on gfx900
simm16
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), ...
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*
`;

describeHovers('hover on a call', TEXT, HOVERS);
