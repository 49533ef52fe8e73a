/** Folding: YAML documents, headers and their keys, blocks, functions of the embedded IR, runs of comments and of CHECK lines. */
import { FoldingRangeKind, type FoldingRange } from 'vscode-languageserver-types';
import { DocumentKind, NO_NODE, SyntaxKind } from '../../syntax/tree.js';
import type { CancellationToken } from '../../util/cancellation.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';

/** Editors take no more than some thousands. */
const MAX_RANGES = 20_000;

export function provideFoldingRanges(
  snapshot: Snapshot,
  _params: unknown,
  token: CancellationToken,
): FoldingRange[] | null {
  const ranges: FoldingRange[] = [];
  documentRanges(snapshot, ranges);
  for (const view of snapshot.functions) {
    if (token.isCancelled()) return null;
    headerRanges(snapshot, view, ranges);
    blockRanges(snapshot, view, ranges);
  }
  commentRuns(snapshot, ranges);
  return ranges.slice(0, MAX_RANGES);
}

function add(ranges: FoldingRange[], startLine: number, endLine: number, kind?: FoldingRangeKind): void {
  if (startLine < endLine) ranges.push(kind === undefined ? { startLine, endLine } : { startLine, endLine, kind });
}

/** The last line before `line` that holds something; at least `from`. */
function lastFullLine({ text }: Snapshot, from: number, line: number): number {
  while (from < line && text.slice(text.lineStart(line), text.lineEnd(line)).trim() === '') line--;
  return line;
}

/**
 * From the `---` line, of a function from the line with its name, which stays in sight, to the last line before the closing `...` or the
 * next document.
 */
function documentRanges(snapshot: Snapshot, ranges: FoldingRange[]): void {
  const { file, text } = snapshot;
  const names = new Map(snapshot.functions.map((view) => [view.start, view.nameRange]));
  file.documents.forEach((doc, d) => {
    if (doc.kind === DocumentKind.Empty) return;
    let start = text.lineAt(file.docStarts[d]!);
    const last = text.lineAt(Math.max(file.docStarts[d]!, file.docStarts[d + 1]! - 1));
    // Comments before the first document belong to it, but not to what is folded.
    while (start < last && !text.slice(text.lineStart(start), text.lineStart(start) + 3).startsWith('---')) start++;
    if (start === last) return;
    let end = lastFullLine(snapshot, start, last);
    if (text.slice(text.lineStart(end), text.lineStart(end) + 3) === '...')
      end = lastFullLine(snapshot, start, end - 1);
    const name = names.get(file.docStarts[d]!);
    add(ranges, name ? text.lineAt(name.start) : start, end, FoldingRangeKind.Region);
    if (doc.kind === DocumentKind.IR) irFunctions(snapshot, start + 1, end, ranges);
  });
}

function irFunctions({ text }: Snapshot, from: number, to: number, ranges: FoldingRange[]): void {
  let start = -1;
  for (let line = from; line <= to; line++) {
    const content = text.slice(text.lineStart(line), text.lineEnd(line)).trim();
    if (content.startsWith('define ')) start = line;
    else if (content === '}' && start >= 0) {
      add(ranges, start, line);
      start = -1;
    }
  }
}

/** Keys with values of several lines; `body` is made of its blocks. */
function headerRanges(snapshot: Snapshot, view: FunctionView, ranges: FoldingRange[]): void {
  const { yaml, body } = view.document;
  const { text } = snapshot;
  if (yaml.size === 0 || yaml.kind(0) !== SyntaxKind.YamlMapping) return;
  let first = -1;
  let last = -1;
  for (let p = yaml.firstChild(0); p !== NO_NODE; p = yaml.nextSibling(p, 0)) {
    const start = text.lineAt(view.start + yaml.start(p));
    if (body && body.start <= yaml.end(p) + 2 && yaml.start(p) < body.start) {
      add(ranges, start, lastFullLine(snapshot, start, text.lineAt(view.start + body.start + body.length - 1)));
      break;
    }
    const end = lastFullLine(snapshot, start, text.lineAt(view.start + yaml.end(p)));
    // The line with the name folds the whole function.
    if (view.nameRange && start === text.lineAt(view.nameRange.start)) continue;
    if (first < 0) first = start;
    last = end;
    add(ranges, start, end);
  }
  if (first >= 0) add(ranges, first, last, FoldingRangeKind.Imports);
}

function blockRanges(snapshot: Snapshot, view: FunctionView, ranges: FoldingRange[]): void {
  const { body } = view;
  if (!body) return;
  const { text } = snapshot;
  const bodyStart = view.start + body.start;
  let start = -1;
  for (let c = 0; c < body.chunks.length && ranges.length < MAX_RANGES; c++) {
    const chunk = body.chunks[c]!;
    for (const label of chunk.labels) {
      const line = text.lineAt(bodyStart + body.chunkStarts[c]! + chunk.tree.start(label));
      if (start >= 0) add(ranges, start, lastFullLine(snapshot, start, line - 1));
      start = line;
    }
  }
  if (start < 0) return;
  add(ranges, start, lastFullLine(snapshot, start, text.lineAt(bodyStart + Math.max(0, body.length - 1))));
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const HASH = 0x23;
const SEMICOLON = 0x3b;

/** `; CHECK-NEXT:`, `# GCN-LABEL:`; RUN and TODO lines are plain comments. */
const CHECK_LINE = /^[;#]+\s*(?!(?:RUN|REQUIRES|TODO|FIXME|NOTE|XFAIL|UNSUPPORTED)\b)[A-Z][\w-]*:/;

const enum LineKind {
  Other,
  Comment,
  Check,
}

/** Neighbouring lines that are comments, CHECK lines apart from others. */
function commentRuns({ text }: Snapshot, ranges: FoldingRange[]): void {
  let runStart = 0;
  let runKind = LineKind.Other;
  for (let line = 0; line <= text.lineCount; line++) {
    const kind = line < text.lineCount ? lineKind(text.text, text.lineStart(line)) : LineKind.Other;
    if (kind === runKind) continue;
    if (runKind !== LineKind.Other) add(ranges, runStart, line - 1, FoldingRangeKind.Comment);
    runStart = line;
    runKind = kind;
  }
}

function lineKind(text: string, p: number): LineKind {
  while (text.charCodeAt(p) === SPACE || text.charCodeAt(p) === TAB) p++;
  const c = text.charCodeAt(p);
  if (c !== HASH && c !== SEMICOLON) return LineKind.Other;
  let end = p;
  while (end < text.length && end < p + 80 && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end++;
  return CHECK_LINE.test(text.slice(p, end)) ? LineKind.Check : LineKind.Comment;
}
