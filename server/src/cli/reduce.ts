/** `amdgpu-mir reduce`: a smaller file of which a condition still holds. */
import { makeTemporaryFolder } from '../disk/temporaryFolder.js';
import { resolveProgram } from '../disk/userPrograms.js';
import { reduceFile, type Candidate, type Judge } from '../features/reduce/reduce.js';
import { AUTO_MODEL } from '../passes/scheduler/schedulerModel.js';
import type { CommandIO } from '../program/commandIO.js';
import { TargetOrigin, type FileTarget } from '../program/targetOfFile.js';
import { NEWEST_RELEASE } from '../target/index.js';
import { visible } from '../text/visible.js';
import { fingerprint } from '../util/fingerprint.js';
import { valueOf, type CommandOptions } from './commandOptions.js';
import { runCommandLater, type Invocation } from './commandRun.js';
import { snapshotOfFile } from './fileSnapshot.js';
import { openSubjects, readSubject, type SubjectSettings } from './fileSubject.js';
import { readJobs } from './jobsArgument.js';
import { FROM_STDIN_TO_STDOUT, targetWords, wordsOfRun } from './llcWords.js';
import {
  asksLlc,
  conditionsOf,
  differenceIn,
  hasChosenStackPointer,
  problemOf,
  type Condition,
  type Question,
} from './reduceCondition.js';
import { judge, type ReduceJob } from './reduceJob.js';
import { onInterrupt, type Interrupt } from './interrupt.js';
import { doubtOfLlc } from './userProgram.js';
import { REDUCE_WORKER } from './workerCommands.js';
import { WorkerTeam } from './workerPool.js';

const EXIT_OK = 0;
/** of a process that SIGINT ends, as a shell sees it */
const EXIT_INTERRUPTED = 130;
const MAX_SECONDS = 3600;
const MAX_OUTPUT = 1 << 28;
/** What runs where neither the RUN line nor --arg names a pass: of a message or failure all that is checked, of a difference what is mostly compared. */
const CHECK_ONLY = ['-run-pass=none', '-verify-machineinstrs'];
const SCHEDULE = '-run-pass=machine-scheduler';

interface Settings extends SubjectSettings {
  readonly conditions: readonly Condition[];
  readonly llc: string;
  readonly words: readonly string[];
  readonly runs: 'one' | 'all' | 'none';
  readonly jobs: number;
  readonly seconds: number;
  readonly isQuiet: boolean;
}

/** The exit code. `program`: to run in threads; not given: there are none. */
export const runReduce = (
  args: readonly string[],
  io: CommandIO,
  program?: string,
  interrupt: Interrupt = onInterrupt,
): Promise<number> => runCommandLater('reduce', args, io, (call, own) => reduce(call, own, program, interrupt));

async function reduce(
  call: Invocation,
  io: CommandIO,
  program: string | undefined,
  interrupt: Interrupt,
): Promise<number> {
  const { refuse } = call;
  const wanted = readSettings(call);
  if (typeof wanted === 'string') return refuse(wanted);
  const { llc, conditions, runs, jobs, seconds } = wanted;
  if (llc !== '') {
    const { told, isUsable } = doubtOfLlc(llc);
    if (!isUsable) return refuse(told);
    if (told !== '') io.stderr(`amdgpu-mir reduce: ${visible(told)}\n`);
  } else if (conditions.some(asksLlc)) return refuse('--llc=PATH names the llc that the model is compared with');
  const opened = openSubjects(io, wanted, false);
  if (typeof opened === 'string') return refuse(opened);
  const { source, subjects } = opened;
  const [subject] = subjects;
  if (subject === undefined) return refuse(`${visible(wanted.input)}: no target`);
  const { model } = subject;
  const target = withoutAttributes(subject.target);
  const snapshot = snapshotOfFile(source, target, model);
  const isRun = conditions.some(({ kind }) => kind === 'run');
  const folder = isRun ? makeTemporaryFolder('amdgpu-mir-reduce-') : null;
  try {
    const asked: Question = {
      ...{ conditions, target, model, llc, functionName: wanted.functionName },
      words: wordsFor(source, wanted, target),
      mustVerify: problemOf(snapshot) === '',
      mustChooseStackPointer: snapshot.functions.every(({ fn }) => fn === null || hasChosenStackPointer(fn)),
      // What nothing tells a release of is the newest one's anyhow.
      keepsModelWith: wanted.model === AUTO_MODEL && model !== NEWEST_RELEASE ? (wanted.targets[0] ?? null) : null,
      difference: null,
      folder: folder?.path ?? '',
      limits: { ms: seconds * 1000, bytes: MAX_OUTPUT },
    };
    const why = judge({ text: source, question: asked });
    if (why !== '') return refuse(`the condition does not hold for ${visible(wanted.input)}: ${visible(why)}`);
    const question = { ...asked, difference: differenceIn(source, asked) };
    const begin = process.hrtime.bigint();
    const team = program === undefined ? null : teamOf(program, jobs);
    const candidates = new Asked(question, team);
    const listen = interrupt(() => candidates.stop());
    let result: string;
    try {
      const report = (what: string, text: string): void => {
        if (!wanted.isQuiet) io.stderr(`${`${what}:`.padEnd(28)} ${sizeText(text)}\n`);
      };
      if (!wanted.isQuiet) io.stderr(`${'the file:'.padEnd(28)} ${sizeText(source)}\n`);
      result = await reduceFile(snapshot, candidates, { runs, report });
    } finally {
      listen();
      await team?.end();
    }
    const took = Number(process.hrtime.bigint() - begin) / 1e9;
    if (!wanted.isQuiet) io.stderr(`${candidates.n} candidates in ${took.toFixed(1)} s\n`);
    if (candidates.isStopped) io.stderr('amdgpu-mir reduce: interrupted: the smallest file so far was written\n');
    io.stdout(result);
    return candidates.isStopped ? EXIT_INTERRUPTED : EXIT_OK;
  } finally {
    folder?.remove();
  }
}

const teamOf = (program: string, size: number): WorkerTeam<ReduceJob, string> =>
  new WorkerTeam({
    ...{ program, command: REDUCE_WORKER, size },
    failed: (_, error) => `internal error: ${error instanceof Error ? error.message : String(error)}`,
  });

/** Asks threads, so many at once; a text that was boring once is not asked about again. */
class Asked implements Judge {
  isStopped = false;
  n = 0;
  private readonly boring = new Set<string>();
  private stopped: (why: null) => void = () => undefined;
  private readonly stopping = new Promise<null>((resolve) => (this.stopped = resolve));

  constructor(
    private readonly question: Question,
    private readonly team: WorkerTeam<ReduceJob, string> | null,
  ) {}

  stop(): void {
    this.isStopped = true;
    this.stopped(null);
  }

  async firstGood<T extends Candidate>(candidates: Iterable<T>): Promise<T | null> {
    const running: { readonly candidate: T; readonly answer: Promise<string> }[] = [];
    const left = candidates[Symbol.iterator]();
    const size = this.team?.size ?? 1;
    for (;;) {
      while (running.length < size && !this.isStopped) {
        const next = left.next();
        if (next.done === true) break;
        const { value: candidate } = next;
        const key = fingerprint(candidate.text);
        if (this.boring.has(key)) continue;
        this.n++;
        const answer = this.ask(candidate.text).then((why) => {
          if (why !== '') this.boring.add(key);
          return why;
        });
        running.push({ candidate, answer });
      }
      const first = running.shift();
      if (first === undefined) return null;
      const why = await Promise.race([first.answer, this.stopping]);
      if (why === null) return null;
      if (why === '') return first.candidate;
    }
  }

  private async ask(text: string): Promise<string> {
    const job = { text, question: this.question };
    if (this.team !== null) return this.team.ask(job);
    const why = judge(job);
    // A signal is told between two turns of the loop.
    await new Promise((resolve) => setImmediate(resolve));
    return why;
  }
}

function sizeText(text: string): string {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return `${lines} lines, ${text.length} characters`;
}

/** What attributes of functions say must stay in them to count, or the result would be of another processor. */
const withoutAttributes = (target: FileTarget): FileTarget =>
  target.origin === TargetOrigin.Module ? { ...target, cpu: '', features: '' } : target;

/** For llc: those of --arg, else of the RUN line. */
function wordsFor(source: string, { words, conditions }: Settings, target: FileTarget): readonly string[] {
  const args = target.commands[Math.max(0, target.commandIdx)]?.args ?? [];
  const own = words.length > 0 ? words : wordsOfRun(args);
  const isCompared = conditions.some(({ kind }) => kind === 'differs');
  const plain = own.length > 0 || isCompared ? own : CHECK_ONLY;
  return [...targetWords(source, plain, SCHEDULE, target), ...FROM_STDIN_TO_STDOUT];
}

/** A message when the arguments are wrong. */
function readSettings(call: CommandOptions): Settings | string {
  const { values, flags } = call;
  const subject = readSubject(call, 'reduce');
  if (typeof subject === 'string') return subject;
  if (subject.targets.length > 1) return '--target takes one processor';
  const conditions = conditionsOf(call);
  if (typeof conditions === 'string') return conditions;
  if (conditions.length === 0)
    return "--keep=CONDITION is required: what has to stay true; see 'amdgpu-mir help reduce'";
  const runs = valueOf(call, 'keep-run-lines') ?? 'one';
  if (runs !== 'one' && runs !== 'all' && runs !== 'none') return '--keep-run-lines must be one, all or none';
  const jobs = readJobs(call);
  if (typeof jobs === 'string') return jobs;
  const seconds = Number(valueOf(call, 'timeout') ?? 60);
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) return `--timeout must be a number of seconds, at most ${MAX_SECONDS}`;
  const llc = valueOf(call, 'llc') ?? '';
  return {
    ...subject,
    ...{ conditions, runs, jobs, seconds },
    llc: llc === '' ? '' : resolveProgram(llc),
    words: values.get('arg') ?? [],
    isQuiet: flags.has('quiet'),
  };
}
