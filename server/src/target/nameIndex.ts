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

/** Numbers by name, from slots that the generator filled (server/tools/pack/slots.ts). Names live outside: `nameOf(number)` must give the name of a number. */
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
