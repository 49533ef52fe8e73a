/**
 * Reader of the packed tables in `generated/`: integers as printable ASCII in string literals.
 *
 * Why text: a string literal needs no file system and no decompressor, works the same in node and in a browser
 * bundle, and V8 keeps it as one byte per character, so that reading a digit is one `charCodeAt`. The writer is
 * `server/tools/pack/encode.ts`; both sides must change together.
 *
 * Digits: 92 of them, characters 35 (`#`) to 126 (`~`), where `\` (92) is written `!` so that a double-quoted
 * literal needs no escape. Numbers: digits 0..59 end a number, digits 60..91 carry five low bits and go on.
 * Arrays: length, mode (0 plain, 1 zigzag, 2 zigzag differences), then alternating literal runs and copies of
 * earlier values (`count, values..., length, distance, count, ...`), which is what makes the tables small: they
 * repeat themselves with a constant offset.
 *
 * Decoded arrays may come from a file instead, see arrayStore.ts.
 */
import type { ArrayStore, StoredArray } from './arrayStore.js';
import { endHash, fillSlot, HASH_PRIME, HASH_SEED, slotCount } from './nameIndex.js';

const FIRST_DIGIT = 35;
const LAST_FINAL_DIGIT = 59;
const ESCAPED_DIGIT = 57;
const ESCAPED_CODE = 33;

/** A packed string with a place for what is decoded of it. */
export interface StoredText {
  /** Made when first asked for: of what is stored nobody needs it. */
  readonly text: string;
  /** Names the text in `store`. */
  readonly name: string;
  readonly store: ArrayStore | null;
}

/** Reads one packed string from front to back. Not checked: the strings are made by our own generator. */
export class PackReader {
  readonly source: StoredText;

  constructor(
    source: StoredText | string,
    public pos = 0,
  ) {
    this.source = typeof source === 'string' ? { text: source, name: '', store: null } : source;
  }

  get text(): string {
    return this.source.text;
  }

  /** An unsigned number of up to 32 bits (returned as a signed 32-bit integer when bit 31 is set: use `>>> 0`). */
  uint(): number {
    const text = this.text;
    let pos = this.pos;
    let res = 0;
    let shift = 0;
    for (;;) {
      const code = text.charCodeAt(pos++);
      const digit = code === ESCAPED_CODE ? ESCAPED_DIGIT : code - FIRST_DIGIT;
      if (digit <= LAST_FINAL_DIGIT) {
        this.pos = pos;
        return (res + (digit << shift)) | 0;
      }
      res = (res + ((digit - LAST_FINAL_DIGIT - 1) << shift)) | 0;
      shift += 5;
    }
  }

  /** A signed number of up to 32 bits. */
  int(): number {
    const v = this.uint();
    return (v >>> 1) ^ -(v & 1);
  }

  /** Raw text of a length that is written before it. */
  string(): string {
    const length = this.uint();
    const start = this.pos;
    this.pos += length;
    return this.text.slice(start, this.pos);
  }

  /** What comes after. */
  rest(): string {
    return this.text.slice(this.pos);
  }

  /** A list of strings, written as one text joined by `,`. */
  strings(): string[] {
    const text = this.string();
    return text === '' ? [] : text.split(',');
  }

  /** An array of integers; not to be written to. O(length), or O(1) from the array store. */
  ints(): Int32Array {
    return this.stored('i32', () => this.decodeInts());
  }

  /** An array from the store, or made now. */
  private stored<T extends StoredArray>(type: string, make: () => T): T {
    const { name, store } = this.source;
    if (store === null) return make();
    const key = `${name}:${this.pos}:${type}`;
    const known = store.find(key);
    if (known !== null) {
      this.pos = known.extra;
      return known.array as T;
    }
    const array = make();
    store.record(key, array, this.pos);
    return array;
  }

  private decodeInts(): Int32Array {
    const n = this.uint();
    const mode = this.uint();
    const res = new Int32Array(n);
    const text = this.text;
    let pos = this.pos;
    let at = 0;
    while (at < n) {
      this.pos = pos;
      const literalsEnd = at + this.uint();
      pos = this.pos;
      // The loop of `uint`, in place: this is where the time goes.
      while (at < literalsEnd) {
        let value = 0;
        let shift = 0;
        let digit: number;
        for (;;) {
          const code = text.charCodeAt(pos++);
          digit = code === ESCAPED_CODE ? ESCAPED_DIGIT : code - FIRST_DIGIT;
          if (digit <= LAST_FINAL_DIGIT) break;
          value = (value + ((digit - LAST_FINAL_DIGIT - 1) << shift)) | 0;
          shift += 5;
        }
        value = (value + (digit << shift)) | 0;
        res[at++] = mode === 0 ? value : (value >>> 1) ^ -(value & 1);
      }
      if (at >= n) break;
      this.pos = pos;
      const length = this.uint();
      const distance = length === 0 ? 0 : this.uint();
      pos = this.pos;
      copyEarlier(res, at, length, distance);
      at += length;
    }
    this.pos = pos;
    if (mode === 2) {
      let last = 0;
      for (let i = 0; i < n; i++) res[i] = last = (last + res[i]!) | 0;
    }
    return res;
  }

  uint8s(): Uint8Array {
    return this.stored('u8', () => new Uint8Array(this.decodeInts()));
  }
  int8s(): Int8Array {
    return this.stored('i8', () => new Int8Array(this.decodeInts()));
  }
  uint16s(): Uint16Array {
    return this.stored('u16', () => new Uint16Array(this.decodeInts()));
  }
  int16s(): Int16Array {
    return this.stored('i16', () => new Int16Array(this.decodeInts()));
  }
  uint32s(): Uint32Array {
    return this.stored('u32', () => new Uint32Array(this.decodeInts().buffer));
  }

  /** Where parts begin that follow their lengths, and where the last ends. Then the reader stands after them. */
  positions(): Int32Array {
    return this.stored('positions', () => {
      const lengths = this.decodeInts();
      const begin = new Int32Array(lengths.length + 1);
      begin[0] = this.pos;
      for (let i = 0; i < lengths.length; i++) begin[i + 1] = begin[i]! + lengths[i]!;
      this.pos = begin[lengths.length]!;
      return begin;
    });
  }

  /** Lists of integers, flattened: `begin` has one entry more than there are lists. */
  lists(): IntLists {
    const begin = this.stored('begin', () => {
      const lengths = this.decodeInts();
      const sums = new Int32Array(lengths.length + 1);
      for (let i = 0, at = 0; i < lengths.length; i++) sums[i + 1] = at += lengths[i]!;
      return sums;
    });
    return { begin, values: this.ints() };
  }
}

/** Copies `length` values from `distance` before `at`; source and target may overlap, which repeats the source. */
function copyEarlier(values: Int32Array, at: number, length: number, distance: number): void {
  if (distance === 1) {
    values.fill(values[at - 1]!, at, at + length);
    return;
  }
  // Native copies of pieces that do not overlap; each doubles what is there.
  let done = 0;
  while (done < length) {
    const piece = Math.min(length - done, distance + done);
    values.copyWithin(at + done, at - distance, at - distance + piece);
    done += piece;
  }
}

/** Lists in one array: list `i` is `values[begin[i]] .. values[begin[i + 1] - 1]`. */
export interface IntLists {
  readonly begin: Int32Array;
  readonly values: Int32Array;
}

/** Number of lists. */
function listCount(lists: IntLists): number {
  return lists.begin.length - 1;
}

/** All lists as arrays, for answers that are asked for often. */
export function listArrays(lists: IntLists): readonly (readonly number[])[] {
  return Array.from({ length: listCount(lists) }, (_, i) => Array.from(listAt(lists, i)));
}

/** List `i` as a view into the shared array (do not write to it). */
export function listAt(lists: IntLists, i: number): Int32Array {
  return lists.values.subarray(lists.begin[i]!, lists.begin[i + 1]!);
}

/**
 * Lists that are packed each for itself, so that only those that are asked for are read. Answers are kept; they are
 * not to be written to.
 */
export class LazyLists {
  /** where each list begins in the text, and the end */
  private readonly begin: Int32Array;
  private readonly source: StoredText;
  private readonly known: (Int32Array | undefined)[] = [];

  constructor(reader: PackReader) {
    this.begin = reader.positions();
    this.source = reader.source;
  }

  get count(): number {
    return this.begin.length - 1;
  }

  at(i: number): Int32Array {
    return (this.known[i] ??= new PackReader(this.source, this.begin[i]!).ints());
  }
}

/** Parts of one packed string that are read when they are asked for, in any order. */
export class Pieces {
  private readonly begin: Int32Array;
  private readonly source: StoredText;

  constructor(source: StoredText | string) {
    const reader = new PackReader(source);
    this.source = reader.source;
    this.begin = reader.positions();
  }

  /** Part `i` as it is. */
  part(i: number): string {
    return this.source.text.slice(this.begin[i]!, this.begin[i + 1]!);
  }

  /** A reader at the start of part `i`. */
  reader(i: number): PackReader {
    return new PackReader(this.source, this.begin[i]!);
  }
}

/**
 * Names with shared beginnings, packed: the first of each block is whole, the others say how many characters they share with the one
 * before.
 */
export class NameList {
  readonly count: number;
  protected readonly text: string;
  /** number of the first name of each block, and of all names */
  protected readonly firsts: Int32Array;
  /** position in `text` of each whole name's length digit; one more than there are blocks: the last is where the text goes on */
  protected readonly blockPos: Int32Array;
  /** block of each name */
  private blockOf: Uint16Array | undefined;
  /** names of each decoded block */
  private readonly blocks: (readonly string[] | undefined)[];
  private readonly source: StoredText;

  constructor(reader: PackReader) {
    this.source = reader.source;
    this.firsts = reader.ints();
    this.blockPos = reader.positions();
    this.text = reader.text;
    this.count = this.firsts[this.firsts.length - 1]!;
    // Made with its length: an array that grows at high indices becomes a slow hash table.
    this.blocks = new Array<readonly string[] | undefined>(this.blockPos.length - 1);
  }

  private makeBlockOf(): Uint16Array {
    const { name, store } = this.source;
    const make = (): Uint16Array => {
      const blockOf = new Uint16Array(this.count);
      for (let b = 0; b < this.blocks.length; b++) blockOf.fill(b, this.firsts[b], this.firsts[b + 1]);
      return blockOf;
    };
    return store === null ? make() : store.array(`${name}:blockOf`, make);
  }

  /** Name number `i`; decodes its block once. */
  name(i: number): string {
    const block = (this.blockOf ??= this.makeBlockOf())[i];
    if (block === undefined) return '';
    const first = this.firsts[block]!;
    const known = this.blocks[block];
    if (known !== undefined) return known[i - first]!;
    const names: string[] = [];
    const reader = new PackReader(this.text, this.blockPos[block]!);
    const end = this.firsts[block + 1]!;
    let last = '';
    for (let k = first; k < end; k++) {
      const shared = k === first ? 0 : reader.uint();
      last = last.slice(0, shared) + reader.string();
      names.push(last);
    }
    this.blocks[block] = names;
    return names[i - first]!;
  }

  /** The names at which blocks begin. */
  blockStarts(): ReadonlySet<string> {
    return new Set(Array.from(this.firsts.subarray(0, -1), (first) => this.name(first)));
  }

  /** Slots for a `NameIndex` of all names. They stay packed: what a name shares with the one before is not hashed again. */
  makeSlots(): Uint16Array {
    const slots = new Uint16Array(slotCount(this.count));
    const reader = new PackReader(this.text);
    const text = this.text;
    /** the hash after so many characters of the name */
    const hashes = [HASH_SEED];
    reader.pos = this.blockPos[0]!;
    for (let n = 0, block = 0; n < this.count; n++) {
      // The blocks follow each other.
      const isWhole = n === this.firsts[block];
      if (isWhole) block++;
      let length = isWhole ? 0 : reader.uint();
      const end = reader.uint() + reader.pos;
      let h = hashes[length]!;
      for (let pos = reader.pos; pos < end; pos++)
        hashes[++length] = h = Math.imul(h ^ text.charCodeAt(pos), HASH_PRIME);
      reader.pos = end;
      fillSlot(slots, endHash(h), n);
    }
    return slots;
  }
}

/** Names in ascending order of their characters' codes: found by binary search over the whole ones, without decoding the rest. */
export class SortedNames extends NameList {
  /** for numbers of several digits */
  private readonly long = new PackReader(this.text);

  /** Number of the name that equals `text[start..end)`, or -1. No allocation; O(log names). */
  find(text: string, start: number, end: number): number {
    let lo = 0;
    let hi = this.firsts.length - 2;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (this.compareWhole(mid, text, start, end) <= 0) lo = mid;
      else hi = mid - 1;
    }
    return this.scanBlock(lo, text, start, end);
  }

  /** Sign of (whole name of `block`) - (text[start..end)). */
  private compareWhole(block: number, text: string, start: number, end: number): number {
    const names = this.text;
    let pos = this.blockPos[block]!;
    let length = names.charCodeAt(pos++) - FIRST_DIGIT;
    if (length < 0 || length > LAST_FINAL_DIGIT) {
      this.long.pos = pos - 1;
      length = this.long.uint();
      pos = this.long.pos;
    }
    const n = Math.min(length, end - start);
    for (let i = 0; i < n; i++) {
      const d = names.charCodeAt(pos + i) - text.charCodeAt(start + i);
      if (d !== 0) return d;
    }
    return length - (end - start);
  }

  /**
   * Keeps how much of the wanted name the current one begins with: a name that shares more than that with the one before differs at the
   * same place, so its characters need not be looked at.
   */
  private scanBlock(block: number, text: string, start: number, end: number): number {
    const wanted = end - start;
    const blockFirst = this.firsts[block]!;
    const blockEnd = this.firsts[block + 1]!;
    const names = this.text;
    let pos = this.blockPos[block]!;
    let matched = 0;
    for (let k = blockFirst; k < blockEnd; k++) {
      let shared = 0;
      if (k !== blockFirst) {
        shared = names.charCodeAt(pos) - FIRST_DIGIT;
        if (shared >= 0 && shared <= LAST_FINAL_DIGIT) pos++;
        else {
          this.long.pos = pos;
          shared = this.long.uint();
          pos = this.long.pos;
        }
      }
      let suffix = names.charCodeAt(pos) - FIRST_DIGIT;
      if (suffix >= 0 && suffix <= LAST_FINAL_DIGIT) pos++;
      else {
        this.long.pos = pos;
        suffix = this.long.uint();
        pos = this.long.pos;
      }
      if (shared <= matched) {
        matched = shared;
        const limit = Math.min(wanted, shared + suffix);
        while (matched < limit && names.charCodeAt(pos + matched - shared) === text.charCodeAt(start + matched))
          matched++;
        if (matched === wanted && shared + suffix === wanted) return k;
      }
      pos += suffix;
    }
    return -1;
  }
}
