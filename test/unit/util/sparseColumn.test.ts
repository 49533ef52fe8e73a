/** SparseColumn: answers as a whole column does, and keeps what others of its kind share untouched. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SparseColumn } from '../../../server/src/util/sparseColumn.js';

const SIZE = 1000;

describe('SparseColumn', () => {
  it('has what was set last at each index, and elsewhere nothing', () => {
    const entries = fc.array(fc.tuple(fc.nat(SIZE - 1), fc.integer({ min: -2, max: 5 })), { maxLength: 40 });
    fc.assert(
      fc.property(entries, fc.constantFrom(0 as const, -1 as const), (list, none) => {
        const column = new SparseColumn(SIZE, none);
        const expected = new Array<number>(SIZE).fill(none);
        for (const [k, value] of list) {
          column.set(k, value);
          expected[k] = value;
        }
        const untouched = new SparseColumn(SIZE, none);
        for (let k = 0; k < SIZE; k++) {
          assert.equal(column.get(k), expected[k]);
          assert.equal(untouched.get(k), none);
        }
      }),
    );
  });
});
