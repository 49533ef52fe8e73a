/** The text of a schedule that rematerializes: definitions that went, copies that came, regions that go together. Instructions and flags are llc-22's. */
import assert from 'node:assert/strict';
import { provideScheduledText, type ScheduledText } from '../../../../server/src/features/schedule/schedule.js';
import { scheduleEdits, tiedRegions, withFlags } from '../../../../server/src/features/schedule/scheduleEdits.js';
import { OpFlag } from '../../../../server/src/model/machineFunction.js';
import type { ScheduleTrace } from '../../../../server/src/passes/scheduler/trace/scheduleTrace.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';

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
    openText(text).snapshot,
    { textDocument: { uri: '' }, position: { line: line - 1, character: 4 }, scope },
    NEVER_CANCELLED,
  ) as ScheduledText;

const SUMMARY = [
  'region 0: max pressure VGPR 25 -> 24, SGPR 0, occupancy 9 -> 10, length 23 cycles (model), settled by PreRARematerialize, not reverted',
  'region 1: max pressure VGPR 3 -> 2, SGPR 0, occupancy 10, length 3 -> 2 cycles (model), settled by PreRARematerialize, not reverted',
  'region 2: max pressure VGPR 3, SGPR 0, occupancy 10, length 3 cycles (model), settled by OccInitialSchedule, not reverted',
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
    const { snapshot } = openText(TEXT);
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

/** 25 values, one too many for ten waves, of which llc computes the last again before its user. */
const tooMany = (list: string, def: string, use: string, debug: string, copy = ''): string => {
  const all = [...Array(24).keys()];
  const lines = [
    ...all.map((k) => `    %${k}:vgpr_32 = V_MOV_B32_e32 ${k}, implicit $exec, implicit-def $m0`),
    ...(def === '' ? [] : [`    ${def}`]),
    `    ${debug}${copy === '' || !copy.includes(';') ? '' : ' ; the last'}`,
    '    S_BRANCH %bb.1',
    '',
    '  bb.1:',
    `    ${debug}`,
    ...all.map((k) => `    S_NOP 0, implicit %${k}`),
    ...(copy === '' ? [] : [`    ${copy.replace(' ; the last', '')}`]),
    `    ${use}`,
    `    ${debug}`,
    '    S_ENDPGM 0',
  ];
  return `# RUN: llc -mtriple=amdgcn -mcpu=gfx908 -run-pass=machine-scheduler %s\n---\nname: f\ntracksRegLiveness: true\nmachineFunctionInfo:\n  isEntryFunction: true\n${list}body: |\n  bb.0:\n${lines.join('\n')}\n...\n`;
};

interface Copied {
  readonly title: string;
  readonly model: 'llvm-22' | 'llvm-main-2026-01';
  readonly list?: string;
  /** definition, user and debug instruction before */
  readonly before: readonly [string, string, string];
  /** copy, user and debug instructions afterwards */
  readonly after: readonly [string, string, string];
}

const COPIED: readonly Copied[] = [
  {
    title: 'a copy keeps the register where the model says so',
    model: 'llvm-22',
    before: ['%x:vgpr_32 = V_MOV_B32_e32 24, implicit $exec', 'S_NOP 0, implicit killed %x', 'DBG_VALUE %x, $noreg'],
    after: ['%x:vgpr_32 = V_MOV_B32_e32 24, implicit $exec', 'S_NOP 0, implicit %x', 'DBG_VALUE %x, $noreg'],
  },
  {
    title: 'a copy has a number that is free; a comment keeps its place',
    model: 'llvm-main-2026-01',
    before: [
      '%24:vgpr_32 = V_MOV_B32_e32 24, implicit $exec ; the last',
      'S_NOP 0, implicit killed %24',
      'DBG_VALUE %24, $noreg',
    ],
    after: [
      '%25:vgpr_32 = V_MOV_B32_e32 24, implicit $exec ; the last',
      'S_NOP 0, implicit %25',
      'DBG_VALUE $noreg, $noreg',
    ],
  },
  {
    title: 'the number after the greatest; a register with a name, too',
    model: 'llvm-main-2026-01',
    before: [
      '%a:vgpr_32 = V_MOV_B32_e32 24, implicit $exec',
      'S_NOP 0, implicit %a, implicit undef %77:vgpr_32',
      'DBG_VALUE %a, $noreg',
    ],
    after: [
      '%78:vgpr_32 = V_MOV_B32_e32 24, implicit $exec',
      'S_NOP 0, implicit %78, implicit undef %77:vgpr_32',
      'DBG_VALUE $noreg, $noreg',
    ],
  },
  {
    title: 'a part of a register',
    model: 'llvm-main-2026-01',
    before: [
      'undef %50.sub1:vreg_64 = V_MOV_B32_e32 24, implicit $exec',
      'S_NOP 0, implicit killed %50.sub1',
      'DBG_VALUE %50.sub1, $noreg',
    ],
    after: [
      'undef %51.sub1:vreg_64 = V_MOV_B32_e32 24, implicit $exec',
      'S_NOP 0, implicit %51.sub1',
      'DBG_VALUE $noreg, $noreg',
    ],
  },
  {
    title: 'the class that stands in a list stands at the copy; flags of the user are those that llc prints',
    model: 'llvm-main-2026-01',
    list: 'registers:\n  - { id: 30, class: vgpr_32 }\n',
    before: [
      '%30 = V_MOV_B32_e32 24, implicit $exec',
      '%31:vgpr_32 = V_ADD_U32_e32 killed %30, %30, implicit $exec',
      'DBG_VALUE %30, $noreg',
    ],
    after: [
      '%32:vgpr_32 = V_MOV_B32_e32 24, implicit $exec',
      'dead %31:vgpr_32 = V_ADD_U32_e32 %32, %32, implicit $exec',
      'DBG_VALUE $noreg, $noreg',
    ],
  },
  {
    title: 'the class that stands in a list, of a part',
    model: 'llvm-main-2026-01',
    list: 'registers:\n  - { id: 30, class: vreg_64 }\n',
    before: [
      'undef %30.sub0 = V_MOV_B32_e32 24, implicit $exec',
      'dead %31:vgpr_32 = V_ADD_U32_e32 killed %30.sub0, %30.sub0, implicit $exec',
      'DBG_VALUE %30.sub0, $noreg',
    ],
    after: [
      'undef %32.sub0:vreg_64 = V_MOV_B32_e32 24, implicit $exec',
      'dead %31:vgpr_32 = V_ADD_U32_e32 %32.sub0, %32.sub0, implicit $exec',
      'DBG_VALUE $noreg, $noreg',
    ],
  },
];

describe('copies of the scheduler as text', () => {
  for (const { title, model, list = '', before, after } of COPIED)
    it(title, () => {
      const text = tooMany(list, ...before);
      const [copy, use, debug] = after;
      const wanted = tooMany(list, '', use, debug, copy);
      for (const eol of ['\n', '\r\n'])
        for (const scope of ['function', 'region'] as const) {
          const { snapshot } = openText(text.replaceAll('\n', eol), { model });
          const position = { line: 20, character: 4 };
          const params = { textDocument: { uri: '' }, position, scope };
          const found = provideScheduledText(snapshot, params, NEVER_CANCELLED) as ScheduledText;
          assert.equal(found.text, wanted.replaceAll('\n', eol), scope);
          assert.equal(found.rejected, '');
        }
    });
});

describe('flags of an operand', () => {
  const [Dead, Kill, Undef] = [OpFlag.Dead, OpFlag.Kill, OpFlag.Undef];
  const CASES: readonly (readonly [text: string, flags: number, becomes: string])[] = [
    ['%0', 0, '%0'],
    ['%0', Kill, 'killed %0'],
    ['%0', Dead, 'dead %0'],
    ['%0', Undef, 'undef %0'],
    ['killed %0', 0, '%0'],
    ['killed  %0', Kill, 'killed %0'],
    ['dead %0', 0, '%0'],
    ['undef %0.sub1', 0, '%0.sub1'],
    ['undef %0.sub1:vreg_64', Dead | Undef, 'dead undef %0.sub1:vreg_64'],
    ['dead undef %0.sub1', Undef, 'undef %0.sub1'],
    ['killed undef %0', Kill | Undef, 'killed undef %0'],
    ['undef killed %0', Kill | Undef, 'killed undef %0'],
    ['undef %0', Dead | Kill | Undef, 'dead killed undef %0'],
    ['implicit %0', Kill, 'implicit killed %0'],
    ['implicit killed %0', 0, 'implicit %0'],
    ['implicit killed %0', Undef, 'implicit undef %0'],
    ['implicit-def $scc', Dead, 'implicit-def dead $scc'],
    ['implicit-def dead $scc', 0, 'implicit-def $scc'],
    ['implicit-def  dead   $scc', 0, 'implicit-def $scc'],
    ['early-clobber %0', Dead, 'dead early-clobber %0'],
    ['dead early-clobber %0', 0, 'early-clobber %0'],
    ['renamable $vgpr0', Kill, 'killed renamable $vgpr0'],
    ['killed renamable $vgpr0', 0, 'renamable $vgpr0'],
    ['implicit-def early-clobber renamable $vgpr0', Dead, 'implicit-def dead early-clobber renamable $vgpr0'],
    ['internal %0', Kill, 'internal killed %0'],
    ['internal killed %0', 0, 'internal %0'],
    ['implicit internal killed %0', Undef, 'implicit internal undef %0'],
    ['def %0', Dead, 'def dead %0'],
    ['def dead %0', 0, 'def %0'],
    ['debug-use %0', 0, 'debug-use %0'],
    ['debug-use %0', Kill, 'killed debug-use %0'],
    ['killed %killed', 0, '%killed'],
    ['%dead', Dead, 'dead %dead'],
  ];
  for (const [text, flags, becomes] of CASES)
    it(`${text}: ${becomes}`, () => assert.equal(withFlags(text, flags), becomes));
});
