/**
 * Syntax of a MIR file: text -> documents -> header trees and bodies (tree.ts), whole or after an edit.
 *
 * What an edit costs: inside a body, the chunk around it; elsewhere in a document, that document's YAML and the touched chunks of its
 * body; documents without a change keep their identity, and so do chunks.
 */
import type { Interner } from '../util/interner.js';
import { DiagnosticOrigin, Severity, type Diagnostic } from '../text/diagnostic.js';
import { type SourceText, type TextEdit } from '../text/sourceText.js';
import { TreeBuilder } from './treeBuilder.js';
import { makeBody } from './body.js';
import { BodyParser, CHUNK_LINES } from './bodyParser.js';
import { parseYamlDocument } from './yamlParser.js';
import { areBlockScalarLines } from './yamlScanner.js';
import {
  DocumentKind,
  NO_NODE,
  SyntaxKind,
  Tree,
  type Body,
  type Chunk,
  type MirDocument,
  type MirFile,
} from './tree.js';

export * from './tree.js';
export { yamlGet, yamlText } from './yamlParser.js';
export { syntaxDiagnostics } from './errors.js';
export { dumpTree } from './dump.js';

/** What comes after so many documents is not parsed: hostile input; real files have a few hundred. */
const MAX_DOCUMENTS = 100_000;

const TRITON_GRAPH = /---[ \t]*\r?\n=+ SCHEDULING DAG =+/y;

/** Whether a document is no MIR but the scheduling graph that TRITON_DUMP_MIR appends; llc says that it is no mapping. */
export function isTritonGraph(text: string, docStart: number): boolean {
  TRITON_GRAPH.lastIndex = docStart;
  return TRITON_GRAPH.test(text);
}

/** Chunks that an edit leaves with fewer lines are joined with what follows, or edits would grind a body down to single lines. */
const MIN_CHUNK_LINES = 16;

/** Parses a whole file. Never throws; linear in the text. */
export function parseMirFile(text: SourceText, interner: Interner): MirFile {
  const documents: MirDocument[] = [];
  const starts: number[] = [];
  const builder = new FileBuilder(text.text, interner);
  let pos = 0;
  do {
    starts.push(pos);
    const doc =
      documents.length < MAX_DOCUMENTS ? builder.parseDocument(pos, null) : tooManyDocuments(text.length - pos);
    documents.push(doc);
    pos += doc.length;
  } while (pos < text.length);
  starts.push(text.length);
  return { text, interner, documents, docStarts: Int32Array.from(starts) };
}

/**
 * The file after edits. `edits` apply one after the other, each to the text the one before left (as LSP sends them); `newText` is the
 * text after all of them. Equal to a fresh parse of `newText` in all but the cuts between chunks.
 */
export function updateMirFile(old: MirFile, newText: SourceText, edits: readonly TextEdit[]): MirFile {
  const change = coveringChange(old.text.length, newText.length, edits);
  if (change === null) return { ...old, text: newText };
  if (old.documents.length > MAX_DOCUMENTS) return parseMirFile(newText, old.interner);
  return updateBodyOnly(old, newText, change) ?? updateDocuments(old, newText, change);
}

/** One replacement that covers all edits: old [start, oldEnd) became new [start, newEnd). */
interface Change {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

function coveringChange(oldLength: number, newLength: number, edits: readonly TextEdit[]): Change | null {
  if (edits.length === 0) return null;
  let start = Infinity;
  // Length of the untouched text after all edits.
  let tail = Infinity;
  let length = oldLength;
  for (const e of edits) {
    const from = Math.max(0, Math.min(e.start, length));
    const to = Math.max(from, Math.min(e.end, length));
    start = Math.min(start, from);
    tail = Math.min(tail, length - to);
    length += e.text.length - (to - from);
  }
  // Edits that cancel each other can leave a cover that is longer than a text.
  start = Math.min(start, oldLength, newLength);
  tail = Math.min(tail, oldLength - start, newLength - start);
  return { start, oldEnd: oldLength - tail, newEnd: newLength - tail };
}

// -- edits inside one body ------------------------------------------------------------------------------------------------

/** The fast way: everything happens in lines of one body that stay good lines of its block scalar. Null when that is not so. */
function updateBodyOnly(old: MirFile, newText: SourceText, change: Change): MirFile | null {
  const d = documentAt(old, change.start);
  const doc = old.documents[d];
  const body = doc.body;
  if (body === null || doc.kind !== DocumentKind.Function || doc.indent === 0 || body.chunks.length === 0) return null;
  const docStart = old.docStarts[d];
  const bodyStart = docStart + body.start;
  const bodyEnd = bodyStart + body.length;
  // The last line is left to the slow way: its end is where the scalar ends.
  if (change.start <= bodyStart || change.oldEnd >= bodyEnd) return null;
  for (const e of doc.diagnostics) if (Math.max(e.end, e.llcOffset ?? 0) > body.start) return null;
  if (!endsTree(doc) || firstReading(old, d, change.start) < d) return null;

  const text = newText.text;
  const delta = newText.length - old.text.length;
  const from = lineStartBefore(text, change.start);
  const to = lineEndAfter(text, change.newEnd);
  if (from <= bodyStart || to >= bodyEnd + delta) return null;
  // The indentation is that of the first line with text, which must stand before the change.
  if (!hasTextLine(text, bodyStart, from)) return null;
  if (!areBlockScalarLines(text, from, to, doc.indent)) return null;
  const oldFrom = from;
  const oldTo = lineEndAfter(old.text.text, change.oldEnd);
  if (oldTo - change.oldEnd !== to - change.newEnd || oldFrom >= oldTo) return null;

  const builder = new FileBuilder(text, old.interner);
  const newBody = builder.updateBody(body, bodyStart, bodyStart, bodyEnd + delta, body.start, change);
  const documents = old.documents.slice();
  documents[d] = { ...doc, length: doc.length + delta, body: newBody };
  const docStarts = old.docStarts.slice();
  if (delta !== 0) for (let i = d + 1; i < docStarts.length; i++) docStarts[i] += delta;
  return { text: newText, interner: old.interner, documents, docStarts };
}

/** Whether nothing of the header tree stands after the body. */
function endsTree(doc: MirDocument): boolean {
  const { yaml, body } = doc;
  if (yaml.size === 0 || body === null || yaml.end(0) > body.start) return false;
  // A pair without a key may stand after the body, though its value, which is absent, does not.
  for (let pair = yaml.firstChild(0); pair !== NO_NODE; pair = yaml.nextSibling(pair, 0))
    if (yaml.start(pair) > body.start) return false;
  return true;
}

function hasTextLine(text: string, start: number, end: number): boolean {
  for (let p = start; p < end; p++) {
    const c = text.charCodeAt(p);
    if (c !== 32 && c !== 10 && c !== 13) return true;
  }
  return false;
}

function lineStartBefore(text: string, p: number): number {
  // A `\r` right before the change may join with a `\n` in it.
  if (p > 0 && text.charCodeAt(p - 1) === 13) p--;
  while (p > 0) {
    const c = text.charCodeAt(p - 1);
    if (c === 10 || c === 13) break;
    p--;
  }
  return p;
}

/** Start of the line after the one with p. */
function lineEndAfter(text: string, p: number): number {
  while (p < text.length) {
    const c = text.charCodeAt(p++);
    if (c === 10) return p;
    if (c === 13) return text.charCodeAt(p) === 10 ? p + 1 : p;
  }
  return p;
}

function documentAt(file: MirFile, offset: number): number {
  const starts = file.docStarts;
  let lo = 0;
  let hi = file.documents.length - 1;
  while (lo < hi) {
    const mid = (lo + hi + 1) >> 1;
    if (starts[mid] <= offset) lo = mid;
    else hi = mid - 1;
  }
  return lo;
}

// -- all other edits ------------------------------------------------------------------------------------------------------

function updateDocuments(old: MirFile, newText: SourceText, change: Change): MirFile {
  const text = newText.text;
  const delta = newText.length - old.text.length;
  // First document to parse again: the one with the change, or one before that depends on the changed text.
  let first = documentAt(old, change.start);
  first = Math.min(first, firstReading(old, first, change.start));
  while (first > 0 && !isMarkedAt(old.text.text, old.docStarts[first])) first--;

  const documents: MirDocument[] = old.documents.slice(0, first);
  const starts: number[] = Array.from(old.docStarts.subarray(0, first));
  const builder = new FileBuilder(text, old.interner);
  let pos = old.docStarts[first];
  let next = first;
  do {
    // After the change: a `---` that began a document before still does, and so does all that follows it.
    if (pos > change.newEnd) {
      while (next < old.documents.length && old.docStarts[next] + delta < pos) next++;
      const isCounted = documents.length + old.documents.length - next <= MAX_DOCUMENTS;
      if (next < old.documents.length && old.docStarts[next] + delta === pos && isMarkedAt(text, pos) && isCounted) {
        for (; next < old.documents.length; next++) {
          documents.push(old.documents[next]);
          starts.push(old.docStarts[next] + delta);
        }
        break;
      }
    }
    starts.push(pos);
    const isOneTooMany = documents.length >= MAX_DOCUMENTS;
    const doc = isOneTooMany ? tooManyDocuments(text.length - pos) : builder.parseDocument(pos, { old, change });
    documents.push(doc);
    pos += doc.length;
  } while (pos < text.length);
  starts.push(text.length);
  return { text: newText, interner: old.interner, documents, docStarts: Int32Array.from(starts) };
}

/** The first document before `end` that depends on the text from `offset` on; `end` if there is none. */
function firstReading(file: MirFile, end: number, offset: number): number {
  const { documents, docStarts } = file;
  let d = 0;
  while (d < end && docStarts[d + 1] + documents[d].overrun <= offset) d++;
  return d;
}

/** A `---` that begins a document whatever stands before it: at the start of a line, and a blank or line break follows. */
function isMarkedAt(text: string, p: number): boolean {
  if (!text.startsWith('---', p)) return false;
  if (p > 0 && text.charCodeAt(p - 1) !== 10 && text.charCodeAt(p - 1) !== 13) return false;
  const c = text.charCodeAt(p + 3);
  return c === 32 || c === 9 || c === 10 || c === 13;
}

interface Reuse {
  readonly old: MirFile;
  readonly change: Change;
}

// -- building -------------------------------------------------------------------------------------------------------------

class FileBuilder {
  private parser: BodyParser | null = null;
  private readonly yamlTree = new TreeBuilder();

  constructor(
    private readonly text: string,
    private readonly interner: Interner,
  ) {}

  parseDocument(start: number, reuse: Reuse | null): MirDocument {
    const y = parseYamlDocument(this.text, start, this.interner, this.yamlTree);
    const yaml = y.tree;
    const kind = documentKind(yaml.size === 0 ? SyntaxKind.None : yaml.kind(0), y.diagnostics.length > 0);
    let body: Body | null = null;
    let irStart = 0;
    let irEnd = 0;
    let indent = 0;
    if (y.block !== null) {
      indent = y.block.indent;
      const { contentStart, contentEnd } = y.block;
      if (kind === DocumentKind.IR) {
        irStart = contentStart - start;
        irEnd = contentEnd - start;
      } else {
        body = this.body(contentStart, contentEnd, contentStart - start, reuse);
      }
    } else if (y.inlineBody !== null) {
      const { start: bodyStart, end: bodyEnd } = y.inlineBody;
      body = this.updateBody(NO_BODY, 0, bodyStart, bodyEnd, bodyStart - start, null);
    }
    const { diagnostics, overrun } = y;
    return { kind, length: y.end - start, yaml, body, irStart, irEnd, indent, diagnostics, overrun };
  }

  /** The body at [start, end), with chunks of an old body where the text did not change. */
  private body(start: number, end: number, relStart: number, reuse: Reuse | null): Body {
    if (reuse !== null) {
      const { old, change } = reuse;
      // The old body with the text of this one, if the change left its start or its end. Bodies that hold neither end of the change
      // have nothing in common with a document that is parsed again, or little.
      const delta = change.newEnd - change.oldEnd;
      for (const d of [documentAt(old, change.start), documentAt(old, change.oldEnd)]) {
        const body = old.documents[d].body;
        if (body === null || old.documents[d].indent === 0) continue;
        const oldStart = old.docStarts[d] + body.start;
        const startsHere = oldStart === start && oldStart < change.start;
        const endsHere = oldStart + body.length + delta === end && oldStart + body.length > change.oldEnd;
        if (startsHere || endsHere) return this.updateBody(body, oldStart, start, end, relStart, change);
      }
    }
    return this.updateBody(NO_BODY, 0, start, end, relStart, null);
  }

  /**
   * Body of text [start, end). Chunks of `old` (at `oldStart` in the old text) that lie before or after the change and within the
   * range are taken over; what is between is parsed.
   */
  updateBody(old: Body, oldStart: number, start: number, end: number, relStart: number, change: Change | null): Body {
    const parser = (this.parser ??= new BodyParser(this.text, this.interner));
    const chunks: Chunk[] = [];
    const n = old.chunks.length;
    let pos = start;
    let tail = n;
    if (change !== null) {
      const delta = change.newEnd - change.oldEnd;
      const endsAlike = oldStart + old.length + delta === end;
      const endsComment =
        !endsAlike || this.text.slice(Math.max(0, change.start - 1), change.newEnd + 1).includes('*/');
      // Before the change: chunks that end before it, with at least one character between (a `\r` could get its `\n`).
      let head = 0;
      if (oldStart === start) {
        while (
          head < n &&
          !(endsComment && old.chunks[head].hasOpenComment) &&
          oldStart + old.chunkStarts[head + 1] < change.start &&
          oldStart + old.chunkStarts[head + 1] <= end
        )
          head++;
      }
      for (let i = 0; i < head; i++) chunks.push(old.chunks[i]);
      if (head > 0) pos = oldStart + old.chunkStarts[head];
      // After: whole chunks whose first line break before them did not change.
      while (
        endsAlike &&
        tail > head &&
        oldStart + old.chunkStarts[tail - 1] > change.oldEnd &&
        oldStart + old.chunkStarts[tail - 1] + delta >= pos
      )
        tail--;
      const tailStart = (): number => (tail < n ? oldStart + old.chunkStarts[tail] + delta : end);
      // Small leftovers join their neighbour.
      const isSmall = (): boolean => countLines(this.text, pos, tailStart(), MIN_CHUNK_LINES) < MIN_CHUNK_LINES;
      if (tail < n && pos < tailStart() && isSmall()) tail++;
      while (pos < tailStart()) {
        pos = this.parseRange(parser, pos, tailStart(), end, chunks);
        // A comment that began before may reach into what is after.
        while (tailStart() < pos) tail++;
      }
    } else {
      while (pos < end) {
        const chunk = parser.parseChunk(pos, end, end, CHUNK_LINES);
        chunks.push(chunk);
        pos += chunk.length;
      }
    }
    for (; tail < n; tail++) chunks.push(old.chunks[tail]);
    return makeBody(relStart, chunks);
  }

  /** Parses a range of whole lines into chunks of about the same number of lines; returns where the last of them ends. */
  private parseRange(parser: BodyParser, start: number, end: number, bodyEnd: number, out: Chunk[]): number {
    const lines = countLines(this.text, start, end, Infinity);
    const nChunks = Math.ceil(lines / CHUNK_LINES);
    const perChunk = Math.ceil(lines / nChunks);
    let pos = start;
    while (pos < end) {
      const chunk = parser.parseChunk(pos, end, bodyEnd, perChunk);
      out.push(chunk);
      pos += chunk.length;
    }
    return pos;
  }
}

const NO_BODY: Body = {
  start: 0,
  length: 0,
  chunks: [],
  chunkStarts: new Int32Array(1),
  chunkLines: new Int32Array(1),
};

/** Lines in whole lines [start, end), counted up to `limit`. */
function countLines(text: string, start: number, end: number, limit: number): number {
  let lines = 0;
  for (let p = start; p < end && lines < limit; lines++) p = Math.min(end, lineEndAfter(text, p));
  return lines;
}

function tooManyDocuments(length: number): MirDocument {
  const message = `more than ${MAX_DOCUMENTS} documents: the rest of the file is not read`;
  const diagnostic: Diagnostic = {
    start: 0,
    end: Math.min(length, 3),
    severity: Severity.Error,
    origin: DiagnosticOrigin.Ours,
    code: 'too-many-documents',
    message,
  };
  return {
    kind: DocumentKind.Other,
    length,
    yaml: new Tree(new Int32Array(0), 0, []),
    body: null,
    irStart: 0,
    irEnd: 0,
    indent: 0,
    diagnostics: [diagnostic],
    overrun: 0,
  };
}

function documentKind(root: SyntaxKind, hasErrors: boolean): DocumentKind {
  switch (root) {
    case SyntaxKind.YamlBlockScalar:
      return DocumentKind.IR;
    case SyntaxKind.YamlMapping:
      return DocumentKind.Function;
    case SyntaxKind.None:
    case SyntaxKind.YamlNull:
      return hasErrors ? DocumentKind.Other : DocumentKind.Empty;
    default:
      return DocumentKind.Other;
  }
}
