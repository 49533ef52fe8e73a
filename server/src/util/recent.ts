import { ownString } from './ownString.js';

/** A map of what was set last: small caches by name, of which only what is worked on matters. A key that is a piece of a text is copied. */
export class RecentMap<T> {
  private readonly kept = new Map<string, T>();

  constructor(private readonly most: number) {}

  get size(): number {
    return this.kept.size;
  }

  get(key: string): T | undefined {
    return this.kept.get(key);
  }

  /** Sets it as the most recent; the oldest goes when there are too many. */
  set(key: string, value: T): void {
    this.kept.delete(key);
    this.kept.set(ownString(key), value);
    if (this.kept.size <= this.most) return;
    const [oldest] = this.kept.keys();
    this.kept.delete(oldest!);
  }

  delete(key: string): void {
    this.kept.delete(key);
  }

  /** Forgets keys that are no more, but the `spare` most recent of them. O(size) */
  keepOnly(isKey: (key: string) => boolean, spare = 0): void {
    const gone = [...this.kept.keys()].filter((key) => !isKey(key));
    for (const key of gone.slice(0, Math.max(0, gone.length - spare))) this.kept.delete(key);
  }
}

/** A map that forgets what was not asked for the longest when its keys and values are too much in all. Keys are copied, too. */
export class RecentOfSize<T> {
  private readonly kept = new Map<string, T>();
  private inAll = 0;

  /** `sizeOf` a value in the unit of `most`, such as characters; those of its key are added. */
  constructor(
    private readonly most: number,
    private readonly sizeOf: (value: T) => number,
  ) {}

  get size(): number {
    return this.kept.size;
  }

  keys(): Iterable<string> {
    return this.kept.keys();
  }

  get(key: string): T | undefined {
    const found = this.kept.get(key);
    if (found !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, found);
    }
    return found;
  }

  set(key: string, value: T): void {
    const before = this.kept.get(key);
    if (before !== undefined) this.inAll -= key.length + this.sizeOf(before);
    this.kept.delete(key);
    this.kept.set(ownString(key), value);
    this.inAll += key.length + this.sizeOf(value);
    for (const [oldest, old] of this.kept) {
      if (this.inAll <= this.most) break;
      this.kept.delete(oldest);
      this.inAll -= oldest.length + this.sizeOf(old);
    }
  }
}
