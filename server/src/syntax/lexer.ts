/**
 * Lexer of MIR body text. Token for token the language of LLVM 22's MILexer (observed with llc-22; docs/llvm/mir-format.md, 4), which
 * no token of our own extends: a line that LLVM cannot lex yields a Tok.Error with LLVM's message.
 *
 * The lexer is one object with the current token in its fields; `next()` allocates nothing. Names are interned on the way.
 * Every token lies within one line; operand comments may span several.
 */
import type { Interner } from '../util/interner.js';

export const enum Tok {
  Error = 0,
  Eof = 1,
  Newline = 2,
  // punctuation
  Comma = 3,
  Equal = 4,
  Colon = 5,
  ColonColon = 6,
  Dot = 7,
  LParen = 8,
  RParen = 9,
  LBrace = 10,
  RBrace = 11,
  Plus = 12,
  Minus = 13,
  Less = 14,
  Greater = 15,
  Exclaim = 16,
  // literals
  Integer = 20,
  Hex = 21,
  Float = 22,
  String = 23,
  // names
  Identifier = 24,
  BlockLabel = 25,
  BlockRef = 26,
  VirtualRegister = 27,
  NamedVirtualRegister = 28,
  NamedRegister = 29,
  StackObject = 30,
  FixedStackObject = 31,
  ConstantPoolItem = 32,
  JumpTableIndex = 33,
  SubRegIndex = 34,
  /** `%ir-block.5` */
  IRBlock = 35,
  NamedIRBlock = 36,
  /** `%ir.5` */
  IRValue = 37,
  NamedIRValue = 38,
  /** `` `...` `` */
  QuotedIRValue = 39,
  /** `@5` */
  GlobalValue = 40,
  NamedGlobalValue = 41,
  ExternalSymbol = 42,
  MCSymbol = 43,
  // `!keyword`
  MdTBAA = 45,
  MdAliasScope = 46,
  MdNoAlias = 47,
  MdNoAliasAddrSpace = 48,
  MdRange = 49,
  MdDIExpression = 50,
  MdDILocation = 51,
  // keywords: identifiers with a meaning of their own
  KwUnderscore = 60,
  // register flags, in the order of RegFlag's bits
  KwImplicit = 61,
  KwImplicitDef = 62,
  KwDef = 63,
  KwDead = 64,
  KwKilled = 65,
  KwUndef = 66,
  KwInternal = 67,
  KwEarlyClobber = 68,
  KwDebugUse = 69,
  KwRenamable = 70,
  KwTiedDef = 71,
  // instruction flags, in the order of INSTR_FLAG_WORDS (bit 13, nomerge, is no keyword)
  KwFrameSetup = 72,
  KwLRSplit = 93,
  KwDebugLocation = 94,
  KwDebugInstrNumber = 95,
  KwDbgInstrRef = 96,
  KwPreInstrSymbol = 97,
  KwPostInstrSymbol = 98,
  KwHeapAllocMarker = 99,
  KwPCSections = 100,
  KwCFIType = 101,
  KwDeactivationSymbol = 102,
  KwBlockAddress = 103,
  KwIntrinsic = 104,
  KwTargetIndex = 105,
  KwTargetFlags = 106,
  KwLiveOut = 107,
  KwFloatPred = 108,
  KwIntPred = 109,
  KwShuffleMask = 110,
  KwLaneMask = 111,
  // floating-point types, in the order of FPType
  KwHalf = 112,
  KwBFloat = 113,
  KwFloat = 114,
  KwDouble = 115,
  KwX86FP80 = 116,
  KwFP128 = 117,
  KwPPCFP128 = 118,
  // memory operand flags, in the order of MemOperandFlag's bits
  KwVolatile = 119,
  KwNonTemporal = 120,
  KwDereferenceable = 121,
  KwInvariant = 122,
  KwAlign = 123,
  KwBaseAlign = 124,
  KwAddrSpace = 125,
  KwStack = 126,
  KwGOT = 127,
  KwJumpTable = 128,
  KwConstantPool = 129,
  KwCallEntry = 130,
  KwCustom = 131,
  KwUnknownSize = 132,
  KwUnknownAddress = 133,
  KwLandingPad = 134,
  KwInlineAsmBrIndirectTarget = 135,
  KwEHFuncletEntry = 136,
  KwEHScopeEntry = 137,
  KwMachineBlockAddressTaken = 138,
  KwIRBlockAddressTaken = 139,
  KwBBSections = 140,
  KwBBId = 141,
  KwCallFrameSize = 142,
  KwLiveIns = 143,
  KwSuccessors = 144,
  KwDistinct = 145,
  // CFI, in the order of CFI_WORDS
  KwCFISameValue = 150,
  KwCFINegateRaSignStateWithPC = 166,
}

const KEYWORDS: ReadonlyMap<string, number> = new Map([
  ...[
    ['_', 'implicit', 'implicit-def', 'def', 'dead', 'killed', 'undef', 'internal', 'early-clobber', 'debug-use'],
    ['renamable', 'tied-def', 'frame-setup', 'frame-destroy', 'nnan', 'ninf', 'nsz', 'arcp', 'contract', 'afn'],
    ['reassoc', 'nuw', 'nsw', 'exact', 'nofpexcept', '', 'unpredictable', 'noconvergent', 'nneg', 'disjoint'],
    [
      'nusw',
      'samesign',
      'inbounds',
      'lr-split',
      'debug-location',
      'debug-instr-number',
      'dbg-instr-ref',
      'pre-instr-symbol',
    ],
    ['post-instr-symbol', 'heap-alloc-marker', 'pcsections', 'cfi-type', 'deactivation-symbol', 'blockaddress'],
    ['intrinsic', 'target-index', 'target-flags', 'liveout', 'floatpred', 'intpred', 'shufflemask', 'lanemask'],
    ['half', 'bfloat', 'float', 'double', 'x86_fp80', 'fp128', 'ppc_fp128', 'volatile', 'non-temporal'],
    ['dereferenceable', 'invariant', 'align', 'basealign', 'addrspace', 'stack', 'got', 'jump-table'],
    ['constant-pool', 'call-entry', 'custom', 'unknown-size', 'unknown-address', 'landing-pad'],
    ['inlineasm-br-indirect-target', 'ehfunclet-entry', 'ehscope-entry', 'machine-block-address-taken'],
    ['ir-block-address-taken', 'bbsections', 'bb_id', 'call-frame-size', 'liveins', 'successors', 'distinct'],
  ]
    .flat()
    .map((word, i): [string, number] => [word, Tok.KwUnderscore + i]),
  ...[
    ['same_value', 'offset', 'rel_offset', 'def_cfa_register', 'def_cfa_offset', 'adjust_cfa_offset', 'escape'],
    ['def_cfa', 'llvm_def_aspace_cfa', 'remember_state', 'restore', 'restore_state', 'undefined', 'register'],
    ['window_save', 'negate_ra_sign_state', 'negate_ra_sign_state_with_pc'],
  ]
    .flat()
    .map((word, i): [string, number] => [word, Tok.KwCFISameValue + i]),
]);

const METADATA_KEYWORDS: ReadonlyMap<string, number> = new Map([
  ['!tbaa', Tok.MdTBAA],
  ['!alias.scope', Tok.MdAliasScope],
  ['!noalias', Tok.MdNoAlias],
  ['!noalias.addrspace', Tok.MdNoAliasAddrSpace],
  ['!range', Tok.MdRange],
  ['!DIExpression', Tok.MdDIExpression],
  ['!DILocation', Tok.MdDILocation],
]);

/** Character classes, by code below 128. */
const enum Char {
  /** `[A-Za-z0-9_$-]` */
  RegisterChar = 1,
  /** RegisterChar or `.` */
  IdentifierChar = 2,
  /** `[A-Za-z_]` */
  IdentifierStart = 4,
  Digit = 8,
  HexDigit = 16,
}

const CHARS = ((): Uint8Array => {
  const t = new Uint8Array(128);
  const add = (range: string, bits: number): void => {
    for (let c = range.charCodeAt(0); c <= range.charCodeAt(range.length - 1); c++) t[c] |= bits;
  };
  const letter = Char.RegisterChar | Char.IdentifierChar | Char.IdentifierStart;
  add('AZ', letter);
  add('az', letter);
  add('_', letter);
  add('$', Char.RegisterChar | Char.IdentifierChar);
  add('-', Char.RegisterChar | Char.IdentifierChar);
  add('.', Char.IdentifierChar);
  add('09', Char.RegisterChar | Char.IdentifierChar | Char.Digit | Char.HexDigit);
  add('AF', Char.HexDigit);
  add('af', Char.HexDigit);
  return t;
})();

const TWO_32 = 4294967296;

/** Which names of an interner are keywords. A name is looked up once, after it was met first. */
class KeywordKinds {
  private kinds = new Uint8Array(1024);
  private nKnown = 0;

  constructor(private readonly interner: Interner) {}

  /** Kind of the keyword, 0 when the name is none. */
  of(id: number): number {
    if (id >= this.nKnown) this.lookUp();
    return this.kinds[id];
  }

  private lookUp(): void {
    const { size } = this.interner;
    if (size > this.kinds.length) {
      const kinds = new Uint8Array(2 * size);
      kinds.set(this.kinds);
      this.kinds = kinds;
    }
    while (this.nKnown < size) this.kinds[this.nKnown] = KEYWORDS.get(this.interner.text(this.nKnown++)) ?? 0;
  }
}

const keywordKinds = new WeakMap<Interner, KeywordKinds>();

function keywordsOf(interner: Interner): KeywordKinds {
  let known = keywordKinds.get(interner);
  if (known === undefined) keywordKinds.set(interner, (known = new KeywordKinds(interner)));
  return known;
}

/** `\\` and `\HH` of a quoted name. Other backslashes stand for themselves, as in LLVM. */
function unescapeQuoted(s: string): string {
  return s.replace(/\\(\\|[0-9A-Fa-f]{2})/g, (_, e: string) =>
    e === '\\' ? '\\' : String.fromCharCode(parseInt(e, 16)),
  );
}

export class Lexer {
  // -- current token ---------------------------------------------------------------------------------------------
  private kind: Tok = Tok.Newline;
  start = 0;
  end = 0;
  /** interner id of identifiers, names and decoded quoted text; number of numbered tokens */
  value = 0;
  /** id of the `.name` after a block or stack number, or -1 */
  nameId = -1;
  /** integers: low and high half of the 64-bit two's complement value, IntFlag bits */
  intLo = 0;
  intHi = 0;
  intFlags = 0;
  /** Tok.Error: LLVM's message; `errorAt` = the offset it names */
  message = '';
  errorAt = 0;
  /** offset of the `;` of a comment skipped before the current token, or -1 */
  comment = -1;
  /** line breaks in operand comments since `reset` */
  breaksInComments = 0;
  /** an operand comment that never ends was met; stays until it is reset by the owner */
  hasOpenComment = false;
  /** end of the token before */
  prevEnd = 0;

  private pos = 0;
  private limit = 0;
  /** from here on there is no end of an operand comment before `limit` */
  private noCommentEnd = Infinity;
  private readonly keywords: KeywordKinds;
  private wordHash = 0;

  constructor(
    private readonly text: string,
    private readonly interner: Interner,
  ) {
    this.keywords = keywordsOf(interner);
  }

  /** Kind of the current token. A method, for TypeScript would think a field constant across `next()`. */
  tok(): Tok {
    return this.kind;
  }

  /** Starts at `pos`; text from `limit` on does not exist for the lexer. Reads no token yet. */
  reset(pos: number, limit: number): void {
    this.pos = pos;
    if (limit !== this.limit) this.noCommentEnd = Infinity;
    this.limit = limit;
    this.breaksInComments = 0;
    this.start = this.end = this.prevEnd = pos;
    this.comment = -1;
    this.kind = Tok.Newline;
  }

  /** Reads the next token. After Tok.Error the lexer stands after the offending text; at the end it stays at Tok.Eof. */
  next(): void {
    const text = this.text;
    const limit = this.limit;
    this.prevEnd = this.end;
    let p = this.pos;
    let c = p < limit ? text.charCodeAt(p) : -1;
    while (c === 32 || c === 9) c = ++p < limit ? text.charCodeAt(p) : -1;
    if (c === 59 /* ; */) {
      this.comment = p;
      do c = ++p < limit ? text.charCodeAt(p) : -1;
      while (c !== 10 && c !== 13 && c !== -1);
    }
    if (c === 47 /* / */ && p + 1 < limit && text.charCodeAt(p + 1) === 42) {
      const q = this.endOfOperandComment(p + 1);
      if (q >= 0) {
        p = q;
        c = p < limit ? text.charCodeAt(p) : -1;
        while (c === 32 || c === 9) c = ++p < limit ? text.charCodeAt(p) : -1;
      }
    }
    this.start = p;

    if (c < 0) {
      this.finish(Tok.Eof, p);
      return;
    }
    const cls = c < 128 ? CHARS[c] : 0;
    if ((cls & Char.IdentifierStart) !== 0) {
      this.identifier(p);
      return;
    }
    if ((cls & Char.Digit) !== 0) {
      this.number(p);
      return;
    }
    switch (c) {
      case 10:
        this.finish(Tok.Newline, p + 1);
        return;
      case 13:
        this.finish(Tok.Newline, p + 1 < limit && text.charCodeAt(p + 1) === 10 ? p + 2 : p + 1);
        return;
      case 37 /* % */:
        this.percent(p);
        return;
      case 36 /* $ */:
        this.end = this.scanWord(p + 1, Char.RegisterChar);
        this.value = this.interner.internHashed(text, p + 1, this.end, this.wordHash);
        this.finish(Tok.NamedRegister, this.end);
        return;
      case 44:
        this.finish(Tok.Comma, p + 1);
        return;
      case 61:
        this.finish(Tok.Equal, p + 1);
        return;
      case 58:
        if (this.at(p + 1) === 58) this.finish(Tok.ColonColon, p + 2);
        else this.finish(Tok.Colon, p + 1);
        return;
      case 46:
        this.finish(Tok.Dot, p + 1);
        return;
      case 40:
        this.finish(Tok.LParen, p + 1);
        return;
      case 41:
        this.finish(Tok.RParen, p + 1);
        return;
      case 123:
        this.finish(Tok.LBrace, p + 1);
        return;
      case 125:
        this.finish(Tok.RBrace, p + 1);
        return;
      case 43:
        this.finish(Tok.Plus, p + 1);
        return;
      case 45:
        if (this.is(p + 1, Char.Digit)) this.number(p);
        else this.finish(Tok.Minus, p + 1);
        return;
      case 62:
        this.finish(Tok.Greater, p + 1);
        return;
      case 60:
        if (text.startsWith('<mcsymbol ', p) && p + 10 <= limit) this.mcSymbol(p);
        else this.finish(Tok.Less, p + 1);
        return;
      case 33:
        this.exclaim(p);
        return;
      case 64 /* @ */:
        if (this.is(p + 1, Char.Digit)) this.numbered(Tok.GlobalValue, p + 1);
        else this.nameOrQuoted(Tok.NamedGlobalValue, p + 1);
        return;
      case 38 /* & */:
        this.nameOrQuoted(Tok.ExternalSymbol, p + 1);
        return;
      case 34:
        this.quoted(Tok.String, p, 34);
        return;
      case 96:
        this.quoted(Tok.QuotedIRValue, p, 96);
        return;
      default:
        this.unexpected(p);
    }
  }

  /** The value of the current integer as LLVM's getUnsigned reads it, or -1 when it needs more than 32 bits. */
  unsigned32(): number {
    const v = this.unsignedValue();
    return v < TWO_32 ? v : -1;
  }

  /**
   * LLVM stores a negative literal in the fewest bits that hold it and, where it wants an unsigned number, reads these bits as
   * such: -1 is 1, -3 is 5 (checked with `liveins: $sgpr0:-1` and `tied-def -1`). A double: Infinity when over 64 bits.
   */
  unsignedValue(): number {
    if ((this.intFlags & 8) !== 0) return Infinity;
    if ((this.intFlags & 1) === 0) return (this.intHi >>> 0) * TWO_32 + (this.intLo >>> 0);
    const magnitude = -(this.intHi * TWO_32 + (this.intLo >>> 0));
    let power = 1;
    while (power < magnitude) power *= 2;
    return power * 2 - magnitude;
  }

  private finish(kind: Tok, end: number): void {
    this.kind = kind;
    this.end = end;
    this.pos = end;
  }

  private fail(at: number, message: string, end: number): void {
    this.message = message;
    this.errorAt = at;
    this.finish(Tok.Error, end);
  }

  private at(p: number): number {
    return p < this.limit ? this.text.charCodeAt(p) : -1;
  }

  private is(p: number, cls: Char): boolean {
    const c = this.at(p);
    return c >= 0 && c < 128 && (CHARS[c] & cls) !== 0;
  }

  /** One error for a run of the same character: a line of a million of them has one thing wrong. */
  private unexpected(p: number): void {
    const code = this.text.codePointAt(p) as number;
    const width = code > 0xffff && p + 2 <= this.limit ? 2 : 1;
    const character = this.text.slice(p, p + width);
    let end = p + width;
    while (end + width <= this.limit && this.text.startsWith(character, end)) end += width;
    this.fail(p, `unexpected character '${character}'`, end);
  }

  /** Position after the closing `* /`, or -1. The star that opens the comment may close it too, and it may span lines, as in LLVM. */
  private endOfOperandComment(p: number): number {
    const from = p;
    let breaks = 0;
    for (; p < this.limit && from < this.noCommentEnd; p++) {
      const c = this.text.charCodeAt(p);
      if (c === 10 || (c === 13 && this.at(p + 1) !== 10)) breaks++;
      if (c !== 42 || this.at(p + 1) !== 47) continue;
      this.breaksInComments += breaks;
      return p + 2;
    }
    // The next comment that does not end is not searched for again.
    this.noCommentEnd = Math.min(this.noCommentEnd, from);
    this.hasOpenComment = true;
    return -1;
  }

  /** End of the run of `cls` characters from p; leaves its hash in `wordHash`. */
  private scanWord(p: number, cls: Char): number {
    const text = this.text;
    const limit = this.limit;
    let h = 0;
    while (p < limit) {
      const c = text.charCodeAt(p);
      if (c >= 128 || (CHARS[c] & cls) === 0) break;
      h = ((h << 7) - h + c) | 0;
      p++;
    }
    this.wordHash = h;
    return p;
  }

  private identifier(p: number): void {
    const text = this.text;
    if (text.charCodeAt(p) === 98 && this.at(p + 1) === 98 && this.at(p + 2) === 46) {
      this.block(Tok.BlockLabel, p, p + 3);
      return;
    }
    const end = this.scanWord(p, Char.IdentifierChar);
    const id = this.interner.internHashed(text, p, end, this.wordHash);
    this.value = id;
    const keyword = this.keywords.of(id);
    this.finish(keyword !== 0 ? keyword : Tok.Identifier, end);
  }

  /** `bb.N[.name]`, `%bb.N[.name]`; the number starts at `p` */
  private block(kind: Tok, start: number, p: number): void {
    if (!this.is(p, Char.Digit)) {
      // LLVM goes on after nothing; we skip the word so that the rest of the line is looked at.
      this.fail(p, "expected a number after '%bb.'", Math.max(this.scanWord(p, Char.IdentifierChar), start + 3));
      return;
    }
    this.indexAndName(kind, p);
  }

  private indexAndName(kind: Tok, p: number): void {
    let end = this.digits(p);
    this.nameId = -1;
    if (this.at(end) === 46) {
      const nameStart = end + 1;
      end = this.scanWord(nameStart, Char.IdentifierChar);
      if (end > nameStart) this.nameId = this.interner.internHashed(this.text, nameStart, end, this.wordHash);
    }
    this.finish(kind, end);
  }

  private numbered(kind: Tok, p: number): void {
    this.nameId = -1;
    this.finish(kind, this.digits(p));
  }

  /** Decodes a run of digits as an unsigned integer; `value` gets it when it fits 32 bits (as a uint32 pattern). */
  private digits(p: number): number {
    const text = this.text;
    const limit = this.limit;
    const first = p;
    let v = 0;
    while (p < limit) {
      const d = text.charCodeAt(p) - 48;
      if (d < 0 || d > 9) break;
      v = v * 10 + d;
      p++;
    }
    this.setMagnitude(v, first, p, false);
    this.value = this.intLo;
    return p;
  }

  private setMagnitude(v: number, from: number, to: number, negative: boolean): void {
    if (v <= 0x7fffffff) {
      this.intLo = negative ? -v | 0 : v;
      this.intHi = negative && v !== 0 ? -1 : 0;
      this.intFlags = negative && v !== 0 ? 1 : 0;
      return;
    }
    if (v < 9007199254740992) {
      if (negative) v = -v;
      this.intLo = v | 0;
      this.intHi = Math.floor(v / TWO_32) | 0;
      this.intFlags = negative ? 1 : 0;
      return;
    }
    // LLVM's integers have any size; beyond 64 bits nothing accepts them, so a longer run need not be converted.
    let b = to - from <= 400 ? BigInt(this.text.slice(from, to)) : 1n << 65n;
    if (negative) b = -b;
    this.setBig(b);
  }

  private setBig(b: bigint): void {
    this.intFlags = b < 0n ? 1 : 0;
    if (b >= 1n << 64n || b < -(1n << 63n)) {
      this.intFlags |= 8;
      this.intLo = this.intHi = 0;
      return;
    }
    if (b >= 1n << 63n) this.intFlags |= 4;
    this.intLo = Number(BigInt.asIntN(32, b));
    this.intHi = Number(BigInt.asIntN(32, b >> 32n));
  }

  private number(p: number): void {
    const text = this.text;
    const limit = this.limit;
    const c0 = text.charCodeAt(p);
    if (c0 === 48) {
      const x = this.at(p + 1);
      if ((x === 120 || x === 88) && this.hex(p)) return;
    }
    const negative = c0 === 45;
    const first = negative ? p + 1 : p;
    let q = first;
    let v = 0;
    while (q < limit) {
      const d = text.charCodeAt(q) - 48;
      if (d < 0 || d > 9) break;
      v = v * 10 + d;
      q++;
    }
    if (this.at(q) === 46) {
      this.float(q);
      return;
    }
    this.setMagnitude(v, first, q, negative);
    this.finish(Tok.Integer, q);
  }

  private float(p: number): void {
    p++;
    while (this.is(p, Char.Digit)) p++;
    const e = this.at(p);
    if (e === 101 || e === 69) {
      const s = this.at(p + 1);
      if (this.is(p + 1, Char.Digit) || ((s === 45 || s === 43) && this.is(p + 2, Char.Digit))) {
        p += 2;
        while (this.is(p, Char.Digit)) p++;
      }
    }
    this.finish(Tok.Float, p);
  }

  private hex(p: number): boolean {
    let q = p + 2;
    const c = this.at(q);
    const isFloat = c === 72 || c === 75 || c === 76 || c === 77 || c === 82; // H K L M R
    if (isFloat) q++;
    const first = q;
    while (this.is(q, Char.HexDigit)) q++;
    if (q === first) return false;
    if (isFloat) {
      this.finish(Tok.Float, q);
      return true;
    }
    let significant = first;
    while (significant < q - 1 && this.text.charCodeAt(significant) === 48) significant++;
    if (q - significant <= 13) {
      const v = parseInt(this.text.slice(significant, q), 16);
      this.intLo = v | 0;
      this.intHi = Math.floor(v / TWO_32) | 0;
      this.intFlags = 0;
    } else {
      this.setBig(q - significant <= 16 ? BigInt('0x' + this.text.slice(significant, q)) : 1n << 64n);
    }
    this.intFlags |= 2;
    this.finish(Tok.Hex, q);
    return true;
  }

  private percent(p: number): void {
    const text = this.text;
    const c1 = this.at(p + 1);
    if (c1 >= 48 && c1 <= 57) {
      this.numbered(Tok.VirtualRegister, p + 1);
      return;
    }
    switch (c1) {
      case 98: // b
        if (this.at(p + 2) === 98 && this.at(p + 3) === 46) {
          this.block(Tok.BlockRef, p, p + 4);
          return;
        }
        break;
      case 115: // s
        if (text.startsWith('%stack.', p) && this.is(p + 7, Char.Digit)) {
          this.indexAndName(Tok.StackObject, p + 7);
          return;
        }
        if (text.startsWith('%subreg.', p) && p + 8 <= this.limit) {
          this.word(Tok.SubRegIndex, p + 8);
          return;
        }
        break;
      case 102: // f
        if (text.startsWith('%fixed-stack.', p) && this.is(p + 13, Char.Digit)) {
          this.numbered(Tok.FixedStackObject, p + 13);
          return;
        }
        break;
      case 99: // c
        if (text.startsWith('%const.', p) && this.is(p + 7, Char.Digit)) {
          this.numbered(Tok.ConstantPoolItem, p + 7);
          return;
        }
        break;
      case 106: // j
        if (text.startsWith('%jump-table.', p) && this.is(p + 12, Char.Digit)) {
          this.numbered(Tok.JumpTableIndex, p + 12);
          return;
        }
        break;
      case 105: // i
        if (text.startsWith('%ir-block.', p) && p + 10 <= this.limit) {
          if (this.is(p + 10, Char.Digit)) this.numbered(Tok.IRBlock, p + 10);
          else this.nameOrQuoted(Tok.NamedIRBlock, p + 10);
          return;
        }
        if (text.startsWith('%ir.', p) && p + 4 <= this.limit) {
          if (this.is(p + 4, Char.Digit)) this.numbered(Tok.IRValue, p + 4);
          else this.nameOrQuoted(Tok.NamedIRValue, p + 4);
          return;
        }
        break;
      default:
        break;
    }
    if (!this.is(p + 1, Char.RegisterChar)) {
      this.unexpected(p);
      return;
    }
    const end = this.scanWord(p + 1, Char.RegisterChar);
    this.value = this.interner.internHashed(text, p + 1, end, this.wordHash);
    this.finish(Tok.NamedVirtualRegister, end);
  }

  private word(kind: Tok, p: number): void {
    const end = this.scanWord(p, Char.IdentifierChar);
    this.value = this.interner.internHashed(this.text, p, end, this.wordHash);
    this.finish(kind, end);
  }

  private nameOrQuoted(kind: Tok, p: number): void {
    if (this.at(p) === 34) this.quoted(kind, p, 34);
    else this.word(kind, p);
  }

  /** A token that ends with text in quotes, which open at `p`. */
  private quoted(kind: Tok, p: number, quote: number): void {
    const end = this.closingQuote(p + 1, quote);
    if (end < 0) {
      this.fail(~end, `end of machine instruction reached before the closing '${quote === 34 ? '"' : '`'}'`, ~end);
      return;
    }
    this.value = this.internDecoded(p + 1, end);
    this.finish(kind, end + 1);
  }

  /** Offset of the closing quote, or ~(offset of the line end). */
  private closingQuote(p: number, quote: number): number {
    for (;;) {
      const c = this.at(p);
      if (c === quote) return p;
      if (c === -1 || c === 10 || c === 13) return ~p;
      p++;
    }
  }

  private internDecoded(from: number, to: number): number {
    for (let p = from; p < to; p++) {
      if (this.text.charCodeAt(p) === 92) return this.interner.internString(unescapeQuoted(this.text.slice(from, to)));
    }
    return this.interner.intern(this.text, from, to);
  }

  private mcSymbol(p: number): void {
    let q = p + 10;
    if (this.at(q) === 34) {
      const end = this.closingQuote(q + 1, 34);
      if (end < 0) {
        this.fail(q, 'unable to parse quoted string from opening quote', ~end);
        return;
      }
      this.value = this.internDecoded(q + 1, end);
      q = end + 1;
    } else {
      const end = this.scanWord(q, Char.IdentifierChar);
      this.value = this.interner.internHashed(this.text, q, end, this.wordHash);
      q = end;
    }
    if (this.at(q) !== 62) {
      this.fail(q, "expected the '<mcsymbol ...' to be closed by a '>'", q);
      return;
    }
    this.finish(Tok.MCSymbol, q + 1);
  }

  private exclaim(p: number): void {
    if (this.is(p + 1, Char.Digit) || !this.is(p + 1, Char.IdentifierChar)) {
      this.finish(Tok.Exclaim, p + 1);
      return;
    }
    const end = this.scanWord(p + 1, Char.IdentifierChar);
    const word = this.text.slice(p, end);
    const kind = METADATA_KEYWORDS.get(word);
    if (kind === undefined) this.fail(p, `use of unknown metadata keyword '${word}'`, end);
    else this.finish(kind, end);
  }
}

/**
 * Offset of the token LLVM would look at after `offset`: after blanks, comments and one operand comment, at the line end at
 * most unless that comment spans lines. For errors that LLVM reports at its current token.
 */
export function nextTokenOffset(text: string, offset: number): number {
  let p = skipBlanks(text, offset);
  if (text.charCodeAt(p) === 59) while (p < text.length && !isLineEnd(text.charCodeAt(p))) p++;
  if (text.charCodeAt(p) === 47 && text.charCodeAt(p + 1) === 42) {
    const end = text.slice(p + 1, p + 1 + MAX_COMMENT_UNITS).indexOf('*/');
    if (end >= 0) return skipBlanks(text, p + 1 + end + 2);
  }
  return p;
}

/** Errors after longer comments are shown before them. */
const MAX_COMMENT_UNITS = 10_000;

function skipBlanks(text: string, p: number): number {
  while (p < text.length && (text.charCodeAt(p) === 32 || text.charCodeAt(p) === 9)) p++;
  return p;
}

function isLineEnd(c: number): boolean {
  return c === 10 || c === 13;
}
