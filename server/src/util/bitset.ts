/**
 * Fixed-size bit set on 32-bit words: the one bit set of the project (style.md P4). Iteration goes word by word with
 * `clz32`; set operations work in place and report whether something changed, which is what data-flow loops need.
 */
export class BitSet {
  readonly words: Uint32Array;

  /** Bits 0 .. size - 1, all clear. */
  constructor(readonly size: number) {
    this.words = new Uint32Array((size + 31) >>> 5);
  }

  has(i: number): boolean {
    return ((this.words[i >>> 5] >>> (i & 31)) & 1) !== 0;
  }

  add(i: number): void {
    this.words[i >>> 5] |= 1 << (i & 31);
  }

  delete(i: number): void {
    this.words[i >>> 5] &= ~(1 << (i & 31));
  }

  clear(): void {
    this.words.fill(0);
  }

  /** Adds the bits `from` .. `to` - 1. */
  addRange(from: number, to: number): void {
    if (from >= to) return;
    const { words } = this;
    const first = from >>> 5;
    const last = (to - 1) >>> 5;
    const head = -1 << (from & 31);
    const tail = -1 >>> (31 - ((to - 1) & 31));
    if (first === last) {
      words[first] |= head & tail;
      return;
    }
    words[first] |= head;
    words.fill(0xffffffff, first + 1, last);
    words[last] |= tail;
  }

  isEmpty(): boolean {
    for (let w = 0; w < this.words.length; w++) if (this.words[w] !== 0) return false;
    return true;
  }

  /** Number of set bits. */
  count(): number {
    let n = 0;
    for (let w = 0; w < this.words.length; w++) n += popCount32(this.words[w]);
    return n;
  }

  /** this |= other; true if a bit was added. Both must have the same size. */
  unionWith(other: BitSet): boolean {
    const a = this.words;
    const b = other.words;
    let changed = 0;
    for (let w = 0; w < a.length; w++) {
      const old = a[w];
      const merged = old | b[w];
      changed |= merged ^ old;
      a[w] = merged;
    }
    return changed !== 0;
  }

  /** this &= ~other */
  subtract(other: BitSet): void {
    const a = this.words;
    const b = other.words;
    for (let w = 0; w < a.length; w++) a[w] &= ~b[w];
  }

  /** this &= other */
  intersectWith(other: BitSet): void {
    const a = this.words;
    const b = other.words;
    for (let w = 0; w < a.length; w++) a[w] &= b[w];
  }

  copyFrom(other: BitSet): void {
    this.words.set(other.words);
  }

  equals(other: BitSet): boolean {
    if (this.size !== other.size) return false;
    for (let w = 0; w < this.words.length; w++) if (this.words[w] !== other.words[w]) return false;
    return true;
  }

  /** The smallest set bit that is >= `from`, or -1. `for (let i = s.next(0); i >= 0; i = s.next(i + 1))` visits all. */
  next(from: number): number {
    const words = this.words;
    let w = from >>> 5;
    if (w >= words.length) return -1;
    let bits = words[w] & (-1 << (from & 31));
    while (bits === 0) {
      if (++w === words.length) return -1;
      bits = words[w];
    }
    return (w << 5) + 31 - Math.clz32(bits & -bits);
  }
}

/** Number of set bits in a 32-bit word. */
export function popCount32(x: number): number {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
