/**
 * Semantic tokens: registers by their bank, with what an instruction does to them, opcodes, classes, sub-registers, blocks and the
 * other names. What a regular expression can tell (comments, numbers, strings, keywords) is left to the grammar.
 *
 * The legend is described for theme authors in docs/semantic-tokens.md.
 */
import type { Range, SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver-types';
import { LaneValue } from '../../analysis/uniformity/laneValues.js';
import type { MachineFunction } from '../../model/machineFunction.js';
import { SyntaxKind } from '../../syntax/tree.js';
import { RegKind } from '../../target/index.js';
import type { TextRange } from '../../text/diagnostic.js';
import type { CancellationToken } from '../../util/cancellation.js';
import type { EntityTable } from '../symbols/entities.js';
import { Modifier, TokenType } from './semanticLegend.js';
import { EntityKind, Role, type ChunkNames, type Occurrences } from '../symbols/symbolIndex.js';
import type { FunctionView, Snapshot } from '../snapshot/snapshot.js';
import { tokenMemoryOf } from './tokenMemory.js';
import { PieceBuilder, TokenSequence, type TokenPiece } from './tokenPieces.js';

export function provideSemanticTokens(
  snapshot: Snapshot,
  _params: unknown,
  token: CancellationToken,
): SemanticTokens | null {
  const tokens = tokensIn(snapshot, 0, snapshot.text.lineCount, token);
  return tokens && { resultId: remembered(snapshot, tokens), data: tokens.toArray() };
}

export function provideSemanticTokensRange(
  snapshot: Snapshot,
  { range }: { range: Range },
  token: CancellationToken,
): SemanticTokens | null {
  const firstLine = Math.max(0, range.start.line);
  const endLine = Math.min(range.end.character === 0 ? range.end.line : range.end.line + 1, snapshot.text.lineCount);
  const tokens = tokensIn(snapshot, firstLine, endLine, token);
  return tokens && { data: tokens.joinLines(firstLine, endLine) };
}

/** The change since the result `previousResultId`, or all tokens when that result is not known any more. */
export function provideSemanticTokensDelta(
  snapshot: Snapshot,
  { previousResultId }: { previousResultId: string },
  token: CancellationToken,
): SemanticTokens | SemanticTokensDelta | null {
  const tokens = tokensIn(snapshot, 0, snapshot.text.lineCount, token);
  if (!tokens) return null;
  const before = tokenMemoryOf(snapshot).last;
  const resultId = remembered(snapshot, tokens);
  if (before === null || before.resultId !== previousResultId) return { resultId, data: tokens.toArray() };
  return { resultId, edits: tokens.editsSince(before.tokens) };
}

function remembered(snapshot: Snapshot, tokens: TokenSequence): string {
  const tokenMemory = tokenMemoryOf(snapshot);
  const resultId = String(++tokenMemory.count);
  tokenMemory.last = { resultId, tokens };
  return resultId;
}

/**
 * An entity's byte: its token type, what it is to the lanes at its definition (LaneBits), and whether some of its uses are something else.
 */
const TYPE_BITS = 31;
const LANE_SHIFT = 5;
const HAS_TEMPORAL_USES = 128;

const enum LaneBits {
  Unknown = 0,
  Uniform,
  Divergent,
  LaneMask,
}

const LANE_BITS: Readonly<Record<LaneValue, LaneBits>> = {
  [LaneValue.Unknown]: LaneBits.Unknown,
  [LaneValue.Uniform]: LaneBits.Uniform,
  [LaneValue.Divergent]: LaneBits.Divergent,
  [LaneValue.LaneMask]: LaneBits.LaneMask,
  [LaneValue.Temporal]: LaneBits.Divergent,
};
const LANE_MODIFIERS = [0, Modifier.Uniform, Modifier.Divergent, Modifier.LaneMask];

/** Larger functions are coloured without their lanes: an answer must not wait for them. */
const MAX_LANE_INSTRS = 50_000;

/** Types of a function's entities, and where those with HAS_TEMPORAL_USES are read after their cycles: places of instructions in the document. */
interface EntityTypes {
  readonly types: Uint8Array;
  readonly temporal: ReadonlyMap<number, readonly TextRange[]>;
}

/** The piece of `source`, made again when one of its `entities` has another type than last time, or uses of several kinds. */
function pieceOf(
  snapshot: Snapshot,
  source: object,
  entities: Int32Array,
  n: number,
  types: Uint8Array,
  make: () => TokenPiece | null,
): TokenPiece | null {
  const { pieces } = tokenMemoryOf(snapshot);
  const known = pieces.get(source);
  if (known?.types.length === n) {
    let k = 0;
    while (k < n && known.types[k] === types[entities[k]!] && known.types[k]! < HAS_TEMPORAL_USES) k++;
    if (k === n) return known.piece;
  }
  const own = new Uint8Array(n);
  for (let k = 0; k < n; k++) own[k] = types[entities[k]!]!;
  const piece = make();
  pieces.set(source, { types: own, piece });
  return piece;
}

/** Tokens of the chunks and headers that touch the lines [firstLine, endLine); null when cancelled. */
function tokensIn(
  snapshot: Snapshot,
  firstLine: number,
  endLine: number,
  token: CancellationToken,
): TokenSequence | null {
  const { text } = snapshot;
  const from = text.lineStart(firstLine);
  const to = text.lineStart(endLine);
  const out = new TokenSequence();
  irTokens(snapshot, out);
  for (const view of snapshot.functions) {
    if (view.end <= from || to <= view.start) continue;
    if (token.isCancelled()) return null;
    functionTokens(snapshot, view, firstLine, endLine, out);
  }
  return out;
}

const NONE = new Int32Array(0);

function irTokens(snapshot: Snapshot, out: TokenSequence): void {
  const { text, irSymbols: ir } = snapshot;
  // Pieces stand in text order; IR after a function is an error of the file anyway.
  if (!ir || (snapshot.functions.length > 0 && snapshot.functions[0]!.start < ir.start)) return;
  const firstLine = text.lineAt(ir.start);
  const piece = pieceOf(snapshot, ir.symbols, NONE, 0, NO_TYPES, () => {
    const builder = new PieceBuilder(ir.symbols.occurrences.length);
    for (const o of ir.symbols.occurrences) {
      const type = ENTITY_TYPES[o.kind];
      if (type === undefined) continue;
      const modifiers =
        (o.role & Role.Def) === 0
          ? 0
          : Modifier.Definition | (isLabelOrFunction(text, ir.start + o.end, o.kind) ? Modifier.Declaration : 0);
      const start = ir.start + o.start;
      const line = text.lineAt(start);
      builder.add(line - firstLine, start - text.lineStart(line), o.end - o.start, type, modifiers);
    }
    return builder.piece;
  });
  out.add(piece, firstLine);
}

/** Of what is defined and ends at `end`: nothing is assigned to it. */
function isLabelOrFunction(text: Snapshot['text'], end: number, kind: EntityKind): boolean {
  const after = text.slice(end, end + 8);
  return kind === EntityKind.IRLocal ? after.startsWith(':') : kind === EntityKind.Global && !/^[ \t]*=/.test(after);
}

const NO_TYPES = new Uint8Array(0);

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

/** Header before the body, chunks of the body, header after it. */
function functionTokens(
  snapshot: Snapshot,
  view: FunctionView,
  firstLine: number,
  endLine: number,
  out: TokenSequence,
): void {
  const { symbols, start: base, body } = view;
  const { text } = snapshot;
  const entityInfo = entityTypes(view);
  const { types } = entityInfo;
  const header = (names: Occurrences): void => {
    const line = text.lineAt(base);
    const { n, start, end, entity, role } = names;
    const piece = pieceOf(snapshot, names, entity, n, types, () => {
      const builder = new PieceBuilder(n);
      for (let i = 0; i < n; i++) {
        const at = base + start[i]!;
        const atLine = text.lineAt(at);
        const column = at - text.lineStart(atLine);
        builder.add(atLine - line, column, end[i]! - start[i]!, types[entity[i]!]! & TYPE_BITS, modifiersOf(role[i]!));
      }
      return builder.piece;
    });
    out.add(piece, line);
  };
  header(symbols.front);
  if (body) {
    const bodyLine = text.lineAt(base + body.start);
    for (let c = 0; c < body.chunks.length; c++) {
      const line = bodyLine + body.chunkLines[c]!;
      if (bodyLine + body.chunkLines[c + 1]! < firstLine || endLine <= line) continue;
      const names = symbols.chunkNames[c]!;
      const entities = symbols.chunkEntities[c]!;
      const start = base + body.start + body.chunkStarts[c]!;
      const make = (): TokenPiece | null => chunkTokens(text, names, entities, entityInfo, start, line, base);
      out.add(pieceOf(snapshot, names, entities, entities.length, types, make), line);
    }
  }
  header(symbols.back);
}

const WORD_TYPES: Readonly<Record<number, TokenType>> = {
  [SyntaxKind.Opcode]: TokenType.Opcode,
  [SyntaxKind.ClassOrBank]: TokenType.RegClass,
  [SyntaxKind.SubRegIndex]: TokenType.SubReg,
  [SyntaxKind.SubRegIndexOperand]: TokenType.SubReg,
};

/** Names merged with words, both in text order; the chunk begins at `chunkStart`, the start of line `firstLine`. */
function chunkTokens(
  text: Snapshot['text'],
  names: ChunkNames,
  entities: Int32Array,
  { types, temporal }: EntityTypes,
  chunkStart: number,
  firstLine: number,
  documentStart: number,
): TokenPiece | null {
  const { start, end, local, role, n, words, wordKinds } = names;
  const nWords = wordKinds.length;
  const builder = new PieceBuilder(n + nWords);
  let line = firstLine;
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
    const column = at - lineStart;
    if (isWord) {
      builder.add(line - firstLine, column, words[2 * w + 1]! - words[2 * w]!, WORD_TYPES[wordKinds[w]!]!, 0);
      w++;
    } else {
      const entity = entities[local[i]!]!;
      const type = types[entity]!;
      let lanes = (type >> LANE_SHIFT) & 3;
      if (type >= HAS_TEMPORAL_USES && (role[i]! & Role.Def) === 0) {
        const place = at - documentStart;
        if (temporal.get(entity)!.some((r) => r.start <= place && place < r.end)) lanes = LaneBits.Divergent;
      }
      const modifiers = modifiersOf(role[i]!) | LANE_MODIFIERS[lanes]!;
      builder.add(line - firstLine, column, end[i]! - start[i]!, type & TYPE_BITS, modifiers);
      i++;
    }
  }
  return builder.piece;
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

/** Token type and lanes of each entity of a function. O(entities), and once per version of the function its size */
function entityTypes(view: FunctionView): EntityTypes {
  const { table } = view.symbols;
  const types = new Uint8Array(table.n);
  for (let e = 0; e < types.length; e++) {
    const kind = table.kinds[e]!;
    if (kind === EntityKind.PhysReg) types[e] = physicalType(table.nameOf(e));
    else types[e] = kind === EntityKind.VReg ? TokenType.Register : (ENTITY_TYPES[kind] ?? TokenType.Metadata);
  }
  return { types, temporal: virtualTypes(view, table, types) };
}

/** A register of a bank; `exec`, `vcc`, `m0`, `scc` and the like have a role of their own and are plain registers here. */
function physicalType(name: string): TokenType {
  if (name.startsWith('sgpr') || name.startsWith('ttmp')) return TokenType.SGPR;
  if (name.startsWith('vgpr')) return TokenType.VGPR;
  return name.startsWith('agpr') ? TokenType.AGPR : TokenType.Register;
}

/** Fills in the types of virtual registers; the uses that are divergent though the register is uniform, by entity. */
function virtualTypes(
  { fn, lanes: known }: FunctionView,
  table: EntityTable,
  types: Uint8Array,
): Map<number, TextRange[]> {
  const temporal = new Map<number, TextRange[]>();
  if (!fn) return temporal;
  const lanes = fn.nInstrs <= MAX_LANE_INSTRS ? known : null;
  const { vregs, source } = fn;
  const { isAMDGCN, regClassKind } = fn.tables;
  for (let v = 0; v < vregs.n; v++) {
    const rc = vregs.regClass[v]!;
    const e = entityOf(fn, table, v);
    if (e < 0) continue;
    const type = rc < 0 || !isAMDGCN ? TokenType.Register : TYPE_OF_BANK[regClassKind[rc]!]!;
    types[e] = type | (lanes ? LANE_BITS[lanes.atDef(v)] << LANE_SHIFT : 0);
  }
  if (!lanes || !source) return temporal;
  for (const [v, user] of lanes.temporalUses()) {
    const e = entityOf(fn, table, v);
    if (e < 0) continue;
    types[e]! |= HAS_TEMPORAL_USES;
    const places = temporal.get(e) ?? [];
    places.push(source.instrRange(user));
    temporal.set(e, places);
  }
  return temporal;
}

function entityOf({ vregs }: MachineFunction, table: EntityTable, v: number): number {
  const name = vregs.name[v] ?? null;
  return name === null ? table.vregOf(vregs.sourceNumber[v]!) : table.find(EntityKind.VReg, name);
}

const TYPE_OF_BANK: Readonly<Record<number, TokenType>> = {
  [RegKind.SGPR]: TokenType.SGPR,
  [RegKind.VGPR]: TokenType.VGPR,
  [RegKind.AGPR]: TokenType.AGPR,
  [RegKind.AVGPR]: TokenType.AV,
};
