/** Classes of registers and operands as passes ask for them (SIRegisterInfo, SIInstrInfo, LLVM 22; docs/llvm/sgpr-copies.md, section 1). */
import { InlineConstants } from '../analysis/verifier/inlineConstants.js';
import { NotModelled } from './machinePass.js';
import { OperandKind, OpFlag, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../model/register.js';
import {
  Generation,
  isVALU,
  OperandType,
  type RegClassId,
  type Subtarget,
  type TargetTables,
} from '../target/index.js';
import { opcodeSet } from '../target/opcodeSets.js';

/** Something that LLVM would do here and that is not modelled; the message names it. */
export class Unmodelled extends NotModelled {}

/** MCOI operand types that take a constant or a register (AMDGPU::isSISrcOperand). */
const FIRST_SOURCE_TYPE = 13;
const LAST_SOURCE_TYPE = 44;

/** From gfx12 on these read one half of a scalar register for both. */
const PACKED_FLOAT = /^V_PK_(?:ADD|MUL|FMA)_F32/;
/** SISrcMods::OP_SEL_0 and OP_SEL_1 */
const OP_SEL_BITS = 4 | 8;

export class RegisterFacts {
  private readonly tables: TargetTables;
  private readonly st: Subtarget;
  private readonly inline: InlineConstants;
  readonly vreg1: RegClassId;
  private readonly baseClasses = new Map<Reg, RegClassId>();

  constructor(private readonly fn: MachineFunction) {
    this.tables = fn.tables;
    this.st = fn.subtarget;
    this.inline = new InlineConstants(fn.subtarget);
    this.vreg1 = fn.tables.regClassByName('vreg_1');
  }

  /** Class of a register, whatever part is meant; -1 if it has none. */
  classOf(reg: Reg): RegClassId {
    return isVirtualReg(reg) ? this.fn.vregs.regClass[virtRegIndex(reg)] : this.tables.getMinimalPhysRegClass(reg);
  }

  isSGPRClass(rc: RegClassId): boolean {
    return rc >= 0 && this.tables.isSGPRClass(rc);
  }

  hasVectorRegisters(rc: RegClassId): boolean {
    return rc >= 0 && (this.tables.hasVGPRs(rc) || this.tables.hasAGPRs(rc));
  }

  isSGPR(reg: Reg): boolean {
    return this.isSGPRClass(this.classOf(reg));
  }

  isAGPR(reg: Reg): boolean {
    const rc = this.classOf(reg);
    return rc >= 0 && this.tables.hasAGPRs(rc) && !this.tables.hasVGPRs(rc);
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::getEquivalentSGPRClass */
  equivalentSGPRClass(rc: RegClassId): RegClassId {
    const bits = this.tables.regClassBits[rc];
    return this.named(bits === 64 ? 'sreg_64' : bits === 16 ? 'sreg_32' : `sgpr_${bits}`);
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::getEquivalentVGPRClass */
  equivalentVGPRClass(rc: RegClassId): RegClassId {
    const bits = this.tables.regClassBits[rc];
    if (bits === 1) return this.named('vreg_1');
    if (bits <= 32) return this.named(`vgpr_${bits}`);
    return this.named(`vreg_${bits}${this.st.needsAlignedVGPRs ? '_align2' : ''}`);
  }

  /** @llvm SIRegisterInfo.cpp SIRegisterInfo::getEquivalentAGPRClass */
  equivalentAGPRClass(rc: RegClassId): RegClassId {
    const bits = this.tables.regClassBits[rc];
    return this.named(bits <= 32 ? `agpr_${bits}` : `areg_${bits}${this.st.needsAlignedVGPRs ? '_align2' : ''}`);
  }

  private named(name: string): RegClassId {
    const rc = this.tables.regClassByName(name);
    if (rc < 0) throw new Unmodelled(`the class ${name}`);
    return rc;
  }

  /**
   * Class of operand `opIdx`: its descriptor's, else its register's.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getOpRegClass
   */
  operandClass(i: InstrId, opIdx: number): RegClassId {
    const { fn } = this;
    if (opIdx < this.tables.opcodeNumOperands(fn.opcode[i])) {
      const rc = this.st.opInfoRegClass(fn.opcode[i], opIdx);
      if (rc >= 0) return rc;
    }
    const o = fn.opBegin[i] + opIdx;
    if (fn.opKind[o] !== OperandKind.Register) return -1;
    const reg = fn.opVal[o];
    return isVirtualReg(reg) ? this.classOf(reg) : this.baseClassOf(reg);
  }

  /**
   * Of the base classes with the register the smallest, which is the first in their order; -1: none.
   * @llvm TargetRegisterInfo.h TargetRegisterInfo::getPhysRegBaseClass
   */
  baseClassOf(reg: Reg): RegClassId {
    const { tables } = this;
    const known = this.baseClasses.get(reg);
    if (known !== undefined) return known;
    let base = -1;
    for (let rc = 0; rc < tables.nRegClasses; rc++)
      if (tables.isBaseClass(rc) && tables.classContains(rc, reg) && (base < 0 || tables.hasSubClassEq(base, rc)))
        base = rc;
    this.baseClasses.set(reg, base);
    return base;
  }

  /**
   * Number of a register within its file, on the processor of the function.
   * @llvm AMDGPUBaseInfo.cpp AMDGPU::getMCReg
   */
  hardwareIndex(reg: Reg): number {
    const { tables, st } = this;
    const name = tables.regName(reg);
    const { generation } = st;
    const [, trap] = /^ttmp(\d+)/.exec(name) ?? [];
    if (trap !== undefined) return (generation >= Generation.GFX9 ? 108 : 112) + Number(trap);
    if (name.startsWith('flat_scr'))
      return (generation >= Generation.VOLCANIC_ISLANDS ? 102 : 104) + (name.endsWith('_hi') ? 1 : 0);
    const isGFX11 = generation >= Generation.GFX11;
    if (name === 'm0') return isGFX11 ? 125 : 124;
    if (name.startsWith('sgpr_null')) return isGFX11 ? 124 : 125;
    return tables.regEncoding(reg) & 0x3ff;
  }

  // -- may an operand stand there? -----------------------------------------------------------------------------------

  /**
   * Whether the register that operand `source` names could stand at operand `opIdx` of an instruction, where a vector register stands now
   * (SIInstrInfo::isOperandLegal for a scalar register).
   * @llvm SIInstrInfo.cpp SIInstrInfo::isOperandLegal
   */
  isOperandLegal(i: InstrId, opIdx: number, source: OperandId): boolean {
    const { fn, st, tables } = this;
    const reg = fn.opVal[source];
    const opcode = fn.opcode[i];
    const rc = st.opInfoRegClass(opcode, opIdx);
    if (isVALU(tables, opcode) && this.isSGPR(reg) && !this.fitsOnBus(i, opIdx, reg, fn.opSub[source])) return false;
    if (rc < 0) return tables.opInfoType[tables.opInfoBegin(opcode) + opIdx] === 0;
    const own = this.classOf(reg);
    if (!isVirtualReg(reg)) return tables.classContains(rc, reg);
    const sub = fn.opSub[source];
    const fits = sub !== 0 ? tables.getMatchingSuperRegClass(own, rc, sub) : tables.getCommonSubClass(rc, own);
    return fits >= 0 && this.isLegalForOpcode(i, opIdx, reg);
  }

  private isLegalForOpcode(i: InstrId, opIdx: number, reg: Reg): boolean {
    const { fn, st, tables } = this;
    const opcode = fn.opcode[i];
    const name = tables.opcodeName(opcode);
    if (name === 'V_ACCVGPR_WRITE_B32_e64' && !st.hasGFX90AInsts && this.isSGPR(reg)) return false;
    if (
      this.isSGPR(reg) &&
      st.generation >= Generation.GFX12 &&
      PACKED_FLOAT.test(name) &&
      this.selectsHalves(i, opIdx)
    )
      return false;
    if (!name.includes('_dpp') || st.hasFeature('dpp-src1-sgpr')) return true;
    return !this.isSGPR(reg) || opIdx !== tables.getNamedOperandIdx(opcode, 'src1');
  }

  /** Whether the source at `opIdx` takes its halves other than a scalar register has them: one of its op_sel bits is set. */
  private selectsHalves(i: InstrId, opIdx: number): boolean {
    const { fn, tables } = this;
    const opcode = fn.opcode[i];
    const name = tables.operandName(opcode, opIdx);
    const modifiers = tables.getNamedOperandIdx(opcode, `${name}_modifiers`);
    return modifiers < 0 || (fn.opVal[fn.opBegin[i] + modifiers] & OP_SEL_BITS) !== 0;
  }

  /** Whether the constant bus has room for one more scalar register, at operand `opIdx`. */
  private fitsOnBus(i: InstrId, opIdx: number, reg: Reg, sub: number): boolean {
    const { fn, tables, st } = this;
    const opcode = fn.opcode[i];
    let room = this.constantBusLimit(opcode);
    const isVOP3 = tables.opcodeSize(opcode) >= 8;
    let literals = !isVOP3 || st.hasFeature('vop3-literal') ? 1 : 0;
    const used = new Set([`${reg}:${sub}`]);
    const begin = fn.opBegin[i];
    const info = tables.opInfoBegin(opcode);
    let literal = '';
    for (let o = begin; o < fn.opBegin[i + 1]; o++) {
      if (o === begin + opIdx) continue;
      if (fn.opKind[o] === OperandKind.Register) {
        if ((fn.opFlags[o] & OpFlag.Def) !== 0 || fn.opVal[o] === 0) continue;
        const key = `${fn.opVal[o]}:${fn.opSub[o]}`;
        if (!this.usesBus(o) || used.has(key)) continue;
        used.add(key);
        if (--room <= 0) return false;
        continue;
      }
      if (o - begin >= tables.opcodeNumOperands(opcode)) continue;
      const type = tables.opInfoType[info + o - begin];
      if (type < FIRST_SOURCE_TYPE || type > LAST_SOURCE_TYPE || this.isInline(o, type)) continue;
      const text = `${fn.opKind[o]}:${fn.opVal[o]}:${fn.opExt[o]}`;
      if (literal === text) continue;
      literal ||= text;
      if (literals-- === 0) return false;
      if (--room <= 0) return false;
    }
    return true;
  }

  /**
   * Scalar registers and literals that an instruction of the VALU may read.
   * @llvm GCNSubtarget.cpp GCNSubtarget::getConstantBusLimit
   */
  constantBusLimit(opcode: number): number {
    const takesTwo = this.st.generation >= Generation.GFX10;
    return takesTwo && !opcodeSet(this.tables, 'oneScalarSource').has(opcode) ? 2 : 1;
  }

  /** Whether the constant `o` needs no literal at operand `opIdx` of an opcode. */
  isInlineAt(o: OperandId, opcode: number, opIdx: number): boolean {
    return this.isInline(o, this.tables.opInfoType[this.tables.opInfoBegin(opcode) + opIdx]);
  }

  /** Whether a signed number of 32 bits needs no literal where an operand of this type stands. */
  isInlineValue(value: number, type: OperandType): boolean {
    return this.inline.isInline(value, value >> 31, type);
  }

  /** Whether the constant `o` needs no literal as an integer of 64 bits. */
  isInlineInteger(o: OperandId): boolean {
    return this.isInline(o, OperandType.InlineInt64);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::isInlineConstant */
  private isInline(o: OperandId, type: number): boolean {
    const { fn } = this;
    return fn.opKind[o] === OperandKind.Immediate && this.inline.isInline(fn.opVal[o], fn.opExt[o], type);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::regUsesConstantBus */
  private usesBus(o: OperandId): boolean {
    const { fn, tables } = this;
    const reg = fn.opVal[o];
    if (isVirtualReg(reg)) return this.isSGPR(reg);
    const name = tables.regName(reg);
    if (name.startsWith('sgpr_null')) return false;
    if ((fn.opFlags[o] & OpFlag.Implicit) !== 0) return /^(?:m0|vcc|vcc_lo|flat_scr)$/.test(name);
    return this.isSGPR(reg);
  }
}
