/**
 * Names for the bits of TSFlags (SIInstrFlags), the operand types (AMDGPU::OperandType), and the predicates of
 * SIInstrInfo that follow from them, for LLVM 22.
 *
 * Each predicate reads one column entry. In a hot loop take the column and the mask instead.
 */
import type { McFlag, Opcode, TargetTables } from './api.js';

/** Masks for `opcodeTSLo`. */
const enum TSFlagLo {
  SALU = 1 << 0,
  VALU = 1 << 1,
  SOP1 = 1 << 2,
  SOP2 = 1 << 3,
  SOPC = 1 << 4,
  SOPK = 1 << 5,
  SOPP = 1 << 6,
  VOP1 = 1 << 7,
  VOP2 = 1 << 8,
  VOPC = 1 << 9,
  VOP3 = 1 << 10,
  VOP3P = 1 << 12,
  VINTRP = 1 << 13,
  SDWA = 1 << 14,
  DPP = 1 << 15,
  TRANS = 1 << 16,
  MUBUF = 1 << 17,
  MTBUF = 1 << 18,
  SMRD = 1 << 19,
  MIMG = 1 << 20,
  VIMAGE = 1 << 21,
  VSAMPLE = 1 << 22,
  EXP = 1 << 23,
  FLAT = 1 << 24,
  DS = 1 << 25,
  Spill = 1 << 26,
  LDSDIR = 1 << 28,
  VINTERP = 1 << 29,
  VOPD3 = 1 << 30,
}

/** Masks for `opcodeTSHi`. */
const enum TSFlagHi {
  VM_CNT = 1 << 0,
  EXP_CNT = 1 << 1,
  LGKM_CNT = 1 << 2,
  WQM = 1 << 3,
  DisableWQM = 1 << 4,
  Gather4 = 1 << 5,
  TENSOR_CNT = 1 << 6,
  SCALAR_STORE = 1 << 7,
  FIXED_SIZE = 1 << 8,
  ASYNC_CNT = 1 << 9,
  VOP3_OPSEL = 1 << 10,
  MaybeAtomic = 1 << 11,
  FPClamp = 1 << 13,
  IntClamp = 1 << 14,
  ClampLo = 1 << 15,
  ClampHi = 1 << 16,
  IsPacked = 1 << 17,
  D16Buf = 1 << 18,
  FlatGlobal = 1 << 19,
  FPDPRounding = 1 << 20,
  FPAtomic = 1 << 21,
  IsMAI = 1 << 22,
  IsDOT = 1 << 23,
  FlatScratch = 1 << 24,
  IsAtomicNoRet = 1 << 25,
  IsAtomicRet = 1 << 26,
  IsWMMA = 1 << 27,
  TiedSourceNotRead = 1 << 28,
  IsNeverUniform = 1 << 29,
  GWS = 1 << 30,
  IsSWMMAC = 1 << 31,
}

/** Values of `opInfoType`: LLVM's own up to 12, then AMDGPU's. */
export const enum OperandType {
  Unknown = 0,
  Immediate = 1,
  Register = 2,
  Memory = 3,
  PCRel = 4,
  FirstGeneric = 6,
  LastGeneric = 11,
  GenericImm = 12,
  RegImmInt32 = 13,
  RegImmInt64,
  RegImmInt16,
  RegImmFP32,
  RegImmFP64,
  RegImmBF16,
  RegImmFP16,
  RegImmV2BF16,
  RegImmV2FP16,
  RegImmV2FP16Splat,
  RegImmV2Int16,
  RegImmNoInlineV2FP16,
  RegImmV2Int32,
  RegImmV2FP32,
  InlineInt16,
  InlineInt32,
  InlineInt64,
  InlineBF16,
  InlineFP16,
  InlineFP32,
  InlineFP64,
  InlineV2Int16,
  InlineV2BF16,
  InlineV2FP16,
  InlineSplitBarrierInt32,
  KImm32,
  KImm16,
  KImm64,
  InlineACInt32,
  InlineACFP32,
  InlineACFP64,
  AVPseudoImm64,
  InputMods,
  SDWAVopcDst,
  /** of LLVM 24, which numbers them otherwise */
  RegImmV2Int64,
  RegImmV2FP64,
}

function lo(t: TargetTables, opc: Opcode, mask: number): boolean {
  return (t.opcodeTSLo(opc) & mask) !== 0;
}
function hi(t: TargetTables, opc: Opcode, mask: number): boolean {
  return (t.opcodeTSHi(opc) & mask) !== 0;
}

/** A flag of the descriptor (MCID), whichever word has it. */
export function hasOpcodeFlag(t: TargetTables, opc: Opcode, flag: McFlag): boolean {
  const word = flag < 32 ? t.opcodeFlagsLo(opc) : t.opcodeFlagsHi(opc);
  return ((word >>> (flag & 31)) & 1) !== 0;
}

export const isSALU = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.SALU);
export const isVALU = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VALU);
export const isVOP1 = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VOP1);
export const isVOP2 = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VOP2);
export const isVOPC = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VOPC);
export const isVOP3 = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VOP3);
export const isVOP3P = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VOP3P);
export const isSDWA = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.SDWA);
export const isDPP = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.DPP);
export const isTRANS = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.TRANS);
export const isMUBUF = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.MUBUF);
export const isMTBUF = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.MTBUF);
export const isSMRD = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.SMRD);
export const isEXP = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.EXP);
/** images of the encoding before gfx12 */
export const isMIMG = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.MIMG);
export const isImage = (t: TargetTables, opc: Opcode): boolean =>
  lo(t, opc, TSFlagLo.MIMG | TSFlagLo.VIMAGE | TSFlagLo.VSAMPLE);
export const isFLAT = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.FLAT);
export const isVINTRP = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VINTRP);
/** it reads LDS as an operand */
export const isLDSDIR = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.LDSDIR);
export const isSOPP = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.SOPP);
export const isFPAtomic = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.FPAtomic);
export const isDS = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.DS);
/** counts with LGKM_CNT while it is under way */
export const usesLGKMCNT = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.LGKM_CNT);
export const isVINTERP = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VINTERP);
export const isVSAMPLE = (t: TargetTables, opc: Opcode): boolean => lo(t, opc, TSFlagLo.VSAMPLE);
export const isAtomicRet = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.IsAtomicRet);
export const isGWS = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.GWS);
/** Its descriptor has its size: no literal follows. */
export const isFixedSize = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.FIXED_SIZE);
export const isScalarStore = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.SCALAR_STORE);
/** its tied source is written over, not read (SIInstrInfo::doesNotReadTiedSource) */
export const skipsTiedSource = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.TiedSourceNotRead);
/** Which of the encodings of memory accesses an opcode has, bits of their own meaning; 0 = none. */
export const memoryEncoding = (t: TargetTables, opc: Opcode): number =>
  t.opcodeTSLo(opc) &
  (TSFlagLo.MTBUF |
    TSFlagLo.MUBUF |
    TSFlagLo.SMRD |
    TSFlagLo.DS |
    TSFlagLo.FLAT |
    TSFlagLo.MIMG |
    TSFlagLo.VIMAGE |
    TSFlagLo.VSAMPLE);
/** counts with VM_CNT while it is under way */
/** It rounds by the mode of 64 and 16-bit floats. */
export const usesFPDPRounding = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.FPDPRounding);
/** It is issued once all results of the VALU are there (VA_VDST); of images those before gfx12. */
export const waitsForVectorResults = (t: TargetTables, opc: Opcode): boolean =>
  lo(t, opc, TSFlagLo.DS | TSFlagLo.EXP | TSFlagLo.FLAT | TSFlagLo.MIMG | TSFlagLo.MTBUF | TSFlagLo.MUBUF);
export const usesVMCNT = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.VM_CNT);
/** its inputs have to be right in the helper lanes of a quad, too */
export const isWQM = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.WQM);
/** must not run in helper lanes */
export const isDisableWQM = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.DisableWQM);
export const isDOT = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.IsDOT);
export const isSWMMAC = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.IsSWMMAC);
export const isFLATGlobal = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.FlatGlobal);
export const isFLATScratch = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.FlatScratch);
/** The memory model may ask something of it. */
export const maybeAtomic = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.MaybeAtomic);
export const isAtomicNoRet = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.IsAtomicNoRet);
export const usesTensorCnt = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.TENSOR_CNT);
export const usesAsyncCnt = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.ASYNC_CNT);
/** It moves data between memory and LDS without a register (SIInstrInfo::isLDSDMA). */
export const isLDSDMA = (t: TargetTables, opc: Opcode): boolean =>
  usesTensorCnt(t, opc) || (isVALU(t, opc) && (isMUBUF(t, opc) || isFLAT(t, opc)));
/** Which kinds of clamp an opcode has, a bit each; 0 = none (SIInstrInfo::getClampMask). */
export const clampKind = (t: TargetTables, opc: Opcode): number =>
  t.opcodeTSHi(opc) & (TSFlagHi.FPClamp | TSFlagHi.IntClamp | TSFlagHi.ClampLo | TSFlagHi.ClampHi);
/** its sources are pairs of halves */
export const isPacked = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.IsPacked);
export const isWMMA = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.IsWMMA);
/** MFMA and the moves between accumulator and vector registers */
export const isMAI = (t: TargetTables, opc: Opcode): boolean => hi(t, opc, TSFlagHi.IsMAI);
export const isMFMA = (t: TargetTables, opc: Opcode): boolean => isMAI(t, opc) && !isAccVGPRMove(t, opc);

function isAccVGPRMove(t: TargetTables, opc: Opcode): boolean {
  return opc === t.opcodeByName('V_ACCVGPR_WRITE_B32_e64') || opc === t.opcodeByName('V_ACCVGPR_READ_B32_e64');
}
