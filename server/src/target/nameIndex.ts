/**
 * Open-addressing hash tables from names to numbers that are asked with a piece of a longer text, so that the
 * lexer can look a name up without making a substring.
 */

/** Hash of `text[start..end)`, continuing from `seed`; lower-cases nothing. */
export function hashRange(text: string, start: number, end: number, seed = 0x811c9dc5): number {
  let h = seed;
  for (let i = start; i < end; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h ^ (h >>> 15);
}

/**
 * Hash of a register name with its first number taken out: `text[start..hole)` and `text[tail..end)` around it;
 * `number` < 0 if there is none.
 */
export function patternHash(
  text: string,
  start: number,
  hole: number,
  tail: number,
  end: number,
  number: number,
): number {
  const head = hashRange(text, start, hole);
  return hashRange(text, tail, end, number < 0 ? head : head ^ 0x5bd1e995);
}

/** Slots for `NameIndex.fromSlots`: open addressing, number + 1 in each slot used, at most half of them. */
export function makeSlots(hashes: readonly number[]): Int32Array {
  let size = 64;
  while (size < hashes.length * 2) size *= 2;
  const slots = new Int32Array(size);
  hashes.forEach((h, i) => {
    let slot = h & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = i + 1;
  });
  return slots;
}

/** Numbers by name, filled as needed. Names live outside: `nameOf(number)` must give the name that was added. */
export class NameIndex {
  private slots: Int32Array;
  private mask: number;
  private used = 0;

  constructor(
    private readonly nameOf: (n: number) => string,
    capacity: number,
  ) {
    let size = 64;
    while (size < capacity * 2) size *= 2;
    this.slots = new Int32Array(size);
    this.mask = size - 1;
  }

  /** An index that the generator has filled: `nUsed` names in `slots` (taken over). */
  static fromSlots(nameOf: (n: number) => string, slots: Int32Array, nUsed: number): NameIndex {
    const index = new NameIndex(nameOf, 0);
    index.slots = slots;
    index.mask = slots.length - 1;
    index.used = nUsed;
    return index;
  }

  /** Number whose name is `text[start..end)`, or -1. */
  find(text: string, start: number, end: number): number {
    const length = end - start;
    let slot = hashRange(text, start, end) & this.mask;
    for (;;) {
      const entry = this.slots[slot]!;
      if (entry === 0) return -1;
      const name = this.nameOf(entry - 1);
      // A loop, since String.startsWith costs several times as much on names of this length.
      if (name.length === length) {
        let i = length - 1;
        while (i >= 0 && name.charCodeAt(i) === text.charCodeAt(start + i)) i--;
        if (i < 0) return entry - 1;
      }
      slot = (slot + 1) & this.mask;
    }
  }

  /** Adds number `n` under its name. A name that is there already keeps its first number. */
  add(n: number): void {
    const name = this.nameOf(n);
    if (this.find(name, 0, name.length) >= 0) return;
    if (this.used * 2 > this.mask) this.grow();
    this.put(n, name);
    this.used++;
  }

  private put(n: number, name: string): void {
    let slot = hashRange(name, 0, name.length) & this.mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & this.mask;
    this.slots[slot] = n + 1;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2);
    this.mask = this.slots.length - 1;
    for (const entry of old) if (entry !== 0) this.put(entry - 1, this.nameOf(entry - 1));
  }
}
