/** What moves between the units, and what that does, in words. */
import assert from 'node:assert/strict';
import { movedNames, scalarizeEffectText } from '../../../../server/src/features/scalarize/scalarizeText.js';
import type { MachineFunction } from '../../../../server/src/model/machineFunction.js';
import type { ScalarizeEffect } from '../../../../server/src/passes/scalarize/scalarize.js';
import { atCursor } from '../../../support/cursor.js';

const fn: MachineFunction = atCursor(
  `$0# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.10:\n    S_NOP 0, implicit-def %0:vgpr_32, implicit-def %a:vgpr_32\n    S_NOP 0, implicit-def %7:vgpr_32, implicit-def %b:vgpr_32, implicit-def %c:vgpr_32\n\n  bb.20:\n\n  bb.30:\n\n  bb.40:\n    S_ENDPGM 0\n...\n`,
).snapshot.functions[0]!.fn!;

const effect = (
  vgprByBlock: readonly (readonly [number, number])[],
  sgprPeaks: readonly [number, number] = [5, 5],
  waves: readonly [number, number] = [8, 8],
): ScalarizeEffect =>
  ({ vgprByBlock, sgprPeaks, occupancyBefore: waves[0], occupancyAfter: waves[1] }) as unknown as ScalarizeEffect;

describe('registers that move', () => {
  it('four by name', () => {
    const v = (...names: string[]): number[] =>
      names.map((name) =>
        Array.from({ length: fn.vregs.n }, (_, k) => k).find(
          (k) => (fn.vregs.name[k] ?? String(fn.vregs.sourceNumber[k])) === name,
        )!,
      );
    assert.equal(movedNames(fn, []), '');
    assert.equal(movedNames(fn, v('7')), '%7');
    assert.equal(movedNames(fn, v('0', 'a', '7', 'b')), '%0, %a, %7, %b');
    assert.equal(movedNames(fn, v('0', 'a', '7', 'b', 'c')), '%0, %a, %7, %b and 1 more');
  });

  const TEXTS: readonly (readonly [ScalarizeEffect, string])[] = [
    [effect([]), 'occupancy stays 8'],
    [effect([[0, -1]]), 'VGPR -1 in bb.10, occupancy stays 8'],
    [effect([[1, 2]]), 'VGPR +2 in bb.20, occupancy stays 8'],
    [
      effect([
        [0, -1],
        [2, -1],
      ]),
      'VGPR -1 in bb.10, bb.30, occupancy stays 8',
    ],
    [
      effect([
        [0, -1],
        [2, -3],
        [3, -2],
      ]),
      'VGPR -1 to -3 in bb.10, bb.30, bb.40, occupancy stays 8',
    ],
    [
      effect([
        [0, -1],
        [1, -1],
        [2, 1],
        [3, -2],
      ]),
      'VGPR +1 to -2 in 4 blocks, occupancy stays 8',
    ],
    [effect([], [5, 6]), 'SGPR +1, occupancy stays 8'],
    [effect([[0, -1]], [7, 5], [7, 8]), 'VGPR -1 in bb.10, SGPR -2, occupancy 7 to 8'],
    [effect([], [5, 5], [8, 7]), 'occupancy 8 to 7'],
  ];
  for (const [given, text] of TEXTS) it(text, () => assert.equal(scalarizeEffectText(fn, given), text));
});
