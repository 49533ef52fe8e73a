/**
 * What can be told about integers and pointers: known bits, intervals, "not zero", "different" (llvm/Analysis/ValueTracking.cpp, LLVM 22).
 * `ValueTracking` puts its parts together, which ask each other. Not followed: classes of floating point numbers.
 */
import {
  Argument,
  Constant,
  GlobalAlias,
  GlobalVariable,
  Instruction,
  IRFunction,
  Opcode,
  ValueAsMetadata,
  ValueKind,
  type Value,
} from '../module.js';
import { abiAlign, typeSizeBits } from '../dataLayout.js';
import { isSized } from '../valueParser.js';
import { TypeKind } from '../types.js';
import { bitsOfComparison } from './conditionBits.js';
import { bitsOfRange, intersection, rangeBetween, rangeOfBits, type ConstantRange } from './constantRange.js';
import type { FunctionFacts } from './functionFacts.js';
import {
  allKnown,
  bitLength,
  constantBits,
  inCommon,
  isContradiction,
  lowZeros,
  nothingKnown,
  together,
  withOnes,
  type KnownBits,
} from './knownBits.js';
import { isNonEqual } from './nonEqual.js';
import { isNonZero, isPowerOfTwo } from './nonZero.js';
import { operatorBits } from './operatorBits.js';
import {
  comparisonOf,
  elementOf,
  intConstant,
  isNUW,
  isPowerOf2,
  laneCount,
  notOperand,
  opcodeOf,
  operandsOf,
  splatConstant,
} from './patterns.js';
import { signBits } from './signBits.js';
import { definitionRange, plainRange } from './valueRanges.js';
import { lanesOf, MAX_DEPTH, scalarBits, type ValueQueries } from './valueQueries.js';

/** Answers of one point, by value. */
interface Answers {
  readonly bits: Map<Value, KnownBits>;
  readonly ranges: Map<Value, ConstantRange>;
}

/** One object per function; what was asked of whole values is kept by where it was asked. */
export class ValueTracking implements ValueQueries {
  readonly plainRange = plainRange;
  private readonly answers = new Map<Instruction | null, Answers>();

  constructor(readonly facts: FunctionFacts) {}

  private answersAt(at: Instruction | null): Answers {
    let res = this.answers.get(at);
    if (res === undefined) this.answers.set(at, (res = { bits: new Map(), ranges: new Map() }));
    return res;
  }

  /** All lanes. */
  knownBits(v: Value, at: Instruction | null): KnownBits {
    const { bits } = this.answersAt(at);
    let res = bits.get(v);
    if (res === undefined) bits.set(v, (res = this.bits(v, lanesOf(v.type), at, 0)));
    return res;
  }

  /** Interval by definition, assumptions and known bits, seen as signed numbers. */
  range(v: Value, at: Instruction | null): ConstantRange {
    const { ranges } = this.answersAt(at);
    let res = ranges.get(v);
    if (res === undefined) {
      const own = definitionRange(v, false, this.facts, at, 0);
      res = intersection(own, rangeOfBits(this.knownBits(v, at)), 'signed');
      ranges.set(v, res);
    }
    return res;
  }

  isKnownNonZero(v: Value, at: Instruction | null): boolean {
    return this.isNonZero(v, lanesOf(v.type), at, 0);
  }

  isKnownDifferent(a: Value, b: Value, at: Instruction | null): boolean {
    return this.isNonEqual(a, b, lanesOf(a.type), at, 0);
  }

  isNonZero(v: Value, lanes: bigint, at: Instruction | null, depth: number): boolean {
    return isNonZero(this, v, lanes, at, depth);
  }

  isNonEqual(a: Value, b: Value, lanes: bigint, at: Instruction | null, depth: number): boolean {
    return isNonEqual(this, a, b, lanes, at, depth);
  }

  isPowerOfTwo(v: Value, orZero: boolean, at: Instruction | null, depth: number): boolean {
    return isPowerOfTwo(this, v, orZero, at, depth);
  }

  signBits(v: Value, lanes: bigint, at: Instruction | null, depth: number): number {
    return signBits(this, v, lanes, at, depth);
  }

  bits(v: Value, lanes: bigint, at: Instruction | null, depth: number): KnownBits {
    const width = scalarBits(v.type);
    const none = nothingKnown(width);
    if (lanes === 0n) return none;
    const constant = constantValueBits(v, lanes, width);
    if (constant !== null) return constant;
    let res = none;
    if (v instanceof Argument) {
      const numbers = v.attributes?.get('range')?.numbers;
      if (numbers?.length === 2) res = bitsOfRange(rangeBetween(numbers[0], numbers[1], width));
    }
    if (depth === MAX_DEPTH) return res;
    if (v instanceof GlobalAlias && v.kind === ValueKind.GlobalAlias)
      return isInterposable(v) || v.target === null ? res : this.bits(v.target, lanes, at, depth + 1);
    if (opcodeOf(v) >= 0) res = operatorBits(this, v, lanes, at, depth);
    if (v.type.kind === TypeKind.Pointer) {
      const align = pointerAlign(v);
      if (align > 1) res = lowZeros(res, bitLength(BigInt(align)) - 1);
    }
    return at === null ? res : this.withAssumptions(v, res, at, depth);
  }

  /** What assumptions add. */
  private withAssumptions(v: Value, known: KnownBits, at: Instruction, depth: number): KnownBits {
    const { facts } = this;
    let res = known;
    for (const { assume, bundle } of facts.assumptionsFor(v)) {
      if (bundle !== null) {
        const align = bundle.tag === 'align' && bundle.operands[0] === v ? intConstant(bundle.operands[1]) : null;
        // The pointer may be made for the sake of the promise.
        if (
          v.type.isPointer &&
          bundle.operands.length === 2 &&
          align !== null &&
          isPowerOf2(align) &&
          facts.holdsAt(assume, at, true)
        )
          res = lowZeros(res, bitLength(align) - 1);
        continue;
      }
      const [condition] = assume.operands;
      const holds = (): boolean => facts.holdsAt(assume, at);
      if (condition === v) {
        if (holds()) return constantBits(1n, res.width);
      } else if (notOperand(condition) === v) {
        if (holds()) return constantBits(0n, res.width);
      } else if (opcodeOf(condition) === Opcode.Trunc && operandsOf(condition)[0] === v) {
        if (holds()) return isNUW(condition) ? constantBits(1n, res.width) : withOnes(res, 1n);
      } else if (depth !== MAX_DEPTH) {
        const cmp = comparisonOf(condition);
        if (cmp !== null && holds()) res = together(res, bitsOfComparison(v, cmp, res.width));
      }
    }
    return isContradiction(res) ? nothingKnown(res.width) : res;
  }
}

export function isInterposable(g: { readonly linkage: string }): boolean {
  return g.linkage === 'weak' || g.linkage === 'linkonce' || g.linkage === 'common' || g.linkage === 'extern_weak';
}

/** Of constants that are no expressions and no globals; null for other values. */
function constantValueBits(v: Value, lanes: bigint, width: number): KnownBits | null {
  const c = splatConstant(v);
  if (c !== null) return constantBits(c, width);
  switch (v.kind) {
    case ValueKind.ConstantNull:
    case ValueKind.ConstantZero:
      return constantBits(0n, width);
    case ValueKind.Undef:
    case ValueKind.Poison:
      return nothingKnown(width);
    case ValueKind.ConstantAggregate: {
      let res = allKnown(width);
      for (let n = 0; n < laneCount(v.type); n++) {
        const element = elementOf(v, n);
        if ((lanes & (1n << BigInt(n))) === 0n || element === null || element.kind === ValueKind.Poison) continue;
        const own = intConstant(element);
        if (own === null) return nothingKnown(width);
        res = inCommon(res, constantBits(own, width));
      }
      return isContradiction(res) ? nothingKnown(width) : res;
    }
    default:
      return null;
  }
}

/**
 * Bytes, 1 if nothing is known.
 * @llvm Value.cpp Value::getPointerAlignment
 */
function pointerAlign(v: Value): number {
  if (v instanceof GlobalVariable) {
    if (v.align > 0) return v.align;
    return isSized(v.valueType) ? globalAlign(v) : 1;
  }
  if (v instanceof Argument) {
    const align = Number(v.attributes?.number('align') ?? 0n);
    const returned = v.attributes?.get('sret')?.type;
    if (align === 0 && returned !== null && returned !== undefined) return abiAlign(returned);
    return Math.max(1, align);
  }
  if (v instanceof Instruction) {
    if (v.opcode === Opcode.Alloca) return Math.max(1, v.align);
    if (v.call !== null) {
      const own = Number(v.call.retAttrs?.number('align') ?? 0n);
      const callee = v.operands[v.operands.length - 1];
      return Math.max(
        1,
        own === 0 && callee instanceof IRFunction ? Number(callee.retAttrs?.number('align') ?? 0n) : own,
      );
    }
    if (v.opcode === Opcode.Load) {
      const node = v.attachments?.find((a) => a.kind === 'align')?.node;
      const first = node !== undefined && 'operands' in node ? node.operands[0] : null;
      return first instanceof ValueAsMetadata ? Number(intConstant(first.value) ?? 1n) : 1;
    }
    return 1;
  }
  if (v instanceof Constant && v.kind === ValueKind.ConstantExpr && v.opcode === Opcode.IntToPtr) {
    const c = intConstant(v.operands[0]);
    if (c !== null && c !== 0n) return Number(c & -c & 0xffffffffn);
  }
  return 1;
}

/** Of a variable without `align`: what it prefers if its definition counts, else what its type needs. */
function globalAlign(v: GlobalVariable): number {
  const align = abiAlign(v.valueType);
  const isDefinition =
    v.initializer !== null && (v.linkage === '' || v.linkage === 'internal' || v.linkage === 'private');
  if (!isDefinition) return align;
  return align < 16 && typeSizeBits(v.valueType) > 128 ? 16 : align;
}
