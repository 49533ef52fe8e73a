/** machine-latecleanup (server/src/passes/lateInstrsCleanup) beside llc. */
import { itRunsAsLlc24OnRandomInstrs, itRunsAsLlcOnRandomInstrs } from '../../support/randomRuns.js';

/** Constants in few registers, so that many are there already, and what reads them, kills them or writes the frame register. */
const CONSTANTS = `
S1 = S_MOV_B32 ?
S1 = S_MOV_B32 0
S2 = S_MOV_B64 0
S1 = S_MOVK_I32 ?
S1 = S_ADD_I32 killed S1, S1, implicit-def $scc
S1 = S_MOV_B32 $sgpr32
$sgpr32 = S_MOV_B32 0
S2 = S_AND_B64 killed S2, S2, implicit-def $scc
`.repeat(8);

describe('machine-latecleanup on random instructions', () => {
  itRunsAsLlcOnRandomInstrs('machine-latecleanup', 20, CONSTANTS);
  itRunsAsLlc24OnRandomInstrs('machine-latecleanup', 4, CONSTANTS);
});
