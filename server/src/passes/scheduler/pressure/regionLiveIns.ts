/** The registers that live into a region, with their lanes and their pressure. Small sets that hardly change, one per region. */
import type { LiveRegSet } from '../../../analysis/liveSets.js';
import { incPressure, newPressure, type Pressure, type VRegPressureFacts } from '../../../analysis/gcnPressure.js';
import type { VRegId } from '../../../model/register.js';
import type { Place } from '../../../model/machineFunction.js';

export class RegionLiveIns {
  /** the first `size` entries of the three columns are valid, in no particular order */
  size: number;
  readonly regs: Int32Array;
  readonly lo: Uint32Array;
  readonly hi: Uint32Array;
  /**
   * Registers of the set that do not live into the region any more, with their lanes: LLVM forgets to take out some that it
   * rematerializes, and counts them from the region's begin. Null = none.
   */
  stale: Map<number, { readonly lo: number; readonly hi: number }> | null = null;

  private constructor(
    regs: Int32Array,
    lo: Uint32Array,
    hi: Uint32Array,
    /** pressure of the set */
    readonly pressure: Pressure,
  ) {
    this.size = regs.length;
    this.regs = regs;
    this.lo = lo;
    this.hi = hi;
  }

  static empty(): RegionLiveIns {
    return new RegionLiveIns(new Int32Array(0), new Uint32Array(0), new Uint32Array(0), newPressure());
  }

  /** A copy of what a tracker holds: its live registers and their pressure. */
  static of(live: LiveRegSet, pressure: Pressure): RegionLiveIns {
    const n = live.size;
    const regs = live.regs.slice(0, n);
    const lo = new Uint32Array(n);
    const hi = new Uint32Array(n);
    for (let k = 0; k < n; k++) {
      lo[k] = live.lo[regs[k]];
      hi[k] = live.hi[regs[k]];
    }
    return new RegionLiveIns(regs, lo, hi, pressure.slice());
  }

  /** Place of a register in the columns, -1 = it does not live in. O(size). */
  indexOf(v: VRegId): number {
    const k = this.regs.indexOf(v);
    return k < this.size ? k : -1;
  }

  /** Counts the pressure anew: classes of registers have changed. */
  recount(facts: VRegPressureFacts): void {
    this.pressure.fill(0);
    for (let k = 0; k < this.size; k++) incPressure(this.pressure, facts, this.regs[k], 0, 0, this.lo[k], this.hi[k]);
  }

  /** `lo` and `hi`: the lanes that it has in the set. */
  markStale(v: VRegId, lo: number, hi: number): void {
    (this.stale ??= new Map()).set(v, { lo, hi });
  }

  /**
   * Removes the registers that `isGone` tells, which is asked with a register and its place, and returns how many. They stay after
   * the others, for `putBack`. O(size).
   */
  removeAll(facts: VRegPressureFacts, isGone: (v: VRegId, place: Place) => boolean): number {
    const { regs, lo, hi } = this;
    const before = this.size;
    let kept = 0;
    for (let k = 0; k < before; k++) {
      const v = regs[k];
      if (isGone(v, k)) {
        incPressure(this.pressure, facts, v, lo[k], hi[k], 0, 0);
        continue;
      }
      if (k !== kept) {
        const l = lo[k];
        const h = hi[k];
        regs[k] = regs[kept];
        lo[k] = lo[kept];
        hi[k] = hi[kept];
        regs[kept] = v;
        lo[kept] = l;
        hi[kept] = h;
      }
      kept++;
    }
    this.size = kept;
    return before - kept;
  }

  /** Takes back the last `removeAll`, which removed `n`; nothing else may have changed the set meanwhile. */
  putBack(n: number, facts: VRegPressureFacts): void {
    for (let k = this.size; k < this.size + n; k++)
      incPressure(this.pressure, facts, this.regs[k], 0, 0, this.lo[k], this.hi[k]);
    this.size += n;
  }

  remove(v: VRegId, facts: VRegPressureFacts): void {
    const k = this.indexOf(v);
    if (k < 0) return;
    incPressure(this.pressure, facts, v, this.lo[k], this.hi[k], 0, 0);
    const last = --this.size;
    this.regs[k] = this.regs[last];
    this.lo[k] = this.lo[last];
    this.hi[k] = this.hi[last];
  }

  /** Takes back a `remove`; the columns have room for no more. */
  add(v: VRegId, lo: number, hi: number, facts: VRegPressureFacts): void {
    this.remove(v, facts);
    const k = this.size++;
    this.regs[k] = v;
    this.lo[k] = lo;
    this.hi[k] = hi;
    incPressure(this.pressure, facts, v, 0, 0, lo, hi);
  }
}
