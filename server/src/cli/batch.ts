/**
 * `amdgpu-mir batch`: many runs in one warm process. Reads one JSON object a line, runs them in order and answers a line
 * `{"exit": N, "ms": T}` each. A job that is not understood or fails inside answers too (`"error"` says why); the process goes on.
 *
 * `{"args": [...], "stdin": TEXT, "stdout": PATH, "stderr": PATH}` is a run of `llc`;
 * `{"command": "filecheck", "args": [...], "stdin": PATH, "env": {...}, "stdout": PATH, "stderr": PATH}` is one of FileCheck.
 */
import { BufferedIO } from './bufferedIO.js';
import { runFileCheckCommand } from './filecheck.js';
import { InputError, systemMessage } from '../program/commandIO.js';
import type { CommandIO } from '../program/commandIO.js';
import { runLlc } from './llc.js';
import { EXIT_INTERNAL } from './processEnd.js';
import { readInput, readSome } from './processIO.js';
import { openFile } from '../disk/wholeFile.js';

interface Job {
  readonly command?: 'llc' | 'filecheck';
  readonly args: readonly string[];
  /** what the job reads as `-`: a text for llc, the path of a file for filecheck */
  readonly stdin?: string;
  /** variables of the environment that differ from those of this process */
  readonly env?: Readonly<Record<string, string>>;
  /** files for what it writes */
  readonly stdout?: string;
  readonly stderr?: string;
}

export interface JobResult {
  readonly exit: number;
  readonly ms: number;
  readonly error?: string;
}

const EXIT_UNREADABLE = 2;
const EXIT_LOST_OUTPUT = 1;
const STDIN = 0;
const CHUNK_BYTES = 65536;
const NEW_LINE = 10;

/**
 * Runs jobs from standard input until it ends; the exit code. Reading blocks: there is nothing else to do, and the stream machinery would
 * cost every other command its loading time.
 */
export function runBatch(io: CommandIO): number {
  try {
    for (const line of stdinLines()) if (line.trim() !== '') io.stdout(`${JSON.stringify(runJob(line))}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    io.stderr(`amdgpu-mir batch: cannot read the jobs: ${error.message}\n`);
    return EXIT_UNREADABLE;
  }
}

/** Lines of standard input without their line breaks. */
function* stdinLines(): Generator<string> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let pending: Buffer[] = [];
  for (;;) {
    const n = readChunk(chunk);
    if (n === 0) break;
    let start = 0;
    for (let end = chunk.indexOf(NEW_LINE); end >= 0 && end < n; end = chunk.indexOf(NEW_LINE, start)) {
      pending.push(chunk.subarray(start, end));
      yield Buffer.concat(pending).toString('utf8');
      pending = [];
      start = end + 1;
    }
    if (start < n) pending.push(Buffer.from(chunk.subarray(start, n)));
  }
  if (pending.length !== 0) yield Buffer.concat(pending).toString('utf8');
}

function readChunk(chunk: Buffer): number {
  try {
    return readSome(STDIN, chunk);
  } catch (error) {
    throw new InputError(systemMessage(error));
  }
}

/** One line of input. Never throws. */
export function runJob(line: string): JobResult {
  const start = process.hrtime.bigint();
  const elapsed = (): number => Number(process.hrtime.bigint() - start) / 1e6;
  try {
    const job = parseJob(line);
    const io = new BufferedIO(() => stdinOf(job));
    const exit = runCommand(job, io);
    const lost = [writeResult(job.stdout, io.out()), writeResult(job.stderr, io.err())].filter((why) => why !== '');
    if (lost.length > 0) return { exit: exit || EXIT_LOST_OUTPUT, ms: elapsed(), error: lost.join('; ') };
    return { exit, ms: elapsed() };
  } catch (error) {
    return { exit: EXIT_INTERNAL, ms: elapsed(), error: error instanceof Error ? error.message : String(error) };
  }
}

function runCommand({ command, args, env }: Job, io: CommandIO): number {
  if (command === 'filecheck') return runFileCheckCommand(args, io, { ...process.env, ...env }['FILECHECK_OPTS']);
  return runLlc(args, io);
}

/** What a job reads as `-`: standard input itself holds the jobs after it. */
function stdinOf({ command, stdin }: Job): string {
  if (stdin === undefined) throw new InputError('standard input holds the jobs; give "stdin"');
  return command === 'filecheck' ? readInput(stdin) : stdin;
}

/** Why a result could not be written; empty when it could. */
function writeResult(path: string | undefined, text: string): string {
  if (path === undefined) return '';
  try {
    openFile(path).write(text);
    return '';
  } catch (error) {
    return `${path}: ${systemMessage(error)}`;
  }
}

function parseJob(line: string): Job {
  const job = JSON.parse(line) as Partial<Job> | null;
  if (job === null || typeof job !== 'object' || !Array.isArray(job.args)) throw new Error('expected {"args": [...]}');
  if (!job.args.every((a) => typeof a === 'string')) throw new Error('"args" must be strings');
  for (const key of ['stdin', 'stdout', 'stderr'] as const) {
    if (job[key] !== undefined && typeof job[key] !== 'string') throw new Error(`"${key}" must be a string`);
  }
  if (job.command !== undefined && job.command !== 'llc' && job.command !== 'filecheck')
    throw new Error('"command" must be "llc" or "filecheck"');
  const { env } = job;
  if (
    env !== undefined &&
    (typeof env !== 'object' || env === null || !Object.values(env).every((v) => typeof v === 'string'))
  )
    throw new Error('"env" must be an object of strings');
  return job as Job;
}
