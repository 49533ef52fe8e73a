/**
 * Reads types and attributes of IR text (llvm/AsmParser/LLParser parseType, parseFnAttributeValuePairs and
 * parseOptionalParamOrReturnAttrs, LLVM 22), with LLVM's messages. The base of the reader's class chain:
 * types and attributes < values and metadata < function bodies < module.
 */
import { attributeOrder, AttributeSet, PLAIN_ATTRIBUTE, type AttrValue } from './attributes.js';
import { IRLexer } from './lexer.js';
import { IRModule } from './module.js';
import { lazy } from '../util/lazy.js';
import { callingConvNumber } from './names.js';
import { Tok } from './tokens.js';
import { TypeContext, TypeKind, type IRType } from './types.js';
import {
  memoryFromWord,
  MEMORY_UNKNOWN,
  parseCaptures,
  parseDenormalEnvironment,
  parseMemory,
  parseNoFPClass,
  printMemory,
} from './attributeValues.js';

/** Levels of brackets, and of constants within constants, that are read; LLVM has no limit, but its stack has. */
export const MAX_NESTING = 1200;

/** Where an attribute word may stand. */
const enum AttrPlace {
  Fn = 1,
  Param = 2,
  Ret = 4,
}

const FN_ONLY =
  'alwaysinline builtin cold convergent coro_only_destroy_when_complete coro_elide_safe ' +
  'disable_sanitizer_instrumentation fn_ret_thunk_extern hot hybrid_patchable inlinehint jumptable minsize ' +
  'mustprogress naked nobuiltin nocallback nocf_check nocreateundeforpoison nodivergencesource noduplicate ' +
  'noimplicitfloat noinline nomerge noprofile norecurse noredzone noreturn nosanitize_bounds ' +
  'nosanitize_coverage nosync nounwind nonlazybind null_pointer_is_valid optforfuzzing optdebug optsize optnone ' +
  'presplitcoroutine returns_twice safestack sanitize_address sanitize_alloc_token sanitize_hwaddress ' +
  'sanitize_memtag sanitize_memory sanitize_numerical_stability sanitize_realtime sanitize_realtime_blocking ' +
  'sanitize_thread sanitize_type shadowcallstack skipprofile speculatable speculative_load_hardening ssp sspreq ' +
  'sspstrong strictfp willreturn allockind allocsize denormal_fpenv memory uwtable vscale_range';
const PARAM_ONLY =
  'allocalign allocptr dead_on_return dead_on_unwind immarg nest readnone readonly returned swiftasync swifterror ' +
  'swiftself writable writeonly byref byval elementtype inalloca sret captures initializes';
const PARAM_RET =
  'inreg noalias noext noundef nonnull signext zeroext align dereferenceable dereferenceable_or_null nofpclass range';

const attributePlaces = lazy<ReadonlyMap<string, number>>(() => {
  const m = new Map<string, number>();
  for (const w of attributeOrder()) m.set(w, 0);
  const add = (words: string, bits: number): void => {
    for (const w of words.split(' ')) m.set(w, m.get(w)! | bits);
  };
  add(FN_ONLY, AttrPlace.Fn);
  add(PARAM_ONLY, AttrPlace.Param);
  add(PARAM_RET, AttrPlace.Param | AttrPlace.Ret);
  add('nofree preallocated', AttrPlace.Fn | AttrPlace.Param);
  // LLVM names no results for it, and asks nowhere.
  add('alignstack', AttrPlace.Fn | AttrPlace.Param | AttrPlace.Ret);
  return m;
});

/** In the order in which LLVM writes them. */
const ALLOC_KINDS = ['alloc', 'realloc', 'free', 'uninitialized', 'zeroed', 'aligned'];

/** Attributes while they are collected. */
export class AttrBuilder {
  readonly values = new Map<string, AttrValue>();
  readonly strings = new Map<string, string>();
  /** intersection of the old memory words; MEMORY_UNKNOWN = none seen */
  memory = MEMORY_UNKNOWN;
  /** offset of the last `builtin` that stands in no group, -1 = none */
  builtinAt = -1;

  get isEmpty(): boolean {
    return this.values.size === 0 && this.strings.size === 0;
  }

  merge(set: AttributeSet): void {
    for (const [k, v] of set.values) this.values.set(k, v);
    for (const [k, v] of set.strings) this.strings.set(k, v);
  }

  finish(): AttributeSet | null {
    return this.isEmpty ? null : new AttributeSet(this.values, this.strings);
  }
}

/** An identified type while the text is read. */
interface TypeEntry {
  type: IRType;
  /** offset of the first use while there is no definition, -1 when defined */
  forwardOffset: number;
}

export class TypeParser {
  readonly lx: IRLexer;
  readonly types: TypeContext;
  /** open brackets of types and metadata; set to 0 where reading starts anew after an error */
  protected nesting = 0;
  protected readonly typesByName = new Map<string, TypeEntry>();
  protected readonly typesByNumber = new Map<number, TypeEntry>();
  /** groups as written; of a repeated group the words add up */
  protected readonly groupBuilders = new Map<number, AttrBuilder>();

  constructor(
    readonly module: IRModule,
    text: string,
    start: number,
    end: number,
  ) {
    this.lx = new IRLexer(text, start, end, module.dialect.rules.decimalFloats);
    this.types = module.types;
  }

  // -- tokens -----------------------------------------------------------------------------------------------------

  protected fail(message: string, offset = this.lx.start): never {
    return this.lx.fail(message, offset);
  }

  /** Consumes a token of that kind if it is next. */
  protected eat(kind: Tok): boolean {
    if (!this.lx.is(kind)) return false;
    this.lx.next();
    return true;
  }

  protected expect(kind: Tok, message: string): void {
    if (!this.lx.is(kind)) this.fail(message);
    this.lx.next();
  }

  protected word(): string {
    return this.lx.is(Tok.Word) ? this.lx.raw : '';
  }

  protected eatWord(word: string): boolean {
    if (!this.lx.is(Tok.Word) || this.lx.raw !== word) return false;
    this.lx.next();
    return true;
  }

  protected parseString(): string {
    if (!this.lx.is(Tok.String)) this.fail('expected string constant');
    const s = this.lx.str;
    this.lx.next();
    return s;
  }

  protected parseUInt32(): number {
    const at = this.lx.start;
    const v = this.parseUInt64('expected integer');
    if (v > 0xffffffffn) this.fail('expected 32-bit integer (too large)', at);
    return Number(v);
  }

  protected parseUInt64(message = 'expected integer'): bigint {
    if (!this.lx.is(Tok.Int)) this.fail(message);
    const text = this.lx.raw;
    if (text.charCodeAt(0) === 45) this.fail(message);
    const v = parseIntToken(text);
    this.lx.next();
    return v < 1n << 64n ? v : (1n << 64n) - 1n;
  }

  /** One more level of brackets; the caller takes it back by `nesting--`. */
  protected nest(): void {
    if (++this.nesting > MAX_NESTING) this.fail('nesting is too deep');
  }

  // -- types ------------------------------------------------------------------------------------------------------

  parseType(message = 'expected type', allowVoid = false): IRType {
    const lx = this.lx;
    const typeLoc = lx.start;
    if (lx.is(Tok.KPtr)) {
      lx.next();
      const pointer = this.types.pointer(this.parseOptionalAddrSpace());
      if (lx.is(Tok.Star)) this.fail('ptr* is invalid - use ptr instead');
      return lx.is(Tok.LParen) ? this.parseTypeSuffixes(pointer, typeLoc, allowVoid) : pointer;
    }
    return this.parseTypeSuffixes(this.parsePlainType(message), typeLoc, allowVoid);
  }

  /** A type without what may follow it: stars, address spaces, parameters. */
  private parsePlainType(message: string): IRType {
    const lx = this.lx;
    let t: IRType;
    switch (lx.peek()) {
      case Tok.IntType:
        t = lx.id === 32 ? this.types.i32 : this.types.int(lx.id);
        lx.next();
        break;
      case Tok.KVoid:
        t = this.types.void_;
        lx.next();
        break;
      case Tok.KFloat:
        t = this.types.float;
        lx.next();
        break;
      case Tok.KHalf:
        t = this.types.half;
        lx.next();
        break;
      case Tok.KBfloat:
        t = this.types.bfloat;
        lx.next();
        break;
      case Tok.KDouble:
        t = this.types.double;
        lx.next();
        break;
      case Tok.KLabel:
        t = this.types.label;
        lx.next();
        break;
      case Tok.KMetadata:
        t = this.types.metadata;
        lx.next();
        break;
      case Tok.KToken:
        t = this.types.token;
        lx.next();
        break;
      case Tok.KX86Fp80:
        t = this.types.x86fp80;
        lx.next();
        break;
      case Tok.KFp128:
        t = this.types.fp128;
        lx.next();
        break;
      case Tok.KPpcFp128:
        t = this.types.ppcfp128;
        lx.next();
        break;
      case Tok.KX86Amx:
        t = this.types.x86amx;
        lx.next();
        break;
      case Tok.KTarget:
        t = this.parseTargetExtType();
        break;
      case Tok.LBrace:
        t = this.types.struct(this.parseStructBody());
        break;
      case Tok.LSquare:
        lx.next();
        t = this.parseArrayVector(false);
        break;
      case Tok.Less:
        lx.next();
        if (lx.is(Tok.LBrace)) {
          t = this.types.struct(this.parseStructBody(), true);
          this.expect(Tok.Greater, "expected '>' at end of packed struct");
        } else {
          t = this.parseArrayVector(true);
        }
        break;
      case Tok.LocalVar:
        t = this.namedType(lx.str, lx.start);
        lx.next();
        break;
      case Tok.LocalID:
        t = this.numberedType(lx.id, lx.start);
        lx.next();
        break;
      default:
        this.fail(message);
    }
    return t;
  }

  private parseTypeSuffixes(plain: IRType, typeLoc: number, allowVoid: boolean): IRType {
    const lx = this.lx;
    let t = plain;
    for (;;) {
      switch (lx.peek()) {
        case Tok.Star:
          if (t.kind === TypeKind.Label) this.fail('basic block pointers are invalid');
          if (t.kind === TypeKind.Void) this.fail('pointers to void are invalid - use i8* instead');
          if (!isValidPointee(t)) this.fail('pointer to this type is invalid');
          t = this.types.pointer(0);
          lx.next();
          break;
        case Tok.KAddrspace: {
          if (t.kind === TypeKind.Label) this.fail('basic block pointers are invalid');
          if (t.kind === TypeKind.Void) this.fail('pointers to void are invalid; use i8* instead');
          if (!isValidPointee(t)) this.fail('pointer to this type is invalid');
          const space = this.parseOptionalAddrSpace();
          this.expect(Tok.Star, "expected '*' in address space");
          t = this.types.pointer(space);
          break;
        }
        case Tok.LParen:
          t = this.parseFunctionType(t);
          break;
        default:
          if (!allowVoid && t.kind === TypeKind.Void) this.fail('void type only allowed for function results', typeLoc);
          return t;
      }
    }
  }

  private parseFunctionType(result: IRType): IRType {
    const k = result.kind;
    if (k === TypeKind.Function || k === TypeKind.Label || k === TypeKind.Metadata)
      this.fail('invalid function return type');
    this.lx.next();
    this.nest();
    const params: IRType[] = [];
    let isVarArg = false;
    // Names and attributes are read like those of a declaration and refused once the list is complete.
    let nameLoc = -1;
    let attrLoc = -1;
    let nextId = 0;
    if (!this.lx.is(Tok.RParen)) {
      do {
        if (this.eat(Tok.DotDotDot)) {
          isVarArg = true;
          break;
        }
        const loc = this.lx.start;
        const t = this.parseType();
        const attrs = this.parseParamAttrs(false);
        if (this.eat(Tok.LocalVar)) {
          if (nameLoc < 0) nameLoc = loc;
        } else {
          // A number is no name.
          const id = this.lx.is(Tok.LocalID) ? this.lx.id : nextId;
          if (id < nextId) this.fail(`argument expected to be numbered '%${nextId}' or greater`, loc);
          this.eat(Tok.LocalID);
          nextId = id + 1;
          if (attrs !== null && attrLoc < 0) attrLoc = loc;
        }
        if (!isValidArgument(t)) this.fail('invalid type for function argument', loc);
        params.push(t);
      } while (this.eat(Tok.Comma));
    }
    this.nesting--;
    this.expect(Tok.RParen, "expected ')' at end of argument list");
    if (nameLoc >= 0 && (attrLoc < 0 || nameLoc < attrLoc))
      this.fail('argument name invalid in function type', nameLoc);
    if (attrLoc >= 0) this.fail('argument attributes invalid in function type', attrLoc);
    return this.types.fn(result, params, isVarArg);
  }

  protected parseStructBody(): IRType[] {
    this.lx.next();
    if (this.eat(Tok.RBrace)) return [];
    const fields: IRType[] = [];
    this.nest();
    do {
      const loc = this.lx.start;
      const t = this.parseType();
      if (!isValidElement(t)) this.fail('invalid element type for struct', loc);
      fields.push(t);
    } while (this.eat(Tok.Comma));
    this.nesting--;
    this.expect(Tok.RBrace, "expected '}' at end of struct");
    return fields;
  }

  private parseArrayVector(isVector: boolean): IRType {
    const lx = this.lx;
    let isScalable = false;
    if (isVector && this.eat(Tok.KVscale)) {
      this.expect(Tok.KX, "expected 'x' after vscale");
      isScalable = true;
    }
    const number = lx.is(Tok.Int) && lx.raw.charCodeAt(0) !== 45 ? parseIntToken(lx.raw) : -1n;
    if (number < 0n || number >= 1n << 64n) this.fail('expected number in address space');
    const sizeLoc = lx.start;
    const size = Number(number);
    lx.next();
    this.expect(Tok.KX, "expected 'x' after element count");
    const loc = lx.start;
    this.nest();
    const element = this.parseType();
    this.nesting--;
    this.expect(isVector ? Tok.Greater : Tok.RSquare, 'expected end of sequential type');
    if (!isVector) {
      if (!isValidElement(element)) this.fail('invalid array element type', loc);
      return this.types.array(element, size);
    }
    if (size === 0) this.fail('zero element vector is illegal', sizeLoc);
    if (size > 0xffffffff) this.fail('size too large for vector', sizeLoc);
    const k = element.kind;
    const isValid =
      k === TypeKind.Integer || element.isFloatingPoint || k === TypeKind.Pointer || k === TypeKind.TargetExt;
    if (!isValid) this.fail('invalid vector element type', loc);
    return this.types.vector(element, size, isScalable);
  }

  private parseTargetExtType(): IRType {
    this.lx.next();
    this.nest();
    this.expect(Tok.LParen, "expected '(' in target extension type");
    const name = this.parseString();
    const types: IRType[] = [];
    const ints: number[] = [];
    while (this.eat(Tok.Comma)) {
      if (this.lx.is(Tok.Int)) ints.push(this.parseUInt32());
      else if (ints.length > 0) this.fail('expected uint32 param');
      else types.push(this.parseType('expected type', true));
    }
    this.nesting--;
    this.expect(Tok.RParen, "expected ')' in target extension type");
    return this.types.targetExt(name, types, ints);
  }

  private namedType(name: string, loc: number): IRType {
    let e = this.typesByName.get(name);
    if (e === undefined) {
      e = { type: this.types.identified(name, -1), forwardOffset: loc };
      this.typesByName.set(name, e);
    }
    return e.type;
  }

  private numberedType(n: number, loc: number): IRType {
    let e = this.typesByNumber.get(n);
    if (e === undefined) {
      e = { type: this.types.identified(null, n), forwardOffset: loc };
      this.typesByNumber.set(n, e);
    }
    return e.type;
  }

  /** After `%T = type`: a struct body, `opaque`, or another type that the name then stands for. */
  protected parseTypeDefinition(name: string | null, n: number, loc: number): void {
    const lx = this.lx;
    let e = name === null ? this.typesByNumber.get(n) : this.typesByName.get(name);
    if (e !== undefined && e.forwardOffset < 0) this.fail('redefinition of type', loc);
    const keep = (entry: TypeEntry): void => {
      if (name === null) this.typesByNumber.set(n, entry);
      else this.typesByName.set(name, entry);
    };
    if (this.eat(Tok.KOpaque)) {
      if (e === undefined) keep((e = { type: this.types.identified(name, n), forwardOffset: -1 }));
      e.forwardOffset = -1;
      this.module.namedTypes.push(e.type);
      return;
    }
    const isPacked = this.eat(Tok.Less);
    if (!lx.is(Tok.LBrace)) {
      if (e !== undefined) this.fail('forward references to non-struct type', loc);
      // A name for a type that is no struct is only an abbreviation.
      const t = isPacked ? this.parseArrayVector(true) : this.parseType();
      keep({ type: t, forwardOffset: -1 });
      return;
    }
    if (e === undefined) keep((e = { type: this.types.identified(name, n), forwardOffset: -1 }));
    e.forwardOffset = -1;
    const fields = this.parseStructBody();
    if (isPacked) this.expect(Tok.Greater, "expected '>' in packed struct");
    if (containsByValue(fields, e.type)) this.fail(`identified structure type '${name ?? ''}' is recursive`);
    e.type.elements = fields;
    e.type.flag = isPacked;
    e.type.isOpaque = false;
    this.module.namedTypes.push(e.type);
  }

  parseOptionalAddrSpace(defaultSpace = 0): number {
    if (!this.lx.is(Tok.KAddrspace)) return defaultSpace;
    this.lx.next();
    this.expect(Tok.LParen, "expected '(' in address space");
    let space: number;
    if (this.lx.is(Tok.String)) {
      const s = this.lx.str;
      if (s === 'A') space = 5;
      else if (s === 'G') space = 1;
      else if (s === 'P') space = 0;
      else this.fail(`invalid symbolic addrspace '${s}'`);
      this.lx.next();
    } else {
      if (!this.lx.is(Tok.Int)) this.fail('expected integer or string constant');
      const loc = this.lx.start;
      space = this.parseUInt32();
      if (space >= 1 << 24) this.fail('invalid address space, must be a 24-bit integer', loc);
    }
    this.expect(Tok.RParen, "expected ')' in address space");
    return space;
  }

  // -- attributes ---------------------------------------------------------------------------------------------------

  /** Text of a word that may be an attribute (also words that are keywords for other reasons), '' for other tokens. */
  private attributeWord(): string {
    const k = this.lx.kind;
    if (k === Tok.Word || k >= Tok.KFneg) {
      const w = this.lx.raw;
      if (w === 'denormal_fpenv' && !this.module.dialect.rules.hasDenormalEnvironment) return '';
      if (attributePlaces().has(w)) return w;
    }
    return '';
  }

  /** Attributes of a parameter or a result; null if there are none. */
  parseParamAttrs(isReturn: boolean): AttributeSet | null {
    const lx = this.lx;
    // What follows a type in nearly all cases.
    if (lx.is(Tok.LocalVar) || lx.is(Tok.Comma) || lx.is(Tok.RParen) || lx.is(Tok.LocalID)) return null;
    let b: AttrBuilder | null = null;
    /** the last one: LLVM reads on, and of several errors the last one stays */
    let misplaced = -1;
    for (;;) {
      if (lx.is(Tok.String)) {
        this.parseStringAttribute((b ??= new AttrBuilder()));
        continue;
      }
      if (lx.is(Tok.KNocapture)) {
        b ??= new AttrBuilder();
        b.values.set('captures', { text: 'none', type: null, numbers: null });
        lx.next();
        continue;
      }
      const w = this.attributeWord();
      if (w === '') break;
      const loc = lx.start;
      b ??= new AttrBuilder();
      this.parseAttribute(w, b, false);
      const place = attributePlaces().get(w)!;
      if ((place & (isReturn ? AttrPlace.Ret : AttrPlace.Param)) === 0) misplaced = loc;
    }
    if (misplaced >= 0)
      this.fail(`this attribute does not apply to ${isReturn ? 'return values' : 'parameters'}`, misplaced);
    return b === null ? null : b.finish();
  }

  /** Attributes without regard to where they may stand, up to the end of the text (tables of intrinsics). */
  parseParamAttrsAnywhere(): AttributeSet | null {
    const b = new AttrBuilder();
    for (let w = this.attributeWord(); w !== ''; w = this.attributeWord()) this.parseAttribute(w, b, false);
    return b.finish();
  }

  /** Attributes of a function or a call, with `#N` references; in a group up to `}`. `refs` receives the group numbers. */
  parseFnAttrs(b: AttrBuilder, refs: number[] | null): void {
    const lx = this.lx;
    const inGroup = refs === null;
    let misplaced = -1;
    for (;;) {
      if (lx.is(Tok.RBrace) && inGroup) break;
      if (lx.is(Tok.AttrGrpID)) {
        if (inGroup) this.fail('cannot have an attribute group reference in an attribute group');
        refs.push(lx.id);
        lx.next();
        continue;
      }
      if (lx.is(Tok.String)) {
        this.parseStringAttribute(b);
        continue;
      }
      const k = lx.kind;
      const memory = k === Tok.Word || k >= Tok.KFneg ? memoryFromWord(lx.raw) : -1;
      if (memory >= 0) {
        b.memory &= memory;
        lx.next();
        continue;
      }
      const w = this.attributeWord();
      if (w === '') {
        if (!inGroup) break;
        this.fail('unterminated attribute group');
      }
      const loc = lx.start;
      if (w === 'align') {
        // `align` among function attributes is the alignment of the function, not an attribute.
        if (!inGroup) {
          const align = this.parseOptionalAlignment(true);
          b.values.set('align', { text: String(align), type: null, numbers: [BigInt(align)] });
          continue;
        }
        lx.next();
        this.expect(Tok.Equal, "expected '=' here");
        const align = this.parseUInt32();
        b.values.set('align', { text: String(align), type: null, numbers: [BigInt(align)] });
        continue;
      }
      this.parseAttribute(w, b, inGroup);
      if (w === 'builtin') b.builtinAt = loc;
      if ((attributePlaces().get(w)! & AttrPlace.Fn) === 0) misplaced = loc;
    }
    if (misplaced >= 0) this.fail('this attribute does not apply to functions', misplaced);
    if (b.memory === MEMORY_UNKNOWN) return;
    const text = printMemory(b.memory, this.module.dialect.rules.hasTargetMemory);
    b.values.set('memory', { text, type: null, numbers: null });
  }

  private parseStringAttribute(b: AttrBuilder): void {
    const key = this.parseString();
    b.strings.set(key, this.eat(Tok.Equal) ? this.parseString() : '');
  }

  /** The word is the current token. */
  private parseAttribute(w: string, b: AttrBuilder, inGroup: boolean): void {
    const lx = this.lx;
    switch (w) {
      case 'align': {
        const align = this.parseOptionalAlignment(true);
        b.values.set(w, { text: String(align), type: null, numbers: [BigInt(align)] });
        return;
      }
      case 'alignstack':
        return this.parseStackAlignment(b, inGroup);
      case 'dereferenceable':
      case 'dereferenceable_or_null':
        return this.parseDereferenceable(w, b, inGroup);
      case 'byval':
      case 'byref':
      case 'sret':
      case 'elementtype':
      case 'inalloca':
      case 'preallocated': {
        lx.next();
        this.expect(Tok.LParen, "expected '('");
        const type = this.parseType();
        this.expect(Tok.RParen, "expected ')'");
        b.values.set(w, { text: '', type, numbers: null });
        return;
      }
      case 'memory': {
        lx.next();
        const { hasTargetMemory } = this.module.dialect.rules;
        b.values.set(w, {
          text: printMemory(parseMemory(lx, hasTargetMemory), hasTargetMemory),
          type: null,
          numbers: null,
        });
        return;
      }
      case 'captures':
        lx.next();
        b.values.set(w, { text: parseCaptures(lx), type: null, numbers: null });
        return;
      case 'nofpclass':
        lx.next();
        b.values.set(w, { text: parseNoFPClass(lx), type: null, numbers: null });
        return;
      case 'denormal_fpenv':
        lx.colonsApart = true;
        lx.next();
        b.values.set(w, { text: parseDenormalEnvironment(lx), type: null, numbers: null });
        return;
      case 'allocsize': {
        lx.next();
        this.expect(Tok.LParen, "expected '('");
        let text = String(this.parseUInt32());
        if (this.eat(Tok.Comma)) text += ',' + String(this.parseUInt32());
        this.expect(Tok.RParen, "expected ')'");
        b.values.set(w, { text, type: null, numbers: null });
        return;
      }
      case 'allockind': {
        lx.next();
        this.expect(Tok.LParen, "expected '('");
        const loc = lx.start;
        if (!lx.is(Tok.String)) this.fail('expected allockind value');
        const kinds = this.parseString().split(',');
        const unknown = kinds.find((kind) => !ALLOC_KINDS.includes(kind));
        if (unknown !== undefined) this.fail(`unknown allockind ${unknown}`, loc);
        this.expect(Tok.RParen, "expected ')'");
        const text = ALLOC_KINDS.filter((kind) => kinds.includes(kind)).join(',');
        b.values.set(w, { text: `"${text}"`, type: null, numbers: null });
        return;
      }
      case 'vscale_range': {
        lx.next();
        this.expect(Tok.LParen, "expected '('");
        const min = this.parseUInt32();
        const max = this.eat(Tok.Comma) ? this.parseUInt32() : min;
        this.expect(Tok.RParen, "expected ')'");
        if (min !== 0 || max !== 0) b.values.set(w, { text: `${min},${max}`, type: null, numbers: null });
        return;
      }
      case 'uwtable':
        return this.parseUnwindTable(b);
      case 'range':
        return this.parseRange(b);
      case 'initializes':
        return this.parseInitializes(b);
      default:
        lx.next();
        b.values.set(w, PLAIN_ATTRIBUTE);
    }
  }

  private parseStackAlignment(b: AttrBuilder, inGroup: boolean): void {
    const lx = this.lx;
    lx.next();
    let n: number;
    let loc = 0;
    if (inGroup) {
      this.expect(Tok.Equal, "expected '=' here");
      n = this.parseUInt32();
    } else {
      if (!lx.is(Tok.LParen)) this.fail("expected '('");
      lx.next();
      loc = lx.start;
      n = this.parseUInt32();
      this.expect(Tok.RParen, "expected ')'");
    }
    if (!inGroup && (n === 0 || (n & (n - 1)) !== 0)) this.fail('stack alignment is not a power of two', loc);
    b.values.set('alignstack', { text: String(n), type: null, numbers: [BigInt(n)] });
  }

  private parseDereferenceable(w: string, b: AttrBuilder, inGroup: boolean): void {
    const lx = this.lx;
    lx.next();
    if (inGroup && this.eat(Tok.Equal)) {
      const n = this.parseUInt64();
      b.values.set(w, { text: String(n), type: null, numbers: [n] });
      return;
    }
    this.expect(Tok.LParen, "expected '('");
    const loc = lx.start;
    const n = this.parseUInt64();
    this.expect(Tok.RParen, "expected ')'");
    if (n === 0n) this.fail('dereferenceable bytes must be non-zero', loc);
    b.values.set(w, { text: String(n), type: null, numbers: [n] });
  }

  private parseUnwindTable(b: AttrBuilder): void {
    const lx = this.lx;
    lx.next();
    let text = '';
    if (this.eat(Tok.LParen)) {
      if (this.eatWord('sync')) text = 'sync';
      else if (!this.eatWord('async')) this.fail('expected unwind table kind');
      this.expect(Tok.RParen, "expected ')'");
    }
    b.values.set('uwtable', { text, type: null, numbers: null });
  }

  private parseRange(b: AttrBuilder): void {
    const lx = this.lx;
    lx.next();
    this.expect(Tok.LParen, "expected '('");
    const loc = lx.start;
    const type = this.parseType();
    if (type.kind !== TypeKind.Integer) this.fail('the range must have integer type!', loc);
    const lower = this.parseRangeBound(type.n);
    this.expect(Tok.Comma, "expected ','");
    const upper = this.parseRangeBound(type.n);
    if (lower === upper && lower !== 0n) this.fail("the range represent the empty set but limits aren't 0!");
    this.expect(Tok.RParen, "expected ')'");
    const text = `${BigInt.asIntN(type.n, lower)}, ${BigInt.asIntN(type.n, upper)}`;
    b.values.set('range', { text, type, numbers: [lower, upper] });
  }

  private parseInitializes(b: AttrBuilder): void {
    const lx = this.lx;
    lx.next();
    this.expect(Tok.LParen, "expected '('");
    const numbers: bigint[] = [];
    let text = '';
    do {
      this.expect(Tok.LParen, "expected '('");
      const lower = this.parseRangeBound(64);
      this.expect(Tok.Comma, "expected ','");
      const upper = this.parseRangeBound(64);
      if (lower === upper) this.fail('the range should not represent the full or empty set!');
      this.expect(Tok.RParen, "expected ')'");
      numbers.push(lower, upper);
      text += `${text === '' ? '' : ', '}(${BigInt.asIntN(64, lower)}, ${BigInt.asIntN(64, upper)})`;
    } while (this.eat(Tok.Comma));
    this.expect(Tok.RParen, "expected ')'");
    const bounds = numbers.map((n) => BigInt.asIntN(64, n));
    if (bounds.some((n, i) => i > 0 && n <= (bounds[i - 1] as bigint)))
      this.fail('Invalid (unordered or overlapping) range list');
    b.values.set('initializes', { text, type: null, numbers });
  }

  private parseRangeBound(bits: number): bigint {
    if (!this.lx.is(Tok.Int)) this.fail('expected integer');
    const v = BigInt.asUintN(bits, parseIntToken(this.lx.raw));
    this.lx.next();
    return v;
  }

  /** `align N` (or `align(N)` where allowed); 0 when there is none. */
  parseOptionalAlignment(allowParens = false): number {
    if (!this.eat(Tok.KAlign)) return 0;
    const loc = this.lx.start;
    const hasParens = allowParens && this.eat(Tok.LParen);
    const value = this.parseUInt64();
    if (hasParens && !this.eat(Tok.RParen)) this.fail("expected ')'", loc);
    if (value === 0n || (value & (value - 1n)) !== 0n) this.fail('alignment is not a power of two', loc);
    if (value > 1n << 32n) this.fail('huge alignments are not supported yet', loc);
    return Number(value);
  }

  /** Number of the calling convention; 0 when none is written. */
  parseOptionalCallingConv(): number {
    const lx = this.lx;
    if (lx.is(Tok.KCc)) {
      lx.next();
      return this.parseUInt32();
    }
    if (!lx.is(Tok.Word)) return 0;
    const word = lx.raw;
    if (word === 'riscv_vls_cc') return this.parseRiscvVls();
    const cc = callingConvNumber(word);
    if (cc === undefined) return 0;
    lx.next();
    return cc;
  }

  private parseRiscvVls(): number {
    this.lx.next();
    let length = 128;
    if (this.eat(Tok.LParen)) {
      length = this.parseUInt32();
      this.expect(Tok.RParen, "expected ')'");
    }
    const cc = callingConvNumber(`riscv_vls_cc(${length})`);
    if (cc === undefined) this.fail('unknown RISC-V ABI VLEN');
    return cc;
  }
}

/** Whether a value of `inner` lies in the fields. */
function containsByValue(fields: readonly IRType[], inner: IRType): boolean {
  const seen = new Set<IRType>();
  const stack = [...fields];
  for (let t = stack.pop(); t !== undefined; t = stack.pop()) {
    if (t === inner) return true;
    if (seen.has(t) || t.kind === TypeKind.Function) continue;
    seen.add(t);
    for (const element of t.elements) stack.push(element);
  }
  return false;
}

export function isValidPointee(t: IRType): boolean {
  const k = t.kind;
  return (
    k !== TypeKind.Void &&
    k !== TypeKind.Label &&
    k !== TypeKind.Metadata &&
    k !== TypeKind.Token &&
    k !== TypeKind.X86AMX
  );
}

/** @llvm Type.cpp FunctionType::isValidArgumentType */
export function isValidArgument(t: IRType): boolean {
  return t.isFirstClass && t.kind !== TypeKind.Label;
}

export function isValidElement(t: IRType): boolean {
  return isValidPointee(t) && t.kind !== TypeKind.Function;
}

/** Decimal, or `u0x`/`s0x` hexadecimal. */
export function parseIntToken(text: string): bigint {
  const c = text.charCodeAt(0);
  if (c === 117 || c === 115) {
    const digits = text.slice(3);
    const v = BigInt('0x' + digits);
    // `s0x` takes the top bit of its (smallest) width as the sign.
    return c === 115 ? BigInt.asIntN(digits.length * 4, v) : v;
  }
  return BigInt(text);
}
