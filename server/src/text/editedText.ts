/** A text under a growing number of edits, each in the coordinates that the ones before left, and all of them together as edits of the first text. */
import type { TextEdit } from './sourceText.js';

/** A stretch of the first text that is kept, or inserted text. */
type Piece = { readonly start: number; readonly end: number } | { readonly text: string };

const lengthOf = (p: Piece): number => ('text' in p ? p.text.length : p.end - p.start);

export class EditedText {
  private pieces: Piece[];

  /** @param length of the first text */
  constructor(private readonly length: number) {
    this.pieces = [{ start: 0, end: length }];
  }

  /** Edits of the present text: ascending, not overlapping. O(pieces) each */
  apply(edits: readonly TextEdit[]): void {
    for (let k = edits.length - 1; k >= 0; k--) this.applyOne(edits[k]);
  }

  private applyOne({ start, end, text }: TextEdit): void {
    const result: Piece[] = [];
    let isInserted = false;
    const insert = (): void => {
      if (!isInserted && text !== '') result.push({ text });
      isInserted = true;
    };
    let at = 0;
    for (const piece of this.pieces) {
      const next = at + lengthOf(piece);
      if (at < start) result.push(slice(piece, 0, Math.min(next, start) - at));
      if (start <= next) insert();
      if (end < next) result.push(slice(piece, Math.max(0, end - at), next - at));
      at = next;
    }
    insert();
    this.pieces = result.filter((p) => lengthOf(p) > 0);
  }

  /** All edits so far as edits of the first text, ascending, not overlapping. */
  get edits(): TextEdit[] {
    const edits: TextEdit[] = [];
    let at = 0;
    let text = '';
    for (const piece of [...this.pieces, { start: this.length, end: this.length }]) {
      if ('text' in piece) {
        text += piece.text;
        continue;
      }
      if (at < piece.start || text !== '') edits.push({ start: at, end: piece.start, text });
      at = piece.end;
      text = '';
    }
    return edits;
  }
}

function slice(piece: Piece, from: number, to: number): Piece {
  return 'text' in piece ? { text: piece.text.slice(from, to) } : { start: piece.start + from, end: piece.start + to };
}
