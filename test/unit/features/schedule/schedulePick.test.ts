/** Whole answers about picks of the scheduler, with pins and without. The order is that of llc-22. */
import assert from 'node:assert/strict';
import type { LinePin } from '../../../../server/src/features/schedule/pins.js';
import { provideSchedulePick, type SchedulePick } from '../../../../server/src/features/schedule/schedulePick.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';
import { describeParts, expect } from '../../../support/expect.js';
import { ONE_REGION } from '../../../support/exampleTexts.js';

/** `== line [pins]`, the report, and below it the line of the source and those of the others, `*` for rivals. */
const ANSWERS = expect`
== 9 []
@f  gfx90a wave64, LLVM 22.1.8

%0:vreg_64_align2 = COPY $vgpr0_vgpr1 (line 9)
region 0 (bb.0, from line 9): place 1 of 9, as in the source

OccInitialSchedule (its order stands):
    1  top    cycle 0  PhysReg  VGPR 3, SGPR 0  %0:vreg_64_align2 = COPY $vgpr0_vgpr1 (line 9)
       beat 10: %1 by NodeOrder, 0 against 1 [3 available]
       top before bottom's 17: S_BARRIER: PhysReg, 1 against 0
       top: 3 available; best by PhysReg: %0:vreg_64_align2 = COPY $vgpr0_vgpr1 (line 9)
       bottom: 4 available; best by Stall: S_BARRIER (line 17)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
8 9* 12* 16* 11 13 14 15 17

== 12 []
@f  gfx90a wave64, LLVM 22.1.8

%2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
region 0 (bb.0, from line 9): place 3 of 9, as in the source

OccInitialSchedule (its order stands):
    3  bottom cycle 6  Only1  VGPR 2 -> 3, SGPR 0  %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       ready at cycle 82

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
11 8 9 12 13 14 15 16 17

== 13 []
@f  gfx90a wave64, LLVM 22.1.8

%3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)
region 0 (bb.0, from line 9): place 7 of 9, in the source 4

OccInitialSchedule (its order stands):
    7  bottom cycle 2  BotPathReduce  VGPR 2 -> 3, SGPR 0  %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)
       beat 16: %6 by BotPathReduce, 81 against 3 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
       top: 2 available; best by TopPathReduce: %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       bottom: 2 available; best by BotPathReduce: %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
12 11* 13* 15* 8 9 14 16 17

== 16 []
@f  gfx90a wave64, LLVM 22.1.8

%6:vgpr_32 = V_MUL_LO_U32_e64 %5, %4, implicit $exec (line 16)
region 0 (bb.0, from line 9): place 6 of 9, in the source 7

OccInitialSchedule (its order stands):
    6  bottom cycle 3  Stall  VGPR 3 -> 4, SGPR 0  %6:vgpr_32 = V_MUL_LO_U32_e64 %5, %4, implicit $exec (line 16)
       beat 12: %2 by Stall, 0 against 79 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
       top: 2 available; best by TopPathReduce: %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       bottom: 2 available; best by Stall: %6:vgpr_32 = V_MUL_LO_U32_e64 %5, %4, implicit $exec (line 16)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
15 11* 13* 8 9 12 14 16 17

== 17 []
@f  gfx90a wave64, LLVM 22.1.8

S_BARRIER (line 17)
region 0 (bb.0, from line 9): place 9 of 9, in the source 8

OccInitialSchedule (its order stands):
    9  bottom cycle 0  Stall  VGPR 3, SGPR 0  S_BARRIER (line 17)
       beat 13: %3 by Stall, 0 against 1 [4 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
       top: 3 available; best by TopPathReduce: %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       bottom: 4 available; best by Stall: S_BARRIER (line 17)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
16 11* 12* 17* 8 9 13 14 15

== 18 []
@f  gfx90a wave64, LLVM 22.1.8

%7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec (line 18)
region 0 (bb.0, from line 9): place 8 of 9, in the source 9

OccInitialSchedule (its order stands):
    8  bottom cycle 1  FirstValid  VGPR 3 -> 2, SGPR 0  %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec (line 18)
       beat 13: %3 by NodeOrder, 8 against 3 [3 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
       top: 3 available; best by TopPathReduce: %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       bottom: 3 available; best by FirstValid: %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec (line 18)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
17 11* 12* 8 9 13 14 15 16

== 19 []
@f  gfx90a wave64, LLVM 22.1.8

S_ENDPGM 0, implicit %3, implicit %6, implicit %7 (line 19)
in no scheduling region: nothing moves it
18

== 8 []
no instruction in this line
-1

== 25 []
not scheduled: Cannot determine class/bank of virtual register 0 in function 'broken'
-1

== 13 [{"before":15,"after":12}]
@f  gfx90a wave64, LLVM 22.1.8

%3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)
region 0 (bb.0, from line 9): place 7 of 9, in the source 4

OccInitialSchedule (its order stands):
    7  bottom cycle 2  Only1  VGPR 2 -> 3, SGPR 0  %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted

pinned:
  line 16 before line 13: so it is
  with:    region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
  without: region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
12 8 9 11 13 14 15 16 17

== 13 [{"before":12,"after":11}]
@f  gfx90a wave64, LLVM 22.1.8

%3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)
region 0 (bb.0, from line 9): place 7 of 9, in the source 4

OccInitialSchedule (its order stands):
    7  bottom cycle 2  BotPathReduce  VGPR 2 -> 3, SGPR 0  %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)
       beat 16: %6 by BotPathReduce, 81 against 3 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
       top: 2 available; best by TopPathReduce: %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       bottom: 2 available; best by BotPathReduce: %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted

pinned:
  line 13 before line 12: impossible: it depends on the other
  with:    region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
  without: region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
12 11* 13* 15* 8 9 14 16 17

== 13 [{"before":12,"after":17}]
@f  gfx90a wave64, LLVM 22.1.8

%3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)
region 0 (bb.0, from line 9): place 7 of 9, in the source 4

OccInitialSchedule (its order stands):
    7  bottom cycle 2  BotPathReduce  VGPR 2 -> 3, SGPR 0  %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)
       beat 16: %6 by BotPathReduce, 81 against 3 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
       top: 2 available; best by TopPathReduce: %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       bottom: 2 available; best by BotPathReduce: %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec (line 13)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted

pinned:
  line 13 before line 18: so it is
  with:    region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
  without: region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
12 11* 13* 15* 8 9 14 16 17

== 18 [{"before":12,"after":17},{"before":12,"after":15},{"before":12,"after":18},{"before":12,"after":12},{"before":2,"after":12}]
@f  gfx90a wave64, LLVM 22.1.8

%7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec (line 18)
region 0 (bb.0, from line 9): place 8 of 9, in the source 9

OccInitialSchedule (its order stands):
    8  bottom cycle 1  NodeOrder  VGPR 3 -> 2, SGPR 0  %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec (line 18)
       beat 16: %6 by NodeOrder, 8 against 6 [2 available]
       bottom before top's 12: %2: no rule decides: the bottom goes first
       top: 2 available; best by TopPathReduce: %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1) (line 12)
       bottom: 2 available; best by NodeOrder: %7:vgpr_32 = V_MOV_B32_e32 1, implicit $exec (line 18)

region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 86 cycles (model), settled by OccInitialSchedule, not reverted

pinned:
  line 13 before line 18: so it is
  line 13 before line 16: so it is
  line 13 before line 19: not of one region: no effect
  with:    region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 86 cycles (model), settled by OccInitialSchedule, not reverted
  without: region 0: max pressure VGPR 4 -> 5, SGPR 0, occupancy 8, length 88 -> 85 cycles (model), settled by OccInitialSchedule, not reverted
17 11* 13* 15* 8 9 12 14 16
`;

const pickAt = (line: number, pins: readonly LinePin[], isScheduled = false): SchedulePick =>
  provideSchedulePick(
    openText(ONE_REGION).snapshot,
    { position: { line: line - 1, character: 4 }, pins, isScheduled },
    NEVER_CANCELLED,
  ) as SchedulePick;

const show = ({ text, line, others }: SchedulePick): string =>
  `${text.trimEnd()}\n${line} ${others.map((o) => `${o.line}${o.isRival ? '*' : ''}`).join(' ')}`.trimEnd();

describeParts('picks, each', ANSWERS, (head) => {
  const [, line, pins = ''] = /^== (\d+) (.*)/.exec(head)!;
  return `${head}\n${show(pickAt(Number(line), JSON.parse(pins) as LinePin[]))}`;
});

describe('picks', () => {
  it('of lines of the scheduled text', () => {
    // llc-22 puts the instructions of the lines 14, 15, 16, 13, 18, 17 into the lines 13 to 18.
    for (const [there, here] of [
      [9, 9],
      [13, 14],
      [14, 15],
      [15, 16],
      [16, 13],
      [17, 18],
      [18, 17],
      [19, 19],
    ] as const)
      assert.equal(pickAt(there, [], true).text, pickAt(here, []).text, `line ${there}`);
    assert.equal(pickAt(8, [], true).text, 'no instruction in this line\n');
    assert.equal(pickAt(900, [], true).text, 'no instruction in this line\n');
  });

  it('texts of the others are those of the instructions', () =>
    assert.deepEqual(
      pickAt(9, []).others.map((o) => o.text.split(' = ')[0]),
      ['%1:vgpr_32', '%3:vgpr_32', 'S_BARRIER', '%2:vgpr_32', '%4:vgpr_32', '%5:vgpr_32', '%6:vgpr_32', '%7:vgpr_32'],
    ));

  it('null when cancelled', () =>
    assert.equal(
      provideSchedulePick(
        openText(ONE_REGION).snapshot,
        { position: { line: 8, character: 0 } },
        { isCancelled: () => true },
      ),
      null,
    ));

  it('no function', () =>
    assert.deepEqual(
      provideSchedulePick(openText('').snapshot, { position: { line: 0, character: 0 } }, NEVER_CANCELLED),
      { text: 'no function here\n', line: -1, others: [] },
    ));
});
