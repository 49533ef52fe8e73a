/** Limits of a function: computed in the model layer, which needs them to fill in machineFunctionInfo. */
export * from '../model/functionLimits.js';
