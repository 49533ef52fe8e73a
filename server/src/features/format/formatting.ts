/** `textDocument/formatting` and `rangeFormatting`: the layout of llc; see bodyFormat.ts and headerFormat.ts for what that is. */
import type { Range, TextEdit as LspTextEdit } from 'vscode-languageserver-types';
import type { TextEdit } from '../../text/sourceText.js';
import { NEVER_CANCELLED, type CancellationToken } from '../../util/cancellation.js';
import { toLspEdits } from '../snapshot/lspEdit.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { formatBody } from './bodyFormat.js';
import { formatHeader } from './headerFormat.js';

interface InDocument {
  readonly textDocument: { readonly uri: string };
}

/** Edits in text order, of blanks and line breaks only. A document whose YAML is broken stays as it is. O(text) */
export function provideFormatting(
  snapshot: Snapshot,
  _params: InDocument,
  token: CancellationToken = NEVER_CANCELLED,
): LspTextEdit[] {
  return toLspEdits(snapshot, formatEdits(snapshot, token));
}

/** The same for lines of the range. */
export function provideRangeFormatting(
  snapshot: Snapshot,
  { range }: InDocument & { range: Range },
  token: CancellationToken = NEVER_CANCELLED,
): LspTextEdit[] {
  const from = snapshot.text.lineStart(range.start.line);
  // A range that ends before the first character of a line does not hold it.
  const last = range.end.character === 0 && range.end.line > range.start.line ? range.end.line - 1 : range.end.line;
  const to = snapshot.text.lineEnd(last);
  const inside = formatEdits(snapshot, token).filter((edit) => from <= edit.start && edit.end <= to);
  return toLspEdits(snapshot, inside);
}

/** In text order. */
export function formatEdits(snapshot: Snapshot, token: CancellationToken): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const view of snapshot.functions) {
    if (token.isCancelled()) return [];
    if (view.document.diagnostics.length > 0) continue;
    edits.push(...formatHeader(snapshot.text, view), ...formatBody(snapshot.text, view));
  }
  return edits.sort((a, b) => a.start - b.start);
}
