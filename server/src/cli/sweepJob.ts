/** One setting of a sweep, or one lever of `why`: rows of one file, in the process itself or in a worker thread. */
import type { SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { Sweep, type SweepRow, type SweepSetting } from '../program/sweep.js';
import type { FileTarget } from '../program/targetOfFile.js';
import { serveJobs } from './workerPool.js';

export interface SweepJob {
  readonly source: string;
  readonly target: FileTarget;
  readonly model: SchedulerModel;
  readonly setting: SweepSetting;
  /** of this function alone */
  readonly functionName?: string;
  /** the final code is counted, too */
  readonly final?: boolean;
}

/** Text times settings: below, threads cost more than they save. */
export const CHARACTERS_FOR_WORKERS = 2_000_000;

/** The file of the job before: settings come one after the other. */
let last: { readonly source: string; readonly subject: string; readonly sweep: Sweep } | null = null;

export function sweepRows(job: SweepJob, checkpoint?: () => void): SweepRow[] {
  const { source, target, model, setting, functionName, final = false } = job;
  const subject = JSON.stringify([target, model]);
  if (last?.source !== source || last.subject !== subject)
    last = { source, subject, sweep: new Sweep(source, target, model) };
  return last.sweep.rows(setting, () => checkpoint?.(), functionName, { final });
}

/** Of a job whose worker died. */
export function failedRows({ setting, functionName = '' }: SweepJob, error: unknown): SweepRow[] {
  const text = error instanceof Error ? error.message : String(error);
  return [{ function: functionName, ...setting, outcome: null, failed: `internal error: ${text}` }];
}

/** The worker's end. */
export const runSweepWorker = (): void => serveJobs((job: SweepJob) => sweepRows(job));
