/** Blocks in the order in which LLVM's ReversePostOrderTraversal visits them. */

/** A block of machine code or of IR: numbers of those that it goes to and of those that go to it, each in LLVM's order. */
export interface FlowBlock {
  readonly successors: readonly number[];
  readonly predecessors: readonly number[];
}

/** The blocks that the first one reaches: each after all its predecessors, but for those of back edges. O(blocks + edges) */
export function reversePostOrder(blocks: readonly FlowBlock[]): number[] {
  const seen = new Uint8Array(blocks.length);
  const next = new Int32Array(blocks.length);
  const post: number[] = [];
  const stack: number[] = [];
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
