/** What is said of whole-wave and reserved registers that are used against their purpose, word by word. llc takes all of it. */
import assert from 'node:assert/strict';
import { wholeWaveFindings } from '../../../../server/src/features/diagnostics/wholeWaveFindings.js';
import { DiagnosticOrigin, Severity } from '../../../../server/src/text/diagnostic.js';
import { openText } from '../../../support/cursor.js';

/** `code: instruction: message` of each. */
function said(body: string, info = '', registers = '', cpu = 'gfx900', isEntry = true): string[] {
  const text =
    `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} %s\n---\nname: f\ntracksRegLiveness: true\n` +
    `${registers === '' ? '' : `registers:\n${registers}`}machineFunctionInfo:\n  isEntryFunction: ${isEntry}\n` +
    `  scratchRSrcReg: '$sgpr0_sgpr1_sgpr2_sgpr3'\n  stackPtrOffsetReg: '$sgpr32'\n${info}body: |\n${body}    S_ENDPGM 0\n...\n`;
  const { snapshot } = openText(text);
  const view = snapshot.functions[0]!;
  assert.deepEqual(
    view.diagnostics.map((d) => d.message),
    [],
  );
  return wholeWaveFindings(view, snapshot).map((f) => {
    assert.deepEqual([f.severity, f.origin], [Severity.Warning, DiagnosticOrigin.Function]);
    return `${f.code}: ${text.slice(f.start, f.end).split(',')[0]!}: ${f.message}`;
  });
}

const START = '  bb.0:\n    liveins: $sgpr4, $vgpr0\n\n';
const FLAGGED = '  - { id: 0, class: vgpr_32, flags: [ WWM_REG ] }\n';
const SAVE =
  '    %0:vgpr_32 = IMPLICIT_DEF\n    %0:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4, LANE, %0\n    $sgpr5 = SI_RESTORE_S32_FROM_VGPR %0, LANE\n';
const lanes = (lane: number): string => START + SAVE.replaceAll('LANE', String(lane));
const ENTER = '    $sgpr8_sgpr9 = ENTER_STRICT_WWM -1, implicit-def $exec, implicit-def $scc, implicit $exec\n';
const ENTER_WQM = ENTER.replace('WWM', 'WQM');
const EXIT = '    $exec = EXIT_STRICT_WWM $sgpr8_sgpr9\n';
const WRITE = '    $vgpr7 = V_MOV_B32_e32 1, implicit $exec\n';
const WHOLE = "  wwmReservedRegs: [ '$vgpr7' ]\n";
const perLane = (what: string): string =>
  `wwm-per-lane: ${what}: $vgpr7 is whole-wave (wwmReservedRegs): this writes its active lanes as if it were per-lane`;
const WRITTEN = perLane('$vgpr7 = V_MOV_B32_e32 1');

describe('lanes that hold SGPRs', () => {
  it('are there', () => {
    for (const lane of [0, 3, 31, 63]) assert.deepEqual(said(lanes(lane), '', FLAGGED), [], String(lane));
    for (const lane of [64, -1])
      assert.deepEqual(said(lanes(lane), '', FLAGGED), [
        `wwm-lane-range: %0:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4: lane ${lane} of a wave with 64 lanes`,
        `wwm-lane-range: $sgpr5 = SI_RESTORE_S32_FROM_VGPR %0: lane ${lane} of a wave with 64 lanes`,
      ]);
    assert.equal(said(lanes(31), '', FLAGGED, 'gfx1030').length, 0);
    assert.match(said(lanes(32), '', FLAGGED, 'gfx1030')[1]!, /: lane 32 of a wave with 32 lanes$/);
  });

  it('of a register that is flagged', () => {
    const words = '%0 holds lanes of SGPRs, but is not flagged WWM_REG: llc gives it a per-lane register';
    const wanted = [
      `wwm-not-flagged: %0:vgpr_32 = SI_SPILL_S32_TO_VGPR $sgpr4: ${words}`,
      `wwm-not-flagged: $sgpr5 = SI_RESTORE_S32_FROM_VGPR %0: ${words}`,
    ];
    assert.deepEqual(said(lanes(3)), wanted);
    assert.deepEqual(
      said(lanes(3), '', '  - { id: 0, class: vgpr_32, flags: [ SCRATCH ] }\n'.replace('SCRATCH', '')),
      wanted,
    );
  });

  it('of a physical register that is reserved', () => {
    const body = `${START}    $vgpr7 = IMPLICIT_DEF\n    $vgpr7 = SI_SPILL_S32_TO_VGPR $sgpr4, 3, $vgpr7\n    $sgpr5 = SI_RESTORE_S32_FROM_VGPR $vgpr7, 3\n`;
    const words = '$vgpr7 holds lanes of SGPRs, but is not in wwmReservedRegs: nothing saves its inactive lanes';
    assert.deepEqual(said(body), [
      `wwm-not-reserved: $vgpr7 = SI_SPILL_S32_TO_VGPR $sgpr4: ${words}`,
      `wwm-not-reserved: $sgpr5 = SI_RESTORE_S32_FROM_VGPR $vgpr7: ${words}`,
    ]);
    assert.deepEqual(said(body, WHOLE), []);
    assert.equal(said(body, "  wwmReservedRegs: [ '$vgpr6' ]\n").length, 2);
    // Before allocation, or with a frame that is laid out, it may be saved yet.
    assert.deepEqual(said(`${body}    %1:sreg_32 = COPY $sgpr4\n`), []);
  });

  it('of no scalar register', () => {
    const of = (rc: string): string[] =>
      said(
        `${START}    %0:${rc} = COPY $sgpr4\n    S_NOP 0, implicit %0\n`,
        '',
        `  - { id: 0, class: ${rc}, flags: [ WWM_REG ] }\n`,
      );
    assert.deepEqual(of('sreg_32'), [
      'wwm-flag-on-sgpr: %0:sreg_32 = COPY $sgpr4: %0 is flagged WWM_REG, but sreg_32 is scalar: the whole-wave run skips it',
    ]);
    assert.deepEqual(of('vgpr_32'), []);
  });
});

describe('copies of whole waves', () => {
  it('need a register for EXEC', () => {
    const body = `${START}    $vgpr1 = WWM_COPY $vgpr0\n`;
    assert.deepEqual(said(body), [
      'wwm-no-exec-copy: $vgpr1 = WWM_COPY $vgpr0: WWM_COPY needs sgprForEXECCopy in machineFunctionInfo: llc writes $noreg without it',
    ]);
    assert.deepEqual(said(body, "  sgprForEXECCopy: '$sgpr8_sgpr9'\n"), []);
  });
});

describe('whole-wave registers', () => {
  it('are not written by lanes', () => {
    assert.deepEqual(said(START + WRITE, WHOLE), [WRITTEN]);
    assert.deepEqual(said(START + WRITE), []);
    assert.deepEqual(said(START + WRITE.replace('$vgpr7', '$vgpr6'), WHOLE), []);
    // As a part of a tuple, once for an instruction.
    assert.deepEqual(
      said(
        `${START}    $vgpr6_vgpr7 = V_MOV_B64_PSEUDO 0, implicit $exec\n`,
        "  wwmReservedRegs: [ '$vgpr7', '$vgpr6' ]\n",
      ),
      [perLane('$vgpr6_vgpr7 = V_MOV_B64_PSEUDO 0')],
    );
  });

  it('are written by what is made for them', () => {
    for (const instr of [
      '$vgpr7 = V_WRITELANE_B32 $sgpr4, 3, $vgpr7',
      '$vgpr7 = IMPLICIT_DEF',
      '$vgpr7 = COPY $vgpr0',
      '$vgpr7 = V_SET_INACTIVE_B32 0, $vgpr0, 0, 1, undef $sgpr10_sgpr11, implicit $exec, implicit-def $scc',
      'KILL implicit-def $vgpr7',
    ])
      assert.deepEqual(said(`${START}    $vgpr7 = IMPLICIT_DEF\n    ${instr}\n`, WHOLE), [], instr);
  });

  it('are written with whole lanes', () => {
    assert.deepEqual(said(START + ENTER + WRITE + EXIT, WHOLE), []);
    assert.deepEqual(said(START + ENTER + EXIT + WRITE, WHOLE), [WRITTEN]);
    assert.deepEqual(said(START + WRITE + ENTER + WRITE + EXIT + WRITE, WHOLE), [WRITTEN, WRITTEN]);
    assert.deepEqual(said(START + ENTER_WQM + WRITE + EXIT.replace('WWM', 'WQM'), WHOLE), []);
  });

  const SKIP = '    S_CMP_EQ_U32 $sgpr4, 0, implicit-def $scc\n    S_CBRANCH_SCC1 %bb.2, implicit $scc\n';
  const noExit = (word = 'WWM'): string =>
    `wwm-no-exit: $sgpr8_sgpr9 = ENTER_STRICT_${word} -1: a path leads to the end of the function with whole lanes: no EXIT_STRICT_${word} on it`;

  it('by what some path brings', () => {
    // The switch goes through blocks that have none.
    assert.deepEqual(
      said(
        `${START}${ENTER}\n  bb.1:\n    S_NOP 0\n\n  bb.2:\n${WRITE}${EXIT.replace('$sgpr8_sgpr9', 'undef $sgpr8_sgpr9')}`,
        WHOLE,
      ),
      [],
    );
    assert.deepEqual(said(`${START}${SKIP}\n  bb.1:\n${ENTER}    S_ENDPGM 0\n\n  bb.2:\n${WRITE}`, WHOLE), [
      noExit(),
      WRITTEN,
    ]);
    assert.deepEqual(said(`${START}${SKIP}\n  bb.1:\n${ENTER}\n  bb.2:\n${WRITE}`, WHOLE), [noExit()]);
    assert.deepEqual(
      said(
        `${START}${ENTER}${SKIP}\n  bb.1:\n    liveins: $sgpr8_sgpr9\n\n${EXIT}    S_ENDPGM 0\n\n  bb.2:\n${WRITE}`,
        WHOLE,
      ),
      [noExit()],
    );
    assert.deepEqual(said(START + ENTER_WQM), [noExit('WQM')]);
    // Round a loop that ends nowhere nothing comes to an end.
    assert.deepEqual(said(`${START}${ENTER}\n  bb.1:\n    S_BRANCH %bb.1\n\n  bb.2:\n`), []);
    assert.deepEqual(said(START + ENTER + EXIT + ENTER + EXIT), []);
    assert.deepEqual(said(START + ENTER + EXIT + ENTER), [noExit()]);
  });
});

describe('reserved registers', () => {
  it('are not written before allocation', () => {
    const info = "  longBranchReservedReg: '$sgpr40_sgpr41'\n";
    const of = (instr: string, more = info): string[] =>
      said(`${START}    %0:sreg_32 = COPY $sgpr4\n    ${instr}\n    S_NOP 0, implicit %0\n`, more);
    assert.deepEqual(of('$sgpr40 = S_MOV_B32 0'), [
      'reserved-register: $sgpr40 = S_MOV_B32 0: $sgpr40 is reserved here: longBranchReservedReg',
    ]);
    assert.equal(of('$sgpr41 = S_MOV_B32 0').length, 1);
    assert.deepEqual(of('$sgpr42 = S_MOV_B32 0'), []);
    assert.deepEqual(of('$sgpr40 = S_MOV_B32 0', ''), []);
    assert.deepEqual(of('$sgpr40 = COPY $sgpr4'), [], 'a copy puts a value where a convention wants it');
    assert.deepEqual(of('$exec = S_MOV_B64 -1'), [], 'each function writes that');
    assert.deepEqual(of('S_NOP 0, implicit-def $sgpr40'), []);
    assert.deepEqual(said(`${START}    $sgpr40 = S_MOV_B32 0\n`, info), [], 'allocated');
  });

  it('callee-saved ones that the prologue does not save', () => {
    const start = START.replace('$vgpr0', '$vgpr0, $vgpr40, $vgpr41');
    const prologue = '    $vgpr2 = frame-setup V_MOV_B32_e32 $vgpr40, implicit $exec\n';
    const write = (n: number): string => `    $vgpr${n} = V_MOV_B32_e32 1, implicit $exec\n`;
    const of = (body: string, isEntry = false): string[] => said(start + body, '', '', 'gfx900', isEntry);
    assert.deepEqual(of(prologue + write(40) + write(41) + write(3)), [
      'callee-saved-register: $vgpr41 = V_MOV_B32_e32 1: $vgpr41 is callee-saved, and no frame-setup instruction saves it',
    ]);
    assert.deepEqual(of(prologue + write(40) + write(41), true), [], 'a kernel saves nothing');
    assert.deepEqual(of(write(40) + write(41)), [], 'no prologue yet');
    assert.deepEqual(of(`${prologue}    $vgpr41 = frame-destroy V_MOV_B32_e32 1, implicit $exec\n`), []);
    assert.deepEqual(of(`${prologue}    $vgpr41 = COPY $vgpr0\n`), []);
  });
});
