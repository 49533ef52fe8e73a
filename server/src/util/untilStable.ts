/** Visits to blocks until nothing changes any more. */

/**
 * Each block once, from the first on, then again those that a visit names, the last named first: a block that waits is not put in again. Ends when what `visit`
 * learns can only grow.
 */
export function visitUntilStable(nBlocks: number, visit: (b: number) => Iterable<number>): void {
  const work = Array.from({ length: nBlocks }, (_, k) => nBlocks - 1 - k);
  const isWaiting = new Uint8Array(nBlocks).fill(1);
  for (let b = work.pop(); b !== undefined; b = work.pop()) {
    isWaiting[b] = 0;
    for (const other of visit(b)) {
      if (isWaiting[other] === 1) continue;
      isWaiting[other] = 1;
      work.push(other);
    }
  }
}
