/** `amdgpu-mir test`: runs tests by their RUN lines and reports in lit's words, with lit's exit codes. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { LIT_FEATURES, readLitScript } from '../program/litScript.js';
import { asksForHelp, helpOf } from './help.js';
import { InputError, OutputError, StreamError, systemMessage, type CommandIO } from '../program/commandIO.js';
import { Unsupported } from '../program/litRunner.js';
import { runLitTest, type RunnerOptions } from './testRunner.js';

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const SUITE = 'amdgpu-mir';
const SUFFIX = '.mir';
/** folders with parts of tests */
const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set(['Inputs', 'Output']);
const STARS = '*'.repeat(20);

interface ResultCode {
  readonly name: string;
  readonly label: string;
  readonly isFailure: boolean;
  /** named again at the end, and told with -v */
  readonly isListed: boolean;
}

const code = (name: string, label: string, isFailure = false, isListed = isFailure): ResultCode => ({
  name,
  label,
  isFailure,
  isListed,
});

/** In lit's order of the summary. */
const CODES = {
  excluded: code('EXCLUDED', 'Excluded'),
  unsupported: code('UNSUPPORTED', 'Unsupported'),
  pass: code('PASS', 'Passed'),
  xfail: code('XFAIL', 'Expectedly Failed'),
  unresolved: code('UNRESOLVED', 'Unresolved', true),
  fail: code('FAIL', 'Failed', true),
  xpass: code('XPASS', 'Unexpectedly Passed', true, false),
} as const;

interface TestFile {
  readonly path: string;
  /** as lit names it: below the folder that was asked for */
  readonly name: string;
}

interface TestResult {
  readonly test: TestFile;
  readonly code: ResultCode;
  /** what its commands told, or why it was not run */
  readonly output: string;
  readonly seconds: number;
}

interface Options {
  readonly paths: readonly string[];
  readonly runner: RunnerOptions;
  readonly isVerbose: boolean;
  /** file for a report that CI servers read */
  readonly xml: string | null;
  readonly nShards: number;
  /** from 1 */
  readonly shard: number;
}

/** The exit code. Throws only for bugs of ours. */
export function runTests(args: readonly string[], io: CommandIO): number {
  if (asksForHelp(args)) {
    io.stdout(helpOf('test'));
    return EXIT_OK;
  }
  const options = readOptions(args);
  if (typeof options === 'string') {
    io.stderr(`amdgpu-mir test: ${options}; see 'amdgpu-mir help test'\n`);
    return EXIT_USAGE;
  }
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
  io.stdout(`-- Testing: ${chosen.length}${of} tests, 1 workers --\n`);
  const start = process.hrtime.bigint();
  const folder = mkdtempSync(join(tmpdir(), 'amdgpu-mir-test-'));
  let results: TestResult[];
  try {
    results = chosen.map((test, k) => {
      const begin = process.hrtime.bigint();
      const outcome = runTest(test, join(folder, String(k)), options.runner, io);
      const result = { test, ...outcome, seconds: secondsSince(begin) };
      io.stdout(`${result.code.name}: ${SUITE} :: ${test.name} (${k + 1} of ${chosen.length})\n`);
      if (options.isVerbose && result.code.isListed) io.stdout(failureText(result));
      return result;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = secondsSince(start);
  io.stdout(summary(results, all.length, seconds));
  if (options.xml !== null && !writeFile(options.xml, xunitReport(results, seconds), io)) return EXIT_FAILED;
  return results.some((result) => result.code.isFailure) ? EXIT_FAILED : EXIT_OK;
}

function readOptions(args: readonly string[]): Options | string {
  const paths: string[] = [];
  const values = new Map<string, string>();
  let isVerbose = false;
  for (let k = 0; k < args.length; k++) {
    const arg = args[k]!;
    const [name = '', given] = arg.split(/=(.*)/s);
    if (!arg.startsWith('-')) paths.push(arg);
    else if (arg === '-v' || arg === '--verbose') isVerbose = true;
    else if (['--llc', '--filecheck', '--num-shards', '--run-shard', '--xunit-xml-output'].includes(name)) {
      const value = given ?? args[++k];
      if (value === undefined || value === '') return `${name} needs a value`;
      values.set(name, value);
    } else return `unknown argument '${arg}'`;
  }
  const number = (name: string, most: number): number => {
    const value = Number(values.get(name) ?? 1);
    return Number.isInteger(value) && value >= 1 && value <= most ? value : NaN;
  };
  const nShards = number('--num-shards', Number.MAX_SAFE_INTEGER);
  const shard = number('--run-shard', nShards);
  if (paths.length === 0) return 'no file or folder';
  if (values.has('--num-shards') !== values.has('--run-shard'))
    return '--num-shards and --run-shard must be used together';
  if (Number.isNaN(nShards) || Number.isNaN(shard)) return 'shards count from 1';
  return {
    paths,
    runner: { llc: values.get('--llc') ?? null, fileCheck: values.get('--filecheck') ?? null },
    isVerbose,
    xml: values.get('--xunit-xml-output') ?? null,
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

type Outcome = Pick<TestResult, 'code' | 'output'>;

function runTest(test: TestFile, folder: string, options: RunnerOptions, io: CommandIO): Outcome {
  const file = resolve(test.path);
  try {
    const temporary = join(folder, `${basename(file)}.tmp`);
    const places = { file, folder: dirname(file), temporary, temporaryFolder: folder };
    const script = readLitScript(io.read(file), places, LIT_FEATURES);
    if (script.unsupported !== null) return { code: CODES.unsupported, output: script.unsupported };
    if (script.unresolved !== null) return { code: CODES.unresolved, output: script.unresolved };
    mkdirSync(folder, { recursive: true });
    const { exit, report } = runLitTest(script.runs, options);
    const output = `Exit Code: ${exit}\n\nCommand Output (stdout):\n--\n${report}\n--\n`;
    if (exit === 0) return { code: script.isExpectedToFail ? CODES.xpass : CODES.pass, output };
    return { code: script.isExpectedToFail ? CODES.xfail : CODES.fail, output };
  } catch (error) {
    if (error instanceof Unsupported) return { code: CODES.unsupported, output: error.message };
    if (error instanceof InputError) return { code: CODES.unresolved, output: error.message };
    throw error;
  }
}

const failureText = ({ test, output }: TestResult): string =>
  `${STARS} TEST '${SUITE} :: ${test.name}' FAILED ${STARS}\n${output}\n${STARS}\n`;

const secondsSince = (begin: bigint): number => Number(process.hrtime.bigint() - begin) / 1e9;

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

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
/** What XML has no way to write goes; the mark that ends such a section is cut in two. */
const section = (text: string): string =>
  `<![CDATA[${text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, '').replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** lit's report in the form of JUnit. */
function xunitReport(results: readonly TestResult[], seconds: number): string {
  const cases = results.map(({ test, code: kind, output, seconds: time }) => {
    const folder = dirname(test.name);
    const place = folder === '.' ? SUITE : folder.replaceAll('/', '.');
    const head = `<testcase classname="${escapeXml(`${SUITE}.${place}`)}" name="${escapeXml(basename(test.name))}" time="${time.toFixed(2)}"`;
    if (kind.isListed) return `${head}>\n  <failure>${section(output)}</failure>\n</testcase>\n`;
    if (kind === CODES.unsupported) return `${head}>\n  <skipped message="${escapeXml(output)}"/>\n</testcase>\n`;
    return `${head}/>\n`;
  });
  const count = (holds: (kind: ResultCode) => boolean): number => results.filter((r) => holds(r.code)).length;
  const counts = `tests="${results.length}" failures="${count((c) => c.isFailure)}" skipped="${count((c) => c === CODES.unsupported)}"`;
  const total = results.reduce((sum, r) => sum + r.seconds, 0).toFixed(2);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites time="${seconds.toFixed(2)}">\n<testsuite name="${SUITE}" ${counts} time="${total}">\n${cases.join('')}</testsuite>\n</testsuites>\n`;
}

/** Names of what failed, and counts. */
function summary(results: readonly TestResult[], nAll: number, seconds: number): string {
  const failures = [CODES.unresolved, CODES.fail].flatMap((kind) => {
    const names = results.filter((r) => r.code === kind).map((r) => `  ${SUITE} :: ${r.test.name}\n`);
    return names.length === 0 ? [] : [`${STARS}\n${kind.label} Tests (${names.length}):\n${names.join('')}\n`];
  });
  const counts = Object.values(CODES).flatMap((kind): [string, number][] => {
    const n = kind === CODES.excluded ? nAll - results.length : results.filter((r) => r.code === kind).length;
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
