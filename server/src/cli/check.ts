/**
 * `amdgpu-mir check FILE...`: diagnostics and register pressure of every function, for people and (--json) for programs. Many files are
 * spread over all cores.
 */
import { Baseline, TOLERANCE_COLUMNS, type Gate } from './baseline.js';
import { checkFile, failedFile, INTERNAL_ERROR, skippedFile, UNREADABLE } from './checkFile.js';
import { findInputs, type CheckInput } from './checkInputs.js';
import { formatCheck, type CheckTableFormat } from './checkFormats.js';
import { CheckPool } from './checkPool.js';
import { printIgnored, withoutIgnored, type IgnoredFinding } from './checkIgnored.js';
import { fixFiles, printFixed } from './checkFix.js';
import { listOf, printBaseline, printCheckFile, printTotals } from './checkReport.js';
import { allDiagnostics, type CheckBaseline, type CheckFile, type CheckJob, type CheckOptions } from './checkTypes.js';
import { valueOf, type CommandOptions } from './commandOptions.js';
import { EXIT_USAGE, isTerminal, runCommandLater, type Invocation } from './commandRun.js';
import { readJobs } from './jobsArgument.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { splitTriple } from '../program/llcOptions.js';
import { isStage, STAGES } from '../program/stageNames.js';
import { ProgressBar } from './progress.js';
import { parseTargetLists } from './targetArgument.js';
import { reportJson, type CheckReport } from './report.js';
import { onInterrupt, type Interrupt } from './interrupt.js';
import { watch } from './watch.js';
import { readTools } from './sourceFiles.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
import { visible } from '../text/visible.js';
import { AUTO_MODEL, isModelChoice, MODEL_CHOICES } from '../passes/scheduler/schedulerModel.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;
/** Starting workers costs more than reading that many files. */
const FILES_FOR_WORKERS = 8;
/** Far above any function that people look at; analysed, a file takes about a hundred times its size. */
const DEFAULT_MAX_BYTES = 256 << 20;

type Format = 'text' | 'json' | CheckTableFormat;

interface Settings extends CheckOptions {
  /** an earlier report to be no worse than; null = none */
  readonly baseline: string | null;
  /** by column of the outcome, how much worse it may become */
  readonly tolerance: ReadonlyMap<string, number>;
  readonly jobs: number;
  readonly inputs: readonly string[];
}

/**
 * Runs the command; its exit code: 1 when a file has errors, 2 when one cannot be read, or there was none. Threads of `program` share many files;
 * without it, this thread does all.
 */
export const runCheck = (
  args: readonly string[],
  io: CommandIO,
  program?: string,
  interrupt: Interrupt = onInterrupt,
): Promise<number> =>
  runCommandLater<Format>('check', args, io, (call, own) => {
    if (!call.flags.has('watch')) return checkFiles(call, own, program);
    if (call.values.has('o')) return Promise.resolve(call.refuse('--watch cannot be combined with -o'));
    if (call.inputs.includes('-')) return Promise.resolve(call.refuse('--watch needs files, not standard input'));
    return watch(call.inputs, own, interrupt, () => checkFiles(call, own, program));
  });

async function checkFiles(call: Invocation<Format>, io: CommandIO, program: string | undefined): Promise<number> {
  const { format, palette, refuse } = call;
  const settings = readSettings(call);
  if (typeof settings === 'string') return refuse(settings);
  const { inputs, baseline: baselineFile, tolerance, ...options } = settings;
  const isText = format === 'text';
  const gate = { isAllocated: options.allocate, tolerance };
  const baseline = baselineFile === null ? null : baselineOf(baselineFile, gate, io);
  if (typeof baseline === 'string') return refuse(`${visible(baselineFile ?? '')}: ${baseline}`);
  const found = findInputs(inputs, settings.maxBytes);
  const fixed = call.flags.has('fix') ? await fixFiles(found.filter(isToCheck), settings, io) : null;
  baseline?.expect(found.map(({ file }) => file));
  const jobs = found.filter(isToCheck).map(({ file }): CheckJob => ({ file, options }));

  const { columns } = io;
  const bar = new ProgressBar(jobs.length, isTerminal(process.stderr) && jobs.length >= FILES_FOR_WORKERS);
  const results: CheckFile[] = [];
  const ignored: IgnoredFinding[] = [];
  let nextInput = 0;
  let functions = 0;
  let errors = 0;
  let warnings = 0;
  let skipped = 0;
  let unanswered = 0;
  const count = (result: CheckFile): void => {
    functions += result.functions.length;
    if (result.skipped !== '') skipped++;
    if (result.diagnostics.some(({ code }) => code === UNREADABLE || code === INTERNAL_ERROR)) unanswered++;
    for (const { diagnostic } of allDiagnostics(result)) {
      if (diagnostic.severity === 'error') errors++;
      else if (diagnostic.severity === 'warning') warnings++;
    }
    if (!isText) results.push(result);
  };
  /** Files that need no check, up to the next one that does. */
  const reportOthers = (): void => {
    for (; nextInput < found.length && !isToCheck(found[nextInput]!); nextInput++) {
      const { file, problem, skipped } = found[nextInput]!;
      const result = problem === '' ? skippedFile(file, skipped) : failedFile(file, UNREADABLE, problem);
      count(result);
      if (problem !== '') io.stderr(`amdgpu-mir check: ${visible(file || "''")}: ${problem}\n`);
      else if (isText) io.stdout(printCheckFile(result, palette));
    }
  };
  const take = (checked: CheckFile): void => {
    const found = baseline?.compare(checked) ?? [];
    const compared = found.length === 0 ? checked : { ...checked, diagnostics: [...checked.diagnostics, ...found] };
    const result = call.config === null ? compared : withoutIgnored(compared, call.config, ignored);
    bar.hide();
    reportOthers();
    count(result);
    if (isText) io.stdout(printCheckFile(result, palette, columns));
    nextInput++;
    bar.step();
  };

  if (program === undefined || jobs.length < FILES_FOR_WORKERS || settings.jobs === 1) {
    for (const job of jobs) {
      take(checkFile(job, io));
      io.checkpoint?.();
    }
  } else await new CheckPool(program, Math.min(settings.jobs, jobs.length)).run(jobs, take);
  bar.end();
  reportOthers();

  const compared = baseline?.result() ?? null;
  const problem =
    found.length === 0
      ? `no .mir files in ${inputs.map((i) => `'${i}'`).join(', ')}`
      : compared?.compared === 0
        ? whyNothingCompared(compared, gate.isAllocated)
        : settings.functionName !== null && functions === 0 && unanswered === 0
          ? `there is no function '${visible(settings.functionName)}'`
          : '';
  if (problem !== '') io.stderr(`amdgpu-mir check: ${problem}\n`);
  const repaired = { ...(fixed === null ? {} : { fixed: fixed.files }), ...(ignored.length === 0 ? {} : { ignored }) };
  const totals = { functions, errors, warnings, skipped };
  const withBaseline = compared === null ? {} : { baseline: compared };
  const ending =
    printTotals(totals, palette) +
    (fixed === null ? '' : printFixed(fixed)) +
    (ignored.length === 0 ? '' : printIgnored(ignored, call.config!.path)) +
    (compared === null ? '' : printBaseline(compared));
  if (isText) io.stdout(ending);
  else if (format === 'json') {
    const files = results.map(({ excerpts: _, ...file }) => file);
    const llvm = results.flatMap((file) => [file.llvm, ...file.otherTargets.map((other) => other.llvm)]);
    io.stdout(reportJson<CheckReport>('check', llvm, { files, ...totals, ...withBaseline, ...repaired, problem }));
  } else io.stdout(formatCheck(results, format, ending));
  if (problem !== '' || unanswered > 0 || fixed?.hasFailed === true) return EXIT_USAGE;
  return errors === 0 ? EXIT_OK : EXIT_ERRORS;
}

/** That nothing is worse would be no finding. */
function whyNothingCompared({ fresh, gone }: CheckBaseline, isAllocated: boolean): string {
  const none = isAllocated ? 'no function was allocated' : 'of no function is known what llc ends with';
  const has = `the baseline has ${listOf(gone)}`;
  return `nothing to compare with the baseline: ${fresh.length === 0 ? none : listOf(fresh)}; ${has}`;
}

/** A message when it cannot be read. */
function baselineOf(file: string, gate: Gate, io: CommandIO): Baseline | string {
  try {
    return Baseline.read(io.read(file), gate);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message;
  }
}

const isToCheck = ({ problem, skipped }: CheckInput): boolean => problem === '' && skipped === '';

/** A message when the arguments are wrong. */
function readSettings(given: CommandOptions): Settings | string {
  const { flags, values, inputs } = given;
  const value = (name: string): string | undefined => valueOf(given, name);
  const jobs = readJobs(given);
  if (typeof jobs === 'string') return jobs;
  const models = [...new Set((value('model') ?? AUTO_MODEL).split(','))];
  if (!models.every(isModelChoice)) return `--model must be one of ${MODEL_CHOICES.join(', ')}, or several with commas`;
  const maxBytes = bytesOf(value('max-size'));
  if (maxBytes === null) return '--max-size must be a number of bytes, such as 500000, 64M or 1G';
  const triple = value('mtriple') || DEFAULT_SETTINGS.target.triple;
  const targets = parseTargetLists(values.get('target') ?? [], triple);
  if (typeof targets === 'string') return targets;
  if (flags.has('final') && flags.has('as-written'))
    return '--final counts what llc ends with, which --as-written leaves out';
  const isQuick = flags.has('as-written') && !flags.has('allocate');
  if (values.has('baseline') && isQuick) return '--baseline compares what llc ends with, which --as-written leaves out';
  if (values.has('tolerance') && !values.has('baseline')) return '--tolerance needs --baseline';
  if (values.has('tolerance') && flags.has('allocate'))
    return '--tolerance applies to what llc ends with and cannot be combined with --allocate';
  const tolerance = toleranceOf(values.get('tolerance') ?? []);
  if (typeof tolerance === 'string') return tolerance;
  if (values.has('baseline') && models.length > 1) return '--baseline takes one --model';
  if (inputs.length === 0) return "no files; see 'amdgpu-mir check --help'";
  const region = value('region') === undefined ? null : Number(value('region') || NaN);
  if (region !== null && (!Number.isInteger(region) || region < 0))
    return '--region must be the number of a region, counted from 0';
  if (region !== null && !flags.has('schedule')) return '--region needs --schedule';
  const stage = value('stage') ?? null;
  if (stage !== null && !isStage(stage)) return `--stage must be one of ${STAGES.join(', ')}`;
  const split = splitTriple(triple);
  const features = (values.get('mattr') ?? []).filter((list) => list !== '').join(',');
  const target = { triple: value('mtriple') ? split.triple : '', cpu: value('mcpu') || split.cpu, features };
  return {
    tools: readTools(given, targets.length > 0 ? targets : [target]),
    functionName: value('function') ?? null,
    region,
    schedule: flags.has('schedule'),
    allocate: flags.has('allocate'),
    findings: flags.has('findings'),
    asWritten: flags.has('as-written') && !flags.has('outcome'),
    final: flags.has('final'),
    stage,
    baseline: value('baseline') ?? null,
    tolerance,
    remat: flags.has('remat'),
    scalarize: flags.has('scalarize'),
    sourceLines: flags.has('source-lines'),
    allTargets: flags.has('all-targets'),
    targets,
    target,
    models,
    jobs,
    maxBytes,
    inputs,
  };
}

/** `waves=1,vgpr=8`; a message for what is none. */
function toleranceOf(lists: readonly string[]): ReadonlyMap<string, number> | string {
  const tolerance = new Map<string, number>();
  for (const word of lists
    .join(',')
    .split(',')
    .filter((text) => text !== '')) {
    const [, column = '', number] = /^(\w+)=(\d{1,9})$/.exec(word) ?? [];
    if (number === undefined || !TOLERANCE_COLUMNS.includes(column))
      return `--tolerance=COLUMN=N[,...] has a number for some of ${TOLERANCE_COLUMNS.join(', ')}`;
    tolerance.set(column, Number(number));
  }
  return tolerance;
}

const UNITS = ['', 'K', 'M', 'G'];

/** `64M` in bytes, null for what is no size. */
function bytesOf(text: string | undefined): number | null {
  if (text === undefined) return DEFAULT_MAX_BYTES;
  const [, number, unit = ''] = /^(\d{1,12})([KMG]?)$/i.exec(text) ?? [];
  return number === undefined ? null : Number(number) * 1024 ** UNITS.indexOf(unit.toUpperCase());
}
