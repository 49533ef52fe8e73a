/**
 * Semantic tokens: registers by their bank, with what an instruction does to them, opcodes, classes, sub-registers, blocks and the
 * other names. What a regular expression can tell (comments, numbers, strings, keywords) is left to the grammar.
 *
 * The legend is described for theme authors in docs/semantic-tokens.md.
 */
import type { Range, SemanticTokens, SemanticTokensDelta, SemanticTokensEdit } from 'vscode-languageserver-types';
import { SyntaxKind } from '../syntax/tree.js';
import { RegKind, targetTables } from '../target/index.js';
import type { CancellationToken } from '../util/cancellation.js';
import { Modifier, TokenType } from './semanticLegend.js';
import { EntityKind, Role, type ChunkNames, type SymbolIndex } from './symbolIndex.js';
import type { FunctionView, Snapshot } from './snapshot.js';

const FIELDS = 5;

export function provideSemanticTokens(
  snapshot: Snapshot,
  _params: unknown,
  token: CancellationToken,
): SemanticTokens | null {
  const data = tokensIn(snapshot, 0, snapshot.text.lineCount, token);
  return data && { resultId: remembered(snapshot, data), data: Array.from(data) };
}

export function provideSemanticTokensRange(
  snapshot: Snapshot,
  { range }: { range: Range },
  token: CancellationToken,
): SemanticTokens | null {
  const endLine = range.end.character === 0 ? range.end.line : range.end.line + 1;
  const data = tokensIn(snapshot, Math.max(0, range.start.line), Math.min(endLine, snapshot.text.lineCount), token);
  return data && { data: Array.from(data) };
}

/** The change since the result `previousResultId`, or all tokens when that result is not known any more. */
export function provideSemanticTokensDelta(
  snapshot: Snapshot,
  { previousResultId }: { previousResultId: string },
  token: CancellationToken,
): SemanticTokens | SemanticTokensDelta | null {
  const data = tokensIn(snapshot, 0, snapshot.text.lineCount, token);
  if (!data) return null;
  const before = snapshot.tokenMemory.last;
  const resultId = remembered(snapshot, data);
  if (before === null || before.resultId !== previousResultId) return { resultId, data: Array.from(data) };
  return { resultId, edits: editsBetween(before.data, data) };
}

/** The result of the last answer about a document, for the next delta. Kept by the host. */
export interface TokenMemory {
  last: { readonly resultId: string; readonly data: Int32Array } | null;
  count: number;
}

function remembered({ tokenMemory }: Snapshot, data: Int32Array): string {
  const resultId = String(++tokenMemory.count);
  tokenMemory.last = { resultId, data };
  return resultId;
}

/** At most one edit: what lies between the common beginning and the common end. Positions are relative, so an edit of a line leaves the rest. */
export function editsBetween(before: Int32Array, after: Int32Array): SemanticTokensEdit[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  head -= head % FIELDS;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  tail -= tail % FIELDS;
  if (head + tail === before.length && before.length === after.length) return [];
  const data = Array.from(after.subarray(head, after.length - tail));
  return [{ start: head, deleteCount: before.length - head - tail, ...(data.length > 0 ? { data } : {}) }];
}

/** Encodes tokens as LSP wants them: line and column relative to the token before. Tokens must come in text order. */
class Encoder {
  private data: Int32Array;
  private size = 0;
  private lastLine = 0;
  private lastColumn = 0;

  /** Tokens of the lines [firstLine, endLine) are kept. */
  constructor(
    private readonly text: Snapshot['text'],
    readonly firstLine: number,
    readonly endLine: number,
    expected: number,
  ) {
    this.data = new Int32Array(expected * FIELDS);
  }

  addAt(start: number, end: number, type: TokenType, modifiers: number): void {
    const line = this.text.lineAt(start);
    if (this.firstLine <= line && line < this.endLine)
      this.add(line, start - this.text.lineStart(line), end - start, type, modifiers);
  }

  add(line: number, column: number, length: number, type: TokenType, modifiers: number): void {
    const deltaLine = line - this.lastLine;
    const at = this.size;
    this.size += FIELDS;
    if (this.data.length < this.size) {
      const larger = new Int32Array(Math.max(this.size, this.data.length * 2));
      larger.set(this.data);
      this.data = larger;
    }
    const { data } = this;
    data[at] = deltaLine;
    data[at + 1] = deltaLine === 0 ? column - this.lastColumn : column;
    data[at + 2] = length;
    data[at + 3] = type;
    data[at + 4] = modifiers;
    this.lastLine = line;
    this.lastColumn = column;
  }

  get result(): Int32Array {
    return this.data.subarray(0, this.size);
  }
}

/** Tokens of the lines [firstLine, endLine); null when cancelled. */
function tokensIn(snapshot: Snapshot, firstLine: number, endLine: number, token: CancellationToken): Int32Array | null {
  const { text } = snapshot;
  const from = text.lineStart(firstLine);
  const to = text.lineStart(endLine);
  const views = snapshot.functions.filter((view) => from < view.end && view.start < to);
  const isWhole = firstLine === 0 && endLine === text.lineCount;
  const encoder = new Encoder(text, firstLine, endLine, isWhole ? countTokens(snapshot, views) : FEW_TOKENS);
  irTokens(snapshot, encoder);
  for (const view of views) {
    if (token.isCancelled()) return null;
    functionTokens(snapshot, view, encoder);
  }
  return encoder.result;
}

/** Of a screen. */
const FEW_TOKENS = 1024;

/** An upper bound that is nearly exact. */
function countTokens({ irSymbols }: Snapshot, views: readonly FunctionView[]): number {
  let n = irSymbols ? irSymbols.symbols.occurrences.length : 0;
  for (const { symbols } of views) {
    n += symbols.n;
    for (const { wordKinds } of symbols.chunkNames) n += wordKinds.length;
  }
  return n;
}

function irTokens(snapshot: Snapshot, encoder: Encoder): void {
  const ir = snapshot.irSymbols;
  // The encoder goes forward only; IR behind a function is an error of the file anyway.
  if (!ir || (snapshot.functions.length > 0 && snapshot.functions[0]!.start < ir.start)) return;
  for (const o of ir.symbols.occurrences) {
    const type = ENTITY_TYPES[o.kind];
    if (type === undefined) continue;
    const modifiers = (o.role & Role.Def) !== 0 ? Modifier.Definition : 0;
    encoder.addAt(ir.start + o.start, ir.start + o.end, type, modifiers);
  }
}

const ENTITY_TYPES: Readonly<Record<number, TokenType>> = {
  [EntityKind.Block]: TokenType.Block,
  [EntityKind.Stack]: TokenType.FrameObject,
  [EntityKind.FixedStack]: TokenType.FrameObject,
  [EntityKind.Constant]: TokenType.FrameObject,
  [EntityKind.JumpTable]: TokenType.FrameObject,
  [EntityKind.Global]: TokenType.Global,
  [EntityKind.External]: TokenType.Global,
  [EntityKind.MCSymbol]: TokenType.Global,
  [EntityKind.IRLocal]: TokenType.IRValue,
  [EntityKind.Metadata]: TokenType.Metadata,
};

/** Header before the body, chunks of the body, header behind it. */
function functionTokens(snapshot: Snapshot, view: FunctionView, encoder: Encoder): void {
  const { symbols, start: base, body } = view;
  const { text } = snapshot;
  const types = entityTypes(view);
  const header = (from: number, to: number): void => {
    for (let i = from; i < to; i++)
      encoder.addAt(
        base + symbols.start[i]!,
        base + symbols.end[i]!,
        types[symbols.entity[i]!]!,
        modifiersOf(symbols.role[i]!),
      );
  };
  const nInChunks = symbols.chunkNames.reduce((n, names) => n + names.n, 0);
  let nBefore = 0;
  while (nBefore < symbols.n && (body === null || symbols.start[nBefore]! < body.start)) nBefore++;
  header(0, nBefore);
  if (body) {
    const bodyLine = text.lineAt(base + body.start);
    for (let c = 0; c < body.chunks.length; c++) {
      const line = bodyLine + body.chunkLines[c]!;
      if (bodyLine + body.chunkLines[c + 1]! < encoder.firstLine || encoder.endLine <= line) continue;
      const start = base + body.start + body.chunkStarts[c]!;
      chunkTokens(text, symbols.chunkNames[c]!, symbols.chunkEntities[c]!, types, start, line, encoder);
    }
  }
  header(nBefore + nInChunks, symbols.n);
}

const WORD_TYPES: Readonly<Record<number, TokenType>> = {
  [SyntaxKind.Opcode]: TokenType.Opcode,
  [SyntaxKind.ClassOrBank]: TokenType.RegClass,
  [SyntaxKind.SubRegIndex]: TokenType.SubReg,
  [SyntaxKind.SubRegIndexOperand]: TokenType.SubReg,
};

/** Names merged with words, both in text order; the chunk begins at `chunkStart`, the start of line `line`. */
function chunkTokens(
  text: Snapshot['text'],
  names: ChunkNames,
  entities: Int32Array,
  types: Uint8Array,
  chunkStart: number,
  line: number,
  encoder: Encoder,
): void {
  const { start, end, local, role, n, words, wordKinds } = names;
  const nWords = wordKinds.length;
  let lineStart = chunkStart;
  let nextLine = text.lineStart(line + 1);
  for (let i = 0, w = 0; i < n || w < nWords;) {
    const isWord = w < nWords && (n <= i || words[2 * w]! < start[i]!);
    const at = chunkStart + (isWord ? words[2 * w]! : start[i]!);
    while (nextLine <= at && line + 1 < text.lineCount) {
      line++;
      lineStart = nextLine;
      nextLine = text.lineStart(line + 1);
    }
    if (encoder.endLine <= line) return;
    const column = at - lineStart;
    if (isWord) {
      if (encoder.firstLine <= line)
        encoder.add(line, column, words[2 * w + 1]! - words[2 * w]!, WORD_TYPES[wordKinds[w]!]!, 0);
      w++;
    } else {
      if (encoder.firstLine <= line)
        encoder.add(line, column, end[i]! - start[i]!, types[entities[local[i]!]!]!, modifiersOf(role[i]!));
      i++;
    }
  }
}

function modifiersOf(role: number): number {
  let modifiers = 0;
  if ((role & Role.Declaration) !== 0) modifiers |= Modifier.Declaration;
  if ((role & Role.Def) !== 0) modifiers |= Modifier.Definition;
  if ((role & Role.Kill) !== 0) modifiers |= Modifier.Kill;
  if ((role & Role.Dead) !== 0) modifiers |= Modifier.Dead;
  if ((role & Role.Undef) !== 0) modifiers |= Modifier.Undef;
  if ((role & Role.Implicit) !== 0) modifiers |= Modifier.Implicit;
  return modifiers;
}

/** Token type of each entity of a function. O(entities) */
function entityTypes(view: FunctionView): Uint8Array {
  const { symbols } = view;
  const types = new Uint8Array(symbols.nEntities);
  for (let e = 0; e < types.length; e++) {
    const kind = symbols.kinds[e]!;
    if (kind === EntityKind.PhysReg) types[e] = physicalType(symbols.nameOf(e));
    else types[e] = kind === EntityKind.VReg ? TokenType.Register : (ENTITY_TYPES[kind] ?? TokenType.Metadata);
  }
  virtualTypes(view, symbols, types);
  return types;
}

/** A register of a bank; `exec`, `vcc`, `m0`, `scc` and the like have a role of their own and are plain registers here. */
function physicalType(name: string): TokenType {
  if (name.startsWith('sgpr') || name.startsWith('ttmp')) return TokenType.SGPR;
  if (name.startsWith('vgpr')) return TokenType.VGPR;
  return name.startsWith('agpr') ? TokenType.AGPR : TokenType.Register;
}

function virtualTypes({ fn }: FunctionView, symbols: SymbolIndex, types: Uint8Array): void {
  if (!fn) return;
  const { vregs } = fn;
  const { regClassKind } = targetTables();
  for (let v = 0; v < vregs.n; v++) {
    const rc = vregs.regClass[v]!;
    if (rc < 0) continue;
    const name = vregs.name[v];
    const e =
      name === null || name === undefined
        ? symbols.findNumber(EntityKind.VReg, vregs.sourceNumber[v]!)
        : symbols.find(EntityKind.VReg, name);
    if (e >= 0) types[e] = TYPE_OF_BANK[regClassKind[rc]!]!;
  }
}

const TYPE_OF_BANK: Readonly<Record<number, TokenType>> = {
  [RegKind.SGPR]: TokenType.SGPR,
  [RegKind.VGPR]: TokenType.VGPR,
  [RegKind.AGPR]: TokenType.AGPR,
  [RegKind.AVGPR]: TokenType.AV,
};
