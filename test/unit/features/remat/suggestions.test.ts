/** All that can be said of rematerialization in two functions: suggestions, hints, light bulbs, the report. Pressure is that of amdgpu-print-rp. */
import assert from 'node:assert/strict';
import { suggestRemat } from '../../../../server/src/features/remat/suggestions.js';
import { rematActions } from '../../../../server/src/features/remat/rematActions.js';
import { isRematHint, rematHints } from '../../../../server/src/features/remat/rematHints.js';
import { provideRematReport } from '../../../../server/src/features/remat/rematReport.js';
import { provideWhatIf } from '../../../../server/src/features/remat/whatIf.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atBar, type AtBar } from '../../../support/cursor.js';

/** 26 VGPRs, two too many for ten waves: any two of three registers bring the tenth. */
const TWO_OF_THREE = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0

    %n:vgpr_32 = COPY $vgpr0
    SCHED_BARRIER 0
    %m0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %m1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    %m2:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    %a0:vgpr_32 = V_MOV_B32_e32 10, implicit $exec
    %a1:vgpr_32 = V_MOV_B32_e32 11, implicit $exec
    %a2:vgpr_32 = V_MOV_B32_e32 12, implicit $exec
    %a3:vgpr_32 = V_MOV_B32_e32 13, implicit $exec
    %a4:vgpr_32 = V_MOV_B32_e32 14, implicit $exec
    %a5:vgpr_32 = V_MOV_B32_e32 15, implicit $exec
    %a6:vgpr_32 = V_MOV_B32_e32 16, implicit $exec
    %a7:vgpr_32 = V_MOV_B32_e32 17, implicit $exec
    %a8:vgpr_32 = V_MOV_B32_e32 18, implicit $exec
    %a9:vgpr_32 = V_MOV_B32_e32 19, implicit $exec
    %a10:vgpr_32 = V_MOV_B32_e32 20, implicit $exec
    %a11:vgpr_32 = V_MOV_B32_e32 21, implicit $exec
    %a12:vgpr_32 = V_MOV_B32_e32 22, implicit $exec
    %a13:vgpr_32 = V_MOV_B32_e32 23, implicit $exec
    %a14:vgpr_32 = V_MOV_B32_e32 24, implicit $exec
    %a15:vgpr_32 = V_MOV_B32_e32 25, implicit $exec
    %a16:vgpr_32 = V_MOV_B32_e32 26, implicit $exec
    %a17:vgpr_32 = V_MOV_B32_e32 27, implicit $exec
    %a18:vgpr_32 = V_MOV_B32_e32 28, implicit $exec
    %a19:vgpr_32 = V_MOV_B32_e32 29, implicit $exec
    %a20:vgpr_32 = V_MOV_B32_e32 30, implicit $exec
    %a21:vgpr_32 = V_MOV_B32_e32 31, implicit $exec
    S_NOP 0, implicit %a0, implicit %a1, implicit %a2, implicit %a3, implicit %a4, implicit %a5, implicit %a6, implicit %a7, implicit %a8, implicit %a9, implicit %a10, implicit %a11, implicit %a12, implicit %a13, implicit %a14, implicit %a15, implicit %a16, implicit %a17, implicit %a18, implicit %a19, implicit %a20, implicit %a21

  bb.1:
    S_NOP 0, implicit %m2, implicit %m1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_NOP 0, implicit %n, implicit %m0, implicit %m1
    S_ENDPGM 0
...
`;

/** 28 VGPRs: three registers are not enough. */
const NOT_ENOUGH = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=none %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0

    %n:vgpr_32 = COPY $vgpr0
    %t:vreg_64 = IMPLICIT_DEF
    %s:vreg_64 = GLOBAL_LOAD_DWORDX2 %t, 0, 0, implicit $exec
    SCHED_BARRIER 0
    %m0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    %m1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    %m2:vgpr_32 = V_MOV_B32_e32 3, implicit $exec
    %a0:vgpr_32 = V_MOV_B32_e32 10, implicit $exec
    %a1:vgpr_32 = V_MOV_B32_e32 11, implicit $exec
    %a2:vgpr_32 = V_MOV_B32_e32 12, implicit $exec
    %a3:vgpr_32 = V_MOV_B32_e32 13, implicit $exec
    %a4:vgpr_32 = V_MOV_B32_e32 14, implicit $exec
    %a5:vgpr_32 = V_MOV_B32_e32 15, implicit $exec
    %a6:vgpr_32 = V_MOV_B32_e32 16, implicit $exec
    %a7:vgpr_32 = V_MOV_B32_e32 17, implicit $exec
    %a8:vgpr_32 = V_MOV_B32_e32 18, implicit $exec
    %a9:vgpr_32 = V_MOV_B32_e32 19, implicit $exec
    %a10:vgpr_32 = V_MOV_B32_e32 20, implicit $exec
    %a11:vgpr_32 = V_MOV_B32_e32 21, implicit $exec
    %a12:vgpr_32 = V_MOV_B32_e32 22, implicit $exec
    %a13:vgpr_32 = V_MOV_B32_e32 23, implicit $exec
    %a14:vgpr_32 = V_MOV_B32_e32 24, implicit $exec
    %a15:vgpr_32 = V_MOV_B32_e32 25, implicit $exec
    %a16:vgpr_32 = V_MOV_B32_e32 26, implicit $exec
    %a17:vgpr_32 = V_MOV_B32_e32 27, implicit $exec
    %a18:vgpr_32 = V_MOV_B32_e32 28, implicit $exec
    %a19:vgpr_32 = V_MOV_B32_e32 29, implicit $exec
    %a20:vgpr_32 = V_MOV_B32_e32 30, implicit $exec
    %a21:vgpr_32 = V_MOV_B32_e32 31, implicit $exec
    S_NOP 0, implicit %a0, implicit %a1, implicit %a2, implicit %a3, implicit %a4, implicit %a5, implicit %a6, implicit %a7, implicit %a8, implicit %a9, implicit %a10, implicit %a11, implicit %a12, implicit %a13, implicit %a14, implicit %a15, implicit %a16, implicit %a17, implicit %a18, implicit %a19, implicit %a20, implicit %a21

  bb.1:
    S_NOP 0, implicit %m2, implicit %m1
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_NOP 0, implicit %n, implicit %s, implicit %m0, implicit %m1
    S_ENDPGM 0
...
`;

const textDocument = { uri: '' };
const open = (text: string): AtBar => atBar(text.replace('name: f', 'name: ¦f'));

const CASES = [
  {
    text: TWO_OF_THREE,
    wanted: {
      suggestions: {
        function: 'f',
        occupancy: 9,
        maxOccupancy: 10,
        scheduledOccupancy: 10,
        scheduler: null,
        sets: [
          {
            registers: ['%m0', '%m2'],
            effect: {
              occupancyBefore: 9,
              occupancyAfter: 10,
              peakBefore: { sgpr: 0, vgpr: 26, agpr: 0 },
              peakAfter: { sgpr: 0, vgpr: 24, agpr: 0 },
              regions: [
                { region: 0, before: { sgpr: 0, vgpr: 26, agpr: 0 }, after: { sgpr: 0, vgpr: 24, agpr: 0 } },
                { region: 2, before: { sgpr: 0, vgpr: 4, agpr: 0 }, after: { sgpr: 0, vgpr: 3, agpr: 0 } },
              ],
              text: 'VGPR -1 to -2 in 2 regions, occupancy 9 to 10',
            },
            isSmallest: true,
          },
        ],
        noSet: '',
        suggestions: [
          {
            register: '%m0',
            bank: 'VGPR',
            width: 1,
            line: 11,
            region: 0,
            places: [{ block: 2, region: 3, line: 43 }],
            kept: [],
            why: 'reads no virtual register',
            loopDepthChange: 0,
            score: null,
            effect: {
              occupancyBefore: 9,
              occupancyAfter: 9,
              peakBefore: { sgpr: 0, vgpr: 26, agpr: 0 },
              peakAfter: { sgpr: 0, vgpr: 25, agpr: 0 },
              regions: [
                { region: 0, before: { sgpr: 0, vgpr: 26, agpr: 0 }, after: { sgpr: 0, vgpr: 25, agpr: 0 } },
                { region: 2, before: { sgpr: 0, vgpr: 4, agpr: 0 }, after: { sgpr: 0, vgpr: 3, agpr: 0 } },
              ],
              text: 'VGPR -1 in 2 regions, occupancy stays 9',
            },
          },
          {
            register: '%m1',
            bank: 'VGPR',
            width: 1,
            line: 12,
            region: 0,
            places: [
              { block: 1, region: 2, line: 39 },
              { block: 2, region: 3, line: 43 },
            ],
            kept: [],
            why: 'reads no virtual register',
            loopDepthChange: 1,
            score: null,
            effect: {
              occupancyBefore: 9,
              occupancyAfter: 9,
              peakBefore: { sgpr: 0, vgpr: 26, agpr: 0 },
              peakAfter: { sgpr: 0, vgpr: 25, agpr: 0 },
              regions: [{ region: 0, before: { sgpr: 0, vgpr: 26, agpr: 0 }, after: { sgpr: 0, vgpr: 25, agpr: 0 } }],
              text: 'VGPR -1 in 1 region, occupancy stays 9',
            },
          },
          {
            register: '%m2',
            bank: 'VGPR',
            width: 1,
            line: 13,
            region: 0,
            places: [{ block: 1, region: 2, line: 39 }],
            kept: [],
            why: 'reads no virtual register',
            loopDepthChange: 1,
            score: null,
            effect: {
              occupancyBefore: 9,
              occupancyAfter: 9,
              peakBefore: { sgpr: 0, vgpr: 26, agpr: 0 },
              peakAfter: { sgpr: 0, vgpr: 25, agpr: 0 },
              regions: [{ region: 0, before: { sgpr: 0, vgpr: 26, agpr: 0 }, after: { sgpr: 0, vgpr: 25, agpr: 0 } }],
              text: 'VGPR -1 in 1 region, occupancy stays 9',
            },
          },
        ],
        more: 0,
        nearMisses: [{ register: '%n', bank: 'VGPR', width: 1, line: 9, reason: 'COPY cannot be rematerialized' }],
      },
      hints: [
        {
          start: 195,
          end: 206,
          severity: 4,
          origin: 2,
          code: 'rematerialize',
          message: '%m0 can be rematerialized at bb.2: VGPR -1 in 2 regions, occupancy stays 9',
          related: [{ start: 1915, end: 1963, message: 'a copy would stand in front of this' }],
        },
        {
          start: 245,
          end: 256,
          severity: 4,
          origin: 2,
          code: 'rematerialize',
          message: '%m1 can be rematerialized at bb.1, bb.2: VGPR -1 in 1 region, occupancy stays 9',
          related: [
            { start: 1820, end: 1855, message: 'a copy would stand in front of this' },
            { start: 1915, end: 1963, message: 'a copy would stand in front of this' },
          ],
        },
        {
          start: 295,
          end: 306,
          severity: 4,
          origin: 2,
          code: 'rematerialize',
          message: '%m2 can be rematerialized at bb.1: VGPR -1 in 1 region, occupancy stays 9',
          related: [{ start: 1820, end: 1855, message: 'a copy would stand in front of this' }],
        },
      ],
      report:
        'f: occupancy 9 of 10 (VGPR), next wave: -2 VGPR\ngfx908 wave64, LLVM 22.1.8\n\n  scheduled as it stands: occupancy 10\n  occupancy 10 with 2 registers, the smallest set: VGPR -1 to -2 in 2 regions, occupancy 9 to 10\n      %m0, %m2\n  %m0, line 11: VGPR -1 in 2 regions, occupancy stays 9\n      before line 43 (bb.2); reads no virtual register\n  %m1, line 12: VGPR -1 in 1 region, occupancy stays 9\n      before line 39 (bb.1), line 43 (bb.2); reads no virtual register;\n      runs in a loop then\n  %m2, line 13: VGPR -1 in 1 region, occupancy stays 9\n      before line 39 (bb.1); reads no virtual register; runs in a loop then\n  not %n, line 9, 1 VGPR: COPY cannot be rematerialized\n\nrematerialization (LLVM 22.1.8): nothing to do, no region spills\n  a region may use VGPR 64, SGPR 102\n',
      whatIf: {
        function: 'f',
        effect: 'VGPR -1 to -2 in 2 regions, occupancy 9 to 10',
        occupancyBefore: 9,
        occupancyAfter: 10,
        registers: [
          {
            register: '%m0',
            place: 'line 11, before bb.2',
            alone: 'VGPR -1 in 2 regions, occupancy stays 9',
            why: 'reads no virtual register',
            conflict: '',
          },
          {
            register: '%m1',
            place: 'line 12, before bb.1, bb.2',
            alone: 'VGPR -1 in 1 region, occupancy stays 9',
            why: 'reads no virtual register',
            conflict: '',
          },
          {
            register: '%m2',
            place: 'line 13, before bb.1',
            alone: 'VGPR -1 in 1 region, occupancy stays 9',
            why: 'reads no virtual register',
            conflict: '',
          },
        ],
        leftOut: [],
      },
      actions: [
        [
          11,
          'Rematerialize %m0 at bb.2 (VGPR -1 in 2 regions, occupancy stays 9)',
          'Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)',
        ],
        [
          12,
          'Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)',
          'Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)',
        ],
        [
          13,
          'Rematerialize %m2 at bb.1 (VGPR -1 in 1 region, occupancy stays 9)',
          'Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)',
        ],
        [
          39,
          'Rematerialize %m2 at bb.1 (VGPR -1 in 1 region, occupancy stays 9)',
          'Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)',
          'Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)',
        ],
        [
          43,
          'Rematerialize %m0 at bb.2 (VGPR -1 in 2 regions, occupancy stays 9)',
          'Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)',
          'Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)',
        ],
      ],
    },
  },
  {
    text: NOT_ENOUGH,
    wanted: {
      suggestions: {
        function: 'f',
        occupancy: 9,
        maxOccupancy: 10,
        scheduledOccupancy: 9,
        scheduler: null,
        sets: [],
        noSet:
          'no set reaches occupancy 10: with all that is legal rematerialized, VGPR pressure at bb.0:28 (line 37) is still too high',
        suggestions: [
          {
            register: '%m0',
            bank: 'VGPR',
            width: 1,
            line: 13,
            region: 0,
            places: [{ block: 2, region: 3, line: 45 }],
            kept: [],
            why: 'reads no virtual register',
            loopDepthChange: 0,
            score: null,
            effect: {
              occupancyBefore: 9,
              occupancyAfter: 9,
              peakBefore: { sgpr: 0, vgpr: 28, agpr: 0 },
              peakAfter: { sgpr: 0, vgpr: 27, agpr: 0 },
              regions: [
                { region: 0, before: { sgpr: 0, vgpr: 28, agpr: 0 }, after: { sgpr: 0, vgpr: 27, agpr: 0 } },
                { region: 2, before: { sgpr: 0, vgpr: 6, agpr: 0 }, after: { sgpr: 0, vgpr: 5, agpr: 0 } },
              ],
              text: 'VGPR -1 in 2 regions, occupancy stays 9',
            },
          },
          {
            register: '%m1',
            bank: 'VGPR',
            width: 1,
            line: 14,
            region: 0,
            places: [
              { block: 1, region: 2, line: 41 },
              { block: 2, region: 3, line: 45 },
            ],
            kept: [],
            why: 'reads no virtual register',
            loopDepthChange: 1,
            score: null,
            effect: {
              occupancyBefore: 9,
              occupancyAfter: 9,
              peakBefore: { sgpr: 0, vgpr: 28, agpr: 0 },
              peakAfter: { sgpr: 0, vgpr: 27, agpr: 0 },
              regions: [{ region: 0, before: { sgpr: 0, vgpr: 28, agpr: 0 }, after: { sgpr: 0, vgpr: 27, agpr: 0 } }],
              text: 'VGPR -1 in 1 region, occupancy stays 9',
            },
          },
          {
            register: '%m2',
            bank: 'VGPR',
            width: 1,
            line: 15,
            region: 0,
            places: [{ block: 1, region: 2, line: 41 }],
            kept: [],
            why: 'reads no virtual register',
            loopDepthChange: 1,
            score: null,
            effect: {
              occupancyBefore: 9,
              occupancyAfter: 9,
              peakBefore: { sgpr: 0, vgpr: 28, agpr: 0 },
              peakAfter: { sgpr: 0, vgpr: 27, agpr: 0 },
              regions: [{ region: 0, before: { sgpr: 0, vgpr: 28, agpr: 0 }, after: { sgpr: 0, vgpr: 27, agpr: 0 } }],
              text: 'VGPR -1 in 1 region, occupancy stays 9',
            },
          },
        ],
        more: 0,
        nearMisses: [
          { register: '%s', bank: 'VGPR', width: 2, line: 11, reason: 'GLOBAL_LOAD_DWORDX2 cannot be rematerialized' },
          { register: '%n', bank: 'VGPR', width: 1, line: 9, reason: 'COPY cannot be rematerialized' },
        ],
      },
      hints: [
        {
          start: 287,
          end: 298,
          severity: 4,
          origin: 2,
          code: 'rematerialize',
          message: '%m0 can be rematerialized at bb.2: VGPR -1 in 2 regions, occupancy stays 9',
          related: [{ start: 2007, end: 2068, message: 'a copy would stand in front of this' }],
        },
        {
          start: 337,
          end: 348,
          severity: 4,
          origin: 2,
          code: 'rematerialize',
          message: '%m1 can be rematerialized at bb.1, bb.2: VGPR -1 in 1 region, occupancy stays 9',
          related: [
            { start: 1912, end: 1947, message: 'a copy would stand in front of this' },
            { start: 2007, end: 2068, message: 'a copy would stand in front of this' },
          ],
        },
        {
          start: 387,
          end: 398,
          severity: 4,
          origin: 2,
          code: 'rematerialize',
          message: '%m2 can be rematerialized at bb.1: VGPR -1 in 1 region, occupancy stays 9',
          related: [{ start: 1912, end: 1947, message: 'a copy would stand in front of this' }],
        },
      ],
      report:
        'f: occupancy 9 of 10 (VGPR), next wave: -4 VGPR\ngfx908 wave64, LLVM 22.1.8\n\n  scheduled as it stands: occupancy 9\n  no set reaches occupancy 10: with all that is legal rematerialized, VGPR pressure at bb.0:28 (line 37) is still too high\n  %m0, line 13: VGPR -1 in 2 regions, occupancy stays 9\n      before line 45 (bb.2); reads no virtual register\n  %m1, line 14: VGPR -1 in 1 region, occupancy stays 9\n      before line 41 (bb.1), line 45 (bb.2); reads no virtual register;\n      runs in a loop then\n  %m2, line 15: VGPR -1 in 1 region, occupancy stays 9\n      before line 41 (bb.1); reads no virtual register; runs in a loop then\n  not %s, line 11, 2 VGPR: GLOBAL_LOAD_DWORDX2 cannot be rematerialized\n  not %n, line 9, 1 VGPR: COPY cannot be rematerialized\n\nrematerialization (LLVM 22.1.8): for occupancy 10 in 1 region: 1 register rematerialized, rolled back\n  a region may use VGPR 24, SGPR 64\n  region 0 (bb.0): VGPR 25, SGPR 0, occupancy 9; target: 1 VGPR too many, 1 VGPR left\n  moved %m0 (line 13) in front of S_NOP 0, implicit %n, implicit %s, implicit %m0, implicit %m1 (line 45)\n  candidates:\n    chosen: %m0 (line 13), 1 VGPR, region 0 to region 3, only passes region 2\n    not needed: %m2 (line 15), 1 VGPR, region 0 to region 2\n  cannot be rematerialized:\n    several users: %m1 (line 14)\n    not rematerializable: %n (line 9), %s (line 11)\n',
      whatIf: {
        function: 'f',
        effect: 'VGPR -1 to -2 in 2 regions, occupancy stays 9',
        occupancyBefore: 9,
        occupancyAfter: 9,
        registers: [
          {
            register: '%m0',
            place: 'line 13, before bb.2',
            alone: 'VGPR -1 in 2 regions, occupancy stays 9',
            why: 'reads no virtual register',
            conflict: '',
          },
          {
            register: '%m1',
            place: 'line 14, before bb.1, bb.2',
            alone: 'VGPR -1 in 1 region, occupancy stays 9',
            why: 'reads no virtual register',
            conflict: '',
          },
          {
            register: '%m2',
            place: 'line 15, before bb.1',
            alone: 'VGPR -1 in 1 region, occupancy stays 9',
            why: 'reads no virtual register',
            conflict: '',
          },
        ],
        leftOut: [],
      },
      actions: [
        [13, 'Rematerialize %m0 at bb.2 (VGPR -1 in 2 regions, occupancy stays 9)'],
        [14, 'Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)'],
        [15, 'Rematerialize %m2 at bb.1 (VGPR -1 in 1 region, occupancy stays 9)'],
        [
          41,
          'Rematerialize %m2 at bb.1 (VGPR -1 in 1 region, occupancy stays 9)',
          'Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)',
        ],
        [
          45,
          'Rematerialize %m0 at bb.2 (VGPR -1 in 2 regions, occupancy stays 9)',
          'Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)',
        ],
      ],
    },
  },
] as const;

for (const [k, { text, wanted }] of CASES.entries())
  describe(`what rematerialization could do for function ${k}`, () => {
    it('suggestions', () => {
      const { snapshot } = open(text);
      const view = snapshot.functions[0]!;
      const lineOf = (i: number): number => snapshot.text.lineAt(view.start + view.fn!.source!.instrRange(i).start) + 1;
      assert.deepEqual(suggestRemat(view, lineOf, NEVER_CANCELLED), wanted.suggestions);
      assert.equal(suggestRemat(view, lineOf, { isCancelled: () => true }), null);
    });

    it('hints', () => {
      const hints = rematHints(open(text).snapshot.functions[0]!);
      assert.deepEqual(hints, wanted.hints);
      assert.ok(hints.every(isRematHint));
      assert.ok(!isRematHint({ code: 'other' }) && !isRematHint({}));
    });

    it('report', () => {
      const { snapshot, position } = open(text);
      assert.equal(provideRematReport(snapshot, { textDocument, position }, NEVER_CANCELLED), wanted.report);
    });

    it('what if two are computed again', () => {
      const { snapshot, position } = open(text);
      const { edits, ...rest } = provideWhatIf(snapshot, {
        ...{ textDocument, position },
        registers: ['%m0', '%m2'],
        withEdits: true,
      })!;
      assert.ok(edits);
      assert.deepEqual(rest, wanted.whatIf);
    });

    it('light bulbs, line by line', () => {
      const { snapshot } = open(text);
      const found = text.split('\n').flatMap((content, line) => {
        const start = { line, character: content.search(/\S/) + 1 };
        const context = { diagnostics: [] };
        const actions = rematActions(snapshot, snapshot.functions[0]!, { start, end: start }, context, NEVER_CANCELLED);
        return actions.length > 0 ? [[line + 1, ...actions.map((a) => a.title)]] : [];
      });
      assert.deepEqual(found, wanted.actions);
    });
  });

describe('no suggestions', () => {
  const report = (text: string): string | null => {
    const { snapshot, position } = atBar(text);
    return provideRematReport(snapshot, { textDocument, position }, NEVER_CANCELLED);
  };

  it('the report says why', () => {
    assert.equal(report('¦'), 'no function here\n');
    assert.equal(
      report('---\nname: ¦f\nbody: |\n  bb.0:\n    S_ENDPGM 0, implicit %0\n...\n'),
      "not analysed: Cannot determine class/bank of virtual register 0 in function 'f'\n",
    );
    assert.match(
      report('# RUN: llc -mtriple=x86_64-- %s\n---\nname: ¦f\nbody: |\n  bb.0:\n    RET64\n...\n')!,
      /^not analysed: .*x86/,
    );
    assert.equal(
      report('# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: ¦f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n'),
      'f: occupancy 10 of 10\ngfx900 wave64, LLVM 22.1.8\n\n  scheduled as it stands: occupancy 10\n  nothing to rematerialize that helps\n\n' +
        'the scheduler has no rematerialization stage here\n',
    );
  });

  it('no hints where no wave is to be gained', () => {
    const { snapshot } = atBar(
      '¦# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n\n  bb.1:\n    S_NOP 0\n\n  bb.2:\n    S_ENDPGM 0, implicit %0\n...\n',
    );
    assert.deepEqual(rematHints(snapshot.functions[0]!), []);
  });
});
