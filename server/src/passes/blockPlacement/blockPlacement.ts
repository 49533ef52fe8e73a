/** `block-placement`: blocks that often run one after the other follow each other (docs/llvm/block-layout.md, 4). */
import { computeBlockFrequencies } from '../../analysis/blockFrequency.js';
import { BlockLayout } from '../blockLayout.js';
import { BranchFolder } from '../branchFolder/branchFolder.js';
import { FoldedFunction } from '../branchFolder/foldedFunction.js';
import { TailMerging } from '../branchFolder/tailMerging.js';
import { LOOPS, POST_DOMINATORS } from '../controlFlowAnalyses.js';
import type { FunctionState } from '../functionState.js';
import { NotModelled, PassError, type MachinePass } from '../machinePass.js';
import type { PassContext } from '../passContext.js';
import { PostDominatorTree } from '../../analysis/postDominators.js';
import { EdgeFrequencies } from './edgeFrequency.js';
import { LoopAlignment } from './loopAlignment.js';
import { PlacedLoops } from './placedLoops.js';
import { Placement } from './placement.js';

/** @llvm MachineBlockPlacement.cpp MachineBlockPlacementLegacy */
export const blockPlacementPass: MachinePass = {
  name: 'block-placement',
  pipelineName: 'block-placement',
  className: 'MachineBlockPlacementPass',
  title: 'Branch Probability Basic Block Placement',
  requires: [LOOPS, POST_DOMINATORS],
  preserves: [],
  run(state, use) {
    if (state.fn.isOptNone) return;
    if (use.isPipeline) throw new PassError('LLVM ERROR: MachineBlockPlacement requires ProfileSummaryAnalysis');
    if (state.fn.blocks.length > 1) placeBlocks(state);
  },
};

/** Options that are not modelled. */
const NOT_MODELLED: readonly string[] = [
  'align-all-blocks',
  'align-all-nofallthru-blocks',
  'align-loops',
  'apply-ext-tsp-for-size',
  'block-placement-exit-block-bias',
  'block-placement-predecessor-limit',
  'enable-ext-tsp-block-placement',
  'force-loop-cold-block',
  'force-precise-rotation-cost',
  'jump-inst-cost',
  'loop-to-cold-block-ratio',
  'max-bytes-for-alignment',
  'misfetch-cost',
  'precise-rotation-cost',
  'static-likely-prob',
  'tail-dup-placement-aggressive-threshold',
  'tail-dup-placement-penalty',
  'tail-dup-placement-threshold',
  'triangle-chain-count',
];
/** What stands in a file that says how often its code has run, or where loops begin */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/function_entry_count"/, 'functions with a profile'],
  [/"llvm\.loop\.align"/, 'loops with llvm.loop.align'],
];
/** Instructions of blocks that are copied at most, with -O3 and below */
const TAIL_SIZE_O3 = 4;
const TAIL_SIZE = 2;

const refusals = new WeakMap<PassContext, string | null>();

/** What is not modelled in a run, null = nothing. O(size of the file) once in a run */
function refusedIn(context: PassContext): string | null {
  let found = refusals.get(context);
  if (found === undefined) {
    const option = NOT_MODELLED.find((name) => context.options.has(name));
    found = option === undefined ? null : `-${option}`;
    found ??= HINTS.find(([pattern]) => pattern.test(context.source))?.[1] ?? null;
    refusals.set(context, found);
  }
  return found;
}

/** @llvm MachineBlockPlacement.cpp MachineBlockPlacement::run */
function placeBlocks(state: FunctionState): void {
  const { context, fn } = state;
  const { options } = context;
  const refused = refusedIn(context);
  if (refused !== null) throw new NotModelled(refused);
  if (fn.blocks.some((b) => b.isLandingPad || b.isEHScopeEntry || b.isInlineAsmBrIndirectTarget))
    throw new NotModelled('blocks that exceptions or inline assembly go to');
  if (fn.header.jumpTable !== null) throw new NotModelled('jump tables');
  const info = state.get(LOOPS);
  const postDominators = state.get(POST_DOMINATORS);
  const loops = new PlacedLoops(fn.blocks, info);
  const edges = new EdgeFrequencies(fn, computeBlockFrequencies(fn.blocks, info));
  const editor = state.editor();
  const numbers = { nNumbers: Math.max(fn.nBlockNumbers, fn.blocks.length), numberOf: (b: number) => fn.numberOf(b) };
  const folded = new FoldedFunction(editor, context.debugNames, new BlockLayout(editor.blockOrder(), numbers));
  let tailSize = String(options.get('O')) === '3' ? TAIL_SIZE_O3 : TAIL_SIZE;
  const copiesTails = options.get('tail-dup-placement') !== false;
  if (copiesTails && fn.isForSize) tailSize = 1;

  const placement = new Placement(folded, loops, edges, copiesTails ? tailSize : 0, postDominators);
  placement.findTriangles();
  placement.run();
  if (options.get('branch-fold-placement') !== false && [...folded.layout.order()].length > 3) {
    const before = new Set(folded.layout.order());
    const merging = new TailMerging(folded, {
      frequencies: edges.ofBlocks,
      minTail: tailSize + 1,
      options,
      placed: loops,
    });
    if (new BranchFolder(folded, merging, null).run()) {
      const order = [...folded.layout.order()];
      const left = new Set(order);
      for (const b of before) if (!left.has(b)) loops.remove(b);
      const again = new Placement(folded, loops, edges, copiesTails ? tailSize : 0, new PostDominatorTree(fn.blocks));
      again.run();
    }
  }
  placement.optimizeBranches();
  new LoopAlignment(folded, loops, edges, options.get('amdgpu-disable-loop-alignment') === true).run();
  editor.layOut([...folded.layout.order()], folded.layout);
}
