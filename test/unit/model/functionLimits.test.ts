/** Pairs of numbers in attributes: whether llc-22 22.1.8 takes each as "amdgpu-waves-per-eu" (`null`: "can't parse first/second integer attribute"). */
import assert from 'node:assert/strict';
import { parsePair, parseUnsigned } from '../../../server/src/model/functionLimits.js';

const PAIRS: readonly (readonly [string, readonly [number, number | null] | null])[] = [
  ['2,4', [2, 4]],
  [' 2 , 4 ', [2, 4]],
  ['2', [2, null]],
  ['2,', [2, null]],
  ['2, ', [2, null]],
  ['0x2,4', [2, 4]],
  ['0X2,0b100', [2, 4]],
  ['0B10,0o4', [2, 4]],
  ['02,010', [2, 8]],
  ['0O2,4', null],
  ['08,4', null],
  ['-2,4', null],
  ['+2,4', null],
  ['2,4,5', null],
  [',4', null],
  [' ', null],
  ['2,x', null],
  ['x,4', null],
  ['4294967295,2', [4294967295, 2]],
  ['4294967296,2', null],
  ['2,4294967296', null],
  ['2,99999999999999999999', null],
  ['0x,4', null],
  ['0xg,4', null],
  ['0b2,4', null],
  ['2 4', null],
];

describe('pairs of numbers in attributes', () => {
  for (const [text, pair] of PAIRS)
    it(JSON.stringify(text), () => {
      assert.deepEqual(parsePair(text, true), pair);
      // Where both are asked for, the second must not be missing.
      assert.deepEqual(parsePair(text, false), pair?.[1] === null ? null : pair);
    });

  it('are none without an attribute', () => {
    assert.equal(parsePair(undefined, true), null);
  });
});

describe('numbers in attributes', () => {
  it('are at most what they are asked to be', () => {
    assert.equal(parseUnsigned('0xffffffffffffffff', (1n << 64n) - 1n), (1n << 64n) - 1n);
    assert.equal(parseUnsigned('18446744073709551616', (1n << 64n) - 1n), null);
    assert.equal(parseUnsigned('7', 7n), 7n);
    assert.equal(parseUnsigned('8', 7n), null);
    assert.equal(parseUnsigned(''), null);
    assert.equal(parseUnsigned('0'), 0n);
    assert.equal(parseUnsigned('1 '), null);
  });
});
