/**
 * Command line of `amdgpu-mir llc`: llc's own options (see commandLine/), checked and put in order. An option that changes what runs here
 * without being modelled is an error, never ignored.
 */
import { DEFAULT_RELEASE, isReleaseName, listCpus, releaseOf, type ReleaseName } from '../target/index.js';
import {
  AUTO_MODEL,
  DEFAULT_MODEL,
  isModelChoice,
  releaseOfModel,
  type ModelChoice,
  type SchedulerModel,
} from '../passes/scheduler/schedulerModel.js';
import { readCommandLine, UsageError, type CommandLine } from '../commandLine/commandLine.js';
import { whyNotModelled } from './notModelled.js';
import { ANY_LLC_TABLE } from '../commandLine/optionTable.js';
import type { OptionValue } from '../commandLine/optionSpec.js';
import type { CodegenAttribute, CodegenFlags } from '../ir/printer.js';
import { OWN_SCHEDULE_OPTIONS } from '../passes/scheduler/optionSpecs.js';

export { UsageError, type OptionValue };

const PROGRAM = 'llc';

/** `-help` or `-version`, with what was wrong before it. */
export class InformationRequest extends Error {
  constructor(
    readonly what: 'help' | 'version',
    readonly errors: string,
  ) {
    super(what);
  }
}

/** Throws UsageError and InformationRequest. */
function checkArguments(line: CommandLine): void {
  const errors = line.errors.map((e) => e.text).join('');
  if (line.asksFor !== null) throw new InformationRequest(line.asksFor, errors);
  if (errors !== '') throw new UsageError(errors.trimEnd());
}

/** Who says whose LLVM runs where the command line does not (`byDefault`), and how a file is asked. */
export interface ModelOfRun {
  readonly byDefault: ModelChoice;
  /** Of what the run reads, and of its words. Throws what reading throws. */
  modelOf(input: string, args: readonly string[]): SchedulerModel;
}

/** Throws UsageError for options that would change the answer. */
function refuseNotModelled(line: CommandLine): void {
  const texts = line.occurrences.flatMap((given) => {
    const why = whyNotModelled(given);
    return why === null ? [] : [`${PROGRAM}: error: ${why}`];
  });
  if (texts.length !== 0) throw new UsageError(texts.join('\n'));
}

export type FileType = 'asm' | 'obj' | 'null';

/** The options of one run, checked and put in order. */
export interface LlcOptions {
  readonly input: string;
  /** null = not given */
  readonly output: string | null;
  /** as given, '' if not */
  readonly triple: string;
  readonly march: string;
  readonly cpu: string;
  /** joined by commas, each with its sign, lower case */
  readonly features: string;
  readonly model: SchedulerModel;
  /** of the model */
  readonly release: ReleaseName;
  /** -mcpu=help, or -mattr that begins with help: llc reads nothing then */
  readonly isTargetHelp: boolean;
  /** legacy pass names in order */
  readonly runPasses: readonly string[];
  /** text of -passes, null if not given */
  readonly passPipeline: string | null;
  readonly fileType: FileType;
  readonly verify: boolean;
  readonly simplify: boolean;
  /** what code generation options put into the module */
  readonly flags: CodegenFlags;
  /** every option that was given, for the passes */
  readonly values: ReadonlyMap<string, OptionValue>;
}

/** Sub-architecture triples of LLVM main (`amdgpu9.0a-amd-amdhsa`) as architecture and processor of LLVM 22; those that it lacks stay. */
export function splitTriple(
  triple: string,
  release: ReleaseName = DEFAULT_RELEASE,
): { readonly triple: string; readonly cpu: string } {
  if (!triple.startsWith('amdgpu')) return { triple, cpu: '' };
  const match = /^amdgpu(?:([0-9]{1,2})\.([0-9a-f])([0-9a-f]))?(?=-|$)/.exec(triple);
  if (match === null) return { triple, cpu: '' };
  const rest = triple.slice(match[0].length);
  const cpu = match[1] === undefined ? '' : `gfx${match[1]}${match[2]}${match[3]}`;
  if (cpu !== '' && !listCpus('', releaseOf(release)).includes(cpu)) return { triple, cpu: '' };
  return { triple: `amdgcn${rest}`, cpu };
}

/** The model of a command line. */
function modelOfLine(line: CommandLine, args: readonly string[], whose: ModelOfRun | null): SchedulerModel {
  const given = line.values.get('model');
  const choice = typeof given === 'string' && isModelChoice(given) ? given : (whose?.byDefault ?? DEFAULT_MODEL);
  if (choice !== AUTO_MODEL) return choice;
  return whose?.modelOf(line.positional[0] ?? '-', args) ?? DEFAULT_MODEL;
}

/** Parses and checks the arguments of `amdgpu-mir llc`. Throws UsageError, and what `whose` throws. */
export function parseLlcOptions(args: readonly string[], whose: ModelOfRun | null = null): LlcOptions {
  const model = modelOfLine(readCommandLine(args, OWN_SCHEDULE_OPTIONS, PROGRAM, ANY_LLC_TABLE), args, whose);
  const release = releaseOfModel(model);
  const line = readCommandLine(args, OWN_SCHEDULE_OPTIONS, PROGRAM, releaseOf(release).options);
  const { positional } = line;
  checkArguments(line);
  // Passes look at the model that runs, whoever chose it.
  const values =
    model === (line.values.get('model') ?? DEFAULT_MODEL) ? line.values : new Map(line.values).set('model', model);
  const string = (name: string): string => (values.get(name) as string | undefined) ?? '';
  const list = (name: string): readonly string[] => (values.get(name) as readonly string[] | undefined) ?? [];
  const hasPipeline = values.get('passes') !== undefined && string('passes') !== '';
  const runPasses = line.occurrences
    .filter((o) => o.name === 'run-pass')
    .flatMap((o) => (o.value as string).split(',').filter((name) => name !== ''));
  if (hasPipeline && runPasses.length > 0) {
    throw new UsageError(
      'The `llc -run-pass=...` syntax for the new pass manager is not supported, please use `llc -passes=<pipeline>` ' +
        '(or the `-p` alias for a more concise version).',
    );
  }
  // A model of main's tests on the tables of a release reads main's triples.
  const given = string('mtriple');
  const { triple, cpu } = isReleaseName(model) ? { triple: given, cpu: '' } : splitTriple(given, release);
  const language = string('x');
  if (!['', 'ir', 'mir'].includes(language)) {
    throw new UsageError(`${PROGRAM}: error: input language must be '', 'IR' or 'MIR'`);
  }
  if (!/^[0-3]?$/.test(string('O'))) throw new UsageError(`${PROGRAM}: error: invalid optimization level.`);
  if (language === 'ir')
    throw new UsageError(`${PROGRAM}: error: input language must be 'mir': amdgpu-mir reads no LLVM IR files.`);
  refuseNotModelled(line);
  return {
    input: positional[0] ?? '-',
    output: (values.get('o') as string | undefined) ?? null,
    triple,
    march: string('march'),
    cpu: string('mcpu') || cpu,
    features: list('mattr')
      .filter((f) => f !== '')
      .map(normalizeFeature)
      .join(','),
    model,
    release,
    isTargetHelp: string('mcpu') === 'help' || list('mattr')[0] === 'help',
    runPasses,
    passPipeline: hasPipeline ? string('passes') : null,
    fileType: (values.get('filetype') as FileType | undefined) ?? 'asm',
    verify: values.get('verify-machineinstrs') === true,
    simplify: values.get('simplify-mir') === true,
    flags: codegenFlags(values),
    values,
  };
}

/** Options that set an attribute of functions which lack it, by its name: `VALUE` is what the attribute then says. */
const ATTRIBUTE_OPTIONS: readonly (readonly [option: string, key: string, value: (given: OptionValue) => string])[] = [
  ['frame-pointer', 'frame-pointer', String],
  ['enable-no-infs-fp-math', 'no-infs-fp-math', String],
  ['enable-no-nans-fp-math', 'no-nans-fp-math', String],
  ['enable-no-signed-zeros-fp-math', 'no-signed-zeros-fp-math', String],
  ['denormal-fp-math', 'denormal-fp-math', (mode) => `${String(mode)},${String(mode)}`],
  ['denormal-fp-math-f32', 'denormal-fp-math-f32', (mode) => `${String(mode)},${String(mode)}`],
];

function codegenFlags(values: CommandLine['values']): CodegenFlags {
  const attributes: CodegenAttribute[] = [];
  for (const [option, key, value] of ATTRIBUTE_OPTIONS) {
    const given = values.get(option);
    if (given !== undefined) attributes.push({ key, value: value(given), replaces: false });
  }
  const tailCalls = values.get('disable-tail-calls');
  if (tailCalls !== undefined) attributes.push({ key: 'disable-tail-calls', value: String(tailCalls), replaces: true });
  if (values.get('stackrealign') === true) attributes.push({ key: 'stackrealign', value: '', replaces: true });
  const trapFunction = values.get('trap-func');
  return { attributes, trapFunction: typeof trapFunction === 'string' ? trapFunction : null };
}

function normalizeFeature(feature: string): string {
  const f = feature.toLowerCase();
  return f.startsWith('+') || f.startsWith('-') ? f : `+${f}`;
}
