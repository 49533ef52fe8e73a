/** Grow the selection: word, operand, instruction, block, body, document, file. */
import type { Position, SelectionRange } from 'vscode-languageserver-types';
import { nodesAt } from '../snapshot/locate.js';
import { symbolAt } from '../snapshot/symbolAt.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

interface Span {
  readonly start: number;
  readonly end: number;
}

export function provideSelectionRanges(
  snapshot: Snapshot,
  { positions }: { positions: readonly Position[] },
): SelectionRange[] {
  return positions.map((position) => selectionAt(snapshot, snapshot.text.offsetAt(position)));
}

function selectionAt(snapshot: Snapshot, offset: number): SelectionRange {
  // From the outside to the inside; each must lie within the one before and be smaller.
  const spans: Span[] = [{ start: 0, end: snapshot.text.length }];
  const view = snapshot.functionAt(offset);
  if (view) {
    spans.push({ start: view.start, end: view.end });
    const { body } = view;
    if (body && view.start + body.start <= offset && offset <= view.start + body.start + body.length) {
      spans.push({ start: view.start + body.start, end: view.start + body.start + body.length });
      const block = blockAt(view, offset);
      if (block) spans.push(block);
    }
  } else {
    const ir = snapshot.irSymbols;
    if (ir) {
      const d = snapshot.file.docStarts.indexOf(ir.start);
      const end = snapshot.file.docStarts[d + 1] ?? ir.start;
      if (ir.start <= offset && offset <= end) spans.push({ start: ir.start, end });
    }
  }
  spans.push(lineOf(snapshot, offset));
  if (view) spans.push(...nodesAt(view, offset));
  const symbol = symbolAt(snapshot, offset);
  if (symbol) spans.push(symbol);
  spans.push(wordAt(snapshot.text.text, offset));

  let result: SelectionRange | null = null;
  let outer: Span = spans[0]!;
  for (const span of spans) {
    if (span.end <= span.start || span.start < outer.start || outer.end < span.end) continue;
    // In the indentation of a line there is no more than its block.
    if (offset < span.start || span.end < offset) continue;
    if (result !== null && span.start === outer.start && span.end === outer.end) continue;
    const range = snapshot.rangeOf(span.start, span.end);
    result = result === null ? { range } : { range, parent: result };
    outer = span;
  }
  return result ?? { range: snapshot.rangeOf(offset, offset) };
}

/** From the label above the offset to the next one. O(log blocks + chunk) */
function blockAt(view: FunctionView, offset: number): Span | null {
  const body = view.body!;
  const base = view.start + body.start;
  let start = -1;
  for (let c = 0; c < body.chunks.length; c++) {
    const chunk = body.chunks[c]!;
    for (const label of chunk.labels) {
      const at = base + body.chunkStarts[c]! + chunk.tree.start(label);
      if (offset < at) return start < 0 ? null : { start, end: at };
      start = at;
    }
  }
  return start < 0 ? null : { start, end: base + body.length };
}

/** A line without its indentation. */
function lineOf({ text }: Snapshot, offset: number): Span {
  const line = text.lineAt(offset);
  const start = text.lineStart(line);
  const content = text.slice(start, text.lineEnd(line));
  return { start: start + content.length - content.trimStart().length, end: start + content.trimEnd().length };
}

const isWordChar = (c: number): boolean =>
  (c >= 0x30 && c <= 0x39) || (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a) || c === 0x5f;

function wordAt(text: string, offset: number): Span {
  let start = offset;
  let end = offset;
  while (0 < start && isWordChar(text.charCodeAt(start - 1))) start--;
  while (isWordChar(text.charCodeAt(end))) end++;
  return { start, end };
}
