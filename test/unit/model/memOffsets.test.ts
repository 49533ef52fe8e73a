/** Offsets of memory operands that a JavaScript number does not hold: what llc-22 prints. */
import assert from 'node:assert/strict';
import { mirFunction } from '../../support/mir.js';
import { runLlcOnText } from '../../support/schedule.js';

/** as written after `unknown-address`, as llc-22 22.1.8 prints it */
const OFFSETS: readonly (readonly [written: string, printed: string])[] = [
  ['+ 4611686018427387904', '+ 4611686018427387904'],
  ['+ 4611686018427387905', '+ 4611686018427387905, align 1, basealign 4'],
  ['+ 9007199254740994, align 2', '+ 9007199254740994, align 2'],
  ['+ 9223372036854775807', '+ 9223372036854775807, align 1, basealign 4'],
  ['- 9007199254740993', '- 9007199254740993, align 1, basealign 4'],
  ['- 9223372036854775808', '- -9223372036854775808'],
  ['+ 9223372036854775808', '- -9223372036854775808'],
  ['+ 18446744073709551615', '- 1, align 1, basealign 4'],
];

describe('offsets of memory operands', () => {
  it('keep all their digits', () => {
    const line = (offset: string): string =>
      `    $vgpr2 = GLOBAL_LOAD_DWORD $vgpr0_vgpr1, 0, 0, implicit $exec :: (load (s32) from unknown-address ${offset}, addrspace 1)`;
    const body = OFFSETS.map(([written]) => line(written)).join('\n');
    const text = mirFunction('f', `\n  bb.0:\n    liveins: $vgpr0_vgpr1\n${body}\n    S_ENDPGM 0`);
    const { stdout, stderr } = runLlcOnText(['-mtriple=amdgcn', '-mcpu=gfx900', '-run-pass=none', '-o', '-'], text);
    const found = stdout.split('\n').filter((l) => l.includes('GLOBAL_LOAD'));
    assert.deepEqual(
      found,
      OFFSETS.map(([, printed]) => line(printed)),
      stderr,
    );
  });
});
