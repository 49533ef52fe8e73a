/** What rematerializations do to pressure and occupancy, in words. */
import assert from 'node:assert/strict';
import { effectText } from '../../../../server/src/features/remat/rematEffect.js';
import type { RematEffect } from '../../../../server/src/passes/scheduler/remat/advice/effect.js';

/** Regions as `[SGPRs, VGPRs, AGPRs]` before and after. */
const effect = (
  waves: readonly [number, number],
  ...regions: readonly (readonly [before: number[], after: number[]])[]
): RematEffect => ({
  occupancyBefore: waves[0],
  occupancyAfter: waves[1],
  before: [0, 0, 0],
  after: [0, 0, 0],
  regions: regions.map(([before, after], region) => ({ region, before, after })),
});

const TEXTS: readonly (readonly [RematEffect, string])[] = [
  [effect([8, 8]), 'no region changes its live peak, occupancy stays 8'],
  [effect([7, 8]), 'no region changes its live peak, occupancy 7 to 8'],
  [effect([8, 7]), 'no region changes its live peak, occupancy 8 to 7'],
  [
    effect(
      [8, 8],
      [
        [9, 9, 9],
        [9, 9, 9],
      ],
    ),
    'no region changes its live peak, occupancy stays 8',
  ],
  [
    effect(
      [8, 8],
      [
        [1, 5, 0],
        [1, 4, 0],
      ],
    ),
    'VGPR -1 in 1 region, occupancy stays 8',
  ],
  [
    effect(
      [8, 8],
      [
        [1, 5, 0],
        [1, 7, 0],
      ],
    ),
    'VGPR +2 in 1 region, occupancy stays 8',
  ],
  [
    effect(
      [8, 8],
      [
        [5, 1, 0],
        [4, 1, 0],
      ],
    ),
    'SGPR -1 in 1 region, occupancy stays 8',
  ],
  [
    effect(
      [8, 8],
      [
        [0, 0, 3],
        [0, 0, 0],
      ],
    ),
    'AGPR -3 in 1 region, occupancy stays 8',
  ],
  [
    effect(
      [8, 8],
      [
        [0, 5, 0],
        [0, 4, 0],
      ],
      [
        [0, 6, 0],
        [0, 5, 0],
      ],
    ),
    'VGPR -1 in 2 regions, occupancy stays 8',
  ],
  [
    effect(
      [8, 8],
      [
        [0, 5, 0],
        [0, 4, 0],
      ],
      [
        [0, 6, 0],
        [0, 2, 0],
      ],
    ),
    'VGPR -1 to -4 in 2 regions, occupancy stays 8',
  ],
  [
    effect(
      [8, 8],
      [
        [0, 4, 0],
        [0, 5, 0],
      ],
      [
        [0, 2, 0],
        [0, 5, 0],
      ],
    ),
    'VGPR +1 to +3 in 2 regions, occupancy stays 8',
  ],
  [
    effect(
      [5, 6],
      [
        [1, 5, 2],
        [2, 4, 1],
      ],
      [
        [1, 5, 2],
        [1, 6, 2],
      ],
      [
        [3, 3, 3],
        [1, 3, 0],
      ],
    ),
    'VGPR -1 in 1 region, VGPR +1 in 1 region, AGPR -1 to -3 in 2 regions, SGPR -2 in 1 region, SGPR +1 in 1 region, occupancy 5 to 6',
  ],
];

describe('what rematerialization does, in words', () => {
  for (const [given, text] of TEXTS) it(text, () => assert.equal(effectText(given), text));
});
