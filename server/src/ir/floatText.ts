/**
 * Floating-point constants as LLVM 24 writes and reads them: decimal where six digits read back to the same value, else `f0x` and all digits of
 * the type; `+inf`, `-qnan`, `+nan(0x1)`, `+snan(0x1)` for what is no number. Before, only float and double were decimal (printer.ts).
 *
 * Decimal texts are read exactly, with integers: one rounding to the type, as APFloat does.
 */

import { TypeKind } from './types.js';

/** A type's bits: sign, exponent, mantissa without the leading one; x86_fp80 writes that one, too. */
interface FloatFormat {
  readonly exponentBits: number;
  readonly mantissaBits: number;
  readonly writesLeadingOne: boolean;
}

const format = (exponentBits: number, mantissaBits: number, writesLeadingOne = false): FloatFormat => ({
  exponentBits,
  mantissaBits,
  writesLeadingOne,
});

export const FLOAT_FORMATS = {
  half: format(5, 10),
  bfloat: format(8, 7),
  float: format(8, 23),
  double: format(11, 52),
  x86_fp80: format(15, 63, true),
  fp128: format(15, 112),
} as const;

/** Names of floating-point types in IR. */
export type FloatName = keyof typeof FLOAT_FORMATS | 'ppc_fp128';

/** Names of the floating-point types. */
export const FLOAT_NAMES: Readonly<Partial<Record<TypeKind, FloatName>>> = {
  [TypeKind.Half]: 'half',
  [TypeKind.BFloat]: 'bfloat',
  [TypeKind.Float]: 'float',
  [TypeKind.Double]: 'double',
  [TypeKind.X86FP80]: 'x86_fp80',
  [TypeKind.FP128]: 'fp128',
  [TypeKind.PPCFP128]: 'ppc_fp128',
};

const bitsOf = (f: FloatFormat): number => 1 + f.exponentBits + f.mantissaBits + (f.writesLeadingOne ? 1 : 0);

/** Widths of the types in bits. */
const widthOf = (name: FloatName): number => (name === 'ppc_fp128' ? 128 : bitsOf(FLOAT_FORMATS[name]));

/** The parts of a value; the mantissa without the leading one. */
function split(f: FloatFormat, bits: bigint): { isNegative: boolean; exponent: number; mantissa: bigint } {
  const stored = f.mantissaBits + (f.writesLeadingOne ? 1 : 0);
  return {
    isNegative: bits >> BigInt(stored + f.exponentBits) !== 0n,
    exponent: Number((bits >> BigInt(stored)) & ((1n << BigInt(f.exponentBits)) - 1n)),
    mantissa: bits & ((1n << BigInt(f.mantissaBits)) - 1n),
  };
}

function join(f: FloatFormat, isNegative: boolean, exponent: number, mantissa: bigint): bigint {
  const leading = f.writesLeadingOne && exponent !== 0 ? 1n : 0n;
  const stored = f.mantissaBits + (f.writesLeadingOne ? 1 : 0);
  const sign = isNegative ? 1n : 0n;
  return (
    (sign << BigInt(stored + f.exponentBits)) |
    (BigInt(exponent) << BigInt(stored)) |
    (leading << BigInt(f.mantissaBits)) |
    mantissa
  );
}

/** num / den, to the nearest, ties to even */
function divideToNearest(num: bigint, den: bigint): bigint {
  const quotient = num / den;
  const twice = 2n * (num % den);
  return twice > den || (twice === den && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

const MOST_DECIMAL_EXPONENT = 10_000;

/** Bits of a decimal number, rounded to the nearest; null = too large for the type. */
function decimalToBits(f: FloatFormat, text: string): bigint | null {
  const m = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text)!;
  const isNegative = m[1] === '-';
  const digits = BigInt(`${m[2]!}${m[3] ?? ''}`);
  const scale = Number(m[4] ?? 0) - (m[3] ?? '').length;
  if (digits === 0n || scale < -MOST_DECIMAL_EXPONENT) return join(f, isNegative, 0, 0n);
  if (scale > MOST_DECIMAL_EXPONENT) return null;
  const num = scale >= 0 ? digits * 10n ** BigInt(scale) : digits;
  const den = scale >= 0 ? 1n : 10n ** BigInt(-scale);
  const bias = (1 << (f.exponentBits - 1)) - 1;
  // 2^power is not above the value; the subnormal numbers share the smallest.
  let power = num.toString(2).length - den.toString(2).length;
  if (power >= 0 ? num < den << BigInt(power) : num << BigInt(-power) < den) power--;
  power = Math.max(power, 1 - bias);
  const shift = f.mantissaBits - power;
  let mantissa = shift >= 0 ? divideToNearest(num << BigInt(shift), den) : divideToNearest(num, den << BigInt(-shift));
  const one = 1n << BigInt(f.mantissaBits);
  if (mantissa >= 2n * one) {
    mantissa >>= 1n;
    power++;
  }
  if (mantissa < one) return join(f, isNegative, 0, mantissa);
  const exponent = power + bias;
  return exponent >= (1 << f.exponentBits) - 1 ? null : join(f, isNegative, exponent, mantissa - one);
}

/** The nearest JavaScript number: exact up to double. */
function toNumber(f: FloatFormat, bits: bigint): number {
  const { isNegative, exponent, mantissa } = split(f, bits);
  const bias = (1 << (f.exponentBits - 1)) - 1;
  const whole = exponent === 0 ? mantissa : mantissa | (1n << BigInt(f.mantissaBits));
  const power = Math.max(exponent, 1) - bias - f.mantissaBits;
  // In two steps: 2^power alone may be no double.
  const half = Math.trunc(power / 2);
  const value = Number(whole) * 2 ** half * 2 ** (power - half);
  return isNegative ? -value : value;
}

/** Six significant digits, a seventh that is always 0, and at least two digits of exponent (`1.234560e+06`). */
export function exponentialText(value: number): string {
  const text = value
    .toExponential(5)
    .replace('e', '0e')
    .replace(/e([+-])(\d)$/, 'e$10$2');
  return Object.is(value, -0) ? `-${text}` : text;
}

/** Infinity or no number; null for a number. */
function specialText(f: FloatFormat, bits: bigint): string | null {
  const { isNegative, exponent, mantissa } = split(f, bits);
  if (exponent !== (1 << f.exponentBits) - 1) return null;
  const sign = isNegative ? '-' : '+';
  if (mantissa === 0n) return `${sign}inf`;
  const quiet = 1n << BigInt(f.mantissaBits - 1);
  const payload = mantissa & (quiet - 1n);
  if ((mantissa & quiet) === 0n) return `${sign}snan(0x${payload.toString(16).toUpperCase()})`;
  return payload === 0n ? `${sign}qnan` : `${sign}nan(0x${payload.toString(16).toUpperCase()})`;
}

const hexText = (name: FloatName, bits: bigint): string =>
  `f0x${bits
    .toString(16)
    .toUpperCase()
    .padStart(widthOf(name) / 4, '0')}`;

/** A constant as LLVM 24 prints it, without its type. */
export function floatText(name: FloatName, bits: bigint): string {
  if (name === 'ppc_fp128') {
    // Two doubles, the first in the low half: one of which the other is 0 reads as a double.
    const low = bits >> 64n;
    return low === 0n ? floatText('double', bits & 0xffffffffffffffffn) : hexText(name, bits);
  }
  const f = FLOAT_FORMATS[name];
  const special = specialText(f, bits);
  if (special !== null) return special;
  const value = toNumber(f, bits);
  if (Number.isFinite(value)) {
    const text = exponentialText(value);
    if (decimalToBits(f, text) === bits) return text;
  }
  return hexText(name, bits);
}

const SPECIAL = /^([+-])(?:inf|qnan|(s?)nan\(0x([0-9A-Fa-f]+)\))$/;

/** Value of a decimal number, `f0x...` or a special one for a type; on failure LLVM 24's message. */
export function readFloat(name: FloatName, text: string): { readonly bits: bigint } | { readonly error: string } {
  if (text.startsWith('f0x')) {
    const digits = text.slice(3);
    return digits.length * 4 === widthOf(name)
      ? { bits: BigInt(`0x${digits}`) }
      : { error: 'float hex literal has incorrect number of bits' };
  }
  if (name === 'ppc_fp128') {
    const double = readFloat('double', text);
    return double;
  }
  const f = FLOAT_FORMATS[name];
  const special = SPECIAL.exec(text);
  if (special !== null) {
    const isNegative = special[1] === '-';
    const most = (1 << f.exponentBits) - 1;
    const quiet = 1n << BigInt(f.mantissaBits - 1);
    if (text.endsWith('inf')) return { bits: join(f, isNegative, most, 0n) };
    if (text.endsWith('qnan')) return { bits: join(f, isNegative, most, quiet) };
    const payload = BigInt(`0x${special[3]!}`);
    if (payload >= quiet) return { error: 'NaN payload must fit in the mantissa' };
    return { bits: join(f, isNegative, most, special[2] === 's' ? payload : quiet | payload) };
  }
  const bits = decimalToBits(f, text);
  return bits === null ? { error: 'floating-point constant overflowed type' } : { bits };
}
