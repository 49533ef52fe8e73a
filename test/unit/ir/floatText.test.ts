/** Floating-point constants as LLVM 24 writes and reads them. Expected texts: llc of LLVM 24 (../shared/oracle24), -run-pass=none. */
import assert from 'node:assert/strict';
import { floatText, readFloat, type FloatName } from '../../../server/src/ir/floatText.js';

/** [type, bits, text] */
const WRITTEN: readonly (readonly [FloatName, bigint, string])[] = [
  ['float', 0x3dcccccdn, '1.000000e-01'],
  ['float', 0x00000001n, '1.401300e-45'],
  ['float', 0x80000000n, '-0.000000e+00'],
  ['float', 0x7f800000n, '+inf'],
  ['float', 0x7fc00000n, '+qnan'],
  ['float', 0x7fc00001n, '+nan(0x1)'],
  ['float', 0x7f800001n, '+snan(0x1)'],
  ['double', 0xfff0000000000000n, '-inf'],
  ['double', 0x419d6f3454000000n, 'f0x419D6F3454000000'],
  ['double', 0x7e37e43c8800759cn, '1.000000e+300'],
  ['half', 0x3c00n, '1.000000e+00'],
  ['half', 0x3555n, '3.332520e-01'],
  ['half', 0x0001n, '5.960460e-08'],
  ['half', 0x7e01n, '+nan(0x1)'],
  ['bfloat', 0x3dcdn, '1.000980e-01'],
  ['fp128', 0x3fff0000000000000000000000000000n, '1.000000e+00'],
  ['x86_fp80', 0x3fff8000000000000000n, '1.000000e+00'],
];

describe("LLVM 24's floating-point constants", () => {
  for (const [type, bits, text] of WRITTEN) {
    it(`${type} ${text}`, () => {
      assert.equal(floatText(type, bits), text);
      assert.deepEqual(readFloat(type, text), { bits });
    });
  }

  it('rounds decimals once, to the type', () => {
    assert.deepEqual(readFloat('half', '0.1'), { bits: 0x2e66n });
    assert.deepEqual(readFloat('float', '0.1'), { bits: 0x3dcccccdn });
    assert.deepEqual(readFloat('half', '65519.99'), { bits: 0x7bffn });
  });

  it('refuses what does not fit, in the words of llc', () => {
    assert.deepEqual(readFloat('half', '65520.0'), { error: 'floating-point constant overflowed type' });
    assert.deepEqual(readFloat('float', 'f0x3F8'), { error: 'float hex literal has incorrect number of bits' });
    assert.deepEqual(readFloat('double', 'f0x3F800000'), { error: 'float hex literal has incorrect number of bits' });
  });
});
