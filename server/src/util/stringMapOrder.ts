/**
 * The order in which LLVM walks a StringMap: it shows wherever LLVM prints the first of something. Follows llvm/ADT/StringMap.h of LLVM 22: 16
 * buckets at first, twice as many above three quarters, quadratic probing, and the low 32 bits of XXH3 as hash (its description:
 * https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). Cost: some microseconds per key, for messages only.
 */

const FIRST_BUCKETS = 16;
const MASK = (1n << 64n) - 1n;

/** XXH3's default secret. */
const SECRET = Uint8Array.from(
  (
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c' +
    '3c2852bb91c300cb88d0658b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364ea' +
    'c5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e'
  )
    .match(/../g)!
    .map((byte) => parseInt(byte, 16)),
);

/** Longer keys are not hashed as XXH3 does. */
const MAX_LENGTH = 128;

function read(bytes: Uint8Array, at: number, length: number): bigint {
  let value = 0n;
  for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i] ?? 0);
  return value;
}

const swap = (v: bigint, bytes: number): bigint => {
  let res = 0n;
  for (let i = 0; i < bytes; i++) res |= ((v >> BigInt(8 * i)) & 255n) << BigInt(8 * (bytes - 1 - i));
  return res;
};
const rotate = (v: bigint, by: bigint): bigint => ((v << by) | (v >> (64n - by))) & MASK;
const times = (a: bigint, b: bigint): bigint => (a * b) & MASK;
/** upper and lower half of the product, folded */
const fold = (a: bigint, b: bigint): bigint => {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
};

const PRIME64_1 = 0x9e3779b185ebca87n;
const PRIME64_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME64_3 = 0x165667b19e3779f9n;
const PRIME_MX1 = 0x165667919e3779f9n;
const PRIME_MX2 = 0x9fb21c651e98df25n;

function avalanche(h: bigint): bigint {
  h = times(h ^ (h >> 37n), PRIME_MX1);
  return h ^ (h >> 32n);
}

function avalancheOfXXH64(h: bigint): bigint {
  h = times(h ^ (h >> 33n), PRIME64_2);
  h = times(h ^ (h >> 29n), PRIME64_3);
  return h ^ (h >> 32n);
}

const secret = (at: number, length = 8): bigint => read(SECRET, at, length);

/** XXH3 with 64 bits, seed 0, of at most MAX_LENGTH bytes. */
function xxh3(bytes: Uint8Array): bigint {
  const n = bytes.length;
  const at = (p: number, length = 8): bigint => read(bytes, p, length);
  if (n === 0) return avalancheOfXXH64(secret(56) ^ secret(64));
  if (n <= 3) {
    const [a, b, c] = [at(0, 1), at(n >> 1, 1), at(n - 1, 1)];
    const mixed = (a << 16n) | (b << 24n) | c | (BigInt(n) << 8n);
    return avalancheOfXXH64(mixed ^ secret(0, 4) ^ secret(4, 4));
  }
  if (n <= 8) {
    let h = (at(n - 4, 4) + (at(0, 4) << 32n)) ^ secret(8) ^ secret(16);
    h = times(h ^ rotate(h, 49n) ^ rotate(h, 24n), PRIME_MX2);
    h = times(h ^ ((h >> 35n) + BigInt(n)), PRIME_MX2);
    return h ^ (h >> 28n);
  }
  if (n <= 16) {
    const low = at(0) ^ secret(24) ^ secret(32);
    const high = at(n - 8) ^ secret(40) ^ secret(48);
    return avalanche((BigInt(n) + swap(low, 8) + high + fold(low, high)) & MASK);
  }
  const mix = (p: number, s: number): bigint => fold(at(p) ^ secret(s), at(p + 8) ^ secret(s + 8));
  let sum = times(BigInt(n), PRIME64_1);
  for (let i = (n - 1) >> 5; i >= 0; i--) sum += mix(16 * i, 32 * i) + mix(n - 16 * (i + 1), 32 * i + 16);
  return avalanche(sum & MASK);
}

/** The low half of XXH3 of a key. */
export const stringHash = (bytes: Uint8Array): number => Number(xxh3(bytes.subarray(0, MAX_LENGTH)) & 0xffffffffn);

/** Keys (without repetitions, as UTF-8) that were inserted in this order, in the order of LLVM's buckets: their indices. */
export function stringMapOrder(keys: readonly Uint8Array[]): number[] {
  const hashes = keys.map(stringHash);
  let buckets = new Int32Array(FIRST_BUCKETS).fill(-1);
  const place = (table: Int32Array, key: number): void => {
    const mask = table.length - 1;
    let at = (hashes[key] as number) & mask;
    for (let probe = 1; table[at] !== -1; probe++) at = (at + probe) & mask;
    table[at] = key;
  };
  keys.forEach((_, key) => {
    place(buckets, key);
    if ((key + 1) * 4 <= buckets.length * 3) return;
    const larger = new Int32Array(buckets.length * 2).fill(-1);
    for (const k of buckets) if (k >= 0) place(larger, k);
    buckets = larger;
  });
  return [...buckets].filter((key) => key >= 0);
}
