/**
 * Whether a value may meet the one of an earlier round of a loop before its readers: LoopInfo does not tell loops with the same header apart
 * (LoopFinder of SILowerI1Copies, LLVM 22).
 */
import type { DominatorTree } from '../../analysis/dominators.js';
import type { PostDominatorTree } from '../../analysis/postDominators.js';
import type { BlockId, MachineFunction } from '../../model/machineFunction.js';

/** The virtual block that post-dominates all. */
const END: BlockId = -1;
const NOT_YET = Infinity;

/**
 * What can be reached from a block in levels: level 0 is the block itself, level n what comes before its n-th post-dominator and this one. For one block
 * at a time; its levels are kept for all values of the block.
 * @llvm SILowerI1Copies.cpp LoopFinder
 */
export class LoopFinder {
  private block: BlockId = END;
  /** by block that has been reached */
  private readonly levelOf = new Map<BlockId, number>();
  /** closest dominator of all blocks up to each level */
  private dominators: BlockId[] = [];
  /** what ends the last level */
  private bound: BlockId = END;
  /** the first level with an edge back to the block */
  private loopLevel = NOT_YET;
  private later: BlockId[] = [];

  constructor(
    private readonly fn: MachineFunction,
    private readonly dominatorTree: DominatorTree,
    private readonly postDominators: PostDominatorTree,
  ) {}

  start(block: BlockId): void {
    this.block = block;
    this.levelOf.clear();
    this.dominators = [];
    this.bound = END;
    this.loopLevel = NOT_YET;
    this.later = [];
  }

  /**
   * The level at which a way leads back to the block that does not pass the post-dominator `until` of all readers; 0 = there is none.
   * @llvm SILowerI1Copies.cpp LoopFinder::findLoop
   */
  find(until: BlockId): number {
    if (this.bound === END) this.advance();
    let level = 0;
    for (let at = this.block; at !== until;) {
      if (at === this.bound) this.advance();
      at = this.postDominators.idom(at);
      level++;
      if (this.loopLevel === level) return level;
    }
    return 0;
  }

  /**
   * Blocks at whose ends the value may be taken for undefined, so that nobody looks for it before them: what dominates the level and `others`, or what comes
   * before that where it belongs to them.
   * @llvm SILowerI1Copies.cpp LoopFinder::addLoopEntries
   */
  entries(level: number, others: readonly BlockId[]): BlockId[] {
    let dominator = this.dominators[level];
    for (const b of others) dominator = this.dominatorTree.nearestCommon(dominator, b);
    const isInside = (b: BlockId): boolean => (this.levelOf.get(b) ?? NOT_YET) <= level || others.includes(b);
    return isInside(dominator) ? this.fn.blocks[dominator].predecessors.filter((p) => !isInside(p)) : [dominator];
  }

  /** @llvm SILowerI1Copies.cpp LoopFinder::advanceLevel */
  private advance(): void {
    const { postDominators, dominatorTree, levelOf } = this;
    const level = this.dominators.length;
    const stack: BlockId[] = [];
    let dominator = this.block;
    if (this.bound === END) {
      this.bound = this.block;
      stack.push(this.block);
    } else {
      this.bound = postDominators.idom(this.bound);
      dominator = this.dominators.at(-1)!;
      // The order of the walk does not show: what it collects are sets.
      for (const b of this.later) if (postDominators.dominates(this.bound, b)) stack.push(b);
      this.later = this.later.filter((b) => !postDominators.dominates(this.bound, b));
    }
    for (let b = stack.pop(); b !== undefined; b = stack.pop()) {
      if (!postDominators.dominates(this.bound, b)) this.later.push(b);
      levelOf.set(b, level);
      dominator = dominatorTree.nearestCommon(dominator, b);
      for (const s of this.fn.blocks[b].successors) {
        if (s === this.block) this.loopLevel = Math.min(this.loopLevel, b === this.bound ? level + 1 : level);
        else if (!levelOf.has(s)) {
          levelOf.set(s, NOT_YET);
          (b === this.bound ? this.later : stack).push(s);
        }
      }
    }
    this.dominators.push(dominator);
  }
}
