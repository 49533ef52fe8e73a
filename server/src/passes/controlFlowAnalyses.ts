/** What depends on the control flow alone, for any pass: computed when one asks, kept until one changes the blocks. */
import { DominatorTree } from '../analysis/dominators.js';
import { LoopInfo } from '../analysis/loops.js';
import { PostDominatorTree } from '../analysis/postDominators.js';
import { Analysis } from './passContext.js';

/** @llvm MachineDominators.cpp MachineDominatorTreeWrapperPass */
export const DOMINATORS = new Analysis('machine dominator tree', ({ fn }) => new DominatorTree(fn.blocks), {
  isOfCFG: true,
});

/** @llvm MachineLoopInfo.cpp MachineLoopInfoWrapperPass */
export const LOOPS = new Analysis('machine loops', (of) => new LoopInfo(of.fn.blocks, of.get(DOMINATORS)), {
  isOfCFG: true,
});

/** @llvm MachinePostDominators.cpp MachinePostDominatorTreeWrapperPass */
export const POST_DOMINATORS = new Analysis(
  'machine post-dominator tree',
  ({ fn }) => new PostDominatorTree(fn.blocks),
  {
    isOfCFG: true,
  },
);
