/**
 * Computes one live range from its defs and its reads: the engine after the intervals of virtual registers, their
 * sub-ranges and the ranges of register units. Follows LiveRangeCalc and LiveRange::extendInBlock (LLVM 22; docs/llvm/liveness.md, 4.3),
 * including the order of the search, so that ranges of badly defined registers come out alike too.
 *
 * Where LLVM edits a sorted list of segments, this keeps one open segment per def and one live-in segment per block and
 * writes the list when the range is complete: extending is then O(1) and nothing is moved. Scratch memory belongs to
 * the object and is reused for every range of a function; "cleared" means that the epoch moved on.
 */
import type { MachineBasicBlock, BlockId } from '../model/machineFunction.js';
import { DominatorTree } from './dominators.js';
import { Slot, type SlotIndexes } from './slotIndexes.js';

/** No value. */
const NONE = -1;
/** The explicit "undefined" value that a read-undef def leaves behind. */
const UNDEF = -2;

function grown(a: Int32Array): Int32Array<ArrayBuffer> {
  const b = new Int32Array(a.length * 2);
  b.set(a);
  return b;
}

/** @llvm LiveRangeCalc.cpp LiveRangeCalc */
export class RangeCalc {
  // -- the range being computed: defs in ascending order; the value number of a def is its index ------------------
  nDefs = 0;
  defPos = new Int32Array(64);
  /** end of the def's segment so far, at least the dead slot */
  defEnd = new Int32Array(64);
  defBlock = new Int32Array(64);
  /** after emit: end of the segment before the def's, or -1 */
  defPrevEnd = new Int32Array(64);
  /** values nDefs .. nDefs + nPhis - 1 begin at the start of block phiBlock[value - nDefs] */
  nPhis = 0;
  private phiBlock = new Int32Array(16);

  private nUndefs = 0;
  private undefPos = new Int32Array(16);

  // -- segments written by emit ----------------------------------------------------------------------------------
  nSegs = 0;
  segStart = new Int32Array(256);
  segEnd = new Int32Array(256);
  segValue = new Int32Array(256);

  // -- per block, valid where the stamp equals the epoch -----------------------------------------------------------
  private epoch = 0;
  private readonly touchStamp: Int32Array;
  private readonly touched: Int32Array;
  private nTouched = 0;
  /** a bit per block, all clear between uses */
  private readonly touchedBits: Int32Array;
  private readonly lastDef: Int32Array;
  private readonly liveInStamp: Int32Array;
  private readonly liveInEnd: Int32Array;
  private readonly liveInValue: Int32Array;
  private readonly seenStamp: Int32Array;
  private readonly outValue: Int32Array;
  private readonly defOnEntryStamp: Int32Array;
  private readonly undefOnEntryStamp: Int32Array;

  private searchEpoch = 0;
  private readonly searchStamp: Int32Array;
  private readonly work: Int32Array;
  private readonly search: Int32Array;
  private readonly liveInState: Uint8Array;
  private readonly blockStart: Int32Array;
  private readonly blocks: readonly MachineBasicBlock[];
  /** predecessors of block b: predList[predBegin[b]] .. */
  private readonly predBegin: Int32Array;
  private readonly predList: Int32Array;
  private cursor = 0;
  private domTree: DominatorTree | null = null;

  constructor(indexes: SlotIndexes) {
    this.blocks = indexes.fn.blocks;
    this.blockStart = indexes.blockStart;
    const n = this.blocks.length;
    this.predBegin = new Int32Array(n + 1);
    for (let b = 0; b < n; b++) this.predBegin[b + 1] = this.predBegin[b] + this.blocks[b].predecessors.length;
    this.predList = new Int32Array(this.predBegin[n]);
    for (let b = 0; b < n; b++) this.predList.set(this.blocks[b].predecessors, this.predBegin[b]);
    this.touchStamp = new Int32Array(n);
    this.touched = new Int32Array(n);
    this.touchedBits = new Int32Array((n + 31) >>> 5);
    this.lastDef = new Int32Array(n);
    this.liveInStamp = new Int32Array(n);
    this.liveInEnd = new Int32Array(n);
    this.liveInValue = new Int32Array(n);
    this.seenStamp = new Int32Array(n);
    this.outValue = new Int32Array(n);
    this.defOnEntryStamp = new Int32Array(n);
    this.undefOnEntryStamp = new Int32Array(n);
    this.searchStamp = new Int32Array(n);
    this.work = new Int32Array(n + 1);
    this.search = new Int32Array(n + 1);
    this.liveInState = new Uint8Array(n + 1);
  }

  /**
   * Starts a new, empty range.
   * @llvm LiveRangeCalc.cpp LiveRangeCalc::reset
   */
  begin(): void {
    this.epoch++;
    this.nDefs = 0;
    this.nPhis = 0;
    this.nUndefs = 0;
    this.nTouched = 0;
    this.cursor = 0;
  }

  /**
   * Adds a def at slot `pos` in block b. Calls must come in ascending order of instructions; several defs by one
   * instruction become one, at the earliest slot.
   */
  addDef(pos: number, b: BlockId): void {
    const n = this.nDefs;
    if (n > 0 && this.defPos[n - 1] >> 4 === pos >> 4) {
      if (pos < this.defPos[n - 1]) this.defPos[n - 1] = pos;
      return;
    }
    if (n === this.defPos.length) {
      this.defPos = grown(this.defPos);
      this.defEnd = grown(this.defEnd);
      this.defBlock = grown(this.defBlock);
      this.defPrevEnd = grown(this.defPrevEnd);
    }
    this.defPos[n] = pos;
    this.defEnd[n] = (pos & ~3) + Slot.Dead;
    this.defBlock[n] = b;
    this.touch(b);
    this.lastDef[b] = n;
    this.nDefs = n + 1;
  }

  /** Adds a point at which the range becomes undefined (a read-undef def of other lanes). Ascending by instruction. */
  addUndef(pos: number): void {
    if (this.nUndefs === this.undefPos.length) this.undefPos = grown(this.undefPos);
    let at = this.nUndefs++;
    while (at > 0 && this.undefPos[at - 1] > pos) {
      this.undefPos[at] = this.undefPos[at - 1];
      at--;
    }
    this.undefPos[at] = pos;
  }

  /**
   * Makes the range reach the read at slot `use`, which belongs to block b. Cheap when calls come in text order.
   * @llvm LiveRangeCalc.cpp LiveRangeCalc::extend
   */
  extend(use: number, b: BlockId): void {
    let c = this.cursor;
    const { defPos, nDefs } = this;
    while (c < nDefs && defPos[c] < use) c++;
    while (c > 0 && defPos[c - 1] >= use) c--;
    this.cursor = c;
    const d = c > 0 && this.defBlock[c - 1] === b ? c - 1 : -1;
    if (this.extendInBlock(b, use, d) !== NONE) return;
    this.findReachingDefs(use, b);
  }

  private touch(b: BlockId): void {
    if (this.touchStamp[b] === this.epoch) return;
    this.touchStamp[b] = this.epoch;
    this.touched[this.nTouched++] = b;
    this.lastDef[b] = -1;
  }

  private setLiveIn(b: BlockId, end: number, value: number): void {
    this.touch(b);
    this.liveInStamp[b] = this.epoch;
    this.liveInEnd[b] = end;
    this.liveInValue[b] = value;
  }

  private lastDefOf(b: BlockId): number {
    return this.touchStamp[b] === this.epoch ? this.lastDef[b] : -1;
  }

  /** Whether an undef point lies in [begin, end). */
  private isUndefIn(begin: number, end: number): boolean {
    const { undefPos } = this;
    let lo = 0;
    let hi = this.nUndefs;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (undefPos[mid] < begin) lo = mid + 1;
      else hi = mid;
    }
    return lo < this.nUndefs && undefPos[lo] < end;
  }

  /**
   * Extends the segment of block b that is current just before `use`; d is the last def before it in b, or -1.
   * @llvm LiveInterval.cpp LiveRange::extendInBlock
   */
  private extendInBlock(b: BlockId, use: number, d: number): number {
    if (d >= 0) {
      const end = this.defEnd[d];
      if (end < use) {
        if (this.nUndefs !== 0 && this.isUndefIn(end, use - 1)) return UNDEF;
        this.defEnd[d] = use;
      }
      return d;
    }
    if (this.liveInStamp[b] === this.epoch) {
      const end = this.liveInEnd[b];
      if (end < use) {
        if (this.nUndefs !== 0 && this.isUndefIn(end, use - 1)) return UNDEF;
        this.liveInEnd[b] = use;
      }
      return this.liveInValue[b];
    }
    return this.nUndefs !== 0 && this.isUndefIn(this.blockStart[b], use - 1) ? UNDEF : NONE;
  }

  /** @llvm LiveRangeCalc.cpp LiveRangeCalc::findReachingDefs */
  private findReachingDefs(useSlot: number, useBlock: number): void {
    const { work, predBegin, predList, blockStart, epoch, seenStamp, outValue, touchStamp } = this;
    let use = useSlot;
    let tail = 0;
    let unique = true;
    let theValue = NONE;
    let foundUndef = false;
    work[tail++] = useBlock;
    for (let head = 0; head < tail; head++) {
      const firstPred = predBegin[work[head]];
      const endPred = predBegin[work[head] + 1];
      if (firstPred === endPred) foundUndef = true;
      for (let k = firstPred; k < endPred; k++) {
        const p = predList[k];
        if (seenStamp[p] === epoch) {
          const v = outValue[p];
          if (v === NONE) continue;
          if (theValue !== NONE && theValue !== v) unique = false;
          theValue = v;
          continue;
        }
        seenStamp[p] = epoch;
        // A block that the range does not touch yet, and that has no undef point, only passes the question on.
        const untouched = touchStamp[p] !== epoch && this.nUndefs === 0;
        const v = untouched ? NONE : this.extendInBlock(p, blockStart[p + 1], this.lastDefOf(p));
        outValue[p] = v;
        if (v === UNDEF) {
          foundUndef = true;
          continue;
        }
        if (v >= 0) {
          if (theValue !== NONE && theValue !== v) unique = false;
          theValue = v;
          continue;
        }
        if (p !== useBlock) work[tail++] = p;
        else use = -1; // Around a loop back into the block: live through.
      }
    }
    if (theValue === NONE || theValue === UNDEF) foundUndef = true;
    if (this.nUndefs !== 0 && foundUndef) unique = false;
    if (unique) {
      for (let k = 0; k < tail; k++) {
        const b = work[k];
        let end = blockStart[b + 1];
        if (b === useBlock && use >= 0) end = use;
        else outValue[b] = theValue;
        this.setLiveIn(b, end, theValue);
      }
      return;
    }
    // Blocks in layout order settle in fewer rounds; LLVM sorts here, too, and the answers of isDefOnEntry depend on the order of its questions.
    if (tail > 4) work.subarray(0, tail).sort();
    let n = 0;
    for (let k = 0; k < tail; k++) {
      const b = work[k];
      if (this.nUndefs !== 0 && !this.isDefOnEntry(b)) continue;
      work[n++] = b;
    }
    this.updateSSA(n, useBlock, use);
  }

  /**
   * Whether some def reaches the start of block b without an undef point in between.
   * @llvm LiveRangeCalc.cpp LiveRangeCalc::isDefOnEntry
   */
  private isDefOnEntry(b: BlockId): boolean {
    const { epoch, defOnEntryStamp, undefOnEntryStamp, search, searchStamp, blocks, blockStart } = this;
    const { predBegin, predList } = this;
    if (defOnEntryStamp[b] === epoch) return true;
    if (undefOnEntryStamp[b] === epoch) return false;
    const stamp = ++this.searchEpoch;
    let tail = 0;
    for (let k = predBegin[b]; k < predBegin[b + 1]; k++) {
      const p = predList[k];
      if (searchStamp[p] === stamp) continue;
      searchStamp[p] = stamp;
      search[tail++] = p;
    }
    for (let head = 0; head < tail; head++) {
      const p = search[head];
      let defined = this.seenStamp[p] === epoch && this.outValue[p] >= 0;
      if (!defined) {
        const d = this.lastDefOf(p);
        const hasLiveIn = this.liveInStamp[p] === epoch;
        if (d >= 0 || hasLiveIn) {
          if (this.isUndefIn(d >= 0 ? this.defEnd[d] : this.liveInEnd[p], blockStart[p + 1])) continue;
          defined = true;
        } else if (undefOnEntryStamp[p] === epoch || this.isUndefIn(blockStart[p], blockStart[p + 1])) {
          // As in LLVM this also answers later questions about the entry of p itself.
          undefOnEntryStamp[p] = epoch;
          continue;
        } else {
          defined = defOnEntryStamp[p] === epoch;
        }
      }
      if (defined) {
        for (const s of blocks[p].successors) defOnEntryStamp[s] = epoch;
        defOnEntryStamp[b] = epoch;
        return true;
      }
      for (let k = predBegin[p]; k < predBegin[p + 1]; k++) {
        const q = predList[k];
        if (searchStamp[q] === stamp) continue;
        searchStamp[q] = stamp;
        search[tail++] = q;
      }
    }
    undefOnEntryStamp[b] = epoch;
    return false;
  }

  private blockOfValue(v: number): number {
    return v < this.nDefs ? this.defBlock[v] : this.phiBlock[v - this.nDefs];
  }

  /**
   * Gives each of the first `n` blocks of the work list its live-in value: that of its immediate dominator, or a new
   * join value where a predecessor brings another one that was defined below that dominator.
   * @llvm LiveRangeCalc.cpp LiveRangeCalc::updateSSA
   */
  private updateSSA(n: number, useBlock: number, use: number): void {
    const { work, predBegin, predList, blockStart, epoch, seenStamp, outValue, liveInState } = this;
    this.domTree ??= new DominatorTree(this.blocks);
    const dom = this.domTree;
    // 0 = no value yet, 1 = inherits (value in liveInValue), 2 = done
    for (let k = 0; k < n; k++) {
      liveInState[k] = dom.isReachable(work[k]) ? 0 : 2;
      this.liveInValue[work[k]] = NONE;
    }
    let changed = true;
    while (changed) {
      changed = false;
      for (let k = 0; k < n; k++) {
        if (liveInState[k] === 2) continue;
        const b = work[k];
        const killed = b === useBlock && use >= 0;
        const idom = dom.idom[b];
        let needsPhi = idom < 0 || seenStamp[idom] !== epoch;
        let domValue = NONE;
        if (!needsPhi) {
          domValue = outValue[idom];
          for (let q = predBegin[b]; q < predBegin[b + 1]; q++) {
            const p = predList[q];
            const v = seenStamp[p] === epoch ? outValue[p] : NONE;
            if (v === NONE || v === domValue) continue;
            if (v === UNDEF || dom.dominates(idom, this.blockOfValue(v))) {
              needsPhi = true;
              break;
            }
          }
        }
        if (needsPhi) {
          changed = true;
          liveInState[k] = 2;
          const value = this.nDefs + this.nPhis;
          if (this.nPhis === this.phiBlock.length) this.phiBlock = grown(this.phiBlock);
          this.phiBlock[this.nPhis++] = b;
          this.setLiveIn(b, killed ? use : blockStart[b + 1], value);
          if (!killed) outValue[b] = value;
        } else if (domValue >= 0) {
          liveInState[k] = 1;
          this.liveInValue[b] = domValue;
          if (killed || outValue[b] === domValue) continue;
          changed = true;
          outValue[b] = domValue;
        }
      }
    }
    for (let k = 0; k < n; k++) {
      if (liveInState[k] !== 1) continue;
      const b = work[k];
      const killed = b === useBlock && use >= 0;
      this.setLiveIn(b, killed ? use : blockStart[b + 1], this.liveInValue[b]);
      if (!killed) outValue[b] = this.liveInValue[b];
    }
  }

  /** Slot at which a value begins. */
  valueDef(v: number): number {
    return v < this.nDefs ? this.defPos[v] : this.blockStart[this.phiBlock[v - this.nDefs]];
  }

  /** Brings the touched blocks into layout order: through a bit per block where they lie densely, else by sorting. */
  private sortTouched(): void {
    const { touched, nTouched, touchedBits } = this;
    let min = touched[0];
    let max = min;
    let ascending = true;
    for (let k = 1; k < nTouched; k++) {
      const b = touched[k];
      if (b > max) {
        max = b;
        continue;
      }
      ascending = false;
      if (b < min) min = b;
    }
    if (ascending) return;
    const first = min >>> 5;
    const last = max >>> 5;
    if (last - first > 2 * nTouched) {
      touched.subarray(0, nTouched).sort();
      return;
    }
    for (let k = 0; k < nTouched; k++) touchedBits[touched[k] >>> 5] |= 1 << (touched[k] & 31);
    let n = 0;
    for (let w = first; w <= last; w++) {
      for (let bits = touchedBits[w]; bits !== 0; bits &= bits - 1) {
        touched[n++] = (w << 5) + 31 - Math.clz32(bits & -bits);
      }
      touchedBits[w] = 0;
    }
  }

  /** Writes the finished range to segStart, segEnd and segValue (nSegs entries, ascending). */
  emit(): void {
    this.sortTouched();
    const { touched, nTouched, epoch } = this;
    const room = this.nDefs + nTouched;
    while (this.segStart.length < room) {
      this.segStart = grown(this.segStart);
      this.segEnd = grown(this.segEnd);
      this.segValue = grown(this.segValue);
    }
    const { segStart, segEnd, segValue, defPos, defEnd, defBlock, defPrevEnd, nDefs } = this;
    let n = 0;
    let d = 0;
    for (let k = 0; k < nTouched; k++) {
      const b = touched[k];
      if (this.liveInStamp[b] === epoch) {
        const start = this.blockStart[b];
        const value = this.liveInValue[b];
        if (n > 0 && segEnd[n - 1] === start && segValue[n - 1] === value) {
          segEnd[n - 1] = this.liveInEnd[b];
        } else {
          segStart[n] = start;
          segEnd[n] = this.liveInEnd[b];
          segValue[n++] = value;
        }
      }
      for (; d < nDefs && defBlock[d] === b; d++) {
        // A value that comes back around a loop, with nothing else in its way, meets its own def: one segment.
        const goesOn = n > 0 && segEnd[n - 1] === defPos[d] && segValue[n - 1] === d;
        const before = goesOn ? n - 2 : n - 1;
        defPrevEnd[d] = before >= 0 ? segEnd[before] : -1;
        if (goesOn) {
          segEnd[n - 1] = defEnd[d];
          continue;
        }
        segStart[n] = defPos[d];
        segEnd[n] = defEnd[d];
        segValue[n++] = d;
      }
    }
    this.nSegs = n;
  }
}
