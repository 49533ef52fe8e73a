/**
 * What lit (LLVM 22) reads from a test: RUN lines as pipelines, and whether it is to be run at all. Pure: nothing is executed here. lit itself
 * was asked what it does (test/unit/cli/litTests.test.ts).
 */
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
    const { script, conditions } = readDirectives(text);
    const holds = (condition: string): boolean => condition === '*' || conditionHolds(condition, features);
    const missing = conditions['REQUIRES:'].filter((c) => !holds(c));
    if (missing.length > 0) return { ...base, unsupported: `Missing required feature(s): ${missing.join(', ')}` };
    if (conditions['UNSUPPORTED:'].some(holds)) return { ...base, unsupported: 'Unsupported configuration' };
    const substitutions = [...defaultSubstitutions(places)];
    const runs: LitRun[] = [];
    for (const directive of script) {
      if (directive.keyword !== 'RUN:') adjust(substitutions, directive);
      else runs.push(readRun(directive, substitutions, features));
    }
    return { ...base, runs, isExpectedToFail: conditions['XFAIL:'].some(holds) };
  } catch (error) {
    if (!(error instanceof LitSyntaxError)) throw error;
    return { ...base, unresolved: error.message };
  }
}

function readRun(
  { line, text }: Directive,
  substitutions: readonly Substitution[],
  features: ReadonlySet<string>,
): LitRun {
  const made = substitute(text, substitutions, features);
  if (made === '') return { line, text: '', steps: [] };
  try {
    return { line, text: made, steps: readPipelines(made) };
  } catch (error) {
    if (!(error instanceof LitSyntaxError)) throw error;
    throw new LitSyntaxError(`shell parser error on RUN: at line ${line}: ${made}`);
  }
}

/** RUN, DEFINE or REDEFINE with its continued lines. */
interface Directive {
  readonly keyword: string;
  readonly line: number;
  lastLine: number;
  text: string;
}

type ConditionKeyword = 'XFAIL:' | 'REQUIRES:' | 'UNSUPPORTED:';

/** Throws LitSyntaxError. */
function readDirectives(text: string): {
  script: Directive[];
  conditions: Record<ConditionKeyword, string[]>;
} {
  const script: Directive[] = [];
  const conditions: Record<ConditionKeyword, string[]> = { 'XFAIL:': [], 'REQUIRES:': [], 'UNSUPPORTED:': [] };
  let nRetries = 0;
  for (const [k, row] of text.split('\n').entries()) {
    const [, keyword = '', rest = ''] = DIRECTIVE.exec(row.replace(/\r+$/, '')) ?? [];
    const line = k + 1;
    try {
      if (keyword === 'END.' && rest.trim() === '') break;
      if (keyword === 'RUN:' || keyword.endsWith('DEFINE:'))
        addDirective(script, keyword, line, withLineNumber(rest, line));
      else if (keyword === 'ALLOW_RETRIES:') {
        // What fails here fails again.
        checkRetries(rest);
        nRetries++;
      } else if (keyword in conditions) addConditions(conditions[keyword as ConditionKeyword], rest);
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

const isOpen = ({ text }: Directive): boolean => text.trimEnd().endsWith('\\');

const withLineNumber = (text: string, line: number): string =>
  text.replace(/%\(line(?: *([+-]) *(\d+))?\)/g, (_, sign?: string, n = '0') =>
    String(sign === '-' ? line - Number(n) : line + Number(n)),
  );

/** Throws LitSyntaxError for a definition that is none. */
function addDirective(script: Directive[], keyword: string, line: number, text: string): void {
  const last = script.at(-1);
  if (last?.keyword !== keyword || !isOpen(last)) {
    const directive = { keyword, line, lastLine: line, text };
    script.push(directive);
    if (keyword !== 'RUN:' && !isOpen(directive)) definitionIn(directive);
    return;
  }
  const before = last.text.trimEnd().slice(0, -1);
  if (keyword === 'RUN:') last.text = before + text.trimEnd();
  else {
    if (text.trim() === '') throw new LitSyntaxError("Substitution's continuation is empty");
    last.text = `${before.trimEnd()} ${text.trimStart()}`;
  }
  last.lastLine = line;
  if (keyword !== 'RUN:' && !isOpen(last)) definitionIn(last);
}

/** Throws LitSyntaxError. */
function checkRetries(text: string): void {
  if (!/^\s*[+-]?\d+\s*$/.test(text))
    throw new LitSyntaxError(`INTEGER parser requires the input to be an integer (got ${text})`);
}

/** Throws LitSyntaxError for a condition that cannot be read. */
function addConditions(list: string[], text: string): void {
  const parts = text.split(',').map((c) => c.trim());
  const given = parts.filter((c) => c !== '');
  const open = list.at(-1);
  if (open?.endsWith('\\') === true && given.length > 0) list[list.length - 1] = open.slice(0, -1) + given.shift()!;
  list.push(...given);
  for (const condition of list)
    if (condition !== '*' && !condition.endsWith('\\')) conditionHolds(condition, new Set());
}

/** What a text in a RUN line stands for. */
export interface Substitution {
  readonly name: string;
  readonly value: string;
}

/** `%{name} = value`. Throws LitSyntaxError. */
export function definitionIn({ text }: Pick<Directive, 'text'>): Substitution {
  const at = text.indexOf('=');
  if (at < 0) throw new LitSyntaxError("Substitution's definition does not contain '='");
  const name = text.slice(0, at).trim();
  if (!/^%\{[_a-zA-Z][-_:0-9a-zA-Z]*\}$/.test(name))
    throw new LitSyntaxError(
      `Substitution name '${name}' is malformed as it must start with '%{', it must end with '}', and the rest must start with a letter or underscore and contain only alphanumeric characters, hyphens, underscores, and colons`,
    );
  return { name, value: text.slice(at + 1).trim() };
}

/** Makes a definition, or another of one that is there. Throws LitSyntaxError. */
function adjust(substitutions: Substitution[], directive: Directive): void {
  const { keyword, line, lastLine } = directive;
  const defined = definitionIn(directive);
  const { name } = defined;
  const place = `'${keyword}' directive ${line === lastLine ? `at line ${line}` : `from line ${line} to ${lastLine}`}`;
  const at = substitutions.findIndex((s) => s.name === name);
  if (keyword === 'DEFINE:') {
    if (at >= 0)
      throw new LitSyntaxError(
        `Substitution whose pattern contains '${name}' is already defined before ${place}\nExisting pattern: ${name}`,
      );
    substitutions.unshift(defined);
    return;
  }
  if (at < 0) throw new LitSyntaxError(`No substitution for '${name}' is defined before ${place}`);
  substitutions[at] = defined;
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

/** Throws LitSyntaxError. */
export function substitute(
  text: string,
  substitutions: readonly Substitution[],
  features: ReadonlySet<string>,
): string {
  const hidden = (part: string): string => part.replaceAll('%%', PERCENT);
  let made = text.includes('%if ') ? new Choices(hidden(text), features).read() : hidden(text);
  for (const { name, value } of substitutions) made = hidden(made).replaceAll(name, () => value);
  if (made.includes('%T'))
    throw new LitSyntaxError('%T is no longer supported. Please create directories with names based on %t.');
  return made.trim().replaceAll(PERCENT, '%');
}

/** `%if CONDITION %{ ... %} %else %{ ... %}`, one in another, too. */
class Choices {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly features: ReadonlySet<string>,
  ) {}

  /** Throws LitSyntaxError. */
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
    const [all = '', mark] = /^\s*%else\s*(%\{)?/.exec(this.text.slice(this.at)) ?? [];
    if (all !== '') {
      if (mark === undefined) throw new LitSyntaxError("'%{' is missing for %else substitution");
      this.at += all.length;
      no = this.branch('else');
    }
    return conditionHolds(condition, this.features) ? yes : no;
  }

  private branch(name: string): string {
    const made = this.read(true);
    if (!this.text.startsWith('%}', this.at)) throw new LitSyntaxError(`'%}' is missing for %${name} substitution`);
    this.at += 2;
    return made;
  }
}

/** `a && (b || !c)` over names of features, which may hold regular expressions in double braces. Throws LitSyntaxError. */
function conditionHolds(text: string, features: ReadonlySet<string>): boolean {
  try {
    return new Condition(text, features).holds();
  } catch (error) {
    if (!(error instanceof LitSyntaxError)) throw error;
    throw new LitSyntaxError(`${error.message}\nin expression: ${quote(text)}`);
  }
}

const CONDITION_TOKEN = /\s*([()]|&&|\|\||!|(?:[-+=._a-zA-Z0-9]+|\{\{.+?\}\})+)\s*/y;
const OPERATORS: ReadonlySet<string> = new Set(['&&', '||', '!', '(', ')']);
const END = '<end of expression>';

/** As Python shows a string. */
const quote = (text: string): string =>
  text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", "\\'")}'`;

class Condition {
  private at = 0;
  private token: string | null = null;

  constructor(
    private readonly text: string,
    private readonly features: ReadonlySet<string>,
  ) {
    this.advance();
  }

  holds(): boolean {
    const value = this.either();
    this.expect(null);
    return value;
  }

  private advance(): void {
    if (this.at === this.text.length) {
      this.token = null;
      return;
    }
    CONDITION_TOKEN.lastIndex = this.at;
    const found = CONDITION_TOKEN.exec(this.text);
    if (found === null) throw new LitSyntaxError(`couldn't parse text: ${quote(this.text.slice(this.at))}`);
    this.at = CONDITION_TOKEN.lastIndex;
    this.token = found[1]!;
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
    if (this.eat('!')) return !this.single();
    if (this.eat('(')) {
      const value = this.either();
      this.expect(')');
      return value;
    }
    const name = this.token;
    if (name === null || OPERATORS.has(name))
      throw new LitSyntaxError(`expected: '!', '(', '{{', or identifier\nhave: ${name === null ? END : quote(name)}`);
    this.advance();
    if (!name.includes('{{')) return name === 'true' || this.features.has(name);
    const pattern = patternOf(name);
    return ['true', ...this.features].some((feature) => pattern.test(feature));
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

function patternOf(name: string): RegExp {
  const source = name
    .split(/(\{\{.+?\}\})/)
    .map((part) => (part.startsWith('{{') ? `(?:${part.slice(2, -2)})` : part.replace(/[.+]/g, '\\$&')));
  try {
    return new RegExp(`^(?:${source.join('')})$`);
  } catch {
    throw new LitSyntaxError(`couldn't parse text: ${quote(name)}`);
  }
}
