/**
 * The dominators of the control flow backwards, from a virtual block that follows all ends (LLVM: MachinePostDominatorTree). An endless loop
 * ends where a walk from its first block comes last.
 */
import type { BlockId, MachineBasicBlock } from '../model/machineFunction.js';
import { DominatorTree } from './dominators.js';

export class PostDominatorTree {
  private readonly tree: DominatorTree;

  constructor(blocks: readonly MachineBasicBlock[]) {
    const isEnd = new Set(endsOf(blocks));
    const backwards = blocks.map((block, b) => ({
      ...block,
      successors: block.predecessors.map((p) => p + 1),
      predecessors: [...(isEnd.has(b) ? [0] : []), ...block.successors.map((s) => s + 1)],
    }));
    const virtual = { ...blocks[0], successors: [...isEnd].map((b) => b + 1), predecessors: [] };
    this.tree = new DominatorTree([virtual, ...backwards]);
  }

  /** `a`: -1 is the virtual block */
  dominates(a: BlockId, b: BlockId): boolean {
    return this.tree.dominates(a + 1, b + 1);
  }

  /** The immediate post-dominator; -1 = the virtual block. */
  idom(b: BlockId): BlockId {
    return this.tree.idom[b + 1] - 1;
  }

  /** The closest block that post-dominates both; -1 = the virtual block alone does. O(depth) */
  nearestCommon(a: BlockId, b: BlockId): BlockId {
    return this.tree.nearestCommon(a + 1, b + 1) - 1;
  }
}

/** @llvm GenericDomTreeConstruction.h SemiNCAInfo::FindRoots */
function endsOf(blocks: readonly MachineBasicBlock[]): BlockId[] {
  const ends: BlockId[] = [];
  const leadsToEnd = new Uint8Array(blocks.length);
  const add = (end: BlockId): void => {
    ends.push(end);
    for (const b of walk(end, (x) => blocks[x].predecessors, leadsToEnd)) leadsToEnd[b] = 1;
  };
  for (let b = 0; b < blocks.length; b++) if (blocks[b].successors.length === 0) add(b);
  // The walk takes the block with the highest number first.
  const forwards = (b: BlockId): BlockId[] => [...blocks[b].successors].sort((x, y) => x - y);
  const nExits = ends.length;
  for (let b = 0; b < blocks.length; b++) if (leadsToEnd[b] === 0) add(walk(b, forwards, leadsToEnd).at(-1)!);
  if (ends.length === nExits) return ends;
  // One that another one follows is none.
  const nowhere = new Uint8Array(blocks.length);
  for (let i = 0; i < ends.length; i++) {
    if (blocks[ends[i]].successors.length === 0) continue;
    const [, ...reached] = walk(ends[i], (x) => [...blocks[x].successors].reverse(), nowhere);
    if (!reached.some((b) => ends.includes(b))) continue;
    ends[i] = ends.at(-1)!;
    ends.pop();
    i--;
  }
  return ends;
}

/** The blocks from one on in the order of a depth-first walk, which takes the last neighbour first and leaves out those with `isDone`. */
function walk(from: BlockId, next: (b: BlockId) => readonly BlockId[], isDone: Uint8Array): BlockId[] {
  const seen = new Set<BlockId>();
  const stack = [from];
  for (let b = stack.pop(); b !== undefined; b = stack.pop()) {
    if (seen.has(b) || isDone[b] !== 0) continue;
    seen.add(b);
    stack.push(...next(b));
  }
  return [...seen];
}
