/**
 * The passes that `amdgpu-mir llc` knows, and the choice of those that a run names. A pass is one entry here, or in longPasses.ts (see machinePass.ts).
 */
import { isRunPass } from '../commandLine/runPasses.js';
import { blockPlacementPass } from './blockPlacement/blockPlacement.js';
import { branchRelaxationPass } from './branchRelaxation/branchRelaxation.js';
import { branchFolderPass } from './branchFolder/branchFolder.js';
import { createVOPDPass } from './createVOPD/createVOPD.js';
import { combineDPPPass } from './combineDPP/combineDPP.js';
import { deadMiEliminationPass } from './deadMiElimination/deadMiElimination.js';
import { fixSgprCopiesPass } from './fixSgprCopies/fixSgprCopiesPass.js';
import { detectDeadLanesPass } from './detectDeadLanes/detectDeadLanes.js';
import { fixVgprCopiesPass } from './fixVgprCopies/fixVgprCopies.js';
import { foldOperandsPass } from './foldOperands/foldOperands.js';
import { hazardRecognizerPass } from './hazards/hazardRecognizer.js';
import { liveVariablesPass } from './leaveSSA/liveVariablesPass.js';
import { phiEliminationPass } from './leaveSSA/phiElimination.js';
import { lateInstrsCleanupPass } from './lateInstrsCleanup/lateInstrsCleanup.js';
import { lateBranchLoweringPass } from './lateBranchLowering/lateBranchLowering.js';
import { finalizeISelPass } from './finalizeISel/finalizeISel.js';
import { optVGPRLiveRangePass } from './optVGPRLiveRange/optVGPRLiveRange.js';
import { lowerControlFlowPass } from './lowerControlFlow/lowerControlFlow.js';
import { lowerI1CopiesPass } from './lowerI1Copies/lowerI1Copies.js';
import { localStackSlotsPass } from './localStackSlots/localStackSlots.js';
import { LONG_PASS_NAMES } from './longPassNames.js';
import { longPasses } from './longPasses.js';
import { machineCSEPass } from './machineCSE/machineCSE.js';
import { machineCopyPropagationPass } from './machineCopyPropagation/machineCopyPropagation.js';
import { PassError, type MachinePass, type PassCall } from './machinePass.js';
import { PipelineError, readPipeline } from './passPipeline.js';
import { modeRegisterPass } from './modeRegister/modeRegister.js';
import { optimizeExecMaskingPass } from './optimizeExecMasking/optimizeExecMasking.js';
import { optimizePhisPass } from './optimizePhis/optimizePhis.js';
import { lowerVGPREncodingPass } from './lowerVGPREncoding/lowerVGPREncoding.js';
import { postRABundlerPass } from './postRABundler/postRABundler.js';
import { preEmitPeepholePass } from './preEmitPeephole/preEmitPeephole.js';
import { prepareAGPRAllocPass } from './prepareAGPRAlloc/prepareAGPRAlloc.js';
import { preloadKernArgPrologPass } from './preloadKernArgProlog/preloadKernArgProlog.js';
import { postRAPseudosPass } from './postRAPseudos/postRAPseudos.js';
import { printRegisterPressurePass } from './printRp/printRpPass.js';
import { printUniformityPass } from './printUniformity/printUniformityPass.js';
import { processImplicitDefsPass } from './processImplicitDefs/processImplicitDefs.js';
import { insertDelayAluPass } from './insertDelayAlu/insertDelayAlu.js';
import { QUIET_PASSES } from './quietPasses/quietPasses.js';
import { stackColoringPass } from './stackColoring/stackColoring.js';
import { waitSgprHazardsPass } from './waitSgprHazards/waitSgprHazards.js';
import { shrinkInstructionsPass } from './shrinkInstructions/shrinkInstructions.js';
import { peepholeOptimizerPass } from './peepholeOptimizer/peepholeOptimizer.js';
import { peepholeSDWAPass } from './peepholeSDWA/peepholeSDWA.js';
import { earlyTailDuplicationPass, tailDuplicationPass } from './tailDuplication/tailDuplicationPass.js';
import { machineLICMPass } from './machineLICM/postRAInvariants.js';
import { unpackBundlesPass } from './unpackBundles/unpackBundles.js';
import { unreachableMbbEliminationPass } from './unreachableMbbElimination/unreachableMbbElimination.js';

const noPass: MachinePass = {
  name: 'none',
  pipelineName: null,
  title: null,
  isForR600: true,
  requires: [],
  preserves: 'all',
  run: () => undefined,
};

const PASSES: readonly MachinePass[] = [
  noPass,
  printRegisterPressurePass,
  printUniformityPass,
  fixSgprCopiesPass,
  deadMiEliminationPass,
  unreachableMbbEliminationPass,
  processImplicitDefsPass,
  unpackBundlesPass,
  machineCopyPropagationPass,
  fixVgprCopiesPass,
  postRAPseudosPass,
  preloadKernArgPrologPass,
  hazardRecognizerPass,
  postRABundlerPass,
  prepareAGPRAllocPass,
  optimizePhisPass,
  detectDeadLanesPass,
  waitSgprHazardsPass,
  optimizeExecMaskingPass,
  insertDelayAluPass,
  lateBranchLoweringPass,
  lateInstrsCleanupPass,
  modeRegisterPass,
  preEmitPeepholePass,
  blockPlacementPass,
  branchFolderPass,
  branchRelaxationPass,
  lowerVGPREncodingPass,
  liveVariablesPass,
  phiEliminationPass,
  foldOperandsPass,
  shrinkInstructionsPass,
  peepholeSDWAPass,
  combineDPPPass,
  createVOPDPass,
  lowerI1CopiesPass,
  finalizeISelPass,
  optVGPRLiveRangePass,
  machineCSEPass,
  peepholeOptimizerPass,
  lowerControlFlowPass,
  localStackSlotsPass,
  machineLICMPass,
  earlyTailDuplicationPass,
  tailDuplicationPass,
  ...QUIET_PASSES,
  stackColoringPass,
];

type PassNames = Pick<MachinePass, 'name' | 'pipelineName'>;

/** Those of longPasses.ts are looked for only where one of them has the name. */
const find = (isMeant: (names: PassNames) => boolean): MachinePass | undefined =>
  PASSES.find(isMeant) ?? (LONG_PASS_NAMES.some(isMeant) ? longPasses().find(isMeant) : undefined);

const allNames = (): PassNames[] => [...PASSES, ...LONG_PASS_NAMES];

/** Names that -run-pass knows them by. */
export const passNames = (): string[] => allNames().map((p) => p.name);

/** Names that `-passes` knows them by. */
export const pipelinePasses = (): string[] =>
  allNames().flatMap((p) => (p.pipelineName === null ? [] : [p.pipelineName]));

/** Passes to run, or what llc says of them once it has read the module. */
export interface PassSelection {
  readonly passes: readonly PassCall[];
  /** null where llc would run them */
  readonly problem: string | null;
}

const notModelled = (name: string): PassError =>
  new PassError(`llc: error: amdgpu-mir does not model the pass '${name}'`);

/** The pass of a name for -run-pass. Throws PassError where only llc has it. */
export function passByName(name: string): MachinePass | null {
  const pass = find((p) => p.name === name);
  if (pass === undefined && isRunPass(name)) throw notModelled(name);
  return pass ?? null;
}

/** Passes of `-run-pass` in order. Throws PassError. */
export function passesByName(names: readonly string[]): PassSelection {
  const passes: PassCall[] = [];
  for (const name of names) {
    const pass = passByName(name);
    if (pass === null) return { passes: [], problem: `llc: error: run-pass ${name} is not registered.` };
    passes.push({ pass, parameters: '' });
  }
  return { passes, problem: null };
}

/** `NAME` or `NAME<PARAMETERS>` of a pipeline. Throws PipelineError for parameters that llc refuses. */
function callOfPipeline(text: string): PassCall | null {
  const whole = find((p) => p.pipelineName === text);
  if (whole !== undefined) return { pass: whole, parameters: '' };
  const [, name = '', parameters = ''] = /^([\w-]+)<(.*)>$/.exec(text) ?? [];
  const pass = find((p) => p.pipelineName === name);
  const problem = pass?.checkParameters?.(parameters);
  if (pass === undefined || problem === undefined) return null;
  if (problem !== null) throw new PipelineError(problem);
  return { pass, parameters };
}

/** Passes of a `-passes` pipeline. Throws PassError. */
export function passesOfPipeline(text: string): PassSelection {
  try {
    return { passes: readPipeline(text, callOfPipeline), problem: null };
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    const name = /'(.*)'$/.exec(error.message)?.[1] ?? '';
    if (isRunPass(name) && !allNames().some((p) => p.name === name)) throw notModelled(name);
    return { passes: [], problem: error.message };
  }
}
