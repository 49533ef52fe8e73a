/**
 * Writer of the packed tables (the reader and the format are described in `server/src/target/packed.ts`).
 */

const FIRST_DIGIT = 35;
const FINAL_DIGITS = 60;

function digit(d: number): string {
  return d === 57 ? '!' : String.fromCharCode(FIRST_DIGIT + d);
}

/** One unsigned 32-bit number. */
export function uint(v: number): string {
  if (!Number.isInteger(v) || v < 0 || v > 0xffffffff) throw new Error(`not an unsigned 32-bit number: ${v}`);
  let res = '';
  while (v >= FINAL_DIGITS) {
    // The reader subtracts nothing: a digit that goes on carries exactly the five low bits.
    res += digit(FINAL_DIGITS + (v % 32));
    v = Math.floor(v / 32);
  }
  return res + digit(v);
}

function zigzag(v: number): number {
  return ((v << 1) ^ (v >> 31)) >>> 0;
}

/** One signed 32-bit number. */
export function int(v: number): string {
  if ((v | 0) !== v) throw new Error(`not a signed 32-bit number: ${v}`);
  return uint(zigzag(v));
}

export function string(s: string): string {
  if (!/^[ -!#-\[\]-~]*$/.test(s)) throw new Error(`not plain text: ${s}`);
  return uint(s.length) + s;
}

export function strings(list: readonly string[]): string {
  if (list.some((s) => s.includes(','))) throw new Error('a name holds a comma');
  return string(list.join(','));
}

const MIN_MATCH = 2;
const MAX_CHAIN = 400;

/** Literal runs and copies over `values`; `put` writes one literal. */
function compress(values: readonly number[], put: (v: number) => string): string {
  const n = values.length;
  const cost = values.map((v) => put(v).length);
  const costSum = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) costSum[i + 1] = costSum[i]! + cost[i]!;
  const heads = new Map<number, number>();
  const prev = new Int32Array(n).fill(-1);
  const key = (i: number): number => values[i]! * 1000003 + values[i + 1]!;
  const insert = (i: number): void => {
    if (i + 1 >= n) return;
    const k = key(i);
    prev[i] = heads.get(k) ?? -1;
    heads.set(k, i);
  };
  /** [length, distance, characters saved] of the best copy at `i` */
  const best = (i: number): [number, number, number] => {
    let res: [number, number, number] = [0, 0, 0];
    if (i + 1 >= n) return res;
    let tries = 0;
    for (let c = heads.get(key(i)) ?? -1; c >= 0 && tries < MAX_CHAIN; c = prev[c]!, tries++) {
      let l = 0;
      while (i + l < n && values[c + l] === values[i + l]) l++;
      if (l < MIN_MATCH) continue;
      const saved = costSum[i + l]! - costSum[i]! - uint(l).length - uint(i - c).length - 1;
      if (saved > res[2]) res = [l, i - c, saved];
      if (l > 5000) break;
    }
    return res;
  };
  let out = '';
  let literalStart = 0;
  let i = 0;
  const flush = (end: number): void => {
    out += uint(end - literalStart);
    for (let k = literalStart; k < end; k++) out += put(values[k]!);
  };
  while (i < n) {
    const here = best(i);
    if (here[2] <= 0) {
      insert(i++);
      continue;
    }
    insert(i);
    const next = best(i + 1);
    if (next[2] > here[2] + 1) {
      i++;
      continue;
    }
    flush(i);
    out += uint(here[0]) + uint(here[1]);
    const end = i + here[0];
    for (let k = i + 1; k < end; k++) insert(k);
    i = literalStart = end;
  }
  if (literalStart < n) flush(n);
  return out;
}

/** An array of 32-bit integers (unsigned values above 2^31 are taken as their signed twins), in its shortest mode. */
export function ints(list: ArrayLike<number>): string {
  const values = Array.from(list, (v) => {
    if (!Number.isInteger(v) || v < -0x80000000 || v > 0xffffffff) throw new Error(`not a 32-bit number: ${v}`);
    return v | 0;
  });
  const head = uint(values.length);
  if (values.length === 0) return head + uint(0);
  const deltas = values.map((v, i) => (v - (i === 0 ? 0 : values[i - 1]!)) | 0);
  const forms = [
    uint(0) +
      compress(
        values.map((v) => v >>> 0),
        uint,
      ),
    uint(1) + compress(values, int),
    uint(2) + compress(deltas, int),
  ];
  forms.sort((a, b) => a.length - b.length);
  return head + forms[0]!;
}

export function lists(all: readonly ArrayLike<number>[]): string {
  return ints(all.map((l) => l.length)) + ints(all.flatMap((l) => Array.from(l)));
}

/** Lists that are read one at a time (LazyLists). */
export function lazyLists(all: readonly ArrayLike<number>[]): string {
  const pieces = all.map(ints);
  return ints(pieces.map((p) => p.length)) + pieces.join('');
}

/** Parts that are read in any order (Pieces). */
export function pieces(parts: readonly string[]): string {
  return ints(parts.map((p) => p.length)) + parts.join('');
}

/**
 * Names in blocks of `perBlock`, see NameList. Large blocks are smaller and read more slowly. With `starts`, at which the blocks of another release begin,
 * they begin there, too, so that a new name changes its own block alone.
 */
export function names(list: readonly string[], perBlock: number, starts: ReadonlySet<string> = new Set()): string {
  const most = starts.size > 0 ? 2 * perBlock : perBlock;
  const firsts: number[] = [];
  list.forEach((name, i) => {
    if (i === 0 || starts.has(name) || i - firsts.at(-1)! === most) firsts.push(i);
  });
  firsts.push(list.length);
  const blocks: string[] = [];
  for (let b = 0; b + 1 < firsts.length; b++) {
    let text = '';
    for (let i = firsts[b]!; i < firsts[b + 1]!; i++) {
      const name = list[i]!;
      let shared = 0;
      if (i > firsts[b]!) {
        const last = list[i - 1]!;
        while (shared < name.length && shared < last.length && name[shared] === last[shared]) shared++;
        text += uint(shared);
      }
      text += string(name.slice(shared));
    }
    blocks.push(text);
  }
  return ints(firsts) + ints(blocks.map((b) => b.length)) + blocks.join('');
}

/** For SortedNames. */
export function sortedNames(list: readonly string[], perBlock: number, starts?: ReadonlySet<string>): string {
  for (let i = 1; i < list.length; i++)
    if (!(list[i - 1]! < list[i]!)) throw new Error(`names are not sorted: ${list[i - 1]} ${list[i]}`);
  return names(list, perBlock, starts);
}

/** Numbers lists by first appearance, each distinct list once. */
export class Pool<T> {
  readonly items: T[] = [];
  private readonly ids = new Map<string, number>();
  add(item: T): number {
    const key = JSON.stringify(item);
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.items.length;
      this.ids.set(key, id);
      this.items.push(item);
    }
    return id;
  }
}
