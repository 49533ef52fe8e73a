/** Runs the RUN lines of a test on the disk: llc and FileCheck in this process, or as the user's own programs. */
import { decodeBytes, encodeBytes } from '../disk/fileBytes.js';
import { TestFiles } from '../disk/testFiles.js';
import { checkOwnWords } from '../program/ownProgramWords.js';
import {
  LitShell,
  namesTarget,
  NO_CRASH,
  NO_TARGET,
  runLitLineNow,
  Unsupported,
  variablesOf,
  whyNewer,
  whyNotHere,
  type LitCall,
  type Outcome,
} from '../program/litRunner.js';
import { whyMixed } from '../program/modelOfFile.js';
import type { LitRun } from '../program/testFile/script.js';
import type { ModelChoice } from '../passes/scheduler/schedulerModel.js';
import { parseLlcOptions } from '../program/llcOptions.js';
import { BufferedIO } from './bufferedIO.js';
import { runFileCheckCommand } from './filecheck.js';
import { runLlc } from './llc.js';
import { runUserProgram, type ProgramLimits } from './userProgram.js';

export interface RunnerOptions {
  /** the user's llc; null = ours */
  readonly llc: string | null;
  /** the user's FileCheck; null = ours */
  readonly fileCheck: string | null;
  /** files are written wherever a RUN line wants, as lit does */
  readonly writesAnywhere: boolean;
  /** whose LLVM ours is */
  readonly model: ModelChoice;
}

const LIMITS: ProgramLimits = { ms: 60_000, bytes: 1 << 28 };

/**
 * `test`: the text of the test. The exit code of the first run that fails, 0 when none does, and what lit's own shell would tell of them. `temporary`: the folder of the
 * test's files. Throws Unsupported.
 */
export function runLitTest(
  runs: readonly LitRun[],
  test: string,
  temporary: string,
  options: RunnerOptions,
): { exit: number; report: string } {
  const files = new TestFiles(temporary, options.writesAnywhere);
  const shell = new LitShell();
  let report = '';
  for (const run of runs) {
    let doubt: string | null = null;
    const { exit, report: told } = runLitLineNow(run, files, shell, (call) => {
      const outcome = runCall(call, test, files, options);
      if (call.program === 'llc' && options.llc === null && call.hasToSucceed)
        doubt ??= whyNewer(outcome.stderr, () => whyMixed(test, options.model));
      return outcome;
    });
    report += told;
    if (exit !== 0 && doubt !== null) throw new Unsupported(doubt);
    if (exit !== 0) return { exit, report };
  }
  return { exit: 0, report };
}

function runCall(call: LitCall, test: string, files: TestFiles, { llc, fileCheck, model }: RunnerOptions): Outcome {
  const { program, args, stdin, isToCrash, environment } = call;
  const path = program === 'llc' ? llc : fileCheck;
  if (path !== null) {
    const env = variablesOf(environment, process.env);
    checkOwnWords(program, args, program === 'FileCheck' ? (env['FILECHECK_OPTS'] ?? '') : '', files);
    return runProgram(path, args, stdin, env, files.folder);
  }
  if (program === 'llc') return ownLlc(args, stdin, test, files, isToCrash, model);
  const io = new BufferedIO(() => stdin, files);
  const { isEmpty, values } = environment;
  const exit = runFileCheckCommand(
    args,
    io,
    values.get('FILECHECK_OPTS') ?? (isEmpty || values.has('FILECHECK_OPTS') ? '' : process.env['FILECHECK_OPTS']),
  );
  return { exit, stdout: io.out(), stderr: io.err() };
}

/** Whether llc was told a target. Where its words or file are wrong, it has said so. */
function wasTold(args: readonly string[], stdin: string, files: TestFiles): boolean {
  try {
    const options = parseLlcOptions(args);
    return namesTarget(options, options.input === '-' ? stdin : files.read(options.input));
  } catch {
    return true;
  }
}

function ownLlc(
  args: readonly string[],
  stdin: string,
  test: string,
  files: TestFiles,
  isToCrash: boolean,
  model: ModelChoice,
): Outcome {
  const io = new BufferedIO(() => stdin, files);
  const exit = runLlc(args, io, model, test);
  const why = whyNotHere(io.err()) ?? (wasTold(args, stdin, files) ? null : NO_TARGET);
  if (why !== null) throw new Unsupported(why);
  if (isToCrash && exit === 0) throw new Unsupported(NO_CRASH);
  return { exit, stdout: io.out(), stderr: io.err() };
}

function runProgram(
  path: string,
  args: readonly string[],
  stdin: string,
  env: NodeJS.ProcessEnv,
  folder: string,
): Outcome {
  const { exit, stdout, stderr, problem } = runUserProgram(path, args, encodeBytes(stdin), LIMITS, env, folder);
  const told = problem === '' ? '' : `${problem}\n`;
  return { exit, stdout: decodeBytes(stdout), stderr: decodeBytes(stderr) + told };
}
