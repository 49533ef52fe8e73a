/**
 * `textDocument/onTypeFormatting`: the line that was begun or finished. A new line is indented as its neighbours, goes on with a RUN line
 * that ends in a backslash and with CHECK lines; a block label moves out when its colon is typed, a `}` of a bundle when it is.
 */
import type { Position, TextEdit as LspTextEdit } from 'vscode-languageserver-types';
import { toLspEdits } from '../snapshot/lspEdit.js';
import { checkLineIn } from '../../program/testFile/checkLines.js';
import { checkPrefixes } from '../../program/testFile/checkPrefixes.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { columnOf, kindOf, LineKind, opensBundle } from './bodyFormat.js';
import { functionAround } from '../snapshot/locate.js';

export interface OnTypeParams {
  readonly textDocument: { readonly uri: string };
  readonly position: Position;
  readonly ch: string;
}

/** Edits of the cursor's line only (and of an empty directive above it). O(function) */
export function provideOnTypeFormatting(snapshot: Snapshot, { position, ch }: OnTypeParams): LspTextEdit[] {
  const { line } = position;
  if (ch === '\n') return continued(snapshot, line) ?? indented(snapshot, line, false);
  const { text } = snapshot;
  const content = text.slice(text.lineStart(line), text.lineEnd(line)).trim();
  const isFinished = ch === ':' ? /^(?:bb\.\d+.*|successors|liveins):$/.test(content) : content === '}';
  return isFinished ? indented(snapshot, line, true) : [];
}

/** The line goes on with what stands above it; null where that is nothing of a test. */
function continued(snapshot: Snapshot, line: number): LspTextEdit[] | null {
  const { text } = snapshot;
  if (line === 0) return null;
  const start = text.lineStart(line);
  const own = text.slice(start, text.lineEnd(line));
  const rest = own.trimStart();
  if (/^(?:[;#]|\/\/)/.test(rest)) return null;
  // What Enter has cut off goes on with what it was.
  const end = start + own.length - rest.length;
  const aboveStart = text.lineStart(line - 1);
  const above = text.slice(aboveStart, text.lineEnd(line - 1));
  const directive = checkLineIn(above);
  if (directive === null || directive.isLiteral) return null;
  const { prefix: word, suffix } = directive;
  const lead = above.slice(0, directive.start);
  if (word === 'RUN' && suffix === '')
    return snapshot.test.goesOnAfter(line - 1) ? toLspEdits(snapshot, [{ start, end, text: `${lead}RUN:   ` }]) : null;
  if (!checkPrefixes(snapshot.test).includes(word)) return null;
  // An empty directive is where they end.
  if (rest === '' && above.slice(directive.contentStart).trim() === '' && suffix !== '-EMPTY')
    return toLspEdits(snapshot, [{ start: aboveStart, end: text.lineEnd(line - 1), text: '' }]);
  const next = suffix === '-DAG' || suffix === '-NOT' ? suffix : '-NEXT';
  return toLspEdits(snapshot, [{ start, end, text: `${lead}${word}${next}: ` }]);
}

/** `isFinished`: the line's own words say where it belongs; else it is the next instruction. O(block) */
function indented(snapshot: Snapshot, line: number, isFinished: boolean): LspTextEdit[] {
  const { text } = snapshot;
  const start = text.lineStart(line);
  const view = functionAround(snapshot, start);
  if (!view?.body || start < view.start + view.body.start) return [];
  const content = text.slice(start, text.lineEnd(line));
  const kind = kindOf(content.trim());
  const isClose = kind === LineKind.Close;
  if (!isFinished && kind !== LineKind.Blank && kind !== LineKind.Instruction && !isClose) return [];
  const { base, depth, neighbour } = around(snapshot, view, line);
  const own = isClose ? depth - 1 : depth;
  const column = columnOf({ kind: isFinished || isClose ? kind : LineKind.Instruction, depth: Math.max(0, own) }, base);
  const first = start + content.length - content.trimStart().length;
  // Tabs are kept where the neighbour has them.
  const indent = !isFinished && !isClose && neighbour.includes('\t') ? neighbour : ' '.repeat(column);
  return text.slice(start, first) === indent ? [] : toLspEdits(snapshot, [{ start, end: first, text: indent }]);
}

/** Lines that are looked at for the label of the block. */
const MAX_ABOVE = 2000;

interface Around {
  /** column of the label above */
  readonly base: number;
  /** bundles that are open at the line */
  readonly depth: number;
  /** what the instruction right above is indented with, empty without one */
  readonly neighbour: string;
}

function around({ text }: Snapshot, { document }: FunctionView, line: number): Around {
  let depth = 0;
  let neighbour = '';
  for (let k = line - 1; k >= 0 && k > line - MAX_ABOVE; k--) {
    const content = text.slice(text.lineStart(k), text.lineEnd(k));
    const kind = kindOf(content.trim());
    if (kind === LineKind.Label) return { base: content.length - content.trimStart().length, depth, neighbour };
    if (kind === LineKind.Close) depth--;
    else if (kind === LineKind.Instruction && opensBundle(content)) depth++;
    else if (kind === LineKind.Instruction && k === line - 1) neighbour = /^[ \t]*/.exec(content)![0];
  }
  return { base: document.indent, depth, neighbour };
}
