/** What lit (LLVM 22) reads from a test: RUN lines as pipelines, and whether it is to be run at all. Pure: nothing is executed here. */

export interface LitCommand {
  readonly words: readonly string[];
  /** a file; null = what the pipe gives */
  readonly stdin: string | null;
  /** null = the pipe */
  readonly stdout: { readonly file: string; readonly appends: boolean } | null;
  readonly stderr: { readonly file: string; readonly appends: boolean } | 'stdout' | null;
}

/** A RUN line: pipelines that each need the one before to succeed. */
export interface LitRun {
  /** of its first line, from 1 */
  readonly line: number;
  /** with its substitutions made */
  readonly text: string;
  readonly pipelines: readonly (readonly LitCommand[])[];
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
  readonly temporaryFolder: string;
}

/** What conditions of a test (REQUIRES and others) may ask for: llc without assertions, for AMDGPU. */
export const LIT_FEATURES: ReadonlySet<string> = new Set([
  'amdgpu-registered-target',
  'default_triple',
  'system-linux',
]);

const KEYWORD = /(?:^|\W)(RUN|XFAIL|REQUIRES|UNSUPPORTED|END)([:.])(.*)$/;

/** Reads a test; `features` are those that its conditions may ask for. Never throws. */
export function readLitScript(text: string, places: LitPlaces, features: ReadonlySet<string>): LitScript {
  const lines: { line: number; text: string }[] = [];
  const conditions: Record<'XFAIL' | 'REQUIRES' | 'UNSUPPORTED', string[]> = {
    XFAIL: [],
    REQUIRES: [],
    UNSUPPORTED: [],
  };
  for (const [k, line] of text.split('\n').entries()) {
    const [, keyword, mark, rest = ''] = KEYWORD.exec(line) ?? [];
    if (keyword === 'END' && mark === '.') break;
    if (keyword === undefined || keyword === 'END' || mark !== ':') continue;
    if (keyword === 'RUN') {
      const last = lines[lines.length - 1];
      if (last?.text.endsWith('\\') === true) last.text = last.text.slice(0, -1) + rest.trimEnd();
      else lines.push({ line: k + 1, text: rest.trim() });
    } else
      conditions[keyword as keyof typeof conditions].push(
        ...rest
          .split(',')
          .map((c) => c.trim())
          .filter((c) => c !== ''),
      );
  }
  const base = { runs: [], isExpectedToFail: false, unsupported: null, unresolved: null };
  if (lines.length === 0) return { ...base, unresolved: "Test has no 'RUN:' line" };
  const last = lines[lines.length - 1]!;
  if (last.text.endsWith('\\'))
    return { ...base, unresolved: `Test has unterminated 'RUN:' directive (with '\\') at line ${last.line}` };
  try {
    const holds = (condition: string): boolean => condition === '*' || new Condition(condition, features).value();
    const missing = conditions.REQUIRES.filter((c) => !holds(c));
    if (missing.length > 0) return { ...base, unsupported: `Missing required feature(s): ${missing.join(', ')}` };
    if (conditions.UNSUPPORTED.some(holds)) return { ...base, unsupported: 'Unsupported configuration' };
    const runs = lines.map(({ line, text: run }) => {
      const made = substitute(run, places);
      return { line, text: made, pipelines: new Shell(made).read() };
    });
    return { ...base, runs, isExpectedToFail: conditions.XFAIL.some(holds) };
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return { ...base, unsupported: error.message };
  }
}

/** Something of lit or of the shell that is not known here. */
class NotUnderstood extends Error {}

function substitute(text: string, { file, folder, temporary, temporaryFolder }: LitPlaces): string {
  const name = temporary.slice(temporary.lastIndexOf('/') + 1);
  const values: Readonly<Record<string, string>> = {
    '%%': '%',
    '%s': file,
    '%S': folder,
    '%p': folder,
    '%t': temporary,
    '%T': temporaryFolder,
    '%basename_t': name,
    '%{pathsep}': ':',
  };
  return text.replace(/%%|%basename_t|%\{\w+\}|%[sSptT]/g, (mark) => values[mark] ?? mark);
}

/** `a && (b || !c)` over names of features. */
class Condition {
  private readonly tokens: string[];

  constructor(
    text: string,
    private readonly features: ReadonlySet<string>,
  ) {
    this.tokens = text.match(/&&|\|\||[!()]|[^\s!()&|]+/g) ?? [];
  }

  value(): boolean {
    const value = this.either();
    if (this.tokens.length > 0) throw new NotUnderstood(`condition at '${this.tokens[0]}'`);
    return value;
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
      if (!this.eat(')')) throw new NotUnderstood("condition without ')'");
      return value;
    }
    const name = this.tokens.shift();
    if (name === undefined) throw new NotUnderstood('empty condition');
    return name === 'true' || this.features.has(name);
  }

  private eat(token: string): boolean {
    if (this.tokens[0] !== token) return false;
    this.tokens.shift();
    return true;
  }
}

const TOKEN =
  /\s*(?:(&&|\|\||[|;]|2>&1|[012]?>>|[012]?>|&>|<|[&()`])|((?:'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^\s'"\\|;&<>()`])+))/y;

/** The part of a shell's syntax that RUN lines use. */
class Shell {
  private at = 0;

  constructor(private readonly text: string) {}

  read(): LitCommand[][] {
    const pipelines: LitCommand[][] = [[]];
    for (;;) {
      pipelines[pipelines.length - 1]!.push(this.command());
      const next = this.next();
      if (next === null) return pipelines;
      if (next.operator === '&&' || next.operator === ';') pipelines.push([]);
      else if (next.operator !== '|') throw new NotUnderstood(`'${next.operator}' in a RUN line`);
    }
  }

  private command(): LitCommand {
    const words: string[] = [];
    let stdin: LitCommand['stdin'] = null;
    let stdout: LitCommand['stdout'] = null;
    let stderr: LitCommand['stderr'] = null;
    for (let start = this.at; ; start = this.at) {
      const token = this.next();
      const { operator = '', word = '' } = token ?? {};
      if (operator === '' && token !== null) words.push(word);
      else if (operator === '2>&1') stderr = 'stdout';
      else if (operator === '<') stdin = this.file();
      else if (operator.includes('>')) {
        const target = { file: this.file(), appends: operator.endsWith('>>') };
        if (operator === '&>') [stdout, stderr] = [target, 'stdout'];
        else if (operator.startsWith('2')) stderr = target;
        else stdout = target;
      } else {
        this.at = start;
        if (words.length === 0) throw new NotUnderstood('a RUN line without command');
        return { words, stdin, stdout, stderr };
      }
    }
  }

  private file(): string {
    const token = this.next();
    if (token === null || token.operator !== '') throw new NotUnderstood('a redirection without file');
    return token.word;
  }

  private next(): { readonly operator: string; readonly word: string } | null {
    TOKEN.lastIndex = this.at;
    const token = TOKEN.exec(this.text);
    if (token === null) {
      if (this.text.slice(this.at).trim() === '') return null;
      throw new NotUnderstood(`a RUN line at '${this.text.slice(this.at).trim()}'`);
    }
    this.at = TOKEN.lastIndex;
    const [, operator = '', word = ''] = token;
    return { operator, word: word.replace(/'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])/g, unquote) };
  }
}

const unquote = (_: string, single?: string, double?: string, escaped?: string): string =>
  single ?? (double === undefined ? (escaped ?? '') : double.replace(/\\(["\\$`])/g, '$1'));
