/** Hovers on blocks: frequency, loops, live registers, edges; lists that are cut. */
import { describeHovers } from '../../../support/hoverTexts.js';
import { MANY_BLOCKS } from '../../../support/exampleTexts.js';

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

describeHovers('hover on a block', MANY_BLOCKS, HOVERS);
