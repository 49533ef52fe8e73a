/** The questions of value tracking, which its parts ask each other (`ValueTracking` in valueTracking.ts answers them). */
import type { Instruction, Value } from '../module.js';
import { typeSizeBits } from '../dataLayout.js';
import type { IRType } from '../types.js';
import type { FunctionFacts } from './functionFacts.js';
import { maskOf, type KnownBits } from './knownBits.js';
import { laneCount } from './patterns.js';
import type { RangeOf } from './impliedConditions.js';

/** MaxAnalysisRecursionDepth */
export const MAX_DEPTH = 6;

/**
 * Of vectors a question is about the elements whose bit is set in `lanes`, which is 1 for scalars. `at` is where the answer has to hold;
 * null: no condition that has to hold somewhere is used.
 */
export interface ValueQueries {
  readonly facts: FunctionFacts;
  bits(v: Value, lanes: bigint, at: Instruction | null, depth: number): KnownBits;
  isNonZero(v: Value, lanes: bigint, at: Instruction | null, depth: number): boolean;
  isNonEqual(a: Value, b: Value, lanes: bigint, at: Instruction | null, depth: number): boolean;
  isPowerOfTwo(v: Value, orZero: boolean, at: Instruction | null, depth: number): boolean;
  /** Bits equal to the sign bit, itself among them. */
  signBits(v: Value, lanes: bigint, at: Instruction | null, depth: number): number;
  /** By the definition alone. */
  readonly plainRange: RangeOf;
}

export const lanesOf = (t: IRType): bigint => maskOf(laneCount(t));

/** Bits of an integer or pointer, of a vector of its elements. */
export const scalarBits = (t: IRType): number => typeSizeBits(t.scalar);
