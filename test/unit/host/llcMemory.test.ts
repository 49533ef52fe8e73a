/** Outcomes that are kept: those used last, as many as fit. */
import assert from 'node:assert/strict';
import { LlcOutcomes } from '../../../server/src/host/llcMemory.js';
import type { LlcOutcome } from '../../../server/src/features/checks/runTest.js';

/** Characters that are kept in all. */
const ALL = 1 << 24;
/** what an outcome and its key take besides, at least and at most */
const [LEAST, MOST] = [256, 512];
const outcome = (stdout: string, stderr = '', written: LlcOutcome['written'] = []): LlcOutcome => ({
  exit: 0,
  stdout,
  stderr,
  written,
});
const THIRD = 'x'.repeat(Math.floor(ALL / 3) - MOST);

describe('known outcomes of llc', () => {
  const known = (memory: LlcOutcomes, keys: string): string =>
    [...keys].filter((key) => memory.get(key) !== undefined).join('');

  it('are found by their key', () => {
    const memory = new LlcOutcomes();
    assert.equal(memory.get('a'), undefined);
    const first = outcome('1');
    memory.set('a', first);
    assert.equal(memory.get('a'), first);
    const second = outcome('2');
    memory.set('a', second);
    assert.equal(memory.get('a'), second);
  });

  it('leave when there are too many characters, the least recently used first', () => {
    const memory = new LlcOutcomes();
    for (const key of 'abc') memory.set(key, outcome(THIRD));
    assert.equal(known(memory, 'abc'), 'abc');
    memory.get('a');
    memory.set('d', outcome(THIRD));
    assert.equal(known(memory, 'abcd'), 'acd');
    memory.set('c', outcome(THIRD));
    memory.set('e', outcome(THIRD));
    assert.equal(known(memory, 'acde'), 'cde');
  });

  it('count both outputs and files, and what is replaced no longer, but no keys, which may be long', () => {
    const memory = new LlcOutcomes();
    const half = 'x'.repeat(ALL / 2);
    const exact = outcome(half.slice(MOST), '', [['p', half]]);
    const more = 'x'.repeat(MOST - LEAST);
    memory.set('abcd', exact);
    assert.equal(memory.get('abcd'), exact);
    for (let k = 0; k < 5; k++) memory.set('abcd', exact);
    assert.equal(memory.get('abcd'), exact);
    memory.set(half, exact);
    assert.equal(memory.get(half), exact);
    for (const tooLarge of [
      { ...exact, stdout: exact.stdout + more },
      { ...exact, stderr: more },
      outcome(exact.stdout, '', [['p', half + more]]),
    ]) {
      const other = new LlcOutcomes();
      other.set('abcd', tooLarge);
      assert.equal(other.get('abcd'), undefined);
      other.set('small', outcome('1'));
      assert.equal(known(other, ''), '');
      assert.notEqual(other.get('small'), undefined);
    }
  });

  it('of functions are those of their surroundings, and leave like them', () => {
    const memory = new LlcOutcomes();
    const [a, b] = [memory.functions('a'), memory.functions('b')];
    const one = { told: '', text: 'one' };
    a.set('f', one);
    assert.deepEqual([a.get('f'), b.get('f'), memory.functions('a').get('f')], [one, undefined, one]);
    const other = { told: '', text: 'other' };
    b.set('f', other);
    assert.deepEqual([a.get('f'), memory.functions('b').get('f')], [one, other]);
    for (const name of ['g', 'h', 'i', 'j']) a.set(name, { told: THIRD, text: '' });
    assert.deepEqual([a.get('f'), b.get('f')], [undefined, undefined]);
    assert.deepEqual(
      ['g', 'h', 'i', 'j'].map((name) => a.get(name) !== undefined),
      [false, true, true, true],
    );
    a.set('k', { told: '', text: THIRD });
    assert.equal(a.get('h'), undefined);
  });
});
