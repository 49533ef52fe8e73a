/** What hovers, reports and completion say of an opcode: kind, flags, operands, implicit registers, cost, encodings of the generations. */
import assert from 'node:assert/strict';
import { opcodeFacts, opcodeLines, opcodeRows } from '../../../../server/src/features/hover/hoverOpcode.js';
import { createSubtarget } from '../../../../server/src/target/index.js';
import { openText } from '../../../support/cursor.js';
import { describeParts, expect } from '../../../support/expect.js';

/** The lines that are operands, what is read and written unsaid among them, in one line where the first of them stands. */
function inOneLine(lines: readonly string[], isOther: RegExp): string[] {
  const operands = lines.filter((line) => !isOther.test(line)).map((line) => line.trim());
  const first = lines.findIndex((line) => !isOther.test(line));
  return lines.flatMap((line, k) => (k === first ? [operands.join(' · ')] : isOther.test(line) ? [line] : []));
}

/** `== processor opcode`, below it words and flags, operands with what is read and written unsaid, encodings. */
const FACTS = expect`
== gfx900 V_ADD_U32_e32
**V_ADD_U32_e32**: VALU, commutable, rematerializable
a + b, unsigned 32-bit · vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec
encoded as V_ADD_U32_e32_gfx9 (gfx9, gfx90a, gfx942), V_ADD_NC_U32_e32_gfx10 (gfx10), V_ADD_NC_U32_e32_gfx11 (gfx11), V_ADD_NC_U32_e32_gfx12 (gfx12, gfx1250)

== gfx900 V_ADD_F32_e64
**V_ADD_F32_e64**: VALU, may raise FP exceptions, commutable, rematerializable
a + b, 32-bit float · vdst vgpr_32 (def) · src0_modifiers · src0 vs_32 or constant · src1_modifiers · src1 vs_32 or constant · clamp · omod · reads $mode, $exec
encoded as V_ADD_F32_e64_gfx6_gfx7 (gfx6, gfx7), V_ADD_F32_e64_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F32_e64_gfx10 (gfx10), V_ADD_F32_e64_gfx11 (gfx11), V_ADD_F32_e64_gfx12 (gfx12, gfx1250)

== gfx900 V_MAC_F32_e32
**V_MAC_F32_e32**: VALU, commutable
d + a \\* b, 32-bit float · vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · src2 vgpr_32 (tied to vdst) · reads $mode, $exec
encoded as V_MAC_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_MAC_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_MAC_F32_e32_gfx10 (gfx10)

== gfx900 V_RCP_F32_e32
**V_RCP_F32_e32**: transcendental, VALU, may raise FP exceptions, rematerializable
1 / a, about, 32-bit float · vdst vgpr_32 (def) · src0 vs_32 or constant · reads $mode, $exec
encoded as V_RCP_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_RCP_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_RCP_F32_e32_gfx10 (gfx10), V_RCP_F32_e32_gfx11 (gfx11), V_RCP_F32_e32_gfx12 (gfx12, gfx1250)

== gfx900 V_PK_FMA_F16
**V_PK_FMA_F16**: VOP3P, VALU, may raise FP exceptions, commutable, rematerializable
two at once: a \\* b + c, rounded once, 16-bit float · vdst vgpr_32 (def) · src0_modifiers · src0 vs_32 or constant · src1_modifiers · src1 vs_32 or constant · src2_modifiers · src2 vs_32 or constant · clamp · op_sel · op_sel_hi · neg_lo · neg_hi · reads $mode, $exec
encoded as V_PK_FMA_F16_vi (gfx8, gfx9, gfx90a, gfx942), V_PK_FMA_F16_gfx10 (gfx10), V_PK_FMA_F16_gfx11 (gfx11), V_PK_FMA_F16_gfx12 (gfx12, gfx1250)

== gfx900 V_DOT2_F32_F16
**V_DOT2_F32_F16**: dot product, VOP3P, VALU, may raise FP exceptions
c + sum of 2 products of 16-bit float, 32-bit float · vdst vgpr_32 (def) · src0_modifiers · src0 vs_32 or constant · src1_modifiers · src1 vs_32 or constant · src2_modifiers · src2 vs_32 or constant · clamp · op_sel · op_sel_hi · neg_lo · neg_hi · reads $mode, $exec
encoded as V_DOT2_F32_F16_vi (gfx8, gfx9, gfx90a, gfx942), V_DOT2_F32_F16_gfx10 (gfx10), V_DOT2_F32_F16_gfx11 (gfx11), V_DOT2_F32_F16_gfx12 (gfx12, gfx1250)

== gfx900 V_ADD_U32_sdwa
**V_ADD_U32_sdwa**: SDWA, VALU, commutable, rematerializable
a + b, unsigned 32-bit · vdst vgpr_32 (def) · src0_modifiers · src0 vs_32 or inline constant · src1_modifiers · src1 vs_32 or inline constant · clamp · dst_sel · dst_unused · src0_sel · src1_sel · reads $exec
encoded as V_ADD_U32_sdwa_gfx9 (gfx9, gfx90a, gfx942), V_ADD_NC_U32_sdwa_gfx10 (gfx10)

== gfx900 V_MOV_B32_dpp
**V_MOV_B32_dpp**: DPP, VALU, convergent, rematerializable, cheap as a move
copies a, 32 bits · vdst vgpr_32 (def) · old vgpr_32 (tied to vdst) · src0 vgpr_32 · dpp_ctrl · row_mask · bank_mask · bound_ctrl · reads $exec
encoded as V_MOV_B32_dpp_vi (gfx8, gfx9, gfx90a, gfx942), V_MOV_B32_dpp_gfx10 (gfx10), V_MOV_B32_dpp_gfx11 (gfx11), V_MOV_B32_dpp_gfx12 (gfx12, gfx1250)

== gfx900 V_ADD_F64_e64
**V_ADD_F64_e64**: VALU, may raise FP exceptions, commutable, rematerializable
a + b, 64-bit float · vdst vreg_64 (def) · src0_modifiers · src0 vs_64 or constant · src1_modifiers · src1 vs_64 or constant · clamp · omod · reads $mode, $exec
encoded as V_ADD_F64_gfx6_gfx7 (gfx6, gfx7), V_ADD_F64_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F64_gfx10 (gfx10), V_ADD_F64_e64_gfx11 (gfx11)

== gfx900 S_ADD_U32
**S_ADD_U32**: SALU, commutable
a + b, unsigned 32-bit; SCC = carry or overflow · sdst sreg_32 (def) · src0 sreg_32 or constant · src1 sreg_32 or constant · writes $scc
encoded as S_ADD_U32_gfx6_gfx7 (gfx6, gfx7), S_ADD_U32_vi (gfx8, gfx9, gfx90a, gfx942), S_ADD_U32_gfx10 (gfx10), S_ADD_U32_gfx11 (gfx11), S_ADD_U32_gfx12 (gfx12, gfx1250)

== gfx900 S_MOV_B32
**S_MOV_B32**: SALU, rematerializable, cheap as a move, moves an immediate
copies a, 32 bits · sdst sreg_32 (def) · src0 sreg_32 or constant
encoded as S_MOV_B32_gfx6_gfx7 (gfx6, gfx7), S_MOV_B32_vi (gfx8, gfx9, gfx90a, gfx942), S_MOV_B32_gfx10 (gfx10), S_MOV_B32_gfx11 (gfx11), S_MOV_B32_gfx12 (gfx12, gfx1250)

== gfx900 S_CBRANCH_SCC1
**S_CBRANCH_SCC1**: SALU, branch, terminator
jumps if SCC is 1 · simm16 (block) · reads $scc
encoded as S_CBRANCH_SCC1_gfx6_gfx7 (gfx6, gfx7), S_CBRANCH_SCC1_vi (gfx8, gfx9, gfx90a, gfx942), S_CBRANCH_SCC1_gfx10 (gfx10), S_CBRANCH_SCC1_gfx11 (gfx11), S_CBRANCH_SCC1_gfx12 (gfx12, gfx1250)

== gfx900 S_BRANCH
**S_BRANCH**: SALU, branch, terminator, nothing falls through
jumps · simm16 (block)
encoded as S_BRANCH_gfx6_gfx7 (gfx6, gfx7), S_BRANCH_vi (gfx8, gfx9, gfx90a, gfx942), S_BRANCH_gfx10 (gfx10), S_BRANCH_gfx11 (gfx11), S_BRANCH_gfx12 (gfx12, gfx1250)

== gfx900 S_ENDPGM
**S_ENDPGM**: SALU, side effects, terminator, nothing falls through, return
ends the wave · simm16
encoded as S_ENDPGM_gfx6_gfx7 (gfx6, gfx7), S_ENDPGM_vi (gfx8, gfx9, gfx90a, gfx942), S_ENDPGM_gfx10 (gfx10), S_ENDPGM_gfx11 (gfx11), S_ENDPGM_gfx12 (gfx12, gfx1250)

== gfx900 S_SETPC_B64
**S_SETPC_B64**: SALU, branch, indirect branch, terminator, nothing falls through
jumps to the address, 64 bits · src0 sreg_64
encoded as S_SETPC_B64_gfx6_gfx7 (gfx6, gfx7), S_SETPC_B64_vi (gfx8, gfx9, gfx90a, gfx942), S_SETPC_B64_gfx10 (gfx10), S_SETPC_B64_gfx11 (gfx11), S_SETPC_B64_gfx12 (gfx12), S_SETPC_B64_gfx1250 (gfx1250)

== gfx900 SI_RETURN
**SI_RETURN**: SALU, terminator, nothing falls through, return
returns

== gfx900 SI_CALL
**SI_CALL**: SALU, side effects, convergent, call
calls; d = address to return to · dst sreg_64 (def) · src0 sreg_64_encodable or constant · callee

== gfx900 S_LOAD_DWORDX2_IMM
**S_LOAD_DWORDX2_IMM**: scalar memory, may load, rematerializable
reads 64 bits from memory, once for the wave · sdst sreg_64_xexec (def) · sbase sreg_64 · offset · cpol
encoded as S_LOAD_DWORDX2_IMM_si (gfx6, gfx7), S_LOAD_DWORDX2_IMM_vi (gfx8, gfx9, gfx90a, gfx942), S_LOAD_DWORDX2_IMM_gfx10 (gfx10), S_LOAD_B64_IMM_gfx11 (gfx11), S_LOAD_B64_IMM_gfx12 (gfx12, gfx1250)

== gfx900 BUFFER_LOAD_DWORD_OFFEN
**BUFFER_LOAD_DWORD_OFFEN**: buffer memory, may load
reads 32 bits from a buffer · vdata vgpr_32 (def) · vaddr vgpr_32 · srsrc sreg_128_xnull · soffset sreg_32 or inline constant · offset · cpol · swz · reads $exec
encoded as BUFFER_LOAD_DWORD_OFFEN_gfx6_gfx7 (gfx6, gfx7), BUFFER_LOAD_DWORD_OFFEN_vi (gfx8, gfx9), BUFFER_LOAD_DWORD_OFFEN_gfx90a (gfx90a, gfx942), BUFFER_LOAD_DWORD_OFFEN_gfx10 (gfx10), BUFFER_LOAD_DWORD_OFFEN_gfx11 (gfx11), BUFFER_LOAD_DWORD_VBUFFER_OFFEN_gfx12 (gfx12, gfx1250)

== gfx900 TBUFFER_LOAD_FORMAT_X_OFFEN
**TBUFFER_LOAD_FORMAT_X_OFFEN**: typed buffer memory, may load
reads elements X by the format from a typed buffer · vdata vgpr_32 (def) · vaddr vgpr_32 · srsrc sreg_128_xnull · soffset sreg_32 or inline constant · offset · format · cpol · swz · reads $exec
encoded as TBUFFER_LOAD_FORMAT_X_OFFEN_gfx6_gfx7 (gfx6, gfx7), TBUFFER_LOAD_FORMAT_X_OFFEN_vi (gfx8, gfx9), TBUFFER_LOAD_FORMAT_X_OFFEN_gfx90a (gfx90a, gfx942), TBUFFER_LOAD_FORMAT_X_OFFEN_gfx10 (gfx10), TBUFFER_LOAD_FORMAT_X_OFFEN_gfx11 (gfx11), TBUFFER_LOAD_FORMAT_X_VBUFFER_OFFEN_gfx12 (gfx12, gfx1250)

== gfx900 GLOBAL_STORE_DWORD
**GLOBAL_STORE_DWORD**: flat memory, may store
writes 32 bits to global memory · vaddr vreg_64 · vdata vgpr_32 · offset · cpol · reads $exec
encoded as GLOBAL_STORE_DWORD_vi (gfx8, gfx9, gfx90a, gfx942), GLOBAL_STORE_DWORD_gfx10 (gfx10), GLOBAL_STORE_DWORD_gfx11 (gfx11), GLOBAL_STORE_DWORD_gfx12 (gfx12, gfx1250)

== gfx900 FLAT_ATOMIC_ADD_RTN
**FLAT_ATOMIC_ADD_RTN**: flat memory, may load, may store
memory by a flat address: adds, at once for all who look · vdst vgpr_32 (def) · vaddr vreg_64 · vdata vgpr_32 · offset · cpol · reads $exec, $flat_scr
encoded as FLAT_ATOMIC_ADD_RTN_ci (gfx6, gfx7), FLAT_ATOMIC_ADD_RTN_vi (gfx8, gfx9, gfx90a, gfx942), FLAT_ATOMIC_ADD_RTN_gfx10 (gfx10), FLAT_ATOMIC_ADD_RTN_gfx11 (gfx11), FLAT_ATOMIC_ADD_RTN_gfx12 (gfx12, gfx1250)

== gfx900 DS_READ_B32
**DS_READ_B32**: LDS, may load
reads 32 bits from LDS · vdst vgpr_32 (def) · addr vgpr_32 · offset · gds · reads $m0, $exec
encoded as DS_READ_B32_gfx6_gfx7 (gfx6, gfx7), DS_READ_B32_vi (gfx8, gfx9, gfx90a, gfx942)

== gfx900 DS_WRITE_B32_gfx9
**DS_WRITE_B32_gfx9**: LDS, may store
writes 32 bits to LDS · addr vgpr_32 · data0 vgpr_32 · offset · gds · reads $exec
encoded as DS_WRITE_B32_vi_gfx9 (gfx8, gfx9, gfx90a, gfx942), DS_WRITE_B32_gfx10 (gfx10), DS_WRITE_B32_gfx11 (gfx11), DS_WRITE_B32_gfx12 (gfx12, gfx1250)

== gfx900 IMAGE_LOAD_V1_V1
**IMAGE_LOAD_V1_V1**: image memory, may load
reads texels from an image · vdata vgpr_32 (def) · vaddr vgpr_32 · srsrc sreg_256_xnull · dmask · unorm · cpol · r128 · tfe · lwe · da · d16 · reads $exec

== gfx900 V_CMP_EQ_U32_e64
**V_CMP_EQ_U32_e64**: VALU, commutable, compare
mask of the lanes in which a = b, unsigned 32-bit · sdst sreg_64 (def) · src0 vs_32 or constant · src1 vs_32 or constant · reads $exec
encoded as V_CMP_EQ_U32_e64_gfx6_gfx7 (gfx6, gfx7), V_CMP_EQ_U32_e64_vi (gfx8, gfx9, gfx90a, gfx942), V_CMP_EQ_U32_e64_gfx10 (gfx10), V_CMP_EQ_U32_e64_gfx11 (gfx11), V_CMP_EQ_U32_e64_gfx12 (gfx12, gfx1250)

== gfx900 V_CMPX_LT_F32_e32
**V_CMPX_LT_F32_e32**: VALU, convergent, commutable, compare
EXEC = lanes in which a \\< b, 32-bit float · src0 vs_32 or constant · src1 vgpr_32 · reads $mode, $exec · writes $vcc, $exec
encoded as V_CMPX_LT_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_CMPX_LT_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942)

== gfx900 V_READFIRSTLANE_B32
**V_READFIRSTLANE_B32**: VALU, convergent
a of the first active lane, into an SGPR, 32 bits · vdst sreg_32_xm0 (def) · src0 vregorlds_32 · reads $exec
encoded as V_READFIRSTLANE_B32_gfx6_gfx7 (gfx6, gfx7), V_READFIRSTLANE_B32_vi (gfx8, gfx9, gfx90a, gfx942), V_READFIRSTLANE_B32_gfx10 (gfx10), V_READFIRSTLANE_B32_gfx11 (gfx11), V_READFIRSTLANE_B32_gfx12 (gfx12, gfx1250)

== gfx900 S_NOP
**S_NOP**: SALU, side effects
does nothing for a + 1 cycles · simm16
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), S_NOP_gfx11 (gfx11), S_NOP_gfx12 (gfx12, gfx1250)

== gfx900 S_BARRIER
**S_BARRIER**: SALU, side effects, convergent
waits for all waves of the work-group
encoded as S_BARRIER_gfx6_gfx7 (gfx6, gfx7), S_BARRIER_vi (gfx8, gfx9, gfx90a, gfx942), S_BARRIER_gfx10 (gfx10), S_BARRIER_gfx11 (gfx11)

== gfx900 IMPLICIT_DEF
**IMPLICIT_DEF**: makes no code, rematerializable, cheap as a move
any value · operand 0 (def)

== gfx900 KILL
**KILL**: makes no code, variadic
ends values; makes no code

== gfx900 PHI
**PHI**: variadic
the value that belongs to the block that control came from · operand 0 (def)

== gfx900 COPY
**COPY**: cheap as a move
d = a, whatever the classes · operand 0 (def) · operand 1

== gfx900 INLINEASM
**INLINEASM**: variadic
assembly of the source

== gfx900 SI_IF
**SI_IF**: SALU, side effects, terminator, not duplicable
begins a divergent branch: lanes of the condition go on, the others are kept · operand 0 sreg_64 (def) · operand 1 sreg_64 · operand 2 · reads $exec · writes $exec, $scc

== gfx900 SI_INDIRECT_SRC_V1
**SI_INDIRECT_SRC_V1**: VALU, side effects
reads a part of a register by an index · vdst vgpr_32 (def) · src vgpr_32 · idx vs_32 · offset · reads $exec · writes $m0, $exec, $scc

== gfx900 V_MOVRELS_B32_e32
**V_MOVRELS_B32_e32**: VALU
copies the register at a + M0, 32 bits · vdst vgpr_32 (def) · src0 vgpr_32 · reads $m0, $exec
encoded as V_MOVRELS_B32_e32_gfx6_gfx7 (gfx6, gfx7), V_MOVRELS_B32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_MOVRELS_B32_e32_gfx10 (gfx10), V_MOVRELS_B32_e32_gfx11 (gfx11), V_MOVRELS_B32_e32_gfx12 (gfx12, gfx1250)

== gfx900 S_CMP_EQ_U32
**S_CMP_EQ_U32**: SALU, commutable, compare
SCC = a = b, unsigned 32-bit · src0 sreg_32 or constant · src1 sreg_32 or constant · writes $scc
encoded as S_CMP_EQ_U32_gfx6_gfx7 (gfx6, gfx7), S_CMP_EQ_U32_vi (gfx8, gfx9, gfx90a, gfx942), S_CMP_EQ_U32_gfx10 (gfx10), S_CMP_EQ_U32_gfx11 (gfx11), S_CMP_EQ_U32_gfx12 (gfx12, gfx1250)

== gfx900 V_CNDMASK_B32_e64
**V_CNDMASK_B32_e64**: VALU, rematerializable
b in the lanes of the mask, a in others, 32 bits · vdst vgpr_32 (def) · src0_modifiers · src0 vs_32 or constant · src1_modifiers · src1 vs_32 or constant · src2 sreg_64_xexec · reads $exec
encoded as V_CNDMASK_B32_e64_gfx6_gfx7 (gfx6, gfx7), V_CNDMASK_B32_e64_vi (gfx8, gfx9, gfx90a, gfx942), V_CNDMASK_B32_e64_gfx10 (gfx10), V_CNDMASK_B32_e64_gfx11 (gfx11), V_CNDMASK_B32_e64_gfx12 (gfx12, gfx1250)

== gfx900 DBG_VALUE
**DBG_VALUE**: makes no code, variadic
where a variable of the source is

== gfx900 S_MEMTIME
**S_MEMTIME**: scalar memory, side effects
the clock · sdst sreg_64_xexec (def)
encoded as S_MEMTIME_si (gfx6, gfx7), S_MEMTIME_vi (gfx8, gfx9, gfx90a, gfx942), S_MEMTIME_gfx10 (gfx10)

== gfx900 V_INTERP_P1_F32
**V_INTERP_P1_F32**: VALU
first step of an interpolation, 32-bit float · operand 0 vgpr_32 (def) · operand 1 vgpr_32 · operand 2 · operand 3 · reads $mode, $m0, $exec
encoded as V_INTERP_P1_F32_si (gfx6, gfx7), V_INTERP_P1_F32_vi (gfx8, gfx9, gfx90a, gfx942), V_INTERP_P1_F32_gfx10 (gfx10)

== gfx900 EXP
**EXP**: may store
exports to the rest of the pipeline · tgt · src0 vgpr_32 · src1 vgpr_32 · src2 vgpr_32 · src3 vgpr_32 · vm · compr · en · reads $exec
encoded as EXP_si (gfx6, gfx7), EXP_vi (gfx8, gfx9, gfx90a, gfx942), EXP_gfx10 (gfx10), EXP_gfx11 (gfx11), EXP_gfx12 (gfx12, gfx1250)

== gfx900 G_ADD
**G_ADD**: commutable
a + b · operand 0 (def) · operand 1 · operand 2

== gfx900 S_GETPC_B64
**S_GETPC_B64**: SALU
address of the next instruction, 64 bits · sdst sreg_64 (def)
encoded as S_GETPC_B64_gfx6_gfx7 (gfx6, gfx7), S_GETPC_B64_vi (gfx8, gfx9, gfx90a, gfx942), S_GETPC_B64_gfx10 (gfx10), S_GETPC_B64_gfx11 (gfx11), S_GETPC_B64_gfx12 (gfx12), S_GETPC_B64_gfx1250 (gfx1250)

== gfx900 V_MOV_B64_PSEUDO
**V_MOV_B64_PSEUDO**: VALU, rematerializable, cheap as a move, moves an immediate
copies a, 64 bits · vdst vreg_64 (def) · src0 vs_64 or constant · reads $exec

== gfx900 SI_SPILL_V32_SAVE
**SI_SPILL_V32_SAVE**: VALU, may store, side effects
spills 32 bits of VGPRs · vdata vgpr_32 · vaddr · soffset sreg_32 · offset · reads $exec

== gfx90a V_MFMA_F32_32X32X1F32_e64
**V_MFMA_F32_32X32X1F32_e64**: MAI, VALU, convergent
matrices of the whole wave: 32x32 of 32-bit float + 32x1 \\* 1x32 of f32 · vdst areg_1024_align2 (def, early-clobber) · src0 av_32 · src1 av_32 · src2 areg_1024_align2 or inline constant · cbsz · abid · blgp · reads $mode, $exec
encoded as V_MFMA_F32_32X32X1F32_vi (gfx8, gfx9), V_MFMA_F32_32X32X1F32_gfx90a_acd (gfx90a), V_MFMA_F32_32X32X1F32_gfx940_acd (gfx942)

== gfx90a V_ACCVGPR_WRITE_B32_e64
**V_ACCVGPR_WRITE_B32_e64**: MAI, VALU, rematerializable, cheap as a move, moves an immediate
copies a VGPR into an AGPR, 32 bits · vdst agpr_32 (def) · src0 vs_32 or inline constant · reads $exec
encoded as V_ACCVGPR_WRITE_B32_vi (gfx8, gfx9, gfx90a, gfx942)

== gfx90a V_ACCVGPR_READ_B32_e64
**V_ACCVGPR_READ_B32_e64**: MAI, VALU, rematerializable, cheap as a move
copies an AGPR into a VGPR, 32 bits · vdst vgpr_32 (def) · src0 agpr_32 · reads $exec
encoded as V_ACCVGPR_READ_B32_vi (gfx8, gfx9, gfx90a, gfx942)

== gfx90a V_PK_FMA_F32
**V_PK_FMA_F32**: VOP3P, VALU, may raise FP exceptions, commutable, rematerializable
two at once: a \\* b + c, rounded once, 32-bit float · vdst vreg_64_align2 (def) · src0_modifiers · src0 vs_64_align2 or constant · src1_modifiers · src1 vs_64_align2 or constant · src2_modifiers · src2 vs_64_align2 or constant · clamp · op_sel · op_sel_hi · neg_lo · neg_hi · reads $mode, $exec
encoded as V_PK_FMA_F32_vi (gfx8, gfx9, gfx90a, gfx942), V_PK_FMA_F32_gfx12 (gfx12, gfx1250)

== gfx90a GLOBAL_ATOMIC_ADD_F64
**GLOBAL_ATOMIC_ADD_F64**: flat memory, may load, may store
global memory: adds, at once for all who look · vaddr vreg_64_align2 · vdata av_64_align2 · offset · cpol · reads $exec
encoded as GLOBAL_ATOMIC_ADD_F64_vi (gfx8, gfx9, gfx90a), GLOBAL_ATOMIC_ADD_F64_gfx940 (gfx942), GLOBAL_ATOMIC_ADD_F64_gfx1250 (gfx1250)

== gfx90a V_MFMA_F32_4X4X1F32_vgprcd_e64
**V_MFMA_F32_4X4X1F32_vgprcd_e64**: MAI, VALU, convergent
matrices of the whole wave: 4x4 of 32-bit float + 4x1 \\* 1x4 of f32 · vdst vreg_128_align2 (def) · src0 av_32 · src1 av_32 · src2 vreg_128_align2 or inline constant · cbsz · abid · blgp · reads $mode, $exec
encoded as V_MFMA_F32_4X4X1F32_gfx90a_vcd (gfx90a), V_MFMA_F32_4X4X1F32_gfx940_vcd (gfx942)

== gfx1100 V_WMMA_F32_16X16X16_F16_twoaddr_w32
**V_WMMA_F32_16X16X16_F16_twoaddr_w32**: WMMA, VOP3P, VALU
matrices of the whole wave: 16x16 of 32-bit float + 16x16 \\* 16x16 of f16 · vdst vreg_256 (def, early-clobber) · src0_modifiers · src0 vreg_256 · src1_modifiers · src1 vreg_256 · src2_modifiers · src2 vreg_256 or inline constant (tied to vdst) · neg_lo · neg_hi · reads $exec
encoded as V_WMMA_F32_16X16X16_F16_twoaddr_w32_gfx11 (gfx11)

== gfx1100 V_ADD_F16_t16_e64
**V_ADD_F16_t16_e64**: VALU, may raise FP exceptions, commutable, rematerializable
a + b, 16-bit float · vdst vgpr_16 (def) · src0_modifiers · src0 vs_16 or constant · src1_modifiers · src1 vs_16 or constant · clamp · omod · op_sel · reads $mode, $exec
encoded as V_ADD_F16_t16_e64_gfx11 (gfx11), V_ADD_F16_t16_e64_gfx12 (gfx12, gfx1250)

== gfx1100 S_DELAY_ALU
**S_DELAY_ALU**: SALU
says how far back the ALU results that come next were begun, so that the wave need not stall · simm16
encoded as S_DELAY_ALU_gfx11 (gfx11), S_DELAY_ALU_gfx12 (gfx12, gfx1250)

== gfx1100 V_FMAC_F32_e32
**V_FMAC_F32_e32**: VALU, may raise FP exceptions, commutable
d + a \\* b, rounded once, 32-bit float · vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · src2 vgpr_32 (tied to vdst) · reads $mode, $exec
encoded as V_FMAC_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_FMAC_F32_e32_gfx10 (gfx10), V_FMAC_F32_e32_gfx11 (gfx11), V_FMAC_F32_e32_gfx12 (gfx12, gfx1250)

== gfx1100 DS_GWS_INIT
**DS_GWS_INIT**: LDS, may store, side effects, convergent
data0 vgpr_32 · offset · reads $m0, $exec
encoded as DS_GWS_INIT_gfx6_gfx7 (gfx6, gfx7), DS_GWS_INIT_vi (gfx8, gfx9, gfx90a, gfx942), DS_GWS_INIT_gfx10 (gfx10), DS_GWS_INIT_gfx11 (gfx11)

== gfx1100 LDS_DIRECT_LOAD
**LDS_DIRECT_LOAD**: may load
vdst vgpr_32 (def) · waitvdst · reads $m0, $exec
encoded as LDS_DIRECT_LOAD_gfx11 (gfx11)

== gfx1250 V_TANH_F32_e32
**V_TANH_F32_e32**: transcendental, VALU, may raise FP exceptions, rematerializable
tanh(a), about, 32-bit float · vdst vgpr_32 (def) · src0 vs_32 or constant · reads $mode, $exec
encoded as V_TANH_F32_e32_gfx1250 (gfx1250)

== gfx1250 TENSOR_LOAD_TO_LDS
**TENSOR_LOAD_TO_LDS**: VALU, may load, may store
vaddr0 sreg_128_xnull · vaddr1 sreg_256_xnull · vaddr2 sreg_128_xnull · vaddr3 sreg_128_xnull · r128 · cpol · reads $exec, $tensorcnt · writes $tensorcnt
encoded as TENSOR_LOAD_TO_LDS_gfx1250 (gfx1250)

== gfx600 V_ADD_U32_e32
**V_ADD_U32_e32**: VALU, commutable, rematerializable
a + b, unsigned 32-bit · vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec
**no encoding on gfx600**
encoded as V_ADD_U32_e32_gfx9 (gfx9, gfx90a, gfx942), V_ADD_NC_U32_e32_gfx10 (gfx10), V_ADD_NC_U32_e32_gfx11 (gfx11), V_ADD_NC_U32_e32_gfx12 (gfx12, gfx1250)

== gfx600 S_NOP
**S_NOP**: SALU, side effects
does nothing for a + 1 cycles · simm16
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), S_NOP_gfx11 (gfx11), S_NOP_gfx12 (gfx12, gfx1250)

== gfx600 DS_READ_B32
**DS_READ_B32**: LDS, may load
reads 32 bits from LDS · vdst vgpr_32 (def) · addr vgpr_32 · offset · gds · reads $m0, $exec
encoded as DS_READ_B32_gfx6_gfx7 (gfx6, gfx7), DS_READ_B32_vi (gfx8, gfx9, gfx90a, gfx942)

== generic V_ADD_F32_e32
**V_ADD_F32_e32**: VALU, may raise FP exceptions, commutable, rematerializable
a + b, 32-bit float · vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $mode, $exec
encoded as V_ADD_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_ADD_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F32_e32_gfx10 (gfx10), V_ADD_F32_e32_gfx11 (gfx11), V_ADD_F32_e32_gfx12 (gfx12, gfx1250)
`;

describeParts('facts about an opcode', FACTS, (head) => {
  const [, cpu, name = ''] = /^== (\w+) (\w+)/.exec(head)!;
  const st = createSubtarget('amdgcn', cpu === 'generic' ? '' : cpu!, '');
  const [title, ...facts] = opcodeFacts(st, st.tables.opcodeByName(name)).map((line) => line.source);
  return [head, title, ...inOneLine(facts, /^(?:encoded as|\*\*)/)].join('\n');
});

describe('facts about an opcode of R600', () => {
  it('has no costs, encodings or implicit registers', () => {
    const st = createSubtarget('r600', 'cayman', '');
    const facts = (name: string): string[] => opcodeFacts(st, st.tables.opcodeByName(name)).map((line) => line.source);
    assert.deepEqual(facts('RAT_WRITE_CACHELESS_32_eg'), [
      '**RAT_WRITE_CACHELESS_32_eg**: may store',
      'operand 0 r600_treg32_x',
      'operand 1 r600_treg32_x',
      'operand 2',
    ]);
    const add = facts('ADD');
    assert.deepEqual(
      [add.length, add[0], add[1], add[19]],
      [22, '**ADD**', 'operand 0 r600_reg32 (def)', 'operand 18 r600_predicate'],
    );
  });
});

/** Bodies by processor, and below what is said of their instructions: in a hover with encodings and without, `- ` in a report. */
const BODIES: Readonly<Record<string, string>> = {
  gfx900: `    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_RCP_F32_e32 %0, implicit $mode, implicit $exec
    %2:vreg_64 = IMPLICIT_DEF
    %3:vreg_64 = V_FMA_F64_e64 0, %2, 0, %2, 0, %2, 0, 0, implicit $mode, implicit $exec
    %4:sgpr_64 = IMPLICIT_DEF
    %5:sreg_64_xexec = S_LOAD_DWORDX2_IMM %4, 0, 0
    %6:vgpr_32 = GLOBAL_LOAD_DWORD %2, 0, 0, implicit $exec
    %7:vgpr_32 = V_PK_FMA_F16 0, %0, 0, %0, 0, %0, 0, 0, 0, 0, 0, implicit $mode, implicit $exec
    %8:vgpr_32 = V_ADD_U32_e32 %0, %1, implicit $exec
    DBG_VALUE %0
    KILL %0
    S_BARRIER
    %9:vgpr_32 = V_MUL_LO_U32_e64 %0, %1, implicit $exec
    S_BRANCH %bb.1

  bb.1:
    S_ENDPGM 0
`,
  gfx90a: `    %0:vgpr_32 = IMPLICIT_DEF
    %1:areg_128_align2 = IMPLICIT_DEF
    early-clobber %2:areg_128_align2 = V_MFMA_F32_4X4X1F32_e64 %0, %0, %1, 0, 0, 0, implicit $mode, implicit $exec
    %3:vgpr_32 = V_ADD_F32_e32 %0, %0, implicit $mode, implicit $exec
    S_ENDPGM 0
`,
  gfx600: `    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_ADD_U32_e32 %0, %0, implicit $exec
    %2:vgpr_32 = V_ADD_F32_e32 %0, %0, implicit $mode, implicit $exec
    S_ENDPGM 0
`,
  gfx1250: `    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_TANH_F32_e32 %0, implicit $mode, implicit $exec
    S_ENDPGM 0
`,
  gfx1030: `    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_RCP_F32_e32 %0, implicit $mode, implicit $exec
    %2:vgpr_32 = V_ADD_U32_e32 %0, %1, implicit $exec
    S_NOP 0
    S_ENDPGM 0
`,
  generic: `    %0:vgpr_32 = IMPLICIT_DEF
    %2:vgpr_32 = V_ADD_F32_e32 %0, %0, implicit $mode, implicit $exec
    S_ENDPGM 0
`,
};

const TOLD = expect`
== gfx900 IMPLICIT_DEF
**IMPLICIT_DEF** any value · makes no code, rematerializable, cheap as a move · latency 0 cycles (model of gfx900)
operand 0 (def)
- IMPLICIT_DEF: makes no code, rematerializable, cheap as a move
- any value
- operand 0 (def)
- latency 0 cycles (model of gfx900)

== gfx900 V_RCP_F32_e32
**V_RCP_F32_e32** 1 / a, about, 32-bit float · transcendental, VALU, may raise FP exceptions, rematerializable · latency 4 cycles (model of gfx900)
vdst vgpr_32 (def) · src0 vs_32 or constant · reads $mode, $exec
encoded as V_RCP_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_RCP_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_RCP_F32_e32_gfx10 (gfx10), ...
- V_RCP_F32_e32: transcendental, VALU, may raise FP exceptions, rematerializable
- 1 / a, about, 32-bit float
- vdst vgpr_32 (def) · src0 vs_32 or constant · reads $mode, $exec
- latency 4 cycles (model of gfx900); takes HWVALU; 1 micro-op
- encoded as V_RCP_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_RCP_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_RCP_F32_e32_gfx10 (gfx10), V_RCP_F32_e32_gfx11 (gfx11), V_RCP_F32_e32_gfx12 (gfx12, gfx1250)
- other forms: V_RCP_F32_e64, V_RCP_F32_sdwa, V_RCP_F32_dpp

== gfx900 V_FMA_F64_e64
**V_FMA_F64_e64** a \\* b + c, rounded once, 64-bit float · VALU, may raise FP exceptions, commutable, rematerializable · latency 8 cycles (model of gfx900)
vdst vreg_64 (def) · src0_modifiers · src0 vs_64 or constant · src1_modifiers · src1 vs_64 or constant · src2_modifiers · src2 vs_64 or constant · clamp · 1 more · reads $mode, $exec
encoded as V_FMA_F64_gfx6_gfx7 (gfx6, gfx7), V_FMA_F64_vi (gfx8, gfx9, gfx90a, gfx942), V_FMA_F64_gfx10 (gfx10), ...
- V_FMA_F64_e64: VALU, may raise FP exceptions, commutable, rematerializable
- a * b + c, rounded once, 64-bit float
- vdst vreg_64 (def) · src0_modifiers · src0 vs_64 or constant · src1_modifiers · src1 vs_64 or constant · src2_modifiers · src2 vs_64 or constant · clamp · omod · reads $mode, $exec
- latency 8 cycles (model of gfx900); takes HWVALU; 1 micro-op
- encoded as V_FMA_F64_gfx6_gfx7 (gfx6, gfx7), V_FMA_F64_vi (gfx8, gfx9, gfx90a, gfx942), V_FMA_F64_gfx10 (gfx10), V_FMA_F64_e64_gfx11 (gfx11), V_FMA_F64_e64_gfx12 (gfx12), V_FMA_F64_e64_gfx1250 (gfx1250)
- other forms: V_FMA_F64_e64_dpp

== gfx900 S_LOAD_DWORDX2_IMM
**S_LOAD_DWORDX2_IMM** reads 64 bits from memory, once for the wave · scalar memory, may load, rematerializable · latency 5 cycles (model of gfx900)
sdst sreg_64_xexec (def) · sbase sreg_64 · offset · cpol
encoded as S_LOAD_DWORDX2_IMM_si (gfx6, gfx7), S_LOAD_DWORDX2_IMM_vi (gfx8, gfx9, gfx90a, gfx942), S_LOAD_DWORDX2_IMM_gfx10 (gfx10), ...
- S_LOAD_DWORDX2_IMM: scalar memory, may load, rematerializable
- reads 64 bits from memory, once for the wave
- sdst sreg_64_xexec (def) · sbase sreg_64 · offset · cpol
- latency 5 cycles (model of gfx900); takes HWLGKM; 1 micro-op
- encoded as S_LOAD_DWORDX2_IMM_si (gfx6, gfx7), S_LOAD_DWORDX2_IMM_vi (gfx8, gfx9, gfx90a, gfx942), S_LOAD_DWORDX2_IMM_gfx10 (gfx10), S_LOAD_B64_IMM_gfx11 (gfx11), S_LOAD_B64_IMM_gfx12 (gfx12, gfx1250)

== gfx900 GLOBAL_LOAD_DWORD
**GLOBAL_LOAD_DWORD** reads 32 bits from global memory · flat memory, may load · latency 80 cycles (model of gfx900)
vdst vgpr_32 (def) · vaddr vreg_64 · offset · cpol · reads $exec
encoded as GLOBAL_LOAD_DWORD_vi (gfx8, gfx9, gfx90a, gfx942), GLOBAL_LOAD_DWORD_gfx10 (gfx10), GLOBAL_LOAD_DWORD_gfx11 (gfx11), ...
- GLOBAL_LOAD_DWORD: flat memory, may load
- reads 32 bits from global memory
- vdst vgpr_32 (def) · vaddr vreg_64 · offset · cpol · reads $exec
- latency 80 cycles (model of gfx900); takes HWVMEM; 1 micro-op
- encoded as GLOBAL_LOAD_DWORD_vi (gfx8, gfx9, gfx90a, gfx942), GLOBAL_LOAD_DWORD_gfx10 (gfx10), GLOBAL_LOAD_DWORD_gfx11 (gfx11), GLOBAL_LOAD_DWORD_gfx12 (gfx12, gfx1250)
- not at all on gfx6, gfx7

== gfx900 V_PK_FMA_F16
**V_PK_FMA_F16** two at once: a \\* b + c, rounded once, 16-bit float · VOP3P, VALU, may raise FP exceptions, commutable, rematerializable · latency 1 cycle (model of gfx900)
vdst vgpr_32 (def) · src0_modifiers · src0 vs_32 or constant · src1_modifiers · src1 vs_32 or constant · src2_modifiers · src2 vs_32 or constant · clamp · 4 more · reads $mode, $exec
encoded as V_PK_FMA_F16_vi (gfx8, gfx9, gfx90a, gfx942), V_PK_FMA_F16_gfx10 (gfx10), V_PK_FMA_F16_gfx11 (gfx11), ...
- V_PK_FMA_F16: VOP3P, VALU, may raise FP exceptions, commutable, rematerializable
- two at once: a * b + c, rounded once, 16-bit float
- vdst vgpr_32 (def) · src0_modifiers · src0 vs_32 or constant · src1_modifiers · src1 vs_32 or constant · src2_modifiers · src2 vs_32 or constant · clamp · op_sel · op_sel_hi · neg_lo · neg_hi · reads $mode, $exec
- latency 1 cycle (model of gfx900); takes HWVALU; 1 micro-op
- encoded as V_PK_FMA_F16_vi (gfx8, gfx9, gfx90a, gfx942), V_PK_FMA_F16_gfx10 (gfx10), V_PK_FMA_F16_gfx11 (gfx11), V_PK_FMA_F16_gfx12 (gfx12, gfx1250)
- not at all on gfx6, gfx7

== gfx900 V_ADD_U32_e32
**V_ADD_U32_e32** a + b, unsigned 32-bit · VALU, commutable, rematerializable · latency 1 cycle (model of gfx900)
vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec
encoded as V_ADD_U32_e32_gfx9 (gfx9, gfx90a, gfx942), V_ADD_NC_U32_e32_gfx10 (gfx10), V_ADD_NC_U32_e32_gfx11 (gfx11), ...
- V_ADD_U32_e32: VALU, commutable, rematerializable
- a + b, unsigned 32-bit
- vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec
- latency 1 cycle (model of gfx900); takes HWVALU; 1 micro-op
- encoded as V_ADD_U32_e32_gfx9 (gfx9, gfx90a, gfx942), V_ADD_NC_U32_e32_gfx10 (gfx10), V_ADD_NC_U32_e32_gfx11 (gfx11), V_ADD_NC_U32_e32_gfx12 (gfx12, gfx1250)
- not at all on gfx6, gfx7, gfx8
- other forms: V_ADD_U32_e64, V_ADD_U32_sdwa, V_ADD_U32_dpp

== gfx900 DBG_VALUE
**DBG_VALUE** where a variable of the source is · makes no code, variadic · latency 0 cycles (model of gfx900)
no operands
- DBG_VALUE: makes no code, variadic
- where a variable of the source is
- latency 0 cycles (model of gfx900)

== gfx900 KILL
**KILL** ends values; makes no code · makes no code, variadic · latency 0 cycles (model of gfx900)
no operands
- KILL: makes no code, variadic
- ends values; makes no code
- latency 0 cycles (model of gfx900)

== gfx900 S_BARRIER
**S_BARRIER** waits for all waves of the work-group · SALU, side effects, convergent · latency 500 cycles (model of gfx900)
no operands
encoded as S_BARRIER_gfx6_gfx7 (gfx6, gfx7), S_BARRIER_vi (gfx8, gfx9, gfx90a, gfx942), S_BARRIER_gfx10 (gfx10), ...
- S_BARRIER: SALU, side effects, convergent
- waits for all waves of the work-group
- latency 500 cycles (model of gfx900); takes HWBranch; 1 micro-op
- encoded as S_BARRIER_gfx6_gfx7 (gfx6, gfx7), S_BARRIER_vi (gfx8, gfx9, gfx90a, gfx942), S_BARRIER_gfx10 (gfx10), S_BARRIER_gfx11 (gfx11)
- not at all on gfx12, gfx1250

== gfx900 V_MUL_LO_U32_e64
**V_MUL_LO_U32_e64** low half of a \\* b, unsigned 32-bit · VALU, commutable, rematerializable · latency 4 cycles (model of gfx900)
vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vs_32 or constant · reads $exec
encoded as V_MUL_LO_U32_gfx6_gfx7 (gfx6, gfx7), V_MUL_LO_U32_vi (gfx8, gfx9, gfx90a, gfx942), V_MUL_LO_U32_gfx10 (gfx10), ...
- V_MUL_LO_U32_e64: VALU, commutable, rematerializable
- low half of a * b, unsigned 32-bit
- vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vs_32 or constant · reads $exec
- latency 4 cycles (model of gfx900); takes HWVALU; 1 micro-op
- encoded as V_MUL_LO_U32_gfx6_gfx7 (gfx6, gfx7), V_MUL_LO_U32_vi (gfx8, gfx9, gfx90a, gfx942), V_MUL_LO_U32_gfx10 (gfx10), V_MUL_LO_U32_e64_gfx11 (gfx11), V_MUL_LO_U32_e64_gfx12 (gfx12), V_MUL_LO_U32_e64_gfx1250 (gfx1250)
- other forms: V_MUL_LO_U32_e64_dpp

== gfx900 S_BRANCH
**S_BRANCH** jumps · SALU, branch, terminator, nothing falls through · latency 8 cycles (model of gfx900)
simm16 (block)
encoded as S_BRANCH_gfx6_gfx7 (gfx6, gfx7), S_BRANCH_vi (gfx8, gfx9, gfx90a, gfx942), S_BRANCH_gfx10 (gfx10), ...
- S_BRANCH: SALU, branch, terminator, nothing falls through
- jumps
- simm16 (block)
- latency 8 cycles (model of gfx900); takes HWBranch; 1 micro-op
- encoded as S_BRANCH_gfx6_gfx7 (gfx6, gfx7), S_BRANCH_vi (gfx8, gfx9, gfx90a, gfx942), S_BRANCH_gfx10 (gfx10), S_BRANCH_gfx11 (gfx11), S_BRANCH_gfx12 (gfx12, gfx1250)

== gfx900 S_ENDPGM
**S_ENDPGM** ends the wave · SALU, side effects, terminator, nothing falls through, return · latency 1 cycle (model of gfx900)
simm16
encoded as S_ENDPGM_gfx6_gfx7 (gfx6, gfx7), S_ENDPGM_vi (gfx8, gfx9, gfx90a, gfx942), S_ENDPGM_gfx10 (gfx10), ...
- S_ENDPGM: SALU, side effects, terminator, nothing falls through, return
- ends the wave
- simm16
- latency 1 cycle (model of gfx900); takes HWSALU; 1 micro-op
- encoded as S_ENDPGM_gfx6_gfx7 (gfx6, gfx7), S_ENDPGM_vi (gfx8, gfx9, gfx90a, gfx942), S_ENDPGM_gfx10 (gfx10), S_ENDPGM_gfx11 (gfx11), S_ENDPGM_gfx12 (gfx12, gfx1250)

== gfx90a IMPLICIT_DEF
**IMPLICIT_DEF** any value · makes no code, rematerializable, cheap as a move · latency 0 cycles (model of gfx90a)
operand 0 (def)
- IMPLICIT_DEF: makes no code, rematerializable, cheap as a move
- any value
- operand 0 (def)
- latency 0 cycles (model of gfx90a)

== gfx90a V_MFMA_F32_4X4X1F32_e64
**V_MFMA_F32_4X4X1F32_e64** matrices of the whole wave: 4x4 of 32-bit float + 4x1 \\* 1x4 of f32 · MAI, VALU, convergent · latency 2 cycles (model of gfx90a)
vdst areg_128_align2 (def) · src0 av_32 · src1 av_32 · src2 areg_128_align2 or inline constant · cbsz · abid · blgp · reads $mode, $exec
encoded as V_MFMA_F32_4X4X1F32_vi (gfx8, gfx9), V_MFMA_F32_4X4X1F32_gfx90a_acd (gfx90a), V_MFMA_F32_4X4X1F32_gfx940_acd (gfx942)
- V_MFMA_F32_4X4X1F32_e64: MAI, VALU, convergent
- matrices of the whole wave: 4x4 of 32-bit float + 4x1 * 1x4 of f32
- vdst areg_128_align2 (def) · src0 av_32 · src1 av_32 · src2 areg_128_align2 or inline constant · cbsz · abid · blgp · reads $mode, $exec
- latency 2 cycles (model of gfx90a); takes HWXDL for 2 cycles; 1 micro-op
- encoded as V_MFMA_F32_4X4X1F32_vi (gfx8, gfx9), V_MFMA_F32_4X4X1F32_gfx90a_acd (gfx90a), V_MFMA_F32_4X4X1F32_gfx940_acd (gfx942)
- not at all on gfx6, gfx7, gfx10, gfx11, gfx12, gfx1250

== gfx90a V_ADD_F32_e32
**V_ADD_F32_e32** a + b, 32-bit float · VALU, may raise FP exceptions, commutable, rematerializable · latency 1 cycle (model of gfx90a)
vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $mode, $exec
encoded as V_ADD_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_ADD_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F32_e32_gfx10 (gfx10), ...
- V_ADD_F32_e32: VALU, may raise FP exceptions, commutable, rematerializable
- a + b, 32-bit float
- vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $mode, $exec
- latency 1 cycle (model of gfx90a); takes HWVALU; 1 micro-op
- encoded as V_ADD_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_ADD_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F32_e32_gfx10 (gfx10), V_ADD_F32_e32_gfx11 (gfx11), V_ADD_F32_e32_gfx12 (gfx12, gfx1250)
- other forms: V_ADD_F32_e64, V_ADD_F32_sdwa, V_ADD_F32_dpp

== gfx600 IMPLICIT_DEF
**IMPLICIT_DEF** any value · makes no code, rematerializable, cheap as a move · latency 0 cycles (model of gfx600)
operand 0 (def)
- IMPLICIT_DEF: makes no code, rematerializable, cheap as a move
- any value
- operand 0 (def)
- latency 0 cycles (model of gfx600)

== gfx600 V_ADD_U32_e32
**V_ADD_U32_e32** a + b, unsigned 32-bit · VALU, commutable, rematerializable · latency 1 cycle (model of gfx600)
vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec
**no encoding on gfx600**, but on gfx9, gfx90a, gfx942, gfx10, gfx11, gfx12, gfx1250
- V_ADD_U32_e32: VALU, commutable, rematerializable
- a + b, unsigned 32-bit
- vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec
- latency 1 cycle (model of gfx600); takes HWVALU; 1 micro-op
- no encoding on gfx600
- encoded as V_ADD_U32_e32_gfx9 (gfx9, gfx90a, gfx942), V_ADD_NC_U32_e32_gfx10 (gfx10), V_ADD_NC_U32_e32_gfx11 (gfx11), V_ADD_NC_U32_e32_gfx12 (gfx12, gfx1250)
- not at all on gfx6, gfx7, gfx8
- other forms: V_ADD_U32_e64, V_ADD_U32_sdwa, V_ADD_U32_dpp

== gfx600 V_ADD_F32_e32
**V_ADD_F32_e32** a + b, 32-bit float · VALU, may raise FP exceptions, commutable, rematerializable · latency 1 cycle (model of gfx600)
vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $mode, $exec
encoded as V_ADD_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_ADD_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F32_e32_gfx10 (gfx10), ...
- V_ADD_F32_e32: VALU, may raise FP exceptions, commutable, rematerializable
- a + b, 32-bit float
- vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $mode, $exec
- latency 1 cycle (model of gfx600); takes HWVALU; 1 micro-op
- encoded as V_ADD_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_ADD_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F32_e32_gfx10 (gfx10), V_ADD_F32_e32_gfx11 (gfx11), V_ADD_F32_e32_gfx12 (gfx12, gfx1250)
- other forms: V_ADD_F32_e64, V_ADD_F32_sdwa, V_ADD_F32_dpp

== gfx1250 IMPLICIT_DEF
**IMPLICIT_DEF** any value · makes no code, rematerializable, cheap as a move · latency 0 cycles (model of gfx1250)
operand 0 (def)
- IMPLICIT_DEF: makes no code, rematerializable, cheap as a move
- any value
- operand 0 (def)
- latency 0 cycles (model of gfx1250)

== gfx1250 V_TANH_F32_e32
**V_TANH_F32_e32** tanh(a), about, 32-bit float · transcendental, VALU, may raise FP exceptions, rematerializable · latency 7 cycles (model of gfx1250)
vdst vgpr_32 (def) · src0 vs_32 or constant · reads $mode, $exec
encoded as V_TANH_F32_e32_gfx1250 (gfx1250)
- V_TANH_F32_e32: transcendental, VALU, may raise FP exceptions, rematerializable
- tanh(a), about, 32-bit float
- vdst vgpr_32 (def) · src0 vs_32 or constant · reads $mode, $exec
- latency 7 cycles (model of gfx1250); takes HWRC, HWTransVALU; 1 micro-op
- encoded as V_TANH_F32_e32_gfx1250 (gfx1250)
- not at all on gfx6, gfx7, gfx8, gfx9, gfx90a, gfx942, gfx10, gfx11, gfx12
- other forms: V_TANH_F32_e64, V_TANH_F32_sdwa, V_TANH_F32_dpp

== gfx1030 IMPLICIT_DEF
**IMPLICIT_DEF** any value · makes no code, rematerializable, cheap as a move · latency 0 cycles (model of gfx1030)
operand 0 (def)
- IMPLICIT_DEF: makes no code, rematerializable, cheap as a move
- any value
- operand 0 (def)
- latency 0 cycles (model of gfx1030)

== gfx1030 V_RCP_F32_e32
**V_RCP_F32_e32** 1 / a, about, 32-bit float · transcendental, VALU, may raise FP exceptions, rematerializable · latency 10 cycles (model of gfx1030)
vdst vgpr_32 (def) · src0 vs_32 or constant · reads $mode, $exec
encoded as V_RCP_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_RCP_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_RCP_F32_e32_gfx10 (gfx10), ...
- V_RCP_F32_e32: transcendental, VALU, may raise FP exceptions, rematerializable
- 1 / a, about, 32-bit float
- vdst vgpr_32 (def) · src0 vs_32 or constant · reads $mode, $exec
- latency 10 cycles (model of gfx1030); takes HWRC, HWTransVALU; 1 micro-op
- encoded as V_RCP_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_RCP_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_RCP_F32_e32_gfx10 (gfx10), V_RCP_F32_e32_gfx11 (gfx11), V_RCP_F32_e32_gfx12 (gfx12, gfx1250)
- other forms: V_RCP_F32_e64, V_RCP_F32_sdwa, V_RCP_F32_dpp

== gfx1030 V_ADD_U32_e32
**V_ADD_U32_e32** a + b, unsigned 32-bit · VALU, commutable, rematerializable · latency 5 cycles (model of gfx1030)
vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec
encoded as V_ADD_U32_e32_gfx9 (gfx9, gfx90a, gfx942), V_ADD_NC_U32_e32_gfx10 (gfx10), V_ADD_NC_U32_e32_gfx11 (gfx11), ...
- V_ADD_U32_e32: VALU, commutable, rematerializable
- a + b, unsigned 32-bit
- vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $exec
- latency 5 cycles (model of gfx1030); takes HWRC, HWVALU; 1 micro-op
- encoded as V_ADD_U32_e32_gfx9 (gfx9, gfx90a, gfx942), V_ADD_NC_U32_e32_gfx10 (gfx10), V_ADD_NC_U32_e32_gfx11 (gfx11), V_ADD_NC_U32_e32_gfx12 (gfx12, gfx1250)
- not at all on gfx6, gfx7, gfx8
- other forms: V_ADD_U32_e64, V_ADD_U32_sdwa, V_ADD_U32_dpp

== gfx1030 S_NOP
**S_NOP** does nothing for a + 1 cycles · SALU, side effects · latency 2 cycles (model of gfx1030)
simm16
encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), ...
- S_NOP: SALU, side effects
- does nothing for a + 1 cycles
- simm16
- latency 2 cycles (model of gfx1030); takes HWRC, HWSALU; 1 micro-op
- encoded as S_NOP_gfx6_gfx7 (gfx6, gfx7), S_NOP_vi (gfx8, gfx9, gfx90a, gfx942), S_NOP_gfx10 (gfx10), S_NOP_gfx11 (gfx11), S_NOP_gfx12 (gfx12, gfx1250)

== generic IMPLICIT_DEF
**IMPLICIT_DEF** any value · makes no code, rematerializable, cheap as a move · latency 0 cycles (model of generic)
operand 0 (def)
- IMPLICIT_DEF: makes no code, rematerializable, cheap as a move
- any value
- operand 0 (def)
- latency 0 cycles (model of generic)

== generic V_ADD_F32_e32
**V_ADD_F32_e32** a + b, 32-bit float · VALU, may raise FP exceptions, commutable, rematerializable · latency 1 cycle (model of generic)
vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $mode, $exec
encoded as V_ADD_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_ADD_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F32_e32_gfx10 (gfx10), ...
- V_ADD_F32_e32: VALU, may raise FP exceptions, commutable, rematerializable
- a + b, 32-bit float
- vdst vgpr_32 (def) · src0 vs_32 or constant · src1 vgpr_32 · reads $mode, $exec
- latency 1 cycle (model of generic)
- encoded as V_ADD_F32_e32_gfx6_gfx7 (gfx6, gfx7), V_ADD_F32_e32_vi (gfx8, gfx9, gfx90a, gfx942), V_ADD_F32_e32_gfx10 (gfx10), V_ADD_F32_e32_gfx11 (gfx11), V_ADD_F32_e32_gfx12 (gfx12, gfx1250)
- other forms: V_ADD_F32_e64, V_ADD_F32_sdwa, V_ADD_F32_dpp
`;

describeParts('an opcode where it stands', TOLD, (head) => {
  const [, cpu = '', name] = /^== (\w+) (\w+)/.exec(head)!;
  const option = cpu === 'generic' ? '' : ` -mcpu=${cpu}`;
  const run = `# RUN: llc -mtriple=amdgcn${option} -run-pass=none %s`;
  const { snapshot } = openText(`${run}\n---\nname: f\nbody: |\n  bb.0:\n${BODIES[cpu]!}...\n`);
  const fn = snapshot.functions[0]!.fn!;
  const i = fn.order.findIndex((one) => fn.tables.opcodeName(fn.opcode[one]!) === name);
  const lines = opcodeLines(fn, i, true).map((line) => line.source);
  assert.deepEqual(
    opcodeLines(fn, i, false).map((line) => line.source),
    lines.filter((line) => !/^(?:encoded as|not at all) /.test(line)),
  );
  return [head, ...lines, ...inOneLine(opcodeRows(fn, i), /^\S/).map((row) => `- ${row}`)].join('\n');
});

describe('an opcode that has no encoding of its own anywhere', () => {
  const PSEUDOS = ['COPY', 'IMPLICIT_DEF', 'SI_IF', 'SI_SPILL_V32_SAVE', 'G_ADD', 'DBG_VALUE', 'SCHED_BARRIER'];
  it('is not missing on a processor', () => {
    for (const cpu of ['gfx600', 'gfx900', 'gfx1030', 'gfx1250']) {
      const st = createSubtarget('amdgcn', cpu, '');
      for (const name of PSEUDOS) {
        const facts = opcodeFacts(st, st.tables.opcodeByName(name)).map((line) => line.source);
        assert.ok(facts[0]!.startsWith(`**${name}**`), name);
        assert.deepEqual(
          facts.filter((line) => line.includes('encod')),
          [],
          `${name} on ${cpu}`,
        );
      }
    }
  });

  it('is missing where others have one', () => {
    const missing = (cpu: string, name: string): boolean => {
      const st = createSubtarget('amdgcn', cpu, '');
      return opcodeFacts(st, st.tables.opcodeByName(name)).some((line) => line.source === `**no encoding on ${cpu}**`);
    };
    for (const [name, on, not] of [
      ['V_ADD_U32_e32', 'gfx900', 'gfx803'],
      ['V_ADD_CO_U32_e32', 'gfx803', 'gfx1030'],
      ['V_MAC_F32_e32', 'gfx900', 'gfx1100'],
    ] as const) {
      assert.equal(missing(on, name), false, `${name} on ${on}`);
      assert.equal(missing(not, name), true, `${name} on ${not}`);
    }
  });
});
