/**
 * Internal consistency checks. A failed invariant is a bug of ours, never of the input:
 * input errors are data (see text/diagnostic.ts).
 */

class InvariantError extends Error {}

/** Throws InvariantError with `message` when `cond` is false. Caught only by the request wrapper and the worker loop. */
export function invariant(cond: unknown, message: string): asserts cond {
  if (!cond) throw new InvariantError(message);
}
