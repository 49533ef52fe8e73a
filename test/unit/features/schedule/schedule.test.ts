/** Whole texts of scheduled functions and explanations of how the scheduler came to them. The orders and flags are those of llc-22. */
import assert from 'node:assert/strict';
import {
  provideScheduledText,
  provideScheduleExplanation,
  type ScheduledText,
} from '../../../../server/src/features/schedule/schedule.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { applied } from '../../../support/editing.js';
import { openText } from '../../../support/cursor.js';
import { ONE_REGION } from '../../../support/exampleTexts.js';

/** With flags that the schedule takes away, a bundle, a debug value, comments. */
const TWO_REGIONS = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s
---
name:            g
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64 = COPY $vgpr0_vgpr1
    ; CHECK: the first load
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) ; after
    undef %2.sub0:vreg_64 = V_ADD_U32_e32 %1, %1, implicit $exec
    DBG_VALUE %1, $noreg

    %2.sub1:vreg_64 = GLOBAL_LOAD_DWORD killed %0, 8, 0, implicit $exec :: (load (s32), addrspace 1)
    BUNDLE implicit-def %3:vgpr_32, implicit %2.sub0, implicit $exec {
      %3:vgpr_32 = V_MOV_B32_e32 %2.sub0, implicit $exec
      %3:vgpr_32 = V_ADD_U32_e32 internal %3, internal killed %3, implicit $exec
    }
    SCHED_BARRIER 0
    %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %3, implicit $exec
    %5:vgpr_32 = V_MUL_LO_U32_e64 killed %4, killed %3, implicit $exec
    %6:vgpr_32 = V_MOV_B32_e32 killed %2.sub1, implicit $exec
    dead %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %5, implicit %6

  bb.1:
    S_ENDPGM 0
...
`;

interface Case {
  readonly of: string;
  readonly line: number;
  readonly scope: 'function' | 'region';
  readonly name: string;
  readonly summary: string;
  readonly text: string | null;
}

const CASES: readonly Case[] = [
  {
    of: ONE_REGION,
    line: 9,
    scope: 'function',
    name: 'f',
    summary:
      'region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted',
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a -run-pass=machine-scheduler -o - %s
---
name:            f
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
    ; the load
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %4:vgpr_32 = V_XOR_B32_e32 7, %1, implicit $exec
    %5:vgpr_32 = V_NOT_B32_e32 %4, implicit $exec
    %6:vgpr_32 = V_MUL_LO_U32_e64 %5, %4, implicit $exec
    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_BARRIER
    S_ENDPGM 0, implicit %3, implicit %6, implicit %7
...
---
name: broken
body: |
  bb.0:
    S_ENDPGM 0, implicit %0
...
`,
  },
  {
    of: TWO_REGIONS,
    line: 9,
    scope: 'function',
    name: 'g',
    summary:
      'region 0: max pressure VGPR 4, SGPR 0, occupancy 10, length 7 cycles (model), settled by OccInitialSchedule, not reverted\nregion 1: max pressure VGPR 4, SGPR 0, occupancy 10, length 84 -> 83 cycles (model), settled by OccInitialSchedule, not reverted',
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s
---
name:            g
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64 = COPY $vgpr0_vgpr1
    ; CHECK: the first load
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) ; after
    undef %2.sub1:vreg_64 = GLOBAL_LOAD_DWORD %0, 8, 0, implicit $exec :: (load (s32), addrspace 1)
    %2.sub0:vreg_64 = V_ADD_U32_e32 %1, %1, implicit $exec

    DBG_VALUE %1, $noreg
    BUNDLE implicit-def %3:vgpr_32, implicit %2.sub0, implicit $exec {
      %3:vgpr_32 = V_MOV_B32_e32 %2.sub0, implicit $exec
      %3:vgpr_32 = V_ADD_U32_e32 internal %3, internal %3, implicit $exec
    }
    SCHED_BARRIER 0
    %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %3, implicit $exec
    %5:vgpr_32 = V_MUL_LO_U32_e64 %4, %3, implicit $exec
    %6:vgpr_32 = V_MOV_B32_e32 %2.sub1, implicit $exec
    dead %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %5, implicit %6

  bb.1:
    S_ENDPGM 0
...
`,
  },
  {
    of: TWO_REGIONS,
    line: 11,
    scope: 'region',
    name: 'g',
    summary:
      'region 1: max pressure VGPR 4, SGPR 0, occupancy 10, length 84 -> 83 cycles (model), settled by OccInitialSchedule, not reverted',
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s
---
name:            g
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64 = COPY $vgpr0_vgpr1
    ; CHECK: the first load
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) ; after
    undef %2.sub1:vreg_64 = GLOBAL_LOAD_DWORD %0, 8, 0, implicit $exec :: (load (s32), addrspace 1)
    %2.sub0:vreg_64 = V_ADD_U32_e32 %1, %1, implicit $exec

    DBG_VALUE %1, $noreg
    BUNDLE implicit-def %3:vgpr_32, implicit %2.sub0, implicit $exec {
      %3:vgpr_32 = V_MOV_B32_e32 %2.sub0, implicit $exec
      %3:vgpr_32 = V_ADD_U32_e32 internal %3, internal %3, implicit $exec
    }
    SCHED_BARRIER 0
    %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %3, implicit $exec
    %5:vgpr_32 = V_MUL_LO_U32_e64 killed %4, killed %3, implicit $exec
    %6:vgpr_32 = V_MOV_B32_e32 killed %2.sub1, implicit $exec
    dead %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %5, implicit %6

  bb.1:
    S_ENDPGM 0
...
`,
  },
  {
    of: TWO_REGIONS,
    line: 21,
    scope: 'region',
    name: 'g',
    summary:
      'region 0: max pressure VGPR 4, SGPR 0, occupancy 10, length 7 cycles (model), settled by OccInitialSchedule, not reverted',
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s
---
name:            g
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64 = COPY $vgpr0_vgpr1
    ; CHECK: the first load
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) ; after
    undef %2.sub0:vreg_64 = V_ADD_U32_e32 %1, %1, implicit $exec
    DBG_VALUE %1, $noreg

    %2.sub1:vreg_64 = GLOBAL_LOAD_DWORD killed %0, 8, 0, implicit $exec :: (load (s32), addrspace 1)
    BUNDLE implicit-def %3:vgpr_32, implicit %2.sub0, implicit $exec {
      %3:vgpr_32 = V_MOV_B32_e32 %2.sub0, implicit $exec
      %3:vgpr_32 = V_ADD_U32_e32 internal %3, internal killed %3, implicit $exec
    }
    SCHED_BARRIER 0
    %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %3, implicit $exec
    %5:vgpr_32 = V_MUL_LO_U32_e64 %4, %3, implicit $exec
    %6:vgpr_32 = V_MOV_B32_e32 %2.sub1, implicit $exec
    dead %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %5, implicit %6

  bb.1:
    S_ENDPGM 0
...
`,
  },
  {
    of: TWO_REGIONS,
    line: 15,
    scope: 'region',
    name: 'g',
    summary:
      'region 1: max pressure VGPR 4, SGPR 0, occupancy 10, length 84 -> 83 cycles (model), settled by OccInitialSchedule, not reverted',
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s
---
name:            g
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64 = COPY $vgpr0_vgpr1
    ; CHECK: the first load
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) ; after
    undef %2.sub1:vreg_64 = GLOBAL_LOAD_DWORD %0, 8, 0, implicit $exec :: (load (s32), addrspace 1)
    %2.sub0:vreg_64 = V_ADD_U32_e32 %1, %1, implicit $exec

    DBG_VALUE %1, $noreg
    BUNDLE implicit-def %3:vgpr_32, implicit %2.sub0, implicit $exec {
      %3:vgpr_32 = V_MOV_B32_e32 %2.sub0, implicit $exec
      %3:vgpr_32 = V_ADD_U32_e32 internal %3, internal %3, implicit $exec
    }
    SCHED_BARRIER 0
    %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %3, implicit $exec
    %5:vgpr_32 = V_MUL_LO_U32_e64 killed %4, killed %3, implicit $exec
    %6:vgpr_32 = V_MOV_B32_e32 killed %2.sub1, implicit $exec
    dead %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    S_ENDPGM 0, implicit %5, implicit %6

  bb.1:
    S_ENDPGM 0
...
`,
  },
  { of: TWO_REGIONS, line: 28, scope: 'region', name: 'g', summary: 'no scheduling region here', text: null },
  {
    of: ONE_REGION,
    line: 25,
    scope: 'function',
    name: 'broken',
    summary: "not scheduled: Cannot determine class/bank of virtual register 0 in function 'broken'",
    text: null,
  },
  {
    of: ONE_REGION,
    line: 25,
    scope: 'region',
    name: 'broken',
    summary: "not scheduled: Cannot determine class/bank of virtual register 0 in function 'broken'",
    text: null,
  },
  { of: ONE_REGION, line: 8, scope: 'region', name: 'f', summary: 'no scheduling region here', text: null },
];

const EXPLAINED: readonly (readonly [text: string, explanation: string])[] = [
  [
    ONE_REGION,
    `@f  gfx90a wave64, LLVM 22.1.8

occupancy 8 after scheduling; 1 region, 0 reverts; scheduler gcn-max-occupancy (default)
  region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
      bb.0, lines 9-18, 9 instructions

stage OccInitialSchedule: minimum occupancy 8, function 8
  region 0: kept, below the critical limits: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model)
    limits for 8 waves: critical VGPR 61, SGPR 93; excess VGPR 61, SGPR 99
    critical path 82 cycles; stalls 79 -> 76
    picks, in the order made:
    1  top    cycle 0  PhysReg  VGPR 3, SGPR 0  %0:vreg_64_align2 = COPY $vgpr0_vgpr1 (line 9)
       beat 10: %1 by NodeOrder, 0 against 1 [3 available]
       top before bottom's 17: S_BARRIER: PhysReg, 1 against 0
    2  top    cycle 1  PhysReg  VGPR 3, SGPR 0  %1:vgpr_32 = COPY $vgpr2 (line 10)
       beat 18: %7 by PhysReg, 1 against 0 [3 available]
       top before bottom's 17: S_BARRIER: PhysReg, 1 against 0
    3  bottom cycle 0  Stall  VGPR 3, SGPR 0  S_BARRIER (line 17)
       beat 13: %3 by Stall, 0 against 1 [4 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
    4  bottom cycle 1  FirstValid  VGPR 3 -> 2, SGPR 0  %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec (line 18)
       beat 13: %3 by NodeOrder, 8 against 3 [3 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
    5  bottom cycle 2  BotPathReduce  VGPR 2 -> 3, SGPR 0  %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)
       beat 16: %6 by BotPathReduce, 81 against 3 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
    6  bottom cycle 3  Stall  VGPR 3 -> 4, SGPR 0  %6:vgpr_32 = V_MUL_LO_U32_e64 %5, %4, implicit $exec (line 16)
       beat 12: %2 by Stall, 0 against 79 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
    7  bottom cycle 4  Stall  VGPR 4 -> 3, SGPR 0  %5:vgpr_32 = V_NOT_B32_e32 %4, implicit $exec (line 15)
       beat 12: %2 by Stall, 0 against 78 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
    8  bottom cycle 5  Stall  VGPR 3 -> 2, SGPR 0  %4:vgpr_32 = V_XOR_B32_e32 7, %1, implicit $exec (line 14)
       beat 12: %2 by Stall, 0 against 77 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
    9  bottom cycle 6  Only1  VGPR 2 -> 3, SGPR 0  %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       ready at cycle 82

stage UnclusteredHighRPReschedule: did not run (no region with high or excess pressure)

stage ClusteredLowOccupancyReschedule: did not run (occupancy did not drop)

stage PreRARematerialize: did not run (single region)
`,
  ],
  [
    TWO_REGIONS,
    `@g  gfx900 wave64, LLVM 22.1.8

occupancy 10 after scheduling; 2 regions, 0 reverts; scheduler gcn-max-occupancy (default)
  region 0: max pressure VGPR 4, SGPR 0, occupancy 10, length 7 cycles (model), settled by OccInitialSchedule, not reverted
      bb.0, lines 21-24, 4 instructions
  region 1: max pressure VGPR 4, SGPR 0, occupancy 10, length 84 -> 83 cycles (model), settled by OccInitialSchedule, not reverted
      bb.0, lines 9-16, 5 instructions

rematerialization (LLVM 22.1.8): nothing to do, no region spills
  a region may use VGPR 64, SGPR 102

stage OccInitialSchedule: minimum occupancy 10, function 10
  region 0: kept, below the critical limits: max pressure VGPR 4, SGPR 0, occupancy 10, length 7 cycles (model)
    limits for 10 waves: critical VGPR 21, SGPR 77; excess VGPR 61, SGPR 99
    critical path 8 cycles; stalls 3
    picks, in the order made:
    1  bottom cycle 0  Stall  VGPR 2, SGPR 0  dead %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec (line 24)
       beat 22: %5 by Stall, 0 against 4 [3 available]
       bottom before top's 21: %4: no rule decides: the bottom goes first
    2  bottom cycle 1  Stall  VGPR 2 -> 3, SGPR 0  %6:vgpr_32 = V_MOV_B32_e32 %2.sub1, implicit $exec (line 23)
       beat 22: %5 by Stall, 0 against 3 [2 available]
       bottom before top's 21: %4: no rule decides: the bottom goes first
    3  bottom cycle 2  Only1  VGPR 3 -> 4, SGPR 0  %5:vgpr_32 = V_MUL_LO_U32_e64 %4, %3, implicit $exec (line 22)
       ready at cycle 4
    4  bottom cycle 5  Only1  VGPR 4 -> 3, SGPR 0  %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %3, implicit $exec (line 21)
       ready at cycle 8
  region 1: kept, below the critical limits: max pressure VGPR 4, SGPR 0, occupancy 10, length 84 -> 83 cycles (model)
    limits for 10 waves: critical VGPR 21, SGPR 77; excess VGPR 61, SGPR 99
    critical path 83 cycles; stalls 79 -> 78
    picks, in the order made:
    1  bottom cycle 0  Only1  VGPR 3 -> 2, SGPR 0  BUNDLE implicit-def %3, implicit %2.sub0, implicit $exec (line 16)
       ready at cycle 1
    2  bottom cycle 2  Only1  VGPR 2 -> 3, SGPR 0  %2.sub0:vreg_64 = V_ADD_U32_e32 %1, %1, implicit $exec (line 12)
    3  top    cycle 0  Only1  VGPR 2, SGPR 0  %0:vreg_64 = COPY $vgpr0_vgpr1 (line 9)
    4  bottom cycle 3  Stall  VGPR 3, SGPR 0  undef %2.sub1:vreg_64 = GLOBAL_LOAD_DWORD %0, 8, 0, implicit $exec :: (load (s32), addrspace 1) (line 15)
       ready at cycle 79
       beat 11: %1 by Stall, 76 against 79 [2 available]
       bottom before top's 11: %1: no rule decides: the bottom goes first
    5  bottom cycle 80  Only1  VGPR 3 -> 2, SGPR 0  %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 11)
       ready at cycle 82

stage UnclusteredHighRPReschedule: did not run (no region with high or excess pressure)

stage ClusteredLowOccupancyReschedule: did not run (occupancy did not drop)

stage PreRARematerialize: did not run (nothing to rematerialize)
`,
  ],
];

const at = (line: number) => ({ textDocument: { uri: '' }, position: { line: line - 1, character: 4 } });

describe('scheduled text', () => {
  for (const { of, line, scope, name, summary, text } of CASES)
    it(`${name}, line ${line}, ${scope}`, () => {
      const { snapshot } = openText(of);
      const { edits, ...rest } = provideScheduledText(
        snapshot,
        { ...at(line), scope },
        NEVER_CANCELLED,
      ) as ScheduledText;
      const target = `${of === ONE_REGION ? 'gfx90a' : 'gfx900'} wave64, LLVM 22.1.8`;
      assert.deepEqual(rest, { function: name, target, text, summary, rejected: '' });
      assert.equal(applied(snapshot, edits), text ?? of);
      // None replaces what is the same.
      for (const { range, newText } of edits)
        assert.notEqual(of.slice(snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end)), newText);
    });

  it('of what is scheduled is itself', () => {
    for (const { text, scope } of CASES.slice(0, 2)) {
      const again = provideScheduledText(
        openText(text!).snapshot,
        { ...at(9), scope },
        NEVER_CANCELLED,
      ) as ScheduledText;
      assert.deepEqual([again.edits, again.text], [[], text]);
    }
  });

  it('null when cancelled', () =>
    assert.equal(provideScheduledText(openText(ONE_REGION).snapshot, at(9), { isCancelled: () => true }), null));

  for (const [text, explanation] of EXPLAINED)
    it(`explained, ${/name: +(\w+)/.exec(text)![1]!}`, () =>
      assert.equal(provideScheduleExplanation(openText(text).snapshot, at(9), NEVER_CANCELLED), explanation));

  it('nothing to explain', () => {
    assert.equal(provideScheduleExplanation(openText('').snapshot, at(1), NEVER_CANCELLED), 'no function here\n');
    assert.equal(
      provideScheduleExplanation(openText(ONE_REGION).snapshot, at(25), NEVER_CANCELLED),
      "not scheduled: Cannot determine class/bank of virtual register 0 in function 'broken'\n",
    );
    assert.equal(provideScheduleExplanation(openText(ONE_REGION).snapshot, at(9), { isCancelled: () => true }), null);
  });
});
