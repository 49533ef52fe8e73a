/** Runs the RUN lines of a test on the disk: llc and FileCheck in this process, or as the user's own programs. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { systemMessage } from '../program/commandIO.js';
import {
  EXIT_SIGNAL,
  NO_CRASH,
  runLitLineNow,
  Unsupported,
  whyNotHere,
  type LitCall,
  type LitFiles,
  type Outcome,
} from '../program/litRunner.js';
import type { LitRun } from '../program/litScript.js';
import { BufferedIO } from './bufferedIO.js';
import { runFileCheckCommand } from './filecheck.js';
import { decodeBytes, encodeBytes } from './fileBytes.js';
import { runLlc } from './llc.js';

export interface RunnerOptions {
  /** the user's llc; null = ours */
  readonly llc: string | null;
  /** the user's FileCheck; null = ours */
  readonly fileCheck: string | null;
}

const LIMIT_MS = 60_000;
const LIMIT_BYTES = 1 << 28;
const EXIT_FAILED = 1;

const FILES: LitFiles = {
  read: (path) => decodeBytes(readFileSync(path)),
  write: (path, text, appends) => (appends ? appendFileSync : writeFileSync)(path, encodeBytes(text)),
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
};

/** The exit code of the first run that fails, 0 when none does, and what lit's own shell would tell of them. Throws Unsupported. */
export function runLitTest(runs: readonly LitRun[], options: RunnerOptions): { exit: number; report: string } {
  let report = '';
  for (const run of runs) {
    const { exit, report: told } = runLitLineNow(run, FILES, (call) => runCall(call, options));
    report += told;
    if (exit !== 0) return { exit, report };
  }
  return { exit: 0, report };
}

function runCall({ program, args, stdin, isToCrash }: LitCall, { llc, fileCheck }: RunnerOptions): Outcome {
  if (program === 'llc') return llc === null ? ownLlc(args, stdin, isToCrash) : runProgram(llc, args, stdin);
  if (fileCheck !== null) return runProgram(fileCheck, args, stdin);
  const io = new BufferedIO(() => stdin);
  const exit = runFileCheckCommand(args, io, process.env['FILECHECK_OPTS']);
  return { exit, stdout: io.out(), stderr: io.err() };
}

function ownLlc(args: readonly string[], stdin: string, isToCrash: boolean): Outcome {
  const io = new BufferedIO(() => stdin);
  const exit = runLlc(args, io);
  const why = whyNotHere(io.err());
  if (why !== null) throw new Unsupported(why);
  if (isToCrash && exit === 0) throw new Unsupported(NO_CRASH);
  return { exit, stdout: io.out(), stderr: io.err() };
}

function runProgram(path: string, args: readonly string[], stdin: string): Outcome {
  const failed = (error: unknown): Outcome => ({
    exit: EXIT_FAILED,
    stdout: '',
    stderr: `${path}: ${systemMessage(error)}\n`,
  });
  const limits = { timeout: LIMIT_MS, maxBuffer: LIMIT_BYTES };
  let run: SpawnSyncReturns<Buffer>;
  try {
    run = spawnSync(path, args, { input: encodeBytes(stdin), ...limits });
  } catch (error) {
    // Words that no process can be given, as those with a NUL.
    if ((error as { code?: unknown }).code === undefined) throw error;
    return failed(error);
  }
  // A program that has read enough closes its end: no error.
  if (run.error !== undefined && (run.error as { code?: string }).code !== 'EPIPE') return failed(run.error);
  return {
    exit: run.status ?? EXIT_SIGNAL + 1,
    stdout: decodeBytes(run.stdout),
    stderr: decodeBytes(run.stderr),
  };
}
