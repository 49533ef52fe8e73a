/** Registers of an allocated function along its instructions: how many are in use, how high they reach, the holes below. */
import assert from 'node:assert/strict';
import { allocatedFiles } from '../../../../server/src/features/pressure/allocatedFiles.js';
import type { AllocatedFile } from '../../../../server/src/features/pressure/profileData.js';
import type { MachineFunction } from '../../../../server/src/model/machineFunction.js';
import { atCursor } from '../../../support/cursor.js';

const functionOf = (body: string): MachineFunction =>
  atCursor(`$0# RUN: llc -mtriple=amdgcn -mcpu=gfx90a %s\n---\nname: f\nbody: |\n  bb.0:\n${body}    S_ENDPGM 0\n...\n`)
    .snapshot.functions[0]!.fn!;

const files = (body: string, points?: readonly number[]): AllocatedFile[] => {
  const fn = functionOf(body);
  return allocatedFiles(fn, points ?? [...fn.order.subarray(0, fn.nInstrs)]);
};

const define = (reg: string): string => `    $${reg} = IMPLICIT_DEF\n`;
const read = (...regs: string[]): string => `    S_NOP 0${regs.map((r) => `, implicit $${r}`).join('')}\n`;
const textOf = (body: string): string =>
  files(body)
    .map((f) => f.text)
    .join(' | ');

describe('files of an allocated function', () => {
  it('none where nothing is used', () => assert.deepEqual(files(''), []));

  it('by instruction', () => {
    assert.deepEqual(files(define('vgpr0') + define('vgpr3') + read('vgpr3') + read('vgpr0')), [
      {
        name: 'VGPR',
        // a result lives where it is made, a register up to its last reader
        used: [1, 2, 2, 1, 0],
        reach: [1, 4, 4, 1, 0],
        widestGap: [0, 2, 2, 0, 0],
        widestTuple: 1,
        text: 'VGPR: 4 reached for 2 in use; most holes 2 in 1 gap, the widest 2',
      },
    ]);
  });

  it('each file by itself', () => {
    const found = files(
      define('sgpr1') + define('agpr0_agpr1') + define('vgpr0') + read('sgpr1', 'agpr0_agpr1', 'vgpr0'),
    );
    assert.deepEqual(
      found.map(({ name, used, reach, widestTuple }) => [name, used, reach, widestTuple]),
      [
        ['VGPR', [0, 0, 1, 1, 0], [0, 0, 1, 1, 0], 1],
        ['SGPR', [1, 1, 1, 1, 0], [2, 2, 2, 2, 0], 1],
        ['AGPR', [0, 2, 2, 2, 0], [0, 2, 2, 2, 0], 2],
      ],
    );
    assert.equal(found[1]!.text, 'SGPR: 2 reached for 1 in use; most holes 1 in 1 gap, the widest 1');
    assert.equal(found[2]!.text, 'AGPR: 2 reached for 2 in use, no holes');
  });

  const TEXTS: readonly (readonly [body: string, text: string])[] = [
    [define('vgpr0') + read('vgpr0'), 'VGPR: 1 reached for 1 in use, no holes'],
    // The register before the first is a hole, too.
    [define('vgpr1') + read('vgpr1'), 'VGPR: 2 reached for 1 in use; most holes 1 in 1 gap, the widest 1'],
    [
      define('vgpr0') +
        define('vgpr2') +
        define('vgpr4_vgpr5') +
        define('vgpr9') +
        read('vgpr0', 'vgpr2', 'vgpr4_vgpr5', 'vgpr9'),
      'VGPR: 10 reached for 5 in use; most holes 5 in 3 gaps, the widest 3',
    ],
    [
      define('vgpr0_vgpr1_vgpr2_vgpr3') + read('vgpr0') + define('vgpr5') + read('vgpr5', 'vgpr3'),
      'VGPR: 6 reached for 2 in use; most holes 4 in 2 gaps, the widest 3: too narrow for tuples of 4',
    ],
    [
      define('vgpr0_vgpr1_vgpr2_vgpr3') + read('vgpr0_vgpr1_vgpr2_vgpr3') + define('vgpr4') + read('vgpr4'),
      'VGPR: 5 reached for 1 in use; most holes 4 in 1 gap, the widest 4',
    ],
    // Most holes need not be where most is reached.
    [
      define('vgpr0_vgpr1_vgpr2') +
        define('vgpr3') +
        read('vgpr0_vgpr1_vgpr2', 'vgpr3') +
        define('vgpr2') +
        read('vgpr2'),
      'VGPR: 4 reached for 4 in use; most holes 2 in 1 gap, the widest 2: too narrow for tuples of 3',
    ],
    // Undefined reads, special registers and registers that are never written hold nothing.
    ['    S_NOP 0, implicit undef $vgpr7\n', ''],
    ['    $m0 = S_MOV_B32 0\n    S_NOP 0, implicit $m0, implicit $exec, implicit $mode\n', ''],
    [read('vgpr1'), 'VGPR: 2 reached for 1 in use; most holes 1 in 1 gap, the widest 1'],
    ['    DBG_VALUE $vgpr5, $noreg\n', ''],
    [`${define('vgpr0')}    DBG_VALUE $vgpr5, $noreg\n${read('vgpr0')}`, 'VGPR: 1 reached for 1 in use, no holes'],
    // A dead result is in use where it is made.
    ['    dead $vgpr2 = IMPLICIT_DEF\n', 'VGPR: 3 reached for 1 in use; most holes 2 in 1 gap, the widest 2'],
    // A half is in use as a whole is.
    ['    $vgpr1_lo16 = IMPLICIT_DEF\n', 'VGPR: 2 reached for 1 in use; most holes 1 in 1 gap, the widest 1'],
  ];
  TEXTS.forEach(([body, text], k) => it(`text ${k}: ${text || 'none'}`, () => assert.equal(textOf(body), text)));

  it('what lives into the next block, by its live-ins', () => {
    const body = `${define('vgpr1')}    S_BRANCH %bb.1\n\n  bb.1:\n    liveins: $vgpr1\n\n    S_NOP 0\n${read('vgpr1')}`;
    assert.deepEqual(files(body)[0]!.used, [1, 1, 1, 1, 0]);
    const without = `${define('vgpr1')}    S_BRANCH %bb.1\n\n  bb.1:\n    S_NOP 0\n${read('vgpr1')}`;
    assert.deepEqual(files(without)[0]!.used, [1, 0, 1, 1, 0]);
  });

  it('instructions that are gone have the registers of the next one', () => {
    const fn = functionOf(define('vgpr0') + define('vgpr1') + read('vgpr1', 'vgpr0'));
    const [a, b, c, end] = [...fn.order];
    const gone = 99;
    assert.deepEqual(allocatedFiles(fn, [a!, gone, b!, gone, gone, c!, end!, gone])[0]!.used, [1, 1, 2, 2, 2, 2, 0, 0]);
    // Those that are not asked for count for nothing.
    assert.deepEqual(allocatedFiles(fn, [a!, gone, c!])[0]!.used, [1, 2, 2]);
  });
});
