/**
 * Recursion without the engine's stack: a function that may call itself as deep as a file says is a generator, which yields the calls that it
 * waits for.
 */
export type DeepCall<T> = Generator<DeepCall<unknown>, T, never>;

/** What a call comes to. An exception goes through the callers as usual. */
export function callDeep<T>(call: DeepCall<T>): T {
  const waiting: DeepCall<unknown>[] = [call];
  let result: unknown;
  let thrown: { readonly error: unknown } | null = null;
  for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
    try {
      const step: IteratorResult<DeepCall<unknown>, unknown> = thrown
        ? top.throw(thrown.error)
        : top.next(result as never);
      thrown = null;
      if (step.done === true) {
        waiting.pop();
        result = step.value;
      } else waiting.push(step.value);
    } catch (error) {
      waiting.pop();
      thrown = { error };
    }
  }
  if (thrown) throw thrown.error;
  return result as T;
}

/** A call within one, `const x = yield* deep(f())`: keeps the type that `yield` loses. */
export function* deep<T>(call: DeepCall<T>): DeepCall<T> {
  return (yield call) as T;
}
