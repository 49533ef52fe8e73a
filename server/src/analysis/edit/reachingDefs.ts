/**
 * Makes an editable live range reach reads in other blocks: finds the values that arrive there and joins them where several do.
 * Follows LiveRangeCalc (LLVM 22; docs/llvm/liveness.md, 4.3) in the order of the search, on which the numbers of joined values depend. RangeCalc
 * does the same for ranges that are computed whole; there a range is no list yet, and extending it needs no search in one.
 */
import type { BlockId, MachineBasicBlock } from '../../model/machineFunction.js';
import type { DominatorTree } from '../dominators.js';
import { NO_VALUE, UNDEFINED_VALUE as UNDEF, type LiveRange, type ValueId } from './liveRange.js';
import { NO_SLOT, type SlotList, type SlotRef } from './slotList.js';

/** What leaves a block: not asked yet, nothing, an undefined value, or a value (0 and up). */
const UNKNOWN = -3;

/** Serves the ranges of one function, one after the other: `begin`, then `extend` for each read. */
export class ReachingDefs {
  private range: LiveRange | null = null;
  private undefs: readonly SlotRef[] = [];
  /** `out` and `onEntry` are those of a range before */
  private isOfOthers = true;
  /** by block, for the range of now */
  private readonly out: Int32Array;
  /** 0 = not known, 1 = no, 2 = yes: a def reaches the start of the block */
  private readonly onEntry: Uint8Array;

  constructor(
    private readonly slots: SlotList,
    private readonly blocks: readonly MachineBasicBlock[],
    private readonly dominators: () => DominatorTree,
  ) {
    this.out = new Int32Array(blocks.length).fill(UNKNOWN);
    this.onEntry = new Uint8Array(blocks.length);
  }

  /** The next reads are of this range. Where `undefs` lie, lanes of it become undefined. */
  begin(range: LiveRange, undefs: readonly SlotRef[] = []): void {
    this.range = range;
    this.undefs = undefs;
    this.isOfOthers = true;
  }

  /** Makes the range live up to `use`. Where nothing reaches it, it stays as it is. */
  extend(use: SlotRef): void {
    const range = this.range!;
    const block = this.slots.blockOf(this.slots.before(use));
    if (range.extendInBlock(this.slots.startOf(block), use, this.undefs) !== NO_VALUE) return;
    if (this.isOfOthers) {
      // Most ranges never leave their blocks.
      this.out.fill(UNKNOWN);
      this.onEntry.fill(0);
      this.isOfOthers = false;
    }
    this.search(range, use, block);
  }

  private search(range: LiveRange, useSlot: SlotRef, useBlock: BlockId): void {
    const { blocks, slots, out, undefs } = this;
    let use = useSlot;
    const work: BlockId[] = [useBlock];
    let found: ValueId = NO_VALUE;
    let isUnique = true;
    let meetsUndef = false;
    const meet = (v: ValueId): void => {
      if (found !== NO_VALUE && found !== v) isUnique = false;
      found = v;
    };
    for (let head = 0; head < work.length; head++) {
      const { predecessors } = blocks[work[head]];
      if (predecessors.length === 0) meetsUndef = true;
      for (const p of predecessors) {
        if (out[p] !== UNKNOWN) {
          if (out[p] !== NO_VALUE) meet(out[p]);
          continue;
        }
        const value = range.extendInBlock(slots.startOf(p), slots.endOf(p), undefs);
        out[p] = value;
        if (value === UNDEF) meetsUndef = true;
        else if (value !== NO_VALUE) meet(value);
        else if (p !== useBlock) work.push(p);
        // Around a loop back into the block: it lives through.
        else use = NO_SLOT;
      }
    }
    if (found < 0) meetsUndef = true;
    if (undefs.length !== 0 && meetsUndef) isUnique = false;
    if (isUnique) {
      if (found < 0) return;
      for (const b of work) this.setLiveIn(range, b, b === useBlock ? use : NO_SLOT, found);
      return;
    }
    // LLVM brings longer lists into layout order; the answers of isDefinedOnEntry depend on the order of its questions.
    if (work.length > 4) work.sort((a, b) => a - b);
    const wanting = undefs.length === 0 ? work : work.filter((b) => this.isDefinedOnEntry(range, b));
    this.join(range, wanting, useBlock, use);
  }

  /** The value lives from the start of block b to `use`, or through it. */
  private setLiveIn(range: LiveRange, b: BlockId, use: SlotRef, value: ValueId): void {
    const { slots } = this;
    if (use === NO_SLOT) this.out[b] = value;
    range.addSegment(slots.startOf(b), use === NO_SLOT ? slots.endOf(b) : use, value);
  }

  /** Gives each block its value: that of its immediate dominator, or a new one where another arrives, too. */
  private join(range: LiveRange, blocks: readonly BlockId[], useBlock: BlockId, use: SlotRef): void {
    const { slots, out } = this;
    const dom = this.dominators();
    const inherited = new Map<BlockId, ValueId>();
    const joined = new Map<BlockId, ValueId>();
    const isKilled = (b: BlockId): boolean => b === useBlock && use !== NO_SLOT;
    const open = blocks.filter((b) => dom.isReachable(b));
    for (let changed = true; changed;) {
      changed = false;
      for (const b of open) {
        if (joined.has(b)) continue;
        const idom = dom.idom[b];
        if (idom < 0 || out[idom] === UNKNOWN || this.meetsAnother(range, b, idom, dom)) {
          changed = true;
          const value = range.newValue(slots.startOf(b));
          joined.set(b, value);
          inherited.delete(b);
          if (!isKilled(b)) out[b] = value;
        } else if (out[idom] >= 0) {
          inherited.set(b, out[idom]);
          if (isKilled(b) || out[b] === out[idom]) continue;
          changed = true;
          out[b] = out[idom];
        }
      }
    }
    for (const b of blocks) {
      const value = joined.get(b) ?? inherited.get(b);
      if (value !== undefined) this.setLiveIn(range, b, isKilled(b) ? use : NO_SLOT, value);
    }
  }

  /** Whether a predecessor of b brings a value that was made below its immediate dominator. */
  private meetsAnother(range: LiveRange, b: BlockId, idom: BlockId, dom: DominatorTree): boolean {
    for (const p of this.blocks[b].predecessors) {
      const v = this.out[p];
      if (v === UNKNOWN || v === NO_VALUE || v === this.out[idom]) continue;
      if (v === UNDEF || dom.dominates(idom, this.slots.blockOf(range.valueDef[v]))) return true;
    }
    return false;
  }

  /** Whether some def reaches the start of block b with no undefined point between. */
  private isDefinedOnEntry(range: LiveRange, b: BlockId): boolean {
    const { blocks, onEntry, slots } = this;
    if (onEntry[b] !== 0) return onEntry[b] === 2;
    const seen = new Set<BlockId>(blocks[b].predecessors);
    // A set is walked in the order of insertion, what is added on the way included.
    for (const p of seen) {
      let defined = this.out[p] >= 0;
      if (!defined) {
        const from = slots.startOf(p);
        const to = slots.endOf(p);
        const last = lastSegmentBefore(range, slots, to);
        if (last >= 0 && slots.isBefore(from, range.end[last])) {
          if (this.hasUndefIn(range.end[last], to)) continue;
          defined = true;
        } else if (onEntry[p] === 1 || this.hasUndefIn(from, to)) {
          // As in LLVM this also answers later questions about the entry of p itself.
          onEntry[p] = 1;
          continue;
        } else defined = onEntry[p] === 2;
      }
      if (defined) {
        for (const s of blocks[p].successors) onEntry[s] = 2;
        onEntry[b] = 2;
        return true;
      }
      for (const q of blocks[p].predecessors) seen.add(q);
    }
    onEntry[b] = 1;
    return false;
  }

  private hasUndefIn(from: SlotRef, to: SlotRef): boolean {
    return this.undefs.some((x) => this.slots.isAtOrBefore(from, x) && this.slots.isBefore(x, to));
  }
}

/** The last segment that starts in front of `slot`, -1 = none. */
function lastSegmentBefore(range: LiveRange, slots: SlotList, slot: SlotRef): number {
  const s = range.find(slots.before(slot));
  return s < range.size && slots.isBefore(range.start[s], slot) ? s : s - 1;
}
