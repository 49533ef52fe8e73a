/** What registers, branches and blocks are to the lanes, in hovers. */
import { describeHovers } from '../../../support/hoverTexts.js';
import { UNIFORMITIES } from '../../../support/exampleTexts.js';

const HOVERS = `
== 39 bb.0 2-6
**'bb.0'**: 5 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 0, SGPR 0: '%1, %2'
liveins: '$vgpr0'
goes to bb.2 50%, bb.1 50% (not spelled)
**divergent branch**: lanes part at the end of 'bb.0': 'G_BRCOND' reads '%3' ([line 46]); they meet in 'bb.2' · [why](whyDivergent ["file:///test.mir",45,0])

== 51 bb.2 2-6
**'bb.2'**: 3 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.0, bb.1
join of lanes that parted at the end of 'bb.0'

== 48 bb.1 2-6
**'bb.1'**: 1 instruction, runs 0.5x per call, in no loop
live-in VGPR 0, SGPR 0: '%1, %2'
live-out VGPR 0, SGPR 0: '%4'
goes to bb.2 (not spelled); comes from bb.0

== 62 bb.0 2-6
**'bb.0'**: 4 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 0, SGPR 0: '%1'
liveins: '$vgpr0'
goes to bb.1 50%, bb.2 50%
**divergent branch**: lanes part at the end of 'bb.0': 'G_BRCOND' reads '%3' ([line 69]); they meet in 'bb.2, bb.1' · [why](whyDivergent ["file:///test.mir",68,0])

== 71 bb.1 2-6
**'bb.1'**: 4 instructions, runs 2.67x per call, in no loop
live-in VGPR 0, SGPR 0: '%1'
live-out VGPR 0, SGPR 0: '%1, %6'
goes to bb.2 50%, bb.3 50%; comes from bb.0, bb.2
**divergent branch**: lanes part at the end of 'bb.1': 'G_BRCOND' reads '%7' ([line 77]) · [why](whyDivergent ["file:///test.mir",76,0])
join of lanes that parted at the end of 'bb.0'
in the cycle of 'bb.2', assumed divergent: lanes that parted at the end of 'bb.0' meet inside it
in the cycle of 'bb.2' with divergent exit, because of 'bb.1': what is uniform in it is divergent behind it

== 79 bb.2 2-6
**'bb.2'**: 2 instructions, runs 1.33x per call, in no loop
live-in VGPR 0, SGPR 0: '%1'
live-out VGPR 0, SGPR 0: '%1, %5'
goes to bb.1; comes from bb.0, bb.1
join of lanes that parted at the end of 'bb.0'
in the cycle of 'bb.2', assumed divergent: lanes that parted at the end of 'bb.0' meet inside it
in the cycle of 'bb.2' with divergent exit, because of 'bb.1': what is uniform in it is divergent behind it

== 94 bb.0 2-6
**'bb.0'**: 2 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 0, SGPR 0: '%0, %1'
liveins: '$vgpr0'
goes to bb.1

== 101 bb.1 2-6
**'bb.1'**: 4 instructions, runs 2x per call, header of a loop of depth 1
live-in VGPR 0, SGPR 0: '%0, %1'
live-out VGPR 0, SGPR 0: '%0, %1, %4, %5'
goes to bb.1 50%, bb.2 50%; comes from bb.0, bb.1
**divergent branch**: lanes part at the end of 'bb.1': 'G_BRCOND' reads '%7' ([line 107]) · [why](whyDivergent ["file:///test.mir",106,0])
in the cycle of 'bb.1' with divergent exit, because of 'bb.1': what is uniform in it is divergent behind it

== 109 bb.2 2-6
**'bb.2'**: 3 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0: '%1, %4, %5'
live-out VGPR 0, SGPR 0: '%4, %8'
goes to bb.3 50%, bb.4 50%; comes from bb.1
**divergent branch**: lanes part at the end of 'bb.2': 'G_BRCOND' reads '%9' ([line 114]); they meet in 'bb.4' · [why](whyDivergent ["file:///test.mir",113,0])

== 119 bb.4 2-6
**'bb.4'**: 1 instruction, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0: '%4, %8'
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.2, bb.3
join of lanes that parted at the end of 'bb.2'

== 136 bb.0 2-6
**'bb.0'**: 5 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 0, SGPR 2: '%4'
liveins: '$vgpr0', '$sgpr0'
goes to bb.1 50%, bb.2 50%
**divergent branch**: lanes part at the end of 'bb.0' by 'SI_IF' ([line 144]); they meet in 'bb.2' · [why](whyDivergent ["file:///test.mir",143,0])
EXEC: narrowed [line 144]

== 149 bb.2 2-6
**'bb.2'**: 3 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 2: '%4'
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.0, bb.1
join of lanes that parted at the end of 'bb.0'
EXEC: restored [line 151]

== 11 %0 4-6
**'%0'**: generic register, divergent
defined at [11] · never used
divergent: it is a copy of '$vgpr0', a vector register ([line 11]) · [why](whyDivergent ["file:///test.mir",10,4])
selection would take bank vgpr, class vgpr_32 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 12 %1 4-6
**'%1'**: generic register, divergent
defined at [12] · 1 use: [14]
divergent: it is a copy of '$vgpr1_vgpr2', a vector register ([line 12]) · [why](whyDivergent ["file:///test.mir",11,4])
selection would take bank vgpr, class vreg_64 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 14 %3 4-6
**'%3'**: generic register, divergent
defined at [14] · 1 use: [30]
divergent: it comes from the atomic 'G_ATOMICRMW_ADD', which lanes run one after the other ([line 14]) · [why](whyDivergent ["file:///test.mir",13,4])
selection would take bank vgpr, class vgpr_32 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 15 %4 4-6
**'%4'**: generic register, divergent
defined at [15] · 1 use: [30]
divergent: it comes from 'llvm.amdgcn.mbcnt.lo', which differs between lanes ([line 15]) · [why](whyDivergent ["file:///test.mir",14,4])
selection would take bank vgpr, class vgpr_32 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 17 %6 4-6
**'%6'**: generic register, divergent
defined at [17] · never used
divergent: it comes from 'G_LOAD', whose memory may be private to each lane ([line 17]) · [why](whyDivergent ["file:///test.mir",16,4])
selection would take bank vgpr, class vgpr_32 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 18 %7 4-6
**'%7'**: generic register, divergent
defined at [18] · never used
divergent: it comes from 'G_LOAD', whose memory is not known: each lane may have its own ([line 18]) · [why](whyDivergent ["file:///test.mir",17,4])
selection would take bank vgpr, class vgpr_32 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 20 %9 4-6
**'%9'**: generic register, uniform
defined at [20] · never used
uniform: 'G_ADDRSPACE_CAST' reads nothing that differs between lanes
selection would take bank sgpr, class sreg_64 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 21 %10 4-7
**'%10'**: vgpr_32, 1 VGPR (32 bits), uniform
defined at [21] · 6 uses: [22], [23], [24], [25], [26], [27]
uniform: 'V_MOV_B32_e32' gives all lanes the same
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 22 %11 4-7
**'%11'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [22] · never used
divergent: it comes from 'V_ADD_U32_e32', which reads the vector register '%10': to LLVM divergent, though all lanes have the same in it ([line 22]) · [why](whyDivergent ["file:///test.mir",21,4])
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 23 %12 4-7
**'%12'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [23] · 1 use: [26]
divergent: it comes from 'V_MBCNT_LO_U32_B32_e64', which gives each lane its own ([line 23]) · [why](whyDivergent ["file:///test.mir",22,4])
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 25 %14 4-7
**'%14'**: sreg_64, 2 SGPRs (64 bits), lane mask
defined at [25] · never used
lane mask: a bit for each lane
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 30 %17 4-7
**'%17'**: generic register, divergent
defined at [30] · 1 use: [31]
divergent: it comes from 'G_ADD', which reads '%4' ([line 30]); '%4' comes from 'llvm.amdgcn.mbcnt.lo', which differs between lanes ([line 15]) · [why](whyDivergent ["file:///test.mir",29,4])
selection would take bank vgpr, class vgpr_32 (estimate)
---
**no pressure**: llc rejects 'sources'
line 18: 'Generic instruction accessing memory must have one mem operand'

== 53 %5 22-24
**'%5'**: generic register, divergent
defined at [52] · 1 use: [53]
divergent: it is a PHI ([line 52]) where lanes meet that parted at the end of 'bb.0'; lanes part at the end of 'bb.0': 'G_BRCOND' reads '%3' ([line 46]); '%3' comes from 'G_ICMP', which reads '%0' ([line 45]); '%0' is a copy of '$vgpr0', the work-item ([line 42]) · [why](whyDivergent ["file:///test.mir",52,22])
selection would take bank vgpr, class vgpr_32 (estimate)
live in 1 of 3 blocks: 'bb.2 ░██░'
---
generic registers: banks vgpr 1 x 32 bit, sgpr 2 x 32 bit, vcc 2 x 32 bit (estimate, banks by divergence)
vgpr 1 x 32 bit: 1 s32
sgpr 2 x 32 bit: 2 s32
vcc 2 x 32 bit: 1 s1
defines '%6' · kills '%5'
---
*gfx900 wave64, LLVM 22.1.8* · [details](showDetails ["file:///test.mir",52,4])

== 74 %4 4-6
**'%4'**: generic register, divergent
defined at [74] · 1 use: [75]
divergent: it is made ([line 74]) in the cycle of 'bb.2', which lanes enter in different places; lanes part at the end of 'bb.0': 'G_BRCOND' reads '%3' ([line 69]); '%3' comes from 'G_ICMP', which reads '%0' ([line 68]); '%0' is a copy of '$vgpr0', the work-item ([line 66]) · [why](whyDivergent ["file:///test.mir",73,4])
selection would take bank vgpr, class vgpr_32 (estimate)
live in 1 of 4 blocks: 'bb.1 ██░░'
---
generic registers: banks vgpr 1 x 32 bit, sgpr 1 x 32 bit, vcc 2 x 32 bit (estimate, banks by divergence)
vgpr 1 x 32 bit: 1 s32
sgpr 1 x 32 bit: 1 s32
vcc 2 x 32 bit: 1 s1
defines '%4' · keeps alive '%1'
---
*gfx900 wave64, LLVM 22.1.8* · [details](showDetails ["file:///test.mir",73,4])

== 112 %5 22-24
**'%5'**: generic register, divergent here
defined at [105] · 4 uses: [104], [106], [112], [113]
uniform in the cycle of 'bb.1', divergent here: lanes leave that at different times; lanes part at the end of 'bb.1': 'G_BRCOND' reads '%7' ([line 107]); '%7' comes from 'G_ICMP', which reads '%0' ([line 106]); '%0' is a copy of '$vgpr0', the work-item ([line 98]) · [why](whyDivergent ["file:///test.mir",111,22])
selection would take bank sgpr, class sreg_32 (estimate)
live in 2 of 5 blocks: 'bb.1 ░███  bb.2 ███░'
---
generic registers: banks vgpr 1 x 32 bit, sgpr 3 x 32 bit, vcc 2 x 32 bit (estimate, banks by divergence)
vgpr 1 x 32 bit: 1 s32
sgpr 3 x 32 bit: 3 s32
vcc 2 x 32 bit: 1 s1
defines '%8' · keeps alive '%5'
---
*gfx900 wave64, LLVM 22.1.8* · [details](showDetails ["file:///test.mir",111,4])

== 113 %9 4-6
**'%9'**: generic register, divergent
defined at [113] · 1 use: [114]
divergent: it comes from 'G_ICMP' ([line 113]), which reads '%5' behind the cycle of 'bb.1', which lanes leave at different times; lanes part at the end of 'bb.1': 'G_BRCOND' reads '%7' ([line 107]); '%7' comes from 'G_ICMP', which reads '%0' ([line 106]); '%0' is a copy of '$vgpr0', the work-item ([line 98]) · [why](whyDivergent ["file:///test.mir",112,4])
selection would take bank vcc, class sreg_64, SelectionDAG class vreg_1 (estimate)
live in 1 of 5 blocks: 'bb.2 ░░██'
---
generic registers: banks vgpr 1 x 32 bit, sgpr 3 x 32 bit, vcc 2 x 32 bit (estimate, banks by divergence)
vgpr 1 x 32 bit: 1 s32
sgpr 3 x 32 bit: 3 s32
vcc 2 x 32 bit: 1 s1
defines '%9' · kills '%5', '%1'
---
*gfx900 wave64, LLVM 22.1.8* · [details](showDetails ["file:///test.mir",112,4])

== 120 %8 25-27
**'%8'**: generic register, divergent
defined at [112] · 1 use: [120]
divergent: it is a PHI ([line 112]) behind the cycle of 'bb.1', which lanes leave at different times; lanes part at the end of 'bb.1': 'G_BRCOND' reads '%7' ([line 107]); '%7' comes from 'G_ICMP', which reads '%0' ([line 106]); '%0' is a copy of '$vgpr0', the work-item ([line 98]) · [why](whyDivergent ["file:///test.mir",119,25])
selection would take bank vgpr, class vgpr_32 (estimate)
live in 3 of 5 blocks: 'bb.2 ░███  bb.3 ████  bb.4 ███░'
---
generic registers: banks vgpr 1 x 32 bit, sgpr 3 x 32 bit, vcc 2 x 32 bit (estimate, banks by divergence)
vgpr 1 x 32 bit: 1 s32
sgpr 3 x 32 bit: 3 s32
vcc 2 x 32 bit: 1 s1
kills '%8', '%4'
---
*gfx900 wave64, LLVM 22.1.8* · [details](showDetails ["file:///test.mir",119,4])

== 120 %4 38-40
**'%4'**: generic register, divergent here
defined at [104] · 2 uses: [105], [120]
uniform in the cycle of 'bb.1', divergent here: lanes leave that at different times; lanes part at the end of 'bb.1': 'G_BRCOND' reads '%7' ([line 107]); '%7' comes from 'G_ICMP', which reads '%0' ([line 106]); '%0' is a copy of '$vgpr0', the work-item ([line 98]) · [why](whyDivergent ["file:///test.mir",119,38])
selection would take bank sgpr, class sreg_32 (estimate)
live in 4 of 5 blocks: 'bb.1 ████  bb.2 ████  bb.3 ████  bb.4 ███░'
---
generic registers: banks vgpr 1 x 32 bit, sgpr 3 x 32 bit, vcc 2 x 32 bit (estimate, banks by divergence)
vgpr 1 x 32 bit: 1 s32
sgpr 3 x 32 bit: 3 s32
vcc 2 x 32 bit: 1 s1
kills '%8', '%4'
---
*gfx900 wave64, LLVM 22.1.8* · [details](showDetails ["file:///test.mir",119,4])

== 144 SI_IF 17-22
**SI_IF** SALU, side effects, terminator, not duplicable · latency 1 cycle on gfx900
operand 0 sreg_64 (def) · operand 1 sreg_64 · operand 2 · reads $exec · writes $exec, $scc
EXEC: 2 instructions with fewer lanes, from [line 144] to [line 151]
---
VGPR **0** · SGPR 2
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",143,4]) · [peak VGPR 1](goTo ["file:///test.mir",139,4])
defines '%4' sreg_64 (+2) · kills '%3' sreg_64 (-2)
used later 2 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",143,4])

== 150 %8 4-6
**'%8'**: vgpr_32, 1 VGPR (32 bits), divergent
defined at [150] · 1 use: [152]
divergent: it comes from 'PHI', which reads the vector register '%5': to LLVM divergent, though all lanes have the same in it ([line 150]) · [why](whyDivergent ["file:///test.mir",149,4])
live in 1 of 3 blocks: 'bb.2 ░███'
can be rematerialized: no, PHI cannot be rematerialized
---
VGPR **1** of 24 for 10 waves · SGPR 2
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",149,4]) · [peak VGPR 1](goTo ["file:///test.mir",139,4])
defines '%8' vgpr_32 (+1)
used soon 2 SGPR · used later 1 VGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",149,4])

== 160 bb.0 2-6
**'bb.0'**: 3 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 0, SGPR 4: '%1, %2'
liveins: '$vgpr0'
goes to bb.1 50%, bb.2 50%
**divergent branch**: lanes part at the end of 'bb.0' by 'SI_IF' ([line 166]); they meet in 'bb.2' · [why](whyDivergent ["file:///test.mir",165,0])
EXEC: narrowed [line 166]

== 168 bb.1 2-6
**'bb.1'**: 4 instructions, runs 0.5x per call, in no loop
live-in VGPR 0, SGPR 4: '%1, %2'
live-out VGPR 0, SGPR 4: '%1, %2'
goes to bb.2 (not spelled); comes from bb.0
EXEC: whole wave from [line 169], whole wave until [line 171]
all of it with fewer lanes, from [line 166] to [line 175]

== 174 bb.2 2-6
**'bb.2'**: 4 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 4: '%1, %2'
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.0, bb.1
join of lanes that parted at the end of 'bb.0'
EXEC: restored [line 175], narrowed [line 176]

== 166 SI_IF 17-22
**SI_IF** SALU, side effects, terminator, not duplicable · latency 1 cycle on gfx900
operand 0 sreg_64 (def) · operand 1 sreg_64 · operand 2 · reads $exec · writes $exec, $scc
EXEC: 4 instructions with fewer lanes, from [line 166] to [line 175]
---
VGPR **0** · SGPR 2 → 4
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",165,4]) · [peak VGPR 1](goTo ["file:///test.mir",163,4])
defines '%2' sreg_64 (+2) · keeps alive '%1' sreg_64
used soon 2 SGPR · used later 2 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",165,4])

== 169 ENTER 17-33
**ENTER_STRICT_WWM** SALU · latency 1 cycle on gfx900
operand 0 sreg_64 (def) · operand 1 · reads $exec · writes $exec, $scc
EXEC: 1 instruction with the whole wave, from [line 169] to [line 171]
---
VGPR **0** · SGPR 4 → 6
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",168,4]) · [peak VGPR 1](goTo ["file:///test.mir",163,4])
defines '%3' sreg_64 (+2)
used later 2 SGPR · only passing 4 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",168,4])

== 170 V_MOV 17-30
**V_MOV_B32_e32** VALU, rematerializable, cheap as a move, moves an immediate · latency 1 cycle on gfx900
vdst vgpr_32 (def) · src0 vs_32 or constant · reads $exec
---
VGPR 0, **1** while it runs of 24 for 10 waves · SGPR 6
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",169,4]) · [peak VGPR 1](goTo ["file:///test.mir",163,4])
defines '%4' vgpr_32 (never read)
used soon 2 SGPR · used later 1 VGPR · only passing 4 SGPR
---
region 2, 1st of 1, stays there when scheduled · [explain](explainSchedule ["file:///test.mir",169,0])
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",169,4])

== 171 EXIT 12-27
**EXIT_STRICT_WWM** SALU · latency 1 cycle on gfx900
operand 0 sreg_64 (def) · operand 1 sreg_64
---
VGPR **0** · SGPR 6 → 4
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",170,4]) · [peak VGPR 1](goTo ["file:///test.mir",163,4])
kills '%3' sreg_64 (-2)
used soon 2 SGPR · only passing 4 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",170,4])

== 175 SI_END 4-13
**SI_END_CF** SALU, may load, may store, side effects, rematerializable, cheap as a move, not duplicable · latency 1 cycle on gfx900
operand 0 sreg_64 · reads $exec · writes $exec, $scc
---
VGPR **0** · SGPR 4 → 2
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",174,4]) · [peak VGPR 1](goTo ["file:///test.mir",163,4])
kills '%2' sreg_64 (-2)
used soon 2 SGPR · only passing 2 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",174,4])

== 176 S_AND 17-35
**S_AND_SAVEEXEC_B64** SALU, side effects · latency 1 cycle on gfx900
sdst sreg_64 (def) · src0 sreg_64_encodable or constant · reads $exec · writes $exec, $scc
EXEC: 2 instructions with fewer lanes, from [line 176] to the end of the function
---
VGPR **0** · SGPR 2 → 0
occupancy **10** of 10 · [why](whyPressure ["file:///test.mir",175,4]) · [peak VGPR 1](goTo ["file:///test.mir",163,4])
defines '%5' sreg_64 (never read) · kills '%1' sreg_64 (-2)
used later 2 SGPR
---
*gfx900 wave64, LLVM 22.1.8 (amdgpu-print-rp)* · [details](showDetails ["file:///test.mir",175,4])
`;

describeHovers('what hovers say of lanes', UNIFORMITIES, HOVERS, { commandLinks: true });
