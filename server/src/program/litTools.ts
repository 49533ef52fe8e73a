/**
 * Programs that RUN lines call besides llc and FileCheck, as far as tests of MIR use them, in memory: those of lit and LLVM (cat, diff, echo,
 * mkdir, rm, split-file, count) and of the system (cp, grep, head, mv, sed, sort, tail, tee, touch, wc). An option that is not known here is
 * said by name.
 */
import { PosixRegex, RegexError, SearchLimit } from '../filecheck/posixRegex.js';
import { byteText, textOfBytes } from '../text/sourceText.js';
import { systemMessage } from './commandIO.js';
import { countOf, Unsupported, type LitLimits } from './testFile/limits.js';

/** Files of a test. Errors are those of the system, with a `code`. */
export interface LitFiles {
  read(path: string): string;
  write(path: string, text: string, appends: boolean): void;
  /** with those around it */
  makeFolder(path: string): void;
  /** A file, or a folder with what is in it; what is not there is no error. Throws Unsupported for what no RUN line of the test may remove. */
  remove(path: string): void;
}

export interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Tool = (args: readonly string[], stdin: string, files: LitFiles, limits: LitLimits) => Outcome;

const EXIT_FAILED = 1;
const passed = (stdout = ''): Outcome => ({ exit: 0, stdout, stderr: '' });

/** Null for a program that is not known. */
export function litTool(name: string): Tool | null {
  return TOOLS.get(name) ?? null;
}

const withoutEnd = (line: string): string => (line.endsWith('\n') ? line.slice(0, -1) : line);

interface Options {
  readonly flags: ReadonlySet<string>;
  /** of the option that takes one, each time that it is given */
  readonly values: readonly string[];
  readonly words: readonly string[];
}

/**
 * Options and the other words of `args`, in any order: `flags` are letters without value and long names, `valued` is the letter of one
 * that has a value. Throws Unsupported.
 */
function optionsOf(tool: string, args: readonly string[], flags: readonly string[], valued = ''): Options {
  const given = new Set<string>();
  const values: string[] = [];
  const words: string[] = [];
  const unknown = (what: string): Unsupported => new Unsupported(`${tool}: '${what}' is not known here`);
  for (let k = 0; k < args.length; k++) {
    const arg = args[k]!;
    if (arg === '--') {
      words.push(...args.slice(k + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') words.push(arg);
    else if (arg.startsWith('--')) {
      if (!flags.includes(arg)) throw unknown(arg);
      given.add(arg);
    } else
      for (let c = 1; c < arg.length; c++) {
        const letter = arg[c]!;
        if (letter === valued) {
          const value = arg.slice(c + 1) || args[++k];
          if (value === undefined) throw unknown(arg);
          values.push(value);
          break;
        }
        if (!flags.includes(letter)) throw unknown(arg);
        given.add(letter);
      }
  }
  return { flags: given, values, words };
}

/** What a program that takes files or standard input reads. */
const inputOf = (paths: readonly string[], stdin: string, files: LitFiles): string =>
  paths.length === 0 ? stdin : paths.map((path) => (path === '-' ? stdin : files.read(path))).join('');

/** Numbers of Linux. */
const ERRORS: Readonly<Record<string, number>> = { EPERM: 1, ENOENT: 2, EACCES: 13, ENOTDIR: 20, EISDIR: 21 };

/** lit's, in Python's words of errors. */
const cat: Tool = (args, stdin, files) => {
  const { words } = optionsOf('cat', args, []);
  if (words.length === 0) return passed(stdin);
  let stdout = '';
  for (const path of words)
    try {
      stdout += files.read(path);
    } catch (error) {
      const code = ERRORS[(error as { code?: string }).code ?? ''];
      if (code === undefined) throw error;
      return { exit: EXIT_FAILED, stdout, stderr: `[Errno ${code}] ${systemMessage(error)}: '${path}'` };
    }
  return passed(stdout);
};

/** lit's own: `-e` and `-n` in front, nothing else is an option. */
const echo: Tool = (args) => {
  const words = [...args];
  let end = '\n';
  let isEscaped = false;
  while (words[0] === '-e' || words[0] === '-n') {
    if (words.shift() === '-e') isEscaped = true;
    else end = '';
  }
  const text = words.join(' ');
  return passed((isEscaped ? unescaped(text) : text) + end);
};

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', "'": "'" };
const unescaped = (text: string): string =>
  text.replace(/\\(x[0-9a-fA-F]{2}|[^])/g, (all, what: string) =>
    what.length === 3 ? String.fromCharCode(parseInt(what.slice(1), 16)) : (ESCAPES[what] ?? all),
  );

const mkdir: Tool = (args, _, files) => {
  for (const path of optionsOf('mkdir', args, ['p']).words) files.makeFolder(path);
  return passed();
};

const rm: Tool = (args, _, files) => {
  for (const path of optionsOf('rm', args, ['r', 'R', 'f', '--recursive']).words) {
    if (/[*?]/.test(path)) throw new Unsupported(`rm: '${path}' names more than one file`);
    files.remove(path);
  }
  return passed();
};

const cp: Tool = (args, _, files) => {
  const { words } = optionsOf('cp', args, ['f', 'p']);
  if (words.length !== 2) throw new Unsupported('cp is known here with two files only');
  files.write(words[1]!, files.read(words[0]!), false);
  return passed();
};

const mv: Tool = (args, stdin, files, limits) => {
  const outcome = cp(args, stdin, files, limits);
  files.remove(args.find((arg) => !arg.startsWith('-'))!);
  return outcome;
};

const touch: Tool = (args, _, files) => {
  for (const path of optionsOf('touch', args, []).words) files.write(path, '', true);
  return passed();
};

const tee: Tool = (args, stdin, files) => {
  const { flags, words } = optionsOf('tee', args, ['a']);
  for (const path of words) files.write(path, stdin, flags.has('a'));
  return passed(stdin);
};

/** LLVM's: whether there are so many lines. */
const count: Tool = ([wanted = '', ...more], stdin) => {
  if (more.length > 0 || !/^\d+$/.test(wanted)) throw new Unsupported('count takes a number of lines');
  const n = countOf(stdin, '\n');
  if (n === Number(wanted)) return passed();
  return { exit: EXIT_FAILED, stdout: '', stderr: `Expected ${Number(wanted)} lines, got ${n}.\n` };
};

/** lit's, but for what it prints: only the first line that differs. */
const diff: Tool = (args, stdin, files, limits) => {
  const { flags, words } = optionsOf('diff', args, ['u', 'b', 'w', '--strip-trailing-cr'], 'U');
  if (words.length !== 2) throw new Unsupported('diff is known here with two files only');
  const same = (line: string): string => {
    const text = flags.has('--strip-trailing-cr') ? line.replace(/\r\n$/, '\n') : line;
    if (!flags.has('b') && !flags.has('w')) return text;
    return text.trim().replace(/\s+/g, flags.has('w') ? '' : ' ');
  };
  const [left, right] = words.map((path) => limits.linesOf(path === '-' ? stdin : files.read(path)));
  const at = left!.findIndex((line, k) => right![k] === undefined || same(line) !== same(right![k]));
  const first = at < 0 ? left!.length : at;
  if (at < 0 && left!.length === right!.length) return passed();
  const shown = [left, right].map((lines, side) => {
    const line = lines![first];
    return line === undefined ? '' : `${'-+'[side]}${withoutEnd(line)}\n`;
  });
  return {
    exit: EXIT_FAILED,
    stdout: `--- ${words[0]}\n+++ ${words[1]}\n@@ line ${first + 1} @@\n${shown.join('')}`,
    stderr: '',
  };
};

/** LLVM's: parts of a file after `--- NAME` lines, each with as many empty lines in front as keep its line numbers if asked. */
const splitFile: Tool = (args, _, files, limits) => {
  const { flags, words } = optionsOf('split-file', args, ['--leading-lines', '--no-leading-lines']);
  const [file = '', folder = ''] = words;
  let part: string[] | null = null;
  let name = '';
  const save = (): void => {
    if (part === null) return;
    const path = `${folder}/${name}`;
    files.makeFolder(path.slice(0, path.lastIndexOf('/')));
    files.write(path, part.join(''), false);
  };
  files.makeFolder(folder);
  for (const [k, line] of limits.linesOf(files.read(file)).entries()) {
    const next = /^(?:\W{1,3})?--- (\S.*?)\s*$/.exec(line)?.[1];
    if (next !== undefined) {
      save();
      name = next;
      part = flags.has('--leading-lines') ? ['\n'.repeat(k + 1)] : [];
    } else part?.push(line);
  }
  save();
  return passed();
};

const head: Tool = (args, stdin, files, limits) =>
  part('head', args, stdin, files, limits, (lines, n) => lines.slice(0, n));
const tail: Tool = (args, stdin, files, limits) =>
  part('tail', args, stdin, files, limits, (lines, n, fromStart) =>
    lines.slice(fromStart ? n - 1 : Math.max(0, lines.length - n)),
  );

function part(
  tool: string,
  args: readonly string[],
  stdin: string,
  files: LitFiles,
  limits: LitLimits,
  take: (lines: readonly string[], n: number, fromStart: boolean) => readonly string[],
): Outcome {
  const { values, words } = optionsOf(
    tool,
    args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1')),
    [],
    'n',
  );
  const given = values.at(-1) ?? '10';
  const fromStart = tool === 'tail' && given.startsWith('+');
  if (!/^\+?\d+$/.test(given) || (given.startsWith('+') && !fromStart))
    throw new Unsupported(`${tool}: '${given}' is not known here`);
  return passed(take(limits.linesOf(inputOf(words, stdin, files)), Number(given), fromStart).join(''));
}

const wc: Tool = (args, stdin, files) => {
  const { flags, words } = optionsOf('wc', args, ['l', 'c']);
  if (flags.size !== 1 || words.length > 0) throw new Unsupported('wc is known here with -l or -c, of a pipe');
  const text = inputOf(words, stdin, files);
  return passed(`${flags.has('l') ? countOf(text, '\n') : byteText(text).length}\n`);
};

const sort: Tool = (args, stdin, files, limits) => {
  const { flags, words } = optionsOf('sort', args, ['u', 'r']);
  const lines = limits.linesOf(inputOf(words, stdin, files)).map(withoutEnd);
  if (lines.some((line) => /[^!-~]/.test(line))) throw new Unsupported('sort orders here words of ASCII only');
  const sorted = [...(flags.has('u') ? new Set(lines) : lines)].sort();
  if (flags.has('r')) sorted.reverse();
  return passed(sorted.map((line) => `${line}\n`).join(''));
};

/** An expression that is looked for in lines, again and again. */
interface LineRegex {
  readonly regex: PosixRegex;
  /** some of it holds at the beginning of the line only */
  readonly isAnchored: boolean;
}

/** A POSIX regular expression, basic ones with GNU's extensions rewritten as extended ones. Throws Unsupported. */
function regexOf(tool: string, source: string, isExtended: boolean, ignoreCase: boolean, meter: LitLimits): LineRegex {
  // GNU's classes and places, which POSIX has not.
  if (/\\[a-zA-Z`'<>]/.test(source.replace(/\\\\/g, '')))
    throw new Unsupported(`${tool}: '${source}' has escapes that are not known here`);
  const extended = isExtended ? source : extendedOf(source);
  try {
    return {
      regex: new PosixRegex(byteText(extended), { ignoreCase, meter }),
      isAnchored: /(?:^|[(|])\^/.test(extended),
    };
  } catch (error) {
    if (!(error instanceof RegexError) && !(error instanceof SearchLimit)) throw error;
    throw new Unsupported(`${tool}: '${source}': ${error.message}`);
  }
}

/** In a basic expression a backslash gives `(){}|+?` their meaning, in an extended one it takes it away. */
function extendedOf(source: string): string {
  return source.replace(
    /\[\^?\]?(?:\[[:.=][^\]]*\]|[^\]])*\]|\\([^])|([(){}|+?])|(^\*|(?<=\\\(|\\\|)\*)/g,
    (all, escaped?: string, plain?: string, star?: string) => {
      if (escaped !== undefined) return '(){}|+?'.includes(escaped) ? escaped : all;
      if (plain !== undefined || star !== undefined) return `\\${all}`;
      return all;
    },
  );
}

const grep: Tool = (args, stdin, files, limits) => {
  const { flags, values, words } = optionsOf('grep', args, ['v', 'c', 'q', 'i', 'E', 'F', 'o', 'n'], 'e');
  const [source = values.join('\n'), paths] = values.length > 0 ? [undefined, words] : [words[0], words.slice(1)];
  if (source.includes('\n') || paths.length > 1)
    throw new Unsupported('grep is known here with one expression and one file');
  const escapeAll = (text: string): string => text.replace(/[.[\]*^$\\+?(){}|]/g, '\\$&');
  const regex = flags.has('F')
    ? regexOf('grep', escapeAll(source), true, flags.has('i'), limits)
    : regexOf('grep', source, flags.has('E'), flags.has('i'), limits);
  const found: string[] = [];
  for (const [k, row] of limits.linesOf(inputOf(paths, stdin, files)).entries()) {
    const line = byteText(withoutEnd(row));
    if ((regex.regex.match(line) === null) !== flags.has('v')) continue;
    const number = flags.has('n') ? `${k + 1}:` : '';
    limits.spend(MATCH_STEPS);
    const pieces = flags.has('o') && !flags.has('v') ? piecesOf(line, regex, limits) : [line];
    if (flags.has('c')) found.push('');
    else found.push(...pieces.map((piece) => `${number}${textOfBytes(piece)}\n`));
  }
  const text = flags.has('q') ? '' : flags.has('c') ? `${found.length}\n` : found.join('');
  return { exit: found.length > 0 ? 0 : EXIT_FAILED, stdout: text, stderr: '' };
};

/** what a match costs beside the characters that it looks at */
const MATCH_STEPS = 150;

/** What matches, not the empty ones. */
function piecesOf(line: string, regex: LineRegex, limits: LitLimits): string[] {
  const pieces: string[] = [];
  for (const [start, stop] of matchesOf(line, regex)) {
    limits.spend(MATCH_STEPS);
    if (stop! > start!) pieces.push(line.slice(start, stop));
  }
  return pieces;
}

/** Each match after the one before. */
function* matchesOf(line: string, { regex, isAnchored }: LineRegex): Generator<Int32Array> {
  for (let from = 0; from <= line.length;) {
    const found = regex.match(line, from);
    if (found === null) return;
    yield found;
    if (isAnchored) return;
    from = found[1]! > found[0]! ? found[1]! : found[1]! + 1;
  }
}

/** A command of sed. */
interface SedCommand {
  readonly from: SedAddress | null;
  readonly to: SedAddress | null;
  readonly isNegated: boolean;
  readonly name: 's' | 'd' | 'p';
  readonly regex: LineRegex | null;
  readonly replacement: string;
  readonly isGlobal: boolean;
  readonly prints: boolean;
  isInside: boolean;
}
type SedAddress = number | '$' | LineRegex;

const sed: Tool = (args, stdin, files, limits) => {
  const { flags, values, words } = optionsOf('sed', args, ['n', 'E', 'r'], 'e');
  const [script = values.join('\n'), paths] = values.length > 0 ? [undefined, words] : [words[0], words.slice(1)];
  const commands = new SedScript(script, flags.has('E') || flags.has('r'), limits).read();
  const lines = limits.linesOf(inputOf(paths, stdin, files));
  const out: string[] = [];
  for (const [k, row] of lines.entries()) {
    let line = byteText(withoutEnd(row));
    const end = row.endsWith('\n') ? '\n' : '';
    const print = (): void => {
      limits.text(line.length + 1);
      out.push(textOfBytes(line) + end);
    };
    let isDeleted = false;
    for (const command of commands) {
      limits.spend(1);
      if (!isChosen(command, line, k + 1, k === lines.length - 1)) continue;
      if (command.name === 'd') {
        isDeleted = true;
        break;
      }
      if (command.name === 'p') print();
      else {
        const changed = replaced(line, command, limits);
        if (changed === null) continue;
        line = changed;
        if (command.prints) print();
      }
    }
    if (!isDeleted && !flags.has('n')) print();
  }
  return passed(out.join(''));
};

function isChosen(command: SedCommand, line: string, number: number, isLast: boolean): boolean {
  const { from, to, isNegated } = command;
  const holds = (address: SedAddress): boolean =>
    typeof address === 'number' ? address === number : address === '$' ? isLast : address.regex.match(line) !== null;
  const chosen = ((): boolean => {
    if (from === null) return true;
    if (to === null) return holds(from);
    if (!command.isInside) {
      if (!holds(from)) return false;
      // A number that lies before ends the range at once.
      command.isInside = typeof to !== 'number' || to > number;
      return true;
    }
    if (typeof to === 'number' ? number >= to : holds(to)) command.isInside = false;
    return true;
  })();
  return chosen !== isNegated;
}

/** Null when nothing matches. */
function replaced(line: string, { regex, replacement, isGlobal }: SedCommand, limits: LitLimits): string | null {
  let text = '';
  let at = 0;
  let isChanged = false;
  for (const groups of matchesOf(line, regex!)) {
    isChanged = true;
    const put = filled(replacement, line, groups);
    limits.text(put.length);
    limits.spend(MATCH_STEPS);
    text += line.slice(at, groups[0]) + put;
    at = groups[1]!;
    if (!isGlobal) break;
  }
  return isChanged ? text + line.slice(at) : null;
}

const filled = (replacement: string, line: string, groups: Int32Array): string =>
  replacement.replace(/\\([^])|&/g, (all, escaped?: string) => {
    const group = all === '&' ? 0 : Number(escaped);
    if (all !== '&' && !/\d/.test(escaped!)) return escaped === 'n' ? '\n' : escaped!;
    const start = groups[2 * group] ?? -1;
    return start < 0 ? '' : line.slice(start, groups[2 * group + 1]);
  });

/** `s`, `d` and `p` with their addresses. */
class SedScript {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly isExtended: boolean,
    private readonly limits: LitLimits,
  ) {}

  /** Throws Unsupported. */
  read(): SedCommand[] {
    const commands: SedCommand[] = [];
    for (;;) {
      this.skip(/[\s;]*/y);
      if (this.at === this.text.length) return commands;
      commands.push(this.command());
    }
  }

  private command(): SedCommand {
    const from = this.address();
    const to = from !== null && this.skip(/\s*,\s*/y) !== '' ? this.address() : null;
    const isNegated = this.skip(/\s*!\s*|\s*/y).includes('!');
    const name = this.text[this.at++];
    const base = { from, to, isNegated, regex: null, replacement: '', isGlobal: false, prints: false, isInside: false };
    if (name === 'd' || name === 'p') return { ...base, name };
    const mark = this.text[this.at++];
    if (name !== 's' || mark === undefined || /[\n\\]/.test(mark)) throw this.unknown();
    const source = this.upTo(mark);
    const replacement = byteText(this.upTo(mark));
    const flags = this.skip(/[a-zA-Z0-9]*/y);
    if (!/^[gpI]*$/.test(flags) || source === '') throw this.unknown();
    const regex = regexOf('sed', source, this.isExtended, flags.includes('I'), this.limits);
    return { ...base, name, regex, replacement, isGlobal: flags.includes('g'), prints: flags.includes('p') };
  }

  private address(): SedAddress | null {
    const number = this.skip(/\d+/y);
    if (number !== '') return Number(number);
    if (this.skip(/\$/y) !== '') return '$';
    if (this.skip(/\//y) === '') return null;
    return regexOf('sed', this.upTo('/'), this.isExtended, false, this.limits);
  }

  /** The text before the next such mark, which stands for itself after a backslash. */
  private upTo(mark: string): string {
    let text = '';
    for (; this.at < this.text.length; this.at++) {
      const c = this.text[this.at]!;
      if (c === mark) {
        this.at++;
        return text;
      }
      if (c === '\\') {
        const next = this.text[++this.at] ?? '';
        text += next === mark ? next : `\\${next}`;
      } else text += c;
    }
    throw this.unknown();
  }

  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }

  private unknown(): Unsupported {
    return new Unsupported(`sed: '${this.text}' is not known here`);
  }
}

const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  [':', () => passed()],
  ['true', () => passed()],
  ['false', () => ({ exit: EXIT_FAILED, stdout: '', stderr: '' })],
  // Nothing is created or started here that they would change.
  ['umask', () => passed()],
  ['ulimit', () => passed()],
  ['cat', cat],
  ['count', count],
  ['cp', cp],
  ['diff', diff],
  ['echo', echo],
  ['grep', grep],
  ['head', head],
  ['mkdir', mkdir],
  ['mv', mv],
  ['rm', rm],
  ['sed', sed],
  ['sort', sort],
  ['split-file', splitFile],
  ['tail', tail],
  ['tee', tee],
  ['touch', touch],
  ['wc', wc],
]);
