/**
 * Which virtual registers live in which register units (LiveRegMatrix of LLVM 22; docs/llvm/allocation-greedy.md, 5).
 *
 * A unit has the segments of its owners in ascending order. A register without sub-ranges puts its main range into each of its units; one with
 * them puts, into each unit, the sub-range of the unit's lanes.
 */
import { LiveRange, type LiveInterval } from '../../analysis/edit/liveRange.js';
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
    const at = this.find(slots.number(range.start[0]));
    const last = slots.number(range.end[n - 1]);
    if (at === end.length || slots.number(start[at]) >= last) {
      // all between two neighbours
      start.splice(at, 0, ...range.start);
      end.splice(at, 0, ...range.end);
      this.owner.splice(at, 0, ...new Array<number>(n).fill(owner));
      return;
    }
    const tailStart = start.splice(at);
    const tailEnd = end.splice(at);
    const tailOwner = this.owner.splice(at);
    let t = 0;
    for (let s = 0; s < n; s++) {
      const from = slots.number(range.start[s]);
      while (t < tailStart.length && slots.number(tailStart[t]) < from)
        this.push(tailStart[t], tailEnd[t], tailOwner[t++]);
      this.push(range.start[s], range.end[s], owner);
    }
    while (t < tailStart.length) this.push(tailStart[t], tailEnd[t], tailOwner[t++]);
  }

  private push(start: SlotRef, end: SlotRef, owner: number): void {
    this.start.push(start);
    this.end.push(end);
    this.owner.push(owner);
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
    start.splice(to, from - to);
    end.splice(to, from - to);
    this.owner.splice(to, from - to);
  }

  /** Whether some segment overlaps the range. */
  meets(range: LiveRange): boolean {
    const { start, end, slots } = this;
    const n = range.size;
    if (n === 0 || end.length === 0) return false;
    let u = this.find(slots.number(range.start[0]));
    for (let s = 0; s < n && u < end.length;) {
      if (slots.number(start[u]) >= slots.number(range.end[s])) {
        // the range is behind: on to its first segment that ends behind the unit's
        s = n - s > 8 ? Math.max(s + 1, range.find(start[u])) : s + 1;
        continue;
      }
      const from = slots.number(range.start[s]);
      if (slots.number(end[u]) > from) return true;
      u = this.find(from, u + 1);
    }
    return false;
  }

  /** Adds the owners of segments that overlap the range to `owners`, each once and in order. */
  collect(range: LiveRange, owners: number[]): void {
    const { start, end, slots } = this;
    const n = range.size;
    if (n === 0 || end.length === 0) return;
    let u = this.find(slots.number(range.start[0]));
    for (let s = 0; s < n && u < end.length;) {
      if (slots.number(start[u]) >= slots.number(range.end[s])) {
        s++;
        continue;
      }
      if (slots.number(end[u]) > slots.number(range.start[s])) {
        if (!owners.includes(this.owner[u])) owners.push(this.owner[u]);
        u++;
      } else u = this.find(slots.number(range.start[s]), u + 1);
    }
  }
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

  constructor(private readonly state: MatrixContext) {}

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
  }

  check(v: number, reg: PhysReg): Interference {
    const interval = this.state.lis.interval(v);
    if (interval.isEmpty) return Interference.Free;
    if (this.isClobbered(v, reg)) return Interference.Mask;
    if (this.meetsFixed(v, reg)) return Interference.Fixed;
    const { unitBegin, unitEnd, unitList } = this.state.tables;
    for (let k = unitBegin[reg]; k < unitEnd[reg]; k++) {
      const union = this.unions[unitList[k]];
      if (union === undefined || union.end.length === 0) continue;
      const range = this.slice(interval, reg, k - unitBegin[reg]);
      if (range !== null && union.meets(range)) return Interference.Virtual;
    }
    return Interference.Free;
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

  /** Owners that interfere with `v` in a unit, in the order of their first segments that do. */
  interfering(v: number, unit: RegUnit): number[] {
    const owners: number[] = [];
    this.unions[unit]?.collect(this.state.lis.interval(v), owners);
    return owners;
  }
}
