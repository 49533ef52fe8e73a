/**
 * The SALU instruction that computes what a VALU instruction computes where all of its sources are the same in every lane, and what it costs: operands in
 * which order, SCC, one literal. docs/uniformity.md, "Moving to the SALU".
 */
import { InlineConstants } from '../../analysis/verifier/inlineConstants.js';
import { OperandKind, type InstrId, type MachineFunction, type OperandId } from '../../model/machineFunction.js';
import { OperandType } from '../../target/index.js';

/** Operands of the VALU opcode in the order in which the SALU opcode takes them. */
type Order = readonly ('src0' | 'src1' | 'src2')[];

const PLAIN: Order = ['src0', 'src1'];
const REVERSED: Order = ['src1', 'src0'];

/** By VALU opcode without its encoding. Floats are there from gfx11.5 on, with the same rounding and denormals: both read MODE. */
const FORMS: Readonly<Record<string, readonly [scalar: string, order: Order]>> = {
  V_MOV_B32: ['S_MOV_B32', ['src0']],
  V_NOT_B32: ['S_NOT_B32', ['src0']],
  V_BFREV_B32: ['S_BREV_B32', ['src0']],
  V_FFBL_B32: ['S_FF1_I32_B32', ['src0']],
  V_FFBH_U32: ['S_FLBIT_I32_B32', ['src0']],
  V_ADD_U32: ['S_ADD_I32', PLAIN],
  V_SUB_U32: ['S_SUB_I32', PLAIN],
  V_SUBREV_U32: ['S_SUB_I32', REVERSED],
  V_MUL_LO_U32: ['S_MUL_I32', PLAIN],
  V_MUL_HI_U32: ['S_MUL_HI_U32', PLAIN],
  V_MUL_HI_I32: ['S_MUL_HI_I32', PLAIN],
  V_AND_B32: ['S_AND_B32', PLAIN],
  V_OR_B32: ['S_OR_B32', PLAIN],
  V_XOR_B32: ['S_XOR_B32', PLAIN],
  V_XNOR_B32: ['S_XNOR_B32', PLAIN],
  V_LSHLREV_B32: ['S_LSHL_B32', REVERSED],
  V_LSHRREV_B32: ['S_LSHR_B32', REVERSED],
  V_ASHRREV_I32: ['S_ASHR_I32', REVERSED],
  V_LSHL_B32: ['S_LSHL_B32', PLAIN],
  V_LSHR_B32: ['S_LSHR_B32', PLAIN],
  V_ASHR_I32: ['S_ASHR_I32', PLAIN],
  V_MIN_I32: ['S_MIN_I32', PLAIN],
  V_MIN_U32: ['S_MIN_U32', PLAIN],
  V_MAX_I32: ['S_MAX_I32', PLAIN],
  V_MAX_U32: ['S_MAX_U32', PLAIN],
  V_ADD_F32: ['S_ADD_F32', PLAIN],
  V_SUB_F32: ['S_SUB_F32', PLAIN],
  V_SUBREV_F32: ['S_SUB_F32', REVERSED],
  V_MUL_F32: ['S_MUL_F32', PLAIN],
  V_CVT_F32_I32: ['S_CVT_F32_I32', ['src0']],
  V_CVT_F32_U32: ['S_CVT_F32_U32', ['src0']],
};

/** Modifiers that the SALU has none of: all zero. */
const MODIFIERS = ['src0_modifiers', 'src1_modifiers', 'src2_modifiers', 'clamp', 'omod', 'op_sel'] as const;

export interface ScalarForm {
  readonly opcode: number;
  /** operands of the instruction that are its sources, in the order of the SALU */
  readonly sources: readonly OperandId[];
  /** it overwrites SCC */
  readonly writesSCC: boolean;
}

/** Why an instruction has no form on the SALU of this processor, as the end of a sentence; or the form. */
export function scalarForm(fn: MachineFunction, i: InstrId): ScalarForm | string {
  const { tables, subtarget } = fn;
  const opcode = fn.opcode[i];
  const name = tables.opcodeName(opcode);
  if (name === 'PHI') {
    const sources: OperandId[] = [];
    for (let o = fn.opBegin[i] + 1; o < fn.opBegin[i + 1]; o += 2) sources.push(o);
    return { opcode, sources, writesSCC: false };
  }
  if (name === 'COPY') return { opcode, sources: [fn.opBegin[i] + 1], writesSCC: false };
  const plain = name.replace(/_e(?:32|64)$/, '');
  const form = Object.hasOwn(FORMS, plain) ? FORMS[plain] : undefined;
  if (form === undefined) return `${name} has no scalar form`;
  const [scalarName, order] = form;
  const scalar = tables.opcodeByName(scalarName);
  if (scalar < 0 || subtarget.mcOpcode(scalar) < 0) return `${subtarget.cpu} has no ${scalarName}`;
  for (const modifier of MODIFIERS) {
    const idx = tables.getNamedOperandIdx(opcode, modifier);
    if (idx >= 0 && fn.opVal[fn.opBegin[i] + idx] !== 0) return `${name} has modifiers`;
  }
  const sources = order.map((s) => fn.opBegin[i] + tables.getNamedOperandIdx(opcode, s));
  const inline = new InlineConstants(subtarget);
  const literals = new Set<string>();
  for (const o of sources) {
    if (fn.opKind[o] === OperandKind.Register) continue;
    if (fn.opKind[o] !== OperandKind.Immediate) return `${name} reads an address`;
    if (!inline.isInline(fn.opVal[o], fn.opExt[o], OperandType.RegImmInt32)) literals.add(`${fn.opVal[o]}`);
  }
  if (literals.size > 1) return 'the SALU takes one literal';
  const writesSCC = tables.implicitDefs(scalar).some((reg) => tables.regName(reg) === 'scc');
  return { opcode: scalar, sources, writesSCC };
}
