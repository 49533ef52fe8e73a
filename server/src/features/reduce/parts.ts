/** Parts of a file that may go: what a reduction takes out, piece by piece. */
import type { TextEdit } from '../../text/sourceText.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** Parts of one kind in a snapshot, in the order of the text. */
export interface Parts {
  readonly count: number;
  /** Edits that take out the parts with a 1, ascending and apart from each other; null: these do not go together. */
  without(gone: Uint8Array): readonly TextEdit[] | null;
}

/** A way to make a file smaller. */
export interface Reduction {
  /** of what it takes out, in the plural */
  readonly name: string;
  /** null: there are none. Of one function. */
  parts(snapshot: Snapshot, view: FunctionView): Parts | null;
  /** of the file: asked once, with its first function */
  readonly isOfFile?: true;
}

/** Parts that are edits of their own, whatever becomes of the others; those within another one go with it. */
export function partsOfEdits(edits: readonly (readonly TextEdit[])[]): Parts | null {
  if (edits.length === 0) return null;
  return { count: edits.length, without: (gone) => apart(edits.flatMap((own, k) => (gone[k] ? own : []))) };
}

/** Ascending; of edits that overlap the first and larger one. */
export function apart(edits: readonly TextEdit[]): TextEdit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: TextEdit[] = [];
  for (const edit of sorted) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= edit.start) kept.push(edit);
  }
  return kept;
}

/** The text after edits that are ascending and apart. O(text) */
export function editedText(text: string, edits: readonly TextEdit[]): string {
  let at = 0;
  let result = '';
  for (const { start, end, text: own } of edits) {
    result += text.slice(at, start) + own;
    at = end;
  }
  return result + text.slice(at);
}
