/** Arrays that were decoded beforehand: what comes out of a file is what went in, and a file that is not whole or of another build is none. */
import assert from 'node:assert/strict';
import {
  findStored,
  installStoredArrays,
  packRecordedArrays,
  recordArrays,
  recordStored,
  storedArray,
  storedArrays,
} from '../../../server/src/target/arrayStore.js';

const STAMP = 'stamp of a test';
const never = (): never => assert.fail('made again');

const install = (file: Uint8Array, stamp = STAMP): boolean =>
  installStoredArrays(file, stamp, (start, end) => Buffer.from(file.subarray(start, end)).toString('latin1'));

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
    for (const [key, array] of Object.entries(ARRAYS))
      assert.equal(
        storedArray(key, () => array),
        array,
      );
    storedArray('test.small', () => new Uint8Array(63));
    storedArray('test.least', () => new Uint8Array(64));
    recordStored('test.extra', ARRAYS['test.u16'], 4711);
    recordStored('test.extra', ARRAYS['test.u16'].slice(), 4711);
    storedArrays('test.group', ['a', 'b'], () => ({
      a: Uint8Array.of(1, 2),
      b: Int32Array.from({ length: 20 }, (_, k) => -k),
    }));
    assert.throws(() => recordStored('test.extra', ARRAYS['test.u16'], 4712), /two arrays with the key test\.extra/);
    const other = ARRAYS['test.u16'].slice();
    other[32] = 0;
    assert.throws(() => recordStored('test.extra', other, 4711), /two arrays with the key/);
    file = packRecordedArrays(STAMP);
  });
  function installNothing(): void {
    recordArrays();
    assert.ok(install(packRecordedArrays(STAMP)));
    assert.equal(findStored('test.i32'), null);
  }
  beforeEach(installNothing);
  // Nothing is left of it for other tests.
  after(installNothing);

  it('are not there in an empty file', () => {
    assert.equal(findStored('test.i32'), null);
    assert.deepEqual(
      storedArray('test.i32', () => Int32Array.of(1)),
      Int32Array.of(1),
    );
    // Packing has ended the recording: another array of a key is no error any more.
    recordStored('test.extra', Uint8Array.of(1), 0);
  });

  it('are not taken from a file that is cut short, of another build, or in the wrong place', () => {
    assert.equal(install(file, 'another stamp'), false);
    for (const length of [0, 7, 8, file.length - 1])
      assert.equal(install(file.slice(0, length)), false, String(length));
    const longer = new Uint8Array(file.length + 1);
    longer.set(file);
    assert.equal(install(longer), false);
    const shifted = new Uint8Array(file.length + 8);
    shifted.set(file, 4);
    assert.equal(install(shifted.subarray(4, 4 + file.length)), false);
    assert.equal(findStored('test.i32'), null);
  });

  for (const [where, offset] of [
    ['its own memory', 0],
    ['the midst of other memory', 64],
  ] as const)
    it(`come from a file in ${where}, with their types and what is kept beside them`, () => {
      const memory = new Uint8Array(file.length + 2 * offset).fill(0xee);
      memory.set(file, offset);
      assert.equal(install(memory.subarray(offset, offset + file.length)), true);
      for (const [key, array] of Object.entries(ARRAYS)) assert.deepEqual(storedArray<typeof array>(key, never), array);
      assert.deepEqual(findStored('test.extra'), { array: ARRAYS['test.u16'], extra: 4711 });
      const group = storedArrays('test.group', ['a', 'b'], never);
      assert.deepEqual(group, { a: Uint8Array.of(1, 2), b: Int32Array.from({ length: 20 }, (_, k) => -k) });
    });

  it('are made where they are not in the file: small ones, unknown ones, groups that are not whole', () => {
    assert.ok(install(file.slice()));
    assert.equal(findStored('test.small'), null);
    assert.deepEqual(storedArray('test.least', never), new Uint8Array(64));
    assert.deepEqual(
      storedArray('test.unknown', () => Uint8Array.of(7)),
      Uint8Array.of(7),
    );
    const made = { a: Uint8Array.of(9), c: Uint8Array.of(8) };
    assert.equal(
      storedArrays('test.group', ['a', 'c'], () => made),
      made,
    );
  });
});
