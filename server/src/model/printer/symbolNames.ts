/**
 * Spelling of names in MIR: when a symbol has to be quoted and how its characters are escaped.
 * Follows the observable behaviour of printLLVMNameWithoutPrefix and printEscapedString (LLVM 22.1.8).
 */

const PLAIN_NAME = /^[A-Za-z._-][A-Za-z0-9._-]*$/;
const HEX = '0123456789ABCDEF';

/** `name` as it follows a sigil (`@`, `&`, `%ir.`): bare when it is made of name characters, else quoted and escaped. */
export function quoteSymbolName(name: string): string {
  return PLAIN_NAME.test(name) ? name : `"${escapeString(name)}"`;
}

/** Like quoteSymbolName for a name that may also be the slot number of an unnamed value (`@0`, `%ir.3`). */
export function quoteNameOrNumber(name: string): string {
  return /^[0-9]+$/.test(name) ? name : quoteSymbolName(name);
}

/** Backslash doubled; quotes, control characters and bytes above 126 as `\` and two hex digits (of the UTF-8 bytes). */
export function escapeString(text: string): string {
  let out = '';
  for (const ch of text) {
    const code = ch.codePointAt(0) as number;
    if (ch === '\\') out += '\\\\';
    else if (code >= 32 && code < 127 && ch !== '"') out += ch;
    else for (const byte of utf8(code)) out += `\\${HEX[byte >> 4]}${HEX[byte & 15]}`;
  }
  return out;
}

function utf8(code: number): number[] {
  if (code < 0x80) return [code];
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 63)];
  if (code < 0x10000) return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
  return [0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
}
