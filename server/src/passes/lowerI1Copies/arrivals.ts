/** Which masks that a PHI reads can be taken as they are, and which meet others on the way (PhiIncomingAnalysis of SILowerI1Copies, LLVM 22). */
import type { PostDominatorTree } from '../../analysis/postDominators.js';
import type { FunctionEditor } from '../../model/edit/functionEditor.js';
import type { BlockId } from '../../model/machineFunction.js';
import { endsDivergent } from '../instrOrder.js';

export interface Arrivals {
  /** A wave that comes from here has been in none of the other blocks. */
  isSource(b: BlockId): boolean;
  /** blocks from which a wave comes into those with others before them */
  readonly outside: readonly BlockId[];
}

/**
 * What a wave may come through after it has left the blocks that a PHI's values come from (`incoming`), until it comes to the PHI. O(blocks that it comes through)
 * @llvm SILowerI1Copies.cpp PhiIncomingAnalysis::analyze
 */
export function findArrivals(
  editor: FunctionEditor,
  postDominators: PostDominatorTree,
  block: BlockId,
  incoming: readonly BlockId[],
): Arrivals {
  const { blocks } = editor.fn;
  const isSource = new Map<BlockId, boolean>([[block, false]]);
  const reached = [block];
  const stack: BlockId[] = [];
  for (const b of incoming) {
    if (b === block) {
      isSource.set(b, true);
      continue;
    }
    if (!isSource.has(b)) isSource.set(b, false);
    reached.push(b);
    // The wave may go through the other successors first.
    if (endsDivergent(editor, b) && postDominators.dominates(block, b)) stack.push(...blocks[b].successors);
  }
  for (let b = stack.pop(); b !== undefined; b = stack.pop()) {
    if (isSource.has(b)) continue;
    isSource.set(b, false);
    reached.push(b);
    stack.push(...blocks[b].successors);
  }
  const outside = new Set<BlockId>();
  for (const b of reached) {
    const others = blocks[b].predecessors.filter((p) => !isSource.has(p));
    if (others.length === blocks[b].predecessors.length) isSource.set(b, true);
    else for (const p of others) outside.add(p);
  }
  return { isSource: (b) => isSource.get(b) === true, outside: [...outside] };
}
