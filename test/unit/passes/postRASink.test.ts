/** postra-machine-sink (server/src/passes/machineSink/postRASink.ts) beside llc. */
import { itRunsAsLlcOnRandomInstrs } from '../../support/randomRuns.js';

/** Copies that may go down, what is in their way and what goes with them, in blocks that take few registers. */
const COPIES = `
renamable S1 = COPY S1
renamable S1 = COPY killed S1
renamable S2 = COPY S2
renamable V1 = COPY S1, implicit $exec
renamable V1 = COPY V1, implicit $exec
renamable V2 = COPY killed V2, implicit $exec
renamable V1 = COPY undef V1, implicit $exec, implicit V2
S1 = COPY S1
DBG_VALUE S1, $noreg
DBG_VALUE S2, $noreg
S1 = S_MOV_B32 killed S1
V1 = V_MOV_B32_e32 killed V1, implicit $exec
$exec = S_MOV_B64 S2
`.repeat(10);
const BLOCKS = `
S_CBRANCH_SCC1 %bb.N, implicit $scc
liveins: S1
liveins: S2
liveins: S4
liveins: V1
liveins: V2
liveins: V4
liveins: V4:0x000000000000000C
`;

describe('postra-machine-sink on random instructions', () => {
  itRunsAsLlcOnRandomInstrs('postra-machine-sink', 20, COPIES + BLOCKS);
});
