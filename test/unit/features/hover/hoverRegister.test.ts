/** Hovers on registers: places, live range, lanes, what they are to the allocator; lists that are cut. */
import { describeHovers } from '../../../support/hoverTexts.js';
import { EACH_BANK } from '../../../support/exampleTexts.js';

const HOVERS = `
== 10 $vgpr0 13-19
**'$vgpr0'**: 1 VGPR (32 bits), 'v0' in assembly
caller-saved here · place 1 of 64 in the order of vgpr_32
defined at [10] · 1 use: [12]

== 10 $sgpr0 147-153
**'$sgpr0'**: 1 SGPR (32 bits), 's0' in assembly
caller-saved here · place 1 of 102 in the order of sgpr_32
defined at [10] · 1 use: [13]

== 12 %0 4-6
**'%0'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [12] · 7 uses: [14], [15], [17], [18], [19], [20], 1 more
divergent: it is a copy of '$vgpr0', the work-item ([line 12])
live in 2 of 4 blocks: 'bb.0 ████  bb.1 ███░'
can be rematerialized: no, COPY cannot be rematerialized
---
VGPR 0 → **1** of 24 for 10 waves · SGPR 0 · AGPR 0
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
defines '%0' vgpr_32 (+1)
used soon 1 VGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 14 %2.sub1 10-12
**'%2'**: vreg_96, 3 VGPRs (96 bits), divergent
defined at [14], [15] · 2 uses: [16], [30]
divergent: it comes from 'COPY', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', the work-item ([line 12]); not in SSA form: one of the 2 instructions that write it is enough
live in 3 of 4 blocks: 'bb.0 ████  bb.1 ████  bb.2 ███░'
lanes live before: none · after: sub1 · can be rematerialized: no, it has several definitions
---
VGPR 1 → **2** of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
defines '%2' vreg_96 (+1) · keeps alive '%0' vgpr_32
used soon 2 VGPR · used later 1 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 15 %2.sub2 4-6
**'%2'**: vreg_96, 3 VGPRs (96 bits), divergent
defined at [14], [15] · 2 uses: [16], [30]
divergent: it comes from 'COPY', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', the work-item ([line 12]); not in SSA form: one of the 2 instructions that write it is enough
live in 3 of 4 blocks: 'bb.0 ████  bb.1 ████  bb.2 ███░'
lanes live before: sub1 · after: sub1, sub2 · can be rematerialized: no, it has several definitions
---
VGPR 2 → **3** of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · the VGPR peak of the function
defines '%2' vreg_96 (+1) · keeps alive '%0' vgpr_32
used soon 3 VGPR · used later 1 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 16 %2.sub1 22-24
**'%2'**: vreg_96, 3 VGPRs (96 bits), divergent
defined at [14], [15] · 2 uses: [16], [30]
divergent: it comes from 'COPY', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', the work-item ([line 12]); not in SSA form: one of the 2 instructions that write it is enough
live in 3 of 4 blocks: 'bb.0 ████  bb.1 ████  bb.2 ███░'
lanes live before: sub1, sub2 · after: sub2 · can be rematerialized: no, it has several definitions
---
VGPR **3** → 2 of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
kills '%2' vreg_96 (-1)
used soon 3 VGPR · used later 1 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 21 %3 4-6
**'%3'**: sreg_32, 1 SGPR (32 bits), uniform
defined at [21] · 1 use: [30]
live in 3 of 4 blocks: 'bb.0 ░░░█  bb.1 ████  bb.2 ███░'
can be rematerialized: at bb.2 (SGPR -1 in 2 regions, occupancy stays 10)
---
VGPR **2** of 24 for 10 waves · SGPR 1 → 2 · AGPR 0
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
defines '%3' sreg_32 (+1)
used later 2 VGPR, 2 SGPR
---
region 0, 10th of 11, stays there when scheduled: NodeOrder, NodeOrder 9 against 3 of the next best (bottom, cycle 0, OccInitialSchedule)
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 22 %agpr 4-9
**'%agpr'**: agpr_32, 1 AGPR (32 bits), uniform
defined at [22] · 1 use: [26]
uniform: 'IMPLICIT_DEF' gives all lanes the same
live in 2 of 4 blocks: 'bb.0 ░░░█  bb.1 ███░'
can be rematerialized: at bb.1 (AGPR -1 in 1 region, occupancy stays 10)
---
VGPR **2** · SGPR 2 · AGPR 0 → 1 · the larger of VGPR and AGPR 2 of 24 for 10 waves
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
defines '%agpr' agpr_32 (+1)
used later 2 VGPR, 2 SGPR, 1 AGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 23 $scc 41-45
**'$scc'**: 1 SGPR (1 bits), 'scc' in assembly
not allocated by llc
1 use: [23]
---
VGPR **2** · SGPR 2 · AGPR 1 · the larger of VGPR and AGPR 2 of 24 for 10 waves
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
used later 2 VGPR, 2 SGPR, 1 AGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 29 %5 9-11
**'%5'**: vgpr_32, 1 VGPR (32 bits), uniform
defined at [29] · never used
uniform: 'V_MOV_B32_e32' gives all lanes the same
live in 1 of 4 blocks: 'bb.2 ░█░░'
---
VGPR 1, **2** while it runs of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
defines '%5' vgpr_32 (never read)
used soon 1 VGPR, 1 SGPR · used later 1 VGPR
---
region 2, 1st of 2, stays there when scheduled: Only1 (bottom, cycle 1, OccInitialSchedule)
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 29 $exec 48-53
**'$exec'**: 2 SGPRs (64 bits), 'exec' in assembly
reserved here: special register, never allocated
1 use: [29]
---
VGPR 1, **2** while it runs of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
defines '%5' vgpr_32 (never read)
used soon 1 VGPR, 1 SGPR · used later 1 VGPR
---
region 2, 1st of 2, stays there when scheduled: Only1 (bottom, cycle 1, OccInitialSchedule)
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*

== 30 %2.sub2 22-24
**'%2'**: vreg_96, 3 VGPRs (96 bits), divergent
defined at [14], [15] · 2 uses: [16], [30]
divergent: it comes from 'COPY', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', the work-item ([line 12]); not in SSA form: one of the 2 instructions that write it is enough
live in 3 of 4 blocks: 'bb.0 ████  bb.1 ████  bb.2 ███░'
lanes live before: sub2 · after: none · can be rematerialized: no, it has several definitions
---
VGPR **1** → 0 of 24 for 10 waves · SGPR 1 → 0 · AGPR 0
occupancy **10** of 10 · peak VGPR 3 at bb.0:3
kills '%2' vreg_96 (-1), '%3' sreg_32 (-1)
used soon 1 VGPR, 1 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*
`;

describeHovers('hover on a register', EACH_BANK, HOVERS);
