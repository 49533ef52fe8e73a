/**
 * The pattern of a directive: read from its text, and searched in the input. Patterns, variables and their quirks are those of FileCheck of
 * LLVM 22: literal text, `{{regex}}`, `[[NAME]]`, `[[NAME:regex]]`, `[[#...]]`.
 */
import {
  evaluate,
  ExpressionParser,
  Manner,
  PatternError,
  type Expression,
  type NumericBlock,
  type Problem,
  type Span,
} from './expression.js';
import { formatNumber, parseNumber, wildcard, type NumericFormat } from './numericFormat.js';
import type { FileCheckOptions } from './options.js';
import { RowBuilder } from './flatRegex.js';
import { PosixRegex, RegexError, RowRegex, SearchLimit, type SearchMeter } from './posixRegex.js';
import { KeptRegexes, NO_GROUPS } from './keptRegexes.js';
import { EMPTY, Kind, type Node } from './regexSyntax.js';
import type { Location, SourceBuffer } from './sourceBuffer.js';
import type { CapturedRange, NumericVariable, Variables } from './variables.js';

export const enum DirectiveKind {
  Plain,
  Next,
  Same,
  Not,
  Dag,
  Label,
  Empty,
  /** what stands after the last directive when NOTs or DAGs are left */
  EndOfFile,
}

/** What a directive asks for, apart from its pattern. */
export interface DirectiveType {
  readonly kind: DirectiveKind;
  /** of -COUNT, else 1 */
  readonly count: number;
  readonly isLiteral: boolean;
}

/** A block whose text is known only when the pattern is matched. */
export interface Substitution {
  /** the block's text in the check file, as notes quote it */
  readonly span: Span;
  readonly source: { readonly string: string } | { readonly expression: Expression; readonly format: NumericFormat };
}

export interface Found {
  readonly kind: 'found';
  /** offsets in the text that was searched */
  readonly start: number;
  readonly end: number;
}

/** The pattern could not be put together: undefined variables, numbers that have no text. */
export interface Invalid {
  readonly kind: 'invalid';
  readonly problems: readonly Problem[];
}

export type MatchResult = Found | Invalid | null;

const MAX_BACK_REFERENCE = 9;
/** what nests in a block, and what takes that from the next character */
const BRACKETS = /[[\]\\]/g;

export interface PatternContext {
  readonly options: FileCheckOptions;
  readonly variables: Variables;
  readonly regexes: KeptRegexes;
  /** of all searches of a run */
  readonly meter: SearchMeter;
  /** called before each search; what it throws leaves the run */
  readonly checkpoint: () => void;
}

interface NumericDefinition {
  readonly name: string;
  readonly variable: NumericVariable;
  readonly group: number;
}

type Matcher = PosixRegex | RowRegex;

/** A piece of the regular expression that the pattern is. */
type Part =
  | { readonly text: string }
  /** `isAlone`: what it means does not depend on what stands beside it */
  | { readonly regex: string; readonly isAlone: boolean }
  | { readonly open: number }
  | 'close'
  | Substitution;

const partSource = (part: Exclude<Part, Substitution>): string => {
  if (part === 'close') return ')';
  if ('open' in part) return '(';
  return 'text' in part ? escapeRegex(part.text) : part.regex;
};
const isSubstitution = (part: Part): part is Substitution => part !== 'close' && 'span' in part;

export class Pattern {
  /** text to be found as it is; '' when `parts` says what to find */
  private fixed = '';
  /** regular expression in parts, substitutions between them */
  private readonly parts: Part[] = [];
  readonly substitutions: Substitution[] = [];
  /** variables that the pattern defines, each name once; most patterns have none or one */
  private readonly strings: { readonly name: string; readonly group: number }[] = [];
  private readonly numbers: NumericDefinition[] = [];
  private nextGroup = 1;
  /** steps of its expressions */
  private size = 0;
  /** for the values that were there last, with its bytes; null where it is not kept */
  private compiled: { readonly values: string; readonly regex: Matcher | null; readonly bytes: number } | null = null;
  private lowerFixed = '';

  constructor(
    private readonly context: PatternContext,
    readonly type: DirectiveType,
    readonly location: Location,
    /** of the directive, as `@LINE`; null for implicit patterns */
    readonly line: number | null,
  ) {}

  /** Whether it defines or uses variables, as labels must not. */
  get hasVariable(): boolean {
    return this.substitutions.length > 0 || this.strings.length > 0;
  }

  /** Reads [location, end). Throws PatternError; what was read up to there stays. */
  parse(end: number, prefix: string): void {
    const { options } = this.context;
    const { buffer, offset: start } = this.location;
    const { kind, isLiteral } = this.type;
    const fullLines = options.matchFullLines && kind !== DirectiveKind.Not;
    if (!(options.strictWhitespace && options.matchFullLines))
      while (end > start && isBlank(buffer.text[end - 1])) end--;
    const text = buffer.text.slice(start, end);
    if (kind === DirectiveKind.Empty) {
      if (text !== '') this.fail(start, `found non-empty check string for empty check with prefix '${prefix}:'`);
      this.addTree('(\n$)');
      return;
    }
    if (text === '') this.fail(start, `found empty check string with prefix '${prefix}:'`);
    if (isLiteral || (!fullLines && !text.includes('{{') && !text.includes('[['))) {
      this.fixed = text;
      if (options.ignoreCase) this.lowerFixed = lowerCase(text);
      return;
    }
    if (fullLines) this.addTree(options.strictWhitespace ? '^' : '^ *');
    this.parseParts(buffer, start, end);
    if (fullLines) this.addTree(options.strictWhitespace ? '$' : ' *$');
  }

  private parseParts(buffer: SourceBuffer, start: number, end: number): void {
    const { text } = buffer;
    /** offset of `mark` from `from` on, `end` if it is not there */
    const inside = text.slice(start, end);
    const find = (mark: string, from: number): number => {
      const found = inside.indexOf(mark, from - start);
      return found < 0 ? end : start + found;
    };
    for (let at = start; at < end;) {
      const isPair = at + 1 < end;
      if (isPair && text.startsWith('{{', at)) {
        const close = find('}}', at);
        if (close === end) this.fail(at, "found start of regex string with no end '}}'");
        // A bar anywhere after makes it a group, so that the bar ends at its braces.
        const isGroup = find('|', at) < end;
        if (isGroup) this.openGroup();
        this.addRegex(text.slice(at + 2, close), at + 2);
        if (isGroup) this.parts.push('close');
        at = close + 2;
      } else if (isPair && text.startsWith('[[', at) && !(at + 2 < end && text[at + 2] === '[')) {
        const close = this.findBlockEnd(text, at + 2, end);
        if (close < 0) this.fail(at, 'Invalid substitution block, no ]] found');
        this.parseBlock(buffer, at + 2, close);
        at = close + 2;
      } else {
        const next = Math.min(find('{{', at + 1), find('[[', at + 1));
        this.parts.push({ text: text.slice(at, next) });
        at = next;
      }
    }
  }

  /** Where the `]]` stands that ends a block, which may have brackets inside; -1 = nowhere. */
  private findBlockEnd(text: string, start: number, end: number): number {
    let depth = 0;
    BRACKETS.lastIndex = start;
    for (let found = BRACKETS.exec(text); found !== null && found.index < end; found = BRACKETS.exec(text)) {
      const at = found.index;
      const c = text[at];
      if (c === ']' && depth === 0) {
        if (at + 1 < end && text[at + 1] === ']') return at;
        this.fail(at, 'missing closing "]" for regex variable', Manner.Fatal);
      }
      if (c === '\\') BRACKETS.lastIndex = at + 2;
      else if (c === '[') depth++;
      else depth--;
    }
    return -1;
  }

  /** The inside of `[[...]]`. */
  private parseBlock(buffer: SourceBuffer, start: number, end: number): void {
    if (buffer.text[start] === '#' && start < end) {
      this.parseNumericBlock({ start: start + 1, end }, false);
      return;
    }
    const { text } = buffer;
    const colonAt = text.slice(start, end).indexOf(':');
    const isDefinition = colonAt >= 0;
    const space = text.slice(start, isDefinition ? start + colonAt : end).search(/[ \t]/);
    if (space >= 0) this.fail(start + space, 'unexpected whitespace');
    const { variables } = this.context;
    const { name, isPseudo, span } = new ExpressionParser(buffer, variables, this.line).parseName({ start, end });
    if (isDefinition) {
      if (isPseudo || text[span.end] !== ':') this.fail(start, 'invalid name in string variable definition');
      if (variables.numbers.has(name)) this.fail(start, `numeric variable with name '${name}' already exists`);
      define(this.strings, { name, group: this.openGroup() });
      variables.stringNames.add(name);
      if (span.end + 1 < end) this.addRegex(text.slice(span.end + 1, end), span.end + 1);
      this.parts.push('close');
      return;
    }
    if (isPseudo) {
      this.parseNumericBlock({ start, end }, true);
      return;
    }
    if (span.end < end) this.fail(start, 'invalid name in string variable use');
    const group = this.strings.find((s) => s.name === name)?.group;
    if (group === undefined) {
      this.substitute({ span, source: { string: name } });
      return;
    }
    if (group > MAX_BACK_REFERENCE) this.fail(start, `Can't back-reference more than ${MAX_BACK_REFERENCE} variables`);
    this.parts.push({ regex: `\\${group}`, isAlone: false });
  }

  private parseNumericBlock(span: Span, isLineOnly: boolean): void {
    const { variables } = this.context;
    const parser = new ExpressionParser(this.location.buffer, variables, this.line);
    const { expression, format, defines }: NumericBlock = parser.parseBlock(span, isLineOnly);
    if (defines !== null) {
      define(this.numbers, { name: defines.name, variable: defines, group: this.openGroup() });
      variables.numbers.set(defines.name, defines);
    }
    if (expression === null) this.addRegex(wildcard(format), span.start);
    else this.substitute({ span, source: { expression, format } });
    if (defines !== null) this.parts.push('close');
  }

  private substitute(substitution: Substitution): void {
    this.substitutions.push(substitution);
    this.parts.push(substitution);
  }

  private openGroup(): number {
    this.parts.push({ open: this.nextGroup });
    return this.nextGroup++;
  }

  private addRegex(source: string, offset: number): void {
    try {
      this.addTree(source);
    } catch (error) {
      if (error instanceof SearchLimit) this.fail(offset, error.message);
      if (!(error instanceof RegexError)) throw error;
      this.fail(offset, `invalid regex: ${error.message}`);
    }
  }

  private addTree(source: string): void {
    const { size, nGroups, hasBackReferences, copiesLineAnchors } = this.context.regexes.parse(source);
    // Back-references and limits of anchors count those of the whole; a brace at the end may begin a count with what follows.
    const dependsOnOthers = hasBackReferences || copiesLineAnchors || source.endsWith('{');
    this.parts.push({ regex: source, isAlone: !dependsOnOthers });
    this.nextGroup += nGroups;
    this.size += size;
  }

  private locationOf(offset: number): Location {
    return { buffer: this.location.buffer, offset };
  }

  private fail(offset: number, message: string, manner = Manner.Told): never {
    throw new PatternError([{ location: this.locationOf(offset), message }], manner);
  }

  /** What the input is compared with to find what might have been meant: the pattern as written, substitutions left out. */
  get example(): string {
    return this.fixed !== '' ? this.fixed : this.parts.map((p) => (isSubstitution(p) ? '' : partSource(p))).join('');
  }

  /**
   * Searches text[start, end), beyond which the pattern sees nothing; sets the variables it defines. `origin` is where `text` begins in the
   * input. Throws PatternError where the search takes too long, and what the checkpoint throws.
   */
  match(text: SearchText, start: number, end: number, origin: number): MatchResult {
    this.context.checkpoint();
    if (this.type.kind === DirectiveKind.EndOfFile) return { kind: 'found', start: end, end };
    if (this.fixed !== '') {
      const at = this.context.options.ignoreCase
        ? text.indexOfLower(this.lowerFixed, start, end)
        : text.indexOf(this.fixed, start, end);
      return at < 0 ? null : { kind: 'found', start: at, end: at + this.fixed.length };
    }
    const values = this.values();
    if (typeof values[0] === 'object') return { kind: 'invalid', problems: values as readonly Problem[] };
    const groups = this.search(values as readonly string[], text.upTo(end), start);
    if (groups === null) return null;
    this.define(text.text, groups, origin);
    // The line break before an empty line belongs to the line before.
    const skip = this.type.kind === DirectiveKind.Empty ? 1 : 0;
    return { kind: 'found', start: groups[0]! + skip, end: groups[1]! };
  }

  /** Throws PatternError where that takes too long. */
  private search(values: readonly string[], text: string, start: number): Int32Array | null {
    try {
      const key = values.join('\0');
      const regex = this.compiled?.values === key ? this.compiled.regex : this.make(values);
      const found = regex?.match(text, start) ?? null;
      // A check file may have a hundred thousand patterns that are searched once.
      if (this.isSearchedOften) this.keep(key, regex);
      return found;
    } catch (error) {
      if (error instanceof SearchLimit) this.fail(this.location.offset, error.message);
      throw error;
    }
  }

  /** What stands for the substitutions now; or why something cannot. */
  private values(): readonly string[] | readonly Problem[] {
    if (this.substitutions.length === 0) return [];
    if (this.line !== null) this.context.variables.line.set(BigInt(this.line), null);
    const values = this.substitutions.map((substitution) => this.valueOf(substitution));
    const problems = values.flatMap((value) => (typeof value === 'string' ? [] : value));
    return problems.length > 0 ? problems : (values as string[]);
  }

  private valueOf({ source, span }: Substitution): string | readonly Problem[] {
    const undefinedAt = (name: string, offset: number): Problem => ({
      location: this.locationOf(offset),
      message: `undefined variable: ${name}`,
    });
    if ('string' in source) {
      const value = this.context.variables.strings.get(source.string);
      return value ?? [undefinedAt(source.string, span.start)];
    }
    const overflow: Problem = {
      location: this.locationOf(span.start),
      message: 'unable to substitute variable or numeric expression: overflow error',
    };
    const value = evaluate(source.expression);
    if (typeof value !== 'bigint')
      return value.map((why) => (why === 'overflow' ? overflow : undefinedAt(why.name, why.undefined.start)));
    return formatNumber(value, source.format) ?? [overflow];
  }

  private keep(values: string, regex: Matcher | null): void {
    const bytes = regex?.bytes ?? 0;
    const isKept = this.context.regexes.keeps(this.compiled?.bytes ?? 0, bytes);
    this.compiled = isKept ? { values, regex, bytes } : null;
  }

  private get isSearchedOften(): boolean {
    const { kind, count } = this.type;
    return count > 1 || kind === DirectiveKind.Not || kind === DirectiveKind.Dag || kind === DirectiveKind.Label;
  }

  /** null where LLVM does not take it for a regular expression: then nothing matches. */
  private make(values: readonly string[]): Matcher | null {
    const trees = this.trees();
    return (trees && this.row(trees, values)) ?? this.expression(trees, values);
  }

  /** Those of the expressions in it, in order; null where there is more to it than its parts. */
  private trees(): readonly Node[] | null {
    const { options, regexes } = this.context;
    if (options.ignoreCase) return null;
    const trees: Node[] = [];
    for (const part of this.parts) {
      if (part === 'close' || !('regex' in part)) continue;
      if (!part.isAlone) return null;
      trees.push(regexes.parse(part.regex).root);
    }
    return trees;
  }

  /** Null where the pattern is no row. */
  private row(trees: readonly Node[], values: readonly string[]): RowRegex | null {
    const builder = new RowBuilder();
    let next = 0;
    let nextTree = 0;
    for (const part of this.parts) {
      if (part === 'close') {
        if (!builder.closeGroup()) return null;
      } else if ('open' in part) builder.openGroup(part.open);
      else if ('regex' in part) {
        if (!builder.add(trees[nextTree++]!)) return null;
      } else builder.addText('text' in part ? part.text : values[next++]!);
    }
    const row = builder.finish(this.nextGroup - 1);
    // What is a row has trees, so that it is no text that might be wrong.
    return row && new RowRegex(row, () => this.expression(this.trees(), values)!);
  }

  /** Null where LLVM does not take it for a regular expression. */
  private expression(trees: readonly Node[] | null, values: readonly string[]): PosixRegex | null {
    const { meter, options } = this.context;
    const { ignoreCase } = options;
    const root = trees && this.tree(trees, values);
    if (root !== null) {
      const parsed = {
        root,
        size: this.size,
        nGroups: this.nextGroup - 1,
        hasBackReferences: false,
        copiesLineAnchors: false,
        anchorLimits: null,
      };
      return new PosixRegex(parsed, { newline: true, wanted: NO_GROUPS, meter });
    }
    let next = 0;
    const source = this.parts.map((part) => {
      if (!isSubstitution(part)) return partSource(part);
      const value = values[next++]!;
      return 'string' in part.source ? escapeRegex(value) : value;
    });
    try {
      return new PosixRegex(source.join(''), { newline: true, ignoreCase, wanted: this.groups(), meter });
    } catch (error) {
      if (!(error instanceof RegexError)) throw error;
      return null;
    }
  }

  private groups(): ReadonlySet<number> {
    return new Set([...this.strings, ...this.numbers].map(({ group }) => group));
  }

  /** The tree of the whole, without reading it as a text; null where it is empty. */
  private tree(trees: readonly Node[], values: readonly string[]): Node | null {
    const outer: Node[] = [];
    /** groups that are open, and what they hold so far */
    const open: { group: number; items: Node[] }[] = [];
    let items = outer;
    let next = 0;
    let nextTree = 0;
    let isEmpty = true;
    for (const part of this.parts) {
      if (part === 'close') {
        const { group, items: inside } = open.pop()!;
        items = open[open.length - 1]?.items ?? outer;
        items.push({ kind: Kind.Group, item: sequence(inside), group });
        continue;
      }
      if ('open' in part) open.push({ group: part.open, items: (items = []) });
      else if ('regex' in part) items.push(trees[nextTree++]!);
      else {
        const text = 'text' in part ? part.text : values[next++]!;
        if (text === '') continue;
        items.push({ kind: Kind.Text, text });
      }
      isEmpty = false;
    }
    return isEmpty ? null : sequence(outer);
  }

  private define(text: string, groups: Int32Array, origin: number): void {
    const { variables } = this.context;
    const part = (group: number): { value: string; range: CapturedRange | null } => {
      const [start, end] = [groups[2 * group]!, groups[2 * group + 1]!];
      if (start < 0) return { value: '', range: null };
      return { value: text.slice(start, end), range: { start: origin + start, end: origin + end } };
    };
    if (this.strings.length + this.numbers.length === 0) return;
    this.captures.length = 0;
    for (const { name, group } of this.strings) {
      const { value, range } = part(group);
      variables.strings.set(name, value);
      this.captures.push({ name, range });
    }
    for (const { name, variable, group } of this.numbers) {
      const { value, range } = part(group);
      if (!variables.numbers.has(name)) variables.numbers.set(name, variable);
      variable.set(value === '' ? 0n : parseNumber(value, variable.format), range);
      this.captures.push({ name, range });
    }
  }

  /** where the last match found each variable */
  private readonly captures: { readonly name: string; readonly range: CapturedRange | null }[] = [];

  /** Variables that the last match set, in the order of the input. */
  captured(): readonly { readonly name: string; readonly range: CapturedRange | null }[] {
    const strings = this.strings.map(({ name }) => name).sort((a, b) => (a < b ? -1 : 1));
    const rangeOf = (name: string): CapturedRange | null => this.captures.find((c) => c.name === name)?.range ?? null;
    return [...strings, ...this.numbers.map(({ name }) => name)]
      .map((name) => ({ name, range: rangeOf(name) }))
      .sort((a, b) => (a.range?.start ?? -1) - (b.range?.start ?? -1));
  }

  /** Notes on what stands for the substitutions now: those that have a value. */
  substitutionNotes(): readonly string[] {
    const notes: string[] = [];
    for (const substitution of this.substitutions) {
      const value = this.valueOf(substitution);
      if (typeof value !== 'string') continue;
      const { start, end } = substitution.span;
      const quoted = 'string' in substitution.source ? quoteValue(value) : `"${value}"`;
      notes.push(`with "${escapeText(this.location.buffer.text.slice(start, end))}" equal to ${quoted}`);
    }
    return notes;
  }
}

/** The last definition of a name counts, in the place of the first. */
function define<T extends { readonly name: string }>(list: T[], definition: T): void {
  const at = list.findIndex((d) => d.name === definition.name);
  if (at < 0) list.push(definition);
  else list[at] = definition;
}

const sequence = (items: readonly Node[]): Node =>
  items.length === 0 ? EMPTY : items.length === 1 ? items[0]! : { kind: Kind.Sequence, items };

/** A text that patterns are searched in. */
export class SearchText {
  private cut = '';
  private cutEnd = -1;

  /** `lower`: the text in lower case, made once for all parts of an input. */
  constructor(
    readonly text: string,
    private readonly lower: () => string,
  ) {}

  /** The text up to `end`: a search must not run beyond it, nor look at what stands there. */
  upTo(end: number): string {
    if (end === this.text.length) return this.text;
    if (end !== this.cutEnd) {
      this.cut = this.text.slice(0, end);
      this.cutEnd = end;
    }
    return this.cut;
  }

  indexOf(fixed: string, start: number, end: number): number {
    if (end === this.text.length) return this.text.indexOf(fixed, start);
    const found = this.text.slice(start, end).indexOf(fixed);
    return found < 0 ? -1 : found + start;
  }

  /** As indexOf, both in lower case. */
  indexOfLower(lowerFixed: string, start: number, end: number): number {
    const found = this.lower().slice(start, end).indexOf(lowerFixed);
    return found < 0 ? -1 : found + start;
  }
}

const isBlank = (c: string | undefined): boolean => c === ' ' || c === '\t';
export const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const escapeRegex = (text: string): string => text.replace(/[()^$|*+?.[\]\\{}]/g, '\\$&');

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '"': '\\"' };

function escapeText(text: string): string {
  return text.replace(/[\\\t\n"]|[^ -~]/g, (c) => ESCAPES[c] ?? `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function quoteValue(value: string): string {
  return /[^ -~]|"/.test(value) ? `"${escapeText(value)}" (escaped value)` : `"${value}"`;
}
