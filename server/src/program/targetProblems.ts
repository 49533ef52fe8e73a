/**
 * How often and in which order llc complains about processors and features that it does not know: each time that it makes a
 * description of the processor, of which a run makes one for the target machine and two for every function's subtarget.
 */
import { createSubtarget, type Release, type Subtarget } from '../target/index.js';
import { isOfSubArch } from './targetTriple.js';
import { HELP_FEATURES } from './targetHelp.js';

const isProcessorProblem = (problem: string): boolean => problem.includes('is not a recognized processor');
const isFeatureProblem = (problem: string): boolean => problem.includes('is not a recognized feature');

/** One description: the processor, the features, the processor again for its scheduling model; an empty name is not looked up here. */
function descriptionProblems({ cpu, problems }: Subtarget): string[] {
  const processor = cpu === '' ? [] : problems.filter(isProcessorProblem);
  return [...processor, ...problems.filter(isFeatureProblem), ...processor];
}

/** Lists, each once. LLVM prints those of features among its complaints about other features. */
function helpAskedFor(triple: string, cpu: string, features: string, release: Release): string[] {
  const asked = new Set<string>(cpu === 'help' ? ['+help'] : []);
  for (const feature of features.split(',')) if (HELP_FEATURES.has(feature)) asked.add(feature);
  return [...asked].map((feature) => HELP_FEATURES.get(feature)?.(triple, release) ?? '');
}

/** Lines for the target machine of a run. */
export function targetMachineProblems(triple: string, cpu: string, features: string, release: Release): string[] {
  if (cpu === '' && features === '') return [];
  const problems = descriptionProblems(createSubtarget(triple, cpu, features, release));
  return [...helpAskedFor(triple, cpu, features, release), ...problems];
}

/** Errors before a function's subtarget is made: llc goes on with it. */
export function subArchProblems({ triple, cpu, release }: Subtarget): string[] {
  if (isOfSubArch(triple, cpu, release.name)) return [];
  return [`error: invalid subtarget '${cpu}' for subarch ${triple.replace(/-.*/s, '')}`];
}

/** Lines when a function with this subtarget is met for the first time; `seen` remembers. */
export function subtargetProblems(subtarget: Subtarget, seen: Set<Subtarget>): string[] {
  if (seen.has(subtarget)) return [];
  seen.add(subtarget);
  const { problems } = subtarget;
  if (problems.length === 0) return [];
  const others = problems.filter((p) => !isProcessorProblem(p) && !isFeatureProblem(p));
  const description = descriptionProblems(subtarget);
  const processor = problems.filter(isProcessorProblem);
  // R600 asks for its itineraries last.
  if (!subtarget.tables.isAMDGCN) return [...description, ...description, ...processor];
  return [...description, ...processor, ...description, ...others];
}
