/** A max-heap of (key, register): greatest key first, of equal keys the register with the smallest number. */
export class PriorityQueue {
  private readonly key: number[] = [];
  private readonly item: number[] = [];

  push(key: number, item: number): void {
    const { key: keys, item: items } = this;
    let at = keys.push(key) - 1;
    items.push(item);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isAbove(key, item, keys[above], items[above])) break;
      keys[at] = keys[above];
      items[at] = items[above];
      at = above;
    }
    keys[at] = key;
    items[at] = item;
  }

  /**
   * The first item, which leaves the queue; -1 when there is none.
   * @llvm RegAllocGreedy.cpp RAGreedy::dequeue
   */
  pop(): number {
    const { key: keys, item: items } = this;
    if (keys.length === 0) return -1;
    const first = items[0];
    const key = keys.pop()!;
    const item = items.pop()!;
    const n = keys.length;
    if (n === 0) return first;
    // the last one sinks from the top
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= n) break;
      if (below + 1 < n && isAbove(keys[below + 1], items[below + 1], keys[below], items[below])) below++;
      if (!isAbove(keys[below], items[below], key, item)) break;
      keys[at] = keys[below];
      items[at] = items[below];
      at = below;
    }
    keys[at] = key;
    items[at] = item;
    return first;
  }
}

function isAbove(key: number, item: number, otherKey: number, otherItem: number): boolean {
  return key > otherKey || (key === otherKey && item < otherItem);
}
