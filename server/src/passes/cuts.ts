/** A part of llc's pipeline: `-start-before=greedy,0 -stop-after=virtregrewriter,2` and the like. */
import type { OptionValue } from '../commandLine/optionSpec.js';
import { isRunPass } from '../commandLine/runPasses.js';
import { isInPipeline, PIPELINE } from './codegenPipeline.js';
import { PassError } from './machinePass.js';
import { passByName, type PassSelection } from './passes.js';
import { refuseOtherAllocators } from './regalloc/regAllocOptions.js';

type Options = ReadonlyMap<string, OptionValue>;

const text = (options: Options, name: string): string => (options.get(name) as string | undefined) ?? '';

/** `greedy` is `greedy,0`. */
function place(name: string): number {
  const [pass, instance = '0'] = name.split(',');
  return PIPELINE.findIndex((step) => step.name === pass && String(step.instance) === instance);
}

/** In the order in which llc looks at them. */
const CUTS = ['start-before', 'start-after', 'stop-before', 'stop-after'] as const;

/** Whether the options cut the pipeline. */
export const isCut = (options: Options): boolean => CUTS.some((name) => text(options, name) !== '');

const REGALLOC =
  'LLVM ERROR: -regalloc not supported with amdgcn. Use -sgpr-regalloc, -wwm-regalloc, and -vgpr-regalloc';

const NOT_RUN = 'LLVM ERROR: Cannot stop compilation after pass that is not run';

/** What llc says of the cuts themselves, null when nothing. */
function cutProblem(options: Options, runPasses: readonly string[]): string | null {
  const given = CUTS.filter((name) => text(options, name) !== '');
  for (const name of given) {
    const value = text(options, name);
    const [pass = '', ...instance] = value.split(',');
    // Without a name or a number the part counts as absent.
    if (!/^\d*$/.test(instance.join())) return `LLVM ERROR: invalid pass instance specifier ${value}`;
    if (pass !== '' && !isRunPass(pass)) return `LLVM ERROR: "${pass}" pass is not registered.`;
  }
  for (const end of ['start', 'stop']) {
    const both = given.filter((name) => name.startsWith(end));
    if (both.length > 1) return `LLVM ERROR: ${both.join(' and ')} specified!`;
  }
  if (runPasses.length > 0) return `llc: error: run-pass cannot be used with ${given.join(' and ')}.`;
  return options.has('regalloc') ? REGALLOC : null;
}

/** The passes between the cuts. Throws PassError when some of them are not modelled. */
export function cutPasses(options: Options, runPasses: readonly string[]): PassSelection {
  const problem = cutProblem(options, runPasses);
  if (problem !== null) return { passes: [], problem };
  refuseOtherAllocators(options);
  const at = (name: string): number => {
    const p = place(text(options, name));
    if (p < 0)
      throw new PassError(`llc: error: amdgpu-mir does not model the pipeline at '-${name}=${text(options, name)}'.`);
    return p;
  };
  const has = (name: string): boolean => text(options, name) !== '';
  const isLeftOut = (name: string): boolean => has(name) && !isInPipeline(PIPELINE[at(name)]!.name, options);
  if (!has('start-before') && !has('start-after'))
    throw new PassError(
      'llc: error: amdgpu-mir generates no code: name the first pass with -start-before or -start-after.',
    );
  if (!has('stop-before') && !has('stop-after'))
    throw new PassError(
      'llc: error: amdgpu-mir generates no code: name the last pass with -stop-after or -stop-before.',
    );
  for (const name of ['stop-before', 'stop-after'])
    if (isLeftOut(name))
      throw new PassError(
        `llc: error: amdgpu-mir generates no code: llc does not run the pass of '-${name}=${text(options, name)}' with these options and goes on to the end.`,
      );
  if (isLeftOut('start-before') || isLeftOut('start-after')) return { passes: [], problem: NOT_RUN };
  let first = has('start-before') ? at('start-before') : at('start-after') + 1;
  let end = has('stop-after') ? at('stop-after') + 1 : at('stop-before');
  // What is inserted behind the scheduler goes with it: it is no place to start, and part of it for `-stop-after`.
  const firstRun = place('greedy');
  if (has('start-after') && first === 1) first = firstRun;
  else if (first > 0 && first < firstRun)
    throw new PassError('llc: error: amdgpu-mir starts the pipeline at machine-scheduler or behind it, at greedy.');
  if (has('stop-after') && end === 1) end = firstRun;
  const steps = PIPELINE.slice(first, end).filter(({ name }) => isInPipeline(name, options));
  const passes = steps.flatMap(({ name, parameters }) => {
    const pass = passByName(name);
    return pass === null ? [] : { pass, parameters };
  });
  return { passes, problem: null };
}
