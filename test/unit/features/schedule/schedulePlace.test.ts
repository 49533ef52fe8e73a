/** Where the schedule puts a bundle, as text and in the hovers of its region. The order is that of llc-22. */
import assert from 'node:assert/strict';
import { provideScheduledText, type ScheduledText } from '../../../../server/src/features/schedule/schedule.js';
import { schedulePlace } from '../../../../server/src/features/schedule/schedulePlace.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s
---
name:            b
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    BUNDLE implicit-def %5:vgpr_32, implicit %2, implicit $exec {
      %5:vgpr_32 = V_MOV_B32_e32 %2, implicit $exec
      %5:vgpr_32 = V_ADD_U32_e32 internal %5, internal killed %5, implicit $exec
    }
    %7:vgpr_32 = GLOBAL_LOAD_DWORD %0, 64, 0, implicit $exec :: (load (s32), addrspace 1)
    %3:vgpr_32 = V_MUL_LO_U32_e64 %2, %2, implicit $exec
    %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %2, implicit $exec
    S_ENDPGM 0, implicit %4, implicit %5, implicit %7, implicit %1
...
`;

const SCHEDULED = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s
---
name:            b
tracksRegLiveness: true
body:             |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2

    %0:vreg_64 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %7:vgpr_32 = GLOBAL_LOAD_DWORD %0, 64, 0, implicit $exec :: (load (s32), addrspace 1)
    %3:vgpr_32 = V_MUL_LO_U32_e64 %2, %2, implicit $exec
    %4:vgpr_32 = V_MUL_LO_U32_e64 %3, %2, implicit $exec
    BUNDLE implicit-def %5:vgpr_32, implicit %2, implicit $exec {
      %5:vgpr_32 = V_MOV_B32_e32 %2, implicit $exec
      %5:vgpr_32 = V_ADD_U32_e32 internal %5, internal %5, implicit $exec
    }
    S_ENDPGM 0, implicit %4, implicit %5, implicit %7, implicit %1
...
`;

describe('a bundle that the schedule moves', () => {
  it('goes as a whole', () => {
    const params = { textDocument: { uri: '' }, position: { line: 8, character: 4 } };
    const { text } = provideScheduledText(openText(TEXT).snapshot, params, NEVER_CANCELLED) as ScheduledText;
    assert.equal(text, SCHEDULED);
  });

  it('is in its place', () => {
    const view = openText(TEXT).snapshot.functions[0]!;
    const fn = view.fn!;
    const places = [...fn.order.subarray(0, fn.nInstrs)].map(
      (i) =>
        /^region 0, \d+\w\w of \d+, (?:stays there when scheduled|scheduled \d+\w\w)/.exec(
          schedulePlace(view, i)?.source ?? '',
        )?.[0] ?? '',
    );
    const of = (from: string, to: string): string =>
      `region 0, ${from} of 7, ${from === to ? 'stays there when scheduled' : `scheduled ${to}`}`;
    assert.deepEqual(
      places.filter((place) => place !== ''),
      [
        of('1st', '1st'),
        of('2nd', '2nd'),
        of('3rd', '3rd'),
        of('4th', '7th'),
        of('5th', '4th'),
        of('6th', '5th'),
        of('7th', '6th'),
      ],
    );
  });
});
