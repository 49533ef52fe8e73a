/** The outline: functions with their blocks, from the syntax tree alone, so that it holds for broken functions too. */
import { SymbolKind, type DocumentSymbol, type Range } from 'vscode-languageserver-types';
import { SyntaxKind, type Body, type Chunk, type Node } from '../../syntax/tree.js';
import { oneLine } from '../../text/visible.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** Editors become slow on more; a function with more blocks shows the first ones. */
const MAX_BLOCKS = 20_000;

export function provideDocumentSymbols(snapshot: Snapshot): DocumentSymbol[] {
  return snapshot.functions.map((fn) => {
    const range = snapshot.rangeOf(fn.start, fn.end);
    const name = fn.nameRange;
    return {
      name: oneLine(fn.name) || '(no name)',
      detail: fn.body ? plural(countInstructions(fn.body), 'instruction') : 'no body',
      kind: SymbolKind.Function,
      range,
      selectionRange: name ? snapshot.rangeOf(name.start, name.end) : { start: range.start, end: range.start },
      children: blockSymbols(snapshot, fn),
    };
  });
}

const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

function countInstructions(body: Body): number {
  let n = 0;
  for (const chunk of body.chunks) n += chunk.nInstrs;
  return n;
}

function blockSymbols(snapshot: Snapshot, fn: FunctionView): DocumentSymbol[] {
  const symbols: DocumentSymbol[] = [];
  const { body } = fn;
  if (!body) return symbols;
  const bodyStart = fn.start + body.start;
  for (let c = 0; c < body.chunks.length && symbols.length < MAX_BLOCKS; c++) {
    const chunk = body.chunks[c]!;
    const chunkStart = bodyStart + body.chunkStarts[c]!;
    for (const label of chunk.labels) {
      const start = chunkStart + chunk.tree.start(label);
      const selectionRange = snapshot.rangeOf(start, chunkStart + chunk.tree.end(label));
      closeAt(symbols, selectionRange);
      symbols.push({
        name: oneLine(labelText(snapshot, chunk, chunkStart, label)),
        kind: SymbolKind.Field,
        range: selectionRange,
        selectionRange,
      });
    }
  }
  const end = snapshot.rangeOf(bodyStart + body.length, bodyStart + body.length);
  closeAt(symbols, end);
  return symbols;
}

/** A block reaches to the next label. */
function closeAt(symbols: DocumentSymbol[], next: Range): void {
  const last = symbols[symbols.length - 1];
  if (last) last.range = { start: last.range.start, end: next.start };
}

/** `bb.0.entry` without attributes and colon. */
function labelText(snapshot: Snapshot, chunk: Chunk, chunkStart: number, label: Node): string {
  const { tree } = chunk;
  const text = snapshot.text.slice(chunkStart + tree.start(label), chunkStart + tree.end(label));
  return tree.kind(label) === SyntaxKind.BlockLabel ? (/^[^\s(:]*/.exec(text)?.[0] ?? text) : text;
}
