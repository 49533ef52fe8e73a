/**
 * Bodies and IR whose text in the file is not what LLVM reads: folded (`>`), quoted with escapes, over several lines. LLVM parses the decoded
 * text, and has its places in that.
 */
import { SourceText } from '../text/sourceText.js';
import { foldedText } from './blockScalar.js';
import { BodyParser, CHUNK_LINES } from './bodyParser.js';
import { DocumentKind, NO_NODE, SyntaxKind, YamlFlag, type Chunk, type MirDocument, type MirFile } from './tree.js';
import { makeBody } from './body.js';
import { yamlGet, yamlText } from './yamlParser.js';

/** A text that LLVM has in place of a scalar of the file. */
export interface DecodedScalar {
  readonly text: string;
  /** range of the scalar in the document, as LLVM has it */
  readonly start: number;
  readonly end: number;
}

/** The body of a function document, or the IR, where it has to be decoded; else null. */
export function decodedScalar(file: MirFile, d: number): DecodedScalar | null {
  const doc = file.documents[d];
  const docStart = file.docStarts[d];
  const { text } = file.text;
  if (doc.kind === DocumentKind.IR) {
    const { irStart: start, irEnd: end } = doc;
    if (text.charAt(docStart + doc.yaml.start(0)) !== '>') return null;
    return {
      text: foldedText(text, docStart + start, docStart + end, doc.indent, header(text, docStart + start)),
      start,
      end,
    };
  }
  if (doc.kind !== DocumentKind.Function) return null;
  const { yaml, body } = doc;
  const node = yamlGet(yaml, 0, file.interner.internString('body'));
  if (node === NO_NODE) return null;
  const start = yaml.start(node);
  if (yaml.kind(node) === SyntaxKind.YamlBlockScalar) {
    if (body === null || text.charAt(docStart + start) !== '>') return null;
    const from = docStart + body.start;
    const decoded = foldedText(text, from, from + body.length, doc.indent, header(text, from));
    return { text: decoded, start: body.start, end: body.start + body.length };
  }
  if (yaml.kind(node) !== SyntaxKind.YamlScalar || (yaml.flags(node) & YamlFlag.Escaped) === 0) return null;
  return { text: yamlText(yaml, node, text, docStart, file.interner), start, end: yaml.end(node) };
}

/** The line before an offset. */
function header(text: string, contentStart: number): string {
  return text.slice(text.lastIndexOf('>', contentStart), contentStart);
}

/**
 * The document alone, its body parsed from the decoded text, which stands after the document's own in the new file's text: offsets of the
 * header are as before.
 */
export function fileWithBody(file: MirFile, d: number, decoded: string): MirFile {
  const docStart = file.docStarts[d];
  const doc = file.documents[d];
  const own = `${file.text.text.slice(docStart, docStart + doc.length)}\n`;
  const text = own + decoded;
  const parser = new BodyParser(text, file.interner);
  const chunks: Chunk[] = [];
  for (let pos = own.length; pos < text.length;) {
    const chunk = parser.parseChunk(pos, text.length, text.length, CHUNK_LINES);
    chunks.push(chunk);
    pos += chunk.length;
  }
  const document: MirDocument = { ...doc, length: text.length, body: makeBody(own.length, chunks) };
  const docStarts = Int32Array.of(0, text.length);
  return { text: new SourceText(text), interner: file.interner, documents: [document], docStarts };
}
