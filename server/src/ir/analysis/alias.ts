/**
 * Alias queries on IR pointers as the scheduling graph asks them: the rules of BasicAliasAnalysis and CaptureTracking,
 * LLVM 22, for a whole function without a context instruction (`-run-pass=machine-scheduler` has no other analysis).
 */
import type { AttributeSet } from '../attributes.js';
import { CAPTURE_PROVENANCE, capturesFromText, memoryFromText } from '../attributeValues.js';
import { sameConstant } from '../constants.js';
import { allocSize, fieldOffset, indexBits, storeBytes } from '../dataLayout.js';
import {
  Argument,
  BasicBlock,
  Constant,
  GlobalAlias,
  GlobalVariable,
  Instruction,
  InstFlag,
  IRFunction,
  Opcode,
  Value,
  ValueAsMetadata,
  ValueKind,
} from '../module.js';
import { TypeKind, type IRType } from '../types.js';
import { blocksInCycles } from './blocksInCycles.js';
import {
  difference,
  intersection,
  isEmpty,
  leastSignedOf,
  rangeBetween,
  scaled,
  signExtendedRange,
  singleRange,
  sum,
  truncatedRange,
  zeroExtendedRange,
  type ConstantRange,
} from './constantRange.js';
import { FunctionFacts } from './functionFacts.js';
import { leastTrailingZeros, maskOf, signExtend, signOf } from './knownBits.js';
import { intConstant, opcodeOf, operandsOf, returnHas } from './patterns.js';
import { isInterposable, ValueTracking } from './valueTracking.js';
import { isSized } from '../valueParser.js';

export const enum AliasResult {
  No = 0,
  May,
  Partial,
  Must,
}

/** Access size in bytes, or one of the two unknown ones. */
export type AccessSize = number;
/** unknown, from the pointer on */
export const SIZE_AFTER: AccessSize = -1;
/** unknown, possibly before the pointer too */
export const SIZE_AROUND: AccessSize = -2;

/** MaxLookupSearchDepth: steps to an underlying object and of a decomposition. */
const MAX_LOOKUP = 10;
/** MaxAnalysisRecursionDepth of linear expressions */
const MAX_LINEAR_DEPTH = 6;
/** Uses that capture tracking looks at (`-capture-tracking-max-uses-to-explore`). */
const MAX_USES = 100;
/** Depth of nested queries. */
const MAX_QUERY_DEPTH = 512;

/** value = zext(sext(trunc(v))), as the index of an address */
interface CastedValue {
  readonly v: Value;
  readonly zext: number;
  readonly sext: number;
  readonly trunc: number;
  readonly isNonNegative: boolean;
}

interface LinearExpression {
  val: CastedValue;
  /** of the width of `val` */
  scale: bigint;
  offset: bigint;
  nuw: boolean;
  nsw: boolean;
}

interface VariableIndex {
  readonly val: CastedValue;
  /** where the address is made that it belongs to: what holds there, holds of the index */
  readonly at: Instruction | null;
  scale: bigint;
  nsw: boolean;
  isNegated: boolean;
}

interface Decomposed {
  base: Value;
  /** modulo 2^width */
  offset: bigint;
  width: number;
  vars: VariableIndex[];
  inBounds: boolean;
  nuw: boolean;
}

interface CacheEntry {
  result: AliasResult;
  /** uses of the provisional answer while it is computed; -1 when final */
  assumptionUses: number;
}

const widthOf = (c: CastedValue): number => c.v.type.n - c.trunc + c.zext + c.sext;

/**
 * Answers for one function. Tables persist over the queries, so make one object per function and drop it when the IR
 * changes.
 */
/** Where releases differ; what the members mean says ReleaseRules. */
export interface AliasRules {
  readonly capturesByVolatile: boolean;
  readonly factorsByKnownBits: boolean;
}

export class AliasAnalysis {
  private readonly nullIsValid: boolean;
  private readonly facts: FunctionFacts;
  private readonly tracking: ValueTracking;
  private readonly captured = new Map<Value, boolean>();
  private readonly ids = new Map<Value, number>();
  private readonly constants = new Map<IRType, Constant[]>();
  private readonly canonical = new Map<Value, Value>();
  private readonly cache = new Map<string, CacheEntry>();
  private readonly decompositions = new Map<Value, Decomposed>();
  private readonly stripped = new Map<Value, Value>();
  private readonly objects = new Map<Value, Value>();
  private assumptions: string[] = [];
  private assumptionUses = 0;
  private depth = 0;
  private isCrossIteration = false;
  private cyclic: ReadonlySet<BasicBlock> | null = null;

  constructor(
    private readonly fn: IRFunction,
    private readonly rules: AliasRules,
  ) {
    this.nullIsValid = fn.hasFnAttr('null_pointer_is_valid');
    this.facts = new FunctionFacts(fn);
    this.tracking = new ValueTracking(this.facts);
  }

  /** Whether accesses of `sizeA` bytes at `a` and `sizeB` bytes at `b` may overlap. */
  alias(a: Value, sizeA: AccessSize, b: Value, sizeB: AccessSize): AliasResult {
    this.depth = 0;
    this.isCrossIteration = false;
    this.assumptionUses = 0;
    this.assumptions = [];
    return this.query(this.canon(a), sizeA, this.canon(b), sizeB);
  }

  // -- identity -----------------------------------------------------------------------------------------------------

  /** One object per constant content, as LLVM's uniquing has it. */
  private canon(v: Value): Value {
    // Constants without operands are one object already.
    if (!(v instanceof Constant) || v.operands.length === 0) return v;
    const known = this.canonical.get(v);
    if (known !== undefined) return known;
    let list = this.constants.get(v.type);
    if (list === undefined) this.constants.set(v.type, (list = []));
    let res: Constant | undefined = list.find((c) => sameConstant(c, v));
    if (res === undefined) list.push((res = v));
    this.canonical.set(v, res);
    return res;
  }

  private stripOf(p: Value): Value {
    let res = this.stripped.get(p);
    if (res === undefined) this.stripped.set(p, (res = this.canon(strip(p))));
    return res;
  }

  private objectOf(p: Value): Value {
    let res = this.objects.get(p);
    if (res === undefined) this.objects.set(p, (res = this.canon(underlyingObject(p))));
    return res;
  }

  private id(v: Value): number {
    let id = this.ids.get(v);
    if (id === undefined) this.ids.set(v, (id = this.ids.size));
    return id;
  }

  /** Equality of values, over all iterations of loops where that matters. */
  private isEqual(a: Value, b: Value): boolean {
    if (this.canon(a) !== this.canon(b)) return false;
    if (!this.isCrossIteration || !(a instanceof Instruction)) return true;
    if (a.parent === this.fn.blocks[0]) return true;
    this.cyclic ??= blocksInCycles(this.fn.blocks);
    return !this.cyclic.has(a.parent);
  }

  // -- query --------------------------------------------------------------------------------------------------------

  private query(p1: Value, s1: AccessSize, p2: Value, s2: AccessSize): AliasResult {
    if (s1 === 0 || s2 === 0) return AliasResult.No;
    p1 = this.stripOf(p1);
    p2 = this.stripOf(p2);
    if (isUndefValue(p1) || isUndefValue(p2)) return AliasResult.No;
    if (this.isEqual(p1, p2)) return AliasResult.Must;
    if (!p1.type.isPointer || !p2.type.isPointer) return AliasResult.No;
    const o1 = this.objectOf(p1);
    const o2 = this.objectOf(p2);
    const isNull = (o: Value): boolean => o.kind === ValueKind.ConstantNull && o.type.n === 0 && !this.nullIsValid;
    if (isNull(o1) || isNull(o2)) return AliasResult.No;
    if (o1 !== o2) {
      if (isIdentifiedObject(o1) && isIdentifiedObject(o2)) return AliasResult.No;
      if (isArgumentLike(o1) && isIdentifiedFunctionLocal(o2)) return AliasResult.No;
      if (isArgumentLike(o2) && isIdentifiedFunctionLocal(o1)) return AliasResult.No;
      if (isEscapeSource(o1) && this.isUncapturedLocal(o2)) return AliasResult.No;
      if (isEscapeSource(o2) && this.isUncapturedLocal(o1)) return AliasResult.No;
    }
    if (isObjectSmallerThan(o2, this.minimalExtent(p1, s1)) || isObjectSmallerThan(o1, this.minimalExtent(p2, s2)))
      return AliasResult.No;
    if (s1 < 0 || s2 < 0) {
      s1 = SIZE_AFTER;
      s2 = SIZE_AFTER;
    }
    return this.guarded(p1, s1, p2, s2, o1, o2);
  }

  /** The recursive part after the table that makes cyclic phis end. */
  private guarded(p1: Value, s1: AccessSize, p2: Value, s2: AccessSize, o1: Value, o2: Value): AliasResult {
    if (this.depth >= MAX_QUERY_DEPTH) return AliasResult.May;
    const a = `${this.id(p1)}:${s1}`;
    const b = `${this.id(p2)}:${s2}`;
    const key = (this.id(p1) <= this.id(p2) ? `${a},${b}` : `${b},${a}`) + (this.isCrossIteration ? 'x' : '');
    const known = this.cache.get(key);
    if (known !== undefined) {
      if (known.assumptionUses >= 0) {
        known.assumptionUses++;
        this.assumptionUses++;
      }
      return known.result;
    }
    const entry: CacheEntry = { result: AliasResult.No, assumptionUses: 0 };
    this.cache.set(key, entry);
    const outerUses = this.assumptionUses;
    const outerAssumptions = this.assumptions.length;
    this.depth++;
    let res = this.combine(p1, s1, p2, s2, o1, o2);
    this.depth--;
    const disproven = entry.assumptionUses > 0 && res !== AliasResult.No;
    if (disproven) res = AliasResult.May;
    // What still hangs on provisional answers of outer queries has to go when those turn out wrong.
    this.assumptionUses -= entry.assumptionUses;
    entry.result = res;
    entry.assumptionUses = -1;
    if (disproven) {
      while (this.assumptions.length > outerAssumptions) this.cache.delete(this.assumptions.pop()!);
    }
    if (this.assumptionUses !== outerUses && res !== AliasResult.May) this.assumptions.push(key);
    return res;
  }

  private combine(p1: Value, s1: AccessSize, p2: Value, s2: AccessSize, o1: Value, o2: Value): AliasResult {
    if (isGEP(p1)) {
      const r = this.aliasGEP(p1, s1, p2, s2, o1, o2);
      if (r !== AliasResult.May) return r;
    } else if (isGEP(p2)) {
      const r = this.aliasGEP(p2, s2, p1, s1, o2, o1);
      if (r !== AliasResult.May) return r;
    }
    if (isPhi(p1)) {
      const r = this.aliasPhi(p1, s1, p2, s2);
      if (r !== AliasResult.May) return r;
    } else if (isPhi(p2)) {
      const r = this.aliasPhi(p2, s2, p1, s1);
      if (r !== AliasResult.May) return r;
    }
    if (isSelect(p1)) {
      const r = this.aliasSelect(p1, s1, p2, s2);
      if (r !== AliasResult.May) return r;
    } else if (isSelect(p2)) {
      const r = this.aliasSelect(p2, s2, p1, s1);
      if (r !== AliasResult.May) return r;
    }
    if (o1 === o2 && s1 >= 0 && s2 >= 0) {
      const size = objectSize(o1, false);
      if (size >= 0 && (s1 === size || s2 === size)) return AliasResult.Partial;
    }
    return AliasResult.May;
  }

  // -- selects and phis -----------------------------------------------------------------------------------------------

  private aliasSelect(select: Instruction, s1: AccessSize, p2: Value, s2: AccessSize): AliasResult {
    const [c, a, b] = select.operands;
    if (isSelect(p2) && this.isEqual(c, p2.operands[0])) {
      const first = this.query(a, s1, p2.operands[1], s2);
      if (first === AliasResult.May) return first;
      return merge(first, this.query(b, s1, p2.operands[2], s2));
    }
    const first = this.query(a, s1, p2, s2);
    if (first === AliasResult.May) return first;
    return merge(first, this.query(b, s1, p2, s2));
  }

  private aliasPhi(phi: Instruction, s1: AccessSize, p2: Value, s2: AccessSize): AliasResult {
    if (phi.operands.length === 0) return AliasResult.No;
    if (isPhi(p2) && p2.parent === phi.parent && !this.isCrossIteration) {
      let res: AliasResult | null = null;
      for (let k = 0; k < phi.operands.length; k++) {
        const other = p2.blocks!.indexOf(phi.blocks![k]);
        if (other < 0) return AliasResult.May;
        const r = this.query(phi.operands[k], s1, p2.operands[other], s2);
        res = res === null ? r : merge(res, r);
        if (res === AliasResult.May) return res;
      }
      return res!;
    }
    const sources: Value[] = [];
    const seen = new Set<Value>();
    let isRecursive = false;
    let onePhi: Value | null = null;
    for (const incoming of phi.operands) {
      const v = this.canon(incoming);
      if (v === phi) continue;
      if (isPhi(v)) {
        if (onePhi !== null && onePhi !== v) return AliasResult.May;
        onePhi = v;
      }
      if (this.canon(underlyingObject(v)) === phi) {
        isRecursive = true;
        continue;
      }
      if (seen.has(v)) continue;
      seen.add(v);
      sources.push(v);
    }
    if (onePhi !== null && sources.length > 1) return AliasResult.May;
    if (sources.length === 0) return AliasResult.May;
    const size = isRecursive ? SIZE_AROUND : s1;
    const outer = this.isCrossIteration;
    this.isCrossIteration = true;
    try {
      let res = this.query(sources[0], size, p2, s2);
      if (res === AliasResult.May) return res;
      if (isRecursive && res !== AliasResult.No) return AliasResult.May;
      for (let k = 1; k < sources.length; k++) {
        res = merge(res, this.query(sources[k], size, p2, s2));
        if (res === AliasResult.May) break;
      }
      return res;
    } finally {
      this.isCrossIteration = outer;
    }
  }

  // -- address arithmetic ---------------------------------------------------------------------------------------------

  private aliasGEP(p1: Value, s1: AccessSize, p2: Value, s2: AccessSize, o1: Value, o2: Value): AliasResult {
    const baseQuestion = (): AliasResult => {
      const r = this.query(o1, SIZE_AROUND, o2, SIZE_AROUND);
      return r === AliasResult.No ? r : AliasResult.May;
    };
    if (s1 < 0 || s2 < 0) return isGEP(p2) ? baseQuestion() : AliasResult.May;
    let d1 = this.decompose(p1);
    let d2 = this.decompose(p2);
    if (d1.base === p1 && d2.base === p2) return AliasResult.May;
    if (d1.width !== d2.width) return baseQuestion();
    if (d1.vars.length < d2.vars.length) {
      [d1, d2] = [d2, d1];
      [s1, s2] = [s2, s1];
    }
    const width = d1.width;
    const { vars, nuw } = this.subtract(d1, d2);
    const size1 = BigInt(s1);
    const size2 = BigInt(s2);
    const offset = BigInt.asUintN(width, d1.offset - d2.offset);
    const off = signExtend(offset, width);
    const isNUW = nuw && d1.offset >= d2.offset;

    if (vars.length === 0) {
      // A pointer that stays in bounds cannot start before its object.
      if (d1.inBounds && off >= size2 && isBaseObject(d2.base)) return AliasResult.No;
      if (d2.inBounds && off <= -size1 && isBaseObject(d1.base)) return AliasResult.No;
      if (off === 0n) return this.query(d1.base, s1, d2.base, s2);
    }
    const bases = this.query(d1.base, SIZE_AROUND, d2.base, SIZE_AROUND);
    if (bases !== AliasResult.Must) return bases === AliasResult.No ? AliasResult.No : AliasResult.May;
    if (vars.length === 0) {
      const lowerSize = off >= 0n ? size2 : size1;
      const distance = off < 0n ? -off : off;
      return distance < lowerSize ? AliasResult.Partial : AliasResult.No;
    }
    if (isNUW && offset >= size2) return AliasResult.No;
    const top = 1n << BigInt(width);
    if (size1 >= top || size2 >= top) return AliasResult.May;
    const sizes = [size1, size2] as const;
    if (isDisjointByModulus(off, commonFactor(vars, width, NO_ZEROS), sizes)) return AliasResult.No;
    if (this.rules.factorsByKnownBits) {
      const zeros = (x: VariableIndex): number => leastTrailingZeros(this.tracking.knownBits(x.val.v, x.at));
      if (isDisjointByModulus(off, commonFactor(vars, width, zeros), sizes)) return AliasResult.No;
    }
    if (this.isDisjointByRange(vars, offset, width, size1, size2)) return AliasResult.No;
    const minimum = this.minimumDistance(vars, width);
    if (minimum > 0n) {
      const low = off - minimum;
      const high = off + minimum;
      if (low < 0n && -low >= size1 && high >= 0n && high >= size2) return AliasResult.No;
    }
    return this.differByConstant(vars, off, size1, size2) ? AliasResult.No : AliasResult.May;
  }

  /** base + constant + Σ scale·index */
  private decompose(pointer: Value): Decomposed {
    let res = this.decompositions.get(pointer);
    if (res === undefined) this.decompositions.set(pointer, (res = this.decomposeChain(pointer)));
    return res;
  }

  private decomposeChain(pointer: Value): Decomposed {
    const width = indexBits(pointer.type.n);
    const at = pointer instanceof Instruction ? pointer : null;
    const res: Decomposed = { base: pointer, offset: 0n, width, vars: [], inBounds: true, nuw: true };
    let v = pointer;
    for (let step = 0; step < MAX_LOOKUP; step++) {
      const next = this.decomposeStep(v, res, at);
      if (next === null) {
        res.base = this.canon(v);
        return res;
      }
      v = next;
    }
    res.base = this.canon(v);
    return res;
  }

  /** The next pointer of the chain, null to stop at this one. */
  private decomposeStep(v: Value, res: Decomposed, at: Instruction | null): Value | null {
    if (v instanceof GlobalAlias) return isInterposable(v) || v.kind !== ValueKind.GlobalAlias ? null : v.target;
    const op = opcodeOf(v);
    if (op === Opcode.BitCast || op === Opcode.AddrSpaceCast) {
      const from = operandsOf(v)[0];
      return from.type.isPointer && indexBits(from.type.n) === res.width ? from : null;
    }
    if (op !== Opcode.GetElementPtr) return isGEP(v) ? null : passThrough(v);
    const operands = operandsOf(v);
    for (let i = 1; i < operands.length; i++) if (operands[i].type.isVector) return null;
    const flags = (v as Instruction | Constant).flags;
    const nuw = (flags & InstFlag.NUW) !== 0;
    const nusw = (flags & (InstFlag.NUSW | InstFlag.InBounds)) !== 0;
    res.inBounds &&= (flags & InstFlag.InBounds) !== 0;
    res.nuw &&= nuw;
    let type = (v as Instruction | Constant).auxType!;
    for (let i = 1; i < operands.length; i++) {
      const index = operands[i];
      if (i > 1 && type.kind === TypeKind.Struct) {
        const field = Number(intConstant(index) ?? 0n);
        res.offset = BigInt.asUintN(res.width, res.offset + BigInt(fieldOffset(type, field)));
        type = type.elements[field];
        continue;
      }
      let stride: bigint;
      if (i === 1) stride = BigInt(allocSize(type));
      else {
        const isVector = type.isVector;
        type = type.elements[0];
        stride = BigInt(isVector ? storeBytes(type) : allocSize(type));
      }
      const c = intConstant(index);
      if (c !== null) {
        res.offset = BigInt.asUintN(res.width, res.offset + stride * signExtend(c, index.type.n));
        continue;
      }
      this.addIndex(res, index, stride, nuw, nusw, at);
    }
    return operands[0];
  }

  private addIndex(
    res: Decomposed,
    index: Value,
    stride: bigint,
    nuw: boolean,
    nusw: boolean,
    at: Instruction | null,
  ): void {
    const width = res.width;
    const bits = index.type.n;
    const casted: CastedValue = {
      v: index,
      zext: 0,
      sext: Math.max(0, width - bits),
      trunc: Math.max(0, bits - width),
      isNonNegative: nuw && nusw,
    };
    const le = multiply(linearExpression(casted, 0), stride, nuw, nusw);
    res.offset = BigInt.asUintN(width, res.offset + le.offset);
    if (!le.nuw) res.nuw = false;
    let scale = BigInt.asUintN(width, le.scale);
    let nsw = le.nsw;
    const same = res.vars.findIndex((x) => x.val.v === le.val.v && hasSameCasts(x.val, le.val));
    if (same >= 0) {
      scale = BigInt.asUintN(width, scale + res.vars[same].scale);
      nsw = false;
      res.vars.splice(same, 1);
    }
    if (scale !== 0n) res.vars.push({ val: le.val, at, scale, nsw, isNegated: false });
  }

  /** Variable part of d1 − d2 and whether the unsigned-no-wrap fact of d1 survives. */
  private subtract(d1: Decomposed, d2: Decomposed): { vars: VariableIndex[]; nuw: boolean } {
    const vars = d1.vars.map((x) => ({ ...x }));
    let nuw = d1.nuw;
    for (const src of d2.vars) {
      const k = vars.findIndex((x) => this.isEqual(x.val.v, src.val.v) && hasSameCasts(x.val, src.val) && !x.isNegated);
      if (k < 0) {
        vars.push({ ...src, isNegated: true });
        nuw = false;
        continue;
      }
      const dst = vars[k];
      if (dst.scale === src.scale) {
        vars.splice(k, 1);
        continue;
      }
      if (dst.scale < src.scale) nuw = false;
      dst.scale = BigInt.asUintN(d1.width, dst.scale - src.scale);
      dst.nsw = false;
    }
    return { vars, nuw };
  }

  private isDisjointByRange(
    vars: readonly VariableIndex[],
    offset: bigint,
    width: number,
    size1: bigint,
    size2: bigint,
  ): boolean {
    let range = singleRange(offset, width);
    for (const x of vars) {
      const index = rangeThroughCasts(x.val, width, this.tracking.range(x.val.v, x.at));
      const by = scaled(index, x.scale, x.nsw);
      range = x.isNegated ? difference(range, by) : sum(range, by);
    }
    const first = sum(range, rangeBetween(0n, size1, width));
    return isEmpty(intersection(first, rangeBetween(0n, size2, width)));
  }

  private minimumDistance(vars: readonly VariableIndex[], width: number): bigint {
    const abs = (x: bigint): bigint => {
      const s = signExtend(x, width);
      return s < 0n ? -s : s;
    };
    // Whether index times scale stays within the address width; of a negative scale LLVM never says so, since it compares without a sign.
    const staysInRange = (x: VariableIndex): boolean => {
      if (x.nsw) return true;
      const valueBits = x.val.v.type.n;
      if (valueBits >= width - 0 && x.val.zext + x.val.sext === 0) return false;
      const room = widthOf(x.val) - valueBits;
      if (room <= 0) return false;
      return BigInt.asUintN(width, x.scale) <= maskOf(room);
    };
    if (vars.length === 1) {
      const [x] = vars;
      if (x.val.trunc !== 0 || !staysInRange(x) || !this.tracking.isKnownNonZero(x.val.v, x.at)) return 0n;
      return abs(x.scale);
    }
    if (vars.length !== 2 || this.isCrossIteration) return 0n;
    const [a, b] = vars;
    if (!haveOppositeScales(a, b, width) || a.val.trunc !== 0 || !hasSameCasts(a.val, b.val)) return 0n;
    if (!staysInRange(a) || !staysInRange(b)) return 0n;
    return this.tracking.isKnownDifferent(a.val.v, b.val.v, a.at ?? b.at) ? abs(a.scale) : 0n;
  }

  /** Two entries k·(x + c0) − k·(x + c1) that are far enough apart whatever x is. */
  private differByConstant(vars: readonly VariableIndex[], off: bigint, size1: bigint, size2: bigint): boolean {
    if (vars.length !== 2) return false;
    const [a, b] = vars;
    if (a.val.trunc !== 0 || !hasSameCasts(a.val, b.val) || a.val.v.type !== b.val.v.type) return false;
    const addressWidth = widthOf(a.val);
    if (!haveOppositeScales(a, b, addressWidth)) return false;
    const plain = (v: Value): CastedValue => ({ v, zext: 0, sext: 0, trunc: 0, isNonNegative: false });
    const e0 = linearExpression(plain(a.val.v), 0);
    const e1 = linearExpression(plain(b.val.v), 0);
    if (e0.scale !== e1.scale || !hasSameCasts(e0.val, e1.val) || !this.isEqual(e0.val.v, e1.val.v)) return false;
    const width = a.val.v.type.n;
    const forward = BigInt.asUintN(width, e0.offset - e1.offset);
    const backward = BigInt.asUintN(width, e1.offset - e0.offset);
    const steps = forward < backward ? forward : backward;
    const scale = signExtend(a.scale, addressWidth);
    const distance = steps * (scale < 0n ? -scale : scale);
    const distanceOff = off < 0n ? -off : off;
    return distance >= size1 + distanceOff && distance >= size2 + distanceOff;
  }

  // -- objects ------------------------------------------------------------------------------------------------------

  /** Bytes that surely are accessible at a pointer: the access itself or what its attributes promise. */
  private minimalExtent(p: Value, size: AccessSize): number {
    const { bytes, orNull } = dereferenceableBytes(p);
    const promised = orNull && this.nullIsValid ? 0 : bytes;
    return size >= 0 ? Math.max(promised, size) : promised;
  }

  private isUncapturedLocal(o: Value): boolean {
    return isIdentifiedFunctionLocal(o) && !this.isCaptured(o);
  }

  /** Whether the provenance of a local object escapes anywhere in the function. */
  isCaptured(object: Value): boolean {
    let res = this.captured.get(object);
    if (res === undefined) this.captured.set(object, (res = this.findCapture(object)));
    return res;
  }

  private findCapture(object: Value): boolean {
    const work: Value[] = [object];
    const seen = new Set<Value>(work);
    let nUses = 0;
    for (let v = work.pop(); v !== undefined; v = work.pop()) {
      for (const { user, index } of this.facts.usesOf(v)) {
        if (++nUses > MAX_USES) return true;
        const effect = useEffect(user, index, this.rules.capturesByVolatile);
        if (effect === UseEffect.Captures) return true;
        if (effect === UseEffect.PassesOn && !seen.has(user)) {
          seen.add(user);
          work.push(user);
        }
      }
    }
    return false;
  }
}

// -- linear expressions -----------------------------------------------------------------------------------------------

function hasSameCasts(a: CastedValue, b: CastedValue): boolean {
  if (a.v.type !== b.v.type) return false;
  if (a.zext === b.zext && a.sext === b.sext && a.trunc === b.trunc) return true;
  // Of a value that is not negative both extensions give the same.
  return (a.isNonNegative || b.isNonNegative) && a.zext + a.sext === b.zext + b.sext && a.trunc === b.trunc;
}

/** A constant of the inner type seen through the casts. */
function evaluateCasts(c: CastedValue, value: bigint): bigint {
  const inner = c.v.type.n - c.trunc;
  const truncated = BigInt.asUintN(inner, value);
  const extended = BigInt.asUintN(inner + c.sext, signExtend(truncated, inner));
  return extended;
}

function multiply(e: LinearExpression, factor: bigint, nuw: boolean, nsw: boolean): LinearExpression {
  const width = widthOf(e.val);
  const isOne = factor === 1n;
  return {
    val: e.val,
    scale: BigInt.asUintN(width, e.scale * factor),
    offset: BigInt.asUintN(width, e.offset * factor),
    nuw: e.nuw && (isOne || nuw),
    nsw: e.nsw && (isOne || (nsw && e.offset === 0n)),
  };
}

/** scale·x + offset for an index, as far as constants and extensions go. */
function linearExpression(val: CastedValue, depth: number): LinearExpression {
  const whole: LinearExpression = { val, scale: 1n, offset: 0n, nuw: true, nsw: true };
  if (depth === MAX_LINEAR_DEPTH) return whole;
  const width = widthOf(val);
  const c = intConstant(val.v);
  if (c !== null) return { val, scale: 0n, offset: evaluateCasts(val, c), nuw: true, nsw: true };
  if (!(val.v instanceof Instruction)) return whole;
  const { opcode, operands, flags } = val.v;
  if (opcode === Opcode.ZExt || opcode === Opcode.SExt) return linearExpression(extended(val, val.v), depth + 1);
  const rhs = operands.length === 2 ? intConstant(operands[1]) : null;
  if (rhs === null) return whole;
  const isOr = opcode === Opcode.Or;
  if (isOr && (flags & InstFlag.Disjoint) === 0) return whole;
  if (!isOr && opcode !== Opcode.Add && opcode !== Opcode.Sub && opcode !== Opcode.Mul && opcode !== Opcode.Shl)
    return whole;
  let nuw = isOr || (flags & InstFlag.NUW) !== 0;
  let nsw = isOr || (flags & InstFlag.NSW) !== 0;
  if ((val.zext > 0 && !nuw) || (val.sext > 0 && !nsw)) return whole;
  const constant = evaluateCasts(val, rhs);
  const keepsSign = opcode === Opcode.Shl && nsw && val.trunc === 0;
  if (val.trunc > 0) {
    nuw = false;
    nsw = false;
  }
  if (opcode === Opcode.Shl && constant > BigInt(width)) return whole;
  const inner = { ...val, v: operands[0], isNonNegative: val.isNonNegative && keepsSign };
  const e = linearExpression(inner, depth + 1);
  switch (opcode) {
    case Opcode.Mul:
      return multiply(e, constant, nuw, nsw);
    case Opcode.Shl:
      e.offset = BigInt.asUintN(width, e.offset << constant);
      e.scale = BigInt.asUintN(width, e.scale << constant);
      break;
    case Opcode.Sub:
      e.offset = BigInt.asUintN(width, e.offset - constant);
      nuw = false;
      break;
    default:
      e.offset = BigInt.asUintN(width, e.offset + constant);
  }
  e.nuw &&= nuw;
  e.nsw &&= nsw;
  return e;
}

/** The operand of an extension, with the extension added to the casts. */
function extended(val: CastedValue, ext: Instruction): CastedValue {
  const v = ext.operands[0];
  const isZero = ext.opcode === Opcode.ZExt;
  let by = ext.type.n - v.type.n;
  const isNonNegative = isZero ? (ext.flags & InstFlag.NNeg) !== 0 : val.isNonNegative;
  if (by <= val.trunc)
    return { v, zext: val.zext, sext: val.sext, trunc: val.trunc - by, isNonNegative: val.isNonNegative };
  by -= val.trunc;
  if (isZero) return { v, zext: val.zext + val.sext + by, sext: 0, trunc: 0, isNonNegative };
  return { v, zext: val.zext, sext: val.sext + by, trunc: 0, isNonNegative: val.isNonNegative };
}

function haveOppositeScales(a: VariableIndex, b: VariableIndex, width: number): boolean {
  if (a.isNegated !== b.isNegated) return a.scale === b.scale;
  return a.scale === BigInt.asUintN(width, -b.scale);
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

const NO_ZEROS = (): number => 0;

/** What every sum of the products is a multiple of, 0 = anything; `zeros`: low bits of an index that are known to be 0. */
function commonFactor(vars: readonly VariableIndex[], width: number, zeros: (x: VariableIndex) => number): bigint {
  let g = 0n;
  for (const x of vars) {
    const s = signExtend(x.scale, width);
    // A product that may wrap only keeps its power of two.
    const factor = x.nsw ? (s < 0n ? -s : s) : x.scale & -x.scale;
    const bits = BigInt.asUintN(width, factor << BigInt(zeros(x)));
    g = gcd(g, bits === 0n ? signOf(width) : bits);
  }
  return g;
}

function isDisjointByModulus(off: bigint, g: bigint, [size1, size2]: readonly [bigint, bigint]): boolean {
  if (g === 0n) return false;
  const m = ((off % g) + g) % g;
  return m >= size2 && g - m >= size1;
}

/** Interval of an index after its casts. */
function rangeThroughCasts(val: CastedValue, width: number, range: ConstantRange): ConstantRange {
  let res = val.trunc > 0 ? truncatedRange(range, range.width - val.trunc) : range;
  // The flags of the address promise that the index is not negative.
  if (val.isNonNegative && leastSignedOf(res) < 0n)
    res = intersection(res, rangeBetween(0n, signOf(res.width), res.width));
  if (val.sext > 0) res = signExtendedRange(res, res.width + val.sext);
  if (val.zext > 0) res = zeroExtendedRange(res, res.width + val.zext);
  return res.width <= width ? signExtendedRange(res, width) : truncatedRange(res, width);
}

// -- pointers -----------------------------------------------------------------------------------------------------------

const isGEP = (v: Value): boolean => opcodeOf(v) === Opcode.GetElementPtr;
const isPhi = (v: Value): v is Instruction => v instanceof Instruction && v.opcode === Opcode.Phi;
const isSelect = (v: Value): v is Instruction => v instanceof Instruction && v.opcode === Opcode.Select;
const isUndefValue = (v: Value): boolean => v.kind === ValueKind.Undef || v.kind === ValueKind.Poison;

function calleeOf(call: Instruction): Value {
  return call.operands[call.operands.length - 1];
}

function calleeName(call: Instruction): string {
  return calleeOf(call).name ?? '';
}

/** Attributes of argument `index`: of the call site and of the called function. */
function argumentAttributes(call: Instruction, index: number): readonly AttributeSet[] {
  const res: AttributeSet[] = [];
  const own = call.call!.paramAttrs[index];
  if (own !== null && own !== undefined) res.push(own);
  const callee = calleeOf(call);
  if (callee instanceof IRFunction) {
    const declared = callee.args[index]?.attributes;
    if (declared !== null && declared !== undefined) res.push(declared);
  }
  return res;
}

function returnedArgument(call: Instruction): Value | null {
  for (let k = 0; k < call.operands.length - 1; k++) {
    if (argumentAttributes(call, k).some((s) => s.has('returned'))) return call.operands[k];
  }
  return null;
}

const isInvariantGroup = (name: string): boolean => /^llvm\.(launder|strip)\.invariant\.group/.test(name);
const isRsrc = (name: string): boolean => name.startsWith('llvm.amdgcn.make.buffer.rsrc');

/** Single-value phi, returned argument, or an intrinsic that gives its pointer back; null for others. */
function passThrough(v: Value): Value | null {
  if (!(v instanceof Instruction)) return null;
  if (v.opcode === Opcode.Phi) return v.operands.length === 1 ? v.operands[0] : null;
  if (v.call === null) return null;
  const returned = returnedArgument(v);
  if (returned !== null) return returned;
  const name = calleeName(v);
  if (isInvariantGroup(name) || isRsrc(name) || name.startsWith('llvm.ptrmask')) return v.operands[0];
  return null;
}

/** @llvm Value.cpp Value::stripPointerCastsForAliasAnalysis */
function strip(p: Value): Value {
  const seen = new Set<Value>();
  let v = p;
  while (!seen.has(v)) {
    seen.add(v);
    const op = opcodeOf(v);
    if (op === Opcode.BitCast || op === Opcode.AddrSpaceCast) {
      const from = operandsOf(v)[0];
      if (!from.type.isPointer) return v;
      v = from;
    } else if (op === Opcode.GetElementPtr) {
      const ops = operandsOf(v);
      for (let i = 1; i < ops.length; i++) {
        const c = ops[i];
        if (c.type.isVector ? c.kind !== ValueKind.ConstantZero : intConstant(c) !== 0n) return v;
      }
      v = ops[0];
    } else if (op === Opcode.Phi) {
      const ops = operandsOf(v);
      if (ops.length !== 1) return v;
      v = ops[0];
    } else if (v instanceof Instruction && v.call !== null) {
      const returned = returnedArgument(v);
      if (returned !== null) v = returned;
      else if (isInvariantGroup(calleeName(v))) v = v.operands[0];
      else return v;
    } else return v;
  }
  return v;
}

/** getUnderlyingObject: at most MAX_LOOKUP steps. */
export function underlyingObject(p: Value): Value {
  let v = p;
  for (let step = 0; step < MAX_LOOKUP; step++) {
    const op = opcodeOf(v);
    if (op === Opcode.GetElementPtr) v = operandsOf(v)[0];
    else if (op === Opcode.BitCast || op === Opcode.AddrSpaceCast) {
      const from = operandsOf(v)[0];
      if (!from.type.isPointer) return v;
      v = from;
    } else if (v.kind === ValueKind.GlobalAlias) {
      if (isInterposable(v as GlobalAlias)) return v;
      v = (v as GlobalAlias).target!;
    } else {
      const next = passThrough(v);
      if (next === null) return v;
      v = next;
    }
  }
  return v;
}

/**
 * Base objects of a pointer for the scheduling graph (getUnderlyingObjectsForCodeGen): through all phis and selects, and
 * through integers made from pointers. Null when one of them is no identified object.
 */
export function underlyingObjectsForCodeGen(p: Value): readonly Value[] | null {
  const visited = new Set<Value>();
  const objects: Value[] = [];
  const work: Value[] = [p];
  while (work.length > 0) {
    const found = underlyingObjects(work.pop()!);
    for (const v of found) {
      if (visited.has(v)) continue;
      visited.add(v);
      if (opcodeOf(v) === Opcode.IntToPtr) {
        const source = pointerOfInteger(operandsOf(v)[0]);
        if (source.type.isPointer) {
          work.push(source);
          continue;
        }
      }
      if (!isIdentifiedObject(v)) return null;
      objects.push(v);
    }
  }
  return objects;
}

/** All objects after phis and selects, each once. */
function underlyingObjects(p: Value): Value[] {
  const visited = new Set<Value>();
  const objects: Value[] = [];
  const work: Value[] = [p];
  while (work.length > 0) {
    const v = underlyingObject(work.pop()!);
    if (visited.has(v)) continue;
    visited.add(v);
    if (isSelect(v)) work.push(v.operands[1], v.operands[2]);
    else if (isPhi(v)) for (const op of v.operands) work.push(op);
    else objects.push(v);
  }
  return objects;
}

/** The pointer that an integer was made from, through sums with constants, products and phis; else the integer itself. */
function pointerOfInteger(v: Value): Value {
  for (;;) {
    const op = opcodeOf(v);
    if (op === Opcode.PtrToInt) return operandsOf(v)[0];
    if (op !== Opcode.Add || !(v instanceof Instruction)) return v;
    const [a, b] = v.operands;
    const bOp = opcodeOf(b);
    if (b.kind !== ValueKind.ConstantInt && bOp !== Opcode.Mul && bOp !== Opcode.Phi) return v;
    v = a;
  }
}

/** isIdentifiedObject */
function isIdentifiedObject(v: Value): boolean {
  if (v.kind === ValueKind.GlobalVariable || v.kind === ValueKind.Function || v.kind === ValueKind.GlobalIFunc)
    return true;
  return isIdentifiedFunctionLocal(v);
}

function isNoAliasCall(v: Value): boolean {
  return v instanceof Instruction && v.call !== null && returnHas(v, 'noalias');
}

function isIdentifiedFunctionLocal(v: Value): boolean {
  if (v instanceof Argument) return v.attributes !== null && (v.attributes.has('noalias') || v.attributes.has('byval'));
  return (v instanceof Instruction && v.opcode === Opcode.Alloca) || isNoAliasCall(v);
}

function isArgumentLike(v: Value): boolean {
  if (v instanceof Argument) return true;
  return v instanceof Instruction && v.opcode === Opcode.ExtractValue && v.operands[0] instanceof Argument;
}

function isBaseObject(v: Value): boolean {
  return (v instanceof Instruction && v.opcode === Opcode.Alloca) || v.kind === ValueKind.GlobalVariable;
}

/** A pointer that can only be an object that escaped: loaded, returned by a call, made from an integer. */
function isEscapeSource(v: Value): boolean {
  const op = opcodeOf(v);
  if (v instanceof Instruction && v.call !== null) {
    const name = calleeName(v);
    if (isInvariantGroup(name) || isRsrc(name)) return false;
    for (let k = 0; k < v.operands.length - 1; k++) {
      const text = argumentAttributes(v, k)
        .map((s) => s.get('captures')?.text)
        .find((t) => t !== undefined);
      if (text === undefined) continue;
      const { other, ret } = capturesFromText(text);
      if ((ret & ~other) !== 0) return false;
    }
    return true;
  }
  return (
    op === Opcode.Load ||
    op === Opcode.IntToPtr ||
    op === Opcode.ExtractValue ||
    (v instanceof Instruction && op === Opcode.ExtractElement)
  );
}

/** Bytes of an object, -1 if unknown; rounded up to its alignment when asked for. */
function objectSize(v: Value, roundToAlign: boolean): number {
  let size = -1;
  let align = 1;
  if (v instanceof Instruction && v.opcode === Opcode.Alloca) {
    const count = intConstant(v.operands[0]);
    if (count === null || !isSized(v.auxType!)) return -1;
    size = allocSize(v.auxType!) * Number(count);
    align = v.align;
  } else if (v instanceof GlobalVariable) {
    if (v.initializer === null || isInterposable(v) || v.isExternallyInitialized) return -1;
    size = allocSize(v.valueType);
    align = v.align;
  } else if (v instanceof Argument) {
    const type = v.attributes?.get('byval')?.type;
    if (type === null || type === undefined) return -1;
    size = allocSize(type);
    align = Number(v.attributes!.number('align'));
  }
  if (size < 0 || !roundToAlign || align <= 1) return size;
  return Math.ceil(size / align) * align;
}

function isObjectSmallerThan(object: Value, extent: number): boolean {
  if (extent <= 0 || !isIdentifiedObject(object)) return false;
  const size = objectSize(object, true);
  return size >= 0 && size < extent;
}

/** @llvm Value.cpp Value::getPointerDereferenceableBytes */
function dereferenceableBytes(p: Value): { bytes: number; orNull: boolean } {
  let bytes = 0;
  let orNull = false;
  const fromSets = (sets: readonly (AttributeSet | null | undefined)[]): void => {
    for (const s of sets)
      if (s !== null && s !== undefined) bytes = Math.max(bytes, Number(s.number('dereferenceable')));
  };
  const orNullFromSets = (sets: readonly (AttributeSet | null | undefined)[]): void => {
    if (bytes > 0) return;
    for (const s of sets)
      if (s !== null && s !== undefined) bytes = Math.max(bytes, Number(s.number('dereferenceable_or_null')));
    orNull = true;
  };
  if (p instanceof Argument) {
    fromSets([p.attributes]);
    if (bytes === 0) {
      for (const word of ['byval', 'byref', 'sret', 'inalloca', 'preallocated']) {
        const type = p.attributes?.get(word)?.type;
        if (type !== null && type !== undefined && isSized(type)) bytes = allocSize(type);
      }
    }
    orNullFromSets([p.attributes]);
  } else if (p instanceof Instruction && p.call !== null) {
    const callee = calleeOf(p);
    const sets = [p.call.retAttrs, callee instanceof IRFunction ? callee.retAttrs : null];
    fromSets(sets);
    orNullFromSets(sets);
  } else if (p instanceof Instruction && (p.opcode === Opcode.Load || p.opcode === Opcode.IntToPtr)) {
    const amount = (kind: string): number => {
      const node = p.attachments?.find((a) => a.kind === kind)?.node;
      const op = node !== undefined && 'operands' in node ? node.operands[0] : null;
      return op instanceof ValueAsMetadata ? Number(intConstant(op.value) ?? 0n) : 0;
    };
    bytes = amount('dereferenceable');
    if (bytes === 0) {
      bytes = amount('dereferenceable_or_null');
      orNull = true;
    }
  } else if (p instanceof Instruction && p.opcode === Opcode.Alloca) {
    if (intConstant(p.operands[0]) === 1n && isSized(p.auxType!)) bytes = allocSize(p.auxType!);
  } else if (p instanceof GlobalVariable) {
    if (isSized(p.valueType) && p.linkage !== 'extern_weak') bytes = allocSize(p.valueType);
  }
  return { bytes, orNull };
}

function merge(a: AliasResult, b: AliasResult): AliasResult {
  if (a === b) return a;
  const isOverlap = (r: AliasResult): boolean => r === AliasResult.Must || r === AliasResult.Partial;
  return isOverlap(a) && isOverlap(b) ? AliasResult.Partial : AliasResult.May;
}

// -- captures -----------------------------------------------------------------------------------------------------------

const enum UseEffect {
  None = 0,
  PassesOn,
  Captures,
}

/** What one use does to the provenance of the pointer (DetermineUseCaptureKind). */
function useEffect(user: Instruction, index: number, capturesByVolatile: boolean): UseEffect {
  const isVolatile = capturesByVolatile && (user.flags & InstFlag.Volatile) !== 0;
  switch (user.opcode) {
    case Opcode.Load:
      return isVolatile ? UseEffect.Captures : UseEffect.None;
    case Opcode.Store:
      return index === 0 || isVolatile ? UseEffect.Captures : UseEffect.None;
    case Opcode.AtomicRMW:
    case Opcode.CmpXchg:
      return index !== 0 || isVolatile ? UseEffect.Captures : UseEffect.None;
    case Opcode.GetElementPtr:
      return user.type.isVector ? UseEffect.Captures : UseEffect.PassesOn;
    case Opcode.BitCast:
    case Opcode.AddrSpaceCast:
    case Opcode.Phi:
    case Opcode.Select:
      return UseEffect.PassesOn;
    case Opcode.ICmp:
    case Opcode.Ret:
      return UseEffect.None;
    case Opcode.PtrToAddr:
      return capturesByVolatile ? UseEffect.Captures : UseEffect.None;
    case Opcode.Call:
    case Opcode.Invoke:
    case Opcode.CallBr:
      return callEffect(user, index, capturesByVolatile);
    default:
      return UseEffect.Captures;
  }
}

function callEffect(call: Instruction, index: number, capturesByVolatile: boolean): UseEffect {
  const n = call.operands.length - 1;
  if (index > n) return calleeName(call) === 'llvm.assume' ? UseEffect.None : UseEffect.Captures;
  if (index === n) return UseEffect.None;
  const callee = calleeOf(call);
  if (callee.kind === ValueKind.InlineAsm) return UseEffect.Captures;
  const name = calleeName(call);
  if (isInvariantGroup(name) || isRsrc(name)) return UseEffect.PassesOn;
  if (call.type.kind === TypeKind.Void && onlyReadsMemory(call)) return UseEffect.None;
  if (capturesByVolatile && /^llvm\.mem(cpy|move|set)/.test(name)) {
    const flag = call.operands[n - 1];
    if (intConstant(flag) !== 0n) return UseEffect.Captures;
  }
  const sets = argumentAttributes(call, index);
  if (sets.some((s) => s.has('byval'))) return UseEffect.None;
  const text = sets.map((s) => s.get('captures')?.text).find((t) => t !== undefined);
  if (text === undefined) return UseEffect.Captures;
  const { other, ret } = capturesFromText(text);
  if ((other & CAPTURE_PROVENANCE) !== 0) return UseEffect.Captures;
  return ret !== 0 && (ret & ~other) !== 0 ? UseEffect.PassesOn : UseEffect.None;
}

function onlyReadsMemory(call: Instruction): boolean {
  const callee = calleeOf(call);
  for (const s of [call.call!.fnAttrs, callee instanceof IRFunction ? callee.fnAttrs : null]) {
    const text = s?.get('memory')?.text;
    if (text === undefined) continue;
    // Every second bit says that a location may be written.
    if ((memoryFromText(text) & 0xaaaa) === 0) return true;
  }
  return false;
}
