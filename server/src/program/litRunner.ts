/**
 * Runs the RUN lines of a test as lit 22 does with its own shell: pipes, redirections, `not`, `env` and the programs of litTools.ts. What it
 * reads and writes, and what llc and FileCheck are, its caller says: a generator asks for each of their runs, so that callers may wait or not.
 */
import { oneLine } from '../text/visible.js';
import { systemMessage } from './commandIO.js';
import type { LitRun } from './testFile/script.js';
import type { LitCommand, LitTarget } from './testFile/shell.js';
import { SearchLimit } from '../filecheck/posixRegex.js';
import { LitLimits, Unsupported } from './testFile/limits.js';
import { litTool, type LitFiles, type Outcome } from './litTools.js';

export { Unsupported, type LitFiles, type Outcome };

/** Variables that RUN lines have set, for the rest of the test or for one command. */
export interface LitEnvironment {
  /** nothing of the surroundings is left (`env -i`) */
  readonly isEmpty: boolean;
  /** null = taken away */
  readonly values: ReadonlyMap<string, string | null>;
}

/** What lasts from one RUN line of a test to the next. */
export class LitShell {
  environment: LitEnvironment = { isEmpty: false, values: new Map() };
  readonly limits = new LitLimits();

  /** Files of which no more is read and written than a test may. */
  limited(files: LitFiles): LitFiles {
    const { limits } = this;
    return {
      read: (path) => {
        const text = files.read(path);
        limits.text(text.length);
        return text;
      },
      write: (path, text, appends) => {
        limits.text(text.length);
        files.write(path, text, appends);
      },
      makeFolder: (path) => files.makeFolder(path),
      remove: (path) => files.remove(path),
    };
  }
}

/** A run of `llc` or `FileCheck` that is wanted. */
export interface LitCall {
  readonly program: 'llc' | 'FileCheck';
  readonly args: readonly string[];
  readonly stdin: string;
  /** `not --crash`: it is to be ended by a signal */
  readonly isToCrash: boolean;
  /** nothing turns its exit code around */
  readonly hasToSucceed: boolean;
  readonly environment: LitEnvironment;
}

export interface LitOutcome {
  readonly exit: number;
  /** what lit's own shell would tell */
  readonly report: string;
  /** what the first command that failed wrote to stderr */
  readonly complaint: string;
}

const EXIT_FAILED = 1;
/** of what lit's shell itself refuses */
const EXIT_REFUSED = 127;
/** what a shell sees of a process that a signal ended; where we see it ourselves, minus the signal */
const EXIT_SIGNAL = 128;

/** Of an llc that is to crash and, in this engine, does not: what it would say is not known. */
export const NO_CRASH = 'llc is to crash here, which the engine does not do';

/** Why a run of the engine's llc says nothing of the test, by what it wrote to stderr; null when it does: what it has not, and other targets. */
export function whyNotHere(stderr: string): string | null {
  const refused = /^llc: error: amdgpu-mir (.*)$/m.exec(stderr)?.[1];
  if (refused !== undefined) return `amdgpu-mir ${refused}`;
  const target = /^llc: error: (?:unable to get target for|invalid target) '((?!amdg|r600)[^']*)'/m.exec(stderr)?.[1];
  return target === undefined ? null : `there is no target '${target}' here`;
}

/** Names in llc's messages that another LLVM may know. */
const UNKNOWN = [
  /^llc: (Unknown command line argument '[^']*')/m,
  /^llc: (for the --?[\w-]+ option: Cannot find option named '[^']*')/m,
  /^(?:llc: error: |LLVM ERROR: )?((?:run-pass )?"?[^\s"]+"? (?:pass )?is not registered)\./m,
  /^error: [^\n]*?(\d+:\d+: unknown key '[^']*')/m,
  /^error: [^\n]*?(\d+:\d+: unknown (?:machine instruction|register|intrinsic|subregister index|target flag|target index)(?: name)?[^\n]*)/m,
  /^error: [^\n]*?(\d+:\d+: (?:use of undefined register class or register bank|use of undefined target flag)[^\n]*)/m,
  /^LLVM ERROR: (unknown subarch \S+)/m,
  /^llc: error: (unable to get target for 'amdgpu[^']*')/m,
  /^('[^']+' is not a recognized (?:processor|feature) for this target)/m,
];

/** A name of `-passes`. Which of them LLVM has is known here for those alone that are modelled. */
const UNKNOWN_PASS = /^unknown (?:\w+ )?(?:pass|pipeline)(?: name)? '([^']*)'/m;

/**
 * What a run of the engine's llc, which has to succeed, does not know and another LLVM may: an option, a pass, an opcode, a key, a register, a processor. Where its RUN
 * line fails, that says nothing of the test. `whyMixed`: what is of which release in a test that no release takes.
 */
export function whyNewer(stderr: string, whyMixed: () => string | null): string | null {
  const pass = UNKNOWN_PASS.exec(stderr)?.[1];
  if (pass !== undefined) return `amdgpu-mir does not model a pass '${oneLine(pass)}' of -passes`;
  for (const pattern of UNKNOWN) {
    const message = pattern.exec(stderr)?.[1];
    if (message !== undefined) return whyMixed() ?? `no LLVM that is modelled here takes it: ${oneLine(message)}`;
  }
  return null;
}

/** Of an llc that is told no target: the real one then takes that of its machine. */
export const NO_TARGET = 'there is no -mtriple here, and llc would take the target of its machine';

/** Whether llc's options or what it reads name a target. */
export const namesTarget = (
  { triple, march }: { readonly triple: string; readonly march: string },
  text: string,
): boolean => triple !== '' || march !== '' || /^\s*target triple\s*=/m.test(text);

/** Those that say how a program talks. All others might have it run other code, read devices or write files. */
const PASSED_ON =
  /^(?:FILECHECK_OPTS|FILECHECK_DUMP_INPUT_ON_FAILURE|LLVM_DISABLE_CRASH_REPORT|LLVM_DISABLE_SYMBOLIZATION|LANG|LC_[A-Z]+|NO_COLOR|SOURCE_DATE_EPOCH)$/;

/** The variables of a process that gets those of a RUN line. Throws Unsupported for one that is not passed on. */
export function variablesOf(
  { isEmpty, values }: LitEnvironment,
  surroundings: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const variables: Record<string, string | undefined> = isEmpty ? {} : { ...surroundings };
  for (const [name, value] of values) {
    const isLocale = /^L/.test(name) && !/^LLVM/.test(name);
    if (value !== null && (!PASSED_ON.test(name) || (isLocale && !/^[\w.@-]*$/.test(value))))
      throw new Unsupported(`sets ${oneLine(name)}, which no RUN line may for a program of yours`);
    variables[name] = value ?? undefined;
  }
  return variables;
}

/** What the shell says no to: nothing of the test runs any more. */
class Refused extends Error {}

/** Wants runs of programs, and ends with what came of the RUN line. Throws Unsupported. */
export function* runLitLine(
  { text, line, steps }: LitRun,
  files: LitFiles,
  shell: LitShell,
): Generator<LitCall, LitOutcome, Outcome> {
  if (steps.length === 0)
    return { exit: 0, report: `# RUN: at line ${line} has no command after substitutions\n`, complaint: '' };
  let report = `# RUN: at line ${line}\n${text}\n`;
  let exit = 0;
  let complaint = '';
  for (const { after, commands } of steps) {
    if ((after === '&&' && exit !== 0) || (after === '||' && exit === 0)) continue;
    if (after === '&') throw new Unsupported("'&' in a RUN line");
    const ran = yield* runPipeline(commands, files, shell);
    exit = ran.exit;
    report += ran.told;
    complaint = exit === 0 ? '' : complaint || ran.complaint;
    if (ran.isRefused) break;
  }
  return { exit, report, complaint };
}

/** The same where programs answer at once. */
export function runLitLineNow(
  run: LitRun,
  files: LitFiles,
  shell: LitShell,
  call: (call: LitCall) => Outcome,
): LitOutcome {
  const steps = runLitLine(run, files, shell);
  let step = steps.next();
  while (step.done !== true) step = steps.next(call(step.value));
  return step.value;
}

interface PipelineOutcome {
  readonly exit: number;
  readonly told: string;
  readonly complaint: string;
  readonly isRefused: boolean;
}

/** The last exit code that is not 0 counts, as with a shell's `pipefail`. */
function* runPipeline(
  pipeline: readonly LitCommand[],
  files: LitFiles,
  shell: LitShell,
): Generator<LitCall, PipelineOutcome, Outcome> {
  let input = '';
  let exit = 0;
  let told = '';
  let complaint = '';
  for (const [k, command] of pipeline.entries()) {
    const isLast = k === pipeline.length - 1;
    const named = `# executed command: ${shown(command.words)}\n`;
    try {
      const ran = yield* runReading(command, input, files, shell);
      // Only a part of what it prints is known.
      if (!isLast && command.words[0] === 'diff' && ran.stdout !== '')
        throw new Unsupported('what diff prints is not known here');
      const outcome = redirected(command, ran, shell.limited(files));
      input = outcome.piped;
      const blocks =
        (outcome.exit === 0
          ? ''
          : outcome.filed.map(({ file, text }) => block(`redirected output from '${file}'`, text, 1024)).join('')) +
        (isLast ? block('command stdout', outcome.stdout) : '') +
        block('command stderr', isLast ? outcome.stderr : outcome.ownStderr);
      told += named + blocks;
      if (outcome.exit === 0) continue;
      exit = outcome.exit;
      complaint ||= ran.stderr || outcome.stderr;
      if (!/(?:stdout|stderr)-{12}$/m.test(blocks)) told += '# note: command had no output on stdout or stderr\n';
      told += `# error: command failed with exit status: ${exit}\n`;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const end = `# error: command failed with exit status: ${EXIT_REFUSED}\n`;
      told = named + block('command stderr', error.message) + end;
      return { exit: EXIT_REFUSED, told, complaint: error.message, isRefused: true };
    }
  }
  return { exit, told, complaint, isRefused: false };
}

function* runReading(
  command: LitCommand,
  piped: string,
  files: LitFiles,
  shell: LitShell,
): Generator<LitCall, Outcome, Outcome> {
  if (command.problem !== '') throw new Refused(command.problem);
  try {
    const stdin = command.stdin === null ? piped : shell.limited(files).read(command.stdin);
    return yield* runCommand(command.words, stdin, files, shell);
  } catch (error) {
    return failedBy(error, command.words[0]!);
  }
}

interface Redirected {
  readonly exit: number;
  /** for the next command */
  readonly piped: string;
  /** of the last command of a pipeline, as it is shown */
  readonly stdout: string;
  readonly stderr: string;
  /** what does not go into the pipe */
  readonly ownStderr: string;
  readonly filed: readonly { readonly file: string; readonly text: string }[];
}

/** What a command has written, without what its redirections send to files; one that cannot be opened fails the command. */
function redirected(command: LitCommand, { exit, stdout, stderr }: Outcome, files: LitFiles): Redirected {
  const { stdout: out, stderr: err } = command;
  const filed: { file: string; text: string }[] = [];
  const file = (target: LitTarget, text: string): void => {
    files.write(target.file, text, target.appends);
    filed.push({ file: target.file, text });
  };
  try {
    // llc prints its module at the very end, what it has to tell before.
    if (out !== null) file(out, err === out ? stderr + stdout : stdout);
    if (err !== null && err !== 'pipe' && err !== out) file(err, stderr);
  } catch (error) {
    const failed = failedBy(error, command.words[0]!);
    return { ...failed, piped: '', ownStderr: failed.stderr, filed };
  }
  const isPiped = err === 'pipe';
  const ownStderr = err === null ? stderr : '';
  if (out === null) {
    const text = isPiped ? stderr + stdout : stdout;
    return { exit, piped: text, stdout: text, stderr: ownStderr, ownStderr, filed };
  }
  const text = isPiped ? stderr : '';
  return { exit, piped: text, stdout: '', stderr: ownStderr || text, ownStderr, filed };
}

/** Of an error of the system; others are thrown again. */
function failedBy(error: unknown, name: string): Outcome {
  if ((error as { code?: unknown }).code === undefined) throw error;
  return { exit: EXIT_FAILED, stdout: '', stderr: `${name}: ${systemMessage(error)}\n` };
}

const shown = (words: readonly string[]): string => {
  const nBangs = words.findIndex((word) => word !== '!');
  return words.map((word, k) => (k < nBangs ? word : quoted(word))).join(' ');
};
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

const FRAME = 26;

/** What a command has written, in a frame. */
function block(title: string, text: string, limit = Infinity): string {
  if (text.trim() === '') return '';
  const isCut = text.length > limit;
  const note = isCut ? 'data was truncated' : '';
  const lines = (isCut ? `${text.slice(0, limit)}\n...\n` : text).replace(/\n$/, '').split('\n');
  const rows = lines.map((line) => `# | ${line}\n`).join('');
  return `# .---${title.padEnd(FRAME, '-')}\n${rows}# \`---${note.padEnd(FRAME, '-')}\n`;
}

/** `!`, `not` and `not --crash` before a command, which turn its exit code around. */
type Negation = '!' | 'not' | 'crash';

function* runCommand(
  given: readonly string[],
  stdin: string,
  files: LitFiles,
  shell: LitShell,
): Generator<LitCall, Outcome, Outcome> {
  const negations: Negation[] = [];
  const variables = new Variables(shell.environment);
  let words = given;
  for (;;) {
    const [name = ''] = words;
    if (name === 'env') {
      words = variables.read(words, 1);
      if (words.length === 0) throw new Unsupported('env without a command is not known here');
      if (words[0] === 'echo' || words[0] === 'mkdir' || words[0] === 'rm' || words[0] === ':')
        throw new Refused(`Error: 'env' cannot call '${words[0]}'`);
    } else if (name === 'not' || name === '!') {
      const isCrash = name === 'not' && words[1] === '--crash';
      words = words.slice(isCrash ? 2 : 1);
      if (words.length === 0) throw new Refused(`Error: '${name}' requires a subcommand`);
      negations.push(isCrash ? 'crash' : name);
    } else break;
    // Each step takes the words in front away.
    if (negations.length + variables.nSteps > MAX_PREFIXES)
      throw new Unsupported(`more than ${MAX_PREFIXES} of not and env before a command`);
  }
  let outcome = yield* runProgram(words, stdin, files, shell, variables, negations);
  for (const negation of negations.reverse()) {
    // `not` wants an ordinary failure, `not --crash` one by a signal, `!` any.
    const isCrash = outcome.exit > EXIT_SIGNAL || outcome.exit < 0;
    const isWanted = negation === 'crash' ? isCrash : outcome.exit !== 0 && (!isCrash || negation === '!');
    outcome = { ...outcome, exit: isWanted ? 0 : EXIT_FAILED };
  }
  return outcome;
}

/** lit itself, in Python, nests no deeper. */
const MAX_PREFIXES = 1000;

function* runProgram(
  [name = '', ...args]: readonly string[],
  stdin: string,
  files: LitFiles,
  shell: LitShell,
  variables: Variables,
  negations: readonly Negation[],
): Generator<LitCall, Outcome, Outcome> {
  const program = name.slice(name.lastIndexOf('/') + 1);
  if (program === 'llc' || program === 'FileCheck') {
    const isToCrash = negations.at(-1) === 'crash';
    const hasToSucceed = negations.length === 0;
    return yield { program, args, stdin, isToCrash, hasToSucceed, environment: variables.environment() };
  }
  if (program === 'export') {
    if (args.length !== 1) throw new Refused("'export' supports only one argument");
    variables.read(args, 0);
    shell.environment = variables.environment();
    return { exit: 0, stdout: '', stderr: '' };
  }
  const tool = litTool(program);
  if (tool === null) throw new Unsupported(`'${name}' is not known`);
  try {
    return tool(args, stdin, shell.limited(files), shell.limits);
  } catch (error) {
    if (error instanceof SearchLimit) throw new Unsupported(`${program}: ${error.message}`);
    return failedBy(error, program);
  }
}

/** Variables that `env` and `export` change. */
class Variables {
  private isEmpty: boolean;
  private values: Map<string, string | null>;
  nSteps = 0;

  constructor({ isEmpty, values }: LitEnvironment) {
    this.isEmpty = isEmpty;
    this.values = new Map(values);
  }

  environment(): LitEnvironment {
    return { isEmpty: this.isEmpty, values: this.values };
  }

  /** `-i`, `-u NAME`, `NAME=VALUE` from a word on; what follows them. */
  read(words: readonly string[], from: number): readonly string[] {
    this.nSteps++;
    let k = from;
    for (; k < words.length; k++) {
      const word = words[k]!;
      const at = word.indexOf('=');
      if (word === '-i') [this.isEmpty, this.values] = [true, new Map()];
      else if (word === '-u') this.values.set(words[++k] ?? '', null);
      else if (at < 0) break;
      else this.values.set(word.slice(0, at), word.slice(at + 1));
    }
    return words.slice(k);
  }
}
