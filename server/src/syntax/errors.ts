/**
 * Errors of the syntax layer as diagnostics, and the errors of a body that no single line shows: instructions before the first label, braces
 * that do not match, attribute lines after instructions. LLVM finds them in two passes over the body (docs/llvm/mir-format.md, 1.1).
 */
import { DiagnosticOrigin, moveDiagnostic, Severity, type Diagnostic } from '../text/diagnostic.js';
import { nextTokenOffset } from './lexer.js';
import {
  ERROR_ON_NEXT_LINE,
  ErrorFlag,
  SyntaxKind,
  type Body,
  type MirDocument,
  type MirFile,
  type Node,
  type Tree,
} from './tree.js';

/** An error in a body. Offsets are absolute. */
export interface BodyError {
  readonly start: number;
  readonly end: number;
  /** offset that llc reports */
  readonly llcOffset: number;
  readonly message: string;
  /** found by LLVM's scan of the block definitions: comes before all errors without this flag */
  readonly isDefinitionScan: boolean;
  /** where it stands: index of the chunk, node (the Error, or the node the message is about; -1 at the end of the body) */
  readonly chunk: number;
  readonly node: Node;
}

/**
 * All syntax errors of a body: first those of the definition scan, then the others, each in text order. llc reports the first of the
 * definition scan, if any (together with what the layer above knows about labels: the smaller offset wins); else the first of the others,
 * unless an instruction before it or its own earlier part is wrong for other reasons.
 * Cost: the top-level nodes of chunks that have errors, braces or labels are looked at, not the others.
 */
export function bodyErrors(file: MirFile, docIndex: number): BodyError[] {
  const doc = file.documents[docIndex];
  if (doc.body === null) return [];
  return new BodyErrorCollector(file.text.text, file.docStarts[docIndex] + doc.body.start, doc.body).collect();
}

const enum BlockPart {
  /** before the first label */
  None = 0,
  /** labels and attribute lines so far */
  Attributes = 1,
  Instructions = 2,
}

class BodyErrorCollector {
  private readonly definitions: BodyError[] = [];
  private readonly others: BodyError[] = [];
  private chunkStart = 0;
  private chunk = 0;

  constructor(
    private readonly text: string,
    private readonly bodyStart: number,
    private readonly body: Body,
  ) {}

  collect(): BodyError[] {
    const { chunks, chunkStarts } = this.body;
    let part = BlockPart.None;
    let depth = 0;
    for (let i = 0; i < chunks.length; i++) {
      const chunk = chunks[i];
      this.chunk = i;
      this.chunkStart = this.bodyStart + chunkStarts[i];
      const hasEvents = chunk.errors.length > 0 || chunk.braces.length > 0 || chunk.labels.length > 0;
      // Without labels, a chunk in the middle of a block can only go wrong with an attribute line.
      if (!hasEvents && part === BlockPart.Instructions && !chunk.hasAttributeLines) continue;
      const tree = chunk.tree;
      let e = 0;
      let b = 0;
      for (let n = 0; n < tree.size;) {
        const next = tree.next(n);
        const kind = tree.kind(n);
        if (kind === SyntaxKind.BlockLabel) {
          if (depth > 0) this.add(this.definitions, tree, n, "expected '}'", true);
          depth = 0;
          part = BlockPart.Attributes;
        } else if (part === BlockPart.None && kind !== SyntaxKind.Comment) {
          // What cannot even be lexed is reported as such.
          const isLexed = e === chunk.errors.length || !isLexicalErrorAt(tree, chunk.errors[e], tree.start(n));
          const message = 'expected a basic block definition before instructions';
          if (isLexed) this.add(this.definitions, tree, n, message, true);
          part = BlockPart.Attributes;
        } else if (kind === SyntaxKind.Successors || kind === SyntaxKind.LiveIns) {
          if (part === BlockPart.Instructions) this.add(this.others, tree, n, 'expected a machine instruction', false);
        }
        if (kind === SyntaxKind.Instruction || kind === SyntaxKind.BundleClose) part = BlockPart.Instructions;
        while (e < chunk.errors.length && chunk.errors[e] < next) this.error(tree, chunk.errors[e++], i);
        for (; b < chunk.braces.length && chunk.braces[b] < next; b++) {
          const brace = chunk.braces[b];
          if (tree.kind(brace) === SyntaxKind.BundleOpen) {
            if (depth > 0) this.add(this.others, tree, brace, 'nested instruction bundles are not allowed', false);
            depth++;
          } else if (depth === 0) {
            this.add(this.definitions, tree, brace, "extraneous closing brace ('}')", true);
          } else {
            depth--;
          }
        }
        n = next;
      }
    }
    if (depth > 0) {
      const end = this.bodyStart + this.body.length;
      this.definitions.push({
        start: end,
        end,
        llcOffset: end,
        message: "expected '}'",
        isDefinitionScan: true,
        chunk: chunks.length - 1,
        node: -1,
      });
    }
    // The walk meets them line by line; within a line and among structural errors the offset decides.
    this.definitions.sort((a, b) => a.llcOffset - b.llcOffset);
    this.others.sort((a, b) => a.llcOffset - b.llcOffset);
    return this.definitions.concat(this.others);
  }

  private add(list: BodyError[], tree: Tree, n: Node, message: string, isDefinitionScan: boolean): void {
    const start = this.chunkStart + tree.start(n);
    const firstWord = /^[^\s]*/.exec(this.text.slice(start, start + 80)) as RegExpExecArray;
    const end = Math.min(this.chunkStart + tree.end(n), start + Math.max(1, firstWord[0].length));
    list.push({ start, end, llcOffset: start, message, isDefinitionScan, chunk: this.chunk, node: n });
  }

  private error(tree: Tree, n: Node, chunk: number): void {
    const start = this.chunkStart + tree.start(n);
    const end = this.chunkStart + tree.end(n);
    const flags = tree.flags(n);
    let llcOffset = start + tree.aux(n);
    if (tree.aux(n) === ERROR_ON_NEXT_LINE) {
      const bodyEnd = this.bodyStart + this.body.length;
      llcOffset = tokenOnLaterLine(this.text, end, bodyEnd, (flags & ErrorFlag.BehindBlankLines) !== 0);
      if ((flags & ErrorFlag.UnlessLastLine) !== 0 && llcOffset === bodyEnd) return;
    }
    const isDefinitionScan = (flags & ErrorFlag.DefinitionScan) !== 0;
    const list = isDefinitionScan ? this.definitions : this.others;
    list.push({ start, end, llcOffset, message: tree.message(n), isDefinitionScan, chunk, node: n });
  }
}

function isLexicalErrorAt(tree: Tree, n: Node, start: number): boolean {
  return (tree.flags(n) & ErrorFlag.DefinitionScan) !== 0 && tree.start(n) === start;
}

/** First token after the line end at or after `p`: of the next line (its end, if it is blank) or of the next that has one. At most `limit`. */
function tokenOnLaterLine(text: string, p: number, limit: number, skipBlankLines: boolean): number {
  for (let isFirst = true; p < limit; isFirst = false) {
    p = nextTokenOffset(text, p);
    const c = text.charCodeAt(p);
    if (c !== 10 && c !== 13) break;
    if (!isFirst && !skipBlankLines) break;
    p += c === 13 && text.charCodeAt(p + 1) === 10 ? 2 : 1;
  }
  return Math.min(p, limit);
}

/** YAML errors and body errors of one document, as diagnostics with absolute offsets, in the order of `bodyErrors`. */
function documentDiagnostics(file: MirFile, docIndex: number): Diagnostic[] {
  const doc: MirDocument = file.documents[docIndex];
  const docStart = file.docStarts[docIndex];
  const out: Diagnostic[] = doc.diagnostics.map((d) => moveDiagnostic(d, docStart));
  for (const e of bodyErrors(file, docIndex)) {
    const d = {
      start: e.start,
      end: e.end,
      severity: Severity.Error,
      origin: DiagnosticOrigin.Text,
      code: e.isDefinitionScan ? 'mir-definition' : 'mir-syntax',
      message: e.message,
    };
    out.push(e.llcOffset === e.start ? d : { ...d, llcOffset: e.llcOffset });
  }
  return out;
}

/** All diagnostics of this layer, document by document. */
export function syntaxDiagnostics(file: MirFile): Diagnostic[] {
  return file.documents.flatMap((_, i) => documentDiagnostics(file, i));
}
