/** Hovers on blocks: frequency, loops, live registers, edges; lists that are cut. */
import { describeHovers } from '../../../support/hoverTexts.js';

const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=none %s
---
name: g
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    %ag:areg_64_align2 = IMPLICIT_DEF
    %1:sreg_32 = S_MOV_B32 1
    %2:sreg_32 = S_MOV_B32 2
    %3:sreg_32 = S_MOV_B32 3
    %4:sreg_32 = S_MOV_B32 4
    %5:sreg_32 = S_MOV_B32 5
    %6:sreg_32 = S_MOV_B32 6
    %7:sreg_32 = S_MOV_B32 7
    %8:sreg_32 = S_MOV_B32 8
    %9:sreg_32 = S_MOV_B32 9
    %10:sreg_32 = S_MOV_B32 10
    %11:sreg_32 = S_MOV_B32 11
    %12:sreg_32 = S_MOV_B32 12
    %13:sreg_32 = S_MOV_B32 13
    %14:sreg_32 = S_MOV_B32 14
    %15:sreg_32 = S_MOV_B32 15
    %16:sreg_32 = S_MOV_B32 16
    %17:sreg_32 = S_MOV_B32 17

  bb.1:
    successors: %bb.2

    S_NOP 0

  bb.2:
    successors: %bb.2(0x7e000000), %bb.3(0x02000000)

    S_NOP 0
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.3:
    successors: %bb.1(0x40000000), %bb.4(0x40000000)

    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.4:
    successors: %bb.5(0x00010000), %bb.6(0x7fff0000)

    S_CBRANCH_SCC1 %bb.6, implicit undef $scc

  bb.5:
    successors: %bb.6

    S_NOP 0

  bb.6:
    successors: %bb.7

    S_NOP 0

  bb.7:
    successors: %bb.8

    S_NOP 0

  bb.8:
    S_NOP 0, implicit %0, implicit %ag, implicit %1, implicit %2, implicit %3, implicit %4, implicit %5, implicit %6, implicit %7, implicit %8, implicit %9, implicit %10, implicit %11, implicit %12, implicit %13, implicit %14, implicit %15, implicit %16, implicit %17
    S_ENDPGM 0
...
`;

const HOVERS = `
== 8 bb.0 2-6
**'bb.0'**: 19 instructions, runs 1x per call, in no loop
live-in VGPR 0, SGPR 0
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.1

== 31 bb.1 2-6
**'bb.1'**: 1 instruction, runs 2x per call, header of a loop of depth 1
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.2; comes from bb.0, bb.3

== 36 bb.2 2-6
**'bb.2'**: 2 instructions, runs 128x per call, header of a loop of depth 2
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.2 98.4%, bb.3 1.6%; comes from bb.1, bb.2

== 42 bb.3 2-6
**'bb.3'**: 1 instruction, runs 2x per call, in a loop of depth 1
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.1 50%, bb.4 50%; comes from bb.2

== 47 bb.4 2-6
**'bb.4'**: 1 instruction, runs 1x per call, in no loop
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.5 0%, bb.6 100%; comes from bb.3

== 52 bb.5 2-6
**'bb.5'**: 1 instruction, runs 3.1e-5x per call, in no loop
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.6; comes from bb.4

== 57 bb.6 2-6
**'bb.6'**: 1 instruction, runs 1x per call, in no loop
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
goes to bb.7; comes from bb.4, bb.5

== 67 bb.8 2-6
**'bb.8'**: 2 instructions, runs 1x per call, in no loop
live-in VGPR 1, SGPR 17, AGPR 2: '%0, %ag, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14', 3 more
live-out VGPR 0, SGPR 0
goes nowhere; comes from bb.7
`;

describeHovers('hover on a block', TEXT, HOVERS);
