/**
 * The unstable sort of regions. A sort is checked against its definition; what it does with ties is checked where libstdc++'s
 * std::sort is known: up to 16 elements it is an insertion sort, which is stable.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { introsort } from '../../../../../server/src/passes/scheduler/iterative/introsort.js';

interface Item {
  readonly key: number;
  readonly id: number;
}

const items = (maxLength: number): fc.Arbitrary<Item[]> =>
  fc.array(fc.nat(6), { maxLength }).map((keys) => keys.map((key, id) => ({ key, id })));
const before = (x: Item, y: Item): boolean => x.key < y.key;

describe('introsort', () => {
  it('sorts and loses nothing', () => {
    fc.assert(
      fc.property(items(200), (input) => {
        const a = [...input];
        introsort(a, before);
        for (let k = 1; k < a.length; k++) assert.ok(a[k - 1].key <= a[k].key);
        assert.deepEqual(
          a.map((x) => x.id).sort((x, y) => x - y),
          input.map((x) => x.id),
        );
      }),
    );
  });

  it('keeps ties of up to 16 elements in place', () => {
    fc.assert(
      fc.property(items(16), (input) => {
        const a = [...input];
        introsort(a, before);
        assert.deepEqual(
          a,
          [...input].sort((x, y) => x.key - y.key || x.id - y.id),
        );
      }),
    );
  });
});
