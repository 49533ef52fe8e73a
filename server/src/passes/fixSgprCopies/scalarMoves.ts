/**
 * SALU instructions that become VALU instructions because an operand is in vector registers now (SIInstrInfo::getVALUOp, moveToVALUImpl,
 * legalizeOperandsVOP3, LLVM 22; docs/llvm/sgpr-copies.md, section 5): the ones here; all others are Unmodelled.
 */
import type { FunctionEditor, NewOperand } from '../../model/edit/functionEditor.js';
import { regOperand } from '../../model/edit/functionEditor.js';
import {
  OperandKind,
  OpFlag,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { Generation, type RegClassId, type TargetTables } from '../../target/index.js';
import { Unmodelled, type RegisterFacts } from './registerFacts.js';

/** What it takes from the mover of copies. */
export interface Mover {
  readonly fn: MachineFunction;
  readonly tables: TargetTables;
  readonly editor: FunctionEditor;
  readonly facts: RegisterFacts;
  readonly implicitExec: NewOperand;
  newVReg(rc: RegClassId): Reg;
  build(at: number, block: BlockId, like: InstrId, opcode: number, operands: readonly NewOperand[]): InstrId;
  addUsers(reg: Reg, worklist: Set<InstrId>): void;
}

/** Two operands, one result. */
const BINARY: Readonly<Record<string, string>> = {
  S_AND_B32: 'V_AND_B32_e64',
  S_OR_B32: 'V_OR_B32_e64',
  S_XOR_B32: 'V_XOR_B32_e64',
  S_MUL_I32: 'V_MUL_LO_U32_e64',
  S_MIN_I32: 'V_MIN_I32_e64',
  S_MIN_U32: 'V_MIN_U32_e64',
  S_MAX_I32: 'V_MAX_I32_e64',
  S_MAX_U32: 'V_MAX_U32_e64',
};

/** Shifts on gfx8 and later, where the VALU takes the operands the other way round. */
const REVERSED_SHIFTS: Readonly<Record<string, string>> = {
  S_LSHL_B32: 'V_LSHLREV_B32_e64',
  S_LSHR_B32: 'V_LSHRREV_B32_e64',
  S_ASHR_I32: 'V_ASHRREV_I32_e64',
};

/** What is a VOP2 instruction, whose second source has to be a VGPR: with its name for exchanged operands. Shifts before gfx8, sums before gfx9. */
const VOP2: Readonly<Record<string, readonly [string, string]>> = {
  S_LSHL_B32: ['V_LSHL_B32_e32', 'V_LSHLREV_B32_e32'],
  S_LSHR_B32: ['V_LSHR_B32_e32', 'V_LSHRREV_B32_e32'],
  S_ASHR_I32: ['V_ASHR_I32_e32', 'V_ASHRREV_I32_e32'],
  S_ADD_I32: ['V_ADD_CO_U32_e32', 'V_ADD_CO_U32_e32'],
  S_SUB_I32: ['V_SUB_CO_U32_e32', 'V_SUBREV_CO_U32_e32'],
};

const SUMS: Readonly<Record<string, string>> = { S_ADD_I32: 'V_ADD_U32_e64', S_SUB_I32: 'V_SUB_U32_e64' };

/** One operand, in VOP1, which takes anything. */
const UNARY: Readonly<Record<string, string>> = { S_NOT_B32: 'V_NOT_B32_e32', S_BREV_B32: 'V_BFREV_B32_e32' };

/** Bit fields: the VALU opcode, and the width that the name says (0: the second operand holds offset and width). */
const FIELDS: Readonly<Record<string, readonly [string, number]>> = {
  S_SEXT_I32_I8: ['V_BFE_I32_e64', 8],
  S_SEXT_I32_I16: ['V_BFE_I32_e64', 16],
  S_BFE_I32: ['V_BFE_I32_e64', 0],
  S_BFE_U32: ['V_BFE_U32_e64', 0],
};

const SHIFTED_SUM = /^S_LSHL([1-4])_ADD_U32$/;

/** Comparisons of integers: S_CMP_LG_U32 is V_CMP_NE_U32_e64, all others keep their name. */
const COMPARE = /^S_CMP_(EQ|LG|GT|GE|LT|LE)_([IU](?:32|64))$/;

const BRANCHES: Readonly<Record<string, string>> = {
  S_CBRANCH_SCC0: 'S_CBRANCH_VCCZ',
  S_CBRANCH_SCC1: 'S_CBRANCH_VCCNZ',
};

const ZERO: NewOperand = { kind: OperandKind.Immediate, val: 0 };

export class ScalarMover {
  private readonly fn: MachineFunction;
  private readonly tables: TargetTables;
  private readonly scc: Reg;

  constructor(private readonly mover: Mover) {
    this.fn = mover.fn;
    this.tables = mover.tables;
    this.scc = mover.tables.regByName('scc');
  }

  /** False if the instruction is none of these. Throws Unmodelled where more would have to be done. */
  move(i: InstrId, worklist: Set<InstrId>): boolean {
    const { fn, tables } = this;
    const name = tables.opcodeName(fn.opcode[i]);
    const compare = COMPARE.exec(name);
    const shifted = SHIFTED_SUM.exec(name);
    const isRecent = fn.subtarget.generation >= Generation.VOLCANIC_ISLANDS;
    const form = <T>(table: Readonly<Record<string, T>>): T | undefined =>
      Object.hasOwn(table, name) ? table[name] : undefined;
    const binary = form(BINARY);
    const shift = isRecent ? form(REVERSED_SHIFTS) : undefined;
    const sum = fn.subtarget.hasFeature('add-no-carry-insts') ? form(SUMS) : undefined;
    const vop2 = form(VOP2);
    const unary = form(UNARY);
    const field = form(FIELDS);
    const branch = form(BRANCHES);
    if (binary !== undefined) this.moveBinary(i, binary, false, worklist);
    else if (shift !== undefined) this.moveBinary(i, shift, true, worklist);
    else if (sum !== undefined) this.moveSum(i, sum, worklist);
    else if (vop2 !== undefined) this.moveVOP2(i, vop2, worklist);
    else if (unary !== undefined) this.moveTo(i, unary, [this.operand(fn.opBegin[i] + 1)], worklist);
    else if (field !== undefined) this.moveField(i, field, worklist);
    else if (name === 'S_ADD_U64_PSEUDO') this.moveTo(i, 'V_ADD_U64_PSEUDO', this.twoSources(i), worklist, true);
    else if (name === 'S_SUB_U64_PSEUDO') this.moveTo(i, 'V_SUB_U64_PSEUDO', this.twoSources(i), worklist, true);
    else if (name === 'S_PACK_LL_B32_B16') this.movePack(i, worklist);
    else if (name === 'S_BFE_I64') this.moveField64(i, worklist);
    else if (shifted !== null) this.moveShiftedSum(i, Number(shifted[1]), worklist);
    else if (compare !== null) {
      const condition = compare[1] === 'LG' ? 'NE' : compare[1];
      this.moveCompare(i, `V_CMP_${condition}_${compare[2]}_e64`, worklist);
    } else if (name === 'S_CSELECT_B32') this.moveSelect(i, worklist);
    else if (branch !== undefined) this.moveBranch(i, branch);
    else return false;
    return true;
  }

  private opcode(name: string): number {
    const opcode = this.tables.opcodeByName(name);
    if (opcode < 0) throw new Unmodelled(name);
    return opcode;
  }

  private operand(o: OperandId): NewOperand {
    const { fn } = this;
    return {
      kind: fn.opKind[o],
      flags: fn.opFlags[o],
      val: fn.opVal[o],
      ext: fn.opExt[o],
      sub: fn.opSub[o],
      targetFlags: fn.opTargetFlags[o],
    };
  }

  /** SCC is neither read nor read later. */
  private checkSCC(i: InstrId): void {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) {
      if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== this.scc) continue;
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Dead)) !== (OpFlag.Def | OpFlag.Dead))
        throw new Unmodelled(`the move of ${this.tables.opcodeName(fn.opcode[i])} with its SCC to the VALU`);
    }
  }

  private moveBinary(i: InstrId, name: string, isReversed: boolean, worklist: Set<InstrId>): void {
    const begin = this.fn.opBegin[i];
    const a = this.operand(begin + (isReversed ? 2 : 1));
    const b = this.operand(begin + (isReversed ? 1 : 2));
    this.moveTo(i, name, [a, b], worklist);
  }

  private twoSources(i: InstrId): NewOperand[] {
    const begin = this.fn.opBegin[i];
    return [this.operand(begin + 1), this.operand(begin + 2)];
  }

  /** movePackToVALU: two low halves; 16-bit registers are put together, else they are masked and shifted. */
  private movePack(i: InstrId, worklist: Set<InstrId>): void {
    const { fn, mover, tables } = this;
    const begin = fn.opBegin[i];
    this.checkSCC(i);
    const vgpr = tables.regClassByName('vgpr_32');
    const result = mover.newVReg(vgpr);
    const block = fn.instrBlock[i];
    const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val });
    if (fn.subtarget.hasFeature('real-true16')) {
      const parts = [begin + 1, begin + 2].flatMap((o, k) => {
        if (!this.isVGPR(o) || fn.opSub[o] !== 0) throw new Unmodelled('packs of scalar halves');
        const half = tables.subRegIndexByName(k === 0 ? 'lo16' : 'hi16');
        return [regOperand(fn.opVal[o], 0, tables.subRegIndexByName('lo16')), imm(half)];
      });
      mover.build(i, block, i, this.opcode('REG_SEQUENCE'), [regOperand(result, OpFlag.Def), ...parts]);
    } else {
      const mask = mover.newVReg(vgpr);
      const low = mover.newVReg(vgpr);
      mover.build(i, block, i, this.opcode('V_MOV_B32_e32'), [
        regOperand(mask, OpFlag.Def),
        imm(0xffff),
        mover.implicitExec,
      ]);
      const and = [
        regOperand(low, OpFlag.Def),
        regOperand(mask, OpFlag.Kill),
        this.operand(begin + 1),
        mover.implicitExec,
      ];
      mover.build(i, block, i, this.opcode('V_AND_B32_e64'), and);
      const or = [this.operand(begin + 2), imm(16), regOperand(low, OpFlag.Kill), mover.implicitExec];
      mover.build(i, block, i, this.opcode('V_LSHL_OR_B32_e64'), [regOperand(result, OpFlag.Def), ...or]);
    }
    mover.editor.replaceReg(fn.opVal[begin], result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  /** Another instruction with these sources; its result and its readers move on. */
  private moveTo(
    i: InstrId,
    name: string,
    sources: readonly NewOperand[],
    worklist: Set<InstrId>,
    isLegal = false,
  ): void {
    const { fn, mover, tables } = this;
    const begin = fn.opBegin[i];
    this.checkSCC(i);
    const dst = fn.opVal[begin];
    const opcode = this.opcode(name);
    const implicit = tables
      .implicitDefs(opcode)
      .map((reg) => regOperand(this.waveReg(reg), OpFlag.Def | OpFlag.Implicit));
    const operands = [this.operand(begin), ...sources, ...implicit, mover.implicitExec];
    const made = mover.build(i, fn.instrBlock[i], i, opcode, operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    mover.editor.erase(i);
    const result = mover.newVReg(mover.facts.operandClass(made, 0));
    mover.editor.replaceReg(dst, result);
    if (!isLegal) this.legalize(made);
    mover.addUsers(result, worklist);
  }

  /** fixImplicitOperands: VCC is a half of it in wave32. */
  private waveReg(reg: Reg): Reg {
    const { tables, fn } = this;
    return fn.subtarget.wavefrontSize === 32 && tables.regName(reg) === 'vcc' ? tables.regByName('vcc_lo') : reg;
  }

  private isVGPR(o: OperandId): boolean {
    const { fn, mover } = this;
    return fn.opKind[o] === OperandKind.Register && !mover.facts.isSGPR(fn.opVal[o]);
  }

  /** legalizeOperandsVOP2: operands are exchanged where that brings the VGPR into the second place. */
  private moveVOP2(i: InstrId, [name, exchanged]: readonly [string, string], worklist: Set<InstrId>): void {
    const { fn } = this;
    const a = fn.opBegin[i] + 1;
    const b = a + 1;
    if (this.isVGPR(b)) this.moveTo(i, name, [this.operand(a), this.operand(b)], worklist, true);
    else if (this.isVGPR(a)) this.moveTo(i, exchanged, [this.operand(b), this.operand(a)], worklist, true);
    else
      throw new Unmodelled(`the move of ${this.tables.opcodeName(fn.opcode[i])} without vector operands to the VALU`);
  }

  private moveField(i: InstrId, [name, width]: readonly [string, number], worklist: Set<InstrId>): void {
    const { fn } = this;
    const begin = fn.opBegin[i];
    const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val });
    const source = this.operand(begin + 1);
    if (width > 0) return this.moveTo(i, name, [source, imm(0), imm(width)], worklist);
    if (fn.opKind[begin + 2] !== OperandKind.Immediate) throw new Unmodelled('bit fields of variable width');
    const field = fn.opVal[begin + 2];
    this.moveTo(i, name, [source, imm(field & 0x3f), imm((field & 0x7f0000) >> 16)], worklist);
  }

  /** splitScalar64BitBFE: sign extension of a field of at most 32 bits. */
  private moveField64(i: InstrId, worklist: Set<InstrId>): void {
    const { fn, mover, tables } = this;
    const begin = fn.opBegin[i];
    this.checkSCC(i);
    const field = fn.opKind[begin + 2] === OperandKind.Immediate ? fn.opVal[begin + 2] : 1;
    const width = (field & 0x7f0000) >> 16;
    if ((field & 0x3f) !== 0 || width > 32 || !isVirtualReg(fn.opVal[begin + 1]))
      throw new Unmodelled('bit fields of 64 bits');
    const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val });
    const vgpr = tables.regClassByName('vgpr_32');
    const low = tables.subRegIndexByName('sub0');
    const high = tables.subRegIndexByName('sub1');
    const source = regOperand(fn.opVal[begin + 1], 0, low);
    const block = fn.instrBlock[i];
    const isShort = width < 32;
    const lowReg = isShort ? mover.newVReg(vgpr) : fn.opVal[begin + 1];
    const highReg = mover.newVReg(vgpr);
    const result = mover.newVReg(tables.regClassByName('vreg_64'));
    if (isShort) {
      const bfe = [regOperand(lowReg, OpFlag.Def), source, imm(0), imm(width), mover.implicitExec];
      mover.build(i, block, i, this.opcode('V_BFE_I32_e64'), bfe);
    }
    const sign = [regOperand(highReg, OpFlag.Def), imm(31), isShort ? regOperand(lowReg) : source, mover.implicitExec];
    mover.build(i, block, i, this.opcode(isShort ? 'V_ASHRREV_I32_e32' : 'V_ASHRREV_I32_e64'), sign);
    mover.build(i, block, i, this.opcode('REG_SEQUENCE'), [
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

  private moveShiftedSum(i: InstrId, amount: number, worklist: Set<InstrId>): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    this.checkSCC(i);
    const result = mover.newVReg(mover.facts.equivalentVGPRClass(mover.facts.classOf(fn.opVal[begin])));
    const shift: NewOperand = { kind: OperandKind.Immediate, val: amount };
    const operands = [
      regOperand(result, OpFlag.Def),
      this.operand(begin + 1),
      shift,
      this.operand(begin + 2),
      mover.implicitExec,
    ];
    const made = mover.build(i, fn.instrBlock[i], i, this.opcode('V_LSHL_ADD_U32_e64'), operands);
    this.legalize(made);
    mover.editor.replaceReg(fn.opVal[begin], result);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
  }

  private moveSum(i: InstrId, name: string, worklist: Set<InstrId>): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    const dst = fn.opVal[begin];
    const result = mover.newVReg(this.tables.regClassByName('vgpr_32'));
    const made = mover.editor.replace(i, this.opcode(name), [
      this.operand(begin),
      this.operand(begin + 1),
      this.operand(begin + 2),
      ZERO,
      mover.implicitExec,
    ]);
    mover.editor.replaceReg(dst, result);
    this.legalize(made);
    mover.addUsers(result, worklist);
  }

  private get maskClass(): RegClassId {
    return this.tables.regClassByName(this.fn.subtarget.wavefrontSize === 64 ? 'sreg_64_xexec' : 'sreg_32_xm0_xexec');
  }

  private moveCompare(i: InstrId, name: string, worklist: Set<InstrId>): void {
    const { fn, mover } = this;
    const begin = fn.opBegin[i];
    const condition = mover.newVReg(this.maskClass);
    const operands = [
      regOperand(condition, OpFlag.Def),
      this.operand(begin),
      this.operand(begin + 1),
      mover.implicitExec,
    ];
    const made = mover.build(i, fn.instrBlock[i], i, this.opcode(name), operands);
    fn.instrFlags[made] = fn.instrFlags[i];
    this.legalize(made);
    this.readersOfSCC(i, condition, worklist);
    mover.editor.erase(i);
  }

  /** addSCCDefUsersToVALUWorklist: what reads SCC up to its next definition reads the mask instead and moves, too. */
  private readersOfSCC(i: InstrId, condition: Reg, worklist: Set<InstrId>): void {
    const { fn, mover, tables } = this;
    const { editor } = mover;
    const copies: InstrId[] = [];
    for (let j = editor.list.after(i); j >= 0; j = editor.list.after(j)) {
      let isDefined = false;
      for (let o = fn.opBegin[j]; o < fn.opBegin[j + 1]; o++) {
        if (fn.opKind[o] !== OperandKind.Register || fn.opVal[o] !== this.scc) continue;
        if ((fn.opFlags[o] & OpFlag.Def) !== 0) isDefined = true;
        else if (tables.opcodeName(fn.opcode[j]) === 'COPY') {
          editor.replaceReg(fn.opVal[fn.opBegin[j]], condition);
          copies.push(j);
          break;
        } else {
          editor.setReg(o, condition);
          worklist.add(j);
          break;
        }
      }
      if (isDefined) break;
    }
    for (const copy of copies) editor.erase(copy);
  }

  /** lowerSelect: by a mask, which is selected from SCC in front where the condition is still there. */
  private moveSelect(i: InstrId, worklist: Set<InstrId>): void {
    const { fn, mover, tables } = this;
    const begin = fn.opBegin[i];
    const condition = fn.opVal[begin + 3];
    const isSCC = condition === this.scc;
    const isImm = (o: OperandId, value: number): boolean =>
      fn.opKind[o] === OperandKind.Immediate && fn.opVal[o] === value;
    if (!isSCC && isImm(begin + 1, -1) && isImm(begin + 2, 0)) throw new Unmodelled('selects of a mask');
    const mask = isSCC ? this.maskOfSCC(i, begin + 3) : condition;
    const result = mover.newVReg(mover.facts.equivalentVGPRClass(mover.facts.classOf(fn.opVal[begin])));
    const operands = [
      regOperand(result, OpFlag.Def),
      ZERO,
      this.operand(begin + 2),
      ZERO,
      this.operand(begin + 1),
      regOperand(mask),
    ];
    const made = mover.build(i, fn.instrBlock[i], i, tables.opcodeByName('V_CNDMASK_B32_e64'), [
      ...operands,
      mover.implicitExec,
    ]);
    mover.editor.replaceReg(fn.opVal[begin], result);
    this.legalize(made);
    mover.addUsers(result, worklist);
    mover.editor.erase(i);
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
      mover.build(i, fn.instrBlock[i], i, tables.opcodeByName('COPY'), [regOperand(mask, OpFlag.Def), copied]);
      return mask;
    }
    const minusOne: NewOperand = { kind: OperandKind.Immediate, val: -1, ext: -1 };
    const scc = regOperand(this.scc, OpFlag.Implicit | (fn.opFlags[o] & OpFlag.Undef));
    const select = this.opcode(`S_CSELECT_B${fn.subtarget.wavefrontSize}`);
    mover.build(i, fn.instrBlock[i], i, select, [regOperand(mask, OpFlag.Def), minusOne, ZERO, scc]);
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
    mover.build(i, fn.instrBlock[i], i, and, [
      regOperand(vcc, OpFlag.Def),
      regOperand(exec),
      regOperand(condition === this.scc ? vcc : condition),
      regOperand(this.scc, OpFlag.Def | OpFlag.Implicit),
    ]);
    mover.editor.replace(i, this.opcode(name), [this.operand(begin), regOperand(vcc, OpFlag.Implicit)]);
  }

  // -- operands of VOP3 ------------------------------------------------------------------------------------------------

  /** legalizeOperandsVOP3: constants and scalar registers that the constant bus has no room for go through a vector register. */
  private legalize(i: InstrId): void {
    const { fn, tables, mover } = this;
    const opcode = fn.opcode[i];
    const { facts } = mover;
    let room = facts.constantBusLimit(opcode);
    let literals = fn.subtarget.hasFeature('vop3-literal') ? 1 : 0;
    const used = new Set<Reg>();
    const places = tables.getNamedOperandIdxs(opcode, SOURCES);
    const twice = this.requiredScalar(i, places) || this.usedTwice(i, places);
    if (twice !== 0) {
      used.add(twice);
      room--;
    }
    for (const place of places) {
      if (place < 0) break;
      const o = fn.opBegin[i] + place;
      if (fn.opKind[o] !== OperandKind.Register) {
        if (facts.isInlineAt(o, opcode, place)) continue;
        const fits = literals > 0 && room > 0;
        literals--;
        room--;
        if (!fits) this.throughVector(i, o, place);
        continue;
      }
      if (!facts.isSGPR(fn.opVal[o]) || used.has(fn.opVal[o])) continue;
      if (room > 0) {
        used.add(fn.opVal[o]);
        room--;
      } else this.throughVector(i, o, place);
    }
  }

  /** findUsedSGPR: the scalar register at a source that takes scalar registers only. */
  private requiredScalar(i: InstrId, places: Int16Array): Reg {
    const { fn, mover } = this;
    for (const place of places) {
      const o = fn.opBegin[i] + place;
      if (place < 0 || fn.opKind[o] !== OperandKind.Register) continue;
      const rc = fn.subtarget.opInfoRegClass(fn.opcode[i], place);
      if (mover.facts.isSGPRClass(rc)) return fn.opVal[o];
    }
    return 0;
  }

  /** findUsedSGPR for the others: a scalar register that two sources name. */
  private usedTwice(i: InstrId, places: Int16Array): Reg {
    const { fn, mover } = this;
    const regs = [...places].map((place) => {
      const o = fn.opBegin[i] + place;
      if (place < 0 || fn.opKind[o] !== OperandKind.Register) return 0;
      return isVirtualReg(fn.opVal[o]) && mover.facts.isSGPR(fn.opVal[o]) ? fn.opVal[o] : 0;
    });
    const [a = 0, b = 0, c = 0] = regs;
    if (a !== 0 && (a === b || a === c)) return a;
    return b !== 0 && b === c ? b : 0;
  }

  /** legalizeOpWithMove */
  private throughVector(i: InstrId, o: OperandId, place: number): void {
    const { fn, mover, tables } = this;
    const rc = mover.facts.operandClass(i, place);
    const isReg = fn.opKind[o] === OperandKind.Register;
    const bits = tables.regClassBits[rc];
    if (bits !== 32) throw new Unmodelled('operands of several registers on the constant bus');
    const tmp = mover.newVReg(mover.facts.equivalentVGPRClass(rc));
    const value = this.operand(o);
    const opcode = this.opcode(isReg ? 'COPY' : 'V_MOV_B32_e32');
    const block = fn.instrBlock[i];
    mover.build(i, block, i, opcode, [regOperand(tmp, OpFlag.Def), value, ...(isReg ? [] : [mover.implicitExec])]);
    mover.editor.setOperand(o, regOperand(tmp));
  }
}

const SOURCES = ['src0', 'src1', 'src2'] as const;
