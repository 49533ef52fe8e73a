/** Stands for longPasses.ts in the bundle of short llc runs, which bundles.ts does not choose for a run that needs them. */
import type { analysedCopy as Analyse, LONG_PASSES as Passes } from './longPasses.js';

export const LONG_PASSES: typeof Passes = [];

export const analysedCopy: typeof Analyse = () => {
  throw new Error('editable live intervals are in cli.js');
};
