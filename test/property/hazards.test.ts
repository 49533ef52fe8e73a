/**
 * post-RA-hazard-rec on random instructions in a few registers, which no compiler would put together, in blocks with loops and bundles, for all generations:
 * llc-22 and amdgpu-mir print the same. `AMDGPU_MIR_RUNS=200` makes that many functions for each processor, `AMDGPU_MIR_SEED` takes others.
 */
import { itRunsAsLlc24OnRandomInstrs, itRunsAsLlcOnRandomInstrs } from '../support/randomRuns.js';

describe('hazards between random instructions, as llc-22', () => itRunsAsLlcOnRandomInstrs('post-RA-hazard-rec', 40));

describe('hazards between random instructions', () => itRunsAsLlc24OnRandomInstrs('post-RA-hazard-rec', 5));
