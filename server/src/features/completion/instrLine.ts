/**
 * One line of a body around the cursor, read with MIR's own lexer: the word that is being typed, and what stands before and after it,
 * cut into definitions, opcode, operands and memory operands. It holds for lines that no parser would take.
 */
import { Lexer, Tok } from '../../syntax/lexer.js';
import { Interner } from '../../util/interner.js';

export interface LineToken {
  readonly tok: Tok;
  /** offsets in the text */
  readonly start: number;
  readonly end: number;
}

/** Tokens [from, to) of one operand, flags and all. */
export interface OperandSpan {
  readonly from: number;
  readonly to: number;
}

export interface InstrLine {
  readonly text: string;
  readonly tokens: readonly LineToken[];
  /** the word under the cursor, in the text: [wordStart, cursor) is typed, [cursor, wordEnd) stands after it */
  readonly wordStart: number;
  readonly cursor: number;
  readonly wordEnd: number;
  /** tokens before the word; those from here on stand after it */
  readonly hole: number;
  /** registers before `=`; empty spans where one is missing */
  readonly defs: readonly OperandSpan[];
  /** token of `=`, -1 without one */
  readonly equal: number;
  /** token of the opcode, -1 where none stands, also where the word is the opcode */
  readonly opcode: number;
  /** operands after the opcode; the one with the word is the empty or partial span at `hole` */
  readonly operands: readonly OperandSpan[];
  /** which definition or operand the cursor is in, -1 = none */
  readonly defAt: number;
  readonly operandAt: number;
  /** token of `::`, -1 without one */
  readonly memory: number;
  readonly place: LinePlace;
}

export const enum LinePlace {
  /** nothing stands before the word */
  Start,
  /** among the registers before `=` */
  Def,
  /** where flags and the opcode stand */
  Opcode,
  Operand,
  /** between operands and memory operands, after `debug-location` and its like */
  Trailer,
  Memory,
  Successors,
  LiveIns,
  /** in the brackets of a block label */
  Label,
  /** nothing can be proposed: a comment, a string, after a block label */
  None,
}

const isWordChar = (c: string): boolean => /[\w$.%@&!`"-]/.test(c);

/** Words of a line that are longer than this are not completed. */
const MAX_WORD = 256;

/** Reads the line [lineStart, lineEnd) of `text` with the cursor in it. O(line) */
export function readInstrLine(text: string, lineStart: number, lineEnd: number, cursor: number): InstrLine {
  let wordStart = cursor;
  while (lineStart < wordStart && cursor - wordStart < MAX_WORD && isWordChar(text[wordStart - 1]!)) wordStart--;
  let wordEnd = cursor;
  while (wordEnd < lineEnd && wordEnd - cursor < MAX_WORD && isWordChar(text[wordEnd]!)) wordEnd++;
  const before = tokensOf(text, lineStart, wordStart);
  const after = tokensOf(text, wordEnd, lineEnd);
  // What remains of quotes belongs to a string that is open.
  const isComment = /[;#"]/.test(text.slice(lineStart, wordStart).replace(/"(?:\\.|[^"\\])*"/g, ''));
  const tokens = [...before, ...after];
  return {
    text,
    tokens,
    wordStart,
    cursor,
    wordEnd,
    hole: before.length,
    ...shapeOf(tokens, before.length, isComment),
  };
}

function tokensOf(text: string, start: number, end: number): LineToken[] {
  const tokens: LineToken[] = [];
  const lexer = new Lexer(text, new Interner());
  lexer.reset(start, end);
  // An error consumes something, so that the loop ends; the guard is against a lexer that does not.
  for (let guard = end - start + 2; guard > 0; guard--) {
    lexer.next();
    const tok = lexer.tok();
    if (tok === Tok.Eof || tok === Tok.Newline) break;
    tokens.push({ tok, start: lexer.start, end: lexer.end });
  }
  return tokens;
}

type Shape = Pick<InstrLine, 'defs' | 'equal' | 'opcode' | 'operands' | 'defAt' | 'operandAt' | 'memory' | 'place'>;

const isInstrFlag = (tok: Tok): boolean => Tok.KwFrameSetup <= tok && tok <= Tok.KwLRSplit;
const isTrailer = (tok: Tok): boolean =>
  (Tok.KwDebugLocation <= tok && tok <= Tok.KwDeactivationSymbol && tok !== Tok.KwDbgInstrRef) || tok === Tok.LBrace;

/** What is between brackets is of one operand. */
function depthChange(tok: Tok): number {
  if (tok === Tok.LParen || tok === Tok.Less) return 1;
  return tok === Tok.RParen || tok === Tok.Greater ? -1 : 0;
}

function shapeOf(tokens: readonly LineToken[], hole: number, isComment: boolean): Shape {
  const none: Shape = {
    defs: [],
    equal: -1,
    opcode: -1,
    operands: [],
    defAt: -1,
    operandAt: -1,
    memory: -1,
    place: LinePlace.None,
  };
  const first = tokens[0]?.tok;
  if (isComment) return none;
  if (hole > 0) {
    if (first === Tok.KwSuccessors) return { ...none, place: LinePlace.Successors };
    if (first === Tok.KwLiveIns) return { ...none, place: LinePlace.LiveIns };
    if (first === Tok.BlockLabel) {
      const isOpen = tokens.slice(1, hole).some((t) => t.tok === Tok.LParen) && tokens[hole - 1]!.tok !== Tok.Colon;
      return { ...none, place: isOpen ? LinePlace.Label : LinePlace.None };
    }
  }
  let depth = 0;
  let equal = -1;
  for (let i = 0; i < tokens.length && equal < 0; i++) {
    if (tokens[i]!.tok === Tok.Equal) equal = i;
    if (tokens[i]!.tok === Tok.ColonColon) break;
  }
  const defs: OperandSpan[] = [];
  let defAt = -1;
  if (equal >= 0) {
    let from = 0;
    for (let i = 0; i <= equal; i++) {
      depth += depthChange(tokens[i]!.tok);
      if (i !== equal && (tokens[i]!.tok !== Tok.Comma || depth > 0)) continue;
      if (from <= hole && hole <= i) defAt = defs.length;
      defs.push({ from, to: i });
      from = i + 1;
    }
  }
  depth = 0;
  let at = equal + 1;
  while (at < tokens.length && isInstrFlag(tokens[at]!.tok)) at++;
  const isWordOpcode = at >= hole && equal < hole && (at === hole || hole >= equal + 1);
  // The word stands where the opcode does unless an opcode stands before it.
  const hasOpcode = at < tokens.length && tokens[at]!.tok === Tok.Identifier && !(isWordOpcode && hole <= at);
  const opcode = hasOpcode ? at : -1;
  if (hasOpcode) at++;
  const operands: OperandSpan[] = [];
  let operandAt = -1;
  let memory = -1;
  let trailer = -1;
  let from = at;
  let i = at;
  for (; i < tokens.length; i++) {
    const { tok } = tokens[i]!;
    depth += depthChange(tok);
    if (tok === Tok.ColonColon && depth <= 0) {
      memory = i;
      break;
    }
    if (isTrailer(tok) && depth <= 0 && trailer < 0) {
      trailer = i;
    }
    if (tok === Tok.Comma && depth <= 0 && trailer < 0) {
      operands.push({ from, to: i });
      from = i + 1;
    }
  }
  const end = trailer >= 0 ? trailer : i;
  // A comma before a trailer separates no operand.
  const isBehindComma = operands.length > 0 && trailer < 0;
  if (from < end || isBehindComma || hole === end) operands.push({ from, to: Math.max(from, end) });
  const isBehindOpcode = opcode >= 0 && hole > opcode;
  if (memory >= 0 && hole > memory)
    return { defs, equal, opcode, operands, defAt: -1, operandAt: -1, memory, place: LinePlace.Memory };
  const base = { defs, equal, opcode, operands, memory };
  if (isBehindOpcode) {
    if (trailer >= 0 && hole > trailer) return { ...base, defAt: -1, operandAt: -1, place: LinePlace.Trailer };
    operandAt = operands.findIndex((o) => o.from <= hole && hole <= o.to);
    return { ...base, defAt: -1, operandAt, place: LinePlace.Operand };
  }
  if (equal >= 0 && hole <= equal) return { ...base, defAt, operandAt: -1, place: LinePlace.Def };
  if (equal < 0 && hole > 0 && !tokens.slice(0, hole).every((t) => isInstrFlag(t.tok))) {
    // Registers without `=`: it is still to come.
    return { ...base, defAt: -1, operandAt: -1, place: LinePlace.Def };
  }
  return { ...base, defAt: -1, operandAt: -1, place: hole === 0 ? LinePlace.Start : LinePlace.Opcode };
}
