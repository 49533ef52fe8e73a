/**
 * A named text and places in it, as llvm::SourceMgr counts them: lines end at `\n`, columns begin after the last `\n` or `\r`, both count
 * from 1. Texts are bytes, each a character below 256.
 */

const NEW_LINE = 10;
const RETURN = 13;

export class SourceBuffer {
  private starts: Int32Array | null = null;

  constructor(
    /** as messages print it */
    readonly name: string,
    readonly text: string,
  ) {}

  /** Line of an offset, from 1. O(log lines) after the first question. */
  lineAt(offset: number): number {
    const starts = (this.starts ??= lineStarts(this.text));
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Column of an offset, from 1. */
  columnAt(offset: number): number {
    return offset - this.startOfLine(offset) + 1;
  }

  /** Where what is printed as the line of `offset` begins; a `\r` alone ends it, too. */
  startOfLine(offset: number): number {
    let start = offset;
    while (start > 0 && !isBreak(this.text.charCodeAt(start - 1))) start--;
    return start;
  }

  endOfLine(offset: number): number {
    let end = offset;
    while (end < this.text.length && !isBreak(this.text.charCodeAt(end))) end++;
    return end;
  }
}

/** A place in a buffer; the end of the text is one. */
export interface Location {
  readonly buffer: SourceBuffer;
  readonly offset: number;
}

const isBreak = (code: number): boolean => code === NEW_LINE || code === RETURN;

function lineStarts(text: string): Int32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return Int32Array.from(starts);
}
