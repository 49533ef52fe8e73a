/**
 * Forms of values that the analyses look for: constants, negations, comparisons, logic of conditions, recurrences, minimum and maximum
 * written as selects (what llvm/IR/PatternMatch.h and matchSelectPattern of llvm/Analysis/ValueTracking.cpp recognise, LLVM 22).
 */
import { ownString } from '../../util/ownString.js';
import { sameConstant } from '../constants.js';
import { intrinsicBaseName } from '../intrinsics.js';
import {
  Constant,
  Instruction,
  InstFlag,
  IRFunction,
  Opcode,
  ValueKind,
  type BasicBlock,
  type Value,
} from '../module.js';
import { TypeKind, type IRType } from '../types.js';
import { swapped, type Predicate } from './constantRange.js';
import { maskOf, signExtend, signOf } from './knownBits.js';

/** -1 for what is neither an instruction nor a constant expression. */
export function opcodeOf(v: Value): number {
  if (v instanceof Instruction) return v.opcode;
  return v instanceof Constant && v.kind === ValueKind.ConstantExpr ? v.opcode : -1;
}

const NO_OPERANDS: readonly Value[] = [];

export function operandsOf(v: Value): readonly Value[] {
  return v instanceof Instruction || v instanceof Constant ? v.operands : NO_OPERANDS;
}

export function hasFlags(v: Value, flags: number): boolean {
  return (v instanceof Instruction || v instanceof Constant) && (v.flags & flags) === flags;
}

export const isNUW = (v: Value): boolean => hasFlags(v, InstFlag.NUW);
export const isNSW = (v: Value): boolean => hasFlags(v, InstFlag.NSW);
export const isExact = (v: Value): boolean => hasFlags(v, InstFlag.Exact);
export const isBinary = (v: Value, opcode: Opcode): boolean => opcodeOf(v) === opcode;

/** Sum, or an `or` of disjoint bits. */
export const isAddLike = (v: Value): boolean =>
  opcodeOf(v) === Opcode.Add || (opcodeOf(v) === Opcode.Or && hasFlags(v, InstFlag.Disjoint));

export const isIntegers = (t: IRType): boolean => t.scalar.kind === TypeKind.Integer;

/** Elements of a fixed vector; 1 for everything else. */
export const laneCount = (t: IRType): number => (t.kind === TypeKind.FixedVector ? t.n : 1);

// -- constants --------------------------------------------------------------------------------------------------------

export function intConstant(v: Value): bigint | null {
  return v.kind === ValueKind.ConstantInt ? (v as Constant).value : null;
}

/** Integer constant, or the one that all elements of a constant vector are. */
export function splatConstant(v: Value): bigint | null {
  if (v.kind === ValueKind.ConstantInt) return (v as Constant).value;
  if (!v.type.isVector || !isIntegers(v.type)) return null;
  if (v.kind === ValueKind.ConstantZero) return 0n;
  if (v.kind !== ValueKind.ConstantAggregate) return null;
  const { operands } = v as Constant;
  const first = intConstant(operands[0]);
  if (first === null) return null;
  return operands.every((o) => intConstant(o) === first) ? first : null;
}

/** Whether they are one value; constants with operands may be several objects. */
export const isSame = (a: Value, b: Value): boolean =>
  a === b || (a instanceof Constant && b instanceof Constant && a.operands.length > 0 && sameConstant(a, b));

const scalarWidth = (v: Value): number => v.type.scalar.n;

export const isZeroConstant = (v: Value): boolean =>
  v.kind === ValueKind.ConstantNull || v.kind === ValueKind.ConstantZero || splatConstant(v) === 0n;
export const isAllOnes = (v: Value): boolean => {
  const c = splatConstant(v);
  return c !== null && c === maskOf(scalarWidth(v));
};
export const isOneConstant = (v: Value): boolean => splatConstant(v) === 1n;
export const isPowerOf2 = (c: bigint): boolean => c !== 0n && (c & (c - 1n)) === 0n;

export const isConstantValue = (v: Value): boolean => v.kind >= ValueKind.Function && v.kind <= ValueKind.PtrAuth;
export const isUndefOrPoison = (v: Value): boolean => v.kind === ValueKind.Undef || v.kind === ValueKind.Poison;

/** Element of a constant vector; null where it is none. */
export function elementOf(v: Value, k: number): Value | null {
  return v.kind === ValueKind.ConstantAggregate ? ((v as Constant).operands[k] ?? null) : null;
}

// -- calls ------------------------------------------------------------------------------------------------------------

const baseNames = new Map<string, string>();
const MAX_NAMES = 4096;

/** Name of the intrinsic that is called, without `llvm.` and types; '' for other values. */
export function intrinsicOf(v: Value): string {
  if (!(v instanceof Instruction) || v.opcode !== Opcode.Call) return '';
  const name = v.operands[v.operands.length - 1].name;
  if (name === null || !name.startsWith('llvm.')) return '';
  let base = baseNames.get(name);
  if (base === undefined) {
    if (baseNames.size >= MAX_NAMES) baseNames.clear();
    base = intrinsicBaseName(name)?.slice('llvm.'.length) ?? '';
    baseNames.set(ownString(name), base);
  }
  return base;
}

/** Attribute of the call or of what it calls. */
export function callHas(call: Instruction, word: string): boolean {
  if (call.call!.fnAttrs?.has(word) === true) return true;
  const callee = call.operands[call.operands.length - 1];
  return callee instanceof IRFunction && callee.fnAttrs?.has(word) === true;
}

export function returnHas(call: Instruction, word: string): boolean {
  if (call.call!.retAttrs?.has(word) === true) return true;
  const callee = call.operands[call.operands.length - 1];
  return callee instanceof IRFunction && callee.retAttrs?.has(word) === true;
}

/** Attribute of argument `index` at the call or of what it calls. */
export function argumentHas(call: Instruction, index: number, word: string): boolean {
  if (call.call!.paramAttrs[index]?.has(word) === true) return true;
  const callee = call.operands[call.operands.length - 1];
  return callee instanceof IRFunction && callee.args[index]?.attributes?.has(word) === true;
}

export function returnedArgument(call: Instruction): Value | null {
  for (let k = 0; k < call.operands.length - 1; k++) if (argumentHas(call, k, 'returned')) return call.operands[k];
  return null;
}

// -- operations -------------------------------------------------------------------------------------------------------

/** `x` of `x ^ -1`. */
export function notOperand(v: Value): Value | null {
  if (opcodeOf(v) !== Opcode.Xor) return null;
  const [a, b] = operandsOf(v);
  if (isAllOnes(b)) return a;
  return isAllOnes(a) ? b : null;
}

/** `x` of `0 - x`. */
export function negated(v: Value): Value | null {
  if (opcodeOf(v) !== Opcode.Sub) return null;
  const [a, b] = operandsOf(v);
  return isZeroConstant(a) ? b : null;
}

/** The other operand of a commutative operation on `x`; null if `v` is none. */
export function otherOperand(v: Value, opcode: Opcode, x: Value): Value | null {
  if (opcodeOf(v) !== opcode) return null;
  const [a, b] = operandsOf(v);
  if (a === x) return b;
  return b === x ? a : null;
}

/** Operands of `a && b` or `a || b`, as an instruction on i1 or as a select. */
export function logicalOperands(v: Value): { readonly isAnd: boolean; readonly a: Value; readonly b: Value } | null {
  if (v.type.scalar.kind !== TypeKind.Integer || v.type.scalar.n !== 1) return null;
  const op = opcodeOf(v);
  const operands = operandsOf(v);
  if (op === Opcode.And || op === Opcode.Or) return { isAnd: op === Opcode.And, a: operands[0], b: operands[1] };
  if (op !== Opcode.Select || operands[0].type !== v.type) return null;
  if (isZeroConstant(operands[2])) return { isAnd: true, a: operands[0], b: operands[1] };
  return isOneConstant(operands[1]) ? { isAnd: false, a: operands[0], b: operands[2] } : null;
}

export interface Comparison {
  readonly predicate: Predicate;
  readonly a: Value;
  readonly b: Value;
  readonly isSameSign: boolean;
}

/** An integer or pointer comparison. */
export function comparisonOf(v: Value): Comparison | null {
  if (!(v instanceof Instruction) || v.opcode !== Opcode.ICmp) return null;
  return {
    predicate: v.predicate as Predicate,
    a: v.operands[0],
    b: v.operands[1],
    isSameSign: hasFlags(v, InstFlag.SameSign),
  };
}

/** The comparison with `x` on its left side, null if `x` is not compared. */
export function comparisonWith(v: Value, x: Value): Comparison | null {
  const cmp = comparisonOf(v);
  if (cmp === null || cmp.a === x) return cmp;
  return cmp.b === x ? { ...cmp, predicate: swapped(cmp.predicate), a: cmp.b, b: cmp.a } : null;
}

/** Two-way branch. */
export function branchOf(
  i: Instruction | null,
): { readonly condition: Value; readonly yes: BasicBlock; readonly no: BasicBlock } | null {
  if (i === null || i.opcode !== Opcode.Br || i.blocks?.length !== 2 || i.operands.length === 0) return null;
  return { condition: i.operands[0], yes: i.blocks[0], no: i.blocks[1] };
}

export interface Recurrence {
  readonly step: Instruction;
  readonly start: Value;
  /** the other operand of `step` */
  readonly by: Value;
}

const isBinaryOperator = (v: Value): v is Instruction =>
  v instanceof Instruction && v.opcode >= Opcode.Add && v.opcode <= Opcode.Xor;

/** `%i = phi [start], [%i op by]`; null for other phis. */
export function recurrenceOf(phi: Instruction): Recurrence | null {
  if (phi.operands.length !== 2) return null;
  for (let k = 0; k < 2; k++) {
    const step = phi.operands[k];
    if (!isBinaryOperator(step)) continue;
    const [a, b] = step.operands;
    if (a === phi || b === phi) return { step, start: phi.operands[1 - k], by: a === phi ? b : a };
  }
  return null;
}

// -- selects ----------------------------------------------------------------------------------------------------------

export type Flavor = 'smin' | 'smax' | 'umin' | 'umax' | 'abs' | 'nabs';

interface SelectPattern {
  readonly flavor: Flavor;
  readonly a: Value;
  readonly b: Value;
}

const MAX_DEPTH = 6;

/** Minimum, maximum or absolute value of integers written as a select of a comparison; null for other values. */
export function selectPattern(v: Value, depth = 0): SelectPattern | null {
  if (depth >= MAX_DEPTH || !(v instanceof Instruction) || v.opcode !== Opcode.Select) return null;
  const cmp = comparisonOf(v.operands[0]);
  if (cmp === null || cmp.predicate === 'eq' || cmp.predicate === 'ne') return null;
  const [, yes, no] = v.operands;
  let { a, b } = cmp;
  let predicate: Predicate = cmp.predicate;
  if (yes === b && no === a) {
    [a, b] = [b, a];
    predicate = swapped(predicate);
  }
  if (yes === a && no === b) return { flavor: extremeOf(predicate), a: cmp.a, b: cmp.b };
  const absolute = areNegations(yes, no) ? absolutePattern(predicate, a, b, yes, no) : null;
  if (absolute !== null) return absolute;
  const flavor =
    clampFlavor(predicate, a, b, yes, no) ??
    nestedFlavor(predicate, a, b, yes, no, depth) ??
    invertedFlavor(predicate, a, b, yes, no) ??
    signTestFlavor(predicate, a, b, yes, no);
  return flavor === null ? null : { flavor, a: yes, b: no };
}

/** What selecting the compared operands in their order gives. */
function extremeOf(predicate: Predicate): Flavor {
  return `${predicate[0] as 's' | 'u'}${predicate[1] === 'g' ? 'max' : 'min'}`;
}

function areNegations(x: Value, y: Value): boolean {
  if (negated(x) === y || negated(y) === x) return true;
  if (opcodeOf(x) !== Opcode.Sub || opcodeOf(y) !== Opcode.Sub) return false;
  const [a, b] = operandsOf(x);
  return operandsOf(y)[0] === b && operandsOf(y)[1] === a;
}

/** A value or its negation, by the sign of the value (or of what it was sign-extended from). */
function absolutePattern(predicate: Predicate, a: Value, b: Value, yes: Value, no: Value): SelectPattern | null {
  const isOf = (x: Value): boolean => x === a || (opcodeOf(x) === Opcode.SExt && operandsOf(x)[0] === a);
  const isYes = isOf(yes);
  if (!isYes && !isOf(no)) return null;
  const [x, other] = isYes ? [yes, no] : [no, yes];
  const isSwapped = negated(a) === other;
  const make = (flavor: Flavor): SelectPattern => (isSwapped ? { flavor, a: other, b: x } : { flavor, a: x, b: other });
  const isZero = isZeroConstant(b);
  if (predicate === 'sgt' && (isZero || isAllOnes(b))) return make(isYes ? 'abs' : 'nabs');
  if (predicate === 'sge' && isYes && (isZero || isOneConstant(b))) return make('abs');
  if (predicate === 'slt' && (isZero || isOneConstant(b))) return make(isYes ? 'nabs' : 'abs');
  return null;
}

/** Operands of a minimum or maximum: those of the intrinsic, or those that a select compares. */
function extremeOperands(v: Value, flavor: Flavor): readonly [Value, Value] | null {
  if (intrinsicOf(v) === flavor) return [operandsOf(v)[0], operandsOf(v)[1]];
  if (opcodeOf(v) !== Opcode.Select) return null;
  const [condition, yes, no] = operandsOf(v);
  const cmp = comparisonOf(condition);
  if (cmp === null || cmp.predicate === 'eq' || cmp.predicate === 'ne') return null;
  const isDirect = cmp.a === yes && cmp.b === no;
  if (!isDirect && !(cmp.a === no && cmp.b === yes)) return null;
  const predicate = isDirect ? cmp.predicate : swapped(cmp.predicate);
  return extremeOf(predicate) === flavor ? [cmp.a, cmp.b] : null;
}

/** `x < c ? c : min(x, d)` and its like: a clamp. */
function clampFlavor(predicate: Predicate, a: Value, b: Value, yes: Value, no: Value): Flavor | null {
  if (b !== yes) {
    predicate = swapped(predicate);
    [yes, no] = [no, yes];
  }
  const c = b === yes ? splatConstant(b) : null;
  if (c === null || !/^[su][lg]t$/.test(predicate)) return null;
  const isSigned = predicate.startsWith('s');
  const outer: Flavor = `${isSigned ? 's' : 'u'}${predicate.endsWith('lt') ? 'max' : 'min'}`;
  const inner: Flavor = `${isSigned ? 's' : 'u'}${predicate.endsWith('lt') ? 'min' : 'max'}`;
  const operands = extremeOperands(no, inner);
  if (operands === null || operands[0] !== a) return null;
  const d = splatConstant(operands[1]);
  if (d === null) return null;
  const width = scalarWidth(b);
  const order = (v: bigint): bigint => (isSigned ? signExtend(v, width) : v);
  return (outer.endsWith('max') ? order(c) < order(d) : order(c) > order(d)) ? outer : null;
}

/** `a < c ? min(a, b) : min(c, b)`, also by complements. */
function nestedFlavor(predicate: Predicate, x: Value, y: Value, yes: Value, no: Value, depth: number): Flavor | null {
  const left = selectPattern(yes, depth + 1);
  if (left === null || !/m(in|ax)$/.test(left.flavor)) return null;
  const right = selectPattern(no, depth + 1);
  if (right === null || right.flavor !== left.flavor) return null;
  const wanted = `${left.flavor[0]}${left.flavor.endsWith('min') ? 'l' : 'g'}`;
  if (!predicate.startsWith(wanted)) {
    predicate = swapped(predicate);
    [x, y] = [y, x];
    if (!predicate.startsWith(wanted)) return null;
  }
  const isNotOf = (v: Value, of: Value): boolean => notOperand(v) === of;
  const fits = (p: Value, q: Value): boolean => (x === p && y === q) || (isNotOf(q, x) && isNotOf(p, y));
  const { a, b } = left;
  const { a: c, b: d } = right;
  return (d === b && fits(a, c)) || (c === b && fits(a, d)) || (d === a && fits(b, c)) || (c === a && fits(b, d))
    ? left.flavor
    : null;
}

/** Minimum of complements by the opposite comparison of what they are complements of. */
function invertedFlavor(predicate: Predicate, a: Value, b: Value, yes: Value, no: Value): Flavor | null {
  if (!/^[su][lg]t$/.test(predicate)) return null;
  const isNotOf = (v: Value, of: Value): boolean => {
    const inner = notOperand(v);
    if (inner !== null) return inner === of;
    const [c, d] = [splatConstant(v), splatConstant(of)];
    return c !== null && d !== null && v.type === of.type && c === (~d & maskOf(scalarWidth(v)));
  };
  const isGreater = predicate[1] === 'g';
  if (isNotOf(yes, a) && isNotOf(no, b)) return `${predicate[0] as 's' | 'u'}${isGreater ? 'min' : 'max'}`;
  if (isNotOf(no, a) && isNotOf(yes, b)) return `${predicate[0] as 's' | 'u'}${isGreater ? 'max' : 'min'}`;
  return null;
}

/** Unsigned minimum with a bound at the sign bit, by the sign. */
function signTestFlavor(predicate: Predicate, a: Value, b: Value, yes: Value, no: Value): Flavor | null {
  const c = splatConstant(b);
  if (c === null || (predicate !== 'sgt' && predicate !== 'slt')) return null;
  const isYes = a === yes;
  const bound = isYes ? splatConstant(no) : a === no ? splatConstant(yes) : null;
  if (bound === null) return null;
  const sign = signOf(scalarWidth(b));
  if (predicate === 'slt' && c === 0n && bound === sign - 1n) return isYes ? 'umax' : 'umin';
  if (predicate === 'sgt' && isAllOnes(b) && bound === sign) return isYes ? 'umin' : 'umax';
  return null;
}
