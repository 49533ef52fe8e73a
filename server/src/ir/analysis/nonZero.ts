/**
 * Whether a value is surely not zero, or a power of two (isKnownNonZero and isKnownToBeAPowerOfTwo of llvm/Analysis/ValueTracking.cpp,
 * LLVM 22).
 */
import {
  Argument,
  GlobalValue,
  Instruction,
  InstFlag,
  Opcode,
  ValueKind,
  type Constant,
  type Value,
} from '../module.js';
import { fieldOffset } from '../dataLayout.js';
import { allowedRegion, contains, inverse, rangeBetween, singleRange, type Predicate } from './constantRange.js';
import { isSurelyNot } from './definedness.js';
import { terminatorOf } from './functionFacts.js';
import {
  absoluteBits,
  greatestUnsigned,
  isNegative,
  isNonNegative,
  isNothing,
  maskOf,
  mostTrailingZeros,
  popCount,
  signExtend,
  signOf,
  sumBits,
  type KnownBits,
} from './knownBits.js';
import {
  excludes,
  laneOf,
  metadataRanges,
  overflowArithmetic,
  returnRange,
  shuffledLanes,
  strideOf,
} from './operatorBits.js';
import {
  argumentHas,
  branchOf,
  comparisonOf,
  comparisonWith,
  hasFlags,
  intConstant,
  intrinsicOf,
  isAllOnes,
  isConstantValue,
  isExact,
  isNSW,
  isNUW,
  isOneConstant,
  isPowerOf2,
  isSame,
  isZeroConstant,
  laneCount,
  logicalOperands,
  negated,
  opcodeOf,
  operandsOf,
  otherOperand,
  recurrenceOf,
  returnedArgument,
  returnHas,
  splatConstant,
} from './patterns.js';
import { lanesOf, MAX_DEPTH, scalarBits, type ValueQueries } from './valueQueries.js';

/** Uses of a value looked at for comparisons. */
const MAX_USES = 20;

type At = Instruction | null;

/** Whether null may be an address of this space. */
const isNullDefined = (q: ValueQueries, space: number): boolean =>
  space !== 0 || q.facts.fn.hasFnAttr('null_pointer_is_valid');

export function isNonZero(q: ValueQueries, v: Value, lanes: bigint, at: At, depth: number): boolean {
  const constant = isConstantValue(v) ? constantNonZero(v, lanes) : null;
  if (constant !== null) return constant;
  if (v instanceof Argument) {
    const numbers = v.attributes?.get('range')?.numbers;
    if (numbers?.length === 2 && !contains(rangeBetween(numbers[0], numbers[1], v.type.scalar.n), 0n)) return true;
  }
  const isConstant = isConstantValue(v);
  if (!isConstant && isAssumedNonZero(q, v, at)) return true;
  if (depth >= MAX_DEPTH) return false;
  depth++;
  if (v.type.isPointer && v instanceof Argument) {
    const isCopy =
      v.attributes?.has('byval') === true ||
      v.attributes?.has('inalloca') === true ||
      v.attributes?.has('preallocated') === true;
    if ((isCopy && !isNullDefined(q, v.type.n)) || hasNonNull(q, v)) return true;
  }
  if (opcodeOf(v) >= 0 && operatorNonZero({ q, v, lanes, at, depth })) return true;
  if (!isConstant && at !== null && isTestedNonZero(q, v, at)) return true;
  const inner = withoutNullTest(v);
  return inner !== null && q.isNonZero(inner, lanes, at, depth);
}

/** @llvm Function.cpp Argument::hasNonNullAttr */
function hasNonNull(q: ValueQueries, v: Argument): boolean {
  if (v.attributes?.has('nonnull') === true) return true;
  return (v.attributes?.number('dereferenceable') ?? 0n) > 0n && !isNullDefined(q, v.type.n);
}

/** Null for constant expressions. */
function constantNonZero(v: Value, lanes: bigint): boolean | null {
  if (v.kind === ValueKind.ConstantInt) return (v as Constant).value !== 0n;
  if (isZeroConstant(v)) return false;
  if (v.kind === ValueKind.ConstantAggregate && v.type.isVector)
    return (v as Constant).operands.every(
      (o, n) => (lanes & (1n << BigInt(n))) === 0n || o.kind === ValueKind.Poison || (intConstant(o) ?? 0n) !== 0n,
    );
  if (v.kind === ValueKind.Poison && v.type.isVector) return true;
  if (v instanceof GlobalValue && v.linkage !== 'extern_weak' && v.type.n === 0) return true;
  return v.kind === ValueKind.ConstantExpr ? null : false;
}

// -- conditions -------------------------------------------------------------------------------------------------------

/** Whether `0 PREDICATE b` is surely false. */
function excludesZero(predicate: Predicate, b: Value): boolean {
  if (predicate === 'ugt') return true;
  if (predicate === 'ne') return isZeroConstant(b);
  const c = splatConstant(b);
  const without = (by: bigint): boolean => !contains(allowedRegion(predicate, singleRange(by, b.type.scalar.n)), 0n);
  if (c !== null) return without(c);
  if (b.kind !== ValueKind.ConstantAggregate || !b.type.isVector) return false;
  return (b as Constant).operands.every((o) => {
    const element = intConstant(o);
    return element !== null && without(element);
  });
}

function isAssumedNonZero(q: ValueQueries, v: Value, at: At): boolean {
  if (at === null) return false;
  for (const { assume, bundle } of q.facts.assumptionsFor(v)) {
    if (bundle !== null) {
      const isPromise =
        bundle.tag === 'nonnull' ||
        (bundle.tag === 'dereferenceable' &&
          !isNullDefined(q, v.type.n) &&
          (intConstant(bundle.operands[1]) ?? 0n) !== 0n);
      if (v.type.isPointer && bundle.operands[0] === v && isPromise && q.facts.holdsAt(assume, at)) return true;
      continue;
    }
    const cmp = comparisonOf(assume.operands[0]);
    if (cmp === null) continue;
    const isV = (x: Value): boolean => x === v || (opcodeOf(x) === Opcode.PtrToInt && operandsOf(x)[0] === v);
    const side = isV(cmp.a)
      ? comparisonWith(assume.operands[0], cmp.a)
      : isV(cmp.b)
        ? comparisonWith(assume.operands[0], cmp.b)
        : null;
    if (side !== null && excludesZero(side.predicate, side.b) && q.facts.holdsAt(assume, at)) return true;
  }
  return false;
}

/** Whether a use of `v` that comes before `at` says so: a branch, a division, an access. */
function isTestedNonZero(q: ValueQueries, v: Value, at: Instruction): boolean {
  const { facts } = q;
  const uses = facts.usesOf(v);
  // LLVM's list begins with the last one.
  for (let n = uses.length - 1; n >= Math.max(0, uses.length - MAX_USES); n--) {
    const { user, index } = uses[n];
    if (v.type.isPointer && isPointerProof(q, v, user, index) && facts.dominates(user, at)) return true;
    const isDivision =
      user.opcode === Opcode.UDiv ||
      user.opcode === Opcode.SDiv ||
      user.opcode === Opcode.URem ||
      user.opcode === Opcode.SRem;
    if (isDivision && user.operands[1] === v && facts.holdsAt(user, at)) return true;
    const cmp = comparisonWith(user, v);
    if (cmp === null) continue;
    const isIfTrue = excludesZero(cmp.predicate, cmp.b);
    if (!isIfTrue && !excludesZero(inverse(cmp.predicate), cmp.b)) continue;
    if (isBranchedOn(q, user, isIfTrue, at)) return true;
  }
  return false;
}

function isPointerProof(q: ValueQueries, v: Value, user: Instruction, index: number): boolean {
  if (user.call !== null && index < user.operands.length - 1) {
    const isNonNull =
      argumentHas(user, index, 'nonnull') ||
      (argumentHas(user, index, 'dereferenceable') && !isNullDefined(q, v.type.n));
    if (isNonNull && (argumentHas(user, index, 'noundef') || argumentHas(user, index, 'dereferenceable'))) return true;
  }
  const isAccess =
    (user.opcode === Opcode.Load && index === 0) || (user.opcode === Opcode.Store && user.operands[1] === v);
  return isAccess && !isNullDefined(q, v.type.n);
}

/** Whether `at` is reached only if the condition, or an `and` with it, has come out as wanted. */
function isBranchedOn(q: ValueQueries, condition: Instruction, isTrue: boolean, at: Instruction): boolean {
  const visited = new Set<Instruction>();
  const work = q.facts.usesOf(condition).map((u) => u.user);
  for (let user = work.pop(); user !== undefined; user = work.pop()) {
    if (visited.has(user)) continue;
    visited.add(user);
    if (isTrue && logicalOperands(user)?.isAnd === true) {
      for (const u of q.facts.usesOf(user)) work.push(u.user);
      continue;
    }
    if (user.opcode === Opcode.Br) {
      const branch = branchOf(user);
      if (branch === null || branch.yes === branch.no) continue;
      if (q.facts.dominators.edgeDominates(user.parent, isTrue ? branch.yes : branch.no, at.parent)) return true;
    } else if (isTrue && intrinsicOf(user) === 'experimental.guard' && q.facts.dominates(user, at)) return true;
  }
  return false;
}

/** `x` of `(x >> n) + (low n bits of x != 0)`. */
function withoutNullTest(v: Value): Value | null {
  if (opcodeOf(v) !== Opcode.Add && opcodeOf(v) !== Opcode.Or) return null;
  const [a, b] = operandsOf(v);
  for (const [shift, test] of [
    [a, b],
    [b, a],
  ]) {
    if (opcodeOf(shift) !== Opcode.LShr || opcodeOf(test) !== Opcode.ZExt) continue;
    const [x, amount] = operandsOf(shift);
    const cmp = comparisonOf(operandsOf(test)[0]);
    if (cmp === null || cmp.predicate !== 'ne' || !isZeroConstant(cmp.b) || opcodeOf(cmp.a) !== Opcode.And) continue;
    const mask = operandsOf(cmp.a)[0] === x ? splatConstant(operandsOf(cmp.a)[1]) : null;
    const n = splatConstant(amount);
    if (mask === null || mask === 0n || (mask & (mask + 1n)) !== 0n || n === null || BigInt(popCount(mask)) !== n)
      continue;
    return x;
  }
  return null;
}

// -- operations -------------------------------------------------------------------------------------------------------

interface Asked {
  readonly q: ValueQueries;
  readonly v: Value;
  readonly lanes: bigint;
  readonly at: At;
  readonly depth: number;
}

const nonZero = (k: Asked, v: Value): boolean => k.q.isNonZero(v, k.lanes, k.at, k.depth);
const wholeNonZero = (k: Asked, v: Value): boolean => k.q.isNonZero(v, lanesOf(v.type), k.at, k.depth);
const bits = (k: Asked, v: Value): KnownBits => k.q.bits(v, k.lanes, k.at, k.depth);

function operatorNonZero(k: Asked): boolean {
  const { v } = k;
  const operands = operandsOf(v);
  const [a, b] = operands;
  switch (opcodeOf(v)) {
    case Opcode.Alloca:
      return v.type.n === 0;
    case Opcode.GetElementPtr:
      if (v.type.isPointer) return isAddressNonNull(k);
      break;
    case Opcode.BitCast:
      if (
        (a.type.scalar.isPointer || a.type.scalar.n > 0) &&
        !a.type.scalar.isFloatingPoint &&
        scalarBits(v.type) % scalarBits(a.type) === 0
      )
        return wholeNonZero(k, a);
      break;
    case Opcode.IntToPtr:
      if (scalarBits(a.type) <= scalarBits(v.type)) return nonZero(k, a);
      break;
    case Opcode.PtrToAddr:
      return nonZero(k, a);
    case Opcode.PtrToInt:
      if (scalarBits(a.type) <= scalarBits(v.type)) return nonZero(k, a);
      break;
    case Opcode.Trunc:
      if (isNUW(v) || isNSW(v)) return nonZero(k, a);
      break;
    case Opcode.Xor:
    case Opcode.Sub:
      return isDifferenceNonZero(k, a, b);
    case Opcode.Or:
      return isZeroTestOf(a, b) || k.q.isNonEqual(a, b, k.lanes, k.at, k.depth) || nonZero(k, b) || nonZero(k, a);
    case Opcode.SExt:
    case Opcode.ZExt:
      return nonZero(k, a);
    case Opcode.Shl:
      if (isNUW(v) || isNSW(v)) return nonZero(k, a);
      return isShiftNonZero(k, bits(k, a));
    case Opcode.LShr:
    case Opcode.AShr:
      return isExact(v) ? nonZero(k, a) : isShiftNonZero(k, bits(k, a));
    case Opcode.UDiv:
    case Opcode.SDiv:
      return isExact(v) ? nonZero(k, a) : isQuotientNonZero(k);
    case Opcode.Add:
      return isSumNonZero(k, a, b, isNSW(v), isNUW(v));
    case Opcode.Mul:
      return isProductNonZero(k, a, b, isNSW(v) || isNUW(v));
    case Opcode.Select:
      if (isArmNonZero(k, b, false) && isArmNonZero(k, operands[2], true)) return true;
      break;
    case Opcode.Phi:
      return isPhiNonZero(k, v as Instruction);
    case Opcode.InsertElement:
    case Opcode.ExtractElement:
    case Opcode.ShuffleVector:
      return isElementNonZero(k);
    case Opcode.Freeze:
      return wholeNonZero(k, a) && isSurelyNot('poison', a, k.at, k.q.facts, k.depth);
    case Opcode.Load:
      return isLoadNonZero(k, v as Instruction);
    case Opcode.ExtractValue: {
      const arithmetic = overflowArithmetic(v);
      if (arithmetic === null) break;
      if (arithmetic.opcode === Opcode.Add) return isSumNonZero(k, arithmetic.a, arithmetic.b, false, false);
      if (arithmetic.opcode === Opcode.Sub) return isDifferenceNonZero(k, arithmetic.a, arithmetic.b);
      return isProductNonZero(k, arithmetic.a, arithmetic.b, false);
    }
    case Opcode.Call:
    case Opcode.Invoke: {
      const known = isCallNonZero(k, v as Instruction);
      if (known !== null) return known;
      break;
    }
    default:
      break;
  }
  return bits(k, v).one !== 0n;
}

function isAddressNonNull(k: Asked): boolean {
  const { q, v } = k;
  const operands = operandsOf(v);
  if (!hasFlags(v, InstFlag.NUW) && !(hasFlags(v, InstFlag.InBounds) && !isNullDefined(q, v.type.n))) return false;
  if (wholeNonZero(k, operands[0])) return true;
  let { depth } = k;
  let type = (v as Instruction | Constant).auxType!;
  for (let n = 1; n < operands.length; n++) {
    const c = splatConstant(operands[n]);
    const stride = strideOf(type, n === 1);
    if (stride === null) {
      if (fieldOffset(type, Number(c ?? 0n)) > 0) return true;
      type = type.elements[Number(c ?? 0n)];
      continue;
    }
    type = stride.element;
    if (stride.bytes === 0) continue;
    if (c !== null) {
      if (c !== 0n) return true;
      continue;
    }
    if (depth++ >= MAX_DEPTH) continue;
    if (q.isNonZero(operands[n], lanesOf(operands[n].type), k.at, depth)) return true;
  }
  return false;
}

/** One operand is 1, or -1, exactly where the other is 0. */
function isZeroTestOf(a: Value, b: Value): boolean {
  const tests = (x: Value, y: Value): boolean => {
    if (opcodeOf(x) !== Opcode.ZExt && opcodeOf(x) !== Opcode.SExt) return false;
    const cmp = comparisonOf(operandsOf(x)[0]);
    return cmp !== null && cmp.predicate === 'eq' && cmp.a === y && isZeroConstant(cmp.b);
  };
  return tests(a, b) || tests(b, a);
}

function isSumNonZero(k: Asked, a: Value, b: Value, nsw: boolean, nuw: boolean): boolean {
  if (isZeroTestOf(a, b)) return true;
  if (nuw) return nonZero(k, b) || nonZero(k, a);
  const [x, y] = [bits(k, a), bits(k, b)];
  if (isNonNegative(x) && isNonNegative(y) && (nonZero(k, b) || nonZero(k, a))) return true;
  if (isNegative(x) && isNegative(y)) {
    const below = signOf(x.width) - 1n;
    if (((x.one | y.one) & below) !== 0n) return true;
  }
  if (isNonNegative(x) && k.q.isPowerOfTwo(b, false, k.at, k.depth)) return true;
  if (isNonNegative(y) && k.q.isPowerOfTwo(a, false, k.at, k.depth)) return true;
  return sumBits(true, nsw, nuw, x, y).one !== 0n;
}

function isDifferenceNonZero(k: Asked, a: Value, b: Value): boolean {
  if (isZeroTestOf(a, b)) return true;
  if (isConstantValue(a) && isZeroConstant(a) && nonZero(k, b)) return true;
  return k.q.isNonEqual(a, b, k.lanes, k.at, k.depth);
}

function isProductNonZero(k: Asked, a: Value, b: Value, isExactProduct: boolean): boolean {
  if (isExactProduct) return nonZero(k, a) && nonZero(k, b);
  const x = bits(k, a);
  if ((x.one & 1n) !== 0n) return nonZero(k, b);
  const y = bits(k, b);
  if ((y.one & 1n) !== 0n) return x.one !== 0n || nonZero(k, a);
  return mostTrailingZeros(x) + mostTrailingZeros(y) < x.width;
}

/** Whether a shift leaves some bit that is surely set, by whatever amount up to the greatest. */
function isShiftNonZero(k: Asked, from: KnownBits): boolean {
  const { width, zero, one } = from;
  const op = opcodeOf(k.v);
  if (op === Opcode.Shl ? (one & 1n) !== 0n : isNegative(from)) return true;
  if (isNothing(from)) return false;
  const [value, amount] = operandsOf(k.v);
  const most = greatestUnsigned(bits(k, amount));
  if (most >= BigInt(width)) return false;
  const kept =
    op === Opcode.Shl
      ? BigInt.asUintN(width, one << most)
      : op === Opcode.LShr
        ? one >> most
        : BigInt.asIntN(width, one) >> most;
  if (kept !== 0n) return true;
  // Nothing but zeros is shifted out.
  const out = op === Opcode.Shl ? maskOf(width) & ~(maskOf(width) >> most) : maskOf(Number(most));
  return (out & ~zero) === 0n && nonZero(k, value);
}

function isQuotientNonZero(k: Asked): boolean {
  const [a, b] = operandsOf(k.v);
  let x = bits(k, a);
  if (isNothing(x)) return false;
  let y = bits(k, b);
  if (opcodeOf(k.v) === Opcode.SDiv) [x, y] = [absoluteBits(x, false), absoluteBits(y, false)];
  return x.one >= greatestUnsigned(y);
}

function isArmNonZero(k: Asked, arm: Value, isFalse: boolean): boolean {
  if (nonZero(k, arm)) return true;
  const cmp = comparisonWith(operandsOf(k.v)[0], arm);
  if (cmp === null || cmp.a !== arm) return false;
  return excludesZero(isFalse ? inverse(cmp.predicate) : cmp.predicate, cmp.b);
}

/** Away from zero, or never quite to it. */
function isRecurrenceNonZero(phi: Instruction): boolean {
  const recurrence = recurrenceOf(phi);
  const start = recurrence === null ? null : splatConstant(recurrence.start);
  if (recurrence === null || start === null || start === 0n) return false;
  const { step, by } = recurrence;
  const noWrap = isNUW(step) || isNSW(step);
  const c = splatConstant(by);
  const width = phi.type.scalar.n;
  switch (step.opcode) {
    case Opcode.Add:
      return isNUW(step) || (isNSW(step) && c !== null && signExtend(start, width) < 0n === signExtend(c, width) < 0n);
    case Opcode.Mul:
      return noWrap && c !== null && c !== 0n;
    case Opcode.Shl:
      return noWrap;
    case Opcode.AShr:
    case Opcode.LShr:
      return isExact(step);
    default:
      return false;
  }
}

function isPhiNonZero(k: Asked, phi: Instruction): boolean {
  if (isRecurrenceNonZero(phi)) return true;
  const depth = Math.max(k.depth, MAX_DEPTH - 1);
  return phi.operands.every((o, n) => {
    if (o === phi) return true;
    const end = terminatorOf(phi.blocks![n]);
    const branch = branchOf(end);
    const cmp = branch === null ? null : comparisonWith(branch.condition, o);
    if (branch !== null && cmp !== null && (branch.yes === phi.parent) !== (branch.no === phi.parent)) {
      if (excludesZero(branch.yes === phi.parent ? cmp.predicate : inverse(cmp.predicate), cmp.b)) return true;
    }
    return k.q.isNonZero(o, k.lanes, end, depth);
  });
}

function isElementNonZero(k: Asked): boolean {
  const { q, v, lanes, at, depth } = k;
  const operands = operandsOf(v);
  const ask = (of: Value, which: bigint): boolean => which === 0n || q.isNonZero(of, which, at, depth);
  switch (opcodeOf(v)) {
    case Opcode.InsertElement: {
      const lane = laneOf(operands[2], v.type);
      const bit = lane < 0 ? 0n : 1n << BigInt(lane);
      const isAsked = lane < 0 || (lanes & bit) !== 0n;
      return (!isAsked || wholeNonZero(k, operands[1])) && ask(operands[0], lanes & ~bit);
    }
    case Opcode.ExtractElement: {
      const lane = laneOf(operands[1], operands[0].type);
      return ask(operands[0], lane < 0 ? maskOf(laneCount(operands[0].type)) : 1n << BigInt(lane));
    }
    default: {
      const from = v instanceof Instruction ? shuffledLanes(v, lanes) : null;
      if (from === null) return bits(k, v).one !== 0n;
      return ask(operands[1], from[1]) && ask(operands[0], from[0]);
    }
  }
}

function isLoadNonZero(k: Asked, load: Instruction): boolean {
  if (load.type.isPointer) {
    const kinds = load.attachments?.map((a) => a.kind) ?? [];
    return kinds.includes('nonnull') || (kinds.includes('dereferenceable') && !isNullDefined(k.q, load.type.n));
  }
  const ranges = metadataRanges(load);
  return ranges !== null && excludes(ranges, 0n);
}

/** Null: only its bits can tell. */
function isCallNonZero(k: Asked, call: Instruction): boolean | null {
  const returned = returnedArgument(call);
  if (call.type.isPointer) {
    if (returnHas(call, 'nonnull') || (returnHas(call, 'dereferenceable') && !isNullDefined(k.q, call.type.n)))
      return true;
    const through = returned ?? pointerGivenBack(call);
    if (through !== null) return wholeNonZero(k, through);
  } else {
    const ranges = metadataRanges(call);
    if (ranges !== null) return excludes(ranges, 0n);
    const range = call.type.scalar.n > 0 && !call.type.scalar.isFloatingPoint ? returnRange(call) : null;
    if (range !== null && !contains(range, 0n)) return true;
    if (returned !== null && returned.type === call.type && wholeNonZero(k, returned)) return true;
  }
  const name = intrinsicOf(call);
  return name === '' ? null : intrinsicNonZero(k, call, name);
}

/** The pointer that an intrinsic gives back, null or not as it was. */
function pointerGivenBack(call: Instruction): Value | null {
  return /^(?:launder|strip)\.invariant\.group$/.test(intrinsicOf(call)) ? call.operands[0] : null;
}

function intrinsicNonZero(k: Asked, call: Instruction, name: string): boolean | null {
  const [a, b] = call.operands;
  switch (name) {
    case 'sshl.sat':
    case 'ushl.sat':
    case 'abs':
    case 'bitreverse':
    case 'bswap':
    case 'ctpop':
      return nonZero(k, a);
    case 'ssub.sat':
      return call.type.scalar.n === 1 ? false : isDifferenceNonZero(k, a, b);
    case 'sadd.sat':
      return isSumNonZero(k, a, b, true, false);
    case 'vector.reduce.or':
    case 'vector.reduce.umax':
    case 'vector.reduce.umin':
    case 'vector.reduce.smax':
    case 'vector.reduce.smin':
      return wholeNonZero(k, a);
    case 'vector.reverse': {
      let lanes = 0n;
      const count = laneCount(a.type);
      for (let n = 0; n < count; n++) if ((k.lanes & (1n << BigInt(n))) !== 0n) lanes |= 1n << BigInt(count - 1 - n);
      return k.q.isNonZero(a, lanes, k.at, k.depth);
    }
    case 'umax':
    case 'uadd.sat':
      return isZeroTestOf(a, b) || nonZero(k, b) || nonZero(k, a);
    case 'smax': {
      const isSure = (v: Value, of: KnownBits): boolean => of.one !== 0n || nonZero(k, v);
      const [x, y] = [bits(k, a), bits(k, b)];
      if (isNonNegative(y) && isSure(b, y)) return true;
      if (isNonNegative(x) && isSure(a, x)) return true;
      return isSure(b, y) && isSure(a, x);
    }
    case 'smin': {
      const [x, y] = [bits(k, a), bits(k, b)];
      if (isNegative(y) || isNegative(x) || (x.one !== 0n && y.one !== 0n)) return true;
      return nonZero(k, a) && nonZero(k, b);
    }
    case 'umin':
      return nonZero(k, a) && nonZero(k, b);
    case 'cttz':
      return (bits(k, a).zero & 1n) !== 0n;
    case 'ctlz':
      return isNonNegative(bits(k, a));
    case 'fshl':
    case 'fshr':
      return isSame(a, b) ? nonZero(k, a) : null;
    case 'experimental.get.vector.length':
      return wholeNonZero(k, a);
    default:
      return null;
  }
}

// -- powers of two ----------------------------------------------------------------------------------------------------

export function isPowerOfTwo(q: ValueQueries, v: Value, orZero: boolean, at: At, depth: number): boolean {
  if (isConstantValue(v)) {
    const c = splatConstant(v);
    return c !== null && (isPowerOf2(c) || (orZero && c === 0n));
  }
  const width = scalarBits(v.type);
  if (orZero && width === 1) return true;
  if (
    at !== null &&
    q.facts
      .assumptionsFor(v)
      .some(({ assume }) => isPowerTest(assume.operands[0], v, orZero) && q.facts.holdsAt(assume, at))
  )
    return true;
  if (!(v instanceof Instruction)) return false;
  const [a, b] = v.operands;
  if (v.opcode === Opcode.Shl && isOneConstant(a)) return true;
  if (v.opcode === Opcode.LShr && splatConstant(a) === signOf(width)) return true;
  if (depth === MAX_DEPTH) return false;
  depth++;
  const ask = (x: Value, zero = orZero): boolean => q.isPowerOfTwo(x, zero, at, depth);
  switch (v.opcode) {
    case Opcode.ZExt:
      return ask(a);
    case Opcode.Trunc:
      return orZero && ask(a);
    case Opcode.Shl:
      return (orZero || isNUW(v) || isNSW(v)) && ask(a);
    case Opcode.LShr:
      return (orZero || isExact(v)) && ask(a);
    case Opcode.UDiv:
      return isExact(v) && ask(a);
    case Opcode.Mul:
      return ask(b) && ask(a) && (orZero || q.isNonZero(v, lanesOf(v.type), at, depth));
    case Opcode.And:
      if (orZero && (ask(b, true) || ask(a, true))) return true;
      return (negated(a) === b || negated(b) === a) && (orZero || q.isNonZero(a, lanesOf(a.type), at, depth));
    case Opcode.Add:
      return isSumPowerOfTwo(q, v, orZero, at, depth);
    case Opcode.Select:
      return ask(b) && ask(v.operands[2]);
    case Opcode.Phi:
      return isPhiPowerOfTwo(q, v, orZero, depth);
    case Opcode.Call:
      switch (intrinsicOf(v)) {
        case 'umax':
        case 'smax':
        case 'umin':
        case 'smin':
          return ask(b) && ask(a);
        case 'bitreverse':
        case 'bswap':
          return ask(a);
        case 'fshl':
        case 'fshr':
          return a === b && ask(a);
        default:
          return false;
      }
    default:
      return false;
  }
}

/** `ctpop(v) == 1`, or below 2. */
function isPowerTest(condition: Value, v: Value, orZero: boolean): boolean {
  const cmp = comparisonOf(condition);
  if (cmp === null || intrinsicOf(cmp.a) !== 'ctpop' || operandsOf(cmp.a)[0] !== v) return false;
  const c = splatConstant(cmp.b);
  return (cmp.predicate === 'eq' && c === 1n) || (orZero && cmp.predicate === 'ult' && c === 2n);
}

function isSumPowerOfTwo(q: ValueQueries, v: Instruction, orZero: boolean, at: At, depth: number): boolean {
  const [a, b] = v.operands;
  if (orZero || isNUW(v) || isNSW(v)) {
    if (otherOperand(a, Opcode.And, b) !== null && q.isPowerOfTwo(b, orZero, at, depth)) return true;
    if (otherOperand(b, Opcode.And, a) !== null && q.isPowerOfTwo(a, orZero, at, depth)) return true;
    const x = q.bits(a, lanesOf(a.type), at, depth);
    const y = q.bits(b, lanesOf(b.type), at, depth);
    if (isPowerOf2(~(x.zero & y.zero) & maskOf(x.width)) && (orZero || (x.one | y.one) !== 0n)) return true;
  }
  return (orZero || isNUW(v)) && opcodeOf(a) === Opcode.LShr && isAllOnes(operandsOf(a)[0]) && isOneConstant(b);
}

function isPhiPowerOfTwo(q: ValueQueries, phi: Instruction, orZero: boolean, depth: number): boolean {
  if (isPowerRecurrence(q, phi, orZero, depth)) return true;
  const inner = Math.max(depth, MAX_DEPTH - 1);
  return phi.operands.every((o, n) => o === phi || q.isPowerOfTwo(o, orZero, terminatorOf(phi.blocks![n]), inner));
}

function isPowerRecurrence(q: ValueQueries, phi: Instruction, orZero: boolean, depth: number): boolean {
  const recurrence = recurrenceOf(phi);
  if (recurrence === null) return false;
  const { step, start, by } = recurrence;
  const first = phi.operands.indexOf(start);
  if (!q.isPowerOfTwo(start, orZero, terminatorOf(phi.blocks![first]), depth)) return false;
  if (step.opcode !== Opcode.Mul && step.operands[1] !== by) return false;
  const at = terminatorOf(step.parent);
  const noWrap = orZero || isNUW(step) || isNSW(step);
  const c = splatConstant(start);
  const isPositive = c !== null && isPowerOf2(c) && c !== signOf(phi.type.scalar.n);
  switch (step.opcode) {
    case Opcode.Mul:
      return noWrap && q.isPowerOfTwo(by, orZero, at, depth);
    case Opcode.SDiv:
    case Opcode.UDiv:
      return (
        (step.opcode === Opcode.UDiv || isPositive) && (orZero || isExact(step)) && q.isPowerOfTwo(by, false, at, depth)
      );
    case Opcode.Shl:
      return noWrap;
    case Opcode.AShr:
      return isPositive && (orZero || isExact(step));
    case Opcode.LShr:
      return orZero || isExact(step);
    default:
      return false;
  }
}
