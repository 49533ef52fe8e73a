/** Values of options from their text, by the rules and in the words of llvm::cl. */
import { OptionParser, type OptionSpec } from './optionSpec.js';

/** Why a text is no value; what follows `for the --x option: `. */
export class ValueError {
  constructor(readonly why: string) {}
}

const INT_MIN = -(2n ** 31n);
const LONG_MIN = -(2n ** 63n);

/** Digits by radix; a `0` before a digit means octal. */
const INTEGER = /^(-?)(?:0x([0-9a-f]+)|0b([01]+)|0o([0-7]+)|0([0-7]+)|(0|[1-9][0-9]*))$/i;
const PREFIXES = ['0x', '0b', '0o', '0o', ''];

/** An integer as StringRef::getAsInteger reads it, null if it is none. */
function integer(text: string): bigint | null {
  const match = INTEGER.exec(text);
  if (match === null) return null;
  const which = match.slice(2).findIndex((digits) => digits !== undefined);
  const size = BigInt(PREFIXES[which]! + match[which + 2]!);
  return match[1] === '' ? size : -size;
}

function signed(text: string, min: bigint, type: string): number | ValueError {
  const value = integer(text);
  if (value === null || value < min || value >= -min)
    return new ValueError(`'${text}' value invalid for ${type} argument!`);
  return Number(value);
}

function unsigned(text: string, min: bigint, type: string): number | ValueError {
  const value = text.startsWith('-') ? null : integer(text);
  if (value === null || value >= -2n * min) return new ValueError(`'${text}' value invalid for ${type} argument!`);
  return Number(value);
}

/** What strtod takes as a whole. */
const FLOAT =
  /^$|^[ \t\n\v\f\r]*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[+-]?\d+)?|inf(?:inity)?|nan(?:\(\w*\))?)$/i;

function float(text: string): number | ValueError {
  if (!FLOAT.test(text)) return new ValueError(`'${text}' value invalid for floating point argument!`);
  const trimmed = text.trim();
  if (/inf/i.test(trimmed)) return trimmed.startsWith('-') ? -Infinity : Infinity;
  const hex = /^([+-]?)0x([\da-f]*)\.?([\da-f]*)(?:p([+-]?\d+))?$/i.exec(trimmed);
  if (hex === null) return Number(trimmed);
  const [, sign, whole = '', fraction = '', exponent = '0'] = hex;
  const size = Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -size : size;
}

function percentage(text: string, max: number): number | ValueError {
  const value = unsigned(text, INT_MIN, 'uint');
  if (typeof value !== 'number' || value <= max) return value;
  return new ValueError(`'${text}' value must be in the range [0, ${max}]!`);
}

/** One value; `text` is undefined where none was written. */
export function readValue(spec: OptionSpec, text: string | undefined): string | number | boolean | ValueError {
  const value = text ?? '';
  switch (spec.parser) {
    case OptionParser.Bool:
      if (value === '' || /^(?:true|TRUE|True|1)$/.test(value)) return true;
      if (/^(?:false|FALSE|False|0)$/.test(value)) return false;
      return new ValueError(`'${value}' is invalid value for boolean argument! Try 0 or 1`);
    case OptionParser.Int:
      return signed(value, INT_MIN, 'integer');
    case OptionParser.UInt:
      return unsigned(value, INT_MIN, 'uint');
    case OptionParser.Long:
      return signed(value, LONG_MIN, 'long');
    case OptionParser.ULong:
      return unsigned(value, LONG_MIN, 'ulong');
    case OptionParser.Float:
      return float(value);
    case OptionParser.Char:
      return value.slice(0, 1);
    case OptionParser.Enum:
      return spec.values.includes(value) ? value : new ValueError(`Cannot find option named '${value}'!`);
    case OptionParser.HotColdHint:
      return percentage(value, 255);
    case OptionParser.MFMAPaddingRatio:
      return percentage(value, 100);
    case OptionParser.HotnessThreshold:
      if (value === 'auto' || /^-?\d+$/.test(value)) return value;
      return new ValueError(`Invalid argument '${value}', only integer or 'auto' is supported.`);
    default:
      return value;
  }
}
