/** Hash tables of names, made when the tables are. */

/** Slots for `NameIndex`: open addressing, number + 1 in each slot used, at most half of them. */
export function makeSlots(hashes: readonly number[]): Int32Array {
  let size = 64;
  while (size < hashes.length * 2) size *= 2;
  const slots = new Int32Array(size);
  hashes.forEach((h, i) => {
    let slot = h & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = i + 1;
  });
  return slots;
}
