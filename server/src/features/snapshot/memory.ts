/** Names something that a feature keeps, and has its type. `what` is for debuggers. */
export class MemoryKey<T> {
  /** exists for the compiler alone: keys of other types are not taken for each other */
  declare readonly type: (value: T) => T;

  constructor(readonly what: string) {}
}

/**
 * What features keep of one thing, so that they have no tables of their own: of a function as long as it is the same (`FunctionView.memory`),
 * of a document through all its versions (`Snapshot.memory`).
 */
export class Memory {
  private readonly kept = new Map<object, unknown>();

  /** Undefined: nothing is kept. */
  known<T>(key: MemoryKey<T>): T | undefined {
    return this.kept.get(key) as T | undefined;
  }

  keep<T>(key: MemoryKey<T>, value: T): T {
    this.kept.set(key, value);
    return value;
  }

  /** What is kept, else what `make` makes. */
  of<T>(key: MemoryKey<T>, make: () => T): T {
    return this.kept.has(key) ? (this.kept.get(key) as T) : this.keep(key, make());
  }
}
