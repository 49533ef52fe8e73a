/** The part of llc's pipeline from some pass on, ready to run: for who follows a function to its end, whatever a run line would stop at. */
import type { OptionValue } from '../commandLine/optionSpec.js';
import { stepsFrom, type PlacedPass } from './codegenPipeline.js';
import type { PassCall } from './machinePass.js';
import { passByName } from './passes.js';

/**
 * From a pass of the whole pipeline to the last rewriter of register allocation, and the later one that notes for callers what is used: passes ask whether it comes. What llc does not run with these options is left out. Throws PassError where one
 * of the passes is llc's alone.
 */
export function callsToAllocation(first: PlacedPass, options: ReadonlyMap<string, OptionValue>): PassCall[] {
  const steps = stepsFrom(first, options);
  const last = steps.findIndex(({ name, parameters }) => name === 'virtregrewriter' && parameters === '');
  const noted = steps.slice(last + 1).filter(({ name }) => name === 'RegUsageInfoCollector');
  return [...steps.slice(0, last + 1), ...noted].map(({ name, parameters }) => ({
    pass: passByName(name)!,
    parameters,
  }));
}
