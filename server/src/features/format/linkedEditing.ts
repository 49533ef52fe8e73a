/** `textDocument/linkedEditingRange`: all places of a virtual register's name are typed at once. */
import type { Position, Range } from 'vscode-languageserver-types';
import { occurrencesOf, symbolAtPosition } from '../snapshot/symbolAt.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import type { Snapshot } from '../snapshot/snapshot.js';

export interface LinkedEditingRanges {
  readonly ranges: Range[];
  readonly wordPattern: string;
}

/** More places than these are for rename, which looks for conflicts first. */
const MAX_PLACES = 1000;

export function provideLinkedEditingRanges(
  snapshot: Snapshot,
  { position }: { position: Position },
): LinkedEditingRanges | null {
  const symbol = symbolAtPosition(snapshot, position);
  if (symbol?.kind !== EntityKind.VReg) return null;
  const places = occurrencesOf(snapshot, symbol);
  if (places.length < 2 || places.length > MAX_PLACES) return null;
  const { text } = snapshot;
  const ranges = places.map(({ start, end }) =>
    snapshot.rangeOf(text.slice(start, start + 1) === '%' ? start + 1 : start, end),
  );
  return { ranges, wordPattern: '[A-Za-z0-9_-]+' };
}
