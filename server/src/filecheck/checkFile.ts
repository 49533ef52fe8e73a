/** Reads a check file: finds its directives and puts them in the order in which they are matched, as FileCheck of LLVM 22 does. */
import { ExpressionParser, Manner, PatternError, evaluate } from './expression.js';
import { KeptRegexes } from './keptRegexes.js';
import { Severity, type Sink } from './message.js';
import { DEFAULT_CHECK_PREFIXES, DEFAULT_COMMENT_PREFIXES, type FileCheckOptions } from './options.js';
import { DirectiveKind, Pattern, type DirectiveType, type PatternContext } from './pattern.js';
import { SearchLimit, type SearchMeter } from './posixRegex.js';
import { SourceBuffer, type Location } from './sourceBuffer.js';
import { Variables } from './variables.js';

/** A pattern under the prefix with which it was written. */
export interface PrefixedPattern {
  readonly pattern: Pattern;
  readonly prefix: string;
}

/** A directive that says where the match goes on, with the NOTs and DAGs before it. */
export interface CheckString extends PrefixedPattern {
  readonly location: Location;
  readonly before: readonly PrefixedPattern[];
}

export interface CheckFile {
  readonly checks: readonly CheckString[];
  readonly variables: Variables;
  /** texts of --implicit-check-not, in order: where the locations of implicit patterns lie */
  readonly implicitBuffers: readonly SourceBuffer[];
}

/** The check file cannot be used; `exitCode` is FileCheck's. */
export class UnusableCheckFile extends Error {
  constructor(readonly exitCode: number) {
    super('the check file cannot be used');
  }
}

const EXIT_UNUSABLE = 2;
/** of an unclosed bracket in a substitution block */
const EXIT_FATAL = 1;

/** Throws UnusableCheckFile after it has told why, and what `checkpoint` throws; the patterns call that while they are searched for, too. */
export function readCheckFile(
  buffer: SourceBuffer,
  options: FileCheckOptions,
  sink: Sink,
  checkpoint: () => void = () => undefined,
): CheckFile {
  const meter = new RunMeter(checkpoint);
  const context = { options, variables: new Variables(), regexes: new KeptRegexes(meter), meter, checkpoint };
  defineVariables(context.variables, options.defines, sink);
  context.variables.numbers.set('@LINE', context.variables.line);
  const reader = new Reader(buffer, context, sink);
  try {
    reader.readImplicit();
    reader.read();
  } catch (error) {
    if (error instanceof SearchLimit) sink(`error: ${error.message}\n`);
    else if (!(error instanceof Stop)) throw error;
    throw new UnusableCheckFile(error instanceof Stop ? error.exitCode : EXIT_UNUSABLE);
  }
  return { checks: reader.checks, variables: context.variables, implicitBuffers: reader.implicitBuffers };
}

/** of all searches of a run: a second or two */
const MAX_STEPS = 45_000_000;
/** some milliseconds */
const STEPS_PER_CHECKPOINT = 1 << 15;

class RunMeter implements SearchMeter {
  private left = MAX_STEPS;
  private nextCheckpoint = MAX_STEPS - STEPS_PER_CHECKPOINT;

  constructor(private readonly checkpoint: () => void) {}

  /** Throws SearchLimit, and what the checkpoint throws. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new SearchLimit(`the searches of this check file take more than ${MAX_STEPS} steps`);
    if (this.left > this.nextCheckpoint) return;
    this.nextCheckpoint = this.left - STEPS_PER_CHECKPOINT;
    this.checkpoint();
  }
}

class Stop extends Error {
  constructor(readonly exitCode: number) {
    super('stop');
  }
}

/** A prefix with what follows it, at one place of the check file. */
interface Directive {
  /** of the prefix */
  readonly start: number;
  readonly prefix: string;
  readonly what: DirectiveType | 'comment' | 'misspelled' | 'bad not' | 'bad count';
  /** after the colon, or where the problem is */
  readonly end: number;
}

/** What FileCheck shows of a NOT that is not in the check file. */
const IMPLICIT_PREFIX = 'IMPLICIT-CHECK';
const TYPE_NAMES: Partial<Record<DirectiveKind, string>> = {
  [DirectiveKind.Next]: 'NEXT',
  [DirectiveKind.Same]: 'SAME',
  [DirectiveKind.Empty]: 'EMPTY',
};

class Reader {
  readonly checks: CheckString[] = [];
  readonly implicitBuffers: SourceBuffer[] = [];
  private readonly implicit: PrefixedPattern[] = [];
  private waiting: PrefixedPattern[] = [];
  private readonly text: string;

  constructor(
    private readonly buffer: SourceBuffer,
    private readonly context: PatternContext,
    private readonly sink: Sink,
  ) {
    this.text = buffer.text;
  }

  readImplicit(): void {
    const before = "-implicit-check-not='";
    for (const text of this.context.options.implicitCheckNot) {
      const buffer = new SourceBuffer('command line', `${before}${text}'`);
      this.implicitBuffers.push(buffer);
      const type: DirectiveType = { kind: DirectiveKind.Not, count: 1, isLiteral: false };
      const pattern = new Pattern(this.context, type, { buffer, offset: before.length }, null);
      this.implicit.push({ pattern, prefix: IMPLICIT_PREFIX });
      // FileCheck goes on with what it has read of a wrong one.
      this.tryParse(pattern, before.length + text.length, IMPLICIT_PREFIX);
    }
    this.waiting = [...this.implicit];
  }

  read(): void {
    const { options } = this.context;
    const isDefault = options.checkPrefixes.length === 0;
    const checkPrefixes = isDefault ? DEFAULT_CHECK_PREFIXES : options.checkPrefixes;
    const commentPrefixes = options.commentPrefixes.length === 0 ? DEFAULT_COMMENT_PREFIXES : options.commentPrefixes;
    const missing = new Set(checkPrefixes);
    const nPrefixes = missing.size;
    const finder = new DirectiveFinder(this.text, checkPrefixes, commentPrefixes, this.context.meter);
    let from = 0;
    for (let found = finder.next(from); found !== null; found = finder.next(from)) {
      if (found.what !== 'comment') missing.delete(found.prefix);
      from = this.take(found, finder.line);
    }
    const isUnused = missing.size === nPrefixes || (!options.allowUnusedPrefixes && missing.size > 0);
    if (isUnused && (this.implicit.length === 0 || !isDefault)) {
      const names = [...missing].sort().map((prefix) => `'${prefix}:'`);
      this.sink(`error: no check strings found with prefix${names.length > 1 ? 'es' : ''} ${names.join(', ')}\n`);
      throw new Stop(EXIT_UNUSABLE);
    }
    if (this.waiting.length === 0) return;
    const type: DirectiveType = { kind: DirectiveKind.EndOfFile, count: 1, isLiteral: false };
    const location = { buffer: this.buffer, offset: finder.rest };
    const pattern = new Pattern(this.context, type, location, finder.line + 1);
    this.checks.push({ pattern, prefix: checkPrefixes[0]!, location, before: this.waiting });
  }

  /** Reads the rest of a directive's line; where to go on. */
  private take({ start, prefix, what, end }: Directive, line: number): number {
    const { options } = this.context;
    const keepsBlanks = options.strictWhitespace && options.matchFullLines;
    // At the very end of the file the colon is taken for the pattern.
    let at = end === this.text.length ? start + prefix.length : end;
    if (what === 'misspelled') this.stop(start, `misspelled directive '${this.text.slice(start, end)}'`);
    if (what === 'bad not') this.stop(at, `unsupported -NOT combo on prefix '${prefix}'`);
    if (what === 'bad count') this.stop(at, `invalid count in -COUNT specification on prefix '${prefix}'`);
    if (!keepsBlanks) while (this.text[at] === ' ' || this.text[at] === '\t') at++;
    const eol = endOfLine(this.text, at);
    if (typeof what === 'string') return eol;
    const location = { buffer: this.buffer, offset: at };
    const pattern = new Pattern(this.context, what, location, line);
    if (!this.tryParse(pattern, eol, prefix)) throw new Stop(EXIT_UNUSABLE);
    const { kind } = what;
    if (kind === DirectiveKind.Label && pattern.hasVariable)
      this.stop(start, `found '${prefix}-LABEL:' with variable definition or use`);
    const name = TYPE_NAMES[kind];
    if (name !== undefined && this.checks.length === 0)
      this.stop(start, `found '${prefix}-${name}' without previous '${prefix}: line`);
    if (kind === DirectiveKind.Dag || kind === DirectiveKind.Not) {
      this.waiting.push({ pattern, prefix });
    } else {
      this.checks.push({ pattern, prefix, location, before: this.waiting });
      this.waiting = [...this.implicit];
    }
    return eol;
  }

  private tryParse(pattern: Pattern, end: number, prefix: string): boolean {
    try {
      pattern.parse(end, prefix);
      return true;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      tell(error, this.sink);
      if (error.manner === Manner.Fatal) throw new Stop(EXIT_FATAL);
      return false;
    }
  }

  private stop(offset: number, message: string): never {
    this.sink({ severity: Severity.Error, location: { buffer: this.buffer, offset }, message });
    throw new Stop(EXIT_UNUSABLE);
  }
}

export function tell({ problems, manner }: PatternError, sink: Sink): void {
  const isLogged = manner === Manner.Logged;
  for (const { location, message } of problems) sink({ severity: Severity.Error, location, message, isLogged });
}

const endOfLine = (text: string, from: number): number => {
  const pattern = /[\n\r]/g;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
};

const MODIFIERS = /:|\{[ \t\n\v\f\r]*LITERAL[ \t\n\v\f\r]*(?:,[ \t\n\v\f\r]*LITERAL[ \t\n\v\f\r]*)*\}:/y;
const COUNT = /-?[0-9]+/y;
const BAD_NOT = /(?:(?:DAG|NEXT|SAME|EMPTY)-NOT|NOT-(?:DAG|NEXT|SAME|EMPTY)):/y;
const KIND = /NEXT|SAME|NOT|DAG|LABEL|EMPTY/y;
const KINDS: ReadonlyMap<string, DirectiveKind> = new Map([
  ['NEXT', DirectiveKind.Next],
  ['SAME', DirectiveKind.Same],
  ['NOT', DirectiveKind.Not],
  ['DAG', DirectiveKind.Dag],
  ['LABEL', DirectiveKind.Label],
  ['EMPTY', DirectiveKind.Empty],
]);
const MAX_COUNT = 2n ** 31n - 1n;
const MAX_INT64 = 2n ** 63n - 1n;

interface FoundPrefix {
  readonly prefix: string;
  readonly isComment: boolean;
}

/** What may follow the first characters of prefixes, by code; `found`: the prefix that ends here. */
interface PrefixNode {
  readonly next: Map<number, PrefixNode>;
  found: FoundPrefix | null;
}

const FEW_PREFIXES = 32;

/** Of several that are the same the first one counts. */
function treeOf(prefixes: readonly FoundPrefix[]): PrefixNode {
  const root: PrefixNode = { next: new Map(), found: null };
  for (const { prefix, isComment } of prefixes) {
    let node = root;
    for (let k = 0; k < prefix.length; k++) {
      const code = prefix.charCodeAt(k);
      let next = node.next.get(code);
      if (next === undefined) node.next.set(code, (next = { next: new Map(), found: null }));
      node = next;
    }
    node.found ??= { prefix, isComment };
  }
  return root;
}

/** Finds the directives of a text, one after the other. */
class DirectiveFinder {
  /** of the last directive found, as `@LINE` counts */
  line = 1;
  /** where what holds no directive any more begins, once `next` has found none */
  rest = 0;
  private readonly prefixes: { readonly prefix: string; readonly isComment: boolean; at: number }[];
  /** of many prefixes; few are searched for one by one, which is faster */
  private readonly tree: PrefixNode | null;

  constructor(
    private readonly text: string,
    checkPrefixes: readonly string[],
    commentPrefixes: readonly string[],
    private readonly meter: SearchMeter,
  ) {
    const all = [...checkPrefixes, ...commentPrefixes];
    const isComment = (prefix: string): boolean => commentPrefixes.includes(prefix);
    this.prefixes = all
      .sort((a, b) => b.length - a.length)
      .map((prefix) => ({ prefix, isComment: isComment(prefix), at: -1 }));
    this.tree = all.length > FEW_PREFIXES ? treeOf(this.prefixes) : null;
  }

  /** The first directive from `from` on. A prefix inside of a longer word is none. */
  next(from: number): Directive | null {
    this.rest = from;
    while (from < this.text.length) {
      const found = this.nextPrefix(from);
      if (found === null) return null;
      const { prefix, at: start, isComment } = found;
      for (let at = this.text.indexOf('\n', from); at >= 0 && at < start; at = this.text.indexOf('\n', at + 1))
        this.line++;
      if (start === from || !isPartOfWord(this.text[start - 1])) {
        const directive = this.classify(start, prefix, isComment);
        if (directive !== null) return directive;
      }
      from = start + prefix.length;
      while (isPartOfWord(this.text[from])) from++;
      this.rest = from;
    }
    return null;
  }

  private nextPrefix(from: number): { prefix: string; isComment: boolean; at: number } | null {
    if (this.tree !== null) return this.nextInTree(this.tree, from);
    let first: { prefix: string; isComment: boolean; at: number } | null = null;
    for (const p of this.prefixes) {
      if (p.at < from) {
        const at = this.text.indexOf(p.prefix, from);
        p.at = at < 0 ? Infinity : at;
      }
      if (p.at < (first?.at ?? Infinity)) first = p;
    }
    return first;
  }

  /** The longest prefix at the first place where there is one. Throws SearchLimit. */
  private nextInTree(tree: PrefixNode, from: number): { prefix: string; isComment: boolean; at: number } | null {
    for (let at = from; at < this.text.length; at++) {
      let found: FoundPrefix | null = null;
      let node = tree.next.get(this.text.charCodeAt(at));
      if (node === undefined) continue;
      let end = at;
      for (; node !== undefined; node = node.next.get(this.text.charCodeAt(++end))) found = node.found ?? found;
      this.meter.spend(end - at);
      if (found !== null) return { ...found, at };
    }
    return null;
  }

  private classify(start: number, prefix: string, isComment: boolean): Directive | null {
    const { text } = this;
    const type = (kind: DirectiveKind, count = 1): DirectiveType => ({ kind, count, isLiteral: false });
    const make = (what: Directive['what'], end: number): Directive => ({ start, prefix, what, end });
    let at = start + prefix.length;
    if (at >= text.length) return null;
    if (isComment) return text[at] === ':' ? make('comment', at + 1) : null;
    const plain = this.modifiers(at);
    if (plain !== null) return make({ ...type(DirectiveKind.Plain), isLiteral: plain.isLiteral }, plain.end);
    const mark = text[at++];
    if (mark !== '-' && mark !== '_') return null;
    const isMisspelled = mark === '_';
    const unlessMisspelled = (what: Directive['what'], end: number): Directive =>
      make(isMisspelled ? 'misspelled' : what, end);
    let directive: DirectiveType;
    if (text.startsWith('COUNT-', at)) {
      at += 'COUNT-'.length;
      const digits = this.eat(COUNT, at);
      const count = digits === '' ? null : BigInt(digits);
      if (count === null || count > MAX_INT64 || count < -MAX_INT64 - 1n) return unlessMisspelled('bad count', at);
      at += digits.length;
      if (count <= 0n || count > MAX_COUNT || (text[at] !== ':' && text[at] !== '{'))
        return unlessMisspelled('bad count', at);
      directive = type(DirectiveKind.Plain, Number(count));
    } else {
      if (this.eat(BAD_NOT, at) !== '') return unlessMisspelled('bad not', at);
      const name = this.eat(KIND, at);
      const kind = KINDS.get(name);
      if (kind === undefined) return null;
      at += name.length;
      directive = type(kind);
    }
    const modifiers = this.modifiers(at);
    if (modifiers === null) return null;
    return unlessMisspelled({ ...directive, isLiteral: modifiers.isLiteral }, modifiers.end);
  }

  /** A colon, or modifiers in braces and a colon. */
  private modifiers(at: number): { isLiteral: boolean; end: number } | null {
    const found = this.eat(MODIFIERS, at);
    return found === '' ? null : { isLiteral: found !== ':', end: at + found.length };
  }

  private eat(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0] ?? '';
  }
}

const isPartOfWord = (c: string | undefined): boolean => c !== undefined && /[A-Za-z0-9_-]/.test(c);

/** `-D`: all that is wrong is told, then nothing can be done. */
function defineVariables(variables: Variables, defines: readonly string[], sink: Sink): void {
  if (defines.length === 0) return;
  // FileCheck shows its command line as a text with a line for each definition.
  let text = '';
  const spans = defines.map((define, k) => {
    const isNumber = define.startsWith('#');
    text += `Global define #${k + 1}: ${isNumber ? `${define} (parsed as: [[` : ''}`;
    const start = text.length;
    text += isNumber ? `${define.replace('=', ':')}]])\n` : `${define}\n`;
    return { start, end: start + define.length, isNumber };
  });
  const buffer = new SourceBuffer('Global defines', text);
  let isWrong = false;
  for (const { start, end, isNumber } of spans) {
    try {
      if (isNumber) defineNumber(variables, buffer, start, end);
      else defineString(variables, buffer, start, end);
    } catch (error) {
      isWrong = true;
      if (error instanceof PatternError) tell(error, sink);
      else if (error instanceof NoValue) for (const line of error.lines) sink(`${line}\n`);
      else throw error;
    }
  }
  if (isWrong) throw new UnusableCheckFile(EXIT_UNUSABLE);
}

/** An expression on the command line that cannot be computed there. */
class NoValue extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join('; '));
  }
}

function defineNumber(variables: Variables, buffer: SourceBuffer, start: number, end: number): void {
  const parser = new ExpressionParser(buffer, variables, null);
  const { expression, defines } = parser.parseBlock({ start: start + 1, end }, false);
  // FileCheck 22 crashes on a definition without value.
  if (expression === null || defines === null)
    throw new PatternError([{ location: { buffer, offset: end }, message: 'empty numeric expression' }], Manner.Logged);
  const value = evaluate(expression);
  if (typeof value !== 'bigint')
    throw new NoValue(value.map((why) => (why === 'overflow' ? 'overflow error' : `undefined variable: ${why.name}`)));
  defines.set(value, null);
  variables.numbers.set(defines.name, defines);
}

function defineString(variables: Variables, buffer: SourceBuffer, start: number, end: number): void {
  const equals = buffer.text.indexOf('=', start);
  const given = buffer.text.slice(start, equals);
  const fail = (message: string): never => {
    throw new PatternError([{ location: { buffer, offset: start }, message }], Manner.Logged);
  };
  const { name, isPseudo } = new ExpressionParser(buffer, variables, null).parseName({ start, end: equals });
  if (isPseudo || name !== given) fail(`invalid name in string variable definition '${given}'`);
  if (variables.numbers.has(name)) fail(`numeric variable with name '${name}' already exists`);
  if (!variables.strings.has(name)) variables.strings.set(name, buffer.text.slice(equals + 1, end));
  variables.stringNames.add(name);
}
