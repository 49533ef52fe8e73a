/** What the allocator's passes know of debug values and locations. */

/** Debug values that wait for the last rewriter. */
export interface WaitingDebugValues {
  /** Where one of `made` lives now, it holds what `old` held: indexes of virtual registers. */
  split(old: number, made: readonly number[]): void;
  /** Puts them back into the code. */
  emit(): void;
}

export interface SourcePlaces {
  /** `a.c:1:2` for a debug location as MIR prints it, as messages of llc begin. */
  sourcePlace(location: string): string;
  /** The same for the function: where its body begins. */
  readonly functionPlace: string;
}
