/** What rematerialization could do to a function as it stands; made once per function and kept with it. */
import type { PressureSummary } from '../../../analysis/summary.js';
import { RematCandidates } from './candidates.js';

export interface RematAnalysis {
  readonly candidates: RematCandidates;
}

/** O(operands); borrows the function and its intervals. */
export const analyseRemat = ({ fn, lis }: PressureSummary): RematAnalysis => ({
  candidates: new RematCandidates(fn, lis),
});
