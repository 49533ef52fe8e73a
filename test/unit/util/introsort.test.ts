/**
 * The unstable sort of regions, and the heap of the ready queue. A sort is checked against its definition; what it does with ties is known up to 16
 * elements, where libstdc++'s std::sort is an insertion sort, which is stable. Beyond it, a program with std::sort and std::*_heap, built with
 * libstdc++ 12 or later, has made the hashes and counts of `BY_LIBSTDCXX`.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { introsort, makeHeap, popHeap, pushHeap } from '../../../server/src/util/introsort.js';

interface Item {
  readonly key: number;
  readonly id: number;
}

const items = (maxLength: number): fc.Arbitrary<Item[]> =>
  fc.array(fc.nat(6), { maxLength }).map((keys) => keys.map((key, id) => ({ key, id })));
const before = (x: Item, y: Item): boolean => x.key < y.key;

/** Keys below `keys`; 'killer' makes the middle of three a bad pivot again and again, so that the sort falls back to a heap. */
function inputOf(pattern: string, n: number, keys: number): Item[] {
  let state = 12345 + n * 31 + keys;
  const half = Math.floor(n / 2);
  const killer = (q: number): number => (q > half ? 2 * (q - half) : q % 2 === 1 ? q : half + q - 1);
  return Array.from({ length: n }, (_, id) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const key =
      pattern === 'random'
        ? (state >>> 16) % keys
        : pattern === 'up'
          ? (id * keys) / n
          : pattern === 'down'
            ? ((n - 1 - id) * keys) / n
            : (killer(id + 1) * keys) / n;
    return { key: Math.floor(key), id };
  });
}

/** FNV-1a, an element at a time. */
const hashOf = (ids: readonly Item[]): number =>
  ids.reduce((h, { id }) => Math.imul(h ^ id, 16777619) >>> 0, 2166136261);

/** How keys come, elements, keys, hash of the sorted elements, how often one was asked to be before another, hash of a heap and what it gives while more comes. */
const BY_LIBSTDCXX: readonly (readonly [string, number, number, number, number, number])[] = [
  ['random', 0, 7, 0x811c9dc5, 0, 0x811c9dc5],
  ['random', 0, 1000, 0x811c9dc5, 0, 0x811c9dc5],
  ['random', 1, 7, 0x050c5d1f, 0, 0x117697cd],
  ['random', 1, 1000, 0x050c5d1f, 0, 0x117697cd],
  ['random', 2, 7, 0x1076963a, 2, 0x216c306d],
  ['random', 2, 1000, 0x1076963a, 2, 0x216c306d],
  ['random', 3, 7, 0x22ae7a28, 4, 0x8ebe6ad8],
  ['random', 3, 1000, 0x22ae7a28, 4, 0x8ebe6ad8],
  ['random', 15, 7, 0x07e1a9e0, 57, 0xd6ef0df0],
  ['random', 15, 1000, 0xe66f9bee, 58, 0x46a63c32],
  ['random', 16, 7, 0x490bdc31, 73, 0xa7099170],
  ['random', 16, 1000, 0x4fde25af, 79, 0xbd6d9e44],
  ['random', 17, 3, 0xbff64949, 61, 0x3457f163],
  ['random', 17, 7, 0x517e7d93, 100, 0x669951ad],
  ['random', 17, 1000, 0xa07b0665, 92, 0xe4686acb],
  ['random', 18, 3, 0xf5b6973c, 79, 0x050acb93],
  ['random', 18, 7, 0x75ab09b8, 71, 0x534dfbff],
  ['random', 18, 1000, 0x58337c7a, 80, 0x31f5581d],
  ['random', 19, 3, 0x0ba103ac, 83, 0x40b59e65],
  ['random', 19, 7, 0x874cf720, 84, 0xe115370d],
  ['random', 19, 1000, 0x34fa77f6, 99, 0x67dbb873],
  ['random', 24, 3, 0xed85ee05, 110, 0x14c8e1db],
  ['random', 24, 7, 0x22465f1b, 122, 0xdcacefc3],
  ['random', 24, 1000, 0x351bee0f, 156, 0x2765b4cd],
  ['random', 33, 3, 0xcf2fbd1f, 123, 0xc9aa5c32],
  ['random', 33, 7, 0xde16af2d, 172, 0xf6380156],
  ['random', 33, 1000, 0xc49324c9, 201, 0x23343b02],
  ['random', 64, 3, 0x0e867bb5, 306, 0x537e4bd6],
  ['random', 64, 7, 0xd89ed3c7, 368, 0x0e0973be],
  ['random', 64, 1000, 0xb70a74d3, 419, 0x94538a8a],
  ['random', 100, 3, 0x9d528ea3, 495, 0x67bd67c0],
  ['random', 100, 7, 0x277732c3, 618, 0xc2d3245a],
  ['random', 100, 1000, 0x99ffc28f, 837, 0x7d4d3bb0],
  ['random', 200, 3, 0x56705e9b, 1246, 0xab1fae71],
  ['random', 200, 7, 0xe02e1f19, 1424, 0xfd8f4d65],
  ['random', 200, 1000, 0x8ad42243, 1735, 0xb8218651],
  ['random', 500, 3, 0x58f5b61d, 3535, 0x09e57fbb],
  ['random', 500, 7, 0xb5fbb6d7, 3647, 0x1ab5c5ff],
  ['random', 500, 1000, 0x679189cf, 5304, 0x22a3daa1],
  ['up', 0, 7, 0x811c9dc5, 0, 0x811c9dc5],
  ['up', 0, 1000, 0x811c9dc5, 0, 0x811c9dc5],
  ['up', 1, 7, 0x050c5d1f, 0, 0x117697cd],
  ['up', 1, 1000, 0x050c5d1f, 0, 0x117697cd],
  ['up', 2, 7, 0x1076963a, 2, 0x216c306d],
  ['up', 2, 1000, 0x1076963a, 2, 0x216c306d],
  ['up', 3, 7, 0x22ae7a28, 4, 0x8ebe6ad8],
  ['up', 3, 1000, 0x22ae7a28, 4, 0xb7c0e9fa],
  ['up', 15, 7, 0x8d1126b8, 28, 0xbb3f02f6],
  ['up', 15, 1000, 0x8d1126b8, 28, 0xdd881e5c],
  ['up', 16, 7, 0xc8fff215, 30, 0xe21bb462],
  ['up', 16, 1000, 0xc8fff215, 30, 0x4a77b4f4],
  ['up', 17, 3, 0x0b406077, 56, 0x183fe26b],
  ['up', 17, 7, 0x5b0762c9, 61, 0x7817e015],
  ['up', 17, 1000, 0x6fe9fddf, 55, 0x13c18f37],
  ['up', 18, 3, 0x4a0cd684, 59, 0x7a34cdc5],
  ['up', 18, 7, 0x4773f3c6, 65, 0xecf13283],
  ['up', 18, 1000, 0xfb5a8b4a, 58, 0xb2ac6b53],
  ['up', 19, 3, 0x86cf3548, 61, 0x085efd61],
  ['up', 19, 7, 0xc2d296ee, 67, 0xd5361a89],
  ['up', 19, 1000, 0x07895b88, 60, 0xd73e3143],
  ['up', 24, 3, 0x53ca5d5d, 74, 0x814b41bb],
  ['up', 24, 7, 0x71d71657, 82, 0x804d4245],
  ['up', 24, 1000, 0x849d51ed, 73, 0x9a573fe3],
  ['up', 33, 3, 0x5cbce1b9, 112, 0x71c7b226],
  ['up', 33, 7, 0x7073d6a7, 102, 0x125e5d36],
  ['up', 33, 1000, 0x8ef9c39f, 103, 0x0f59a4ea],
  ['up', 64, 3, 0xe6399ef9, 277, 0x605b3e0e],
  ['up', 64, 7, 0x37dc4c21, 304, 0x5cb9bbe2],
  ['up', 64, 1000, 0x6d3a0905, 307, 0x81eef052],
  ['up', 100, 3, 0x25189e77, 511, 0x8add2d34],
  ['up', 100, 7, 0x2df73d81, 492, 0xa2f1dd7a],
  ['up', 100, 1000, 0xde239011, 629, 0xb8d06388],
  ['up', 200, 3, 0xee2defc7, 1233, 0xd0e04df9],
  ['up', 200, 7, 0x0266f5e7, 1246, 0x2d4c6839],
  ['up', 200, 1000, 0x2306fb5d, 1543, 0x426e1999],
  ['up', 500, 3, 0x91509bbf, 3659, 0xc1bbeeaf],
  ['up', 500, 7, 0xec31dcaf, 3966, 0x35c8c775],
  ['up', 500, 1000, 0x64f8d4e1, 4571, 0xbe675871],
  ['down', 0, 7, 0x811c9dc5, 0, 0x811c9dc5],
  ['down', 0, 1000, 0x811c9dc5, 0, 0x811c9dc5],
  ['down', 1, 7, 0x050c5d1f, 0, 0x117697cd],
  ['down', 1, 1000, 0x050c5d1f, 0, 0x117697cd],
  ['down', 2, 7, 0xeb741d64, 1, 0x0daf435d],
  ['down', 2, 1000, 0xeb741d64, 1, 0x0daf435d],
  ['down', 3, 7, 0xa27be3e4, 2, 0xac67ae68],
  ['down', 3, 1000, 0xa27be3e4, 2, 0x8b653bde],
  ['down', 15, 7, 0x312c7c88, 76, 0x731c4102],
  ['down', 15, 1000, 0xe1998dc8, 14, 0xc3f6881c],
  ['down', 16, 7, 0xe50f5823, 88, 0xa47d79a6],
  ['down', 16, 1000, 0xfd211145, 15, 0x2ebd2390],
  ['down', 17, 3, 0xe68f2ce5, 59, 0x2d34148f],
  ['down', 17, 7, 0x5ca71ba9, 64, 0xa7184343],
  ['down', 17, 1000, 0x81a9947f, 65, 0x2335554f],
  ['down', 18, 3, 0x4e73719c, 61, 0x81c409a5],
  ['down', 18, 7, 0x10dd7a7a, 67, 0x653b16ad],
  ['down', 18, 1000, 0xebdb01a4, 68, 0xea77e743],
  ['down', 19, 3, 0x5c584e0c, 64, 0xf722e5d9],
  ['down', 19, 7, 0x1ec256ea, 70, 0x9100f277],
  ['down', 19, 1000, 0xf9bfde14, 71, 0x1cbb730d],
  ['down', 24, 3, 0xddf4cf4d, 76, 0x806cd735],
  ['down', 24, 7, 0xc8ce6c83, 84, 0x3ef79495],
  ['down', 24, 1000, 0xbc087395, 86, 0xf99eeab5],
  ['down', 33, 3, 0x367c3831, 108, 0xa66e6eb8],
  ['down', 33, 7, 0xa61708f7, 126, 0x3b1401e6],
  ['down', 33, 1000, 0x2ef71a5f, 132, 0x3dea6cac],
  ['down', 64, 3, 0x47c56157, 275, 0xa21ea99c],
  ['down', 64, 7, 0x0d4cebeb, 287, 0xb52533f4],
  ['down', 64, 1000, 0xfb1881c5, 274, 0x2fadd39a],
  ['down', 100, 3, 0x62b3d4a5, 481, 0xf4ebc4f2],
  ['down', 100, 7, 0x70b61e2f, 473, 0x1976dbee],
  ['down', 100, 1000, 0x146cf8b9, 526, 0x8eb2e7a0],
  ['down', 200, 3, 0xef8605cb, 1218, 0x6b8222f9],
  ['down', 200, 7, 0x42eee1dd, 1191, 0xe66ed31b],
  ['down', 200, 1000, 0xfb03f0d5, 1242, 0x4380598b],
  ['down', 500, 3, 0x298ce383, 3651, 0xe50098a5],
  ['down', 500, 7, 0xcfffd6a9, 3715, 0xfdcafad3],
  ['down', 500, 1000, 0xa81b4e59, 3574, 0xc342bae5],
  ['killer', 0, 7, 0x811c9dc5, 0, 0x811c9dc5],
  ['killer', 0, 1000, 0x811c9dc5, 0, 0x811c9dc5],
  ['killer', 1, 7, 0x050c5d1f, 0, 0x117697cd],
  ['killer', 1, 1000, 0x050c5d1f, 0, 0x117697cd],
  ['killer', 2, 7, 0x1076963a, 2, 0x216c306d],
  ['killer', 2, 1000, 0x1076963a, 2, 0x216c306d],
  ['killer', 3, 7, 0x22ae7a28, 4, 0x8ebe6ad8],
  ['killer', 3, 1000, 0x22ae7a28, 4, 0x8ebe6ad8],
  ['killer', 15, 7, 0xc3b13290, 51, 0xe4b0ba02],
  ['killer', 15, 1000, 0x6d4fd58e, 52, 0xef8de78e],
  ['killer', 16, 7, 0xdef0ef6b, 59, 0x6ff2ae04],
  ['killer', 16, 1000, 0x4f22d3b9, 64, 0xfda2fd12],
  ['killer', 17, 3, 0x7a1e7c23, 64, 0x15358c81],
  ['killer', 17, 7, 0x9bda08a1, 77, 0x9b51ab97],
  ['killer', 17, 1000, 0x3cd3330b, 79, 0x0349c46d],
  ['killer', 18, 3, 0x5ccbd04a, 64, 0xb78134b7],
  ['killer', 18, 7, 0x3eb91cfc, 80, 0x4cdb7199],
  ['killer', 18, 1000, 0x3a68a886, 87, 0x6cfaea97],
  ['killer', 19, 3, 0xe6891ed0, 72, 0x019f0547],
  ['killer', 19, 7, 0x63797f20, 80, 0xf633160f],
  ['killer', 19, 1000, 0x86c160fc, 89, 0x737b867f],
  ['killer', 24, 3, 0xf0732ae7, 92, 0xa81d7fd5],
  ['killer', 24, 7, 0x7ce29dd3, 115, 0x94bd04e1],
  ['killer', 24, 1000, 0x36721039, 132, 0x12968643],
  ['killer', 33, 3, 0x0ea927cf, 143, 0xced85066],
  ['killer', 33, 7, 0x5ac2297d, 177, 0xb1ea7ad0],
  ['killer', 33, 1000, 0xc1e24b8f, 197, 0xacd644cc],
  ['killer', 64, 3, 0x10206bcf, 281, 0x1f3fe2e0],
  ['killer', 64, 7, 0x49905ab1, 339, 0x2db476b8],
  ['killer', 64, 1000, 0x16137945, 627, 0xf1b94788],
  ['killer', 100, 3, 0xe48de0ab, 516, 0x5f2daa2c],
  ['killer', 100, 7, 0x246ce90f, 604, 0x8cc286c4],
  ['killer', 100, 1000, 0x787bd1bb, 1210, 0x34160674],
  ['killer', 200, 3, 0x896beecb, 1225, 0xfc35e125],
  ['killer', 200, 7, 0xa8a2ab69, 1241, 0x80f5ed2b],
  ['killer', 200, 1000, 0xe3d569cd, 3172, 0x2717d955],
  ['killer', 500, 3, 0xbd0146ef, 3570, 0x53439e73],
  ['killer', 500, 7, 0x67d32a23, 4065, 0xed97baf1],
  ['killer', 500, 1000, 0xaf1c6ae7, 9699, 0x42f43705],
]; // prettier-ignore

describe('introsort', () => {
  for (const pattern of ['random', 'up', 'down', 'killer'])
    it(`orders ties as std::sort does, and heaps as std::make_heap: ${pattern}`, () => {
      for (const [p, n, keys, sorted, questions, heaped] of BY_LIBSTDCXX) {
        if (p !== pattern) continue;
        const a = inputOf(p, n, keys);
        let asked = 0;
        introsort(a, (x, y) => {
          asked++;
          return before(x, y);
        });
        assert.equal(hashOf(a), sorted, `${n} elements, ${keys} keys`);
        assert.equal(asked, questions, `questions about ${n} elements, ${keys} keys`);
        const heap = inputOf(p, n, keys);
        makeHeap(heap, before);
        const out = [...heap];
        let fresh = n;
        for (let step = 0; step < 2 * n && heap.length > 0; step++) {
          if (step % 3 === 2) {
            pushHeap(heap, before, { key: (fresh * 7) % keys, id: fresh });
            fresh++;
          } else out.push(popHeap(heap, before));
        }
        assert.equal(hashOf([...out, ...heap]), heaped, `heap of ${n}, ${keys} keys`);
      }
    });

  it('sorts and loses nothing', () => {
    fc.assert(
      fc.property(items(200), (input) => {
        const a = [...input];
        introsort(a, before);
        for (let k = 1; k < a.length; k++) assert.ok(a[k - 1].key <= a[k].key);
        assert.deepEqual(
          a.map((x) => x.id).sort((x, y) => x - y),
          input.map((x) => x.id),
        );
      }),
    );
  });

  it('keeps ties of up to 16 elements in place', () => {
    fc.assert(
      fc.property(items(16), (input) => {
        const a = [...input];
        introsort(a, before);
        assert.deepEqual(
          a,
          [...input].sort((x, y) => x.key - y.key || x.id - y.id),
        );
      }),
    );
  });
});
