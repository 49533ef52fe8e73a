/** The user's own llc and FileCheck on the command line: one process at a time, with limits of time and output. */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { constants } from 'node:os';
import { systemMessage } from '../program/commandIO.js';
import { MODELLED_LLVMS, modelledLlvmsText } from '../target/releases.js';

export interface ProgramLimits {
  readonly ms: number;
  readonly bytes: number;
}

export interface ProgramRun {
  /** minus the signal that ended it */
  readonly exit: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** why it is no ordinary run: it is not there, does not end, writes too much, was ended; '' when it is one */
  readonly problem: string;
}

const EXIT_FAILED = 1;
const VERSION_LIMITS: ProgramLimits = { ms: 10_000, bytes: 1 << 20 };

/** Throws only for bugs of ours. */
export function runUserProgram(
  path: string,
  args: readonly string[],
  input: string | Buffer,
  { ms, bytes }: ProgramLimits,
  env: NodeJS.ProcessEnv = process.env,
  folder?: string,
): ProgramRun {
  const nothing = Buffer.alloc(0);
  const failed = (problem: string): ProgramRun => ({ exit: EXIT_FAILED, stdout: nothing, stderr: nothing, problem });
  let run: SpawnSyncReturns<Buffer>;
  try {
    run = spawnSync(path, args, {
      input,
      env,
      ...(folder === undefined ? {} : { cwd: folder }),
      timeout: ms,
      maxBuffer: bytes,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    // Words that no process can be given, as those with a NUL.
    if ((error as { code?: unknown }).code === undefined) throw error;
    return failed(`${path}: ${systemMessage(error)}`);
  }
  const code = (run.error as { code?: string } | undefined)?.code;
  if (code === 'ETIMEDOUT') return failed(`${path} does not end within ${ms / 1000} s`);
  if (code === 'ENOBUFS') return failed(`${path} writes more than ${bytes >> 20} MB`);
  // A program that has read enough closes its end: no error.
  if (run.error !== undefined && code !== 'EPIPE') return failed(`${path}: ${systemMessage(run.error)}`);
  const { stdout, stderr, signal } = run;
  if (signal === null) return { exit: run.status ?? EXIT_FAILED, stdout, stderr, problem: '' };
  return { exit: -constants.signals[signal], stdout, stderr, problem: `${path} was ended by ${signal}` };
}

/** The version that an llc says; '' = it says none. */
export function versionOfLlc(path: string): { readonly version: string } | { readonly problem: string } {
  const { stdout, problem } = runUserProgram(path, ['--version'], '', VERSION_LIMITS);
  if (problem !== '') return { problem };
  return { version: /LLVM version (\S+)/.exec(stdout.toString('latin1'))?.[1] ?? '' };
}

/** What should be known of an llc before it is used: `isUsable` false = it cannot be run; `told` '' = nothing. */
export function doubtOfLlc(path: string): { readonly told: string; readonly isUsable: boolean } {
  const found = versionOfLlc(path);
  if ('problem' in found) return { told: found.problem, isUsable: false };
  const { version } = found;
  if (MODELLED_LLVMS.includes(version)) return { told: '', isUsable: true };
  if (version === '') return { told: `${path} does not say which LLVM it is of`, isUsable: true };
  return { told: `${path} is of LLVM ${version}, amdgpu-mir models ${modelledLlvmsText()}`, isUsable: true };
}
