/**
 * Writer of the YAML subset in which MIR documents are printed: key column, flow maps and their line breaks, quoting.
 * Follows the observable layout of llvm::yaml::Output, LLVM 22.1.8 (docs/llvm/mir-format.md, 3).
 */

/** A value starts this many characters after the indentation of its mapping. */
const VALUE_COLUMN = 17;
/** A flow element that would start beyond this column goes to the next line. */
export const WRAP_COLUMN = 70;

const PAD = ' '.repeat(VALUE_COLUMN);
const NULL_OR_BOOL = /^(?:null|Null|NULL|~|true|True|TRUE|false|False|FALSE)$/;
const NUMERIC =
  /^(?:[-+]?(?:\.(?:inf|Inf|INF)|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)|\.(?:nan|NaN|NAN)|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const SAFE = /^[A-Za-z0-9_.,^\- \t]*$/;
const SPECIAL_START = '-?:\\,[]{}#&*!|>\'"%@`';

const NEEDS_DOUBLE = /[\x00-\x08\x0a-\x1f\x7f-\u{10ffff}]/u;
const PLAIN_WORD = /^[A-Za-z_][A-Za-z_]*[0-9_]*$/;

/** `s` as a YAML scalar, quoted when LLVM quotes it. */
export function yamlScalar(s: string): string {
  if (s === '') return "''";
  if (PLAIN_WORD.test(s) && !NULL_OR_BOOL.test(s)) return s;
  if (NEEDS_DOUBLE.test(s)) return `"${escapeDouble(s)}"`;
  const first = s[0];
  const last = s[s.length - 1];
  if (
    first === ' ' ||
    first === '\t' ||
    last === ' ' ||
    last === '\t' ||
    SPECIAL_START.includes(first) ||
    !SAFE.test(s) ||
    NULL_OR_BOOL.test(s) ||
    NUMERIC.test(s)
  )
    return singleQuoted(s);
  return s;
}

export function singleQuoted(s: string): string {
  return `'${s.includes("'") ? s.replaceAll("'", "''") : s}'`;
}

function escapeDouble(s: string): string {
  let out = '';
  for (const ch of s) {
    const code = ch.codePointAt(0) as number;
    if (ch === '\\') out += '\\\\';
    else if (ch === '"') out += '\\"';
    else if (SHORT_ESCAPES[ch] !== undefined) out += SHORT_ESCAPES[ch];
    else if (code >= 32 && (code < 128 || code === SOFT_HYPHEN || PRINTABLE.test(ch))) out += ch;
    else out += hexEscape(code);
  }
  return out;
}

function hexEscape(code: number): string {
  const hex = code.toString(16).toUpperCase();
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Control, format and unassigned characters are not; LLVM makes an exception for the soft hyphen. */
const PRINTABLE = /^\P{C}$/u;
const SOFT_HYPHEN = 0xad;

const SHORT_ESCAPES: Record<string, string> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '\x85': '\\N',
  '\xa0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

/** `key:` padded so that a value can follow. */
export function yamlKey(key: string): string {
  return key.length < VALUE_COLUMN - 1 ? `${key}:${PAD.slice(key.length + 1)}` : `${key}: `;
}

/** One `{ key: value, ... }`, broken over lines as LLVM does. `column` is where the `{` stands. */
export class FlowMap {
  text = '{ ';
  private column: number;
  private isEmpty = true;

  constructor(private readonly start: number) {
    this.column = start + 2;
  }

  /** `value` is printed as it is: quote it first. */
  add(key: string, value: string): this {
    this.beginKey(key);
    this.text += value;
    this.column += value.length;
    return this;
  }

  /** A value that is itself a flow collection, made by `make` from the column where it starts. */
  addNested(key: string, make: (column: number) => { text: string; column: number }): this {
    this.beginKey(key);
    const nested = make(this.column);
    this.text += nested.text;
    this.column = nested.column;
    return this;
  }

  end(): string {
    this.column += 2;
    return `${this.text} }`;
  }

  endColumn(): number {
    return this.column;
  }

  private beginKey(key: string): void {
    if (!this.isEmpty) {
      this.text += ', ';
      this.column += 2;
    }
    this.isEmpty = false;
    if (this.column > WRAP_COLUMN) {
      this.text += `\n${' '.repeat(this.start + 2)}`;
      this.column = this.start + 2;
    }
    this.text += `${key}: `;
    this.column += key.length + 2;
  }
}

/** `[ a, b ]` broken over lines as LLVM does; `column` is where the `[` stands. An empty list is `[  ]`. */
export function flowSequence(items: readonly string[], column: number): { text: string; column: number } {
  const start = column;
  let text = '[ ';
  let at = start + 2;
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) {
      text += ', ';
      at += 2;
    }
    isFirst = false;
    if (at > WRAP_COLUMN) {
      text += `\n${' '.repeat(start + 2)}`;
      at = start + 2;
    }
    text += item;
    at += item.length;
  }
  return { text: `${text} ]`, column: at + 2 };
}
