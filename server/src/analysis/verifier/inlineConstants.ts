/**
 * Which immediates the hardware encodes in the instruction word, by operand type.
 *
 * Follows SIInstrInfo::isInlineConstant and the AMDGPUBaseInfo predicates (LLVM 22, docs/llvm/verifier.md, 7.2). An immediate
 * is given as two 32-bit halves; no BigInt in here.
 */
import type { Subtarget } from '../../target/api.js';
import { Generation } from '../../target/api.js';

/** 1/(2*pi) in the formats; inline from gfx8 on. */
const INV_2PI_F32 = 0x3e22f983;
const INV_2PI_F64_HI = 0x3fc45f30;
const INV_2PI_F64_LO = 0x6dc9c882;
const INV_2PI_F16 = 0x3118;
const INV_2PI_BF16 = 0x3e22;

const isSmallInt = (v: number): boolean => v >= -16 && v <= 64;

/** @llvm AMDGPUBaseInfo.cpp AMDGPU::isInlinableLiteral32 */
function isF32Pattern(v: number, hasInv2Pi: boolean): boolean {
  switch (v & 0x7fffffff) {
    case 0x3f000000:
    case 0x3f800000:
    case 0x40000000:
    case 0x40800000:
      return true;
    default:
      return v === INV_2PI_F32 && hasInv2Pi;
  }
}

/** @llvm AMDGPUBaseInfo.cpp AMDGPU::isInlinableLiteralFP16 */
function isF16Pattern(v: number, hasInv2Pi: boolean): boolean {
  switch (v & 0x7fff) {
    case 0x3800:
    case 0x3c00:
    case 0x4000:
    case 0x4400:
      return true;
    default:
      return v === INV_2PI_F16 && hasInv2Pi;
  }
}

/** @llvm AMDGPUBaseInfo.cpp AMDGPU::isInlinableLiteralBF16 */
function isBF16Pattern(v: number, hasInv2Pi: boolean): boolean {
  switch (v & 0x7fff) {
    case 0x3f00:
    case 0x3f80:
    case 0x4000:
    case 0x4080:
      return true;
    default:
      return v === INV_2PI_BF16 && hasInv2Pi;
  }
}

/** @llvm AMDGPUBaseInfo.cpp AMDGPU::isInlinableLiteral64 */
function isInline64(lo: number, hi: number, hasInv2Pi: boolean): boolean {
  if (hi === lo >> 31 && isSmallInt(lo)) return true;
  if (lo === 0) {
    switch (hi & 0x7fffffff) {
      case 0x3fe00000:
      case 0x3ff00000:
      case 0x40000000:
      case 0x40100000:
        return true;
      default:
        return false;
    }
  }
  return hasInv2Pi && hi === INV_2PI_F64_HI && lo === INV_2PI_F64_LO;
}

export class InlineConstants {
  private readonly hasInv2Pi: boolean;
  private readonly has16BitInsts: boolean;
  private readonly replicatesV2F16: boolean;

  constructor(st: Subtarget) {
    this.hasInv2Pi = st.hasFeature('inv-2pi-inline-imm');
    this.has16BitInsts = st.hasFeature('16-bit-insts');
    this.replicatesV2F16 = st.generation >= Generation.GFX11;
  }

  /**
   * Is the 64-bit value (hi, lo), both signed, inline where an operand of MCOI type `type` stands?
   * @llvm SIInstrInfo.cpp SIInstrInfo::isInlineConstant
   */
  isInline(lo: number, hi: number, type: number): boolean {
    const inv = this.hasInv2Pi;
    switch (type) {
      case 13: // INT32, FP32, V2INT32, V2FP32 with literal; inline-only INT32, FP32; split barrier; accumulators
      case 16:
      case 25:
      case 26:
      case 28:
      case 32:
      case 37:
      case 41:
      case 42:
        return isSmallInt(lo) || isF32Pattern(lo, inv);
      case 14: // INT64, FP64
      case 17:
      case 29:
      case 33:
      case 43:
      case 47:
      case 48:
        return isInline64(lo, hi, inv);
      case 15: // INT16
      case 27:
        return hi === lo >> 31 && isSmallInt(lo);
      case 19: // FP16
      case 31:
        return this.has16BitInsts && fits16(lo, hi) && (isSmallInt((lo << 16) >> 16) || isF16Pattern(lo & 0xffff, inv));
      case 18: // BF16
      case 30:
        return (
          this.has16BitInsts && fits16(lo, hi) && (isSmallInt((lo << 16) >> 16) || isBF16Pattern(lo & 0xffff, inv))
        );
      case 23: // V2INT16
      case 34:
        return isSmallInt(lo) || isF32Pattern(lo, true);
      case 21: // V2FP16
      case 36:
        return isSmallInt(lo) || (lo >>> 16 === 0 && isF16Pattern(lo, true));
      case 20: // V2BF16
      case 35:
        return isSmallInt(lo) || (lo >>> 16 === 0 && isBF16Pattern(lo, true));
      case 22: // V2FP16 of V_PK_FMAC_F16
        if (isSmallInt(lo) || (lo >>> 16 === 0 && isF16Pattern(lo, true))) return true;
        return this.replicatesV2F16 && lo >>> 16 === (lo & 0xffff) && isF16Pattern(lo & 0xffff, true);
      case 24: // V2FP16 without inline values, KIMM32, KIMM16, KIMM64
      case 38:
      case 39:
      case 40:
        return false;
      case 44: {
        // 64-bit pseudo immediate of AV registers: both halves on their own
        return (isSmallInt(lo) || isF32Pattern(lo, inv)) && (isSmallInt(hi) || isF32Pattern(hi, inv));
      }
      default:
        return true;
    }
  }
}

/** as a signed or an unsigned 16-bit value */
function fits16(lo: number, hi: number): boolean {
  return (hi === 0 && lo >>> 16 === 0) || (hi === -1 && lo >= -32768 && lo < 0);
}
