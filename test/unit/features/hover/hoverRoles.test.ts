/** Hovers on physical registers by what they are to the function. */
import { describeHovers } from '../../../support/hoverTexts.js';
import { expect } from '../../../support/expect.js';
import { CALLS } from '../../../support/exampleTexts.js';

const HOVERS = expect`
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

describeHovers('hover on a physical register', CALLS, HOVERS);
