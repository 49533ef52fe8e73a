/** `amdgpu-mir test`: runs tests by their RUN lines, on all cores, and reports in lit's words, with lit's exit codes. */
import { AUTO_MODEL, isModelChoice, llvmsOfChoice, MODEL_CHOICES } from '../passes/scheduler/schedulerModel.js';
import { readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { resolveProgram } from '../disk/userPrograms.js';
import { valueOf, type CommandOptions } from './commandOptions.js';
import { EXIT_USAGE, runCommandLater, type Invocation } from './commandRun.js';
import { readJobs } from './jobsArgument.js';
import { OutputError, StreamError, systemMessage, type CommandIO } from '../program/commandIO.js';
import { runTest, type TestJob } from './runTest.js';
import { formatTests, sarifReport, xunitReport, type TestTableFormat } from './testReports.js';
import { ResultKind, type TestFile, type TestOutcome, type TestResult } from './testResult.js';
import type { RunnerOptions } from './testRunner.js';
import { oneLine } from '../text/visible.js';
import { makeTemporaryFolder } from '../disk/temporaryFolder.js';
import { doubtOfLlc, versionOfLlc } from './userProgram.js';
import { TEST_WORKER } from './workerCommands.js';
import { runInWorkers } from './workerPool.js';

const EXIT_OK = 0;
const EXIT_FAILED = 1;

const SUITE = 'amdgpu-mir';
const SUFFIX = '.mir';
/** folders with parts of tests */
const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set(['Inputs', 'Output']);
const STARS = '*'.repeat(20);

type Format = 'text' | TestTableFormat;

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
export const runTests = (args: readonly string[], io: CommandIO, program?: string): Promise<number> =>
  runCommandLater<Format>('test', args, io, (call, own) => testFiles(call, own, program));

async function testFiles(call: Invocation<Format>, io: CommandIO, program: string | undefined): Promise<number> {
  const { format } = call;
  const isText = format === 'text';
  const options = readOptions(call);
  if (typeof options === 'string') return call.refuse(`${options}; see 'amdgpu-mir help test'`);
  const { llc } = options.runner;
  const { told, isUsable } = llc === null ? { told: '', isUsable: true } : doubtOfLlc(llc);
  if (!isUsable) return call.refuse(told);
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
  if (isText) io.stdout(`-- Testing: ${chosen.length}${of} tests, ${nWorkers} workers --\n`);
  const start = process.hrtime.bigint();
  const results = await runAll(chosen, { ...options, isText }, nWorkers, io, program);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const totals = summary(results, all.length, seconds);
  const run = { results, discovered: all.length, seconds, llc: llc ?? '', llvm: llvmsOf(options.runner) };
  io.stdout(isText ? totals : formatTests(run, format, totals));
  if (isText) io.stderr(hints(results, options));
  const { xml, sarif } = options;
  if (xml !== null && !writeFile(xml, xunitReport(results, seconds), io)) return EXIT_FAILED;
  if (sarif !== null && !writeFile(sarif, sarifReport(results), io)) return EXIT_FAILED;
  return results.some((result) => result.kind.isFailure) ? EXIT_FAILED : EXIT_OK;
}

/** What was not printed, and how to see it. */
function hints(results: readonly TestResult[], { isVerbose, tellsWhyNot }: Options): string {
  const fails = results.some(({ kind }) => kind.isFailure);
  const isUnsupported = results.some(({ kind }) => kind === ResultKind.unsupported);
  return [
    ...(fails && !isVerbose ? ['amdgpu-mir test: -v prints why tests fail\n'] : []),
    ...(isUnsupported && !tellsWhyNot
      ? ['amdgpu-mir test: --show-unsupported prints why tests are unsupported\n']
      : []),
  ].join('');
}

/** Versions of the LLVM that the tests ran with; of `auto` those that it chooses from. */
function llvmsOf({ llc, model }: RunnerOptions): readonly string[] {
  if (llc !== null) {
    const found = versionOfLlc(llc);
    return 'version' in found ? [found.version] : [];
  }
  return llvmsOfChoice(model);
}

/** Results in the order of the tests; each is told when it is there. */
async function runAll(
  tests: readonly TestFile[],
  { runner, isVerbose, tellsWhyNot, isText }: Options & { readonly isText: boolean },
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
    nDone++;
    if (!isText) return;
    io.stdout(`${result.kind.name}: ${SUITE} :: ${result.test.name} (${nDone} of ${tests.length})\n`);
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

function readOptions(options: CommandOptions): Options | string {
  const { flags, values, inputs: paths } = options;
  const empty = [...values].find(([, all]) => all.includes(''))?.[0];
  if (empty !== undefined) return `--${empty} needs a value`;
  const number = (name: string, most: number): number => {
    const value = Number(valueOf(options, name) ?? 1);
    return Number.isInteger(value) && value >= 1 && value <= most ? value : NaN;
  };
  const programOf = (name: string): string | null => {
    const given = valueOf(options, name);
    return given === undefined ? null : resolveProgram(given);
  };
  const nShards = number('num-shards', Number.MAX_SAFE_INTEGER);
  const shard = number('run-shard', nShards);
  const nWorkers = readJobs(options);
  const model = valueOf(options, 'model') ?? AUTO_MODEL;
  if (!isModelChoice(model)) return `--model must be one of ${MODEL_CHOICES.join(', ')}`;
  if (paths.length === 0) return 'no file or folder';
  if (values.has('num-shards') !== values.has('run-shard')) return '--num-shards and --run-shard must be used together';
  if (Number.isNaN(nShards) || Number.isNaN(shard)) return 'shards count from 1';
  if (typeof nWorkers === 'string') return nWorkers;
  return {
    paths,
    runner: {
      llc: programOf('llc'),
      fileCheck: programOf('filecheck'),
      writesAnywhere: flags.has('write-anywhere'),
      model,
    },
    isVerbose: flags.has('v'),
    tellsWhyNot: flags.has('show-unsupported'),
    xml: valueOf(options, 'xunit-xml-output') ?? null,
    sarif: valueOf(options, 'sarif') ?? null,
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
