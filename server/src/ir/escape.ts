/** Names and strings of IR text as LLVM writes them: quotes and escapes (llvm/IR/AsmWriter.cpp printLLVMName). */

/** Spelling after `%`, `@`, `%ir.` and `%ir-block.`: the name, quoted where LLVM quotes it. */
export function printIRName(name: string): string {
  return needsQuotes(name) ? `"${escapeIRString(name)}"` : name;
}

/** Whether LLVM quotes a name: empty, leading digit, or a character outside `[-a-zA-Z0-9._]`. */
function needsQuotes(name: string): boolean {
  if (name.length === 0) return true;
  for (let i = 0; i < name.length; i++) {
    const c = name.charCodeAt(i);
    const isDigit = c >= 48 && c <= 57;
    if (isDigit && i === 0) return true;
    if (!isDigit && !(c >= 97 && c <= 122) && !(c >= 65 && c <= 90) && c !== 45 && c !== 46 && c !== 95) return true;
  }
  return false;
}

/**
 * Bytes outside printable ASCII and `"` as `\HH`, a backslash twice. Strings of the module have one character (0 to 255) per byte.
 */
export function escapeIRString(text: string): string {
  let res = '';
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 32 && c < 127 && c !== 34 && c !== 92) continue;
    res += text.slice(run, i);
    run = i + 1;
    res += c === 92 ? '\\\\' : '\\' + (c >> 4).toString(16).toUpperCase() + (c & 15).toString(16).toUpperCase();
  }
  return run === 0 ? text : res + text.slice(run);
}
