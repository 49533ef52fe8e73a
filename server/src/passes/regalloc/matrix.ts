/**
 * Which virtual registers live in which register units (LiveRegMatrix of LLVM 22; docs/llvm/allocation-greedy.md, 5).
 *
 * A unit has the segments of its owners in ascending order. A register without sub-ranges puts its main range into each of its units; one with
 * them puts, into each unit, the sub-range of the unit's lanes.
 */
import { LiveRange, type LiveInterval, type SubRange } from '../../analysis/edit/liveRange.js';
import type { IntervalEditor } from '../../analysis/edit/intervalEditor.js';
import type { SlotList, SlotRef } from '../../analysis/edit/slotList.js';
import type { UnitRanges } from './unitRanges.js';
import { Slot } from '../../analysis/slotIndexes.js';
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import { isPreserved } from '../../model/regMask.js';
import { isVirtualReg, NO_REG, virtReg, type Reg } from '../../model/register.js';
import type { PhysReg, RegUnit, TargetTables } from '../../target/api.js';

export const enum Interference {
  Free,
  /** another virtual register has it */
  Virtual,
  /** physical registers of the code are in the way */
  Fixed,
  /** a call overwrites it */
  Mask,
}

/** Segments that a unit has room for at first. */
const FIRST_ROOM = 16;

/**
 * Segments of one unit, each with the register that it belongs to; in columns, so that the tail moves as a whole.
 * @llvm LiveIntervalUnion.cpp LiveIntervalUnion
 */
export class UnitUnion {
  /** of these the first `size` count */
  start: Int32Array = new Int32Array(FIRST_ROOM);
  end: Int32Array = new Int32Array(FIRST_ROOM);
  owner: Int32Array = new Int32Array(FIRST_ROOM);
  size = 0;
  /** the segment that was met last: a guess, since others may have come before it */
  private metLast = 0;
  /** who is told what was added or taken out */
  watcher: { changed(range: LiveRange): void } | null = null;

  /** `unit`: one that it is of */
  constructor(
    private readonly slots: SlotList,
    readonly unit: RegUnit,
  ) {}

  copyFor(unit: RegUnit): UnitUnion {
    const copy = new UnitUnion(this.slots, unit);
    copy.start = this.start.slice();
    copy.end = this.end.slice();
    copy.owner = this.owner.slice();
    copy.size = this.size;
    return copy;
  }

  /** The first segment that ends after `at`, from segment `from` on. */
  find(at: number, from = 0): number {
    const { end, slots } = this;
    let lo = from;
    let hi = this.size;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (slots.number(end[mid]) <= at) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  /** @llvm LiveIntervalUnion.cpp LiveIntervalUnion::unify */
  add(range: LiveRange, owner: number): void {
    const { slots } = this;
    const n = range.size;
    if (n === 0) return;
    this.watcher?.changed(range);
    const size = this.size + n;
    if (size > this.end.length) this.makeRoom(size);
    const { start, end } = this;
    // from the last one on, each before what is after it
    let behind = this.size;
    for (let s = n - 1; s >= 0; s--) {
      const at = slots.number(range.start[s]);
      let to = behind;
      if (to > 0 && slots.number(start[to - 1]) > at) {
        let lo = 0;
        for (to--; lo < to;) {
          const mid = (lo + to) >> 1;
          if (slots.number(start[mid]) > at) to = mid;
          else lo = mid + 1;
        }
        move(start, to, behind, s + 1);
        move(end, to, behind, s + 1);
        move(this.owner, to, behind, s + 1);
      }
      start[to + s] = range.start[s];
      end[to + s] = range.end[s];
      this.owner[to + s] = owner;
      behind = to;
    }
    this.size = size;
  }

  private makeRoom(size: number): void {
    const room = Math.max(size, 2 * this.end.length);
    const grown = (a: Int32Array): Int32Array => {
      const b = new Int32Array(room);
      b.set(a);
      return b;
    };
    this.start = grown(this.start);
    this.end = grown(this.end);
    this.owner = grown(this.owner);
  }

  /**
   * Takes out what `owner` has between the ends of its range.
   * @llvm LiveIntervalUnion.cpp LiveIntervalUnion::extract
   */
  remove(range: LiveRange, owner: number): void {
    const { start, end, slots } = this;
    const n = range.size;
    if (n === 0) return;
    this.watcher?.changed(range);
    const last = slots.number(range.end[n - 1]);
    let to = this.find(slots.number(range.start[0]));
    let from = to;
    for (; from < this.size && slots.number(start[from]) < last; from++) {
      if (this.owner[from] === owner) continue;
      if (to !== from) {
        start[to] = start[from];
        end[to] = end[from];
        this.owner[to] = this.owner[from];
      }
      to++;
    }
    if (to === from) return;
    move(start, from, this.size, to - from);
    move(end, from, this.size, to - from);
    move(this.owner, from, this.size, to - from);
    this.size -= from - to;
  }

  /** Whether some segment overlaps the range. */
  meets(range: LiveRange): boolean {
    return this.anyOwner(range) >= 0;
  }

  /**
   * The owner of some segment that overlaps the range, -1 = none does. What was in the way of the one before is so for most.
   * @llvm LiveIntervalUnion.cpp LiveIntervalUnion::getOneVReg
   */
  anyOwner(range: LiveRange): number {
    const { start, end, slots, size } = this;
    const n = range.size;
    if (n === 0 || size === 0) return -1;
    const met = this.metLast;
    if (met < size) {
      const from = slots.number(start[met]);
      for (let s = n > 8 ? range.find(start[met]) : 0; s < n; s++) {
        if (slots.number(range.end[s]) <= from) continue;
        if (slots.number(range.start[s]) < slots.number(end[met])) return this.owner[met];
        break;
      }
    }
    let u = this.find(slots.number(range.start[0]));
    for (let s = 0; s < n && u < size;) {
      if (slots.number(start[u]) >= slots.number(range.end[s])) {
        // the range lags behind: on to its first segment that ends after the unit's
        s = n - s > 8 ? Math.max(s + 1, range.find(start[u])) : s + 1;
        continue;
      }
      const from = slots.number(range.start[s]);
      if (slots.number(end[u]) > from) {
        this.metLast = u;
        return this.owner[u];
      }
      u = this.find(from, u + 1);
    }
    return -1;
  }

  /**
   * The owners of segments that overlap the range, each once and in order, at most `most`. `seenBy` holds for each owner the number of the last search that met it.
   * @llvm LiveIntervalUnion.cpp LiveIntervalUnion::Query::collectInterferingVRegs
   */
  collect(range: LiveRange, most: number, seenBy: number[], search: number): number[] {
    const { start, end, slots, size } = this;
    const owners: number[] = [];
    const n = range.size;
    if (n === 0 || size === 0) return owners;
    let u = this.find(slots.number(range.start[0]));
    for (let s = 0; s < n && u < size;) {
      if (slots.number(start[u]) >= slots.number(range.end[s])) {
        s++;
        continue;
      }
      if (slots.number(end[u]) > slots.number(range.start[s])) {
        const owner = this.owner[u++];
        if (seenBy[owner] === search) continue;
        seenBy[owner] = search;
        if (owners.push(owner) >= most) break;
      } else u = this.find(slots.number(range.start[s]), u + 1);
    }
    return owners;
  }
}

/** Moves entries [from, to) by `by`; short stretches without the call. */
function move(list: Int32Array, from: number, to: number, by: number): void {
  if (to - from > 24) list.copyWithin(from + by, from, to);
  else if (by > 0) for (let k = to - 1; k >= from; k--) list[k + by] = list[k];
  else for (let k = from; k < to; k++) list[k + by] = list[k];
}

/** By unit, 1 = the next unit is the other half of the same 32 bits; one per set of tables. */
const halvesOf = new WeakMap<TargetTables, Uint8Array>();

function lowerHalves(tables: TargetTables): Uint8Array {
  const known = halvesOf.get(tables);
  if (known !== undefined) return known;
  const { unitBegin, unitEnd, unitList } = tables;
  const isLower = new Uint8Array(tables.nRegUnits + 1);
  for (let reg = 1; reg < tables.nRegs; reg++) {
    const unit = unitList[unitBegin[reg]];
    if (unitEnd[reg] - unitBegin[reg] !== 2 || unitList[unitBegin[reg] + 1] !== unit + 1) continue;
    if (isLower[unit + 1] === 0 && (unit === 0 || isLower[unit - 1] === 0)) isLower[unit] = 1;
  }
  halvesOf.set(tables, isLower);
  return isLower;
}

const NOBODY: readonly number[] = [];

/** The part of a VirtRegMap that says what each virtual register got. */
interface AssignedRegs {
  readonly phys: PhysReg[];
  physOf(v: number): PhysReg;
}

/** What a matrix is about. */
export interface MatrixContext {
  readonly fn: MachineFunction;
  readonly tables: TargetTables;
  readonly slots: SlotList;
  readonly lis: IntervalEditor;
  readonly units: UnitRanges;
  readonly opcodes: { readonly copy: number };
  readonly regMaskSlots: readonly SlotRef[];
  readonly regMaskBits: readonly Uint32Array[];
  readonly map: AssignedRegs;
  part(reg: PhysReg, sub: number): PhysReg;
}

/** @llvm LiveRegMatrix.cpp LiveRegMatrix */
export class LiveRegMatrix {
  /** the halves of 32 bits share one as long as they have had the same */
  private readonly unions: (UnitUnion | undefined)[] = [];
  private readonly isLowerHalf: Uint8Array;
  /** registers that survive the calls that `maskOf` lives across, null = it lives across none */
  private usable: Uint32Array | null = null;
  private maskOf = -1;
  /** segments where `maskOf` was asked about: another interval object or size asks again */
  private maskRange: LiveInterval | null = null;
  /** the interval that `met` is about; null: what was known has changed */
  private metBy: LiveInterval | null = null;
  private metSize = -1;
  /** by part of that interval (from 1 on) and the unit of a union: the question for which it was answered, negative = something is there */
  private readonly met: (Int32Array | undefined)[] = [];
  /** of its main range, by unit of a union: the same, and an owner that it meets */
  private readonly ownerFor: Int32Array;
  private readonly ownerOf: Int32Array;
  private question = 0;
  /** the unit in which the interval of now met something last: most registers that come next have it, too */
  private lastMet = -1;
  /** and that in which its owner weighed too much */
  private lastHeavy = -1;
  /** by register: for which state of the code's physical registers none of them was found in its way, whatever asks */
  private readonly clearFor: Int32Array;
  /** by unit of a register the part that lies in it, -1 = none: for which question, and for registers with which lanes */
  private readonly parts: number[] = [];
  private partsOf = -1;
  private partsAt = -1;
  private nParts = 0;
  private readonly seenBy: number[] = [];
  private nSearches = 0;

  private readonly map: AssignedRegs;

  constructor(private readonly state: MatrixContext) {
    this.map = state.map;
    this.ownerFor = new Int32Array(state.tables.nRegUnits);
    this.ownerOf = new Int32Array(state.tables.nRegUnits);
    this.clearFor = new Int32Array(state.tables.nRegs).fill(-1);
    this.isLowerHalf = lowerHalves(state.tables);
  }

  knownUnion(unit: RegUnit): UnitUnion | null {
    return this.unions[unit] ?? null;
  }

  /** The union of a unit for something that its other half does not have. */
  private ownUnion(unit: RegUnit): UnitUnion {
    const { unions, isLowerHalf } = this;
    const union = unions[unit];
    if (union === undefined) return (unions[unit] = new UnitUnion(this.state.slots, unit));
    if (isLowerHalf[unit] !== 0 && unions[unit + 1] === union) unions[unit + 1] = union.copyFor(unit + 1);
    else if (unit > 0 && isLowerHalf[unit - 1] !== 0 && unions[unit - 1] === union)
      return (unions[unit] = union.copyFor(unit));
    return union;
  }

  /** Puts what lives in each unit of a register into its union, or takes it out. */
  private change(v: number, reg: PhysReg, isAdded: boolean): void {
    const { unions, isLowerHalf, state } = this;
    const { unitBegin, unitEnd, unitList } = state.tables;
    const interval = state.lis.interval(v);
    const begin = unitBegin[reg];
    const end = unitEnd[reg];
    for (let k = begin; k < end; k++) {
      const unit = unitList[k];
      const range = this.slice(interval, reg, k - begin);
      let union: UnitUnion;
      if (
        isLowerHalf[unit] !== 0 &&
        k + 1 < end &&
        unitList[k + 1] === unit + 1 &&
        unions[unit] === unions[unit + 1] &&
        this.slice(interval, reg, k + 1 - begin) === range
      ) {
        k++;
        if (range === null) continue;
        union = unions[unit] ??= unions[unit + 1] = new UnitUnion(state.slots, unit);
      } else if (range === null) continue;
      else union = this.ownUnion(unit);
      if (isAdded) union.add(range, v);
      else union.remove(range, v);
    }
  }

  /** The part of an interval that lies in unit number `k` of a register, null = none. */
  slice(interval: LiveInterval, reg: PhysReg, k: number): LiveRange | null {
    if (interval.subRanges.length === 0) return interval;
    const { tables } = this.state;
    const at = tables.unitLaneBegin(reg) + k;
    const lo = tables.unitLaneLo[at];
    const hi = tables.unitLaneHi[at];
    for (const sub of interval.subRanges) if ((sub.laneLo & lo) !== 0 || (sub.laneHi & hi) !== 0) return sub;
    return null;
  }

  /** @llvm LiveRegMatrix.cpp LiveRegMatrix::assign */
  assign(v: number, reg: PhysReg): void {
    this.metBy = null;
    this.map.phys[v] = reg;
    this.change(v, reg, true);
  }

  /** @llvm LiveRegMatrix.cpp LiveRegMatrix::unassign */
  unassign(v: number): void {
    const reg = this.map.physOf(v);
    this.metBy = null;
    this.map.phys[v] = NO_REG;
    this.change(v, reg, false);
  }

  /**
   * Whether some virtual register has a part of it now.
   * @llvm LiveRegMatrix.cpp LiveRegMatrix::isPhysRegUsed
   */
  isUsed(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.state.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const union = this.unions[unitList[k]];
      if (union !== undefined && union.size > 0) return true;
    }
    return false;
  }

  /**
   * Intervals have changed: what was found out about the last one may not hold.
   * @llvm LiveRegMatrix.h LiveRegMatrix::invalidateVirtRegs
   */
  invalidate(): void {
    this.maskOf = -1;
    this.metBy = null;
  }

  /** @llvm LiveRegMatrix.cpp LiveRegMatrix::checkInterference */
  check(v: number, reg: PhysReg): Interference {
    const interval = this.state.lis.interval(v);
    if (interval.isEmpty) return Interference.Free;
    if (this.isClobbered(v, reg)) return Interference.Mask;
    if (this.meetsFixed(v, reg)) return Interference.Fixed;
    this.ask(interval);
    return this.meetsVirtual(interval, reg) ? Interference.Virtual : Interference.Free;
  }

  /** The first register of a list that is free where `v` lives: its place, -1 = none is. */
  firstFree(v: number, list: readonly PhysReg[]): number {
    const interval = this.state.lis.interval(v);
    if (interval.isEmpty) return list.length === 0 ? -1 : 0;
    const usable = this.usableAcrossCalls(v);
    const { clearFor } = this;
    const { units } = this.state;
    this.ask(interval);
    for (let k = 0; k < list.length; k++) {
      const reg = list[k];
      if (usable !== null && !isPreserved(usable, reg)) continue;
      if (clearFor[reg] !== units.version && this.meetsFixed(v, reg)) continue;
      if (!this.meetsVirtual(interval, reg)) return k;
    }
    return -1;
  }

  private ask(interval: LiveInterval): void {
    if (this.metBy === interval && this.metSize === interval.size) return;
    this.metBy = interval;
    this.metSize = interval.size;
    this.question++;
    this.lastMet = this.lastHeavy = -1;
  }

  /** Whether physical registers of the code, or calls, are in the way. */
  isBlocked(v: number, reg: PhysReg): boolean {
    return !this.state.lis.interval(v).isEmpty && (this.isClobbered(v, reg) || this.meetsFixed(v, reg));
  }

  /**
   * Whether a virtual register lives in the register where the interval of now does. Tuples share units, and are asked about one after the other: first
   * the unit that was in the way last, then from the end on, so that what is in the way of one is so for as many of the next ones as can be.
   */
  private meetsVirtual(interval: LiveInterval, reg: PhysReg): boolean {
    const { unions, parts } = this;
    const { tables } = this.state;
    const { unitList } = tables;
    const begin = tables.unitBegin[reg];
    const end = tables.unitEnd[reg];
    const hasParts = interval.subRanges.length > 0;
    if (hasParts) this.findParts(interval, reg, end - begin);
    const known = this.lastMet;
    const at = begin + known - unitList[begin];
    if (known >= 0 && begin <= at && at < end && unitList[at] === known) {
      if (this.meetsIn(interval, hasParts ? parts[at - begin] : 0, unions[known]!)) return true;
    }
    let last: UnitUnion | undefined;
    let lastPart = -1;
    for (let k = end - 1; k >= begin; k--) {
      const union = unions[unitList[k]];
      if (union === undefined || union.size === 0) continue;
      const part = hasParts ? parts[k - begin] : 0;
      if (part < 0 || (union === last && part === lastPart)) continue;
      if (this.meetsIn(interval, part, union)) {
        this.lastMet = unitList[k];
        return true;
      }
      last = union;
      lastPart = part;
    }
    return false;
  }

  /** Whether a part of the interval of now, 0 = its main range, meets something in a union. */
  private meetsIn(interval: LiveInterval, part: number, union: UnitUnion): boolean {
    if (part < 0) return false;
    if (part === 0) return this.ownerIn(interval, union) >= 0;
    const { question } = this;
    const met = (this.met[part] ??= new Int32Array(this.state.tables.nRegUnits));
    const found = met[union.unit];
    if (found === question || found === -question) return found < 0;
    const meets = union.meets(interval.subRanges[part - 1]);
    met[union.unit] = meets ? -question : question;
    return meets;
  }

  /** An owner in a union that the main range of the interval of now meets, -1 = none. */
  private ownerIn(interval: LiveInterval, union: UnitUnion): number {
    const { unit } = union;
    if (this.ownerFor[unit] !== this.question) {
      this.ownerFor[unit] = this.question;
      this.ownerOf[unit] = union.anyOwner(interval);
    }
    return this.ownerOf[unit];
  }

  /** Which part of the interval lies in each of the `n` units of a register: registers of a class have their lanes alike. */
  private findParts(interval: LiveInterval, reg: PhysReg, n: number): void {
    const at = this.state.tables.unitLaneBegin(reg);
    if (this.partsOf === this.question && this.partsAt === at && this.nParts === n) return;
    this.partsOf = this.question;
    this.partsAt = at;
    this.nParts = n;
    for (let k = 0; k < n; k++) {
      const range = this.slice(interval, reg, k);
      this.parts[k] = range === null ? -1 : interval.subRanges.indexOf(range as SubRange) + 1;
    }
  }

  /**
   * Whether a call that `v` lives across overwrites the register.
   * @llvm LiveRegMatrix.cpp LiveRegMatrix::checkRegMaskInterference
   */
  isClobbered(v: number, reg: PhysReg): boolean {
    const usable = this.usableAcrossCalls(v);
    return usable !== null && !isPreserved(usable, reg);
  }

  /**
   * The registers that all calls preserve which `v` lives across; null when it lives across none.
   * @llvm LiveIntervals.cpp LiveIntervals::checkRegMaskInterference
   */
  usableAcrossCalls(v: number): Uint32Array | null {
    const { state } = this;
    const interval = state.lis.interval(v);
    if (this.maskOf === v && this.maskRange === interval) return this.usable;
    this.maskOf = v;
    this.maskRange = interval;
    this.usable = this.preservedAcross(interval);
    return this.usable;
  }

  private preservedAcross(range: LiveRange): Uint32Array | null {
    const { slots, regMaskSlots, regMaskBits } = this.state;
    let usable: Uint32Array | null = null;
    for (let s = 0, m = 0; s < range.size && m < regMaskSlots.length; s++) {
      // the first mask at or after the segment's start
      let hi = regMaskSlots.length;
      while (m < hi) {
        const mid = (m + hi) >> 1;
        if (slots.isBefore(regMaskSlots[mid], range.start[s])) m = mid + 1;
        else hi = mid;
      }
      for (; m < regMaskSlots.length && slots.isBefore(regMaskSlots[m], range.end[s]); m++) {
        const bits = regMaskBits[m];
        if (usable === null) usable = bits.slice();
        else for (let w = 0; w < bits.length; w++) usable[w] &= bits[w];
      }
    }
    return usable;
  }

  /** Whether a register is free wherever a range lives that is no virtual register's: that of a stack slot. */
  isFreeFor(range: LiveRange, reg: PhysReg): boolean {
    if (range.isEmpty) return true;
    const usable = this.preservedAcross(range);
    if (usable !== null && !isPreserved(usable, reg)) return false;
    const { units, tables } = this.state;
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const unit = tables.unitList[k];
      if (range.overlaps(units.of(unit)) || this.unions[unit]?.meets(range) === true) return false;
    }
    return true;
  }

  /** @llvm LiveRegMatrix.cpp LiveRegMatrix::checkRegUnitInterference */
  private meetsFixed(v: number, reg: PhysReg): boolean {
    const { units, tables, lis } = this.state;
    if (this.clearFor[reg] === units.version) return false;
    const { unitBegin, unitEnd, unitList } = tables;
    const interval = lis.interval(v);
    let isClear = true;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const known = units.known(unitList[k]);
      if (known !== null && known.isEmpty) continue;
      const range = this.slice(interval, reg, k - unitBegin[reg]);
      // Only a unit in which a part lives is asked about: that leaves traces.
      if (range !== null && this.overlapsFixed(range, known ?? units.of(unitList[k]), v, reg)) return true;
      isClear &&= units.known(unitList[k])?.isEmpty === true;
    }
    if (isClear) this.clearFor[reg] = units.version;
    return false;
  }

  /**
   * Two ranges may meet where one of them begins with a copy between both.
   * @llvm LiveInterval.cpp LiveRange::overlaps
   */
  private overlapsFixed(range: LiveRange, fixed: LiveRange, v: number, reg: PhysReg): boolean {
    const { slots } = this.state;
    if (range.isEmpty || fixed.isEmpty) return false;
    let f = fixed.find(range.start[0]);
    let s = f < fixed.size ? range.find(fixed.start[f]) : range.size;
    // the range may begin after the fixed segment
    while (s < range.size && f < fixed.size) {
      if (slots.isAtOrBefore(range.end[s], fixed.start[f])) {
        s++;
        continue;
      }
      if (slots.isAtOrBefore(fixed.end[f], range.start[s])) {
        f++;
        continue;
      }
      const later = slots.isBefore(range.start[s], fixed.start[f]) ? fixed.start[f] : range.start[s];
      if ((later & 3) === Slot.Block || !this.isCopyBetween(slots.instrOf(later), v, reg)) return true;
      if (slots.isBefore(range.end[s], fixed.end[f])) s++;
      else f++;
    }
    return false;
  }

  private isCopyBetween(i: InstrId, v: number, reg: PhysReg): boolean {
    const { fn, opcodes } = this.state;
    if (i < 0 || fn.opcode[i] !== opcodes.copy) return false;
    const o = fn.opBegin[i];
    let own = o;
    let other = o + 1;
    if (fn.opVal[other] === virtReg(v)) [own, other] = [other, own];
    else if (fn.opVal[own] !== virtReg(v)) return false;
    const q: Reg = fn.opVal[other];
    if (isVirtualReg(q) || q === NO_REG) return false;
    return this.state.part(q, fn.opSub[other]) === this.state.part(reg, fn.opSub[own]);
  }

  /** Whether an owner that interferes with `v` in some unit of a register is seen at once to weigh as much as that or more. */
  meetsTooHeavy(v: number, reg: PhysReg, weight: number): boolean {
    const { unions } = this;
    const { tables, lis } = this.state;
    const interval = lis.interval(v);
    this.ask(interval);
    const begin = tables.unitBegin[reg];
    const end = tables.unitEnd[reg];
    // As in `meetsVirtual`: most registers share the unit that ended the search before.
    const known = this.lastHeavy;
    const at = begin + known - tables.unitList[begin];
    if (known >= 0 && begin <= at && at < end && tables.unitList[at] === known) {
      const x = this.ownerIn(interval, unions[known]!);
      if (x >= 0 && lis.interval(x).weight >= weight) return true;
    }
    let last: UnitUnion | undefined;
    for (let k = end - 1; k >= begin; k--) {
      const union = unions[tables.unitList[k]];
      if (union === undefined || union.size === 0 || union === last) continue;
      last = union;
      const x = this.ownerIn(interval, union);
      if (x < 0 || lis.interval(x).weight < weight) continue;
      this.lastHeavy = tables.unitList[k];
      return true;
    }
    return false;
  }

  /**
   * Owners that interfere with `v` in a unit, in the order of their first segments that do: the first `most` of them.
   * @llvm LiveRegMatrix.cpp LiveRegMatrix::query
   */
  interfering(v: number, unit: RegUnit, most = Infinity): readonly number[] {
    const union = this.unions[unit];
    if (union === undefined || union.size === 0) return NOBODY;
    return union.collect(this.state.lis.interval(v), most, this.seenBy, ++this.nSearches);
  }
}
