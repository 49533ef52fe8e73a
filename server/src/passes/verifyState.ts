/** A function as the machine verifier sees it on its way through the passes. */
import type { KnownIntervals } from '../analysis/verifier/index.js';
import type { FunctionState } from './functionState.js';
import { analysedCopy } from './longPasses.js';
import { LIVE_INTERVALS, type PassContext } from './passContext.js';

/** `known`: the live intervals that are known here. Where llc has them and we do not, they are computed for a copy. */
export function verifyState(
  state: FunctionState,
  known: KnownIntervals | null,
  verify: NonNullable<PassContext['verify']>,
  banner: string,
): void {
  if (known !== null || !state.has(LIVE_INTERVALS)) verify(state.fn, known, banner);
  else {
    const copy = analysedCopy(state.fn);
    verify(copy.fn, copy.known, banner);
  }
}
