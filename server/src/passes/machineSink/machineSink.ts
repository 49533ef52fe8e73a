/** `machine-sink`: instructions go down to the way on which their results are read (MachineSink, LLVM 22; docs/llvm/improving-ssa.md, 4). */
import { computeBlockFrequencies } from '../../analysis/blockFrequency.js';
import { DominatorTree } from '../../analysis/dominators.js';
import { PostDominatorTree } from '../../analysis/postDominators.js';
import type { ReservedRegs } from '../../analysis/reservedRegs.js';
import { isConvergent, isInvariantLoad, isOrderedAccess, isSafeToMove } from '../../analysis/safeToMove.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import { BundleFlag, OpFlag, type BlockId, type InstrId, type MachineFunction } from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtRegIndex, type Reg } from '../../model/register.js';
import { hasOpcodeFlag, McFlag, type PhysReg } from '../../target/index.js';
import { opcodeSet } from '../../target/opcodeSets.js';
import { CycleInfo } from '../../util/cycles.js';
import { BlockEnds } from '../blockEnds.js';
import { isConstantReg, isIgnorableUse } from '../constantRegs.js';
import { DOMINATORS, LOOPS } from '../controlFlowAnalyses.js';
import { canSplitEdge, splitCriticalEdge } from '../criticalEdges.js';
import { reservedOf } from '../frozenRegisters.js';
import { endsDivergent, isDebugOrProbe } from '../instrOrder.js';
import { InstrQueries } from '../instrQueries.js';
import { NotModelled, type MachinePass } from '../machinePass.js';
import { ALIAS_ANALYSIS, type PassContext } from '../passContext.js';
import { DebugInfo } from '../debugInfo/scopes.js';
import type { AliasFacts } from '../scheduler/dag/aliasFacts.js';
import { targetSetLimits } from '../scheduler/pressure/setLimits.js';
import { aliasFactsOf } from '../scheduler/moduleFacts.js';
import { blockPressure } from './blockPressure.js';
import { behindPrologue, mergeSunkLocation, prologueInterferes } from './sinkPlace.js';
import { SunkDebugValues } from './sunkDebugValues.js';

/** @llvm MachineSink.cpp MachineSinkingLegacy */
export const machineSinkPass: MachinePass = {
  name: 'machine-sink',
  pipelineName: 'machine-sink',
  className: 'MachineSinkingPass',
  title: 'Machine code sinking',
  requires: [DOMINATORS, LOOPS, ALIAS_ANALYSIS],
  preserves: [],
  run(state) {
    if (!state.fn.isOptNone) {
      const frequency = computeBlockFrequencies(state.fn.blocks, state.get(LOOPS));
      new Sinking(state.editor(), frequency, reservedOf(state), state.context).run();
    }
  },
};

/** An edge that is taken no more often than this is split for a cheap instruction, too: 40 of 100. */
const SELDOM = Math.round((40 * 2 ** 31) / 100);
/** Blocks between two with more instructions, and more blocks than so many, are not searched for stores. */
const MANY_INSTRS = 2000;
const MANY_BLOCKS = 20;

type Edge = readonly [from: BlockId, to: BlockId];

/** Where the readers of a register stand. */
const enum Readers {
  /** below the block */
  Below,
  /** PHIs of the block alone, which read it where it comes from */
  Phis,
  /** one stands where the register is defined */
  Local,
  Elsewhere,
}

interface Target {
  readonly block: BlockId;
  /** PHIs of the block alone read the result */
  readonly isForPhis: boolean;
}

/** @llvm MachineSink.cpp MachineSinking */
class Sinking {
  private readonly fn: MachineFunction;
  private readonly queries: InstrQueries;
  private readonly ends: BlockEnds;
  private readonly debugValues: SunkDebugValues;
  private memory: AliasFacts | null = null;
  private dominators!: DominatorTree;
  private postDominators!: PostDominatorTree;
  private cycles!: CycleInfo;
  private children: BlockId[][] = [];
  private readonly copy: number;

  // -- of one round over the blocks ------------------------------------------------------------------------------------

  private readonly considered = new Set<string>();
  private readonly toSplit = new Map<string, Edge>();
  /** where a register came from first that an edge to a block was not split for, by both */
  private readonly deferred = new Map<string, BlockId>();

  // -- of one block ----------------------------------------------------------------------------------------------------

  private sawStore = false;
  private readonly successors = new Map<BlockId, readonly BlockId[]>();
  private readonly pressure = new Map<BlockId, Int32Array>();
  private limits: Int32Array | null = null;

  // -- of all rounds ---------------------------------------------------------------------------------------------------

  private readonly hasStore = new Map<string, boolean>();
  private readonly stores = new Map<string, InstrId[]>();
  private readonly noLongerKilled = new Set<Reg>();

  constructor(
    readonly editor: FunctionEditor,
    private readonly frequency: bigint[],
    readonly reserved: ReservedRegs,
    private readonly context: PassContext,
  ) {
    this.fn = editor.fn;
    this.queries = new InstrQueries(this.fn);
    this.ends = new BlockEnds(editor, (b) => editor.blockAfter(b));
    this.copy = this.fn.tables.opcodeByName('COPY');
    this.debugValues = new SunkDebugValues(editor, DebugInfo.of(context.ir, this.fn.header.name));
    this.analyse();
  }

  private analyse(): void {
    const { blocks, subtarget } = this.fn;
    this.dominators = new DominatorTree(blocks);
    this.postDominators = new PostDominatorTree(blocks);
    this.cycles = new CycleInfo(blocks, subtarget.release.rules.cyclesInPreorder);
    this.children = blocks.map(() => []);
    const { dfsOrder, idom } = this.dominators;
    for (const b of dfsOrder) if (idom[b] >= 0) this.children[idom[b]].push(b);
  }

  /** Rounds until one changes nothing; edges are split after each. */
  run(): void {
    const { editor, fn } = this;
    for (let hasChanged = true; hasChanged;) {
      hasChanged = false;
      this.considered.clear();
      this.toSplit.clear();
      this.deferred.clear();
      for (const b of [...editor.blockOrder()]) if (this.runOnBlock(b)) hasChanged = true;
      const nBlocks = fn.blocks.length;
      for (const [from, to] of this.toSplit.values()) this.split(from, to);
      if (fn.blocks.length === nBlocks) continue;
      hasChanged = true;
      this.analyse();
    }
    for (const reg of this.noLongerKilled) editor.clearKillFlags(reg);
  }

  private split(from: BlockId, to: BlockId): void {
    const { fn, editor, ends, frequency } = this;
    if (!canSplitEdge(fn, ends, from, to)) return;
    const made = splitCriticalEdge(editor, ends, from, to);
    frequency[made] = (frequency[from] * BigInt(this.probability(from, made))) >> 31n;
  }

  /** Of 2^31. */
  private probability(from: BlockId, to: BlockId): number {
    const { successors, probabilities } = this.fn.blocks[from];
    let sum = 0;
    for (const [k, s] of successors.entries()) if (s === to) sum += probabilities[k];
    return sum;
  }

  private has(i: InstrId, flag: McFlag): boolean {
    const { fn } = this;
    for (let m = i; ; m++) {
      if (hasOpcodeFlag(fn.tables, fn.opcode[m], flag)) return true;
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return false;
    }
  }

  private isPhi(i: InstrId): boolean {
    return opcodeSet(this.fn.tables, 'phi').has(this.fn.opcode[i]);
  }

  /** @llvm MachineSink.cpp MachineSinking::ProcessBlock */
  private runOnBlock(b: BlockId): boolean {
    const { fn, editor } = this;
    if (fn.blocks[b].successors.length <= 1 || !this.dominators.isReachable(b)) return false;
    this.successors.clear();
    this.pressure.clear();
    this.debugValues.beginBlock();
    this.sawStore = false;
    let hasChanged = false;
    for (let i = editor.list.before(~b); i >= 0;) {
      const before = editor.list.before(i);
      if (opcodeSet(fn.tables, 'debugValue').has(fn.opcode[i])) this.debugValues.note(i);
      else if (!isDebugOrProbe(fn, i) && (this.joinCopy(i) || this.sink(i, b))) hasChanged = true;
      i = before;
    }
    return hasChanged;
  }

  /**
   * A copy that alone reads a register of the same class goes: its readers read that one.
   * @llvm MachineSink.cpp MachineSinking::PerformTrivialForwardCoalescing
   */
  private joinCopy(i: InstrId): boolean {
    const { fn, editor } = this;
    if (fn.opcode[i] !== this.copy) return false;
    const [to, from] = [fn.opVal[fn.opBegin[i]], fn.opVal[fn.opBegin[i] + 1]];
    if (!isVirtualReg(to) || !isVirtualReg(from) || editor.onlyUse(from) < 0) return false;
    const { regClass } = fn.vregs;
    if (regClass[virtRegIndex(to)] !== regClass[virtRegIndex(from)]) return false;
    const def = editor.defOf(from);
    if (def < 0 || opcodeSet(fn.tables, 'copyLike').has(fn.opcode[def])) return false;
    editor.replaceReg(to, from);
    editor.erase(i);
    editor.clearKillFlags(from);
    return true;
  }

  // -- sinking ---------------------------------------------------------------------------------------------------------

  /** Whether the instruction may move, `pastStores`: where something stores in between. */
  private mayMove(i: InstrId, pastStores: boolean): boolean {
    return isSafeToMove(this.fn, i) && (!pastStores || !this.has(i, McFlag.MayLoad) || isInvariantLoad(this.fn, i));
  }

  /** What no load moves past. */
  private isBarrier(i: InstrId): boolean {
    if (this.has(i, McFlag.MayStore) || this.has(i, McFlag.Call) || this.isPhi(i)) return true;
    return this.has(i, McFlag.MayLoad) && isOrderedAccess(this.fn, i);
  }

  /** @llvm MachineSink.cpp MachineSinking::SinkInstruction */
  private sink(i: InstrId, b: BlockId): boolean {
    const { fn, editor } = this;
    if (this.isBarrier(i)) {
      this.sawStore = true;
      return false;
    }
    if (!this.mayMove(i, this.sawStore) || isConvergent(fn, i)) return false;
    const target = this.targetOf(i, b);
    if (target === null) return false;
    const { block } = target;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (editor.isDef(o) && isPhysicalReg(fn.opVal[o]) && fn.blocks[block].liveIns.some((l) => l.reg === fn.opVal[o]))
        return false;
    if (fn.blocks[block].predecessors.length > 1) {
      const pastStores = !this.has(i, McFlag.MayLoad) || this.hasStoreBetween(b, block, i);
      const cycle = this.cycles.cycleOf[block];
      const isHeader = cycle >= 0 && (!this.cycles.isReducible(cycle) || this.cycles.header(cycle) === block);
      if (!this.mayMove(i, pastStores) || !this.dominators.dominates(b, block) || isHeader) {
        this.postponeSplit(i, b, target);
        return false;
      }
    }
    if (target.isForPhis) {
      this.postponeSplit(i, b, target);
      return false;
    }
    const at = behindPrologue(editor, block);
    const isIgnored = (reg: PhysReg): boolean => isConstantReg(this, reg);
    if (prologueInterferes(editor, this.queries, i, block, at, isIgnored)) return false;
    const along = this.debugValues.prepare(i, (other) => this.dominators.dominates(block, other));
    mergeSunkLocation(fn, this.context.debugNames, i, at);
    editor.move(i, at, block);
    this.debugValues.finish(i, along, at, block);
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (!editor.isDef(o)) this.noLongerKilled.add(fn.opVal[o]);
    return true;
  }

  // -- where to --------------------------------------------------------------------------------------------------------

  /** @llvm MachineSink.cpp MachineSinking::AllUsesDominatedByBlock */
  private readersOf(reg: Reg, block: BlockId, from: BlockId): Readers {
    const { fn, editor } = this;
    const uses = editor.usesOf(reg);
    if (uses.length === 0) return Readers.Below;
    const blockOf = (o: number): BlockId => fn.instrBlock[editor.instrOf(o)];
    if (uses.every((o) => blockOf(o) === block && this.isPhi(editor.instrOf(o)) && fn.opVal[o + 1] === from))
      return Readers.Phis;
    for (const o of uses) {
      const isInPhi = this.isPhi(editor.instrOf(o));
      if (!isInPhi && blockOf(o) === from) return Readers.Local;
      if (!this.dominators.dominates(block, isInPhi ? fn.opVal[o + 1] : blockOf(o))) return Readers.Elsewhere;
    }
    return Readers.Below;
  }

  /** Successors, and blocks below that are none; seldom ones first. */
  private sortedSuccessors(i: InstrId, b: BlockId): readonly BlockId[] {
    let found = this.successors.get(b);
    if (found !== undefined) return found;
    const { fn, frequency, cycles } = this;
    const own = fn.blocks[b].successors;
    const more = b === fn.instrBlock[i] ? this.children[b].filter((child) => !own.includes(child)) : [];
    found = [...own, ...more].sort((x, y) => {
      const [f, g] = [frequency[x], frequency[y]];
      if (f !== 0n || g !== 0n) return f < g ? -1 : f > g ? 1 : 0;
      return cycles.depthOf(x) - cycles.depthOf(y);
    });
    this.successors.set(b, found);
    return found;
  }

  /** @llvm MachineSink.cpp MachineSinking::FindSuccToSinkTo */
  private targetOf(i: InstrId, b: BlockId): Target | null {
    const { fn, editor } = this;
    let block = -1;
    let isForPhis = false;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg === 0) continue;
      if (isPhysicalReg(reg)) {
        if (editor.isDef(o)) {
          if ((fn.opFlags[o] & OpFlag.Dead) === 0) return null;
        } else if (!isConstantReg(this, reg) && !isIgnorableUse(this, i, o)) return null;
        continue;
      }
      if (!editor.isDef(o)) continue;
      if (block >= 0) {
        const readers = this.readersOf(reg, block, b);
        if (readers !== Readers.Below && readers !== Readers.Phis) return null;
        if (readers === Readers.Phis) isForPhis = true;
        continue;
      }
      for (const successor of this.sortedSuccessors(i, b)) {
        const readers = this.readersOf(reg, successor, b);
        if (readers === Readers.Local) return null;
        if (readers === Readers.Elsewhere) continue;
        block = successor;
        if (readers === Readers.Phis) isForPhis = true;
        break;
      }
      if (block < 0 || !this.isProfitable(reg, i, b, block)) return null;
    }
    if (block < 0 || block === b) return null;
    if (fn.blocks[block].isLandingPad || fn.blocks[block].isInlineAsmBrIndirectTarget) return null;
    return this.isSafeFor(i, block) ? { block, isForPhis } : null;
  }

  /**
   * Whether no mask that lanes leave a cycle with at different times would be read behind it.
   * @llvm SIInstrInfo.cpp SIInstrInfo::isSafeToSink
   */
  private isSafeFor(i: InstrId, block: BlockId): boolean {
    const { fn, editor, cycles } = this;
    const { tables } = fn;
    if (tables.opcodeName(fn.opcode[i]) === 'SI_IF_BREAK') return true;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (!isVirtualReg(reg) || editor.isDef(o) || !tables.isSGPRClass(fn.vregs.regClass[virtRegIndex(reg)])) continue;
      const def = editor.defOf(reg);
      if (def < 0) continue;
      for (let c = cycles.cycleOf[fn.instrBlock[def]]; c >= 0; c = cycles.parent[c]) {
        if (cycles.containsCycle(c, cycles.cycleOf[block])) break;
        const isExiting = (b: BlockId): boolean => fn.blocks[b].successors.some((s) => !cycles.contains(c, s));
        if (cycles.blocks[c].some((b) => isExiting(b) && endsDivergent(editor, b))) return false;
      }
    }
    return true;
  }

  /** @llvm MachineSink.cpp MachineSinking::isProfitableToSinkTo */
  private isProfitable(reg: Reg, i: InstrId, b: BlockId, block: BlockId): boolean {
    const { fn, editor, cycles } = this;
    if (b === block) return false;
    if (!this.postDominators.dominates(block, b)) return true;
    if (cycles.depthOf(b) > cycles.depthOf(block)) return true;
    const isRead = editor.usesOf(reg).some((o) => {
      const user = editor.instrOf(o);
      return fn.instrBlock[user] === block && !this.isPhi(user);
    });
    if (!isRead) return true;
    const further = this.targetOf(i, block);
    if (further !== null) return this.isProfitable(reg, i, block, further.block);
    const cycle = cycles.cycleOf[b];
    return cycle >= 0 && this.shortensLives(i, b, block, cycle);
  }

  /** In a cycle: whether what it reads and defines lives no longer for it. */
  private shortensLives(i: InstrId, b: BlockId, block: BlockId, cycle: number): boolean {
    const { fn, editor, cycles } = this;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (reg === 0) continue;
      if (isPhysicalReg(reg)) {
        if (!editor.isDef(o) && !isConstantReg(this, reg) && !isIgnorableUse(this, i, o)) return false;
      } else if (editor.isDef(o)) {
        const readers = this.readersOf(reg, block, b);
        if (readers !== Readers.Below && readers !== Readers.Phis) return false;
      } else {
        const def = editor.defOf(reg);
        if (def < 0) continue;
        const own = cycles.cycleOf[fn.instrBlock[def]];
        const isAtHeader = this.isPhi(def) && cycles.isReducible(cycle) && cycles.header(cycle) === fn.instrBlock[def];
        if (own !== cycle || isAtHeader) continue;
        if (this.hasNoRoom(fn.vregs.regClass[virtRegIndex(reg)], block)) return false;
      }
    }
    return true;
  }

  /** @llvm MachineSink.cpp MachineSinking::registerPressureSetExceedsLimit */
  private hasNoRoom(rc: number, block: BlockId): boolean {
    const { fn } = this;
    const { tables } = fn;
    if (rc < 0) throw new NotModelled('a generic register in a cycle');
    let pressure = this.pressure.get(block);
    if (pressure === undefined) this.pressure.set(block, (pressure = blockPressure(this, block)));
    this.limits ??= targetSetLimits(fn);
    const weight = tables.regClassWeight[rc];
    return tables.regClassPressureSets(rc).some((set) => weight + pressure[set] >= this.limits![set]);
  }

  // -- edges -----------------------------------------------------------------------------------------------------------

  /** @llvm MachineSink.cpp MachineSinking::PostponeSplitCriticalEdge */
  private postponeSplit(i: InstrId, from: BlockId, { block: to, isForPhis }: Target): void {
    const other = this.isWorthSplit(i, from, to);
    if (other === null) return;
    const isPostponed = other < 0 || this.toSplit.has(`${other} ${to}`) || this.isLegalToSplit(other, to, isForPhis);
    if (!isPostponed || !this.isLegalToSplit(from, to, isForPhis)) return;
    this.toSplit.set(`${from} ${to}`, [from, to]);
    if (other >= 0 && !this.toSplit.has(`${other} ${to}`)) this.toSplit.set(`${other} ${to}`, [other, to]);
  }

  /**
   * Null where it is not; else the block whose edge was not worth it before, -1 = there is none.
   * @llvm MachineSink.cpp MachineSinking::isWorthBreakingCriticalEdge
   */
  private isWorthSplit(i: InstrId, from: BlockId, to: BlockId): BlockId | null {
    const { fn, editor } = this;
    const key = `${from} ${to}`;
    if (this.considered.has(key)) return -1;
    this.considered.add(key);
    if (fn.opcode[i] !== this.copy && !this.has(i, McFlag.CheapAsAMove)) return -1;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (!editor.isDef(o) || fn.opVal[o] === 0) continue;
      const merged = `${this.throughCopies(fn.opVal[o])} ${to}`;
      const other = this.deferred.get(merged);
      if (other !== undefined) return other;
      this.deferred.set(merged, from);
    }
    if (fn.blocks[from].successors.includes(to) && this.probability(from, to) <= SELDOM) return -1;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      const reg = fn.opVal[o];
      if (editor.isDef(o) || !isVirtualReg(reg) || editor.onlyUse(reg) < 0) continue;
      const def = editor.defOf(reg);
      if (def >= 0 && fn.instrBlock[def] === fn.instrBlock[i]) return -1;
    }
    return null;
  }

  /** @llvm TargetRegisterInfo.cpp TargetRegisterInfo::lookThruCopyLike */
  private throughCopies(reg: Reg): Reg {
    const { fn, editor } = this;
    let at = reg;
    for (let left = fn.vregs.n; left > 0 && isVirtualReg(at); left--) {
      const def = editor.defOf(at);
      if (def < 0 || !opcodeSet(fn.tables, 'copyLike').has(fn.opcode[def])) break;
      at = fn.opVal[fn.opBegin[def] + (fn.opcode[def] === this.copy ? 1 : 2)];
    }
    return at;
  }

  /** @llvm MachineSink.cpp MachineSinking::isLegalToBreakCriticalEdge */
  private isLegalToSplit(from: BlockId, to: BlockId, isForPhis: boolean): boolean {
    const { fn, cycles } = this;
    if (from === to || !fn.blocks[from].successors.includes(to)) return false;
    const cycle = cycles.cycleOf[from];
    if (cycle >= 0 && cycle === cycles.cycleOf[to] && (!cycles.isReducible(cycle) || cycles.header(cycle) === to))
      return false;
    return isForPhis || fn.blocks[to].predecessors.every((p) => p === from || this.dominators.dominates(to, p));
  }

  // -- memory ----------------------------------------------------------------------------------------------------------

  private aliasFacts(): AliasFacts {
    return (this.memory ??= aliasFactsOf(this.fn, this.context, true));
  }

  /** @llvm MachineSink.cpp MachineSinking::hasStoreBetween */
  private hasStoreBetween(from: BlockId, to: BlockId, load: InstrId): boolean {
    const { fn, editor, dominators, postDominators } = this;
    if (!dominators.dominates(from, to) || !postDominators.dominates(to, from)) return true;
    const key = `${from} ${to}`;
    const known = this.hasStore.get(key);
    if (known !== undefined) return known;
    const memory = this.aliasFacts();
    const stores = this.stores.get(key);
    if (stores !== undefined) return stores.some((i) => memory.mayAlias(i, load));
    const between: BlockId[] = [];
    const found: InstrId[] = [];
    let isAliased = false;
    const giveUp = (b: BlockId): true => {
      for (const other of between) {
        if (other === b) continue;
        if (dominators.dominates(other, b)) this.hasStore.set(`${other} ${to}`, true);
        else if (dominators.dominates(b, other)) this.hasStore.set(`${from} ${other}`, true);
      }
      this.hasStore.set(key, true);
      return true;
    };
    for (const b of this.reachedFrom(from)) {
      if (b === to || b === from || !postDominators.dominates(to, b)) continue;
      between.push(b);
      let size = 0;
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) if (!isDebugOrProbe(fn, i)) size++;
      if (size > MANY_INSTRS || between.length > MANY_BLOCKS) return giveUp(b);
      for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
        if (this.has(i, McFlag.Call) || memory.hasOrderedMemoryRef(i)) return giveUp(b);
        if (!this.has(i, McFlag.MayStore)) continue;
        if (memory.mayAlias(i, load)) isAliased = true;
        found.push(i);
      }
    }
    if (found.length === 0) this.hasStore.set(key, false);
    else this.stores.set(key, found);
    return isAliased;
  }

  /** In a depth-first walk. */
  private reachedFrom(from: BlockId): BlockId[] {
    const { blocks } = this.fn;
    const seen = new Set<BlockId>();
    const order: BlockId[] = [];
    const work = [from];
    for (let b = work.pop(); b !== undefined; b = work.pop()) {
      if (seen.has(b)) continue;
      seen.add(b);
      order.push(b);
      for (const s of [...blocks[b].successors].reverse()) work.push(s);
    }
    return order;
  }
}
