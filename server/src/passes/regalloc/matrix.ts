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

/** Segments of one unit, each with the register that it belongs to. */
export class UnitUnion {
  readonly start: SlotRef[] = [];
  readonly end: SlotRef[] = [];
  readonly owner: number[] = [];
  /** how often something was added or taken out */
  changes = 0;

  constructor(private readonly slots: SlotList) {}

  /** The first segment that ends behind `at`, from segment `from` on. */
  find(at: number, from = 0): number {
    const { end, slots } = this;
    let lo = from;
    let hi = end.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (slots.number(end[mid]) <= at) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  add(range: LiveRange, owner: number): void {
    const { start, end, slots } = this;
    const n = range.size;
    if (n === 0) return;
    this.changes++;
    // from the end on, until all of them have their places
    let from = end.length - 1;
    let to = from + n;
    for (let s = 0; s < n; s++) this.push(0, 0, owner);
    for (let s = n - 1; s >= 0; to--) {
      if (from >= 0 && slots.number(start[from]) > slots.number(range.start[s])) {
        start[to] = start[from];
        end[to] = end[from];
        this.owner[to] = this.owner[from--];
      } else {
        start[to] = range.start[s];
        end[to] = range.end[s--];
        this.owner[to] = owner;
      }
    }
  }

  private push(start: SlotRef, end: SlotRef, owner: number): void {
    this.start.push(start);
    this.end.push(end);
    this.owner.push(owner);
  }

  private pop(): void {
    this.start.pop();
    this.end.pop();
    this.owner.pop();
  }

  /** Takes out what `owner` has between the ends of its range. */
  remove(range: LiveRange, owner: number): void {
    const { start, end, slots } = this;
    const n = range.size;
    if (n === 0) return;
    this.changes++;
    const first = this.find(slots.number(range.start[0]));
    const last = slots.number(range.end[n - 1]);
    let to = first;
    let from = first;
    for (; from < end.length && slots.number(start[from]) < last; from++) {
      if (this.owner[from] === owner) continue;
      start[to] = start[from];
      end[to] = end[from];
      this.owner[to++] = this.owner[from];
    }
    if (to === from) return;
    for (; from < end.length; from++) {
      start[to] = start[from];
      end[to] = end[from];
      this.owner[to++] = this.owner[from];
    }
    for (; from > to; from--) this.pop();
  }

  /** Whether some segment overlaps the range. */
  meets(range: LiveRange): boolean {
    return this.firstOwner(range) >= 0;
  }

  /** The owner of the first segment that overlaps the range, -1 = none does. */
  firstOwner(range: LiveRange): number {
    const { start, end, slots } = this;
    const n = range.size;
    if (n === 0 || end.length === 0) return -1;
    let u = this.find(slots.number(range.start[0]));
    for (let s = 0; s < n && u < end.length;) {
      if (slots.number(start[u]) >= slots.number(range.end[s])) {
        // the range is behind: on to its first segment that ends behind the unit's
        s = n - s > 8 ? Math.max(s + 1, range.find(start[u])) : s + 1;
        continue;
      }
      const from = slots.number(range.start[s]);
      if (slots.number(end[u]) > from) return this.owner[u];
      u = this.find(from, u + 1);
    }
    return -1;
  }

  /** The owners of segments that overlap the range, each once and in order, at most `most`. `seenBy` holds for each owner the number of the last search that met it. */
  collect(range: LiveRange, most: number, seenBy: number[], search: number): number[] {
    const { start, end, slots } = this;
    const owners: number[] = [];
    const n = range.size;
    if (n === 0 || end.length === 0) return owners;
    let u = this.find(slots.number(range.start[0]));
    for (let s = 0; s < n && u < end.length;) {
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

const NOBODY: readonly number[] = [];

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
  phys: number[];
  physOf(v: number): PhysReg;
  part(reg: PhysReg, sub: number): PhysReg;
}

export class LiveRegMatrix {
  private readonly unions: (UnitUnion | undefined)[] = [];
  /** registers that survive the calls that `maskOf` lives across, null = it lives across none */
  private usable: Uint32Array | null = null;
  private maskOf = -1;
  /** segments where `maskOf` was asked about: another interval object or size asks again */
  private maskRange: LiveInterval | null = null;
  /** the interval that `met` is about; null: what was known has changed */
  private metBy: LiveInterval | null = null;
  private metSize = -1;
  /** by part of that interval (from 1 on) and unit: the question for which it was answered, negative = something is there */
  private readonly met: (Int32Array | undefined)[] = [];
  /** of its main range, by unit: the same, and the first owner that it meets */
  private readonly ownerFor: Int32Array;
  private readonly ownerOf: Int32Array;
  private question = 0;
  /** by unit of a register the part that lies in it, -1 = none: for which question, and for registers with which lanes */
  private readonly parts: number[] = [];
  private partsOf = -1;
  private partsAt = -1;
  private nParts = 0;
  private readonly seenBy: number[] = [];
  private nSearches = 0;

  constructor(private readonly state: MatrixContext) {
    this.ownerFor = new Int32Array(state.tables.nRegUnits);
    this.ownerOf = new Int32Array(state.tables.nRegUnits);
  }

  union(unit: RegUnit): UnitUnion {
    return (this.unions[unit] ??= new UnitUnion(this.state.slots));
  }

  knownUnion(unit: RegUnit): UnitUnion | null {
    return this.unions[unit] ?? null;
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

  assign(v: number, reg: PhysReg): void {
    const { state } = this;
    const { unitBegin, unitEnd, unitList } = state.tables;
    this.metBy = null;
    state.phys[v] = reg;
    const interval = state.lis.interval(v);
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const range = this.slice(interval, reg, k - unitBegin[reg]);
      if (range !== null) this.union(unitList[k]).add(range, v);
    }
  }

  unassign(v: number): void {
    const { state } = this;
    const { unitBegin, unitEnd, unitList } = state.tables;
    const reg = state.physOf(v);
    this.metBy = null;
    state.phys[v] = NO_REG;
    const interval = state.lis.interval(v);
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const range = this.slice(interval, reg, k - unitBegin[reg]);
      if (range !== null) this.union(unitList[k]).remove(range, v);
    }
  }

  /** Whether some virtual register has a part of it now. */
  isUsed(reg: PhysReg): boolean {
    const { unitBegin, unitEnd, unitList } = this.state.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const union = this.unions[unitList[k]];
      if (union !== undefined && union.end.length > 0) return true;
    }
    return false;
  }

  /** Intervals have changed: what was found out about the last one may not hold. */
  invalidate(): void {
    this.maskOf = -1;
    this.metBy = null;
  }

  check(v: number, reg: PhysReg): Interference {
    const interval = this.state.lis.interval(v);
    if (interval.isEmpty) return Interference.Free;
    if (this.isClobbered(v, reg)) return Interference.Mask;
    if (this.meetsFixed(v, reg)) return Interference.Fixed;
    this.ask(interval);
    return this.meetsVirtual(interval, reg) ? Interference.Virtual : Interference.Free;
  }

  private ask(interval: LiveInterval): void {
    if (this.metBy === interval && this.metSize === interval.size) return;
    this.metBy = interval;
    this.metSize = interval.size;
    this.question++;
  }

  /** Whether physical registers of the code, or calls, are in the way. */
  isBlocked(v: number, reg: PhysReg): boolean {
    return !this.state.lis.interval(v).isEmpty && (this.isClobbered(v, reg) || this.meetsFixed(v, reg));
  }

  /** Whether a virtual register lives in the register where the interval of now does. Tuples share units, and are asked about one after the other. */
  private meetsVirtual(interval: LiveInterval, reg: PhysReg): boolean {
    const { question, unions, parts } = this;
    const { tables } = this.state;
    const { unitList } = tables;
    const { subRanges } = interval;
    const begin = tables.unitBegin[reg];
    const end = tables.unitEnd[reg];
    if (subRanges.length > 0) this.findParts(interval, reg, end - begin);
    for (let k = begin; k < end; k++) {
      const unit = unitList[k];
      const union = unions[unit];
      if (union === undefined || union.end.length === 0) continue;
      const part = subRanges.length === 0 ? 0 : parts[k - begin];
      if (part < 0) continue;
      if (part === 0) {
        if (this.ownerIn(interval, unit, union) >= 0) return true;
        continue;
      }
      const met = (this.met[part] ??= new Int32Array(tables.nRegUnits));
      if (met[unit] !== question && met[unit] !== -question)
        met[unit] = union.meets(subRanges[part - 1]) ? -question : question;
      if (met[unit] < 0) return true;
    }
    return false;
  }

  /** The owner of the first segment in a unit that the main range of the interval of now meets, -1 = none. */
  private ownerIn(interval: LiveInterval, unit: RegUnit, union: UnitUnion): number {
    if (this.ownerFor[unit] !== this.question) {
      this.ownerFor[unit] = this.question;
      this.ownerOf[unit] = union.firstOwner(interval);
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

  /** Whether a call that `v` lives across overwrites the register. */
  isClobbered(v: number, reg: PhysReg): boolean {
    const usable = this.usableAcrossCalls(v);
    return usable !== null && ((usable[reg >>> 5] >>> (reg & 31)) & 1) === 0;
  }

  /** The registers that all calls preserve which `v` lives across; null when it lives across none. */
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
      // the first mask at or behind the segment's start
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
    if (usable !== null && ((usable[reg >>> 5] >>> (reg & 31)) & 1) === 0) return false;
    const { units, tables } = this.state;
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const unit = tables.unitList[k];
      if (range.overlaps(units.of(unit)) || this.unions[unit]?.meets(range) === true) return false;
    }
    return true;
  }

  private meetsFixed(v: number, reg: PhysReg): boolean {
    const { units, tables, lis } = this.state;
    const { unitBegin, unitEnd, unitList } = tables;
    const interval = lis.interval(v);
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const known = units.known(unitList[k]);
      if (known !== null && known.isEmpty) continue;
      const range = this.slice(interval, reg, k - unitBegin[reg]);
      // Only a unit in which a part lives is asked about: that leaves traces.
      if (range !== null && this.overlapsFixed(range, known ?? units.of(unitList[k]), v, reg)) return true;
    }
    return false;
  }

  /** Two ranges may meet where one of them begins with a copy between both. */
  private overlapsFixed(range: LiveRange, fixed: LiveRange, v: number, reg: PhysReg): boolean {
    const { slots } = this.state;
    if (range.isEmpty || fixed.isEmpty) return false;
    let f = fixed.find(range.start[0]);
    let s = f < fixed.size ? range.find(fixed.start[f]) : range.size;
    // the range may begin behind the fixed segment
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

  /** The owner of the first segment in a unit that interferes with `v`, -1 = none. */
  firstInterfering(v: number, unit: RegUnit): number {
    const union = this.unions[unit];
    if (union === undefined || union.end.length === 0) return -1;
    const interval = this.state.lis.interval(v);
    this.ask(interval);
    return this.ownerIn(interval, unit, union);
  }

  /** Owners that interfere with `v` in a unit, in the order of their first segments that do: the first `most` of them. */
  interfering(v: number, unit: RegUnit, most = Infinity): readonly number[] {
    const union = this.unions[unit];
    if (union === undefined || union.end.length === 0) return NOBODY;
    return union.collect(this.state.lis.interval(v), most, this.seenBy, ++this.nSearches);
  }
}
