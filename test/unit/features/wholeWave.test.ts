/** Warnings about whole-wave registers: what llc-22 takes without a word. */
import { strict as assert } from 'node:assert';
import { toLspDiagnostics } from '../../../server/src/features/diagnostics/diagnostics.js';
import { provideCodeActions } from '../../../server/src/features/assists/codeAction.js';
import { AnalysisHost } from '../../../server/src/host/analysisHost.js';
import { readSettings } from '../../../server/src/program/settings.js';
import { NEVER_CANCELLED } from '../../../server/src/util/cancellation.js';
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

const PHYSICAL_LANES = `    $vgpr7 = IMPLICIT_DEF
    $vgpr7 = SI_SPILL_S32_TO_VGPR $sgpr4, 3, $vgpr7
    $sgpr5 = SI_RESTORE_S32_FROM_VGPR $vgpr7, 3
`;
const WHOLE_WRITE = `${ENTER}${WRITE}${EXIT}`;
const LANE_WRITE = '    $vgpr7 = V_WRITELANE_B32 $sgpr4, 3, $vgpr7\n';
const COMPARE = '    $vcc = V_CMP_EQ_U32_e64 $vgpr0, 0, implicit $exec\n';
/** Lanes part after a write of $vgpr7; some run `between`; after `joined` all read it. */
const parted = (
  between: string,
  joined = '',
): string => `${WRITE}${COMPARE}    $sgpr10_sgpr11 = S_AND_SAVEEXEC_B64 $vcc, implicit-def $exec, implicit-def $scc, implicit $exec
    S_CBRANCH_EXECZ %bb.2, implicit $exec

  bb.1:
    liveins: $sgpr4, $vgpr7, $sgpr10_sgpr11
${between}
  bb.2:
    liveins: $vgpr7, $sgpr10_sgpr11
    $exec = S_OR_B64 $exec, killed $sgpr10_sgpr11, implicit-def $scc
${joined}    S_NOP 0, implicit $vgpr7
`;
const LOOP = `    $sgpr10_sgpr11 = S_MOV_B64 $exec

  bb.1:
    liveins: $vgpr0, $sgpr10_sgpr11
${ENTER}    $vgpr7 = V_MOV_B32_e32 3, implicit $exec
    S_NOP 0, implicit $vgpr7
${EXIT}${WRITE}${COMPARE}    $exec = S_ANDN2_B64_term $exec, $vcc, implicit-def $scc
    S_CBRANCH_EXECNZ %bb.1, implicit $exec

  bb.2:
    liveins: $vgpr7, $sgpr10_sgpr11
    $exec = S_OR_B64 $exec, killed $sgpr10_sgpr11, implicit-def $scc
    S_NOP 0, implicit $vgpr7
`;
const CALLEE_SAVED = `    $vgpr2 = frame-setup V_MOV_B32_e32 $vgpr40, implicit $exec
    $vgpr40 = V_MOV_B32_e32 1, implicit $exec
    $vgpr41 = V_MOV_B32_e32 1, implicit $exec
`;

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
    ['wwm-no-exit', 'wwm-per-lane'],
  ],
  [
    'a write with whole lanes after a block that ends them on another way',
    mir(WHOLE, '', `${ENTER}${SKIP}\n  bb.1:\n    liveins: $sgpr8_sgpr9\n${EXIT}    S_ENDPGM 0\n\n  bb.2:\n${WRITE}`),
    ['wwm-no-exit'],
  ],
  [
    'a write that lanes reach with and without the switch',
    mir(WHOLE, '', `${SKIP}\n  bb.1:\n${ENTER}\n  bb.2:\n${WRITE}`),
    ['wwm-no-exit'],
  ],
  [
    'lanes in an allocated register that nobody reserves',
    mir('', '', PHYSICAL_LANES),
    ['wwm-not-reserved', 'wwm-not-reserved'],
  ],
  ['all lanes written while some wait for their value', mir('', '', parted(WHOLE_WRITE)), ['wwm-clobber']],
  [
    'one lane written while others wait for their value',
    mir(WHOLE, '', parted(LANE_WRITE)),
    ['wwm-clobber', 'wwm-per-lane'],
  ],
  ['all lanes written of another register', mir('', '', parted(WHOLE_WRITE.replaceAll('$vgpr7', '$vgpr6'))), []],
  ['active lanes written while others wait', mir('', '', parted(WRITE)), []],
  ['all lanes written before the value is there again', mir('', '', parted(WHOLE_WRITE, WRITE)), []],
  ['all lanes written of what all lanes hold', mir('', '', `${WRITE}${WHOLE_WRITE}    S_NOP 0, implicit $vgpr7\n`), []],
  ['lanes that left a loop and whose value the next turn overwrites', mir('', '', LOOP), ['wwm-clobber']],
  [
    'a register that machineFunctionInfo keeps free',
    mir("  longBranchReservedReg: '$sgpr40_sgpr41'\n", '', '    %0:sreg_32 = COPY $sgpr4\n    $sgpr40 = S_MOV_B32 0\n'),
    ['reserved-register'],
  ],
  [
    'a callee-saved register that the prologue does not save',
    mir('', '', CALLEE_SAVED)
      .replace('isEntryFunction: true', 'isEntryFunction: false')
      .replace('$sgpr4, $vgpr0', '$sgpr4, $vgpr0, $vgpr40'),
    ['callee-saved-register'],
  ],
];

/** Repairs by what they are offered for: title, and a line that is there afterwards. */
const REPAIRS: readonly (readonly [what: string, text: string, at: string, title: string, line: string])[] = [
  [
    'no flag and no list',
    mir('', '', LANES),
    'SI_SPILL_S32',
    'Flag %0 WWM_REG',
    '  - { id: 0, class: vgpr_32, flags: [ WWM_REG ] }',
  ],
  [
    'no flag in the list',
    mir('', '  - { id: 0, class: vgpr_32 }\n', LANES),
    'SI_SPILL_S32',
    'Flag %0 WWM_REG',
    '  - { id: 0, class: vgpr_32, flags: [ WWM_REG ] }',
  ],
  [
    'the flag on a scalar register',
    mir('', '  - { id: 0, class: sreg_32, flags: [ WWM_REG ] }\n', '    %0:sreg_32 = COPY $sgpr4\n'),
    '%0:sreg_32 =',
    'Remove WWM_REG from %0',
    '  - { id: 0, class: sreg_32 }',
  ],
  [
    'a per-lane write',
    mir(WHOLE, '', WRITE),
    WRITE.trim(),
    'Remove $vgpr7 from wwmReservedRegs',
    '  wwmReservedRegs: [  ]',
  ],
  [
    'an allocated register that nobody reserves',
    mir('', '', PHYSICAL_LANES),
    'SI_SPILL_S32',
    'Add $vgpr7 to wwmReservedRegs',
    "  wwmReservedRegs: [ '$vgpr7' ]",
  ],
  [
    'a whole-wave copy',
    mir('', '', '    $vgpr1 = WWM_COPY $vgpr0\n'),
    'WWM_COPY',
    'Keep EXEC in $sgpr100_sgpr101 (sgprForEXECCopy)',
    "  sgprForEXECCopy: '$sgpr100_sgpr101'",
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

  for (const [what, text, at, title, line] of REPAIRS)
    it(`is repaired: ${what}`, () => {
      const host = new AnalysisHost(false, Infinity);
      host.configure(readSettings({ target: { cpu: 'gfx900' } }));
      host.open(URI, 1, text);
      const snapshot = host.snapshot(URI)!;
      const place = snapshot.text.positionAt(text.indexOf(at));
      const actions = provideCodeActions(
        snapshot,
        { range: { start: place, end: place }, context: { diagnostics: toLspDiagnostics(snapshot) } },
        NEVER_CANCELLED,
      );
      const action = actions.find((a) => a.title === title);
      assert.ok(action !== undefined, actions.map((a) => a.title).join(', '));
      assert.equal(action.diagnostics?.length, 1);
      let after = text;
      for (const { range, newText } of [...action.edit!.changes![URI]!].reverse())
        after =
          after.slice(0, snapshot.text.offsetAt(range.start)) +
          newText +
          after.slice(snapshot.text.offsetAt(range.end));
      assert.ok(after.includes(`${line}\n`), after);
    });
});
