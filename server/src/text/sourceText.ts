/**
 * An immutable snapshot of a document: one string and an index of its line starts. Offsets are UTF-16 units everywhere.
 *
 * Line ends are `\n`, `\r\n` and a lone `\r`, as in LSP and in LLVM's YAML scanner.
 */

/** Replaces [start, end) of the old text by `text`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with edits of it: ascending, not overlapping. O(text) */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  return parts.join('') + text.slice(from);
}

export interface Position {
  /** 0-based */
  readonly line: number;
  /** 0-based, UTF-16 units */
  readonly character: number;
}

const LF = 10;
const CR = 13;

export class SourceText {
  private lines: Int32Array | null;
  private nLines = 0;

  /** @param lines line starts when the caller has them, with `nLines` valid entries */
  constructor(
    readonly text: string,
    lines: Int32Array | null = null,
    nLines = 0,
  ) {
    this.lines = lines;
    this.nLines = nLines;
  }

  get length(): number {
    return this.text.length;
  }

  /** number of lines; at least 1. First use costs O(length). */
  get lineCount(): number {
    this.lineStarts();
    return this.nLines;
  }

  /** Start offset of line i; `length` for i >= lineCount. */
  lineStart(line: number): number {
    const starts = this.lineStarts();
    return line < 0 ? 0 : line < this.nLines ? starts[line] : this.text.length;
  }

  /** End of line i without its line break. */
  lineEnd(line: number): number {
    let end = this.lineStart(line + 1);
    const start = this.lineStart(line);
    if (line + 1 >= this.lineCount) return end;
    if (end > start && this.text.charCodeAt(end - 1) === LF) end--;
    if (end > start && this.text.charCodeAt(end - 1) === CR) end--;
    return end;
  }

  /** Line of an offset (clamped to the text). O(log lines) */
  lineAt(offset: number): number {
    const starts = this.lineStarts();
    let lo = 0;
    let hi = this.nLines - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (starts[mid] <= offset) lo = mid;
      else hi = mid - 1;
    }
    return lo;
  }

  positionAt(offset: number): Position {
    const o = Math.max(0, Math.min(offset, this.text.length));
    const line = this.lineAt(o);
    return { line, character: o - this.lineStarts()[line] };
  }

  /** Offset of a position; a character beyond the line end is the line end, a line beyond the text is the text end. */
  offsetAt(position: Position): number {
    if (position.line >= this.lineCount) return this.text.length;
    const start = this.lineStart(position.line);
    return Math.max(start, Math.min(start + position.character, this.lineEnd(position.line)));
  }

  slice(start: number, end: number): string {
    return this.text.slice(start, end);
  }

  /** 1-based column of an offset counted in UTF-8 bytes, as LLVM prints it. */
  byteColumn(offset: number): number {
    const start = this.lineStart(this.lineAt(offset));
    return utf8Length(this.text, start, offset) + 1;
  }

  /** The text after one edit. The line index is patched, not rebuilt: O(edit + lines after it). */
  apply(edit: TextEdit): SourceText {
    const start = Math.max(0, Math.min(edit.start, this.text.length));
    const end = Math.max(start, Math.min(edit.end, this.text.length));
    const text = this.text.slice(0, start) + edit.text + this.text.slice(end);
    if (this.lines === null) return new SourceText(text);

    // A line start p is unaffected when p <= start, provided that a break before it cannot merge with the inserted text:
    // `\r` at start - 1 followed by an inserted or uncovered `\n` moves a line start that stands exactly at `start`.
    const old = this.lines;
    const n = this.nLines;
    let keep = this.lineAt(start) + 1;
    if (keep > 1 && old[keep - 1] === start) keep--;
    const rescanFrom = old[keep - 1];
    // First old line start that is certainly after the edit and its neighbour.
    let tail = this.lineAt(end) + 1;
    while (tail < n && old[tail] <= end + 1) tail++;
    const delta = edit.text.length - (end - start);
    const rescanTo = tail < n ? old[tail] + delta : text.length;

    const fresh: number[] = [];
    scanLineStarts(text, rescanFrom, rescanTo, fresh);
    // A break that ends exactly at rescanTo yields the start `rescanTo`, which is the first tail entry.
    if (tail < n && fresh.length > 0 && fresh[fresh.length - 1] === rescanTo) fresh.pop();
    const count = keep + fresh.length + (n - tail);
    const lines = new Int32Array(count);
    lines.set(old.subarray(0, keep));
    for (let i = 0; i < fresh.length; i++) lines[keep + i] = fresh[i];
    for (let i = tail, o = keep + fresh.length; i < n; i++, o++) lines[o] = old[i] + delta;
    return new SourceText(text, lines, count);
  }

  private lineStarts(): Int32Array {
    if (this.lines === null) {
      let starts = new Int32Array((this.text.length >> 5) + 16);
      let n = 1;
      const text = this.text;
      const length = text.length;
      for (let i = 0; i < length; i++) {
        const c = text.charCodeAt(i);
        if (c > CR || (c !== LF && c !== CR)) continue;
        if (c === CR && i + 1 < length && text.charCodeAt(i + 1) === LF) i++;
        if (n === starts.length) {
          const larger = new Int32Array(n * 2);
          larger.set(starts);
          starts = larger;
        }
        starts[n++] = i + 1;
      }
      this.lines = starts;
      this.nLines = n;
    }
    return this.lines;
  }
}

/** Appends the starts of the lines that begin in (from, to]. */
function scanLineStarts(text: string, from: number, to: number, out: number[]): void {
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c === CR && i + 1 < text.length && text.charCodeAt(i + 1) === LF) {
      i++;
      out.push(i + 1);
    } else if (c === LF || c === CR) {
      out.push(i + 1);
    }
  }
}

/** A byte that is no UTF-8 is the lone surrogate U+DC00 + byte in a text. */
export const STRAY_BYTE = 0xdc00;

/** Whether the unit at `p` stands for a byte that is no UTF-8. */
export function isStrayByte(text: string, p: number): boolean {
  const c = text.charCodeAt(p);
  return c >= STRAY_BYTE + 0x80 && c <= STRAY_BYTE + 0xff && (p === 0 || (text.charCodeAt(p - 1) & 0xfc00) !== 0xd800);
}

/** Length in UTF-8 bytes of text[start, end). A lone surrogate counts 3, or 1 where it stands for a byte. */
export function utf8Length(text: string, start: number, end: number): number {
  let bytes = 0;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) bytes++;
    else if (c < 0x800) bytes += 2;
    else if (c >= 0xd800 && c < 0xdc00 && i + 1 < end && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += isStrayByte(text, i) ? 1 : 3;
  }
  return bytes;
}

/** A text as UTF-8, with the bytes in it that are none. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (isStrayByte(text, i)) {
      bytes.push(text.charCodeAt(i) - STRAY_BYTE);
      continue;
    }
    const c = text.codePointAt(i) as number;
    if (c >= 0x10000) i++;
    if (c < 0x80) bytes.push(c);
    else if (c < 0x800) bytes.push(0xc0 | (c >> 6), 0x80 | (c & 63));
    else if (c < 0x10000) bytes.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
    else bytes.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63));
  }
  return Uint8Array.from(bytes);
}

const BEYOND_ASCII = /[^\x00-\x7f]/;

/** A text as a string of its bytes in UTF-8, each a character below 256, which is how FileCheck sees it. */
export function byteText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  const bytes = utf8Bytes(text);
  let result = '';
  for (const byte of bytes) result += String.fromCharCode(byte);
  return result;
}

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** The text of such a string; bytes that are no UTF-8 become U+FFFD. */
export function textOfBytes(bytes: string): string {
  return BEYOND_ASCII.test(bytes) ? new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0))) : bytes;
}
