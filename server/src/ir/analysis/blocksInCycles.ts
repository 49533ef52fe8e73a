/** Which blocks of an IR function lie on cycles. */
import type { BasicBlock } from '../module.js';
import { successorsOf } from './functionFacts.js';

/** Blocks that can reach themselves (members of cycles), from strongly connected components. O(edges). */
export function blocksInCycles(blocks: readonly BasicBlock[]): ReadonlySet<BasicBlock> {
  // Strongly connected components, iteratively (Tarjan).
  const index = new Map<BasicBlock, number>();
  const low = new Map<BasicBlock, number>();
  const onStack = new Set<BasicBlock>();
  const stack: BasicBlock[] = [];
  const res = new Set<BasicBlock>();
  for (const root of blocks) {
    if (index.has(root)) continue;
    const work: { block: BasicBlock; next: number }[] = [];
    const enter = (b: BasicBlock): void => {
      index.set(b, index.size);
      low.set(b, index.get(b)!);
      stack.push(b);
      onStack.add(b);
      work.push({ block: b, next: 0 });
    };
    enter(root);
    while (work.length > 0) {
      const top = work[work.length - 1];
      const successors = successorsOf(top.block);
      if (top.next < successors.length) {
        const s = successors[top.next++];
        if (!index.has(s)) enter(s);
        else if (onStack.has(s)) low.set(top.block, Math.min(low.get(top.block)!, index.get(s)!));
        continue;
      }
      work.pop();
      const l = low.get(top.block)!;
      if (work.length > 0) {
        const parent = work[work.length - 1].block;
        low.set(parent, Math.min(low.get(parent)!, l));
      }
      if (l !== index.get(top.block)) continue;
      const members: BasicBlock[] = [];
      for (;;) {
        const b = stack.pop()!;
        onStack.delete(b);
        members.push(b);
        if (b === top.block) break;
      }
      if (members.length > 1 || successorsOf(members[0]).includes(members[0])) for (const b of members) res.add(b);
    }
  }
  return res;
}
