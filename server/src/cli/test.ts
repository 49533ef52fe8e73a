/** `amdgpu-mir test`: runs tests by their RUN lines, on all cores, and reports in lit's words, with lit's exit codes. */
import { AUTO_MODEL, isModelChoice, MODEL_CHOICES } from '../passes/scheduler/schedulerModel.js';
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative } from 'node:path';
import { resolveProgram } from '../disk/userPrograms.js';
import { asksForHelp, helpOf } from './help.js';
import { OutputError, StreamError, systemMessage, type CommandIO } from '../program/commandIO.js';
import { runTest, type TestJob } from './runTest.js';
import { sarifReport, xunitReport } from './testReports.js';
import { ResultKind, type TestFile, type TestOutcome, type TestResult } from './testResult.js';
import type { RunnerOptions } from './testRunner.js';
import { oneLine } from '../text/visible.js';
import { makeTemporaryFolder } from '../disk/temporaryFolder.js';
import { doubtOfLlc } from './userProgram.js';
import { TEST_WORKER } from './workerCommands.js';
import { runInWorkers } from './workerPool.js';

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const SUITE = 'amdgpu-mir';
const SUFFIX = '.mir';
/** folders with parts of tests */
const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set(['Inputs', 'Output']);
const MAX_WORKERS = 64;
const STARS = '*'.repeat(20);

interface Options {
  readonly paths: readonly string[];
  readonly runner: RunnerOptions;
  readonly isVerbose: boolean;
  /** why tests are unsupported */
  readonly tellsWhyNot: boolean;
  /** file for a report that CI servers read */
  readonly xml: string | null;
  /** file for a report that code review tools read */
  readonly sarif: string | null;
  /** threads */
  readonly nWorkers: number;
  readonly nShards: number;
  /** from 1 */
  readonly shard: number;
}

/** The exit code. `program`: what worker threads run; absent = everything runs in this one. Rejects only for bugs of ours. */
export async function runTests(args: readonly string[], io: CommandIO, program?: string): Promise<number> {
  if (asksForHelp(args)) {
    io.stdout(helpOf('test'));
    return EXIT_OK;
  }
  const options = readOptions(args);
  if (typeof options === 'string') {
    io.stderr(`amdgpu-mir test: ${options}; see 'amdgpu-mir help test'\n`);
    return EXIT_USAGE;
  }
  const { llc } = options.runner;
  const { told, isUsable } = llc === null ? { told: '', isUsable: true } : doubtOfLlc(llc);
  if (!isUsable) {
    io.stderr(`amdgpu-mir test: ${told}\n`);
    return EXIT_USAGE;
  }
  if (told !== '') io.stderr(`lit: warning: ${told}\n`);
  const all = options.paths.flatMap((path) => discover(path, io));
  if (all.length === 0) {
    io.stderr('error: did not discover any tests for provided path(s)\n');
    return EXIT_USAGE;
  }
  const { nShards, shard } = options;
  const chosen = all.filter((_, k) => k % nShards === shard - 1);
  if (nShards > 1) {
    const numbers = all.flatMap((_, k) => (k % nShards === shard - 1 ? [k + 1] : []));
    io.stderr(
      `lit: note: Selecting shard ${shard}/${nShards} = size ${chosen.length}/${all.length} = tests #(${nShards}*k)+${shard} = [${numbers.join(', ')}]\n`,
    );
  }
  const of = chosen.length === all.length ? '' : ` of ${all.length}`;
  const nWorkers = program === undefined ? 1 : Math.max(1, Math.min(options.nWorkers, chosen.length));
  io.stdout(`-- Testing: ${chosen.length}${of} tests, ${nWorkers} workers --\n`);
  const start = process.hrtime.bigint();
  const results = await runAll(chosen, options, nWorkers, io, program);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  io.stdout(summary(results, all.length, seconds));
  const { xml, sarif } = options;
  if (xml !== null && !writeFile(xml, xunitReport(results, seconds), io)) return EXIT_FAILED;
  if (sarif !== null && !writeFile(sarif, sarifReport(results), io)) return EXIT_FAILED;
  return results.some((result) => result.kind.isFailure) ? EXIT_FAILED : EXIT_OK;
}

/** Results in the order of the tests; each is told when it is there. */
async function runAll(
  tests: readonly TestFile[],
  { runner, isVerbose, tellsWhyNot }: Options,
  nWorkers: number,
  io: CommandIO,
  program: string | undefined,
): Promise<TestResult[]> {
  const folder = makeTemporaryFolder('amdgpu-mir-test-');
  const jobs = tests.map(({ path }, k): TestJob => ({ path, folder: join(folder.path, String(k)), options: runner }));
  const results: TestResult[] = [];
  let nDone = 0;
  const take = (k: number, { kind, output, seconds }: TestOutcome): void => {
    const result = { test: tests[k]!, kind: ResultKind[kind], output, seconds };
    results[k] = result;
    io.stdout(`${result.kind.name}: ${SUITE} :: ${result.test.name} (${++nDone} of ${tests.length})\n`);
    if (isVerbose && result.kind.isFailure) io.stdout(failureText(result));
    if (tellsWhyNot && result.kind === ResultKind.unsupported && output !== '') io.stdout(`  ${oneLine(output)}\n`);
  };
  try {
    if (program === undefined || nWorkers === 1) for (const [k, job] of jobs.entries()) take(k, runTest(job, io));
    else await runInWorkers(jobs, { program, command: TEST_WORKER, size: nWorkers, failed }, take);
  } finally {
    folder.remove();
  }
  return results;
}

/** What a test comes to whose worker died. */
const failed = (_: TestJob, error: unknown): TestOutcome => ({
  kind: 'unresolved',
  output: `internal error: ${error instanceof Error ? error.message : String(error)}`,
  seconds: 0,
});

function readOptions(args: readonly string[]): Options | string {
  const paths: string[] = [];
  const values = new Map<string, string>();
  let isVerbose = false;
  let tellsWhyNot = false;
  let writesAnywhere = false;
  for (let k = 0; k < args.length; k++) {
    const arg = args[k]!;
    const [name = '', given] = arg.split(/=(.*)/s);
    if (!arg.startsWith('-')) paths.push(arg);
    else if (arg === '-v' || arg === '--verbose') isVerbose = true;
    else if (arg === '--show-unsupported') tellsWhyNot = true;
    else if (arg === '--write-anywhere') writesAnywhere = true;
    else if (/^-j\d+$/.test(arg)) values.set('--workers', arg.slice(2));
    else if (
      [
        '--llc',
        '--filecheck',
        '--num-shards',
        '--run-shard',
        '--xunit-xml-output',
        '--sarif',
        '--model',
        '-j',
        '--workers',
      ].includes(name)
    ) {
      const value = given ?? args[++k];
      if (value === undefined || value === '') return `${name} needs a value`;
      values.set(name === '-j' ? '--workers' : name, value);
    } else return `unknown argument '${arg}'`;
  }
  const number = (name: string, most: number, otherwise = 1): number => {
    const value = Number(values.get(name) ?? otherwise);
    return Number.isInteger(value) && value >= 1 && value <= most ? value : NaN;
  };
  const programOf = (name: string): string | null => {
    const given = values.get(name);
    return given === undefined ? null : resolveProgram(given);
  };
  const nShards = number('--num-shards', Number.MAX_SAFE_INTEGER);
  const shard = number('--run-shard', nShards);
  const nWorkers = number('--workers', MAX_WORKERS, Math.min(availableParallelism(), MAX_WORKERS));
  const model = values.get('--model') ?? AUTO_MODEL;
  if (!isModelChoice(model)) return `--model is one of ${MODEL_CHOICES.join(', ')}`;
  if (paths.length === 0) return 'no file or folder';
  if (values.has('--num-shards') !== values.has('--run-shard'))
    return '--num-shards and --run-shard must be used together';
  if (Number.isNaN(nShards) || Number.isNaN(shard)) return 'shards count from 1';
  if (Number.isNaN(nWorkers)) return `--workers needs a number, 1 to ${MAX_WORKERS}`;
  return {
    paths,
    runner: { llc: programOf('--llc'), fileCheck: programOf('--filecheck'), writesAnywhere, model },
    isVerbose,
    tellsWhyNot,
    xml: values.get('--xunit-xml-output') ?? null,
    sarif: values.get('--sarif') ?? null,
    nWorkers,
    nShards,
    shard,
  };
}

/** A file as it is, or the tests of a folder in the order of their names. */
function discover(path: string, io: CommandIO): TestFile[] {
  const found: TestFile[] = [];
  const search = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const inside = join(folder, entry.name);
      if (entry.isDirectory() && !EXCLUDED_FOLDERS.has(entry.name) && !entry.name.startsWith('.')) search(inside);
      else if (entry.isFile() && entry.name.endsWith(SUFFIX))
        found.push({ path: inside, name: relative(path, inside) });
    }
  };
  try {
    if (!statSync(path).isDirectory()) return [{ path, name: basename(path) }];
    search(path);
  } catch (error) {
    io.stderr(`lit: warning: ${path}: ${systemMessage(error)}\n`);
  }
  if (found.length === 0) io.stderr(`lit: warning: input '${path}' contained no tests\n`);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const failureText = ({ test, output }: TestResult): string =>
  `${STARS} TEST '${SUITE} :: ${test.name}' FAILED ${STARS}\n${output}\n${STARS}\n`;

function writeFile(path: string, text: string, io: CommandIO): boolean {
  try {
    io.openFile(path).write(text);
    return true;
  } catch (error) {
    if (!(error instanceof OutputError) && !(error instanceof StreamError)) throw error;
    io.stderr(`amdgpu-mir test: ${path}: ${error.message}\n`);
    return false;
  }
}

/** Names of what failed, and counts. */
function summary(results: readonly TestResult[], nAll: number, seconds: number): string {
  const failures = [ResultKind.unresolved, ResultKind.fail].flatMap((kind) => {
    const names = results.filter((r) => r.kind === kind).map((r) => `  ${SUITE} :: ${r.test.name}\n`);
    return names.length === 0 ? [] : [`${STARS}\n${kind.label} Tests (${names.length}):\n${names.join('')}\n`];
  });
  const counts = Object.values(ResultKind).flatMap((kind): [string, number][] => {
    const n = kind === ResultKind.excluded ? nAll - results.length : results.filter((r) => r.kind === kind).length;
    return n === 0 ? [] : [[kind.label, n]];
  });
  const labelWidth = Math.max(...counts.map(([label]) => label.length));
  const countWidth = Math.max(...counts.map(([, n]) => String(n).length));
  const rows = counts.map(([label, n]) => {
    const share = ((n / nAll) * 100).toFixed(2);
    return `  ${label.padEnd(labelWidth)}: ${String(n).padStart(countWidth)} (${share}%)\n`;
  });
  return `${failures.join('')}\nTesting Time: ${seconds.toFixed(2)}s\n\nTotal Discovered Tests: ${nAll}\n${rows.join('')}`;
}
