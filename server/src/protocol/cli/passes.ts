/**
 * The passes that `amdgpu-mir llc -run-pass=NAME` and `-passes=NAME` know. A pass is one entry here: its names and what it does to a
 * function.
 */
import type { LimitQuery } from '../../model/attributeErrors.js';
import type { IRModule } from '../../model/ir/module.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import type { DebugNames } from '../../model/printer/index.js';
import type { OptionValue } from './options.js';
import { printRegisterPressurePass } from './pressurePass.js';
import { machineSchedulerPass } from './schedulerPass.js';

export interface PassContext {
  /** options that were given, by name without dashes */
  readonly options: ReadonlyMap<string, OptionValue>;
  /** false when nobody will see the function after the pass (`-o /dev/null`): a pass that only reports may then leave it alone */
  readonly needsResult: boolean;
  /** for printing instructions */
  readonly debugNames: DebugNames;
  /** text of the file */
  readonly source: string;
  /** the embedded module, null without */
  readonly ir: IRModule | null;
  /** lines about attributes that LLVM cannot read, which it repeats whenever it asks for one of these limits */
  readonly onLimits?: (fn: MachineFunction, query: LimitQuery) => void;
  stderr(text: string): void;
  /** called now and then by passes that take long */
  readonly checkpoint?: () => void;
}

export interface MachinePass {
  /** name for -run-pass */
  readonly name: string;
  /** name in a -passes pipeline, null if LLVM 22 has the pass only in the legacy pass manager */
  readonly pipelineName: string | null;
  /** The function after the pass; `fn` may be changed or replaced. */
  run(fn: MachineFunction, context: PassContext): MachineFunction;
}

const noPass: MachinePass = { name: 'none', pipelineName: null, run: (fn) => fn };

const PASSES: readonly MachinePass[] = [noPass, printRegisterPressurePass, machineSchedulerPass];

/** A pass that cannot run here; `message` is what goes to stderr. */
export class PassError extends Error {}

/** Passes of `-run-pass` in order. Throws PassError. */
export function passesByName(names: readonly string[]): MachinePass[] {
  return names.map((name) => {
    const pass = PASSES.find((p) => p.name === name);
    if (pass === undefined) throw new PassError(`llc: error: run-pass ${name} is not registered in amdgpu-mir.`);
    return pass;
  });
}

/** Passes of a `-passes` pipeline: names joined by commas, possibly inside `machine-function(...)`. Throws PassError. */
export function passesOfPipeline(text: string): MachinePass[] {
  let pipeline = text.trim();
  for (;;) {
    const nested = /^(?:module|function|machine-function)\(([^]*)\)$/.exec(pipeline);
    if (nested === null) break;
    pipeline = nested[1] as string;
  }
  if (pipeline === '') return [];
  return pipeline.split(',').map((name) => {
    const pass = PASSES.find((p) => p.pipelineName === name);
    if (pass === undefined) throw new PassError(`unknown pass name '${name}'`);
    return pass;
  });
}
