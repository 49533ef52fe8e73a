/**
 * Semantic tokens: registers by their bank, with what an instruction does to them, opcodes, classes, sub-registers, blocks and the
 * other names. What a regular expression can tell (comments, numbers, strings, keywords) is left to the grammar.
 *
 * The legend is described for theme authors in docs/semantic-tokens.md.
 */
import type { Range, SemanticTokens, SemanticTokensDelta, SemanticTokensEdit } from 'vscode-languageserver-types';
import { STRIDE, SyntaxKind, type Tree } from '../syntax/tree.js';
import { RegKind, targetTables } from '../target/index.js';
import type { CancellationToken } from '../util/cancellation.js';
import { Modifier, TokenType } from './semanticLegend.js';
import { EntityKind, Role, type SymbolIndex } from './symbolIndex.js';
import type { FunctionView, Snapshot } from './snapshot.js';

const FIELDS = 5;

export function provideSemanticTokens(
  snapshot: Snapshot,
  _params: unknown,
  token: CancellationToken,
): SemanticTokens | null {
  const data = tokensIn(snapshot, 0, Infinity, token);
  return data && remembered(snapshot, data);
}

export function provideSemanticTokensRange(
  snapshot: Snapshot,
  { range }: { range: Range },
  token: CancellationToken,
): SemanticTokens | null {
  const data = tokensIn(snapshot, snapshot.text.offsetAt(range.start), snapshot.text.offsetAt(range.end), token);
  return data && { data };
}

/** The change since the result `previousResultId`, or all tokens when that result is not known any more. */
export function provideSemanticTokensDelta(
  snapshot: Snapshot,
  { previousResultId }: { previousResultId: string },
  token: CancellationToken,
): SemanticTokens | SemanticTokensDelta | null {
  const data = tokensIn(snapshot, 0, Infinity, token);
  if (!data) return null;
  const before = snapshot.tokenMemory.last;
  const { resultId } = remembered(snapshot, data);
  if (before === null || before.resultId !== previousResultId) return { resultId, data };
  return { resultId, edits: editsBetween(before.data, data) };
}

/** The result of the last answer about a document, for the next delta. Kept by the host. */
export interface TokenMemory {
  last: { readonly resultId: string; readonly data: number[] } | null;
  count: number;
}

function remembered({ tokenMemory }: Snapshot, data: number[]): { resultId: string; data: number[] } {
  return (tokenMemory.last = { resultId: String(++tokenMemory.count), data });
}

/** At most one edit: what lies between the common beginning and the common end. Positions are relative, so an edit of a line leaves the rest. */
export function editsBetween(before: readonly number[], after: readonly number[]): SemanticTokensEdit[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  head -= head % FIELDS;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  tail -= tail % FIELDS;
  if (head + tail === before.length && before.length === after.length) return [];
  const data = after.slice(head, after.length - tail);
  return [{ start: head, deleteCount: before.length - head - tail, ...(data.length > 0 ? { data } : {}) }];
}

/** Encodes tokens as LSP wants them: line and column relative to the token before. Tokens must come in text order. */
class Encoder {
  readonly data: number[] = [];
  private line = 0;
  private lastLine = 0;
  private lastColumn = 0;
  private nextLineStart = 0;
  private lineStart = 0;

  constructor(private readonly text: Snapshot['text']) {
    this.nextLineStart = text.lineCount > 1 ? text.lineStart(1) : Infinity;
  }

  /** Goes to the line of an offset at once instead of line by line. */
  seek(offset: number): void {
    this.setLine(this.text.lineAt(offset));
  }

  private setLine(line: number): void {
    this.line = line;
    this.lineStart = this.text.lineStart(line);
    this.nextLineStart = line + 1 < this.text.lineCount ? this.text.lineStart(line + 1) : Infinity;
  }

  add(start: number, end: number, type: TokenType, modifiers: number): void {
    while (this.nextLineStart <= start) this.setLine(this.line + 1);
    const column = start - this.lineStart;
    const deltaLine = this.line - this.lastLine;
    this.data.push(deltaLine, deltaLine === 0 ? column - this.lastColumn : column, end - start, type, modifiers);
    this.lastLine = this.line;
    this.lastColumn = column;
  }
}

/** Tokens that touch [from, to); null when cancelled. */
function tokensIn(snapshot: Snapshot, from: number, to: number, token: CancellationToken): number[] | null {
  const encoder = new Encoder(snapshot.text);
  irTokens(snapshot, from, to, encoder);
  for (const view of snapshot.functions) {
    if (view.end <= from || to <= view.start) continue;
    if (token.isCancelled()) return null;
    functionTokens(view, from, to, encoder);
  }
  return encoder.data;
}

function irTokens(snapshot: Snapshot, from: number, to: number, encoder: Encoder): void {
  const ir = snapshot.irSymbols;
  // The encoder goes forward only; IR behind a function is an error of the file anyway.
  if (!ir || (snapshot.functions.length > 0 && snapshot.functions[0]!.start < ir.start)) return;
  for (const o of ir.symbols.occurrences) {
    if (ir.start + o.end <= from || to <= ir.start + o.start) continue;
    const type = ENTITY_TYPES[o.kind];
    if (type === undefined) continue;
    const modifiers = (o.role & Role.Def) !== 0 ? Modifier.Definition : 0;
    encoder.add(ir.start + o.start, ir.start + o.end, type, modifiers);
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

/** Names from the symbol index merged with the words of the tree, both in text order. */
function functionTokens(view: FunctionView, from: number, to: number, encoder: Encoder): void {
  const { symbols, start: base, body } = view;
  const types = entityTypes(view);
  const lo = from - base;
  const hi = to - base;
  let next = Math.max(0, symbols.lastFrom(lo));
  while (next < symbols.n && symbols.end[next]! <= lo) next++;
  if (0 < from) encoder.seek(Math.max(from, base));

  const flushTo = (limit: number): void => {
    for (; next < symbols.n && symbols.start[next]! < limit; next++) {
      const role = symbols.role[next]!;
      encoder.add(
        base + symbols.start[next]!,
        base + symbols.end[next]!,
        types[symbols.entity[next]!]!,
        modifiersOf(role),
      );
    }
  };

  if (body) {
    for (let c = 0; c < body.chunks.length; c++) {
      const chunkStart = body.start + body.chunkStarts[c]!;
      if (body.start + body.chunkStarts[c + 1]! <= lo) continue;
      if (hi <= chunkStart) break;
      chunkTokens(body.chunks[c]!.tree, chunkStart);
    }
  }
  flushTo(hi);

  function chunkTokens(tree: Tree, chunkStart: number): void {
    const { size } = tree;
    for (let n = 0; n < size; n += STRIDE) {
      const kind = tree.kind(n);
      const type =
        kind === SyntaxKind.Opcode
          ? TokenType.Opcode
          : kind === SyntaxKind.ClassOrBank
            ? TokenType.RegClass
            : kind === SyntaxKind.SubRegIndex || kind === SyntaxKind.SubRegIndexOperand
              ? TokenType.SubReg
              : null;
      if (type === null) continue;
      const start = chunkStart + tree.start(n);
      const end = chunkStart + tree.end(n);
      if (end <= lo) continue;
      if (hi <= start) return;
      flushTo(start);
      encoder.add(base + start, base + end, type, 0);
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
