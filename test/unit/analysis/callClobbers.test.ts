/** What lives across calls and is lost: which value, in which register, made and missed where, on every way through the function. */
import { strict as assert } from 'node:assert';
import { callCrossings, lostValues, usedUnits } from '../../../server/src/analysis/callClobbers.js';
import { lowerMir } from '../../support/mir.js';

const mir = (body: string, info = ''): string => `---
name: f
tracksRegLiveness: true
machineFunctionInfo:
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  stackPtrOffsetReg: '$sgpr32'
${info}body: |
${body.replaceAll(/^(?=[^ \n])/gm, '    ').replaceAll(/^ *(?=bb\.)/gm, '  ')}...
`;

/** `$reg: i -> j at k` per lost value: made by instruction i (entry: came as a live-in), read by j, lost by the call k. */
function losses(body: string): string[] {
  const [fn] = lowerMir(mir(body));
  const place = (i: number): string => (i < 0 ? 'entry' : String(fn!.order.indexOf(i)));
  return lostValues(fn!, callCrossings(fn!)).map(
    (l) => `${fn!.tables.regName(l.reg)}: ${place(l.value)} -> ${place(l.read)} at ${place(l.call)}`,
  );
}

const call = (mask = 'csr_amdgpu'): string => `$sgpr30_sgpr31 = SI_CALL $sgpr4_sgpr5, 0, ${mask}\n`;
const mov = (n: number): string => `$vgpr${n} = V_MOV_B32_e32 ${n}, implicit $exec\n`;
const use = (reg: string): string => `S_NOP 0, implicit ${reg}\n`;
const END = 'S_ENDPGM 0\n';
const one = (body: string, liveIns = '$sgpr4_sgpr5'): string => `bb.0:\nliveins: ${liveIns}\n\n${body}${END}`;

type Row = [title: string, body: string, wanted: string[]];

const TABLE: Row[] = [
  ['a value made before the call', one(mov(1) + call() + use('$vgpr1')), ['vgpr1: 0 -> 2 at 1']],
  ['a live-in', one(call() + use('$vgpr2'), '$sgpr4_sgpr5, $vgpr2'), ['vgpr2: entry -> 1 at 0']],
  ['a register that the mask preserves', one(mov(40) + call() + use('$vgpr40')), []],
  ['nothing without a reader', one(mov(1) + call()), []],
  ['nothing without a value', one(call() + use('undef $vgpr1')), []],
  ['nothing where it is made anew', one(mov(1) + call() + mov(1) + use('$vgpr1')), []],
  ['nothing that was killed', one(`${mov(1)}S_NOP 0, implicit killed $vgpr1\n${call()}${use('$vgpr1')}`), []],
  ['nothing of a dead definition', one(`dead $vgpr1 = V_MOV_B32_e32 1, implicit $exec\n${call()}${use('$vgpr1')}`), []],
  ['nothing of IMPLICIT_DEF', one(`$vgpr1 = IMPLICIT_DEF\n${call()}${use('$vgpr1')}`), []],
  ['the last of two values', one(mov(1) + mov(1) + call() + use('$vgpr1')), ['vgpr1: 1 -> 3 at 2']],
  ['the first of two readers', one(mov(1) + call() + use('$vgpr1') + use('$vgpr1')), ['vgpr1: 0 -> 2 at 1']],
  ['not a debug reader', one(`${mov(1)}${call()}DBG_VALUE $vgpr1, $noreg\n`), []],
  [
    'a reader after a debug reader',
    one(`${mov(1)}${call()}DBG_VALUE $vgpr1, $noreg\n${use('$vgpr1')}`),
    ['vgpr1: 0 -> 3 at 1'],
  ],
  [
    'of two calls in a row neither what is read after both: the first has lost it, and the second finds nothing',
    one(mov(1) + call() + call() + use('$vgpr1')),
    ['sgpr4_sgpr5: entry -> 2 at 1'],
  ],
  [
    'each call its own value',
    one(mov(1) + call() + use('$vgpr1') + mov(1) + call() + use('$vgpr1')),
    ['sgpr4_sgpr5: entry -> 4 at 1', 'vgpr1: 0 -> 2 at 1', 'vgpr1: 3 -> 5 at 4'],
  ],
  ['a tuple as a whole', one(mov(2) + mov(3) + call() + use('$vgpr2_vgpr3')), ['vgpr2_vgpr3: 0 -> 3 at 2']],
  ['of a tuple what the mask takes', one(mov(39) + mov(40) + call() + use('$vgpr39_vgpr40')), ['vgpr39: 0 -> 3 at 2']],
  ...(
    [
      ['$vgpr6', ['$vgpr5', '$vgpr7', '$vgpr4_vgpr5', '$vgpr7_vgpr8', '$vgpr7_lo16']],
      ['$vgpr6_vgpr7', ['$vgpr5', '$vgpr8', '$vgpr4_vgpr5', '$vgpr8_vgpr9', '$vgpr8_lo16']],
      ['$sgpr8', ['$sgpr7', '$sgpr9', '$sgpr10_sgpr11']],
      ['$sgpr8_sgpr9', ['$sgpr7', '$sgpr10', '$sgpr6_sgpr7', '$sgpr10_sgpr11']],
    ] as const
  ).flatMap(([reg, others]) =>
    others.map((other): Row => [
      `${reg} where ${other} is written after the call`,
      one(
        `S_NOP 0, implicit-def ${reg}\n${call('csr_amdgpu_noregs')}S_NOP 0, implicit-def ${other}\n${use(reg)}`,
        '$sgpr4_sgpr5',
      ),
      [`${reg.slice(1)}: 0 -> 3 at 1`],
    ]),
  ),
  ...['$vgpr6', '$vgpr7', '$vgpr6_hi16', '$vgpr7_lo16', '$vgpr7_vgpr8', '$vgpr5_vgpr6'].map((part): Row => [
    `not a tuple that is put together after the call: ${part}`,
    one(
      `S_NOP 0, implicit-def $vgpr6_vgpr7\n${call('csr_amdgpu_noregs')}S_NOP 0, implicit-def ${part}\n${use('$vgpr6_vgpr7')}`,
    ),
    [],
  ]),
  [
    'both registers of a reader',
    one(mov(6) + mov(9) + call() + 'S_NOP 0, implicit $vgpr6, implicit $vgpr9\n'),
    ['vgpr6: 0 -> 3 at 2', 'vgpr9: 1 -> 3 at 2'],
  ],
  [
    'a register that a reader names twice',
    one(mov(6) + call() + 'S_NOP 0, implicit $vgpr6, implicit $vgpr6\n'),
    ['vgpr6: 0 -> 2 at 1'],
  ],
  [
    'of a tuple beside its part what the part says',
    one(`S_NOP 0, implicit-def $vgpr6_vgpr7\n${call()}S_NOP 0, implicit $vgpr6, implicit $vgpr6_vgpr7\n`),
    ['vgpr6: 0 -> 2 at 1'],
  ],
  [
    'all of a tuple that is no implicit operand, beside its part',
    one(
      `S_NOP 0, implicit-def $vgpr6_vgpr7\n${call()}$vgpr50_vgpr51 = V_LSHLREV_B64_e64 1, $vgpr6_vgpr7, implicit $exec, implicit $vgpr6\n`,
    ),
    ['vgpr6_vgpr7: 0 -> 2 at 1'],
  ],
  [
    'not what an implicit tuple beside its part is said to write',
    one(`S_NOP 0, implicit-def $vgpr6, implicit-def $vgpr6_vgpr7\n${call()}${use('$vgpr7')}`),
    [],
  ],
  [
    'what the members of a bundle read, not what its header names',
    one(
      `S_NOP 0, implicit-def $vgpr6_vgpr7\n${call()}BUNDLE implicit-def $vgpr50, implicit $vgpr6_vgpr7, implicit $exec {\n$vgpr50 = V_MOV_B32_e32 $vgpr6, implicit $exec\n}\n`,
    ),
    ['vgpr6: 0 -> 3 at 1'],
  ],
  [
    'not what the header of a bundle alone writes',
    one(`BUNDLE implicit-def $vgpr6 {\nS_NOP 0\n}\n${call()}${use('$vgpr6')}`),
    [],
  ],
  ['not what the header of a bundle alone reads', one(`${mov(6)}${call()}BUNDLE implicit $vgpr6 {\nS_NOP 0\n}\n`), []],
  [
    'what a mask of its own leaves out',
    one(mov(6) + mov(7) + call('CustomRegMask($vgpr6,$sgpr4)') + use('$vgpr6') + use('$vgpr7')),
    ['vgpr7: 1 -> 4 at 2'],
  ],
  [
    'round a loop of two blocks',
    `bb.0:\nliveins: $sgpr4_sgpr5\n\n${mov(5)}bb.1:\nliveins: $vgpr5, $sgpr4_sgpr5\nsuccessors: %bb.2\n\n${use('$vgpr5')}${call('csr_amdgpu_noregs')}bb.2:\nsuccessors: %bb.1, %bb.3\n\nS_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.3:\n${END}`,
    ['sgpr4_sgpr5: entry -> 2 at 2', 'vgpr5: 0 -> 1 at 2'],
  ],
  ['not the stack pointer', one(`${call('csr_amdgpu_noregs')}${use('$sgpr32')}`, '$sgpr4_sgpr5, $sgpr32'), []],
  [
    'not the return address, which the call writes',
    one(`$sgpr30_sgpr31 = S_MOV_B64 0\n${call()}${use('$sgpr30_sgpr31')}`),
    [],
  ],
  ...(['%bb.1, %bb.2', '%bb.2, %bb.1'] as const).flatMap((successors): Row[] => [
    [
      `a reader beside a block that writes the register: ${successors}`,
      `bb.0:\nliveins: $sgpr4_sgpr5\nsuccessors: ${successors}\n\n${mov(5)}${call()}S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n` +
        `bb.1:\nsuccessors: %bb.3\n\n${mov(5)}S_BRANCH %bb.3\nbb.2:\nsuccessors: %bb.3\n\n${use('$vgpr5')}${mov(5)}bb.3:\n${use('$vgpr5')}${END}`,
      ['vgpr5: 0 -> 5 at 1'],
    ],
    [
      `a reader beside another call that loses it: ${successors}`,
      `bb.0:\nliveins: $sgpr8_sgpr9\nsuccessors: ${successors}\n\n${mov(5)}$sgpr30_sgpr31 = SI_CALL $sgpr8_sgpr9, 0, csr_amdgpu\nS_CBRANCH_SCC1 %bb.2, implicit undef $scc\n` +
        `bb.1:\nsuccessors: %bb.3\n\n$sgpr30_sgpr31 = SI_CALL undef $sgpr8_sgpr9, 0, csr_amdgpu\n${use('undef $vgpr6')}${use('$vgpr5')}S_BRANCH %bb.3\n` +
        `bb.2:\nsuccessors: %bb.3\n\nS_NOP 1\nS_NOP 1\nS_NOP 1\nbb.3:\n${use('$vgpr5')}${END}`,
      ['vgpr5: 0 -> 10 at 1'],
    ],
  ]),
  [
    'a reader far away, through blocks without it',
    `bb.0:\nliveins: $sgpr4_sgpr5\n\n${mov(5)}${call()}bb.1:\nS_NOP 0\nbb.2:\nS_NOP 0\nbb.3:\n${use('$vgpr5')}${END}`,
    ['vgpr5: 0 -> 4 at 1'],
  ],
  [
    'round a loop: the reader stands before the call',
    `bb.0:\nliveins: $sgpr4_sgpr5\n\n${mov(5)}bb.1:\nliveins: $vgpr5, $sgpr4_sgpr5\nsuccessors: %bb.1, %bb.2\n\n${use('$vgpr5')}${call('csr_amdgpu_noregs')}S_CBRANCH_SCC1 %bb.1, implicit undef $scc\nbb.2:\n${END}`,
    ['sgpr4_sgpr5: entry -> 2 at 2', 'vgpr5: 0 -> 1 at 2'],
  ],
  [
    'values from two sides: the nearest',
    `bb.0:\nliveins: $sgpr4_sgpr5\n\n${mov(5)}S_CBRANCH_SCC1 %bb.2, implicit undef $scc\nbb.1:\n${mov(5)}bb.2:\n${call()}${use('$vgpr5')}${END}`,
    ['vgpr5: 0 -> 4 at 3'],
  ],
];

describe('values that calls lose', () => {
  for (const [title, body, wanted] of TABLE) it(title, () => assert.deepEqual(losses(body), wanted));

  it('are told up to 64 of a function', () => {
    const regs = Array.from({ length: 40 }, (_, n) => n);
    const round = regs.map(mov).join('') + call('csr_amdgpu_noregs') + regs.map((n) => use(`$vgpr${n}`)).join('');
    assert.equal(losses(one(round)).length, 40);
    assert.equal(losses(one(round + round)).length, 64);
  });

  it('leave out the stack and what belongs to no file of registers', () => {
    const [fn] = lowerMir(
      mir(
        one(
          `${use('$sgpr0_sgpr1_sgpr2_sgpr3')}${use('$sgpr32')}${use('$exec')}${use('$m0')}${use('$vgpr7')}${use('$sgpr9')}`,
        ),
      ),
    );
    const units = usedUnits(fn!);
    const isUsed = (name: string): boolean => {
      const reg = fn!.tables.regByName(name);
      return units.has(fn!.tables.unitList[fn!.tables.unitBegin[reg]!]!);
    };
    const names = ['sgpr0', 'sgpr3', 'sgpr32', 'exec_lo', 'mode', 'vgpr7', 'sgpr9', 'm0', 'vgpr8', 'sgpr4'];
    assert.deepEqual(names.filter(isUsed), ['vgpr7', 'sgpr9']);
  });

  it('does not let live across a call what only the header of a bundle names', () => {
    const [fn] = lowerMir(mir(one(`${mov(6)}${call()}BUNDLE implicit $vgpr6 {\nS_NOP 0\n}\n`)));
    assert.deepEqual(
      callCrossings(fn!).map(({ across, lost }) => [across.isEmpty(), lost.isEmpty()]),
      [[true, true]],
    );
  });

  it('does not take a number for a register', () => {
    const number = (name: string): number => lowerMir(mir(one(''))).map(({ tables }) => tables.regByName(name))[0]!;
    const [fn] = lowerMir(
      mir(one(`$sgpr9 = S_MOV_B32 ${number('vgpr8')}\nS_NOP ${number('sgpr11')}\n$sgpr10 = S_MOV_B32 -3\n`)),
    );
    const { tables } = fn!;
    const units = usedUnits(fn!);
    const names = Array.from({ length: tables.nRegUnits }, (_, u) => u).filter((u) => units.has(u));
    assert.deepEqual(
      names.map((u) => tables.regName(tables.regUnitRoots(u)[0]!)),
      ['sgpr9_lo16', 'sgpr9_hi16', 'sgpr10_lo16', 'sgpr10_hi16'],
    );
  });
});
