/** Tokens in pieces, against tokens with absolute places: joined, joined for some lines, and the edits from one sequence to another. */
import assert from 'node:assert/strict';
import { PieceBuilder, TokenSequence, type TokenPiece } from '../../../server/src/features/tokens/tokenPieces.js';
import { randomSource } from '../../support/random.js';

/** line, column, length, type, modifiers */
type Token = readonly [number, number, number, number, number];

/** Tokens as LSP wants them, each relative to the one before. */
function encoded(tokens: readonly Token[]): number[] {
  let [line, column] = [0, 0];
  return tokens.flatMap(([l, c, ...rest]) => {
    const delta = [l - line, l === line ? c - column : c, ...rest];
    [line, column] = [l, c];
    return delta;
  });
}

interface Piece {
  readonly piece: TokenPiece | null;
  readonly tokens: readonly Token[];
}

function pieceOf(tokens: readonly Token[], expected: number): Piece {
  const builder = new PieceBuilder(expected);
  for (const token of tokens) builder.add(...token);
  return { piece: builder.piece, tokens };
}

/** A sequence of pieces at lines, and its tokens with absolute places. */
function sequenceOf(parts: readonly (readonly [Piece, number])[]): { sequence: TokenSequence; tokens: Token[] } {
  const sequence = new TokenSequence();
  const tokens: Token[] = [];
  for (const [{ piece, tokens: own }, line] of parts) {
    sequence.add(piece, line);
    tokens.push(...own.map(([l, ...rest]): Token => [l + line, ...rest]));
  }
  return { sequence, tokens };
}

describe('pieces of tokens', () => {
  it('of one piece: the first as if it began the text, the others after it; none without tokens', () => {
    const tokens: Token[] = [
      [0, 4, 3, 1, 0],
      [0, 9, 2, 2, 5],
      [3, 2, 1, 0, 0],
      [3, 2, 7, 1, 1],
    ];
    for (const expected of [-1, 0, 1, 3, 4, 5, 100]) {
      const { piece } = pieceOf(tokens, expected);
      assert.deepEqual([...piece!.tokens], encoded(tokens));
      assert.deepEqual([piece!.lastLine, piece!.lastColumn], [3, 2]);
      assert.equal(pieceOf([], expected).piece, null);
    }
  });

  it('joined, in part and with edits, are what the tokens say', () => {
    const upTo = randomSource(20);
    const newPiece = (): { made: Piece; nLines: number } => {
      const tokens: Token[] = [];
      let [line, column] = [upTo(2), upTo(5)];
      for (let n = upTo(5); n > 0; n--) {
        tokens.push([line, column, 1 + upTo(3), upTo(3), upTo(2)]);
        if (upTo(2) === 0) [line, column] = [line + 1 + upTo(2), upTo(5)];
        else column += 3 + upTo(3);
      }
      return { made: pieceOf(tokens, upTo(6)), nLines: line + upTo(2) };
    };
    type Parts = { made: Piece; nLines: number }[];
    const placed = (parts: Parts): (readonly [Piece, number])[] => {
      let line = 0;
      return parts.map(({ made, nLines }) => {
        const at = line;
        line += nLines + 1;
        return [made, at] as const;
      });
    };
    for (let round = 0; round < 300; round++) {
      const parts: Parts = Array.from({ length: upTo(6) }, newPiece);
      const before = sequenceOf(placed(parts));
      const data = encoded(before.tokens);
      assert.deepEqual(before.sequence.toArray(), data);
      assert.deepEqual([...before.sequence.join()], data);
      for (const [from, to] of [
        [0, 1000],
        [1, 3],
        [2, 2],
        [upTo(8), upTo(12)],
      ] as const)
        // prettier-ignore
        assert.deepEqual(
          before.sequence.joinLines(from, to),
          encoded(before.tokens.filter(([line]) => from <= line && line < to)),
        );
      // Some pieces go, some come, most stay.
      const changed = [...parts];
      for (let n = upTo(3); n > 0; n--)
        changed.splice(upTo(changed.length + 1), upTo(2), ...(upTo(5) < 3 ? [newPiece()] : []));
      const after = sequenceOf(placed(changed));
      const edits = after.sequence.editsSince(before.sequence);
      assert.ok(edits.length <= 1);
      const result = [...data];
      for (const { start, deleteCount, data: inserted = [] } of edits) {
        assert.ok(start % 5 === 0 && deleteCount % 5 === 0 && inserted.length % 5 === 0, 'whole tokens');
        assert.ok(deleteCount > 0 || inserted.length > 0);
        result.splice(start, deleteCount, ...inserted);
      }
      const wanted = encoded(after.tokens);
      assert.deepEqual(result, wanted);
      assert.equal(edits.length === 0, JSON.stringify(wanted) === JSON.stringify(data));
      // No more than what differs: tokens that both begin or end with stay.
      const [edit] = edits;
      if (edit === undefined) continue;
      const token = (of: number[], k: number): string => of.slice(5 * k, 5 * k + 5).join();
      const n = Math.min(data.length, wanted.length) / 5;
      let head = 0;
      while (head < n && token(data, head) === token(wanted, head)) head++;
      let tail = 0;
      while (tail < n - head && token(data, data.length / 5 - 1 - tail) === token(wanted, wanted.length / 5 - 1 - tail))
        tail++;
      assert.equal(edit.deleteCount / 5, data.length / 5 - head - tail);
    }
  });
});
