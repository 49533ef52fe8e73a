/** The packed format: what the writer of the generator writes, the reader of the server reads. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as encode from '../../../server/tools/pack/encode.js';
import { NameIndex } from '../../../server/src/target/nameIndex.js';
import { listAt, NameList, PackReader, SortedNames } from '../../../server/src/target/packed.js';

const int32 = fc.integer({ min: -0x80000000, max: 0x7fffffff });
/** Arrays with the repetitions that the format looks for. */
const repetitive = fc
  .array(fc.tuple(fc.array(fc.oneof(fc.integer({ min: 0, max: 200 }), int32), { maxLength: 12 }), fc.nat(9)))
  .map((parts) => parts.flatMap(([list, n]) => Array.from({ length: n + 1 }, () => list).flat()));

describe('packed tables', () => {
  it('gives numbers back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), int32, (u, i) => {
        const text = encode.uint(u) + encode.int(i);
        assert.match(text, /^[!#-[\]-~]*$/);
        const r = new PackReader(text);
        assert.equal(r.uint() >>> 0, u);
        assert.equal(r.int(), i);
        assert.equal(r.pos, text.length);
      }),
    );
  });

  it('gives arrays and lists back', () => {
    fc.assert(
      fc.property(repetitive, fc.array(fc.array(int32)), (list, lists) => {
        const text = encode.ints(list) + encode.lists(lists);
        const r = new PackReader(text);
        assert.deepEqual(Array.from(r.ints()), list);
        const back = r.lists();
        assert.deepEqual(
          lists.map((_, i) => Array.from(listAt(back, i))),
          lists,
        );
        assert.equal(r.pos, text.length);
      }),
    );
  });

  it('keeps unsigned 32-bit values', () => {
    const list = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe];
    assert.deepEqual(Array.from(new PackReader(encode.ints(list)).uint32s()), list);
  });

  it('packs a repeated sequence with a constant offset small', () => {
    const list = Array.from({ length: 10000 }, (_, i) => i * 3 + (i % 4));
    assert.ok(encode.ints(list).length < 40);
  });

  it('finds every name and no other', () => {
    const name = fc.stringMatching(/^[A-Z][A-Za-z0-9_]{0,70}$/);
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(names, names, fc.integer({ min: 1, max: 20 }), (list, others, perBlock) => {
        const unsorted = new NameList(new PackReader(encode.names(list, perBlock)));
        list.forEach((n, i) => assert.equal(unsorted.name(i), n));
        assert.equal(unsorted.name(list.length), '');
        const index = new NameIndex((n) => unsorted.name(n), unsorted.makeSlots());
        for (const n of [...list, ...others]) assert.equal(index.find(`<${n}>`, 1, 1 + n.length), list.indexOf(n));
        list.sort((a, b) => (a < b ? -1 : 1));
        // Blocks as those of another list, of which some names are gone and some are new.
        const starts = new NameList(new PackReader(encode.names([...list, ...others].sort(), perBlock))).blockStarts();
        for (const text of [encode.sortedNames(list, perBlock), encode.sortedNames(list, perBlock, starts)]) {
          const sorted = new SortedNames(new PackReader(text));
          for (const n of [...list, ...others]) assert.equal(sorted.find(`<${n}>`, 1, 1 + n.length), list.indexOf(n));
          list.forEach((n, i) => assert.equal(sorted.name(i), n));
        }
      }),
    );
  });
});
