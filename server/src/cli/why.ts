/** `amdgpu-mir why`: why llc ends with so few waves, and what would help. The report is data of program/why.ts; here it is put into words. */
import { textLevers } from '../features/levers/textLevers.js';
import type { CommandIO } from '../program/commandIO.js';
import { AS_IN_FILE, Sweep, usualSettings, type SweepRow } from '../program/sweep.js';
import { whyOf, type TextLever, type WhyQuestion, type WhyReport } from '../program/why.js';
import { whyReportText } from '../program/whyReportText.js';
import { releaseOf } from '../target/index.js';
import { visible } from '../text/visible.js';
import { NEVER_CANCELLED } from '../util/cancellation.js';
import { runCommandLater, type Invocation } from './commandRun.js';
import { snapshotOfFile } from './fileSnapshot.js';
import { openSubjects, readSubject, type Subject } from './fileSubject.js';
import { reportJson, type WhyFileReport } from './report.js';
import { readJobs } from './jobsArgument.js';
import { readTools, SourceIO } from './sourceFiles.js';
import { CHARACTERS_FOR_WORKERS, failedRows, type SweepJob } from './sweepJob.js';
import { SWEEP_WORKER } from './workerCommands.js';
import { WorkerTeam } from './workerPool.js';

const EXIT_OK = 0;
const EXIT_ERRORS = 1;

type Format = 'text' | 'json';

/** What is said of a function: the report, or why there is none. */
type Answer = WhyReport | { readonly function: string; readonly failed: string };

type Team = WorkerTeam<SweepJob, SweepRow[]>;

/** The exit code: 1 when a function has no outcome. `program`: to run in threads; not given: there are none. */
export const runWhy = (args: readonly string[], io: CommandIO, program?: string): Promise<number> =>
  runCommandLater<Format>('why', args, io, async (call, own) => {
    const size = readJobs(call);
    if (typeof size === 'string') return call.refuse(size);
    const team: Team | null =
      program === undefined || size === 1
        ? null
        : new WorkerTeam({ program, command: SWEEP_WORKER, size, failed: failedRows });
    try {
      return await why(call, own, team);
    } finally {
      await team?.end();
    }
  });

async function why(call: Invocation<Format>, io: CommandIO, team: Team | null): Promise<number> {
  const { refuse, format } = call;
  const wanted = readSubject(call, 'why');
  if (typeof wanted === 'string') return refuse(wanted);
  const sources = new SourceIO(io, readTools(call, wanted.targets));
  const opened = openSubjects(sources, wanted, false);
  if (typeof opened === 'string') return refuse(opened);
  const { source, subjects } = opened;
  for (const [file, told] of sources.told) io.stderr(`amdgpu-mir why: ${visible(file)}: ${visible(told)}\n`);
  const files: WhyFileReport['files'][number][] = [];
  let exit = EXIT_OK;
  for (const subject of subjects) {
    const { target, model, release, label } = subject;
    const sweep = new Sweep(source, target, model);
    const names = sweep.functionNames.filter((name) => wanted.functionName === null || name === wanted.functionName);
    if (names.length === 0)
      return refuse(
        wanted.functionName === null
          ? `${visible(wanted.input)} has no function`
          : `there is no function '${visible(wanted.functionName)}'`,
      );
    const levers = leversOf(source, subject);
    const answers: Answer[] = [];
    for (const functionName of names) {
      const checkpoint = (): void => io.checkpoint?.();
      const settings = usualSettings(target, release, sweep.hasModule);
      const question = { sweep, functionName, settings, checkpoint, texts: levers(functionName) };
      const rows = team === null ? undefined : await rowsIn(team, source, subject, question);
      const report = whyOf({ ...question, rows });
      const answer = typeof report === 'string' ? { function: functionName, failed: report } : report;
      answers.push(answer);
      if (typeof report === 'string') exit = EXIT_ERRORS;
      if (format === 'json') continue;
      io.stdout(
        'failed' in answer && typeof answer.failed === 'string'
          ? `${visible(functionName)}, ${visible(label)}: no outcome: ${visible(answer.failed)}\n\n`
          : `${whyReportText(answer as WhyReport, label)}\n`,
      );
    }
    files.push({ file: wanted.input, target: label, llvm: releaseOf(release).version, functions: answers });
  }
  if (format === 'json')
    io.stdout(
      reportJson<WhyFileReport>(
        'why',
        files.map(({ llvm }) => llvm),
        { files },
      ),
    );
  return exit;
}

/** Of texts and settings, by threads; undefined: they are computed sooner without. */
async function rowsIn(
  team: Team,
  source: string,
  { target, model }: Subject,
  { sweep, functionName, settings, texts, checkpoint }: WhyQuestion,
): Promise<(SweepRow | null)[] | undefined> {
  const common = { target, model, functionName };
  const jobs: SweepJob[] = [
    ...texts.map(({ text }) => ({ ...common, source: text, setting: AS_IN_FILE })),
    ...settings.map((setting) => ({ ...common, source, setting })),
  ];
  if (jobs.length * source.length < CHARACTERS_FOR_WORKERS) return undefined;
  // Without an outcome as it stands, nothing is asked of the levers.
  const present = sweep.row(AS_IN_FILE, checkpoint, functionName);
  if (present === null || present.outcome === null) return undefined;
  return (await Promise.all(jobs.map((job) => team.ask(job)))).map(([row]) => row ?? null);
}

/** The edits that analyses of the editor propose. */
function leversOf(source: string, { target, model }: Subject): (functionName: string) => TextLever[] {
  const snapshot = snapshotOfFile(source, target, model);
  return (name) => {
    const view = snapshot.functions.find((own) => own.name === name);
    return view === undefined ? [] : textLevers(snapshot, view, NEVER_CANCELLED);
  };
}
