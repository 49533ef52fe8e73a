/** Hierarchy of blocks, in the protocol's words a type hierarchy: supertypes of a block are its predecessors, subtypes its successors. */
import { SymbolKind, type Position, type TypeHierarchyItem } from 'vscode-languageserver-types';
import { oneLine } from '../../text/visible.js';
import type { BlockId } from '../../model/machineFunction.js';
import { blockAt } from '../fixes/fix.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { symbolAtPosition } from '../snapshot/symbolAt.js';
import { EntityKind } from '../symbols/symbolIndex.js';

export interface BlockParams {
  /** `name` is `bb.N`, `detail` the function */
  readonly item: { readonly name: string; readonly detail?: string | undefined };
}

/** The block under the cursor, which the header may name, too, or the one around it. */
export function providePrepareTypeHierarchy(
  snapshot: Snapshot,
  { position }: { readonly position: Position },
): TypeHierarchyItem[] | null {
  const offset = snapshot.text.offsetAt(position);
  const view = snapshot.functionAt(offset);
  if (!view?.fn?.source) return null;
  const symbol = symbolAtPosition(snapshot, position);
  const named = symbol?.kind === EntityKind.Block && symbol.view === view ? numbered(view, symbol.name) : -1;
  const b = named >= 0 ? named : blockAt(view.fn, view, offset);
  return b < 0 ? null : [itemOf(snapshot, view, b)];
}

export const providePredecessors = (snapshot: Snapshot, params: BlockParams): TypeHierarchyItem[] =>
  neighbours(snapshot, params, 'predecessors');

export const provideSuccessors = (snapshot: Snapshot, params: BlockParams): TypeHierarchyItem[] =>
  neighbours(snapshot, params, 'successors');

function neighbours(
  snapshot: Snapshot,
  { item: { name, detail = '' } }: BlockParams,
  side: 'predecessors' | 'successors',
): TypeHierarchyItem[] {
  const number = /^bb\.(\d+)/.exec(name)?.[1];
  const view = snapshot.functions.find((f) => oneLine(f.name) === detail);
  const b = view && number !== undefined ? numbered(view, number) : -1;
  if (!view?.fn?.source || b < 0) return [];
  return [...new Set(view.fn.blocks[b]![side])].map((other) => itemOf(snapshot, view, other));
}

const numbered = ({ fn }: FunctionView, number: string): BlockId =>
  fn?.blocks.findIndex((block) => String(block.sourceNumber) === number) ?? -1;

function itemOf(snapshot: Snapshot, view: FunctionView, b: BlockId): TypeHierarchyItem {
  const { fn, start, name } = view;
  const { sourceNumber, irName } = fn!.blocks[b]!;
  const label = fn!.source!.blockLabelRange(b);
  const range = fn!.source!.blockRange(b);
  return {
    name: `bb.${sourceNumber}${irName === null ? '' : `.${oneLine(irName)}`}`,
    detail: oneLine(name),
    kind: SymbolKind.Object,
    uri: snapshot.uri,
    range: snapshot.rangeOf(start + range.start, start + range.end),
    selectionRange: snapshot.rangeOf(start + label.start, start + label.end),
  };
}
