/** Hovers with all their parts, and with the links of a client that runs commands: registers, blocks, opcodes, ends of the function. */
import { describeHovers } from '../../../support/hoverTexts.js';
import { expect } from '../../../support/expect.js';
import { EACH_BANK } from '../../../support/exampleTexts.js';

const HOVERS = expect`
== 8 bb.0 2-6
**'bb.0'**: 12 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 2, SGPR 2, AGPR 1: '%0, %1, %2, %3, %agpr'
liveins: '$vgpr0', '$vgpr1', '$vgpr2', '$vgpr3', '$vgpr4', '$vgpr5', '$vgpr6', '$vgpr7', '$vgpr8', '$vgpr9', '$vgpr10', '$vgpr11', '$vgpr12', '$vgpr13', '$vgpr14', '$vgpr15', 1 more
goes to bb.1 87.5%, bb.2 12.5%

== 9 %bb.1 16-21
**'bb.1'**: 1 instruction, runs 0.875x per call (estimate), in no loop
live-in VGPR 2, SGPR 2, AGPR 1: '%0, %1, %2, %3, %agpr'
live-out VGPR 1, SGPR 1: '%2, %3'
goes to bb.2 (not spelled); comes from bb.0

== 12 %0 4-6
**'%0'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [12] · 7 uses: [14], [15], [17], [18], [19], [20], 1 more
divergent: it is a copy of '$vgpr0', the work-item ([line 12]) · [why](whyDivergent ["file:///test.mir",11,4])
live in 2 of 4 blocks: 'bb.0 ████  bb.1 ███░'
can be rematerialized: no, COPY cannot be rematerialized
---
VGPR 0 → **1** of 24 for 10 waves · SGPR 0 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",11,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
defines '%0' vgpr_32 (+1)
used soon 1 VGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",11,4])

== 12 COPY 17-21
**COPY** d = a, whatever the classes · cheap as a move · latency 1 cycle (model of gfx900)
operand 0 (def) · operand 1
---
VGPR 0 → **1** of 24 for 10 waves · SGPR 0 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",11,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
defines '%0' vgpr_32 (+1)
used soon 1 VGPR
---
region 0, 1st of 11, stays there when scheduled: PhysReg, NodeOrder 0 against 1 of the next best (top, cycle 0, OccInitialSchedule) · [explain](explainSchedule ["file:///test.mir",11,0])
waited for by [line 20] (Data '%0' 1), [line 19] (Data '%0' 1), [line 18] (Data '%0' 1) and 3 more
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",11,4])

== 13 %1 4-6
**'%1'**: sreg_32, 1 SGPR (32 bits), uniform
defined at [13] · 1 use: [26]
live in 2 of 4 blocks: 'bb.0 ████  bb.1 ███░'
can be rematerialized: no, COPY cannot be rematerialized
---
VGPR **1** of 24 for 10 waves · SGPR 0 → 1 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",12,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
defines '%1' sreg_32 (+1)
used soon 1 VGPR · used later 1 SGPR
---
region 0, 2nd of 11, stays there when scheduled: PhysReg, PhysReg 1 against 0 of the next best (top, cycle 1, OccInitialSchedule) · [explain](explainSchedule ["file:///test.mir",12,0])
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",12,4])

== 14 undef 4-35
**COPY** d = a, whatever the classes · cheap as a move · latency 1 cycle (model of gfx900)
operand 0 (def) · operand 1
---
VGPR 1 → **2** of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",13,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
defines '%2' vreg_96 (+1) · keeps alive '%0' vgpr_32
used soon 2 VGPR · used later 1 SGPR
---
region 0, 3rd of 11, stays there when scheduled: Only1 (bottom, cycle 7, OccInitialSchedule) · [explain](explainSchedule ["file:///test.mir",13,0])
waits for [line 12] (Data '%0' 1) · waited for by [line 16] (Data '%2' 1)
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",13,4])

== 14 %2.sub1 10-12
**'%2'**: vreg_96, 3 VGPRs (96 bits), divergent
defined at [14], [15] · 2 uses: [16], [30]
divergent: it comes from 'COPY', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', the work-item ([line 12]); not in SSA form: one of the 2 instructions that write it is enough · [why](whyDivergent ["file:///test.mir",13,10])
live in 3 of 4 blocks: 'bb.0 ████  bb.1 ████  bb.2 ███░'
lanes live before: none · after: sub1 · can be rematerialized: no, it has several definitions
---
VGPR 1 → **2** of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",13,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
defines '%2' vreg_96 (+1) · keeps alive '%0' vgpr_32
used soon 2 VGPR · used later 1 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",13,4])

== 16 S_NOP 4-9
**S_NOP** does nothing for a + 1 cycles · SALU, side effects · latency 1 cycle (model of gfx900)
simm16
---
VGPR **3** → 2 of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",15,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
kills '%2' vreg_96 (-1)
used soon 3 VGPR · used later 1 SGPR
---
region 0, 5th of 11, stays there when scheduled: NodeOrder, NodeOrder 4 against 3 of the next best (bottom, cycle 5, OccInitialSchedule) · [explain](explainSchedule ["file:///test.mir",15,0])
waits for [line 14] (Data '%2' 1) · waited for by [line 17] (Barrier 0)
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",15,4])

== 17 %0 22-24
**'%0'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [12] · 7 uses: [14], [15], [17], [18], [19], [20], 1 more
divergent: it is a copy of '$vgpr0', the work-item ([line 12]) · [why](whyDivergent ["file:///test.mir",16,22])
live in 2 of 4 blocks: 'bb.0 ████  bb.1 ███░'
can be rematerialized: no, COPY cannot be rematerialized
---
VGPR **2** of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",16,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
keeps alive '%0' vgpr_32
used soon 1 VGPR · used later 1 VGPR, 1 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",16,4])

== 22 %agpr 4-9
**'%agpr'**: agpr_32, 1 AGPR (32 bits), uniform
defined at [22] · 1 use: [26]
uniform: 'IMPLICIT_DEF' gives all lanes the same
live in 2 of 4 blocks: 'bb.0 ░░░█  bb.1 ███░'
can be rematerialized: at bb.1 (AGPR -1 in 1 region, occupancy stays 10)
---
VGPR **2** · SGPR 2 · AGPR 0 → 1 · the larger of VGPR and AGPR 2 of 24 for 10 waves
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",21,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
defines '%agpr' agpr_32 (+1)
used later 2 VGPR, 2 SGPR, 1 AGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",21,4])

== 23 %bb.2 19-24
**'bb.2'**: 3 instructions, runs 1x per call, in no loop
live-in VGPR 1, SGPR 1: '%2, %3'
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.0, bb.1
---
VGPR **2** · SGPR 2 · AGPR 1 · the larger of VGPR and AGPR 2 of 24 for 10 waves
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",22,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
used later 2 VGPR, 2 SGPR, 1 AGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",22,4])

== 26 S_NOP 4-9
**S_NOP** does nothing for a + 1 cycles · SALU, side effects · latency 1 cycle (model of gfx900)
simm16
---
VGPR **2** → 1 · SGPR 2 → 1 · AGPR 1 → 0 · the larger of VGPR and AGPR 2 of 24 for 10 waves
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",25,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
kills '%0' vgpr_32 (-1), '%agpr' agpr_32 (-1), '%1' sreg_32 (-1)
used soon 1 VGPR, 1 SGPR, 1 AGPR · only passing 1 VGPR, 1 SGPR
---
region 1, 1st of 1, stays there when scheduled · [explain](explainSchedule ["file:///test.mir",25,0])
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",25,4])

== 29 dead 4-53
**V_MOV_B32_e32** copies a, 32 bits · VALU, rematerializable, cheap as a move, moves an immediate · latency 1 cycle (model of gfx900)
vdst vgpr_32 (def) · src0 vs_32 or constant · reads $exec
---
VGPR 1, **2** while it runs of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",28,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
defines '%5' vgpr_32 (never read)
used soon 1 VGPR, 1 SGPR · used later 1 VGPR
---
region 2, 1st of 2, stays there when scheduled: Only1 (bottom, cycle 1, OccInitialSchedule) · [explain](explainSchedule ["file:///test.mir",28,0])
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",28,4])

== 29 %5 9-11
**'%5'**: vgpr_32, 1 VGPR (32 bits), uniform
defined at [29] · never used
uniform: 'V_MOV_B32_e32' gives all lanes the same
live in 1 of 4 blocks: 'bb.2 ░█░░'
---
VGPR 1, **2** while it runs of 24 for 10 waves · SGPR 1 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",28,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
defines '%5' vgpr_32 (never read)
used soon 1 VGPR, 1 SGPR · used later 1 VGPR
---
region 2, 1st of 2, stays there when scheduled: Only1 (bottom, cycle 1, OccInitialSchedule) · [explain](explainSchedule ["file:///test.mir",28,0])
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",28,4])

== 31 S_ENDPGM 4-12
**S_ENDPGM** ends the wave · SALU, side effects, terminator, nothing falls through, return · latency 1 cycle (model of gfx900)
simm16
---
VGPR **0** · SGPR 0 · AGPR 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",30,4]) · [live peak VGPR 3](goTo ["file:///test.mir",14,4])
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",30,4])

== 33 bb.3 2-6
**'bb.3'**: 1 instruction, not reached from the entry, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 0, SGPR 0
goes nowhere

== 10 $vgpr15 138-145
**'$vgpr15'**: 1 VGPR (32 bits), 'v15' in assembly
caller-saved here · place 16 of 64 in the order of vgpr_32
defined at [10] · never used
`;

describeHovers('hover, with links', EACH_BANK, HOVERS, { commandLinks: true });
