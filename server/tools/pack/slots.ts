/** Hash tables of names, made when the tables are. */
import { fillSlot, slotCount } from '../../src/target/nameIndex.js';

/** Slots for `NameIndex`. */
export function makeSlots(hashes: readonly number[]): Int32Array {
  const slots = new Int32Array(slotCount(hashes.length));
  hashes.forEach((hash, n) => fillSlot(slots, hash, n));
  return slots;
}
