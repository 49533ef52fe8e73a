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

  /** Number whose name is `text[start..end)`, or -1. */
  find(text: string, start: number, end: number): number {
    const length = end - start;
    let slot = hashRange(text, start, end) & this.mask;
    for (;;) {
      const entry = this.slots[slot]!;
      if (entry === 0) return -1;
      const name = this.nameOf(entry - 1);
      if (name.length === length && text.startsWith(name, start)) return entry - 1;
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

/** An index over a whole list of names. */
export function indexNames(names: readonly string[]): NameIndex {
  const index = new NameIndex((n) => names[n]!, names.length);
  for (let i = 0; i < names.length; i++) index.add(i);
  return index;
}
