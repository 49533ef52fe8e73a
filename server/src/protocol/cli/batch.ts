/**
 * `amdgpu-mir batch`: many runs of `llc` in one warm process. Reads one JSON object a line,
 * `{"args": [...], "stdout": PATH, "stderr": PATH}`, runs them in order and answers a line `{"exit": N, "ms": T}` each. A job that is not understood or
 * fails inside answers too (`"error"` says why); the process goes on.
 */
import { readSync, writeFileSync } from 'node:fs';
import { BufferedIO } from './bufferedIO.js';
import { EXIT_INTERNAL, runLlc } from './llc.js';
import { pause, processIO } from './processIO.js';

interface Job {
  readonly args: readonly string[];
  readonly stdout?: string;
  readonly stderr?: string;
}

export interface JobResult {
  readonly exit: number;
  readonly ms: number;
  readonly error?: string;
}

const STDIN = 0;
const CHUNK_BYTES = 65536;
const NEW_LINE = 10;

/**
 * Runs jobs from standard input until it ends. Reading blocks: there is nothing else to do, and the stream machinery would cost
 * every other command its loading time.
 */
export function runBatch(): void {
  const io = processIO();
  for (const line of stdinLines()) if (line.trim() !== '') io.stdout(`${JSON.stringify(runJob(line))}\n`);
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

/** Bytes read, 0 at the end. A terminal or pipe that is set to non-blocking is asked again. */
function readChunk(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(STDIN, chunk, 0, CHUNK_BYTES, null);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** One line of input. Never throws. */
export function runJob(line: string): JobResult {
  const start = process.hrtime.bigint();
  const elapsed = (): number => Number(process.hrtime.bigint() - start) / 1e6;
  try {
    const job = parseJob(line);
    const io = new BufferedIO();
    const exit = runLlc(job.args, io);
    if (job.stdout !== undefined) writeFileSync(job.stdout, io.out());
    if (job.stderr !== undefined) writeFileSync(job.stderr, io.err());
    return { exit, ms: elapsed() };
  } catch (error) {
    return { exit: EXIT_INTERNAL, ms: elapsed(), error: error instanceof Error ? error.message : String(error) };
  }
}

function parseJob(line: string): Job {
  const job = JSON.parse(line) as Partial<Job> | null;
  if (job === null || typeof job !== 'object' || !Array.isArray(job.args)) throw new Error('expected {"args": [...]}');
  if (!job.args.every((a) => typeof a === 'string')) throw new Error('"args" must be strings');
  for (const key of ['stdout', 'stderr'] as const) {
    if (job[key] !== undefined && typeof job[key] !== 'string') throw new Error(`"${key}" must be a path`);
  }
  return job as Job;
}
