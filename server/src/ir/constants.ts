/**
 * Makes constants of the embedded IR: interned scalars, canonical aggregates, and the folding that LLVM does whenever a
 * constant expression is made (llvm/IR/ConstantFold.cpp, LLVM 22: no data layout, pointers taken as 64 bits).
 */
import { Constant, InstFlag, Opcode, Value, ValueKind, type GlobalValue } from './module.js';
import { TypeKind, type IRType, type TypeContext } from './types.js';

/** Elements that a constant keeps one by one; a larger splat keeps one, and larger constants are not folded. */
const MAX_ELEMENTS = 1 << 16;

const NO_OPERANDS: readonly Value[] = [];

export function isConstant(v: Value): boolean {
  return (
    v.kind === ValueKind.Function ||
    (v.kind >= ValueKind.GlobalVariable && v.kind <= ValueKind.PtrAuth) ||
    // A global that is only referenced so far.
    (v.kind === ValueKind.Placeholder && v.type.isPointer)
  );
}

/** LLVM's isNullValue: zero bits, `null`, `zeroinitializer`, `none`; not -0.0. */
export function isNullValue(v: Value): boolean {
  switch (v.kind) {
    case ValueKind.ConstantInt:
    case ValueKind.ConstantFP:
      return (v as Constant).value === 0n;
    case ValueKind.ConstantNull:
    case ValueKind.ConstantZero:
    case ValueKind.ConstantNone:
      return true;
    default:
      return false;
  }
}

const isPoison = (v: Value): boolean => v.kind === ValueKind.Poison;
/** undef or poison */
const isUndef = (v: Value): boolean => v.kind === ValueKind.Undef || v.kind === ValueKind.Poison;

/** Equality by content, as LLVM's uniquing makes it identity. */
export function sameConstant(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (!(a instanceof Constant) || !(b instanceof Constant)) return false;
  if (a.kind !== b.kind || a.type !== b.type || a.value !== b.value || a.opcode !== b.opcode || a.flags !== b.flags)
    return false;
  if (a.auxType !== b.auxType || a.block !== b.block || a.operands.length !== b.operands.length) return false;
  if (a.operands.length === 0 && a.kind === ValueKind.ConstantAggregate) return false;
  const an = a.ints?.length ?? 0;
  if (an !== (b.ints?.length ?? 0)) return false;
  for (let i = 0; i < an; i++) if (a.ints![i] !== b.ints![i]) return false;
  for (let i = 0; i < a.operands.length; i++) if (!sameConstant(a.operands[i], b.operands[i])) return false;
  return true;
}

/** Signed value of an integer constant. */
export function signedValue(c: Constant): bigint {
  return BigInt.asIntN(c.type.n, c.value);
}

const scratch = new DataView(new ArrayBuffer(8));

export function doubleToBits(x: number): bigint {
  scratch.setFloat64(0, x);
  return scratch.getBigUint64(0);
}

export function bitsToDouble(bits: bigint): number {
  scratch.setBigUint64(0, bits);
  return scratch.getFloat64(0);
}

export function floatToBits(x: number): bigint {
  scratch.setFloat32(0, x);
  return BigInt(scratch.getUint32(0));
}

export function bitsToFloat(bits: bigint): number {
  scratch.setUint32(0, Number(bits));
  return scratch.getFloat32(0);
}

/** Bits of a double in half (10, 5) or bfloat (7, 8) format, -1n if it does not fit exactly. NaN payloads must fit too. */
export function doubleToSmallBits(bits: bigint, mantissaBits: number, exponentBits: number): bigint {
  const sign = bits >> 63n;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = bits & 0xfffffffffffffn;
  const m = BigInt(mantissaBits);
  const bias = (1 << (exponentBits - 1)) - 1;
  const top = sign << BigInt(mantissaBits + exponentBits);
  const maxExponent = BigInt((1 << exponentBits) - 1);
  const drop = 52n - m;
  if (exponent === 0x7ff) {
    const small = mantissa >> drop;
    if (small << drop !== mantissa) return -1n;
    return top | (maxExponent << m) | small;
  }
  if (exponent === 0) return mantissa === 0n ? top : -1n;
  const e = exponent - 1023 + bias;
  if (e >= Number(maxExponent)) return -1n;
  if (e > 0) {
    const small = mantissa >> drop;
    return small << drop === mantissa ? top | (BigInt(e) << m) | small : -1n;
  }
  const full = mantissa | (1n << 52n);
  const shift = drop + BigInt(1 - e);
  const small = full >> shift;
  return small << shift === full ? top | small : -1n;
}

export class ConstantContext {
  constructor(readonly types: TypeContext) {}

  /** Integer constant; `value` is taken modulo the width. */
  int(type: IRType, value: bigint): Constant {
    const v = BigInt.asUintN(type.n, value);
    const key = v <= 0x1fffffffffffffn ? Number(v) : v;
    const known = type.constants.get(key);
    if (known !== undefined) return known as Constant;
    const c = new Constant(ValueKind.ConstantInt, type, v, NO_OPERANDS, -1, 0, null);
    type.constants.set(key, c);
    return c;
  }

  /** The same for a small non-negative number: no bigint unless the constant is new. */
  smallInt(type: IRType, value: number): Constant {
    if (type.n < 31 && value >= 1 << type.n) return this.int(type, BigInt(value));
    const known = type.constants.get(value);
    return known !== undefined ? (known as Constant) : this.int(type, BigInt(value));
  }

  bool(value: boolean): Constant {
    return this.smallInt(this.types.i1, value ? 1 : 0);
  }

  fp(type: IRType, bits: bigint): Constant {
    const known = type.constants.get(bits);
    if (known !== undefined) return known as Constant;
    const c = new Constant(ValueKind.ConstantFP, type, bits, NO_OPERANDS, -1, 0, null);
    type.constants.set(bits, c);
    return c;
  }

  undef(type: IRType): Constant {
    return this.special(type, 'undef', ValueKind.Undef);
  }
  poison(type: IRType): Constant {
    return this.special(type, 'poison', ValueKind.Poison);
  }

  /** `null`, `0`, `zeroinitializer` or `none` of a type. */
  null(type: IRType): Constant {
    switch (type.kind) {
      case TypeKind.Integer:
        return this.int(type, 0n);
      case TypeKind.Pointer:
        return this.special(type, 'null', ValueKind.ConstantNull);
      case TypeKind.Token:
        return this.special(type, 'none', ValueKind.ConstantNone);
      default:
        if (type.isFloatingPoint) return this.fp(type, 0n);
        return this.special(type, 'zero', ValueKind.ConstantZero);
    }
  }

  private special(type: IRType, key: string, kind: ValueKind): Constant {
    const known = type.constants.get(key);
    if (known !== undefined) return known as Constant;
    const c = new Constant(kind, type, 0n, NO_OPERANDS, -1, 0, null);
    type.constants.set(key, c);
    return c;
  }

  /** Struct, array or fixed vector; all-zero, all-poison and all-undef ones become the scalar forms, as in LLVM. */
  aggregate(type: IRType, elements: readonly Value[]): Constant {
    const n = elements.length;
    if (n === 0) return this.null(type);
    const first = elements[0];
    if (type.kind === TypeKind.Struct) {
      if (elements.every(isNullValue)) return this.null(type);
      if (elements.every(isPoison)) return this.poison(type);
      if (elements.every((e) => e.kind === ValueKind.Undef)) return this.undef(type);
    } else if (isNullValue(first) || isUndef(first)) {
      let all = true;
      for (let i = 1; i < n && all; i++) all = sameConstant(elements[i], first);
      if (all) return isPoison(first) ? this.poison(type) : isUndef(first) ? this.undef(type) : this.null(type);
    }
    return new Constant(ValueKind.ConstantAggregate, type, 0n, elements, -1, 0, null);
  }

  splat(type: IRType, element: Value): Constant {
    if (type.kind === TypeKind.ScalableVector) {
      if (isNullValue(element)) return this.null(type);
      if (isPoison(element)) return this.poison(type);
      if (isUndef(element)) return this.undef(type);
      return new Constant(ValueKind.ConstantAggregate, type, 0n, [element], -1, 0, null);
    }
    if (type.n > MAX_ELEMENTS) {
      if (isNullValue(element)) return this.null(type);
      return new Constant(ValueKind.ConstantAggregate, type, 0n, [element], -1, 0, null);
    }
    return this.aggregate(type, new Array<Value>(type.n).fill(element));
  }

  /** Elements of a constant vector, array or struct; null if they are not known one by one. */
  elementsOf(v: Value): readonly Value[] | null {
    const t = v.type;
    const n = t.kind === TypeKind.Struct ? t.elements.length : t.n;
    const at = (i: number): IRType => (t.kind === TypeKind.Struct ? t.elements[i] : t.elements[0]);
    if (n > MAX_ELEMENTS) return null;
    if (v.kind === ValueKind.ConstantAggregate && t.kind !== TypeKind.ScalableVector) return (v as Constant).operands;
    if (v.kind === ValueKind.ConstantZero) return Array.from({ length: n }, (_, i) => this.null(at(i)));
    if (v.kind === ValueKind.Undef) return Array.from({ length: n }, (_, i) => this.undef(at(i)));
    if (v.kind === ValueKind.Poison) return Array.from({ length: n }, (_, i) => this.poison(at(i)));
    return null;
  }

  private expr(
    opcode: Opcode,
    type: IRType,
    operands: readonly Value[],
    flags: number,
    auxType: IRType | null = null,
    ints: readonly bigint[] | null = null,
  ): Constant {
    return new Constant(ValueKind.ConstantExpr, type, 0n, operands, opcode, flags, auxType, ints);
  }

  /** trunc, ptrtoint, ptrtoaddr, inttoptr, bitcast, addrspacecast */
  cast(opcode: Opcode, v: Value, type: IRType): Value {
    if (isPoison(v)) return this.poison(type);
    if (isUndef(v)) return this.undef(type);
    if (isNullValue(v) && opcode !== Opcode.AddrSpaceCast) return this.null(type);
    if (opcode === Opcode.BitCast && v.type === type) return v;
    if (v instanceof Constant && v.kind === ValueKind.ConstantExpr) {
      const pair = this.castOfCast(v, opcode, type);
      if (pair !== null) return pair;
    }
    if (opcode === Opcode.Trunc && v.kind === ValueKind.ConstantInt) return this.int(type, (v as Constant).value);
    if (v.kind === ValueKind.ConstantAggregate && type.isVector && v.type.isVector && v.type.n === type.n) {
      const elements = (v as Constant).operands;
      const element = type.elements[0];
      if (type.kind === TypeKind.FixedVector)
        return this.aggregate(
          type,
          elements.map((e) => this.cast(opcode, e, element)),
        );
    }
    if (opcode === Opcode.BitCast) {
      const folded = this.bitcast(v, type);
      if (folded !== null) return folded;
    }
    return this.expr(opcode, type, [v], 0);
  }

  private bitcast(v: Value, type: IRType): Value | null {
    if (v.kind === ValueKind.ConstantInt && type.isFloatingPoint && type.kind !== TypeKind.PPCFP128)
      return this.fp(type, (v as Constant).value);
    if (v.kind === ValueKind.ConstantFP && type.kind === TypeKind.Integer && v.type.kind !== TypeKind.PPCFP128)
      return this.int(type, (v as Constant).value);
    const isNumber = v.kind === ValueKind.ConstantInt || v.kind === ValueKind.ConstantFP;
    // LLVM writes a number that becomes a vector as a vector of one element first.
    if (isNumber && type.isVector) {
      const vector = this.aggregate(this.types.vector(v.type, 1), [v]);
      return this.expr(Opcode.BitCast, type, [vector], 0);
    }
    return null;
  }

  private castOfCast(inner: Constant, outer: Opcode, type: IRType): Value | null {
    const src = inner.operands.length === 1 ? inner.operands[0] : null;
    if (src === null) return null;
    const first = inner.opcode;
    if (first === Opcode.AddrSpaceCast && outer === Opcode.AddrSpaceCast)
      return src.type === type ? src : this.cast(Opcode.AddrSpaceCast, src, type);
    if (first === Opcode.BitCast && outer === Opcode.BitCast) return this.cast(Opcode.BitCast, src, type);
    if (first === Opcode.PtrToInt && outer === Opcode.Trunc) return this.cast(Opcode.PtrToInt, src, type);
    if (first === Opcode.Trunc && outer === Opcode.Trunc) return this.cast(Opcode.Trunc, src, type);
    return null;
  }

  /** add, sub, xor */
  binary(opcode: Opcode, a: Value, b: Value, flags: number): Value {
    const type = a.type;
    if (isPoison(a) || isPoison(b)) return this.poison(type);
    if (isUndef(a) || isUndef(b)) {
      if (opcode === Opcode.Xor && isUndef(a) && isUndef(b)) return this.null(type);
      return this.undef(type);
    }
    if (a.kind === ValueKind.ConstantInt && b.kind === ValueKind.ConstantInt)
      return this.int(type, foldInt(opcode, (a as Constant).value, (b as Constant).value));
    if (isNullValue(b)) return a;
    if (isNullValue(a) && opcode !== Opcode.Sub) return b;
    if (type.isVector) {
      const ae = this.elementsOf(a);
      const be = this.elementsOf(b);
      if (ae !== null && be !== null)
        return this.aggregate(
          type,
          ae.map((e, i) => this.binary(opcode, e, be[i], 0)),
        );
    }
    const isCommutative = opcode !== Opcode.Sub;
    // A constant integer goes to the right; nested sums of constants are joined.
    if (isCommutative && a.kind === ValueKind.ConstantInt && b.kind !== ValueKind.ConstantInt)
      return this.binary(opcode, b, a, flags);
    if (isCommutative && a instanceof Constant && a.kind === ValueKind.ConstantExpr && a.opcode === opcode) {
      const tail = this.binary(opcode, a.operands[1], b, 0);
      if (tail.kind !== ValueKind.ConstantExpr || (tail as Constant).opcode !== opcode)
        return this.binary(opcode, a.operands[0], tail, 0);
    }
    return this.expr(opcode, type, [a, b], flags);
  }

  getElementPtr(
    source: IRType,
    operands: readonly Value[],
    flags: number,
    type: IRType,
    inRange: readonly bigint[] | null,
  ): Value {
    const base = operands[0];
    if (isPoison(base)) return this.poison(type);
    if (inRange === null) {
      let isNoOp = true;
      for (let i = 1; i < operands.length && isNoOp; i++) isNoOp = isNullValue(operands[i]) || isUndef(operands[i]);
      if (isNoOp) return type.isVector && !base.type.isVector ? this.splat(type, base) : base;
    }
    if (isUndef(base)) return this.undef(type);
    if ((flags & InstFlag.InBounds) !== 0) flags |= InstFlag.NUSW;
    return this.expr(Opcode.GetElementPtr, type, this.splatIndices(source, operands, type), flags, source, inRange);
  }

  /** Scalar indices over arrays become vectors when the result is one. */
  private splatIndices(source: IRType, operands: readonly Value[], type: IRType): readonly Value[] {
    if (!type.isVector) return operands;
    let t: IRType | null = null;
    return operands.map((o, i) => {
      if (i === 0) return o;
      const isStruct = t !== null && t.kind === TypeKind.Struct;
      if (t === null) t = source;
      else if (t.kind === TypeKind.Struct)
        t = t.elements[o.kind === ValueKind.ConstantInt ? Number((o as Constant).value) : 0];
      else t = t.elements[0];
      if (isStruct || o.type.isVector) return o;
      return this.splat(this.types.vector(o.type, type.n, type.kind === TypeKind.ScalableVector), o);
    });
  }

  extractElement(v: Value, index: Value): Value {
    const type = v.type.elements[0];
    if (isPoison(v) || isUndef(index)) return this.poison(type);
    if (isUndef(v)) return this.undef(type);
    const elements = this.elementsOf(v);
    if (elements !== null && index.kind === ValueKind.ConstantInt) {
      const i = (index as Constant).value;
      return i < BigInt(elements.length) ? elements[Number(i)] : this.poison(type);
    }
    return this.expr(Opcode.ExtractElement, type, [v, index], 0);
  }

  insertElement(v: Value, element: Value, index: Value): Value {
    if (isUndef(index)) return this.poison(v.type);
    const elements = this.elementsOf(v);
    if (elements !== null && index.kind === ValueKind.ConstantInt) {
      const i = (index as Constant).value;
      if (i >= BigInt(elements.length)) return this.poison(v.type);
      const copy = elements.slice();
      copy[Number(i)] = element;
      return this.aggregate(v.type, copy);
    }
    return this.expr(Opcode.InsertElement, v.type, [v, element, index], 0);
  }

  /** `mask` entries are -1 for poison. */
  shuffleVector(a: Value, b: Value, mask: readonly number[], type: IRType): Value {
    if (mask.every((m) => m < 0)) return this.poison(type);
    const ae = this.elementsOf(a);
    const be = this.elementsOf(b);
    if (ae !== null && be !== null && type.kind === TypeKind.FixedVector) {
      const n = ae.length;
      return this.aggregate(
        type,
        mask.map((m) => (m < 0 ? this.poison(type.elements[0]) : m < n ? ae[m] : be[m - n])),
      );
    }
    return this.expr(Opcode.ShuffleVector, type, [a, b], 0, null, mask.map(BigInt));
  }

  wrapper(kind: ValueKind.DSOLocalEquivalent | ValueKind.NoCFI, target: GlobalValue | Value): Constant {
    return new Constant(kind, target.type, 0n, [target], -1, 0, null);
  }
}

function foldInt(opcode: Opcode, a: bigint, b: bigint): bigint {
  if (opcode === Opcode.Add) return a + b;
  if (opcode === Opcode.Sub) return a - b;
  return a ^ b;
}
