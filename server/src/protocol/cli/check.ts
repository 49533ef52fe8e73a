/**
 * `amdgpu-mir check FILE...`: diagnostics and register pressure of every function, for people and (--json) for programs. Many files are
 * spread over all cores.
 */
import { availableParallelism } from 'node:os';
import { checkFile } from './checkFile.js';
import { findInputs } from './checkInputs.js';
import { CheckPool } from './checkPool.js';
import { COLOURED, PLAIN, printCheckFile, printTotals } from './checkReport.js';
import type { CheckFile, CheckJob } from './checkTypes.js';
import type { CommandIO } from './io.js';
import { splitTriple } from './options.js';
import { ProgressBar } from './progress.js';
import { DEFAULT_SETTINGS } from '../../features/settings.js';
import {
  DEFAULT_MODEL,
  isSchedulerModel,
  SCHEDULER_MODELS,
  type SchedulerModel,
} from '../../scheduling/schedulerModel.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;
const EXIT_USAGE = 2;
/** Starting workers costs more than reading that many files. */
const FILES_FOR_WORKERS = 8;

interface Settings {
  readonly json: boolean;
  readonly schedule: boolean;
  readonly model: SchedulerModel;
  readonly remat: boolean;
  readonly color: 'auto' | 'always' | 'never';
  readonly jobs: number;
  readonly triple: string;
  readonly cpu: string;
  readonly features: string;
  readonly inputs: readonly string[];
}

/**
 * Runs the command; its exit code: 1 when a file has errors or cannot be read. Threads of `program` share many files; without it, this
 * thread does all.
 */
export async function runCheck(args: readonly string[], io: CommandIO, program?: string): Promise<number> {
  const settings = parseSettings(args);
  if (typeof settings === 'string') {
    io.stderr(`amdgpu-mir check: ${settings}\n`);
    return EXIT_USAGE;
  }
  const { files, problems } = findInputs(settings.inputs);
  for (const problem of problems) io.stderr(`amdgpu-mir check: ${problem}\n`);
  const target = { triple: settings.triple, cpu: settings.cpu, features: settings.features };
  const jobs: CheckJob[] = files.map((file) => ({
    file,
    options: { target, schedule: settings.schedule, remat: settings.remat, model: settings.model },
  }));

  const hasColor = settings.color === 'always' || (settings.color === 'auto' && isTerminal(process.stdout));
  const palette = hasColor ? COLOURED : PLAIN;
  const bar = new ProgressBar(jobs.length, isTerminal(process.stderr) && jobs.length >= FILES_FOR_WORKERS);
  const results: CheckFile[] = [];
  let functions = 0;
  let errors = problems.length;
  let warnings = 0;
  let skipped = 0;
  const take = (result: CheckFile): void => {
    functions += result.functions.length;
    if (result.skipped !== '') skipped++;
    for (const d of result.diagnostics) {
      if (d.severity === 'error') errors++;
      else if (d.severity === 'warning') warnings++;
    }
    bar.hide();
    if (settings.json) results.push(result);
    else io.stdout(printCheckFile(result, palette));
    bar.step();
  };

  if (program === undefined || jobs.length < FILES_FOR_WORKERS || settings.jobs === 1) {
    for (const job of jobs) {
      take(checkFile(job, io));
      io.checkpoint?.();
    }
  } else await new CheckPool(program, Math.min(settings.jobs, jobs.length)).run(jobs, take);
  bar.end();

  const totals = { functions, errors, warnings, skipped };
  if (settings.json) io.stdout(`${JSON.stringify({ files: results, ...totals }, null, 2)}\n`);
  else io.stdout(printTotals(totals, palette));
  return errors === 0 ? EXIT_OK : EXIT_ERRORS;
}

/** A message when the arguments are wrong. */
function parseSettings(args: readonly string[]): Settings | string {
  const inputs: string[] = [];
  let json = false;
  let schedule = false;
  let model: SchedulerModel = DEFAULT_MODEL;
  let remat = false;
  let color: Settings['color'] = 'auto';
  let jobs = availableParallelism();
  let triple = '';
  let cpu = '';
  let features = '';
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      inputs.push(...args.slice(i + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      inputs.push(arg);
      continue;
    }
    const [, name = '', glued] = /^--?([^=]*)(?:=([^]*))?$/.exec(arg) ?? [];
    if (name === 'json' && glued === undefined) {
      json = true;
      continue;
    }
    if (name === 'remat' && glued === undefined) {
      remat = true;
      continue;
    }
    if (name === 'schedule' && glued === undefined) {
      schedule = true;
      continue;
    }
    if (!['color', 'jobs', 'model', 'mtriple', 'mcpu', 'mattr'].includes(name)) return `unknown option '${arg}'`;
    const value = glued ?? args[++i];
    if (value === undefined) return `option '${arg}' needs a value`;
    if (name === 'color') {
      if (value !== 'auto' && value !== 'always' && value !== 'never') return `--color is auto, always or never`;
      color = value;
    } else if (name === 'jobs') {
      jobs = Number(value);
      if (!Number.isInteger(jobs) || jobs < 1) return `--jobs needs a number of at least 1`;
    } else if (name === 'model') {
      if (!isSchedulerModel(value)) return `--model is one of ${SCHEDULER_MODELS.join(', ')}`;
      model = value;
    } else if (name === 'mtriple') triple = value;
    else if (name === 'mcpu') cpu = value;
    else features = features === '' ? value : `${features},${value}`;
  }
  if (inputs.length === 0) return 'no files';
  const split = splitTriple(triple || DEFAULT_SETTINGS.target.triple);
  return { json, schedule, remat, model, color, jobs, triple: split.triple, cpu: cpu || split.cpu, features, inputs };
}

function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb';
}
