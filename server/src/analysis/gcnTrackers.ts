/**
 * The two GCN register pressure trackers (GCNUpwardRPTracker, GCNDownwardRPTracker; LLVM 22; docs/llvm/register-pressure.md,
 * 2). Both keep the live lanes of every virtual register, the current pressure and a running maximum. A bundle is
 * its header; debug instructions do nothing.
 */
import { OpFlag, OperandKind, type BlockId, type InstrId, type MachineFunction } from '../model/machineFunction.js';
import {
  addPressure,
  incPressure,
  maxPressure,
  newPressure,
  STRAY_LANES,
  type Pressure,
  type VRegPressureFacts,
} from './gcnPressure.js';
import { LiveRegSet, type BlockSets } from './liveSets.js';
import type { LiveIntervals } from './liveIntervals.js';
import { Slot, type SlotIndex } from './slotIndexes.js';
import type { VRegId } from '../model/register.js';

/** @llvm GCNRegPressure.cpp GCNRPTracker */
abstract class GCNRPTracker {
  readonly live: LiveRegSet;
  /** pressure of `live` */
  readonly cur: Pressure = newPressure();
  /** element-wise maximum since the last reset */
  readonly max: Pressure = newPressure();
  protected readonly fn: MachineFunction;
  protected readonly opKind: Uint8Array;
  protected readonly opFlags: Uint16Array;
  protected readonly opVal: Int32Array;
  protected readonly opSub: Uint16Array;
  protected readonly opBegin: Int32Array;
  protected readonly instrIndex: Int32Array;
  protected readonly subLo: Uint32Array;
  protected readonly subHi: Uint32Array;
  /** registers met at the instruction at hand */
  protected seenRegs = new Int32Array(16);
  protected seenStamp: Int32Array;
  protected stamp = 0;

  constructor(
    protected readonly lis: LiveIntervals,
    protected readonly facts: VRegPressureFacts,
  ) {
    const { fn } = lis;
    this.fn = fn;
    this.opKind = fn.opKind;
    this.opFlags = fn.opFlags;
    this.opVal = fn.opVal;
    this.opSub = fn.opSub;
    this.opBegin = fn.opBegin;
    this.instrIndex = lis.indexes.instrIndex;
    this.subLo = fn.tables.subRegLaneLo;
    this.subHi = fn.tables.subRegLaneHi;
    this.live = new LiveRegSet(lis.nVRegs);
    this.seenStamp = new Int32Array(lis.nVRegs);
  }

  /**
   * Starts at a block border with set b of `sets` live.
   * @llvm GCNRegPressure.cpp GCNRPTracker::reset
   */
  resetToSet(sets: BlockSets, b: BlockId): void {
    this.live.clear();
    this.cur.fill(0);
    for (let k = sets.begin[b]; k < sets.begin[b + 1]; k++) this.addLive(sets.vreg[k], sets.lo[k], sets.hi[k]);
    this.max.set(this.cur);
  }

  /**
   * Starts at a slot, asking every interval. O(registers).
   * @llvm GCNRegPressure.cpp GCNUpwardRPTracker::reset
   */
  resetToSlot(slot: SlotIndex): void {
    this.live.clear();
    this.cur.fill(0);
    for (let v = 0; v < this.lis.nVRegs; v++) {
      const lo = this.lis.liveLanes(v, slot);
      this.addLive(v, lo, this.lis.lanesHi);
    }
    this.max.set(this.cur);
  }

  /** Forgets the maximum so far. */
  clearMax(): void {
    this.max.set(this.cur);
  }

  protected addLive(v: VRegId, lo: number, hi: number): void {
    if ((lo | hi) === 0) return;
    this.live.set(v, lo, hi);
    incPressure(this.cur, this.facts, v, 0, 0, lo, hi);
  }
}

/** @llvm GCNRegPressure.cpp GCNUpwardRPTracker */
export class GCNUpwardRPTracker extends GCNRPTracker {
  private readonly defPressure: Pressure = newPressure();
  private readonly earlyClobber: Pressure = newPressure();
  private readonly useLo: Uint32Array;
  private readonly useHi: Uint32Array;

  constructor(lis: LiveIntervals, facts: VRegPressureFacts) {
    super(lis, facts);
    this.useLo = new Uint32Array(lis.nVRegs);
    this.useHi = new Uint32Array(lis.nVRegs);
  }

  /**
   * Moves from after instruction i to before it.
   * @llvm GCNRegPressure.cpp GCNUpwardRPTracker::recede
   */
  recede(i: InstrId): void {
    const base = this.instrIndex[i];
    if (base < 0) return;
    const { opKind, opFlags, opVal, opSub, facts, live, cur, defPressure, earlyClobber, lis } = this;
    const { useLo, useHi, seenStamp } = this;
    const end = this.opBegin[i + 1];
    const stamp = ++this.stamp;
    const nVRegs = seenStamp.length;
    let hasDef = false;
    let hasEarlyClobber = false;
    let nUses = 0;
    for (let o = this.opBegin[i]; o < end; o++) {
      const val = opVal[o];
      if (opKind[o] !== OperandKind.Register || val >= 0) continue;
      const v = ~val;
      if (v >= nVRegs) continue;
      const flags = opFlags[o];
      const sub = opSub[o];
      const lo = sub === 0 ? facts.fullLo[v] : this.subLo[sub];
      const hi = sub === 0 ? facts.fullHi[v] : this.subHi[sub];
      if ((flags & OpFlag.Def) === 0) {
        if ((flags & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
        if (seenStamp[v] === stamp) {
          useLo[v] |= lo;
          useHi[v] |= hi;
          continue;
        }
        seenStamp[v] = stamp;
        if (nUses === this.seenRegs.length) {
          const more = new Int32Array(nUses * 2);
          more.set(this.seenRegs);
          this.seenRegs = more;
        }
        this.seenRegs[nUses++] = v;
        useLo[v] = lo;
        useHi[v] = hi;
        continue;
      }
      if (!hasDef) {
        hasDef = true;
        defPressure.fill(0);
      }
      if ((flags & OpFlag.EarlyClobber) !== 0) {
        if (!hasEarlyClobber) {
          hasEarlyClobber = true;
          earlyClobber.fill(0);
        }
        incPressure(earlyClobber, facts, v, 0, 0, lo, hi);
      } else {
        incPressure(defPressure, facts, v, 0, 0, lo, hi);
      }
      const liveLo = live.lo[v];
      const liveHi = live.hi[v];
      if ((liveLo & lo) === 0 && (liveHi & hi) === 0) {
        if ((liveLo | liveHi) === 0) live.erase(v);
        continue;
      }
      incPressure(cur, facts, v, liveLo, liveHi, liveLo & ~lo, liveHi & ~hi);
      live.set(v, liveLo & ~lo, liveHi & ~hi);
    }
    // All defs together with what lives across the instruction.
    if (hasDef) {
      addPressure(defPressure, cur);
      if (hasEarlyClobber) addPressure(defPressure, earlyClobber);
      maxPressure(this.max, defPressure);
    }
    for (let k = 0; k < nUses; k++) {
      const v = this.seenRegs[k];
      let lo = useLo[v];
      let hi = useHi[v];
      if (lis.subRange[v] >= 0) {
        lo &= lis.liveLanes(v, base);
        hi &= lis.lanesHi;
      }
      const liveLo = live.lo[v];
      const liveHi = live.hi[v];
      lo |= liveLo;
      hi |= liveHi;
      lo >>>= 0;
      hi >>>= 0;
      if (lo === liveLo && hi === liveHi) {
        if ((lo | hi) === 0) live.insert(v);
        continue;
      }
      incPressure(cur, facts, v, liveLo, liveHi, lo, hi);
      live.set(v, lo, hi);
    }
    if (hasEarlyClobber) {
      addPressure(earlyClobber, cur);
      maxPressure(this.max, earlyClobber);
    } else {
      maxPressure(this.max, cur);
    }
  }
}

/** @llvm GCNRegPressure.cpp GCNDownwardRPTracker */
export class GCNDownwardRPTracker extends GCNRPTracker {
  /** registers taken out that were not in the set: LLVM counts its entries down for each */
  nStrays = 0;

  /** `readsStrays`: what is read though it is not live is counted off, as LLVM happens to do, instead of left alone. */
  constructor(
    lis: LiveIntervals,
    facts: VRegPressureFacts,
    private readonly readsStrays: boolean,
  ) {
    super(lis, facts);
  }

  /** @llvm GCNRegPressure.cpp GCNDownwardRPTracker::reset */
  override resetToSet(sets: BlockSets, b: BlockId): void {
    super.resetToSet(sets, b);
    this.nStrays = 0;
  }

  /** Starts with these lanes of registers live. */
  resetToLive({
    regs,
    lo,
    hi,
  }: {
    readonly regs: Int32Array;
    readonly lo: Uint32Array;
    readonly hi: Uint32Array;
  }): void {
    this.live.clear();
    this.cur.fill(0);
    regs.forEach((v, k) => {
      this.addLive(v, lo[k], hi[k]);
    });
    this.max.set(this.cur);
    this.nStrays = 0;
  }

  /** Register v is not live, and LLVM looks up its lanes before `nextSlot` all the same. */
  private takeOutStray(v: VRegId, nextSlot: SlotIndex): void {
    const { lis, cur, facts } = this;
    const main = lis.mainRange[v];
    if (lis.subRange[v] < 0) {
      if (main >= 0 && lis.isLiveAt(main, nextSlot)) return;
      incPressure(cur, facts, v, STRAY_LANES, 0, 0, 0);
      this.nStrays++;
      return;
    }
    let lanes = STRAY_LANES;
    for (let sub = lis.subRange[v]; sub >= 0; sub = lis.nextSubRange[sub]) {
      if (lis.isLiveAt(sub, nextSlot)) continue;
      const left = lanes & ~lis.laneLo[sub];
      incPressure(cur, facts, v, lanes, 0, left, 0);
      lanes = left;
    }
  }

  /**
   * Moves onto instruction i: its defs become live, its last uses still are.
   * @llvm GCNRegPressure.cpp GCNDownwardRPTracker::advanceToNext
   */
  advanceToNext(i: InstrId): void {
    if (this.instrIndex[i] < 0) return;
    const { opFlags, opVal, opSub, facts, live, cur } = this;
    const nVRegs = this.seenStamp.length;
    for (let o = this.opBegin[i], end = this.opBegin[i + 1]; o < end; o++) {
      const val = opVal[o];
      // Only registers are defined.
      if ((opFlags[o] & OpFlag.Def) === 0 || val >= 0) continue;
      const v = ~val;
      if (v >= nVRegs) continue;
      const sub = opSub[o];
      const liveLo = live.lo[v];
      const liveHi = live.hi[v];
      const lo = (liveLo | (sub === 0 ? facts.fullLo[v] : this.subLo[sub])) >>> 0;
      const hi = (liveHi | (sub === 0 ? facts.fullHi[v] : this.subHi[sub])) >>> 0;
      if (lo === liveLo && hi === liveHi) {
        // A register of a bank has no lanes, but LLVM's set has it.
        if ((lo | hi) === 0) live.insert(v);
        continue;
      }
      incPressure(cur, facts, v, liveLo, liveHi, lo, hi);
      live.set(v, lo, hi);
    }
    maxPressure(this.max, cur);
  }

  /**
   * Moves from instruction i to just before the next one, whose base slot is `nextSlot` (i's dead slot if i is the last of
   * its block): lanes of i's operands that are not live there leave.
   * @llvm GCNRegPressure.cpp GCNDownwardRPTracker::advanceBeforeNext
   */
  advanceBeforeNext(i: InstrId, nextSlot: number): void {
    if (this.instrIndex[i] < 0) return;
    const { opKind, opFlags, opVal, facts, live, cur, lis, seenStamp } = this;
    const stamp = ++this.stamp;
    const nVRegs = seenStamp.length;
    for (let o = this.opBegin[i], end = this.opBegin[i + 1]; o < end; o++) {
      const val = opVal[o];
      if (opKind[o] !== OperandKind.Register || val >= 0) continue;
      const flags = opFlags[o];
      if ((flags & OpFlag.Def) === 0 && (flags & (OpFlag.Undef | OpFlag.Internal)) !== 0) continue;
      const v = ~val;
      if (v >= nVRegs || seenStamp[v] === stamp) continue;
      seenStamp[v] = stamp;
      const liveLo = live.lo[v];
      const liveHi = live.hi[v];
      if ((liveLo | liveHi) === 0 && !live.has(v)) {
        if (this.readsStrays) this.takeOutStray(v, nextSlot);
        continue;
      }
      let lo = liveLo;
      let hi = liveHi;
      let sub = lis.subRange[v];
      if (sub < 0) {
        if (lis.mainRange[v] >= 0 && lis.isLiveAt(lis.mainRange[v], nextSlot)) continue;
        lo = 0;
        hi = 0;
      } else {
        for (; sub >= 0; sub = lis.nextSubRange[sub]) {
          if (lis.isLiveAt(sub, nextSlot)) continue;
          lo &= ~lis.laneLo[sub];
          hi &= ~lis.laneHi[sub];
        }
      }
      lo >>>= 0;
      hi >>>= 0;
      if (lo === liveLo && hi === liveHi && (lo | hi) !== 0) continue;
      incPressure(cur, facts, v, liveLo, liveHi, lo, hi);
      live.set(v, lo, hi);
    }
    maxPressure(this.max, cur);
  }

  /** Slot to hand to `advanceBeforeNext` for the instruction at position p of the layout in block b. */
  slotAfter(b: BlockId, p: number): number {
    const { order, blockEnd } = this.fn;
    for (let q = p + 1; q < blockEnd[b]; q++) {
      const index = this.instrIndex[order[q]];
      if (index >= 0 && index !== this.instrIndex[order[p]]) return index;
    }
    return this.instrIndex[order[p]] + Slot.Dead;
  }
}
