/** Rewrites of a function that are asked for rather than needed, and what each has promised to keep. */
import type { TextEdit } from '../../text/sourceText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export interface Refactoring {
  readonly title: string;
  /** absolute offsets, ascending, not overlapping */
  readonly edits: readonly TextEdit[];
  /** `output`: llc prints the function as before; `errors`: it finds no more errors in it; `more`: the same, with a function more */
  readonly keeps: 'output' | 'errors' | 'more';
}

/** Where the cursor is, for those who propose. */
export interface RefactorPlace {
  readonly snapshot: Snapshot;
  readonly view: FunctionView;
  /** absolute */
  readonly offset: number;
}
