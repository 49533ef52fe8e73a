/** Live peaks of blocks and of regions: their numbers, their places, and which instructions part regions. */
import assert from 'node:assert/strict';
import { blockLenses, regionPeakLenses } from '../../../../server/src/features/lens/blockLens.js';
import { openText, URI } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx90a %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    S_NOP 0, implicit-def %0:vgpr_32, implicit-def %1:sreg_64
    S_NOP 0, implicit %0
    S_SETPRIO 1
    SCHED_BARRIER 0
    S_NOP 0, implicit-def %2:agpr_32, implicit-def %3:vreg_64_align2
    S_NOP 1, implicit %2, implicit %1
    BUNDLE implicit %3 {
      S_NOP 0, implicit %3
      SCHED_BARRIER 0
      S_NOP 1, implicit %3
    }
    S_NOP 2, implicit %3

  bb.1:
    S_NOP 3

  bb.2:
    liveins: $vgpr0

    %4:sreg_32 = S_MOV_B32 0
    S_CBRANCH_SCC1 %bb.2, implicit undef $scc

  bb.3:
    S_ENDPGM 0
...
`;

function show(make: typeof blockLenses): string[] {
  const { snapshot } = openText(TEXT);
  return make(snapshot, snapshot.functions[0]!).map(({ range: { start, end }, command }) => {
    assert.deepEqual(start, end);
    const [uri, line, character] = (command!.arguments ?? []) as [string?, number?, number?];
    assert.ok(uri === undefined || uri === URI);
    const to = line === undefined ? '' : ` -> ${line + 1}:${character!}`;
    return `${start.line + 1}:${start.character} ${command!.title}${to}`;
  });
}

describe('peaks', () => {
  it('of blocks', () =>
    assert.deepEqual(show(blockLenses), [
      '6:2 at entry: nothing',
      '6:2 live peak in block VGPR 2 at line 11, SGPR 2, AGPR 1 -> 11:4',
      '20:2 at entry: nothing',
      '23:2 at entry, before live-ins: nothing',
      '23:2 live peak in block SGPR 1 at line 26 -> 26:4',
      '29:2 at entry: nothing',
    ]));

  it('of regions, which no member of a bundle parts', () =>
    assert.deepEqual(show(regionPeakLenses), [
      '7:4 live peak in region VGPR 1 at line 7, SGPR 2 -> 7:4',
      '11:4 live peak in region VGPR 2 at line 11, SGPR 2, AGPR 1 -> 11:4',
      '26:4 live peak in region SGPR 1 at line 26 -> 26:4',
    ]));
});
