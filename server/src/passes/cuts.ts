/** A part of llc's pipeline: `-start-before=greedy,0 -stop-after=virtregrewriter,2` and the like. */
import type { OptionValue } from '../commandLine/optionSpec.js';
import { LLC_PASSES, type PassNames } from '../commandLine/runPasses.js';
import { codegenPipeline, isBeforeMachinePasses, type PipelineStep } from './codegenPipeline.js';
import { PassError } from './machinePass.js';
import { passByName, type PassSelection } from './passes.js';
import { refuseOtherAllocators } from './regalloc/regAllocOptions.js';

type Options = ReadonlyMap<string, OptionValue>;

const text = (options: Options, name: string): string => (options.get(name) as string | undefined) ?? '';

/** In the order in which llc looks at them. */
const CUTS = ['start-before', 'start-after', 'stop-before', 'stop-after'] as const;

/** Whether the options cut the pipeline. */
export const isCut = (options: Options): boolean => CUTS.some((name) => text(options, name) !== '');

/** What llc says of `-regalloc` when it goes through its own pipeline. */
export const REGALLOC_REFUSED =
  'LLVM ERROR: -regalloc not supported with amdgcn. Use -sgpr-regalloc, -wwm-regalloc, and -vgpr-regalloc';

const NOT_RUN = 'LLVM ERROR: Cannot stop compilation after pass that is not run';

/** What llc says of the cuts themselves, null when nothing. */
function cutProblem(options: Options, runPasses: readonly string[], names: PassNames): string | null {
  const given = CUTS.filter((name) => text(options, name) !== '');
  for (const name of given) {
    const value = text(options, name);
    const [pass = '', ...instance] = value.split(',');
    // Without a name or a number the part counts as absent.
    if (!/^\d*$/.test(instance.join())) return `LLVM ERROR: invalid pass instance specifier ${value}`;
    if (pass !== '' && !names.has(pass)) return `LLVM ERROR: "${pass}" pass is not registered.`;
  }
  for (const end of ['start', 'stop']) {
    const both = given.filter((name) => name.startsWith(end));
    if (both.length > 1) return `LLVM ERROR: ${both.join(' and ')} specified!`;
  }
  if (runPasses.length > 0) return `llc: error: run-pass cannot be used with ${given.join(' and ')}.`;
  return options.has('regalloc') ? REGALLOC_REFUSED : null;
}

/** A place in the pipeline: the pass, and how many of its name stand before it. */
interface Cut {
  readonly pass: string;
  readonly instance: number;
}

function cutAt(value: string, names: PassNames): Cut | null {
  const [pass = '', instance = ''] = value.split(',');
  return pass === '' ? null : { pass: names.ownName(pass), instance: Number(instance) };
}

/**
 * Goes through the pipeline as TargetPassConfig::addPass does: a pass is added between the cuts, and what is inserted after a pass is looked at only
 * where that one was added. So a run that starts after the scheduler does without what is inserted there, and one that would start in it never does.
 */
class CutWalk {
  readonly added: PipelineStep[] = [];
  isStarted: boolean;
  isStopped = false;
  /** The end was there before the start. */
  isEndFirst = false;
  private readonly met = new Map<string, number>();

  constructor(private readonly cuts: ReadonlyMap<string, Cut>) {
    this.isStarted = !cuts.has('start-before') && !cuts.has('start-after');
  }

  add(step: PipelineStep): void {
    if (this.isCutAt('start-before', step)) this.isStarted = true;
    if (this.isCutAt('stop-before', step)) this.isStopped = true;
    if (this.isStarted && !this.isStopped) {
      this.added.push(step);
      for (const inserted of step.inserted) this.add(inserted);
    }
    if (this.isCutAt('stop-after', step)) this.isStopped = true;
    if (this.isCutAt('start-after', step)) this.isStarted = true;
    if (this.isStopped && !this.isStarted) this.isEndFirst = true;
  }

  private isCutAt(name: string, step: PipelineStep): boolean {
    const cut = this.cuts.get(name);
    if (cut?.pass !== step.name) return false;
    const n = this.met.get(name) ?? 0;
    this.met.set(name, n + 1);
    return n === cut.instance;
  }
}

/** The passes between the cuts. Throws PassError when some of them are not modelled. */
export function cutPasses(options: Options, runPasses: readonly string[], names: PassNames): PassSelection {
  const problem = cutProblem(options, runPasses, names);
  if (problem !== null) return { passes: [], problem };
  // Without optimization the pipeline has the fast allocator by itself.
  refuseOtherAllocators(
    String(options.get('O')) === '0' ? new Map([...options].filter(([name]) => name !== 'O')) : options,
  );
  const steps = stepsBetweenCuts(options, names);
  if (steps === null) return { passes: [], problem: NOT_RUN };
  const passes = steps.flatMap(({ name, parameters }) => {
    const pass = passByName(name);
    return pass === null ? [] : { pass, parameters };
  });
  return { passes, problem: null };
}

/** Null where the end comes before the start, which llc refuses. Throws PassError where llc's whole pipeline before or after the machine passes would run. */
export function stepsBetweenCuts(options: Options, names: PassNames = LLC_PASSES): readonly PipelineStep[] | null {
  const cuts = new Map<string, Cut>();
  let isEndFirst = false;
  for (const name of CUTS) {
    const cut = cutAt(text(options, name), names);
    if (cut === null) continue;
    if (isBeforeMachinePasses(cut.pass, options)) {
      if (name.startsWith('stop')) isEndFirst = true;
      else
        throw new PassError(`llc: error: amdgpu-mir does not model the pipeline at '-${name}=${text(options, name)}'.`);
    }
    cuts.set(name, cut);
  }
  const end = [...cuts.keys()].find((name) => name.startsWith('stop'));
  const walk = new CutWalk(cuts);
  if (walk.isStarted)
    throw new PassError(
      'llc: error: amdgpu-mir generates no code: name the first pass with -start-before or -start-after.',
    );
  if (end === undefined)
    throw new PassError(
      'llc: error: amdgpu-mir generates no code: name the last pass with -stop-after or -stop-before.',
    );
  if (isEndFirst) return null;
  for (const step of codegenPipeline(options)) {
    walk.add(step);
    if (walk.isEndFirst) return null;
  }
  // A pass to stop at that is not there is none to stop at: llc goes on to its last machine pass, and prints that.
  return walk.added;
}
