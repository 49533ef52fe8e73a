/**
 * Bits of an integer that are known, and what operations leave known of them (llvm/Support/KnownBits.cpp, LLVM 22). Values are unsigned;
 * a contradiction (poison, or code that never runs) becomes what LLVM makes of it, mostly zero.
 */

/** Bits known to be 0 and to be 1, of a value `width` bits wide. */
export interface KnownBits {
  readonly width: number;
  readonly zero: bigint;
  readonly one: bigint;
}

const MASKS: readonly bigint[] = Array.from({ length: 129 }, (_, width) => (1n << BigInt(width)) - 1n);

/** Ones in the low `width` bits; from a table for the usual widths. */
export function maskOf(width: number): bigint {
  return width <= 128 ? MASKS[width] : (1n << BigInt(width)) - 1n;
}

export const signOf = (width: number): bigint => 1n << BigInt(width - 1);

export function signExtend(v: bigint, width: number): bigint {
  return BigInt.asIntN(width, v);
}

export function bitLength(v: bigint): number {
  let n = 0;
  // 32 bits at a time; values rarely have more than 64.
  while (v > 0xffffffffn) {
    v >>= 32n;
    n += 32;
  }
  return n + 32 - Math.clz32(Number(v));
}

export function trailingZeros(v: bigint, width: number): number {
  return v === 0n ? width : bitLength(v & -v) - 1;
}

export function popCount(v: bigint): number {
  let n = 0;
  for (; v !== 0n; v &= v - 1n) n++;
  return n;
}

const leadingZeros = (v: bigint, width: number): number => width - bitLength(v);
const leadingOnes = (v: bigint, width: number): number => leadingZeros(~v & maskOf(width), width);
const trailingOnes = (v: bigint, width: number): number => trailingZeros(~v & maskOf(width), width);
const highMask = (width: number, n: number): bigint => maskOf(width) & ~maskOf(width - n);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

// -- one value --------------------------------------------------------------------------------------------------------

export const nothingKnown = (width: number): KnownBits => ({ width, zero: 0n, one: 0n });
export const constantBits = (v: bigint, width: number): KnownBits => ({ width, zero: ~v & maskOf(width), one: v });

/** Every bit both 0 and 1: the start of what several values have in common. */
export const allKnown = (width: number): KnownBits => ({ width, zero: maskOf(width), one: maskOf(width) });

export const isNothing = (k: KnownBits): boolean => k.zero === 0n && k.one === 0n;
export const isContradiction = (k: KnownBits): boolean => (k.zero & k.one) !== 0n;
export const isConstantBits = (k: KnownBits): boolean => (k.zero ^ k.one) === maskOf(k.width);
export const isNonNegative = (k: KnownBits): boolean => (k.zero & signOf(k.width)) !== 0n;
export const isNegative = (k: KnownBits): boolean => (k.one & signOf(k.width)) !== 0n;
const isZero = (k: KnownBits): boolean => k.zero === maskOf(k.width);

export const greatestUnsigned = (k: KnownBits): bigint => ~k.zero & maskOf(k.width);

/** As a signed number; an unknown sign bit is set for the least and clear for the greatest. */
export function leastSigned(k: KnownBits): bigint {
  const sign = signOf(k.width);
  return signExtend((k.zero & sign) === 0n ? k.one | sign : k.one, k.width);
}

function greatestSigned(k: KnownBits): bigint {
  const sign = signOf(k.width);
  const most = greatestUnsigned(k);
  return signExtend((k.one & sign) === 0n ? most & ~sign : most, k.width);
}

/** Low bits that are surely, or at most, zero. */
export const leastTrailingZeros = (k: KnownBits): number => trailingOnes(k.zero, k.width);
export const mostTrailingZeros = (k: KnownBits): number => trailingZeros(k.one, k.width);
export const leastLeadingZeros = (k: KnownBits): number => leadingOnes(k.zero, k.width);
export const mostLeadingZeros = (k: KnownBits): number => leadingZeros(k.one, k.width);
export const leastLeadingOnes = (k: KnownBits): number => leadingOnes(k.one, k.width);
const mostLeadingOnes = (k: KnownBits): number => leadingZeros(k.zero, k.width);
export const leastTrailingOnes = (k: KnownBits): number => trailingOnes(k.one, k.width);
export const mostOnes = (k: KnownBits): number => k.width - popCount(k.zero);

/** Bits equal to the sign, itself among them: at least 1. */
export function leastSignBits(k: KnownBits): number {
  if (isNonNegative(k)) return leastLeadingZeros(k);
  return isNegative(k) ? leastLeadingOnes(k) : 1;
}

export const withZeros = (k: KnownBits, bits: bigint): KnownBits => ({ ...k, zero: k.zero | bits });
export const withOnes = (k: KnownBits, bits: bigint): KnownBits => ({ ...k, one: k.one | bits });
export const lowZeros = (k: KnownBits, n: number): KnownBits => withZeros(k, maskOf(Math.min(n, k.width)));
export const highZeros = (k: KnownBits, n: number): KnownBits => withZeros(k, highMask(k.width, Math.min(n, k.width)));
export const highOnes = (k: KnownBits, n: number): KnownBits => withOnes(k, highMask(k.width, Math.min(n, k.width)));

const onlySign = (k: KnownBits, isSet: boolean): KnownBits => {
  const sign = signOf(k.width);
  return isSet
    ? { width: k.width, zero: k.zero & ~sign, one: k.one | sign }
    : { width: k.width, zero: k.zero | sign, one: k.one & ~sign };
};
export const asNonNegative = (k: KnownBits): KnownBits => withZeros(k, signOf(k.width));
export const asNegative = (k: KnownBits): KnownBits => withOnes(k, signOf(k.width));

/** What both say of the same value; what two values have in common. */
export const together = (a: KnownBits, b: KnownBits): KnownBits => ({
  width: a.width,
  zero: a.zero | b.zero,
  one: a.one | b.one,
});
export const inCommon = (a: KnownBits, b: KnownBits): KnownBits => ({
  width: a.width,
  zero: a.zero & b.zero,
  one: a.one & b.one,
});

const orZero = (k: KnownBits): KnownBits => (isContradiction(k) ? constantBits(0n, k.width) : k);

// -- width ------------------------------------------------------------------------------------------------------------

export function zeroExtended(k: KnownBits, width: number): KnownBits {
  if (width <= k.width) return { width, zero: k.zero & maskOf(width), one: k.one & maskOf(width) };
  return { width, zero: k.zero | (maskOf(width) & ~maskOf(k.width)), one: k.one };
}

/** New high bits are unknown. */
export function anyExtended(k: KnownBits, width: number): KnownBits {
  return { width, zero: k.zero & maskOf(width), one: k.one & maskOf(width) };
}

export function signExtended(k: KnownBits, width: number): KnownBits {
  if (width <= k.width) return anyExtended(k, width);
  const spread = (bits: bigint): bigint => BigInt.asUintN(width, BigInt.asIntN(k.width, bits));
  return { width, zero: spread(k.zero), one: spread(k.one) };
}

// -- logic ------------------------------------------------------------------------------------------------------------

export const andBits = (a: KnownBits, b: KnownBits): KnownBits => ({
  width: a.width,
  zero: a.zero | b.zero,
  one: a.one & b.one,
});
export const orBits = (a: KnownBits, b: KnownBits): KnownBits => ({
  width: a.width,
  zero: a.zero & b.zero,
  one: a.one | b.one,
});
export const xorBits = (a: KnownBits, b: KnownBits): KnownBits => ({
  width: a.width,
  zero: (a.zero & b.zero) | (a.one & b.one),
  one: (a.zero & b.one) | (a.one & b.zero),
});
const notBits = (k: KnownBits): KnownBits => ({ width: k.width, zero: k.one, one: k.zero });

/** `x & -x`: the lowest set bit alone. */
export function lowestBit(k: KnownBits): KnownBits {
  const most = mostTrailingZeros(k);
  const above = maskOf(k.width) & ~maskOf(Math.min(most + 1, k.width));
  const isSure = leastTrailingZeros(k) === most && most < k.width;
  return { width: k.width, zero: k.zero | above, one: isSure ? 1n << BigInt(most) : 0n };
}

/** `x ^ (x - 1)`: ones up to the lowest set bit. */
export function upToLowestBit(k: KnownBits): KnownBits {
  const most = Math.min(mostTrailingZeros(k) + 1, k.width);
  return {
    width: k.width,
    zero: maskOf(k.width) & ~maskOf(most),
    one: maskOf(Math.min(leastTrailingZeros(k) + 1, k.width)),
  };
}

function permuted(k: KnownBits, move: (bits: bigint) => bigint): KnownBits {
  return { width: k.width, zero: move(k.zero), one: move(k.one) };
}

export const bytesSwapped = (k: KnownBits): KnownBits =>
  permuted(k, (bits) => {
    let res = 0n;
    for (let n = 0; n < k.width; n += 8) res = (res << 8n) | ((bits >> BigInt(n)) & 0xffn);
    return res;
  });

export const bitsReversed = (k: KnownBits): KnownBits =>
  permuted(k, (bits) => {
    let res = 0n;
    for (let n = 0; n < k.width; n++) res = (res << 1n) | ((bits >> BigInt(n)) & 1n);
    return res;
  });

/** High part of `a:b` shifted to the left by an amount of 0 to the width. */
export function funnel(a: KnownBits, b: KnownBits, amount: number): KnownBits {
  const { width } = a;
  const mask = maskOf(width);
  const n = BigInt(amount);
  const rest = BigInt(width - amount);
  // Bits that come in by the shifts of the halves are zeros of neither: the other half has them.
  return {
    width,
    zero: ((a.zero << n) & mask) | (b.zero >> rest),
    one: ((a.one << n) & mask) | (b.one >> rest),
  };
}

// -- sums -------------------------------------------------------------------------------------------------------------

/** Sum with a carry into bit 0 (`a - b` is `a + ~b + 1`). */
function addBits(a: KnownBits, b: KnownBits, carry: bigint): KnownBits {
  const mask = maskOf(a.width);
  const maxSum = ((~a.zero & mask) + (~b.zero & mask) + carry) & mask;
  const minSum = (a.one + b.one + carry) & mask;
  const carryZero = ~(maxSum ^ a.zero ^ b.zero) & mask;
  const carryOne = (minSum ^ a.one ^ b.one) & mask;
  const known = (a.zero | a.one) & (b.zero | b.one) & (carryZero | carryOne);
  return { width: a.width, zero: ~maxSum & known & mask, one: minSum & known };
}

/** Ones, or zeros, that begin below the sign bit of `bound` and are shared by everything on its far side. */
function belowSign(bound: bigint, width: number, isOnes: boolean): bigint {
  if (width === 1) return 0n;
  const low = bound & maskOf(width - 1);
  const n = isOnes ? leadingOnes(low, width - 1) : leadingZeros(low, width - 1);
  return maskOf(width - 1) & ~maskOf(width - 1 - n);
}

/** Bits that bounds of the unsigned result (no wrap) make known. */
function unsignedBounds(isAdd: boolean, nsw: boolean, a: KnownBits, b: KnownBits): KnownBits {
  const { width } = a;
  if (isAdd) {
    const least = smaller(a.one + b.one, maskOf(width));
    return {
      width,
      zero: 0n,
      one: highMask(width, leadingOnes(least, width)) | (nsw ? belowSign(least, width, true) : 0n),
    };
  }
  const most = greater(greatestUnsigned(a) - b.one, 0n);
  return {
    width,
    zero: highMask(width, leadingZeros(most, width)) | (nsw ? belowSign(most, width, false) : 0n),
    one: 0n,
  };
}

function clampSigned(v: bigint, width: number): bigint {
  const half = signOf(width);
  return v < -half ? -half : v >= half ? half - 1n : v;
}

/** The same for the signed result. */
function signedBounds(isAdd: boolean, a: KnownBits, b: KnownBits): KnownBits {
  const { width } = a;
  const least = clampSigned(leastSigned(a) + (isAdd ? leastSigned(b) : -greatestSigned(b)), width);
  const most = clampSigned(greatestSigned(a) + (isAdd ? greatestSigned(b) : -leastSigned(b)), width);
  let zero = 0n;
  let one = 0n;
  if (least >= 0n) {
    one |= belowSign(least, width, true);
    zero |= signOf(width);
  }
  if (most < 0n) {
    zero |= belowSign(BigInt.asUintN(width, most), width, false);
    one |= signOf(width);
  }
  return { width, zero, one };
}

/** Sum or difference; the flags say that it does not wrap. */
export function sumBits(isAdd: boolean, nsw: boolean, nuw: boolean, a: KnownBits, b: KnownBits): KnownBits {
  let res = nothingKnown(a.width);
  const knowsA = !isNothing(a);
  const knowsB = !isNothing(b);
  if (!knowsA && !knowsB) return res;
  if (knowsA && knowsB) res = isAdd ? addBits(a, b, 0n) : addBits(a, notBits(b), 1n);
  if (nuw) res = together(res, unsignedBounds(isAdd, nsw, a, b));
  if (nsw) res = together(res, signedBounds(isAdd, a, b));
  return orZero(res);
}

/** A sum or difference that saturates: one that does not wrap, or a bound that the operands may make it go past. */
export function saturatedBits(isAdd: boolean, isSigned: boolean, a: KnownBits, b: KnownBits): KnownBits {
  const { width } = a;
  const [lowest, highest] = isSigned ? [-signOf(width), signOf(width) - 1n] : [0n, maskOf(width)];
  const least = (k: KnownBits): bigint => (isSigned ? leastSigned(k) : k.one);
  const most = (k: KnownBits): bigint => (isSigned ? greatestSigned(k) : greatestUnsigned(k));
  const from = least(a) + (isAdd ? least(b) : -most(b));
  const to = most(a) + (isAdd ? most(b) : -least(b));
  if (to < lowest) return constantBits(BigInt.asUintN(width, lowest), width);
  if (from > highest) return constantBits(highest, width);
  let res = sumBits(isAdd, isSigned, !isSigned, a, b);
  if (from < lowest) res = inCommon(res, constantBits(BigInt.asUintN(width, lowest), width));
  if (to > highest) res = inCommon(res, constantBits(highest, width));
  return res;
}

export function absoluteBits(k: KnownBits, isMinPoison: boolean): KnownBits {
  const { width } = k;
  const sign = signOf(width);
  if (isNonNegative(k)) return k;
  if (!isNegative(k)) {
    const least = leastTrailingZeros(k);
    const isSure = mostTrailingZeros(k) === least && least < width;
    const isPositive = isMinPoison || (k.one !== 0n && k.one !== sign);
    const one = isSure ? 1n << BigInt(least) : 0n;
    return { width, zero: maskOf(least) | (isPositive ? sign : 0n), one: isPositive ? one & ~sign : one };
  }
  let from = k;
  // Only one bit besides the sign may be set, and one has to be.
  if (isMinPoison && popCount(k.zero) + 2 === width) from = withOnes(k, 1n << BigInt(leastTrailingZeros(k)));
  const res = sumBits(false, isMinPoison, false, constantBits(0n, width), from);
  if (!isMinPoison || popCount(from.one) !== 1 || mostOnes(from) === 1) return res;
  // Something below the sign is set, so that the carry of the negation never gets past the zeros that are known.
  const below = onlySign(from, false);
  return withOnes(res, maskOf(width - 1) & ~maskOf(Math.max(0, width - leastLeadingZeros(below))));
}

// -- products and quotients -------------------------------------------------------------------------------------------

/** `isSquare`: both operands are the same value, which is not undef. */
export function productBits(a: KnownBits, b: KnownBits, isSquare: boolean): KnownBits {
  const { width } = a;
  const most = greatestUnsigned(a) * greatestUnsigned(b);
  const high = most > maskOf(width) ? 0 : leadingZeros(most, width);
  // Low bits that are known of both multiply to low bits of the product.
  const knownLow = (k: KnownBits): number => trailingOnes(k.zero | k.one, width);
  const [lowA, lowB] = [knownLow(a), knownLow(b)];
  const [zerosA, zerosB] = [leastTrailingZeros(a), leastTrailingZeros(b)];
  const low = maskOf(Math.min(Math.min(lowA - zerosA, lowB - zerosB) + zerosA + zerosB, width));
  const product = (a.one & maskOf(lowA)) * (b.one & maskOf(lowB));
  // A square is 0 or 1 modulo 4, that of an odd number 1 modulo 8; zeros below count twice.
  const isOdd = ((a.one >> BigInt(zerosA)) & 1n) !== 0n;
  const square = isSquare ? ((isOdd ? 6n : 2n) << BigInt(2 * zerosA)) & maskOf(width) : 0n;
  return { width, zero: highMask(width, high) | (~product & low) | square, one: product & low };
}

/** What an exact division says of the low bits. */
function exactQuotientBits(k: KnownBits, a: KnownBits, b: KnownBits): KnownBits {
  let res = k;
  if ((a.one & 1n) !== 0n) res = withOnes(res, 1n);
  const least = leastTrailingZeros(a) - mostTrailingZeros(b);
  const most = mostTrailingZeros(a) - leastTrailingZeros(b);
  if (least >= 0) {
    res = lowZeros(res, least);
    if (least === most && least < k.width) res = withOnes(res, 1n << BigInt(least));
  } else if (most < 0) return constantBits(0n, k.width);
  return orZero(res);
}

export function quotientBits(a: KnownBits, b: KnownBits, isSigned: boolean, isExact: boolean): KnownBits {
  const { width } = a;
  if (isZero(a) || isZero(b)) return constantBits(0n, width);
  let res = nothingKnown(width);
  if (!isSigned || (isNonNegative(a) && isNonNegative(b))) {
    const most = b.one === 0n ? greatestUnsigned(a) : greatestUnsigned(a) / b.one;
    res = highZeros(res, leadingZeros(most, width));
  } else {
    const bound = signedQuotientBound(a, b, isExact);
    if (bound !== null) {
      const bits = BigInt.asUintN(width, bound);
      res = bound >= 0n ? highZeros(res, leadingZeros(bits, width)) : highOnes(res, leadingOnes(bits, width));
    }
  }
  return isExact ? exactQuotientBits(res, a, b) : res;
}

/** The quotient farthest from zero where its sign is known; null where it is not. */
function signedQuotientBound(a: KnownBits, b: KnownBits, isExact: boolean): bigint | null {
  const { width } = a;
  const half = signOf(width);
  if (isNegative(a) && isNegative(b)) {
    const by = greatestSigned(b);
    const of = leastSigned(a);
    return of === -half && by === -1n ? half - 1n : of / by;
  }
  const unsigned = (v: bigint): bigint => BigInt.asUintN(width, v);
  if (isNegative(a) && isNonNegative(b)) {
    if (!isExact && unsigned(-greatestSigned(a)) < unsigned(greatestSigned(b))) return null;
    const by = leastSigned(b);
    return by === 0n ? leastSigned(a) : leastSigned(a) / by;
  }
  if (isNonNegative(a) && a.one !== 0n && isNegative(b)) {
    if (!isExact && unsigned(leastSigned(a)) < unsigned(-leastSigned(b))) return null;
    return greatestSigned(a) / greatestSigned(b);
  }
  return null;
}

export function remainderBits(a: KnownBits, b: KnownBits, isSigned: boolean): KnownBits {
  const { width } = a;
  // A divisor that is a multiple of a power of two leaves the bits below it.
  const kept = isZero(b) ? 0n : maskOf(leastTrailingZeros(b));
  const res = { width, zero: a.zero & kept, one: a.one & kept };
  if (isConstantBits(b) && popCount(b.one) === 1) {
    const low = b.one - 1n;
    const high = maskOf(width) & ~low;
    if (!isSigned || isNonNegative(a) || (low & ~a.zero) === 0n) return withZeros(res, high);
    return isNegative(a) && (low & a.one) !== 0n ? withOnes(res, high) : res;
  }
  if (!isSigned) return highZeros(res, Math.max(leastLeadingZeros(a), leastLeadingZeros(b)));
  if (isNonNegative(a)) return highZeros(res, Math.max(leastLeadingZeros(a), leastSignBits(b)));
  return isNegative(a) && res.one !== 0n ? highOnes(res, Math.max(leastLeadingOnes(a), leastSignBits(b))) : res;
}

// -- least and greatest -----------------------------------------------------------------------------------------------

/** The bits of a value that is known to be at least `v`. */
function atLeast(k: KnownBits, v: bigint): KnownBits {
  const n = leadingOnes(k.zero | v, k.width);
  return withOnes(k, v & highMask(k.width, n));
}

function maximumBits(a: KnownBits, b: KnownBits): KnownBits {
  if (a.one >= greatestUnsigned(b)) return a;
  if (b.one >= greatestUnsigned(a)) return b;
  return inCommon(atLeast(a, b.one), atLeast(b, a.one));
}

/** The other three by turning the order of the values round. */
export function extremeBits(isMax: boolean, isSigned: boolean, a: KnownBits, b: KnownBits): KnownBits {
  const sign = signOf(a.width);
  const flip = (k: KnownBits): KnownBits => {
    const turned = isMax ? k : notBits(k);
    if (!isSigned) return turned;
    return {
      width: k.width,
      zero: (turned.zero & ~sign) | (turned.one & sign),
      one: (turned.one & ~sign) | (turned.zero & sign),
    };
  };
  return flip(maximumBits(flip(a), flip(b)));
}

// -- shifts -----------------------------------------------------------------------------------------------------------

type Shift = 'shl' | 'lshr' | 'ashr';

interface ShiftFlags {
  readonly nuw: boolean;
  readonly nsw: boolean;
  readonly exact: boolean;
  /** the amount is surely not 0 */
  readonly isMoved: boolean;
}

/** By an amount below the width. */
function shiftedBy(shift: Shift, a: KnownBits, amount: number, flags: ShiftFlags): KnownBits {
  const { width } = a;
  const mask = maskOf(width);
  const n = BigInt(amount);
  if (shift === 'lshr') return { width, zero: (a.zero >> n) | (mask & ~(mask >> n)), one: a.one >> n };
  if (shift === 'ashr') return permuted(a, (bits) => BigInt.asUintN(width, BigInt.asIntN(width, bits) >> n));
  const res = { width, zero: ((a.zero << n) | maskOf(amount)) & mask, one: (a.one << n) & mask };
  if (!flags.nsw) return res;
  // What is shifted out equals the sign that stays; a shift that wraps neither way shifts out nothing but zeros.
  const rest = BigInt(width) - n;
  if (a.zero >> rest !== 0n || (amount > 0 && flags.nuw)) return asNonNegative(res);
  return a.one >> rest !== 0n ? asNegative(res) : res;
}

/** The greatest amount by which it is not poison. */
function greatestAmount(shift: Shift, a: KnownBits, amount: KnownBits, flags: ShiftFlags): number {
  const { width } = a;
  const greatest = greatestUnsigned(amount);
  const isPowerOf2 = (width & (width - 1)) === 0;
  let most = Number(isPowerOf2 ? greatest & BigInt(width - 1) : smaller(greatest, BigInt(width - 1)));
  if (shift !== 'shl') return flags.exact ? Math.min(most, mostTrailingZeros(a)) : most;
  const zeros = mostLeadingZeros(a);
  if (flags.nuw) most = Math.min(most, flags.nsw && zeros > 0 ? zeros - 1 : zeros);
  if (flags.nsw) most = Math.min(most, Math.max(mostLeadingZeros(a), mostLeadingOnes(a)) - 1);
  return most;
}

/** What all amounts that are possible have in common. */
export function shiftBits(shift: Shift, a: KnownBits, amount: KnownBits, flags: ShiftFlags): KnownBits {
  const { width } = a;
  let least = Number(smaller(amount.one, BigInt(width)));
  if (least === 0 && flags.isMoved) least = 1;
  if (isNothing(a)) {
    const none = nothingKnown(width);
    if (shift === 'lshr') return highZeros(none, least);
    if (shift === 'ashr') return least === width ? constantBits(0n, width) : none;
    const low = lowZeros(none, least);
    return flags.nuw && flags.nsw && least !== 0 ? asNonNegative(low) : low;
  }
  const most = greatestAmount(shift, a, amount, flags);
  let known = allKnown(width);
  for (let n = least; n <= most; n++) {
    const bits = BigInt(n);
    if ((bits & amount.zero) !== 0n || (bits & amount.one) !== (amount.one & 0xffffffffn)) continue;
    known = inCommon(known, shiftedBy(shift, a, n, flags));
    if (isNothing(known)) break;
  }
  return orZero(known);
}

/** Sum of `n` elements of which all this is known. */
export function elementSumBits(k: KnownBits, n: number): KnownBits {
  const { width } = k;
  if (isConstantBits(k)) return constantBits(BigInt.asUintN(width, k.one * BigInt(n)), width);
  const carries = bitLength(BigInt(n - 1));
  let res = nothingKnown(width);
  if (isNonNegative(k)) res = highZeros(res, Math.max(0, leastLeadingZeros(k) - carries));
  else if (isNegative(k)) res = highOnes(res, Math.max(0, leastLeadingOnes(k) - carries));
  return res;
}
