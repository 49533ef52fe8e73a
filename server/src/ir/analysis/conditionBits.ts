/**
 * Bits of a value that a condition makes known: of a select, an assumption, a branch (computeKnownBitsFromCond and its like of
 * llvm/Analysis/ValueTracking.cpp, LLVM 22).
 */
import { InstFlag, Opcode, type BasicBlock, type Instruction, type Value } from '../module.js';
import { TypeKind } from '../types.js';
import { allowedRegion, bitsOfRange, difference, inverse, singleRange, type Predicate } from './constantRange.js';
import {
  anyExtended,
  asNegative,
  asNonNegative,
  bitLength,
  constantBits,
  highOnes,
  highZeros,
  inCommon,
  maskOf,
  nothingKnown,
  together,
  withOnes,
  zeroExtended,
  type KnownBits,
} from './knownBits.js';
import {
  branchOf,
  comparisonOf,
  comparisonWith,
  hasFlags,
  intConstant,
  isAddLike,
  isNUW,
  isPowerOf2,
  isZeroConstant,
  logicalOperands,
  notOperand,
  opcodeOf,
  operandsOf,
  splatConstant,
  type Comparison,
} from './patterns.js';
import { MAX_DEPTH, scalarBits } from './valueQueries.js';

/** What is known of `v` (so wide) where the condition is true, or false if inverted. */
export function bitsOfCondition(
  v: Value,
  condition: Value,
  width: number,
  isInverted: boolean,
  depth: number,
): KnownBits {
  const logical = depth < MAX_DEPTH ? logicalOperands(condition) : null;
  if (logical !== null) {
    const a = bitsOfCondition(v, logical.a, width, isInverted, depth + 1);
    const b = bitsOfCondition(v, logical.b, width, isInverted, depth + 1);
    return logical.isAnd === isInverted ? inCommon(a, b) : together(a, b);
  }
  const cmp = comparisonOf(condition);
  if (cmp !== null) return bitsOfComparison(v, isInverted ? { ...cmp, predicate: inverse(cmp.predicate) } : cmp, width);
  if (opcodeOf(condition) === Opcode.Trunc && operandsOf(condition)[0] === v) {
    const bit = constantBits(isInverted ? 0n : 1n, 1);
    return isNUW(condition) ? zeroExtended(bit, width) : anyExtended(bit, width);
  }
  const negated = depth < MAX_DEPTH ? notOperand(condition) : null;
  return negated === null ? nothingKnown(width) : bitsOfCondition(v, negated, width, !isInverted, depth + 1);
}

/** Of a comparison that holds. */
export function bitsOfComparison(v: Value, cmp: Comparison, width: number): KnownBits {
  const { a } = cmp;
  if (opcodeOf(a) !== Opcode.Trunc || operandsOf(a)[0] !== v) return bitsOfPlain(v, cmp, width);
  const bits = bitsOfPlain(a, cmp, a.type.scalar.n);
  return isNUW(a) ? zeroExtended(bits, width) : anyExtended(bits, width);
}

function bitsOfPlain(v: Value, { predicate, a, b }: Comparison, width: number): KnownBits {
  const none = nothingKnown(width);
  if (b.type.kind === TypeKind.Pointer) {
    if (a !== v || !isZeroConstant(b)) return none;
    if (predicate === 'eq') return constantBits(0n, width);
    if (predicate === 'sge' || predicate === 'sgt') return asNonNegative(none);
    return predicate === 'slt' ? asNegative(none) : none;
  }
  const c = splatConstant(b);
  if (c === null) return none;
  const isV = (x: Value): boolean =>
    x === v || (opcodeOf(x) === Opcode.PtrToInt && operandsOf(x)[0] === v && scalarBits(v.type) === x.type.scalar.n);
  if (predicate === 'eq') return bitsOfEquality(isV, a, c, width);
  if (predicate === 'ne') {
    const mask = opcodeOf(a) === Opcode.And && isV(operandsOf(a)[0]) ? splatConstant(operandsOf(a)[1]) : null;
    return c === 0n && mask !== null && isPowerOf2(mask) ? withOnes(none, mask) : none;
  }
  return together(bitsOfRegion(isV, predicate, a, c, width), bitsOfBound(isV, predicate, a, c, width));
}

function otherOf(isV: (x: Value) => boolean, x: Value, opcode: Opcode): Value | null {
  if (opcodeOf(x) !== opcode) return null;
  const [a, b] = operandsOf(x);
  if (isV(a)) return b;
  return isV(b) ? a : null;
}

/** `v`, or an operation on it with a constant, equals `c`. */
function bitsOfEquality(isV: (x: Value) => boolean, a: Value, c: bigint, width: number): KnownBits {
  const mask = maskOf(width);
  if (isV(a)) return constantBits(c, width);
  const masked = otherOf(isV, a, Opcode.And);
  if (masked !== null) {
    const by = splatConstant(masked);
    return { width, zero: by === null ? 0n : ~c & by, one: c };
  }
  const filled = otherOf(isV, a, Opcode.Or);
  if (filled !== null) {
    const by = splatConstant(filled);
    return { width, zero: ~c & mask, one: by === null ? 0n : c & ~by };
  }
  const [x, amount] = operandsOf(a);
  const n = amount === undefined ? null : intConstant(amount);
  if (n === null || n >= BigInt(width) || !isV(x)) return nothingKnown(width);
  const whole = constantBits(c, width);
  if (opcodeOf(a) === Opcode.Shl) return { width, zero: whole.zero >> n, one: whole.one >> n };
  if (opcodeOf(a) !== Opcode.LShr && opcodeOf(a) !== Opcode.AShr) return nothingKnown(width);
  return { width, zero: (whole.zero << n) & mask, one: (whole.one << n) & mask };
}

/** `v`, or its sum with a constant, compared with `c`. */
function bitsOfRegion(isV: (x: Value) => boolean, predicate: Predicate, a: Value, c: bigint, width: number): KnownBits {
  const region = allowedRegion(predicate, singleRange(c, width));
  if (isV(a)) return bitsOfRange(region);
  const by = isAddLike(a) && isV(operandsOf(a)[0]) ? splatConstant(operandsOf(a)[1]) : null;
  return by === null ? nothingKnown(width) : bitsOfRange(difference(region, singleRange(by, width)));
}

/** What `v` is part of is large, or small, and so is `v`. */
function bitsOfBound(isV: (x: Value) => boolean, predicate: Predicate, a: Value, c: bigint, width: number): KnownBits {
  const none = nothingKnown(width);
  const wrap = (x: bigint): bigint => BigInt.asUintN(width, x);
  if (predicate === 'ugt' || predicate === 'uge') {
    const isWithin =
      otherOf(isV, a, Opcode.And) !== null || (opcodeOf(a) === Opcode.Sub && isNUW(a) && isV(operandsOf(a)[0]));
    const least = wrap(predicate === 'ugt' ? c + 1n : c);
    return isWithin ? highOnes(none, width - bitLength(~least & maskOf(width))) : none;
  }
  if (predicate === 'ult' || predicate === 'ule') {
    const isWithin =
      otherOf(isV, a, Opcode.Or) !== null || (hasFlags(a, InstFlag.NUW) && otherOf(isV, a, Opcode.Add) !== null);
    return isWithin ? highZeros(none, width - bitLength(wrap(predicate === 'ult' ? c - 1n : c))) : none;
  }
  return none;
}

/** What the branch that ends a block says of a value on the way into `to`; null if it does not compare it with a constant. */
export function bitsOfBranchInto(
  v: Value,
  terminator: Instruction | null,
  to: BasicBlock,
  width: number,
): KnownBits | null {
  const branch = branchOf(terminator);
  const cmp = branch === null ? null : comparisonWith(branch.condition, v);
  if (branch === null || cmp === null || (branch.yes === to) === (branch.no === to)) return null;
  const c = splatConstant(cmp.b);
  if (c === null) return null;
  return bitsOfRange(allowedRegion(branch.yes === to ? cmp.predicate : inverse(cmp.predicate), singleRange(c, width)));
}
