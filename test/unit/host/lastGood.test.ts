/** Places of the last good version of a function in a text that has changed: every character is followed by hand. */
import assert from 'node:assert/strict';
import type { PressureSummary } from '../../../server/src/analysis/summary.js';
import { LastGood } from '../../../server/src/host/lastGood.js';

const summary = {} as PressureSummary;
const OLD = 'one two three four';

/** The mapping from `OLD` to `now`, both with other text around them. */
function find(now: string) {
  const good = new LastGood();
  good.keep('f', () => summary, `##${OLD}$$`, 2, OLD.length);
  const stale = good.find('f', `#####${now}$`, 5, now.length);
  assert.ok(stale);
  assert.equal(stale.summary, summary);
  return stale;
}

describe('the last good numbers of a function', () => {
  const texts = ['one two three four', 'one tw three four', 'one two x three four', '', 'x', 'one two three fou', 'ne two three four', 'one two two three four', 'one four', 'four', 'one two three four five']; // prettier-ignore

  for (const now of texts)
    it(`stand beside what did not change in '${now}'`, () => {
      let head = 0;
      while (head < OLD.length && head < now.length && OLD[head] === now[head]) head++;
      let tail = 0;
      while (tail < OLD.length && tail < now.length && OLD.at(-1 - tail) === now.at(-1 - tail)) tail++;
      const stale = find(now);
      for (let from = 0; from <= OLD.length; from++)
        for (let to = from; to <= OLD.length; to++) {
          const at = stale.toNew(from, to);
          const isHead = to <= head;
          const isTail = OLD.length - tail <= from;
          if (!isHead && !isTail) assert.equal(at, -1, `${from}..${to}`);
          else assert.equal(at, isHead ? from : from + now.length - OLD.length, `${from}..${to}`);
          if (at >= 0) assert.equal(now.slice(at, at + to - from), OLD.slice(from, to));
        }
      for (let from = 0; from <= now.length; from++)
        for (let to = from; to <= now.length; to++) {
          const at = stale.toOld(from, to);
          const isHead = to <= head;
          const isTail = now.length - tail <= from;
          if (!isHead && !isTail) assert.equal(at, -1);
          else assert.equal(OLD.slice(at, at + to - from), now.slice(from, to));
        }
    });

  it('are those of the functions that were edited last', () => {
    const good = new LastGood();
    for (let k = 0; k < 8; k++) good.keep(`f${k}`, () => summary, OLD, 0, OLD.length);
    good.keep('f0', () => summary, OLD, 0, OLD.length);
    good.keep('f8', () => summary, OLD, 0, OLD.length);
    const known = Array.from({ length: 9 }, (_, k) => good.find(`f${k}`, OLD, 0, OLD.length) !== null);
    assert.deepEqual(known, [true, false, true, true, true, true, true, true, true]);
    assert.equal(good.find('other', OLD, 0, OLD.length), null);
  });
});
