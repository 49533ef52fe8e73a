/**
 * Typed reading of a YAML tree with the order of work and the messages of LLVM 22's yaml::Input: the caller asks for keys in
 * the order of LLVM's mapping functions, complaints are collected in that order, unknown keys come last in each mapping.
 *
 * All offsets are relative to the start of the YAML document.
 */
import { stringMapOrder } from '../../util/stringMapOrder.js';
import { utf8Bytes } from '../../text/sourceText.js';
import type { Interner } from '../../util/interner.js';
import { NO_NODE, SyntaxKind, YamlFlag, type Node, type Tree } from '../../syntax/tree.js';
import { yamlText } from '../../syntax/yamlParser.js';
import type { DiagnosticSink } from './diagnostics.js';

/** Where llc has what is wrong at an offset of a scalar's text: in a text of several lines at that column of the first. */
export function placeIn(s: YamlString, at: number): number {
  return s.valueStart + at - (s.text.slice(0, at).lastIndexOf('\n') + 1);
}

/** A scalar with its place; MIR strings inside it are parsed and complained about relative to `valueStart`. */
export interface YamlString {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** offset that corresponds to `text[0]` in LLVM's diagnostics: after a single quote, at a double quote */
  readonly valueStart: number;
}

const TRUE_WORDS = new Set(['true', 'True', 'TRUE', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'y', 'Y']);
const FALSE_WORDS = new Set(['false', 'False', 'FALSE', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'n', 'N']);

export class YamlReader {
  private serial = 0;
  private document: string | null = null;

  /**
   * @param text the whole file
   * @param docStart start of the document in it
   */
  constructor(
    readonly tree: Tree,
    private readonly fileText: string,
    private readonly docStart: number,
    private readonly docLength: number,
    private readonly interner: Interner,
    readonly sink: DiagnosticSink,
  ) {}

  get text(): string {
    this.document ??= this.fileText.slice(this.docStart, this.docStart + this.docLength);
    return this.document;
  }

  /**
   * Reports at a node as YAML would: absent and flow nodes are located at the token that follows. `isFollowUp`: llc says it together with
   * what was reported last.
   */
  error(node: Node, message: string, code = 'yaml', isFollowUp = false): void {
    const { tree } = this;
    let at = tree.start(node);
    const kind = tree.kind(node);
    const isFlow = (tree.flags(node) & YamlFlag.Flow) !== 0;
    let llcEnd = -1;
    if (kind === SyntaxKind.YamlNull && tree.start(node) === tree.end(node)) at = this.nextToken(at);
    else if ((kind === SyntaxKind.YamlMapping || kind === SyntaxKind.YamlSequence) && isFlow)
      at = this.nextToken(at + 1);
    else if (kind === SyntaxKind.YamlBlockScalar) {
      at = this.blockStart(node);
      llcEnd = this.blockEnd(node);
    } else if (kind === SyntaxKind.YamlScalar) llcEnd = this.underlineEnd(node);
    this.report(at, Math.max(at, tree.end(node)), message, code, Math.max(at, llcEnd), isFollowUp);
  }

  private report(start: number, end: number, message: string, code: string, llcEnd: number, isFollowUp = false): void {
    this.sink.addYaml(this.serial++, { start, end }, code, message, llcEnd, isFollowUp);
  }

  /** llc's scalars have the blanks after them in them, unless they end their line. */
  private underlineEnd(node: Node): number {
    const { tree, text } = this;
    const end = tree.end(node);
    if ((tree.flags(node) & YamlFlag.TrailingBlanks) === 0) return end;
    let p = end;
    while (text.charCodeAt(p) === 32 || text.charCodeAt(p) === 9) p++;
    return p;
  }

  /** Where llc's block scalar begins: after its indicator when the text ends there, else at its first line. */
  private blockStart(node: Node): number {
    const content = this.tree.aux(node);
    const isCut = content === this.text.length && !/[\r\n]/.test(this.text.charAt(content - 1));
    return isCut ? this.tree.start(node) + 1 : content;
  }

  /** The node of a body or of embedded IR is only the line of its indicator. Without content, LLVM has the blanks there. */
  private blockEnd(node: Node): number {
    const { tree, text } = this;
    let p = tree.aux(node);
    if ((tree.flags(node) & YamlFlag.NoContent) === 0) return tree.end(node) > p ? tree.end(node) : text.length;
    while (text.charCodeAt(p) === 32) p++;
    return p;
  }

  /** Offset of the next character that is neither blank, line break nor comment. */
  private nextToken(from: number): number {
    const { text } = this;
    let p = from;
    for (;;) {
      const c = text.charCodeAt(p);
      if (c === 32 || c === 9 || c === 10 || c === 13) p++;
      else if (c === 35) while (p < text.length && text.charCodeAt(p) !== 10) p++;
      else return p;
    }
  }

  isScalar(node: Node): boolean {
    const kind = this.tree.kind(node);
    return kind === SyntaxKind.YamlScalar || kind === SyntaxKind.YamlBlockScalar;
  }

  /** Decoded text of a scalar. */
  scalarText(node: Node): string {
    return yamlText(this.tree, node, this.fileText, this.docStart, this.interner);
  }

  /**
   * The scalar of a node, or null after complaining that it is none. `emptyMessage`: what llc finds fault with in the empty text that it goes on
   * with.
   */
  scalar(node: Node, emptyMessage = ''): YamlString | null {
    const { tree } = this;
    if (!this.isScalar(node)) {
      this.error(node, 'unexpected scalar');
      if (emptyMessage !== '') this.error(node, emptyMessage, 'yaml', true);
      return null;
    }
    // A block scalar is its lines for LLVM.
    const start = tree.kind(node) === SyntaxKind.YamlBlockScalar ? tree.aux(node) : tree.start(node);
    const isSingleQuoted = (tree.flags(node) & YamlFlag.SingleQuoted) !== 0;
    return { text: this.scalarText(node), start, end: tree.end(node), valueStart: start + (isSingleQuoted ? 1 : 0) };
  }

  boolean(node: Node): boolean | null {
    const s = this.scalar(node, 'invalid boolean');
    if (s === null) return null;
    if (TRUE_WORDS.has(s.text)) return true;
    if (FALSE_WORDS.has(s.text)) return false;
    this.error(node, 'invalid boolean');
    return null;
  }

  /** Value of a plain decimal number of up to nine digits without leading zeros; -1 for everything else. */
  plainNumber(node: Node): number {
    const { tree } = this;
    if (tree.kind(node) !== SyntaxKind.YamlScalar || (tree.flags(node) & YamlFlag.Integer) === 0) return -1;
    const value = tree.aux(node);
    let digits = 1;
    for (let limit = 10; limit <= value; limit *= 10) digits++;
    return digits === tree.end(node) - tree.start(node) ? value : -1;
  }

  /** Integer with LLVM's radix prefixes within [min, max]. */
  integer(node: Node, min: bigint, max: bigint): bigint | null {
    const plain = this.plainNumber(node);
    if (plain >= 0 && BigInt(plain) <= max) return BigInt(plain);
    const s = this.scalar(node, 'invalid number');
    if (s === null) return null;
    const value = parseInteger(s.text, min < 0n);
    // LLVM reads 64 bits first.
    const isSigned = min < 0n;
    const fits = value !== null && (isSigned ? value >= -(1n << 63n) && value < 1n << 63n : value < 1n << 64n);
    if (value === null || !fits) {
      this.error(node, 'invalid number');
      return null;
    }
    if (value < min || value > max) {
      this.error(node, 'out of range number');
      return null;
    }
    return value;
  }

  /** Decimal only, as LLVM reads alignments. */
  alignment(node: Node, allowZero: boolean): number | null {
    const plain = this.plainNumber(node);
    if (plain > 0 && (plain & (plain - 1)) === 0) return plain;
    const s = this.scalar(node, 'invalid number');
    if (s === null) return null;
    if (!/^[0-9]+$/.test(s.text) || BigInt(s.text) > 0xffffffffffffffffn) {
      this.error(node, 'invalid number');
      return null;
    }
    const value = BigInt(s.text);
    if (value === 0n && allowZero) return 0;
    if (value === 0n || (value & (value - 1n)) !== 0n) {
      this.error(node, allowZero ? 'must be 0 or a power of two' : 'must be a power of two');
      return null;
    }
    return Number(value);
  }

  enumeration<T extends string>(node: Node, words: readonly T[]): T | null {
    const word = this.isScalar(node) ? words.find((w) => w === this.scalarText(node)) : undefined;
    if (word === undefined) this.error(node, 'unknown enumerated scalar');
    return word ?? null;
  }

  /** Items of a sequence; an absent or null value counts as an empty one. */
  items(node: Node): Node[] {
    const { tree } = this;
    const kind = tree.kind(node);
    const res: Node[] = [];
    if (kind === SyntaxKind.YamlSequence) {
      for (let c = tree.firstChild(node); c !== NO_NODE; c = tree.nextSibling(c, node)) res.push(c);
      return res;
    }
    if (kind === SyntaxKind.YamlNull) return res;
    if (kind === SyntaxKind.YamlScalar && /^(?:null|Null|NULL|~)$/.test(this.scalarText(node))) return res;
    this.error(node, 'not a sequence');
    return res;
  }

  mapping(node: Node): YamlMap {
    return new YamlMap(this, node);
  }

  /** For YamlMap: position of a missing key's complaint. */
  reportUnknownKey(key: Node, name: string): void {
    const end = this.tree.end(key);
    this.report(this.tree.start(key), end, `unknown key '${name}'`, 'unknown-key', this.underlineEnd(key));
  }
}

/** One mapping being read. Call the getters in LLVM's order, then `finish`. */
export class YamlMap {
  private readonly keys: string[] = [];
  private readonly keyNodes: Node[] = [];
  private readonly values: Node[] = [];
  private readonly used = new Set<string>();
  readonly isMapping: boolean;
  private isComplained = false;

  constructor(
    private readonly reader: YamlReader,
    readonly node: Node,
  ) {
    const { tree } = reader;
    this.isMapping = tree.kind(node) === SyntaxKind.YamlMapping;
    if (!this.isMapping) return;
    for (let p = tree.firstChild(node); p !== NO_NODE; p = tree.nextSibling(p, node)) {
      if (tree.kind(p) !== SyntaxKind.YamlPair) continue;
      const key = tree.firstChild(p);
      if (key === NO_NODE) continue;
      const value = tree.nextSibling(key, p);
      if (value === NO_NODE || !reader.isScalar(key)) continue;
      this.keys.push(reader.scalarText(key));
      this.keyNodes.push(key);
      this.values.push(value);
    }
  }

  /** Value node of an optional key, NO_NODE when absent. */
  optional(key: string): Node {
    if (!this.isMapping) {
      if (this.reader.tree.kind(this.node) !== SyntaxKind.YamlNull) this.complain();
      return NO_NODE;
    }
    this.used.add(key);
    const i = this.keys.indexOf(key);
    return i < 0 ? NO_NODE : this.values[i];
  }

  /** Value node of a required key; complains and answers NO_NODE when absent. */
  required(key: string): Node {
    if (!this.isMapping) {
      this.complain();
      return NO_NODE;
    }
    const value = this.optional(key);
    if (value === NO_NODE) this.reader.error(this.node, `missing required key '${key}'`, 'missing-key');
    return value;
  }

  private complain(): void {
    if (!this.isComplained) this.reader.error(this.node, 'not a mapping');
    this.isComplained = true;
  }

  bool(key: string, fallback: boolean): boolean {
    const n = this.optional(key);
    return n === NO_NODE ? fallback : (this.reader.boolean(n) ?? fallback);
  }

  optionalBool(key: string): boolean | null {
    const n = this.optional(key);
    return n === NO_NODE ? null : this.reader.boolean(n);
  }

  uint32(key: string, fallback: number): number {
    const n = this.optional(key);
    return n === NO_NODE ? fallback : Number(this.reader.integer(n, 0n, 0xffffffffn) ?? fallback);
  }

  uint16(key: string, fallback: number): number {
    const n = this.optional(key);
    return n === NO_NODE ? fallback : Number(this.reader.integer(n, 0n, 0xffffn) ?? fallback);
  }

  int32(key: string, fallback: number): number {
    const n = this.optional(key);
    return n === NO_NODE ? fallback : Number(this.reader.integer(n, -0x80000000n, 0x7fffffffn) ?? fallback);
  }

  uint64(key: string, fallback: bigint): bigint {
    const n = this.optional(key);
    return n === NO_NODE ? fallback : (this.reader.integer(n, 0n, 0xffffffffffffffffn) ?? fallback);
  }

  int64(key: string, fallback: bigint): bigint {
    const n = this.optional(key);
    return n === NO_NODE ? fallback : (this.reader.integer(n, -(1n << 63n), (1n << 63n) - 1n) ?? fallback);
  }

  requiredUint32(key: string): number | null {
    const n = this.required(key);
    if (n === NO_NODE) return null;
    const v = this.reader.integer(n, 0n, 0xffffffffn);
    return v === null ? null : Number(v);
  }

  string(key: string): YamlString | null {
    const n = this.optional(key);
    return n === NO_NODE ? null : this.reader.scalar(n);
  }

  requiredString(key: string): YamlString | null {
    const n = this.required(key);
    return n === NO_NODE ? null : this.reader.scalar(n);
  }

  enumeration<T extends string>(key: string, words: readonly T[], fallback: T): T {
    const n = this.optional(key);
    return n === NO_NODE ? fallback : (this.reader.enumeration(n, words) ?? fallback);
  }

  alignment(key: string, fallback: number, allowZero: boolean): number {
    const n = this.optional(key);
    return n === NO_NODE ? fallback : (this.reader.alignment(n, allowZero) ?? fallback);
  }

  /** Items of an optional sequence. */
  items(key: string): Node[] {
    const n = this.optional(key);
    return n === NO_NODE ? [] : this.reader.items(n);
  }

  strings(key: string): YamlString[] {
    const res: YamlString[] = [];
    for (const n of this.items(key)) {
      const s = this.reader.scalar(n);
      if (s !== null) res.push(s);
    }
    return res;
  }

  has(key: string): boolean {
    return this.keys.includes(key);
  }

  /** Complains about keys that nobody asked for. */
  finish(): void {
    const { keys, used } = this;
    let unknown = keys.flatMap((key, i) => (used.has(key) ? [] : [i]));
    if (unknown.length > 1) {
      // llc reports the one that comes first in its map, in which the keys that it has asked for are, too.
      const all = [...new Set([...keys, ...used])];
      const order = stringMapOrder(all.map((key) => utf8Bytes(key))).map((k) => all[k]);
      unknown = order.flatMap((key) => (used.has(key) ? [] : [keys.indexOf(key)]));
    }
    for (const i of unknown) this.reader.reportUnknownKey(this.keyNodes[i], keys[i]);
  }
}

/** `0x`, `0b`, `0o` and leading `0` (octal) as StringRef::getAsInteger(0) reads them; null when it is no number. */
function parseInteger(text: string, signed: boolean): bigint | null {
  const negative = signed && text.startsWith('-');
  const digits = negative ? text.slice(1) : text;
  let value: bigint;
  if (/^(?:0|[1-9][0-9]*)$/.test(digits)) value = BigInt(digits);
  else if (/^0[xX][0-9A-Fa-f]+$/.test(digits)) value = BigInt(digits);
  else if (/^0[bB][01]+$/.test(digits)) value = BigInt(digits);
  else if (/^0o[0-7]+$/.test(digits)) value = BigInt(digits);
  else if (/^0[0-7]+$/.test(digits)) value = BigInt(`0o${digits.slice(1)}`);
  else return null;
  return negative ? -value : value;
}
