/**
 * The lines of a body as llc prints them: labels at two columns, instructions at four, what is in a bundle at six, one blank between words,
 * an empty line between blocks and after the live-ins. Only blanks and line breaks are touched; lines that are comments stay as they are.
 */
import { Lexer, Tok } from '../../syntax/lexer.js';
import type { SourceText, TextEdit } from '../../text/sourceText.js';
import { Interner } from '../../util/interner.js';
import type { FunctionView } from '../snapshot/snapshot.js';

export const enum LineKind {
  Blank,
  /** a comment and nothing else */
  Comment,
  Label,
  /** `successors:` or `liveins:` */
  Attribute,
  Instruction,
  /** `}` of a bundle */
  Close,
}

interface BodyLine {
  /** in the document's text */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** first character that is no blank */
  readonly first: number;
  readonly kind: LineKind;
  /** bundles around the line */
  readonly depth: number;
}

/** llc's column of block labels. */
const LABEL_COLUMN = 2;
const STEP = 2;

/** Lines of a body; null where comments of operands run over lines, which are left alone. O(body) */
function bodyLines(text: SourceText, { body, start }: FunctionView): BodyLine[] | null {
  if (body === null || body.length === 0) return null;
  const from = start + body.start;
  const to = from + body.length;
  const lines: BodyLine[] = [];
  let depth = 0;
  for (let line = text.lineAt(from); line < text.lineCount && text.lineStart(line) < to; line++) {
    const lineStart = text.lineStart(line);
    const end = text.lineEnd(line);
    const content = text.slice(lineStart, end);
    if (hasOpenComment(content)) return null;
    const first = lineStart + content.length - content.trimStart().length;
    const kind = kindOf(content.trim());
    if (kind === LineKind.Close && depth > 0) depth--;
    lines.push({ line, start: lineStart, end, first, kind, depth });
    if (kind === LineKind.Instruction && opensBundle(content)) depth++;
  }
  return lines;
}

export const opensBundle = (line: string): boolean => /\{\s*(?:;.*)?$/.test(line);

const hasOpenComment = (line: string): boolean => {
  const bare = line.replace(/;.*$/, '');
  return bare.lastIndexOf('/*') > bare.lastIndexOf('*/');
};

export function kindOf(content: string): LineKind {
  if (content === '') return LineKind.Blank;
  if (content.startsWith(';') || content.startsWith('#')) return LineKind.Comment;
  if (/^bb\.\d/.test(content)) return LineKind.Label;
  if (/^(?:successors|liveins)\s*:/.test(content)) return LineKind.Attribute;
  return content.startsWith('}') ? LineKind.Close : LineKind.Instruction;
}

/**
 * Column of the labels: llc's, unless a comment that stays where it is would fall out of the block scalar then, or stands before
 * everything further right.
 */
function labelColumn(lines: readonly BodyLine[], indent: number): number {
  const column = ({ first, start }: BodyLine): number => first - start;
  const comments = lines.filter((l) => l.kind === LineKind.Comment);
  const first = lines.find((l) => l.kind !== LineKind.Blank);
  const isHeld = first?.kind === LineKind.Comment && column(first) > LABEL_COLUMN;
  return isHeld || comments.some((c) => column(c) < LABEL_COLUMN) ? indent : LABEL_COLUMN;
}

export const columnOf = ({ kind, depth }: Pick<BodyLine, 'kind' | 'depth'>, base: number): number =>
  kind === LineKind.Label ? base : base + STEP + depth * STEP;

/** Edits of a body in text order. */
export function formatBody(text: SourceText, view: FunctionView): TextEdit[] {
  const lines = bodyLines(text, view);
  if (lines === null) return [];
  const base = labelColumn(lines, view.document.indent);
  const lineBreak = text.text.includes('\r\n') ? '\r\n' : '\n';
  const edits: TextEdit[] = [];
  lines.forEach((line, i) => {
    const { kind, start, end, first } = line;
    if (kind === LineKind.Comment) return;
    if (kind === LineKind.Blank) {
      // What blanks an empty line has says how far its block scalar reaches.
      return;
    }
    const above = lines[i - 1]?.kind ?? LineKind.Blank;
    const needsGap =
      kind === LineKind.Label
        ? above === LineKind.Instruction || above === LineKind.Close || above === LineKind.Attribute
        : kind === LineKind.Instruction && above === LineKind.Attribute;
    const indent = (needsGap ? lineBreak : '') + ' '.repeat(columnOf(line, base));
    if (text.slice(start, first) !== indent) edits.push({ start, end: first, text: indent });
    edits.push(...formatLine(text.text, first, end));
  });
  return edits;
}

const isTouchable = (gap: string): boolean => /^[ \t]*$/.test(gap);

/** Blanks within a line; nothing where the lexer meets something that it does not know. */
function formatLine(text: string, start: number, end: number): TextEdit[] {
  const lexer = new Lexer(text, new Interner());
  lexer.reset(start, end);
  const edits: TextEdit[] = [];
  let previous = Tok.Newline;
  let previousEnd = start;
  let depth = 0;
  for (let n = end - start; n >= 0; n--) {
    lexer.next();
    const tok = lexer.tok();
    if (tok === Tok.Error) return [];
    const isEnd = tok === Tok.Eof || tok === Tok.Newline;
    const comment = lexer.comment >= previousEnd && lexer.comment < end ? lexer.comment : -1;
    if (isEnd) {
      const to = comment >= 0 ? comment : end;
      // Before a comment at the end of a line blanks may be there to align it.
      if (comment < 0 && to > previousEnd && isTouchable(text.slice(previousEnd, to)))
        edits.push({ start: previousEnd, end: to, text: '' });
      break;
    }
    const { start: at, end: tokenEnd } = lexer;
    if (tok === Tok.RParen) depth--;
    if (previous !== Tok.Newline) {
      const gap = text.slice(previousEnd, at);
      const wanted = gapBetween(previous, tok, gap, depth);
      if (isTouchable(gap) && gap !== wanted) edits.push({ start: previousEnd, end: at, text: wanted });
    }
    if (tok === Tok.LParen) depth++;
    previous = tok;
    previousEnd = tokenEnd;
  }
  return edits;
}

/** What llc writes between two tokens, where it differs from what is there. */
function gapBetween(a: Tok, b: Tok, gap: string, depth: number): string {
  if (b === Tok.Comma) return '';
  if (depth <= 0 && (a === Tok.Equal || b === Tok.Equal || a === Tok.ColonColon || b === Tok.ColonColon)) return ' ';
  if (a === Tok.Comma && depth <= 0) return ' ';
  if (gap === '') return '';
  return a === Tok.LParen || b === Tok.RParen ? '' : ' ';
}
