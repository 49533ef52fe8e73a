/** How numbers of numeric variables and expressions are written: `%u`, `%d`, `%x`, `%X`, with a precision and `#` for `0x`. */

export const enum FormatKind {
  None = '<none>',
  Unsigned = '%u',
  Signed = '%d',
  HexUpper = '%X',
  HexLower = '%x',
}

export interface NumericFormat {
  readonly kind: FormatKind;
  /** least number of digits, 0 = any */
  readonly precision: number;
  /** `0x` before a hexadecimal number */
  readonly isAlternate: boolean;
}

export const NO_FORMAT: NumericFormat = { kind: FormatKind.None, precision: 0, isAlternate: false };
export const UNSIGNED_FORMAT: NumericFormat = { ...NO_FORMAT, kind: FormatKind.Unsigned };

/** No format equals nothing, itself included. */
export function isSameFormat(a: NumericFormat, b: NumericFormat): boolean {
  return (
    a.kind !== FormatKind.None && a.kind === b.kind && a.precision === b.precision && a.isAlternate === b.isAlternate
  );
}

const FIRST_DIGITS: Partial<Record<FormatKind, string>> = {
  [FormatKind.Unsigned]: '1-9',
  [FormatKind.Signed]: '1-9',
  [FormatKind.HexUpper]: '1-9A-F',
  [FormatKind.HexLower]: '1-9a-f',
};

/** A regular expression for every number in this format. */
export function wildcard({ kind, precision, isAlternate }: NumericFormat): string {
  const first = FIRST_DIGITS[kind]!;
  const digits = first.replace('1', '0');
  const sign = kind === FormatKind.Signed ? '-?' : '';
  const number = precision > 0 ? `([${first}][${digits}]*)?[${digits}]{${precision}}` : `[${digits}]+`;
  return sign + (isAlternate ? '0x' : '') + number;
}

/** A number as text; null where the format has no way to write it. */
export function formatNumber(value: bigint, { kind, precision, isAlternate }: NumericFormat): string | null {
  if (value < 0n && kind !== FormatKind.Signed) return null;
  const isHex = kind === FormatKind.HexLower || kind === FormatKind.HexUpper;
  const absolute = (value < 0n ? -value : value).toString(isHex ? 16 : 10).padStart(precision, '0');
  const digits = kind === FormatKind.HexUpper ? absolute.toUpperCase() : absolute;
  return (value < 0n ? '-' : '') + (isAlternate ? '0x' : '') + digits;
}

/** The number that a text matched by `wildcard(format)` means. */
export function parseNumber(text: string, { kind, isAlternate }: NumericFormat): bigint {
  const isNegative = text.startsWith('-');
  const unsigned = isNegative ? text.slice(1) : text;
  const isHex = kind === FormatKind.HexLower || kind === FormatKind.HexUpper;
  const digits = isAlternate && unsigned.startsWith('0x') ? unsigned.slice(2) : unsigned;
  const size = BigInt((isHex ? '0x' : '') + digits);
  return isNegative ? -size : size;
}
