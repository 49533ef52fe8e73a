/**
 * Live intervals of a function that is edited: LiveIntervals of LLVM 22 with its operations, on the lists of FunctionEditor and SlotList.
 *
 * Instructions come and go through this class, so that slots, intervals and lists of operands agree. An interval is computed from the
 * operands of its register when it is first asked for, and stays as it is until an operation names it: after changing operands of a
 * register, say what became of it (`shrinkToUses`, `extendTo`, `recompute`). The numbers of values are those that LLVM gives, since the
 * order in which passes walk them shows in what they do.
 */
import type { FunctionEditor, NewOperand } from '../../model/edit/functionEditor.js';
import { InstrBuilder, NO_LOCATION } from '../../model/edit/instrBuilder.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  BundleFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type OperandId,
} from '../../model/machineFunction.js';
import { virtReg, type VRegId } from '../../model/register.js';
import { DominatorTree } from '../dominators.js';
import { joinedLanes, Lanes as LaneSets } from '../lanes.js';
import { OpcodeTrait, opcodeTraits } from '../opcodeTraits.js';
import { Slot, type SlotIndexes } from '../slotIndexes.js';
import { LiveInterval, LiveRange, NO_VALUE, SubRange, valueDefined, type ValueId } from './liveRange.js';
import { ReachingDefs } from './reachingDefs.js';
import { NO_SLOT, SlotList, type SlotRef } from './slotList.js';

/** Registers between two checkpoints: some milliseconds. */
const CHECKPOINT_VREGS = 512;

export interface Shrunk {
  /** the values may be several registers now: see `splitComponents` */
  readonly mayFallApart: boolean;
  /** instructions all of whose definitions are dead now */
  readonly dead: readonly InstrId[];
}

/** low half, high half */
type Lanes = readonly [number, number];

const NO_LANES: Lanes = [0, 0];
const NO_UNDEFS: readonly SlotRef[] = [];

/** A read of a value at a slot. */
interface Read {
  readonly at: SlotRef;
  readonly value: ValueId;
}

/** @llvm LiveIntervals.cpp LiveIntervals */
export class IntervalEditor {
  readonly builder: InstrBuilder;
  readonly slots: SlotList;
  private readonly intervals: (LiveInterval | null)[] = [];
  /** registers that `splitComponents` has made, and what they fell off */
  readonly fellOff = new Map<VRegId, VRegId>();
  private readonly traits: Uint8Array;
  /** lanes of a sub-register index and of a class: pairs that are asked for all the time */
  private readonly lanesOfSub: (Lanes | undefined)[];
  private readonly lanesOfClass: (Lanes | undefined)[];
  private reaching: ReachingDefs;

  /** `indexes`, `tree`: of the function as it is; null = made when it is asked for. */
  constructor(
    readonly editor: FunctionEditor,
    indexes: SlotIndexes,
    private tree: DominatorTree | null = null,
  ) {
    this.builder = new InstrBuilder(editor);
    this.slots = new SlotList(indexes, editor.list);
    const { tables } = editor.fn;
    this.traits = opcodeTraits(tables);
    this.lanesOfSub = new Array<Lanes | undefined>(tables.nSubRegIndices).fill(undefined);
    this.lanesOfClass = new Array<Lanes | undefined>(tables.nRegClasses).fill(undefined);
    this.reaching = this.newReaching();
  }

  private newReaching(): ReachingDefs {
    return new ReachingDefs(this.slots, this.editor.fn, () => this.dominators);
  }

  /** Of the blocks as they were when it was asked for first, or split by `splitBehind`. */
  get dominators(): DominatorTree {
    return (this.tree ??= new DominatorTree(this.editor.fn.blocks));
  }

  // -- intervals -------------------------------------------------------------------------------------------------

  /**
   * The interval of a virtual register; computed when it has none.
   * @llvm LiveIntervals.h LiveIntervals::getInterval
   */
  interval(v: VRegId): LiveInterval {
    return this.intervals[v] ?? this.recompute(v);
  }

  /**
   * The interval of a virtual register, null when it has none.
   * @llvm LiveIntervals.h LiveIntervals::hasInterval
   */
  known(v: number): LiveInterval | null {
    return this.intervals[v] ?? null;
  }

  /**
   * Computes the intervals of all registers with LLVM's edits: dead and read-undef definitions are marked, and a register whose values do
   * not belong together becomes several. O(operands log segments); `checkpoint` is called now and then, and may
   * throw to end the work.
   * @llvm LiveIntervals.cpp LiveIntervals::computeVirtRegs
   */
  computeAll(checkpoint: (() => void) | null = null): void {
    const mayFallApart: number[] = [];
    for (let v = 0, n = this.editor.fn.vregs.n; v < n; v++) {
      if (checkpoint !== null && v % CHECKPOINT_VREGS === 0) checkpoint();
      if (this.editor.isUnused(virtReg(v))) continue;
      const interval = (this.intervals[v] = this.compute(v));
      if (this.dropDeadValues(interval).mayFallApart) mayFallApart.push(v);
    }
    for (const v of mayFallApart) this.splitComponents(v);
  }

  /**
   * Forgets the interval of a register.
   * @llvm LiveIntervals.h LiveIntervals::removeInterval
   */
  remove(v: VRegId): void {
    this.intervals[v] = null;
  }

  /**
   * Computes the interval of a register from its operands as they are now, with LLVM's marks of dead and read-undef definitions
   * (LiveIntervals::createAndComputeVirtRegInterval).
   * @llvm LiveIntervals.h LiveIntervals::createAndComputeVirtRegInterval
   */
  recompute(v: VRegId): LiveInterval {
    const interval = (this.intervals[v] = this.compute(v));
    this.dropDeadValues(interval);
    return interval;
  }

  /** Follows the lanes of a register apart, where LLVM can, even if no operand names a part. */
  followLanes(v: VRegId): void {
    const interval = this.interval(v);
    if (interval.subRanges.length === 0 && !interval.isEmpty && this.tracksSubRegs(v))
      interval.addSubRange(...this.allLanes(v), interval);
  }

  /**
   * An empty interval in place of what the register has.
   * @llvm LiveIntervals.h LiveIntervals::createEmptyInterval
   */
  createEmpty(v: VRegId): LiveInterval {
    return (this.intervals[v] = new LiveInterval(this.slots, v));
  }

  // -- instructions ----------------------------------------------------------------------------------------------

  /** A new instruction before `at`, with a slot; see SlotList.insert for `late`. Intervals stay as they are. */
  insert(at: ListPos, opcode: number, operands: readonly NewOperand[], late = false): InstrId {
    const i = this.builder.build(at, NO_LOCATION, opcode, operands);
    this.slots.insert(i, this.editor.fn.instrBlock[i], late);
    return i;
  }

  insertCopy(at: ListPos, block: BlockId, like: InstrId, late = false): InstrId {
    const i = this.editor.insertCopy(at, block, like);
    this.slots.insert(i, block, late);
    return i;
  }

  /** Takes an instruction out; the intervals of its registers are the caller's to mend. */
  erase(i: InstrId): void {
    this.slots.remove(i);
    this.editor.erase(i);
  }

  /** Another instruction in the place, and at the slot, of `i`. */
  replace(i: InstrId, opcode: number, operands: readonly NewOperand[]): InstrId {
    const made = this.editor.replace(i, opcode, operands);
    this.slots.replace(i, made);
    return made;
  }

  /** Splits a block after an instruction; see FunctionEditor.splitBehind. Intervals stay as they are. O(blocks) */
  splitBehind(i: InstrId): BlockId {
    const { fn } = this.editor;
    const before = fn.instrBlock[i];
    const made = this.editor.splitBehind(i);
    this.slots.insertBlock(made, before);
    this.tree = null;
    this.reaching = this.newReaching();
    return made;
  }

  /** Ids in the order of the layout for blocks that were split off; false when there are none. See FunctionEditor.renumberBlocks. */
  renumberBlocks(): boolean {
    const idOf = this.editor.renumberBlocks();
    if (idOf === null) return false;
    this.slots.renumberBlocks(idOf);
    this.tree = null;
    this.reaching = this.newReaching();
    return true;
  }

  /**
   * Moves an instruction before `at` and computes the intervals that it touches anew.
   * @llvm LiveIntervals.cpp LiveIntervals::handleMove
   */
  move(i: InstrId, at: ListPos, block: BlockId): void {
    this.slots.remove(i);
    this.editor.move(i, at, block);
    this.slots.insert(i, block);
    this.repair(this.registersOf(i));
  }

  /** The virtual registers that an instruction, or the bundle that it heads, mentions. */
  registersOf(i: InstrId): Set<number> {
    const { fn } = this.editor;
    const found = new Set<number>();
    for (let m = i; ; m++) {
      for (let o = fn.firstReg(m); o >= 0; o = fn.nextReg(m, o)) if (fn.opVal[o] < 0) found.add(~fn.opVal[o]);
      if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) return found;
    }
  }

  /**
   * Computes the intervals of some registers anew, as far as they were ever asked for.
   * @llvm LiveIntervals.cpp LiveIntervals::repairIntervalsInRange
   */
  repair(registers: Iterable<number>): void {
    for (const v of registers) if ((this.intervals[v] ?? null) !== null) this.recompute(v);
  }

  // -- operations ------------------------------------------------------------------------------------------------

  /**
   * Makes a range of register v reach some slots, with new joins where several values arrive.
   * @llvm LiveIntervals.cpp LiveIntervals::extendToIndices
   */
  extendTo(range: LiveRange, at: readonly SlotRef[], undefs: readonly SlotRef[] = NO_UNDEFS): void {
    this.reaching.begin(range, undefs);
    for (const slot of at) this.reaching.extend(slot);
  }

  /** The same for the range of a register unit, which may live into the function though no list of live-ins says so. */
  extendUnitTo(range: LiveRange, at: readonly SlotRef[]): void {
    this.reaching.begin(range, NO_UNDEFS, true);
    for (const slot of at) this.reaching.extend(slot);
  }

  /**
   * Takes back what no operand reads any more. Values keep their numbers; joins that nobody reads go. Marks
   * dead and read-undef definitions, as LLVM does.
   * @llvm LiveIntervals.cpp LiveIntervals::shrinkToUses
   */
  shrinkToUses(v: VRegId): Shrunk {
    const interval = this.interval(v);
    for (const sub of interval.subRanges) this.shrinkSubRange(v, sub);
    interval.removeEmptySubRanges();
    const reads: Read[] = [];
    for (const i of this.readersOf(v)) {
      const at = SlotList.at(this.slots.ofInstr(i), Slot.Register);
      const q = interval.query(at);
      if (q.valueIn === NO_VALUE) continue;
      // An early-clobber definition that is tied to the read is one slot early.
      const defined = valueDefined(q);
      reads.push({ at: defined === NO_VALUE ? at : interval.valueDef[defined], value: q.valueIn });
    }
    this.keepOnly(interval, reads);
    return this.dropDeadValues(interval);
  }

  /** @llvm LiveIntervals.cpp LiveIntervals::shrinkToUses */
  shrinkSubRange(v: VRegId, sub: SubRange): void {
    const { editor } = this;
    const reads: Read[] = [];
    let last: InstrId = -1;
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDef(o) || editor.isDebug(o) || !editor.reads(o)) continue;
      const [lo, hi] = this.lanesOf(o);
      if ((lo & sub.laneLo) === 0 && (hi & sub.laneHi) === 0) continue;
      const i = editor.instrOf(o);
      if (i === last) continue;
      last = i;
      const at = this.useSlot(o);
      const value = sub.query(at).valueIn;
      if (value !== NO_VALUE) reads.push({ at, value });
    }
    this.keepOnly(sub, reads);
    for (let value = sub.nValues - 1; value >= 0; value--)
      if (!sub.isUnused(value) && sub.isPhi(value) && this.isDead(sub, value)) dropJoin(sub, value);
  }

  /** The range with the definitions of its values and what lies between them and these reads, nothing else. */
  private keepOnly(range: LiveRange, reads: Read[]): void {
    const { slots, editor } = this;
    const old = new LiveRange(slots);
    old.assign(range);
    range.clearSegments();
    old.valueDef.forEach((def, value) => {
      if (def !== NO_SLOT) range.addSegment(def, SlotList.at(def, Slot.Dead), value);
    });
    const usedJoins = new Set<ValueId>();
    const isLiveOut = new Set<BlockId>();
    for (let read = reads.pop(); read !== undefined; read = reads.pop()) {
      const { at, value } = read;
      const block = slots.blockOf(slots.before(at));
      const start = slots.startOf(block);
      const isInBlock = range.extendInBlock(start, at) !== NO_VALUE;
      if (isInBlock && (range.valueDef[value] !== start || usedJoins.has(value))) continue;
      if (isInBlock) usedJoins.add(value);
      else range.addSegment(start, at, value);
      for (const p of editor.fn.blocks[block].predecessors) {
        if (isLiveOut.has(p)) continue;
        isLiveOut.add(p);
        const end = slots.endOf(p);
        // What a join takes over may be nothing on some paths.
        const arriving = old.valueBefore(end);
        if (arriving !== NO_VALUE) reads.push({ at: end, value: arriving });
      }
    }
  }

  /**
   * Takes the value that lives at a slot out from there on, as far as it is the same value; where it ended comes to `ends`.
   * @llvm LiveIntervals.cpp LiveIntervals::pruneValue
   */
  pruneValue(range: LiveRange, from: SlotRef, ends: SlotRef[]): void {
    const { slots } = this;
    const { blocks } = this.editor.fn;
    const q = range.query(from);
    const value = q.valueOutOrDead === NO_VALUE ? q.valueIn : q.valueOutOrDead;
    if (value === NO_VALUE) return;
    const cut = (start: SlotRef, end: SlotRef): void => {
      range.removeSegment(start, end);
      ends.push(end);
    };
    const home = slots.blockOf(from);
    if (slots.isBefore(q.end, slots.endOf(home))) {
      cut(from, q.end);
      return;
    }
    cut(from, slots.endOf(home));
    const seen = new Set<BlockId>();
    const stack: { readonly successors: readonly BlockId[]; next: number }[] = [];
    stack.push({ successors: blocks[home].successors, next: 0 });
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (top.next === top.successors.length) {
        stack.pop();
        continue;
      }
      const b = top.successors[top.next++];
      if (seen.has(b)) continue;
      seen.add(b);
      const start = slots.startOf(b);
      const there = range.query(start);
      if (there.valueIn !== value) continue;
      if (slots.isBefore(there.end, slots.endOf(b))) {
        cut(start, there.end);
        continue;
      }
      cut(start, slots.endOf(b));
      stack.push({ successors: blocks[b].successors, next: 0 });
    }
  }

  private isDead(range: LiveRange, value: ValueId): boolean {
    const def = range.valueDef[value];
    return range.end[range.segmentAt(def)] === SlotList.at(def, Slot.Dead);
  }

  /**
   * Takes the value out that lives at the definition `at`.
   * @llvm LiveIntervals.cpp LiveIntervals::removeVRegDefAt
   */
  removeDef(interval: LiveInterval, at: SlotRef): void {
    const value = interval.valueAt(at);
    if (value !== NO_VALUE) interval.removeValue(value);
    for (const sub of interval.subRanges) {
      const part = sub.valueAt(at);
      if (part !== NO_VALUE && SlotList.isSameInstr(sub.valueDef[part], at)) sub.removeValue(part);
    }
    interval.removeEmptySubRanges();
  }

  /** @llvm LiveIntervals.cpp LiveIntervals::computeDeadValues */
  private dropDeadValues(interval: LiveInterval): Shrunk {
    const { slots } = this;
    const { fn } = this.editor;
    const dead: InstrId[] = [];
    let mayFallApart = false;
    for (let value = 0; value < interval.nValues; value++) {
      if (interval.isUnused(value)) continue;
      const def = interval.valueDef[value];
      const s = interval.segmentAt(def);
      const isFresh = s === 0 || slots.isBefore(interval.end[s - 1], def);
      const i = slots.instrOf(def);
      if (isFresh && !interval.isPhi(value) && this.tracksSubRegs(interval.vreg)) this.setReadUndef(i, interval.vreg);
      if (interval.end[s] !== SlotList.at(def, Slot.Dead)) continue;
      if (interval.isPhi(value)) {
        dropJoin(interval, value);
        mayFallApart = true;
        continue;
      }
      for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
        if (this.isDefOf(o, interval.vreg)) fn.opFlags[o] |= OpFlag.Dead;
      mayFallApart = true;
      if (this.areAllDefsDead(i)) dead.push(i);
    }
    return { mayFallApart, dead };
  }

  private setReadUndef(i: InstrId, v: VRegId): void {
    const { fn } = this.editor;
    for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++)
      if (this.isDefOf(o, v) && fn.opSub[o] !== 0) fn.opFlags[o] |= OpFlag.Undef;
  }

  areAllDefsDead(i: InstrId): boolean {
    const { fn } = this.editor;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Dead)) === OpFlag.Def) return false;
    }
    return true;
  }

  /**
   * Gives each group of connected values but the first a register of its own, with its operands and segments; the new registers
   * (LiveIntervals::splitSeparateComponents). Values are connected through joins, and where one is redefined while it lives.
   * @llvm LiveIntervals.cpp LiveIntervals::splitSeparateComponents
   */
  splitComponents(v: VRegId): number[] {
    const interval = this.interval(v);
    if (interval.nValues <= 1) return [];
    const groupOf = this.components(interval);
    const nGroups = groupOf.reduce((n, g) => Math.max(n, g + 1), 0);
    if (nGroups <= 1) return [];
    const { editor } = this;
    const made: LiveInterval[] = [];
    for (let g = 1; g < nGroups; g++) made.push(this.createEmpty(editor.cloneVReg(v)));
    for (const o of [...editor.operandsOf(virtReg(v))]) {
      const value = this.valueOfOperand(interval, o);
      const group = value === NO_VALUE ? 0 : (groupOf[value] as number);
      if (group > 0) editor.setReg(o, virtReg(made[group - 1].vreg));
    }
    for (const sub of interval.subRanges) {
      // A part follows the whole register: each of its values belongs where the value at its definition belongs.
      const groups = sub.valueDef.map((def) => (def === NO_SLOT ? 0 : (groupOf[interval.valueAt(def)] ?? 0)));
      const parts = made.map((to, k) => (groups.includes(k + 1) ? to.addSubRange(sub.laneLo, sub.laneHi) : null));
      distribute(sub, parts, groups);
    }
    interval.removeEmptySubRanges();
    distribute(interval, made, groupOf);
    for (const to of made) this.fellOff.set(to.vreg, v);
    return made.map((to) => to.vreg);
  }

  /**
   * The group of each value; groups are numbered by their first value, those of unused values belong to the last used one's.
   * @llvm LiveInterval.cpp ConnectedVNInfoEqClasses::Classify
   */
  components(interval: LiveRange): number[] {
    const { slots, editor } = this;
    const leader = interval.valueDef.map((_, value) => value);
    const find = (x: number): number => {
      while (leader[x] !== x) x = leader[x] as number;
      return x;
    };
    const join = (a: ValueId, b: ValueId): void => {
      const [x, y] = [find(a), find(b)];
      leader[Math.max(x, y)] = Math.min(x, y);
    };
    let used = NO_VALUE;
    let unused = NO_VALUE;
    interval.valueDef.forEach((def, value) => {
      if (def === NO_SLOT) {
        if (unused !== NO_VALUE) join(unused, value);
        unused = value;
        return;
      }
      used = value;
      const ends = interval.isPhi(value)
        ? editor.fn.blocks[slots.blockOf(def)].predecessors.map((p) => slots.endOf(p))
        : [def];
      for (const end of ends) {
        const before = interval.valueBefore(end);
        if (before !== NO_VALUE) join(value, before);
      }
    });
    if (used !== NO_VALUE && unused !== NO_VALUE) join(used, unused);
    const groups: number[] = [];
    let n = 0;
    for (let value = 0; value < leader.length; value++) {
      const first = find(value);
      groups.push(first === value ? n++ : (groups[first] as number));
    }
    return groups;
  }

  /** The value that an operand reads or, if it reads none, defines. */
  private valueOfOperand(interval: LiveInterval, o: OperandId): ValueId {
    const { editor, slots } = this;
    let i = this.headerOf(editor.instrOf(o));
    // A debug instruction speaks of what lives after the instruction before it.
    let at = slots.ofInstr(i);
    while (at === NO_SLOT) {
      i = editor.list.before(i);
      if (i < 0) {
        at = slots.startOf(editor.fn.instrBlock[editor.instrOf(o)]);
        break;
      }
      at = slots.ofInstr(i);
    }
    const q = interval.query(at);
    // What dies at once does not live after its instruction.
    if (editor.isDebug(o)) return (q.end & 3) === Slot.Dead ? NO_VALUE : q.valueOutOrDead;
    return editor.reads(o) ? q.valueIn : valueDefined(q);
  }

  // -- computing -------------------------------------------------------------------------------------------------

  /**
   * Definitions in the order of the operands' list, then the reads.
   * @llvm LiveIntervalCalc.cpp LiveIntervalCalc::calculate
   */
  private compute(v: VRegId): LiveInterval {
    const { editor } = this;
    const interval = new LiveInterval(this.slots, v);
    const tracks = this.tracksSubRegs(v);
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o)) {
      const isDef = editor.isDef(o);
      if (editor.isDebug(o) || (!isDef && !editor.reads(o))) continue;
      if (interval.subRanges.length > 0 || (tracks && editor.fn.opSub[o] !== 0)) {
        if (interval.subRanges.length === 0 && !interval.isEmpty) interval.addSubRange(...this.allLanes(v), interval);
        this.refine(interval, ...this.lanesOf(o), isDef ? this.defSlot(o) : NO_SLOT);
      } else if (isDef) interval.addDeadDef(this.defSlot(o));
    }
    if (interval.subRanges.length > 0) {
      for (const sub of interval.subRanges) this.extendToOperands(sub, v, sub.laneLo, sub.laneHi, true);
      interval.removeEmptySubRanges();
      this.constructMain(interval);
    } else this.extendToOperands(interval, v, ~0, ~0, false);
    return interval;
  }

  /**
   * Makes the main range anew of the definitions of the parts.
   * @llvm LiveIntervalCalc.cpp LiveIntervalCalc::constructMainRangeFromSubranges
   * @llvm LiveIntervals.cpp LiveIntervals::constructMainRangeFromSubranges
   */
  constructMain(interval: LiveInterval): void {
    interval.clear();
    for (const sub of interval.subRanges)
      sub.valueDef.forEach((def, value) => {
        if (def !== NO_SLOT && !sub.isPhi(value)) interval.addDeadDef(def);
      });
    this.extendToOperands(interval, interval.vreg, ~0, ~0, interval.subRanges.length > 0);
  }

  /** Divides the parts so that the lanes are a union of some, and defines those at `def`. */
  refine(interval: LiveInterval, lo: number, hi: number, def: SlotRef): void {
    this.refineParts(interval, lo, hi, (part) => {
      if (def !== NO_SLOT) part.addDeadDef(def);
    });
  }

  /**
   * Divides the parts so that the lanes are a union of some, and calls `apply` for each of those. `within`: what the register will be of another
   * one, whose lanes these are.
   * @llvm LiveInterval.cpp LiveInterval::refineSubRanges
   */
  refineParts(interval: LiveInterval, lo: number, hi: number, apply: (part: SubRange) => void, within = 0): void {
    let restLo = lo;
    let restHi = hi;
    for (const sub of [...interval.subRanges]) {
      const commonLo = (sub.laneLo & lo) >>> 0;
      const commonHi = (sub.laneHi & hi) >>> 0;
      if (commonLo === 0 && commonHi === 0) continue;
      let part = sub;
      if (commonLo !== sub.laneLo >>> 0 || commonHi !== sub.laneHi >>> 0) {
        part = interval.addSubRange(commonLo, commonHi, sub);
        sub.laneLo = (sub.laneLo & ~commonLo) >>> 0;
        sub.laneHi = (sub.laneHi & ~commonHi) >>> 0;
        this.dropForeignDefs(interval.vreg, part, within);
        this.dropForeignDefs(interval.vreg, sub, within);
      }
      apply(part);
      restLo = (restLo & ~commonLo) >>> 0;
      restHi = (restHi & ~commonHi) >>> 0;
    }
    if (restLo !== 0 || restHi !== 0) apply(interval.addSubRange(restLo >>> 0, restHi >>> 0));
  }

  /**
   * Takes the values out of a part that its instructions define in other lanes only.
   * @llvm LiveInterval.cpp stripValuesNotDefiningMask
   */
  private dropForeignDefs(v: VRegId, sub: SubRange, within: number): void {
    const { fn } = this.editor;
    for (let value = sub.nValues - 1; value >= 0; value--) {
      if (sub.isUnused(value) || sub.isPhi(value)) continue;
      const i = this.slots.instrOf(sub.valueDef[value]);
      let isDefined = false;
      for (let m = i; !isDefined; m++) {
        for (let o = fn.opBegin[m]; o < fn.opBegin[m + 1]; o++)
          if (this.isDefOf(o, v) && this.hasLanesOf(sub, o, within)) isDefined = true;
        if ((fn.bundle[m] & BundleFlag.BundledSucc) === 0) break;
      }
      if (!isDefined) sub.removeValue(value);
    }
  }

  private hasLanesOf(sub: SubRange, o: OperandId, within: number): boolean {
    if (within === 0) {
      const [lo, hi] = this.lanesOf(o);
      return (lo & sub.laneLo) !== 0 || (hi & sub.laneHi) !== 0;
    }
    const { fn } = this.editor;
    const lanes = new LaneSets(fn.tables);
    return (lanes.outward(within, lanes.mask(fn.opSub[o])) & joinedLanes(sub.laneLo, sub.laneHi)) !== 0n;
  }

  /**
   * Makes a range reach the operands that read some of its lanes.
   * @llvm LiveIntervalCalc.cpp LiveIntervalCalc::extendToUses
   */
  private extendToOperands(range: LiveRange, v: VRegId, lo: number, hi: number, tellsLanes: boolean): void {
    const { editor } = this;
    const isWhole = lo === ~0;
    this.reaching.begin(range, tellsLanes ? this.undefsOf(v, lo, hi) : NO_UNDEFS, isWhole && !tellsLanes);
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o)) {
      if (editor.isDebug(o)) continue;
      const isDef = editor.isDef(o);
      // Kill flags are what intervals say from here on.
      if (!isDef) editor.fn.opFlags[o] &= ~OpFlag.Kill;
      if (!editor.reads(o) || (isDef && !isWhole)) continue;
      if (editor.fn.opSub[o] !== 0 && !isDef) {
        const [subLo, subHi] = this.lanesOf(o);
        if ((subLo & lo) === 0 && (subHi & hi) === 0) continue;
      }
      const at = this.useSlot(o);
      if (at !== NO_SLOT) this.reaching.extend(at);
    }
  }

  /**
   * Where definitions of other parts make some of these lanes undefined.
   * @llvm LiveInterval.cpp LiveInterval::computeSubRangeUndefs
   */
  undefsOf(v: VRegId, lo: number, hi: number): readonly SlotRef[] {
    const { editor } = this;
    const [allLo, allHi] = this.allLanes(v);
    let undefs: SlotRef[] | null = null;
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o)) {
      if (!editor.isDef(o) || (editor.fn.opFlags[o] & OpFlag.Undef) === 0 || editor.fn.opSub[o] === 0) continue;
      const [subLo, subHi] = this.lanesOf(o);
      if ((allLo & ~subLo & lo) !== 0 || (allHi & ~subHi & hi) !== 0) (undefs ??= []).push(this.defSlot(o));
    }
    return undefs ?? NO_UNDEFS;
  }

  // -- operands --------------------------------------------------------------------------------------------------

  /** The lanes of an operand's part of its virtual register: low half, high half. */
  lanesOf(o: OperandId): readonly [number, number] {
    const { fn } = this.editor;
    const sub = fn.opSub[o];
    if (sub === 0) return this.allLanes(~fn.opVal[o]);
    return (this.lanesOfSub[sub] ??= [fn.tables.subRegLaneLo[sub], fn.tables.subRegLaneHi[sub]]);
  }

  allLanes(v: VRegId): readonly [number, number] {
    const { fn } = this.editor;
    const rc = fn.vregs.regClass[v];
    if (rc < 0) return NO_LANES;
    return (this.lanesOfClass[rc] ??= [fn.tables.regClassLaneLo[rc], fn.tables.regClassLaneHi[rc]]);
  }

  /**
   * Whether LLVM tells the lanes of a register apart.
   * @llvm MachineRegisterInfo.h MachineRegisterInfo::shouldTrackSubRegLiveness
   */
  tracksSubRegs(v: VRegId): boolean {
    const { fn } = this.editor;
    const rc = fn.vregs.regClass[v];
    return rc >= 0 && fn.tables.regClassBits[rc] >= 32;
  }

  isDefOf(o: OperandId, v: VRegId): boolean {
    const { fn } = this.editor;
    return fn.opKind[o] === OperandKind.Register && fn.opVal[o] === virtReg(v) && this.editor.isDef(o);
  }

  /** Instructions that read a register, each once and in the order of its operands. */
  private readersOf(v: VRegId): Set<InstrId> {
    const { editor } = this;
    const found = new Set<InstrId>();
    for (let o = editor.firstOperand(virtReg(v)); o >= 0; o = editor.nextOperand(o))
      if (editor.reads(o) && !editor.isDebug(o)) found.add(this.headerOf(editor.instrOf(o)));
    return found;
  }

  headerOf(i: InstrId): InstrId {
    return this.editor.list.headerOf(i);
  }

  defSlot(o: OperandId): SlotRef {
    const isEarly = (this.editor.fn.opFlags[o] & OpFlag.EarlyClobber) !== 0;
    const at = this.slots.ofInstr(this.headerOf(this.editor.instrOf(o)));
    return at === NO_SLOT ? NO_SLOT : SlotList.at(at, isEarly ? Slot.EarlyClobber : Slot.Register);
  }

  /** Where an operand reads: at its instruction, early if it is tied to a definition that is, or at the end of a PHI's predecessor. */
  useSlot(o: OperandId): SlotRef {
    const { fn } = this.editor;
    const i = this.editor.instrOf(o);
    if ((this.traits[fn.opcode[i]] & OpcodeTrait.Phi) !== 0) {
      const hasBlock = o + 1 < fn.opBegin[i + 1] && fn.opKind[o + 1] === OperandKind.MBB;
      return hasBlock ? this.slots.endOf(fn.opVal[o + 1]) : NO_SLOT;
    }
    if (this.editor.isDef(o)) return this.defSlot(o);
    const at = this.slots.ofInstr(this.headerOf(i));
    if (at === NO_SLOT) return NO_SLOT;
    const tied = fn.opTied[o];
    const isEarly = tied >= 0 && (fn.opFlags[fn.opBegin[i] + tied] & OpFlag.EarlyClobber) !== 0;
    return SlotList.at(at, isEarly ? Slot.EarlyClobber : Slot.Register);
  }
}

/**
 * Takes a join that nobody reads out. Its number stays taken, even the last one.
 * @llvm LiveInterval.h VNInfo::markUnused
 */
function dropJoin(range: LiveRange, value: ValueId): void {
  range.removeAt(range.segmentAt(range.valueDef[value]), 1);
  range.valueDef[value] = NO_SLOT;
}

/**
 * Moves the values of each group but the first, with their segments, to the range of that group; null = it has none.
 * @llvm LiveInterval.cpp ConnectedVNInfoEqClasses::Distribute
 */
export function distribute(from: LiveRange, to: readonly (LiveRange | null)[], groups: readonly number[]): void {
  const renamed: ValueId[] = [];
  const kept: SlotRef[] = [];
  from.valueDef.forEach((def, value) => {
    const group = groups[value] as number;
    const range = group === 0 ? null : to[group - 1];
    renamed.push(range ? range.newValue(def) : kept.push(def) - 1);
  });
  const { start, end, value } = from;
  let n = 0;
  for (let s = 0; s < start.length; s++) {
    const group = groups[value[s]] as number;
    const range = group === 0 ? null : to[group - 1];
    if (range) {
      range.push(start[s], end[s], renamed[value[s]] as number);
      continue;
    }
    start[n] = start[s];
    end[n] = end[s];
    value[n++] = renamed[value[s]] as number;
  }
  from.removeAt(n, start.length - n);
  from.valueDef = kept;
}
