/** LLVM 24's llc (../shared/oracle24) as an oracle: many runs by one process; a test that needs it skips where it is not there. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMIT_MS, type LlcRun } from './llc.js';
import { sayAndSkip, SHARED } from './skip.js';

const PROGRAM = join(SHARED, 'oracle24', 'llc24');
const HOME = process.env['LLC24_HOME'] ?? join(tmpdir(), 'llc24');

/** The Python that has Triton. */
export const PYTHON24 = join(HOME, 'venv', 'bin', 'python');

/** Skips the running mocha test where LLVM 24 has not been made an llc: the library has 286 MB, and no machine needs it. */
export function needsLlc24(context: Mocha.Context): void {
  if (!existsSync(PROGRAM) || !existsSync(join(HOME, 'shim.so')))
    sayAndSkip(context, 'LLVM 24 (../shared/oracle24) is not built');
}

export interface Llc24Job {
  readonly text: string;
  /** everything but the input and `-o` */
  readonly args: readonly string[];
}

/** Its processors, as `-mcpu=help` lists them. */
export function processorsOf24(): string[] {
  const run = spawnSync(PROGRAM, ['-mcpu=help', '/dev/null'], { encoding: 'utf8', timeout: LIMIT_MS });
  const list = run.stderr.slice(0, run.stderr.indexOf('Available features'));
  return [...list.matchAll(/^ {2}(\S+) +- Select/gm)].map((m) => m[1]).filter((name) => !name.startsWith('generic'));
}

/** A file's name that is in no message: both programs say it as it was given. */
const nameOf = (folder: string, n: number): string => join(folder, `${n}.mir`);

/** What LLVM 24 answers to all of the jobs. */
export function runLlc24(jobs: readonly Llc24Job[]): LlcRun[] {
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-24-'));
  try {
    const lines = jobs.map(({ text, args }, n) => {
      const file = nameOf(folder, n);
      writeFileSync(file, text);
      const [stdout, stderr] = [`${file}.out`, `${file}.err`];
      return JSON.stringify({ args: [...args, '-o', '-', file], stdout, stderr, limitMs: LIMIT_MS });
    });
    const run = spawnSync('/bin/sh', ['-c', `ulimit -c 0 -v 8000000; exec "${PROGRAM}" --batch`], {
      input: `${lines.join('\n')}\n`,
      encoding: 'utf8',
      timeout: LIMIT_MS * (1 + jobs.length),
      maxBuffer: 1 << 28,
      env: { ...process.env, LLC24_HOME: HOME, LLVM_DISABLE_SYMBOLIZATION: '1' },
    });
    const exits = run.stdout.split('\n').filter((line) => line !== '');
    if (exits.length !== jobs.length)
      throw new Error(`llc24 answered ${exits.length} of ${jobs.length} jobs: ${run.stderr}`);
    return exits.map((line, n) => {
      const file = nameOf(folder, n);
      const { exit } = JSON.parse(line) as { readonly exit: number };
      const read = (end: string): string => readFileSync(file + end, 'utf8').replaceAll(file, '<stdin>');
      const stderr = read('.err');
      // llc ends with 1 where a diagnostic was an error; the library's door does not ask.
      const status = /^error: /m.test(stderr) ? 1 : exit;
      return { status, stdout: read('.out'), stderr };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
