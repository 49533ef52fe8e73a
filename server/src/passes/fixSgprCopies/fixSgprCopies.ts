/**
 * Copies from vector to scalar registers after instruction selection (SIFixSGPRCopies, LLVM 22; docs/llvm/sgpr-copies.md): each is either read from the
 * first lane, where enough scalar instructions hang on it, or its users get vector registers; constants are moved again. Also sequences and PHIs of
 * mixed registers, copies of SCC, and writes of M0 that are there twice.
 *
 * What is not modelled ends in Unmodelled (docs/llvm/sgpr-copies.md, section 5).
 */
import { FunctionEditor, operandOf, regOperand, type NewOperand } from '../../model/edit/functionEditor.js';
import {
  OperandKind,
  OpFlag,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isVirtualReg, type Reg } from '../../model/register.js';
import { isImage, isMTBUF, isMUBUF, isSALU, isVALU, McFlag, type RegClassId } from '../../target/index.js';
import { hoistM0 } from './hoistM0.js';
import { opcodesOf, ValuMover, type Opcodes } from './moveToVALU.js';
import { OperandLegality } from '../operandLegality.js';
import { RegisterFacts, Unmodelled } from '../registerFacts.js';
import { firstTerminator } from '../instrOrder.js';

/** A copy from vector to scalar registers and what hangs on it (V2SCopyInfo). */
interface VectorCopy {
  readonly id: number;
  readonly copy: InstrId;
  /** SALU instructions that its value reaches */
  chain: Set<InstrId>;
  /** copies back to vector registers on the way */
  nBack: number;
  readonly nReadFirstLanes: number;
  siblings: number[];
  isVALU: boolean;
  isErased: boolean;
}

/** What becomes of a copy from vector to scalar registers. */
export const enum CopyFate {
  /** V_READFIRSTLANE_B32 of each part */
  FirstLane,
  /** it goes, and what reads it moves to the VALU */
  Vector,
  /** the constant that it copies is moved again */
  Constant,
  /** it stays: the vector value goes to a physical register */
  Stays,
}

export interface CopyVerdict {
  readonly copy: InstrId;
  readonly fate: CopyFate;
  /** SALU instructions that its value reaches */
  readonly chain: number;
}

/** From this score on a copy is worth V_READFIRSTLANE_B32. */
const MIN_SCORE = 3;

/** @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies */
class SgprCopyFixer {
  private readonly fn: MachineFunction;
  private readonly facts: RegisterFacts;
  private readonly legality: OperandLegality;
  private readonly opcodes: Opcodes;
  private readonly mover: ValuMover;
  private readonly vectorCopies = new Map<number, VectorCopy>();
  /** copies from whose values an instruction is reached, by instruction, in order */
  private readonly reachedFrom = new Map<InstrId, Set<number>>();
  private readonly scalarToVector: InstrId[] = [];
  private readonly sequences: InstrId[] = [];
  private readonly phis: InstrId[] = [];
  /** copies that were made for operands of PHIs and sequences */
  private readonly made = new Set<InstrId>();
  readonly verdicts: CopyVerdict[] = [];
  private nextId = 0;
  private readonly scc: Reg;

  /** `checkpoint` is called before each copy that is looked at; it may throw. */
  constructor(
    private readonly editor: FunctionEditor,
    private readonly checkpoint: () => void = () => undefined,
  ) {
    this.fn = editor.fn;
    this.facts = new RegisterFacts(editor.fn);
    this.legality = new OperandLegality(editor.fn, this.facts);
    this.opcodes = opcodesOf(editor.fn.tables);
    this.mover = new ValuMover(editor, this.facts, this.opcodes);
    this.scc = editor.fn.tables.regByName('scc');
  }

  /** @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::run */
  run(): void {
    const copies = this.judge();
    this.mover.move(copies);
    for (const c of this.vectorCopies.values()) if (!c.isErased) this.readFirstLanes(c.copy);
    this.lowerSCCCopies();
    for (const i of this.scalarToVector)
      if (this.isInPlace(i) && this.fn.opcode[i] === this.opcodes.copy && this.isScalarToVector(i))
        this.tryScalarDestination(i);
    for (const i of this.sequences) if (this.isInPlace(i)) this.distributeCopy(i);
    for (const i of this.phis) if (this.isInPlace(i)) this.finishPhi(i);
    hoistM0(this.editor);
  }

  /** Makes the verdicts. Returns copies that are to go to the VALU. */
  judge(): InstrId[] {
    this.collect();
    return this.decide();
  }

  /** One copy alone, as `verdict` says. */
  apply({ copy, fate }: CopyVerdict): void {
    const isVirtual = isVirtualReg(this.fn.opVal[this.fn.opBegin[copy]]);
    if (fate === CopyFate.Vector) this.mover.move([copy]);
    else if (fate === CopyFate.Constant || !isVirtual) this.lowerSpecial(copy);
    else this.readFirstLanes(copy);
  }

  /** Erased instructions keep their columns: their operands are on no list. */
  private isInPlace(i: InstrId): boolean {
    return this.editor.instrOf(this.fn.opBegin[i]) === i;
  }

  // -- collecting ----------------------------------------------------------------------------------------------------

  private collect(): void {
    const { fn, opcodes, editor } = this;
    for (let b = 0; b < fn.blocks.length; b++) {
      let i = editor.list.first(b);
      while (i >= 0) {
        const opcode = fn.opcode[i];
        let next: number | null = null;
        if (opcode === opcodes.copy) next = this.collectCopy(i);
        else if (
          opcode === opcodes.phi ||
          opcode === opcodes.regSequence ||
          opcode === opcodes.insertSubreg ||
          opcodes.wholeWave.has(opcode)
        )
          this.collectMixed(i);
        else if (opcode === opcodes.writeLane) this.fixWriteLane(i);
        else this.checkOther(opcode);
        i = next ?? editor.list.after(i);
      }
    }
  }

  private checkOther(opcode: number): void {
    const name = this.fn.tables.opcodeName(opcode);
    if (name.startsWith('V_WMMA_SCALE')) throw new Unmodelled(name);
  }

  /** V_WRITELANE_B32 before gfx10 takes one scalar register: of two, one that is moved from a small constant becomes it, or the lane goes to M0. */
  private fixWriteLane(i: InstrId): void {
    const { fn, facts, mover, editor, opcodes } = this;
    const { tables } = fn;
    if (facts.constantBusLimit(opcodes.writeLane) !== 1) return;
    const m0 = tables.regByName('m0');
    const sources = tables.getNamedOperandIdxs(opcodes.writeLane, ['src0', 'src1']);
    const [value, lane] = [fn.opBegin[i] + sources[0], fn.opBegin[i] + sources[1]];
    const isScalar = (o: OperandId): boolean =>
      fn.opKind[o] === OperandKind.Register && facts.isSGPR(fn.opVal[o]) && fn.opVal[o] !== m0;
    if (!isScalar(value) || !isScalar(lane)) return;
    for (const o of [value, lane]) {
      const def = mover.editor.defOf(fn.opVal[o]);
      if (def < 0 || fn.opSub[o] !== 0 || !mover.isMoveImmediate(def)) continue;
      const constant = fn.opBegin[def] + 1;
      if (fn.opKind[constant] !== OperandKind.Immediate || !facts.isInlineInteger(constant)) continue;
      editor.setOperand(o, { kind: OperandKind.Immediate, val: fn.opVal[constant], ext: fn.opExt[constant] });
      return;
    }
    const copied = regOperand(fn.opVal[lane], fn.opFlags[lane], fn.opSub[lane]);
    mover.build(i, i, opcodes.copy, [regOperand(m0, OpFlag.Def), copied]);
    editor.setOperand(lane, regOperand(m0));
  }

  /** @llvm SIFixSGPRCopies.cpp isSGPRToVGPRCopy */
  private isScalarToVector(i: InstrId): boolean {
    const { fn, facts } = this;
    const dst = facts.classOf(fn.opVal[fn.opBegin[i]]);
    const src = facts.classOf(fn.opVal[fn.opBegin[i] + 1]);
    return dst !== facts.vreg1 && facts.isSGPRClass(src) && facts.hasVectorRegisters(dst);
  }

  /** @llvm SIFixSGPRCopies.cpp isVGPRToSGPRCopy */
  private isVectorToScalar(i: InstrId): boolean {
    const { fn, facts } = this;
    const dst = facts.classOf(fn.opVal[fn.opBegin[i]]);
    const src = facts.classOf(fn.opVal[fn.opBegin[i] + 1]);
    return src !== facts.vreg1 && facts.isSGPRClass(dst) && facts.hasVectorRegisters(src);
  }

  /** Where to go on, null after the copy. */
  private collectCopy(i: InstrId): number | null {
    if (this.isScalarToVector(i)) {
      if (!this.tryScalarDestination(i)) this.scalarToVector.push(i);
      return null;
    }
    if (!this.isVectorToScalar(i)) return null;
    const next = this.editor.list.after(i);
    const special = this.lowerSpecial(i);
    if (special !== 'no') this.verdicts.push({ copy: i, fate: this.fateOfSpecial(i), chain: 0 });
    if (special === 'erased') return next < 0 ? next : this.editor.list.after(next);
    if (special === 'no') this.analyze(i);
    return null;
  }

  /**
   * Copies to physical registers, from physical registers, of constants. An erased one takes the step over the next instruction with it, as in LLVM.
   * @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::lowerSpecialCase
   */
  private lowerSpecial(i: InstrId): 'no' | 'done' | 'erased' {
    const { fn, facts, mover, opcodes, editor } = this;
    const begin = fn.opBegin[i];
    const dst = fn.opVal[begin];
    const src = fn.opVal[begin + 1];
    if (!isVirtualReg(dst)) {
      if (fn.tables.regName(dst) === 'm0' && isVirtualReg(src)) {
        const tmp = mover.newVReg(fn.tables.regClassByName('sreg_32_xm0'));
        mover.readFirstLane(i, tmp, src, fn.opSub[begin + 1], fn.opFlags[begin + 1]);
        const sub = fn.opSub[begin + 1];
        editor.setReg(begin + 1, tmp);
        mover.setSub(begin + 1, 0);
        this.constrainFirstLaneSource(src, sub);
        return 'done';
      }
      if (isVirtualReg(src) && this.tryScalarConstant(begin + 1, dst, i)) {
        editor.erase(i);
        return 'erased';
      }
      // A copy to another physical register stays, unless its source moves.
      return 'done';
    }
    if (!isVirtualReg(src) || facts.isAGPR(src)) {
      mover.move([i]);
      return 'done';
    }
    const def = mover.editor.defOf(src);
    if (def < 0 || !mover.isMoveImmediate(def) || fn.opSub[begin + 1] !== 0) return 'no';
    const name = fn.tables.opcodeName(fn.opcode[def]);
    const value = fn.opBegin[def] + 1;
    if (fn.opKind[value] !== OperandKind.Immediate) return 'no';
    const move =
      name === 'V_MOV_B32_e32' || name === 'AV_MOV_B32_IMM_PSEUDO'
        ? opcodes.sMov32
        : name === 'V_MOV_B64_e32' || name === 'V_MOV_B64_PSEUDO'
          ? opcodes.sMov64
          : -1;
    if (move < 0) return 'no';
    const immediate: NewOperand = { kind: OperandKind.Immediate, val: fn.opVal[value], ext: fn.opExt[value] };
    this.mover.replace(i, move, [regOperand(dst, fn.opFlags[begin], fn.opSub[begin]), immediate]);
    return 'done';
  }

  private fateOfSpecial(i: InstrId): CopyFate {
    const { fn, opcodes } = this;
    if (fn.opcode[i] !== opcodes.copy || !this.isInPlace(i)) return CopyFate.Constant;
    const dst = fn.opVal[fn.opBegin[i]];
    if (isVirtualReg(dst)) return CopyFate.Vector;
    return fn.tables.regName(dst) === 'm0' ? CopyFate.FirstLane : CopyFate.Stays;
  }

  private constrainFirstLaneSource(src: Reg, sub: number): void {
    const { fn, facts, opcodes } = this;
    const rc = fn.subtarget.opInfoRegClass(opcodes.readFirstLane, 1);
    const wanted = sub === 0 ? rc : fn.tables.getMatchingSuperRegClass(facts.classOf(src), rc, sub);
    if (wanted >= 0) this.editor.constrainClass(src, wanted);
  }

  /**
   * A constant in a vector register is moved to `to` before `at`.
   * @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::tryMoveVGPRConstToSGPR
   */
  private tryScalarConstant(o: OperandId, to: Reg, at: number): boolean {
    const { fn, mover, opcodes, facts, editor } = this;
    const src = fn.opVal[o];
    const def = mover.editor.defOf(src);
    if (def < 0 || !mover.isMoveImmediate(def)) return false;
    const value = fn.opBegin[def] + 1;
    if (fn.opKind[value] === OperandKind.Register) return false;
    if (fn.opKind[value] !== OperandKind.Immediate) throw new Unmodelled('a constant that is no number');
    // Whatever the value: not the pseudo that a copy to a virtual register becomes.
    const opcode = fn.tables.regClassBits[facts.classOf(src)] === 64 ? opcodes.sMov64Plain : opcodes.sMov32;
    const immediate: NewOperand = { kind: OperandKind.Immediate, val: fn.opVal[value], ext: fn.opExt[value] };
    mover.build(at, editor.instrOf(o), opcode, [regOperand(to, OpFlag.Def), immediate]);
    const users = [...editor.operandsOf(src)].filter((u) => !editor.isDef(u));
    if (users.length === 1) editor.erase(def);
    editor.setReg(o, to);
    return true;
  }

  /** PHIs, sequences and the like with a scalar result: each vector operand gets a copy to scalar registers. */
  private collectMixed(i: InstrId): void {
    const { fn, facts, mover, opcodes, editor } = this;
    const isPhi = fn.opcode[i] === opcodes.phi;
    if (facts.isSGPRClass(facts.operandClass(i, 0))) {
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
        if (!isVirtualReg(fn.opVal[o])) continue;
        const rc = facts.classOf(fn.opVal[o]);
        if (rc === facts.vreg1 || !facts.hasVectorRegisters(rc)) continue;
        const scalar = mover.newVReg(facts.equivalentSGPRClass(rc));
        const block = isPhi ? fn.opVal[o + 1] : fn.instrBlock[i];
        const at = isPhi ? firstTerminator(mover.editor, block) : i;
        if (this.tryScalarConstant(o, scalar, at)) continue;
        const copy = mover.build(at, i, opcodes.copy, [regOperand(scalar, OpFlag.Def), regOperand(fn.opVal[o])]);
        editor.setReg(o, scalar);
        this.analyze(copy);
        this.made.add(copy);
      }
    }
    if (isPhi) this.phis.push(i);
    else if (fn.opcode[i] === opcodes.regSequence) this.sequences.push(i);
  }

  /**
   * The copy keeps its value in scalar registers if all readers, in this block, can take it from there.
   * @llvm SIFixSGPRCopies.cpp tryChangeVGPRtoSGPRinCopy
   */
  private tryScalarDestination(i: InstrId): boolean {
    const { fn, editor, facts } = this;
    const begin = fn.opBegin[i];
    const dst = fn.opVal[begin];
    if (!isVirtualReg(fn.opVal[begin + 1]) || !isVirtualReg(dst)) return false;
    for (const o of editor.operandsOf(dst)) {
      const user = editor.instrOf(o);
      if (user === i || editor.isDebug(o)) continue;
      if (editor.isDef(o) || fn.instrBlock[user] !== fn.instrBlock[i] || this.isTargetIndependent(fn.opcode[user]))
        return false;
      const opIdx = o - fn.opBegin[user];
      if (
        opIdx >= fn.tables.opcodeNumOperands(fn.opcode[user]) ||
        !this.legality.isOperandLegal(user, opIdx, operandOf(fn, begin + 1))
      )
        return false;
    }
    fn.vregs.regClass[~dst] = facts.equivalentSGPRClass(facts.classOf(dst));
    return true;
  }

  private isTargetIndependent(opcode: number): boolean {
    return opcode <= this.fn.tables.opcodeByName('G_UBFX');
  }

  // -- what hangs on a copy --------------------------------------------------------------------------------------------

  /** @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::analyzeVGPRToSGPRCopy */
  private analyze(copy: InstrId): void {
    if (this.made.has(copy)) return;
    this.checkpoint();
    const { fn, facts, opcodes } = this;
    const { tables } = fn;
    const bits = tables.regClassBits[facts.classOf(fn.opVal[fn.opBegin[copy]])];
    const info: VectorCopy = {
      id: this.nextId++,
      copy,
      chain: new Set(),
      nBack: 0,
      nReadFirstLanes: Math.floor(bits / 32),
      siblings: [],
      isVALU: false,
      isErased: false,
    };
    const visited = new Set<InstrId>();
    const worklist = [copy];
    for (let i = worklist.pop(); i !== undefined; i = worklist.pop()) {
      if (visited.has(i)) continue;
      visited.add(i);
      const result = fn.opVal[fn.opBegin[i]];
      if (fn.opcode[i] === opcodes.regSequence && this.isVGPR(result)) {
        info.nBack++;
        continue;
      }
      if (fn.opcode[i] === opcodes.copy && this.isScalarToVector(i) && !this.tryScalarDestination(i)) {
        info.nBack++;
        continue;
      }
      this.reach(i, info.id);
      const users = this.usersOf(i, result);
      for (const user of users) {
        if (isSALU(tables, fn.opcode[user])) info.chain.add(user);
        worklist.push(user);
      }
    }
    this.vectorCopies.set(info.id, info);
  }

  private isVGPR(reg: Reg): boolean {
    const { facts, fn } = this;
    const rc = facts.classOf(reg);
    return rc >= 0 && fn.tables.hasVGPRs(rc) && !fn.tables.hasAGPRs(rc) && !fn.tables.hasSGPRs(rc);
  }

  private reach(i: InstrId, id: number): void {
    const known = this.reachedFrom.get(i);
    if (known) known.add(id);
    else this.reachedFrom.set(i, new Set([id]));
  }

  private usersOf(i: InstrId, result: Reg): InstrId[] {
    const { fn, editor, opcodes, facts } = this;
    const { tables } = fn;
    const opcode = fn.opcode[i];
    const isCompare = isSALU(tables, opcode) && (tables.opcodeFlagsLo(opcode) & (1 << McFlag.Compare)) !== 0;
    const users: InstrId[] = [];
    if (isCompare || (opcode === opcodes.copy && result === this.scc)) {
      for (let j = editor.list.after(i); j >= 0 && !this.hasSCC(j, true); j = editor.list.after(j))
        if (this.hasSCC(j, false)) users.push(j);
    } else if (this.hasResult(i) && isVirtualReg(result) && facts.isSGPR(result) && !isVALU(tables, opcode)) {
      for (const o of editor.operandsOf(result)) {
        const user = editor.instrOf(o);
        if (!editor.isDef(o) && users[users.length - 1] !== user) users.push(user);
      }
    }
    return users;
  }

  private hasResult(i: InstrId): boolean {
    const { fn } = this;
    const o = fn.opBegin[i];
    return o < fn.opBegin[i + 1] && fn.opKind[o] === OperandKind.Register && (fn.opFlags[o] & OpFlag.Def) !== 0;
  }

  private hasSCC(i: InstrId, isDef: boolean): boolean {
    const { fn } = this;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (
        fn.opKind[o] === OperandKind.Register &&
        fn.opVal[o] === this.scc &&
        ((fn.opFlags[o] & OpFlag.Def) !== 0) === isDef
      )
        return true;
    return false;
  }

  // -- lowering ------------------------------------------------------------------------------------------------------

  /** @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::needToBeConvertedToVALU */
  private mustMove(c: VectorCopy): boolean {
    if (c.chain.size === 0) return true;
    let most: Set<number> = new Set();
    for (const i of c.chain) {
      const from = this.reachedFrom.get(i) ?? new Set<number>();
      if (from.size > most.size) most = from;
    }
    c.siblings = [...most].filter((id) => id !== c.id);
    const sources = new Set<string>();
    for (const id of c.siblings) {
      const sibling = this.vectorCopies.get(id);
      if (sibling === undefined || this.fn.opcode[sibling.copy] === this.opcodes.implicitDef) continue;
      const o = this.fn.opBegin[sibling.copy] + 1;
      sources.add(`${this.fn.opVal[o]}:${this.fn.opSub[o]}`);
    }
    const penalty = c.nBack + sources.size + c.nReadFirstLanes;
    const score = Math.max(0, c.chain.size - penalty);
    c.isVALU = score < MIN_SCORE;
    return c.isVALU;
  }

  /** @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::lowerVGPR2SGPRCopies */
  private decide(): InstrId[] {
    const { vectorCopies } = this;
    const worklist: number[] = [];
    for (const c of vectorCopies.values()) if (this.mustMove(c)) worklist.push(c.id);
    const copies: InstrId[] = [];
    for (let id = worklist.pop(); id !== undefined; id = worklist.pop()) {
      const c = vectorCopies.get(id);
      if (c === undefined || c.isErased) continue;
      this.checkpoint();
      for (const s of c.siblings) {
        const sibling = vectorCopies.get(s);
        if (sibling === undefined || sibling.isErased) continue;
        if (!sibling.isVALU) {
          for (const i of c.chain) sibling.chain.delete(i);
          if (this.mustMove(sibling)) worklist.push(sibling.id);
        }
        sibling.siblings = sibling.siblings.filter((x) => x !== c.id);
      }
      copies.push(c.copy);
      c.isErased = true;
    }
    for (const { copy, isErased, chain } of vectorCopies.values())
      this.verdicts.push({ copy, fate: isErased ? CopyFate.Vector : CopyFate.FirstLane, chain: chain.size });
    return copies;
  }

  /** @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::lowerVGPR2SGPRCopies */
  private readFirstLanes(i: InstrId): void {
    const { fn, facts, mover, editor, opcodes } = this;
    const { tables } = fn;
    const begin = fn.opBegin[i];
    const dst = fn.opVal[begin];
    const src = fn.opVal[begin + 1];
    const sub = fn.opSub[begin + 1];
    const lane = tables.regClassByName('sreg_32_xm0');
    if (isVirtualReg(dst)) editor.constrainClass(dst, lane);
    const rc = facts.classOf(src);
    const partRC = sub === 0 ? rc : tables.getSubRegisterClass(rc, sub);
    const bits = tables.regClassBits[partRC];
    if (bits === 16) this.readFirstLaneOfHalf(i, dst, src, sub);
    else if (bits === 32) {
      mover.readFirstLane(i, dst, src, sub);
      this.constrainFirstLaneSource(src, sub);
    } else {
      const parts: NewOperand[] = [];
      const vgpr = tables.regClassByName('vgpr_32');
      for (let k = 0; k < bits / 32; k++) {
        const part = tables.subRegIndexByName(`sub${k}`);
        const from = mover.newVReg(vgpr);
        const whole = sub === 0 ? part : tables.composeSubRegIndices(sub, part);
        mover.build(i, i, opcodes.copy, [regOperand(from, OpFlag.Def), regOperand(src, 0, whole)]);
        const to = mover.newVReg(lane);
        mover.readFirstLane(i, to, from, 0);
        parts.push(regOperand(to), { kind: OperandKind.Immediate, val: part });
      }
      mover.build(i, i, opcodes.regSequence, [regOperand(dst, OpFlag.Def), ...parts]);
    }
    editor.erase(i);
  }

  /** Lanes are read 32 bits at a time: the high half is undefined. */
  private readFirstLaneOfHalf(i: InstrId, dst: Reg, src: Reg, sub: number): void {
    const { fn, mover, opcodes } = this;
    const { tables } = fn;
    if (isVirtualReg(dst)) fn.vregs.regClass[~dst] = tables.regClassByName('sreg_32_xm0');
    const whole = mover.newVReg(tables.regClassByName('vgpr_32'));
    const undef = mover.newVReg(tables.regClassByName('vgpr_16'));
    const half = (name: string): NewOperand => ({ kind: OperandKind.Immediate, val: tables.subRegIndexByName(name) });
    mover.build(i, i, opcodes.implicitDef, [regOperand(undef, OpFlag.Def)]);
    const parts = [regOperand(src, 0, sub), half('lo16'), regOperand(undef), half('hi16')];
    mover.build(i, i, opcodes.regSequence, [regOperand(whole, OpFlag.Def), ...parts]);
    mover.readFirstLane(i, dst, whole, 0);
  }

  /**
   * Copies of SCC go by way of a mask.
   * @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::fixSCCCopies
   */
  private lowerSCCCopies(): void {
    const { fn, editor, opcodes, mover, scc } = this;
    const { tables, subtarget } = fn;
    const bits = subtarget.wavefrontSize;
    const mask = tables.regClassByName(bits === 64 ? 'sreg_64_xexec' : 'sreg_32_xm0_xexec');
    const bool = tables.regClassByName(bits === 64 ? 'sreg_64' : 'sreg_32');
    const select = tables.opcodeByName(`S_CSELECT_B${bits}`);
    const and = tables.opcodeByName(`S_AND_B${bits}`);
    const execReg = tables.regByName(bits === 64 ? 'exec' : 'exec_lo');
    for (const b of editor.blockOrder()) {
      for (let i = editor.list.first(b); i >= 0;) {
        const next = editor.list.after(i);
        if (fn.opcode[i] === opcodes.copy) {
          const begin = fn.opBegin[i];
          const dst = fn.opVal[begin];
          const src = fn.opVal[begin + 1];
          if (src === scc) {
            const tmp = mover.newVReg(mask);
            const imm = (val: number): NewOperand => ({ kind: OperandKind.Immediate, val, ext: val < 0 ? -1 : 0 });
            mover.build(i, i, select, [regOperand(tmp, OpFlag.Def), imm(-1), imm(0)]);
            mover.build(i, i, opcodes.copy, [regOperand(dst, OpFlag.Def), regOperand(tmp)]);
            editor.erase(i);
          } else if (dst === scc) {
            const tmp = mover.newVReg(bool);
            mover.build(i, i, and, [regOperand(tmp, OpFlag.Def), regOperand(src), regOperand(execReg)]);
            editor.erase(i);
          }
        }
        i = next;
      }
    }
  }

  // -- afterwards ----------------------------------------------------------------------------------------------------

  /**
   * The copy of a scalar sequence to vector registers becomes copies of its parts.
   * @llvm SIFixSGPRCopies.cpp foldVGPRCopyIntoRegSequence
   */
  private distributeCopy(i: InstrId): void {
    const { fn, editor, facts, opcodes, mover } = this;
    if (fn.opcode[i] !== opcodes.regSequence) return;
    const begin = fn.opBegin[i];
    const dst = fn.opVal[begin];
    if (!isVirtualReg(dst) || !facts.isSGPR(dst)) return;
    const uses = [...editor.operandsOf(dst)].filter((o) => !editor.isDef(o));
    if (uses.length !== 1) return;
    const copy = editor.instrOf(uses[0]);
    if (fn.opcode[copy] !== opcodes.copy || !isVirtualReg(fn.opVal[fn.opBegin[copy]]) || !this.isScalarToVector(copy))
      return;
    if (this.tryScalarDestination(copy) || fn.opSub[uses[0]] !== 0) return;
    const result = fn.opVal[fn.opBegin[copy]];
    const rc: RegClassId = facts.classOf(result);
    const isAGPR = facts.isAGPR(result);
    fn.vregs.regClass[~dst] = rc;
    editor.setReg(begin, result);
    for (let o = begin + 1; o < fn.opBegin[i + 1]; o += 2) {
      const sub = fn.opSub[o];
      const whole = facts.classOf(fn.opVal[o]);
      const source = sub === 0 ? whole : fn.tables.getSubRegisterClass(whole, sub);
      const tmp = mover.newVReg(facts.equivalentVGPRClass(source));
      const from = regOperand(fn.opVal[o], fn.opFlags[o], sub);
      mover.build(i, i, opcodes.copy, [regOperand(tmp, OpFlag.Def), from]);
      editor.setReg(o, isAGPR ? this.accumulator(i, tmp, source) : tmp);
    }
    editor.erase(copy);
  }

  /** An AGPR that gets the value of a vector register before `at`; `like`: the class that the value had. */
  private accumulator(at: InstrId, from: Reg, like: RegClassId): Reg {
    const { fn, facts, mover, opcodes } = this;
    const { tables } = fn;
    const rc = facts.equivalentAGPRClass(like);
    const made = mover.newVReg(rc);
    const isSingle = rc === tables.regClassByName('agpr_32');
    const operands = [regOperand(made, OpFlag.Def), regOperand(from, OpFlag.Kill)];
    mover.build(at, at, isSingle ? tables.opcodeByName('V_ACCVGPR_WRITE_B32_e64') : opcodes.copy, operands);
    return made;
  }

  /**
   * A PHI in vector registers gets vector operands.
   * @llvm SIFixSGPRCopies.cpp SIFixSGPRCopies::processPHINode
   */
  private finishPhi(i: InstrId): void {
    const { fn, editor, facts, opcodes } = this;
    const result = fn.opVal[fn.opBegin[i]];
    const rc = facts.classOf(result);
    const worklist = [i];
    const visited = new Set<InstrId>([i]);
    let hasUses = false;
    let all = true;
    for (let k = worklist.pop(); k !== undefined; k = worklist.pop()) {
      for (const o of editor.operandsOf(fn.opVal[fn.opBegin[k]])) {
        if (editor.isDef(o)) continue;
        hasUses = true;
        const user = editor.instrOf(o);
        const isCopy = fn.opcode[user] === opcodes.copy;
        all &&= (isCopy && facts.isAGPR(fn.opVal[fn.opBegin[user]])) || facts.isAGPR(fn.opVal[o]);
        if ((isCopy || fn.opcode[user] === opcodes.regSequence) && !visited.has(user)) {
          visited.add(user);
          worklist.push(user);
        }
      }
    }
    const behind: InstrId[] = [];
    if (hasUses && all && !facts.isAGPR(result)) {
      fn.vregs.regClass[~result] = facts.equivalentAGPRClass(rc);
      for (let o = fn.opBegin[i] + 1; o < fn.opBegin[i + 1]; o += 2) {
        const def = this.mover.editor.defOf(fn.opVal[o]);
        if (def >= 0 && fn.opcode[def] === opcodes.phi && !behind.includes(def)) behind.push(def);
      }
    }
    if (facts.hasVectorRegisters(facts.classOf(result)) || rc === facts.vreg1) this.mover.legalizeGeneric(i);
    for (const phi of behind.reverse()) this.finishPhi(phi);
  }
}

/** A loop has three blocks; buffer and image instructions and calls may get one for each of two operands. */
function mostNewBlocks(fn: MachineFunction): number {
  const { tables } = fn;
  const call = tables.opcodeByName('SI_CALL_ISEL');
  let n = 0;
  for (let i = 0; i < fn.nInstrs; i++) {
    const opcode = fn.opcode[i];
    if (opcode === call || isMUBUF(tables, opcode) || isMTBUF(tables, opcode) || isImage(tables, opcode)) n += 6;
  }
  return n;
}

/** What the pass leaves of a function, which it changes. Throws Unmodelled. */
export function fixSgprCopies(fn: MachineFunction): MachineFunction {
  if (fn.header.selected) return fn;
  const editor = new FunctionEditor(fn, mostNewBlocks(fn));
  new SgprCopyFixer(editor).run();
  return editor.finish();
}

/**
 * What the pass would do with each copy from vector to scalar registers that the function spells, in the order of the text; empty where it cannot be told.
 * The function stays as it is. O(copies * instructions that hang on them). Throws what `checkpoint` throws.
 */
export function judgeCopies(fn: MachineFunction, checkpoint?: () => void): CopyVerdict[] {
  if (fn.header.selected) return [];
  const last = fn.nInstrs;
  const work = fn.clone();
  const fixer = new SgprCopyFixer(new FunctionEditor(work, mostNewBlocks(work)), checkpoint);
  try {
    fixer.judge();
  } catch (error) {
    if (!(error instanceof Unmodelled)) throw error;
  }
  return fixer.verdicts.filter(({ copy }) => copy < last).sort((a, b) => a.copy - b.copy);
}

/** The function with one copy lowered as the pass lowers it among the others; null where that is not modelled. The function stays as it is. */
export function fixOneCopy(fn: MachineFunction, verdict: CopyVerdict): MachineFunction | null {
  const work = fn.clone();
  const editor = new FunctionEditor(work, mostNewBlocks(work));
  try {
    new SgprCopyFixer(editor).apply(verdict);
  } catch (error) {
    if (!(error instanceof Unmodelled)) throw error;
    return null;
  }
  return editor.finish();
}
