/** Hovers on registers: places, live range, lanes, what they are to the allocator; lists that are cut. */
import { describeHovers } from '../../../support/hoverTexts.js';
import { expect } from '../../../support/expect.js';
import { EACH_BANK, MANY_BLOCKS } from '../../../support/exampleTexts.js';

const HOVERS = expect`
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
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
occupancy **10** of 10 · live peak VGPR of the function
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
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
occupancy **10** of 10 · live peak VGPR 3 at line 15
kills '%2' vreg_96 (-1), '%3' sreg_32 (-1)
used soon 1 VGPR, 1 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)*
`;

describeHovers('hover on a register', EACH_BANK, HOVERS);

const GENERIC = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s
---
name: g
tracksRegLiveness: true
registers:
  - { id: 3, class: vgpr_32 }
body: |
  bb.0:
    liveins: $vgpr0, $sgpr0

    %0:_(s32) = COPY $vgpr0
    %1:sgpr(s32) = COPY $sgpr0
    %2:_(s32) = G_CONSTANT i32 1
    %4:_(s1) = G_ICMP intpred(eq), %0(s32), %2
    %5:_(s32) = G_SELECT %4(s1), %1, %2
    %six:vgpr(s64) = G_ANYEXT %5(s32)
    %7:vcc(s1) = G_ICMP intpred(ne), %1(s32), %2
    G_BRCOND %4(s1), %bb.1

  bb.1:
    %8:vreg_128_align2 = IMPLICIT_DEF
    %8.sub1_sub2:vreg_128_align2 = IMPLICIT_DEF
    %9:sgpr_96 = IMPLICIT_DEF
    S_NOP 0, implicit %8.sub3, implicit %9
    S_NOP 1, implicit-def dead %3, implicit %8.sub0, implicit %six(s64), implicit %7(s1)
    S_NOP 2, implicit %8
    S_NOP 3, implicit $sgpr32, implicit $vgpr41, implicit $agpr0, implicit $vgpr0_vgpr1, implicit $scc, implicit $m0, implicit $sgpr_null
    S_ENDPGM 0
...
`;

/** The first part of each hover. */
const GENERIC_HOVERS = expect`
== 9 $vgpr0 13-19
**'$vgpr0'**: 1 VGPR (32 bits), 'v0' in assembly
caller-saved here · place 1 of 64 in the order of vgpr_32
defined at [9] · 2 uses: [11], [27]

== 9 $sgpr0 21-27
**'$sgpr0'**: 1 SGPR (32 bits), 's0' in assembly
caller-saved here · place 1 of 102 in the order of sgpr_32
defined at [9] · 1 use: [12]

== 11 %0 4-6
**'%0'**: generic register, divergent
defined at [11] · 1 use: [14]
divergent: it is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",10,4])
selection would take bank vgpr, class vgpr_32, SelectionDAG class av_32 (estimate)

== 12 %1 4-6
**'%1'**: generic register, bank sgpr, uniform
defined at [12] · 2 uses: [15], [17]
selection would take class sreg_32 (estimate)

== 13 %2 4-6
**'%2'**: generic register, uniform
defined at [13] · 3 uses: [14], [15], [17]
uniform: 'G_CONSTANT' gives all lanes the same
selection would take bank sgpr, class sreg_32 (estimate)

== 14 %4 4-6
**'%4'**: generic register, divergent
defined at [14] · 2 uses: [15], [18]
divergent: it comes from 'G_ICMP', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",13,4])
selection would take bank vcc, class sreg_64_xexec, SelectionDAG class vreg_1 (estimate)

== 14 %0 35-37
**'%0'**: generic register, divergent
defined at [11] · 1 use: [14]
divergent: it is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",13,35])
selection would take bank vgpr, class vgpr_32, SelectionDAG class av_32 (estimate)

== 14 %2 44-46
**'%2'**: generic register, uniform
defined at [13] · 3 uses: [14], [15], [17]
uniform: 'G_CONSTANT' gives all lanes the same
selection would take bank sgpr, class sreg_32 (estimate)

== 15 %5 4-6
**'%5'**: generic register, divergent
defined at [15] · 1 use: [16]
divergent: it comes from 'G_SELECT', which reads '%4' ([line 15]); '%4' comes from 'G_ICMP', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",14,4])
selection would take bank vgpr, class vgpr_32, SelectionDAG class av_32 (estimate)

== 15 %4 25-27
**'%4'**: generic register, divergent
defined at [14] · 2 uses: [15], [18]
divergent: it comes from 'G_ICMP', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",14,25])
selection would take bank vcc, class sreg_64_xexec, SelectionDAG class vreg_1 (estimate)

== 15 %1 33-35
**'%1'**: generic register, bank sgpr, uniform
defined at [12] · 2 uses: [15], [17]
selection would take class sreg_32 (estimate)

== 15 %2 37-39
**'%2'**: generic register, uniform
defined at [13] · 3 uses: [14], [15], [17]
uniform: 'G_CONSTANT' gives all lanes the same
selection would take bank sgpr, class sreg_32 (estimate)

== 16 %six 4-8
**'%six'**: generic register, bank vgpr, divergent
defined at [16] · 1 use: [25]
divergent: it comes from 'G_ANYEXT', which reads '%5' ([line 16]); '%5' comes from 'G_SELECT', which reads '%4' ([line 15]); '%4' comes from 'G_ICMP', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",15,4])
selection would take class vreg_64_align2, SelectionDAG class av_64_align2 (estimate)

== 16 %5 30-32
**'%5'**: generic register, divergent
defined at [15] · 1 use: [16]
divergent: it comes from 'G_SELECT', which reads '%4' ([line 15]); '%4' comes from 'G_ICMP', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",15,30])
selection would take bank vgpr, class vgpr_32, SelectionDAG class av_32 (estimate)

== 17 %7 4-6
**'%7'**: generic register, bank vcc, lane mask
defined at [17] · 1 use: [25]
lane mask: a bit for each lane
selection would take class sreg_64 (estimate)

== 17 %1 37-39
**'%1'**: generic register, bank sgpr, uniform
defined at [12] · 2 uses: [15], [17]
selection would take class sreg_32 (estimate)

== 17 %2 46-48
**'%2'**: generic register, uniform
defined at [13] · 3 uses: [14], [15], [17]
uniform: 'G_CONSTANT' gives all lanes the same
selection would take bank sgpr, class sreg_32 (estimate)

== 18 %4 13-15
**'%4'**: generic register, divergent
defined at [14] · 2 uses: [15], [18]
divergent: it comes from 'G_ICMP', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",17,13])
selection would take bank vcc, class sreg_64_xexec, SelectionDAG class vreg_1 (estimate)

== 18 %bb.1 21-26
**'bb.1'**: 8 instructions, runs 1x per call, in no loop
goes nowhere; comes from bb.0

== 21 %8 4-6
**'%8'**: vreg_128_align2, 4 VGPRs (128 bits), divergent
defined at [21], [22] · 3 uses: [24], [25], [26]
divergent: it comes from 'IMPLICIT_DEF', which reads the vector register '%8' ([line 22]); not in SSA form: one of the 2 instructions that write it is enough · [why](whyDivergent ["file:///test.mir",20,4])

== 22 %8.sub1_sub2 4-6
**'%8'**: vreg_128_align2, 4 VGPRs (128 bits), divergent
defined at [21], [22] · 3 uses: [24], [25], [26]
divergent: it comes from 'IMPLICIT_DEF', which reads the vector register '%8' ([line 22]); not in SSA form: one of the 2 instructions that write it is enough · [why](whyDivergent ["file:///test.mir",21,4])

== 23 %9 4-6
**'%9'**: sgpr_96, 3 SGPRs (96 bits), uniform
defined at [23] · 1 use: [24]

== 24 %8.sub3 22-24
**'%8'**: vreg_128_align2, 4 VGPRs (128 bits), divergent
defined at [21], [22] · 3 uses: [24], [25], [26]
divergent: it comes from 'IMPLICIT_DEF', which reads the vector register '%8' ([line 22]); not in SSA form: one of the 2 instructions that write it is enough · [why](whyDivergent ["file:///test.mir",23,22])

== 24 %9 40-42
**'%9'**: sgpr_96, 3 SGPRs (96 bits), uniform
defined at [23] · 1 use: [24]

== 25 %3 31-33
**'%3'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [25] · never used
divergent: it comes from 'S_NOP', which reads '%six' ([line 25]); '%six' comes from 'G_ANYEXT', which reads '%5' ([line 16]); '%5' comes from 'G_SELECT', which reads '%4' ([line 15]); '%4' comes from 'G_ICMP', which reads '%0' ([line 14]) · [why](whyDivergent ["file:///test.mir",24,31])

== 25 %8.sub0 44-46
**'%8'**: vreg_128_align2, 4 VGPRs (128 bits), divergent
defined at [21], [22] · 3 uses: [24], [25], [26]
divergent: it comes from 'IMPLICIT_DEF', which reads the vector register '%8' ([line 22]); not in SSA form: one of the 2 instructions that write it is enough · [why](whyDivergent ["file:///test.mir",24,44])

== 25 %six 62-66
**'%six'**: generic register, bank vgpr, divergent
defined at [16] · 1 use: [25]
divergent: it comes from 'G_ANYEXT', which reads '%5' ([line 16]); '%5' comes from 'G_SELECT', which reads '%4' ([line 15]); '%4' comes from 'G_ICMP', which reads '%0' ([line 14]); '%0' is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",24,62])
selection would take class vreg_64_align2, SelectionDAG class av_64_align2 (estimate)

== 25 %7 82-84
**'%7'**: generic register, bank vcc, lane mask
defined at [17] · 1 use: [25]
lane mask: a bit for each lane
selection would take class sreg_64 (estimate)

== 26 %8 22-24
**'%8'**: vreg_128_align2, 4 VGPRs (128 bits), divergent
defined at [21], [22] · 3 uses: [24], [25], [26]
divergent: it comes from 'IMPLICIT_DEF', which reads the vector register '%8' ([line 22]); not in SSA form: one of the 2 instructions that write it is enough · [why](whyDivergent ["file:///test.mir",25,22])

== 27 $sgpr32 22-29
**'$sgpr32'**: 1 SGPR (32 bits), 's32' in assembly
callee-saved here: llc takes it last, and saves it · place 65 of 102 in the order of sgpr_32
1 use: [27]

== 27 $vgpr41 40-47
**'$vgpr41'**: 1 VGPR (32 bits), 'v41' in assembly
callee-saved here: llc takes it last, and saves it · place 50 of 64 in the order of vgpr_32
1 use: [27]

== 27 $agpr0 58-64
**'$agpr0'**: 1 AGPR (32 bits), 'a0' in assembly
caller-saved here · place 1 of 64 in the order of agpr_32
1 use: [27]

== 27 $vgpr0_vgpr1 75-87
**'$vgpr0_vgpr1'**: 2 VGPRs (64 bits), 'v[0:1]' in assembly
caller-saved here
defined at [9] · 2 uses: [11], [27]

== 27 $scc 98-102
**'$scc'**: 1 SGPR (1 bits), 'scc' in assembly
not allocated by llc
1 use: [27]

== 27 $m0 113-116
**'$m0'**: 1 SGPR (32 bits), 'm0' in assembly
reserved here: special register, never allocated
1 use: [27]

== 27 $sgpr_null 127-137
**'$sgpr_null'**: 1 SGPR (32 bits), 'null' in assembly
reserved here: special register, never allocated
1 use: [27]
`;

describeHovers('hover on generic registers, banks and masks', GENERIC, GENERIC_HOVERS, {
  isFirstPart: true,
  commandLinks: true,
});

const R600 = `# RUN: llc -mtriple=r600-- -mcpu=cayman -run-pass=none %s
---
name: r
body: |
  bb.0:
    liveins: $t0_x

    %0:r600_reg32 = COPY $t0_x
    %1:r600_reg128 = IMPLICIT_DEF
    $t1_x = COPY %0
    $pv_x = COPY %0
...
`;

/** The first part of each hover. */
const R600_HOVERS = expect`
== 6 $t0_x 13-18
**'$t0_x'**: 1 register (32 bits), 'T0_X' in assembly
may be allocated
defined at [6] · 1 use: [8]

== 8 %0 4-6
**'%0'**: r600_reg32, 1 register (32 bits)
defined at [8] · 2 uses: [10], [11]

== 9 %1 4-6
**'%1'**: r600_reg128, 4 registers (128 bits)
defined at [9] · never used

== 10 $t1_x 4-9
**'$t1_x'**: 1 register (32 bits), 'T1_X' in assembly
may be allocated
defined at [10] · never used

== 10 %0 17-19
**'%0'**: r600_reg32, 1 register (32 bits)
defined at [8] · 2 uses: [10], [11]

== 11 $pv_x 4-9
**'$pv_x'**: 1 register (32 bits), 'PV_X' in assembly
reserved: never allocated
defined at [11] · never used

== 11 %0 17-19
**'%0'**: r600_reg32, 1 register (32 bits)
defined at [8] · 2 uses: [10], [11]
`;

describeHovers('hover on registers of another target', R600, R600_HOVERS, { isFirstPart: true });

const LANES = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s
---
name: w
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1

    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:av_64_align2 = COPY %0
    undef %2.sub1:vreg_64_align2 = V_MOV_B32_e32 1, implicit $exec
    %3:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    S_NOP 0, implicit %2.sub1
    %2.sub0:vreg_64_align2 = V_MOV_B32_e32 3, implicit $exec
    S_NOP 0, implicit %0.sub0, implicit %1
    S_NOP 0, implicit %0.sub1
    S_NOP 0, implicit %2

  bb.1:
    S_NOP 0, implicit %3
    S_ENDPGM 0
...
`;

/** The first part of each hover. */
const LANES_HOVERS = expect`
== 7 $vgpr0_vgpr1 13-25
**'$vgpr0_vgpr1'**: 2 VGPRs (64 bits), 'v[0:1]' in assembly
caller-saved here
defined at [7] · 1 use: [9]

== 9 %0 4-6
**'%0'**: vreg_64_align2, 2 VGPRs (64 bits), divergent
defined at [9] · 3 uses: [10], [15], [16]
divergent: it is a copy of '$vgpr0_vgpr1', a vector register ([line 9])
live in 1 of 2 blocks: 'bb.0 ████'
lanes live before: none · after: sub0, sub1 · can be rematerialized: no, COPY cannot be rematerialized

== 10 %1 4-6
**'%1'**: av_64_align2, 2 VGPR/AGPRs (64 bits), divergent
defined at [10] · 1 use: [15]
divergent: it comes from 'COPY', which reads '%0' ([line 10]); '%0' is a copy of '$vgpr0_vgpr1', a vector register ([line 9])
live in 1 of 2 blocks: 'bb.0 ███░'
lanes live before: none · after: sub0, sub1 · can be rematerialized: no, COPY cannot be rematerialized

== 10 %0 27-29
**'%0'**: vreg_64_align2, 2 VGPRs (64 bits), divergent
defined at [9] · 3 uses: [10], [15], [16]
divergent: it is a copy of '$vgpr0_vgpr1', a vector register ([line 9])
live in 1 of 2 blocks: 'bb.0 ████'
lanes live here: sub0, sub1 · can be rematerialized: no, COPY cannot be rematerialized

== 11 %2.sub1 10-12
**'%2'**: vreg_64_align2, 2 VGPRs (64 bits), divergent
defined at [11], [14] · 2 uses: [13], [17]
divergent: it comes from 'V_MOV_B32_e32', which reads the vector register '%2' ([line 14]); not in SSA form: one of the 2 instructions that write it is enough
live in 1 of 2 blocks: 'bb.0 ░███'
lanes live before: none · after: sub1 · can be rematerialized: no, it has several definitions

== 12 %3 4-6
**'%3'**: vgpr_32, 1 VGPR (32 bits), uniform
defined at [12] · 1 use: [20]
uniform: 'V_MOV_B32_e32' gives all lanes the same
live in 2 of 2 blocks: 'bb.0 ░███  bb.1 ██░░'
can be rematerialized: at bb.1 (VGPR -1 in 1 region, occupancy stays 8)

== 13 %2.sub1 22-24
**'%2'**: vreg_64_align2, 2 VGPRs (64 bits), divergent
defined at [11], [14] · 2 uses: [13], [17]
divergent: it comes from 'V_MOV_B32_e32', which reads the vector register '%2' ([line 14]); not in SSA form: one of the 2 instructions that write it is enough
live in 1 of 2 blocks: 'bb.0 ░███'
lanes live here: sub1 · can be rematerialized: no, it has several definitions

== 14 %2.sub0 4-6
**'%2'**: vreg_64_align2, 2 VGPRs (64 bits), divergent
defined at [11], [14] · 2 uses: [13], [17]
divergent: it comes from 'V_MOV_B32_e32', which reads the vector register '%2' ([line 14]); not in SSA form: one of the 2 instructions that write it is enough
live in 1 of 2 blocks: 'bb.0 ░███'
lanes live before: sub1 · after: sub0, sub1 · can be rematerialized: no, it has several definitions

== 15 %0.sub0 22-24
**'%0'**: vreg_64_align2, 2 VGPRs (64 bits), divergent
defined at [9] · 3 uses: [10], [15], [16]
divergent: it is a copy of '$vgpr0_vgpr1', a vector register ([line 9])
live in 1 of 2 blocks: 'bb.0 ████'
lanes live before: sub0, sub1 · after: sub1 · can be rematerialized: no, COPY cannot be rematerialized

== 15 %1 40-42
**'%1'**: av_64_align2, 2 VGPR/AGPRs (64 bits), divergent
defined at [10] · 1 use: [15]
divergent: it comes from 'COPY', which reads '%0' ([line 10]); '%0' is a copy of '$vgpr0_vgpr1', a vector register ([line 9])
live in 1 of 2 blocks: 'bb.0 ███░'
lanes live before: sub0, sub1 · after: none · can be rematerialized: no, COPY cannot be rematerialized

== 16 %0.sub1 22-24
**'%0'**: vreg_64_align2, 2 VGPRs (64 bits), divergent
defined at [9] · 3 uses: [10], [15], [16]
divergent: it is a copy of '$vgpr0_vgpr1', a vector register ([line 9])
live in 1 of 2 blocks: 'bb.0 ████'
lanes live before: sub1 · after: none · can be rematerialized: no, COPY cannot be rematerialized

== 17 %2 22-24
**'%2'**: vreg_64_align2, 2 VGPRs (64 bits), divergent
defined at [11], [14] · 2 uses: [13], [17]
divergent: it comes from 'V_MOV_B32_e32', which reads the vector register '%2' ([line 14]); not in SSA form: one of the 2 instructions that write it is enough
live in 1 of 2 blocks: 'bb.0 ░███'
lanes live before: sub0, sub1 · after: none · can be rematerialized: no, it has several definitions

== 20 %3 22-24
**'%3'**: vgpr_32, 1 VGPR (32 bits), uniform
defined at [12] · 1 use: [20]
uniform: 'V_MOV_B32_e32' gives all lanes the same
live in 2 of 2 blocks: 'bb.0 ░███  bb.1 ██░░'
can be rematerialized: at bb.1 (VGPR -1 in 1 region, occupancy stays 8)
`;

describeHovers('hover on lanes and quarters of blocks', LANES, LANES_HOVERS, { isFirstPart: true });

/** The first part of each hover. */
const LONG_HOVERS = expect`
== 11 %0 4-6
**'%0'**: vgpr_32, 1 VGPR (32 bits), uniform
defined at [11] · 1 use: [68]
uniform: 'IMPLICIT_DEF' gives all lanes the same
live in 9 of 9 blocks: 'bb.0 ████  bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ████  bb.5 ████  bb.6 ████  bb.7 ████  and 1 block more'
can be rematerialized: at bb.8 (VGPR -1 in 6 regions, occupancy stays 8)

== 12 %ag 4-7
**'%ag'**: areg_64_align2, 2 AGPRs (64 bits), uniform
defined at [12] · 1 use: [68]
uniform: 'IMPLICIT_DEF' gives all lanes the same
live in 9 of 9 blocks: 'bb.0 ████  bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ████  bb.5 ████  bb.6 ████  bb.7 ████  and 1 block more'
lanes live before: none · after: sub0, sub1 · can be rematerialized: at bb.8 (AGPR -2 in 6 regions, occupancy stays 8)

== 13 %1 4-6
**'%1'**: sreg_32, 1 SGPR (32 bits), uniform
defined at [13] · 1 use: [68]
live in 9 of 9 blocks: 'bb.0 ████  bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ████  bb.5 ████  bb.6 ████  bb.7 ████  and 1 block more'
can be rematerialized: at bb.8 (SGPR -1 in 6 regions, occupancy stays 8)

== 29 %17 4-7
**'%17'**: sreg_32, 1 SGPR (32 bits), uniform
defined at [29] · 1 use: [68]
live in 9 of 9 blocks: 'bb.0 ░░░█  bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ████  bb.5 ████  bb.6 ████  bb.7 ████  and 1 block more'
can be rematerialized: at bb.8 (SGPR -1 in 6 regions, occupancy stays 8)

== 68 %ag 35-38
**'%ag'**: areg_64_align2, 2 AGPRs (64 bits), uniform
defined at [12] · 1 use: [68]
uniform: 'IMPLICIT_DEF' gives all lanes the same
live in 9 of 9 blocks: 'bb.0 ████  bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ████  bb.5 ████  bb.6 ████  bb.7 ████  and 1 block more'
lanes live before: sub0, sub1 · after: none · can be rematerialized: at bb.8 (AGPR -2 in 6 regions, occupancy stays 8)
`;

describeHovers('hover on registers that live in many blocks', MANY_BLOCKS, LONG_HOVERS, { isFirstPart: true });
