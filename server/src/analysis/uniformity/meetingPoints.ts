/**
 * Which blocks a divergent branch could have as joins at all: those that two of its successors reach. A bound for JoinFinder that costs a row of bits for each
 * block once and one comparison of rows for each branch.
 */
import type { BlockId, MachineBasicBlock } from '../../model/machineFunction.js';
import type { CyclePostOrder } from './cyclePostOrder.js';
import { type CycleInfo, NO_CYCLE } from '../../util/cycles.js';

/** Words of all rows together. */
const MAX_WORDS = 1 << 23;

export class MeetingPoints {
  private rows: Uint32Array | null = null;
  private readonly nWords: number;
  /** places of the post-order that may still satisfy `isOpen` of someOf */
  private readonly open: Uint32Array;

  constructor(
    private readonly cfg: readonly MachineBasicBlock[],
    private readonly cycles: CycleInfo,
    private readonly order: () => CyclePostOrder,
  ) {
    this.nWords = (cfg.length + 31) >>> 5;
    this.open = new Uint32Array(this.nWords).fill(0xffffffff);
  }

  /**
   * Whether a block that two successors of `branch` reach satisfies `isOpen`, always the same one, which may become false of a block but never true again. True, too, where
   * there are too many blocks to tell. The blocks that an irreducible cycle reaches count as reached by each block of it.
   */
  someOf(branch: BlockId, isOpen: (b: BlockId) => boolean): boolean {
    const { cfg, nWords, open } = this;
    if (nWords * cfg.length > MAX_WORDS) return true;
    const { order, index } = this.order();
    const rows = (this.rows ??= this.findRows());
    const begins = cfg[branch].successors.map((s) => index[s] * nWords);
    for (let w = 0; w < nWords; w++) {
      let [reached, twice] = [0, 0];
      for (const begin of begins) {
        const row = rows[begin + w];
        twice |= reached & row;
        reached |= row;
      }
      for (let bits = twice & open[w]; bits !== 0; bits &= bits - 1) {
        const bit = 31 - Math.clz32(bits & -bits);
        if (isOpen(order[w * 32 + bit])) return true;
        open[w] &= ~(1 << bit);
      }
    }
    return false;
  }

  /** Places that each place reaches, itself included, along CyclePostOrder.next. */
  private findRows(): Uint32Array {
    const { nWords, cycles } = this;
    const { order, index, next, nextBegin } = this.order();
    const rows = new Uint32Array(order.length * nWords);
    const addTo = (row: number, k: number): void => {
      rows[row + (k >>> 5)] |= 1 << (k & 31);
      for (let e = nextBegin[k]; e < nextBegin[k + 1]; e++) {
        const begin = next[e] * nWords;
        if (begin !== row) for (let w = 0; w < nWords; w++) rows[row + w] |= rows[begin + w];
      }
    };
    // What a place leads to comes before it, but for the blocks of irreducible cycles, whose places follow each other.
    for (let k = 0; k < order.length;) {
      const tangle = this.outermostIrreducible(order[k]);
      const inside = tangle < 0 ? [k] : cycles.blocks[tangle].map((b) => index[b]);
      const row = k * nWords;
      for (const x of inside) addTo(row, x);
      for (const x of inside) if (x !== k) rows.copyWithin(x * nWords, row, row + nWords);
      k += inside.length;
    }
    return rows;
  }

  private outermostIrreducible(b: BlockId): number {
    const { cycles } = this;
    let found = NO_CYCLE;
    for (let c = cycles.cycleOf[b]; c >= 0; c = cycles.parent[c]) if (!cycles.isReducible(c)) found = c;
    return found;
  }
}
