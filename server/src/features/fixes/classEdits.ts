/** Places where the class of a virtual register is spelled, and edits of them. */
import { NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import type { TextEdit } from '../../text/sourceText.js';
import { nodesAt } from '../snapshot/locate.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { Role } from '../symbols/symbolIndex.js';
import { operandOf } from './fix.js';

/** Edits of the entries of `registers:` that name the register's class, to the class `name`. */
export function entryClassEdits(snapshot: Snapshot, view: FunctionView, entity: number, name: string): TextEdit[] {
  const { symbols } = view;
  return [...symbols.occurrences(entity)].flatMap((k) => {
    const place = (symbols.role[k]! & Role.Declaration) !== 0 ? entryClass(snapshot, view, k) : null;
    return place === null || snapshot.text.slice(place.start, place.end) === name ? [] : [{ ...place, text: name }];
  });
}

/** Edits of every place that spells the register's class, where `change` makes another one of it. */
export function classEdits(
  snapshot: Snapshot,
  view: FunctionView,
  entity: number,
  change: (now: string) => string,
): TextEdit[] {
  const { symbols } = view;
  const edits: TextEdit[] = [];
  for (const k of symbols.occurrences(entity)) {
    const place = (symbols.role[k]! & Role.Declaration) !== 0 ? entryClass(snapshot, view, k) : operandClass(view, k);
    if (!place) continue;
    const now = snapshot.text.slice(place.start, place.end);
    const text = change(now);
    if (text !== now) edits.push({ ...place, text });
  }
  return edits;
}

function operandClass(view: FunctionView, k: number): { start: number; end: number } | null {
  const operand = operandOf(view, k);
  if (!operand) return null;
  const { tree, node, start } = operand;
  const n = tree.childOfKind(node, SyntaxKind.ClassOrBank);
  if (n === NO_NODE) return null;
  const base = start - tree.start(node);
  return { start: base + tree.start(n), end: base + tree.end(n) };
}

/** The value of `class:` in the entry of `registers:` whose `id:` is occurrence k. */
function entryClass(snapshot: Snapshot, view: FunctionView, k: number): { start: number; end: number } | null {
  const nodes = nodesAt(view, view.start + view.symbols.start[k]! + 1);
  const entry = nodes.filter((n) => n.kind === SyntaxKind.YamlMapping).pop();
  if (!entry) return null;
  const { tree, node, start } = entry;
  const base = start - tree.start(node);
  for (let p = tree.firstChild(node); p !== NO_NODE; p = tree.nextSibling(p, node)) {
    const key = tree.firstChild(p);
    const value = key === NO_NODE ? NO_NODE : tree.nextSibling(key, p);
    if (value === NO_NODE || snapshot.text.slice(base + tree.start(key), base + tree.end(key)) !== 'class') continue;
    return { start: base + tree.start(value), end: base + tree.end(value) };
  }
  return null;
}
