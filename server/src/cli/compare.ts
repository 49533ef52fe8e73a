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
import { findInputs } from './checkInputs.js';
import { reportJson, type ComparedFile, type CompareReport, type ReportFrame } from './report.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
import { targetOfFile } from '../program/targetOfFile.js';
import { TestFile } from '../program/testFile/testFile.js';
import { FROM_STDIN_TO_STDOUT, targetWords } from './llcWords.js';
import { targetInLlcWords } from './targetArgument.js';
import { runUserProgram, versionOfLlc, type ProgramLimits } from './userProgram.js';

const EXIT_EQUAL = 0;
const EXIT_DIFFERENT = 1;
/** In folders longer files are left out. */
const MAX_BYTES = 1 << 26;
const LIMITS: ProgramLimits = { ms: 300_000, bytes: 1 << 29 };
/** What runs unless the words name passes. */
const DEFAULT_PASS = '-run-pass=machine-scheduler';

interface Settings {
  readonly llc: string;
  readonly functionName: string | null;
  readonly model: ModelChoice | null;
  /** for both */
  readonly words: readonly string[];
  readonly inputs: readonly string[];
}

type Format = 'text' | 'json';

/** The exit code: 0 when all functions are equal. */
export const runCompare = (args: readonly string[], io: CommandIO): number =>
  runCommand<Format>('compare', args, io, compare);

function compare(call: Invocation<Format>, io: CommandIO): number {
  const { flags, refuse, format } = call;
  if (flags.has('graph') || flags.has('print-graph')) return compareGraphs(call, io);
  const settings = readSettings(call);
  if (typeof settings === 'string') return refuse(`${settings}; see 'amdgpu-mir help compare'`);
  const { inputs, llc, functionName } = settings;
  const version = versionOfLlc(llc);
  if ('problem' in version) return refuse(version.problem);
  const model = settings.model ?? modelOfVersion(version.version) ?? AUTO_MODEL;
  const files: ComparedFile[] = [];
  let isUnread = false;
  for (const { file, problem, skipped } of findInputs(inputs, MAX_BYTES)) {
    const source = problem === '' ? readOr(file, io) : { problem };
    if (typeof source !== 'string') {
      io.stderr(`amdgpu-mir compare: ${visible(file)}: ${visible(source.problem)}\n`);
      isUnread = true;
    } else if (inputs.includes(file) || (skipped === '' && isOfTarget(source)))
      files.push(compareFile(file, source, model, settings));
  }
  const nFunctions = files.reduce((sum, { functions }) => sum + functions.length, 0);
  if (functionName !== null && nFunctions === 0 && files.every(({ ends }) => ends === null))
    return refuse(`there is no function '${visible(functionName)}'`);
  if (files.length === 0) return isUnread ? EXIT_USAGE : refuse('no MIR files for AMDGPU');
  const all = { llc, comparedWith: version.version, files, ...countsOf(files) };
  io.stdout(format === 'json' ? reportJson<CompareReport>('compare', [version.version], all) : reportText(all));
  if (isUnread) return EXIT_USAGE;
  return files.every(isEqualFile) ? EXIT_EQUAL : EXIT_DIFFERENT;
}

function readOr(file: string, io: CommandIO): string | { readonly problem: string } {
  try {
    return io.read(file);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { problem: error.message };
  }
}

/** Of files in folders: those that no RUN line gives to another target. */
const isOfTarget = (source: string): boolean =>
  targetOfFile(new TestFile(source), DEFAULT_SETTINGS.target).foreign === '';

/** Both on the same text. */
function compareFile(file: string, source: string, model: ModelChoice, settings: Settings): ComparedFile {
  const words = [...targetWords(source, settings.words, DEFAULT_PASS), ...FROM_STDIN_TO_STDOUT];
  const ours = new BufferedIO(() => source);
  const exit = runLlc(words, ours, model);
  const theirs = runUserProgram(settings.llc, words, source, LIMITS);
  if (exit !== 0 || theirs.exit !== 0) {
    const ends = {
      amdgpuMir: { exit, message: firstLine(ours.err()) },
      llc: { exit: theirs.exit, message: firstLine(theirs.problem || theirs.stderr.toString('utf8')) },
    };
    return { file, functions: [], ends };
  }
  const others = functionTexts(theirs.stdout.toString('utf8'));
  const functions = [...functionTexts(ours.out())]
    .filter(([name]) => settings.functionName === null || name === settings.functionName)
    .map(([name, text]) => ({ name, difference: firstDifference(text, others.get(name) ?? '') }));
  return { file, functions, ends: null };
}

/** Of a file that both refuse: alike, in the same words. */
const isSameEnd = ({ amdgpuMir, llc }: NonNullable<ComparedFile['ends']>): boolean =>
  amdgpuMir.exit === llc.exit && amdgpuMir.message === llc.message;

const isEqualFile = ({ functions, ends }: ComparedFile): boolean =>
  ends === null ? functions.every(({ difference }) => difference === null) : isSameEnd(ends);

function countsOf(
  files: readonly ComparedFile[],
): Pick<CompareReport, 'functions' | 'equal' | 'refusedAlike' | 'failed'> {
  const functions = files.flatMap((file) => file.functions);
  const refused = files.flatMap(({ ends }) => (ends === null ? [] : [ends]));
  const refusedAlike = refused.filter(isSameEnd).length;
  return {
    functions: functions.length,
    equal: functions.filter(({ difference }) => difference === null).length,
    refusedAlike,
    failed: refused.length - refusedAlike,
  };
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

/** What differs, then the counts. */
function reportText(report: Omit<CompareReport, keyof ReportFrame>): string {
  const { files, llc, comparedWith, functions, equal, refusedAlike, failed } = report;
  const out: string[] = [];
  for (const { file, functions: own, ends } of files) {
    const where = files.length === 1 ? '' : `${visible(file)}: `;
    if (ends !== null && (files.length === 1 || !isSameEnd(ends))) {
      out.push(`${where}amdgpu-mir ends with ${ends.amdgpuMir.exit}: ${ends.amdgpuMir.message}\n`);
      out.push(`${where}${visible(llc)} ends with ${ends.llc.exit}: ${ends.llc.message}\n`);
    }
    for (const { name, difference } of own) {
      if (difference === null) continue;
      const { line, ours, theirs, count } = difference;
      const lines = count === 1 ? '1 line differs: line' : `${count} lines differ, first line`;
      out.push(`${where}${visible(name)}: ${lines} ${line} of the function\n`);
      out.push(
        `  amdgpu-mir  ${visible(ours.trim()) || '(nothing)'}\n  llc         ${visible(theirs.trim()) || '(nothing)'}\n`,
      );
    }
  }
  const share = functions === 0 || functions === equal ? '' : `, ${((100 * equal) / functions).toFixed(2)} %`;
  if (functions > 0 || files.length > 1)
    out.push(`${equal} of ${functions} functions equal to ${visible(llc)} (LLVM ${visible(comparedWith)})${share}\n`);
  if (files.length > 1) {
    const more = [
      `${files.length} files`,
      ...(refusedAlike > 0 ? [`${refusedAlike} with the same error in both`] : []),
      ...(failed > 0 ? [`${failed} that only one of them accepts, or with other errors`] : []),
    ];
    out.push(`${more.join(', ')}\n`);
  }
  return out.join('');
}

const firstLine = (text: string): string => visible(text.trim().split('\n', 1)[0] ?? '');

function readSettings(options: CommandOptions): Settings | string {
  const { rest, inputs } = options;
  const llc = valueOf(options, 'llc') ?? '';
  const model = valueOf(options, 'model') ?? null;
  if (llc === '') return '--llc=PATH names the llc to compare with';
  if (inputs.length === 0) return 'no files';
  if (model !== null && !isModelChoice(model)) return `--model must be one of ${MODEL_CHOICES.join(', ')}`;
  const target = targetInLlcWords(options);
  if (typeof target === 'string') return target;
  const words = [...target, ...rest.filter((word) => !inputs.includes(word))];
  return {
    llc: resolveProgram(llc),
    functionName: valueOf(options, 'function') ?? null,
    model,
    words,
    inputs,
  };
}
