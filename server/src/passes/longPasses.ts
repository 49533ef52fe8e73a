/** The scheduler and register allocation, and what they alone need: a run of llc loads them when it comes to one (longPassesElsewhere.ts). */
import { redundantDebugValuesPass } from './redundantDebugValues/redundantDebugValues.js';
import type { MachinePass } from './machinePass.js';
import { insertHardClausesPass } from './insertHardClauses/insertHardClauses.js';
import { loadStoreOptimizerPass } from './loadStoreOptimizer/loadStoreOptimizer.js';
import { memoryLegalizerPass } from './memoryLegalizer/memoryLegalizer.js';
import { prologEpilogPass } from './prologEpilog/prologEpilog.js';
import { rewriteAGPRCopiesPass } from './regalloc/agprCopies.js';
import { basicPass } from './regalloc/basic.js';
import { fastPass } from './regalloc/fast/fastPass.js';
import { greedyPass, rewriterPass } from './regalloc/greedyPass.js';
import { renameIndependentSubregsPass } from './coalescer/renameIndependentSubregs.js';
import { rewritePartialRegUsesPass } from './coalescer/rewritePartialRegUses.js';
import { registerCoalescerPass } from './coalescer/registerCoalescer.js';
import { twoAddressPass } from './leaveSSA/twoAddress.js';
import { insertWaitsPass } from './waitCounts/insertWaits.js';
import { liveDebugValuesPass } from './liveDebugValues/liveDebugValues.js';
import { liveDebugVarsPass } from './regalloc/liveDebugVarsPass.js';
import { liveIntervalsPass } from './regalloc/liveIntervalsPass.js';
import { lowerSGPRSpillsPass } from './regalloc/lowerSGPRSpills.js';
import { markLastScratchLoadPass } from './regalloc/markLastScratchLoad.js';
import { formMemoryClausesPass } from './regalloc/memoryClauses.js';
import { nsaReassignPass } from './regalloc/nsaReassign.js';
import { execMaskingPreRAPass, longBranchRegPass, preRAOptimizationsPass } from './regalloc/preAllocation.js';
import { stackSlotColoringPass } from './regalloc/stackSlotColoring.js';
import { lowerWWMCopiesPass, preAllocateWWMRegsPass, reserveWWMRegsPass } from './regalloc/wwmPasses.js';
import { postMachineSchedulerPass } from './scheduler/postRA/postMachineScheduler.js';
import { postRASchedulerPass } from './scheduler/postRA/postRAListScheduler.js';
import { machineSchedulerPass } from './scheduler/schedulerPass.js';
import { earlyMachineLICMPass } from './machineLICM/machineLICM.js';
import { machineSinkPass } from './machineSink/machineSink.js';
import { postRASinkPass } from './machineSink/postRASink.js';
import { mirCanonicalizerPass } from './vregNames/mirCanonicalizer.js';
import { mirNamerPass } from './vregNames/mirNamer.js';
import { wholeQuadModePass } from './wqm/wholeQuadMode.js';

export { analysedCopy } from './analysedCopy.js';

const LONG_PASSES: readonly MachinePass[] = [
  machineSchedulerPass,
  preRAOptimizationsPass,
  wholeQuadModePass,
  execMaskingPreRAPass,
  formMemoryClausesPass,
  longBranchRegPass,
  greedyPass,
  rewriterPass,
  stackSlotColoringPass,
  lowerSGPRSpillsPass,
  preAllocateWWMRegsPass,
  lowerWWMCopiesPass,
  reserveWWMRegsPass,
  nsaReassignPass,
  rewriteAGPRCopiesPass,
  markLastScratchLoadPass,
  liveIntervalsPass,
  liveDebugVarsPass,
  insertHardClausesPass,
  loadStoreOptimizerPass,
  memoryLegalizerPass,
  prologEpilogPass,
  registerCoalescerPass,
  twoAddressPass,
  renameIndependentSubregsPass,
  earlyMachineLICMPass,
  fastPass,
  basicPass,
  mirCanonicalizerPass,
  mirNamerPass,
  rewritePartialRegUsesPass,
  postMachineSchedulerPass,
  postRASchedulerPass,
  machineSinkPass,
  postRASinkPass,
  redundantDebugValuesPass,
  liveDebugValuesPass,
  insertWaitsPass,
];

/** As longPassNames.ts names them. */
export const longPasses = (): readonly MachinePass[] => LONG_PASSES;
