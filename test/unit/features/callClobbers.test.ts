/** Physical registers that live across calls and that the register mask does not preserve: against what llc-22's verifier finds undefined after the call. */
import { strict as assert } from 'node:assert';
import { callCrossings, hasAllUnits, lostValues } from '../../../server/src/analysis/callClobbers.js';
import { toLspDiagnostics } from '../../../server/src/features/diagnostics/diagnostics.js';
import { provideHover } from '../../../server/src/features/hover/hover.js';
import { atCursor, cursorIn, openText } from '../../support/cursor.js';
import { needsLlc, runLlc } from '../../support/llc.js';
import { lowerMir } from '../../support/mir.js';

const VERIFY = [
  '-mtriple=amdgcn-amd-amdhsa',
  '-mcpu=gfx900',
  '-x',
  'mir',
  '-run-pass=none',
  '-verify-machineinstrs',
  '-o',
  '-',
];

const CALL = '$sgpr30_sgpr31 = SI_CALL $sgpr4_sgpr5, 0';

const mir = (
  liveins: string,
  body: string,
  tracks = true,
): string => `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 %s
---
name: f
tracksRegLiveness: ${tracks}
machineFunctionInfo:
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  stackPtrOffsetReg: '$sgpr32'
body: |
  bb.0:
    liveins: $sgpr4_sgpr5${liveins}

${body.replaceAll(/^(?=[^ \n])/gm, '    ')}...
`;

const numbered = (file: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `$${file}${from + n}`);

const MASKS = [
  'csr_amdgpu',
  'csr_amdgpu_gfx90ainsts',
  'csr_amdgpu_si_gfx',
  'csr_amdgpu_noregs',
  'CustomRegMask($vgpr1,$vgpr2_vgpr3,$sgpr8,$sgpr10_sgpr11)',
];

describe('what a call leaves of the registers', () => {
  for (const mask of MASKS)
    it(`is what llc finds defined after it: ${mask}`, function () {
      // llc's verifier does not look at those above the budget. Left out are those that no call changes: the stack's, its descriptor, the return address that the call writes.
      const regs = [
        ...numbered('vgpr', 0, 64),
        ...numbered('sgpr', 4, 30),
        ...numbered('sgpr', 34, 100),
        '$vcc_lo',
        '$scc',
      ];
      const reads = regs.map((r) => `S_NOP 0, implicit ${r}`).join('\n');
      const text = mir(`, ${regs.join(', ')}`, `${CALL}, ${mask}\n${reads}\nS_ENDPGM 0\n`);
      const [fn] = lowerMir(text);
      const crossing = callCrossings(fn!)[0]!;
      const isLost = (name: string): boolean =>
        hasAllUnits(fn!.tables, crossing.lost, fn!.tables.regByName(name.slice(1)));
      const lost = regs.filter(isLost);
      assert.ok(lost.length > 0);
      needsLlc(this);
      const { stderr } = runLlc(VERIFY, text);
      const undefinedReads = [
        ...stderr.matchAll(/Using an undefined physical register[^]*?- operand \d+: +implicit (\$\w+)/g),
      ];
      // A register list in a mask is for llc the registers themselves, not their parts.
      const ofLlc = new Set(undefinedReads.map((m) => m[1]!));
      const listed = ['$vgpr2', '$vgpr3', '$sgpr10', '$sgpr11'];
      assert.deepEqual(
        lost,
        regs.filter((r) => ofLlc.has(r) && !(mask.startsWith('Custom') && listed.includes(r))),
      );
    });
});

/** Function, what is warned of, whether llc's verifier has something to say. */
const CASES: readonly (readonly [what: string, text: string, warned: readonly string[], errors: number])[] = [
  [
    'a part of a tuple that does not survive',
    mir(
      '',
      `$vgpr39 = V_MOV_B32_e32 1, implicit $exec\n$vgpr40 = V_MOV_B32_e32 2, implicit $exec\n${CALL}, csr_amdgpu\nS_ENDPGM 0, implicit $vgpr39_vgpr40\n`,
    ),
    ['csr_amdgpu does not preserve $vgpr39, which is caller-saved: the value of line 12 is lost, and line 15 reads it'],
    0,
  ],
  [
    'a value where liveness is not tracked, across blocks',
    mir(
      '',
      `$vgpr1 = V_MOV_B32_e32 1, implicit $exec\n${CALL}, csr_amdgpu\n\n  bb.1:\nS_ENDPGM 0, implicit $vgpr1\n`,
      false,
    ),
    ['csr_amdgpu does not preserve $vgpr1, which is caller-saved: the value of line 12 is lost, and line 16 reads it'],
    0,
  ],
  [
    'a value that came in',
    mir(', $vgpr5', `${CALL}, CustomRegMask($vgpr4)\nS_ENDPGM 0, implicit $vgpr5\n`, false),
    [
      'its CustomRegMask does not preserve $vgpr5, which is caller-saved: the value that came in is lost, and line 13 reads it',
    ],
    0,
  ],
  [
    'the value of the turn before',
    mir(
      '',
      `$vgpr1 = V_MOV_B32_e32 1, implicit $exec\n\n  bb.1:\n    successors: %bb.1, %bb.2\n$vgpr2 = V_MOV_B32_e32 $vgpr1, implicit $exec\n${CALL}, csr_amdgpu\nS_CBRANCH_SCC1 %bb.1, implicit undef $scc\n\n  bb.2:\nS_ENDPGM 0\n`,
      false,
    ),
    [
      'csr_amdgpu does not preserve $sgpr4_sgpr5, which is caller-saved: the value that came in is lost, and line 17 reads it',
      'csr_amdgpu does not preserve $vgpr1, which is caller-saved: the value of line 12 is lost, and line 16 reads it',
    ],
    0,
  ],
  [
    'nothing of what is preserved',
    mir(', $vgpr40, $sgpr34', `${CALL}, csr_amdgpu\nS_ENDPGM 0, implicit $vgpr40, implicit $sgpr34\n`),
    [],
    0,
  ],
  [
    'nothing of what the call returns',
    mir(', $vgpr0', `${CALL}, csr_amdgpu, implicit-def $vgpr0\nS_ENDPGM 0, implicit $vgpr0\n`),
    [],
    0,
  ],
  [
    'nothing of what is written again',
    mir(', $vgpr0', `${CALL}, csr_amdgpu\n$vgpr0 = V_MOV_B32_e32 1, implicit $exec\nS_ENDPGM 0, implicit $vgpr0\n`),
    [],
    0,
  ],
  [
    'nothing of a tuple of which only a part is written after the call',
    mir(
      ', $vgpr1',
      `${CALL}, csr_amdgpu\n$vgpr0 = V_MOV_B32_e32 1, implicit $exec\nS_ENDPGM 0, implicit $vgpr0_vgpr1\n`,
    ),
    [],
    0,
  ],
  [
    'nothing of the stack pointer and EXEC',
    mir(', $sgpr32', `${CALL}, csr_amdgpu_noregs\n$vgpr0 = V_MOV_B32_e32 $sgpr32, implicit $exec\nS_ENDPGM 0\n`),
    [],
    0,
  ],
  [
    'nothing of a value that ends before the call',
    mir(', $vgpr0', `S_NOP 0, implicit killed $vgpr0\n${CALL}, csr_amdgpu\nS_ENDPGM 0, implicit undef $vgpr0\n`),
    [],
    0,
  ],
  // The verifier has it: its error gets the places instead.
  [
    'nothing where the verifier has an error',
    mir(', $vgpr5', `${CALL}, csr_amdgpu\nS_ENDPGM 0, implicit $vgpr5\n`),
    [],
    1,
  ],
];

describe('call clobbers', () => {
  for (const [what, text, warned, errors] of CASES)
    it(`warn of ${what}`, function () {
      const { snapshot } = openText(text);
      const found = toLspDiagnostics(snapshot).filter((d) => d.code === 'call-clobber');
      assert.deepEqual(
        found.map((d) => d.message),
        warned,
      );
      needsLlc(this);
      const { stderr } = runLlc(VERIFY, text);
      assert.equal(stderr.match(/\*\*\* Bad machine code/g)?.length ?? 0, errors, stderr);
    });

  it('lead from the mask to the value and its reader', () => {
    const { snapshot, show } = openText(CASES[0]![1]);
    const [found] = toLspDiagnostics(snapshot);
    assert.equal(show(found!.range), '14:47 csr_amdgpu');
    assert.deepEqual(
      found!.relatedInformation!.map((r) => [r.message, show(r.location.range).slice(0, 20)]),
      [
        ['the value is made here', '12:5 $vgpr39 = V_MOV'],
        ['and read here', '15:5 S_ENDPGM 0, imp'],
      ],
    );
  });

  it('explain the error of the verifier', () => {
    const body = `$vgpr5 = V_MOV_B32_e32 1, implicit $exec\n${CALL}, csr_amdgpu\nS_ENDPGM 0, implicit $vgpr5\n`;
    const { snapshot, show } = openText(mir('', body));
    const found = toLspDiagnostics(snapshot);
    assert.deepEqual(
      found.map((d) => d.code),
      ['using-an-undefined-physical-register'],
    );
    assert.deepEqual(
      found[0]!.relatedInformation!.map((r) => [r.message, show(r.location.range)]),
      [
        ['the value is made here', '12:5 $vgpr5 = V_MOV_B32_e32 1, implicit $exec'],
        ['csr_amdgpu does not preserve $vgpr5', '13:47 csr_amdgpu'],
      ],
    );
  });

  it('are told at most 64 times of a function, a tuple once', () => {
    const all = numbered('vgpr', 0, 256);
    const body = `${CALL}, csr_amdgpu_noregs\n${all.map((r) => `S_NOP 0, implicit ${r}`).join('\n')}\nS_ENDPGM 0\n`;
    const [fn] = lowerMir(mir(`, ${all.join(', ')}`, body));
    assert.equal(lostValues(fn!, callCrossings(fn!)).length, 64);
    const tuple = mir(', $vgpr0_vgpr1', `${CALL}, csr_amdgpu\nS_NOP 0, implicit $vgpr0_vgpr1\nS_ENDPGM 0\n`);
    const [one] = lowerMir(tuple);
    const lost = lostValues(one!, callCrossings(one!));
    assert.deepEqual(
      lost.map(({ reg }) => one!.tables.regName(reg)),
      ['vgpr0_vgpr1'],
    );
  });
});

describe('hover on a call', () => {
  const linesOf = (text: string): string[] => {
    const { snapshot, position } = atCursor(cursorIn(text, '$0SI_CALL'));
    const { value } = provideHover(snapshot, { position })!.contents as { value: string };
    return value
      .split('\n\n---\n\n')[0]!
      .split('  \n')
      .map((line) => line.replaceAll(/[`*\\]/g, ''))
      .slice(2);
  };

  it('what lives across and what it overwrites', () => {
    const body = `${CALL}, csr_amdgpu\n$vgpr7 = V_MOV_B32_e32 1, implicit $exec\nS_ENDPGM 0, implicit $vgpr40_vgpr41, implicit $sgpr34, implicit $vgpr7\n`;
    assert.deepEqual(linesOf(mir(', $vgpr40, $vgpr41, $sgpr34', body)).slice(-2), [
      'lives across: $vgpr40-$vgpr41, $sgpr34, preserved by csr_amdgpu',
      'overwrites, of the registers of this function: $vgpr7, $sgpr4-$sgpr5',
    ]);
  });

  it('what is lost', () => {
    assert.deepEqual(linesOf(CASES[0]![1]).slice(-3), [
      'lives across: $vgpr40, preserved by csr_amdgpu',
      'lost: $vgpr39 (read at 15)',
      'overwrites, of the registers of this function: $vgpr39, $sgpr4-$sgpr5',
    ]);
  });
});
