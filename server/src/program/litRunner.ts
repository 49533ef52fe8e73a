/**
 * Runs the RUN lines of a test as lit 22 does with its own shell: pipes, redirections, `not`, `split-file`, `cat` and `echo`. What it reads and
 * writes, and what llc and FileCheck are, its caller says: a generator asks for each of their runs, so that callers may wait or not.
 */
import { systemMessage } from './commandIO.js';
import type { LitCommand, LitRun } from './litScript.js';

/** A command or pass that is not known here: the test says nothing about it. */
export class Unsupported extends Error {}

/** Files of a test. Errors are those of the system, with a `code`. */
export interface LitFiles {
  read(path: string): string;
  write(path: string, text: string, appends: boolean): void;
  /** with those around it */
  makeFolder(path: string): void;
}

/** A run of `llc` or `FileCheck` that is wanted. */
export interface LitCall {
  readonly program: 'llc' | 'FileCheck';
  readonly args: readonly string[];
  readonly stdin: string;
  /** `not --crash`: it is to be ended by a signal */
  readonly isToCrash: boolean;
}

export interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LitOutcome {
  readonly exit: number;
  /** what lit's own shell would tell */
  readonly report: string;
  /** what the first command that failed wrote to stderr */
  readonly complaint: string;
}

const EXIT_FAILED = 1;
/** what a shell sees of a process that a signal ended */
export const EXIT_SIGNAL = 128;

/** Of an llc that is to crash and, in this engine, does not: what it would say is not known. */
export const NO_CRASH = 'llc is to crash here, which the engine does not do';

/** Why a run of the engine's llc says nothing of the test, by what it wrote to stderr; null when it does: what it has not, and other targets. */
export function whyNotHere(stderr: string): string | null {
  const refused = /^llc: error: amdgpu-mir (.*)$/m.exec(stderr)?.[1];
  if (refused !== undefined) return `amdgpu-mir ${refused}`;
  const target = /^llc: error: unable to get target for '((?!amdg|r600)[^']*)'/m.exec(stderr)?.[1];
  return target === undefined ? null : `there is no target '${target}' here`;
}

/** Wants runs of programs, and ends with what came of the RUN line. Throws Unsupported. */
export function* runLitLine(
  { text, line, pipelines }: LitRun,
  files: LitFiles,
): Generator<LitCall, LitOutcome, Outcome> {
  let report = `# RUN: at line ${line}\n${text}\n`;
  for (const pipeline of pipelines) {
    const { exit, told, complaint } = yield* runPipeline(pipeline, files);
    report += told;
    if (exit !== 0) return { exit, report, complaint };
  }
  return { exit: 0, report, complaint: '' };
}

/** The same where programs answer at once. */
export function runLitLineNow(run: LitRun, files: LitFiles, call: (call: LitCall) => Outcome): LitOutcome {
  const steps = runLitLine(run, files);
  let step = steps.next();
  while (step.done !== true) step = steps.next(call(step.value));
  return step.value;
}

/** The last exit code that is not 0 counts, as with a shell's `pipefail`. */
function* runPipeline(
  pipeline: readonly LitCommand[],
  files: LitFiles,
): Generator<LitCall, { exit: number; told: string; complaint: string }, Outcome> {
  let input = '';
  let exit = 0;
  let told = '';
  let complaint = '';
  for (const [k, command] of pipeline.entries()) {
    const ran = yield* runReading(command, input, files);
    const outcome = redirected(command, ran, files);
    const { stdout, stderr } = outcome;
    input = stdout;
    told += `# executed command: ${command.words.map(quoted).join(' ')}\n`;
    const isLast = k === pipeline.length - 1;
    const shown = (isLast ? block('stdout', input) : '') + (command.stderr === null ? block('stderr', stderr) : '');
    told += shown;
    if (outcome.exit === 0) continue;
    exit = outcome.exit;
    complaint ||= ran.stderr || stderr;
    if (shown === '') told += '# note: command had no output on stdout or stderr\n';
    told += `# error: command failed with exit status: ${exit}\n`;
  }
  return { exit, told, complaint };
}

function* runReading(command: LitCommand, piped: string, files: LitFiles): Generator<LitCall, Outcome, Outcome> {
  try {
    const stdin = command.stdin === null ? piped : files.read(command.stdin);
    return yield* runCommand(command.words, stdin, files);
  } catch (error) {
    return failedBy(error, command);
  }
}

/** What a command has written, without what its redirections send to files; one that cannot be opened fails the command. */
function redirected(command: LitCommand, { exit, stdout, stderr }: Outcome, files: LitFiles): Outcome {
  const { stdout: out, stderr: err } = command;
  // llc prints its module at the very end, what it has to tell before.
  const [toOut, toErr] = err === 'stdout' ? [stderr + stdout, ''] : [stdout, stderr];
  try {
    if (out !== null) files.write(out.file, toOut, out.appends);
    if (err !== null && err !== 'stdout') files.write(err.file, toErr, err.appends);
  } catch (error) {
    return failedBy(error, command);
  }
  return { exit, stdout: out === null ? toOut : '', stderr: toErr };
}

/** Of an error of the system; others are thrown again. */
function failedBy(error: unknown, { words: [name = ''] }: LitCommand): Outcome {
  if ((error as { code?: unknown }).code === undefined) throw error;
  return { exit: EXIT_FAILED, stdout: '', stderr: `${name}: ${systemMessage(error)}\n` };
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

/** What a command has written, in a frame. */
function block(stream: 'stdout' | 'stderr', text: string): string {
  if (text === '') return '';
  const lines = text.replace(/\n$/, '').split('\n');
  return `# .---command ${stream}------------\n${lines.map((line) => `# | ${line}\n`).join('')}# \`-----------------------------\n`;
}

function* runCommand(
  words: readonly string[],
  stdin: string,
  files: LitFiles,
  isToCrash = false,
): Generator<LitCall, Outcome, Outcome> {
  const [name = '', ...args] = words;
  const program = name.slice(name.lastIndexOf('/') + 1);
  switch (program) {
    case 'llc':
    case 'FileCheck':
      return yield { program, args, stdin, isToCrash };
    case 'not':
      return yield* not(args, stdin, files);
    case 'split-file':
      return splitFile(args, files);
    case 'cat':
      return { exit: 0, stdout: args.length === 0 ? stdin : args.map((a) => files.read(a)).join(''), stderr: '' };
    case 'echo':
      return { exit: 0, stdout: `${args.join(' ')}\n`, stderr: '' };
    default:
      throw new Unsupported(`'${name}' is not known`);
  }
}

/** `not` wants an ordinary failure, `not --crash` one by a signal. */
function* not(args: readonly string[], stdin: string, files: LitFiles): Generator<LitCall, Outcome, Outcome> {
  const wantsCrash = args[0] === '--crash';
  const { exit, stdout, stderr } = yield* runCommand(wantsCrash ? args.slice(1) : args, stdin, files, wantsCrash);
  const isCrash = exit > EXIT_SIGNAL;
  return { exit: (wantsCrash ? isCrash : exit !== 0 && !isCrash) ? 0 : EXIT_FAILED, stdout, stderr };
}

/** LLVM's split-file: parts of a file behind `--- NAME` lines, each with as many empty lines in front as keep its line numbers if asked. */
function splitFile(args: readonly string[], files: LitFiles): Outcome {
  const keepsLines = args.includes('--leading-lines');
  const [file = '', folder = ''] = args.filter((arg) => !arg.startsWith('--'));
  let part: string[] | null = null;
  let name = '';
  const save = (): void => {
    if (part === null) return;
    const path = `${folder}/${name}`;
    files.makeFolder(path.slice(0, path.lastIndexOf('/')));
    files.write(path, part.join(''), false);
  };
  files.makeFolder(folder);
  for (const [k, line] of files
    .read(file)
    .split(/(?<=\n)/)
    .entries()) {
    const next = /^(?:\W{1,3})?--- (\S.*?)\s*$/.exec(line)?.[1];
    if (next !== undefined) {
      save();
      name = next;
      part = keepsLines ? ['\n'.repeat(k + 1)] : [];
    } else part?.push(line);
  }
  save();
  return { exit: 0, stdout: '', stderr: '' };
}
