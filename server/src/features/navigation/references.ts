/** Find references and highlight: all occurrences of the entity under the cursor; for physical registers with their aliases. */
import {
  DocumentHighlightKind,
  type DocumentHighlight,
  type Location,
  type Position,
  type ReferenceContext,
} from 'vscode-languageserver-types';
import { isWrite, locationOf, occurrencesOf, rangeOf, symbolAtPosition } from '../snapshot/symbolAt.js';
import { Role } from '../symbols/symbolIndex.js';
import type { Snapshot } from '../snapshot/snapshot.js';

export function provideReferences(
  snapshot: Snapshot,
  { position, context }: { position: Position; context?: ReferenceContext },
): Location[] {
  const symbol = symbolAtPosition(snapshot, position);
  if (!symbol) return [];
  const withDeclaration = context?.includeDeclaration ?? true;
  return occurrencesOf(snapshot, symbol)
    .filter((o) => withDeclaration || (o.role & Role.Declaration) === 0)
    .map((o) => locationOf(snapshot, o));
}

/** All occurrences in the document; writes and reads are told apart. */
export function provideDocumentHighlight(
  snapshot: Snapshot,
  { position }: { position: Position },
): DocumentHighlight[] {
  const symbol = symbolAtPosition(snapshot, position);
  if (!symbol) return [];
  return occurrencesOf(snapshot, symbol).map((o) => ({
    range: rangeOf(snapshot, o),
    kind: isWrite(o.role) ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
  }));
}
