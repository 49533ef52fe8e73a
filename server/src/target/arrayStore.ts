/**
 * Arrays of the target tables that were decoded beforehand. Decoding takes tens of milliseconds in a fresh process, more than
 * everything else that a short command does; the build therefore runs the command once, records the arrays that it decoded,
 * and ships them as one binary file, from which a later process takes views. Without that file the tables decode themselves.
 *
 * The store changes no answer, only the time until it is there: it is part of the lazily filled constant tables.
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

interface Store {
  readonly buffer: ArrayBuffer;
  /** where the data begins in `buffer` */
  readonly base: number;
  readonly index: Index;
}

interface Recorded {
  readonly array: StoredArray;
  readonly extra: number;
  /** one of several that are only found together */
  readonly isPart?: boolean;
}

let store: Store | null = null;
let recording: Map<string, Recorded> | null = null;

/**
 * Offers the arrays of a file made by `packRecordedArrays`, as views of it. `toText` makes a string of the file's
 * bytes from `start` to `end`, which are ASCII. A file
 * of another build (`stamp` differs) or one that was cut short is ignored; the result tells.
 */
export function installStoredArrays(
  file: Uint8Array,
  stamp: string,
  toText: (start: number, end: number) => string,
): boolean {
  if (file.length < HEADER_BYTES || file.byteOffset % ALIGNMENT !== 0) return false;
  const sizes = new DataView(file.buffer, file.byteOffset, HEADER_BYTES);
  const base = HEADER_BYTES + sizes.getUint32(0, true);
  if (base + sizes.getUint32(4, true) !== file.length) return false;
  const header = JSON.parse(toText(HEADER_BYTES, base)) as { stamp: string; index: Index };
  if (header.stamp !== stamp) return false;
  store = { buffer: file.buffer as ArrayBuffer, base: file.byteOffset + base, index: header.index };
  return true;
}

/** From now on every array that is decoded is kept for `packRecordedArrays`. */
export function recordArrays(): void {
  recording = new Map();
}

/** The file for `installStoredArrays` with all arrays since `recordArrays`, whose recording ends. */
export function packRecordedArrays(stamp: string): Uint8Array {
  const index: Record<string, readonly [number, number, number, number]> = {};
  const parts: [number, StoredArray][] = [];
  let size = 0;
  const recorded = recording ?? [];
  recording = null;
  for (const [key, { array, extra, isPart }] of recorded) {
    if (array.byteLength < MIN_BYTES && isPart !== true) continue;
    const type = TYPES.findIndex((t) => array instanceof t);
    index[key] = [type, size, array.length, extra];
    parts.push([size, array]);
    size = Math.ceil((size + array.byteLength) / ALIGNMENT) * ALIGNMENT;
  }
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

/** An array by key, from the file or made now. The key must name the contents: one key, one value for all time. */
export function storedArray<T extends StoredArray>(key: string, make: () => T): T {
  const known = findStored(key);
  if (known !== null) return known.array as T;
  const array = make();
  if (recording !== null) recording.set(key, { array, extra: 0 });
  return array;
}

/** The array of `key` in the installed file and the number kept with it; null if there is none. */
export function findStored(key: string): { readonly array: StoredArray; readonly extra: number } | null {
  if (store === null) return null;
  const entry = store.index[key];
  if (entry === undefined) return null;
  const type = TYPES[entry[0]];
  if (type === undefined) return null;
  return { array: new type(store.buffer, store.base + entry[1], entry[2]), extra: entry[3] };
}

/** Keeps an array with a number beside it, if arrays are being recorded. */
export function recordStored(key: string, array: StoredArray, extra: number): void {
  if (recording === null) return;
  const before = recording.get(key);
  if (before !== undefined && (before.extra !== extra || before.array.some((x, i) => x !== array[i])))
    throw new Error(`array store: two arrays with the key ${key}`);
  recording.set(key, { array, extra });
}

/** Like storedArray for several arrays that are made together. */
export function storedArrays<G extends Record<string, StoredArray>>(
  key: string,
  names: readonly (keyof G & string)[],
  make: () => G,
): G {
  const found: Record<string, StoredArray> = {};
  for (const name of names) {
    const known = findStored(`${key}.${name}`);
    if (known === null) {
      const made = make();
      if (recording !== null)
        for (const n of names) recording.set(`${key}.${n}`, { array: made[n], extra: 0, isPart: true });
      return made;
    }
    found[name] = known.array;
  }
  return found as G;
}
