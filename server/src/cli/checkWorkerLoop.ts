/** The worker's end of CheckPool: one file after the other. */
import { checkFile } from './checkFile.js';
import type { CheckJob } from './checkTypes.js';
import { processIO } from './processIO.js';
import { serveJobs } from './workerPool.js';

export function runCheckWorker(): void {
  const io = processIO();
  serveJobs((job: CheckJob) => checkFile(job, io));
}
