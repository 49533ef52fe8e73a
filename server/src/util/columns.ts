/** Arrays that are filled again and again, for one thing after another. */

/** The column, or a longer one of zeros where it has no room for `n` entries; what it held is not kept. */
export function withRoom<T extends Int32Array | Uint8Array>(column: T, n: number): T {
  if (column.length >= n) return column;
  return new (column.constructor as new (length: number) => T)(n * 2);
}
