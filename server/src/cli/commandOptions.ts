/** Options of the commands that are not llc's: `--name`, `--name=VALUE`, `--name VALUE`, with one dash or two, until `--`. */
import { didYouMean } from './help.js';

/** A flag, an option whose last value counts, or one that may be given several times. */
export type OptionKind = 'flag' | 'value' | 'list';

export interface CommandOptions {
  /** names of flags that are given */
  readonly flags: ReadonlySet<string>;
  /** all values in order, by name; of a `value` only the last */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** what is no option */
  readonly inputs: readonly string[];
}

/** A message when the arguments are wrong. */
export function parseCommandOptions(
  args: readonly string[],
  known: Readonly<Record<string, OptionKind>>,
): CommandOptions | string {
  const flags = new Set<string>();
  const values = new Map<string, readonly string[]>();
  const inputs: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      inputs.push(...args.slice(i + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      inputs.push(arg);
      continue;
    }
    const [, dashes = '', name = '', glued] = /^(--?)([^=]*)(?:=([^]*))?$/.exec(arg) ?? [];
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined) {
      const names = Object.keys(known).map((n) => dashes + n);
      return `unknown option '${dashes}${name}'${didYouMean(dashes + name, names)}`;
    }
    if (kind === 'flag') {
      if (glued !== undefined) return `option '${dashes}${name}' takes no value`;
      flags.add(name);
      continue;
    }
    const value = glued ?? args[++i];
    if (value === undefined) return `option '${arg}' needs a value`;
    values.set(name, kind === 'list' ? [...(values.get(name) ?? []), value] : [value]);
  }
  return { flags, values, inputs };
}
