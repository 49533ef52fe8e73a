/**
 * Parser of one YAML document to a packed tree (tree.ts), with the errors of LLVM 22's YAML parser and of the layer that turns its nodes
 * into keys and values (yaml::Input), as far as they do not depend on which keys there are. Observed with llc-22.
 *
 * LLVM stops at the first error. We keep what was parsed before it and leave the rest of the document unread.
 */
import type { Interner } from '../util/interner.js';
import { ownString } from '../util/ownString.js';
import { blockScalarText } from './blockScalar.js';
import { DiagnosticOrigin, NO_PLACE, Severity, type Diagnostic } from '../text/diagnostic.js';
import { type TreeBuilder } from './treeBuilder.js';
import {
  isSilentFailure,
  LOOKAHEAD,
  UNKNOWN_DIRECTIVE,
  YamlScanner,
  YTok,
  type BlockScalarInfo,
} from './yamlScanner.js';
import { MAX_INTERNED_SCALAR, NO_NODE, STRIDE, SyntaxKind, YamlFlag, type Node, type Tree } from './tree.js';

/** Deeper nesting is an error: the parser recurses. Nothing in MIR goes beyond 5. */
const MAX_DEPTH = 500;

const NO_SCALAR_KEY = 'Map key must be a scalar';

/** Flow mappings with more keys take the long way. */
const MAX_SIMPLE_KEYS = 24;

/** Result of parsing one document; offsets are absolute. */
export interface YamlDocument {
  /** node offsets are relative to the document's start */
  readonly tree: Tree;
  /** start of the next document, or the end of the text */
  readonly end: number;
  /** the root's block scalar, or the block scalar of a top-level `body` key */
  readonly block: BlockScalarInfo | null;
  /** a `body` that is a scalar in one line: range of its text */
  readonly inlineBody: { readonly start: number; readonly end: number } | null;
  /** offsets relative to the document's start */
  readonly diagnostics: readonly Diagnostic[];
  /** what it is depends on so much of the text after its end */
  readonly overrun: number;
}

/** Parses the document that begins at `start` (see YamlScanner). Reads beyond its end by one token. `out` is scratch space. */
export function parseYamlDocument(text: string, start: number, interner: Interner, out: TreeBuilder): YamlDocument {
  out.reset();
  return new YamlParser(text, start, interner, out).parse();
}

/** Records of an item of a sequence, and the one of its number. */
interface ItemShape {
  readonly from: Node;
  readonly to: Node;
  readonly number: Node;
}

class YamlParser {
  private readonly scanner: YamlScanner;
  private readonly diagnostics: Diagnostic[] = [];
  private readonly bodyId: number;
  private block: BlockScalarInfo | null = null;
  private inlineBody: { start: number; end: number } | null = null;
  private hasBody = false;
  /** end of the last token taken */
  private lastEnd: number;
  private depth = 0;
  /** the next node is a key, or within one */
  private isKey = false;

  constructor(
    private readonly text: string,
    private readonly base: number,
    private readonly interner: Interner,
    private readonly out: TreeBuilder,
  ) {
    this.scanner = new YamlScanner(text, base, text.length);
    this.bodyId = interner.internString('body');
    this.lastEnd = base;
  }

  parse(): YamlDocument {
    const s = this.scanner;
    const hasDirectives = s.peek() === YTok.Directive;
    while (s.peek() === YTok.Directive) this.take();
    if (s.peek() === YTok.DocumentStart) this.take();
    else if (hasDirectives) this.reportNoStart();
    const first = s.peek();
    const startError = s.error;
    let end: number;
    if (startError !== null) {
      end = this.resync(startError.offset);
    } else if (first === YTok.StreamEnd || first === YTok.DocumentStart || first === YTok.DocumentEnd) {
      end = this.findEnd();
    } else {
      const root = this.node(true);
      if (root !== NO_NODE) this.noteRoot(root);
      end = s.error === null ? this.findEnd() : this.resync(s.error.offset);
    }
    this.reportScanError();
    return {
      tree: this.out.build(),
      end,
      block: this.block,
      inlineBody: this.inlineBody,
      diagnostics: this.diagnostics,
      // The next document's marker decides in any case.
      overrun: Math.max(LOOKAHEAD, s.readEnd - end),
    };
  }

  // -- document ends ---------------------------------------------------------------------------------------------------

  /** After the root: skips document ends; the next token begins the next document, also without `---`. */
  private findEnd(): number {
    const s = this.scanner;
    while (s.peek() === YTok.DocumentEnd) this.take();
    if (s.peek() === YTok.Error) {
      // LLVM finds it on its way to the next document: that is where the file ends for it.
      const isSilent = isSilentFailure(s.error?.message ?? '');
      if (isSilent || s.lastFetch <= this.base) return this.resync(s.tokenStart);
      this.scanErrorReported = true;
      return s.lastFetch;
    }
    if (s.peek() === YTok.StreamEnd) return this.text.length;
    // A document that has not moved on (a token nothing can begin with) would be found again and again.
    return s.tokenFirst > this.base ? s.tokenFirst : this.resync(s.tokenFirst);
  }

  /** Next line that begins with `---`, after an error. */
  private resync(from: number): number {
    const text = this.text;
    for (let p = Math.max(from, this.base); ;) {
      const next = text.indexOf('---', p + 1);
      if (next < 0 || next + 4 > text.length) return text.length;
      const before = text.charCodeAt(next - 1);
      if ((before === 10 || before === 13) && /[ \t\r\n]/.test(text[next + 3])) return next;
      p = next;
    }
  }

  private noteRoot(root: Node): void {
    if (this.out.kindOf(root) !== SyntaxKind.YamlBlockScalar) return;
    const info = this.scanner.blockScalars.get(this.out.startOf(root) + this.base);
    if (info === undefined) return;
    this.block = info;
    this.out.close(root, info.headerEnd - this.base);
  }

  // -- errors ------------------------------------------------------------------------------------------------------------

  /** `llcOffset`: where llc has it; `isFollowUp`: it says it together with what was reported last. Both at `place`, an index of the list. */
  private report(
    start: number,
    end: number,
    code: string,
    message: string,
    llcOffset = start,
    isFollowUp = false,
    place = this.diagnostics.length,
    llcEnd = end,
  ): void {
    // LLVM skips what makes up a key; only what is no YAML at all is noticed.
    if (this.isKey && code !== 'yaml-syntax') return;
    const d = {
      start: start - this.base,
      end: Math.max(start, end) - this.base,
      severity: Severity.Error,
      origin: DiagnosticOrigin.Yaml,
      code,
      message: ownString(message),
      ...(llcOffset === start ? {} : { llcOffset: llcOffset === NO_PLACE ? NO_PLACE : llcOffset - this.base }),
      ...(llcEnd === end ? {} : { llcEnd: llcEnd - this.base }),
      ...(isFollowUp ? { isFollowUp: true as const } : {}),
    };
    this.diagnostics.splice(place, 0, d);
  }

  /** An error of LLVM's parser at the next token: ends the document. */
  private fail(message: string): void {
    const s = this.scanner;
    if (s.peek() === YTok.Error) return;
    s.fail(s.tokenPlace, message);
  }

  private scanErrorReported = false;

  /** Puts the scanner's error into the list, once, in the order of discovery. */
  private reportScanError(): void {
    const e = this.scanner.error;
    if (e === null || this.scanErrorReported) return;
    this.scanErrorReported = true;
    if (isSilentFailure(e.message)) {
      const start = e.offset - this.base;
      const severity = Severity.Warning;
      const code = e.message === UNKNOWN_DIRECTIVE ? 'yaml-directive' : 'yaml-tag';
      const { message } = e;
      this.diagnostics.push({ start, end: start + 1, severity, origin: DiagnosticOrigin.Ours, code, message });
      return;
    }
    this.report(e.offset, Math.min(e.offset + 1, this.text.length), 'yaml-syntax', e.message);
    const last = this.diagnostics.length - 1;
    if (e.isInsideCharacter && last >= 0) this.diagnostics[last] = { ...this.diagnostics[last], llcBytes: 1 };
  }

  // -- nodes -------------------------------------------------------------------------------------------------------------

  private take(): void {
    const t = this.scanner.peek();
    if (t !== YTok.BlockMappingStart && t !== YTok.BlockSequenceStart) this.lastEnd = this.scanner.tokenEnd;
    this.scanner.take();
  }

  private rel(offset: number): number {
    return offset - this.base;
  }

  /** Directives want `---` after them. LLVM drops the token that it finds, so that a document with more has a root. */
  private reportNoStart(): void {
    const s = this.scanner;
    if (s.peek() === YTok.Error) {
      if (isSilentFailure(s.error?.message ?? ''))
        this.report(s.tokenStart, s.tokenStart + 1, 'yaml-syntax', 'Unexpected token', NO_PLACE);
      return;
    }
    const at = s.tokenStart;
    if (s.peek() !== YTok.StreamEnd) s.take();
    if (s.peek() === YTok.DocumentStart) s.take();
    const next = s.peek();
    const isEnd = next === YTok.StreamEnd || next === YTok.DocumentStart || next === YTok.DocumentEnd;
    if (!isEnd && next !== YTok.Error) this.nullNode();
    if (s.error !== null) this.reportScanError();
    s.fail(at, 'Unexpected token');
  }

  private nullNode(): Node {
    const s = this.scanner;
    const llcOffset = s.peek() === YTok.Error ? this.lastEnd : s.tokenPlace;
    const at = this.rel(this.lastEnd);
    return this.out.leaf(SyntaxKind.YamlNull, at, at, 0, this.rel(llcOffset));
  }

  /** Parses the node at the next token; NO_NODE when there is none because of an error. */
  private node(isRoot: boolean): Node {
    const s = this.scanner;
    let properties = 0;
    let hasAnchor = false;
    let hasTag = false;
    let nodeStart = -1;
    for (;;) {
      const t = s.peek();
      if (t === YTok.Anchor) {
        if (hasAnchor) {
          this.fail('Already encountered an anchor for this node!');
          return NO_NODE;
        }
        hasAnchor = true;
      } else if (t === YTok.Tag) {
        if (hasTag) {
          this.fail('Already encountered a tag for this node!');
          return NO_NODE;
        }
        hasTag = true;
      } else {
        break;
      }
      properties = YamlFlag.HasProperties;
      if (nodeStart < 0) nodeStart = s.tokenStart;
      this.take();
    }
    if (this.depth >= MAX_DEPTH) {
      this.fail('nested too deeply');
      return NO_NODE;
    }
    this.depth++;
    const n = this.nodeAt(s.peek(), isRoot, properties);
    this.depth--;
    return n;
  }

  private nodeAt(t: YTok, isRoot: boolean, flags: number): Node {
    const s = this.scanner;
    switch (t) {
      case YTok.Alias: {
        const n = this.out.leaf(SyntaxKind.YamlAlias, this.rel(s.tokenStart), this.rel(s.tokenEnd), 0, 0, flags);
        this.take();
        const start = this.out.startOf(n) + this.base;
        const isFailed = s.peek() === YTok.Error;
        const llcOffset = isFailed ? NO_PLACE : s.tokenPlace;
        this.out.setAux(n, isFailed ? NO_PLACE : this.rel(llcOffset));
        if (this.isKey) return n;
        if (isFailed) this.reportScanError();
        this.report(start, this.lastEnd, 'yaml-alias', 'unknown node kind', llcOffset, isFailed);
        return n;
      }
      case YTok.BlockEntry:
        return this.sequence(YTok.BlockEntry, flags);
      case YTok.BlockSequenceStart:
      case YTok.FlowSequenceStart:
        return this.sequence(t, flags);
      case YTok.BlockMappingStart:
      case YTok.FlowMappingStart:
      case YTok.Key:
        return this.mapping(t, isRoot, flags);
      case YTok.Scalar:
        return this.scalarNode(flags);
      case YTok.BlockScalar: {
        const info = s.blockScalars.get(s.tokenStart) as BlockScalarInfo;
        const content = this.rel(info.contentStart);
        if (info.contentEnd === info.contentStart) flags |= YamlFlag.NoContent;
        const n = this.out.leaf(
          SyntaxKind.YamlBlockScalar,
          this.rel(info.indicator),
          this.rel(info.contentEnd),
          0,
          content,
          flags,
        );
        this.take();
        return n;
      }
      // An empty item at the end of a block sequence. Elsewhere LLVM makes an item of what follows: `-` above `- x` is a nested sequence.
      case YTok.BlockEnd:
      case YTok.DocumentStart:
      case YTok.DocumentEnd:
      case YTok.StreamEnd:
        return this.nullNode();
      case YTok.FlowMappingEnd:
      case YTok.FlowSequenceEnd:
      case YTok.FlowEntry:
        if (!isRoot) return this.nullNode();
        this.fail('Unexpected token');
        return NO_NODE;
      case YTok.Error:
        return NO_NODE;
      // A value without key, among others: LLVM makes an item of nothing, and what reads the item before it finds fault with the token.
      default:
        return this.nullNode();
    }
  }

  private scalarNode(flags: number): Node {
    const s = this.scanner;
    const text = this.text;
    const start = s.tokenStart;
    let end = s.tokenEnd;
    const quote = text.charCodeAt(start);
    let value = -1;
    let aux = 0;
    if (quote === 39 || quote === 34) {
      flags |= quote === 39 ? YamlFlag.SingleQuoted : YamlFlag.DoubleQuoted;
      if (isPlainInside(text, start + 1, end - 1, quote)) {
        if (end - start - 2 <= MAX_INTERNED_SCALAR)
          value = this.interner.intern(text, start + 1, Math.max(start + 1, end - 1));
      } else {
        flags |= YamlFlag.Escaped;
        const decoded = decodeScalar(text.slice(start, end), flags);
        if (decoded.length <= MAX_INTERNED_SCALAR) value = this.interner.internString(decoded);
      }
    } else {
      while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
      const number = smallDecimal(text, start, end);
      if (number >= 0) {
        flags |= YamlFlag.Integer;
        aux = number;
      } else if (hasBreak(text, start, end)) {
        flags |= YamlFlag.Escaped;
        const decoded = decodeScalar(text.slice(start, end), flags);
        if (decoded.length <= MAX_INTERNED_SCALAR) value = this.interner.internString(decoded);
      } else if (end - start <= MAX_INTERNED_SCALAR) {
        value = this.interner.intern(text, start, end);
      }
    }
    if (end < s.tokenEnd) flags |= YamlFlag.TrailingBlanks;
    this.take();
    this.lastEnd = end;
    if (quote === 34 && (flags & YamlFlag.Escaped) !== 0) {
      const unknown = unknownEscape(text, start + 1, end - 1);
      if (unknown >= 0 && s.error === null) s.fail(unknown, 'Unrecognized escape code');
    }
    return this.out.leaf(SyntaxKind.YamlScalar, this.rel(start), this.rel(end), value, aux, flags);
  }

  private sequence(t: YTok, flags: number): Node {
    const s = this.scanner;
    const out = this.out;
    const isFlow = t === YTok.FlowSequenceStart;
    const n = out.open(SyntaxKind.YamlSequence, this.rel(s.tokenStart));
    out.addFlags(n, flags | (isFlow ? YamlFlag.Flow : 0));
    if (t !== YTok.BlockEntry) this.take();
    out.setAux(n, this.rel(s.peek() === YTok.Error ? this.lastEnd : s.tokenPlace));
    let count = 0;
    let afterComma = true;
    for (;;) {
      const next = s.peek();
      if (next === YTok.Error) break;
      if (isFlow) {
        if (next === YTok.FlowEntry) {
          this.take();
          afterComma = true;
          continue;
        }
        if (next === YTok.FlowSequenceEnd) {
          this.take();
          break;
        }
        if (next === YTok.StreamEnd || next === YTok.DocumentEnd || next === YTok.DocumentStart) {
          this.fail('Could not find closing ]!');
          break;
        }
        if (!afterComma) {
          this.fail('Expected , between entries!');
          break;
        }
        afterComma = false;
      } else {
        if (next === YTok.BlockEnd && t !== YTok.BlockEntry) {
          this.takeEnd();
          break;
        }
        if (next !== YTok.BlockEntry) {
          if (t !== YTok.BlockEntry) this.fail('Unexpected token. Expected Block Entry or Block End.');
          break;
        }
        const entry = s.tokenStart;
        this.take();
        const p = s.flowMappingAhead();
        const item = out.size;
        if (p >= 0 && this.simpleFlowMapping(p)) {
          s.skipFlowCollection(this.lastEnd);
          count += 1 + this.similarItems(item, entry, p);
          continue;
        }
      }
      if (this.node(false) === NO_NODE) break;
      count++;
    }
    out.setValue(n, count);
    out.close(n, this.rel(this.lastEnd));
    return n;
  }

  // -- the short cut: `{ id: 0, class: vgpr_32, flags: [ ] }` --------------------------------------------------------

  /** ids of the keys of the mapping that is being read */
  private readonly flowKeys = new Int32Array(MAX_SIMPLE_KEYS);
  private cursor = 0;

  /**
   * Reads a flow mapping in one line, of plain words, single-quoted text without quotes in it and flat sequences of these, followed by the
   * line end. Most of a big header is of this form, and to do it without tokens is four times faster. False = something else stands
   * there; nothing is written then.
   */
  private simpleFlowMapping(p: number): boolean {
    const text = this.text;
    const out = this.out;
    const size = out.size;
    const n = out.open(SyntaxKind.YamlMapping, this.rel(p));
    out.addFlags(n, YamlFlag.Flow);
    p = afterSpaces(text, p + 1);
    out.setAux(n, this.rel(p));
    let count = 0;
    while (text.charCodeAt(p) !== 125 /* } */) {
      if (count === MAX_SIMPLE_KEYS || !this.simplePair(p, count)) {
        out.rewind(size);
        return false;
      }
      p = this.cursor;
      count++;
    }
    p++;
    const lineEnd = afterSpaces(text, p);
    const after = text.charCodeAt(lineEnd);
    if ((after !== 10 && after !== 13) || isBeforeDirective(text, lineEnd)) {
      out.rewind(size);
      return false;
    }
    out.setValue(n, count);
    out.close(n, this.rel(p));
    this.lastEnd = p;
    return true;
  }

  /** what stands before the number of the items that `itemShapes` knows */
  private itemHead = '';
  /** items by what follows their number up to the line end */
  private readonly itemShapes = new Map<string, ItemShape>();

  /**
   * The items that follow in the next lines and differ from one that was read already only in the number that they begin with, as
   * those of `registers:` do: their nodes are copies. `item`: the mapping just read, at `p`, after the `-` at `entry`. The number of
   * items read.
   */
  private similarItems(item: Node, entry: number, p: number): number {
    const text = this.text;
    const out = this.out;
    // Mapping, pair, key, value: records follow each other in prefix order.
    const number = item + 3 * STRIDE;
    if (number >= out.size || (out.flags(number) & YamlFlag.Integer) === 0) return 0;
    const numberEnd = out.endOf(number) + this.base;
    const head = text.slice(p, out.startOf(number) + this.base);
    if (head !== this.itemHead) {
      this.itemHead = head;
      this.itemShapes.clear();
    }
    this.itemShapes.set(text.slice(numberEnd, this.lastEnd), { from: item, to: out.size, number });
    let lineStart = entry;
    while (text.charCodeAt(lineStart - 1) === 32) lineStart--;
    if (text.charCodeAt(lineStart - 1) !== 10) return 0;
    const lead = text.slice(lineStart - 1, p) + head;

    let count = 0;
    while (text.startsWith(lead, this.lastEnd)) {
      const digits = this.lastEnd + lead.length;
      let end = digits;
      while (text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
      const value = smallDecimal(text, digits, end);
      const lineEnd = text.indexOf('\n', end);
      if (value < 0 || lineEnd < 0) break;
      const shape = this.itemShapes.get(text.slice(end, lineEnd));
      if (shape === undefined || isBeforeDirective(text, lineEnd)) break;
      const before = this.rel(digits) - out.startOf(shape.number);
      out.repeatYaml(shape.from, shape.to, shape.number, value, before, this.rel(end) - out.endOf(shape.number));
      this.lastEnd = lineEnd;
      this.scanner.skipLines(lineEnd, 1, lineEnd - digits + lead.length - 1, false);
      count++;
    }
    return count;
  }

  // -- the short cut: `key: word` ------------------------------------------------------------------------------------

  /**
   * The pairs of a block mapping that follow in the next lines and have a value of one word, plain or single-quoted without quotes in it, an
   * empty flow sequence, or a simple flow mapping: most of a header that llc wrote. Stops before a line that is anything else. The number
   * of pairs read.
   */
  private plainPairs(keys: KeySet, isRoot: boolean): number {
    const text = this.text;
    const out = this.out;
    const s = this.scanner;
    let count = 0;
    for (let p = s.blockLineAhead(); p >= 0; p = s.blockLineAhead()) {
      const keyEnd = afterWord(text, p);
      if (text.charCodeAt(keyEnd) !== 58 || text.charCodeAt(keyEnd + 1) !== 32) break;
      if (keyEnd - p > MAX_INTERNED_SCALAR) break;
      const key = this.interner.intern(text, p, keyEnd);
      if ((isRoot && key === this.bodyId) || keys.has(key)) break;
      const n = out.open(SyntaxKind.YamlPair, this.rel(p));
      out.leaf(SyntaxKind.YamlScalar, this.rel(p), this.rel(keyEnd), key);
      const start = afterSpaces(text, keyEnd + 1);
      if (!this.plainValue(start)) {
        out.rewind(n);
        break;
      }
      keys.add(key);
      const end = this.cursor;
      out.close(n, this.rel(end));
      this.lastEnd = end;
      const first = text.charCodeAt(start);
      s.skipLines(end, 1, s.blockColumn + end - p, first !== 39 && first !== 91 && first !== 123);
      count++;
    }
    return count;
  }

  /** The value of such a pair at `p`. Moves `cursor` after it. False = something else stands there. */
  private plainValue(p: number): boolean {
    const text = this.text;
    const out = this.out;
    const first = text.charCodeAt(p);
    if (first === 123 /* { */) {
      if (!this.simpleFlowMapping(p)) return false;
      this.cursor = this.lastEnd;
      return true;
    }
    const from = this.rel(p);
    let end = p + 1;
    if (first === 91 /* [ */) {
      end = afterSpaces(text, end);
      if (text.charCodeAt(end) !== 93 || !this.isLastInLine(end + 1)) return false;
      out.leaf(SyntaxKind.YamlSequence, from, this.rel(end + 1), 0, this.rel(end), YamlFlag.Flow);
      this.cursor = end + 1;
      return true;
    }
    const isQuoted = first === 39;
    if (isQuoted) {
      while (isQuotable(text.charCodeAt(end))) end++;
      if (text.charCodeAt(end) !== 39) return false;
      end++;
    } else {
      if (!isLetter(first) && !(first >= 48 && first <= 57)) return false;
      end = afterWord(text, end);
    }
    if (end - p > MAX_INTERNED_SCALAR || !this.isLastInLine(end)) return false;
    this.simpleLeaf(p, end, isQuoted);
    return true;
  }

  /** Writes the scalar [start, end), quotes included, and moves `cursor` after it. */
  private simpleLeaf(start: number, end: number, isQuoted: boolean, hasBlanks = false): void {
    const text = this.text;
    const number = isQuoted ? -1 : smallDecimal(text, start, end);
    const [from, to] = [this.rel(start), this.rel(end)];
    const blanks = hasBlanks ? YamlFlag.TrailingBlanks : 0;
    if (number >= 0) this.out.leaf(SyntaxKind.YamlScalar, from, to, -1, number, YamlFlag.Integer | blanks);
    else {
      const value = isQuoted ? this.interner.intern(text, start + 1, end - 1) : this.interner.intern(text, start, end);
      this.out.leaf(SyntaxKind.YamlScalar, from, to, value, 0, isQuoted ? YamlFlag.SingleQuoted : blanks);
    }
    this.cursor = end;
  }

  /** Whether a scalar ends at `p`: the next line begins with a letter and no further right than this mapping does. */
  private isLastInLine(p: number): boolean {
    const text = this.text;
    p = afterSpaces(text, p);
    if (text.charCodeAt(p) === 13) p++;
    if (text.charCodeAt(p) !== 10) return false;
    const next = afterSpaces(text, p + 1);
    return next - p - 1 <= this.scanner.blockColumn && isLetter(text.charCodeAt(next));
  }

  /** `key: value` and the comma after it. Moves `cursor` to what follows. */
  private simplePair(p: number, count: number): boolean {
    const text = this.text;
    const out = this.out;
    const n = out.open(SyntaxKind.YamlPair, this.rel(p));
    const keyStart = p;
    p = afterWord(text, p);
    if (
      p === keyStart ||
      !isLetter(text.charCodeAt(keyStart)) ||
      text.charCodeAt(p) !== 58 ||
      text.charCodeAt(p + 1) !== 32
    )
      return false;
    const id = this.interner.intern(text, keyStart, p);
    for (let i = 0; i < count; i++) if (this.flowKeys[i] === id) return false;
    this.flowKeys[count] = id;
    out.leaf(SyntaxKind.YamlScalar, this.rel(keyStart), this.rel(p), id);
    p = afterSpaces(text, p + 1);
    if (text.charCodeAt(p) === 91 /* [ */) {
      const list = out.open(SyntaxKind.YamlSequence, this.rel(p));
      out.addFlags(list, YamlFlag.Flow);
      p = afterSpaces(text, p + 1);
      out.setAux(list, this.rel(p));
      let items = 0;
      while (text.charCodeAt(p) !== 93 /* ] */) {
        if (!this.simpleScalar(p)) return false;
        items++;
        p = afterSpaces(text, this.cursor);
        if (text.charCodeAt(p) === 44) p = afterSpaces(text, p + 1);
        else if (text.charCodeAt(p) !== 93) return false;
      }
      p++;
      out.setValue(list, items);
      out.close(list, this.rel(p));
    } else {
      if (!this.simpleScalar(p)) return false;
      p = this.cursor;
    }
    out.close(n, this.rel(p));
    p = afterSpaces(text, p);
    if (text.charCodeAt(p) === 44) p = afterSpaces(text, p + 1);
    else if (text.charCodeAt(p) !== 125) return false;
    this.cursor = p;
    return true;
  }

  private simpleScalar(p: number): boolean {
    const text = this.text;
    const start = p;
    const c = text.charCodeAt(p);
    if (c === 39 /* ' */) {
      do p++;
      while (isQuotable(text.charCodeAt(p)));
      if (text.charCodeAt(p) !== 39 || text.charCodeAt(p + 1) === 39 || p - start > MAX_INTERNED_SCALAR) return false;
      this.simpleLeaf(start, p + 1, true);
      return true;
    }
    p = afterWord(text, p);
    if (p === start || c === 45 || p - start > MAX_INTERNED_SCALAR) return false;
    const after = text.charCodeAt(p);
    if (after !== 44 && after !== 32 && after !== 93 && after !== 125) return false;
    this.simpleLeaf(start, p, false, after === 32);
    return true;
  }

  /** A BlockEnd has no text of its own. */
  private takeEnd(): void {
    this.scanner.take();
  }

  private mapping(t: YTok, isRoot: boolean, flags: number): Node {
    const s = this.scanner;
    const out = this.out;
    const isFlow = t === YTok.FlowMappingStart;
    // A single pair in a flow sequence has no start token; the token of a block mapping stands at its first colon.
    const isInline = t === YTok.Key;
    let start = s.tokenStart;
    if (!isInline) this.take();
    if (!isFlow && s.peek() !== YTok.Error) start = s.tokenStart;
    const n = out.open(SyntaxKind.YamlMapping, this.rel(start));
    out.addFlags(n, flags | (isFlow ? YamlFlag.Flow : 0));
    out.setAux(n, this.rel(s.peek() === YTok.Error ? this.lastEnd : s.tokenPlace));
    const keys = new KeySet();
    let count = 0;
    for (;;) {
      if (t === YTok.BlockMappingStart) count += this.plainPairs(keys, isRoot);
      const next = s.peek();
      if (next === YTok.Error) break;
      if (next === YTok.Key || next === YTok.Scalar) {
        count++;
        if (!this.pair(keys, isRoot) || isInline) break;
        continue;
      }
      if (isInline) break;
      if (isFlow) {
        if (next === YTok.FlowEntry) {
          this.take();
          continue;
        }
        if (next === YTok.FlowMappingEnd) {
          this.take();
          break;
        }
        this.fail('Unexpected token. Expected Key, Flow Entry, or Flow Mapping End.');
        break;
      }
      if (next === YTok.BlockEnd) {
        this.takeEnd();
        break;
      }
      this.fail('Unexpected token. Expected Key or Block End');
      break;
    }
    out.setValue(n, count);
    out.close(n, this.rel(this.lastEnd));
    return n;
  }

  private pair(keys: KeySet, isRoot: boolean): boolean {
    const s = this.scanner;
    const out = this.out;
    const n = out.open(SyntaxKind.YamlPair, this.rel(s.tokenStart));
    const ok = this.pairParts(keys, isRoot);
    out.close(n, this.rel(this.lastEnd));
    return ok;
  }

  private pairParts(keys: KeySet, isRoot: boolean): boolean {
    const s = this.scanner;
    const out = this.out;
    const isExplicit = s.peek() === YTok.Key;
    if (isExplicit) {
      // The Key token of a simple key covers the key itself.
      const keyEnd = this.lastEnd;
      this.take();
      this.lastEnd = keyEnd;
    }
    const afterKey = s.peek();
    const isNullKey = afterKey === YTok.BlockEnd || afterKey === YTok.Value || (afterKey === YTok.Error && !isExplicit);
    const wasKey = this.isKey;
    this.isKey = true;
    const key = isNullKey ? this.nullNode() : this.node(false);
    this.isKey = wasKey;
    const keyEnd = this.lastEnd;
    if (key === NO_NODE) {
      this.reportScanError();
      this.report(keyEnd, keyEnd, 'yaml-key', NO_SCALAR_KEY, NO_PLACE, true);
      return false;
    }
    const keyStart = out.startOf(key) + this.base;
    const isScalar = out.kindOf(key) === SyntaxKind.YamlScalar;
    const llcKeyEnd = this.keyEnd(key, keyEnd);
    /** LLVM complains about the key when it has seen how the value begins. */
    const complainOfKey = (place: number, isFollowUp: boolean): void => {
      if (isScalar) return;
      this.report(keyStart, keyEnd, 'yaml-key', NO_SCALAR_KEY, this.keyPlace(key), isFollowUp, place, llcKeyEnd);
    };
    const keyValue = out.valueOf(key);
    const isBody = isRoot && keyValue === this.bodyId && !this.hasBody;

    let next = s.peek();
    const isFailed = s.error !== null;
    if (next === YTok.Error || isFailed) {
      this.reportScanError();
      complainOfKey(this.diagnostics.length, isFailed);
      return false;
    }
    let isNullValue = next !== YTok.Value;
    if (isNullValue) {
      const isEmpty =
        next === YTok.BlockEnd || next === YTok.FlowMappingEnd || next === YTok.Key || next === YTok.FlowEntry;
      if (!isEmpty) this.fail('Unexpected token in Key Value.');
    } else {
      this.take();
      next = s.peek();
      isNullValue = next === YTok.BlockEnd || next === YTok.Key;
    }
    const place = this.diagnostics.length;
    const isRepeated = isScalar && next !== YTok.Error && !keys.add(keyValue >= 0 ? keyValue : this.keyText(key));
    const complainOfRepetition = (where: number, isFollowUp: boolean): void => {
      if (!isRepeated) return;
      const text = decodeScalar(this.text.slice(keyStart, out.endOf(key) + this.base), out.flags(key));
      const message = `duplicated mapping key '${text}'`;
      this.report(keyStart, keyEnd, 'duplicate-key', message, keyStart, isFollowUp, where, llcKeyEnd);
    };
    if (isNullValue) {
      if (s.error !== null) this.reportScanError();
      complainOfKey(this.diagnostics.length, s.error !== null);
      complainOfRepetition(this.diagnostics.length, s.error !== null);
      this.nullNode();
      return s.error === null;
    }
    const value = this.node(false);
    if (value === NO_NODE) {
      // The other error may be an older one, whose reader went on.
      const isFollowUp = !isSilentFailure(s.error?.message ?? '') && !this.scanErrorReported;
      this.reportScanError();
      complainOfKey(this.diagnostics.length, isFollowUp);
      this.report(
        keyStart,
        keyEnd,
        'yaml-value',
        'Map value must not be empty',
        this.keyPlace(key),
        isFollowUp || !isScalar,
        this.diagnostics.length,
        llcKeyEnd,
      );
      return false;
    }
    complainOfKey(place, false);
    const kind = out.kindOf(value);
    // LLVM has looked at the token after a scalar by then.
    const isFollowUp =
      isRepeated &&
      (kind === SyntaxKind.YamlScalar || kind === SyntaxKind.YamlBlockScalar) &&
      s.peek() === YTok.Error &&
      !this.scanErrorReported;
    if (isFollowUp) this.reportScanError();
    complainOfRepetition(isFollowUp ? this.diagnostics.length : place, isFollowUp);
    if (isBody) this.noteBody(value);
    return s.error === null;
  }

  /** Where llc has a message about this key. */
  private keyPlace(key: Node): number {
    const { out } = this;
    if (out.kindOf(key) === SyntaxKind.YamlScalar) return out.startOf(key) + this.base;
    const aux = out.auxOf(key);
    return aux === NO_PLACE ? NO_PLACE : aux + this.base;
  }

  /** Where what llc marks of a key ends; `end`: where we have it. */
  private keyEnd(key: Node, end: number): number {
    const { out } = this;
    const flags = out.flags(key);
    switch (out.kindOf(key)) {
      case SyntaxKind.YamlScalar:
        // llc's keys have the blanks after them in them.
        return (flags & YamlFlag.TrailingBlanks) === 0 ? end : afterSpaces(this.text, end);
      case SyntaxKind.YamlBlockScalar:
        return (flags & YamlFlag.NoContent) === 0
          ? out.endOf(key) + this.base
          : afterSpaces(this.text, this.keyPlace(key));
      default:
        return this.keyPlace(key);
    }
  }

  private keyText(key: Node): string {
    return this.text.slice(this.out.startOf(key) + this.base, this.out.endOf(key) + this.base);
  }

  private noteBody(value: Node): void {
    const out = this.out;
    this.hasBody = true;
    const start = out.startOf(value) + this.base;
    if (out.kindOf(value) === SyntaxKind.YamlBlockScalar) {
      const info = this.scanner.blockScalars.get(start) as BlockScalarInfo;
      this.block = info;
      this.lastEnd = info.headerEnd;
      out.close(value, info.headerEnd - this.base);
      return;
    }
    if (out.kindOf(value) !== SyntaxKind.YamlScalar) return;
    const flags = out.flags(value);
    const isQuoted = (flags & (YamlFlag.SingleQuoted | YamlFlag.DoubleQuoted)) !== 0;
    if ((flags & YamlFlag.Escaped) !== 0) return;
    const end = out.endOf(value) + this.base;
    this.inlineBody = isQuoted ? { start: start + 1, end: end - 1 } : { start, end };
  }
}

/**
 * Whether the next token after a line end is a directive. LLVM looks ahead that far before it reads a mapping that may be a key, and
 * loses it when the directive ends the file.
 */
function isBeforeDirective(text: string, lineEnd: number): boolean {
  let p = lineEnd;
  for (;;) {
    const lineStart = p + (text.charCodeAt(p) === 13 && text.charCodeAt(p + 1) === 10 ? 2 : 1);
    p = afterSpaces(text, lineStart);
    let c = text.charCodeAt(p);
    if (c === 35) {
      while (p < text.length && c !== 10 && c !== 13) c = text.charCodeAt(++p);
    }
    if (c !== 10 && c !== 13) return c === 37 && p === lineStart;
  }
}

/** Keys of one mapping: few as a rule, so a list; many in hostile input, then a set. */
class KeySet {
  private readonly list: (number | string)[] = [];
  private set: Set<number | string> | null = null;

  has(key: number | string): boolean {
    return this.set === null ? this.list.includes(key) : this.set.has(key);
  }

  /** False when it was there. */
  add(key: number | string): boolean {
    if (this.set !== null) {
      if (this.set.has(key)) return false;
      this.set.add(key);
      return true;
    }
    for (let i = 0; i < this.list.length; i++) if (this.list[i] === key) return false;
    this.list.push(key);
    if (this.list.length === 16) this.set = new Set(this.list);
    return true;
  }
}

function afterSpaces(text: string, p: number): number {
  while (text.charCodeAt(p) === 32) p++;
  return p;
}

function isLetter(c: number): boolean {
  return (c >= 97 && c <= 122) || (c >= 65 && c <= 90);
}

const WORD = /[\w$.-]*/y;

/** End of a run of `[A-Za-z0-9_$.-]`. */
function afterWord(text: string, p: number): number {
  WORD.lastIndex = p;
  WORD.test(text);
  return WORD.lastIndex;
}

/** Printable ASCII but `'`. */
function isQuotable(c: number): boolean {
  return c >= 32 && c <= 126 && c !== 39;
}

function isBlank(c: number): boolean {
  return c === 32 || c === 9 || c === 10 || c === 13;
}

function hasBreak(text: string, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (text.charCodeAt(p) === 10 || text.charCodeAt(p) === 13) return true;
  return false;
}

/** Whether a quoted scalar's text stands for itself. */
function isPlainInside(text: string, start: number, end: number, quote: number): boolean {
  for (let p = start; p < end; p++) {
    const c = text.charCodeAt(p);
    if (c === 10 || c === 13 || c === quote || (c === 92 && quote === 34)) return false;
  }
  return true;
}

/** Value of 1 to 9 decimal digits, else -1. */
function smallDecimal(text: string, start: number, end: number): number {
  if (end - start > 9 || start === end) return -1;
  let v = 0;
  for (let p = start; p < end; p++) {
    const d = text.charCodeAt(p) - 48;
    if (d < 0 || d > 9) return -1;
    v = v * 10 + d;
  }
  return v;
}

const DOUBLE_QUOTED_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

/** What may follow a backslash in double quotes: the escapes of one character, numbers, and the end of a line. */
const ESCAPE_STARTS = new Set([...DOUBLE_QUOTED_ESCAPES.keys(), ...'xuU"/\\ \t\r\n']);

/** Offset of the first character after a backslash that makes no escape; -1 if there is none. */
function unknownEscape(text: string, start: number, end: number): number {
  for (let at = text.indexOf('\\', start); at >= 0 && at < end; at = text.indexOf('\\', at + 2))
    if (!ESCAPE_STARTS.has(text.charAt(at + 1))) return at + 1;
  return -1;
}

/** Text of a scalar as spelled (quotes included) -> its value. Line folding as in YAML: one break is a blank, n breaks are n-1 breaks. */
function decodeScalar(raw: string, flags: number): string {
  if ((flags & YamlFlag.SingleQuoted) !== 0) return unfolded(raw.slice(1, -1), /''|\r\n?|\n/g, () => ["'", 2]);
  if ((flags & YamlFlag.DoubleQuoted) !== 0) return unfolded(raw.slice(1, -1), /\\|\r\n?|\n/g, unescaped);
  return unfolded(raw, /\r\n?|\n/g, () => ['', 0]);
}

/** `escape`: what is meant by the escape that the rest of the text begins with, and how many characters it takes. */
function unfolded(text: string, special: RegExp, escape: (rest: string) => readonly [string, number]): string {
  let res = '';
  let from = 0;
  /** line breaks met since the last character */
  let breaks = 0;
  const append = (part: string): void => {
    if (breaks > 0) res += breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
    breaks = 0;
    res += part;
  };
  for (;;) {
    special.lastIndex = from;
    const m = special.exec(text);
    if (m === null) {
      append(text.slice(from));
      return res;
    }
    if (m[0] !== "''" && m[0] !== '\\') {
      let end = m.index;
      while (from < end && isBlankAt(text, end - 1)) end--;
      if (from < end) append(text.slice(from, end));
      breaks++;
      from = m.index + m[0].length;
      while (isBlankAt(text, from)) from++;
    } else {
      const [meant, length] = escape(text.slice(m.index));
      append(text.slice(from, m.index) + meant);
      from = m.index + length;
    }
  }
}

const isBlankAt = (text: string, p: number): boolean => text[p] === ' ' || text[p] === '\t';

const NUMBER_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** LLVM drops the letter of a number that the text has no room for, and takes digits that are none for U+FFFD. */
function unescaped(rest: string): readonly [string, number] {
  const e = rest.charAt(1);
  const lineBreak = /^\\(?:\r\n?|\n)[ \t]*/.exec(rest);
  if (lineBreak !== null) return ['', lineBreak[0].length];
  const n = NUMBER_DIGITS.get(e);
  if (n === undefined) return [DOUBLE_QUOTED_ESCAPES.get(e) ?? e, 2];
  const digits = rest.slice(2, 2 + n);
  if (digits.length < n) return ['', 2];
  const code = /^[0-9A-Fa-f]*$/.test(digits) ? parseInt(digits, 16) : 0xfffd;
  return [code <= 0x10ffff ? String.fromCodePoint(code) : '', 2 + n];
}

/** Decoded text of a YamlScalar; '' for other nodes. `docStart` is the absolute start of the tree's document. */
export function yamlText(tree: Tree, n: Node, text: string, docStart: number, interner: Interner): string {
  if (tree.kind(n) === SyntaxKind.YamlBlockScalar)
    return blockScalarText(text, docStart + tree.start(n), docStart + tree.aux(n), docStart + tree.end(n));
  if (tree.kind(n) !== SyntaxKind.YamlScalar) return '';
  const id = tree.value(n);
  if (id >= 0) return interner.text(id);
  const raw = ownString(text, docStart + tree.start(n), docStart + tree.end(n));
  const flags = tree.flags(n);
  if ((flags & YamlFlag.Escaped) !== 0) return decodeScalar(raw, flags);
  return (flags & (YamlFlag.SingleQuoted | YamlFlag.DoubleQuoted)) !== 0 ? raw.slice(1, -1) : raw;
}

/** Value node of the key with that id in a YamlMapping, or NO_NODE. O(pairs) */
export function yamlGet(tree: Tree, mapping: Node, keyId: number): Node {
  for (let p = tree.firstChild(mapping); p !== NO_NODE; p = tree.nextSibling(p, mapping)) {
    const key = tree.firstChild(p);
    if (key !== NO_NODE && tree.kind(key) === SyntaxKind.YamlScalar && tree.value(key) === keyId)
      return tree.nextSibling(key, p);
  }
  return NO_NODE;
}
