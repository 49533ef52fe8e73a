/**
 * Whether an operand may stand at a place of an instruction: its class, the constant bus, literals (SIInstrInfo, LLVM 22; docs/llvm/folding.md, 1).
 */
import { planTableOf } from '../analysis/verifier/opcodePlan.js';
import { operandOf, type NewOperand } from '../model/edit/functionEditor.js';
import { OperandKind, OpFlag, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import { sameOperand } from '../model/sameOperand.js';
import { isVirtualReg, NO_REG, type Reg } from '../model/register.js';
import {
  Generation,
  hasOpcodeFlag,
  isDPP,
  isDS,
  isImage,
  isMAI,
  isSALU,
  isVALU,
  isVOP3,
  McFlag,
  OperandType,
  type Opcode,
  type Subtarget,
  type TargetTables,
} from '../target/index.js';
import type { RegisterFacts } from './registerFacts.js';

/** From gfx12 on these read one half of a scalar register for both. */
const PACKED_FLOAT = /^V_PK_(?:ADD|MUL|FMA)_F32/;
/** Transcendental instructions of scalar registers, on halves. */
const SCALAR_TRANS_F16 = /^V_S_.*_F16/;
/** SISrcMods::OP_SEL_0 and OP_SEL_1 */
const OP_SEL_BITS = 4 | 8;

/** @llvm AMDGPUBaseInfo.h AMDGPU::isSISrcOperand */
export const isSourceType = (type: OperandType): boolean =>
  (type >= OperandType.RegImmInt32 && type < OperandType.AVPseudoImm64) || type > OperandType.SDWAVopcDst;

/** @llvm SIRegisterInfo.cpp SIRegisterInfo::opCanUseLiteralConstant */
export const takesLiteral = (type: OperandType): boolean =>
  (type >= OperandType.RegImmInt32 && type <= OperandType.RegImmV2FP32) || type > OperandType.SDWAVopcDst;

/** Operands of 64 bits whose literals have 32. */
const WIDE_TYPES: ReadonlySet<OperandType> = new Set([
  OperandType.RegImmInt64,
  OperandType.RegImmFP64,
  OperandType.RegImmV2Int32,
  OperandType.RegImmV2FP32,
  OperandType.RegImmV2Int64,
  OperandType.RegImmV2FP64,
]);

export class OperandLegality {
  private readonly tables: TargetTables;
  private readonly st: Subtarget;

  constructor(
    private readonly fn: MachineFunction,
    private readonly facts: RegisterFacts,
  ) {
    this.tables = fn.tables;
    this.st = fn.subtarget;
  }

  /** MCOI type of operand `k` of an opcode; Unknown past the described ones */
  typeOf(opcode: Opcode, k: number): OperandType {
    const { tables } = this;
    return k < tables.opcodeNumOperands(opcode)
      ? tables.opInfoType[tables.opInfoBegin(opcode) + k]
      : OperandType.Unknown;
  }

  /** Whether a constant needs no literal where an operand of this type stands. */
  isInline(op: NewOperand, type: OperandType): boolean {
    return op.kind === OperandKind.Immediate && this.facts.isInlineHalves(op.val, op.ext ?? 0, type);
  }

  /**
   * Whether `op` could stand at operand `k` of an instruction, with its other operands as they are. `checksDPP`: processors that take no scalar register
   * as the second source of DPP do not.
   * @llvm SIInstrInfo.cpp SIInstrInfo::isOperandLegal
   */
  isOperandLegal(i: InstrId, k: number, op: NewOperand, checksDPP = true): boolean {
    const { fn, tables, st } = this;
    const opcode = fn.opcode[i];
    const rc = st.opInfoRegClass(opcode, k);
    const type = this.typeOf(opcode, k);
    const isReg = op.kind === OperandKind.Register;
    const isInline = !isReg && this.isInline(op, type);
    if (isVALU(tables, opcode) && !isInline && (!isReg || this.usesBus(op))) {
      if (!this.fitsOnBus(i, k, op)) return false;
    } else if (!isInline && !isReg && isSALU(tables, opcode)) {
      if (!this.isOnlyLiteral(i, k, op)) return false;
    } else if (
      isInline &&
      st.generation === Generation.GFX12 &&
      !st.hasFeature('gfx1250-insts') &&
      SCALAR_TRANS_F16.test(tables.opcodeName(opcode))
    )
      return false;
    if (isReg) return rc < 0 ? type === OperandType.Unknown : this.isLegalRegister(i, k, op, checksDPP);
    if (op.kind === OperandKind.Immediate && !this.isLegalWideLiteral(opcode, type, op)) return false;
    return rc < 0 || this.isLegalImmediate(opcode, k, op);
  }

  /** A literal of 32 bits stands for the whole value; processors with 64-bit literals take others in the small encodings. */
  private isLegalWideLiteral(opcode: Opcode, type: OperandType, { val, ext = 0 }: NewOperand): boolean {
    if (!WIDE_TYPES.has(type) || this.facts.isInlineHalves(val, ext, OperandType.InlineInt64)) return true;
    const isFloat = type === OperandType.RegImmFP64 || type === OperandType.RegImmV2FP64;
    const hasWide = this.st.hasFeature('64-bit-literals');
    const isShort = isFloat ? val === 0 : ext === 0 || ext === val >> 31;
    if (!isShort && (!hasWide || this.tables.opcodeSize(opcode) !== 4)) return false;
    return isFloat || val >= 0 || (hasWide && !isShort);
  }

  /**
   * Whether something that is no register may stand at operand `k` of an opcode, whatever the others are.
   * @llvm SIInstrInfo.cpp SIInstrInfo::isImmOperandLegal
   */
  isLegalImmediate(opcode: Opcode, k: number, op: NewOperand): boolean {
    const { tables, st } = this;
    const type = this.typeOf(opcode, k);
    if (type === OperandType.Immediate) return true;
    if (st.opInfoRegClass(opcode, k) < 0) return false;
    if (this.isInline(op, type)) {
      const hasBug = st.hasFeature('mfma-inline-literal-bug') && isMAI(tables, opcode);
      return !(hasBug && k === tables.getNamedOperandIdx(opcode, 'src2')) && isSourceType(type);
    }
    if (!takesLiteral(type)) return false;
    return !isVOP3(tables, opcode) || !isSourceType(type) || st.hasFeature('vop3-literal');
  }

  /**
   * Whether a register may stand at operand `k`, the constant bus aside.
   * @llvm SIInstrInfo.cpp SIInstrInfo::isLegalRegOperand
   */
  isLegalRegister(i: InstrId, k: number, op: NewOperand, checksDPP = true): boolean {
    const { fn, st, tables, facts } = this;
    if (op.kind !== OperandKind.Register) return false;
    const opcode = fn.opcode[i];
    const name = tables.opcodeName(opcode);
    const isScalar = facts.isSGPR(op.val);
    if (isScalar && st.generation >= Generation.GFX12 && PACKED_FLOAT.test(name) && this.selectsHalves(i, k))
      return false;
    if (!this.isOfClass(opcode, k, op)) return false;
    const isAGPR = facts.isAGPR(op.val);
    if (isAGPR && !st.hasMAIInsts) return false;
    const touchesMemory =
      hasOpcodeFlag(tables, opcode, McFlag.MayLoad) ||
      hasOpcodeFlag(tables, opcode, McFlag.MayStore) ||
      isDS(tables, opcode) ||
      isImage(tables, opcode);
    if (isAGPR && !st.hasGFX90AInsts && touchesMemory) return false;
    if (!this.agreesWithData(i, k, isAGPR)) return false;
    const src0 = tables.getNamedOperandIdx(opcode, 'src0');
    if (name === 'V_ACCVGPR_WRITE_B32_e64' && !st.hasGFX90AInsts && k === src0 && isScalar) return false;
    if (!checksDPP || !isDPP(tables, opcode) || st.hasFeature('dpp-src1-sgpr')) return true;
    return !isScalar || k !== tables.getNamedOperandIdx(opcode, 'src1');
  }

  private isOfClass(opcode: Opcode, k: number, { val, sub = 0 }: NewOperand): boolean {
    const { tables, st } = this;
    const rc = st.opInfoRegClass(opcode, k);
    if (rc < 0) return false;
    if (!isVirtualReg(val)) return tables.classContains(rc, val);
    const own = this.facts.classOf(val);
    if (own < 0) return false;
    return (sub !== 0 ? planTableOf(st).classForSubReg(own, sub, rc) : tables.getCommonSubClass(rc, own)) >= 0;
  }

  /** Data and result of an atomic, and both data operands of a DS instruction, are all in AGPRs or all in VGPRs. */
  private agreesWithData(i: InstrId, k: number, isAGPR: boolean): boolean {
    const { fn, tables } = this;
    const opcode = fn.opcode[i];
    const isOther = (place: number): boolean => {
      const o = fn.opBegin[i] + place;
      return place >= 0 && fn.opKind[o] === OperandKind.Register && this.facts.isAGPR(fn.opVal[o]) !== isAGPR;
    };
    const vdst = tables.getNamedOperandIdx(opcode, 'vdst');
    const data = tables.getNamedOperandIdx(opcode, isDS(tables, opcode) ? 'data0' : 'vdata');
    if (k === vdst && isOther(data)) return false;
    return k !== data || !(isOther(vdst) || isOther(tables.getNamedOperandIdx(opcode, 'data1')));
  }

  /** Whether the source at `k` takes its halves other than a scalar register has them: one of its op_sel bits is set. */
  private selectsHalves(i: InstrId, k: number): boolean {
    const { fn, tables } = this;
    const opcode = fn.opcode[i];
    const modifiers = tables.getNamedOperandIdx(opcode, `${tables.operandName(opcode, k)}_modifiers`);
    return modifiers < 0 || (fn.opVal[fn.opBegin[i] + modifiers] & OP_SEL_BITS) !== 0;
  }

  /** Whether a scalar instruction has no other literal than `op`, and no frame index. */
  private isOnlyLiteral(i: InstrId, k: number, op: NewOperand): boolean {
    const { fn } = this;
    for (let at = 0, n = fn.numOperands(i); at < n; at++) {
      if (at === k) continue;
      const other = operandOf(fn, fn.opBegin[i] + at);
      if (other.kind === OperandKind.FrameIndex) return false;
      if (other.kind === OperandKind.Register || other.kind === OperandKind.RegisterMask) continue;
      if (!this.isInline(other, this.typeOf(fn.opcode[i], at)) && !sameOperand(fn, other, op)) return false;
    }
    return true;
  }

  /** Whether the constant bus has room for `op`, a scalar register or a literal, at operand `k`. */
  private fitsOnBus(i: InstrId, k: number, op: NewOperand): boolean {
    const { fn, tables, st } = this;
    const opcode = fn.opcode[i];
    let room = this.facts.constantBusLimit(opcode);
    let literals = !isVOP3(tables, opcode) || st.hasFeature('vop3-literal') ? 1 : 0;
    const used = new Set<string>();
    let literal: NewOperand | null = null;
    if (op.kind === OperandKind.Register) used.add(`${op.val}:${op.sub ?? 0}`);
    else {
      if (literals-- === 0) return false;
      literal = op;
    }
    for (let at = 0, n = fn.numOperands(i); at < n; at++) {
      if (at === k) continue;
      const other = operandOf(fn, fn.opBegin[i] + at);
      if (other.kind === OperandKind.Register) {
        const key = `${other.val}:${other.sub}`;
        if (!this.usesBus(other) || used.has(key)) continue;
        used.add(key);
        if (--room <= 0) return false;
        continue;
      }
      const type = this.typeOf(opcode, at);
      if (!isSourceType(type) || this.isInline(other, type)) continue;
      if (literal === null) literal = other;
      else if (sameOperand(fn, literal, other)) continue;
      if (literals-- === 0) return false;
      if (--room <= 0) return false;
    }
    return true;
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::regUsesConstantBus */
  private usesBus({ val, flags = 0 }: NewOperand): boolean {
    const reg: Reg = val;
    if ((flags & OpFlag.Def) !== 0 || reg === NO_REG) return false;
    if (isVirtualReg(reg)) return this.facts.isSGPR(reg);
    const name = this.tables.regName(reg);
    if (name.startsWith('sgpr_null')) return false;
    if ((flags & OpFlag.Implicit) !== 0) return /^(?:m0|vcc|vcc_lo|flat_scr)$/.test(name);
    return this.facts.isSGPR(reg);
  }
}
