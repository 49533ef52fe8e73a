/** Low-level types; columns and messages are those llc-22 22.1.8 printed for `%0:_(TYPE) = G_IMPLICIT_DEF`. */
import assert from 'node:assert';
import { parseLLT, printLLT } from '../../../server/src/model/llt.js';

function check(text: string, expected: string): void {
  const r = parseLLT(`(${text})`, 1);
  assert.strictEqual(r.type === null ? `${r.at - 1}: ${r.message}` : printLLT(r.type), expected, text);
}

const EXPECTED_TYPE =
  'expected sN, pA, <M x sN>, <M x pA>, <vscale x M x sN>, or <vscale x M x pA> for GlobalISel type';
const EXPECTED_VECTOR = 'expected <M x sN> or <M x pA> for vector type';
const EXPECTED_SCALABLE = 'expected <vscale x M x sN> or <vscale M x pA> for vector type';

describe('model/llt', () => {
  it('reads types', () => {
    for (const t of ['s0', 's1', 's65535', 'p0', 'p16777215', '<4 x s16>', '<1 x s16>', '<2 x p3>', '<vscale x 4 x s32>']) {
      check(t, t);
    }
    check('< 4 x s32 >', '<4 x s32>');
    check('<4x s32>', '<4 x s32>');
    check('s032', 's32');
  });

  it('points at the place llc points at', () => {
    check('s65536', '0: invalid size for scalar type');
    check('s', "0: expected integers after 's'/'p' type character");
    check('px', "0: expected integers after 's'/'p' type character");
    check('p16777216', '0: invalid address space number');
    check('<0 x s16>', '1: invalid number of vector elements');
    check('<65536 x s1>', '1: invalid number of vector elements');
    check('<x s16>', `0: ${EXPECTED_VECTOR}`);
    check('<4 s16>', `0: ${EXPECTED_VECTOR}`);
    check('<4 x 16>', `0: ${EXPECTED_VECTOR}`);
    check('<4 x sx>', "5: expected integers after 's'/'p' type character");
    check('<4 x s0>', '5: invalid size for scalar element in vector');
    check('<4 x s16', `0: ${EXPECTED_VECTOR}`);
    check('<4 xs32>', `0: ${EXPECTED_VECTOR}`);
    check('<vscale 4 x s32>', '8: expected <vscale x M x sN> or <vscale x M x pA>');
    check('<vscale>', '7: expected <vscale x M x sN> or <vscale x M x pA>');
    check('<vscale x s32>', `0: ${EXPECTED_SCALABLE}`);
    check('<vscale x 0 x s32>', '10: invalid number of vector elements');
    check('i32', `0: ${EXPECTED_TYPE}`);
    check('', `0: ${EXPECTED_TYPE}`);
  });
});
