/**
 * Interner: names to small integers. The lexer asks with a range of the document, so that a name seen before costs a hash and a
 * comparison of char codes and no substring. Ids are dense, start at 0 and are never freed; one interner is shared by all
 * documents of a host, so that tables "id -> opcode" are built once.
 */
import { ownString } from './ownString.js';

export class Interner {
  /** of all names together */
  characters = 0;
  private readonly names: string[] = [];
  private readonly hashes: number[] = [];
  /** open addressing, id + 1, 0 = empty; length is a power of two, at most half full */
  private table = new Int32Array(4096);

  /** number of ids given out */
  get size(): number {
    return this.names.length;
  }

  /** The string of an id. `id` must come from this interner. */
  text(id: number): string {
    return this.names[id];
  }

  /** Id of `text.slice(start, end)`; adds it when new. O(end - start). */
  intern(text: string, start: number, end: number): number {
    let h = 0;
    for (let i = start; i < end; i++) h = ((h << 7) - h + text.charCodeAt(i)) | 0;
    return this.internHashed(text, start, end, h);
  }

  /** `intern` for a caller that has computed the hash itself: `h = 127 * h + code` over the char codes, in 32 bits, from 0. */
  internHashed(text: string, start: number, end: number, h: number): number {
    h ^= h >>> 15;
    const length = end - start;
    let mask = this.table.length - 1;
    let slot = h & mask;
    for (let e = this.table[slot]; e !== 0; e = this.table[slot]) {
      const name = this.names[e - 1];
      if (this.hashes[e - 1] === h && name.length === length && text.startsWith(name, start)) return e - 1;
      slot = (slot + 1) & mask;
    }
    const id = this.names.length;
    // A slice would keep the whole document alive.
    this.names.push(ownString(text, start, end));
    this.characters += end - start;
    this.hashes.push(h);
    if ((id + 1) * 2 > this.table.length) {
      this.grow();
      mask = this.table.length - 1;
      slot = h & mask;
      while (this.table[slot] !== 0) slot = (slot + 1) & mask;
    }
    this.table[slot] = id + 1;
    return id;
  }

  internString(s: string): number {
    return this.intern(s, 0, s.length);
  }

  /** Id of `s` if it is known, else -1. */
  find(s: string): number {
    let h = 0;
    for (let i = 0; i < s.length; i++) h = ((h << 7) - h + s.charCodeAt(i)) | 0;
    h ^= h >>> 15;
    const mask = this.table.length - 1;
    for (let slot = h & mask; this.table[slot] !== 0; slot = (slot + 1) & mask) {
      const id = this.table[slot] - 1;
      if (this.hashes[id] === h && this.names[id] === s) return id;
    }
    return -1;
  }

  private grow(): void {
    const table = new Int32Array(this.table.length * 2);
    const mask = table.length - 1;
    // The newest id has no slot yet: its caller places it.
    for (let id = 0; id < this.names.length - 1; id++) {
      let slot = this.hashes[id] & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = id + 1;
    }
    this.table = table;
  }
}
