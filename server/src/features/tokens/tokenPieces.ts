/**
 * Semantic tokens in pieces: each piece holds the tokens of some lines of its own, so that a piece stays as it is while lines before it
 * come and go. LSP wants every token relative to the one before; only the first of a piece depends on where the piece stands.
 */
import type { SemanticTokensEdit } from 'vscode-languageserver-types';

/** Numbers of a token: lines since the token before, columns since it (in the same line) or since the start of the line, length, type, modifiers. */
const FIELDS = 5;

export interface TokenPiece {
  /** FIELDS numbers per token, at least one token; the first one as if the piece began the text */
  readonly tokens: Int32Array;
  /** of the last token: its line, counted from the first line of the piece, and its column */
  readonly lastLine: number;
  readonly lastColumn: number;
}

/** Makes a piece. Tokens must come in text order. */
export class PieceBuilder {
  private data: Int32Array;
  private size = 0;
  private lastLine = 0;
  private lastColumn = 0;

  /** @param expected tokens, at least */
  constructor(expected: number) {
    this.data = new Int32Array(Math.max(1, expected) * FIELDS);
  }

  /** `line` counts from the first line of the piece. */
  add(line: number, column: number, length: number, type: number, modifiers: number): void {
    const deltaLine = line - this.lastLine;
    const at = this.size;
    this.size += FIELDS;
    if (this.data.length < this.size) {
      const larger = new Int32Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    const { data } = this;
    data[at] = deltaLine;
    data[at + 1] = deltaLine === 0 ? column - this.lastColumn : column;
    data[at + 2] = length;
    data[at + 3] = type;
    data[at + 4] = modifiers;
    this.lastLine = line;
    this.lastColumn = column;
  }

  /** Null when there are no tokens. */
  get piece(): TokenPiece | null {
    const { size, data, lastLine, lastColumn } = this;
    if (size === 0) return null;
    return { tokens: size === data.length ? data : data.slice(0, size), lastLine, lastColumn };
  }
}

/** The tokens of a text. */
export class TokenSequence {
  private readonly pieces: TokenPiece[] = [];
  /** line of the text at which each piece begins */
  private readonly lines: number[] = [];

  /** Pieces come in text order. */
  add(piece: TokenPiece | null, line: number): void {
    if (piece === null) return;
    this.pieces.push(piece);
    this.lines.push(line);
  }

  /** All tokens, or those of the pieces [from, to), as LSP wants them. */
  join(from = 0, to = this.pieces.length): Int32Array {
    let size = 0;
    for (let k = from; k < to; k++) size += this.pieces[k]!.tokens.length;
    const data = new Int32Array(size);
    let at = 0;
    for (let k = from; k < to; k++) {
      const { tokens } = this.pieces[k]!;
      data.set(tokens, at);
      data[at] = this.firstLine(k);
      data[at + 1] = this.firstColumn(k);
      at += tokens.length;
    }
    return data;
  }

  /** All tokens as an array, which JSON and LSP want. */
  toArray(): number[] {
    const data = this.join();
    // Array.from goes through an iterator: thirty times as long.
    const result = new Array<number>(data.length);
    for (let k = 0; k < data.length; k++) result[k] = data[k]!;
    return result;
  }

  /** The tokens of the lines [firstLine, endLine) alone. */
  joinLines(firstLine: number, endLine: number): number[] {
    const out: number[] = [];
    let lastLine = 0;
    let lastColumn = 0;
    for (let k = 0; k < this.pieces.length; k++) {
      const { tokens } = this.pieces[k]!;
      let line = this.lines[k]!;
      let column = 0;
      for (let at = 0; at < tokens.length; at += FIELDS) {
        line += tokens[at]!;
        column = tokens[at] === 0 ? column + tokens[at + 1]! : tokens[at + 1]!;
        if (line < firstLine || endLine <= line) continue;
        const isSameLine = line === lastLine;
        out.push(line - lastLine, isSameLine ? column - lastColumn : column);
        out.push(tokens[at + 2]!, tokens[at + 3]!, tokens[at + 4]!);
        lastLine = line;
        lastColumn = column;
      }
    }
    return out;
  }

  /** The change from `before` to this: at most one edit. Pieces that both have are not looked into. */
  editsSince(before: TokenSequence): SemanticTokensEdit[] {
    const shorter = Math.min(before.pieces.length, this.pieces.length);
    let head = 0;
    let start = 0;
    while (head < shorter && this.hasSame(before, head, head)) start += this.pieces[head++]!.tokens.length;
    let end = this.pieces.length;
    let oldEnd = before.pieces.length;
    while (head < end && head < oldEnd && this.hasSame(before, end - 1, oldEnd - 1)) {
      end--;
      oldEnd--;
    }
    return editsBetween(before.join(head, oldEnd), this.join(head, end)).map((e) => ({ ...e, start: e.start + start }));
  }

  private hasSame(before: TokenSequence, k: number, old: number): boolean {
    return (
      this.pieces[k] === before.pieces[old] &&
      this.firstLine(k) === before.firstLine(old) &&
      this.firstColumn(k) === before.firstColumn(old)
    );
  }

  /** Lines between the last token of the piece before and the first of piece k. */
  private firstLine(k: number): number {
    const line = this.lines[k]! + this.pieces[k]!.tokens[0]!;
    return k === 0 ? line : line - this.lines[k - 1]! - this.pieces[k - 1]!.lastLine;
  }

  private firstColumn(k: number): number {
    const column = this.pieces[k]!.tokens[1]!;
    return k > 0 && this.firstLine(k) === 0 ? column - this.pieces[k - 1]!.lastColumn : column;
  }
}

/** At most one edit: what lies between the common beginning and the common end. Positions are relative, so an edit of a line leaves the rest. */
function editsBetween(before: Int32Array, after: Int32Array): SemanticTokensEdit[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  head -= head % FIELDS;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  tail -= tail % FIELDS;
  if (head + tail === before.length && before.length === after.length) return [];
  const data = Array.from(after.subarray(head, after.length - tail));
  return [{ start: head, deleteCount: before.length - head - tail, ...(data.length > 0 ? { data } : {}) }];
}
