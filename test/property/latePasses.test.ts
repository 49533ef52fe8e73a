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

const MASKS = `
S2 = S_MOV_B64 $exec
S1 = S_MOV_B32 $exec_lo
S2 = COPY $exec
S1 = COPY $exec_lo
$sgpr0_sgpr1 = COPY $exec
$sgpr0 = COPY $exec_lo
$sgpr2_sgpr3 = S_AND_B64 S2, $sgpr0_sgpr1, implicit-def $scc
$sgpr2 = S_AND_B32 S1, $sgpr0, implicit-def $scc
$sgpr2 = S_OR_B32 $sgpr0, S1, implicit-def $scc
$sgpr2_sgpr3 = S_ANDN2_B64 $sgpr0_sgpr1, S2, implicit-def $scc
$exec = COPY killed $sgpr2_sgpr3
$exec_lo = COPY killed $sgpr2
$exec = S_MOV_B64 S2
$exec_lo = S_MOV_B32 S1
S2 = S_XOR_B64 S2, $exec, implicit-def $scc
S2 = S_OR_SAVEEXEC_B64 S2, implicit-def $exec, implicit-def $scc, implicit $exec
S1 = S_OR_SAVEEXEC_B32 S1, implicit-def $exec, implicit-def $scc, implicit $exec
$exec = S_XOR_B64 $exec, S2, implicit-def $scc
$exec_lo = S_XOR_B32 S1, $exec_lo, implicit-def $scc
S2 = S_AND_SAVEEXEC_B64 S2, implicit-def $exec, implicit-def $scc, implicit $exec
S1 = S_AND_SAVEEXEC_B32 S1, implicit-def $exec, implicit-def $scc, implicit $exec
S1 = V_CMP_EQ_U32_e64 V1, killed V1, implicit $exec
S1 = V_CMP_LT_F32_e64 0, S1, 1, V1, 0, implicit $mode, implicit $exec
S2 = V_CMP_GT_I64_e64 V2, V2, implicit $exec
V1 = V_ADD_U32_e32 killed V1, V1, implicit $exec
DBG_VALUE S1, $noreg
DBG_VALUE S2, $noreg
DBG_VALUE $sgpr2_sgpr3, $noreg
DBG_VALUE $exec, $noreg
`;

const ROWS = `
V1 = GLOBAL_LOAD_DWORD V2, 4, 0, implicit $exec :: (load (s32), addrspace 1)
V1 = GLOBAL_LOAD_DWORD $vgpr0_vgpr1, 4, 0, implicit $exec
V1 = GLOBAL_LOAD_DWORD_SADDR S2, V1, 4, 0, implicit $exec
GLOBAL_STORE_DWORD $vgpr0_vgpr1, V1, 0, 0, implicit $exec
V1 = GLOBAL_ATOMIC_ADD_RTN $vgpr0_vgpr1, V1, 0, 1, implicit $exec
V1 = FLAT_LOAD_DWORD $vgpr0_vgpr1, 0, 0, implicit $exec, implicit $flat_scr
FLAT_STORE_DWORD $vgpr0_vgpr1, V1, 0, 0, implicit $exec, implicit $flat_scr
V1 = SCRATCH_LOAD_DWORD_SADDR $sgpr0, 0, 0, implicit $exec, implicit $flat_scr
SCRATCH_STORE_DWORD_SADDR V1, $sgpr0, 0, 0, implicit $exec, implicit $flat_scr
V1 = BUFFER_LOAD_DWORD_OFFSET $sgpr0_sgpr1_sgpr2_sgpr3, S1, 0, 0, 0, implicit $exec
V1 = BUFFER_LOAD_DWORD_OFFEN V1, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0, 0, 0, implicit $exec
BUFFER_STORE_DWORD_OFFEN V1, V1, $sgpr0_sgpr1_sgpr2_sgpr3, 0, 6, 0, 0, implicit $exec
S1 = S_LOAD_DWORD_IMM $sgpr0_sgpr1, 8, 0
S1 = S_LOAD_DWORD_IMM $sgpr0_sgpr1, 12, 0
S1 = S_BUFFER_LOAD_DWORD_IMM $sgpr0_sgpr1_sgpr2_sgpr3, 0, 0
V4 = IMAGE_SAMPLE_V4_V2 V2, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, S4, 15, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V4 = IMAGE_SAMPLE_V4_V2_gfx12 V1, V1, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, S4, 15, 1, 0, 0, 0, 0, 0, 0, implicit $exec
V4 = IMAGE_SAMPLE_V4_V2_nsa_gfx11 V1, V1, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, S4, 15, 1, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V4 = IMAGE_SAMPLE_V4_V2_nsa_gfx10 V1, V1, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, S4, 15, 1, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V1 = IMAGE_LOAD_V1_V2_gfx11 V2, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, 15, 0, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V1 = IMAGE_LOAD_V1_V2_gfx10 V2, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, 15, 0, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V1 = IMAGE_LOAD_V1_V2 V2, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, 15, 0, 0, 0, 0, 0, 0, 0, implicit $exec
IMAGE_STORE_V1_V2_gfx11 V1, V2, $sgpr0_sgpr1_sgpr2_sgpr3_sgpr4_sgpr5_sgpr6_sgpr7, 15, 0, 0, 0, 0, 0, 0, 0, 0, implicit $exec
V1 = DS_READ_B32_gfx9 $vgpr0, 4, 0, implicit $exec
S_NOP 0
S_NOP 1
KILL V1
DBG_VALUE V1, $noreg
`;

const RESULTS = `
V1 = V_MUL_F32_e32 V1, V1, implicit $mode, implicit $exec
V1 = V_FMA_F32_e64 0, V1, 0, S1, 0, V1, 0, 0, implicit $mode, implicit $exec
V1 = V_SQRT_F32_e32 V1, implicit $mode, implicit $exec
V2 = V_RCP_F64_e32 V2, implicit $mode, implicit $exec
V2 = V_ADD_F64_e64 0, V2, 0, V2, 0, 0, implicit $mode, implicit $exec
V2 = V_MAD_U64_U32_e64 V1, V1, V2, 0, implicit $exec
S1 = V_READFIRSTLANE_B32 V1, implicit $exec
S1 = V_S_RCP_F32_e64 0, S1, 0, 0, implicit $mode, implicit $exec
S1 = S_ADD_U32 S1, S1, implicit-def $scc
S1 = S_ADD_F32 S1, S1, implicit $mode
S2 = S_LSHL_B64 S2, S1, implicit-def $scc
S_CMP_EQ_U32 S1, S1, implicit-def $scc
V1 = V_ADD_F32_e64 0, S1, 0, V1, 0, 0, implicit $mode, implicit $exec
V_CMP_GT_F32_e32 V1, V1, implicit-def $vcc, implicit $mode, implicit $exec
S1 = V_CMP_GT_F32_e64 0, V1, 0, V1, 0, implicit $mode, implicit $exec
S_DELAY_ALU 1
S_WAITCNT_DEPCTR 4095
S_SET_VGPR_MSB 1, implicit-def $mode
`;

const ENDS = `
SI_EARLY_TERMINATE_SCC0 implicit $exec, implicit $scc
SI_EARLY_TERMINATE_SCC0 implicit $exec, implicit killed $scc
SI_RETURN_TO_EPILOG V1
S_CMP_EQ_U32 S1, S1, implicit-def $scc
`;

const MODES = `
V1 = V_ADD_F16_e32 V1, V1, implicit $mode, implicit $exec
V1 = V_INTERP_P1LL_F16 0, V1, 0, 0, 0, 0, 0, 0, implicit $mode, implicit $m0, implicit $exec
V1 = V_INTERP_P2_F16 0, V1, 0, 0, 0, V1, 0, 0, implicit $mode, implicit $m0, implicit $exec
V2 = V_ADD_F64_e64 0, V2, 0, V2, 0, 0, implicit $mode, implicit $exec
S_SETREG_IMM32_B32 3, 2177, implicit-def $mode, implicit $mode
S_SETREG_IMM32_B32 15, 6145, implicit-def $mode, implicit $mode
S_SETREG_B32 S1, 2177, implicit-def $mode, implicit $mode
`;

const LAST_LOOKS = `
${'S_CBRANCH_EXECZ %bb.N, implicit $exec\n'.repeat(3)}
S_CBRANCH_VCCZ %bb.N, implicit $vcc
S_CBRANCH_VCCNZ %bb.N, implicit $vcc
S_CBRANCH_VCCZ %bb.N, implicit killed $vcc
S_CBRANCH_VCCNZ %bb.N, implicit killed $vcc
${`
$sgpr0_sgpr1 = S_MOV_B64 -1
$sgpr0_sgpr1 = S_MOV_B64 0
$sgpr0 = S_MOV_B32 -1
$vcc = S_MOV_B64 0
V_CMP_EQ_U32_e32 V1, V1, implicit-def $vcc, implicit $exec
$vcc = S_AND_B64 $exec, $sgpr0_sgpr1, implicit-def dead $scc
$vcc = S_AND_B64 killed $sgpr0_sgpr1, $exec, implicit-def dead $scc
$vcc = S_ANDN2_B64 $exec, killed $sgpr0_sgpr1, implicit-def dead $scc
$vcc = S_AND_B64 $exec, killed $vcc, implicit-def dead $scc
$vcc = S_AND_B64 $exec, -1, implicit-def dead $scc
$vcc = S_AND_B64 $exec, $exec, implicit-def $scc
$vcc_lo = S_AND_B32 $exec_lo, killed $sgpr0, implicit-def dead $scc
$vcc_lo = S_ANDN2_B32 $exec_lo, $sgpr0, implicit-def dead $scc
$vcc_lo = S_AND_B32 $exec_lo, killed $vcc_lo, implicit-def dead $scc
$vcc_lo = S_AND_B32 $exec_lo, 0, implicit-def dead $scc
`.repeat(7)}
${`
S_SET_GPR_IDX_ON $sgpr0, 1, implicit-def $m0, implicit-def $mode, implicit $m0, implicit $mode
S_SET_GPR_IDX_OFF implicit-def $mode, implicit $mode
V_MOV_B32_indirect_write undef $vgpr0, V1, implicit $exec, implicit $m0
`.repeat(6)}
${`
$vgpr0_vgpr1_vgpr2_vgpr3 = V_MFMA_F32_16X16X16F16_vgprcd_e64 V2, V2, $vgpr0_vgpr1_vgpr2_vgpr3, 0, 0, 0, implicit $mode, implicit $exec
V2 = nofpexcept V_PK_ADD_F32 8, V2, 12, V2, 0, 0, 0, 0, 0, implicit $mode, implicit $exec
V2 = V_PK_MUL_F32 8, killed V2, 11, V2, 1, 0, 0, 0, 0, implicit $mode, implicit $exec
V2 = V_PK_FMA_F32 8, V2, 8, S2, 8, killed V2, 0, 0, 0, 0, 0, implicit $mode, implicit $exec
`.repeat(3)}
`;

const HIGH = `
$vgpr300 = V_MOV_B32_e32 V1, implicit $exec
V1 = V_ADD_F32_e32 $vgpr300, V1, implicit $mode, implicit $exec
V1 = V_FMAC_F32_e32 $vgpr300, V1, V1, implicit $mode, implicit $exec
$vgpr300 = V_FMAC_F32_e64 0, V1, 0, $vgpr700, 0, $vgpr300, 0, 0, implicit $mode, implicit $exec
V1 = V_FMAMK_F32 $vgpr300, 1, V1, implicit $mode, implicit $exec
V2 = V_FMA_F64_e64 0, V2, 0, $vgpr512_vgpr513, 0, $vgpr1022_vgpr1023, 0, 0, implicit $mode, implicit $exec
$vgpr300 = GLOBAL_LOAD_DWORD V2, 0, 0, implicit $exec
GLOBAL_STORE_DWORD $vgpr258_vgpr259, V1, 0, 0, implicit $exec
DS_WRITE_B32_gfx9 $vgpr300, V1, 0, 0, implicit $exec
S_BARRIER_WAIT -1
S_WAIT_XCNT 0
`;

const PASSES: readonly (readonly [pass: string, more: string])[] = [
  ['amdgpu-wait-sgpr-hazards', SCALAR_REGS.repeat(2)],
  ['si-optimize-exec-masking', MASKS.repeat(6)],
  ['si-insert-hard-clauses', ROWS.repeat(8)],
  ['amdgpu-insert-delay-alu', RESULTS.repeat(6)],
  ['si-late-branch-lowering', ENDS],
  ['si-mode-register', MODES.repeat(2)],
  ['si-pre-emit-peephole', LAST_LOOKS],
  ['amdgpu-lower-vgpr-encoding', HIGH.repeat(4)],
];

for (const [pass, more] of PASSES)
  describe(`${pass} on random instructions, as llc-22`, () => itRunsAsLlcOnRandomInstrs(pass, 30, more));
