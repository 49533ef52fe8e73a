/** Runs the RUN lines of a test on the disk: llc and FileCheck in this process, or as the user's own programs. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import {
  LitShell,
  namesTarget,
  NO_CRASH,
  NO_TARGET,
  runLitLineNow,
  Unsupported,
  variablesOf,
  whyNotHere,
  type LitCall,
  type LitFiles,
  type Outcome,
} from '../program/litRunner.js';
import type { LitRun } from '../program/litScript.js';
import { parseLlcOptions } from '../program/llcOptions.js';
import { BufferedIO } from './bufferedIO.js';
import { runFileCheckCommand } from './filecheck.js';
import { decodeBytes, encodeBytes } from './fileBytes.js';
import { runLlc } from './llc.js';
import { runUserProgram, type ProgramLimits } from './userProgram.js';

export interface RunnerOptions {
  /** the user's llc; null = ours */
  readonly llc: string | null;
  /** the user's FileCheck; null = ours */
  readonly fileCheck: string | null;
}

const LIMITS: ProgramLimits = { ms: 60_000, bytes: 1 << 28 };

/** `temporary`: where alone something may be removed. */
const filesOf = (temporary: string): LitFiles => ({
  read: (path) => decodeBytes(readFileSync(path)),
  write: (path, text, appends) => (appends ? appendFileSync : writeFileSync)(path, encodeBytes(text)),
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  remove: (path) => {
    const way = relative(temporary, resolve(path));
    if (way.startsWith('..') || isAbsolute(way)) throw new Unsupported(`'${path}' is not a temporary file`);
    rmSync(path, { recursive: true, force: true });
  },
});

/**
 * The exit code of the first run that fails, 0 when none does, and what lit's own shell would tell of them. `temporary`: the folder of the
 * test's files. Throws Unsupported.
 */
export function runLitTest(
  runs: readonly LitRun[],
  temporary: string,
  options: RunnerOptions,
): { exit: number; report: string } {
  const files = filesOf(temporary);
  const shell = new LitShell();
  let report = '';
  for (const run of runs) {
    const { exit, report: told } = runLitLineNow(run, files, shell, (call) => runCall(call, options));
    report += told;
    if (exit !== 0) return { exit, report };
  }
  return { exit: 0, report };
}

function runCall(call: LitCall, { llc, fileCheck }: RunnerOptions): Outcome {
  const { program, args, stdin, isToCrash } = call;
  const env = variablesOf(call.environment, process.env);
  if (program === 'llc') return llc === null ? ownLlc(args, stdin, isToCrash) : runProgram(llc, args, stdin, env);
  if (fileCheck !== null) return runProgram(fileCheck, args, stdin, env);
  const io = new BufferedIO(() => stdin);
  const exit = runFileCheckCommand(args, io, env['FILECHECK_OPTS']);
  return { exit, stdout: io.out(), stderr: io.err() };
}

/** Whether llc was told a target. Where its words or file are wrong, it has said so. */
function wasTold(args: readonly string[], stdin: string): boolean {
  try {
    const options = parseLlcOptions(args);
    return namesTarget(options, options.input === '-' ? stdin : decodeBytes(readFileSync(options.input)));
  } catch {
    return true;
  }
}

function ownLlc(args: readonly string[], stdin: string, isToCrash: boolean): Outcome {
  const io = new BufferedIO(() => stdin);
  const exit = runLlc(args, io);
  const why = whyNotHere(io.err()) ?? (wasTold(args, stdin) ? null : NO_TARGET);
  if (why !== null) throw new Unsupported(why);
  if (isToCrash && exit === 0) throw new Unsupported(NO_CRASH);
  return { exit, stdout: io.out(), stderr: io.err() };
}

function runProgram(path: string, args: readonly string[], stdin: string, env: NodeJS.ProcessEnv): Outcome {
  const { exit, stdout, stderr, problem } = runUserProgram(path, args, encodeBytes(stdin), LIMITS, env);
  const told = problem === '' ? '' : `${problem}\n`;
  return { exit, stdout: decodeBytes(stdout), stderr: decodeBytes(stderr) + told };
}
