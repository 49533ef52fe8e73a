/**
 * Cycles of a control flow graph, reducible and not (LLVM 22: GenericCycleInfo; docs/llvm/uniformity.md, section 1).
 *
 * A cycle's header is the block of it that a depth-first walk from the entry meets first; everything that reaches the header again without
 * leaving the header's part of that walk belongs to the cycle. The walk goes to the last successor first, blocks are kept in the order
 * in which they are found, and both orders show in what LLVM prints.
 */
import type { FlowBlock } from './reversePostOrder.js';

/** No cycle, no block. */
export const NO_CYCLE = -1;

export class CycleInfo {
  readonly nCycles: number;
  /** entry blocks by cycle; the first is the header */
  readonly entries: number[][] = [];
  /** all blocks by cycle, those of inner cycles included, in LLVM's order */
  readonly blocks: number[][] = [];
  /** enclosing cycle by cycle, -1 at top level */
  readonly parent: number[] = [];
  /** 1 at top level */
  readonly depth: Int32Array;
  /** innermost cycle by block, -1 outside all */
  readonly cycleOf: Int32Array;
  /** numbers of the cycle tree: cycle c holds cycle d exactly if treeIn[c] <= treeIn[d] < treeOut[c] */
  private readonly treeIn: Int32Array;
  private readonly treeOut: Int32Array;
  /** the last cycle that a block was found to be an exit of, by block */
  private readonly seenFor: Int32Array;
  private readonly exits: (readonly number[] | undefined)[];
  /** exits by cycle: depths of the cycles that they lie in, 0 outside all */
  private readonly exitDepths: (ReadonlySet<number> | undefined)[];

  /**
   * O(blocks * depth + edges). `inPreorder`: entries in the order in which the walk comes to them, and so the blocks, but for those of inner cycles,
   * which follow, cycle by cycle (LLVM 24); else both as they are found.
   */
  constructor(
    private readonly cfg: readonly FlowBlock[],
    inPreorder = false,
  ) {
    this.cycleOf = new Int32Array(cfg.length).fill(NO_CYCLE);
    this.seenFor = new Int32Array(cfg.length).fill(NO_CYCLE);
    if (cfg.length > 0) this.find(inPreorder);
    const n = (this.nCycles = this.parent.length);
    this.depth = new Int32Array(n);
    this.treeIn = new Int32Array(n);
    this.treeOut = new Int32Array(n);
    this.exits = new Array<readonly number[] | undefined>(n);
    this.exitDepths = new Array<ReadonlySet<number> | undefined>(n);
    this.numberTree();
  }

  isReducible(c: number): boolean {
    return this.entries[c].length === 1;
  }

  header(c: number): number {
    return this.entries[c][0];
  }

  /** Whether cycle `d` (-1: none) is cycle `c` or inside it. */
  containsCycle(c: number, d: number): boolean {
    return d >= 0 && this.treeIn[c] <= this.treeIn[d] && this.treeIn[d] < this.treeOut[c];
  }

  contains(c: number, b: number): boolean {
    return this.containsCycle(c, this.cycleOf[b]);
  }

  /** Blocks outside a cycle that it branches to, each once, in LLVM's order. Not to be written to. */
  exitBlocks(c: number): readonly number[] {
    return (this.exits[c] ??= this.findExits(c));
  }

  /** Whether an exit of the cycle lies in a cycle of that depth, 0 = outside all. */
  hasExitAtDepth(c: number, depth: number): boolean {
    return (this.exitDepths[c] ??= new Set(this.exitBlocks(c).map((e) => this.depthOf(e)))).has(depth);
  }

  /** Of the innermost cycle around a block; 0 outside all. */
  depthOf(b: number): number {
    const c = this.cycleOf[b];
    return c < 0 ? 0 : this.depth[c];
  }

  private findExits(c: number): number[] {
    const { cfg, seenFor } = this;
    const found: number[] = [];
    for (const b of this.blocks[c])
      for (const s of cfg[b].successors) {
        if (seenFor[s] === c || this.contains(c, s)) continue;
        seenFor[s] = c;
        found.push(s);
      }
    return found;
  }

  private find(inPreorder: boolean): void {
    const { cfg, cycleOf, parent } = this;
    const walk = new DepthFirstWalk(cfg);
    /** a cycle on the way to the outermost one found so far; paths are halved as they are walked */
    const up: number[] = [];
    const outermost = (c: number): number => {
      while (up[c] >= 0) {
        if (up[up[c]] >= 0) up[c] = up[up[c]];
        c = up[c];
      }
      return c;
    };
    const worklist: number[] = [];
    for (let k = walk.preorder.length - 1; k >= 0; k--) {
      const header = walk.preorder[k];
      for (const p of cfg[header].predecessors) if (walk.isAncestor(header, p)) worklist.push(p);
      if (worklist.length === 0) continue;
      const c = parent.push(NO_CYCLE) - 1;
      up.push(NO_CYCLE);
      const entries = [header];
      const blocks = [header];
      this.entries.push(entries);
      this.blocks.push(blocks);
      cycleOf[header] = c;
      const addPredecessors = (b: number): void => {
        let isEntry = false;
        for (const p of cfg[b].predecessors) {
          if (walk.isAncestor(header, p)) worklist.push(p);
          else if (walk.isReached(p)) isEntry = true;
        }
        if (isEntry) entries.push(b);
      };
      for (let b = worklist.pop(); b !== undefined; b = worklist.pop()) {
        if (b === header) continue;
        if (cycleOf[b] < 0) {
          cycleOf[b] = c;
          blocks.push(b);
          addPredecessors(b);
          continue;
        }
        const inner = outermost(cycleOf[b]);
        if (inner === c) continue;
        parent[inner] = c;
        up[inner] = c;
        for (const x of this.blocks[inner]) blocks.push(x);
        for (const e of this.entries[inner]) addPredecessors(e);
      }
    }
    if (inPreorder) this.orderByWalk(walk);
  }

  private orderByWalk(walk: DepthFirstWalk): void {
    const { blocks, entries, parent, cycleOf } = this;
    const earlier = (a: number, b: number): number => walk.numberOf(a) - walk.numberOf(b);
    for (const list of entries) list.sort(earlier);
    for (let c = 0; c < blocks.length; c++) blocks[c] = blocks[c].filter((b) => cycleOf[b] === c).sort(earlier);
    // Inner cycles are found before those around them.
    for (let c = 0; c < blocks.length; c++) if (parent[c] >= 0) for (const b of blocks[c]) blocks[parent[c]].push(b);
  }

  /** Cycles come after those inside them. */
  private numberTree(): void {
    const { nCycles, parent, depth, treeIn, treeOut } = this;
    const size = new Int32Array(nCycles).fill(1);
    for (let c = 0; c < nCycles; c++) if (parent[c] >= 0) size[parent[c]] += size[c];
    const next = new Int32Array(nCycles);
    let top = 0;
    for (let c = nCycles - 1; c >= 0; c--) {
      const p = parent[c];
      depth[c] = p < 0 ? 1 : depth[p] + 1;
      const begin = p < 0 ? top : next[p];
      if (p < 0) top += size[c];
      else next[p] += size[c];
      treeIn[c] = begin;
      treeOut[c] = begin + size[c];
      next[c] = begin + 1;
    }
  }
}

/** Numbers of a depth-first walk from the entry that takes the last successor first. */
class DepthFirstWalk {
  readonly preorder: number[] = [];
  /** from 1 on; 0 = not reached */
  private readonly start: Int32Array;
  /** the largest start in the subtree */
  private readonly end: Int32Array;

  constructor(cfg: readonly FlowBlock[]) {
    this.start = new Int32Array(cfg.length);
    this.end = new Int32Array(cfg.length);
    const { start, end, preorder } = this;
    const stack: number[] = [0];
    /** heights of `stack` at which the blocks that are being walked lie */
    const open: number[] = [];
    while (stack.length > 0) {
      const b = stack[stack.length - 1];
      if (start[b] === 0) {
        start[b] = preorder.push(b);
        open.push(stack.length);
        for (const s of cfg[b].successors) stack.push(s);
        continue;
      }
      if (open[open.length - 1] === stack.length) {
        end[b] = preorder.length;
        open.pop();
      }
      stack.pop();
    }
  }

  /** place of a block in `preorder`, from 1 on; 0 = not reached */
  numberOf(b: number): number {
    return this.start[b];
  }

  isReached(b: number): boolean {
    return this.start[b] > 0;
  }

  /** Whether `a`, which was reached, is `b` or above it in the tree of the walk; false where `b` was not reached. */
  isAncestor(a: number, b: number): boolean {
    return this.start[a] <= this.start[b] && this.end[b] <= this.end[a];
  }
}
