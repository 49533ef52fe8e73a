/**
 * The RUN lines of a test for those who do not run them: which commands stand where. They are read as lit reads them (script.ts), with what the test
 * defines and chooses; what lit would refuse is read as far as it goes. A command that does not run here (`%if`) is there all the same.
 */
import type { TextRange } from '../../text/diagnostic.js';
import { lazy } from '../../util/lazy.js';
import { chosenIn } from './choices.js';
import { addRow, definitionIn, directiveRows, isOpen, OF_SCRIPT, textOf, type Directive } from './directives.js';
import { LitLimits, LitSyntaxError, Unsupported } from './limits.js';
import { LIT_FEATURES } from './script.js';
import { readShellLine, type LitCommand } from './shell.js';
import { substitute, Substitutions } from './substitutions.js';
import type { Place, TracedText } from './tracedText.js';

/** RUN lines past this many are ignored (LLVM's longest test has about 60). */
const MAX_RUN_LINES = 512;
/** A line that grows beyond that stays as it is written. */
const MAX_LENGTH = 1 << 16;
/** of all lines of a test: some milliseconds */
const MAX_STEPS = 1_000_000;

/** A word of a command, unquoted. What a definition gives stands where its name does. */
export interface Word extends Place {
  readonly text: string;
  /** with its quotes, in the text of the run */
  readonly at: TextRange;
}

/** A command of a RUN line: the program that it comes to, and its words without redirections. */
export interface TestCommand {
  readonly run: TestRun;
  readonly program: Word;
  readonly words: readonly Word[];
  /** `not llc`: it has to fail */
  readonly isNegated: boolean;
}

export interface TestRun {
  /** of its first and its last line, from 0 */
  readonly firstLine: number;
  readonly lastLine: number;
  /** with its substitutions made, but for those that lit has of its own */
  readonly text: TracedText;
  readonly commands: readonly TestCommand[];
  /** where the first quote is written that nothing closes, -1 = none */
  readonly openQuote: number;
}

/** Read when first asked for, once. */
export class TestFile {
  private readonly script = lazy(() => readScript(this.text));
  private readonly read = lazy(() => readRuns(this.script()));
  private readonly all = lazy(() => this.read().flatMap((run) => run.commands));

  constructor(readonly text: string) {}

  get runs(): readonly TestRun[] {
    return this.read();
  }

  /** of all RUN lines, in order */
  get commands(): readonly TestCommand[] {
    return this.all();
  }

  /** RUN, DEFINE and REDEFINE */
  get directives(): readonly Directive[] {
    return this.script();
  }

  /** A RUN line has a part in this line, which ends in a backslash. */
  goesOnAfter(line: number): boolean {
    return this.directives.some((directive) => {
      const row = directive.rows.findIndex((r) => r.line === line);
      return directive.keyword === 'RUN:' && row >= 0 && (row < directive.rows.length - 1 || isOpen(directive));
    });
  }
}

/** Cost: a search over the text for each of the words. */
function readScript(text: string): Directive[] {
  const script: Directive[] = [];
  let nRuns = 0;
  for (const row of directiveRows(text, OF_SCRIPT)) {
    const isRun = row.keyword === 'RUN:';
    if (!isRun && !row.keyword.endsWith('DEFINE:')) continue;
    const nBefore = script.length;
    try {
      addRow(script, row);
    } catch (error) {
      if (!(error instanceof LitSyntaxError)) throw error;
    }
    if (isRun && script.length > nBefore && ++nRuns === MAX_RUN_LINES) break;
  }
  return script;
}

function readRuns(script: readonly Directive[]): TestRun[] {
  const limits = new LitLimits(MAX_STEPS);
  const known = new Substitutions(null, limits, MAX_LENGTH);
  const runs: TestRun[] = [];
  for (const directive of script) {
    if (directive.keyword !== 'RUN:') define(directive, known);
    else runs.push(readRun(directive, known, limits));
  }
  return runs;
}

function define(directive: Directive, known: Substitutions): void {
  if (isOpen(directive)) return;
  try {
    known.define(definitionIn(directive), directive.keyword === 'DEFINE:');
  } catch (error) {
    if (!(error instanceof LitSyntaxError)) throw error;
  }
}

function readRun(directive: Directive, known: Substitutions, limits: LitLimits): TestRun {
  const { rows } = directive;
  const text = made(writtenIn(directive), known, limits);
  const { steps, openQuote } = readShellLine(text.text);
  const end = openQuote < 0 ? text.text.length : openQuote;
  const commands: TestCommand[] = [];
  const run: TestRun = {
    firstLine: rows[0]!.line,
    lastLine: rows.at(-1)!.line,
    text,
    commands,
    openQuote: openQuote < 0 ? -1 : (text.placeOf(openQuote, openQuote + 1).origin?.start ?? -1),
  };
  for (const step of steps)
    for (const command of step.commands) {
      const found = commandIn(command, run, end);
      if (found !== null) commands.push(found);
    }
  return run;
}

/** What is open goes on in a line that is not there yet. */
function writtenIn(directive: Directive): TracedText {
  const text = textOf(directive);
  if (!isOpen(directive)) return text;
  const open = text.trimEnd();
  return open.slice(0, open.text.length - 1);
}

/** With the first branch of each choice where that lit would refuse the line, or that nothing is left of it. */
function made(written: TracedText, known: Substitutions, limits: LitLimits): TracedText {
  return (
    unlessRefused(() => {
      const text = substitute(written, known, LIT_FEATURES, limits);
      return text.text === '' ? null : text;
    }) ??
    unlessRefused(() => chosenIn(written, () => true)) ??
    written
  );
}

function unlessRefused(read: () => TracedText | null): TracedText | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LitSyntaxError) && !(error instanceof Unsupported)) throw error;
    return null;
  }
}

/** Null for words before a command without one. A word that does not end before `end` is left out: a quote is still open. */
function commandIn({ words: all, places }: LitCommand, run: TestRun, end: number): TestCommand | null {
  const words = all.filter((_, k) => places[k]!.end <= end);
  let at = 0;
  let isNegated = false;
  for (let n = prefixLength(words, at); n > 0; n = prefixLength(words, at)) {
    if (words[at] === 'not' || words[at] === '!') isNegated = !isNegated;
    at += n;
  }
  if (at >= words.length) return null;
  const wordAt = (k: number): Word => {
    const range = places[k]!;
    return { text: words[k]!, at: range, ...run.text.placeOf(range.start, range.end) };
  };
  const [program, ...rest] = words.slice(at).map((_, k) => wordAt(at + k));
  return { run, program: program!, words: rest, isNegated };
}

/** Words before a command that run it: `not --crash llc`, `env -u A B=C llc`, `timeout 10 llc`; how many the first of them takes, 0 = it is none. */
function prefixLength(words: readonly string[], at: number): number {
  const word = words[at] ?? '';
  if (word === 'not') return words[at + 1] === '--crash' ? 2 : 1;
  if (word === 'timeout') return 2;
  if (word !== 'env') return word === '!' || word === 'time' || /^\w+=/.test(word) ? 1 : 0;
  let n = 1;
  for (let setting = words[at + n]; setting !== undefined; setting = words[at + n])
    if (setting === '-u') n += 2;
    else if (setting === '-i' || /^[^-]\w*=/.test(setting)) n++;
    else break;
  return n;
}

const PROGRAMS = {
  llc: /(?:^|[\\/])llc(?:-\d+)?(?:\.exe)?$|^%\{?llc\}?$/,
  FileCheck: /(?:^|[\\/])FileCheck(?:-\d+)?(?:\.exe)?$|^%\{?FileCheck\}?$/,
} as const;

/** Is the program this one, by whatever path and version suffix, or lit's substitution for it? */
export const isProgram = (program: string, name: keyof typeof PROGRAMS): boolean => PROGRAMS[name].test(program);
