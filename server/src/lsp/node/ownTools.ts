/**
 * Tests by the user's own llc and FileCheck: processes with lists of words, never a shell, with limits of time and output, ended by a cancellation. What a
 * test asks for besides is done in a thread (testThread.ts), with limits of time and memory. The text is that of the editor, in a temporary folder.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { constants, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { makeTemporaryFolder, type TemporaryFolder } from '../../disk/temporaryFolder.js';
import {
  mirOfRun,
  NoProcessor,
  SOURCE_LIMITS,
  sourceCommand,
  toolsToAsk,
  versionIn,
} from '../../disk/sourceCommands.js';
import { resolveProgram } from '../../disk/userPrograms.js';
import type { UpdatedChecks } from '../../features/checks/updateActions.js';
import type { TestVerdict } from '../../features/snapshot/verdict.js';
import { InputError, systemMessage } from '../../program/commandIO.js';
import type { Outcome } from '../../program/litRunner.js';
import { MODELLED_LLVMS, modelledLlvmsText } from '../../target/releases.js';
import type { MirOfSource } from '../common/customRequests.js';
import type { SourceQuestion, SourceToolPaths, ToolAccess, ToolPaths } from '../common/toolAccess.js';
import type { Token } from '../common/workerSession.js';
import { TEST_THREAD } from './nodeWorker.js';
import { serveTests, type FromTest, type ProgramAnswer, type TestJob, type TestPort } from './testThread.js';

export interface ToolLimits {
  /** of a program */
  readonly ms: number;
  readonly bytes: number;
  /** of all that the thread of a test does by itself */
  readonly threadMs: number;
}

const LIMITS: ToolLimits = { ms: 60_000, bytes: 64 << 20, threadMs: 10_000 };
/** of a test's thread, which holds its text, what programs write and what comes of it */
const THREAD_MB = 384;
/** Nested patterns are read without recursion; what is not may go this deep. */
const STACK_MB = 16;

/** A program that cannot be used: it is not there, or does not end. */
class ToolFailure extends Error {}
class Stopped extends Error {}
/** The thread of a test has met a limit. */
class ThreadFailure extends Error {}

/** The thread of one test. */
interface TestThread extends TestPort<TestJob | ProgramAnswer, FromTest> {
  onEnd(handler: (why: string) => void): void;
  terminate(): void;
}

/** `limits` for tests; `bundle`: the program of the thread, without which all is done in this one. */
export const ownTools = (limits: Partial<ToolLimits> = {}, bundle: string | null = null): ToolAccess => {
  const all = { ...LIMITS, ...limits };
  return {
    runTest: async (uri, text, tools, token) => {
      let folder: TemporaryFolder | null = null;
      try {
        folder = makeTemporaryFolder('amdgpu-mir-run-');
        const job: TestJob = { kind: 'test', uri, text, folder: folder.path, hasFileCheck: tools.fileCheck !== '' };
        return (await inThread(job, tools, folder.path, all, bundle, token)) as TestVerdict;
      } catch (error) {
        if (error instanceof Stopped) return null;
        const isKnown = error instanceof ThreadFailure || (error as { code?: unknown }).code !== undefined;
        if (!isKnown) throw error;
        const problem = error instanceof ThreadFailure ? error.message : systemMessage(error);
        return { runs: [], problem, isExpectedToFail: false, outdated: [] };
      } finally {
        if (folder !== null) removeFolder(folder);
      }
    },
    updateChecks: async (text, tools, token) => {
      try {
        return (await inThread(
          { kind: 'update', text, llc: tools.llc },
          tools,
          tmpdir(),
          all,
          bundle,
          token,
        )) as UpdatedChecks;
      } catch (error) {
        if (error instanceof ThreadFailure) return { edits: [], why: error.message };
        if (!(error instanceof Stopped)) throw error;
        return null;
      }
    },
    mirOfSource: async (uri, tools, asked, token) => {
      try {
        return await mirOfSource(uri, tools, asked, token);
      } catch (error) {
        if (error instanceof Stopped) return null;
        if (!(error instanceof ToolFailure || error instanceof InputError)) throw error;
        const needsProcessor = error instanceof NoProcessor;
        return { text: null, problem: error.message, told: '', needsProcessor };
      }
    },
    doubt: async (path) => {
      try {
        const { stdout } = await runProgram(
          resolveProgram(path),
          ['--version'],
          '',
          tmpdir(),
          { ...all, ms: 10_000 },
          null,
        );
        const version = /LLVM version (\S+)/.exec(stdout)?.[1];
        if (version === undefined) return `${path} does not say which LLVM it is of`;
        return MODELLED_LLVMS.includes(version)
          ? ''
          : `${path} is of LLVM ${version}, amdgpu-mir models ${modelledLlvmsText()}`;
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        return error.message;
      }
    },
  };
};

/** Rejects with Stopped, ToolFailure, InputError. */
async function mirOfSource(
  uri: string,
  paths: SourceToolPaths,
  asked: SourceQuestion,
  token: Token,
): Promise<MirOfSource> {
  if (!uri.startsWith('file:')) throw new InputError('a tool reads files of the disk, and this is none');
  const path = fileURLToPath(uri);
  const tools = { ...paths, ...asked, stopBefore: asked.stopBefore || 'machine-scheduler', compileCommands: '' };
  const versions = new Map<string, string>();
  const askVersion = async (program: string): Promise<void> => {
    const { stdout } = await runProgram(program, ['--version'], '', tmpdir(), { ...LIMITS, ms: 10_000 }, token);
    versions.set(program, versionIn(stdout));
  };
  const askAny = (program: string): Promise<void> =>
    askVersion(program).catch((error: unknown) => {
      if (!(error instanceof ToolFailure)) throw error;
    });
  await Promise.all(toolsToAsk(path, tools).map(askAny));
  const { program, words } = sourceCommand(path, tools, (of) => versions.get(of) ?? '');
  if (!versions.has(program)) await askVersion(program);
  const run = await runProgram(program, words, '', dirname(path), { ...LIMITS, ...SOURCE_LIMITS }, token);
  const made = mirOfRun(program, versions.get(program) ?? '', run, tools);
  return { ...made, problem: '', needsProcessor: false };
}

/** What a program of the test still holds open, or has made unreadable, stays. */
function removeFolder(folder: TemporaryFolder): void {
  try {
    folder.remove();
  } catch {
    // A folder of the system's temporary ones; the verdict does not depend on it.
  }
}

/** Has a thread do a job, and starts the programs that it asks for. Rejects with Stopped, ThreadFailure, and an error with the message of the thread's. */
function inThread(
  job: TestJob,
  { llc, fileCheck }: ToolPaths,
  folder: string,
  limits: ToolLimits,
  bundle: string | null,
  token: Token,
): Promise<TestVerdict | UpdatedChecks> {
  if (token.isCancellationRequested) return Promise.reject(new Stopped());
  // Found before any RUN line has a say.
  const paths = { llc: resolveProgram(llc), FileCheck: resolveProgram(fileCheck) };
  const thread = bundle === null ? ownThread() : workerThread(bundle);
  return new Promise((resolve, reject) => {
    let left = limits.threadMs;
    let since = Date.now();
    const late = (): void =>
      end(new ThreadFailure(`reading and checking this test takes more than ${limits.threadMs / 1000} s`));
    let timer = setTimeout(late, left);
    const settle = (): void => {
      clearTimeout(timer);
      listener.dispose();
      thread.terminate();
    };
    const end = (error: Error): void => {
      settle();
      reject(error);
    };
    const listener = token.onCancellationRequested(() => end(new Stopped()));
    const pause = (): void => {
      clearTimeout(timer);
      left -= Date.now() - since;
    };
    const answer = (message: ProgramAnswer): void => {
      since = Date.now();
      timer = setTimeout(late, Math.max(1, left));
      thread.post(message);
    };
    thread.onEnd((why) => end(new ThreadFailure(why)));
    thread.onMessage((message) => {
      if (message.kind === 'done') {
        settle();
        resolve(message.result);
      } else if (message.kind === 'failed') end(new ThreadFailure(message.message));
      else {
        pause();
        const { program, args, stdin, env } = message.call;
        runProgram(paths[program], args, stdin, folder, limits, token, env).then(
          (outcome) => answer({ outcome }),
          (error: unknown) => {
            if (error instanceof ToolFailure) answer({ failure: error.message });
            else end(error instanceof Error ? error : new Error(String(error)));
          },
        );
      }
    });
    thread.post(job);
  });
}

/** A thread of Node or Bun; memory is limited so that a test ends its thread, not the editor's machine. */
function workerThread(bundle: string): TestThread {
  const worker = new Worker(bundle, {
    name: 'amdgpu-mir tests',
    workerData: TEST_THREAD,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MB, stackSizeMb: STACK_MB },
  });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (handler) => void worker.on('message', handler),
    onEnd: (handler) => {
      worker.on('error', (error: unknown) => {
        const isMemory = (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
        handler(isMemory ? `this test takes more than ${THREAD_MB} MB` : String(error));
      });
      worker.on('exit', (code) => handler(`the thread of the test has ended with ${code}`));
    },
    terminate: () => {
      worker.removeAllListeners();
      // What it says while it ends is nobody's business.
      worker.on('error', () => undefined);
      void worker.terminate();
    },
  };
}

/** This thread, for tests. */
function ownThread(): TestThread {
  const { port1, port2 } = new MessageChannel();
  serveTests({
    post: (message) => port2.postMessage(message),
    onMessage: (handler) => void port2.on('message', handler),
  });
  return {
    post: (message) => port1.postMessage(message),
    onMessage: (handler) => void port1.on('message', handler),
    onEnd: () => undefined,
    terminate: () => port1.close(),
  };
}

/** Windows has no groups of processes that a signal could go to. */
const HAS_GROUPS = process.platform !== 'win32';

/** Ends a program with all that it has started: it may be a script around the real one. */
function endGroup(child: ChildProcessWithoutNullStreams): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Rejects with ToolFailure and Stopped. */
function runProgram(
  path: string,
  args: readonly string[],
  stdin: string,
  folder: string,
  { ms, bytes }: ToolLimits,
  token: Token | null,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Outcome> {
  if (token?.isCancellationRequested) return Promise.reject(new Stopped());
  return new Promise((resolve, reject) => {
    const cannotRun = (error: unknown): ToolFailure =>
      new ToolFailure(`${path} cannot be run: ${systemMessage(error)}`);
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(path, args, {
        cwd: folder,
        env,
        shell: false,
        stdio: 'pipe',
        windowsHide: true,
        detached: HAS_GROUPS,
      });
    } catch (error) {
      // Words that no process can be given: too long, or with a NUL.
      reject(cannotRun(error));
      return;
    }
    let failure: Error | null = null;
    const settle = (): void => {
      clearTimeout(timer);
      listener?.dispose();
    };
    const end = (error: Error): void => {
      if (failure) return;
      failure = error;
      endGroup(child);
      // What has left the group may keep the pipes open as long as it likes.
      child.stdout.destroy();
      child.stderr.destroy();
      settle();
      reject(error);
    };
    const timer = setTimeout(() => end(new ToolFailure(`${path} does not end within ${ms / 1000} s`)), ms);
    const listener = token?.onCancellationRequested(() => end(new Stopped()));
    let size = 0;
    const collect = (stream: NodeJS.ReadableStream): Buffer[] => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > bytes) end(new ToolFailure(`${path} writes more than ${bytes >> 20} MB`));
        else pieces.push(piece);
      });
      return pieces;
    };
    const out = collect(child.stdout);
    const err = collect(child.stderr);
    child.on('error', (error) => {
      settle();
      reject(failure ?? cannotRun(error));
    });
    child.on('close', (code, signal) => {
      settle();
      if (failure) reject(failure);
      else {
        const exit = signal === null ? (code ?? 0) : -constants.signals[signal];
        const crash = signal === null ? '' : `${path} was ended by ${signal}\n`;
        const text = (pieces: Buffer[]): string => Buffer.concat(pieces).toString('utf8');
        resolve({ exit, stdout: text(out), stderr: text(err) + crash });
      }
    });
    // A program that reads nothing closes its end.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}
