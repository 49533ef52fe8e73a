/** Conditions of tests, of REQUIRES and its like and of `%if`, as lit (LLVM 22) reads them. */
import { PosixRegex, RegexError } from '../../filecheck/posixRegex.js';
import { LitSyntaxError, MAX_DEPTH, Unsupported, type LitLimits } from './limits.js';

/** `a && (b || !c)` over names of features, which may hold regular expressions in double braces. Throws LitSyntaxError and Unsupported. */
export function conditionHolds(text: string, features: ReadonlySet<string>, limits: LitLimits): boolean {
  try {
    return new Condition(text, features, limits).holds();
  } catch (error) {
    if (!(error instanceof LitSyntaxError)) throw error;
    throw new LitSyntaxError(`${error.message}\nin expression: ${quote(text)}`);
  }
}

const OPERATOR = /[()!]|&&|\|\|/y;
const WORD = /[-+=._a-zA-Z0-9]+/y;
const OPERATORS: ReadonlySet<string> = new Set(['&&', '||', '!', '(', ')']);
const END = '<end of expression>';

/** As Python shows a string. */
const quote = (text: string): string =>
  text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`;

class Condition {
  private at = 0;
  private token: string | null = null;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly features: ReadonlySet<string>,
    private readonly limits: LitLimits,
  ) {
    this.advance();
  }

  holds(): boolean {
    const value = this.either();
    this.expect(null);
    return value;
  }

  private advance(): void {
    this.skipBlanks();
    if (this.at === this.text.length) {
      this.token = null;
      return;
    }
    const begin = this.at;
    if (this.eatText(OPERATOR) === '') while (this.eatText(WORD) !== '' || this.eatBraces());
    if (this.at === begin) throw new LitSyntaxError(`couldn't parse text: ${quote(this.text.slice(begin))}`);
    this.token = this.text.slice(begin, this.at);
    this.skipBlanks();
  }

  private skipBlanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  private eatText(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }

  /** An expression in double braces, which is not empty. */
  private eatBraces(): boolean {
    if (!this.text.startsWith('{{', this.at)) return false;
    const close = this.text.indexOf('}}', this.at + 3);
    if (close < 0) return false;
    this.at = close + 2;
    return true;
  }

  private either(): boolean {
    let value = this.both();
    while (this.eat('||')) value = this.both() || value;
    return value;
  }

  private both(): boolean {
    let value = this.single();
    while (this.eat('&&')) value = this.single() && value;
    return value;
  }

  private single(): boolean {
    let isNegated = false;
    while (this.eat('!')) isNegated = !isNegated;
    return this.operand() !== isNegated;
  }

  private operand(): boolean {
    if (this.eat('(')) {
      if (++this.depth > MAX_DEPTH) throw new Unsupported(`a condition nested deeper than ${MAX_DEPTH}`);
      const value = this.either();
      this.depth--;
      this.expect(')');
      return value;
    }
    const name = this.token;
    if (name === null || OPERATORS.has(name))
      throw new LitSyntaxError(`expected: '!', '(', '{{', or identifier\nhave: ${name === null ? END : quote(name)}`);
    this.advance();
    if (!name.includes('{{')) return name === 'true' || this.features.has(name);
    const pattern = patternOf(name, this.limits);
    return ['true', ...this.features].some((feature) => pattern.match(feature) !== null);
  }

  private eat(token: string): boolean {
    if (this.token !== token) return false;
    this.advance();
    return true;
  }

  private expect(token: string | null): void {
    if (this.token !== token) {
      const [wanted, have] = [token, this.token].map((t) => (t === null ? END : quote(t)));
      throw new LitSyntaxError(`expected: ${wanted}\nhave: ${have}`);
    }
    if (token !== null) this.advance();
  }
}

/** What Python's classes of characters hold. */
const CLASSES: Readonly<Record<string, string>> = {
  d: '[0-9]',
  D: '[^0-9]',
  w: '[0-9A-Za-z_]',
  W: '[^0-9A-Za-z_]',
  s: '[[:space:]]',
  S: '[^[:space:]]',
};

/**
 * The names that an expression of Python's matches as a whole, as one of POSIX, which takes time in proportion to the name. What POSIX lacks besides
 * classes, groups that are not numbered and repetition that takes little is not read.
 */
function patternOf(name: string, meter: LitLimits): PosixRegex {
  const unread = (): LitSyntaxError => new LitSyntaxError(`couldn't parse text: ${quote(name)}`);
  const asPosix = (python: string): string =>
    python.replace(
      /\[\^?\]?[^\]]*\]|\(\?:|([*+?}])\?|\\([a-zA-Z0-9])|\(\?/g,
      (all, repetition?: string, letter?: string) => {
        if (all === '(?:') return '(';
        const posix = letter === undefined ? repetition : CLASSES[letter];
        if (posix === undefined && !all.startsWith('[')) throw unread();
        return posix ?? all;
      },
    );
  const source = name
    .split(/(\{\{.+?\}\})/)
    .map((part) => (part.startsWith('{{') ? `(${asPosix(part.slice(2, -2))})` : part.replace(/[.+]/g, '\\$&')));
  try {
    return new PosixRegex(`^(${source.join('')})$`, { meter });
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw unread();
  }
}
