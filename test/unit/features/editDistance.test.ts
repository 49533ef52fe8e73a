/** Distances of words against the definition, written down as it is read. */
import assert from 'node:assert/strict';
import { editDistance } from '../../../server/src/features/words/editDistance.js';
import { randomSource } from '../../support/random.js';

/** Optimal string alignment: the fewest inserted, deleted, replaced characters and swapped neighbours. */
function distance(a: string, b: string): number {
  const memo = new Map<string, number>();
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    let d = memo.get(key);
    if (d !== undefined) return d;
    d = Math.min(of(i - 1, j) + 1, of(i, j - 1) + 1, of(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
    if (1 < i && 1 < j && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, of(i - 2, j - 2) + 1);
    memo.set(key, d);
    return d;
  };
  return of(a.length, b.length);
}

describe('distance of words', () => {
  const CASES: readonly (readonly [a: string, b: string, distance: number])[] = [
    ['', '', 0],
    ['', 'ab', 2],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'ab', 1],
    ['abc', 'xabc', 1],
    ['abc', 'acb', 1],
    ['abcd', 'badc', 2],
    ['ca', 'abc', 3],
    ['abcdef', 'bcdefg', 2],
    ['machine-schedule', 'machine-scheduler', 1],
    // Words that differ in case only.
    ['ABC', 'abc', 1],
    ['S_NOP', 's_nop', 1],
    ['ABC', 'abd', 3],
  ];
  for (const [a, b, d] of CASES)
    it(`${a} and ${b}: ${d}`, () => {
      for (const most of [0, 1, 2, 3, 9]) {
        assert.equal(editDistance(a, b, most), Math.min(d, most + 1), `at most ${most}`);
        assert.equal(editDistance(b, a, most), Math.min(d, most + 1), `at most ${most}, the other way`);
      }
    });

  it('of random words, up to each bound', () => {
    const random = randomSource(7);
    const word = (): string => Array.from({ length: random(9) }, () => 'abc'[random(3)]!).join('');
    for (let k = 0; k < 4000; k++) {
      const [a, b, most] = [word(), word(), random(6)];
      assert.equal(editDistance(a, b, most), Math.min(distance(a, b), most + 1), `${a} ${b} ${most}`);
    }
  });
});
