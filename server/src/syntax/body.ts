/** A body from its chunks. */
import type { Body, Chunk } from './tree.js';

/** `start`: of the body in its document. */
export function makeBody(start: number, chunks: readonly Chunk[]): Body {
  const n = chunks.length;
  const chunkStarts = new Int32Array(n + 1);
  const chunkLines = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) {
    chunkStarts[i + 1] = chunkStarts[i] + chunks[i].length;
    chunkLines[i + 1] = chunkLines[i] + chunks[i].lines;
  }
  return { start, length: chunkStarts[n], chunks, chunkStarts, chunkLines };
}
