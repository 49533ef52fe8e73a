/** `amdgpu-mir compare --llc=PATH`: what an llc of the user's makes of each function, and where that differs from the model's answer. */
import { resolveProgram } from '../disk/userPrograms.js';
import { AUTO_MODEL, isModelChoice, MODEL_CHOICES, type ModelChoice } from '../passes/scheduler/schedulerModel.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { functionTexts, firstDifference } from '../program/functionTexts.js';
import { modelOfVersion } from '../program/modelOfFile.js';
import { compareDump, comparisonText } from '../program/tritonGraph.js';
import { visible } from '../text/visible.js';
import { BufferedIO } from './bufferedIO.js';
import { valueOf, type CommandOptions } from './commandOptions.js';
import { EXIT_USAGE, runCommand, type Invocation } from './commandRun.js';
import { runLlc } from './llc.js';
import { FROM_STDIN_TO_STDOUT, targetWords } from './llcWords.js';
import { targetInLlcWords } from './targetArgument.js';
import { runUserProgram, versionOfLlc, type ProgramLimits } from './userProgram.js';

const EXIT_EQUAL = 0;
const EXIT_DIFFERENT = 1;
const LIMITS: ProgramLimits = { ms: 300_000, bytes: 1 << 29 };
/** What runs unless the words name passes. */
const DEFAULT_PASS = '-run-pass=machine-scheduler';

interface Settings {
  readonly llc: string;
  readonly functionName: string | null;
  readonly model: ModelChoice | null;
  /** for both */
  readonly words: readonly string[];
  readonly input: string;
}

/** The exit code: 0 when all functions are equal. */
export const runCompare = (args: readonly string[], io: CommandIO): number => runCommand('compare', args, io, compare);

function compare(call: Invocation, io: CommandIO): number {
  const { flags, refuse } = call;
  if (flags.has('graph') || flags.has('print-graph')) return compareGraphs(call, io);
  const settings = readSettings(call);
  if (typeof settings === 'string') return refuse(`${settings}; see 'amdgpu-mir help compare'`);
  const { input, llc } = settings;
  let source: string;
  try {
    source = io.read(input);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return refuse(`${visible(input)}: ${error.message}`);
  }
  const version = versionOfLlc(llc);
  if ('problem' in version) return refuse(version.problem);
  const model = settings.model ?? modelOfVersion(version.version) ?? AUTO_MODEL;
  const words = [...targetWords(source, settings.words, DEFAULT_PASS), ...FROM_STDIN_TO_STDOUT];
  const ours = new BufferedIO(() => source);
  const exit = runLlc(words, ours, model);
  const theirs = runUserProgram(llc, words, source, LIMITS);
  const told = theirs.stderr.toString('utf8');
  if (exit !== 0 || theirs.exit !== 0) {
    io.stdout(`amdgpu-mir ends with ${exit}: ${firstLine(ours.err())}\n`);
    io.stdout(`${visible(llc)} ends with ${theirs.exit}: ${firstLine(theirs.problem || told)}\n`);
    return exit === theirs.exit && firstLine(ours.err()) === firstLine(told) ? EXIT_EQUAL : EXIT_DIFFERENT;
  }
  return report(ours.out(), theirs.stdout.toString('utf8'), settings, version.version, io);
}

/** `--graph FILE`: the graph of a dump beside ours. */
function compareGraphs({ inputs, rest, flags, values, refuse }: Invocation, io: CommandIO): number {
  const [input] = inputs;
  const isAlone = rest.length === 1 && flags.size === 1 && [...values.keys()].every((name) => name === 'o');
  if (input === undefined || !isAlone)
    return refuse("--graph takes one file and no other options; see 'amdgpu-mir help compare'");
  let found: ReturnType<typeof compareDump>;
  try {
    found = compareDump(io.read(input), input);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    found = error.message;
  }
  if (typeof found === 'string') return refuse(`${visible(input)}: ${visible(found)}`);
  io.stdout(flags.has('print-graph') ? found.text : `${visible(found.function)}: ${comparisonText(found)}`);
  return found.first === null ? EXIT_EQUAL : EXIT_DIFFERENT;
}

/** Counts and first differences of the functions of both. */
function report(ours: string, theirs: string, { functionName, llc }: Settings, version: string, io: CommandIO): number {
  const own = functionTexts(ours);
  const others = functionTexts(theirs);
  const names = [...own.keys()].filter((name) => functionName === null || name === functionName);
  if (names.length === 0) {
    io.stderr(`amdgpu-mir compare: there is no function '${visible(functionName ?? '')}'\n`);
    return EXIT_USAGE;
  }
  let nEqual = 0;
  for (const name of names) {
    const difference = firstDifference(own.get(name)!, others.get(name) ?? '');
    if (difference === null) {
      nEqual++;
      continue;
    }
    const { line, ours: here, theirs: there, count } = difference;
    io.stdout(`${visible(name)}: ${count} lines differ, the first is line ${line} of the function\n`);
    io.stdout(
      `  amdgpu-mir  ${visible(here.trim()) || '(nothing)'}\n  llc         ${visible(there.trim()) || '(nothing)'}\n`,
    );
  }
  io.stdout(`${nEqual} of ${names.length} functions equal to ${visible(llc)} (LLVM ${visible(version)})\n`);
  return nEqual === names.length ? EXIT_EQUAL : EXIT_DIFFERENT;
}

const firstLine = (text: string): string => visible(text.trim().split('\n', 1)[0] ?? '');

function readSettings(options: CommandOptions): Settings | string {
  const { rest, inputs } = options;
  const llc = valueOf(options, 'llc') ?? '';
  const model = valueOf(options, 'model') ?? null;
  if (llc === '') return '--llc=PATH names the llc to compare with';
  if (inputs.length !== 1) return 'expected one file';
  if (model !== null && !isModelChoice(model)) return `--model must be one of ${MODEL_CHOICES.join(', ')}`;
  const target = targetInLlcWords(options);
  if (typeof target === 'string') return target;
  const words = [...target, ...rest.filter((word) => !inputs.includes(word))];
  return {
    llc: resolveProgram(llc),
    functionName: valueOf(options, 'function') ?? null,
    model,
    words,
    input: inputs[0]!,
  };
}
