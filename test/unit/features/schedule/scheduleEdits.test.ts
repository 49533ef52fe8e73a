/** The text of a schedule that rematerializes: definitions that went, copies that came, regions that go together. Instructions and flags are llc-22's. */
import assert from 'node:assert/strict';
import { provideScheduledText, type ScheduledText } from '../../../../server/src/features/schedule/schedule.js';
import { scheduleEdits, tiedRegions } from '../../../../server/src/features/schedule/scheduleEdits.js';
import type { ScheduleTrace } from '../../../../server/src/passes/scheduler/trace/scheduleTrace.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { atBar } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=machine-scheduler -o - %s
---
name:            r
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0:
    liveins: $vgpr0

    %n:vgpr_32 = COPY $vgpr0
    %m0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec ; one
    %m1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec
    DBG_VALUE %m0, $noreg
    SCHED_BARRIER 0
    S_NOP 0, implicit-def %a0:vgpr_32
    S_NOP 0, implicit-def %a1:vgpr_32
    S_NOP 0, implicit-def %a2:vgpr_32
    S_NOP 0, implicit-def %a3:vgpr_32
    S_NOP 0, implicit-def %a4:vgpr_32
    S_NOP 0, implicit-def %a5:vgpr_32
    S_NOP 0, implicit-def %a6:vgpr_32
    S_NOP 0, implicit-def %a7:vgpr_32
    S_NOP 0, implicit-def %a8:vgpr_32
    S_NOP 0, implicit-def %a9:vgpr_32
    S_NOP 0, implicit-def %a10:vgpr_32
    S_NOP 0, implicit-def %a11:vgpr_32
    S_NOP 0, implicit-def %a12:vgpr_32
    S_NOP 0, implicit-def %a13:vgpr_32
    S_NOP 0, implicit-def %a14:vgpr_32
    S_NOP 0, implicit-def %a15:vgpr_32
    S_NOP 0, implicit-def %a16:vgpr_32
    S_NOP 0, implicit-def %a17:vgpr_32
    S_NOP 0, implicit-def %a18:vgpr_32
    S_NOP 0, implicit-def %a19:vgpr_32
    S_NOP 0, implicit-def %a20:vgpr_32
    S_NOP 0, implicit-def %a21:vgpr_32
    S_NOP 0, implicit %a0, implicit %a1, implicit %a2, implicit %a3, implicit %a4, implicit %a5, implicit %a6, implicit %a7, implicit %a8, implicit %a9, implicit %a10, implicit %a11, implicit %a12, implicit %a13, implicit %a14, implicit %a15, implicit %a16, implicit %a17, implicit %a18, implicit %a19, implicit %a20, implicit %a21

  bb.1:
    S_NOP 0, implicit %n
    S_NOP 1, implicit killed %m0
    ; the other
    S_NOP 2, implicit %m1
    DBG_VALUE %m1, $noreg
    S_ENDPGM 0
...
`;

const SCHEDULED = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx908 -run-pass=machine-scheduler -o - %s
---
name:            r
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
body:             |
  bb.0:
    liveins: $vgpr0

    %n:vgpr_32 = COPY $vgpr0
    %m1:vgpr_32 = V_MOV_B32_e32 2, implicit $exec ; one
    DBG_VALUE %m0, $noreg
    SCHED_BARRIER 0
    S_NOP 0, implicit-def %a0:vgpr_32
    S_NOP 0, implicit-def %a1:vgpr_32
    S_NOP 0, implicit-def %a2:vgpr_32
    S_NOP 0, implicit-def %a3:vgpr_32
    S_NOP 0, implicit-def %a4:vgpr_32
    S_NOP 0, implicit-def %a5:vgpr_32
    S_NOP 0, implicit-def %a6:vgpr_32
    S_NOP 0, implicit-def %a7:vgpr_32
    S_NOP 0, implicit-def %a8:vgpr_32
    S_NOP 0, implicit-def %a9:vgpr_32
    S_NOP 0, implicit-def %a10:vgpr_32
    S_NOP 0, implicit-def %a11:vgpr_32
    S_NOP 0, implicit-def %a12:vgpr_32
    S_NOP 0, implicit-def %a13:vgpr_32
    S_NOP 0, implicit-def %a14:vgpr_32
    S_NOP 0, implicit-def %a15:vgpr_32
    S_NOP 0, implicit-def %a16:vgpr_32
    S_NOP 0, implicit-def %a17:vgpr_32
    S_NOP 0, implicit-def %a18:vgpr_32
    S_NOP 0, implicit-def %a19:vgpr_32
    S_NOP 0, implicit-def %a20:vgpr_32
    S_NOP 0, implicit-def %a21:vgpr_32
    S_NOP 0, implicit %a0, implicit %a1, implicit %a2, implicit %a3, implicit %a4, implicit %a5, implicit %a6, implicit %a7, implicit %a8, implicit %a9, implicit %a10, implicit %a11, implicit %a12, implicit %a13, implicit %a14, implicit %a15, implicit %a16, implicit %a17, implicit %a18, implicit %a19, implicit %a20, implicit %a21

  bb.1:
    S_NOP 0, implicit %n
    %m0:vgpr_32 = V_MOV_B32_e32 1, implicit $exec
    ; the other
    S_NOP 1, implicit %m0
    S_NOP 2, implicit %m1
    DBG_VALUE %m1, $noreg
    S_ENDPGM 0
...
`;

const scheduled = (line: number, scope: 'function' | 'region', text = TEXT): ScheduledText =>
  provideScheduledText(
    atBar(`¦${text}`).snapshot,
    { textDocument: { uri: '' }, position: { line: line - 1, character: 4 }, scope },
    NEVER_CANCELLED,
  ) as ScheduledText;

const SUMMARY = [
  'region 0: VGPR 25 -> 24, SGPR 0, occupancy 9 -> 10, length 23 cycles, settled by PreRARematerialize, not reverted',
  'region 1: VGPR 3 -> 2, SGPR 0, occupancy 10, length 3 -> 2 cycles, settled by PreRARematerialize, not reverted',
  'region 2: VGPR 3, SGPR 0, occupancy 10, length 3 cycles, settled by OccInitialSchedule, not reverted',
];

describe('a schedule that rematerializes', () => {
  it('as text', () => {
    const { text, summary } = scheduled(11, 'function');
    assert.equal(text, SCHEDULED);
    assert.equal(summary, SUMMARY.join('\n'));
    const crlf = scheduled(11, 'function', TEXT.replaceAll('\n', '\r\n'));
    assert.equal(crlf.text, SCHEDULED.replaceAll('\n', '\r\n'));
  });

  it('the region of a definition goes with that of its copy, others do not', () => {
    for (const line of [11, 12, 41, 44]) {
      const { text, summary } = scheduled(line, 'region');
      assert.equal(summary, SUMMARY.slice(1).join('\n'), String(line));
      assert.equal(text, SCHEDULED, 'the third has nothing to do');
    }
    const { text, summary, edits } = scheduled(20, 'region');
    assert.deepEqual([summary, text, edits], [SUMMARY[0], TEXT.replace('killed %m0', 'killed %m0'), []]);
  });

  it('of nothing where the scheduler has taken it back', () => {
    const { snapshot } = atBar(`¦${TEXT}`);
    const view = snapshot.functions[0]!;
    const state = view.schedule(NEVER_CANCELLED);
    assert.ok(state.kind === 'ready');
    const { trace } = state.schedule;
    assert.deepEqual([...tiedRegions(trace, 1)].sort(), [1, 2]);
    assert.deepEqual([...tiedRegions(trace, 2)].sort(), [1, 2]);
    assert.deepEqual([...tiedRegions(trace, 0)], [0]);
    assert.deepEqual([...tiedRegions({ ...trace, rematUndone: true }, 1)], [1]);
    assert.deepEqual([...tiedRegions({ ...trace, rematerialized: [] }, 1)], [1]);
    assert.deepEqual(scheduleEdits(view, state.schedule, TEXT, new Set()), []);
  });

  it('ties regions through others', () => {
    const region = (region: number, ...instrs: number[]): object => ({ region, newOrder: instrs, oldOrder: [] });
    const trace = {
      rematUndone: false,
      rematerialized: [
        { def: 1, clone: 20 },
        { def: 3, clone: 40 },
        { def: 2, clone: 99 },
        { def: 7, clone: 8 },
      ],
      regions: [region(0, 1), region(1, 20, 2), region(2, 3), region(3, 40, 20), region(4, 7), region(5, 8)],
    } as unknown as ScheduleTrace;
    // An instruction of two regions counts in the later one.
    assert.deepEqual([...tiedRegions(trace, 0)].sort(), [0, 2, 3]);
    assert.deepEqual([...tiedRegions(trace, 2)].sort(), [0, 2, 3]);
    assert.deepEqual([...tiedRegions(trace, 1)].sort(), [1]);
    assert.deepEqual([...tiedRegions(trace, 5)].sort(), [4, 5]);
  });
});
