/**
 * Makes an editable live range reach reads in other blocks: finds the values that arrive there and joins them where several do.
 * Follows LiveRangeCalc (LLVM 22; docs/llvm/liveness.md, 4.3) in the order of the search, on which the numbers of joined values depend. RangeCalc
 * does the same for ranges that are computed whole; there a range is no list yet, and extending it needs no search in one.
 */
import type { BlockId, MachineBasicBlock, MachineFunction } from '../../model/machineFunction.js';
import type { DominatorTree } from '../dominators.js';
import { NO_VALUE, UNDEFINED_VALUE as UNDEF, type LiveRange, type ValueId } from './liveRange.js';
import { NO_SLOT, type SlotList, type SlotRef } from './slotList.js';

/** What leaves a block: not asked yet, nothing, an undefined value, or a value (0 and up). */
const UNKNOWN = -3;

/**
 * Whether a def reaches the start of a block, as far as questions before have told; 0 = not known. Both may be set: LLVM then believes the
 * first of the block that it asks about, and the second of one that it comes by on its way.
 */
const enum OnEntry {
  Defined = 1,
  Undefined = 2,
}

/**
 * Serves the ranges of one function, one after the other: `begin`, then `extend` for each read.
 * @llvm LiveRangeCalc.cpp LiveRangeCalc
 */
export class ReachingDefs {
  private range: LiveRange | null = null;
  private undefs: readonly SlotRef[] = [];
  private livesUndefined = false;
  /** `out` and `onEntry` are those of a range before */
  private isOfOthers = true;
  /** by block, for the range of now */
  private readonly out: Int32Array;
  /** OnEntry, by block */
  private readonly onEntry: Uint8Array;
  /** blocks that a search has come to, and those that isDefinedOnEntry has, with the number of its question by block */
  private readonly work: BlockId[] = [];
  private readonly seen: BlockId[] = [];
  private readonly seenBy: Int32Array;
  private nQuestions = 0;
  /** by block: for which join, and the value that arrives or, `isJoined`, is made there */
  private readonly joinOf: Int32Array;
  private readonly joinValue: Int32Array;
  private readonly isJoined: Uint8Array;
  private nJoins = 0;

  private readonly blocks: readonly MachineBasicBlock[];

  constructor(
    private readonly slots: SlotList,
    private readonly fn: MachineFunction,
    private readonly dominators: () => DominatorTree,
  ) {
    const { blocks } = fn;
    this.blocks = blocks;
    this.out = new Int32Array(blocks.length).fill(UNKNOWN);
    this.onEntry = new Uint8Array(blocks.length);
    this.seenBy = new Int32Array(blocks.length);
    this.joinOf = new Int32Array(blocks.length);
    this.joinValue = new Int32Array(blocks.length);
    this.isJoined = new Uint8Array(blocks.length);
  }

  /**
   * The next reads are of this range. Where `undefs` lie, lanes of it become undefined. `livesUndefined`: of a register unit or a whole register, which lives
   * from the entry if nothing defines it.
   */
  begin(range: LiveRange, undefs: readonly SlotRef[] = [], livesUndefined = false): void {
    this.range = range;
    this.undefs = undefs;
    this.livesUndefined = livesUndefined;
    this.isOfOthers = true;
  }

  /**
   * Makes the range live up to `use`. Where nothing reaches it, and no lane was made undefined, it lives there with NO_VALUE.
   * @llvm LiveRangeCalc.cpp LiveRangeCalc::extend
   */
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

  /** @llvm LiveRangeCalc.cpp LiveRangeCalc::findReachingDefs */
  private search(range: LiveRange, useSlot: SlotRef, useBlock: BlockId): void {
    const { blocks, slots, out, undefs, work } = this;
    let use = useSlot;
    work[0] = useBlock;
    let nWork = 1;
    let found: ValueId = NO_VALUE;
    let isUnique = true;
    let meetsUndef = false;
    for (let head = 0; head < nWork; head++) {
      const { predecessors } = blocks[work[head]];
      if (predecessors.length === 0) meetsUndef = true;
      for (let k = 0; k < predecessors.length; k++) {
        const p = predecessors[k];
        let value = out[p];
        if (value === UNKNOWN) {
          out[p] = value = range.extendInBlock(slots.startOf(p), slots.endOf(p), undefs);
          if (value === UNDEF) {
            meetsUndef = true;
            continue;
          }
          if (value === NO_VALUE) {
            if (p !== useBlock) work[nWork++] = p;
            // Around a loop back into the block: it lives through.
            else use = NO_SLOT;
          }
        }
        if (value === NO_VALUE) continue;
        if (found !== NO_VALUE && found !== value) isUnique = false;
        found = value;
      }
    }
    if (found < 0) {
      found = NO_VALUE;
      meetsUndef = true;
    }
    if (undefs.length !== 0 && meetsUndef) isUnique = false;
    if (isUnique) {
      // Lanes that no definition writes have no range in LLVM; units and whole registers have.
      if (found < 0 && range.isEmpty && !this.livesUndefined) return;
      // Where nothing reaches it, LLVM lets it live from the start of the function without a value.
      for (let k = 0; k < nWork; k++) this.setLiveIn(range, work[k], work[k] === useBlock ? use : NO_SLOT, found);
      return;
    }
    // LLVM brings longer lists into the order of their numbers; the answers of isDefinedOnEntry depend on the order of its questions.
    if (nWork > 4) sortByNumber(work, nWork, this.fn);
    let n = 0;
    for (let k = 0; k < nWork; k++)
      if (undefs.length === 0 || this.isDefinedOnEntry(range, work[k])) work[n++] = work[k];
    this.join(range, work, n, useBlock, use);
  }

  /** The value lives from the start of block b to `use`, or through it. */
  private setLiveIn(range: LiveRange, b: BlockId, use: SlotRef, value: ValueId): void {
    const { slots } = this;
    if (use === NO_SLOT) this.out[b] = value;
    range.addSegment(slots.startOf(b), use === NO_SLOT ? slots.endOf(b) : use, value);
  }

  /**
   * Gives each of the first `n` blocks its value: that of its immediate dominator, or a new one where another arrives, too.
   * @llvm LiveRangeCalc.cpp LiveRangeCalc::updateSSA
   */
  private join(range: LiveRange, blocks: readonly BlockId[], n: number, useBlock: BlockId, use: SlotRef): void {
    const { slots, out, joinOf, joinValue, isJoined } = this;
    const dom = this.dominators();
    const join = ++this.nJoins;
    for (let changed = true; changed;) {
      changed = false;
      for (let k = 0; k < n; k++) {
        const b = blocks[k];
        if ((joinOf[b] === join && isJoined[b] === 1) || !dom.isReachable(b)) continue;
        const isKilled = b === useBlock && use !== NO_SLOT;
        const idom = dom.idom[b];
        if (idom < 0 || out[idom] === UNKNOWN || this.meetsAnother(range, b, idom, dom)) {
          changed = true;
          joinOf[b] = join;
          isJoined[b] = 1;
          const value = (joinValue[b] = range.newValue(slots.startOf(b)));
          if (!isKilled) out[b] = value;
        } else if (out[idom] >= 0) {
          joinOf[b] = join;
          isJoined[b] = 0;
          joinValue[b] = out[idom];
          if (isKilled || out[b] === out[idom]) continue;
          changed = true;
          out[b] = out[idom];
        }
      }
    }
    for (let k = 0; k < n; k++) {
      const b = blocks[k];
      if (joinOf[b] === join) this.setLiveIn(range, b, b === useBlock ? use : NO_SLOT, joinValue[b]);
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

  /**
   * Whether some def reaches the start of block b with no undefined point between.
   * @llvm LiveRangeCalc.cpp LiveRangeCalc::isDefOnEntry
   */
  private isDefinedOnEntry(range: LiveRange, b: BlockId): boolean {
    const { blocks, onEntry, slots, seen, seenBy } = this;
    if (onEntry[b] !== 0) return (onEntry[b] & OnEntry.Defined) !== 0;
    const question = ++this.nQuestions;
    let n = 0;
    const add = (found: readonly BlockId[]): void => {
      for (let k = 0; k < found.length; k++) {
        if (seenBy[found[k]] === question) continue;
        seenBy[found[k]] = question;
        seen[n++] = found[k];
      }
    };
    add(blocks[b].predecessors);
    for (let head = 0; head < n; head++) {
      const p = seen[head];
      let defined = this.out[p] >= 0;
      if (!defined) {
        const from = slots.startOf(p);
        const to = slots.endOf(p);
        const last = lastSegmentBefore(range, slots, to);
        if (last >= 0 && slots.isBefore(from, range.end[last])) {
          if (this.hasUndefIn(range.end[last], to)) continue;
          defined = true;
        } else if ((onEntry[p] & OnEntry.Undefined) !== 0 || this.hasUndefIn(from, to)) {
          // As in LLVM this also answers later questions about the entry of p itself, unless that is known to be defined.
          onEntry[p] |= OnEntry.Undefined;
          continue;
        } else defined = (onEntry[p] & OnEntry.Defined) !== 0;
      }
      if (defined) {
        for (const s of blocks[p].successors) onEntry[s] |= OnEntry.Defined;
        onEntry[b] |= OnEntry.Defined;
        return true;
      }
      add(blocks[p].predecessors);
    }
    onEntry[b] |= OnEntry.Undefined;
    return false;
  }

  private hasUndefIn(from: SlotRef, to: SlotRef): boolean {
    return this.undefs.some((x) => this.slots.isAtOrBefore(from, x) && this.slots.isBefore(x, to));
  }
}

/** Brings the first `n` blocks of a list into the order of their numbers, in place. */
function sortByNumber(list: number[], n: number, fn: MachineFunction): void {
  const sorted = list.slice(0, n).sort((a, b) => fn.numberOf(a) - fn.numberOf(b));
  sorted.forEach((b, k) => (list[k] = b));
}

/** The last segment that starts before `slot`, -1 = none. */
function lastSegmentBefore(range: LiveRange, slots: SlotList, slot: SlotRef): number {
  const s = range.find(slots.before(slot));
  return s < range.size && slots.isBefore(range.start[s], slot) ? s : s - 1;
}
