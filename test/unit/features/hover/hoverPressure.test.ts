/** Hovers on instructions: registers of each bank before and after, live ranges that begin and end. */
import { describeHovers } from '../../../support/hoverTexts.js';
import { expect } from '../../../support/expect.js';
import { MANY_BLOCKS } from '../../../support/exampleTexts.js';

const HOVERS = expect`
== 11 %0 4-6
**'%0'**: vgpr_32, 1 VGPR (32 bits), uniform
defined at [11] · 1 use: [68]
uniform: 'IMPLICIT_DEF' gives all lanes the same
live in 9 of 9 blocks: 'bb.0 ████  bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ████  bb.5 ████  bb.6 ████  bb.7 ████  and 1 block more'
can be rematerialized: at bb.8 (VGPR -1 in 6 regions, occupancy stays 8)
---
VGPR 0 → **1** of 64 for 8 waves · SGPR 0 · AGPR 0
occupancy **8** of 8 · live peak VGPR of the function
defines '%0' vgpr_32 (+1)
used later 1 VGPR
---
*gfx90a wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 12 %ag 4-7
**'%ag'**: areg_64_align2, 2 AGPRs (64 bits), uniform
defined at [12] · 1 use: [68]
uniform: 'IMPLICIT_DEF' gives all lanes the same
live in 9 of 9 blocks: 'bb.0 ████  bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ████  bb.5 ████  bb.6 ████  bb.7 ████  and 1 block more'
lanes live before: none · after: sub0, sub1 · can be rematerialized: at bb.8 (AGPR -2 in 6 regions, occupancy stays 8)
---
VGPR **1** · SGPR 0 · AGPR 0 → 2 · VGPR + AGPR 6 of 64 for 8 waves
occupancy **8** of 8 · live peak VGPR 1 at line 11
defines '%ag' areg_64_align2 (+2)
used later 1 VGPR, 2 AGPR
---
*gfx90a wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 13 %1 4-6
**'%1'**: sreg_32, 1 SGPR (32 bits), uniform
defined at [13] · 1 use: [68]
live in 9 of 9 blocks: 'bb.0 ████  bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ████  bb.5 ████  bb.6 ████  bb.7 ████  and 1 block more'
can be rematerialized: at bb.8 (SGPR -1 in 6 regions, occupancy stays 8)
---
VGPR **1** · SGPR 0 → 1 · AGPR 2 · VGPR + AGPR 6 of 64 for 8 waves
occupancy **8** of 8 · live peak VGPR 1 at line 11
defines '%1' sreg_32 (+1)
used later 1 VGPR, 1 SGPR, 2 AGPR
---
region 0, 3rd of 19, stays there when scheduled: NodeOrder, NodeOrder 2 against 1 of the next best (bottom, cycle 16, OccInitialSchedule)
*gfx90a wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 45 S_CBRANCH 4-18
**S_CBRANCH_SCC1** jumps if SCC is 1 · SALU, branch, terminator · latency 8 cycles (model of gfx90a)
simm16 (block) · reads $scc
encoded as S_CBRANCH_SCC1_gfx6_gfx7 (gfx6, gfx7), S_CBRANCH_SCC1_vi (gfx8, gfx9, gfx90a, gfx942), S_CBRANCH_SCC1_gfx10 (gfx10), ...
---
VGPR **1** · SGPR 17 · AGPR 2 · VGPR + AGPR 6 of 64 for 8 waves
occupancy **8** of 8 · live peak VGPR 1 at line 11
only passing 1 VGPR, 17 SGPR, 2 AGPR
---
*gfx90a wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 68 S_NOP 4-9
**S_NOP** does nothing for a + 1 cycles · SALU, side effects · latency 1 cycle (model of gfx90a)
simm16
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), ...
---
VGPR **1** → 0 · SGPR 17 → 0 · AGPR 2 → 0 · VGPR + AGPR 6 of 64 for 8 waves
occupancy **8** of 8 · live peak VGPR 1 at line 11
kills '%0' vgpr_32 (-1), '%ag' areg_64_align2 (-2), '%1' sreg_32 (-1), '%2' sreg_32 (-1) and 15 more
used soon 1 VGPR, 17 SGPR, 2 AGPR
---
region 6, 1st of 1, stays there when scheduled
*gfx90a wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 69 S_ENDPGM 4-12
**S_ENDPGM** ends the wave · SALU, side effects, terminator, nothing falls through, return · latency 1 cycle (model of gfx90a)
simm16
encoded as S_ENDPGM_gfx6_gfx7 (gfx6, gfx7), S_ENDPGM_vi (gfx8, gfx9, gfx90a, gfx942), S_ENDPGM_gfx10 (gfx10), ...
---
VGPR **0** · SGPR 0 · AGPR 0
occupancy **8** of 8 · live peak VGPR 1 at line 11
---
*gfx90a wave64, LLVM 22.1.8 (amdgpu-print-rp)*
`;

describeHovers('hover on an instruction', MANY_BLOCKS, HOVERS);
