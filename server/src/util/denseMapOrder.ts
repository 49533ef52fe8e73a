/**
 * The order in which LLVM walks a DenseMap with unsigned keys or pairs of them: it shows wherever LLVM prints one. Follows llvm/ADT/DenseMap.h: 64
 * buckets at first, quadratic probing, tombstones, twice the buckets from three quarters on, and the same number again when
 * fewer than an eighth is free.
 */

const EMPTY = -1;
const TOMBSTONE = -2;
const FIRST_BUCKETS = 64;
const HASH_FACTOR = 37;
const PAIR_FACTOR = 0xbf58476d1ce4e5b9n;

/** How LLVM hashes an unsigned key. */
const hashOf = (key: number): number => Math.imul(key, HASH_FACTOR);

/**
 * How LLVM hashes a pair of unsigned numbers. Of a virtual register, its number with or without bit 31: the bit does not reach the buckets.
 * @llvm DenseMapInfo.h combineHashValue
 */
export function hashOfPair(first: number, second: number): number {
  const key = (BigInt(hashOf(first) >>> 0) << 32n) | BigInt(hashOf(second) >>> 0);
  const mixed = BigInt.asUintN(64, key * PAIR_FACTOR);
  return Number(BigInt.asIntN(32, mixed ^ (mixed >> 31n)));
}

/**
 * A set of numbers from 0 on; bit 31 of LLVM's keys for virtual registers does not matter to the order. Keys of another kind are numbered by the caller,
 * who says how each is hashed.
 */
export class DenseMapOrder {
  private buckets = new Int32Array(0);
  private nEntries = 0;
  private nTombstones = 0;

  constructor(private readonly hash: (key: number) => number = hashOf) {}

  /** False when it was there. */
  insert(key: number): boolean {
    if (this.find(key) >= 0) return false;
    const n = this.nEntries + 1;
    const size = this.buckets.length;
    if (n * 4 >= size * 3) this.rehash(size === 0 ? FIRST_BUCKETS : size * 2);
    else if (size - (n + this.nTombstones) <= size / 8) this.rehash(size);
    const place = this.freePlace(key);
    if (this.buckets[place] === TOMBSTONE) this.nTombstones--;
    this.buckets[place] = key;
    this.nEntries++;
    return true;
  }

  erase(key: number): void {
    const place = this.find(key);
    if (place < 0) return;
    this.buckets[place] = TOMBSTONE;
    this.nEntries--;
    this.nTombstones++;
  }

  keys(): number[] {
    const keys: number[] = [];
    for (const key of this.buckets) if (key >= 0) keys.push(key);
    return keys;
  }

  private find(key: number): number {
    const { buckets } = this;
    const mask = buckets.length - 1;
    if (mask < 0) return -1;
    for (let at = this.hash(key) & mask, step = 1; ; at = (at + step++) & mask) {
      if (buckets[at] === key) return at;
      if (buckets[at] === EMPTY) return -1;
    }
  }

  /** First tombstone on the way to an empty bucket, else that. */
  private freePlace(key: number): number {
    const { buckets } = this;
    const mask = buckets.length - 1;
    let tombstone = -1;
    for (let at = this.hash(key) & mask, step = 1; ; at = (at + step++) & mask) {
      if (buckets[at] === EMPTY) return tombstone < 0 ? at : tombstone;
      if (buckets[at] === TOMBSTONE && tombstone < 0) tombstone = at;
    }
  }

  private rehash(size: number): void {
    const before = this.buckets;
    this.buckets = new Int32Array(size).fill(EMPTY);
    this.nTombstones = 0;
    for (const key of before) if (key >= 0) this.buckets[this.freePlace(key)] = key;
  }
}
