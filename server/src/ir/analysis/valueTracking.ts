/**
 * What can be told about integer values: known bits, signed intervals, "not zero", "different" (the part of
 * llvm/Analysis/ValueTracking.cpp that alias queries reach, LLVM 22; assumptions are not used). A missing fact only makes
 * an answer less precise.
 */
import {
  Argument,
  BasicBlock,
  Constant,
  Instruction,
  InstFlag,
  IRFunction,
  Opcode,
  Value,
  ValueKind,
} from '../module.js';
import { MDNode, ValueAsMetadata } from '../module.js';
import { TypeKind } from '../types.js';

/** MaxAnalysisRecursionDepth */
const MAX_DEPTH = 6;

/** Bits known to be 0 and to be 1, of a value `width` bits wide. */
export interface KnownBits {
  readonly width: number;
  readonly zero: bigint;
  readonly one: bigint;
}

/** Inclusive signed interval; without the values of `gap` where an unsigned one reaches from below the sign bit to above it. */
export interface SignedRange {
  readonly min: bigint;
  readonly max: bigint;
  readonly gap?: { readonly min: bigint; readonly max: bigint };
}

const MASKS: readonly bigint[] = Array.from({ length: 129 }, (_, width) => (1n << BigInt(width)) - 1n);

/** Ones in the low `width` bits; from a table for the usual widths. */
export function maskOf(width: number): bigint {
  return width <= 128 ? MASKS[width] : (1n << BigInt(width)) - 1n;
}

const nothingKnown = (width: number): KnownBits => ({ width, zero: 0n, one: 0n });

function fullRange(width: number): SignedRange {
  const half = 1n << BigInt(width - 1);
  return { min: -half, max: half - 1n };
}

export function signExtend(v: bigint, width: number): bigint {
  return BigInt.asIntN(width, v);
}

export function intConstant(v: Value): bigint | null {
  return v.kind === ValueKind.ConstantInt ? (v as Constant).value : null;
}

/** Half-open unsigned bounds, `[lower, upper)` each; one or more, ascending. */
type Bounds = readonly (readonly [lower: bigint, upper: bigint])[];

/** What `range` attributes (of an argument; of a call and of what it calls) and `!range` nodes say: all of it holds. */
function declaredRanges(v: Value): readonly Bounds[] {
  if (v instanceof Argument) return boundsOf(v.attributes?.get('range')?.numbers ?? []);
  if (!(v instanceof Instruction)) return [];
  const ranges: Bounds[] = [];
  if (v.call !== null) {
    ranges.push(...boundsOf(v.call.retAttrs?.get('range')?.numbers ?? []));
    const callee = v.operands[v.operands.length - 1];
    if (callee instanceof IRFunction) ranges.push(...boundsOf(callee.retAttrs?.get('range')?.numbers ?? []));
  }
  const node = v.attachments?.find((a) => a.kind === 'range')?.node;
  if (node instanceof MDNode) {
    const numbers = node.operands.map((o) => (o instanceof ValueAsMetadata ? intConstant(o.value) : null));
    if (numbers.every((n) => n !== null)) ranges.push(...boundsOf(numbers as readonly bigint[]));
  }
  return ranges;
}

/** No or one list of pairs. */
function boundsOf(numbers: readonly bigint[]): Bounds[] {
  if (numbers.length === 0 || numbers.length % 2 !== 0) return [];
  const pairs: [bigint, bigint][] = [];
  for (let k = 0; k < numbers.length; k += 2) pairs.push([numbers[k]!, numbers[k + 1]!]);
  return [pairs];
}

/** The smallest interval, perhaps a wrapping one, around all pairs: what lies in the widest gap between two of them is left out. */
function hullOf(pairs: Bounds, width: number): readonly [bigint, bigint] {
  let widest = -1n;
  let hull = pairs[0]!;
  pairs.forEach(([, upper], k) => {
    const lower = pairs[(k + 1) % pairs.length]![0];
    const gap = BigInt.asUintN(width, lower - upper);
    if (gap > widest) {
      widest = gap;
      hull = [lower, upper];
    }
  });
  return hull;
}

function bitLength(v: bigint): number {
  let n = 0;
  // 32 bits at a time; values rarely have more than 64.
  while (v > 0xffffffffn) {
    v >>= 32n;
    n += 32;
  }
  return n + 32 - Math.clz32(Number(v));
}

function trailingZeros(v: bigint, width: number): number {
  if (v === 0n) return width;
  return bitLength(v & -v) - 1;
}

function popCount(v: bigint): number {
  let n = 0;
  for (; v !== 0n; v &= v - 1n) n++;
  return n;
}

/** Low bits known to be zero. */
function minTrailingZeros(k: KnownBits): number {
  return trailingZeros(~k.zero & maskOf(k.width), k.width);
}

function minLeadingZeros(k: KnownBits): number {
  return k.width - bitLength(~k.zero & maskOf(k.width));
}

/** Sum with a carry into bit 0 that is known to be 0 or 1 (`a - b` is `a + ~b + 1`). */
function addBits(a: KnownBits, b: KnownBits, carry: bigint): KnownBits {
  const mask = maskOf(a.width);
  const maxSum = ((~a.zero & mask) + (~b.zero & mask) + carry) & mask;
  const minSum = (a.one + b.one + carry) & mask;
  const carryZero = ~(maxSum ^ a.zero ^ b.zero) & mask;
  const carryOne = (minSum ^ a.one ^ b.one) & mask;
  const known = (a.zero | a.one) & (b.zero | b.one) & (carryZero | carryOne);
  return { width: a.width, zero: ~maxSum & known & mask, one: minSum & known };
}

function negate(k: KnownBits): KnownBits {
  return { width: k.width, zero: k.one, one: k.zero };
}

function common(a: KnownBits, b: KnownBits): KnownBits {
  return { width: a.width, zero: a.zero & b.zero, one: a.one & b.one };
}

function constantBits(v: bigint, width: number): KnownBits {
  return { width, zero: ~v & maskOf(width), one: v };
}

/** Known bits of an integer (scalars only; others are unknown). */
function knownBits(v: Value, depth = 0): KnownBits {
  const width = v.type.kind === TypeKind.Integer ? v.type.n : 64;
  if (v.type.kind !== TypeKind.Integer) return nothingKnown(width);
  const c = intConstant(v);
  if (c !== null) return constantBits(c, width);
  let { zero, one } = nothingKnown(width);
  for (const pairs of declaredRanges(v)) {
    const parts = pairs.map(([lower, upper]) => bitsOfRange(lower, upper, width));
    // What all of them have in common.
    zero |= parts.reduce((common, part) => common & part.zero, maskOf(width));
    one |= parts.reduce((common, part) => common & part.one, maskOf(width));
  }
  if (v instanceof Instruction && depth < MAX_DEPTH) {
    const own = instructionBits(v, width, depth);
    return { width, zero: zero | own.zero, one: one | own.one };
  }
  return { width, zero, one };
}

/** Common leading bits of `lower .. upper - 1`. */
function bitsOfRange(lower: bigint, upper: bigint, width: number): KnownBits {
  const last = BigInt.asUintN(width, upper - 1n);
  if (last < lower) return nothingKnown(width);
  const different = bitLength(lower ^ last);
  const high = maskOf(width) & ~maskOf(different);
  return { width, zero: ~lower & high, one: lower & high };
}

function instructionBits(i: Instruction, width: number, depth: number): KnownBits {
  const ops = i.operands;
  const bits = (n: number): KnownBits => operandBits(i, n, depth);
  const mask = maskOf(width);
  switch (i.opcode) {
    case Opcode.And: {
      const a = bits(0);
      const b = bits(1);
      return { width, zero: a.zero | b.zero, one: a.one & b.one };
    }
    case Opcode.Or: {
      const a = bits(0);
      const b = bits(1);
      return { width, zero: a.zero & b.zero, one: a.one | b.one };
    }
    case Opcode.Xor: {
      const a = bits(0);
      const b = bits(1);
      return { width, zero: (a.zero & b.zero) | (a.one & b.one), one: (a.zero & b.one) | (a.one & b.zero) };
    }
    case Opcode.Add:
    case Opcode.Sub:
      return sumBits(i, width, depth);
    case Opcode.Mul:
      return productBits(i, width, depth);
    case Opcode.SRem:
      return intConstant(ops[1]) === 1n ? constantBits(0n, width) : nothingKnown(width);
    case Opcode.SDiv:
      return intConstant(ops[1]) === 1n ? bits(0) : nothingKnown(width);
    case Opcode.Shl:
    case Opcode.LShr:
    case Opcode.AShr:
      return shiftBits(i, width, depth);
    case Opcode.ZExt: {
      const a = bits(0);
      if (a.width >= width) return nothingKnown(width);
      return { width, zero: a.zero | (mask & ~maskOf(a.width)), one: a.one };
    }
    case Opcode.SExt:
      return signExtendedBits(i, width, depth);
    case Opcode.Trunc: {
      const a = bits(0);
      return { width, zero: a.zero & mask, one: a.one & mask };
    }
    case Opcode.PtrToInt: {
      const pointer = ops[0].type;
      const from = pointer.kind === TypeKind.Pointer && pointer.n !== 0 && pointer.n !== 1 && pointer.n !== 4 ? 32 : 64;
      return from < width ? { width, zero: mask & ~maskOf(from), one: 0n } : nothingKnown(width);
    }
    case Opcode.Select:
      return common(bits(1), bits(2));
    case Opcode.Phi:
      return phiBits(i, width, depth);
    case Opcode.UDiv: {
      const a = bits(0);
      const b = bits(1);
      // At least as many leading zeros as the dividend, more for a large divisor.
      const high = Math.min(width, minLeadingZeros(a) + Math.max(0, bitLength(b.one) - 1));
      return { width, zero: mask & ~maskOf(width - high), one: 0n };
    }
    case Opcode.URem:
      return remainderBits(i, width, depth);
    case Opcode.Call:
      return callBits(i, width, depth);
    default:
      return nothingKnown(width);
  }
}

function operandBits(i: Instruction, n: number, depth: number): KnownBits {
  return knownBits(i.operands[n], depth + 1);
}

function sumBits(i: Instruction, width: number, depth: number): KnownBits {
  const mask = maskOf(width);
  const a = operandBits(i, 0, depth);
  const b = operandBits(i, 1, depth);
  const isAdd = i.opcode === Opcode.Add;
  let k = isAdd ? addBits(a, b, 0n) : addBits(a, negate(b), 1n);
  const sign = 1n << BigInt(width - 1);
  if ((i.flags & InstFlag.NSW) !== 0 && isAdd) {
    if ((a.zero & b.zero & sign) !== 0n) k = { width, zero: k.zero | sign, one: k.one };
    else if ((a.one & b.one & sign) !== 0n) k = { width, zero: k.zero, one: k.one | sign };
  }
  if ((i.flags & InstFlag.NUW) !== 0 && !isAdd) {
    // A difference that does not wrap is not larger than its first operand.
    const high = minLeadingZeros(a);
    k = { width, zero: k.zero | (mask & ~maskOf(width - high)), one: k.one };
  }
  return k;
}

function productBits(i: Instruction, width: number, depth: number): KnownBits {
  const ops = i.operands;
  const mask = maskOf(width);
  const a = operandBits(i, 0, depth);
  const b = operandBits(i, 1, depth);
  const low = Math.min(width, minTrailingZeros(a) + minTrailingZeros(b));
  const high = Math.max(0, minLeadingZeros(a) + minLeadingZeros(b) - width);
  const top = 1n << BigInt(width - 1);
  let isNonNegative = false;
  if ((i.flags & InstFlag.NSW) !== 0) {
    const sameSign = (a.zero & b.zero & top) !== 0n || (a.one & b.one & top) !== 0n;
    // Squares, and products that wrap neither way with a factor above one.
    const isAboveOne = (k: KnownBits): boolean => (k.zero & top) !== 0n && k.one > 1n;
    isNonNegative =
      ops[0] === ops[1] || sameSign || ((i.flags & InstFlag.NUW) !== 0 && (isAboveOne(a) || isAboveOne(b)));
  }
  const sign = isNonNegative ? top : 0n;
  return { width, zero: ((maskOf(low) | (mask & ~maskOf(width - high))) & mask) | sign, one: 0n };
}

/** One of the three shifts by an amount below the width; the flags are those of `shl`. */
function shiftedBy(opcode: Opcode, a: KnownBits, amount: number, flags: number): KnownBits {
  const { width } = a;
  const mask = maskOf(width);
  const n = BigInt(amount);
  if (opcode === Opcode.LShr) return { width, zero: (a.zero >> n) | (mask & ~(mask >> n)), one: a.one >> n };
  if (opcode === Opcode.AShr) {
    const spread = (bits: bigint): bigint => BigInt.asUintN(width, BigInt.asIntN(width, bits) >> n);
    return { width, zero: spread(a.zero), one: spread(a.one) };
  }
  let zero = ((a.zero << n) | maskOf(amount)) & mask;
  let one = (a.one << n) & mask;
  if ((flags & InstFlag.NSW) === 0) return { width, zero, one };
  // What is shifted out equals the sign that stays; a shift that wraps neither way shifts out nothing but zeros.
  const top = 1n << BigInt(width - 1);
  const rest = BigInt(width) - n;
  if (a.zero >> rest !== 0n || (n > 0n && (flags & InstFlag.NUW) !== 0)) zero |= top;
  else if (a.one >> rest !== 0n) one |= top;
  return { width, zero, one };
}

/** The greatest amounts that a shift can have without being poison, by its flags. */
function greatestShift(opcode: Opcode, a: KnownBits, flags: number): number {
  const { width } = a;
  const mask = maskOf(width);
  if (opcode !== Opcode.Shl) return (flags & InstFlag.Exact) !== 0 ? trailingZeros(a.one, width) : width;
  const leadingZeros = width - bitLength(a.one);
  const leadingOnes = width - bitLength(mask & a.zero);
  let most = width;
  if ((flags & InstFlag.NUW) !== 0) most = leadingZeros;
  if ((flags & InstFlag.NUW) !== 0 && (flags & InstFlag.NSW) !== 0) most = leadingZeros - 1;
  if ((flags & InstFlag.NSW) !== 0) most = Math.min(most, Math.max(leadingZeros, leadingOnes) - 1);
  return most;
}

/** What all amounts that the known bits of the second operand allow have in common; amounts from the width on are poison. */
function shiftBits(i: Instruction, width: number, depth: number): KnownBits {
  const a = operandBits(i, 0, depth);
  const amount = operandBits(i, 1, depth);
  const isPowerOf2 = (width & (width - 1)) === 0;
  const greatest = ~amount.zero & maskOf(width);
  const limit = isPowerOf2 ? greatest & BigInt(width - 1) : greatest < BigInt(width - 1) ? greatest : BigInt(width - 1);
  const least = amount.one < BigInt(width) ? Number(amount.one) : width;
  const most = Math.min(Number(limit), greatestShift(i.opcode, a, i.flags));
  let known: KnownBits | null = null;
  for (let n = least; n <= most; n++) {
    const bits = BigInt(n);
    if ((bits & amount.zero) !== 0n || (bits | amount.one) !== bits) continue;
    const shifted = shiftedBy(i.opcode, a, n, i.flags);
    known = known === null ? shifted : common(known, shifted);
    if ((known.zero | known.one) === 0n) break;
  }
  return known === null || (known.zero & known.one) !== 0n ? nothingKnown(width) : known;
}

function signExtendedBits(i: Instruction, width: number, depth: number): KnownBits {
  const a = operandBits(i, 0, depth);
  if (a.width >= width) return nothingKnown(width);
  return {
    width,
    zero: BigInt.asUintN(width, BigInt.asIntN(a.width, a.zero)),
    one: BigInt.asUintN(width, BigInt.asIntN(a.width, a.one)),
  };
}

function remainderBits(i: Instruction, width: number, depth: number): KnownBits {
  const ops = i.operands;
  const mask = maskOf(width);
  const b = operandBits(i, 1, depth);
  const c = intConstant(ops[1]);
  if (c !== null && c !== 0n && (c & (c - 1n)) === 0n) {
    const a = operandBits(i, 0, depth);
    return { width, zero: (mask & ~(c - 1n)) | a.zero, one: a.one & (c - 1n) };
  }
  const high = Math.max(minLeadingZeros(operandBits(i, 0, depth)), minLeadingZeros(b));
  return { width, zero: mask & ~maskOf(width - high), one: 0n };
}

function callBits(i: Instruction, width: number, depth: number): KnownBits {
  const ops = i.operands;
  const mask = maskOf(width);
  const callee = ops[ops.length - 1];
  const name = callee.name ?? '';
  const count = /^llvm\.(ctpop|ctlz|cttz)\./.exec(name)?.[1];
  if (count !== undefined) {
    const a = operandBits(i, 0, depth);
    let most = width - popCount(a.zero);
    if (count === 'ctlz') most = width - bitLength(a.one);
    else if (count === 'cttz') most = trailingZeros(a.one, width);
    if (count !== 'ctpop' && intConstant(ops[1]) === 1n) most = Math.min(most, width - 1);
    return { width, zero: mask & ~maskOf(bitLength(BigInt(most))), one: 0n };
  }
  if (name.startsWith('llvm.abs.')) return absoluteBits(operandBits(i, 0, depth), intConstant(ops[1]) === 1n);
  if (name.startsWith('llvm.umin.')) {
    const high = Math.max(minLeadingZeros(operandBits(i, 0, depth)), minLeadingZeros(operandBits(i, 1, depth)));
    return { width, zero: mask & ~maskOf(width - high), one: 0n };
  }
  if (/^llvm\.(umax|smax|smin)\./.test(name)) return common(operandBits(i, 0, depth), operandBits(i, 1, depth));
  return nothingKnown(width);
}

function absoluteBits(a: KnownBits, isMinPoison: boolean): KnownBits {
  const { width } = a;
  const top = 1n << BigInt(width - 1);
  if ((a.zero & top) !== 0n) return a;
  if ((a.one & top) !== 0n) return addBits(constantBits(0n, width), negate(a), 1n);
  const least = minTrailingZeros(a);
  const most = trailingZeros(a.one, width);
  const isNonNegative = isMinPoison || (a.one !== 0n && a.one !== top);
  return {
    width,
    zero: maskOf(least) | (isNonNegative ? top : 0n),
    one: least === most && most < width ? 1n << BigInt(most) : 0n,
  };
}

function phiBits(i: Instruction, width: number, depth: number): KnownBits {
  const ops = i.operands;
  const recurrence = simpleRecurrence(i);
  if (recurrence !== null) {
    const { start, step, opcode } = recurrence;
    if (opcode === Opcode.Add || opcode === Opcode.Sub || opcode === Opcode.Mul || opcode === Opcode.Shl) {
      const a = minTrailingZeros(knownBits(start, depth + 1));
      const b = opcode === Opcode.Shl || opcode === Opcode.Mul ? a : minTrailingZeros(knownBits(step, depth + 1));
      const low = Math.min(a, b);
      if (low > 0) return { width, zero: maskOf(low), one: 0n };
    }
    return nothingKnown(width);
  }
  // Incoming values are only looked at one level deep.
  if (ops.length === 0 || depth >= MAX_DEPTH - 1) return nothingKnown(width);
  let res: KnownBits | null = null;
  for (const o of ops) {
    if (o === i) continue;
    const k = knownBits(o, MAX_DEPTH - 1);
    res = res === null ? k : common(res, k);
    if (res.zero === 0n && res.one === 0n) break;
  }
  return res ?? nothingKnown(width);
}

/** `%i = phi [start], [%i op step]`; null for other phis. */
function simpleRecurrence(phi: Instruction): { start: Value; step: Value; opcode: Opcode } | null {
  if (phi.operands.length !== 2) return null;
  for (let k = 0; k < 2; k++) {
    const next = phi.operands[k];
    if (!(next instanceof Instruction) || next.operands.length !== 2 || next.opcode > Opcode.Xor) continue;
    const start = phi.operands[1 - k];
    if (next.operands[0] === phi) return { start, step: next.operands[1], opcode: next.opcode };
    if (next.operands[1] === phi && next.opcode !== Opcode.Sub && next.opcode !== Opcode.Shl)
      return { start, step: next.operands[0], opcode: next.opcode };
  }
  return null;
}

function rangeOfBits(k: KnownBits): SignedRange {
  const sign = 1n << BigInt(k.width - 1);
  const unknown = ~(k.zero | k.one) & maskOf(k.width);
  // The sign bit counts negatively, so an unknown one is set for the minimum and clear for the maximum.
  const min = signExtend(k.one | (unknown & sign), k.width);
  const max = signExtend(k.one | (unknown & ~sign), k.width);
  return { min, max };
}

function intersect(a: SignedRange, b: SignedRange): SignedRange {
  let min = a.min > b.min ? a.min : b.min;
  let max = a.max < b.max ? a.max : b.max;
  const gap = a.gap ?? b.gap;
  if (gap !== undefined) {
    if (min >= gap.min && min <= gap.max) min = gap.max + 1n;
    if (max >= gap.min && max <= gap.max) max = gap.min - 1n;
  }
  // Contradictory facts belong to code that never runs; either fact alone is right.
  if (min > max) return a;
  return gap !== undefined && min < gap.min && gap.max < max ? { min, max, gap } : { min, max };
}

/** Signed interval of an integer from its definition and its known bits. */
export function signedRange(v: Value): SignedRange {
  return intersect(definitionRange(v, 0), rangeOfBits(knownBits(v)));
}

/** [lower, upper), which may wrap around; the whole type when the bounds are equal. */
function rangeBetween(lower: bigint, upper: bigint, width: number): SignedRange {
  const full = fullRange(width);
  const size = BigInt.asUintN(width, upper - lower);
  if (size === 0n) return full;
  const min = signExtend(BigInt.asUintN(width, lower), width);
  const max = min + size - 1n;
  if (max <= full.max) return { min, max };
  return { ...full, gap: { min: max + 1n - (1n << BigInt(width)), max: min - 1n } };
}

/** Inclusive and unsigned. */
function unsignedRange(min: bigint, max: bigint, width: number): SignedRange {
  return rangeBetween(min, max + 1n, width);
}

function definitionRange(v: Value, depth: number): SignedRange {
  const width = v.type.n;
  const c = intConstant(v);
  if (c !== null) {
    const s = signExtend(c, width);
    return { min: s, max: s };
  }
  let res = fullRange(width);
  for (const pairs of declaredRanges(v)) {
    const [lower, upper] = hullOf(pairs, width);
    res = intersect(res, rangeBetween(lower, upper, width));
  }
  if (!(v instanceof Instruction) || depth >= MAX_DEPTH) return res;
  const own = instructionRange(v, width, depth);
  return own === null ? res : intersect(res, own);
}

function instructionRange(i: Instruction, width: number, depth: number): SignedRange | null {
  const c = i.operands.length === 2 ? intConstant(i.operands[1]) : null;
  switch (i.opcode) {
    case Opcode.Add: {
      if (c === null) return null;
      const s = signExtend(c, width);
      const { min, max } = fullRange(width);
      if ((i.flags & InstFlag.NSW) !== 0) return s >= 0n ? { min: min + s, max } : { min, max: max + s };
      if ((i.flags & InstFlag.NUW) !== 0) return unsignedRange(c, maskOf(width), width);
      return null;
    }
    case Opcode.And:
      return c === null ? null : unsignedRange(0n, c, width);
    case Opcode.Or:
      return c === null ? null : unsignedRange(c, maskOf(width), width);
    case Opcode.Shl:
    case Opcode.LShr:
    case Opcode.AShr:
      return shiftRange(i, width);
    case Opcode.SDiv:
    case Opcode.UDiv:
    case Opcode.SRem:
    case Opcode.URem:
      return divisionRange(i, width);
    case Opcode.FPToSI:
    case Opcode.FPToUI:
      // The greatest half is 65504.
      if (i.operands[0].type.kind !== TypeKind.Half || width < 17) return null;
      return { min: i.opcode === Opcode.FPToSI ? -65504n : 0n, max: 65504n };
    case Opcode.Select: {
      const a = definitionRange(i.operands[1], depth + 1);
      const b = definitionRange(i.operands[2], depth + 1);
      return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max };
    }
    case Opcode.Call:
      return callRange(i, width);
    default:
      return null;
  }
}

/** Shifts by a constant, or of one. */
function shiftRange(i: Instruction, width: number): SignedRange | null {
  const amount = intConstant(i.operands[1]);
  const { min, max } = fullRange(width);
  if (amount !== null && amount < BigInt(width)) {
    if (i.opcode === Opcode.AShr) return { min: min >> amount, max: max >> amount };
    if (i.opcode === Opcode.LShr) return unsignedRange(0n, maskOf(width) >> amount, width);
  }
  const c = intConstant(i.operands[0]);
  if (c === null) return null;
  const s = signExtend(c, width);
  const clear = BigInt(width - bitLength(c));
  if (i.opcode === Opcode.Shl) {
    if ((i.flags & InstFlag.NUW) !== 0) return unsignedRange(c, c << clear, width);
    if ((i.flags & InstFlag.NSW) === 0) return null;
    if (s >= 0n) return { min: s, max: c === 0n ? 0n : c << (clear - 1n) };
    const set = BigInt(width - bitLength(maskOf(width) & ~c));
    return { min: s << (set - 1n), max: s };
  }
  const most = BigInt(c !== 0n && (i.flags & InstFlag.Exact) !== 0 ? trailingZeros(c, width) : width - 1);
  if (i.opcode === Opcode.LShr) return unsignedRange(c >> most, c, width);
  return s < 0n ? { min: s, max: s >> most } : { min: s >> most, max: s };
}

/** Quotients and remainders by a constant, or of one. */
function divisionRange(i: Instruction, width: number): SignedRange | null {
  const by = intConstant(i.operands[1]);
  const of = intConstant(i.operands[0]);
  const { min, max } = fullRange(width);
  const magnitude = (v: bigint): bigint => (v < 0n ? -v : v);
  switch (i.opcode) {
    case Opcode.UDiv:
      if (by !== null && by !== 0n) return unsignedRange(0n, maskOf(width) / by, width);
      return of === null ? null : unsignedRange(0n, of, width);
    case Opcode.URem:
      if (by !== null && by !== 0n) return unsignedRange(0n, by - 1n, width);
      return of === null ? null : unsignedRange(0n, of, width);
    case Opcode.SRem: {
      if (by !== null && by !== 0n) {
        const most = magnitude(signExtend(by, width)) - 1n;
        return { min: -most, max: most };
      }
      if (of === null) return null;
      const s = signExtend(of, width);
      return s < 0n ? { min: s, max: 0n } : { min: 0n, max: s };
    }
    default: {
      const d = by === null ? 0n : signExtend(by, width);
      if (d === -1n) return { min: min + 1n, max };
      if (d !== 0n && d !== 1n) {
        const [a, b] = [min / d, max / d];
        return a < b ? { min: a, max: b } : { min: b, max: a };
      }
      if (of === null) return null;
      const s = signExtend(of, width);
      if (s === min) return { min, max: 1n << BigInt(width - 2) };
      return { min: -magnitude(s), max: magnitude(s) };
    }
  }
}

/** Results of intrinsics, most of them with a constant operand. */
function callRange(i: Instruction, width: number): SignedRange | null {
  const { operands } = i;
  const name = /^llvm\.([a-z.]+?)\.i\d/.exec(operands[operands.length - 1].name ?? '')?.[1] ?? '';
  const { min, max } = fullRange(width);
  if (/^(?:ctpop|ctlz|cttz)$/.test(name)) return unsignedRange(0n, BigInt(width), width);
  if (/^[su]cmp$/.test(name)) return { min: -1n, max: 1n };
  if (name === 'abs') return intConstant(operands[1]) === 1n ? { min: 0n, max } : null;
  if (operands.length !== 3) return null;
  const first = intConstant(operands[0]);
  const c = first ?? intConstant(operands[1]);
  if (c === null) return null;
  const s = signExtend(c, width);
  switch (name) {
    case 'umin':
      return unsignedRange(0n, c, width);
    case 'umax':
    case 'uadd.sat':
      return unsignedRange(c, maskOf(width), width);
    case 'smin':
      return { min, max: s };
    case 'smax':
      return { min: s, max };
    case 'sadd.sat':
      return s < 0n ? { min, max: max + s } : { min: min + s, max };
    case 'usub.sat':
      return unsignedRange(0n, first === null ? maskOf(width) - c : c, width);
    case 'ssub.sat':
      if (first !== null) return s < 0n ? { min, max: s - min } : { min: s - max, max };
      return s < 0n ? { min: min - s, max } : { min, max: max - s };
    default:
      return null;
  }
}

/** Whether an integer is surely not zero. */
export function isKnownNonZero(v: Value, depth = 0): boolean {
  if (v.type.kind !== TypeKind.Integer) return false;
  const c = intConstant(v);
  if (c !== null) return c !== 0n;
  if (knownBits(v, depth).one !== 0n) return true;
  const isWithoutZero = ([lower, upper]: Bounds[number]): boolean => lower !== 0n && (upper === 0n || lower < upper);
  if (declaredRanges(v).some((pairs) => pairs.every(isWithoutZero))) return true;
  if (!(v instanceof Instruction) || depth >= MAX_DEPTH) return false;
  const ops = v.operands;
  const nonZero = (n: number): boolean => isKnownNonZero(ops[n], depth + 1);
  const noWrap = (v.flags & (InstFlag.NUW | InstFlag.NSW)) !== 0;
  switch (v.opcode) {
    case Opcode.Or:
      return nonZero(0) || nonZero(1);
    case Opcode.ZExt:
    case Opcode.SExt:
      return nonZero(0);
    case Opcode.Trunc:
      return noWrap && nonZero(0);
    case Opcode.Shl:
      return (noWrap && nonZero(0)) || (knownBits(ops[0], depth + 1).one & 1n) !== 0n || keepsABit(v, depth);
    case Opcode.LShr:
    case Opcode.AShr: {
      if ((v.flags & InstFlag.Exact) !== 0) return nonZero(0);
      return keepsABit(v, depth);
    }
    case Opcode.Call:
      return (ops[ops.length - 1].name ?? '').startsWith('llvm.abs.') && nonZero(0);
    case Opcode.Mul:
      return noWrap && nonZero(0) && nonZero(1);
    case Opcode.Add: {
      if ((v.flags & InstFlag.NUW) !== 0) return nonZero(0) || nonZero(1);
      const sign = 1n << BigInt(v.type.n - 1);
      const bothNonNegative = (knownBits(ops[0], depth + 1).zero & knownBits(ops[1], depth + 1).zero & sign) !== 0n;
      return bothNonNegative && (nonZero(0) || nonZero(1));
    }
    case Opcode.Select:
      return nonZero(1) && nonZero(2);
    case Opcode.Phi:
      return ops.length > 0 && ops.every((o) => o !== v && isKnownNonZero(o, MAX_DEPTH - 1));
    default:
      return false;
  }
}

/** Whether a shift leaves some bit that is surely set, by whatever amount up to the greatest. */
function keepsABit(i: Instruction, depth: number): boolean {
  const { width, zero, one } = operandBits(i, 0, depth);
  const amount = operandBits(i, 1, depth);
  const most = ~amount.zero & maskOf(amount.width);
  if (most >= BigInt(width)) return false;
  const isLeft = i.opcode === Opcode.Shl;
  if ((isLeft ? (one << most) & maskOf(width) : one >> most) !== 0n) return true;
  // Nothing but zeros is shifted out.
  const out = isLeft ? maskOf(width) & ~(maskOf(width) >> most) : maskOf(Number(most));
  return (out & ~zero) === 0n && isKnownNonZero(i.operands[0], depth + 1);
}

/** Whether two integers surely differ, in the same iteration. `bits` keeps known bits of whole values between calls. */
export function isKnownDifferent(a: Value, b: Value, depth = 0, bits: Map<Value, KnownBits> | null = null): boolean {
  if (a === b || a.type !== b.type) return false;
  const ca = intConstant(a);
  const cb = intConstant(b);
  if (ca !== null && cb !== null) return ca !== cb;
  if (depth >= MAX_DEPTH) return false;
  if (offsetsByNonZero(a, b) || offsetsByNonZero(b, a)) return true;
  if (a instanceof Instruction && b instanceof Instruction && a.opcode === b.opcode && sameInvertible(a, b, depth))
    return true;
  const bitsOf = (v: Value): KnownBits => {
    let k = bits?.get(v);
    if (k === undefined) {
      k = knownBits(v, depth);
      bits?.set(v, k);
    }
    return k;
  };
  const ka = bitsOf(a);
  const kb = bitsOf(b);
  if (((ka.zero & kb.one) | (ka.one & kb.zero)) !== 0n) return true;
  for (const [s, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (!(s instanceof Instruction) || s.opcode !== Opcode.Select) continue;
    if (isKnownDifferent(s.operands[1], other, depth + 1) && isKnownDifferent(s.operands[2], other, depth + 1))
      return true;
  }
  return false;
}

/** `a` is `b + nonzero`, `b - nonzero`, `b ^ nonzero`. */
function offsetsByNonZero(a: Value, b: Value): boolean {
  if (!(a instanceof Instruction)) return false;
  if (a.opcode !== Opcode.Add && a.opcode !== Opcode.Sub && a.opcode !== Opcode.Xor) return false;
  const [x, y] = a.operands;
  if (x === b) return isKnownNonZero(y);
  return y === b && a.opcode !== Opcode.Sub && isKnownNonZero(x);
}

/** The same injective operation with one equal operand and different others. */
function sameInvertible(a: Instruction, b: Instruction, depth: number): boolean {
  const [a0, a1] = a.operands;
  const [b0, b1] = b.operands;
  const different = (x: Value, y: Value): boolean => isKnownDifferent(x, y, depth + 1);
  switch (a.opcode) {
    case Opcode.Add:
    case Opcode.Xor:
      if (a0 === b0) return different(a1, b1);
      if (a1 === b1) return different(a0, b0);
      if (a0 === b1) return different(a1, b0);
      return a1 === b0 && different(a0, b1);
    case Opcode.Sub:
      if (a0 === b0) return different(a1, b1);
      return a1 === b1 && different(a0, b0);
    case Opcode.Mul: {
      const noWrap = (InstFlag.NUW & a.flags & b.flags) !== 0 || (InstFlag.NSW & a.flags & b.flags) !== 0;
      const c = intConstant(a1);
      return noWrap && a1 === b1 && c !== null && c !== 0n && different(a0, b0);
    }
    case Opcode.Shl: {
      const noWrap = (InstFlag.NUW & a.flags & b.flags) !== 0 || (InstFlag.NSW & a.flags & b.flags) !== 0;
      return noWrap && a1 === b1 && different(a0, b0);
    }
    case Opcode.ZExt:
    case Opcode.SExt:
      return a0.type === b0.type && different(a0, b0);
    default:
      return false;
  }
}

// -- control flow -----------------------------------------------------------------------------------------------------

/** Blocks that can reach themselves (members of cycles), from strongly connected components. O(edges). */
export function blocksInCycles(blocks: readonly BasicBlock[]): ReadonlySet<BasicBlock> {
  // Strongly connected components, iteratively (Tarjan).
  const index = new Map<BasicBlock, number>();
  const low = new Map<BasicBlock, number>();
  const onStack = new Set<BasicBlock>();
  const stack: BasicBlock[] = [];
  const res = new Set<BasicBlock>();
  const successorsOf = (b: BasicBlock): readonly BasicBlock[] => {
    const last = b.instructions[b.instructions.length - 1];
    return last === undefined || last.opcode < Opcode.Ret ? [] : (last.blocks ?? []);
  };
  for (const root of blocks) {
    if (index.has(root)) continue;
    const work: { block: BasicBlock; next: number }[] = [];
    const enter = (b: BasicBlock): void => {
      index.set(b, index.size);
      low.set(b, index.get(b)!);
      stack.push(b);
      onStack.add(b);
      work.push({ block: b, next: 0 });
    };
    enter(root);
    while (work.length > 0) {
      const top = work[work.length - 1];
      const successors = successorsOf(top.block);
      if (top.next < successors.length) {
        const s = successors[top.next++];
        if (!index.has(s)) enter(s);
        else if (onStack.has(s)) low.set(top.block, Math.min(low.get(top.block)!, index.get(s)!));
        continue;
      }
      work.pop();
      const l = low.get(top.block)!;
      if (work.length > 0) {
        const parent = work[work.length - 1].block;
        low.set(parent, Math.min(low.get(parent)!, l));
      }
      if (l !== index.get(top.block)) continue;
      const members: BasicBlock[] = [];
      for (;;) {
        const b = stack.pop()!;
        onStack.delete(b);
        members.push(b);
        if (b === top.block) break;
      }
      if (members.length > 1 || successorsOf(members[0]).includes(members[0])) for (const b of members) res.add(b);
    }
  }
  return res;
}
