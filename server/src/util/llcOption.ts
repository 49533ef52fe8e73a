/** One option of llc and its value, by the rules of llvm::cl (LLVM 22.1.8). */

export type OptionKind =
  /** present or not, `=true`, `=false`, `=1`, `=0`; never takes the next word */
  | 'flag'
  /** needs a value, after `=` or as the next word; the last one wins */
  | 'string'
  /** like string, may be repeated, commas separate */
  | 'list'
  | 'int'
  /** `-O2`: the value is glued to the name */
  | 'prefix';

export interface OptionSpec {
  readonly name: string;
  readonly kind: OptionKind;
  /** allowed values of a string option */
  readonly values?: readonly string[];
}

export type OptionValue = string | boolean | number | readonly string[];

/** A command line that cannot be understood; `message` is what llc would write. */
export class UsageError extends Error {}

const dashes = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/**
 * The value of an option from its text, undefined when none was written; `before` is the value so far, which lists go on with.
 * Throws UsageError.
 */
export function optionValue(spec: OptionSpec, value: string | undefined, before: OptionValue | undefined): OptionValue {
  const refuse = (why: string): never => {
    throw new UsageError(`llc: for the ${dashes(spec.name)} option: ${why}`);
  };
  if (spec.kind === 'flag') {
    if (value === undefined || value === '' || /^(?:true|TRUE|True|1)$/.test(value)) return true;
    if (/^(?:false|FALSE|False|0)$/.test(value)) return false;
    return refuse(`'${value}' is invalid value for boolean argument! Try 0 or 1`);
  }
  if (value === undefined) return refuse('requires a value!');
  if (spec.values !== undefined && !spec.values.includes(value)) return refuse(`Cannot find option named '${value}'!`);
  if (spec.kind === 'int') {
    if (!/^-?(?:0x[0-9a-fA-F]+|[0-9]+)$/.test(value)) return refuse(`'${value}' value invalid for integer argument!`);
    return Number(value);
  }
  if (spec.kind === 'list') return [...((before as readonly string[] | undefined) ?? []), ...value.split(',')];
  return value;
}
