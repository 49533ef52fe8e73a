/**
 * `si-i1-copies`: one bit per lane that crosses blocks, in registers of the class vreg_1, becomes a lane mask in scalar registers (SILowerI1Copies, LLVM 22;
 * docs/llvm/lowering-control-flow.md, 1).
 */
import { DominatorTree } from '../../analysis/dominators.js';
import type { PostDominatorTree } from '../../analysis/postDominators.js';
import { immOperand, regOperand, type FunctionEditor } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isVirtualReg, NO_REG, virtRegIndex, type Reg } from '../../model/register.js';
import { DOMINATORS, POST_DOMINATORS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { firstTerminator } from '../instrOrder.js';
import { laneMaskOps, type LaneMaskOps } from '../laneMaskOps.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { CFG } from '../passContext.js';
import { RegisterFacts } from '../registerFacts.js';
import { FrontierUpdater } from '../frontierUpdater.js';
import { SSAUpdater } from '../ssaUpdater.js';
import type { ValuePlacer } from '../valuePlacer.js';
import { findArrivals } from './arrivals.js';
import { LoopFinder } from './loopFinder.js';

/** @llvm SILowerI1Copies.cpp SILowerI1CopiesLegacy */
export const lowerI1CopiesPass: MachinePass = {
  name: 'si-i1-copies',
  pipelineName: 'si-i1-copies',
  className: 'SILowerI1CopiesPass',
  title: 'SI Lower i1 Copies',
  requires: [DOMINATORS, POST_DOMINATORS],
  preserves: [CFG],
  run(state) {
    if (state.fn.header.selected !== true) new BitLowering(state).run();
  },
};

/** What a PHI reads: the mask, and the one that stands for it at the end of its block, NO_REG = itself. */
interface Incoming {
  readonly reg: Reg;
  readonly block: BlockId;
  merged: Reg;
}

/** @llvm SILowerI1Copies.cpp Vreg1LoweringHelper */
class BitLowering {
  private readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private readonly builder: InstrBuilder;
  private readonly ops: LaneMaskOps;
  private readonly facts: RegisterFacts;
  private readonly updater: ValuePlacer;
  private readonly dominators: DominatorTree;
  private readonly postDominators: PostDominatorTree;
  private readonly loops: LoopFinder;
  private readonly opcodes: Readonly<Record<'copy' | 'phi' | 'implicitDef' | 'select' | 'compare', number>>;
  private readonly scc: Reg;

  constructor(state: FunctionState) {
    this.dominators = state.get(DOMINATORS);
    this.postDominators = state.get(POST_DOMINATORS);
    this.editor = state.editor();
    this.fn = this.editor.fn;
    const { tables } = this.fn;
    this.builder = new InstrBuilder(this.editor);
    this.ops = laneMaskOps(this.fn);
    this.facts = new RegisterFacts(this.fn);
    this.updater = this.fn.subtarget.release.rules.placesPhisByFrontiers
      ? new FrontierUpdater(this.builder, this.dominators)
      : new SSAUpdater(this.builder);
    this.loops = new LoopFinder(this.fn, this.dominators, this.postDominators);
    this.opcodes = {
      copy: tables.opcodeByName('COPY'),
      phi: tables.opcodeByName('PHI'),
      implicitDef: tables.opcodeByName('IMPLICIT_DEF'),
      select: tables.opcodeByName('V_CNDMASK_B32_e64'),
      compare: tables.opcodeByName('V_CMP_NE_U32_e64'),
    };
    this.scc = tables.regByName('scc');
  }

  run(): void {
    const masks = this.lowerReads();
    this.lowerPhis();
    this.lowerDefinitions();
    for (const reg of masks) this.editor.constrainClass(reg, this.ops.waveMaskClass);
  }

  private isBit(reg: Reg): boolean {
    return isVirtualReg(reg) && this.fn.vregs.regClass[virtRegIndex(reg)] === this.facts.vreg1;
  }

  private isLaneMask(reg: Reg): boolean {
    const { fn, facts } = this;
    const rc = facts.classOf(reg);
    return facts.isSGPRClass(rc) && fn.tables.regClassBits[rc] === fn.subtarget.wavefrontSize;
  }

  private newMask(): Reg {
    return this.builder.newVReg(this.ops.maskClass);
  }

  private becomesMask(reg: Reg): void {
    this.fn.vregs.regClass[virtRegIndex(reg)] = this.ops.maskClass;
  }

  private operand(i: InstrId, k: number): Reg {
    return this.fn.opVal[this.fn.opBegin[i] + k];
  }

  /**
   * Copies of bits into vector registers choose 0 or -1. Returns the registers that they read.
   * @llvm SILowerI1Copies.cpp Vreg1LoweringHelper::lowerCopiesFromI1
   */
  private lowerReads(): ReadonlySet<Reg> {
    const { fn, editor, builder, opcodes } = this;
    const { list } = editor;
    const read = new Set<Reg>();
    for (let b = 0; b < fn.blocks.length; b++)
      for (let i = list.first(b), next: ListPos; i >= 0; i = next) {
        next = list.after(i);
        if (fn.opcode[i] !== opcodes.copy) continue;
        const [to, from] = [this.operand(i, 0), this.operand(i, 1)];
        if (!this.isBit(from) || this.isLaneMask(to) || this.isBit(to)) continue;
        read.add(from);
        builder.build(i, i, opcodes.select, [
          regOperand(to, OpFlag.Def),
          immOperand(0),
          immOperand(0),
          immOperand(0),
          immOperand(-1),
          regOperand(from),
        ]);
        editor.erase(i);
      }
    return read;
  }

  // -- PHIs ----------------------------------------------------------------------------------------------------------

  /** @llvm SILowerI1Copies.cpp PhiLoweringHelper::lowerPhis */
  private lowerPhis(): void {
    const { fn, editor, loops, opcodes } = this;
    const { list } = editor;
    for (let b = 0; b < fn.blocks.length; b++) {
      const phis: InstrId[] = [];
      for (let i = list.first(b); i >= 0 && fn.opcode[i] === opcodes.phi; i = list.after(i))
        if (this.isBit(this.operand(i, 0))) phis.push(i);
      if (phis.length > 0) loops.start(b);
      for (const phi of phis) this.lowerPhi(phi, b);
    }
  }

  private lowerPhi(phi: InstrId, b: BlockId): void {
    const { editor, updater, loops } = this;
    const result = this.operand(phi, 0);
    this.becomesMask(result);
    const incoming = this.incomingOf(phi);
    const loopLevel = loops.find(this.boundOf(result, b));
    updater.start(this.ops.maskClass);
    const blocks = incoming.map((one) => one.block);
    if (loopLevel > 0) {
      this.provideUndefined(loops.entries(loopLevel, blocks));
      for (const one of incoming) this.mergeAtEnd(one);
    } else {
      const arrivals = findArrivals(editor, this.postDominators, b, blocks);
      this.provideUndefined(arrivals.outside);
      for (const one of incoming)
        if (arrivals.isSource(one.block)) updater.provide(one.block, one.reg);
        else this.mergeAtEnd(one);
    }
    updater.settle([b, ...incoming.filter((one) => one.merged !== NO_REG).map((one) => one.block)]);
    for (const { reg, block, merged } of incoming)
      if (merged !== NO_REG) this.merge(this.placeAtEnd(block), NO_LOCATION, merged, updater.inMiddleOf(block), reg);
    const value = updater.inMiddleOf(b);
    if (value === result) return;
    editor.replaceReg(value, result);
    editor.erase(phi);
  }

  private mergeAtEnd(one: Incoming): void {
    one.merged = this.newMask();
    this.updater.provide(one.block, one.merged);
  }

  /** @llvm SILowerI1Copies.cpp insertUndefLaneMask */
  private provideUndefined(blocks: readonly BlockId[]): void {
    const { editor, builder, opcodes, updater } = this;
    for (const b of blocks) {
      const reg = this.newMask();
      builder.build(firstTerminator(editor, b), NO_LOCATION, opcodes.implicitDef, [regOperand(reg, OpFlag.Def)]);
      updater.provide(b, reg);
    }
  }

  /** What post-dominates a block and all that read a register that it defines. */
  private boundOf(reg: Reg, b: BlockId): BlockId {
    const { fn, editor, postDominators } = this;
    let bound = b;
    for (const o of editor.operandsOf(reg))
      if (!editor.isDef(o) && bound >= 0) bound = postDominators.nearestCommon(bound, fn.instrBlock[editor.instrOf(o)]);
    return bound;
  }

  /**
   * Masks that a PHI reads, but undefined ones, with those first whose blocks dominate others: copies are looked through.
   * @llvm SILowerI1Copies.cpp Vreg1LoweringHelper::collectIncomingValuesFromPhi
   */
  private incomingOf(phi: InstrId): Incoming[] {
    const { fn, dominators, opcodes } = this;
    const incoming: Incoming[] = [];
    for (let k = 1; k + 1 < fn.numOperands(phi); k += 2) {
      const reg = this.operand(phi, k);
      const block: BlockId = fn.opVal[fn.opBegin[phi] + k + 1];
      const def = this.uniqueDef(reg);
      if (def < 0) throw new NotModelled('a PHI of lane masks that reads what has not one definition');
      if (!dominators.isReachable(block)) throw new NotModelled('a PHI of lane masks with an unreachable predecessor');
      if (fn.opcode[def] === opcodes.implicitDef) continue;
      incoming.push({ reg: fn.opcode[def] === opcodes.copy ? this.operand(def, 1) : reg, block, merged: NO_REG });
    }
    return incoming.sort((x, y) => dominators.treeIn[x.block] - dominators.treeIn[y.block]);
  }

  /** @llvm MachineRegisterInfo.cpp MachineRegisterInfo::getUniqueVRegDef */
  private uniqueDef(reg: Reg): InstrId {
    return this.editor.hasOneDef(reg) ? this.editor.defOf(reg) : -1;
  }

  /**
   * Where at the end of a block SCC may be written.
   * @llvm SILowerI1Copies.cpp PhiLoweringHelper::getSaluInsertionAtEnd
   */
  private placeAtEnd(b: BlockId): ListPos {
    const { list } = this.editor;
    const end = firstTerminator(this.editor, b);
    let isRead = false;
    for (let i = end; i >= 0; i = list.after(i)) {
      isRead = this.touchesSCC(i, false);
      if (isRead || this.touchesSCC(i, true)) break;
    }
    if (!isRead) return end;
    for (let i = list.before(end); i >= 0; i = list.before(i)) if (this.touchesSCC(i, true)) return i;
    throw new NotModelled('a terminator that reads SCC of another block');
  }

  private touchesSCC(i: InstrId, isDef: boolean): boolean {
    const { fn, editor } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === this.scc && editor.isDef(o) === isDef) return true;
    return false;
  }

  // -- copies and undefined bits --------------------------------------------------------------------------------------

  /** @llvm SILowerI1Copies.cpp Vreg1LoweringHelper::lowerCopiesToI1 */
  private lowerDefinitions(): void {
    const { fn, editor, loops, opcodes } = this;
    const { list } = editor;
    for (let b = 0; b < fn.blocks.length; b++) {
      loops.start(b);
      const dead: InstrId[] = [];
      for (let i = list.first(b); i >= 0; i = list.after(i)) {
        const isCopy = fn.opcode[i] === opcodes.copy;
        if (!isCopy && fn.opcode[i] !== opcodes.implicitDef) continue;
        const to = this.operand(i, 0);
        if (!this.isBit(to)) continue;
        if (this.hasNoUse(to)) {
          dead.push(i);
          continue;
        }
        this.becomesMask(to);
        if (isCopy && this.lowerCopy(i, b, to)) dead.push(i);
      }
      for (const i of dead) editor.erase(i);
    }
  }

  /** Debug instructions count. */
  private hasNoUse(reg: Reg): boolean {
    for (const o of this.editor.operandsOf(reg)) if (!this.editor.isDef(o)) return false;
    return true;
  }

  /** Whether the copy goes. */
  private lowerCopy(copy: InstrId, b: BlockId, to: Reg): boolean {
    const { fn, editor, builder, updater, loops, opcodes } = this;
    const o = fn.opBegin[copy] + 1;
    let from = fn.opVal[o];
    if (isVirtualReg(from) && (this.isLaneMask(from) || this.isBit(from))) fn.opFlags[o] &= ~OpFlag.Kill;
    else {
      const mask = this.newMask();
      builder.build(copy, copy, opcodes.compare, [regOperand(mask, OpFlag.Def), regOperand(from), immOperand(0)]);
      editor.setReg(o, mask);
      from = mask;
    }
    const loopLevel = loops.find(this.boundOf(to, b));
    if (loopLevel === 0) return false;
    updater.start(this.ops.maskClass);
    updater.provide(b, to);
    this.provideUndefined(loops.entries(loopLevel, []));
    updater.settle([b]);
    this.merge(copy, copy, to, updater.inMiddleOf(b), from);
    return true;
  }

  // -- masks ----------------------------------------------------------------------------------------------------------

  /**
   * What a mask is for all lanes: 0 or -1, undefined as 0; null = not known.
   * @llvm SILowerI1Copies.cpp PhiLoweringHelper::isConstantLaneMask
   */
  private constantOf(reg: Reg): 0 | -1 | null {
    const { fn, opcodes, ops } = this;
    for (;;) {
      const def = this.uniqueDef(reg);
      if (def < 0) throw new NotModelled('a lane mask that has not one definition');
      if (fn.opcode[def] === opcodes.implicitDef) return 0;
      const o = fn.opBegin[def] + 1;
      if (fn.opcode[def] !== opcodes.copy) {
        if (fn.opcode[def] !== ops.mov || fn.opKind[o] !== OperandKind.Immediate) return null;
        const value = fn.opVal[o];
        return fn.opExt[o] === value >> 31 && (value === 0 || value === -1) ? value : null;
      }
      reg = fn.opVal[o];
      if (!isVirtualReg(reg) || !this.isLaneMask(reg)) return null;
    }
  }

  /**
   * Active lanes of `to` have the bit of `now`, the others that of `before`.
   * @llvm SILowerI1Copies.cpp Vreg1LoweringHelper::buildMergeLaneMasks
   */
  private merge(at: ListPos, like: InstrId, to: Reg, before: Reg, now: Reg): void {
    const { builder, ops, opcodes } = this;
    const known = this.constantOf(before);
    const knownNow = this.constantOf(now);
    const build = (opcode: number, result: Reg, ...sources: Reg[]): Reg => {
      builder.build(at, like, opcode, [regOperand(result, OpFlag.Def), ...sources.map((reg) => regOperand(reg))]);
      return result;
    };
    if (known !== null && knownNow !== null) {
      if (known === knownNow) build(opcodes.copy, to, now);
      else if (knownNow === -1) build(opcodes.copy, to, ops.exec);
      else builder.build(at, like, ops.xor, [regOperand(to, OpFlag.Def), regOperand(ops.exec), immOperand(-1)]);
      return;
    }
    const kept =
      known !== null ? NO_REG : knownNow === -1 ? before : build(ops.andn2, this.newMask(), before, ops.exec);
    const set = knownNow !== null ? NO_REG : known === -1 ? now : build(ops.and, this.newMask(), now, ops.exec);
    if (known === 0) build(opcodes.copy, to, set);
    else if (knownNow === 0) build(opcodes.copy, to, kept);
    else if (known === -1) build(ops.orn2, to, set, ops.exec);
    else build(ops.or, to, kept, set === NO_REG ? ops.exec : set);
  }
}
