/** Stands for allocationRun.ts in the bundle of short llc runs, which bundles.ts does not choose for a run that needs it. */
import type {
  allocate as Run,
  analyseForVerifier as Analyse,
  scheduleForVerifier as Schedule,
} from './allocationRun.js';

const elsewhere = (what: string) => (): never => {
  throw new Error(`${what} is in cli.js`);
};

export const allocate: typeof Run = elsewhere('register allocation');
export const scheduleForVerifier: typeof Schedule = elsewhere('the scheduler');
export const analyseForVerifier: typeof Analyse = elsewhere('editable live intervals');
