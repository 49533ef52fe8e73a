/** All lenses of small documents: titles, commands, places. The schedules are those of llc-22, the pressure is that of amdgpu-print-rp. */
import assert from 'node:assert/strict';
import { provideCodeLenses } from '../../../../server/src/features/lens/codeLens.js';
import type { Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { AnalysisHost } from '../../../../server/src/host/analysisHost.js';
import { DEFAULT_SETTINGS, type Settings } from '../../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText, URI } from '../../../support/cursor.js';
import { expect, type Expectation } from '../../../support/expect.js';
import { EACH_BANK, LANES_PART } from '../../../support/exampleTexts.js';

/** `line:columns title -> command arguments`; `doc` is the document. */
const lensesOf = (snapshot: Snapshot, token = NEVER_CANCELLED): string[] =>
  provideCodeLenses(snapshot, null, token).map(({ range: { start, end }, command }) => {
    const { title, command: name, arguments: args = [] } = command!;
    const words = [name.replace(/^amdgpu-mir\./, ''), ...args.map((arg: unknown) => (arg === URI ? 'doc' : arg))];
    const runs = name === '' ? '' : ` -> ${words.join(' ')}`;
    return `${start.line + 1}:${start.character}-${end.character} ${title}${runs}`;
  });

/** Those that follow each other in one place in one line. */
const inLines = (lenses: readonly string[]): string =>
  lenses
    .map((lens, k) => {
      const [place = ''] = lens.split(' ', 1);
      return lenses[k - 1]?.startsWith(`${place} `) ? ` | ${lens.slice(place.length + 1)}` : `\n${lens}`;
    })
    .join('')
    .slice(1);

interface Document {
  readonly what: string;
  readonly settings: Partial<Settings>;
  readonly text: string;
  readonly lenses: Expectation;
}

const DOCUMENTS: readonly Document[] = [
  {
    what: 'several targets; functions with scalar registers alone, with errors, without registers, allocated',
    settings: {},
    text: `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s
# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -verify-machineinstrs %s
# RUN: llc -mtriple=amdgcn -mcpu=gfx1030 -mattr=+wavefrontsize64 %s
# RUN: llc -mtriple=amdgcn -mcpu=gfx90a %s
---
name: scalar
tracksRegLiveness: true
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32 0
    %1:sreg_32 = S_MOV_B32 0
    S_ENDPGM 0, implicit %0, implicit %1
...
---
name: broken
tracksRegLiveness: true
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32
    S_ENDPGM 0, implicit %9
...
---
name: none
tracksRegLiveness: true
body: |
  bb.0:
    S_ENDPGM 0
...
---
name: allocated
tracksRegLiveness: true
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 0, implicit $exec
    S_ENDPGM 0, implicit $vgpr0
...
---
body: |
  bb.0:
    S_ENDPGM 0
...
`,
    lenses: expect`
      6:6-12 occupancy 10 of 10 | live peak SGPR 2 at line 11 -> goTo doc 10 4 | why... -> whyPressure doc 10 4 | schedule... -> showScheduled doc 1 | explain... -> explainSchedule doc 1 | rematerialize... -> rematReport doc 1
      15:6-12 no pressure: llc rejects this function (line 20) -> goTo doc 19 25
      23:6-10 no registers
      30:6-15 allocated: VGPR 1 (1 of 24): occupancy 10
      1:0-0 active target: gfx900 | compare targets... -> compareTargets doc
      3:0-0 use gfx1030 +wavefrontsize64 -> useTarget doc 2
      4:0-0 use gfx90a -> useTarget doc 3
    `,
  },
  {
    what: 'no target named, generic registers',
    settings: { blockLens: true },
    text: `

---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:_(s32) = G_CONSTANT i32 1
    S_ENDPGM 0, implicit %0, implicit %1
...
---
name: g
tracksRegLiveness: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:_(s32) = G_CONSTANT i32 1
    %2:_(s64) = G_CONSTANT i64 1
    S_ENDPGM 0, implicit %0, implicit %1
...
---
name: generic
tracksRegLiveness: true
body: |
  bb.0:
    %1:_(s32) = G_CONSTANT i32 1
    %2:vgpr(s64) = COPY %3
    %3:vgpr(s64) = G_CONSTANT i64 1
    S_ENDPGM 0, implicit %1
...
`,
    lenses: expect`
      4:6-7 occupancy 10 of 10 | live peak VGPR 1 at line 8 -> goTo doc 7 4 | why... -> whyPressure doc 7 4 | 1 generic register not counted | schedule... -> showScheduled doc 1 | explain... -> explainSchedule doc 1 | rematerialize... -> rematReport doc 1
      7:2-2 at entry: nothing | live peak in block VGPR 1 at line 8 -> goTo doc 7 4
      13:6-7 occupancy 10 of 10 | live peak VGPR 1 at line 17 -> goTo doc 16 4 | why... -> whyPressure doc 16 4 | 2 generic registers not counted | schedule... -> showScheduled doc 12 | explain... -> explainSchedule doc 12 | rematerialize... -> rematReport doc 12
      16:2-2 at entry: nothing | live peak in block VGPR 1 at line 17 -> goTo doc 16 4
      23:6-13 generic registers: banks sgpr 1 x 32 bit, vgpr 2 x 32 bit (estimate, banks by divergence)
      1:0-0 target unknown: nothing in the file names a processor: the numbers are for generic-hsa wave64; choose... -> selectTarget
    `,
  },
  {
    what: 'a target by a substitution of lit',
    settings: {},
    text: `# RUN: true
# RUN: llc -mtriple=amdgcn -mcpu=%cpu %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    S_ENDPGM 0
...
`,
    lenses: expect`
      4:6-7 no registers
      2:0-0 target unknown: line 2 names the target by a substitution of lit (%cpu): the numbers are for %cpu wave64; choose... -> selectTarget
    `,
  },
  {
    what: 'a function that will spill, scheduled by another model',
    settings: { regionLens: true, blockLens: true, model: 'llvm-main-2026-01' },
    text: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 %s
--- |
  define amdgpu_kernel void @f() #0 { ret void }
  attributes #0 = { "amdgpu-num-vgpr"="2" }
...
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr4_sgpr5

    %0:vreg_64 = IMPLICIT_DEF
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e32 %1, %1, implicit $exec
    %3:vgpr_32 = GLOBAL_LOAD_DWORD %0, 64, 0, implicit $exec
    %4:vgpr_32 = V_ADD_U32_e32 %3, %3, implicit $exec
    S_ENDPGM 0, implicit %2, implicit %4

  bb.1:
    S_ENDPGM 0
...
`,
    lenses: expect`
      7:6-7 will spill: 1 VGPR too many (3 live of 2) | occupancy 10 of 10 | live peak VGPR 3 at line 14 -> goTo doc 13 4 | why... -> whyPressure doc 13 4 | schedule (llvm-main-2026-01)... -> showScheduled doc 6 | explain (llvm-main-2026-01)... -> explainSchedule doc 6 | rematerialize... -> rematReport doc 6
      10:2-2 at entry, before live-ins: nothing | live peak in block VGPR 3 at line 14 -> goTo doc 13 4
      20:2-2 at entry: nothing
      13:4-4 region 0: max pressure VGPR 4, SGPR 0, occupancy 10, length 163 -> 83 cycles (model), settled by UnclusteredHighRPReschedule, not reverted (llvm-main-2026-01) | apply -> applyRegionSchedule doc 12
    `,
  },
  {
    what: 'regions, and those whose order can be applied',
    settings: { regionLens: true },
    text: `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 %s
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e32 %1, %1, implicit $exec
    %3:vgpr_32 = GLOBAL_LOAD_DWORD %0, 64, 0, implicit $exec
    %4:vgpr_32 = V_ADD_U32_e32 %3, %3, implicit $exec
    S_BARRIER
    %5:vgpr_32 = V_ADD_U32_e32 %2, %4, implicit $exec
    SCHED_BARRIER 0
    %6:vgpr_32 = V_ADD_U32_e32 %2, %4, implicit $exec
    %7:vgpr_32 = V_ADD_U32_e32 %6, %4, implicit $exec
    S_ENDPGM 0, implicit %5, implicit %7
...
---
name: phis
tracksRegLiveness: true
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %9:vgpr_32 = IMPLICIT_DEF

  bb.1:
    %8:vgpr_32 = PHI %9, %bb.0, %4, %bb.1
    %1:vgpr_32 = GLOBAL_LOAD_DWORD %0, 0, 0, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e32 %1, %1, implicit $exec
    %3:vgpr_32 = GLOBAL_LOAD_DWORD %0, 64, 0, implicit $exec
    %4:vgpr_32 = V_ADD_U32_e32 %3, %2, implicit $exec
    S_CBRANCH_SCC1 %bb.1, implicit undef $scc

  bb.2:
    S_ENDPGM 0, implicit %8
...
`,
    lenses: expect`
      3:6-7 occupancy 10 of 10 | live peak VGPR 3 at line 8 -> goTo doc 7 4 | why... -> whyPressure doc 7 4 | schedule... -> showScheduled doc 1 | explain... -> explainSchedule doc 1 | rematerialize... -> rematReport doc 1
      15:4-4 region 0: max pressure VGPR 4, SGPR 0, occupancy 10, length 2 cycles (model), settled by OccInitialSchedule, not reverted
      7:4-4 region 1: max pressure VGPR 4, SGPR 0, occupancy 10, length 165 -> 85 cycles (model), settled by OccInitialSchedule, not reverted | apply -> applyRegionSchedule doc 6
      20:6-10 occupancy 10 of 10 | live peak VGPR 5 at line 31 -> goTo doc 30 4 | why... -> whyPressure doc 30 4 | schedule... -> showScheduled doc 19 | explain... -> explainSchedule doc 19 | rematerialize... -> rematReport doc 19
      24:4-4 region 0: max pressure VGPR 3, SGPR 0, occupancy 10, length 2 cycles (model), settled by OccInitialSchedule, not reverted
      28:4-4 region 1: max pressure VGPR 4 -> 5, SGPR 0, occupancy 10, length 163 -> 82 cycles (model), settled by OccInitialSchedule, not reverted
    `,
  },
  {
    what: 'blocks where lanes part and meet',
    settings: { blockLens: true },
    text: LANES_PART,
    lenses: expect`
      3:6-7 occupancy 8 of 8 | live peak VGPR 2 at line 20, SGPR 4, AGPR 1 -> goTo doc 19 4 | why... -> whyPressure doc 19 4 | schedule... -> showScheduled doc 1 | explain... -> explainSchedule doc 1 | rematerialize... -> rematReport doc 1
      8:2-2 at entry, before live-ins: nothing | divergent branch, lanes meet in bb.3 | live peak in block VGPR 1 at line 12, SGPR 4 -> goTo doc 11 4
      16:2-2 at entry: 4 SGPR | divergent branch; lanes leave this cycle at different times | live peak in block VGPR 2 at line 20, SGPR 4, AGPR 1 -> goTo doc 19 4
      24:2-2 at entry: 2 SGPR, 1 AGPR | live peak in block VGPR 1 at line 27, SGPR 2, AGPR 1 -> goTo doc 26 4
      30:2-2 at entry: 2 SGPR | live peak in block SGPR 2 at line 31 -> goTo doc 30 4
    `,
  },
  {
    what: 'blocks and regions of a function with registers of each bank',
    settings: { blockLens: true, regionLens: true },
    text: EACH_BANK,
    lenses: expect`
      3:6-7 occupancy 10 of 10 | live peak VGPR 3 at line 15, SGPR 2, AGPR 1 -> goTo doc 14 4 | why... -> whyPressure doc 14 4 | schedule... -> showScheduled doc 1 | explain... -> explainSchedule doc 1 | rematerialize... -> rematReport doc 1
      8:2-2 at entry, before live-ins: nothing | live peak in block VGPR 3 at line 15, SGPR 2, AGPR 1 -> goTo doc 14 4
      25:2-2 at entry: 2 VGPR, 2 SGPR, 1 AGPR | live peak in block VGPR 2 at line 26, SGPR 2, AGPR 1 -> goTo doc 25 4
      28:2-2 at entry: 1 VGPR, 1 SGPR | live peak in block VGPR 2 at line 29, SGPR 1 -> goTo doc 28 4
      33:2-2 at entry: nothing
      12:4-4 region 0: max pressure VGPR 3, SGPR 2, AGPR 1, occupancy 10, length 11 cycles (model), settled by OccInitialSchedule, not reverted
      26:4-4 region 1: max pressure VGPR 2, SGPR 2, AGPR 1, occupancy 10, order unchanged, not reverted
      29:4-4 region 2: max pressure VGPR 2, SGPR 1, occupancy 10, length 2 cycles (model), settled by OccInitialSchedule, not reverted
    `,
  },
];

describe('lenses of a document', () => {
  for (const { what, settings, text, lenses } of DOCUMENTS) {
    it(what, () => lenses.equals(inLines(lensesOf(openText(text, settings).snapshot))));

    it(`${what}: none where they are off, none of blocks and regions where nobody wants them`, () => {
      assert.deepEqual(lensesOf(openText(text, { ...settings, codeLens: false }).snapshot), []);
      const without = lensesOf(openText(text, { ...settings, blockLens: false, regionLens: false }).snapshot);
      assert.deepEqual(
        without,
        lensesOf(openText(text, settings).snapshot).filter(
          (lens) => !/at entry|in block|divergent branch|leave this cycle|region \d+:|apply/.test(lens),
        ),
      );
    });
  }

  it('a request that is cancelled has those that are not of functions', () => {
    const { snapshot } = openText(DOCUMENTS[0]!.text);
    assert.deepEqual(
      lensesOf(snapshot, { isCancelled: () => true }),
      lensesOf(snapshot).filter((lens) => /^[1-4]:/.test(lens)),
    );
  });
});

describe('lenses of a function that an edit has broken', () => {
  const text = DOCUMENTS.at(-1)!.text;

  /** Lenses after one line was replaced by another. */
  function edited(from: string, to: string): string[] {
    const host = new AnalysisHost(false, Infinity);
    host.configure({ ...DEFAULT_SETTINGS, blockLens: true, regionLens: true });
    host.open(URI, 1, text);
    host.diagnostics(URI, NEVER_CANCELLED);
    const { text: before } = host.snapshot(URI)!;
    const at = text.indexOf(from);
    const range = { start: before.positionAt(at), end: before.positionAt(at + from.length) };
    host.change(URI, 2, [{ range, text: to }]);
    return lensesOf(host.snapshot(URI)!);
  }

  it('are the old ones with the line that broke, as far as their lines stand', () => {
    expect`
      3:6-7 occupancy 10 of 10 | live peak VGPR 3 at line 15, SGPR 2, AGPR 1 -> goTo doc 14 4 | as it was before line 18 broke -> goTo doc 17 22
      8:2-2 at entry, before live-ins: nothing | live peak in block VGPR 3 at line 15, SGPR 2, AGPR 1 -> goTo doc 14 4
      26:2-2 at entry: 2 VGPR, 2 SGPR, 1 AGPR | live peak in block VGPR 2 at line 27, SGPR 2, AGPR 1 -> goTo doc 26 4
      29:2-2 at entry: 1 VGPR, 1 SGPR | live peak in block VGPR 2 at line 30, SGPR 1 -> goTo doc 29 4
      34:2-2 at entry: nothing
    `.equals(inLines(edited('    S_NOP 0, implicit %0\n', '\n    S_NOP 0, implicit %77\n')));
  });

  it('lead nowhere where the peak itself is another line', () => {
    const lenses = edited('    %2.sub2:vreg_96 = COPY %0\n', '    %2.sub2:vreg_96 = COPY %77\n');
    expect`
      3:6-7 occupancy 10 of 10 | live peak VGPR 3 at bb.0:3, SGPR 2, AGPR 1 | as it was before line 15 broke -> goTo doc 14 27
      8:2-2 at entry, before live-ins: nothing | live peak in block VGPR 3 at bb.0:3, SGPR 2, AGPR 1
    `.equals(inLines(lenses.slice(0, 5)));
  });
});
