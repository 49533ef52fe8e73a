/**
 * Natural loops of a machine function (LLVM: MachineLoopInfo). Irreducible cycles are no loops, as in LLVM.
 */
import type { BlockId, MachineBasicBlock } from '../model/machineFunction.js';
import type { DominatorTree } from './dominators.js';

export interface Loop {
  readonly header: BlockId;
  /** index in LoopInfo.loops of the next outer loop, -1 = outermost */
  readonly parent: number;
  /** 1 for an outermost loop */
  readonly depth: number;
}

export class LoopInfo {
  /** an outer loop comes before the loops inside it */
  readonly loops: readonly Loop[];
  /** innermost loop of each block, -1 = none */
  readonly loopOf: Int32Array;

  constructor(blocks: readonly MachineBasicBlock[], dom: DominatorTree) {
    const n = blocks.length;
    // Headers inner before outer: a header's dominator tree position is after that of every loop around it.
    const headers: BlockId[] = [];
    for (let b = 0; b < n; b++) {
      if (!dom.isReachable(b)) continue;
      if (blocks[b].predecessors.some((p) => dom.isReachable(p) && dom.dominates(b, p))) headers.push(b);
    }
    headers.sort((a, b) => dom.treeIn[b] - dom.treeIn[a]);

    const loopOf = new Int32Array(n).fill(-1);
    const parent = new Int32Array(headers.length).fill(-1);
    // Shortcut to an ancestor, shortened on every walk so that deep nests stay near linear.
    const up = new Int32Array(headers.length).fill(-1);
    const outermost = (l: number): number => {
      while (up[l] >= 0) {
        const above = up[up[l]];
        if (above < 0) return up[l];
        up[l] = above;
        l = above;
      }
      return l;
    };
    const work: BlockId[] = [];
    for (let l = 0; l < headers.length; l++) {
      const header = headers[l];
      for (const p of blocks[header].predecessors) if (dom.isReachable(p) && dom.dominates(header, p)) work.push(p);
      while (work.length > 0) {
        const b = work.pop()!;
        if (loopOf[b] < 0) {
          loopOf[b] = l;
          if (b === header) continue;
          for (const p of blocks[b].predecessors) if (dom.isReachable(p)) work.push(p);
          continue;
        }
        // Already in an inner loop: its outermost loop so far becomes a child, and the search goes on above its header.
        const inner = outermost(loopOf[b]);
        if (inner === l) continue;
        parent[inner] = l;
        up[inner] = l;
        for (const p of blocks[headers[inner]].predecessors) {
          if (!dom.isReachable(p) || (loopOf[p] >= 0 && outermost(loopOf[p]) === l)) continue;
          work.push(p);
        }
      }
      if (loopOf[header] < 0) loopOf[header] = l;
    }

    // Renumber so that outer loops come first.
    const order = headers.map((_, l) => l).reverse();
    const newIndex = new Int32Array(headers.length);
    order.forEach((l, k) => (newIndex[l] = k));
    const loops: Loop[] = [];
    for (const l of order) {
      const par = parent[l] < 0 ? -1 : newIndex[parent[l]];
      loops.push({ header: headers[l], parent: par, depth: par < 0 ? 1 : loops[par].depth + 1 });
    }
    for (let b = 0; b < n; b++) if (loopOf[b] >= 0) loopOf[b] = newIndex[loopOf[b]];
    this.loops = loops;
    this.loopOf = loopOf;
  }

  /** Number of loops around a block, 0 = none. */
  depthOf(b: BlockId): number {
    return this.loopOf[b] < 0 ? 0 : this.loops[this.loopOf[b]].depth;
  }

  /** Whether block b is in `loop` or in a loop inside it. */
  contains(loop: number, b: BlockId): boolean {
    let l = this.loopOf[b];
    while (l >= 0 && l !== loop) l = this.loops[l].parent;
    return l === loop && loop >= 0;
  }
}
