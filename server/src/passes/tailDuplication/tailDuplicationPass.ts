/** `early-tailduplication` and `tailduplication`: small blocks are copied into those that jump to them (docs/llvm/block-layout.md, 2). */
import type { FunctionState } from '../functionState.js';
import type { MachinePass } from '../machinePass.js';
import type { PassContext } from '../passContext.js';
import { TailDuplicator, type TailLimits } from './tailDuplicator.js';

/** @llvm TailDuplication.cpp EarlyTailDuplicateLegacy */
export const earlyTailDuplicationPass: MachinePass = {
  name: 'early-tailduplication',
  pipelineName: 'early-tailduplication',
  className: 'EarlyTailDuplicatePass',
  title: 'Early Tail Duplication',
  requires: [],
  preserves: [],
  properties: { cleared: ['noPhis'] },
  run: (state) => duplicateTails(state, true),
};

/** @llvm TailDuplication.cpp TailDuplicateLegacy */
export const tailDuplicationPass: MachinePass = {
  name: 'tailduplication',
  pipelineName: 'tailduplication',
  className: 'TailDuplicatePass',
  title: 'Tail Duplication',
  requires: [],
  preserves: [],
  run: (state) => duplicateTails(state, false),
};

function duplicateTails(state: FunctionState, isBeforeAllocation: boolean): void {
  if (state.fn.isOptNone) return;
  const duplicator = new TailDuplicator(
    state.editor(),
    state.context.debugNames,
    isBeforeAllocation,
    limitsOf(state.context),
  );
  while (duplicator.runOnce());
  duplicator.finish();
}

function limitsOf({ options }: PassContext): TailLimits {
  const number = (name: string, otherwise: number): number => Number(options.get(name) ?? otherwise);
  return {
    size: number('tail-dup-size', 2),
    indirectSize: number('tail-dup-indirect-size', 20),
    predecessors: number('tail-dup-pred-size', 16),
    successors: number('tail-dup-succ-size', 16),
    tails: number('tail-dup-limit', Infinity),
  };
}
