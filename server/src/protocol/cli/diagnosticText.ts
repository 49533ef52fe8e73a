/**
 * Diagnostics in the shapes in which llc prints them on stderr (SMDiagnostic::print, LLVM 22.1.8; docs/llvm/mir-format.md, 1):
 * with source line and caret for errors that have a place, one line for errors of a whole function.
 */
import { DiagnosticOrigin } from '../../text/diagnostic.js';
import type { Diagnostic } from '../../text/diagnostic.js';
import type { SourceText } from '../../text/sourceText.js';

const TAB_STOP = 8;

/** `error: FILE:LINE:COL: message`, source line, caret, and the empty line that llc puts after each. */
export function printDiagnostic(d: Diagnostic, text: SourceText, file: string): string {
  if (d.origin === DiagnosticOrigin.Function) return `error: ${file}: ${d.message}\n\n`;
  const at = Math.max(0, Math.min(d.llcOffset ?? d.start, text.length));
  const line = text.lineAt(at);
  const where = d.origin === DiagnosticOrigin.Yaml ? 'YAML' : file;
  const head = `error: ${where}:${line + 1}:${text.byteColumn(at)}: ${d.message}\n`;
  // A mapping is one place for llc: where it begins.
  const isRange = d.origin === DiagnosticOrigin.Yaml && d.code !== 'missing-key';
  return `${head}${sourceLine(text, line, at, isRange ? Math.max(at, d.end) : at)}\n`;
}

/** The line with tabs expanded and, if it is ASCII, `^~~~` under [at, end). */
function sourceLine(text: SourceText, line: number, at: number, end: number): string {
  const start = text.lineStart(line);
  const contents = text.slice(start, text.lineEnd(line));
  const expanded = expandTabs(contents);
  // LLVM draws no caret below a line whose columns it cannot count.

  if (/[^\x00-\x7f]/.test(contents)) return `${expanded}\n`;
  const caretAt = expandTabs(contents.slice(0, at - start)).length;
  const endAt = expandTabs(contents.slice(0, Math.max(at, Math.min(end, start + contents.length)) - start)).length;
  return `${expanded}\n${' '.repeat(caretAt)}^${'~'.repeat(Math.max(0, endAt - caretAt - 1))}\n`;
}

function expandTabs(s: string): string {
  if (!s.includes('\t')) return s;
  let out = '';
  for (const ch of s) out += ch === '\t' ? ' '.repeat(TAB_STOP - (out.length % TAB_STOP)) : ch;
  return out;
}
