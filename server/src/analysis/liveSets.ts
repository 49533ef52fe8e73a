/**
 * Sets of live virtual registers with their lanes: a mutable set for the trackers, and the sets at the borders of all
 * blocks, made in one sweep over the segments instead of one query per register and block.
 */
import type { BlockId } from '../model/machineFunction.js';
import { INSTR_DIST, Slot } from './slotIndexes.js';
import type { LiveIntervals } from './liveIntervals.js';
import type { DenseMapOrder } from '../util/denseMapOrder.js';
import type { VRegId } from '../model/register.js';

/** Live lanes per virtual register, with O(1) change and iteration over the live ones only (a sparse set). */
export class LiveRegSet {
  readonly lo: Uint32Array;
  readonly hi: Uint32Array;
  /** the live registers, in no particular order; the first `size` entries are valid */
  readonly regs: Int32Array;
  size = 0;
  /** told of what comes and goes, if somebody wants to know LLVM's order */
  journal: DenseMapOrder | null = null;
  private readonly position: Int32Array;

  constructor(nVRegs: number) {
    this.lo = new Uint32Array(nVRegs);
    this.hi = new Uint32Array(nVRegs);
    this.regs = new Int32Array(nVRegs);
    this.position = new Int32Array(nVRegs);
  }

  clear(): void {
    for (let k = 0; k < this.size; k++) {
      this.lo[this.regs[k]] = 0;
      this.hi[this.regs[k]] = 0;
    }
    this.size = 0;
  }

  /** Sets the lanes of register v; none removes it. */
  set(v: VRegId, lo: number, hi: number): void {
    this.lo[v] = lo;
    this.hi[v] = hi;
    if ((lo | hi) !== 0) this.insert(v);
    else this.erase(v);
  }

  /** Makes v a member, also without lanes: reads of undefined lanes leave such entries, and LLVM reports them. */
  insert(v: VRegId): void {
    if (this.has(v)) return;
    this.position[v] = this.size;
    this.regs[this.size++] = v;
    this.journal?.insert(v);
  }

  erase(v: VRegId): void {
    if (!this.has(v)) return;
    this.lo[v] = 0;
    this.hi[v] = 0;
    const at = this.position[v];
    const last = this.regs[--this.size];
    this.regs[at] = last;
    this.position[last] = at;
    this.journal?.erase(v);
  }

  has(v: VRegId): boolean {
    const at = this.position[v];
    return at < this.size && this.regs[at] === v;
  }
}

/** One family of sets, for example the live-ins of all blocks; set b is begin[b] .. begin[b + 1], by ascending register. */
export interface BlockSets {
  /** Int32Array(nBlocks + 1) */
  readonly begin: Int32Array;
  readonly vreg: Int32Array;
  readonly lo: Uint32Array;
  readonly hi: Uint32Array;
}

/** Registers live at the start and at the last slot of every block. Each family is made when first asked for: O(ranges + its size). */
export class BlockLiveness {
  private ins: BlockSets | null = null;
  private outs: BlockSets | null = null;
  /** registers that may be in a set */
  private candidates: Int32Array | null = null;

  constructor(private readonly lis: LiveIntervals) {}

  get liveIn(): BlockSets {
    return (this.ins ??= this.collect(0));
  }

  get liveOut(): BlockSets {
    return (this.outs ??= this.collect(FROM_LAST_SLOT));
  }

  private collect(before: number): BlockSets {
    return collect(this.lis, (this.candidates ??= crossingRegisters(this.lis)), before);
  }

  numLiveIns(b: BlockId): number {
    return this.liveIn.begin[b + 1] - this.liveIn.begin[b];
  }

  numLiveOuts(b: BlockId): number {
    return this.liveOut.begin[b + 1] - this.liveOut.begin[b];
  }
}

/** From the last slot of a block to the start of the next one. */
const FROM_LAST_SLOT = INSTR_DIST - Slot.Dead;

/** Ascending; without the common register, which lives inside one block. */
function crossingRegisters(lis: LiveIntervals): Int32Array {
  const { indexes, segBegin, segCount, segStart, segEnd, mainRange } = lis;
  const { blockStart, blockAt } = indexes;
  const result = new Int32Array(lis.nVRegs);
  let n = 0;
  for (let v = 0; v < result.length; v++) {
    const main = mainRange[v];
    if (main < 0) continue;
    if (segCount[main] === 1 && lis.subRange[v] < 0) {
      // What lives at the start of the block without another segment in its predecessors lives through its end, but for what has no definition at all.
      const s = segBegin[main];
      const b = blockAt[segStart[s] >> 4];
      if (segStart[s] > blockStart[b] && segEnd[s] <= blockStart[b + 1] - FROM_LAST_SLOT) continue;
    }
    result[n++] = v;
  }
  return result.slice(0, n);
}

/**
 * The sets at one place per block: its start (`before` = 0), or `before` slots before the start of the next one, which is
 * the last slot of block b. `candidates`: see crossingRegisters.
 */
function collect(lis: LiveIntervals, candidates: Int32Array, before: number): BlockSets {
  const { indexes, segBegin, segCount, segStart, segEnd, laneLo, laneHi, nextSubRange } = lis;
  const { blockStart, blockAt } = indexes;
  const nBlocks = blockStart.length - 1;
  const shift = before === 0 ? 0 : 1;
  const begin = new Int32Array(nBlocks + 1);
  const latest = new Int32Array(nBlocks);
  let vreg = new Int32Array(0);
  let lo = new Uint32Array(0);
  let hi = new Uint32Array(0);
  const at = new Int32Array(nBlocks);
  for (let pass = 0; pass < 2; pass++) {
    latest.fill(-1);
    for (const v of candidates) {
      const main = lis.mainRange[v];
      let fullLo = 0;
      let fullHi = 0;
      const firstSub = lis.subRange[v];
      if (firstSub < 0) {
        fullLo = lis.maxLanes(v);
        fullHi = lis.lanesHi;
      }
      for (let r = firstSub < 0 ? main : firstSub; r >= 0; r = firstSub < 0 ? -1 : nextSubRange[r]) {
        const maskLo = firstSub < 0 ? fullLo : laneLo[r];
        const maskHi = firstSub < 0 ? fullHi : laneHi[r];
        for (let s = segBegin[r], e = s + segCount[r]; s < e; s++) {
          const from = segStart[s];
          const to = segEnd[s];
          let b = blockAt[from >> 4];
          if (blockStart[b + shift] - before < from) b++;
          for (; b < nBlocks && blockStart[b + shift] - before < to; b++) {
            if (pass === 0) {
              if (latest[b] !== v) begin[b + 1]++;
            } else {
              if (latest[b] !== v) {
                vreg[at[b]] = v;
                at[b]++;
              }
              lo[at[b] - 1] |= maskLo;
              hi[at[b] - 1] |= maskHi;
            }
            latest[b] = v;
          }
        }
      }
    }
    if (pass === 0) {
      for (let b = 0; b < nBlocks; b++) {
        at[b] = begin[b];
        begin[b + 1] += begin[b];
      }
      vreg = new Int32Array(begin[nBlocks]);
      lo = new Uint32Array(begin[nBlocks]);
      hi = new Uint32Array(begin[nBlocks]);
    }
  }
  return { begin, vreg, lo, hi };
}
