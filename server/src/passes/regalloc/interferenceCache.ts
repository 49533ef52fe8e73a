/**
 * From where to where a physical register is taken in each block (InterferenceCache of LLVM 22): found for a unit and a block when first asked for, and
 * kept by unit until something is assigned or taken away there.
 */
import type { LiveRange } from '../../analysis/edit/liveRange.js';
import { NO_SLOT, SlotList, type SlotRef } from '../../analysis/edit/slotList.js';
import { Slot } from '../../analysis/slotIndexes.js';
import type { BlockId } from '../../model/machineFunction.js';
import { isPreserved } from '../../model/regMask.js';
import type { PhysReg } from '../../target/api.js';
import type { LiveRegMatrix, UnitUnion } from './matrix.js';
import type { AllocState } from './state.js';

/** Numbers that all units keep together at most. */
const MOST_KEPT = 1 << 22;

/** Where one unit, or two halves that have the same, are taken: by virtual registers, or by physical ones of the code. */
class TakenBlocks {
  /** by block: whether it was looked at, the first slot and the last one that is taken, or ends there */
  readonly found: Uint8Array;
  readonly first: Int32Array;
  readonly last: Int32Array;

  /** `isInOrder`: blocks are numbered in the order of their slots */
  constructor(
    nBlocks: number,
    readonly union: UnitUnion | null,
    readonly fixed: LiveRange | null,
    private readonly slots: SlotList,
    private readonly isInOrder: boolean,
  ) {
    this.found = new Uint8Array(nBlocks);
    this.first = new Int32Array(nBlocks);
    this.last = new Int32Array(nBlocks);
    if (union !== null) union.watcher = this;
  }

  /** Forgets what does not hold any more. */
  changed(range: LiveRange): void {
    const { found, slots } = this;
    if (!this.isInOrder) {
      found.fill(0);
      return;
    }
    for (let s = 0; s < range.size; s++) {
      const to = slots.blockOf(range.end[s]);
      for (let b = slots.blockOf(range.start[s]); b <= to; b++) found[b] = 0;
    }
  }

  find(b: BlockId): void {
    const { slots, union, fixed } = this;
    this.found[b] = 1;
    const from = slots.startOf(b);
    const to = slots.number(slots.endOf(b));
    if (union !== null) this.findIn(union.start, union.end, union.size, union.find(slots.number(from)), b, to);
    else if (fixed !== null) this.findIn(fixed.start, fixed.end, fixed.size, fixed.find(from), b, to);
  }

  /** `at`: the first segment that ends after the start of the block, `to`: number of its end */
  private findIn(
    start: ArrayLike<SlotRef>,
    end: ArrayLike<SlotRef>,
    size: number,
    at: number,
    b: BlockId,
    to: number,
  ): void {
    const { slots } = this;
    this.first[b] = this.last[b] = NO_SLOT;
    if (at === size || slots.number(start[at]) >= to) return;
    this.first[b] = start[at];
    // the last one that starts before the block's end
    let lo = at;
    let hi = size;
    // which is near as a rule
    for (let step = 1; lo + step < hi; step *= 2) {
      if (slots.number(start[lo + step]) >= to) hi = lo + step;
      else lo += step;
    }
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (slots.number(start[mid]) < to) lo = mid;
      else hi = mid;
    }
    this.last[b] = end[lo];
  }
}

/** @llvm InterferenceCache.cpp InterferenceCache */
export class InterferenceCache {
  /** by the unit of a union, and by unit what the code itself has there */
  private ofUnions: (TakenBlocks | undefined)[] = [];
  private ofCode: (TakenBlocks | undefined)[] = [];
  private codeVersion = -1;
  private nKept = 0;
  private readonly ofRegs: (RegInterference | undefined)[] = [];
  private readonly isInOrder: boolean;
  /** by block, one more than there are: the first mask of a call at its start or after it */
  private readonly firstMask: Int32Array;

  constructor(
    private readonly state: AllocState,
    private readonly matrix: LiveRegMatrix,
  ) {
    const { slots, regMaskSlots, fn } = state;
    const nBlocks = fn.blocks.length;
    this.firstMask = new Int32Array(nBlocks + 1).fill(regMaskSlots.length);
    let isInOrder = true;
    for (let b = 0, m = 0; b < nBlocks; b++) {
      while (m < regMaskSlots.length && slots.isBefore(regMaskSlots[m], slots.startOf(b))) m++;
      this.firstMask[b] = m;
      if (b > 0 && slots.isBefore(slots.startOf(b), slots.startOf(b - 1))) isInOrder = false;
    }
    this.isInOrder = isInOrder;
  }

  /**
   * What is in the way of a register, as of now; the one object of that register.
   * @llvm InterferenceCache.cpp InterferenceCache::get
   */
  of(reg: PhysReg): RegInterference {
    const { units, tables } = this.state;
    if (this.nKept > MOST_KEPT) {
      for (const kept of this.ofUnions) if (kept?.union) kept.union.watcher = null;
      this.ofUnions = [];
      this.ofCode = [];
      this.nKept = 0;
    }
    const { version } = units;
    if (this.codeVersion !== version) {
      this.ofCode = [];
      this.codeVersion = version;
    }
    const found = (this.ofRegs[reg] ??= new RegInterference(this.state, reg, this.firstMask));
    const { taken } = found;
    if (found.codeVersion !== version) this.findCode(found, reg);
    let n = found.nOfCode;
    let last: UnitUnion | null = null;
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const unit = tables.unitList[k];
      const union = this.matrix.knownUnion(unit);
      if (union === null || union === last || union.size === 0) continue;
      last = union;
      let of = this.ofUnions[union.unit];
      if (of?.union !== union) of = this.ofUnions[union.unit] = this.look(union, null);
      taken[n++] = of!;
    }
    found.nTaken = n;
    return found;
  }

  private findCode(found: RegInterference, reg: PhysReg): void {
    const { units, tables } = this.state;
    let n = 0;
    for (let k = tables.unitBegin[reg]; k < tables.unitEnd[reg]; k++) {
      const unit = tables.unitList[k];
      const fixed = units.of(unit);
      if (!fixed.isEmpty) found.taken[n++] = this.ofCode[unit] ??= this.look(null, fixed);
    }
    found.nOfCode = n;
    found.codeVersion = units.version;
  }

  private look(union: UnitUnion | null, fixed: LiveRange | null): TakenBlocks {
    const nBlocks = this.state.fn.blocks.length;
    this.nKept += 3 * nBlocks;
    return new TakenBlocks(nBlocks, union, fixed, this.state.slots, this.isInOrder);
  }
}

/**
 * What is in the way of one register.
 * @llvm InterferenceCache.cpp InterferenceCache::Entry
 */
export class RegInterference {
  /** of the block that was asked about last: the first slot that is taken in it, or before it on, and where the last one ends */
  first = NO_SLOT;
  last = NO_SLOT;
  /** the first `nTaken` are in its way, of which the first `nOfCode` are what the code had in that version */
  readonly taken: TakenBlocks[] = [];
  nTaken = 0;
  nOfCode = 0;
  codeVersion = -1;

  constructor(
    private readonly state: AllocState,
    private readonly reg: PhysReg,
    private readonly firstMask: Int32Array,
  ) {}

  /**
   * Whether something is in the way in block `b`: `first` and `last` say from where to where.
   * @llvm InterferenceCache.cpp InterferenceCache::Entry::update
   */
  isIn(b: BlockId): boolean {
    const { slots } = this.state;
    let first = NO_SLOT;
    let last = NO_SLOT;
    const { taken, nTaken } = this;
    for (let k = 0; k < nTaken; k++) {
      const unit = taken[k];
      if (unit.found[b] === 0) unit.find(b);
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

  /** Calls before what was found, and after it. */
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
    return isPreserved(this.state.regMaskBits[mask], this.reg);
  }
}
