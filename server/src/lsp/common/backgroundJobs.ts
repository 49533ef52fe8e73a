/**
 * What a worker does while no message waits, one step after the other. It is the same for all that is done so:
 *
 * - a kind of job goes before those that stand behind it in the list, as soon as it is due; one for idle time begins when no other job waits, due or not;
 * - a job is of a subject (a document), and begins after a pause; begun anew, it forgets what became of it before;
 * - the scheduler asks nobody to stop: a step looks at its token, and says that it gave way. Its job goes on after a pause that its kind names by how often that
 *   happened, or not at all;
 * - what is out of date, or failed, is dropped.
 *
 * For what is found out in another lane, while this one answers, there is `lateWork.ts`.
 */
import type { CancellationToken } from '../../util/cancellation.js';

/** How a step ended. */
export type StepEnd = 'done' | 'more' | 'gave way';

export interface JobKind {
  /** before it begins */
  readonly pauseMs: number;
  readonly isForIdleTime: boolean;
  /** `token`: a message waits. */
  step(subject: string, token: CancellationToken): StepEnd;
  /** Pause after it gave way so many times in a row; null: it is given up. */
  pauseAgain(times: number): number | null;
  /** It is at its end; `failed`: a step ended in an exception, which has been reported. */
  ended?(subject: string, how: 'done' | 'given up' | 'failed'): void;
}

/** The worker around it. */
export interface JobSurroundings {
  /** of a step */
  readonly token: CancellationToken;
  /** Runs a step. An exception is reported. */
  guard(step: () => void): void;
  beginStep(): void;
  /** After a step that may be followed by others; `isAlive`: it is progress, made for somebody. */
  endStep(isAlive: boolean): void;
}

/**
 * Pause after an answer before the background goes on: editors ask several things one after the other (a list, then the signature), and a step that was
 * begun in between has to be waited for. Never longer than `MAX_QUIET_MS` in all, so that an editor that asks all the time gets its diagnostics.
 */
const QUIET_MS = 10;
const MAX_QUIET_MS = 60;

interface Job {
  /** from when on */
  due: number;
  /** how often it gave way in a row */
  nGaveWay: number;
}

export class BackgroundJobs {
  /** by subject, in the order in which they go */
  private readonly queues: readonly (readonly [kind: JobKind, jobs: Map<string, Job>])[];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isStopped = false;
  /** until when it waits for what may follow an answer */
  private quietUntil = 0;

  /** `kinds`: those that go first before the others. */
  constructor(
    kinds: readonly JobKind[],
    private readonly surroundings: JobSurroundings,
  ) {
    this.queues = kinds.map((kind) => [kind, new Map()]);
  }

  /** Begins after the pause, anew where it had begun. */
  later(kind: JobKind, subject: string, pauseMs = kind.pauseMs): void {
    this.jobsOf(kind).set(subject, { due: Date.now() + pauseMs, nGaveWay: 0 });
    this.schedule();
  }

  /** Not before so many milliseconds from now. */
  postpone(kind: JobKind, ms: number): void {
    for (const job of this.jobsOf(kind).values()) job.due = Math.max(job.due, Date.now() + ms);
  }

  outdated(subject: string): void {
    for (const [, jobs] of this.queues) jobs.delete(subject);
  }

  /** Somebody has been answered, and may ask more. */
  answered(): void {
    this.quietUntil = Date.now() + QUIET_MS;
    // The timer may be about to go off.
    this.schedule();
  }

  /** Whether anything waits that is not for idle time. */
  get isBusy(): boolean {
    return this.queues.some(([kind, jobs]) => !kind.isForIdleTime && jobs.size > 0);
  }

  /** Without this, work that has to wait for a message which never comes would be tried for ever. */
  stop(): void {
    this.isStopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private jobsOf(kind: JobKind): Map<string, Job> {
    return this.queues.find(([own]) => own === kind)![1];
  }

  /** Those whose turn it may be: what is for idle time waits for all others. */
  private get open(): BackgroundJobs['queues'] {
    const isIdle = !this.isBusy;
    return this.queues.filter(([kind]) => kind.isForIdleTime === isIdle);
  }

  private schedule(): void {
    // A timer that runs may be for something that is due later.
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const first = Math.min(...this.open.flatMap(([, jobs]) => [...jobs.values()].map(({ due }) => due)));
    if (first === Infinity || this.isStopped) return;
    const due = Math.max(first, Math.min(this.quietUntil, first + MAX_QUIET_MS));
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.step();
        this.schedule();
      },
      Math.max(0, due - Date.now()),
    );
  }

  /** A step of the first job that is due. */
  private step(): void {
    const now = Date.now();
    for (const [kind, jobs] of this.open)
      for (const [subject, job] of jobs) {
        if (now < job.due) continue;
        // Others of its kind have their turn before its next step.
        jobs.delete(subject);
        const end = this.stepOf(kind, subject);
        if (end === 'gave way') job.nGaveWay++;
        else job.nGaveWay = 0;
        const pause = end === 'gave way' ? kind.pauseAgain(job.nGaveWay) : null;
        if (end === 'more') jobs.set(subject, { ...job, due: now });
        else if (pause !== null) jobs.set(subject, { ...job, due: Date.now() + pause });
        else kind.ended?.(subject, end === 'gave way' ? 'given up' : end);
        // Who gives way to a message has to answer it, not to say that it is alive.
        this.surroundings.endStep(end !== 'gave way' && !kind.isForIdleTime);
        return;
      }
  }

  private stepOf(kind: JobKind, subject: string): StepEnd | 'failed' {
    const { surroundings } = this;
    let end: StepEnd | 'failed' = 'failed';
    surroundings.beginStep();
    surroundings.guard(() => (end = kind.step(subject, surroundings.token)));
    return end;
  }
}
