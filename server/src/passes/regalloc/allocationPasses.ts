/** Register allocation on llc's command line: `-start-before=greedy,0 -stop-after=virtregrewriter,2` and cuts between. */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import { isRunPass } from '../../commandLine/runPasses.js';
import { PassError, type MachinePass } from '../machinePass.js';
import type { PassFamily, PassSelection } from '../passes.js';
import { allocate } from './allocationRun.js';
import { allocPassByName, allocPassOfPipeline, PIPELINE, WITHOUT_INTERVALS, type AllocPass } from './pipelineNames.js';

type Options = ReadonlyMap<string, OptionValue>;

const text = (options: Options, name: string): string => (options.get(name) as string | undefined) ?? '';

/** Options with which other passes run, or these otherwise: all values but those listed. */
const REFUSED: readonly (readonly [name: string, ...harmless: string[]])[] = [
  ['sgpr-regalloc', 'default', 'greedy'],
  ['wwm-regalloc', 'default', 'greedy'],
  ['vgpr-regalloc', 'default', 'greedy'],
  ['regalloc', 'default'],
  ['O', '1', '2', '3', ''],
  ['amdgpu-prealloc-sgpr-spill-vgprs', 'false'],
  ['amdgpu-dce-in-ra', 'false'],
  ['split-spill-mode'],
  ['enable-split-loopiv-heuristic', 'true'],
  ['greedy-regclass-priority-trumps-globalness', 'false'],
  ['greedy-reverse-local-assignment', 'false'],
  ['regalloc-enable-advisor', 'default'],
  ['regalloc-enable-priority-advisor', 'default'],
  ['ssc-dce-limit', '-1'],
  ['verify-regalloc', 'false'],
];

/** Throws PassError for what would run other passes, or these otherwise. */
export function refuse(options: Options): void {
  for (const [name, ...harmless] of REFUSED) {
    const given = options.get(name);
    if (given !== undefined && !harmless.includes(String(given)))
      throw new PassError(`llc: error: amdgpu-mir does not model '-${name}=${String(given)}' in register allocation.`);
  }
}

/** `greedy` is `greedy,0`. */
function place(name: string): number {
  const full = name.includes(',') ? name : `${name},0`;
  return (PIPELINE as readonly string[]).indexOf(full);
}

/** In the order in which llc looks at them. */
const CUTS = ['start-before', 'start-after', 'stop-before', 'stop-after'] as const;

/** Whether the options cut the pipeline. */
export const isCut = (options: Options): boolean => CUTS.some((name) => text(options, name) !== '');

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
  return runPasses.length === 0 ? null : `llc: error: run-pass cannot be used with ${given.join(' and ')}.`;
}

/** The passes between the cuts. Throws PassError when some of them are not modelled. */
export function cutPasses(options: Options, runPasses: readonly string[]): PassSelection {
  const problem = cutProblem(options, runPasses);
  if (problem !== null) return { passes: [], problem };
  refuse(options);
  const at = (name: string): number => {
    const p = place(text(options, name));
    if (p < 0)
      throw new PassError(`llc: error: amdgpu-mir does not model the pipeline at '-${name}=${text(options, name)}'.`);
    return p;
  };
  const has = (name: string): boolean => text(options, name) !== '';
  if (!has('start-before') && !has('start-after'))
    throw new PassError(
      'llc: error: amdgpu-mir generates no code: name the first pass with -start-before or -start-after.',
    );
  if (!has('stop-before') && !has('stop-after'))
    throw new PassError(
      'llc: error: amdgpu-mir generates no code: name the last pass with -stop-after or -stop-before.',
    );
  let first = has('start-before') ? at('start-before') : at('start-after') + 1;
  let end = has('stop-after') ? at('stop-after') + 1 : at('stop-before');
  // What is inserted behind the scheduler goes with it: it is no place to start, and part of it for `-stop-after`.
  const firstRun = place('greedy');
  if (has('start-after') && first === 1) first = firstRun;
  else if (first > 0 && first < firstRun)
    throw new PassError('llc: error: amdgpu-mir starts the pipeline at machine-scheduler or behind it, at greedy.');
  if (has('stop-after') && end === 1) end = firstRun;
  const passes = PIPELINE.slice(first, end);
  return { passes: [allocationPass(passes)], problem: null };
}

function allocationPass(passes: readonly AllocPass[]): MachinePass {
  return {
    name: 'register-allocation',
    pipelineName: null,
    ...(passes.every((p) => WITHOUT_INTERVALS.has(p)) ? {} : { intervals: 'computes' }),
    run: (fn, context, hasIntervals) => allocate(fn, context, passes, hasIntervals),
  };
}

/**
 * Passes of -run-pass in which those of register allocation that follow one another are one: they share llc's analyses, and what the
 * scheduler in front of them leaves. Throws PassError.
 */
export const joinAllocation = (options: Options, names: readonly string[]): readonly (string | MachinePass)[] =>
  join(options, names, allocPassByName);

/** The same for -passes. */
export const allocationFamily = (options: Options): PassFamily => ({
  has: (name) => allocPassOfPipeline(name) !== null,
  isOnlyLegacy: (name) => allocPassByName(name) !== null,
  join: (names) => join(options, names, allocPassOfPipeline),
});

function join(
  options: Options,
  names: readonly string[],
  passOf: (name: string) => AllocPass | null,
): readonly (string | MachinePass)[] {
  if (!names.some((name) => passOf(name) !== null)) return names;
  refuse(options);
  const joined: (string | MachinePass)[] = [];
  for (let k = 0; k < names.length;) {
    const group: AllocPass[] = [];
    if (names[k] === 'machine-scheduler' && k + 1 < names.length && passOf(names[k + 1]) !== null) {
      group.push('machine-scheduler,0');
      k++;
    }
    // Behind a rewriter that clears the virtual registers nothing is left of the allocation.
    for (let pass; k < names.length && (pass = passOf(names[k])) !== null && group.at(-1) !== LAST_REWRITER; k++)
      group.push(pass);
    if (group.length === 0) joined.push(names[k++]);
    else {
      refuseLoneRewriter(names.slice(0, k - group.length), group, passOf);
      joined.push(allocationPass(group));
    }
  }
  return joined;
}

const LAST_REWRITER: AllocPass = 'virtregrewriter,2';

/** A rewriter with nothing allocated leaves the code as it is; one whose allocation stands in front of other passes would have to have that. */
function refuseLoneRewriter(
  before: readonly string[],
  group: readonly AllocPass[],
  passOf: (name: string) => AllocPass | null,
): void {
  const isAllocation = (pass: string | null): boolean => pass?.startsWith('greedy') === true;
  const isRewriter = (pass: string | null): boolean => pass?.startsWith('virtregrewriter') === true;
  const rewriter = group.findIndex(isRewriter);
  if (rewriter < 0 || group.slice(0, rewriter).some(isAllocation)) return;
  const passes = before.map(passOf);
  if (passes.map(isAllocation).lastIndexOf(true) <= passes.map(isRewriter).lastIndexOf(true)) return;
  throw new PassError("llc: error: amdgpu-mir does not model other passes between 'greedy' and 'virtregrewriter'.");
}
