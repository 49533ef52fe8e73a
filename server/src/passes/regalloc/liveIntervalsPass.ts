/** `liveintervals`: the analysis LiveIntervals as a pass, for its marks and the registers that it splits (docs/llvm/liveness.md). */
import { allocationPass } from './allocationPass.js';

/** @llvm LiveIntervals.cpp LiveIntervalsWrapperPass */
export const liveIntervalsPass = allocationPass({
  name: 'liveintervals',
  pipelineName: null,
  title: 'Live Interval Analysis',
  preserves: 'all',
  work: () => undefined,
});
