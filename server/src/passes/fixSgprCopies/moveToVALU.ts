/**
 * Copies, PHIs and sequences of registers that get vector registers instead of scalar ones, and what must follow (SIInstrInfo::moveToVALU, LLVM 22;
 * docs/llvm/sgpr-copies.md, section 4). Instructions of the SALU: scalarMoves.ts.
 */
import { FunctionEditor, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder } from '../../model/edit/instrBuilder.js';
import { OperandKind, OpFlag, type InstrId, type OperandId } from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { McFlag, type RegClassId, type TargetTables } from '../../target/index.js';
import { OperandLegalizer } from './legalizeOperands.js';
import { RegisterFacts, Unmodelled } from '../registerFacts.js';
import { ScalarMover } from './scalarMoves.js';
import { MoveWorklist } from './worklist.js';
import { firstTerminator } from '../instrOrder.js';

/** Opcodes that the pass knows by name. */
export interface Opcodes {
  readonly copy: number;
  readonly phi: number;
  readonly regSequence: number;
  readonly insertSubreg: number;
  readonly implicitDef: number;
  readonly readFirstLane: number;
  readonly writeLane: number;
  readonly sMov32: number;
  /** the pseudo that takes any value */
  readonly sMov64: number;
  readonly sMov64Plain: number;
  readonly vMov32: number;
  /** WQM, STRICT_WQM, SOFT_WQM, STRICT_WWM */
  readonly wholeWave: ReadonlySet<number>;
}

export function opcodesOf(t: TargetTables): Opcodes {
  return {
    copy: t.opcodeByName('COPY'),
    phi: t.opcodeByName('PHI'),
    regSequence: t.opcodeByName('REG_SEQUENCE'),
    insertSubreg: t.opcodeByName('INSERT_SUBREG'),
    implicitDef: t.opcodeByName('IMPLICIT_DEF'),
    readFirstLane: t.opcodeByName('V_READFIRSTLANE_B32'),
    writeLane: t.opcodeByName('V_WRITELANE_B32'),
    sMov32: t.opcodeByName('S_MOV_B32'),
    sMov64: t.opcodeByName('S_MOV_B64_IMM_PSEUDO'),
    sMov64Plain: t.opcodeByName('S_MOV_B64'),
    vMov32: t.opcodeByName('V_MOV_B32_e32'),
    wholeWave: new Set(['WQM', 'STRICT_WQM', 'SOFT_WQM', 'STRICT_WWM'].map((n) => t.opcodeByName(n))),
  };
}

/** Moves whose constant can be read from them (getConstValDefinedInReg). */
const MOVES: ReadonlySet<string> = new Set([
  'S_MOV_B32',
  'S_MOV_B64',
  'S_MOV_B64_IMM_PSEUDO',
  'V_MOV_B32_e32',
  'V_MOV_B64_PSEUDO',
]);

export class ValuMover extends InstrBuilder {
  readonly tables: TargetTables;
  readonly exec: Reg;
  readonly legalizer: OperandLegalizer;
  private readonly scalar: ScalarMover;

  constructor(
    editor: FunctionEditor,
    readonly facts: RegisterFacts,
    readonly opcodes: Opcodes,
  ) {
    super(editor, true);
    this.tables = editor.fn.tables;
    this.exec = this.tables.regByName('exec');
    this.legalizer = new OperandLegalizer(this);
    this.scalar = new ScalarMover(this);
  }

  // -- building ------------------------------------------------------------------------------------------------------

  get implicitExec(): NewOperand {
    return regOperand(this.exec, OpFlag.Implicit);
  }

  readFirstLane(at: InstrId, to: Reg, from: Reg, sub: number, flags = 0): InstrId {
    const operands = [regOperand(to, OpFlag.Def), regOperand(from, flags, sub)];
    return this.build(at, at, this.opcodes.readFirstLane, operands);
  }

  setSub(o: OperandId, sub: number): void {
    this.fn.opSub[o] = sub;
  }

  isMoveImmediate(i: InstrId): boolean {
    return (this.tables.opcodeFlagsLo(this.fn.opcode[i]) & (1 << McFlag.MoveImm)) !== 0;
  }

  // -- moving --------------------------------------------------------------------------------------------------------

  /**
   * Moves the instructions, and the users that this leaves without a scalar operand, first in first out.
   * @llvm SIInstrInfo.cpp SIInstrInfo::moveToVALU
   */
  move(first: readonly InstrId[]): void {
    const { tables, fn, editor } = this;
    const worklist = new MoveWorklist((i) => tables.getNamedOperandIdx(fn.opcode[i], 'srsrc') >= 0);
    for (const i of first) worklist.add(i);
    for (let i = worklist.next(); i >= 0; i = worklist.next())
      if (editor.instrOf(fn.opBegin[i]) === i) this.moveOne(i, worklist);
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::moveToVALUImpl */
  private moveOne(i: InstrId, worklist: MoveWorklist): void {
    const { fn, editor, opcodes, facts } = this;
    const opcode = fn.opcode[i];
    const isCopy = opcode === opcodes.copy;
    if (
      !isCopy &&
      opcode !== opcodes.phi &&
      opcode !== opcodes.regSequence &&
      opcode !== opcodes.insertSubreg &&
      !opcodes.wholeWave.has(opcode)
    ) {
      this.scalar.move(i, worklist);
      return;
    }
    const begin = fn.opBegin[i];
    const dst = fn.opVal[begin];
    const src = fn.opVal[begin + 1];
    if (isCopy && !isVirtualReg(dst) && isVirtualReg(src)) {
      this.copyToPhysical(i, dst);
      return;
    }
    const newRC = this.destinationClass(i);
    if (isCopy && isVirtualReg(src)) {
      const common = this.tables.getCommonSubClass(newRC, facts.classOf(src));
      if (common >= 0) {
        this.forwardCopy(i, dst, src, common, worklist);
        return;
      }
    }
    if (
      isCopy &&
      isVirtualReg(src) &&
      fn.subtarget.hasFeature('real-true16') &&
      this.joinsHalves(newRC, facts.classOf(src))
    ) {
      this.widenCopy(i, dst, src, newRC, worklist);
      return;
    }
    const made = this.newVReg(newRC);
    editor.replaceReg(dst, made);
    this.legalizeGeneric(i);
    this.addUsers(made, worklist);
  }

  /** A copy of 16 bits to 32, whose high half is undefined, or of 32 to 16. */
  private widenCopy(i: InstrId, dst: Reg, src: Reg, rc: RegClassId, worklist: MoveWorklist): void {
    const { fn, editor, tables, opcodes } = this;
    const made = this.newVReg(rc);
    if (tables.regClassBits[rc] !== 32) {
      // Whichever half it named.
      this.setSub(fn.opBegin[i] + 1, tables.subRegIndexByName('lo16'));
      editor.replaceReg(dst, made);
      this.addUsers(made, worklist);
      return;
    }
    const undef = this.newVReg(tables.regClassByName('vgpr_16'));
    const half = (name: string): NewOperand => ({ kind: OperandKind.Immediate, val: tables.subRegIndexByName(name) });
    this.build(i, i, opcodes.implicitDef, [regOperand(undef, OpFlag.Def)]);
    const parts = [regOperand(src), half('lo16'), regOperand(undef), half('hi16')];
    this.build(i, i, opcodes.regSequence, [regOperand(made, OpFlag.Def), ...parts]);
    editor.erase(i);
    editor.replaceReg(dst, made);
    this.addUsers(made, worklist);
  }

  /** Whether one class holds the low halves of the other. */
  private joinsHalves(a: RegClassId, b: RegClassId): boolean {
    const half = this.tables.subRegIndexByName('lo16');
    return (
      this.tables.getMatchingSuperRegClass(a, b, half) >= 0 || this.tables.getMatchingSuperRegClass(b, a, half) >= 0
    );
  }

  /**
   * getDestEquivalentVGPRClass, for the instructions that moveOne moves
   * @llvm SIInstrInfo.cpp SIInstrInfo::getDestEquivalentVGPRClass
   */
  private destinationClass(i: InstrId): RegClassId {
    const { facts, tables, fn } = this;
    const rc = facts.operandClass(i, 0);
    const source = facts.operandClass(i, 1);
    if (!facts.isSGPRClass(rc)) throw new Unmodelled(`the move of ${tables.opcodeName(fn.opcode[i])} to the VALU`);
    const isFromAGPR = source >= 0 && tables.hasAGPRs(source) && !tables.hasVGPRs(source);
    if (isFromAGPR && [this.opcodes.phi, this.opcodes.regSequence, this.opcodes.insertSubreg].includes(fn.opcode[i]))
      return facts.equivalentAGPRClass(rc);
    return facts.equivalentVGPRClass(rc);
  }

  /** The copy goes, its users read what it copied. */
  private forwardCopy(i: InstrId, dst: Reg, src: Reg, common: RegClassId, worklist: MoveWorklist): void {
    const { fn, editor, tables } = this;
    this.addUsers(dst, worklist);
    const o = fn.opBegin[i] + 1;
    const sub = fn.opSub[o];
    const isUndef = (fn.opFlags[o] & OpFlag.Undef) !== 0;
    for (const use of [...editor.operandsOf(dst)]) {
      if (editor.isDef(use)) continue;
      if (sub !== 0) this.setSub(use, fn.opSub[use] === 0 ? sub : tables.composeSubRegIndices(sub, fn.opSub[use]));
      editor.setReg(use, src);
      if (isUndef) fn.opFlags[use] |= OpFlag.Undef;
    }
    this.editor.clearKillFlags(src);
    this.editor.constrainClass(src, common);
    editor.erase(i);
    for (const use of [...editor.operandsOf(src)]) {
      if (editor.isDef(use)) continue;
      const user = editor.instrOf(use);
      const opIdx = use - fn.opBegin[user];
      if (opIdx >= tables.opcodeNumOperands(fn.opcode[user])) continue;
      const rc = fn.subtarget.opInfoRegClass(fn.opcode[user], opIdx);
      if (rc >= 0) this.editor.constrainClass(src, rc);
    }
    // Its users were looked at while they read the scalar register.
    for (const use of [...editor.operandsOf(src)])
      if (!editor.isDef(use) && editor.instrOf(use) >= 0) this.legalizer.legalizeHalves(editor.instrOf(use));
  }

  /** @llvm SIInstrInfo.cpp SIInstrInfo::addUsersToMoveToVALUWorklist */
  addUsers(reg: Reg, worklist: MoveWorklist): void {
    const { fn, editor, opcodes, facts } = this;
    let last = -1;
    for (const o of [...editor.operandsOf(reg)]) {
      if (editor.isDef(o)) continue;
      const user = editor.instrOf(o);
      if (user === last) continue;
      const opcode = fn.opcode[user];
      const isGeneric =
        opcode === opcodes.copy ||
        opcode === opcodes.phi ||
        opcode === opcodes.regSequence ||
        opcode === opcodes.insertSubreg ||
        opcodes.wholeWave.has(opcode);
      const rc = facts.operandClass(user, isGeneric ? 0 : o - fn.opBegin[user]);
      // The class of a register that will be replaced is printed, too.
      if (rc >= 0) this.editor.constrainClass(reg, rc);
      if (facts.hasVectorRegisters(rc)) {
        if (!isGeneric) this.legalizer.legalizeHalf(user, o - fn.opBegin[user]);
        continue;
      }
      worklist.add(user);
      last = user;
    }
  }

  /** A copy to a physical scalar register, of whatever width, reads the first lane of the source's first register. */
  private copyToPhysical(i: InstrId, dst: Reg): void {
    const { fn, tables, opcodes, editor } = this;
    const o = fn.opBegin[i] + 1;
    const tmp = this.newVReg(tables.regClassByName('sreg_32_xm0'));
    this.readFirstLane(i, tmp, fn.opVal[o], fn.opSub[o], fn.opFlags[o]);
    this.build(i, i, opcodes.copy, [regOperand(dst, OpFlag.Def), regOperand(tmp)]);
    editor.erase(i);
  }

  // -- operands ------------------------------------------------------------------------------------------------------

  /** Operand `o` of `i` gets the class `rc`, through a copy in front where it has another one. */
  intoClass(i: InstrId, rc: RegClassId, o: OperandId): void {
    this.legalizeOperand(i, i, rc, o);
  }

  /**
   * legalizeOperands for PHI, REG_SEQUENCE and INSERT_SUBREG: all operands in vector registers where the result is.
   * @llvm SIInstrInfo.cpp SIInstrInfo::legalizeOperands
   */
  legalizeGeneric(i: InstrId): void {
    const { fn, facts, opcodes, tables } = this;
    const opcode = fn.opcode[i];
    const begin = fn.opBegin[i];
    const end = fn.opBegin[i + 1];
    const rc = facts.operandClass(i, 0);
    if (opcode === opcodes.phi) {
      const wanted = this.phiClass(i, rc);
      for (let o = begin + 1; wanted >= 0 && o < end; o += 2) {
        if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) continue;
        const block = fn.opVal[o + 1];
        this.legalizeOperand(firstTerminator(this.editor, block), i, wanted, o);
      }
    } else if (opcode === opcodes.regSequence && tables.hasVGPRs(rc)) {
      for (let o = begin + 1; o < end; o += 2) {
        if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) continue;
        const own = facts.classOf(fn.opVal[o]);
        const wanted = facts.equivalentVGPRClass(own);
        if (wanted === own) continue;
        this.legalizeOperand(i, i, wanted, o);
        fn.opFlags[o] |= OpFlag.Kill;
      }
    } else if (opcode === opcodes.insertSubreg && facts.classOf(fn.opVal[begin + 1]) !== rc) {
      this.legalizeOperand(i, i, rc, begin + 1);
    }
  }

  /** Class that all operands of a PHI get: as vector registers if an operand or the result (class `rc`) is one. -1: nothing to do */
  private phiClass(i: InstrId, rc: RegClassId): RegClassId {
    const { fn, facts, tables } = this;
    let vector = -1;
    let scalar = -1;
    for (let o = fn.opBegin[i] + 1; o < fn.opBegin[i + 1]; o += 2) {
      if (fn.opKind[o] !== OperandKind.Register || !isVirtualReg(fn.opVal[o])) continue;
      const own = facts.classOf(fn.opVal[o]);
      if (facts.hasVectorRegisters(own)) vector = own;
      else scalar = own;
    }
    if (vector < 0 && facts.isSGPRClass(rc)) return scalar;
    if (vector < 0 && rc === facts.vreg1) return rc;
    const like = vector >= 0 ? vector : scalar;
    if (like < 0) return -1;
    if (tables.hasAGPRs(rc) && !tables.hasVGPRs(rc)) return facts.equivalentAGPRClass(like);
    return facts.equivalentVGPRClass(like);
  }

  /**
   * A copy before `at` gives the operand the class `rc`.
   * @llvm SIInstrInfo.cpp SIInstrInfo::legalizeGenericOperand
   */
  private legalizeOperand(at: number, like: InstrId, rc: RegClassId, o: OperandId): void {
    const { fn, editor, tables, facts, opcodes } = this;
    const reg = fn.opVal[o];
    const sub = fn.opSub[o];
    const own = sub === 0 ? facts.classOf(reg) : tables.getSubClassWithSubReg(facts.classOf(reg), sub);
    if (own === rc) return;
    const made = this.newVReg(rc);
    const def = this.editor.defOf(reg);
    // The whole register is copied: part and `undef` stay with the operand.
    const copied = regOperand(reg);
    editor.setReg(o, made);
    const isConstant = def >= 0 && this.isMoveImmediate(def) && rc !== facts.vreg1;
    // A literal is not doubled while others read it; the copy, not yet made, would be the only reader.
    if (isConstant && (facts.isInlineAt(fn.opBegin[def] + 1, fn.opcode[def], 1) || !this.hasReaders(reg))) {
      this.foldImmediate(at, like, made, rc, def);
      return;
    }
    const needsExec = !facts.isSGPRClass(rc) && def >= 0 && !this.isUndefinedFrom(def);
    const operands = [regOperand(made, OpFlag.Def), copied, ...(needsExec ? [this.implicitExec] : [])];
    this.build(at, like, opcodes.copy, operands);
  }

  /**
   * The copy of a constant becomes a move of the constant; the definition stays, also where nobody else reads it.
   * @llvm SIInstrInfo.cpp SIInstrInfo::foldImmediate
   */
  private foldImmediate(at: number, like: InstrId, made: Reg, rc: RegClassId, def: InstrId): void {
    const { fn, tables, opcodes } = this;
    const source = fn.opBegin[def] + 1;
    const bits = tables.regClassBits[rc];
    const isPlain = MOVES.has(tables.opcodeName(fn.opcode[def])) && (tables.hasVGPRs(rc) || this.facts.isSGPRClass(rc));
    if (!isPlain || fn.opKind[source] !== OperandKind.Immediate || (bits !== 32 && bits !== 64))
      throw new Unmodelled('the folding of a constant into a copy');
    const value: NewOperand =
      bits === 64
        ? { kind: OperandKind.Immediate, val: fn.opVal[source], ext: fn.opExt[source] }
        : { kind: OperandKind.Immediate, val: fn.opVal[source], ext: fn.opVal[source] >> 31 };
    const vector = bits === 64 ? tables.opcodeByName('V_MOV_B64_PSEUDO') : opcodes.vMov32;
    if (this.facts.isSGPRClass(rc)) {
      const scalar = bits === 64 ? tables.opcodeByName('S_MOV_B64') : opcodes.sMov32;
      this.build(at, like, scalar, [regOperand(made, OpFlag.Def), value]);
    } else this.build(at, like, vector, [regOperand(made, OpFlag.Def), value]);
  }

  private hasReaders(reg: Reg): boolean {
    const { editor } = this;
    for (const o of editor.operandsOf(reg)) if (!editor.isDef(o) && !editor.isDebug(o)) return true;
    return false;
  }

  private isUndefinedFrom(def: InstrId): boolean {
    const { fn, opcodes } = this;
    for (let i = def; i >= 0;) {
      if (fn.opcode[i] === opcodes.implicitDef) return true;
      if (fn.opcode[i] !== opcodes.copy) return false;
      const src = fn.opVal[fn.opBegin[i] + 1];
      if (!isVirtualReg(src)) return false;
      i = this.editor.defOf(src);
    }
    return false;
  }
}
