/** What rename does with whatever stands under the cursor: where its name is, and the edits for a new one or why there are none. */
import type { TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import type { FunctionView } from '../snapshot/snapshot.js';

/** A request that makes no sense, in words for the user; the protocol turns it into an error. */
export interface Refusal {
  readonly refused: string;
}

export interface Renaming {
  /** the name under the cursor, absolute offsets */
  readonly range: TextRange;
  readonly name: string;
  /** Edits in any order; none when the name stays. */
  edits(newName: string): readonly TextEdit[] | Refusal;
  /** functions that llc must not reject afterwards if it does not now */
  readonly views: readonly FunctionView[];
}

export const refuse = (refused: string): Refusal => ({ refused });

export const replaceAll = (places: readonly TextRange[], text: string): TextEdit[] =>
  places.map(({ start, end }) => ({ start, end, text }));
