/** Literals against what llc-22 22.1.8 printed for the same text (`%0:_(s32) = G_CONSTANT <literal>`). */
import assert from 'node:assert';
import { parseFPLiteral, printFP, type FPType } from '../../../server/src/model/numbers.js';

function check(type: FPType, text: string, expected: string): void {
  const r = parseFPLiteral(type, text);
  assert.strictEqual('error' in r ? r.error : printFP(type, r.bits), expected, `${type} ${text}`);
}

describe('model/numbers', () => {
  it('prints floating-point constants as llc does', () => {
    check('half', '0xH3C00', '0xH3C00');
    check('half', '1.0', '0xH3C00');
    check('half', '-1.0', '0xHBC00');
    check('half', '0xH3C', '0xH003C');
    check('half', '0x7FF4000000000000', '0xH7D00');
    check('half', '0x3E70000000000000', '0xH0001');
    check('bfloat', '1.0', '0xR3F80');
    check('float', '-0.0', '-0.000000e+00');
    check('float', '0x3FB99999A0000000', '0x3FB99999A0000000');
    check('float', '0x36A0000000000000', '0x36A0000000000000');
    check('float', '0x7FF4000000000000', '0x7FF4000000000000');
    check('float', '0x7FF0000020000000', '0x7FF0000020000000');
    check('float', '1.0e-400', '0.000000e+00');
    check('double', '0.1', '1.000000e-01');
    check('double', '1234567.0', '0x4132D68700000000');
    check('double', '123456789.0', '0x419D6F3454000000');
    check('double', '1.0e400', '0x7FF0000000000000');
    check('double', '0x3FF', '5.054290e-321');
    check('double', '0x0000000500000001', '0x500000001');
    check('double', '4.9e-324', '4.940660e-324');
    check('fp128', '0xL00000000000000003FFF000000000000', '0xL00000000000000003FFF000000000000');
    check('fp128', '0xL1', '0xL00000000000000000000000000000001');
    check('x86_fp80', '0xK3FFF8000000000000000', '0xK3FFF8000000000000000');
    check('ppc_fp128', '0xM3FF00000000000000000000000000000', '0xM3FF00000000000000000000000000000');
  });

  it('rejects literals with the words of llc', () => {
    check('float', '0.1', 'floating point constant invalid for type');
    check('half', '0.1', 'floating point constant invalid for type');
    check('float', '0x7FF0000000000001', 'floating point constant invalid for type');
    check('half', '0x7FF0000000000001', 'floating point constant invalid for type');
    check('fp128', '0xK3FFF8000000000000000', 'floating point constant invalid for type');
    check('float', '0xH3C00', "floating point constant does not have type 'float'");
    check('bfloat', '0xH3C00', "floating point constant does not have type 'bfloat'");
    check('fp128', '1.0', "floating point constant does not have type 'fp128'");
    check('double', '0xK3FFF8000000000000000', "floating point constant does not have type 'double'");
    check('half', '0xH123456', 'hexadecimal constant too large for half (16-bit)');
  });
});
