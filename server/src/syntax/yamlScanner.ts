/**
 * Tokens of a YAML stream as LLVM 22's YAML scanner sees them (lib/Support/YAMLParser; behaviour observed with llc-22). It is not a
 * scanner for all of YAML: simple keys are never required, comments need no blank before `#`, plain scalars may hold almost anything,
 * `---` and `...` need a fourth character.
 *
 * Tokens wait in a queue while one of them may still turn out to be a simple key: only the `:` after it tells, and then a Key token
 * (and the start of a block mapping) is put before it.
 */
import { isStrayByte } from '../text/sourceText.js';

export const enum YTok {
  /** the scan failed; see `error` */
  Error = 0,
  StreamEnd = 1,
  DocumentStart = 2,
  DocumentEnd = 3,
  BlockEntry = 4,
  BlockEnd = 5,
  BlockSequenceStart = 6,
  BlockMappingStart = 7,
  FlowEntry = 8,
  FlowSequenceStart = 9,
  FlowSequenceEnd = 10,
  FlowMappingStart = 11,
  FlowMappingEnd = 12,
  Key = 13,
  Value = 14,
  Scalar = 15,
  BlockScalar = 16,
  Alias = 17,
  Anchor = 18,
  Tag = 19,
  Directive = 20,
}

/** Failures that LLVM does not report: it ends there as if nothing more came. `error.message`. */
export const UNKNOWN_DIRECTIVE = 'unknown directive: llc reads nothing from here on';
const OPEN_TAG = "no '>' at the end of the tag: llc reads nothing from here on";
export const isSilentFailure = (message: string): boolean => message === UNKNOWN_DIRECTIVE || message === OPEN_TAG;

/** What the block scalar token that was scanned last consists of. */
export interface BlockScalarInfo {
  /** the `|` or `>` */
  readonly indicator: number;
  /** end of the header's line without its break */
  readonly headerEnd: number;
  /** start of the first content line */
  readonly contentStart: number;
  /** start of the line (or text) after the scalar */
  readonly contentEnd: number;
  /** columns of indentation; 0 when there is no content */
  readonly indent: number;
}

const SIMPLE_KEY_LIMIT = 1024;
const FIELDS = 4;
/** A document that begins further right in a line is taken to begin there: columns so large do not differ in effect. */
const MAX_START_COLUMN = 1000;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
/** Characters from the current one on that decide what a token is: a document marker is three and one after them. */
export const LOOKAHEAD = 4;

/** Ends a run of ASCII characters that `isNbChar` takes. One search is faster than a loop, above all before V8 has compiled it. */
const NO_PLAIN_CHAR = /[^\t -~]/g;

/** What LLVM knows, with as many words as it reads: what stands after them is not the directive's. */
const KNOWN_DIRECTIVE = /%(?:YAML(?!\S)[ \t]*\S*|TAG(?!\S)[ \t]*\S*[ \t]*\S*)/y;

/** What LLVM lets stand in a verbatim tag: no digits, also not after a `%`, after which it looks for two of them or letters. */
const URI_CHARS = /(?:%(?=[0-9A-Za-z]{2})|[-A-Za-z#;/?:@&=+$,_.!~*'()[\]])*/y;

/** Whether what stands at p is printable, no line break, no byte order mark, and UTF-8 at all: what LLVM lets stand in a scalar. */
function isNbChar(text: string, p: number): boolean {
  const c = text.charCodeAt(p);
  if (c < 32) return c === TAB;
  if (c <= 126) return true;
  if (c === 0x85) return true;
  return c >= 0xa0 && c <= 0xfffd && c !== 0xfeff && !isStrayByte(text, p);
}

/** Marks of other encodings are skipped, too: what follows is read as UTF-8 all the same. */
function byteOrderMarkLength(text: string): number {
  if (text.startsWith('\ufeff')) return 1;
  if (/^(?:\0\0\udcfe\udcff|\udcff\udcfe\0\0)/.test(text)) return 4;
  return /^(?:\udcff\udcfe|\udcfe\udcff)/.test(text) ? 2 : 0;
}

export class YamlScanner {
  /** message and offset of the failure, if any */
  error: { readonly offset: number; readonly message: string; readonly isInsideCharacter: boolean } | null = null;
  /** info of block scalar tokens by their start */
  readonly blockScalars = new Map<number, BlockScalarInfo>();

  /** where the token begins that was scanned last, or that failed */
  lastFetch = 0;
  /** where the bytes stand that a quoted scalar left of its last character; -1 = nowhere */
  private insideCharacter = -1;
  private pos: number;
  private column: number;
  private line = 0;
  private indent = -1;
  private readonly indents: number[] = [];
  private flowLevel = 0;
  private simpleKeyAllowed: boolean;
  private adjacentValueAllowed = false;

  // The queue: records of kind, start, end, first; tokens `head` .. `tail`.
  private queue = new Int32Array(FIELDS * 16);
  private head = 0;
  private tail = 0;

  // Candidates for simple keys: position of the token in the queue, its line, its column, its flow level.
  private readonly keyTokens: number[] = [];
  private readonly keyLines: number[] = [];
  private readonly keyColumns: number[] = [];
  private readonly keyLevels: number[] = [];

  /**
   * @param pos where a document begins: the start of the text, a `---`, or the first token after another document's root
   * @param end the text does not go on from there
   */
  constructor(
    private readonly text: string,
    pos: number,
    private readonly end: number,
  ) {
    this.pos = pos;
    let lineStart = pos;
    const limit = Math.max(0, pos - MAX_START_COLUMN);
    while (lineStart > limit && text.charCodeAt(lineStart - 1) !== LF && text.charCodeAt(lineStart - 1) !== CR)
      lineStart--;
    this.column = pos - lineStart;
    // After a `...` or a root in the same line there is no key.
    this.simpleKeyAllowed = !/[^ \t\ufeff]/.test(text.slice(lineStart, pos));
    if (pos === 0) this.pos = byteOrderMarkLength(text);
  }

  /** Kind of the token that comes next. */
  peek(): YTok {
    let needMore = false;
    for (;;) {
      if (this.head === this.tail || needMore) {
        if (this.error !== null || !this.fetch()) {
          // A failure hides the tokens that wait before it.
          this.head = this.tail = 0;
          this.forgetKeys();
          this.push(YTok.Error, this.error === null ? this.pos : this.error.offset, this.pos);
          return YTok.Error;
        }
      }
      this.dropStaleKeys();
      if (this.keyTokens.indexOf(this.head) < 0) return this.queue[this.head * FIELDS];
      needMore = true;
    }
  }

  /** Start of the token that comes next; call after `peek`. */
  get tokenStart(): number {
    return this.queue[this.head * FIELDS + 1];
  }

  /** Where the text of the next token and of what belongs to it begins: at the first key for the start of a block mapping. */
  get tokenFirst(): number {
    return this.queue[this.head * FIELDS + 3];
  }

  /** Where LLVM has the next token: a block scalar is its content for it. */
  get tokenPlace(): number {
    const start = this.tokenStart;
    if (this.queue[this.head * FIELDS] !== YTok.BlockScalar) return start;
    const info = this.blockScalars.get(start);
    return info === undefined ? start : info.headerEnd === info.contentStart ? start + 1 : info.contentStart;
  }

  get tokenEnd(): number {
    return this.queue[this.head * FIELDS + 2];
  }

  /** Drops the token that comes next; call after `peek`. */
  take(): void {
    this.head++;
    if (this.head === this.tail && this.keyTokens.length === 0) this.head = this.tail = 0;
  }

  /**
   * Offset of a `{` that comes next in this line, if nothing waits in the queue, else -1. For the parser's short cut through entries like
   * `{ id: 0, class: vgpr_32 }`: it reads them from the text and calls `skipFlowCollection`.
   */
  flowMappingAhead(): number {
    if (this.head !== this.tail || this.flowLevel > 0 || this.error !== null) return -1;
    let p = this.pos;
    while (this.at(p) === SPACE) p++;
    return this.at(p) === 123 ? p : -1;
  }

  /** Goes on after a flow collection that ends at `end`, the last text of its line. Only after `flowMappingAhead`. */
  skipFlowCollection(end: number): void {
    this.skipLines(end, 0, this.column + end - this.pos, false);
  }

  /**
   * Offset of the first character of the next line if nothing waits in the queue, nothing else stands in this line, and that line begins with
   * a letter in the column of the innermost block collection; else -1. For the parser's short cut through lines like `key: word`.
   */
  blockLineAhead(): number {
    if (this.head !== this.tail || this.flowLevel > 0 || this.error !== null) return -1;
    let p = this.pos;
    while (this.at(p) === SPACE) p++;
    const next = this.afterBreak(p);
    if (next === p) return -1;
    const first = next + this.indent;
    for (p = next; p < first; p++) if (this.at(p) !== SPACE) return -1;
    const c = this.at(p) | 32;
    return c >= 97 && c <= 122 ? p : -1;
  }

  /**
   * Goes on after a scalar or a flow collection that ends at `end`, the last text of its line, some lines further down. `column`: its
   * end in its line. Only after `blockLineAhead` or `flowMappingAhead`.
   */
  skipLines(end: number, lines: number, column: number, isPlain: boolean): void {
    this.pos = end;
    this.line += lines;
    this.column = column;
    this.simpleKeyAllowed = false;
    this.adjacentValueAllowed = !isPlain;
  }

  /** Column of the innermost block collection. */
  get blockColumn(): number {
    return this.indent;
  }

  /** Nothing at this offset or after it has been looked at. */
  get readEnd(): number {
    return Math.max(this.pos, this.error?.offset ?? 0) + LOOKAHEAD;
  }

  /** Records an error unless there is one. */
  /** `isInsideCharacter`: at the second byte of the character there. */
  fail(offset: number, message: string, isInsideCharacter = false): void {
    this.error ??= { offset: Math.min(offset, Math.max(0, this.end - 1)), message, isInsideCharacter };
  }

  // -- queue -----------------------------------------------------------------------------------------------------------

  private push(kind: YTok, start: number, end: number): void {
    this.insert(this.tail, kind, start, end);
  }

  private insert(at: number, kind: YTok, start: number, end: number, first = start): void {
    if ((this.tail + 1) * FIELDS > this.queue.length) {
      const larger = new Int32Array(this.queue.length * 2);
      larger.set(this.queue);
      this.queue = larger;
    }
    if (at < this.tail) {
      this.queue.copyWithin((at + 1) * FIELDS, at * FIELDS, this.tail * FIELDS);
      for (let i = 0; i < this.keyTokens.length; i++) if (this.keyTokens[i] >= at) this.keyTokens[i]++;
    }
    const o = at * FIELDS;
    this.queue[o] = kind;
    this.queue[o + 1] = start;
    this.queue[o + 2] = end;
    this.queue[o + 3] = first;
    this.tail++;
  }

  private saveKeyCandidate(column: number): void {
    if (!this.simpleKeyAllowed) return;
    this.keyTokens.push(this.tail - 1);
    this.keyLines.push(this.line);
    this.keyColumns.push(column);
    this.keyLevels.push(this.flowLevel);
  }

  private dropStaleKeys(): void {
    for (let i = this.keyTokens.length - 1; i >= 0; i--) {
      if (this.keyLines[i] === this.line && this.keyColumns[i] + SIMPLE_KEY_LIMIT >= this.column) continue;
      this.keyTokens.splice(i, 1);
      this.keyLines.splice(i, 1);
      this.keyColumns.splice(i, 1);
      this.keyLevels.splice(i, 1);
    }
  }

  private popKeyOnLevel(): void {
    const last = this.keyLevels.length - 1;
    if (last < 0 || this.keyLevels[last] !== this.flowLevel) return;
    this.keyTokens.pop();
    this.keyLines.pop();
    this.keyColumns.pop();
    this.keyLevels.pop();
  }

  private rollIndent(column: number, kind: YTok, at: number, start: number, first = start): void {
    if (this.flowLevel > 0 || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    this.insert(at, kind, start, start, first);
  }

  private unrollIndent(column: number): void {
    if (this.flowLevel > 0) return;
    while (this.indent > column) {
      this.push(YTok.BlockEnd, this.pos, Math.min(this.pos + 1, this.end));
      this.indent = this.indents.pop() as number;
    }
  }

  /** At what stands between documents: all that is open ends. */
  private endCollections(): void {
    this.unrollIndent(-1);
    this.forgetKeys();
    this.simpleKeyAllowed = false;
  }

  private forgetKeys(): void {
    this.keyTokens.length = this.keyLines.length = this.keyColumns.length = this.keyLevels.length = 0;
  }

  // -- characters ------------------------------------------------------------------------------------------------------

  private at(p: number): number {
    return p < this.end ? this.text.charCodeAt(p) : -1;
  }

  private isBlankOrBreak(p: number): boolean {
    const c = this.at(p);
    return c === SPACE || c === TAB || c === LF || c === CR;
  }

  /** What makes `-` and `?` before it an indicator. */
  private endsIndicator(p: number): boolean {
    return p === this.end || this.isBlankOrBreak(p);
  }

  private isPlainSafeNonBlank(p: number): boolean {
    const c = this.at(p);
    if (c === -1 || c === SPACE || c === TAB || c === LF || c === CR) return false;
    if (this.flowLevel === 0) return true;
    return !(c === 44 || c === 91 || c === 93 || c === 123 || c === 125); // , [ ] { }
  }

  /** Position after a line break at p, or p. */
  private afterBreak(p: number): number {
    const c = this.at(p);
    if (c === CR) return this.at(p + 1) === LF ? p + 2 : p + 1;
    return c === LF ? p + 1 : p;
  }

  /** End of the run of printable characters from p. */
  private afterNbChars(p: number): number {
    const { text, end } = this;
    for (;;) {
      NO_PLAIN_CHAR.lastIndex = p;
      p = NO_PLAIN_CHAR.test(text) ? NO_PLAIN_CHAR.lastIndex - 1 : end;
      if (p >= end) return end;
      if (!isNbChar(text, p)) return p;
      p++;
    }
  }

  // -- tokens ----------------------------------------------------------------------------------------------------------

  private skipToToken(): void {
    const text = this.text;
    for (;;) {
      let p = this.pos;
      while (p < this.end && (text.charCodeAt(p) === SPACE || text.charCodeAt(p) === TAB)) p++;
      this.column += p - this.pos;
      if (this.at(p) === 35 /* # */) {
        const q = this.afterNbChars(p);
        this.column += q - p;
        p = q;
      }
      this.pos = p;
      const next = this.afterBreak(p);
      if (next === p) return;
      this.pos = next;
      this.line++;
      this.column = 0;
      if (this.flowLevel === 0) this.simpleKeyAllowed = true;
    }
  }

  /** Scans at least one token into the queue. False after a failure. */
  private fetch(): boolean {
    if (this.pos === this.insideCharacter) {
      this.lastFetch = this.pos;
      this.fail(this.pos - 1, 'Got empty plain scalar', true);
      return false;
    }
    this.skipToToken();
    const p = (this.lastFetch = this.pos);
    const c = this.at(p);
    if (c === -1) {
      this.column = 0;
      this.endCollections();
      this.push(YTok.StreamEnd, p, p);
      return true;
    }
    this.dropStaleKeys();
    this.unrollIndent(this.column);

    if (this.column === 0) {
      if (c === 37 /* % */) return this.directive();
      if ((c === 45 || c === 46) && this.isMarker(p, c)) {
        this.endCollections();
        this.push(c === 45 ? YTok.DocumentStart : YTok.DocumentEnd, p, p + 3);
        this.advance(3);
        return true;
      }
    }
    switch (c) {
      case 91: // [
        return this.flowStart(YTok.FlowSequenceStart);
      case 123: // {
        return this.flowStart(YTok.FlowMappingStart);
      case 93: // ]
        return this.flowEnd(YTok.FlowSequenceEnd);
      case 125: // }
        return this.flowEnd(YTok.FlowMappingEnd);
      case 44: // ,
        this.popKeyOnLevel();
        this.simpleKeyAllowed = true;
        this.adjacentValueAllowed = false;
        this.push(YTok.FlowEntry, p, p + 1);
        this.advance(1);
        return true;
      case 45: // -
        if (!this.endsIndicator(p + 1)) break;
        this.rollIndent(this.column, YTok.BlockSequenceStart, this.tail, p);
        this.popKeyOnLevel();
        this.simpleKeyAllowed = true;
        this.adjacentValueAllowed = false;
        this.push(YTok.BlockEntry, p, p + 1);
        this.advance(1);
        return true;
      case 63: // ?
        if (!this.endsIndicator(p + 1)) break;
        if (this.flowLevel === 0) this.rollIndent(this.column, YTok.BlockMappingStart, this.tail, p);
        this.popKeyOnLevel();
        this.simpleKeyAllowed = this.flowLevel === 0;
        this.adjacentValueAllowed = false;
        this.push(YTok.Key, p, p + 1);
        this.advance(1);
        return true;
      case 58: // :
        if (!this.isPlainSafeNonBlank(p + 1) || this.adjacentValueAllowed) return this.value();
        break;
      case 42: // *
        return this.aliasOrAnchor(YTok.Alias);
      case 38: // &
        return this.aliasOrAnchor(YTok.Anchor);
      case 33: // !
        return this.tag();
      case 124: // |
      case 62: // >
        if (this.flowLevel === 0) return this.blockScalar();
        break;
      case 39: // '
        return this.singleQuoted();
      case 34: // "
        return this.doubleQuoted();
      default:
        break;
    }
    const isIndicator = c < 127 && '-?:,[]{}#&*!|>\'"%@`'.includes(String.fromCharCode(c));
    if (!isIndicator || ((c === 45 || c === 63 || c === 58) && this.isPlainSafeNonBlank(p + 1)))
      return this.plainScalar();
    this.fail(p, 'Unrecognized character while tokenizing.');
    return false;
  }

  private advance(n: number): void {
    this.pos += n;
    this.column += n;
  }

  /** `---` or `...` at p with a blank, a line break or the end after it; LLVM wants a fourth character. */
  private isMarker(p: number, c: number): boolean {
    return p + 4 <= this.end && this.at(p + 1) === c && this.at(p + 2) === c && this.isBlankOrBreak(p + 3);
  }

  private directive(): boolean {
    const start = this.pos;
    this.endCollections();
    KNOWN_DIRECTIVE.lastIndex = start;
    if (!KNOWN_DIRECTIVE.test(this.text)) {
      // LLVM stops reading here without a word; so the rest is no error, but it is no use either.
      this.fail(start, UNKNOWN_DIRECTIVE);
      return false;
    }
    const end = KNOWN_DIRECTIVE.lastIndex;
    this.push(YTok.Directive, start, end);
    this.advance(end - start);
    return true;
  }

  private flowStart(kind: YTok): boolean {
    const column = this.column;
    this.push(kind, this.pos, this.pos + 1);
    this.advance(1);
    this.saveKeyCandidate(column);
    this.simpleKeyAllowed = true;
    this.adjacentValueAllowed = false;
    this.flowLevel++;
    return true;
  }

  private flowEnd(kind: YTok): boolean {
    this.popKeyOnLevel();
    this.simpleKeyAllowed = false;
    this.adjacentValueAllowed = true;
    this.push(kind, this.pos, this.pos + 1);
    this.advance(1);
    if (this.flowLevel > 0) this.flowLevel--;
    return true;
  }

  private value(): boolean {
    const last = this.keyTokens.length - 1;
    if (last >= 0) {
      const at = this.keyTokens[last];
      const column = this.keyColumns[last];
      this.keyTokens.pop();
      this.keyLines.pop();
      this.keyColumns.pop();
      this.keyLevels.pop();
      const start = this.queue[at * FIELDS + 1];
      this.insert(at, YTok.Key, start, this.queue[at * FIELDS + 2]);
      // LLVM gives the start of the mapping the place of the colon.
      this.rollIndent(column, YTok.BlockMappingStart, at, this.pos, start);
      this.simpleKeyAllowed = false;
    } else {
      if (this.flowLevel === 0) this.rollIndent(this.column, YTok.BlockMappingStart, this.tail, this.pos);
      this.simpleKeyAllowed = this.flowLevel === 0;
    }
    this.adjacentValueAllowed = false;
    this.push(YTok.Value, this.pos, this.pos + 1);
    this.advance(1);
    return true;
  }

  private aliasOrAnchor(kind: YTok): boolean {
    const start = this.pos;
    const column = this.column;
    let p = start + 1;
    while (p < this.end) {
      const c = this.text.charCodeAt(p);
      if (
        c === 91 ||
        c === 93 ||
        c === 123 ||
        c === 125 ||
        c === 44 ||
        c === 58 ||
        !isNbChar(this.text, p) ||
        c === SPACE ||
        c === TAB
      )
        break;
      p++;
    }
    if (p === start + 1) {
      this.fail(start, 'Got empty alias or anchor');
      return false;
    }
    this.push(kind, start, p);
    this.advance(p - start);
    this.saveKeyCandidate(column);
    this.simpleKeyAllowed = false;
    this.adjacentValueAllowed = false;
    return true;
  }

  private tag(): boolean {
    const start = this.pos;
    const column = this.column;
    let p = start + 1;
    if (this.at(p) === 60 /* < */) {
      URI_CHARS.lastIndex = p + 1;
      URI_CHARS.test(this.text);
      p = URI_CHARS.lastIndex;
      if (this.at(p) !== 62) {
        this.fail(p, this.at(p) < 128 ? OPEN_TAG : 'Cannot consume non-ascii characters');
        return false;
      }
      p++;
    } else {
      while (p < this.end && !this.isBlankOrBreak(p) && isNbChar(this.text, p)) p++;
    }
    this.push(YTok.Tag, start, p);
    this.advance(p - start);
    this.saveKeyCandidate(column);
    this.simpleKeyAllowed = false;
    this.adjacentValueAllowed = false;
    return true;
  }

  private scalar(start: number, column: number): true {
    this.push(YTok.Scalar, start, this.pos);
    this.saveKeyCandidate(column);
    this.simpleKeyAllowed = false;
    return true;
  }

  private singleQuoted(): boolean {
    const start = this.pos;
    const column = this.column;
    this.advance(1);
    for (;;) {
      const c = this.at(this.pos);
      if (c === 39) {
        if (this.at(this.pos + 1) !== 39) break;
        this.advance(2);
      } else if (c === LF || c === CR) {
        this.pos = this.afterBreak(this.pos);
        this.line++;
        this.column = 0;
      } else if (c !== -1 && isNbChar(this.text, this.pos)) {
        // LLVM leaves its loop at the last character of the text, and takes that for the quote.
        if (this.pos + (c >= 0xd800 && c < 0xdc00 ? 2 : 1) >= this.end) break;
        this.advance(1);
      } else {
        break;
      }
    }
    if (this.at(this.pos) === -1) {
      this.fail(this.pos, 'Expected quote at end of scalar');
      return false;
    }
    // A character that cannot be printed ends the scalar too, in place of the quote: its first byte, and the others are no token.
    if (this.at(this.pos) >= 128 && !isStrayByte(this.text, this.pos)) this.insideCharacter = this.pos + 1;
    this.advance(1);
    this.adjacentValueAllowed = true;
    return this.scalar(start, column);
  }

  private doubleQuoted(): boolean {
    const start = this.pos;
    const column = this.column;
    let p = start + 1;
    let isEscaped = false;
    for (; p < this.end; p++) {
      const c = this.text.charCodeAt(p);
      if (c === 34 && !isEscaped) break;
      isEscaped = c === 92 && !isEscaped;
    }
    // LLVM counts no lines in here; keys on a later line are not affected, for a break resets what depends on it.
    if (p >= this.end) {
      this.fail(p, 'Expected quote at end of scalar');
      return false;
    }
    this.column += 1;
    this.pos = p + 1;
    this.adjacentValueAllowed = true;
    return this.scalar(start, column);
  }

  private plainScalar(): boolean {
    const text = this.text;
    const start = this.pos;
    const column = this.column;
    const indent = this.indent + 1;
    let hasBreaks = false;
    while (this.pos < this.end) {
      if (text.charCodeAt(this.pos) === 35 /* # */) break;
      let p = this.pos;
      for (;;) {
        const c = this.at(p);
        if (c === 58 ? !this.isPlainSafeNonBlank(p + 1) : !this.isPlainSafeNonBlank(p)) break;
        if (!isNbChar(text, p)) break;
        p++;
      }
      this.column += p - this.pos;
      this.pos = p;
      if (!this.isBlankOrBreak(p)) break;
      while (this.isBlankOrBreak(p)) {
        const c = text.charCodeAt(p);
        if (c === SPACE || c === TAB) {
          if (hasBreaks && this.column < indent && c === TAB) {
            this.fail(p, 'Found invalid tab character in indentation');
            return false;
          }
          p++;
          this.column++;
        } else {
          p = this.afterBreak(p);
          hasBreaks = true;
          this.column = 0;
          this.line++;
        }
      }
      if (this.flowLevel === 0 && this.column < indent) break;
      this.pos = p;
    }
    if (this.pos === start) {
      this.fail(start, 'Got empty plain scalar');
      return false;
    }
    this.adjacentValueAllowed = false;
    return this.scalar(start, column);
  }

  // -- block scalars -----------------------------------------------------------------------------------------------------

  private blockScalar(): boolean {
    const indicator = this.pos;
    let p = indicator + 1;
    const isChomping = (c: number): boolean => c === 43 || c === 45;
    const isDigit = (c: number): boolean => c >= 49 && c <= 57;
    let explicitIndent = 0;
    const hadChomping = isChomping(this.at(p));
    if (hadChomping) p++;
    if (isDigit(this.at(p))) {
      explicitIndent = this.at(p) - 48;
      p++;
    }
    if (!hadChomping && isChomping(this.at(p))) p++;
    while (this.at(p) === SPACE || this.at(p) === TAB) p++;
    if (this.at(p) === 35) p = this.afterNbChars(p);
    const headerEnd = p;
    if (p < this.end) {
      const next = this.afterBreak(p);
      if (next === p) {
        this.fail(p, 'Expected a line break after block scalar header');
        return false;
      }
      p = next;
      this.line++;
    }
    const contentStart = p;
    const exitIndent = Math.max(this.indent, 0);
    // LLVM counts from the start of the line, whatever the block around is indented by.
    let indent = explicitIndent;
    this.pos = p;
    this.column = 0;
    this.blockEnd = -1;
    if (explicitIndent === 0) {
      indent = this.detectIndent(exitIndent);
      if (indent < 0) return false;
    }
    if (indent > 0 && !this.blockLines(indent, exitIndent)) return false;
    if (this.blockEnd < 0) this.blockEnd = this.pos;
    if (this.flowLevel === 0) this.simpleKeyAllowed = true;
    this.adjacentValueAllowed = false;
    const contentEnd = Math.max(contentStart, this.blockEnd);
    this.blockScalars.set(indicator, { indicator, headerEnd, contentStart, contentEnd, indent });
    this.push(YTok.BlockScalar, indicator, contentEnd);
    return true;
  }

  /** start of the line after the block scalar being scanned, or -1 while it is not known */
  private blockEnd = -1;

  /** Indentation of the first line with text; 0 = the scalar has none; -1 = error. Leaves `pos` at the text or where the scalar ends. */
  private detectIndent(exitIndent: number): number {
    let longest = 0;
    let longestAt = 0;
    for (;;) {
      while (this.at(this.pos) === SPACE) this.advance(1);
      const c = this.at(this.pos);
      if (c !== -1 && isNbChar(this.text, this.pos)) {
        if (this.column <= exitIndent) {
          this.blockEnd = this.pos - this.column;
          return 0;
        }
        if (longest > this.column) {
          this.fail(longestAt, 'Leading all-spaces line must be smaller than the block indent');
          return -1;
        }
        return this.column;
      }
      const next = this.afterBreak(this.pos);
      if (next === this.pos) return 0;
      if (this.column > longest) {
        longest = this.column;
        longestAt = this.pos;
      }
      this.pos = next;
      this.line++;
      this.column = 0;
    }
  }

  private blockLines(indent: number, exitIndent: number): boolean {
    const { text, end } = this;
    let p = this.pos;
    let column = this.column;
    let line = this.line;
    let isFine = true;
    for (;;) {
      while (column < indent && p < end && text.charCodeAt(p) === SPACE) {
        p++;
        column++;
      }
      const c = p < end ? text.charCodeAt(p) : -1;
      if (c !== -1 && isNbChar(text, p)) {
        const isComment = c === 35 && column < indent;
        if (column <= exitIndent || isComment) {
          this.blockEnd = p - column;
          break;
        }
        if (column < indent) {
          this.fail(p, 'A text line is less indented than the block scalar');
          isFine = false;
          break;
        }
        const q = this.afterNbChars(p);
        column += q - p;
        p = q;
      }
      const next = this.afterBreak(p);
      if (next === p) break;
      p = next;
      line++;
      column = 0;
    }
    this.pos = p;
    this.column = column;
    this.line = line;
    return isFine;
  }
}

/**
 * Whether lines of a block scalar are fine as such: each is blank or has `indent` leading spaces, and all characters are printable.
 * [start, end) must be whole lines. Linear.
 */
export function areBlockScalarLines(text: string, start: number, end: number, indent: number): boolean {
  let p = start;
  while (p < end) {
    let column = 0;
    while (p < end && column < indent && text.charCodeAt(p) === SPACE) {
      p++;
      column++;
    }
    if (p < end && column < indent && text.charCodeAt(p) !== LF && text.charCodeAt(p) !== CR) return false;
    for (; p < end; p++) {
      const c = text.charCodeAt(p);
      if (c >= 32 && c <= 126) continue;
      if (c === LF || c === CR) break;
      if (!isNbChar(text, p)) return false;
    }
    if (p < end) {
      p++;
      if (text.charCodeAt(p - 1) === CR && p < end && text.charCodeAt(p) === LF) p++;
    }
  }
  return true;
}
