/** Warnings about whole-wave registers: what llc-22 takes without a word. */
import { strict as assert } from 'node:assert';
import { toLspDiagnostics } from '../../../server/src/features/diagnostics/diagnostics.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { readSettings } from '../../../server/src/program/settings.js';
import { needsLlc, runLlc } from '../../support/llc.js';

const URI = 'file:///wwm.mir';

const mir = (info: string, registers: string, body: string): string => `---
name: f
tracksRegLiveness: true
${registers === '' ? '' : `registers:\n${registers}`}machineFunctionInfo:
  isEntryFunction: true
  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'
  stackPtrOffsetReg: '$sgpr32'
${info}body: |
  bb.0:
    liveins: $sgpr4, $vgpr0
${body}    S_ENDPGM 0
...
`;

const LANES = `    %0:vgpr_32 = IMPLICIT_DEF
    %0:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, 3, %0
    $sgpr5 = SI_RESTORE_S32_FROM_VGPR %0, 3
`;

const WHOLE = "  wwmReservedRegs: [ '$vgpr7' ]\n";
const ENTER = '    $sgpr8_sgpr9 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, implicit $exec\n';
const EXIT = '    $exec = EXIT_STRICT_WWM $sgpr8_sgpr9\n';
const WRITE = '    $vgpr7 = V_MOV_B32_e32 1, implicit $exec\n';
const SKIP = '    S_CMP_EQ_U32 $sgpr4, 0, implicit-def $scc\n    S_CBRANCH_SCC1 %bb.2, implicit $scc\n';

const CASES: readonly (readonly [what: string, text: string, codes: readonly string[]])[] = [
  ['lanes in a flagged register', mir('', '  - { id: 0, class: vgpr_32, flags: [ WWM_REG ] }\n', LANES), []],
  ['lanes in a register without the flag', mir('', '', LANES), ['wwm-not-flagged', 'wwm-not-flagged']],
  [
    'a lane that the wave does not have',
    mir('', '  - { id: 0, class: vgpr_32, flags: [ WWM_REG ] }\n', LANES.replaceAll(' 3', ' 64')),
    ['wwm-lane-range', 'wwm-lane-range'],
  ],
  [
    'the flag on a scalar register',
    mir('', '  - { id: 0, class: sreg_32, flags: [ WWM_REG ] }\n', '    %0:sreg_32 = COPY $sgpr4\n'),
    ['wwm-flag-on-sgpr'],
  ],
  ['a whole-wave copy', mir('', '', '    $vgpr1 = WWM_COPY $vgpr0\n'), ['wwm-no-exec-copy']],
  [
    'a whole-wave copy with its scalar register',
    mir("  sgprForEXECCopy: '$sgpr8_sgpr9'\n", '', '    $vgpr1 = WWM_COPY $vgpr0\n'),
    [],
  ],
  [
    'a per-lane write of a whole-wave register',
    mir("  wwmReservedRegs: [ '$vgpr7' ]\n", '', '    $vgpr7 = V_MOV_B32_e32 1, implicit $exec\n'),
    ['wwm-per-lane'],
  ],
  [
    'a lane write of a whole-wave register',
    mir(
      "  wwmReservedRegs: [ '$vgpr7' ]\n",
      '',
      '    $vgpr7 = IMPLICIT_DEF\n    $vgpr7 = SI_SPILL_S32_TO_VGPR $sgpr4, 3, $vgpr7\n    $vgpr6 = V_MOV_B32_e32 1, implicit $exec\n',
    ),
    [],
  ],
  [
    'a per-lane write beside a block that switches to whole lanes',
    mir(WHOLE, '', `${SKIP}\n  bb.1:\n${ENTER}    S_ENDPGM 0\n\n  bb.2:\n${WRITE}`),
    ['wwm-per-lane'],
  ],
  [
    'a write with whole lanes behind a block that ends them on another way',
    mir(WHOLE, '', `${ENTER}${SKIP}\n  bb.1:\n    liveins: $sgpr8_sgpr9\n${EXIT}    S_ENDPGM 0\n\n  bb.2:\n${WRITE}`),
    [],
  ],
  [
    'a write that lanes reach with and without the switch',
    mir(WHOLE, '', `${SKIP}\n  bb.1:\n${ENTER}\n  bb.2:\n${WRITE}`),
    [],
  ],
];

describe('whole-wave registers', () => {
  for (const [what, text, codes] of CASES)
    it(`${codes.length === 0 ? 'has nothing to say of' : 'warns of'} ${what}`, function () {
      const host = new AnalysisHost(false, Infinity);
      host.configure(readSettings({ target: { cpu: 'gfx900' } }));
      host.open(URI, 1, text);
      assert.deepEqual(
        toLspDiagnostics(host.snapshot(URI)!).map((d) => d.code),
        codes,
      );
      needsLlc(this);
      const llc = runLlc(
        [
          '-mtriple=amdgcn-amd-amdhsa',
          '-mcpu=gfx900',
          '-x',
          'mir',
          '-run-pass=none',
          '-verify-machineinstrs',
          '-o',
          '-',
        ],
        text,
      );
      assert.equal(llc.stderr, '', 'llc says nothing');
    });
});
