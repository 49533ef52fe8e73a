/** Stands for schedulerRun.ts in the bundle of short llc runs, which launch.ts does not choose for a run that schedules. */
import type { runScheduler as Run } from './schedulerRun.js';

export const runScheduler: typeof Run = () => {
  throw new Error('the scheduler is in cli.js');
};
