/** Blocks in the order in which a walk along successors comes to them. */
import type { BlockId, MachineFunction } from '../model/machineFunction.js';

/**
 * Those that the entry reaches, each before its successors that nobody has come to.
 * @llvm DepthFirstIterator.h depth_first
 */
export function depthFirst(fn: MachineFunction): BlockId[] {
  const order: BlockId[] = [];
  if (fn.blocks.length === 0) return order;
  const seen = new Uint8Array(fn.blocks.length);
  const next = new Int32Array(fn.blocks.length);
  const stack = [0];
  seen[0] = 1;
  order.push(0);
  while (stack.length > 0) {
    const b = stack[stack.length - 1];
    const { successors } = fn.blocks[b];
    if (next[b] === successors.length) {
      stack.pop();
      continue;
    }
    const s = successors[next[b]++];
    if (seen[s] === 1) continue;
    seen[s] = 1;
    order.push(s);
    stack.push(s);
  }
  return order;
}
