/** Whole profiles of small functions: numbers of amdgpu-print-rp, limits of the processor, blocks, scheduling regions, registers once they are allocated. */
import assert from 'node:assert/strict';
import { providePressureProfile } from '../../../../server/src/features/pressure/pressureProfile.js';
import { openText } from '../../../support/cursor.js';
import { FUNCTIONS_OF_ALL_KINDS } from '../../../support/exampleTexts.js';
import { expect, type Expectation } from '../../../support/expect.js';
import { shown } from '../../../support/shown.js';

/** By lines. */
const PROFILES: readonly { readonly at: readonly number[]; readonly profile: Expectation }[] = [
  {
    at: [10, 1],
    profile: expect`
      {
        function: 'f', version: 1, target: 'gfx90a wave64', llvm: '22.1.8', targets: [ 'gfx90a' ], activeTarget: 0,
        problem: '', lines: [ 9, 10, 11, 12, 13, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 32, 36 ],
        series: [
          {
            name: 'VGPR + AGPR', values: [ 1, 2, 3, 3, 8, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 8, 8, 12, 12 ], peak: 5,
            limits: [
              { waves: 1, registers: 512 }, { waves: 2, registers: 256 }, { waves: 3, registers: 168 },
              { waves: 4, registers: 128 }, { waves: 5, registers: 96 }, { waves: 6, registers: 80 },
              { waves: 7, registers: 72 }, { waves: 8, registers: 64 },
            ],
          },
          { name: 'VGPR', values: [ 1, 2, 3, 3, 3, 5, 5, 6, 7, 7, 6, 6, 5, 5, 5, 4, 4, 5, 5 ], peak: 8, limits: [] },
          {
            name: 'SGPR', values: [ 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0 ], peak: 3,
            limits: [ { waves: 7, registers: 102 }, { waves: 8, registers: 100 } ],
          },
          { name: 'AGPR', values: [ 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 ], peak: 4, limits: [] },
        ],
        allocated: [
          {
            name: 'VGPR', used: [ 1, 2, 3, 3, 3, 5, 5, 6, 7, 8, 6, 6, 5, 5, 5, 5, 4, 5, 5 ],
            reach: [ 1, 2, 3, 3, 3, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 4, 5, 5 ],
            widestGap: [ 0, 0, 0, 0, 0, 5, 5, 3, 1, 1, 4, 4, 5, 5, 5, 5, 0, 0, 0 ], widestTuple: 2,
            text: 'VGPR: 10 reached for 5 in use; most holes 5 in 1 gap, the widest 5',
          },
          {
            name: 'SGPR', used: [ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0 ],
            reach: [ 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0, 0 ],
            widestGap: [ 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0 ], widestTuple: 1,
            text: 'SGPR: 5 reached for 1 in use; most holes 4 in 1 gap, the widest 4',
          },
          {
            name: 'AGPR', used: [ 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 ],
            reach: [ 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 ],
            widestGap: [ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ], widestTuple: 4,
            text: 'AGPR: 4 reached for 4 in use, no holes',
          },
        ],
        allocatedNote: '',
        moments: [
          {
            name: 'as written', lines: [ 9, 10, 11, 12, 13, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 32, 36 ],
            values: [ 1, 2, 3, 3, 8, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 8, 8, 12, 12 ], peak: 5,
            blocks: [
              { name: 'bb.0', from: 0, to: 5, loopDepth: 0 }, { name: 'bb.1', from: 5, to: 17, loopDepth: 1 },
              { name: 'bb.2', from: 17, to: 19, loopDepth: 0 },
            ],
            most: '12 at line 19, bb.1:0, in a loop', held: 'passing through 7, in use 2',
          },
          {
            name: 'scheduled', lines: [ 9, 12, 10, 11, 13, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 27, 29, 32, 36 ],
            values: [ 1, 1, 2, 3, 8, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 8, 12, 12 ], peak: 5,
            blocks: [
              { name: 'bb.0', from: 0, to: 5, loopDepth: 0 }, { name: 'bb.1', from: 5, to: 17, loopDepth: 1 },
              { name: 'bb.2', from: 17, to: 19, loopDepth: 0 },
            ],
            most: '12 at line 19, bb.1:0, in a loop', held: 'passing through 7, in use 2',
          },
          {
            name: 'as llc ends', lines: [ 10, 11, 13, 18, 19, 20, 21, 22, 23, 24, 25, 26, 28, 27, 29, 32, 36 ],
            values: [ 4, 4, 8, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 8, 12, 12 ], peak: 3,
            blocks: [
              { name: 'bb.0', from: 0, to: 3, loopDepth: 0 }, { name: 'bb.1', from: 3, to: 15, loopDepth: 1 },
              { name: 'bb.2', from: 15, to: 17, loopDepth: 0 },
            ],
            most: '12 at line 19, bb.1:0, in a loop', held: '',
          },
        ],
        blocks: [
          { name: 'bb.0', from: 0, to: 5, line: 5 }, { name: 'bb.1', from: 5, to: 17, line: 15 },
          { name: 'bb.2', from: 17, to: 19, line: 31 },
        ],
        regions: [
          { region: 0, from: 0, to: 5 }, { region: 3, from: 5, to: 6 }, { region: 2, from: 7, to: 12 },
          { region: 1, from: 13, to: 16 }, { region: 4, from: 17, to: 18 },
        ],
        headline: 'occupancy 8 of 8; live peak VGPR 7 at bb.1:3 (line 22)',
        text:
        | f, gfx90a wave64, LLVM 22.1.8: occupancy 8 of 8; live peak VGPR 7 at bb.1:3 (line 22)
        |   block  line  instructions  VGPR + AGPR  VGPR  SGPR  AGPR
        |   bb.0   6     5             8            3     1     4
        |   bb.1   16    12            12           7     1     4
        |   bb.2   32    2             12           5     0     4
        |   allocated: VGPR: 10 reached for 5 in use; most holes 5 in 1 gap, the widest 5
        |   allocated: SGPR: 5 reached for 1 in use; most holes 4 in 1 gap, the widest 4
        |   allocated: AGPR: 4 reached for 4 in use, no holes
        |   VGPR + AGPR as written: 12 at line 19, bb.1:0, in a loop; passing through 7, in use 2
        |   VGPR + AGPR scheduled: 12 at line 19, bb.1:0, in a loop; passing through 7, in use 2
        |   VGPR + AGPR as llc ends: 12 at line 19, bb.1:0, in a loop
        |
      }
    `,
  },
  {
    at: [42],
    profile: expect`
      {
        function: 'empty', version: 1, target: 'gfx90a wave64', llvm: '22.1.8', targets: [ 'gfx90a' ], activeTarget: 0,
        problem: 'no registers', lines: [], series: [], allocated: [], allocatedNote: '', moments: [], blocks: [],
        regions: [], headline: '',
        text:
        | no registers
        |
      }
    `,
  },
  {
    at: [50],
    profile: expect`
      {
        function: 'allocated', version: 1, target: 'gfx90a wave64', llvm: '22.1.8', targets: [ 'gfx90a' ], activeTarget: 0,
        problem: 'allocated: VGPR 1 (1 of 64): occupancy 8', lines: [], series: [], allocated: [], allocatedNote: '',
        moments: [], blocks: [], regions: [], headline: '',
        text:
        | allocated: VGPR 1 (1 of 64): occupancy 8
        |
      }
    `,
  },
  {
    at: [58],
    profile: expect`
      {
        function: 'generic', version: 1, target: 'gfx90a wave64', llvm: '22.1.8', targets: [ 'gfx90a' ], activeTarget: 0,
        problem: 'generic registers: banks sgpr 3 x 32 bit (estimate, banks by divergence)', lines: [], series: [],
        allocated: [], allocatedNote: '', moments: [], blocks: [], regions: [], headline: '',
        text:
        | generic registers: banks sgpr 3 x 32 bit (estimate, banks by divergence)
        |
      }
    `,
  },
  {
    at: [68],
    profile: expect`
      {
        function: 'broken', version: 1, target: 'gfx90a wave64', llvm: '22.1.8', targets: [ 'gfx90a' ], activeTarget: 0,
        problem: "llc rejects line 68: Cannot determine class/bank of virtual register 0 in function 'broken'", lines: [],
        series: [], allocated: [], allocatedNote: '', moments: [], blocks: [], regions: [], headline: '',
        text:
        | llc rejects line 68: Cannot determine class/bank of virtual register 0 in function 'broken'
        |
      }
    `,
  },
  {
    at: [71],
    profile: expect`
      {
        function: 'bodyless', version: 1, target: 'gfx90a wave64', llvm: '22.1.8', targets: [ 'gfx90a' ], activeTarget: 0,
        problem: 'no code', lines: [], series: [], allocated: [], allocatedNote: '', moments: [], blocks: [], regions: [],
        headline: '',
        text:
        | no code
        |
      }
    `,
  },
];

describe('profile of a function', () => {
  for (const { at, profile } of PROFILES)
    it(`at line ${at.join(', ')}`, () => {
      const { snapshot } = openText(FUNCTIONS_OF_ALL_KINDS);
      for (const line of at)
        profile.equals(shown(providePressureProfile(snapshot, { position: { line: line - 1, character: 8 } })));
    });

  it('none where no function is', () => {
    assert.equal(providePressureProfile(openText('').snapshot, { position: { line: 0, character: 0 } }), null);
  });

  it('has no registers where allocating them is cancelled', () => {
    const { snapshot } = openText(FUNCTIONS_OF_ALL_KINDS);
    const found = providePressureProfile(
      snapshot,
      { position: { line: 9, character: 0 } },
      { isCancelled: () => true },
    )!;
    assert.deepEqual([found.allocated, found.allocatedNote, found.series.length], [[], '', 4]);
    assert.doesNotMatch(found.text, /allocated/);
  });
});
