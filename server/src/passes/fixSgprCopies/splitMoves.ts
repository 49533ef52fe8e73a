/**
 * SALU instructions that the VALU has in parts only: 64 bits as two halves, negated logic as logic and NOT, packs of halves, products of 64 bits
 * (splitScalar64Bit..., lowerScalarXnor, movePackToVALU and others of SIInstrInfo, LLVM 22; docs/llvm/sgpr-copies.md, section 5). The parts are scalar
 * instructions again where these move on.
 */
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { extractHalf } from '../halves.js';
import type { Reg } from '../../model/register.js';
import type { RegClassId, TargetTables } from '../../target/index.js';
import type { Mover } from './builder.js';
import type { MoveWorklist } from './worklist.js';

const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val, ext: val < 0 ? -1 : 0 });

/** 64-bit logic with two sources, by halves. */
const HALVES = /^S_(AND|OR|XOR|NAND|NOR|ANDN2|ORN2)_B64$/;
/** Logic whose result is negated, and the logic. */
const NEGATED: Readonly<Record<string, string>> = { S_NAND_B32: 'S_AND_B32', S_NOR_B32: 'S_OR_B32' };
/** Logic whose second source is negated, and the logic. */
const WITH_NOT: Readonly<Record<string, string>> = { S_ANDN2_B32: 'S_AND_B32', S_ORN2_B32: 'S_OR_B32' };
/** Products of 64 bits from sources that are extended from 32: the high half. */
const HIGH_PRODUCT: Readonly<Record<string, string>> = {
  S_MUL_U64_U32_PSEUDO: 'V_MUL_HI_U32_e64',
  S_MUL_I64_I32_PSEUDO: 'V_MUL_HI_I32_e64',
};

export class SplitMover {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;

  constructor(private readonly mover: Mover) {
    this.fn = mover.fn;
    this.tables = mover.tables;
  }

  /** False if the instruction is none of these. */
  move(i: InstrId, name: string, worklist: MoveWorklist): boolean {
    const halves = HALVES.exec(name);
    const hasXnor = this.fn.subtarget.hasFeature('dl-insts');
    if (halves !== null) this.binary64(i, `S_${halves[1]}_B32`, worklist);
    else if (name === 'S_XNOR_B64' && hasXnor) this.binary64(i, 'S_XNOR_B32', worklist);
    else if (name === 'S_XNOR_B64') this.xnor64(i, worklist);
    else if (name === 'S_XNOR_B32') this.xnor(i, hasXnor, worklist);
    else if (name === 'S_NOT_B64') this.unary64(i, 'S_NOT_B32', false, worklist);
    else if (name === 'S_BREV_B64') this.unary64(i, 'S_BREV_B32', true, worklist);
    else if (name === 'S_BCNT1_I32_B64') this.countBits64(i, worklist);
    else if (name === 'S_FLBIT_I32_B64') this.countZeros64(i, true, worklist);
    else if (name === 'S_FF1_I32_B64') this.countZeros64(i, false, worklist);
    else if (Object.hasOwn(NEGATED, name)) this.negated(i, NEGATED[name], worklist);
    else if (Object.hasOwn(WITH_NOT, name)) this.withNot(i, WITH_NOT[name], worklist);
    // gfx1250 has the product on the VALU.
    else if (name === 'S_MUL_U64' && !this.fn.subtarget.hasFeature('gfx1250-insts')) this.product64(i, worklist);
    else if (Object.hasOwn(HIGH_PRODUCT, name)) this.extendedProduct(i, HIGH_PRODUCT[name], worklist);
    else if (name.startsWith('S_PACK_')) this.pack(i, name.slice('S_PACK_'.length, 'S_PACK_LL'.length), worklist);
    else return false;
    return true;
  }

  // -- building ------------------------------------------------------------------------------------------------------------

  private rc(name: string): RegClassId {
    return this.tables.regClassByName(name);
  }

  private sub(name: string): number {
    return this.tables.subRegIndexByName(name);
  }

  private emit(at: InstrId, name: string, operands: readonly NewOperand[]): InstrId {
    const { tables, mover } = this;
    return mover.build(at, at, tables.opcodeByName(name), operands);
  }

  private source(i: InstrId, k: number): NewOperand {
    return operandOf(this.fn, this.fn.opBegin[i] + k);
  }

  private classOfSource(o: OperandId): RegClassId {
    const { fn, mover } = this;
    return fn.opKind[o] === OperandKind.Register ? mover.facts.classOf(fn.opVal[o]) : this.rc('sgpr_32');
  }

  /** Half 0 or 1 of a source, copied in front. */
  private half(i: InstrId, o: OperandId, k: 0 | 1, isVector = false): NewOperand {
    const { mover, tables } = this;
    const whole = this.classOfSource(o);
    let rc = tables.getSubRegisterClass(whole, this.sub('sub0'));
    if (isVector && mover.facts.isSGPRClass(rc)) rc = mover.facts.equivalentVGPRClass(rc);
    return extractHalf(mover, i, o, k, whole, rc);
  }

  private join(i: InstrId, low: Reg, high: Reg, rc: RegClassId, into = this.mover.newVReg(rc)): Reg {
    this.emit(i, 'REG_SEQUENCE', [
      regOperand(into, OpFlag.Def),
      regOperand(low),
      imm(this.sub('sub0')),
      regOperand(high),
      imm(this.sub('sub1')),
    ]);
    return into;
  }

  /** The result gets another register, then what made it goes. */
  private replaceResult(i: InstrId, result: Reg): void {
    this.mover.editor.replaceReg(this.fn.opVal[this.fn.opBegin[i]], result);
  }

  // -- 64 bits ---------------------------------------------------------------------------------------------------------------

  /** @llvm SIInstrInfo.cpp SIInstrInfo::splitScalar64BitBinaryOp */
  private binary64(i: InstrId, name: string, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const [, a, b] = [0, 1, 2].map((k) => fn.opBegin[i] + k);
    const lows = [this.half(i, a, 0), this.half(i, b, 0)];
    const highs = [this.half(i, a, 1), this.half(i, b, 1)];
    const rc = mover.facts.equivalentVGPRClass(mover.facts.classOf(fn.opVal[fn.opBegin[i]]));
    const halfClass = tables.getSubRegisterClass(rc, this.sub('sub0'));
    const low = mover.newVReg(halfClass);
    const lowHalf = this.emit(i, name, [regOperand(low, OpFlag.Def), ...lows]);
    const high = mover.newVReg(halfClass);
    const highHalf = this.emit(i, name, [regOperand(high, OpFlag.Def), ...highs]);
    const whole = this.join(i, low, high, rc);
    this.replaceResult(i, whole);
    worklist.add(lowHalf);
    worklist.add(highHalf);
    mover.addUsers(whole, worklist);
    mover.editor.erase(i);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::splitScalar64BitUnaryOp */
  private unary64(i: InstrId, name: string, isSwapped: boolean, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const o = fn.opBegin[i] + 1;
    const rc = mover.facts.equivalentVGPRClass(mover.facts.classOf(fn.opVal[fn.opBegin[i]]));
    const halfClass = tables.getSubRegisterClass(rc, this.sub('sub0'));
    const made: InstrId[] = [];
    const results = ([0, 1] as const).map((k) => {
      const source = this.half(i, o, k);
      const result = mover.newVReg(halfClass);
      made.push(this.emit(i, name, [regOperand(result, OpFlag.Def), source]));
      return result;
    });
    if (isSwapped) results.reverse();
    const whole = this.join(i, results[0], results[1], rc);
    this.replaceResult(i, whole);
    for (const half of made) worklist.add(half);
    mover.addUsers(whole, worklist);
    mover.editor.erase(i);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::splitScalar64BitXnor */
  private xnor64(i: InstrId, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    const isScalar = fn.opKind[begin + 1] === OperandKind.Register && mover.facts.isSGPR(fn.opVal[begin + 1]);
    const rc = mover.facts.classOf(fn.opVal[begin]);
    const negated = mover.newVReg(this.rc('sreg_64'));
    this.emit(i, 'S_NOT_B64', [regOperand(negated, OpFlag.Def), this.source(i, isScalar ? 1 : 2)]);
    const result = mover.newVReg(rc);
    const xor = this.emit(i, 'S_XOR_B64', [
      regOperand(result, OpFlag.Def),
      regOperand(negated),
      this.source(i, isScalar ? 2 : 1),
    ]);
    this.replaceResult(i, result);
    worklist.add(xor);
    mover.editor.erase(i);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::splitScalar64BitBCNT */
  private countBits64(i: InstrId, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const middle = mover.newVReg(this.rc('vgpr_32'));
    const result = mover.newVReg(this.rc('vgpr_32'));
    const [low, high] = [this.half(i, fn.opBegin[i] + 1, 0), this.half(i, fn.opBegin[i] + 1, 1)];
    this.emit(i, 'V_BCNT_U32_B32_e64', [regOperand(middle, OpFlag.Def), low, imm(0)]);
    this.emit(i, 'V_BCNT_U32_B32_e64', [regOperand(result, OpFlag.Def), high, regOperand(middle)]);
    this.replaceResult(i, result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /**
   * Zeros in front (`isLeading`) or after: of one half, and of the other plus 32, which must not wrap.
   * @llvm SIInstrInfo.cpp SIInstrInfo::splitScalar64BitCountOp
   */
  private countZeros64(i: InstrId, isLeading: boolean, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const count = isLeading ? 'V_FFBH_U32_e32' : 'V_FFBL_B32_e32';
    const add = fn.subtarget.hasFeature('add-no-carry-insts') ? 'V_ADD_U32_e64' : 'V_ADD_CO_U32_e32';
    const [low, high] = [this.half(i, fn.opBegin[i] + 1, 0), this.half(i, fn.opBegin[i] + 1, 1)];
    const [a, b, c, result] = [0, 1, 2, 3].map(() => mover.newVReg(this.rc('vgpr_32')));
    this.emit(i, count, [regOperand(a, OpFlag.Def), low]);
    this.emit(i, count, [regOperand(b, OpFlag.Def), high]);
    this.emit(i, add, [regOperand(c, OpFlag.Def), regOperand(isLeading ? a : b), imm(32), imm(1)]);
    this.emit(i, 'V_MIN_U32_e64', [regOperand(result, OpFlag.Def), regOperand(c), regOperand(isLeading ? b : a)]);
    this.replaceResult(i, result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  // -- negated logic ---------------------------------------------------------------------------------------------------------

  /** @llvm SIInstrInfo.cpp SIInstrInfo::lowerScalarXnor */
  private xnor(i: InstrId, hasXnor: boolean, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const [a, b] = [fn.opBegin[i] + 1, fn.opBegin[i] + 2];
    if (hasXnor) {
      const result = mover.newVReg(this.rc('vgpr_32'));
      for (const o of [a, b]) mover.intoClass(i, this.rc('vgpr_32'), o);
      this.emit(i, 'V_XNOR_B32_e64', [regOperand(result, OpFlag.Def), this.source(i, 1), this.source(i, 2)]);
      this.replaceResult(i, result);
      mover.addUsers(result, worklist);
      mover.editor.erase(i);
      return;
    }
    const isScalar = (o: OperandId): boolean =>
      fn.opKind[o] === OperandKind.Register && mover.facts.isSGPR(fn.opVal[o]);
    const tmp = mover.newVReg(this.rc('sreg_32'));
    const result = mover.newVReg(this.rc('sreg_32'));
    let xor: InstrId;
    if (isScalar(a) || isScalar(b)) {
      const first = isScalar(a);
      this.emit(i, 'S_NOT_B32', [regOperand(tmp, OpFlag.Def), this.source(i, first ? 1 : 2)]);
      const sources = first ? [regOperand(tmp), this.source(i, 2)] : [this.source(i, 1), regOperand(tmp)];
      xor = this.emit(i, 'S_XOR_B32', [regOperand(result, OpFlag.Def), ...sources]);
    } else {
      xor = this.emit(i, 'S_XOR_B32', [regOperand(tmp, OpFlag.Def), this.source(i, 1), this.source(i, 2)]);
      worklist.add(this.emit(i, 'S_NOT_B32', [regOperand(result, OpFlag.Def), regOperand(tmp)]));
    }
    this.replaceResult(i, result);
    worklist.add(xor);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::splitScalarNotBinop */
  private negated(i: InstrId, name: string, worklist: MoveWorklist): void {
    const { mover } = this;
    const result = mover.newVReg(this.rc('sreg_32'));
    const tmp = mover.newVReg(this.rc('sreg_32'));
    const logic = this.emit(i, name, [regOperand(tmp, OpFlag.Def), this.source(i, 1), this.source(i, 2)]);
    const not = this.emit(i, 'S_NOT_B32', [regOperand(result, OpFlag.Def), regOperand(tmp)]);
    worklist.add(logic);
    worklist.add(not);
    this.replaceResult(i, result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::splitScalarBinOpN2 */
  private withNot(i: InstrId, name: string, worklist: MoveWorklist): void {
    const { mover } = this;
    const result = mover.newVReg(this.rc('sreg_32_xm0'));
    const tmp = mover.newVReg(this.rc('sreg_32_xm0'));
    const not = this.emit(i, 'S_NOT_B32', [regOperand(tmp, OpFlag.Def), this.source(i, 2)]);
    const logic = this.emit(i, name, [regOperand(result, OpFlag.Def), this.source(i, 1), regOperand(tmp)]);
    worklist.add(not);
    worklist.add(logic);
    this.replaceResult(i, result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  // -- products --------------------------------------------------------------------------------------------------------------

  /** @llvm SIInstrInfo.cpp SIInstrInfo::splitScalarSMulU64 */
  private product64(i: InstrId, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const vgpr = this.rc('vgpr_32');
    const [a, b] = [fn.opBegin[i] + 1, fn.opBegin[i] + 2];
    const wide = this.rc(fn.subtarget.needsAlignedVGPRs ? 'vreg_64_align2' : 'vreg_64');
    const whole = mover.newVReg(wide);
    const low = mover.newVReg(vgpr);
    const high = mover.newVReg(vgpr);
    const aLow = this.half(i, a, 0, true);
    const bLow = this.half(i, b, 0, true);
    const aHigh = this.half(i, a, 1, true);
    const bHigh = this.half(i, b, 1, true);
    const made: InstrId[] = [];
    const step = (name: string, x: NewOperand, y: NewOperand, into = mover.newVReg(vgpr)): NewOperand => {
      made.push(this.emit(i, name, [regOperand(into, OpFlag.Def), x, y]));
      return regOperand(into);
    };
    const crossed = step('V_MUL_LO_U32_e64', bLow, aHigh);
    const other = step('V_MUL_LO_U32_e64', bHigh, aLow);
    const carry = step('V_MUL_HI_U32_e64', bLow, aLow);
    step('V_MUL_LO_U32_e64', bLow, aLow, low);
    const sum = step('V_ADD_U32_e32', crossed, other);
    step('V_ADD_U32_e32', sum, carry, high);
    this.join(i, low, high, wide, whole);
    this.replaceResult(i, whole);
    for (const m of made) mover.legalizer.legalize(m);
    mover.addUsers(whole, worklist);
    mover.editor.erase(i);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::splitScalarSMulPseudo */
  private extendedProduct(i: InstrId, highName: string, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const vgpr = this.rc('vgpr_32');
    const wide = this.rc(fn.subtarget.needsAlignedVGPRs ? 'vreg_64_align2' : 'vreg_64');
    const whole = mover.newVReg(wide);
    const low = mover.newVReg(vgpr);
    const high = mover.newVReg(vgpr);
    const a = this.half(i, fn.opBegin[i] + 1, 0, true);
    const b = this.half(i, fn.opBegin[i] + 2, 0, true);
    const highHalf = this.emit(i, highName, [regOperand(high, OpFlag.Def), b, a]);
    const lowHalf = this.emit(i, 'V_MUL_LO_U32_e64', [regOperand(low, OpFlag.Def), b, a]);
    this.join(i, low, high, wide, whole);
    this.replaceResult(i, whole);
    mover.legalizer.legalize(highHalf);
    mover.legalizer.legalize(lowHalf);
    mover.addUsers(whole, worklist);
    mover.editor.erase(i);
  }

  // -- packs -----------------------------------------------------------------------------------------------------------------

  /**
   * `halves`: which halves of the two sources (LL, LH, HL, HH).
   * @llvm SIInstrInfo.cpp SIInstrInfo::movePackToVALU
   */
  private pack(i: InstrId, halves: string, worklist: MoveWorklist): void {
    const { mover, fn } = this;
    const vgpr = this.rc('vgpr_32');
    const result = mover.newVReg(vgpr);
    if (fn.subtarget.hasFeature('real-true16')) this.packHalves(i, halves, result);
    else {
      const [a, b] = [this.source(i, 1), this.source(i, 2)];
      const killed = (reg: Reg): NewOperand => regOperand(reg, OpFlag.Kill);
      const def = (reg: Reg): NewOperand => regOperand(reg, OpFlag.Def);
      if (halves === 'LL') {
        const [mask, low] = [mover.newVReg(vgpr), mover.newVReg(vgpr)];
        this.emit(i, 'V_MOV_B32_e32', [def(mask), imm(0xffff)]);
        this.emit(i, 'V_AND_B32_e64', [def(low), killed(mask), a]);
        this.emit(i, 'V_LSHL_OR_B32_e64', [def(result), b, imm(16), killed(low)]);
      } else if (halves === 'LH') {
        const mask = mover.newVReg(vgpr);
        this.emit(i, 'V_MOV_B32_e32', [def(mask), imm(0xffff)]);
        this.emit(i, 'V_BFI_B32_e64', [def(result), killed(mask), a, b]);
      } else if (halves === 'HL') {
        const low = mover.newVReg(vgpr);
        this.emit(i, 'V_LSHRREV_B32_e64', [def(low), imm(16), a]);
        this.emit(i, 'V_LSHL_OR_B32_e64', [def(result), b, imm(16), killed(low)]);
      } else {
        const [mask, low] = [mover.newVReg(vgpr), mover.newVReg(vgpr)];
        this.emit(i, 'V_LSHRREV_B32_e64', [def(low), imm(16), a]);
        this.emit(i, 'V_MOV_B32_e32', [def(mask), { kind: OperandKind.Immediate, val: -65536, ext: 0 }]);
        this.emit(i, 'V_AND_OR_B32_e64', [def(result), b, killed(mask), killed(low)]);
      }
    }
    this.replaceResult(i, result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  private packHalves(i: InstrId, halves: string, result: Reg): void {
    const { mover, fn } = this;
    const { facts } = mover;
    const sources = [1, 2].map((k) => {
      const o = fn.opBegin[i] + k;
      if (fn.opKind[o] === OperandKind.Register && !facts.isSGPR(fn.opVal[o])) return fn.opVal[o];
      const moved = mover.newVReg(this.rc('vgpr_32'));
      this.emit(i, 'V_MOV_B32_e32', [regOperand(moved, OpFlag.Def), this.source(i, k)]);
      return moved;
    });
    const parts = sources.flatMap((reg, k) => {
      const isHalf = mover.editor.constrainClass(reg, this.rc('vgpr_16'));
      const part = this.sub(halves[k] === 'L' ? 'lo16' : 'hi16');
      return [regOperand(reg, 0, isHalf ? 0 : part), imm(this.sub(k === 0 ? 'lo16' : 'hi16'))];
    });
    this.emit(i, 'REG_SEQUENCE', [regOperand(result, OpFlag.Def), ...parts]);
  }
}
