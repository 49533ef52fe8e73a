/** The part of llc's pipeline from some pass on, ready to run: for who follows a function to its end, whatever a run line would stop at. */
import type { OptionValue } from '../commandLine/optionSpec.js';
import { stepsFrom, type PipelineStep, type PlacedPass } from './codegenPipeline.js';
import type { PassCall } from './machinePass.js';
import { passByName } from './passes.js';

/**
 * From a pass of the whole pipeline to the last rewriter of register allocation, and the later one that notes for callers what is used: passes ask whether it comes. What llc does not run with these options is left out. Throws PassError where one
 * of the passes is llc's alone.
 */
export function callsToAllocation(first: PlacedPass, options: ReadonlyMap<string, OptionValue>): PassCall[] {
  const steps = stepsFrom(first, options);
  const last = steps.findIndex(isLastRewriter);
  const noted = steps.slice(last + 1).filter(({ name }) => name === 'RegUsageInfoCollector');
  return [...steps.slice(0, last + 1), ...noted].map(callOf);
}

const isLastRewriter = ({ name, parameters }: PipelineStep): boolean => name === 'virtregrewriter' && parameters === '';

const callOf = ({ name, parameters }: PipelineStep): PassCall => ({ pass: passByName(name)!, parameters });

const SCHEDULER: PlacedPass = { name: 'machine-scheduler', instance: 0 };

/** From the slots of spilled registers, which have been shared, to llc's last pass; without the one that is about debug values alone. Throws PassError where one of them is llc's alone. */
export function callsAfterSlots(options: ReadonlyMap<string, OptionValue>): PassCall[] {
  const steps = stepsFrom(SCHEDULER, options);
  const rest = steps.slice(steps.findIndex(isLastRewriter) + 1);
  return rest.filter(({ name }) => !ON_SLOTS.has(name) && name !== 'livedebugvalues').map(callOf);
}

/** Passes that need the lives of the slots, which go with allocation: `passesOnSlots` of regalloc/runAllocation.ts. */
const ON_SLOTS: ReadonlySet<string> = new Set(['amdgpu-mark-last-scratch-load', 'stack-slot-coloring']);
