/**
 * Intervals of integers on the circle of 2^width values (llvm/IR/ConstantRange.cpp, LLVM 22): `[lower, upper)`, which may wrap around.
 * Equal bounds are all values (the greatest number) or none (0). Intervals are arcs here; what two arcs share may be two arcs, of which
 * an answer can hold only one (`preferred`).
 */
import {
  bitLength,
  greatestUnsigned,
  isContradiction,
  isNegative,
  isNonNegative,
  isNothing,
  maskOf,
  nothingKnown,
  signExtend,
  signOf,
  type KnownBits,
} from './knownBits.js';

export interface ConstantRange {
  readonly width: number;
  readonly lower: bigint;
  readonly upper: bigint;
}

/** Which of two answers that are both right is taken: the one that does not wrap, by the sign or without it; else the smaller one. */
type Preference = 'smallest' | 'signed';

/** Predicates of integer comparisons. */
export type Predicate = 'eq' | 'ne' | 'ugt' | 'uge' | 'ult' | 'ule' | 'sgt' | 'sge' | 'slt' | 'sle';

export const fullRange = (width: number): ConstantRange => ({ width, lower: maskOf(width), upper: maskOf(width) });
export const emptyRange = (width: number): ConstantRange => ({ width, lower: 0n, upper: 0n });

const wrap = (v: bigint, width: number): bigint => BigInt.asUintN(width, v);

/** Bounds modulo 2^width; equal ones are everything. */
export function rangeBetween(lower: bigint, upper: bigint, width: number): ConstantRange {
  const l = wrap(lower, width);
  const u = wrap(upper, width);
  return l === u ? fullRange(width) : { width, lower: l, upper: u };
}

export const singleRange = (v: bigint, width: number): ConstantRange => rangeBetween(v, v + 1n, width);

const isFull = (r: ConstantRange): boolean => r.lower === r.upper && r.lower !== 0n;
export const isEmpty = (r: ConstantRange): boolean => r.lower === r.upper && r.lower === 0n;

/** How many values; at most 2^width. */
function sizeOf(r: ConstantRange): bigint {
  if (r.lower !== r.upper) return wrap(r.upper - r.lower, r.width);
  return isEmpty(r) ? 0n : 1n << BigInt(r.width);
}

/** Arc from `lower` of so many values. */
function arc(lower: bigint, size: bigint, width: number): ConstantRange {
  if (size <= 0n) return emptyRange(width);
  return size >= 1n << BigInt(width) ? fullRange(width) : rangeBetween(lower, lower + size, width);
}

const isWrapped = (r: ConstantRange): boolean => r.lower > r.upper && r.upper !== 0n;
const isSignWrapped = (r: ConstantRange): boolean =>
  signExtend(r.lower, r.width) > signExtend(r.upper, r.width) && r.upper !== signOf(r.width);

const leastUnsigned = (r: ConstantRange): bigint => (isFull(r) || isWrapped(r) ? 0n : r.lower);
const mostUnsigned = (r: ConstantRange): bigint =>
  isFull(r) || r.lower > r.upper ? maskOf(r.width) : wrap(r.upper - 1n, r.width);
export const leastSignedOf = (r: ConstantRange): bigint =>
  isFull(r) || isSignWrapped(r) ? -signOf(r.width) : signExtend(r.lower, r.width);
const mostSignedOf = (r: ConstantRange): bigint =>
  isFull(r) || signExtend(r.lower, r.width) > signExtend(r.upper, r.width)
    ? signOf(r.width) - 1n
    : signExtend(wrap(r.upper - 1n, r.width), r.width);

export const contains = (r: ConstantRange, v: bigint): boolean => wrap(v - r.lower, r.width) < sizeOf(r);

const isSingle = (r: ConstantRange): boolean => sizeOf(r) === 1n;

function preferred(a: ConstantRange, b: ConstantRange, preference: Preference): ConstantRange {
  if (preference === 'signed') {
    const wraps = isSignWrapped(a);
    if (wraps !== isSignWrapped(b)) return wraps ? b : a;
  }
  return sizeOf(a) < sizeOf(b) ? a : b;
}

export function intersection(a: ConstantRange, b: ConstantRange, preference: Preference = 'smallest'): ConstantRange {
  if (isEmpty(a) || isFull(b)) return a;
  if (isEmpty(b) || isFull(a)) return b;
  const { width } = a;
  const circle = 1n << BigInt(width);
  const [sizeA, sizeB] = [sizeOf(a), sizeOf(b)];
  // Seen from the lower bound of a.
  const start = wrap(b.lower - a.lower, width);
  const end = start + sizeB;
  const atStart = start < sizeA ? (end < sizeA ? end : sizeA) - start : 0n;
  const around = end > circle ? (end - circle < sizeA ? end - circle : sizeA) : 0n;
  if (atStart > 0n && around > 0n) {
    // Of two of the same size it is the one that wraps only if both do.
    const isSwapped = a.lower <= a.upper && b.lower > b.upper;
    return isSwapped ? preferred(b, a, preference) : preferred(a, b, preference);
  }
  return around > 0n ? arc(a.lower, around, width) : arc(b.lower, atStart, width);
}

/** The smallest arc around both. */
export function union(a: ConstantRange, b: ConstantRange): ConstantRange {
  if (isEmpty(b) || isFull(a)) return a;
  if (isEmpty(a) || isFull(b)) return b;
  const { width } = a;
  const circle = 1n << BigInt(width);
  const [sizeA, sizeB] = [sizeOf(a), sizeOf(b)];
  const start = wrap(b.lower - a.lower, width);
  const end = start + sizeB;
  const touchesEnd = start <= sizeA;
  const touchesStart = end >= circle;
  if (touchesEnd && touchesStart) return fullRange(width);
  if (touchesEnd) return arc(a.lower, end > sizeA ? end : sizeA, width);
  if (touchesStart) {
    const reach = end - circle > sizeA ? end - circle : sizeA;
    return arc(b.lower, circle - start + reach, width);
  }
  return preferred(rangeBetween(a.lower, b.upper, width), rangeBetween(b.lower, a.upper, width), 'smallest');
}

export function sum(a: ConstantRange, b: ConstantRange): ConstantRange {
  if (isEmpty(a) || isEmpty(b)) return emptyRange(a.width);
  return arc(a.lower + b.lower, sizeOf(a) + sizeOf(b) - 1n, a.width);
}

export function difference(a: ConstantRange, b: ConstantRange): ConstantRange {
  if (isEmpty(a) || isEmpty(b)) return emptyRange(a.width);
  const size = sizeOf(b);
  return arc(a.lower - (b.lower + size - 1n), sizeOf(a) + size - 1n, a.width);
}

/** Signed product with a constant: saturating, or everything when it may overflow. */
export function scaled(r: ConstantRange, factor: bigint, saturates: boolean): ConstantRange {
  const { width } = r;
  if (isEmpty(r)) return r;
  const half = signOf(width);
  const by = signExtend(factor, width);
  let [low, high] = [leastSignedOf(r) * by, mostSignedOf(r) * by];
  if (low > high) [low, high] = [high, low];
  if (!saturates && (low < -half || high >= half)) return fullRange(width);
  const clamp = (v: bigint): bigint => (v < -half ? -half : v >= half ? half - 1n : v);
  return rangeBetween(clamp(low), clamp(high) + 1n, width);
}

export function truncatedRange(r: ConstantRange, width: number): ConstantRange {
  if (isEmpty(r)) return emptyRange(width);
  return arc(wrap(r.lower, width), sizeOf(r), width);
}

export function zeroExtendedRange(r: ConstantRange, width: number): ConstantRange {
  if (isEmpty(r)) return emptyRange(width);
  return rangeBetween(leastUnsigned(r), mostUnsigned(r) + 1n, width);
}

export function signExtendedRange(r: ConstantRange, width: number): ConstantRange {
  if (isEmpty(r)) return emptyRange(width);
  return rangeBetween(leastSignedOf(r), mostSignedOf(r) + 1n, width);
}

/** Interval around what the bits allow, seen as signed numbers. */
export function rangeOfBits(k: KnownBits): ConstantRange {
  const { width } = k;
  if (isContradiction(k)) return emptyRange(width);
  if (isNothing(k)) return fullRange(width);
  const most = greatestUnsigned(k);
  if (isNonNegative(k) || isNegative(k)) return rangeBetween(k.one, most + 1n, width);
  const sign = signOf(width);
  return rangeBetween(k.one | sign, (most & ~sign) + 1n, width);
}

/** High bits that all values share. */
export function bitsOfRange(r: ConstantRange): KnownBits {
  const { width } = r;
  if (isEmpty(r)) return nothingKnown(width);
  const least = leastUnsigned(r);
  const shared = maskOf(width) & ~maskOf(bitLength(least ^ mostUnsigned(r)));
  return { width, zero: ~least & shared, one: least & shared };
}

/** All x with `x PREDICATE y` for some y of the range. */
export function allowedRegion(predicate: Predicate, r: ConstantRange): ConstantRange {
  const { width } = r;
  if (isEmpty(r)) return r;
  const half = signOf(width);
  // [first, last] on one of the two number lines; none if it is empty.
  const closed = (first: bigint, last: bigint): ConstantRange =>
    first > last ? emptyRange(width) : rangeBetween(first, last + 1n, width);
  switch (predicate) {
    case 'eq':
      return r;
    case 'ne':
      return isSingle(r) ? { width, lower: r.upper, upper: r.lower } : fullRange(width);
    case 'ult':
      return closed(0n, mostUnsigned(r) - 1n);
    case 'ule':
      return closed(0n, mostUnsigned(r));
    case 'ugt':
      return closed(leastUnsigned(r) + 1n, maskOf(width));
    case 'uge':
      return closed(leastUnsigned(r), maskOf(width));
    case 'slt':
      return closed(-half, mostSignedOf(r) - 1n);
    case 'sle':
      return closed(-half, mostSignedOf(r));
    case 'sgt':
      return closed(leastSignedOf(r) + 1n, half - 1n);
    case 'sge':
      return closed(leastSignedOf(r), half - 1n);
  }
}

const INVERSE: Readonly<Record<Predicate, Predicate>> = {
  eq: 'ne', ne: 'eq', ugt: 'ule', uge: 'ult', ult: 'uge', ule: 'ugt', sgt: 'sle', sge: 'slt', slt: 'sge', sle: 'sgt',
}; // prettier-ignore
const SWAPPED: Readonly<Record<Predicate, Predicate>> = {
  eq: 'eq', ne: 'ne', ugt: 'ult', uge: 'ule', ult: 'ugt', ule: 'uge', sgt: 'slt', sge: 'sle', slt: 'sgt', sle: 'sge',
}; // prettier-ignore

/** The predicate that holds when this one does not; the one with the operands exchanged. */
export const inverse = (p: Predicate): Predicate => INVERSE[p];
export const swapped = (p: Predicate): Predicate => SWAPPED[p];

export const isEquality = (p: Predicate): boolean => p === 'eq' || p === 'ne';
export const isSignedPredicate = (p: Predicate): boolean => p.startsWith('s');

/** Whether the predicate holds between all values of one range and all of the other. */
export function alwaysHolds(predicate: Predicate, a: ConstantRange, b: ConstantRange): boolean {
  if (isEmpty(a) || isEmpty(b)) return true;
  switch (predicate) {
    case 'eq':
      return isSingle(a) && isSingle(b) && a.lower === b.lower;
    case 'ne': {
      const shared = intersection(a, b);
      return isEmpty(shared);
    }
    case 'ult':
      return mostUnsigned(a) < leastUnsigned(b);
    case 'ule':
      return mostUnsigned(a) <= leastUnsigned(b);
    case 'ugt':
      return leastUnsigned(a) > mostUnsigned(b);
    case 'uge':
      return leastUnsigned(a) >= mostUnsigned(b);
    case 'slt':
      return mostSignedOf(a) < leastSignedOf(b);
    case 'sle':
      return mostSignedOf(a) <= leastSignedOf(b);
    case 'sgt':
      return leastSignedOf(a) > mostSignedOf(b);
    case 'sge':
      return leastSignedOf(a) >= mostSignedOf(b);
  }
}
