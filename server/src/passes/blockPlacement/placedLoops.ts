/** The loops of a function whose blocks are placed, copied and merged (LoopInfo, LLVM 22). */
import type { LoopInfo } from '../../analysis/loops.js';
import type { BlockId, MachineBasicBlock } from '../../model/machineFunction.js';
import { reversePostOrder } from '../../util/reversePostOrder.js';
import type { PlacedLoopsOf } from '../branchFolder/tailMerging.js';

export class PlacedLoop {
  /** the header first, then the others in reverse post-order; those that were made last */
  readonly blocks: BlockId[] = [];
  /** in the order of their headers in `blocks` */
  readonly inner: PlacedLoop[] = [];

  constructor(
    readonly outer: PlacedLoop | null,
    readonly depth: number,
  ) {}

  get header(): BlockId {
    return this.blocks[0];
  }

  /** Whether a loop is this one or inside it. */
  holds(loop: PlacedLoop | null): boolean {
    let at = loop;
    while (at !== null && at.depth > this.depth) at = at.outer;
    return at === this;
  }
}

export class PlacedLoops implements PlacedLoopsOf {
  /** inner loops before the one around them, as LLVM comes to them: those that are in no other one from the last to the first */
  readonly insideOut: readonly PlacedLoop[];
  private readonly of: (PlacedLoop | null)[];

  /** O(blocks, each as often as loops are around it) */
  constructor(blocks: readonly MachineBasicBlock[], { loops, loopOf }: LoopInfo) {
    const made: PlacedLoop[] = [];
    for (const { parent, depth } of loops) made.push(new PlacedLoop(parent < 0 ? null : made[parent], depth));
    this.of = blocks.map((_, b) => (loopOf[b] < 0 ? null : made[loopOf[b]]));
    const outermost: PlacedLoop[] = [];
    for (const b of reversePostOrder(blocks)) {
      const own = this.of[b];
      if (own === null) continue;
      if (own.blocks.length === 0) (own.outer?.inner ?? outermost).push(own);
      for (let l: PlacedLoop | null = own; l !== null; l = l.outer) l.blocks.push(b);
    }
    const backwards: PlacedLoop[] = [];
    const stack = outermost.reverse();
    for (let l = stack.pop(); l !== undefined; l = stack.pop()) {
      backwards.push(l);
      for (const inner of l.inner) stack.push(inner);
    }
    this.insideOut = backwards.reverse();
  }

  loopOf(b: BlockId): PlacedLoop | null {
    return this.of[b] ?? null;
  }

  has(loop: PlacedLoop, b: BlockId): boolean {
    return loop.holds(this.loopOf(b));
  }

  /** @llvm GenericLoopInfo.h LoopBase::addBasicBlockToLoop */
  add(b: BlockId, like: BlockId): void {
    const own = this.loopOf(like);
    this.of[b] = own;
    for (let l = own; l !== null; l = l.outer) l.blocks.push(b);
  }

  /** @llvm GenericLoopInfo.h LoopInfoBase::removeBlock */
  remove(b: BlockId): void {
    for (let l = this.loopOf(b); l !== null; l = l.outer) {
      const at = l.blocks.indexOf(b);
      if (at >= 0) l.blocks.splice(at, 1);
    }
    this.of[b] = null;
  }
}
