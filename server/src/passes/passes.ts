/**
 * The passes that `amdgpu-mir llc -run-pass=NAME` and `-passes=NAME` know. A pass is one entry here (see machinePass.ts).
 */
import { isRunPass } from '../commandLine/runPasses.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { deadMiEliminationPass } from './deadMiElimination/deadMiElimination.js';
import { fixSgprCopiesPass } from './fixSgprCopies/fixSgprCopiesPass.js';
import { PassError, type MachinePass } from './machinePass.js';
import { PipelineError, readPipeline } from './pipeline.js';
import { processImplicitDefsPass } from './processImplicitDefs/processImplicitDefs.js';
import { unreachableMbbEliminationPass } from './unreachableMbbElimination/unreachableMbbElimination.js';
import { printRegisterPressurePass } from './printRp/printRpPass.js';
import { printUniformityPass } from './printUniformity/printUniformityPass.js';
import { machineSchedulerPass } from './scheduler/schedulerPass.js';

const noPass: MachinePass = { name: 'none', pipelineName: null, title: null, isForR600: true, run: (fn) => fn };

const PASSES: readonly MachinePass[] = [
  noPass,
  printRegisterPressurePass,
  printUniformityPass,
  fixSgprCopiesPass,
  machineSchedulerPass,
  deadMiEliminationPass,
  unreachableMbbEliminationPass,
  processImplicitDefsPass,
];

/** Names that -run-pass knows them by. */
export const passNames = (): string[] => PASSES.map((p) => p.name);

/** Names that `-passes` knows them by. */
export const pipelinePasses = (): string[] => PASSES.flatMap((p) => (p.pipelineName === null ? [] : [p.pipelineName]));

/** Passes to run, or what llc says of them once it has read the module. */
export interface PassSelection {
  readonly passes: readonly MachinePass[];
  /** null where llc would run them */
  readonly problem: string | null;
}

const notModelled = (name: string): PassError =>
  new PassError(`llc: error: amdgpu-mir does not model the pass '${name}'`);

/** Passes of `-run-pass` in order, by name or found already. Throws PassError. */
export function passesByName(names: readonly (string | MachinePass)[]): PassSelection {
  const passes: MachinePass[] = [];
  for (const name of names) {
    if (typeof name !== 'string') {
      passes.push(name);
      continue;
    }
    const pass = PASSES.find((p) => p.name === name);
    if (pass !== undefined) passes.push(pass);
    else if (isRunPass(name)) throw notModelled(name);
    else return { passes: [], problem: `llc: error: run-pass ${name} is not registered.` };
  }
  return { passes, problem: null };
}

/** The one pass here that does not keep what depends on the control flow alone. */
const CHANGES_CFG = 'si-wqm';

/** LLVM has registered the pass as an analysis of the control flow: it does not run again where that is kept. */
export function withoutRepeats(names: readonly string[]): readonly string[] {
  let isKnown = false;
  return names.filter((name) => {
    if (name === CHANGES_CFG) isKnown = false;
    if (name !== printRegisterPressurePass.name) return true;
    const isRepeat = isKnown;
    isKnown = true;
    return !isRepeat;
  });
}

/** Passes that belong together and are none of this list. */
export interface PassFamily {
  /** whether a name in a pipeline is one of them; throws PipelineError for wrong parameters */
  has(name: string): boolean;
  /** whether llc has a pass under this name for -run-pass alone */
  isOnlyLegacy(name: string): boolean;
  /** the names of a pipeline with these passes in their places. Throws PassError. */
  join(names: readonly string[]): readonly (string | MachinePass)[];
}

/** What of the passes of a `-passes` pipeline runs on a function. */
export const pipelineOf = (passes: readonly MachinePass[], fn: MachineFunction): readonly MachinePass[] =>
  fn.isOptNone ? passes.flatMap((p) => (p.required === 'all' ? p : (p.required ?? []))) : passes;

/** Passes of a `-passes` pipeline. Throws PassError. */
export function passesOfPipeline(text: string, family: PassFamily): PassSelection {
  const named = (name: string): MachinePass | undefined => PASSES.find((p) => p.pipelineName === name);
  try {
    const names = readPipeline(text, (name) => named(name) !== undefined || family.has(name));
    const passes = family.join(names).flatMap((p) => (typeof p === 'string' ? (named(p) ?? []) : p));
    return { passes, problem: null };
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    const name = /'(.*)'$/.exec(error.message)?.[1] ?? '';
    if (isRunPass(name) && !PASSES.some((p) => p.name === name) && !family.isOnlyLegacy(name)) throw notModelled(name);
    return { passes: [], problem: error.message };
  }
}
