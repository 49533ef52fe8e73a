/** Interner: dense ids, found again from any text, also after growth. */
import assert from 'node:assert/strict';
import { Interner } from '../../../server/src/util/interner.js';

describe('Interner', () => {
  it('gives equal ids to equal names only', () => {
    const interner = new Interner();
    const text = 'ab abc ab ba';
    assert.equal(interner.intern(text, 0, 2), 0);
    assert.equal(interner.intern(text, 3, 6), 1);
    assert.equal(interner.intern(text, 7, 9), 0);
    assert.equal(interner.intern(text, 10, 12), 2);
    assert.equal(interner.internString('abc'), 1);
    assert.equal(interner.text(1), 'abc');
    assert.equal(interner.internString(''), 3);
    assert.equal(interner.size, 4);
  });

  it('finds without adding', () => {
    const interner = new Interner();
    assert.equal(interner.find('x'), -1);
    assert.equal(interner.size, 0);
    const id = interner.internString('x');
    assert.equal(interner.find('x'), id);
  });

  it('keeps ids when it grows', () => {
    const interner = new Interner();
    const names = Array.from({ length: 50_000 }, (_, i) => `name_${i * 7919}`);
    names.forEach((n, i) => assert.equal(interner.internString(n), i));
    names.forEach((n, i) => {
      assert.equal(interner.internString(n), i);
      assert.equal(interner.find(n), i);
      assert.equal(interner.text(i), n);
    });
    assert.equal(interner.find('name_1'), -1);
  });
});
