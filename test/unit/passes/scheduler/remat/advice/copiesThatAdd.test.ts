/** Advice on rematerialization: which copies free nothing, and which add to the pressure, against what the model says of every place. */
import assert from 'node:assert/strict';
import type {
  RematCandidate,
  UseGroup,
} from '../../../../../../server/src/passes/scheduler/remat/advice/candidates.js';
import type { RematAnalysis } from '../../../../../../server/src/passes/scheduler/remat/advice/analysis.js';
import type { RematDelta } from '../../../../../../server/src/passes/scheduler/remat/advice/pressureModel.js';
import { functionOf, mixedFunctionOf, openFunction } from '../../../../../support/rematFunctions.js';

/** More than any of the functions has. */
const PLACES = 2000;

/** Registers that become free before and after each place. */
function freed(delta: RematDelta): number[] {
  const res = new Array<number>(2 * PLACES).fill(0);
  [delta.before, delta.after].forEach((runs, side) => {
    for (const { from, to, registers } of runs) for (let p = from; p <= to; p++) res[2 * p + side]! += registers;
  });
  return res;
}

const subsets = <T>(of: readonly T[]): T[][] =>
  Array.from({ length: 1 << of.length }, (_, mask) => of.filter((_t, k) => ((mask >> k) & 1) !== 0));

interface Copy {
  readonly candidate: RematCandidate;
  readonly group: UseGroup;
  readonly kept: readonly UseGroup[];
  /** Registers more that become free with the copy, by place. */
  readonly gains: readonly number[];
  /** The copy defines more than the group reads. */
  readonly hasDeadPart: boolean;
}

/** Each group of each candidate, with each choice of others that move, too. */
function copiesOf({ candidates, model }: RematAnalysis): Copy[] {
  return candidates.candidates
    .filter(({ groups }) => groups.length <= 4)
    .flatMap((candidate) =>
      candidate.groups.flatMap((group) => {
        const others = candidate.groups.filter((g) => g !== group);
        return subsets(others).map((moved) => {
          const without = freed(model.deltaOf(candidate, moved));
          const delta = model.deltaOf(candidate, [...moved, group]);
          return {
            candidate,
            group,
            kept: [...candidate.kept, ...others.filter((g) => !moved.includes(g))],
            gains: freed(delta).map((n, p) => n - without[p]!),
            hasDeadPart: delta.copies.at(-1)!.dead > 0,
          };
        });
      }),
    );
}

describe('copies that free nothing, or add to the pressure', () => {
  for (const [name, textOf] of Object.entries({
    'constants in a loop and around it': (seed: number) => functionOf(seed, 8, seed % 3, seed > 25),
    'registers and users of all kinds': mixedFunctionOf,
  }))
    for (let seed = 1; seed <= 24; seed++)
      it(`${name}, seed ${seed}`, () => {
        const remat = openFunction(textOf(seed)).view.remat!;
        const copies = copiesOf(remat);
        assert.ok(copies.length > 0);
        for (const { candidate, group, kept, gains, hasDeadPart } of copies) {
          const where = `%${candidate.vreg}, ${kept.length} kept: ${gains.join()}`;
          const adds = hasDeadPart || gains.some((n) => n < 0);
          assert.equal(remat.model.adds(candidate, group, kept), adds, where);
          // Where no user is left the definition goes, which frees something.
          if (kept.length === 0) continue;
          assert.equal(remat.model.isDominated(candidate, group, kept), gains.every((n) => n <= 0), where); // prettier-ignore
        }
      });
});
