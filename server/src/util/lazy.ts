/** A value that is made when it is first asked for: what a run never needs costs its start nothing. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
