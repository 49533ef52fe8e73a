/**
 * Diagnostics in the shapes in which llc prints them on stderr (SMDiagnostic::print, LLVM 22.1.8; docs/llvm/mir-format.md, 1):
 * with source line and caret for errors that have a place, one line for errors of a whole function.
 */
import { DiagnosticOrigin, NO_PLACE, WORDLESS } from '../text/diagnostic.js';
import type { Diagnostic, ScalarPlace } from '../text/diagnostic.js';
import { STRAY_BYTE, utf8Bytes, utf8Length, type SourceText } from '../text/sourceText.js';

const TAB_STOP = 8;

/** A scalar of the file, which LLVM reads as a text of its own. */
export interface PlaceInScalar extends ScalarPlace {
  /** where the scalar begins in the file */
  readonly start: number;
}

/** `error: FILE:LINE:COL: message`, source line, caret, and the empty line that llc puts after each. `scalar`: the body or IR that the offset stands in. */
export function printDiagnostic(
  d: Diagnostic,
  text: SourceText,
  file: string,
  scalar: (offset: number) => PlaceInScalar | null = () => null,
): string {
  if (d.origin === DiagnosticOrigin.Function) return `error: ${file}: ${d.message}\n\n`;
  if (d.llcOffset === NO_PLACE) return `error: <unknown>:0: ${d.message}\n\n`;
  const at = Math.max(0, Math.min(d.llcOffset ?? d.start, text.length));
  if (d.origin === DiagnosticOrigin.Yaml) {
    return place(d, 'YAML', text, at, Math.max(at, d.llcEnd ?? d.end));
  }
  const inside = d.llcInScalar === undefined ? scalar(at) : { ...d.llcInScalar, start: at };
  if (d.code === WORDLESS && inside !== null)
    return placeInScalar({ ...d, message: '' }, file, text, { ...inside, line: -1, column: 0, contents: '' });
  return inside === null ? place(d, file, text, at, at) : placeInScalar(d, file, text, inside);
}

/** At an offset of the file. Lines end with `\n` where they are counted, and also with `\r` where they are shown. */
function place(d: Diagnostic, file: string, text: SourceText, at: number, end: number): string {
  const line = text.lineAt(at);
  const start = text.lineStart(line);
  const contents = text.slice(start, text.lineEnd(line));
  const number = countLineFeeds(text.text, 0, at) + 1;
  const head = `error: ${file}:${number}:${text.byteColumn(at) + (d.llcBytes ?? 0)}: ${message(d)}\n`;
  return `${head}${sourceLine(contents, at - start, end - start)}\n`;
}

/** LLVM counts as many lines of the file and looks for the line's text there. */
function placeInScalar(d: Diagnostic, file: string, text: SourceText, inside: PlaceInScalar): string {
  const number = countLineFeeds(text.text, 0, inside.start) + inside.line + 1;
  const shown = lineByFeeds(text.text, number) ?? inside.contents;
  const indent = Math.max(0, shown.indexOf(inside.contents));
  const column = indent + inside.column;
  const bytes = byteLength(shown.slice(0, indent) + inside.contents.slice(0, inside.column));
  return `error: ${file}:${number}:${bytes + 1}: ${message(d)}\n${sourceLine(shown, column, column)}\n`;
}

/** LLVM's lexer of bodies names the first byte of a character. */
function message(d: Diagnostic): string {
  const wide = /^unexpected character '([^\0-\x7f]+)'$/.exec(d.message)?.[1];
  const byte = wide === undefined ? undefined : utf8Bytes(wide)[0];
  return byte === undefined ? d.message : `unexpected character '${String.fromCharCode(STRAY_BYTE + byte)}'`;
}

function countLineFeeds(text: string, from: number, to: number): number {
  let n = 0;
  for (let p = text.indexOf('\n', from); p >= 0 && p < to; p = text.indexOf('\n', p + 1)) n++;
  return n;
}

/** Line number `n` of a text whose lines end with `\n` or `\r\n`; null when there are fewer. A NUL ends the text for LLVM's iterator. */
function lineByFeeds(file: string, n: number): string | null {
  const nul = file.indexOf('\0');
  const text = nul < 0 ? file : file.slice(0, nul);
  let start = 0;
  for (let i = 1; i < n; i++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return null;
  }
  if (start >= text.length) return null;
  const end = text.indexOf('\n', start);
  const line = end < 0 ? text.slice(start) : text.slice(start, end);
  return end >= 0 && line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** The line with tabs expanded and, if it is ASCII, `^~~~` below columns [at, end). */
function sourceLine(contents: string, at: number, end: number): string {
  const expanded = expandTabs(contents, contents);
  // LLVM draws no caret below a line whose columns it cannot count.
  if (/[^\x00-\x7f]/.test(contents)) return `${expanded}\n`;
  const length = Math.min(at, contents.length) + 1;
  const carets = `${' '.repeat(length - 1)}^`.padEnd(Math.max(length, Math.min(end, contents.length)), '~');
  return `${expanded}\n${expandTabs(carets, contents)}\n`;
}

/** `s`, which stands below (or is) `contents`, with what is at a tab of those repeated up to the tab stop. */
function expandTabs(s: string, contents: string): string {
  if (!contents.includes('\t')) return s;
  let out = '';
  let column = 0;
  for (let i = 0; i < s.length; i++) {
    const c = s.charAt(i);
    const isTab = contents.charAt(i) === '\t';
    const n = isTab ? TAB_STOP - (column % TAB_STOP) : 1;
    out += (isTab && c === '\t' ? ' ' : c).repeat(n);
    column += n;
  }
  return out;
}

const byteLength = (s: string): number => utf8Length(s, 0, s.length);
