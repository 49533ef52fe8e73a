/**
 * Known bits of the result of an instruction or constant expression (computeKnownBitsFromOperator of llvm/Analysis/ValueTracking.cpp,
 * LLVM 22).
 */
import { allocSize, fieldOffset, indexBits, storeBytes } from '../dataLayout.js';
import { Constant, Instruction, InstFlag, IRFunction, MDNode, Opcode, ValueAsMetadata, type Value } from '../module.js';
import { TypeKind, type IRType } from '../types.js';
import { bitsOfRange, contains, intersection, rangeBetween, type ConstantRange } from './constantRange.js';
import { isSurelyNot, splattedValue } from './definedness.js';
import { terminatorOf } from './functionFacts.js';
import {
  absoluteBits,
  allKnown,
  andBits,
  anyExtended,
  asNegative,
  asNonNegative,
  bitLength,
  bitsReversed,
  bytesSwapped,
  constantBits,
  elementSumBits,
  extremeBits,
  funnel,
  greatestUnsigned,
  highOnes,
  highZeros,
  inCommon,
  isConstantBits,
  isContradiction,
  isNegative,
  isNonNegative,
  isNothing,
  leastLeadingOnes,
  leastLeadingZeros,
  leastSigned,
  leastTrailingOnes,
  leastTrailingZeros,
  lowestBit,
  lowZeros,
  maskOf,
  mostLeadingZeros,
  mostOnes,
  mostTrailingZeros,
  nothingKnown,
  orBits,
  productBits,
  quotientBits,
  remainderBits,
  saturatedBits,
  shiftBits,
  signExtend,
  signExtended,
  sumBits,
  together,
  trailingZeros,
  upToLowestBit,
  withOnes,
  withZeros,
  xorBits,
  zeroExtended,
  type KnownBits,
} from './knownBits.js';
import { bitsOfBranchInto, bitsOfCondition } from './conditionBits.js';
import { impliedByPredecessor } from './impliedConditions.js';
import {
  hasFlags,
  intConstant,
  intrinsicOf,
  isAllOnes,
  isExact,
  isIntegers,
  isNSW,
  isNUW,
  isOneConstant,
  isSame,
  isUndefOrPoison,
  laneCount,
  negated,
  opcodeOf,
  operandsOf,
  otherOperand,
  recurrenceOf,
  returnedArgument,
  splatConstant,
  type Recurrence,
} from './patterns.js';
import { lanesOf, MAX_DEPTH, scalarBits, type ValueQueries } from './valueQueries.js';

/** One question on its way through the operands. */
interface Asked {
  readonly q: ValueQueries;
  readonly v: Value;
  readonly width: number;
  readonly lanes: bigint;
  readonly at: Instruction | null;
  readonly depth: number;
}

const operandBits = (k: Asked, n: number): KnownBits => bitsOf(k, operandsOf(k.v)[n]);
const bitsOf = (k: Asked, v: Value): KnownBits => k.q.bits(v, k.lanes, k.at, k.depth + 1);
/** Of all lanes, whatever was asked. */
const wholeBits = (k: Asked, v: Value): KnownBits => k.q.bits(v, lanesOf(v.type), k.at, k.depth + 1);

export function operatorBits(
  q: ValueQueries,
  v: Value,
  lanes: bigint,
  at: Instruction | null,
  depth: number,
): KnownBits {
  const width = scalarBits(v.type);
  const k: Asked = { q, v, width, lanes, at, depth };
  const none = nothingKnown(width);
  const operands = operandsOf(v);
  switch (opcodeOf(v)) {
    case Opcode.Load:
      return metadataBits(v, width) ?? none;
    case Opcode.And:
    case Opcode.Or:
    case Opcode.Xor:
      return logicBits(k);
    case Opcode.Mul:
      return multiplied(k, operands[0], operands[1], isNSW(v), isNUW(v));
    case Opcode.UDiv:
    case Opcode.SDiv:
      return quotientBits(operandBits(k, 0), operandBits(k, 1), opcodeOf(v) === Opcode.SDiv, isExact(v));
    case Opcode.URem:
    case Opcode.SRem:
      return remainderBits(operandBits(k, 0), operandBits(k, 1), opcodeOf(v) === Opcode.SRem);
    case Opcode.Select:
      return inCommon(armBits(k, operands[1], false), armBits(k, operands[2], true));
    case Opcode.PtrToInt:
    case Opcode.PtrToAddr:
    case Opcode.IntToPtr:
    case Opcode.ZExt:
    case Opcode.Trunc: {
      const from = operandBits(k, 0);
      const isPositive = hasFlags(v, InstFlag.NNeg) && !isNegative(from);
      return zeroExtended(isPositive ? asNonNegative(from) : from, width);
    }
    case Opcode.SExt:
      return signExtended(operandBits(k, 0), width);
    case Opcode.BitCast:
      return castBits(k);
    case Opcode.Shl:
    case Opcode.LShr:
    case Opcode.AShr:
      return shifted(k);
    case Opcode.Add:
    case Opcode.Sub:
      return addedBits(k, opcodeOf(v) === Opcode.Add, operands[0], operands[1], isNSW(v), isNUW(v));
    case Opcode.Alloca:
      return lowZeros(none, bitLength(BigInt((v as Instruction).align)) - 1);
    case Opcode.GetElementPtr:
      return addressBits(k);
    case Opcode.Phi:
      return phiBits(k, v as Instruction);
    case Opcode.Call:
    case Opcode.Invoke:
      return callBits(k, v as Instruction);
    case Opcode.ShuffleVector:
    case Opcode.InsertElement:
    case Opcode.ExtractElement:
      return elementBits(k);
    case Opcode.ExtractValue:
      return extractedBits(k, v as Instruction);
    case Opcode.Freeze:
      return isSurelyNot('poison', operands[0], at, q.facts, depth + 1) ? wholeBits(k, operands[0]) : none;
    default:
      return none;
  }
}

// -- ranges -----------------------------------------------------------------------------------------------------------

/** Pairs of bounds of a `!range` node, null without one. */
export function metadataRanges(v: Value): readonly ConstantRange[] | null {
  if (!(v instanceof Instruction)) return null;
  const node = v.attachments?.find((a) => a.kind === 'range')?.node;
  if (!(node instanceof MDNode)) return null;
  const numbers = node.operands.map((o) => (o instanceof ValueAsMetadata ? intConstant(o.value) : null));
  const res: ConstantRange[] = [];
  for (let n = 0; n + 1 < numbers.length; n += 2) {
    const [lower, upper] = [numbers[n], numbers[n + 1]];
    if (lower === null || upper === null) return null;
    res.push(rangeBetween(lower, upper, v.type.scalar.n));
  }
  return res.length === 0 ? null : res;
}

/** Range that the results of a call have by its attributes and those of what it calls. */
export function returnRange(call: Instruction): ConstantRange | null {
  const callee = call.operands[call.operands.length - 1];
  const width = call.type.scalar.n;
  const of = (numbers: readonly bigint[] | null | undefined): ConstantRange | null =>
    numbers?.length === 2 ? rangeBetween(numbers[0], numbers[1], width) : null;
  const own = of(call.call!.retAttrs?.get('range')?.numbers);
  const declared = callee instanceof IRFunction ? of(callee.retAttrs?.get('range')?.numbers) : null;
  return own !== null && declared !== null ? intersection(own, declared) : (own ?? declared);
}

function metadataBits(v: Value, width: number): KnownBits | null {
  const ranges = metadataRanges(v);
  return ranges === null ? null : ranges.map(bitsOfRange).reduce(inCommon, allKnown(width));
}

/** Whether `!range` or the attributes leave out a value. */
export const excludes = (ranges: readonly ConstantRange[], value: bigint): boolean =>
  ranges.every((r) => !contains(r, value));

// -- logic and arithmetic ---------------------------------------------------------------------------------------------

function logicBits(k: Asked): KnownBits {
  const { v } = k;
  const [a, b] = operandsOf(v);
  const right = bitsOf(k, b);
  const left = bitsOf(k, a);
  const op = opcodeOf(v);
  const hasOne = left.one !== 0n || right.one !== 0n;
  let res = op === Opcode.And ? andBits(left, right) : op === Opcode.Or ? orBits(left, right) : xorBits(left, right);
  if (op === Opcode.And && hasOne && (negated(b) === a || negated(a) === b))
    res = lowestBit(mostTrailingZeros(left) <= mostTrailingZeros(right) ? left : right);
  if (op === Opcode.Xor && hasOne) {
    const isLess = (x: Value, y: Value): boolean =>
      opcodeOf(x) === Opcode.Add && operandsOf(x)[0] === y && isAllOnes(operandsOf(x)[1]);
    if (isLess(b, a)) res = upToLowestBit(left);
    else if (isLess(a, b)) res = upToLowestBit(right);
  }
  // With x on one side and x plus or minus an odd number on the other the low bits differ.
  if (((res.zero | res.one) & 1n) === 0n) {
    const by = distanceFrom(b, a) ?? distanceFrom(a, b);
    if (by !== null && leastTrailingOnes(bitsOf(k, by)) > 0)
      res = op === Opcode.And ? withZeros(res, 1n) : withOnes(res, 1n);
  }
  return res;
}

/** `y` of `x + y`, `x - y` or `y - x`. */
function distanceFrom(sum: Value, x: Value): Value | null {
  if (opcodeOf(sum) !== Opcode.Sub) return otherOperand(sum, Opcode.Add, x);
  const [a, b] = operandsOf(sum);
  if (a === x) return b;
  return b === x ? a : null;
}

function addedBits(k: Asked, isAdd: boolean, a: Value, b: Value, nsw: boolean, nuw: boolean): KnownBits {
  const right = bitsOf(k, b);
  if (isNothing(right) && !nsw && !nuw) return right;
  let res = sumBits(isAdd, nsw, nuw, bitsOf(k, a), right);
  if (isAdd) {
    const zeros = blendZeros(k, a, b);
    return zeros === 0 ? res : highZeros(res, zeros);
  }
  if (nsw && !isNonNegative(res)) {
    const isOrdered = impliedByPredecessor({ predicate: 'sle', a: b, b: a }, k.at, k.q.facts, k.q.plainRange);
    if (isOrdered === true) res = asNonNegative(res);
  }
  return res;
}

interface Blend {
  /** factors; null: 1 */
  readonly a: Value | null;
  readonly d: Value | null;
  readonly b: Value;
  readonly c: Value;
  /** the difference is written as `xor` */
  readonly isXor: boolean;
}

/** `a * (b - c) + c * d`, in this order. */
function blendOf(left: Value, right: Value): Blend | null {
  if (left.type.isVector) return null;
  const differenceOf = (v: Value): { b: Value; c: Value; isXor: boolean } | null => {
    const isXor = opcodeOf(v) === Opcode.Xor;
    if (!isXor && !(opcodeOf(v) === Opcode.Sub && isNUW(v))) return null;
    const [x, y] = operandsOf(v);
    return isXor ? { b: y, c: x, isXor } : { b: x, c: y, isXor };
  };
  const candidates: { a: Value | null; b: Value; c: Value; isXor: boolean }[] = [];
  if (opcodeOf(left) === Opcode.Mul) {
    const [x, y] = operandsOf(left);
    for (const [factor, rest] of [
      [x, y],
      [y, x],
    ]) {
      const found = differenceOf(rest);
      if (found !== null) {
        candidates.push({ a: factor, ...found });
        break;
      }
    }
  }
  const plain = candidates.length === 0 ? differenceOf(left) : null;
  if (plain !== null) candidates.push({ a: null, ...plain });
  for (const found of candidates) {
    const d = otherOperand(right, Opcode.Mul, found.c);
    if (d !== null) return { ...found, d };
    if (right === found.c) return { ...found, d: null };
  }
  return null;
}

/** Leading zeros that a sum has as a blend of two numbers by a weight; 0 if it is none. */
function blendZeros(k: Asked, left: Value, right: Value): number {
  const blend = blendOf(left, right) ?? blendOf(right, left);
  if (blend === null) return 0;
  const factor = (v: Value | null): KnownBits => (v === null ? constantBits(1n, k.width) : bitsOf(k, v));
  const [a, d, b, c] = [factor(blend.a), factor(blend.d), bitsOf(k, blend.b), bitsOf(k, blend.c)];
  if (![a, d, b, c].every(isNonNegative)) return 0;
  if (blend.isXor && (greatestUnsigned(c) & ~b.one) !== 0n) return 0;
  const most = greatestUnsigned(a) > greatestUnsigned(d) ? greatestUnsigned(a) : greatestUnsigned(d);
  const bound = most * greatestUnsigned(b);
  return bound > maskOf(k.width) ? 0 : k.width - bitLength(bound);
}

function multiplied(k: Asked, a: Value, b: Value, nsw: boolean, nuw: boolean): KnownBits {
  const right = bitsOf(k, b);
  const left = bitsOf(k, a);
  const isSquare = isSame(a, b) && isSurelyNot('undef', a, k.at, k.q.facts, k.depth + 1);
  let res = productBits(right, left, isSquare);
  if (isSquare) {
    const valid = 2 * (k.width - k.q.signBits(a, k.lanes, k.at, k.depth + 1) + 1);
    if (valid < k.width) res = highZeros(res, k.width - valid + 1);
  }
  if (!nsw) return res;
  const isAboveOne = (bits: KnownBits): boolean => leastSigned(bits) > 1n;
  const isPositive =
    isSame(a, b) ||
    (isNegative(left) && isNegative(right)) ||
    (isNonNegative(left) && isNonNegative(right)) ||
    (nuw && (isAboveOne(left) || isAboveOne(right)));
  if (isPositive) return isNegative(res) ? res : asNonNegative(res);
  const isBelow = (x: KnownBits, y: KnownBits): boolean => isNegative(x) && isNonNegative(y) && y.one !== 0n;
  return (isBelow(left, right) || isBelow(right, left)) && !isNonNegative(res) ? asNegative(res) : res;
}

function shifted(k: Asked): KnownBits {
  const { v, width } = k;
  const op = opcodeOf(v);
  const [value, amount] = operandsOf(v);
  const by = bitsOf(k, amount);
  const isMoved =
    by.one !== 0n || (greatestUnsigned(by) < BigInt(width) && k.q.isNonZero(amount, k.lanes, k.at, k.depth + 1));
  const flags = { nuw: isNUW(v), nsw: isNSW(v), exact: isExact(v), isMoved };
  const c = splatConstant(value);
  const from = bitsOf(k, value);
  if (op === Opcode.AShr) return shiftBits('ashr', from, by, flags);
  if (op === Opcode.Shl) {
    const res = shiftBits('shl', from, by, { ...flags, exact: false });
    return c === null ? res : lowZeros(res, trailingZeros(c, width));
  }
  const res = shiftBits('lshr', from, by, flags);
  return c === null ? res : highZeros(res, width - bitLength(c));
}

// -- selects ----------------------------------------------------------------------------------------------------------

function armBits(k: Asked, arm: Value, isFalse: boolean): KnownBits {
  const own = bitsOf(k, arm);
  if (isConstantBits(own)) return own;
  const condition = operandsOf(k.v)[0];
  const implied = bitsOfCondition(arm, condition, k.width, isFalse, k.depth + 1);
  if (isNothing(implied)) return own;
  const res = together(implied, own);
  if (isContradiction(res)) return own;
  return isSurelyNot('undef', arm, k.at, k.q.facts, k.depth + 1) ? res : own;
}

// -- casts and addresses ----------------------------------------------------------------------------------------------

function castBits(k: Asked): KnownBits {
  const { v, width, lanes } = k;
  const [from] = operandsOf(v);
  const none = nothingKnown(width);
  const isInteger = from.type.kind === TypeKind.Integer || from.type.kind === TypeKind.Pointer;
  if (isInteger && !v.type.isVector) return wholeBits(k, from);
  if (from.type.kind !== TypeKind.FixedVector || !isIntegers(from.type) || !isIntegers(v.type)) return none;
  const narrow = from.type.scalar.n;
  const count = laneCount(v.type);
  const at = (n: number): bigint => 1n << BigInt(n);
  const ask = (of: bigint): KnownBits => k.q.bits(from, of, k.at, k.depth + 1);
  let res = none;
  if (width % narrow === 0) {
    const scale = width / narrow;
    let first = 0n;
    for (let n = 0; n < count; n++) if ((lanes & at(n)) !== 0n) first |= at(n * scale);
    for (let n = 0; n < scale; n++) {
      const part = ask(first << BigInt(n));
      const by = BigInt(n * narrow);
      res = { width, zero: res.zero | (part.zero << by), one: res.one | (part.one << by) };
    }
  }
  if (narrow % width === 0) {
    const scale = narrow / width;
    let wide = 0n;
    for (let n = 0; n < count; n++) if ((lanes & at(n)) !== 0n) wide |= at(Math.floor(n / scale));
    const whole = ask(wide);
    res = allKnown(width);
    for (let n = 0; n < count && !isNothing(res); n++) {
      if ((lanes & at(n)) === 0n) continue;
      const by = BigInt((n % scale) * width);
      res = inCommon(res, { width, zero: (whole.zero >> by) & maskOf(width), one: (whole.one >> by) & maskOf(width) });
    }
  }
  return res;
}

/** Bytes between two elements that an index steps over; null for a struct. */
export function strideOf(type: IRType, isFirst: boolean): { readonly bytes: number; readonly element: IRType } | null {
  if (isFirst) return { bytes: allocSize(type), element: type };
  if (type.kind === TypeKind.Struct) return null;
  const [element] = type.elements;
  return { bytes: type.isVector ? storeBytes(element) : allocSize(element), element };
}

function addressBits(k: Asked): KnownBits {
  const { v, width } = k;
  const operands = operandsOf(v);
  const steps = indexBits(v.type.scalar.n);
  let res = wholeBits(k, operands[0]);
  const add = (by: KnownBits): void => {
    const low = sumBits(true, false, false, anyExtended(res, steps), by);
    const high = maskOf(width) & ~maskOf(steps);
    res = { width, zero: (res.zero & high) | low.zero, one: (res.one & high) | low.one };
  };
  let constant = 0n;
  let type = (v as Instruction | Constant).auxType!;
  for (let n = 1; n < operands.length && !isNothing(res); n++) {
    const index = operands[n];
    const c = splatConstant(index);
    const stride = strideOf(type, n === 1);
    if (stride === null) {
      const field = Number(c ?? 0n);
      constant += BigInt(fieldOffset(type, field));
      type = type.elements[field];
      continue;
    }
    type = stride.element;
    if (c !== null) {
      constant += signExtend(c, index.type.scalar.n) * BigInt(stride.bytes);
      continue;
    }
    const by = signExtended(wholeBits(k, index), steps);
    add(productBits(by, constantBits(BigInt.asUintN(steps, BigInt(stride.bytes)), steps), false));
  }
  constant = BigInt.asUintN(steps, constant);
  if (!isNothing(res) && constant !== 0n) add(constantBits(constant, steps));
  return res;
}

// -- phis -------------------------------------------------------------------------------------------------------------

function phiBits(k: Asked, phi: Instruction): KnownBits {
  const recurrence = recurrenceOf(phi);
  const known = recurrence === null ? nothingKnown(k.width) : recurrenceBits(k, phi, recurrence);
  if (phi.operands.length === 0 || k.depth >= MAX_DEPTH - 1 || !isNothing(known)) return known;
  const others = phi.operands.filter((o) => o !== phi);
  if (others.length === 0 || (isUndefOrPoison(others[0]) && others.every((o) => o === others[0]))) return known;
  let res = allKnown(k.width);
  for (let n = 0; n < phi.operands.length; n++) {
    const incoming = incomingOf(phi, n);
    if (incoming === null) continue;
    const { value, through, block } = incoming;
    const at = terminatorOf(block);
    // Incoming values are looked at one level deep.
    let bits = k.q.bits(value, k.lanes, at, MAX_DEPTH - 1);
    if (!isConstantBits(bits)) {
      const byBranch = bitsOfBranchInto(value, at, through.parent, k.width);
      if (byBranch !== null) {
        bits = together(bits, byBranch);
        if (isContradiction(bits)) return nothingKnown(k.width);
      }
    }
    res = inCommon(res, bits);
    if (isNothing(res)) break;
  }
  return res;
}

interface Incoming {
  readonly value: Value;
  /** the phi that it comes into */
  readonly through: Instruction;
  readonly block: Instruction['parent'];
}

/** What comes in over an edge, where that is the phi again through a select or another phi, what else it may be; null for the phi itself. */
function incomingOf(phi: Instruction, n: number): Incoming | null {
  let value = phi.operands[n];
  if (value === phi) return null;
  let block = phi.blocks![n];
  let through = phi;
  if (opcodeOf(value) === Opcode.Select) {
    const [, yes, no] = operandsOf(value);
    if (yes === phi) value = no;
    else if (no === phi) value = yes;
  }
  if (value instanceof Instruction && value.opcode === Opcode.Phi && value.operands.length === 2) {
    const inner = value;
    const own = inner.operands.indexOf(phi);
    if (own >= 0) {
      value = inner.operands[1 - own];
      through = inner;
      block = inner.blocks![1 - own];
    }
  }
  return value === phi ? null : { value, through, block };
}

function recurrenceBits(k: Asked, phi: Instruction, { step, start, by }: Recurrence): KnownBits {
  const none = nothingKnown(k.width);
  const isLeft = step.operands[0] === phi;
  const { opcode } = step;
  const from = (at: Instruction | null): KnownBits => k.q.bits(start, k.lanes, at, k.depth + 1);
  switch (opcode) {
    case Opcode.Shl:
      return isLeft ? lowZeros(none, leastTrailingZeros(from(phi))) : none;
    case Opcode.LShr:
    case Opcode.UDiv:
      return isLeft ? highZeros(none, leastLeadingZeros(from(phi))) : none;
    case Opcode.URem:
      return highZeros(none, leastLeadingZeros(from(phi)));
    case Opcode.AShr: {
      if (!isLeft) return none;
      const bits = from(phi);
      return highOnes(highZeros(none, leastLeadingZeros(bits)), leastLeadingOnes(bits));
    }
    case Opcode.Add:
    case Opcode.Sub:
    case Opcode.And:
    case Opcode.Or:
    case Opcode.Mul: {
      const first = phi.operands[0] === start ? 0 : 1;
      const first0 = from(terminatorOf(phi.blocks![first]));
      const each = k.q.bits(by, k.lanes, terminatorOf(phi.blocks![1 - first]), k.depth + 1);
      const res = lowZeros(none, Math.min(leastTrailingZeros(first0), leastTrailingZeros(each)));
      return isNSW(step) && opcode !== Opcode.And && opcode !== Opcode.Or
        ? withRecurrenceSign(res, opcode, isLeft, first0, each)
        : res;
    }
    default:
      return none;
  }
}

/** The sign that a recurrence keeps that does not wrap. */
function withRecurrenceSign(k: KnownBits, opcode: Opcode, isLeft: boolean, start: KnownBits, by: KnownBits): KnownBits {
  const isDown = opcode === Opcode.Sub;
  if (isDown && !isLeft) return k;
  if (isNonNegative(start) && (isDown ? isNegative(by) : isNonNegative(by))) return asNonNegative(k);
  if (opcode !== Opcode.Mul && isNegative(start) && (isDown ? isNonNegative(by) : isNegative(by))) return asNegative(k);
  return k;
}

// -- calls ------------------------------------------------------------------------------------------------------------

function callBits(k: Asked, call: Instruction): KnownBits {
  let known = metadataBits(call, k.width) ?? nothingKnown(k.width);
  const range = call.type.scalar.kind === TypeKind.Integer ? returnRange(call) : null;
  if (range !== null) known = together(known, bitsOfRange(range));
  const returned = returnedArgument(call);
  if (returned !== null && returned.type === call.type) {
    known = together(known, wholeBits(k, returned));
    if (isContradiction(known)) known = nothingKnown(k.width);
  }
  const name = intrinsicOf(call);
  return name === '' ? known : intrinsicBits(k, call, name, known);
}

/** At most so large. */
const upTo = (known: KnownBits, most: number): KnownBits =>
  withZeros(known, maskOf(known.width) & ~maskOf(Math.min(known.width, bitLength(BigInt(most)))));

function intrinsicBits(k: Asked, call: Instruction, name: string, known: KnownBits): KnownBits {
  const { operands } = call;
  const { width } = k;
  const first = (): KnownBits => bitsOf(k, operands[0]);
  const second = (): KnownBits => bitsOf(k, operands[1]);
  switch (name) {
    case 'abs':
      return together(known, absoluteBits(first(), isOneConstant(operands[1])));
    case 'bitreverse':
      return together(known, bitsReversed(first()));
    case 'bswap':
      return together(known, bytesSwapped(first()));
    case 'ctlz':
    case 'cttz': {
      const most = name === 'ctlz' ? mostLeadingZeros(first()) : mostTrailingZeros(first());
      return upTo(known, intConstant(operands[1]) === 1n ? Math.min(most, width - 1) : most);
    }
    case 'ctpop':
      return upTo(known, mostOnes(first()));
    case 'fshl':
    case 'fshr': {
      const c = splatConstant(operands[2]);
      if (c === null) return known;
      const amount = Number(c % BigInt(width));
      return funnel(first(), second(), name === 'fshl' ? amount : width - amount);
    }
    case 'uadd.sat':
    case 'usub.sat':
    case 'sadd.sat':
    case 'ssub.sat':
      return saturatedBits(name.slice(1, 4) === 'add', name.startsWith('s'), first(), second());
    case 'umin':
    case 'umax':
      return extremeBits(name === 'umax', false, first(), second());
    case 'smin':
    case 'smax': {
      const bits = extremeBits(name === 'smax', true, first(), second());
      const clamp = clampOf(call);
      return clamp === null ? bits : together(bits, bitsOfRange(rangeBetween(clamp.low, clamp.high + 1n, width)));
    }
    case 'ptrmask': {
      const mask = anyExtended(bitsOf(k, operands[1]), width);
      return andBits(first(), mask);
    }
    default:
      return name.startsWith('vector.') ? vectorIntrinsicBits(k, call, name, known) : known;
  }
}

function vectorIntrinsicBits(k: Asked, call: Instruction, name: string, known: KnownBits): KnownBits {
  const [from] = call.operands;
  switch (name) {
    case 'vector.reverse': {
      let lanes = 0n;
      const count = laneCount(from.type);
      for (let n = 0; n < count; n++) if ((k.lanes & (1n << BigInt(n))) !== 0n) lanes |= 1n << BigInt(count - 1 - n);
      return k.q.bits(from, lanes, k.at, k.depth + 1);
    }
    case 'vector.reduce.and':
    case 'vector.reduce.or':
    case 'vector.reduce.umax':
    case 'vector.reduce.umin':
    case 'vector.reduce.smax':
    case 'vector.reduce.smin':
      return wholeBits(k, from);
    case 'vector.reduce.xor': {
      const bits = wholeBits(k, from);
      // Of an even number of elements ones cancel.
      return from.type.n % 2 === 0 ? { ...bits, zero: bits.zero | bits.one, one: 0n } : bits;
    }
    case 'vector.reduce.add':
      return from.type.kind === TypeKind.FixedVector ? elementSumBits(wholeBits(k, from), from.type.n) : known;
    default:
      return known;
  }
}

/** Bounds of a minimum of a maximum by signed constants, or the other way round; signed numbers. */
export function clampOf(call: Value): { readonly low: bigint; readonly high: bigint } | null {
  const name = intrinsicOf(call);
  const [inner, bound] = operandsOf(call);
  if (intrinsicOf(inner) !== (name === 'smin' ? 'smax' : 'smin')) return null;
  const [a, b] = [splatConstant(bound), splatConstant(operandsOf(inner)[1])];
  if (a === null || b === null) return null;
  const width = bound.type.scalar.n;
  const [low, high] = name === 'smin' ? [b, a] : [a, b];
  const res = { low: signExtend(low, width), high: signExtend(high, width) };
  return res.low <= res.high ? res : null;
}

// -- elements ---------------------------------------------------------------------------------------------------------

/** Lanes of the two operands of a shuffle that the lanes asked for come from; null if one of these is poison. */
export function shuffledLanes(shuffle: Instruction, lanes: bigint): readonly [bigint, bigint] | null {
  const count = shuffle.operands[0].type.n;
  const res: [bigint, bigint] = [0n, 0n];
  const mask = shuffle.indices!;
  for (let n = 0; n < mask.length; n++) {
    if ((lanes & (1n << BigInt(n))) === 0n) continue;
    const from = mask[n];
    if (from < 0) return null;
    if (from < count) res[0] |= 1n << BigInt(from);
    else res[1] |= 1n << BigInt(from - count);
  }
  return res;
}

/** Lane that an element operation names, -1 if that is unknown or outside. */
export function laneOf(index: Value, vector: IRType): number {
  const c = intConstant(index);
  return c !== null && c < BigInt(vector.n) ? Number(c) : -1;
}

function elementBits(k: Asked): KnownBits {
  const { v, lanes, width } = k;
  const operands = operandsOf(v);
  const none = nothingKnown(width);
  const ask = (of: Value, which: bigint): KnownBits => k.q.bits(of, which, k.at, k.depth + 1);
  const [vector] = operands;
  if (v.type.kind === TypeKind.ScalableVector || vector.type.kind === TypeKind.ScalableVector) return none;
  switch (opcodeOf(v)) {
    case Opcode.ShuffleVector: {
      const splat = splattedValue(v);
      if (splat !== null) return wholeBits(k, splat);
      const from = v instanceof Instruction ? shuffledLanes(v, lanes) : null;
      if (from === null) return none;
      let res = allKnown(width);
      for (let n = 0; n < 2 && !isNothing(res); n++) if (from[n] !== 0n) res = inCommon(res, ask(operands[n], from[n]));
      return res;
    }
    case Opcode.InsertElement: {
      const lane = laneOf(operands[2], v.type);
      const bit = lane < 0 ? 0n : 1n << BigInt(lane);
      let res = allKnown(width);
      if (lane < 0 || (lanes & bit) !== 0n) res = wholeBits(k, operands[1]);
      const rest = lanes & ~bit;
      return rest === 0n || isNothing(res) ? res : inCommon(res, ask(vector, rest));
    }
    default: {
      const lane = laneOf(operands[1], vector.type);
      return ask(vector, lane < 0 ? lanesOf(vector.type) : 1n << BigInt(lane));
    }
  }
}

/** Arguments of the arithmetic whose result (without the overflow) is extracted. */
export function overflowArithmetic(v: Value): { readonly opcode: Opcode; readonly a: Value; readonly b: Value } | null {
  if (!(v instanceof Instruction) || v.opcode !== Opcode.ExtractValue || v.indices?.length !== 1 || v.indices[0] !== 0)
    return null;
  const match = /^[su](add|sub|mul)\.with\.overflow$/.exec(intrinsicOf(v.operands[0]));
  if (match === null) return null;
  const [a, b] = operandsOf(v.operands[0]);
  return { opcode: match[1] === 'add' ? Opcode.Add : match[1] === 'sub' ? Opcode.Sub : Opcode.Mul, a, b };
}

function extractedBits(k: Asked, v: Instruction): KnownBits {
  const arithmetic = overflowArithmetic(v);
  if (arithmetic === null) return nothingKnown(k.width);
  const { opcode, a, b } = arithmetic;
  return opcode === Opcode.Mul
    ? multiplied(k, a, b, false, false)
    : addedBits(k, opcode === Opcode.Add, a, b, false, false);
}
