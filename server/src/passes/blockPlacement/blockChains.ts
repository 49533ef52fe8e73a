/** Chains: blocks that will follow each other (docs/llvm/block-layout.md, 4). */
import type { BlockId } from '../../model/machineFunction.js';

/** @llvm MachineBlockPlacement.cpp BlockChain */
export class BlockChain {
  /** predecessors in other chains that have no place yet, of those that count */
  unplaced = 0;

  constructor(readonly blocks: BlockId[]) {}

  get first(): BlockId {
    return this.blocks[0];
  }

  get last(): BlockId {
    return this.blocks[this.blocks.length - 1];
  }

  /** The block at a place comes first; those before it come last. */
  rotate(at: number): void {
    this.blocks.push(...this.blocks.splice(0, at));
  }
}

/** The blocks of a loop, in the order of their numbers. */
export class BlockFilter {
  private readonly members: Set<BlockId>;

  constructor(readonly order: BlockId[]) {
    this.members = new Set(order);
  }

  has(b: BlockId): boolean {
    return this.members.has(b);
  }

  /** Returns the place that it had, -1 = none. */
  remove(b: BlockId): number {
    if (!this.members.delete(b)) return -1;
    const at = this.order.indexOf(b);
    this.order.splice(at, 1);
    return at;
  }
}
