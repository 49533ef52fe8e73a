/**
 * Reads values, constants and metadata of IR text (llvm/AsmParser/LLParser parseValID, convertValIDToValue,
 * parseMetadata and the specialised nodes, LLVM 22), with LLVM's messages.
 */
import { ConstantContext, doubleToBits, doubleToSmallBits, floatToBits, isConstant } from './constants.js';
import { isDwarfName } from './dwarfNames.js';
import {
  FieldKind,
  flagBits,
  NODE_SCHEMAS,
  printFlags,
  wordKindOf,
  type FieldSchema,
  type NodeSchema,
} from './debugInfo.js';
import {
  BasicBlock,
  Constant,
  GlobalValue,
  InlineAsm,
  InstFlag,
  IRFunction,
  MDNode,
  MDString,
  MetadataAsValue,
  Opcode,
  Value,
  ValueAsMetadata,
  ValueKind,
  type DIFieldValue,
  type IRModule,
  type MDAttachment,
  type Metadata,
} from './module.js';
import { FLOAT_NAMES, readFloat } from './floatText.js';
import { FIXED_MD_KINDS } from './names.js';
import { Tok } from './tokens.js';
import { MAX_NESTING, parseIntToken, TypeParser } from './typeParser.js';
import { bitWidth, TypeKind, type IRType } from './types.js';
import { printTypeForMessage, structBody } from './typeText.js';

/** Longest shuffle mask that is read. */
const MAX_SHUFFLE = 1 << 16;

const FIXED_KIND_SET: ReadonlySet<string> = new Set(FIXED_MD_KINDS);

/** Local values of the function whose body is being read. */
export interface FunctionState {
  readonly fn: IRFunction;
  getLocal(name: string, type: IRType, loc: number): Value;
  getLocalById(id: number, type: IRType, loc: number): Value;
  getBlock(name: string | null, id: number, loc: number): BasicBlock;
}

/** A global that is used before the text defines it. */
export class GlobalPlaceholder extends Value {
  constructor(
    type: IRType,
    name: string | null,
    readonly number: number,
    readonly offset: number,
  ) {
    super(ValueKind.Placeholder, type, name);
  }
}

interface PendingBlockAddress {
  readonly constant: Constant;
  /** of the function's name */
  readonly fnOffset: number;
  readonly block: string | null;
  readonly blockId: number;
  readonly offset: number;
}

/** Pointer, key, integer to tell it apart, address to do so, symbol that switches signing off; `` = all is well. */
function signedPointerProblem([pointer, key, discriminator, address, symbol]: readonly Value[]): string {
  const isInt = (v: Value, bits: number): boolean => v.kind === ValueKind.ConstantInt && v.type.n === bits;
  const isPointer = (v: Value): boolean => v.type.kind === TypeKind.Pointer;
  if (pointer === undefined || !isPointer(pointer)) return 'base pointer must be a pointer';
  if (key === undefined || !isInt(key, 32)) return 'key must be i32 constant';
  if (discriminator !== undefined && !isInt(discriminator, 64)) return 'integer discriminator must be i64 constant';
  if (address !== undefined && !isPointer(address)) return 'address discriminator must be a pointer';
  return symbol === undefined || isPointer(symbol) ? '' : 'deactivation symbol must be a pointer';
}

export class ValueParser extends TypeParser {
  readonly constants: ConstantContext;
  protected fs: FunctionState | null = null;
  /** > 0 inside a constant: local names are errors there */
  private constDepth = 0;
  /** globals that no text defines, by name, with the first use; LLVM reports the smallest name */
  readonly undefinedGlobals = new Map<string, { offset: number; type: IRType; callType: IRType | null }>();
  readonly undefinedNumberedGlobals = new Map<number, number>();
  /** placeholders made while globals are read */
  protected readonly placeholders: GlobalPlaceholder[] = [];
  /** the same by name (numbers as `@N`), without one that agrees with another in type */
  protected readonly placeholdersByName = new Map<string, GlobalPlaceholder[]>();
  /** set once all module-level entities are known */
  protected globalsKnown = false;
  /** offsets of first use of nodes that are not defined yet */
  protected readonly forwardMetadata = new Map<number, number>();
  /** value operands of metadata that may still be placeholders */
  protected readonly localMetadata: { wrapper: { value: Value } }[] = [];
  protected readonly pendingBlockAddresses: PendingBlockAddress[] = [];
  /** offset of the first mention of each custom metadata kind */
  readonly mdKindOffsets = new Map<string, number>();

  constructor(module: IRModule, text: string, start: number, end: number) {
    super(module, text, start, end);
    this.constants = new ConstantContext(module.types);
  }

  /** A type as LLVM's messages spell it: an identified struct with its body. */
  protected typeName(t: IRType): string {
    const text = printTypeForMessage(t);
    if (!t.isIdentified) return text;
    return `${text} = type ${t.isOpaque ? 'opaque' : structBody(t, printTypeForMessage)}`;
  }

  // -- values -------------------------------------------------------------------------------------------------------

  parseTypeAndValue(): Value {
    const t = this.parseType();
    return this.parseValue(t);
  }

  /** A value of that type; a metadata type takes any metadata. */
  parseValue(type: IRType): Value {
    const lx = this.lx;
    const loc = lx.start;
    switch (lx.peek()) {
      case Tok.LocalVar: {
        const name = lx.str;
        lx.next();
        if (this.fs === null || this.constDepth > 0) this.fail('invalid use of function-local name', loc);
        return this.fs.getLocal(name, type, loc);
      }
      case Tok.LocalID: {
        const id = lx.id;
        lx.next();
        if (this.fs === null || this.constDepth > 0) this.fail('invalid use of function-local name', loc);
        return this.fs.getLocalById(id, type, loc);
      }
      case Tok.Int: {
        const len = lx.end - lx.start;
        const first = lx.text.charCodeAt(lx.start);
        if (type.kind !== TypeKind.Integer) {
          lx.next();
          this.fail('integer constant must have integer type', loc);
        }
        if (len <= 9 && first >= 48 && first <= 57) {
          let n = 0;
          for (let i = lx.start; i < lx.end; i++) n = n * 10 + lx.text.charCodeAt(i) - 48;
          lx.next();
          return this.constants.smallInt(type, n);
        }
        const v = parseIntToken(lx.raw);
        lx.next();
        return this.constants.int(type, v);
      }
      case Tok.KPoison:
        lx.next();
        if (!type.isFirstClass || type.kind === TypeKind.Label) this.fail('invalid type for poison constant', loc);
        return this.constants.poison(type);
      case Tok.KUndef:
        lx.next();
        if (!type.isFirstClass || type.kind === TypeKind.Label) this.fail('invalid type for undef constant', loc);
        return this.constants.undef(type);
      case Tok.KNull:
        lx.next();
        if (type.kind !== TypeKind.Pointer) this.fail('null must be a pointer type', loc);
        return this.constants.null(type);
      case Tok.KZeroinitializer:
        lx.next();
        if (!type.isFirstClass || type.kind === TypeKind.Label || type.kind === TypeKind.Metadata || type.isOpaque)
          this.fail('invalid type for null constant', loc);
        // Types of targets say whether there is a zero; AMDGPU's have none, nor have images.
        if (type.kind === TypeKind.TargetExt && /^(?:amdgcn\.|spirv\.Image$)/.test(type.name ?? ''))
          this.fail('invalid type for null constant', loc);
        return this.constants.null(type);
      case Tok.KNone:
        lx.next();
        if (type.kind !== TypeKind.Token) this.fail('invalid type for none constant', loc);
        return this.constants.null(type);
      case Tok.KTrue:
      case Tok.KFalse: {
        const c = this.constants.bool(lx.is(Tok.KTrue));
        lx.next();
        return this.checked(c, type, loc);
      }
      case Tok.Float: {
        const { raw } = lx;
        lx.next();
        return this.module.dialect.rules.decimalFloats
          ? this.convertFloat(raw, type, loc)
          : this.convertDecimal(Number(raw), type, loc);
      }
      case Tok.HexFloat: {
        const raw = lx.raw;
        lx.next();
        return /^-?0x/.test(raw) ? this.convertHexFloat(raw, type, loc) : this.convertFloat(raw, type, loc);
      }
      case Tok.GlobalVar: {
        const name = lx.str;
        lx.next();
        return this.getGlobal(name, -1, type, loc);
      }
      case Tok.GlobalID: {
        const id = lx.id;
        lx.next();
        return this.getGlobal(null, id, type, loc);
      }
      case Tok.KAsm:
        return this.fail('invalid type for inline asm constraint string', this.skipAsm());
      case Tok.LBrace:
      case Tok.Less:
        if (type.kind === TypeKind.Struct) return this.parseStructConstant(type);
        break;
      default:
        break;
    }
    const c = this.parseConstantToken(type);
    return this.checked(c, type, loc);
  }

  private skipAsm(): number {
    const loc = this.lx.start;
    this.parseInlineAsm(null);
    return loc;
  }

  private checked(c: Value, type: IRType, loc: number): Value {
    if (c.type !== type) {
      this.fail(
        `constant expression type mismatch: got type '${this.typeName(c.type)}' but expected '${this.typeName(type)}'`,
        loc,
      );
    }
    return c;
  }

  /** A constant of that type (initialisers, operands of constant expressions). */
  parseConstant(type: IRType): Value {
    const loc = this.lx.start;
    if (++this.constDepth > MAX_NESTING) this.fail('nesting is too deep');
    let v: Value;
    try {
      v = this.parseValue(type);
    } finally {
      this.constDepth--;
    }
    if (!isConstant(v)) this.fail('global values must be constants', loc);
    return v;
  }

  parseTypeAndConstant(): Value {
    const t = this.parseType();
    return this.parseConstant(t);
  }

  /** A decimal or special number, as LLVM 24 reads it. */
  private convertFloat(raw: string, type: IRType, loc: number): Value {
    const name = FLOAT_NAMES[type.kind];
    if (name === undefined) this.fail('floating point constant invalid for type', loc);
    const read = readFloat(name, raw);
    return 'error' in read ? this.fail(read.error, loc) : this.constants.fp(type, read.bits);
  }

  private convertDecimal(x: number, type: IRType, loc: number): Value {
    switch (type.kind) {
      case TypeKind.Double:
        return this.constants.fp(type, doubleToBits(x));
      case TypeKind.Float:
        if (Math.fround(x) !== x) this.fail('floating point constant invalid for type', loc);
        return this.constants.fp(type, floatToBits(x));
      case TypeKind.Half:
      case TypeKind.BFloat: {
        const isHalf = type.kind === TypeKind.Half;
        const bits = doubleToSmallBits(doubleToBits(x), isHalf ? 10 : 7, isHalf ? 5 : 8);
        if (bits < 0n) this.fail('floating point constant invalid for type', loc);
        return this.constants.fp(type, bits);
      }
      default:
        if (!type.isFloatingPoint) this.fail('floating point constant invalid for type', loc);
        return this.fail(`floating point constant does not have type '${this.typeName(type)}'`, loc);
    }
  }

  private convertHexFloat(raw: string, type: IRType, loc: number): Value {
    const isNegative = raw.charCodeAt(0) === 45;
    const from = isNegative ? 3 : 2;
    const letter = raw[from];
    const named = letter === 'H' || letter === 'R' || letter === 'K' || letter === 'L' || letter === 'M';
    if (named) {
      const digits = raw.slice(from + 1);
      let bits = BigInt('0x' + digits);
      // The wide formats are written with the high part first for K and the low 64 bits first for L and M.
      if (letter === 'L' || letter === 'M') {
        const padded = digits.padStart(32, '0');
        bits = (BigInt('0x' + padded.slice(16)) << 64n) | BigInt('0x' + padded.slice(0, 16));
      }
      const want = {
        H: TypeKind.Half,
        R: TypeKind.BFloat,
        K: TypeKind.X86FP80,
        L: TypeKind.FP128,
        M: TypeKind.PPCFP128,
      }[letter]!;
      if (!type.isFloatingPoint) this.fail('floating point constant invalid for type', loc);
      if (type.kind !== want) {
        const isSmall = letter === 'H' || letter === 'R';
        this.fail(
          isSmall && type.kind !== TypeKind.Half
            ? 'floating point constant invalid for type'
            : `floating point constant does not have type '${this.typeName(type)}'`,
          loc,
        );
      }
      return this.constants.fp(type, bits);
    }
    const bits = BigInt('0x' + raw.slice(from));
    if (bits >= 1n << 64n) this.fail('constant bigger than 64 bits detected', loc);
    switch (type.kind) {
      case TypeKind.Double:
        return this.constants.fp(type, bits);
      case TypeKind.Float: {
        const small = doubleToSmallBits(bits, 23, 8);
        if (small >= 0n) return this.constants.fp(type, small);
        // A NaN whose payload is too long is cut, other values must fit.
        const isNaN = (bits & 0x7ff0000000000000n) === 0x7ff0000000000000n && (bits & 0xfffffffffffffn) !== 0n;
        if (!isNaN) this.fail('floating point constant invalid for type', loc);
        const cut = ((bits >> 63n) << 31n) | 0x7fc00000n | ((bits >> 29n) & 0x7fffffn);
        return this.constants.fp(type, cut);
      }
      case TypeKind.Half:
      case TypeKind.BFloat: {
        const isHalf = type.kind === TypeKind.Half;
        const small = doubleToSmallBits(bits, isHalf ? 10 : 7, isHalf ? 5 : 8);
        if (small < 0n) this.fail('floating point constant invalid for type', loc);
        return this.constants.fp(type, small);
      }
      default:
        if (!type.isFloatingPoint) this.fail('floating point constant invalid for type', loc);
        return this.fail(`floating point constant does not have type '${this.typeName(type)}'`, loc);
    }
  }

  /** A global by name or number; a placeholder while it is not known. */
  getGlobal(name: string | null, number: number, type: IRType, loc: number): Value {
    if (type.kind !== TypeKind.Pointer) this.fail('global variable reference must have pointer type', loc);
    const spelled = name === null ? `@${number}` : `@${name}`;
    const g: GlobalValue | undefined =
      name === null ? this.module.numberedGlobals[number] : this.module.symbols.get(name);
    if (g !== undefined) {
      if (g.type !== type) {
        const message = `'${spelled}' defined with type '${this.typeName(g.type)}' but expected '${this.typeName(type)}'`;
        // Text order decides whether LLVM sees this as a use or as a definition of the wrong type.
        if (!this.globalsKnown || g.offset < loc) this.fail(message, loc);
        this.reportLate(
          g instanceof IRFunction
            ? `invalid forward reference to function '${name ?? number}' with wrong type: expected '${this.typeName(g.type)}' but was '${this.typeName(type)}'`
            : 'forward reference and definition of global have different types',
          g.offset,
        );
      }
      return g;
    }
    if (this.globalsKnown) {
      const placeholder = new GlobalPlaceholder(type, name, number, loc);
      this.noteUndefined(placeholder);
      return placeholder;
    }
    const p = new GlobalPlaceholder(type, name, number, loc);
    this.placeholders.push(p);
    const key = name ?? `@${number}`;
    const list = this.placeholdersByName.get(key);
    if (list === undefined) this.placeholdersByName.set(key, [p]);
    else if (list.every((x) => x.type !== type)) list.push(p);
    return p;
  }

  /** Bodies are read after the module; LLVM's message names the first mention in the text. */
  protected noteUndefined({ name, number, type, offset }: GlobalPlaceholder): void {
    if (name === null) {
      this.undefinedNumberedGlobals.set(number, Math.min(offset, this.undefinedNumberedGlobals.get(number) ?? offset));
      return;
    }
    const known = this.undefinedGlobals.get(name);
    if (known === undefined) this.undefinedGlobals.set(name, { offset, type, callType: null });
    else known.offset = Math.min(known.offset, offset);
  }

  /** Overridden by the module reader: an error that LLVM meets at a later place. */
  protected reportLate(message: string, offset: number): void {
    this.fail(message, offset);
  }

  private parseStructConstant(type: IRType): Value {
    const lx = this.lx;
    const loc = lx.start;
    const isPacked = this.eat(Tok.Less);
    if (isPacked && !lx.is(Tok.LBrace)) return this.checked(this.parseVectorConstant(loc), type, loc);
    lx.next();
    const elements = this.parseConstantList();
    this.expect(Tok.RBrace, isPacked ? 'expected end of packed struct' : 'expected end of struct constant');
    if (isPacked) this.expect(Tok.Greater, 'expected end of constant');
    if (type.elements.length !== elements.length) this.fail('initializer with struct type has wrong # elements', loc);
    if (type.flag !== isPacked) this.fail("packed'ness of initializer and type don't match", loc);
    for (let i = 0; i < elements.length; i++) {
      if (elements[i].type !== type.elements[i])
        this.fail(`element ${i} of struct initializer doesn't match struct element type`, loc);
    }
    return this.constants.aggregate(type, elements);
  }

  private parseConstantList(): Value[] {
    const list: Value[] = [];
    const lx = this.lx;
    if (lx.is(Tok.RBrace) || lx.is(Tok.RSquare) || lx.is(Tok.Greater) || lx.is(Tok.RParen)) return list;
    do {
      this.eat(Tok.KInrange);
      list.push(this.parseTypeAndConstant());
    } while (this.eat(Tok.Comma));
    return list;
  }

  /** After `<`. */
  private parseVectorConstant(loc: number): Value {
    const elements = this.parseConstantList();
    this.expect(Tok.Greater, 'expected end of constant');
    if (elements.length === 0) this.fail('constant vector must not be empty', loc);
    const t = elements[0].type;
    if (t.kind !== TypeKind.Integer && !t.isFloatingPoint && t.kind !== TypeKind.Pointer)
      this.fail('vector elements must have integer, pointer or floating point type', loc);
    for (let i = 1; i < elements.length; i++) {
      if (elements[i].type !== t) this.fail(`vector element #${i} is not of type '${this.typeName(t)}`, loc);
    }
    return this.constants.aggregate(this.types.vector(t, elements.length), elements);
  }

  /** Constants that bring their own type. `type` is what the context wants. */
  private parseConstantToken(type: IRType): Value {
    const lx = this.lx;
    const loc = lx.start;
    const kind = lx.peek();
    switch (kind) {
      case Tok.LBrace: {
        lx.next();
        const elements = this.parseConstantList();
        this.expect(Tok.RBrace, 'expected end of struct constant');
        return this.constants.aggregate(this.types.struct(elements.map((e) => e.type)), elements);
      }
      case Tok.Less:
        return this.parseVectorOrPackedStruct(loc);
      case Tok.LSquare:
        return this.parseArrayConstant(type, loc);
      case Tok.KC:
        return this.parseStringConstant();
      case Tok.KSplat:
        return this.parseSplat(type, loc);
      case Tok.KBlockaddress:
        return this.parseBlockAddress(type);
      case Tok.KDsoLocalEquivalent:
      case Tok.KNoCfi:
        return this.parseWrappedGlobal(type);
      case Tok.KPtrauth: {
        lx.next();
        this.expect(Tok.LParen, "expected '(' in constant ptrauth expression");
        const operands = [this.parseTypeAndConstant()];
        while (this.eat(Tok.Comma)) operands.push(this.parseTypeAndConstant());
        this.expect(Tok.RParen, "expected ')' in constant ptrauth expression");
        const problem = signedPointerProblem(operands);
        if (problem !== '') this.fail(`constant ptrauth ${problem}`, loc);
        return new Constant(ValueKind.PtrAuth, operands[0].type, 0n, operands, -1, 0, null);
      }
      case Tok.KTrunc:
      case Tok.KBitcast:
      case Tok.KAddrspacecast:
      case Tok.KInttoptr:
      case Tok.KPtrtoint:
      case Tok.KPtrtoaddr:
        return this.parseCastExpr();
      case Tok.KAdd:
      case Tok.KSub:
      case Tok.KXor:
        return this.parseBinaryExpr();
      case Tok.KGetelementptr:
        return this.parseGEPExpr();
      case Tok.KExtractelement:
      case Tok.KInsertelement:
      case Tok.KShufflevector:
        return this.parseVectorExpr();
      case Tok.KExtractvalue:
        return this.fail('extractvalue constexprs are no longer supported');
      case Tok.KInsertvalue:
        return this.fail('insertvalue constexprs are no longer supported');
      case Tok.KMul:
      case Tok.KShl:
      case Tok.KUdiv:
      case Tok.KSdiv:
      case Tok.KUrem:
      case Tok.KSrem:
      case Tok.KFadd:
      case Tok.KFsub:
      case Tok.KFmul:
      case Tok.KFdiv:
      case Tok.KFrem:
      case Tok.KFneg:
      case Tok.KAnd:
      case Tok.KOr:
      case Tok.KLshr:
      case Tok.KAshr:
      case Tok.KSelect:
      case Tok.KZext:
      case Tok.KSext:
      case Tok.KFptrunc:
      case Tok.KFpext:
      case Tok.KUitofp:
      case Tok.KSitofp:
      case Tok.KFptoui:
      case Tok.KFptosi:
      case Tok.KIcmp:
      case Tok.KFcmp:
        return this.fail(`${lx.raw} constexprs are no longer supported`);
      default:
        return this.fail('expected value token');
    }
  }

  private parseVectorOrPackedStruct(loc: number): Value {
    const lx = this.lx;
    lx.next();
    if (!lx.is(Tok.LBrace)) return this.parseVectorConstant(loc);
    lx.next();
    const elements = this.parseConstantList();
    this.expect(Tok.RBrace, 'expected end of packed struct');
    this.expect(Tok.Greater, 'expected end of constant');
    return this.constants.aggregate(
      this.types.struct(
        elements.map((e) => e.type),
        true,
      ),
      elements,
    );
  }

  private parseArrayConstant(type: IRType, loc: number): Value {
    const lx = this.lx;
    lx.next();
    const first = lx.start;
    const elements = this.parseConstantList();
    this.expect(Tok.RSquare, 'expected end of array constant');
    if (elements.length === 0) {
      if (type.kind !== TypeKind.Array || type.n !== 0) this.fail('invalid empty array initializer', loc);
      return this.constants.poison(type);
    }
    const t = elements[0].type;
    if (!t.isFirstClass) this.fail(`invalid array element type: ${this.typeName(t)}`, first);
    for (let i = 1; i < elements.length; i++) {
      if (elements[i].type !== t) this.fail(`array element #${i} is not of type '${this.typeName(t)}`, first);
    }
    return this.constants.aggregate(this.types.array(t, elements.length), elements);
  }

  private parseStringConstant(): Value {
    const lx = this.lx;
    lx.next();
    if (!lx.is(Tok.String)) this.fail('expected string');
    const s = lx.str;
    lx.next();
    const i8 = this.types.i8;
    const elements: Value[] = [];
    for (let i = 0; i < s.length; i++) elements.push(this.constants.smallInt(i8, s.charCodeAt(i)));
    return this.constants.aggregate(this.types.array(i8, s.length), elements);
  }

  private parseSplat(type: IRType, loc: number): Value {
    const lx = this.lx;
    lx.next();
    this.expect(Tok.LParen, "expected '(' after vector splat");
    const element = this.parseTypeAndConstant();
    this.expect(Tok.RParen, "expected ')' at end of vector splat");
    if (!type.isVector) this.fail('vector constant must have vector type', loc);
    if (type.elements[0] !== element.type) {
      this.fail(
        `constant expression type mismatch: got type '${this.typeName(element.type)}' but expected '${this.typeName(type.elements[0])}'`,
        loc,
      );
    }
    return this.constants.splat(type, element);
  }

  private parseWrappedGlobal(type: IRType): Value {
    const lx = this.lx;
    const kind = lx.kind;
    lx.next();
    const at = lx.start;
    if (!lx.is(Tok.GlobalVar) && !lx.is(Tok.GlobalID)) this.fail('expected global value name');
    const target = this.parseValue(type.isPointer ? type : this.types.pointer(0));
    if (target instanceof GlobalValue && !(target instanceof IRFunction) && kind === Tok.KNoCfi)
      this.fail('expected global value name in no_cfi', at);
    return this.constants.wrapper(kind === Tok.KNoCfi ? ValueKind.NoCFI : ValueKind.DSOLocalEquivalent, target);
  }

  private parseCastExpr(): Value {
    const lx = this.lx;
    const opcode = (lx.kind - Tok.KFneg) as Opcode;
    const loc = lx.start;
    lx.next();
    this.expect(Tok.LParen, "expected '(' after constantexpr cast");
    const v = this.parseTypeAndConstant();
    this.expect(Tok.KTo, "expected 'to' in constantexpr cast");
    const type = this.parseType();
    this.expect(Tok.RParen, "expected ')' at end of constantexpr cast");
    if (!isValidCast(opcode, v.type, type)) {
      this.fail(`invalid cast opcode for cast from '${this.typeName(v.type)}' to '${this.typeName(type)}'`, loc);
    }
    return this.constants.cast(opcode, v, type);
  }

  private parseBinaryExpr(): Value {
    const lx = this.lx;
    const loc = lx.start;
    const opcode = (lx.kind - Tok.KFneg) as Opcode;
    lx.next();
    let flags = 0;
    if (opcode !== Opcode.Xor) {
      for (;;) {
        if (this.eat(Tok.KNuw)) flags |= InstFlag.NUW;
        else if (this.eat(Tok.KNsw)) flags |= InstFlag.NSW;
        else break;
      }
    }
    this.expect(Tok.LParen, "expected '(' in binary constantexpr");
    const a = this.parseTypeAndConstant();
    this.expect(Tok.Comma, 'expected comma in binary constantexpr');
    const b = this.parseTypeAndConstant();
    this.expect(Tok.RParen, "expected ')' in binary constantexpr");
    if (a.type !== b.type) this.fail('operands of constexpr must have same type', loc);
    if (a.type.scalar.kind !== TypeKind.Integer)
      this.fail('constexpr requires integer or integer vector operands', loc);
    return this.constants.binary(opcode, a, b, flags);
  }

  private parseGEPExpr(): Value {
    const lx = this.lx;
    const loc = lx.start;
    lx.next();
    let flags = 0;
    let inRange: bigint[] | null = null;
    for (;;) {
      if (this.eat(Tok.KInbounds)) flags |= InstFlag.InBounds;
      else if (this.eat(Tok.KNusw)) flags |= InstFlag.NUSW;
      else if (this.eat(Tok.KNuw)) flags |= InstFlag.NUW;
      else if (this.eat(Tok.KInrange)) {
        this.expect(Tok.LParen, "expected '('");
        const lo = this.parseSigned();
        this.expect(Tok.Comma, "expected ','");
        const hi = this.parseSigned();
        this.expect(Tok.RParen, "expected ')'");
        inRange = [lo, hi];
      } else break;
    }
    this.expect(Tok.LParen, "expected '(' in constantexpr");
    const source = this.parseType();
    this.expect(Tok.Comma, "expected comma after getelementptr's type");
    const operands = this.parseConstantList();
    this.expect(Tok.RParen, "expected ')' in constantexpr");
    if (operands.length === 0 || operands[0].type.scalar.kind !== TypeKind.Pointer)
      this.fail('base of getelementptr must be a pointer', loc);
    let vector = operands[0].type.isVector ? operands[0].type : null;
    for (let i = 1; i < operands.length; i++) {
      const t = operands[i].type;
      if (t.scalar.kind !== TypeKind.Integer) this.fail('getelementptr index must be an integer', loc);
      if (t.isVector) {
        if (vector !== null && vector.n !== t.n)
          this.fail('getelementptr vector index has a wrong number of elements', loc);
        vector ??= t;
      }
    }
    if (operands.length > 1 && !isSized(source)) this.fail('base element of getelementptr must be sized', loc);
    if (indexedType(source, operands, 1) === null) this.fail('invalid getelementptr indices', loc);
    const base = operands[0].type;
    const type = vector !== null && !base.isVector ? this.types.vector(base, vector.n) : base;
    return this.constants.getElementPtr(source, operands, flags, type, inRange);
  }

  protected parseSigned(): bigint {
    if (!this.lx.is(Tok.Int)) this.fail('expected integer');
    const v = parseIntToken(this.lx.raw);
    this.lx.next();
    return v;
  }

  private parseVectorExpr(): Value {
    const lx = this.lx;
    const loc = lx.start;
    const opcode = (lx.kind - Tok.KFneg) as Opcode;
    lx.next();
    this.expect(Tok.LParen, "expected '(' in constantexpr");
    const ops = this.parseConstantList();
    this.expect(Tok.RParen, "expected ')' in constantexpr");
    if (opcode === Opcode.ShuffleVector) {
      if (ops.length !== 3) this.fail('expected three operands to shufflevector', loc);
      const mask = this.shuffleMask(ops[2]);
      if (mask === null || !ops[0].type.isVector || ops[0].type !== ops[1].type)
        this.fail('invalid operands to shufflevector', loc);
      const type = this.types.vector(
        ops[0].type.elements[0],
        mask.length,
        ops[2].type.kind === TypeKind.ScalableVector,
      );
      return this.constants.shuffleVector(ops[0], ops[1], mask, type);
    }
    if (opcode === Opcode.ExtractElement) {
      if (ops.length !== 2) this.fail('expected two operands to extractelement', loc);
      if (!ops[0].type.isVector || ops[1].type.kind !== TypeKind.Integer)
        this.fail('invalid extractelement operands', loc);
      return this.constants.extractElement(ops[0], ops[1]);
    }
    if (ops.length !== 3) this.fail('expected three operands to insertelement', loc);
    if (!ops[0].type.isVector || ops[1].type !== ops[0].type.elements[0] || ops[2].type.kind !== TypeKind.Integer)
      this.fail('invalid insertelement operands', loc);
    return this.constants.insertElement(ops[0], ops[1], ops[2]);
  }

  /** Entries of a shuffle mask, -1 = poison; null if the constant is none. */
  protected shuffleMask(mask: Value): number[] | null {
    if (!mask.type.isVector || mask.type.elements[0] !== this.types.i32) return null;
    const n = mask.type.n;
    if (n > MAX_SHUFFLE) return null;
    if (mask.type.kind === TypeKind.ScalableVector) {
      if (mask.kind === ValueKind.ConstantZero) return new Array<number>(n).fill(0);
      if (mask.kind === ValueKind.Undef || mask.kind === ValueKind.Poison) return new Array<number>(n).fill(-1);
      return null;
    }
    const elements = this.constants.elementsOf(mask);
    if (elements === null) return null;
    const res: number[] = [];
    for (const e of elements) {
      if (e.kind === ValueKind.ConstantInt) res.push(Number((e as Constant).value));
      else if (e.kind === ValueKind.Undef || e.kind === ValueKind.Poison) res.push(-1);
      else return null;
    }
    return res;
  }

  /** Another value than the one wanted, or none at all. */
  private failAtOperand(message: string): never {
    const k = this.lx.kind;
    const isValue = k >= Tok.LocalVar && k <= Tok.GlobalID;
    const isScalar = k === Tok.Int || k === Tok.Float || k === Tok.HexFloat || (k >= Tok.KTrue && k <= Tok.KFalse);
    const isWord =
      k === Tok.KNull || k === Tok.KUndef || k === Tok.KPoison || k === Tok.KZeroinitializer || k === Tok.KNone;
    return this.fail(isValue || isScalar || isWord ? message : 'expected value token');
  }

  private parseBlockAddress(type: IRType): Value {
    const lx = this.lx;
    const loc = lx.start;
    lx.next();
    this.expect(Tok.LParen, "expected '(' in block address expression");
    const fnLoc = lx.start;
    if (!lx.is(Tok.GlobalVar) && !lx.is(Tok.GlobalID)) this.failAtOperand('expected function name in blockaddress');
    const fnName = lx.is(Tok.GlobalVar) ? lx.str : null;
    const fnNumber = lx.is(Tok.GlobalID) ? lx.id : -1;
    lx.next();
    this.expect(Tok.Comma, 'expected comma in block address expression');
    if (!lx.is(Tok.LocalVar) && !lx.is(Tok.LocalID)) this.failAtOperand('expected basic block name in blockaddress');
    const block = lx.is(Tok.LocalVar) ? lx.str : null;
    const blockId = lx.is(Tok.LocalID) ? lx.id : -1;
    const blockLoc = lx.start;
    lx.next();
    this.expect(Tok.RParen, "expected ')' in block address expression");
    const known = fnName === null ? this.module.numberedGlobals[fnNumber] : this.module.symbols.get(fnName);
    if (known !== undefined && !(known instanceof IRFunction))
      this.fail('expected function name in blockaddress', fnLoc);
    if (known !== undefined && known.isDeclaration && this.globalsKnown)
      this.fail('cannot take blockaddress inside a declaration', fnLoc);
    const resultType = type.isPointer ? type : this.types.pointer(0);
    const operands: Value[] = [known ?? this.getGlobal(fnName, fnNumber, this.types.pointer(0), fnLoc)];
    const c = new Constant(ValueKind.BlockAddress, resultType, 0n, operands, -1, 0, null);
    if (this.fs !== null && known === this.fs.fn) {
      c.block = this.fs.getBlock(block, blockId, blockLoc);
    } else {
      this.pendingBlockAddresses.push({ constant: c, fnOffset: fnLoc, block, blockId, offset: blockLoc });
    }
    if (!type.isPointer) this.fail(`type of blockaddress must be a pointer and not '${this.typeName(type)}'`, loc);
    return c;
  }

  /** `asm ...` as a callee; without a function type only the syntax is read. */
  protected parseInlineAsm(fnType: IRType | null): InlineAsm {
    this.lx.next();
    const hasSideEffects = this.eat(Tok.KSideeffect);
    const isAlignStack = this.eat(Tok.KAlignstack);
    const isIntel = this.eat(Tok.KInteldialect);
    const canUnwind = this.eat(Tok.KUnwind);
    const text = this.parseString();
    this.expect(Tok.Comma, 'expected comma in inline asm expression');
    if (!this.lx.is(Tok.String)) this.fail('expected constraint string');
    const constraints = this.lx.str;
    this.lx.next();
    const type = fnType ?? this.types.void_;
    return new InlineAsm(
      this.types.pointer(0),
      type,
      text,
      constraints,
      hasSideEffects,
      isAlignStack,
      isIntel,
      canUnwind,
    );
  }

  // -- metadata -----------------------------------------------------------------------------------------------------

  /** `!N`: the node, made empty while it is not defined. The `!` is consumed. */
  protected parseNodeId(): MDNode {
    const lx = this.lx;
    const loc = lx.start;
    const n = this.parseUInt32();
    let node = this.module.numberedMetadata.get(n);
    if (node === undefined) {
      node = new MDNode(n, false, '', [], null);
      this.module.numberedMetadata.set(n, node);
      this.forwardMetadata.set(n, loc);
    } else {
      // Bodies are read after the module; LLVM's message names the first mention in the text.
      const first = this.forwardMetadata.get(n);
      if (first !== undefined && loc < first) this.forwardMetadata.set(n, loc);
    }
    return node;
  }

  /** `!N`, `!{...}` or `!DIxxx(...)`. */
  parseMDNode(): MDNode {
    const lx = this.lx;
    if (lx.is(Tok.MetadataVar)) return this.parseSpecializedNode(-1, false);
    if (!this.eat(Tok.Exclaim)) this.fail("expected '!' here");
    if (lx.is(Tok.LBrace)) return this.parseTuple(-1, false);
    return this.parseNodeId();
  }

  /** Elements of a tuple; the `{` is the current token. */
  protected parseTuple(number: number, isDistinct: boolean): MDNode {
    return new MDNode(number, isDistinct, '', this.parseNodeList(), null);
  }

  private parseNodeList(): (Metadata | null)[] {
    this.expect(Tok.LBrace, "expected '{' here");
    const operands: (Metadata | null)[] = [];
    if (this.eat(Tok.RBrace)) return operands;
    this.nest();
    do {
      if (this.eat(Tok.KNull)) operands.push(null);
      else operands.push(this.parseMetadata(false));
    } while (this.eat(Tok.Comma));
    this.nesting--;
    this.expect(Tok.RBrace, 'expected end of metadata node');
    return operands;
  }

  /** Any metadata: string, node, or value with its type (a local one only where `allowLocal`). */
  parseMetadata(allowLocal: boolean): Metadata {
    const lx = this.lx;
    if (lx.is(Tok.MetadataVar)) {
      if (lx.raw === '!DIArgList') return this.parseArgList();
      return this.parseSpecializedNode(-1, false);
    }
    if (!lx.is(Tok.Exclaim)) return this.parseValueAsMetadata('expected metadata operand', allowLocal);
    lx.next();
    if (lx.is(Tok.String)) {
      const s = new MDString(lx.str);
      lx.next();
      return s;
    }
    if (lx.is(Tok.LBrace)) return this.parseTuple(-1, false);
    return this.parseNodeId();
  }

  private parseValueAsMetadata(message: string, allowLocal: boolean): ValueAsMetadata {
    const lx = this.lx;
    const loc = lx.start;
    const type = this.parseType(message);
    if (type.kind === TypeKind.Metadata) this.fail('invalid metadata-value-metadata roundtrip', loc);
    if (!allowLocal) return new ValueAsMetadata(this.parseConstant(type));
    const v = this.parseValue(type);
    const wrapper = new ValueAsMetadata(v);
    if (v.kind === ValueKind.Placeholder) this.localMetadata.push({ wrapper: wrapper as { value: Value } });
    return wrapper;
  }

  private parseArgList(): MDNode {
    this.lx.next();
    this.expect(Tok.LParen, "expected '(' here");
    const elements: Metadata[] = [];
    if (!this.lx.is(Tok.RParen)) {
      do elements.push(this.parseValueAsMetadata('expected value-as-metadata operand', true));
      while (this.eat(Tok.Comma));
    }
    this.expect(Tok.RParen, "expected ')' here");
    return new MDNode(-1, false, 'DIArgList', [], null, elements);
  }

  /** `metadata ...` operand of a call. */
  protected parseMetadataAsValue(): MetadataAsValue {
    const md = this.parseMetadata(true);
    return new MetadataAsValue(this.types.metadata, md);
  }

  /** `!DIxxx(...)`; the name is the current token. */
  protected parseSpecializedNode(number: number, isDistinct: boolean): MDNode {
    const lx = this.lx;
    const nameLoc = lx.start;
    const className = lx.str;
    if (className === 'DIExpression') return this.parseExpression(number, isDistinct);
    const schema = NODE_SCHEMAS.get(className);
    if (schema === undefined) {
      if (className === 'DIArgList') this.fail('DIArgList cannot appear outside of a function', nameLoc);
      this.fail('expected metadata type');
    }
    lx.next();
    this.expect(Tok.LParen, "expected '(' here");
    const fields = new Map<string, DIFieldValue>();
    this.nest();
    if (className !== 'DIAssignID' && !lx.is(Tok.RParen)) {
      do {
        if (!lx.is(Tok.LabelStr)) this.fail('expected field label here');
        const label = lx.str;
        const field = schema.byName.get(label);
        if (field === undefined) this.fail(`invalid field '${label}'`);
        if (fields.has(label)) this.fail(`field '${label}' cannot be specified more than once`);
        lx.next();
        fields.set(label, this.parseField(field));
      } while (this.eat(Tok.Comma));
    }
    this.nesting--;
    const close = lx.start;
    this.expect(Tok.RParen, "expected ')' here");
    const isSubprogram = className === 'DISubprogram';
    for (const f of schema.fields) {
      const isRequired =
        f.isRequired || (f.name === 'type' && isSubprogram && this.module.dialect.rules.typedSubprograms);
      if (isRequired && !fields.has(f.name)) this.fail(`missing required field '${f.name}'`, close);
    }
    if (isSubprogram && !fields.has('spFlags')) fields.set('spFlags', oldSubprogramFlags(fields));
    if (className === 'DIGlobalVariable' && !fields.has('isDefinition')) fields.set('isDefinition', true);
    if (!isDistinct) this.checkDistinct(className, fields, nameLoc);
    return new MDNode(number, isDistinct, className, nodeOperands(schema, fields), fields);
  }

  private checkDistinct(className: string, fields: Map<string, DIFieldValue>, loc: number): void {
    if (className === 'DICompileUnit') this.fail("missing 'distinct', required for !DICompileUnit", loc);
    if (className === 'DIAssignID') this.fail("missing 'distinct', required for !DIAssignID()", loc);
    if (className === 'DISubprogram') {
      const sp = fields.get('spFlags');
      const isDefinition = typeof sp === 'string' && sp.includes('DISPFlagDefinition');
      if (isDefinition) this.fail("missing 'distinct', required for !DISubprogram that is a Definition", loc);
    }
  }

  private parseField(field: FieldSchema): DIFieldValue {
    const lx = this.lx;
    switch (field.kind) {
      case FieldKind.String: {
        const s = this.parseString();
        return s === '' ? null : new MDString(s);
      }
      case FieldKind.Bool:
        if (this.eat(Tok.KTrue)) return true;
        if (this.eat(Tok.KFalse)) return false;
        return this.fail("expected 'true' or 'false'");
      case FieldKind.Int:
        if (!lx.is(Tok.Int)) {
          if (field.name === 'thisAdjustment') this.fail('expected signed integer');
          this.fail(field.name === 'value' ? 'expected integer' : 'expected unsigned integer');
        }
        if (lx.raw.charCodeAt(0) === 45 && field.name !== 'value' && field.name !== 'thisAdjustment')
          this.fail('expected unsigned integer');
        return this.parseIntField(field.name);
      case FieldKind.Words:
        return this.parseWords(field.name);
      case FieldKind.NodeOrInt:
        if (lx.is(Tok.Int)) {
          const isUnsigned = field.name === 'size' || field.name === 'offset';
          if (isUnsigned && lx.raw.charCodeAt(0) === 45) this.fail('expected unsigned integer');
          return this.parseSigned();
        }
        return this.parseNodeField(field);
      case FieldKind.Nodes:
        return new MDNode(-1, false, '', this.parseNodeList(), null);
      default:
        return this.parseNodeField(field);
    }
  }

  private parseIntField(name: string): bigint {
    const loc = this.lx.start;
    const v = this.parseSigned();
    const limit = name === 'line' ? 0xffffffffn : name === 'column' ? 0xffffn : -1n;
    if (limit >= 0n && v > limit) this.fail(`value for '${name}' too large, limit is ${limit}`, loc);
    return v;
  }

  private parseNodeField(field: FieldSchema): Metadata | null {
    if (this.lx.is(Tok.KNull)) {
      if (field.isNonNull) this.fail(`'${field.name}' cannot be null`);
      this.lx.next();
      return null;
    }
    return this.parseMetadata(false);
  }

  /** A word of the field's kind, a number, or flags joined by `|`. */
  private parseWords(fieldName: string): string | bigint {
    const lx = this.lx;
    const kind = wordKindOf(fieldName);
    const isFlags = fieldName === 'flags' || fieldName === 'spFlags';
    let bits = 0;
    for (;;) {
      const word = lx.raw;
      if (fieldName === 'checksumkind' && !/^CSK_/.test(word)) {
        // LLVM names the string it lexed last, which is the field's label.
        this.fail(`${kind.invalid} '${lx.is(Tok.String) ? lx.str : fieldName}'`);
      }
      if (lx.is(Tok.Int)) {
        if (!isFlags) return this.parseSigned();
      } else if (!lx.is(Tok.Word) || !kind.prefix.test(word)) this.fail(kind.expected);
      if (!isFlags) {
        if (!isDwarfName(word)) this.fail(`${kind.invalid} '${word}'`);
        if (fieldName === 'checksumkind' && !/^CSK_(MD5|SHA1|SHA256)$/.test(word))
          this.fail(`${kind.invalid} '${word}'`);
        lx.next();
        return word;
      }
      const bit = flagBits(fieldName, word);
      if (bit < 0) this.fail(`${kind.invalid} '${word}'`);
      bits |= bit;
      lx.next();
      if (!this.eat(Tok.Bar)) return printFlags(fieldName, bits);
    }
  }

  private parseExpression(number: number, isDistinct: boolean): MDNode {
    const lx = this.lx;
    lx.next();
    this.expect(Tok.LParen, "expected '(' here");
    const elements: (string | bigint)[] = [];
    if (!lx.is(Tok.RParen)) {
      do {
        if (lx.is(Tok.Int)) {
          const loc = lx.start;
          if (lx.raw.charCodeAt(0) === 45) this.fail('expected unsigned integer');
          const v = this.parseSigned();
          if (v >= 1n << 64n) this.fail('element too large, limit is 18446744073709551615', loc);
          elements.push(v);
        } else if (lx.is(Tok.Word) && /^DW_(OP|ATE)_/.test(lx.raw)) {
          if (!isDwarfName(lx.raw)) {
            this.fail(`invalid DWARF ${lx.raw.startsWith('DW_OP') ? 'op' : 'attribute encoding'} '${lx.raw}'`);
          }
          elements.push(lx.raw);
          lx.next();
        } else {
          this.fail('expected unsigned integer');
        }
      } while (this.eat(Tok.Comma));
    }
    this.expect(Tok.RParen, "expected ')' here");
    return new MDNode(number, isDistinct, 'DIExpression', [], null, elements);
  }

  /** `!kind !N` pairs of an attachment list, one pair: the kind name is the current token. */
  protected parseAttachment(): MDAttachment {
    const lx = this.lx;
    const kind = lx.str;
    if (kind === 'dbg' || kind === 'DIAssignID') this.module.hasDebugInfo = true;
    else this.noteKind(kind, lx.start);
    // It points into the types of debug info.
    if (kind === 'heapallocsite') this.module.hasDebugInfo = true;
    lx.next();
    return { kind, node: this.parseMDNode() };
  }

  private noteKind(kind: string, offset: number): void {
    if (FIXED_KIND_SET.has(kind)) return;
    const known = this.mdKindOffsets.get(kind);
    if (known === undefined || offset < known) this.mdKindOffsets.set(kind, offset);
  }
}

/** Flags of a subprogram that has the separate fields of older text. */
function oldSubprogramFlags(fields: ReadonlyMap<string, DIFieldValue>): string {
  let bits = 0;
  if (fields.get('isLocal') === true) bits |= 4;
  if (fields.get('isDefinition') !== false) bits |= 8;
  if (fields.get('isOptimized') === true) bits |= 16;
  const virtuality = fields.get('virtuality');
  if (virtuality === 'DW_VIRTUALITY_virtual' || virtuality === 1n) bits |= 1;
  if (virtuality === 'DW_VIRTUALITY_pure_virtual' || virtuality === 2n) bits |= 2;
  return printFlags('spFlags', bits);
}

/** Node operands of a specialised node in LLVM's order. */
function nodeOperands(schema: NodeSchema, fields: ReadonlyMap<string, DIFieldValue>): (Metadata | null)[] {
  const operands: (Metadata | null)[] = [];
  for (const name of schema.operands) {
    const v = fields.get(name);
    if (v === undefined || v === null) operands.push(null);
    else if (schema.byName.get(name)!.kind === FieldKind.Nodes && v instanceof MDNode)
      for (const op of v.operands) operands.push(op);
    else operands.push(typeof v === 'object' ? v : null);
  }
  return operands;
}

/**
 * Whether a cast opcode takes one type to another.
 * @llvm Instructions.cpp CastInst::castIsValid
 */
export function isValidCast(opcode: Opcode, from: IRType, to: IRType): boolean {
  if (!from.isFirstClass || !to.isFirstClass || from.isAggregate || to.isAggregate) return false;
  const sameShape = from.isVector === to.isVector && (!from.isVector || (from.n === to.n && from.kind === to.kind));
  const a = from.scalar;
  const b = to.scalar;
  const aInt = a.kind === TypeKind.Integer;
  const bInt = b.kind === TypeKind.Integer;
  switch (opcode) {
    case Opcode.Trunc:
      return aInt && bInt && sameShape && a.n > b.n;
    case Opcode.ZExt:
    case Opcode.SExt:
      return aInt && bInt && sameShape && a.n < b.n;
    case Opcode.FPTrunc:
      return a.isFloatingPoint && b.isFloatingPoint && sameShape && bitWidth(a) > bitWidth(b);
    case Opcode.FPExt:
      return a.isFloatingPoint && b.isFloatingPoint && sameShape && bitWidth(a) < bitWidth(b);
    case Opcode.UIToFP:
    case Opcode.SIToFP:
      return aInt && b.isFloatingPoint && sameShape;
    case Opcode.FPToUI:
    case Opcode.FPToSI:
      return a.isFloatingPoint && bInt && sameShape;
    case Opcode.PtrToInt:
    case Opcode.PtrToAddr:
      return a.isPointer && bInt && sameShape;
    case Opcode.IntToPtr:
      return aInt && b.isPointer && sameShape;
    case Opcode.AddrSpaceCast:
      return a.isPointer && b.isPointer && sameShape && a.n !== b.n;
    case Opcode.BitCast:
      if (a.isPointer !== b.isPointer) return false;
      if (a.isPointer) return a.n === b.n && sameShape;
      return totalBits(from) === totalBits(to) && totalBits(from) > 0;
    default:
      return false;
  }
}

function totalBits(t: IRType): number {
  return t.isVector ? bitWidth(t.elements[0]) * t.n : bitWidth(t);
}

export function isSized(t: IRType): boolean {
  // Only a "yes" is final: an opaque type may get its body later in the text.
  if (t.isKnownSized) return true;
  return (t.isKnownSized = computeIsSized(t));
}

function computeIsSized(t: IRType): boolean {
  switch (t.kind) {
    case TypeKind.Struct:
      if (t.isOpaque) return false;
      return t.elements.every(isSized);
    case TypeKind.Array:
    case TypeKind.FixedVector:
    case TypeKind.ScalableVector:
      return isSized(t.elements[0]);
    case TypeKind.Void:
    case TypeKind.Label:
    case TypeKind.Metadata:
    case TypeKind.Token:
    case TypeKind.Function:
      return false;
    default:
      return true;
  }
}

/** Type that GEP indices (operands from `from` on, the first steps over the pointer) reach; null if they are invalid. */
export function indexedType(source: IRType, operands: readonly Value[], from: number): IRType | null {
  let t = source;
  for (let i = from + 1; i < operands.length; i++) {
    const index = operands[i];
    if (t.kind === TypeKind.Struct) {
      let c: Value = index;
      if (c.kind === ValueKind.ConstantAggregate) c = (c as Constant).operands[0];
      const isZero = c.kind === ValueKind.ConstantZero;
      if (!isZero && (c.kind !== ValueKind.ConstantInt || c.type.n !== 32)) return null;
      const n = isZero ? 0 : Number((c as Constant).value);
      if (n >= t.elements.length) return null;
      t = t.elements[n];
    } else if (t.kind === TypeKind.Array || t.isVector) {
      t = t.elements[0];
    } else return null;
  }
  return t;
}
