/**
 * Dominator tree of a machine function's control flow graph (LLVM: MachineDominatorTree).
 *
 * Semi-dominators with path compression (Lengauer and Tarjan's simple variant), so that long chains and ladders of blocks
 * stay near linear. Blocks that the entry does not reach have no node: idom and preorder numbers are -1.
 */
import type { BlockId, MachineBasicBlock } from '../model/machineFunction.js';

export class DominatorTree {
  /** immediate dominator; -1 for the entry and for unreachable blocks */
  readonly idom: Int32Array;
  /** interval of the block's subtree in a walk of the dominator tree; -1 = unreachable */
  readonly treeIn: Int32Array;
  readonly treeOut: Int32Array;
  /** reachable blocks in depth-first preorder of the control flow graph */
  readonly dfsOrder: Int32Array;

  constructor(blocks: readonly MachineBasicBlock[]) {
    const n = blocks.length;
    this.idom = new Int32Array(n).fill(-1);
    this.treeIn = new Int32Array(n).fill(-1);
    this.treeOut = new Int32Array(n).fill(-1);
    // Depth-first numbering with an explicit stack: blocks may form chains of any length.
    const num = new Int32Array(n).fill(-1);
    const vertex = new Int32Array(n);
    const parent = new Int32Array(n).fill(-1);
    const stack = new Int32Array(n + 1);
    const nextSucc = new Int32Array(n);
    let count = 0;
    if (n > 0) {
      let depth = 0;
      stack[depth++] = 0;
      num[0] = count;
      vertex[count++] = 0;
      while (depth > 0) {
        const b = stack[depth - 1];
        const succs = blocks[b].successors;
        if (nextSucc[b] === succs.length) {
          depth--;
          continue;
        }
        const s = succs[nextSucc[b]++];
        if (s < 0 || s >= n || num[s] >= 0) continue;
        num[s] = count;
        vertex[count++] = s;
        parent[s] = b;
        stack[depth++] = s;
      }
    }
    this.dfsOrder = vertex.subarray(0, count);

    // All arrays from here on are by depth-first number.
    const semi = new Int32Array(count).map((_, v) => v);
    const label = semi.slice();
    const ancestor = new Int32Array(count).fill(-1);
    const idom = new Int32Array(count);
    const bucketHead = new Int32Array(count).fill(-1);
    const bucketNext = new Int32Array(count).fill(-1);
    const path = new Int32Array(count);
    const evaluate = (v: number): number => {
      if (ancestor[v] < 0) return label[v];
      let len = 0;
      let x = v;
      while (ancestor[ancestor[x]] >= 0) {
        path[len++] = x;
        x = ancestor[x];
      }
      while (len > 0) {
        const y = path[--len];
        const a = ancestor[y];
        if (semi[label[a]] < semi[label[y]]) label[y] = label[a];
        ancestor[y] = ancestor[a];
      }
      return label[v];
    };
    for (let w = count - 1; w > 0; w--) {
      const b = vertex[w];
      for (const p of blocks[b].predecessors) {
        const pv = num[p] ?? -1;
        if (pv < 0) continue;
        const u = evaluate(pv);
        if (semi[u] < semi[w]) semi[w] = semi[u];
      }
      bucketNext[w] = bucketHead[semi[w]];
      bucketHead[semi[w]] = w;
      const par = num[parent[b]];
      ancestor[w] = par;
      for (let v = bucketHead[par]; v >= 0; v = bucketNext[v]) {
        const u = evaluate(v);
        idom[v] = semi[u] < semi[v] ? u : par;
      }
      bucketHead[par] = -1;
    }
    for (let w = 1; w < count; w++) {
      if (idom[w] !== semi[w]) idom[w] = idom[idom[w]];
      this.idom[vertex[w]] = vertex[idom[w]];
    }

    // Subtree intervals: sizes bottom up (a parent has a smaller number than its children), then positions top down.
    const size = new Int32Array(count).fill(1);
    for (let w = count - 1; w > 0; w--) size[idom[w]] += size[w];
    const next = new Int32Array(count);
    for (let w = 0; w < count; w++) {
      const begin = w === 0 ? 0 : next[idom[w]];
      if (w > 0) next[idom[w]] += size[w];
      next[w] = begin + 1;
      this.treeIn[vertex[w]] = begin;
      this.treeOut[vertex[w]] = begin + size[w];
    }
  }

  isReachable(b: BlockId): boolean {
    return this.treeIn[b] >= 0;
  }

  /** Whether a dominates b, or is b. Unreachable blocks are dominated by everything, as in LLVM. */
  dominates(a: BlockId, b: BlockId): boolean {
    // Where a is unreachable, no number lies below treeOut[a].
    return this.treeIn[b] < 0 || (this.treeIn[a] <= this.treeIn[b] && this.treeIn[b] < this.treeOut[a]);
  }

  /** The closest block that dominates both, -1 where there is none. O(depth) */
  nearestCommon(a: BlockId, b: BlockId): BlockId {
    while (a >= 0 && !this.dominates(a, b)) a = this.idom[a];
    return a;
  }
}
