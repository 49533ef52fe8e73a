/**
 * What lit (LLVM 22) reads from a test: RUN lines as pipelines, and whether it is to be run at all. Pure: nothing is executed here. lit itself
 * was asked what it does (test/unit/cli/litTests.test.ts).
 */
import { PosixRegex, RegexError, SearchLimit } from '../filecheck/posixRegex.js';
import { countOf, LitLimits, Unsupported } from './litLimits.js';
import { LitSyntaxError, readPipelines, type LitStep } from './litShell.js';

/** A RUN line. */
export interface LitRun {
  /** of its first line, from 1 */
  readonly line: number;
  /** with its substitutions made; '' when nothing is left */
  readonly text: string;
  readonly steps: readonly LitStep[];
}

export interface LitScript {
  readonly runs: readonly LitRun[];
  /** XFAIL holds */
  readonly isExpectedToFail: boolean;
  /** why it is not run here; null when it is */
  readonly unsupported: string | null;
  /** why it cannot be run; null when it can */
  readonly unresolved: string | null;
}

export interface LitPlaces {
  /** the test */
  readonly file: string;
  readonly folder: string;
  /** for what it writes; a name that no other test has */
  readonly temporary: string;
}

/** What conditions of a test (REQUIRES and others) may ask for: llc without assertions, for AMDGPU. */
export const LIT_FEATURES: ReadonlySet<string> = new Set([
  'amdgpu-registered-target',
  'default_triple',
  'system-linux',
]);

const DIRECTIVE = /(RUN:|XFAIL:|REQUIRES:|UNSUPPORTED:|ALLOW_RETRIES:|END\.|DEFINE:|REDEFINE:)(.*)$/;

/** Reads a test; `features` are those that its conditions may ask for. Never throws. */
export function readLitScript(text: string, places: LitPlaces, features: ReadonlySet<string>): LitScript {
  const base = { runs: [], isExpectedToFail: false, unsupported: null, unresolved: null };
  try {
    const limits = new LitLimits();
    const { script, conditions } = readDirectives(text, limits);
    const holds = (condition: string): boolean => condition === '*' || conditionHolds(condition, features, limits);
    const missing = conditions['REQUIRES:'].filter((c) => !holds(c));
    if (missing.length > 0) return { ...base, unsupported: `Missing required feature(s): ${missing.join(', ')}` };
    if (conditions['UNSUPPORTED:'].some(holds)) return { ...base, unsupported: 'Unsupported configuration' };
    const substitutions = new Substitutions(places, limits);
    const runs: LitRun[] = [];
    for (const directive of script) {
      if (directive.keyword !== 'RUN:') substitutions.adjust(directive);
      else runs.push(readRun(directive, substitutions, features, limits));
    }
    return { ...base, runs, isExpectedToFail: conditions['XFAIL:'].some(holds) };
  } catch (error) {
    if (error instanceof Unsupported || error instanceof SearchLimit) return { ...base, unsupported: error.message };
    if (!(error instanceof LitSyntaxError)) throw error;
    return { ...base, unresolved: error.message };
  }
}

function readRun(
  directive: Directive,
  substitutions: Substitutions,
  features: ReadonlySet<string>,
  limits: LitLimits,
): LitRun {
  const { line } = directive;
  const made = substitute(textOf(directive), substitutions, features, limits);
  if (made === '') return { line, text: '', steps: [] };
  try {
    return { line, text: made, steps: readPipelines(made) };
  } catch (error) {
    if (!(error instanceof LitSyntaxError)) throw error;
    throw new LitSyntaxError(`shell parser error on RUN: at line ${line}: ${made}`);
  }
}

/** RUN, DEFINE or REDEFINE with its continued lines. */
export interface Directive {
  readonly keyword: string;
  readonly line: number;
  lastLine: number;
  /** of its lines; the last is not blank where there are more */
  readonly parts: string[];
}

const textOf = ({ keyword, parts }: Directive): string => parts.join(keyword === 'RUN:' ? '' : ' ');

type ConditionKeyword = 'XFAIL:' | 'REQUIRES:' | 'UNSUPPORTED:';

/** Throws LitSyntaxError. */
function readDirectives(
  text: string,
  limits: LitLimits,
): {
  script: Directive[];
  conditions: Record<ConditionKeyword, string[]>;
} {
  const script: Directive[] = [];
  const conditions: Record<ConditionKeyword, string[]> = { 'XFAIL:': [], 'REQUIRES:': [], 'UNSUPPORTED:': [] };
  let nRetries = 0;
  for (const [k, row] of text.split('\n').entries()) {
    const [, keyword = '', rest = ''] = DIRECTIVE.exec(withoutReturns(row)) ?? [];
    const line = k + 1;
    try {
      if (keyword === 'END.' && rest.trim() === '') break;
      if (keyword === 'RUN:' || keyword.endsWith('DEFINE:'))
        addDirective(script, keyword, line, withLineNumber(rest, line));
      else if (keyword === 'ALLOW_RETRIES:') {
        // What fails here fails again.
        checkRetries(rest);
        nRetries++;
      } else if (keyword in conditions) addConditions(conditions[keyword as ConditionKeyword], rest, limits);
    } catch (error) {
      if (!(error instanceof LitSyntaxError)) throw error;
      throw new LitSyntaxError(`${error.message}\nin ${keyword} directive on test line ${line}`);
    }
  }
  if (!script.some(({ keyword }) => keyword === 'RUN:')) throw new LitSyntaxError("Test has no 'RUN:' line");
  for (const directive of script)
    if (isOpen(directive)) {
      const { keyword, line, lastLine } = directive;
      const place = line === lastLine ? `at line ${line}` : `from line ${line} to ${lastLine}`;
      throw new LitSyntaxError(`Test has unterminated '${keyword}' directive (with '\\') ${place}`);
    }
  for (const [keyword, list] of Object.entries(conditions))
    if (list.at(-1)?.endsWith('\\') === true)
      throw new LitSyntaxError(`Test has unterminated '${keyword}' lines (with '\\')`);
  if (nRetries > 1) throw new LitSyntaxError('Test has more than one ALLOW_RETRIES lines');
  return { script, conditions };
}

export const isOpen = ({ parts }: Directive): boolean => parts.at(-1)!.trimEnd().endsWith('\\');

function withoutReturns(row: string): string {
  let end = row.length;
  while (row[end - 1] === '\r') end--;
  return row.slice(0, end);
}

const withLineNumber = (text: string, line: number): string =>
  text.replace(/%\(line(?: *([+-]) *(\d+))?\)/g, (_, sign?: string, n = '0') =>
    String(sign === '-' ? line - Number(n) : line + Number(n)),
  );

/** Throws LitSyntaxError for a definition that is none. */
export function addDirective(script: Directive[], keyword: string, line: number, text: string): void {
  const last = script.at(-1);
  if (last?.keyword !== keyword || !isOpen(last)) {
    const directive = { keyword, line, lastLine: line, parts: [text] };
    script.push(directive);
    if (keyword !== 'RUN:' && !isOpen(directive)) definitionIn(directive);
    return;
  }
  const { parts } = last;
  const isRun = keyword === 'RUN:';
  if (!isRun && text.trim() === '') throw new LitSyntaxError("Substitution's continuation is empty");
  const before = parts.pop()!.trimEnd().slice(0, -1);
  if (before.trim() !== '' || parts.length === 0) parts.push(isRun ? before : before.trimEnd());
  else if (isRun && before !== '') parts[parts.length - 1] = `${parts.at(-1)!.trimEnd()} `;
  if (!isRun) parts.push(text.trimStart());
  else if (text.trim() !== '') parts.push(text.trimEnd());
  last.lastLine = line;
  if (!isRun && !isOpen(last)) definitionIn(last);
}

/** Throws LitSyntaxError. */
function checkRetries(text: string): void {
  if (!/^\s*[+-]?\d+\s*$/.test(text))
    throw new LitSyntaxError(`INTEGER parser requires the input to be an integer (got ${text})`);
}

/** Throws LitSyntaxError for a condition that cannot be read. */
function addConditions(list: string[], text: string, limits: LitLimits): void {
  const given = text
    .split(',')
    .map((c) => c.trim())
    .filter((c) => c !== '');
  const open = list.at(-1);
  let first = list.length;
  if (open?.endsWith('\\') === true && given.length > 0) list[--first] = open.slice(0, -1) + given.shift()!;
  for (const condition of given) list.push(condition);
  for (const condition of list.slice(first))
    if (condition !== '*' && !condition.endsWith('\\')) conditionHolds(condition, new Set(), limits);
}

/** What a text in a RUN line stands for. */
export interface Substitution {
  readonly name: string;
  readonly value: string;
}

/** `%{name} = value`. Throws LitSyntaxError. */
export function definitionIn(directive: Directive): Substitution {
  const text = textOf(directive);
  const at = text.indexOf('=');
  if (at < 0) throw new LitSyntaxError("Substitution's definition does not contain '='");
  const name = text.slice(0, at).trim();
  if (!/^%\{[_a-zA-Z][-_:0-9a-zA-Z]*\}$/.test(name))
    throw new LitSyntaxError(
      `Substitution name '${name}' is malformed as it must start with '%{', it must end with '}', and the rest must start with a letter or underscore and contain only alphanumeric characters, hyphens, underscores, and colons`,
    );
  return { name, value: text.slice(at + 1).trim() };
}

/** Characters of a RUN line with its substitutions made: a process takes no more. */
const MAX_RUN_LINE = 1 << 21;

/** of a text that is looked for in another */
const CHARACTERS_PER_STEP = 32;

/** What stands for what: later definitions first, then those that lit has of its own. */
export class Substitutions {
  private readonly own: Substitution[];
  private readonly defined = new Map<string, { value: string; order: number }>();

  /** `places` null: what lit has of its own stays as it is written. */
  constructor(
    places: LitPlaces | null,
    private readonly limits: LitLimits,
    private readonly maxLength = MAX_RUN_LINE,
  ) {
    this.own = places === null ? [] : defaultSubstitutions(places);
  }

  /** Makes a definition, or another of one that is there; no error is told. */
  define({ name, value }: Substitution, isNew: boolean): void {
    const known = this.defined.get(name);
    if (known !== undefined) known.value = value;
    else if (isNew) this.defined.set(name, { value, order: -this.defined.size });
  }

  /** Makes a definition, or another of one that is there. Throws LitSyntaxError. */
  adjust(directive: Directive): void {
    const { keyword, line, lastLine } = directive;
    const { name, value } = definitionIn(directive);
    const place = `'${keyword}' directive ${line === lastLine ? `at line ${line}` : `from line ${line} to ${lastLine}`}`;
    const known = this.defined.get(name);
    const at = this.own.findIndex((s) => s.name === name);
    if (keyword === 'DEFINE:') {
      if (known !== undefined || at >= 0)
        throw new LitSyntaxError(
          `Substitution whose pattern contains '${name}' is already defined before ${place}\nExisting pattern: ${name}`,
        );
      this.defined.set(name, { value, order: -this.defined.size });
    } else if (known !== undefined) known.value = value;
    else if (at >= 0) this.own[at] = { name, value };
    else throw new LitSyntaxError(`No substitution for '${name}' is defined before ${place}`);
  }

  /** `hidden`: of each text that is put in. Throws Unsupported. */
  apply(text: string, hidden: (part: string) => string): string {
    let made = hidden(text);
    for (let last = -Infinity; this.defined.size > 0;) {
      let next: { name: string; value: string; order: number } | null = null;
      this.limits.spend(made.length);
      for (const [name] of made.matchAll(/%\{[_a-zA-Z][-_:0-9a-zA-Z]*\}/g)) {
        const found = this.defined.get(name);
        if (found && found.order > last && (next === null || found.order < next.order)) next = { name, ...found };
      }
      if (next === null) break;
      made = this.put(made, next, hidden);
      last = next.order;
    }
    for (const substitution of this.own) {
      this.limits.spend(made.length / CHARACTERS_PER_STEP);
      made = this.put(made, substitution, hidden);
    }
    return made;
  }

  private put(text: string, { name, value }: Substitution, hidden: (part: string) => string): string {
    const n = countOf(text, name);
    if (n === 0) return text;
    if (text.length + n * (value.length - name.length) > this.maxLength)
      throw new Unsupported(`a RUN line of more than ${MAX_RUN_LINE >> 20} MB after its substitutions`);
    return hidden(text.replaceAll(name, () => value));
  }
}

/** Those that LLVM's tests have besides lit's own, on Linux. */
const OF_LLVM: readonly (readonly [name: string, value: string])[] = [
  ['%ProtectFileCheckOutput', 'env -u FILECHECK_OPTS'],
  ['%llc_dwarf', 'llc'],
  ['%errc_ENOENT', 'No such file or directory'],
  ['%errc_EISDIR', 'Is a directory'],
  ['%errc_EACCES', 'Permission denied'],
  ['%exeext', ''],
];

/** In the order in which lit makes them. */
function defaultSubstitutions({ file, folder, temporary }: LitPlaces): Substitution[] {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const base = nameOf(temporary).replace(/\.tmp$/, '');
  const list: (readonly [name: string, value: string])[] = [
    ...OF_LLVM,
    ['%{pathsep}', ':'],
    ['%basename_t', base],
    ['%{s:basename}', nameOf(file)],
    ['%{t:stem}', base],
    ['%{fs-src-root}', '/'],
    ['%{fs-tmp-root}', '/'],
    ['%{fs-sep}', '/'],
    ['%/et', temporary],
  ];
  for (const [letter, path] of [
    ['s', file],
    ['S', folder],
    ['p', folder],
    ['t', temporary],
  ] as const)
    list.push(
      [`%${letter}`, path],
      [`%/${letter}`, path],
      [`%{${letter}:real}`, path],
      [`%{/${letter}:real}`, path],
      [`%{/${letter}:regex_replacement}`, path.replace(/[@&]/g, '\\$&')],
      [`%:${letter}`, path.replace(/^\//, '')],
    );
  return list.map(([name, value]) => ({ name, value }));
}

/** Stands for `%%` meanwhile. */
const PERCENT = '#_MARKER_#';

/** Throws LitSyntaxError and Unsupported. */
export function substitute(
  text: string,
  substitutions: Substitutions,
  features: ReadonlySet<string>,
  limits: LitLimits,
): string {
  const hidden = (part: string): string => part.replaceAll('%%', PERCENT);
  const chosen = text.includes('%if ') ? new Choices(hidden(text), features, limits).read() : text;
  const made = substitutions.apply(chosen, hidden);
  if (made.includes('%T'))
    throw new LitSyntaxError('%T is no longer supported. Please create directories with names based on %t.');
  return made.trim().replaceAll(PERCENT, '%');
}

/** lit itself, in Python, nests them no deeper. */
const MAX_DEPTH = 300;

const ELSE = /\s*%else\s*(%\{)?/y;

/** `%if CONDITION %{ ... %} %else %{ ... %}`, one in another, too. */
class Choices {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly features: ReadonlySet<string>,
    private readonly limits: LitLimits,
  ) {}

  /** Throws LitSyntaxError and Unsupported. */
  read(isInside = false): string {
    let made = '';
    while (this.at < this.text.length && !(isInside && this.text.startsWith('%}', this.at))) {
      if (this.text.startsWith('%if ', this.at)) {
        made += this.choice();
        continue;
      }
      const end = isInside ? /%if|%\}/g : /%if/g;
      end.lastIndex = this.at + 1;
      const next = end.exec(this.text)?.index ?? this.text.length;
      made += this.text.slice(this.at, next);
      this.at = next;
    }
    return made;
  }

  private choice(): string {
    const from = this.at + '%if '.length;
    const open = this.text.indexOf('%{', from);
    if (open < 0) throw new LitSyntaxError("'%{' is missing for %if substitution");
    const condition = this.text.slice(from, open);
    this.at = open + 2;
    const yes = this.branch('if');
    let no = '';
    ELSE.lastIndex = this.at;
    const [all = '', mark] = ELSE.exec(this.text) ?? [];
    if (all !== '') {
      if (mark === undefined) throw new LitSyntaxError("'%{' is missing for %else substitution");
      this.at += all.length;
      no = this.branch('else');
    }
    return conditionHolds(condition, this.features, this.limits) ? yes : no;
  }

  private branch(name: string): string {
    if (++this.depth > MAX_DEPTH) throw new Unsupported(`%if nested deeper than ${MAX_DEPTH}`);
    const made = this.read(true);
    this.depth--;
    if (!this.text.startsWith('%}', this.at)) throw new LitSyntaxError(`'%}' is missing for %${name} substitution`);
    this.at += 2;
    return made;
  }
}

/** `a && (b || !c)` over names of features, which may hold regular expressions in double braces. Throws LitSyntaxError and Unsupported. */
function conditionHolds(text: string, features: ReadonlySet<string>, limits: LitLimits): boolean {
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
