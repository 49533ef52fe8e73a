/**
 * What each instruction is before anything is propagated: a source of divergence, uniform whatever it reads, or as divergent as what it reads
 * (LLVM 22: SIInstrInfo::getInstructionUniformity; docs/llvm/uniformity.md, section 2), and which registers can hold one value per lane.
 */
import {
  OpFlag,
  OperandKind,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { classOfGroup, operandsOfGroup } from '../../model/inlineAsm.js';
import { isPhysicalReg, isVirtualReg, NO_REG, virtRegIndex, type Reg, type VRegId } from '../../model/register.js';
import { RegKind, UniformityRule, type TargetTables, type UniformityFacts } from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';

export const enum InstrUniformity {
  Default = 0,
  Always = 1,
  Never = 2,
}

/** Bank of a register as far as divergence goes. */
export const enum ValueBank {
  /** generic register without bank, special register without class */
  None = 0,
  /** `sgpr`: holds one value for the wave */
  Scalar = 1,
  /** all others, `vcc` included */
  Lanes = 2,
}

/** Why an instruction is a source of divergence. */
export const enum SourceKind {
  /** the opcode is one: lane numbers, writes of one lane, control flow pseudos */
  Opcode,
  Atomic,
  /** `operand` is what it reads */
  VectorOperand,
  /** copy of a physical vector register; `operand` */
  PhysicalCopy,
  Intrinsic,
  NoMemOperand,
  /** flat or private memory: `memOperand` */
  AddressSpace,
  ScratchCast,
  /** inline assembly: `operand` is a result that its constraint does not keep in SGPRs */
  AsmResult,
}

export interface Source {
  readonly kind: SourceKind;
  /** OperandId, -1 if none */
  readonly operand: OperandId;
  /** index within the instruction, -1 if none */
  readonly memOperand: number;
}

const FLAT_ADDRESS = 0;
const PRIVATE_ADDRESS = 5;

interface PhysBanks {
  /** ValueBank + 1 by register, 0 = not asked yet */
  readonly bank: Uint8Array;
}

const perTables = new WeakMap<TargetTables, PhysBanks>();

function physBanks(tables: TargetTables): PhysBanks {
  let banks = perTables.get(tables);
  if (banks === undefined) {
    banks = { bank: new Uint8Array(tables.nRegs) };
    perTables.set(tables, banks);
  }
  return banks;
}

/**
 * AMDGPURegisterBankInfo::getRegBankFromRegClass, for a class; a register of one bit in SGPRs is a lane mask.
 * @llvm AMDGPURegisterBankInfo.cpp AMDGPURegisterBankInfo::getRegBankFromRegClass
 */
function bankOfClass(tables: TargetTables, rc: number, isBit: boolean): ValueBank {
  return tables.regClassKind[rc] === RegKind.SGPR && !isBit ? ValueBank.Scalar : ValueBank.Lanes;
}

/** Judges the instructions of one function. It reads the function and keeps what it found out about registers. */
export class InstructionJudge {
  private readonly tables: TargetTables;
  private readonly rules: UniformityFacts;
  private readonly phys: Uint8Array;
  private readonly scalarBank: number;

  constructor(private readonly fn: MachineFunction) {
    this.tables = fn.tables;
    this.rules = fn.subtarget.release.uniformity;
    this.phys = physBanks(fn.tables).bank;
    this.scalarBank = fn.tables.regBankByName('sgpr');
  }

  /** @llvm RegisterBankInfo.cpp RegisterBankInfo::getRegBank */
  bankOf(reg: Reg): ValueBank {
    if (isVirtualReg(reg)) return this.virtualBank(virtRegIndex(reg));
    const known = this.phys[reg];
    if (known !== 0) return known - 1;
    const rc = this.tables.getMinimalPhysRegClass(reg);
    const bank = rc < 0 ? ValueBank.None : bankOfClass(this.tables, rc, false);
    this.phys[reg] = bank + 1;
    return bank;
  }

  private virtualBank(v: VRegId): ValueBank {
    const { vregs } = this.fn;
    const bank = vregs.bank[v];
    if (bank >= 0) return bank === this.scalarBank ? ValueBank.Scalar : ValueBank.Lanes;
    const rc = vregs.regClass[v];
    if (rc < 0) return ValueBank.None;
    const type = vregs.type[v];
    return bankOfClass(this.tables, rc, type !== null && type.kind === 'scalar' && type.bits === 1);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::getInstructionUniformity */
  judge(i: InstrId): InstrUniformity {
    const { fn } = this;
    // TargetInstrInfo::getInstructionUniformity: R600 knows no sources of divergence.
    if (!this.tables.isAMDGCN) return InstrUniformity.Default;
    if (this.isJudgedByConstraints(i))
      return this.asmResultOutsideSGPRs(i) < 0 && this.vectorOperand(i) < 0
        ? InstrUniformity.Default
        : InstrUniformity.Never;
    switch (this.rules.rule(fn.opcode[i])) {
      case UniformityRule.Never:
        return InstrUniformity.Never;
      case UniformityRule.Always:
        return InstrUniformity.Always;
      case UniformityRule.Copy: {
        const reg = this.copiedPhysReg(i);
        if (reg === NO_REG) return InstrUniformity.Default;
        return this.bankOf(reg) === ValueBank.Lanes ? InstrUniformity.Never : InstrUniformity.Always;
      }
      case UniformityRule.AddressSpace:
        return this.privateMemOperand(i) === NO_PRIVATE ? InstrUniformity.Default : InstrUniformity.Never;
      case UniformityRule.Intrinsic:
        return this.judgeIntrinsic(i);
      case UniformityRule.AddressSpaceCast:
        return this.isScratchCast(i, fn.opBegin[i] + 1) ? InstrUniformity.Never : InstrUniformity.Default;
      case UniformityRule.Operands:
        return this.vectorOperand(i) < 0 ? InstrUniformity.Default : InstrUniformity.Never;
      default:
        return InstrUniformity.Default;
    }
  }

  /** Why `judge` says Never; null if it does not. */
  sourceOf(i: InstrId): Source | null {
    if (this.judge(i) !== InstrUniformity.Never) return null;
    const { fn } = this;
    const source = (kind: SourceKind, operand = -1, memOperand = -1): Source => ({ kind, operand, memOperand });
    if (this.isJudgedByConstraints(i)) {
      const result = this.asmResultOutsideSGPRs(i);
      return result < 0
        ? source(SourceKind.VectorOperand, this.vectorOperand(i))
        : source(SourceKind.AsmResult, result);
    }
    switch (this.rules.rule(fn.opcode[i])) {
      case UniformityRule.Copy:
        return source(SourceKind.PhysicalCopy, fn.opBegin[i] + 1);
      case UniformityRule.AddressSpace: {
        const at = this.privateMemOperand(i);
        return at < 0 ? source(SourceKind.NoMemOperand) : source(SourceKind.AddressSpace, -1, at);
      }
      case UniformityRule.Intrinsic:
        return source(this.intrinsicOf(i) === NONNULL_CAST ? SourceKind.ScratchCast : SourceKind.Intrinsic);
      case UniformityRule.AddressSpaceCast:
        return source(SourceKind.ScratchCast);
      case UniformityRule.Operands:
        return source(SourceKind.VectorOperand, this.vectorOperand(i));
      default:
        return source((fn.memOperands[i]?.length ?? 0) > 0 ? SourceKind.Atomic : SourceKind.Opcode);
    }
  }

  /** The physical register that a copy reads, NO_REG if it reads a virtual one. */
  private copiedPhysReg(i: InstrId): Reg {
    const { fn } = this;
    const o = fn.opBegin[i] + 1;
    if (o >= fn.opBegin[i + 1] || fn.opKind[o] !== OperandKind.Register || !isPhysicalReg(fn.opVal[o])) return NO_REG;
    return fn.opVal[o];
  }

  /** The first memory operand that each lane may have to itself; NO_MEM_OPERAND, NO_PRIVATE. */
  private privateMemOperand(i: InstrId): number {
    const operands = this.fn.memOperands[i];
    if (operands === null || operands.length === 0) return NO_MEM_OPERAND;
    const at = operands.findIndex((m) => m.addressSpace === FLAT_ADDRESS || m.addressSpace === PRIVATE_ADDRESS);
    return at < 0 ? NO_PRIVATE : at;
  }

  /** Name of the intrinsic with `llvm.`, '' if there is none. */
  private intrinsicOf(i: InstrId): string {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (fn.opKind[o] === OperandKind.IntrinsicID) return fn.payload(o, OperandKind.IntrinsicID).name;
    return '';
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::getGenericInstructionUniformity */
  private judgeIntrinsic(i: InstrId): InstrUniformity {
    const name = this.intrinsicOf(i);
    if (name === NONNULL_CAST && this.isScratchCast(i, this.fn.opBegin[i] + 2)) return InstrUniformity.Never;
    if (this.rules.isSourceOfDivergence(name)) return InstrUniformity.Never;
    return this.rules.isAlwaysUniform(name) ? InstrUniformity.Always : InstrUniformity.Default;
  }

  /** `from`: the operand that is cast */
  private isScratchCast(i: InstrId, from: OperandId): boolean {
    const { fn } = this;
    if (from >= fn.opBegin[i + 1] || !fn.subtarget.hasFeature('globally-addressable-scratch')) return false;
    return this.addressSpaceOf(fn.opBegin[i]) === FLAT_ADDRESS && this.addressSpaceOf(from) === PRIVATE_ADDRESS;
  }

  private isJudgedByConstraints(i: InstrId): boolean {
    const { fn } = this;
    return fn.subtarget.release.rules.asmDivergesByConstraint && opcodeSet(this.tables, 'inlineAsm').has(fn.opcode[i]);
  }

  /**
   * The first result of inline assembly whose constraint is not a class of SGPRs, -1 if there is none.
   * @llvm MachineInstr.cpp MachineInstr::getRegClassConstraint
   */
  private asmResultOutsideSGPRs(i: InstrId): OperandId {
    const { fn, tables } = this;
    let groupEnd = fn.opBegin[i] + ASM_FIRST_GROUP;
    let isScalar = false;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (o >= groupEnd) {
        const isGroup = fn.opKind[o] === OperandKind.Immediate;
        const rc = isGroup ? classOfGroup(fn.opVal[o]) : -1;
        isScalar = rc >= 0 && rc < tables.nRegClasses && tables.regClassKind[rc] === RegKind.SGPR;
        groupEnd = isGroup ? o + 1 + operandsOfGroup(fn.opVal[o]) : fn.opBegin[i + 1];
      }
      const isDef = fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) !== 0;
      if (isDef && !isScalar) return o;
    }
    return -1;
  }

  private addressSpaceOf(o: OperandId): number {
    const { fn } = this;
    if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) return -1;
    return fn.vregs.type[virtRegIndex(fn.opVal[o])]?.addressSpace ?? -1;
  }

  /** The first operand that reads a register outside the bank `sgpr`, -1 if there is none. */
  private vectorOperand(i: InstrId): OperandId {
    const { fn } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] === NO_REG || !readsReg(fn, o)) continue;
      if (this.bankOf(fn.opVal[o]) === ValueBank.Lanes) return o;
    }
    return -1;
  }
}

/** amdgcn_addrspacecast_nonnull, judged as the cast that it is */
const NONNULL_CAST = 'llvm.amdgcn.addrspacecast.nonnull';
/** Before the groups of operands of INLINEASM stand its text and its flags. */
const ASM_FIRST_GROUP = 2;
const NO_MEM_OPERAND = -1;
const NO_PRIVATE = -2;

/**
 * A def of a part reads the rest.
 * @llvm MachineOperand.h MachineOperand::readsReg
 */
export function readsReg(fn: MachineFunction, o: OperandId): boolean {
  const flags = fn.opFlags[o];
  if ((flags & (OpFlag.Undef | OpFlag.Internal)) !== 0) return false;
  return (flags & OpFlag.Def) === 0 || fn.opSub[o] !== 0;
}
