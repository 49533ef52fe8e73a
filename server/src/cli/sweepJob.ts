/** One setting of a sweep: rows of one file, in the process itself or in a worker thread. */
import type { SchedulerModel } from '../passes/scheduler/schedulerModel.js';
import { Sweep, type SweepRow, type SweepSetting } from '../program/sweep.js';
import type { FileTarget } from '../program/targetOfFile.js';
import { serveJobs } from './workerPool.js';

export interface SweepJob {
  readonly source: string;
  readonly target: FileTarget;
  readonly model: SchedulerModel;
  readonly setting: SweepSetting;
}

/** The file of the job before: settings come one after the other. */
let last: { readonly source: string; readonly subject: string; readonly sweep: Sweep } | null = null;

export function sweepRows({ source, target, model, setting }: SweepJob, checkpoint?: () => void): SweepRow[] {
  const subject = JSON.stringify([target, model]);
  if (last?.source !== source || last.subject !== subject)
    last = { source, subject, sweep: new Sweep(source, target, model) };
  return last.sweep.rows(setting, () => checkpoint?.());
}

/** The worker's end. */
export const runSweepWorker = (): void => serveJobs((job: SweepJob) => sweepRows(job));
