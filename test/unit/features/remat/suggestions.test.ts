/** All that can be said of rematerialization in two functions: suggestions, hints, light bulbs, the report. Pressure is that of amdgpu-print-rp. */
import assert from 'node:assert/strict';
import { suggestRemat, type RematSuggestions } from '../../../../server/src/features/remat/suggestions.js';
import type { RematSubject } from '../../../../server/src/features/remat/rematPlans.js';
import type { FunctionView } from '../../../../server/src/features/snapshot/snapshot.js';
import { rematActions } from '../../../../server/src/features/remat/rematActions.js';
import { isRematHint, rematHints } from '../../../../server/src/features/remat/rematHints.js';
import { provideRematReport } from '../../../../server/src/features/remat/rematReport.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { RegKind } from '../../../../server/src/target/api.js';
import { atCursor, type AtCursor } from '../../../support/cursor.js';
import { expect, type Expectation } from '../../../support/expect.js';
import { shown } from '../../../support/shown.js';

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
const open = (text: string): AtCursor => atCursor(text.replace('name: f', 'name: $0f'));

type Asked = 'suggestions' | 'hints' | 'report' | 'actions';

const CASES: readonly { readonly text: string; readonly wanted: Partial<Record<Asked, Expectation>> }[] = [
  {
    text: TWO_OF_THREE,
    wanted: {
      suggestions: expect`
        {
          function: 'f', occupancy: 9, maxOccupancy: 10, scheduledOccupancy: 10, scheduler: null,
          sets: [
            {
              registers: [ '%m0', '%m2' ],
              effect: {
                occupancyBefore: 9, occupancyAfter: 10, peakBefore: { sgpr: 0, vgpr: 26, agpr: 0 },
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
              register: '%m0', bank: 'VGPR', width: 1, line: 11, region: 0, places: [ { block: 2, region: 3, line: 43 } ],
              kept: [], why: 'reads no virtual register', loopDepthChange: 0, score: null,
              effect: {
                occupancyBefore: 9, occupancyAfter: 9, peakBefore: { sgpr: 0, vgpr: 26, agpr: 0 },
                peakAfter: { sgpr: 0, vgpr: 25, agpr: 0 },
                regions: [
                  { region: 0, before: { sgpr: 0, vgpr: 26, agpr: 0 }, after: { sgpr: 0, vgpr: 25, agpr: 0 } },
                  { region: 2, before: { sgpr: 0, vgpr: 4, agpr: 0 }, after: { sgpr: 0, vgpr: 3, agpr: 0 } },
                ],
                text: 'VGPR -1 in 2 regions, occupancy stays 9',
              },
            },
            {
              register: '%m1', bank: 'VGPR', width: 1, line: 12, region: 0,
              places: [ { block: 1, region: 2, line: 39 }, { block: 2, region: 3, line: 43 } ], kept: [],
              why: 'reads no virtual register', loopDepthChange: 1, score: null,
              effect: {
                occupancyBefore: 9, occupancyAfter: 9, peakBefore: { sgpr: 0, vgpr: 26, agpr: 0 },
                peakAfter: { sgpr: 0, vgpr: 25, agpr: 0 },
                regions: [ { region: 0, before: { sgpr: 0, vgpr: 26, agpr: 0 }, after: { sgpr: 0, vgpr: 25, agpr: 0 } } ],
                text: 'VGPR -1 in 1 region, occupancy stays 9',
              },
            },
            {
              register: '%m2', bank: 'VGPR', width: 1, line: 13, region: 0, places: [ { block: 1, region: 2, line: 39 } ],
              kept: [], why: 'reads no virtual register', loopDepthChange: 1, score: null,
              effect: {
                occupancyBefore: 9, occupancyAfter: 9, peakBefore: { sgpr: 0, vgpr: 26, agpr: 0 },
                peakAfter: { sgpr: 0, vgpr: 25, agpr: 0 },
                regions: [ { region: 0, before: { sgpr: 0, vgpr: 26, agpr: 0 }, after: { sgpr: 0, vgpr: 25, agpr: 0 } } ],
                text: 'VGPR -1 in 1 region, occupancy stays 9',
              },
            },
          ],
          more: 0, nearMisses: [ { register: '%n', bank: 'VGPR', width: 1, line: 9, reason: 'COPY cannot be rematerialized' } ],
        }
      `,
      hints: expect`
        [
          {
            start: 195, end: 206, severity: 4, origin: 2, code: 'rematerialize',
            message: '%m0 can be rematerialized at bb.2: VGPR -1 in 2 regions, occupancy stays 9',
            related: [ { start: 1915, end: 1963, message: 'a copy would stand before this' } ],
          },
          {
            start: 245, end: 256, severity: 4, origin: 2, code: 'rematerialize',
            message: '%m1 can be rematerialized at bb.1, bb.2: VGPR -1 in 1 region, occupancy stays 9',
            related: [
              { start: 1820, end: 1855, message: 'a copy would stand before this' },
              { start: 1915, end: 1963, message: 'a copy would stand before this' },
            ],
          },
          {
            start: 295, end: 306, severity: 4, origin: 2, code: 'rematerialize',
            message: '%m2 can be rematerialized at bb.1: VGPR -1 in 1 region, occupancy stays 9',
            related: [ { start: 1820, end: 1855, message: 'a copy would stand before this' } ],
          },
        ]
      `,
      actions: expect`
        11: Rematerialize %m0 at bb.2 (VGPR -1 in 2 regions, occupancy stays 9)
        11: Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)
        12: Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)
        12: Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)
        13: Rematerialize %m2 at bb.1 (VGPR -1 in 1 region, occupancy stays 9)
        13: Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)
        39: Rematerialize %m2 at bb.1 (VGPR -1 in 1 region, occupancy stays 9)
        39: Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)
        39: Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)
        43: Rematerialize %m0 at bb.2 (VGPR -1 in 2 regions, occupancy stays 9)
        43: Rematerialize %m1 at bb.1, bb.2 (VGPR -1 in 1 region, occupancy stays 9)
        43: Reach occupancy 10: rematerialize the smallest set, %m0, %m2 (VGPR -1 to -2 in 2 regions, occupancy 9 to 10)
      `,
    },
  },
  {
    text: NOT_ENOUGH,
    wanted: {
      report: expect`
        f: occupancy 9 of 10 (VGPR), next wave: -4 VGPR
        gfx908 wave64, LLVM 22.1.8

          scheduled as it stands: occupancy 9
          no set reaches occupancy 10: with all that is legal rematerialized, VGPR pressure at bb.0:28 (line 37) is still too high
          %m0, line 13: VGPR -1 in 2 regions, occupancy stays 9
              before line 45 (bb.2); reads no virtual register
          %m1, line 14: VGPR -1 in 1 region, occupancy stays 9
              before line 41 (bb.1), line 45 (bb.2); reads no virtual register;
              runs in a loop then
          %m2, line 15: VGPR -1 in 1 region, occupancy stays 9
              before line 41 (bb.1); reads no virtual register; runs in a loop then
          not %s, line 11, 2 VGPR: GLOBAL_LOAD_DWORDX2 cannot be rematerialized
          not %n, line 9, 1 VGPR: COPY cannot be rematerialized

        rematerialization (LLVM 22.1.8): for occupancy 10 in 1 region: 1 register rematerialized, rolled back
          a region may use VGPR 24, SGPR 64
          region 0 (bb.0, line 16): max pressure VGPR 25, SGPR 0, occupancy 9; target: 1 VGPR too many, 1 VGPR left
          moved %m0 (line 13) before S_NOP 0, implicit %n, implicit %s, implicit %m0, implicit %m1 (line 45)
          candidates:
            chosen: %m0 (line 13), 1 VGPR, region 0 to region 3, only passes region 2
            not needed: %m2 (line 15), 1 VGPR, region 0 to region 2
          cannot be rematerialized:
            several users: %m1 (line 14)
            not rematerializable: %n (line 9), %s (line 11)

      `,
    },
  },
];

/** What is asked, and its answer as a text. */
const ASKED: Readonly<Record<Asked, (text: string) => string>> = {
  suggestions(text) {
    const { snapshot } = open(text);
    const view = snapshot.functions[0]!;
    const lineOf = (i: number): number => snapshot.text.lineAt(view.start + view.fn!.source!.instrRange(i).start) + 1;
    assert.equal(suggestRemat(view, lineOf, { isCancelled: () => true }), null);
    return shown(suggestRemat(view, lineOf, NEVER_CANCELLED));
  },
  hints(text) {
    const hints = rematHints(open(text).snapshot.functions[0]!);
    assert.ok(hints.every(isRematHint));
    assert.ok(!isRematHint({ code: 'other' }) && !isRematHint({}));
    return shown(hints);
  },
  report(text) {
    const { snapshot, position } = open(text);
    return provideRematReport(snapshot, { textDocument, position }, NEVER_CANCELLED)!;
  },
  /** Light bulbs, line by line. */
  actions(text) {
    const { snapshot } = open(text);
    const found = text.split('\n').flatMap((content, line) => {
      const start = { line, character: content.search(/\S/) + 1 };
      const context = { diagnostics: [] };
      const actions = rematActions(snapshot, snapshot.functions[0]!, { start, end: start }, context, NEVER_CANCELLED);
      return actions.map((a) => `${line + 1}: ${a.title}`);
    });
    return found.join('\n');
  },
};

for (const [k, { text, wanted }] of CASES.entries())
  describe(`what rematerialization could do for function ${k}`, () => {
    for (const what of Object.keys(wanted) as Asked[]) it(what, () => wanted[what]!.equals(ASKED[what](text)));
  });

describe('no suggestions', () => {
  const report = (text: string): string | null => {
    const { snapshot, position } = atCursor(text);
    return provideRematReport(snapshot, { textDocument, position }, NEVER_CANCELLED);
  };

  it('the report says why', () => {
    assert.equal(report('$0'), 'no function here\n');
    assert.equal(
      report('---\nname: $0f\nbody: |\n  bb.0:\n    S_ENDPGM 0, implicit %0\n...\n'),
      "not analysed: Cannot determine class/bank of virtual register 0 in function 'f'\n",
    );
    assert.match(
      report('# RUN: llc -mtriple=x86_64-- %s\n---\nname: $0f\nbody: |\n  bb.0:\n    RET64\n...\n')!,
      /^not analysed: .*x86/,
    );
    assert.equal(
      report('# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: $0f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n'),
      'f: occupancy 10 of 10\ngfx900 wave64, LLVM 22.1.8\n\n  scheduled as it stands: occupancy 10\n  nothing to rematerialize that helps\n\n' +
        'the scheduler has no rematerialization stage here\n',
    );
  });
});

const HEADS = (cpu: string): string =>
  `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none %s\n---\nname: f\ntracksRegLiveness: true\nbody: |\n`;

const viewOf = (cpu: string, body: string): FunctionView =>
  atCursor(`$0${HEADS(cpu)}${body}...\n`).snapshot.functions[0]!;
/** Instructions by their number, from 100 on. */
const lineOf = (i: number): number => 100 + i;
const suggested = (subject: RematSubject): RematSuggestions => suggestRemat(subject, lineOf, NEVER_CANCELLED)!;

interface Told {
  readonly what: string;
  readonly cpu: string;
  readonly body: string;
  readonly occupancy: number;
  readonly max: number;
  readonly sets: readonly string[];
  readonly noSet: string;
  /** register, bank, width, line, region, region of each place, loops, effect */
  readonly suggestions: readonly string[];
  readonly nearMisses: readonly string[];
}

const TOLD: readonly Told[] = [
  {
    what: 'SGPRs',
    cpu: 'gfx900',
    body: `  bb.0:
    liveins: $sgpr0, $sgpr2_sgpr3

    %a:sgpr_32 = COPY $sgpr0
    %b:sreg_64 = COPY $sgpr2_sgpr3
    %k:sreg_64 = S_MOV_B64 1
    %one:sreg_32 = S_MOV_B32 1
    %v:vgpr_32 = IMPLICIT_DEF
    %t:vgpr_32 = COPY $sgpr0
    SCHED_BARRIER 0
    %w:sgpr_1024 = IMPLICIT_DEF
    %x:sgpr_1024 = IMPLICIT_DEF
    %y:sgpr_256 = IMPLICIT_DEF
    %z:sgpr_128 = IMPLICIT_DEF
    S_NOP 0, implicit %w, implicit %x, implicit %y, implicit %z

  bb.1:
    S_NOP 0, implicit %a, implicit %b, implicit %k, implicit %v, implicit %one, implicit %t
    S_ENDPGM 0
`,
    // 76 in the middle, six around
    occupancy: 9,
    max: 10,
    sets: ['%k, occupancy 10, smallest'],
    noSet: '',
    suggestions: [
      '%k SGPR 2 102 1 to 2 at 112 +0: SGPR -2 in 2 regions, occupancy 9 to 10',
      '%one SGPR 1 103 1 to 2 at 112 +0: SGPR -1 in 2 regions, occupancy stays 9',
      '%v VGPR 1 104 1 to 2 at 112 +0: VGPR -1 in 2 regions, occupancy stays 9',
    ],
    nearMisses: ['%b SGPR 2 101: COPY cannot be rematerialized', '%a SGPR 1 100: COPY cannot be rematerialized'],
  },
  {
    what: 'AGPRs beside VGPRs',
    cpu: 'gfx908',
    body: `  bb.0:
    liveins: $agpr0, $vgpr2_vgpr3

    %a:agpr_32 = COPY $agpr0
    %b:vreg_64 = COPY $vgpr2_vgpr3
    %c:av_96 = COPY undef $vgpr4_vgpr5_vgpr6
    %s:sreg_32 = COPY undef $sgpr0
    %k:agpr_32 = V_ACCVGPR_WRITE_B32_e64 1, implicit $exec
    SCHED_BARRIER 0
    %w:areg_1024 = IMPLICIT_DEF
    S_NOP 0, implicit %w

  bb.1:
    S_NOP 0, implicit %a, implicit %b, implicit %k, implicit %c, implicit %s
    S_ENDPGM 0
`,
    // 34 AGPRs
    occupancy: 7,
    max: 10,
    sets: [],
    noSet:
      'no set reaches occupancy 8: with all that is legal rematerialized, AGPR pressure at bb.0:6 (line 106) is still too high',
    suggestions: ['%k AGPR 1 104 1 to 2 at 108 +0: AGPR -1 in 2 regions, occupancy stays 7'],
    nearMisses: ['%a AGPR 1 100: COPY cannot be rematerialized'],
  },
  {
    what: 'VGPRs in a loop',
    cpu: 'gfx908',
    body: `  bb.0:
    liveins: $vgpr2_vgpr3

    %b:vreg_64 = COPY $vgpr2_vgpr3
    %c:av_96 = COPY undef $vgpr4_vgpr5_vgpr6
    %s:sreg_32 = COPY undef $sgpr0
    %k:vreg_64 = V_MOV_B64_PSEUDO 1, implicit $exec
    %l:vreg_64 = V_MOV_B64_PSEUDO 2, implicit $exec
    %m:vreg_64 = V_MOV_B64_PSEUDO 3, implicit $exec
    SCHED_BARRIER 0
    %w:vreg_1024 = IMPLICIT_DEF
    S_NOP 0, implicit %w

  bb.1:
    successors: %bb.1, %bb.2
    S_NOP 0, implicit %k
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_NOP 0, implicit %b, implicit %c, implicit %s, implicit %l, implicit %m
    S_ENDPGM 0
`,
    // 32 VGPRs, and eleven that pass them
    occupancy: 5,
    max: 10,
    sets: ['%l, %m, occupancy 6, smallest'],
    noSet: '',
    suggestions: [
      '%l VGPR 2 104 1 to 3 at 111 +0: VGPR -2 in 3 regions, occupancy stays 5',
      '%m VGPR 2 105 1 to 3 at 111 +0: VGPR -2 in 3 regions, occupancy stays 5',
      '%k VGPR 2 103 1 to 2 at 109 +1: VGPR -2 in 2 regions, occupancy stays 5',
    ],
    nearMisses: ['%c VGPR 3 101: COPY cannot be rematerialized', '%b VGPR 2 100: COPY cannot be rematerialized'],
  },
];

describe('rematerialization of each bank', () => {
  for (const { what, cpu, body, ...wanted } of TOLD)
    it(what, () => {
      const s = suggested(viewOf(cpu, body));
      assert.deepEqual(
        {
          occupancy: s.occupancy,
          max: s.maxOccupancy,
          sets: s.sets.map(
            ({ registers, effect, isSmallest }) =>
              `${registers.join(', ')}, occupancy ${effect.occupancyAfter}${isSmallest ? ', smallest' : ''}`,
          ),
          noSet: s.noSet,
          suggestions: s.suggestions.map(
            (f) =>
              `${f.register} ${f.bank} ${f.width} ${f.line} ${f.region} to ${f.places.map((p) => `${p.region} at ${p.line}`).join()} +${f.loopDepthChange}: ${f.effect.text}`,
          ),
          nearMisses: s.nearMisses.map((m) => `${m.register} ${m.bank} ${m.width} ${m.line}: ${m.reason}`),
        },
        wanted,
      );
    });
});

describe('more of what is suggested', () => {
  const full = (n: number): string => {
    const all = Array.from({ length: n }, (_, k) => `%m${k}`);
    return `  bb.0:\n${all.map((m) => `    ${m}:vgpr_32 = V_MOV_B32_e32 1, implicit $exec\n`).join('')}    S_NOP 0\n\n  bb.1:\n${all.map((m) => `    S_NOP 0, implicit ${m}\n`).join('')}    S_ENDPGM 0\n`;
  };

  it('thirty near misses at most', () => {
    const beside = suggested(
      viewOf(
        'gfx900',
        full(40)
          .replaceAll('V_MOV_B32_e32 1, implicit $exec', 'COPY undef $vgpr0')
          .replace('    S_NOP 0\n', '    SCHED_BARRIER 0\n    %w:vreg_64 = IMPLICIT_DEF\n    S_NOP 0, implicit %w\n'),
      ),
    );
    assert.equal(beside.nearMisses.length, 30);
    assert.deepEqual([beside.nearMisses[0]!.register, beside.nearMisses[29]!.register], ['%m0', '%m29']);
    assert.equal(beside.noSet, 'no register can be rematerialized');
  });

  const view = viewOf('gfx900', full(26));
  /** The subject with another answer of the search. */
  const searching = (result: object): RematSubject =>
    ({
      ...{ fn: view.fn, summary: view.summary, quickSchedule: null },
      remat: Object.create(view.remat, { reach: { value: () => result } }) as object,
    }) as RematSubject;

  it('why there is no set', () => {
    const of = (result: object): string => suggested(searching(result)).noSet;
    assert.equal(of({ kind: 'none' }), 'no set of legal rematerializations reaches occupancy 10');
    assert.equal(of({ kind: 'gave up' }), 'no set was found that reaches occupancy 10; the search was cut off');
    assert.equal(of({ kind: 'found', choices: [], isSmallest: true }), '');
    const still = (kind: string, where = ''): string =>
      `no set reaches occupancy 10: with all that is legal rematerialized, ${kind} pressure${where} is still too high`;
    const impossible = (registerKind: RegKind, place = -1): string => of({ kind: 'impossible', place, registerKind });
    assert.equal(impossible(RegKind.SGPR), still('SGPR'));
    assert.equal(impossible(RegKind.VGPR), still('VGPR'));
    assert.equal(impossible(RegKind.AGPR), still('AGPR'));
    assert.equal(impossible(RegKind.AVGPR), still('VGPR'));
    const { indexes } = view.summary!.lis;
    const place = indexes.instrAt.indexOf(26);
    assert.equal(impossible(RegKind.VGPR, place), still('VGPR', ' at bb.0:26 (line 126)'));
    assert.equal(impossible(RegKind.VGPR, indexes.instrAt.indexOf(0)), still('VGPR', ' at bb.0:0 (line 100)'));
  });

  it('what sets bring, and whether a smaller one would', () => {
    const choices = view.remat!.candidates.candidates.slice(0, 3).map((c) => view.remat!.choiceOf(c));
    const sets = (isSmallest: boolean): unknown =>
      suggested(searching({ kind: 'found', choices, isSmallest })).sets.map((s) => [
        s.registers,
        s.effect.occupancyBefore,
        s.effect.occupancyAfter,
        s.isSmallest,
      ]);
    for (const isSmallest of [true, false])
      assert.deepEqual(sets(isSmallest), [[['%m0', '%m1', '%m2'], 9, 10, isSmallest]]);
  });

  it('the score of the first round, by definition', () => {
    const defs = view.remat!.candidates.candidates.map((c) => c.def);
    const score = (maxFreq: number): object => ({ maxFreq });
    const report = {
      candidates: [{ def: defs[2] }, { def: defs[0] }],
      rounds: [
        { verdicts: [{ candidate: 1, score: score(1) }, { candidate: 0, score: score(2) }, { candidate: 9 }] },
        { verdicts: [{ candidate: 1, score: score(3) }] },
      ],
    };
    const subject = {
      ...{ fn: view.fn, summary: view.summary, remat: view.remat },
      quickSchedule: { trace: { remat: report, occupancyAfter: 7 } },
    } as unknown as RematSubject;
    const s = suggested(subject);
    assert.equal(s.scheduledOccupancy, 7);
    const scoreOf = (name: string): unknown => s.suggestions.find((f) => f.register === name)!.score;
    assert.deepEqual(['%m0', '%m1', '%m2', '%m3'].map(scoreOf), [score(1), null, score(2), null]);
    const none = suggested({ ...subject, quickSchedule: null });
    assert.deepEqual([none.scheduledOccupancy, none.scheduler, none.suggestions[0]!.score], [null, null, null]);
  });

  it('nothing of what is not understood', () => {
    const all = { fn: view.fn, summary: view.summary, remat: view.remat, quickSchedule: null };
    assert.notEqual(suggestRemat(all, lineOf, NEVER_CANCELLED), null);
    for (const part of ['fn', 'summary', 'remat'] as const)
      assert.equal(suggestRemat({ ...all, [part]: null }, lineOf, NEVER_CANCELLED), null);
    // before the first register, then before the sets
    for (const n of [0, 25, 26]) {
      let left = n;
      assert.equal(suggestRemat(all, lineOf, { isCancelled: () => left-- <= 0 }), null, `${n}`);
    }
  });
});
