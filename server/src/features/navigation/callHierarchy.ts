/**
 * Call hierarchy of the file: which machine functions mention which functions. A mention is a call where its instruction is one, or where it makes
 * the address that a call takes, which is how AMDGPU calls; both stand as `@name` among the operands.
 */
import {
  SymbolKind,
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  type Position,
  type Range,
} from 'vscode-languageserver-types';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { symbolAtPosition } from '../snapshot/symbolAt.js';
import { EntityKind, Role } from '../symbols/symbolIndex.js';

interface CallParams {
  readonly item: { readonly name: string };
}

/** The function under the cursor, or the one around it. */
export function providePrepareCallHierarchy(
  snapshot: Snapshot,
  { position }: { readonly position: Position },
): CallHierarchyItem[] | null {
  const symbol = symbolAtPosition(snapshot, position);
  const around = snapshot.functionAt(snapshot.text.offsetAt(position))?.name ?? '';
  const name = symbol?.kind === EntityKind.Global ? symbol.name : around;
  const item = itemOf(snapshot, name);
  return item && [item];
}

export function provideIncomingCalls(snapshot: Snapshot, { item }: CallParams): CallHierarchyIncomingCall[] {
  const { name } = item;
  return snapshot.functions.flatMap((view) => {
    const fromRanges = mentions(snapshot, view).get(name) ?? [];
    const from = fromRanges.length > 0 ? itemOf(snapshot, view.name) : null;
    return from ? [{ from, fromRanges }] : [];
  });
}

export function provideOutgoingCalls(snapshot: Snapshot, { item }: CallParams): CallHierarchyOutgoingCall[] {
  const { name } = item;
  const view = snapshot.functions.find((f) => f.name === name);
  if (!view) return [];
  return [...mentions(snapshot, view)].flatMap(([callee, fromRanges]) => {
    const to = itemOf(snapshot, callee);
    return to ? [{ to, fromRanges }] : [];
  });
}

/** `@name` in the body, by name; not those of memory operands, which are data. */
function mentions(snapshot: Snapshot, { symbols, start }: FunctionView): Map<string, Range[]> {
  const found = new Map<string, Range[]>();
  for (let i = 0; i < symbols.n; i++) {
    const entity = symbols.entity[i]!;
    if (symbols.kinds[entity] !== EntityKind.Global || (symbols.role[i]! & Role.Header) !== 0) continue;
    const name = symbols.nameOf(entity);
    if (!isFunction(snapshot, name)) continue;
    const range = snapshot.rangeOf(start + symbols.start[i]!, start + symbols.end[i]!);
    found.set(name, [...(found.get(name) ?? []), range]);
  }
  return found;
}

/** A machine function of the file, or one that the IR declares or defines. */
function isFunction(snapshot: Snapshot, name: string): boolean {
  return snapshot.functions.some((f) => f.name === name) || declared(snapshot, name) !== null;
}

function declared({ irSymbols, text }: Snapshot, name: string): { start: number; end: number } | null {
  for (const i of irSymbols?.symbols.of(EntityKind.Global, name, '') ?? []) {
    const { start, end } = irSymbols!.symbols.occurrences[i]!;
    const at = irSymbols!.start + start;
    const line = text.slice(text.lineStart(text.lineAt(at)), at);
    if (/^\s*(?:define|declare)\b/.test(line)) return { start: at, end: irSymbols!.start + end };
  }
  return null;
}

function itemOf(snapshot: Snapshot, name: string): CallHierarchyItem | null {
  const view = name === '' ? undefined : snapshot.functions.find((f) => f.name === name);
  const own = view?.nameRange ?? declared(snapshot, name);
  if (!own) return null;
  const selectionRange = snapshot.rangeOf(own.start, own.end);
  return {
    name,
    kind: SymbolKind.Function,
    uri: snapshot.uri,
    range: view ? snapshot.rangeOf(view.start, view.end) : selectionRange,
    selectionRange,
    ...(view ? {} : { detail: 'declared in the IR' }),
  };
}
