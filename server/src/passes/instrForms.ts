/**
 * Other forms of an instruction: with its sources exchanged, of 32 bits, with a result of its own (SIInstrInfo, LLVM 22; docs/llvm/folding.md, 2).
 * An instruction with another number of operands has another id; `now` follows it.
 */
import { operandOf, regOperand, type FunctionEditor, type NewOperand } from '../model/edit/functionEditor.js';
import { InstrBuilder } from '../model/edit/instrBuilder.js';
import { OperandKind, OpFlag, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { isPhysicalReg, virtRegIndex } from '../model/register.js';
import {
  clampKind,
  hasOpcodeFlag,
  isVALU,
  isWMMA,
  McFlag,
  OperandType,
  type Opcode,
  type OpName,
  type Subtarget,
  type TargetTables,
} from '../target/index.js';
import { OpcodePattern } from '../target/opcodeSets.js';
import { OperandLegality } from './operandLegality.js';
import { RegisterFacts, Unmodelled } from './registerFacts.js';

/** Multiply-accumulate instructions by name: what they are with an accumulator of their own. */
const THREE_ADDRESS: Readonly<Record<string, string>> = {
  V_MAC_F16: 'V_MAD_F16_e64',
  V_MAC_F32: 'V_MAD_F32_e64',
  V_MAC_LEGACY_F32: 'V_MAD_LEGACY_F32_e64',
  V_FMAC_F16: 'V_FMA_F16_gfx9_e64',
  V_FMAC_F16_t16: 'V_FMA_F16_gfx9_t16_e64',
  V_FMAC_F16_fake16: 'V_FMA_F16_gfx9_fake16_e64',
  V_FMAC_F32: 'V_FMA_F32_e64',
  V_FMAC_LEGACY_F32: 'V_FMA_LEGACY_F32_e64',
  V_FMAC_F64: 'V_FMA_F64_e64',
};

/** Instructions with three sources of which a form of 32 bits may exist. */
const CARRY_USERS = new OpcodePattern(/^V_(?:ADDC|SUBB|SUBBREV)_U32_e64$/);
const ACCUMULATES = new OpcodePattern(/^V_F?MAC_(?:LEGACY_)?F\d\d(?:_t16|_fake16)?_e64$/);
const SELECTS = new OpcodePattern(/^V_CNDMASK_B32_e64$/);

const FOLDABLE_COPY = new OpcodePattern(
  /^(?:V_MOV_B16_t16_e(?:32|64)|V_MOV_B(?:32|64)_e(?:32|64)|V_MOV_B64_PSEUDO|S_MOV_B(?:32|64)|S_MOV_B64_IMM_PSEUDO|COPY|WWM_COPY|V_ACCVGPR_(?:WRITE|READ)_B32_e64|V_ACCVGPR_MOV_B32|AV_MOV_B(?:32|64)_IMM_PSEUDO)$/,
);

/** of 16-bit registers, real ones or not (AMDGPU::isTrue16Inst) */
export const TRUE16 = new OpcodePattern(/_(?:t16|fake16)(?:_|$)/);

const ADDED_MODIFIERS: readonly OpName[] = [
  'src0_modifiers',
  'src1_modifiers',
  'src2_modifiers',
  'clamp',
  'omod',
  'op_sel',
];

/**
 * The opcode with its two sources exchanged; -1 if the processor has none.
 * @llvm SIInstrInfo.cpp SIInstrInfo::commuteOpcode
 */
export function commutedOpcode(st: Subtarget, opcode: Opcode): Opcode {
  for (const map of ['CommuteRev', 'CommuteOrig'] as const) {
    const other = st.tables.mapOpcode(map, opcode);
    if (other >= 0) return st.mcOpcode(other) >= 0 ? other : -1;
  }
  return opcode;
}

export class InstrForms {
  readonly fn: MachineFunction;
  readonly tables: TargetTables;
  readonly facts: RegisterFacts;
  readonly legality: OperandLegality;
  readonly builder: InstrBuilder;
  private readonly became = new Map<InstrId, InstrId>();

  constructor(readonly editor: FunctionEditor) {
    this.fn = editor.fn;
    this.tables = editor.fn.tables;
    this.facts = new RegisterFacts(editor.fn);
    this.legality = new OperandLegality(editor.fn, this.facts);
    this.builder = new InstrBuilder(editor, true);
  }

  /** The id under which an instruction goes on. */
  now(i: InstrId): InstrId {
    let id = i;
    for (let next = this.became.get(id); next !== undefined; next = this.became.get(id)) id = next;
    return id;
  }

  /** Other operands of an instruction (FunctionEditor.reshape). Returns its new id. */
  reshape(i: InstrId, operands: readonly (number | NewOperand)[]): InstrId {
    const made = this.editor.reshape(i, operands);
    this.became.set(i, made);
    return made;
  }

  /** Takes operands out, by their indices. */
  drop(i: InstrId, ...dropped: number[]): InstrId {
    const kept: number[] = [];
    for (let k = 0, n = this.fn.numOperands(i); k < n; k++) if (!dropped.includes(k)) kept.push(k);
    return this.reshape(i, kept);
  }

  opcode(name: string): Opcode {
    return this.tables.opcodeByName(name);
  }

  nameOf(i: InstrId): string {
    return this.tables.opcodeName(this.fn.opcode[i]);
  }

  has(opcode: Opcode, name: OpName): boolean {
    return this.tables.getNamedOperandIdx(opcode, name) >= 0;
  }

  /**
   * Operand by name, -1 = the instruction has none.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getNamedOperand
   */
  named(i: InstrId, name: OpName): OperandId {
    const k = this.tables.getNamedOperandIdx(this.fn.opcode[i], name);
    return k < 0 ? -1 : this.fn.opBegin[i] + k;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::hasModifiersSet */
  isSet(i: InstrId, name: OpName): boolean {
    const o = this.named(i, name);
    return o >= 0 && (this.fn.opVal[o] !== 0 || this.fn.opExt[o] !== 0);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::hasAnyModifiersSet */
  hasAnyModifier(i: InstrId): boolean {
    return ADDED_MODIFIERS.some((name) => this.isSet(i, name));
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::isFoldableCopy */
  isFoldableCopy(i: InstrId): boolean {
    return FOLDABLE_COPY.has(this.tables, this.fn.opcode[i]);
  }

  /** Unties the operand at `k` from what it is tied to. */
  untie(i: InstrId, k: number): void {
    const { fn } = this;
    const begin = fn.opBegin[i];
    const other = fn.opTied[begin + k];
    if (other >= 0) fn.opTied[begin + other] = -1;
    fn.opTied[begin + k] = -1;
  }

  // -- sources exchanged -----------------------------------------------------------------------------------------------

  /**
   * The source with which the one at `k` could change places, -1 = none.
   * @llvm SIInstrInfo.cpp SIInstrInfo::findCommutedOpIndices
   */
  partnerOf(i: InstrId, k: number): number {
    const { tables, fn } = this;
    const opcode = fn.opcode[i];
    if (!hasOpcodeFlag(tables, opcode, McFlag.Commutable)) return -1;
    const [src0, src1] = [tables.getNamedOperandIdx(opcode, 'src0'), tables.getNamedOperandIdx(opcode, 'src1')];
    if (src0 < 0 || src1 < 0) return -1;
    return k === src0 ? src1 : k === src1 ? src0 : -1;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::isLegalToSwap */
  private isLegalToSwap(i: InstrId, k0: number, k1: number): boolean {
    const { fn, tables, legality } = this;
    const opcode = fn.opcode[i];
    const src0 = tables.getNamedOperandIdx(opcode, 'src0');
    const [a, b] = [k0, k1].map((k) => operandOf(fn, fn.opBegin[i] + k));
    const isReg = (op: NewOperand): boolean => op.kind === OperandKind.Register;
    const typeOf = (k: number): OperandType => legality.typeOf(opcode, k);
    if (isVALU(tables, opcode)) {
      if (k0 === src0 && !isReg(a) && !legality.isInline(a, typeOf(k1))) return false;
      if (k1 === src0 && !isReg(b) && !legality.isInline(b, typeOf(k0))) return false;
    }
    const fits = (k: number, op: NewOperand): boolean => legality.isLegalRegister(i, k, op);
    const classAt = (k: number): number => fn.subtarget.opInfoRegClass(opcode, k);
    if (k1 !== src0 && isReg(a)) {
      if (classAt(k1) < 0) return typeOf(k1) === OperandType.Unknown;
      return fits(k1, a) && (!isReg(b) || fits(k0, b));
    }
    if (k0 !== src0 && isReg(b)) {
      if (classAt(k0) < 0) return typeOf(k0) === OperandType.Unknown;
      return (!isReg(a) || fits(k1, a)) && fits(k0, b);
    }
    return legality.isLegalImmediate(opcode, k1, a);
  }

  /**
   * Exchanges the two sources, modifiers and all, where that is legal.
   * @llvm SIInstrInfo.cpp SIInstrInfo::commuteInstructionImpl
   */
  commute(i: InstrId): boolean {
    const { fn, tables, editor } = this;
    const opcode = fn.opcode[i];
    const commuted = commutedOpcode(fn.subtarget, opcode);
    const k0 = tables.getNamedOperandIdx(opcode, 'src0');
    const k1 = this.partnerOf(i, k0);
    if (k0 < 0 || k1 < 0 || commuted < 0 || !this.isLegalToSwap(i, k0, k1)) return false;
    const [o0, o1] = [fn.opBegin[i] + k0, fn.opBegin[i] + k1];
    const [a, b] = [operandOf(fn, o0), operandOf(fn, o1)];
    const areImms = a.kind === OperandKind.Immediate && b.kind === OperandKind.Immediate;
    const hasReg = a.kind === OperandKind.Register || b.kind === OperandKind.Register;
    if (!areImms && !(hasReg && SWAPPED_KINDS.has(a.kind) && SWAPPED_KINDS.has(b.kind))) return false;
    const put = (o: OperandId, op: NewOperand): void => {
      if (fn.opKind[o] !== OperandKind.Register || op.kind !== OperandKind.Register) {
        const isReg = op.kind === OperandKind.Register;
        editor.setOperand(o, isReg ? { ...op, flags: (op.flags ?? 0) & KEPT_FLAGS } : op);
        return;
      }
      editor.setReg(o, op.val);
      fn.opSub[o] = op.sub ?? 0;
      fn.opFlags[o] = op.flags ?? 0;
    };
    put(o1, a);
    put(o0, b);
    if (a.kind === OperandKind.Register && b.kind === OperandKind.Register) this.narrowImplicit(i);
    for (const suffix of ['modifiers', 'sel'] as const) {
      const [m0, m1] = [this.named(i, `src0_${suffix}`), this.named(i, `src1_${suffix}`)];
      if (m0 < 0 || m1 < 0) continue;
      [fn.opVal[m0], fn.opVal[m1]] = [fn.opVal[m1], fn.opVal[m0]];
    }
    fn.opcode[i] = commuted;
    return true;
  }

  /**
   * Implicit operands that contain the physical result become the result, if one of the implicit operands is a definition: so LLVM leaves them
   * where two registers change places.
   * @llvm TargetInstrInfo.cpp TargetInstrInfo::commuteInstructionImpl
   */
  private narrowImplicit(i: InstrId): void {
    const { fn, tables, editor } = this;
    const begin = fn.opBegin[i];
    const result = fn.opVal[begin];
    if (tables.opcodeNumDefs(fn.opcode[i]) === 0 || !isPhysicalReg(result)) return;
    const implicit: OperandId[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & OpFlag.Implicit) !== 0) implicit.push(o);
    if (!implicit.some((o) => editor.isDef(o))) return;
    for (const o of implicit) {
      const reg = fn.opVal[o];
      if (reg !== result && isPhysicalReg(reg) && tables.isSubRegister(reg, result)) editor.setReg(o, result);
    }
  }

  // -- 32 bits ---------------------------------------------------------------------------------------------------------

  /**
   * Whether the operands of an instruction of 64 bits fit into the form of 32.
   * @llvm SIInstrInfo.cpp SIInstrInfo::canShrink
   */
  canShrink(i: InstrId): boolean {
    const { fn, tables } = this;
    const opcode = fn.opcode[i];
    const isVGPR = (o: OperandId): boolean => fn.opKind[o] === OperandKind.Register && this.facts.isVGPR(fn.opVal[o]);
    const src1 = this.named(i, 'src1');
    const src2 = this.named(i, 'src2');
    if (src2 >= 0) {
      if (CARRY_USERS.has(tables, opcode)) return isVGPR(src1);
      if (ACCUMULATES.has(tables, opcode)) {
        if (!isVGPR(src2) || this.isSet(i, 'src2_modifiers')) return false;
      } else if (!SELECTS.has(tables, opcode)) return false;
    }
    if (src1 >= 0 && (!isVGPR(src1) || this.isSet(i, 'src1_modifiers'))) return false;
    if (this.isSet(i, 'src0_modifiers') || !this.hasShortForm(opcode)) return false;
    return !['omod', 'clamp', 'byte_sel'].some((name) => this.isSet(i, name));
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::hasVALU32BitEncoding */
  hasShortForm(opcode: Opcode): boolean {
    const short = this.tables.mapOpcode('VOPe32', opcode);
    return short >= 0 && this.fn.subtarget.mcOpcode(short) >= 0;
  }

  /**
   * The instruction in its form of 32 bits, before it. It loses implicit operands that the form has not.
   * @llvm SIInstrInfo.cpp SIInstrInfo::buildShrunkInst
   */
  buildShort(i: InstrId, short: Opcode): InstrId {
    const { fn, tables, builder } = this;
    const begin = fn.opBegin[i];
    const operands: NewOperand[] = [];
    for (let k = 0; k < tables.opcodeNumDefs(short); k++) operands.push(operandOf(fn, begin + k));
    const src2 = this.named(i, 'src2');
    let mask = -1;
    for (let k = tables.opcodeNumDefs(fn.opcode[i]); k < tables.opcodeNumOperands(fn.opcode[i]); k++) {
      const type = this.legality.typeOf(fn.opcode[i], k);
      if (type === OperandType.InputMods || type === OperandType.Immediate) continue;
      if (begin + k === src2 && !this.has(short, 'src2')) mask = src2;
      else operands.push(operandOf(fn, begin + k));
    }
    const made = builder.build(i, i, short, operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    if (mask >= 0) this.copyMaskFlags(made, mask);
    return made;
  }

  /**
   * The implicit VCC that is read in place of an explicit mask has the mask's flags.
   * @llvm SIInstrInfo.cpp copyFlagsToImplicitVCC
   */
  private copyMaskFlags(i: InstrId, mask: OperandId): void {
    const { fn, tables } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const isVCC = fn.opVal[o] > 0 && /^vcc(?:_lo)?$/.test(tables.regName(fn.opVal[o]));
      if ((fn.opFlags[o] & (OpFlag.Implicit | OpFlag.Def)) !== OpFlag.Implicit || !isVCC) continue;
      const copied = OpFlag.Kill | OpFlag.Undef;
      fn.opFlags[o] = (fn.opFlags[o] & ~copied) | (fn.opFlags[mask] & copied);
    }
  }

  // -- a result of its own -----------------------------------------------------------------------------------------------

  /** Which kind of clamp an instruction has, 0 = none (SIInstrInfo::getClampMask). */
  clampOf(i: InstrId): number {
    return clampKind(this.tables, this.fn.opcode[i]);
  }

  /**
   * What a multiply-accumulate instruction of 64 bits is with a result that is not its accumulator, before it; -1 = there is none.
   * @llvm SIInstrInfo.cpp SIInstrInfo::convertToThreeAddress
   */
  buildThreeAddress(i: InstrId): InstrId {
    const { fn, tables, builder } = this;
    const opcode = fn.opcode[i];
    if (isWMMA(tables, opcode)) throw new Unmodelled('a product of matrices with a clamp');
    const [, base] = /^(V_F?MAC_.*)_e64$/.exec(tables.opcodeName(opcode)) ?? [];
    if (base === undefined || !Object.hasOwn(THREE_ADDRESS, base)) return -1;
    const made = this.opcode(THREE_ADDRESS[base]);
    if (made < 0 || fn.subtarget.mcOpcode(made) < 0) return -1;
    const operands: NewOperand[] = [];
    for (let k = 0; k < tables.opcodeNumOperands(made); k++) {
      const o = this.named(i, tables.operandName(made, k));
      operands.push(o >= 0 ? operandOf(fn, o) : { kind: OperandKind.Immediate, val: 0 });
    }
    return builder.build(i, i, made, operands);
  }

  /** What the class of a virtual register has for its part `sub`; the class itself without one. */
  partClass(op: NewOperand): number {
    const rc = this.fn.vregs.regClass[virtRegIndex(op.val)];
    const sub = op.sub ?? 0;
    const part = sub === 0 ? rc : this.tables.getSubRegisterClass(rc, sub);
    return part >= 0 ? part : rc;
  }

  /** Adds the implicit operands of its opcode, as for an instruction whose opcode has changed. Returns its new id. */
  addImplicit(i: InstrId): InstrId {
    const { tables, fn } = this;
    const opcode = fn.opcode[i];
    const added = [
      ...tables.implicitDefs(opcode).map((reg) => regOperand(reg, OpFlag.Implicit | OpFlag.Def)),
      ...tables.implicitUses(opcode).map((reg) => regOperand(reg, OpFlag.Implicit)),
    ];
    if (added.length === 0) return i;
    return this.reshape(i, [...Array(fn.numOperands(i)).keys(), ...added]);
  }
}

const SWAPPED_KINDS: ReadonlySet<OperandKind> = new Set([
  OperandKind.Register,
  OperandKind.Immediate,
  OperandKind.FrameIndex,
  OperandKind.GlobalAddress,
]);
/** of a register that changes places with something else */
const KEPT_FLAGS = OpFlag.Kill | OpFlag.Dead | OpFlag.Undef | OpFlag.Debug;
