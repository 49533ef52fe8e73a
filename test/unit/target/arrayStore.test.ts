/** Arrays that were decoded beforehand: what comes out of a file is what went in, and a file that is not whole or of another build is none. */
import assert from 'node:assert/strict';
import {
  ArrayStore,
  offerStoredArrays,
  packRecordedArrays,
  recordArrays,
} from '../../../server/src/target/arrayStore.js';

const STAMP = 'stamp of a test';
const never = (): never => assert.fail('made again');

const RELEASE = 'release of a test';

/** A store with that file, if it is of the release. */
function storeOf(bytes: Uint8Array | null, stamp = STAMP, release = RELEASE): ArrayStore {
  const toText = (start: number, end: number): string => Buffer.from(bytes!.subarray(start, end)).toString('latin1');
  offerStoredArrays((name) => (bytes === null || name !== RELEASE ? null : { bytes, stamp, toText }));
  return new ArrayStore(release);
}

const ARRAYS = {
  'test.i32': Int32Array.from({ length: 17 }, (_, k) => k * -123456789),
  'test.u32': Uint32Array.from({ length: 16 }, (_, k) => 0xffffffff - k),
  'test.i16': Int16Array.from({ length: 35 }, (_, k) => k - 17),
  'test.u16': Uint16Array.from({ length: 33 }, (_, k) => 0xffff - k),
  'test.i8': Int8Array.from({ length: 65 }, (_, k) => k - 64),
  'test.u8': Uint8Array.from({ length: 129 }, (_, k) => 255 - k),
};

describe('arrays decoded beforehand', () => {
  let file: Uint8Array;

  before(() => {
    recordArrays();
    const store = storeOf(null);
    for (const [key, array] of Object.entries(ARRAYS))
      assert.equal(
        store.array(key, () => array),
        array,
      );
    store.array('test.small', () => new Uint8Array(63));
    store.array('test.least', () => new Uint8Array(64));
    store.record('test.extra', ARRAYS['test.u16'], 4711);
    store.record('test.extra', ARRAYS['test.u16'].slice(), 4711);
    new ArrayStore('another release').record('test.extra', Uint8Array.of(1), 0);
    store.arrays('test.group', ['a', 'b'], () => ({
      a: Uint8Array.of(1, 2),
      b: Int32Array.from({ length: 20 }, (_, k) => -k),
    }));
    assert.throws(() => store.record('test.extra', ARRAYS['test.u16'], 4712), /two arrays with the key test\.extra/);
    const other = ARRAYS['test.u16'].slice();
    other[32] = 0;
    assert.throws(() => store.record('test.extra', other, 4711), /two arrays with the key/);
    file = packRecordedArrays(RELEASE, STAMP);
  });
  // Nothing is left of it for other tests.
  after(() => storeOf(null));

  it('are not there without a file, and not of another release', () => {
    for (const make of [() => storeOf(null), () => storeOf(file, STAMP, 'another release')]) {
      const store = make();
      assert.equal(store.find('test.i32'), null);
      assert.deepEqual(
        store.array('test.i32', () => Int32Array.of(1)),
        Int32Array.of(1),
      );
    }
  });

  it('are asked for when the first is', () => {
    const store = storeOf(null);
    storeOf(file);
    assert.deepEqual(store.array('test.i32', never), ARRAYS['test.i32']);
  });

  it('are not taken from a file that is cut short, of another build, or in the wrong place', () => {
    const isNone = (bytes: Uint8Array, stamp = STAMP): void =>
      assert.equal(storeOf(bytes, stamp).find('test.i32'), null);
    isNone(file, 'another stamp');
    for (const length of [0, 7, 8, file.length - 1]) isNone(file.slice(0, length));
    const longer = new Uint8Array(file.length + 1);
    longer.set(file);
    isNone(longer);
    const shifted = new Uint8Array(file.length + 8);
    shifted.set(file, 4);
    isNone(shifted.subarray(4, 4 + file.length));
  });

  for (const [where, offset] of [
    ['its own memory', 0],
    ['the midst of other memory', 64],
  ] as const)
    it(`come from a file in ${where}, with their types and what is kept beside them`, () => {
      const memory = new Uint8Array(file.length + 2 * offset).fill(0xee);
      memory.set(file, offset);
      const store = storeOf(memory.subarray(offset, offset + file.length));
      for (const [key, array] of Object.entries(ARRAYS)) assert.deepEqual(store.array<typeof array>(key, never), array);
      assert.deepEqual(store.find('test.extra'), { array: ARRAYS['test.u16'], extra: 4711 });
      const group = store.arrays('test.group', ['a', 'b'], never);
      assert.deepEqual(group, { a: Uint8Array.of(1, 2), b: Int32Array.from({ length: 20 }, (_, k) => -k) });
    });

  it('are made where they are not in the file: small ones, unknown ones, groups that are not whole', () => {
    const store = storeOf(file.slice());
    assert.equal(store.find('test.small'), null);
    assert.deepEqual(store.array('test.least', never), new Uint8Array(64));
    assert.deepEqual(
      store.array('test.unknown', () => Uint8Array.of(7)),
      Uint8Array.of(7),
    );
    const made = { a: Uint8Array.of(9), c: Uint8Array.of(8) };
    assert.equal(
      store.arrays('test.group', ['a', 'c'], () => made),
      made,
    );
  });
});
