/**
 * Open-addressing hash tables from names to numbers that are asked with a piece of a longer text, so that the
 * lexer can look a name up without making a substring.
 */

export const HASH_SEED = 0x811c9dc5;
export const HASH_PRIME = 0x01000193;

/** The hash of a text, of the value after its last character. */
export const endHash = (h: number): number => h ^ (h >>> 15);

/** Hash of `text[start..end)`, continuing from `seed`; lower-cases nothing. */
export function hashRange(text: string, start: number, end: number, seed = HASH_SEED): number {
  let h = seed;
  for (let i = start; i < end; i++) h = Math.imul(h ^ text.charCodeAt(i), HASH_PRIME);
  return endHash(h);
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

/** Number of slots for `count` names, of which at most half are used. */
export function slotCount(count: number): number {
  let size = 64;
  while (size < count * 2) size *= 2;
  return size;
}

/** Puts number `n`, of a name with this hash, into the slots of a `NameIndex`: n + 1 in the next one that is free. */
export function fillSlot(slots: Int32Array | Uint16Array, hash: number, n: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = n + 1;
}

/** Numbers by name, from slots filled by `fillSlot`, mostly by the generator. Names live outside: `nameOf(number)` must give the name of a number. */
export class NameIndex {
  private readonly mask: number;

  constructor(
    private readonly nameOf: (n: number) => string,
    private readonly slots: Int32Array | Uint16Array,
  ) {
    this.mask = slots.length - 1;
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
}
