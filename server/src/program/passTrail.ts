/**
 * The passes that a function goes through from where it stands, and what a pass of them makes of it, with its reasons: for *Explain This Pass*,
 * *After Pass* and `amdgpu-mir explain --pass`.
 */
import { readCommandLine } from '../commandLine/commandLine.js';
import type { OptionValue } from '../commandLine/optionSpec.js';
import { ANY_LLC_TABLE } from '../commandLine/optionTable.js';
import type { IRModule } from '../ir/module.js';
import type { MachineFunction } from '../model/machineFunction.js';
import { MetadataNames, printFunctionDocument } from '../model/printer/index.js';
import { codegenPipeline, inOrder, type PipelineStep, type PlacedPass } from '../passes/codegenPipeline.js';
import { stepsBetweenCuts } from '../passes/cuts.js';
import { FunctionState } from '../passes/functionState.js';
import { NotModelled, PassError, type PassCall } from '../passes/machinePass.js';
import type { PassContext } from '../passes/passContext.js';
import { preparePasses, runPasses } from '../passes/passManager.js';
import { passByName, passesByName, passesOfPipeline } from '../passes/passes.js';
import { Remarks } from '../passes/remarks.js';
import { whyNoWayFrom, type FunctionStage } from './stage.js';
import type { FileTarget } from './targetOfFile.js';

type Options = ReadonlyMap<string, OptionValue>;

export interface TrailStep {
  /** for -run-pass */
  readonly name: string;
  /** which of those by that name it is, from 0 on; -1 = it is the only one */
  readonly instance: number;
  readonly call: PassCall;
}

/** `greedy,1` where a pass runs several times. */
export const stepName = ({ name, instance }: TrailStep): string => (instance < 0 ? name : `${name},${instance}`);

/** The place of a pass in the trail, of the first that is called so: `greedy` is `greedy,0`; -1 = it is none of them. */
export const placeOf = ({ steps }: PassTrail, name: string): number =>
  steps.findIndex((step) => stepName(step) === name || step.name === name);

export interface PassTrail {
  readonly steps: readonly TrailStep[];
  /** what names them: `-run-pass=...`, `the pipeline after virtregrewriter,2` */
  readonly by: string;
  readonly options: Options;
  readonly isPipeline: boolean;
  /** nothing says where the function stands: it is a guess from what it is made of */
  readonly isGuess: boolean;
}

/** Or why there is none. */
export function passTrailOf(
  target: Pick<FileTarget, 'commands' | 'commandIdx'>,
  stage: FunctionStage,
  ownOptions: Options = new Map(),
): PassTrail | string {
  const { values } = readCommandLine(target.commands[target.commandIdx]?.args ?? [], [], 'llc', ANY_LLC_TABLE);
  const options = new Map([...values, ...ownOptions]);
  const made = (calls: readonly PassCall[], by: string, isPipeline = false): PassTrail => ({
    steps: numbered(calls),
    by,
    options,
    isPipeline,
    isGuess: !by.startsWith('-') && stage.by === '',
  });
  try {
    const passes = options.get('passes');
    if (passes !== undefined) {
      const selection = passesOfPipeline(String(passes));
      return selection.problem ?? made(selection.passes, `-passes=${String(passes)}`, true);
    }
    const names = [options.get('run-pass') ?? []].flat().flatMap((word) => String(word).split(','));
    if (names.length > 0) {
      const selection = passesByName(names);
      return selection.problem ?? made(selection.passes, `-run-pass=${names.join(',')}`);
    }
    const [cut, by] = cutOf(options, stage);
    if (cut === null) return whyNoWayFrom(stage) || 'it is not known where in the pipeline it is';
    if (String(options.get('O')) === '0') return 'the pipeline of -O0 has other passes';
    const steps = stepsBetweenCuts(cut) ?? [];
    return made(steps.flatMap(callOf), by);
  } catch (error) {
    if (!(error instanceof PassError)) throw error;
    return error.message.replace(/^llc: error: /, '');
  }
}

/** One pass on the function as it stands. */
export function trailOfPass(name: string, options: Options): PassTrail | string {
  try {
    const pass = passByName(name);
    if (pass === null) return `there is no pass '${name}'`;
    return { steps: numbered([{ pass, parameters: '' }]), by: '', options, isPipeline: false, isGuess: false };
  } catch (error) {
    if (!(error instanceof PassError)) throw error;
    return error.message.replace(/^llc: error: /, '');
  }
}

function callOf({ name, parameters }: PipelineStep): PassCall[] {
  const pass = passByName(name);
  return pass === null ? [] : [{ pass, parameters }];
}

function numbered(calls: readonly PassCall[]): TrailStep[] {
  const met = new Map<string, number>();
  const count = (name: string): number => calls.filter(({ pass }) => pass.name === name).length;
  return calls.map((call) => {
    const { name } = call.pass;
    const n = met.get(name) ?? 0;
    met.set(name, n + 1);
    return { name, instance: count(name) > 1 ? n : -1, call };
  });
}

const STARTS = ['start-before', 'start-after'] as const;
const STOPS = ['stop-before', 'stop-after'] as const;

/** The options of llc that cut the pipeline so, and what says so; null = nothing does. */
function cutOf(options: Options, stage: FunctionStage): readonly [Options | null, string] {
  const last = inOrder(codegenPipeline(options)).at(-1)!.name;
  const toEnd = (start: (typeof STARTS)[number], word: string): Options => {
    const own = new Map([...options].filter(([name]) => ![...STARTS, ...STOPS].some((cut) => cut === name)));
    const stop = STOPS.find((name) => options.has(name) && STARTS.some((other) => options.has(other)));
    own.set(start, word);
    own.set(stop ?? 'stop-after', stop === undefined ? last : String(options.get(stop)));
    return own;
  };
  const given = STARTS.find((name) => options.has(name));
  if (given !== undefined) {
    const word = String(options.get(given));
    return [toEnd(given, word), `-${given}=${word}`];
  }
  const dump = /^(?:IR dump |-stop-)(before|after)[ =](\S+)$/.exec(stage.by);
  const [when, pass] = dump === null ? usualStart(stage) : [dump[1] as 'before' | 'after', dump[2] ?? ''];
  return pass === ''
    ? [null, '']
    : [
        toEnd(`start-${when}`, pass),
        `the pipeline ${when === 'before' ? 'from' : 'after'} ${pass}${when === 'before' ? ' on' : ''}`,
      ];
}

const placed = ({ name, instance }: PlacedPass): string => `${name},${instance}`;

/** Where a function of a stage goes on. */
function usualStart({ stage, ahead }: FunctionStage): readonly ['before' | 'after', string] {
  switch (stage) {
    case 'selected':
      return ['before', ahead === null ? 'early-tailduplication' : placed(ahead)];
    case 'before-scheduling':
      return ['before', ahead === null ? 'machine-scheduler' : placed(ahead)];
    case 'scheduled':
      return ['after', 'machine-scheduler'];
    case 'allocated':
      return ['after', 'virtregrewriter,2'];
    case 'final':
      return ['after', 'si-insert-waitcnts'];
    default:
      return ['before', ''];
  }
}

/** What a function is on its way; the passes may be those of several functions of a file. */
export interface TrailSubject {
  readonly fn: MachineFunction;
  readonly ir: IRModule | null;
  /** text of the file */
  readonly source: string;
}

/** A pass that has run on a function. */
export interface PassRun {
  readonly step: TrailStep;
  readonly before: MachineFunction;
  readonly after: MachineFunction;
  readonly remarks: Remarks;
  readonly isChanged: boolean;
}

/** Why a pass did not run, or one before it. */
export interface PassStop {
  readonly step: TrailStep;
  readonly why: string;
}

const contextOf = ({ ir, source }: TrailSubject, options: Options, checkpoint: () => void): PassContext => ({
  options,
  debugNames: new MetadataNames(ir),
  source,
  ir,
  stderr: () => undefined,
  error: () => undefined,
  checkpoint,
});

const textOf = (fn: MachineFunction): string => printFunctionDocument(fn, { simplify: false });

/** The pass at a place of the trail, after those before it. Throws what `checkpoint` throws. */
export function runToPass(
  subject: TrailSubject,
  trail: PassTrail,
  place: number,
  checkpoint: () => void,
): PassRun | PassStop {
  const remarks = new Remarks();
  let before: MachineFunction | null = null;
  let after: MachineFunction | null = null;
  let isBegun = false;
  const stop = walk(subject, trail, place + 1, checkpoint, {
    before(k, state) {
      // Ids are followed from the first pass on that runs.
      if (!isBegun) state.collectInto(remarks);
      isBegun = true;
      if (k !== place) return;
      remarks.all.length = 0;
      before = state.fn.clone();
    },
    after(k, state) {
      if (k === place) after = state.fn.clone();
    },
  });
  if (stop !== null) return stop;
  const step = trail.steps[place]!;
  const [was, is] = [before as MachineFunction | null, after as MachineFunction | null];
  if (was === null || is === null) {
    const isLeftOut = trail.isPipeline && subject.fn.isOptNone && step.call.pass.isRequired !== true;
    const why = isLeftOut
      ? 'llc leaves it out: the function is optnone'
      : 'llc does not run it again: nothing has changed since';
    return { step, why };
  }
  return { step, before: was, after: is, remarks, isChanged: textOf(was) !== textOf(is) };
}

/** Null when all of them have run. */
function walk(
  subject: TrailSubject,
  trail: PassTrail,
  n: number,
  checkpoint: () => void,
  watch: Parameters<typeof runPasses>[2]['watch'],
): PassStop | null {
  const context = contextOf(subject, trail.options, checkpoint);
  const calls = trail.steps.slice(0, n).map(({ call }) => call);
  let running = 0;
  try {
    preparePasses(calls, context);
    const state = new FunctionState(subject.fn, context);
    runPasses(state, calls, {
      isPipeline: trail.isPipeline,
      isCut: false,
      verify: null,
      printed: null,
      watch: {
        before(k, s) {
          running = k;
          watch?.before(k, s);
        },
        after: (k, s) => watch?.after(k, s),
      },
    });
    return null;
  } catch (error) {
    if (!(error instanceof NotModelled) && !(error instanceof PassError)) throw error;
    const why = error instanceof NotModelled ? `amdgpu-mir does not model ${error.message}` : error.message;
    return { step: trail.steps[running]!, why: why.replace(/^llc: error: /, '') };
  }
}
/** What each pass of the trail does, in order; it ends where one cannot run. */
export interface TrailOverview {
  /** null: llc leaves it out, or it comes after the end */
  readonly isChanged: readonly (boolean | null)[];
  readonly stop: PassStop | null;
}

/** Throws what `checkpoint` throws. */
export function overviewOf(
  subject: TrailSubject,
  trail: PassTrail,
  checkpoint: () => void,
  done: (n: number) => void = () => undefined,
): TrailOverview {
  const isChanged = trail.steps.map((): boolean | null => null);
  let text = textOf(subject.fn);
  const stop = walk(subject, trail, trail.steps.length, checkpoint, {
    before: () => undefined,
    after(k, state) {
      const now = textOf(state.fn);
      isChanged[k] = now !== text;
      text = now;
      done(k + 1);
    },
  });
  return { isChanged, stop };
}
