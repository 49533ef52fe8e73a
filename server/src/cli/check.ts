/**
 * `amdgpu-mir check FILE...`: diagnostics and register pressure of every function, for people and (--json) for programs. Many files are
 * spread over all cores.
 */
import { availableParallelism } from 'node:os';
import { Baseline, TOLERANCE_COLUMNS, type Gate } from './baseline.js';
import { checkFile, failedFile, skippedFile } from './checkFile.js';
import { findInputs, type CheckInput } from './checkInputs.js';
import { CheckPool } from './checkPool.js';
import { listOf, printBaseline, printCheckFile, printTotals } from './checkReport.js';
import { COLOURED, PLAIN } from './palette.js';
import { allDiagnostics, type CheckBaseline, type CheckFile, type CheckJob, type CheckOptions } from './checkTypes.js';
import { parseCommandOptions, type OptionKind } from './commandOptions.js';
import { asksForHelp, helpOf } from './help.js';
import { InputError, type CommandIO } from '../program/commandIO.js';
import { splitTriple } from '../program/llcOptions.js';
import { isStage, STAGES } from '../program/stageNames.js';
import { ProgressBar } from './progress.js';
import { parseTargets } from './targetArgument.js';
import { readTools, TOOL_OPTIONS } from './sourceFiles.js';
import { DEFAULT_SETTINGS } from '../program/settings.js';
import type { TargetOptions } from '../program/targetOfFile.js';
import { visible } from '../text/visible.js';
import { AUTO_MODEL, isModelChoice, MODEL_CHOICES } from '../passes/scheduler/schedulerModel.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;
const EXIT_USAGE = 2;
/** Starting workers costs more than reading that many files. */
const FILES_FOR_WORKERS = 8;
/** Each thread has its own copy of everything. */
const MAX_JOBS = 256;
/** Far above any function that people look at; analysed, a file takes about a hundred times its size. */
const DEFAULT_MAX_BYTES = 256 << 20;

interface Settings extends CheckOptions {
  readonly json: boolean;
  /** an earlier report to be no worse than; null = none */
  readonly baseline: string | null;
  /** by column of the outcome, how much worse it may become */
  readonly tolerance: ReadonlyMap<string, number>;
  readonly color: 'auto' | 'always' | 'never';
  readonly jobs: number;
  readonly inputs: readonly string[];
}

/**
 * Runs the command; its exit code: 1 when a file has errors or cannot be read, or there was none. Threads of `program` share many files;
 * without it, this thread does all.
 */
export async function runCheck(args: readonly string[], io: CommandIO, program?: string): Promise<number> {
  if (asksForHelp(args)) {
    io.stdout(helpOf('check'));
    return EXIT_OK;
  }
  const settings = parseSettings(args);
  if (typeof settings === 'string') {
    io.stderr(`amdgpu-mir check: ${settings}\n`);
    return EXIT_USAGE;
  }
  const { json, color, inputs, baseline: baselineFile, tolerance, ...options } = settings;
  const gate = { isAllocated: options.allocate, tolerance };
  const baseline = baselineFile === null ? null : baselineOf(baselineFile, gate, io);
  if (typeof baseline === 'string') {
    io.stderr(`amdgpu-mir check: ${visible(baselineFile ?? '')}: ${baseline}\n`);
    return EXIT_USAGE;
  }
  const found = findInputs(inputs, settings.maxBytes);
  baseline?.expect(found.map(({ file }) => file));
  const jobs = found.filter(isToCheck).map(({ file }): CheckJob => ({ file, options }));

  const hasColor = color === 'always' || (color === 'auto' && isTerminal(process.stdout));
  const palette = hasColor ? COLOURED : PLAIN;
  const { columns } = io;
  const bar = new ProgressBar(jobs.length, isTerminal(process.stderr) && jobs.length >= FILES_FOR_WORKERS);
  const results: CheckFile[] = [];
  let nextInput = 0;
  let functions = 0;
  let errors = 0;
  let warnings = 0;
  let skipped = 0;
  const count = (result: CheckFile): void => {
    functions += result.functions.length;
    if (result.skipped !== '') skipped++;
    for (const { diagnostic } of allDiagnostics(result)) {
      if (diagnostic.severity === 'error') errors++;
      else if (diagnostic.severity === 'warning') warnings++;
    }
    if (json) results.push(result);
  };
  /** Files that need no check, up to the next one that does. */
  const reportOthers = (): void => {
    for (; nextInput < found.length && !isToCheck(found[nextInput]!); nextInput++) {
      const { file, problem, skipped } = found[nextInput]!;
      const result = problem === '' ? skippedFile(file, skipped) : failedFile(file, 'unreadable', problem);
      count(result);
      if (problem !== '') io.stderr(`amdgpu-mir check: ${visible(file || "''")}: ${problem}\n`);
      else if (!json) io.stdout(printCheckFile(result, palette));
    }
  };
  const take = (checked: CheckFile): void => {
    const found = baseline?.compare(checked) ?? [];
    const result = found.length === 0 ? checked : { ...checked, diagnostics: [...checked.diagnostics, ...found] };
    bar.hide();
    reportOthers();
    count(result);
    if (!json) io.stdout(printCheckFile(result, palette, columns));
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
        : '';
  if (problem !== '') io.stderr(`amdgpu-mir check: ${problem}\n`);
  const totals = { functions, errors, warnings, skipped };
  const withBaseline = compared === null ? {} : { baseline: compared };
  if (json) io.stdout(`${JSON.stringify({ files: results, ...totals, ...withBaseline, problem }, null, 2)}\n`);
  else io.stdout(printTotals(totals, palette) + (compared === null ? '' : printBaseline(compared)));
  return errors === 0 && problem === '' ? EXIT_OK : EXIT_ERRORS;
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

const OPTIONS: Readonly<Record<string, OptionKind>> = {
  json: 'flag',
  schedule: 'flag',
  allocate: 'flag',
  findings: 'flag',
  // what is done unless --as-written is given
  outcome: 'flag',
  'as-written': 'flag',
  stage: 'value',
  baseline: 'value',
  tolerance: 'list',
  remat: 'flag',
  scalarize: 'flag',
  'source-lines': 'flag',
  'all-targets': 'flag',
  target: 'list',
  mtriple: 'value',
  mcpu: 'value',
  mattr: 'list',
  model: 'value',
  color: 'value',
  jobs: 'value',
  'max-size': 'value',
  ...TOOL_OPTIONS,
};

/** A message when the arguments are wrong. */
function parseSettings(args: readonly string[]): Settings | string {
  const parsed = parseCommandOptions(args, OPTIONS);
  if (typeof parsed === 'string') return parsed;
  const { flags, values, inputs } = parsed;
  const value = (name: string): string | undefined => values.get(name)?.[0];
  const color = value('color') ?? 'auto';
  if (color !== 'auto' && color !== 'always' && color !== 'never') return '--color is auto, always or never';
  const jobs = Number(value('jobs') ?? Math.min(availableParallelism(), MAX_JOBS));
  if (!Number.isInteger(jobs) || jobs < 1 || MAX_JOBS < jobs) return `--jobs needs a number, 1 to ${MAX_JOBS}`;
  const models = [...new Set((value('model') ?? AUTO_MODEL).split(','))];
  if (!models.every(isModelChoice)) return `--model is one of ${MODEL_CHOICES.join(', ')}, or several with commas`;
  const maxBytes = bytesOf(value('max-size'));
  if (maxBytes === null) return '--max-size needs a number of bytes, such as 500000, 64M or 1G';
  const triple = value('mtriple') || DEFAULT_SETTINGS.target.triple;
  const targets: TargetOptions[] = [];
  for (const argument of values.get('target') ?? []) {
    const some = parseTargets(argument, triple);
    if (typeof some === 'string') return some;
    targets.push(...some);
  }
  const isQuick = flags.has('as-written') && !flags.has('allocate');
  if (values.has('baseline') && isQuick) return '--baseline compares what llc ends with, which --as-written leaves out';
  if (values.has('tolerance') && !values.has('baseline')) return '--tolerance goes with --baseline';
  if (values.has('tolerance') && flags.has('allocate'))
    return '--tolerance is of what llc ends with, and goes without --allocate';
  const tolerance = toleranceOf(values.get('tolerance') ?? []);
  if (typeof tolerance === 'string') return tolerance;
  if (values.has('baseline') && models.length > 1) return '--baseline goes with one --model';
  if (inputs.length === 0) return "no files; see 'amdgpu-mir check --help'";
  const stage = value('stage') ?? null;
  if (stage !== null && !isStage(stage)) return `--stage is one of ${STAGES.join(', ')}`;
  const split = splitTriple(triple);
  const features = (values.get('mattr') ?? []).filter((list) => list !== '').join(',');
  const target = { triple: value('mtriple') ? split.triple : '', cpu: value('mcpu') || split.cpu, features };
  return {
    tools: readTools(parsed, targets.length > 0 ? targets : [target]),
    json: flags.has('json'),
    schedule: flags.has('schedule'),
    allocate: flags.has('allocate'),
    findings: flags.has('findings'),
    asWritten: flags.has('as-written') && !flags.has('outcome'),
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
    color,
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

function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb';
}
