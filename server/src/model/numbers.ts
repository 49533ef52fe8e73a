/**
 * Floating-point literals of MIR as bits, and their printed form.
 * Source of the behaviour: LLVM 22's IR lexer and constant writer, probed with llc-22 (docs/llvm/embedded-ir.md, C.3).
 *
 * A floating-point value is its bit pattern as a bigint, so NaN payloads survive; nothing here does arithmetic on
 * doubles that could change one.
 */
import { exponentialText } from '../ir/floatText.js';

export type FPType = 'half' | 'bfloat' | 'float' | 'double' | 'x86_fp80' | 'fp128' | 'ppc_fp128';

/** Widest integer type of LLVM (`IntegerType::MAX_INT_BITS`). */
export const MAX_INT_BITS = 1 << 23;

/** Width in bits. */
const FP_TYPE_BITS: Readonly<Record<FPType, number>> = {
  half: 16,
  bfloat: 16,
  float: 32,
  double: 64,
  x86_fp80: 80,
  fp128: 128,
  ppc_fp128: 128,
};

/** Literal prefix after `0x` of the types that always print as hex, with the number of digits. */
const HEX_FORM: Partial<Record<FPType, { prefix: string; digits: number }>> = {
  half: { prefix: 'H', digits: 4 },
  bfloat: { prefix: 'R', digits: 4 },
  x86_fp80: { prefix: 'K', digits: 20 },
  fp128: { prefix: 'L', digits: 32 },
  ppc_fp128: { prefix: 'M', digits: 32 },
};

const HEX_TYPE: Readonly<Record<string, FPType>> = {
  H: 'half',
  R: 'bfloat',
  K: 'x86_fp80',
  L: 'fp128',
  M: 'ppc_fp128',
};

const FP_INVALID_FOR_TYPE = 'floating point constant invalid for type';

const scratch = new DataView(new ArrayBuffer(8));

/** Bits of a double. */
function doubleBits(value: number): bigint {
  scratch.setFloat64(0, value);
  return scratch.getBigUint64(0);
}

function doubleFromBits(bits: bigint): number {
  scratch.setBigUint64(0, bits);
  return scratch.getFloat64(0);
}

/** Geometry of the formats that convert from a double. */
const FORMAT: Partial<Record<FPType, { exponentBits: number; mantissaBits: number }>> = {
  half: { exponentBits: 5, mantissaBits: 10 },
  bfloat: { exponentBits: 8, mantissaBits: 7 },
  float: { exponentBits: 8, mantissaBits: 23 },
};

/** The double `bits` in a narrower format, or null when that loses information (of a NaN: payload bits). */
function narrow(bits: bigint, type: FPType): bigint | null {
  if (type === 'double') return bits;
  const format = FORMAT[type];
  if (format === undefined) return null;
  const { exponentBits, mantissaBits } = format;
  const sign = (bits >> 63n) << BigInt(exponentBits + mantissaBits);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = bits & ((1n << 52n) - 1n);
  const dropped = BigInt(52 - mantissaBits);
  const infinity = BigInt((1 << exponentBits) - 1) << BigInt(mantissaBits);
  if (exponent === 0x7ff) {
    if ((mantissa & ((1n << dropped) - 1n)) !== 0n) return null;
    return sign | infinity | (mantissa >> dropped);
  }
  if (exponent === 0 && mantissa === 0n) return sign;
  // A double subnormal is below the smallest subnormal of every narrower format.
  if (exponent === 0) return null;
  const bias = (1 << (exponentBits - 1)) - 1;
  const e = exponent - 1023 + bias;
  if (e >= (1 << exponentBits) - 1) return null;
  if (e > 0) {
    if ((mantissa & ((1n << dropped) - 1n)) !== 0n) return null;
    return sign | (BigInt(e) << BigInt(mantissaBits)) | (mantissa >> dropped);
  }
  const full = mantissa | (1n << 52n);
  const shift = dropped + BigInt(1 - e);
  if ((full & ((1n << shift) - 1n)) !== 0n) return null;
  return sign | (full >> shift);
}

/** Bits of a `float` as the bits of the double of the same value; NaN payloads keep their place. */
function floatToDoubleBits(bits: bigint): bigint {
  const sign = (bits >> 31n) << 63n;
  const exponent = Number((bits >> 23n) & 0xffn);
  let mantissa = bits & 0x7fffffn;
  if (exponent === 0xff) return sign | (0x7ffn << 52n) | (mantissa << 29n);
  if (exponent !== 0) return sign | (BigInt(exponent - 127 + 1023) << 52n) | (mantissa << 29n);
  if (mantissa === 0n) return sign;
  let e = -126;
  while ((mantissa & 0x800000n) === 0n) {
    mantissa <<= 1n;
    e--;
  }
  return sign | (BigInt(e + 1023) << 52n) | ((mantissa & 0x7fffffn) << 29n);
}

/**
 * Value of literal `text` (decimal with a point, `0x` + bits of a double, or `0xH… 0xR… 0xK… 0xL… 0xM…`) as a constant of
 * `type`. On failure `error` is the IR parser's message. The text must be a floating-point token.
 */
export function parseFPLiteral(type: FPType, text: string): { bits: bigint } | { error: string } {
  let sourceType: FPType = 'double';
  let bits: bigint;
  const hex = /^0x([HKLMR]?)([0-9A-Fa-f]+)$/.exec(text);
  if (hex !== null) {
    const digits = hex[2];
    if (hex[1] === '') {
      bits = BigInt.asUintN(64, BigInt(`0x${digits}`));
    } else {
      sourceType = HEX_TYPE[hex[1]];
      const n = HEX_FORM[sourceType]!.digits;
      if (n === 4 && digits.replace(/^0+/, '').length > n) {
        return { error: `hexadecimal constant too large for ${sourceType} (16-bit)` };
      }
      bits = parseWideHex(sourceType, digits);
    }
  } else {
    const value = Number(text);
    if (Number.isNaN(value)) return { error: FP_INVALID_FOR_TYPE };
    bits = doubleBits(value);
  }
  if (sourceType === type) return { bits };
  if (sourceType !== 'double') {
    // Only a double is converted: a narrow constant that would fit is still one of another type.
    const isInvalid = FP_TYPE_BITS[sourceType] > 64 && FP_TYPE_BITS[type] > 64;
    return { error: !isInvalid ? `floating point constant does not have type '${type}'` : FP_INVALID_FOR_TYPE };
  }
  if (type === 'fp128' || type === 'x86_fp80' || type === 'ppc_fp128') {
    return { error: `floating point constant does not have type '${type}'` };
  }
  const narrowed = narrow(bits, type);
  return narrowed === null ? { error: FP_INVALID_FOR_TYPE } : { bits: narrowed };
}

/** `0xL` and `0xM` spell the low 64 bits first; `0xK` the high 16. Result: the plain bit pattern. */
function parseWideHex(type: FPType, digits: string): bigint {
  const n = HEX_FORM[type]!.digits;
  const all = digits.padStart(n, '0').slice(-n);
  if (type === 'fp128' || type === 'ppc_fp128') return BigInt(`0x${all.slice(16)}${all.slice(0, 16)}`);
  return BigInt(`0x${all}`);
}

/** A constant as LLVM prints it, without its type. `bits` as from parseFPLiteral. */
export function printFP(type: FPType, bits: bigint): string {
  const form = HEX_FORM[type];
  if (form !== undefined) {
    const all = bits.toString(16).toUpperCase().padStart(form.digits, '0');
    const isLowFirst = type === 'fp128' || type === 'ppc_fp128';
    return `0x${form.prefix}${isLowFirst ? all.slice(16) + all.slice(0, 16) : all}`;
  }
  const wide = type === 'float' ? floatToDoubleBits(bits) : bits;
  if (((wide >> 52n) & 0x7ffn) !== 0x7ffn) {
    const value = doubleFromBits(wide);
    const text = exponentialText(value);
    if (Number(text) === value) return text;
  }
  return `0x${wide.toString(16).toUpperCase()}`;
}
