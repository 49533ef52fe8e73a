/** A max-heap of (key, register): greatest key first, of equal keys the register with the smallest number. */
export class PriorityQueue {
  private readonly key: number[] = [];
  private readonly item: number[] = [];

  private isAbove(a: number, b: number): boolean {
    return this.key[a] > this.key[b] || (this.key[a] === this.key[b] && this.item[a] < this.item[b]);
  }

  private swap(a: number, b: number): void {
    [this.key[a], this.key[b]] = [this.key[b], this.key[a]];
    [this.item[a], this.item[b]] = [this.item[b], this.item[a]];
  }

  push(key: number, item: number): void {
    let at = this.key.push(key) - 1;
    this.item.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isAbove(at, above)) return;
      this.swap(at, above);
      at = above;
    }
  }

  /** The first item, which leaves the queue; -1 when there is none. */
  pop(): number {
    const n = this.key.length;
    if (n === 0) return -1;
    this.swap(0, n - 1);
    const first = this.item.pop()!;
    this.key.pop();
    for (let at = 0; ;) {
      let best = at;
      for (const below of [2 * at + 1, 2 * at + 2]) if (below < n - 1 && this.isAbove(below, best)) best = below;
      if (best === at) return first;
      this.swap(at, best);
      at = best;
    }
  }
}
