/** The worker's end of CheckPool: one file after the other. */
import { parentPort } from 'node:worker_threads';
import { checkFile } from './checkFile.js';
import type { CheckJob } from './checkTypes.js';
import { processIO } from './processIO.js';

export function runCheckWorker(): void {
  const io = processIO();
  parentPort?.on('message', ({ index, job }: { index: number; job: CheckJob }) => {
    parentPort?.postMessage({ index, result: checkFile(job, io) });
  });
}
