/**
 * Types of the embedded LLVM IR. A type is interned by its context, so that equal types are the same object; named
 * structs are distinct by name. Follows llvm/IR/Type.h as far as reading and printing `.ll` text needs it.
 */

export const enum TypeKind {
  Void = 0,
  Half,
  BFloat,
  Float,
  Double,
  X86FP80,
  FP128,
  PPCFP128,
  Label,
  Metadata,
  Token,
  X86AMX,
  Integer,
  Pointer,
  Struct,
  Array,
  FixedVector,
  ScalableVector,
  Function,
  TargetExt,
}

/** One class for all kinds keeps the shape monomorphic; which fields count depends on `kind`. */
export class IRType {
  /** named struct without a body so far */
  isOpaque = false;
  /** number of an unnamed `%0 = type`, as written; -1 otherwise */
  number = -1;
  /** answers of dataLayout.ts and isSized, kept because identified types share parts; -1, 0 and false = not known yet */
  sizeBits = -1;
  alignBytes = 0;
  isKnownSized = false;
  /** constants of this type by value, kept by ConstantContext */
  readonly constants = new Map<number | bigint | string, unknown>();

  constructor(
    readonly kind: TypeKind,
    /** integer width, address space, element count, or 0 */
    readonly n: number,
    /** struct fields; [element] of arrays and vectors; [result, ...parameters] of functions; type parameters of target types */
    public elements: readonly IRType[],
    /** packed struct or variadic function */
    public flag: boolean,
    /** name of an identified struct or of a target type, null for others */
    readonly name: string | null,
    /** integer parameters of a target type */
    readonly ints: readonly number[],
  ) {}

  get isPointer(): boolean {
    return this.kind === TypeKind.Pointer;
  }
  get isVector(): boolean {
    return this.kind === TypeKind.FixedVector || this.kind === TypeKind.ScalableVector;
  }
  get isFloatingPoint(): boolean {
    return this.kind >= TypeKind.Half && this.kind <= TypeKind.PPCFP128;
  }
  get isAggregate(): boolean {
    return this.kind === TypeKind.Struct || this.kind === TypeKind.Array;
  }
  /** an identified struct (`%T` or `%0`) as opposed to a literal one */
  get isIdentified(): boolean {
    return this.kind === TypeKind.Struct && (this.name !== null || this.number >= 0);
  }
  get isFirstClass(): boolean {
    if (this.kind === TypeKind.Struct) return !this.isOpaque;
    return this.kind !== TypeKind.Void && this.kind !== TypeKind.Function;
  }
  /** the type itself, or the element type of a vector */
  get scalar(): IRType {
    return this.isVector ? this.elements[0] : this;
  }
}

const NO_TYPES: readonly IRType[] = [];
const NO_INTS: readonly number[] = [];

/** Makes and interns types for one module. */
export class TypeContext {
  readonly void_ = simple(TypeKind.Void);
  readonly half = simple(TypeKind.Half);
  readonly bfloat = simple(TypeKind.BFloat);
  readonly float = simple(TypeKind.Float);
  readonly double = simple(TypeKind.Double);
  readonly x86fp80 = simple(TypeKind.X86FP80);
  readonly fp128 = simple(TypeKind.FP128);
  readonly ppcfp128 = simple(TypeKind.PPCFP128);
  readonly label = simple(TypeKind.Label);
  readonly metadata = simple(TypeKind.Metadata);
  readonly token = simple(TypeKind.Token);
  readonly x86amx = simple(TypeKind.X86AMX);
  readonly i1: IRType;
  readonly i8: IRType;
  readonly i32: IRType;
  readonly i64: IRType;
  private readonly ints = new Map<number, IRType>();
  private readonly pointers = new Map<number, IRType>();
  private readonly ids = new Map<IRType, number>();
  private readonly compound = new Map<string, IRType>();

  constructor() {
    this.i1 = this.int(1);
    this.i8 = this.int(8);
    this.i32 = this.int(32);
    this.i64 = this.int(64);
  }

  int(bits: number): IRType {
    let t = this.ints.get(bits);
    if (t === undefined) this.ints.set(bits, (t = new IRType(TypeKind.Integer, bits, NO_TYPES, false, null, NO_INTS)));
    return t;
  }

  pointer(addressSpace: number): IRType {
    let t = this.pointers.get(addressSpace);
    if (t === undefined) {
      t = new IRType(TypeKind.Pointer, addressSpace, NO_TYPES, false, null, NO_INTS);
      this.pointers.set(addressSpace, t);
    }
    return t;
  }

  array(element: IRType, n: number): IRType {
    return this.intern(`a${n}:${this.id(element)}`, TypeKind.Array, n, [element], false, null, NO_INTS);
  }

  vector(element: IRType, n: number, scalable = false): IRType {
    const kind = scalable ? TypeKind.ScalableVector : TypeKind.FixedVector;
    return this.intern(`${scalable ? 's' : 'v'}${n}:${this.id(element)}`, kind, n, [element], false, null, NO_INTS);
  }

  struct(fields: readonly IRType[], packed = false): IRType {
    return this.intern((packed ? 'p' : 't') + this.idList(fields), TypeKind.Struct, 0, fields, packed, null, NO_INTS);
  }

  fn(result: IRType, params: readonly IRType[], isVarArg: boolean): IRType {
    const all = [result, ...params];
    return this.intern((isVarArg ? 'g' : 'f') + this.idList(all), TypeKind.Function, 0, all, isVarArg, null, NO_INTS);
  }

  targetExt(name: string, types: readonly IRType[], ints: readonly number[]): IRType {
    const key = `x${name}\0${this.idList(types)};${ints.join()}`;
    return this.intern(key, TypeKind.TargetExt, 0, types, false, name, ints);
  }

  /** An identified struct without a body; each call makes another type. */
  identified(name: string | null, number: number): IRType {
    const t = new IRType(TypeKind.Struct, 0, NO_TYPES, false, name, NO_INTS);
    t.isOpaque = true;
    t.number = number;
    return t;
  }

  private id(t: IRType): number {
    let id = this.ids.get(t);
    if (id === undefined) this.ids.set(t, (id = this.ids.size));
    return id;
  }

  private idList(types: readonly IRType[]): string {
    let s = '';
    for (const t of types) s += this.id(t) + ',';
    return s;
  }

  private intern(
    key: string,
    kind: TypeKind,
    n: number,
    elements: readonly IRType[],
    flag: boolean,
    name: string | null,
    ints: readonly number[],
  ): IRType {
    let t = this.compound.get(key);
    if (t === undefined) this.compound.set(key, (t = new IRType(kind, n, elements, flag, name, ints)));
    return t;
  }
}

function simple(kind: TypeKind): IRType {
  return new IRType(kind, 0, NO_TYPES, false, null, NO_INTS);
}

/** Bits of a scalar type without data layout; 0 if it has none. */
export function bitWidth(t: IRType): number {
  switch (t.kind) {
    case TypeKind.Integer:
      return t.n;
    case TypeKind.Half:
    case TypeKind.BFloat:
      return 16;
    case TypeKind.Float:
      return 32;
    case TypeKind.Double:
      return 64;
    case TypeKind.X86FP80:
      return 80;
    case TypeKind.FP128:
    case TypeKind.PPCFP128:
      return 128;
    default:
      return 0;
  }
}
