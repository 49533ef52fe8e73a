/**
 * The RUN lines of a test, without a process and without a disk: llc's passes by the engine, its output by FileCheck, files that the test
 * writes in memory. What needs more than that says so.
 */
import { ExitCode, runFileCheck } from '../../filecheck/fileCheck.js';
import type { Message } from '../../filecheck/message.js';
import { prefixProblem } from '../../filecheck/options.js';
import { PassError } from '../../passes/machinePass.js';
import { InputError, type CommandIO } from '../../program/commandIO.js';
import { readFileCheckCommand } from '../../program/fileCheckOptions.js';
import { runLitLineNow, Unsupported, type LitCall, type LitFiles, type Outcome } from '../../program/litRunner.js';
import { LIT_FEATURES, readLitScript, type LitRun } from '../../program/litScript.js';
import { InformationRequest, parseLlcOptions, UsageError } from '../../program/llcOptions.js';
import { runLlcOptions, Stop } from '../../program/llcRun.js';
import { EXIT_ERROR } from '../../program/mirProgram.js';
import { byteText, textOfBytes } from '../../text/sourceText.js';
import { Cancelled, type ProgressToken } from '../../util/cancellation.js';
import { checkLines, findingsIn } from './checkStates.js';
import type { CheckFinding, CheckLine, RunVerdict, TestVerdict } from './verdict.js';

/** As lit names the test; nothing is read from or written to a disk. */
const FILE = '%s';
const PLACES = { file: FILE, folder: '%S', temporary: '%t', temporaryFolder: '%T' };
const OTHER_FILES = 'files other than the test are not read or written in the editor';
/** Longer outputs are not kept. */
const MAX_OUTPUT = 1 << 22;

/** What a run of llc came to, with the files that it wrote. */
export interface LlcOutcome extends Outcome {
  readonly written: readonly (readonly [path: string, text: string])[];
}

/** Runs of llc that are known, by their options and what they read. */
export interface LlcMemory {
  get(key: string): LlcOutcome | undefined;
  set(key: string, outcome: LlcOutcome): void;
}

/** Runs all RUN lines. Throws Cancelled. */
export function runTest(text: string, memory: LlcMemory, token: ProgressToken): TestVerdict {
  const script = readLitScript(text, PLACES, LIT_FEATURES);
  const { isExpectedToFail } = script;
  const problem = script.unsupported ?? script.unresolved ?? '';
  if (problem !== '') return { runs: [], problem, isExpectedToFail };
  // Files that a RUN line writes, the next ones read.
  const files = new Map<string, string>();
  return {
    runs: script.runs.map((run) => new Run(run, text, files, memory, token).verdict()),
    problem,
    isExpectedToFail,
  };
}

/** What a file that is not there says, with the system's code. */
class NoFile extends Error {
  readonly code = 'ENOENT';
}

class Run {
  private findings: readonly CheckFinding[] = [];
  private checks: readonly CheckLine[] = [];
  private output: string | null = null;
  /** FileCheck's words */
  private told = '';

  constructor(
    private readonly run: LitRun,
    private readonly text: string,
    private readonly written: Map<string, string>,
    private readonly memory: LlcMemory,
    private readonly token: ProgressToken,
  ) {}

  verdict(): RunVerdict {
    const line = this.run.line - 1;
    try {
      const { exit, complaint } = runLitLineNow(this.run, this.files, (call) => this.call(call));
      const { findings, checks, output } = this;
      const kept = output !== null && output.length <= MAX_OUTPUT ? output : null;
      if (exit === 0) return { line, verdict: 'passed', detail: '', findings: [], checks, output: kept };
      const isOfChecks = complaint === '' || complaint === this.told;
      const detail = (isOfChecks && findings[0]?.message) || complaint.trim() || `ends with exit code ${exit}`;
      return { line, verdict: 'failed', detail, findings, checks, output: kept };
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      return { line, verdict: 'unsupported', detail: error.message, findings: [], checks: [], output: null };
    }
  }

  private readonly files: LitFiles = {
    read: (path) => this.read(path),
    write: (path, text, appends) => {
      this.written.set(own(path), appends ? (this.written.get(path) ?? '') + text : text);
    },
    makeFolder: (path) => void own(path),
  };

  private read(path: string): string {
    if (path === FILE) return this.text;
    const text = this.written.get(own(path));
    if (text === undefined) throw new NoFile('No such file or directory');
    return text;
  }

  private call({ program, args, stdin }: LitCall): Outcome {
    if (program === 'FileCheck') return this.fileCheck(args, stdin);
    const outcome = this.llc(args, stdin);
    for (const [path, text] of outcome.written) this.written.set(path, text);
    this.output = outcome.stdout;
    return outcome;
  }

  private llc(args: readonly string[], stdin: string): LlcOutcome {
    let read = '';
    const io = new MemoryIO((path) => (read = path === '-' ? stdin : this.read(path)), this.token);
    try {
      const options = parseLlcOptions(args);
      // Looked up before anything is read: what is asked for decides what is read.
      const key = `${args.join('\0')}\0\0${withoutComments(io.read(options.input))}`;
      const known = this.memory.get(key);
      if (known) return known;
      const outcome = llcOutcome(() => runLlcOptions(options, io), io);
      if (read !== '') this.memory.set(key, outcome);
      return outcome;
    } catch (error) {
      if (error instanceof InputError || error instanceof UsageError || error instanceof InformationRequest)
        return llcOutcome(() => {
          throw error;
        }, io);
      throw error;
    }
  }

  /** FileCheck's verdict, and what it found of each directive of the test. */
  private fileCheck(args: readonly string[], stdin: string): Outcome {
    const { line, command } = readFileCheckCommand(args, 'FileCheck');
    const failed = (stderr: string, exit: number = ExitCode.Unusable): Outcome => ({ exit, stdout: '', stderr });
    if (command === null) {
      if (line.asksFor !== null) throw new Unsupported('FileCheck is asked for information only');
      return failed(`FileCheck: ${line.errors.map((e) => e.text).join('')}`, EXIT_ERROR);
    }
    const problem = command.defineProblems.join('') || prefixProblem(command.options);
    if (problem) return failed(`FileCheck: ${problem}`);
    const { checkFile, inputFile, options } = command;
    if (checkFile === null) return failed('FileCheck: <check-file> not specified\n');
    const input = inputFile === '-' ? stdin : this.read(inputFile);
    this.output = input;
    const told: Message[] = [];
    const readInput = (): { name: string; text: string } => {
      if (input === '' && !options.allowEmpty) throw new EmptyInput();
      return { name: '<stdin>', text: byteText(input) };
    };
    try {
      const run = runFileCheck(
        { name: checkFile, text: byteText(this.read(checkFile)) },
        readInput,
        {
          ...options,
          implicitCheckNot: options.implicitCheckNot.map(byteText),
          defines: options.defines.map(byteText),
          // Every match is recorded then; what is told are the same errors.
          verbose: true,
          verboseVerbose: true,
        },
        (m) => told.push(m),
      );
      if (checkFile === FILE) {
        this.checks = [...this.checks, ...checkLines(run, FILE)];
        this.findings = [...this.findings, ...findingsIn(told, FILE)];
      }
      const words = told.map((m) => (typeof m === 'string' ? m : `${m.message}\n`)).join('');
      this.told = textOfBytes(words);
      return failed(this.told, run.exitCode);
    } catch (error) {
      if (!(error instanceof EmptyInput)) throw error;
      return failed("FileCheck error: '<stdin>' is empty.\n");
    }
  }
}

class EmptyInput extends Error {}

/** A name below the folders of the test's own files. Throws Unsupported for others. */
function own(path: string): string {
  if (!/^%t|^%T\//.test(path)) throw new Unsupported(OTHER_FILES);
  return path;
}

/** Streams and files of a run of llc, in memory. */
class MemoryIO implements CommandIO {
  out = '';
  err = '';
  readonly written: [string, string][] = [];
  readonly isStderrLost = false;
  private steps = 0;

  constructor(
    private readonly readText: (path: string) => string,
    private readonly token: ProgressToken,
  ) {}

  read(path: string): string {
    try {
      return this.readText(path);
    } catch (error) {
      if (error instanceof NoFile) throw new InputError(error.message);
      throw error;
    }
  }

  stdout(text: string): void {
    this.out += text;
  }

  stderr(text: string): void {
    this.err += text;
  }

  openFile(path: string): ReturnType<CommandIO['openFile']> {
    own(path);
    return { write: (text) => void this.written.push([path, text]), discard: () => undefined };
  }

  checkpoint = (): void => {
    if (this.token.isCancelled()) throw new Cancelled();
    this.token.report?.(`llc, step ${++this.steps}`);
  };
}

/** llc's exit code and words. Throws Unsupported where ours does not do what is asked for. */
function llcOutcome(run: () => void, io: MemoryIO): LlcOutcome {
  let exit = 0;
  try {
    run();
  } catch (error) {
    if (error instanceof InformationRequest) throw new Unsupported('llc is asked for information only');
    const isWords = error instanceof UsageError || error instanceof PassError || error instanceof InputError;
    if (!isWords && !(error instanceof Stop)) throw error;
    io.stderr(error instanceof Stop ? error.text : `${error.message}\n`);
    exit = error instanceof Stop ? error.exitCode : EXIT_ERROR;
  }
  const refused = /^llc: error: amdgpu-mir (.*)$/m.exec(io.err)?.[1];
  if (refused !== undefined) throw new Unsupported(`amdgpu-mir ${refused}`);
  return { exit, stdout: io.out, stderr: io.err, written: io.written };
}

/** What llc's answer depends on: of a comment on a line of its own only that it is there, and where. */
const withoutComments = (text: string): string => text.replace(/^(#|[ \t]*;).*$/gm, '$1');
