/** How many high bits of an integer are surely equal (ComputeNumSignBits of llvm/Analysis/ValueTracking.cpp, LLVM 22). */
import { Constant, Instruction, Opcode, ValueKind, type Value } from '../module.js';
import { TypeKind } from '../types.js';
import { terminatorOf } from './functionFacts.js';
import { bitLength, isNonNegative, leastSignBits, maskOf, signExtend, type KnownBits } from './knownBits.js';
import { clampOf, shuffledLanes } from './operatorBits.js';
import {
  intConstant,
  intrinsicOf,
  isAllOnes,
  isConstantValue,
  isIntegers,
  isZeroConstant,
  opcodeOf,
  operandsOf,
  selectPattern,
  splatConstant,
} from './patterns.js';
import { lanesOf, MAX_DEPTH, scalarBits, type ValueQueries } from './valueQueries.js';

/** Incoming values of a phi that are looked at. */
const MAX_INCOMING = 4;

interface Asked {
  readonly q: ValueQueries;
  readonly v: Value;
  readonly lanes: bigint;
  readonly at: Instruction | null;
  readonly depth: number;
  readonly width: number;
}

export function signBits(q: ValueQueries, v: Value, lanes: bigint, at: Instruction | null, depth: number): number {
  const width = scalarBits(v.type);
  if (depth === MAX_DEPTH) return 1;
  const own = opcodeOf(v) < 0 ? null : operatorSignBits({ q, v, lanes, at, depth, width });
  if (own?.isFinal === true) return own.count;
  const least = constantSignBits(v, lanes, width);
  if (least > 0) return least;
  return Math.max(own?.count ?? 1, leastSignBits(q.bits(v, lanes, at, depth)));
}

/** Equal high bits of a number. */
function countOf(v: bigint, width: number): number {
  const s = signExtend(v, width);
  return width - bitLength(s < 0n ? -s - 1n : s);
}

/** 0 if it is no constant vector of integers. */
function constantSignBits(v: Value, lanes: bigint, width: number): number {
  if (v.type.kind !== TypeKind.FixedVector || v.kind !== ValueKind.ConstantAggregate) return 0;
  let res = width;
  const { operands } = v as Constant;
  for (let n = 0; n < operands.length; n++) {
    if ((lanes & (1n << BigInt(n))) === 0n) continue;
    const c = intConstant(operands[n]);
    if (c === null) return 0;
    res = Math.min(res, countOf(c, width));
  }
  return res;
}

interface Count {
  readonly count: number;
  /** known bits cannot make it more */
  readonly isFinal: boolean;
}

const final = (count: number): Count => ({ count, isFinal: true });
const of = (k: Asked, v: Value): number => k.q.signBits(v, k.lanes, k.at, k.depth + 1);
const wholeOf = (k: Asked, v: Value): number => k.q.signBits(v, lanesOf(v.type), k.at, k.depth + 1);
const bitsOf = (k: Asked, v: Value): KnownBits => k.q.bits(v, k.lanes, k.at, k.depth + 1);
const isBit = (k: KnownBits): boolean => (k.zero | 1n) === maskOf(k.width);

function operatorSignBits(k: Asked): Count | null {
  const { v, width } = k;
  const [a, b] = operandsOf(v);
  switch (opcodeOf(v)) {
    case Opcode.BitCast: {
      if (!isIntegers(a.type) || v.type.kind !== TypeKind.FixedVector || a.type.scalar.n % width !== 0) return null;
      return wholeOf(k, a) === a.type.scalar.n ? final(width) : null;
    }
    case Opcode.SExt:
      return final(of(k, a) + width - a.type.scalar.n);
    case Opcode.SDiv: {
      const c = splatConstant(b);
      if (c === null || signExtend(c, width) <= 0n) return null;
      return final(Math.min(width, of(k, a) + bitLength(c) - 1));
    }
    case Opcode.SRem: {
      const c = splatConstant(b);
      const isPositive = c !== null && signExtend(c, width) > 0n;
      return final(isPositive ? Math.max(of(k, a), width - bitLength(c - 1n)) : of(k, a));
    }
    case Opcode.AShr: {
      const c = splatConstant(b);
      if (c === null) return final(of(k, a));
      return c >= BigInt(width) ? null : final(Math.min(width, of(k, a) + Number(c)));
    }
    case Opcode.Shl:
      return shiftedSignBits(k, a, splatConstant(b));
    case Opcode.And:
    case Opcode.Or:
    case Opcode.Xor: {
      const first = of(k, a);
      return first === 1 ? null : { count: Math.min(first, of(k, b)), isFinal: false };
    }
    case Opcode.Select:
      return selectSignBits(k);
    case Opcode.Add:
      return sumSignBits(k, a, b);
    case Opcode.Sub:
      return differenceSignBits(k, a, b);
    case Opcode.Mul: {
      const first = of(k, a);
      const second = first === 1 ? 1 : of(k, b);
      if (second === 1) return null;
      const valid = width - first + 1 + (width - second + 1);
      return final(valid > width ? 1 : width - valid + 1);
    }
    case Opcode.Phi:
      return phiSignBits(k, v as Instruction);
    case Opcode.Trunc:
      return final(Math.max(1, wholeOf(k, a) - (a.type.scalar.n - width)));
    case Opcode.ExtractElement:
      return final(wholeOf(k, a));
    case Opcode.ShuffleVector:
      return shuffleSignBits(k);
    case Opcode.Call: {
      const name = intrinsicOf(v);
      if (name === 'abs') {
        const inner = of(k, a);
        return inner === 1 ? null : final(inner - 1);
      }
      const clamp = name === 'smin' || name === 'smax' ? clampOf(v) : null;
      return clamp === null ? null : final(Math.min(countOf(clamp.low, width), countOf(clamp.high, width)));
    }
    default:
      return null;
  }
}

function shiftedSignBits(k: Asked, a: Value, amount: bigint | null): Count | null {
  const { width } = k;
  if (amount === null || amount >= BigInt(width)) return null;
  const n = Number(amount);
  let count: number;
  const inner = opcodeOf(a) === Opcode.ZExt ? operandsOf(a)[0] : null;
  const added = inner === null ? 0 : width - inner.type.scalar.n;
  // What a zero extension added is shifted out again.
  if (inner !== null && n >= added) count = of(k, inner) + added;
  else count = of(k, a);
  return n >= count ? null : final(count - n);
}

function selectSignBits(k: Asked): Count | null {
  const [, yes, no] = operandsOf(k.v);
  const outer = selectPattern(k.v);
  if (outer !== null && (outer.flavor === 'smin' || outer.flavor === 'smax')) {
    const inner = selectPattern(outer.a);
    const [c, d] = [splatConstant(outer.b), inner === null ? null : splatConstant(inner.b)];
    if (inner !== null && inner.flavor === (outer.flavor === 'smin' ? 'smax' : 'smin') && c !== null && d !== null) {
      const [low, high] = outer.flavor === 'smin' ? [d, c] : [c, d];
      if (signExtend(low, k.width) <= signExtend(high, k.width))
        return final(Math.min(countOf(low, k.width), countOf(high, k.width)));
    }
  }
  const first = of(k, yes);
  return first === 1 ? null : final(Math.min(first, of(k, no)));
}

function sumSignBits(k: Asked, a: Value, b: Value): Count | null {
  const first = wholeOf(k, a);
  if (first === 1) return null;
  if (isConstantValue(b) && isAllOnes(b)) {
    const bits = bitsOf(k, a);
    if (isBit(bits)) return final(k.width);
    if (isNonNegative(bits)) return final(first);
  }
  const second = of(k, b);
  return second === 1 ? null : final(Math.min(first, second) - 1);
}

function differenceSignBits(k: Asked, a: Value, b: Value): Count | null {
  const second = of(k, b);
  if (second === 1) return null;
  if (isConstantValue(a) && isZeroConstant(a)) {
    const bits = bitsOf(k, b);
    if (isBit(bits)) return final(k.width);
    if (isNonNegative(bits)) return final(second);
  }
  const first = of(k, a);
  return first === 1 ? null : final(Math.min(first, second) - 1);
}

function phiSignBits(k: Asked, phi: Instruction): Count | null {
  const { operands } = phi;
  if (operands.length === 0 || operands.length > MAX_INCOMING) return null;
  let least = k.width;
  for (let n = 0; n < operands.length && least > 1; n++)
    least = Math.min(least, k.q.signBits(operands[n], k.lanes, terminatorOf(phi.blocks![n]), k.depth + 1));
  return final(least);
}

function shuffleSignBits(k: Asked): Count | null {
  const from = k.v instanceof Instruction ? shuffledLanes(k.v, k.lanes) : null;
  if (from === null) return final(1);
  let least = k.width;
  const operands = operandsOf(k.v);
  for (let n = 0; n < 2 && least > 1; n++)
    if (from[n] !== 0n) least = Math.min(least, k.q.signBits(operands[n], from[n], k.at, k.depth + 1));
  return least === 1 ? null : final(least);
}
