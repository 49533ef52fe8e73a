/** Whether two values surely differ (isKnownNonEqual of llvm/Analysis/ValueTracking.cpp, LLVM 22). */
import { fieldOffset } from '../dataLayout.js';
import { Instruction, InstFlag, Opcode, type Constant, type Value } from '../module.js';
import { TypeKind } from '../types.js';
import { terminatorOf } from './functionFacts.js';
import { impliedBy } from './impliedConditions.js';
import { isNothing, signExtend } from './knownBits.js';
import { strideOf } from './operatorBits.js';
import {
  hasFlags,
  intConstant,
  isConstantValue,
  isExact,
  isIntegers,
  isNSW,
  isNUW,
  isSame,
  opcodeOf,
  operandsOf,
  recurrenceOf,
  splatConstant,
} from './patterns.js';
import { MAX_DEPTH, scalarBits, type ValueQueries } from './valueQueries.js';

type Pair = readonly [Value, Value];

export function isNonEqual(
  q: ValueQueries,
  a: Value,
  b: Value,
  lanes: bigint,
  at: Instruction | null,
  depth: number,
): boolean {
  if (isSame(a, b) || a.type !== b.type || depth >= MAX_DEPTH) return false;
  const op = opcodeOf(a);
  if (op >= 0 && op === opcodeOf(b)) {
    const inner = invertibleOperands(a, b);
    if (inner !== null) return q.isNonEqual(inner[0], inner[1], lanes, at, depth + 1);
    if (op === Opcode.Phi && arePhisNonEqual(q, a as Instruction, b as Instruction, lanes, depth)) return true;
  }
  if (isChangedBy(q, a, b, lanes, at, depth) || isChangedBy(q, b, a, lanes, at, depth)) return true;
  if (isMultipleOf(q, b, a, lanes, at, depth) || isMultipleOf(q, a, b, lanes, at, depth)) return true;
  if (isIntegers(a.type)) {
    const x = q.bits(a, lanes, at, depth);
    if (!isNothing(x)) {
      const y = q.bits(b, lanes, at, depth);
      if (((x.zero & y.one) | (x.one & y.zero)) !== 0n) return true;
    }
  }
  if (isSelectNonEqual(q, a, b, lanes, at, depth) || isSelectNonEqual(q, b, a, lanes, at, depth)) return true;
  if (areStepsNonEqual(a, b) || areStepsNonEqual(b, a)) return true;
  const [p, r] = [pointerOf(a), pointerOf(b)];
  if (p !== null && r !== null) return q.isNonEqual(p, r, lanes, at, depth + 1);
  return at !== null && isAssumedNonEqual(q, a, b, at, depth);
}

/** Operands that decide, where both are the same operation that maps different values to different ones. */
function invertibleOperands(a: Value, b: Value): Pair | null {
  const [a0, a1] = operandsOf(a);
  const [b0, b1] = operandsOf(b);
  const bothNoWrap = (isNUW(a) && isNUW(b)) || (isNSW(a) && isNSW(b));
  switch (opcodeOf(a)) {
    case Opcode.Or:
      return hasFlags(a, InstFlag.Disjoint) && hasFlags(b, InstFlag.Disjoint) ? commutedOperands(a, b) : null;
    case Opcode.Xor:
    case Opcode.Add:
      return commutedOperands(a, b);
    case Opcode.Sub:
      if (a0 === b0) return [a1, b1];
      return a1 === b1 ? [a0, b0] : null;
    case Opcode.Mul:
      return bothNoWrap && a1 === b1 && (intConstant(a1) ?? 0n) !== 0n ? [a0, b0] : null;
    case Opcode.Shl:
      return bothNoWrap && a1 === b1 ? [a0, b0] : null;
    case Opcode.AShr:
    case Opcode.LShr:
      return isExact(a) && isExact(b) && a1 === b1 ? [a0, b0] : null;
    case Opcode.SExt:
    case Opcode.ZExt:
      return a0.type === b0.type ? [a0, b0] : null;
    case Opcode.Phi:
      return recurrenceStarts(a as Instruction, b as Instruction);
    default:
      return null;
  }
}

function commutedOperands(a: Value, b: Value): Pair | null {
  const [a0, a1] = operandsOf(a);
  const [b0, b1] = operandsOf(b);
  if (b0 === a0) return [a1, b1];
  if (b1 === a0) return [a1, b0];
  if (b0 === a1) return [a0, b1];
  return b1 === a1 ? [a0, b0] : null;
}

/** Starts of two recurrences in step whose steps are one invertible operation. */
function recurrenceStarts(a: Instruction, b: Instruction): Pair | null {
  if (a.parent !== b.parent) return null;
  const x = recurrenceOf(a);
  const y = recurrenceOf(b);
  if (x === null || y === null || x.step.opcode !== y.step.opcode) return null;
  const inner = invertibleOperands(x.step, y.step);
  return inner !== null && inner[0] === a && inner[1] === b ? [x.start, y.start] : null;
}

function arePhisNonEqual(q: ValueQueries, a: Instruction, b: Instruction, lanes: bigint, depth: number): boolean {
  if (a.parent !== b.parent) return false;
  const visited = new Set<unknown>();
  let isUsed = false;
  for (const block of a.blocks!) {
    if (visited.has(block)) continue;
    visited.add(block);
    const x = a.operands[a.blocks!.indexOf(block)];
    const y = b.operands[b.blocks!.indexOf(block)];
    const [c, d] = [splatConstant(x), splatConstant(y)];
    if (c !== null && d !== null && c !== d) continue;
    // One pair that is no constant may be looked into.
    if (isUsed || !q.isNonEqual(x, y, lanes, terminatorOf(block), depth + 1)) return false;
    isUsed = true;
  }
  return true;
}

/** `a` is `b` plus, or exclusive or, something that is not zero. */
function isChangedBy(
  q: ValueQueries,
  a: Value,
  b: Value,
  lanes: bigint,
  at: Instruction | null,
  depth: number,
): boolean {
  if (!(a instanceof Instruction)) return false;
  const isSum =
    a.opcode === Opcode.Add || a.opcode === Opcode.Xor || (a.opcode === Opcode.Or && hasFlags(a, InstFlag.Disjoint));
  if (!isSum) return false;
  const [x, y] = a.operands;
  const by = x === b ? y : y === b ? x : null;
  return by !== null && q.isNonZero(by, lanes, at, depth + 1);
}

/** `b` is `a` times a constant above 1, or shifted, without wrapping, and not zero. */
function isMultipleOf(
  q: ValueQueries,
  b: Value,
  a: Value,
  lanes: bigint,
  at: Instruction | null,
  depth: number,
): boolean {
  const op = opcodeOf(b);
  if ((op !== Opcode.Mul && op !== Opcode.Shl) || operandsOf(b)[0] !== a || !(isNUW(b) || isNSW(b))) return false;
  const c = splatConstant(operandsOf(b)[1]);
  if (c === null || c === 0n || (op === Opcode.Mul && c === 1n)) return false;
  return q.isNonZero(a, lanes, at, depth + 1);
}

function isSelectNonEqual(
  q: ValueQueries,
  a: Value,
  b: Value,
  lanes: bigint,
  at: Instruction | null,
  depth: number,
): boolean {
  if (!(a instanceof Instruction) || a.opcode !== Opcode.Select) return false;
  const [condition, yes, no] = a.operands;
  const isSame = b instanceof Instruction && b.opcode === Opcode.Select && b.operands[0] === condition;
  const [x, y] = isSame ? [b.operands[1], b.operands[2]] : [b, b];
  return q.isNonEqual(yes, x, lanes, at, depth + 1) && q.isNonEqual(no, y, lanes, at, depth + 1);
}

/** The address that steps through a loop against one that it began at, or has left. */
function areStepsNonEqual(a: Value, b: Value): boolean {
  if (!a.type.isPointer || opcodeOf(a) !== Opcode.GetElementPtr || operandsOf(a).length !== 2) return false;
  const [phi, index] = operandsOf(a);
  if (
    !isConstantValue(index) ||
    !(phi instanceof Instruction) ||
    phi.opcode !== Opcode.Phi ||
    phi.operands.length !== 2
  )
    return false;
  const own = phi.operands.indexOf(a);
  if (own < 0) return false;
  const start = withoutOffset(phi.operands[1 - own]);
  const step = withoutOffset(a);
  const other = withoutOffset(b);
  if (step.base !== phi || start.base !== other.base) return false;
  return (start.offset >= other.offset && step.offset > 0n) || (start.offset <= other.offset && step.offset < 0n);
}

/** Base and bytes of an address by constants that stays in bounds. */
function withoutOffset(v: Value): { readonly base: Value; readonly offset: bigint } {
  let offset = 0n;
  for (;;) {
    const op = opcodeOf(v);
    const operands = operandsOf(v);
    if (op === Opcode.BitCast || op === Opcode.AddrSpaceCast) {
      v = operands[0];
      continue;
    }
    if (op !== Opcode.GetElementPtr || !hasFlags(v, InstFlag.InBounds)) return { base: v, offset };
    let type = (v as Instruction | Constant).auxType!;
    let own = 0n;
    for (let n = 1; n < operands.length; n++) {
      const c = intConstant(operands[n]);
      if (c === null) return { base: v, offset };
      const stride = strideOf(type, n === 1);
      if (stride === null) {
        own += BigInt(fieldOffset(type, Number(c)));
        type = type.elements[Number(c)];
      } else {
        own += signExtend(c, operands[n].type.n) * BigInt(stride.bytes);
        type = stride.element;
      }
    }
    offset += own;
    v = operands[0];
  }
}

function pointerOf(v: Value): Value | null {
  if (opcodeOf(v) !== Opcode.PtrToInt) return null;
  const [p] = operandsOf(v);
  return p.type.kind === TypeKind.Pointer && scalarBits(p.type) === v.type.n ? p : null;
}

function isAssumedNonEqual(q: ValueQueries, a: Value, b: Value, at: Instruction, depth: number): boolean {
  return q.facts
    .assumptionsFor(a)
    .some(
      ({ assume }) =>
        impliedBy(assume.operands[0], { predicate: 'ne', a, b }, true, q.plainRange, depth) === true &&
        q.facts.holdsAt(assume, at),
    );
}
