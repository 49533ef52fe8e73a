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
