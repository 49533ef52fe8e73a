/**
 * Passes at the end of the pipeline on random instructions in a few registers, in blocks with loops and bundles, for all generations: llc-22 and amdgpu-mir
 * print the same. `AMDGPU_MIR_RUNS=200` makes that many functions for each processor, `AMDGPU_MIR_SEED` takes others; `-g PASS` is one pass.
 */
import { itRunsAsLlcOnRandomInstrs } from '../support/randomRuns.js';

const SCALAR_REGS = `
V1 = V_ADD_F32_e64 0, S1, 0, V1, 0, 0, implicit $mode, implicit $exec
V1 = V_ADD_F32_e64 0, S1, 0, S1, 0, 0, implicit $mode, implicit $exec
V1 = V_CNDMASK_B32_e64 0, S1, 0, V1, S2, implicit $exec
V1 = V_CNDMASK_B32_e64 0, S1, 0, V1, S1, implicit $exec
V1 = V_ADD_F32_e32 $vcc_lo, V1, implicit $mode, implicit $exec
S1 = V_CMP_EQ_U32_e64 V1, V1, implicit $exec
S1 = V_READFIRSTLANE_B32 V1, implicit $exec
$vcc_lo = S_MOV_B32 S1
$vcc_hi = V_READLANE_B32 V1, S1
S1 = S_CSELECT_B32 S1, $vcc_hi, implicit $scc
S4 = S_LOAD_DWORDX4_IMM S2, 0, 0
DS_NOP
S_WAITCNT_DEPCTR 65439
S_WAITCNT_DEPCTR 61855
S_WAITCNT_DEPCTR 65437
S_WAIT_LOADCNT 0
`;

const PASSES: readonly (readonly [pass: string, more: string])[] = [
  ['amdgpu-wait-sgpr-hazards', SCALAR_REGS.repeat(2)],
];

for (const [pass, more] of PASSES)
  describe(`${pass} on random instructions, as llc-22`, () => itRunsAsLlcOnRandomInstrs(pass, 30, more));
