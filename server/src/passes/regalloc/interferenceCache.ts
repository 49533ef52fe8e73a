/**
 * From where to where a physical register is taken in each block (InterferenceCache of LLVM 22): found for a unit and a block when first asked for, and
 * kept by unit until something is assigned or taken away there.
 */
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import type { BlockId } from '../../model/machineFunction.js';
import type { PhysReg, RegUnit } from '../../target/api.js';
import type { LiveRegMatrix, UnitUnion } from './matrix.js';
import type { AllocState } from './state.js';

/** Numbers that all units keep together at most. */
const MOST_KEPT = 1 << 22;

interface Segments {
  readonly start: readonly SlotRef[];
  readonly end: readonly SlotRef[];
}

class UnitBlocks {
  /** by block: for which state of the unit it was found, the first slot and the last one that is taken, or ends there */
  readonly found: Int32Array;
  readonly first: Int32Array;
  readonly last: Int32Array;
  private now = 0;
  private changes = -1;
  private fixedChanges = -1;

  constructor(
    nBlocks: number,
    private readonly union: UnitUnion,
    private fixed: LiveRange,
    private readonly slots: SlotList,
  ) {
    this.found = new Int32Array(nBlocks);
    this.first = new Int32Array(nBlocks);
    this.last = new Int32Array(nBlocks);
  }

  /** Forgets what does not hold any more. */
  revalidate(fixed: LiveRange, fixedChanges: number): void {
    if (this.changes === this.union.changes && this.fixed === fixed && this.fixedChanges === fixedChanges) return;
    this.changes = this.union.changes;
    this.fixed = fixed;
    this.fixedChanges = fixedChanges;
    this.now++;
  }

  find(b: BlockId): void {
    if (this.found[b] === this.now) return;
    this.found[b] = this.now;
    this.first[b] = this.last[b] = NO_SLOT;
    this.findIn(this.union, b);
    this.findIn(this.fixed, b);
  }

  private findIn({ start, end }: Segments, b: BlockId): void {
    if (end.length === 0) return;
    const { slots } = this;
    const from = slots.number(slots.startOf(b));
    const to = slots.number(slots.endOf(b));
    const s = firstEndingBehind(end, from, slots);
    if (s === end.length || slots.number(start[s]) >= to) return;
    if (this.first[b] === NO_SLOT || slots.isBefore(start[s], this.first[b])) this.first[b] = start[s];
    // the last one that starts in front of the block's end
    let hi = end.length;
    let lo = s;
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (slots.number(start[mid]) < to) lo = mid;
      else hi = mid;
    }
    if (this.last[b] === NO_SLOT || slots.isBefore(this.last[b], end[lo])) this.last[b] = end[lo];
  }
}

export class InterferenceCache {
  private units: (UnitBlocks | undefined)[] = [];
  private nKept = 0;
  /** by block, one more than there are: the first mask of a call at its start or behind it */
  private readonly firstMask: Int32Array;

  constructor(
    private readonly state: AllocState,
    private readonly matrix: LiveRegMatrix,
  ) {
    const { slots, regMaskSlots, fn } = state;
    const nBlocks = fn.blocks.length;
    this.firstMask = new Int32Array(nBlocks + 1).fill(regMaskSlots.length);
    for (let b = 0, m = 0; b < nBlocks; b++) {
      while (m < regMaskSlots.length && slots.isBefore(regMaskSlots[m], slots.startOf(b))) m++;
      this.firstMask[b] = m;
    }
  }

  /** What is in the way of a register, as of now. */
  of(reg: PhysReg): RegInterference {
    const { tables } = this.state;
    if (this.nKept > MOST_KEPT) {
      this.units = [];
      this.nKept = 0;
    }
    const taken: UnitBlocks[] = [];
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const unit = this.unit(tables.unitList[k]);
      if (unit !== null) taken.push(unit);
    }
    return new RegInterference(this.state, reg, taken, this.firstMask);
  }

  private unit(unit: RegUnit): UnitBlocks | null {
    const { units } = this.state;
    const fixed = units.of(unit);
    const union = this.matrix.union(unit);
    if (union.end.length === 0 && fixed.isEmpty) return null;
    let found = this.units[unit];
    if (found === undefined) {
      const nBlocks = this.state.fn.blocks.length;
      this.nKept += 3 * nBlocks;
      found = this.units[unit] = new UnitBlocks(nBlocks, union, fixed, this.state.slots);
    }
    found.revalidate(fixed, units.changes);
    return found;
  }
}

/** What is in the way of one register. */
export class RegInterference {
  /** of the block that was asked about last: the first slot that is taken in it, or before it on, and where the last one ends */
  first = NO_SLOT;
  last = NO_SLOT;

  constructor(
    private readonly state: AllocState,
    private readonly reg: PhysReg,
    private readonly units: readonly UnitBlocks[],
    private readonly firstMask: Int32Array,
  ) {}

  /** Whether something is in the way in block `b`: `first` and `last` say from where to where. */
  isIn(b: BlockId): boolean {
    const { slots } = this.state;
    let first = NO_SLOT;
    let last = NO_SLOT;
    for (const unit of this.units) {
      unit.find(b);
      const from = unit.first[b];
      if (from === NO_SLOT) continue;
      if (first === NO_SLOT || slots.isBefore(from, first)) first = from;
      const to = unit.last[b];
      if (last === NO_SLOT || slots.isBefore(last, to)) last = to;
    }
    this.first = first;
    this.last = last;
    if (this.firstMask[b] < this.firstMask[b + 1]) this.findMasks(b);
    return this.first !== NO_SLOT || this.last !== NO_SLOT;
  }

  /** Calls in front of what was found, and behind it. */
  private findMasks(b: BlockId): void {
    const { slots, regMaskSlots } = this.state;
    const [from, to] = [this.firstMask[b], this.firstMask[b + 1]];
    for (let m = from; m < to; m++) {
      if (this.first !== NO_SLOT && !slots.isBefore(regMaskSlots[m], this.first)) break;
      if (this.survives(m)) continue;
      this.first = regMaskSlots[m];
      break;
    }
    for (let m = to - 1; m >= from; m--) {
      const at = SlotList.at(regMaskSlots[m], Slot.Dead);
      if (!slots.isBefore(this.last === NO_SLOT ? slots.startOf(b) : this.last, at)) break;
      if (this.survives(m)) continue;
      this.last = at;
      break;
    }
  }

  private survives(mask: number): boolean {
    return ((this.state.regMaskBits[mask][this.reg >>> 5] >>> (this.reg & 31)) & 1) !== 0;
  }
}

/** The first segment whose end lies behind a number. */
export function firstEndingBehind(end: readonly SlotRef[], at: number, slots: SlotList): number {
  let lo = 0;
  let hi = end.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (slots.number(end[mid]) <= at) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
