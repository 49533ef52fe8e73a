/** `early-machinelicm`: what computes the same in each round of a loop goes in front of it (MachineLICM, LLVM 22; docs/llvm/improving-ssa.md, 3). */
import type { DominatorTree } from '../../analysis/dominators.js';
import { computeFunctionLimits } from '../../analysis/functionLimits.js';
import type { LoopInfo } from '../../analysis/loops.js';
import { isInvariantLoad } from '../../analysis/safeToMove.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { McFlag } from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { BlockEnds } from '../blockEnds.js';
import { isConstantReg, isIgnorableUse } from '../constantRegs.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import { reservedOf } from '../frozenRegisters.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { ALIAS_ANALYSIS } from '../passContext.js';
import { loopCandidates, type LoopCandidates } from './loopCandidates.js';
import { isRematerializable } from '../regalloc/remat.js';
import { computeSame } from '../sameInstr.js';
import { N_PRESSURE_SETS, pressureSetLimits, targetSetLimits } from '../scheduler/pressure/setLimits.js';

/** @llvm MachineLICM.cpp EarlyMachineLICM */
export const earlyMachineLICMPass: MachinePass = {
  name: 'early-machinelicm',
  pipelineName: 'early-machinelicm',
  className: 'EarlyMachineLICMPass',
  title: 'Early Machine Loop Invariant Code Motion',
  requires: [DOMINATORS, LOOPS, ALIAS_ANALYSIS],
  preserves: [LOOPS],
  run(state) {
    const { fn } = state;
    if (fn.isOptNone) return;
    if (state.get(LOOPS).loops.length === 0) return;
    if (!fn.header.isSSA) throw new NotModelled('early-machinelicm after SSA form');
    new LoopInvariants(loopCandidates(state), reservedOf(state)).run();
  },
};

/** A block with so many successors ends a walk: what is below it seldom runs. */
const MANY_SUCCESSORS = 25;

/** Pressure by set. */
type Pressure = Int32Array;

interface Hoisting {
  readonly isHoisted: boolean;
  /** it is gone: another instruction does what it did */
  readonly isErased: boolean;
}

const STAYS: Hoisting = { isHoisted: false, isErased: false };

/** @llvm MachineLICM.cpp MachineLICMImpl */
class LoopInvariants {
  readonly editor: FunctionEditor;
  private readonly fn: MachineFunction;
  private readonly loops: LoopInfo;
  private readonly dominators: DominatorTree;
  private readonly children: BlockId[][];
  private readonly copy: number;
  private readonly limits: Int32Array;

  // -- of the outermost loop that is worked on -----------------------------------------------------------------------

  private pressure: Pressure = new Int32Array(N_PRESSURE_SETS);
  private readonly seen = new Set<Reg>();
  /** pressure in front of each block on the way from the header to the one that is worked on */
  private trace: Pressure[] = [];
  /** by preheader and opcode, what instructions that go there may be the same as; null before the first one goes */
  private readonly hoisted = new Map<BlockId, Map<number, InstrId[]>>();
  private isFirst = true;

  constructor(
    private readonly candidates: LoopCandidates,
    readonly reserved: ReservedRegs,
  ) {
    const { editor, loops, dominators } = candidates;
    const { fn } = editor;
    this.editor = editor;
    this.loops = loops;
    this.dominators = dominators;
    this.fn = fn;
    this.children = fn.blocks.map(() => []);
    for (const b of dominators.dfsOrder) if (dominators.idom[b] >= 0) this.children[dominators.idom[b]].push(b);
    this.copy = fn.tables.opcodeByName('COPY');
    const numAllocatableRegs = (rc: number): number => reserved.numAllocatableRegs(rc);
    this.limits = fn.subtarget.release.rules.countsReservedInLoops
      ? targetSetLimits(fn)
      : Int32Array.from(pressureSetLimits({ fn, limits: computeFunctionLimits(fn), numAllocatableRegs }));
  }

  run(): void {
    for (const loop of this.candidates.outermost()) {
      this.hoisted.clear();
      this.isFirst = true;
      this.runOnLoop(loop);
    }
  }

  // -- loops -----------------------------------------------------------------------------------------------------------

  /** @llvm MachineLICM.cpp MachineLICMImpl::HoistOutOfLoop */
  private runOnLoop(loop: number): void {
    const { fn, editor } = this;
    const preheader = this.candidates.preheaderOf(loop);
    if (preheader < 0) return;
    this.seen.clear();
    this.pressure = new Int32Array(N_PRESSURE_SETS);
    this.addPressureOf(preheader);
    this.trace = [];
    const work = [{ block: this.loops.loops[loop].header, depth: 0 }];
    for (let top = work.pop(); top !== undefined; top = work.pop()) {
      const { block, depth } = top;
      if (!this.loops.contains(loop, block)) continue;
      if (this.candidates.isOfLandingPad(block)) continue;
      this.trace.length = depth;
      this.trace.push(this.pressure.slice());
      if (fn.blocks[block].successors.length < MANY_SUCCESSORS)
        for (const child of [...this.children[block]].reverse()) work.push({ block: child, depth: depth + 1 });
      this.candidates.enterBlock();
      for (let i = editor.list.first(block); i >= 0;) {
        const next = editor.list.after(i);
        this.visit(i, block, loop, preheader);
        i = next;
      }
    }
  }

  private visit(i: InstrId, block: BlockId, loop: number, preheader: BlockId): void {
    const { loops, loopOf } = this.loops;
    let result = this.hoist(i, block, preheader, loop);
    if (!result.isHoisted) {
      const inner: number[] = [];
      for (let l = loopOf[block]; l !== loop; l = loops[l].parent) inner.push(l);
      for (let l = inner.pop(); l !== undefined && !result.isHoisted; l = inner.pop()) {
        const into = this.candidates.preheaderOf(l);
        if (into >= 0) result = this.hoist(i, block, into, l);
      }
    }
    if (!result.isErased) this.addPressure(i, false);
  }

  /** Puts the instruction into a preheader, if that is possible and pays. */
  private hoist(i: InstrId, block: BlockId, preheader: BlockId, loop: number): Hoisting {
    const { fn, editor } = this;
    if (!this.isInvariant(i, block, loop) || !this.isProfitable(i, block, loop)) return STAYS;
    if (this.isFirst) {
      for (let p = editor.list.first(preheader); p >= 0; p = editor.list.after(p)) this.note(preheader, p);
      this.isFirst = false;
    }
    const opcode = fn.opcode[i];
    for (const [b, byOpcode] of this.hoisted) {
      if (!this.dominators.dominates(b, block)) continue;
      const others = byOpcode.get(opcode);
      if (others !== undefined && this.replaceBy(i, others)) return { isHoisted: true, isErased: true };
    }
    this.candidates.moveTo(preheader, i);
    const cost = this.costOf(i, false, false);
    for (const pressure of this.trace) for (let set = 0; set < N_PRESSURE_SETS; set++) pressure[set] += cost[set];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (editor.isDef(o) && (fn.opFlags[o] & OpFlag.Dead) === 0) editor.clearKillFlags(fn.opVal[o]);
    this.note(preheader, i);
    return { isHoisted: true, isErased: false };
  }

  private note(preheader: BlockId, i: InstrId): void {
    let byOpcode = this.hoisted.get(preheader);
    if (byOpcode === undefined) this.hoisted.set(preheader, (byOpcode = new Map<number, InstrId[]>()));
    const opcode = this.fn.opcode[i];
    const others = byOpcode.get(opcode);
    if (others === undefined) byOpcode.set(opcode, [i]);
    else others.push(i);
  }

  /** Whether it may take the place of another that computes the same. */
  private isReplaceable(i: InstrId): boolean {
    return !this.isImplicitDef(i) && (!this.candidates.has(i, McFlag.MayLoad) || isInvariantLoad(this.fn, i));
  }

  private isImplicitDef(i: InstrId): boolean {
    return this.fn.tables.opcodeName(this.fn.opcode[i]) === 'IMPLICIT_DEF';
  }

  /** @llvm MachineLICM.cpp MachineLICMImpl::EliminateCSE */
  private replaceBy(i: InstrId, others: readonly InstrId[]): boolean {
    const { fn, editor } = this;
    if (!this.isReplaceable(i)) return false;
    const same = others.find((other) => computeSame(fn, i, other));
    if (same === undefined) return false;
    const { regClass } = fn.vregs;
    const defs: { mine: Reg; its: number; rc: number }[] = [];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (!editor.isDef(o) || isPhysicalReg(fn.opVal[o])) continue;
      const its = fn.opBegin[same] + (o - fn.opBegin[i]);
      const v = virtRegIndex(fn.opVal[its]);
      const rc = regClass[v];
      if (!editor.constrainClass(fn.opVal[its], regClass[virtRegIndex(fn.opVal[o])])) {
        for (const def of defs) regClass[virtRegIndex(fn.opVal[def.its])] = def.rc;
        return false;
      }
      defs.push({ mine: fn.opVal[o], its, rc });
    }
    for (const { mine, its } of defs) {
      const reg = fn.opVal[its];
      editor.replaceReg(mine, reg);
      editor.clearKillFlags(reg);
      if (!editor.isUnread(reg)) fn.opFlags[its] &= ~OpFlag.Dead;
    }
    editor.erase(i);
    return true;
  }

  /** @llvm MachineLICM.cpp MachineLICMImpl::MayCSE */
  private mayBeReplaced(i: InstrId, block: BlockId): boolean {
    const { fn } = this;
    if (!this.isReplaceable(i)) return false;
    for (const [b, byOpcode] of this.hoisted) {
      if (!this.dominators.dominates(b, block)) continue;
      if (byOpcode.get(fn.opcode[i])?.some((other) => computeSame(fn, i, other)) === true) return true;
    }
    return false;
  }

  // -- candidates ------------------------------------------------------------------------------------------------------

  private isInvariant(i: InstrId, block: BlockId, loop: number): boolean {
    if (!this.candidates.isCandidate(i, block, loop)) return false;
    if (this.fn.bundle[i] !== 0) throw new NotModelled('a bundle that a loop may do without');
    return this.readsInvariants(i, loop, 0);
  }

  /**
   * Whether all that it reads, `except` one register, is the same in each round.
   * @llvm MachineLoopInfo.cpp MachineLoop::isLoopInvariant
   */
  private readsInvariants(i: InstrId, loop: number, except: Reg): boolean {
    const { fn, editor } = this;
    const { liveIns } = fn.blocks[this.loops.loops[loop].header];
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg === 0 || reg === except) continue;
      if (isPhysicalReg(reg)) {
        if (!editor.isDef(o)) {
          if (!isConstantReg(this, reg) && !isIgnorableUse(this, i, o)) return false;
        } else if ((fn.opFlags[o] & OpFlag.Dead) === 0 || liveIns.some((l) => l.reg === reg)) return false;
        continue;
      }
      if (!editor.reads(o)) continue;
      const def = editor.defOf(reg);
      if (def >= 0 && this.loops.contains(loop, fn.instrBlock[def])) return false;
    }
    return true;
  }

  /** Whether a PHI of the loop, or one behind it, reads its result, perhaps through copies. */
  private isReadByPhi(i: InstrId, loop: number): boolean {
    const { fn, editor } = this;
    const phis = opcodeSet(fn.tables, 'phi');
    const work = [i];
    for (let at = work.pop(); at !== undefined; at = work.pop())
      for (let o = fn.firstReg(at); o >= 0; o = fn.nextReg(at, o)) {
        if (!editor.isDef(o) || !isVirtualReg(fn.opVal[o])) continue;
        for (const use of editor.operandsOf(fn.opVal[o])) {
          if (editor.isDef(use)) continue;
          const user = editor.instrOf(use);
          const isInside = this.loops.contains(loop, fn.instrBlock[user]);
          if (phis.has(fn.opcode[user])) {
            if (isInside || this.isExit(loop, fn.instrBlock[user])) return true;
          } else if (fn.opcode[user] === this.copy && isInside) work.push(user);
        }
      }
    return false;
  }

  /** A block outside of the loop to which it goes on. */
  private isExit(loop: number, b: BlockId): boolean {
    return !this.loops.contains(loop, b) && this.fn.blocks[b].predecessors.some((p) => this.loops.contains(loop, p));
  }

  /** @llvm MachineLICM.cpp MachineLICMImpl::IsProfitableToHoist */
  private isProfitable(i: InstrId, block: BlockId, loop: number): boolean {
    const { fn } = this;
    if (this.isImplicitDef(i)) return true;
    const isCopyLike = opcodeSet(fn.tables, 'copyLike').has(fn.opcode[i]);
    const isCheap = this.candidates.has(i, McFlag.CheapAsAMove) || isCopyLike;
    const createsCopy = this.isReadByPhi(i, loop);
    if (isCheap && createsCopy) return false;
    if (this.canRepeat(i)) return true;
    const cost = this.costOf(i, false, false);
    if (!this.raisesTooMuch(cost, isCheap)) return true;
    if (createsCopy) return false;
    if (!this.candidates.isAlwaysRun(block, loop) && !this.mayBeReplaced(i, block)) return false;
    if (this.leadsToReaders(i, loop, cost)) return true;
    return this.candidates.has(i, McFlag.MayLoad) && isInvariantLoad(fn, i);
  }

  /** A copy, or several to one register, that a reader in the loop waits for which may then go, too; any reader, where there is room for the register. */
  private leadsToReaders(i: InstrId, loop: number, cost: Pressure): boolean {
    const { fn, editor } = this;
    if (fn.opcode[i] !== this.copy && fn.tables.opcodeName(fn.opcode[i]) !== 'REG_SEQUENCE') return false;
    const result = fn.opVal[fn.opBegin[i]];
    if (!isVirtualReg(result)) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (!editor.isDef(o) && !isVirtualReg(fn.opVal[o]) && !isConstantReg(this, fn.opVal[o])) return false;
    const hasRoom = !this.raisesTooMuch(cost, false);
    return editor.usesOf(result).some((o) => {
      const user = editor.instrOf(o);
      return this.loops.contains(loop, fn.instrBlock[user]) && (hasRoom || this.readsInvariants(user, loop, result));
    });
  }

  /**
   * The allocator could make it anew in the loop.
   * @llvm MachineLICM.cpp MachineLICMImpl::isTriviallyReMaterializable
   */
  private canRepeat(i: InstrId): boolean {
    const { fn, editor } = this;
    if (!isRematerializable(this, i)) return false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (isVirtualReg(fn.opVal[o]) && !editor.isDef(o)) return false;
    return true;
  }

  // -- pressure --------------------------------------------------------------------------------------------------------

  /** @llvm MachineLICM.cpp MachineLICMImpl::CanCauseHighRegPressure */
  private raisesTooMuch(cost: Pressure, isCheap: boolean): boolean {
    for (let set = 0; set < N_PRESSURE_SETS; set++) {
      if (cost[set] <= 0) continue;
      if (isCheap || this.trace.some((pressure) => pressure[set] + cost[set] >= this.limits[set])) return true;
    }
    return false;
  }

  /**
   * What the blocks that lead to a loop leave in registers.
   * @llvm MachineLICM.cpp MachineLICMImpl::InitRegPressure
   */
  private addPressureOf(last: BlockId): void {
    const { fn, editor } = this;
    const ends = new BlockEnds(editor, (b) => editor.blockAfter(b));
    const chain: BlockId[] = [];
    for (let b = last; ;) {
      chain.push(b);
      const { predecessors } = fn.blocks[b];
      const end = predecessors.length === 1 ? ends.read(b) : null;
      if (end === null || end.condition !== null) break;
      [b] = predecessors;
      if (chain.includes(b)) break;
    }
    for (const b of chain.reverse())
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) this.addPressure(i, true);
  }

  private addPressure(i: InstrId, takesUnseenForLive: boolean): void {
    const cost = this.costOf(i, true, takesUnseenForLive);
    for (let set = 0; set < N_PRESSURE_SETS; set++) this.pressure[set] = Math.max(0, this.pressure[set] + cost[set]);
  }

  /** @llvm MachineLICM.cpp MachineLICMImpl::calcRegisterCost */
  private costOf(i: InstrId, notesSeen: boolean, takesUnseenForLive: boolean): Pressure {
    const { fn, editor, seen } = this;
    const { tables } = fn;
    const cost = new Int32Array(N_PRESSURE_SETS);
    if (this.isImplicitDef(i)) return cost;
    const end = fn.opBegin[i] + Math.min(tables.opcodeNumOperands(fn.opcode[i]), fn.numOperands(i));
    for (let o = fn.opBegin[i]; o < end; o++) {
      const reg = fn.opVal[o];
      if (fn.opKind[o] !== OperandKind.Register || (fn.opFlags[o] & OpFlag.Implicit) !== 0 || !isVirtualReg(reg))
        continue;
      const isNew = notesSeen && !seen.has(reg);
      if (isNew) seen.add(reg);
      const rc = fn.vregs.regClass[virtRegIndex(reg)];
      if (rc < 0) throw new NotModelled('a generic register in a loop');
      const weight = tables.regClassWeight[rc];
      let change = 0;
      if (editor.isDef(o)) change = weight;
      else {
        const isKill = (fn.opFlags[o] & OpFlag.Kill) !== 0 || editor.onlyUse(reg) >= 0;
        if (isNew && !isKill && takesUnseenForLive) change = weight;
        else if (!isNew && isKill) change = -weight;
      }
      if (change !== 0) for (const set of tables.regClassPressureSets(rc)) cost[set] += change;
    }
    return cost;
  }
}
