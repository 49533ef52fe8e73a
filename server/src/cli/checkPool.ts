/** Worker threads for `amdgpu-mir check`: files in parallel, results in the order of the files. */
import { failedFile, INTERNAL_ERROR } from './checkFile.js';
import type { CheckFile, CheckJob } from './checkTypes.js';
import { CHECK_WORKER } from './workerCommands.js';
import { runInWorkers } from './workerPool.js';

export class CheckPool {
  /** `program` is run in `size` threads. */
  constructor(
    private readonly program: string,
    private readonly size: number,
  ) {}

  /** Calls `take` for every job's result, in order. A file whose worker dies is reported as an error; the others go on. */
  run(jobs: readonly CheckJob[], take: (result: CheckFile) => void): Promise<void> {
    const { program, size } = this;
    const results: (CheckFile | undefined)[] = new Array<CheckFile | undefined>(jobs.length).fill(undefined);
    let taken = 0;
    return runInWorkers(jobs, { program, command: CHECK_WORKER, size, failed }, (index, result) => {
      results[index] = result;
      for (let ready = results[taken]; ready !== undefined; ready = results[taken]) {
        results[taken++] = undefined;
        take(ready);
      }
    });
  }
}

function failed({ file }: CheckJob, error: unknown): CheckFile {
  return failedFile(file, INTERNAL_ERROR, `internal error: ${error instanceof Error ? error.message : String(error)}`);
}
