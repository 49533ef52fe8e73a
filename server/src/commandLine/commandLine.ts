/**
 * A command line of llc, or of another of LLVM's programs, as llvm::cl reads it (LLVM 22.1.8): one or two dashes, `-opt=value` or `-opt value`, letters in a group, values
 * glued to a name, `-` as a file name, `--` before positional arguments, and what it says of words that it does not take. Reading goes
 * on after an error, so that all of them are told.
 */
import { lazy } from '../util/lazy.js';
import { nearestOption } from './nearestOption.js';
import { OptionParser, ValueExpected, type OptionSpec, type OptionTable, type OptionValue } from './optionSpec.js';
import { LLC_TABLE } from './optionTable.js';
import { readValue, ValueError } from './optionValue.js';

export const enum CommandLineErrorKind {
  UnknownOption = 'unknown',
  Value = 'value',
  Positional = 'positional',
}

export interface CommandLineError {
  readonly kind: CommandLineErrorKind;
  /** llc's lines, each with its end */
  readonly text: string;
  /** the word that it is about, -1 for the whole line */
  readonly wordIdx: number;
  /** a word to write instead */
  readonly suggestion: string | null;
  /** what the option takes, where that is a list */
  readonly values: readonly string[];
}

/** An option that was given. */
export interface Occurrence {
  /** the option's own name where the command line has an alias */
  readonly name: string;
  readonly wordIdx: number;
  readonly value: string | number | boolean;
}

export interface CommandLine {
  /** by name; an option that was not given is absent */
  readonly values: ReadonlyMap<string, OptionValue>;
  /** in the order of the words */
  readonly occurrences: readonly Occurrence[];
  readonly positional: readonly string[];
  readonly errors: readonly CommandLineError[];
  /** an option that prints something and ends llc, and what was wrong up to there */
  readonly asksFor: 'help' | 'version' | null;
}

/** A command line that cannot be understood; `message` is what llc would write. */
export class UsageError extends Error {}

const MAX_POSITIONAL = 1;
const ENDING_OPTIONS: ReadonlyMap<string, 'help' | 'version'> = new Map([
  ['help', 'help'],
  ['help-hidden', 'help'],
  ['help-list', 'help'],
  ['help-list-hidden', 'help'],
  ['version', 'version'],
]);

/** A name with its dashes, as llvm::cl prints it. */
export const withDashes = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/** Never throws. `ownOptions` are options of ours beside those of the table; `program` is the name in messages. */
export function readCommandLine(
  words: readonly string[],
  ownOptions: readonly OptionSpec[] = [],
  program = 'llc',
  table: OptionTable = LLC_TABLE,
): CommandLine {
  const reader = new Reader(words, ownOptions, program, table);
  reader.read();
  return reader;
}

/** Longer than any option's. */
const LONGEST_NAME = 128;

class Reader implements CommandLine {
  readonly values = new Map<string, OptionValue>();
  readonly occurrences: Occurrence[] = [];
  readonly positional: string[] = [];
  readonly errors: CommandLineError[] = [];
  asksFor: 'help' | 'version' | null = null;
  private at = 0;
  /** the name in the word being read, its value if it has one; a group moves them on */
  private name = '';
  private value: string | undefined;

  constructor(
    private readonly words: readonly string[],
    private readonly ownOptions: readonly OptionSpec[],
    private readonly program: string,
    private readonly table: OptionTable,
  ) {}

  read(): void {
    let onlyPositional = false;
    for (; this.at < this.words.length && this.asksFor === null; this.at++) {
      const word = this.words[this.at]!;
      if (onlyPositional || !word.startsWith('-') || word === '-') this.positional.push(word);
      else if (word === '--') onlyPositional = true;
      else this.readOption(word);
    }
    if (this.positional.length <= MAX_POSITIONAL || this.asksFor !== null) return;
    const why = `Too many positional arguments specified!\nCan specify at most ${MAX_POSITIONAL} positional arguments`;
    this.report(CommandLineErrorKind.Positional, `${this.program}: ${why}: See: ${this.program} --help`, -1);
  }

  private find(name: string): OptionSpec | null {
    return this.ownOptions.find((o) => o.name === name) ?? this.table.find(name);
  }

  private readOption(word: string): void {
    this.name = word.slice(word.startsWith('--') ? 2 : 1);
    this.value = undefined;
    const equals = this.name.indexOf('=');
    let option = this.find(equals < 0 ? this.name : this.name.slice(0, equals));
    if (option === null) option = this.findInGroup();
    else if (equals >= 0 && option.isAlwaysPrefix === true) {
      this.value = this.name.slice(option.name.length);
      this.name = option.name;
    } else if (equals >= 0) {
      this.value = this.name.slice(equals + 1);
      this.name = this.name.slice(0, equals);
    }
    if (option !== null) {
      this.take(option, this.at);
      return;
    }
    const { program, name, table } = this;
    // To look for what is near takes longer than all else, and whoever shows some of many errors asks for those alone.
    const suggestion = lazy(() => {
      const nearest = nearestOption(name, table.all());
      return nearest === null ? null : withDashes(nearest);
    });
    const said = `${program}: Unknown command line argument '${word}'.  Try: '${program} --help'`;
    this.errors.push({
      kind: CommandLineErrorKind.UnknownOption,
      get text() {
        const meant = suggestion();
        return `${said}${meant === null ? '' : `\n${program}: Did you mean '${meant}'?`}\n`;
      },
      wordIdx: Math.min(this.at, this.words.length - 1),
      get suggestion() {
        return suggestion();
      },
      values: [],
    });
  }

  /** `-O2`, and letters in a group: `-Wo`. Takes all but the last, which is the result. */
  private findInGroup(): OptionSpec | null {
    if (this.name.length <= 1) return null;
    for (let option = this.longestPrefix(false); option !== null; option = this.longestPrefix(true)) {
      const rest = this.name.slice(option.name.length);
      this.name = option.name;
      if (rest === '') return option;
      if (rest.startsWith('=') || option.isPrefix) {
        this.value = rest.startsWith('=') ? rest.slice(1) : rest;
        return option;
      }
      if (option.expects === ValueExpected.Required) {
        this.reportValue(option, 'may not occur within a group!');
        return null;
      }
      this.take(option, this.words.length);
      this.name = rest;
    }
    return null;
  }

  /** The option whose name is the longest beginning of what is left and that may be followed by other characters. */
  private longestPrefix(groupsOnly: boolean): OptionSpec | null {
    for (let length = Math.min(this.name.length, LONGEST_NAME); length > 0; length--) {
      const option = this.find(this.name.slice(0, length));
      if (option !== null && (option.name.length === 1 || (option.isPrefix && !groupsOnly))) return option;
    }
    return null;
  }

  /** Reads the option's value; the next word, if it needs one, stands after `at`. */
  private take(option: OptionSpec, at: number): void {
    if (option.expects === ValueExpected.Required && this.value === undefined) {
      if (at + 1 >= this.words.length || option.isAlwaysPrefix === true) {
        this.reportValue(option, 'requires a value!');
        return;
      }
      this.value = this.words[++this.at];
    } else if (option.expects === ValueExpected.Disallowed && this.value !== undefined) {
      this.reportValue(option, `does not allow a value! '${this.value}' specified.`);
      return;
    }
    const wordIdx = Math.min(at, this.words.length - 1);
    const target = option.parser === OptionParser.Alias ? this.find(option.values[0]!) : option;
    if (target === null) return;
    this.asksFor = ENDING_OPTIONS.get(target.name) ?? null;
    const parts = option.splitsAtCommas && this.value !== undefined ? this.value.split(',') : [this.value];
    for (const part of parts) {
      const value = readValue(target, part);
      if (value instanceof ValueError) {
        this.reportValue(target, value.why);
        return;
      }
      this.occurrences.push({ name: target.name, wordIdx, value });
      const before = this.values.get(target.name);
      if (target.isList && Array.isArray(before)) (before as (string | number)[]).push(value as string | number);
      else this.values.set(target.name, target.isList ? [value as string | number] : value);
    }
  }

  private reportValue(option: OptionSpec, why: string): void {
    const name =
      option.parser === OptionParser.Literal
        ? option.values[0]!
        : `${this.program}: for the ${withDashes(option.name)}`;
    const values = option.parser === OptionParser.Enum ? option.values : [];
    this.report(CommandLineErrorKind.Value, `${name} option: ${why}`, this.at, values);
  }

  private report(kind: CommandLineErrorKind, text: string, wordIdx: number, values: readonly string[] = []): void {
    this.errors.push({
      kind,
      text: `${text}\n`,
      wordIdx: Math.min(wordIdx, this.words.length - 1),
      suggestion: null,
      values,
    });
  }
}
