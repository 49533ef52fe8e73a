/**
 * Arrays of the target tables that were decoded beforehand. Decoding takes tens of milliseconds in a fresh process, more than
 * everything else that a short command does; the build therefore runs the command once with each release, records the arrays that it decoded,
 * and ships them as a binary file for each, from which a later process takes views. Without that file the tables decode themselves.
 *
 * A store changes no answer, only the time until it is there: it is part of the lazily filled constant tables.
 */

export type StoredArray = Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array;

/** Array types by their code in the file. */
const TYPES = [Int32Array, Uint32Array, Int16Array, Uint16Array, Int8Array, Uint8Array] as const;
const ALIGNMENT = 8;
const HEADER_BYTES = 8;
/** Smaller arrays are decoded faster than they are found. */
const MIN_BYTES = 64;

/** key -> [type code, byte offset after the header, number of elements, number kept with the array] */
type Index = Record<string, readonly [number, number, number, number]>;

interface OpenFile {
  readonly buffer: ArrayBuffer;
  /** where the data begins in `buffer` */
  readonly base: number;
  readonly index: Index;
}

/** A file made by `packRecordedArrays`. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  /** of another build the file is none */
  readonly stamp: string;
  /** A string of the bytes from `start` to `end`, which are ASCII. */
  toText(start: number, end: number): string;
}

interface Recorded {
  readonly array: StoredArray;
  readonly extra: number;
  /** one of several that are only found together */
  readonly isPart?: boolean;
}

let offered: ((release: string) => StoredFile | null) | null = null;
/** by release, then key */
let recording: Map<string, Map<string, Recorded>> | null = null;

/** Who has the files, by release; each is asked for when the first of its arrays is. */
export function offerStoredArrays(read: (release: string) => StoredFile | null): void {
  offered = read;
}

/** From now on every array that is decoded is kept for `packRecordedArrays`. */
export function recordArrays(): void {
  recording = new Map();
}

/** The file with all arrays of a release since `recordArrays`, whose recording of it ends. */
export function packRecordedArrays(release: string, stamp: string): Uint8Array {
  const index: Record<string, readonly [number, number, number, number]> = {};
  const parts: [number, StoredArray][] = [];
  let size = 0;
  for (const [key, { array, extra, isPart }] of recording?.get(release) ?? []) {
    if (array.byteLength < MIN_BYTES && isPart !== true) continue;
    const type = TYPES.findIndex((t) => array instanceof t);
    index[key] = [type, size, array.length, extra];
    parts.push([size, array]);
    size = Math.ceil((size + array.byteLength) / ALIGNMENT) * ALIGNMENT;
  }
  recording?.delete(release);
  let header = JSON.stringify({ stamp, index });
  header += ' '.repeat((ALIGNMENT - (header.length % ALIGNMENT)) % ALIGNMENT);
  const file = new Uint8Array(HEADER_BYTES + header.length + size);
  const view = new DataView(file.buffer);
  view.setUint32(0, header.length, true);
  view.setUint32(4, size, true);
  for (let i = 0; i < header.length; i++) file[HEADER_BYTES + i] = header.charCodeAt(i);
  for (const [offset, array] of parts) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    file.set(bytes, HEADER_BYTES + header.length + offset);
  }
  return file;
}

/** null: of another build, or cut short. */
function openFile({ bytes, stamp, toText }: StoredFile): OpenFile | null {
  if (bytes.length < HEADER_BYTES || bytes.byteOffset % ALIGNMENT !== 0) return null;
  const sizes = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const base = HEADER_BYTES + sizes.getUint32(0, true);
  if (base + sizes.getUint32(4, true) !== bytes.length) return null;
  const header = JSON.parse(toText(HEADER_BYTES, base)) as { stamp: string; index: Index };
  if (header.stamp !== stamp) return null;
  return { buffer: bytes.buffer as ArrayBuffer, base: bytes.byteOffset + base, index: header.index };
}

/** The arrays of a release. A key must name the contents: one key, one value for all time. */
export class ArrayStore {
  private file: OpenFile | null | undefined;

  constructor(readonly release: string) {}

  /** The array of `key` in the file and the number kept with it; null if there is none. */
  find(key: string): { readonly array: StoredArray; readonly extra: number } | null {
    if (this.file === undefined) {
      const stored = offered === null ? null : offered(this.release);
      this.file = stored === null ? null : openFile(stored);
    }
    if (this.file === null) return null;
    const { buffer, base, index } = this.file;
    const entry = index[key];
    if (entry === undefined) return null;
    const type = TYPES[entry[0]];
    if (type === undefined) return null;
    return { array: new type(buffer, base + entry[1], entry[2]), extra: entry[3] };
  }

  /** Keeps an array with a number beside it, if arrays are being recorded. */
  record(key: string, array: StoredArray, extra: number): void {
    const known = this.recorded();
    if (known === null) return;
    const before = known.get(key);
    if (before !== undefined && (before.extra !== extra || before.array.some((x, i) => x !== array[i])))
      throw new Error(`array store: two arrays with the key ${key}`);
    known.set(key, { array, extra });
  }

  /** An array by key, from the file or made now. */
  array<T extends StoredArray>(key: string, make: () => T): T {
    const known = this.find(key);
    if (known !== null) return known.array as T;
    const array = make();
    this.recorded()?.set(key, { array, extra: 0 });
    return array;
  }

  /** Like `array` for several that are made together. */
  arrays<G extends Record<string, StoredArray>>(key: string, names: readonly (keyof G & string)[], make: () => G): G {
    const found: Record<string, StoredArray> = {};
    for (const name of names) {
      const known = this.find(`${key}.${name}`);
      if (known === null) {
        const made = make();
        const recorded = this.recorded();
        if (recorded !== null)
          for (const n of names) recorded.set(`${key}.${n}`, { array: made[n], extra: 0, isPart: true });
        return made;
      }
      found[name] = known.array;
    }
    return found as G;
  }

  private recorded(): Map<string, Recorded> | null {
    if (recording === null) return null;
    let known = recording.get(this.release);
    if (known === undefined) recording.set(this.release, (known = new Map()));
    return known;
  }
}
