/**
 * The passes that `amdgpu-mir llc -run-pass=NAME` and `-passes=NAME` know. A pass is one entry here (see machinePass.ts).
 */
import { PassError, type MachinePass } from './machinePass.js';
import { printRegisterPressurePass } from './printRp/printRpPass.js';
import { printUniformityPass } from './printUniformity/printUniformityPass.js';
import { machineSchedulerPass } from './scheduler/schedulerPass.js';

const noPass: MachinePass = { name: 'none', pipelineName: null, run: (fn) => fn };

const PASSES: readonly MachinePass[] = [noPass, printRegisterPressurePass, printUniformityPass, machineSchedulerPass];

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
