/**
 * Which definitions read nothing, in a function whose bundles are torn apart.
 *
 * LLVM asks the live intervals as its moves have left them, and takes what stands after an instruction for members of its bundle. Of a
 * bundle only the header moves, so that intervals of what members alone mention stay where the bundle was, and members that were left
 * after count for whatever has come to stand before them. Liveness computed from the code says something else.
 */
import { IntervalEditor } from '../../../analysis/edit/intervalEditor.js';
import { MovedInstr } from '../../../analysis/edit/movedInstr.js';
import { SlotList, type SlotRef } from '../../../analysis/edit/slotList.js';
import { Slot, SlotIndexes } from '../../../analysis/slotIndexes.js';
import type { ListObserver } from '../../../model/edit/instrList.js';
import { BundleFlag, OpFlag, type InstrId, type OperandId } from '../../../model/machineFunction.js';
import { virtReg, type VRegId } from '../../../model/register.js';
import { FollowedUnits } from '../../regalloc/followedUnits.js';
import type { SchedContext } from '../context.js';

/** Lanes of a register that an instruction defines. */
interface DefinedLanes {
  lo: number;
  hi: number;
}

export class TornBundles implements ListObserver {
  private readonly intervals: IntervalEditor;
  private readonly units: FollowedUnits;
  private readonly next: ListObserver | null;

  /** Null where no bundle can be torn, or where the intervals are another pass's. To be made before anything moves. O(size) */
  static of(ctx: SchedContext): TornBundles | null {
    const { fn } = ctx;
    if (ctx.hasIntervals) return null;
    for (let i = 0; i < fn.nInstrs; i++) if (fn.bundle[i] !== 0) return new TornBundles(ctx);
    return null;
  }

  private constructor(private readonly ctx: SchedContext) {
    this.intervals = new IntervalEditor(ctx.editor, new SlotIndexes(ctx.fn));
    // Registers that fall apart have been taken apart when the function's intervals were made; LLVM does not look for more.
    for (let v = 0, n = ctx.fn.vregs.n; v < n; v++) if (!ctx.editor.isUnused(virtReg(v))) this.intervals.recompute(v);
    this.units = new FollowedUnits(this.intervals, ctx);
    this.next = ctx.list.observer;
    ctx.list.observer = this;
  }

  leaving(i: InstrId): void {
    this.units.settle(i);
    this.next?.leaving?.(i);
  }

  moved(i: InstrId): void {
    if (!this.ctx.roles.isDebug(i)) {
      const { intervals, units } = this;
      const { slots } = intervals;
      const from = slots.ofInstr(i);
      units.settle(i);
      slots.remove(i);
      const to = slots.insert(i, this.ctx.fn.instrBlock[i]);
      new MovedInstr(intervals, i, from, to, (unit) => units.asked(unit)).update();
    }
    this.next?.moved(i);
  }

  inserted(i: InstrId): void {
    const { fn } = this.ctx;
    const { slots } = this.intervals;
    if ((fn.bundle[i] & BundleFlag.BundledPred) !== 0) slots.forget(i);
    else slots.insert(i, fn.instrBlock[i]);
    this.next?.inserted(i);
  }

  removed(i: InstrId): void {
    this.intervals.slots.remove(i);
    this.next?.removed(i);
  }

  /** Sets `undef` anew on the definitions of an instruction that was put in its place: those of all registers lose it first. */
  replaceUndef(i: InstrId): void {
    const { fn } = this.ctx;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if ((fn.opFlags[o] & OpFlag.Def) !== 0) fn.opFlags[o] &= ~OpFlag.Undef;
    this.addUndef(i);
  }

  /** Sets `undef` where nothing else of a virtual register lives after an instruction (RegisterOperands::collect, adjustLaneLiveness). */
  addUndef(i: InstrId): void {
    const { fn, list } = this.ctx;
    const live = new Map<VRegId, DefinedLanes>();
    const dead = new Set<VRegId>();
    for (let m = i; m >= 0; m = list.nextInBundle(m)) {
      for (let o = fn.firstReg(m); o >= 0; o = fn.nextReg(m, o)) {
        if (fn.opVal[o] >= 0 || (fn.opFlags[o] & OpFlag.Def) === 0) continue;
        if ((fn.opFlags[o] & OpFlag.Dead) !== 0) dead.add(~fn.opVal[o]);
        else this.addLanes(live, o);
      }
    }
    const behind = SlotList.at(this.intervals.slots.ofInstr(i), Slot.Dead);
    for (const [v, { lo, hi }] of live) {
      const [liveLo, liveHi] = this.liveLanes(v, behind);
      if ((liveLo & ~lo) === 0 && (liveHi & ~hi) === 0) this.setUndef(i, v);
    }
    for (const v of dead) {
      const [liveLo, liveHi] = this.liveLanes(v, behind);
      if ((liveLo | liveHi) === 0) this.setUndef(i, v);
    }
  }

  private addLanes(found: Map<VRegId, DefinedLanes>, o: OperandId): void {
    const { fn } = this.ctx;
    const v = ~fn.opVal[o];
    const isWhole = fn.opSub[o] === 0 || (fn.opFlags[o] & OpFlag.Undef) !== 0;
    const [lo, hi] = isWhole ? [~0, ~0] : this.intervals.lanesOf(o);
    const known = found.get(v);
    if (known === undefined) found.set(v, { lo, hi });
    else {
      known.lo |= lo;
      known.hi |= hi;
    }
  }

  private liveLanes(v: VRegId, at: SlotRef): [lo: number, hi: number] {
    const interval = this.intervals.interval(v);
    if (interval.subRanges.length === 0) return interval.isLiveAt(at) ? [~0, ~0] : [0, 0];
    let [lo, hi] = [0, 0];
    for (const sub of interval.subRanges) {
      if (!sub.isLiveAt(at)) continue;
      lo |= sub.laneLo;
      hi |= sub.laneHi;
    }
    return [lo, hi];
  }

  private setUndef(i: InstrId, v: VRegId): void {
    const { fn } = this.ctx;
    for (let o = fn.firstReg(i); o >= 0; o = fn.nextReg(i, o))
      if (fn.opVal[o] === virtReg(v) && (fn.opFlags[o] & OpFlag.Def) !== 0 && fn.opSub[o] !== 0)
        fn.opFlags[o] |= OpFlag.Undef;
  }
}
