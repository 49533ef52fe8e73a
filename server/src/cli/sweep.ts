/** `amdgpu-mir sweep`: what llc ends with under other options and attributes, a row for each function and setting. */
import type { CommandIO } from '../program/commandIO.js';
import {
  AS_IN_FILE,
  AS_IT_STANDS,
  settingText,
  Sweep,
  usualSettings,
  type SweepRow,
  type SweptCode,
  type SweepSetting,
} from '../program/sweep.js';
import { optionProblem, readVaried } from '../program/settingWords.js';
import { releaseOf } from '../target/index.js';
import { visible } from '../text/visible.js';
import type { CommandOptions } from './commandOptions.js';
import { runCommandLater, type Invocation } from './commandRun.js';
import { openSubjects, readSubject, type Subject, type SubjectSettings } from './fileSubject.js';
import { readJobs } from './jobsArgument.js';
import { onInterrupt, type Interrupt } from './interrupt.js';
import { ProgressBar } from './progress.js';
import { readTools, SourceIO, type CommandTools } from './sourceFiles.js';
import { nearAttribute } from './settingArgument.js';
import { functionLine } from './functionLine.js';
import { githubCommands, NOWHERE, sarifLog, type ReportedFinding } from './findingReports.js';
import { reportJson, type LabelledRow, type SweepReport } from './report.js';
import { csvTable, markdownTable, type Cell } from './tables.js';
import { CHARACTERS_FOR_WORKERS, failedRows, sweepRows, type SweepJob } from './sweepJob.js';
import { SWEEP_WORKER } from './workerCommands.js';
import { runInWorkers } from './workerPool.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

type Format = 'text' | 'json' | 'sarif' | 'github' | 'csv' | 'markdown';

interface Settings extends SubjectSettings {
  /** empty: what makes sense for the target */
  readonly settings: readonly SweepSetting[];
  readonly tools: CommandTools;
  /** each llc command of the RUN lines is swept, with its target and options */
  readonly isByRunLine: boolean;
  /** the final code is counted, too */
  readonly final: boolean;
  readonly jobs: number;
}

/** of a process that SIGINT ends, as a shell sees it */
const EXIT_INTERRUPTED = 130;

/**
 * The exit code: 1 when a function has no outcome even as the file stands. `program`: to run in threads; not given: there are none.
 */
export const runSweep = (
  args: readonly string[],
  io: CommandIO,
  program?: string,
  interrupt: Interrupt = onInterrupt,
): Promise<number> =>
  runCommandLater<Format>('sweep', args, io, (call, own) => sweepFile(call, own, program, interrupt));

async function sweepFile(
  call: Invocation<Format>,
  io: CommandIO,
  program: string | undefined,
  interrupt: Interrupt,
): Promise<number> {
  const { refuse, format } = call;
  const wanted = readSettings(call);
  if (typeof wanted === 'string') return refuse(wanted);
  const { final } = wanted;
  const sources = new SourceIO(io, wanted.tools);
  const opened = openSubjects(sources, wanted, wanted.isByRunLine);
  if (typeof opened === 'string') return refuse(opened);
  const { source, subjects } = opened;
  for (const [file, told] of sources.told) io.stderr(`amdgpu-mir sweep: ${visible(file)}: ${visible(told)}\n`);
  const jobs: SweepJob[] = [];
  const asked: Subject[] = [];
  for (const subject of subjects) {
    const { target, model, release } = subject;
    const option = wanted.settings.map(({ options }) => optionProblem(options, release)).find((text) => text !== '');
    if (option !== undefined) return refuse(option);
    const sweep = new Sweep(source, target, model);
    const settings = wanted.settings.length > 0 ? wanted.settings : usualSettings(target, release, sweep.hasModule);
    if (!sweep.hasModule && settings.some(({ attributes }) => Object.keys(attributes).length > 0))
      return refuse(`${visible(wanted.input)} has no embedded module, whose functions could have other attributes`);
    const attribute = settings.map(({ attributes }) => sweep.problemOf(attributes)).find((text) => text !== '');
    if (attribute !== undefined) return refuse(attribute);
    if (wanted.functionName !== null && !sweep.functionNames.includes(wanted.functionName))
      return refuse(`there is no function '${visible(wanted.functionName)}'`);
    for (const setting of [AS_IN_FILE, ...settings]) {
      jobs.push({ source, target, model, setting, final: wanted.final });
      asked.push(subject);
    }
  }
  const answers = await answersTo(jobs, { ...wanted, program }, io, interrupt);
  const rows = answers.flatMap((some, k): LabelledRow[] => {
    const { label, release } = asked[k]!;
    return some.map((row) => ({ target: label, llvm: releaseOf(release).version, ...row }));
  });
  const shown = rows.filter((row) => wanted.functionName === null || row.function === wanted.functionName);
  const left = answers.filter((some) => some.length === 0).length;
  const isPartial = left > 0;
  if (format === 'json') {
    const [{ label: target }] = subjects as readonly [Subject];
    const partial = isPartial ? { partial: true as const, settingsLeft: left } : {};
    const llvm = subjects.map(({ release }) => releaseOf(release).version);
    io.stdout(reportJson<SweepReport>('sweep', llvm, { file: wanted.input, target, ...partial, rows: shown }));
  } else if (format === 'csv')
    io.stdout(csvTable(columnsOf(subjects.length > 1, final), rowsOf(shown, subjects.length > 1, final)));
  else if (format === 'markdown') io.stdout(markdownTable(columnsOf(true, final), rowsOf(shown, true, final)));
  else if (format === 'sarif') io.stdout(sarifLog(failuresOf(wanted.input, source, shown)));
  else if (format === 'github') io.stdout(githubCommands(failuresOf(wanted.input, source, shown)));
  else
    for (const { label, release } of subjects)
      io.stdout(
        tablesOf(
          wanted.input,
          `${label}, LLVM ${releaseOf(release).version}`,
          shown.filter((row) => row.target === label),
          final,
        ),
      );
  if (isPartial) {
    io.stderr(`amdgpu-mir sweep: interrupted: ${left} of ${answers.length} settings were not computed\n`);
    return EXIT_INTERRUPTED;
  }
  return shown.some((row) => settingText(row) === AS_IT_STANDS && row.outcome === null) ? EXIT_ERRORS : EXIT_OK;
}

/** The rows of each job; none of those that the user did not wait for. */
async function answersTo(
  jobs: readonly SweepJob[],
  { program, jobs: size }: { readonly program: string | undefined; readonly jobs: number },
  io: CommandIO,
  interrupt: Interrupt,
): Promise<(readonly SweepRow[])[]> {
  const answers = new Array<readonly SweepRow[]>(jobs.length).fill([]);
  const bar = new ProgressBar(jobs.length, process.stderr.isTTY === true, (text) => io.stderr(text));
  let isStopped = false;
  let stopped: () => void = () => undefined;
  const stop = new Promise<void>((resolve) => (stopped = resolve));
  const listen = interrupt(() => {
    isStopped = true;
    stopped();
  });
  const take = (index: number, rows: readonly SweepRow[]): void => {
    if (isStopped) return;
    answers[index] = rows;
    bar.hide();
    bar.step();
  };
  try {
    const isWorth = jobs.length * (jobs[0]?.source.length ?? 0) > CHARACTERS_FOR_WORKERS;
    if (program !== undefined && isWorth && size > 1)
      await Promise.race([
        runInWorkers(jobs, { program, command: SWEEP_WORKER, size, failed: failedRows }, take),
        stop,
      ]);
    else
      for (const [k, job] of jobs.entries()) {
        take(k, sweepRows(job, io.checkpoint));
        // A signal is told between two turns of the loop.
        await new Promise((resolve) => setImmediate(resolve));
        if (isStopped) break;
      }
  } finally {
    bar.end();
    listen();
  }
  return answers;
}

const COLUMNS = [
  'waves',
  'VGPR',
  'AGPR',
  'SGPR',
  'spills+reloads (loop)',
  'A-V copies (loop)',
  'instructions',
  'length (model)',
  'scratch',
] as const;

/** With --final. */
const FINAL_COLUMNS = ['code bytes', 'waits', 'no-ops', 'delays', 'clauses'] as const;

const columns = (final: boolean): readonly string[] => (final ? [...COLUMNS, ...FINAL_COLUMNS] : COLUMNS);

function finalCells({ final }: Partial<SweptCode>): string[] {
  if (final === undefined) return [];
  if (final === null) return FINAL_COLUMNS.map(() => '-');
  return [final.codeBytes, final.waits, final.noOps, final.delays, final.clauses].map(String);
}

function cellsOf(row: SweepRow): string[] {
  if (row.outcome === null) return [];
  const { outcome, spills, bankCopies, instructions, modelLength } = row;
  const inLoops = (total: number, loop: number): string => (loop === 0 ? `${total}` : `${total} (${loop})`);
  const { vgprSaves, vgprRestores, sgprSaves, sgprRestores } = spills;
  return [
    `${outcome.waves ?? '-'}`,
    `${outcome.vgpr}`,
    `${outcome.agpr ?? '-'}`,
    `${outcome.sgpr}`,
    inLoops(vgprSaves + vgprRestores + sgprSaves + sgprRestores, spills.inLoops),
    inLoops(bankCopies.total, bankCopies.inLoops),
    `${instructions}`,
    `${modelLength}`,
    `${outcome.scratchBytes}`,
    ...finalCells(row),
  ];
}

/** A table for each function, the file as it is first. */
function tablesOf(file: string, target: string, rows: readonly SweepRow[], final: boolean): string {
  const titles = columns(final);
  let out = '';
  for (const name of new Set(rows.map((row) => row.function))) {
    const own = rows.filter((row) => row.function === name);
    const names = own.map((row) => visible(settingText(row)));
    const first = `${visible(file)}  ${visible(name)}  ${visible(target)}`;
    const width = Math.max(first.length, ...names.map((text) => text.length + 4));
    const line = (head: string, cells: readonly string[]): string =>
      `${head.padEnd(width)}${cells.map((cell, k) => `  ${cell.padStart(titles[k]!.length)}`).join('')}`.trimEnd();
    out += `${line(first, titles)}\n`;
    for (const [k, row] of own.entries())
      out +=
        row.outcome === null
          ? `    ${names[k]}: ${visible(row.failed)}\n`
          : `${line(`    ${names[k]}`, cellsOf(row))}\n`;
    for (const why of new Set(own.map(noFinalOf)))
      if (why !== '') out += `    final code: not known: ${visible(why)}\n`;
  }
  return out;
}

const noFinalOf = (row: SweepRow): string => (row.outcome === null ? '' : (row.noFinal ?? ''));

const columnsOf = (isByTarget: boolean, final: boolean): string[] => [
  ...(isByTarget ? ['target', 'llvm'] : []),
  ...['function', 'setting', ...columns(final), 'failed'],
  ...(final ? ['no final code'] : []),
];

const rowsOf = (rows: readonly LabelledRow[], isByTarget: boolean, final: boolean): Cell[][] =>
  rows.map((row) => {
    const first = [...(isByTarget ? [row.target, row.llvm] : []), row.function, settingText(row)];
    const why = final ? [noFinalOf(row) || null] : [];
    return row.outcome === null
      ? [...first, ...columns(final).map(() => null), row.failed, ...why]
      : [...first, ...cellsOf(row), null, ...why];
  });

/** Functions without an outcome: an error as the file stands, a note under a setting. */
const failuresOf = (file: string, source: string, rows: readonly LabelledRow[]): ReportedFinding[] =>
  rows.flatMap((row) => {
    if (row.outcome !== null) return [];
    const setting = settingText(row);
    const level = setting === AS_IT_STANDS ? 'error' : 'note';
    return [
      {
        ...{ file, ...NOWHERE, line: functionLine(source, row.function), level, rule: 'no-outcome' },
        ...{
          ruleText: 'what llc ends with is not known',
          message: `${row.function}, ${row.target}, ${setting}: ${row.failed}`,
        },
      },
    ];
  });

/** A message when the arguments are wrong. */
function readSettings(options: CommandOptions): Settings | string {
  const { flags, values } = options;
  const subject = readSubject(options, 'sweep');
  if (typeof subject === 'string') return subject;
  const jobs = readJobs(options);
  if (typeof jobs === 'string') return jobs;
  const varied = values.get('vary') ?? [];
  if (flags.has('product') && varied.length === 0) return '--product needs --vary';
  const settings = readVaried(varied, flags.has('product'), nearAttribute);
  if (typeof settings === 'string') return settings;
  return {
    settings,
    ...subject,
    isByRunLine: flags.has('each-run'),
    final: flags.has('final'),
    jobs,
    tools: readTools(options, subject.targets),
  };
}
