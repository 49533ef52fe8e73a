/** What an allocated function uses, in words. */
import assert from 'node:assert/strict';
import type { AllocatedUse } from '../../../../server/src/analysis/allocatedUse.js';
import type { FunctionLimits } from '../../../../server/src/analysis/functionLimits.js';
import { filesText, occupancyText, useText } from '../../../../server/src/features/words/allocatedUseText.js';

/** So many registers are there for a number of waves. */
const limits = {
  dynamicVGPRBlockSize: 0,
  subtarget: { maxNumVGPRs: (waves: number) => Math.floor(512 / waves) },
} as unknown as FunctionLimits;

const use = (own: Partial<AllocatedUse>): AllocatedUse => ({
  ...({
    vgpr: 0,
    agpr: 0,
    framedVGPR: 0,
    totalVGPR: 0,
    framedSGPR: 0,
    scratchBytes: 0,
    isScratchOpen: false,
  } as AllocatedUse),
  occupancy: 8,
  ...own,
});

const FILES: readonly (readonly [own: Partial<AllocatedUse>, text: string])[] = [
  [{}, 'no registers'],
  [{ framedSGPR: 1 }, 'SGPR 1'],
  [{ vgpr: 1, framedVGPR: 2, totalVGPR: 3 }, 'VGPR 2 (3 of 64)'],
  [{ vgpr: 1, framedVGPR: 2, totalVGPR: 3, framedSGPR: 30 }, 'VGPR 2 (3 of 64), SGPR 30'],
  [{ agpr: 1, framedVGPR: 0, totalVGPR: 5 }, 'VGPR 0, AGPR 1 (5 of 64)'],
  [{ vgpr: 9, agpr: 4, framedVGPR: 9, totalVGPR: 16, occupancy: 4 }, 'VGPR 9, AGPR 4 (16 of 128)'],
  [{ vgpr: 9, framedVGPR: 9, totalVGPR: 9, occupancy: 1 }, 'VGPR 9 (9 of 512)'],
  [{ vgpr: 9, framedVGPR: 9, totalVGPR: 9, occupancy: 0 }, 'VGPR 9 (9 of 512)'],
];

describe('what an allocated function uses', () => {
  for (const [own, text] of FILES) it(text, () => assert.equal(filesText(limits, use(own)), text));

  it('is said beside what was expected, where that is something else', () => {
    assert.equal(occupancyText(use({}), null), 'occupancy 8');
    assert.equal(occupancyText(use({}), { waves: 8, by: 'scheduler' }), 'occupancy 8');
    assert.equal(occupancyText(use({}), { waves: 9, by: 'header' }), 'occupancy 8, machineFunctionInfo says 9');
    assert.equal(occupancyText(use({}), { waves: 9, by: 'scheduler' }), 'occupancy 8, the scheduler expected 9');
    assert.equal(occupancyText(use({}), { waves: 7, by: 'pressure' }), 'occupancy 8, its pressure would allow 7');
  });

  it('has scratch where there is some', () => {
    assert.equal(useText(limits, use({ framedSGPR: 3 })), 'SGPR 3: occupancy 8');
    assert.equal(useText(limits, use({ scratchBytes: 1 })), 'no registers, scratch 1 bytes: occupancy 8');
    assert.equal(
      useText(limits, use({ scratchBytes: 16, isScratchOpen: true })),
      'no registers, scratch at least 16 bytes: occupancy 8',
    );
    assert.equal(useText(limits, use({ isScratchOpen: true })), 'no registers: occupancy 8');
  });
});
