/** One test of `amdgpu-mir test`, and the worker that runs one after the other. */
import { mkdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { Unsupported } from '../program/litRunner.js';
import { LIT_FEATURES, readLitScript } from '../program/testFile/script.js';
import { engineLimit } from '../util/engineLimit.js';
import { processIO } from './processIO.js';
import { runLitTest, type RunnerOptions } from './testRunner.js';
import type { TestOutcome } from './testResult.js';
import { serveJobs } from './workerPool.js';

export interface TestJob {
  readonly path: string;
  /** for what it writes; made when it is needed */
  readonly folder: string;
  readonly options: RunnerOptions;
}

/** Larger files are no tests. */
const MAX_TEST_BYTES = 1 << 26;

export function runTest(job: TestJob, io: CommandIO): TestOutcome {
  const begin = process.hrtime.bigint();
  const outcome = outcomeOf(job, io);
  return { ...outcome, seconds: Number(process.hrtime.bigint() - begin) / 1e9 };
}

export function runTestWorker(): void {
  const io = processIO();
  serveJobs((job: TestJob) => runTest(job, io));
}

function outcomeOf({ path, folder, options }: TestJob, io: CommandIO): Omit<TestOutcome, 'seconds'> {
  const file = resolve(path);
  try {
    const temporary = join(folder, `${basename(file)}.tmp`);
    const places = { file, folder: dirname(file), temporary };
    const text = io.read(file, MAX_TEST_BYTES);
    const script = readLitScript(text, places, LIT_FEATURES);
    if (script.unsupported !== null) return { kind: 'unsupported', output: script.unsupported };
    if (script.unresolved !== null) return { kind: 'unresolved', output: script.unresolved };
    mkdirSync(folder, { recursive: true });
    const { exit, report } = runLitTest(script.runs, text, folder, options);
    const output = `Exit Code: ${exit}\n\nCommand Output (stdout):\n--\n${report}\n--\n`;
    if (exit === 0) return { kind: script.isExpectedToFail ? 'xpass' : 'pass', output };
    return { kind: script.isExpectedToFail ? 'xfail' : 'fail', output };
  } catch (error) {
    if (error instanceof Unsupported) return { kind: 'unsupported', output: error.message };
    const limit = engineLimit(error);
    if (limit !== null) return { kind: 'unsupported', output: limit };
    if (error instanceof InputError) return { kind: 'unresolved', output: error.message };
    throw error;
  }
}
