/** si-insert-waitcnts on random instructions in a few registers, with memory of all kinds and waits that exist already: llc-22 and amdgpu-mir print the same. */
import { itRunsAsLlc24OnRandomInstrs, itRunsAsLlcOnRandomInstrs } from '../support/randomRuns.js';

const MEMORY = `
V2 = GLOBAL_LOAD_DWORDX2 V2, 4, 0, implicit $exec :: (load (s64), addrspace 1)
V4 = BUFFER_LOAD_DWORDX4_OFFSET S4, S1, 0, 0, 0, implicit $exec :: (load (s128), addrspace 1)
V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr :: (load (s32), addrspace 1)
V1 = FLAT_LOAD_DWORD V2, 0, 0, implicit $exec, implicit $flat_scr :: (load (s32), addrspace 3)
FLAT_STORE_DWORD V2, V1, 0, 0, implicit $exec, implicit $flat_scr :: (store (s32))
GLOBAL_STORE_DWORD V2, V1, 0, 0, implicit $exec :: (store (s32), addrspace 1)
V1 = SCRATCH_LOAD_DWORD_SADDR S1, 0, 0, implicit $exec, implicit $flat_scr :: (load (s32), addrspace 5)
SCRATCH_STORE_DWORD_SADDR V1, S1, 0, 0, implicit $exec, implicit $flat_scr :: (store (s32), addrspace 5)
V1 = GLOBAL_ATOMIC_ADD_RTN V2, V1, 0, 1, implicit $exec :: (load store monotonic (s32), addrspace 1)
V1 = DS_READ_B32_gfx9 V1, 4, 0, implicit $exec :: (load (s32), addrspace 3)
V2 = DS_READ2_B32_gfx9 V1, 0, 1, 0, implicit $exec :: (load (s64), align 4, addrspace 3)
DS_WRITE_B32_gfx9 V1, V1, 0, 0, implicit $exec :: (store (s32), addrspace 3)
V1 = DS_ADD_RTN_U32_gfx9 V1, V1, 0, 0, implicit $exec :: (load store monotonic (s32), addrspace 3)
S4 = S_LOAD_DWORDX4_IMM S2, 0, 0 :: (load (s128), addrspace 4)
S8 = S_LOAD_DWORDX8_IMM S2, 0, 0 :: (dereferenceable invariant load (s256), addrspace 4)
S2 = S_MEMTIME
V4 = IMAGE_SAMPLE_V4_V2 V2, S8, S4, 15, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V4 = IMAGE_SAMPLE_V4_V2_gfx12 V1, V1, S8, S4, 15, 1, 0, 0, 0, 0, 0, 0, implicit $exec
V1 = IMAGE_LOAD_V1_V2 V2, S8, 15, 0, 0, 0, 0, 0, 0, 0, implicit $exec
EXP_DONE 12, V1, V1, V1, V1, 0, 0, 15, implicit $exec
EXP_DONE 33, V1, V1, V1, V1, 0, 0, 15, implicit $exec
S_BARRIER
S_WAITCNT_soft 0
S_WAITCNT_soft 3952
S_WAITCNT_VSCNT_soft undef $sgpr_null, 0
S_WAIT_LOADCNT_soft 0
S_WAIT_STORECNT_soft 0
S_WAIT_DSCNT_soft 0
S_WAIT_LOADCNT 1
S_WAIT_DSCNT 0
S_WAIT_LOADCNT_DSCNT 257
S_WAIT_KMCNT 0
GLOBAL_INV 8, implicit $exec
GLOBAL_WB 8, implicit $exec
BUFFER_GL0_INV implicit $exec
BUFFER_WBINVL1 implicit $exec
S_SENDMSG 3, implicit $exec, implicit $m0
S_SENDMSG 2, implicit $exec, implicit $m0
`;

describe('waits between random instructions, as llc-22', () =>
  itRunsAsLlcOnRandomInstrs('si-insert-waitcnts', 30, MEMORY));

describe('waits between random instructions', () => itRunsAsLlc24OnRandomInstrs('si-insert-waitcnts', 5, MEMORY));
