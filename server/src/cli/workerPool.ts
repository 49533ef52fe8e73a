/** Worker threads that run the program itself: jobs in parallel, one at a time in each thread. */
import { parentPort, Worker } from 'node:worker_threads';
import type { WorkerCommand } from './workerCommands.js';

export interface PoolOptions<Job, Result> {
  /** is run in `size` threads */
  readonly program: string;
  readonly command: WorkerCommand;
  readonly size: number;
  /** the result of a job whose worker died; the others go on */
  failed(job: Job, error: unknown): Result;
}

interface Answer<Result> {
  readonly index: number;
  readonly result: Result;
}

/** Calls `take` for every job's result, as they come. Rejects with what `take` throws, after all threads have ended. */
export function runInWorkers<Job, Result>(
  jobs: readonly Job[],
  { program, command, size, failed }: PoolOptions<Job, Result>,
  take: (index: number, result: Result) => void,
): Promise<void> {
  if (jobs.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let next = 0;
    let taken = 0;
    let alive = 0;
    let isOver = false;
    const workers = new Set<Worker>();
    const settle = (index: number, result: Result): void => {
      if (isOver) return;
      try {
        take(index, result);
      } catch (error) {
        isOver = true;
        next = jobs.length;
        void Promise.allSettled([...workers].map((worker) => worker.terminate())).then(() => reject(error as Error));
        return;
      }
      if (++taken === jobs.length) resolve();
    };
    const start = (): void => {
      const worker = new Worker(program, { argv: [command] });
      workers.add(worker);
      let current = -1;
      alive++;
      const feed = (): void => {
        const job = jobs[next];
        if (job === undefined) {
          void worker.terminate();
          return;
        }
        current = next++;
        worker.postMessage({ index: current, job });
      };
      worker.on('message', ({ index, result }: Answer<Result>) => {
        current = -1;
        settle(index, result);
        feed();
      });
      worker.on('error', (error) => {
        if (current >= 0) settle(current, failed(jobs[current] as Job, error));
        current = -1;
        if (next < jobs.length) start();
      });
      worker.on('exit', () => {
        workers.delete(worker);
        alive--;
        if (current >= 0) settle(current, failed(jobs[current] as Job, new Error('the worker ended')));
        if (alive === 0 && next < jobs.length) start();
      });
      feed();
    };
    for (let n = 0; n < Math.min(size, jobs.length); n++) start();
  });
}

/** The worker's end: one job after the other. */
export function serveJobs<Job, Result>(run: (job: Job) => Result): void {
  parentPort?.on('message', ({ index, job }: { index: number; job: Job }) => {
    parentPort?.postMessage({ index, result: run(job) });
  });
}

interface Asked<Job, Result> {
  readonly job: Job;
  readonly done: (result: Result) => void;
}

/** Threads that stay, for jobs that are known one after the other. */
export class WorkerTeam<Job, Result> {
  private readonly idle: Worker[] = [];
  /** with what each is busy */
  private readonly all = new Map<Worker, Asked<Job, Result> | null>();
  private readonly waiting: Asked<Job, Result>[] = [];

  constructor(private readonly options: PoolOptions<Job, Result>) {}

  get size(): number {
    return this.options.size;
  }

  /** The result of the job, of one whose worker dies what `failed` says. */
  ask(job: Job): Promise<Result> {
    return new Promise((done) => {
      this.waiting.push({ job, done });
      this.feed();
    });
  }

  /** Ends the threads, whatever they are doing; jobs that were asked about have no result. */
  async end(): Promise<void> {
    this.waiting.length = 0;
    const workers = [...this.all.keys()];
    this.all.clear();
    await Promise.allSettled(workers.map((worker) => worker.terminate()));
  }

  private feed(): void {
    if (this.waiting.length === 0) return;
    const worker = this.idle.pop() ?? (this.all.size < this.options.size ? this.start() : null);
    if (worker === null) return;
    const asked = this.waiting.shift()!;
    this.all.set(worker, asked);
    worker.postMessage({ index: 0, job: asked.job });
  }

  private start(): Worker {
    const worker = new Worker(this.options.program, { argv: [this.options.command] });
    const fail = (error: unknown): void => {
      const asked = this.all.get(worker);
      if (!this.all.delete(worker)) return;
      asked?.done(this.options.failed(asked.job, error));
      this.feed();
    };
    worker.on('message', ({ result }: Answer<Result>) => {
      const asked = this.all.get(worker);
      if (asked === undefined) return;
      this.all.set(worker, null);
      this.idle.push(worker);
      asked?.done(result);
      this.feed();
    });
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the worker ended')));
    return worker;
  }
}
