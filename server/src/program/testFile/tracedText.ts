/** A text that is put together of pieces of a file, as a RUN line is of its rows and definitions, and that knows where each came from. */
import type { TextRange } from '../../text/diagnostic.js';
import { countOf } from './limits.js';

/** A part of the text: where it stands, and from where it was copied; `from` -1 = it was made. */
interface Piece {
  /** in the text */
  readonly at: number;
  readonly length: number;
  /** in the file: what the piece stands for, a name where it is the value of that */
  readonly start: number;
  readonly end: number;
  /** in the file: where these very characters are written */
  readonly from: number;
}

/** Where a part of the text stands in the file. */
export interface Place extends TextRange {
  /** where its very characters are written, in a definition perhaps; null = nowhere in one place */
  readonly origin: TextRange | null;
}

/** A text of more pieces does not know any more where they came from: that keeps what a hostile file can ask for linear. */
const MAX_PIECES = 4096;

export class TracedText {
  private constructor(
    readonly text: string,
    private readonly pieces: readonly Piece[],
  ) {}

  /** That stands at `start` of the file. */
  static of(text: string, start: number): TracedText {
    return new TracedText(text, [{ at: 0, length: text.length, start, end: start + text.length, from: start }]);
  }

  /** That stands nowhere. */
  static made(text: string): TracedText {
    return new TracedText(text, []);
  }

  static join(parts: readonly TracedText[], between = ''): TracedText {
    const pieces: Piece[] = [];
    let text = '';
    parts.forEach((part, k) => {
      if (k > 0) text += between;
      for (const piece of part.pieces) append(pieces, { ...piece, at: piece.at + text.length });
      text += part.text;
    });
    return new TracedText(text, pieces.length <= MAX_PIECES ? pieces : [whole(text, pieces)]);
  }

  slice(start: number, end = this.text.length): TracedText {
    if (start === 0 && end === this.text.length) return this;
    const pieces: Piece[] = [];
    for (let k = this.pieceAt(start); k < this.pieces.length && this.pieces[k]!.at < end; k++) {
      const piece = this.pieces[k]!;
      const skipped = Math.max(0, start - piece.at);
      const length = Math.min(piece.at + piece.length, end) - piece.at - skipped;
      if (length <= 0) continue;
      const isCopy = piece.from === piece.start;
      pieces.push({
        at: piece.at + skipped - start,
        length,
        start: isCopy ? piece.start + skipped : piece.start,
        end: isCopy ? piece.start + skipped + length : piece.end,
        from: piece.from < 0 ? -1 : piece.from + skipped,
      });
    }
    return new TracedText(this.text.slice(start, end), pieces);
  }

  trim(): TracedText {
    return this.trimEnd().trimStart();
  }

  trimStart(): TracedText {
    return this.slice(this.text.length - this.text.trimStart().length);
  }

  trimEnd(): TracedText {
    return this.slice(0, this.text.trimEnd().length);
  }

  /** With `value` in the place of each `name`. */
  replaceAll(name: string, value: TracedText): TracedText {
    if (countOf(this.text, name) > MAX_PIECES) {
      const text = this.text.replaceAll(name, () => value.text);
      return new TracedText(text, [whole(text, this.pieces)]);
    }
    const parts: TracedText[] = [];
    let last = 0;
    for (let at = this.text.indexOf(name); at >= 0; at = this.text.indexOf(name, last)) {
      parts.push(this.slice(last, at), value.standingFor(this.placeOf(at, at + name.length)));
      last = at + name.length;
    }
    return last === 0 ? this : TracedText.join([...parts, this.slice(last)]);
  }

  /** With what `valueOf` makes of it in the place of each match. */
  replaceEach(pattern: RegExp, valueOf: (match: RegExpMatchArray) => string): TracedText {
    const parts: TracedText[] = [];
    let last = 0;
    for (const match of this.text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const value = TracedText.made(valueOf(match)).standingFor(this.placeOf(match.index, end));
      parts.push(this.slice(last, match.index), value);
      last = end;
    }
    return last === 0 ? this : TracedText.join([...parts, this.slice(last)]);
  }

  placeOf(start: number, end: number): Place {
    const first = this.pieceAt(start);
    const last = this.pieceAt(Math.max(start, end - 1));
    const [p, q] = [this.pieces[first], this.pieces[last]];
    if (p === undefined || q === undefined) return NOWHERE;
    const from = (piece: Piece, at: number): number =>
      piece.from === piece.start ? piece.start + at - piece.at : piece.start;
    const to = (piece: Piece, at: number): number =>
      piece.from === piece.start ? piece.start + at - piece.at : piece.end;
    const isWritten = first === last && p.from >= 0 && p.at <= start && end <= p.at + p.length;
    const origin = isWritten ? { start: p.from + start - p.at, end: p.from + end - p.at } : null;
    return { start: from(p, Math.max(start, p.at)), end: to(q, Math.min(end, q.at + q.length)), origin };
  }

  /** As the value of something that stands there. */
  private standingFor({ start, end }: TextRange): TracedText {
    const { text } = this;
    if (this.pieces.length === 0) return new TracedText(text, [{ at: 0, length: text.length, start, end, from: -1 }]);
    return new TracedText(
      text,
      this.pieces.map((piece) => ({ ...piece, start, end })),
    );
  }

  /** The first piece that ends after `at`. */
  private pieceAt(at: number): number {
    let lo = 0;
    let hi = this.pieces.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      const piece = this.pieces[mid]!;
      if (piece.at + piece.length <= at) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }
}

const NOWHERE: Place = { start: -1, end: -1, origin: null };

/** Two pieces that are one in the file are one. */
function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  const isCopy = piece.from === piece.start && last !== undefined && last.from === last.start;
  if (!isCopy || last.end !== piece.start || last.at + last.length !== piece.at) pieces.push(piece);
  else pieces[pieces.length - 1] = { ...last, length: last.length + piece.length, end: piece.end };
}

const whole = (text: string, pieces: readonly Piece[]): Piece => ({
  at: 0,
  length: text.length,
  start: pieces.reduce((least, { start }) => Math.min(least, start), Infinity),
  end: pieces.reduce((most, { end }) => Math.max(most, end), -1),
  from: -1,
});
