/** Register allocation on llc's command line: `-start-before=greedy,0 -stop-after=virtregrewriter,2` and cuts between. */
import type { OptionValue } from '../../commandLine/optionSpec.js';
import { isRunPass } from '../../commandLine/runPasses.js';
import { PassError, type MachinePass } from '../machinePass.js';
import type { PassFamily, PassSelection } from '../passes.js';
import { allocate } from './allocationRun.js';
import {
  allocPassByName,
  allocPassOfPipeline,
  isInPipeline,
  PIPELINE,
  WITHOUT_INTERVALS,
  type AllocPass,
} from './pipelineNames.js';

type Options = ReadonlyMap<string, OptionValue>;

const text = (options: Options, name: string): string => (options.get(name) as string | undefined) ?? '';

const OTHER_ALLOCATOR = 'the greedy register allocator is the only one here';
const NO_OPTIMIZATION = 'without optimization llc runs the fast register allocator';

/** Options with which the pipeline has other passes than those modelled: all values but the harmless ones, and why. */
const REFUSED: readonly (readonly [name: string, why: string, ...harmless: string[]])[] = [
  ['sgpr-regalloc', OTHER_ALLOCATOR, 'default', 'greedy'],
  ['wwm-regalloc', OTHER_ALLOCATOR, 'default', 'greedy'],
  ['vgpr-regalloc', OTHER_ALLOCATOR, 'default', 'greedy'],
  ['optimize-regalloc', NO_OPTIMIZATION, 'true', 'unset', ''],
  ['O', NO_OPTIMIZATION, '1', '2', '3', ''],
];

/** Throws PassError for what would run other passes. */
export function refuse(options: Options): void {
  for (const [name, why, ...harmless] of REFUSED) {
    const given = options.get(name);
    if (given !== undefined && !harmless.includes(String(given)))
      throw new PassError(
        `llc: error: amdgpu-mir does not model '-${name}=${String(given)}' in register allocation: ${why}.`,
      );
  }
}

/** Models of advisors that this llc is built without: it says so once, allocates by its own rules, and ends with an error. */
const ADVISORS: readonly (readonly [option: string, message: string])[] = [
  ['regalloc-enable-advisor', 'Requested regalloc eviction advisor analysis could not be created. Using default'],
  ['regalloc-enable-priority-advisor', 'Requested regalloc priority advisor analysis could be created. Using default'],
];

/** What llc says of options before the first function is allocated. */
function advisorProblems(options: Options): string[] {
  const isOther = (name: string): boolean => /^(?:release|development)$/.test(String(options.get(name)));
  return ADVISORS.filter(([name]) => isOther(name)).map(([, message]) => message);
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
  refuse(options);
  const at = (name: string): number => {
    const p = place(text(options, name));
    if (p < 0)
      throw new PassError(`llc: error: amdgpu-mir does not model the pipeline at '-${name}=${text(options, name)}'.`);
    return p;
  };
  const has = (name: string): boolean => text(options, name) !== '';
  const isLeftOut = (name: string): boolean => has(name) && !isInPipeline(PIPELINE[at(name)]!, options);
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
  const passes = PIPELINE.slice(first, end).filter((pass) => isInPipeline(pass, options));
  return { passes: [allocationPass(passes, advisorProblems(options))], problem: null };
}

const isAllocation = (pass: string | null): boolean => pass?.startsWith('greedy') === true;

/** `problems`: errors that are told before the first function is allocated. */
function allocationPass(passes: readonly AllocPass[], problems: readonly string[] = []): MachinePass {
  let untold = passes.some(isAllocation) ? problems : [];
  const running = (some: readonly AllocPass[]): MachinePass => ({
    name: 'register-allocation',
    pipelineName: null,
    title: null,
    ...(some.every((p) => WITHOUT_INTERVALS.has(p)) ? {} : { intervals: 'computes' }),
    run: (fn, context, hasIntervals) => {
      for (const message of untold) context.error(message);
      untold = [];
      return allocate(fn, context, some, hasIntervals);
    },
  });
  const required = passes.filter((pass) => REQUIRED.test(pass));
  return { ...running(passes), ...(required.length > 0 ? { required: running(required) } : {}) };
}

/** Passes that a `-passes` pipeline does not leave out on `optnone` functions. */
const REQUIRED = /^(?:greedy|virtregrewriter|amdgpu-reserve-wwm-regs),/;

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
  let problems = advisorProblems(options);
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
      joined.push(allocationPass(group, problems));
      if (group.some(isAllocation)) problems = [];
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
  const isRewriter = (pass: string | null): boolean => pass?.startsWith('virtregrewriter') === true;
  const rewriter = group.findIndex(isRewriter);
  if (rewriter < 0 || group.slice(0, rewriter).some(isAllocation)) return;
  const passes = before.map(passOf);
  if (passes.map(isAllocation).lastIndexOf(true) <= passes.map(isRewriter).lastIndexOf(true)) return;
  throw new PassError("llc: error: amdgpu-mir does not model other passes between 'greedy' and 'virtregrewriter'.");
}
