/**
 * Divides a register into several: opened intervals, each of its stretches, and the complement, which has the rest
 * (SplitEditor of LLVM 22; docs/llvm/allocation-splitting.md, 4 and 5).
 */
import type { LiveInterval, LiveRange, SubRange } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { OpcodeTrait } from '../../analysis/opcodeTraits.js';
import { operandClass } from '../../analysis/operandClass.js';
import { Slot } from '../../analysis/slotIndexes.js';
import type { ListPos } from '../../model/edit/instrList.js';
import {
  InstrFlag,
  OpFlag,
  OperandKind,
  type BlockId,
  type InstrId,
  type OperandId,
} from '../../model/machineFunction.js';
import { virtReg } from '../../model/register.js';
import { McFlag } from '../../target/api.js';
import { coveringIndices } from './coveringIndices.js';
import { constrainedByInstr, type LiveRangeEdit } from './liveRangeEdit.js';
import { isRematerializable, usesAvailableAt } from './remat.js';
import { SlotIntervals } from './slotIntervals.js';
import type { SpillWeights } from './spillWeights.js';
import type { SplitAnalysis, UseBlock } from './splitAnalysis.js';
import { addSaturating } from './frequency.js';
import { NotModelled } from '../machinePass.js';
import { SplitMode, type AllocState } from './state.js';

/** The value of the parent in one interval: one new value so far, or several (`value` -1). */
interface Mapped {
  value: number;
  isForced: boolean;
}

/** @llvm SplitKit.cpp SplitEditor */
export class SplitEditor {
  private readonly assigned: SlotIntervals;
  /** by interval and value of the parent */
  private readonly values = new Map<number, Mapped>();
  private open_ = 0;
  private readonly parent: LiveInterval;
  private readonly parentReg: number;

  constructor(
    private readonly state: AllocState,
    private readonly analysis: SplitAnalysis,
    private readonly edit: LiveRangeEdit,
    private readonly mode: SplitMode,
    private readonly weights: SpillWeights,
  ) {
    this.assigned = new SlotIntervals(state.slots);
    this.parentReg = edit.parent;
    this.parent = state.lis.interval(edit.parent);
  }

  private get isSpillMode(): boolean {
    return this.mode !== SplitMode.Partition;
  }

  private interval(k: number): LiveInterval {
    return this.state.lis.interval(this.edit.at(k));
  }

  // -- opening and closing -----------------------------------------------------------------------------------------

  /** @llvm SplitKit.cpp SplitEditor::openIntv */
  open(): number {
    if (this.edit.size === 0) this.edit.createWithInterval(this.parentReg, true);
    this.open_ = this.edit.size;
    this.edit.createWithInterval(this.parentReg, true);
    return this.open_;
  }

  /** @llvm SplitKit.cpp SplitEditor::selectIntv */
  select(k: number): void {
    this.open_ = k;
  }

  get numIntervals(): number {
    return this.edit.size;
  }

  /** @llvm SplitKit.cpp SplitEditor::enterIntvBefore */
  enterBefore(s: SlotRef): SlotRef {
    const at = SlotList.base(s);
    const value = this.parent.valueAt(at);
    if (value < 0) return at;
    const i = this.state.slots.instrOf(at);
    return this.defineFromParent(this.open_, value, at, i, this.state.slots.blockOf(at));
  }

  /** @llvm SplitKit.cpp SplitEditor::enterIntvAfter */
  enterAfter(s: SlotRef): SlotRef {
    const at = SlotList.at(s, Slot.Dead);
    const value = this.parent.valueAt(at);
    if (value < 0) return at;
    const i = this.state.slots.instrOf(at);
    return this.defineFromParent(this.open_, value, at, this.state.editor.list.after(i), this.state.slots.blockOf(at));
  }

  /** @llvm SplitKit.cpp SplitEditor::enterIntvAtEnd */
  enterAtEnd(b: BlockId): SlotRef {
    const { slots } = this.state;
    const end = slots.endOf(b);
    let last = slots.before(end);
    let value = this.parent.valueAt(last);
    if (value < 0) return end;
    const point = this.analysis.lastSplitPoint(b);
    if (slots.isBefore(point, last)) {
      last = point;
      value = this.parent.valueAt(last);
      if (value < 0) return end;
    }
    const def = this.defineFromParent(this.open_, value, last, this.analysis.lastSplitPos(b), b);
    this.assigned.insert(def, end, this.open_);
    return def;
  }

  /** @llvm SplitKit.cpp SplitEditor::leaveIntvAfter */
  leaveAfter(s: SlotRef): SlotRef {
    const { slots, editor } = this.state;
    const at = SlotList.at(s, Slot.Dead);
    const value = this.parent.valueAt(at);
    if (value < 0) return slots.after(at);
    const i = slots.instrOf(at);
    const block = slots.blockOf(at);
    if (this.isSpillMode && !SlotList.isSameInstr(this.parent.valueDef[value], s) && this.bundleReads(i)) {
      this.force(0, value);
      this.defineFromParent(0, value, s, i, block);
      return s;
    }
    return this.defineFromParent(0, value, at, editor.list.after(i), block);
  }

  /** @llvm SplitKit.cpp SplitEditor::leaveIntvBefore */
  leaveBefore(s: SlotRef): SlotRef {
    const { slots } = this.state;
    const at = SlotList.base(s);
    const value = this.parent.valueAt(at);
    if (value < 0) return slots.after(at);
    return this.defineFromParent(0, value, at, slots.instrOf(at), slots.blockOf(at));
  }

  /** @llvm SplitKit.cpp SplitEditor::leaveIntvAtTop */
  leaveAtTop(b: BlockId): SlotRef {
    const { slots } = this.state;
    const start = slots.startOf(b);
    const value = this.parent.valueAt(start);
    if (value < 0) return start;
    const pos = this.analysis.skipPrologue(b, this.edit.at(0));
    const def = this.defineFromParent(0, value, start, pos >= 0 ? pos : ~b, b);
    this.assigned.insert(start, def, this.open_);
    return def;
  }

  /** @llvm SplitKit.cpp SplitEditor::useIntv */
  use(from: SlotRef, to: SlotRef): void {
    this.assigned.insert(from, to, this.open_);
  }

  /** @llvm SplitKit.cpp SplitEditor::overlapIntv */
  overlap(from: SlotRef, to: SlotRef): void {
    const value = this.parent.valueAt(from);
    if (value >= 0) this.force(0, value);
    const i = this.state.slots.instrOf(to);
    if (i >= 0 && this.hasTiedUse(i)) return;
    this.assigned.insert(from, to, this.open_);
  }

  private bundleReads(i: InstrId): boolean {
    return this.state.readsWrites(i, this.parentReg).reads;
  }

  /** @llvm SplitKit.cpp hasTiedUseOf */
  private hasTiedUse(i: InstrId): boolean {
    const { fn } = this.state;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== virtReg(this.parentReg)) continue;
      if ((fn.opFlags[o] & OpFlag.Def) === 0 && fn.opTied[o] >= 0) return true;
    }
    return false;
  }

  // -- shapes of blocks --------------------------------------------------------------------------------------------

  /** @llvm SplitKit.cpp SplitEditor::splitSingleBlock */
  splitSingleBlock(u: UseBlock): void {
    const { slots } = this.state;
    this.open();
    const point = this.analysis.lastSplitPoint(u.block);
    const from = this.enterBefore(slots.isBefore(u.first, point) ? u.first : point);
    if (!u.liveOut || slots.isBefore(u.last, point)) {
      this.use(from, this.leaveAfter(u.last));
    } else {
      const to = this.leaveBefore(point);
      this.use(from, to);
      this.overlap(to, u.last);
    }
  }

  /** @llvm SplitKit.cpp SplitEditor::splitLiveThroughBlock */
  splitThrough(b: BlockId, inI: number, leave: SlotRef, outI: number, enter: SlotRef): void {
    const { slots } = this.state;
    const start = slots.startOf(b);
    const end = slots.endOf(b);
    if (outI === 0) {
      this.select(inI);
      this.leaveAtTop(b);
      return;
    }
    if (inI === 0) {
      this.select(outI);
      this.enterAtEnd(b);
      return;
    }
    if (inI === outI && leave === NO_SLOT && enter === NO_SLOT) {
      this.select(outI);
      this.use(start, end);
      return;
    }
    const point = this.analysis.lastSplitPoint(b);
    if (
      inI !== outI &&
      (leave === NO_SLOT || enter === NO_SLOT || slots.isBefore(SlotList.at(enter, Slot.Dead), SlotList.base(leave)))
    ) {
      this.select(outI);
      let at: SlotRef;
      if (leave !== NO_SLOT && slots.isBefore(leave, point)) {
        at = this.enterBefore(leave);
        this.use(at, end);
      } else at = this.enterAtEnd(b);
      this.select(inI);
      this.use(start, at);
      return;
    }
    this.select(outI);
    const from = this.enterAfter(enter);
    this.use(from, end);
    this.select(inI);
    const to = this.leaveBefore(leave);
    this.use(start, to);
  }

  /** @llvm SplitKit.cpp SplitEditor::splitRegInBlock */
  splitIn(u: UseBlock, inI: number, leave: SlotRef): void {
    const { slots } = this.state;
    const start = slots.startOf(u.block);
    if (!u.liveOut && (leave === NO_SLOT || slots.isAtOrBefore(u.last, leave))) {
      this.select(inI);
      this.use(start, u.last);
      return;
    }
    const point = this.analysis.lastSplitPoint(u.block);
    if (leave === NO_SLOT || slots.isBefore(SlotList.at(u.last, Slot.Dead), leave)) {
      this.select(inI);
      if (slots.isBefore(u.last, point)) {
        this.use(start, this.leaveAfter(u.last));
      } else {
        const to = this.leaveBefore(point);
        this.overlap(to, u.last);
        this.use(start, to);
      }
      return;
    }
    const local = this.open();
    void local;
    if (!u.liveOut || slots.isBefore(u.last, point)) {
      const to = this.leaveAfter(u.last);
      const from = this.enterBefore(leave);
      this.use(from, to);
      this.select(inI);
      this.use(start, from);
      return;
    }
    const to = this.leaveBefore(point);
    this.overlap(to, u.last);
    const from = this.enterBefore(slots.isBefore(leave, to) ? leave : to);
    this.use(from, to);
    this.select(inI);
    this.use(start, from);
  }

  /** @llvm SplitKit.cpp SplitEditor::splitRegOutBlock */
  splitOut(u: UseBlock, outI: number, enter: SlotRef): void {
    const { slots } = this.state;
    const end = slots.endOf(u.block);
    if (!u.liveIn && (enter === NO_SLOT || slots.isAtOrBefore(enter, u.first))) {
      this.select(outI);
      this.use(u.first, end);
      return;
    }
    const point = this.analysis.lastSplitPoint(u.block);
    if (enter === NO_SLOT || slots.isBefore(enter, SlotList.base(u.first))) {
      this.select(outI);
      const at = this.enterBefore(slots.isBefore(point, u.first) ? point : u.first);
      this.use(at, end);
      return;
    }
    this.select(outI);
    const at = this.enterAfter(enter);
    this.use(at, end);
    this.open();
    const from = this.enterBefore(slots.isBefore(at, u.first) ? at : u.first);
    this.use(from, at);
  }

  // -- values ------------------------------------------------------------------------------------------------------

  private key(k: number, value: number): number {
    return k * (this.parent.nValues + 1) + value;
  }

  private mapped(k: number, value: number): Mapped | undefined {
    return this.values.get(this.key(k, value));
  }

  /**
   * A new value of interval `k` for a value of the parent.
   * @llvm SplitKit.cpp SplitEditor::defValue
   */
  private define(k: number, value: number, at: SlotRef, isOriginal: boolean): number {
    const interval = this.interval(k);
    const made = interval.newValue(at);
    const hasParts = interval.subRanges.length > 0;
    const known = this.mapped(k, value);
    if (known === undefined) {
      this.values.set(this.key(k, value), { value: hasParts ? -1 : made, isForced: hasParts });
      if (!hasParts) return made;
    } else if (known.value >= 0) {
      this.addDeadDef(interval, known.value, isOriginal);
      known.value = -1;
      known.isForced = hasParts;
    }
    this.addDeadDef(interval, made, isOriginal);
    return made;
  }

  /** @llvm SplitKit.cpp SplitEditor::addDeadDef */
  private addDeadDef(interval: LiveInterval, value: number, isOriginal: boolean): void {
    const { state } = this;
    if (interval.subRanges.length === 0) {
      interval.addDeadDefOf(value);
      return;
    }
    const at = interval.valueDef[value];
    if (isOriginal) {
      for (const sub of interval.subRanges) {
        const of = this.parent.subRanges.find(
          (p) => (p.laneLo & sub.laneLo) === (sub.laneLo | 0) && (p.laneHi & sub.laneHi) === (sub.laneHi | 0),
        );
        const there = of === undefined ? -1 : of.valueAt(at);
        if (there >= 0 && of!.valueDef[there] === at) sub.addDeadDef(at);
      }
      return;
    }
    const { fn, lis } = state;
    const i = state.slots.instrOf(at);
    let lo = 0;
    let hi = 0;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o)) {
      if (fn.opVal[o] !== virtReg(interval.vreg)) continue;
      if ((fn.opFlags[o] & (OpFlag.Def | OpFlag.Implicit)) !== OpFlag.Def) continue;
      const [l, h] = lis.lanesOf(o);
      lo |= l;
      hi |= h;
    }
    for (const sub of interval.subRanges) if ((sub.laneLo & lo) !== 0 || (sub.laneHi & hi) !== 0) sub.addDeadDef(at);
  }

  /** @llvm SplitKit.cpp SplitEditor::forceRecompute */
  private force(k: number, value: number): void {
    const known = this.mapped(k, value);
    if (known === undefined) {
      this.values.set(this.key(k, value), { value: -1, isForced: true });
      return;
    }
    if (known.value >= 0) {
      this.addDeadDef(this.interval(k), known.value, false);
      known.value = -1;
    }
    known.isForced = true;
  }

  /**
   * Defines interval `k` before `pos` with the parent's value: made anew or copied.
   * @llvm SplitKit.cpp SplitEditor::defFromParent
   * @llvm SplitKit.cpp SplitEditor::buildCopy
   */
  private defineFromParent(k: number, value: number, useAt: SlotRef, pos: ListPos, block: BlockId): SlotRef {
    const { state } = this;
    const { lis, slots, editor, fn, opcodes, tables } = state;
    const late = k !== 0;
    const v = this.edit.at(k);
    const original = lis.interval(state.map.originalOf(this.edit.at(0)));
    const from = original.valueAt(useAt);
    const def = from < 0 ? -1 : slots.instrOf(original.valueDef[from]);
    if (
      def >= 0 &&
      state.has(def, McFlag.CheapAsAMove) &&
      isRematerializable(state, def) &&
      usesAvailableAt(state, def, useAt) &&
      !this.raisesRestriction(def, useAt)
    ) {
      const i = this.edit.rematerialize(def, pos, block, v, value, late);
      const isEarly = (fn.opFlags[fn.opBegin[i]] & OpFlag.EarlyClobber) !== 0;
      const at = SlotList.at(slots.ofInstr(i), isEarly ? Slot.EarlyClobber : Slot.Register);
      this.define(k, value, at, false);
      return at;
    }
    let [lo, hi] = lis.allLanes(this.parentReg);
    const [allLo, allHi] = [lo, hi];
    if (original.subRanges.length > 0) {
      lo = hi = 0;
      for (const sub of original.subRanges) {
        if (!sub.isLiveAt(useAt)) continue;
        lo |= sub.laneLo;
        hi |= sub.laneHi;
      }
    }
    let at: SlotRef;
    if ((lo | hi) === 0) {
      const i = lis.insert(
        pos,
        opcodes.implicitDef,
        [{ kind: OperandKind.Register, flags: OpFlag.Def, val: virtReg(v) }],
        late,
      );
      at = SlotList.at(slots.ofInstr(i), Slot.Register);
    } else {
      const opcode = state.isWWM(this.parentReg) ? opcodes.wwmCopy : opcodes.copy;
      if (((lo ^ allLo) | 0) === 0 && ((hi ^ allHi) | 0) === 0) {
        const i = lis.insert(
          pos,
          opcode,
          [
            { kind: OperandKind.Register, flags: OpFlag.Def, val: virtReg(v) },
            { kind: OperandKind.Register, val: virtReg(this.parentReg) },
          ],
          late,
        );
        fn.instrFlags[i] |= InstrFlag.LRSplit;
        at = SlotList.at(slots.ofInstr(i), Slot.Register);
      } else {
        const parts = coveringIndices(tables, fn.vregs.regClass[this.parentReg], lo, hi);
        if (parts.length === 0) throw new NotModelled('a copy of lanes that have no index');
        const first = editor.insertBundle(
          pos,
          block,
          opcode,
          parts.map((sub, n) => [
            {
              kind: OperandKind.Register,
              flags: OpFlag.Def | (n === 0 ? OpFlag.Undef : OpFlag.Internal),
              val: virtReg(v),
              sub,
            },
            { kind: OperandKind.Register, val: virtReg(this.parentReg), sub },
          ]),
        );
        for (let n = 0; n < parts.length; n++) fn.instrFlags[first + n] |= InstrFlag.LRSplit;
        slots.insert(first, block, late);
        at = SlotList.at(slots.ofInstr(first), Slot.Register);
        lis.refine(lis.interval(v), lo >>> 0, hi >>> 0, at);
      }
    }
    this.define(k, value, at, false);
    return at;
  }

  /**
   * Making the value anew would leave fewer registers to choose from than copying it.
   * @llvm SplitKit.cpp SplitEditor::rematWillIncreaseRestriction
   */
  private raisesRestriction(def: InstrId, useAt: SlotRef): boolean {
    const { state } = this;
    const { slots, fn, tables } = state;
    const use = slots.instrOf(useAt);
    if (use < 0) return false;
    const rc = operandClass(fn, def, 0);
    if (rc < 0) return false;
    const above = state.classes.largestSuperClass(fn.vregs.regClass[this.parentReg]);
    const at = constrainedByInstr(state, use, ~fn.opVal[fn.opBegin[def]], above);
    return at >= 0 && at !== rc && tables.hasSubClassEq(at, rc);
  }

  // -- the end -----------------------------------------------------------------------------------------------------

  /**
   * Puts the new registers into the code. The answer says which interval each of them comes from.
   * @llvm SplitKit.cpp SplitEditor::finish
   */
  finish(): number[] {
    const { state, edit } = this;
    const { lis } = state;
    for (let value = 0; value < this.parent.nValues; value++) {
      if (this.parent.isUnused(value)) continue;
      const def = this.parent.valueDef[value];
      this.define(this.assigned.lookup(def), value, def, true);
      if (edit.rematted.has(value)) this.forceEverywhere(value);
    }
    if (this.isSpillMode) this.hoistCopies();
    const isSkipped = this.transferValues();
    this.rewrite(isSkipped);
    if (isSkipped) {
      this.extendToPhis();
      this.deleteUnusedRemats();
    }
    for (const v of edit.regs()) {
      const interval = lis.interval(v);
      interval.removeEmptySubRanges();
      interval.renumberValues();
    }
    const from = edit.regs().map((_, k) => k);
    const n = edit.size;
    for (let k = 0; k < n; k++) {
      const v = edit.at(k);
      const original = state.map.originalOf(v);
      // They may be spilled even where the register that fell apart may not.
      for (const part of lis.splitComponents(v)) {
        state.map.original[part] = original;
        edit.made.push(part);
        from.push(k);
      }
    }
    edit.computeClassesAndHints(this.weights);
    state.debugValues?.split(this.parentReg, edit.regs());
    return from;
  }

  /** @llvm SplitKit.cpp SplitEditor::forceRecomputeVNI */
  private forceEverywhere(value: number): void {
    const { slots, fn } = this.state;
    const seen = new Set([value]);
    const work = [value];
    for (let x = work.pop(); x !== undefined; x = work.pop()) {
      for (let k = 0; k < this.edit.size; k++) this.force(k, x);
      if (!this.parent.isPhi(x)) continue;
      for (const p of fn.blocks[slots.blockOf(this.parent.valueDef[x])].predecessors) {
        const before = this.parent.valueBefore(slots.endOf(p));
        if (before < 0 || seen.has(before)) continue;
        seen.add(before);
        work.push(before);
      }
    }
  }

  /**
   * Gives the segments of the parent to the intervals; whether some values must be computed from the code instead.
   * @llvm SplitKit.cpp SplitEditor::transferValues
   */
  private transferValues(): boolean {
    const { lis, slots } = this.state;
    let isSkipped = false;
    const reach: SlotRef[][] = [];
    for (let s = 0; s < this.parent.size; s++) {
      const value = this.parent.value[s];
      for (let at = this.parent.start[s]; slots.isBefore(at, this.parent.end[s]);) {
        const [k, stop] = this.assigned.stretch(at, this.parent.end[s]);
        const to = slots.isBefore(stop, this.parent.end[s]) ? stop : this.parent.end[s];
        const known = this.mapped(k, value) ?? { value: -1, isForced: false };
        if (known.value >= 0) this.interval(k).addSegment(at, to, known.value);
        else if (known.isForced) isSkipped = true;
        else this.noteReach((reach[k] ??= []), at, to);
        at = to;
      }
    }
    reach.forEach((list, k) => lis.extendTo(this.interval(k), list));
    return isSkipped;
  }

  /** The ends of a stretch in each of its blocks: as far as its values reach. */
  private noteReach(list: SlotRef[], from: SlotRef, to: SlotRef): void {
    const { slots } = this.state;
    for (let b = slots.blockOf(from); ; b++) {
      const end = slots.endOf(b);
      if (slots.isAtOrBefore(to, end)) {
        list.push(to);
        return;
      }
      list.push(end);
    }
  }

  /** @llvm SplitKit.cpp SplitEditor::rewriteAssigned */
  private rewrite(isSkipped: boolean): void {
    const { lis, slots, editor, fn } = this.state;
    const late: { readonly o: OperandId; readonly k: number; readonly at: SlotRef }[] = [];
    const reach: SlotRef[][] = [];
    for (let o = editor.firstOperand(virtReg(this.parentReg)); o >= 0;) {
      const next = editor.nextOperand(o);
      const i = editor.instrOf(o);
      if (editor.isDebug(o)) {
        editor.setReg(o, 0);
        o = next;
        continue;
      }
      const flags = fn.opFlags[o];
      const isDef = (flags & OpFlag.Def) !== 0;
      const isUndef = (flags & OpFlag.Undef) !== 0;
      let at = slots.ofInstr(lis.headerOf(i));
      if (isDef || isUndef)
        at = SlotList.at(at, (flags & OpFlag.EarlyClobber) !== 0 ? Slot.EarlyClobber : Slot.Register);
      const k = this.assigned.lookup(at);
      const interval = this.interval(k);
      const sub = fn.opSub[o];
      editor.setReg(o, virtReg(interval.vreg));
      if (isSkipped && !isUndef) {
        let isRead = true;
        if (isDef) {
          if (sub === 0 && (flags & OpFlag.EarlyClobber) === 0) isRead = false;
          else {
            at = slots.before(at);
            if (!this.parent.isLiveAt(at)) isRead = false;
          }
        } else {
          const tied = fn.opTied[o];
          const isEarly = tied >= 0 && (fn.opFlags[fn.opBegin[i] + tied] & OpFlag.EarlyClobber) !== 0;
          at = SlotList.at(at, isEarly ? Slot.EarlyClobber : Slot.Register);
        }
        if (isRead) {
          if (interval.subRanges.length === 0) (reach[k] ??= []).push(at);
          else if (!isDef) late.push({ o, k, at });
        }
      }
      o = next;
    }
    reach.forEach((list, k) => lis.extendTo(this.interval(k), list));
    for (const { o, k, at } of late) {
      const interval = this.interval(k);
      const [lo, hi] = lis.lanesOf(o);
      for (const part of interval.subRanges) {
        if (((part.laneLo & lo) === 0 && (part.laneHi & hi) === 0) || part.isEmpty) continue;
        lis.extendTo(part, [at], lis.undefsOf(interval.vreg, part.laneLo, part.laneHi));
      }
    }
    for (const v of this.edit.regs()) {
      const interval = lis.interval(v);
      if (interval.subRanges.length === 0) continue;
      interval.removeEmptySubRanges();
      lis.constructMain(interval);
    }
  }

  /** @llvm SplitKit.cpp SplitEditor::extendPHIKillRanges */
  private extendToPhis(): void {
    const { lis } = this.state;
    for (let value = 0; value < this.parent.nValues; value++) {
      if (this.parent.isUnused(value) || !this.parent.isPhi(value)) continue;
      const def = this.parent.valueDef[value];
      const range = this.interval(this.assigned.lookup(def));
      if (!this.dropDead(range, def)) this.extendToPreds(def, range, this.parent, []);
    }
    for (const part of this.parent.subRanges) {
      for (let value = 0; value < part.nValues; value++) {
        if (part.isUnused(value) || !part.isPhi(value)) continue;
        const def = part.valueDef[value];
        const interval = this.interval(this.assigned.lookup(def));
        const range: SubRange | undefined = interval.subRanges.find(
          (s) => (s.laneLo | 0) === (part.laneLo | 0) && (s.laneHi | 0) === (part.laneHi | 0),
        );
        if (range === undefined || this.dropDead(range, def)) continue;
        this.extendToPreds(def, range, part, lis.undefsOf(interval.vreg, part.laneLo, part.laneHi));
      }
    }
  }

  private dropDead(range: LiveRange, def: SlotRef): boolean {
    const s = range.segmentAt(def);
    if (s < 0) return true;
    if (range.end[s] !== SlotList.at(def, Slot.Dead)) return false;
    range.removeSegment(range.start[s], range.end[s], true);
    return true;
  }

  /** @llvm SplitKit.cpp SplitEditor::extendPHIRange */
  private extendToPreds(def: SlotRef, range: LiveRange, parent: LiveRange, undefs: readonly SlotRef[]): void {
    const { slots, fn, lis } = this.state;
    const ends: SlotRef[] = [];
    for (const p of fn.blocks[slots.blockOf(def)].predecessors) {
      const end = slots.endOf(p);
      if (parent.isLiveAt(slots.before(end))) ends.push(end);
    }
    lis.extendTo(range, ends, undefs);
  }

  /** @llvm SplitKit.cpp SplitEditor::deleteRematVictims */
  private deleteUnusedRemats(): void {
    const { state, edit } = this;
    const { lis, slots, fn } = state;
    const dead: InstrId[] = [];
    for (const v of edit.regs()) {
      const interval = lis.interval(v);
      for (let s = 0; s < interval.size; s++) {
        const value = interval.value[s];
        const def = interval.valueDef[value];
        if (interval.end[s] !== SlotList.at(def, Slot.Dead) || interval.isPhi(value)) continue;
        const i = slots.instrOf(def);
        for (let o = fn.opBegin[i]; o < fn.opBegin[i + 1]; o++) if (lis.isDefOf(o, v)) fn.opFlags[o] |= OpFlag.Dead;
        if (lis.areAllDefsDead(i)) dead.push(i);
      }
    }
    if (dead.length > 0) edit.eliminateDeadDefs(dead, []);
  }

  // -- hoisting copies back ----------------------------------------------------------------------------------------

  /**
   * Copies of one value back into the complement: one at a dominator is as good as many, when it is not hotter.
   * @llvm SplitKit.cpp SplitEditor::hoistCopies
   * @llvm SplitKit.cpp SplitEditor::computeRedundantBackCopies
   */
  private hoistCopies(): void {
    const { state, edit } = this;
    const { slots, lis } = state;
    const { freq } = state.blocks;
    const { dominators: dom } = lis;
    const complement = this.interval(0);
    interface Best {
      block: BlockId;
      def: SlotRef;
    }
    const best: Best[] = [];
    const costs: bigint[] = [];
    const parentOf = (value: number): number => this.parent.valueAt(complement.valueDef[value]);
    const isSkipped = (p: number): boolean => p < 0 || edit.rematted.has(p) || (this.mapped(0, p)?.value ?? -1) >= 0;
    for (let value = 0; value < complement.nValues; value++) {
      if (complement.isUnused(value)) continue;
      const def = complement.valueDef[value];
      const p = parentOf(value);
      if (p < 0 || edit.rematted.has(p)) continue;
      const b = slots.blockOf(def);
      const d = best[p];
      if (def === this.parent.valueDef[p]) {
        best[p] = { block: b, def };
        continue;
      }
      if (isSkipped(p)) continue;
      if (d === undefined) best[p] = { block: b, def };
      else if (d.block === b) {
        if (d.def === NO_SLOT || slots.isBefore(def, d.def)) best[p] = { block: b, def };
      } else {
        const near = dom.nearestCommon(d.block, b);
        if (near === b) best[p] = { block: b, def };
        else if (near !== d.block) best[p] = { block: near, def: NO_SLOT };
        costs[p] = addSaturating(costs[p] ?? 0n, freq[b]);
      }
    }
    const notHoisted = new Set<number>();
    for (let p = 0; p < this.parent.nValues; p++) {
      const d = best[p];
      if (d === undefined || this.parent.isUnused(p) || d.def !== NO_SLOT) continue;
      const defBlock = slots.blockOf(this.parent.valueDef[p]);
      d.block = this.shallowDominator(d.block, defBlock);
      if (this.mode === SplitMode.Speed && freq[d.block] > (costs[p] ?? 0n)) {
        notHoisted.add(p);
        continue;
      }
      const point = this.analysis.lastSplitPoint(d.block);
      if (slots.isAtOrBefore(point, this.parent.valueDef[p])) {
        notHoisted.add(p);
        continue;
      }
      d.def = this.defineFromParent(0, p, point, this.analysis.lastSplitPos(d.block), d.block);
    }
    const copies: number[] = [];
    const same = new Map<number, number[]>();
    for (let value = 0; value < complement.nValues; value++) {
      if (complement.isUnused(value)) continue;
      const p = parentOf(value);
      if (p < 0) continue;
      const d = best[p];
      if (d === undefined || d.def === complement.valueDef[value]) continue;
      if (notHoisted.has(p)) continue;
      this.force(0, p);
      copies.push(value);
    }
    if (this.mode === SplitMode.Speed && notHoisted.size > 0) {
      for (let value = 0; value < complement.nValues; value++) {
        if (complement.isUnused(value)) continue;
        const p = parentOf(value);
        if (!notHoisted.has(p)) continue;
        const list = same.get(p) ?? [];
        list.push(value);
        same.set(p, list);
      }
      for (const [p, list] of same) {
        const dropped = list.filter((x) =>
          list.some((y) => {
            if (x === y) return false;
            const dx = complement.valueDef[x];
            const dy = complement.valueDef[y];
            const bx = slots.blockOf(dx);
            const by = slots.blockOf(dy);
            return bx === by ? slots.isBefore(dy, dx) : dom.dominates(by, bx);
          }),
        );
        if (dropped.length > 0) {
          this.force(0, p);
          copies.push(...dropped);
        }
      }
    }
    this.removeBackCopies(copies);
  }

  /** @llvm SplitKit.cpp SplitEditor::findShallowDominator */
  private shallowDominator(from: BlockId, def: BlockId): BlockId {
    const { lis } = this.state;
    const { loops } = this.state.blocks;
    if (from === def) return from;
    const { dominators: dom } = lis;
    const defLoop = loops.loopOf[def];
    let block = from;
    let best = -1;
    let bestDepth = Infinity;
    for (;;) {
      const loop = loops.loopOf[block];
      if (loop < 0 || loop === defLoop) return block;
      const { depth, header } = loops.loops[loop];
      if (depth < bestDepth) {
        best = block;
        bestDepth = depth;
      }
      const above = dom.idom[header];
      if (above < 0 || !dom.dominates(def, above)) return best;
      block = above;
    }
  }

  /** @llvm SplitKit.cpp SplitEditor::removeBackCopies */
  private removeBackCopies(copies: readonly number[]): void {
    const { state } = this;
    const { slots, editor, lis } = state;
    const complement = this.interval(0);
    for (const value of copies) {
      const def = complement.valueDef[value];
      const i = slots.instrOf(def);
      const block = slots.blockOf(def);
      let before = editor.list.before(i);
      while (before >= 0 && (state.traits[state.fn.opcode[before]] & OpcodeTrait.NoSlotIndex) !== 0)
        before = editor.list.before(before);
      void block;
      complement.removeValue(value);
      for (const sub of complement.subRanges) {
        const part = sub.valueAt(def);
        if (part >= 0 && SlotList.isSameInstr(sub.valueDef[part], def)) sub.removeValue(part);
      }
      lis.erase(i);
      const at = this.assigned.endingAt(def);
      if (at < 0) continue;
      const k = this.assigned.value[at];
      const kill = before < 0 ? NO_SLOT : SlotList.at(slots.ofInstr(before), Slot.Register);
      const reads = before >= 0 && state.readsWrites(before, this.parentReg).reads;
      if (!reads || slots.isAtOrBefore(kill, this.assigned.start[at])) {
        this.force(k, this.parent.valueAt(def));
      } else this.assigned.setEnd(at, kill);
    }
  }
}
