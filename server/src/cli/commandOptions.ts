/**
 * The arguments of a command, by its table of options: `--name`, `--name=VALUE`, `--name VALUE`, with one dash or two, `-xVALUE` of one letter, until
 * `--`.
 */
import { commands, type CommandHelp } from './commands.js';
import { didYouMean } from './help.js';
import type { OptionSpec } from './options.js';

export interface CommandOptions {
  /** flags that are given, by the first of their names */
  readonly flags: ReadonlySet<string>;
  /** all values in order, by the first name of the option; of a `value` only the last */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** what is no option */
  readonly inputs: readonly string[];
  /** all that is no option of the table, in order, inputs as well: what a command hands to the parser of llc's options. */
  readonly rest: readonly string[];
}

/** The last value of an option; undefined where it is not given. */
export const valueOf = ({ values }: Pick<CommandOptions, 'values'>, name: string): string | undefined =>
  values.get(name)?.at(-1);

/** A message when the arguments are wrong. Without `command.passesOn` an option that the table lacks is wrong. */
export function parseCommandOptions(
  args: readonly string[],
  command: Pick<CommandHelp, 'options' | 'passesOn'>,
): CommandOptions | string {
  const known = optionsByName(command);
  const flags = new Set<string>();
  const values = new Map<string, readonly string[]>();
  const inputs: string[] = [];
  const rest: string[] = [];
  const takeInput = (arg: string): void => {
    inputs.push(arg);
    rest.push(arg);
  };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      args.slice(i + 1).forEach(takeInput);
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      takeInput(arg);
      continue;
    }
    const { dashes, name, glued } = splitOption(arg, known);
    const spec = known.get(name);
    if (spec === undefined) {
      const others = command.passesOn === true && !isOwnWord(name) ? [] : commandsWith(name);
      if (others.length > 0) return `unknown option '${dashes}${name}'; it belongs to ${listText(others)}`;
      if (command.passesOn !== true)
        return `unknown option '${dashes}${name}'${didYouMean(
          dashes + name,
          [...known.keys()].map((n) => dashes + n),
        )}`;
      rest.push(arg);
      continue;
    }
    const [first] = spec.names;
    if (spec.kind === 'flag') {
      if (glued !== undefined) return `option '${dashes}${name}' takes no value`;
      flags.add(first);
      continue;
    }
    const value = glued ?? args[++i];
    if (value === undefined) return `option '${arg}' needs a value`;
    values.set(first, spec.kind === 'list' ? [...(values.get(first) ?? []), value] : [value]);
  }
  return { flags, values, inputs, rest };
}

/** The commands that have an option, in the order of the table. */
const commandsWith = (name: string): string[] =>
  commands()
    .filter((other) => other.isReadElsewhere !== true && optionsByName(other).has(name))
    .map((other) => `'${other.name}'`);

/** Of options that commands share: none of llc's. */
const isOwnWord = (name: string): boolean => ['region', 'jobs', 'j', 'csv', 'json', 'format', 'fix'].includes(name);

const listText = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;

/** Those that are read here, by each of their names. */
export function optionsByName({ options }: Pick<CommandHelp, 'options'>): ReadonlyMap<string, OptionSpec> {
  const own = options.flatMap((row) => row.options).filter(({ isLlvm }) => !isLlvm);
  return new Map(own.flatMap((spec) => spec.names.map((name) => [name, spec] as const)));
}

interface SplitOption {
  readonly dashes: string;
  readonly name: string;
  /** undefined: the next word, if there has to be one */
  readonly glued: string | undefined;
}

function splitOption(arg: string, known: ReadonlyMap<string, OptionSpec>): SplitOption {
  const [, dashes = '', name = '', glued] = /^(--?)([^=]*)(?:=([^]*))?$/.exec(arg) ?? [];
  const letter = name.slice(0, 1);
  const isLetterWithValue =
    dashes === '-' && !known.has(name) && name.length > 1 && (known.get(letter)?.kind ?? 'flag') !== 'flag';
  return isLetterWithValue ? { dashes, name: letter, glued: arg.slice(2) } : { dashes, name, glued };
}
