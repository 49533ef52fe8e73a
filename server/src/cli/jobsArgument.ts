/** The value of `--jobs`: threads. */
import { availableParallelism } from 'node:os';
import { valueOf, type CommandOptions } from './commandOptions.js';

/** Each thread has its own copy of everything. */
const MAX_JOBS = 256;

/** As many as the machine has cores where nobody says it; a message for what is no number of threads. */
export function readJobs(options: CommandOptions): number | string {
  const jobs = Number(valueOf(options, 'jobs') ?? Math.min(availableParallelism(), MAX_JOBS));
  return Number.isInteger(jobs) && jobs >= 1 && jobs <= MAX_JOBS ? jobs : `--jobs needs a number, 1 to ${MAX_JOBS}`;
}
