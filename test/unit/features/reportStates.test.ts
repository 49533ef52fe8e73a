/** What reports say where a function is not analysed or takes long, where none stands, or once the question was cancelled. */
import assert from 'node:assert/strict';
import {
  expectedOccupancy,
  notAllocated,
  provideAllocatedText,
} from '../../../server/src/features/allocation/allocation.js';
import { provideCostComparison } from '../../../server/src/features/allocation/compareCosts.js';
import { provideAllocationExplanation } from '../../../server/src/features/allocation/explainAllocation.js';
import { providePressureProfile } from '../../../server/src/features/pressure/pressureProfile.js';
import { providePressureReport } from '../../../server/src/features/pressure/pressureReport.js';
import { provideWhy } from '../../../server/src/features/pressure/why.js';
import { noPressure } from '../../../server/src/features/pressure/whyText.js';
import { provideRematReport } from '../../../server/src/features/remat/rematReport.js';
import {
  noSchedule,
  provideScheduledText,
  provideScheduleExplanation,
} from '../../../server/src/features/schedule/schedule.js';
import { provideSchedulePick } from '../../../server/src/features/schedule/schedulePick.js';
import { ELSEWHERE, type FunctionView, type Snapshot } from '../../../server/src/features/snapshot/snapshot.js';
import { Cancelled, NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
import { openText, URI } from '../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=machine-scheduler -o - %s
---
name: "f\\ng"
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0, implicit %0
...
`;

const like = <T extends object>(of: T, more: object): T =>
  Object.create(
    of,
    Object.fromEntries(Object.entries(more).map(([key, value]) => [key, { value: value as unknown }])),
  ) as T;

const { snapshot: whole } = openText(TEXT);
const position = { line: 6, character: 6 };
const params = { textDocument: { uri: URI }, position };

/** The snapshot with another function in place of its own, null for none. */
function holding(view: FunctionView | null, more: object = {}): Snapshot {
  const functions = view === null ? [] : [view];
  return like(whole, { functions, functionAt: () => view, ...more });
}
const own = whole.functions[0]!;
const finding = (severity: number, message: string, start = 0): object => ({ severity, message, start, end: start });

/** A warning stands before the error, which stands in line 7. */
const rejected = like(own, {
  ...{ summary: null, remat: null, stale: null },
  diagnostics: [finding(2, 'a warning'), finding(1, 'an\nerror', TEXT.indexOf('%0')), finding(1, 'another')],
});
const empty = like(own, { summary: null, remat: null, stale: null, diagnostics: [] });
const foreign = { target: { ...whole.target, foreign: 'x86_64--' } };

describe('reports about a function that is not analysed', () => {
  it('say the first error, in one line', () => {
    const at = holding(rejected);
    assert.equal(providePressureProfile(at, params)!.problem, 'llc rejects line 7: an');
    assert.equal(providePressureProfile(at, params)!.text, 'llc rejects line 7: an\n');
    assert.deepEqual(providePressureReport(at, params), { function: 'f\ng', text: null, problem: 'an' });
    assert.equal(noPressure(at, rejected, 0), 'no pressure: llc rejects @f␊g: an␊error\n');
    assert.equal(provideRematReport(at, params, NEVER_CANCELLED), 'not analysed: an␊error\n');
  });

  it('say that nothing is there', () => {
    const at = holding(empty);
    assert.equal(providePressureProfile(at, params)!.problem, 'no instructions that count');
    assert.deepEqual(providePressureReport(at, params), { function: 'f\ng', text: null, problem: 'it has no body' });
    assert.equal(noPressure(at, empty, 0), 'no pressure: the function has no instructions that count\n');
    assert.equal(noPressure(at, empty, 1), 'no pressure: the function has no instructions that count\n');
    assert.equal(noPressure(at, empty, -1), 'no instruction here\n');
    assert.equal(provideRematReport(at, params, NEVER_CANCELLED), 'this function has no body\n');
    assert.equal(noSchedule(at, empty), 'this function has no body to schedule');
    assert.equal(notAllocated(at, empty), 'this function has no body to allocate');
  });

  it('say that there is none', () => {
    const at = holding(null);
    assert.equal(providePressureProfile(at, params), null);
    assert.deepEqual(providePressureReport(at, params), { function: '', text: null, problem: 'no function here' });
    assert.equal(noPressure(at, null, -1), 'no function here\n');
    assert.equal(provideRematReport(at, params, NEVER_CANCELLED), 'no function here\n');
    assert.equal(noSchedule(at, null), 'no function here');
    assert.equal(notAllocated(at, null), 'no function here');
    const why = provideWhy(at, params);
    assert.deepEqual('report' in why && [why.function, why.range, why.place, why.banks, why.report], [
      '',
      null,
      '',
      [],
      'no function here\n',
    ]);
    assert.equal(provideAllocationExplanation(at, params, NEVER_CANCELLED), 'no function here\n');
    const text = provideScheduledText(at, params, NEVER_CANCELLED);
    assert.ok(text !== null && 'summary' in text);
    assert.deepEqual(
      [text.function, text.text, text.edits, text.summary, text.rejected],
      ['', null, [], 'no function here', ''],
    );
    assert.equal(provideScheduleExplanation(at, params, NEVER_CANCELLED), 'no function here\n');
    const pick = provideSchedulePick(at, params, NEVER_CANCELLED);
    assert.deepEqual(pick, { text: 'no function here\n', line: -1, others: [] });
  });

  it('say that it is of another target, before all else', () => {
    for (const view of [rejected, empty, own]) {
      const at = holding(view, foreign);
      for (const said of [
        providePressureReport(at, params).problem,
        noPressure(at, view, 0),
        noSchedule(at, view, 'why'),
        notAllocated(at, view, 'why'),
      ])
        assert.match(said, /x86_64/);
    }
    assert.match(noPressure(holding(null, foreign), null, 0), /^no pressure: .*x86_64/);
    assert.match(noSchedule(holding(null, foreign), null), /^not scheduled: .*x86_64/);
    assert.match(notAllocated(holding(null, foreign), null), /^not allocated: .*x86_64/);
  });

  it('say why, where that is known, or else the first finding', () => {
    const at = holding(rejected);
    assert.equal(noSchedule(at, rejected, 'it is so'), 'not scheduled: it is so');
    assert.equal(notAllocated(at, rejected, 'it is so'), 'not allocated: it is so');
    assert.equal(noSchedule(at, rejected), 'not scheduled: a warning');
    assert.equal(notAllocated(at, rejected), 'not allocated: a warning');
  });
});

describe('reports that take long', () => {
  const states = (kind: string, more: object = {}): FunctionView =>
    like(own, { schedule: () => ({ kind, ...more }), allocate: () => ({ kind, ...more }), isLarge: kind === 'large' });

  it('are asked elsewhere', () => {
    const at = holding(states('large'));
    for (const answer of [
      provideScheduledText(at, params, NEVER_CANCELLED),
      provideScheduleExplanation(at, params, NEVER_CANCELLED),
      provideSchedulePick(at, params, NEVER_CANCELLED),
      provideAllocatedText(at, params, NEVER_CANCELLED),
      provideAllocationExplanation(at, params, NEVER_CANCELLED),
      provideWhy(at, params),
    ])
      assert.equal(answer, ELSEWHERE);
    const profile = providePressureProfile(at, params)!;
    assert.deepEqual(profile.allocated, []);
    assert.equal(profile.allocatedNote, 'takes too long for this view: "Show Allocated Function" has it');
    assert.match(profile.text, /\n {2}allocated: takes too long for this view: "Show Allocated Function" has it\n$/);
  });

  it('are nothing once they are cancelled', () => {
    const at = holding(states('cancelled'));
    for (const answer of [
      provideScheduledText(at, params, NEVER_CANCELLED),
      provideScheduleExplanation(at, params, NEVER_CANCELLED),
      provideSchedulePick(at, params, NEVER_CANCELLED),
      provideAllocatedText(at, params, NEVER_CANCELLED),
      provideAllocationExplanation(at, params, NEVER_CANCELLED),
    ])
      assert.equal(answer, null);
    const profile = providePressureProfile(at, params)!;
    assert.deepEqual([profile.allocated, profile.allocatedNote], [[], '']);
  });

  it('say why there is nothing', () => {
    const at = holding(states('none', { why: 'it is so' }));
    assert.equal(
      (provideScheduledText(at, params, NEVER_CANCELLED) as { summary: string }).summary,
      'not scheduled: it is so',
    );
    assert.equal(provideScheduleExplanation(at, params, NEVER_CANCELLED), 'not scheduled: it is so\n');
    assert.deepEqual(provideSchedulePick(at, params, NEVER_CANCELLED), {
      text: 'not scheduled: it is so\n',
      line: -1,
      others: [],
    });
    const text = provideAllocatedText(at, params, NEVER_CANCELLED);
    assert.ok(text !== null && 'summary' in text);
    assert.deepEqual([text.function, text.text, text.summary], ['f\ng', null, 'not allocated: it is so']);
    assert.equal(provideAllocationExplanation(at, params, NEVER_CANCELLED), 'not allocated: it is so\n');
    const profile = providePressureProfile(at, params)!;
    assert.deepEqual([profile.allocated, profile.allocatedNote], [[], 'it is so']);
    const unscheduled = { schedule: () => ({ kind: 'none', why: '' }) };
    const failed = holding(like(states('ready', { allocated: { errors: ['ran out', 'more'] } }), unscheduled));
    const { allocated, allocatedNote } = providePressureProfile(failed, params)!;
    assert.deepEqual([allocated, allocatedNote], [[], 'ran out']);
  });

  it('costs of registers: elsewhere, cancelled, or why not', () => {
    const ask = (view: FunctionView | null, more: object = {}): unknown =>
      provideCostComparison(holding(view, more), { ...params, costs: 'all' }, NEVER_CANCELLED);
    assert.equal(ask(states('large')), ELSEWHERE);
    assert.equal(ask(states('cancelled')), null);
    assert.equal(ask(states('none', { why: 'it is so' })), 'not allocated: it is so\n');
    assert.equal(ask(null), 'no function here\n');
    const late = (isLate: boolean): object => ({ limited: () => ({ isCancelled: () => true, isLate }) });
    assert.equal(ask(own, late(true)), ELSEWHERE);
    assert.equal(ask(own, late(false)), null);
    assert.throws(() =>
      ask(own, {
        limited: () => ({
          isCancelled: () => {
            throw new TypeError('x');
          },
        }),
      }),
    );
    assert.ok(new Cancelled() instanceof Error);
  });
});

describe('waves that were expected', () => {
  const header = (hasOwnOccupancy: boolean, occupancy: number): object => ({
    header: { machineFunctionInfo: { hasOwnOccupancy, occupancy } },
  });
  const view = (fn: object | null, more: object = {}): FunctionView =>
    like(own, { fn, summary: { occupancy: { occupancy: 7 } }, ...more });
  const of = (v: FunctionView, isBeforeScheduler = false, isAfterScheduler = false): unknown =>
    expectedOccupancy(like(v, { allocationSetting: { isBeforeScheduler, isAfterScheduler } }));

  it('by the scheduler, by the header, by pressure', () => {
    assert.deepEqual(of(view(header(true, 5)), false, true), { waves: 5, by: 'header' });
    assert.deepEqual(of(view(header(false, 5)), false, true), { waves: 7, by: 'pressure' });
    // No scheduler is known to have run.
    assert.deepEqual(of(view(header(true, 5))), { waves: 7, by: 'pressure' });
    assert.deepEqual(of(view(header(false, 5))), { waves: 7, by: 'pressure' });
    assert.equal(of(view(null)), null);
    assert.equal(of(view(header(true, 5), { summary: null })), null);
    const quickSchedule = { trace: { occupancyAfter: 9 } };
    assert.deepEqual(of(view(header(true, 5), { quickSchedule }), true), { waves: 9, by: 'scheduler' });
    assert.equal(of(view(header(true, 5), { quickSchedule: null }), true), null);
    assert.deepEqual(of(view(header(true, 5), { quickSchedule }), false), { waves: 7, by: 'pressure' });
  });
});
