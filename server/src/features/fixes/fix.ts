/** What a quick fix is, and the places and words that several of them need. */
import type { BlockId, MachineFunction } from '../../model/machineFunction.js';
import { SyntaxKind } from '../../syntax/tree.js';
import type { Diagnostic, TextRange } from '../../text/diagnostic.js';
import type { TextEdit } from '../../text/sourceText.js';
import { nodesAt, type NodeAt } from '../snapshot/locate.js';
import { EntityKind } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

export interface AssistContext {
  readonly snapshot: Snapshot;
  readonly view: FunctionView;
  /** offsets absolute */
  readonly diagnostic: Diagnostic;
}

/** An edit that may repair the diagnostic; quickFixes.ts offers it only when it does. */
export interface Proposal {
  readonly title: string;
  /** absolute offsets in the present text, ascending, not overlapping */
  readonly edits: readonly TextEdit[];
  /** more than a slip of the pen: only who reads it can tell whether it was meant */
  readonly isGuess?: boolean;
}

/** The repairs of one diagnostic, most sensible first. */
export type Assist = (context: AssistContext) => Proposal[];

export const eol = ({ text }: Snapshot): string => (text.text.includes('\r\n') ? '\r\n' : '\n');

export const insert = (at: number, text: string): TextEdit => ({ start: at, end: at, text });

/** First occurrence of a name within an absolute range, as index in `view.symbols`; -1 if there is none. */
export function occurrenceIn({ symbols, start }: FunctionView, range: TextRange): number {
  let i = Math.max(0, symbols.lastFrom(range.start - start));
  while (i < symbols.n && symbols.start[i]! < range.start - start) i++;
  return i < symbols.n && symbols.end[i]! <= range.end - start ? i : -1;
}

/** The register operand that occurrence `i` names, with its flags. */
export function operandOf(view: FunctionView, i: number): NodeAt | null {
  const at = view.start + view.symbols.start[i]!;
  return nodesAt(view, at + 1).find((n) => n.kind === SyntaxKind.RegisterOperand) ?? null;
}

/** Where a flag word stands before occurrence `i`, with the blank after it; null if it does not. */
export function flagRange({ text }: Snapshot, view: FunctionView, i: number, word: string): TextRange | null {
  const operand = operandOf(view, i);
  if (!operand) return null;
  const flags = text.slice(operand.start, view.start + view.symbols.start[i]!);
  const match = new RegExp(`\\b${word}\\b[ \\t]*`).exec(flags);
  if (!match) return null;
  return { start: operand.start + match.index, end: operand.start + match.index + match[0].length };
}

/** `$vgpr0`, `%5`, `%name` as occurrence `i` spells it; entries of the header have no sigil. */
export function nameText({ text }: Snapshot, view: FunctionView, i: number): string {
  const { symbols, start } = view;
  return text.slice(start + symbols.start[i]!, start + symbols.end[i]!);
}

/** The block whose text holds the absolute offset, -1 if none. O(log blocks) */
export function blockAt(fn: MachineFunction, view: FunctionView, offset: number): BlockId {
  const { source } = fn;
  if (!source) return -1;
  let lo = -1;
  let hi = fn.blocks.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (source.blockLabelRange(mid).start <= offset - view.start) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}

/** Where a line `key: value` of a block goes: after its `successors:` line, else after its label. */
export function insertBlockLine(snapshot: Snapshot, view: FunctionView, b: BlockId, content: string): TextEdit {
  const { text } = snapshot;
  const source = view.fn!.source!;
  const label = view.start + source.blockLabelRange(b).start;
  const successors = content.startsWith('successors') ? null : source.successorsRange(b);
  const line = text.lineAt(successors ? view.start + successors.start : label);
  const column = label - text.lineStart(text.lineAt(label));
  return insert(text.lineEnd(line), `${eol(snapshot)}${' '.repeat(column + 2)}${content}`);
}

export const isBlockLabel = ({ symbols }: FunctionView, i: number): boolean =>
  symbols.kinds[symbols.entity[i]!] === EntityKind.Block && (symbols.role[i]! & 1) !== 0;
