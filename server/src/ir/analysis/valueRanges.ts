/**
 * Intervals of integers by their definition (computeConstantRange of llvm/Analysis/ValueTracking.cpp, LLVM 22).
 */
import { Argument, Constant, Instruction, InstFlag, Opcode, ValueKind, type Value } from '../module.js';
import { TypeKind } from '../types.js';
import {
  allowedRegion,
  emptyRange,
  fullRange,
  intersection,
  rangeBetween,
  singleRange,
  union,
  type ConstantRange,
} from './constantRange.js';
import type { FunctionFacts } from './functionFacts.js';
import { bitLength, maskOf, popCount, signExtend, signOf, trailingZeros } from './knownBits.js';
import { metadataRanges, returnRange } from './operatorBits.js';
import {
  comparisonOf,
  hasFlags,
  intrinsicOf,
  isConstantValue,
  isNSW,
  isNUW,
  isOneConstant,
  negated,
  opcodeOf,
  selectPattern,
  splatConstant,
  type Flavor,
} from './patterns.js';
import { MAX_DEPTH } from './valueQueries.js';

/** `facts` with `at`: with what is assumed there; null: by the definition alone. `prefersSigned`: of two ranges that are right the signed one. */
export function definitionRange(
  v: Value,
  prefersSigned: boolean,
  facts: FunctionFacts | null,
  at: Instruction | null,
  depth: number,
): ConstantRange {
  const width = v.type.scalar.n;
  if (depth === MAX_DEPTH) return fullRange(width);
  if (isConstantValue(v)) return constantRange(v, width);
  let res = fullRange(width);
  if (v instanceof Argument) {
    const numbers = v.attributes?.get('range')?.numbers;
    if (numbers?.length === 2) res = rangeBetween(numbers[0], numbers[1], width);
  } else if (v instanceof Instruction) {
    res = instructionRange(v, width, prefersSigned, facts, at, depth);
    const ranges = metadataRanges(v);
    if (ranges !== null) res = intersection(res, ranges.reduce(union, emptyRange(width)));
    const returned = v.call === null ? null : returnRange(v);
    if (returned !== null) res = intersection(res, returned);
  }
  if (facts === null || at === null) return res;
  for (const { assume, bundle } of facts.assumptionsFor(v)) {
    if (bundle !== null || !facts.holdsAt(assume, at)) continue;
    const cmp = comparisonOf(assume.operands[0]);
    if (cmp === null || cmp.a !== v) continue;
    res = intersection(res, allowedRegion(cmp.predicate, definitionRange(cmp.b, false, facts, assume, depth + 1)));
  }
  return res;
}

/** Around all elements of a vector. */
function constantRange(v: Value, width: number): ConstantRange {
  const c = splatConstant(v);
  if (c !== null) return singleRange(c, width);
  if (v.kind === ValueKind.Poison) return emptyRange(width);
  if (v.kind !== ValueKind.ConstantAggregate || !v.type.isVector) return fullRange(width);
  let res = emptyRange(width);
  for (const o of (v as Constant).operands) {
    if (o.kind === ValueKind.Poison) continue;
    const element = splatConstant(o);
    if (element === null) return fullRange(width);
    res = union(res, singleRange(element, width));
  }
  return res;
}

function instructionRange(
  i: Instruction,
  width: number,
  prefersSigned: boolean,
  facts: FunctionFacts | null,
  at: Instruction | null,
  depth: number,
): ConstantRange {
  if (i.opcode >= Opcode.Add && i.opcode <= Opcode.Xor) return binaryRange(i, width, prefersSigned) ?? fullRange(width);
  switch (i.opcode) {
    case Opcode.Select: {
      const arms = union(
        definitionRange(i.operands[1], prefersSigned, facts, at, depth + 1),
        definitionRange(i.operands[2], prefersSigned, facts, at, depth + 1),
      );
      return intersection(arms, patternRange(i, width));
    }
    case Opcode.FPToSI:
    case Opcode.FPToUI: {
      // The greatest half is 65504.
      if (i.operands[0].type.scalar.kind !== TypeKind.Half) return fullRange(width);
      if (i.opcode === Opcode.FPToSI) return width >= 17 ? rangeBetween(-65504n, 65505n, width) : fullRange(width);
      return width >= 16 ? rangeBetween(0n, 65505n, width) : fullRange(width);
    }
    case Opcode.Call:
      return intrinsicRange(i, width) ?? fullRange(width);
    default:
      return fullRange(width);
  }
}

/** Inclusive. */
const closed = (first: bigint, last: bigint, width: number): ConstantRange => rangeBetween(first, last + 1n, width);
const magnitude = (v: bigint): bigint => (v < 0n ? -v : v);

/** Operations with a constant operand. */
function binaryRange(i: Instruction, width: number, prefersSigned: boolean): ConstantRange | null {
  const [a, b] = i.operands;
  const by = splatConstant(b);
  const of = splatConstant(a);
  const all = maskOf(width);
  const half = signOf(width);
  const nsw = isNSW(i);
  const nuw = isNUW(i) && !(prefersSigned && nsw);
  switch (i.opcode) {
    case Opcode.Sub: {
      if (of === null) return null;
      if (nuw) return closed(0n, of, width);
      if (!nsw) return null;
      const s = signExtend(of, width);
      return s < 0n ? rangeBetween(-half, s - (half - 1n), width) : closed(s - (half - 1n), half - 1n, width);
    }
    case Opcode.Add: {
      if (by === null || by === 0n) return null;
      if (nuw) return closed(by, all, width);
      if (!nsw) return null;
      const s = signExtend(by, width);
      return s < 0n ? closed(-half, half - 1n + s, width) : closed(-half + s, half - 1n, width);
    }
    case Opcode.And:
      if (negated(a) === b || negated(b) === a) return closed(0n, half, width);
      return by === null ? null : closed(0n, by, width);
    case Opcode.Or:
      return by === null ? null : closed(by, all, width);
    case Opcode.Shl:
    case Opcode.LShr:
    case Opcode.AShr:
      return shiftRange(i, of, by, width);
    case Opcode.UDiv:
      if (by !== null && by !== 0n) return closed(0n, all / by, width);
      return of === null ? null : closed(0n, of, width);
    case Opcode.URem:
      if (by !== null) return rangeBetween(0n, by, width);
      return of === null ? null : closed(0n, of, width);
    case Opcode.SRem: {
      if (by !== null) {
        const most = magnitude(signExtend(by, width));
        return rangeBetween(1n - most, most, width);
      }
      if (of === null) return null;
      const s = signExtend(of, width);
      return s < 0n ? closed(s, 0n, width) : closed(0n, s, width);
    }
    case Opcode.SDiv:
      return signedQuotientRange(of, by, width);
    default:
      return null;
  }
}

function shiftRange(i: Instruction, of: bigint | null, by: bigint | null, width: number): ConstantRange | null {
  const half = signOf(width);
  const all = maskOf(width);
  const isInRange = by !== null && by < BigInt(width);
  if (i.opcode === Opcode.Shl) {
    if (of !== null) return shiftedConstantRange(i, of, width);
    return isInRange ? closed(0n, all & ~maskOf(Number(by)), width) : null;
  }
  if (isInRange)
    return i.opcode === Opcode.AShr ? closed(-half >> by, (half - 1n) >> by, width) : closed(0n, all >> by, width);
  if (of === null) return null;
  const most = BigInt(of !== 0n && hasFlags(i, InstFlag.Exact) ? trailingZeros(of, width) : width - 1);
  if (i.opcode === Opcode.LShr) return closed(of >> most, of, width);
  const s = signExtend(of, width);
  return s < 0n ? closed(s, s >> most, width) : closed(s >> most, s, width);
}

/** A constant to the left. */
function shiftedConstantRange(i: Instruction, c: bigint, width: number): ConstantRange {
  const clear = width - bitLength(c);
  if (isNUW(i)) return closed(c, BigInt.asUintN(width, c << BigInt(clear)), width);
  if (isNSW(i)) {
    const s = signExtend(c, width);
    if (s < 0n) {
      const set = width - bitLength(maskOf(width) & ~c);
      return closed(BigInt.asUintN(width, c << BigInt(set - 1)), c, width);
    }
    return closed(c, BigInt.asUintN(width, c << BigInt(clear - 1)), width);
  }
  return closed(c & 1n, maskOf(width) & ~maskOf(width - popCount(c)), width);
}

function signedQuotientRange(of: bigint | null, by: bigint | null, width: number): ConstantRange | null {
  const half = signOf(width);
  if (by !== null) {
    const d = signExtend(by, width);
    if (d === -1n) return closed(1n - half, half - 1n, width);
    // Neither 0 nor 1.
    if (by <= 1n) return null;
    const [x, y] = [-half / d, (half - 1n) / d];
    return x < y ? closed(x, y, width) : closed(y, x, width);
  }
  if (of === null) return null;
  if (of === half) return closed(half, half >> 1n, width);
  const most = magnitude(signExtend(of, width));
  return closed(-most, most, width);
}

/** Least or greatest with a constant. */
function extremeRange(flavor: Flavor, c: bigint, width: number): ConstantRange | null {
  const half = signOf(width);
  switch (flavor) {
    case 'umin':
      return closed(0n, c, width);
    case 'umax':
      return closed(c, maskOf(width), width);
    case 'smin':
      return closed(-half, c, width);
    case 'smax':
      return closed(c, half - 1n, width);
    default:
      return null;
  }
}

function patternRange(select: Instruction, width: number): ConstantRange {
  const pattern = selectPattern(select);
  if (pattern === null) return fullRange(width);
  const { flavor, a, b } = pattern;
  const half = signOf(width);
  if (flavor === 'abs') return closed(0n, negated(b) === a && isNSW(b) ? half - 1n : half, width);
  if (flavor === 'nabs') return closed(-half, 0n, width);
  const c = splatConstant(a) ?? splatConstant(b);
  return (c === null ? null : extremeRange(flavor, c, width)) ?? fullRange(width);
}

function intrinsicRange(call: Instruction, width: number): ConstantRange | null {
  const [a, b] = call.operands;
  const half = signOf(width);
  const all = maskOf(width);
  const name = intrinsicOf(call);
  switch (name) {
    case 'ctlz':
    case 'cttz':
      return closed(0n, BigInt(isOneConstant(b) ? width - 1 : width), width);
    case 'ctpop':
      return closed(0n, BigInt(width), width);
    case 'abs':
      return closed(0n, isOneConstant(b) ? half - 1n : half, width);
    case 'umin':
    case 'umax':
    case 'smin':
    case 'smax': {
      const c = splatConstant(a) ?? splatConstant(b);
      return c === null ? null : extremeRange(name, c, width);
    }
    case 'uadd.sat': {
      const c = splatConstant(a) ?? splatConstant(b);
      return c === null ? null : closed(c, all, width);
    }
    case 'sadd.sat': {
      const c = splatConstant(a) ?? splatConstant(b);
      if (c === null) return null;
      const s = signExtend(c, width);
      return s < 0n ? closed(-half, half - 1n + s, width) : closed(-half + s, half - 1n, width);
    }
    case 'usub.sat':
    case 'ssub.sat':
      return saturatedDifferenceRange(name === 'ssub.sat', splatConstant(a), splatConstant(b), width);
    default:
      return null;
  }
}

function saturatedDifferenceRange(
  isSigned: boolean,
  of: bigint | null,
  by: bigint | null,
  width: number,
): ConstantRange | null {
  const half = signOf(width);
  if (!isSigned) {
    if (of !== null) return closed(0n, of, width);
    return by === null ? null : closed(0n, maskOf(width) - by, width);
  }
  if (of !== null) {
    const s = signExtend(of, width);
    return s < 0n ? closed(-half, s + half, width) : closed(s - (half - 1n), half - 1n, width);
  }
  if (by === null) return null;
  const s = signExtend(by, width);
  return s < 0n ? closed(-half - s, half - 1n, width) : closed(-half, half - 1n - s, width);
}

/** Range by the definition, as implied conditions ask for it. */
export const plainRange = (v: Value, isSigned: boolean): ConstantRange =>
  opcodeOf(v) < 0 && !isConstantValue(v) && !(v instanceof Argument)
    ? fullRange(v.type.scalar.n)
    : v.type.scalar.kind === TypeKind.Integer
      ? definitionRange(v, isSigned, null, null, MAX_DEPTH - 1)
      : fullRange(64);
