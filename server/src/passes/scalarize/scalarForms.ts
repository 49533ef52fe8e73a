/**
 * The SALU instruction that computes what a VALU instruction computes where all of its sources are the same in every lane, and what it costs: operands in
 * which order, SCC, one literal. docs/uniformity.md, "Moving to the SALU".
 */
import { InlineConstants } from '../../analysis/verifier/inlineConstants.js';
import type { NewOperand } from '../../model/edit/functionEditor.js';
import { OperandKind, type InstrId, type MachineFunction, type OperandId } from '../../model/machineFunction.js';
import { OperandType, type RegClassId } from '../../target/index.js';

/** Operands of the VALU opcode in the order in which the SALU opcode takes them. */
type Order = readonly ('src0' | 'src1' | 'src2')[];

const FIRST: Order = ['src0'];
const PLAIN: Order = ['src0', 'src1'];
const REVERSED: Order = ['src1', 'src0'];

/**
 * By VALU opcode without its encoding. Integers of 64 bits: shifts everywhere, sums from gfx12 on. Floats are there from gfx11.5 on, with the same rounding and
 * denormals: both read MODE.
 */
const FORMS: Readonly<Record<string, readonly [scalar: string, order: Order]>> = {
  V_MOV_B32: ['S_MOV_B32', FIRST],
  V_NOT_B32: ['S_NOT_B32', FIRST],
  V_BFREV_B32: ['S_BREV_B32', FIRST],
  V_FFBL_B32: ['S_FF1_I32_B32', FIRST],
  V_FFBH_U32: ['S_FLBIT_I32_B32', FIRST],
  V_FFBH_I32: ['S_FLBIT_I32', FIRST],
  V_ADD_U32: ['S_ADD_I32', PLAIN],
  V_SUB_U32: ['S_SUB_I32', PLAIN],
  V_SUBREV_U32: ['S_SUB_I32', REVERSED],
  V_ADD_CO_U32: ['S_ADD_U32', PLAIN],
  V_ADDC_U32: ['S_ADDC_U32', PLAIN],
  V_SUB_CO_U32: ['S_SUB_U32', PLAIN],
  V_SUBB_U32: ['S_SUBB_U32', PLAIN],
  V_SUBREV_CO_U32: ['S_SUB_U32', REVERSED],
  V_SUBBREV_U32: ['S_SUBB_U32', REVERSED],
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
  V_BFM_B32: ['S_BFM_B32', PLAIN],
  V_MIN_I32: ['S_MIN_I32', PLAIN],
  V_MIN_U32: ['S_MIN_U32', PLAIN],
  V_MAX_I32: ['S_MAX_I32', PLAIN],
  V_MAX_U32: ['S_MAX_U32', PLAIN],
  V_MOV_B64: ['S_MOV_B64', FIRST],
  V_LSHLREV_B64: ['S_LSHL_B64', REVERSED],
  V_LSHRREV_B64: ['S_LSHR_B64', REVERSED],
  V_ASHRREV_I64: ['S_ASHR_I64', REVERSED],
  V_LSHL_B64: ['S_LSHL_B64', PLAIN],
  V_LSHR_B64: ['S_LSHR_B64', PLAIN],
  V_ASHR_I64: ['S_ASHR_I64', PLAIN],
  V_ADD_U64: ['S_ADD_U64', PLAIN],
  V_SUB_U64: ['S_SUB_U64', PLAIN],
  V_MUL_U64: ['S_MUL_U64', PLAIN],
  V_ADD_F32: ['S_ADD_F32', PLAIN],
  V_SUB_F32: ['S_SUB_F32', PLAIN],
  V_SUBREV_F32: ['S_SUB_F32', REVERSED],
  V_MUL_F32: ['S_MUL_F32', PLAIN],
  V_TRUNC_F32: ['S_TRUNC_F32', FIRST],
  V_CEIL_F32: ['S_CEIL_F32', FIRST],
  V_FLOOR_F32: ['S_FLOOR_F32', FIRST],
  V_CVT_F32_I32: ['S_CVT_F32_I32', FIRST],
  V_CVT_F32_U32: ['S_CVT_F32_U32', FIRST],
};

/** What an opcode is to the carry of a sum of two halves. */
const CARRY: Readonly<Record<string, 'out' | 'in'>> = {
  V_ADD_CO_U32: 'out',
  V_SUB_CO_U32: 'out',
  V_SUBREV_CO_U32: 'out',
  V_ADDC_U32: 'in',
  V_SUBB_U32: 'in',
  V_SUBBREV_U32: 'in',
};

/** Those take scalar registers as they stand; every so many operands, from the given one on, is a source. */
const GENERIC: Readonly<Record<string, readonly [first: number, step: number]>> = {
  PHI: [1, 2],
  REG_SEQUENCE: [1, 2],
  IMPLICIT_DEF: [1, 1],
};

/** Modifiers that the SALU has none of: all zero. */
const MODIFIERS = ['src0_modifiers', 'src1_modifiers', 'src2_modifiers', 'clamp', 'omod', 'op_sel'] as const;

export interface ScalarForm {
  readonly opcode: number;
  /** operands of the instruction that are its sources, in the order of the SALU */
  readonly sources: readonly OperandId[];
  /** a source that the VALU instruction spells in another way, after the others */
  readonly constant: NewOperand | null;
  /** the instruction stays, and only its registers change */
  readonly isGeneric: boolean;
  /** it overwrites SCC */
  readonly writesSCC: boolean;
  /** it gives SCC to the instruction after it, if that wants it, or takes it from the one in front */
  readonly carry: 'out' | 'in' | null;
}

const immediate = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val, ext: val >> 31 });

/** Bits of a register operand, of the part that it names. */
export function operandBits(fn: MachineFunction, o: OperandId, rc: RegClassId): number {
  return fn.opSub[o] === 0 ? fn.tables.regClassBits[rc] : fn.tables.subRegSize[fn.opSub[o]];
}

/** Why an instruction has no form on the SALU of this processor, as the end of a sentence; or the form. */
export function scalarForm(fn: MachineFunction, i: InstrId): ScalarForm | string {
  const { tables } = fn;
  const opcode = fn.opcode[i];
  const name = tables.opcodeName(opcode);
  const [begin, end] = [fn.opBegin[i], fn.opBegin[i + 1]];
  if (name === 'COPY')
    return { opcode, sources: [begin + 1], constant: null, isGeneric: false, writesSCC: false, carry: null };
  if (Object.hasOwn(GENERIC, name)) {
    const [first, step] = GENERIC[name];
    const sources: OperandId[] = [];
    for (let o = begin + first; o < end; o += step) sources.push(o);
    return { opcode, sources, constant: null, isGeneric: true, writesSCC: false, carry: null };
  }
  const plain = name.replace(/(?:_gfx10|_pseudo)?(?:_e(?:32|64))?$/, '').replace(/_PSEUDO$/, '');
  const form = special(fn, i, plain) ?? (Object.hasOwn(FORMS, plain) ? FORMS[plain] : undefined);
  if (form === undefined) return `${name} has no scalar form`;
  if (typeof form === 'string') return form;
  const [scalarName, order, constant = null] = form;
  const carry = Object.hasOwn(CARRY, plain) ? CARRY[plain] : null;
  if (carry !== null && tables.getNamedOperandIdx(opcode, 'sdst') < 0) return `${name} writes VCC`;
  const scalar = tables.opcodeByName(scalarName);
  if (!exists(fn, scalar)) return `${fn.subtarget.cpu} has no ${scalarName}`;
  for (const modifier of MODIFIERS) {
    const idx = tables.getNamedOperandIdx(opcode, modifier);
    if (idx >= 0 && fn.opVal[begin + idx] !== 0) return `${name} has modifiers`;
  }
  const sources = order.map((s) => begin + tables.getNamedOperandIdx(opcode, s));
  const why = whyNoConstants(fn, scalar, sources, constant);
  if (why !== '') return why;
  const writesSCC = tables.implicitDefs(scalar).some((reg) => tables.regName(reg) === 'scc');
  return { opcode: scalar, sources, constant, isGeneric: false, writesSCC, carry };
}

/** Whether the processor has the opcode; the only pseudo among them is a move that llc expands anywhere. */
function exists({ tables, subtarget }: MachineFunction, scalar: number): boolean {
  if (scalar < 0) return false;
  return tables.opcodeName(scalar) === 'S_MOV_B64_IMM_PSEUDO' || subtarget.mcOpcode(scalar) >= 0;
}

/** Opcodes whose form depends on their constants. Undefined for others, and where the constants do not fit. */
function special(
  fn: MachineFunction,
  i: InstrId,
  plain: string,
): readonly [string, Order, NewOperand?] | string | undefined {
  const { tables } = fn;
  const at = (operand: string): OperandId =>
    fn.opBegin[i] + Math.max(0, tables.getNamedOperandIdx(fn.opcode[i], operand));
  const constantAt = (operand: string): number | null =>
    fn.opKind[at(operand)] === OperandKind.Immediate ? fn.opVal[at(operand)] : null;
  switch (plain) {
    case 'V_MOV_B64': {
      const o = at('src0');
      if (fn.opKind[o] !== OperandKind.Immediate) return undefined;
      const isInline = new InlineConstants(fn.subtarget).isInline(fn.opVal[o], fn.opExt[o], OperandType.RegImmInt64);
      return [isInline ? 'S_MOV_B64' : 'S_MOV_B64_IMM_PSEUDO', FIRST];
    }
    case 'V_BCNT_U32_B32':
      return constantAt('src1') === 0 ? ['S_BCNT1_I32_B32', FIRST] : undefined;
    case 'V_BFE_U32':
    case 'V_BFE_I32': {
      const [offset, width] = [constantAt('src1'), constantAt('src2')];
      if (offset === null || width === null) return undefined;
      const field = ((width & 31) << 16) | (offset & 31);
      return [plain.replace('V_', 'S_'), FIRST, immediate(field)];
    }
    case 'V_LSHL_ADD_U32': {
      const shift = constantAt('src1');
      return shift !== null && shift >= 1 && shift <= 4 ? [`S_LSHL${shift}_ADD_U32`, ['src0', 'src2']] : undefined;
    }
    case 'V_LSHL_ADD_U64':
      return constantAt('src1') === 0 ? ['S_ADD_U64', ['src0', 'src2']] : undefined;
    default:
      return undefined;
  }
}

/** The SALU encodes one literal of 32 bits. */
function whyNoConstants(
  fn: MachineFunction,
  scalar: number,
  sources: readonly OperandId[],
  constant: NewOperand | null,
): string {
  const { tables, subtarget } = fn;
  const inline = new InlineConstants(subtarget);
  const isMove = tables.opcodeName(scalar) === 'S_MOV_B64_IMM_PSEUDO';
  const literals = new Set<string>();
  const add = (val: number, ext: number, type: number): void => {
    if (!inline.isInline(val, ext, type)) literals.add(`${val}`);
  };
  if (constant !== null) add(constant.val, constant.ext ?? 0, OperandType.RegImmInt32);
  for (const [k, o] of sources.entries()) {
    if (fn.opKind[o] === OperandKind.Register || isMove) continue;
    if (fn.opKind[o] !== OperandKind.Immediate) return 'it reads an address';
    const rc = subtarget.opInfoRegClass(scalar, k + 1);
    const isWide = rc >= 0 && tables.regClassBits[rc] === 64;
    if (isWide && !inline.isInline(fn.opVal[o], fn.opExt[o], OperandType.RegImmInt64))
      return 'the SALU has no literals of 64 bits';
    if (!isWide) add(fn.opVal[o], fn.opExt[o], OperandType.RegImmInt32);
  }
  return literals.size > 1 ? 'the SALU takes one literal' : '';
}
