/** Constants that FLAT and buffer instructions add to an address (SIInstrInfo, LLVM 22). */
import { Generation, type Subtarget } from '../target/api.js';

/** Where an instruction of FLAT goes: anywhere, or to one segment. */
export const enum FlatVariant {
  Flat,
  Global,
  Scratch,
}

/**
 * Scratch memory is reached by FLAT instructions, not by those of buffers.
 * @llvm GCNSubtarget.h GCNSubtarget::enableFlatScratch
 */
export const usesFlatScratch = (st: Subtarget): boolean =>
  st.hasFeature('architected-flat-scratch') ||
  (st.hasFeature('enable-flat-scratch') && st.hasFeature('flat-scratch-insts'));

/** @llvm SIInstrInfo.cpp SIInstrInfo::allowNegativeFlatOffset */
export const canSubtract = (st: Subtarget, variant: FlatVariant): boolean =>
  variant !== FlatVariant.Flat || st.generation >= Generation.GFX12;

/**
 * Whether an instruction can add so many bytes to its address.
 * @llvm SIInstrInfo.cpp SIInstrInfo::isLegalFLATOffset
 */
export function fitsFlat(st: Subtarget, offset: number, variant: FlatVariant): boolean {
  const isGFX12 = st.generation >= Generation.GFX12;
  if (!st.hasFeature('flat-inst-offsets')) return false;
  if (variant === FlatVariant.Scratch && offset < 0) {
    if (st.hasFeature('negative-unaligned-scratch-offset-bug') && offset % 4 !== 0) return false;
    if (st.hasFeature('negative-scratch-offset-bug')) return false;
  }
  if (variant === FlatVariant.Flat && st.hasFeature('flat-segment-offset-bug')) return false;
  if (offset < 0 && !canSubtract(st, variant)) return false;
  const bits = isGFX12 ? 24 : st.generation === Generation.GFX10 ? 12 : 13;
  return offset >= -(2 ** (bits - 1)) && offset < 2 ** (bits - 1);
}

const MUBUF_REACH = 4095;
const MUBUF_REACH_GFX12 = 0x7fffff;

/** @llvm SIInstrInfo.cpp SIInstrInfo::isLegalMUBUFImmOffset */
export const fitsBuffer = (st: Subtarget, offset: number): boolean =>
  offset >= 0 && offset <= (st.generation >= Generation.GFX12 ? MUBUF_REACH_GFX12 : MUBUF_REACH);
