/** Worker threads for `amdgpu-mir check`: files in parallel, results in the order of the files. */
import { Worker } from 'node:worker_threads';
import { failedFile } from './checkFile.js';
import { CHECK_WORKER, type CheckFile, type CheckJob } from './checkTypes.js';

interface Answer {
  readonly index: number;
  readonly result: CheckFile;
}

export class CheckPool {
  /** `program` is run in `size` threads. */
  constructor(
    private readonly program: string,
    private readonly size: number,
  ) {}

  /** Calls `take` for every job's result, in order. A file whose worker dies is reported as an error; the others go on. */
  run(jobs: readonly CheckJob[], take: (result: CheckFile) => void): Promise<void> {
    return new Promise((resolve) => {
      const results: (CheckFile | undefined)[] = new Array<CheckFile | undefined>(jobs.length).fill(undefined);
      let next = 0;
      let taken = 0;
      let alive = 0;

      const settle = (index: number, result: CheckFile): void => {
        results[index] = result;
        while (taken < jobs.length) {
          const ready = results[taken];
          if (ready === undefined) break;
          results[taken++] = undefined;
          take(ready);
        }
        if (taken === jobs.length) resolve();
      };
      const start = (): void => {
        const worker = new Worker(this.program, { argv: [CHECK_WORKER] });
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
        worker.on('message', ({ index, result }: Answer) => {
          current = -1;
          settle(index, result);
          feed();
        });
        worker.on('error', (error) => {
          if (current >= 0) settle(current, failed(jobs[current] as CheckJob, error));
          current = -1;
          if (next < jobs.length) start();
        });
        worker.on('exit', () => {
          alive--;
          if (current >= 0) settle(current, failed(jobs[current] as CheckJob, new Error('the worker ended')));
          if (alive === 0 && next < jobs.length) start();
        });
        feed();
      };
      for (let n = 0; n < this.size; n++) start();
    });
  }
}

function failed({ file }: CheckJob, error: unknown): CheckFile {
  return failedFile(
    file,
    'internal-error',
    `internal error: ${error instanceof Error ? error.message : String(error)}`,
  );
}
