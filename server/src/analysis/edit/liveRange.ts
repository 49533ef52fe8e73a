/**
 * A live range that can be edited: segments in ascending order, each with the value that lives in it, as LiveRange and VNInfo of LLVM 22.
 *
 * A value is a number within its range; it has the slot at which it is defined. A value that begins at the start of a block (slot
 * `Slot.Block`) joins the values of its predecessors. Two neighbouring segments of one value that touch are one segment.
 */
import type { Id } from '../../util/id.js';
import { invariant } from '../../util/invariant.js';
import { Slot } from '../slotIndexes.js';
import { NO_SLOT, SlotList, type SlotRef } from './slotList.js';
import type { VRegId } from '../../model/register.js';

/** Number of a value within its range. */
export type ValueId = Id<'value'>;

export const NO_VALUE: ValueId = -1;
/** instead of a value: none, since lanes were made undefined */
export const UNDEFINED_VALUE: ValueId = -2;

/** What a range does at one instruction (LiveQueryResult). */
export interface LiveQuery {
  /** the value that lives into the instruction */
  readonly valueIn: ValueId;
  /** the value that lives after it, or that it defines and nobody reads */
  readonly valueOutOrDead: ValueId;
  /** the value that lives in ends here */
  readonly isKill: boolean;
  /** end of the segment after `valueOutOrDead`, else of the one after `valueIn`; NO_SLOT without either */
  readonly end: SlotRef;
}

/** Of ranges without anything. Most have one segment of one value: V8 makes room for 17 in a list that grows, for one in a literal. */
const NOTHING: number[] = [];
const NO_PARTS: SubRange[] = [];

/** Instead of `splice`, which makes an array of what it takes out. */
function insert(list: number[], at: number, value: number): void {
  list.push(value);
  for (let k = list.length - 1; k > at; k--) list[k] = list[k - 1];
  list[at] = value;
}

/** Takes `n` entries out from `at` on. */
function drop(list: number[], at: number, n: number): void {
  for (let k = at + n; k < list.length; k++) list[k - n] = list[k];
  for (let k = 0; k < n; k++) list.pop();
}

/**
 * The value that lives after an instruction.
 * @llvm LiveInterval.h LiveQueryResult::valueOut
 */
export const valueOut = (q: LiveQuery): ValueId => ((q.end & 3) === Slot.Dead ? NO_VALUE : q.valueOutOrDead);

/** The value that an instruction defines. */
export const valueDefined = (q: LiveQuery): ValueId => (q.valueOutOrDead === q.valueIn ? NO_VALUE : q.valueOutOrDead);

/** @llvm LiveInterval.cpp LiveRange */
export class LiveRange {
  /** segment s: [start[s], end[s]) holds value[s] */
  start: SlotRef[] = NOTHING;
  end: SlotRef[] = NOTHING;
  value: ValueId[] = NOTHING;
  /** by value: where it is defined, NO_SLOT when it is not in use */
  valueDef: SlotRef[] = NOTHING;

  constructor(protected readonly slots: SlotList) {}

  get size(): number {
    return this.start.length;
  }

  get isEmpty(): boolean {
    return this.start.length === 0;
  }

  get nValues(): number {
    return this.valueDef.length;
  }

  clear(): void {
    this.clearSegments();
    this.valueDef = NOTHING;
  }

  /** Its values stay. */
  clearSegments(): void {
    this.start = this.end = this.value = NOTHING;
  }

  /** Makes this range a copy of another one. */
  assign(other: LiveRange): void {
    this.clear();
    if (other.size > 0) {
      this.start = other.start.slice();
      this.end = other.end.slice();
      this.value = other.value.slice();
    }
    if (other.nValues > 0) this.valueDef = other.valueDef.slice();
  }

  // -- queries ---------------------------------------------------------------------------------------------------

  /**
   * The first segment that ends after `slot`; `size` if none does.
   * @llvm LiveInterval.cpp LiveRange::find
   */
  find(slot: SlotRef): number {
    const { end, slots } = this;
    const at = slots.number(slot);
    let lo = 0;
    let hi = end.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (slots.number(end[mid]) <= at) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  /**
   * The segment that contains `slot`, -1 if none does.
   * @llvm LiveInterval.h LiveRange::getSegmentContaining
   */
  segmentAt(slot: SlotRef): number {
    const s = this.find(slot);
    return s < this.size && this.slots.isAtOrBefore(this.start[s], slot) ? s : -1;
  }

  /** @llvm LiveInterval.h LiveRange::liveAt */
  isLiveAt(slot: SlotRef): boolean {
    return this.segmentAt(slot) >= 0;
  }

  /** @llvm LiveInterval.h LiveRange::getVNInfoAt */
  valueAt(slot: SlotRef): ValueId {
    const s = this.segmentAt(slot);
    return s < 0 ? NO_VALUE : this.value[s];
  }

  /**
   * The value that lives up to `slot`, which may be where it ends.
   * @llvm LiveInterval.h LiveRange::getVNInfoBefore
   */
  valueBefore(slot: SlotRef): ValueId {
    return this.valueAt(this.slots.before(slot));
  }

  isUnused(v: ValueId): boolean {
    return this.valueDef[v] === NO_SLOT;
  }

  /** Joins the values of the predecessors of a block. */
  isPhi(v: ValueId): boolean {
    return (this.valueDef[v] & 3) === Slot.Block;
  }

  /**
   * What happens at the instruction of `slot`.
   * @llvm LiveInterval.h LiveRange::Query
   */
  query(slot: SlotRef): LiveQuery {
    const { slots, start, end, value } = this;
    const base = SlotList.base(slot);
    const first = this.find(base);
    const isLiveIn = first < this.size && slots.isAtOrBefore(start[first], base);
    const isKill = isLiveIn && SlotList.isSameInstr(end[first], base);
    const behind = isKill ? first + 1 : first;
    const isOut = behind < this.size && slots.isAtOrBefore(start[behind], SlotList.at(base, Slot.Dead));
    // A value that joins others at this very place, in the middle of a segment, does not live in.
    const isJoined = isLiveIn && this.valueDef[value[first]] === base;
    return {
      valueIn: isLiveIn && !isJoined ? value[first] : NO_VALUE,
      valueOutOrDead: isOut ? value[behind] : NO_VALUE,
      isKill,
      end: isOut ? end[behind] : isLiveIn ? end[first] : NO_SLOT,
    };
  }

  /**
   * Whether both live at some slot. O(n log m) of the smaller one
   * @llvm LiveInterval.cpp LiveRange::overlapsFrom
   */
  overlaps(other: LiveRange): boolean {
    const [few, many] = this.size <= other.size ? [this, other] : [other, this];
    const { slots } = this;
    for (let s = 0; s < few.size; s++) {
      const t = many.find(few.start[s]);
      if (t < many.size && slots.isBefore(many.start[t], few.end[s])) return true;
    }
    return false;
  }

  /**
   * Whether every slot of `other` is one of this range.
   * @llvm LiveInterval.cpp LiveRange::covers
   */
  covers(other: LiveRange): boolean {
    const { slots, end } = this;
    for (let s = 0; s < other.size; s++) {
      let t = this.segmentAt(other.start[s]);
      if (t < 0) return false;
      // Segments of different values may touch.
      while (slots.isBefore(end[t], other.end[s])) {
        if (t + 1 === this.size || this.start[t + 1] !== end[t]) return false;
        t++;
      }
    }
    return true;
  }

  // -- values and segments ---------------------------------------------------------------------------------------

  /** @llvm LiveInterval.h LiveRange::getNextValue */
  newValue(def: SlotRef): ValueId {
    if (this.valueDef.length > 0) return this.valueDef.push(def) - 1;
    this.valueDef = [def];
    return 0;
  }

  /**
   * A value defined at `def`, alive just there. A def by the same instruction that the range has already is the same value, at the earlier
   * of both slots.
   * @llvm LiveInterval.cpp LiveRange::createDeadDef
   */
  addDeadDef(def: SlotRef): ValueId {
    const s = this.find(def);
    if (s < this.size && SlotList.isSameInstr(this.start[s], def)) {
      const v = this.value[s];
      if (this.slots.isBefore(def, this.start[s])) this.start[s] = this.valueDef[v] = def;
      return v;
    }
    const v = this.newValue(def);
    this.insertAt(s, def, SlotList.at(def, Slot.Dead), v);
    return v;
  }

  /** The same for a value that the range has: alive just where it is defined. */
  addDeadDefOf(v: ValueId): void {
    const def = this.valueDef[v];
    const s = this.find(def);
    if (s < this.size && SlotList.isSameInstr(this.start[s], def)) {
      const there = this.value[s];
      if (this.slots.isBefore(def, this.start[s])) this.start[s] = this.valueDef[there] = def;
      return;
    }
    this.insertAt(s, def, SlotList.at(def, Slot.Dead), v);
  }

  /**
   * Adds a segment. What it meets of other values must not overlap; what it meets of its own becomes one with it.
   * @llvm LiveInterval.cpp LiveRange::addSegment
   */
  addSegment(start: SlotRef, end: SlotRef, v: ValueId): void {
    const { slots } = this;
    let s = this.find(start);
    // One that ends right where the new one starts joins, too.
    if (s > 0 && this.end[s - 1] === start && this.value[s - 1] === v) s--;
    const joins = s < this.size && this.value[s] === v && slots.isAtOrBefore(this.start[s], end);
    if (!joins) {
      this.insertAt(s, start, end, v);
      return;
    }
    if (slots.isBefore(start, this.start[s])) this.start[s] = start;
    if (slots.isBefore(this.end[s], end)) this.extendEnd(s, end);
  }

  /**
   * Makes the value that lives before `use`, in the block that starts at `blockStart`, live up to it. NO_VALUE when none does; UNDEFINED_VALUE
   * when lanes became undefined between.
   * @llvm LiveInterval.cpp LiveRange::extendInBlock
   */
  extendInBlock(blockStart: SlotRef, use: SlotRef, undefs: readonly SlotRef[] = []): ValueId {
    const { slots } = this;
    const before = slots.before(use);
    // The last segment that starts before the use.
    let s = this.find(before);
    if (s === this.size || slots.isBefore(before, this.start[s])) s--;
    if (s < 0 || slots.isAtOrBefore(this.end[s], blockStart))
      return this.hasSlotIn(undefs, blockStart, before) ? UNDEFINED_VALUE : NO_VALUE;
    if (slots.isBefore(this.end[s], use)) {
      if (this.hasSlotIn(undefs, this.end[s], before)) return UNDEFINED_VALUE;
      this.extendEnd(s, use);
    }
    return this.value[s];
  }

  private hasSlotIn(list: readonly SlotRef[], from: SlotRef, to: SlotRef): boolean {
    const { slots } = this;
    for (const x of list) if (slots.isAtOrBefore(from, x) && slots.isBefore(x, to)) return true;
    return false;
  }

  /**
   * Takes [start, end) out, which must lie within one segment.
   * @llvm LiveInterval.cpp LiveRange::removeSegment
   */
  removeSegment(start: SlotRef, end: SlotRef, dropsValue = false): void {
    const s = this.segmentAt(start);
    invariant(s >= 0 && this.slots.isAtOrBefore(end, this.end[s]), 'what is removed is live');
    const v = this.value[s];
    if (this.start[s] === start) {
      if (this.end[s] === end) {
        this.removeAt(s, 1);
        if (dropsValue && !this.value.includes(v)) this.markUnused(v);
      } else this.start[s] = end;
      return;
    }
    const oldEnd = this.end[s];
    this.end[s] = start;
    if (oldEnd !== end) this.insertAt(s + 1, end, oldEnd, v);
  }

  /**
   * Takes out all segments of a value, and the value.
   * @llvm LiveInterval.cpp LiveRange::removeValNo
   */
  removeValue(v: ValueId): void {
    for (let s = this.size - 1; s >= 0; s--) if (this.value[s] === v) this.removeAt(s, 1);
    this.markUnused(v);
  }

  /**
   * Two values that are the same become one, and the segments of it that touch then, too. The smaller number stays, with the definition of
   * `into`.
   * @llvm LiveInterval.cpp LiveRange::MergeValueNumberInto
   */
  mergeValues(from: ValueId, into: ValueId): ValueId {
    const kept = Math.min(from, into);
    const gone = Math.max(from, into);
    this.valueDef[kept] = this.valueDef[into];
    for (let s = 0; s < this.size; s++) {
      if (this.value[s] !== gone && this.value[s] !== kept) continue;
      this.value[s] = kept;
      if (s > 0 && this.value[s - 1] === kept && this.end[s - 1] === this.start[s]) {
        this.end[s - 1] = this.end[s];
        this.removeAt(s, 1);
        s--;
      }
    }
    this.markUnused(gone);
    return kept;
  }

  /**
   * Gives a value up. When it is the last one, its number is free again, and those of unused ones before it.
   * @llvm LiveInterval.cpp LiveRange::markValNoForDeletion
   */
  markUnused(v: ValueId): void {
    this.valueDef[v] = NO_SLOT;
    if (v !== this.valueDef.length - 1) return;
    while (this.valueDef.length > 0 && this.valueDef[this.valueDef.length - 1] === NO_SLOT) this.valueDef.pop();
  }

  /**
   * Takes all of another range in, which is of no use afterwards. `mine`, `others`: by value the number that it has in the joined range, whose
   * definitions are `defs`. Segments of different values do not overlap. O(segments)
   * @llvm LiveInterval.cpp LiveRange::join
   */
  join(other: LiveRange, mine: ArrayLike<ValueId>, others: ArrayLike<ValueId>, defs: SlotRef[]): void {
    const { slots } = this;
    const parts = [this as LiveRange, other];
    const renamed = [mine, others];
    const at = [0, 0];
    const [start, end, value]: [SlotRef[], SlotRef[], ValueId[]] = [[], [], []];
    for (;;) {
      const hasOwn = at[0] < this.size;
      const hasOther = at[1] < other.size;
      if (!hasOwn && !hasOther) break;
      const from = hasOwn && (!hasOther || !slots.isBefore(other.start[at[1]], this.start[at[0]])) ? 0 : 1;
      const range = parts[from];
      const s = at[from]++;
      const v = renamed[from][range.value[s]];
      const last = start.length - 1;
      if (last >= 0 && value[last] === v && slots.isAtOrBefore(range.start[s], end[last])) {
        if (slots.isBefore(end[last], range.end[s])) end[last] = range.end[s];
      } else {
        start.push(range.start[s]);
        end.push(range.end[s]);
        value.push(v);
      }
    }
    this.start = start;
    this.end = end;
    this.value = value;
    this.valueDef = defs;
  }

  /**
   * Whether something lives between two slots.
   * @llvm LiveInterval.cpp LiveRange::overlaps
   */
  livesWithin(from: SlotRef, to: SlotRef): boolean {
    const s = this.find(from);
    return s < this.size && this.slots.isBefore(this.start[s], to);
  }

  /**
   * Numbers the values anew, in the order of their first segments; values without segments go.
   * @llvm LiveInterval.cpp LiveRange::RenumberValues
   */
  renumberValues(): void {
    if (this.nValues === 1 && this.size > 0) return;
    const renamed = new Array<ValueId>(this.nValues).fill(NO_VALUE);
    const defs: SlotRef[] = [];
    for (let s = 0; s < this.size; s++) {
      const v = this.value[s];
      if (renamed[v] === NO_VALUE) renamed[v] = defs.push(this.valueDef[v]) - 1;
      this.value[s] = renamed[v];
    }
    this.valueDef = defs;
  }

  // -- lists -----------------------------------------------------------------------------------------------------

  /** Appends a segment after all others. */
  push(start: SlotRef, end: SlotRef, v: ValueId): void {
    if (this.start.length === 0) {
      this.start = [start];
      this.end = [end];
      this.value = [v];
      return;
    }
    this.start.push(start);
    this.end.push(end);
    this.value.push(v);
  }

  insertAt(s: number, start: SlotRef, end: SlotRef, v: ValueId): void {
    if (s === this.size) {
      this.push(start, end, v);
      return;
    }
    insert(this.start, s, start);
    insert(this.end, s, end);
    insert(this.value, s, v);
  }

  removeAt(s: number, n: number): void {
    if (n === 0) return;
    drop(this.start, s, n);
    drop(this.end, s, n);
    drop(this.value, s, n);
  }

  /** Moves the end of segment s back to `end`; what it reaches of its own value it takes in. */
  private extendEnd(s: number, end: SlotRef): void {
    const { slots } = this;
    let behind = s + 1;
    let last = end;
    while (behind < this.size && slots.isAtOrBefore(this.start[behind], last)) {
      if (this.value[behind] !== this.value[s]) {
        invariant(this.start[behind] === last, 'segments of two values do not overlap');
        break;
      }
      if (slots.isBefore(last, this.end[behind])) last = this.end[behind];
      behind++;
    }
    this.end[s] = last;
    this.removeAt(s + 1, behind - s - 1);
  }

  /** What is wrong with the range, null if nothing: order, empty or mergeable segments, values without definition. */
  fault(): string | null {
    const { slots } = this;
    for (let s = 0; s < this.size; s++) {
      if (!slots.isBefore(this.start[s], this.end[s])) return `segment ${s} is empty`;
      if (this.value[s] >= this.nValues || this.isUnused(this.value[s])) return `segment ${s} has no value`;
      if (s === 0) continue;
      if (!slots.isAtOrBefore(this.end[s - 1], this.start[s])) return `segment ${s} overlaps the one before`;
      if (this.end[s - 1] === this.start[s] && this.value[s - 1] === this.value[s]) return `segment ${s} goes on`;
    }
    return null;
  }

  /**
   * Segments and values alone, without parts: `[16r,48r:0)[64r,80d:1) 0@16r 1@64r`.
   * @llvm LiveInterval.cpp LiveRange::print
   */
  printRange(): string {
    if (this.isEmpty && this.nValues === 0) return 'EMPTY';
    const segments = this.start.map(
      (at, s) => `[${this.slots.print(at)},${this.slots.print(this.end[s])}:${this.value[s]})`,
    );
    const values = this.valueDef.map((def, v) =>
      def === NO_SLOT ? `${v}@x` : `${v}@${this.slots.print(def)}${this.isPhi(v) ? '-phi' : ''}`,
    );
    return `${this.isEmpty ? 'EMPTY' : segments.join('')} ${values.join(' ')}`;
  }

  /** As LLVM prints it. */
  print(): string {
    return this.printRange();
  }
}

/** LLVM's text of a set of lanes. */
export const printLanes = (lo: number, hi: number): string =>
  [hi, lo].map((half) => (half >>> 0).toString(16).toUpperCase().padStart(8, '0')).join('');

/**
 * The part of a register's interval that speaks of some of its lanes.
 * @llvm LiveInterval.h LiveInterval::SubRange
 */
export class SubRange extends LiveRange {
  constructor(
    slots: SlotList,
    public laneLo: number,
    public laneHi: number,
  ) {
    super(slots);
  }
}

/** @llvm LiveInterval.h LiveInterval */
export class LiveInterval extends LiveRange {
  /** in LLVM's order; none when the lanes are not told apart */
  subRanges: readonly SubRange[] = NO_PARTS;
  /** spill weight; Infinity = never to be spilled */
  weight = 0;

  constructor(
    slots: SlotList,
    readonly vreg: VRegId,
  ) {
    super(slots);
  }

  /**
   * A new sub-range, which LLVM puts before the others.
   * @llvm LiveInterval.h LiveInterval::createSubRange
   */
  addSubRange(laneLo: number, laneHi: number, like: LiveRange | null = null): SubRange {
    const sub = new SubRange(this.slots, laneLo, laneHi);
    if (like !== null) sub.assign(like);
    this.subRanges = this.subRanges.length === 0 ? [sub] : [sub, ...this.subRanges];
    return sub;
  }

  /**
   * As LLVM prints an interval, without its weight.
   * @llvm LiveInterval.cpp LiveInterval::print
   */
  override print(): string {
    const parts = this.subRanges.map((sub) => `L${printLanes(sub.laneLo, sub.laneHi)} ${sub.printRange()}`);
    return [this.printRange(), ...parts].join('  ');
  }

  /** @llvm LiveInterval.cpp LiveInterval::removeEmptySubRanges */
  removeEmptySubRanges(): void {
    if (this.subRanges.some((s) => s.isEmpty)) this.subRanges = this.subRanges.filter((s) => !s.isEmpty);
  }
}
