/** What stands at a place of the text. */
import type { Position } from 'vscode-languageserver-types';
import type { InstrId, MachineFunction } from '../../model/machineFunction.js';
import { NO_NODE, STRIDE, type Node, type SyntaxKind, type Tree } from '../../syntax/tree.js';
import type { FunctionView, Snapshot } from './snapshot.js';

/** Instructions in layout order; borrowed. The function's own column may be longer. */
export const layoutOf = ({ order, blocks, blockEnd }: MachineFunction): Int32Array =>
  order.subarray(0, blocks.length === 0 ? 0 : blockEnd[blocks.length - 1]!);

/**
 * The instruction whose text holds `offset` (relative to the function's document; its end counts too), or -1.
 * O(log instructions): ids follow the text until a scheduler moves them, which features never see.
 */
export function instrAt(fn: MachineFunction, offset: number): InstrId {
  const i = instrFrom(fn, offset);
  if (i < 0 || !fn.source) return -1;
  const { start, end } = fn.source.instrRange(i);
  return start <= offset && offset <= end ? i : -1;
}

/** The last instruction that begins at or before `offset`, or -1. */
export function instrFrom(fn: MachineFunction, offset: number): InstrId {
  const { source } = fn;
  if (!source || fn.nInstrs === 0) return -1;
  let lo = -1;
  let hi = fn.nInstrs - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (source.instrRange(mid).start <= offset) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}

/** The instruction of the cursor's line: under it, or the line's last. */
export function instrOnLine(snapshot: Snapshot, view: FunctionView, position: Position): InstrId {
  const { fn } = view;
  if (!fn) return -1;
  const under = instrAt(fn, snapshot.text.offsetAt(position) - view.start);
  if (under >= 0) return under;
  const last = instrFrom(fn, snapshot.text.lineEnd(position.line) - view.start);
  const end = last < 0 ? -1 : (fn.source?.instrRange(last).end ?? -1);
  return snapshot.text.lineStart(position.line) - view.start <= end ? last : -1;
}

/** The end of the text belongs to the last function. */
export const functionAround = (snapshot: Snapshot, cursor: number): FunctionView | null =>
  snapshot.functionAt(cursor) ?? (cursor === snapshot.text.length ? snapshot.functionAt(cursor - 1) : null);

/** A node of a syntax tree with its place in the file. */
export interface NodeAt {
  readonly tree: Tree;
  readonly node: Node;
  readonly kind: SyntaxKind;
  /** absolute offsets */
  readonly start: number;
  readonly end: number;
}

/**
 * The nodes of a function document that hold `offset` (their ends count too), outermost first: YAML nodes of the header, or what
 * stands in a line of the body. Where two nodes meet, the one that begins there is taken. O(log body + chunk)
 */
export function nodesAt(view: FunctionView, offset: number): NodeAt[] {
  const { body, document, start } = view;
  const at = offset - start;
  if (body && body.start <= at && at <= body.start + body.length) {
    let lo = 0;
    let hi = body.chunks.length - 1;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (body.start + body.chunkStarts[mid]! <= at) lo = mid;
      else hi = mid - 1;
    }
    const chunk = body.chunks[lo];
    if (!chunk) return [];
    return descend(chunk.tree, start + body.start + body.chunkStarts[lo]!, offset);
  }
  return descend(document.yaml, start, offset);
}

function descend(tree: Tree, base: number, offset: number): NodeAt[] {
  const path: NodeAt[] = [];
  const at = offset - base;
  let end = tree.size;
  for (let n = 0; n < end;) {
    let found = NO_NODE;
    for (; n < end; n = tree.next(n)) {
      if (at < tree.start(n)) break;
      if (at <= tree.end(n)) found = n;
    }
    if (found === NO_NODE) break;
    path.push({
      tree,
      node: found,
      kind: tree.kind(found),
      start: base + tree.start(found),
      end: base + tree.end(found),
    });
    end = tree.next(found);
    n = found + STRIDE;
  }
  return path;
}
