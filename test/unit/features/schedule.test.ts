/** The schedule as edits of the text: the order is llc's, comments stay in place, llc accepts the result. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  provideScheduledText,
  provideScheduleExplanation,
  type ScheduledText,
} from '../../../server/src/features/schedule/schedule.js';
import type { CodeAction } from 'vscode-languageserver-types';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { tiedRegions } from '../../../server/src/features/schedule/scheduleEdits.js';
import { provideCodeLenses } from '../../../server/src/features/lens/codeLens.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { readSettings } from '../../../server/src/program/settings.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import type { Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
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

function snapshotOf(text: string): Snapshot {
  const host = new AnalysisHost(false, Infinity);
  host.open(URI, 1, text);
  const snapshot = host.snapshot(URI);
  assert.ok(snapshot);
  return snapshot;
}

function scheduled(text: string, line: number, scope: 'function' | 'region' = 'function'): ScheduledText {
  const params = { textDocument: { uri: URI }, position: { line, character: 0 }, scope };
  return provideScheduledText(snapshotOf(text), params, NEVER_CANCELLED) as ScheduledText;
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

  /** llc's whole output, header included. */
  function assertLikeLlc(source: string, scheduledText: string | null, subtarget: readonly string[] = ARGS): void {
    const ours = runLlc([...subtarget, '-x', 'mir', '-run-pass=none', '-o', '-'], scheduledText ?? '');
    const llc = runLlc([...subtarget, '-x', 'mir', '-run-pass=machine-scheduler', '-o', '-'], source);
    assert.equal(ours.stderr, '');
    assert.equal(ours.stdout, llc.stdout);
  }

  /** Schedules every function, one after the other. */
  function allScheduled(source: string): string {
    let text = source;
    for (let k = 0; k < snapshotOf(source).functions.length; k++) {
      const snapshot = snapshotOf(text);
      text = scheduled(text, snapshot.text.lineAt(snapshot.functions[k]!.start) + 1).text ?? text;
    }
    return text;
  }

  // As llc prints it, so that the numbers of registers do not depend on the order.
  const TILE = readFileSync(join(__dirname, '../../../examples/gemm_tile.mir'), 'utf8');
  const printed = (): string => runLlc([...ARGS, '-x', 'mir', '-run-pass=none', '-o', '-'], TILE).stdout;

  it('writes the occupancy that llc prints over the one of the header', function () {
    needsLlc(this);
    const source = printed();
    assert.match(source, /^ {2}occupancy: +8$/m);
    const text = allScheduled(source);
    assert.match(text, /^ {2}occupancy: +5$/m);
    assertLikeLlc(source, text);
  });

  for (const [what, header] of [
    ['a header without machineFunctionInfo', ''],
    ['a machineFunctionInfo without occupancy', 'machineFunctionInfo:\n  isEntryFunction: true\n'],
    ['an empty one', 'machineFunctionInfo: {}\n'],
    ['one in a line', 'machineFunctionInfo: { isEntryFunction: true }\n'],
    ['one that has nothing after the colon', 'machineFunctionInfo:\n'],
  ] as const)
    it(`writes it into ${what}`, function () {
      needsLlc(this);
      const whole = printed();
      const source = whole.replace(/^machineFunctionInfo:\n(?: .*\n)+/m, header);
      assert.equal(source.includes('occupancy'), false);
      assertLikeLlc(source, allScheduled(source));
    });

  it('follows the scheduler options of the RUN line, and refuses what llc refuses', function () {
    needsLlc(this);
    const withOption = (option: string): string => INPUT.replace('-mcpu=gfx90a', `-mcpu=gfx90a ${option}`);
    assert.equal(scheduled(withOption('-misched=gcn-max-ilp'), 10).summary.includes('ILPInitialSchedule'), true);
    const source = runLlc([...ARGS, '-x', 'mir', '-run-pass=none', '-o', '-'], INPUT).stdout;
    const options = ['-amdgpu-sched-strategy=max-ilp', '-misched-prera-direction=topdown'];
    const run = `# RUN: llc ${[...ARGS, ...options].join(' ')} %s\n`;
    assertLikeLlc(source, allScheduled(run + source), [...ARGS, ...options]);
    const wrong = scheduled(withOption('-misched=sy'), 10);
    assert.equal(wrong.text, null);
    assert.match(wrong.summary, /not scheduled: llc: for the --misched option: Cannot find option named 'sy'!/);
  });

  it('is kept by function, target and options: an edit in another function makes none anew', () => {
    const host = new AnalysisHost(false, Infinity);
    host.open(URI, 1, INPUT);
    const scheduleOf = (k: number): unknown => {
      const state = host.snapshot(URI)!.functions[k]!.schedule(NEVER_CANCELLED);
      assert.ok(state.kind === 'ready');
      return state.schedule;
    };
    const edit = (version: number, line: number, from: number, to: number, text: string): void =>
      host.change(URI, version, [{ range: { start: { line, character: from }, end: { line, character: to } }, text }]);
    const [loads, other] = [scheduleOf(0), scheduleOf(1)];
    assert.equal(scheduleOf(0), loads);
    const last = INPUT.split('\n').lastIndexOf('    S_ENDPGM 0');
    edit(2, last, 0, 0, '    S_NOP 0\n');
    assert.equal(scheduleOf(0), loads);
    assert.notEqual(scheduleOf(1), other);
    const changed = scheduleOf(1);
    edit(3, 0, INPUT.indexOf(' -run-pass'), INPUT.indexOf(' -run-pass'), ' -misched=gcn-max-ilp');
    assert.notEqual(scheduleOf(0), loads);
    assert.notEqual(scheduleOf(1), changed);
  });

  describe('of one region', () => {
    /** Two regions in a block, each with a load to move up. */
    const group = (base: number): string =>
      [0, 1]
        .map(
          (
            k,
          ) => `    %${base + 2 * k}:vgpr_32 = GLOBAL_LOAD_DWORD %0, ${base + k * 4}, 0, implicit $exec :: (load (s32), addrspace 1)
    ; sum ${base + k}
    %${base + 2 * k + 1}:vgpr_32 = V_ADD_U32_e32 %${base + 2 * k}, %1, implicit $exec
`,
        )
        .join('');
    const TWO = `# RUN: llc ${ARGS.join(' ')} %s
---
name: two
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $vgpr0_vgpr1, $vgpr2
    %0:vreg_64_align2 = COPY $vgpr0_vgpr1
    %1:vgpr_32 = COPY $vgpr2
${group(10)}    S_SETPRIO 1
${group(20)}    S_ENDPGM 0, implicit %11, implicit %13, implicit %21, implicit %23
...
`;
    const lineOf = (text: string): number => TWO.split('\n').findIndex((l) => l.includes(text));
    /** What the lines are, without where. */
    const half = (text: string, second: boolean): string => text.split('    S_SETPRIO 1\n')[second ? 1 : 0]!;

    it('leaves the other regions alone; all regions together are the function', () => {
      const whole = scheduled(TWO, 9).text ?? '';
      const lower = scheduled(TWO, lineOf('sum 21'), 'region').text ?? '';
      assert.notEqual(half(whole, false), half(TWO, false));
      assert.notEqual(half(whole, true), half(TWO, true));
      assert.equal(half(lower, false), half(TWO, false));
      assert.equal(half(lower, true), half(whole, true));
      const both = scheduled(lower, lineOf('sum 11'), 'region').text ?? '';
      assert.equal(both, whole);
    });

    it('is refused between regions, with a reason', () => {
      const r = scheduled(TWO, lineOf('S_SETPRIO'), 'region');
      assert.equal(r.text, null);
      assert.equal(r.summary, 'no scheduling region here');
    });

    it('is a code action where it changes something, with what it brings', () => {
      const actionsAt = (text: string, at: string, only?: string[]): CodeAction[] => {
        const snapshot = snapshotOf(text);
        const position = snapshot.text.positionAt(text.indexOf(at));
        const range = { start: position, end: position };
        const context = { diagnostics: [], ...(only ? { only } : {}) };
        // Rewrites of other kinds stand beside it.
        return provideCodeActions(snapshot, { range, context }, NEVER_CANCELLED).filter((a) =>
          /schedule/i.test(a.title),
        );
      };
      const [action, ...others] = actionsAt(TWO, '%20:vgpr_32');
      assert.deepEqual(others, []);
      assert.equal(action?.kind, 'refactor.rewrite');
      assert.match(
        action.title,
        /^Apply schedule of region 0: max pressure VGPR \d+.*, occupancy 8, length \d+ -> \d+ cycles \(model\)$/,
      );
      assert.deepEqual(action.edit?.changes?.[URI], scheduled(TWO, lineOf('%20:vgpr_32'), 'region').edits);
      assert.deepEqual(actionsAt(TWO, 'S_SETPRIO'), []);
      assert.deepEqual(actionsAt(TWO, '%20:vgpr_32', ['quickfix']), []);
      assert.equal(actionsAt(TWO, '%20:vgpr_32', ['refactor']).length, 1);
      assert.deepEqual(actionsAt(scheduled(TWO, lineOf('sum 21'), 'region').text ?? '', '%20:vgpr_32'), []);
    });

    it('takes the regions along that rematerialization ties to it', function () {
      needsLlc(this);
      const file = join(__dirname, '../../golden/schedule/remat.mir');
      const snapshot = snapshotOf(readFileSync(file, 'utf8'));
      const [view] = snapshot.functions;
      const state = view!.schedule(NEVER_CANCELLED);
      assert.ok(state.kind === 'ready');
      const { trace } = state.schedule;
      assert.ok(trace.rematerialized.length > 0);
      const line = snapshot.text.lineAt(view!.start + view!.fn!.source!.instrRange(trace.rematerialized[0]!.use).start);
      const r = scheduled(snapshot.text.text, line, 'region');
      const subtarget = ['-mtriple=amdgcn', '-mcpu=gfx900'];
      const done = runLlc(
        [...subtarget, '-x', 'mir', '-run-pass=none', '-verify-machineinstrs', '-o', '-'],
        r.text ?? '',
      );
      assert.equal(done.stderr, '');
      assert.deepEqual([...tiedRegions(trace, 0)].sort(), [0, 1]);
    });
  });

  it('says why a broken function has none', () => {
    const r = scheduled(INPUT.replace('V_ADD_U32_e32 %2', 'V_AD_U32_e32 %2'), 10);
    assert.equal(r.text, null);
    assert.match(r.summary, /unknown machine instruction name 'V_AD_U32_e32'/);
  });

  it('explains picks with lines of the file', () => {
    const params = { textDocument: { uri: URI }, position: { line: 10, character: 0 } };
    const text = provideScheduleExplanation(snapshotOf(INPUT), params, NEVER_CANCELLED) as string;
    assert.match(text, /gfx90a wave64, LLVM 24\.0\.0git/);
    assert.match(text, /OccInitialSchedule/);
  });

  it('a hover names the region, the place in the schedule and the reason of the pick', () => {
    const host = new AnalysisHost(false, Infinity);
    host.open(URI, 1, INPUT);
    const snapshot = host.snapshot(URI);
    assert.ok(snapshot);
    const line = INPUT.split('\n').findIndex((l) => l.includes('GLOBAL_LOAD_DWORD %0, 8'));
    const hover = provideHover(snapshot, { position: { line, character: 12 } });
    const text = (hover?.contents as { value: string }).value;
    // llc puts the third load after the second one: COPY, COPY, three loads
    assert.match(text, /region 0, 7th of 9, scheduled 5th: Stall, .*\(bottom, cycle 4, OccInitialSchedule\)/);
  });

  it('a lens per region when the setting asks for it', () => {
    const host = new AnalysisHost(false, Infinity);
    host.configure(readSettings({ codeLens: { regions: true } }));
    host.open(URI, 1, INPUT);
    const snapshot = host.snapshot(URI);
    assert.ok(snapshot);
    const titles = provideCodeLenses(snapshot, null, { isCancelled: () => false }).map((l) => l.command?.title ?? '');
    assert.ok(
      titles.some((t) => /^region 0: max pressure VGPR 5 -> 7, .*settled by OccInitialSchedule, not reverted$/.test(t)),
      titles.join('\n'),
    );
  });
});
