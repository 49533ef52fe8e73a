/**
 * Numeric substitution blocks: `[[#FORMAT,NAME:CONSTRAINT EXPRESSION]]`, as FileCheck of LLVM 22 reads and computes them. Numbers have no
 * upper limit, as FileCheck widens its own when they overflow.
 */
import { callDeep, deep, type DeepCall } from '../util/deepCalls.js';
import type { NumericFormat } from './numericFormat.js';
import { FormatKind, NO_FORMAT, UNSIGNED_FORMAT, isSameFormat } from './numericFormat.js';
import type { Location, SourceBuffer } from './sourceBuffer.js';
import { NumericVariable, type Variables } from './variables.js';

/** What is wrong, and where. */
export interface Problem {
  readonly location: Location;
  readonly message: string;
}

/** How FileCheck ends when it has told a problem. */
export const enum Manner {
  /** it tells it and leaves */
  Told,
  /** the same, with an empty line after */
  Logged,
  /** it leaves with another exit code */
  Fatal,
}

/** Ends the reading of a pattern. */
export class PatternError extends Error {
  constructor(
    readonly problems: readonly Problem[],
    readonly manner: Manner,
  ) {
    super(problems.map((p) => p.message).join('; '));
  }
}

/** A part of a buffer. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type Operation = (left: bigint, right: bigint) => bigint | null;

export type Expression =
  | { readonly kind: 'literal'; readonly span: Span; readonly value: bigint }
  | { readonly kind: 'variable'; readonly span: Span; readonly variable: NumericVariable }
  | {
      readonly kind: 'operation';
      /** what FileCheck takes for its text; the place of its messages */
      readonly span: Span;
      readonly operation: Operation;
      readonly left: Expression;
      readonly right: Expression;
    };

export interface NumericBlock {
  /** null where any number of the format matches */
  readonly expression: Expression | null;
  readonly format: NumericFormat;
  /** the variable that takes the number */
  readonly defines: NumericVariable | null;
}

const FUNCTIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['add', (a, b) => a + b],
  ['sub', (a, b) => a - b],
  ['mul', (a, b) => a * b],
  ['div', (a, b) => (b === 0n ? null : a / b)],
  ['max', (a, b) => (a < b ? b : a)],
  ['min', (a, b) => (a < b ? a : b)],
]);

const OPERATORS: ReadonlyMap<string, Operation> = new Map([
  ['+', FUNCTIONS.get('add')!],
  ['-', FUNCTIONS.get('sub')!],
]);

const FORMAT_LETTERS: ReadonlyMap<string, FormatKind> = new Map([
  ['u', FormatKind.Unsigned],
  ['d', FormatKind.Signed],
  ['x', FormatKind.HexLower],
  ['X', FormatKind.HexUpper],
]);

/** What may stand at a place where a number is expected. */
const enum Allowed {
  Any,
  /** `@LINE` in a block without `#` */
  Line,
  /** a decimal number after it */
  Decimal,
}

export interface VariableName {
  readonly span: Span;
  readonly name: string;
  /** begins with `@` */
  readonly isPseudo: boolean;
}

/** of parentheses and calls; FileCheck 22 takes 20,000 parentheses, and crashes at 25,000 */
const MAX_DEPTH = 20_000;

/** Longest precision that fits an unsigned int. */
const MAX_PRECISION = 2 ** 32 - 1;

/** Reads the blocks of one buffer; `at` and `end` bound what is left of the present one. */
export class ExpressionParser {
  private at = 0;
  private end = 0;
  private depth = 0;

  constructor(
    private readonly buffer: SourceBuffer,
    private readonly variables: Variables,
    /** of the directive; null on the command line */
    private readonly line: number | null,
  ) {}

  /** The block that fills `span` (after `[[#`). `isLineOnly`: a block without `#`, which may be `@LINE`, plus or minus a number. */
  parseBlock(span: Span, isLineOnly: boolean): NumericBlock {
    this.at = span.start;
    this.end = span.end;
    this.depth = 0;
    const comma = this.find(',');
    const parenthesis = this.find('(');
    let explicit = NO_FORMAT;
    let precision = 0;
    if (comma >= 0 && (parenthesis < 0 || comma < parenthesis))
      ({ format: explicit, precision } = this.parseFormat(comma));
    const colon = this.find(':');
    const definition: Span | null = colon < 0 ? null : { start: this.at, end: colon };
    if (colon >= 0) this.at = colon + 1;
    const expression = this.parseConstraint(isLineOnly);
    let format = explicit;
    if (format.kind === FormatKind.None && expression !== null) format = callDeep(this.implicitFormat(expression));
    if (format.kind === FormatKind.None) format = { ...UNSIGNED_FORMAT, precision };
    const defines = definition === null ? null : this.parseDefinition(definition, format);
    return { expression, format, defines };
  }

  /** A name at the beginning of `span`; throws where there is none. */
  parseName(span: Span): VariableName {
    const text = this.text(span);
    if (text === '') this.fail(span.start, 'empty variable name');
    const isPseudo = text.startsWith('@');
    const sigil = isPseudo || text.startsWith('$') ? 1 : 0;
    if (text.length === sigil) this.fail(span.end, `empty ${isPseudo ? 'pseudo' : 'global'} variable name`);
    const name = /^[@$]?[A-Za-z_][A-Za-z0-9_]*/.exec(text)?.[0];
    if (name === undefined) return this.fail(span.start, 'invalid variable name');
    return { span: { start: span.start, end: span.start + name.length }, name, isPseudo };
  }

  private parseFormat(comma: number): { format: NumericFormat; precision: number } {
    const spec = this.trimmed({ start: this.at, end: comma });
    const text = this.text(spec);
    this.at = comma + 1;
    const invalid = 'invalid matching format specification in expression';
    if (!text.startsWith('%')) this.fail(spec.start, invalid);
    const flag = 1;
    const isAlternate = text[flag] === '#';
    let k = isAlternate ? flag + 1 : flag;
    let precision = 0;
    if (text[k] === '.') {
      const digits = /^[0-9]*/.exec(text.slice(++k))![0];
      precision = Number(digits);
      if (digits === '' || precision > MAX_PRECISION)
        this.fail(spec.start + k, 'invalid precision in format specifier');
      k += digits.length;
    }
    let format = NO_FORMAT;
    if (k < text.length) {
      const kind = FORMAT_LETTERS.get(text[k]!);
      if (kind === undefined) return this.fail(spec.start + k, 'invalid format specifier in expression');
      const isHex = kind === FormatKind.HexLower || kind === FormatKind.HexUpper;
      if (isAlternate && !isHex) this.fail(spec.start + flag, 'alternate form only supported for hex values');
      format = { kind, precision, isAlternate };
      k++;
    } else if (isAlternate) this.fail(spec.start + flag, 'alternate form only supported for hex values');
    while (isBlank(text[k])) k++;
    if (k < text.length) this.fail(spec.start + k, invalid);
    return { format, precision };
  }

  private parseConstraint(isLineOnly: boolean): Expression | null {
    this.skipBlanks();
    const hasConstraint = this.eat('==');
    this.skipBlanks();
    if (this.at === this.end) {
      if (hasConstraint) this.fail(this.at, 'empty numeric expression should not have a constraint');
      return null;
    }
    this.end = this.trimmed({ start: this.at, end: this.end }).end;
    const start = this.at;
    let expression = callDeep(this.parseOperand(isLineOnly ? Allowed.Line : Allowed.Any, !hasConstraint));
    while (this.at < this.end) {
      expression = callDeep(this.parseOperation(start, expression, isLineOnly));
      if (isLineOnly && this.at < this.end) {
        const rest = this.text({ start: this.at, end: this.end });
        this.fail(this.at, `unexpected characters at end of expression '${rest}'`);
      }
    }
    return expression;
  }

  private parseDefinition(span: Span, format: NumericFormat): NumericVariable {
    let start = span.start;
    while (start < span.end && isBlank(this.buffer.text[start])) start++;
    const { name, isPseudo, span: place } = this.parseName({ start, end: span.end });
    if (isPseudo) this.fail(place.start, 'definition of pseudo numeric variable unsupported');
    if (this.variables.stringNames.has(name))
      this.fail(place.start, `string variable with name '${name}' already exists`);
    let rest = place.end;
    while (rest < span.end && isBlank(this.buffer.text[rest])) rest++;
    if (rest < span.end) this.fail(rest, 'unexpected characters after numeric variable name');
    const known = this.variables.numbers.get(name);
    if (known === undefined) return new NumericVariable(name, format, this.line);
    if (!isSameFormat(known.format, format)) this.fail(rest, 'format different from previous variable definition');
    return known;
  }

  private *parseOperand(allowed: Allowed, mayBeConstraint = false): DeepCall<Expression> {
    if (this.peek() === '(') {
      if (allowed !== Allowed.Any) this.fail(this.at, 'parenthesized expression not permitted here');
      return yield* this.inside(this.parseParenthesized());
    }
    if (allowed !== Allowed.Decimal) {
      const name = this.tryName(allowed === Allowed.Line);
      if (name !== null) return yield* this.parseVariableOrCall(name, allowed);
    }
    const start = this.at;
    const value = this.parseInteger(allowed === Allowed.Decimal ? 10 : 0);
    if (value === null)
      return this.fail(start, `invalid ${mayBeConstraint ? 'matching constraint or ' : ''}operand format`);
    return { kind: 'literal', span: { start, end: this.at }, value };
  }

  /** A name before what is left; without `isRequired` null where there is none. */
  private tryName(isRequired: boolean): VariableName | null {
    // Numbers are as frequent, and an error is dear.
    NAME_START.lastIndex = this.at;
    if (!isRequired && (this.at >= this.end || !NAME_START.test(this.buffer.text))) return null;
    try {
      const name = this.parseName({ start: this.at, end: this.end });
      this.at = name.span.end;
      return name;
    } catch (error) {
      if (isRequired || !(error instanceof PatternError)) throw error;
      return null;
    }
  }

  private *parseVariableOrCall({ name, span, isPseudo }: VariableName, allowed: Allowed): DeepCall<Expression> {
    let next = this.at;
    while (next < this.end && isBlank(this.buffer.text[next])) next++;
    if (next < this.end && this.buffer.text[next] === '(') {
      if (allowed !== Allowed.Any) this.fail(span.start, 'unexpected function call');
      this.at = next;
      return yield* this.inside(this.parseCall(name, span));
    }
    if (isPseudo && name !== '@LINE') this.fail(span.start, `invalid pseudo numeric variable '${name}'`);
    const { numbers } = this.variables;
    // A name that nothing defines stays without value, which is told when the pattern is matched.
    let variable = numbers.get(name);
    if (variable === undefined) numbers.set(name, (variable = new NumericVariable(name, UNSIGNED_FORMAT, null)));
    if (this.line !== null && variable.definedOnLine === this.line)
      this.fail(span.start, `numeric variable '${name}' defined earlier in the same CHECK directive`);
    return { kind: 'variable', span, variable };
  }

  /** One level deeper. */
  private *inside(parse: DeepCall<Expression>): DeepCall<Expression> {
    if (++this.depth > MAX_DEPTH) this.fail(this.at, `expression nested deeper than ${MAX_DEPTH}`);
    const expression = yield* deep(parse);
    this.depth--;
    return expression;
  }

  private *parseParenthesized(): DeepCall<Expression> {
    this.at++;
    this.skipBlanks();
    if (this.at === this.end) this.fail(this.at, 'missing operand in expression');
    let inner = yield* this.parseOperand(Allowed.Any);
    this.skipBlanks();
    while (this.at < this.end && this.peek() !== ')') {
      inner = yield* this.parseOperation(this.at, inner, false);
      this.skipBlanks();
    }
    if (!this.eat(')')) this.fail(this.at, "missing ')' at end of nested expression");
    return inner;
  }

  /** An operator and what stands to its right; the text of the whole begins at `start`. */
  private *parseOperation(start: number, left: Expression, isLineOnly: boolean): DeepCall<Expression> {
    this.skipBlanks();
    if (this.at === this.end) return left;
    const sign = this.peek()!;
    const operation = OPERATORS.get(sign);
    if (operation === undefined) return this.fail(this.at, `unsupported operation '${sign}'`);
    this.at++;
    this.skipBlanks();
    if (this.at === this.end) this.fail(this.at, 'missing operand in expression');
    const right = yield* this.parseOperand(isLineOnly ? Allowed.Decimal : Allowed.Any);
    return { kind: 'operation', span: { start, end: this.at }, operation, left, right };
  }

  private *parseCall(name: string, place: Span): DeepCall<Expression> {
    const operation = FUNCTIONS.get(name);
    if (operation === undefined) return this.fail(place.start, `call to undefined function '${name}'`);
    this.at++;
    this.skipBlanks();
    const given: Expression[] = [];
    while (this.at < this.end && this.peek() !== ')') {
      if (this.peek() === ',') this.fail(this.at, 'missing argument');
      given.push(yield* this.parseArgument());
      this.skipBlanks();
      if (!this.eat(',')) break;
      this.skipBlanks();
      if (this.peek() === ')') this.fail(this.at, 'missing argument');
    }
    if (!this.eat(')')) this.fail(this.at, "missing ')' at end of call expression");
    const [left, right] = given;
    if (given.length !== 2 || left === undefined || right === undefined)
      return this.fail(place.start, `function '${name}' takes 2 arguments but ${given.length} given`);
    // FileCheck takes what follows the call for its text.
    return { kind: 'operation', span: { start: this.at, end: this.end }, operation, left, right };
  }

  private *parseArgument(): DeepCall<Expression> {
    const start = this.at;
    let argument = yield* this.parseOperand(Allowed.Any);
    while (this.at < this.end) {
      this.skipBlanks();
      if (this.peek() === ',' || this.peek() === ')') break;
      argument = yield* this.parseOperation(start, argument, false);
    }
    return argument;
  }

  /** Radix 0: by the prefix. A prefix with any character after it is a zero, as StringRef::consumeInteger has it. */
  private parseInteger(radix: number): bigint | null {
    const start = this.at;
    const isNegative = this.eat('-');
    const rest = this.text({ start: this.at, end: this.end });
    const [prefix, base] = radix === 0 ? radixOf(rest) : ['', radix];
    const digits = new RegExp(`^[${'0123456789abcdef'.slice(0, base)}]*`, 'i').exec(rest.slice(prefix.length))![0];
    const isEmpty = rest.length === prefix.length || (prefix === '' && digits === '');
    if (isEmpty) {
      this.at = start;
      return null;
    }
    this.at += prefix.length + digits.length;
    const size = digits === '' ? 0n : BigInt(`${BIGINT_PREFIXES[base]!}${digits}`);
    return isNegative ? -size : size;
  }

  /** The format of an expression that has none of its own: that of its variables, which must agree. */
  private *implicitFormat(expression: Expression): DeepCall<NumericFormat> {
    const spine: (Expression & { kind: 'operation' })[] = [];
    let first = expression;
    for (; first.kind === 'operation'; first = first.left) spine.push(first);
    let left: NumericFormat | readonly Problem[] = first.kind === 'variable' ? first.variable.format : NO_FORMAT;
    for (let k = spine.length - 1; k >= 0; k--) left = yield* this.commonFormat(spine[k]!, left);
    if (isProblems(left)) throw new PatternError(left, Manner.Logged);
    return left;
  }

  /** Of an operation whose left operand has the format `l`; or what is wrong. */
  private *commonFormat(
    operation: Expression & { kind: 'operation' },
    l: NumericFormat | readonly Problem[],
  ): DeepCall<NumericFormat | readonly Problem[]> {
    let r: NumericFormat | readonly Problem[];
    try {
      r = yield* deep(this.implicitFormat(operation.right));
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      r = error.problems;
    }
    if (isProblems(l) || isProblems(r)) return [...(isProblems(l) ? l : []), ...(isProblems(r) ? r : [])];
    if (l.kind !== FormatKind.None && r.kind !== FormatKind.None && !isSameFormat(l, r)) {
      const of = (operand: Expression, format: NumericFormat): string =>
        `'${this.text(operand.span)}' (${format.kind})`;
      const message = `implicit format conflict between ${of(operation.left, l)} and ${of(operation.right, r)}, need an explicit format specifier`;
      return [{ location: { buffer: this.buffer, offset: operation.span.start }, message }];
    }
    return l.kind !== FormatKind.None ? l : r;
  }

  private fail(offset: number, message: string): never {
    throw new PatternError([{ location: { buffer: this.buffer, offset }, message }], Manner.Logged);
  }

  private text(span: Span): string {
    return this.buffer.text.slice(span.start, span.end);
  }

  private peek(): string | undefined {
    return this.at < this.end ? this.buffer.text[this.at] : undefined;
  }

  private eat(text: string): boolean {
    if (this.at + text.length > this.end || !this.buffer.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private find(character: string): number {
    const found = this.text({ start: this.at, end: this.end }).indexOf(character);
    return found < 0 ? -1 : this.at + found;
  }

  private skipBlanks(): void {
    while (isBlank(this.peek())) this.at++;
  }

  private trimmed({ start, end }: Span): Span {
    while (start < end && isBlank(this.buffer.text[start])) start++;
    while (end > start && isBlank(this.buffer.text[end - 1])) end--;
    return { start, end };
  }
}

const NAME_START = /[@$]?[A-Za-z_]/y;
const isProblems = (found: NumericFormat | readonly Problem[]): found is readonly Problem[] => Array.isArray(found);
const isBlank = (c: string | undefined): boolean => c === ' ' || c === '\t';

const BIGINT_PREFIXES: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 10: '', 16: '0x' };

function radixOf(text: string): [prefix: string, radix: number] {
  if (/^0[xX]/.test(text)) return [text.slice(0, 2), 16];
  if (/^0[bB]/.test(text)) return [text.slice(0, 2), 2];
  if (text.startsWith('0o')) return ['0o', 8];
  if (/^0[0-9]/.test(text)) return ['0', 8];
  return ['', 10];
}

/** Why an expression has no value. */
export type EvaluationProblem = { readonly undefined: Span; readonly name: string } | 'overflow';

export const evaluate = (expression: Expression): bigint | readonly EvaluationProblem[] =>
  callDeep(evaluated(expression));

function* evaluated(expression: Expression): DeepCall<bigint | readonly EvaluationProblem[]> {
  // Sums lean to the left, and may be long.
  const spine: (Expression & { kind: 'operation' })[] = [];
  let first = expression;
  for (; first.kind === 'operation'; first = first.left) spine.push(first);
  let value = valueOf(first);
  for (let k = spine.length - 1; k >= 0; k--) {
    const { right, operation } = spine[k]!;
    const other = right.kind === 'operation' ? yield* deep(evaluated(right)) : valueOf(right);
    if (typeof value === 'bigint' && typeof other === 'bigint') value = operation(value, other) ?? ['overflow'];
    else value = [value, other].flatMap((side) => (typeof side === 'bigint' ? [] : side));
  }
  return value;
}

function valueOf(leaf: Exclude<Expression, { kind: 'operation' }>): bigint | readonly EvaluationProblem[] {
  if (leaf.kind === 'literal') return leaf.value;
  const { variable, span } = leaf;
  return variable.value ?? [{ undefined: span, name: variable.name }];
}
