/** Names, places and reasons of rematerialization, each. */
import assert from 'node:assert/strict';
import {
  groupReason,
  obstacleReason,
  placesText,
  reasonWhy,
} from '../../../../server/src/features/words/rematWords.js';
import type {
  GroupObstacle,
  RegisterObstacle,
  UseGroup,
} from '../../../../server/src/passes/scheduler/remat/advice/candidates.js';
import { atCursor } from '../../../support/cursor.js';
import { namesText } from '../../../../server/src/features/words/registerNames.js';

const fn = atCursor(
  `$0# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.5:\n    S_NOP 0, implicit-def %0:vgpr_32, implicit-def %a:vgpr_32, implicit-def %7:vgpr_32\n    S_NOP 0, implicit-def %b:vgpr_32, implicit-def %c:vgpr_32\n\n  bb.6:\n\n  bb.8:\n\n  bb.9:\n    S_ENDPGM 0\n...\n`,
).snapshot.functions[0]!.fn!;
const registers = Array.from({ length: fn.vregs.n }, (_, k) => k);

const group = (block: number, before = 0, obstacle: GroupObstacle | null = null): UseGroup =>
  ({ region: 0, block, before, users: [before], obstacle }) as UseGroup;

describe('words of rematerialization', () => {
  it('names', () => {
    const names = registers.map((v) => namesText(fn, [v]));
    assert.deepEqual([...names].sort(), ['%0', '%7', '%a', '%b', '%c']);
    assert.equal(namesText(fn, []), '');
    assert.equal(namesText(fn, registers.slice(0, 4)), names.slice(0, 4).join(', '));
    assert.equal(namesText(fn, registers), `${names.slice(0, 4).join(', ')} and 1 more`);
  });

  it('places', () => {
    const of = (...blocks: number[]): string =>
      placesText(
        fn,
        blocks.map((b) => group(b)),
      );
    assert.equal(of(0), 'bb.5');
    assert.equal(of(0, 2), 'bb.5, bb.8');
    assert.equal(of(0, 1, 2), 'bb.5, bb.6, bb.8');
    assert.equal(of(1, 1), '2 places in bb.6');
    assert.equal(of(1, 1, 2), '3 places in bb.6, bb.8');
    assert.equal(of(0, 1, 2, 3), '4 places in 4 blocks');
    assert.equal(of(0, 1, 2, 3, 3), '5 places in 4 blocks');
  });

  it('why it is legal', () => {
    const [first, second] = registers.map((v) => namesText(fn, [v]));
    assert.equal(reasonWhy(fn, new Set()), 'reads no virtual register');
    assert.equal(reasonWhy(fn, new Set([0])), `${first!} is live there with the same value`);
    assert.equal(reasonWhy(fn, new Set([0, 1])), `${first!}, ${second!} are live there with the same values`);
  });

  it('why a place is none', () => {
    const of = (obstacle: GroupObstacle | null): string => groupReason(fn, group(0, 1, obstacle));
    assert.equal(of(null), 'a copy may stand at bb.5:1');
    assert.equal(
      of({ kind: 'operand not available', operand: 0 } as GroupObstacle),
      `operand ${namesText(fn, [0])} is not available at bb.5:1`,
    );
    assert.equal(of({ kind: 'used by a PHI' } as GroupObstacle), 'the user at bb.5:1 is a PHI');
    assert.equal(of({ kind: 'after a terminator' } as GroupObstacle), 'the user at bb.5:1 stands after a terminator');
    assert.equal(of({ kind: 'same region' } as GroupObstacle), 'the user at bb.5:1 is in the region of the definition');
  });

  const REASONS: Readonly<Record<RegisterObstacle, string>> = {
    'not rematerializable': 'the instruction cannot be rematerialized',
    'implicit definition': 'the opcode writes a register implicitly',
    'extra implicit operands': 'the instruction has implicit operands beyond those of its opcode',
    'may raise FP exceptions': 'the instruction may raise FP exceptions (no nofpexcept)',
    'reads a physical register': 'it reads a physical register that is not constant',
    'several definitions': 'it has several definitions',
    'no definition': 'it has no definition',
    'never used': 'it is never used',
    'inside a bundle': 'it is defined in a bundle',
    'in no region': 'it is defined in no scheduling region',
    'used in its own region only': 'it is used only in the region of its definition',
    'no legal place': 'there is no legal place for a copy',
  };
  it('why a register cannot be computed again', () => {
    for (const [obstacle, reason] of Object.entries(REASONS)) {
      const verdict = { candidate: null, obstacle: obstacle as RegisterObstacle, groups: [] } as const;
      assert.equal(obstacleReason(fn, verdict, -1), reason);
      const named = obstacle === 'not rematerializable' ? 'S_NOP cannot be rematerialized' : reason;
      assert.equal(obstacleReason(fn, verdict, 0), named);
    }
    // Of the places, the first that is in another region.
    const same = group(0, 1, { kind: 'same region' } as GroupObstacle);
    const phi = group(0, 0, { kind: 'used by a PHI' } as GroupObstacle);
    const of = (obstacle: RegisterObstacle, groups: readonly UseGroup[]): string =>
      obstacleReason(fn, { candidate: null, obstacle, groups }, 0);
    assert.equal(of('no legal place', [same, phi]), 'the user at bb.5:0 is a PHI');
    assert.equal(of('no legal place', [same]), 'there is no legal place for a copy');
    assert.equal(of('never used', [phi]), 'it is never used');
  });
});
