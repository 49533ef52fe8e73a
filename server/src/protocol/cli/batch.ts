/**
 * `amdgpu-mir batch`: many runs of `llc` in one warm process. Reads one JSON object a line,
 * `{"args": [...], "stdout": PATH, "stderr": PATH}`, runs them in order and answers a line `{"exit": N, "ms": T}` each. A job that is not understood or
 * fails inside answers too (`"error"` says why); the process goes on.
 */
import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';
import { BufferedIO } from './bufferedIO.js';
import { EXIT_INTERNAL, runLlc } from './llc.js';
import { processIO } from './processIO.js';

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

/** Runs jobs from `input` until it ends. */
export function runBatch(input: NodeJS.ReadableStream): void {
  const io = processIO();
  const lines = createInterface({ input, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (line.trim() !== '') io.stdout(`${JSON.stringify(runJob(line))}\n`);
  });
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
