/** `livedebugvars`: debug values leave the code, until the last rewriter puts them back (docs/llvm/allocation-spilling.md, 7). */
import { allocationPass } from './allocationPass.js';

/** @llvm LiveDebugVariables.cpp LiveDebugVariablesWrapperLegacy */
export const liveDebugVarsPass = allocationPass({
  name: 'livedebugvars',
  pipelineName: null,
  title: 'Debug Variable Analysis',
  preserves: 'all',
  takesDebugValues: true,
  work: () => undefined,
});
