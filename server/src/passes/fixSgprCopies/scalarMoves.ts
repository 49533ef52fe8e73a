/**
 * SALU instructions that become VALU instructions because an operand is in vector registers now (SIInstrInfo::getVALUOp and moveToVALUImpl, LLVM 22;
 * docs/llvm/sgpr-copies.md, section 5). Those of 64 bits that the VALU has only for 32: splitMoves.ts.
 */
import { operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { Generation, isVOP3, type RegClassId, type TargetTables } from '../../target/index.js';
import type { Mover } from './builder.js';
import { Unmodelled } from '../registerFacts.js';
import { SplitMover } from './splitMoves.js';
import type { MoveWorklist } from './worklist.js';

/** Same sources, same result. Floats, comparisons and what depends on the processor: `vectorName`. */
const VALU: Readonly<Record<string, string>> = {
  S_ADDC_U32: 'V_ADDC_U32_e32',
  S_ADD_U32: 'V_ADD_CO_U32_e32',
  S_SUB_U32: 'V_SUB_CO_U32_e32',
  S_SUBB_U32: 'V_SUBB_U32_e32',
  S_MUL_U64: 'V_MUL_U64_e64',
  S_ADD_U64_PSEUDO: 'V_ADD_U64_PSEUDO',
  S_SUB_U64_PSEUDO: 'V_SUB_U64_PSEUDO',
  S_MUL_I32: 'V_MUL_LO_U32_e64',
  S_MUL_HI_U32: 'V_MUL_HI_U32_e64',
  S_MUL_HI_I32: 'V_MUL_HI_I32_e64',
  S_AND_B32: 'V_AND_B32_e64',
  S_OR_B32: 'V_OR_B32_e64',
  S_XOR_B32: 'V_XOR_B32_e64',
  S_MIN_I32: 'V_MIN_I32_e64',
  S_MIN_U32: 'V_MIN_U32_e64',
  S_MAX_I32: 'V_MAX_I32_e64',
  S_MAX_U32: 'V_MAX_U32_e64',
  S_BFM_B32: 'V_BFM_B32_e64',
  S_BREV_B32: 'V_BFREV_B32_e32',
  S_NOT_B32: 'V_NOT_B32_e32',
  S_BCNT1_I32_B32: 'V_BCNT_U32_B32_e64',
  S_FF1_I32_B32: 'V_FFBL_B32_e32',
  S_FLBIT_I32_B32: 'V_FFBH_U32_e32',
  S_FLBIT_I32: 'V_FFBH_I32_e64',
  S_SEXT_I32_I8: 'V_BFE_I32_e64',
  S_SEXT_I32_I16: 'V_BFE_I32_e64',
  S_BFE_I32: 'V_BFE_I32_e64',
  S_BFE_U32: 'V_BFE_U32_e64',
  S_CVT_F32_I32: 'V_CVT_F32_I32_e64',
  S_CVT_F32_U32: 'V_CVT_F32_U32_e64',
  S_CVT_I32_F32: 'V_CVT_I32_F32_e64',
  S_CVT_U32_F32: 'V_CVT_U32_F32_e64',
  S_CVT_PK_RTZ_F16_F32: 'V_CVT_PKRTZ_F16_F32_e64',
  S_FMAC_F32: 'V_FMAC_F32_e64',
  S_FMAMK_F32: 'V_FMAMK_F32',
  S_FMAAK_F32: 'V_FMAAK_F32',
};

/** Shifts of gfx8 and later, where the VALU takes the operands the other way round; and those before. */
const SHIFTS: Readonly<Record<string, readonly [reversed: string, plain: string]>> = {
  S_LSHL_B32: ['V_LSHLREV_B32_e64', 'V_LSHL_B32_e32'],
  S_LSHR_B32: ['V_LSHRREV_B32_e64', 'V_LSHR_B32_e32'],
  S_ASHR_I32: ['V_ASHRREV_I32_e64', 'V_ASHR_I32_e32'],
  S_LSHL_B64: ['V_LSHLREV_B64_e64', 'V_LSHL_B64_e64'],
  S_LSHR_B64: ['V_LSHRREV_B64_e64', 'V_LSHR_B64_e64'],
  S_ASHR_I64: ['V_ASHRREV_I64_e64', 'V_ASHR_I64_e64'],
};

/** Sums where the VALU has some that leave no carry, and where it has none. */
const SUMS: Readonly<Record<string, readonly [plain: string, withCarry: string]>> = {
  S_ADD_I32: ['V_ADD_U32_e64', 'V_ADD_CO_U32_e32'],
  S_SUB_I32: ['V_SUB_U32_e64', 'V_SUB_CO_U32_e32'],
};

/** Floats of 32 and 16 bits whose names differ by their prefix alone. */
const FLOAT = /^S_(ADD|SUB|MUL|MIN|MAX|MINIMUM|MAXIMUM|CEIL|FLOOR|TRUNC|RNDNE)_F(32|16)$/;
/** The scalar functions of the unit for transcendental functions. */
const TRANSCENDENTAL = /^V_S_(EXP|LOG|RCP|RSQ|SQRT)_F(32|16)_e64$/;
/** These keep 16 bits of a register that has 32 on the SALU. */
const HALVES: Readonly<Record<string, string>> = {
  S_CVT_F32_F16: 'CVT_F32_F16',
  S_CVT_HI_F32_F16: 'CVT_F32_F16',
  S_CVT_F16_F32: 'CVT_F16_F32',
  S_FMAC_F16: 'FMAC_F16',
};

const SHIFTED_SUM = /^S_LSHL([1-4])_ADD_U32$/;

/** Comparisons: S_CMP_LG of integers is V_CMP_NE, all others keep their name. */
const COMPARE = /^S_CMP_([A-Z]+)_([IUF])(32|64|16)$/;

const BRANCHES: Readonly<Record<string, string>> = {
  S_CBRANCH_SCC0: 'S_CBRANCH_VCCZ',
  S_CBRANCH_SCC1: 'S_CBRANCH_VCCNZ',
};

/** The second source stands for offset and width of a bit field. */
const WIDTH_SHIFT = 16;
const OFFSET_MASK = 0x3f;
const WIDTH_MASK = 0x7f0000;

const ZERO: NewOperand = { kind: OperandKind.Immediate, val: 0 };
const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val, ext: val < 0 ? -1 : 0 });

export class ScalarMover {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;
  private readonly scc: Reg;
  private readonly split: SplitMover;

  constructor(private readonly mover: Mover) {
    this.fn = mover.fn;
    this.tables = mover.tables;
    this.scc = mover.tables.regByName('scc');
    this.split = new SplitMover(mover);
  }

  /**
   * An instruction without a form on the VALU stays, with operands that it can read.
   * @llvm SIInstrInfo.cpp SIInstrInfo::moveToVALUImpl
   */
  move(i: InstrId, worklist: MoveWorklist): void {
    const { fn, tables } = this;
    const name = tables.opcodeName(fn.opcode[i]);
    const form = <T>(table: Readonly<Record<string, T>>): T | undefined =>
      Object.hasOwn(table, name) ? table[name] : undefined;
    const shifted = SHIFTED_SUM.exec(name);
    const branch = form(BRANCHES);
    if (this.split.move(i, name, worklist)) return;
    if (form(SUMS) !== undefined && fn.subtarget.hasFeature('add-no-carry-insts'))
      this.moveSum(i, form(SUMS)![0], worklist);
    else if (name === 'S_BFE_I64') this.moveField64(i, worklist);
    else if (name === 'S_BFE_U64' || name === 'S_BFM_B64') throw new Unmodelled(`the move of ${name} to the VALU`);
    else if (name === 'S_ADD_CO_PSEUDO' || name === 'S_SUB_CO_PSEUDO') this.moveCarry(i, name, worklist);
    else if (name === 'S_UADDO_PSEUDO' || name === 'S_USUBO_PSEUDO') this.moveOverflow(i, name, worklist);
    else if (shifted !== null) this.moveShiftedSum(i, Number(shifted[1]), worklist);
    else if (COMPARE.test(name)) this.moveCompare(i, this.vectorName(name), worklist);
    else if (name === 'S_CSELECT_B32' || name === 'S_CSELECT_B64')
      this.moveSelect(i, name === 'S_CSELECT_B64', worklist);
    else if (name === 'S_CVT_HI_F32_F16') this.moveHighHalf(i, worklist);
    else if (name === 'S_ABS_I32' || name === 'S_ABSDIFF_I32') this.moveAbsolute(i, name === 'S_ABSDIFF_I32', worklist);
    else if (branch !== undefined) this.moveBranch(i, branch);
    else if (name === 'S_MOV_B32') this.moveMove(i, worklist);
    else {
      const vector = this.vectorName(name);
      if (vector === '') this.mover.legalizer.legalize(i);
      else this.convert(i, vector, worklist);
    }
  }

  /**
   * The opcode of the VALU for one of the SALU, '' if there is none or more has to be done.
   * @llvm SIInstrInfo.cpp SIInstrInfo::getVALUOp
   */
  private vectorName(name: string): string {
    const { fn } = this;
    const half = fn.subtarget.hasFeature('real-true16') ? '_t16' : '_fake16';
    const form = <T>(table: Readonly<Record<string, T>>): T | undefined =>
      Object.hasOwn(table, name) ? table[name] : undefined;
    const shift = form(SHIFTS);
    if (shift !== undefined) {
      if (fn.subtarget.generation < Generation.VOLCANIC_ISLANDS) return shift[1];
      return name === 'S_LSHL_B64' && fn.subtarget.generation >= Generation.GFX12
        ? 'V_LSHLREV_B64_pseudo_e64'
        : shift[0];
    }
    const sum = form(SUMS);
    if (sum !== undefined) return sum[1];
    const float = FLOAT.exec(name) ?? TRANSCENDENTAL.exec(name);
    if (float !== null) return `V_${float[1]}_F${float[2]}${float[2] === '16' ? half : ''}_e64`;
    const compare = COMPARE.exec(name);
    if (compare !== null) {
      const [, relation, kind, bits] = compare;
      const spelled = relation === 'LG' && kind !== 'F' ? 'NE' : relation;
      return `V_CMP_${spelled}_${kind}${bits}${bits === '16' ? half : ''}_e64`;
    }
    const ofHalf = form(HALVES);
    if (ofHalf !== undefined) return `V_${ofHalf}${half}_e64`;
    return form(VALU) ?? '';
  }

  private opcode(name: string): number {
    const opcode = this.tables.opcodeByName(name);
    if (opcode < 0) throw new Unmodelled(name);
    return opcode;
  }

  private operand(o: OperandId): NewOperand {
    return operandOf(this.fn, o);
  }

  private emit(at: InstrId, name: string, operands: readonly NewOperand[]): InstrId {
    const opcode = this.opcode(name);
    return this.mover.build(at, at, opcode, operands);
  }

  /** The new register takes the place of the result of `i`, whose readers move on, and `i` goes. */
  private finish(i: InstrId, result: Reg, made: InstrId, worklist: MoveWorklist): void {
    const { mover, fn } = this;
    mover.editor.replaceReg(fn.opVal[fn.opBegin[i]], result);
    mover.legalizer.legalizeHalves(made);
    mover.legalizer.legalize(made);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /** Another opcode in the place of `i`: its operands with the modifiers that the VALU has beside them. */
  private convert(i: InstrId, name: string, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const { editor } = mover;
    const begin = fn.opBegin[i];
    const old = tables.opcodeName(fn.opcode[i]);
    const opcode = this.opcode(name);
    const isReversed = Object.hasOwn(SHIFTS, old) && fn.subtarget.generation >= Generation.VOLCANIC_ISLANDS;
    const nExplicit = Math.min(tables.opcodeNumOperands(fn.opcode[i]), fn.opBegin[i + 1] - begin);
    const sources: NewOperand[] = [];
    for (let k = 1; k < nExplicit; k++) sources.push(this.operand(begin + k));
    if (isReversed) sources.reverse();
    const operands = [this.operand(begin), ...this.withModifiers(i, old, opcode, sources)];
    const made = mover.build(i, i, opcode, operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    this.fn.tieByOpcode(made);
    for (let o = begin + nExplicit; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== this.scc) continue;
      const flags = fn.opFlags[o];
      if ((flags & OpFlag.Def) === 0) this.definerOfSCC(made, worklist);
      else if ((flags & OpFlag.Dead) === 0) this.readersOfSCC(i, 0, worklist);
    }
    editor.erase(i);
    const dst = fn.opVal[fn.opBegin[made]];
    const result = mover.newVReg(mover.facts.operandClass(made, 0));
    editor.replaceReg(dst, result);
    mover.legalizer.legalizeHalves(made);
    mover.legalizer.legalize(made);
    mover.addUsers(result, worklist);
  }

  private withModifiers(
    i: InstrId,
    old: string,
    opcode: number,
    sources: readonly NewOperand[],
  ): readonly NewOperand[] {
    const { fn, tables } = this;
    if (!isVOP3(tables, opcode)) return sources;
    const has = (name: string): boolean => tables.getNamedOperandIdx(opcode, name) >= 0;
    // Those of halves in lanes choose one, which those of scalars do not.
    if (isVOP3(tables, fn.opcode[i]))
      return has('op_sel') && tables.getNamedOperandIdx(fn.opcode[i], 'op_sel') < 0 ? [...sources, ZERO] : sources;
    const operands: NewOperand[] = [];
    if (has('src0_modifiers')) operands.push(ZERO);
    operands.push(sources[0]);
    if (old === 'S_SEXT_I32_I8') return [...operands, ZERO, imm(8)];
    if (old === 'S_SEXT_I32_I16') return [...operands, ZERO, imm(16)];
    if (old === 'S_BCNT1_I32_B32') return [...operands, ZERO];
    if (old === 'S_BFE_I32' || old === 'S_BFE_U32') {
      if (sources[1].kind !== OperandKind.Immediate) throw new Unmodelled('bit fields of variable width');
      const field = sources[1].val;
      return [...operands, imm(field & OFFSET_MASK), imm((field & WIDTH_MASK) >> WIDTH_SHIFT)];
    }
    if (has('src1_modifiers')) operands.push(ZERO);
    if (has('src1')) operands.push(sources[1]);
    if (has('src2_modifiers')) operands.push(ZERO);
    if (has('src2')) operands.push(sources[2]);
    for (const name of ['clamp', 'omod', 'op_sel']) if (has(name)) operands.push(ZERO);
    return operands;
  }

  /** S_MOV_B32 of a register is a copy. */
  private moveMove(i: InstrId, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const isReg = fn.opKind[fn.opBegin[i] + 1] === OperandKind.Register;
    if (!isReg && !mover.facts.isAGPR(fn.opVal[fn.opBegin[i]])) {
      this.convert(i, 'V_MOV_B32_e32', worklist);
      return;
    }
    const made = this.emit(i, 'COPY', [this.operand(fn.opBegin[i]), this.operand(fn.opBegin[i] + 1)]);
    mover.editor.erase(i);
    const result = mover.newVReg(mover.facts.equivalentVGPRClass(mover.facts.operandClass(made, 0)));
    mover.editor.replaceReg(fn.opVal[fn.opBegin[made]], result);
    mover.addUsers(result, worklist);
  }

  /** S_ADD_CO_PSEUDO and S_SUB_CO_PSEUDO: result, carry out, two sources, carry in. */
  private moveCarry(i: InstrId, name: string, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    const carryIn = fn.opVal[begin + 4];
    if (!mover.editor.constrainClass(carryIn, this.maskClass)) {
      const copy = mover.newVReg(this.maskClass);
      this.emit(i, 'COPY', [regOperand(copy, OpFlag.Def), regOperand(carryIn)]);
    }
    const result = mover.newVReg(mover.facts.equivalentVGPRClass(mover.facts.classOf(fn.opVal[begin])));
    const made = this.emit(i, name === 'S_ADD_CO_PSEUDO' ? 'V_ADDC_U32_e64' : 'V_SUBB_U32_e64', [
      regOperand(result, OpFlag.Def),
      regOperand(fn.opVal[begin + 1], OpFlag.Def),
      this.operand(begin + 2),
      this.operand(begin + 3),
      regOperand(carryIn),
      ZERO,
    ]);
    mover.legalizer.legalize(made);
    mover.editor.replaceReg(fn.opVal[begin], result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /** S_UADDO_PSEUDO and S_USUBO_PSEUDO: result, carry out, two sources. */
  private moveOverflow(i: InstrId, name: string, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    const result = mover.newVReg(mover.facts.equivalentVGPRClass(mover.facts.classOf(fn.opVal[begin])));
    const made = this.emit(i, name === 'S_UADDO_PSEUDO' ? 'V_ADD_CO_U32_e64' : 'V_SUB_CO_U32_e64', [
      regOperand(result, OpFlag.Def),
      regOperand(fn.opVal[begin + 1], OpFlag.Def),
      this.operand(begin + 2),
      this.operand(begin + 3),
      ZERO,
    ]);
    mover.legalizer.legalize(made);
    mover.editor.replaceReg(fn.opVal[begin], result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  private moveHighHalf(i: InstrId, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const vgpr = tables.regClassByName('vgpr_32');
    const tmp = mover.newVReg(vgpr);
    const result = mover.newVReg(vgpr);
    this.emit(i, 'V_LSHRREV_B32_e64', [regOperand(tmp, OpFlag.Def), imm(16), this.operand(fn.opBegin[i] + 1)]);
    const opcode = this.opcode(this.vectorName('S_CVT_F32_F16'));
    const opSel = tables.getNamedOperandIdx(opcode, 'op_sel') >= 0 ? [ZERO] : [];
    const made = this.emit(i, tables.opcodeName(opcode), [
      regOperand(result, OpFlag.Def),
      ZERO,
      regOperand(tmp),
      ZERO,
      ZERO,
      ...opSel,
    ]);
    mover.legalizer.legalizeHalves(made);
    mover.editor.replaceReg(fn.opVal[fn.opBegin[i]], result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /**
   * lowerScalarAbs and the absolute difference: the greater of a number and its negative.
   * @llvm SIInstrInfo.cpp SIInstrInfo::lowerScalarAbs
   * @llvm SIInstrInfo.cpp SIInstrInfo::lowerScalarAbsDiff
   */
  private moveAbsolute(i: InstrId, isDifference: boolean, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const begin = fn.opBegin[i];
    const vgpr = tables.regClassByName('vgpr_32');
    const sub = fn.subtarget.hasFeature('add-no-carry-insts') ? 'V_SUB_U32_e32' : 'V_SUB_CO_U32_e32';
    for (let o = begin + 1; o <= begin + (isDifference ? 2 : 1); o++)
      if (fn.opKind[o] !== OperandKind.Register) throw new Unmodelled('the absolute value of a constant');
    const difference = isDifference ? mover.newVReg(vgpr) : 0;
    const negative = mover.newVReg(vgpr);
    const result = mover.newVReg(vgpr);
    let source = regOperand(fn.opVal[begin + 1]);
    if (isDifference) {
      this.emit(i, sub, [regOperand(difference, OpFlag.Def), source, regOperand(fn.opVal[begin + 2])]);
      source = regOperand(difference);
    }
    this.emit(i, sub, [regOperand(negative, OpFlag.Def), ZERO, source]);
    this.emit(i, 'V_MAX_I32_e64', [regOperand(result, OpFlag.Def), source, regOperand(negative)]);
    mover.editor.replaceReg(fn.opVal[begin], result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /**
   * Sign extension of a field of at most 32 bits.
   * @llvm SIInstrInfo.cpp SIInstrInfo::splitScalar64BitBFE
   */
  private moveField64(i: InstrId, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const begin = fn.opBegin[i];
    const field = fn.opKind[begin + 2] === OperandKind.Immediate ? fn.opVal[begin + 2] : 1;
    const width = (field & WIDTH_MASK) >> WIDTH_SHIFT;
    if ((field & OFFSET_MASK) !== 0 || width > 32 || !isVirtualReg(fn.opVal[begin + 1]))
      throw new Unmodelled('bit fields of 64 bits');
    const vgpr = tables.regClassByName('vgpr_32');
    const low = tables.subRegIndexByName('sub0');
    const high = tables.subRegIndexByName('sub1');
    const source = regOperand(fn.opVal[begin + 1], 0, low);
    const isShort = width < 32;
    const lowReg = isShort ? mover.newVReg(vgpr) : fn.opVal[begin + 1];
    const highReg = mover.newVReg(vgpr);
    const result = mover.newVReg(tables.regClassByName('vreg_64'));
    if (isShort) {
      const bfe = [regOperand(lowReg, OpFlag.Def), source, imm(0), imm(width)];
      mover.build(i, i, this.opcode('V_BFE_I32_e64'), bfe);
    }
    const sign = [regOperand(highReg, OpFlag.Def), imm(31), isShort ? regOperand(lowReg) : source];
    mover.build(i, i, this.opcode(isShort ? 'V_ASHRREV_I32_e32' : 'V_ASHRREV_I32_e64'), sign);
    mover.build(i, i, this.opcode('REG_SEQUENCE'), [
      regOperand(result, OpFlag.Def),
      isShort ? regOperand(lowReg) : source,
      imm(low),
      regOperand(highReg),
      imm(high),
    ]);
    mover.editor.replaceReg(fn.opVal[begin], result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  private moveShiftedSum(i: InstrId, amount: number, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    const result = mover.newVReg(mover.facts.equivalentVGPRClass(mover.facts.classOf(fn.opVal[begin])));
    const operands = [regOperand(result, OpFlag.Def), this.operand(begin + 1), imm(amount), this.operand(begin + 2)];
    const made = mover.build(i, i, this.opcode('V_LSHL_ADD_U32_e64'), operands);
    mover.legalizer.legalize(made);
    mover.editor.replaceReg(fn.opVal[begin], result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::moveScalarAddSub */
  private moveSum(i: InstrId, name: string, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    const dst = fn.opVal[begin];
    const result = mover.newVReg(this.tables.regClassByName('vgpr_32'));
    const made = mover.replace(i, this.opcode(name), [
      this.operand(begin),
      this.operand(begin + 1),
      this.operand(begin + 2),
      ZERO,
    ]);
    mover.editor.replaceReg(dst, result);
    mover.legalizer.legalize(made);
    mover.addUsers(result, worklist);
  }

  private get maskClass(): RegClassId {
    return this.tables.regClassByName(this.fn.subtarget.wavefrontSize === 64 ? 'sreg_64_xexec' : 'sreg_32_xm0_xexec');
  }

  private moveCompare(i: InstrId, name: string, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const begin = fn.opBegin[i];
    const condition = mover.newVReg(this.maskClass);
    const opcode = this.opcode(name);
    const [a, b] = [this.operand(begin), this.operand(begin + 1)];
    const sources =
      tables.getNamedOperandIdx(opcode, 'src0_modifiers') >= 0
        ? [ZERO, a, ZERO, b, ZERO, ...(tables.getNamedOperandIdx(opcode, 'op_sel') >= 0 ? [ZERO] : [])]
        : [a, b];
    const made = this.emit(i, name, [regOperand(condition, OpFlag.Def), ...sources]);
    fn.instrFlags[made] = fn.instrFlags[i];
    mover.legalizer.legalizeHalves(made);
    mover.legalizer.legalize(made);
    this.readersOfSCC(i, condition, worklist);
    mover.editor.erase(i);
  }

  /**
   * What reads SCC up to its next definition reads the mask instead (0: VCC, when it has moved) and moves, too.
   * @llvm SIInstrInfo.cpp SIInstrInfo::addSCCDefUsersToVALUWorklist
   */
  private readersOfSCC(i: InstrId, condition: Reg, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const { editor } = mover;
    const copies: InstrId[] = [];
    for (let j = editor.list.after(i); j >= 0; j = editor.list.after(j)) {
      let isDefined = false;
      for (let o = fn.firstReg(j); o >= 0; o = fn.nextReg(j, o)) {
        if (fn.opVal[o] !== this.scc) continue;
        if ((fn.opFlags[o] & OpFlag.Def) !== 0) isDefined = true;
        else if (tables.opcodeName(fn.opcode[j]) === 'COPY') {
          if (condition === 0) throw new Unmodelled('copies of SCC without a mask');
          editor.replaceReg(fn.opVal[fn.opBegin[j]], condition);
          copies.push(j);
          break;
        } else {
          if (condition !== 0) editor.setReg(o, condition);
          worklist.add(j);
          break;
        }
      }
      if (isDefined) break;
    }
    for (const copy of copies) editor.erase(copy);
  }

  /**
   * What the instruction read in SCC comes from the VALU, too.
   * @llvm SIInstrInfo.cpp SIInstrInfo::addSCCDefsToVALUWorklist
   */
  private definerOfSCC(i: InstrId, worklist: MoveWorklist): void {
    const { fn, mover, tables } = this;
    const { list } = mover.editor;
    const vcc = tables.regByName('vcc');
    for (let j = list.before(i); j >= 0; j = list.before(j)) {
      for (let o = fn.firstReg(j); o >= 0; o = fn.nextReg(j, o)) {
        if ((fn.opFlags[o] & OpFlag.Def) === 0 || fn.opVal[o] <= 0) continue;
        if (tables.regsOverlap(fn.opVal[o], vcc)) return;
        if (fn.opVal[o] !== this.scc) continue;
        worklist.add(j);
        return;
      }
    }
  }

  /**
   * By a mask, which is selected from SCC in front where the condition is still there.
   * @llvm SIInstrInfo.cpp SIInstrInfo::lowerSelect
   */
  private moveSelect(i: InstrId, is64: boolean, worklist: MoveWorklist): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    const condition = fn.opVal[begin + 3];
    const isSCC = condition === this.scc;
    const isImm = (o: OperandId, value: number): boolean =>
      fn.opKind[o] === OperandKind.Immediate && fn.opVal[o] === value && fn.opExt[o] === (value < 0 ? -1 : 0);
    if (!isSCC && isImm(begin + 1, -1) && isImm(begin + 2, 0)) {
      mover.editor.replaceReg(fn.opVal[begin], condition);
      mover.editor.erase(i);
      return;
    }
    const mask = isSCC ? this.maskOfSCC(i, begin + 3) : condition;
    const result = mover.newVReg(mover.facts.equivalentVGPRClass(mover.facts.classOf(fn.opVal[begin])));
    const modifier = is64 ? [] : [ZERO];
    const made = this.emit(i, is64 ? 'V_CNDMASK_B64_PSEUDO' : 'V_CNDMASK_B32_e64', [
      regOperand(result, OpFlag.Def),
      ...modifier,
      this.operand(begin + 2),
      ...modifier,
      this.operand(begin + 1),
      regOperand(mask),
    ]);
    this.finish(i, result, made, worklist);
  }

  private maskOfSCC(i: InstrId, o: OperandId): Reg {
    const { fn, mover, tables } = this;
    const { list } = mover.editor;
    const mask = mover.newVReg(this.maskClass);
    for (let j = list.before(i); j >= 0; j = list.before(j)) {
      let isDefined = false;
      for (let k = fn.opBegin[j]; k < fn.opBegin[j + 1]; k++)
        isDefined ||=
          fn.opKind[k] === OperandKind.Register && fn.opVal[k] === this.scc && (fn.opFlags[k] & OpFlag.Def) !== 0;
      if (!isDefined) continue;
      if (tables.opcodeName(fn.opcode[j]) !== 'COPY') break;
      const copied = regOperand(fn.opVal[fn.opBegin[j] + 1]);
      mover.build(i, i, tables.opcodeByName('COPY'), [regOperand(mask, OpFlag.Def), copied]);
      return mask;
    }
    const scc = regOperand(this.scc, OpFlag.Implicit | (fn.opFlags[o] & OpFlag.Undef));
    const select = this.opcode(`S_CSELECT_B${fn.subtarget.wavefrontSize}`);
    mover.build(i, i, select, [regOperand(mask, OpFlag.Def), imm(-1), ZERO, scc]);
    return mask;
  }

  private moveBranch(i: InstrId, name: string): void {
    const { fn, mover, tables } = this;
    const begin = fn.opBegin[i];
    const is64 = fn.subtarget.wavefrontSize === 64;
    const vcc = tables.regByName(is64 ? 'vcc' : 'vcc_lo');
    const exec = tables.regByName(is64 ? 'exec' : 'exec_lo');
    const condition = fn.opVal[begin + 1];
    const and = this.opcode(is64 ? 'S_AND_B64' : 'S_AND_B32');
    mover.build(i, i, and, [
      regOperand(vcc, OpFlag.Def),
      regOperand(exec),
      regOperand(condition === this.scc ? vcc : condition),
    ]);
    mover.replace(i, this.opcode(name), [this.operand(begin)]);
  }
}
