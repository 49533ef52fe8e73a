/** Stands for allocationRun.ts in the bundle of short llc runs, which launch.ts does not choose for a run that allocates registers. */
import type { allocate as Run, scheduleForVerifier as RunForVerifier } from './allocationRun.js';

export const allocate: typeof Run = () => {
  throw new Error('register allocation is in cli.js');
};

export const scheduleForVerifier: typeof RunForVerifier = () => {
  throw new Error('the scheduler is in cli.js');
};
