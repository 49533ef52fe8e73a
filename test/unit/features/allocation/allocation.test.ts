/** What the editor has of an allocated function, word by word. Text and registers are those of llc-22; the comments are the source's. */
import assert from 'node:assert/strict';
import { provideAllocatedText, type AllocatedText } from '../../../../server/src/features/allocation/allocation.js';
import { costsText, provideCostComparison } from '../../../../server/src/features/allocation/compareCosts.js';
import { provideAllocationExplanation } from '../../../../server/src/features/allocation/explainAllocation.js';
import { allocatedPlaceLine } from '../../../../server/src/features/allocation/registerPlaces.js';
import { provideInlayHints } from '../../../../server/src/features/lens/inlayHints.js';
import type { CostRow } from '../../../../server/src/program/costComparison.js';
import type { Snapshot } from '../../../../server/src/features/snapshot/snapshot.js';
import { NEVER_CANCELLED } from '../../../../server/src/util/cancellation.js';
import { openText } from '../../../support/cursor.js';

const TEXT = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -stress-regalloc=2 -start-before=greedy,0 -stop-after=virtregrewriter,2 -o - %s | FileCheck %s
---
# the function
name: spills
tracksRegLiveness: true
machineFunctionInfo:
  isEntryFunction: true
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  stackPtrOffsetReg: '$sgpr32'
body: |
  ; above all
  bb.0:
    successors: %bb.1

    ; the first value
    S_NOP 0, implicit-def %0:vgpr_32
    S_NOP 0, implicit-def %1:vgpr_32 ; after it
    S_NOP 0, implicit-def %2:vgpr_32
    %3:vgpr_32 = V_MOV_B32_e32 7, implicit $exec
    ; a copy
    %4:vgpr_32 = COPY %2
    ; all of them
    S_NOP 0, implicit %1, implicit %4

  ; the second block
  bb.1:
    BUNDLE implicit %0, implicit %3 {
      S_NOP 0, implicit %0, implicit %3
    }
    S_NOP 1, implicit %1
    S_ENDPGM 0
    ; at the end
...
---
name: phi
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF

  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0
    S_ENDPGM 0
...
`;

const ALLOCATED = `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -stress-regalloc=2 -start-before=greedy,0 -stop-after=virtregrewriter,2 -o - %s | FileCheck %s
---
# the function
name:            spills
alignment:       1
tracksRegLiveness: true
noPhis:          true
isSSA:           false
noVRegs:         true
hasFakeUses:     false
tracksDebugUserValues: true
frameInfo:
  maxAlignment:    4
  isCalleeSavedInfoValid: true
stack:
  - { id: 0, type: spill-slot, size: 4, alignment: 4 }
  - { id: 1, type: spill-slot, size: 4, alignment: 4 }
machineFunctionInfo:
  maxKernArgAlign: 1
  isEntryFunction: true
  hasSpilledVGPRs: true
  scratchRSrcReg:  '$sgpr0_sgpr1_sgpr2_sgpr3'
  stackPtrOffsetReg: '$sgpr32'
  argumentInfo:
    privateSegmentBuffer: { reg: '$sgpr0_sgpr1_sgpr2_sgpr3' }
    dispatchPtr:     { reg: '$sgpr4_sgpr5' }
    queuePtr:        { reg: '$sgpr6_sgpr7' }
    dispatchID:      { reg: '$sgpr10_sgpr11' }
    workGroupIDX:    { reg: '$sgpr12' }
    workGroupIDY:    { reg: '$sgpr13' }
    workGroupIDZ:    { reg: '$sgpr14' }
    LDSKernelId:     { reg: '$sgpr15' }
    implicitArgPtr:  { reg: '$sgpr8_sgpr9' }
    workItemIDX:     { reg: '$vgpr31', mask: 1023 }
    workItemIDY:     { reg: '$vgpr31', mask: 1047552 }
    workItemIDZ:     { reg: '$vgpr31', mask: 1072693248 }
  occupancy:       10
body: |
  ; above all
  bb.0:
    ; the first value
    S_NOP 0, implicit-def renamable $vgpr0
    SI_SPILL_V32_SAVE killed $vgpr0, %stack.0, $sgpr32, 0, implicit $exec :: (store (s32) into %stack.0, addrspace 5)
    S_NOP 0, implicit-def renamable $vgpr1 ; after it
    S_NOP 0, implicit-def renamable $vgpr0
    SI_SPILL_V32_SAVE $vgpr1, %stack.1, $sgpr32, 0, implicit $exec :: (store (s32) into %stack.1, addrspace 5)
    ; all of them
    S_NOP 0, implicit killed renamable $vgpr1, implicit killed renamable $vgpr0
  
    ; a copy
  ; the second block
  bb.1:
    renamable $vgpr0 = SI_SPILL_V32_RESTORE %stack.0, $sgpr32, 0, implicit $exec :: (load (s32) from %stack.0, addrspace 5)
    renamable $vgpr1 = V_MOV_B32_e32 7, implicit $exec
    BUNDLE implicit killed renamable $vgpr0, implicit killed renamable $vgpr1 {
      S_NOP 0, implicit renamable $vgpr0, implicit renamable $vgpr1
    }
    renamable $vgpr0 = SI_SPILL_V32_RESTORE %stack.1, $sgpr32, 0, implicit $exec :: (load (s32) from %stack.1, addrspace 5)
    S_NOP 1, implicit killed renamable $vgpr0
    S_ENDPGM 0
    ; at the end
...
---
name: phi
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF

  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0
    S_ENDPGM 0
...
`;

const EXPLAINED = `@spills  gfx900 wave64, LLVM 22.1.8
10 waves of 10: nothing binds
spilled: 2 registers
  %0 to %stack.0: saved after line 16, reloaded before line 27
  %1 to %stack.1: saved after line 21, reloaded before line 30
allocated: VGPR 2 (2 of 24), SGPR 4, 2 spilled (2 saves, 2 reloads, 1 rematerialized): occupancy 10

where each register is
  %0: $vgpr0 at line 16; then %stack.0 from line 16 to line 27; then $vgpr0 at line 27
  %1: $vgpr1 from line 17 to line 23; then %stack.1 from line 23 to line 30; then $vgpr0 at line 30
  %2: $vgpr0 from line 18 to line 21
  %3: $vgpr1 at line 27
  %4: $vgpr0 from line 21 to line 23

VGPR run: 17 picks
  the first use of a callee-saved register costs 0.006104
  %0 (vgpr_32, weight 0.005859, stage assign): $vgpr0
  %1 (vgpr_32, weight 0.005859, stage assign): $vgpr1
    not free: $vgpr0 (%0)
  %3 (vgpr_32, weight 0.003233, stage assign): nothing is free: it waits for the second round, in which it may be split
    not free: $vgpr0 (%0), $vgpr1 (%1)
  %2 (vgpr_32, weight 0.004676, stage assign): nothing is free: it waits for the second round, in which it may be split
    not free: $vgpr0 (%0), $vgpr1 (%1)
  %4 (vgpr_32, must not be spilled, stage assign): $vgpr0, taken from others
    not free: $vgpr0 (%0), $vgpr1 (%1)
    evicts %0 (weight 0.005859) from $vgpr0
  %0 (vgpr_32, weight 0.005859, stage assign): nothing is free: it waits for the second round, in which it may be split
    not free: $vgpr0 (%4), $vgpr1 (%1)
  %0 (vgpr_32, weight 0.005859, stage split): spilled
    not free: $vgpr0 (%4), $vgpr1 (%1)
    spilled to %stack.0: %0
  %0#1 (vgpr_32, must not be spilled, stage done): $vgpr0
  %0#2 (vgpr_32, must not be spilled, stage done): $vgpr0
  %3 (vgpr_32, weight 0.003233, stage split): computed again at its uses
    not free: $vgpr0 (%4 %0#2), $vgpr1 (%1)
    computed again at line 27, as line 19 does
  %3#1 (vgpr_32, must not be spilled, stage done): $vgpr1, taken from others
    not free: $vgpr0 (%0#2), $vgpr1 (%1)
    evicts %1 (weight 0.005859) from $vgpr1
  %1 (vgpr_32, weight 0.005859, stage assign): nothing is free: it waits for the second round, in which it may be split
    not free: $vgpr0 (%4 %0#2), $vgpr1 (%3#1)
  %1 (vgpr_32, weight 0.005859, stage split): split into %1#1, %1#2
    not free: $vgpr0 (%4 %0#2), $vgpr1 (%3#1)
    split in single blocks (block split)
  %1#1 (vgpr_32, weight 0.00443, stage spill): spilled
    not free: $vgpr0 (%4 %0#2), $vgpr1 (%3#1)
    spilled to %stack.1: %1#1
  %1#3 (vgpr_32, must not be spilled, stage done): $vgpr0
  %1#2 (vgpr_32, weight 0.00653, stage assign): $vgpr1
    not free: $vgpr0 (%4)
  %2 (vgpr_32, weight 0.004676, stage split): $vgpr0, as its copy would like
`;

const COSTS = `@spills  gfx900 wave64, LLVM 22.1.8
allocated: VGPR 2 (2 of 24), SGPR 4, 2 spilled (2 saves, 2 reloads, 1 rematerialized): occupancy 10

registers with other costs
  costs         VGPR  SGPR  spilled  saves  reloads  callee-saved  occupancy
  llc              2     4        2      2        2         0 + 0         10
  uniform          2     4        2      2        2         0 + 0         10
  index            2     4        2      2        2         0 + 0         10
  stripes          2     4        2      2        2         0 + 0         10
  callee-saved     2     4        2      2        2         0 + 0         10
`;

const SUMMARY = 'allocated: VGPR 2 (2 of 24), SGPR 4, 2 spilled (2 saves, 2 reloads, 1 rematerialized): occupancy 10';

const at = (line: number) => ({ textDocument: { uri: '' }, position: { line: line - 1, character: 0 } });
const CANCELLED = { isCancelled: () => true };

/** The document, with its first function allocated. */
function allocated(text = TEXT): Snapshot {
  const { snapshot } = openText(text, { commandLinks: false });
  snapshot.functions[0]!.allocate(NEVER_CANCELLED);
  return snapshot;
}

const answerOf = (text: string, line = 12): AllocatedText =>
  provideAllocatedText(openText(text).snapshot, at(line), NEVER_CANCELLED) as AllocatedText;

describe('an allocated function', () => {
  it('as text, with the comments of the source', () =>
    assert.deepEqual(answerOf(TEXT), {
      function: 'spills',
      target: 'gfx900 wave64, LLVM 22.1.8',
      text: ALLOCATED,
      summary: SUMMARY,
    }));

  it('keeps every comment, in order', () => {
    const comments = (text: string): string[] => text.match(/;.*$/gm) ?? [];
    assert.deepEqual(comments(ALLOCATED), [
      ...['; above all', '; the first value', '; after it', '; all of them', '; a copy'],
      ...['; the second block', '; at the end'],
    ]);
  });

  it('explained', () => {
    assert.equal(provideAllocationExplanation(openText(TEXT).snapshot, at(12), NEVER_CANCELLED), EXPLAINED);
    assert.equal(provideAllocationExplanation(openText(TEXT).snapshot, at(12), CANCELLED), null);
    assert.equal(
      provideAllocationExplanation(openText(TEXT).snapshot, at(40), NEVER_CANCELLED),
      'not allocated: it has PHIs, which go before registers are allocated\n',
    );
    assert.equal(provideAllocationExplanation(openText('').snapshot, at(1), NEVER_CANCELLED), 'no function here\n');
  });

  it('with other costs', () => {
    const of = (line: number, costs?: string, token = NEVER_CANCELLED): unknown =>
      provideCostComparison(openText(TEXT).snapshot, { ...at(line), costs }, token);
    assert.equal(of(12), COSTS);
    assert.equal(of(12, undefined, CANCELLED), null);
    assert.match(of(12, 'uniform') as string, /\n {2}uniform +2 +4 +2 +2 +2 +0 \+ 0 +10\n$/);
    assert.match(of(12, 'nonesuch') as string, /^register costs: .*nonesuch.*\n$/);
    assert.equal(of(40), 'not allocated: it has PHIs, which go before registers are allocated\n');
    assert.equal(provideCostComparison(openText('').snapshot, at(1), NEVER_CANCELLED), 'no function here\n');
  });

  it('why it is not', () => {
    assert.deepEqual(answerOf(TEXT, 40), {
      function: 'phi',
      target: 'gfx900 wave64, LLVM 22.1.8',
      text: null,
      summary: 'not allocated: it has PHIs, which go before registers are allocated',
    });
    assert.deepEqual(answerOf('', 1), {
      ...{ function: '', target: 'generic-hsa wave64, LLVM 22.1.8', text: null },
      summary: 'no function here',
    });
    assert.equal(
      answerOf('---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0, implicit %0\n...\n', 3).summary,
      "not allocated: Cannot determine class/bank of virtual register 0 in function 'f'",
    );
    assert.equal(provideAllocatedText(openText(TEXT).snapshot, at(12), CANCELLED), null);
  });

  it('beside its lines', () => {
    const snapshot = allocated();
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const ofAllocation = (within: typeof range) =>
      provideInlayHints(snapshot, { range: within }, NEVER_CANCELLED).filter(
        (h) => !/^[SVA]GPR \d/.test(h.label as string),
      );
    const hints = ofAllocation(range);
    assert.deepEqual(
      hints.map((h) => `${h.position.line + 1}:${h.position.character} ${h.label as string}`),
      ['16:36 save %0', '21:24 save %1', '27:37 reload %0; compute again %3', '30:24 reload %1'],
    );
    assert.ok(hints.every((h) => /^llc's register allocator inserts this here/.test(h.tooltip as string)));
    const part = { start: { line: 20, character: 0 }, end: { line: 26, character: 0 } };
    const some = ofAllocation(part);
    assert.deepEqual(
      some.map((h) => h.position.line),
      [20, 26],
    );
  });

  it('where each register is', () => {
    const snapshot = allocated();
    const view = snapshot.functions[0]!;
    const said = [0, 1, 2, 3, 4, 5].map(
      (v) =>
        allocatedPlaceLine(snapshot, view, v)
          ?.source.replaceAll(/\]\([^)]*\)/g, ']')
          .replaceAll('`', "'") ?? '',
    );
    assert.deepEqual(said, [
      "allocated: '$vgpr0' at [16], [27], '%stack.0' at [16] to [27] · saved at [16] · reloaded at [27]",
      "allocated: '$vgpr1' at [17] to [23], '%stack.1' at [23] to [30], '$vgpr0' at [30] · saved at [21] · reloaded at [30]",
      "allocated: '$vgpr0'",
      "allocated: '$vgpr1'",
      "allocated: '$vgpr0'",
      '',
    ]);
    // Nothing is computed for it.
    const fresh = openText(TEXT).snapshot;
    assert.equal(allocatedPlaceLine(fresh, fresh.functions[0]!, 0), null);
  });
});

describe('a table of costs', () => {
  const row = (costs: string, own: object = {}, counts: object = {}): CostRow =>
    ({
      costs,
      allocated: {
        errors: [],
        parts: [
          { reg: 0, vreg: 1 },
          { reg: 0, vreg: 1 },
          { reg: 5, vreg: 2 },
          { reg: 0, vreg: 3 },
        ],
        use: {
          ...{ framedVGPR: 1, agpr: 0, framedSGPR: 30, savedVGPRs: [], savedSGPRs: [], occupancy: 8 },
          ...own,
        },
        counts: { saves: 0, reloads: 0, ...counts },
      },
    }) as unknown as CostRow;

  it('has columns as wide as they need, AGPRs where there are some', () => {
    assert.equal(
      costsText([
        row('llc'),
        row('callee-saved', { framedVGPR: 128, savedVGPRs: [1, 2], savedSGPRs: [3] }, { saves: 12345678 }),
      ]),
      'costs         VGPR  SGPR  spilled     saves  reloads  callee-saved  occupancy\n' +
        'llc              1    30        2         0        0         0 + 0          8\n' +
        'callee-saved   128    30        2  12345678        0         2 + 1          8\n',
    );
    assert.equal(
      costsText([row('llc', { agpr: 4 }), { costs: 'a long name', allocated: 'no\nway' }]),
      'costs        VGPR  AGPR  SGPR  spilled  saves  reloads  callee-saved  occupancy\n' +
        'llc             1     4    30        2      0        0         0 + 0          8\n' +
        'a long name  not allocated: no␊way\n',
    );
  });

  it('is three lines for each table where the columns would not fit', () => {
    const rows = [
      row('llc', { agpr: 4, savedVGPRs: [1] }, { saves: 3, reloads: 5 }),
      { costs: 'own', allocated: 'no' },
    ];
    const table = costsText(rows);
    const width = table.indexOf('\n');
    assert.equal(costsText(rows, width), table);
    assert.equal(
      costsText(rows, width - 1),
      'llc: occupancy 8\n  VGPR 1, AGPR 4, SGPR 30, callee-saved 1 + 0\n  spilled 2, saves 3, reloads 5\nown: not allocated: no\n',
    );
  });

  it('says which could not be allocated', () => {
    const failed = { costs: 'x', allocated: { errors: ['ran out of registers', 'more'] } } as unknown as CostRow;
    assert.equal(
      costsText([failed]),
      'costs  VGPR  SGPR  spilled  saves  reloads  callee-saved  occupancy\nx      not allocated: ran out of registers\n',
    );
  });
});
