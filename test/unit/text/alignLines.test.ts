/** Lines that two texts have in common: a common subsequence, no shorter than it may be. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { longestIncreasing, matchLines } from '../../../server/src/text/alignLines.js';

/** Length of a longest common subsequence, by the table. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (let k = 0; k < b.length; k++) next.push(line === b[k] ? row[k]! + 1 : Math.max(next[k]!, row[k + 1]!));
    row = next;
  }
  return row[b.length]!;
}

describe('alignLines', () => {
  it('finds a longest increasing sequence', () => {
    assert.deepEqual(longestIncreasing([]), []);
    const list = [3, 0, 4, 1, 2];
    assert.deepEqual(
      longestIncreasing(list).map((k) => list[k]),
      [0, 1, 2],
    );
  });

  it('matches as many lines as there are in common, equal ones, in the order of both', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const places = [...matchLines(a, b)];
        const matched = places.flatMap((at, l) => (at < 0 ? [] : [[at, l] as const]));
        for (const [at, l] of matched) assert.equal(a[at], b[l]);
        for (let k = 1; k < matched.length; k++) assert.ok(matched[k]![0] > matched[k - 1]![0]);
        assert.equal(matched.length, longestCommon(a, b));
      }),
    );
  });

  it('goes by lines that both have once where the edits are too many', () => {
    const own = (from: number): string[] => [...Array(1500).keys()].map((k) => `${from + k}`);
    const a = [...own(0), 'one', ...own(10_000), 'two', 'three'];
    const b = [...own(20_000), 'one', ...own(30_000), 'three', 'two'];
    const partner = matchLines(a, b);
    assert.equal(partner[1500], 1500);
    assert.equal([...partner].filter((k) => k >= 0).length, 2);
  });
});
