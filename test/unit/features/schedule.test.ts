/** The schedule as edits of the text: the order is llc's, comments stay in place, llc accepts the result. */
import { strict as assert } from 'node:assert';
import {
  provideScheduledText,
  provideScheduleExplanation,
  type ScheduledText,
} from '../../../server/src/features/schedule.js';
import { provideCodeLenses } from '../../../server/src/features/codeLens.js';
import { provideHover } from '../../../server/src/features/hover.js';
import { readSettings } from '../../../server/src/features/settings.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const URI = 'file:///schedule.mir';
const ARGS = ['-mtriple=amdgcn-amd-amdhsa', '-mcpu=gfx90a'];

const INPUT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx90a -run-pass=machine-scheduler -o - %s | FileCheck %s
---
name: loads
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2
    ; CHECK-LABEL: name: loads
    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
    ; the first load
    %2:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec :: (load (s32), addrspace 1)
    %3:vgpr_32 = V_ADD_U32_e32 %2, %1, implicit $exec
    ; the second one
    %4:vgpr_32 = GLOBAL_LOAD_DWORD %0, 4, 0, implicit $exec :: (load (s32), addrspace 1)
    %5:vgpr_32 = V_ADD_U32_e32 killed %4, killed %3, implicit $exec
    %6:vgpr_32 = GLOBAL_LOAD_DWORD %0, 8, 0, implicit $exec :: (load (s32), addrspace 1)
    %7:vgpr_32 = V_ADD_U32_e32 killed %6, killed %5, implicit $exec
    GLOBAL_STORE_DWORD %0, %7, 0, 0, implicit $exec :: (store (s32), addrspace 1)
    S_ENDPGM 0
...
---
name: other
body: |
  bb.0:
    S_ENDPGM 0
...
`;

function scheduled(text: string, line: number): ScheduledText {
  const host = new AnalysisHost();
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI);
  assert.ok(snapshot);
  return provideScheduledText(snapshot, { textDocument: { uri: URI }, position: { line, character: 0 } });
}

/** Opcodes of function `loads` in order, loads with their offset. */
function opcodes(text: string): string[] {
  const start = text.search(/^name: +loads$/m);
  const body = text.slice(text.indexOf('body:', start), text.indexOf('\n...', start));
  const lines = body.split('\n').filter((l) => !/^ *;/.test(l));
  return lines.flatMap((l) => {
    const m = /^ {4}(?:\S+ = )?([A-Z][A-Za-z0-9_]+)(.*)$/.exec(l);
    return m === null ? [] : [`${m[1]} ${/^ %0, (\d+), 0, implicit/.exec(m[2] ?? '')?.[1] ?? ''}`];
  });
}

describe('schedule of a function', () => {
  it('keeps every line that is no instruction where it is', () => {
    const r = scheduled(INPUT, 10);
    assert.ok(r.text);
    const before = INPUT.split('\n');
    const after = r.text.split('\n');
    assert.equal(after.length, before.length);
    before.forEach((l, k) => {
      if (/^ *;|^#|^[a-z.-]|^ *$/.test(l)) assert.equal(after[k], l);
    });
    assert.deepEqual(
      [...after].map((l) => l.replace(/killed /g, '')).sort(),
      [...before].map((l) => l.replace(/killed /g, '')).sort(),
    );
    assert.notEqual(r.text, INPUT);
  });

  it("has llc's order and is accepted by llc", function () {
    needsLlc(this);
    const r = scheduled(INPUT, 10);
    assert.ok(r.text);
    const mine = runLlc([...ARGS, '-x', 'mir', '-run-pass=none', '-o', '-'], r.text);
    assert.equal(mine.status, 0, mine.stderr);
    const llc = runLlc([...ARGS, '-x', 'mir', '-run-pass=machine-scheduler', '-o', '-'], INPUT);
    const order = opcodes(llc.stdout);
    assert.ok(order.length >= 9);
    assert.deepEqual(opcodes(r.text), order);
  });

  it('says why a broken function has none', () => {
    const r = scheduled(INPUT.replace('V_ADD_U32_e32 %2', 'V_AD_U32_e32 %2'), 10);
    assert.equal(r.text, null);
    assert.match(r.summary, /unknown machine instruction name 'V_AD_U32_e32'/);
  });

  it('explains picks with lines of the file', () => {
    const host = new AnalysisHost();
    host.open(URI, 1, INPUT);
    const snapshot = host.snapshot(URI);
    assert.ok(snapshot);
    const text = provideScheduleExplanation(snapshot, {
      textDocument: { uri: URI },
      position: { line: 10, character: 0 },
    });
    assert.match(text, /gfx90a wave64, LLVM 22\.1\.8/);
    assert.match(text, /OccInitialSchedule/);
  });

  it('a hover names the region, the place in the schedule and the reason of the pick', () => {
    const host = new AnalysisHost();
    host.open(URI, 1, INPUT);
    const snapshot = host.snapshot(URI);
    assert.ok(snapshot);
    const line = INPUT.split('\n').findIndex((l) => l.includes('GLOBAL_LOAD_DWORD %0, 8'));
    const hover = provideHover(snapshot, { position: { line, character: 12 } });
    const text = (hover?.contents as { value: string }).value;
    // llc puts the third load behind the second one: COPY, COPY, three loads
    assert.match(text, /region 0: 7 of 9, scheduled 5/);
    assert.match(text, /picked at the bottom in cycle 4 by Stall/);
  });

  it('a lens per region when the setting asks for it', () => {
    const host = new AnalysisHost();
    host.configure(readSettings({ codeLens: { regions: true } }));
    host.open(URI, 1, INPUT);
    const snapshot = host.snapshot(URI);
    assert.ok(snapshot);
    const titles = provideCodeLenses(snapshot, null, { isCancelled: () => false }).map((l) => l.command?.title ?? '');
    assert.ok(
      titles.some((t) => /^region 0: VGPR 5 -> 7, .*settled by OccInitialSchedule, not reverted$/.test(t)),
      titles.join('\n'),
    );
  });
});
