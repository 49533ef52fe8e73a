/**
 * `register-coalescer`: registers that a copy connects become one where their lives allow (RegisterCoalescer, LLVM 22; docs/llvm/coalescing.md).
 */
import { NO_VALUE, valueDefined, valueOut, LiveRange, type LiveInterval } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { ALL_LANES, joinedLanes, Lanes, lanesOfClass } from '../../analysis/lanes.js';
import type { LoopInfo } from '../../analysis/loops.js';
import { Slot } from '../../analysis/slotIndexes.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import {
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type MachineFunction,
  type OperandId,
} from '../../model/machineFunction.js';
import { isPhysicalReg, isVirtualReg, virtReg, virtRegIndex, type Reg, type VRegId } from '../../model/register.js';
import { isPreserved } from '../../model/regMask.js';
import type { OptionValue } from '../../commandLine/optionSpec.js';
import type { SubRegIdx } from '../../target/api.js';
import { LOOPS } from '../controlFlowAnalyses.js';
import { CFG, LIVE_INTERVALS } from '../passContext.js';
import { allocationPass, KEEPS_STATE } from '../regalloc/allocationPass.js';
import { LiveRangeEdit, recomputeClass } from '../regalloc/liveRangeEdit.js';
import { isConstantReg } from '../constantRegs.js';
import type { AllocState } from '../regalloc/state.js';
import { composed } from '../registerParts.js';
import type { NoteRule, Remarks } from '../remarks.js';
import { CoalescerPair, moveOf } from './coalescerPair.js';
import type { Coalescing } from './coalescing.js';
import { adjustCopiesBackFrom, commuteDefinition, moveToPredecessor } from './copyMoves.js';
import { DebugValueChecks } from './debugValues.js';
import { definitionsOf, JoinVals, type Joining, type NewValues } from './joinVals.js';
import { rematerializeCopy } from './rematCopies.js';

/** @llvm RegisterCoalescer.cpp RegisterCoalescerLegacy */
export const registerCoalescerPass = allocationPass({
  name: 'register-coalescer',
  pipelineName: 'register-coalescer',
  className: 'RegisterCoalescerPass',
  title: 'Register Coalescer',
  preserves: [...KEEPS_STATE, LIVE_INTERVALS, CFG],
  properties: { cleared: ['isSSA'] },
  work(state, _use, of) {
    if (state.header.exposesReturnsTwice) return;
    new RegisterCoalescer(state, of.get(LOOPS), of.context.options, of.remarks).run();
  },
});

type Options = ReadonlyMap<string, OptionValue>;

const TOO_MANY_PREDECESSORS = 100;

/** @llvm RegisterCoalescer.cpp RegisterCoalescer */
class RegisterCoalescer implements Coalescing {
  readonly fn: MachineFunction;
  readonly editor: FunctionEditor;
  readonly lanes: Lanes;
  private worklist: InstrId[] = [];
  private localWorklist: InstrId[] = [];
  readonly erased = new Set<InstrId>();
  readonly deadDefs: InstrId[] = [];
  private readonly toInflate = new Set<VRegId>();
  readonly toBeUpdated = new Set<VRegId>();
  private readonly largeVisits = new Map<VRegId, number>();
  private readonly debugValues: DebugValueChecks;
  /** what became of each copy in the end; for reasons */
  private readonly outcomes = new Map<InstrId, NoteRule>();
  private shrinkMask = 0n;
  private shrinksMain = false;
  private readonly joinsGlobals: boolean;
  private readonly joinsSplitEdges: boolean;
  private readonly usesTerminalRule: boolean;

  constructor(
    readonly state: AllocState,
    private readonly loops: LoopInfo,
    private readonly options: Options,
    private readonly remarks: Remarks | null,
  ) {
    this.fn = state.fn;
    this.editor = state.editor;
    this.lanes = new Lanes(state.tables);
    this.debugValues = new DebugValueChecks(state);
    this.joinsGlobals = this.isOn('join-globalcopies', true);
    this.joinsSplitEdges = this.isOn('join-splitedges', false);
    this.usesTerminalRule = this.isOn('terminal-rule', true);
  }

  private isOn(option: string, byDefault: boolean): boolean {
    const given = this.options.get(option);
    if (given === undefined) return byDefault;
    return given === true || given === 'true' || given === '1';
  }

  limit(option: string, byDefault: number): number {
    const given = this.options.get(option);
    return given === undefined ? byDefault : Number(given);
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::run */
  run(): void {
    if (this.isOn('join-liveintervals', true)) this.joinAll();
    for (const v of [...this.toInflate].sort((a, b) => a - b))
      if (!this.editor.isUnused(virtReg(v))) recomputeClass(this.state, v);
    for (const [at, rule] of this.outcomes) this.remarks?.add({ kind: 'note', at, rule, other: -1 });
  }

  private note(copy: InstrId, rule: NoteRule): void {
    if (this.remarks !== null) this.outcomes.set(copy, rule);
  }

  // -- order -----------------------------------------------------------------------------------------------------------------

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::joinAllIntervals */
  private joinAll(): void {
    let depth = Infinity;
    for (const b of this.blocksByPriority()) {
      if (this.joinsGlobals && this.loops.depthOf(b) < depth) {
        this.coalesceLocals();
        depth = this.loops.depthOf(b);
      }
      this.coalesceIn(b);
      this.state.watch?.checkpoint();
    }
    this.updateLate();
    this.coalesceLocals();
    while (this.coalesceList(this.worklist)) {
      /* until nothing changes */
    }
    this.updateLate();
  }

  /** @llvm RegisterCoalescer.cpp compareMBBPriority */
  private blocksByPriority(): BlockId[] {
    const { fn, loops } = this;
    const edges = (b: BlockId): number => fn.blocks[b].predecessors.length + fn.blocks[b].successors.length;
    const isSplit = fn.blocks.map((_, b) => this.joinsSplitEdges && this.isSplitEdge(b));
    return [...fn.blocks.keys()].sort(
      (a, b) =>
        loops.depthOf(b) - loops.depthOf(a) ||
        Number(isSplit[b]) - Number(isSplit[a]) ||
        edges(b) - edges(a) ||
        fn.numberOf(a) - fn.numberOf(b),
    );
  }

  /** @llvm RegisterCoalescer.cpp isSplitEdge */
  private isSplitEdge(b: BlockId): boolean {
    const { fn, editor } = this;
    const { predecessors, successors } = fn.blocks[b];
    if (predecessors.length !== 1 || successors.length !== 1) return false;
    const branch = fn.tables.opcodeByName('S_BRANCH');
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i))
      if (!this.isCopyLike(i) && fn.opcode[i] !== branch) return false;
    return true;
  }

  isCopyLike(i: InstrId): boolean {
    const { copy, subregToReg } = this.state.opcodes;
    const opcode = this.fn.opcode[i];
    return opcode === copy || opcode === subregToReg;
  }

  isFullCopy(i: InstrId): boolean {
    const { fn } = this;
    const begin = fn.opBegin[i];
    return fn.opcode[i] === this.state.opcodes.copy && fn.opSub[begin] === 0 && fn.opSub[begin + 1] === 0;
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::copyCoalesceInMBB */
  private coalesceIn(b: BlockId): void {
    const { editor } = this;
    const own: InstrId[] = [];
    const terminals: InstrId[] = [];
    const localTerminals: InstrId[] = [];
    for (let i = editor.list.first(b); i >= 0; i = editor.list.after(i)) {
      if (!this.isCopyLike(i)) continue;
      const isLast = this.isTerminal(i);
      if (this.joinsGlobals && this.isLocal(i)) (isLast ? localTerminals : this.localWorklist).push(i);
      else (isLast ? terminals : own).push(i);
    }
    this.localWorklist.push(...localTerminals);
    own.push(...terminals);
    this.coalesceList(own);
    this.worklist.push(...own);
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::coalesceLocals */
  private coalesceLocals(): void {
    this.coalesceList(this.localWorklist);
    this.worklist.push(...this.localWorklist);
    this.localWorklist = [];
  }

  /**
   * Tries all; those are left that may be joined later. True when something has changed.
   * @llvm RegisterCoalescer.cpp RegisterCoalescer::copyCoalesceWorkList
   */
  private coalesceList(list: InstrId[]): boolean {
    let progress = false;
    const left: InstrId[] = [];
    for (const i of list) {
      if (this.erased.has(i)) continue;
      const result = this.joinCopy(i);
      if (result === Joined.Yes) progress = true;
      else if (result === Joined.Later) left.push(i);
    }
    list.splice(0, list.length, ...left);
    return progress;
  }

  /** @llvm RegisterCoalescer.cpp isLocalCopy */
  private isLocal(i: InstrId): boolean {
    const { fn } = this;
    if (fn.opcode[i] !== this.state.opcodes.copy) return false;
    const begin = fn.opBegin[i];
    if ((fn.opFlags[begin + 1] & OpFlag.Undef) !== 0) return false;
    const [to, from] = [fn.opVal[begin], fn.opVal[begin + 1]];
    return isVirtualReg(to) && isVirtualReg(from) && (this.isInOneBlock(from) || this.isInOneBlock(to));
  }

  /** @llvm LiveIntervals.cpp LiveIntervals::intervalIsInOneMBB */
  private isInOneBlock(reg: Reg): boolean {
    const { lis, slots } = this.state;
    const interval = lis.interval(virtRegIndex(reg));
    if (interval.isEmpty) return false;
    const [start, end] = [interval.start[0], interval.end[interval.size - 1]];
    if ((start & 3) === Slot.Block || (end & 3) === Slot.Block) return false;
    return slots.blockOf(start) === slots.blockOf(end);
  }

  /**
   * Whether the copy is the only one of its destination, which is in the way of another copy of its source.
   * @llvm RegisterCoalescer.cpp RegisterCoalescer::applyTerminalRule
   */
  private isTerminal(i: InstrId): boolean {
    const { fn, editor, state } = this;
    const move = this.usesTerminalRule ? moveOf(fn, i) : null;
    if (move === null) return false;
    const { source, destination } = move;
    if (isPhysicalReg(destination) || isPhysicalReg(source) || !this.isTerminalReg(destination, i)) return false;
    const life = state.lis.interval(virtRegIndex(destination));
    for (let o = editor.firstOperand(source); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDebug(o)) continue;
      const other = editor.instrOf(o);
      if (other === i || !this.isCopyLike(other) || fn.instrBlock[other] !== fn.instrBlock[i]) continue;
      const otherMove = moveOf(fn, other);
      if (otherMove === null) return false;
      const reg = otherMove.destination === source ? otherMove.source : otherMove.destination;
      if (isPhysicalReg(reg) || this.isTerminalReg(reg, other)) continue;
      if (state.lis.interval(virtRegIndex(reg)).overlaps(life)) return true;
    }
    return false;
  }

  /** @llvm RegisterCoalescer.cpp isTerminalReg */
  private isTerminalReg(reg: Reg, copy: InstrId): boolean {
    const { editor } = this;
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      const i = editor.instrOf(o);
      if (!editor.isDebug(o) && i !== copy && this.isCopyLike(i)) return false;
    }
    return true;
  }

  // -- edits that others use -------------------------------------------------------------------------------------------------

  deleteInstr(i: InstrId): void {
    this.erased.add(i);
    this.state.lis.erase(i);
  }

  /** Gives what has fallen apart by shrinking registers of its own. */
  shrinkToUses(v: VRegId, dead: InstrId[] | null = null): void {
    const { lis } = this.state;
    const shrunk = lis.shrinkToUses(v);
    if (dead !== null) dead.push(...shrunk.dead);
    if (shrunk.mayFallApart) lis.splitComponents(v);
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::eliminateDeadDefs */
  eliminateDeadDefs(parent: VRegId = -1): void {
    const events = { mayErase: () => true, willShrink: () => undefined, cloned: () => undefined };
    const edit = new LiveRangeEdit(this.state, parent, [], events, null, (i) => this.erased.add(i));
    edit.eliminateDeadDefs(this.deadDefs, []);
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::lateLiveIntervalUpdate */
  private updateLate(): void {
    for (const v of this.toBeUpdated) {
      if (this.state.lis.known(v) === null) continue;
      this.shrinkToUses(v, this.deadDefs);
      if (this.deadDefs.length > 0) this.eliminateDeadDefs();
    }
    this.toBeUpdated.clear();
  }

  interval(reg: Reg): LiveInterval {
    return this.state.lis.interval(virtRegIndex(reg));
  }

  slotOf(i: InstrId): SlotRef {
    return this.state.slots.ofInstr(this.state.lis.headerOf(i));
  }

  /** @llvm LiveIntervals.cpp LiveIntervals::hasPHIKill */
  hasPhiKill(interval: LiveInterval, value: number): boolean {
    const { slots } = this.state;
    const { blocks } = this.fn;
    return interval.valueDef.some((def, phi) => {
      if (interval.isUnused(phi) || !interval.isPhi(phi)) return false;
      const { predecessors } = blocks[slots.blockOf(def)];
      if (predecessors.length > TOO_MANY_PREDECESSORS) return true;
      return predecessors.some((p) => interval.valueBefore(slots.endOf(p)) === value);
    });
  }

  // -- one copy --------------------------------------------------------------------------------------------------------------

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::joinCopy */
  private joinCopy(copy: InstrId): Joined {
    const { state, fn } = this;
    const pair = CoalescerPair.of(fn, copy);
    if (pair === null) {
      this.note(copy, 'joinClasses');
      return Joined.Never;
    }
    if (!pair.isPhysical) {
      if (state.lis.areAllDefsDead(copy)) {
        this.deadDefs.push(copy);
        this.eliminateDeadDefs();
        return Joined.Yes;
      }
      const undefined_ = this.eliminateUndefCopy(copy);
      if (undefined_ === UndefCopy.IsValue) {
        this.note(copy, 'joinUndef');
        return Joined.Never;
      }
      if (undefined_ === UndefCopy.Gone) {
        this.deleteInstr(copy);
        return Joined.Never;
      }
      if (pair.source === pair.destination) {
        this.joinWithItself(pair, copy);
        return Joined.Yes;
      }
      if (!pair.isPartial && this.interval(pair.source).size > this.interval(pair.destination).size) pair.flip();
    } else if (!this.canJoinPhysical(pair)) {
      this.note(copy, 'joinPhysical');
      return this.rematerializeOr(pair, copy, Joined.Never);
    }
    this.note(copy, 'joinOverlaps');
    this.shrinkMask = 0n;
    this.shrinksMain = false;
    if (!(pair.isPhysical ? this.joinReserved(pair) : this.joinVirtual(pair))) return this.cannotJoin(pair, copy);
    this.rename(pair);
    this.note(copy, 'joined');
    return Joined.Yes;
  }

  private rematerializeOr(pair: CoalescerPair, copy: InstrId, otherwise: Joined): Joined {
    const remat = rematerializeCopy(this, pair, copy);
    if (remat === 'done') {
      this.note(copy, 'joinRemat');
      return Joined.Yes;
    }
    return remat === 'copy' ? Joined.Later : otherwise;
  }

  private cannotJoin(pair: CoalescerPair, copy: InstrId): Joined {
    if (rematerializeCopy(this, pair, copy) === 'done') {
      this.note(copy, 'joinRemat');
      return Joined.Yes;
    }
    if (pair.isPartial || pair.isPhysical) return Joined.Later;
    const isAdjusted = adjustCopiesBackFrom(this, pair, copy);
    const commuted = isAdjusted ? { isDone: true, shrinks: false } : commuteDefinition(this, pair, copy);
    if (commuted.isDone) {
      this.note(copy, isAdjusted ? 'joinBack' : 'joinCommuted');
      this.deleteInstr(copy);
      if (commuted.shrinks) this.shrinkToUses(virtRegIndex(pair.isFlipped ? pair.source : pair.destination));
      return Joined.Yes;
    }
    if (!moveToPredecessor(this, pair, copy)) return Joined.Later;
    this.note(copy, 'joinMoved');
    return Joined.Yes;
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::canJoinPhys */
  private canJoinPhysical({ source, destination }: CoalescerPair): boolean {
    return this.state.reserved.isReserved(destination) && this.interval(source).nValues === 1;
  }

  /** A copy that others have made one of a register to itself. */
  private joinWithItself({ source }: CoalescerPair, copy: InstrId): void {
    const interval = this.interval(source);
    const at = this.slotOf(copy);
    const q = interval.query(at);
    const defined = valueDefined(q);
    if (defined !== NO_VALUE) {
      let pruned = 0n;
      for (const sub of interval.subRanges) {
        const part = sub.query(at);
        let partDefined = valueDefined(part);
        if (partDefined === NO_VALUE) continue;
        if (part.valueIn !== NO_VALUE) partDefined = sub.mergeValues(partDefined, part.valueIn);
        if (!this.isUndefinedInPredecessors(sub, this.fn.instrBlock[copy], part.valueOutOrDead)) continue;
        pruned |= joinedLanes(sub.laneLo, sub.laneHi);
        sub.removeValue(partDefined);
      }
      interval.mergeValues(defined, q.valueIn);
      if (pruned !== 0n) this.markUndefined(interval, source, pruned);
    }
    this.deleteInstr(copy);
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::copyValueUndefInPredecessors */
  private isUndefinedInPredecessors(sub: LiveRange, b: BlockId, own: number): boolean {
    const { slots } = this.state;
    return this.fn.blocks[b].predecessors.every((p) => {
      const value = sub.valueAt(slots.lastSlotOf(p));
      return value === NO_VALUE || value === own;
    });
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::setUndefOnPrunedSubRegUses */
  private markUndefined(interval: LiveInterval, reg: Reg, pruned: bigint): void {
    const { editor, fn } = this;
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o) || fn.opSub[o] === 0 || (fn.opFlags[o] & OpFlag.Undef) !== 0) continue;
      if ((pruned & this.lanes.mask(fn.opSub[o])) === 0n) continue;
      const at = this.slotOf(editor.instrOf(o));
      if (interval.subRanges.some((sub) => !sub.isLiveAt(at))) fn.opFlags[o] |= OpFlag.Undef;
    }
    interval.removeEmptySubRanges();
    this.state.lis.shrinkToUses(interval.vreg);
  }

  // -- copies of nothing -----------------------------------------------------------------------------------------------------

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::eliminateUndefCopy */
  private eliminateUndefCopy(copy: InstrId): UndefCopy {
    const { fn, editor, state, lanes } = this;
    const { slots, lis } = state;
    const move = moveOf(fn, copy)!;
    const at = this.slotOf(copy);
    const source = this.interval(move.source);
    if (move.sourcePart !== 0 && source.subRanges.length > 0) {
      const mask = lanes.mask(move.sourcePart);
      for (const sub of source.subRanges)
        if ((joinedLanes(sub.laneLo, sub.laneHi) & mask) !== 0n && sub.isLiveAt(at)) return UndefCopy.No;
    } else if (source.isLiveAt(at)) return UndefCopy.No;
    const interval = this.interval(move.destination);
    const def = SlotList.at(at, Slot.Register);
    const s = interval.segmentAt(def);
    const next = s < 0 ? NO_VALUE : interval.valueAt(interval.end[s]);
    if (next === NO_VALUE ? !interval.isLiveAt(at) : interval.isPhi(next)) {
      const gone = new Set<number>();
      for (let k = 0, n = fn.numOperands(copy); k < n; k++) {
        const o = fn.opBegin[copy] + k;
        if (fn.opKind[o] !== OperandKind.Register || !editor.isDef(o)) gone.add(k);
      }
      const made = editor.withoutOperands(copy, gone);
      fn.opcode[made] = state.opcodes.implicitDef;
      slots.replace(copy, made);
      this.erased.add(copy);
      return UndefCopy.IsValue;
    }
    this.dropUndefined(interval, at, def, lanes.mask(move.part));
    this.markUndefinedReads(interval, move.destination);
    for (let o = fn.firstReg(copy); o >= 0; o = fn.nextReg(copy, o))
      if (fn.opVal[o] === move.destination && editor.isDef(o)) fn.opFlags[o] |= OpFlag.Undef;
    lis.shrinkToUses(interval.vreg);
    return UndefCopy.Gone;
  }

  private dropUndefined(interval: LiveInterval, at: SlotRef, def: SlotRef, mask: bigint): void {
    const before = interval.valueAt(at);
    if (before === NO_VALUE) {
      this.state.lis.removeDef(interval, def);
      return;
    }
    interval.mergeValues(interval.valueAt(def), before);
    for (const sub of interval.subRanges) {
      if ((joinedLanes(sub.laneLo, sub.laneHi) & mask) === 0n) continue;
      const value = sub.valueAt(def);
      if (value !== NO_VALUE) sub.removeValue(value);
    }
    interval.removeEmptySubRanges();
  }

  private markUndefinedReads(interval: LiveInterval, reg: Reg): void {
    const { fn, editor, lanes } = this;
    for (let o = editor.firstOperand(reg); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o)) continue;
      const at = this.slotOf(editor.instrOf(o));
      const mask = lanes.mask(fn.opSub[o]);
      const isLive =
        fn.opSub[o] !== 0 && interval.subRanges.length > 0
          ? interval.subRanges.some((sub) => (joinedLanes(sub.laneLo, sub.laneHi) & mask) !== 0n && sub.isLiveAt(at))
          : interval.isLiveAt(at);
      if (!isLive) fn.opFlags[o] |= OpFlag.Undef;
    }
  }

  // -- one register --------------------------------------------------------------------------------------------------------

  /** What follows a join: one register in the code, and lives that end earlier for it. */
  private rename(pair: CoalescerPair): void {
    const { state, fn } = this;
    const { lis } = state;
    if (pair.isCrossClass) fn.vregs.regClass[virtRegIndex(pair.destination)] = pair.rc;
    if (!pair.isPhysical && state.classes.isProperSubClass(pair.rc)) this.toInflate.add(virtRegIndex(pair.destination));
    if (pair.destinationIdx !== 0) this.updateOperands(pair.destination, pair.destination, pair.destinationIdx);
    this.updateOperands(pair.source, pair.destination, pair.sourceIdx);
    const source = virtRegIndex(pair.source);
    if (this.shrinkMask !== 0n) {
      const interval = this.interval(pair.destination);
      for (const sub of interval.subRanges) {
        if ((joinedLanes(sub.laneLo, sub.laneHi) & this.shrinkMask) === 0n) continue;
        lis.shrinkSubRange(interval.vreg, sub);
        this.shrinksMain = true;
      }
      interval.removeEmptySubRanges();
    }
    if (this.toBeUpdated.has(source)) this.shrinksMain = true;
    if (this.shrinksMain) this.shrinkToUses(virtRegIndex(pair.destination));
    lis.remove(source);
  }

  /**
   * Marks an operand whose lanes are all undefined.
   * @llvm RegisterCoalescer.cpp RegisterCoalescer::addUndefFlag
   */
  private addUndefFlag(interval: LiveInterval, at: SlotRef, o: OperandId, part: SubRegIdx): void {
    const { fn, editor, lanes } = this;
    const mask = editor.isDef(o) ? ~lanes.mask(part) & ALL_LANES : lanes.mask(part);
    for (const sub of interval.subRanges)
      if ((joinedLanes(sub.laneLo, sub.laneHi) & mask) !== 0n && sub.isLiveAt(at)) return;
    fn.opFlags[o] |= OpFlag.Undef;
    if (valueOut(interval.query(at)) === NO_VALUE) this.shrinksMain = true;
  }

  /**
   * Names another register, or part of it, where one is named.
   * @llvm RegisterCoalescer.cpp RegisterCoalescer::updateRegDefsUses
   */
  updateOperands(from: Reg, to: Reg, part: SubRegIdx): void {
    const { fn, editor, state } = this;
    const interval = isPhysicalReg(to) ? null : this.interval(to);
    if (interval !== null && interval.subRanges.length > 0 && from !== to)
      for (let o = editor.firstOperand(to); o >= 0; o = editor.nextOperand(o)) {
        if (fn.opSub[o] === 0 || (fn.opFlags[o] & OpFlag.Undef) !== 0) continue;
        const i = editor.instrOf(o);
        if (state.isDebugInstr(i)) continue;
        this.addUndefFlag(interval, SlotList.at(this.slotOf(i), Slot.EarlyClobber), o, fn.opSub[o]);
      }
    const visited = new Set<InstrId>();
    for (let o = editor.firstOperand(from); o >= 0;) {
      const i = editor.instrOf(o);
      do o = editor.nextOperand(o);
      while (o >= 0 && editor.instrOf(o) === i);
      if (from === to && visited.has(i)) continue;
      visited.add(i);
      this.updateInstr(i, from, to, part, interval);
    }
  }

  private updateInstr(i: InstrId, from: Reg, to: Reg, part: SubRegIdx, interval: LiveInterval | null): void {
    const { fn, editor, state } = this;
    const { tables } = fn;
    const isDebug = state.isDebugInstr(i);
    let { reads } = state.readsWrites(i, virtRegIndex(from));
    if (interval !== null && !reads && part !== 0 && !isDebug) reads = interval.isLiveAt(this.slotOf(i));
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== from) continue;
      const isDef = editor.isDef(o);
      if (part !== 0 && isDef) fn.opFlags[o] = reads ? fn.opFlags[o] & ~OpFlag.Undef : fn.opFlags[o] | OpFlag.Undef;
      if (!isDef && interval !== null) {
        const used = composed(tables, part, fn.opSub[o]);
        if (used !== 0 && state.lis.tracksSubRegs(virtRegIndex(to))) {
          if (interval.subRanges.length === 0) this.divide(interval, part);
          this.addUndefFlag(interval, SlotList.at(this.indexOf(i), Slot.EarlyClobber), o, used);
        }
      }
      if (interval === null) this.setPhysical(o, to);
      else {
        editor.setReg(o, to);
        fn.opSub[o] = composed(tables, part, fn.opSub[o]);
      }
    }
  }

  /** Of a debug instruction the slot of what stands before it. */
  private indexOf(i: InstrId): SlotRef {
    const { list } = this.editor;
    let at = this.slotOf(i);
    for (let p = list.before(i); at === NO_SLOT; p = list.before(p)) {
      if (p < 0) return this.state.slots.startOf(this.fn.instrBlock[i]);
      at = this.slotOf(p);
    }
    return at;
  }

  /** @llvm MachineOperand.cpp MachineOperand::substPhysReg */
  setPhysical(o: OperandId, reg: Reg): void {
    const { fn, editor } = this;
    const sub = fn.opSub[o];
    const to = sub === 0 ? reg : fn.tables.getSubReg(reg, sub);
    if (sub !== 0) {
      fn.opSub[o] = 0;
      if (editor.isDef(o)) fn.opFlags[o] &= ~OpFlag.Undef;
    }
    editor.setReg(o, to);
  }

  private divide(interval: LiveInterval, part: SubRegIdx): void {
    const { fn, lanes } = this;
    const all = lanesOfClass(fn.tables, fn.vregs.regClass[interval.vreg]);
    const used = lanes.mask(part);
    this.addPart(interval, used, interval);
    this.addPart(interval, all & ~used & ALL_LANES, null);
  }

  addPart(interval: LiveInterval, mask: bigint, like: LiveRange | null): LiveRange {
    return interval.addSubRange(Number(mask & 0xffffffffn), Number(mask >> 32n), like);
  }

  // -- joining ---------------------------------------------------------------------------------------------------------------

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::joinReservedPhysReg */
  private joinReserved(pair: CoalescerPair): boolean {
    const { state, editor } = this;
    const { units, tables, reserved } = state;
    const { source, destination } = pair;
    const interval = this.interval(source);
    const isConstant = isConstantReg(state, destination);
    const { unitBegin, unitEnd, unitList } = tables;
    if (!isConstant) {
      for (let k = unitBegin[destination]; k < unitEnd[destination]; k++) {
        if (!tables.regUnitRoots(unitList[k]).every((root) => reserved.isReserved(root))) return false;
        if (interval.overlaps(units.of(unitList[k]))) return false;
      }
      const isClobbered = state.regMaskSlots.some(
        (slot, k) => interval.isLiveAt(slot) && !isPreserved(state.regMaskBits[k], destination),
      );
      if (isClobbered) return false;
    }
    if (pair.isFlipped) this.deleteInstr(editor.defOf(source));
    else {
      const uses = [...editor.operandsOf(source)].filter((o) => !editor.isDef(o) && !editor.isDebug(o));
      if (uses.length !== 1 || !this.isInOneBlock(source)) return false;
      const copy = editor.instrOf(uses[0]);
      const at = SlotList.at(this.slotOf(copy), Slot.Register);
      const def = SlotList.at(this.slotOf(editor.defOf(source)), Slot.Register);
      if (!isConstant && this.isReadBetween(destination, def, at)) return false;
      units.removeDef(destination, at);
      this.deleteInstr(copy);
      for (let k = unitBegin[destination]; k < unitEnd[destination]; k++) {
        units.of(unitList[k]).addDeadDef(def);
        units.changes++;
      }
    }
    editor.clearKillFlags(source);
    return true;
  }

  private isReadBetween(reg: Reg, from: SlotRef, to: SlotRef): boolean {
    const { slots } = this.state;
    const { fn, editor } = this;
    const last = SlotList.base(to);
    for (let at = slots.nextInstr(from); at !== last; at = slots.nextInstr(at)) {
      const i = slots.instrOf(at);
      for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
        if (!editor.isDef(o) && fn.opVal[o] > 0 && fn.tables.regsOverlap(fn.opVal[o], reg)) return true;
    }
    return false;
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::isHighCostLiveInterval */
  private isCostly(interval: LiveInterval): boolean {
    if (interval.nValues < this.limit('large-interval-size-threshold', 100)) return false;
    const visits = this.largeVisits.get(interval.vreg) ?? 0;
    if (visits >= this.limit('large-interval-freq-threshold', 256)) return true;
    this.largeVisits.set(interval.vreg, visits + 1);
    return false;
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::joinVirtRegs */
  private joinVirtual(pair: CoalescerPair): boolean {
    const { state, fn, editor, lanes } = this;
    const newValues: NewValues = [];
    const right = this.interval(pair.source);
    const left = this.interval(pair.destination);
    const tracksParts = fn.tables.regClassBits[pair.rc] >= 32;
    const joining: Joining = { state, lanes, pair, newValues, isOfParts: false, tracksParts };
    const mine = new JoinVals(joining, left, pair.destination, pair.destinationIdx, 0n);
    const others = new JoinVals(joining, right, pair.source, pair.sourceIdx, 0n);
    if (this.isCostly(left) || this.isCostly(right)) return false;
    if (!mine.mapValues(others) || !others.mapValues(mine)) return false;
    if (!mine.resolveConflicts(others) || !others.resolveConflicts(mine)) return false;
    if (right.subRanges.length > 0 || left.subRanges.length > 0) {
      this.mergeParts(pair, left, right);
      if (mine.pruneMainSegments(left)) this.shrinksMain = true;
      this.shrinkMask |= mine.pruneSubRegValues(left, others);
      this.shrinkMask |= others.pruneSubRegValues(left, mine);
    }
    const ends: SlotRef[] = [];
    mine.pruneValues(others, ends, true);
    others.pruneValues(mine, ends, true);
    const shrunk: Reg[] = [];
    const erase = (i: InstrId): void => this.deleteInstr(i);
    mine.eraseInstrs(erase, shrunk, left);
    others.eraseInstrs(erase, shrunk, null);
    for (let reg = shrunk.pop(); reg !== undefined; reg = shrunk.pop()) this.shrinkToUses(virtRegIndex(reg));
    this.debugValues.check(pair, left, mine, right, others);
    left.join(right, mine.assignments, others.assignments, definitionsOf(newValues));
    editor.clearKillFlags(pair.destination);
    editor.clearKillFlags(pair.source);
    if (ends.length > 0) state.lis.extendTo(left, ends);
    return true;
  }

  private mergeParts(pair: CoalescerPair, left: LiveInterval, right: LiveInterval): void {
    const { lanes, fn } = this;
    const whole = lanesOfClass(fn.tables, pair.rc);
    const { sourceIdx, destinationIdx } = pair;
    if (left.subRanges.length === 0)
      this.addPart(left, destinationIdx === 0 ? whole : lanes.mask(destinationIdx), left);
    else if (destinationIdx !== 0)
      for (const sub of left.subRanges) {
        const mask = lanes.outward(destinationIdx, joinedLanes(sub.laneLo, sub.laneHi));
        sub.laneLo = Number(mask & 0xffffffffn);
        sub.laneHi = Number(mask >> 32n);
      }
    if (right.subRanges.length === 0)
      this.mergePart(pair, left, right, sourceIdx === 0 ? whole : lanes.mask(sourceIdx));
    for (const sub of right.subRanges)
      this.mergePart(pair, left, sub, lanes.outward(sourceIdx, joinedLanes(sub.laneLo, sub.laneHi)));
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::mergeSubRangeInto */
  private mergePart(pair: CoalescerPair, left: LiveInterval, range: LiveRange, mask: bigint): void {
    const { lis } = this.state;
    const apply = (part: LiveRange & { laneLo: number; laneHi: number }): void => {
      if (part.isEmpty) part.assign(range);
      else this.joinParts(pair, part, copyOf(this.state, range), joinedLanes(part.laneLo, part.laneHi));
    };
    lis.refineParts(left, Number(mask & 0xffffffffn), Number(mask >> 32n), apply, pair.destinationIdx);
  }

  /** @llvm RegisterCoalescer.cpp RegisterCoalescer::joinSubRegRanges */
  private joinParts(pair: CoalescerPair, left: LiveRange, right: LiveRange, mask: bigint): void {
    const { state, lanes } = this;
    const newValues: NewValues = [];
    const joining: Joining = { state, lanes, pair, newValues, isOfParts: true, tracksParts: true };
    const others = new JoinVals(joining, right, pair.source, pair.sourceIdx, mask);
    const mine = new JoinVals(joining, left, pair.destination, pair.destinationIdx, mask);
    // What holds for the whole registers holds for their parts.
    mine.mapValues(others);
    others.mapValues(mine);
    mine.resolveConflicts(others);
    others.resolveConflicts(mine);
    const ends: SlotRef[] = [];
    mine.pruneValues(others, ends, false);
    others.pruneValues(mine, ends, false);
    mine.removeImplicitDefs();
    others.removeImplicitDefs();
    left.join(right, mine.assignments, others.assignments, definitionsOf(newValues));
    if (ends.length > 0) state.lis.extendTo(left, ends);
  }
}

function copyOf({ slots }: AllocState, range: LiveRange): LiveRange {
  const copy = new LiveRange(slots);
  copy.assign(range);
  return copy;
}

const enum Joined {
  Yes,
  Later,
  Never,
}

const enum UndefCopy {
  No,
  /** became an IMPLICIT_DEF */
  IsValue,
  Gone,
}
