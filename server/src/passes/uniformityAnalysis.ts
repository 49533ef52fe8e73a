/** Which values differ between lanes, for any pass. */
import { computeUniformity } from '../analysis/uniformity/uniformity.js';
import { Analysis } from './passContext.js';

/** @llvm MachineUniformityAnalysis.cpp MachineUniformityAnalysisPass */
export const UNIFORMITY = new Analysis('machine uniformity', ({ fn }) => computeUniformity(fn));
