/** What is kept of the semantic tokens of a document. */
import { MemoryKey } from '../snapshot/memory.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { TokenPiece, TokenSequence } from './tokenPieces.js';

/** The result of the last answer about a document, for the next delta, and pieces to use again. */
class TokenMemory {
  last: { readonly resultId: string; readonly tokens: TokenSequence } | null = null;
  count = 0;
  /** by what it was made of: the names of a chunk, of a header, of the IR */
  readonly pieces = new WeakMap<object, KnownPiece>();
}

const TOKENS = new MemoryKey<TokenMemory>('tokens');

export const tokenMemoryOf = ({ memory }: Snapshot): TokenMemory => memory.of(TOKENS, () => new TokenMemory());

/** A piece, and the types of the entities for which it was made, in the order in which its maker looks at them. */
interface KnownPiece {
  readonly types: Uint8Array;
  readonly piece: TokenPiece | null;
}
