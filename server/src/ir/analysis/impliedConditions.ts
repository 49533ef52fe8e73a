/**
 * Whether one comparison decides another (isImpliedCondition of llvm/Analysis/ValueTracking.cpp, LLVM 22).
 */
import { Opcode, type Instruction, type Value } from '../module.js';
import { TypeKind } from '../types.js';
import {
  allowedRegion,
  alwaysHolds,
  inverse,
  isEquality,
  isSignedPredicate,
  singleRange,
  swapped,
  type ConstantRange,
  type Predicate,
} from './constantRange.js';
import {
  branchOf,
  comparisonOf,
  intrinsicOf,
  isAddLike,
  isConstantValue,
  isNSW,
  isNUW,
  logicalOperands,
  notOperand,
  opcodeOf,
  operandsOf,
  otherOperand,
  splatConstant,
} from './patterns.js';
import { signExtend } from './knownBits.js';
import type { FunctionFacts } from './functionFacts.js';

const MAX_DEPTH = 6;

interface Compared {
  readonly predicate: Predicate;
  readonly a: Value;
  readonly b: Value;
  /** `samesign`: signed and unsigned comparison are the same */
  readonly isSameSign?: boolean;
}

/** Range of a value by its definition alone, without looking at operands; `isSigned`: of two that are right the one for signed questions. */
export type RangeOf = (v: Value, isSigned: boolean) => ConstantRange;

/** True or false when `condition` (taken as `isTrue`) decides the comparison; null when not. */
export function impliedBy(
  condition: Value,
  asked: Compared,
  isTrue: boolean,
  rangeOf: RangeOf,
  depth = 0,
): boolean | null {
  if (depth === MAX_DEPTH || asked.a.type.isVector !== condition.type.isVector) return null;
  const negated = notOperand(condition);
  if (negated !== null) {
    condition = negated;
    isTrue = !isTrue;
  }
  const kind = asked.a.type.scalar.kind;
  if (kind !== TypeKind.Integer && kind !== TypeKind.Pointer) return null;
  const cmp = comparisonOf(condition);
  if (cmp !== null) {
    const known = isTrue ? cmp : { ...cmp, predicate: inverse(cmp.predicate) };
    return byComparison(known, asked, rangeOf);
  }
  if (opcodeOf(condition) === Opcode.Trunc && isNUW(condition))
    return byNonZero(operandsOf(condition)[0], asked, isTrue, rangeOf);
  const logical = logicalOperands(condition);
  if (logical === null || logical.isAnd !== isTrue) return null;
  return (
    impliedBy(logical.a, asked, isTrue, rangeOf, depth + 1) ?? impliedBy(logical.b, asked, isTrue, rangeOf, depth + 1)
  );
}

/** A truncation to i1 that does not wrap is a comparison with 0. */
function byNonZero(v: Value, asked: Compared, isTrue: boolean, rangeOf: RangeOf): boolean | null {
  const [x, y] = asked.b === v ? [asked.b, asked.a] : [asked.a, asked.b];
  if (x !== v || splatConstant(y) === null) return null;
  const predicate = x === asked.a ? asked.predicate : swapped(asked.predicate);
  const zero = singleRange(0n, v.type.scalar.n);
  return byRanges(isTrue ? 'ne' : 'eq', zero, predicate, rangeOf(y, isSignedPredicate(predicate)));
}

function byRanges(known: Predicate, by: ConstantRange, asked: Predicate, other: ConstantRange): boolean | null {
  const region = allowedRegion(known, by);
  if (alwaysHolds(asked, region, other)) return true;
  return alwaysHolds(inverse(asked), region, other) ? false : null;
}

const otherSignedness = (p: Predicate): Predicate =>
  isEquality(p) ? p : (`${p[0] === 's' ? 'u' : 's'}${p.slice(1)}` as Predicate);

/** Whether the first predicate, of the same operands, decides the second. */
function byPredicate(known: Predicate, asked: Predicate, isSameSign = false): boolean | null {
  if (isSameSign && isSignedPredicate(asked) && !isSignedPredicate(known)) known = otherSignedness(known);
  const holds = (a: Predicate, b: Predicate): boolean => {
    if (a === b) return true;
    if (a === 'eq') return b.endsWith('e') && b !== 'ne';
    if (a.endsWith('t')) return b === 'ne' || b === `${a.slice(0, 2)}e`;
    return false;
  };
  if (holds(known, asked)) return true;
  return holds(known, inverse(asked)) ? false : null;
}

function byComparison(known: Compared, asked: Compared, rangeOf: RangeOf): boolean | null {
  let { predicate: l, a: l0, b: l1 } = known;
  let { predicate: r, a: r0, b: r1 } = asked;
  const turnLeft = (): void => {
    [l0, l1] = [l1, l0];
    l = swapped(l);
  };
  const turnRight = (): void => {
    [r0, r1] = [r1, r0];
    r = swapped(r);
  };
  if (l0 === r1) turnRight();
  if (r0 === l1) turnLeft();
  if (l1 === r1 && (l0 !== r0 || isConstantValue(l0))) {
    turnLeft();
    turnRight();
  }
  if (l0 === r0 && (splatConstant(l1) !== null || splatConstant(r1) !== null)) {
    const [left, right] = [rangeOf(l1, isSignedPredicate(l)), rangeOf(r1, isSignedPredicate(r))];
    let res = byRanges(l, left, r, right);
    if (res === null && known.isSameSign === true) res = byRanges(otherSignedness(l), left, r, right);
    if (res !== null || (splatConstant(l1) !== null && splatConstant(r1) !== null)) return res;
  }
  if (l0 === r0 && l1 === r1) return byPredicate(l, r, known.isSameSign);
  const bySub = byDifference(l, l0, l1, r, r0, r1);
  if (bySub !== null) return bySub;
  // A sum that wraps is below each of its operands, one that does not is not.
  if (l0 === r0 && /^u(lt|ge)$/.test(l) && /^u(lt|ge)$/.test(r) && otherOperand(l0, Opcode.Add, l1) === r1)
    return l === r;
  const isMatching = l === r || (known.isSameSign === true && otherSignedness(l) === r);
  return isMatching && byBounds(r, l0, l1, r0, r1) ? true : null;
}

function byDifference(l: Predicate, l0: Value, l1: Value, r: Predicate, r0: Value, r1: Value): boolean | null {
  const isDifference = opcodeOf(r0) === Opcode.Sub && isNSW(r0) && operandsOf(r0)[0] === l0 && operandsOf(r0)[1] === l1;
  if (isDifference && /^s/.test(l)) {
    const c = splatConstant(r1);
    const s = c === null ? null : signExtend(c, r1.type.scalar.n);
    if (s !== null && l[1] === 'g' && s <= 0n && byPredicate(l, r) === false) return false;
    if (s !== null && l[1] === 'l' && s >= 0n && byPredicate(l, r) === true) return true;
  }
  if (l !== 'eq' || !isEquality(r) || opcodeOf(l0) !== Opcode.Sub) return null;
  const c = splatConstant(l1);
  if (c === null || c === 0n) return null;
  const [a, b] = operandsOf(l0);
  const isOf = (x: Value, p: Value): boolean =>
    x === p || ((opcodeOf(x) === Opcode.PtrToInt || opcodeOf(x) === Opcode.PtrToAddr) && operandsOf(x)[0] === p);
  return (isOf(a, r0) && isOf(b, r1)) || (isOf(a, r1) && isOf(b, r0)) ? r === 'ne' : null;
}

/** `l0 < l1` and r0 at most l0, r1 at least l1. */
function byBounds(predicate: Predicate, l0: Value, l1: Value, r0: Value, r1: Value): boolean {
  if (isEquality(predicate)) return false;
  const isSigned = predicate[0] === 's';
  const atMost = (x: Value, y: Value): boolean => x === y || (isSigned ? isSignedAtMost(x, y) : isUnsignedAtMost(x, y));
  return predicate[1] === 'l' ? atMost(r0, l0) && atMost(l1, r1) : atMost(l0, r0) && atMost(r1, l1);
}

function constantOperand(v: Value): bigint | null {
  return splatConstant(operandsOf(v)[1]);
}

/** x + c against x + d. */
function addsMore(x: Value, y: Value, hasFlag: (v: Value) => boolean, order: (c: bigint) => bigint): boolean {
  if (!isAddLike(x) || !isAddLike(y) || operandsOf(x)[0] !== operandsOf(y)[0]) return false;
  const isFlagged = (v: Value): boolean => opcodeOf(v) === Opcode.Or || hasFlag(v);
  const [c, d] = [constantOperand(x), constantOperand(y)];
  return isFlagged(x) && isFlagged(y) && c !== null && d !== null && order(c) <= order(d);
}

function isExtremeOf(v: Value, name: string, x: Value): boolean {
  return intrinsicOf(v) === name && (operandsOf(v)[0] === x || operandsOf(v)[1] === x);
}

function isSignedAtMost(x: Value, y: Value): boolean {
  const width = y.type.scalar.n;
  const signed = (c: bigint): bigint => signExtend(c, width);
  const isGrown = (opcodeOf(y) === Opcode.Add && isNSW(y)) || opcodeOf(y) === Opcode.Or;
  if (isGrown && operandsOf(y)[0] === x) {
    const c = constantOperand(y);
    if (c !== null) return signed(c) >= 0n;
  }
  return isExtremeOf(y, 'smax', x) || isExtremeOf(x, 'smin', y) || addsMore(x, y, isNSW, signed);
}

function isUnsignedAtMost(x: Value, y: Value): boolean {
  if (otherOperand(y, Opcode.Add, x) !== null && isNUW(y)) return true;
  if (otherOperand(y, Opcode.Or, x) !== null || isExtremeOf(y, 'umax', x)) return true;
  const op = opcodeOf(x);
  if (op === Opcode.LShr && operandsOf(x)[0] === y) return true;
  if (op === Opcode.UDiv && operandsOf(x)[0] === y && (constantOperand(x) ?? 0n) > 1n) return true;
  return otherOperand(x, Opcode.And, y) !== null || isExtremeOf(x, 'umin', y) || addsMore(x, y, isNUW, (c) => c);
}

/** Whether the branch that alone leads to the block of `at` decides the comparison. */
export function impliedByPredecessor(
  asked: Compared,
  at: Instruction | null,
  facts: FunctionFacts,
  rangeOf: RangeOf,
): boolean | null {
  if (at === null) return null;
  const before = facts.dominators.singlePredecessor(at.parent);
  const branch = before === null ? null : branchOf(before.instructions[before.instructions.length - 1] ?? null);
  if (branch === null || branch.yes === branch.no) return null;
  return impliedBy(branch.condition, asked, branch.yes === at.parent, rangeOf);
}
