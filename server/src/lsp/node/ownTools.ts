/**
 * Tests by the user's own llc and FileCheck: processes with lists of words, never a shell, with limits of time and output, ended by a cancellation. The
 * text is that of the editor, in a temporary folder.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileCheckOutcome } from '../../features/checks/runTest.js';
import type { CheckFinding, CheckLine, RunVerdict, TestVerdict } from '../../features/checks/verdict.js';
import { systemMessage } from '../../program/commandIO.js';
import {
  EXIT_SIGNAL,
  runLitLine,
  Unsupported,
  type LitCall,
  type LitFiles,
  type Outcome,
} from '../../program/litRunner.js';
import { LIT_FEATURES, readLitScript, type LitRun } from '../../program/litScript.js';
import { MODELLED_LLVM } from '../../util/modelledLLVM.js';
import type { ToolAccess, ToolPaths } from '../common/toolAccess.js';
import type { Token } from '../common/workerSession.js';

export interface ToolLimits {
  readonly ms: number;
  readonly bytes: number;
}

const LIMITS: ToolLimits = { ms: 60_000, bytes: 64 << 20 };
/** of what the editor keeps to show */
const MAX_OUTPUT = 1 << 22;

/** A program that cannot be used: it is not there, or does not end. */
class ToolFailure extends Error {}
class Stopped extends Error {}

const FILES: LitFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  write: (path, text, appends) => (appends ? appendFileSync : writeFileSync)(path, text),
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
};

/** `limits` for tests. */
export const ownTools = (limits: ToolLimits = LIMITS): ToolAccess => ({
  runTest: async (uri, text, tools, token) => {
    const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-run-'));
    try {
      return await runTest(uri, text, tools, folder, limits, token);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      return null;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  doubt: async (path) => {
    try {
      const { stdout } = await runProgram(path, ['--version'], '', tmpdir(), { ...limits, ms: 10_000 }, null);
      const version = /LLVM version (\S+)/.exec(stdout)?.[1];
      if (version === undefined) return `${path} does not say which LLVM it is of`;
      return version === MODELLED_LLVM ? '' : `${path} is of LLVM ${version}, amdgpu-mir models ${MODELLED_LLVM}`;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      return error.message;
    }
  },
});

async function runTest(
  uri: string,
  text: string,
  tools: ToolPaths,
  folder: string,
  limits: ToolLimits,
  token: Token,
): Promise<TestVerdict> {
  const real = uri.startsWith('file:') ? fileURLToPath(uri) : join(folder, 'test.mir');
  const file = join(folder, basename(real));
  writeFileSync(file, text);
  const temporary = join(folder, 'Output', `${basename(real)}.tmp`);
  mkdirSync(dirname(temporary));
  const places = { file, folder: dirname(real), temporary, temporaryFolder: dirname(temporary) };
  const script = readLitScript(text, places, LIT_FEATURES);
  const { isExpectedToFail } = script;
  const problem = script.unsupported ?? script.unresolved ?? '';
  const runs: RunVerdict[] = [];
  if (problem === '')
    for (const run of script.runs) runs.push(await new ToolRun(run, file, tools, folder, limits, token).verdict());
  return { runs, problem, isExpectedToFail, outdated: [] };
}

class ToolRun {
  private findings: readonly CheckFinding[] = [];
  private checks: readonly CheckLine[] = [];
  private output: string | null = null;

  constructor(
    private readonly run: LitRun,
    private readonly file: string,
    private readonly tools: ToolPaths,
    private readonly folder: string,
    private readonly limits: ToolLimits,
    private readonly token: Token,
  ) {}

  /** Throws Stopped. */
  async verdict(): Promise<RunVerdict> {
    const line = this.run.line - 1;
    try {
      const steps = runLitLine(this.run, FILES);
      let step = steps.next();
      while (step.done !== true) step = steps.next(await this.call(step.value));
      const { exit, complaint } = step.value;
      const { findings, checks } = this;
      const output = this.output !== null && this.output.length <= MAX_OUTPUT ? this.output : null;
      if (exit === 0) return { line, verdict: 'passed', detail: '', findings: [], checks, output };
      const detail = findings[0]?.message ?? (complaint.trim() || `ends with exit code ${exit}`);
      return { line, verdict: 'failed', detail, findings, checks, output };
    } catch (error) {
      const isKnown = error instanceof Unsupported || error instanceof ToolFailure;
      if (!isKnown) throw error;
      return { line, verdict: 'unsupported', detail: error.message, findings: [], checks: [], output: null };
    }
  }

  private async call({ program, args, stdin }: LitCall): Promise<Outcome> {
    const { llc, fileCheck } = this.tools;
    if (program === 'llc') {
      const outcome = await this.start(llc, args, stdin);
      this.output = outcome.stdout;
      return outcome;
    }
    // Ours knows of each line where it matches; the user's has the last word.
    const own = fileCheckOutcome(args, stdin, (path) => FILES.read(path), this.file);
    this.checks = [...this.checks, ...own.checks];
    this.output = own.input ?? this.output;
    if (fileCheck === '') {
      this.findings = [...this.findings, ...own.findings];
      return own.outcome;
    }
    const outcome = await this.start(fileCheck, args, stdin);
    const found = outcome.exit === own.outcome.exit ? own.findings : findingsOf(outcome.stderr, this.file);
    this.findings = [...this.findings, ...found];
    return outcome;
  }

  private start(path: string, args: readonly string[], stdin: string): Promise<Outcome> {
    return runProgram(path, args, stdin, this.folder, this.limits, this.token);
  }
}

/** `FILE:9:16: error: CHECK-NEXT: ...` */
function findingsOf(stderr: string, file: string): CheckFinding[] {
  return [...stderr.matchAll(/^(.*):(\d+):\d+: error: (.*)$/gm)]
    .filter(([, path]) => path === file)
    .map(([, , line, message]) => ({ line: Number(line) - 1, message: message! }));
}

/** Rejects with ToolFailure and Stopped. */
function runProgram(
  path: string,
  args: readonly string[],
  stdin: string,
  folder: string,
  { ms, bytes }: ToolLimits,
  token: Token | null,
): Promise<Outcome> {
  if (token?.isCancellationRequested) return Promise.reject(new Stopped());
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { cwd: folder, shell: false, stdio: 'pipe', windowsHide: true });
    let failure: Error | null = null;
    const end = (error: Error): void => {
      failure ??= error;
      child.kill('SIGKILL');
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
    const settle = (): void => {
      clearTimeout(timer);
      listener?.dispose();
    };
    child.on('error', (error) => {
      settle();
      reject(failure ?? new ToolFailure(`${path} cannot be run: ${systemMessage(error)}`));
    });
    child.on('close', (code, signal) => {
      settle();
      if (failure) reject(failure);
      else {
        const exit = code ?? EXIT_SIGNAL + 1;
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
