/** `livevars`: the analysis LiveVariables as a pass (docs/llvm/leaving-ssa.md, 1). */
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
    removeUnreachableBlocks(state.editor());
    if (!state.header.isSSA) throw new PassError('LLVM ERROR: regalloc=... not currently supported with -O0');
    state.forget(LIVE_VARIABLES);
    state.get(LIVE_VARIABLES);
  },
};
