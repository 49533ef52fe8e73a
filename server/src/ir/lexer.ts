/**
 * Lexer of LLVM IR text (the token rules of llvm/AsmParser/LLLexer, LLVM 22). It works on a range of the MIR document
 * itself, so that every offset is a document offset; indentation of the block scalar is only blanks to it.
 *
 * One token at a time lives in the lexer's fields. Names are cut out on request.
 */
import { lazy } from '../util/lazy.js';
import { FIRST_KEYWORD, KEYWORDS, Tok } from './tokens.js';

/** Thrown inside the IR reader at the first error, caught at its entry points. */
export class IRError {
  constructor(
    readonly offset: number,
    readonly message: string,
  ) {}
}

const enum Ch {
  /** letters, `-`, `$`, `.`, `_` */
  NameStart = 1,
  /** the same and digits */
  Name = 2,
  /** letters, digits, `_` */
  Keyword = 4,
  Digit = 8,
  Hex = 16,
  Blank = 32,
}

const CHAR = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const isDigit = c >= 48 && c <= 57;
  const isLetter = (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
  const isHex = isDigit || (c >= 65 && c <= 70) || (c >= 97 && c <= 102);
  let bits = 0;
  if (isLetter || c === 45 || c === 36 || c === 46 || c === 95) bits |= Ch.NameStart | Ch.Name;
  if (isDigit) bits |= Ch.Name | Ch.Digit;
  if (isLetter || isDigit || c === 95) bits |= Ch.Keyword;
  if (isHex) bits |= Ch.Hex;
  if (c === 32 || c === 9 || c === 10 || c === 13 || c === 0) bits |= Ch.Blank;
  CHAR[c] = bits;
}

const keywordTokens = lazy<ReadonlyMap<string, number>>(
  () => new Map(KEYWORDS.map((word, k) => [word, FIRST_KEYWORD + k])),
);

/** Largest value number of a name: numbers are 32 bits wide. */
const MAX_ID = 0xffffffff;
/** IntegerType::MAX_INT_BITS */
const MAX_INT_BITS = 1 << 23;

export class IRLexer {
  /** a Tok; typed as a number because it changes under the reader's feet */
  kind: number = Tok.Eof;
  /** range of the token in the document */
  start = 0;
  end = 0;
  /** end of the token before */
  prevEnd = 0;
  /** number of LocalID, GlobalID, LabelID, AttrGrpID, SummaryID; width of IntType */
  id = 0;
  /** what LLVM's lexer finds fault with and reads all the same, in text order as far as it was read */
  readonly complaints: IRError[] = [];
  /** a colon ends a word and is a token of its own, instead of making a label of it */
  colonsApart = false;
  private contentStart = 0;
  private contentEnd = 0;
  private isEscaped = false;

  constructor(
    readonly text: string,
    public pos: number,
    readonly limit: number,
    /** `f0x3C00`, `+inf`, `-nan(0x1)` are numbers, as since LLVM 24 */
    private readonly decimalFloats = false,
  ) {}

  /** The name or string of the token as bytes (one character each), unescaped. */
  get str(): string {
    // Names without quotes are ASCII.
    if (!this.isEscaped) return this.text.slice(this.contentStart, this.contentEnd);
    return decodeIRString(this.text, this.contentStart, this.contentEnd);
  }

  /** The token as it stands in the text. */
  get raw(): string {
    return this.text.slice(this.start, this.end);
  }

  /** Whether the token is of that kind; a call, so that the compiler does not take the kind for unchanged. */
  is(kind: Tok): boolean {
    return this.kind === kind;
  }

  /** The kind, for `switch` (see `is`). */
  peek(): number {
    return this.kind;
  }

  fail(message: string, offset = this.start): never {
    throw new IRError(offset, message);
  }

  /** Starts anew at `pos` and reads one token. */
  seek(pos: number): void {
    this.pos = pos;
    this.next();
  }

  next(): void {
    const text = this.text;
    const limit = this.limit;
    this.prevEnd = this.end;
    let p = this.pos;
    let c = 0;
    for (;;) {
      if (p >= limit) {
        this.start = this.end = this.pos = limit;
        this.kind = Tok.Eof;
        return;
      }
      c = text.charCodeAt(p);
      if (c === 32 || (c < 128 && (CHAR[c] & Ch.Blank) !== 0)) {
        p++;
      } else if (c === 59) {
        p++;
        while (p < limit && (c = text.charCodeAt(p)) !== 10 && c !== 13) p++;
      } else if (c === 47 && p + 1 < limit && text.charCodeAt(p + 1) === 42) {
        const close = text.indexOf('*/', p + 2);
        if (close < 0 || close + 2 > limit) {
          this.start = p;
          this.fail('unterminated comment');
        }
        p = close + 2;
      } else break;
    }
    this.start = p;
    if (c === 37) return this.lexSigil(p, Tok.LocalVar, Tok.LocalID);
    if (c >= 128) return this.single(Tok.Error);
    const bits = CHAR[c];
    if ((bits & Ch.Digit) !== 0) return this.lexNumber(p);
    if ((bits & Ch.NameStart) !== 0 && c !== 45 && c !== 36 && c !== 46) return this.lexWord(p);
    switch (c) {
      case 44:
        return this.single(Tok.Comma);
      case 61:
        return this.single(Tok.Equal);
      case 42:
        return this.single(Tok.Star);
      case 124:
        return this.single(Tok.Bar);
      case 58:
        return this.single(Tok.Colon);
      case 40:
        return this.single(Tok.LParen);
      case 41:
        return this.single(Tok.RParen);
      case 123:
        return this.single(Tok.LBrace);
      case 125:
        return this.single(Tok.RBrace);
      case 91:
        return this.single(Tok.LSquare);
      case 93:
        return this.single(Tok.RSquare);
      case 60:
        return this.single(Tok.Less);
      case 62:
        return this.single(Tok.Greater);
      case 64:
        return this.lexSigil(p, Tok.GlobalVar, Tok.GlobalID);
      case 36:
        return this.lexDollar(p);
      case 33:
        return this.lexExclaim(p);
      case 35:
        return this.lexNumbered(p, Tok.AttrGrpID, Tok.Hash);
      case 94:
        return this.lexNumbered(p, Tok.SummaryID, Tok.Error);
      case 34:
        return this.lexQuoted(p);
      case 46:
        return this.lexDot(p);
      case 43:
        if (this.decimalFloats && this.lexSpecialFloat(p)) return;
        this.lexPlus(p);
        return this.checkAfterSign(p);
      case 45:
        if (this.decimalFloats && this.lexSpecialFloat(p)) return;
        this.lexNumber(p);
        return this.checkAfterSign(p);
    }
    this.single(Tok.Error);
  }

  private single(kind: number): void {
    this.kind = kind;
    this.pos = this.end = this.start + 1;
  }

  private finish(kind: number, end: number): void {
    this.kind = kind;
    this.pos = this.end = end;
  }

  private charAt(p: number): number {
    if (p >= this.limit) return 0;
    const c = this.text.charCodeAt(p);
    return c < 128 ? CHAR[c] : 0;
  }

  private content(from: number, to: number, isEscaped: boolean): void {
    this.contentStart = from;
    this.contentEnd = to;
    this.isEscaped = isEscaped;
  }

  private scan(p: number, bits: number): number {
    const { text, limit } = this;
    while (p < limit) {
      const c = text.charCodeAt(p);
      if (c >= 128 || (CHAR[c] & bits) === 0) break;
      p++;
    }
    return p;
  }

  /** End of a quoted string that opens at `p` (after the closing quote), -1 if it never closes. */
  private scanString(p: number): number {
    const close = this.text.indexOf('"', p + 1);
    return close < 0 || close >= this.limit ? -1 : close + 1;
  }

  /** `%` and `@`: quoted, plain or numbered name. */
  private lexSigil(p: number, named: Tok, numbered: Tok): void {
    const isLocal = named === Tok.LocalVar;
    if (p + 1 < this.limit && this.text.charCodeAt(p + 1) === 34) {
      const end = this.scanString(p + 1);
      if (end < 0) this.fail(isLocal ? 'end of file in string constant' : 'end of file in global variable name');
      this.content(p + 2, end - 1, true);
      this.finish(named, end);
      if (this.str.includes('\0')) this.fail('NUL character is not allowed in names');
      return;
    }
    const bits = this.charAt(p + 1);
    if ((bits & Ch.NameStart) !== 0) {
      const end = this.scan(p + 2, Ch.Name);
      this.content(p + 1, end, false);
      return this.finish(named, end);
    }
    if ((bits & Ch.Digit) !== 0) return this.lexId(p + 1, numbered);
    this.single(Tok.Error);
  }

  private lexId(p: number, kind: Tok): void {
    const end = this.scan(p, Ch.Digit);
    let n = 0;
    for (let i = p; i < end; i++) n = n * 10 + this.text.charCodeAt(i) - 48;
    if (n > MAX_ID) n = this.cutId(this.text.slice(p, end));
    this.id = n;
    this.finish(kind, end);
  }

  /** LLVM complains and goes on with what fits; the complaint only shows when the text has another error. */
  private cutId(digits: string): number {
    const value = BigInt(digits);
    const isLost = value >= 1n << 64n;
    const message = isLost ? 'constant bigger than 64 bits detected' : 'invalid value number (too large)';
    this.complaints.push(new IRError(this.start, message));
    return isLost ? 0 : Number(BigInt.asUintN(32, value));
  }

  private lexNumbered(p: number, kind: Tok, otherwise: Tok): void {
    if ((this.charAt(p + 1) & Ch.Digit) !== 0) return this.lexId(p + 1, kind);
    this.single(otherwise);
  }

  /** `$name` comdat, or a label that begins with `$`. */
  private lexDollar(p: number): void {
    const end = this.labelTail(p);
    if (end >= 0) return this.label(p, end);
    if (p + 1 < this.limit && this.text.charCodeAt(p + 1) === 34) {
      const close = this.scanString(p + 1);
      if (close < 0) this.fail('end of file in COMDAT variable name');
      this.content(p + 2, close - 1, true);
      return this.finish(Tok.ComdatVar, close);
    }
    if ((this.charAt(p + 1) & Ch.NameStart) !== 0) {
      const close = this.scan(p + 2, Ch.Name);
      this.content(p + 1, close, false);
      return this.finish(Tok.ComdatVar, close);
    }
    this.single(Tok.Error);
  }

  /** `!name` (with `\HH` escapes) or a lone `!`. */
  private lexExclaim(p: number): void {
    const { text, limit } = this;
    let q = p + 1;
    const isStart = (i: number): boolean =>
      i < limit && ((this.charAt(i) & Ch.NameStart) !== 0 || text.charCodeAt(i) === 92);
    if (!isStart(q)) return this.single(Tok.Exclaim);
    q++;
    while (q < limit && ((this.charAt(q) & Ch.Name) !== 0 || text.charCodeAt(q) === 92)) q++;
    this.content(p + 1, q, true);
    this.finish(Tok.MetadataVar, q);
  }

  private lexQuoted(p: number): void {
    const end = this.scanString(p);
    if (end < 0) this.fail('end of file in string constant');
    this.content(p + 1, end - 1, true);
    if (end < this.limit && this.text.charCodeAt(end) === 58) {
      this.finish(Tok.LabelStr, end + 1);
      if (this.str.includes('\0')) this.fail('NUL character is not allowed in names');
      return;
    }
    this.finish(Tok.String, end);
  }

  private lexDot(p: number): void {
    const end = this.labelTail(p);
    if (end >= 0) return this.label(p, end);
    if (this.text.startsWith('...', p)) return this.finish(Tok.DotDotDot, p + 3);
    this.single(Tok.Error);
  }

  /** Position after the `:` when the name characters at `p` run up to one, else -1. */
  private labelTail(p: number): number {
    const end = this.scan(p, Ch.Name);
    return end < this.limit && this.text.charCodeAt(end) === 58 ? end + 1 : -1;
  }

  private label(p: number, end: number): void {
    this.content(p, end - 1, false);
    this.finish(Tok.LabelStr, end);
  }

  private lexPlus(p: number): void {
    if ((this.charAt(p + 1) & Ch.Digit) === 0) return this.single(Tok.Error);
    const end = this.scan(p + 1, Ch.Digit);
    if (end >= this.limit || this.text.charCodeAt(end) !== 46) return this.single(Tok.Error);
    this.lexFraction(end);
  }

  /** Digits and an exponent after the point at `p`. */
  private lexFraction(p: number): void {
    const { text, limit } = this;
    let q = this.scan(p + 1, Ch.Digit);
    const c = q < limit ? text.charCodeAt(q) : 0;
    if (c === 101 || c === 69) {
      const sign = q + 1 < limit ? text.charCodeAt(q + 1) : 0;
      const digits = sign === 43 || sign === 45 ? q + 2 : q + 1;
      if ((this.charAt(digits) & Ch.Digit) !== 0) q = this.scan(digits, Ch.Digit);
    }
    this.finish(Tok.Float, q);
  }

  /** A token that starts with a digit or `-`. */
  private lexNumber(p: number): void {
    const { text, limit } = this;
    const isNegative = text.charCodeAt(p) === 45;
    if (isNegative && (this.charAt(p + 1) & Ch.Digit) === 0) {
      const end = this.labelTail(p);
      return end >= 0 ? this.label(p, end) : this.single(Tok.Error);
    }
    const end = this.scan(p + 1, Ch.Digit);
    const c = end < limit ? text.charCodeAt(end) : 0;
    if (!isNegative && c === 58) {
      this.lexId(p, Tok.LabelID);
      this.pos = this.end = end + 1;
      return;
    }
    if (c < 128 && ((CHAR[c] & Ch.Name) !== 0 || c === 58)) {
      const tail = this.labelTail(end);
      if (tail >= 0) return this.label(p, tail);
    }
    if (c === 46) return this.lexFraction(end);
    if (c === 120 && end === p + 1 && text.charCodeAt(p) === 48) return this.lexHex(p);
    if (isNegative && c === 120 && end === p + 2 && text.charCodeAt(p + 1) === 48) return this.lexHex(p);
    this.finish(Tok.Int, end);
  }

  /** `0x...`, `0xK...` and so on: bits of a floating-point number. */
  private lexHex(p: number): void {
    let q = this.text.charCodeAt(p) === 45 ? p + 3 : p + 2;
    const c = q < this.limit ? this.text.charCodeAt(q) : 0;
    // K, L, M, H and R name the format.
    if (c === 72 || c === 82 || (c >= 75 && c <= 77)) q++;
    const end = this.scan(q, Ch.Hex);
    if (end === q) return this.single(Tok.Error);
    if ((c === 72 || c === 82) && this.text.slice(q, end).replace(/^0+/, '').length > 4) {
      this.fail(`hexadecimal constant too large for ${c === 72 ? 'half' : 'bfloat'} (16-bit)`);
    }
    this.finish(Tok.HexFloat, end);
  }

  /** `+inf`, `-qnan`, `+nan(0x1)`: LLVM 24's infinities and values that are no numbers. */
  private lexSpecialFloat(p: number): boolean {
    SPECIAL_FLOAT.lastIndex = p;
    const found = SPECIAL_FLOAT.exec(this.text);
    if (found === null || p + found[0].length > this.limit) return false;
    this.finish(Tok.HexFloat, p + found[0].length);
    return true;
  }

  /** A sign that neither a number nor a label follows is for LLVM 24 a value that is no number, written wrong. */
  private checkAfterSign(p: number): void {
    if (!this.decimalFloats || this.kind !== Tok.Error || IS_DIGIT.test(this.text.charAt(p + 1))) return;
    const isOpen = /^.s?nan\(/.test(this.text.slice(p, p + 6));
    this.fail(isOpen ? 'unclosed nan literal' : 'bad payload format for nan literal', p);
  }

  /** Keyword, type `iN`, label, or another word. */
  private lexWord(p: number): void {
    const { text, limit } = this;
    if (this.decimalFloats && text.startsWith('f0x', p)) {
      const end = this.scan(p + 3, Ch.Hex);
      if (end > p + 3) return this.finish(Tok.HexFloat, end);
    }
    let q = p;
    let c = 0;
    let digitsFrom = -1;
    while (q < limit) {
      c = text.charCodeAt(q);
      if (c >= 128 || (CHAR[c] & Ch.Keyword) === 0) break;
      q++;
      if ((c < 48 || c > 57) && q > p + 1 && digitsFrom < 0) digitsFrom = q - 1;
    }
    if ((c === 58 || c === 45 || c === 36 || c === 46) && !this.colonsApart) {
      const tail = this.labelTail(q);
      if (tail >= 0) return this.label(p, tail);
    }
    const first = text.charCodeAt(p);
    if (first === 105 && q > p + 1 && digitsFrom !== p + 1) {
      // `i32x` is the type followed by a word, as in LLVM.
      const end = digitsFrom < 0 ? q : digitsFrom;
      let n = 0;
      for (let i = p + 1; i < end; i++) n = n * 10 + text.charCodeAt(i) - 48;
      if (n < 1 || n > MAX_INT_BITS) this.fail('bitwidth for integer type out of range');
      this.id = n;
      return this.finish(Tok.IntType, end);
    }
    const len = q - p;
    const keyword = keywordTokens().get(text.slice(p, q));
    if (keyword !== undefined) return this.finish(keyword, q);
    if (text.charCodeAt(q) === 34 && len === 1 && first === 99) return this.finish(Tok.KC, q);
    if ((first === 117 || first === 115) && len > 3 && text.startsWith('0x', p + 1)) {
      const end = this.scan(p + 3, Ch.Hex);
      if (end > p + 3) return this.finish(Tok.Int, end);
    }
    if (first === 99 && len > 2 && text.charCodeAt(p + 1) === 99 && this.scan(p + 2, Ch.Digit) === q) {
      return this.finish(Tok.KCc, p + 2);
    }
    this.finish(Tok.Word, q);
  }
}

const IS_DIGIT = /^[0-9]/;
const SPECIAL_FLOAT = /[+-](?:(?:inf|qnan)(?![0-9A-Za-z_])|s?nan\(0x[0-9A-Fa-f]+\))/y;

/**
 * Bytes of an IR name or string: `\HH` is a byte, `\\` a backslash, other characters stand for their UTF-8 bytes.
 * Bytes are characters 0 to 255.
 */
function decodeIRString(text: string, from: number, to: number): string {
  let isPlain = true;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c >= 128 || c === 92) {
      isPlain = false;
      break;
    }
  }
  if (isPlain) return text.slice(from, to);
  let res = '';
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c === 92) {
      if (i + 1 < to && text.charCodeAt(i + 1) === 92) {
        res += '\\';
        i++;
        continue;
      }
      const hi = i + 2 < to ? hexValue(text.charCodeAt(i + 1)) : -1;
      const lo = i + 2 < to ? hexValue(text.charCodeAt(i + 2)) : -1;
      if (hi >= 0 && lo >= 0) {
        res += String.fromCharCode(hi * 16 + lo);
        i += 2;
        continue;
      }
      res += '\\';
    } else if (c < 128) {
      res += text[i];
    } else {
      const code = text.codePointAt(i)!;
      if (code > 0xffff) i++;
      res += utf8Bytes(code);
    }
  }
  return res;
}

function hexValue(c: number): number {
  if (c >= 48 && c <= 57) return c - 48;
  const lower = c | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function utf8Bytes(code: number): string {
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), 0x80 | (code & 63));
  const last = String.fromCharCode(0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  if (code < 0x10000) return String.fromCharCode(0xe0 | (code >> 12)) + last;
  return String.fromCharCode(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63)) + last;
}
