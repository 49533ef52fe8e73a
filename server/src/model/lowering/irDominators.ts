/** Predecessors, reachability and dominators of the blocks of an IR function (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm). */
import type { BasicBlock } from '../../ir/module.js';

const NONE = -1;

export class BlockOrder {
  private readonly preds = new Map<BasicBlock, BasicBlock[]>();
  /** place in reverse post-order, of reached blocks */
  private readonly place = new Map<BasicBlock, number>();
  /** immediate dominators by place; computed when first asked for */
  private idom: Int32Array | null = null;

  /** The first block is the entry. O(edges) */
  constructor(blocks: readonly BasicBlock[]) {
    for (const block of blocks)
      for (const next of successors(block)) {
        const list = this.preds.get(next);
        if (list === undefined) this.preds.set(next, [block]);
        else list.push(block);
      }
    const entry = blocks[0];
    if (entry !== undefined) this.number(entry);
  }

  /** One per edge. */
  predecessors(block: BasicBlock): readonly BasicBlock[] {
    return this.preds.get(block) ?? [];
  }

  isReached(block: BasicBlock): boolean {
    return this.place.has(block);
  }

  /** Whether every path to `b` goes through `a`; both are reached. */
  dominates(a: BasicBlock, b: BasicBlock): boolean {
    const idom = (this.idom ??= this.computeIdoms());
    const above = this.place.get(a) ?? NONE;
    let at = this.place.get(b) ?? NONE;
    while (at > above) at = idom[at] as number;
    return at === above;
  }

  private number(entry: BasicBlock): void {
    const seen = new Set([entry]);
    const done: BasicBlock[] = [];
    const stack: { block: BasicBlock; next: readonly BasicBlock[]; k: number }[] = [
      { block: entry, next: successors(entry), k: 0 },
    ];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const to = top.next[top.k++];
      if (to === undefined) {
        done.push(top.block);
        stack.pop();
      } else if (!seen.has(to)) {
        seen.add(to);
        stack.push({ block: to, next: successors(to), k: 0 });
      }
    }
    done.reverse().forEach((block, k) => this.place.set(block, k));
  }

  private computeIdoms(): Int32Array {
    const idom = new Int32Array(this.place.size).fill(NONE);
    idom[0] = 0;
    const meet = (x: number, y: number): number => {
      let [a, b] = [x, y];
      while (a !== b)
        if (a > b) a = idom[a] as number;
        else b = idom[b] as number;
      return a;
    };
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const [block, at] of this.place) {
        if (at === 0) continue;
        let best = NONE;
        for (const p of this.predecessors(block)) {
          const from = this.place.get(p) ?? NONE;
          if (from === NONE || idom[from] === NONE) continue;
          best = best === NONE ? from : meet(from, best);
        }
        if (idom[at] === best) continue;
        idom[at] = best;
        isChanged = true;
      }
    }
    return idom;
  }
}

function successors(block: BasicBlock): readonly BasicBlock[] {
  const last = block.instructions.at(-1);
  return last?.blocks ?? [];
}
