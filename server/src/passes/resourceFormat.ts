/** The format of buffer resources that LLVM makes (SIInstrInfo, LLVM 22). */
import { Generation, type Subtarget } from '../target/index.js';

/** The upper half of a resource of 32-bit floats (AMDGPU::RSRC_DATA_FORMAT), and the bits that HSA wants with it up to gfx8. */
const DATA_FORMAT_HIGH = 0xf000;
const ADDRESS_TRANSLATION = 1 << 24;
/** MTYPE of gfx8 */
const UNCACHED = 1 << 28;

/** The same from gfx10 on: 32-bit floats in its formats, RESOURCE_LEVEL 1, OOB_SELECT 3. */
const UNIFIED_FORMAT_HIGH = 0x31016000;

/**
 * The upper half
 * @llvm SIInstrInfo.cpp SIInstrInfo::getDefaultRsrcDataFormat
 */
export function dataFormat({ generation, isAmdHsaOS }: Subtarget): number {
  if (generation >= Generation.GFX10) return UNIFIED_FORMAT_HIGH;
  if (!isAmdHsaOS || generation > Generation.VOLCANIC_ISLANDS) return DATA_FORMAT_HIGH;
  const format = DATA_FORMAT_HIGH | ADDRESS_TRANSLATION;
  return generation === Generation.VOLCANIC_ISLANDS ? format | UNCACHED : format;
}
