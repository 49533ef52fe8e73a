/** Whether a function uses VCC whose branches on it know their way, against llc-22's assembly. */
import assert from 'node:assert/strict';
import { allocatedUse } from '../../../server/src/analysis/allocatedUse.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const TRIPLE = 'amdgcn-amd-amdhsa';

interface Form {
  /** how the two blocks before the branch set the condition */
  readonly set?: readonly [readonly string[], readonly string[]];
  /** what else stands before the branch */
  readonly above?: readonly string[];
  readonly mask?: string;
  readonly branch?: string;
  readonly attribute?: string;
  /** another block stands before the branch, which does not go there */
  readonly between?: boolean;
  /** the condition lives into the blocks, which do not set it */
  readonly isLiveIn?: boolean;
}

const NONE = '$sgpr4_sgpr5 = S_MOV_B64 0';
const ALL = '$sgpr4_sgpr5 = S_MOV_B64 -1';
const SAME = '$vgpr0 = V_XOR_B32_e32 7, $vgpr0, implicit $exec';
const ASM = 'INLINEASM &"; asm", 1';
const OTHER = '$sgpr4_sgpr5 = S_MOV_B64 1';

const FORMS: Readonly<Record<string, Form>> = {
  'both know': {},
  'both know the same': { set: [[ALL], [ALL]] },
  'with the lanes': { mask: 'S_AND_B64' },
  'where VCC is not zero': { branch: 'S_CBRANCH_VCCNZ' },
  'one sets something else': { set: [[ALL], [OTHER]] },
  'one changes it afterwards': { set: [[ALL], [NONE, '$sgpr4 = S_MOV_B32 5']] },
  'one sets it twice': { set: [[ALL], [OTHER, NONE]] },
  'one reads it': { set: [[ALL], [NONE, 'S_NOP 0, implicit $sgpr4_sgpr5']] },
  'one does not set it': { set: [[ALL], []], isLiveIn: true },
  'many instructions before': {
    above: Array.from({ length: 6 }, () => '$vgpr0 = V_ADD_U32_e32 1, $vgpr0, implicit $exec'),
  },
  'both end alike': {
    set: [
      [ALL, SAME],
      [NONE, SAME],
    ],
  },
  'both end alike but for a register': {
    set: [
      [ALL, SAME],
      [NONE, '$vgpr0 = V_XOR_B32_e32 7, $vgpr1, implicit $exec'],
    ],
  },
  'both end alike but for a constant': {
    set: [
      [ALL, SAME],
      [NONE, '$vgpr0 = V_XOR_B32_e32 8, $vgpr0, implicit $exec'],
    ],
  },
  'both end alike from where they set the same': {
    set: [
      [ALL, SAME],
      [ALL, SAME],
    ],
  },
  'both end alike but for a flag': {
    set: [
      [ALL, SAME],
      [NONE, SAME.replace('7, $vgpr0', '7, killed $vgpr0')],
    ],
  },
  'both end in the same assembly': {
    set: [
      [ALL, ASM],
      [NONE, ASM],
    ],
  },
  'both end alike, neither falls through': {
    set: [
      [ALL, SAME],
      [NONE, SAME],
    ],
    between: true,
  },
  'both end alike in two, neither falls through': {
    set: [
      [ALL, SAME, SAME],
      [NONE, SAME, SAME],
    ],
    between: true,
  },
  'both end alike in three, neither falls through': {
    set: [
      [ALL, SAME, SAME, SAME],
      [NONE, SAME, SAME, SAME],
    ],
    between: true,
  },
  optnone: { attribute: 'noinline optnone' },
};

function textOf({
  set = [[ALL], [NONE]],
  above = [],
  mask = 'S_ANDN2_B64',
  branch = 'S_CBRANCH_VCCZ',
  attribute = '',
  isLiveIn = false,
  between = false,
}: Form): string {
  const condition = isLiveIn ? ', $sgpr4_sgpr5' : '';
  return [
    '--- |',
    `  define amdgpu_kernel void @f() ${attribute} { ret void }`,
    '...',
    '---',
    'name: f',
    'tracksRegLiveness: true',
    'machineFunctionInfo:',
    '  isEntryFunction: true',
    'body: |',
    '  bb.0:',
    ...(between
      ? [
          '    successors: %bb.7, %bb.6',
          `    liveins: $vgpr0, $vgpr1, $sgpr6${condition}`,
          '    S_CMP_LG_U32 $sgpr6, 4, implicit-def $scc',
          '    S_CBRANCH_SCC1 %bb.6, implicit killed $scc',
          '  bb.7:',
        ]
      : []),
    '    successors: %bb.1, %bb.2',
    `    liveins: $vgpr0, $vgpr1, $sgpr6${condition}`,
    '    S_CMP_LG_U32 $sgpr6, 3, implicit-def $scc',
    '    S_CBRANCH_SCC1 %bb.2, implicit killed $scc',
    '    S_BRANCH %bb.1',
    '  bb.1:',
    `    liveins: $vgpr0, $vgpr1${condition}`,
    '    $vgpr0 = V_MUL_LO_U32_e64 $vgpr0, $vgpr0, implicit $exec',
    ...set[0].map((l) => `    ${l}`),
    '    S_BRANCH %bb.3',
    '  bb.2:',
    `    liveins: $vgpr0, $vgpr1${condition}`,
    '    $vgpr0 = V_ADD_U32_e32 1, $vgpr0, implicit $exec',
    ...set[1].map((l) => `    ${l}`),
    '    S_BRANCH %bb.3',
    ...(between ? ['  bb.6:', '    liveins: $vgpr0', '    S_ENDPGM 0, implicit $vgpr0'] : []),
    '  bb.3:',
    '    successors: %bb.4, %bb.5',
    '    liveins: $vgpr0, $sgpr4_sgpr5',
    ...above.map((l) => `    ${l}`),
    `    $vcc = ${mask} $exec, killed $sgpr4_sgpr5, implicit-def dead $scc`,
    `    ${branch} %bb.5, implicit $vcc`,
    '    S_BRANCH %bb.4',
    '  bb.4:',
    '    liveins: $vgpr0',
    '    $vgpr0 = V_XOR_B32_e32 5, $vgpr0, implicit $exec',
    '  bb.5:',
    '    liveins: $vgpr0',
    '    S_ENDPGM 0, implicit $vgpr0',
    '...',
    '',
  ].join('\n');
}

describe('branches on VCC whose way is known', () => {
  for (const cpu of ['gfx906', 'gfx90a', 'gfx942'])
    for (const [name, form] of Object.entries(FORMS))
      it(`${cpu}: ${name}`, function () {
        needsLlc(this);
        const text = textOf(form);
        const args = ['-x', 'mir', `-mtriple=${TRIPLE}`, `-mcpu=${cpu}`, '-start-after=virtregrewriter,2', '-o', '-'];
        const asm = runLlc(args, text);
        assert.equal(asm.status, 0, asm.stderr);
        const { own } = allocatedUse(lowerMir(text, { triple: TRIPLE, cpu, features: '' })[0]!);
        assert.equal(Number(own.usesVCC), Number(/\.set f\.uses_vcc, (\d+)/.exec(asm.stdout)![1]), asm.stdout);
      });
});
