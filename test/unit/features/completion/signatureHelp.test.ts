/** What signatures say of operands: something of each whose value means something of its own, with its range on each target. */
import assert from 'node:assert/strict';
import type { SignatureInformation } from 'vscode-languageserver-types';
import { provideSignatureHelp } from '../../../../server/src/features/completion/signatureHelp.js';
import { atCursor, URI } from '../../../support/cursor.js';

function signature(cpu: string, opcode: string): SignatureInformation {
  const { snapshot, position } = atCursor(
    `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=${cpu} -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n    ${opcode} $0\n...\n`,
  );
  const help = provideSignatureHelp(snapshot, { textDocument: { uri: URI }, position } as never);
  assert.equal(help?.signatures.length, 1, opcode);
  return help.signatures[0]!;
}

/** What is said of the operand that is called so. */
function saidOf(cpu: string, opcode: string, operand: string): string {
  const { label, parameters } = signature(cpu, opcode);
  for (const { label: place, documentation } of parameters ?? []) {
    const text = typeof place === 'string' ? place : label.slice(...place);
    if (text === operand || text.startsWith(`${operand}:`))
      return typeof documentation === 'string' ? documentation : (documentation?.value ?? '');
  }
  throw new Error(`${opcode} has no ${operand}: ${label}`);
}

const OPERANDS: readonly (readonly [cpu: string, opcode: string, operand: string, said: RegExp])[] = [
  ['gfx900', 'V_ADD_F32_e64', 'clamp', /clamps/],
  ['gfx900', 'V_ADD_F32_e64', 'omod', /modifier.*0 to 3/],
  ['gfx900', 'V_ADD_F32_e64', 'src0_modifiers', /1 negates, 2 takes the absolute value/],
  ['gfx900', 'V_ADD_F32_e64', 'src0', /^vs_32, 32 bits; or one of the inline constants: -16 to 64/],
  ['gfx1030', 'V_ADD_F32_e64', 'src0', /^vs_32, 32 bits; or a constant: any of its width takes a literal/],
  ['gfx900', 'V_ADD_F32_e32', 'src0', /^vs_32, 32 bits; or a constant: any of its width takes a literal/],
  ['gfx900', 'V_ADD_F32_e32', 'src1', /^vgpr_32, 32 bits$/],
  ['gfx900', 'V_MAC_F32_e32', 'src2', /tied to vdst: allocated to the same register/],
  ['gfx900', 'V_MADAK_F32', 'imm', /a constant of 32 bits/],
  ['gfx900', 'V_MADAK_F16', 'imm', /a constant of 16 bits/],
  ['gfx900', 'GLOBAL_LOAD_DWORD', 'cpol', /Cache policy/],
  ['gfx900', 'GLOBAL_LOAD_DWORD', 'offset', /Bytes, added to the address\. -4096 to 4095\.$/],
  ['gfx1030', 'GLOBAL_LOAD_DWORD', 'offset', /-2048 to 2047\.$/],
  ['gfx1100', 'GLOBAL_LOAD_DWORD', 'offset', /-4096 to 4095\.$/],
  ['gfx1200', 'GLOBAL_LOAD_DWORD', 'offset', /-8388608 to 8388607\.$/],
  ['gfx900', 'SCRATCH_LOAD_DWORD', 'offset', /-4096 to 4095\.$/],
  ['gfx900', 'FLAT_LOAD_DWORD', 'offset', /0 to 4095\.$/],
  ['gfx803', 'FLAT_LOAD_DWORD', 'offset', /Only 0: the target has no offsets here\.$/],
  ['gfx1030', 'FLAT_LOAD_DWORD', 'offset', /0 to 2047\.$/],
  ['gfx1200', 'FLAT_LOAD_DWORD', 'offset', /-8388608 to 8388607\.$/],
  ['gfx900', 'BUFFER_LOAD_DWORD_OFFEN', 'offset', /0 to 4095\.$/],
  ['gfx900', 'BUFFER_LOAD_DWORD_OFFEN', 'swz', /swizzled/],
  ['gfx900', 'DS_READ_B32_gfx9', 'offset', /0 to 65535\.$/],
  ['gfx900', 'DS_READ_B32_gfx9', 'gds', /GDS instead of LDS/],
  ['gfx900', 'DS_READ2_B32_gfx9', 'offset0', /Added to the address\. In units of the element, 0 to 255\.$/],
  ['gfx900', 'DS_READ2_B32_gfx9', 'offset1', /Added to the address\. In units of the element, 0 to 255\.$/],
  ['gfx900', 'V_PK_ADD_F16', 'op_sel', /takes the upper half/],
  ['gfx900', 'V_PK_ADD_F16', 'op_sel_hi', /upper half of the result/],
  ['gfx900', 'V_PK_ADD_F16', 'neg_lo', /negates the lower half/],
  ['gfx900', 'V_PK_ADD_F16', 'neg_hi', /negates the upper half/],
  ['gfx900', 'IMAGE_LOAD_V4_V2', 'dmask', /component, 0 to 15/],
  ['gfx900', 'IMAGE_LOAD_V4_V2', 'unorm', /texels/],
  ['gfx900', 'IMAGE_LOAD_V4_V2', 'tfe', /sparse texture/],
  ['gfx900', 'V_MOV_B32_dpp', 'dpp_ctrl', /How lanes are permuted/],
  ['gfx900', 'V_MOV_B32_dpp', 'row_mask', /row of 16 lanes, 0 to 15/],
  ['gfx900', 'V_MOV_B32_dpp', 'bank_mask', /bank of 4 lanes, 0 to 15/],
  ['gfx900', 'V_MOV_B32_dpp', 'bound_ctrl', /reads 0 from lanes that are off/],
  ['gfx900', 'S_NOP', 'simm16', /16 bits: 0 to 65535/],
  ['gfx900', 'TBUFFER_LOAD_FORMAT_X_OFFSET', 'format', /Format of the data/],
  ['gfx900', 'S_BRANCH', 'simm16', /^a block, such as %bb\.1$/],
  ['gfx900', 'V_MQSAD_U32_U8_e64', 'vdst', /early-clobber: written before the operands are read/],
  ['gfx900', 'G_ADD', 'op1', /a generic register; operands with the same type number have the same type/],
  ['gfx900', 'COPY', 'src', /what is copied/],
  ['gfx900', 'PHI', 'value', /a pair for each predecessor/],
  ['gfx900', 'PHI', 'block', /a predecessor/],
  ['gfx900', 'REG_SEQUENCE', 'part', /a pair for each part/],
  ['gfx900', 'REG_SEQUENCE', 'subreg', /%subreg\.sub0/],
  ['gfx900', 'INSERT_SUBREG', 'base', /of which one part is replaced/],
  ['gfx900', 'INSERT_SUBREG', 'part', /the new part/],
  ['gfx900', 'EXTRACT_SUBREG', 'src', /of which a part is taken/],
  ['gfx900', 'V_CMP_EQ_U32_e32', 'implicit-def $vcc', /The opcode writes it\./],
  ['gfx900', 'V_CMP_EQ_U32_e32', 'implicit $exec', /The opcode reads it\./],
];

describe('signatures', () => {
  for (const [cpu, opcode, operand, said] of OPERANDS)
    it(`${cpu}: ${operand} of ${opcode}`, () => assert.match(saidOf(cpu, opcode, operand), said));

  const LABELS: readonly (readonly [cpu: string, opcode: string, label: string])[] = [
    ['gfx900', 'S_NOP', 'S_NOP simm16:imm'],
    ['gfx900', 'S_BRANCH', 'S_BRANCH simm16:block'],
    ['gfx900', 'V_NOP_e32', 'V_NOP_e32 implicit $exec'],
    ['gfx900', 'COPY', 'dst = COPY src'],
    ['gfx900', 'S_BARRIER', 'S_BARRIER'],
    ['gfx900', 'G_ADD', 'op0:type0 = G_ADD op1:type0, op2:type0'],
    ['gfx900', 'G_SHL', 'op0:type0 = G_SHL op1:type0, op2:type1'],
    ['gfx900', 'G_BR', 'G_BR op0'],
    ['gfx900', 'PHI', 'dst = PHI value, block, ...'],
    ['gfx900', 'REG_SEQUENCE', 'dst = REG_SEQUENCE part, subreg, ...'],
    ['gfx900', 'INSERT_SUBREG', 'dst = INSERT_SUBREG base, part, subreg'],
    ['gfx900', 'KILL', 'KILL ...'],
    ['gfx900', 'V_CMP_EQ_U32_e32', 'V_CMP_EQ_U32_e32 src0:vs_32, src1:vgpr_32, implicit-def $vcc, implicit $exec'],
    [
      'gfx900',
      'V_ADD_CO_U32_e64',
      'vdst:vgpr_32, sdst:sreg_64 = V_ADD_CO_U32_e64 src0:vs_32, src1:vs_32, clamp:imm, implicit $exec',
    ],
  ];
  for (const [cpu, opcode, label] of LABELS) it(label, () => assert.equal(signature(cpu, opcode).label, label));

  /** The parameter that the cursor is in; empty after the last, null where there is no signature. */
  function activeAt(line: string): string | null {
    const { snapshot, position } = atCursor(
      `# RUN: llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx900 -run-pass=none %s\n---\nname: f\nbody: |\n  bb.0:\n${line}\n...\n`,
    );
    const help = provideSignatureHelp(snapshot, { textDocument: { uri: URI }, position } as never);
    if (help === null) return null;
    assert.equal(help.activeSignature, 0);
    const { label, parameters = [] } = help.signatures[0]!;
    const place = parameters[help.activeParameter!]?.label ?? '';
    return typeof place === 'string' ? place : label.slice(...place);
  }
  const ACTIVE: readonly (readonly [line: string, active: string | null])[] = [
    ['    %0:vgpr_32 = V_ADD_U32_e32 $0', 'src0:vs_32'],
    ['    %0:vgpr_32 = V_ADD_U32_e32 %1$0', 'src0:vs_32'],
    ['    %0:vgpr_32 = V_ADD_U32_e32 %1, $0', 'src1:vgpr_32'],
    ['    %0:vgpr_32 = V_ADD_U32_e32 %1, %2, $0', 'implicit $exec'],
    ['    %0:vgpr_32 = V_ADD_U32_e32 %1, %2, implicit $exec, $0', ''],
    ['    %0:vgpr_32 = V_ADD_U32_e32 %1, %2, implicit $exec, implicit $mode, $0', ''],
    ['    %0:vgpr_32 = nofpexcept V_ADD_F32_e32 $0', 'src0:vs_32'],
    ['    V_ADD_U32_e32 $0', 'src0:vs_32'],
    ['    V_ADD_U32_e32 %1, $0', 'src1:vgpr_32'],
    ['    %0$0:vgpr_32 = V_ADD_U32_e32 %1, %2', 'vdst:vgpr_32'],
    ['    %0:vgpr_32, $0 = V_ADD_CO_U32_e64 %1, %2', 'sdst:sreg_64'],
    ['    $0 = V_ADD_CO_U32_e64 %1, %2', 'vdst:vgpr_32'],
    ['    %0:vgpr_32, %3:sreg_64 = V_ADD_CO_U32_e64 $0', 'src0:vs_32'],
    ['    %0:vgpr_32, %3:sreg_64 = V_ADD_CO_U32_e64 %1, %2, $0', 'clamp:imm'],
    ['    V_CMP_EQ_U32_e32 %1, %2, $0', 'implicit-def $vcc'],
    ['    V_CMP_EQ_U32_e32 %1, %2, implicit-def $vcc, $0', 'implicit $exec'],
    ['    S_NOP $0', 'simm16:imm'],
    ['    S_NOP 0, $0', ''],
    ['    %0:vgpr_32 = COPY $0', 'src'],
    ['    %0:vgpr_32 = PHI $0', 'value'],
    ['    %0:vgpr_32 = PHI %1, $0', 'block'],
    ['    %0:vgpr_32 = PHI %1, %bb.0, $0', 'value'],
    ['    %0:vgpr_32 = PHI %1, %bb.0, %2, $0', 'block'],
    ['    %0:_(s32) = G_PHI %1, %bb.0, %2, %bb.1, $0', 'value'],
    ['    %0:vreg_64 = REG_SEQUENCE %1, $0', 'subreg'],
    ['    %0:vreg_64 = REG_SEQUENCE %1, %subreg.sub0, $0', 'part'],
    ['    %0:vreg_64 = INSERT_SUBREG %1, %2, $0', 'subreg'],
    ['    %0:_(s32) = G_ADD %1, $0', 'op2:type0'],
    // None before the opcode, after the operands, and of none that is known.
    ['    %0:vgpr_32 = $0', null],
    ['    $0', null],
    ['    V_ADD$0', null],
    ['    NOTHING $0', null],
    ['    S_NOP 0, debug-location $0', null],
    ['    %0:vgpr_32 = GLOBAL_LOAD_DWORD %1, 0, 0 :: $0', null],
    ['    successors: $0', null],
    ['  bb.1 ($0', null],
    ['    ; S_NOP $0', null],
  ];
  for (const [line, active] of ACTIVE) it(`${line.trim()} is in ${active}`, () => assert.equal(activeAt(line), active));

  it('none in headers and in files of other targets', () => {
    const at = (text: string): unknown => {
      const { snapshot, position } = atCursor(text);
      return provideSignatureHelp(snapshot, { textDocument: { uri: URI }, position } as never);
    };
    assert.equal(at('# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: S_NOP $0\nbody: |\n  bb.0:\n...\n'), null);
    assert.equal(at('# RUN: llc -mtriple=x86_64-- %s\n---\nname: f\nbody: |\n  bb.0:\n    COPY $0\n...\n'), null);
    assert.equal(at('# RUN: llc S_NOP $0\n'), null);
    assert.notEqual(
      at('# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n    COPY $0'),
      null,
    );
  });
});
