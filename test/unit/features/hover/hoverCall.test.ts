/** Hovers on calls: what lives across, what is lost, what is overwritten. */
import { describeHovers } from '../../../support/hoverTexts.js';
import { expect } from '../../../support/expect.js';
import { CALLS } from '../../../support/exampleTexts.js';

const HOVERS = expect`
== 11 SI_CALL 21-28
**SI_CALL** calls; d = address to return to · SALU, side effects, convergent, call · latency 8 cycles (model of gfx900)
dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee
lives across: $vgpr40-$vgpr41, $sgpr34, preserved by csr_amdgpu
**lost**: $vgpr0 (read at 12), $vgpr1 (read at 12), $vgpr2 (read at 12), $vgpr3 (read at 12) and 1 more
overwrites, of the registers of this function: $vgpr0-$vgpr7, $vgpr9, $sgpr4-$sgpr5
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 18 SI_CALL 21-28
**SI_CALL** calls; d = address to return to · SALU, side effects, convergent, call · latency 8 cycles (model of gfx900)
dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee
nothing lives across in physical registers
**lost**: $vgpr5 (read at 19), $vgpr6 (read at 19), $vgpr7 (read at 19), $vgpr9 (read at 19)
overwrites, of the registers of this function: $vgpr0-$vgpr2, $vgpr4-$vgpr7, $vgpr9, $vgpr40-$vgpr41, $sgpr4-$sgpr5, $sgpr30-$sgpr31, $sgpr34
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 18 CustomRegMask 4-67
**SI_CALL** calls; d = address to return to · SALU, side effects, convergent, call · latency 8 cycles (model of gfx900)
dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee
nothing lives across in physical registers
**lost**: $vgpr5 (read at 19), $vgpr6 (read at 19), $vgpr7 (read at 19), $vgpr9 (read at 19)
overwrites, of the registers of this function: $vgpr0-$vgpr2, $vgpr4-$vgpr7, $vgpr9, $vgpr40-$vgpr41, $sgpr4-$sgpr5, $sgpr30-$sgpr31, $sgpr34
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 21 SI_CALL 21-28
**SI_CALL** calls; d = address to return to · SALU, side effects, convergent, call · latency 8 cycles (model of gfx900)
dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee
nothing lives across in physical registers
overwrites, of the registers of this function: $vgpr0-$vgpr7, $vgpr9, $sgpr4-$sgpr5
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*

== 12 S_NOP 4-9
**S_NOP** does nothing for a + 1 cycles · SALU, side effects · latency 1 cycle (model of gfx900)
simm16
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), ...
**no hazard** that LLVM knows on gfx900 needs it before S_MOV_B64 of line 13
---
allocated: VGPR 256 (256 of 256), SGPR 35, scratch at least 452 bytes: occupancy 1
---
*gfx900 wave64, LLVM 22.1.8*
`;

describeHovers('hover on a call', CALLS, HOVERS);
