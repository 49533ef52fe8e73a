/** Hover on a wait: what it waits for. */
import { provideHover } from '../../../server/src/features/hover/hover.js';
import type { MarkupContent } from 'vscode-languageserver-types';
import { expect } from '../../support/expect.js';
import { atCursor, cursorIn } from '../../support/cursor.js';
import { hoverText } from '../../support/hoverTexts.js';

const TEXT = `# RUN: llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none %s
---
name: f
tracksRegLiveness: false
body: |
  bb.0:
    $vgpr0 = GLOBAL_LOAD_DWORD $vgpr8_vgpr9, 0, 0, implicit $exec
    $vgpr1 = GLOBAL_LOAD_DWORD $vgpr8_vgpr9, 4, 0, implicit $exec
    $sgpr0 = S_LOAD_DWORD_IMM $sgpr2_sgpr3, 0, 0
    S_WAITCNT 113
    $vgpr2 = V_ADD_U32_e32 $sgpr0, $vgpr0, implicit $exec
    S_WAITCNT 3952
    S_WAITCNT 3952
    $vgpr2 = V_ADD_U32_e32 $vgpr1, $vgpr1, implicit $exec
    S_ENDPGM 0
...
`;
const hoverAt = (piece: string): string => {
  const { snapshot, position } = atCursor(cursorIn(TEXT, piece));
  const text = hoverText(provideHover(snapshot, { position })!.contents as MarkupContent);
  return text
    .split('\n')
    .filter((line) => /cnt/.test(line))
    .join('\n');
};

describe('hover on a wait', () => {
  it('names what is awaited by counter, how far back, and who needs it', () => {
    expect`
      **waits for** vmcnt 1: GLOBAL_LOAD_DWORD of line 7 (2 instructions between, needed in line 11) (1 younger one may go on)
      **waits for** lgkmcnt: S_LOAD_DWORD_IMM of line 9 (just before, needed in line 11)
    `.equals(hoverAt('S_WAITCNT$0 113'));
  });

  it('knows what an earlier wait has waited for', () => {
    expect`**waits for** vmcnt: GLOBAL_LOAD_DWORD of line 8 (3 instructions between, needed in line 14)`.equals(
      hoverAt('S_WAITCNT$0 3952\n    S_WAITCNT'),
    );
    expect`vmcnt: nothing is under way here`.equals(hoverAt('S_WAITCNT$0 3952\n    $vgpr2'));
  });

  it('says nothing on other instructions', () => {
    expect``.equals(hoverAt('V_ADD_U32_e32$0 $sgpr0'));
  });
});

describe('hover on S_WAITCNT_DEPCTR', () => {
  const text = (imm: number): string => `# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 -run-pass=none %s
---
name: f
tracksRegLiveness: false
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 1, implicit $exec
    $vgpr1 = V_MOV_B32_e32 $sgpr4, implicit $exec
    $sgpr0 = S_MOV_B32 1
    GLOBAL_STORE_DWORD $vgpr8_vgpr9, $vgpr1, 0, 0, implicit $exec
    S_WAITCNT_DE$0PCTR ${imm}
    S_ENDPGM 0
...
`;
  const waits = (imm: number): string => {
    const { snapshot, position } = atCursor(text(imm));
    const told = hoverText(provideHover(snapshot, { position })!.contents as MarkupContent);
    return told
      .split('\n')
      .filter((line) => line.includes('**waits for**'))
      .join('\n');
  };

  it('tells of each field that waits what it waits for, and which instruction that is', () => {
    // As llvm-mc-22 encodes them: va_vdst(0), va_vdst(1), vm_vsrc(0), sa_sdst(0), va_ssrc(0), va_vcc(0).
    expect`**waits for** VALU writes of VGPRs: V_MOV_B32_e32 of line 8`.equals(waits(0x0f9f));
    expect`**waits for** VALU writes of VGPRs, but for the youngest: V_MOV_B32_e32 of line 7`.equals(waits(0x1f9f));
    expect`**waits for** reads of VGPRs by memory instructions: GLOBAL_STORE_DWORD of line 10`.equals(waits(0xff83));
    expect`**waits for** SALU writes of SGPRs: S_MOV_B32 of line 9`.equals(waits(0xff9e));
    expect`**waits for** VALU reads of SGPRs: V_MOV_B32_e32 of line 8`.equals(waits(0xfe9f));
    expect`**waits for** VALU writes of VCC: none before it in the block`.equals(waits(0xff9d));
    expect``.equals(waits(0xff9f));
  });
});

describe('hover on no-ops', () => {
  const told = (cpu: string, body: readonly string[]): string => {
    const header = `# RUN: llc -mtriple=amdgcn -mcpu=${cpu} -run-pass=none %s\n---\nname: f\ntracksRegLiveness: false\nbody: |\n  bb.0:\n`;
    const lines = [...body, 'S_ENDPGM 0'].map((line) => `    ${line}\n`).join('');
    const { snapshot, position } = atCursor(`${header}${lines}...\n`);
    const text = hoverText(provideHover(snapshot, { position })!.contents as MarkupContent);
    return text
      .split('\n')
      .filter((line) => /^\*\*(?:stands for|no hazard|delays)/.test(line))
      .join('\n');
  };
  const [MFMA, READ] = [
    'renamable $agpr0_agpr1_agpr2_agpr3 = V_MFMA_F32_4X4X1F32_e64 $vgpr0, $vgpr1, $agpr0_agpr1_agpr2_agpr3, 0, 0, 0, implicit $mode, implicit $exec',
    '$vgpr4 = V_ACCVGPR_READ_B32_e64 $agpr0, implicit $exec',
  ];
  const [WRITE, LANE] = [
    '$sgpr8 = V_READFIRSTLANE_B32 $vgpr2, implicit $exec',
    '$vgpr0 = V_WRITELANE_B32 3, $sgpr8, $vgpr0, implicit $exec',
  ];

  it('names the hazard between the instructions before and after', () => {
    expect`**stands for** 4 wait states between V_MFMA_F32_4X4X1F32_e64 of line 7 and V_ACCVGPR_READ_B32_e64 of line 9, which reads $agpr0_agpr1_agpr2_agpr3`.equals(
      told('gfx908', [MFMA, 'S_N$0OP 3', READ]),
    );
    expect`**stands for** 5 wait states between V_MFMA_F32_4X4X1F32_e64 of line 7 and V_ACCVGPR_READ_B32_e64 of line 10, which reads $agpr0_agpr1_agpr2_agpr3`.equals(
      told('gfx90a', [MFMA, 'S_NOP 2', 'S_N$0OP 1', READ]),
    );
    expect`**stands for** 4 wait states between V_READFIRSTLANE_B32 of line 7 and V_WRITELANE_B32 of line 9, which reads $sgpr8`.equals(
      told('gfx900', [WRITE, 'S_N$0OP 3', LANE]),
    );
    expect`**stands for** 3 wait states between V_READFIRSTLANE_B32 of line 7 and V_WRITELANE_B32 of line 10, which reads $sgpr8`.equals(
      told('gfx900', [WRITE, 'S_MOV_B32 0, implicit-def $sgpr1', 'S_N$0OP 2', LANE]),
    );
    expect`**stands for** 1 wait state between S_MOV_B32 of line 7 and S_SENDMSG of line 9, which reads $m0`.equals(
      told('gfx900', ['$m0 = S_MOV_B32 1', 'S_N$0OP 0', 'S_SENDMSG 1, implicit $exec, implicit $m0']),
    );
    expect`**no hazard** that LLVM knows on gfx900 needs it before V_MOV_B32_e32 of line 9`.equals(
      told('gfx900', ['$m0 = S_MOV_B32 1', 'S_N$0OP 0', '$vgpr0 = V_MOV_B32_e32 0, implicit $exec']),
    );
    expect`**no hazard** that LLVM knows on gfx1030 needs it before V_WRITELANE_B32 of line 9`.equals(
      told('gfx1030', [WRITE, 'S_N$0OP 3', LANE]),
    );
  });

  it('names what a delay lets finish', () => {
    const [A, B] = [
      '$vgpr0 = V_MOV_B32_e32 1, implicit $exec',
      '$vgpr1 = V_EXP_F32_e32 $vgpr2, implicit $exec, implicit $mode',
    ];
    const use = '$vgpr3 = V_ADD_U32_e32 $vgpr0, $vgpr1, implicit $exec';
    expect`
      **delays** V_ADD_U32_e32 of line 10 until V_MOV_B32_e32 of line 7 has its result
      **delays** V_ADD_U32_e32 of line 10 until V_EXP_F32_e32 of line 8 has its result
    `.equals(told('gfx1100', [A, B, `S_DELAY_$0ALU ${1 | (5 << 7)}`, use]));
    expect`
      **delays** V_ADD_U32_e32 of line 10 until V_EXP_F32_e32 of line 8 has its result
      **delays** V_ADD_U32_e32 of line 12 until V_MOV_B32_e32 of line 7 has its result
    `.equals(told('gfx1100', [A, B, `S_DELAY_$0ALU ${5 | (2 << 4) | (2 << 7)}`, use, '$sgpr0 = S_MOV_B32 1', use]));
    expect`**delays** V_ADD_U32_e32 of line 8 until 2 cycles of the SALU are over`.equals(
      told('gfx1100', [`S_DELAY_$0ALU ${9 + 1}`, use]),
    );
    expect`**delays** V_ADD_U32_e32 of line 8 until the result of 3 VALU instructions back, before the block`.equals(
      told('gfx1100', [`S_DELAY_$0ALU 3`, use]),
    );
  });
});
