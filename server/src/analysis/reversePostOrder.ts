/** Blocks in the order in which LLVM's ReversePostOrderTraversal visits them. */
import type { BlockId, MachineBasicBlock } from '../model/machineFunction.js';

/** The blocks that the first one reaches: each behind all its predecessors, but for those of back edges. O(blocks + edges) */
export function reversePostOrder(blocks: readonly MachineBasicBlock[]): BlockId[] {
  const seen = new Uint8Array(blocks.length);
  const next = new Int32Array(blocks.length);
  const post: BlockId[] = [];
  const stack: BlockId[] = [];
  if (blocks.length > 0) {
    stack.push(0);
    seen[0] = 1;
  }
  while (stack.length > 0) {
    const b = stack[stack.length - 1];
    const { successors } = blocks[b];
    if (next[b] < successors.length) {
      const s = successors[next[b]++];
      if (seen[s] === 0) {
        seen[s] = 1;
        stack.push(s);
      }
    } else post.push(stack.pop()!);
  }
  return post.reverse();
}
