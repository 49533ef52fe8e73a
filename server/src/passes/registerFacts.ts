/** Classes of registers and operands as passes ask for them (SIRegisterInfo, SIInstrInfo, LLVM 22; docs/llvm/sgpr-copies.md, section 1). */
import { InlineConstants } from '../analysis/verifier/inlineConstants.js';
import { NotModelled } from './machinePass.js';
import { OperandKind, type InstrId, type MachineFunction, type OperandId } from '../model/machineFunction.js';
import { isVirtualReg, virtRegIndex, type Reg } from '../model/register.js';
import { Generation, OperandType, type RegClassId, type Subtarget, type TargetTables } from '../target/index.js';
import { opcodeSet } from '../target/opcodeSets.js';

/** Something that LLVM would do here and that is not modelled; the message names it. */
export class Unmodelled extends NotModelled {}

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

  /**
   * Registers of the class are VGPRs, and nothing else.
   * @llvm SIRegisterInfo.h SIRegisterInfo::isVGPRClass
   */
  isVGPRClass(rc: RegClassId): boolean {
    const { tables } = this;
    return rc >= 0 && tables.hasVGPRs(rc) && !tables.hasAGPRs(rc) && !tables.hasSGPRs(rc);
  }

  /** @llvm SIRegisterInfo.h SIRegisterInfo::isAGPRClass */
  isAGPRClass(rc: RegClassId): boolean {
    const { tables } = this;
    return rc >= 0 && tables.hasAGPRs(rc) && !tables.hasVGPRs(rc);
  }

  isVGPR(reg: Reg): boolean {
    return this.isVGPRClass(this.classOf(reg));
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

  // -- constants ---------------------------------------------------------------------------------------------------

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

  /** Whether a signed number of 64 bits, in two halves, needs no literal where an operand of this type stands. */
  isInlineHalves(lo: number, hi: number, type: OperandType): boolean {
    return this.inline.isInline(lo, hi, type);
  }

  /** Whether a signed number of 32 bits needs no literal where an operand of this type stands. */
  isInlineValue(value: number, type: OperandType): boolean {
    return this.inline.isInline(value, value >> 31, type);
  }

  /** Whether a signed number of 32 bits needs no literal as an integer. */
  isInlineWord(value: number): boolean {
    return this.isInlineValue(value, OperandType.InlineInt32);
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
}

/**
 * The class, or the first of its sub-classes that can be allocated; -1: none can.
 * @llvm TargetRegisterInfo.cpp TargetRegisterInfo::getAllocatableClass
 */
export function allocatableClass(tables: TargetTables, rc: RegClassId): RegClassId {
  if (rc < 0 || tables.isAllocatableClass(rc)) return rc;
  for (let c = 0; c < tables.nRegClasses; c++)
    if (tables.hasSubClassEq(rc, c) && tables.isAllocatableClass(c)) return c;
  return -1;
}
