/** `livevars`: the analysis LiveVariables as a pass (docs/llvm/leaving-ssa.md, 1). */
import type { FunctionState } from '../functionState.js';
import { PassError, type MachinePass } from '../machinePass.js';
import { Analysis } from '../passContext.js';
import { removeUnreachableBlocks } from '../unreachableMbbElimination/unreachableMbbElimination.js';
import { LiveVariables } from './liveVariables.js';

/** What is known of a function where `livevars` has run before and nothing has ended it. */
export const LIVE_VARIABLES = new Analysis<LiveVariables>('live variables', (of) => {
  const live = new LiveVariables(of.editor());
  live.analyze();
  return live;
});

/** @llvm LiveVariables.cpp LiveVariablesWrapperPass */
export const liveVariablesPass: MachinePass = {
  name: 'livevars',
  pipelineName: null,
  title: 'Live Variable Analysis',
  requires: [LIVE_VARIABLES],
  preserves: 'all',
  run(state) {
    state.forget(LIVE_VARIABLES);
    requireLiveVariables(state);
  },
};

/**
 * Computes them where nothing has kept them, as llc does before a pass that requires them: unreachable blocks go first, but not in a pipeline of `-passes`.
 * Throws PassError.
 */
export function requireLiveVariables(state: FunctionState, isPipeline = false): void {
  if (state.known(LIVE_VARIABLES) !== null) return;
  if (!isPipeline) removeUnreachableBlocks(state.editor());
  if (!state.header.isSSA) throw new PassError('LLVM ERROR: regalloc=... not currently supported with -O0');
  state.get(LIVE_VARIABLES);
}
