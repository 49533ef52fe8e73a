/**
 * llvm::hash_combine_range over 32-bit numbers, as the LLVM 22 of distributions computes it: CityHash with a fixed seed (Hashing.h; later releases hash otherwise).
 * All arithmetic is modulo 2^64.
 */
const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const K3 = 0xc949d7c7509e6557n;
const MURMUR = 0x9ddfea08eb382d69n;
const SEED = 0xff51afd7ed558ccdn;

const CHUNK = 64;

const wrap = (x: bigint): bigint => BigInt.asUintN(64, x);
const turn = (x: bigint, by: number): bigint => (by === 0 ? x : wrap((wrap(x) >> BigInt(by)) | (x << BigInt(64 - by))));
const fold = (x: bigint): bigint => wrap(x) ^ (wrap(x) >> 47n);

function pair(low: bigint, high: bigint): bigint {
  const a = fold((wrap(low) ^ wrap(high)) * MURMUR);
  return wrap(fold((wrap(high) ^ a) * MURMUR) * MURMUR);
}

/** Bytes as the hash reads them. */
class Bytes {
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.view.byteLength;
  }

  byte(at: number): number {
    return this.view.getUint8(at);
  }

  word(at: number): bigint {
    return BigInt(this.view.getUint32(at, true));
  }

  /** from the end for a negative place */
  long(at: number): bigint {
    return this.view.getBigUint64(at < 0 ? this.length + at : at, true);
  }
}

/** One to three bytes. */
function hashFew(s: Bytes): bigint {
  const n = s.length;
  const y = BigInt(s.byte(0) + s.byte(n >> 1) * 256);
  const z = BigInt(n + s.byte(n - 1) * 4);
  return wrap(fold(wrap(y * K2) ^ wrap(z * K3) ^ SEED) * K2);
}

function hash17To32(s: Bytes): bigint {
  const n = BigInt(s.length);
  const a = wrap(s.long(0) * K1);
  const b = s.long(8);
  const c = wrap(s.long(-8) * K2);
  const d = wrap(s.long(-16) * K0);
  return pair(turn(wrap(a - b), 43) + turn(c ^ SEED, 30) + d, a + turn(b ^ K3, 20) - c + n + SEED);
}

/** Two sums of 32 bytes, `first` of which goes into both with `start`. */
function halfOf64(first: bigint, next: readonly [bigint, bigint], last: bigint): readonly [bigint, bigint] {
  const b = turn(wrap(first + last), 52);
  const c = turn(wrap(first), 37) + turn(wrap(first + next[0]), 7);
  const a = wrap(first + next[0] + next[1]);
  return [wrap(a + last), wrap(b + turn(a, 31) + c)];
}

function hash33To64(s: Bytes): bigint {
  const begin = s.long(0) + (BigInt(s.length) + s.long(-16)) * K0;
  const [v, vs] = halfOf64(begin, [s.long(8), s.long(16)], s.long(24));
  const [w, ws] = halfOf64(s.long(16) + s.long(-32), [s.long(-24), s.long(-16)], s.long(-8));
  const r = fold((v + ws) * K2 + (w + vs) * K0);
  return wrap(fold((SEED ^ wrap(r * K0)) + vs) * K2);
}

function hashShort(s: Bytes): bigint {
  const n = s.length;
  if (n === 0) return K2 ^ SEED;
  if (n < 4) return hashFew(s);
  if (n <= 8) return pair(BigInt(n) + (s.word(0) << 3n), SEED ^ s.word(n - 4));
  if (n <= 16) return pair(SEED ^ s.long(0), turn(wrap(s.long(-8) + BigInt(n)), n)) ^ s.long(-8);
  return n <= 32 ? hash17To32(s) : hash33To64(s);
}

/** What longer inputs go through, 64 bytes at a time. */
class State {
  private h0 = 0n;
  private h1 = SEED;
  private h2 = pair(SEED, K1);
  private h3 = turn(SEED ^ K1, 49);
  private h4 = wrap(SEED * K1);
  private h5 = fold(SEED);
  private h6 = pair(this.h4, this.h5);

  constructor(private readonly s: Bytes) {}

  private mix32(at: number, a: bigint, b: bigint): readonly [bigint, bigint] {
    const { s } = this;
    const first = wrap(a + s.long(at));
    const last = s.long(at + 24);
    const all = wrap(first + s.long(at + 8) + s.long(at + 16));
    return [wrap(all + last), wrap(turn(wrap(b + first + last), 21) + turn(all, 44) + first)];
  }

  mix(at: number): void {
    const { s } = this;
    const h0 = wrap(turn(wrap(this.h0 + this.h1 + this.h3 + s.long(at + 8)), 37) * K1) ^ this.h6;
    const h1 = wrap(turn(wrap(this.h1 + this.h4 + s.long(at + 48)), 42) * K1 + this.h3 + s.long(at + 40));
    const h2 = wrap(turn(wrap(this.h2 + this.h5), 33) * K1);
    [this.h3, this.h4] = this.mix32(at, wrap(this.h4 * K1), wrap(h0 + this.h5));
    [this.h5, this.h6] = this.mix32(at + 32, wrap(h2 + this.h6), wrap(h1 + s.long(at + 16)));
    this.h0 = h2;
    this.h1 = h1;
    this.h2 = h0;
  }

  finish(): bigint {
    const low = pair(this.h3, this.h5) + fold(this.h1) * K1 + this.h2;
    const high = pair(this.h4, this.h6) + fold(BigInt(this.s.length)) * K1 + this.h0;
    return pair(low, high);
  }
}

/**
 * The hash of these bytes.
 * @llvm Hashing.h hash_combine_range
 */
function hashBytes(bytes: Uint8Array): bigint {
  const s = new Bytes(bytes);
  if (s.length <= CHUNK) return hashShort(s);
  const state = new State(s);
  const whole = s.length - (s.length % CHUNK);
  for (let at = 0; at < whole; at += CHUNK) state.mix(at);
  if (whole < s.length) state.mix(s.length - CHUNK);
  return state.finish();
}

/** A number with the bytes that it takes. */
export type Sized = readonly [value: bigint, bytes: 1 | 4 | 8];

/**
 * The hash of numbers, one after the other.
 * @llvm Hashing.h hash_combine
 */
export function hashNumbers(numbers: readonly Sized[]): bigint {
  const bytes: number[] = [];
  for (const [value, size] of numbers)
    for (let k = 0n; k < size; k++) bytes.push(Number((BigInt.asUintN(64, value) >> (8n * k)) & 255n));
  return hashBytes(Uint8Array.from(bytes));
}
